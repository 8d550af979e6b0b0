//! The words of a game, for people who write cards and for their editors: what each is called in English, what it means,
//! where it is defined and which cards use it. Made from the syntax alone, so that a game that does not compile has one, too.

mod entries;
mod own;
mod search;

use crate::ast::{Card, Item, ItemKind};
use crate::diagnostics::{SourceFile, Span};
use crate::lines::Lines;
use crate::parser;
use crate::references::{Place, references};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// What sort of thing a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    Noun,
    Adjective,
    Word,
    /// A member of an enumeration.
    Member,
    Kind,
    Timing,
    Cost,
    /// A program with English.
    Verb,
    Template,
    Value,
    Counter,
    Field,
    Function,
    Event,
    Permission,
    Scope,
    Window,
    Period,
    Zone,
    Role,
    Class,
    Enumeration,
    Variable,
    /// A program of the rules' own.
    Program,
    Action,
    Option,
    Player,
}

impl Sort {
    pub const ALL: [Sort; 27] = [
        Sort::Noun,
        Sort::Adjective,
        Sort::Word,
        Sort::Member,
        Sort::Kind,
        Sort::Timing,
        Sort::Cost,
        Sort::Verb,
        Sort::Template,
        Sort::Value,
        Sort::Counter,
        Sort::Field,
        Sort::Function,
        Sort::Event,
        Sort::Permission,
        Sort::Scope,
        Sort::Window,
        Sort::Period,
        Sort::Zone,
        Sort::Role,
        Sort::Class,
        Sort::Enumeration,
        Sort::Variable,
        Sort::Program,
        Sort::Action,
        Sort::Option,
        Sort::Player,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Sort::Noun => "noun",
            Sort::Adjective => "adjective",
            Sort::Word => "word",
            Sort::Member => "member",
            Sort::Kind => "kind",
            Sort::Timing => "timing",
            Sort::Cost => "cost",
            Sort::Verb => "verb",
            Sort::Template => "template",
            Sort::Value => "value",
            Sort::Counter => "counter",
            Sort::Field => "field",
            Sort::Function => "function",
            Sort::Event => "event",
            Sort::Permission => "permission",
            Sort::Scope => "scope",
            Sort::Window => "window",
            Sort::Period => "period",
            Sort::Zone => "zone",
            Sort::Role => "role",
            Sort::Class => "class",
            Sort::Enumeration => "enumeration",
            Sort::Variable => "variable",
            Sort::Program => "program",
            Sort::Action => "action",
            Sort::Option => "option",
            Sort::Player => "player",
        }
    }

    /// Whether cards may be written with any of them; of the other sorts only those that have English or that a card uses.
    fn is_for_cards(self) -> bool {
        match self {
            Sort::Noun
            | Sort::Adjective
            | Sort::Word
            | Sort::Member
            | Sort::Kind
            | Sort::Timing
            | Sort::Cost
            | Sort::Verb
            | Sort::Template
            | Sort::Value
            | Sort::Event
            | Sort::Permission
            | Sort::Scope
            | Sort::Window
            | Sort::Period
            | Sort::Zone => true,
            Sort::Counter
            | Sort::Field
            | Sort::Function
            | Sort::Role
            | Sort::Class
            | Sort::Enumeration
            | Sort::Variable
            | Sort::Program
            | Sort::Action
            | Sort::Option
            | Sort::Player => false,
        }
    }
}

/// One name of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    pub name: String,
    /// The title of the card that owns it: nobody else can name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The set of that card.
    #[serde(skip)]
    pub set: Option<String>,
    /// The other form of a noun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plural: Option<String>,
    pub sort: Sort,
    /// What it belongs to: the enumeration of a member, `card` or `player` for what these have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Each with its type.
    pub params: Vec<(String, String)>,
    /// The type of what it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gives: Option<String>,
    /// How texts print it, with its parameters in braces; empty where it has no English.
    pub english: String,
    /// What the lines above it say.
    pub meaning: String,
    /// Rules that it is there for.
    pub rules: Vec<String>,
    pub file: String,
    /// From 1.
    pub line: usize,
    /// Titles of cards that use it, at most [`MOST_CARDS`].
    pub cards: Vec<String>,
    /// How many cards use it.
    pub uses: usize,
    /// How many lines its definition has.
    #[serde(skip)]
    pub lines: usize,
    /// Its name where it is defined.
    #[serde(skip)]
    pub span: Span,
    /// Its names as the parser gives them.
    #[serde(skip)]
    keys: Vec<String>,
}

pub const MOST_CARDS: usize = 3;

impl Entry {
    /// Whether a card could be written with it.
    pub fn is_for_cards(&self) -> bool {
        self.owner.is_none() && self.is_of_use()
    }

    fn is_of_use(&self) -> bool {
        self.sort.is_for_cards() || self.uses > 0 || (self.sort == Sort::Function || self.sort == Sort::Counter) && !self.english.is_empty()
    }

