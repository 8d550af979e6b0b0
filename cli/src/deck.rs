//! Deck lists: checked against the rules of construction, and written in another form.

use crate::games::{Shelf, count};
use serde_json::json;
use std::path::PathBuf;
use trilogy_engine::deck::{self, Deck};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Name every rule of construction that a deck breaks
    Check {
        /// A file, or the name of a starter deck
        deck: String,
        #[arg(long, default_value = "tcg")]
        game: String,
        #[arg(long)]
        json: bool,
    },
    /// Write a deck as a plain list or as JSON
    Convert {
        deck: String,
        #[arg(long, default_value = "tcg")]
        game: String,
        #[arg(long, default_value = "text", value_parser = ["text", "json"])]
        to: String,
        /// Where to write; standard output by default
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// List the starter decks
    List,
}

pub(crate) fn run(shelf: &Shelf, command: &Command) -> Result<(), String> {
    match command {
        Command::Check { deck, game, json } => check(shelf, game, deck, *json),
        Command::Convert { deck: name, game, to, out } => {
            let catalogue = shelf.catalogue(game)?;
            let read = shelf.deck(game, &catalogue, name)?;
            let text = if to == "json" {
                json!({"game": game, "name": read.name, "cards": read.cards}).to_string() + "\n"
            } else {
                deck::write(&read)
            };
            match out {
                Some(path) => std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display())),
                None => {
                    put!("{text}");
                    Ok(())
                }
            }
        }
        Command::List => {
            for (name, text) in trilogy_tcg::DECKS {
                let about = text.lines().next().unwrap_or("").trim_start_matches('#').trim();
                say!("tcg  {name:<22} {about}");
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
        say!("{name}: legal, {}", count(read.cards.len(), "card"));
    }
    if faults.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = faults.iter().map(|fault| format!("  {fault}")).collect();
    Err(format!("{name}: not legal\n{}", told.join("\n")))
}
