//! A game that is only played on: it has no history and no way back. Simulations run one, and what a viewer imagines is one.

use crate::catalogue::Catalogue;
use crate::event::Sink;
use crate::game::{self, Setup};
use crate::machine::{self, BadAnswer, step_on};
use crate::memo::Memo;
use crate::sight::Viewer;
use crate::state::{Answer, State, Status};
use crate::value::PlayerId;
use crate::view::View;
use std::sync::Arc;

/// What is found out about the table is kept from one answer to the next, for its views as well.
pub struct Playout<'a> {
    catalogue: &'a Catalogue,
    state: State,
    memo: Memo,
}

impl<'a> Playout<'a> {
    /// Set up and run to the first ask.
    pub fn new(catalogue: &'a Catalogue, setup: &Setup, out: &mut dyn Sink) -> Result<Playout<'a>, String> {
        Ok(Playout::of(catalogue, game::start(catalogue, setup, out)?))
    }
    pub(crate) fn of(catalogue: &'a Catalogue, state: State) -> Playout<'a> {
        Playout { catalogue, state, memo: Memo::default() }
    }
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub fn view(&self, viewer: Viewer) -> View<'_> {
        View::sharing(self.catalogue, &self.state, viewer, &self.memo)
    }
    /// Who is asked.
    pub fn asked(&self) -> Option<PlayerId> {
        self.state.asked()
    }
    pub fn status(&self) -> &Status {
        &self.state.status
    }
    /// The hash of the state, for a journal.
    pub fn hash(&self) -> [u8; 32] {
        self.state.hash()
    }

    /// Take an answer and run to the next ask or to the end. A wrong answer is refused and changes nothing.
    pub fn answer(&mut self, answer: &Answer, out: &mut dyn Sink) -> Result<(), BadAnswer> {
        step_on(self.catalogue, &mut self.state, answer, out, &self.memo)
    }
}

/// Two decks on a table, for many games: what they have in common is done once. The rules are those among the cards of the decks.
pub struct Laid {
    catalogue: Catalogue,
    state: State,
}

impl Laid {
    /// Lay the decks of a setup; its seed is of no account.
    pub fn new(catalogue: &Arc<Catalogue>, setup: &Setup) -> Result<Laid, String> {
        let state = game::table(catalogue, setup)?;
        Ok(Laid { catalogue: catalogue.among(state.cards.iter().map(|card| card.def)), state })
    }

    /// Play from this seed: run to the first ask.
    pub fn play(&self, seed: [u8; 32], out: &mut dyn Sink) -> Playout<'_> {
        let mut state = self.state.clone();
        state.lay_seed(seed);
        machine::start(&self.catalogue, &mut state, self.catalogue.main, out);
        Playout::of(&self.catalogue, state)
    }
}

/// The copy goes its own way, so it finds out for itself.
impl Clone for Playout<'_> {
    fn clone(&self) -> Self {
        Playout::of(self.catalogue, self.state.clone())
    }
}
