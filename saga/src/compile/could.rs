//! When an ability could change something: the programs it calls say so of themselves in their `could` lines, and an
//! ability could as soon as one of its statements could.

use super::Compiler;
use super::expressions::Cx;
use super::names::CouldDef;
use crate::ast::{self, Bin, ExprKind, HowMany, Name, Stmt, StmtKind};
use crate::diagnostics::Span;
use crate::table;
use crate::types::Ty;
use trilogy_engine::catalogue::Require;

/// What is known of a statement or program before the game.
enum Could {
    Never,
    Always,
    If(ast::Expr),
}

impl Could {
    fn or(self, other: Could) -> Could {
        match (self, other) {
            (Could::Always, _) | (_, Could::Always) => Could::Always,
            (Could::Never, one) | (one, Could::Never) => one,
            (Could::If(a), Could::If(b)) => Could::If(bin(Bin::Or, a, b)),
        }
    }

    fn when(self, test: ast::Expr) -> Could {
        match self {
            Could::Never => Could::Never,
            Could::Always => Could::If(test),
            Could::If(inner) => Could::If(bin(Bin::And, test, inner)),
        }
    }
}

fn expr(span: Span, kind: ExprKind) -> ast::Expr {
    ast::Expr { span, kind: Box::new(kind) }
}

fn bin(op: Bin, a: ast::Expr, b: ast::Expr) -> ast::Expr {
    expr(a.span, ExprKind::Bin(op, a, b))
}

pub(super) fn both(a: Option<ast::Expr>, b: ast::Expr) -> ast::Expr {
    match a {
        Some(a) => bin(Bin::And, b, a),
        None => b,
    }
}

pub(super) fn quantified(which: &str, var: &Name, list: &ast::Expr, test: Option<ast::Expr>) -> ast::Expr {
    let which = Name { text: which.into(), span: list.span };
    expr(list.span, ExprKind::Quantify { which, var: var.clone(), list: list.clone(), test, value: None })
}

/// A test over a list of which one item is looked at: the list is that item alone.
pub(super) fn of_one(test: &ast::Expr, name: &Name) -> ast::Expr {
    let item = expr(name.span, ExprKind::Name(name.text.clone()));
    replaced(test, &name.text, &expr(name.span, ExprKind::List(vec![item])))
}

/// An expression with another one in place of a name.
fn replaced(whole: &ast::Expr, name: &str, by: &ast::Expr) -> ast::Expr {
    let one = |part: &ast::Expr| replaced(part, name, by);
    let all = |parts: &[ast::Expr]| parts.iter().map(one).collect::<Vec<_>>();
    let kind = match &*whole.kind {
        ExprKind::Name(own) if own == name => return by.clone(),
        ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Name(_) => return whole.clone(),
        ExprKind::Field(of, field) => ExprKind::Field(one(of), field.clone()),
        ExprKind::Not(a) => ExprKind::Not(one(a)),
        ExprKind::Neg(a) => ExprKind::Neg(one(a)),
        ExprKind::Is(a, word, negated) => ExprKind::Is(one(a), word.clone(), *negated),
        ExprKind::Call(callee, args) => ExprKind::Call(callee.clone(), all(args)),
        ExprKind::List(items) => ExprKind::List(all(items)),
        ExprKind::Can(permission, args) => ExprKind::Can(permission.clone(), all(args)),
        ExprKind::Bin(op, a, b) => ExprKind::Bin(*op, one(a), one(b)),
        ExprKind::Range(a, b) => ExprKind::Range(one(a), one(b)),
        ExprKind::If(a, b, c) => ExprKind::If(one(a), one(b), one(c)),
        ExprKind::Phrase(phrase) => {
            let (zone, with) = (phrase.zone.as_ref().map(one), phrase.with.as_ref().map(one));
            ExprKind::Phrase(ast::Phrase { zone, with, ..phrase.clone() })
        }
        ExprKind::Quantify { which, var, list, test, value } => ExprKind::Quantify {
            which: which.clone(),
            var: var.clone(),
            list: one(list),
            test: test.as_ref().map(one),
            value: value.as_ref().map(one),
        },
    };
    expr(whole.span, kind)
}

