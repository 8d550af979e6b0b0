//! Where questions are worked out: what is put aside meanwhile, and what is kept for the next one.

use super::actors::Actors;
use super::cells::{Cell, Heap, Mark};
use super::counts::{Counts, Work};
use super::kept::{About, Key, Shelf, Sort};
use super::speakers::Speakers;
use crate::catalogue::{Catalogue, WindowId};
use crate::parts::{Changed, Part, Parts, Read};
use crate::state::State;
use crate::value::{CardId, Move, PlayerId, Value};

/// The time at which a game begins: before it nothing was known.
const FIRST: u32 = 1;

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
    pub(super) actors: Actors,
    /// The legal moves that were asked for last.
    moves: [KeptMoves; 4],
    /// The place of those that will be forgotten next.
    oldest: usize,
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

/// The moves of a player in a window, while nothing at all changes: more goes into them than parts of a state tell. Never, where the time
/// is 0.
#[derive(Default)]
struct KeptMoves {
    of: Option<(WindowId, PlayerId)>,
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
    mark: Mark,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk {
            heap: Heap::default(),
            locals: Vec::new(),
            base: 0,
            shelf: Shelf::default(),
            found: Vec::new(),
            speakers: Speakers::default(),
            actors: Actors::default(),
            moves: Default::default(),
            oldest: 0,
            left: 0,
            cuts: 0,
            clock: FIRST,
            changed: Changed::default(),
            mode: Mode::Quick,
            counts: None,
        }
    }
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

    /// For another game: nothing is known, and the memory stays. A desk where somebody looks closer is not used again.
    pub(crate) fn clear(&mut self) {
        if self.clock > u32::MAX / 2 {
            return *self = Desk::default();
        }
        let Desk {
            heap,
            locals,
            base: _,
            shelf,
            found,
            speakers,
            actors,
            moves,
            oldest: _,
            left: _,
            cuts,
            clock,
            changed: _,
            mode: _,
            counts: _,
        } = self;
        heap.clear();
        locals.clear();
        shelf.clear(*clock);
        found.clear();
        speakers.clear();
        actors.clear();
        moves.iter_mut().for_each(|kept| kept.stamp = 0);
        *cuts = 0;
        // Time goes on: whatever was known before is older than all that will be.
        *clock += 1;
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
        self.shelf.recall(key, reads, &self.changed, self.clock)
    }

    /// The same about what lies at a place.
    #[inline]
    pub(super) fn recall_at(&mut self, sort: Sort, which: usize, place: u32, reads: &Read) -> Option<Cell> {
        self.shelf.recall_at(sort, which as u32, place, reads, &self.changed, self.clock)
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
        let same = |kept: &&KeptMoves| kept.stamp == clock && kept.of == Some((window, player));
        let kept = self.moves.iter().find(same)?;
        Some(self.heap.list_of_moves(&kept.moves))
    }

    /// Keep moves that were asked for, instead of those that were asked for longest ago.
    pub(super) fn keep_moves(&mut self, window: WindowId, player: PlayerId, list: Cell, start: Start) {
        if self.cuts != start.cuts {
            return;
        }
        let kept = &mut self.moves[self.oldest % 4];
        (kept.of, kept.stamp) = (Some((window, player)), start.stamp);
        kept.moves.clear();
        let items = self.heap.items(list);
        if !items.is_empty() {
            kept.moves.extend(items.iter().filter_map(|chosen| self.heap.the_move(*chosen)));
        }
        self.oldest = (self.oldest + 1) % 4;
    }

    #[inline]
    pub(super) fn start(&self) -> Start {
        Start { cuts: self.cuts, stamp: self.clock, mark: self.heap.mark() }
    }

    /// Keep an answer about a table of so many cards; how it may be held from now on.
    #[inline]
    pub(super) fn keep(&mut self, key: Key, answer: Cell, start: Start, cards: usize) -> Cell {
        if let About::Place(place) = key.about {
            return self.keep_at(key.sort, key.which as usize, place, answer, start, cards);
        }
        if self.cuts != start.cuts {
            return answer;
        }
        let Some(answer) = self.heap.keep(answer, start.mark) else { return answer };
        let before = self.shelf.put(key, start.stamp, answer, cards);
        self.heap.drop_kept(before);
        answer
    }

    /// The same about what lies at a place.
    #[inline]
    pub(super) fn keep_at(&mut self, sort: Sort, which: usize, place: u32, answer: Cell, start: Start, cards: usize) -> Cell {
        if self.cuts != start.cuts {
            return answer;
        }
        let Some(answer) = self.heap.keep(answer, start.mark) else { return answer };
        let before = self.shelf.put_at(sort, which as u32, place, start.stamp, answer, cards);
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

    /// Who can act now.
    #[inline]
    pub(super) fn actors(&mut self, catalogue: &Catalogue, state: &State) -> &mut Actors {
        if self.is_plain() {
            self.actors.clear();
        }
        self.actors.look(catalogue, state, &self.changed, self.clock);
        &mut self.actors
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
        let key = |about: &[Cell]| Key::new(Sort::Call, 7, about, 100).unwrap();
        let all = || (0..300).map(|at| (at, if at < 100 { key(&[Cell::of_card(CardId(at))]) } else { key(&[Cell::num(at.into())]) }));
        for (at, key) in all() {
            let start = desk.start();
            desk.keep(key, Cell::num(at.into()), start, 100);
        }
        let known = |desk: &mut Desk| all().filter(|(at, key)| desk.recall(*key, &live) == Some(Cell::num((*at).into()))).count();
        let before = known(&mut desk);
        assert!(before > 200, "{before} are known");
        desk.touch_one(parts::PILES);
        assert_eq!(known(&mut desk), before, "what they do not read is of no account");
        desk.touch_one(parts::LIVE);
        assert_eq!(known(&mut desk), 0);
        let start = desk.start();
        desk.cut();
        desk.keep(key(&[]), Cell::num(1), start, 100);
        assert_eq!(desk.recall(key(&[]), &live), None, "what was cut off is not kept");
        let start = desk.start();
        desk.keep(key(&[]), Cell::num(1), start, 100);
        assert_eq!(desk.recall(key(&[]), &live), Some(Cell::num(1)));
        desk.clear();
        assert_eq!(desk.recall(key(&[]), &live), None, "another game begins with nothing");
    }
}
