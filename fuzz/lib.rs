//! What the fuzz targets share: the toy game of `saga/tests/toy`, compiled once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use trilogy_engine::inside::{self, State};
use trilogy_engine::{Answer, AskKind, Catalogue, Game, Setup, Silent};
use trilogy_saga::Workshop;
use trilogy_saga::source::read_game;

pub fn toy_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../saga/tests/toy")
}

pub static WORKSHOP: LazyLock<Workshop> = LazyLock::new(|| {
    let (files, rules) = read_game(&toy_folder()).unwrap_or_else(|error| panic!("{error}"));
    Workshop::new(files, rules).unwrap_or_else(|_| panic!("the toy game does not compile"))
});

pub static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(|| Arc::new(WORKSHOP.catalogue().clone()));

/// A state from the middle of a game, as bytes. The state target takes its input as changes to it.
pub static MIDDLE: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let deck: Vec<String> = CATALOGUE.cards.iter().map(|card| card.key.clone()).collect();
    let setup = Setup { decks: [deck.clone(), deck], options: Default::default(), seed: [1; 32] };
    let mut game = Game::new(CATALOGUE.clone(), setup, &mut Silent).unwrap_or_else(|error| panic!("{error}"));
    let mut states = Vec::new();
    for turn in 0..64usize {
        let Some(ask) = &inside::state(&game).ask else { break };
        states.push(inside::state(&game).to_bytes());
        let answer = any_answer(turn * 7 + 1, &ask.kind);
        if game.answer(&answer).is_err() {
            break;
        }
    }
    states
});

/// Some legal answer, by a number.
pub fn any_answer(which: usize, ask: &AskKind) -> Answer {
    match ask {
        AskKind::Number { least, most } => Answer::Number((which as i64 % (*most as i64 - *least as i64 + 1) + *least as i64) as i32),
        AskKind::Order { options } => Answer::Pick((0..options.len() as u16).rev().collect()),
        AskKind::Pick { options, least, most } => {
            let count = (*least).max(1).min(*most) as usize;
            Answer::Pick((0..count).map(|at| ((which + at) % options.len()) as u16).collect())
        }
    }
}

/// Look at a state from all sides and play on from it.
pub fn look_and_play(mut state: State, luck: usize) {
    use trilogy_engine::Viewer;
    use trilogy_engine::inside::step;
    for turn in 0..8 {
        for viewer in Viewer::ALL {
            let view = inside::view(&CATALOGUE, &state, viewer);
            let _ = view.snapshot();
            let _ = view.refusals();
            let _ = view.imagine([3; 32]).view(viewer).snapshot();
        }
        let Some(ask) = &state.ask else { return };
        let answer = any_answer(luck + turn, &ask.kind);
        let mut events = Vec::new();
        if step(&CATALOGUE, &mut state, &answer, &mut events).is_err() {
            return;
        }
        for event in &events {
            let _ = trilogy_engine::log_line(&CATALOGUE, event, Viewer::Spectator);
        }
    }
}
