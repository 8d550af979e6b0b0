//! Deck lists: checked against the rules of construction, and written in another form.

use crate::games::{Shelf, count};
use serde_json::json;
use std::path::PathBuf;
use trilogy_engine::deck::{self, Deck};
use trilogy_games::gemp;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Name every rule of construction that a deck breaks
    Check {
        /// A file (a plain list, or XML from GEMP), or the name of a starter deck
        deck: String,
        /// By default the game whose cards it names
        #[arg(long)]
        game: Option<String>,
        #[arg(long)]
        json: bool,
    },
    /// Write a deck as a plain list, as XML for GEMP or as JSON
    Convert {
        /// A file (a plain list, or XML from GEMP), or the name of a starter deck
        deck: String,
        /// By default the game whose cards it names
        #[arg(long)]
        game: Option<String>,
        #[arg(long, value_enum, default_value_t = Form::Plain)]
        to: Form,
        /// Where to write; standard output by default
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// List the starter decks
    List {
        /// Only those of this game
        game: Option<String>,
    },
}

#[derive(clap::ValueEnum, Clone, Copy)]
pub(crate) enum Form {
    Plain,
    Gemp,
    Json,
}

pub(crate) fn run(shelf: &Shelf, command: &Command) -> Result<(), String> {
    match command {
        Command::Check { deck, game, json } => check(shelf, &shelf.game_of_deck(game.as_deref(), deck)?, deck, *json),
        Command::Convert { deck: name, game, to, out } => {
            let game = &shelf.game_of_deck(game.as_deref(), name)?;
            let catalogue = shelf.catalogue(game)?;
            let read = shelf.deck(game, &catalogue, name)?;
            let text = match to {
                Form::Plain => deck::write(&read),
                Form::Gemp => gemp::write(&catalogue, &shelf.game(game)?.sets()?, &read).map_err(|faults| faults.join("\n"))?,
                Form::Json => json!({"game": game, "name": read.name, "cards": read.cards, "outside": read.outside}).to_string() + "\n",
            };
            match out {
                Some(path) => std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display())),
                None => {
                    put!("{text}");
                    Ok(())
                }
            }
        }
        Command::List { game } => {
            for game in shelf.chosen(game.as_deref())? {
                for (name, text) in shelf.game(&game)?.decks()? {
                    let about = text.lines().next().unwrap_or("").trim_start_matches('#').trim();
                    say!("{game}  {name:<22} {about}");
                }
            }
            Ok(())
        }
    }
}

fn check(shelf: &Shelf, game: &str, name: &str, as_json: bool) -> Result<(), String> {
    let catalogue = shelf.catalogue(game)?;
    let read: Deck = shelf.deck(game, &catalogue, name)?;
    let faults = deck::check(&catalogue, &read)?;
    if as_json {
        let faults: Vec<_> = faults.iter().map(|fault| json!({"rule": fault.cite, "reason": fault.reason})).collect();
        say!("{}", json!({"game": game, "deck": read.name, "cards": read.cards.len(), "legal": faults.is_empty(), "faults": faults}));
    } else if faults.is_empty() {
        let outside = if read.outside.is_empty() { String::new() } else { format!(", {} outside it", count(read.outside.len(), "card")) };
        say!("{name}: legal, {}{outside}", count(read.cards.len(), "card"));
    }
    if faults.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = faults.iter().map(|fault| format!("  {fault}")).collect();
    Err(format!("{name}: not legal\n{}", told.join("\n")))
}
