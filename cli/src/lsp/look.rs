//! What stands at a place of a document: a name of the game, a card, a rule, a word of the language.

use super::desk::{Desk, Known};
use std::path::Path;
use trilogy_saga::ast::{Item, ItemKind};
use trilogy_saga::diagnostics::Span;
use trilogy_saga::lexer::{Tok, Token, raw};
use trilogy_saga::parser::parse;
use trilogy_saga::references::{Place, references};
use trilogy_saga::source::{rule_ids, rule_text};
use trilogy_saga::table;
use trilogy_saga::vocabulary::Entry;

/// What a place leads to.
pub(super) enum Found<'a> {
    Entry(&'a Entry),
    Cards(String),
    Rule(String),
    /// A name of the item's own, bound there.
    Bound(Span),
    /// A word of the language itself: how it is written and what it means.
    Language(String, &'static str),
}

/// What stands at a byte of a document, and where it begins and ends.
pub(super) fn at<'a>(known: &'a Known, path: &Path, text: &str, byte: usize) -> Option<(Found<'a>, Span)> {
    if path.extension().is_some_and(|ending| ending == "saga") {
        in_source(known, path, text, byte)
    } else {
        in_scenario(known, text, byte)
    }
}

fn in_source<'a>(known: &'a Known, path: &Path, text: &str, byte: usize) -> Option<(Found<'a>, Span)> {
    let token = token_at(&raw(0, text).0, byte)?;
    let found = match &token.tok {
        Tok::Cite(rule) => Found::Rule(rule.clone()),
        Tok::Str(title) if known.vocabulary.cards().iter().any(|card| card.title == *title) => Found::Cards(title.clone()),
        Tok::Str(_) => {
            let inside = Span { start: token.span.start + 1, end: token.span.end.saturating_sub(1), ..token.span };
            return in_text(known, text, inside, byte);
        }
        Tok::Name(name) => of_name(known, path, text, name, token.span)?,
        _ => return None,
    };
    Some((found, token.span))
}

fn token_at(tokens: &[Token], byte: usize) -> Option<Token> {
    let covers = |token: &&Token| token.span.start as usize <= byte && byte <= token.span.end as usize;
    // Between two tokens the name is meant, not the sign.
    let rank = |token: &&Token| matches!(token.tok, Tok::Name(_) | Tok::Str(_) | Tok::Cite(_));
    tokens.iter().filter(covers).max_by_key(rank).cloned()
}

fn of_name<'a>(known: &'a Known, path: &Path, text: &str, name: &str, span: Span) -> Option<Found<'a>> {
    let items = parse(0, text).0;
    let item = items.iter().find(|item| item.span.start <= span.start && span.end <= item.span.end);
    // What a card owns stands behind it, inside its span.
    let around = items.iter().filter(|item| item.span.start <= span.start && span.end <= item.span.end);
    let used = around.flat_map(references).find(|used| used.span == span);
    if let Some(bound) = used.as_ref().and_then(|used| used.bound) {
        return Some(Found::Bound(bound));
    }
    // The document alone does not tell what a twin in another file owns: that goes before what everybody can name.
    if let Some(entry) = owned_around(known, &items, name, span) {
        return Some(Found::Entry(entry));
    }
    if let Some(entry) = used.as_ref().and_then(|used| known.vocabulary.meant(used.name, used.place)) {
        return Some(Found::Entry(entry));
    }
    if used.is_some_and(|used| used.place == Place::Told) {
        return Some(Found::Bound(span));
    }
    let of_language = language(name);
    // A name that declares, or stands in an item that cannot be read.
    let here = |entry: &&Entry| known.path_of(entry.span.file).is_some_and(|(own, _)| own == path) && entry.span.start == span.start;
    let declared = known.vocabulary.written(name).find(here);
    let opens = item.is_some_and(|item| item.span.start == span.start);
    let named = declared.or_else(|| known.vocabulary.written(name).next().filter(|_| !opens));
    named.map(Found::Entry).or(of_language)
}

/// What the card around a place owns by a name. Cards of one title share that, also where they stand in different files.
fn owned_around<'a>(known: &'a Known, items: &[Item], name: &str, span: Span) -> Option<&'a Entry> {
    let title = items.iter().find_map(|item| match &item.kind {
        ItemKind::Card(card) if item.span.start <= span.start && span.end <= item.span.end => Some(card.title.text.as_str()),
        _ => None,
    })?;
    known.vocabulary.written(name).find(|entry| entry.owner.as_deref() == Some(title))
}

/// A word of the language, as the manual has it.
fn language(name: &str) -> Option<Found<'static>> {
    if let Some(callable) = table::callable(name) {
        return Some(Found::Language(callable.name.to_string(), callable.doc));
    }
    let rows = [table::ITEMS, table::ABILITIES, table::STATEMENTS, table::EXPRESSIONS];
    let row = rows.into_iter().flatten().find(|row| row.name == name)?;
    Some(Found::Language(row.syntax.to_string(), row.doc))
}

