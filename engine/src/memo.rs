//! Answers to questions about one state, each kept while the parts of the state that it read do not change.
//! A memo never changes an answer, only how often it is worked out.

use crate::bits::BitSet;
use crate::catalogue::{Catalogue, DefId, FieldId, ScopeId, Speaks, VarId, WindowId};
use crate::value::{CardId, PlayerId, Value};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Parts of a state that questions read and instructions change, as bits.
pub(crate) type Parts = u128;
/// Who lies where among cards that can do something, on what, for whom.
pub(crate) const PLACES: Parts = 1;
/// Who lies where in the other zones.
pub(crate) const PILES: Parts = 1 << 1;
/// Which card each one is: a shuffle changes that.
pub(crate) const FACES: Parts = 1 << 2;
/// Lasting effects.
pub(crate) const EFFECTS: Parts = 1 << 3;
/// Counters of players.
pub(crate) const PLAYERS: Parts = 1 << 4;

/// What cards remember: there are so many bits for it, and where there are more fields some share one. Then an answer is kept
/// for a shorter time than it could be, and never for too long.
const FIELDS: usize = 24;
const VARS: usize = 128 - 5 - FIELDS;

pub(crate) fn field(at: FieldId) -> Parts {
    1 << (5 + at.index() % FIELDS)
}

/// A variable.
pub(crate) fn var(at: VarId) -> Parts {
    1 << (5 + FIELDS + at.index() % VARS)
}

fn bits(mut parts: Parts) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = parts.trailing_zeros();
        (parts != 0).then(|| {
            parts &= parts - 1;
            at as usize
        })
    })
}

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
    which: u32,
    about: [u32; 3],
}

impl Key {
    /// None where there is too much, or something too large, to ask about.
    pub(crate) fn new(sort: Sort, which: usize, about: &[Value]) -> Option<Key> {
        let mut key = Key { sort, which: which as u32, about: [0; 3] };
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
        Value::Zone(zone) => (4, zone.index() as u32),
        Value::Word(word) => (5, word.index() as u32),
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
    stats: BitSet,
    permissions: BitSet,
    events: BitSet,
    replaced: BitSet,
    grants: bool,
}

impl Live {
    pub(crate) fn add(&mut self, catalogue: &Catalogue, card: CardId, def: DefId) {
        self.cards.push(card);
        self.stats.join(catalogue.index.stats.row(def.index()));
        self.permissions.join(catalogue.index.permissions.row(def.index()));
        self.events.join(catalogue.index.events.row(def.index()));
        self.replaced.join(catalogue.index.replaced.row(def.index()));
        self.grants |= catalogue.index.grants.has(def.index(), 0);
    }

    /// Whether any of them speaks of this.
    #[inline]
    pub(crate) fn speaks_of(&self, what: Speaks) -> bool {
        match what {
            Speaks::Stat(stat) => self.stats.has(stat.index()),
            Speaks::Permission(permission) => self.permissions.has(permission.index()),
            Speaks::Event(event) => self.events.has(event.index()),
            Speaks::Replaced(proc) => self.replaced.has(proc.index()),
            Speaks::Grants => self.grants,
        }
    }
}

type Scope = Option<(Option<CardId>, PlayerId)>;

/// An answer and when it was worked out.
struct Kept<T> {
    answer: T,
    stamp: u32,
}

/// Past this many answers old ones are thrown away with the rest.
const ROOM: usize = 20_000;

pub struct Memo {
    answers: RefCell<FxHashMap<Key, Kept<Value>>>,
    lists: RefCell<FxHashMap<Key, Kept<Rc<[Value]>>>>,
    scopes: RefCell<FxHashMap<(ScopeId, CardId), Kept<Scope>>>,
    live: RefCell<Option<Kept<Rc<Live>>>>,
    /// The windows that something could be done in: cards that lie where they can act have abilities for them.
    windows: RefCell<Option<Kept<BitSet>>>,
    /// How often something was too deep to be worked out. Such an answer is not kept: asked for by itself it may be another.
    cuts: Cell<u32>,
    /// Counts changes of the state.
    clock: Cell<u32>,
    /// When each part of the state changed last.
    changed: RefCell<[u32; 128]>,
    /// Whether every answer that is kept is worked out again and compared: for tests.
    checking: bool,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            answers: RefCell::default(),
            lists: RefCell::default(),
            scopes: RefCell::default(),
            live: RefCell::default(),
            windows: RefCell::default(),
            cuts: Cell::default(),
            clock: Cell::default(),
            changed: RefCell::new([0; 128]),
            checking: false,
        }
    }
}

