//! What could be written at a place: guessed from the words before it, since what is being written does not parse yet.

use super::desk::Known;
use super::look::entry_told;
use lsp_types::{CompletionItem, CompletionItemKind, CompletionItemLabelDetails, Documentation, MarkupContent, MarkupKind};
use std::collections::BTreeSet;
use trilogy_saga::lexer::{Tok, Token, raw};
use trilogy_saga::source::rule_ids;
use trilogy_saga::table::{self, Construct};
use trilogy_saga::vocabulary::{Entry, Sort};

/// What is wanted at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    /// Names of these sorts, and these words of the language.
    Names(&'static [Sort], &'static [&'static str]),
    /// The start of an item.
    Item,
    /// A line of a card or template.
    Ability,
    /// A line of a program.
    Statement,
    /// Anything that has a value.
    Expression,
    Title,
    Rule,
    Nothing,
}

const PHRASE: Wanted =
    Wanted::Names(&[Sort::Noun, Sort::Adjective, Sort::Word, Sort::Member], &["your", "opponents", "other", "not", "in", "named", "with"]);
/// What cards most often own.
const OWN: [&str; 7] = ["adjective", "cost", "def", "noun", "proc", "template", "timing"];
const WORDS: Wanted = Wanted::Names(&[Sort::Word, Sort::Member], &["not"]);
const VALUES: Wanted = Wanted::Names(&[Sort::Value], &[]);
const COSTS: Wanted = Wanted::Names(&[Sort::Cost], &[]);
const PROPERTIES: Wanted = Wanted::Names(
    &[Sort::Value, Sort::Counter, Sort::Field, Sort::Enumeration, Sort::Zone, Sort::Function],
    &["owner", "controller", "zone", "facedown", "parent", "name", "opponent", "cards", "size", "first", "last"],
);

/// What can be written at a byte of a text. `unasked`: only a blank was written, so that nothing is offered but where few things fit.
pub(super) fn complete(known: &Known, text: &str, byte: usize, unasked: bool) -> Vec<CompletionItem> {
    let card = card_around(text, byte);
    // What a card owns nobody else can name.
    let can_be_named = |entry: &&Entry| entry.owner.is_none() || entry.owner == card;
    let of = |sorts: &'static [Sort]| {
        known.vocabulary.entries().iter().filter(|entry| sorts.contains(&entry.sort)).filter(can_be_named).map(named)
    };
    let rows = |rows: &'static [Construct]| rows.iter().filter(|row| row.name.starts_with(|c: char| c.is_lowercase())).map(construct);
    match wanted(known, text, byte) {
        Wanted::Item | Wanted::Ability | Wanted::Statement | Wanted::Expression if unasked => Vec::new(),
        Wanted::Names(sorts, words) => of(sorts).chain(words.iter().map(|word| keyword(word))).collect(),
        Wanted::Item => rows(table::ITEMS).collect(),
        Wanted::Ability => of(&[Sort::Kind, Sort::Template, Sort::Value])
            .chain(rows(table::ABILITIES))
            .chain(["set", "brings", "lore", "self"].map(keyword))
            .chain(rows(table::ITEMS).filter(|row| OWN.contains(&row.label.as_str())))
            .collect(),
        Wanted::Statement => of(&[Sort::Verb, Sort::Program])
            .chain(of(&[Sort::Variable]))
            .chain(callables(true))
            .chain(rows(table::STATEMENTS))
            .chain(own_names(text, byte))
            .collect(),
        Wanted::Expression => {
            of(&[Sort::Function, Sort::Variable, Sort::Zone, Sort::Word, Sort::Member, Sort::Window, Sort::Role, Sort::Player, Sort::Value])
                .chain(callables(false))
                .chain(["you", "opponent", "self", "it", "none", "true", "false", "not", "and", "or", "if", "can"].map(keyword))
                .chain(own_names(text, byte))
                .collect()
        }
        Wanted::Title => {
            let titles: BTreeSet<&str> = known.vocabulary.cards().iter().map(|card| card.title.as_str()).collect();
            titles.into_iter().map(|title| item(title, CompletionItemKind::CONSTANT, "card")).collect()
        }
        Wanted::Rule => rule_ids(&known.rulebook().1).iter().map(|rule| item(rule, CompletionItemKind::REFERENCE, "rule")).collect(),
        Wanted::Nothing => Vec::new(),
    }
}

