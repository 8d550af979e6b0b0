//! Atoms as a running program does them: the memo learns what has changed, and who listens is told.

use super::{Flow, Machine};
use crate::catalogue::{ClauseKind, FieldSort, Placing};
use crate::eval::Heard;
use crate::event::{Event, Spoken, Told};
use crate::ids::*;
use crate::parts::{self, Part, Parts};
use crate::sight;
use crate::state::{ATTACHED, Counted, Frame, Lasting, Used};
use crate::text;
use crate::value::{CardId, PlayerId, Value};

impl Machine<'_> {
    /// What was found out about these parts of the state may no longer hold.
    pub(super) fn touch(&mut self, changed: Parts) {
        if !changed.is_empty() {
            self.desk.touch(changed);
        }
    }

    #[inline]
    pub(super) fn touch_one(&mut self, changed: Option<Part>) {
        if let Some(part) = changed {
            self.desk.touch_one(part);
        }
    }

    /// Which card it is, and who knows it.
    fn face(&self, card: CardId) -> (DefId, u8) {
        (self.state.card(card).def, sight::mask(self.catalogue, self.state, card))
    }

    pub(super) fn place(&mut self, card: CardId, to: ZoneId, how: Placing) {
        let before = if self.out.wants() { sight::mask(self.catalogue, self.state, card) } else { 0 };
        let from = self.state.card(card).zone;
        let changed = self.state.place(self.catalogue, card, to, how);
        self.touch(changed);
        if self.out.wants() {
            let (def, seen) = self.face(card);
            self.out.take(Event::Moved { card, def, from, to, seen: before | seen });
        }
    }

    /// Into the zone of another card, right behind it.
    pub(super) fn place_beside(&mut self, card: CardId, other: CardId) {
        if card == other {
            return;
        }
        self.place(card, self.state.card(other).zone, Placing::Top);
        let changed = self.state.put_behind(self.catalogue, card, other);
        self.touch(changed);
    }

    pub(super) fn attach(&mut self, card: CardId, to: CardId, role: RoleId, down: bool) {
        let changed = self.state.attach(self.catalogue, card, to, role, down);
        self.touch(changed);
        if !changed.is_empty() {
            self.tell_attached(card, to);
        }
    }

    fn tell_attached(&mut self, card: CardId, to: CardId) {
        if self.out.wants() {
            let (def, seen) = self.face(card);
            self.out.take(Event::Attached { card, def, to, seen });
        }
    }

    /// One card takes the place of another: in all that lies on it, in its counters, and in what lasts for it or waits for it.
    pub(super) fn take_over(&mut self, card: CardId, old: CardId) {
        if card == old || self.state.all_on(old).any(|on| on == card) {
            return;
        }
        for (field, def) in FieldId::all(self.catalogue.fields.len()).zip(&self.catalogue.fields) {
            if matches!(def.sort, FieldSort::Counter { .. } | FieldSort::Number | FieldSort::Truth) {
                let floor = def.floor();
                self.count(card, field, self.state.number(old, field).unwrap_or(floor), true);
                self.count(old, field, floor, true);
            }
        }
        let on: Vec<CardId> = self.state.zone(ATTACHED).iter().copied().filter(|&on| self.state.card(on).parent == Some(old)).collect();
        for on in on {
            self.state.hand_on(on, card);
            self.tell_attached(on, card);
        }
        let changed = self.state.take_over(card, old);
        self.touch(changed);
    }

    pub(super) fn turn(&mut self, card: CardId, down: bool) {
        let changed = self.state.turn(card, down);
        self.touch(changed);
        if !changed.is_empty() && self.out.wants() {
            let (def, seen) = self.face(card);
            self.out.take(Event::Turned { card, def, down, seen });
        }
    }

    pub(super) fn control(&mut self, card: CardId, player: PlayerId, for_good: bool) {
        let changed = self.state.control(card, player, for_good);
        self.touch(changed);
        if self.out.wants() {
            self.out.take(Event::Controlled { card, by: player });
        }
    }

    pub(super) fn shuffle(&mut self, zone: ZoneId) {
        let changed = self.state.shuffle(zone);
        self.touch(changed);
        if self.out.wants() {
            self.out.take(Event::Shuffled { zone });
        }
    }

    pub(super) fn show(&mut self, cards: impl IntoIterator<Item = CardId>, to: u8) {
        let mut told = Vec::new();
        for card in cards {
            let already = sight::mask(self.catalogue, self.state, card);
            self.state.show(card, to & !already);
            if self.out.wants() && to & !already != 0 {
                told.push(Told { card, def: self.state.card(card).def, seen: to | already });
            }
        }
        if !told.is_empty() {
            self.out.take(Event::Shown { cards: told });
        }
    }

    pub(super) fn count(&mut self, card: CardId, counter: FieldId, by: i32, set: bool) {
        if let Some(Counted { by, now }) = self.state.count(self.catalogue, card, counter, by, set) {
            self.touch_one(Some(parts::field(counter)));
            if self.out.wants() && self.catalogue.fields[counter.index()].is_counter() {
                self.out.take(Event::Counted { card, counter, by, now });
            }
        }
    }

    /// What a card remembers; a truth is a number that is there or not.
    pub(super) fn remember(&mut self, card: CardId, field: FieldId, value: Value) {
        if self.catalogue.fields[field.index()].sort == FieldSort::Truth {
            return self.count(card, field, i32::from(value.truth()), true);
        }
        let changed = self.state.remember(card, field, value);
        self.touch(changed);
    }

    /// What programs that have ended had bound has its value again.
    #[inline(never)]
    pub(super) fn unbind_left(&mut self) {
        while self.state.left_bound() {
            let changed = self.state.unbind();
            self.touch_one(changed);
        }
    }

    pub(super) fn count_player(&mut self, player: PlayerId, counter: PlayerCounterId, by: i32, set: bool) {
        if let Some(Counted { by, now }) = self.state.count_player(self.catalogue, player, counter, by, set) {
            self.touch_one(Some(parts::PLAYERS));
            if self.out.wants() {
                self.out.take(Event::PlayerCounted { player, counter, by, now });
            }
        }
    }

    /// A period ends: its effects, limits, counters and variables with it.
    pub(super) fn end(&mut self, period: PeriodId) {
        let changed = self.state.end(self.catalogue, period);
        self.touch(changed);
        // Limits are over with it.
        self.desk.tick();
        if self.out.wants() {
            self.out.take(Event::PeriodEnded { period });
        }
    }

    /// A clause outlives the program that runs, with copies of its registers.
    pub(super) fn start_effect(&mut self, clause: ClauseId, until: Option<PeriodId>) -> Flow {
        let Some(&Frame { me, source, you, base, program, .. }) = self.state.frames.last() else { return Flow::Stop };
        let size = self.catalogue.procs[program.index()].registers as usize;
        let captured = self.registers[base as usize..base as usize + size].to_vec();
        let carrier = source.map(|card| self.state.card(card).def);
        let names = if self.out.wants() { self.spoken(clause, &captured) } else { Vec::new() };
        let changed = self.state.start_effect(self.catalogue, Lasting { clause, until, me, source, you, captured, since: 0, carrier });
        self.touch(changed);
        if self.out.wants() {
            let (def, seen) = self.carrier(source);
            self.out.take(Event::EffectStarted { clause, def, seen, names });
        }
        Flow::Next
    }

    /// What the text of a clause names, as it is now.
    fn spoken(&self, clause: ClauseId, captured: &[Value]) -> Vec<Spoken> {
        let value = |register: RegisterId| captured.get(register.index()).cloned().unwrap_or_default();
        let spoken = |register: RegisterId| {
            let value = value(register);
            let (def, seen) = value
                .card()
                .map_or((DefId::FIRST, sight::EVERYONE), |card| (self.state.card(card).def, sight::mask(self.catalogue, self.state, card)));
            Spoken { register, value, def, seen }
        };
        text::registers(&self.catalogue.clause(clause).english).map(spoken).collect()
    }

    /// The card an ability comes from, for the log, and who knows it.
    pub(super) fn carrier(&self, source: Option<CardId>) -> (Option<DefId>, u8) {
        source.map_or((None, sight::EVERYONE), |card| (Some(self.state.card(card).def), sight::mask(self.catalogue, self.state, card)))
    }

    /// Tell an event, and queue every triggered ability that it sets off.
    pub(super) fn emit(&mut self, event: EventId, args: Vec<Value>) {
        if self.out.wants() {
            let cards = args.iter().flat_map(|arg| if let Value::List(items) = arg { items } else { std::slice::from_ref(arg) });
            let told = |card: CardId| Told { card, def: self.state.card(card).def, seen: sight::mask(self.catalogue, self.state, card) };
            let cards = cards.filter_map(Value::card).map(told).collect();
            let quiet = self.catalogue.events[event.index()].quiet.is_some_and(|quiet| self.in_frame(quiet, &args).truth());
            self.out.take(Event::Declared { event, args: args.clone(), cards, quiet });
        }
        if !self.catalogue.index.heard.has(event.index()) {
            return;
        }
        let catalogue = self.catalogue;
        let Heard { set_off, effects } = self.eval_now().heard(event, &args);
        let changed = self.state.end_heard(catalogue, &effects);
        self.touch(changed);
        for waiting in set_off {
            if let ClauseKind::Trigger { limit: Some(ability), .. } = catalogue.clause(waiting.clause).kind
                && let Some(period) = catalogue.ability(ability).limit
            {
                // Of copies that share a limit the first one is set off.
                if self.state.is_used_up(catalogue, ability, waiting.source) {
                    continue;
                }
                self.state.count_use(Used { ability, source: waiting.source, period });
            }
            self.state.queue(waiting);
            self.desk.tick();
        }
    }
}
