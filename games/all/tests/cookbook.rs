//! `docs/COOKBOOK.md`: its walk-through runs, and its recipes are the abilities that carry a mark in the sources.
//! `UPDATE_DOCS=1 cargo test -p trilogy-games --test cookbook` writes the recipes.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};
use trilogy_games::{Game, games};
use trilogy_saga::scenario::{MODES, game_of, parse, run};
use trilogy_saga::{SourceFile, Workshop, cookbook};

const HEADING: &str = "## Recipes\n";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/COOKBOOK.md")
}

fn workshop(game: &Game) -> Workshop {
    game.workshop().unwrap_or_else(|_| panic!("the sources of {} do not compile", game.name))
}

#[test]
fn the_recipes_are_what_the_sources_say() {
    let mut recipes = format!("{HEADING}\n");
    for game in games() {
        let workshop = workshop(game);
        let examples = cookbook::examples(&workshop).unwrap_or_else(|faults| panic!("{}", faults.join("\n")));
        assert!(examples.len() >= 8, "{} has {} marked abilities", game.name, examples.len());
        recipes += &format!("## {}\n\n{}", workshop.catalogue().title, cookbook::section(&examples));
    }
    let page = std::fs::read_to_string(path()).unwrap();
    let at = page.find(HEADING).unwrap();
    let wanted = format!("{}{}\n", &page[..at], recipes.trim_end());
    if std::env::var("UPDATE_DOCS").is_ok_and(|value| value == "1") {
        std::fs::write(path(), &wanted).unwrap();
        return;
    }
    assert!(page == wanted, "docs/COOKBOOK.md is not what the sources say: run the tests once with UPDATE_DOCS=1");
}

/// The card of the walk-through compiles, and its scenario passes in every mode.
#[test]
fn the_walk_through_leads_to_a_green_scenario() {
    let page = std::fs::read_to_string(path()).unwrap();
    let block = |kind: &str| page.split(&format!("```{kind}\n")).nth(1).and_then(|rest| rest.split("```").next()).unwrap().to_string();
    let (card, scenario) = (block("saga"), block("scenario"));
    let name = game_of(&scenario).unwrap();
    let game = games().iter().find(|game| game.name == name).unwrap();
    let mut workshop = workshop(game);
    workshop.add(SourceFile { name: "walk-through.saga".into(), text: card }).unwrap();
    let scenarios = parse(&scenario, &game.boards().unwrap()).unwrap();
    assert_eq!(scenarios.len(), 1);
    assert!(scenario.lines().count() <= 16, "a card's scenario has fifteen lines");
    for mode in MODES {
        run(&workshop, &scenarios[0], mode).unwrap_or_else(|error| panic!("{mode:?}: {error}"));
    }
}
