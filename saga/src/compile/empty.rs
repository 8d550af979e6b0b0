//! Phrases that can mean nothing, whatever lies on the table: told as errors, because they print well and select nothing.

use super::Compiler;
use crate::ast::{self, Bin, ExprKind, Name, Phrase, PhraseWord};
use crate::diagnostics::Span;
use std::collections::BTreeSet;

impl Compiler {
    pub(super) fn refuse_empty(&mut self, phrase: &Phrase, span: Span) {
        let demanded: Vec<&Name> =
            phrase.words.iter().filter_map(|word| if let PhraseWord::Is(name) = word { Some(name) } else { None }).collect();
        let refused: Vec<&Name> =
            phrase.words.iter().filter_map(|word| if let PhraseWord::Not(name) = word { Some(name) } else { None }).collect();
        for name in &refused {
            if demanded.iter().any(|other| other.text == name.text) {
                self.fail(name.span, format!("nothing is `{0}` and `not {0}` at once, so this phrase means no card", name.text));
            }
        }
        for (at, name) in demanded.iter().enumerate() {
            if let Some((other, of)) = demanded[..at].iter().find_map(|other| Some((other, self.shared_enum(other, name)?))) {
                let problem =
                    format!("no card is both `{}` and `{}`: a card has one {of}, so this phrase means no card", other.text, name.text);
                self.fail(name.span, problem);
            }
        }
        if let Some(zone) = &phrase.zone {
            self.refuse_elsewhere(phrase, zone, span);
        }
    }

    /// The enumeration of which two words are different members.
    fn shared_enum(&self, a: &Name, b: &Name) -> Option<String> {
        let hidden = |name: &Name| self.names.nouns.contains_key(&name.text) || self.names.adjectives.contains_key(&name.text);
        if a.text == b.text || hidden(a) || hidden(b) {
            return None;
        }
        let (a, b) = (self.names.words.get(&a.text)?, self.names.words.get(&b.text)?);
        let of = self.out.enums.iter().find(|of| !of.several && of.members.contains(a) && of.members.contains(b));
        of.map(|of| of.name.clone())
    }

    /// `in ZONE` behind a noun that looks through other zones only.
    fn refuse_elsewhere(&mut self, phrase: &Phrase, zone: &ast::Expr, span: Span) {
        let noun = phrase.words.iter().find_map(|word| match word {
            PhraseWord::Is(name) if self.names.nouns.contains_key(&name.text) => Some(name.text.as_str()),
            _ => None,
        });
        let noun = noun.unwrap_or("anything");
        let (Some(looks), Some(wanted)) = (self.noun_zones(noun), self.zones_of(zone, 0)) else { return };
        if looks.is_disjoint(&wanted) {
            let list = |zones: &BTreeSet<String>| zones.iter().map(|zone| format!("`{zone}`")).collect::<Vec<_>>().join(", ");
            let problem = format!("`{noun}` looks through {} only, so nothing in {} is meant", list(&looks), list(&wanted));
            self.fail(span, problem);
        }
    }

    fn noun_zones(&self, noun: &str) -> Option<BTreeSet<String>> {
        self.zones_of(self.names.lists.get(&format!("nouns {noun}"))?, 0)
    }

    /// The zones that a list of cards can come from; none where that is not plain to see.
    fn zones_of(&self, list: &ast::Expr, depth: u8) -> Option<BTreeSet<String>> {
        // Definitions that go round in a circle are refused elsewhere.
        if depth > 16 {
            return None;
        }
        let zone = |name: &str| self.names.zones.contains_key(name).then(|| BTreeSet::from([name.to_string()]));
        match &*list.kind {
            ExprKind::Name(name) if self.aliases.contains_key(name) => None,
            ExprKind::Name(name) => zone(name).or_else(|| self.zones_of(self.names.lists.get(name)?, depth + 1)),
            ExprKind::Field(of, field) if field.text == "cards" => self.zones_of(of, depth),
            ExprKind::Field(_, field) => zone(&field.text),
            ExprKind::Call(name, _) if ["attached", "all_on"].contains(&name.text.as_str()) => zone("attached"),
            ExprKind::Call(name, _) => self.zones_of(self.names.lists.get(&name.text)?, depth + 1),
            ExprKind::Bin(Bin::Join, a, b) | ExprKind::If(_, a, b) => {
                let mut zones = self.zones_of(a, depth)?;
                zones.extend(self.zones_of(b, depth)?);
                Some(zones)
            }
            ExprKind::Quantify { which, list, .. } if which.text == "filter" => self.zones_of(list, depth),
            _ => None,
        }
    }
}
