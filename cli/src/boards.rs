//! The boards that scenarios build on, each with all that it lays.

use crate::games::{Shelf, count};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, or all of them
    game: Option<String>,
    /// Only boards whose name or description holds this text, whatever the case
    #[arg(long)]
    only: Option<String>,
    /// One line for each: its name and what it is for
    #[arg(long)]
    short: bool,
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    for game in shelf.chosen(args.game.as_deref())? {
        let boards = shelf.game(&game)?.boards()?;
        let wanted = args.only.as_deref().unwrap_or_default().to_lowercase();
        let shown: Vec<_> =
            boards.iter().filter(|board| format!("{} {}", board.name, board.about).to_lowercase().contains(&wanted)).collect();
        say!("{game}: {}", count(shown.len(), "board"));
        for board in shown {
            if args.short {
                say!("{}: {}", board.name, board.about);
            } else {
                say!("\n{}", board.to_string().trim_end());
            }
        }
    }
    Ok(())
}
