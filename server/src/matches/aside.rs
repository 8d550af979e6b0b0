//! What a match must remember besides its answers, so that a restart changes nothing for those who play: pauses, offers, stops,
//! the numbers of asks that were used up.

use crate::protocol::Stops;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What one player may propose to the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Offer {
    Draw,
    Pause,
    Undo,
    Rematch,
}

impl Offer {
    /// As the protocol names it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Offer::Draw => "draw",
            Offer::Pause => "pause",
            Offer::Undo => "undo",
            Offer::Rematch => "rematch",
        }
    }
}

/// Written down whenever it changes, but for what an answer turns down: `ask` tells whether there was one since.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Aside {
    pub(super) paused: bool,
    pub(super) offers: BTreeMap<Offer, BTreeSet<u8>>,
    pub(super) stops: [Stops; 2],
    /// Numbers of asks that taking back has used up.
    pub(super) undone: u32,
    /// The next match of the same players.
    pub(super) rematch: Option<String>,
    /// No clock runs before a player has come back.
    pub(super) waits: bool,
    /// The ask that stood when this was written down.
    ask: u32,
}

impl Aside {
    pub(super) fn read(text: &str) -> Result<Aside, String> {
        if text.is_empty() {
            return Ok(Aside::default());
        }
        serde_json::from_str(text).map_err(|error| format!("what was noted of the match is damaged: {error}"))
    }

    /// As it is written down while this ask stands.
    pub(super) fn written(&self, ask: u32) -> String {
        serde_json::to_string(&Aside { ask, ..self.clone() }).unwrap_or_default()
    }

    pub(super) fn offer(&mut self, what: Offer, seat: u8) {
        self.offers.entry(what).or_default().insert(seat);
    }
    pub(super) fn offered(&self, what: Offer, seat: u8) -> bool {
        self.offers.get(&what).is_some_and(|by| by.contains(&seat))
    }
    pub(super) fn take_back(&mut self, what: Offer) {
        self.offers.remove(&what);
    }

    /// An answer turns down what was offered before it.
    pub(super) fn answered(&mut self) {
        self.take_back(Offer::Draw);
        self.take_back(Offer::Undo);
    }

    /// The match has been read again and stands at this ask.
    pub(super) fn restored(&mut self, ask: u32) {
        if self.ask != ask {
            self.answered();
        }
    }
}
