//! What cards remember. A table of what is there, in the order of cards and fields: what a card does not have costs nothing to
//! copy, to hash or to store, and that it has nothing is seen at a glance.

use super::{Card, State, Table};
use crate::catalogue::{Catalogue, FieldId};
use crate::parts::{self, Parts};
use crate::value::{CardId, Value};
use serde::{Deserialize, Serialize};

/// A counter, number or truth of a card that is not what cards without it have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Number {
    pub card: CardId,
    pub field: FieldId,
    pub value: i32,
}

/// Anything else that a card remembers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Remembered {
    pub card: CardId,
    pub field: FieldId,
    pub value: Value,
}

/// The fields that a card has, as bits; those past the last bit share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Has(u32);

impl Has {
    #[inline]
    fn bit(field: FieldId) -> u32 {
        1 << field.index().min(31)
    }
    #[inline]
    fn perhaps(self, field: FieldId) -> bool {
        self.0 & Has::bit(field) != 0
    }
    fn add(&mut self, field: FieldId) {
        self.0 |= Has::bit(field);
    }
}

impl Card {
    /// Whether a card may have a field: where not, that is seen at a glance.
    #[inline]
    pub(crate) fn may_have(&self, field: FieldId) -> bool {
        self.has.perhaps(field)
    }
}

impl Table {
    /// A number that a card has; none where it is what cards without it have.
    #[inline]
    pub fn number(&self, card: CardId, field: FieldId) -> Option<i32> {
        if !self.cards[card.0 as usize].has.perhaps(field) {
            return None;
        }
        self.number_place(card, field).ok().map(|at| self.numbers[at].value)
    }

    /// The same of a card that perhaps has it, and 0 where it has none.
    #[inline]
    pub(crate) fn number_or_zero(&self, card: CardId, field: FieldId) -> i32 {
        self.number_place(card, field).map_or(0, |at| self.numbers[at].value)
    }

    /// What a card remembers, where it is no number.
    pub fn remembered(&self, card: CardId, field: FieldId) -> Option<&Value> {
        if !self.cards[card.0 as usize].has.perhaps(field) {
            return None;
        }
        self.memory_place(card, field).ok().map(|at| &self.memory[at].value)
    }

    /// The numbers of a card that are not what cards without them have.
    pub fn numbers_of(&self, card: CardId) -> impl Iterator<Item = (FieldId, i32)> + '_ {
        let start = self.numbers.partition_point(|entry| entry.card < card);
        self.numbers[start..].iter().take_while(move |entry| entry.card == card).map(|entry| (entry.field, entry.value))
    }
    /// What else a card remembers.
    pub fn memory_of(&self, card: CardId) -> impl Iterator<Item = (FieldId, &Value)> + '_ {
        let start = self.memory.partition_point(|entry| entry.card < card);
        self.memory[start..].iter().take_while(move |entry| entry.card == card).map(|entry| (entry.field, &entry.value))
    }

    #[inline]
    fn number_place(&self, card: CardId, field: FieldId) -> Result<usize, usize> {
        let key = |entry: &Number| (entry.card.0 as u64) << 32 | entry.field.index() as u64;
        let wanted = (card.0 as u64) << 32 | field.index() as u64;
        let at = self.numbers.partition_point(|entry| key(entry) < wanted);
        if self.numbers.get(at).is_some_and(|entry| key(entry) == wanted) { Ok(at) } else { Err(at) }
    }
    fn memory_place(&self, card: CardId, field: FieldId) -> Result<usize, usize> {
        self.memory.binary_search_by_key(&(card, field), |entry| (entry.card, entry.field))
    }

    /// After entries were taken away, or a stored game was read: which fields each card has.
    pub(super) fn note_fields(&mut self) {
        self.cards.iter_mut().for_each(|card| card.has = Has::default());
        let cards = &mut self.cards;
        let of = |cards: &mut Vec<Card>, card: CardId, field| {
            if let Some(card) = cards.get_mut(card.0 as usize) {
                card.has.add(field);
            }
        };
        self.numbers.iter().for_each(|entry| of(cards, entry.card, entry.field));
        self.memory.iter().for_each(|entry| of(cards, entry.card, entry.field));
    }
}

