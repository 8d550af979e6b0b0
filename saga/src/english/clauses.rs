//! Clauses: what gets a value, what can and cannot be done, what happens when.

use super::English;
use super::claims::Claim;
use super::named::{NamedParams, conjuncts};
use super::nouns::value_for;
use super::said::{Number, Said};
use super::truths::Truth;
use super::words::{agreeing, joined, plain_verb};
use crate::ast::*;
use crate::compile::{PermissionNames, spaced};
use crate::types::Ty;

/// A clause in its parts, so that what stands around it (a period, a condition) finds its place.
#[derive(Default)]
pub(super) struct Spoken {
    /// What it speaks of, where a condition could leave it out.
    subject: Option<Said>,
    what: String,
    /// A condition that stands behind: "if it is your turn".
    condition: String,
}

impl English<'_> {
    /// A clause without its full stop.
    pub(crate) fn speak_clause(&mut self, clause: &Clause) -> String {
        self.clause_for(clause, "")
    }

    /// A clause that holds for a time.
    pub(super) fn clause_for(&mut self, clause: &Clause, period: &str) -> String {
        let spoken = match &clause.kind {
            ClauseKind::Gets { subject, changes, cumulative } => self.speak_gets(subject, changes, *cumulative),
            ClauseKind::Permit { allow, name, params, test, .. } => self.speak_permit(*allow, name, params, test.as_ref()),
            ClauseKind::When { event, params, test, limit, body, .. } => {
                self.speak_when(event, params, test.as_ref(), limit.as_ref(), body)
            }
            ClauseKind::Instead { program, params, test, may, body } => {
                self.speak_instead(program, params, test.as_ref(), may.is_some(), body)
            }
            ClauseKind::Gains { subject, abilities } => self.speak_gains(subject, abilities),
        };
        // What speaks of an unknown name has no text at all.
        if spoken.what.is_empty() {
            return String::new();
        }
        // What happens in that time is told behind it, what holds for it before it.
        let leads = matches!(clause.kind, ClauseKind::When { .. }) && !period.is_empty();
        let lead = if leads { format!("{period}, ") } else { String::new() };
        let period = if period.is_empty() || leads { String::new() } else { format!(" {period}") };
        // "+X power this turn, where X is ..."
        let (what, amount) = spoken.what.split_at(spoken.what.rfind(", where X is ").unwrap_or(spoken.what.len()));
        let text = format!("{lead}{what}{period}{amount}{}", spoken.condition);
        match clause.when.as_ref().map(|when| self.truth(when)).filter(|when| !when.text().is_empty()) {
            Some(when) => self.while_it_holds(&when, spoken.subject.as_ref(), &text),
            None => text,
        }
    }

    fn while_it_holds(&self, when: &Truth, subject: Option<&Said>, text: &str) -> String {
        if let Some(behind) = subject.and_then(|subject| when.while_of(subject)) {
            return format!("{text} {behind}");
        }
        match when.unless() {
            Some(holds) => format!("unless {}, {text}", holds.text()),
            None => format!("while {}, {text}", when.text()),
        }
    }

    fn speak_gets(&mut self, subject: &Expr, changes: &[Gets], cumulative: bool) -> Spoken {
        let who = self.noun(subject, Number::Each);
        let mut gets = Vec::new();
        let mut predicates = Vec::new();
        // `it` in the English of a value, and in an amount, is what gets it.
        let outer = self.speaker.names.insert("it".into(), Said::it());
        for Gets { stat, what, change, by } in changes {
            let Some(english) = self.names.stat_english.get(&stat.text).cloned() else { continue };
            let what = what.as_ref().map(|what| self.noun(what, Number::One));
            let english = value_for(&english, what.as_ref(), self.names.stat_params.get(&stat.text).map(|(param, _)| param.as_str()));
            let english = self.fill_with(&english, &mut |_, name, _| if name == "it" { who.again() } else { Said::one(name) }).text();
            let flag = self.names.facts.get(&stat.text).is_some_and(|(_, flag)| *flag);
            if let Change::Unreduced | Change::Unmodified = change {
                let how = if *change == Change::Unreduced { "reduced" } else { "modified" };
                let by = if matches!(&*by.kind, ExprKind::Int(0)) {
                    String::new()
                } else {
                    format!(" by {}", self.owner(Owner::Opponents).text)
                };
                let whose = if who.is_you() { "your" } else { "its" };
                predicates.push(format!("can't have {} {english} {how}{by}", whose));
            } else if self.names.predicates.contains(&stat.text) {
                let (verb, rest) = english.split_once(' ').map_or((english.as_str(), ""), |(verb, rest)| (verb, rest));
                predicates.push(format!("{} {rest}", agreeing(verb, who.person)).trim_end().to_string());
            } else if *change == Change::Add && flag {
                gets.push(english);
            } else if *change == Change::Add && self.names.keywords.contains(&stat.text) && english.starts_with(char::is_uppercase) {
                gets.push(format!("{english} {}", self.noun(by, Number::One).text));
            } else {
                gets.push(self.change(&english, *change, by));
            }
        }
        match outer {
            Some(outer) => self.speaker.names.insert("it".into(), outer),
            None => self.speaker.names.remove("it"),
        };
        share_ends(&mut gets);
        let mut parts = Vec::new();
        if !gets.is_empty() {
            parts.push(format!("{} {}", agreeing("gets", who.person), joined(&gets, "and")));
        }
        parts.extend(predicates);
        let cumulatively = if cumulative { ", cumulatively" } else { "" };
        Spoken { what: format!("{} {}{cumulatively}", who.text, joined(&parts, "and")), subject: Some(who), condition: String::new() }
    }

    fn speak_permit(&mut self, allow: bool, name: &Name, params: &[Name], test: Option<&Expr>) -> Spoken {
        let Some(PermissionNames { params: types, says, .. }) = self.names.permissions.get(&name.text) else {
            return Spoken::default();
        };
        let (types, says) = (types.clone(), says.text.clone());
        let NamedParams { mut said, free, rest } = self.name_params(&says, &types, params, test, Number::Many);
        // "no unit can attack it", where it is forbidden to all.
        let first = types.first().map(|(own, _)| own.clone()).unwrap_or_default();
        let none = !allow && rest.is_empty() && free.contains(&first) && says.starts_with(&format!("{{{first}}} {{can}}"));
        if none && let Some((_, own)) = said.iter_mut().find(|(own, _)| *own == first) {
            *own = match own.text.as_str() {
                "a player" => Said::one("no player"),
                _ => Said::one(format!("no {}", self.something().one)),
            };
        }
        let says = says.replace("{can}", if allow || none { "can" } else { "can't" });
        let what = self.fill_with(&says, &mut |_, name, _| said_of(&said, name)).text();
        Spoken { what, condition: if_all(&rest), subject: None }
    }

    fn speak_when(&mut self, event: &Name, params: &[Name], test: Option<&Expr>, limit: Option<&Limit>, body: &[Stmt]) -> Spoken {
        let when = limit.map_or_else(|| "when".to_string(), |limit| format!("the first time each {}", spaced(&limit.period.text)));
        let Some((_, types)) = self.names.events.get(&event.text) else { return Spoken::default() };
        let types = types.clone();
        let unnamed = spaced(&event.text);
        // The English of an event is its log text, with holes by name.
        let mut says = self.names.event_english.get(&event.text).cloned().unwrap_or_else(|| unnamed.clone());
        if says == unnamed {
            return self.speak_unnamed(&when, &unnamed, &types, params, test, body);
        }
        let NamedParams { said, rest, free } = self.name_params(&says, &types, params, test, Number::One);
        let body = self.speak(body);
        for own in free {
            let given = types.iter().position(|(name, _)| *name == own).and_then(|at| params.get(at));
            if given.is_none_or(|given| !self.speaker.mentioned.contains(&given.text)) {
                says = without_place(&says, &own);
            }
        }
        // A log that names what begins, a phase, says no more.
        if says.starts_with('{') && says.find('}') == Some(says.len() - 1) {
            says = format!("the {says} begins");
        }
        let happens = self.fill_with(&says, &mut |_, name, _| said_of(&said, name)).text();
        let conditions = if rest.is_empty() { String::new() } else { format!(",{}", if_all(&rest)) };
        Spoken { what: format!("{when} {happens}{conditions}, {body}"), ..Spoken::default() }
    }

    /// "if this unit would be lost, you may return it to your hand instead"
    fn speak_instead(&mut self, program: &Name, params: &[Name], test: Option<&Expr>, may: bool, body: &[Stmt]) -> Spoken {
        let (Some(would), Some(callee)) = (self.names.woulds.get(&program.text), self.names.procs.get(&program.text)) else {
            return Spoken::default();
        };
        let (would, types) = (would.text.clone(), callee.params.clone());
        let NamedParams { said, rest, .. } = self.name_params(&would, &types, params, test, Number::One);
        let happens = self.fill_with(&would, &mut |_, name, _| said_of(&said, name)).text();
        let conditions = if rest.is_empty() { String::new() } else { format!(" and {}", Truth::all(rest).text()) };
        let done = if may { self.allowed(&Said::you(), body) } else { self.speak(body) };
        Spoken { what: format!("if {happens}{conditions}, {done} instead"), ..Spoken::default() }
    }

    /// "each of your Jedi gains \"...\""
    fn speak_gains(&mut self, subject: &Expr, abilities: &[Ability]) -> Spoken {
        let who = self.noun(subject, Number::Each);
        let outer = self.speaker.clone();
        self.speaker.own = self.called_alone(subject);
        let mut said = Vec::new();
        for ability in abilities {
            said.push(format!("\"{}\"", self.ability(ability)));
        }
        *self.speaker = outer;
        let what = format!("{} {} {}", who.text, agreeing("gains", who.person), joined(&said, "and"));
        Spoken { what, subject: Some(who), condition: String::new() }
    }

    /// What one of these cards calls itself: "this unit".
    pub(crate) fn called_alone(&mut self, subject: &Expr) -> String {
        let that = self.again(subject, false).text;
        that.strip_prefix("that ").map_or_else(|| "this card".into(), |noun| format!("this {noun}"))
    }

    /// An event whose English has no place for what it happens to: all that is asked of that is told, and the event by its
    /// conditions, where these are sentences of their own.
    fn speak_unnamed(
        &mut self,
        when: &str,
        event: &str,
        types: &[(String, Ty)],
        params: &[Name],
        test: Option<&Expr>,
        body: &[Stmt],
    ) -> Spoken {
        self.name_params("", types, params, None, Number::One);
        let conditions = test.map(conjuncts).unwrap_or_default();
        let own = |test: &&Expr| matches!(&*test.kind, ExprKind::Call(name, _) if self.names.functions.contains_key(&name.text));
        // An event that is about nothing only says when to look.
        let told = !conditions.is_empty() && (types.is_empty() || conditions.iter().all(own));
        let body = self.speak(body);
        let truths: Vec<Truth> = conditions.into_iter().map(|test| self.truth(test)).collect();
        let what = match (told, truths.is_empty()) {
            (true, _) => format!("{when} {}, {body}", Truth::all(truths).text()),
            (false, true) => format!("{when} {event}, {body}"),
            (false, false) => format!("{when} {event},{}, {body}", if_all(&truths)),
        };
        Spoken { what, ..Spoken::default() }
    }

    /// Of several clauses in a row those are one sentence that change values of one thing under one condition.
    pub(super) fn joined_clauses(&mut self, abilities: &[Ability]) -> Vec<Ability> {
        let mut all: Vec<Ability> = Vec::new();
        for ability in abilities {
            if let (Some(Ability::Clause(before)), Ability::Clause(clause)) = (all.last_mut(), ability)
                && self.same_condition(before, clause)
                && let (ClauseKind::Gets { subject, changes, cumulative }, ClauseKind::Gets { subject: other, changes: more, .. }) =
                    (&mut before.kind, &clause.kind)
            {
                if self.noun(subject, Number::Each) == self.noun(other, Number::Each) {
                    changes.extend(more.iter().cloned());
                    continue;
                }
                // Two things that get the same.
                let (one, two) = (self.speak_gets(subject, changes, *cumulative), self.speak_gets(subject, more, *cumulative));
                if one.what == two.what {
                    let span = subject.span;
                    *subject = Expr { kind: Box::new(ExprKind::Bin(Bin::Join, subject.clone(), other.clone())), span };
                    continue;
                }
            }
            all.push(ability.clone());
        }
        all
    }

    /// Two conditions are the same where their words are.
    fn same_condition(&mut self, a: &Clause, b: &Clause) -> bool {
        let (ClauseKind::Gets { cumulative, .. }, ClauseKind::Gets { cumulative: too, .. }) = (&a.kind, &b.kind) else {
            return false;
        };
        let mut while_what = |clause: &Clause| clause.when.as_ref().map(|when| self.truth(when).text());
        cumulative == too && while_what(a) == while_what(b)
    }
}

