//! Code that runs.

use super::cells::Cell;
use super::code::{Deeper, REGS, Reg, Step, To};
use super::counts::Work;
use super::desk::{Key, Sort};
use super::{Eval, MAX_DEPTH, Place};
use crate::ids::FunctionId;
use crate::value::Value;

/// Places are masked rather than checked: code that needs more than there are is never made.
#[inline(always)]
fn at(reg: Reg) -> usize {
    reg as usize & (REGS - 1)
}

#[inline(always)]
fn side_by_side(regs: &[Cell; REGS], first: Reg, count: u8) -> &[Cell] {
    let first = at(first);
    &regs[first..(first + count as usize).min(REGS)]
}

impl Eval<'_> {
    /// One flat match, an arm for each step.
    pub(super) fn run_steps<const COUNTING: bool>(&mut self, place: &Place<'_>, start: u32, locals: &[Cell]) -> Cell {
        let mut count = 0;
        let mut regs = [Cell::NONE; REGS];
        match *locals {
            [] => {}
            [a] => regs[0] = a,
            [a, b] => [regs[0], regs[1]] = [a, b],
            _ => regs.iter_mut().zip(locals).for_each(|(reg, local)| *reg = *local),
        }
        let steps = &self.catalogue.index.code.steps[..];
        let mut next = start as usize;
        // Tests: where they come out as wanted, the code goes on elsewhere.
        macro_rules! jump_if {
            ($test:expr, $want:expr, $to:expr) => {
                if ($test) == $want {
                    next = $to as usize;
                }
            };
        }
        macro_rules! of_card {
            ($card:expr, $then:expr) => {
                match regs[at($card)].card() {
                    Some(card) => $then(card),
                    None => Cell::NONE,
                }
            };
        }
        loop {
            let step = &steps[next];
            next += 1;
            if COUNTING {
                count += 1;
            }
            match *step {
                Step::Put(to, cell) => regs[at(to)] = cell,
                Step::Copy(to, from) => regs[at(to)] = regs[at(from)],
                Step::Register(to, register) => {
                    regs[at(to)] = place.registers.get(register.index()).map_or(Cell::NONE, |value| self.desk.heap.read(value));
                }
                Step::Var(to, var) => regs[at(to)] = self.desk.heap.read(&self.state.vars[var.index()]),
                Step::Me(to) => regs[at(to)] = place.me.into(),
                Step::You(to) => regs[at(to)] = Cell::of_player(place.you),
                Step::Increase(to, a, by) => {
                    regs[at(to)] = regs[at(a)].number().map_or(Cell::NONE, |number| Cell::num(number.saturating_add(by)));
                }
                Step::Stat(to, stat, of, deeper) => regs[at(to)] = self.stat(stat, regs[at(of)], None, place.depth + deeper),
                Step::StatFor(to, stat, of, what, deeper) => {
                    regs[at(to)] = self.stat(stat, regs[at(of)], Some(regs[at(what)]), place.depth + deeper);
                }
                Step::Enum(to, which, of) => regs[at(to)] = of_card!(of, |card| self.member(card, which)),
                Step::Number(to, field, of) => regs[at(to)] = of_card!(of, |card| Cell::num(self.number_of(card, field))),
                Step::Controller(to, of) => regs[at(to)] = of_card!(of, |card| Cell::of_player(self.state.card(card).controller)),
                Step::Parent(to, of) => regs[at(to)] = of_card!(of, |card| self.state.card(card).parent.into()),
                Step::Prop(to, prop, of) => regs[at(to)] = self.prop(prop, regs[at(of)]),
                Step::ZoneOf(to, kind, player) => {
                    regs[at(to)] = regs[at(player)].player().map_or(Cell::NONE, |player| self.zone_of(kind, player));
                }
                Step::Call(to, function, first, count, deeper) => {
                    regs[at(to)] = self.call(place, deeper, function, side_by_side(&regs, first, count));
                }
                Step::Kept(to, function, first, count, deeper) => {
                    regs[at(to)] = self.kept_call(place, deeper, function, side_by_side(&regs, first, count));
                }
                Step::NewList(to) => regs[at(to)] = self.desk.heap.new_list(),
                Step::Push(list, item) => self.desk.heap.push(regs[at(list)], regs[at(item)]),
                Step::Count(to) => regs[at(to)] = Cell::num(regs[at(to)].count() + 1),
                Step::Jump(to) => next = to as usize,
                Step::If(a, want, to) => jump_if!(regs[at(a)].truth(), want, to),
                Step::Same(a, b, want, to) => jump_if!(self.desk.heap.same(regs[at(a)], regs[at(b)]), want, to),
                Step::SameAs(a, want, to, cell) => jump_if!(regs[at(a)] == cell, want, to),
                Step::Compares(op, a, b, want, to) => jump_if!(Eval::compares(op, regs[at(a)], regs[at(b)]), want, to),
                Step::ComparesWith(op, a, with, want, to) => jump_if!(Eval::compares(op, regs[at(a)], Cell::num(with)), want, to),
                Step::Is(card, word, want, to) => {
                    jump_if!(regs[at(card)].card().is_some_and(|card| self.is(card, word)), want, to);
                }
                Step::Truth(card, field, want, to) => {
                    jump_if!(regs[at(card)].card().is_some_and(|card| self.has_truth(card, field)), want, to);
                }
                Step::Role(card, role, want, to) => {
                    jump_if!(regs[at(card)].card().is_some_and(|card| self.has_role(card, role)), want, to);
                }
                Step::ControlledBy(card, player, want, to) => {
                    let controller = regs[at(card)].card().map(|card| self.state.card(card).controller);
                    jump_if!(controller.is_some() && controller == regs[at(player)].player(), want, to);
                }
                Step::LiesIn(card, zone, want, to) => {
                    jump_if!(regs[at(card)].card().is_some_and(|card| self.state.card(card).zone == zone), want, to);
                }
                Step::May(permission, first, count, want, to, deeper) => {
                    jump_if!(self.may(permission, side_by_side(&regs, first, count), place.depth + deeper), want, to);
                }
                Step::In(item, list, want, to) => jump_if!(self.is_in(regs[at(item)], regs[at(list)]), want, to),
                Step::InRegister(item, register, want, to) => {
                    let list = place.registers.get(register.index()).map_or(&[][..], Value::items);
                    jump_if!(self.is_among(regs[at(item)], list), want, to);
                }
                Step::NextOfZone(zone, place, to, each) => {
                    let cards = regs[at(zone)].zone().map_or(&[][..], |zone| self.state.zone(zone));
                    if let Some(&card) = cards.get(regs[at(place)].count() as usize) {
                        regs[at(place)] = Cell::num(regs[at(place)].count() + 1);
                        regs[at(to)] = Cell::of_card(card);
                        next = each as usize;
                    }
                }
                Step::NextAttached(role, on, place, to, each) => {
                    let on = regs[at(on)].card();
                    let from = regs[at(place)].count() as usize;
                    let lies = |id: &crate::value::CardId| {
                        let card = self.state.card(*id);
                        card.parent == on && card.role == role
                    };
                    if let Some(further) =
                        self.state.zones[0].get(from..).and_then(|rest| rest.iter().position(lies)).filter(|_| on.is_some())
                    {
                        regs[at(place)] = Cell::num((from + further + 1) as i32);
                        regs[at(to)] = Cell::of_card(self.state.zones[0][from + further]);
                        next = each as usize;
                    }
                }
                Step::NextOfList(list, place, to, each) => {
                    if let Some(&item) = self.desk.heap.items(regs[at(list)]).get(regs[at(place)].count() as usize) {
                        regs[at(place)] = Cell::num(regs[at(place)].count() + 1);
                        regs[at(to)] = item;
                        next = each as usize;
                    }
                }
                Step::NextOfRegister(register, which, to, each) => {
                    let list = place.registers.get(register.index()).map_or(&[][..], Value::items);
                    if let Some(item) = list.get(regs[at(which)].count() as usize) {
                        regs[at(which)] = Cell::num(regs[at(which)].count() + 1);
                        regs[at(to)] = self.desk.heap.read(item);
                        next = each as usize;
                    }
                }
                Step::NextOfVar(var, which, to, each) => {
                    if let Some(item) = self.state.vars[var.index()].items().get(regs[at(which)].count() as usize) {
                        regs[at(which)] = Cell::num(regs[at(which)].count() + 1);
                        regs[at(to)] = self.desk.heap.read(item);
                        next = each as usize;
                    }
                }
                Step::Return(value) => {
                    self.count_steps::<COUNTING>(count);
                    return regs[at(value)];
                }
                Step::Answer(cell) => {
                    self.count_steps::<COUNTING>(count);
                    return cell;
                }
                _ => {
                    if let Some(to) = self.rare_step(place, step, &mut regs) {
                        next = to as usize;
                    }
                }
            }
        }
    }

    /// The steps that are seldom run, so that the others stay quick. Where to go on, where that is elsewhere.
    #[inline(never)]
    fn rare_step(&mut self, place: &Place<'_>, step: &Step, regs: &mut [Cell; REGS]) -> Option<To> {
        let state = self.state;
        macro_rules! jump_if {
            ($test:expr, $want:expr, $to:expr) => {
                return (($test) == $want).then_some($to)
            };
        }
        macro_rules! of_card {
            ($card:expr, $then:expr) => {
                match regs[at($card)].card() {
                    Some(card) => $then(card),
                    None => Cell::NONE,
                }
            };
        }
        match *step {
            Step::PlayerVar(to, first, player) => {
                regs[at(to)] = match regs[at(player)].player() {
                    Some(player) => self.desk.heap.read(&state.vars[first.index() + player.index()]),
                    None => Cell::NONE,
                }
            }
            Step::Source(to) => regs[at(to)] = place.source.into(),
            Step::Option(to, option) => regs[at(to)] = Cell::num(state.options[option.index()] as i32),
            Step::ChangesInPlay(to) => regs[at(to)] = Cell::num((state.changes_in_play & 0x7fff_ffff) as i32),
            Step::Neg(to, a) => regs[at(to)] = regs[at(a)].number().map_or(Cell::NONE, |number| Cell::num(number.saturating_neg())),
            Step::Arithmetic(op, to, a, b) => regs[at(to)] = Eval::arithmetic(op, regs[at(a)], regs[at(b)]),
            Step::Fact(to, fact, of) => regs[at(to)] = of_card!(of, |card| self.fact(card, fact)),
            Step::Members(to, which, of) => regs[at(to)] = of_card!(of, |card| self.members(card, which)),
            Step::Field(to, field, of) => regs[at(to)] = of_card!(of, |card| self.remembered(card, field)),
            Step::PlayerCounter(to, counter, of) => {
                regs[at(to)] = regs[at(of)].player().map_or(Cell::NONE, |player| Cell::num(state.tally(player, counter)));
            }
            Step::Root(to, of) => regs[at(to)] = of_card!(of, |card| Cell::of_card(state.root(card))),
            Step::Words(to, of) => regs[at(to)] = of_card!(of, |card| self.words(card)),
            Step::Attached(to, role, of) => {
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
            Step::Join(to, a, b) => regs[at(to)] = self.join(regs[at(a)], regs[at(b)]),
            Step::Without(to, a, b) => regs[at(to)] = self.without(regs[at(a)], regs[at(b)]),
            Step::Moves(to, window, player, deeper) => {
                regs[at(to)] = self.moves_in(regs[at(window)], regs[at(player)], place.depth + deeper)
            }
            Step::Waiting(to, class, player) => regs[at(to)] = self.waiting(regs[at(class)], regs[at(player)]),
            Step::Item(to, list, which) => regs[at(to)] = self.item(regs[at(list)], regs[at(which)]),
            Step::Brings(to, head, card) => regs[at(to)] = self.brings(regs[at(head)], regs[at(card)]),
            Step::Native(to, native, first, count) => regs[at(to)] = self.native(native, side_by_side(regs, first, count)),
            Step::Sum(to, by) => regs[at(to)] = Cell::num(regs[at(to)].count().saturating_add(regs[at(by)].count())),
            Step::Better(which, to, value) => regs[at(to)] = Eval::better(which, regs[at(to)], regs[at(value)]),
            Step::InVar(item, var, want, to) => {
                jump_if!(self.is_among(regs[at(item)], state.vars[var.index()].items()), want, to);
            }
            Step::Carries(card, word, want, to) => {
                let both = regs[at(card)].card().zip(regs[at(word)].word());
                jump_if!(both.is_some_and(|(card, word)| self.is(card, word)), want, to);
            }
            Step::Mentions(print, card, word, want, to) => {
                let both = regs[at(card)].card().zip(regs[at(word)].word());
                jump_if!(both.is_some_and(|(card, word)| self.mentions(print, card, word)), want, to);
            }
            Step::WindowOver(window, want, to, deeper) => jump_if!(self.window_over(&place.deeper(deeper), regs[at(window)]), want, to),
            Step::AnythingActsIn(window, want, to, deeper) => {
                jump_if!(self.anything_acts_in(regs[at(window)], place.depth + deeper), want, to)
            }
            Step::ActsIn(card, window, want, to, deeper) => {
                jump_if!(self.acts_in(regs[at(card)], regs[at(window)], place.depth + deeper), want, to);
            }
            Step::NextOn(on, place, to, each) => {
                let from = regs[at(place)].count() as usize;
                let found = regs[at(on)].card().and_then(|on| {
                    let rest = state.zones[0].get(from..)?;
                    rest.iter().position(|&card| state.lies_on(card, on))
                });
                if let Some(further) = found {
                    regs[at(place)] = Cell::num((from + further + 1) as i32);
                    regs[at(to)] = Cell::of_card(state.zones[0][from + further]);
                    return Some(each);
                }
            }
            // The others are run where they stand.
            _ => {}
        }
        None
    }

    #[inline]
    fn call(&mut self, place: &Place<'_>, deeper: Deeper, function: FunctionId, args: &[Cell]) -> Cell {
        if place.depth + deeper >= MAX_DEPTH {
            return self.too_deep();
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

    #[inline]
    fn count_steps<const COUNTING: bool>(&mut self, count: u64) {
        if COUNTING && let Some(counts) = &mut self.desk.counts {
            counts.steps += count;
            counts.runs += 1;
        }
    }

    #[inline]
    fn kept_call(&mut self, place: &Place<'_>, deeper: Deeper, function: FunctionId, args: &[Cell]) -> Cell {
        if place.depth + deeper >= MAX_DEPTH {
            return self.too_deep();
        }
        let key = Key::new(Sort::Call, function.index(), args);
        let reads = &self.catalogue.index.reads.functions[function.index()];
        self.recall(Work::Function(function), key, reads, |eval| eval.call(place, deeper, function, args))
    }

    fn is_among(&mut self, item: Cell, list: &[Value]) -> bool {
        let mark = self.desk.heap.mark();
        let found = list.iter().any(|value| {
            let other = self.desk.heap.read(value);
            self.desk.heap.same(item, other)
        });
        self.desk.heap.release(mark);
        found
    }
}
