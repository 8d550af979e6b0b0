//! Values while they are worked out: a sort and a number each, copied freely. What is longer, a list or a move, lies on the heap
//! of the evaluation, which is cleared as a whole.

use crate::ids::*;
use crate::state::{Card, State};
use crate::value::{CardId, List, Move, PlayerId, Value};

/// A value of an expression. A card is its number and nothing else: whether it is one and where it is found is one comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cell(u64);

const CARD: u32 = 0;
const NOTHING: u32 = 1;
const NUM: u32 = 2;
const BOOL: u32 = 3;
const PLAYER: u32 = 4;
const ZONE: u32 = 5;
const WORD: u32 = 6;
const TEXT: u32 = 7;
const TRIGGER: u32 = 8;
/// Where a card's text speaks: for the memo only.
const SCOPE: u32 = 9;
// From here on equal numbers mean the same, and different ones may.
const MOVE: u32 = 16;
const LIST: u32 = 17;
/// A list that is kept from one evaluation to the next.
const KEPT: u32 = 18;

/// The bits of what can be written as a smaller number: plain sorts, and no large numbers.
const SMALL: u64 = 0xf_0000_ffff;

impl Cell {
    pub(crate) const NONE: Cell = Cell::new(NOTHING, 0);

    #[inline]
    const fn new(sort: u32, number: u32) -> Cell {
        Cell((sort as u64) << 32 | number as u64)
    }
    #[inline]
    pub(super) fn sort(self) -> u32 {
        (self.0 >> 32) as u32
    }
    #[inline]
    fn payload(self) -> u32 {
        self.0 as u32
    }
    #[inline]
    pub(super) const fn num(number: i32) -> Cell {
        Cell::new(NUM, number as u32)
    }
    #[inline]
    pub(super) const fn truth_of(value: bool) -> Cell {
        Cell::new(BOOL, value as u32)
    }
    #[inline]
    pub(super) fn of_card(card: CardId) -> Cell {
        Cell::new(CARD, card.0 as u32)
    }
    #[inline]
    pub(super) fn of_player(player: PlayerId) -> Cell {
        Cell::new(PLAYER, player.0 as u32)
    }
    #[inline]
    pub(super) fn of_zone(zone: ZoneId) -> Cell {
        Cell::new(ZONE, zone.index() as u32)
    }
    #[inline]
    pub(super) fn of_word(word: WordId) -> Cell {
        Cell::new(WORD, word.index() as u32)
    }
    pub(super) fn of_text(text: TextId) -> Cell {
        Cell::new(TEXT, text.index() as u32)
    }
    pub(super) fn of_trigger(serial: u32) -> Cell {
        Cell::new(TRIGGER, serial)
    }
    #[inline]
    pub(super) fn of_scope(scope: Option<(Option<CardId>, PlayerId)>) -> Cell {
        scope.map_or(Cell::NONE, |(card, player)| {
            let card = card.map_or(0, |card| 1 << 16 | card.0 as u32);
            Cell::new(SCOPE, (player.0 as u32) << 17 | card)
        })
    }
    #[inline]
    pub(super) fn scope(self) -> Option<(Option<CardId>, PlayerId)> {
        (self.sort() == SCOPE).then(|| {
            let card = (self.payload() >> 16 & 1 != 0).then_some(CardId(self.payload() as u16));
            (card, PlayerId((self.payload() >> 17) as u8))
        })
    }

    /// A card of a game, where it is one.
    #[inline]
    pub(super) fn card_in(self, state: &State) -> Option<&Card> {
        let cards = &state.cards[..];
        // Written so that one comparison is left of it.
        if self.0 < cards.len() as u64 { Some(&cards[self.0 as usize]) } else { None }
    }
    /// The number of a card of so many.
    #[inline]
    pub(super) fn card_of(self, cards: usize) -> Option<u32> {
        (self.0 < cards as u64).then_some(self.0 as u32)
    }
    /// How far one has come on the way through a list, and where it ends: for code only.
    #[inline]
    pub(super) fn cursor(now: u32, end: u32) -> Cell {
        Cell((end as u64) << 32 | now as u64)
    }
    #[inline]
    pub(super) fn bounds(self) -> (u32, u32) {
        (self.0 as u32, (self.0 >> 32) as u32)
    }

