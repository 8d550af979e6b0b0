//! Programs: statements to instructions.

use super::Compiler;
use super::calls::Given;
use super::expressions::Cx;
use super::names::{Held, Holder};
use crate::ast::{self, ExprKind, Name, Stmt, StmtKind};
use crate::diagnostics::Span;
use crate::table::{self, Builtin};
use crate::types::Ty;
use trilogy_engine::catalogue::*;

pub(super) type Code = Vec<Op>;

/// The jumps at these places lead to where the code ends now.
pub(super) fn land(code: &mut Code, exits: &[usize]) {
    for &exit in exits {
        code[exit] = Op::Jump(code.len() as u32);
    }
}

impl Compiler {
    /// Compile a body into a program that was declared before.
    pub(super) fn program(&mut self, id: ProcId, mut cx: Cx, body: &[Stmt]) {
        let params = cx.next_register;
        let mut code = Code::new();
        self.block(&mut cx, &mut code, body);
        self.close(id, params, &cx, code, body.last().map_or(Span::default(), |stmt| stmt.span));
    }

    pub(super) fn close(&mut self, id: ProcId, params: usize, cx: &Cx, mut code: Code, span: Span) {
        let none = self.add(Expr::None);
        code.push(Op::Return(none));
        if RegisterId::new(cx.next_register).is_err() {
            self.fail(span, "this program uses too many names");
        }
        let start = self.out.ops.len() as u32;
        let proc = &mut self.out.procs[id.index()];
        proc.start = start;
        proc.params = params as u32;
        proc.registers = cx.next_register as u32;
        let statements = cx.spans.iter().copied().chain(std::iter::repeat(span)).take(code.len());
        self.op_spans.extend(statements);
        self.out.ops.extend(code);
    }

    pub(super) fn block(&mut self, cx: &mut Cx, code: &mut Code, body: &[Stmt]) {
        let visible = cx.registers.len();
        for stmt in body {
            self.statement(cx, code, stmt);
        }
        // Names end with their block; their registers are not used again.
        cx.registers.truncate(visible);
    }

    fn statement(&mut self, cx: &mut Cx, code: &mut Code, stmt: &Stmt) {
        self.statement_of(cx, code, stmt);
        // Those of statements within it have theirs.
        if cx.spans.len() < code.len() {
            cx.spans.resize(code.len(), stmt.span);
        }
    }

    fn statement_of(&mut self, cx: &mut Cx, code: &mut Code, stmt: &Stmt) {
        self.cite(&stmt.cites);
        match &stmt.kind {
            StmtKind::Let(name, expr) => self.bind_value(cx, code, name, expr),
            StmtKind::Assign(target, change, expr) => self.assign(cx, code, target, *change, expr),
            StmtKind::If(arms, otherwise) => self.if_arms(cx, code, arms, otherwise.as_deref()),
            StmtKind::Unless(test, body) => {
                let test = self.value_of(cx, code, test, Ty::Bool);
                let test = self.add(Expr::Not(test));
                self.skip_unless(cx, code, test, body);
            }
            StmtKind::While(test, body) => self.while_loop(cx, code, test, body),
            StmtKind::For(name, list, body) => self.for_loop(cx, code, name, list, body),
            StmtKind::Return(value) => self.return_value(cx, code, value.as_ref()),
            StmtKind::Choose { name, how, from, question } => self.choose(cx, code, name, how, from, question),
            StmtKind::Number { name, least, most, question } => self.choose_number(cx, code, name, (least, most), question),
            StmtKind::Order { name, from, question } => self.choose_order(cx, code, name, from, question),
            StmtKind::May { question, body } => self.may(cx, code, question, body),
            StmtKind::OneOf { question, branches } => self.one_of(cx, code, question, branches),
            StmtKind::Emit(name, args) => {
                if let Some((event, params)) = self.lookup("event", name, |names| &names.events) {
                    let args = self.typed_args(cx, name, args, &params);
                    code.push(Op::Emit { event, args });
                }
            }
            StmtKind::End(name) => {
                if let Some(period) = self.lookup("period", name, |names| &names.periods) {
                    code.push(Op::End(period));
                }
            }
            StmtKind::Until(period, clause) => {
                if let Some(until) = self.lookup("period", period, |names| &names.periods) {
                    for clause in self.clause(cx, clause, None) {
                        code.push(Op::Lasting { clause, until: Some(until) });
                    }
                }
            }
            StmtKind::Once(clause) => {
                for clause in self.clause(cx, clause, None) {
                    code.push(Op::Lasting { clause, until: None });
                }
            }
            StmtKind::With(bound, body) => self.with(cx, code, bound, body),
            StmtKind::Then(body) => self.block(cx, code, body),
            StmtKind::Cite => {}
            StmtKind::Repeat(expr, by) => {
                let (what, ty) = self.expr(cx, expr);
                if ty != Ty::Trigger && !ty.fits(Ty::Move) {
                    self.fail(expr.span, format!("this is a {}, but a move or a trigger is needed here", ty.name()));
                }
                let by = match by {
                    Some(by) => self.expr_of(cx, by, Ty::Player),
                    None => self.add(Expr::You),
                };
                code.push(Op::Repeat(what, by));
            }
            StmtKind::Run(expr) => {
                let id = self.expr_of(cx, expr, Ty::Move);
                code.push(Op::Run(id));
            }
            StmtKind::Resolve(expr) => {
                let id = self.expr_of(cx, expr, Ty::Trigger);
                code.push(Op::Resolve(id));
            }
            StmtKind::Drop(expr) => {
                let id = self.expr_of(cx, expr, Ty::Trigger);
                code.push(Op::Drop(id));
            }
            StmtKind::Win(expr) => {
                let id = self.expr_of(cx, expr, Ty::Player);
                code.push(Op::Win(id));
            }
            StmtKind::Call(expr) => self.call_program(cx, code, expr),
        }
    }