/// Whether an expression speaks of a name.
pub(crate) fn mentions(expr: &ast::Expr, name: &str) -> bool {
    let any = |exprs: &[&ast::Expr]| exprs.iter().any(|expr| mentions(expr, name));
    match &*expr.kind {
        ExprKind::Int(_) | ExprKind::Str(_) => false,
        ExprKind::Name(own) => own == name,
        ExprKind::Field(a, _) | ExprKind::Not(a) | ExprKind::Neg(a) | ExprKind::Is(a, ..) => any(&[a]),
        ExprKind::Call(_, args) | ExprKind::List(args) | ExprKind::Can(_, args) => args.iter().any(|arg| mentions(arg, name)),
        ExprKind::Bin(_, a, b) | ExprKind::Range(a, b) => any(&[a, b]),
        ExprKind::If(a, b, c) => any(&[a, b, c]),
        ExprKind::Phrase(phrase) => phrase.zone.iter().chain(&phrase.with).any(|part| mentions(part, name)),
        ExprKind::Quantify { list, test, value, .. } => mentions(list, name) || test.iter().chain(value).any(|part| mentions(part, name)),
    }
}

/// The name that a statement gives to something for those behind it.
fn bound(stmt: &Stmt) -> Option<&Name> {
    match &stmt.kind {
        StmtKind::Let(name, _) | StmtKind::Choose { name, .. } | StmtKind::Number { name, .. } | StmtKind::Order { name, .. } => Some(name),
        _ => None,
    }
}

impl Compiler {
    /// `could true` needs no function: it always could.
    pub(super) fn declare_could(&mut self, name: &Name, params: &[(String, Ty)], could: &ast::Require) {
        let always = matches!(&*could.test.kind, ExprKind::Name(word) if word == "true");
        let function = (!always).then(|| format!("could {}", name.text));
        if let Some(function) = &function {
            let function = Name { text: function.clone(), span: could.span };
            self.declare_function(&function, params.to_vec(), Ty::Bool, None);
        }
        self.names.coulds.insert(name.text.clone(), CouldDef { function, reason: could.reason.clone(), cite: None });
    }

    pub(super) fn define_could(&mut self, name: &Name, could: &ast::Require) {
        let cite = self.cite(&could.cites);
        let Some(def) = self.names.coulds.get_mut(&name.text) else { return };
        def.cite = cite;
        if let Some(function) = def.function.clone() {
            let callee = self.names.functions[&function].clone();
            let body = self.expr_of(&mut Cx::pure(&callee.params), &could.test, Ty::Bool);
            self.out.functions[callee.id.index()].body = body;
        }
    }

    /// When the program of an ability could change something; none where it always could.
    pub(super) fn could(&mut self, body: &[Stmt]) -> Option<ast::Expr> {
        let span = body.first().map_or(Span::default(), |stmt| stmt.span);
        match self.could_body(body) {
            Could::Always => None,
            Could::If(test) => Some(test),
            Could::Never => Some(expr(span, ExprKind::Name("false".into()))),
        }
    }

