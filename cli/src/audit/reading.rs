//! What stands in a text: names, numbers, types, piles, phases and the small words that matter, each with how often.

use super::findings::{Difference, Finding, Sort};
use super::printed::plain;
use super::words::{Words, singular};
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

/// The findings between a printed text and ours, of a card with this title.
pub(super) fn differences(words: &Words, printed: &str, ours: &str, title: &str) -> Vec<Finding> {
    let (printed, ours) = (contents(words, printed, title), contents(words, ours, title));
    let keys: BTreeSet<&(Sort, String)> = printed.keys().chain(ours.keys()).collect();
    let mut found = Vec::new();
    for key in keys {
        let (a, b) = (printed.get(key).copied().unwrap_or_default(), ours.get(key).copied().unwrap_or_default());
        let difference = match (a.firmly, b.firmly) {
            (1.., 0) if b.loosely == 0 => Difference::InPrint,
            (0, 1..) if a.loosely == 0 => Difference::InOurs,
            (more, less) if more > less + b.loosely || less > more + a.loosely => Difference::Often(more, less),
            _ => continue,
        };
        found.push(Finding { sort: key.0, what: key.1.clone(), difference });
    }
    // A sign is told only where both have the number.
    let both = |what: &str| [&printed, &ours].iter().all(|side| side.contains_key(&(Sort::Number, what[1..].to_string())));
    found.retain(|finding| finding.sort != Sort::Sign || turned(&found_signs(&printed, &ours, &finding.what)) && both(&finding.what));
    found
}

/// Whether print has a sign of a number that ours has the other of, and neither has both.
fn turned(signs: &[[bool; 2]; 2]) -> bool {
    matches!(signs, [[true, false], [false, true]] | [[false, true], [true, false]])
}

fn found_signs(printed: &Contents, ours: &Contents, what: &str) -> [[bool; 2]; 2] {
    let has = |side: &Contents, sign: &str| side.contains_key(&(Sort::Sign, format!("{sign}{}", &what[1..])));
    [printed, ours].map(|side| [has(side, "+"), has(side, "-")])
}

fn contents(words: &Words, text: &str, title: &str) -> Contents {
    let text = if words.reminders { without_brackets(text) } else { text.to_string() };
    let mut found = Contents::new();
    let rest = take_names(words, &tokens(&text), title, &mut found);
    let rest = put_alike(words, rest);
    take_terms(words, &rest, &mut found);
    found
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    let keep = |c: char| {
        let inside = depth > 0 || c == '(';
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if inside { ' ' } else { c }
    };
    text.chars().map(keep).collect()
}

/// The words of a text as they are written; `'s` stands for itself, a sign stays with its number.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let text = text.replace(['’', '‘'], "'").replace(['–', '−'], "-");
    let mut all = Vec::new();
    for part in text.split(|c: char| !(c.is_alphanumeric() || "'-+/".contains(c))) {
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

/// Names are taken out of the text, the longest first; the rest comes back in small letters. Of itself a card may speak by its title or not.
fn take_names(words: &Words, tokens: &[String], title: &str, found: &mut Contents) -> Vec<String> {
    let own = words.names.get(&plain(title)).map_or_else(|| plain(title), |name| name.stands_for.clone());
    let (mut rest, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let named = (1..=LONGEST.min(tokens.len() - at)).rev().find_map(|long| Some((long, name_at(words, &tokens[at..at + long])?)));
        let Some((long, name)) = named else {
            rest.push(tokens[at].to_lowercase());
            at += 1;
            continue;
        };
        if name != own {
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
    let joined = plain(&tokens.concat());
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
            if implied { often.loosely += 1 } else { often.firmly += 1 }
            at += long;
            continue;
        }
        number(&tokens[at], found);
        at += 1;
    }
}

/// Whether what stands before a type says it already: a name, or a word that only such cards have.
fn is_subtype(words: &Words, before: &[String]) -> bool {
    let ends = |long: usize| before.len() >= long && words.subtypes.contains(&singular(&before[before.len() - long..].join(" ")));
    before.last().is_some_and(|last| last == "~") || (1..=3).any(ends)
}

fn number(token: &str, found: &mut Contents) {
    if token == "one" {
        found.entry((Sort::Number, "1".into())).or_default().loosely += 1;
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
