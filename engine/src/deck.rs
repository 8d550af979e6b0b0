//! Deck lists as people write them: `4x Title (A)`, one card a line. A `#` at the start of a line, or with a blank behind it,
//! starts a comment. Lines `name:` and `side:` speak of the whole deck; cards after a line `outside:` come with it and are no part of it;
//! cards after a line `sets:` each stand for themselves and all that they bring with them.

use crate::catalogue::{CardDef, Catalogue};
use crate::eval::{Refusal, deck_faults};
use crate::game::{Setup, table};
use crate::ids::*;
use crate::rng::Random;
use crate::value::PlayerId;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deck {
    pub name: String,
    /// Keys of the cards, with repetitions.
    pub cards: Vec<String>,
    /// Keys of cards that are brought along outside the deck.
    pub outside: Vec<String>,
}

/// Read a list. Every line that cannot be read is named.
pub fn parse(catalogue: &Catalogue, text: &str) -> Result<Deck, Vec<String>> {
    let (deck, mut faults) = read(catalogue, text);
    if deck.cards.is_empty() && faults.is_empty() {
        faults.push("the list is empty".into());
    }
    if faults.is_empty() { Ok(deck) } else { Err(faults) }
}

/// Read a list as far as possible; the lines that could not be read come with their reasons.
pub fn read(catalogue: &Catalogue, text: &str) -> (Deck, Vec<String>) {
    let mut deck = Deck::default();
    let mut faults = Vec::new();
    let mut side = None;
    let mut entries = Vec::new();
    let mut part = Part::Cards;
    for (at, line) in text.lines().enumerate() {
        let line = uncommented(line);
        let mut fault = |why: String| faults.push((at, why));
        if line.is_empty() {
            continue;
        } else if let Some(name) = line.strip_prefix("name:") {
            deck.name = name.trim().to_string();
        } else if let Some(named) = line.strip_prefix("side:") {
            match side_named(catalogue, named.trim()) {
                Ok(word) => side = Some(word),
                Err(why) => fault(why),
            }
        } else if line == "outside:" {
            part = Part::Outside;
        } else if line == "sets:" {
            part = Part::Sets;
        } else {
            match entry(catalogue, line) {
                Ok((count, title, candidates)) => entries.push(Entry { at, count, title, candidates, part }),
                Err(why) => fault(why),
            }
        }
    }
    let side = side.or_else(|| common_side(catalogue, &entries));
    for entry in entries {
        match entry.choose(side) {
            Ok(key) => {
                let brought = if entry.part == Part::Sets { brought_by(catalogue, &key) } else { Vec::new() };
                let into = if entry.part == Part::Outside { &mut deck.outside } else { &mut deck.cards };
                for key in std::iter::once(key).chain(brought) {
                    into.extend(std::iter::repeat_n(key, entry.count));
                }
            }
            Err(why) => faults.push((entry.at, why)),
        }
    }
    faults.sort_by_key(|(at, _)| *at);
    (deck, faults.into_iter().map(|(at, why)| format!("line {}: {why}", at + 1)).collect())
}

/// The key of a card by its full name, whatever the case; a title alone is enough where it has one version.
pub fn find(catalogue: &Catalogue, title: &str) -> Result<String, String> {
    let title = plain(title);
    choose(&title, &candidates(catalogue, &title))
}

/// The key of the one card that a title means among those that pass a test.
pub fn find_among(catalogue: &Catalogue, title: &str, test: impl Fn(&CardDef) -> bool) -> Result<String, String> {
    let title = plain(title);
    let fitting: Vec<&CardDef> = candidates(catalogue, &title).into_iter().filter(|card| test(card)).collect();
    choose(&title, &fitting)
}

/// The key of the one card that a title means for a player: where there are some of the player's side, it is among those.
pub fn find_for(catalogue: &Catalogue, title: &str, player: PlayerId) -> Result<String, String> {
    let title = plain(title);
    choose_by_side(&title, &candidates(catalogue, &title), side_word(catalogue, player.index()))
}

