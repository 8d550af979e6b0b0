//! Legal moves: what a player may do in a window.

use super::cells::Cell;
use super::counts::Work;
use super::{Env, Eval, MAX_DEPTH, Place, STEP, World};
use crate::catalogue::{Ability, Op};
use crate::ids::*;
use crate::value::{CardId, Move, PlayerId};

/// What a player may do in a window, in a fixed order.
pub fn moves(world: World<'_>, window: WindowId, player: PlayerId) -> Vec<Move> {
    world.ask(|eval| {
        let moves = eval.moves_at(window, player, 0);
        let heap = &eval.desk.heap;
        heap.items(moves).iter().filter_map(|chosen| heap.the_move(*chosen)).copied().collect()
    })
}

/// The window whose moves the pending ask offers: the running program says which.
pub fn open_window(world: World<'_>) -> Option<WindowId> {
    let World { catalogue, state, .. } = world;
    let frame = state.frames.last().filter(|_| state.ask.is_some())?;
    let program = catalogue.procs.get(frame.program.index())?;
    let Some(Op::Pick { from, .. }) = catalogue.ops.get((program.start + frame.at).checked_sub(1)? as usize) else { return None };
    let window = catalogue.moves_within(*from)?;
    catalogue.window(Env::of_frame(world).num(window))
}

/// What a move lacks.
pub(super) enum Unmet {
    Limit(PeriodId),
    /// One of its requirements.
    Require(usize),
}

/// Where a move is judged, and the cards it is about: the second one only where its action takes two.
fn place_of(candidate: &Move, ability: &Ability, depth: u16) -> (Place<'static>, [Cell; 2], usize) {
    let locals = [candidate.card.into(), candidate.target.into()];
    (Place::of_card(candidate.card, candidate.source, candidate.player, depth), locals, 1 + usize::from(ability.to.is_some()))
}

