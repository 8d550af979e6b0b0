//! Expressions that run as code mean what they mean when they are walked, and a game among its cards is the whole game: the same comes
//! of all of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Built, GAMES, legal};
use std::sync::atomic::{AtomicU64, Ordering};
use trilogy_engine::inside::{Memo, State, start, step_on};
use trilogy_engine::{Random, Silent, seed_from_number};

/// A way to play: with a memo, in the whole game or in the one among the cards that are there.
struct Way {
    memo: Memo,
    among: bool,
}

impl Way {
    fn whole(memo: Memo) -> Way {
        Way { memo, among: false }
    }
    fn among(memo: Memo) -> Way {
        Way { memo, among: true }
    }
}

/// Play a game in each of these ways at once: the same comes of every answer.
fn play(built: &Built, seed: u64, answers: usize, ways: &[Way]) {
    let first = start(&built.catalogue, &built.setup(seed), &mut Silent).unwrap();
    let among = built.catalogue.among(first.cards.iter().map(|card| card.def));
    let mut states: Vec<State> = ways.iter().map(|_| first.clone()).collect();
    let mut luck = Random::from_seed(seed_from_number(seed));
    for count in 0..answers {
        let Some(ask) = &states[0].ask else { break };
        let answer = legal(&mut luck, &ask.kind);
        for (state, way) in states.iter_mut().zip(ways) {
            let catalogue = if way.among { &among } else { &*built.catalogue };
            step_on(catalogue, state, &answer, &mut Silent, &way.memo).unwrap();
        }
        for (state, way) in states.iter().zip(ways).skip(1) {
            let among = way.among;
            assert!(*state == states[0], "{}, seed {seed}: different after {count} answers (among: {among})", built.catalogue.title);
        }
    }
    for way in ways.iter().filter(|way| !way.among) {
        let cut = way.memo.cuts() > 0;
        assert_eq!(cut, ways[0].memo.cuts() > 0, "{}, seed {seed}: what is too deep for one is so for all", built.catalogue.title);
    }
}

/// Every game from 0 to a number, on all cores.
fn all_games(count: u64, answers: usize, ways: impl Fn() -> Vec<Way> + Sync) {
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
                        play(built, seed, answers, &ways());
                    }
                });
            }
        });
    }
}

#[test]
fn code_means_what_expressions_mean() {
    let games = std::env::var("REFERENCE_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(1000);
    all_games(games, usize::MAX, || vec![Way::whole(Memo::plain()), Way::whole(Memo::default()), Way::among(Memo::default())]);
}

/// Every expression is run and walked, and every answer that is kept is worked out again.
#[test]
fn nothing_that_is_kept_or_run_differs() {
    all_games(4, 120, || vec![Way::whole(Memo::checking()), Way::among(Memo::checking())]);
}
