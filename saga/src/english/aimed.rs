//! What is chosen and what is done with it, in one sentence: "tap one of your units", not "choose one of your units; tap that unit".

use super::English;
use super::said::Said;
use super::words::capital;
use crate::ast::*;

impl English<'_> {
    /// What is done with the targets, each told where it is first spoken of, or chosen before that.
    pub(super) fn speak_aims(&mut self, targets: &[Target], called: &mut Vec<String>, body: &[Stmt]) -> Vec<String> {
        let [Target { name, how, from, .. }, rest @ ..] = targets else { return self.orders(body) };
        let aim = self.choose_what(how, from);
        let later = self.target_again(from, how, called);
        called.push(later.text.clone());
        self.speak_aimed(name, &aim, later, |english| english.speak_aims(rest, called, body))
    }

    /// What a target is called later: the second of two alike is "the other unit".
    pub(super) fn target_again(&mut self, from: &Expr, how: &HowMany, called: &[String]) -> Said {
        let mut later = self.again(from, !matches!(how, HowMany::One | HowMany::OneOrNone));
        if called.contains(&later.text)
            && let Some((_, noun)) = later.text.split_once(' ')
        {
            later.text = format!("the other {noun}");
        }
        later
    }

    /// Lines in which something is done with what was chosen: it is told there, or the choice stands before them.
    pub(super) fn speak_aimed(&mut self, name: &Name, what: &str, later: Said, say: impl FnOnce(&mut Self) -> Vec<String>) -> Vec<String> {
        // A sign stands for it until it is known how it is called.
        let sign = char::from_u32(self.speaker.signs + 0xE000).unwrap_or_default();
        self.speaker.signs += 1;
        self.speaker.name(name, later.clone().by_name(sign));
        let mut lines = say(self);
        self.speaker.signs -= 1;
        self.speaker.name(name, later.clone());
        let aim = match lines.first().and_then(|first| first.split_once(sign)) {
            Some((before, after)) if reads_well(before, what, after) => {
                // "burn 2 lamps", not "burn each of 2 lamps"
                let verb = before.strip_suffix("each of ").filter(|verb| verb.matches(' ').count() == 1).unwrap_or(before);
                lines[0] = format!("{verb}{what}{after}");
                None
            }
            _ => Some(format!("choose {what}")),
        };
        aim.into_iter().chain(lines.iter().map(|line| called(line, sign, &later.text))).collect()
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
