//! Lists: they are gone through, not built, where their form allows it.

use super::Compiler;
use crate::catalogue::{Args, BinOp, Expr, Prop, Quantifier};
use crate::eval::cells::Cell;
use crate::eval::code::{Reg, Step, To};
use crate::ids::*;

/// What is done with each item of a list: given the label where the next one starts.
type Body<'b> = &'b mut dyn FnMut(&mut Compiler<'_, '_>, To);

impl Compiler<'_, '_> {
    /// Go through a list: each item into a place, then what is done with it.
    pub(super) fn each(&mut self, list: ExprId, item: Reg, body: Body<'_>) {
        let outer = self.next;
        self.each_of(list, item, body);
        self.next = outer;
    }

    pub(super) fn each_of(&mut self, list: ExprId, item: Reg, body: Body<'_>) {
        match self.expr(list) {
            Expr::List(args) if args.len == 0 => {}
            Expr::Quantify(Quantifier::Where, inner, local, args) => {
                let test = self.catalogue.slice(args)[0];
                let end = self.label();
                let tests = self.once_for_all(test, local, end);
                self.each(inner, item, &mut |this, next| {
                    this.with_local(local, item, |this| tests.iter().for_each(|&test| this.branch(test, false, next)));
                    body(this, next);
                });
                self.here(end);
            }
            Expr::Quantify(Quantifier::Each, inner, local, args) if self.catalogue.slice(args).len() > 1 => {
                let [test, value] = [0, 1].map(|at| self.catalogue.slice(args)[at]);
                let of = self.fresh();
                self.each(inner, of, &mut |this, next| {
                    this.with_local(local, of, |this| {
                        this.branch(test, false, next);
                        this.into(value, item);
                    });
                    body(this, next);
                });
            }
            Expr::Call(function, args) if self.is_inlined(function) => {
                let outer = (self.locals.clone(), self.deeper);
                self.in_place(function, args, |this, list| {
                    this.each(list, item, &mut |this, next| {
                        // What is done with it sees its own locals, and is as deep as it stands.
                        let inner = (std::mem::replace(&mut this.locals, outer.0.clone()), this.deeper);
                        this.deeper = outer.1;
                        body(this, next);
                        (this.locals, this.deeper) = inner;
                    });
                });
            }
            Expr::Prop(Prop::Cards, zone) => match self.constant(zone).and_then(Cell::zone) {
                Some(zone) => {
                    self.steps_through(|at, end| Step::FirstIn(at, item, zone, end), |at, each| Step::NextOfZone(at, item, each), body);
                }
                None if let Expr::ZoneOf(kind, player) = self.expr(zone) => {
                    let player = self.value(player);
                    let first = |at, end| Step::FirstOfKind(at, item, player, kind, end);
                    self.steps_through(first, |at, each| Step::NextOfZone(at, item, each), body);
                }
                None => {
                    let zone = self.value(zone);
                    self.steps_through(|at, end| Step::FirstOfZone(at, item, zone, end), |at, each| Step::NextOfZone(at, item, each), body);
                }
            },
            _ if let Some(zones) = self.zones_joined(list).filter(|zones| zones.len() > 1) => {
                let all = self.shelf.zones(zones);
                self.failed |= all.is_none();
                let all = all.unwrap_or_default();
                self.steps_through(|at, end| Step::FirstInAll(at, item, all, end), |at, each| Step::NextInAll(at, item, all, each), body);
            }
            Expr::Attached(role, on) => {
                let on = self.value(on);
                let first = |at, end| Step::FirstAttached(at, item, on, role, end);
                self.steps_through(first, |at, each| Step::NextAttached(at, item, on, role, each), body);
            }
            Expr::AllOn(on) => {
                let on = self.value(on);
                self.steps_through(|at, end| Step::FirstOn(at, item, on, end), |at, each| Step::NextOn(at, item, on, each), body);
            }
            Expr::Waiting(class, player) => {
                // Mostly nothing waits.
                let end = self.label();
                self.emit(Step::NothingWaits(true, end));
                let list = self.fresh();
                self.two(class, player, |class, player| Step::Waiting(list, class, player));
                let first = |at, end| Step::FirstOfList(at, item, list, end);
                self.steps_through(first, |at, each| Step::NextOfList(at, item, list, each), body);
                self.here(end);
            }
            Expr::Register(list) if self.registers.is_none() => {
                let first = |at, end| Step::FirstOfRegister(at, item, list, end);
                self.steps_through(first, |at, each| Step::NextOfRegister(at, item, list, each), body);
            }
            Expr::Var(list) => {
                let first = |at, end| Step::FirstOfVar(at, item, list, end);
                self.steps_through(first, |at, each| Step::NextOfVar(at, item, list, each), body);
            }
            _ => {
                let list = self.value(list);
                let first = |at, end| Step::FirstOfList(at, item, list, end);
                self.steps_through(first, |at, each| Step::NextOfList(at, item, list, each), body);
            }
        }
    }

