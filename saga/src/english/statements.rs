//! Statements: what is done, by whom.

use super::words::{capital, counters, joined, may, sentence, until};
use super::{English, Number};
use crate::ast::*;
use crate::compile::spaced;
use crate::diagnostics::Diagnostic;
use crate::types::Ty;

impl English<'_> {
    /// A body inside a sentence: "tap that unit, then draw a card".
    pub(crate) fn speak(&mut self, body: &[Stmt]) -> String {
        let lines: Vec<String> = body.iter().map(|stmt| self.speak_statement(stmt)).filter(|line| !line.is_empty()).collect();
        // "If you do" starts a sentence of its own.
        lines
            .into_iter()
            .reduce(|text, line| {
                let line = line.strip_prefix("then, ").unwrap_or(&line);
                if line.starts_with("if ") || line.starts_with("If ") {
                    format!("{text}. {}", capital(line))
                } else {
                    format!("{text}, then {line}")
                }
            })
            .unwrap_or_default()
    }

    pub(super) fn speak_statement(&mut self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Let(name, expr) => self.speak_let(name, expr),
            StmtKind::Choose { name, how, from, question } => self.speak_choose(name, how, from, question.by.as_ref()),
            StmtKind::Number { name, least, most, question: Question { by, .. } } => {
                let (least, most) = (self.noun(least, Number::One), self.noun(most, Number::One));
                self.speaker.names.insert(name.text.clone(), "that number".into());
                let (who, you) = self.player(by.as_ref());
                format!("{} a number from {least} to {most}", if you { "choose".into() } else { format!("{who} chooses") })
            }
            StmtKind::Order { name, from, question: Question { by, .. } } => {
                let what = self.noun(from, Number::Many);
                self.speaker.names.insert(name.text.clone(), what.clone());
                let (who, you) = self.player(by.as_ref());
                format!("{} {what} in any order", if you { "put".into() } else { format!("{who} puts") })
            }
            StmtKind::May { question: Question { by, .. }, body } => {
                let (who, _) = self.player(by.as_ref());
                let what = self.speak(body);
                may(&who, &what)
            }
            StmtKind::With(_, body) => self.speak(body),
            StmtKind::Then(body) => format!("then, {}", self.speak(body)),
            StmtKind::OneOf { branches, question: Question { by, .. } } => {
                let options: Vec<String> = branches.iter().map(|(_, _, body)| self.speak(body)).collect();
                let (who, you) = self.player(by.as_ref());
                format!("{} one: {}", if you { "choose".into() } else { format!("{who} chooses") }, joined(&options, "or"))
            }
            StmtKind::If(arms, otherwise) => self.speak_if(arms, otherwise.as_deref()),
            StmtKind::Unless(test, body) => {
                let test = self.truth(test);
                format!("{} unless {test}", self.speak(body))
            }
            StmtKind::While(test, body) => {
                let test = self.truth(test);
                format!("as long as {test}, {}", self.speak(body))
            }
            StmtKind::For(name, list, body) => self.speak_for(name, list, body),
            StmtKind::Until(period, clause) => {
                let clause = self.speak_clause(clause);
                let until = until(&period.text);
                // How long stands before the conditions.
                match clause.split_once(" if ") {
                    Some((what, condition)) => format!("{what} {until} if {condition}"),
                    None => format!("{clause} {until}"),
                }
            }
            StmtKind::Once(clause) => {
                let clause = self.speak_clause(clause);
                clause.replacen("when ", "the next time ", 1)
            }
            StmtKind::Call(expr) => match &*expr.kind {
                ExprKind::Call(name, args) => self.verb(name, args),
                _ => String::new(),
            },
            StmtKind::Assign(target, change, value) => self.speak_change(target, *change, value),
            StmtKind::Cite | StmtKind::Return(_) | StmtKind::Emit(..) | StmtKind::End(_) | StmtKind::Run(_) | StmtKind::Resolve(_) => {
                String::new()
            }
            StmtKind::Repeat(what, by) => {
                let what = self.noun(what, Number::One);
                let (who, you) = self.player(by.as_ref());
                if you { format!("repeat the effect of {what}") } else { format!("{who} repeats the effect of {what}") }
            }
            StmtKind::Win(player) => {
                let (who, you) = self.player(Some(player));
                format!("{who} {} the game", if you { "win" } else { "wins" })
            }
        }
    }

    fn speak_let(&mut self, name: &Name, expr: &Expr) -> String {
        // What a verb gives back is called by its sort.
        if let ExprKind::Call(verb, args) = &*expr.kind
            && let Some(callee) = self.names.procs.get(&verb.text)
            && callee.says.is_some()
        {
            let said = self.verb(verb, args);
            let later = if callee.result == Ty::Num { "the total" } else { "that" };
            self.speaker.names.insert(name.text.clone(), later.into());
            return said;
        }
        let noun = self.noun(expr, Number::One);
        self.speaker.names.insert(name.text.clone(), noun);
        String::new()
    }

    fn speak_choose(&mut self, name: &Name, how: &HowMany, from: &Expr, by: Option<&Expr>) -> String {
        let mut what = self.choose_what(how, from);
        if matches!(by.map(|by| &*by.kind), Some(ExprKind::Name(name)) if name == "opponent") {
            what = what.replace("your opponent's ", "their ");
        }
        let single = self.singular(from);
        let many = matches!(how, HowMany::UpTo(_) | HowMany::AtLeast(_) | HowMany::Any | HowMany::Exactly(_));
        self.speaker.choices.insert(name.text.clone());
        let later = if many { format!("those {}", self.plural(from)) } else { format!("that {single}") };
        self.speaker.names.insert(name.text.clone(), later);
        let (who, you) = self.player(by);
        let may = matches!(how, HowMany::OneOrNone);
        match (you, may) {
            (true, true) => format!("you may choose {what}"),
            (true, false) => format!("choose {what}"),
            (false, true) => format!("{who} may choose {what}"),
            (false, false) => format!("{who} chooses {what}"),
        }
    }

    fn speak_if(&mut self, arms: &[(Expr, Vec<Stmt>)], otherwise: Option<&[Stmt]>) -> String {
        let mut parts = Vec::new();
        for (at, (test, body)) in arms.iter().enumerate() {
            let test = self.truth(test);
            let body = self.speak(body);
            parts.push(format!("{}if {test}, {body}", if at > 0 { "otherwise, " } else { "" }));
        }
        if let ([one], None) = (&parts[..], otherwise) {
            return one.clone();
        }
        if let Some(body) = otherwise {
            let body = self.speak(body);
            parts.push(format!("otherwise, {body}"));
        }
        parts.iter().map(|part| sentence(part)).collect::<Vec<_>>().join(" ")
    }

    fn speak_for(&mut self, name: &Name, list: &Expr, body: &[Stmt]) -> String {
        let each = self.noun(list, Number::Each);
        let single = self.singular(list);
        self.speaker.names.insert(name.text.clone(), format!("that {single}"));
        // "Retreat each of your units" reads better than "for each of your units, retreat that unit".
        if let [Stmt { kind: StmtKind::Call(_) | StmtKind::Until(..) | StmtKind::Assign(..), .. }] = body {
            self.speaker.names.insert(name.text.clone(), each);
            return self.speak(body);
        }
        format!("for {each}: {}", self.speak(body))
    }

    fn speak_change(&mut self, target: &Expr, change: Change, value: &Expr) -> String {
        let value = self.noun(value, Number::One);
        match &*target.kind {
            ExprKind::Field(of, field) => {
                let (of, field) = (self.noun(of, Number::One), spaced(&field.text));
                match change {
                    Change::Add => format!("put {value} {field} {} on {of}", counters(&value)),
                    Change::Subtract => format!("remove {value} {field} {} from {of}", counters(&value)),
                    _ => format!("{of} has {value} {field}"),
                }
            }
            _ => String::new(),
        }
    }

    pub(super) fn verb(&mut self, name: &Name, args: &[Expr]) -> String {
        if let Some(callee) = self.names.procs.get(&name.text) {
            let Some(says) = &callee.says else {
                // Rules programs need no English; a card may only use what can be printed.
                if !self.speaker.title.is_empty() {
                    let problem = format!("the program `{}` has no English, so no card can use it", name.text);
                    self.problems.push(Diagnostic::new(name.span, problem));
                }
                return String::new();
            };
            let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
            return self.fill(says, &named);
        }
        let spoken: Vec<String> = args.iter().map(|arg| self.noun(arg, Number::One)).collect();
        match (name.text.as_str(), &spoken[..]) {
            ("place", [card, zone]) => format!("put {card} into {zone}"),
            ("place_down", [card, zone]) => format!("put {card} face down into {zone}"),
            ("place_beside", [card, other]) => format!("put {card} beside {other}"),
            ("take_over", [card, old]) => format!("{card} takes the place of {old}"),
            ("give", [card, player]) => format!("{player} gains {card}"),
            ("place_bottom", [card, zone]) => format!("put {card} on the bottom of {zone}"),
            ("attach", [card, to, ..]) => format!("put {card} on {to}"),
            ("attach_down", [card, to, ..]) => format!("put {card} face down on {to}"),
            ("turn_up", [card]) => format!("turn {card} face up"),
            ("turn_down", [card]) => format!("turn {card} face down"),
            ("control", [card, player]) => format!("{player} gains control of {card}"),
            ("shuffle", [zone]) => format!("shuffle {zone}"),
            ("reveal", [cards]) => format!("reveal {cards}"),
            ("reveal_to", [cards, player]) => format!("show {cards} to {player}"),
            _ => String::new(),
        }
    }

    fn player(&mut self, by: Option<&Expr>) -> (String, bool) {
        let who = by.map_or("you".into(), |by| self.noun(by, Number::One));
        let you = who == "you";
        (who, you)
    }
}