    fn bind_value(&mut self, cx: &mut Cx, code: &mut Code, name: &Name, expr: &ast::Expr) {
        self.is_free(name);
        let (id, ty) = self.value(cx, code, expr);
        // A call has put its result into a register already: give it the name.
        if let (Expr::Register(at), Some(last)) = (self.out.exprs[id.index()], cx.registers.last_mut())
            && last.1 == at
            && last.0.is_empty()
        {
            last.0.clone_from(&name.text);
        } else {
            let to = cx.register(&name.text, ty);
            code.push(Op::Set(to, id));
        }
    }

    fn if_arms(&mut self, cx: &mut Cx, code: &mut Code, arms: &[(ast::Expr, Vec<Stmt>)], otherwise: Option<&[Stmt]>) {
        let mut exits = Vec::new();
        for (test, body) in arms {
            let test = self.value_of(cx, code, test, Ty::Bool);
            exits.push(self.arm(cx, code, test, body));
        }
        if let Some(body) = otherwise {
            self.block(cx, code, body);
        }
        land(code, &exits);
    }

    /// One of several blocks of which the first whose test holds is run; where the jump behind all of them stands.
    pub(super) fn arm(&mut self, cx: &mut Cx, code: &mut Code, test: ExprId, body: &[Stmt]) -> usize {
        let skip = code.len();
        code.push(Op::JumpUnless(test, 0));
        self.block(cx, code, body);
        let exit = code.len();
        code.push(Op::Jump(0));
        code[skip] = Op::JumpUnless(test, code.len() as u32);
        exit
    }

    pub(super) fn skip_unless(&mut self, cx: &mut Cx, code: &mut Code, test: ExprId, body: &[Stmt]) {
        let skip = code.len();
        code.push(Op::JumpUnless(test, 0));
        self.block(cx, code, body);
        code[skip] = Op::JumpUnless(test, code.len() as u32);
    }

    fn while_loop(&mut self, cx: &mut Cx, code: &mut Code, test: &ast::Expr, body: &[Stmt]) {
        let start = code.len();
        let test = self.value_of(cx, code, test, Ty::Bool);
        let skip = code.len();
        code.push(Op::JumpUnless(test, 0));
        self.block(cx, code, body);
        code.push(Op::Jump(start as u32));
        code[skip] = Op::JumpUnless(test, code.len() as u32);
    }

    fn for_loop(&mut self, cx: &mut Cx, code: &mut Code, name: &Name, list: &ast::Expr, body: &[Stmt]) {
        self.is_free(name);
        let (list, item) = self.list(cx, list);
        let (of, index) = (cx.register("", item.list_of()), cx.register("", Ty::Num));
        let zero = self.add(Expr::Num(0));
        code.push(Op::Set(of, list));
        code.push(Op::Set(index, zero));
        let start = code.len();
        let visible = cx.registers.len();
        let to = cx.register(&name.text, item);
        code.push(Op::Next(of, index, to, 0));
        self.block(cx, code, body);
        cx.registers.truncate(visible);
        code.push(Op::Jump(start as u32));
        code[start] = Op::Next(of, index, to, code.len() as u32);
    }

    fn return_value(&mut self, cx: &mut Cx, code: &mut Code, value: Option<&ast::Expr>) {
        let id = match (value, cx.returns) {
            (Some(value), Some(ty)) => self.value_of(cx, code, value, ty),
            (Some(value), None) => {
                self.fail(value.span, "this program returns nothing: it has no `: type` on its first line");
                self.add(Expr::None)
            }
            (None, _) => self.add(Expr::None),
        };
        code.push(Op::Return(id));
    }

