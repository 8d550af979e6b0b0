//! Journals: played again, shown at any step, verified, made ready to be handed on.

use crate::catalogues::{Catalogues, Found, Place};
use crate::games::{Shelf, count};
use std::path::{Path, PathBuf};
use trilogy_engine::journal::{self, Journal, hex};
use trilogy_engine::{Event, Game, Silent, Status, Viewer, log_line, player_text};
use trilogy_games::files::{read, write_whole};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Journal files; several only with --verify
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Stop after this many answers
    #[arg(long)]
    to: Option<usize>,
    /// Check every hash, and say only whether all is well
    #[arg(long)]
    verify: bool,
    /// Show the state at the end as JSON, as everyone's cards on the table
    #[arg(long)]
    json: bool,
    /// Look for catalogues that this program does not have here, too: a folder with files HASH.catalogue, that of a server, or its database
    #[arg(long, value_name = "DIR|URL")]
    catalogues: Vec<Place>,
    /// Verify the journal and write it into FILE with its catalogue inside, so that it can be replayed anywhere
    #[arg(long, value_name = "FILE", conflicts_with_all = ["to", "verify", "json"])]
    with_catalogue: Option<PathBuf>,
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    let mut catalogues = Catalogues::new(shelf, args.catalogues.clone());
    if args.verify {
        return verify(&mut catalogues, args);
    }
    let [path] = &args.files[..] else { return Err("one journal at a time; --verify takes many".into()) };
    let text = read(path)?;
    let of_file = |error: String| format!("{}: {error}", path.display());
    let journal = Journal::parse(&text).map_err(of_file)?;
    let found = catalogues.find(&journal, path).map_err(of_file)?;
    if let Some(out) = &args.with_catalogue {
        return write_carrying(out, &text, &journal, &found).map_err(of_file);
    }
    let catalogue = found.catalogue;
    let to = args.to.unwrap_or(journal.answers());
    if to > journal.answers() {
        return Err(format!("{}: there are {} answers", path.display(), journal.answers()));
    }
    let mut events: Vec<Event> = Vec::new();
    let game = journal.replay(&catalogue, to, &mut events).map_err(of_file)?;
    if args.json {
        let snapshot = game.view(Viewer::Referee).snapshot();
        say!("{}", serde_json::to_string(&snapshot).map_err(|error| error.to_string())?);
        return Ok(());
    }
    for event in &events {
        if let Some(line) = log_line(&catalogue, event, Viewer::Referee) {
            say!("{line}");
        }
    }
    match game.status() {
        Status::Asking => say!(
            "after {to} of {} answers, {} is asked: {}",
            journal.answers(),
            game.asked().map_or(String::new(), |player| player_text(&catalogue, player)),
            game.view(Viewer::Referee).prompt()
        ),
        Status::Won(player) => say!("{} won after {} answers", player_text(&catalogue, *player), journal.answers()),
        Status::Drawn => say!("drawn after {} answers", journal.answers()),
        Status::Broken(why) => say!("the game broke: {why}"),
    }
    Ok(())
}

fn write_carrying(out: &Path, text: &str, journal: &Journal, found: &Found) -> Result<(), String> {
    journal.replay(&found.catalogue, journal.answers(), &mut Silent)?;
    let carrying = journal::carrying(text, found.text());
    write_whole(out, carrying.as_bytes())?;
    say!("{}: {}, and its catalogue, {} KB in all", out.display(), count(journal.answers(), "answer"), carrying.len().div_ceil(1000));
    Ok(())
}

fn verify(catalogues: &mut Catalogues<'_>, args: &Args) -> Result<(), String> {
    let mut bad = Vec::new();
    let mut files = Vec::new();
    for path in &args.files {
        if path.is_dir() {
            trilogy_saga::source::find(path, "journal", &mut files).map_err(|error| format!("{}: {error}", path.display()))?;
        } else {
            files.push(path.clone());
        }
    }
    let mut last = None;
    for path in &files {
        match verified(catalogues, path) {
            Ok(game) => last = Some(hex(&game.hash())),
            Err(error) => bad.push(format!("{}: {error}", path.display())),
        }
    }
    let good = files.len() - bad.len();
    say!(
        "{good} of {} verified{}",
        count(files.len(), "journal"),
        match last {
            Some(hash) if files.len() == 1 => format!(", last state {hash}"),
            _ => String::new(),
        }
    );
    if bad.is_empty() { Ok(()) } else { Err(bad.join("\n")) }
}

fn verified(catalogues: &mut Catalogues<'_>, path: &Path) -> Result<Game, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let journal = Journal::parse(&text)?;
    let catalogue = catalogues.find(&journal, path)?.catalogue;
    journal.replay(&catalogue, journal.answers(), &mut Silent)
}
