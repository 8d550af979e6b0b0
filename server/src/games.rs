//! The games of this server, with what is told of them over REST: cards, rules, starter decks.

use crate::failure::Failure;
use crate::protocol::{BrokenRules, CardInfo, DeckFault, DeckInfo, DeckReport, RuleInfo, RulingInfo, VocabularyInfo};
use crate::ready::Ready;
use crate::work::{For, Work};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use tokio::sync::OnceCell;
use trilogy_engine::catalogue::CardDef;
use trilogy_engine::deck::{self, Deck};
use trilogy_engine::journal::hex;
use trilogy_engine::{Catalogue, WordId};
use trilogy_games::gemp;
use trilogy_games::host::About;
use trilogy_games::rulings::{self, Ruling};
use trilogy_games::sets::Set;
use trilogy_games::source::{self, Source};
use trilogy_saga::source::rule_text;
use trilogy_saga::vocabulary::Entry;
use trilogy_saga::{SourceFile, Vocabulary};

/// The games as they are now, in the order in which they are listed; clones share them. Whoever works with one keeps it while others
/// are given the next edition.
#[derive(Clone)]
pub struct Games(Arc<RwLock<Shelf>>);

#[derive(Default)]
struct Shelf {
    games: Vec<Arc<Game>>,
    /// Rules that could not be read, by the name of their game.
    broken: BTreeMap<String, BrokenRules>,
}

pub struct Game {
    pub name: String,
    pub catalogue: Arc<Catalogue>,
    pub sets: Vec<Set>,
    /// What browsers are told of it, for all that they show.
    pub about: About,
    pub cards: Vec<CardInfo>,
    pub rules: Vec<RuleInfo>,
    /// Starter decks; the id is the name of the file.
    pub starters: Vec<DeckInfo>,
    /// Its sources, for what can be written with its words.
    files: Vec<SourceFile>,
    told: [OnceCell<Ready>; 3],
}

/// What is told of a game over REST.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Told {
    Cards,
    Rules,
    Vocabulary,
}

impl Games {
    /// Those that are inside the program, or those of a folder. What is broken is not played; there must be one that is.
    pub fn read(folder: Option<&Path>) -> Result<Games, String> {
        let games = Games(Arc::default());
        for source in source::all(folder)? {
            games.take(&source);
        }
        if let (true, Some(broken)) = (games.all().is_empty(), games.broken().first()) {
            return Err(format!("no game can be played: {}", broken.report));
        }
        if games.all().is_empty() {
            return Err(format!("{}: there is no game in it", folder.unwrap_or(Path::new("")).display()));
        }
        Ok(games)
    }

    /// Read a game, anew where it is known already. A broken one is noted, and changes nothing.
    pub(crate) fn take(&self, source: &Source) {
        let name = source.name();
        let read = Game::read(source);
        let mut shelf = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match read {
            Ok(game) => {
                shelf.broken.remove(&name);
                tracing::info!(game = name, catalogue = hex(&game.catalogue.hash), "cards and rules were read");
                match shelf.games.iter_mut().find(|known| known.name == name) {
                    Some(known) => *known = Arc::new(game),
                    None => shelf.games.push(Arc::new(game)),
                }
            }
            Err(report) => {
                tracing::error!(game = name, report, "cards and rules are broken; what was there before stays");
                let since = u32::try_from(crate::store::now()).unwrap_or(0);
                shelf.broken.insert(name.clone(), BrokenRules { game: name, report, since });
            }
        }
    }

    pub(crate) fn broken(&self) -> Vec<BrokenRules> {
        self.shelf().broken.values().cloned().collect()
    }
    pub fn get(&self, name: &str) -> Option<Arc<Game>> {
        self.shelf().games.iter().find(|game| game.name == name).cloned()
    }
    pub fn all(&self) -> Vec<Arc<Game>> {
        self.shelf().games.clone()
    }
    fn shelf(&self) -> RwLockReadGuard<'_, Shelf> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
    /// Hashes of the catalogues by game, as `Welcome` tells them.
    pub fn hashes(&self) -> BTreeMap<String, String> {
        self.shelf().games.iter().map(|game| (game.name.clone(), hex(&game.catalogue.hash))).collect()
    }
}

