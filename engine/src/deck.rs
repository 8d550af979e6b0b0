//! Deck lists as people write them: `4x Title (A)`, one card a line, `#` starts a comment.

use crate::catalogue::Catalogue;
use crate::eval::{Refusal, deck_faults};
use crate::game::{Setup, table};
use crate::value::PlayerId;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deck {
    pub name: String,
    /// Keys of the cards, with repetitions.
    pub cards: Vec<String>,
}

/// Read a list. Every line that cannot be read is named.
pub fn parse(catalogue: &Catalogue, text: &str) -> Result<Deck, Vec<String>> {
    let mut deck = Deck::default();
    let mut faults = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix("name:") {
            deck.name = name.trim().to_string();
            continue;
        }
        let (count, title) = match line.split_once(|c: char| c.is_whitespace()) {
            Some((first, rest)) => match first.trim_end_matches(['x', 'X']).parse::<usize>() {
                Ok(count) => (count, rest.trim()),
                Err(_) => (1, line),
            },
            None => (1, line),
        };
        if count == 0 || count > 200 {
            faults.push(format!("line {}: {count} copies of a card make no sense", at + 1));
            continue;
        }
        match find(catalogue, title) {
            Ok(key) => deck.cards.extend(std::iter::repeat_n(key, count)),
            Err(why) => faults.push(format!("line {}: {why}", at + 1)),
        }
    }
    if deck.cards.is_empty() && faults.is_empty() {
        faults.push("the list is empty".into());
    }
    if faults.is_empty() { Ok(deck) } else { Err(faults) }
}

/// The key of a card by its full name, whatever the case; a title alone is enough where it has one version.
pub fn find(catalogue: &Catalogue, title: &str) -> Result<String, String> {
    let same = |a: &str| a.eq_ignore_ascii_case(title);
    if let Some(card) = catalogue.cards.iter().find(|card| same(&card.key)) {
        return Ok(card.key.clone());
    }
    let versions: Vec<&str> = catalogue.cards.iter().filter(|card| same(&card.title)).map(|card| card.key.as_str()).collect();
    match versions[..] {
        [one] => Ok(one.to_string()),
        [] => Err(format!("no card is called \"{title}\"")),
        _ => Err(format!("\"{title}\" could be {}", versions.join(" or "))),
    }
}

/// Every rule of construction that a deck breaks.
pub fn check(catalogue: &Catalogue, deck: &Deck) -> Result<Vec<Refusal>, String> {
    let setup = Setup { decks: [deck.cards.clone(), Vec::new()], options: Default::default(), seed: [0; 32] };
    let state = table(catalogue, &setup)?;
    Ok(deck_faults(catalogue, &state, PlayerId(0)))
}

/// The list in its usual form: one line for each card, in the order of first appearance.
pub fn write(deck: &Deck) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for card in &deck.cards {
        match counted.iter_mut().find(|(key, _)| key == card) {
            Some((_, count)) => *count += 1,
            None => counted.push((card, 1)),
        }
    }
    let mut out = if deck.name.is_empty() { String::new() } else { format!("name: {}\n", deck.name) };
    for (key, count) in counted {
        out += &format!("{count}x {key}\n");
    }
    out
}
