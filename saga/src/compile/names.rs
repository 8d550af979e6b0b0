//! What the names of a game stand for.

use super::printings::Needs;
use crate::ast::{self, Ability, Item, Text};
use crate::types::Ty;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use trilogy_engine::catalogue::*;

#[derive(Clone)]
pub(crate) struct Callee<T> {
    pub id: T,
    pub params: Vec<(String, Ty)>,
    pub result: Ty,
    pub returns: bool,
    pub says: Option<Text>,
}

/// What a definition does, for texts that tell it.
pub(crate) struct Meaning {
    pub name: ast::Name,
    pub params: Vec<(String, Ty)>,
    pub does: Does,
}

pub(crate) enum Does {
    /// With names of its parts, each over those before it.
    Value(ast::Expr, Vec<(ast::Name, ast::Expr)>),
    Program(Vec<ast::Stmt>),
}

#[derive(Clone)]
pub(crate) struct NounDef {
    /// Words behind which it goes unsaid.
    pub unsaid: Vec<String>,
    pub singular: String,
    pub plural: String,
    pub from: FunctionId,
    pub test: FunctionId,
}

#[derive(Clone)]
pub(crate) struct CostDef {
    pub program: Callee<ProcId>,
    pub requires: Vec<(FunctionId, Text, Option<CiteId>)>,
}

/// When a program could change something: a function over its parameters, none where it always could.
#[derive(Clone)]
pub(crate) struct CouldDef {
    pub function: Option<String>,
    pub reason: Text,
    pub cite: Option<CiteId>,
}

#[derive(Clone)]
pub(crate) struct PermissionNames {
    pub id: PermissionId,
    pub params: Vec<(String, Ty)>,
    pub says: Text,
}

#[derive(Clone)]
pub(crate) struct TemplateDef {
    pub params: Vec<(String, Ty)>,
    pub says: Option<Text>,
    pub body: Vec<Ability>,
}

/// What the parameters of templates and costs stand for. An argument is read where it was written:
/// it may use the same names for something else.
pub(crate) type Aliases = Arc<HashMap<String, Alias>>;

#[derive(Clone)]
pub(crate) struct Alias {
    pub argument: ast::Expr,
    pub outside: Aliases,
}

/// What names stand for inside a template or cost that is given these arguments.
pub(crate) fn with_arguments(outside: &Aliases, params: &[(String, Ty)], args: &[ast::Expr]) -> Aliases {
    let mut inside = HashMap::clone(outside);
    for ((name, _), argument) in params.iter().zip(args) {
        inside.insert(name.clone(), Alias { argument: argument.clone(), outside: outside.clone() });
    }
    Arc::new(inside)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    Card,
    Player,
}

/// What a card or a player counts or remembers.
#[derive(Clone, Copy)]
pub(crate) enum Held {
    /// A counter of a card: a number.
    Counter(FieldId),
    Field(FieldId, Ty),
    PlayerCounter(PlayerCounterId),
    /// The first player's variable, the second's is the next.
    PlayerVar(VarId, Ty),
}

impl Held {
    pub(crate) fn holder(self) -> Holder {
        match self {
            Held::Counter(_) | Held::Field(..) => Holder::Card,
            Held::PlayerCounter(_) | Held::PlayerVar(..) => Holder::Player,
        }
    }
    pub(crate) fn ty(self) -> Ty {
        match self {
            Held::Counter(_) | Held::PlayerCounter(_) => Ty::Num,
            Held::Field(_, ty) | Held::PlayerVar(_, ty) => ty,
        }
    }
}

/// Something that tells cards of one title apart.
#[derive(Clone, Copy)]
pub(crate) struct Apart {
    /// The enumeration; none for the set it is printed in.
    pub by: Option<EnumId>,
    /// Only where a title is shared.
    pub when_shared: bool,
}

