//! What a card prints beside its text: numbers, words, keywords, rarity, title and set number, held against the table.

use super::findings::Finding;
use super::printed::{Printed, plain};
use super::reading::tokens;
use super::words::Words;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
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
    let ours = our_words(catalogue, words, card, printed);
    for (_, word) in theirs.iter().filter(|(word, _)| !ours.contains_key(*word)) {
        other("word", word, "");
    }
    for word in &unknown {
        other("word", word, "a word that the rules do not have");
    }
    let written = printed.everything();
    let mentioned = |word: &str| written.contains(word) || keyword_is_printed(words, printed, word);
    let extra = ours.iter().filter(|(word, (_, told))| !told && !theirs.contains_key(*word) && !mentioned(word));
    for (_, (word, _)) in extra {
        other("word", "", word);
    }
    let text = card.text.iter().map(|line| plain(line)).collect::<String>();
    for keyword in words.keywords.iter().flat_map(|field| printed.texts(field)) {
        let named = words.ours("", "keywords", keyword).map_or_else(|| vec![plain(keyword)], Clone::clone);
        if !named.iter().all(|word| ours.contains_key(word) || text.contains(word)) {
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
            let ours = if known(name) {
                fact(name).map_or_else(String::new, |n| n.to_string())
            } else {
                "a number that the rules do not have".into()
            };
            all.push((name.clone(), said(value), ours));
        }
    }
    // A number of ours that others print beside their text and this card in it.
    let in_text = tokens(&printed.text);
    for (name, value) in catalogue.facts.iter().filter(|name| words.is_stat(name)).filter_map(|name| Some((name, fact(name)?.to_string())))
    {
        if printed.field("stats")[name].is_null() && !in_text.contains(&value) {
            all.push((name.clone(), String::new(), value));
        }
    }
    // What is 0 or not there is printed in neither way.
    let nothing = |value: &str| value.is_empty() || value == "0";
    all.retain(|(_, theirs, ours)| !(nothing(theirs) && nothing(ours)));
    all
}

/// Our numbers that the table does not have: those that print has in the text.
pub(super) fn beside(catalogue: &Catalogue, words: &Words, card: &CardDef, printed: &Printed) -> Vec<i32> {
    let theirs = |name: &str| {
        let mapped = words.numbers.iter().filter(|(_, ours)| ours.as_deref() == Some(name)).map(|(theirs, _)| theirs.clone());
        mapped.chain([format!("stats.{name}")]).any(|path| !printed.field(&path).is_null())
    };
    let facts = catalogue.facts.iter().zip(&card.facts).filter_map(|(name, value)| Some((name, (*value)?)));
    facts.filter(|(name, _)| !theirs(name)).map(|(_, value)| value).collect()
}

fn said(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => String::new(),
    }
}

/// The words of the table in ours, and those that the rules do not have.
fn their_words<'a>(catalogue: &Catalogue, words: &'a Words, printed: &'a Printed) -> (BTreeMap<String, &'a str>, Vec<&'a str>) {
    let known: BTreeSet<String> = catalogue.words.iter().chain(&catalogue.facts).map(|word| plain(word)).collect();
    let (mut all, mut unknown) = (BTreeMap::new(), Vec::new());
    let of_type = printed.texts("type").first().map_or_else(String::new, |word| word.to_string());
    for (field, word) in words.fields.iter().flat_map(|field| printed.texts(field).into_iter().map(move |word| (field, word))) {
        match one_or_several(words, &known, (&of_type, field), word) {
            Some(ours) => all.extend(ours.into_iter().map(|one| (one, word))),
            None => unknown.push(word),
        }
    }
    (all, unknown)
}

/// A word as it is, or as the words it is made of: "Clone Soldier".
fn one_or_several(words: &Words, known: &BTreeSet<String>, place: (&str, &str), word: &str) -> Option<Vec<String>> {
    if let Some(ours) = words.ours(place.0, place.1, word) {
        return Some(ours.clone());
    }
    if known.contains(&plain(word)) {
        return Some(vec![plain(word)]);
    }
    let parts: Vec<&str> = word.split([' ', '-', '/', ',']).filter(|part| !part.is_empty()).collect();
    (1..parts.len()).rev().find_map(|long| {
        let mut first = one_or_several(words, known, place, &parts[..long].join(" "))?;
        first.extend(one_or_several(words, known, place, &parts[long..].join(" "))?);
        Some(first)
    })
}

/// Words, and numbers that the table does not have as such: by letters and digits alone, as they are written, and whether the printed
/// text has the number, so that it is compared there.
fn our_words(catalogue: &Catalogue, words: &Words, card: &CardDef, printed: &Printed) -> BTreeMap<String, (String, bool)> {
    let own = card.words.iter().map(|word| (catalogue.word(*word).to_string(), false));
    let compared: BTreeSet<&str> = words.numbers.iter().filter_map(|(_, ours)| ours.as_deref()).collect();
    let in_text: BTreeSet<String> = tokens(&printed.text).into_iter().collect();
    let facts = catalogue.facts.iter().zip(&card.facts).filter_map(|(name, value)| Some((name, (*value)?)));
    let flags = facts.filter(|(name, _)| !compared.contains(name.as_str()) && !words.is_stat(name));
    let flags = flags.map(|(name, value)| (name.clone(), in_text.contains(&value.to_string())));
    own.chain(flags).map(|(word, told)| (plain(&word), (word, told))).filter(|(word, _)| !words.own.contains(word)).collect()
}

fn keyword_is_printed(words: &Words, printed: &Printed, word: &str) -> bool {
    let mut keywords = words.keywords.iter().flat_map(|field| printed.texts(field));
    keywords.any(|keyword| match words.ours("", "keywords", keyword) {
        Some(ours) => ours.iter().any(|one| one == word),
        None => plain(keyword).trim_end_matches(|c: char| c.is_ascii_digit()) == word,
    })
}
