//! `trilogy cards audit`: our cards beside the printed ones, and what a reader would find different, worst first.
//!
//! [`printed`] reads the table of printed cards and finds ours, [`words`] what a game calls its things (`audit.txt`), [`reading`] what
//! stands in a text, [`table`] what a card prints besides; [`findings`] are what differs, and [`accepted`] what is known and explained.

mod accepted;
mod findings;
mod printed;
mod reading;
mod table;
#[cfg(test)]
mod tests;
mod words;

use crate::games::{Shelf, count};
use accepted::Accepted;
use findings::{Finding, HEAVY};
use printed::{Printed, Table, plain};
use reading::Ours;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::CardDef;
use trilogy_games::files::read;
use trilogy_games::sets::Set;
use trilogy_games::source::Source;
use trilogy_saga::vocabulary::Vocabulary;
use words::Words;

/// A card as it is compared.
struct Row {
    id: String,
    title: String,
    printed: String,
    ours: String,
    /// How far the texts are apart, 0 (the same words) to 1.
    distance: f64,
    findings: Vec<(Finding, bool)>,
}

impl Row {
    /// Of what is not accepted.
    fn weight(&self) -> f64 {
        self.findings.iter().filter(|(_, accepted)| !accepted).map(|(finding, _)| finding.weight()).sum()
    }
    fn json(&self) -> Value {
        let findings: Vec<Value> = self.findings.iter().map(|(finding, accepted)| finding.json(*accepted)).collect();
        json!({"id": self.id, "title": self.title, "weight": self.weight(), "distance": self.distance, "printed": self.printed, "ours": self.ours, "findings": findings})
    }
}

/// What of it is shown, and how.
pub(crate) struct Shown<'a> {
    pub(crate) as_json: bool,
    pub(crate) most: usize,
    /// Only cards with this in their titles.
    pub(crate) only: Option<&'a str>,
}

pub(crate) fn run(shelf: &Shelf, game: &str, path: &Path, shown: &Shown) -> Result<(), String> {
    let source = shelf.game(game)?;
    let catalogue = source.catalogue()?;
    let table = Table::read(&read(path)?).map_err(|error| format!("{}:{error}", path.display()))?;
    let words = Words::read(&beside(&source, "audit.txt")?, &catalogue, &table)?;
    let mut accepted = Accepted::read(&beside(&source, "accepted.txt")?)?;
    let mut rows = compare(&catalogue, &source.sets()?, &table, &words, &mut accepted);
    let stale = accepted.stale();
    if let Some(only) = shown.only {
        rows.retain(|row| row.title.to_lowercase().contains(&only.to_lowercase()));
    }
    let all = || rows.iter().flat_map(|row| &row.findings);
    let (open, heavy) = (all().filter(|(_, accepted)| !accepted), |(finding, _): &&(Finding, bool)| finding.weight() >= HEAVY);
    let (open, heavy) = (open.clone().count(), open.filter(heavy).count());
    let known = all().count() - open;
    if shown.as_json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        say!("{}", json!({"game": game, "open": open, "heavy": heavy, "accepted": known, "stale": stale, "cards": rows}));
        return Ok(());
    }
    for row in rows.iter().take(shown.most).filter(|row| !row.findings.is_empty() || row.distance > 0.0) {
        say!("\n{:.1}  {}  (texts {:.0} % alike)", row.weight(), row.title, 100.0 * (1.0 - row.distance));
        say!("  printed: {}\n  ours:    {}", row.printed, row.ours);
        for (finding, accepted) in &row.findings {
            say!("  {} {finding}", if *accepted { "(accepted)" } else { "-" });
        }
    }
    for line in &stale {
        say!("{line}");
    }
    for line in crate::cards::sentences_by_hand(&source.workshop()?, &Vocabulary::read(&source.files()?)) {
        say!("{line}");
    }
    say!("\n{}: {} open, {heavy} of them heavy; {known} accepted", count(rows.len(), "card"), count(open, "finding"));
    Ok(())
}

/// A file of the game's folder; empty where there is none.
fn beside(source: &Source, file: &str) -> Result<String, String> {
    let path = source.home().join(file);
    if path.exists() { read(&path) } else { Ok(String::new()) }
}

fn half_there(catalogue: &Catalogue, set: &Set) -> bool {
    2 * catalogue.cards.iter().filter(|card| card.set == set.code).count() >= set.numbers().count()
}

/// Whether a card of ours has this number of a set.
fn taken(catalogue: &Catalogue, set: &Set, number: u16) -> bool {
    catalogue.cards.iter().any(|card| card.is_number(&set.code, number))
}

/// All cards of the sets that we have begun, worst first.
fn compare(catalogue: &Catalogue, sets: &[Set], table: &Table, words: &Words, accepted: &mut Accepted) -> Vec<Row> {
    let begun: BTreeSet<&str> = catalogue.cards.iter().map(|card| card.set.as_str()).collect();
    let sets: Vec<&Set> = sets.iter().filter(|set| begun.contains(set.code.as_str())).collect();
    let (mut rows, mut seen) = (Vec::new(), HashSet::new());
    for printed in table.cards() {
        // Where a set holds cards of earlier ones, they keep their numbers and are compared there.
        let Some(set) = printed.set(&sets) else { continue };
        let found = match printed.find(catalogue, set) {
            Ok(card) if !seen.insert(card.key.as_str()) => continue,
            // Copies without a number are promotional ones of cards that have one.
            Err(_) if printed.number.is_none() => continue,
            // Of a set that is hardly begun most cards are missing, and `cards coverage` tells how many.
            Err(_) if !half_there(catalogue, set) && !printed.number.is_some_and(|number| taken(catalogue, set, number)) => continue,
            found => found,
        };
        rows.push(row(catalogue, words, printed, (set, found), accepted));
    }
    for card in catalogue.cards.iter().filter(|card| !seen.contains(card.key.as_str())) {
        let finding = Finding::table("card", "", "one");
        let known = accepted.take(&card.key, &finding);
        let (title, ours) = (card.key.clone(), card.text.join(" "));
        rows.push(Row { id: String::new(), title, printed: String::new(), ours, distance: 1.0, findings: vec![(finding, known)] });
    }
    rows.sort_by(|a, b| b.weight().total_cmp(&a.weight()).then(b.distance.total_cmp(&a.distance)).then(a.title.cmp(&b.title)));
    rows
}

fn row(
    catalogue: &Catalogue,
    words: &Words,
    printed: &Printed,
    (set, found): (&Set, Result<&CardDef, String>),
    accepted: &mut Accepted,
) -> Row {
    let (mut findings, ours, key, distance) = match found {
        Ok(card) => {
            let ours = card.text.join(" ");
            let mut findings = table::differences(catalogue, words, card, printed, set);
            let names = std::iter::once(card.title.clone()).chain(card.words.iter().map(|word| plain(catalogue.word(*word)))).collect();
            let numbers = table::beside(catalogue, words, card, printed);
            findings.extend(reading::differences(words, &printed.text, &Ours { text: ours.clone(), names, numbers }));
            let distance = reading::distance(&printed.text, &ours);
            (findings, ours, card.key.clone(), distance)
        }
        Err(why) => (vec![Finding::table("card", "one", &why)], String::new(), printed.name(), 1.0),
    };
    findings.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    let weigh = |finding: Finding| {
        let known = accepted.take(&key, &finding);
        (finding, known)
    };
    let findings = findings.into_iter().map(weigh).collect();
    Row { id: printed.id.clone(), title: key, printed: printed.text.clone(), ours, distance, findings }
}
