//! What a program says in English. The text on a card is printed from the same syntax that is compiled,
//! with the words that the rules of the game give to their verbs, nouns, timings and costs.
//!
//! Nothing is put into words before its form is known: a thing is a [`said::Thing`] until it is counted or owned, then a
//! [`said::Said`] that knows its person; a sentence is a [`claims::Claim`] of subject, verb and rest until it is joined, denied or
//! allowed. The English of a definition becomes a claim in `fill.rs`. A new construct adds an arm that makes one of these
//! three, and need not look at text.

mod abilities;
mod aimed;
mod amounts;
mod claims;
mod clauses;
mod fill;
mod named;
mod nouns;
mod said;
mod statements;
mod timings;
mod told;
mod truths;
mod words;

use crate::ast::*;
use crate::compile::{Alias, Aliases, Names, spaced};
use crate::diagnostics::Diagnostic;
pub(crate) use said::Said;
use said::{Number, Person, Thing};
use std::collections::{HashMap, HashSet};
use trilogy_engine::WordId;
pub(crate) use words::capital;
use words::{article, turned};

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
    pub(crate) names: HashMap<String, Said>,
    /// Names that the text has used.
    mentioned: HashSet<String>,
    /// What is said is the text of the card, not a label or a reason.
    printing: bool,
    /// How many things are waiting to be called something.
    signs: u32,
    /// What is being told by what it does, so that nothing is told by itself.
    telling: Vec<String>,
    /// Names of what may have been chosen.
    choices: HashSet<String>,
    /// The opponent was named in this sentence: what is theirs is "their".
    theirs: bool,
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
    /// From here on this is what a name stands for.
    fn name(&mut self, name: &Name, said: Said) {
        self.names.insert(name.text.clone(), said);
    }
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
        // A keyword has a name, "Edge 1"; another number is told by what it counts: "Places for pilots: 2".
        let counts = english.starts_with(char::is_lowercase);
        self.names.keywords.contains(fact).then(|| match value {
            Some(value) if counts => format!("{}: {value}.", capital(english)),
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
    fn something(&self) -> Thing {
        Thing::sort(self.names.calls.first().map_or("card", |(_, says)| says))
    }

    /// The two players, for whoever reads.
    fn owner(&self, owner: Owner) -> Said {
        match ((owner == Owner::Your) == self.speaker.turned, self.speaker.theirs) {
            (true, true) => Said::new("they", Person::They),
            (true, false) => Said::opponent(),
            (false, _) => Said::you(),
        }
    }

    /// What the argument of a template says, read where it was written.
    fn aliased<T>(&mut self, name: &str, say: impl FnOnce(&mut Self, &Expr) -> T) -> Option<T> {
        let Alias { argument, outside } = self.aliases.get(name).cloned()?;
        let inside = std::mem::replace(&mut self.aliases, outside);
        let said = say(self, &argument);
        self.aliases = inside;
        Some(said)
    }
}
