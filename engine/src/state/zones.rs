//! Which cards lie in which zone. All zones lie behind one another in one piece of memory, so that they are copied at once; they
//! are written and read as a list of lists.

use crate::value::{CardId, ZoneId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::{SmallVec, smallvec};

/// It reads like a list of zones, each from the bottom to the top.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Zones {
    cards: Vec<CardId>,
    /// Where each zone starts, and behind the last one where it ends.
    starts: SmallVec<[u32; 24]>,
}

impl Zones {
    /// So many zones with nothing in them.
    pub(super) fn empty(zones: usize) -> Zones {
        Zones { cards: Vec::new(), starts: smallvec![0; zones + 1] }
    }

    /// How many zones there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[CardId]> {
        (0..self.len()).map(|zone| &self[zone])
    }

    /// Where the cards of a zone start and end among all cards.
    #[inline]
    pub(crate) fn bounds(&self, zone: ZoneId) -> (u32, u32) {
        match self.starts.get(zone.index()..zone.index() + 2) {
            Some(&[start, end]) => (start, end),
            _ => (0, 0),
        }
    }
    /// The card at a place among all cards, before another one.
    #[inline]
    pub(crate) fn card_at(&self, place: u32, end: u32) -> Option<CardId> {
        if place < end { self.cards.get(place as usize).copied() } else { None }
    }

    pub(super) fn push(&mut self, zone: usize, card: CardId) {
        self.insert(zone, self[zone].len(), card);
    }

    /// At a place counted from the bottom of the zone.
    pub(super) fn insert(&mut self, zone: usize, at: usize, card: CardId) {
        self.cards.insert(self.starts[zone] as usize + at, card);
        self.starts[zone + 1..].iter_mut().for_each(|start| *start += 1);
    }

    /// Take a card out of a zone; nothing where it does not lie there.
    pub(super) fn remove(&mut self, zone: usize, card: CardId) {
        if let Some(at) = self[zone].iter().rposition(|&other| other == card) {
            self.cards.remove(self.starts[zone] as usize + at);
            self.starts[zone + 1..].iter_mut().for_each(|start| *start -= 1);
        }
    }

    pub(super) fn cards_mut(&mut self, zone: usize) -> &mut [CardId] {
        let (start, end) = (self.starts[zone] as usize, self.starts[zone + 1] as usize);
        &mut self.cards[start..end]
    }
}

impl std::ops::Index<usize> for Zones {
    type Output = [CardId];
    #[inline]
    fn index(&self, zone: usize) -> &[CardId] {
        let starts = &self.starts[..];
        &self.cards[starts[zone] as usize..starts[zone + 1] as usize]
    }
}

impl std::fmt::Debug for Zones {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Zones {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Zones {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Zones, D::Error> {
        let lists: Vec<Vec<CardId>> = Deserialize::deserialize(from)?;
        let ends = lists.iter().scan(0, |end, list| {
            *end += list.len() as u32;
            Some(*end)
        });
        Ok(Zones { starts: std::iter::once(0).chain(ends).collect(), cards: lists.concat() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is done to them, zones are what a list of lists would be, and are stored as one.
        #[test]
        fn zones_are_a_list_of_lists(steps in prop::collection::vec((0..4u8, 0..30usize, 0..300u16, any::<prop::sample::Index>()), 0..80)) {
            let (mut zones, mut lists) = (Zones::empty(30), vec![Vec::new(); 30]);
            for (what, zone, card, at) in steps {
                let card = CardId(card);
                let list = &mut lists[zone];
                match what {
                    0 => {
                        zones.push(zone, card);
                        list.push(card);
                    }
                    1 => {
                        let at = at.index(list.len() + 1);
                        zones.insert(zone, at, card);
                        list.insert(at, card);
                    }
                    2 => {
                        // A card that lies there, or else one that perhaps does not.
                        let card = if list.is_empty() { card } else { list[at.index(list.len())] };
                        zones.remove(zone, card);
                        if let Some(at) = list.iter().rposition(|&other| other == card) {
                            list.remove(at);
                        }
                    }
                    _ => {
                        zones.cards_mut(zone).reverse();
                        list.reverse();
                    }
                }
                prop_assert!(zones.iter().eq(lists.iter()) && zones.len() == lists.len());
            }
            let stored = postcard::to_stdvec(&zones).unwrap();
            prop_assert_eq!(&stored, &postcard::to_stdvec(&lists).unwrap());
            prop_assert_eq!(postcard::from_bytes::<Zones>(&stored).unwrap(), zones);
        }
    }
}
