//! Abilities of cards, and clauses: what changes values, permits, forbids and is triggered.

use super::{Parser, Res};
use crate::ast::*;
use crate::diagnostics::Span;
use crate::lexer::Tok;

impl Parser {
    pub(super) fn ability(&mut self) -> Res<Ability> {
        let start = self.span();
        if matches!(self.peek(), Tok::OpenPhrase) || self.is("when") || self.is("forbid") || self.is("allow") {
            return Ok(Ability::Clause(self.clause()?));
        }
        if self.is("in") {
            self.next();
            let scope = self.name("a scope")?;
            self.expect(Tok::Colon)?;
            self.end_of_line()?;
            self.expect(Tok::Indent)?;
            let mut abilities = Vec::new();
            while !self.eat(&Tok::Dedent) {
                abilities.push(self.deeper(Self::ability)?);
            }
            return Ok(Ability::In { scope, abilities });
        }
        if self.eat_word("treat_as") {
            let words = self.names("a subtype")?;
            self.end_of_line()?;
            return Ok(Ability::TreatAs(words));
        }
        match (self.peek(), self.peek_at(1)) {
            (Tok::Name(_), Tok::Open) if !self.is("each") => {
                let name = self.name("a template")?;
                let args = self.args()?;
                if self.is("gets") {
                    let expr = Expr { span: name.span, kind: Box::new(ExprKind::Call(name, args)) };
                    return Ok(Ability::Clause(self.gets(start, expr)?));
                }
                self.end_of_line()?;
                Ok(Ability::Template { name, args, span: start })
            }
            (Tok::Name(_), Tok::Newline) => {
                let name = self.name("a template")?;
                self.end_of_line()?;
                Ok(Ability::Template { name, args: Vec::new(), span: start })
            }
            (Tok::Name(_), Tok::Name(word)) if word == "gets" => Ok(Ability::Clause(self.clause()?)),
            (Tok::Name(_), Tok::Dot) => Ok(Ability::Clause(self.clause()?)),
            _ => Ok(Ability::Use(self.use_ability()?)),
        }
    }

    fn use_ability(&mut self) -> Res<Use> {
        let start = self.span();
        let kind = self.name("an ability")?;
        let timing = if matches!(self.peek(), Tok::Name(word) if !["pay", "require", "target"].contains(&word.as_str())) {
            Some(self.name("a timing")?)
        } else {
            None
        };
        let (mut targets, mut costs, mut requires) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            if self.is("target") {
                targets.push(self.target()?);
            } else if self.is("pay") {
                costs.extend(self.costs()?);
            } else if self.is("require") {
                requires.push(self.require("require", &mut Vec::new())?);
            } else {
                break;
            }
        }
        self.expect(Tok::Colon)?;
        let body = self.block_or_line()?;
        Ok(Use { kind, timing, costs, requires, targets, body, span: start })
    }

    pub(super) fn how_many(&mut self) -> Res<HowMany> {
        Ok(if self.eat_word("up") {
            self.expect_word("to")?;
            HowMany::UpTo(self.product()?)
        } else if self.eat_word("at") {
            self.expect_word("least")?;
            HowMany::AtLeast(self.product()?)
        } else if self.eat_word("any") {
            HowMany::Any
        } else if self.eat_word("exactly") {
            HowMany::Exactly(self.product()?)
        } else {
            HowMany::One
        })
    }

    /// `target [up to N | ...] NAME [to WORD] from LIST`
    fn target(&mut self) -> Res<Target> {
        self.expect_word("target")?;
        let how = self.how_many()?;
        let name = self.name("a name for the target")?;
        let purpose = if self.eat_word("to") { Some(self.name("what the target is chosen for")?) } else { None };
        self.expect_word("from")?;
        let from = self.expr()?;
        Ok(Target { name, how, purpose, from, cites: self.cites() })
    }

    /// `pay COST, COST(ARGS)`
    pub(super) fn costs(&mut self) -> Res<Vec<(Name, Vec<Expr>)>> {
        self.expect_word("pay")?;
        let mut costs = Vec::new();
        loop {
            let cost = self.name("a cost")?;
            let args = if *self.peek() == Tok::Open { self.args()? } else { Vec::new() };
            costs.push((cost, args));
            if !self.eat(&Tok::Comma) {
                return Ok(costs);
            }
        }
    }

    /// One clause with its line end, or its block for a trigger.
    pub(super) fn clause(&mut self) -> Res<Clause> {
        let start = self.span();
        if self.eat_word("when") {
            let event = self.name("an event")?;
            let params = self.binders()?;
            let test = if self.eat_word("if") { Some(self.expr()?) } else { None };
            let class = if self.eat_word("as") { Some(self.name("a class of triggers")?) } else { None };
            let cites = self.cites();
            self.expect(Tok::Colon)?;
            let span = start.to(self.last_span());
            let body = self.block_or_line()?;
            return Ok(Clause { kind: ClauseKind::When { event, params, test, class, body }, when: None, cites, span });
        }
        if self.is("forbid") || self.is("allow") {
            let allow = self.is("allow");
            self.next();
            let name = self.name("a permission")?;
            let params = self.binders()?;
            let test = if self.eat_word("when") { Some(self.expr()?) } else { None };
            let reason = if self.eat_word("else") { Some(self.text("the reason")?) } else { None };
            let when = if self.eat_word("while") { Some(self.expr()?) } else { None };
            let cites = self.cites();
            let span = start.to(self.last_span());
            self.end_of_line()?;
            return Ok(Clause { kind: ClauseKind::Permit { allow, name, params, test, reason }, when, cites, span });
        }
        let subject = self.expr()?;
        self.gets(start, subject)
    }

    fn gets(&mut self, start: Span, subject: Expr) -> Res<Clause> {
        self.expect_word("gets")?;
        let mut changes = Vec::new();
        loop {
            let stat = self.name("a value, such as `power`")?;
            let what = if self.eat(&Tok::Open) {
                let what = self.expr()?;
                self.expect(Tok::Close)?;
                Some(what)
            } else {
                None
            };
            let change = match self.next().tok {
                Tok::Plus => Change::Add,
                Tok::Minus => Change::Subtract,
                Tok::Star => Change::Multiply,
                Tok::Equal => Change::Set,
                Tok::AtLeast => Change::AtLeast,
                Tok::AtMost => Change::AtMost,
                _ => {
                    self.at -= 1;
                    return self.wrong("`+`, `-`, `*`, `=`, `>=` or `<=` and an amount");
                }
            };
            changes.push(Gets { stat, what, change, by: self.product()? });
            if !self.eat(&Tok::Comma) {
                break;
            }
        }
        let cumulative = self.eat_word("cumulatively");
        let when = if self.eat_word("while") { Some(self.expr()?) } else { None };
        let cites = self.cites();
        let span = start.to(self.last_span());
        self.end_of_line()?;
        Ok(Clause { kind: ClauseKind::Gets { subject, changes, cumulative }, when, cites, span })
    }

    fn binders(&mut self) -> Res<Vec<Name>> {
        let mut names = Vec::new();
        if self.eat(&Tok::Open) && !self.eat(&Tok::Close) {
            names = self.names("a name")?;
            self.expect(Tok::Close)?;
        }
        Ok(names)
    }
}