    /// A number, where it is one.
    #[inline]
    pub(super) fn number(self) -> Option<i32> {
        (self.sort() == NUM).then_some(self.payload() as i32)
    }
    /// A number, and 0 where there is none.
    #[inline]
    pub(crate) fn count(self) -> i32 {
        if self.sort() == NUM || self.sort() == BOOL { self.payload() as i32 } else { 0 }
    }
    #[inline]
    pub(crate) fn truth(self) -> bool {
        if (NOTHING..=BOOL).contains(&self.sort()) { self.payload() != 0 } else { true }
    }
    #[inline]
    pub(crate) fn card(self) -> Option<CardId> {
        (self.sort() == CARD).then_some(CardId(self.payload() as u16))
    }
    #[inline]
    pub(crate) fn player(self) -> Option<PlayerId> {
        (self.sort() == PLAYER).then_some(PlayerId(self.payload() as u8))
    }
    #[inline]
    pub(super) fn zone(self) -> Option<ZoneId> {
        if self.sort() == ZONE { ZoneId::new(self.payload() as usize).ok() } else { None }
    }
    #[inline]
    pub(super) fn word(self) -> Option<WordId> {
        if self.sort() == WORD { WordId::new(self.payload() as usize).ok() } else { None }
    }
    pub(super) fn trigger(self) -> Option<u32> {
        (self.sort() == TRIGGER).then_some(self.payload())
    }
    #[inline]
    pub(super) fn is_list(self) -> bool {
        self.sort() >= LIST
    }
    #[inline]
    fn is_plain(self) -> bool {
        self.sort() < MOVE
    }

    /// Whether it can be written as a smaller number: it does not lie on the heap, and is no large number.
    #[inline]
    pub(super) fn is_small(self) -> bool {
        self.0 & !SMALL == 0
    }
    /// That number, of 20 bits and not 0, different for different values.
    #[inline]
    pub(super) fn code(self) -> u64 {
        ((self.0 >> 16 | self.0) & 0xf_ffff) + 1
    }
}

impl Default for Cell {
    fn default() -> Cell {
        Cell::NONE
    }
}

impl From<Option<CardId>> for Cell {
    #[inline]
    fn from(card: Option<CardId>) -> Cell {
        card.map_or(Cell::NONE, Cell::of_card)
    }
}

/// What evaluations put aside while they run.
#[derive(Default)]
pub(super) struct Heap {
    lists: Vec<Vec<Cell>>,
    /// How many of the lists are in use; the rest keep their memory for the next.
    used: usize,
    moves: Vec<Move>,
    kept: Vec<Vec<Cell>>,
    /// Kept lists that nobody keeps any more, once the evaluation is over.
    dropped: Vec<u32>,
    free: Vec<u32>,
}

/// How far the heap was in use at some time.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize, usize);

