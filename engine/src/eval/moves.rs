//! Legal moves: what a player may do in a window, and what waits for its turn.

use super::permissions::in_scope;
use super::{Env, MAX_DEPTH, STEP, World};
use crate::catalogue::{ClauseKind, Op, Require};
use crate::ids::*;
use crate::value::{Move, PlayerId, Value};
use std::ops::ControlFlow;

/// What a player may do in a window, in a fixed order.
pub fn moves(world: World<'_>, window: WindowId, player: PlayerId) -> Vec<Move> {
    moves_at(world, window, player, 0)
}

fn moves_at(world: World<'_>, window: WindowId, player: PlayerId, depth: u16) -> Vec<Move> {
    let mut found = Vec::new();
    candidates(world, window, player, depth, &mut |candidate| {
        if unmet(world, &candidate, depth).is_none() {
            with_targets(world, candidate, depth, &mut |chosen| found.push(chosen));
        }
    });
    found
}

/// A move once for each second card that it may be done with.
pub(super) fn with_targets(world: World<'_>, candidate: Move, depth: u16, visit: &mut dyn FnMut(Move)) {
    let catalogue = world.catalogue;
    let Some(to) = &catalogue.ability(candidate.ability).to else { return visit(candidate) };
    let mut env = Env { depth: depth + STEP + catalogue.index.depths[to.list.index()], ..Env::for_move(world, &candidate) };
    let _ = env.each(to.list, &mut |_, value| {
        visit(Move { target: value.card(), ..candidate });
        ControlFlow::Continue(())
    });
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

/// What a player might think of doing in a window, allowed or not.
pub(super) fn candidates(world: World<'_>, window: WindowId, player: PlayerId, depth: u16, visit: &mut dyn FnMut(Move)) {
    let World { catalogue, state, .. } = world;
    if depth >= MAX_DEPTH {
        return;
    }
    for &action in &catalogue.index.window_actions[window.index()] {
        match catalogue.ability(action).from {
            None => visit(Move { ability: action, player, card: None, source: None, target: None }),
            Some(from) => {
                let depth = depth + STEP + catalogue.index.depths[from.index()];
                let mut env = Env { depth, ..Env::new(world, player) };
                let _ = env.each(from, &mut |_, value| {
                    visit(Move { ability: action, player, card: value.card(), source: None, target: None });
                    ControlFlow::Continue(())
                });
            }
        }
    }
    for &zone in &catalogue.index.act_zones {
        for &card in &state.zones[zone.index()] {
            let carrier = state.card(card);
            if !catalogue.index.windows.has(carrier.def.index(), window.index()) {
                continue;
            }
            let def = catalogue.def(carrier.def);
            for &id in &def.abilities {
                let ability = catalogue.ability(id);
                // Most abilities belong to the controller of their card: that is quickly seen.
                let settled = ability.scope.is_none_or(|scope| catalogue.scopes[scope.index()].player.is_none());
                if ability.windows.has(window.index())
                    && !(settled && carrier.controller != player)
                    && let Some((me, you)) = in_scope(world, ability.scope, card, depth)
                    && you == player
                {
                    visit(Move { ability: id, player, card: me, source: Some(card), target: None });
                }
            }
        }
    }
    world.granted(depth, &mut |card, id| {
        let ability = catalogue.ability(id);
        if ability.windows.has(window.index())
            && let Some((me, you)) = in_scope(world, ability.scope, card, depth)
            && you == player
        {
            visit(Move { ability: id, player, card: me, source: Some(card), target: None });
        }
    });
}

/// What a move lacks.
pub(super) enum Unmet<'a> {
    Limit(PeriodId),
    Require(&'a Require),
}

pub(super) fn unmet<'a>(world: World<'a>, candidate: &Move, depth: u16) -> Option<Unmet<'a>> {
    let World { catalogue, state, .. } = world;
    let ability = catalogue.ability(candidate.ability);
    if let Some(period) = ability.limit
        && state.is_used_up(catalogue, candidate.ability, candidate.source.or(candidate.card))
    {
        return Some(Unmet::Limit(period));
    }
    let mut env = Env::for_move(world, candidate);
    let unmet = |require: &&Require| {
        env.depth = depth + STEP + catalogue.index.depths[require.test.index()];
        !env.test(require.test)
    };
    ability.requires.iter().find(unmet).map(Unmet::Require)
}

impl Env<'_> {
    pub(super) fn moves(&mut self, window: ExprId, player: ExprId) -> Value {
        let window = self.num(window);
        let Some(player) = self.player(player) else { return Value::list(Vec::new()) };
        let Some(window) = self.catalogue.window(window) else { return Value::list(Vec::new()) };
        Value::list(moves_at(self.world(), window, player, self.depth).into_iter().map(Value::Move).collect())
    }

    /// Waiting triggers of a class that a player controls.
    pub(super) fn waiting(&mut self, class: ExprId, player: ExprId) -> Value {
        let (class, player) = (self.num(class), self.player(player));
        let mine = self.state.waiting.iter().filter(|waiting| {
            Some(waiting.you) == player
                && matches!(self.catalogue.clause(waiting.clause).kind, ClauseKind::Trigger { class: c, .. } if i32::try_from(c.index()) == Ok(class))
        });
        Value::list(mine.map(|waiting| Value::Trigger(waiting.serial)).collect())
    }

    /// Whether anything could be done in a window.
    pub(super) fn anything_acts_in(&mut self, window: ExprId) -> Value {
        let window = self.num(window);
        let (catalogue, state) = (self.catalogue, self.state);
        let all = || {
            let cards = catalogue.index.act_zones.iter().flat_map(|&zone| &state.zones[zone.index()]);
            cards.fold(catalogue.index.action_windows.clone(), |mut all, &card| {
                all.join(catalogue.index.windows.row(state.card(card).def.index()));
                all
            })
        };
        let Some(window) = catalogue.window(window) else { return Value::Bool(false) };
        let own = self.memo.map_or_else(|| all().has(window.index()), |memo| memo.anything_acts_in(window, all));
        Value::Bool(own || self.world().grants_in(window, self.depth))
    }

    /// Whether a card has an ability for a window, wherever it lies.
    pub(super) fn acts_in(&mut self, card: ExprId, window: ExprId) -> Value {
        let window = self.num(window);
        let (Some(card), Some(window)) = (self.card(card), self.catalogue.window(window)) else { return Value::Bool(false) };
        let own = self.catalogue.index.windows.has(self.state.card(card).def.index(), window.index());
        let given = || {
            let mut given = false;
            let has = |ability: AbilityId| self.catalogue.ability(ability).windows.has(window.index());
            self.world().granted(self.depth, &mut |to, ability| given |= to == card && has(ability));
            given
        };
        Value::Bool(own || given())
    }

    /// Whether a window is over, as it says of itself.
    pub(super) fn window_over(&mut self, window: ExprId) -> Value {
        let window = self.num(window);
        let until = self.catalogue.window(window).and_then(|window| self.catalogue.windows[window.index()].until);
        let Some(until) = until else { return Value::Bool(false) };
        let depth = self.depth + STEP + self.catalogue.index.depths[until.index()];
        if depth >= MAX_DEPTH {
            return self.too_deep();
        }
        Value::Bool(Env { depth, ..Env::new(self.world(), self.you) }.test(until))
    }
}