/// The player a deck is for: the one whose word most of its cards carry, the first where none do.
pub fn seat(catalogue: &Catalogue, deck: &Deck) -> usize {
    let mut votes = vec![0; catalogue.players.len()];
    for def in deck.cards.iter().filter_map(|key| catalogue.card(key)) {
        for (at, votes) in votes.iter_mut().enumerate() {
            *votes += usize::from(side_word(catalogue, at).is_some_and(|word| catalogue.def(def).words.contains(&word)));
        }
    }
    let most = votes.iter().copied().max().unwrap_or(0);
    votes.iter().position(|votes| *votes == most).unwrap_or(0)
}

/// The word of a player's side as keys print it, where the cards of a game have sides.
pub fn side_of(catalogue: &Catalogue, player: PlayerId) -> Option<String> {
    let word = catalogue.word(side_word(catalogue, player.index())?);
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect())
}

/// The player whose side a card is of, where all cards of that title are of one side.
pub fn owner(catalogue: &Catalogue, title: &str) -> Option<PlayerId> {
    let mut found = None;
    for card in candidates(catalogue, title) {
        let of = |player: &usize| side_word(catalogue, *player).is_some_and(|word| card.words.contains(&word));
        let player = (0..catalogue.players.len()).find(of).map(|at| PlayerId(at as u8));
        if player.is_none() || (found.is_some() && found != player) {
            return None;
        }
        found = player;
    }
    found
}

/// Every rule of construction that a deck breaks.
pub fn check(catalogue: &Catalogue, deck: &Deck) -> Result<Vec<Refusal>, String> {
    faults(catalogue, &deck.cards)
}

fn faults(catalogue: &Catalogue, cards: &[String]) -> Result<Vec<Refusal>, String> {
    let setup = Setup { decks: [cards.to_vec(), Vec::new()], options: Default::default(), seed: [0; 32] };
    let state = table(catalogue, &setup)?;
    Ok(deck_faults(catalogue, &state, PlayerId(0)))
}

/// How many exchanges are tried for each that is wanted: most of the catalogue does not fit, being of the other side, a copy too many, or
/// part of a set without the rest.
const TRIES: usize = 12;

/// A legal deck with up to `count` of its cards, and all that they bring, exchanged for any of the catalogue, as long as it stays legal.
pub fn mixed(catalogue: &Catalogue, cards: &[String], count: usize, luck: &mut Random) -> Result<Vec<String>, String> {
    let mut mixed = cards.to_vec();
    let mut left = count;
    for _ in 0..count * TRIES {
        if left == 0 || mixed.is_empty() {
            break;
        }
        let out = mixed[luck.below(mixed.len())].clone();
        let fresh = catalogue.cards[luck.below(catalogue.cards.len())].key.clone();
        let mut other = mixed.clone();
        for key in std::iter::once(out.clone()).chain(brought_by(catalogue, &out)) {
            if let Some(at) = other.iter().position(|card| *card == key) {
                other.swap_remove(at);
            }
        }
        other.extend(brought_by(catalogue, &fresh));
        other.push(fresh);
        if faults(catalogue, &other)?.is_empty() {
            mixed = other;
            left -= 1;
        }
    }
    Ok(mixed)
}

/// The list in its usual form: one line for each card, in the order of first appearance.
pub fn write(deck: &Deck) -> String {
    let mut out = if deck.name.is_empty() { String::new() } else { format!("name: {}\n", deck.name) };
    for (heading, cards) in [("", &deck.cards), ("outside:\n", &deck.outside)] {
        if !cards.is_empty() {
            out += heading;
        }
        for (key, count) in counted(cards) {
            out += &format!("{count}x {key}\n");
        }
    }
    out
}

/// Each card once with its number, in the order of first appearance.
fn counted(cards: &[String]) -> Vec<(&str, usize)> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for card in cards {
        match counted.iter_mut().find(|(key, _)| key == card) {
            Some((_, count)) => *count += 1,
            None => counted.push((card, 1)),
        }
    }
    counted
}

/// One line of a list, before it is settled which card it means.
struct Entry<'a> {
    at: usize,
    count: usize,
    title: String,
    candidates: Vec<&'a CardDef>,
    part: Part,
}

