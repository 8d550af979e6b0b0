//! What a game calls its things: from its rules, from the titles of all printed cards, and from `audit.txt`.
//!
//! Lines of `audit.txt`, each a word and what belongs to it; `#` starts a comment:
//!
//! | line | meaning |
//! | --- | --- |
//! | `phase A, B`, `pile A, B`, `type A, B` | names besides those that the rules have (zones, members of the enumeration `type`) |
//! | `plain A, B` | no names in texts, although a title, a zone or a type is called so |
//! | `name SHORT = TITLE` | another name for a card |
//! | `names ENUM, ENUM` | enumerations of the rules whose members are names: personas, planets |
//! | `same WORDS = WORDS` | the first is read as the second, in both texts; with nothing behind `=` it is passed over |
//! | `loose WORD = NUMBER` | a word that says a number which the other text may leave out |
//! | `subtype A, B` | words that say of which type a card is, besides those of our cards |
//! | `reminders [except A, B]` | what stands in brackets only explains and is passed over, unless it starts so or is a number |
//! | `alike FIELD` | cards with the same word in this field go by one name: personas |
//! | `number FIELD = NUMBER` | a field of the table and our printed number; `-` where we have none |
//! | `words FIELD, FIELD` | fields that hold words of the card |
//! | `word [TYPE] [FIELD.]THEIRS = OURS, OURS` | a word of these fields (of this one, on a card of this type) and our words for it; `-` where we have none |
//! | `own WORD, WORD` | words and numbers of ours that the table does not have |
//! | `keywords FIELD` | a field with keywords: each is a word of ours or stands in our text |
//! | `rarity THEIRS = OURS` | a rarity of the table |

use super::findings::Sort;
use super::printed::{Table, plain};
use super::reading::tokens;
use std::collections::{HashMap, HashSet};
use trilogy_engine::Catalogue;

/// Small words that change what a sentence means, in every game.
const SMALL: [&str; 13] =
    ["may", "must", "each", "instead", "once", "cannot", "opponent", "up to", "only", "all", "or", "except", "unless"];