    /// Tests that must all hold for each item of a list: those that are quickly seen and the same for all items are made here, once. The
    /// others are left.
    fn once_for_all(&mut self, test: ExprId, local: LocalId, otherwise: To) -> Vec<ExprId> {
        let (mut todo, mut left) = (vec![test], Vec::new());
        while let Some(test) = todo.pop() {
            match self.expr(test) {
                Expr::Bin(BinOp::And, a, b) => todo.extend([b, a]),
                _ if self.catalogue.is_slight(test) && !self.catalogue.speaks_of(test, &|expr| expr == Expr::Local(local)) => {
                    self.branch(test, false, otherwise);
                }
                _ => left.push(test),
            }
        }
        left
    }

    fn steps_through(&mut self, first: impl FnOnce(Reg, To) -> Step, next_of: impl FnOnce(Reg, To) -> Step, body: Body<'_>) {
        let (at, each, next, end) = (self.fresh(), self.label(), self.label(), self.label());
        self.emit(first(at, end));
        self.here(each);
        body(self, next);
        self.here(next);
        self.emit(next_of(at, each));
        self.here(end);
    }

    /// The zones whose cards make up a list, one behind the other.
    fn zones_joined(&self, list: ExprId) -> Option<Vec<ZoneId>> {
        match self.expr(list) {
            Expr::Bin(BinOp::Join, a, b) => {
                let (mut zones, others) = (self.zones_joined(a)?, self.zones_joined(b)?);
                zones.extend(others);
                Some(zones)
            }
            Expr::Prop(Prop::Cards, zone) => Some(vec![self.constant(zone)?.zone()?]),
            Expr::Call(function, args) if args.len == 0 && self.is_inlined(function) => {
                self.zones_joined(self.catalogue.functions[function.index()].body)
            }
            _ => None,
        }
    }

    /// What knows how many items a list has: the zone whose cards it is, or the list, where it is made anyway.
    pub(super) fn whole(&self, list: ExprId) -> Option<ExprId> {
        match self.expr(list) {
            Expr::Prop(Prop::Cards, zone) => Some(zone),
            Expr::Call(function, _) => (!self.is_inlined(function)).then_some(list),
            Expr::Moves(..) => Some(list),
            _ => None,
        }
    }

    pub(super) fn each_counted(&mut self, list: ExprId, to: Reg) {
        self.put(to, Cell::num(0));
        let item = self.fresh();
        self.each(list, item, &mut |this, _| this.emit(Step::Count(to)));
        self.next = item;
    }

    pub(super) fn quantifier(&mut self, to: Reg, which: Quantifier, list: ExprId, local: LocalId, args: Args) {
        let slice = self.catalogue.slice(args);
        let (test, value) = (slice[0], slice.get(1).copied());
        if which == Quantifier::Count && self.expr(test) == Expr::Bool(true) {
            if let Expr::Waiting(class, player) = self.expr(list) {
                return self.two(class, player, |class, player| Step::CountWaiting(to, class, player));
            }
            match self.expr(list) {
                Expr::Register(list) if self.registers.is_none() => return self.emit(Step::LengthOfRegister(to, list)),
                Expr::Var(list) => return self.emit(Step::LengthOfVar(to, list)),
                _ => {}
            }
            if let Some(whole) = self.whole(list) {
                return self.one(whole, |whole| Step::Length(to, whole));
            }
        }
        match which {
            Quantifier::Count | Quantifier::Sum => self.put(to, Cell::num(0)),
            Quantifier::Where | Quantifier::Each => self.emit(Step::NewList(to)),
            _ => self.put(to, Cell::NONE),
        }
        let (item, end) = (self.fresh(), self.label());
        let tests = self.once_for_all(test, local, end);
        self.each(list, item, &mut |this, next| {
            this.with_local(local, item, |this| {
                tests.iter().for_each(|&test| this.branch(test, false, next));
                this.meanwhile(|this| match which {
                    Quantifier::Count => this.emit(Step::Count(to)),
                    Quantifier::Where => this.emit(Step::Push(to, item)),
                    Quantifier::First => {
                        this.emit(Step::Copy(to, item));
                        this.emit(Step::Jump(end));
                    }
                    _ => {
                        let value = value.map_or(item, |value| this.value(value));
                        this.emit(match which {
                            Quantifier::Sum => Step::Sum(to, value),
                            Quantifier::Each => Step::Push(to, value),
                            _ => Step::Better(which, to, value),
                        });
                    }
                });
            });
        });
        self.here(end);
        self.next = item;
    }
}
