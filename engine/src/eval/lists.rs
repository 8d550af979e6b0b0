//! Going through lists, without building them where that can be avoided.

use super::{Env, MAX_DEPTH};
use crate::catalogue::{Args, BinOp, Expr, Prop, Quantifier};
use crate::ids::*;
use crate::memo::{Key, Sort};
use crate::value::Value;
use std::ops::ControlFlow;
use std::rc::Rc;

impl Env<'_> {
    /// Visit the items of a list without building it where that can be avoided.
    pub(super) fn each(&mut self, list: ExprId, visit: &mut dyn FnMut(&mut Self, Value) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.catalogue.exprs[list.index()] {
            Expr::Prop(Prop::Cards, zone) => {
                let Value::Zone(zone) = self.eval(zone) else { return ControlFlow::Continue(()) };
                let state = self.state;
                state.zone(zone).iter().try_for_each(|&card| visit(self, Value::Card(card)))
            }
            Expr::Attached(role, to) => {
                let Some(to) = self.card(to) else { return ControlFlow::Continue(()) };
                let state = self.state;
                let mut attached = state.attached(to, role);
                attached.try_for_each(|card| visit(self, Value::Card(card)))
            }
            Expr::Waiting(..) if self.state.waiting.is_empty() => ControlFlow::Continue(()),
            Expr::AllOn(on) => {
                let Some(on) = self.card(on) else { return ControlFlow::Continue(()) };
                let state = self.state;
                let mut all_on = state.all_on(on);
                all_on.try_for_each(|card| visit(self, Value::Card(card)))
            }
            Expr::Bin(BinOp::Join, a, b) => {
                self.each(a, visit)?;
                self.each(b, visit)
            }
            Expr::Call(function, args) if self.depth < MAX_DEPTH && self.remembers(function) => {
                let items = self.kept_list(function, args);
                items.iter().try_for_each(|value| visit(self, value.clone()))
            }
            Expr::Call(function, args) if self.depth < MAX_DEPTH => {
                let body = self.catalogue.functions[function.index()].body;
                let outer = self.enter(body, args);
                let base = outer.base;
                let done = self.each(body, &mut |env, value| {
                    // The visitor sees our own locals; what it binds for a while it puts back.
                    let inner = std::mem::replace(&mut env.base, base);
                    let flow = visit(env, value);
                    env.base = inner;
                    flow
                });
                self.leave(outer);
                done
            }
            Expr::Var(at) => {
                let state = self.state;
                state.vars[at.index()].items().iter().try_for_each(|value| visit(self, value.clone()))
            }
            Expr::Register(at) => {
                let registers = self.registers;
                registers.get(at.index()).map_or(&[][..], Value::items).iter().try_for_each(|value| visit(self, value.clone()))
            }
            Expr::If(test, a, b) => {
                if self.test(test) {
                    self.each(a, visit)
                } else {
                    self.each(b, visit)
                }
            }
            Expr::Quantify(Quantifier::Where, inner, local, args) => {
                let test = self.catalogue.slice(args)[0];
                self.each(inner, &mut |env, value| {
                    if env.bind(local, value.clone(), |env| env.test(test)) { visit(env, value) } else { ControlFlow::Continue(()) }
                })
            }
            _ => match self.eval(list) {
                Value::List(items) => items.into_iter().try_for_each(|value| visit(self, value)),
                _ => ControlFlow::Continue(()),
            },
        }
    }

    /// The items of a list that stands in a register, a variable or a local, without a copy of it.
    pub(super) fn at_hand(&self, list: ExprId) -> Option<&[Value]> {
        let value = match self.catalogue.exprs[list.index()] {
            Expr::Register(at) => self.registers.get(at.index()),
            Expr::Local(at) => self.locals.get(self.base + at.index()),
            Expr::Var(at) => self.state.vars.get(at.index()),
            _ => None,
        };
        value.map(Value::items)
    }

    fn bind<T>(&mut self, local: LocalId, value: Value, then: impl FnOnce(&mut Self) -> T) -> T {
        let len = self.locals.len();
        let at = self.base + local.index();
        // Locals between the last one bound and this one belong to quantifiers that are not open here.
        while self.locals.len() < at {
            self.locals.push(Value::None);
        }
        if at < self.locals.len() {
            let before = std::mem::replace(&mut self.locals[at], value);
            let result = then(self);
            self.locals[at] = before;
            result
        } else {
            self.locals.push(value);
            let result = then(self);
            self.locals.truncate(len);
            result
        }
    }

    pub(super) fn quantify(&mut self, which: Quantifier, list: ExprId, local: LocalId, args: Args) -> Value {
        let slice = self.catalogue.slice(args);
        let test = slice[0];
        let value = slice.get(1).copied();
        if which == Quantifier::Count
            && let Expr::Bool(true) = self.catalogue.exprs[test.index()]
            && let Some(items) = self.at_hand(list)
        {
            return Value::Num(items.len() as i32);
        }
        let mut count = 0i32;
        let mut found: Vec<Value> = Vec::new();
        let mut best: Option<i32> = None;
        let mut truth = which == Quantifier::All;
        let _ = self.each(list, &mut |env, item| {
            let holds = env.bind(local, item.clone(), |env| env.test(test));
            match which {
                Quantifier::Any if holds => {
                    truth = true;
                    return ControlFlow::Break(());
                }
                Quantifier::All if !holds => {
                    truth = false;
                    return ControlFlow::Break(());
                }
                Quantifier::First if holds => {
                    found.push(item);
                    return ControlFlow::Break(());
                }
                Quantifier::Any | Quantifier::All | Quantifier::First => {}
                Quantifier::Count if holds => count += 1,
                Quantifier::Where if holds => found.push(item),
                Quantifier::Sum | Quantifier::Each | Quantifier::Highest | Quantifier::Lowest if holds => {
                    let value = match value {
                        Some(value) => env.bind(local, item, |env| env.eval(value)),
                        None => item,
                    };
                    match which {
                        Quantifier::Sum => count = count.saturating_add(value.num()),
                        Quantifier::Each => found.push(value),
                        _ => {
                            if let Value::Num(n) = value {
                                best = Some(match (which, best) {
                                    (_, None) => n,
                                    (Quantifier::Highest, Some(b)) => b.max(n),
                                    (_, Some(b)) => b.min(n),
                                });
                            }
                        }
                    }
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        match which {
            Quantifier::Any | Quantifier::All => Value::Bool(truth),
            Quantifier::Count | Quantifier::Sum => Value::Num(count),
            Quantifier::Where | Quantifier::Each => Value::list(found),
            Quantifier::Highest | Quantifier::Lowest => best.map_or(Value::None, Value::Num),
            Quantifier::First => found.pop().unwrap_or_default(),
        }
    }

    /// The items that a function lists, kept like its other answers.
    fn kept_list(&mut self, function: FunctionId, args: Args) -> Rc<[Value]> {
        let body = self.catalogue.functions[function.index()].body;
        let outer = self.enter(body, args);
        let key = Key::new(Sort::Call, function.index(), &self.locals[self.base..]);
        let (memo, reads) = (self.memo, self.catalogue.index.reads.functions[function.index()]);
        let mut collect = || {
            let mut items = Vec::new();
            let _ = self.each(body, &mut |_, value| {
                items.push(value);
                ControlFlow::Continue(())
            });
            items.into()
        };
        let items = match (memo, key) {
            (Some(memo), Some(key)) => memo.recall_list(key, reads, collect),
            _ => collect(),
        };
        self.leave(outer);
        items
    }
}
