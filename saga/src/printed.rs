//! The printed text of all cards of a game: as a file that people keep, and as digests that the repository keeps in
//! `printed.lock`. Either tells later which cards say something else. The texts are no part of the repository, because good
//! ones come near to print.

use std::collections::BTreeMap;
use std::fmt::Write;
use trilogy_engine::Catalogue;

/// What a card said: its lines, or only their digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Lines(Vec<String>),
    Digest(String),
}

/// A card that says something else than before.
#[derive(PartialEq, Eq, Debug)]
pub struct Change {
    pub key: String,
    /// None where the card is new.
    pub before: Option<Said>,
    /// None where the card is gone.
    pub now: Option<Vec<String>>,
}

/// A short digest of the lines of a card.
pub fn digest(lines: &[String]) -> String {
    let mut hasher = blake3::Hasher::new();
    for line in lines {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex()[..12].to_string()
}

fn by_key(catalogue: &Catalogue) -> BTreeMap<&str, &[String]> {
    catalogue.cards.iter().map(|card| (card.key.as_str(), card.text.as_slice())).collect()
}

/// `printed.lock`: a line for each card, its digest and its key, sorted by key.
pub fn lock(catalogue: &Catalogue) -> String {
    by_key(catalogue).iter().map(|(key, lines)| format!("{} {key}\n", digest(lines))).collect()
}

/// All texts: the game, each card, and below it its lines.
pub fn texts(game: &str, catalogue: &Catalogue) -> String {
    let mut out = format!("# {game}\n");
    for (key, lines) in by_key(catalogue) {
        let _ = writeln!(out, "{key}");
        for line in lines {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

/// What a game said by an earlier file of texts or lock.
pub fn read(game: &str, text: &str) -> Result<BTreeMap<String, Said>, String> {
    let mut found: BTreeMap<String, Said> = BTreeMap::new();
    if !text.starts_with("# ") {
        for line in text.lines() {
            let (digest, key) = line.split_once(' ').filter(|(digest, _)| digest.len() == 12).ok_or_else(|| no_line(line))?;
            found.insert(key.to_string(), Said::Digest(digest.to_string()));
        }
        return Ok(found);
    }
    let mut card: Option<String> = None;
    let mut here = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("# ") {
            (here, card) = (name == game, None);
        } else if !here {
            continue;
        } else if let Some(line) = line.strip_prefix("  ") {
            let lines = card.as_ref().and_then(|card| found.get_mut(card));
            let Some(Said::Lines(lines)) = lines else { return Err(no_line(line)) };
            lines.push(line.to_string());
        } else {
            found.insert(line.to_string(), Said::Lines(Vec::new()));
            card = Some(line.to_string());
        }
    }
    if found.is_empty() { Err(format!("there is nothing of {game} in it")) } else { Ok(found) }
}

fn no_line(line: &str) -> String {
    format!("it is neither a file of texts nor a printed.lock: {line:?}")
}

/// The cards that say something else than they did, are new or are gone, by their keys.
pub fn changes(catalogue: &Catalogue, before: &BTreeMap<String, Said>) -> Vec<Change> {
    let now = by_key(catalogue);
    let same = |lines: &[String], said: &Said| match said {
        Said::Lines(old) => old == lines,
        Said::Digest(old) => *old == digest(lines),
    };
    let mut changed: Vec<Change> = Vec::new();
    for (key, lines) in &now {
        let old = before.get(*key);
        if old.is_none_or(|old| !same(lines, old)) {
            changed.push(Change { key: key.to_string(), before: old.cloned(), now: Some(lines.to_vec()) });
        }
    }
    for (key, said) in before.iter().filter(|(key, _)| !now.contains_key(key.as_str())) {
        changed.push(Change { key: key.clone(), before: Some(said.clone()), now: None });
    }
    changed.sort_by(|a, b| a.key.cmp(&b.key));
    changed
}
