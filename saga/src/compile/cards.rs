//! Cards: their words, numbers and abilities, and what tells them apart.

use super::Compiler;
use super::names::spaced;
use crate::ast::{Ability as Written, Item, ItemKind};
use crate::diagnostics::Span;
use crate::english::capital;
use std::collections::{BTreeSet, HashMap, HashSet};
use trilogy_engine::catalogue::*;

impl Compiler {
    /// Cards that share their title get longer keys.
    pub(super) fn tell_apart(&mut self) {
        let Some((which, true)) = self.names.apart else { return };
        let members = self.out.enums[which as usize].members.clone();
        let mut titles: HashMap<&str, u32> = HashMap::new();
        for card in &self.out.cards {
            *titles.entry(&card.title).or_default() += 1;
        }
        let keys: Vec<Option<String>> = self
            .out
            .cards
            .iter()
            .map(|card| {
                let member = card.words.iter().find(|word| members.contains(word))?;
                let word = capital(&spaced(self.out.word(*member)));
                (titles[card.title.as_str()] > 1).then(|| format!("{} ({word})", card.title))
            })
            .collect();
        for (at, key) in keys.into_iter().enumerate() {
            if let Some(key) = key {
                self.out.cards[at].key = key;
            }
        }
        let mut seen = HashSet::new();
        let twice: Vec<String> = self.out.cards.iter().filter(|card| !seen.insert(&card.key)).map(|card| card.key.clone()).collect();
        for key in twice {
            self.fail(Span::default(), format!("there are two cards \"{key}\""));
        }
    }

    /// Titles become cards: among those of one title the one of the same side.
    pub(super) fn bring(&mut self) {
        let members = self.names.apart.map_or_else(Vec::new, |(which, _)| self.out.enums[which as usize].members.clone());
        for (head, titles) in std::mem::take(&mut self.brought) {
            let side = self.out.def(head).words.iter().find(|word| members.contains(word)).copied();
            for title in titles {
                let of_title = |card: &CardDef| card.key == title.text || card.title == title.text;
                let on_side = |card: &CardDef| side.is_none_or(|side| card.words.contains(&side));
                let Some(def) = self.out.cards.iter().position(|card| of_title(card) && on_side(card)) else {
                    self.fail(title.span, format!("there is no card \"{}\" to bring", title.text));
                    continue;
                };
                let brings = &mut self.out.cards[head as usize].brings;
                match brings.iter_mut().find(|(brought, _)| *brought == def as DefId) {
                    Some((_, copies)) => *copies += 1,
                    None => brings.push((def as DefId, 1)),
                }
            }
        }
    }

    /// A template that uses itself would have no end.
    pub(super) fn refuse_cycle(&mut self, item: &Item) {
        if let ItemKind::Template { name, body, .. } = &item.kind
            && self.uses_template(body, &name.text, &mut BTreeSet::new())
        {
            self.fail(name.span, format!("the template `{}` uses itself, or too many others", name.text));
            self.names.templates.entry(name.text.clone()).and_modify(|template| template.body.clear());
        }
    }

    fn uses_template(&self, body: &[Written], wanted: &str, seen: &mut BTreeSet<String>) -> bool {
        body.iter().any(|ability| match ability {
            Written::Template { name, .. } if name.text == wanted || seen.len() > 60 => true,
            Written::Template { name, .. } if !seen.insert(name.text.clone()) => false,
            Written::Template { name, .. } => {
                self.names.templates.get(&name.text).is_some_and(|template| self.uses_template(&template.body, wanted, seen))
            }
            Written::In { abilities, .. } => self.uses_template(abilities, wanted, seen),
            Written::Use(_) | Written::Clause(_) | Written::TreatAs(_) => false,
        })
    }
}
