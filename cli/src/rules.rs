//! The rulebook: listed, shown, and how much of it programs cite and scenarios exercise.

use crate::games::Shelf;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use trilogy_saga::source::{rule_ids, rule_text};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List the rules with their first words
    List {
        #[arg(default_value = "tcg")]
        game: String,
        /// Only rules whose id or text holds this
        #[arg(long)]
        find: Option<String>,
    },
    /// Show a rule, where programs implement it and which scenarios exercise it
    Show { id: String },
    /// Each rule: cited by a program? by how many scenarios?
    Coverage {
        #[arg(default_value = "tcg")]
        game: String,
        #[arg(long)]
        json: bool,
        /// Where the scenarios are
        #[arg(long)]
        scenarios: Option<PathBuf>,
    },
}

pub(crate) fn run(shelf: &Shelf, command: &Command) -> Result<(), String> {
    match command {
        Command::List { game, find } => {
            let book = shelf.rulebook(game)?;
            let find = find.as_ref().map(|find| find.to_lowercase());
            for id in rule_ids(&book) {
                let text = rule_text(&book, &id).unwrap_or("");
                if find.as_ref().is_none_or(|find| id.contains(find) || text.to_lowercase().contains(find)) {
                    say!("{id:<34} {}", text.chars().take(110).collect::<String>());
                }
            }
            Ok(())
        }
        Command::Show { id } => show(shelf, id),
        Command::Coverage { game, json, scenarios } => coverage(shelf, game, *json, scenarios.as_deref()),
    }
}

fn show(shelf: &Shelf, id: &str) -> Result<(), String> {
    let game = id.split('.').next().unwrap_or("");
    let book = shelf.rulebook(game)?;
    let Some(text) = rule_text(&book, id) else {
        let ids = rule_ids(&book);
        let near = trilogy_saga::diagnostics::nearest(id, ids.iter().map(String::as_str))
            .map_or(String::new(), |near| format!("; did you mean {near}?"));
        return Err(format!("the rulebook has no rule {id}{near}"));
    };
    say!("{id}\n  {text}");
    let catalogue = shelf.catalogue(game)?;
    for (cite, place) in &catalogue.cited_at {
        if catalogue.cites[*cite as usize] == id {
            say!("  implemented at games/{game}/{place}");
        }
    }
    if let Ok(scenarios) = crate::cards::read_scenarios(game, None) {
        for scenario in scenarios.iter().filter(|scenario| scenario.cites.iter().any(|cite| cite == id)) {
            say!("  exercised by \"{}\"", scenario.name);
        }
    }
    Ok(())
}

fn coverage(shelf: &Shelf, game: &str, as_json: bool, place: Option<&Path>) -> Result<(), String> {
    let book = shelf.rulebook(game)?;
    let ids = rule_ids(&book);
    let catalogue = shelf.catalogue(game)?;
    let cited: BTreeSet<&str> = catalogue.cited_at.iter().map(|(cite, _)| catalogue.cites[*cite as usize].as_str()).collect();
    let mut tested: BTreeMap<String, usize> = BTreeMap::new();
    let mut unknown = Vec::new();
    for scenario in crate::cards::read_scenarios(game, place)? {
        for cite in scenario.cites {
            if ids.contains(&cite) {
                *tested.entry(cite).or_insert(0) += 1;
            } else {
                unknown.push(format!("\"{}\" cites {cite}, which the rulebook does not have", scenario.name));
            }
        }
    }
    let reasons = reasons(game, place)?;
    let missing: Vec<&String> = ids.iter().filter(|id| !cited.contains(id.as_str())).collect();
    let untested: Vec<&String> = ids.iter().filter(|id| !tested.contains_key(*id)).collect();
    let told = |id: &String| reasons.get(id).cloned().unwrap_or_default();
    if as_json {
        let untested: Vec<_> = untested.iter().map(|id| json!({"id": id, "reason": told(id)})).collect();
        let later: [String; 0] = [];
        say!(
            "{}",
            json!({"game": game, "total": ids.len(), "cited": ids.len() - missing.len(), "tested": tested.len(), "later": later, "missing": missing, "untested": untested, "scenarios": tested})
        );
    } else {
        say!("{} rules, {} cited by programs, {} exercised by scenarios", ids.len(), ids.len() - missing.len(), tested.len());
        missing.iter().for_each(|id| say!("not cited:    {id}"));
        untested
            .iter()
            .for_each(|id| say!("not exercised: {id:<32} {}", if told(id).is_empty() { "(no reason given)".into() } else { told(id) }));
    }
    if unknown.is_empty() { Ok(()) } else { Err(unknown.join("\n")) }
}

/// Why a rule has no scenario: lines `id: reason` in the scenarios' `untested.txt`.
fn reasons(game: &str, place: Option<&Path>) -> Result<BTreeMap<String, String>, String> {
    let path = place.map_or_else(|| Path::new("games").join(game).join("scenarios"), Path::to_path_buf).join("untested.txt");
    let text = if path.is_file() {
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?
    } else {
        String::new()
    };
    let pairs = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    Ok(pairs.map(|(id, reason)| (id.trim().to_string(), reason.trim().to_string())).collect())
}
