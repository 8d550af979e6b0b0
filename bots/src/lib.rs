//! Players that see only a [`View`]: nothing a person in their seat could not know.

mod greedy;
mod random;
mod worth;

pub use greedy::Greedy;
pub use random::RandomBot;
pub use worth::worth;

use trilogy_engine::{Answer, View};

/// Answers the ask of its seat.
pub trait Bot: Send {
    fn answer(&mut self, view: &View<'_>) -> Answer;
}

/// The bots by the names that the program knows them by.
pub const NAMES: [&str; 2] = ["random", "greedy"];

pub fn by_name(name: &str, seed: u64) -> Result<Box<dyn Bot>, String> {
    match name {
        "random" => Ok(Box::new(RandomBot::new(seed))),
        "greedy" => Ok(Box::new(Greedy::new(seed))),
        _ => Err(format!("no bot is called \"{name}\"; there are {}", NAMES.join(" and "))),
    }
}

/// A small generator for bots' own choices; games never use it.
#[derive(Clone, Debug)]
pub(crate) struct Whim(u64);

impl Whim {
    pub(crate) fn new(seed: u64) -> Whim {
        Whim(seed)
    }
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((self.next() as u128 * bound as u128) >> 64) as usize
    }
}