/// What means the same in every game.
const SAME: [(&str, &str); 20] = [
    ("can't", "cannot"),
    ("can not", "cannot"),
    ("may not", "cannot"),
    ("opponent's", "opponent"),
    ("opponents'", "opponent"),
    ("opponents", "opponent"),
    ("every", "each"),
    ("except for", "except"),
    ("other than", "except"),
    ("non", "except"),
    ("only if", "if"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
];

/// A name as it stands in texts: which of its parts are capital.
pub(super) struct Name {
    pub(super) capitals: Vec<bool>,
    pub(super) stands_for: String,
}

#[derive(Default)]
pub(super) struct Words {
    /// By letters and digits alone.
    pub(super) names: HashMap<String, Name>,
    /// By small letters with spaces, in the singular.
    pub(super) terms: HashMap<String, (Sort, String)>,
    /// What is read as something else, the longest first.
    pub(super) same: Vec<(Vec<String>, Vec<String>)>,
    /// Words of cards: what is called by one says what type it is of.
    pub(super) subtypes: HashSet<String>,
    /// Numbers that words say by the way.
    pub(super) loose: HashMap<String, String>,
    /// Whether brackets only explain, and what those start with that do not.
    pub(super) reminders: Option<Vec<String>>,
    pub(super) numbers: Vec<(String, Option<String>)>,
    pub(super) fields: Vec<String>,
    word: HashMap<String, Vec<String>>,
    pub(super) own: HashSet<String>,
    pub(super) keywords: Vec<String>,
    pub(super) rarity: HashMap<String, String>,
    /// Numbers that the table has under our name.
    stats: HashSet<String>,
    /// Names as they are shown.
    shown: HashMap<String, String>,
    plain: HashSet<String>,
    alike: Option<String>,
    proper: Vec<String>,
    short: Vec<(String, String)>,
}

impl Words {
    pub(super) fn read(text: &str, catalogue: &Catalogue, table: &Table) -> Result<Words, String> {
        let mut words = Words::default();
        for (from, to) in SAME {
            words.add_same(from, to);
        }
        words.loose.extend(["a", "an", "one"].map(|word| (word.to_string(), "1".to_string())));
        let mut terms = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
            words.line(line, &mut terms).ok_or_else(|| format!("audit.txt, line {}: this is not understood: {line}", at + 1))?;
        }
        words.same.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        let own = own_words(catalogue, table);
        words.add_terms(catalogue, terms, &own);
        words.add_names(catalogue, table, &own);
        for card in table.cards() {
            words.stats.extend(card.field("stats").as_object().into_iter().flat_map(|stats| stats.keys().cloned()));
        }
        Ok(words)
    }

    pub(super) fn shown<'a>(&'a self, name: &'a str) -> &'a str {
        self.shown.get(name).map_or(name, String::as_str)
    }

    pub(super) fn is_stat(&self, name: &str) -> bool {
        self.stats.contains(name)
    }

    fn line(&mut self, line: &str, terms: &mut Vec<(Sort, String)>) -> Option<()> {
        let (head, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let several = || rest.split(',').map(|part| part.trim().to_string()).filter(|part| !part.is_empty());
        let pair = || rest.split_once('=').map(|(from, to)| (from.trim(), to.trim()));
        match head {
            "phase" => terms.extend(several().map(|term| (Sort::Phase, term))),
            "pile" => terms.extend(several().map(|term| (Sort::Pile, term))),
            "type" => terms.extend(several().map(|term| (Sort::Type, term))),
            "plain" => self.plain.extend(several().map(|name| plain(&name))),
            "name" => {
                let (short, title) = pair()?;
                self.short.push((short.to_string(), called(title)));
            }
            "names" => self.proper.extend(several()),
            "same" => pair().map(|(from, to)| self.add_same(from, to))?,
            "loose" => {
                let (word, number) = pair()?;
                self.loose.insert(word.to_lowercase(), number.to_string());
            }
            "subtype" => self.subtypes.extend(several().map(|word| singular(&word.to_lowercase()))),
            "reminders" => {
                let except = rest.strip_prefix("except").unwrap_or(rest).split(',').map(str::trim).filter(|one| !one.is_empty());
                self.reminders = Some(except.map(String::from).collect());
            }
            "alike" => self.alike = Some(rest.to_string()),
            "number" => {
                let (theirs, ours) = pair()?;
                self.numbers.push((theirs.to_string(), (ours != "-").then(|| ours.to_string())));
            }
            "words" => self.fields.extend(several()),
            "word" => {
                let (theirs, ours) = pair()?;
                let ours = ours.split(',').map(|one| plain(one.trim())).filter(|one| !one.is_empty());
                self.word.insert(plain(theirs), ours.collect());
            }
            "own" => self.own.extend(several().map(|word| plain(&word))),
            "keywords" => self.keywords.extend(several()),
            "rarity" => {
                let (theirs, ours) = pair()?;
                self.rarity.insert(theirs.to_string(), ours.to_string());
            }
            _ => return None,
        }
        Some(())
    }

    /// Our words for one of the table, as it stands in a field on a card of a type.
    pub(super) fn ours(&self, of_type: &str, field: &str, word: &str) -> Option<&Vec<String>> {
        let word = plain(word);
        let in_field = plain(field) + &word;
        self.word.get(&(plain(of_type) + &in_field)).or_else(|| self.word.get(&in_field)).or_else(|| self.word.get(&word))
    }

    fn add_same(&mut self, from: &str, to: &str) {
        let small = |text: &str| tokens(&text.to_lowercase());
        self.same.push((small(from), small(to)));
    }

    fn add_terms(&mut self, catalogue: &Catalogue, more: Vec<(Sort, String)>, own: &[&str]) {
        let zones = catalogue.zones.iter().map(|zone| (Sort::Pile, zone.english.trim_start_matches("the ").to_string()));
        let types = catalogue.enums.iter().filter(|one| one.name == "type").flat_map(|one| &one.members);
        let types = types.map(|word| (Sort::Type, catalogue.word(*word).replace('_', " ")));
        for (sort, term) in zones.chain(types).chain(more).filter(|(_, term)| !self.plain.contains(&plain(term))) {
            let term = singular(&term.to_lowercase());
            self.terms.insert(term.clone(), (sort, term));
        }
        for small in SMALL {
            self.terms.insert(small.into(), (Sort::Word, small.into()));
        }
        let named = own.iter().map(|word| word.replace('_', " ").to_lowercase());
        let named = named.filter(|word| !self.terms.contains_key(word)).map(|word| singular(&word));
        self.subtypes.extend(named);
    }

    fn add_names(&mut self, catalogue: &Catalogue, table: &Table, own: &[&str]) {
        // A title of one word that texts also use in small letters is no name there.
        let mut ordinary: HashSet<String> = HashSet::new();
        for card in table.cards() {
            ordinary.extend(tokens(&card.text).into_iter().filter(|token| token.starts_with(char::is_lowercase)));
        }
        let known: HashSet<String> = own.iter().map(|word| plain(word)).collect();
        for card in table.cards() {
            let parts = tokens(&card.title);
            let ordinary = parts.len() == 1 && ordinary.contains(&parts[0].to_lowercase());
            if !ordinary && !known.contains(&plain(&card.title)) {
                let alike = self.alike.as_ref().and_then(|field| card.texts(field).first().map(|name| plain(name)));
                self.add_name(&card.title, alike);
            }
        }
        self.add_places(table, &ordinary);
        let proper = std::mem::take(&mut self.proper);
        for word in catalogue.enums.iter().filter(|one| proper.contains(&one.name)).flat_map(|one| &one.members) {
            self.add_name(&catalogue.word(*word).replace('_', " "), None);
        }
        for (short, title) in std::mem::take(&mut self.short) {
            let stands_for = self.names.get(&title).map_or(title, |name| name.stands_for.clone());
            self.add_name(&short, Some(stands_for));
        }
    }

    /// "Planet: Site" is called "Site" where no other title ends so.
    fn add_places(&mut self, table: &Table, ordinary: &HashSet<String>) {
        let mut places: HashMap<&str, HashSet<&str>> = HashMap::new();
        for card in table.cards() {
            if let Some((_, place)) = card.title.split_once(": ") {
                places.entry(place).or_default().insert(&card.title);
            }
        }
        for (place, titles) in places {
            let parts = tokens(place);
            if let [title] = titles.into_iter().collect::<Vec<_>>()[..]
                && !(parts.len() == 1 && ordinary.contains(&parts[0].to_lowercase()))
            {
                self.add_name(place, Some(called(title)));
            }
        }
    }

    fn add_name(&mut self, title: &str, stands_for: Option<String>) {
        let name = called(title);
        if name.is_empty() || self.plain.contains(&name) {
            return;
        }
        const SMALL: [&str; 12] = ["of", "the", "a", "an", "and", "in", "on", "to", "for", "with", "from", "at"];
        let capital = |token: &String| !token.starts_with(char::is_lowercase) && !SMALL.contains(&token.to_lowercase().as_str());
        let capitals = tokens(title).iter().map(capital).collect();
        let stands_for = stands_for.unwrap_or_else(|| name.clone());
        self.shown.entry(stands_for.clone()).or_insert_with(|| title.to_string());
        self.names.entry(name).or_insert(Name { capitals, stands_for });
    }
}

/// The words of cards; the catalogue has titles among its words, too, also those of cards that are not there yet.
fn own_words<'a>(catalogue: &'a Catalogue, table: &'a Table) -> Vec<&'a str> {
    let printed = table.cards().map(|card| card.title.as_str());
    let titles: HashSet<&str> = catalogue.cards.iter().map(|card| card.title.as_str()).chain(printed).collect();
    let members = catalogue.enums.iter().flat_map(|one| &one.members);
    let carried: HashSet<&str> =
        catalogue.cards.iter().flat_map(|card| &card.words).chain(members).map(|word| catalogue.word(*word)).collect();
    catalogue.words.iter().map(String::as_str).filter(|word| carried.contains(word) || !titles.contains(word)).collect()
}

/// A name as it is looked up: letters and digits, and the `&` of a card that is two.
pub(super) fn called(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '&').flat_map(char::to_lowercase).collect()
}

/// A term without its plural ending.
pub(super) fn singular(term: &str) -> String {
    match term.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') && stem.len() > 2 => stem.to_string(),
        _ => term.to_string(),
    }
}
