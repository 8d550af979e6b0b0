//! Answers that are kept: each in the one place that its question has.

use super::cells::Cell;
use crate::parts::{Changed, Read};

/// What sort of question was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Stat,
    Call,
    Scope,
}
const SORTS: usize = 3;

/// A question: its sort and which one of them, and about what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    pub(super) sort: Sort,
    pub(super) which: u32,
    pub(super) about: About,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum About {
    /// Nothing, a card or player, or one of these and a player: its place among all answers to the question.
    Place(u32),
    /// Anything else, by its code.
    Code(u64),
}

impl Key {
    /// None where there is too much, or something too large, to ask about.
    #[inline]
    pub(super) fn new(sort: Sort, which: usize, about: &[Cell], cards: usize) -> Option<Key> {
        let place = match *about {
            [] => 0,
            [a] => a.place(cards),
            [a, b] => a.place_with(b, cards),
            _ => NO_PLACE,
        };
        let about = if place == NO_PLACE { About::Code(code(about)?) } else { About::Place(place) };
        Some(Key { sort, which: which as u32, about })
    }
}

/// The code of what is asked about; each is different from none at all.
#[inline(never)]
pub(super) fn code(about: &[Cell]) -> Option<u64> {
    if !about.iter().all(|cell| cell.is_small()) {
        return None;
    }
    match *about {
        [a] => Some(a.code()),
        [a, b] => Some(a.code() << 20 | b.code()),
        [a, b, c] => Some(a.code() << 40 | b.code() << 20 | c.code()),
        _ => None,
    }
}

/// There are more places than this would be.
pub(super) const NO_PLACE: u32 = u32::MAX;

/// How many places there are for what is asked about alone: so many cards, the players, nothing, and zones.
#[inline]
fn row(cards: usize) -> u32 {
    cards as u32 + 3 + ZONES
}
/// Zones with a higher number are told by their code.
const ZONES: u32 = 61;

impl Cell {
    /// The place of a card, a player, nothing or a zone among so many cards.
    #[inline]
    pub(super) fn place(self, cards: usize) -> u32 {
        if let Some(card) = self.card_of(cards) {
            return card;
        }
        match self.player() {
            Some(player) => cards as u32 + player.0 as u32,
            None => self.other_place(cards),
        }
    }
    fn other_place(self, cards: usize) -> u32 {
        match self.zone() {
            Some(zone) if (zone.index() as u32) < ZONES => cards as u32 + 3 + zone.index() as u32,
            None if self == Cell::NONE => cards as u32 + 2,
            _ => NO_PLACE,
        }
    }
    /// The same for one of these and a player, or a player and one of these that is something.
    #[inline]
    pub(super) fn place_with(self, other: Cell, cards: usize) -> u32 {
        let (one, row_of) = match (self.player(), other.player()) {
            (_, Some(player)) => (self.place(cards), player.0 as u32 + 1),
            (Some(player), None) if other != Cell::NONE => (other.place(cards), player.0 as u32 + 3),
            _ => return NO_PLACE,
        };
        if one == NO_PLACE { NO_PLACE } else { one + row_of * row(cards) }
    }
}

/// An answer and when it was known to hold; never, where it is 0.
#[derive(Clone, Copy, Default)]
struct Kept {
    stamp: u32,
    answer: Cell,
}

/// The answers to one question, by what it is about.
#[derive(Default)]
struct Page {
    answers: Vec<Kept>,
    /// What it reads has changed since then: older answers hold no longer.
    changed: u32,
    /// What it reads has not changed between these times.
    calm: (u32, u32),
}

impl Page {
    /// Whether an answer holds still that may not.
    #[inline(never)]
    fn holds(&mut self, place: u32, reads: &Read, changed: &Changed, clock: u32) -> bool {
        let kept = &mut self.answers[place as usize];
        if self.calm.1 != clock || kept.stamp < self.calm.0 {
            if let Some(change) = changed.since(reads, kept.stamp) {
                self.changed = self.changed.max(change - 1);
                return false;
            }
            self.calm = (kept.stamp, clock);
        }
        // It holds now: next time there is less to compare.
        kept.stamp = clock;
        true
    }
}

