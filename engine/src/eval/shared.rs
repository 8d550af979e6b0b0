//! What single expressions come to once their parts are known: for code that is run and expressions that are walked alike.

use super::cells::Cell;
use super::{Eval, MAX_DEPTH, Place, STEP};
use crate::catalogue::{BinOp, ClauseKind, FieldSort, Print, Prop, Quantifier};
use crate::ids::*;
use crate::state::Waiting;
use crate::value::{CardId, PlayerId};

impl Eval<'_> {
    #[inline]
    pub(super) fn changes_in_play(&self) -> Cell {
        Cell::num((self.state.changes_in_play & 0x7fff_ffff) as i32)
    }
    #[inline]
    pub(super) fn is(&self, card: CardId, word: WordId) -> bool {
        self.catalogue.index.words.has(self.state.card(card).def.index(), word.index())
    }
    #[inline]
    pub(super) fn has_truth(&self, card: CardId, field: FieldId) -> bool {
        self.state.number(card, field).is_some()
    }
    #[inline]
    pub(super) fn has_role(&self, card: CardId, role: RoleId) -> bool {
        let card = self.state.card(card);
        card.zone == crate::state::ATTACHED && card.role == role
    }
    /// A number of a card, 0 where it has none; none where it is no card.
    #[inline]
    pub(super) fn number_on(&self, of: Cell, field: FieldId) -> Option<i32> {
        // Most cards have none.
        of.card_in(self.state).map(|card| if card.may_have(field) { self.number_at(of, field) } else { 0 })
    }
    /// A number of a card that perhaps has it.
    #[inline(never)]
    pub(super) fn number_at(&self, card: Cell, field: FieldId) -> i32 {
        card.card().map_or(0, |card| self.state.number_or_zero(card, field))
    }
    /// A counter or number of a card.
    #[inline(never)]
    pub(super) fn number_of(&self, card: CardId, field: FieldId) -> i32 {
        self.state.number(card, field).unwrap_or_else(|| self.catalogue.fields[field.index()].floor())
    }
    #[inline(never)]
    pub(super) fn remembered(&mut self, card: CardId, field: FieldId) -> Cell {
        match self.state.remembered(card, field) {
            Some(value) => self.desk.heap.read(value),
            None if self.catalogue.fields[field.index()].sort == FieldSort::List => self.desk.heap.new_list(),
            None => Cell::NONE,
        }
    }
    #[inline]
    pub(super) fn fact(&self, card: CardId, fact: FactId) -> Cell {
        self.catalogue.def(self.state.card(card).def).facts[fact.index()].map_or(Cell::NONE, Cell::num)
    }
    #[inline]
    pub(super) fn member(&self, card: CardId, which: EnumId) -> Cell {
        let def = self.state.card(card).def.index();
        self.catalogue.index.members[def * self.catalogue.enums.len() + which.index()].map_or(Cell::NONE, Cell::of_word)
    }
    pub(super) fn members(&mut self, card: CardId, which: EnumId) -> Cell {
        let members = &self.catalogue.index.enum_members[which.index()];
        let words = &self.catalogue.def(self.state.card(card).def).words;
        self.desk.heap.list_of(words.iter().filter(|word| members.has(word.index())).map(|word| Cell::of_word(*word)))
    }
    pub(super) fn words(&mut self, card: CardId) -> Cell {
        let words = &self.catalogue.def(self.state.card(card).def).words;
        self.desk.heap.list_of(words.iter().map(|word| Cell::of_word(*word)))
    }
    /// Whether a word stands in a part of what is printed on a card.
    pub(super) fn mentions(&self, print: Print, card: CardId, word: WordId) -> bool {
        self.catalogue.def(self.state.card(card).def).mentions(print, word, self.catalogue.word(word))
    }
    #[inline]
    pub(super) fn zone_of(&self, kind: ZoneKindId, player: PlayerId) -> ZoneId {
        self.catalogue.index.zone_of.get(kind.index()).map_or(ZoneId::default(), |zones| zones[player.index()])
    }
    pub(super) fn attached(&mut self, to: CardId, role: RoleId) -> Cell {
        self.desk.heap.list_of(self.state.attached(to, role).map(Cell::of_card))
    }
    pub(super) fn all_on(&mut self, on: CardId) -> Cell {
        self.desk.heap.list_of(self.state.all_on(on).map(Cell::of_card))
    }
    pub(super) fn range(&mut self, low: i32, high: i32) -> Cell {
        self.desk.heap.list_of((low..=high.min(low.saturating_add(1000))).map(Cell::num))
    }
    /// How many copies of a card come into a deck with another one.
    pub(super) fn brings(&self, head: Cell, card: Cell) -> Cell {
        let (Some(head), Some(card)) = (head.card(), card.card()) else { return Cell::NONE };
        let card = self.state.card(card).def;
        let brought = self.catalogue.def(self.state.card(head).def).brings.iter().find(|(def, _)| *def == card);
        Cell::num(brought.map_or(0, |(_, copies)| *copies as i32))
    }
    pub(super) fn native(&mut self, native: u16, args: &[Cell]) -> Cell {
        let args: Vec<_> = args.iter().map(|&arg| self.desk.heap.value(arg)).collect();
        let value = crate::native::query(self.catalogue, self.state, native, &args);
        self.desk.heap.read(&value)
    }

    /// A missing value compares with nothing.
    #[inline]
    pub(super) fn compares(op: BinOp, a: Cell, b: Cell) -> bool {
        let (Some(a), Some(b)) = (a.number(), b.number()) else { return false };
        match op {
            BinOp::Lt => a < b,
            BinOp::Le => a <= b,
            BinOp::Gt => a > b,
            _ => a >= b,
        }
    }
    /// A missing value adds up to nothing.
    #[inline]
    pub(super) fn arithmetic(op: BinOp, a: Cell, b: Cell) -> Cell {
        let (Some(a), Some(b)) = (a.number(), b.number()) else { return Cell::NONE };
        match op {
            BinOp::Add => Cell::num(a.saturating_add(b)),
            BinOp::Sub => Cell::num(a.saturating_sub(b)),
            BinOp::Mul => Cell::num(a.saturating_mul(b)),
            BinOp::Div => a.checked_div(b).map_or(Cell::NONE, Cell::num),
            BinOp::Min => Cell::num(a.min(b)),
            _ => Cell::num(a.max(b)),
        }
    }
    #[inline(never)]
    pub(super) fn join(&mut self, a: Cell, b: Cell) -> Cell {
        self.desk.heap.join(a, b)
    }
    pub(super) fn without(&mut self, a: Cell, b: Cell) -> Cell {
        let heap = &mut self.desk.heap;
        let mut items = heap.items(a).to_vec();
        for &item in heap.items(b) {
            if let Some(at) = items.iter().position(|&other| heap.same(other, item)) {
                items.remove(at);
            }
        }
        heap.list_of(items)
    }
    pub(super) fn is_in(&self, item: Cell, list: Cell) -> bool {
        self.desk.heap.items(list).iter().any(|&other| self.desk.heap.same(other, item))
    }
    pub(super) fn item(&self, list: Cell, at: Cell) -> Cell {
        self.desk.heap.items(list).get(at.count().max(0) as usize).copied().unwrap_or_default()
    }
    /// The better of two numbers, where there are two.
    #[inline]
    pub(super) fn better(which: Quantifier, best: Cell, value: Cell) -> Cell {
        match (value.number(), best.number()) {
            (None, _) => best,
            (Some(_), None) => value,
            (Some(value), Some(best)) if which == Quantifier::Highest => Cell::num(value.max(best)),
            (Some(value), Some(best)) => Cell::num(value.min(best)),
        }
    }

    pub(super) fn name(&self, card: CardId) -> Cell {
        self.catalogue.def(self.state.card(card).def).name.map_or(Cell::NONE, Cell::of_word)
    }
    /// The place of a card in its row.
    #[inline(never)]
    pub(super) fn position(&self, card: CardId) -> Cell {
        let zone = self.state.card(card).zone;
        if !self.catalogue.zones[zone.index()].is_row() {
            return Cell::NONE;
        }
        self.state.zone(zone).iter().position(|&other| other == card).map_or(Cell::NONE, |at| Cell::num(at as i32))
    }
    /// The cards of a zone as a list.
    #[inline(never)]
    pub(super) fn cards_of(&mut self, zone: Cell) -> Cell {
        match zone.zone() {
            Some(zone) => self.desk.heap.list_of(self.state.zone(zone).iter().map(|&card| Cell::of_card(card))),
            None => Cell::NONE,
        }
    }
    /// How many there are in a zone or list.
    #[inline]
    pub(super) fn size(&self, of: Cell) -> Cell {
        if let Some(zone) = of.zone() {
            return Cell::num(self.state.zone(zone).len() as i32);
        }
        if of.is_list() { Cell::num(self.desk.heap.items(of).len() as i32) } else { Cell::NONE }
    }
    #[inline]
    pub(super) fn prop(&mut self, prop: Prop, of: Cell) -> Cell {
        match (of.card(), prop) {
            (Some(card), Prop::Owner) => Cell::of_player(self.state.card(card).owner),
            (Some(card), Prop::Controller) => Cell::of_player(self.state.card(card).controller),
            (Some(card), Prop::Zone) => Cell::of_zone(self.state.card(card).zone),
            (Some(card), Prop::Parent) => self.state.card(card).parent.into(),
            (Some(card), Prop::Root) => Cell::of_card(self.state.root(card)),
            (Some(card), Prop::Name) => self.name(card),
            _ => self.other_prop(prop, of),
        }
    }
    fn other_prop(&mut self, prop: Prop, of: Cell) -> Cell {
        let state = self.state;
        if let Some(card) = of.card() {
            return match prop {
                Prop::Facedown => Cell::truth_of(state.card(card).facedown),
                Prop::Role => Cell::num(state.card(card).role.index() as i32),
                Prop::Position => self.position(card),
                _ => Cell::NONE,
            };
        }
        if of.zone().is_some() {
            return match prop {
                Prop::Size => self.size(of),
                Prop::Cards => self.cards_of(of),
                _ => Cell::NONE,
            };
        }
        if of.is_list() {
            let items = self.desk.heap.items(of);
            return match prop {
                Prop::First => items.first().copied().unwrap_or_default(),
                Prop::Last => items.last().copied().unwrap_or_default(),
                Prop::Size => self.size(of),
                Prop::Distinct => {
                    let mut seen = Vec::new();
                    for &item in items {
                        if !seen.iter().any(|&other| self.desk.heap.same(other, item)) {
                            seen.push(item);
                        }
                    }
                    self.desk.heap.list_of(seen)
                }
                _ => Cell::NONE,
            };
        }
        if let Some(chosen) = self.desk.heap.the_move(of) {
            return match prop {
                Prop::MoveCard => chosen.card.into(),
                Prop::MoveSource => chosen.source.into(),
                Prop::MoveIsCard => Cell::truth_of(self.catalogue.ability(chosen.ability).def.is_some()),
                _ => Cell::NONE,
            };
        }
        match (of.player(), of.trigger(), prop) {
            (Some(player), _, Prop::Opponent) => Cell::of_player(player.opponent()),
            (_, Some(serial), Prop::MoveCard) => {
                state.waiting.iter().find(|waiting| waiting.serial == serial).map_or(Cell::NONE, |waiting| waiting.source.into())
            }
            _ => Cell::NONE,
        }
    }

    /// Waiting triggers of a class that a player controls.
    #[inline(never)]
    pub(super) fn waiting(&mut self, class: Cell, player: Cell) -> Cell {
        let found = self.desk.heap.new_list();
        for waiting in &self.state.waiting {
            if self.waits_for(waiting, class, player) {
                self.desk.heap.push(found, Cell::of_trigger(waiting.serial));
            }
        }
        found
    }
    /// How many of them there are.
    #[inline]
    pub(super) fn count_waiting(&self, class: Cell, player: Cell) -> i32 {
        self.state.waiting.iter().filter(|waiting| self.waits_for(waiting, class, player)).count() as i32
    }
    fn waits_for(&self, waiting: &Waiting, class: Cell, player: Cell) -> bool {
        let ClauseKind::Trigger { class: of, .. } = self.catalogue.clause(waiting.clause).kind else { return false };
        Some(waiting.you) == player.player() && i32::try_from(of.index()) == Ok(class.count())
    }

    /// Whether anything could be done in a window.
    #[inline]
    pub(super) fn anything_acts_in(&mut self, window: Cell, depth: u16) -> bool {
        self.catalogue.window(window.count()).is_some_and(|window| self.somebody_acts(window, depth))
    }
    #[inline(never)]
    pub(super) fn somebody_acts(&mut self, window: WindowId, depth: u16) -> bool {
        let index = &self.catalogue.index;
        index.action_windows.has(window.index()) || self.anybody_acts(window) || index.grants_any && self.grants_in(window, depth)
    }

    /// Whether a card that lies where it can act has an ability for a window of its own.
    #[inline]
    pub(super) fn anybody_acts(&mut self, window: WindowId) -> bool {
        self.catalogue.index.acting_windows.has(window.index()) && self.desk.actors(self.catalogue, self.state).any(window)
    }

    /// Whether a card has an ability for a window, wherever it lies.
    pub(super) fn acts_in(&mut self, card: Cell, window: Cell, depth: u16) -> bool {
        let catalogue = self.catalogue;
        let (Some(card), Some(window)) = (card.card(), catalogue.window(window.count())) else { return false };
        let own = catalogue.index.windows.has(self.state.card(card).def.index(), window.index());
        own || {
            let mut given = false;
            let has = |ability: AbilityId| catalogue.ability(ability).windows.has(window.index());
            self.granted(depth, &mut |_, to, ability| given |= to == card && has(ability));
            given
        }
    }

    /// Whether a window is over, as it says of itself.
    pub(super) fn window_over(&mut self, place: &Place<'_>, window: Cell) -> bool {
        let catalogue = self.catalogue;
        let until = catalogue.window(window.count()).and_then(|window| catalogue.windows[window.index()].until);
        let Some(until) = until else { return false };
        let depth = place.depth + STEP + catalogue.index.depths[until.index()];
        if depth >= MAX_DEPTH {
            return self.too_deep().truth();
        }
        self.test(&Place::of_player(place.you, depth), &[], until)
    }
}
