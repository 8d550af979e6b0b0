//! Tests as half-sentences, and what they tell of the things in a sentence.

use super::English;
use super::claims::{Claim, Count, all_of};
use super::said::{Number, Person, Said};
use super::words::{for_many, joined};
use crate::ast::*;
use crate::compile::PermissionNames;

/// A test in words: a claim, or several of which all hold or any.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "few are made, and none is kept")]
pub(super) enum Truth {
    One(Claim),
    All(Vec<Truth>),
    Any(Vec<Truth>),
}

impl Truth {
    /// All of these, those that are several themselves taken apart.
    pub(super) fn all(truths: Vec<Truth>) -> Truth {
        let flat = truths.into_iter().flat_map(|truth| if let Truth::All(parts) = truth { parts } else { vec![truth] });
        let mut flat: Vec<Truth> = flat.collect();
        if flat.len() == 1 { flat.remove(0) } else { Truth::All(flat) }
    }

    pub(super) fn text(&self) -> String {
        let (parts, last) = match self {
            Truth::One(claim) => return claim.text(),
            Truth::All(parts) => (parts, "and"),
            Truth::Any(parts) => (parts, "or"),
        };
        match self.claims() {
            Some(claims) => all_of(&claims, last),
            // "A and B, or C"
            None => parts.iter().map(Truth::text).collect::<Vec<_>>().join(&format!(", {last} ")),
        }
    }

    /// Its claims, where they are joined in one way only.
    fn claims(&self) -> Option<Vec<Claim>> {
        match self {
            Truth::One(claim) => Some(vec![claim.clone()]),
            Truth::All(parts) | Truth::Any(parts) => {
                parts.iter().map(|part| if let Truth::One(claim) = part { Some(claim.clone()) } else { None }).collect()
            }
        }
    }

    pub(super) fn denied(self) -> Truth {
        let each = |parts: Vec<Truth>| parts.into_iter().map(Truth::denied).collect();
        match self {
            Truth::One(claim) => Truth::One(claim.denied()),
            Truth::All(parts) => Truth::Any(each(parts)),
            Truth::Any(parts) => Truth::All(each(parts)),
        }
    }

    /// "that is a Jedi or alone": which things are meant, for one and for many.
    pub(super) fn telling_which(&self) -> Vec<(String, String)> {
        match self {
            Truth::One(claim) => vec![claim.telling_which()],
            Truth::All(parts) => {
                let told: Vec<(String, String)> = parts.iter().flat_map(Truth::telling_which).collect();
                let and = |(at, (one, many)): (usize, (String, String))| {
                    if at > 0 { (format!("and {one}"), format!("and {many}")) } else { (one, many) }
                };
                told.into_iter().enumerate().map(and).collect()
            }
            Truth::Any(_) => {
                let it =
                    |claims: &Vec<Claim>| claims.iter().all(|claim| claim.subject().is_some_and(|subject| subject.person == Person::It));
                match self.claims().filter(it) {
                    None if self.is_of_it() => {
                        let told = format!("that {}", self.predicates());
                        vec![(told.clone(), for_many(&told))]
                    }
                    Some(claims) => vec![(that(&claims, Said::new("that", Person::It)), that(&claims, Said::many("that")))],
                    None => vec![(format!("where {}", self.text()), format!("where {}", self.text()))],
                }
            }
        }
    }

    /// The names of which it is one: "Luke or Leia" of "it is Luke or it is Leia".
    pub(super) fn names_of_it(&self) -> Option<String> {
        let claims = if let Truth::All(_) = self { return None } else { self.claims()? };
        let names: Option<Vec<String>> = claims.iter().map(|claim| claim.name_of_it().map(str::to_string)).collect();
        names.map(|names| joined(&names, "or"))
    }

    /// "while attacking a Jedi", where all of it is said of the subject of the sentence.
    pub(super) fn while_of(&self, subject: &Said) -> Option<String> {
        match self {
            Truth::One(claim) => claim.while_of(subject),
            Truth::All(_) | Truth::Any(_) => {
                let claims = self.claims()?;
                let own = |claim: &Claim| matches!(claim, Claim::Does { subject: own, verb, not: false, .. } if own.text == subject.text && verb == "is");
                let named = claims.iter().any(|claim| claim.while_of(subject).is_none_or(|said| said.starts_with("while it ")));
                if named {
                    return None;
                }
                claims.iter().all(own).then(|| {
                    let said = all_of(&claims, if matches!(self, Truth::Any(_)) { "or" } else { "and" });
                    format!("while{}", said.split_at(subject.text.len()).1.trim_start().trim_start_matches("is").trim_start_matches("are"))
                })
            }
        }
    }

