//! What a card has in print: in which sets it is, and the numbers that cards of its type have.

use super::Compiler;
use crate::ast::{self, Name};
use crate::diagnostics::Span;
use trilogy_engine::WordId;
use trilogy_engine::catalogue::{DefId, EnumId, FactId};

/// Where a card says in which sets it is. Which sets there are is no matter of the language.
#[derive(Clone, Debug)]
pub struct Printing {
    pub card: DefId,
    pub title: Span,
    /// The first set, then the reprints.
    pub lines: Vec<PrintingLine>,
    pub rarity: Option<Name>,
}

#[derive(Clone, Debug)]
pub struct PrintingLine {
    pub set: Name,
    pub number: u16,
    pub span: Span,
}

impl Printing {
    pub(super) fn of(card: &ast::Card, def: DefId) -> Printing {
        let first =
            card.set.as_ref().map(|set| (set, card.number, card.rarity.as_ref().map_or(set.span, |rarity| set.span.to(rarity.span))));
        let reprints = card.reprints.iter().map(|(set, number)| (set, *number, set.span));
        let lines = first.into_iter().chain(reprints).map(|(set, number, span)| PrintingLine { set: set.clone(), number, span });
        Printing { card: def, title: card.title.span, lines: lines.collect(), rarity: card.rarity.clone() }
    }
}

/// Numbers, and members of enumerations, that cards with some words, and without others, print.
#[derive(Clone)]
pub(crate) struct Needs {
    of: Vec<(WordId, bool)>,
    numbers: Vec<FactId>,
    enums: Vec<EnumId>,
}

impl Compiler {
    pub(super) fn define_needs(&mut self, of: &[(Name, bool)], numbers: &[Name]) {
        let of = of.iter().filter_map(|(word, without)| Some((self.lookup("word", word, |names| &names.words)?, *without))).collect();
        let (enums, numbers): (Vec<&Name>, Vec<&Name>) = numbers.iter().partition(|name| self.names.enums.contains_key(&name.text));
        let enums = enums.into_iter().filter_map(|name| self.names.enums.get(&name.text).copied()).collect();
        let numbers =
            numbers.into_iter().filter_map(|number| Some(self.lookup("number of cards", number, |names| &names.facts)?.0)).collect();
        self.names.needs.push(Needs { of, numbers, enums });
    }

    /// A card that lacks a number of its type was not finished.
    pub(super) fn needs_numbers(&mut self, card: &ast::Card, words: &[WordId], facts: &[Option<i32>]) {
        if self.may_lack_numbers {
            return;
        }
        let mut lacking: Vec<FactId> = Vec::new();
        let mut without: Vec<String> = Vec::new();
        for needs in self.names.needs.iter().filter(|needs| needs.of.iter().all(|(word, without)| words.contains(word) != *without)) {
            lacking.extend(needs.numbers.iter().filter(|number| facts[number.index()].is_none()));
            let enums = needs.enums.iter().map(|at| &self.out.enums[at.index()]);
            without.extend(enums.filter(|kind| !kind.members.iter().any(|word| words.contains(word))).map(|kind| kind.name.clone()));
        }
        for name in without {
            self.fail(card.title.span, format!("\"{}\" has no {name}: write it in the heading, behind the title", card.title.text));
        }
        for number in lacking {
            let name = self.out.facts[number.index()].clone();
            self.fail(card.title.span, format!("\"{}\" has no `{name}`: every card of its type prints one", card.title.text));
        }
    }
}