/// How many answers are kept by code: the table starts small, and never has more places than this.
const LEAST: usize = 256;
const MOST: usize = 1 << 14;

/// The question that an answer lies there for: none where all is 0.
type Code = (u64, u32);

#[derive(Default)]
pub(super) struct Shelf {
    pages: [Vec<Page>; SORTS],
    /// The pages that have any answers.
    used: Vec<(Sort, u32)>,
    /// When the game began: older answers are another one's.
    born: u32,
    /// Answers by code: a newer one takes the place over.
    places: Vec<(Code, Kept)>,
    full: usize,
}

#[inline]
fn place_of(code: Code, size: usize) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (code.0 ^ (code.1 as u64) << 40).wrapping_mul(MIX) ^ code.1 as u64;
    (mixed.wrapping_mul(MIX) >> 40) as usize & (size - 1)
}

impl Key {
    fn code(self, about: u64) -> Code {
        (about, (self.sort as u32 + 1) << 16 | self.which)
    }
}

impl Shelf {
    /// The answer to a question, where it is known and still holds: none of the parts that it read has changed since.
    #[inline]
    pub(super) fn recall(&mut self, key: Key, reads: &Read, changed: &Changed, clock: u32) -> Option<Cell> {
        match key.about {
            About::Place(place) => self.recall_at(key.sort, key.which, place, reads, changed, clock),
            About::Code(about) => self.recall_by_code(key.code(about), reads, changed, clock),
        }
    }

    /// The same about what lies at a place.
    #[inline]
    pub(super) fn recall_at(&mut self, sort: Sort, which: u32, place: u32, reads: &Read, changed: &Changed, clock: u32) -> Option<Cell> {
        let page = self.pages[sort as usize].get_mut(which as usize)?;
        let kept = *page.answers.get(place as usize)?;
        (kept.stamp == clock || kept.stamp > page.changed && page.holds(place, reads, changed, clock)).then_some(kept.answer)
    }

    #[inline(never)]
    fn recall_by_code(&mut self, code: Code, reads: &Read, changed: &Changed, clock: u32) -> Option<Cell> {
        let size = self.places.len();
        let (of, kept) = self.places.get_mut(place_of(code, size.max(1)))?;
        if *of != code || kept.stamp <= self.born || kept.stamp != clock && changed.since(reads, kept.stamp).is_some() {
            return None;
        }
        kept.stamp = clock;
        Some(kept.answer)
    }

    /// Keep an answer for so many cards; what lay there before.
    pub(super) fn put(&mut self, key: Key, stamp: u32, answer: Cell, cards: usize) -> Cell {
        match key.about {
            About::Place(place) => self.put_at(key.sort, key.which, place, stamp, answer, cards),
            About::Code(about) => {
                let before = self.put_by_code(key.code(about), Kept { stamp, answer });
                if before.stamp > self.born { before.answer } else { Cell::NONE }
            }
        }
    }

    /// The same about what lies at a place.
    #[inline]
    pub(super) fn put_at(&mut self, sort: Sort, which: u32, place: u32, stamp: u32, answer: Cell, cards: usize) -> Cell {
        let kept = Kept { stamp, answer };
        let page = self.pages[sort as usize].get_mut(which as usize);
        let before = match page.and_then(|page| page.answers.get_mut(place as usize)) {
            Some(before) => std::mem::replace(before, kept),
            None => self.open(sort, which, place, kept, cards),
        };
        if before.stamp > self.born { before.answer } else { Cell::NONE }
    }