    /// Whether all of it is said of "it".
    fn is_of_it(&self) -> bool {
        match self {
            Truth::One(claim) => claim.subject().is_some_and(|subject| subject.person == Person::It),
            Truth::All(parts) | Truth::Any(parts) => parts.iter().all(Truth::is_of_it),
        }
    }
    /// What is said of it, without naming it: "is a Fox and is awake, or has a lamp".
    fn predicates(&self) -> String {
        let (parts, last) = match self {
            Truth::One(claim) => return claim.predicate().unwrap_or_default(),
            Truth::All(parts) => (parts, "and"),
            Truth::Any(parts) => (parts, "or"),
        };
        let told: Vec<String> = parts.iter().map(Truth::predicates).collect();
        if matches!(self, Truth::Any(_)) && parts.iter().any(|part| matches!(part, Truth::All(_))) {
            told.join(", or ")
        } else {
            joined(&told, last)
        }
    }

    /// Whether it can be told by "unless": all of it is denied.
    pub(super) fn unless(&self) -> Option<Truth> {
        match self {
            Truth::One(Claim::Does { not: true, .. } | Claim::Whole { not: true, .. }) => Some(self.clone().denied()),
            _ => None,
        }
    }
}

/// Where `title_has` and its like look for a word.
fn part_of_card(function: &str) -> Option<&'static str> {
    match function {
        "title_has" => Some("title"),
        "text_has" => Some("text"),
        "lore_has" => Some("lore"),
        _ => None,
    }
}

fn that(claims: &[Claim], subject: Said) -> String {
    let with_subject = |claim: &Claim| match claim.clone() {
        Claim::Does { verb, rest, not, .. } => Claim::Does { subject: subject.clone(), verb, rest, not },
        other => other,
    };
    all_of(&claims.iter().map(with_subject).collect::<Vec<_>>(), "or")
}

