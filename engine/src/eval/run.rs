//! Code that runs.

use super::cells::Cell;
use super::code::{ARGS, Called, Deeper, FIRST_CONSTANT, ME, REGS, Reg, Site, Step, To, YOU};
use super::counts::Work;
use super::kept::{About, Key, NO_PLACE, Sort};
use super::{Eval, MAX_DEPTH, Place};
use crate::ids::*;
use crate::state::{ATTACHED, Card};
use crate::value::{CardId, PlayerId, Value};

/// Places are masked rather than checked: code that needs more than there are is never made.
#[inline(always)]
fn at(reg: Reg) -> usize {
    reg as usize & (REGS - 1)
}

/// The places that code works on.
pub(crate) type Regs = [Cell; REGS];
pub(crate) const NO_REGS: Regs = [Cell::NONE; REGS];

/// The registers that code reads: those of a program that runs can be written, too.
pub(crate) trait Registers {
    const LIVE: bool;
    fn all(&self) -> &[Value];
    fn write(&mut self, at: usize, value: Value);
}

impl Registers for &[Value] {
    const LIVE: bool = false;
    #[inline(always)]
    fn all(&self) -> &[Value] {
        self
    }
    fn write(&mut self, _: usize, _: Value) {}
}

impl Registers for &mut [Value] {
    const LIVE: bool = true;
    #[inline(always)]
    fn all(&self) -> &[Value] {
        self
    }
    #[inline(always)]
    fn write(&mut self, at: usize, value: Value) {
        self[at] = value;
    }
}

impl Place<'_> {
    /// Who asks lies where code looks for it.
    #[inline]
    pub(crate) fn into_regs(self, regs: &mut Regs) {
        (regs[at(YOU)], regs[at(ME)]) = (Cell::of_player(self.you), self.me.into());
    }
}

