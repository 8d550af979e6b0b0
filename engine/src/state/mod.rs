//! The whole of a game in progress, as plain data: copy it, compare it, hash it, store it.
//!
//! Everybody may read it. What changes it stands in this folder and nowhere else: the atoms that programs are made of
//! (`atoms`), and what lays a table before any program runs (`laying`).

mod atoms;
mod check;
mod laying;
mod memory;
mod stored;
mod zones;

pub(crate) use atoms::Counted;
pub use memory::{Number, Remembered};
pub use zones::Zones;

use crate::catalogue::{AbilityId, AskId, ClauseId, DefId, EventId, PeriodId, PlayerCounterId, ProcId, RegisterId, RoleId, VarId, ZoneId};
use crate::rng::Random;
use crate::value::{CardId, PlayerId, Value};
use memory::Has;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// More programs than any rule calls inside each other.
const MAX_FRAMES: usize = 200;

/// Zone 0 of every game holds the cards that lie on or under another card.
pub const ATTACHED: ZoneId = ZoneId::FIRST;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Card {
    pub def: DefId,
    pub owner: PlayerId,
    pub controller: PlayerId,
    pub zone: ZoneId,
    pub facedown: bool,
    /// Players who were shown this card although its zone hides it: bit 0 and bit 1.
    pub shown: u8,
    pub parent: Option<CardId>,
    pub role: RoleId,
    /// When it came into play, in the count of [`Table::serial`]: its modifiers are as old as that.
    pub since: u32,
    /// Told by what the table of a state has for it.
    #[serde(skip)]
    has: Has,
}

/// A suspended program: where it stands, and for whom it runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Frame {
    pub program: ProcId,
    /// Next instruction, counted from the start of the program.
    pub at: u32,
    /// First of its registers.
    pub base: u32,
    /// Register of the caller that takes the result.
    pub result: Option<RegisterId>,
    pub me: Option<CardId>,
    pub source: Option<CardId>,
    pub you: PlayerId,
    /// The ability it runs, for limits and for the log.
    pub ability: Option<AbilityId>,
}

/// A variable that has another value until a block ends, and the one it gets back.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Bound {
    /// How many frames there were, the one with the block with them.
    pub frames: u32,
    pub var: VarId,
    pub before: Value,
}

/// A clause that outlives the program that made it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Lasting {
    pub clause: ClauseId,
    /// The period it ends with; none for a trigger that waits for its event once.
    pub until: Option<PeriodId>,
    pub me: Option<CardId>,
    pub source: Option<CardId>,
    pub you: PlayerId,
    pub captured: Vec<Value>,
    /// When it started, in the count of [`Table::serial`].
    pub since: u32,
    /// What its source was then: cards that are shuffled become others.
    pub carrier: Option<DefId>,
}