/// Where something happens goes unsaid, where nothing is said of the place: "wins the battle", not "wins the battle at a card".
fn without_place(says: &str, param: &str) -> String {
    let places = ["at", "on", "to", "with", "from", "against"].map(|place| format!(" {place} {{{param}}}"));
    places.iter().fold(says.to_string(), |says, place| says.replace(place, ""))
}

fn said_of(said: &[(String, Said)], name: &str) -> Said {
    said.iter().find(|(own, _)| own == name).map_or_else(|| Said::one(name), |(_, said)| said.clone())
}

fn if_all(rest: &[Truth]) -> String {
    match rest {
        [] => String::new(),
        [one] => format!(" if {}", one.text()),
        several => format!(" if {}", Truth::all(several.to_vec()).text()),
    }
}

/// "+1 power and +1 forfeit for each unit here": what several changes end with is said once.
fn share_ends(gets: &mut [String]) {
    let ends =
        |first: &String| [" for each ", ", where X is ", " to "].iter().find_map(|end| first.find(end)).map(|at| first[at..].to_string());
    let Some(end) = gets.first().and_then(ends) else { return };
    if gets.iter().all(|get| get.ends_with(&end)) {
        let last = gets.len() - 1;
        for get in &mut gets[..last] {
            get.truncate(get.len() - end.len());
        }
    }
}

/// A claim about what one may do.
pub(super) fn may_choose(who: &Said, may: bool, what: &str) -> Claim {
    if may { Claim::whole(format!("{} may {} {what}", who.text, plain_verb("chooses"))) } else { Claim::does(who.clone(), "chooses", what) }
}
