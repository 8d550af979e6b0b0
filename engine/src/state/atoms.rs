//! The atoms: every change that a program can make to a state, each done whole. They decide nothing, tell nobody and keep no
//! memo; those that change what a question may have read say so by the parts of the state that they return.

use super::Bound;
use super::{ATTACHED, Ask, Frame, Lasting, State, Status, Used, Waiting};
use crate::catalogue::{
    AbilityId, Catalogue, DefId, FieldId, FieldSort, PeriodId, Placing, PlayerCounterId, ProcId, RoleId, Sight, Start, VarId, ZoneId,
};
use crate::eval::{Env, World};
use crate::parts::{self, Part, Parts};
use crate::value::{CardId, PlayerId, Value};

/// A counter that has changed: by how much, and how it stands now.
pub(crate) struct Counted {
    pub(crate) by: i32,
    pub(crate) now: i32,
}

/// Cards and where they lie.
impl State {
    #[must_use]
    pub(crate) fn place(&mut self, catalogue: &Catalogue, card: CardId, to: ZoneId, how: Placing) -> Parts {
        let from = self.card(card).zone;
        self.leave(card);
        let zone = &catalogue.zones[to.index()];
        let hidden = zone.counted;
        let mut changed = Parts::NONE;
        {
            let moved = &mut self.table.cards[card.0 as usize];
            let as_before = (moved.controller, moved.facedown);
            moved.zone = to;
            moved.parent = None;
            moved.role = RoleId::FIRST;
            if let Some(owner) = zone.player {
                moved.controller = owner;
            }
            if from != to {
                moved.facedown = false;
            }
            moved.facedown |= how == Placing::Down;
            if moved.controller != as_before.0 {
                changed |= parts::HOLDERS;
            }
            if moved.facedown != as_before.1 {
                changed |= parts::FACING;
            }
            if zone.up == Sight::All {
                moved.shown = 0;
            }
        }
        if from != to {
            changed |= self.clear_card(catalogue, card, hidden);
        }
        if zone.live {
            self.comes_into_play(catalogue, card, from);
        }
        changed |= self.moved(catalogue, card, from, to);
        if zone.live || catalogue.zones[from.index()].live {
            self.count_change();
        }
        match how {
            Placing::Top | Placing::Down => self.table.zones.push(to.index(), card),
            Placing::Bottom => self.table.zones.insert(to.index(), 0, card),
        }
        if hidden {
            changed |= self.forget(catalogue, card);
        }
        changed
    }

    /// What it means that a card has come from one zone to another.
    fn moved(&self, catalogue: &Catalogue, card: CardId, from: ZoneId, to: ZoneId) -> Parts {
        let [was_live, is_live] = [from, to].map(|zone| catalogue.zones[zone.index()].live);
        let mut changed = Parts::from_iter([parts::zone(from), parts::zone(to)]);
        if was_live || is_live {
            changed |= parts::LIVE;
        }
        if !was_live || !is_live {
            changed |= parts::PILES;
        }
        if was_live != is_live {
            changed |= catalogue.index.spoken_by[self.card(card).def.index()];
        }
        changed
    }

    /// The last card of a zone goes right behind another one there.
    #[must_use]
    pub(crate) fn put_behind(&mut self, catalogue: &Catalogue, card: CardId, other: CardId) -> Parts {
        let zone = self.card(other).zone;
        self.table.zones.remove(zone.index(), card);
        let cards = self.zone(zone);
        let behind = cards.iter().position(|&c| c == other).map_or(cards.len(), |at| at + 1);
        self.table.zones.insert(zone.index(), behind, card);
        self.moved(catalogue, card, zone, zone)
    }

    /// On or under another card; nothing where that would make a card lie on what lies on it.
    #[must_use]
    pub(crate) fn attach(&mut self, catalogue: &Catalogue, card: CardId, to: CardId, role: RoleId, down: bool) -> Parts {
        if card == to || self.all_on(card).any(|on| on == to) {
            return Parts::NONE;
        }
        let from = self.card(card).zone;
        self.leave(card);
        let moved = &mut self.table.cards[card.0 as usize];
        moved.zone = ATTACHED;
        moved.parent = Some(to);
        moved.role = role;
        let turned = moved.facedown != down;
        moved.facedown = down;
        moved.shown = 0;
        self.table.zones.push(ATTACHED.index(), card);
        self.comes_into_play(catalogue, card, from);
        self.count_change();
        let mut changed = self.moved(catalogue, card, from, ATTACHED);
        if turned {
            changed |= parts::FACING;
        }
        changed
    }

    /// A card that lies on one card lies on another instead, in the same role. Part of a take-over, which says what changes.
    pub(crate) fn hand_on(&mut self, card: CardId, to: CardId) {
        self.table.cards[card.0 as usize].parent = Some(to);
    }

