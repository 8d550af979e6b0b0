//! Tests: code that jumps where they come out as wanted.

use super::Compiler;
use crate::catalogue::{Args, BinOp, Expr, Prop, Quantifier};
use crate::eval::cells::Cell;
use crate::eval::code::{Reg, Step, To};
use crate::ids::*;

/// Code that jumps where a test comes out as wanted.
type Test<'t> = &'t mut dyn FnMut(&mut Compiler<'_, '_>, bool, To);

impl Compiler<'_, '_> {
    /// Jump where a test comes out as wanted, and go on where it does not.
    pub(super) fn branch(&mut self, expr: ExprId, want: bool, to: To) {
        if self.failed {
            return;
        }
        let next = self.next;
        self.branch_to(expr, want, to);
        self.next = next;
    }

    pub(super) fn branch_to(&mut self, expr: ExprId, want: bool, to: To) {
        let deeper = self.deeper;
        match self.expr(expr) {
            Expr::Bool(value) => self.known(value, want, to),
            Expr::Not(a) => self.branch(a, !want, to),
            Expr::Bin(op @ (BinOp::And | BinOp::Or), ..) => self.several(op, expr, want, to),
            Expr::If(test, a, b) => {
                let (otherwise, end) = (self.label(), self.label());
                self.branch(test, false, otherwise);
                self.branch(a, want, to);
                self.emit(Step::Jump(end));
                self.here(otherwise);
                self.branch(b, want, to);
                self.here(end);
            }
            Expr::Bin(..) if self.is_printed_test(expr) => self.kind_test(expr, want, to),
            Expr::Bin(op @ (BinOp::Eq | BinOp::Ne), a, b) => self.same(a, b, want == (op == BinOp::Eq), to),
            Expr::Bin(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), a, b) => self.compares(op, a, b, want, to),
            Expr::Bin(BinOp::In, item, list) => {
                let item = self.value(item);
                self.among(item, list, want, to);
            }
            Expr::Is(..) => self.kind_test(expr, want, to),
            Expr::Truth(field, card) => self.one(card, |card| Step::Truth(card, field, want, to)),
            Expr::HasRole(card, role) => self.one(card, |card| Step::Role(card, role, want, to)),
            Expr::Carries(..) => self.kind_test(expr, want, to),
            Expr::Mentions(print, card, word) if self.shelf.within.is_narrow() && matches!(self.expr(word), Expr::Word(_)) => {
                let class = match self.expr(word) {
                    Expr::Word(word) => self.shelf.that_mention(print, word),
                    _ => Vec::new(),
                };
                let card = self.value(card);
                self.fits(card, class, want, to);
            }
            Expr::Mentions(print, card, word) => self.two(card, word, |card, word| Step::Mentions(print, card, word, want, to)),
            Expr::WindowOver(window) => self.one(window, |window| Step::WindowOver(window, want, to, deeper)),
            Expr::AnythingActsIn(window) if self.is_idle_window(window) && !self.has_actions(window) => self.known(false, want, to),
            Expr::AnythingActsIn(window) if self.has_actions(window) => self.known(true, want, to),
            Expr::AnythingActsIn(window) if let Some(window) = self.window(window) => {
                self.emit(Step::SomebodyActs(window, want, to, deeper));
            }
            Expr::AnythingActsIn(window) => self.one(window, |window| Step::AnythingActsIn(window, want, to, deeper)),
            Expr::ActsIn(card, window) => self.two(card, window, |card, window| Step::ActsIn(card, window, want, to, deeper)),
            Expr::May(permission, args) => {
                let site = self.site(permission.index(), args);
                self.emit(Step::May(site, want, to));
            }
            Expr::Call(function, args) if self.is_inlined(function) => match self.kind(expr) {
                Some(kind) => self.is_kind(&kind, want, to),
                None => self.in_place(function, args, |this, body| this.branch(body, want, to)),
            },
            Expr::Prop(Prop::Facedown, card) => self.one(card, |card| Step::IsDown(card, want, to)),
            Expr::Quantify(Quantifier::Any, list, local, args) => self.any(list, local, args, want, to),
            // One item that is not so decides it.
            Expr::Quantify(Quantifier::All, list, local, args) => {
                self.decided(list, local, self.catalogue.slice(args)[0], false, !want, to);
            }
            Expr::Call(function, args) if self.catalogue.index.kept[function.index()] => {
                let site = self.site(function.index(), args);
                self.emit(Step::KeptTest(site, want, to));
            }
            _ if let Some(register) = self.in_register(expr) => self.emit(Step::IfRegister(register, want, to)),
            _ => self.one(expr, |value| Step::If(value, want, to)),
        }
    }

    /// A test that comes out in one way only.
    fn known(&mut self, holds: bool, want: bool, to: To) {
        if holds == want {
            self.emit(Step::Jump(to));
        }
    }

    /// Whether the rules have actions for a window, possible or not.
    fn has_actions(&self, window: ExprId) -> bool {
        self.window(window).is_some_and(|window| self.catalogue.index.action_windows.has(window.index()))
    }

    /// Two tests of which both must hold, or one: one that is not so settles the first, one that is so the second.
    fn combined(&mut self, both: bool, want: bool, to: To, first: Test<'_>, second: Test<'_>) {
        if want == both {
            let settled = self.label();
            first(self, !want, settled);
            second(self, want, to);
            self.here(settled);
        } else {
            first(self, want, to);
            second(self, want, to);
        }
    }

    fn same(&mut self, a: ExprId, b: ExprId, want: bool, to: To) {
        match (self.constant(a), self.constant(b)) {
            (_, Some(cell)) => return self.is_cell(a, cell, want, to),
            (Some(cell), None) => return self.is_cell(b, cell, want, to),
            (None, None) => {}
        }
        match (self.expr(a), self.expr(b)) {
            (Expr::Prop(Prop::Zone, card), Expr::ZoneOf(kind, player)) | (Expr::ZoneOf(kind, player), Expr::Prop(Prop::Zone, card)) => {
                self.lies_with(card, kind, player, want, to);
            }
            (Expr::Prop(Prop::Controller, card), _) => self.two(card, b, |card, player| Step::ControlledBy(card, player, want, to)),
            (_, Expr::Prop(Prop::Controller, card)) => self.two(card, a, |card, player| Step::ControlledBy(card, player, want, to)),
            (Expr::ChangesInPlay, Expr::Var(var)) | (Expr::Var(var), Expr::ChangesInPlay) => self.emit(Step::ChangesAre(var, want, to)),
            (_, Expr::Var(var)) => self.one(a, |a| Step::SameVar(a, var, want, to)),
            (Expr::Var(var), _) => self.one(b, |b| Step::SameVar(b, var, want, to)),
            _ => self.two(a, b, |a, b| Step::Same(a, b, want, to)),
        }
    }

    /// Whether a card lies in the zone of a kind that a player has.
    fn lies_with(&mut self, card: ExprId, kind: ZoneKindId, player: ExprId, want: bool, to: To) {
        let itself = |this: &Self, of: ExprId| this.at_hand(card).is_some() && this.at_hand(card) == this.at_hand(of);
        match self.expr(player) {
            Expr::Prop(Prop::Controller, of) if itself(self, of) => self.one(card, |card| Step::WithController(card, kind, want, to)),
            Expr::Prop(Prop::Owner, of) if itself(self, of) => self.one(card, |card| Step::WithOwner(card, kind, want, to)),
            _ => self.two(card, player, |card, player| Step::WithPlayer(card, player, kind, want, to)),
        }
    }

    /// The card and the field, where an expression is a number of a card that is 0 where there is none.
    fn number_of(&self, expr: ExprId) -> Option<(ExprId, FieldId)> {
        match self.expr(expr) {
            Expr::Number(field, card) if self.catalogue.fields[field.index()].floor() == 0 => Some((card, field)),
            _ => None,
        }
    }

    /// The register of the program that runs in which the value of an expression lies.
    fn in_register(&self, expr: ExprId) -> Option<RegisterId> {
        match self.expr(expr) {
            Expr::Register(at) if self.registers.is_none() => Some(at),
            _ => None,
        }
    }

    /// Whether an expression is worth what is known.
    fn is_cell(&mut self, expr: ExprId, cell: Cell, want: bool, to: To) {
        match (self.expr(expr), cell.zone(), cell.number()) {
            (Expr::Prop(Prop::Zone, card), Some(zone), _) => self.one(card, |card| Step::LiesIn(card, zone, want, to)),
            (Expr::Quantify(Quantifier::Count, list, local, args), _, Some(0)) => self.any(list, local, args, !want, to),
            _ => self.same_as(expr, cell, want, to),
        }
    }

    /// Whether there is any item of a list for which a test holds.
    fn any(&mut self, list: ExprId, local: LocalId, args: Args, want: bool, to: To) {
        let test = self.catalogue.slice(args)[0];
        if let Expr::Moves(window, _) = self.expr(list)
            && self.is_idle_window(window)
        {
            return self.known(false, want, to);
        }
        if self.expr(test) == Expr::Bool(true)
            && let Some(whole) = self.whole(list)
        {
            return self.one(whole, |whole| Step::Empty(whole, !want, to));
        }
        self.decided(list, local, test, true, want, to);
    }

    /// Whether the test of any item comes out so that it decides.
    fn decided(&mut self, list: ExprId, local: LocalId, test: ExprId, decides: bool, want: bool, to: To) {
        let decided = if want { to } else { self.label() };
        let item = self.fresh();
        self.each(list, item, &mut |this, _| this.with_local(local, item, |this| this.branch(test, decides, decided)));
        if !want {
            self.emit(Step::Jump(to));
            self.here(decided);
        }
    }

    fn same_as(&mut self, expr: ExprId, cell: Cell, want: bool, to: To) {
        if let Some(register) = self.in_register(expr) {
            match u16::try_from(self.shelf.constant(cell)) {
                _ if cell == Cell::NONE => return self.emit(Step::RegisterMissing(register, want, to)),
                Ok(constant) => return self.emit(Step::RegisterIs(register, constant, want, to)),
                Err(_) => {}
            }
        }
        if let (Some((card, field)), Some(with)) = (self.number_of(expr), cell.number().and_then(|with| i8::try_from(with).ok())) {
            return self.one(card, |card| Step::NumberIs(card, field, with, want, to));
        }
        self.meanwhile(|this| {
            let value = this.value(expr);
            let constant = u16::try_from(this.shelf.constant(cell));
            let step = match constant {
                _ if cell == Cell::NONE => Step::Missing(value, want, to),
                Ok(constant) => Step::SameAs(value, constant, want, to),
                Err(_) => {
                    let other = this.fresh();
                    this.put(other, cell);
                    Step::Same(value, other, want, to)
                }
            };
            this.emit(step);
        });
    }

    fn compares(&mut self, op: BinOp, a: ExprId, b: ExprId, want: bool, to: To) {
        // Whether there are any is seen by the first one.
        if let (Expr::Quantify(Quantifier::Count, list, local, args), Expr::Num(with)) = (self.expr(a), self.expr(b)) {
            match (op, with) {
                (BinOp::Gt, 0) | (BinOp::Ge, 1) => return self.any(list, local, args, want, to),
                (BinOp::Le, 0) | (BinOp::Lt, 1) => return self.any(list, local, args, !want, to),
                _ => {}
            }
        }
        let with = match self.expr(b) {
            Expr::Num(with) => match op {
                BinOp::Le => with.checked_add(1),
                BinOp::Ge => with.checked_sub(1),
                _ => Some(with),
            },
            _ => None,
        };
        if let Some(with) = with.and_then(|with| i16::try_from(with).ok()) {
            let below = matches!(op, BinOp::Lt | BinOp::Le);
            if let Some(register) = self.in_register(a) {
                return self.emit(match below {
                    true => Step::RegisterBelow(register, with, want, to),
                    false => Step::RegisterAbove(register, with, want, to),
                });
            }
            if let (false, Ok(with)) = (below, i8::try_from(with)) {
                match self.expr(a) {
                    Expr::PlayerCounter(counter, of) => return self.one(of, |of| Step::TallyAbove(of, counter, with, want, to)),
                    _ if let Some((card, field)) = self.number_of(a) => {
                        return self.one(card, |card| Step::NumberAbove(card, field, with, want, to));
                    }
                    _ => {}
                }
            }
            return self.one(a, |a| if below { Step::Below(a, with, want, to) } else { Step::Above(a, with, want, to) });
        }
        self.two(a, b, |a, b| match op {
            BinOp::Lt => Step::Less(a, b, want, to),
            BinOp::Le => Step::AtMost(a, b, want, to),
            BinOp::Gt => Step::Less(b, a, want, to),
            _ => Step::AtMost(b, a, want, to),
        });
    }

    /// Whether something is in a list, without making the list where its form tells it.
    fn among(&mut self, item: Reg, list: ExprId, want: bool, to: To) {
        let next = self.next;
        match self.expr(list) {
            Expr::Register(at) if self.registers.is_none() => self.emit(Step::InRegister(item, at, want, to)),
            Expr::Var(at) => self.emit(Step::InVar(item, at, want, to)),
            Expr::Quantify(Quantifier::Where, inner, local, args) => {
                let test = self.catalogue.slice(args)[0];
                self.combined(true, want, to, &mut |this, want, to| this.among(item, inner, want, to), &mut |this, want, to| {
                    this.with_local(local, item, |this| this.branch(test, want, to));
                });
            }
            Expr::Bin(BinOp::Join, a, b) => {
                self.combined(false, want, to, &mut |this, want, to| this.among(item, a, want, to), &mut |this, want, to| {
                    this.among(item, b, want, to);
                });
            }
            Expr::Prop(Prop::Cards, zone) if let Some(zone) = self.constant(zone).and_then(Cell::zone) => {
                self.emit(Step::LiesIn(item, zone, want, to));
            }
            Expr::Attached(role, on) => {
                self.combined(true, want, to, &mut |this, want, to| this.emit(Step::Role(item, role, want, to)), &mut |this, want, to| {
                    let parent = this.fresh();
                    this.emit(Step::Parent(parent, item));
                    this.one(on, |on| Step::Same(parent, on, want, to));
                });
            }
            Expr::Call(function, args) if self.is_inlined(function) => {
                self.in_place(function, args, |this, list| this.among(item, list, want, to));
            }
            _ => {
                let list = self.value(list);
                self.emit(Step::In(item, list, want, to));
            }
        }
        self.next = next;
    }
}
