//! What stands in a text: names, numbers, types, piles, phases and the small words that matter, each with how often.

use super::findings::{Difference, Finding, Sort};
use super::words::{Words, called, singular};
use std::collections::{BTreeMap, BTreeSet};

/// How often something stands in a text; `loosely` where it need not stand in the other one: "that character", "one".
#[derive(Clone, Copy, Default, Debug, PartialEq)]
struct Often {
    firmly: usize,
    loosely: usize,
}

type Contents = BTreeMap<(Sort, String), Often>;

/// The most parts of a name or term.
const LONGEST: usize = 9;
/// What stands before a type that was named before.
const BACK: [&str; 9] = ["this", "that", "those", "these", "its", "the", "another", "other", "such"];

/// What our card says.
pub(super) struct Ours {
    pub(super) text: String,
    /// By which it speaks of itself, or not.
    pub(super) names: Vec<String>,
    /// Numbers that it has beside its text and that print may have in it.
    pub(super) numbers: Vec<i32>,
}

/// The findings between a printed text and ours.
pub(super) fn differences(words: &Words, printed: &str, ours: &Ours) -> Vec<Finding> {
    let printed = contents(words, printed, &ours.names);
    let mut own = contents(words, &ours.text, &ours.names);
    for number in &ours.numbers {
        own.entry((Sort::Number, number.to_string())).or_default().loosely += 1;
    }
    let ours = own;
    let keys: BTreeSet<&(Sort, String)> = printed.keys().chain(ours.keys()).collect();
    let mut found = Vec::new();
    for key in keys.into_iter().filter(|(sort, _)| *sort != Sort::Sign) {
        let (a, b) = (printed.get(key).copied().unwrap_or_default(), ours.get(key).copied().unwrap_or_default());
        let difference = match (a.firmly, b.firmly) {
            (1.., 0) if b.loosely == 0 => Difference::InPrint,
            (0, 1..) if a.loosely == 0 => Difference::InOurs,
            (more, less) if more > less + b.loosely || less > more + a.loosely => Difference::Often(more, less),
            _ => continue,
        };
        let what = if key.0 == Sort::Name { words.shown(&key.1) } else { &key.1 };
        found.push(Finding { sort: key.0, what: what.to_string(), difference });
    }
    found.extend(turned_signs(&printed, &ours));
    found
}

/// Numbers that are added in one text and taken away in the other. A sign alone may be said in words, "adds 2".
fn turned_signs(printed: &Contents, ours: &Contents) -> Vec<Finding> {
    let signs = |side: &Contents, number: &str| ["+", "-"].map(|sign| side.contains_key(&(Sort::Sign, format!("{sign}{number}"))));
    let numbers = printed.keys().filter(|(sort, _)| *sort == Sort::Number).map(|(_, number)| number);
    let turned = numbers.filter_map(|number| match (signs(printed, number), signs(ours, number)) {
        ([true, false], [false, true]) => Some((number, "+", "-")),
        ([false, true], [true, false]) => Some((number, "-", "+")),
        _ => None,
    });
    let finding = |(number, printed, ours): (&String, &str, &str)| Finding {
        sort: Sort::Sign,
        what: format!("sign of {number}"),
        difference: Difference::Other(printed.into(), ours.into()),
    };
    turned.map(finding).collect()
}

fn contents(words: &Words, text: &str, own: &[String]) -> Contents {
    let text = words.reminders.as_ref().map_or_else(|| text.to_string(), |except| without_reminders(text, except));
    let mut found = Contents::new();
    let rest = take_names(words, &tokens(&text), own, &mut found);
    let rest = put_alike(words, rest);
    take_terms(words, &rest, &mut found);
    found
}

fn without_reminders(text: &str, except: &[String]) -> String {
    let mut rest = String::new();
    for (at, part) in text.split('(').enumerate() {
        let (inside, behind) = part.split_once(')').unwrap_or(("", part));
        let counts = inside.chars().all(|c| c.is_ascii_digit()) || except.iter().any(|start| inside.starts_with(start.as_str()));
        if at > 0 && counts {
            rest.extend([" ", inside]);
        }
        rest.extend([" ", if at == 0 { part } else { behind }]);
    }
    rest
}

/// The words of a text as they are written; `'s` stands for itself, a sign stays with its number.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let text = text.replace(['’', '‘'], "'").replace(['–', '−'], "-");
    let mut all = Vec::new();
    let text = text.replace("non-", "non ").replace("Non-", "non ");
    for part in text.split(|c: char| !(c.is_alphanumeric() || "'-+/&".contains(c))) {
        let signed = part.starts_with(['+', '-']) && part[1..].starts_with(|c: char| c.is_ascii_digit());
        let part = if signed { part } else { part.trim_matches(['\'', '-', '+', '/']) };
        if part.is_empty() {
            continue;
        }
        match part.strip_suffix("'s") {
            Some(stem) => all.extend([stem.to_string(), "'s".to_string()]),
            None => all.push(part.to_string()),
        }
    }
    all
}

