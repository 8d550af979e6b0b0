//! A small game of our own, compiled from `tests/toy`: what it needs and the tcg does not shows that the
//! machine knows no game. All its scenarios run in all modes.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use trilogy_engine::inside;
use trilogy_engine::journal::Writer;
use trilogy_engine::{Answer, AskKind, Game, Journal, Setup, Silent, Status, Value, Viewer, seed_from_number};
use trilogy_saga::scenario::{Boards, MODES, parse, run};
use trilogy_saga::source::{find, read_game};
use trilogy_saga::{Workshop, report};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy")
}

fn boards() -> Boards {
    Boards::of_game(&folder()).unwrap()
}

fn workshop() -> Workshop {
    let (files, rules) = read_game(&folder()).unwrap();
    Workshop::new(files, rules).unwrap_or_else(|wrong| panic!("{}", report(&wrong.files, &wrong.problems, false)))
}

#[test]
fn every_scenario_passes_in_every_mode() {
    let workshop = workshop();
    let mut files = Vec::new();
    find(&folder().join("scenarios"), "scenario", &mut files).unwrap();
    let (mut failed, mut count) = (Vec::new(), 0);
    for path in &files {
        let scenarios =
            parse(&std::fs::read_to_string(path).unwrap(), &boards()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for scenario in scenarios {
            count += 1;
            let failure = MODES.iter().find_map(|&mode| run(&workshop, &scenario, mode).err().map(|error| (mode, error)));
            failed.extend(failure.map(|(mode, error)| format!("{}: {} ({mode:?}): {error}", path.display(), scenario.name)));
        }
    }
    assert!(count >= 35, "only {count} scenarios were found");
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// Every rule of the toy's book is cited by its program and by a scenario.
#[test]
fn every_rule_is_cited_and_exercised() {
    let workshop = workshop();
    let (_, rules) = read_game(&folder()).unwrap();
    let mut files = Vec::new();
    find(&folder().join("scenarios"), "scenario", &mut files).unwrap();
    let scenarios: Vec<_> = files.iter().flat_map(|path| parse(&std::fs::read_to_string(path).unwrap(), &boards()).unwrap()).collect();
    for rule in rules.unwrap() {
        assert!(workshop.catalogue().cites.contains(&rule), "no program cites {rule}");
        assert!(scenarios.iter().any(|scenario| scenario.cites.contains(&rule)), "no scenario cites {rule}");
    }
}

/// What a program had bound when it came to grief is as it was before.
#[test]
fn a_fault_leaves_no_binding_behind() {
    let workshop = workshop();
    let catalogue = workshop.catalogue();
    let setup = Setup { decks: Default::default(), options: Default::default(), seed: seed_from_number(0) };
    let mut state = inside::table(catalogue, &setup).unwrap();
    inside::start_at(catalogue, &mut state, "from_fault", &mut Silent).unwrap();
    let depth = catalogue.vars.iter().position(|var| var.name == "depth").unwrap();
    assert_eq!((state.faults, &state.vars[depth]), (1, &Value::Num(3)));
    assert!(state.bound.is_empty());
}

/// Whole games from decks: they end, and their journals replay to the same hashes.
#[test]
fn whole_games_end_and_replay() {
    let workshop = workshop();
    let catalogue = Arc::new(workshop.catalogue().clone());
    let deck: Vec<String> = catalogue.cards.iter().map(|card| card.key.clone()).collect();
    for seed in 0..10 {
        let setup = Setup { decks: [deck.clone(), deck.clone()], options: Default::default(), seed: seed_from_number(seed) };
        let mut game = Game::new(catalogue.clone(), setup.clone(), &mut Silent).unwrap();
        let mut journal = Writer::new(&catalogue, &setup, &game.hash());
        let mut turn = seed as usize;
        while let Some(ask) = &inside::state(&game).ask {
            turn += 1;
            assert!(turn < 20_000, "the game has no end");
            let answer = match &ask.kind {
                AskKind::Number { least, most } => Answer::Number(least + (turn as i32 % (most - least + 1))),
                AskKind::Order { options } => Answer::Pick((0..options.len() as u16).rev().collect()),
                AskKind::Pick { options, least, most } if (*least == 0 && turn.is_multiple_of(3)) || *most == 0 => {
                    assert!(!options.is_empty());
                    Answer::Pick(Vec::new())
                }
                AskKind::Pick { options, least, .. } => {
                    let first = turn % options.len();
                    Answer::Pick((0..(*least).max(1)).map(|at| ((first + at as usize) % options.len()) as u16).collect())
                }
            };
            game.answer(&answer).unwrap();
            journal.answer(&answer, &game.hash());
        }
        assert!(matches!(game.status(), Status::Won(_)), "{:?}", game.status());
        assert_eq!(game.view(Viewer::Referee).faults(), 0);
        journal.end(game.status(), &game.hash());
        let read = Journal::parse(journal.text()).unwrap();
        let again = read.replay(&catalogue, usize::MAX, &mut Silent).unwrap();
        assert_eq!(inside::state(&again), inside::state(&game));
    }
}