fn wanted(known: &Known, text: &str, byte: usize) -> Wanted {
    let before = &text[..text.floor_char_boundary(byte)];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let written = &before[line..];
    // Everything from the item that is open: brackets and blocks may have been opened lines ago.
    let start = item_start(before);
    let tokens = raw(0, &before[start..]).0;
    if matches!(tokens.last(), Some(token) if matches!(token.tok, Tok::Comment(_))) && !before.ends_with('\n') {
        return Wanted::Nothing;
    }
    if written.replace("\\\"", "").matches('"').count() % 2 == 1 {
        return inside_text(&before[start..]);
    }
    if written.rsplit(|c: char| c.is_whitespace()).next().is_some_and(|word| word.starts_with('@')) {
        return Wanted::Rule;
    }
    let partial = before.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
    let whole = tokens.len() - usize::from(partial && !tokens.is_empty());
    let tokens = &tokens[..whole];
    if written.trim_start().chars().all(|c| c.is_alphanumeric() || c == '_') && open_bracket(tokens).is_none() {
        return line_start(tokens, written);
    }
    inside_line(known, tokens)
}

/// Where the item begins that is open at the end of a text.
fn item_start(before: &str) -> usize {
    let opens = |at: &usize| before[*at..].starts_with(|c: char| !c.is_whitespace() && c != '#');
    before.match_indices('\n').map(|(at, _)| at + 1).rfind(opens).unwrap_or(0)
}

/// The title of the card that a place stands in.
fn card_around(text: &str, byte: usize) -> Option<String> {
    let before = &text[..text.floor_char_boundary(byte)];
    match &raw(0, &before[item_start(before)..]).0[..] {
        [head, Token { tok: Tok::Str(title), .. }, ..] if word(head) == "card" => Some(title.clone()),
        _ => None,
    }
}

/// In a text a hole wants a value; only where a text names a card are titles of use.
fn inside_text(item: &str) -> Wanted {
    let Some((before, said)) = item.rsplit_once('"') else { return Wanted::Nothing };
    if said.matches('{').count() > said.matches('}').count() {
        return Wanted::Expression;
    }
    let tokens = raw(0, before).0;
    let line = tokens.rsplit(|token| token.tok == Tok::Newline).next().unwrap_or_default();
    let named = match line.last().map(|token| &token.tok) {
        Some(Tok::Name(name)) => name == "named" || name == "brings",
        Some(Tok::Comma) => open_bracket(&tokens).is_some() || word(&line[0]) == "brings",
        Some(Tok::Open | Tok::Equal | Tok::NotEqual) => true,
        _ => false,
    };
    if named { Wanted::Title } else { Wanted::Nothing }
}

/// The last bracket that was opened and not closed.
fn open_bracket(tokens: &[Token]) -> Option<usize> {
    let mut closed = 0;
    tokens.iter().rposition(|token| {
        closed -= token.tok.opens();
        closed < 0
    })
}

fn word(token: &Token) -> &str {
    if let Tok::Name(name) = &token.tok { name } else { "" }
}

/// The first word of a line: by the item it is in, and by whether the line above opens a program.
fn line_start(tokens: &[Token], written: &str) -> Wanted {
    if !written.starts_with([' ', '\t']) {
        return Wanted::Item;
    }
    let code: Vec<&Token> = tokens.iter().filter(|token| !matches!(token.tok, Tok::Comment(_))).collect();
    let last_line = code.iter().rposition(|token| token.tok != Tok::Newline).map_or(&code[..0], |at| &code[..=at]);
    let opens = trilogy_saga::lexer::opens_block(last_line.iter().map(|token| &token.tok));
    let first_of_last =
        last_line.rsplit(|token| token.tok == Tok::Newline).next().and_then(|line| line.first()).map_or("", |token| word(token));
    let deep = written.len() - written.trim_start().len() > 2;
    match code.first().map_or("", |token| word(token)) {
        "card" | "template" if opens && first_of_last == "in" => Wanted::Ability,
        "card" | "template" if opens || deep => Wanted::Statement,
        "card" | "template" => Wanted::Ability,
        "proc" => Wanted::Statement,
        "cost" | "action" if opens || deep => Wanted::Statement,
        "timing" => Wanted::Names(&[], &["in", "require", "once", "worth"]),
        "kind" => Wanted::Names(&[], &["scope", "in", "pay", "steps"]),
        "cost" => Wanted::Names(&[], &["require", "do"]),
        "action" => Wanted::Names(&[], &["in", "from", "to", "require", "once", "worth", "usual", "warning", "do"]),
        _ => Wanted::Expression,
    }
}