impl Game {
    fn read(source: &Source) -> Result<Game, String> {
        let catalogue = Arc::new(source.compiled(false)?);
        let name = source.name();
        if catalogue.game != name {
            return Err(format!("the folder is called {name}, but its rules are those of {}", catalogue.game));
        }
        // What is inside this program are our own decisions; another game has none.
        let rulings = if trilogy_games::find(&name).is_some() { rulings::of(&name)? } else { Vec::new() };
        let mut game = Game {
            cards: catalogue.cards.iter().map(|card| card_info(&catalogue, card)).collect(),
            sets: source.sets()?,
            about: source.host(&catalogue)?.about,
            rules: rules(&source.rulebook()?, &rulings),
            starters: Vec::new(),
            files: source.files()?,
            told: Default::default(),
            catalogue,
            name,
        };
        let starter = |(id, list): (String, String)| {
            let (deck, unread) = game.read_deck(&list);
            if let Some(line) = unread.first() {
                return Err(format!("the deck {id}: {line}"));
            }
            let name = if deck.name.is_empty() { id.clone() } else { deck.name.clone() };
            Ok(DeckInfo { id, name, game: game.name.clone(), starter: true, seat: game.seat(&deck), list })
        };
        game.starters = source.decks()?.into_iter().map(starter).collect::<Result<_, String>>()?;
        Ok(game)
    }

    /// What is told of it, written once for all who ask.
    pub(crate) async fn told(self: &Arc<Self>, what: Told, work: &Work, who: &For) -> Result<&Ready, Failure> {
        let writing = async || {
            let game = self.clone();
            let write = move || match what {
                Told::Cards => Ready::json(&game.cards),
                Told::Rules => Ready::json(&game.rules),
                // Few ask for it: the sources are read for the first who does.
                Told::Vocabulary => Ready::json(&game.vocabulary()),
            };
            work.run(who, write).await
        };
        self.told[what as usize].get_or_try_init(writing).await
    }

    /// What cards can be written with.
    pub fn vocabulary(&self) -> Vec<VocabularyInfo> {
        Vocabulary::read(&self.files).search("", None).into_iter().map(vocabulary_info).collect()
    }

    /// Read a list as far as possible; the lines that could not be read come with their reasons.
    pub fn read_deck(&self, list: &str) -> (Deck, Vec<String>) {
        deck::read(&self.catalogue, list)
    }

    /// A list in any format that is known, as a plain list. What is plain already stays as it is, with its faults.
    pub fn to_plain(&self, list: String) -> Result<String, Vec<String>> {
        if gemp::is_gemp(&list) { Ok(deck::write(&gemp::read(&self.catalogue, &self.sets, &list)?)) } else { Ok(list) }
    }

    /// A plain list as GEMP takes it.
    pub fn to_gemp(&self, list: &str) -> Result<String, Vec<String>> {
        gemp::write(&self.catalogue, &self.sets, &deck::parse(&self.catalogue, list)?)
    }

    /// A list in any format that is known, read as far as possible and held against the rules.
    pub fn check(&self, list: &str) -> DeckReport {
        self.check_with(&self.catalogue, list)
    }

    /// The same against other cards and rules of the game.
    pub(crate) fn check_with(&self, catalogue: &Catalogue, list: &str) -> DeckReport {
        let (deck, unread) = match gemp::is_gemp(list) {
            true => match gemp::read(catalogue, &self.sets, list) {
                Ok(deck) => (deck, Vec::new()),
                Err(unread) => (Deck::default(), unread),
            },
            false => deck::read(catalogue, list),
        };
        let faults = match deck::check(catalogue, &deck) {
            Ok(faults) => faults.into_iter().map(|fault| DeckFault { rule: fault.cite.clone(), reason: fault.reason.clone() }).collect(),
            Err(reason) => vec![DeckFault { rule: String::new(), reason }],
        };
        DeckReport {
            cards: deck.cards.len() as u32,
            legal: faults.is_empty() && unread.is_empty(),
            faults,
            unread,
            list: deck::write(&deck),
        }
    }

