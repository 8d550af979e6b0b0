//! What serves one card only: how much of it there is, and how much of its text is written by hand.

use super::{Entry, Sort, Vocabulary};
use crate::diagnostics::Span;
use crate::holes::{Part, parts};

/// English of so many words outside its holes is a sentence.
const SENTENCE: usize = 8;

impl Vocabulary {
    /// Sentences that are the text of one title: the title, and the definition that has it. What stands in the rules and takes
    /// parameters, or is a moment, is for others, too.
    pub fn sentences(&self) -> impl Iterator<Item = (&str, &Entry)> {
        let general = |entry: &&Entry| !entry.params.is_empty() || entry.sort == Sort::Timing;
        let fixed = move |entry: &&Entry| entry.owner.is_some() || !general(entry);
        let long = |entry: &&Entry| plain_words(&entry.english) >= SENTENCE;
        self.entries.iter().filter(fixed).filter(long).filter_map(|entry| Some((entry.serves_one()?, entry)))
    }

    /// Lines that the cards have, and lines of rules that only one title uses as yet.
    pub fn lines(&self) -> (usize, usize) {
        let beside = self.entries.iter().filter(|entry| entry.owner.is_none() && entry.serves_one().is_some());
        (self.cards.iter().map(|card| card.lines).sum(), beside.map(|entry| entry.lines).sum())
    }
}

impl Entry {
    /// The only title whose text it makes.
    fn serves_one(&self) -> Option<&str> {
        let told = matches!(
            self.sort,
            Sort::Noun | Sort::Adjective | Sort::Timing | Sort::Cost | Sort::Verb | Sort::Template | Sort::Function | Sort::Scope
        );
        match (&self.owner, &self.cards[..]) {
            (Some(title), _) if told => Some(title),
            (None, [title]) if told => Some(title),
            _ => None,
        }
    }
}

fn plain_words(english: &str) -> usize {
    // Of a noun with its plural, the one.
    let english = english.split(" / ").next().unwrap_or(english);
    let plain = |part: &Part| if let Part::Plain(plain) = part { plain.split_whitespace().count() } else { 0 };
    parts(english).unwrap_or_default().iter().map(plain).sum()
}

/// Lines of an item that say something.
pub(super) fn lines(text: &str, span: Span) -> usize {
    let item = text.get(span.start as usize..span.end as usize).unwrap_or("");
    item.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).count()
}

#[cfg(test)]
mod tests {
    use super::super::Vocabulary;
    use crate::diagnostics::SourceFile;

    #[test]
    fn what_serves_one_title_is_found() {
        let rules = "proc wake(c: card) \"wake {c}\"\n  tap(c)\nproc long_sleep \"all owls of both players go to sleep until the lamp is lit again\"\n  tap(self)\n";
        let cards = "card \"Owl\"\n  may now:\n    wake(self)\n    long_sleep()\n\n  # Seldom.\n  def glow(): num \"as much light as there are lamps in the whole wood\" = 1\ncard \"Moth\"\n  may now:\n    wake(self)\n";
        let file = |name: &str, text: &str| SourceFile { name: name.into(), text: text.into() };
        let vocabulary = Vocabulary::read(&[file("rules.saga", rules), file("cards.saga", cards)]);
        let told: Vec<(&str, &str)> = vocabulary.sentences().map(|(title, entry)| (title, entry.name.as_str())).collect();
        assert_eq!(told, [("Owl", "long_sleep"), ("Owl", "glow")]);
        assert_eq!(vocabulary.lines(), (5 + 3, 2), "the blank line and the comment say nothing");
    }
}
