//! The games of this server, with what is told of them over REST: cards, rules, starter decks.

use crate::protocol::{CardInfo, DeckFault, DeckInfo, DeckReport, RuleInfo};
use std::collections::BTreeMap;
use std::sync::Arc;
use trilogy_engine::catalogue::CardDef;
use trilogy_engine::deck::{self, Deck};
use trilogy_engine::journal::hex;
use trilogy_engine::{Catalogue, WordId};
use trilogy_saga::source::rule_text;

/// All games by name; clones share them.
#[derive(Clone)]
pub struct Games(Arc<BTreeMap<String, Game>>);

pub struct Game {
    pub name: String,
    pub catalogue: Arc<Catalogue>,
    pub cards: Vec<CardInfo>,
    pub rules: Vec<RuleInfo>,
    /// Starter decks; the id is the name of the file.
    pub starters: Vec<DeckInfo>,
}

impl Games {
    /// Those that are inside the program.
    pub fn built_in() -> Result<Games, String> {
        let tcg = Game::new(trilogy_tcg::NAME, Arc::new(trilogy_tcg::catalogue()?), trilogy_tcg::RULEBOOK, &trilogy_tcg::DECKS);
        Ok(Games(Arc::new(BTreeMap::from([(tcg.name.clone(), tcg)]))))
    }
    pub fn get(&self, name: &str) -> Option<&Game> {
        self.0.get(name)
    }
    pub fn all(&self) -> impl Iterator<Item = &Game> {
        self.0.values()
    }
    /// Hashes of the catalogues by game, as `Welcome` tells them.
    pub fn hashes(&self) -> BTreeMap<String, String> {
        self.all().map(|game| (game.name.clone(), hex(&game.catalogue.hash))).collect()
    }
}

impl Game {
    fn new(name: &str, catalogue: Arc<Catalogue>, rulebook: &str, decks: &[(&str, &str)]) -> Game {
        let cards = catalogue.cards.iter().map(|card| card_info(&catalogue, card)).collect();
        let mut game = Game { name: name.into(), cards, rules: rules(rulebook), starters: Vec::new(), catalogue };
        game.starters = decks
            .iter()
            .map(|(id, list)| {
                let (deck, _) = game.read(list);
                let name = if deck.name.is_empty() { id.to_string() } else { deck.name.clone() };
                DeckInfo {
                    id: id.to_string(),
                    name,
                    game: game.name.clone(),
                    starter: true,
                    seat: game.seat(&deck),
                    list: list.to_string(),
                }
            })
            .collect();
        game
    }

    /// Read a list as far as possible; the lines that could not be read come with their reasons.
    pub fn read(&self, list: &str) -> (Deck, Vec<String>) {
        let mut read = Deck::default();
        let mut unread = Vec::new();
        for (at, line) in list.lines().enumerate() {
            // A line by itself is an empty list where it is a comment.
            let plain = line.split('#').next().unwrap_or("").trim();
            match deck::parse(&self.catalogue, plain) {
                _ if plain.is_empty() => {}
                _ if plain.starts_with("name:") => read.name = plain["name:".len()..].trim().to_string(),
                Ok(one) => read.cards.extend(one.cards),
                Err(reasons) => unread.extend(reasons.iter().map(|reason| {
                    let reason = reason.strip_prefix("line 1: ").unwrap_or(reason);
                    format!("line {}: {reason}", at + 1)
                })),
            }
        }
        (read, unread)
    }

    pub fn check(&self, list: &str) -> DeckReport {
        let (deck, unread) = self.read(list);
        let faults = match deck::check(&self.catalogue, &deck) {
            Ok(faults) => faults.into_iter().map(|fault| DeckFault { rule: fault.cite.clone(), reason: fault.reason.clone() }).collect(),
            Err(reason) => vec![DeckFault { rule: String::new(), reason }],
        };
        DeckReport { cards: deck.cards.len() as u32, legal: faults.is_empty() && unread.is_empty(), faults, unread }
    }

