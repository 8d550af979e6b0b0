//! Scenario files, in all modes. The last line is `N passed, N failed`.

use crate::games::Shelf;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trilogy_games::source::Source;
use trilogy_saga::scenario::{self, Boards, MODES, Mode};
use trilogy_saga::{Workshop, source};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario files or folders; by default the `scenarios` folder of every game under ./games, or under the folder of --games
    paths: Vec<PathBuf>,
    /// Only scenarios whose name holds this text
    #[arg(long)]
    only: Option<String>,
    /// Only the plain mode
    #[arg(long)]
    quick: bool,
    /// Name each scenario that passed, too
    #[arg(long, short)]
    verbose: bool,
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    let paths = if args.paths.is_empty() { shelf.games()?.iter().map(scenario_folder).collect() } else { args.paths.clone() };
    let files = files(&paths)?;
    let modes: &[Mode] = if args.quick { &[Mode::Plain] } else { &MODES };
    let mut workshops: BTreeMap<String, (Workshop, Boards)> = BTreeMap::new();
    let mut work = Vec::new();
    let mut broken = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let game = game_of(shelf, path, &text)?;
        if !workshops.contains_key(&game) {
            let source = shelf.game(&game)?;
            workshops.insert(game.clone(), (source.workshop()?, source.boards()?));
        }
        match scenario::parse(&text, &workshops[&game].1) {
            Ok(scenarios) => work.extend(scenarios.into_iter().map(|scenario| (path, game.clone(), scenario))),
            Err(error) => broken.push(format!("{}: {error}", path.display())),
        }
    }
    if let Some(only) = &args.only {
        work.retain(|(_, _, scenario)| scenario.name.to_lowercase().contains(&only.to_lowercase()));
    }
    let results: Vec<(String, Result<(), String>)> = work
        .par_iter()
        .map(|(path, game, scenario)| {
            let name = format!("{}: {}", path.display(), scenario.name);
            let failed = modes
                .iter()
                .find_map(|&mode| scenario::run(&workshops[game].0, scenario, mode).err().map(|error| format!("{mode:?} mode, {error}")));
            (name, failed.map_or(Ok(()), Err))
        })
        .collect();
    let mut failed = broken.len();
    for line in &broken {
        say!("FAILED {line}");
    }
    for (name, result) in &results {
        match result {
            Ok(()) if args.verbose => say!("ok     {name}"),
            Ok(()) => {}
            Err(error) => {
                failed += 1;
                say!("FAILED {name}\n       {error}");
            }
        }
    }
    say!("{} passed, {failed} failed", results.len() + broken.len() - failed);
    if failed > 0 { Err(String::new()) } else { Ok(()) }
}

/// The game of a file: what its first line says, or the game in whose folder it lies.
fn game_of(shelf: &Shelf, path: &Path, text: &str) -> Result<String, String> {
    if let Some(game) = scenario::game_of(text) {
        return shelf.game(game).map(|_| game.to_string());
    }
    let names = shelf.names()?;
    let hint = names.first().map_or("", String::as_str);
    shelf.game_of_path(path).ok_or_else(|| format!("{}: say which game it is with a first line such as `game {hint}`", path.display()))
}

/// Where the scenarios of a game are.
pub(crate) fn scenario_folder(source: &Source) -> PathBuf {
    source.home().join("scenarios")
}

pub(crate) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            source::find(path, "scenario", &mut found).map_err(|error| format!("{}: {error}", path.display()))?;
        } else if path.is_file() {
            found.push(path.clone());
        } else {
            return Err(format!("{}: no such file or folder", path.display()));
        }
    }
    Ok(found)
}
