//! Who speaks of what: the cards in live zones and the lasting effects that have a say in a value, a permission, an event.

use crate::catalogue::{Catalogue, DefId, Speaks, Tables};
use crate::state::State;
use crate::value::CardId;
use std::sync::{Arc, Weak};

/// No card of the game speaks of it.
const NOBODY: u16 = u16::MAX;
/// A card that is not known.
const UNKNOWN: u16 = u16::MAX;

/// All that cards of this game speak of, each with a number of its own; what each card speaks of, and what is spoken of now.
#[derive(Default)]
pub(super) struct Speakers {
    /// Whose cards they are: the next game is often played with the same.
    of: Weak<Tables>,
    /// Whether that is so of the game that is played now.
    ready: bool,
    /// The number of each thing, by its place among all things that cards of any game speak of.
    numbers: Vec<u16>,
    /// For each card of the catalogue which row of bits is its own, where it is among those that are known.
    rows: Vec<u16>,
    stride: usize,
    bits: Vec<u64>,
    /// All cards in live zones that speak at all, and what they speak of together.
    live: Vec<CardId>,
    now: Vec<u64>,
    /// What lasting effects speak of, by its place.
    effects: Vec<usize>,
    /// Those of them that speak of one thing, as of some time.
    found: Vec<Found>,
    /// When it was found out who speaks now.
    pub(super) stamp: u32,
}

#[derive(Default, Clone)]
struct Found {
    cards: Vec<CardId>,
    known: bool,
}

impl Speakers {
    #[inline]
    pub(super) fn is_new(&self) -> bool {
        !self.ready
    }

    /// For another game: what its cards speak of is kept, as they may be the same.
    pub(super) fn clear(&mut self) {
        let Speakers { of: _, ready, numbers: _, rows: _, stride: _, bits: _, live, now, effects, found, stamp } = self;
        (*ready, *stamp) = (false, 0);
        live.clear();
        now.clear();
        effects.clear();
        found.iter_mut().for_each(|found| found.known = false);
    }

    /// Find out who speaks now.
    #[inline(never)]
    pub(super) fn listen(&mut self, catalogue: &Catalogue, state: &State, clock: u32) {
        if self.is_new() {
            if !self.knows(catalogue, state) {
                self.get_to_know(catalogue, state);
            }
            self.ready = true;
        }
        self.now.clear();
        self.now.resize(self.stride, 0);
        self.live.clear();
        for zone in &catalogue.index.live_zones {
            for &card in &state.zones[zone.index()] {
                let row = self.row(state.card(card).def);
                if row != 0 {
                    self.live.push(card);
                    self.now.iter_mut().zip(&self.bits[row..]).for_each(|(now, bits)| *now |= bits);
                }
            }
        }
        self.effects.clear();
        self.effects.extend(state.effects.iter().map(|effect| catalogue.index.place_of(Speaks::of(&catalogue.clause(effect.clause).kind))));
        self.found.iter_mut().for_each(|found| found.known = false);
        self.stamp = clock;
    }

    /// Whether all cards of a game are among those that are known.
    fn knows(&self, catalogue: &Catalogue, state: &State) -> bool {
        std::ptr::eq(self.of.as_ptr(), Arc::as_ptr(catalogue.index.tables()))
            && state.cards.iter().all(|card| self.rows.get(card.def.index()).is_some_and(|row| *row != UNKNOWN))
    }

    /// What the cards of a game speak of: they change places and faces, but they stay the same.
    #[cold]
    fn get_to_know(&mut self, catalogue: &Catalogue, state: &State) {
        let mut defs: Vec<DefId> = state.cards.iter().map(|card| card.def).collect();
        defs.sort_unstable();
        defs.dedup();
        *self = Speakers { of: Arc::downgrade(catalogue.index.tables()), ..Speakers::default() };
        let clauses =
            |def: &DefId| catalogue.def(*def).clauses.iter().map(|&id| catalogue.index.place_of(Speaks::of(&catalogue.clause(id).kind)));
        for place in defs.iter().flat_map(clauses) {
            if self.numbers.len() <= place {
                self.numbers.resize(place + 1, NOBODY);
            }
            if self.numbers[place] == NOBODY {
                self.numbers[place] = self.found.len() as u16;
                self.found.push(Found::default());
            }
        }
        self.stride = self.found.len().div_ceil(64).max(1);
        self.rows = vec![UNKNOWN; catalogue.cards.len()];
        self.bits = vec![0; self.stride];
        for def in &defs {
            if catalogue.def(*def).clauses.is_empty() {
                self.rows[def.index()] = 0;
                continue;
            }
            let row = self.bits.len();
            self.rows[def.index()] = (row / self.stride) as u16;
            self.bits.resize(row + self.stride, 0);
            for place in clauses(def) {
                let number = self.numbers[place] as usize;
                self.bits[row + number / 64] |= 1 << (number % 64);
            }
        }
    }

    /// Where the bits of a card start: the first ones are of those that say nothing.
    #[inline]
    fn row(&self, def: DefId) -> usize {
        let row = self.rows[def.index()];
        if row == UNKNOWN { 0 } else { row as usize * self.stride }
    }

    #[inline]
    fn number(&self, place: usize) -> Option<usize> {
        self.numbers.get(place).filter(|number| **number != NOBODY).map(|&number| number as usize)
    }

    /// Whether nobody speaks of something: no card in play, no lasting effect, and none of these cards, wherever they lie.
    #[inline]
    pub(super) fn is_quiet(&self, place: usize, mut defs: impl Iterator<Item = DefId>) -> bool {
        let silent = |number: usize| {
            let spoken = |row: usize| self.bits[row + number / 64] >> (number % 64) & 1 != 0;
            self.now[number / 64] >> (number % 64) & 1 == 0 && !defs.any(|def| spoken(self.row(def)))
        };
        // Of most things no card of the game speaks at all.
        self.number(place).is_none_or(silent) && !self.effects.contains(&place)
    }

    /// Whether a card speaks of something, wherever it lies.
    #[inline]
    pub(super) fn does(&self, def: DefId, place: usize) -> bool {
        let row = self.row(def);
        self.number(place).is_some_and(|number| self.bits[row + number / 64] >> (number % 64) & 1 != 0)
    }

    /// The cards in play that speak of something.
    pub(super) fn cards(&mut self, state: &State, place: usize) -> &[CardId] {
        let Some(number) = self.number(place).filter(|number| self.now[number / 64] >> (number % 64) & 1 != 0) else { return &[] };
        if !self.found[number].known {
            let mut cards = std::mem::take(&mut self.found[number].cards);
            cards.clear();
            cards.extend(self.live.iter().copied().filter(|&card| self.does(state.card(card).def, place)));
            self.found[number] = Found { cards, known: true };
        }
        &self.found[number].cards
    }
}
