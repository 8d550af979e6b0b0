//! Abilities of cards, and clauses: what changes values, permits, forbids and is triggered.

use super::{Parser, Res};
use crate::ast::*;
use crate::diagnostics::Span;
use crate::lexer::Tok;

impl Parser {
    pub(super) fn ability(&mut self) -> Res<Ability> {
        let start = self.span();
        let may_instead = self.is("may") && matches!(self.peek_at(1), Tok::Name(word) if word == "instead");
        let opens = ["when", "forbid", "allow", "instead"].iter().any(|word| self.is(word));
        if matches!(self.peek(), Tok::OpenPhrase) || opens || may_instead {
            return Ok(Ability::Clause(self.clause()?));
        }
        if self.eat_word("in") {
            let scope = self.name("a scope")?;
            return Ok(Ability::In { scope, abilities: self.ability_block()? });
        }
        if self.is("says") && matches!(self.peek_at(1), Tok::Str(_)) {
            self.next();
            let text = self.text("the text of the abilities below")?;
            return Ok(Ability::Says { text, abilities: self.ability_block()? });
        }
        if self.eat_word("treat_as") {
            let mut words = vec![self.subtype_or_title()?];
            while self.eat(&Tok::Comma) {
                words.push(self.subtype_or_title()?);
            }
            self.end_of_line()?;
            return Ok(Ability::TreatAs(words));
        }
        match (self.peek(), self.peek_at(1)) {
            (Tok::Name(_), Tok::Open) if !self.is("each") => {
                let name = self.name("a template")?;
                let args = self.args()?;
                if self.is("gets") || self.is("gains") {
                    let expr = Expr { span: name.span, kind: Box::new(ExprKind::Call(name, args)) };
                    return Ok(Ability::Clause(self.gets_or_gains(start, expr)?));
                }
                self.end_of_line()?;
                Ok(Ability::Template { name, args, span: start })
            }
            (Tok::Name(_), Tok::Newline) => {
                let name = self.name("a template")?;
                self.end_of_line()?;
                Ok(Ability::Template { name, args: Vec::new(), span: start })
            }
            (Tok::Name(_), Tok::Name(word)) if word == "gets" || word == "gains" => Ok(Ability::Clause(self.clause()?)),
            (Tok::Name(_), Tok::Dot) => Ok(Ability::Clause(self.clause()?)),
            _ => Ok(Ability::Use(self.use_ability()?)),
        }
    }

    fn subtype_or_title(&mut self) -> Res<Expr> {
        let span = self.span();
        let kind = match self.peek() {
            Tok::Str(_) => ExprKind::Str(self.text("a title")?.text),
            _ => ExprKind::Name(self.name("a subtype or a title")?.text),
        };
        Ok(Expr { kind: Box::new(kind), span })
    }

    /// `:` and abilities below it.
    fn ability_block(&mut self) -> Res<Vec<Ability>> {
        self.expect(Tok::Colon)?;
        self.end_of_line()?;
        self.expect(Tok::Indent)?;
        let mut abilities = Vec::new();
        while !self.eat(&Tok::Dedent) {
            abilities.push(self.deeper(Self::ability)?);
        }
        Ok(abilities)
    }

    /// `TIMING[(ARGS)] [if EXPR] [once per PERIOD [shared]]`
    fn timed(&mut self) -> Res<Timed> {
        let name = self.name("a timing")?;
        let args = if *self.peek() == Tok::Open { self.args()? } else { Vec::new() };
        let test = if self.eat_word("if") { Some(self.expr()?) } else { None };
        let limit = if self.is("once") { Some(self.limit()?) } else { None };
        Ok(Timed { name, args, test, limit })
    }

    fn use_ability(&mut self) -> Res<Use> {
        let start = self.span();
        let kind = self.name("an ability")?;
        let timing = if matches!(self.peek(), Tok::Name(word) if !["pay", "require", "target"].contains(&word.as_str())) {
            Some(self.timed()?)
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

    /// `pay COST, COST(ARGS) [as NAME]`
    pub(super) fn costs(&mut self) -> Res<Vec<Paid>> {
        self.expect_word("pay")?;
        let mut costs = Vec::new();
        loop {
            let cost = self.name("a cost")?;
            let args = if *self.peek() == Tok::Open { self.args()? } else { Vec::new() };
            let took = if self.eat_word("as") { Some(self.name("a name for what it takes")?) } else { None };
            costs.push(Paid { cost, args, took });
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
            let limit = if self.is("once") { Some(self.limit()?) } else { None };
            let class = if self.eat_word("as") { Some(self.name("a class of triggers")?) } else { None };
            let cites = self.cites();
            self.expect(Tok::Colon)?;
            let span = start.to(self.last_span());
            let body = self.block_or_line()?;
            return Ok(Clause { kind: ClauseKind::When { event, params, test, limit, class, body }, when: None, cites, span });
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
        if self.is("instead") || self.is("may") {
            return self.instead(start);
        }
        let subject = self.expr()?;
        self.gets_or_gains(start, subject)
    }

    /// `[may] instead of PROGRAM(NAMES) [if EXPR] [QUESTION]: ...`
    fn instead(&mut self, start: Span) -> Res<Clause> {
        let free = self.eat_word("may");
        self.expect_word("instead")?;
        self.expect_word("of")?;
        let program = self.name("a program that can be replaced")?;
        let params = self.binders()?;
        let test = if self.eat_word("if") { Some(self.expr()?) } else { None };
        let may = if free { Some(self.question()?) } else { None };
        let cites = self.cites();
        self.expect(Tok::Colon)?;
        let span = start.to(self.last_span());
        let body = self.block_or_line()?;
        Ok(Clause { kind: ClauseKind::Instead { program, params, test, may, body }, when: None, cites, span })
    }

    fn gets_or_gains(&mut self, start: Span, subject: Expr) -> Res<Clause> {
        if !self.eat_word("gains") {
            return self.gets(start, subject);
        }
        let when = if self.eat_word("while") { Some(self.expr()?) } else { None };
        let cites = self.cites();
        self.expect(Tok::Colon)?;
        let span = start.to(self.last_span());
        self.end_of_line()?;
        self.expect(Tok::Indent)?;
        let mut abilities = Vec::new();
        while !self.eat(&Tok::Dedent) {
            abilities.push(self.deeper(Self::ability)?);
        }
        Ok(Clause { kind: ClauseKind::Gains { subject, abilities }, when, cites, span })
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
            if self.is("unreduced") || self.is("unmodified") {
                let change = if self.eat_word("unreduced") {
                    Change::Unreduced
                } else {
                    self.next();
                    Change::Unmodified
                };
                let by_opponent = self.eat_word("by");
                if by_opponent {
                    self.expect_word("opponent")?;
                }
                let by = Expr { span: stat.span, kind: Box::new(ExprKind::Int(i32::from(by_opponent))) };
                changes.push(Gets { stat, what, change, by });
                if !self.eat(&Tok::Comma) {
                    break;
                }
                continue;
            }
            let change = match self.next().tok {
                Tok::Plus => Change::Add,
                Tok::Minus => Change::Subtract,
                Tok::Star => Change::Multiply,
                Tok::Equal => Change::Set,
                Tok::AtLeast => Change::AtLeast,
                Tok::AtMost => Change::AtMost,
                _ => {
                    self.at -= 1;
                    return self.wrong("`+`, `-`, `*`, `=`, `>=` or `<=` and an amount, `unreduced` or `unmodified`");
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