impl Eval<'_> {
    /// A piece of code with these values as its first locals.
    #[inline]
    pub(super) fn run(&mut self, place: &Place<'_>, start: u32, locals: &[Cell]) -> Cell {
        if self.desk.is_quick() { self.run_steps::<false>(place, start, locals) } else { self.run_steps::<true>(place, start, locals) }
    }

    pub(super) fn run_steps<const COUNTING: bool>(&mut self, place: &Place<'_>, start: u32, locals: &[Cell]) -> Cell {
        let mut regs = [Cell::NONE; REGS];
        // Mostly there is one, or two.
        if let [first, rest @ ..] = locals {
            regs[0] = *first;
            if !rest.is_empty() {
                regs[1..].iter_mut().zip(rest).for_each(|(reg, local)| *reg = *local);
            }
        }
        place.into_regs(&mut regs);
        let steps = &self.catalogue.index.code.steps[start as usize..];
        self.run_on::<COUNTING>(place, &mut { place.registers }, steps, &mut regs, &mut 0)
    }

    /// Steps from one on, up to the answer; of a program up to what changes something, which is left to the machine.
    #[inline(always)]
    pub(crate) fn run_on<const COUNTING: bool>(
        &mut self,
        place: &Place<'_>,
        registers: &mut impl Registers,
        steps: &[Step],
        regs: &mut Regs,
        next: &mut usize,
    ) -> Cell {
        let mut at = *next;
        if COUNTING && let Some(counts) = &mut self.desk.counts {
            counts.runs += 1;
        }
        loop {
            let step = &steps[at];
            at += 1;
            if COUNTING && let Some(counts) = &mut self.desk.counts {
                // The steps of a piece lie behind one another, and behind those of others.
                let all = &self.catalogue.index.code.steps;
                counts.hit(all.len() - steps.len() + at - 1, step);
            }
            if let Some(answer) = self.step(place, registers, step, regs, &mut at) {
                *next = at;
                return answer;
            }
        }
    }

    /// One step: one flat match, an arm for each that is frequent. The answer, where it is the last one.
    #[inline(always)]
    fn step<R: Registers>(&mut self, place: &Place<'_>, registers: &mut R, step: &Step, regs: &mut Regs, next: &mut usize) -> Option<Cell> {
        // Tests: where they come out as wanted, the code goes on elsewhere.
        macro_rules! jump_if {
            ($test:expr, $want:expr, $to:expr) => {
                if ($test) == $want {
                    *next = $to as usize;
                }
            };
        }
        macro_rules! of_card {
            ($to:expr, $of:expr, $then:expr) => {
                regs[at($to)] = match regs[at($of)].card_in(self.state) {
                    Some(card) => $then(card),
                    None => Cell::NONE,
                }
            };
        }
        macro_rules! of_two {
            ($to:expr, $a:expr, $b:expr, $then:expr) => {
                regs[at($to)] = match (regs[at($a)].number(), regs[at($b)].number()) {
                    (Some(a), Some(b)) => Cell::num($then(a, b)),
                    _ => Cell::NONE,
                }
            };
        }
        match *step {
            Step::Put(to, constant) => regs[at(to)] = self.catalogue.index.code.constants[constant as usize],
            Step::PutNum(to, number) => regs[at(to)] = Cell::num(number),
            Step::Copy(to, from) => regs[at(to)] = regs[at(from)],
            Step::Register(to, register) => {
                regs[at(to)] = registers.all().get(register.index()).map_or(Cell::NONE, |value| self.desk.heap.read(value));
            }
            Step::Var(to, var) => regs[at(to)] = self.desk.heap.read(&self.state.vars[var.index()]),
            Step::Add(to, a, b) => of_two!(to, a, b, i32::saturating_add),
            Step::Sub(to, a, b) => of_two!(to, a, b, i32::saturating_sub),
            Step::Multiply(to, a, b) => of_two!(to, a, b, i32::saturating_mul),
            Step::Max(to, a, b) => of_two!(to, a, b, i32::max),
            Step::AtLeast(to, a, least) => regs[at(to)] = regs[at(a)].number().map_or(Cell::NONE, |number| Cell::num(number.max(least))),
            Step::Printed(to, of, stat) => regs[at(to)] = self.printed(stat, regs[at(of)]),
            Step::ChangesInPlay(to) => regs[at(to)] = self.changes_in_play(),
            Step::PlayerCounter(to, of, counter) => {
                regs[at(to)] = regs[at(of)].player().map_or(Cell::NONE, |player| Cell::num(self.state.tally(player, counter)));
            }
            Step::Enum(to, of, which) => regs[at(to)] = regs[at(of)].card().map_or(Cell::NONE, |card| self.member(card, which)),
            Step::Name(to, of) => regs[at(to)] = regs[at(of)].card().map_or(Cell::NONE, |card| self.name(card)),
            Step::Position(to, of) => regs[at(to)] = regs[at(of)].card().map_or(Cell::NONE, |card| self.position(card)),
            Step::Facedown(to, of) => of_card!(to, of, |card: &Card| Cell::truth_of(card.facedown)),
            Step::Cards(to, of) => regs[at(to)] = self.cards_of(regs[at(of)]),
            Step::Last(to, of) => regs[at(to)] = self.desk.heap.items(regs[at(of)]).last().copied().unwrap_or_default(),
            Step::Field(to, of, field) => {
                regs[at(to)] = match regs[at(of)].card() {
                    Some(card) => self.remembered(card, field),
                    None => Cell::NONE,
                }
            }
            Step::Waiting(to, class, player) => regs[at(to)] = self.waiting(regs[at(class)], regs[at(player)]),
            Step::CountWaiting(to, class, player) => regs[at(to)] = Cell::num(self.count_waiting(regs[at(class)], regs[at(player)])),
            Step::Join(to, a, b) => regs[at(to)] = self.join(regs[at(a)], regs[at(b)]),
            Step::Moves(to, window, player, deeper) => {
                regs[at(to)] = self.moves_in(regs[at(window)], regs[at(player)], place.depth + deeper);
            }
            Step::Increase(to, a, by) => {
                regs[at(to)] = regs[at(a)].number().map_or(Cell::NONE, |number| Cell::num(number.saturating_add(by)));
            }
            Step::Stat(to, of, stat, deeper) => regs[at(to)] = self.stat_of(stat, regs[at(of)], place.depth + deeper),
            Step::StatFor(to, of, what, stat, deeper) => {
                regs[at(to)] = self.stat(stat, regs[at(of)], Some(regs[at(what)]), place.depth + deeper);
            }
            Step::Number(to, of, field) => {
                regs[at(to)] = self.number_on(regs[at(of)], field).map_or(Cell::NONE, Cell::num);
            }
            Step::Counter(to, of, field) => {
                regs[at(to)] = match regs[at(of)].card() {
                    Some(card) => Cell::num(self.number_of(card, field)),
                    None => Cell::NONE,
                }
            }
            Step::Owner(to, of) => of_card!(to, of, |card: &Card| Cell::of_player(card.owner)),
            Step::Controller(to, of) => of_card!(to, of, |card: &Card| Cell::of_player(card.controller)),
            Step::Parent(to, of) => of_card!(to, of, |card: &Card| card.parent.into()),
            Step::Root(to, of) => regs[at(to)] = regs[at(of)].card().map_or(Cell::NONE, |card| Cell::of_card(self.state.root(card))),
            Step::Opponent(to, of) => {
                regs[at(to)] = regs[at(of)].player().map_or(Cell::NONE, |player| Cell::of_player(player.opponent()));
            }
            Step::SizeOf(to, of, kind) => {
                regs[at(to)] = match regs[at(of)].player() {
                    Some(player) => Cell::num(self.state.zone(self.zone_of(kind, player)).len() as i32),
                    None => Cell::NONE,
                }
            }
            Step::AddSizeOf(to, a, of, kind) => {
                regs[at(to)] = match (regs[at(a)].number(), regs[at(of)].player()) {
                    (Some(a), Some(player)) => Cell::num(a.saturating_add(self.state.zone(self.zone_of(kind, player)).len() as i32)),
                    _ => Cell::NONE,
                }
            }
            Step::Size(to, of) => regs[at(to)] = self.size(regs[at(of)]),
            Step::LengthOfRegister(to, register) => {
                regs[at(to)] = Cell::num(registers.all().get(register.index()).map_or(0, |list| list.items().len() as i32));
            }
            Step::LengthOfVar(to, var) => regs[at(to)] = Cell::num(self.state.vars[var.index()].items().len() as i32),
            Step::Length(to, of) => regs[at(to)] = Cell::num(self.size(regs[at(of)]).count()),
            Step::ZoneOf(to, of, kind) => {
                regs[at(to)] = match regs[at(of)].player() {
                    Some(player) => Cell::of_zone(self.zone_of(kind, player)),
                    None => Cell::NONE,
                }
            }
            Step::Call(to, site) => regs[at(to)] = self.call_at(place, site, regs),
            Step::Kept(to, site) => regs[at(to)] = self.kept_at(place, site, regs),
            Step::NewList(to) => regs[at(to)] = self.desk.heap.new_list(),
            Step::Push(list, item) => self.desk.heap.push(regs[at(list)], regs[at(item)]),
            Step::PushTwo(list, a, b) => self.desk.heap.push_two(regs[at(list)], [regs[at(a)], regs[at(b)]]),
            Step::Count(to) => regs[at(to)] = Cell::num(regs[at(to)].count() + 1),
            Step::Sum(to, by) => regs[at(to)] = Cell::num(regs[at(to)].count().saturating_add(regs[at(by)].count())),
            Step::Jump(to) => *next = to as usize,
            Step::If(a, want, to) => jump_if!(regs[at(a)].truth(), want, to),
            Step::Same(a, b, want, to) => jump_if!(self.desk.heap.same(regs[at(a)], regs[at(b)]), want, to),
            Step::SameAs(a, constant, want, to) => {
                jump_if!(regs[at(a)] == self.catalogue.index.code.constants[constant as usize], want, to);
            }
            Step::SameVar(a, var, want, to) => jump_if!(self.is_value(regs[at(a)], &self.state.vars[var.index()]), want, to),
            Step::ChangesAre(var, want, to) => jump_if!(self.is_value(self.changes_in_play(), &self.state.vars[var.index()]), want, to),
            Step::IfRegister(register, want, to) => {
                jump_if!(registers.all().get(register.index()).is_some_and(Value::truth), want, to);
            }
            Step::RegisterIs(register, constant, want, to) => {
                let cell = self.catalogue.index.code.constants[constant as usize];
                jump_if!(registers.all().get(register.index()).is_some_and(|value| self.is_value(cell, value)), want, to);
            }
            Step::RegisterMissing(register, want, to) => {
                jump_if!(registers.all().get(register.index()).is_none_or(Value::is_none), want, to);
            }
            Step::RegisterBelow(register, with, want, to) => {
                let below = |value: &Value| matches!(value, Value::Num(number) if *number < with.into());
                jump_if!(registers.all().get(register.index()).is_some_and(below), want, to);
            }
            Step::RegisterAbove(register, with, want, to) => {
                let above = |value: &Value| matches!(value, Value::Num(number) if *number > with.into());
                jump_if!(registers.all().get(register.index()).is_some_and(above), want, to);
            }
            Step::Missing(a, want, to) => jump_if!(regs[at(a)] == Cell::NONE, want, to),
            Step::Less(a, b, want, to) => {
                jump_if!(matches!((regs[at(a)].number(), regs[at(b)].number()), (Some(a), Some(b)) if a < b), want, to);
            }
            Step::AtMost(a, b, want, to) => {
                jump_if!(matches!((regs[at(a)].number(), regs[at(b)].number()), (Some(a), Some(b)) if a <= b), want, to);
            }
            Step::Below(a, with, want, to) => jump_if!(regs[at(a)].number().is_some_and(|a| a < with.into()), want, to),
            Step::Above(a, with, want, to) => jump_if!(regs[at(a)].number().is_some_and(|a| a > with.into()), want, to),
            Step::NumberIs(card, field, with, want, to) => jump_if!(self.number_on(regs[at(card)], field) == Some(with.into()), want, to),
            Step::NumberAbove(card, field, with, want, to) => {
                jump_if!(self.number_on(regs[at(card)], field).is_some_and(|number| number > with.into()), want, to);
            }
            Step::TallyAbove(player, counter, with, want, to) => {
                jump_if!(regs[at(player)].player().is_some_and(|player| self.state.tally(player, counter) > with.into()), want, to);
            }
            Step::Fits(card, class, want, to) => {
                let code = &self.catalogue.index.code;
                jump_if!(regs[at(card)].card_in(self.state).is_some_and(|card| code.fits(card.def, class)), want, to);
            }
            Step::Truth(card, field, want, to) => {
                jump_if!(regs[at(card)].card().is_some_and(|card| self.has_truth(card, field)), want, to);
            }
            Step::Role(card, role, want, to) => {
                jump_if!(regs[at(card)].card_in(self.state).is_some_and(|card| card.zone == ATTACHED && card.role == role), want, to);
            }
            Step::Roles(card, set, want, to) => {
                let set = self.catalogue.index.code.roles[set as usize];
                let lies = |card: &Card| card.zone == ATTACHED && set >> (card.role.index() % 64) & 1 != 0;
                jump_if!(regs[at(card)].card_in(self.state).is_some_and(lies), want, to);
            }
            Step::ControlledBy(card, player, want, to) => {
                let controller = |card: &Card| Cell::of_player(card.controller);
                jump_if!(regs[at(card)].card_in(self.state).map_or(Cell::NONE, controller) == regs[at(player)], want, to);
            }
            Step::LiesIn(card, zone, want, to) => {
                jump_if!(regs[at(card)].card_in(self.state).is_some_and(|card| card.zone == zone), want, to);
            }
            // What is no card lies nowhere, as what has no owner has no zone.
            Step::WithController(card, kind, want, to) => {
                jump_if!(regs[at(card)].card_in(self.state).is_none_or(|card| card.zone == self.zone_of(kind, card.controller)), want, to);
            }
            Step::WithOwner(card, kind, want, to) => {
                jump_if!(regs[at(card)].card_in(self.state).is_none_or(|card| card.zone == self.zone_of(kind, card.owner)), want, to);
            }
            Step::WithPlayer(card, player, kind, want, to) => {
                let zone = regs[at(player)].player().map(|player| self.zone_of(kind, player));
                jump_if!(regs[at(card)].card_in(self.state).map(|card| card.zone) == zone, want, to);
            }
            Step::IsDown(card, want, to) => jump_if!(regs[at(card)].card_in(self.state).is_some_and(|card| card.facedown), want, to),
            Step::May(site, want, to) => jump_if!(self.may_at(place, site, regs), want, to),
            Step::KeptTest(site, want, to) => jump_if!(self.kept_at(place, site, regs).truth(), want, to),
            Step::Empty(list, want, to) => jump_if!(self.size(regs[at(list)]).count() == 0, want, to),
            Step::AnythingActsIn(window, want, to, deeper) => {
                jump_if!(self.anything_acts_in(regs[at(window)], place.depth + deeper), want, to);
            }
            Step::SomebodyActs(window, want, to, deeper) => jump_if!(self.somebody_acts(window, place.depth + deeper), want, to),
            Step::NothingWaits(want, to) => jump_if!(self.state.waiting.is_empty(), want, to),
            Step::FirstIn(cursor, item, zone, end) => {
                let (from, to) = self.state.zones.bounds(zone);
                regs[at(cursor)] = Cell::cursor(from, to);
                match self.state.zones.card_at(from, to) {
                    Some(card) => regs[at(item)] = Cell::of_card(card),
                    None => *next = end as usize,
                }
            }
            Step::FirstOfZone(cursor, item, zone, end) => {
                let (from, to) = regs[at(zone)].zone().map_or((0, 0), |zone| self.state.zones.bounds(zone));
                regs[at(cursor)] = Cell::cursor(from, to);
                match self.state.zones.card_at(from, to) {
                    Some(card) => regs[at(item)] = Cell::of_card(card),
                    None => *next = end as usize,
                }
            }
            Step::FirstOfKind(cursor, item, player, kind, end) => {
                let (from, to) = regs[at(player)].player().map_or((0, 0), |player| self.state.zones.bounds(self.zone_of(kind, player)));
                regs[at(cursor)] = Cell::cursor(from, to);
                match self.state.zones.card_at(from, to) {
                    Some(card) => regs[at(item)] = Cell::of_card(card),
                    None => *next = end as usize,
                }
            }
            Step::FirstInAll(cursor, item, zones, end) => {
                if !self.first_in(zones, 0, at(cursor), at(item), regs) {
                    *next = end as usize;
                }
            }
            Step::NextInAll(cursor, item, zones, each) => {
                let (now, rest) = regs[at(cursor)].bounds();
                let (end, zone) = (rest & 0xffff, rest >> 16);
                match self.state.zones.card_at(now + 1, end) {
                    Some(card) => {
                        regs[at(cursor)] = Cell::cursor(now + 1, rest);
                        regs[at(item)] = Cell::of_card(card);
                        *next = each as usize;
                    }
                    None if self.first_in(zones, zone as usize + 1, at(cursor), at(item), regs) => *next = each as usize,
                    None => {}
                }
            }
            Step::NextOfZone(cursor, item, each) => {
                let (now, end) = regs[at(cursor)].bounds();
                if let Some(card) = self.state.zones.card_at(now + 1, end) {
                    regs[at(cursor)] = Cell::cursor(now + 1, end);
                    regs[at(item)] = Cell::of_card(card);
                    *next = each as usize;
                }
            }
            Step::FirstOfList(cursor, item, list, end) => {
                regs[at(cursor)] = Cell::cursor(0, 0);
                match self.desk.heap.items(regs[at(list)]).first() {
                    Some(&first) => regs[at(item)] = first,
                    None => *next = end as usize,
                }
            }
            Step::NextOfList(cursor, item, list, each) => {
                let now = regs[at(cursor)].bounds().0 + 1;
                if let Some(&other) = self.desk.heap.items(regs[at(list)]).get(now as usize) {
                    regs[at(cursor)] = Cell::cursor(now, 0);
                    regs[at(item)] = other;
                    *next = each as usize;
                }
            }
            Step::FirstOfRegister(cursor, item, register, end) => {
                regs[at(cursor)] = Cell::cursor(0, 0);
                match registers.all().get(register.index()).and_then(|list| list.items().first()) {
                    Some(first) => regs[at(item)] = self.desk.heap.read(first),
                    None => *next = end as usize,
                }
            }
            Step::NextOfRegister(cursor, item, register, each) => {
                let now = regs[at(cursor)].bounds().0 + 1;
                if let Some(other) = registers.all().get(register.index()).and_then(|list| list.items().get(now as usize)) {
                    regs[at(cursor)] = Cell::cursor(now, 0);
                    regs[at(item)] = self.desk.heap.read(other);
                    *next = each as usize;
                }
            }
            Step::FirstOfVar(cursor, item, var, end) => {
                regs[at(cursor)] = Cell::cursor(0, 0);
                match self.state.vars[var.index()].items().first() {
                    Some(first) => regs[at(item)] = self.desk.heap.read(first),
                    None => *next = end as usize,
                }
            }
            Step::NextOfVar(cursor, item, var, each) => {
                let now = regs[at(cursor)].bounds().0 + 1;
                if let Some(other) = self.state.vars[var.index()].items().get(now as usize) {
                    regs[at(cursor)] = Cell::cursor(now, 0);
                    regs[at(item)] = self.desk.heap.read(other);
                    *next = each as usize;
                }
            }
            Step::ItemOfRegister(to, which, register) => {
                let list = registers.all().get(register.index()).map_or(&[][..], Value::items);
                let item = list.get(regs[at(which)].count().max(0) as usize);
                regs[at(to)] = item.map_or(Cell::NONE, |item| self.desk.heap.read(item));
            }
            Step::InRegister(item, register, want, to) => {
                let list = registers.all().get(register.index()).map_or(&[][..], Value::items);
                jump_if!(self.is_among(regs[at(item)], list), want, to);
            }
            Step::InVar(item, var, want, to) => {
                jump_if!(self.is_among(regs[at(item)], self.state.vars[var.index()].items()), want, to);
            }
            Step::Return(value) => return Some(regs[at(value)]),
            Step::Answer(constant) => return Some(self.catalogue.index.code.constants[constant as usize]),
            Step::Decide(value) => return Some(Cell::truth_of(value)),
            Step::PlayerVar(..)
            | Step::Source(_)
            | Step::Option(..)
            | Step::Neg(..)
            | Step::Arithmetic(..)
            | Step::Fact(..)
            | Step::Members(..)
            | Step::Prop(..)
            | Step::Words(..)
            | Step::Attached(..)
            | Step::AllOn(..)
            | Step::Range(..)
            | Step::Without(..)
            | Step::Item(..)
            | Step::CardAt(..)
            | Step::Brings(..)
            | Step::Native(..)
            | Step::Better(..)
            | Step::In(..)
            | Step::Carries(..)
            | Step::Mentions(..)
            | Step::WindowOver(..)
            | Step::ActsIn(..)
            | Step::FirstAttached(..)
            | Step::NextAttached(..)
            | Step::FirstOn(..)
            | Step::NextOn(..) => {
                if let Some(to) = self.rare_step(place, step, regs) {
                    *next = to as usize;
                }
            }
            // What follows is of programs.
            Step::Write(from, to) if R::LIVE => {
                registers.write(to.index(), self.desk.heap.value(regs[at(from)]));
                self.desk.begin();
            }
            Step::Settle(to, constant) if R::LIVE => {
                registers.write(to.index(), self.desk.heap.value(self.catalogue.index.code.constants[constant as usize]));
            }
            Step::Raise(to, by) if R::LIVE => {
                let raised = match registers.all()[to.index()] {
                    Value::Num(number) => Value::Num(number.saturating_add(by.into())),
                    _ => Value::None,
                };
                registers.write(to.index(), raised);
            }
            Step::TakeOpponent(to, from) if R::LIVE => {
                let opponent = match registers.all()[from.index()] {
                    Value::Player(player) => Value::Player(player.opponent()),
                    _ => Value::None,
                };
                registers.write(to.index(), opponent);
            }
            Step::Take(to, from) if R::LIVE => {
                let value = registers.all()[from.index()].clone();
                registers.write(to.index(), value);
            }
            Step::Load(to, var) if R::LIVE => registers.write(to.index(), self.state.vars[var.index()].clone()),
            Step::NextItem(list, index, item, exit) if R::LIVE => {
                let all = registers.all();
                let place = all[index as usize].num().max(0);
                match all[list as usize].items().get(place as usize).cloned() {
                    Some(value) => {
                        registers.write(item as usize, value);
                        registers.write(index as usize, Value::Num(place + 1));
                    }
                    None => *next = exit as usize,
                }
            }
            Step::Back(to) if self.desk.spend(1) => *next = to as usize,
            Step::Spend(count, to) if self.desk.spend(count.into()) && self.state.has_room() => *next = to as usize,
            Step::Settle(..) | Step::Raise(..) | Step::TakeOpponent(..) => return Some(Cell::NONE),
            Step::Write(..) | Step::Take(..) | Step::Load(..) | Step::NextItem(..) | Step::Back(_) | Step::Spend(..) => {
                return Some(Cell::NONE);
            }
            Step::CallTo(_) | Step::End(_) | Step::SetVar(..) | Step::Bind(..) | Step::BindAll(..) | Step::Do(_) | Step::DoBare(_) => {
                return Some(Cell::NONE);
            }
        }
        None
    }

    /// The steps that are seldom run, so that the others stay quick. Where to go on, where that is elsewhere.
    #[inline(never)]
    fn rare_step(&mut self, place: &Place<'_>, step: &Step, regs: &mut Regs) -> Option<To> {
        let state = self.state;
        macro_rules! jump_if {
            ($test:expr, $want:expr, $to:expr) => {
                return (($test) == $want).then_some($to)
            };
        }
        macro_rules! of_card {
            ($to:expr, $of:expr, $then:expr) => {
                regs[at($to)] = match regs[at($of)].card() {
                    Some(card) => $then(card),
                    None => Cell::NONE,
                }
            };
        }
        /// The next of several, or the first: where one was found, and what it is.
        macro_rules! go_on {
            ($cursor:expr, $item:expr, $found:expr, $to:expr, $first:expr) => {
                match $found {
                    Some((place, value)) => {
                        regs[at($cursor)] = Cell::cursor(place as u32, 0);
                        regs[at($item)] = value;
                        return (!$first).then_some($to);
                    }
                    None => return $first.then_some($to),
                }
            };
        }
        match *step {
            Step::PlayerVar(to, player, first) => {
                regs[at(to)] = match regs[at(player)].player() {
                    Some(player) => self.desk.heap.read(&state.vars[first.index() + player.index()]),
                    None => Cell::NONE,
                }
            }
            Step::Source(to) => regs[at(to)] = place.source.into(),
            Step::Option(to, option) => regs[at(to)] = Cell::num(state.options[option.index()] as i32),
            Step::Neg(to, a) => regs[at(to)] = regs[at(a)].number().map_or(Cell::NONE, |number| Cell::num(number.saturating_neg())),
            Step::Arithmetic(op, to, a, b) => regs[at(to)] = Eval::arithmetic(op, regs[at(a)], regs[at(b)]),
            Step::Fact(to, of, fact) => of_card!(to, of, |card| self.fact(card, fact)),
            Step::Members(to, of, which) => of_card!(to, of, |card| self.members(card, which)),
            Step::Prop(to, prop, of) => regs[at(to)] = self.prop(prop, regs[at(of)]),
            Step::Words(to, of) => of_card!(to, of, |card| self.words(card)),
            Step::Attached(to, of, role) => {
                regs[at(to)] = match regs[at(of)].card() {
                    Some(card) => self.attached(card, role),
                    None => self.desk.heap.new_list(),
                }
            }
            Step::AllOn(to, of) => {
                regs[at(to)] = match regs[at(of)].card() {
                    Some(card) => self.all_on(card),
                    None => self.desk.heap.new_list(),
                }
            }
            Step::Range(to, low, high) => regs[at(to)] = self.range(regs[at(low)].count(), regs[at(high)].count()),
            Step::Without(to, a, b) => regs[at(to)] = self.without(regs[at(a)], regs[at(b)]),
            Step::CardAt(to, zone, which) => {
                let card = |zone: ZoneId| state.zone(zone).get(regs[at(which)].count().max(0) as usize).copied();
                regs[at(to)] = regs[at(zone)].zone().and_then(card).into();
            }
            Step::Item(to, list, which) => regs[at(to)] = self.item(regs[at(list)], regs[at(which)]),
            Step::Brings(to, head, card) => regs[at(to)] = self.brings(regs[at(head)], regs[at(card)]),
            Step::Native(to, site) => {
                let Called { what, count, args, .. } = self.catalogue.index.code.sites[site as usize];
                let args = args.map(|reg| self.arg(reg, regs));
                regs[at(to)] = self.native(what, &args[..(count as usize).min(ARGS)]);
            }
            Step::Better(which, to, value) => regs[at(to)] = Eval::better(which, regs[at(to)], regs[at(value)]),
            Step::In(item, list, want, to) => jump_if!(self.is_in(regs[at(item)], regs[at(list)]), want, to),
            Step::Carries(card, word, want, to) => {
                let both = regs[at(card)].card().zip(regs[at(word)].word());
                jump_if!(both.is_some_and(|(card, word)| self.is(card, word)), want, to);
            }
            Step::Mentions(print, card, word, want, to) => {
                let both = regs[at(card)].card().zip(regs[at(word)].word());
                jump_if!(both.is_some_and(|(card, word)| self.mentions(print, card, word)), want, to);
            }
            Step::WindowOver(window, want, to, deeper) => jump_if!(self.window_over(&place.deeper(deeper), regs[at(window)]), want, to),
            Step::ActsIn(card, window, want, to, deeper) => {
                jump_if!(self.acts_in(regs[at(card)], regs[at(window)], place.depth + deeper), want, to);
            }
            Step::FirstAttached(cursor, item, on, role, to) => {
                go_on!(cursor, item, self.attached_from(0, regs[at(on)], role), to, true)
            }
            Step::NextAttached(cursor, item, on, role, to) => {
                go_on!(cursor, item, self.attached_from(regs[at(cursor)].bounds().0 as usize + 1, regs[at(on)], role), to, false)
            }
            Step::FirstOn(cursor, item, on, to) => go_on!(cursor, item, self.lying_from(0, regs[at(on)]), to, true),
            Step::NextOn(cursor, item, on, to) => {
                go_on!(cursor, item, self.lying_from(regs[at(cursor)].bounds().0 as usize + 1, regs[at(on)]), to, false)
            }
            // The others are run where they stand.
            _ => {}
        }
        None
    }

    /// Begin with the first of several zones from one on that has any cards, if there is one.
    fn first_in(&self, zones: u16, from: usize, cursor: usize, item: usize, regs: &mut Regs) -> bool {
        for (at, &zone) in self.catalogue.index.code.zones[zones as usize].iter().enumerate().skip(from) {
            let (first, end) = self.state.zones.bounds(zone);
            if let Some(card) = self.state.zones.card_at(first, end) {
                regs[cursor] = Cell::cursor(first, end | (at as u32) << 16);
                regs[item] = Cell::of_card(card);
                return true;
            }
        }
        false
    }

    /// An argument, which lies in some place or is a constant.
    #[inline]
    fn arg(&self, reg: Reg, regs: &Regs) -> Cell {
        match reg.checked_sub(FIRST_CONSTANT) {
            Some(constant) => self.catalogue.index.code.constants[constant as usize],
            None => regs[at(reg)],
        }
    }

    /// The first card from a place on that lies on another one in a role, and its place.
    fn attached_from(&self, from: usize, on: Cell, role: RoleId) -> Option<(usize, Cell)> {
        let on = on.card()?;
        let all = &self.state.zones[ATTACHED.index()];
        let lies = |id: &CardId| {
            let card = self.state.card(*id);
            card.parent == Some(on) && card.role == role
        };
        let place = from + all.get(from..)?.iter().position(lies)?;
        Some((place, Cell::of_card(all[place])))
    }

    /// The first card from a place on that lies on another one, however many lie between, and its place.
    fn lying_from(&self, from: usize, on: Cell) -> Option<(usize, Cell)> {
        let on = on.card()?;
        let all = &self.state.zones[ATTACHED.index()];
        let place = from + all.get(from..)?.iter().position(|&card| self.state.lies_on(card, on))?;
        Some((place, Cell::of_card(all[place])))
    }

    #[inline(never)]
    fn call_at(&mut self, place: &Place<'_>, site: Site, regs: &Regs) -> Cell {
        let Called { what, deeper, count, args } = self.catalogue.index.code.sites[site as usize];
        let args = args.map(|reg| self.arg(reg, regs));
        // Whoever is gone through asks, too.
        let place = &Place { me: regs[at(ME)].card(), ..*place };
        self.call(place, deeper, FunctionId::new(what.into()).unwrap_or_default(), &args[..(count as usize).min(ARGS)])
    }

    #[inline(never)]
    fn kept_at(&mut self, place: &Place<'_>, site: Site, regs: &Regs) -> Cell {
        let called = &self.catalogue.index.code.sites[site as usize];
        let (which, depth, cards) = (called.what as usize, place.depth + called.deeper, self.state.cards.len());
        let about = match called.count {
            0 => 0,
            1 => self.arg(called.args[0], regs).place(cards),
            2 => self.arg(called.args[0], regs).place_with(self.arg(called.args[1], regs), cards),
            _ => NO_PLACE,
        };
        if about == NO_PLACE || depth >= MAX_DEPTH || !self.desk.is_quick() {
            return self.kept_otherwise(place, site, regs);
        }
        if let Some(known) = self.desk.recall_at(Sort::Call, which, about, &self.catalogue.index.reads.functions[which]) {
            return known;
        }
        match self.catalogue.function_code(which, depth) {
            Some((start, depth)) => {
                let before = self.desk.start();
                let args = [0, 1].map(|arg| self.arg(called.args[arg], regs));
                // It asks neither for whom nor on which card it is asked.
                let found = self.run_steps::<false>(&Place::of_player(PlayerId(0), depth), start, &args[..called.count as usize & 3]);
                self.desk.keep_at(Sort::Call, which, about, found, before, cards)
            }
            None => self.kept_anew(place, site, regs),
        }
    }

    /// The same about what has no place of its own.
    #[inline(never)]
    fn kept_otherwise(&mut self, place: &Place<'_>, site: Site, regs: &Regs) -> Cell {
        let Called { what, deeper, count, args } = self.catalogue.index.code.sites[site as usize];
        let args = args.map(|arg| self.arg(arg, regs));
        let args = &args[..(count as usize).min(ARGS)];
        let depth = place.depth + deeper;
        if depth < MAX_DEPTH
            && self.desk.is_quick()
            && let Some(code) = super::kept::code(args)
            && let Some((start, depth)) = self.catalogue.function_code(what.into(), depth)
        {
            let key = Key { sort: Sort::Call, which: what.into(), about: About::Code(code) };
            if let Some(known) = self.desk.recall(key, &self.catalogue.index.reads.functions[what as usize]) {
                return known;
            }
            let before = self.desk.start();
            let found = self.run_steps::<false>(&Place::of_player(PlayerId(0), depth), start, args);
            return self.desk.keep(key, found, before, self.state.cards.len());
        }
        self.kept_anew(place, site, regs)
    }

    /// The same at length: where it is looked at more closely, where there is no code, or too little room.
    #[inline(never)]
    fn kept_anew(&mut self, place: &Place<'_>, site: Site, regs: &Regs) -> Cell {
        let Called { what, deeper, count, args } = self.catalogue.index.code.sites[site as usize];
        let args = args.map(|reg| self.arg(reg, regs));
        let args = &args[..(count as usize).min(ARGS)];
        let function = FunctionId::new(what.into()).unwrap_or_default();
        if place.depth + deeper >= MAX_DEPTH {
            return self.too_deep();
        }
        let key = Key::new(Sort::Call, what.into(), args, self.state.cards.len());
        let reads = &self.catalogue.index.reads.functions[what as usize];
        self.recall(Work::Function(function), key, reads, |eval| eval.call(place, deeper, function, args))
    }

    #[inline(never)]
    fn may_at(&mut self, place: &Place<'_>, site: Site, regs: &Regs) -> bool {
        let Called { what, deeper, count, args } = self.catalogue.index.code.sites[site as usize];
        let args = args.map(|reg| self.arg(reg, regs));
        self.may(PermissionId::new(what.into()).unwrap_or_default(), &args[..(count as usize).min(ARGS)], place.depth + deeper)
    }

    #[inline]
    fn call(&mut self, place: &Place<'_>, deeper: Deeper, function: FunctionId, args: &[Cell]) -> Cell {
        if place.depth + deeper >= MAX_DEPTH {
            return self.too_deep();
        }
        if self.desk.is_quick()
            && let Some((start, depth)) = self.catalogue.function_code(function.index(), place.depth + deeper)
        {
            return self.run_steps::<false>(&Place { depth, ..*place }, start, args);
        }
        let place = place.deeper(deeper + self.catalogue.index.call_depth(function));
        let body = self.catalogue.functions[function.index()].body;
        self.counted(Work::Function(function), |eval| eval.value(&place, args, body))
    }

    /// Work something out, and count it where somebody counts.
    #[inline]
    pub(super) fn counted<T>(&mut self, what: Work, find: impl FnOnce(&mut Self) -> T) -> T {
        if self.desk.is_quick() {
            return find(self);
        }
        let before = self.desk.counts.as_ref().map(|counts| counts.steps);
        let found = find(self);
        if let (Some(before), Some(counts)) = (before, &mut self.desk.counts) {
            counts.done(what, before);
        }
        found
    }

    /// Whether two values are the same.
    #[inline]
    fn is_value(&mut self, cell: Cell, value: &Value) -> bool {
        match value {
            Value::None => cell == Cell::NONE,
            Value::Player(player) => cell == Cell::of_player(*player),
            Value::Card(card) => cell == Cell::of_card(*card),
            Value::Num(number) => cell == Cell::num(*number),
            Value::Bool(truth) => cell == Cell::truth_of(*truth),
            _ => self.is_other_value(cell, value),
        }
    }
    #[inline(never)]
    fn is_other_value(&mut self, cell: Cell, value: &Value) -> bool {
        let mark = self.desk.heap.mark();
        let other = self.desk.heap.read(value);
        let same = self.desk.heap.same(cell, other);
        self.desk.heap.release(mark);
        same
    }

    /// Whether something is in a list.
    #[inline(never)]
    fn is_among(&mut self, item: Cell, list: &[Value]) -> bool {
        list.iter().any(|value| self.is_value(item, value))
    }
}