    /// A page with this place on it.
    #[cold]
    fn open(&mut self, sort: Sort, which: u32, place: u32, kept: Kept, cards: usize) -> Kept {
        let pages = &mut self.pages[sort as usize];
        if pages.get(which as usize).is_none_or(|page| page.answers.is_empty()) {
            self.used.push((sort, which));
        }
        let which = which as usize;
        if pages.len() <= which {
            pages.resize_with(which + 1, Page::default);
        }
        let page = &mut pages[which];
        // So many cards, and all else that it may be about, once for each row that it may lie in.
        let row = row(cards) as usize;
        let rows = match place as usize / row {
            0 => 1,
            1 | 2 => 3,
            _ => 5,
        };
        let size = rows * row;
        page.answers.resize(size.max(place as usize + 1), Kept::default());
        page.answers[place as usize] = kept;
        page.changed = page.changed.max(self.born);
        Kept::default()
    }

    #[inline(never)]
    fn put_by_code(&mut self, code: Code, kept: Kept) -> Kept {
        if self.full * 2 >= self.places.len() && self.places.len() < MOST {
            self.grow();
        }
        let size = self.places.len();
        let place = &mut self.places[place_of(code, size)];
        self.full += usize::from(place.0 == Code::default());
        std::mem::replace(place, (code, kept)).1
    }

    #[cold]
    fn grow(&mut self) {
        let places = vec![Default::default(); (self.places.len() * 2).max(LEAST)];
        let old = std::mem::replace(&mut self.places, places);
        self.full = 0;
        for (code, kept) in old.into_iter().filter(|(code, _)| *code != Code::default()) {
            // Two questions that had a place each never have the same one in a larger table.
            self.put_by_code(code, kept);
        }
    }

    /// For another game, after this time: nothing is known, and the memory stays.
    pub(super) fn clear(&mut self, clock: u32) {
        self.born = clock;
        for &(sort, which) in &self.used {
            let page = &mut self.pages[sort as usize][which as usize];
            (page.changed, page.calm) = (clock, (0, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{CardId, PlayerId, ZoneId};

    #[test]
    fn every_question_has_a_place_of_its_own() {
        let cards = 5;
        let mut about: Vec<Vec<Cell>> = vec![vec![]];
        let some: Vec<Cell> = (0..cards as u16)
            .map(|card| Cell::of_card(CardId(card)))
            .chain([0, 1].map(|player| Cell::of_player(PlayerId(player))))
            .chain([0, 5, 70].map(|zone| Cell::of_zone(ZoneId::new(zone).unwrap())))
            .chain([Cell::NONE, Cell::num(0), Cell::num(7), Cell::truth_of(true)])
            .collect();
        about.extend(some.iter().map(|&a| vec![a]));
        about.extend(some.iter().flat_map(|&a| some.iter().map(move |&b| vec![a, b])));
        let mut keys: Vec<String> =
            about.iter().map(|about| format!("{} {:?}", about.len(), Key::new(Sort::Call, 3, about, cards))).collect();
        keys.sort();
        let all = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), all, "no two that a question could be about have one key");
        assert!(Key::new(Sort::Call, 3, &[Cell::NONE; 4], cards).is_none());
        assert!(Key::new(Sort::Call, 3, &[Cell::num(1 << 20)], cards).is_none());
    }

    #[test]
    fn answers_are_found_again() {
        let (mut shelf, changed, cards) = (Shelf::default(), Changed::default(), 300);
        let nothing = Read::from(crate::parts::Parts::NONE);
        let keys: Vec<Key> = (0..300u16)
            .flat_map(|card| {
                let card = Cell::of_card(CardId(card));
                [vec![card], vec![card, Cell::of_player(PlayerId(1))], vec![card, Cell::num(4)]]
            })
            .filter_map(|about| Key::new(Sort::Stat, 3 + about.len(), &about, cards))
            .collect();
        for (at, &key) in keys.iter().enumerate() {
            shelf.put(key, 2, Cell::num(at as i32), cards);
        }
        let known = |shelf: &mut Shelf, clock: u32| {
            (0..).zip(&keys).filter(|(at, key)| shelf.recall(**key, &nothing, &changed, clock) == Some(Cell::num(*at))).count()
        };
        assert!(known(&mut shelf, 3) > 700, "{} of {}", known(&mut shelf, 3), keys.len());
        shelf.clear(3);
        assert_eq!(known(&mut shelf, 4), 0);
    }
}
