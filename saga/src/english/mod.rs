//! What a program says in English. The text on a card is printed from the same syntax that is compiled,
//! with the words that the rules of the game give to their verbs, nouns, timings and costs.

mod abilities;
mod clauses;
mod nouns;
mod statements;
mod timings;
mod truths;
mod words;

use crate::ast::*;
use crate::compile::{Alias, Aliases, Names, spaced};
use crate::diagnostics::Diagnostic;
use std::collections::{HashMap, HashSet};
use trilogy_engine::WordId;
use words::{article, turned};
pub(crate) use words::{capital, may};

/// The printer: it reads the names of a game, and what it says gives names to things for the speaker.
pub(crate) struct English<'a> {
    pub(crate) names: &'a Names,
    pub(crate) speaker: &'a mut Speaker,
    /// Arguments of the template or cost that is spoken of.
    pub(crate) aliases: Aliases,
    /// What cannot be said is wrong with the program.
    pub(crate) problems: &'a mut Vec<Diagnostic>,
}

/// Who speaks: the card whose text is printed, and the names its text has given to things so far.
#[derive(Clone, Default)]
pub(crate) struct Speaker {
    title: String,
    own: String,
    pub(crate) names: HashMap<String, String>,
    /// Names of what may have been chosen.
    choices: HashSet<String>,
    /// The text is for the opponent of its player: "you" is the other one.
    turned: bool,
}

impl Speaker {
    pub(crate) fn for_card(title: &str, unique: bool, noun: String) -> Speaker {
        // Some cards speak of themselves by their title.
        let own = if unique || noun == "{title}" { title.to_string() } else { format!("this {noun}") };
        Speaker { title: title.to_string(), own, ..Speaker::default() }
    }
    /// What `self` is called from now on.
    pub(crate) fn call_itself(&mut self, own: String) {
        self.own = own;
    }
    pub(crate) fn title(&self) -> &str {
        &self.title
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    /// "one of your units", "a unit"
    One,
    /// "each of your units", "each unit"
    Each,
    /// "your units", "units"
    Many,
}

impl English<'_> {
    /// What is said, as the opponent of its player would put it: "one of your units", not "one of your opponent's units".
    pub(crate) fn seen_by_opponent(&mut self, say: impl Fn(&mut English) -> String) -> String {
        let own = self.speaker.clone();
        self.speaker.turned = true;
        let said = say(self);
        *self.speaker = own;
        said
    }

    /// A keyword among the numbers of a card; printed numbers such as power are no text.
    pub(crate) fn keyword_line(&self, fact: &str, value: Option<i32>) -> Option<String> {
        let english = self.names.stat_english.get(fact)?;
        self.names.keywords.contains(fact).then(|| match value {
            Some(value) => format!("{english} {value}."),
            None => format!("{english}."),
        })
    }

    /// What a card of these words calls itself: a unit, a card.
    pub(crate) fn self_noun(&self, words: &[WordId]) -> String {
        let has = |name: &String| self.names.words.get(name).is_some_and(|word| words.contains(word));
        self.names.calls.iter().find(|(word, _)| has(word)).map_or_else(|| "card".into(), |(_, says)| says.clone())
    }

    /// Words that stand in the rules as the player of a card reads them, for whoever reads them now.
    fn facing(&self, text: &str) -> String {
        if self.speaker.turned { turned(text) } else { text.to_string() }
    }

    /// A word as texts print it.
    fn word_text(&self, word: &str) -> String {
        self.names.word_english.get(word).cloned().unwrap_or_else(|| spaced(word))
    }

    /// A word, an adjective or a noun of a phrase.
    fn quality(&self, name: &str) -> String {
        let adjective = self.names.adjectives.get(name).map(|(_, english)| english.clone());
        adjective.or_else(|| self.names.nouns.get(name).map(|noun| noun.singular.clone())).unwrap_or_else(|| self.word_text(name))
    }

    /// "a Jedi", but "Luke".
    fn one_of(&self, word: &str) -> String {
        let said = self.word_text(word);
        if self.names.proper.contains(word) { said } else { article(&said) }
    }

    /// What is meant where a text names nothing: "a unit".
    fn something(&self) -> String {
        article(self.names.calls.first().map_or("card", |(_, says)| says))
    }

    /// Fill the holes of a text with what the arguments say. `{n|one|many}` picks by number or person.
    fn fill(&mut self, says: &Text, args: &[(String, Expr)]) -> String {
        let mut out = String::new();
        let mut rest = says.text.as_str();
        while let Some(open) = rest.find('{') {
            out.push_str(&self.facing(&rest[..open]));
            let Some(close) = rest[open..].find('}') else { break };
            let hole = &rest[open + 1..open + close];
            let mut parts = hole.split('|');
            let (name, number) = match parts.next().unwrap_or("") {
                hole if hole.ends_with(":each") => (&hole[..hole.len() - 5], Number::Each),
                hole if hole.ends_with(":many") => (&hole[..hole.len() - 5], Number::Many),
                hole => (hole, Number::One),
            };
            let arg = args.iter().find(|(param, _)| param == name).map(|(_, arg)| arg.clone());
            let spoken = match (&arg, name) {
                (Some(arg), _) => self.noun(arg, number),
                (None, _) if self.aliases.contains_key(name) => self.alias(name, number).unwrap_or_default(),
                (None, "self") => self.speaker.own.clone(),
                (None, "source") => self.speaker.title.clone(),
                (None, _) => name.to_string(),
            };
            match (parts.next(), parts.next()) {
                (Some(one), Some(many)) => {
                    let single = spoken == "1" || spoken == "you";
                    out.push_str(if single { one } else { many });
                }
                _ => out.push_str(&spoken),
            }
            rest = &rest[open + close + 1..];
            // "Those units are lost."
            if spoken.starts_with("those ")
                && let Some(after) = rest.strip_prefix(" is ")
            {
                out.push_str(" are ");
                rest = after;
            }
        }
        out.push_str(&self.facing(rest));
        out
    }

    /// What the argument of a template says.
    fn alias(&mut self, name: &str, number: Number) -> Option<String> {
        let Alias { argument, outside } = self.aliases.get(name).cloned()?;
        let inside = std::mem::replace(&mut self.aliases, outside);
        let said = self.noun(&argument, number);
        self.aliases = inside;
        Some(said)
    }
}
