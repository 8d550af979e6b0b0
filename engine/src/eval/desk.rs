//! Where questions are worked out: what is put aside meanwhile, and what is kept for the next one.

use super::cells::{Cell, Heap};
use super::counts::{Counts, Work};
use super::speakers::Speakers;
use crate::catalogue::{Catalogue, WindowId};
use crate::parts::{Changed, Part, Parts, Read};
use crate::state::State;
use crate::value::{CardId, Move, PlayerId, Value};

/// What sort of question was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Stat,
    Call,
    Scope,
}

/// A question: its sort and which one of them, and about what. All zero is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Key {
    about: u64,
    which: u32,
}

impl Key {
    /// None where there is too much, or something too large, to ask about.
    #[inline]
    pub(super) fn new(sort: Sort, which: usize, about: &[Cell]) -> Option<Key> {
        if !about.iter().all(|cell| cell.is_small()) {
            return None;
        }
        // The code of each is different from none at all.
        let about = match *about {
            [] => 0,
            [a] => a.code(),
            [a, b] => a.code() << 20 | b.code(),
            [a, b, c] => a.code() << 40 | b.code() << 20 | c.code(),
            _ => return None,
        };
        Some(Key { about, which: (sort as u32 + 1) << 16 | which as u32 })
    }
    /// A function that is asked about what these codes stand for.
    #[inline]
    pub(super) fn of_call(which: usize, about: u64) -> Key {
        Key { about, which: (Sort::Call as u32 + 1) << 16 | which as u32 }
    }
    #[inline]
    fn place(self, size: usize) -> usize {
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.about ^ (self.which as u64) << 40).wrapping_mul(MIX) ^ self.which as u64;
        (mixed.wrapping_mul(MIX) >> 40) as usize & (size - 1)
    }
}

/// An answer and when it was known to hold.
#[derive(Clone, Copy, Default)]
struct Kept {
    key: Key,
    stamp: u32,
    answer: Cell,
}

/// Answers, each in the one place that its question has: a newer one takes it over.
#[derive(Default)]
struct Shelf {
    places: Vec<Kept>,
    full: usize,
}

/// How many answers are kept: the table starts small, and never has more places than this.
const LEAST: usize = 512;
const MOST: usize = 1 << 14;

impl Shelf {
    #[inline]
    fn find(&mut self, key: Key) -> Option<&mut Kept> {
        let size = self.places.len();
        let kept = self.places.get_mut(key.place(size.max(1)))?;
        (kept.key == key).then_some(kept)
    }

    /// What lay there before.
    #[inline]
    fn put(&mut self, kept: Kept) -> Cell {
        if self.full * 2 >= self.places.len() && self.places.len() < MOST {
            self.grow();
        }
        let size = self.places.len();
        let place = &mut self.places[kept.key.place(size)];
        self.full += usize::from(place.key == Key::default());
        std::mem::replace(place, kept).answer
    }

    #[cold]
    fn grow(&mut self) {
        let places = vec![Kept::default(); (self.places.len() * 2).max(LEAST)];
        let old = std::mem::replace(&mut self.places, places);
        self.full = 0;
        for kept in old.into_iter().filter(|kept| kept.key != Key::default()) {
            // Two questions that had a place each never have the same one in a larger table.
            self.put(kept);
        }
    }
}

#[derive(Default)]
pub(crate) struct Desk {
    pub(super) heap: Heap,
    /// The values that are bound where expressions are walked, and the first of those of the innermost function.
    pub(super) locals: Vec<Cell>,
    pub(super) base: usize,
    shelf: Shelf,
    /// What was found last where nothing is kept.
    found: Vec<CardId>,
    /// Who speaks of what.
    pub(super) speakers: Speakers,
    /// The cards that lie where they can act and have any ability, as of some time.
    actors: Vec<CardId>,
    actors_stamp: Option<u32>,
    /// The legal moves that were asked for last.
    moves: [Option<KeptMoves>; 4],
    /// What programs may still do for the answer that was given: whatever goes on for ever comes to an end.
    pub(crate) left: u32,
    /// How often something was too deep to be worked out. Such an answer is not kept: asked for by itself it may be another.
    cuts: u32,
    /// Counts changes of the state.
    clock: u32,
    /// When each part of the state changed last.
    changed: Changed,
    mode: Mode,
    /// What was done, where somebody counts.
    pub(super) counts: Option<Box<Counts>>,
}

