//! Every scenario of every game, in every mode, and whether they leave anything out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use rayon::prelude::*;
use std::path::{Path, PathBuf};
use trilogy_engine::deck;
use trilogy_games::{Game, errata, games, later, sets};
use trilogy_saga::scenario::{MODES, Scenario, parse, run};
use trilogy_saga::source::{find, read_game, rule_ids};

fn folder(game: &Game) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(game.name)
}

fn scenarios(game: &Game) -> Vec<(PathBuf, Scenario)> {
    let mut files = Vec::new();
    find(&folder(game).join("scenarios"), "scenario", &mut files).unwrap();
    let boards = game.boards().unwrap_or_else(|error| panic!("{}: {error}", game.name));
    let read = |path: &PathBuf| {
        let all = parse(&std::fs::read_to_string(path).unwrap(), &boards).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        all.into_iter().map(|scenario| (path.clone(), scenario)).collect::<Vec<_>>()
    };
    files.iter().flat_map(read).collect()
}

#[test]
fn all_pass_in_all_modes() {
    for game in games() {
        let workshop = game.workshop().unwrap_or_else(|_| panic!("the sources of {} do not compile", game.name));
        let all = scenarios(game);
        assert!(!all.is_empty(), "{} has no scenarios", game.name);
        let failed: Vec<String> = all
            .par_iter()
            .flat_map_iter(|(path, scenario)| {
                let failure = MODES.iter().find_map(|&mode| run(&workshop, scenario, mode).err().map(|error| (mode, error)));
                failure.map(|(mode, error)| format!("{}: {} ({mode:?}): {error}", path.display(), scenario.name))
            })
            .collect();
        assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    }
}

/// Each worked case of a rulebook has a scenario that names it.
#[test]
fn every_case_of_the_rulebook_is_there() {
    for game in games() {
        let cases = game.rulebook.lines().filter_map(|line| line.strip_prefix("- {id: ")).filter_map(|rest| rest.split(',').next());
        let all = scenarios(game);
        let missing: Vec<&str> =
            cases.filter(|case| !all.iter().any(|(_, scenario)| scenario.name.contains(&format!("{case}:")))).collect();
        assert!(missing.is_empty(), "{}: no scenario for {missing:?}", game.name);
    }
}

/// Every rule is cited by a program or waits for a set; those without a scenario have a reason, and are few.
#[test]
fn every_rule_is_cited_and_nearly_all_are_exercised() {
    for game in games() {
        let ids = rule_ids(game.rulebook);
        let catalogue = game.catalogue().unwrap();
        let is_cited = |id: &str| catalogue.cites.iter().any(|cite| cite == id);
        let (later, stale) = later::parse(game.later, &sets::parse(game.sets).unwrap(), &ids, is_cited);
        assert!(stale.is_empty(), "{}: {stale:?}", game.name);
        let now: Vec<&String> = ids.iter().filter(|id| !later.iter().any(|later| later.id == **id)).collect();
        let uncited: Vec<&&String> = now.iter().filter(|id| !is_cited(id)).collect();
        assert!(uncited.is_empty(), "no program cites {uncited:?}");
        let all = scenarios(game);
        let exercised = |id: &str| all.iter().any(|(_, scenario)| scenario.cites.iter().any(|cite| cite == id));
        let unknown: Vec<&String> = all.iter().flat_map(|(_, scenario)| &scenario.cites).filter(|cite| !ids.contains(*cite)).collect();
        assert!(unknown.is_empty(), "scenarios cite {unknown:?}, which the rulebook does not have");
        let reasons = std::fs::read_to_string(folder(game).join("scenarios/untested.txt")).unwrap();
        let idle: Vec<&&String> = now.iter().filter(|id| !exercised(id)).collect();
        let silent: Vec<_> = idle.iter().filter(|id| !reasons.lines().any(|line| line.starts_with(&format!("{id}: ")))).collect();
        assert!(silent.is_empty(), "neither scenario nor reason for {silent:?}");
        assert!(idle.len() * 10 <= now.len(), "{}: {} of {} rules have no scenario", game.name, idle.len(), now.len());
    }
}

/// What errata and rulings say of cards that are there is held by scenarios.
#[test]
fn every_ruling_on_what_is_there_is_held() {
    for game in games() {
        // Only the rulebook of one game has such appendices.
        let Ok(text) = std::fs::read_to_string(folder(game).join("scenarios/rulings.txt")) else { continue };
        let names = scenarios(game).into_iter().map(|(_, scenario)| scenario.name).collect();
        let (count, faults) = errata::count(&text, &game.catalogue().unwrap(), &names);
        assert!(faults.is_empty(), "{}:\n{}", game.name, faults.join("\n"));
        assert_eq!(count.covered + count.said, count.applying());
    }
}

/// Each card with text is covered by a scenario.
#[test]
fn every_card_with_text_is_covered() {
    for game in games() {
        let catalogue = game.catalogue().unwrap();
        let all = scenarios(game);
        let covered = |key: &String| all.iter().any(|(_, scenario)| scenario.covers.contains(key));
        let bare: Vec<&String> =
            catalogue.cards.iter().filter(|card| !card.text.is_empty()).map(|card| &card.key).filter(|key| !covered(key)).collect();
        assert!(bare.is_empty(), "no scenario covers {bare:?}");
        let covers = all.iter().flat_map(|(_, s)| &s.covers).filter(|title| catalogue.card(title).is_none());
        // A title that several cards share is told with all of them.
        let unknown: Vec<String> = covers.map(|title| deck::find(&catalogue, title).unwrap_or_else(|why| why)).collect();
        assert!(unknown.is_empty(), "scenarios cover no card by its full name: {unknown:?}");
    }
}

/// The blob in the program is what the sources beside it compile to, under the name of its folder.
#[test]
fn the_blob_is_the_sources() {
    for game in games() {
        let (files, rules) = read_game(&folder(game)).unwrap();
        let compiled = trilogy_saga::compile(files, rules);
        assert_eq!(compiled.problems, []);
        assert!(compiled.catalogue == game.catalogue().unwrap());
        assert_eq!((game.name, game.title), (compiled.catalogue.game.as_str(), compiled.catalogue.title.as_str()));
    }
}
