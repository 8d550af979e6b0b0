//! Declarations: every name gets its place before any body is compiled.

use super::Compiler;
use super::names::{Callee, CostDef, Holder, Names, NounDef, PermissionNames, TemplateDef, spaced};
use crate::ast::{CounterTrait, Item, ItemKind, Name, Param, StatBase, Text};
use crate::diagnostics::{Span, place};
use crate::holes;
use crate::types::Ty;
use std::collections::{BTreeMap, HashMap};
use trilogy_engine::catalogue::{
    CounterDef, EnumDef, EventDef, Function, OptionDef, PermissionDef, Proc, ProcId, RoleDef, ScopeDef, Sight, StatDef, ValuePolicy,
    VarDef, WindowDef, ZoneDef,
};
use trilogy_engine::state::COUNTERS;
use trilogy_engine::value::{PlayerId, WordId};

/// Where each name of a sort was declared first.
pub(super) type Seen = BTreeMap<(&'static str, String), Span>;

impl Compiler {
    pub(super) fn declare(&mut self, item: &Item, seen: &mut Seen) {
        if let Some((what, name)) = single_name(&item.kind) {
            self.once(seen, what, name);
        }
        match &item.kind {
            ItemKind::Game { name, title } => {
                self.once(seen, "game", &Name { text: String::new(), span: name.span });
                self.out.game = name.text.clone();
                self.out.title = title.clone();
            }
            ItemKind::Players(players) => self.declare_players(players, item.span, seen),
            ItemKind::Values(policy) => match policy.text.as_str() {
                "time_order" => self.out.values = ValuePolicy::TimeOrder,
                "add_multiply_set" => self.out.values = ValuePolicy::AddMultiplySet,
                _ => self.fail(policy.span, "values combine as `time_order` or `add_multiply_set`"),
            },
            ItemKind::Words(words) => words.iter().for_each(|word| {
                self.word(&word.text);
            }),
            ItemKind::Periods(names) => self.declare_list(names, "period", seen, |n| &mut n.periods),
            ItemKind::Roles(roles) => self.declare_roles(roles, seen),
            ItemKind::Classes(names) => self.declare_list(names, "class", seen, |n| &mut n.classes),
            ItemKind::Enum { name, proper, members } => self.declare_enum(name, *proper, members),
            ItemKind::Zone { name, english, of_player, traits } => self.declare_zone(name, english.as_deref(), *of_player, traits),
            ItemKind::Counter { name, english, of_player, traits } => self.declare_counter(name, english.clone(), *of_player, traits),
            ItemKind::Stat { name, english, of_player, what, base, .. } => {
                self.declare_stat(name, english.clone(), *of_player, what.as_ref(), base);
            }
            ItemKind::Var { shown, name, english, ty, .. } => self.declare_var(*shown, name, english.as_ref(), ty),
            ItemKind::Option { name, doc, choices } => self.declare_option(name, doc, choices),
            ItemKind::Event { name, params, quiet, says } => self.declare_event(name, params, *quiet, says.as_ref()),
            ItemKind::Window { name, english, .. } => self.declare_window(name, english),
            ItemKind::Scope { name, says, own, .. } => self.declare_scope(name, says, own.as_ref()),
            ItemKind::Timing { name, .. } => {
                self.names.timings.insert(name.text.clone(), item.clone());
            }
            ItemKind::Kind { name, .. } => {
                self.names.kinds.insert(name.text.clone(), item.kind.clone());
            }
            ItemKind::Permission { name, params, says } => self.declare_permission(name, params, says),
            ItemKind::Template { name, params, says, body } => {
                let types = self.param_types(params);
                self.names.templates.insert(name.text.clone(), TemplateDef { params: types, says: says.clone(), body: body.clone() });
            }
            ItemKind::Card(card) => {
                self.card_name(&card.title.text);
            }
            ItemKind::Spelled { word, says } => {
                self.names.word_english.insert(word.text.clone(), says.clone());
            }
            ItemKind::Calls { says, words } => self.names.calls.extend(words.iter().map(|word| (word.text.clone(), says.clone()))),
            ItemKind::Cost { .. }
            | ItemKind::Noun { .. }
            | ItemKind::Adjective { .. }
            | ItemKind::Def { .. }
            | ItemKind::Proc { .. }
            | ItemKind::Action(_)
            | ItemKind::Rule(_)
            | ItemKind::Deck(_)
            | ItemKind::Apart { .. } => {}
        }
    }

    fn declare_players(&mut self, players: &[Name], span: Span, seen: &mut Seen) {
        if players.len() != 2 {
            self.fail(span, "a game has two players");
        }
        for player in players {
            self.once(seen, "player", player);
            self.names.players.insert(player.text.clone(), self.out.players.len() as u8);
            self.out.players.push(player.text.clone());
        }
    }

    fn declare_roles(&mut self, roles: &[(Name, Option<String>)], seen: &mut Seen) {
        for (name, english) in roles {
            self.once(seen, "role", name);
            self.names.roles.insert(name.text.clone(), self.out.roles.len() as u8);
            let english = english.clone().unwrap_or_else(|| "on".into());
            self.out.roles.push(RoleDef { name: name.text.clone(), english });
        }
    }

    fn declare_list(&mut self, names: &[Name], what: &'static str, seen: &mut Seen, list: impl Fn(&mut Names) -> &mut HashMap<String, u8>) {
        for name in names {
            self.once(seen, what, name);
            let at = list(&mut self.names).len() as u8;
            list(&mut self.names).insert(name.text.clone(), at);
            if what == "period" {
                self.out.periods.push(name.text.clone());
            }
        }
    }

    fn declare_enum(&mut self, name: &Name, proper: bool, members: &[Name]) {
        if proper {
            self.names.proper.extend(members.iter().map(|member| member.text.clone()));
        }
        self.names.enums.insert(name.text.clone(), self.out.enums.len() as u8);
        let members = members.iter().map(|member| self.word(&member.text)).collect();
        self.out.enums.push(EnumDef { name: name.text.clone(), members });
    }

    fn declare_zone(&mut self, name: &Name, english: Option<&str>, of_player: bool, traits: &[Name]) {
        let kind = self.names.zones.len() as u8;
        self.names.zones.insert(name.text.clone(), (kind, of_player));
        let english = english.map_or_else(|| spaced(&name.text), String::from);
        self.names.zone_english.insert(name.text.clone(), english.clone());
        let has = |word: &str| traits.iter().any(|one| one.text == word);
        let known = ["deck", "hidden", "private", "top", "down_hidden", "down_private", "live", "acts", "counted"];
        for one in traits {
            if !known.contains(&one.text.as_str()) {
                self.fail_near(one.span, format!("`{}` is no trait of a zone", one.text), &one.text, known);
            }
        }
        let up = if has("hidden") {
            Sight::Nobody
        } else if has("private") {
            Sight::Owner
        } else if has("top") {
            Sight::Top
        } else {
            Sight::All
        };
        let down = if has("hidden") || has("down_hidden") { Sight::Nobody } else { Sight::Owner };
        let players: Vec<Option<PlayerId>> = if of_player { vec![Some(PlayerId(0)), Some(PlayerId(1))] } else { vec![None] };
        for player in players {
            if has("deck") {
                self.out.deck_zones.push(self.out.zones.len() as u8);
            }
            self.out.zones.push(ZoneDef {
                name: name.text.clone(),
                english: english.clone(),
                kind,
                player,
                up,
                down,
                live: has("live"),
                acts: has("acts"),
                counted: has("counted"),
            });
        }
    }

    fn declare_counter(&mut self, name: &Name, english: Option<String>, of_player: bool, traits: &[CounterTrait]) {
        let (mut floor, mut cap, mut kept, mut open) = (0, 9_999, false, false);
        for one in traits {
            match one {
                CounterTrait::Floor(n) => floor = *n,
                CounterTrait::Cap(n) => cap = (*n).min(30_000),
                CounterTrait::Kept => kept = true,
                CounterTrait::Open => open = true,
                // Periods may be declared later in the sources: filled in when bodies are compiled.
                CounterTrait::For(_) => {}
            }
        }
        let (holder, list) =
            if of_player { (Holder::Player, &mut self.out.player_counters) } else { (Holder::Card, &mut self.out.card_counters) };
        let at = list.len();
        list.push(CounterDef { name: name.text.clone(), english, floor, cap, period: None, kept, open });
        self.names.counters.insert(name.text.clone(), (at as u8, holder));
        if at >= COUNTERS {
            self.fail(name.span, format!("there is room for {COUNTERS} counters of each sort"));
        }
    }

    fn declare_stat(&mut self, name: &Name, english: Option<String>, of_player: bool, what: Option<&Param>, base: &StatBase) {
        if let Some(what) = what {
            let ty = self.ty(&what.ty);
            self.names.stat_params.insert(name.text.clone(), (what.name.text.clone(), ty));
        }
        let at = self.out.stats.len() as u8;
        let fact = matches!(base, StatBase::Printed | StatBase::Icon | StatBase::Keyword | StatBase::Flag).then(|| {
            self.names.facts.insert(name.text.clone(), (self.out.facts.len() as u8, *base == StatBase::Flag));
            self.out.facts.push(name.text.clone());
            self.out.facts.len() as u8 - 1
        });
        if matches!(base, StatBase::Keyword | StatBase::Flag) {
            self.names.keywords.insert(name.text.clone());
        }
        if *base == StatBase::Predicate {
            self.names.predicates.insert(name.text.clone());
        }
        let english = english.unwrap_or_else(|| spaced(&name.text));
        self.names.stat_english.insert(name.text.clone(), english.clone());
        self.out.stats.push(StatDef {
            name: name.text.clone(),
            english,
            of_player,
            for_something: what.is_some(),
            base: None,
            fact,
            missing: None,
            floor: None,
        });
        self.names.stats.insert(name.text.clone(), (at, if of_player { Holder::Player } else { Holder::Card }));
        if at >= 128 {
            self.fail(name.span, "there is room for 128 values");
        }
    }

    fn declare_var(&mut self, shown: bool, name: &Name, english: Option<&String>, ty: &Name) {
        if let Some(english) = english {
            self.names.var_english.insert(name.text.clone(), english.clone());
        }
        let ty = self.ty(ty);
        self.names.vars.insert(name.text.clone(), (self.out.vars.len() as u8, ty));
        self.out.vars.push(VarDef { name: name.text.clone(), shown, init: None, period: None });
    }

    fn declare_option(&mut self, name: &Name, doc: &str, choices: &[Name]) {
        self.names.options.insert(name.text.clone(), self.out.options.len() as u8);
        let choices = choices.iter().map(|choice| choice.text.clone()).collect();
        self.out.options.push(OptionDef { name: name.text.clone(), doc: doc.to_string(), choices });
    }

    fn declare_event(&mut self, name: &Name, params: &[Param], quiet: bool, says: Option<&Text>) {
        let types = self.param_types(params);
        self.names.events.insert(name.text.clone(), (self.out.events.len() as u8, types));
        let english = says.map_or_else(|| spaced(&name.text), |says| holes::unconditional(&says.text));
        self.names.event_english.insert(name.text.clone(), english);
        let params = params.iter().map(|param| param.name.text.clone()).collect();
        self.out.events.push(EventDef { name: name.text.clone(), params, log: None, quiet });
        if self.out.events.len() > 128 {
            self.fail(name.span, "there is room for 128 events");
        }
    }

    fn declare_window(&mut self, name: &Name, english: &str) {
        self.names.windows.insert(name.text.clone(), self.out.windows.len() as u8);
        self.out.windows.push(WindowDef { name: name.text.clone(), english: english.to_string(), asking: None });
        if self.out.windows.len() > 128 {
            self.fail(name.span, "there is room for 128 windows");
        }
    }

    fn declare_scope(&mut self, name: &Name, says: &str, own: Option<&String>) {
        if let Some(own) = own {
            self.names.scope_own.insert(name.text.clone(), own.clone());
        }
        self.names.scope_english.insert(name.text.clone(), says.to_string());
        self.names.scopes.insert(name.text.clone(), self.out.scopes.len() as u8);
        self.out.scopes.push(ScopeDef { name: name.text.clone(), test: 0, subject: 0, player: None });
    }

    fn declare_permission(&mut self, name: &Name, params: &[Param], says: &Text) {
        let types = self.param_types(params);
        let id = self.out.permissions.len() as u8;
        self.names.permissions.insert(name.text.clone(), PermissionNames { id, params: types, says: says.clone() });
        self.out.permissions.push(PermissionDef { name: name.text.clone(), params: params.len() as u8 });
        if self.out.permissions.len() > 128 {
            self.fail(name.span, "there is room for 128 permissions");
        }
    }

    pub(super) fn declare_callables(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Def { name, params, ty, says, .. } => {
                let params = self.param_types(params);
                let result = self.ty(ty);
                self.declare_function(name, params, result, says.clone());
            }
            ItemKind::Proc { name, params, ty, says, contains, could, .. } => {
                let params = self.param_types(params);
                if let Some(could) = could {
                    self.declare_could(name, &params, could);
                }
                let returns = ty.is_some();
                let result = ty.as_ref().map_or(Ty::Any, |ty| self.ty(ty));
                let id = self.new_proc(&name.text, *contains);
                self.names.procs.insert(name.text.clone(), Callee { id, params, result, returns, says: says.clone() });
            }
            ItemKind::Cost { name, params, says, .. } => {
                let params = self.param_types(params);
                let id = self.new_proc(&format!("cost {}", name.text), false);
                let program = Callee { id, params, result: Ty::Any, returns: false, says: Some(says.clone()) };
                self.names.costs.insert(name.text.clone(), CostDef { program, requires: Vec::new() });
            }
            ItemKind::Noun { name, plural, english, .. } => {
                let at = Name { text: format!("noun {}", name.text), span: name.span };
                let test = self.declare_function(&at, vec![("it".into(), Ty::Card)], Ty::Bool, None);
                let at = Name { text: format!("nouns {}", name.text), span: name.span };
                let from = self.declare_function(&at, Vec::new(), Ty::Cards, None);
                let (singular, many) = english.clone().unwrap_or((spaced(&name.text), spaced(&plural.text)));
                let def = NounDef { singular, plural: many, from, test };
                self.names.nouns.insert(name.text.clone(), def.clone());
                self.names.nouns.insert(plural.text.clone(), def);
            }
            ItemKind::Adjective { name, english, .. } => {
                let at = Name { text: format!("adjective {}", name.text), span: name.span };
                let id = self.declare_function(&at, vec![("it".into(), Ty::Card)], Ty::Bool, None);
                let english = english.clone().unwrap_or_else(|| spaced(&name.text));
                self.names.adjectives.insert(name.text.clone(), (id, english));
            }
            _ => {}
        }
    }

    pub(super) fn declare_function(&mut self, name: &Name, params: Vec<(String, Ty)>, result: Ty, says: Option<Text>) -> u16 {
        let id = self.out.functions.len() as u16;
        self.out.functions.push(Function { name: name.text.clone(), params: params.len() as u8, body: 0 });
        self.names.functions.insert(name.text.clone(), Callee { id, params, result, returns: true, says });
        id
    }

    pub(super) fn new_proc(&mut self, name: &str, contains_faults: bool) -> ProcId {
        self.out.procs.push(Proc { name: name.to_string(), contains_faults, ..Proc::default() });
        self.out.procs.len() as ProcId - 1
    }

    fn once(&mut self, seen: &mut Seen, what: &'static str, name: &Name) {
        if let Some(first) = seen.insert((what, name.text.clone()), name.span) {
            let (file, line, _) = place(&self.files, first);
            self.fail(name.span, format!("the {what} `{}` is declared a second time; first at {file}:{line}", name.text));
        }
    }

    fn word(&mut self, text: &str) -> WordId {
        if let Some(&word) = self.names.words.get(text) {
            return word;
        }
        let word = WordId(self.out.words.len() as u16);
        self.out.words.push(text.to_string());
        self.names.words.insert(text.to_string(), word);
        word
    }

    /// Names of cards live beside the other words, under a prefix that no source can write.
    pub(super) fn card_name(&mut self, title: &str) -> WordId {
        let key = format!("\"{title}");
        if let Some(&word) = self.names.words.get(&key) {
            return word;
        }
        let word = WordId(self.out.words.len() as u16);
        self.out.words.push(title.to_string());
        self.names.words.insert(key, word);
        word
    }

    fn param_types(&mut self, params: &[Param]) -> Vec<(String, Ty)> {
        params.iter().map(|param| (param.name.text.clone(), self.ty(&param.ty))).collect()
    }

    fn ty(&mut self, name: &Name) -> Ty {
        Ty::named(&name.text).unwrap_or_else(|| {
            let known = crate::types::TYPES.iter().map(|(name, _)| *name);
            self.fail_near(name.span, format!("there is no type called `{}`", name.text), &name.text, known);
            Ty::Any
        })
    }
}

