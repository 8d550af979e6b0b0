//! `trilogy cards audit`: our text and numbers beside those of printed cards, worst first.

use crate::games::{Shelf, count};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::CardDef;
use trilogy_games::sets::Set;

pub(crate) fn run(shelf: &Shelf, game: &str, path: &Path, as_json: bool, most: usize) -> Result<(), String> {
    let catalogue = shelf.catalogue(game)?;
    let begun: BTreeSet<&str> = catalogue.cards.iter().map(|card| card.set.as_str()).collect();
    let sets: Vec<Set> = shelf.sets(game)?.into_iter().filter(|set| begun.contains(set.code.as_str())).collect();
    let mut rows = Vec::new();
    for printed in read_printed(path)? {
        let Some(set) = printed.set(&sets) else { continue };
        let (score, ours) = match printed.find(&catalogue, set) {
            Ok(card) => (difference(&catalogue, card, &printed), card.text.join(" ")),
            Err(why) => (9.0, format!("({why})")),
        };
        rows.push((score, printed, ours));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    if as_json {
        let row = |(score, printed, ours): &(f64, Printed, String)| json!({"id": printed.id, "title": printed.name(), "score": score, "printed": printed.text, "ours": ours});
        say!("{}", json!({"game": game, "cards": rows.iter().map(row).collect::<Vec<_>>()}));
        return Ok(());
    }
    say!("{} compared; the {} that differ most:", count(rows.len(), "card"), most.min(rows.len()));
    for (score, printed, ours) in rows.iter().take(most) {
        say!("\n{:.2}  {}\n  printed: {}\n  ours:    {ours}", score, printed.name(), printed.text);
    }
    Ok(())
}

/// One card of a file of printed cards.
struct Printed {
    id: String,
    title: String,
    /// The letter of a title that has several versions.
    version: Option<String>,
    side: String,
    /// Its set as the file names it: by our code, by GEMP's number or by name.
    set: [String; 2],
    number: u64,
    text: String,
    stats: Vec<(String, i32)>,
}

fn read_printed(path: &Path) -> Result<Vec<Printed>, String> {
    let text = crate::games::read(path)?;
    let mut cards = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", path.display(), at + 1))?;
        // Promotional copies have no number.
        cards.extend(value["number"].as_u64().map(|number| Printed::new(&value, number)));
    }
    Ok(cards)
}

impl Printed {
    fn new(value: &Value, number: u64) -> Printed {
        let text = |field: &str| value[field].as_str().unwrap_or("").to_string();
        // A location speaks to each player, and some cards have two faces.
        let parts: Vec<&str> =
            ["text_dark", "text_light", "text_front", "text_back"].iter().filter_map(|field| value[field].as_str()).collect();
        let stats = value["stats"].as_object().into_iter().flatten();
        Printed {
            id: text("id"),
            title: text("title"),
            version: value["version"].as_str().map(String::from),
            side: text("side"),
            set: [text("set"), text("set_name")],
            number,
            text: if parts.is_empty() { text("text") } else { parts.join(" ") },
            stats: stats.filter_map(|(name, value)| Some((name.clone(), value.as_i64()? as i32))).collect(),
        }
    }

    /// The title, with the version where there is one.
    fn name(&self) -> String {
        self.version.as_ref().map_or_else(|| self.title.clone(), |version| format!("{} ({version})", self.title))
    }

    fn set<'a>(&self, sets: &'a [Set]) -> Option<&'a Set> {
        let [named, name] = &self.set;
        let by_number = |set: &&Set| set.gemp.is_some_and(|number| number.to_string() == *named);
        let by_name = |set: &&Set| set.name == *name;
        sets.iter().find(|set| set.code == *named).or_else(|| sets.iter().find(by_number)).or_else(|| sets.iter().find(by_name))
    }

    /// Our card: the one with its number, if the titles agree, or else the one with its title, version and side.
    fn find<'a>(&self, catalogue: &'a Catalogue, set: &Set) -> Result<&'a CardDef, String> {
        let of_set = || catalogue.cards.iter().filter(|card| card.set == set.code);
        let same_title = |card: &&CardDef| card.title.eq_ignore_ascii_case(&self.title);
        let numbered = of_set().find(|card| u16::try_from(self.number).is_ok_and(|number| card.is_number(&set.code, number)));
        if let Some(card) = numbered.filter(same_title) {
            return Ok(card);
        }
        let same_version = |card: &&CardDef| self.version.is_none() || card.key.eq_ignore_ascii_case(&self.name());
        let same_side = |card: &&CardDef| card.words.iter().any(|word| catalogue.word(*word).eq_ignore_ascii_case(&self.side));
        let named = of_set().filter(same_title).filter(same_version).find(same_side);
        named.ok_or_else(|| match numbered {
            Some(other) => format!("{} {} is {} here", set.code, self.number, other.key),
            None => "no such card here".to_string(),
        })
    }
}

/// How far our text is from the printed one, 0 (the same words) to 1, and 1 more for each wrong number.
fn difference(catalogue: &Catalogue, card: &CardDef, printed: &Printed) -> f64 {
    let wrong = printed.stats.iter().filter(|(name, value)| {
        let at = catalogue.facts.iter().position(|fact| fact == name);
        at.is_some_and(|at| card.facts[at] != Some(*value))
    });
    let wrong = wrong.count() as f64;
    let (ours, theirs) = (bag(&card.text.join(" ")), bag(&printed.text));
    if ours.is_empty() && theirs.is_empty() {
        return wrong;
    }
    let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let (mut common, mut all) = (0.0, 0.0);
    for key in keys {
        // Numbers weigh more than words: a wrong one is a wrong card.
        let weight = if key.chars().all(|c| c.is_ascii_digit()) { 3.0 } else { 1.0 };
        let (a, b) = (ours.get(key).copied().unwrap_or(0), theirs.get(key).copied().unwrap_or(0));
        common += weight * a.min(b) as f64;
        all += weight * a.max(b) as f64;
    }
    wrong + 1.0 - common / all
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