impl State {
    /// A number of a card, given that cards without it have none.
    pub(super) fn put_number(&mut self, card: CardId, field: FieldId, value: Option<i32>) {
        let place = self.number_place(card, field);
        let table = &mut self.table;
        match (place, value) {
            (Ok(at), Some(value)) => table.numbers[at].value = value,
            (Err(at), Some(value)) => {
                table.numbers.insert(at, Number { card, field, value });
                table.cards[card.0 as usize].has.add(field);
            }
            (Ok(at), None) => {
                table.numbers.remove(at);
                self.note_card(card);
            }
            (Err(_), None) => {}
        }
    }

    /// What a card remembers from now on.
    #[must_use]
    pub(crate) fn remember(&mut self, card: CardId, field: FieldId, value: Value) -> Parts {
        let empty = value.is_none() || matches!(&value, Value::List(items) if items.is_empty());
        let place = self.memory_place(card, field);
        let table = &mut self.table;
        match (place, empty) {
            (Ok(at), false) if table.memory[at].value == value => return Parts::NONE,
            (Ok(at), false) => table.memory[at].value = value,
            (Err(at), false) => {
                table.memory.insert(at, Remembered { card, field, value });
                table.cards[card.0 as usize].has.add(field);
            }
            (Ok(at), true) => {
                table.memory.remove(at);
                self.note_card(card);
            }
            (Err(_), true) => return Parts::NONE,
        }
        parts::field(field).into()
    }

    fn note_card(&mut self, card: CardId) {
        let mut has = Has::default();
        self.numbers.iter().filter(|entry| entry.card == card).for_each(|entry| has.add(entry.field));
        self.memory.iter().filter(|entry| entry.card == card).for_each(|entry| has.add(entry.field));
        self.table.cards[card.0 as usize].has = has;
    }

    /// Cards forget what is wanted of them.
    pub(super) fn clear_fields(&mut self, wanted: impl Fn(CardId, FieldId) -> bool) -> Parts {
        let mut changed = Parts::NONE;
        let mut stays = |card, field| {
            let goes = wanted(card, field);
            if goes {
                changed |= parts::field(field);
            }
            !goes
        };
        self.table.numbers.retain(|entry| stays(entry.card, entry.field));
        self.table.memory.retain(|entry| stays(entry.card, entry.field));
        if !changed.is_empty() {
            self.table.note_fields();
        }
        changed
    }

    /// A card forgets what it does not keep when it changes zones; all of it where it is hidden.
    pub(super) fn clear_card(&mut self, catalogue: &Catalogue, card: CardId, hidden: bool) -> Parts {
        if self.card(card).has == Has::default() {
            return Parts::NONE;
        }
        self.clear_fields(|of, field| of == card && (hidden || !catalogue.fields[field.index()].kept))
    }

    /// A card is a new object: whatever remembers it does so no longer.
    pub(super) fn forget_card(&mut self, card: CardId) -> Parts {
        let speaks = |value: &Value| match value {
            Value::List(items) => items.contains(&Value::Card(card)),
            value => *value == Value::Card(card),
        };
        let held: Vec<(CardId, FieldId)> =
            self.memory.iter().filter(|entry| speaks(&entry.value)).map(|entry| (entry.card, entry.field)).collect();
        let mut changed = Parts::NONE;
        for (of, field) in held {
            let value = match self.remembered(of, field) {
                Some(Value::List(items)) => Value::list(items.iter().filter(|item| **item != Value::Card(card)).cloned().collect()),
                _ => Value::None,
            };
            changed |= self.remember(of, field, value);
        }
        changed
    }

    /// What a card remembers becomes another card's, and what remembers it remembers the other.
    pub(super) fn rename_in_memory(&mut self, old: CardId, card: CardId) -> Parts {
        let mut changed = Parts::NONE;
        for entry in &mut self.table.memory {
            if entry.value.rename(old, card) {
                changed |= parts::field(entry.field);
            }
        }
        let moved: Vec<(FieldId, Value)> =
            self.memory.iter().filter(|entry| entry.card == old).map(|entry| (entry.field, entry.value.clone())).collect();
        for (field, value) in moved {
            changed |= self.remember(old, field, Value::None) | self.remember(card, field, value);
        }
        changed
    }
}
