//! The rulebook: listed, shown, and how much of it programs cite and scenarios exercise.

use crate::games::Shelf;
use crate::test::scenario_folder;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use trilogy_games::errata::{self, Count};
use trilogy_games::files::read;
use trilogy_games::later::{self, Later};
use trilogy_games::source::Source;
use trilogy_saga::source::{rule_ids, rule_text};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List the rules with their first words
    List {
        /// All games by default
        game: Option<String>,
        /// Only rules whose id or text holds this
        #[arg(long)]
        find: Option<String>,
    },
    /// Show a rule, where programs implement it and which scenarios exercise it
    Show { id: String },
    /// Each rule: cited by a program? by how many scenarios?
    Coverage {
        /// All games by default
        game: Option<String>,
        /// One JSON object for each game
        #[arg(long)]
        json: bool,
        /// Where the scenarios are
        #[arg(long, requires = "game")]
        scenarios: Option<PathBuf>,
    },
}

pub(crate) fn run(shelf: &Shelf, command: &Command) -> Result<(), String> {
    match command {
        Command::List { game, find } => {
            let find = find.as_ref().map(|find| find.to_lowercase());
            for game in shelf.chosen(game.as_deref())? {
                let book = shelf.game(&game)?.rulebook()?;
                for id in rule_ids(&book) {
                    let text = rule_text(&book, &id).unwrap_or("");
                    if find.as_ref().is_none_or(|find| id.contains(find) || text.to_lowercase().contains(find)) {
                        say!("{id:<34} {}", text.chars().take(110).collect::<String>());
                    }
                }
            }
            Ok(())
        }
        Command::Show { id } => show(shelf, id),
        Command::Coverage { game, json, scenarios } => {
            let done = shelf.chosen(game.as_deref())?.into_iter().map(|game| coverage(shelf, &game, *json, scenarios.as_deref()));
            let faults: Vec<String> = done.collect::<Result<Vec<_>, String>>()?.concat();
            if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
        }
    }
}

fn show(shelf: &Shelf, id: &str) -> Result<(), String> {
    let game = id.split('.').next().unwrap_or("");
    let source = shelf.game(game)?;
    let book = source.rulebook()?;
    let Some(text) = rule_text(&book, id) else {
        let ids = rule_ids(&book);
        let near = trilogy_saga::diagnostics::nearest(id, ids.iter().map(String::as_str))
            .map_or(String::new(), |near| format!("; did you mean {near}?"));
        return Err(format!("the rulebook has no rule {id}{near}"));
    };
    say!("{id}\n  {text}");
    // Sources of games that are not built in have no page of rulings.
    for ruling in trilogy_games::rulings::of(game).unwrap_or_default().iter().filter(|ruling| ruling.rules.iter().any(|rule| rule == id)) {
        say!("  our ruling: {}\n    {}\n    option: {}", ruling.title, ruling.ours, ruling.option);
    }
    let catalogue = source.catalogue()?;
    for (cite, place) in &catalogue.cited_at {
        if catalogue.cites[cite.index()] == id {
            say!("  implemented at games/{game}/{place}");
        }
    }
    if let Ok(scenarios) = crate::cards::read_scenarios(&source, None) {
        for scenario in scenarios.iter().filter(|scenario| scenario.cites.iter().any(|cite| cite == id)) {
            say!("  exercised by \"{}\"", scenario.name);
        }
    }
    Ok(())
}

/// Tell how far a game's rules are cited and exercised; what is returned is wrong with the lists and scenarios.
fn coverage(shelf: &Shelf, game: &str, as_json: bool, place: Option<&Path>) -> Result<Vec<String>, String> {
    let source = shelf.game(game)?;
    let book = source.rulebook()?;
    let ids = rule_ids(&book);
    let catalogue = source.catalogue()?;
    let cited: BTreeSet<&str> = catalogue.cited_at.iter().map(|(cite, _)| catalogue.cites[cite.index()].as_str()).collect();
    let (later, mut faults) = later::parse(&source.later()?, &source.sets()?, &ids, |id| cited.contains(id));
    let later: BTreeMap<&str, &Later> = later.iter().map(|later| (later.id.as_str(), later)).collect();
    let mut tested: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = BTreeSet::new();
    for scenario in crate::cards::read_scenarios(&source, place)? {
        for cite in scenario.cites {
            if ids.contains(&cite) {
                *tested.entry(cite).or_insert(0) += 1;
            } else {
                faults.push(format!("\"{}\" cites {cite}, which the rulebook does not have", scenario.name));
            }
        }
        names.insert(scenario.name);
    }
    let reasons = reasons(&source, place)?;
    let (rulings, untrue) = errata::count(&beside_scenarios(&source, place, "rulings.txt")?, &catalogue, &names);
    faults.extend(untrue);
    let waits = |id: &String| later.contains_key(id.as_str());
    let missing: Vec<&String> = ids.iter().filter(|id| !cited.contains(id.as_str()) && !waits(id)).collect();
    let untested: Vec<&String> = ids.iter().filter(|id| !tested.contains_key(*id) && !waits(id)).collect();
    let done = ids.len() - missing.len() - later.len();
    let told = |id: &String| reasons.get(id).cloned().unwrap_or_default();
    if as_json {
        let untested: Vec<_> = untested.iter().map(|id| json!({"id": id, "reason": told(id)})).collect();
        let waiting: Vec<_> = later.values().map(|later| json!({"id": later.id, "set": later.set, "reason": later.reason})).collect();
        let ids_later: Vec<&&str> = later.keys().collect();
        say!(
            "{}",
            json!({"game": game, "total": ids.len(), "cited": done, "tested": tested.len(), "later": ids_later, "missing": missing,
                "untested": untested, "waiting": waiting, "scenarios": tested,
                "rulings": {"lines": rulings.lines, "applying": rulings.applying(), "covered": rulings.covered, "said": rulings.said}})
        );
    } else {
        say!(
            "{game}: {} rules, {done} cited by programs, {} exercised by scenarios, {} for a later set",
            ids.len(),
            tested.len(),
            later.len()
        );
        if rulings.lines > 0 {
            let Count { lines, covered, said, .. } = rulings;
            say!(
                "{game}: {lines} errata and rulings, {} of them on what is there: {covered} held by scenarios, {said} without effect",
                rulings.applying()
            );
        }
        missing.iter().for_each(|id| say!("not cited:     {id}"));
        untested
            .iter()
            .for_each(|id| say!("not exercised: {id:<32} {}", if told(id).is_empty() { "(no reason given)".into() } else { told(id) }));
        later.values().for_each(|later| say!("later:         {:<32} {}: {}", later.id, later.set, later.reason));
    }
    Ok(faults)
}

/// Why a rule has no scenario: lines `id: reason` in the scenarios' `untested.txt`.
fn reasons(source: &Source, place: Option<&Path>) -> Result<BTreeMap<String, String>, String> {
    let text = beside_scenarios(source, place, "untested.txt")?;
    let pairs = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    Ok(pairs.map(|(id, reason)| (id.trim().to_string(), reason.trim().to_string())).collect())
}

/// A list that lies among the scenarios; empty where there is none.
fn beside_scenarios(source: &Source, place: Option<&Path>, name: &str) -> Result<String, String> {
    let path = place.map_or_else(|| scenario_folder(source), Path::to_path_buf).join(name);
    if path.is_file() { read(&path) } else { Ok(String::new()) }
}