/// All names of a game, by what they name.
#[derive(Clone, Default)]
pub(crate) struct Names {
    pub players: HashMap<String, u8>,
    pub words: HashMap<String, WordId>,
    pub enums: HashMap<String, EnumId>,
    /// What cards call themselves, by one of their words.
    pub calls: Vec<(String, String)>,
    pub zones: HashMap<String, (ZoneKindId, bool)>,
    /// What cards and players count and remember.
    pub held: HashMap<String, Held>,
    pub stats: HashMap<String, (StatId, Holder)>,
    /// Values for something: what it is called and its type.
    pub stat_params: HashMap<String, (String, Ty)>,
    /// What tells cards of one title apart, in this order.
    pub apart: Vec<Apart>,
    pub facts: HashMap<String, (FactId, bool)>,
    pub needs: Vec<Needs>,
    /// Where cards with a word come to lie.
    pub lies: HashMap<WordId, Vec<ZoneKindId>>,
    pub vars: HashMap<String, (VarId, Ty)>,
    pub periods: HashMap<String, PeriodId>,
    pub roles: HashMap<String, RoleId>,
    pub classes: HashMap<String, ClassId>,
    pub options: HashMap<String, OptionId>,
    pub events: HashMap<String, (EventId, Vec<(String, Ty)>)>,
    pub windows: HashMap<String, WindowId>,
    pub scopes: HashMap<String, ScopeId>,
    pub scope_english: HashMap<String, String>,
    /// What `self` is called in a scope where it is another card.
    pub scope_own: HashMap<String, String>,
    /// What counters are called, and whether they are marks: a card has one or not.
    pub counters: HashMap<String, (String, bool)>,
    pub var_english: HashMap<String, String>,
    pub zone_english: HashMap<String, String>,
    pub stat_english: HashMap<String, String>,
    /// The log text of each event, with the holes by name.
    pub event_english: HashMap<String, String>,
    pub word_english: HashMap<String, String>,
    /// Words that are names and take no article.
    pub proper: BTreeSet<String>,
    pub proper_enums: BTreeSet<String>,
    /// Words that need no noun, and their enumerations.
    pub alone: BTreeSet<String>,
    pub alone_enums: BTreeSet<String>,
    pub predicates: BTreeSet<String>,
    /// Values that stand in the text of a card, with a number or without.
    pub keywords: BTreeSet<String>,
    pub timings: HashMap<String, Item>,
    pub kinds: HashMap<String, ast::ItemKind>,
    pub costs: HashMap<String, CostDef>,
    pub permissions: HashMap<String, PermissionNames>,
    pub nouns: HashMap<String, NounDef>,
    pub adjectives: HashMap<String, (FunctionId, String)>,
    pub functions: HashMap<String, Callee<FunctionId>>,
    /// Where functions that give cards, and nouns (as `nouns NAME`), take them from.
    pub lists: HashMap<String, Arc<ast::Expr>>,
    pub procs: HashMap<String, Callee<ProcId>>,
    pub coulds: HashMap<String, CouldDef>,
    pub templates: HashMap<String, TemplateDef>,
    /// Programs that something else may be done instead of, with what is said of them then.
    pub woulds: HashMap<String, Text>,
    /// What cards own and give no English: their texts tell what it does.
    pub told: HashMap<String, Arc<Meaning>>,
    /// Whether anything repeats the effects of moves.
    pub repeats: bool,
}

impl Names {
    /// The noun of a phrase: the one it names, or the game's noun `anything`.
    pub(crate) fn phrase_noun(&self, phrase: &ast::Phrase) -> Option<&NounDef> {
        let named = phrase.words.iter().find_map(|word| match word {
            ast::PhraseWord::Is(name) => self.nouns.get(&name.text),
            _ => None,
        });
        named.or_else(|| self.nouns.get("anything"))
    }
}

/// The name of a thing with its underscores as spaces.
pub(crate) fn spaced(name: &str) -> String {
    let name = crate::own::plain_name(name);
    name.replace('_', " ")
}
