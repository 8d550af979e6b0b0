//! Syntax to catalogue. First every name is declared, then every body is checked and compiled,
//! so that the order of files and items does not matter. All problems are collected.

mod abilities;
mod beyond;
mod calls;
mod cards;
mod clauses;
mod could;
mod declarations;
mod definitions;
mod empty;
mod expressions;
mod names;
mod phrases;
mod printings;
mod questions;
mod reach;
mod statements;
mod targets;
mod texts;
mod timings;
mod titles;
mod workshop;

use crate::ast::{self, Item, ItemKind, Name};
use crate::diagnostics::{Diagnostic, SourceFile, Span, nearest};
use crate::english::{English, Speaker};
use crate::lines::Lines;
use crate::own::{Owned, plain_message};
use crate::parser::{self, Parsed};
use crate::types::Ty;
pub(crate) use could::mentions;
use declarations::Seen;
pub(crate) use names::{Alias, Aliases, Does, Meaning, Names, PermissionNames, TemplateDef, spaced, with_arguments};
pub use printings::{Printing, PrintingLine};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use trilogy_engine::catalogue::*;
pub use workshop::Workshop;

#[derive(Clone)]
struct Compiler {
    out: Catalogue,
    /// The statement that each instruction comes from.
    op_spans: Vec<Span>,
    names: Names,
    files: Vec<SourceFile>,
    problems: Vec<Diagnostic>,
    interned: HashMap<Expr, ExprId>,
    cite_ids: HashMap<String, CiteId>,
    /// The ids of the rulebook; a citation of another id is an error. None checks nothing.
    known_rules: Option<BTreeSet<String>>,
    /// Arguments of the template that is being expanded.
    aliases: Aliases,
    speaker: Speaker,
    /// What asks where a question has no name of its own: the program or the kind of ability.
    asker: (Asker, String),
    /// What the template that is being expanded says of itself.
    template_label: Option<String>,
    /// Where rules are cited, until that is told by line.
    cited: Vec<(CiteId, Span)>,
    /// The names that cards own.
    owned: Owned,
    /// Templates without parameters that are the text of a card, with the cards that use them: sentences by hand, where the
    /// title is one only.
    by_hand: Vec<(String, DefId)>,
    /// Cards that bring others into a deck, with the titles of those.
    brought: Vec<(DefId, Vec<ast::Text>)>,
    /// The line of text that each ability of a card made.
    printed: Vec<(Span, String)>,
    /// Where cards say in which sets they are.
    printings: Vec<Printing>,
    /// Whether cards may leave out numbers that those of their type print: those of scenarios say only what matters there.
    may_lack_numbers: bool,
}

/// Everything that the sources of a game make, or all that is wrong with them.
pub struct Compiled {
    pub catalogue: Catalogue,
    pub files: Vec<SourceFile>,
    pub problems: Vec<Diagnostic>,
    /// Where the cards of the catalogue say in which sets they are.
    pub printings: Vec<Printing>,
}

/// Compile the sources of one game. `rules` are the ids that may be cited.
pub fn compile(files: Vec<SourceFile>, rules: Option<BTreeSet<String>>) -> Compiled {
    compile_all(files, rules).into_compiled()
}

fn compile_all(mut files: Vec<SourceFile>, rules: Option<BTreeSet<String>>) -> Compiler {
    // Whoever hands them over in another order gets the same catalogue.
    files.sort_by(|a, b| file_order(a).cmp(&file_order(b)));
    let mut owned = Owned::default();
    let Parsed { groups, problems, repeats } =
        parser::parse_all(files.iter().enumerate().map(|(at, file)| (at as u16, file.text.as_str())), &mut owned);
    let items = in_order(groups);
    let mut compiler = Compiler {
        out: Catalogue::default(),
        op_spans: Vec::new(),
        names: Names { repeats, ..Names::default() },
        files,
        problems,
        interned: HashMap::new(),
        cite_ids: HashMap::new(),
        known_rules: rules,
        aliases: Aliases::default(),
        speaker: Default::default(),
        asker: (Asker::Rules, String::new()),
        template_label: None,
        cited: Vec::new(),
        owned,
        by_hand: Vec::new(),
        brought: Vec::new(),
        printed: Vec::new(),
        printings: Vec::new(),
        may_lack_numbers: false,
    };
    compiler.compile_items(items);
    compiler.problems.sort_by_key(|problem| (problem.span.file, problem.span.start));
    compiler.problems.dedup();
    compiler.plain_problems();
    compiler
}

/// Rules first, each group by the names of its files.
fn file_order(file: &SourceFile) -> (bool, &str) {
    (!file.name.starts_with("rules/"), &file.name)
}

/// The items in the order in which they are compiled, on which all numbers of the catalogue depend: what the rules say as it stands, then
/// the cards by set and number with what they own. So a card may stand in any file of its game.
fn in_order(mut groups: Vec<Vec<Item>>) -> Vec<Item> {
    groups.sort_by_cached_key(|group| match group.first().map(|item| &item.kind) {
        Some(ItemKind::Card(card)) => Some(card_order(card)),
        _ => None,
    });
    groups.into_iter().flatten().collect()
}

/// Set, number, title, and the words that tell cards of one title apart.
type CardOrder = (String, u16, String, Vec<String>);

fn card_order(card: &ast::Card) -> CardOrder {
    let text = |name: &Name| name.text.clone();
    (card.set.as_ref().map(text).unwrap_or_default(), card.number, card.title.text.clone(), card.header.iter().map(text).collect())
}

