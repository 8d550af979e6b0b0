//! Where a game comes from: the program itself, or a folder with its sources, as `--games DIR` has one for each game.

use crate::files::read;
use crate::host::Host;
use crate::sets::{self, Set};
use crate::{Game, gemp};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use trilogy_engine::Catalogue;
use trilogy_engine::deck::Deck;
use trilogy_saga::scenario::{self, Boards};
use trilogy_saga::{SourceFile, Workshop, source};

/// One game. What is read from a folder is read anew each time, so that a change of it counts at once.
#[derive(Clone)]
pub enum Source {
    BuiltIn(&'static Game),
    Folder(PathBuf),
}

/// All games: those of a folder by their names, or those that are built in, in the order in which they are listed to people.
pub fn all(folder: Option<&Path>) -> Result<Vec<Source>, String> {
    let Some(folder) = folder else {
        return Ok(crate::games().iter().map(Source::BuiltIn).collect());
    };
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut games = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.join("rules").is_dir() {
            games.push(path);
        }
    }
    games.sort();
    Ok(games.into_iter().map(Source::Folder).collect())
}

impl Source {
    /// As commands and journals name it; the sources in a folder must say the same.
    pub fn name(&self) -> String {
        match self {
            Source::BuiltIn(game) => game.name.into(),
            Source::Folder(folder) => folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// The folder of its sources, where these are used.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Source::BuiltIn(_) => None,
            Source::Folder(folder) => Some(folder),
        }
    }

    /// Where its folder is: that of its sources, or the one of the checkout that the program is started in.
    pub fn home(&self) -> PathBuf {
        match self {
            Source::BuiltIn(game) => Path::new("games").join(game.name),
            Source::Folder(folder) => folder.clone(),
        }
    }

    /// The compiled game; all problems of sources are told with their lines, in colour where a terminal shows errors.
    pub fn catalogue(&self) -> Result<Catalogue, String> {
        self.compiled(std::io::stderr().is_terminal())
    }

    /// The same, with the problems in colour or not.
    pub fn compiled(&self, in_colour: bool) -> Result<Catalogue, String> {
        let folder = match self {
            Source::BuiltIn(game) => return game.catalogue(),
            Source::Folder(folder) => folder,
        };
        let compiled = trilogy_saga::compile_folder(folder)?;
        if compiled.problems.is_empty() {
            return Ok(compiled.catalogue);
        }
        let report = trilogy_saga::report(&compiled.files, &compiled.problems, in_colour);
        let count = compiled.problems.len();
        Err(format!("{report}{count} problem{} in {}", if count == 1 { "" } else { "s" }, folder.display()))
    }

    /// The sources as they are written.
    pub fn files(&self) -> Result<Vec<SourceFile>, String> {
        match self {
            Source::BuiltIn(game) => Ok(game.files()),
            Source::Folder(folder) => Ok(trilogy_saga::read_game(folder)?.0),
        }
    }

    /// The sources, ready for scenarios.
    pub fn workshop(&self) -> Result<Workshop, String> {
        let opened = match self {
            Source::BuiltIn(game) => game.workshop(),
            Source::Folder(folder) => {
                let (files, rules) = trilogy_saga::read_game(folder)?;
                Workshop::new(files, rules)
            }
        };
        opened.map_err(|compiled| trilogy_saga::report(&compiled.files, &compiled.problems, false))
    }

    /// The boards that scenarios build on: of the folder of sources, or of the checkout that the program is started in, else those
    /// that are built in.
    pub fn boards(&self) -> Result<Boards, String> {
        match self {
            Source::BuiltIn(game) if !self.home().join(scenario::BOARD_FOLDER).is_dir() => game.boards(),
            Source::BuiltIn(_) | Source::Folder(_) => Boards::of_game(&self.home()),
        }
    }

    pub fn rulebook(&self) -> Result<String, String> {
        self.text("rulebook.md", |game| game.rulebook)
    }

    /// The list of rules that wait for a set.
    pub fn later(&self) -> Result<String, String> {
        self.text("later.txt", |game| game.later)
    }

    /// What is shown of it, held against its rules.
    pub fn host(&self, catalogue: &Catalogue) -> Result<Host, String> {
        Host::read(&self.text("host.json", |game| game.host)?, catalogue)
    }

    pub fn sets(&self) -> Result<Vec<Set>, String> {
        self.sets_and_rarities().map(|(sets, _)| sets)
    }

    pub fn sets_and_rarities(&self) -> Result<(Vec<Set>, Vec<String>), String> {
        sets::parse_all(&self.text("sets.txt", |game| game.sets)?)
    }

    fn text(&self, file: &str, inside: fn(&Game) -> &'static str) -> Result<String, String> {
        match self {
            Source::BuiltIn(game) => Ok(inside(game).to_string()),
            Source::Folder(folder) => read(&folder.join(file)),
        }
    }

    /// Starter decks: name and list.
    pub fn decks(&self) -> Result<Vec<(String, String)>, String> {
        let folder = match self {
            Source::BuiltIn(game) => return Ok(game.decks.iter().map(|(name, list)| (name.to_string(), list.to_string())).collect()),
            Source::Folder(folder) => folder,
        };
        let mut files = Vec::new();
        source::find(&folder.join("decks"), "txt", &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
        let named = |path: &PathBuf| Ok((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), read(path)?));
        files.iter().map(named).collect()
    }

    /// Read a deck in any format that is known.
    pub fn read_deck(&self, catalogue: &Catalogue, text: &str) -> Result<Deck, Vec<String>> {
        // A folder of sources need not say which sets there are, as long as no id of a card is to be understood.
        let sets = if gemp::is_gemp(text) { self.sets().map_err(|error| vec![error])? } else { Vec::new() };
        crate::read_deck(catalogue, &sets, text)
    }
}
