//! What a card prints beside its text: numbers, words, keywords, rarity, title and set number, held against the table.

use super::findings::Finding;
use super::printed::{Printed, plain};
use super::words::Words;
use serde_json::Value;
use std::collections::BTreeSet;
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::CardDef;
use trilogy_games::sets::Set;

pub(super) fn differences(catalogue: &Catalogue, words: &Words, card: &CardDef, printed: &Printed, set: &Set) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut other = |what: &str, printed: &str, ours: &str| {
        if printed != ours {
            found.push(Finding::table(what, printed, ours));
        }
    };
    other("title", &printed.title, &card.title);
    if let Some(number) = printed.number.filter(|number| !card.is_number(&set.code, *number)) {
        other("set number", &number.to_string(), &card.number.to_string());
    }
    if let Some(rarity) = printed.texts("rarity").first() {
        other("rarity", words.rarity.get(*rarity).map_or(*rarity, String::as_str), &card.rarity);
    }
    for (what, theirs, ours) in numbers(catalogue, words, card, printed) {
        other(&what, &theirs, &ours);
    }
    let (theirs, unknown) = their_words(catalogue, words, printed);
    let ours = our_words(catalogue, words, card);
    for word in theirs.difference(&ours) {
        other("word", word, "");
    }
    for word in &unknown {
        other("word", word, "a word that the rules do not have");
    }
    for word in ours.difference(&theirs).filter(|word| !keyword_is_printed(words, printed, word)) {
        other("word", "", word);
    }
    let text = card.text.iter().map(|line| plain(line)).collect::<String>();
    for keyword in words.keywords.iter().flat_map(|field| printed.texts(field)) {
        let named = words.word.get(&plain(keyword)).map_or_else(|| vec![plain(keyword)], Clone::clone);
        if !named.iter().all(|word| ours.contains(word) || text.contains(word)) {
            other("keyword", keyword, "");
        }
    }
    found
}

/// Each number that the table has or we: its name, theirs, ours.
fn numbers(catalogue: &Catalogue, words: &Words, card: &CardDef, printed: &Printed) -> Vec<(String, String, String)> {
    let fact = |name: &str| catalogue.facts.iter().position(|fact| fact == name).and_then(|at| card.facts[at]);
    let known = |name: &str| catalogue.facts.iter().any(|fact| fact == name);
    let mut all = Vec::new();
    let mapped = |path: &str| words.numbers.iter().find(|(theirs, _)| theirs == path);
    for (theirs, ours) in &words.numbers {
        if let Some(ours) = ours {
            all.push((ours.clone(), said(printed.field(theirs)), fact(ours).map_or_else(String::new, |n| n.to_string())));
        }
    }
    for (name, value) in printed.field("stats").as_object().into_iter().flatten() {
        let path = format!("stats.{name}");
        if mapped(&path).is_none() && (value.is_number() || value.is_string()) {
            let ours = if known(name) { fact(name).map_or_else(String::new, |n| n.to_string()) } else { "a number that the rules do not have".into() };
            all.push((name.clone(), said(value), ours));
        }
    }
    // What is 0 or not there is printed in neither way.
    let nothing = |value: &str| value.is_empty() || value == "0";
    all.retain(|(_, theirs, ours)| !(nothing(theirs) && nothing(ours)));
    all
}

fn said(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => String::new(),
    }
}

/// The words of the table in ours, and those that the rules do not have.
fn their_words<'a>(catalogue: &Catalogue, words: &Words, printed: &'a Printed) -> (BTreeSet<String>, Vec<&'a str>) {
    let known: BTreeSet<String> = catalogue.words.iter().chain(&catalogue.facts).map(|word| plain(word)).collect();
    let (mut all, mut unknown) = (BTreeSet::new(), Vec::new());
    for word in words.fields.iter().flat_map(|field| printed.texts(field)) {
        match one_or_several(words, &known, word) {
            Some(ours) => all.extend(ours),
            None => unknown.push(word),
        }
    }
    (all, unknown)
}

/// A word as it is, or as the words it is made of: "Clone Soldier".
fn one_or_several(words: &Words, known: &BTreeSet<String>, word: &str) -> Option<Vec<String>> {
    if let Some(ours) = words.word.get(&plain(word)) {
        return Some(ours.clone());
    }
    if known.contains(&plain(word)) {
        return Some(vec![plain(word)]);
    }
    let parts: Vec<&str> = word.split([' ', '-', '/', ',']).filter(|part| !part.is_empty()).collect();
    (1..parts.len()).rev().find_map(|long| {
        let mut first = one_or_several(words, known, &parts[..long].join(" "))?;
        first.extend(one_or_several(words, known, &parts[long..].join(" "))?);
        Some(first)
    })
}

/// Words, and numbers that only say that something is so.
fn our_words(catalogue: &Catalogue, words: &Words, card: &CardDef) -> BTreeSet<String> {
    let own = card.words.iter().map(|word| plain(catalogue.word(*word)));
    let flags = catalogue.facts.iter().zip(&card.facts).filter(|(_, value)| value.is_some()).map(|(name, _)| plain(name));
    let numbers: BTreeSet<String> = words.numbers.iter().filter_map(|(_, ours)| ours.as_deref().map(plain)).collect();
    let stats: BTreeSet<String> = catalogue.facts.iter().filter(|name| words.is_stat(name)).map(|name| plain(name)).collect();
    own.chain(flags).filter(|word| !words.own.contains(word) && !numbers.contains(word) && !stats.contains(word)).collect()
}

fn keyword_is_printed(words: &Words, printed: &Printed, word: &str) -> bool {
    let mut keywords = words.keywords.iter().flat_map(|field| printed.texts(field));
    keywords.any(|keyword| match words.word.get(&plain(keyword)) {
        Some(ours) => ours.iter().any(|one| one == word),
        None => plain(keyword).trim_end_matches(|c: char| c.is_ascii_digit()) == word,
    })
}
