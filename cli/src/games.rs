//! The games this program knows: built in, or from a folder of sources (`--games DIR`).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use trilogy_engine::deck::Deck;
use trilogy_engine::{Catalogue, deck};
use trilogy_saga::{SourceFile, Workshop};

/// Where games come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf {
    /// A folder with one folder of sources for each game, instead of what is built in.
    pub folder: Option<PathBuf>,
}

pub(crate) const NAMES: [&str; 1] = [trilogy_tcg::NAME];

impl Shelf {
    pub(crate) fn catalogue(&self, game: &str) -> Result<Arc<Catalogue>, String> {
        known(game)?;
        match self.source_folder(game) {
            Some(folder) => compile(&folder).map(Arc::new),
            None => trilogy_tcg::catalogue().map(Arc::new),
        }
    }

    /// The folder of a game's sources, where they are used.
    pub(crate) fn source_folder(&self, game: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(game))
    }

    pub(crate) fn rulebook(&self, game: &str) -> Result<String, String> {
        known(game)?;
        match self.source_folder(game) {
            Some(folder) => {
                let path = folder.join("rulebook.md");
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
            }
            None => Ok(trilogy_tcg::RULEBOOK.to_string()),
        }
    }

    /// The sources of a game, ready for scenarios.
    pub(crate) fn workshop(&self, game: &str) -> Result<Workshop, String> {
        known(game)?;
        let (files, rules) = match self.source_folder(game) {
            Some(folder) => trilogy_saga::read_game(&folder)?,
            None => {
                let file = |(name, text): &(&str, &str)| SourceFile { name: name.to_string(), text: text.to_string() };
                (trilogy_tcg::SOURCES.iter().map(file).collect(), Some(trilogy_saga::source::rule_ids(trilogy_tcg::RULEBOOK)))
            }
        };
        Workshop::new(files, rules).map_err(|compiled| trilogy_saga::report(&compiled.files, &compiled.problems, false))
    }

    /// A deck by the name of a starter deck or by its file.
    pub(crate) fn deck(&self, game: &str, catalogue: &Catalogue, name: &str) -> Result<Deck, String> {
        known(game)?;
        let text = match trilogy_tcg::DECKS.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => text.to_string(),
            None => std::fs::read_to_string(name).map_err(|error| {
                let known: Vec<&str> = trilogy_tcg::DECKS.iter().map(|(name, _)| *name).collect();
                format!("{name}: {error}; the starter decks are {}", known.join(", "))
            })?,
        };
        deck::parse(catalogue, &text).map_err(|faults| format!("{name}: {}", faults.join("\n  ")))
    }
}

pub(crate) fn known(game: &str) -> Result<(), String> {
    if NAMES.contains(&game) { Ok(()) } else { Err(format!("no game is called \"{game}\"; there is {}", NAMES.join(", "))) }
}

pub(crate) fn compile(folder: &Path) -> Result<Catalogue, String> {
    let compiled = trilogy_saga::compile_folder(folder)?;
    if compiled.problems.is_empty() {
        Ok(compiled.catalogue)
    } else {
        let color = std::io::IsTerminal::is_terminal(&std::io::stderr());
        let report = trilogy_saga::report(&compiled.files, &compiled.problems, color);
        Err(format!("{report}{} in {}", count(compiled.problems.len(), "problem"), folder.display()))
    }
}

/// "1 problem", "2 problems"
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The player a deck is for: the seat whose cards it holds, or the first for a neutral deck.
pub(crate) fn seat(catalogue: &Catalogue, deck: &Deck) -> usize {
    let word = |name: &str| catalogue.words.iter().position(|word| word == name);
    let light = word("light").map(|at| at as u16);
    let has_light = deck
        .cards
        .iter()
        .filter_map(|key| catalogue.card(key))
        .any(|def| catalogue.def(def).words.iter().any(|word| Some(word.0) == light));
    usize::from(has_light)
}