    /// What lasts for a card, waits for it or is remembered of it in variables becomes another card's. Programs under way
    /// keep the cards that they hold: they know which one they mean.
    #[must_use]
    pub(crate) fn take_over(&mut self, card: CardId, old: CardId) -> Parts {
        for effect in &mut self.table.effects {
            effect.me = effect.me.map(|me| if me == old { card } else { me });
            for value in &mut effect.captured {
                value.rename(old, card);
            }
        }
        for waiting in &mut self.table.waiting {
            waiting.me = waiting.me.map(|me| if me == old { card } else { me });
            for value in &mut waiting.registers {
                value.rename(old, card);
            }
        }
        for used in &mut self.table.used {
            used.source = used.source.map(|source| if source == old { card } else { source });
        }
        let mut changed = Parts::from_iter([parts::zone(ATTACHED), parts::LIVE, parts::EFFECTS]) | Parts::SPOKEN;
        for (var, value) in VarId::all(self.vars.len()).zip(&mut self.table.vars) {
            if value.rename(old, card) {
                changed |= parts::var(var);
            }
        }
        for bound in &mut self.table.bound {
            bound.before.rename(old, card);
        }
        changed |= self.rename_in_memory(old, card);
        self.count_change();
        changed
    }

    #[must_use]
    pub(crate) fn turn(&mut self, card: CardId, down: bool) -> Parts {
        if self.card(card).facedown == down {
            return Parts::NONE;
        }
        self.table.cards[card.0 as usize].facedown = down;
        self.count_change();
        parts::FACING.into()
    }

    #[must_use]
    pub(crate) fn control(&mut self, card: CardId, player: PlayerId, for_good: bool) -> Parts {
        self.count_change();
        let given = &mut self.table.cards[card.0 as usize];
        given.controller = player;
        if for_good {
            given.owner = player;
        }
        parts::HOLDERS.into()
    }

    /// Identities change places, handles stay: after it nobody can tell which handle is which card.
    #[must_use]
    pub(crate) fn shuffle(&mut self, zone: ZoneId) -> Parts {
        let cards = self.zone(zone).to_vec();
        if !self.script.on {
            let face = |&card: &CardId| {
                let card = self.card(card);
                (card.def, card.owner, card.facedown)
            };
            let mut faces: Vec<(DefId, PlayerId, bool)> = cards.iter().map(face).collect();
            self.table.random.shuffle(&mut faces);
            for (&card, face) in cards.iter().zip(faces) {
                let card = &mut self.table.cards[card.0 as usize];
                (card.def, card.owner, card.facedown) = face;
            }
        }
        for &card in &cards {
            self.table.cards[card.0 as usize].shown = 0;
        }
        // What any of them says is another card's now.
        Parts::from_iter([parts::FACES, parts::HOLDERS, parts::FACING, parts::zone(zone)]) | Parts::SPOKEN
    }

    /// Show a card to more players, as bits. No question reads who was shown what.
    pub(crate) fn show(&mut self, card: CardId, to: u8) {
        self.table.cards[card.0 as usize].shown |= to;
    }

    fn count_change(&mut self) {
        self.table.changes_in_play = self.changes_in_play.wrapping_add(1);
    }

    fn next_serial(&mut self) -> u32 {
        self.table.serial = self.serial.wrapping_add(1);
        self.serial
    }

    /// What a card does is as old as its stay in play.
    fn comes_into_play(&mut self, catalogue: &Catalogue, card: CardId, from: ZoneId) {
        if !catalogue.zones[from.index()].live {
            self.table.cards[card.0 as usize].since = self.next_serial();
        }
    }

    fn leave(&mut self, card: CardId) {
        let zone = self.card(card).zone;
        self.table.zones.remove(zone.index(), card);
    }

    /// A card that goes back to a hidden place is a new object: what was tied to it lets go.
    fn forget(&mut self, catalogue: &Catalogue, card: CardId) -> Parts {
        self.table.used.retain(|used| used.source != Some(card) || catalogue.ability(used.ability).limit_shared);
        let mut changed = self.forget_card(card);
        for effect in &mut self.table.effects {
            for value in &mut effect.captured {
                if *value == Value::Card(card) {
                    *value = Value::None;
                    changed |= parts::EFFECTS;
                    changed |= catalogue.index.part_of(catalogue.clause(effect.clause));
                }
            }
        }
        changed
    }
}