fn inside_line(known: &Known, tokens: &[Token]) -> Wanted {
    let line_at = tokens.iter().rposition(|token| token.tok == Tok::Newline).map_or(0, |at| at + 1);
    let line = &tokens[line_at..];
    let head = tokens.first().map_or("", word);
    let Some(last) = tokens.last() else { return Wanted::Item };
    if last.tok == Tok::Dot {
        return PROPERTIES;
    }
    let first = line.first().map_or("", word);
    let last_word = word(last);
    let bracket = open_bracket(tokens);
    if let Some(at) = bracket.filter(|at| tokens[*at].tok == Tok::OpenPhrase) {
        return inside_phrase(&tokens[at + 1..]);
    }
    let is_kind = |name: &str| known.vocabulary.named(name).any(|entry| entry.sort == Sort::Kind);
    match last_word {
        "pay" => COSTS,
        "gets" => VALUES,
        "is" | "treat_as" => WORDS,
        "not" if line.len() > 1 && word(&line[line.len() - 2]) == "is" => WORDS,
        "forbid" | "allow" | "can" => Wanted::Names(&[Sort::Permission], &[]),
        "emit" => Wanted::Names(&[Sort::Event], &[]),
        "when" if matches!(first, "when" | "rule" | "once") && !line.iter().any(|token| ["forbid", "allow"].contains(&word(token))) => {
            Wanted::Names(&[Sort::Event], &[])
        }
        "per" | "end" => Wanted::Names(&[Sort::Period], &[]),
        "until" if first == "until" => Wanted::Names(&[Sort::Period], &[]),
        "scope" => Wanted::Names(&[Sort::Scope], &[]),
        "in" if line.len() == 1 && matches!(head, "card" | "template") => Wanted::Names(&[Sort::Scope], &[]),
        "in" if line.len() == 1 => Wanted::Names(&[Sort::Window], &[]),
        "of" if line.iter().any(|token| word(token) == "instead") => Wanted::Names(&[Sort::Verb, Sort::Program], &[]),
        "respond" => Wanted::Names(&[Sort::Program, Sort::Verb], &[]),
        _ if last.tok == Tok::Comma && bracket.is_none() => listed(head, line),
        _ if last.tok == Tok::Colon && head == "card" && line_at == 0 => Wanted::Names(&[Sort::Word], &[]),
        _ if last.tok == Tok::Colon && bracket.is_none() => Wanted::Statement,
        _ if head == "card" && line_at == 0 && !line.iter().any(|token| token.tok == Tok::Colon) => Wanted::Names(&[Sort::Member], &[]),
        _ if line.len() == 1 && is_kind(first) => Wanted::Names(&[Sort::Timing], &["target", "pay", "require"]),
        _ => Wanted::Expression,
    }
}

/// Behind a comma that stands in no brackets: more of what the line lists.
fn listed(head: &str, line: &[Token]) -> Wanted {
    let opened = line.iter().rev().map(word).find(|word| ["pay", "gets", "treat_as", "in", "with", "steps", "brings"].contains(word));
    match opened {
        Some("pay") => COSTS,
        Some("gets") => VALUES,
        Some("treat_as") => WORDS,
        Some("in") => Wanted::Names(&[Sort::Window], &[]),
        Some("with") => Wanted::Names(&[Sort::Variable], &[]),
        Some("steps") => Wanted::Names(&[], &["could", "target", "pay", "respond", "effect"]),
        Some("brings") => Wanted::Title,
        _ if head == "card" && word(&line[0]) == "card" => Wanted::Names(&[Sort::Word], &[]),
        _ if head == "card" => Wanted::Names(&[Sort::Value, Sort::Template], &[]),
        _ => Wanted::Expression,
    }
}

