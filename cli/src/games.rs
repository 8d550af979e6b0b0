//! The games this program knows: built in, or from a folder of sources (`--games DIR`).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use trilogy_engine::deck::Deck;
use trilogy_engine::{Catalogue, deck};
use trilogy_games::Game;
use trilogy_games::host::Host;
use trilogy_games::sets::{self, Set};
use trilogy_saga::scenario::{self, Boards};
use trilogy_saga::{SourceFile, Workshop, source};

/// Where games come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf {
    /// A folder with one folder of sources for each game, instead of what is built in.
    pub folder: Option<PathBuf>,
}

impl Shelf {
    /// All games by name.
    pub(crate) fn names(&self) -> Result<Vec<String>, String> {
        let Some(folder) = &self.folder else {
            return Ok(trilogy_games::games().iter().map(|game| game.name.to_string()).collect());
        };
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.join("rules").is_dir() {
                names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
            }
        }
        names.sort();
        Ok(names)
    }

    /// The game that is named, or all of them.
    pub(crate) fn chosen(&self, game: Option<&str>) -> Result<Vec<String>, String> {
        match game {
            Some(game) => self.known(game).map(|()| vec![game.to_string()]),
            None => self.names(),
        }
    }

    pub(crate) fn known(&self, game: &str) -> Result<(), String> {
        let names = self.names()?;
        if names.iter().any(|name| name == game) {
            return Ok(());
        }
        Err(format!("no game is called \"{game}\"; there {} {}", if names.len() == 1 { "is" } else { "are" }, names.join(", ")))
    }

    pub(crate) fn catalogue(&self, game: &str) -> Result<Arc<Catalogue>, String> {
        self.known(game)?;
        match self.source_folder(game) {
            Some(folder) => compile(&folder).map(Arc::new),
            None => built_in(game)?.catalogue().map(Arc::new),
        }
    }

    /// The folder of a game's sources, where they are used.
    pub(crate) fn source_folder(&self, game: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(game))
    }

    /// Where the folder of a game is: the named one, or the one of the checkout that the program is started in.
    pub(crate) fn home(&self, game: &str) -> PathBuf {
        self.source_folder(game).unwrap_or_else(|| Path::new("games").join(game))
    }

    pub(crate) fn rulebook(&self, game: &str) -> Result<String, String> {
        self.text(game, "rulebook.md", |game| game.rulebook)
    }

    /// The list of rules that wait for a set.
    pub(crate) fn later(&self, game: &str) -> Result<String, String> {
        self.text(game, "later.txt", |game| game.later)
    }

    /// What is shown of a game, held against its rules.
    pub(crate) fn host(&self, game: &str, catalogue: &Catalogue) -> Result<Host, String> {
        Host::read(&self.text(game, "host.json", |game| game.host)?, catalogue)
    }

    pub(crate) fn sets(&self, game: &str) -> Result<Vec<Set>, String> {
        self.sets_and_rarities(game).map(|(sets, _)| sets)
    }

    pub(crate) fn sets_and_rarities(&self, game: &str) -> Result<(Vec<Set>, Vec<String>), String> {
        sets::parse_all(&self.text(game, "sets.txt", |game| game.sets)?)
    }

    fn text(&self, game: &str, file: &str, inside: fn(&Game) -> &'static str) -> Result<String, String> {
        self.known(game)?;
        match self.source_folder(game) {
            Some(folder) => read(&folder.join(file)),
            None => Ok(inside(built_in(game)?).to_string()),
        }
    }

    /// The sources of a game as they are written.
    pub(crate) fn sources(&self, game: &str) -> Result<Vec<SourceFile>, String> {
        self.known(game)?;
        match self.source_folder(game) {
            Some(folder) => Ok(trilogy_saga::read_game(&folder)?.0),
            None => Ok(built_in(game)?.files()),
        }
    }

    /// The sources of a game, ready for scenarios.
    pub(crate) fn workshop(&self, game: &str) -> Result<Workshop, String> {
        self.known(game)?;
        let opened = match self.source_folder(game) {
            Some(folder) => {
                let (files, rules) = trilogy_saga::read_game(&folder)?;
                Workshop::new(files, rules)
            }
            None => built_in(game)?.workshop(),
        };
        opened.map_err(|compiled| trilogy_saga::report(&compiled.files, &compiled.problems, false))
    }

    /// The boards that scenarios of a game build on: of the folder of sources, or of the checkout that the program is started in,
    /// else those that are built in.
    pub(crate) fn boards(&self, game: &str) -> Result<Boards, String> {
        self.known(game)?;
        let home = self.home(game);
        if self.folder.is_some() || home.join(scenario::BOARD_FOLDER).is_dir() { Boards::of_game(&home) } else { built_in(game)?.boards() }
    }

    /// Starter decks: name and list.
    pub(crate) fn decks(&self, game: &str) -> Result<Vec<(String, String)>, String> {
        self.known(game)?;
        let Some(folder) = self.source_folder(game) else {
            return Ok(built_in(game)?.decks.iter().map(|(name, list)| (name.to_string(), list.to_string())).collect());
        };
        let mut files = Vec::new();
        source::find(&folder.join("decks"), "txt", &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
        let named = |path: &PathBuf| Ok((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), read(path)?));
        files.iter().map(named).collect()
    }

    /// A deck by the name of a starter deck or by its file.
    pub(crate) fn deck(&self, game: &str, catalogue: &Catalogue, name: &str) -> Result<Deck, String> {
        let starters = self.decks(game)?;
        let text = match starters.iter().find(|(known, _)| known == name) {
            Some((_, text)) => text.clone(),
            None => read(Path::new(name)).map_err(|error| {
                let known: Vec<&str> = starters.iter().map(|(name, _)| name.as_str()).collect();
                format!("{error}; the starter decks are {}", known.join(", "))
            })?,
        };
        self.read_deck(game, catalogue, &text).map_err(|faults| format!("{name}: {}", faults.join("\n  ")))
    }

    fn read_deck(&self, game: &str, catalogue: &Catalogue, text: &str) -> Result<Deck, Vec<String>> {
        // A folder of sources need not say which sets there are, as long as no id of a card is to be understood.
        let sets = if trilogy_games::gemp::is_gemp(text) { self.sets(game).map_err(|error| vec![error])? } else { Vec::new() };
        trilogy_games::read_deck(catalogue, &sets, text)
    }

    /// The starter decks of each seat.
    pub(crate) fn starters(&self, game: &str, catalogue: &Catalogue) -> Result<[Vec<(String, Deck)>; 2], String> {
        let mut seats: [Vec<(String, Deck)>; 2] = Default::default();
        for (name, _) in self.decks(game)? {
            let read = self.deck(game, catalogue, &name)?;
            seats[deck::seat(catalogue, &read)].push((name, read));
        }
        Ok(seats)
    }

    /// The first starter deck for a seat.
    pub(crate) fn starter(&self, game: &str, catalogue: &Catalogue, seat: usize) -> Result<(String, Deck), String> {
        let side = || catalogue.players[seat].replace('_', " ");
        let mut starters = self.starters(game, catalogue)?;
        let first = starters[seat].drain(..).next();
        first.ok_or_else(|| format!("{} has no starter deck for the {}", catalogue.title, side()))
    }

    /// The game that a deck is for: the one that is named, else the one whose starter deck it is or whose folder it lies in,
    /// else the one that understands most of its lines.
    pub(crate) fn game_of_deck(&self, named: Option<&str>, deck: &str) -> Result<String, String> {
        let mut names = self.chosen(named)?;
        if names.len() == 1 {
            return Ok(names.remove(0));
        }
        for game in &names {
            if self.decks(game)?.iter().any(|(known, _)| known == deck) {
                return Ok(game.clone());
            }
        }
        if let Some(game) = self.game_of_path(Path::new(deck)) {
            return Ok(game);
        }
        let text = read(Path::new(deck)).map_err(|error| format!("{error}; `trilogy deck list` names the starter decks"))?;
        let mut best = (0, None);
        for game in names {
            let understood = match self.read_deck(&game, &*self.catalogue(&game)?, &text) {
                Ok(_) => usize::MAX,
                Err(faults) => text.lines().count().saturating_sub(faults.len()),
            };
            if understood > best.0 {
                best = (understood, Some(game));
            }
        }
        best.1.ok_or_else(|| format!("{deck}: say with --game which game it is for"))
    }

    /// The game in whose folder a file lies: DIR/GAME/ with `--games DIR`, or `games/GAME/`.
    pub(crate) fn game_of_path(&self, path: &Path) -> Option<String> {
        let path = path.canonicalize().ok()?;
        let within = |folder: &Path| path.strip_prefix(folder.canonicalize().ok()?).ok().map(Path::to_path_buf);
        let first = |rest: &Path| rest.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let named = self.folder.as_deref().and_then(within).and_then(|rest| first(&rest)).into_iter();
        let usual = parts.windows(2).filter(|pair| pair[0] == "games").map(|pair| pair[1].clone());
        named.chain(usual).find(|game| self.known(game).is_ok())
    }
}

fn built_in(game: &str) -> Result<&'static Game, String> {
    trilogy_games::find(game).ok_or_else(|| format!("{game} is not built in"))
}

/// Read a file; what fails is told with its name.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
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
