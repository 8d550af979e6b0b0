//! Who speaks of what: the cards in live zones and the lasting effects that have a say in a value, a permission, an event.

use crate::catalogue::{Catalogue, DefId, Speaks};
use crate::state::State;
use crate::value::CardId;

/// No card of the game speaks of it.
const NOBODY: u16 = u16::MAX;

/// All that cards of this game speak of, each with a number of its own; what each card speaks of, and what is spoken of now.
#[derive(Default)]
pub(super) struct Speakers {
    /// The number of each thing, by its place among all things that cards of any game speak of.
    numbers: Vec<u16>,
    /// For each card of the catalogue which row of bits is its own.
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
        self.rows.is_empty()
    }

    /// For another game.
    pub(super) fn clear(&mut self) {
        let Speakers { numbers, rows, stride, bits, live, now, effects, found, stamp } = self;
        (*stride, *stamp) = (0, 0);
        numbers.clear();
        rows.clear();
        bits.clear();
        live.clear();
        now.clear();
        effects.clear();
        found.clear();
    }

    /// Find out who speaks now.
    #[inline(never)]
    pub(super) fn listen(&mut self, catalogue: &Catalogue, state: &State, clock: u32) {
        if self.is_new() {
            self.get_to_know(catalogue, state);
        }
        self.now.clear();
        self.now.resize(self.stride, 0);
        self.live.clear();
        for &card in catalogue.index.live_zones.iter().flat_map(|zone| &state.zones[zone.index()]) {
            let row = self.rows[state.card(card).def.index()] as usize * self.stride;
            // The first row is of those that say nothing.
            if row != 0 {
                self.live.push(card);
                self.now.iter_mut().zip(&self.bits[row..]).for_each(|(now, bits)| *now |= bits);
            }
        }
        self.effects.clear();
        self.effects.extend(state.effects.iter().map(|effect| catalogue.index.place_of(Speaks::of(&catalogue.clause(effect.clause).kind))));
        self.found.iter_mut().for_each(|found| found.known = false);
        self.stamp = clock;
    }

    /// What the cards of a game speak of: they change places and faces, but they stay the same.
    #[cold]
    fn get_to_know(&mut self, catalogue: &Catalogue, state: &State) {
        let mut defs: Vec<DefId> = state.cards.iter().map(|card| card.def).collect();
        defs.sort_unstable();
        defs.dedup();
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
        self.rows = vec![0; catalogue.cards.len().max(1)];
        self.bits = vec![0; self.stride];
        for def in defs.iter().filter(|def| !catalogue.def(**def).clauses.is_empty()) {
            let row = self.bits.len();
            self.rows[def.index()] = (row / self.stride) as u16;
            self.bits.resize(row + self.stride, 0);
            for place in clauses(def) {
                let number = self.numbers[place] as usize;
                self.bits[row + number / 64] |= 1 << (number % 64);
            }
        }
    }

    #[inline]
    fn number(&self, place: usize) -> Option<usize> {
        self.numbers.get(place).filter(|number| **number != NOBODY).map(|&number| number as usize)
    }

    /// Whether nobody speaks of something: no card in play, no lasting effect, and none of these cards, wherever they lie.
    #[inline]
    pub(super) fn is_quiet(&self, place: usize, mut defs: impl Iterator<Item = DefId>) -> bool {
        let silent = |number: usize| {
            let spoken = |row: usize| self.bits[row * self.stride + number / 64] >> (number % 64) & 1 != 0;
            self.now[number / 64] >> (number % 64) & 1 == 0 && !defs.any(|def| spoken(self.rows[def.index()] as usize))
        };
        // Of most things no card of the game speaks at all.
        self.number(place).is_none_or(silent) && !self.effects.contains(&place)
    }

    /// Whether a card speaks of something, wherever it lies.
    #[inline]
    pub(super) fn does(&self, def: DefId, place: usize) -> bool {
        let row = self.rows[def.index()] as usize * self.stride;
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
