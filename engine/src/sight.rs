//! Who may know which card. Views, logs, bots and determinisation all ask here and nowhere else.

use crate::catalogue::{Catalogue, Sight};
use crate::state::State;
use crate::value::{CardId, PlayerId, Value};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Viewer {
    Player(PlayerId),
    Spectator,
    /// Sees everything: tests, judges, finished games.
    Referee,
}

impl Viewer {
    /// Every kind of viewer that a card can be shown to, in the order of the bits of [`mask`].
    pub const ALL: [Viewer; 3] = [Viewer::Player(PlayerId(0)), Viewer::Player(PlayerId(1)), Viewer::Spectator];

    pub fn bit(self) -> u8 {
        match self {
            Viewer::Player(player) => 1 << player.0,
            Viewer::Spectator => 1 << 2,
            Viewer::Referee => u8::MAX,
        }
    }
}

pub const EVERYONE: u8 = 0b111;

pub fn knows(catalogue: &Catalogue, state: &State, viewer: Viewer, card: CardId) -> bool {
    viewer == Viewer::Referee || mask(catalogue, state, card) & viewer.bit() != 0
}

/// A value as a viewer may know it: cards that are hidden from them are left out.
pub(crate) fn known_part(catalogue: &Catalogue, state: &State, viewer: Viewer, value: &Value) -> Value {
    let hidden = |card: &CardId| !knows(catalogue, state, viewer, *card);
    match value {
        Value::Card(card) if hidden(card) => Value::None,
        Value::Move(chosen) if chosen.cards().any(|card| hidden(&card)) => Value::None,
        Value::List(items) => Value::list(items.iter().map(|item| known_part(catalogue, state, viewer, item)).collect()),
        other => other.clone(),
    }
}

/// The viewers who know a card, as bits.
pub(crate) fn mask(catalogue: &Catalogue, state: &State, card: CardId) -> u8 {
    let at = card;
    let card = state.card(card);
    let zone = &catalogue.zones[card.zone.index()];
    let sight = if card.facedown { zone.down } else { zone.up };
    let by_place = match sight {
        Sight::All => EVERYONE,
        Sight::Owner => 1 << zone.player.unwrap_or(card.controller).0,
        Sight::Top if state.zone(card.zone).last() == Some(&at) => EVERYONE,
        Sight::Top | Sight::Nobody => 0,
    };
    by_place | card.shown
}