    fn is_called(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key == name)
    }

    /// The name with its parameters and its type, as a call of it is written.
    pub fn signature(&self) -> String {
        let mut said = self.name.clone();
        said.extend(self.plural.iter().map(|plural| format!("/{plural}")));
        if !self.params.is_empty() {
            let params: Vec<String> =
                self.params.iter().map(|(name, ty)| if ty.is_empty() { name.clone() } else { format!("{name}: {ty}") }).collect();
            said += &format!("({})", params.join(", "));
        }
        said.extend(self.gives.iter().map(|ty| format!(": {ty}")));
        said
    }
}

/// A card where it is written.
#[derive(Clone, Debug)]
pub struct CardEntry {
    pub title: String,
    /// How many lines it has, with all that stands in it.
    pub lines: usize,
    pub span: Span,
}

/// All names and cards of a game.
#[derive(Default, Debug)]
pub struct Vocabulary {
    entries: Vec<Entry>,
    cards: Vec<CardEntry>,
    /// Places of entries by name; of nouns by both forms, of options also by their choices, of values by what they are for.
    by_name: HashMap<String, Vec<usize>>,
}

impl Vocabulary {
    /// The vocabulary of sources; items that cannot be read are left out.
    pub fn read(files: &[SourceFile]) -> Vocabulary {
        Vocabulary::new(files, &parser::parse_game(files))
    }

    /// The same of what was parsed already; spans count the files.
    fn new(files: &[SourceFile], items: &[Item]) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        let lines: Vec<Lines<'_>> = files.iter().map(|file| Lines::of(&file.text)).collect();
        for (item, owner) in with_owners(items) {
            let Some((file, lines)) = files.get(item.span.file as usize).zip(lines.get(item.span.file as usize)) else { continue };
            if let ItemKind::Card(card) = &item.kind {
                let lines = own::lines(&file.text, item.span);
                vocabulary.cards.push(CardEntry { title: card.title.text.clone(), lines, span: card.title.span });
                continue;
            }
            let meaning = comment_above(lines, item.span);
            for entry in entries::of(item) {
                let line = lines.line(entry.span.start as usize) + 1;
                let set = owner.and_then(|card| Some(card.set.as_ref()?.text.clone()));
                let owner = owner.map(|card| card.title.text.clone());
                let lines = own::lines(&file.text, item.span);
                vocabulary.add(Entry { file: file.name.clone(), line, lines, owner, set, meaning: meaning.clone(), ..entry });
            }
        }
        vocabulary.spell(items);
        vocabulary.find_uses(items);
        vocabulary
    }

    fn add(&mut self, entry: Entry) {
        // A word may stand in several lines; where it is first is where it is told of.
        if entry.keys.first().is_some_and(|key| self.named(key).any(|known| known.sort == entry.sort)) {
            return;
        }
        let at = self.entries.len();
        // What a value is for has its name wherever the value is changed.
        let inner = entry.params.iter().map(|(name, _)| name).filter(|_| matches!(entry.sort, Sort::Option | Sort::Value));
        for name in entry.keys.iter().chain(inner) {
            self.by_name.entry(name.clone()).or_default().push(at);
        }
        self.entries.push(entry);
    }

    /// Words that are printed otherwise than they are written.
    fn spell(&mut self, items: &[Item]) {
        for item in items {
            if let ItemKind::Spelled { word, says } = &item.kind
                && let Some(at) = self.place(&word.text, Place::Word)
            {
                self.entries[at].english = says.clone();
            }
        }
    }

    /// Which cards use what, themselves or by a template.
    fn find_uses(&mut self, items: &[Item]) {
        let resolved = |item: &Item| -> BTreeSet<usize> {
            references(item).iter().filter(|used| used.bound.is_none()).filter_map(|used| self.place(used.name, used.place)).collect()
        };
        let mut templates: HashMap<usize, BTreeSet<usize>> = HashMap::new();
        let mut cards: Vec<(&str, BTreeSet<usize>)> = Vec::new();
        for (item, owner) in with_owners(items) {
            match &item.kind {
                ItemKind::Template { name, .. } => {
                    templates.extend(self.place(&name.text, Place::Template).map(|at| (at, resolved(item))));
                }
                ItemKind::Card(card) => cards.push((&card.title.text, resolved(item))),
                // What a card owns is part of it.
                _ if owner.is_some() => cards.iter_mut().rev().take(1).for_each(|(_, own)| own.extend(resolved(item))),
                _ => {}
            }
        }
        let (mut direct, mut indirect) = (vec![Vec::new(); self.entries.len()], vec![Vec::new(); self.entries.len()]);
        for (title, own) in &cards {
            own.iter().for_each(|at| direct[*at].push(*title));
            through(&templates, own).iter().for_each(|at| indirect[*at].push(*title));
        }
        for ((entry, direct), indirect) in self.entries.iter_mut().zip(direct).zip(indirect) {
            entry.uses = direct.len() + indirect.len();
            for title in direct.into_iter().chain(indirect) {
                if entry.cards.len() < MOST_CARDS && !entry.cards.iter().any(|known| known == title) {
                    entry.cards.push(title.to_string());
                }
            }
        }
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn cards(&self) -> &[CardEntry] {
        &self.cards
    }

    /// What a name stands for where it is written.
    pub fn meant(&self, name: &str, place: Place) -> Option<&Entry> {
        self.place(name, place).map(|at| &self.entries[at])
    }

    /// All that is called so, as its card writes it where one owns it; what everybody can name comes first.
    pub fn written(&self, name: &str) -> impl Iterator<Item = &Entry> {
        let owned =
            self.entries.iter().filter(move |entry| entry.owner.is_some() && (entry.name == name || entry.plural.as_deref() == Some(name)));
        self.named(name).chain(owned)
    }

    /// All that has a name, as the parser gives it.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Entry> {
        self.by_name.get(name).into_iter().flatten().map(|at| &self.entries[*at]).filter(move |entry| entry.is_called(name))
    }

    fn place(&self, name: &str, place: Place) -> Option<usize> {
        let printed = name.strip_prefix("printed_").filter(|_| place == Place::Property && !self.by_name.contains_key(name));
        let known = self.by_name.get(printed.unwrap_or(name))?;
        let rank = |at: &usize| place.sorts().iter().position(|sort| *sort == self.entries[*at].sort);
        let called = |at: &usize| matches!(place, Place::Expression | Place::Told) || self.entries[*at].is_called(printed.unwrap_or(name));
        known.iter().filter(|at| rank(at).is_some() && called(at)).min_by_key(|at| rank(at)).copied()
    }
}

