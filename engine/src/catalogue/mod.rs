//! A compiled game: its vocabulary, its rules and its cards, as flat arenas of small nodes.
//!
//! `saga` makes a catalogue from source text; the machine only reads it. Nothing here names a game.

mod format;
mod index;
mod programs;
mod reads;

pub use format::*;
pub use index::{Index, Masks};
pub use programs::*;
pub use reads::Reads;

use crate::value::WordId;
use serde::{Deserialize, Serialize};

pub type ExprId = u32;
pub type TextId = u32;
pub type AskId = u16;
pub type ProcId = u16;
pub type ClauseId = u16;
pub type DefId = u16;
pub type CiteId = u16;

/// A run of nodes in [`Catalogue::args`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Args {
    pub start: u32,
    pub len: u8,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Catalogue {
    pub game: String,
    pub title: String,
    /// Hash of the sources this was compiled from; a journal names it.
    pub hash: [u8; 32],
    pub players: Vec<String>,
    pub words: Vec<String>,
    pub enums: Vec<EnumDef>,
    pub zones: Vec<ZoneDef>,
    pub card_counters: Vec<CounterDef>,
    pub player_counters: Vec<CounterDef>,
    pub facts: Vec<String>,
    pub stats: Vec<StatDef>,
    pub vars: Vec<VarDef>,
    pub periods: Vec<String>,
    pub roles: Vec<RoleDef>,
    pub options: Vec<OptionDef>,
    pub events: Vec<EventDef>,
    pub windows: Vec<WindowDef>,
    pub scopes: Vec<ScopeDef>,
    pub permissions: Vec<PermissionDef>,
    pub exprs: Vec<Expr>,
    pub args: Vec<ExprId>,
    pub functions: Vec<Function>,
    pub ops: Vec<Op>,
    pub procs: Vec<Proc>,
    pub clauses: Vec<Clause>,
    pub abilities: Vec<Ability>,
    pub texts: Vec<Text>,
    pub asks: Vec<AskDef>,
    pub cards: Vec<CardDef>,
    /// Rule ids, each once; [`CiteId`] points here.
    pub cites: Vec<String>,
    /// Where each rule id is cited by a program: `(cite, place)`.
    pub cited_at: Vec<(CiteId, String)>,
    pub rule_clauses: Vec<ClauseId>,
    pub actions: Vec<u16>,
    pub deck_rules: Vec<Require>,
    pub values: ValuePolicy,
    pub main: ProcId,
    /// Zone that cards of a deck start in, for player 0 and 1.
    pub deck_zones: Vec<u8>,
    #[serde(skip)]
    pub index: Index,
}

/// How the modifiers of a value combine; each game has its own order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum ValuePolicy {
    /// In the order in which they came about; a set value starts anew.
    #[default]
    TimeOrder,
    /// All additions, then multiplications; a set value overrides them.
    AddMultiplySet,
}

impl Catalogue {
    pub fn card(&self, key: &str) -> Option<DefId> {
        self.cards.iter().position(|card| card.key == key).map(|at| at as DefId)
    }
    pub fn masks(&self, def: DefId) -> &Masks {
        &self.index.masks[def as usize]
    }
    pub fn def(&self, def: DefId) -> &CardDef {
        &self.cards[def as usize]
    }
    pub fn slice(&self, args: Args) -> &[ExprId] {
        &self.args[args.start as usize..args.start as usize + args.len as usize]
    }
    pub fn word(&self, word: WordId) -> &str {
        &self.words[word.0 as usize]
    }
    pub fn cite(&self, cite: Option<CiteId>) -> &str {
        cite.map_or("", |cite| &self.cites[cite as usize])
    }
    pub fn clause(&self, clause: ClauseId) -> &Clause {
        &self.clauses[clause as usize]
    }
    pub fn ability(&self, ability: u16) -> &Ability {
        &self.abilities[ability as usize]
    }

    /// Whether everything that the derived tables are built from is there.
    fn is_whole(&self) -> bool {
        let clause = |id: &ClauseId| (*id as usize) < self.clauses.len();
        let ability = |id: &u16| (*id as usize) < self.abilities.len();
        let speaks_of = |clause: &Clause| match clause.kind {
            ClauseKind::Modify { stat, .. } => (stat as usize) < self.stats.len(),
            ClauseKind::Permit { permission, .. } => (permission as usize) < self.permissions.len(),
            ClauseKind::Trigger { event, .. } => (event as usize) < self.events.len(),
        };
        self.clauses.iter().all(speaks_of)
            && self.rule_clauses.iter().all(clause)
            && self.actions.iter().all(ability)
            && self.cards.iter().all(|card| card.clauses.iter().all(clause) && card.abilities.iter().all(ability))
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Catalogue, String> {
        let mut catalogue: Catalogue =
            postcard::from_bytes(bytes).map_err(|error| format!("the compiled catalogue is damaged: {error}"))?;
        if !catalogue.is_whole() {
            return Err("the compiled catalogue is damaged: parts of it are missing".into());
        }
        catalogue.build_index();
        Ok(catalogue)
    }
}