    /// What is required of an ability that is aimed at nothing, with the reason that its first program gives.
    pub(super) fn could_require(&mut self, body: &[Stmt], test: &ast::Expr, cites: &[Name]) -> Require {
        let mut pure = Cx::pure(&[("it".into(), Ty::Card)]);
        let test = self.expr_of(&mut pure, test, Ty::Bool);
        let first = body.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Call(call) => match &*call.kind {
                ExprKind::Call(name, args) => Some((self.names.coulds.get(&name.text)?.clone(), name.clone(), args.clone())),
                _ => None,
            },
            _ => None,
        });
        // A reason that speaks of what is chosen later cannot be given before.
        let chosen: Vec<&Name> = body.iter().filter_map(bound).collect();
        let speaks = |reason: &ast::Text, args: &[ast::Expr]| {
            reason.text.contains('{') && args.iter().any(|arg| chosen.iter().any(|name| mentions(arg, &name.text)))
        };
        let (reason, own) = match first.filter(|(could, _, args)| !speaks(&could.reason, args)) {
            Some((CouldDef { reason, cite, .. }, name, args)) => {
                let params = self.names.procs.get(&name.text).map_or_else(Vec::new, |callee| callee.params.clone());
                let saved = self.open_aliases(&params, &args);
                let text = self.text(&mut pure, &reason);
                self.aliases = saved;
                (text, cite)
            }
            None => (self.plain_text("nothing would come of it"), None),
        };
        let cite = cites.first().map(|cite| self.cite_id(&cite.text)).or(own);
        Require { test, reason, cite }
    }

    fn could_body(&mut self, body: &[Stmt]) -> Could {
        let [stmt, rest @ ..] = body else { return Could::Never };
        let rest = self.could_body(rest);
        match &stmt.kind {
            // What is bound here means something in the rest alone: that goes through all that may be chosen.
            StmtKind::Choose { name, how, from, .. } => match rest {
                Could::Never => Could::Never,
                Could::Always => Could::If(quantified("any", name, from, None)),
                Could::If(test) => {
                    let single = matches!(how, HowMany::One | HowMany::OneOrNone);
                    let test = if single { test } else { of_one(&test, name) };
                    Could::If(quantified("any", name, from, Some(test)))
                }
            },
            StmtKind::Let(name, value) => {
                let of_value = match &*value.kind {
                    ExprKind::Call(callee, args) if self.acts(callee) => self.could_call(callee, args, value.span),
                    _ => Could::Never,
                };
                of_value.or(unless_bound(rest, name))
            }
            StmtKind::Number { name, .. } | StmtKind::Order { name, .. } => unless_bound(rest, name),
            _ => self.could_statement(stmt).or(rest),
        }
    }

    fn could_statement(&mut self, stmt: &Stmt) -> Could {
        match &stmt.kind {
            StmtKind::Call(call) => match &*call.kind {
                ExprKind::Call(name, args) => self.could_call(name, args, call.span),
                _ => Could::Always,
            },
            StmtKind::If(arms, otherwise) => {
                let mut could = Could::Never;
                let mut before: Option<ast::Expr> = None;
                for (test, body) in arms {
                    if self.asks_program(test) {
                        return Could::Always;
                    }
                    could = could.or(self.could_body(body).when(both(before.clone(), test.clone())));
                    before = Some(both(before, expr(test.span, ExprKind::Not(test.clone()))));
                }
                match (otherwise, before) {
                    (Some(body), Some(test)) => could.or(self.could_body(body).when(test)),
                    _ => could,
                }
            }
            StmtKind::Unless(test, _) if self.asks_program(test) => Could::Always,
            StmtKind::Unless(test, body) => self.could_body(body).when(expr(test.span, ExprKind::Not(test.clone()))),
            StmtKind::For(name, list, body) => match self.could_body(body) {
                Could::Never => Could::Never,
                Could::Always => Could::If(quantified("any", name, list, None)),
                Could::If(test) => Could::If(quantified("any", name, list, Some(test))),
            },
            StmtKind::May { body, .. } | StmtKind::With(_, body) => self.could_body(body),
            StmtKind::OneOf { branches, .. } => branches.iter().fold(Could::Never, |could, (_, test, body)| {
                let one = self.could_body(body);
                could.or(match test {
                    Some(test) => one.when(test.clone()),
                    None => one,
                })
            }),
            StmtKind::Then(_) | StmtKind::Cite | StmtKind::Return(_) => Could::Never,
            StmtKind::Choose { .. } | StmtKind::Number { .. } | StmtKind::Order { .. } | StmtKind::Let(..) => Could::Never,
            StmtKind::Assign(..)
            | StmtKind::While(..)
            | StmtKind::Emit(..)
            | StmtKind::End(_)
            | StmtKind::Until(..)
            | StmtKind::Once(_)
            | StmtKind::Run(_)
            | StmtKind::Repeat(..)
            | StmtKind::Resolve(_)
            | StmtKind::Drop(_)
            | StmtKind::Win(_) => Could::Always,
        }
    }

    fn could_call(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Could {
        match self.names.coulds.get(&name.text) {
            Some(CouldDef { function: Some(function), .. }) => {
                let function = Name { text: function.clone(), span: name.span };
                Could::If(expr(span, ExprKind::Call(function, args.to_vec())))
            }
            Some(CouldDef { function: None, .. }) => Could::Always,
            None => {
                if self.names.procs.contains_key(&name.text) {
                    self.fail(name.span, format!("`{}` does not say when it could change something: it needs a `could` line", name.text));
                }
                Could::Always
            }
        }
    }

    fn acts(&self, name: &Name) -> bool {
        self.names.procs.contains_key(&name.text) || table::callable(&name.text).is_some_and(|callable| callable.acts)
    }

    /// Whether a test is the result of a program, which is not known before.
    fn asks_program(&self, test: &ast::Expr) -> bool {
        match &*test.kind {
            ExprKind::Not(inner) => self.asks_program(inner),
            ExprKind::Call(name, _) => self.acts(name),
            _ => false,
        }
    }
}

/// What depends on a name that gets its value only when the program runs is not known before.
fn unless_bound(could: Could, name: &Name) -> Could {
    match could {
        Could::If(test) if mentions(&test, &name.text) => Could::Always,
        other => other,
    }
}
