//! The whole of a game in progress, as plain data: copy it, compare it, hash it, store it.

use crate::catalogue::{AskId, Catalogue, ClauseId, DefId, NO_REGISTER, ProcId};
use crate::rng::Random;
use crate::value::{CardId, PlayerId, Value, ZoneId};
use serde::{Deserialize, Serialize};

pub const COUNTERS: usize = 12;
/// Zone 0 of every game holds the cards that lie on or under another card.
pub const ATTACHED: ZoneId = ZoneId(0);

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
    pub role: u8,
    pub counters: [i16; COUNTERS],
    /// When it came into play, in the count of [`State::serial`]: its modifiers are as old as that.
    pub since: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Player {
    pub counters: [i32; COUNTERS],
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
    pub result: u8,
    pub me: Option<CardId>,
    pub source: Option<CardId>,
    pub you: PlayerId,
    /// The ability it runs, for limits and for the log.
    pub ability: Option<u16>,
}

/// A clause that outlives the program that made it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Lasting {
    pub clause: ClauseId,
    /// The period it ends with; none for a trigger that waits for its event once.
    pub until: Option<u8>,
    pub me: Option<CardId>,
    pub source: Option<CardId>,
    pub you: PlayerId,
    pub captured: Vec<Value>,
    /// When it started, in the count of [`State::serial`].
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
    pub ability: u16,
    pub source: Option<CardId>,
    pub period: u8,
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
    pub(crate) to: u8,
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
    pub stop: Option<u8>,
    pub paused: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub cards: Vec<Card>,
    pub zones: Vec<Vec<CardId>>,
    pub players: [Player; 2],
    pub vars: Vec<Value>,
    pub options: Vec<u8>,
    pub effects: Vec<Lasting>,
    pub waiting: Vec<Waiting>,
    pub used: Vec<Used>,
    pub frames: Vec<Frame>,
    pub registers: Vec<Value>,
    pub ask: Option<Ask>,
    pub status: Status,
    pub random: Random,
    pub script: Script,
    pub serial: u32,
    /// Counts changes of places of cards in play and of lasting effects.
    pub stirred: u32,
    pub answers: u32,
    pub faults: u16,
}

