//! Timings: when an ability can be used, with what the moment is about.

use super::words::{joined, second_person};
use super::{English, Number};
use crate::ast::*;
use crate::compile::{spaced, with_arguments};
use crate::types::Ty;

impl English<'_> {
    /// "After this unit damages a Character unit". What the moment tells has its name in the text behind it.
    pub(crate) fn speak_timing(&mut self, timed: &Timed) -> String {
        let Some(Item { kind: ItemKind::Timing { params, says, limit, .. }, .. }) = self.names.timings.get(&timed.name.text) else {
            return String::new();
        };
        let binders: Vec<Name> = timed.args.iter().zip(params).filter_map(|(arg, (_, tells))| binder(arg, tells.as_ref())).collect();
        let (mut named, mut rest) = (Vec::new(), Vec::new());
        if let Some(test) = &timed.test {
            self.equated(test, &binders, Number::One, &mut named, &mut rest);
        }
        let mut text = says.clone();
        let mut given = Vec::new();
        for (at, (param, tells)) in params.iter().enumerate() {
            let arg = timed.args.get(at);
            if tells.is_none() {
                given.extend(arg.map(|arg| (param.name.text.clone(), arg.clone())));
                continue;
            }
            let own = arg.and_then(|arg| binder(arg, tells.as_ref()));
            let said = own.as_ref().and_then(|own| named.iter().find(|(name, _)| *name == own.text)).map(|(_, said)| said.clone());
            let said = said.unwrap_or_else(|| match Ty::named(&param.ty.text) {
                Some(Ty::Card) => self.something(),
                Some(Ty::Player) => "a player".into(),
                _ => spaced(&param.name.text),
            });
            if let Some(own) = own {
                let later =
                    said.strip_prefix("a ").or(said.strip_prefix("an ")).map_or_else(|| said.clone(), |noun| format!("that {noun}"));
                self.speaker.names.insert(own.text, later);
            }
            text = text.replace(&format!("{{{}}}", param.name.text), &said);
        }
        let types: Vec<(String, Ty)> = given.iter().map(|(name, _)| (name.clone(), Ty::Any)).collect();
        let values: Vec<Expr> = given.into_iter().map(|(_, value)| value).collect();
        let inside = with_arguments(&self.aliases, &types, &values);
        let outside = std::mem::replace(&mut self.aliases, inside);
        let mut text = self.fill(&Text { text, span: timed.name.span }, &[]);
        self.aliases = outside;
        if let Some((first, after)) = text.split_once(' ') {
            text = format!("{first} {}", second_person(after));
        }
        if !rest.is_empty() {
            text = format!("{text}, if {}", joined(&rest, "and"));
        }
        match &timed.limit {
            Some(Limit { period, .. }) if limit.is_none() && text.is_empty() => format!("Once per {}", spaced(&period.text)),
            Some(Limit { period, .. }) if limit.is_none() => format!("{text} (once per {})", spaced(&period.text)),
            _ => text,
        }
    }
}

/// The name that an ability gives to what a timing tells it.
fn binder(arg: &Expr, tells: Option<&Expr>) -> Option<Name> {
    match (tells, &*arg.kind) {
        (Some(_), ExprKind::Name(name)) => Some(Name { text: name.clone(), span: arg.span }),
        _ => None,
    }
}
