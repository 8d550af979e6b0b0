//! `trilogy`: play, simulate, test and look up the three card games.

/// Print a line; a reader that has gone away (`| head`) ends the program quietly.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write;
        if writeln!(std::io::stdout(), $($text)*).is_err() {
            std::process::exit(0);
        }
    }};
}

/// The same without a line end.
macro_rules! put {
    ($($text:tt)*) => {{
        use std::io::Write;
        if write!(std::io::stdout(), $($text)*).is_err() {
            std::process::exit(0);
        }
    }};
}

/// Lists and imagined games come and go by the million.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod audit;
mod bench;
mod bench_hostile;
mod bench_prompts;
mod bench_server;
mod bench_work;
mod boards;
mod cards;
mod catalogues;
mod deck;
mod games;
mod lsp;
mod play;
mod printed;
mod recorded;
mod replay;
mod rules;
mod serve;
mod sim;
mod storage;
mod test;
mod vocabulary;

use clap::{Parser, Subcommand};
use games::Shelf;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "trilogy",
    version,
    about = "Plays, referees and explains three card games. Without a command it starts the server and opens the browser."
)]
struct Cli {
    /// Load rules and cards from DIR/<game>/ instead of the built-in ones (stands before the command)
    #[arg(long = "games", id = "games_folder", value_name = "DIR")]
    folder: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play in the browser, alone or with others: the server
    Serve(serve::Args),
    /// Copies of what the server keeps, and a folder made from one
    #[command(subcommand)]
    Storage(storage::Command),
    /// Play in the terminal, against a bot or between two people at one keyboard
    Play(play::Args),
    /// Let bots play many games and sum up
    Sim(sim::Args),
    /// Run scenario files
    Test(test::Args),
    /// List the boards that scenarios build on
    Boards(boards::Args),
    /// Check, format, show, list, compare and count cards
    #[command(subcommand)]
    Cards(cards::Command),
    /// The rulebook: list, show, coverage
    #[command(subcommand)]
    Rules(rules::Command),
    /// Check and convert decks
    #[command(subcommand)]
    Deck(deck::Command),
    /// Play a journal again, or verify journals
    Replay(replay::Args),
    /// Compare with games that were written down before a change which must not change any
    Recorded(recorded::Args),
    /// Tell an editor what the compiler knows: a language server on standard input and output
    Lsp,
    /// Measure the figures of docs/PERFORMANCE.md
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let shelf = Shelf { folder: cli.folder };
    let done = match &cli.command {
        None => serve::run(&shelf, &serve::Args::default()),
        Some(Command::Serve(args)) => serve::run(&shelf, args),
        Some(Command::Storage(command)) => storage::run(command),
        Some(Command::Play(args)) => play::run(&shelf, args),
        Some(Command::Sim(args)) => sim::run(&shelf, args),
        Some(Command::Test(args)) => test::run(&shelf, args),
        Some(Command::Boards(args)) => boards::run(&shelf, args),
        Some(Command::Cards(command)) => cards::run(&shelf, command),
        Some(Command::Rules(command)) => rules::run(&shelf, command),
        Some(Command::Deck(command)) => deck::run(&shelf, command),
        Some(Command::Replay(args)) => replay::run(&shelf, args),
        Some(Command::Recorded(args)) => recorded::run(&shelf, args),
        Some(Command::Lsp) => lsp::run(),
        Some(Command::Bench(args)) => bench::run(&shelf, args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A command that has told its failure itself leaves nothing to add.
            if !message.is_empty() {
                eprintln!("{}", message.trim_end());
            }
            ExitCode::FAILURE
        }
    }
}
