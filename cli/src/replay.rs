//! Journals: played again, shown at any step, verified.

use crate::games::Shelf;
use std::path::PathBuf;
use trilogy_engine::journal::{Journal, hex};
use trilogy_engine::{Event, Status, Viewer, log_line, player_text};

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
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    if args.verify {
        return verify(shelf, args);
    }
    let [path] = &args.files[..] else { return Err("one journal at a time; --verify takes many".into()) };
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let journal = Journal::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let catalogue = shelf.catalogue(&journal.game)?;
    let to = args.to.unwrap_or(journal.answers());
    if to > journal.answers() {
        return Err(format!("{}: there are {} answers", path.display(), journal.answers()));
    }
    let mut events: Vec<Event> = Vec::new();
    let game = journal.replay(&catalogue, to, &mut events).map_err(|error| format!("{}: {error}", path.display()))?;
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

fn verify(shelf: &Shelf, args: &Args) -> Result<(), String> {
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
    let mut catalogues = std::collections::BTreeMap::new();
    for path in &files {
        let checked = std::fs::read_to_string(path).map_err(|error| error.to_string()).and_then(|text| {
            let journal = Journal::parse(&text)?;
            if !catalogues.contains_key(&journal.game) {
                catalogues.insert(journal.game.clone(), shelf.catalogue(&journal.game)?);
            }
            let game = journal.replay(&catalogues[&journal.game], journal.answers(), &mut trilogy_engine::Silent)?;
            Ok(hex(&game.hash()))
        });
        match checked {
            Ok(hash) => last = Some(hash),
            Err(error) => bad.push(format!("{}: {error}", path.display())),
        }
    }
    let good = files.len() - bad.len();
    say!(
        "{good} of {} verified{}",
        crate::games::count(files.len(), "journal"),
        match last {
            Some(hash) if files.len() == 1 => format!(", last state {hash}"),
            _ => String::new(),
        }
    );
    if bad.is_empty() { Ok(()) } else { Err(bad.join("\n")) }
}