/// The sort and the name of an item that names one thing, which may be declared only once.
fn single_name(kind: &ItemKind) -> Option<(&'static str, &Name)> {
    Some(match kind {
        ItemKind::Enum { name, .. } => ("enumeration", name),
        ItemKind::Zone { name, .. } => ("zone", name),
        ItemKind::Counter { name, .. } => ("counter", name),
        ItemKind::Stat { name, .. } => ("value", name),
        ItemKind::Var { name, .. } => ("variable", name),
        ItemKind::Option { name, .. } => ("option", name),
        ItemKind::Event { name, .. } => ("event", name),
        ItemKind::Window { name, .. } => ("window", name),
        ItemKind::Scope { name, .. } => ("scope", name),
        ItemKind::Timing { name, .. } => ("timing", name),
        ItemKind::Kind { name, .. } => ("kind of ability", name),
        ItemKind::Permission { name, .. } => ("permission", name),
        ItemKind::Template { name, .. } => ("template", name),
        ItemKind::Cost { name, .. } => ("cost", name),
        ItemKind::Noun { name, .. } => ("noun", name),
        ItemKind::Adjective { name, .. } => ("adjective", name),
        ItemKind::Def { name, .. } => ("function", name),
        ItemKind::Proc { name, .. } => ("program", name),
        ItemKind::Action(action) => ("action", &action.name),
        ItemKind::Spelled { word, .. } => ("spelling", word),
        ItemKind::Game { .. }
        | ItemKind::Players(_)
        | ItemKind::Values(_)
        | ItemKind::Words(_)
        | ItemKind::Calls { .. }
        | ItemKind::Periods(_)
        | ItemKind::Roles(_)
        | ItemKind::Classes(_)
        | ItemKind::Apart { .. }
        | ItemKind::Deck(_)
        | ItemKind::Rule(_)
        | ItemKind::Card(_) => return None,
    })
}
