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
    /// Two starter decks; every other time with half of their cards exchanged for any of the game, so that all mechanics meet.
    pub fn setup(&self, seed: u64) -> Setup {
        let mut luck = Random::from_seed(seed_from_number(!seed));
        let mut deck = |all: &[Vec<String>], at: u64| {
            let cards = &all[at as usize % all.len()];
            deck::mixed(&self.catalogue, cards, (seed % 2) as usize * cards.len() / 2, &mut luck).unwrap()
        };
        let decks = [deck(&self.decks[0], seed), deck(&self.decks[1], seed >> 1)];
        Setup { decks, options: Default::default(), seed: seed_from_number(seed) }
    }
}

/// A legal answer; passes are rarer than with a uniform choice, so that more happens.
pub fn legal(luck: &mut Random, ask: &AskKind) -> Answer {
    match ask {
        AskKind::Number { least, most } => Answer::Number(least + luck.below((most - least + 1) as usize) as i32),
        AskKind::Order { options } => Answer::Pick((0..options.len() as u16).rev().collect()),
        AskKind::Pick { options, least, most } => {
            let count = if *least == 0 && luck.below(5) == 0 { 0 } else { (*least).max(1).min(*most) as usize };
            let mut all: Vec<u16> = (0..options.len() as u16).collect();
            for at in 0..count {
                let other = at + luck.below(all.len() - at);
                all.swap(at, other);
            }
            all.truncate(count);
            Answer::Pick(all)
        }
    }
}
