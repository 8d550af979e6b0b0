//! What cards own: definitions that stand in a card and that nobody else can name. Cards of one title share them, so that
//! a card and its twin on the other side need them once.

use crate::holes::{self, Part};
use crate::lexer::{Tok, Token};
use std::collections::{HashMap, HashSet};

/// Items that can stand in a card.
pub(crate) const ITEMS: [&str; 16] = [
    "adjective",
    "cost",
    "counter",
    "def",
    "event",
    "field",
    "noun",
    "permission",
    "proc",
    "rule",
    "scope",
    "stat",
    "template",
    "timing",
    "var",
    "window",
];

/// What stands between the name of a definition and the title of its card.
const OF: &str = "__";

/// The names that the cards of each title own.
#[derive(Clone, Default)]
pub(crate) struct Owned {
    names: HashMap<String, HashSet<String>>,
}

impl Owned {
    /// Find what the cards of a source own.
    pub(crate) fn find(&mut self, tokens: &[Token]) {
        for card in cards(tokens) {
            let mut depth = 0;
            for (at, token) in tokens[card.from..card.to].iter().enumerate() {
                match token.tok {
                    Tok::Indent => depth += 1,
                    Tok::Dedent => depth -= 1,
                    _ => {}
                }
                let starts = matches!(tokens[card.from + at - 1].tok, Tok::Newline | Tok::Indent | Tok::Dedent);
                if depth != 1 || !starts {
                    continue;
                }
                let own = definition(&tokens[card.from + at..card.to]);
                if !own.is_empty() {
                    self.names.entry(card.title.clone()).or_default().extend(own);
                }
            }
        }
    }

    /// Give what a card owns, wherever that card speaks of it, the name it has for everybody.
    pub(crate) fn mark(&self, tokens: &mut [Token]) {
        for card in cards(tokens) {
            let Some(names) = self.names.get(&card.title) else { continue };
            for token in &mut tokens[card.from..card.to] {
                match &mut token.tok {
                    Tok::Name(name) if names.contains(name) => *name = owned_by(&card.title, name),
                    Tok::Str(text) => *text = mark_text(text, &card.title, names),
                    _ => {}
                }
            }
        }
    }
}

struct Place {
    title: String,
    from: usize,
    to: usize,
}

/// The cards among some tokens, each with the place of what stands behind its title.
fn cards(tokens: &[Token]) -> Vec<Place> {
    let mut starts = Vec::new();
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match &token.tok {
            Tok::Indent => depth += 1,
            Tok::Dedent => depth -= 1,
            Tok::Name(_) if depth == 0 && (at == 0 || matches!(tokens[at - 1].tok, Tok::Newline | Tok::Dedent)) => starts.push(at),
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
    let card = |(from, to): (&usize, usize)| match (&tokens[*from].tok, tokens.get(from + 1).map(|token| &token.tok)) {
        (Tok::Name(head), Some(Tok::Str(title))) if head == "card" => Some(Place { title: title.clone(), from: from + 2, to }),
        _ => None,
    };
    starts.iter().zip(ends).filter_map(card).collect()
}

/// The names that a line of a card defines.
fn definition(line: &[Token]) -> Vec<String> {
    let names: Vec<&str> =
        line.iter().map_while(|token| if let Tok::Name(name) = &token.tok { Some(name.as_str()) } else { None }).take(2).collect();
    match names[..] {
        [head, name] if head != "rule" && ITEMS.contains(&head) => {
            let plural = match (head, line.get(2).map(|token| &token.tok), line.get(3).map(|token| &token.tok)) {
                ("noun", Some(Tok::Slash), Some(Tok::Name(plural))) => Some(plural.clone()),
                _ => None,
            };
            std::iter::once(name.to_string()).chain(plural).collect()
        }
        _ => Vec::new(),
    }
}

fn owned_by(title: &str, name: &str) -> String {
    let title: String = title.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    format!("{name}{OF}{title}")
}

/// Whether a card owns what has this name.
pub(crate) fn is_owned(name: &str) -> bool {
    plain_name(name).len() < name.len()
}

/// A name as its card writes it.
pub(crate) fn plain_name(name: &str) -> &str {
    name.find(OF).filter(|&at| at > 0).map_or(name, |at| &name[..at])
}

/// A message in which the names of definitions stand as their cards write them.
pub(crate) fn plain_message(message: &str) -> String {
    with_words(message, |word| plain_name(word).to_string())
}

/// The names in the holes of a text.
fn mark_text(text: &str, title: &str, names: &HashSet<String>) -> String {
    // What is wrong with a text is told when it is compiled.
    let Ok(parts) = holes::parts(text) else { return text.to_string() };
    let marked = |source: &str| with_words(source, |word| if names.contains(word) { owned_by(title, word) } else { word.to_string() });
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Plain(plain) => out.push_str(plain),
            Part::Value(value) => out += &format!("{{{}}}", marked(value)),
            Part::Plural(value, one, many) => out += &format!("{{{}|{one}|{many}}}", marked(value)),
            Part::When(test, then, otherwise) => {
                out += &format!("{{if {}:{}", marked(test), mark_text(then, title, names));
                if let Some(otherwise) = otherwise {
                    out += &format!("|{}", mark_text(otherwise, title, names));
                }
                out.push('}');
            }
        }
    }
    out
}

/// A text with each of its words replaced.
fn with_words(text: &str, replaced: impl Fn(&str) -> String) -> String {
    let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(word) {
        let end = rest[start..].find(|letter| !word(letter)).map_or(rest.len(), |length| start + length);
        out.push_str(&rest[..start]);
        out.push_str(&replaced(&rest[start..end]));
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    #[test]
    fn what_a_card_owns_is_marked_in_it_and_in_its_twin() {
        let source = "card \"Jawa\" light\n  boost(2)\n  def mine(n: num): num \"{n} at {mine(n)}\" = mine(n)\n\
            card \"Jawa\" dark\n  boost(mine(1))\ncard \"Ewok\" dark\n  boost(mine(1))\n";
        let (mut tokens, _) = lex(0, source);
        let mut owned = Owned::default();
        owned.find(&tokens);
        owned.mark(&mut tokens);
        let names: Vec<&str> =
            tokens.iter().filter_map(|token| if let Tok::Name(name) = &token.tok { Some(name.as_str()) } else { None }).collect();
        assert_eq!(names.iter().filter(|name| **name == "mine__Jawa").count(), 3);
        assert_eq!(names.iter().filter(|name| **name == "mine").count(), 1);
        assert!(tokens.iter().any(|token| token.tok == Tok::Str("{n} at {mine__Jawa(n)}".into())));
        assert_eq!(plain_message("no `mine__Jawa` here"), "no `mine` here");
    }
}