    /// Each variable has its new value from here on, and at the end of the block all have their old ones again.
    fn with(&mut self, cx: &mut Cx, code: &mut Code, bound: &[(Name, ast::Expr)], body: &[Stmt]) {
        let mut count = 0;
        for (name, expr) in bound {
            let Some((var, ty)) = self.lookup("variable", name, |names| &names.vars) else { continue };
            let value = self.value_of(cx, code, expr, ty);
            code.push(Op::Bind(var, value));
            count += 1;
        }
        self.block(cx, code, body);
        code.push(Op::Unbind(count));
    }

    fn call_program(&mut self, cx: &mut Cx, code: &mut Code, expr: &ast::Expr) {
        let ExprKind::Call(name, args) = &*expr.kind else {
            self.fail(expr.span, "this is a value and does nothing: a statement is needed here");
            return;
        };
        if let Some(callee) = self.names.procs.get(&name.text).cloned() {
            let args = self.typed_args(cx, name, args, &callee.params);
            code.push(Op::Call(callee.id, args, None));
        } else if let Some(callable) = table::callable(&name.text)
            && callable.acts
        {
            self.act(cx, code, callable, name, args, expr.span);
        } else if self.names.functions.contains_key(&name.text) || table::callable(&name.text).is_some() {
            self.fail(expr.span, format!("`{}` computes a value and does nothing by itself", name.text));
        } else {
            let mut known: Vec<String> = self.names.procs.keys().cloned().collect();
            known.extend(table::CALLABLES.iter().map(|callable| callable.name.to_string()));
            self.fail_near(name.span, format!("there is no program called `{}`", name.text), &name.text, known.iter().map(String::as_str));
        }
    }

    fn assign(&mut self, cx: &mut Cx, code: &mut Code, target: &ast::Expr, change: ast::Change, expr: &ast::Expr) {
        match &*target.kind {
            ExprKind::Name(name) => {
                let register = cx.registers.iter().rev().find(|(register, _, _)| register == name).map(|(_, at, ty)| (*at, *ty));
                let var = self.names.vars.get(name).copied();
                let (ty, old) = match (register, var) {
                    (Some((at, ty)), _) => (ty, self.add(Expr::Register(at))),
                    (None, Some((at, ty))) => (ty, self.add(Expr::Var(at))),
                    (None, None) => {
                        let mut known: Vec<String> = cx.registers.iter().map(|(name, _, _)| name.clone()).collect();
                        known.extend(self.names.vars.keys().cloned());
                        self.fail_near(target.span, format!("no variable is called `{name}`"), name, known.iter().map(String::as_str));
                        return;
                    }
                };
                let new = self.value_of(cx, code, expr, ty);
                let new = match change {
                    ast::Change::Add => self.add(Expr::Bin(BinOp::Add, old, new)),
                    ast::Change::Subtract => self.add(Expr::Bin(BinOp::Sub, old, new)),
                    _ => new,
                };
                code.push(match (register, var) {
                    (Some((at, _)), _) => Op::Set(at, new),
                    (None, Some((at, _))) => Op::SetVar(at, new),
                    (None, None) => return,
                });
            }
            ExprKind::Field(of, field) => {
                let Some(held) = self.lookup("counter or field", field, |names| &names.held) else { return };
                let (of_id, ty) = self.expr(cx, of);
                let fits = match held.holder() {
                    Holder::Card => matches!(ty, Ty::Card | Ty::Cards | Ty::Any),
                    Holder::Player => matches!(ty, Ty::Player | Ty::Any),
                };
                if !fits {
                    self.fail(of.span, format!("a {} has no `{}`", ty.name(), field.text));
                }
                let new = self.value_of(cx, code, expr, held.ty());
                if held.ty() != Ty::Num && change != ast::Change::Set {
                    self.fail(target.span, "only a number can be added to");
                }
                let (by, set) = match change {
                    ast::Change::Add => (new, false),
                    ast::Change::Subtract => (self.add(Expr::Neg(new)), false),
                    _ => (new, true),
                };
                code.push(match held {
                    Held::Counter(counter) | Held::Field(counter, Ty::Num) => Op::Count { counter, of: of_id, by, set },
                    Held::Field(field, _) => Op::Remember { field, of: of_id, value: new },
                    Held::PlayerCounter(counter) => Op::CountPlayer { counter, of: of_id, by, set },
                    Held::PlayerVar(first, _) if set => Op::SetPlayerVar(first, of_id, new),
                    Held::PlayerVar(first, _) => {
                        let old = self.add(Expr::PlayerVar(first, of_id));
                        Op::SetPlayerVar(first, of_id, self.add(Expr::Bin(BinOp::Add, old, by)))
                    }
                });
            }
            _ => self.fail(target.span, "only variables, counters and fields can be changed"),
        }
    }