impl Place {
    /// What a name can stand for there, what goes before first.
    pub fn sorts(self) -> &'static [Sort] {
        match self {
            Place::Word => &[Sort::Word, Sort::Member],
            Place::Enumeration => &[Sort::Enumeration],
            Place::Phrase => &[Sort::Noun, Sort::Adjective, Sort::Word, Sort::Member],
            Place::Kind => &[Sort::Kind],
            Place::Timing => &[Sort::Timing],
            Place::Cost => &[Sort::Cost],
            Place::Value => &[Sort::Value],
            Place::Fact => &[Sort::Value, Sort::Template, Sort::Enumeration],
            Place::Template => &[Sort::Template],
            Place::Event => &[Sort::Event],
            Place::Scope => &[Sort::Scope],
            Place::Permission => &[Sort::Permission],
            Place::Window => &[Sort::Window],
            Place::Period => &[Sort::Period],
            Place::Class => &[Sort::Class],
            Place::Variable => &[Sort::Variable],
            Place::Program => &[Sort::Verb, Sort::Program, Sort::Function, Sort::Value, Sort::Zone],
            Place::Call => &[Sort::Function, Sort::Value, Sort::Zone, Sort::Verb, Sort::Program],
            Place::Property => &[Sort::Counter, Sort::Field, Sort::Value, Sort::Enumeration, Sort::Zone, Sort::Variable, Sort::Function],
            Place::Is => &[Sort::Word, Sort::Member, Sort::Variable, Sort::Function],
            Place::Expression | Place::Told => &[
                Sort::Variable,
                Sort::Player,
                Sort::Zone,
                Sort::Function,
                Sort::Word,
                Sort::Member,
                Sort::Window,
                Sort::Class,
                Sort::Role,
                Sort::Option,
                Sort::Value,
            ],
            Place::Title => &[],
        }
    }
}

/// The names that an item declares, as far as it tells by itself: not where it stands, what is said above it and who uses it.
pub fn declared(item: &Item) -> Vec<Entry> {
    entries::of(item)
}

/// Items, each with the card that owns it; they stand behind their card.
fn with_owners(items: &[Item]) -> impl Iterator<Item = (&Item, Option<&Card>)> {
    let mut card: Option<(&Card, Span)> = None;
    items.iter().map(move |item| {
        let inside = card.filter(|(_, whole)| whole.file == item.span.file && whole.start < item.span.start && item.span.end <= whole.end);
        if let ItemKind::Card(own) = &item.kind {
            card = Some((own, item.span));
        }
        (item, inside.map(|(card, _)| card))
    })
}

/// What a card uses by the templates among what it uses, and by theirs.
fn through(templates: &HashMap<usize, BTreeSet<usize>>, own: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open: Vec<usize> = own.iter().copied().collect();
    while let Some(at) = open.pop() {
        for inner in templates.get(&at).into_iter().flatten() {
            if !own.contains(inner) && found.insert(*inner) {
                open.push(*inner);
            }
        }
    }
    found
}

/// The lines of comment that stand directly above an item; lines that only divide a file say nothing of it.
fn comment_above(lines: &Lines<'_>, item: Span) -> String {
    let mut said: Vec<&str> = Vec::new();
    for line in (0..lines.line(item.start as usize)).rev() {
        let Some(comment) = lines.text(line).trim_start().strip_prefix('#') else { break };
        let comment = comment.trim();
        if comment.starts_with("--") {
            break;
        }
        // A mark for the cookbook is about the ability below it.
        if !comment.starts_with("print:") {
            said.push(comment);
        }
    }
    said.reverse();
    said.join(" ")
}
