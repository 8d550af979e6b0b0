//! Declarations: every name gets its place before any body is compiled.

use super::Compiler;
use super::names::{Callee, CostDef, Does, Held, Holder, Meaning, Names, NounDef, PermissionNames, TemplateDef, spaced};
use crate::ast::{CounterTrait, Item, ItemKind, Name, Param, StatBase, Text, Told};
use crate::diagnostics::{Span, place};
use crate::holes;
use crate::own::is_owned;
use crate::types::Ty;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use trilogy_engine::PlayerId;
use trilogy_engine::catalogue::{
    CounterDef, EnumDef, EventDef, ExprId, FieldDef, FieldSort, Function, FunctionId, Id, OptionDef, PermissionDef, Proc, ProcId, RoleDef,
    ScopeDef, Sight, Sign, StatDef, Tone, ValuePolicy, VarDef, VarId, WindowDef, WordId, ZoneDef,
};

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
            ItemKind::Enum { name, also: false, proper, alone, several, members } => {
                self.names.alone_enums.extend(alone.then(|| name.text.clone()));
                self.declare_enum(name, *proper, *several, members);
            }
            ItemKind::Zone { name, english, of_player, traits } => self.declare_zone(name, english.as_deref(), *of_player, traits),
            ItemKind::Counter { shown, name, english, of_player, traits } => {
                self.declare_counter(*shown, name, english.clone(), *of_player, traits);
            }
            ItemKind::Field { name, ty, traits } => self.declare_field(name, ty, traits),
            ItemKind::Stat { shown, name, english, of_player, what, base, .. } => {
                self.declare_stat(*shown, name, english.clone(), *of_player, what.as_ref(), base);
            }
            ItemKind::Var { shown, name, english, of_player, ty, .. } => {
                self.declare_var(*shown, name, english.as_ref(), *of_player, ty);
            }
            ItemKind::Option { name, doc, choices } => self.declare_option(name, doc, choices),
            ItemKind::Event { name, params, says, told } => self.declare_event(name, params, told, says.as_ref()),
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
            | ItemKind::Needs { .. }
            | ItemKind::Lies { .. }
            | ItemKind::Enum { .. }
            | ItemKind::Apart(_) => {}
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
            let at = self.id(self.out.roles.len(), name.span);
            self.names.roles.insert(name.text.clone(), at);
            let english = english.clone().unwrap_or_else(|| "on".into());
            self.out.roles.push(RoleDef { name: name.text.clone(), english });
        }
    }

    fn declare_list<T: Id>(
        &mut self,
        names: &[Name],
        what: &'static str,
        seen: &mut Seen,
        list: impl Fn(&mut Names) -> &mut HashMap<String, T>,
    ) {
        for name in names {
            self.once(seen, what, name);
            let place = list(&mut self.names).len();
            let at = self.id(place, name.span);
            list(&mut self.names).insert(name.text.clone(), at);
            if what == "period" {
                self.out.periods.push(name.text.clone());
            }
        }
    }

    fn declare_enum(&mut self, name: &Name, proper: bool, several: bool, members: &[Name]) {
        if proper {
            self.names.proper_enums.insert(name.text.clone());
        }
        let at = self.id(self.out.enums.len(), name.span);
        self.names.enums.insert(name.text.clone(), at);
        self.out.enums.push(EnumDef { name: name.text.clone(), several, members: Vec::new() });
        self.add_members(name, members);
    }

    /// Members of an enumeration, which any file may bring.
    pub(super) fn add_members(&mut self, name: &Name, members: &[Name]) {
        let Some(at) = self.lookup("enumeration", name, |names| &names.enums) else { return };
        if self.names.proper_enums.contains(&name.text) {
            self.names.proper.extend(members.iter().map(|member| member.text.clone()));
        }
        if self.names.alone_enums.contains(&name.text) {
            self.names.alone.extend(members.iter().map(|member| member.text.clone()));
        }
        for member in members {
            let word = self.word(&member.text);
            if self.out.enums[at.index()].members.contains(&word) {
                self.fail(member.span, format!("`{}` is a member of `{}` already", member.text, name.text));
            } else {
                self.out.enums[at.index()].members.push(word);
            }
        }
    }

    fn declare_zone(&mut self, name: &Name, english: Option<&str>, of_player: bool, traits: &[Name]) {
        let kind = self.id(self.names.zones.len(), name.span);
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
                let zone = self.id(self.out.zones.len(), name.span);
                self.out.deck_zones.push(zone);
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

    fn declare_counter(&mut self, shown: bool, name: &Name, english: Option<String>, of_player: bool, traits: &[CounterTrait]) {
        let (mut floor, mut cap, mut kept, mut open) = (0, 9_999, false, false);
        for one in traits {
            match one {
                CounterTrait::Floor(n) => floor = *n,
                CounterTrait::Cap(n) => cap = *n,
                CounterTrait::Kept => kept = true,
                CounterTrait::Open => open = true,
                // Periods may be declared later in the sources: filled in when bodies are compiled.
                CounterTrait::For(_) => {}
            }
        }
        // What has a name to players is told to them.
        let shown = shown || english.is_some();
        let said = english.clone().unwrap_or_else(|| spaced(&name.text));
        self.names.counters.insert(name.text.clone(), (said, !of_player && cap == 1));
        let held = if of_player {
            let at = self.id(self.out.player_counters.len(), name.span);
            self.out.player_counters.push(CounterDef { name: name.text.clone(), english, shown, floor, cap, period: None });
            Held::PlayerCounter(at)
        } else {
            let at = self.id(self.out.fields.len(), name.span);
            let sort = FieldSort::Counter { english, floor, cap };
            self.out.fields.push(FieldDef { name: name.text.clone(), sort, period: None, kept, open, shown });
            Held::Counter(at)
        };
        self.names.held.insert(name.text.clone(), held);
    }

    fn declare_field(&mut self, name: &Name, ty: &Name, traits: &[CounterTrait]) {
        let span = ty.span;
        let ty = self.ty(ty);
        let sort = match ty {
            Ty::Num => FieldSort::Number,
            Ty::Bool => FieldSort::Truth,
            Ty::Card | Ty::Player | Ty::Zone | Ty::Word => FieldSort::Value,
            Ty::Cards | Ty::Players | Ty::Zones | Ty::Words | Ty::Nums => FieldSort::List,
            _ => {
                self.fail(span, format!("a card cannot remember a {}", ty.name()));
                FieldSort::Value
            }
        };
        let has = |wanted: CounterTrait| traits.contains(&wanted);
        // Players are told numbers of cards; nothing else of what cards remember leaves the rules.
        if has(CounterTrait::Open) && !matches!(sort, FieldSort::Number | FieldSort::Truth) {
            self.fail(span, "only a number or a truth of a card can be `open`");
        }
        let (kept, open) = (has(CounterTrait::Kept), has(CounterTrait::Open));
        let at = self.id(self.out.fields.len(), name.span);
        self.out.fields.push(FieldDef { name: name.text.clone(), sort, period: None, kept, open, shown: open });
        self.names.held.insert(name.text.clone(), Held::Field(at, ty));
    }

    fn declare_stat(&mut self, shown: bool, name: &Name, english: Option<String>, of_player: bool, what: Option<&Param>, base: &StatBase) {
        if let Some(what) = what {
            let ty = self.ty(&what.ty);
            self.names.stat_params.insert(name.text.clone(), (what.name.text.clone(), ty));
        }
        let at = self.id(self.out.stats.len(), name.span);
        let fact = matches!(base, StatBase::Printed | StatBase::Icon | StatBase::Keyword | StatBase::Flag).then(|| {
            let fact = self.id(self.out.facts.len(), name.span);
            self.names.facts.insert(name.text.clone(), (fact, *base == StatBase::Flag));
            self.out.facts.push(name.text.clone());
            // Cards that were there before have nothing of it.
            self.out.cards.iter_mut().for_each(|card| card.facts.push(None));
            fact
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
            shown,
            english,
            of_player,
            for_something: what.is_some(),
            for_player: self.names.stat_params.get(&name.text).is_some_and(|(_, ty)| *ty == Ty::Player),
            base: None,
            fact,
            missing: None,
            floor: None,
        });
        self.names.stats.insert(name.text.clone(), (at, if of_player { Holder::Player } else { Holder::Card }));
    }

    fn declare_var(&mut self, shown: bool, name: &Name, english: Option<&String>, of_player: bool, ty: &Name) {
        if let Some(english) = english {
            self.names.var_english.insert(name.text.clone(), english.clone());
        }
        let ty = self.ty(ty);
        let at: VarId = self.id(self.out.vars.len(), name.span);
        if of_player {
            if shown {
                self.fail(name.span, "what each player has is shown by a `shown stat` of players");
            }
            self.names.held.insert(name.text.clone(), Held::PlayerVar(at, ty));
        } else {
            self.names.vars.insert(name.text.clone(), (at, ty));
        }
        let players = if of_player { vec![Some(PlayerId(0)), Some(PlayerId(1))] } else { vec![None] };
        for player in players {
            self.out.vars.push(VarDef { name: name.text.clone(), shown, player, init: None, period: None });
        }
    }

    fn declare_option(&mut self, name: &Name, doc: &str, choices: &[Name]) {
        let at = self.id(self.out.options.len(), name.span);
        self.names.options.insert(name.text.clone(), at);
        let choices = choices.iter().map(|choice| choice.text.clone()).collect();
        self.out.options.push(OptionDef { name: name.text.clone(), doc: doc.to_string(), choices });
    }

    fn declare_event(&mut self, name: &Name, params: &[Param], told: &Told, says: Option<&Text>) {
        let types = self.param_types(params);
        let at = self.id(self.out.events.len(), name.span);
        self.names.events.insert(name.text.clone(), (at, types));
        let english = says.map_or_else(|| spaced(&name.text), |says| holes::unconditional(&says.text));
        self.names.event_english.insert(name.text.clone(), english);
        let params: Vec<String> = params.iter().map(|param| param.name.text.clone()).collect();
        let tone = told.tone.as_ref().map_or(Tone::Plain, |tone| self.tone(tone));
        let shows = told.shows.as_ref().and_then(|(sign, of)| self.sign(sign, of, &params));
        self.out.events.push(EventDef { name: name.text.clone(), params, log: None, tone, quiet: None, shows });
    }

    fn tone(&mut self, name: &Name) -> Tone {
        let found = Tone::ALL.iter().find(|(known, _)| *known == name.text);
        if found.is_none() {
            self.fail_near(
                name.span,
                format!("no line of a log is a `{}`", name.text),
                &name.text,
                Tone::ALL.iter().map(|(known, _)| *known),
            );
        }
        found.map_or(Tone::Plain, |(_, tone)| *tone)
    }

    /// What is seen, and the places of its parts among the parameters of the event.
    fn sign(&mut self, name: &Name, of: &[Name], params: &[String]) -> Option<(Sign, Vec<u32>)> {
        let Some((_, sign, count)) = Sign::ALL.iter().find(|(known, ..)| *known == name.text) else {
            let known = Sign::ALL.iter().map(|(known, ..)| *known);
            self.fail_near(name.span, format!("nothing that is seen is called `{}`", name.text), &name.text, known);
            return None;
        };
        if of.len() != *count {
            self.fail(name.span, format!("`{}` shows {count} things, here are {}", name.text, of.len()));
        }
        let mut places = Vec::new();
        for part in of {
            match params.iter().position(|param| *param == part.text) {
                Some(at) => places.push(at as u32),
                None => self.fail(part.span, format!("the event has no parameter `{}`", part.text)),
            }
        }
        Some((*sign, places))
    }

    fn declare_window(&mut self, name: &Name, english: &str) {
        let at = self.id(self.out.windows.len(), name.span);
        self.names.windows.insert(name.text.clone(), at);
        self.out.windows.push(WindowDef { name: name.text.clone(), english: english.to_string(), asking: None, until: None });
    }

    fn declare_scope(&mut self, name: &Name, says: &str, own: Option<&String>) {
        if let Some(own) = own {
            self.names.scope_own.insert(name.text.clone(), own.clone());
        }
        self.names.scope_english.insert(name.text.clone(), says.to_string());
        let at = self.id(self.out.scopes.len(), name.span);
        self.names.scopes.insert(name.text.clone(), at);
        self.out.scopes.push(ScopeDef { name: name.text.clone(), test: ExprId::FIRST, subject: ExprId::FIRST, player: None });
    }

    fn declare_permission(&mut self, name: &Name, params: &[Param], says: &Text) {
        let types = self.param_types(params);
        let id = self.id(self.out.permissions.len(), name.span);
        self.names.permissions.insert(name.text.clone(), PermissionNames { id, params: types, says: says.clone() });
        self.out.permissions.push(PermissionDef { name: name.text.clone(), params: params.len() as u32 });
    }

    pub(super) fn declare_callables(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Def { name, params, ty, says, body, parts } => {
                let params = self.param_types(params);
                let result = self.ty(ty);
                if result == Ty::Cards && parts.is_empty() {
                    self.names.lists.insert(name.text.clone(), Arc::new(body.clone()));
                }
                if says.is_none() {
                    self.tell_by(name, &params, || Does::Value(body.clone(), parts.clone()));
                }
                self.declare_function(name, params, result, says.clone());
            }
            ItemKind::Proc { name, params, ty, says, would, contains, could, body } => {
                self.names.woulds.extend(would.clone().map(|would| (name.text.clone(), would)));
                let params = self.param_types(params);
                if let Some(could) = could {
                    self.declare_could(name, &params, could);
                }
                let returns = ty.is_some();
                let result = ty.as_ref().map_or(Ty::Any, |ty| self.ty(ty));
                let id = self.new_proc(&name.text, *contains);
                if says.is_none() {
                    self.tell_by(name, &params, || Does::Program(body.clone()));
                }
                self.names.procs.insert(name.text.clone(), Callee { id, params, result, returns, says: says.clone() });
            }
            ItemKind::Cost { name, params, ty, says, .. } => {
                let params = self.param_types(params);
                let id = self.new_proc(&format!("cost {}", name.text), false);
                let (returns, result) = (ty.is_some(), ty.as_ref().map_or(Ty::Any, |ty| self.ty(ty)));
                let program = Callee { id, params, result, returns, says: Some(says.clone()) };
                self.names.costs.insert(name.text.clone(), CostDef { program, requires: Vec::new() });
            }
            ItemKind::Noun { name, plural, english, unsaid, from: list, .. } => {
                for name in [name, plural] {
                    self.names.lists.insert(format!("nouns {}", name.text), Arc::new(list.clone()));
                }
                let at = Name { text: format!("noun {}", name.text), span: name.span };
                let test = self.declare_function(&at, vec![("it".into(), Ty::Card)], Ty::Bool, None);
                let at = Name { text: format!("nouns {}", name.text), span: name.span };
                let from = self.declare_function(&at, Vec::new(), Ty::Cards, None);
                let (singular, many) = english.clone().unwrap_or((spaced(&name.text), spaced(&plural.text)));
                let unsaid = unsaid.iter().map(|word| word.text.clone()).collect();
                let def = NounDef { unsaid, singular, plural: many, from, test };
                self.names.nouns.insert(name.text.clone(), def.clone());
                self.names.nouns.insert(plural.text.clone(), def);
            }
            ItemKind::Adjective { name, english, test } => {
                if english.is_none() {
                    self.tell_by(name, &[("it".into(), Ty::Card)], || Does::Value(test.clone(), Vec::new()));
                }
                let at = Name { text: format!("adjective {}", name.text), span: name.span };
                let id = self.declare_function(&at, vec![("it".into(), Ty::Card)], Ty::Bool, None);
                let english = english.clone().unwrap_or_else(|| spaced(&name.text));
                self.names.adjectives.insert(name.text.clone(), (id, english));
            }
            _ => {}
        }
    }

    /// What a card owns and gives no English is told by what it does.
    fn tell_by(&mut self, name: &Name, params: &[(String, Ty)], does: impl FnOnce() -> Does) {
        if is_owned(&name.text) {
            let told = Meaning { name: name.clone(), params: params.to_vec(), does: does() };
            self.names.told.insert(name.text.clone(), Arc::new(told));
        }
    }

    pub(super) fn declare_function(&mut self, name: &Name, params: Vec<(String, Ty)>, result: Ty, says: Option<Text>) -> FunctionId {
        let id = self.id(self.out.functions.len(), name.span);
        self.out.functions.push(Function { name: name.text.clone(), params: params.len() as u32, body: ExprId::FIRST });
        self.names.functions.insert(name.text.clone(), Callee { id, params, result, returns: true, says });
        id
    }

    pub(super) fn new_proc(&mut self, name: &str, contains_faults: bool) -> ProcId {
        let id = self.id(self.out.procs.len(), Span::default());
        self.out.procs.push(Proc { name: name.to_string(), contains_faults, ..Proc::default() });
        id
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
        let word = self.id(self.out.words.len(), Span::default());
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
        let word = self.id(self.out.words.len(), Span::default());
        self.out.words.push(title.to_string());
        self.names.words.insert(key, word);
        word
    }

    /// Whether a word is the title of a card, not a subtype spelled alike.
    pub(super) fn is_title(&self, word: WordId) -> bool {
        self.names.words.get(&format!("\"{}", self.out.words[word.index()])) == Some(&word)
    }

    fn param_types(&mut self, params: &[Param]) -> Vec<(String, Ty)> {
        params.iter().map(|param| (param.name.text.clone(), self.ty(&param.ty))).collect()
    }

    pub(super) fn ty(&mut self, name: &Name) -> Ty {
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
        ItemKind::Enum { name, also: false, .. } => ("enumeration", name),
        ItemKind::Zone { name, .. } => ("zone", name),
        ItemKind::Counter { name, .. } | ItemKind::Field { name, .. } => ("counter or field", name),
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
        | ItemKind::Needs { .. }
        | ItemKind::Lies { .. }
        | ItemKind::Enum { .. }
        | ItemKind::Apart(_)
        | ItemKind::Deck(_)
        | ItemKind::Rule(_)
        | ItemKind::Card(_) => return None,
    })
}
