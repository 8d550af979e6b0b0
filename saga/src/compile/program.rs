//! Programs, clauses, abilities and cards.

use super::Compiler;
use super::could::{both, mentions, of_one, quantified};
use super::expressions::Cx;
use super::names::{Callee, CostDef, Holder, PermissionNames, TemplateDef};
use crate::ast::{self, Ability as Written, ClauseKind as Said, ExprKind, HowMany, ItemKind, Name, Step, Stmt, StmtKind, Target};
use crate::diagnostics::Span;
use crate::english::{English, Speaker, capital, may};
use crate::table::{self, Builtin};
use crate::types::Ty;
use trilogy_engine::catalogue::*;

type Code = Vec<Op>;

/// What a card being compiled gathers.
struct Gathered {
    def: DefId,
    clauses: Vec<ClauseId>,
    abilities: Vec<u16>,
    lines: Vec<String>,
    words: Vec<trilogy_engine::value::WordId>,
}

/// The targets of an ability, and the condition that there are any.
struct Aimed {
    require: Option<Require>,
    from: Vec<ast::Expr>,
}

fn named(name: &Name) -> ast::Expr {
    ast::Expr { span: name.span, kind: Box::new(ExprKind::Name(name.text.clone())) }
}

/// What a target is chosen for, as a word or none.
fn purpose_of(target: &Target) -> ast::Expr {
    named(&target.purpose.clone().unwrap_or(Name { text: "none".into(), span: target.name.span }))
}

impl Compiler {
    /// Compile a body into a program that was declared before.
    pub(super) fn program(&mut self, id: ProcId, mut cx: Cx, body: &[Stmt]) {
        let params = cx.next_register;
        let mut code = Code::new();
        self.block(&mut cx, &mut code, body);
        self.close(id, params, &cx, code, body.last().map_or(Span::default(), |stmt| stmt.span));
    }

    fn close(&mut self, id: ProcId, params: u8, cx: &Cx, mut code: Code, span: Span) {
        let none = self.add(Expr::None);
        code.push(Op::Return(none));
        if cx.next_register == u8::MAX {
            self.fail(span, "this program uses too many names");
        }
        let proc = &mut self.out.procs[id as usize];
        proc.start = self.out.ops.len() as u32;
        proc.params = params;
        proc.registers = cx.next_register;
        self.out.ops.extend(code);
    }

