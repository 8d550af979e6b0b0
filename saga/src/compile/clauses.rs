//! Clauses: changes of values, permissions and triggers.

use super::Compiler;
use super::expressions::Cx;
use super::names::{Holder, PermissionNames};
use crate::ast::{self, ClauseKind as Said, ExprKind, Gets, Name, Stmt};
use crate::english;
use crate::types::Ty;
use trilogy_engine::catalogue::*;

/// What is a clause's own beside its scope, citation and text.
pub(super) struct Part {
    pub(super) kind: ClauseKind,
    pub(super) when: Option<ExprId>,
    pub(super) reason: Option<TextId>,
}

pub(super) fn with_locals(cx: &Cx, locals: &[(String, Ty)]) -> Cx {
    Cx { locals: locals.to_vec(), ..cx.clone() }
}

impl Compiler {
    /// Compile a clause; each changed value makes one. In a program its registers are captured.
    pub(super) fn clause(&mut self, cx: &mut Cx, clause: &ast::Clause, scope: Option<ScopeId>) -> Vec<ClauseId> {
        let cite = self.cite(&clause.cites);
        // In a program the text names registers, to be filled in when it is shown.
        let outer = self.speaker.names.clone();
        for (name, at, ty) in cx.registers.iter().filter(|(name, ..)| !name.is_empty()) {
            let said = format!("{{#{}}}", at.index());
            self.speaker.names.insert(name.clone(), if ty.item().is_some() { english::Said::many(said) } else { english::Said::one(said) });
        }
        let english = self.english().speak_clause(clause);
        self.speaker.names = outer;
        let when = clause.when.as_ref();
        let parts: Vec<Part> = match &clause.kind {
            Said::Gets { subject, changes, cumulative } => {
                changes.iter().filter_map(|gets| self.gets(cx, subject, gets, *cumulative, when)).collect()
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
                let when = when.map(|when| self.expr_of(&mut inner, when, Ty::Bool));
                let reason = reason.as_ref().map(|reason| self.text(&mut inner, reason));
                vec![Part { kind: ClauseKind::Permit { permission, allow: *allow, test }, when, reason }]
            }
            Said::When { .. } => self.trigger(cx, &clause.kind).into_iter().collect(),
            Said::Instead { program, params, test, may, body } => {
                self.instead(cx, program, params, test.as_ref(), may.as_ref(), body).into_iter().collect()
            }
            Said::Gains { subject, abilities } => self.gains(cx, subject, abilities, when).into_iter().collect(),
        };
        let (first, count) = (self.out.clauses.len(), parts.len());
        let whole = |Part { kind, when, reason }| Clause { kind, scope, when, reason, cite, english: english.clone() };
        self.out.clauses.extend(parts.into_iter().map(whole));
        (first..first + count).map(|place| self.id(place, clause.span)).collect()
    }

    /// Whether `it`, the first local, is what a clause speaks of: one, one of several or one of a phrase.
    pub(super) fn meant(&mut self, cx: &mut Cx, subject: &ast::Expr, it_type: Ty, lacks: &str) -> Option<ExprId> {
        if let ExprKind::Phrase(phrase) = &*subject.kind {
            return Some(self.phrase_test(cx, phrase, subject.span));
        }
        let it = self.add(Expr::Local(LocalId::FIRST));
        let (id, ty) = self.expr(cx, subject);
        match ty {
            _ if ty == it_type.list_of() => Some(self.add(Expr::Bin(BinOp::In, it, id))),
            _ if ty.fits(it_type) => Some(self.add(Expr::Bin(BinOp::Eq, it, id))),
            _ => {
                self.fail(subject.span, format!("a {} has no {lacks}", ty.name()));
                None
            }
        }
    }

    /// One change of a value.
    fn gets(&mut self, cx: &Cx, subject: &ast::Expr, gets: &Gets, cumulative: bool, when: Option<&ast::Expr>) -> Option<Part> {
        let Gets { stat, what, change, by } = gets;
        let (stat_id, holder) = self.lookup("value", stat, |names| &names.stats)?;
        let it_type = if holder == Holder::Card { Ty::Card } else { Ty::Player };
        let param = self.names.stat_params.get(&stat.text).cloned();
        let mut locals = vec![("it".to_string(), it_type)];
        locals.extend(param.clone());
        let mut inner = with_locals(cx, &locals);
        let who = self.meant(&mut inner, subject, it_type, &format!("value `{}`", stat.text))?;
        let who = match (what, param) {
            (Some(what), Some((_, ty))) => {
                let (what, of) = (self.expr_of(&mut inner, what, ty), {
                    let second = self.id(1, what.span);
                    self.add(Expr::Local(second))
                });
                let so = self.add(Expr::Bin(BinOp::Eq, of, what));
                self.add(Expr::Bin(BinOp::And, so, who))
            }
            (Some(what), None) => {
                self.fail(what.span, format!("`{}` is no value for something else", stat.text));
                return None;
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
            ast::Change::Unreduced => (Change::Unreduced, by),
            ast::Change::Unmodified => (Change::Unmodified, by),
        };
        let when = when.map(|when| self.expr_of(&mut inner, when, Ty::Bool));
        Some(Part { kind: ClauseKind::Modify { stat: stat_id, who: Some(who), change, by, cumulative }, when, reason: None })
    }

    fn trigger(&mut self, cx: &Cx, said: &Said) -> Option<Part> {
        let Said::When { event, params, test, limit, class, body } = said else { return None };
        let limit = limit.as_ref().and_then(|limit| self.trigger_limit(limit));
        let (event_id, types) = self.lookup("event", event, |names| &names.events)?;
        let class = match class {
            Some(class) => self.lookup("class", class, |names| &names.classes).unwrap_or_default(),
            None => ClassId::FIRST,
        };
        let locals = self.bind(event, params, &types);
        let mut inner = with_locals(cx, &locals);
        let test = test.as_ref().map(|test| self.expr_of(&mut inner, test, Ty::Bool));
        let program = self.hearing(cx, &event.text, &locals, None, body);
        Some(Part { kind: ClauseKind::Trigger { event: event_id, test, program, class, limit }, when: None, reason: None })
    }

    /// A program that finds what happens in its first registers, then what was captured.
    pub(super) fn hearing(&mut self, cx: &Cx, of: &str, locals: &[(String, Ty)], returns: Option<Ty>, body: &[Stmt]) -> ProcId {
        let count = locals.len();
        let mut own = Cx { returns, ..Cx::program(locals) };
        own.next_register = count + cx.next_register;
        let moved = |at: RegisterId| RegisterId::new(at.index() + count).unwrap_or_default();
        let captured = cx.registers.iter().map(|(name, at, ty)| (name.clone(), moved(*at), *ty));
        own.registers = captured.chain(own.registers).collect();
        let outside = std::mem::replace(&mut self.asker, (Asker::Trigger, of.to_string()));
        let program = self.new_proc(&format!("when {of}"), true);
        self.program(program, own, body);
        self.asker = outside;
        program
    }

    /// Names for parameters; a clause may leave out the last ones.
    pub(super) fn bind(&mut self, of: &Name, given: &[Name], types: &[(String, Ty)]) -> Vec<(String, Ty)> {
        if given.len() > types.len() {
            self.fail(of.span, format!("`{}` has {} parameters, here are {} names", of.text, types.len(), given.len()));
        }
        let named = |at: usize| given.get(at).map_or_else(|| format!(" {at}"), |name| name.text.clone());
        types.iter().enumerate().map(|(at, (_, ty))| (named(at), *ty)).collect()
    }
}