    /// The player a deck is for: the one after whom most of its cards are named, the first where none are.
    pub fn seat(&self, deck: &Deck) -> u8 {
        let mut votes = vec![0; self.catalogue.players.len()];
        for def in deck.cards.iter().filter_map(|key| self.catalogue.card(key)) {
            let card = self.catalogue.def(def);
            for (player, votes) in self.catalogue.players.iter().zip(&mut votes) {
                let name = player.to_lowercase();
                let named = |word: &WordId| name.split('_').next().is_some_and(|first| first == self.catalogue.word(*word).to_lowercase());
                *votes += usize::from(card.words.iter().any(named));
            }
        }
        let most = votes.iter().copied().max().unwrap_or(0);
        votes.iter().position(|votes| *votes == most).unwrap_or(0) as u8
    }
}

fn card_info(catalogue: &Catalogue, card: &CardDef) -> CardInfo {
    // Words of an enumeration are the one side, type or version that a card has; the rest are subtypes.
    let of = |name: &str| {
        let members = catalogue.enums.iter().find(|one| one.name == name).map(|one| &one.members[..]).unwrap_or(&[]);
        card.words.iter().find(|word| members.contains(word)).copied()
    };
    let (side, kind, version) = (of("side"), of("type"), of("version"));
    let english = |word: WordId| catalogue.word(word).replace('_', " ");
    let rest = card.words.iter().filter(|word| ![side, kind, version].contains(&Some(**word)));
    CardInfo {
        key: card.key.clone(),
        title: card.title.clone(),
        side: side.map(english).unwrap_or_default(),
        kind: kind.map(english).unwrap_or_default(),
        version: version.map(english),
        subtypes: rest.map(|word| english(*word)).collect(),
        numbers: catalogue.facts.iter().zip(&card.facts).filter_map(|(name, value)| Some((name.clone(), (*value)?))).collect(),
        text: card.text.clone(),
        set: card.set.clone(),
        number: u32::from(card.number),
        rarity: card.rarity.clone(),
    }
}

/// The rules in the order of the book, each with the heading it stands under.
fn rules(rulebook: &str) -> Vec<RuleInfo> {
    let ids = trilogy_saga::source::rule_ids(rulebook);
    let mut rules: Vec<RuleInfo> = Vec::new();
    let mut section = "";
    for line in rulebook.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.trim();
        }
        // An id may be named again further down; where it is first is where it is told.
        for id in line.split("**").skip(1).step_by(2).filter(|id| ids.contains(*id)) {
            if !rules.iter().any(|rule| rule.id == id) {
                let text = rule_text(rulebook, id).unwrap_or("").to_string();
                rules.push(RuleInfo { id: id.into(), section: section.into(), text });
            }
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starter_decks_are_legal_and_for_both_players() {
        let games = Games::built_in().expect("the built-in games are well");
        for game in games.all() {
            assert!(!game.rules.is_empty() && game.rules.iter().all(|rule| !rule.text.is_empty() && !rule.section.is_empty()));
            assert!(game.cards.iter().all(|card| !card.side.is_empty() && !card.kind.is_empty()));
            for deck in &game.starters {
                let report = game.check(&deck.list);
                assert!(report.legal, "{}: {report:?}", deck.id);
            }
            let mut seats: Vec<u8> = game.starters.iter().map(|deck| deck.seat).collect();
            seats.sort_unstable();
            assert_eq!(seats, [0, 0, 1, 1]);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_line() {
        let games = Games::built_in().expect("the built-in games are well");
        let report = games.get("tcg").expect("there is a tcg").check("# mine\nname: Mine\n4x Yoda (B)\n2x No Such Card\n900x Yoda (B)\n");
        assert_eq!(report.cards, 4);
        assert!(!report.legal && !report.faults.is_empty());
        assert_eq!(report.unread, ["line 4: no card is called \"No Such Card\"", "line 5: 900 copies of a card make no sense"]);
    }
}
