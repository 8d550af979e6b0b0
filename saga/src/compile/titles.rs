//! Titles: what tells cards of one title apart, and which card a title means.

use super::Compiler;
use super::names::{Apart, spaced};
use crate::diagnostics::Span;
use crate::english::capital;
use std::collections::{BTreeMap, HashSet};
use trilogy_engine::WordId;
use trilogy_engine::catalogue::*;
use trilogy_engine::deck;

impl Compiler {
    /// The word by which an enumeration tells a card from others.
    pub(super) fn member_of(&self, words: &[WordId], apart: Apart) -> Option<WordId> {
        let members = &self.out.enums[apart.by?.index()].members;
        words.iter().copied().find(|word| members.contains(word))
    }

    /// Keys of cards: titles with as much behind them as is needed.
    pub(super) fn tell_apart(&mut self) {
        let apart = self.names.apart.clone();
        let marks: Vec<Vec<Option<String>>> =
            self.out.cards.iter().map(|card| apart.iter().map(|apart| self.mark(card, *apart)).collect()).collect();
        let mut said: Vec<Vec<bool>> = vec![apart.iter().map(|apart| !apart.when_shared).collect(); marks.len()];
        for which in 0..apart.len() {
            let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (at, card) in self.out.cards.iter().enumerate() {
                alike.entry(key(&card.title, &marks[at], &said[at])).or_default().push(at);
            }
            for cards in alike.into_values().filter(|cards| cards.iter().any(|&card| marks[card][which] != marks[cards[0]][which])) {
                cards.into_iter().for_each(|card| said[card][which] = true);
            }
        }
        for (card, (marks, said)) in self.out.cards.iter_mut().zip(marks.into_iter().zip(said)) {
            card.key = key(&card.title, &marks, &said);
            card.marks = marks.into_iter().flatten().collect();
            if apart.iter().any(|apart| apart.by.is_none()) {
                card.marks.extend(card.reprints.iter().map(|(set, _)| set.clone()));
            }
        }
        let mut seen = HashSet::new();
        let cards = self.out.cards.iter().zip(&self.printings);
        let twice: Vec<(String, Span)> =
            cards.filter(|(card, _)| !seen.insert(&card.key)).map(|(card, printing)| (card.key.clone(), printing.title)).collect();
        for (key, span) in twice {
            self.fail(span, format!("there is a card \"{key}\" already"));
        }
    }

    fn mark(&self, card: &CardDef, apart: Apart) -> Option<String> {
        match apart.by {
            Some(_) => self.member_of(&card.words, apart).map(|word| capital(&spaced(self.out.word(word)))),
            None => Some(card.set.clone()).filter(|set| !set.is_empty()),
        }
    }

    /// Titles become cards: among those of one title the one of the same side.
    pub(super) fn bring(&mut self) {
        for (head, titles) in std::mem::take(&mut self.brought) {
            for title in titles {
                let beside = |card: &CardDef| self.same_sort(&self.out.def(head).words, &card.words);
                match deck::find_among(&self.out, &title.text, beside) {
                    Ok(key) => {
                        let Some(Ok(def)) = self.out.cards.iter().position(|card| card.key == key).map(DefId::new) else { continue };
                        let brings = &mut self.out.cards[head.index()].brings;
                        match brings.iter_mut().find(|(brought, _)| *brought == def) {
                            Some((_, copies)) => *copies += 1,
                            None => brings.push((def, 1)),
                        }
                    }
                    Err(why) => self.fail(title.span, why),
                }
            }
        }
    }
    /// Whether nothing tells the cards of these words apart but their titles.
    fn same_sort(&self, own: &[WordId], others: &[WordId]) -> bool {
        self.names.apart.iter().all(|apart| match (self.member_of(own, *apart), self.member_of(others, *apart)) {
            (Some(own), Some(others)) => own == others,
            _ => true,
        })
    }
}

/// A title with those of its marks that are said.
fn key(title: &str, marks: &[Option<String>], said: &[bool]) -> String {
    let marks: Vec<&str> = marks.iter().zip(said).filter(|(_, said)| **said).filter_map(|(mark, _)| mark.as_deref()).collect();
    if marks.is_empty() { title.to_string() } else { format!("{title} ({})", marks.join(", ")) }
}
