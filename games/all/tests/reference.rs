//! Expressions that run as code mean what they mean when they are walked: the same games come of both.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Built, GAMES, legal};
use std::sync::atomic::{AtomicU64, Ordering};
use trilogy_engine::inside::{Memo, State, start, step_on};
use trilogy_engine::{Random, Silent, seed_from_number};

/// Play a game with each of these memos at once: the same comes of every answer.
fn play(built: &Built, seed: u64, answers: usize, memos: &[Memo]) {
    let first = start(&built.catalogue, &built.setup(seed), &mut Silent).unwrap();
    let mut states: Vec<State> = memos.iter().map(|_| first.clone()).collect();
    let mut luck = Random::from_seed(seed_from_number(seed));
    for count in 0..answers {
        let Some(ask) = &states[0].ask else { break };
        let answer = legal(&mut luck, &ask.kind);
        for (state, memo) in states.iter_mut().zip(memos) {
            step_on(&built.catalogue, state, &answer, &mut Silent, memo).unwrap();
        }
        for state in &states[1..] {
            assert!(*state == states[0], "{}, seed {seed}: different after {count} answers", built.catalogue.title);
        }
    }
    for memo in &memos[1..] {
        assert_eq!(memo.cuts() > 0, memos[0].cuts() > 0, "{}, seed {seed}: what is too deep for one is so for all", built.catalogue.title);
    }
}

/// Every game from 0 to a number, on all cores.
fn all_games(count: u64, answers: usize, memos: impl Fn() -> Vec<Memo> + Sync) {
    for built in GAMES.iter() {
        let next = AtomicU64::new(0);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(|| {
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= count {
                            break;
                        }
                        play(built, seed, answers, &memos());
                    }
                });
            }
        });
    }
}

#[test]
fn code_means_what_expressions_mean() {
    let games = std::env::var("REFERENCE_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(1000);
    all_games(games, usize::MAX, || vec![Memo::plain(), Memo::default()]);
}

/// Every expression is run and walked, and every answer that is kept is worked out again.
#[test]
fn nothing_that_is_kept_or_run_differs() {
    all_games(4, 120, || vec![Memo::checking()]);
}
