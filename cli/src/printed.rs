//! The printed text of all cards: to keep in a file, and to see what a change of the printer or of a card makes of it.

use crate::games::{Shelf, count};
use std::path::{Path, PathBuf};
use trilogy_games::files::read;
use trilogy_saga::printed::{self, Change, Said};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// All games by default
    game: Option<String>,
    /// Write the digests of all texts to `printed.lock` in the folder of each game
    #[arg(long, conflicts_with = "against")]
    write: bool,
    /// Show the cards that say something else than in this file: texts printed earlier, or the printed.lock of a game
    #[arg(long)]
    against: Option<PathBuf>,
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    for game in shelf.chosen(args.game.as_deref())? {
        let catalogue = shelf.catalogue(&game)?;
        if let Some(path) = &args.against {
            compare(&game, &catalogue, path, args.game.is_none())?;
        } else if args.write {
            let path = shelf.game(&game)?.home().join("printed.lock");
            std::fs::write(&path, printed::lock(&catalogue)).map_err(|error| format!("{}: {error}", path.display()))?;
            say!("{game}: {} in {}", count(catalogue.cards.len(), "card"), path.display());
        } else {
            put!("{}", printed::texts(&game, &catalogue));
        }
    }
    Ok(())
}

fn compare(game: &str, catalogue: &trilogy_engine::Catalogue, path: &Path, all_games: bool) -> Result<(), String> {
    let text = read(path)?;
    if all_games && !text.starts_with("# ") {
        return Err(format!("{}: a printed.lock is of one game: name it", path.display()));
    }
    let before = printed::read(game, &text).map_err(|problem| format!("{}: {problem}", path.display()))?;
    let changes = printed::changes(catalogue, &before);
    for change in &changes {
        tell(change);
    }
    say!("{game}: {} of {} say something else", changes.len(), count(catalogue.cards.len(), "card"));
    Ok(())
}

/// The lines that are gone and those that came; what stayed is left out.
fn tell(change: &Change) {
    let old = match &change.before {
        Some(Said::Lines(lines)) => lines.as_slice(),
        Some(Said::Digest(_)) | None => &[],
    };
    let now = change.now.as_deref().unwrap_or(&[]);
    say!(
        "{}{}",
        change.key,
        if change.before.is_none() {
            "  (new)"
        } else if change.now.is_none() {
            "  (gone)"
        } else {
            ""
        }
    );
    for line in old.iter().filter(|line| !now.contains(line)) {
        say!("  - {line}");
    }
    for line in now.iter().filter(|line| !old.contains(line)) {
        say!("  + {line}");
    }
}