    fn block(&mut self, cx: &mut Cx, code: &mut Code, body: &[Stmt]) {
        let visible = cx.registers.len();
        for stmt in body {
            self.statement(cx, code, stmt);
        }
        // Names end with their block; their registers are not used again.
        cx.registers.truncate(visible);
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
                code.push(Op::Call(callee.id, args, to));
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
        let Some((values, items)) = self.builtin_args(cx, callable, name, args) else { return (none, Ty::Any) };
        let op = match (callable.builtin, &values[..]) {
            (Builtin::Place, &[card, zone]) => Op::Place { card, zone, how: Placing::Top },
            (Builtin::PlaceDown, &[card, zone]) => Op::Place { card, zone, how: Placing::Down },
            (Builtin::PlaceBottom, &[card, zone]) => Op::Place { card, zone, how: Placing::Bottom },
            (Builtin::Attach, &[card, to, role]) => Op::Attach { card, to, role: role as u8, down: false },
            (Builtin::AttachDown, &[card, to, role]) => Op::Attach { card, to, role: role as u8, down: true },
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

    fn statement(&mut self, cx: &mut Cx, code: &mut Code, stmt: &Stmt) {
        self.cite(&stmt.cites);
        match &stmt.kind {
            StmtKind::Let(name, expr) => {
                let (id, ty) = self.value(cx, code, expr);
                // A call has put its result into a register already: give it the name.
                if let (Expr::Register(at), Some(last)) = (self.out.exprs[id as usize], cx.registers.last_mut())
                    && last.1 == at
                    && last.0.is_empty()
                {
                    last.0.clone_from(&name.text);
                } else {
                    let to = cx.register(&name.text, ty);
                    code.push(Op::Set(to, id));
                }
            }
            StmtKind::Assign(target, change, expr) => self.assign(cx, code, target, *change, expr),
            StmtKind::If(arms, otherwise) => {
                let mut exits = Vec::new();
                for (test, body) in arms {
                    let test = self.value_of(cx, code, test, Ty::Bool);
                    let skip = code.len();
                    code.push(Op::JumpUnless(test, 0));
                    self.block(cx, code, body);
                    exits.push(code.len());
                    code.push(Op::Jump(0));
                    code[skip] = Op::JumpUnless(test, code.len() as u32);
                }
                if let Some(body) = otherwise {
                    self.block(cx, code, body);
                }
                for exit in exits {
                    code[exit] = Op::Jump(code.len() as u32);
                }
            }
            StmtKind::Unless(test, body) => {
                let test = self.value_of(cx, code, test, Ty::Bool);
                let test = self.add(Expr::Not(test));
                self.skip_unless(cx, code, test, body);
            }
            StmtKind::While(test, body) => {
                let start = code.len();
                let test = self.value_of(cx, code, test, Ty::Bool);
                let skip = code.len();
                code.push(Op::JumpUnless(test, 0));
                self.block(cx, code, body);
                code.push(Op::Jump(start as u32));
                code[skip] = Op::JumpUnless(test, code.len() as u32);
            }
            StmtKind::For(name, list, body) => {
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
            StmtKind::Return(value) => {
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
            StmtKind::Choose { name, how, from, question } => {
                let made = |english: &mut English| english.choose_english(how, from);
                let (options, item) = self.list(cx, from);
                let (who, ask) = self.question(cx, question, made, item);
                let from = options;
                let (one, zero) = (self.add(Expr::Num(1)), self.add(Expr::Num(0)));
                let all = self.add(Expr::Num(i32::MAX));
                let (least, most, list) = match how {
                    HowMany::One => (one, one, false),
                    HowMany::OneOrNone => (zero, one, false),
                    HowMany::UpTo(n) => (zero, self.expr_of(cx, n, Ty::Num), true),
                    HowMany::AtLeast(n) => (self.expr_of(cx, n, Ty::Num), all, true),
                    HowMany::Exactly(n) => {
                        let n = self.expr_of(cx, n, Ty::Num);
                        (n, n, true)
                    }
                    HowMany::Any => (zero, all, true),
                };
                let to = cx.register(&name.text, if list { item.list_of() } else { item });
                code.push(Op::Pick { to, who, from, least, most, ask, list });
            }
            StmtKind::Number { name, least, most, question } => {
                let (least, most) = (self.expr_of(cx, least, Ty::Num), self.expr_of(cx, most, Ty::Num));
                let (who, ask) = self.question(cx, question, |_| "Choose a number".into(), Ty::Num);
                let to = cx.register(&name.text, Ty::Num);
                code.push(Op::Number { to, who, least, most, ask });
            }
            StmtKind::Order { name, from, question } => {
                let (from, item) = self.list(cx, from);
                let (who, ask) = self.question(cx, question, |_| "Choose an order".into(), item);
                let to = cx.register(&name.text, item.list_of());
                code.push(Op::Order { to, who, from, ask });
            }
            StmtKind::May { question, body } => {
                let made = |english: &mut English| capital(&may("you", &english.speak(body)));
                let (who, ask) = self.question(cx, question, made, Ty::Any);
                let no = self.plain_text("No");
                self.out.asks[ask as usize].pass.get_or_insert(no);
                let yes = self.plain_text("Yes");
                let yes = self.add(Expr::Text(yes));
                let to = self.offer(cx, code, who, &[yes], 0, ask);
                let (to, none) = (self.add(Expr::Register(to)), self.add(Expr::None));
                let test = self.add(Expr::Bin(BinOp::Ne, to, none));
                self.skip_unless(cx, code, test, body);
            }
            StmtKind::OneOf { question, branches } => {
                if branches.len() > u8::MAX as usize {
                    self.fail(stmt.span, format!("there is room for {} choices", u8::MAX));
                }
                let (who, ask) = self.question(cx, question, |_| "Choose one".into(), Ty::Any);
                let mut labels = Vec::new();
                let mut offered = Vec::new();
                for (label, test, _) in branches {
                    let text = self.text(cx, label);
                    let label = self.add(Expr::Text(text));
                    labels.push(label);
                    offered.push(match test {
                        Some(test) => {
                            let (test, none) = (self.expr_of(cx, test, Ty::Bool), self.add(Expr::None));
                            self.add(Expr::If(test, label, none))
                        }
                        None => label,
                    });
                }
                let to = self.offer(cx, code, who, &offered, 1, ask);
                let to = self.add(Expr::Register(to));
                let mut exits = Vec::new();
                for ((_, _, body), label) in branches.iter().zip(labels) {
                    let test = self.add(Expr::Bin(BinOp::Eq, to, label));
                    let skip = code.len();
                    code.push(Op::JumpUnless(test, 0));
                    self.block(cx, code, body);
                    exits.push(code.len());
                    code.push(Op::Jump(0));
                    code[skip] = Op::JumpUnless(test, code.len() as u32);
                }
                for exit in exits {
                    code[exit] = Op::Jump(code.len() as u32);
                }
            }
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
            StmtKind::Then(body) => self.block(cx, code, body),
            StmtKind::Cite => {}
            StmtKind::Run(expr) => {
                let id = self.expr_of(cx, expr, Ty::Move);
                code.push(Op::Run(id));
            }
            StmtKind::Resolve(expr) => {
                let id = self.expr_of(cx, expr, Ty::Trigger);
                code.push(Op::Resolve(id));
            }
            StmtKind::Win(expr) => {
                let id = self.expr_of(cx, expr, Ty::Player);
                code.push(Op::Win(id));
            }
            StmtKind::Call(expr) => {
                let ExprKind::Call(name, args) = &*expr.kind else {
                    self.fail(expr.span, "this is a value and does nothing: a statement is needed here");
                    return;
                };
                if let Some(callee) = self.names.procs.get(&name.text).cloned() {
                    let args = self.typed_args(cx, name, args, &callee.params);
                    code.push(Op::Call(callee.id, args, NO_REGISTER));
                } else if let Some(callable) = table::callable(&name.text)
                    && callable.acts
                {
                    self.act(cx, code, callable, name, args, expr.span);
                } else if self.names.functions.contains_key(&name.text) || table::callable(&name.text).is_some() {
                    self.fail(expr.span, format!("`{}` computes a value and does nothing by itself", name.text));
                } else {
                    let mut known: Vec<String> = self.names.procs.keys().cloned().collect();
                    known.extend(table::CALLABLES.iter().map(|callable| callable.name.to_string()));
                    self.fail_near(
                        name.span,
                        format!("there is no program called `{}`", name.text),
                        &name.text,
                        known.iter().map(String::as_str),
                    );
                }
            }
        }
    }

    fn skip_unless(&mut self, cx: &mut Cx, code: &mut Code, test: ExprId, body: &[Stmt]) {
        let skip = code.len();
        code.push(Op::JumpUnless(test, 0));
        self.block(cx, code, body);
        code[skip] = Op::JumpUnless(test, code.len() as u32);
    }

    /// Offer texts to pick one from; the register that takes the pick.
    fn offer(&mut self, cx: &mut Cx, code: &mut Code, who: ExprId, options: &[ExprId], least: i32, ask: AskId) -> u8 {
        let args = self.args(options);
        let from = self.add(Expr::List(args));
        let (least, most) = (self.add(Expr::Num(least)), self.add(Expr::Num(1)));
        let to = cx.register("", Ty::Any);
        code.push(Op::Pick { to, who, from, least, most, ask, list: false });
        to
    }

    /// Who is asked, and what belongs to the question. Texts about an answer call it `it`.
    fn question(&mut self, cx: &mut Cx, question: &ast::Question, made: impl Fn(&mut English) -> String, answer: Ty) -> (ExprId, AskId) {
        let who = match &question.by {
            Some(by) => self.expr_of(cx, by, Ty::Player),
            None => self.add(Expr::You),
        };
        let prompt = match &question.asking {
            Some(text) => self.text(cx, text),
            None => self.made_prompt(question.by.as_ref(), who, made),
        };
        let mut about = Cx { locals: vec![("it".into(), answer)], ..cx.clone() };
        let mut said = |text: &Option<ast::Text>| text.as_ref().map(|text| self.text(&mut about, text));
        let (label, pass, warning) = (said(&question.labelled), said(&question.pass), said(&question.warning));
        let worth = question.worth.as_ref().map(|worth| self.expr_of(cx, worth, Ty::Bool));
        (who, self.ask(AskDef { prompt, label, pass, warning, worth }))
    }

    fn ask(&mut self, def: AskDef) -> AskId {
        self.out.asks.push(def);
        (self.out.asks.len() - 1).min(AskId::MAX as usize) as AskId
    }

    /// A question made from what the statement says, as whoever is asked would put it; where only the game knows who that is, with
    /// words for each.
    fn made_prompt(&mut self, by: Option<&ast::Expr>, who: ExprId, made: impl Fn(&mut English) -> String) -> TextId {
        let named = by.map(|by| match &*by.kind {
            ExprKind::Name(name) => name.as_str(),
            _ => "",
        });
        let own = made(&mut self.english());
        if matches!(named, None | Some("you")) {
            return self.usual_prompt(&own);
        }
        let other = self.english().seen_by_opponent(&made);
        if named == Some("opponent") || own == other {
            return self.usual_prompt(&other);
        }
        let you = self.add(Expr::You);
        let test = self.add(Expr::Bin(BinOp::Eq, who, you));
        let (own, other) = (self.usual_prompt(&own), self.usual_prompt(&other));
        self.out.texts.push(Text(vec![Piece::When(test, own, Some(other))]));
        self.out.texts.len() as TextId - 1
    }

    /// A question that the printer words: the card whose text asks it comes first.
    fn usual_prompt(&mut self, says: &str) -> TextId {
        match self.speaker.title().to_string().as_str() {
            "" => self.plain_text(says),
            title => self.plain_text(&format!("{title}: {says}")),
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
                let Some((counter, holder)) = self.lookup("counter", field, |names| &names.counters) else { return };
                let (of_id, ty) = self.expr(cx, of);
                let fits = match holder {
                    Holder::Card => matches!(ty, Ty::Card | Ty::Cards | Ty::Any),
                    Holder::Player => matches!(ty, Ty::Player | Ty::Any),
                };
                if !fits {
                    self.fail(of.span, format!("a {} has no counter `{}`", ty.name(), field.text));
                }
                let by = self.value_of(cx, code, expr, Ty::Num);
                let (by, set) = match change {
                    ast::Change::Add => (by, false),
                    ast::Change::Subtract => (self.add(Expr::Neg(by)), false),
                    _ => (by, true),
                };
                code.push(match holder {
                    Holder::Card => Op::Count { counter, of: of_id, by, set },
                    Holder::Player => Op::CountPlayer { counter, of: of_id, by, set },
                });
            }
            _ => self.fail(target.span, "only variables and counters can be changed"),
        }
    }

    // ---- clauses ----

    /// Compile a clause; each changed value makes one. In a program its registers are captured.
    pub(super) fn clause(&mut self, cx: &mut Cx, clause: &ast::Clause, scope: Option<u8>) -> Vec<ClauseId> {
        let cite = self.cite(&clause.cites);
        // In a program the text names registers, to be filled in when it is shown.
        let outer = self.speaker.names.clone();
        for (name, at, _) in cx.registers.iter().filter(|(name, ..)| !name.is_empty()) {
            self.speaker.names.insert(name.clone(), format!("{{#{at}}}"));
        }
        let english = self.english().speak_clause(clause);
        self.speaker.names = outer;
        let with_locals = |cx: &Cx, locals: &[(String, Ty)]| Cx { locals: locals.to_vec(), ..cx.clone() };
        let mut made = Vec::new();
        match &clause.kind {
            Said::Gets { subject, changes, cumulative } => {
                for ast::Gets { stat, what, change, by } in changes {
                    let Some((stat_id, holder)) = self.lookup("value", stat, |names| &names.stats) else { continue };
                    let it_type = if holder == Holder::Card { Ty::Card } else { Ty::Player };
                    let param = self.names.stat_params.get(&stat.text).cloned();
                    let mut locals = vec![("it".to_string(), it_type)];
                    locals.extend(param.clone());
                    let mut inner = with_locals(cx, &locals);
                    let it = self.add(Expr::Local(0));
                    let who = if let ExprKind::Phrase(phrase) = &*subject.kind {
                        Some(self.phrase_test(&mut inner, phrase, subject.span))
                    } else {
                        let (id, ty) = self.expr(&mut inner, subject);
                        match ty {
                            Ty::Cards | Ty::Players => Some(self.add(Expr::Bin(BinOp::In, it, id))),
                            _ if ty.fits(it_type) => Some(self.add(Expr::Bin(BinOp::Eq, it, id))),
                            _ => {
                                self.fail(subject.span, format!("a {} has no value `{}`", ty.name(), stat.text));
                                continue;
                            }
                        }
                    };
                    let who = match (what, param) {
                        (Some(what), Some((_, ty))) => {
                            let (what, of) = (self.expr_of(&mut inner, what, ty), self.add(Expr::Local(1)));
                            let so = self.add(Expr::Bin(BinOp::Eq, of, what));
                            who.map(|who| self.add(Expr::Bin(BinOp::And, so, who)))
                        }
                        (Some(what), None) => {
                            self.fail(what.span, format!("`{}` is no value for something else", stat.text));
                            continue;
                        }
                        (None, _) => who,
                    };
                    let by = self.expr_of(&mut inner, by, Ty::Num);
                    let (change, by) = match change {
                        ast::Change::Add => (Change::Add, by),
                        ast::Change::Subtract => (Change::Add, self.add(Expr::Neg(by))),
                        ast::Change::Multiply => (Change::Multiply, by),
                        ast::Change::Set => (Change::Set, by),
                        ast::Change::AtLeast => (Change::AtLeast, by),
                        ast::Change::AtMost => (Change::AtMost, by),
                    };
                    let when = clause.when.as_ref().map(|when| self.expr_of(&mut inner, when, Ty::Bool));
                    made.push(Clause {
                        kind: ClauseKind::Modify { stat: stat_id, who, change, by, cumulative: *cumulative },
                        scope,
                        when,
                        reason: None,
                        cite,
                        english: english.clone(),
                    });
                }
            }
            Said::Permit { allow, name, params, test, reason } => {
                let Some(PermissionNames { id: permission, params: types, .. }) =
                    self.lookup("permission", name, |names| &names.permissions)
                else {
                    return Vec::new();
                };
                let locals = self.bind(name, params, &types);
                let mut inner = with_locals(cx, &locals);
                let test = test.as_ref().map(|test| self.expr_of(&mut inner, test, Ty::Bool));
                let when = clause.when.as_ref().map(|when| self.expr_of(&mut inner, when, Ty::Bool));
                let reason = reason.as_ref().map(|reason| self.text(&mut inner, reason));
                made.push(Clause { kind: ClauseKind::Permit { permission, allow: *allow, test }, scope, when, reason, cite, english });
            }
            Said::When { event, params, test, class, body } => {
                let Some((event_id, types)) = self.lookup("event", event, |names| &names.events) else { return Vec::new() };
                let class = match class {
                    Some(class) => self.lookup("class", class, |names| &names.classes).unwrap_or(0),
                    None => 0,
                };
                let locals = self.bind(event, params, &types);
                let mut inner = with_locals(cx, &locals);
                let test = test.as_ref().map(|test| self.expr_of(&mut inner, test, Ty::Bool));
                let count = types.len() as u8;
                // The program finds what happened in its first registers, then what was captured.
                let mut own = Cx::program(&locals);
                own.next_register = count.saturating_add(cx.next_register);
                let captured = cx.registers.iter().map(|(name, at, ty)| (name.clone(), at.saturating_add(count), *ty));
                own.registers = captured.chain(own.registers).collect();
                let program = self.new_proc(&format!("when {}", event.text), true);
                self.program(program, own, body);
                made.push(Clause {
                    kind: ClauseKind::Trigger { event: event_id, test, program, class },
                    scope,
                    when: None,
                    reason: None,
                    cite,
                    english,
                });
            }
        }
        let first = self.out.clauses.len() as ClauseId;
        let count = made.len() as ClauseId;
        self.out.clauses.extend(made);
        (first..first + count).collect()
    }

    /// Names for parameters; a clause may leave out the last ones.
    fn bind(&mut self, of: &Name, given: &[Name], types: &[(String, Ty)]) -> Vec<(String, Ty)> {
        if given.len() > types.len() {
            self.fail(of.span, format!("`{}` has {} parameters, here are {} names", of.text, types.len(), given.len()));
        }
        let named = |at: usize| given.get(at).map_or_else(|| format!(" {at}"), |name| name.text.clone());
        types.iter().enumerate().map(|(at, (_, ty))| (named(at), *ty)).collect()
    }

    // ---- actions and abilities ----

    pub(super) fn action(&mut self, action: &ast::Action, cites: &[Name]) {
        let cite = self.cite(cites);
        let params: Vec<(String, Ty)> = action.params.iter().map(|param| (param.text.clone(), Ty::Card)).collect();
        let mut pure = Cx::pure(&params);
        // What is required is asked of the first card alone: the second one has its place there, but no name.
        let mut early = Cx::pure(
            &params
                .iter()
                .enumerate()
                .map(|(at, (name, ty))| (if at == 0 { name.clone() } else { " second".into() }, *ty))
                .collect::<Vec<_>>(),
        );
        let label = self.text(&mut pure, &action.label);
        let from = action.from.as_ref().map(|from| self.expr_of(&mut Cx::pure(&[]), from, Ty::Cards));
        if action.params.is_empty() == action.from.is_some() {
            self.fail(action.name.span, "an action with a card needs a `from` line, one without needs none");
        }
        if (action.params.len() == 2) != action.to.is_some() {
            self.fail(action.name.span, "an action with two cards needs a `to` line, any other needs none");
        }
        let requires = action.requires.iter().map(|require| self.require(&mut early, require)).collect();
        let to = action.to.as_ref().map(|to| Targets {
            list: self.expr_of(&mut early, &to.test, Ty::Cards),
            reason: self.text(&mut early, &to.reason),
            cite: self.cite(&to.cites),
        });
        let windows = self.window_mask(&action.windows);
        let limit_shared = action.limit.as_ref().is_some_and(|limit| limit.shared);
        let limit = action.limit.as_ref().and_then(|limit| self.lookup("period", &limit.period, |names| &names.periods));
        let program = self.new_proc(&action.name.text, true);
        let mut cx = Cx::program(&params);
        // Every ability finds its card in register 0.
        cx.next_register = cx.next_register.max(1);
        let mut code = vec![Op::Use];
        self.block(&mut cx, &mut code, &action.body);
        self.close(program, action.params.len().max(1) as u8, &cx, code, action.name.span);
        let worth = action.worth.as_ref().map(|worth| self.expr_of(&mut pure, worth, Ty::Bool));
        let usual = action.usual.as_ref().map(|usual| self.expr_of(&mut pure, usual, Ty::Bool));
        let warning = action.warning.as_ref().map(|warning| self.text(&mut pure, warning));
        self.out.actions.push(self.out.abilities.len() as u16);
        self.out.abilities.push(Ability {
            worth,
            usual,
            warning,
            name: action.name.text.clone(),
            label,
            windows,
            scope: None,
            from,
            to,
            requires,
            limit,
            limit_shared,
            program,
            cite,
            def: None,
        });
    }

    fn window_mask(&mut self, windows: &[Name]) -> u128 {
        let mut mask = 0;
        for window in windows {
            if let Some(at) = self.lookup("window", window, |names| &names.windows) {
                // A game with too many windows has been told so where it declares them.
                mask |= 1u128.checked_shl(at as u32).unwrap_or(0);
            }
        }
        mask
    }

    pub(super) fn require(&mut self, cx: &mut Cx, require: &ast::Require) -> Require {
        let test = self.expr_of(cx, &require.test, Ty::Bool);
        let reason = self.text(cx, &require.reason);
        Require { test, reason, cite: self.cite(&require.cites) }
    }

    pub(super) fn card(&mut self, card: &ast::Card, item: &ast::Item) {
        self.cite(&item.cites);
        let mut words = Vec::new();
        let mut version = None;
        for word in card.header.iter().chain(&card.words) {
            if let Some(id) = self.lookup("word", word, |names| &names.words) {
                words.push(id);
                let tells = |at: u8| self.out.enums[at as usize].members.contains(&id);
                if self.names.apart.is_some_and(|(at, when_shared)| !when_shared && tells(at)) {
                    version = Some(word.text.clone());
                }
            }
        }
        for word in &card.header {
            let id = self.names.words.get(&word.text).copied();
            if id.is_some_and(|id| !self.out.enums.iter().any(|one| one.members.contains(&id))) {
                self.fail(word.span, format!("`{}` is a subtype: subtypes stand after the colon", word.text));
            }
        }
        let mut facts = vec![None; self.out.facts.len()];
        for (fact, value) in &card.facts {
            match (self.names.facts.get(&fact.text).copied(), value) {
                (Some((at, true)), None) => facts[at as usize] = Some(1),
                (Some((at, false)), Some(value)) => facts[at as usize] = Some(*value),
                (Some((_, flag)), _) => {
                    let wanted = if flag { "takes no number" } else { "needs a number" };
                    self.fail(fact.span, format!("`{}` {wanted}", fact.text));
                }
                (None, None) if self.names.templates.contains_key(&fact.text) => {}
                (None, _) => {
                    let mut known: Vec<String> = self.names.facts.keys().cloned().collect();
                    known.extend(self.names.templates.keys().cloned());
                    self.fail_near(
                        fact.span,
                        format!("cards of this game have no `{}`", fact.text),
                        &fact.text,
                        known.iter().map(String::as_str),
                    );
                }
            }
        }
        let title = card.title.text.clone();
        let key = version.as_ref().map_or_else(|| title.clone(), |version| format!("{title} ({version})"));
        let by_side = self.names.apart.is_some_and(|(_, when_shared)| when_shared);
        if !by_side && self.out.cards.iter().any(|other| other.key == key) {
            self.fail(card.title.span, format!("there is a card \"{key}\" already"));
        }
        let def = self.out.cards.len() as DefId;
        self.speaker = Speaker::for_card(&title, version.is_some(), self.english().self_noun(&words));
        let mut gathered = Gathered { def, clauses: Vec::new(), abilities: Vec::new(), lines: Vec::new(), words };
        for (fact, value) in &card.facts {
            if let Some(line) = self.english().keyword_line(&fact.text, *value) {
                gathered.lines.push(line);
            }
            if value.is_none() && self.names.templates.contains_key(&fact.text) {
                self.ability(&Written::Template { name: fact.clone(), args: Vec::new(), span: fact.span }, None, &mut gathered, true);
            }
        }
        for ability in &card.abilities {
            self.ability(ability, None, &mut gathered, true);
        }
        let name = Some(self.card_name(&title));
        self.out.cards.push(CardDef {
            key,
            title,
            name,
            words: gathered.words,
            facts,
            clauses: gathered.clauses,
            abilities: gathered.abilities,
            text: gathered.lines,
            set: card.set.as_ref().map_or_else(String::new, |set| set.text.clone()),
            number: card.number,
            rarity: card.rarity.as_ref().map_or_else(String::new, |rarity| rarity.text.clone()),
            reprints: card.reprints.iter().map(|(set, number)| (set.text.clone(), *number)).collect(),
            brings: Vec::new(),
        });
        if !card.brings.is_empty() {
            self.brought.push((def, card.brings.clone()));
        }
    }

    /// Compile a template with sample arguments and throw the result away: a template that no card uses
    /// is checked all the same, and what it cites counts.
    pub(super) fn try_template(&mut self, name: &Name, params: &[ast::Param]) {
        let mut trial = self.clone();
        let sample = |param: &ast::Param| {
            let kind = match param.ty.text.as_str() {
                "num" => ExprKind::Int(1),
                "cards" => ExprKind::List(Vec::new()),
                _ => ExprKind::Name("none".into()),
            };
            ast::Expr { kind: Box::new(kind), span: name.span }
        };
        let ability = Written::Template { name: name.clone(), args: params.iter().map(sample).collect(), span: name.span };
        let mut gathered = Gathered { def: 0, clauses: Vec::new(), abilities: Vec::new(), lines: Vec::new(), words: Vec::new() };
        trial.speaker = Speaker::for_card(&name.text, false, "unit".into());
        trial.ability(&ability, None, &mut gathered, true);
        self.problems = trial.problems;
        for (cite, place) in trial.out.cited_at.into_iter().skip(self.out.cited_at.len()) {
            let text = trial.out.cites[cite as usize].clone();
            let id = self.cite_id(&text);
            self.out.cited_at.push((id, place));
        }
    }

    fn ability(&mut self, ability: &Written, scope: Option<&Name>, card: &mut Gathered, speak: bool) {
        match ability {
            Written::Clause(clause) => {
                if speak {
                    let line = self.english().speak_ability(ability);
                    card.lines.push(line);
                }
                let default = Name { text: "usual".into(), span: clause.span };
                let scope = self.lookup("scope", scope.unwrap_or(&default), |names| &names.scopes);
                card.clauses.extend(self.clause(&mut Cx::pure(&[]), clause, scope));
            }
            Written::Use(ability) => self.use_ability(ability, scope, card, speak),
            Written::In { scope, abilities } => {
                if speak {
                    let line = self.english().speak_ability(ability);
                    card.lines.push(line);
                }
                for inner in abilities {
                    self.ability(inner, Some(scope), card, false);
                }
            }
            Written::TreatAs(words) => {
                if speak {
                    let line = self.english().speak_ability(ability);
                    card.lines.push(line);
                }
                for word in words {
                    card.words.extend(self.lookup("word", word, |names| &names.words));
                }
            }
            Written::Template { name, args, span } => {
                let Some(TemplateDef { params, says, body }) = self.lookup("template", name, |names| &names.templates) else { return };
                if args.len() != params.len() {
                    self.fail(*span, format!("the template `{}` takes {} values, here are {}", name.text, params.len(), args.len()));
                    return;
                }
                let problems_before = self.problems.len();
                for (arg, (_, ty)) in args.iter().zip(&params) {
                    self.expr_of(&mut Cx::pure(&[]), arg, *ty);
                }
                if self.problems.len() > problems_before {
                    return;
                }
                let outer = self.open_aliases(&params, args);
                let own_text = says.is_some();
                let label = says.as_ref().map(|says| self.english().speak_template(says));
                let outer_label = std::mem::replace(&mut self.template_label, label);
                if speak && let Some(line) = self.template_label.clone() {
                    card.lines.push(line);
                }
                for inner in &body {
                    self.ability(inner, scope, card, speak && !own_text);
                }
                self.aliases = outer;
                self.template_label = outer_label;
            }
        }
    }

    /// The targets of an ability: those of each list that may be targeted, for which the rest of it can be had and of which
    /// something could come; and what must be there at all.
    fn aim(
        &mut self,
        ability: &ast::Use,
        own_costs: &[(Name, Vec<ast::Expr>)],
        permission: Option<&Name>,
        could: Option<ast::Expr>,
        cites: &[Name],
    ) -> Aimed {
        let targets = &ability.targets;
        let allowed = |target: &Target| match permission {
            Some(permission) => {
                let source = Name { text: "source".into(), span: target.name.span };
                let args = vec![named(&source), named(&target.name), purpose_of(target)];
                let test = ast::Expr { span: target.name.span, kind: Box::new(ExprKind::Can(permission.clone(), args)) };
                quantified("filter", &target.name, &target.from, Some(test))
            }
            None => target.from.clone(),
        };
        let mut aimed = Aimed { require: None, from: targets.iter().map(allowed).collect() };
        let Some(first) = targets.first() else { return aimed };
        let fruitful = could.is_some();
        // What the costs and the effect ask of the targets, as an expression over their names.
        let mut rest: Option<ast::Expr> = could;
        for (name, args) in ability.costs.iter().chain(own_costs) {
            let aimed_at = args.iter().any(|arg| targets.iter().any(|target| mentions(arg, &target.name.text)));
            let Some(cost) = self.names.costs.get(&name.text).cloned().filter(|_| aimed_at) else { continue };
            for at in 0..cost.requires.len() {
                let function = Name { text: format!("can pay {} {at}", name.text), span: name.span };
                rest = Some(both(rest, ast::Expr { span: name.span, kind: Box::new(ExprKind::Call(function, args.clone())) }));
            }
        }
        for at in (0..targets.len()).rev() {
            let Target { name, how, from, .. } = &targets[at];
            let single = matches!(how, HowMany::One | HowMany::OneOrNone);
            let each = !single && rest.as_ref().is_some_and(|test| mentions(test, &name.text));
            let test = if single || each { rest.take() } else { None };
            let test = if each { test.map(|test| of_one(&test, name)) } else { test };
            let allowed = aimed.from[at].clone();
            if test.is_some() {
                aimed.from[at] = quantified("filter", name, &allowed, test.clone());
            }
            let there = match how {
                HowMany::AtLeast(least) | HowMany::Exactly(least) => {
                    let span = from.span;
                    let call = ExprKind::Call(Name { text: "count".into(), span }, vec![aimed.from[at].clone()]);
                    let count = ast::Expr { span, kind: Box::new(call) };
                    ast::Expr { span, kind: Box::new(ExprKind::Bin(ast::Bin::Ge, count, least.clone())) }
                }
                HowMany::One | HowMany::OneOrNone | HowMany::UpTo(_) | HowMany::Any => quantified("any", name, &allowed, test),
            };
            rest = Some(both(rest, there));
        }
        if let Some(test) = rest {
            let mut pure = Cx::pure(&[("it".into(), Ty::Card)]);
            let test = self.expr_of(&mut pure, &test, Ty::Bool);
            let what = self.english().choose_what(&first.how, &first.from);
            let of_use = if fruitful { " of which something would come" } else { "" };
            let reason = self.plain_text(&format!("nothing to choose: it needs {what}{of_use}"));
            let cite = first.cites.first().or(cites.first()).map(|cite| self.cite_id(&cite.text));
            aimed.require = Some(Require { test, reason, cite });
        }
        aimed
    }

    /// The cards that an ability is aimed at, and what each of them is chosen for, as arguments of a program.
    fn all_targets(&mut self, cx: &mut Cx, ability: &ast::Use, purposes: bool) -> Args {
        let (mut singles, mut lists) = (Vec::new(), Vec::new());
        let (mut whys, mut why_lists) = (Vec::new(), Vec::new());
        for target in &ability.targets {
            let why = purpose_of(target);
            match cx.registers.iter().find(|(name, _, _)| *name == target.name.text) {
                Some(&(_, at, Ty::Card)) => {
                    singles.push(self.add(Expr::Register(at)));
                    whys.push(self.expr_of(cx, &why, Ty::Word));
                }
                Some(&(_, at, Ty::Cards)) => {
                    lists.push(self.add(Expr::Register(at)));
                    let (which, list) = (Name { text: "each".into(), span: target.name.span }, named(&target.name));
                    let each = ExprKind::Quantify { which, var: target.name.clone(), list, test: None, value: Some(why) };
                    let each = ast::Expr { span: target.name.span, kind: Box::new(each) };
                    why_lists.push(self.expr(cx, &each).0);
                }
                _ => {}
            }
        }
        let cards = self.joined_lists(&singles, &lists);
        let whys = self.joined_lists(&whys, &why_lists);
        self.args(&[cards, whys][..if purposes { 2 } else { 1 }])
    }

    fn joined_lists(&mut self, singles: &[ExprId], lists: &[ExprId]) -> ExprId {
        let singles = self.args(singles);
        let first = self.add(Expr::List(singles));
        lists.iter().fold(first, |all, &list| self.add(Expr::Bin(BinOp::Join, all, list)))
    }

    /// Arguments as they are now: what could change later goes into registers.
    fn settled_args(&mut self, cx: &mut Cx, code: &mut Code, name: &Name, args: &[ast::Expr], params: &[(String, Ty)]) -> Args {
        let written = self.typed_args(cx, name, args, params);
        let mut settled = Vec::new();
        for (at, (_, ty)) in (written.start as usize..).zip(params).take(written.len as usize) {
            let value = self.out.args[at];
            let fixed = matches!(
                self.out.exprs[value as usize],
                Expr::None | Expr::Num(_) | Expr::Bool(_) | Expr::Player(_) | Expr::Word(_) | Expr::Register(_) | Expr::You | Expr::Me
            );
            settled.push(if fixed {
                value
            } else {
                let to = cx.register("", *ty);
                code.push(Op::Set(to, value));
                self.add(Expr::Register(to))
            });
        }
        self.args(&settled)
    }

    /// What an ability says and, behind it, what it costs now besides that.
    fn label_with_costs(&mut self, pure: &Cx, line: String, costs: &[(Name, Vec<ast::Expr>)]) -> TextId {
        let mut pieces = vec![Piece::Plain(line)];
        for (name, args) in costs {
            let Some(CostDef { program: Callee { params, says: Some(says), .. }, .. }) = self.lookup("cost", name, |names| &names.costs)
            else {
                continue;
            };
            let outside = self.open_aliases(&params, args);
            pieces.extend(self.pieces(&mut pure.clone(), &says.text, says.span));
            self.aliases = outside;
        }
        self.out.texts.push(Text(pieces));
        self.out.texts.len() as TextId - 1
    }

    fn use_ability(&mut self, ability: &ast::Use, scope: Option<&Name>, card: &mut Gathered, speak: bool) {
        let Some(ItemKind::Kind { scope: own_scope, windows: own_windows, costs: own_costs, steps, step_cites, .. }) =
            self.lookup("kind of ability", &ability.kind, |names| &names.kinds)
        else {
            return;
        };
        let timing = ability.timing.as_ref().and_then(|timing| self.lookup("timing", timing, |names| &names.timings));
        let (windows, mut conditions, limit, worth, cites) = match timing {
            Some(ast::Item { kind: ItemKind::Timing { windows, requires, limit, worth, .. }, cites, .. }) => {
                (windows, requires, limit, worth, cites)
            }
            _ => (own_windows.clone(), Vec::new(), None, None, Vec::new()),
        };
        let windows = self.window_mask(if windows.is_empty() { &own_windows } else { &windows });
        let scope = self.lookup("scope", scope.unwrap_or(&own_scope), |names| &names.scopes);
        conditions.extend(ability.requires.iter().cloned());
        let mut pure = Cx::pure(&[("it".into(), Ty::Card)]);
        let mut requires: Vec<Require> = conditions.iter().map(|require| self.require(&mut pure, require)).collect();
        let worth = worth.as_ref().map(|worth| self.expr_of(&mut pure, worth, Ty::Bool));
        let line = self.english().speak_ability(&Written::Use(ability.clone()));
        let program = self.new_proc(&format!("{} of {}", ability.kind.text, self.speaker.title()), true);
        let mut cx = Cx::program(&[("".into(), Ty::Card)]);
        let mut code = vec![Op::Use];
        let mut exits = Vec::new();
        // Where it comes to nothing before it is paid for.
        let mut unpaid = Vec::new();
        let permission = steps.iter().find_map(|step| if let Step::Target(permission) = step { permission.as_ref() } else { None });
        let could = if steps.contains(&Step::Could) { self.could(&ability.body) } else { None };
        let mut aimed = self.aim(ability, &own_costs, permission, could.clone(), &step_cites);
        let (costs_something, mut paid) = (steps.contains(&Step::Pay), false);
        for step in &steps {
            match step {
                // With targets it is asked of them.
                Step::Could => {
                    if let Some(test) = could.as_ref().filter(|_| ability.targets.is_empty()) {
                        requires.push(self.could_require(&ability.body, test, &step_cites));
                    }
                }
                Step::Target(_) => {
                    requires.extend(aimed.require.take());
                    for (target, from) in ability.targets.iter().zip(&aimed.from) {
                        self.cite(&target.cites);
                        let default = self.english().choose_english(&target.how, &target.from);
                        let (from, item) = self.list(&mut cx, from);
                        let prompt = self.usual_prompt(&default);
                        let (who, ask) = (self.add(Expr::You), self.ask(AskDef { prompt, ..AskDef::default() }));
                        let one = self.add(Expr::Num(1));
                        let (least, most, list) = match &target.how {
                            HowMany::One | HowMany::OneOrNone => (one, one, false),
                            HowMany::UpTo(n) => (one, self.expr_of(&mut cx, n, Ty::Num), true),
                            HowMany::AtLeast(n) => (self.expr_of(&mut cx, n, Ty::Num), self.add(Expr::Num(i32::MAX)), true),
                            HowMany::Exactly(n) => {
                                let n = self.expr_of(&mut cx, n, Ty::Num);
                                (n, n, true)
                            }
                            HowMany::Any => (one, self.add(Expr::Num(i32::MAX)), true),
                        };
                        let to = cx.register(&target.name.text, if list { item.list_of() } else { item });
                        code.push(Op::Pick { to, who, from, least, most, ask, list });
                        // Paying may have taken the last target away: then nothing happens.
                        if paid {
                            let picked = self.add(Expr::Register(to));
                            let (there, nothing) = match list {
                                true => (self.add(Expr::Prop(Prop::Size, picked)), self.add(Expr::Num(0))),
                                false => (picked, self.add(Expr::None)),
                            };
                            let found = self.add(Expr::Bin(BinOp::Ne, there, nothing));
                            exits.push((code.len(), found));
                            code.push(Op::JumpUnless(found, 0));
                        }
                    }
                }
                Step::Pay => {
                    paid = true;
                    // What every cost comes to is settled before any is paid: paying one may change what the others read.
                    let mut due = Vec::new();
                    for (name, args) in ability.costs.iter().chain(&own_costs) {
                        let Some(cost) = self.lookup("cost", name, |names| &names.costs) else { continue };
                        // What depends on the target was asked with the target.
                        let settled = args.iter().all(|arg| !ability.targets.iter().any(|target| mentions(arg, &target.name.text)));
                        for (test, reason, cite) in cost.requires.iter().filter(|_| settled) {
                            let values = self.typed_args(&mut pure, name, args, &cost.program.params);
                            let test = self.add(Expr::Call(*test, values));
                            let mut told = Cx { locals: pure.locals.clone(), ..pure.clone() };
                            let saved = self.open_aliases(&cost.program.params, args);
                            let reason = self.text(&mut told, reason);
                            self.aliases = saved;
                            requires.push(Require { test, reason, cite: *cite });
                        }
                        due.push((cost.program.id, self.settled_args(&mut cx, &mut code, name, args, &cost.program.params)));
                    }
                    for (program, values) in due {
                        let to = cx.register("", Ty::Bool);
                        code.push(Op::Call(program, values, to));
                        let (result, not_paid) = (self.add(Expr::Register(to)), self.add(Expr::Bool(false)));
                        let goes_on = self.add(Expr::Bin(BinOp::Ne, result, not_paid));
                        unpaid.push((code.len(), goes_on));
                        code.push(Op::JumpUnless(goes_on, 0));
                    }
                }
                Step::Respond(name) => {
                    let Some(callee) = self.lookup("program", name, |names| &names.procs) else { continue };
                    let args = match &callee.params[..] {
                        [] => Args::default(),
                        [(_, Ty::Cards)] => self.all_targets(&mut cx, ability, false),
                        [(_, Ty::Cards), (_, Ty::Words)] => self.all_targets(&mut cx, ability, true),
                        _ => {
                            self.fail(
                                name.span,
                                "a program that offers responses takes nothing, the targets, or the targets and their purposes",
                            );
                            Args::default()
                        }
                    };
                    if callee.result != Ty::Bool {
                        self.fail(name.span, "a program that offers responses returns a bool");
                    }
                    let to = cx.register("", Ty::Bool);
                    code.push(Op::Call(callee.id, args, to));
                    let stopped = self.add(Expr::Register(to));
                    let goes_on = self.add(Expr::Not(stopped));
                    if paid || !costs_something { &mut exits } else { &mut unpaid }.push((code.len(), goes_on));
                    code.push(Op::JumpUnless(goes_on, 0));
                }
                Step::Effect => self.block(&mut cx, &mut code, &ability.body),
            }
        }
        for (exit, test) in exits {
            code[exit] = Op::JumpUnless(test, code.len() as u32);
        }
        if !unpaid.is_empty() {
            let none = self.add(Expr::None);
            code.push(Op::Return(none));
            for (exit, test) in unpaid {
                code[exit] = Op::JumpUnless(test, code.len() as u32);
            }
            code.push(Op::Unuse);
        }
        self.close(program, 1, &cx, code, ability.span);
        if speak {
            card.lines.push(line.clone());
        }
        // A move of a keyword is called by the keyword.
        let label = self.template_label.clone().unwrap_or(line);
        let label = self.label_with_costs(&pure, label, &own_costs);
        let limit_shared = limit.as_ref().is_some_and(|limit| limit.shared);
        let limit = limit.as_ref().and_then(|limit| self.lookup("period", &limit.period, |names| &names.periods));
        // A limit that is used up is a matter of the timing's rule.
        let cite = cites.first().map(|cite| self.cite_id(&cite.text));
        card.abilities.push(self.out.abilities.len() as u16);
        self.out.abilities.push(Ability {
            worth,
            warning: None,
            name: ability.kind.text.clone(),
            label,
            windows,
            scope,
            from: None,
            to: None,
            usual: None,
            requires,
            limit,
            limit_shared,
            program,
            cite,
            def: Some(card.def),
        });
    }
}
