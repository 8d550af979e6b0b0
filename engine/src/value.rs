//! The values a program computes with: plain data, comparable, hashable, storable.

use crate::ids::{AbilityId, TextId};
pub use crate::ids::{WordId, ZoneId};
pub use crate::list::List;
use serde::{Deserialize, Serialize};

/// A card in this game: an index into [`crate::state::Table::cards`]. It is also the handle that viewers see:
/// a shuffle redistributes identities among the handles, so a handle never betrays a hidden card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct CardId(pub u16);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PlayerId(pub u8);

impl PlayerId {
    pub fn opponent(self) -> PlayerId {
        PlayerId(1 - self.0)
    }
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something a player may do in a window: an ability (of the rules or of a card) on a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Move {
    pub ability: AbilityId,
    pub player: PlayerId,
    /// The card it is done with or to; none for a move such as "finish".
    pub card: Option<CardId>,
    /// The card that carries the ability, where that is another one (a pilot on a ship).
    pub source: Option<CardId>,
    /// The second card of an action that takes two: where the first one goes, say.
    pub target: Option<CardId>,
}

impl Move {
    /// The cards that it speaks of.
    pub fn cards(&self) -> impl Iterator<Item = CardId> {
        [self.card, self.source, self.target].into_iter().flatten()
    }
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Value {
    #[default]
    None,
    Num(i32),
    Bool(bool),
    Card(CardId),
    Player(PlayerId),
    Zone(ZoneId),
    Word(WordId),
    Move(Move),
    /// A text that stands for a choice.
    Text(TextId),
    /// A triggered ability that waits, by its serial number.
    Trigger(u32),
    List(List),
}

impl Value {
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(items.into())
    }
    /// The same as `==`, quickly seen for what is small.
    #[inline]
    pub(crate) fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::None, Value::None) => true,
            (Value::Num(a), Value::Num(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Card(a), Value::Card(b)) => a == b,
            (Value::Player(a), Value::Player(b)) => a == b,
            _ => self == other,
        }
    }
    pub fn num(&self) -> i32 {
        match self {
            Value::Num(n) => *n,
            Value::Bool(b) => *b as i32,
            _ => 0,
        }
    }
    pub fn truth(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            Value::None => false,
            Value::Num(n) => *n != 0,
            _ => true,
        }
    }
    pub fn card(&self) -> Option<CardId> {
        match self {
            Value::Card(c) => Some(*c),
            _ => None,
        }
    }
    pub fn player(&self) -> Option<PlayerId> {
        match self {
            Value::Player(p) => Some(*p),
            _ => None,
        }
    }
    pub fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            _ => &[],
        }
    }
    /// Whether it is, or has somewhere in it, this card.
    pub(crate) fn speaks_of(&self, card: CardId) -> bool {
        match self {
            Value::Card(other) => *other == card,
            Value::Move(chosen) => chosen.cards().any(|other| other == card),
            Value::List(items) => items.iter().any(|item| item.speaks_of(card)),
            _ => false,
        }
    }
    /// Speak of another card where this speaks of one; whether it did.
    pub(crate) fn rename(&mut self, old: CardId, new: CardId) -> bool {
        match self {
            Value::Card(card) if *card == old => {
                *card = new;
                true
            }
            Value::Move(chosen) => {
                let mut renamed = false;
                for card in [&mut chosen.card, &mut chosen.source, &mut chosen.target].into_iter().filter(|card| **card == Some(old)) {
                    *card = Some(new);
                    renamed = true;
                }
                renamed
            }
            // Most lists do not speak of it: they stay shared.
            Value::List(items) if items.iter().any(|item| item.speaks_of(old)) => {
                *items = items.map(|item| {
                    let mut item = item.clone();
                    item.rename(old, new);
                    item
                });
                true
            }
            _ => false,
        }
    }
    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }
}

impl From<Option<CardId>> for Value {
    fn from(card: Option<CardId>) -> Value {
        card.map_or(Value::None, Value::Card)
    }
}
