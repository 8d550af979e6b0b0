//! Answers to questions about one state, kept while it does not change. A memo never changes an answer,
//! only how often it is worked out.

use crate::catalogue::Masks;
use crate::value::{CardId, PlayerId, Value};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What sort of question was asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sort {
    Stat,
    Call,
    May,
}

/// A question: its sort, which one of them, and about what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    sort: Sort,
    which: u16,
    about: [u32; 3],
}

impl Key {
    /// None where there is too much, or something too large, to ask about.
    pub(crate) fn new(sort: Sort, which: u16, about: &[Value]) -> Option<Key> {
        let mut key = Key { sort, which, about: [0; 3] };
        if about.len() > key.about.len() {
            return None;
        }
        for (slot, value) in key.about.iter_mut().zip(about) {
            *slot = code(value)?;
        }
        Some(key)
    }
}

/// A small value as one number, different for different values.
fn code(value: &Value) -> Option<u32> {
    let (sort, number) = match value {
        Value::None => (1, 0),
        Value::Card(card) => (2, card.0 as u32),
        Value::Player(player) => (3, player.0 as u32),
        Value::Zone(zone) => (4, zone.0 as u32),
        Value::Word(word) => (5, word.0 as u32),
        Value::Bool(truth) => (6, *truth as u32),
        Value::Num(number) => (7, u32::try_from(*number).ok().filter(|number| *number < 1 << 24)?),
        _ => return None,
    };
    Some(sort << 24 | number)
}

/// Cards in live zones that have clauses, and what all of them together speak of.
#[derive(Default)]
pub(crate) struct Live {
    pub(crate) cards: Vec<CardId>,
    pub(crate) all: Masks,
}

impl Live {
    pub(crate) fn add(&mut self, card: CardId, masks: &Masks) {
        self.cards.push(card);
        self.all.stats |= masks.stats;
        self.all.permissions |= masks.permissions;
        self.all.events |= masks.events;
    }
}

type Scope = Option<(Option<CardId>, PlayerId)>;

#[derive(Default)]
pub struct Memo {
    answers: RefCell<FxHashMap<Key, Value>>,
    lists: RefCell<FxHashMap<Key, Rc<[Value]>>>,
    scopes: RefCell<FxHashMap<(u8, CardId), Scope>>,
    live: RefCell<Option<Rc<Live>>>,
    /// How often something was too deep to be worked out. Such an answer is not kept: asked for by itself it may be another.
    cuts: Cell<u32>,
}

impl Memo {
    pub(crate) fn cut(&self) {
        self.cuts.set(self.cuts.get().wrapping_add(1));
    }

    pub(crate) fn recall(&self, key: Key, find: impl FnOnce() -> Value) -> Value {
        if let Some(known) = self.answers.borrow().get(&key) {
            return known.clone();
        }
        let cuts = self.cuts.get();
        let found = find();
        if self.cuts.get() == cuts {
            self.answers.borrow_mut().insert(key, found.clone());
        }
        found
    }

    pub(crate) fn recall_list(&self, key: Key, find: impl FnOnce() -> Rc<[Value]>) -> Rc<[Value]> {
        if let Some(known) = self.lists.borrow().get(&key) {
            return known.clone();
        }
        let cuts = self.cuts.get();
        let found = find();
        if self.cuts.get() == cuts {
            self.lists.borrow_mut().insert(key, found.clone());
        }
        found
    }

    pub(crate) fn recall_scope(&self, scope: u8, card: CardId, find: impl FnOnce() -> Scope) -> Scope {
        if let Some(known) = self.scopes.borrow().get(&(scope, card)) {
            return *known;
        }
        let cuts = self.cuts.get();
        let found = find();
        if self.cuts.get() == cuts {
            self.scopes.borrow_mut().insert((scope, card), found);
        }
        found
    }

    pub(crate) fn live(&self, fill: impl FnOnce(&mut Live)) -> Rc<Live> {
        let mut known = self.live.borrow_mut();
        known
            .get_or_insert_with(|| {
                let mut live = Live::default();
                fill(&mut live);
                Rc::new(live)
            })
            .clone()
    }

    /// Cards have changed their places.
    pub(crate) fn forget_places(&self) {
        self.live.replace(None);
    }

    /// The state has changed.
    pub(crate) fn forget(&self) {
        let mut answers = self.answers.borrow_mut();
        if !answers.is_empty() {
            answers.clear();
        }
        let mut lists = self.lists.borrow_mut();
        if !lists.is_empty() {
            lists.clear();
        }
        let mut scopes = self.scopes.borrow_mut();
        if !scopes.is_empty() {
            scopes.clear();
        }
    }
}
