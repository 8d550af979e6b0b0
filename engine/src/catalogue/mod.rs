//! A compiled game: its vocabulary, its rules and its cards, as flat arenas of small nodes.
//!
//! `saga` makes a catalogue from source text; the machine only reads it. Nothing here names a game.

mod format;
mod index;
mod narrow;
mod programs;
mod reads;
mod stored;

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

    /// Whether everything that the derived tables are built from is there.
    fn is_whole(&self) -> bool {
        let clause = |id: &ClauseId| id.index() < self.clauses.len();
        let ability = |id: &AbilityId| id.index() < self.abilities.len();
        let speaks_of = |clause: &Clause| match clause.kind {
            ClauseKind::Modify { stat, .. } => stat.index() < self.stats.len(),
            ClauseKind::Permit { permission, .. } => permission.index() < self.permissions.len(),
            ClauseKind::Trigger { event, .. } => event.index() < self.events.len(),
            ClauseKind::Replace { proc, program, .. } => proc.index() < self.procs.len() && program.index() < self.procs.len(),
            ClauseKind::Grant { first, count, .. } => first.index() + count as usize <= self.abilities.len(),
        };
        self.has_order()
            && self.clauses.iter().all(speaks_of)
            && self.rule_clauses.iter().all(clause)
            && self.actions.iter().all(ability)
            && self.cards.iter().all(|card| card.clauses.iter().all(clause) && card.abilities.iter().all(ability))
    }

    /// Whether each expression is made of earlier ones: there is an end to all of them.
    fn has_order(&self) -> bool {
        let expr = |id: ExprId| id.index() < self.exprs.len();
        let args = |args: Args| (args.start as usize).checked_add(args.len as usize).is_some_and(|end| end <= self.args.len());
        let in_order = |(at, whole): (ExprId, &Expr)| {
            let has_parts = match *whole {
                Expr::Quantify(_, _, _, list) => args(list) && list.len > 0,
                Expr::Call(function, list) => args(list) && function.index() < self.functions.len(),
                Expr::May(permission, list) => args(list) && permission.index() < self.permissions.len(),
                Expr::List(list) | Expr::Native(_, list) => args(list),
                Expr::Stat(stat, _) | Expr::StatFor(stat, ..) => stat.index() < self.stats.len(),
                Expr::Number(field, _) | Expr::Field(field, _) | Expr::Truth(field, _) => field.index() < self.fields.len(),
                Expr::Fact(fact, _) => fact.index() < self.facts.len(),
                Expr::Player(player) => player.index() < self.players.len(),
                Expr::Zone(zone) => zone.index() < self.zones.len(),
                Expr::Word(word) | Expr::Is(_, word) => word.index() < self.words.len(),
                Expr::Var(var) | Expr::PlayerVar(var, _) => var.index() < self.vars.len(),
                Expr::PlayerCounter(counter, _) => counter.index() < self.player_counters.len(),
                Expr::Enum(which, _) | Expr::Members(which, _) => which.index() < self.enums.len(),
                _ => true,
            };
            let mut earlier = has_parts;
            if has_parts {
                self.parts(at, &mut |part| earlier &= part < at);
            }
            earlier
        };
        let parts = |clause: &Clause| clause.exprs().all(expr) && clause.scope.is_none_or(|scope| scope.index() < self.scopes.len());
        ExprId::all(self.exprs.len()).zip(self.exprs.iter()).all(in_order)
            && self.functions.iter().all(|function| expr(function.body))
            && self.stats.iter().all(|stat| stat.base.is_none_or(expr))
            && self.scopes.iter().all(|scope| [Some(scope.test), Some(scope.subject), scope.player].into_iter().flatten().all(expr))
            && self.clauses.iter().all(parts)
            && self.windows.iter().all(|window| window.until.is_none_or(expr))
            && self.vars.iter().all(|var| var.init.is_none_or(expr))
            && self.abilities.iter().all(|ability| {
                ability.exprs().all(expr)
                    && ability.scope.is_none_or(|scope| scope.index() < self.scopes.len())
                    && ability.program.index() < self.procs.len()
            })
            && self.ops.iter().all(|op| {
                let mut known = match *op {
                    Op::Call(program, list, _) => program.index() < self.procs.len() && args(list),
                    Op::Emit { event, args: list } => event.index() < self.events.len() && args(list),
                    Op::Replace(proc, ..) => proc.index() < self.procs.len(),
                    _ => true,
                };
                op.exprs(self, &mut |id| known &= expr(id));
                known
            })
    }
}