    /// A value that may come from a program: then the call is made first.
    fn value(&mut self, cx: &mut Cx, code: &mut Code, expr: &ast::Expr) -> (ExprId, Ty) {
        if let ExprKind::Not(inner) = &*expr.kind
            && matches!(&*inner.kind, ExprKind::Call(name, _) if self.names.procs.contains_key(&name.text))
        {
            let (inner, _) = self.value(cx, code, inner);
            return (self.add(Expr::Not(inner)), Ty::Bool);
        }
        if let ExprKind::Call(name, args) = &*expr.kind {
            if let Some(callee) = self.names.procs.get(&name.text).cloned() {
                if !callee.returns {
                    self.fail(expr.span, format!("`{}` returns nothing", name.text));
                }
                let args = self.typed_args(cx, name, args, &callee.params);
                let to = cx.register("", callee.result);
                code.push(Op::Call(callee.id, args, Some(to)));
                return (self.add(Expr::Register(to)), callee.result);
            }
            if let Some(callable) = table::callable(&name.text)
                && callable.acts
            {
                return self.act(cx, code, callable, name, args, expr.span);
            }
        }
        self.expr(cx, expr)
    }

    fn value_of(&mut self, cx: &mut Cx, code: &mut Code, expr: &ast::Expr, wanted: Ty) -> ExprId {
        let (id, ty) = self.value(cx, code, expr);
        let converts = matches!((wanted, ty), (Ty::Bool, Ty::Num) | (Ty::Cards, Ty::Zone));
        if !ty.fits(wanted) && !converts {
            self.fail(expr.span, format!("this is a {}, but a {} is needed here", ty.name(), wanted.name()));
        }
        if wanted == Ty::Cards && ty == Ty::Zone { self.add(Expr::Prop(Prop::Cards, id)) } else { id }
    }

    /// A built-in verb; those with a result put it into a register.
    fn act(
        &mut self,
        cx: &mut Cx,
        code: &mut Code,
        callable: &'static table::Callable,
        name: &Name,
        args: &[ast::Expr],
        span: Span,
    ) -> (ExprId, Ty) {
        let none = self.add(Expr::None);
        let Some(Given { values, role, items }) = self.builtin_args(cx, callable, name, args) else { return (none, Ty::Any) };
        let role = role.unwrap_or_default();
        let op = match (callable.builtin, &values[..]) {
            (Builtin::Place, &[card, zone]) => Op::Place { card, zone, how: Placing::Top },
            (Builtin::PlaceDown, &[card, zone]) => Op::Place { card, zone, how: Placing::Down },
            (Builtin::PlaceBottom, &[card, zone]) => Op::Place { card, zone, how: Placing::Bottom },
            (Builtin::Attach, &[card, to]) => Op::Attach { card, to, role, down: false },
            (Builtin::AttachDown, &[card, to]) => Op::Attach { card, to, role, down: true },
            (Builtin::TurnUp, &[card]) => Op::Turn { card, down: self.add(Expr::Bool(false)) },
            (Builtin::TurnDown, &[card]) => Op::Turn { card, down: self.add(Expr::Bool(true)) },
            (Builtin::PlaceBeside, &[card, other]) => Op::PlaceBeside { card, other },
            (Builtin::TakeOver, &[card, old]) => Op::TakeOver { card, old },
            (Builtin::Control, &[card, player]) => Op::Control { card, player, for_good: false },
            (Builtin::Give, &[card, player]) => Op::Control { card, player, for_good: true },
            (Builtin::Shuffle, &[zone]) => Op::Shuffle(zone),
            (Builtin::Reveal, &[cards]) => Op::Reveal { cards, to: none },
            (Builtin::RevealTo, &[cards, to]) => Op::Reveal { cards, to },
            (Builtin::Roll, &[count, sides]) => {
                let to = cx.register("", Ty::Nums);
                code.push(Op::Roll { to, count, sides });
                return (self.add(Expr::Register(to)), Ty::Nums);
            }
            (Builtin::Random, &[from]) => {
                let to = cx.register("", items);
                code.push(Op::Random { to, from });
                return (self.add(Expr::Register(to)), items);
            }
            _ => {
                self.fail(span, format!("`{}` is no statement", name.text));
                return (none, Ty::Any);
            }
        };
        code.push(op);
        (none, Ty::Any)
    }
}