impl Heap {
    /// A new evaluation: nothing is held any more.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.used = 0;
        self.moves.clear();
        if !self.dropped.is_empty() {
            self.reuse();
        }
    }
    #[inline(never)]
    fn reuse(&mut self) {
        self.free.append(&mut self.dropped);
    }
    /// Nothing is kept any more.
    pub(super) fn clear(&mut self) {
        self.begin();
        self.dropped.clear();
        self.free.clear();
        self.free.extend((0..self.kept.len() as u32).rev());
    }
    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark(self.used, self.moves.len())
    }
    /// Nothing that was put aside since is needed.
    #[inline]
    pub(super) fn release(&mut self, mark: Mark) {
        self.used = mark.0;
        self.moves.truncate(mark.1);
    }
    /// The same but for moves.
    #[inline]
    pub(super) fn release_lists(&mut self, mark: Mark) {
        self.used = mark.0;
    }
    #[inline]
    pub(super) fn push_move(&mut self, list: Cell, chosen: Move) {
        let chosen = self.of_move(chosen);
        self.push(list, chosen);
    }

    /// These moves as a list.
    pub(super) fn list_of_moves(&mut self, moves: &[Move]) -> Cell {
        let list = self.new_list();
        if !moves.is_empty() {
            let first = self.moves.len() as u32;
            self.moves.extend_from_slice(moves);
            self.lists[list.payload() as usize].extend((first..self.moves.len() as u32).map(|at| Cell::new(MOVE, at)));
        }
        list
    }

    /// The moves that the items of a list stand for, each three of them for one, behind those that another one has.
    pub(super) fn push_moves(&mut self, to: Cell, from: Cell, of: impl Fn(Cell, Cell, Cell) -> Move) {
        let (from, to) = (from.payload() as usize, to.payload() as usize);
        let Ok([from, to]) = self.lists.get_disjoint_mut([from, to]) else { return };
        for three in from.chunks_exact(3) {
            to.push(Cell::new(MOVE, self.moves.len() as u32));
            self.moves.push(of(three[0], three[1], three[2]));
        }
    }

    pub(super) fn new_list(&mut self) -> Cell {
        match self.lists.get_mut(self.used) {
            Some(list) => list.clear(),
            None => self.lists.push(Vec::new()),
        }
        self.used += 1;
        Cell::new(LIST, self.used as u32 - 1)
    }
    #[inline]
    pub(super) fn push(&mut self, list: Cell, item: Cell) {
        if let Some(items) = self.lists.get_mut(list.payload() as usize) {
            items.push(item);
        }
    }
    #[inline]
    pub(super) fn push_two(&mut self, list: Cell, two: [Cell; 2]) {
        if let Some(items) = self.lists.get_mut(list.payload() as usize) {
            items.extend_from_slice(&two);
        }
    }
    pub(super) fn list_of(&mut self, items: impl IntoIterator<Item = Cell>) -> Cell {
        let list = self.new_list();
        self.lists[list.payload() as usize].extend(items);
        list
    }
    pub(super) fn join(&mut self, a: Cell, b: Cell) -> Cell {
        let joined = self.new_list();
        let mut items = std::mem::take(&mut self.lists[joined.payload() as usize]);
        items.extend_from_slice(self.items(a));
        items.extend_from_slice(self.items(b));
        self.lists[joined.payload() as usize] = items;
        joined
    }
    pub(super) fn of_move(&mut self, chosen: Move) -> Cell {
        self.moves.push(chosen);
        Cell::new(MOVE, self.moves.len() as u32 - 1)
    }
    pub(super) fn the_move(&self, cell: Cell) -> Option<&Move> {
        if cell.sort() == MOVE { self.moves.get(cell.payload() as usize) } else { None }
    }
    #[inline]
    pub(super) fn items(&self, list: Cell) -> &[Cell] {
        match list.sort() {
            LIST => &self.lists[list.payload() as usize],
            KEPT => &self.kept[list.payload() as usize],
            _ => &[],
        }
    }

    #[inline]
    pub(super) fn same(&self, a: Cell, b: Cell) -> bool {
        a == b || (a.sort() >= MOVE && b.sort() >= MOVE && self.same_within(a, b))
    }
    fn same_within(&self, a: Cell, b: Cell) -> bool {
        if a.is_list() && b.is_list() {
            let (a, b) = (self.items(a), self.items(b));
            return a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.same(a, b));
        }
        self.the_move(a).is_some() && self.the_move(a) == self.the_move(b)
    }

    /// The same value, so that it can be kept: none where that would take more than one list. A list that was made after a mark is nobody
    /// else's.
    #[inline]
    pub(super) fn keep(&mut self, cell: Cell, mark: Mark) -> Option<Cell> {
        if cell.is_plain() { Some(cell) } else { self.keep_list(cell, mark) }
    }
    #[inline(never)]
    fn keep_list(&mut self, cell: Cell, mark: Mark) -> Option<Cell> {
        if !cell.is_list() || !self.items(cell).iter().all(|item| item.is_plain()) {
            return None;
        }
        let at = self.free.pop().unwrap_or_else(|| {
            self.kept.push(Vec::new());
            self.kept.len() as u32 - 1
        });
        let list = cell.payload() as usize;
        if cell.sort() == LIST && list >= mark.0 {
            std::mem::swap(&mut self.lists[list], &mut self.kept[at as usize]);
        } else {
            // Each keeper has its own copy: it may be dropped by one and not by another.
            let mut kept = std::mem::take(&mut self.kept[at as usize]);
            kept.clear();
            kept.extend_from_slice(self.items(cell));
            self.kept[at as usize] = kept;
        }
        Some(Cell::new(KEPT, at))
    }
    /// A value is kept no longer; who holds it now may go on doing so.
    #[inline]
    pub(super) fn drop_kept(&mut self, cell: Cell) {
        if cell.sort() == KEPT {
            self.dropped.push(cell.payload());
        }
    }

    #[inline(always)]
    pub(super) fn read(&mut self, value: &Value) -> Cell {
        match value {
            Value::None => Cell::NONE,
            Value::Num(number) => Cell::num(*number),
            Value::Bool(value) => Cell::truth_of(*value),
            Value::Card(card) => Cell::of_card(*card),
            Value::Player(player) => Cell::of_player(*player),
            Value::Zone(zone) => Cell::of_zone(*zone),
            Value::Word(word) => Cell::of_word(*word),
            Value::Text(text) => Cell::of_text(*text),
            Value::Trigger(serial) => Cell::of_trigger(*serial),
            Value::Move(chosen) => self.of_move(*chosen),
            Value::List(items) => self.read_list(items),
        }
    }
    fn read_list(&mut self, items: &[Value]) -> Cell {
        let list = self.new_list();
        for item in items {
            let item = self.read(item);
            self.push(list, item);
        }
        list
    }

    #[inline]
    pub(super) fn value(&self, cell: Cell) -> Value {
        let number = cell.payload();
        match cell.sort() {
            CARD => Value::Card(CardId(number as u16)),
            NOTHING => Value::None,
            NUM => Value::Num(number as i32),
            BOOL => Value::Bool(number != 0),
            PLAYER => Value::Player(PlayerId(number as u8)),
            LIST | KEPT => self.list_value(cell),
            _ => self.other_value(cell),
        }
    }
    #[inline]
    fn list_value(&self, list: Cell) -> Value {
        let items = self.items(list);
        Value::List(if items.is_empty() { List::default() } else { self.list_of_values(items) })
    }
    #[inline(never)]
    fn list_of_values(&self, items: &[Cell]) -> List {
        // Mostly they are cards.
        if items.iter().all(|item| item.sort() == CARD) {
            List::from_exact(items.iter().map(|item| Value::Card(CardId(item.payload() as u16))))
        } else {
            List::from_exact(items.iter().map(|&item| self.value(item)))
        }
    }
    #[inline(never)]
    fn other_value(&self, cell: Cell) -> Value {
        let number = cell.payload();
        match cell.sort() {
            ZONE => cell.zone().map_or(Value::None, Value::Zone),
            WORD => cell.word().map_or(Value::None, Value::Word),
            TEXT => TextId::new(number as usize).map_or(Value::None, Value::Text),
            TRIGGER => Value::Trigger(number),
            MOVE => self.the_move(cell).map_or(Value::None, |chosen| Value::Move(*chosen)),
            _ => Value::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_comes_out_again() {
        let mut heap = Heap::default();
        let chosen =
            Move { ability: AbilityId::FIRST, player: PlayerId(1), card: Some(CardId(3)), source: None, target: Some(CardId(65535)) };
        let values = [
            Value::None,
            Value::Num(i32::MIN),
            Value::Num(-1),
            Value::Bool(true),
            Value::Card(CardId(65535)),
            Value::Player(PlayerId(1)),
            Value::Trigger(u32::MAX),
            Value::Move(chosen),
            Value::list(vec![]),
            Value::list(vec![Value::Num(3), Value::list(vec![Value::Move(chosen)])]),
        ];
        let cells: Vec<Cell> = values.iter().map(|value| heap.read(value)).collect();
        for (a, (value, &cell)) in values.iter().zip(&cells).enumerate() {
            assert_eq!(heap.value(cell), *value);
            assert_eq!((cell.truth(), cell.count(), cell.card()), (value.truth(), value.num(), value.card()));
            for (b, &other) in cells.iter().enumerate() {
                assert_eq!(heap.same(cell, other), a == b, "{value:?}");
            }
            let again = heap.read(value);
            assert!(heap.same(cell, again), "{value:?}");
        }
        for scope in [None, Some((None, PlayerId(1))), Some((Some(CardId(0)), PlayerId(0))), Some((Some(CardId(65535)), PlayerId(1)))] {
            assert_eq!(Cell::of_scope(scope).scope(), scope);
        }
    }

    #[test]
    fn kept_lists_outlive_an_evaluation() {
        let mut heap = Heap::default();
        let start = heap.mark();
        let list = heap.list_of([Cell::num(1), Cell::num(2)]);
        let kept = heap.keep(list, start).unwrap();
        heap.begin();
        heap.list_of([Cell::num(7)]);
        assert_eq!(heap.items(kept), [Cell::num(1), Cell::num(2)]);
        heap.drop_kept(kept);
        let other = heap.list_of([Cell::num(8)]);
        let other = heap.keep(other, heap.mark()).unwrap();
        assert_eq!(heap.items(other), [Cell::num(8)]);
        assert_eq!(heap.items(kept), [Cell::num(1), Cell::num(2)], "it was held while the evaluation went on");
        heap.begin();
        let third = heap.list_of([Cell::num(9)]);
        let third = heap.keep(third, heap.mark()).unwrap();
        assert_eq!((heap.items(other), heap.items(third)), (&[Cell::num(8)][..], &[Cell::num(9)][..]));
    }
}