/// What the lines of a list are about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Cards,
    Outside,
    Sets,
}

/// The keys of the cards that come into a deck with a card.
fn brought_by(catalogue: &Catalogue, key: &str) -> Vec<String> {
    let brings = catalogue.card(key).map_or(&[][..], |def| &catalogue.def(def).brings);
    brings.iter().flat_map(|&(def, copies)| std::iter::repeat_n(catalogue.def(def).key.clone(), copies as usize)).collect()
}

impl Entry<'_> {
    /// The one card that is meant, where need be by the side of the deck.
    fn choose(&self, side: Option<WordId>) -> Result<String, String> {
        choose_by_side(&self.title, &self.candidates, side)
    }
}

fn uncommented(line: &str) -> &str {
    // A title may hold a number sign: `Settlement #121`.
    let is_comment = |at: usize| line[at + 1..].chars().next().is_none_or(char::is_whitespace);
    let end = match line.trim_start().starts_with('#') {
        true => Some(0),
        false => line.match_indices('#').map(|(at, _)| at).find(|&at| is_comment(at)),
    };
    line[..end.unwrap_or(line.len())].trim()
}

/// Number of copies, title, and the cards it may mean.
fn entry<'a>(catalogue: &'a Catalogue, line: &str) -> Result<(usize, String, Vec<&'a CardDef>), String> {
    let counted = line.split_once(char::is_whitespace).and_then(|(first, rest)| {
        let count = first.trim_end_matches(['x', 'X']).parse::<usize>().ok()?;
        Some((count, plain(rest)))
    });
    // A title may begin with a number.
    let whole = plain(line);
    let found = candidates(catalogue, &whole);
    let counted_last = || {
        let (title, last) = line.rsplit_once(char::is_whitespace)?;
        let count = last.strip_prefix(['x', 'X', '×'])?.parse::<usize>().ok()?;
        Some((count, plain(title)))
    };
    let (count, found, title) = match counted.or_else(counted_last) {
        Some((count, title)) if found.is_empty() => (count, candidates(catalogue, &title), title),
        _ => (1, found, whole),
    };
    if count == 0 || count > 200 {
        return Err(format!("{count} copies of a card make no sense"));
    }
    Ok((count, title, found))
}

/// A title without the marks that lists from elsewhere carry: bullets before it, curly apostrophes.
fn plain(title: &str) -> String {
    title.trim_start_matches(|c: char| c == '•' || c.is_whitespace()).trim_end().replace('’', "'")
}

/// Whether a title is this one as people write it: in any case, its quotation marks of any form or left out.
fn is_called(title: &str, written: &str) -> bool {
    let letters = |text: &'_ str| {
        text.chars().filter(|letter| !['"', '“', '”'].contains(letter)).map(|letter| letter.to_ascii_lowercase()).collect::<String>()
    };
    title.eq_ignore_ascii_case(written) || (title.contains('"') && letters(title) == letters(written))
}

/// The card with this key, or else all cards with this title; some of the marks behind a title are enough where they tell
/// the card from others.
pub fn candidates<'a>(catalogue: &'a Catalogue, title: &str) -> Vec<&'a CardDef> {
    let titled = |title: &str| catalogue.cards.iter().filter(|card| is_called(&card.title, title)).collect::<Vec<_>>();
    if let Some(card) = catalogue.cards.iter().find(|card| is_called(&card.key, title)) {
        return vec![card];
    }
    let found = titled(title);
    let Some((title, marks)) = title.strip_suffix(')').and_then(|title| title.rsplit_once(" (")).filter(|_| found.is_empty()) else {
        return found;
    };
    let marks: Vec<&str> = marks.split(',').map(str::trim).collect();
    let marked = |card: &&CardDef| marks.iter().all(|mark| card.marks.iter().any(|own| own.eq_ignore_ascii_case(mark)));
    titled(title).into_iter().filter(marked).collect()
}

