//! Forms of words: articles, plurals, persons of verbs, and the joints of a sentence.

use crate::compile::spaced;

pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

pub(super) fn sentence(text: &str) -> String {
    let text = capital(text.trim());
    if text.is_empty() || text.ends_with('.') { text } else { text + "." }
}

pub(super) fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']) || (noun.starts_with("un") && !noun.starts_with("uni"));
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

pub(super) fn plural_of(word: &str) -> String {
    if word.ends_with(['s', 'i']) { word.into() } else { format!("{word}s") }
}

pub(super) fn joined(parts: &[String], last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [a, b] => format!("{a} {last} {b}"),
        [rest @ .., end] => format!("{}, {last} {end}", rest.join(", ")),
    }
}

/// A value for something is called with it: "Force drain for you"; without it the last words are left out.
pub(super) fn value_for(english: &str, what: Option<&str>) -> String {
    let Some(open) = english.find('{') else { return english.to_string() };
    match what {
        Some(what) => english[..open].to_string() + what,
        None => english[..open].trim_end().rsplit_once(' ').map_or("", |(before, _)| before).to_string(),
    }
}

/// "You may draw a card", not "you may you draw a card".
pub(crate) fn may(who: &str, what: &str) -> String {
    match what.strip_prefix(who).and_then(|what| what.strip_prefix(' ')) {
        Some(what) => {
            let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
            let verb = if who == "you" { verb.to_string() } else { verb_for(verb, true) };
            format!("{who} may {verb} {rest}").trim_end().to_string()
        }
        None => format!("{who} may {what}"),
    }
}

/// A text for the player of a card, for the other player: "your hand" is "your opponent's hand", and the other way round.
pub(super) fn turned(text: &str) -> String {
    let bare = |word: &str| word.trim_end_matches([',', '.', ';', ':']).len();
    let mut words: Vec<String> = Vec::new();
    let mut rest = text.split(' ').peekable();
    while let Some(word) = rest.next() {
        let after = rest.peek().map_or("", |after| &after[..bare(after)]);
        let subject =
            words.last().is_none_or(|before| before.ends_with(',') || ["and", "if", "then", "unless", "when"].contains(&before.as_str()));
        let (said, end) = match (&word[..bare(word)], after) {
            ("your", "opponent's" | "opponent") => {
                let said = if after == "opponent" { "you" } else { "your" };
                let next = rest.next().unwrap_or("");
                (said, &next[bare(next)..])
            }
            ("your", _) => ("your opponent's", &word[bare(word)..]),
            ("you", _) => ("your opponent", &word[bare(word)..]),
            _ => (word, ""),
        };
        let verb = match said {
            "you" if end.is_empty() => rest.next_if(|_| subject).map(|verb| verb_for(verb, true)),
            "your opponent" if end.is_empty() => rest.next_if(|_| subject).map(|verb| verb_for(verb, false)),
            _ => None,
        };
        words.push(format!("{said}{end}"));
        words.extend(verb);
    }
    words.join(" ")
}

/// A verb for "you", or for anyone else.
fn verb_for(verb: &str, you: bool) -> String {
    match (verb, you) {
        ("is", true) => "are".into(),
        ("has", true) => "have".into(),
        ("are", false) => "is".into(),
        ("have", false) => "has".into(),
        ("may" | "can" | "can't" | "must" | "would" | "could" | "", _) => verb.into(),
        (_, true) => verb.strip_suffix('s').unwrap_or(verb).into(),
        (_, false) => format!("{verb}s"),
    }
}

/// "you initiates" is "you initiate".
pub(super) fn second_person(text: &str) -> String {
    if let Some(rest) = text.strip_prefix("you's ") {
        return format!("your {rest}");
    }
    let Some(rest) = text.strip_prefix("you ") else { return text.to_string() };
    let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    format!("you {} {rest}", verb_for(verb, true)).trim_end().to_string()
}

pub(super) fn counters(amount: &str) -> &'static str {
    if amount == "1" { "counter" } else { "counters" }
}

pub(super) fn until(period: &str) -> String {
    match period {
        "attack" => "for this attack".into(),
        "turn" => "this turn".into(),
        "game" => "for the rest of the game".into(),
        other => format!("until the end of the {}", spaced(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::{may, turned};

    #[test]
    fn a_player_who_may_is_named_once() {
        assert_eq!(may("you", "you draw a card"), "you may draw a card");
        assert_eq!(may("your opponent", "your opponent discards your hand"), "your opponent may discard your hand");
        assert_eq!(may("you", "your units are tapped"), "you may your units are tapped");
        assert_eq!(may("you", "tap it"), "you may tap it");
    }

    #[test]
    fn a_text_is_turned_round() {
        let pairs = [
            ("your hand", "your opponent's hand"),
            ("you gain 1 Force, then your opponent loses your Force", "your opponent gains 1 Force, then you lose your opponent's Force"),
            ("one of your opponent's units, if you have it", "one of your units, if your opponent has it"),
            ("show it to your opponent.", "show it to you."),
        ];
        for (own, other) in pairs {
            assert_eq!(turned(own), other);
            assert_eq!(turned(other), own);
        }
    }
}
