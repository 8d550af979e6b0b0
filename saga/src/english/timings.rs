//! Timings: when an ability can be used, with what the moment is about.

use super::English;
use super::named::NamedParams;
use super::said::{Number, Said};
use super::truths::Truth;
use crate::ast::*;
use crate::compile::spaced;
use crate::types::Ty;

impl English<'_> {
    /// "After this unit damages a Character unit (once per turn)". What the moment tells has its name in the text behind it.
    pub(crate) fn speak_timing(&mut self, timed: &Timed) -> String {
        let Some(Item { kind: ItemKind::Timing { params, says, limit, .. }, .. }) = self.names.timings.get(&timed.name.text) else {
            return String::new();
        };
        let (params, says, own_limit) = (params.clone(), says.clone(), limit.is_some());
        // Only what it tells has a name of the card's; the rest are values that the card gives it.
        let mut types = Vec::new();
        let mut binders = Vec::new();
        let mut given: Vec<(String, Said)> = Vec::new();
        for (at, (param, tells)) in params.iter().enumerate() {
            match (tells, timed.args.get(at).map(|arg| (arg, &*arg.kind))) {
                (Some(_), Some((arg, ExprKind::Name(name)))) => {
                    types.push((param.name.text.clone(), Ty::named(&param.ty.text).unwrap_or(Ty::Any)));
                    binders.push(Name { text: name.clone(), span: arg.span });
                }
                // What only decides whether the moment is there is not told.
                (None, Some((arg, _))) if says.contains(&format!("{{{}", param.name.text)) => {
                    given.push((param.name.text.clone(), self.noun(arg, Number::One)));
                }
                _ => {}
            }
        }
        // What the card gives no name stands for anybody.
        for (param, tells) in params.iter().skip(timed.args.len()) {
            types.extend(tells.as_ref().map(|_| (param.name.text.clone(), Ty::named(&param.ty.text).unwrap_or(Ty::Any))));
        }
        let NamedParams { mut said, rest, .. } = self.name_params(&says, &types, &binders, timed.test.as_ref(), Number::One);
        said.append(&mut given);
        let mut text = self.moment(&says, &said);
        if !rest.is_empty() {
            let and = if text.starts_with("If ") { " and" } else { ", if" };
            text = format!("{text}{and} {}", Truth::all(rest).text());
        }
        match &timed.limit {
            Some(Limit { period, .. }) if !own_limit && text.is_empty() => format!("Once per {}", spaced(&period.text)),
            Some(Limit { period, .. }) if !own_limit && text.starts_with("If ") => {
                format!("Once per {}, if {}", spaced(&period.text), &text[3..])
            }
            Some(Limit { period, .. }) if !own_limit => format!("{text} (once per {})", spaced(&period.text)),
            _ => text,
        }
    }

    /// A moment with its first word left alone, so that the verb behind a player agrees: "After you draw".
    fn moment(&mut self, says: &str, said: &[(String, Said)]) -> String {
        let known = |name: &str| said.iter().find(|(own, _)| own == name).map(|(_, said)| said.clone());
        let (first, rest) = match says.split_once(' ') {
            Some((first, rest)) if rest.starts_with('{') => (format!("{first} "), rest),
            _ => (String::new(), says),
        };
        let text = self.fill_with(rest, &mut |english, name, number| known(name).unwrap_or_else(|| english.hole(name, number, &[]))).text();
        format!("{first}{text}")
    }
}