impl Memo {
    pub(crate) fn cut(&self) {
        self.cuts.set(self.cuts.get().wrapping_add(1));
    }

    /// A memo that trusts no answer: it works each one out again and panics where it has kept another. For tests.
    pub fn checking() -> Memo {
        Memo { checking: true, ..Memo::default() }
    }

    /// How often something was too deep, since this memo was made.
    pub fn cuts(&self) -> u32 {
        self.cuts.get()
    }

    /// Parts of the state have changed: what was found out about them may no longer hold.
    pub(crate) fn touch(&self, parts: Parts) {
        let clock = self.clock.get() + 1;
        self.clock.set(clock);
        let mut changed = self.changed.borrow_mut();
        for part in bits(parts) {
            changed[part] = clock;
        }
    }

    /// Whether what was found then still holds: none of these parts has changed since.
    fn holds(&self, reads: Parts, stamp: u32) -> bool {
        stamp == self.clock.get() || {
            let changed = self.changed.borrow();
            bits(reads).all(|part| changed[part] <= stamp)
        }
    }

    fn keep<K: std::hash::Hash + Eq + Copy + std::fmt::Debug, T: Clone + PartialEq + std::fmt::Debug>(
        &self,
        shelf: &RefCell<FxHashMap<K, Kept<T>>>,
        key: K,
        reads: Parts,
        find: impl FnOnce() -> T,
    ) -> T {
        let mut kept = None;
        if let Some(Kept { answer, stamp }) = shelf.borrow_mut().get_mut(&key)
            && self.holds(reads, *stamp)
        {
            // It holds now: next time there is less to compare.
            *stamp = self.clock.get();
            kept = Some(answer.clone());
        }
        if let Some(answer) = kept {
            assert!(!self.checking || find() == answer, "{key:?} was {answer:?} and is so no longer");
            return answer;
        }
        let (cuts, stamp) = (self.cuts.get(), self.clock.get());
        let answer = find();
        if self.cuts.get() == cuts {
            let mut shelf = shelf.borrow_mut();
            if shelf.len() > ROOM {
                shelf.clear();
            }
            shelf.insert(key, Kept { answer: answer.clone(), stamp });
        }
        answer
    }

    pub(crate) fn recall(&self, key: Key, reads: Parts, find: impl FnOnce() -> Value) -> Value {
        self.keep(&self.answers, key, reads, find)
    }

    pub(crate) fn recall_list(&self, key: Key, reads: Parts, find: impl FnOnce() -> Rc<[Value]>) -> Rc<[Value]> {
        self.keep(&self.lists, key, reads, find)
    }

    pub(crate) fn recall_scope(&self, scope: ScopeId, card: CardId, reads: Parts, find: impl FnOnce() -> Scope) -> Scope {
        self.keep(&self.scopes, (scope, card), reads, find)
    }

    /// Whether something could be done in a window, of those that `find` tells.
    pub(crate) fn anything_acts_in(&self, window: WindowId, find: impl FnOnce() -> BitSet) -> bool {
        let mut known = self.windows.borrow_mut();
        if let Some(Kept { answer, stamp }) = &mut *known
            && self.holds(PLACES | PILES | FACES, *stamp)
        {
            *stamp = self.clock.get();
            return answer.has(window.index());
        }
        let answer = find();
        let any = answer.has(window.index());
        *known = Some(Kept { answer, stamp: self.clock.get() });
        any
    }

    pub(crate) fn live(&self, fill: impl FnOnce(&mut Live)) -> Rc<Live> {
        self.see_live(fill, Rc::clone)
    }

    /// The same for a quick look, which asks nothing else meanwhile.
    pub(crate) fn see_live<T>(&self, fill: impl FnOnce(&mut Live), look: impl FnOnce(&Rc<Live>) -> T) -> T {
        let mut known = self.live.borrow_mut();
        if let Some(Kept { answer, stamp }) = &mut *known
            && self.holds(PLACES | FACES, *stamp)
        {
            *stamp = self.clock.get();
            return look(answer);
        }
        let mut live = Live::default();
        fill(&mut live);
        let answer = Rc::new(live);
        let seen = look(&answer);
        *known = Some(Kept { answer, stamp: self.clock.get() });
        seen
    }
}