fn choose_by_side(title: &str, candidates: &[&CardDef], side: Option<WordId>) -> Result<String, String> {
    let of_side: Vec<&CardDef> = candidates.iter().filter(|card| side.is_some_and(|side| card.words.contains(&side))).copied().collect();
    choose(title, if of_side.is_empty() { candidates } else { &of_side })
}

fn choose(title: &str, candidates: &[&CardDef]) -> Result<String, String> {
    match candidates {
        [one] => Ok(one.key.clone()),
        [] => Err(format!("no card is called \"{title}\"")),
        _ => Err(format!("\"{title}\" could be {}", candidates.iter().map(|card| card.key.as_str()).collect::<Vec<_>>().join(" or "))),
    }
}

/// The word that marks the cards of a player: the first of the player's name, as `dark` of `Dark_Side`.
fn side_word(catalogue: &Catalogue, player: usize) -> Option<WordId> {
    let first = catalogue.players.get(player)?.split('_').next()?;
    WordId::new(catalogue.words.iter().position(|word| word.eq_ignore_ascii_case(first))?).ok()
}

fn side_named(catalogue: &Catalogue, name: &str) -> Result<WordId, String> {
    let sides: Vec<WordId> = (0..catalogue.players.len()).filter_map(|player| side_word(catalogue, player)).collect();
    let first = name.split_whitespace().next().unwrap_or("");
    sides.iter().copied().find(|side| catalogue.word(*side).eq_ignore_ascii_case(first)).ok_or_else(|| {
        let known: Vec<&str> = sides.iter().map(|side| catalogue.word(*side)).collect();
        format!("no side is called \"{name}\"; there are {}", known.join(" and "))
    })
}