    /// The player a deck is for.
    pub fn seat(&self, deck: &Deck) -> u8 {
        deck::seat(&self.catalogue, deck) as u8
    }
}

pub(crate) fn card_info(catalogue: &Catalogue, card: &CardDef) -> CardInfo {
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
        brings: card.brings.iter().map(|&(def, copies)| (catalogue.def(def).key.clone(), copies)).collect(),
    }
}

fn vocabulary_info(entry: &Entry) -> VocabularyInfo {
    VocabularyInfo {
        name: entry.name.clone(),
        written: entry.signature(),
        sort: entry.sort.name().into(),
        of: entry.of.clone(),
        english: entry.english.clone(),
        meaning: entry.meaning.clone(),
        rules: entry.rules.clone(),
        place: format!("{}:{}", entry.file, entry.line),
        cards: entry.cards.clone(),
        uses: entry.uses as u32,
    }
}

/// The rules in the order of the book, each with the heading it stands under.
fn rules(rulebook: &str, rulings: &[Ruling]) -> Vec<RuleInfo> {
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
                let beside = rulings.iter().filter(|ruling| ruling.rules.iter().any(|rule| rule == id));
                let beside = beside.map(|ruling| RulingInfo {
                    title: ruling.title.clone(),
                    readings: ruling.readings.clone(),
                    ours: ruling.ours.clone(),
                    option: ruling.option.clone(),
                });
                rules.push(RuleInfo { id: id.into(), section: section.into(), text, rulings: beside.collect() });
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
        let games = Games::read(None).expect("the built-in games are well");
        for game in games.all() {
            assert!(!game.rules.is_empty() && game.rules.iter().all(|rule| !rule.text.is_empty() && !rule.section.is_empty()));
            assert!(game.cards.iter().all(|card| !card.side.is_empty() && !card.kind.is_empty()));
            let vocabulary = game.vocabulary();
            let verbs = vocabulary.iter().filter(|word| word.sort == "verb");
            assert!(verbs.clone().count() > 20 && verbs.clone().all(|verb| !verb.english.is_empty()));
            for deck in &game.starters {
                let report = game.check(&deck.list);
                assert!(report.legal, "{}: {report:?}", deck.id);
            }
            for seat in 0..game.catalogue.players.len() as u8 {
                assert!(game.starters.iter().any(|deck| deck.seat == seat), "no starter deck of {} is for seat {seat}", game.name);
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_line() {
        let games = Games::read(None).expect("the built-in games are well");
        let report = games.get("tcg").expect("there is a tcg").check("# mine\nname: Mine\n4x Yoda (B)\n2x No Such Card\n900x Yoda (B)\n");
        assert_eq!(report.cards, 4);
        assert!(!report.legal && !report.faults.is_empty());
        assert_eq!(report.unread, ["line 4: no card is called \"No Such Card\"", "line 5: 900 copies of a card make no sense"]);
    }

    #[test]
    fn lists_come_from_gemp_and_go_there() {
        let mut game = Game::read(&Source::BuiltIn(trilogy_games::find("tcg").expect("there is a tcg"))).expect("the tcg is well");
        let plain = "name: Mine\n2x Yoda (B)\n1x Nute Gunray (A)\n".to_string();
        assert!(game.to_gemp(&plain).is_err_and(|faults| faults.len() == 2 && faults[0].contains("GEMP does not have its set")));
        // As if GEMP had the sets.
        for (at, set) in game.sets.iter_mut().enumerate() {
            set.gemp = Some(at as u16 + 1);
        }
        let xml = game.to_gemp(&plain).expect("all sets have a number");
        assert_eq!(game.to_plain(xml.clone()), Ok(plain));
        assert!(game.to_plain(xml.replace("</deck>", "")).is_err());
        assert_eq!(game.to_plain("4x Who\n".into()), Ok("4x Who\n".into()), "a plain list is kept, whatever it says");
    }
}
