//! Parts of a state that questions read and instructions change, as bits.

use crate::catalogue::{FieldId, VarId};

const WORDS: usize = 6;
/// [`PLACES`] and the others below that have a name.
const FIRST: usize = 5;
/// There are so many bits for what cards remember, and the rest for variables. Where a game has more, some share one: then an answer is
/// kept for a shorter time than it could be, and never for too long.
const FIELDS: usize = 123;
const VARS: usize = WORDS * 64 - FIRST - FIELDS;

/// A set of parts of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts([u64; WORDS]);

/// Who lies where among cards that can do something, on what, for whom.
pub(crate) const PLACES: Parts = Parts::bit(0);
/// Who lies where in the other zones.
pub(crate) const PILES: Parts = Parts::bit(1);
/// Which card each one is: a shuffle changes that.
pub(crate) const FACES: Parts = Parts::bit(2);
/// Lasting effects.
pub(crate) const EFFECTS: Parts = Parts::bit(3);
/// Counters of players.
pub(crate) const PLAYERS: Parts = Parts::bit(4);

pub(crate) fn field(at: FieldId) -> Parts {
    Parts::bit(FIRST + at.index() % FIELDS)
}

/// A variable.
pub(crate) fn var(at: VarId) -> Parts {
    Parts::bit(FIRST + FIELDS + at.index() % VARS)
}

impl Parts {
    pub(crate) const NONE: Parts = Parts([0; WORDS]);
    pub(crate) const ALL: Parts = Parts([u64::MAX; WORDS]);

    const fn bit(at: usize) -> Parts {
        let mut words = [0; WORDS];
        words[at / 64] = 1 << (at % 64);
        Parts(words)
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self == Parts::NONE
    }
}

impl std::ops::BitOr for Parts {
    type Output = Parts;

    #[inline]
    fn bitor(mut self, other: Parts) -> Parts {
        self |= other;
        self
    }
}

impl std::ops::BitOrAssign for Parts {
    #[inline]
    fn bitor_assign(&mut self, other: Parts) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }
}

/// When each part of a state changed last.
pub(crate) struct Changed {
    parts: [u32; WORDS * 64],
    /// The last change of any part of a word: most words need no closer look.
    words: [u32; WORDS],
}

impl Default for Changed {
    fn default() -> Changed {
        Changed { parts: [0; WORDS * 64], words: [0; WORDS] }
    }
}

impl Changed {
    pub(crate) fn touch(&mut self, parts: Parts, clock: u32) {
        for (at, &word) in parts.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            self.words[at] = clock;
            for bit in bits(word) {
                self.parts[at * 64 + bit] = clock;
            }
        }
    }

    /// The last change of the cards that can do something.
    #[inline]
    pub(crate) fn who_is_where(&self) -> u32 {
        self.parts[0].max(self.parts[2])
    }
    /// The last change of them or of lasting effects.
    #[inline]
    pub(crate) fn who_says_what(&self) -> u32 {
        self.who_is_where().max(self.parts[3])
    }
    /// The last change of any cards.
    #[inline]
    pub(crate) fn what_lies_where(&self) -> u32 {
        self.who_is_where().max(self.parts[1])
    }

    /// Whether none of these parts has changed since.
    #[inline]
    pub(crate) fn none_since(&self, parts: &Parts, stamp: u32) -> bool {
        let unchanged = |(at, word): (usize, &u64)| self.words[at] <= stamp || bits(*word).all(|bit| self.parts[at * 64 + bit] <= stamp);
        parts.0.iter().enumerate().all(unchanged)
    }
}

fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            at as usize
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_holds_until_it_changes() {
        let [Ok(near), Ok(far)] = [0, 200].map(VarId::new) else { panic!("no such variables") };
        let mut changed = Changed::default();
        let read = PLACES | var(far);
        changed.touch(PILES | var(near), 1);
        assert!(changed.none_since(&read, 0));
        changed.touch(var(far), 2);
        assert!(!changed.none_since(&read, 1) && changed.none_since(&read, 2));
        assert!(changed.none_since(&Parts::NONE, 0) && !changed.none_since(&Parts::ALL, 1));
    }
}
