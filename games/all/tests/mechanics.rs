//! Random games with decks that hold every mechanic of the ccg: none has a fault, all end, and the mechanics come about.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::legal;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trilogy_engine::{Catalogue, Event, PlayerId, Playout, Random, Setup, Status, Viewer, deck, seed_from_number};
use trilogy_saga::source::read_game;
use trilogy_saga::{SourceFile, compile};

/// So many games at least of each pair of decks, and more, up to a bound, while something has not come about.
const AT_LEAST: u64 = 10;
const AT_MOST: u64 = 80;

/// By pair of decks: events, actions and questions of the rules that must come about.
const MECHANICS: [(&str, &[&str]); 3] = [
    (
        "court",
        &[
            "sabacc_begins",
            "draw_sabacc_card",
            "sabacc_won",
            "win_which_stake",
            "duel_initiated",
            "duel_ends",
            "combat_begins",
            "combat_won",
            "lay_combat_card",
            "combat_card_used",
            "captured",
            "released",
            "take_custody",
            "leave_frozen",
            "goes_missing",
            "search_party",
            "deploy_undercover",
            "breaks_cover",
            "creature_attack",
            "attack_creature",
            "eaten",
            "attaches",
            "see_to_maintenance",
            "recycled",
            "crosses",
            "steals",
            "place_here",
            "shield",
            "flips",
            "left_out",
        ],
    ),
    (
        "fleet",
        &[
            "ship_captured",
            "ship_released",
            "besiege",
            "forms",
            "bombing_run",
            "asteroid_destiny",
            "move_system",
            "run_begins",
            "leads_run",
            "run_ends",
            "escape_which",
            "blown_away",
            "deploy_order",
        ],
    ),
    (
        "field",
        &[
            "race_begins",
            "draw_for_race",
            "race_destiny_used",
            "race_won",
            "bluffs",
            "bluff_called",
            "test_completed",
            "crashes",
            "explodes",
            "buries",
            "tripped",
            "shuttle_with",
            "eaten",
            "captured",
        ],
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ccg")
}

/// The game with the small cards of the mechanics.
fn catalogue() -> Catalogue {
    let (mut files, rules) = read_game(&folder()).unwrap();
    let text = std::fs::read_to_string(folder().join("scenarios/mechanics/cards.saga")).unwrap();
    files.push(SourceFile { name: "mechanics/cards.saga".into(), text });
    let compiled = compile(files, rules);
    assert_eq!(compiled.problems, []);
    compiled.catalogue
}

fn cards(catalogue: &Catalogue, theme: &str, side: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder().join(format!("scenarios/mechanics/{theme}_{side}.txt"))).unwrap();
    let read = deck::parse(catalogue, &text).unwrap();
    assert!(deck::check(catalogue, &read).unwrap().is_empty(), "{theme}_{side} is no legal deck");
    read.cards
}

/// How often each event, action and question came about in a game, by name.
fn play(catalogue: &Catalogue, theme: &str, seed: u64) -> BTreeMap<String, u32> {
    let decks = ["dark", "light"].map(|side| cards(catalogue, theme, side));
    let setup = Setup { decks, options: Default::default(), seed: seed_from_number(seed) };
    let mut luck = Random::from_seed(seed_from_number(!seed));
    let mut events: Vec<Event> = Vec::new();
    let mut seen = BTreeMap::new();
    let mut game = Playout::new(catalogue, &setup, &mut events).unwrap();
    while let Some(player) = game.asked() {
        let view = game.view(Viewer::Player(player));
        if let Some(question) = view.question() {
            *seen.entry(question.id.clone()).or_default() += 1;
        }
        let answer = legal(&mut luck, view.ask_kind().unwrap());
        game.answer(&answer, &mut events).unwrap();
        for event in events.drain(..) {
            match event {
                Event::Declared { event, .. } => *seen.entry(catalogue.events[event.index()].name.clone()).or_default() += 1,
                Event::Moving { chosen } => *seen.entry(catalogue.abilities[chosen.ability.index()].name.clone()).or_default() += 1,
                Event::Fault { reason } => panic!("{theme}, seed {seed}: {reason}"),
                _ => {}
            }
        }
    }
    assert!(matches!(game.status(), Status::Won(PlayerId(_)) | Status::Drawn), "{theme}, seed {seed}: {:?}", game.status());
    seen
}

#[test]
fn random_games_meet_every_mechanic() {
    let catalogue = catalogue();
    for (theme, wanted) in MECHANICS {
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut played = 0;
        let missing = loop {
            let games: Vec<_> = (played..played + AT_LEAST).into_par_iter().map(|seed| play(&catalogue, theme, seed)).collect();
            for (name, count) in games.into_iter().flatten() {
                *seen.entry(name).or_default() += count;
            }
            played += AT_LEAST;
            let missing: Vec<&str> = wanted.iter().copied().filter(|name| !seen.contains_key(*name)).collect();
            if missing.is_empty() || played >= AT_MOST {
                break missing;
            }
        };
        assert!(missing.is_empty(), "{theme}: {missing:?} never came about in {played} games; {seen:?}");
    }
}
