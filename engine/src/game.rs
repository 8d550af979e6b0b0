//! A game as its users hold it: set up from decks and a seed, answered, undone, forked, stored.
//! Its journal is the one source of all of these.

use crate::catalogue::Catalogue;
use crate::event::{Event, Silent, Sink};
use crate::ids::*;
use crate::machine::{self, BadAnswer, step_on};
use crate::memo::Memo;
use crate::sight::Viewer;
use crate::state::{Answer, State, Status};
use crate::value::PlayerId;
use crate::view::{View, Views};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All that a game is made from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// Keys of the cards of each player's deck.
    pub decks: [Vec<String>; 2],
    /// Choices for the options of the game; those not named take their default.
    pub options: BTreeMap<String, String>,
    pub seed: [u8; 32],
}

pub const MAX_CARDS: usize = 4000;

/// An empty table: the cards in their deck zones, no program running yet.
pub fn table(catalogue: &Catalogue, setup: &Setup) -> Result<State, String> {
    let options = choose_options(catalogue, &setup.options)?;
    let mut state = State::bare(catalogue, options, setup.seed);
    for (player, deck) in setup.decks.iter().enumerate() {
        if deck.len() > MAX_CARDS {
            return Err(format!("a deck of {} cards is more than the table holds ({MAX_CARDS})", deck.len()));
        }
        for key in deck {
            let def = catalogue.card(key).ok_or_else(|| format!("no card is called \"{key}\""))?;
            state.lay_card(def, PlayerId(player as u8), catalogue.deck_zones[player])?;
        }
    }
    state.lay_vars(catalogue);
    Ok(state)
}

fn choose_options(catalogue: &Catalogue, chosen: &BTreeMap<String, String>) -> Result<Vec<u8>, String> {
    if let Some(unknown) = chosen.keys().find(|name| !catalogue.options.iter().any(|option| option.name == **name)) {
        let known: Vec<&str> = catalogue.options.iter().map(|option| option.name.as_str()).collect();
        return Err(format!("no option is called \"{unknown}\"; there are {}", known.join(", ")));
    }
    let pick = |option: &crate::catalogue::OptionDef| match chosen.get(&option.name) {
        None => Ok(0),
        Some(choice) => match option.choices.iter().position(|c| c == choice) {
            Some(at) => Ok(at as u8),
            None => Err(format!("option {}: \"{choice}\" is none of {}", option.name, option.choices.join(", "))),
        },
    };
    catalogue.options.iter().map(pick).collect()
}

/// Set up and run to the first ask.
pub fn start(catalogue: &Catalogue, setup: &Setup, out: &mut dyn Sink) -> Result<State, String> {
    let mut state = table(catalogue, setup)?;
    machine::start(catalogue, &mut state, catalogue.main, out);
    Ok(state)
}

/// Run a table that was prepared by hand from a named program of the rules.
pub fn start_at(catalogue: &Catalogue, state: &mut State, program: &str, out: &mut dyn Sink) -> Result<(), String> {
    let at = catalogue.procs.iter().position(|proc| proc.name == program);
    let at = at.ok_or_else(|| format!("the rules have no program called {program}"))?;
    let at = ProcId::new(at).map_err(|full| full.to_string())?;
    machine::start(catalogue, state, at, out);
    Ok(())
}

/// How often a live game keeps a copy of itself, so that going back is quick.
const CHECKPOINT: usize = 64;

/// What has been found out about the game that was played on last, on each thread: who goes on with it need not find it out again, and
/// games that rest keep none of it.
mod last {
    use crate::memo::Memo;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A game, and how many answers it had been given: another thread may have gone on with it.
    pub(super) type Moment = (u64, usize);

    thread_local!(static LAST: Cell<Option<(Moment, Memo)>> = const { Cell::new(None) });

    /// A number that no other game has had, nor this one before it went another way.
    pub(super) fn new_number() -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }
    pub(super) fn take(moment: Moment) -> Memo {
        LAST.take().filter(|(last, _)| *last == moment).map_or_else(Memo::default, |(_, memo)| memo)
    }
    pub(super) fn put(moment: Moment, memo: Memo) {
        LAST.set(Some((moment, memo)));
    }
}

/// A live game with its history.
pub struct Game {
    catalogue: Arc<Catalogue>,
    setup: Setup,
    state: State,
    answers: Vec<Answer>,
    /// Shared with the games that forked off: they have come the same way.
    checkpoints: Vec<Arc<State>>,
    /// Tells what was found out about this very state.
    number: u64,
}

/// The copy goes its own way.
impl Clone for Game {
    fn clone(&self) -> Game {
        Game {
            catalogue: self.catalogue.clone(),
            setup: self.setup.clone(),
            state: self.state.clone(),
            answers: self.answers.clone(),
            checkpoints: self.checkpoints.clone(),
            number: last::new_number(),
        }
    }
}

impl Game {
    pub fn new(catalogue: Arc<Catalogue>, setup: Setup, out: &mut dyn Sink) -> Result<Game, String> {
        let state = start(&catalogue, &setup, out)?;
        let checkpoints = vec![Arc::new(state.clone())];
        Ok(Game { checkpoints, catalogue, setup, state, answers: Vec::new(), number: last::new_number() })
    }
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }
    pub fn setup(&self) -> &Setup {
        &self.setup
    }
    pub(crate) fn state(&self) -> &State {
        &self.state
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
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }
    pub fn view(&self, viewer: Viewer) -> View<'_> {
        View::new(&self.catalogue, &self.state, viewer)
    }
    /// For several viewers at once.
    pub fn views(&self) -> Views<'_> {
        Views::new(&self.catalogue, &self.state)
    }

    pub fn answer(&mut self, answer: &Answer) -> Result<Vec<Event>, BadAnswer> {
        let mut events = Vec::new();
        let memo = last::take((self.number, self.answers.len()));
        step_on(&self.catalogue, &mut self.state, answer, &mut events, &memo)?;
        self.answers.push(answer.clone());
        last::put((self.number, self.answers.len()), memo);
        if self.answers.len().is_multiple_of(CHECKPOINT) {
            self.checkpoints.push(Arc::new(self.state.clone()));
        }
        Ok(events)
    }

    /// Go back to the moment before answer `count`, counted from 0.
    pub fn back_to(&mut self, count: usize) {
        let count = count.min(self.answers.len());
        self.state = self.state_at(count);
        self.number = last::new_number();
        self.answers.truncate(count);
        self.checkpoints.truncate(count / CHECKPOINT + 1);
    }

    /// The state after the first `count` answers.
    pub(crate) fn state_at(&self, count: usize) -> State {
        let from = (count / CHECKPOINT).min(self.checkpoints.len() - 1);
        let mut state = State::clone(&self.checkpoints[from]);
        let memo = Memo::default();
        for answer in &self.answers[from * CHECKPOINT..count.min(self.answers.len())] {
            if step_on(&self.catalogue, &mut state, answer, &mut Silent, &memo).is_err() {
                break;
            }
        }
        state
    }

    /// Another game that has come this way and goes on by itself.
    pub fn fork(&self) -> Game {
        self.clone()
    }
}
