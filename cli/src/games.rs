//! The games that a command is about: those that are built in, or those of a folder of sources (`--games DIR`).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use trilogy_engine::deck::Deck;
use trilogy_engine::{Catalogue, deck};
use trilogy_games::files::read;
use trilogy_games::source::{self, Source};

/// Where games come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf {
    /// A folder with one folder of sources for each game, instead of what is built in.
    pub folder: Option<PathBuf>,
}

impl Shelf {
    /// All games.
    pub(crate) fn games(&self) -> Result<Vec<Source>, String> {
        source::all(self.folder.as_deref())
    }

    /// All games by name.
    pub(crate) fn names(&self) -> Result<Vec<String>, String> {
        Ok(self.games()?.iter().map(Source::name).collect())
    }

    /// The game that is named.
    pub(crate) fn game(&self, game: &str) -> Result<Source, String> {
        let games = self.games()?;
        if let Some(found) = games.iter().find(|source| source.name() == game) {
            return Ok(found.clone());
        }
        let names: Vec<String> = games.iter().map(Source::name).collect();
        Err(format!("no game is called \"{game}\"; there {} {}", if names.len() == 1 { "is" } else { "are" }, names.join(", ")))
    }

    /// The game that is named, or all of them.
    pub(crate) fn chosen(&self, game: Option<&str>) -> Result<Vec<String>, String> {
        match game {
            Some(game) => self.game(game).map(|_| vec![game.to_string()]),
            None => self.names(),
        }
    }

    pub(crate) fn catalogue(&self, game: &str) -> Result<Arc<Catalogue>, String> {
        self.game(game)?.catalogue().map(Arc::new)
    }

    /// A deck by the name of a starter deck or by its file.
    pub(crate) fn deck(&self, game: &str, catalogue: &Catalogue, name: &str) -> Result<Deck, String> {
        let source = self.game(game)?;
        let starters = source.decks()?;
        let text = match starters.iter().find(|(known, _)| known == name) {
            Some((_, text)) => text.clone(),
            None => read(Path::new(name)).map_err(|error| {
                let known: Vec<&str> = starters.iter().map(|(name, _)| name.as_str()).collect();
                format!("{error}; the starter decks are {}", known.join(", "))
            })?,
        };
        source.read_deck(catalogue, &text).map_err(|faults| format!("{name}: {}", faults.join("\n  ")))
    }

    /// The starter decks of each seat.
    pub(crate) fn starters(&self, game: &str, catalogue: &Catalogue) -> Result<[Vec<(String, Deck)>; 2], String> {
        let mut seats: [Vec<(String, Deck)>; 2] = Default::default();
        for (name, _) in self.game(game)?.decks()? {
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
            if self.game(game)?.decks()?.iter().any(|(known, _)| known == deck) {
                return Ok(game.clone());
            }
        }
        if let Some(game) = self.game_of_path(Path::new(deck)) {
            return Ok(game);
        }
        let text = read(Path::new(deck)).map_err(|error| format!("{error}; `trilogy deck list` names the starter decks"))?;
        let mut best = (0, None);
        for game in names {
            let source = self.game(&game)?;
            let understood = match source.read_deck(&source.catalogue()?, &text) {
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
        named.chain(usual).find(|game| self.game(game).is_ok())
    }
}

/// "1 problem", "2 problems"
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
