//! Statements: what is done, by whom. Each is a claim, so that it can be told as an order, as something one may do or as a condition.

use super::English;
use super::claims::Claim;
use super::clauses::may_choose;
use super::said::{Number, Person, Said};
use super::words::{capital, joined, sentence, until};
use crate::ast::*;
use crate::compile::{Does, spaced};
use crate::types::Ty;

impl English<'_> {
    /// A body inside a sentence: "tap that unit, then draw a card".
    pub(crate) fn speak(&mut self, body: &[Stmt]) -> String {
        let lines = self.orders(body);
        chained(lines)
    }

    /// What is asked where something may be done: "You may tap that unit".
    pub(crate) fn speak_may(&mut self, body: &[Stmt]) -> String {
        capital(&self.allowed(&Said::you(), body))
    }

    pub(super) fn allowed(&mut self, who: &Said, body: &[Stmt]) -> String {
        let mut claims = self.claims_of(body).into_iter();
        let first = claims.next().map_or_else(|| format!("{} may", who.text), |first| first.allowed_to(who));
        chained(std::iter::once(first).chain(claims.map(|claim| claim.order())).collect())
    }

    /// The statements of a body that say something, as orders.
    pub(super) fn orders(&mut self, body: &[Stmt]) -> Vec<String> {
        // What you choose is told where something is done with it.
        let chosen = body.iter().enumerate().find_map(|(at, stmt)| match &stmt.kind {
            StmtKind::Choose { name, how, from, question: Question { by: None, .. } } if *how != HowMany::OneOrNone => {
                Some((at, name, how, from))
            }
            _ => None,
        });
        if let Some((at, name, how, from)) = chosen.filter(|(at, ..)| at + 1 < body.len()) {
            let mut lines = self.orders(&body[..at]);
            let what = self.choose_what(how, from);
            self.speaker.choices.insert(name.text.clone());
            let later = self.again(from, *how != HowMany::One);
            lines.extend(self.speak_aimed(name, &what, later, |english| english.orders(&body[at + 1..])));
            return lines;
        }
        // Behind what somebody else does, what you do is told with you.
        let mut others = false;
        let told = self.claims_of(body).into_iter().map(|claim| {
            let order = if others { claim.text() } else { claim.order() };
            others |= claim.subject().is_some_and(|subject| subject.person == Person::Player);
            order
        });
        told.collect()
    }

    fn claims_of(&mut self, body: &[Stmt]) -> Vec<Claim> {
        let mut claims = Vec::new();
        for stmt in body {
            match self.told_program(stmt) {
                Some(told) => claims.extend(told),
                None => claims.push(self.speak_statement(stmt)),
            }
        }
        claims.retain(|claim| !claim.text().is_empty());
        claims
    }

    /// What a program without English does that a statement calls.
    fn told_program(&mut self, stmt: &Stmt) -> Option<Vec<Claim>> {
        let (call, result) = match &stmt.kind {
            StmtKind::Call(call) => (call, None),
            StmtKind::Let(result, call) => (call, Some(result)),
            _ => return None,
        };
        let ExprKind::Call(name, args) = &*call.kind else { return None };
        self.told(&name.text, args, |english, told| {
            let Does::Program(body) = &told.does else { return None };
            let claims = english.claims_of(body);
            if let (Some(result), Some(Stmt { kind: StmtKind::Return(Some(value)), .. })) = (result, body.last()) {
                let said = english.noun(value, Number::One);
                english.speaker.name(result, said);
            }
            Some(claims)
        })
        .flatten()
    }

    fn speak_statement(&mut self, stmt: &Stmt) -> Claim {
        match &stmt.kind {
            StmtKind::Let(name, expr) => self.speak_let(name, expr),
            StmtKind::Choose { name, how, from, question } => self.speak_choose(name, how, from, question.by.as_ref()),
            StmtKind::Number { name, least, most, question: Question { by, .. } } => {
                let (least, most) = (self.noun(least, Number::One).text, self.noun(most, Number::One).text);
                self.speaker.name(name, Said::value("that number"));
                Claim::does(self.player(by.as_ref()), "chooses", format!("a number from {least} to {most}"))
            }
            StmtKind::Order { name, from, question: Question { by, .. } } => {
                let what = self.noun(from, Number::Many);
                self.speaker.name(name, what.clone());
                Claim::does(self.player(by.as_ref()), "puts", format!("{} in any order", what.text))
            }
            StmtKind::May { question: Question { by, .. }, body } => {
                let who = self.player(by.as_ref());
                Claim::whole(self.allowed(&who, body))
            }
            StmtKind::With(_, body) => Claim::whole(self.speak(body)),
            StmtKind::Then(body) => Claim::whole(format!("then, {}", self.speak(body))),
            StmtKind::OneOf { branches, question: Question { by, .. } } => {
                let options: Vec<String> = branches.iter().map(|(_, _, body)| self.speak(body)).collect();
                Claim::does(self.player(by.as_ref()), "chooses", format!("one: {}", joined(&options, "or")))
            }
            StmtKind::If(arms, otherwise) => Claim::whole(self.speak_if(arms, otherwise.as_deref())),
            StmtKind::Unless(test, body) => {
                let test = self.truth(test).text();
                Claim::whole(format!("{} unless {test}", self.speak(body)))
            }
            StmtKind::While(test, body) => {
                let test = self.truth(test).text();
                Claim::whole(format!("as long as {test}, {}", self.speak(body)))
            }
            StmtKind::For(name, list, body) => Claim::whole(self.speak_for(name, list, body)),
            StmtKind::Until(period, clause) => Claim::whole(self.clause_for(clause, &until(&period.text))),
            StmtKind::Once(clause) => {
                let clause = self.speak_clause(clause);
                Claim::whole(clause.strip_prefix("when ").map_or(clause.clone(), |clause| format!("the next time {clause}")))
            }
            StmtKind::Call(expr) => match &*expr.kind {
                ExprKind::Call(name, args) => self.verb(name, args),
                _ => Claim::whole(""),
            },
            StmtKind::Assign(target, change, value) => self.speak_change(target, *change, value),
            // What only prepares or keeps the books is not told.
            StmtKind::Cite | StmtKind::Return(_) | StmtKind::Emit(..) | StmtKind::End(_) => Claim::whole(""),
            StmtKind::Run(_) | StmtKind::Resolve(_) | StmtKind::Drop(_) => Claim::whole(""),
            StmtKind::Repeat(what, by) => {
                let what = self.noun(what, Number::One).text;
                Claim::does(self.player(by.as_ref()), "repeats", format!("the effect of {what}"))
            }
            StmtKind::Win(player) => match &*player.kind {
                ExprKind::Name(none) if none == "none" => Claim::whole("the game ends in a draw"),
                _ => Claim::does(self.player(Some(player)), "wins", "the game"),
            },
        }
    }

    fn speak_let(&mut self, name: &Name, expr: &Expr) -> Claim {
        // What a verb gives back is called by its sort.
        if let ExprKind::Call(verb, args) = &*expr.kind
            && let Some(callee) = self.names.procs.get(&verb.text)
            && callee.says.is_some()
        {
            let later = match callee.result {
                Ty::Num => Said::value("the total"),
                Ty::Card => Said::one("that card"),
                Ty::Cards => Said::many("those cards"),
                _ => Said::one("that"),
            };
            let said = self.verb(verb, args);
            self.speaker.name(name, later);
            return said;
        }
        let noun = self.noun(expr, Number::One);
        self.speaker.name(name, noun);
        Claim::whole("")
    }

    fn speak_choose(&mut self, name: &Name, how: &HowMany, from: &Expr, by: Option<&Expr>) -> Claim {
        let who = self.player(by);
        // What an opponent chooses of their own is theirs.
        self.speaker.theirs = who == Said::opponent();
        let what = self.choose_what(how, from);
        self.speaker.theirs = false;
        let many = !matches!(how, HowMany::One | HowMany::OneOrNone);
        self.speaker.choices.insert(name.text.clone());
        let later = self.again(from, many);
        self.speaker.name(name, later);
        may_choose(&who, matches!(how, HowMany::OneOrNone), &what)
    }

    fn speak_if(&mut self, arms: &[(Expr, Vec<Stmt>)], otherwise: Option<&[Stmt]>) -> String {
        let mut parts = Vec::new();
        for (at, (test, body)) in arms.iter().enumerate() {
            let test = self.truth(test).text();
            let body = self.speak(body);
            if !body.is_empty() {
                parts.push(format!("{}if {test}, {body}", if at > 0 { "otherwise, " } else { "" }));
            }
        }
        if let ([one], None) = (&parts[..], otherwise) {
            return one.clone();
        }
        if let Some(body) = otherwise {
            let body = self.speak(body);
            parts.push(format!("otherwise, {body}"));
        }
        // The first of them goes on a sentence that may have begun.
        let [first, rest @ ..] = &parts[..] else { return String::new() };
        rest.iter().fold(format!("{first}."), |text, part| format!("{text} {}", sentence(part)))
    }

    fn speak_for(&mut self, name: &Name, list: &Expr, body: &[Stmt]) -> String {
        let each = self.noun(list, Number::Each);
        // "Retreat each of your units" reads better than "for each of your units, retreat that unit".
        if let [Stmt { kind: StmtKind::Call(_) | StmtKind::Until(..) | StmtKind::Assign(..), .. }] = body {
            let each = if each.person == Person::Many { Said::one(format!("each of {}", each.text)).with_more() } else { each };
            self.speaker.name(name, each);
            return self.speak(body);
        }
        let one = self.again(list, false);
        self.speaker.name(name, one);
        format!("for {}: {}", each.text, self.speak(body))
    }

    fn speak_change(&mut self, target: &Expr, change: Change, value: &Expr) -> Claim {
        let ExprKind::Field(of, field) = &*target.kind else { return Claim::whole("") };
        let (of, value) = (self.noun(of, Number::One), self.noun(value, Number::One));
        let field = self.names.counters.get(&field.text).map_or_else(|| spaced(&field.text), |(english, _)| english.clone());
        let counters = if value.text == "1" { "counter" } else { "counters" };
        let says = match change {
            Change::Add => format!("put {{n}} {field} {counters} on {{of}}"),
            Change::Subtract => format!("remove {{n}} {field} {counters} from {{of}}"),
            _ => format!("{{of}} has {{n}} {field}"),
        };
        self.fill_with(&says, &mut |_, name, _| if name == "n" { value.clone() } else { of.clone() })
    }

    pub(super) fn verb(&mut self, name: &Name, args: &[Expr]) -> Claim {
        if let Some(callee) = self.names.procs.get(&name.text) {
            let Some(says) = &callee.says else {
                // Rules programs need no English; a card may only use what can be printed.
                self.no_english("program", name);
                return Claim::whole("");
            };
            let says = says.text.clone();
            let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
            return self.fill(&says, &named);
        }
        let said: Vec<Said> = args.iter().map(|arg| self.object(arg)).collect();
        let spoken: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
        Claim::whole(match (name.text.as_str(), &spoken[..]) {
            ("place", [card, zone]) => format!("put {card} into {zone}"),
            ("place_down", [card, zone]) => format!("put {card} face down into {zone}"),
            ("place_beside", [card, other]) => format!("put {card} beside {other}"),
            ("take_over", [_, old]) => return Claim::does(said[0].clone(), "takes", format!("the place of {old}")),
            ("give", [card, _]) => return Claim::does(said[1].clone(), "gains", *card),
            ("place_bottom", [card, zone]) => format!("put {card} on the bottom of {zone}"),
            ("attach", [card, to, ..]) => format!("put {card} on {to}"),
            ("attach_down", [card, to, ..]) => format!("put {card} face down on {to}"),
            ("turn_up", [card]) => format!("turn {card} face up"),
            ("turn_down", [card]) => format!("turn {card} face down"),
            ("control", [card, _]) => return Claim::does(said[1].clone(), "gains", format!("control of {card}")),
            ("shuffle", [zone]) => format!("shuffle {zone}"),
            ("reveal", [cards]) => format!("reveal {cards}"),
            ("reveal_to", [cards, player]) => format!("show {cards} to {player}"),
            _ => String::new(),
        })
    }

    /// What is done to all of a list is done to each of its things.
    fn object(&mut self, arg: &Expr) -> Said {
        match &*arg.kind {
            ExprKind::Field(zone, cards) if cards.text == "cards" => {
                Said::many(format!("the cards in {}", self.noun(zone, Number::One).text))
            }
            ExprKind::Phrase(_) => self.noun(arg, Number::Each),
            _ => self.noun(arg, Number::One),
        }
    }

    fn player(&mut self, by: Option<&Expr>) -> Said {
        by.map_or_else(Said::you, |by| self.noun(by, Number::One))
    }
}

/// Orders in one sentence; "if you do" starts a sentence of its own.
fn chained(lines: Vec<String>) -> String {
    let chain = |text: String, line: String| {
        let line = line.strip_prefix("then, ").unwrap_or(&line);
        if line.starts_with("if ") || line.starts_with("If ") {
            format!("{text}. {}", capital(line))
        } else if text.ends_with('.') {
            format!("{text} {}", capital(line))
        } else {
            format!("{text}, then {line}")
        }
    };
    lines.into_iter().filter(|line| !line.is_empty()).reduce(chain).unwrap_or_default()
}