/// The title of a card, or a name in a hole.
fn in_text<'a>(known: &'a Known, text: &str, inside: Span, byte: usize) -> Option<(Found<'a>, Span)> {
    let (start, end) = (inside.start as usize, (inside.end as usize).max(inside.start as usize));
    let said = text.get(start..end)?;
    let at = byte.checked_sub(start)?;
    let place = |from: usize, to: usize| Span { start: (start + from) as u32, end: (start + to) as u32, ..inside };
    if let Some((title, from)) = title_at(known, said, at) {
        return Some((Found::Cards(title.to_string()), place(from, from + title.len())));
    }
    let holes = |sign: char| said.get(..at).map_or(0, |before| before.matches(sign).count());
    let (from, to) = word_at(said, at, &['_'])?;
    if holes('{') <= holes('}') {
        return None;
    }
    let owned = owned_around(known, &parse(0, text).0, &said[from..to], inside);
    let entry = owned.or_else(|| known.vocabulary.written(&said[from..to]).next())?;
    Some((Found::Entry(entry), place(from, to)))
}

fn in_scenario<'a>(known: &'a Known, text: &str, byte: usize) -> Option<(Found<'a>, Span)> {
    let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or("");
    let at = byte - start;
    let place = |from: usize, to: usize| Span { file: 0, start: (start + from) as u32, end: (start + to) as u32 };
    if let Some((title, from)) = title_at(known, line, at) {
        return Some((Found::Cards(title.to_string()), place(from, from + title.len())));
    }
    let (from, to) = word_at(line, at, &['_', '.', '-'])?;
    if line[from..to].contains('.') && rule_ids(&known.rulebook().1).contains(&line[from..to]) {
        return Some((Found::Rule(line[from..to].to_string()), place(from, to)));
    }
    let (from, to) = word_at(line, at, &['_'])?;
    let entry = known.vocabulary.written(&line[from..to]).next()?;
    Some((Found::Entry(entry), place(from, to)))
}

/// The longest title of a card that stands at a place of a line.
fn title_at<'a>(known: &'a Known, line: &str, at: usize) -> Option<(&'a str, usize)> {
    let covering = |title: &'a str| {
        let found = line.match_indices(title).find(|(from, _)| *from <= at && at <= from + title.len());
        found.map(|(from, _)| (title, from))
    };
    let titles = known.vocabulary.cards().iter().map(|card| card.title.as_str()).filter(|title| !title.is_empty());
    titles.filter_map(covering).max_by_key(|(title, _)| title.len())
}

/// The word around a place, of letters, numbers and some signs.
fn word_at(line: &str, at: usize, signs: &[char]) -> Option<(usize, usize)> {
    let inner = |letter: char| letter.is_alphanumeric() || signs.contains(&letter);
    let before = line.get(..at)?.chars().rev().take_while(|letter| inner(*letter)).map(char::len_utf8).sum::<usize>();
    let after = line.get(at..)?.chars().take_while(|letter| inner(*letter)).map(char::len_utf8).sum::<usize>();
    (before + after > 0).then_some((at - before, at + after))
}

/// What is told of it, as Markdown.
pub(super) fn told(desk: &Desk, known: &Known, text: &str, found: &Found<'_>) -> Option<String> {
    Some(match found {
        Found::Entry(entry) => entry_told(entry),
        Found::Cards(title) => {
            let cards = desk.printed(&known.folder, title);
            if cards.is_empty() { format!("**{title}**\n\nIts text is printed once the game compiles.") } else { cards.join("\n\n---\n\n") }
        }
        Found::Rule(rule) => format!("**{rule}**\n\n{}", rule_text(&known.rulebook().1, rule)?),
        Found::Bound(span) => {
            let start = span.start as usize;
            let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
            format!("```saga\n{}\n```", text[line..].lines().next().unwrap_or("").trim())
        }
        Found::Language(syntax, doc) => format!("```saga\n{syntax}\n```\n\n{doc}"),
    })
}

pub(super) fn entry_told(entry: &Entry) -> String {
    let of = entry.of.as_ref().map_or(String::new(), |of| format!(" of {of}"));
    let mut parts = vec![format!("```saga\n{}\n```\n{}{of}", entry.signature(), entry.sort.name())];
    parts.extend((!entry.english.is_empty()).then(|| format!("\u{201c}{}\u{201d}", entry.english)));
    parts.extend(entry.owner.as_ref().map(|title| format!("{title} alone has it.")));
    parts.extend((!entry.meaning.is_empty()).then(|| entry.meaning.clone()));
    parts.extend((!entry.cards.is_empty()).then(|| {
        let more = if entry.uses > entry.cards.len() { format!(" and {} more", entry.uses - entry.cards.len()) } else { String::new() };
        format!("Cards: {}{more}", entry.cards.join(", "))
    }));
    parts.extend((!entry.rules.is_empty()).then(|| format!("Rules: {}", entry.rules.join(", "))));
    parts.join("\n\n")
}
