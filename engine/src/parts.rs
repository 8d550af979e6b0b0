//! Parts of a state that questions read and instructions change.

use crate::catalogue::{FieldId, VarId};
use crate::ids::ZoneId;

const WORDS: usize = 8;
const ALL: usize = WORDS * 64;

// So many parts there are of each sort. Where a game has more, some share one: then an answer is kept for a shorter time than it could
// be, and never for too long.
const FIRST_ZONE: usize = 7;
const ZONES: usize = 57;
const FIRST_SPOKEN: usize = 64;
const SPOKEN: usize = 128;
const FIRST_FIELD: usize = FIRST_SPOKEN + SPOKEN;
const FIELDS: usize = 128;
const FIRST_VAR: usize = FIRST_FIELD + FIELDS;
const VARS: usize = ALL - FIRST_VAR;

/// One part of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part(u16);

/// Which card each one is: a shuffle changes that.
pub(crate) const FACES: Part = Part(0);
/// Lasting effects.
pub(crate) const EFFECTS: Part = Part(1);
/// Counters of players.
pub(crate) const PLAYERS: Part = Part(2);
/// Who controls and who owns each card.
pub(crate) const HOLDERS: Part = Part(3);
/// Which cards lie face down.
pub(crate) const FACING: Part = Part(4);
/// Which cards lie in any zone where they can do something.
pub(crate) const LIVE: Part = Part(5);
/// Which cards lie in any other zone.
pub(crate) const PILES: Part = Part(6);

/// Which cards lie in a zone, in which order; of those that lie on others on which, and how.
#[inline]
pub(crate) fn zone(at: ZoneId) -> Part {
    // Few games have so many.
    let at = if at.index() < ZONES { at.index() } else { at.index() % ZONES };
    Part((FIRST_ZONE + at) as u16)
}
/// Who speaks of something in zones where cards can do something, and which lasting effects do: by its place among all such things.
#[inline]
pub(crate) fn spoken(place: usize) -> Part {
    Part((FIRST_SPOKEN + place % SPOKEN) as u16)
}
#[inline]
pub(crate) fn field(at: FieldId) -> Part {
    Part((FIRST_FIELD + at.index() % FIELDS) as u16)
}
#[inline]
pub(crate) fn var(at: VarId) -> Part {
    Part((FIRST_VAR + at.index() % VARS) as u16)
}

/// A set of parts of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts([u64; WORDS]);

impl Parts {
    pub(crate) const NONE: Parts = Parts([0; WORDS]);
    pub(crate) const ALL: Parts = Parts([u64::MAX; WORDS]);
    /// All that anybody speaks of.
    pub(crate) const SPOKEN: Parts = {
        let mut words = [0; WORDS];
        let mut at = FIRST_SPOKEN / 64;
        while at < FIRST_FIELD / 64 {
            words[at] = u64::MAX;
            at += 1;
        }
        Parts(words)
    };

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self == Parts::NONE
    }
    pub(crate) fn iter(&self) -> impl Iterator<Item = Part> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| bits(word).map(move |bit| Part((at * 64 + bit) as u16)))
    }
}

impl From<Part> for Parts {
    #[inline]
    fn from(part: Part) -> Parts {
        let mut words = [0; WORDS];
        words[part.0 as usize / 64] = 1 << (part.0 % 64);
        Parts(words)
    }
}

impl std::ops::BitOrAssign<Part> for Parts {
    #[inline]
    fn bitor_assign(&mut self, part: Part) {
        self.0[part.0 as usize / 64] |= 1 << (part.0 % 64);
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

impl std::ops::BitOr for Parts {
    type Output = Parts;

    #[inline]
    fn bitor(mut self, other: Parts) -> Parts {
        self |= other;
        self
    }
}

impl FromIterator<Part> for Parts {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Parts {
        parts.into_iter().fold(Parts::NONE, |mut all, part| {
            all |= part;
            all
        })
    }
}

/// What an answer has read, in the form in which it is looked through: none where it may be anything.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Read(Option<Box<[Part]>>);

impl From<Parts> for Read {
    fn from(parts: Parts) -> Read {
        Read((parts != Parts::ALL).then(|| parts.iter().collect()))
    }
}

/// When each part of a state changed last.
pub(crate) struct Changed([u32; ALL]);

impl Default for Changed {
    fn default() -> Changed {
        Changed([0; ALL])
    }
}

impl Changed {
    pub(crate) fn touch(&mut self, parts: Parts, clock: u32) {
        for (at, &word) in parts.0.iter().enumerate() {
            match word {
                u64::MAX => self.0[at * 64..][..64].fill(clock),
                _ => bits(word).for_each(|bit| self.0[at * 64 + bit] = clock),
            }
        }
    }
    #[inline]
    pub(crate) fn touch_one(&mut self, part: Part, clock: u32) {
        self.0[part.0 as usize % ALL] = clock;
    }

    #[inline]
    pub(crate) fn of(&self, part: Part) -> u32 {
        self.0[part.0 as usize % ALL]
    }
    /// The last change of the cards that can do something, or of lasting effects.
    #[inline]
    pub(crate) fn who_says_what(&self) -> u32 {
        self.of(LIVE).max(self.of(FACES)).max(self.of(EFFECTS))
    }
    /// The last change of any cards.
    #[inline]
    pub(crate) fn what_lies_where(&self) -> u32 {
        self.of(LIVE).max(self.of(FACES)).max(self.of(PILES))
    }

    /// When something that was read has changed since, if anything has.
    #[inline]
    pub(crate) fn since(&self, read: &Read, stamp: u32) -> Option<u32> {
        match &read.0 {
            Some(parts) => parts.iter().map(|&part| self.of(part)).find(|change| *change > stamp),
            None => Some(stamp + 1),
        }
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
        let [Ok(near), Ok(far)] = [0, 100].map(VarId::new) else { panic!("no such variables") };
        let mut changed = Changed::default();
        let read = Read::from(Parts::from_iter([LIVE, var(far)]));
        changed.touch(Parts::from_iter([PILES, var(near)]), 1);
        assert_eq!(changed.since(&read, 0), None);
        changed.touch_one(var(far), 2);
        assert_eq!((changed.since(&read, 1), changed.since(&read, 2)), (Some(2), None));
        assert_eq!((changed.since(&Read::from(Parts::NONE), 0), changed.since(&Read::from(Parts::ALL), 9)), (None, Some(10)));
        assert!(Parts::SPOKEN.iter().eq((0..SPOKEN).map(spoken)));
    }
}