/// Counters, variables, chance.
impl State {
    /// None where the counter stays as it was; so it does at its floor and its cap.
    pub(crate) fn count(&mut self, catalogue: &Catalogue, card: CardId, counter: FieldId, by: i32, set: bool) -> Option<Counted> {
        let def = &catalogue.fields[counter.index()];
        let (floor, cap) = if let FieldSort::Counter { floor, cap, .. } = def.sort { (floor, cap) } else { (i32::MIN, i32::MAX) };
        let without = def.floor();
        let before = self.number(card, counter).unwrap_or(without);
        let now = if set { by } else { before.saturating_add(by) }.clamp(floor, cap);
        if now != before {
            self.put_number(card, counter, (now != without).then_some(now));
        }
        (now != before).then(|| Counted { by: now.saturating_sub(before), now })
    }

    /// The same for a counter of a player.
    pub(crate) fn count_player(
        &mut self,
        catalogue: &Catalogue,
        player: PlayerId,
        counter: PlayerCounterId,
        by: i32,
        set: bool,
    ) -> Option<Counted> {
        let def = &catalogue.player_counters[counter.index()];
        let slot = &mut self.table.tallies[counter.index() * 2 + player.index()];
        let before = *slot;
        let now = if set { by } else { before.saturating_add(by) }.clamp(def.floor, def.cap);
        *slot = now;
        (now != before).then(|| Counted { by: now.saturating_sub(before), now })
    }

    /// The part that has changed, where the value is another one.
    #[must_use]
    pub(crate) fn set_var(&mut self, var: VarId, value: Value) -> Option<Part> {
        let slot = &mut self.table.vars[var.index()];
        if slot.same(&value) {
            return None;
        }
        *slot = value;
        Some(parts::var(var))
    }

    /// A variable has another value until the block of the running program ends.
    #[must_use]
    pub(crate) fn bind(&mut self, var: VarId, value: Value) -> Option<Part> {
        let same = self.vars[var.index()].same(&value);
        let before = std::mem::replace(&mut self.table.vars[var.index()], value);
        let frames = self.frames.len() as u32;
        self.table.bound.push(Bound { frames, var, before });
        (!same).then(|| parts::var(var))
    }

    /// The last of the bindings is over.
    #[must_use]
    pub(crate) fn unbind(&mut self) -> Option<Part> {
        let Bound { var, before, .. } = self.table.bound.pop()?;
        self.set_var(var, before)
    }

    /// Whether the program that has just ended has left a binding behind.
    #[inline]
    pub(crate) fn left_bound(&self) -> bool {
        self.bound.last().is_some_and(|bound| bound.frames as usize > self.frames.len())
    }

    /// Numbers in `0..bound`: the scripted ones first, then from the generator.
    pub(crate) fn draw(&mut self, bound: u32, count: usize) -> Vec<i32> {
        let scripted = self.script.dice.len().min(count);
        let mut drawn: Vec<i32> = self.table.script.dice.drain(..scripted).map(|die| die.saturating_sub(1)).collect();
        let mut rest = vec![0; count - scripted];
        if !rest.is_empty() {
            self.table.random.draw(bound, &mut rest);
        }
        drawn.extend(rest.into_iter().map(|die| die as i32));
        drawn
    }
}

/// Lasting effects, triggers, limits, periods.
impl State {
    /// A clause starts to last, from now on.
    #[must_use]
    pub(crate) fn start_effect(&mut self, catalogue: &Catalogue, effect: Lasting) -> Parts {
        let since = self.next_serial();
        self.count_change();
        let part = catalogue.index.part_of(catalogue.clause(effect.clause));
        self.table.effects.push(Lasting { since, ..effect });
        Parts::from_iter([parts::EFFECTS, part])
    }

    /// Lasting effects are over, those that do not stay.
    fn end_effects(&mut self, catalogue: &Catalogue, mut stays: impl FnMut(&Lasting) -> bool) -> Parts {
        let mut changed = Parts::NONE;
        self.table.effects.retain(|effect| {
            let stays = stays(effect);
            if !stays {
                changed |= parts::EFFECTS;
                changed |= catalogue.index.part_of(catalogue.clause(effect.clause));
            }
            stays
        });
        changed
    }

    /// What waits for its event once has heard it: that effect alone is over, not its like. `heard` is in the order of the effects.
    #[must_use]
    pub(crate) fn end_heard(&mut self, catalogue: &Catalogue, heard: &[bool]) -> Parts {
        let mut heard = heard.iter();
        self.end_effects(catalogue, |effect| heard.next() != Some(&true) || effect.until.is_some())
    }

    /// A triggered ability has been set off: it waits for its turn.
    pub(crate) fn queue(&mut self, waiting: Waiting) {
        let serial = self.next_serial();
        self.table.waiting.push(Waiting { serial, ..waiting });
    }