impl Compiler {
    /// Names stand in messages as they were written.
    fn plain_problems(&mut self) {
        for problem in &mut self.problems {
            (problem.message, problem.hint) = (plain_message(&problem.message), plain_message(&problem.hint));
        }
    }

    fn fail(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(span, message.into()));
    }
    fn fail_near<'a>(&mut self, span: Span, message: impl Into<String>, name: &str, known: impl IntoIterator<Item = &'a str>) {
        let problem = Diagnostic::new(span, message.into());
        let problem = match nearest(name, known) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem,
        };
        self.problems.push(problem);
    }
    fn lookup<T: Clone>(&mut self, what: &str, name: &Name, pick: impl Fn(&Names) -> &HashMap<String, T>) -> Option<T> {
        if let Some(found) = pick(&self.names).get(&name.text) {
            return Some(found.clone());
        }
        let known: Vec<String> = pick(&self.names).keys().cloned().collect();
        self.fail_near(name.span, format!("there is no {what} called `{}`", name.text), &name.text, known.iter().map(String::as_str));
        if let (Some(problem), "word") = (self.problems.last_mut(), what)
            && problem.hint.is_empty()
        {
            problem.hint = "a new word goes on a `words` line of the rules, a new name on the line of its `enum`".into();
        }
        None
    }

    /// Give the parameters of a template or cost their arguments; the aliases before come back, to be put back after it.
    fn open_aliases(&mut self, params: &[(String, Ty)], args: &[ast::Expr]) -> Aliases {
        let inside = with_arguments(&self.aliases, params, args);
        std::mem::replace(&mut self.aliases, inside)
    }

    /// The printer, speaking for the card that is being compiled.
    fn english(&mut self) -> English<'_> {
        English { names: &self.names, speaker: &mut self.speaker, aliases: self.aliases.clone(), problems: &mut self.problems }
    }

    fn add(&mut self, expr: Expr) -> ExprId {
        if let Some(&id) = self.interned.get(&expr) {
            return id;
        }
        let id = self.id(self.out.exprs.len(), Span::default());
        Arc::make_mut(&mut self.out.exprs).push(expr);
        self.interned.insert(expr, id);
        id
    }
    fn args(&mut self, ids: &[ExprId]) -> Args {
        let args = Args { start: self.out.args.len() as u32, len: ids.len() as u32 };
        self.out.args.extend_from_slice(ids);
        args
    }
    fn plain_text(&mut self, text: &str) -> TextId {
        self.new_text(vec![Piece::Plain(text.to_string())])
    }
    fn new_text(&mut self, pieces: Vec<Piece>) -> TextId {
        let id = self.id(self.out.texts.len(), Span::default());
        self.out.texts.push(trilogy_engine::catalogue::Text(pieces));
        id
    }

    /// The number of the next place of a table; that there is none left is told at the place that wanted it.
    fn id<T: Id>(&mut self, place: usize, span: Span) -> T {
        T::new(place).unwrap_or_else(|full| {
            self.fail(span, full.to_string());
            T::default()
        })
    }

    fn cite(&mut self, cites: &[Name]) -> Option<CiteId> {
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
            self.cited.push((id, cite.span));
            first.get_or_insert(id);
        }
        first
    }

    /// Where rules are cited, by file and line.
    fn place_cites(&mut self) {
        let mut known: HashMap<u16, Lines> = HashMap::new();
        for (id, span) in self.cited.drain(..) {
            let Some(file) = self.files.get(span.file as usize) else { continue };
            let line = known.entry(span.file).or_insert_with(|| Lines::of(&file.text)).line(span.start as usize) + 1;
            self.out.cited_at.push((id, format!("{}:{line}", file.name)));
        }
        self.out.cited_at.sort();
        self.out.cited_at.dedup();
    }

    fn cite_id(&mut self, rule: &str) -> CiteId {
        if let Some(&id) = self.cite_ids.get(rule) {
            return id;
        }
        let id = self.id(self.out.cites.len(), Span::default());
        self.out.cites.push(rule.to_string());
        self.cite_ids.insert(rule.to_string(), id);
        id
    }

    fn compile_items(&mut self, items: Vec<Item>) {
        self.out.values = ValuePolicy::TimeOrder;
        // Zone 0 is where attached cards are.
        self.out.zones.push(ZoneDef {
            name: "attached".into(),
            english: "attached".into(),
            kind: ZoneKindId::FIRST,
            player: None,
            up: Sight::All,
            down: Sight::Owner,
            live: true,
            acts: true,
            counted: false,
        });
        self.names.zones.insert("attached".into(), (ZoneKindId::FIRST, false));
        self.names.zone_english.insert("attached".into(), "attached".into());
        self.compile_more(&items);
        self.finish();
    }

    fn compile_more(&mut self, items: &[Item]) {
        let mut seen = Seen::new();
        for item in items {
            self.declare(item, &mut seen);
        }
        for item in items {
            if let ItemKind::Enum { name, also: true, members, .. } = &item.kind {
                self.add_members(name, members);
            }
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
        self.try_templates(items);
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

    fn into_compiled(self) -> Compiled {
        Compiled { catalogue: self.out, files: self.files, problems: self.problems, printings: self.printings }
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
        self.place_cites();
        // What is written is read again, and there are bounds to what is read.
        if self.problems.is_empty()
            && let Some(part) = self.out.broken_part()
        {
            self.fail(start, format!("what the rules and cards come to cannot be kept: its {part} are too many or too deep in one"));
        }
        self.out.seal();
        self.out.build_index();
    }
}
