//! The built-in games with their starter decks, and random legal answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(unreachable_pub, dead_code, reason = "each test takes what it needs of this")]

use std::sync::{Arc, LazyLock};
use trilogy_engine::{Answer, AskKind, Catalogue, Random, Setup, deck, seed_from_number};

pub struct Built {
    pub catalogue: Arc<Catalogue>,
    /// Starter decks by seat.
    pub decks: [Vec<Vec<String>>; 2],
}

pub static GAMES: LazyLock<Vec<Built>> = LazyLock::new(|| {
    let built = |game: &trilogy_games::Game| {
        let catalogue = Arc::new(game.catalogue().unwrap());
        let mut decks: [Vec<Vec<String>>; 2] = Default::default();
        for (_, text) in game.decks {
            let read = deck::parse(&catalogue, text).unwrap();
            decks[deck::seat(&catalogue, &read)].push(read.cards);
        }
        Built { catalogue, decks }
    };
    trilogy_games::games().iter().map(built).collect()
});

impl Built {
    pub fn setup(&self, seed: u64) -> Setup {
        let [first, second] = &self.decks;
        let decks = [first[seed as usize % first.len()].clone(), second[(seed >> 1) as usize % second.len()].clone()];
        Setup { decks, options: Default::default(), seed: seed_from_number(seed) }
    }
}

pub fn below(luck: &mut Random, bound: usize) -> usize {
    let mut out = [0];
    luck.draw(bound as u32, &mut out);
    out[0] as usize
}

/// A legal answer; passes are rarer than with a uniform choice, so that more happens.
pub fn legal(luck: &mut Random, ask: &AskKind) -> Answer {
    match ask {
        AskKind::Number { least, most } => Answer::Number(least + below(luck, (most - least + 1) as usize) as i32),
        AskKind::Order { options } => Answer::Pick((0..options.len() as u16).rev().collect()),
        AskKind::Pick { options, least, most } => {
            let count = if *least == 0 && below(luck, 5) == 0 { 0 } else { (*least).max(1).min(*most) as usize };
            let mut all: Vec<u16> = (0..options.len() as u16).collect();
            for at in 0..count {
                let other = at + below(luck, all.len() - at);
                all.swap(at, other);
            }
            all.truncate(count);
            Answer::Pick(all)
        }
    }
}