impl English<'_> {
    /// A test as a half-sentence: "you have a Jedi in the Character arena".
    pub(super) fn truth(&mut self, expr: &Expr) -> Truth {
        match &*expr.kind {
            ExprKind::Bin(Bin::And, ..) => Truth::All(self.conjuncts(expr, Bin::And)),
            ExprKind::Bin(Bin::Or, ..) => Truth::Any(self.conjuncts(expr, Bin::Or)),
            ExprKind::Not(inner) => self.truth(inner).denied(),
            ExprKind::Name(name) if self.aliases.contains_key(name) => {
                self.aliased(name, |english, argument| english.truth(argument)).unwrap_or(Truth::All(Vec::new()))
            }
            ExprKind::Name(name) if self.is_told(name) => self.told_truth(name, &[]),
            ExprKind::Call(name, args) if self.is_told(&name.text) && !self.names.procs.contains_key(&name.text) => {
                self.told_truth(&name.text, args)
            }
            ExprKind::Field(of, name) if self.is_told(&name.text) => self.told_truth(&name.text, std::slice::from_ref(of)),
            _ => Truth::One(self.claim(expr)),
        }
    }

    fn told_truth(&mut self, name: &str, args: &[Expr]) -> Truth {
        self.told_value(name, args, |english, body| english.truth(body)).unwrap_or(Truth::All(Vec::new()))
    }

    fn conjuncts(&mut self, expr: &Expr, op: Bin) -> Vec<Truth> {
        match &*expr.kind {
            ExprKind::Bin(own, a, b) if *own == op => {
                let mut all = self.conjuncts(a, op);
                all.extend(self.conjuncts(b, op));
                all
            }
            _ => match self.truth(expr) {
                // What has no English on purpose goes without saying.
                Truth::One(claim) if op == Bin::And && claim.text().is_empty() => Vec::new(),
                Truth::All(parts) if op == Bin::And => parts,
                Truth::Any(parts) if op == Bin::Or => parts,
                other => vec![other],
            },
        }
    }

    fn claim(&mut self, expr: &Expr) -> Claim {
        match &*expr.kind {
            ExprKind::Is(of, word, negated) => {
                // An icon is carried: "has [Endor]".
                let said = self.word_text(&word.text);
                let of = self.noun(of, Number::One);
                let claim =
                    if said.starts_with('[') { Claim::does(of, "has", said) } else { Claim::does(of, "is", self.one_of(&word.text)) };
                if *negated { claim.denied() } else { claim }
            }
            ExprKind::Bin(op, a, b) => self.comparison(*op, a, b),
            ExprKind::Can(name, args) => {
                let Some(PermissionNames { params, says, .. }) = self.names.permissions.get(&name.text) else {
                    return Claim::whole(String::new());
                };
                let says = says.text.replace("{can}", "can");
                let named: Vec<(String, Expr)> = params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
                self.fill(&says, &named)
            }
            // A program in a test is something a player does: "your opponent pays 2 Force".
            ExprKind::Call(name, args) if self.names.procs.contains_key(&name.text) => read(self.verb(name, args)),
            ExprKind::Call(name, args) if let (Some(place), [card, word]) = (part_of_card(&name.text), &args[..]) => {
                let word = self.noun(word, Number::One).text;
                Claim::does(self.noun(card, Number::One), "has", format!("{word} in its {place}"))
            }
            ExprKind::Call(name, args) => self.says_of(&name.text, args).unwrap_or_else(|| Claim::read(&self.noun(expr, Number::One).text)),
            ExprKind::Name(name) if !self.speaker.names.contains_key(name) => {
                self.says_of(name, &[]).unwrap_or_else(|| Claim::read(&self.noun(expr, Number::One).text))
            }
            ExprKind::Field(of, field) => self.mark(of, &field.text),
            ExprKind::Quantify { which, var, list, test, .. } if ["any", "all"].contains(&which.text.as_str()) => {
                self.quantified_claim(&which.text, var, list, test.as_ref())
            }
            _ => Claim::read(&self.noun(expr, Number::One).text),
        }
    }

    /// What a function with English claims.
    fn says_of(&mut self, name: &str, args: &[Expr]) -> Option<Claim> {
        let callee = self.names.functions.get(name)?;
        let says = callee.says.as_ref()?.text.clone();
        let named: Vec<(String, Expr)> = callee.params.iter().map(|(name, _)| name.clone()).zip(args.iter().cloned()).collect();
        let claim = read(self.fill(&says, &named));
        // "it is night" speaks of nothing.
        Some(match claim {
            Claim::Does { subject, verb, rest, not } if named.is_empty() && subject == Said::it() => {
                Claim::Does { subject: Said::one("it"), verb, rest, not }
            }
            claim => claim,
        })
    }

    /// `it.tired`, `it.facedown`, `it.somewhere_quiet`: a truth about a card.
    fn mark(&mut self, of: &Expr, field: &str) -> Claim {
        if let Some(claim) = self.says_of(field, std::slice::from_ref(of)) {
            return claim;
        }
        let of = self.noun(of, Number::One);
        match field {
            "facedown" => Claim::does(of, "is", "face down"),
            _ if self.is_number(field) => self.amount_of(of, field, Bin::Gt, 0),
            _ => Claim::does(of, "is", field.replace('_', " ")),
        }
    }

    /// `any(c in LIST where TEST)`: there is one; `all`: each of them is so.
    pub(super) fn quantified_claim(&mut self, which: &str, var: &Name, list: &Expr, test: Option<&Expr>) -> Claim {
        if which == "all" {
            let each = self.noun(list, Number::Each);
            self.speaker.name(var, each.clone());
            return match test.map(|test| self.truth(test)) {
                Some(Truth::One(claim)) => claim,
                Some(truth) => Claim::whole(truth.text()),
                None => Claim::whole(each.text),
            };
        }
        match self.thing_where(var, list, test) {
            Some(what) => exists(what, Count::AtLeast(1)),
            None => {
                let list = self.noun(list, Number::One).text;
                let which = self.which(var, test);
                Claim::whole(format!("there is {list}{which}"))
            }
        }
    }

    fn comparison(&mut self, op: Bin, a: &Expr, b: &Expr) -> Claim {
        if let ExprKind::Int(n) = &*b.kind
            && let Some(claim) = self.counted(a, op, *n)
        {
            return claim;
        }
        if let ExprKind::Name(none) = &*b.kind
            && none == "none"
        {
            return self.absence(a, op == Bin::Eq);
        }
        let claim = match (&*a.kind, op) {
            (ExprKind::Field(of, field), Bin::Eq | Bin::Ne) => self.relation(of, &field.text, b),
            (_, Bin::In) => Some(self.membership(a, b)),
            _ => None,
        };
        if let Some(claim) = claim {
            return if op == Bin::Ne { claim.denied() } else { claim };
        }
        let (left, right) = (self.noun(a, Number::One), self.noun(b, Number::One));
        // "you are the attacker", not "the attacker is you".
        let (left, right) = if right.is_you() && !left.is_you() && matches!(op, Bin::Eq | Bin::Ne) { (right, left) } else { (left, right) };
        let value = |said: &Said| said.person == Person::Amount(None) && said.amount.is_none();
        let equal = if value(&left) && value(&right) { "equal to " } else { "" };
        let right = right.text;
        match op {
            Bin::Eq => Claim::does(left, "is", format!("{equal}{right}")),
            Bin::Ne => Claim::does(left, "is", format!("{equal}{right}")).denied(),
            Bin::Lt => Claim::does(left, "is", format!("less than {right}")),
            Bin::Le => Claim::does(left, "is", at_limit(&right, "less")),
            Bin::Gt => Claim::does(left, "is", format!("more than {right}")),
            Bin::Ge => Claim::does(left, "is", at_limit(&right, "more")),
            _ => Claim::whole(format!("{} {right}", left.text)),
        }
    }

    /// How many there are, or how much something has of what it counts: "you have 2 or more Jedi", "it has no damage".
    fn counted(&mut self, a: &Expr, op: Bin, n: i32) -> Option<Claim> {
        let count = match op {
            Bin::Gt if n > 0 => Count::MoreThan(n),
            Bin::Gt => Count::AtLeast(n + 1),
            Bin::Ge => Count::AtLeast(n),
            Bin::Lt if n > 1 => Count::FewerThan(n),
            Bin::Lt => Count::AtMost(n - 1),
            Bin::Le => Count::AtMost(n),
            Bin::Eq => Count::Exactly(n),
            Bin::Ne => Count::Not(n),
            _ => return None,
        };
        match &*a.kind {
            ExprKind::Call(name, args) if name.text == "count" => self.thing(args.first()?).map(|what| exists(what, count)),
            ExprKind::Quantify { which, var, list, test, .. } if which.text == "count" => {
                self.thing_where(var, list, test.as_ref()).map(|what| exists(what, count))
            }
            ExprKind::Field(zone, field) if field.text == "size" => {
                let cards =
                    Expr { kind: Box::new(ExprKind::Field(zone.clone(), Name { text: "cards".into(), span: field.span })), span: a.span };
                self.thing(&cards).map(|what| exists(what, count))
            }
            ExprKind::Field(of, field) if self.is_told_by_having(&field.text) => {
                let of = self.noun(of, Number::One);
                Some(self.amount_of(of, &field.text, op, n))
            }
            _ => None,
        }
    }

    /// Values that one has or has not: counters, keywords, and what is said as a whole.
    fn is_told_by_having(&self, field: &str) -> bool {
        let counter = self.names.held.contains_key(field) && self.is_number(field);
        counter || self.names.keywords.contains(field) || self.names.predicates.contains(field)
    }

    fn amount_of(&mut self, of: Said, field: &str, op: Bin, n: i32) -> Claim {
        let english = self.names.stat_english.get(field).or_else(|| self.names.counters.get(field).map(|(english, _)| english)).cloned();
        let english = english.unwrap_or_else(|| field.replace('_', " "));
        let none = matches!((op, n), (Bin::Eq | Bin::Le, 0) | (Bin::Lt, 1));
        let some = matches!((op, n), (Bin::Gt | Bin::Ne, 0) | (Bin::Ge, 1));
        // A mark that something has or has not, "worn", and what is said as a whole, "can't be lured".
        let mark = self.names.counters.get(field).is_some_and(|(_, mark)| *mark);
        if (some || none || mark) && (mark || self.names.predicates.contains(field)) {
            let claim = if mark { Claim::does(of, "is", english) } else { whole_predicate(of, &english) };
            return if some || (mark && (op, n) == (Bin::Eq, 1)) { claim } else { claim.denied() };
        }
        match (op, n) {
            _ if none => Claim::does(of, "has", format!("no {english}")),
            _ if some => Claim::does(of, "has", english),
            (Bin::Eq, n) => Claim::does(of, "has", format!("{n} {english}")),
            (Bin::Ne, n) => Claim::does(of, "has", format!("{n} {english}")).denied(),
            (Bin::Gt, n) => Claim::does(of, "has", format!("more than {n} {english}")),
            (Bin::Lt, n) => Claim::does(of, "has", format!("less than {n} {english}")),
            (Bin::Ge, n) => Claim::does(of, "has", format!("{n} or more {english}")),
            (_, n) => Claim::does(of, "has", format!("{n} or less {english}")),
        }
    }

    /// What may not be there: "you do", where it was chosen.
    fn absence(&mut self, what: &Expr, none: bool) -> Claim {
        let claim = match &*what.kind {
            ExprKind::Name(name) if self.speaker.choices.contains(name) => Claim::does(Said::you(), "does", ""),
            _ => {
                let said = self.noun(what, Number::One).text;
                if none {
                    return Claim::whole(format!("there is no {}", said.trim_start_matches("the ")));
                }
                return Claim::whole(format!("there is {said}"));
            }
        };
        if none { Claim::whole("you do not") } else { claim }
    }

    /// Whose a card is, where it lies, what it is called.
    fn relation(&mut self, of: &Expr, field: &str, b: &Expr) -> Option<Claim> {
        let verb = match field {
            "controller" => "controls",
            "owner" => "owns",
            "zone" | "name" | "parent" => "is",
            _ => return None,
        };
        let (of, other) = (self.noun(of, Number::One), self.noun(b, Number::One));
        Some(match field {
            "controller" | "owner" => Claim::does(other, verb, of.text),
            "zone" => Claim::does(of, verb, format!("in {}", other.text)),
            "parent" => Claim::does(of, verb, format!("on {}", other.text)),
            _ => Claim::does(of, verb, other.text),
        })
    }

    fn membership(&mut self, a: &Expr, b: &Expr) -> Claim {
        let left = self.noun(a, Number::One);
        let zone = match &*b.kind {
            ExprKind::Field(_, zone) => self.names.zones.contains_key(&zone.text) || zone.text == "cards",
            ExprKind::Name(zone) => self.names.zones.contains_key(zone),
            _ => false,
        };
        let within = match &*b.kind {
            ExprKind::Field(zone, field) if field.text == "cards" => self.noun(zone, Number::One),
            _ => self.noun(b, Number::One),
        };
        if zone { Claim::does(left, "is", format!("in {}", within.text)) } else { Claim::does(left, "is", within.text) }
    }

    /// The things that a test like `count([...]) > 0` asks for, in words.
    pub(super) fn exists(&mut self, test: &Expr) -> Option<String> {
        match self.truth(test) {
            Truth::One(Claim::Exists { who, what, count: Count::AtLeast(1) }) => {
                let what = super::said::Thing { owner: who, ..what };
                Some(what.said(Number::Many).text)
            }
            _ => None,
        }
    }
}

/// "there is a Jedi", but "you have a Jedi" of what is yours.
fn exists(mut what: super::said::Thing, count: Count) -> Claim {
    let who = what.owner.take();
    Claim::Exists { who, what, count }
}

/// "can't be lured" of something.
fn whole_predicate(of: Said, english: &str) -> Claim {
    let (verb, rest) = english.split_once(' ').unwrap_or((english, ""));
    Claim::does(of, verb, rest)
}

/// What is already a claim stays one; a text without a hole for its subject is read for one.
fn read(claim: Claim) -> Claim {
    match claim {
        Claim::Whole { text, not: false } => Claim::read(&text),
        claim => claim,
    }
}

fn at_limit(limit: &str, or: &str) -> String {
    if limit.parse::<i32>().is_ok() {
        format!("{limit} or {or}")
    } else {
        format!("at {} {limit}", if or == "less" { "most" } else { "least" })
    }
}
