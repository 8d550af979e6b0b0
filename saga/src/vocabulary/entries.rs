//! What an item brings into the vocabulary.

use super::{Entry, Sort};
use crate::ast::{Item, ItemKind, Name, Param, StatBase, Text};
use crate::compile::spaced;
use crate::own::{plain_message, plain_name};

/// The names that an item declares; where they stand and what is said above them is filled in by who knows the file.
pub(super) fn of(item: &Item) -> Vec<Entry> {
    let new = |sort: Sort, name: &Name| Entry { rules: rules(item), ..named(sort, name) };
    let all = |sort: Sort, names: &[Name]| names.iter().map(|name| Entry { english: spaced(&name.text), ..new(sort, name) }).collect();
    let one = match &item.kind {
        ItemKind::Words(words) => return all(Sort::Word, words),
        ItemKind::Periods(names) => return all(Sort::Period, names),
        ItemKind::Classes(names) => return all(Sort::Class, names),
        ItemKind::Players(names) => return all(Sort::Player, names),
        ItemKind::Roles(roles) => {
            let role = |(name, english): &(Name, Option<String>)| Entry {
                english: english.clone().unwrap_or_else(|| "on".into()),
                ..new(Sort::Role, name)
            };
            return roles.iter().map(role).collect();
        }
        ItemKind::Enum { name, also, members, .. } => {
            let member = |member: &Name| Entry { of: Some(name.text.clone()), english: spaced(&member.text), ..new(Sort::Member, member) };
            let mut found: Vec<Entry> = members.iter().map(member).collect();
            found.extend((!also).then(|| Entry {
                english: spaced(&name.text),
                of: Some("card".into()),
                gives: Some("word".into()),
                ..new(Sort::Enumeration, name)
            }));
            return found;
        }
        ItemKind::Zone { name, english, of_player, .. } => Entry {
            english: or_spaced(english.as_ref(), name),
            of: of_player.then(|| "player".into()),
            gives: Some("zone".into()),
            ..new(Sort::Zone, name)
        },
        ItemKind::Counter { name, english, of_player, .. } => Entry {
            english: english.clone().unwrap_or_default(),
            of: holder(*of_player),
            gives: Some("num".into()),
            ..new(Sort::Counter, name)
        },
        ItemKind::Field { name, ty, .. } => Entry { of: holder(false), gives: Some(ty.text.clone()), ..new(Sort::Field, name) },
        ItemKind::Stat { name, english, of_player, what, base, .. } => Entry {
            english: or_spaced(english.as_ref(), name),
            of: holder(*of_player),
            params: params(what.as_slice()),
            gives: Some(value_type(base).into()),
            ..new(Sort::Value, name)
        },
        ItemKind::Var { name, english, of_player, ty, .. } => Entry {
            english: english.clone().unwrap_or_default(),
            of: of_player.then(|| "player".into()),
            gives: Some(ty.text.clone()),
            ..new(Sort::Variable, name)
        },
        ItemKind::Option { name, doc, choices } => {
            let choices = choices.iter().map(|choice| (choice.text.clone(), String::new()));
            Entry { english: doc.clone(), params: choices.collect(), ..new(Sort::Option, name) }
        }
        ItemKind::Event { name, params: own, says, .. } => {
            Entry { english: text(says.as_ref()), params: params(own), ..new(Sort::Event, name) }
        }
        ItemKind::Window { name, english, .. } => Entry { english: english.clone(), ..new(Sort::Window, name) },
        ItemKind::Scope { name, says, .. } => Entry { english: says.clone(), ..new(Sort::Scope, name) },
        ItemKind::Timing { name, params: own, says, .. } => {
            let own: Vec<Param> = own.iter().map(|(param, _)| param.clone()).collect();
            Entry { english: says.clone(), params: params(&own), ..new(Sort::Timing, name) }
        }
        ItemKind::Kind { name, says, .. } => Entry { english: says.clone(), ..new(Sort::Kind, name) },
        ItemKind::Cost { name, params: own, ty, says, .. } => {
            Entry { english: says.text.clone(), params: params(own), gives: ty.as_ref().map(|ty| ty.text.clone()), ..new(Sort::Cost, name) }
        }
        ItemKind::Permission { name, params: own, says } => {
            Entry { english: says.text.clone(), params: params(own), ..new(Sort::Permission, name) }
        }
        ItemKind::Noun { name, plural, english, .. } => {
            let english = english
                .as_ref()
                .map_or_else(|| format!("{} / {}", spaced(&name.text), spaced(&plural.text)), |(one, many)| format!("{one} / {many}"));
            Entry {
                english,
                plural: Some(plain_name(&plural.text).to_string()),
                keys: vec![name.text.clone(), plural.text.clone()],
                ..new(Sort::Noun, name)
            }
        }
        ItemKind::Adjective { name, english, .. } => Entry { english: or_spaced(english.as_ref(), name), ..new(Sort::Adjective, name) },
        ItemKind::Def { name, params: own, ty, says, .. } => {
            Entry { english: text(says.as_ref()), params: params(own), gives: Some(ty.text.clone()), ..new(Sort::Function, name) }
        }
        ItemKind::Proc { name, params: own, ty, says, .. } => {
            let sort = if says.as_ref().is_some_and(|says| !says.text.is_empty()) { Sort::Verb } else { Sort::Program };
            Entry { english: text(says.as_ref()), params: params(own), gives: ty.as_ref().map(|ty| ty.text.clone()), ..new(sort, name) }
        }
        ItemKind::Action(action) => {
            let cards = action.params.iter().map(|card| (card.text.clone(), "card".into()));
            Entry { english: action.label.text.clone(), params: cards.collect(), ..new(Sort::Action, &action.name) }
        }
        ItemKind::Template { name, params: own, says, .. } => {
            Entry { english: text(says.as_ref()), params: params(own), ..new(Sort::Template, name) }
        }
        ItemKind::Game { .. }
        | ItemKind::Values(_)
        | ItemKind::Calls { .. }
        | ItemKind::Spelled { .. }
        | ItemKind::Apart(_)
        | ItemKind::Needs { .. }
        | ItemKind::Lies { .. }
        | ItemKind::Rule(_)
        | ItemKind::Deck(_)
        | ItemKind::Card(_) => return Vec::new(),
    };
    // Texts of what a card owns speak of it under the names that everybody has for it.
    vec![Entry { english: plain_message(&one.english), ..one }]
}