impl State {
    pub fn card(&self, card: CardId) -> &Card {
        &self.cards[card.0 as usize]
    }
    pub fn zone(&self, zone: ZoneId) -> &[CardId] {
        &self.zones[zone.0 as usize]
    }
    pub fn attached(&self, to: CardId, role: u8) -> impl Iterator<Item = CardId> + '_ {
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
    /// All cards on or under a card, and on or under those.
    pub fn laden(&self, on: CardId) -> impl Iterator<Item = CardId> + '_ {
        let lies_on = move |card: CardId| {
            let mut at = card;
            for _ in 0..self.cards.len() {
                match self.card(at).parent {
                    Some(parent) if parent == on => return true,
                    Some(parent) => at = parent,
                    None => return false,
                }
            }
            false
        };
        self.zones[0].iter().copied().filter(move |&card| lies_on(card))
    }

    /// The same on every machine and in every build.
    pub fn hash(&self) -> [u8; 32] {
        *blake3::hash(&self.to_bytes()).as_bytes()
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// Read a stored state, and check it against the catalogue so that no index can be out of range.
    pub fn from_bytes(catalogue: &Catalogue, bytes: &[u8]) -> Result<State, String> {
        let state: State = postcard::from_bytes(bytes).map_err(|error| format!("the stored game is damaged: {error}"))?;
        state.check(catalogue)?;
        Ok(state)
    }

    fn check(&self, catalogue: &Catalogue) -> Result<(), String> {
        let known = Known { catalogue, cards: self.cards.len() };
        let sound = self.vars.len() == catalogue.vars.len()
            && self.options.len() == catalogue.options.len()
            && self.places_hold(&known)
            && self.frames_hold(&known)
            && self.vars.iter().chain(&self.registers).all(|value| known.value(value))
            && self.effects.iter().all(|effect| {
                known.runs(effect.clause, effect.me, effect.source, effect.you) && effect.captured.iter().all(|value| known.value(value))
            })
            && self.waiting.iter().all(|waiting| {
                known.runs(waiting.clause, waiting.me, waiting.source, waiting.you)
                    && waiting.registers.iter().all(|value| known.value(value))
            })
            && self.ask.as_ref().is_none_or(|ask| self.ask_holds(&known, ask))
            && !matches!(self.status, Status::Won(player) if !known.player(player));
        if sound { Ok(()) } else { Err("the stored game does not fit this catalogue".into()) }
    }

    /// Every card exists and lies in one place, the one it names.
    fn places_hold(&self, known: &Known<'_>) -> bool {
        let mut seen = vec![false; self.cards.len()];
        let listed = self.zones.iter().enumerate().all(|(zone, cards)| {
            cards.iter().all(|&card| {
                known.card(Some(card)) && self.card(card).zone.0 as usize == zone && !std::mem::replace(&mut seen[card.0 as usize], true)
            })
        });
        listed
            && seen.iter().all(|seen| *seen)
            && self.zones.len() == known.catalogue.zones.len()
            && self.cards.iter().all(|card| {
                (card.def as usize) < known.catalogue.cards.len()
                    && known.player(card.owner)
                    && known.player(card.controller)
                    && known.card(card.parent)
            })
    }

    /// Each frame stands inside its program, and its registers lie behind those of its caller.
    fn frames_hold(&self, known: &Known<'_>) -> bool {
        let procs = &known.catalogue.procs;
        let (mut free, mut caller) = (0, 0);
        self.frames.iter().all(|frame| {
            let Some(program) = procs.get(frame.program as usize) else { return false };
            let end = procs.iter().map(|other| other.start).filter(|start| *start > program.start).min();
            let end = end.map_or(known.catalogue.ops.len(), |end| end as usize);
            let holds = (program.start as usize).saturating_add(frame.at as usize) < end
                && frame.base as usize >= free
                && (frame.result == NO_REGISTER || frame.result < caller)
                && known.card(frame.me)
                && known.card(frame.source)
                && known.player(frame.you)
                && frame.ability.is_none_or(|ability| (ability as usize) < known.catalogue.abilities.len());
            free = (frame.base as usize).saturating_add(program.registers as usize);
            caller = program.registers;
            holds && free <= self.registers.len()
        })
    }

    fn ask_holds(&self, known: &Known<'_>, ask: &Ask) -> bool {
        let top = self.frames.last().and_then(|frame| known.catalogue.procs.get(frame.program as usize));
        let asks = match &ask.kind {
            AskKind::Pick { options, least, most } => {
                least <= most && *most as usize <= options.len() && options.iter().all(|option| known.value(option))
            }
            AskKind::Number { least, most } => least <= most,
            AskKind::Order { options } => options.iter().all(|option| known.value(option)),
        };
        asks && known.player(ask.player)
            && (ask.def as usize) < known.catalogue.asks.len()
            && top.is_some_and(|program| ask.to < program.registers)
    }
}

/// What a stored game may speak of.
struct Known<'a> {
    catalogue: &'a Catalogue,
    cards: usize,
}

impl Known<'_> {
    fn card(&self, card: Option<CardId>) -> bool {
        card.is_none_or(|card| (card.0 as usize) < self.cards)
    }
    fn player(&self, player: PlayerId) -> bool {
        player.0 < 2
    }
    fn runs(&self, clause: ClauseId, me: Option<CardId>, source: Option<CardId>, you: PlayerId) -> bool {
        (clause as usize) < self.catalogue.clauses.len() && self.card(me) && self.card(source) && self.player(you)
    }
    fn value(&self, value: &Value) -> bool {
        match value {
            Value::None | Value::Num(_) | Value::Bool(_) | Value::Trigger(_) => true,
            Value::Card(card) => self.card(Some(*card)),
            Value::Player(player) => self.player(*player),
            Value::Zone(zone) => (zone.0 as usize) < self.catalogue.zones.len(),
            Value::Word(word) => (word.0 as usize) < self.catalogue.words.len(),
            Value::Text(text) => (*text as usize) < self.catalogue.texts.len(),
            Value::Move(chosen) => {
                (chosen.ability as usize) < self.catalogue.abilities.len()
                    && self.player(chosen.player)
                    && chosen.cards().all(|card| self.card(Some(card)))
            }
            Value::List(items) => items.iter().all(|item| self.value(item)),
        }
    }
}
