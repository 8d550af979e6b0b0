//! A compiled game: its vocabulary, its rules and its cards, as flat arenas of small nodes.
//!
//! `saga` makes a catalogue from source text; the machine only reads it. Nothing here names a game.

mod format;
mod index;
mod narrow;
mod programs;
mod reads;
mod stored;
mod whole;

pub use format::*;
pub use index::Index;
pub(crate) use index::{Speaks, Start, Tables};
pub(crate) use narrow::Within;
pub use programs::*;
pub use reads::Reads;
pub use stored::{FORMAT, Head, MEANING, READ_FORMATS, READ_MEANINGS, Unreadable, with_true_hash};

use crate::bits::BitSet;
pub use crate::ids::*;
use crate::value::PlayerId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A run of nodes in [`Catalogue::args`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Args {
    pub start: u32,
    pub len: u32,
}

/// A compiled game: what it holds, its expressions, and the tables that the machine looks things up in. It reads like its [`Contents`].
/// Copies share what they hold until one of them is changed: a game among certain cards ([`Catalogue::among`]) is the same with other
/// tables.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Catalogue {
    contents: Arc<Contents>,
    pub exprs: Arc<Vec<Expr>>,
    pub index: Index,
    /// The only cards that it serves for, and the game among all cards, where it is one among certain cards.
    among: Option<(BitSet, Arc<Catalogue>)>,
}

impl std::ops::Deref for Catalogue {
    type Target = Contents;
    #[inline]
    fn deref(&self) -> &Contents {
        &self.contents
    }
}

impl std::ops::DerefMut for Catalogue {
    fn deref_mut(&mut self) -> &mut Contents {
        Arc::make_mut(&mut self.contents)
    }
}

/// A catalogue without expressions.
impl From<Contents> for Catalogue {
    fn from(contents: Contents) -> Catalogue {
        let mut catalogue = Catalogue { contents: Arc::new(contents), ..Catalogue::default() };
        catalogue.build_index();
        catalogue
    }
}

/// What a compiled game holds, besides its expressions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Contents {
    pub game: String,
    pub title: String,
    /// Hash of what it means ([`Catalogue::seal`]); a journal names it.
    #[serde(skip)]
    pub hash: [u8; 32],
    pub players: Vec<String>,
    pub words: Vec<String>,
    pub enums: Vec<EnumDef>,
    pub zones: Vec<ZoneDef>,
    /// What cards remember and count.
    pub fields: Vec<FieldDef>,
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
    /// Where each rule id is cited by a program: `(cite, place)`. It is not part of what the catalogue means.
    #[serde(skip)]
    pub cited_at: Vec<(CiteId, String)>,
    pub rule_clauses: Vec<ClauseId>,
    pub actions: Vec<AbilityId>,
    pub deck_rules: Vec<Require>,
    pub values: ValuePolicy,
    pub main: ProcId,
    /// Zone that cards of a deck start in, for player 0 and 1.
    pub deck_zones: Vec<ZoneId>,
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

impl Contents {
    pub fn def(&self, def: DefId) -> &CardDef {
        &self.cards[def.index()]
    }
    /// A window by its number, as values have it.
    pub fn window(&self, number: i32) -> Option<WindowId> {
        let place = usize::try_from(number).ok().filter(|place| *place < self.windows.len())?;
        WindowId::new(place).ok()
    }
    pub fn slice(&self, args: Args) -> &[ExprId] {
        &self.args[args.start as usize..args.start as usize + args.len as usize]
    }
    pub fn word(&self, word: WordId) -> &str {
        &self.words[word.index()]
    }
    pub fn cite(&self, cite: Option<CiteId>) -> &str {
        cite.map_or("", |cite| &self.cites[cite.index()])
    }
    pub fn clause(&self, clause: ClauseId) -> &Clause {
        &self.clauses[clause.index()]
    }
    pub fn ability(&self, ability: AbilityId) -> &Ability {
        &self.abilities[ability.index()]
    }

    // ---- by name ----

    pub fn stat(&self, name: &str) -> Option<StatId> {
        StatId::new(self.stats.iter().position(|known| known.name == name)?).ok()
    }
    /// A counter or field of cards.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        FieldId::new(self.fields.iter().position(|known| known.name == name)?).ok()
    }
    pub fn player_counter(&self, name: &str) -> Option<PlayerCounterId> {
        PlayerCounterId::new(self.player_counters.iter().position(|known| known.name == name)?).ok()
    }
    pub fn role(&self, name: &str) -> Option<RoleId> {
        RoleId::new(self.roles.iter().position(|known| known.name == name)?).ok()
    }
    pub fn word_named(&self, name: &str) -> Option<WordId> {
        WordId::new(self.words.iter().position(|known| known == name)?).ok()
    }
    /// A zone of a player, or of nobody.
    pub fn zone(&self, name: &str, player: Option<PlayerId>) -> Option<ZoneId> {
        ZoneId::new(self.zones.iter().position(|known| known.name == name && known.player == player)?).ok()
    }
}

impl Catalogue {
    /// A card by its key, of those that this game is among.
    pub fn card(&self, key: &str) -> Option<DefId> {
        let def = *self.index.keys.get(key)?;
        self.among.as_ref().is_none_or(|(among, _)| among.has(def.index())).then_some(def)
    }
    /// The game among all cards.
    pub(crate) fn whole(&self) -> &Catalogue {
        self.among.as_ref().map_or(self, |(_, whole)| whole)
    }
}
