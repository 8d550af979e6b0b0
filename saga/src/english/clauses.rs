//! Clauses: what gets a value, what can and cannot be done, what happens when.

use super::words::{joined, second_person, value_for};
use super::{English, Number};
use crate::ast::*;
use crate::compile::{PermissionNames, spaced};
use crate::types::Ty;

impl English<'_> {
    /// A clause without its full stop.
    pub(crate) fn speak_clause(&mut self, clause: &Clause) -> String {
        let mut text = match &clause.kind {
            ClauseKind::Gets { subject, changes, cumulative } => self.speak_gets(subject, changes, *cumulative),
            ClauseKind::Permit { allow, name, params, test, .. } => self.speak_permit(*allow, name, params, test.as_ref()),
            ClauseKind::When { event, params, test, limit, body, .. } => {
                let text = self.speak_when(event, params, test.as_ref(), body);
                match limit {
                    Some(limit) => text.replacen("when ", &format!("the first time each {} that ", spaced(&limit.period.text)), 1),
                    None => text,
                }
            }
            ClauseKind::Instead { program, params, test, may, body } => {
                self.speak_instead(program, params, test.as_ref(), may.as_ref(), body)
            }
            ClauseKind::Gains { subject, abilities } => self.speak_gains(subject, abilities),
        };
        // What speaks of an unknown name has no text at all.
        if let Some(when) = clause.when.as_ref().filter(|_| !text.is_empty()) {
            text = match &*when.kind {
                ExprKind::Not(inner) => format!("unless {}, {text}", self.truth(inner)),
                _ => format!("as long as {}, {text}", self.truth(when)),
            };
        }
        text
    }

    fn speak_gets(&mut self, subject: &Expr, changes: &[Gets], cumulative: bool) -> String {
        let who = self.noun(subject, Number::Each);
        let verb = if who == "you" || who.starts_with("those ") { "get" } else { "gets" };
        let mut gets = Vec::new();
        let mut predicates = Vec::new();
        for Gets { stat, what, change, by } in changes {
            let Some(english) = self.names.stat_english.get(&stat.text) else { continue };
            let what = what.as_ref().map(|what| self.noun(what, Number::One));
            let (english, keyword) = (value_for(english, what.as_deref()), self.names.keywords.contains(&stat.text));
            let predicate = self.names.predicates.contains(&stat.text);
            let flag = self.names.facts.get(&stat.text).is_some_and(|(_, flag)| *flag);
            let amount = self.noun(by, Number::One);
            if let Change::Unreduced | Change::Unmodified = change {
                let how = if *change == Change::Unreduced { "reduced" } else { "modified" };
                let by = if amount == "0" { "" } else { " by your opponent" };
                predicates.push(format!("can't have its {english} {how}{by}"));
            } else if predicate {
                predicates.push(english);
            } else {
                gets.push(match change {
                    Change::Add if flag => english,
                    Change::Add if keyword => format!("{english} {amount}"),
                    Change::Add => format!("+{amount} {english}"),
                    Change::Subtract => format!("-{amount} {english}"),
                    Change::Multiply => format!("{amount} times its {english}"),
                    Change::Set => format!("{english} {amount}"),
                    // "immunity to attrition less than 3"
                    Change::AtLeast if english.ends_with(" than") || english.ends_with("exactly") => format!("{english} {amount}"),
                    Change::AtLeast => format!("at least {amount} {english}"),
                    Change::AtMost => format!("at most {amount} {english}"),
                    // Said of the whole below.
                    Change::Unreduced | Change::Unmodified => String::new(),
                });
            }
        }
        let mut parts = Vec::new();
        if !gets.is_empty() {
            parts.push(format!("{verb} {}", joined(&gets, "and")));
        }
        parts.extend(predicates);
        let cumulatively = if cumulative { ", cumulatively" } else { "" };
        format!("{who} {}{cumulatively}", joined(&parts, "and"))
    }

    fn speak_permit(&mut self, allow: bool, name: &Name, params: &[Name], test: Option<&Expr>) -> String {
        let Some(PermissionNames { params: types, says, .. }) = self.names.permissions.get(&name.text) else {
            return String::new();
        };
        let word = if allow { "can" } else { "can't" };
        // Parameters that the test equates with something are spoken of as that.
        let mut named = Vec::new();
        let mut rest = Vec::new();
        if let Some(test) = test {
            self.equated(test, params, Number::Many, &mut named, &mut rest);
        }
        let mut text = says.text.replace("{can}", word);
        for (param, (own, ty)) in params.iter().zip(types) {
            let spoken = named.iter().find(|(name, _)| *name == param.text).map(|(_, said)| said.clone());
            let spoken = spoken.unwrap_or_else(|| match ty {
                Ty::Card => self.something(),
                Ty::Player => "a player".into(),
                _ => "it".into(),
            });
            text = text.replace(&format!("{{{own}}}"), &spoken);
        }
        for (name, _) in types.iter().skip(params.len()) {
            text = text.replace(&format!("{{{name}}}"), &self.something());
        }
        if !rest.is_empty() {
            text = format!("{text} if {}", joined(&rest, "and"));
        }
        text
    }

    fn speak_when(&mut self, event: &Name, params: &[Name], test: Option<&Expr>, body: &[Stmt]) -> String {
        let Some((_, types)) = self.names.events.get(&event.text) else { return String::new() };
        // The English of an event is its log text, with holes by name.
        let text = self.names.event_english.get(&event.text).cloned().unwrap_or_else(|| spaced(&event.text));
        let types = types.clone();
        let when = format!("when {}", self.happening(&text, &types, params, test));
        format!("{when}, {}", self.speak(body))
    }

    /// What happens, with what the parameters are, and the rest of the conditions on them.
    fn happening(&mut self, text: &str, types: &[(String, Ty)], params: &[Name], test: Option<&Expr>) -> String {
        let (mut named, mut rest) = (Vec::new(), Vec::new());
        if let Some(test) = test {
            self.equated(test, params, Number::One, &mut named, &mut rest);
        }
        let mut text = text.to_string();
        for (at, (own, ty)) in types.iter().enumerate() {
            let given = params.get(at);
            let said = given.and_then(|given| named.iter().find(|(name, _)| *name == given.text)).map(|(_, said)| said.clone());
            let said = said.unwrap_or_else(|| match ty {
                Ty::Card => self.something(),
                Ty::Player => "a player".into(),
                _ => "that".into(),
            });
            if let Some(given) = given {
                let later = match said.strip_prefix("a ").or(said.strip_prefix("an ")) {
                    Some(noun) => format!("that {noun}"),
                    None => said.clone(),
                };
                self.speaker.names.insert(given.text.clone(), later);
            }
            text = text.replace(&format!("{{{own}}}"), &said);
        }
        let text = second_person(&text);
        if rest.is_empty() { text } else { format!("{text}, if {}", joined(&rest, "and")) }
    }

    /// "if this unit would be lost, you may return it to your hand instead"
    fn speak_instead(&mut self, program: &Name, params: &[Name], test: Option<&Expr>, may: Option<&Question>, body: &[Stmt]) -> String {
        let (Some(would), Some(callee)) = (self.names.woulds.get(&program.text), self.names.procs.get(&program.text)) else {
            return String::new();
        };
        let (would, types) = (would.text.clone(), callee.params.clone());
        let said = self.happening(&would, &types, params, test);
        let done = self.speak(body);
        let done = may.map_or(done.clone(), |_| super::may("you", &done));
        format!("if {said}, {done} instead")
    }

    /// "each of your Jedi gains \"...\""
    fn speak_gains(&mut self, subject: &Expr, abilities: &[Use]) -> String {
        let who = self.noun(subject, Number::Each);
        let verb = if who == "you" || who.starts_with("those ") { "gain" } else { "gains" };
        let outer = self.speaker.clone();
        let noun = self.singular(subject);
        self.speaker.call_itself(format!("this {noun}"));
        let said: Vec<String> =
            abilities.iter().map(|ability| format!("\"{}\"", self.speak_ability(&Ability::Use(ability.clone())))).collect();
        *self.speaker = outer;
        format!("{who} {verb} {}", joined(&said, "and"))
    }
}