impl Eval<'_> {
    /// The moves in a window, as a list.
    fn moves_at(&mut self, window: WindowId, player: PlayerId, depth: u16) -> Cell {
        let found = self.desk.heap.new_list();
        if depth >= MAX_DEPTH {
            return found;
        }
        self.actions_in(window, player, depth, found);
        self.abilities(window, player, depth, &mut |eval, candidate| {
            eval.counted(Work::Ability(candidate.ability), |eval| {
                eval.judge(candidate, depth, &mut |eval, chosen| eval.desk.heap.push_move(found, chosen));
            });
        });
        found
    }

    /// The moves of the rules in a window, behind those that a list has.
    fn actions_in(&mut self, window: WindowId, player: PlayerId, depth: u16, found: Cell) {
        if self.catalogue.index.usable_actions[window.index()].is_empty() {
            return;
        }
        let mark = self.desk.heap.mark();
        if self.desk.is_quick()
            && let Some(start) = self.catalogue.index.code.legal_moves_in(window, depth)
        {
            let legal = self.run_steps::<false>(&Place::of_player(player, depth), start, &[]);
            self.desk.heap.push_moves(found, legal, |which, card, target| {
                let ability = AbilityId::new(which.count() as usize).unwrap_or_default();
                Move { ability, player, card: card.card(), source: None, target: target.card() }
            });
            return self.desk.heap.release_lists(mark);
        }
        for &ability in &self.catalogue.index.usable_actions[window.index()] {
            let legal = self.counted(Work::Ability(ability), |eval| eval.legal(ability, player, depth));
            for at in (0..self.desk.heap.items(legal).len()).step_by(2) {
                let [card, target] = [0, 1].map(|next| self.desk.heap.items(legal)[at + next].card());
                self.desk.heap.push_move(found, Move { ability, player, card, source: None, target });
            }
            self.desk.heap.release_lists(mark);
        }
    }

    /// The moves that an action of the rules allows now, as a list of their cards, the first and the second of each.
    fn legal(&mut self, ability: AbilityId, player: PlayerId, depth: u16) -> Cell {
        if !self.desk.is_plain()
            && !self.desk.is_checking()
            && let Some(start) = self.catalogue.index.code.legal_moves(ability, depth)
        {
            return self.run(&Place::of_player(player, depth), start, &[]);
        }
        let list = self.desk.heap.new_list();
        self.actions(ability, player, depth, &mut |eval, candidate| {
            eval.judge(candidate, depth, &mut |eval, chosen| {
                eval.desk.heap.push(list, chosen.card.into());
                eval.desk.heap.push(list, chosen.target.into());
            });
        });
        list
    }

    /// A move that was thought of, where it is allowed: once for each second card that it may be done with.
    fn judge(&mut self, candidate: Move, depth: u16, visit: &mut dyn FnMut(&mut Self, Move)) {
        let mark = self.desk.heap.mark();
        if self.meets_all(&candidate, depth) {
            self.with_targets(candidate, depth, visit);
        }
        self.desk.heap.release_lists(mark);
    }

    /// A move once for each second card that it may be done with.
    pub(super) fn with_targets(&mut self, candidate: Move, depth: u16, visit: &mut dyn FnMut(&mut Self, Move)) {
        let catalogue = self.catalogue;
        let ability = catalogue.ability(candidate.ability);
        let Some(to) = &ability.to else { return visit(self, candidate) };
        let (place, locals, count) = place_of(&candidate, ability, depth + STEP + catalogue.index.depths[to.list.index()]);
        let targets = self.value(&place, &locals[..count], to.list);
        for at in 0..self.desk.heap.items(targets).len() {
            let target = self.desk.heap.items(targets)[at].card();
            visit(self, Move { target, ..candidate });
        }
    }

    /// What a player might think of doing in a window, allowed or not.
    pub(super) fn candidates(&mut self, window: WindowId, player: PlayerId, depth: u16, visit: &mut dyn FnMut(&mut Self, Move)) {
        if depth >= MAX_DEPTH {
            return;
        }
        for &ability in &self.catalogue.index.window_actions[window.index()] {
            self.actions(ability, player, depth, visit);
        }
        self.abilities(window, player, depth, visit);
    }

    /// The moves of an action of the rules.
    fn actions(&mut self, ability: AbilityId, player: PlayerId, depth: u16, visit: &mut dyn FnMut(&mut Self, Move)) {
        let catalogue = self.catalogue;
        let action = Move { ability, player, card: None, source: None, target: None };
        let Some(from) = catalogue.ability(ability).from else { return visit(self, action) };
        let place = Place::of_player(player, depth + STEP + catalogue.index.depths[from.index()]);
        let cards = self.value(&place, &[], from);
        for at in 0..self.desk.heap.items(cards).len() {
            let card = self.desk.heap.items(cards)[at].card();
            visit(self, Move { card, ..action });
        }
    }

    /// The moves of cards in a window.
    fn abilities(&mut self, window: WindowId, player: PlayerId, depth: u16, visit: &mut dyn FnMut(&mut Self, Move)) {
        let (catalogue, state) = (self.catalogue, self.state);
        if self.anybody_acts(window) {
            self.desk.actors(catalogue, state).gather(catalogue, window);
            let mut at = 0;
            // Whatever is asked meanwhile, nothing changes.
            while let Some((card, id)) = self.desk.actors.acting_in(window, at) {
                at += 1;
                // Most abilities belong to the controller of their card: that is quickly seen.
                if state.card(card).controller == player || !catalogue.index.of_controller.has(id.index()) {
                    self.candidate(id, card, player, depth, visit);
                }
            }
        }
        if !catalogue.index.grants_any {
            return;
        }
        self.granted(depth, &mut |eval, card, id| {
            if catalogue.ability(id).windows.has(window.index()) {
                eval.candidate(id, card, player, depth, visit);
            }
        });
    }

    /// An ability of a card, where the player has it.
    fn candidate(&mut self, id: AbilityId, card: CardId, player: PlayerId, depth: u16, visit: &mut dyn FnMut(&mut Self, Move)) {
        if let Some((me, you)) = self.in_scope(self.catalogue.ability(id).scope, card, depth)
            && you == player
        {
            visit(self, Move { ability: id, player, card: me, source: Some(card), target: None });
        }
    }

    /// Whether a move lacks nothing.
    fn meets_all(&mut self, candidate: &Move, depth: u16) -> bool {
        if self.desk.is_quick()
            && let Some(start) = self.catalogue.index.code.usable(candidate.ability, depth)
        {
            let ability = self.catalogue.ability(candidate.ability);
            let (place, locals, count) = place_of(candidate, ability, depth);
            return !self.is_used_up(candidate, ability) && self.run_steps::<false>(&place, start, &locals[..count]).truth();
        }
        self.unmet(candidate, depth).is_none()
    }

    #[inline]
    fn is_used_up(&self, candidate: &Move, ability: &Ability) -> bool {
        let source = candidate.source.or(candidate.card);
        ability.limit.is_some() && self.state.is_used_up(self.catalogue, candidate.ability, source)
    }

    pub(super) fn unmet(&mut self, candidate: &Move, depth: u16) -> Option<Unmet> {
        let catalogue = self.catalogue;
        let ability = catalogue.ability(candidate.ability);
        if let Some(period) = ability.limit.filter(|_| self.is_used_up(candidate, ability)) {
            return Some(Unmet::Limit(period));
        }
        let (mut place, locals, count) = place_of(candidate, ability, depth);
        let unmet = ability.requires.iter().position(|require| {
            place.depth = depth + STEP + catalogue.index.depths[require.test.index()];
            !self.test(&place, &locals[..count], require.test)
        });
        unmet.map(Unmet::Require)
    }

    /// The moves in a window, which are often asked for again at once: whether there are any, then which.
    fn kept_moves(&mut self, window: WindowId, player: PlayerId, depth: u16) -> Cell {
        if !self.desk.is_quick() {
            return self.counted(Work::Window(window), |eval| eval.moves_at(window, player, depth));
        }
        let index = &self.catalogue.index;
        // In most windows there is nothing to do for anybody, most of the time.
        if index.usable_actions[window.index()].is_empty() && !index.grants_any && !self.anybody_acts(window) {
            return self.desk.heap.new_list();
        }
        if let Some(known) = self.desk.recall_moves(window, player) {
            return known;
        }
        let start = self.desk.start();
        let found = self.moves_at(window, player, depth);
        self.desk.keep_moves(window, player, found, start);
        found
    }

    pub(super) fn moves_in(&mut self, window: Cell, player: Cell, depth: u16) -> Cell {
        match (self.catalogue.window(window.count()), player.player()) {
            (Some(window), Some(player)) => self.kept_moves(window, player, depth),
            _ => self.desk.heap.new_list(),
        }
    }
}
