//! Syntax to catalogue. First every name is declared, then every body is checked and compiled,
//! so that the order of files and items does not matter. All problems are collected.

mod calls;
mod could;
mod expressions;
mod names;
mod phrases;
mod program;
mod texts;
mod workshop;

use crate::ast::{self, Ability, Item, ItemKind, Name, Param, StatBase, Text};
use crate::diagnostics::{Diagnostic, SourceFile, Span, nearest, place};
use crate::english::{English, Speaker, capital};
use crate::holes;
use crate::parser;
use crate::types::Ty;
use expressions::Cx;
pub(crate) use names::{Alias, Aliases, Names, PermissionNames, TemplateDef, spaced, with_arguments};
use names::{Callee, CostDef, Holder, NounDef};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use trilogy_engine::catalogue::*;
use trilogy_engine::state::COUNTERS;
use trilogy_engine::value::{PlayerId, WordId};
pub use workshop::Workshop;

#[derive(Clone)]
pub(crate) struct Compiler {
    pub(crate) out: Catalogue,
    pub(crate) names: Names,
    pub(crate) files: Vec<SourceFile>,
    pub(crate) problems: Vec<Diagnostic>,
    interned: HashMap<Expr, ExprId>,
    cite_ids: HashMap<String, CiteId>,
    /// The ids of the rulebook; a citation of another id is an error. None checks nothing.
    known_rules: Option<BTreeSet<String>>,
    /// Arguments of the template that is being expanded.
    pub(crate) aliases: Aliases,
    pub(crate) speaker: Speaker,
    /// What the template that is being expanded says of itself.
    pub(crate) template_label: Option<String>,
    /// Cards that bring others into a deck, with the titles of those.
    pub(crate) brought: Vec<(DefId, Vec<ast::Text>)>,
}

/// Everything that the sources of a game make, or all that is wrong with them.
pub struct Compiled {
    pub catalogue: Catalogue,
    pub files: Vec<SourceFile>,
    pub problems: Vec<Diagnostic>,
}

/// Compile the sources of one game. `rules` are the ids that may be cited.
pub fn compile(files: Vec<SourceFile>, rules: Option<BTreeSet<String>>) -> Compiled {
    compile_all(files, rules).into_compiled()
}

fn compile_all(files: Vec<SourceFile>, rules: Option<BTreeSet<String>>) -> Compiler {
    let mut items = Vec::new();
    let mut problems = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let (parsed, wrong) = parser::parse(at as u16, &file.text);
        items.extend(parsed);
        problems.extend(wrong);
    }
    let mut compiler = Compiler {
        out: Catalogue::default(),
        names: Names::default(),
        files,
        problems,
        interned: HashMap::new(),
        cite_ids: HashMap::new(),
        known_rules: rules,
        aliases: Aliases::default(),
        speaker: Default::default(),
        template_label: None,
        brought: Vec::new(),
    };
    compiler.compile_items(items);
    compiler.problems.sort_by_key(|problem| (problem.span.file, problem.span.start));
    compiler.problems.dedup();
    compiler
}