/// Names are taken out of the text, the longest first; the rest comes back in small letters. Of itself a card may speak by name or not.
fn take_names(words: &Words, tokens: &[String], own: &[String], found: &mut Contents) -> Vec<String> {
    let own: Vec<&str> = own.iter().map(|name| words.names.get(&called(name)).map_or(name.as_str(), |name| &name.stands_for)).collect();
    let (mut rest, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let named = (1..=LONGEST.min(tokens.len() - at)).rev().find_map(|long| Some((long, name_at(words, &tokens[at..at + long])?)));
        let Some((long, name)) = named else {
            rest.push(tokens[at].to_lowercase());
            at += 1;
            continue;
        };
        if !own.contains(&name.as_str()) {
            found.entry((Sort::Name, name)).or_default().firmly += 1;
        }
        // Something still stands there.
        rest.push("~".into());
        at += long;
    }
    rest
}

fn name_at(words: &Words, tokens: &[String]) -> Option<String> {
    let first = tokens.first()?;
    if first.starts_with(char::is_lowercase) || tokens.last()? == "'s" {
        return None;
    }
    let joined = called(&tokens.concat());
    let name = words.names.get(&joined).or_else(|| words.names.get(joined.strip_suffix('s')?))?;
    let capital = |(token, capital): (&String, &bool)| !capital || !token.starts_with(char::is_lowercase);
    (name.capitals.len() != tokens.len() || tokens.iter().zip(&name.capitals).all(capital)).then(|| name.stands_for.clone())
}

fn put_alike(words: &Words, tokens: Vec<String>) -> Vec<String> {
    let (mut rest, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        match words.same.iter().find(|(from, _)| tokens[at..].starts_with(from)) {
            Some((from, to)) => {
                rest.extend(to.iter().cloned());
                at += from.len();
            }
            None => {
                rest.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    rest
}

fn take_terms(words: &Words, tokens: &[String], found: &mut Contents) {
    let mut at = 0;
    while at < tokens.len() {
        let term = (1..=LONGEST.min(tokens.len() - at)).rev().find_map(|long| {
            let joined = tokens[at..at + long].join(" ");
            let term = words.terms.get(&joined).or_else(|| words.terms.get(&singular(&joined)))?;
            Some((long, term.clone()))
        });
        if let Some((long, (sort, term))) = term {
            let implied = sort == Sort::Type && at > 0 && (BACK.contains(&tokens[at - 1].as_str()) || is_subtype(words, &tokens[..at]));
            let often = found.entry((sort, term)).or_default();
            if implied {
                often.loosely += 1
            } else {
                often.firmly += 1
            }
            at += long;
            continue;
        }
        number(words, &tokens[at], found);
        at += 1;
    }
}

/// Whether what stands before a type says it already: a name, or a word that only such cards have, perhaps with a word between them.
fn is_subtype(words: &Words, before: &[String]) -> bool {
    let says = |before: &[String]| {
        let ends = |long: usize| before.len() >= long && words.subtypes.contains(&singular(&before[before.len() - long..].join(" ")));
        before.last().is_some_and(|last| last == "~") || (1..=3).any(ends)
    };
    says(before) || says(&before[..before.len().saturating_sub(1)])
}

fn number(words: &Words, token: &str, found: &mut Contents) {
    if let Some(number) = words.loose.get(token) {
        found.entry((Sort::Number, number.clone())).or_default().loosely += 1;
        return;
    }
    let digits = token.trim_start_matches(['+', '-']);
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        return;
    }
    found.entry((Sort::Number, digits.into())).or_default().firmly += 1;
    if digits.len() < token.len() {
        found.entry((Sort::Sign, token.into())).or_default().firmly += 1;
    }
}

/// How far two texts are apart: 0 where they have the same words, 1 where they share none.
pub(super) fn distance(printed: &str, ours: &str) -> f64 {
    let (printed, ours) = (bag(printed), bag(ours));
    let keys: BTreeSet<&String> = printed.keys().chain(ours.keys()).collect();
    let (mut common, mut all) = (0, 0);
    for key in keys {
        let (a, b) = (printed.get(key).copied().unwrap_or(0), ours.get(key).copied().unwrap_or(0));
        common += a.min(b);
        all += a.max(b);
    }
    if all == 0 { 0.0 } else { 1.0 - common as f64 / all as f64 }
}

/// Words that carry meaning, without their endings.
fn bag(text: &str) -> BTreeMap<String, usize> {
    const IDLE: [&str; 34] = [
        "a", "an", "the", "of", "to", "in", "is", "that", "this", "it", "its", "your", "you", "one", "each", "as", "long", "with", "from",
        "and", "or", "gets", "get", "may", "any", "his", "her", "unit", "units", "card", "cards", "play", "only", "choose",
    ];
    let mut bag = BTreeMap::new();
    for word in text.to_lowercase().split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if !IDLE.contains(&word) {
            *bag.entry(word.trim_end_matches('s').to_string()).or_insert(0) += 1;
        }
    }
    bag
}
