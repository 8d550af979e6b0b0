//! Sets of small numbers that grow with what they hold.

use serde::{Deserialize, Serialize};

const WORD: usize = u64::BITS as usize;

/// A set of places in a table.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    pub fn insert(&mut self, place: usize) {
        if self.0.len() <= place / WORD {
            self.0.resize(place / WORD + 1, 0);
        }
        self.0[place / WORD] |= 1 << (place % WORD);
    }
    #[inline]
    pub fn has(&self, place: usize) -> bool {
        self.0.get(place / WORD).is_some_and(|word| word >> (place % WORD) & 1 != 0)
    }
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
    /// All that is in the other one, too.
    pub fn join(&mut self, other: &[u64]) {
        if self.0.len() < other.len() {
            self.0.resize(other.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(other) {
            *mine |= theirs;
        }
    }
    pub fn words(&self) -> &[u64] {
        &self.0
    }
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * WORD).filter(|place| self.has(*place))
    }
}

/// A set for each row of a table, side by side for quick scans.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitTable {
    stride: usize,
    words: Vec<u64>,
}

impl BitTable {
    pub fn new(rows: &[BitSet]) -> BitTable {
        let stride = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
        let mut words = Vec::with_capacity(rows.len() * stride);
        for row in rows {
            words.extend_from_slice(&row.0);
            words.resize(words.len() + stride - row.0.len(), 0);
        }
        BitTable { stride, words }
    }
    #[inline]
    pub fn has(&self, row: usize, place: usize) -> bool {
        place / WORD < self.stride && self.words[row * self.stride + place / WORD] >> (place % WORD) & 1 != 0
    }
    #[inline]
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..(row + 1) * self.stride]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_grows_with_what_it_holds() {
        let mut set = BitSet::default();
        assert!(set.is_empty() && !set.has(1000));
        set.insert(1000);
        set.insert(3);
        assert!(set.has(1000) && set.has(3) && !set.has(999) && !set.has(100_000));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 1000]);
    }

    #[test]
    fn rows_of_a_table_keep_apart() {
        let (mut first, mut second) = (BitSet::default(), BitSet::default());
        first.insert(5);
        second.insert(130);
        let table = BitTable::new(&[first, second]);
        assert!(table.has(0, 5) && !table.has(0, 130) && table.has(1, 130) && !table.has(1, 5) && !table.has(1, 5000));
        let mut all = BitSet::default();
        all.join(table.row(0));
        all.join(table.row(1));
        assert_eq!(all.iter().collect::<Vec<_>>(), [5, 130]);
    }
}
