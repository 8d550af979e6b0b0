//! The games that are built in. This is the only place that names them; everything else goes through [`games`] and [`find`].

pub mod archive;
pub mod errata;
pub mod files;
pub mod gemp;
pub mod host;
pub mod later;
pub mod rulings;
pub mod sets;
pub mod source;

use trilogy_engine::Catalogue;
use trilogy_engine::deck::{self, Deck};
use trilogy_saga::scenario::Boards;
use trilogy_saga::source::rule_ids;
use trilogy_saga::{Compiled, SourceFile, Workshop};

/// A game as it lies in the program. Its crate is written by its build script (`trilogy_saga::build_game`).
pub struct Game {
    /// As commands and journals name it.
    pub name: &'static str,
    pub title: &'static str,
    pub rulebook: &'static str,
    /// `sets.txt`, for [`sets::parse`].
    pub sets: &'static str,
    /// `later.txt`, for [`later::parse`].
    pub later: &'static str,
    /// `host.json`, for [`host::Host::read`].
    pub host: &'static str,
    /// What the catalogue was compiled from: file name and text.
    pub sources: &'static [(&'static str, &'static str)],
    /// Starter decks: file name and list.
    pub decks: &'static [(&'static str, &'static str)],
    /// Files of boards that scenarios share: file name and text.
    pub boards: &'static [(&'static str, &'static str)],
    blob: &'static [u8],
}

macro_rules! game {
    ($of:ident) => {
        Game {
            name: $of::NAME,
            title: $of::TITLE,
            rulebook: $of::RULEBOOK,
            sets: $of::SETS,
            later: $of::LATER,
            host: $of::HOST,
            sources: $of::SOURCES,
            decks: $of::DECKS,
            boards: $of::BOARDS,
            blob: $of::BLOB,
        }
    };
}

/// All games, in the order in which they are listed to people.
pub fn games() -> &'static [Game] {
    static GAMES: [Game; 3] = [game!(trilogy_tcg), game!(trilogy_ccg), game!(trilogy_lcg)];
    &GAMES
}

pub fn find(name: &str) -> Option<&'static Game> {
    games().iter().find(|game| game.name == name)
}

impl Game {
    /// The built-in catalogue. It was written by the compiler of this very build, so reading it cannot fail
    /// unless the program file itself is damaged.
    pub fn catalogue(&self) -> Result<Catalogue, String> {
        Ok(Catalogue::from_bytes(self.blob)?)
    }

    /// The sources, ready for scenarios.
    pub fn workshop(&self) -> Result<Workshop, Box<Compiled>> {
        Workshop::new(self.files(), Some(rule_ids(self.rulebook)))
    }

    /// The sources as they are written.
    pub fn files(&self) -> Vec<SourceFile> {
        self.sources.iter().map(|(name, text)| SourceFile { name: name.to_string(), text: text.to_string() }).collect()
    }

    /// The boards that scenarios of the game build on.
    pub fn boards(&self) -> Result<Boards, String> {
        Boards::read(self.boards.iter().copied())
    }
}

/// Read a deck in any format that is known: XML from GEMP, or else a plain list.
pub fn read_deck(catalogue: &Catalogue, sets: &[sets::Set], text: &str) -> Result<Deck, Vec<String>> {
    if gemp::is_gemp(text) { gemp::read(catalogue, sets, text) } else { deck::parse(catalogue, text) }
}