impl Compiler {
    pub(crate) fn fail(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(span, message.into()));
    }
    pub(crate) fn fail_near<'a>(&mut self, span: Span, message: impl Into<String>, name: &str, known: impl IntoIterator<Item = &'a str>) {
        let problem = Diagnostic::new(span, message.into());
        let problem = match nearest(name, known) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem,
        };
        self.problems.push(problem);
    }
    pub(crate) fn lookup<T: Clone>(&mut self, what: &str, name: &Name, pick: impl Fn(&Names) -> &HashMap<String, T>) -> Option<T> {
        if let Some(found) = pick(&self.names).get(&name.text) {
            return Some(found.clone());
        }
        let known: Vec<String> = pick(&self.names).keys().cloned().collect();
        self.fail_near(name.span, format!("there is no {what} called `{}`", name.text), &name.text, known.iter().map(String::as_str));
        None
    }

    /// Give the parameters of a template or cost their arguments; the aliases before come back, to be put back after it.
    pub(crate) fn open_aliases(&mut self, params: &[(String, Ty)], args: &[ast::Expr]) -> Aliases {
        let inside = with_arguments(&self.aliases, params, args);
        std::mem::replace(&mut self.aliases, inside)
    }

    /// The printer, speaking for the card that is being compiled.
    pub(crate) fn english(&mut self) -> English<'_> {
        English { names: &self.names, speaker: &mut self.speaker, aliases: self.aliases.clone(), problems: &mut self.problems }
    }

    pub(crate) fn add(&mut self, expr: Expr) -> ExprId {
        if let Some(&id) = self.interned.get(&expr) {
            return id;
        }
        let id = self.out.exprs.len() as ExprId;
        self.out.exprs.push(expr);
        self.interned.insert(expr, id);
        id
    }
    pub(crate) fn args(&mut self, ids: &[ExprId]) -> Args {
        let args = Args { start: self.out.args.len() as u32, len: ids.len() as u8 };
        self.out.args.extend_from_slice(ids);
        args
    }
    pub(crate) fn plain_text(&mut self, text: &str) -> TextId {
        self.out.texts.push(trilogy_engine::catalogue::Text(vec![Piece::Plain(text.to_string())]));
        self.out.texts.len() as TextId - 1
    }

    pub(crate) fn cite(&mut self, cites: &[Name]) -> Option<CiteId> {
        let mut first = None;
        for cite in cites {
            if let Some(known) = &self.known_rules
                && !known.contains(&cite.text)
            {
                let known: Vec<String> = known.iter().cloned().collect();
                self.fail_near(cite.span, format!("the rulebook has no rule {}", cite.text), &cite.text, known.iter().map(String::as_str));
                continue;
            }
            let id = self.cite_id(&cite.text);
            let (file, line, _) = place(&self.files, cite.span);
            self.out.cited_at.push((id, format!("{file}:{line}")));
            first.get_or_insert(id);
        }
        first
    }

    pub(crate) fn cite_id(&mut self, rule: &str) -> CiteId {
        if let Some(&id) = self.cite_ids.get(rule) {
            return id;
        }
        let id = self.out.cites.len() as CiteId;
        self.out.cites.push(rule.to_string());
        self.cite_ids.insert(rule.to_string(), id);
        id
    }

    fn ty(&mut self, name: &Name) -> Ty {
        Ty::named(&name.text).unwrap_or_else(|| {
            let known = crate::types::TYPES.iter().map(|(name, _)| *name);
            self.fail_near(name.span, format!("there is no type called `{}`", name.text), &name.text, known);
            Ty::Any
        })
    }
    fn param_types(&mut self, params: &[Param]) -> Vec<(String, Ty)> {
        params.iter().map(|param| (param.name.text.clone(), self.ty(&param.ty))).collect()
    }

    fn compile_items(&mut self, items: Vec<Item>) {
        self.out.values = ValuePolicy::TimeOrder;
        // Zone 0 is where attached cards are.
        self.out.zones.push(ZoneDef {
            name: "attached".into(),
            english: "attached".into(),
            kind: 0,
            player: None,
            up: Sight::All,
            down: Sight::Owner,
            live: true,
            acts: true,
            counted: false,
        });
        self.names.zones.insert("attached".into(), (0, false));
        self.names.zone_english.insert("attached".into(), "attached".into());
        self.compile_more(&items);
        self.finish();
    }

    fn compile_more(&mut self, items: &[Item]) {
        let mut seen: BTreeMap<(&'static str, String), Span> = BTreeMap::new();
        for item in items {
            self.declare(item, &mut seen);
        }
        for item in items {
            self.declare_callables(item);
            self.refuse_cycle(item);
        }
        let problems_before = self.problems.len();
        for item in items {
            if !matches!(item.kind, ItemKind::Card(_)) {
                self.define(item);
            }
        }
        // Broken rules make every card that uses them look broken, too: mend them first.
        if self.problems.len() == problems_before || self.out.cards.is_empty() {
            for item in items {
                if let ItemKind::Card(card) = &item.kind {
                    self.card(card, item);
                }
            }
            self.tell_apart();
            self.bring();
        }
    }

    /// Titles become cards: among those of one title the one of the same side.
    fn bring(&mut self) {
        let members = self.names.apart.map_or_else(Vec::new, |(which, _)| self.out.enums[which as usize].members.clone());
        for (head, titles) in std::mem::take(&mut self.brought) {
            let side = self.out.def(head).words.iter().find(|word| members.contains(word)).copied();
            for title in titles {
                let of_title = |card: &CardDef| card.key == title.text || card.title == title.text;
                let on_side = |card: &CardDef| side.is_none_or(|side| card.words.contains(&side));
                let Some(def) = self.out.cards.iter().position(|card| of_title(card) && on_side(card)) else {
                    self.fail(title.span, format!("there is no card \"{}\" to bring", title.text));
                    continue;
                };
                let brings = &mut self.out.cards[head as usize].brings;
                match brings.iter_mut().find(|(brought, _)| *brought == def as DefId) {
                    Some((_, copies)) => *copies += 1,
                    None => brings.push((def as DefId, 1)),
                }
            }
        }
    }

    /// Cards that share their title get longer keys.
    fn tell_apart(&mut self) {
        let Some((which, true)) = self.names.apart else { return };
        let members = self.out.enums[which as usize].members.clone();
        let mut titles: HashMap<&str, u32> = HashMap::new();
        for card in &self.out.cards {
            *titles.entry(&card.title).or_default() += 1;
        }
        let keys: Vec<Option<String>> = self
            .out
            .cards
            .iter()
            .map(|card| {
                let member = card.words.iter().find(|word| members.contains(word))?;
                let word = capital(&spaced(self.out.word(*member)));
                (titles[card.title.as_str()] > 1).then(|| format!("{} ({word})", card.title))
            })
            .collect();
        for (at, key) in keys.into_iter().enumerate() {
            if let Some(key) = key {
                self.out.cards[at].key = key;
            }
        }
        let mut seen = HashSet::new();
        let twice: Vec<String> = self.out.cards.iter().filter(|card| !seen.insert(&card.key)).map(|card| card.key.clone()).collect();
        for key in twice {
            self.fail(Span::default(), format!("there are two cards \"{key}\""));
        }
    }

    /// A template that uses itself would have no end.
    fn refuse_cycle(&mut self, item: &Item) {
        if let ItemKind::Template { name, body, .. } = &item.kind
            && self.uses_template(body, &name.text, &mut BTreeSet::new())
        {
            self.fail(name.span, format!("the template `{}` uses itself, or too many others", name.text));
            self.names.templates.entry(name.text.clone()).and_modify(|template| template.body.clear());
        }
    }

    fn uses_template(&self, body: &[Ability], wanted: &str, seen: &mut BTreeSet<String>) -> bool {
        body.iter().any(|ability| match ability {
            Ability::Template { name, .. } if name.text == wanted || seen.len() > 60 => true,
            Ability::Template { name, .. } if !seen.insert(name.text.clone()) => false,
            Ability::Template { name, .. } => {
                self.names.templates.get(&name.text).is_some_and(|template| self.uses_template(&template.body, wanted, seen))
            }
            Ability::In { abilities, .. } => self.uses_template(abilities, wanted, seen),
            Ability::Use(_) | Ability::Clause(_) | Ability::TreatAs(_) => false,
        })
    }

    fn into_compiled(self) -> Compiled {
        Compiled { catalogue: self.out, files: self.files, problems: self.problems }
    }

    fn once(&mut self, seen: &mut BTreeMap<(&'static str, String), Span>, what: &'static str, name: &Name) {
        if let Some(first) = seen.insert((what, name.text.clone()), name.span) {
            let (file, line, _) = place(&self.files, first);
            self.fail(name.span, format!("the {what} `{}` is declared a second time; first at {file}:{line}", name.text));
        }
    }

    pub(crate) fn word(&mut self, text: &str) -> WordId {
        if let Some(&word) = self.names.words.get(text) {
            return word;
        }
        let word = WordId(self.out.words.len() as u16);
        self.out.words.push(text.to_string());
        self.names.words.insert(text.to_string(), word);
        word
    }

    /// Names of cards live beside the other words, under a prefix that no source can write.
    pub(crate) fn card_name(&mut self, title: &str) -> WordId {
        let key = format!("\"{title}");
        if let Some(&word) = self.names.words.get(&key) {
            return word;
        }
        let word = WordId(self.out.words.len() as u16);
        self.out.words.push(title.to_string());
        self.names.words.insert(key, word);
        word
    }

    fn declare(&mut self, item: &Item, seen: &mut BTreeMap<(&'static str, String), Span>) {
        match &item.kind {
            ItemKind::Game { name, title } => {
                self.once(seen, "game", &Name { text: String::new(), span: name.span });
                self.out.game = name.text.clone();
                self.out.title = title.clone();
            }
            ItemKind::Players(players) => {
                if players.len() != 2 {
                    self.fail(item.span, "a game has two players");
                }
                for player in players {
                    self.once(seen, "player", player);
                    self.names.players.insert(player.text.clone(), self.out.players.len() as u8);
                    self.out.players.push(player.text.clone());
                }
            }
            ItemKind::Values(policy) => match policy.text.as_str() {
                "time_order" => self.out.values = ValuePolicy::TimeOrder,
                "add_multiply_set" => self.out.values = ValuePolicy::AddMultiplySet,
                _ => self.fail(policy.span, "values combine as `time_order` or `add_multiply_set`"),
            },
            ItemKind::Words(words) => words.iter().for_each(|word| {
                self.word(&word.text);
            }),
            ItemKind::Periods(names) => self.declare_list(names, "period", seen, |n| &mut n.periods),
            ItemKind::Roles(roles) => {
                for (name, english) in roles {
                    self.once(seen, "role", name);
                    self.names.roles.insert(name.text.clone(), self.out.roles.len() as u8);
                    let english = english.clone().unwrap_or_else(|| "on".into());
                    self.out.roles.push(RoleDef { name: name.text.clone(), english });
                }
            }
            ItemKind::Classes(names) => self.declare_list(names, "class", seen, |n| &mut n.classes),
            ItemKind::Enum { name, proper, members } => {
                if *proper {
                    self.names.proper.extend(members.iter().map(|member| member.text.clone()));
                }
                self.once(seen, "enumeration", name);
                self.names.enums.insert(name.text.clone(), self.out.enums.len() as u8);
                let members = members.iter().map(|member| self.word(&member.text)).collect();
                self.out.enums.push(EnumDef { name: name.text.clone(), members });
            }
            ItemKind::Zone { name, english, of_player, traits } => {
                self.once(seen, "zone", name);
                self.zone(name, english.as_deref(), *of_player, traits);
            }
            ItemKind::Counter { name, english, of_player, traits } => {
                self.once(seen, "counter", name);
                let (mut floor, mut cap, mut kept, mut open, mut period) = (0, 9_999, false, false, None);
                for one in traits {
                    match one {
                        ast::CounterTrait::Floor(n) => floor = *n,
                        ast::CounterTrait::Cap(n) => cap = (*n).min(30_000),
                        ast::CounterTrait::Kept => kept = true,
                        ast::CounterTrait::Open => open = true,
                        ast::CounterTrait::For(name) => period = Some(name.clone()),
                    }
                }
                let (holder, list) =
                    if *of_player { (Holder::Player, &mut self.out.player_counters) } else { (Holder::Card, &mut self.out.card_counters) };
                let at = list.len();
                list.push(CounterDef { name: name.text.clone(), english: english.clone(), floor, cap, period: None, kept, open });
                self.names.counters.insert(name.text.clone(), (at as u8, holder));
                if at >= COUNTERS {
                    self.fail(name.span, format!("there is room for {COUNTERS} counters of each sort"));
                }
                // Periods may be declared later in the sources: filled in when bodies are compiled.
                let _ = period;
            }
            ItemKind::Stat { name, english, of_player, what, base, .. } => {
                self.once(seen, "value", name);
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
                let english = english.clone().unwrap_or_else(|| spaced(&name.text));
                self.names.stat_english.insert(name.text.clone(), english.clone());
                self.out.stats.push(StatDef {
                    name: name.text.clone(),
                    english,
                    of_player: *of_player,
                    for_something: what.is_some(),
                    base: None,
                    fact,
                    missing: None,
                    floor: None,
                });
                self.names.stats.insert(name.text.clone(), (at, if *of_player { Holder::Player } else { Holder::Card }));
                if at >= 128 {
                    self.fail(name.span, "there is room for 128 values");
                }
            }
            ItemKind::Var { shown, name, english, ty, .. } => {
                self.once(seen, "variable", name);
                if let Some(english) = english {
                    self.names.var_english.insert(name.text.clone(), english.clone());
                }
                let ty = self.ty(ty);
                self.names.vars.insert(name.text.clone(), (self.out.vars.len() as u8, ty));
                self.out.vars.push(VarDef { name: name.text.clone(), shown: *shown, init: None, period: None });
            }
            ItemKind::Option { name, doc, choices } => {
                self.once(seen, "option", name);
                self.names.options.insert(name.text.clone(), self.out.options.len() as u8);
                let choices = choices.iter().map(|choice| choice.text.clone()).collect();
                self.out.options.push(OptionDef { name: name.text.clone(), doc: doc.clone(), choices });
            }
            ItemKind::Event { name, params, quiet, says } => {
                self.once(seen, "event", name);
                let types = self.param_types(params);
                self.names.events.insert(name.text.clone(), (self.out.events.len() as u8, types));
                let english = says.as_ref().map_or_else(|| spaced(&name.text), |says| holes::unconditional(&says.text));
                self.names.event_english.insert(name.text.clone(), english);
                let params = params.iter().map(|param| param.name.text.clone()).collect();
                self.out.events.push(EventDef { name: name.text.clone(), params, log: None, quiet: *quiet });
                if self.out.events.len() > 128 {
                    self.fail(name.span, "there is room for 128 events");
                }
            }
            ItemKind::Window { name, english, .. } => {
                self.once(seen, "window", name);
                self.names.windows.insert(name.text.clone(), self.out.windows.len() as u8);
                self.out.windows.push(WindowDef { name: name.text.clone(), english: english.clone(), asking: None });
                if self.out.windows.len() > 128 {
                    self.fail(name.span, "there is room for 128 windows");
                }
            }
            ItemKind::Scope { name, says, own, .. } => {
                self.once(seen, "scope", name);
                if let Some(own) = own {
                    self.names.scope_own.insert(name.text.clone(), own.clone());
                }
                self.names.scope_english.insert(name.text.clone(), says.clone());
                self.names.scopes.insert(name.text.clone(), self.out.scopes.len() as u8);
                self.out.scopes.push(ScopeDef { name: name.text.clone(), test: 0, subject: 0, player: None });
            }
            ItemKind::Timing { name, .. } => {
                self.once(seen, "timing", name);
                self.names.timings.insert(name.text.clone(), item.clone());
            }
            ItemKind::Kind { name, .. } => {
                self.once(seen, "kind of ability", name);
                self.names.kinds.insert(name.text.clone(), item.kind.clone());
            }
            ItemKind::Permission { name, params, says } => {
                self.once(seen, "permission", name);
                let types = self.param_types(params);
                let id = self.out.permissions.len() as u8;
                self.names.permissions.insert(name.text.clone(), PermissionNames { id, params: types, says: says.clone() });
                self.out.permissions.push(PermissionDef { name: name.text.clone(), params: params.len() as u8 });
                if self.out.permissions.len() > 128 {
                    self.fail(name.span, "there is room for 128 permissions");
                }
            }
            ItemKind::Template { name, params, says, body } => {
                self.once(seen, "template", name);
                let types = self.param_types(params);
                self.names.templates.insert(name.text.clone(), TemplateDef { params: types, says: says.clone(), body: body.clone() });
            }
            ItemKind::Cost { name, .. } => self.once(seen, "cost", name),
            ItemKind::Noun { name, .. } => self.once(seen, "noun", name),
            ItemKind::Adjective { name, .. } => self.once(seen, "adjective", name),
            ItemKind::Def { name, .. } => self.once(seen, "function", name),
            ItemKind::Proc { name, .. } => self.once(seen, "program", name),
            ItemKind::Action(action) => self.once(seen, "action", &action.name),
            ItemKind::Card(card) => {
                self.card_name(&card.title.text);
            }
            ItemKind::Spelled { word, says } => {
                self.once(seen, "spelling", word);
                self.names.word_english.insert(word.text.clone(), says.clone());
            }
            ItemKind::Calls { says, words } => self.names.calls.extend(words.iter().map(|word| (word.text.clone(), says.clone()))),
            ItemKind::Rule(_) | ItemKind::Deck(_) | ItemKind::Apart { .. } => {}
        }
    }

    fn declare_list(
        &mut self,
        names: &[Name],
        what: &'static str,
        seen: &mut BTreeMap<(&'static str, String), Span>,
        list: impl Fn(&mut Names) -> &mut HashMap<String, u8>,
    ) {
        for name in names {
            self.once(seen, what, name);
            let at = list(&mut self.names).len() as u8;
            list(&mut self.names).insert(name.text.clone(), at);
            if what == "period" {
                self.out.periods.push(name.text.clone());
            }
        }
    }

    fn zone(&mut self, name: &Name, english: Option<&str>, of_player: bool, traits: &[Name]) {
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

    fn declare_callables(&mut self, item: &Item) {
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

    fn declare_function(&mut self, name: &Name, params: Vec<(String, Ty)>, result: Ty, says: Option<Text>) -> u16 {
        let id = self.out.functions.len() as u16;
        self.out.functions.push(Function { name: name.text.clone(), params: params.len() as u8, body: 0 });
        self.names.functions.insert(name.text.clone(), Callee { id, params, result, returns: true, says });
        id
    }

    pub(crate) fn new_proc(&mut self, name: &str, contains_faults: bool) -> ProcId {
        self.out.procs.push(Proc { name: name.to_string(), contains_faults, ..Proc::default() });
        self.out.procs.len() as ProcId - 1
    }

    fn define(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Def { name, body, .. } => {
                self.cite(&item.cites);
                let callee = self.names.functions[&name.text].clone();
                let mut cx = Cx::pure(&callee.params);
                let body = self.expr_of(&mut cx, body, callee.result);
                self.out.functions[callee.id as usize].body = body;
            }
            ItemKind::Noun { name, from, test, .. } => {
                self.cite(&item.cites);
                let def = self.names.nouns[&name.text].clone();
                let from = self.expr_of(&mut Cx::pure(&[]), from, Ty::Cards);
                self.out.functions[def.from as usize].body = from;
                let test = self.expr_of(&mut Cx::pure(&[("it".into(), Ty::Card)]), test, Ty::Bool);
                self.out.functions[def.test as usize].body = test;
            }
            ItemKind::Adjective { name, test, .. } => {
                self.cite(&item.cites);
                let id = self.names.adjectives[&name.text].0;
                let test = self.expr_of(&mut Cx::pure(&[("it".into(), Ty::Card)]), test, Ty::Bool);
                self.out.functions[id as usize].body = test;
            }
            ItemKind::Apart { name, when_shared } => {
                self.cite(&item.cites);
                if let Some(at) = self.lookup("enumeration", name, |names| &names.enums) {
                    self.names.apart = Some((at, *when_shared));
                }
            }
            ItemKind::Scope { name, test, subject, player, .. } => {
                self.cite(&item.cites);
                let mut cx = Cx::pure(&[("it".into(), Ty::Card)]);
                let test = self.expr_of(&mut cx, test, Ty::Bool);
                let subject = match subject {
                    Some(subject) => self.expr_of(&mut cx, subject, Ty::Card),
                    None => self.add(Expr::Local(0)),
                };
                let player = player.as_ref().map(|player| self.expr_of(&mut cx, player, Ty::Player));
                let at = self.names.scopes[&name.text] as usize;
                self.out.scopes[at] = ScopeDef { name: name.text.clone(), test, subject, player };
            }
            ItemKind::Counter { name, traits, .. } => {
                self.cite(&item.cites);
                for one in traits {
                    if let ast::CounterTrait::For(period) = one {
                        let period = self.lookup("period", period, |names| &names.periods);
                        match self.names.counters[&name.text] {
                            (at, Holder::Card) => self.out.card_counters[at as usize].period = period,
                            (at, Holder::Player) => self.out.player_counters[at as usize].period = period,
                        }
                    }
                }
            }
            ItemKind::Stat { name, base, floor, of_player, .. } => {
                self.cite(&item.cites);
                let at = self.names.stats[&name.text].0 as usize;
                self.out.stats[at].floor = *floor;
                let mut locals = vec![("it".into(), if *of_player { Ty::Player } else { Ty::Card })];
                locals.extend(self.names.stat_params.get(&name.text).cloned());
                match base {
                    StatBase::Computed(expr) => {
                        let base = self.expr_of(&mut Cx::pure(&locals), expr, Ty::Num);
                        self.out.stats[at].base = Some(base);
                    }
                    StatBase::Icon | StatBase::Keyword | StatBase::Flag => self.out.stats[at].missing = Some(0),
                    StatBase::Printed | StatBase::Plain | StatBase::Predicate => {}
                }
            }
            ItemKind::Var { name, init, period, .. } => {
                self.cite(&item.cites);
                let (at, ty) = self.names.vars[&name.text];
                if let Some(init) = init {
                    let init = self.expr_of(&mut Cx::pure(&[]), init, ty);
                    self.out.vars[at as usize].init = Some(init);
                }
                if let Some(period) = period {
                    let period = self.lookup("period", period, |names| &names.periods);
                    self.out.vars[at as usize].period = period;
                }
            }
            ItemKind::Event { name, says, .. } => {
                self.cite(&item.cites);
                let (at, params) = self.names.events[&name.text].clone();
                if let Some(says) = says {
                    let says = self.text(&mut Cx::pure(&params), says);
                    self.out.events[at as usize].log = Some(says);
                }
            }
            ItemKind::Window { name, asking, .. } => {
                self.cite(&item.cites);
                // In it, `you` is whoever is asked.
                if let Some(asking) = asking {
                    let asking = self.text(&mut Cx::pure(&[]), asking);
                    let at = self.names.windows[&name.text];
                    self.out.windows[at as usize].asking = Some(asking);
                }
            }
            ItemKind::Timing { windows, limit, .. } => {
                self.cite(&item.cites);
                for window in windows {
                    self.lookup("window", window, |names| &names.windows);
                }
                if let Some(limit) = limit {
                    self.lookup("period", &limit.period, |names| &names.periods);
                }
            }
            ItemKind::Cost { name, requires, body, .. } => {
                self.cite(&item.cites);
                let program = self.names.costs[&name.text].program.clone();
                let mut compiled = Vec::new();
                for (at, require) in requires.iter().enumerate() {
                    let function = Name { text: format!("can pay {} {at}", name.text), span: require.span };
                    let id = self.declare_function(&function, program.params.clone(), Ty::Bool, None);
                    let test = self.expr_of(&mut Cx::pure(&program.params), &require.test, Ty::Bool);
                    self.out.functions[id as usize].body = test;
                    let cite = self.cite(&require.cites);
                    compiled.push((id, require.reason.clone(), cite));
                }
                if let Some(cost) = self.names.costs.get_mut(&name.text) {
                    cost.requires = compiled;
                }
                // A cost tells by its result that it was not paid.
                let cx = Cx { returns: Some(Ty::Bool), ..Cx::program(&program.params) };
                self.program(program.id, cx, body);
            }
            ItemKind::Proc { name, body, could, .. } => {
                self.cite(&item.cites);
                if let Some(could) = could {
                    self.define_could(name, could);
                }
                let callee = self.names.procs[&name.text].clone();
                let mut cx = Cx::program(&callee.params);
                cx.returns = callee.returns.then_some(callee.result);
                self.program(callee.id, cx, body);
            }
            ItemKind::Action(action) => self.action(action, &item.cites),
            ItemKind::Rule(clause) => {
                let ids = self.clause(&mut Cx::pure(&[]), clause, None);
                self.out.rule_clauses.extend(ids);
            }
            ItemKind::Deck(require) => {
                let mut cx = Cx::pure(&[]);
                let test = self.expr_of(&mut cx, &require.test, Ty::Bool);
                let reason = self.text(&mut cx, &require.reason);
                let cite = self.cite(&require.cites);
                self.out.deck_rules.push(Require { test, reason, cite });
            }
            ItemKind::Template { name, params, .. } => {
                self.cite(&item.cites);
                self.try_template(name, params);
            }
            ItemKind::Spelled { word, .. } => {
                self.cite(&item.cites);
                self.lookup("word", word, |names| &names.words);
            }
            ItemKind::Calls { words, .. } => {
                self.cite(&item.cites);
                for word in words {
                    self.lookup("word", word, |names| &names.words);
                }
            }
            ItemKind::Kind { step_cites, .. } => {
                self.cite(&item.cites);
                self.cite(step_cites);
            }
            ItemKind::Game { .. }
            | ItemKind::Players(_)
            | ItemKind::Values(_)
            | ItemKind::Words(_)
            | ItemKind::Periods(_)
            | ItemKind::Roles(_)
            | ItemKind::Classes(_)
            | ItemKind::Enum { .. }
            | ItemKind::Zone { .. }
            | ItemKind::Option { .. }
            | ItemKind::Permission { .. }
            | ItemKind::Card(_) => {
                self.cite(&item.cites);
            }
        }
    }

    fn finish(&mut self) {
        let start = Span::default();
        match self.names.procs.get("main") {
            Some(main) => self.out.main = main.id,
            None => self.fail(start, "the rules need a program called `main`"),
        }
        if self.out.players.len() != 2 {
            self.fail(start, "the rules need a `players` line with two names");
        }
        if self.out.deck_zones.len() != 2 {
            self.fail(start, "one zone `of player` needs the trait `deck`");
        }
        let out = &self.out;
        let sorts = [
            (out.zones.len(), "zones"),
            (out.vars.len(), "variables"),
            (out.options.len(), "options"),
            (out.enums.len(), "enumerations"),
            (out.scopes.len(), "scopes"),
            (out.periods.len(), "periods"),
            (out.roles.len(), "roles"),
        ];
        for (_, what) in sorts.into_iter().filter(|(count, _)| *count > u8::MAX as usize) {
            self.fail(start, format!("there is room for {} {what}", u8::MAX));
        }
        self.out.cited_at.sort();
        self.out.cited_at.dedup();
        let mut hasher = blake3::Hasher::new();
        let mut files: Vec<&SourceFile> = self.files.iter().collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        for file in files {
            hasher.update(&(file.text.len() as u64).to_le_bytes());
            hasher.update(file.text.as_bytes());
        }
        self.out.hash = *hasher.finalize().as_bytes();
        self.out.build_index();
    }
}
