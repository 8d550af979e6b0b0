//! What the names of a game stand for.

use crate::ast::{self, Ability, Item, Text};
use crate::types::Ty;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use trilogy_engine::catalogue::CiteId;
use trilogy_engine::value::WordId;

#[derive(Clone)]
pub(crate) struct Callee {
    pub id: u16,
    pub params: Vec<(String, Ty)>,
    pub result: Ty,
    pub returns: bool,
    pub says: Option<Text>,
}

#[derive(Clone)]
pub(crate) struct NounDef {
    pub singular: String,
    pub plural: String,
    pub from: u16,
    pub test: u16,
}

#[derive(Clone)]
pub(crate) struct CostDef {
    pub program: Callee,
    pub requires: Vec<(u16, Text, Option<CiteId>)>,
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
    pub id: u8,
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

/// All names of a game, by what they name.
#[derive(Clone, Default)]
pub(crate) struct Names {
    pub players: HashMap<String, u8>,
    pub words: HashMap<String, WordId>,
    pub enums: HashMap<String, u8>,
    /// What cards call themselves, by one of their words.
    pub calls: Vec<(String, String)>,
    pub zones: HashMap<String, (u8, bool)>,
    pub counters: HashMap<String, (u8, Holder)>,
    pub stats: HashMap<String, (u8, Holder)>,
    /// Values for something: what it is called and its type.
    pub stat_params: HashMap<String, (String, Ty)>,
    /// The enumeration that tells cards of one title apart, and whether only where it is needed.
    pub apart: Option<(u8, bool)>,
    pub facts: HashMap<String, (u8, bool)>,
    pub vars: HashMap<String, (u8, Ty)>,
    pub periods: HashMap<String, u8>,
    pub roles: HashMap<String, u8>,
    pub classes: HashMap<String, u8>,
    pub options: HashMap<String, u8>,
    pub events: HashMap<String, (u8, Vec<(String, Ty)>)>,
    pub windows: HashMap<String, u8>,
    pub scopes: HashMap<String, u8>,
    pub scope_english: HashMap<String, String>,
    /// What `self` is called in a scope where it is another card.
    pub scope_own: HashMap<String, String>,
    pub var_english: HashMap<String, String>,
    pub zone_english: HashMap<String, String>,
    pub stat_english: HashMap<String, String>,
    /// The log text of each event, with the holes by name.
    pub event_english: HashMap<String, String>,
    pub word_english: HashMap<String, String>,
    /// Words that are names and take no article.
    pub proper: BTreeSet<String>,
    pub predicates: BTreeSet<String>,
    /// Values that stand in the text of a card, with a number or without.
    pub keywords: BTreeSet<String>,
    pub timings: HashMap<String, Item>,
    pub kinds: HashMap<String, ast::ItemKind>,
    pub costs: HashMap<String, CostDef>,
    pub permissions: HashMap<String, PermissionNames>,
    pub nouns: HashMap<String, NounDef>,
    pub adjectives: HashMap<String, (u16, String)>,
    pub functions: HashMap<String, Callee>,
    pub procs: HashMap<String, Callee>,
    pub coulds: HashMap<String, CouldDef>,
    pub templates: HashMap<String, TemplateDef>,
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
    name.replace('_', " ")
}
