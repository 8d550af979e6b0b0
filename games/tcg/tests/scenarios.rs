//! Every scenario of the game, in every mode.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use rayon::prelude::*;
use std::path::{Path, PathBuf};
use trilogy_saga::scenario::{MODES, Scenario, parse, run};
use trilogy_saga::source::{find, read_game, rule_ids};
use trilogy_saga::{SourceFile, Workshop};

fn workshop() -> Workshop {
    let file = |(name, text): &(&str, &str)| SourceFile { name: name.to_string(), text: text.to_string() };
    let files = trilogy_tcg::SOURCES.iter().map(file).collect();
    Workshop::new(files, Some(rule_ids(trilogy_tcg::RULEBOOK))).unwrap_or_else(|_| panic!("the sources do not compile"))
}

fn scenarios() -> Vec<(PathBuf, Scenario)> {
    let mut files = Vec::new();
    find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios"), "scenario", &mut files).unwrap();
    let read = |path: &PathBuf| {
        let all = parse(&std::fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        all.into_iter().map(|scenario| (path.clone(), scenario)).collect::<Vec<_>>()
    };
    files.iter().flat_map(read).collect()
}

#[test]
fn all_pass_in_all_modes() {
    let workshop = workshop();
    let all = scenarios();
    assert!(all.len() > 300, "only {} scenarios were found", all.len());
    let failed: Vec<String> = all
        .par_iter()
        .flat_map_iter(|(path, scenario)| {
            let failure = MODES.iter().find_map(|&mode| run(&workshop, scenario, mode).err().map(|error| (mode, error)));
            failure.map(|(mode, error)| format!("{}: {} ({mode:?}): {error}", path.display(), scenario.name))
        })
        .collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// Each worked case of the rulebook has a scenario that names it.
#[test]
fn every_case_of_the_rulebook_is_there() {
    let cases = trilogy_tcg::RULEBOOK.lines().filter_map(|line| line.strip_prefix("- {id: ")).filter_map(|rest| rest.split(',').next());
    let all = scenarios();
    let missing: Vec<&str> = cases.filter(|case| !all.iter().any(|(_, scenario)| scenario.name.contains(&format!("{case}:")))).collect();
    assert!(missing.is_empty(), "no scenario for {missing:?}");
}

/// Every rule is cited by a program; those without a scenario have a reason, and are few.
#[test]
fn every_rule_is_cited_and_nearly_all_are_exercised() {
    let ids = rule_ids(trilogy_tcg::RULEBOOK);
    let catalogue = trilogy_tcg::catalogue().unwrap();
    let uncited: Vec<&String> = ids.iter().filter(|id| !catalogue.cites.contains(id)).collect();
    assert!(uncited.is_empty(), "no program cites {uncited:?}");
    let all = scenarios();
    let exercised = |id: &str| all.iter().any(|(_, scenario)| scenario.cites.iter().any(|cite| cite == id));
    let unknown: Vec<&String> = all.iter().flat_map(|(_, scenario)| &scenario.cites).filter(|cite| !ids.contains(*cite)).collect();
    assert!(unknown.is_empty(), "scenarios cite {unknown:?}, which the rulebook does not have");
    let reasons = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/untested.txt")).unwrap();
    let idle: Vec<&String> = ids.iter().filter(|id| !exercised(id)).collect();
    let silent: Vec<&&String> = idle.iter().filter(|id| !reasons.lines().any(|line| line.starts_with(&format!("{id}: ")))).collect();
    assert!(silent.is_empty(), "neither scenario nor reason for {silent:?}");
    assert!(idle.len() * 10 <= ids.len(), "{} of {} rules have no scenario", idle.len(), ids.len());
}

/// Each card with text is covered by a scenario.
#[test]
fn every_card_with_text_is_covered() {
    let catalogue = trilogy_tcg::catalogue().unwrap();
    let all = scenarios();
    let bare = catalogue.cards.iter().filter(|card| !card.text.is_empty());
    let bare: Vec<&str> =
        bare.filter(|card| !all.iter().any(|(_, scenario)| scenario.covers.contains(&card.key))).map(|card| card.key.as_str()).collect();
    assert!(bare.is_empty(), "no scenario covers {bare:?}");
    let unknown: Vec<&String> = all.iter().flat_map(|(_, s)| &s.covers).filter(|title| catalogue.card(title).is_none()).collect();
    assert!(unknown.is_empty(), "scenarios cover {unknown:?}, which are no cards");
}

/// The blob in the program is what the sources beside it compile to.
#[test]
fn the_blob_is_the_sources() {
    let (files, rules) = read_game(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let compiled = trilogy_saga::compile(files, rules);
    assert_eq!(compiled.problems, []);
    assert!(compiled.catalogue == trilogy_tcg::catalogue().unwrap());
}