/// A triggered ability whose event has happened and whose turn has not come.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Waiting {
    pub serial: u32,
    pub clause: ClauseId,
    pub me: Option<CardId>,
    pub source: Option<CardId>,
    pub you: PlayerId,
    pub registers: Vec<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Used {
    pub ability: AbilityId,
    pub source: Option<CardId>,
    pub period: PeriodId,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AskKind {
    /// Choose between `least` and `most` of the options.
    Pick { options: Vec<Value>, least: u16, most: u16 },
    /// A number in a closed range.
    Number { least: i32, most: i32 },
    /// Put the options in an order, first to last.
    Order { options: Vec<Value> },
}

/// What the game waits for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Ask {
    pub player: PlayerId,
    pub kind: AskKind,
    /// What belongs to it besides its options.
    pub def: AskId,
    /// Register of the top frame that takes the answer.
    pub(crate) to: RegisterId,
    /// Whether that register takes a list or one value.
    pub(crate) list: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// Indices of options; none of them is a pass.
    Pick(Vec<u16>),
    Number(i32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Status {
    Asking,
    Won(PlayerId),
    /// Over, and nobody has won.
    Drawn,
    /// Ended without a winner: a fault that could not be contained, or a game that went on for too long.
    Broken(String),
}

/// How a scenario takes chance out of a game. In a real game all of it is off.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Script {
    /// Nothing is left to chance: shuffles keep the order, and the game pauses before dice that are not given.
    pub on: bool,
    pub dice: Vec<i32>,
    /// Pause when this event is told.
    pub stop: Option<EventId>,
    pub paused: bool,
}

/// A game in progress. It reads like its [`Table`]; that is private, and there is no `DerefMut`, so that the compiler
/// keeps the promise that nothing but the atoms changes it: this can be read,
///
/// ```
/// fn answers(state: &trilogy_engine::inside::State) -> u32 {
///     state.answers
/// }
/// ```
///
/// and this cannot be written.
///
/// ```compile_fail,E0594
/// fn forget_answers(state: &mut trilogy_engine::inside::State) {
///     state.answers = 0;
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct State {
    table: Table,
}

impl std::ops::Deref for State {
    type Target = Table;
    #[inline]
    fn deref(&self) -> &Table {
        &self.table
    }
}

/// All that there is of a game in progress.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Table {
    pub cards: Vec<Card>,
    pub zones: Zones,
    /// What cards remember, in the order of cards and fields.
    pub numbers: Vec<Number>,
    pub memory: Vec<Remembered>,
    /// The counters of players: each one's for both, side by side. There are few: they are copied with the rest.
    pub tallies: SmallVec<[i32; 32]>,
    pub vars: Vec<Value>,
    pub options: SmallVec<[u8; 16]>,
    pub effects: Vec<Lasting>,
    pub waiting: Vec<Waiting>,
    pub used: Vec<Used>,
    pub frames: Vec<Frame>,
    pub registers: Vec<Value>,
    /// Variables that have another value for a while, each with the frame that has bound it.
    pub bound: SmallVec<[Bound; 3]>,
    pub ask: Option<Ask>,
    pub status: Status,
    pub random: Random,
    pub script: Script,
    pub serial: u32,
    /// Counts changes of places of cards in play and of lasting effects.
    pub changes_in_play: u32,
    pub answers: u32,
    pub faults: u16,
}

impl State {
    pub fn card(&self, card: CardId) -> &Card {
        &self.cards[card.0 as usize]
    }
    pub fn zone(&self, zone: ZoneId) -> &[CardId] {
        &self.zones[zone.index()]
    }
    /// Whether another program can be called.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.frames.len() < MAX_FRAMES
    }
    /// Who is asked.
    pub(crate) fn asked(&self) -> Option<PlayerId> {
        self.ask.as_ref().map(|ask| ask.player)
    }
    pub fn tally(&self, player: PlayerId, counter: PlayerCounterId) -> i32 {
        self.tallies[counter.index() * 2 + player.index()]
    }
    pub fn attached(&self, to: CardId, role: RoleId) -> impl Iterator<Item = CardId> + '_ {
        self.zones[0].iter().copied().filter(move |&card| {
            let card = self.card(card);
            card.parent == Some(to) && card.role == role
        })
    }

    /// The outermost card that a card lies on; the card itself where it lies on none.
    pub fn root(&self, card: CardId) -> CardId {
        let mut at = card;
        // As many steps as there are cards, so that even a damaged state has an end.
        for _ in 0..self.cards.len() {
            match self.card(at).parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        at
    }
    /// Whether a card lies on or under another one, itself or with what it lies on.
    pub(crate) fn lies_on(&self, card: CardId, on: CardId) -> bool {
        let mut at = card;
        for _ in 0..self.cards.len() {
            match self.card(at).parent {
                Some(parent) if parent == on => return true,
                Some(parent) => at = parent,
                None => return false,
            }
        }
        false
    }
    /// All cards on or under a card, and on or under those.
    pub fn all_on(&self, on: CardId) -> impl Iterator<Item = CardId> + '_ {
        self.zones[0].iter().copied().filter(move |&card| self.lies_on(card, on))
    }
}