fn named(sort: Sort, name: &Name) -> Entry {
    Entry {
        name: plain_name(&name.text).to_string(),
        keys: vec![name.text.clone()],
        owner: None,
        set: None,
        plural: None,
        sort,
        of: None,
        params: Vec::new(),
        gives: None,
        english: String::new(),
        meaning: String::new(),
        rules: Vec::new(),
        file: String::new(),
        line: 0,
        lines: 0,
        cards: Vec::new(),
        uses: 0,
        span: name.span,
    }
}

fn rules(item: &Item) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    for cite in &item.cites {
        if !rules.contains(&cite.text) {
            rules.push(cite.text.clone());
        }
    }
    rules
}

fn params(params: &[Param]) -> Vec<(String, String)> {
    params.iter().map(|param| (param.name.text.clone(), param.ty.text.clone())).collect()
}

fn text(says: Option<&Text>) -> String {
    says.map_or_else(String::new, |says| says.text.clone())
}

fn or_spaced(english: Option<&String>, name: &Name) -> String {
    english.cloned().unwrap_or_else(|| spaced(&name.text))
}

fn holder(of_player: bool) -> Option<String> {
    Some(if of_player { "player" } else { "card" }.into())
}

/// A keyword without a number and what holds or not are asked for like truths.
fn value_type(base: &StatBase) -> &'static str {
    match base {
        StatBase::Flag | StatBase::Predicate => "bool",
        StatBase::Printed | StatBase::Icon | StatBase::Keyword | StatBase::Plain | StatBase::Computed(_) => "num",
    }
}
