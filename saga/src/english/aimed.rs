//! What is chosen and what is done with it, in one sentence: "tap one of your units", not "choose one of your units; tap that unit".

use super::English;
use super::words::capital;
use crate::ast::*;

impl English<'_> {
    /// The choice, where it has to be told alone, and what is done; `aim` is "choose one of your units".
    pub(super) fn speak_aimed(&mut self, name: &Name, aim: &str, body: &[Stmt]) -> (Vec<String>, Vec<String>) {
        let Some(later) = self.speaker.names.get(&name.text).cloned() else { return (vec![aim.into()], self.orders(body)) };
        // A sign stands for it until it is known how it is called.
        let sign = char::from_u32(self.speaker.signs + 0xE000).unwrap_or_default();
        self.speaker.signs += 1;
        self.speaker.name(name, later.clone().by_name(sign));
        let lines = self.orders(body);
        self.speaker.signs -= 1;
        self.speaker.name(name, later.clone());
        let what = aim.strip_prefix("choose ").unwrap_or(aim);
        match lines.split_first().and_then(|(first, rest)| Some((first.split_once(sign)?, rest))) {
            Some(((before, after), rest)) if reads_well(before, what, after) => {
                // "burn 2 lamps", not "burn each of 2 lamps"
                let verb = before.strip_suffix("each of ").filter(|verb| verb.matches(' ').count() == 1).unwrap_or(before);
                let first = format!("{verb}{what}{}", called(after, sign, &later.text));
                (Vec::new(), std::iter::once(first).chain(rest.iter().map(|line| called(line, sign, &later.text))).collect())
            }
            _ => (vec![aim.into()], lines.iter().map(|line| called(line, sign, &later.text)).collect()),
        }
    }
}

/// A line with a name wherever its sign stands.
fn called(line: &str, sign: char, name: &str) -> String {
    let mut out = String::new();
    for part in line.split_inclusive(sign) {
        out += part.trim_end_matches(sign);
        if part.ends_with(sign) {
            out += &if out.ends_with(". ") { capital(name) } else { name.to_string() };
        }
    }
    out
}

/// Whether a thing can be told where something is done to it: it is not the subject, nothing asks for it before, and what stands
/// behind it is not taken for a part of it.
fn reads_well(before: &str, what: &str, after: &str) -> bool {
    let starts = |starts: &[&str]| starts.iter().any(|start| before.starts_with(start));
    let on_condition = starts(&["if ", "you may ", "unless ", "while ", "for ", "as long as ", "choose one: "]);
    // Who chooses would be lost where somebody else does it, or all do.
    let others = starts(&["your ", "each ", "no ", "all ", "any ", "both "]);
    let later = [". ", "; ", " if ", ", then "].iter().any(|joint| before.contains(joint));
    if before.is_empty() || on_condition || others || later || after.starts_with('\'') {
        return false;
    }
    let goes_on = |start: &&str| after.starts_with(*start);
    let apart = after.is_empty() || [",", ";", ".", " to ", " from ", " into ", " onto ", " on ", " in "].iter().any(goes_on);
    let mixed = [" whose ", " that ", " which ", " with ", " at "].iter().any(goes_on);
    !mixed && (apart || what.split(' ').count() <= 6)
}