/// The side of the lines that mean one card only, where they agree.
fn common_side(catalogue: &Catalogue, entries: &[Entry<'_>]) -> Option<WordId> {
    let certain = |entry: &&Entry<'_>| entry.candidates.len() == 1;
    let mut sides = (0..catalogue.players.len())
        .filter_map(|player| side_word(catalogue, player))
        .filter(|side| entries.iter().filter(certain).any(|entry| entry.candidates[0].words.contains(side)));
    let side = sides.next()?;
    sides.next().is_none().then_some(side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Contents;

    fn catalogue() -> Catalogue {
        let card = |key: &str, title: &str, word: usize| CardDef {
            key: key.into(),
            title: title.into(),
            words: vec![WordId::new(word).unwrap()],
            ..CardDef::default()
        };
        Catalogue::from(Contents {
            players: vec!["Dark_Side".into(), "Light_Side".into()],
            words: vec!["light".into(), "dark".into(), "neutral".into()],
            cards: vec![
                card("Jawa (Dark)", "Jawa", 1),
                card("Jawa (Light)", "Jawa", 0),
                card("Trooper", "Trooper", 1),
                card("It's Worse", "It's Worse", 1),
                card("Farmer (A)", "Farmer", 0),
                card("Farmer (B)", "Farmer", 0),
                card("725 to 1", "725 to 1", 2),
                card("\"Lefty\"", "\"Lefty\"", 2),
                card("Settlement #121", "Settlement #121", 2),
                CardDef { marks: vec!["Light".into(), "P".into(), "X".into()], ..card("Wizard (P)", "Wizard", 0) },
                CardDef { marks: vec!["Light".into(), "Q".into()], ..card("Wizard (Q)", "Wizard", 0) },
            ],
            ..Contents::default()
        })
    }

    fn cards(text: &str) -> Result<Vec<String>, Vec<String>> {
        parse(&catalogue(), text).map(|deck| deck.cards)
    }

    #[test]
    fn a_title_on_both_sides_is_the_one_of_the_decks_side() {
        assert_eq!(cards("1x Jawa\n1x Trooper"), Ok(vec!["Jawa (Dark)".into(), "Trooper".into()]));
        assert_eq!(cards("1x Jawa\n1x Farmer (A)"), Ok(vec!["Jawa (Light)".into(), "Farmer (A)".into()]));
        assert_eq!(cards("side: Light Side\n1x Jawa"), Ok(vec!["Jawa (Light)".into()]));
        // The header counts for more than the cards.
        assert_eq!(cards("1x Trooper\nside: light\n1x Jawa"), Ok(vec!["Trooper".into(), "Jawa (Light)".into()]));
        assert_eq!(cards("1x jawa (dark)\n1x Farmer (B)"), Ok(vec!["Jawa (Dark)".into(), "Farmer (B)".into()]));
    }

    #[test]
    fn what_stays_ambiguous_is_told_with_its_candidates() {
        let told = |text: &str| cards(text).unwrap_err();
        assert_eq!(told("2x Jawa"), ["line 1: \"Jawa\" could be Jawa (Dark) or Jawa (Light)"]);
        assert_eq!(told("1x Trooper\n1x Farmer (A)\n2x Jawa"), ["line 3: \"Jawa\" could be Jawa (Dark) or Jawa (Light)"]);
        assert_eq!(told("side: light\n1x Farmer"), ["line 2: \"Farmer\" could be Farmer (A) or Farmer (B)"]);
        assert_eq!(
            told("side: grey\n0x Jawa"),
            ["line 1: no side is called \"grey\"; there are dark and light", "line 2: 0 copies of a card make no sense"]
        );
        assert_eq!(told("# nothing"), ["the list is empty"]);
        assert_eq!(cards("1x lefty\n1x “Lefty”\n1x \"Lefty\""), Ok(vec!["\"Lefty\"".into(); 3]));
    }

    #[test]
    fn some_marks_are_enough_where_they_tell_a_card_from_others() {
        assert_eq!(cards("1x Wizard (light, q)\n1x wizard (P)"), Ok(vec!["Wizard (Q)".into(), "Wizard (P)".into()]));
        assert_eq!(cards("1x Wizard (X)"), Ok(vec!["Wizard (P)".into()]));
        assert_eq!(cards("1x Wizard (Light)").unwrap_err(), ["line 1: \"Wizard (Light)\" could be Wizard (P) or Wizard (Q)"]);
        assert_eq!(cards("1x Wizard (Z)").unwrap_err(), ["line 1: no card is called \"Wizard (Z)\""]);
    }

    #[test]
    fn marks_numbers_and_comments_are_told_apart_from_titles() {
        assert_eq!(
            cards("2x ••Trooper # good\n• It’s Worse\n#1x Farmer"),
            Ok(vec!["Trooper".into(), "Trooper".into(), "It's Worse".into()])
        );
        assert_eq!(cards("725 to 1\n2 725 to 1\n1x Settlement #121 # far away").map(|cards| cards.len()), Ok(4));
    }

    #[test]
    fn a_set_stands_for_all_that_its_card_brings() {
        let mut catalogue = catalogue();
        catalogue.cards[2].brings = vec![(DefId::new(3).unwrap(), 2), (DefId::new(4).unwrap(), 1)];
        let cards = |text: &str| parse(&catalogue, text).map(|deck| deck.cards.join(", "));
        assert_eq!(cards("1x Farmer (B)\nsets:\n1x Trooper"), Ok("Farmer (B), Trooper, It's Worse, It's Worse, Farmer (A)".into()));
        assert_eq!(cards("1x Trooper"), Ok("Trooper".into()));
        assert_eq!(cards("sets:\n2x Farmer (A)"), Ok("Farmer (A), Farmer (A)".into()));
    }

    #[test]
    fn a_list_that_was_written_reads_the_same() {
        let deck = parse(&catalogue(), "name: Mine\n2x Trooper\n1x Jawa\noutside:\n1x It's Worse").unwrap_or_default();
        assert_eq!(write(&deck), "name: Mine\n2x Trooper\n1x Jawa (Dark)\noutside:\n1x It's Worse\n");
        assert_eq!(parse(&catalogue(), &write(&deck)), Ok(deck));
    }

    #[test]
    fn the_seat_is_that_of_most_cards() {
        let seat = |text: &str| seat(&catalogue(), &read(&catalogue(), text).0);
        assert_eq!([seat("1x Trooper"), seat("1x Farmer (A)"), seat("725 to 1"), seat("1x Trooper\n2x Farmer (A)")], [0, 1, 0, 1]);
    }
}
