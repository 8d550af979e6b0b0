//! Seeded randomness that is part of the state: a ChaCha12 stream and a position in it.
//! The bounded draw and the shuffle are our own, so that no library update can change a replay.

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Random {
    seed: [u8; 32],
    /// How many 32-bit words have been taken from the stream.
    taken: u64,
}

impl Random {
    pub fn from_seed(seed: [u8; 32]) -> Random {
        Random { seed, taken: 0 }
    }

    /// What is shown at the start of a game so that the seed, shown at its end, can be checked.
    pub fn commitment(seed: &[u8; 32]) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("trilogy seed commitment v1");
        hasher.update(seed);
        hasher.finalize().to_hex().to_string()
    }

    /// Fill `out` with numbers in `0..bound`, each equally likely.
    pub fn draw(&mut self, bound: u32, out: &mut [u32]) {
        let mut stream = self.stream();
        for slot in out {
            *slot = bounded(&mut stream, bound, &mut self.taken);
        }
    }

    /// Fisher-Yates, from the last place down.
    pub fn below(&mut self, bound: usize) -> usize {
        let mut out = [0];
        self.draw(bound as u32, &mut out);
        out[0] as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut stream = self.stream();
        for i in (1..items.len()).rev() {
            let j = bounded(&mut stream, i as u32 + 1, &mut self.taken) as usize;
            items.swap(i, j);
        }
    }

    fn stream(&self) -> ChaCha12Rng {
        let mut stream = ChaCha12Rng::from_seed(self.seed);
        stream.set_word_pos(self.taken as u128);
        stream
    }
}

/// A number below `bound` by widening multiplication; the biased rest is thrown away.
fn bounded(stream: &mut ChaCha12Rng, bound: u32, taken: &mut u64) -> u32 {
    let bound = bound.max(1);
    let threshold = bound.wrapping_neg() % bound;
    loop {
        *taken = taken.wrapping_add(1);
        let wide = stream.next_u32() as u64 * bound as u64;
        if wide as u32 >= threshold {
            return (wide >> 32) as u32;
        }
    }
}

/// A full seed from a small number, for simulations that count their games.
pub fn seed_from_number(number: u64) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key("trilogy seed from number v1");
    hasher.update(&number.to_le_bytes());
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written down once: if this fails, old journals no longer replay.
    #[test]
    fn the_stream_never_changes() {
        let mut random = Random::from_seed(seed_from_number(1));
        let mut dice = [0; 8];
        random.draw(6, &mut dice);
        let mut order: Vec<u8> = (0..10).collect();
        random.shuffle(&mut order);
        assert_eq!(dice, [5, 2, 3, 4, 3, 5, 4, 5]);
        assert_eq!(order, [6, 3, 7, 1, 5, 4, 0, 2, 9, 8]);
    }

    #[test]
    fn a_stored_generator_goes_on_where_it_stopped() {
        let mut whole = Random::from_seed([7; 32]);
        let mut all = [0; 20];
        whole.draw(1000, &mut all);
        let mut parts = Random::from_seed([7; 32]);
        let (mut first, mut rest) = ([0; 7], [0; 13]);
        parts.draw(1000, &mut first);
        let mut stored: Random = postcard::from_bytes(&postcard::to_stdvec(&parts).unwrap()).unwrap();
        stored.draw(1000, &mut rest);
        assert_eq!(all.to_vec(), [first.as_slice(), &rest].concat());
    }
}