fn inside_phrase(tokens: &[Token]) -> Wanted {
    match tokens.iter().rev().map(word).find(|word| ["with", "in", "named"].contains(word)) {
        Some("with") => Wanted::Expression,
        Some("in") => Wanted::Names(&[Sort::Zone], &["you", "opponent"]),
        Some("named") if tokens.last().is_some_and(|token| word(token) == "named") => Wanted::Title,
        _ => PHRASE,
    }
}

/// Parameters, targets and what programs remember, as far as they stand before a place.
fn own_names(text: &str, byte: usize) -> impl Iterator<Item = CompletionItem> {
    let before = &text[..text.floor_char_boundary(byte)];
    let start = item_start(before);
    let tokens = raw(0, &before[start..]).0;
    let binds = |at: usize| match &tokens[at..] {
        [a, name, b, ..] if matches!(name.tok, Tok::Name(_)) => {
            let param = matches!(a.tok, Tok::Open | Tok::Comma) && b.tok == Tok::Colon;
            let bound = ["let", "for", "number", "order", "target", "choose"].contains(&word(a)) && word(name) != "up";
            (param || bound).then(|| word(name).to_string())
        }
        _ => None,
    };
    let names: BTreeSet<String> = (0..tokens.len()).filter_map(binds).collect();
    names.into_iter().map(|name| item(&name, CompletionItemKind::VARIABLE, "a name of this item"))
}

fn callables(acting: bool) -> impl Iterator<Item = CompletionItem> {
    table::CALLABLES.iter().filter(move |callable| callable.acts == acting).map(|callable| CompletionItem {
        documentation: Some(markdown(callable.doc.to_string())),
        ..item(callable.name, CompletionItemKind::FUNCTION, "of the language")
    })
}

fn construct(row: &Construct) -> CompletionItem {
    CompletionItem { detail: Some(row.syntax.to_string()), documentation: Some(markdown(row.doc.to_string())), ..keyword(row.name) }
}

fn keyword(word: &str) -> CompletionItem {
    item(word, CompletionItemKind::KEYWORD, "of the language")
}

fn item(label: &str, kind: CompletionItemKind, detail: &str) -> CompletionItem {
    CompletionItem { label: label.to_string(), kind: Some(kind), detail: Some(detail.to_string()), ..CompletionItem::default() }
}

/// A name of the game, with its English beside it.
fn named(entry: &Entry) -> CompletionItem {
    // A phrase reads best with the form that most cards use.
    let label = entry.plural.as_deref().unwrap_or(&entry.name);
    let english = (!entry.english.is_empty()).then(|| entry.english.clone());
    CompletionItem {
        detail: Some(match &english {
            Some(english) => format!("{} \u{201c}{english}\u{201d}", entry.sort.name()),
            None => format!("{} {}", entry.sort.name(), entry.signature()),
        }),
        label_details: Some(CompletionItemLabelDetails { detail: None, description: english }),
        documentation: Some(markdown(entry_told(entry))),
        // What cards use comes before what only the rules do.
        sort_text: Some(format!("{}{label}", if entry.uses > 0 { 0 } else { 1 })),
        filter_text: entry.plural.as_ref().map(|plural| format!("{plural} {}", entry.name)),
        ..item(label, kind(entry.sort), "")
    }
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}

fn kind(sort: Sort) -> CompletionItemKind {
    match sort {
        Sort::Noun => CompletionItemKind::CLASS,
        Sort::Adjective => CompletionItemKind::PROPERTY,
        Sort::Word | Sort::Member | Sort::Player => CompletionItemKind::ENUM_MEMBER,
        Sort::Kind | Sort::Timing | Sort::Template => CompletionItemKind::SNIPPET,
        Sort::Cost | Sort::Function => CompletionItemKind::FUNCTION,
        Sort::Verb | Sort::Program | Sort::Action => CompletionItemKind::METHOD,
        Sort::Value | Sort::Counter | Sort::Field => CompletionItemKind::FIELD,
        Sort::Event | Sort::Window => CompletionItemKind::EVENT,
        Sort::Permission | Sort::Scope | Sort::Period | Sort::Role | Sort::Class | Sort::Option => CompletionItemKind::CONSTANT,
        Sort::Enumeration => CompletionItemKind::ENUM,
        Sort::Zone | Sort::Variable => CompletionItemKind::VARIABLE,
    }
}