    /// The turn of a triggered ability has come.
    pub(crate) fn take_waiting(&mut self, serial: u32) -> Option<Waiting> {
        let at = self.waiting.iter().position(|waiting| waiting.serial == serial)?;
        Some(self.table.waiting.remove(at))
    }

    /// Count a use against a limit.
    pub(crate) fn count_use(&mut self, used: Used) {
        self.table.used.push(used);
    }

    /// Whether an ability has been used in its period: by this card, or by any where all copies share the limit.
    pub(crate) fn is_used_up(&self, catalogue: &Catalogue, ability: AbilityId, source: Option<CardId>) -> bool {
        let shared = catalogue.ability(ability).limit_shared;
        self.used.iter().any(|used| used.ability == ability && (shared || used.source == source))
    }

    /// The last use of an ability does not count.
    pub(crate) fn take_back_use(&mut self, ability: AbilityId, source: Option<CardId>) {
        if let Some(at) = self.used.iter().rposition(|used| used.ability == ability && used.source == source) {
            self.table.used.remove(at);
        }
    }

    /// A period ends: its effects, limits, counters and variables with it.
    #[must_use]
    pub(crate) fn end(&mut self, catalogue: &Catalogue, period: PeriodId) -> Parts {
        let mut changed = self.end_effects(catalogue, |effect| effect.until != Some(period));
        if !changed.is_empty() {
            self.count_change();
        }
        self.table.used.retain(|used| used.period != period);
        let Some(ends) = catalogue.index.periods.get(period.index()) else { return changed };
        if ends.fields && !(self.numbers.is_empty() && self.memory.is_empty()) {
            changed |= self.clear_fields(|_, field| catalogue.fields[field.index()].period == Some(period));
        }
        for &(counter, floor) in &ends.counters {
            let tallies = &mut self.table.tallies[counter.index() * 2..counter.index() * 2 + 2];
            if tallies.iter().any(|tally| *tally != floor) {
                changed |= parts::PLAYERS;
                tallies.fill(floor);
            }
        }
        for (var, start) in &ends.vars {
            let value = match start {
                Start::Value(value) => value.clone(),
                Start::Expr(init) => Env::new(World::new(catalogue, self), PlayerId(0)).eval(*init),
            };
            if let Some(part) = self.set_var(*var, value) {
                changed |= part;
            }
        }
        changed
    }
}

/// Programs under way: frames, registers, questions, the end.
impl State {
    /// The program that runs, and the place of its next instruction; it is then past that one.
    #[inline]
    pub(crate) fn advance(&mut self) -> Option<(ProcId, u32)> {
        let frame = self.table.frames.last_mut()?;
        let at = frame.at;
        frame.at += 1;
        Some((frame.program, at))
    }

    /// The instruction will be run again.
    pub(crate) fn go_back(&mut self) {
        if let Some(frame) = self.table.frames.last_mut() {
            frame.at -= 1;
        }
    }

    #[inline]
    pub(crate) fn jump(&mut self, to: u32) {
        if let Some(frame) = self.table.frames.last_mut() {
            frame.at = to;
        }
    }

    /// All registers, while programs run: the machine keeps them meanwhile.
    pub(crate) fn take_registers(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.table.registers)
    }
    pub(crate) fn put_registers(&mut self, registers: Vec<Value>) {
        self.table.registers = registers;
    }

    /// Open a frame.
    #[inline]
    pub(crate) fn push_frame(&mut self, frame: Frame) {
        self.table.frames.push(frame);
    }

    /// Close the frame that runs.
    #[inline]
    pub(crate) fn pop_frame(&mut self) -> Option<Frame> {
        self.table.frames.pop()
    }

    pub(crate) fn put_ask(&mut self, ask: Ask) {
        self.table.ask = Some(ask);
    }

    pub(crate) fn take_ask(&mut self) -> Option<Ask> {
        self.table.ask.take()
    }

    /// One more answer was taken: how many that makes.
    pub(crate) fn count_answer(&mut self) -> u32 {
        self.table.answers = self.answers.saturating_add(1);
        self.answers
    }

    /// One more fault has happened.
    pub(crate) fn count_fault(&mut self) {
        self.table.faults = self.faults.saturating_add(1);
    }

    pub(crate) fn pause(&mut self, paused: bool) {
        self.table.script.paused = paused;
    }

    /// The rules say that the game is over: nothing is left to run.
    pub(crate) fn finish(&mut self, status: Status) {
        self.table.status = status;
        self.table.frames.clear();
        self.table.registers.clear();
        self.table.bound.clear();
    }

    /// The game cannot go on.
    pub(crate) fn break_off(&mut self, why: String) {
        self.table.frames.clear();
        self.table.bound.clear();
        self.table.status = Status::Broken(why);
    }
}