/// The moves of a player in a window, while nothing at all changes: more goes into them than parts of a state tell.
struct KeptMoves {
    window: WindowId,
    player: PlayerId,
    stamp: u32,
    moves: Vec<Move>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Quick,
    /// Every answer that is kept is worked out again and compared.
    Checking,
    /// Expressions are walked, and nothing is kept.
    Plain,
    /// What is done is counted.
    Counting,
}

/// What is known at the start of a question whose answer will be kept.
#[derive(Clone, Copy)]
pub(super) struct Start {
    cuts: u32,
    stamp: u32,
}

impl Desk {
    pub(crate) fn plain() -> Desk {
        Desk { mode: Mode::Plain, ..Desk::default() }
    }
    pub(crate) fn checking() -> Desk {
        Desk { mode: Mode::Checking, ..Desk::default() }
    }
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.mode == Mode::Plain
    }
    /// Whether nobody looks at how it is done.
    #[inline]
    pub(crate) fn is_quick(&self) -> bool {
        self.mode == Mode::Quick
    }
    #[inline]
    pub(crate) fn is_counting(&self) -> bool {
        self.mode == Mode::Counting
    }
    #[inline]
    pub(super) fn is_checking(&self) -> bool {
        self.mode == Mode::Checking
    }
    pub(crate) fn counting() -> Desk {
        Desk { mode: Mode::Counting, counts: Some(Box::default()), ..Desk::default() }
    }
    /// The steps so far, where somebody counts.
    pub(crate) fn steps(&self) -> Option<u64> {
        self.counts.as_ref().map(|counts| counts.steps)
    }
    pub(crate) fn count(&mut self, what: Work, before: u64) {
        if let Some(counts) = &mut self.counts {
            counts.done(what, before);
        }
    }
    pub(crate) fn counts(&self) -> Option<&Counts> {
        self.counts.as_deref()
    }
    pub(crate) fn cuts(&self) -> u32 {
        self.cuts
    }
    pub(super) fn cut(&mut self) {
        self.cuts = self.cuts.wrapping_add(1);
    }

    /// A question from outside: nothing is being worked out.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.heap.begin();
    }

    #[inline]
    pub(crate) fn value(&self, cell: Cell) -> Value {
        self.heap.value(cell)
    }

    pub(crate) fn items(&self, list: Cell) -> &[Cell] {
        self.heap.items(list)
    }

    #[inline]
    pub(crate) fn touch(&mut self, parts: Parts) {
        self.clock += 1;
        self.changed.touch(parts, self.clock);
    }
    #[inline]
    pub(crate) fn touch_one(&mut self, part: Part) {
        self.clock += 1;
        self.changed.touch_one(part, self.clock);
    }

    /// The answer to a question, where it is known and still holds: none of the parts that it read has changed since.
    #[inline]
    pub(super) fn recall(&mut self, key: Key, reads: &Read) -> Option<Cell> {
        let clock = self.clock;
        let kept = self.shelf.find(key)?;
        if kept.stamp != clock {
            if !self.changed.none_since(reads, kept.stamp) {
                return None;
            }
            // It holds now: next time there is less to compare.
            kept.stamp = clock;
        }
        Some(kept.answer)
    }

    /// Programs have done so much; whether they may go on.
    #[inline]
    pub(crate) fn spend(&mut self, count: u32) -> bool {
        self.left = self.left.saturating_sub(count);
        self.left > 0
    }

    /// Something has changed that is no part.
    #[inline]
    pub(crate) fn tick(&mut self) {
        self.clock += 1;
    }

    /// The moves of a player in a window, where nothing has changed since they were asked for, as a new list.
    pub(super) fn recall_moves(&mut self, window: WindowId, player: PlayerId) -> Option<Cell> {
        let clock = self.clock;
        let same = |kept: &&KeptMoves| kept.stamp == clock && kept.window == window && kept.player == player;
        let kept = self.moves.iter().flatten().find(same)?;
        let list = self.heap.new_list();
        kept.moves.iter().for_each(|chosen| self.heap.push_move(list, *chosen));
        Some(list)
    }

    /// Keep moves that were asked for, instead of those that were asked for longest ago.
    pub(super) fn keep_moves(&mut self, window: WindowId, player: PlayerId, list: Cell, start: Start) {
        if self.cuts != start.cuts {
            return;
        }
        self.moves.rotate_right(1);
        let mut moves = self.moves[0].take().map_or_else(Vec::new, |kept| kept.moves);
        moves.clear();
        moves.extend(self.heap.items(list).iter().filter_map(|chosen| self.heap.the_move(*chosen)));
        self.moves[0] = Some(KeptMoves { window, player, stamp: start.stamp, moves });
    }

    #[inline]
    pub(super) fn start(&self) -> Start {
        Start { cuts: self.cuts, stamp: self.clock }
    }

    /// Keep an answer; how it may be held from now on.
    pub(super) fn keep(&mut self, key: Key, answer: Cell, start: Start) -> Cell {
        if self.cuts != start.cuts {
            return answer;
        }
        let Some(answer) = self.heap.keep(answer) else { return answer };
        let before = self.shelf.put(Kept { key, answer, stamp: start.stamp });
        self.heap.drop_kept(before);
        answer
    }

    /// Who speaks of what now.
    #[inline]
    pub(super) fn speakers(&mut self, catalogue: &Catalogue, state: &State) -> &mut Speakers {
        if self.speakers.stamp < self.changed.who_says_what() || self.speakers.is_new() {
            self.speakers.listen(catalogue, state, self.clock);
        }
        &mut self.speakers
    }

    /// The cards that lie where they can act and have any ability, in order. They are held meanwhile: give them back.
    pub(super) fn take_actors(&mut self, catalogue: &Catalogue, state: &State) -> Vec<CardId> {
        let mut actors = std::mem::take(&mut self.actors);
        if self.is_plain() || self.actors_stamp.is_none_or(|stamp| stamp < self.changed.what_lies_where()) {
            actors.clear();
            for &zone in &catalogue.index.act_zones {
                actors.extend(state.zone(zone).iter().copied().filter(|&card| catalogue.index.able.has(state.card(card).def.index())));
            }
            self.actors_stamp = Some(self.clock);
        }
        actors
    }
    pub(super) fn give_back(&mut self, actors: Vec<CardId>) {
        self.actors = actors;
    }

    /// Cards that were found and are not kept.
    pub(super) fn found(&mut self, cards: impl Iterator<Item = CardId>) -> &[CardId] {
        self.found.clear();
        self.found.extend(cards);
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts;

    #[test]
    fn answers_hold_until_what_they_read_changes() {
        let mut desk = Desk::default();
        let live = Read::from(Parts::from(parts::LIVE));
        let key = |at: i32| Key::new(Sort::Call, 7, &[Cell::num(at)]).unwrap();
        for at in 0..5000 {
            let start = desk.start();
            desk.keep(key(at), Cell::num(at * 2), start);
        }
        let known = (0..5000).filter(|&at| desk.recall(key(at), &live) == Some(Cell::num(at * 2))).count();
        assert!(known > 3000, "{known} are still known");
        desk.touch_one(parts::PILES);
        assert_eq!(desk.recall(key(4999), &live), Some(Cell::num(9998)));
        desk.touch_one(parts::LIVE);
        assert_eq!(desk.recall(key(4999), &live), None);
        let start = desk.start();
        desk.cut();
        desk.keep(key(4999), Cell::num(1), start);
        assert_eq!(desk.recall(key(4999), &live), None, "what was cut off is not kept");
        assert!(Key::new(Sort::Call, 7, &[Cell::NONE; 4]).is_none());
    }
}
