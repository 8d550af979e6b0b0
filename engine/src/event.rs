//! What happened: each atom tells it once, for logs, animation and triggers.

use crate::ids::*;
use crate::state::Answer;
use crate::value::{CardId, Move, PlayerId, Value};
use serde::{Deserialize, Serialize};

/// `seen` holds the viewers who knew the card when it happened, as the bits of [`crate::sight`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Event {
    Moved {
        card: CardId,
        def: DefId,
        from: ZoneId,
        to: ZoneId,
        seen: u8,
    },
    Attached {
        card: CardId,
        def: DefId,
        to: CardId,
        seen: u8,
    },
    Turned {
        card: CardId,
        def: DefId,
        down: bool,
        seen: u8,
    },
    Controlled {
        card: CardId,
        by: PlayerId,
    },
    Shuffled {
        zone: ZoneId,
    },
    /// Cards are shown together to somebody who had not known them.
    Shown {
        cards: Vec<Told>,
    },
    Counted {
        card: CardId,
        counter: FieldId,
        by: i32,
        now: i32,
    },
    PlayerCounted {
        player: PlayerId,
        counter: PlayerCounterId,
        by: i32,
        now: i32,
    },
    Rolled {
        dice: Vec<i32>,
    },
    Chosen {
        at_random: Vec<Value>,
    },
    /// A lasting effect begins; `def` is the card it comes from.
    EffectStarted {
        clause: ClauseId,
        def: Option<DefId>,
        seen: u8,
        /// What its text names, each by its register.
        names: Vec<Spoken>,
    },
    /// A triggered ability that waited is carried out.
    Resolving {
        clause: ClauseId,
        def: Option<DefId>,
        seen: u8,
    },
    PeriodEnded {
        period: PeriodId,
    },
    /// An event that the rules of the game declare, with every card that its arguments speak of.
    Declared {
        event: EventId,
        args: Vec<Value>,
        cards: Vec<Told>,
        /// Whether its line would only repeat what is told anyway.
        quiet: bool,
    },
    Moving {
        chosen: Move,
    },
    Answered {
        player: PlayerId,
        answer: Answer,
    },
    Fault {
        reason: String,
    },
    /// The game has ended; without a winner it is drawn.
    Over {
        winner: Option<PlayerId>,
    },
}

impl Event {
    /// Whether it comes several times for one thing, so that a line which is the same as the one before adds nothing.
    pub fn in_parts(&self) -> bool {
        matches!(self, Event::Shown { .. } | Event::EffectStarted { .. })
    }
}

/// A card that an event speaks of: what it was then, and who knew it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Told {
    pub card: CardId,
    pub def: DefId,
    pub seen: u8,
}

/// Something that a text names: what it is, and who knew it then if it is a card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spoken {
    pub register: RegisterId,
    pub value: Value,
    pub def: DefId,
    pub seen: u8,
}

/// Takes events as they happen. A simulation that needs none passes [`Silent`].
pub trait Sink {
    fn wants(&self) -> bool;
    fn take(&mut self, event: Event);
}

pub struct Silent;

impl Sink for Silent {
    fn wants(&self) -> bool {
        false
    }
    fn take(&mut self, _: Event) {}
}

impl Sink for Vec<Event> {
    fn wants(&self) -> bool {
        true
    }
    fn take(&mut self, event: Event) {
        self.push(event);
    }
}
