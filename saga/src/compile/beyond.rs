//! Clauses that reach beyond their own card: abilities that other cards have from it, and what is done instead of something.

use super::Compiler;
use super::cards::Gathered;
use super::clauses::{Part, with_locals};
use super::expressions::Cx;
use super::reach::place;
use super::statements::Code;
use crate::ast::{self, Ability as Written, Change, ExprKind, Limit, Name, Question, Stmt, StmtKind};
use crate::diagnostics::Span;
use crate::types::Ty;
use trilogy_engine::catalogue::*;

impl Compiler {
    /// Cards that have abilities, too. They are used by whoever controls those cards, and `self` in them is such a card.
    pub(super) fn gains(&mut self, cx: &Cx, subject: &ast::Expr, abilities: &[Written], when: Option<&ast::Expr>) -> Option<Part> {
        let mut inner = with_locals(cx, &[("it".to_string(), Ty::Card)]);
        let who = self.meant(&mut inner, subject, Ty::Card, "abilities")?;
        let when = when.map(|when| self.expr_of(&mut inner, when, Ty::Bool));
        // Their labels speak of the card that has them.
        let (speaker, label) = (self.speaker.clone(), self.template_label.take());
        let own = self.english().called_alone(subject);
        self.speaker.call_itself(own);
        let mut gathered = Gathered::of(DefId::FIRST);
        for ability in abilities {
            self.ability(ability, None, &mut gathered, false);
            if !(gathered.clauses.is_empty() && gathered.words.is_empty() && gathered.titles.is_empty()) {
                self.fail(place(ability), "cards gain abilities that are used: what they get and what is set off are clauses of their own");
                break;
            }
        }
        (self.speaker, self.template_label) = (speaker, label);
        let (&first, last) = (gathered.abilities.first()?, gathered.abilities.last()?);
        let count = gathered.abilities.len();
        // Abilities that stand in the program of one of them would lie between them.
        if last.index() - first.index() + 1 != count {
            self.fail(
                subject.span,
                "one of several abilities that are gained cannot give others itself: write it below a `gains` of its own",
            );
        }
        Some(Part { kind: ClauseKind::Grant { who, first, count: count as u32 }, when, reason: None })
    }

    /// What is done instead of a program.
    pub(super) fn instead(
        &mut self,
        cx: &Cx,
        name: &Name,
        params: &[Name],
        test: Option<&ast::Expr>,
        may: Option<&Question>,
        body: &[Stmt],
    ) -> Option<Part> {
        let callee = self.lookup("program", name, |names| &names.procs)?;
        if !self.names.woulds.contains_key(&name.text) {
            self.fail(name.span, format!("nothing can be done instead of `{}`: it does not say what would happen", name.text));
        }
        let locals = self.bind(name, params, &callee.params);
        let mut inner = with_locals(cx, &locals);
        let test = test.map(|test| self.expr_of(&mut inner, test, Ty::Bool));
        let body = may.map_or_else(|| body.to_vec(), |question| decided(question, body, name.span));
        let program = self.hearing(cx, &name.text, &locals, Some(Ty::Bool), &body);
        Some(Part { kind: ClauseKind::Replace { proc: callee.id, test, program }, when: None, reason: None })
    }

    /// A program that looks first whether something else is done.
    pub(super) fn replaceable(&mut self, program: ProcId, mut cx: Cx, body: &[Stmt], span: Span) {
        let params = cx.next_register;
        let (tried, done) = (cx.register("", Ty::Nums), cx.register("", Ty::Bool));
        let (nothing, not_done) = (self.add(Expr::None), self.add(Expr::Bool(false)));
        let result = self.add(Expr::Register(done));
        let replaced = self.add(Expr::Bin(BinOp::Ne, result, not_done));
        let exit = 3;
        let mut code: Code = vec![Op::Replace(program, tried, done, exit), Op::JumpUnless(replaced, 0), Op::Return(nothing)];
        self.block(&mut cx, &mut code, body);
        self.close(program, params, &cx, code, span);
    }

    /// An ability that is never used and counts what is set off once in a period.
    pub(super) fn trigger_limit(&mut self, limit: &Limit) -> Option<AbilityId> {
        let period = self.lookup("period", &limit.period, |names| &names.periods)?;
        let id = self.id(self.out.abilities.len(), limit.period.span);
        self.out.abilities.push(Ability { limit: Some(period), limit_shared: limit.shared, ..Ability::default() });
        Some(id)
    }
}

/// A program that its player may leave undone: it returns whether it was done.
fn decided(question: &Question, body: &[Stmt], span: Span) -> Vec<Stmt> {
    let stmt = |kind: StmtKind| Stmt { kind, cites: Vec::new(), span };
    let expr = |kind: ExprKind| ast::Expr { kind: Box::new(kind), span };
    let done = " done";
    let told = stmt(StmtKind::Assign(expr(ExprKind::Name(done.into())), Change::Set, expr(ExprKind::Name("true".into()))));
    let body = std::iter::once(told).chain(body.iter().cloned()).collect();
    vec![
        stmt(StmtKind::Let(Name { text: done.into(), span }, expr(ExprKind::Name("false".into())))),
        stmt(StmtKind::May { question: question.clone(), body }),
        stmt(StmtKind::Return(Some(expr(ExprKind::Name(done.into()))))),
    ]
}
