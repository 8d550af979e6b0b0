//! Things in words: what a thing is called, with all that a verb or a possessive beside it must agree with.

use super::claims::says_where;
use super::words::{article, joined, plural_of};

/// Whom or what a sentence speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Person {
    You,
    /// A player who is not asked: "your opponent".
    Player,
    /// A player who was named in the same sentence: "they", "their hand".
    They,
    /// "it", which is clear from what stands before.
    It,
    One,
    Many,
    /// A number, where it is known.
    Amount(Option<i32>),
}

impl Person {
    pub(super) fn takes_plain_verb(self) -> bool {
        matches!(self, Person::You | Person::They | Person::Many)
    }
    /// Which of two forms of `{x|one|many}` stands: by number, of players the one for "you".
    pub(super) fn takes_first_form(self) -> bool {
        matches!(self, Person::You | Person::It | Person::One | Person::Amount(Some(1)))
    }
}

/// How an amount is put into a sentence where it is no plain number.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Amount {
    /// So many for each of something: "1", "for each unit here".
    Each(i32, String),
    /// A number, and others on a condition: "3", "2 if you have the edge".
    Or(String, String),
}

/// A thing in words.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Said {
    pub(super) text: String,
    pub(super) person: Person,
    /// Whose it is, and what: "its", "power".
    owned: Option<Box<(Said, String)>>,
    pub(super) amount: Option<Amount>,
    /// More stands behind its noun, so that no "'s" can.
    long: bool,
}

impl Said {
    pub(crate) fn new(text: impl Into<String>, person: Person) -> Said {
        Said { text: text.into(), person, owned: None, amount: None, long: false }
    }
    pub(crate) fn one(text: impl Into<String>) -> Said {
        Said::new(text, Person::One)
    }
    pub(crate) fn many(text: impl Into<String>) -> Said {
        Said::new(text, Person::Many)
    }
    pub(super) fn it() -> Said {
        Said::new("it", Person::It)
    }
    pub(super) fn you() -> Said {
        Said::new("you", Person::You)
    }
    pub(super) fn opponent() -> Said {
        Said::new("your opponent", Person::Player)
    }
    pub(super) fn number(n: i32) -> Said {
        Said::new(n.to_string(), Person::Amount(Some(n)))
    }
    pub(super) fn value(text: impl Into<String>) -> Said {
        Said::new(text, Person::Amount(None))
    }
    pub(super) fn counted(text: impl Into<String>, amount: Amount) -> Said {
        Said { amount: Some(amount), ..Said::value(text) }
    }
    /// The same thing, called something else.
    pub(super) fn by_name(self, text: impl Into<String>) -> Said {
        Said { text: text.into(), ..self }
    }
    pub(super) fn with_more(self) -> Said {
        Said { long: true, ..self }
    }

    /// "its power", "your hand", "that unit's cost", "the power of a unit at the site".
    pub(super) fn of(owner: &Said, thing: &str, person: Person) -> Said {
        let text = if owner.long { format!("the {thing} of {}", owner.text) } else { format!("{} {thing}", owner.possessive()) };
        Said { owned: Some(Box::new((owner.clone(), thing.into()))), ..Said::new(text, person) }
    }

    pub(super) fn possessive(&self) -> String {
        match self.person {
            Person::You => "your".into(),
            Person::It => "its".into(),
            Person::They => "their".into(),
            Person::Many if self.text.ends_with('s') => format!("{}'", self.text),
            _ => format!("{}'s", self.text),
        }
    }

    /// What of it is meant: "power" of "its power".
    pub(super) fn of_it(&self) -> Option<&str> {
        let (owner, thing) = &**self.owned.as_ref()?;
        (owner.person == Person::It).then_some(thing)
    }
    /// Whether it is the subject of the sentence it stands in, by its own words or as "it".
    pub(super) fn speaks_of(&self, subject: &Said) -> bool {
        self.text == subject.text || (self.person == Person::It && !subject.is_you())
    }
    pub(super) fn is_you(&self) -> bool {
        self.person == Person::You
    }
    /// The same behind a verb of its own sentence: "attrition against them".
    pub(super) fn again(&self) -> Said {
        match self.person {
            Person::You => self.clone(),
            Person::Player | Person::They => Said::new("them", Person::Player),
            Person::Many => Said::many("them"),
            _ => Said::it(),
        }
    }
    /// A number that stands in the sentence as it is.
    pub(super) fn is_plain_number(&self) -> bool {
        matches!(self.person, Person::Amount(Some(_))) || self.text == "X"
    }
}

/// Which of the things that a phrase means are spoken of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    /// "one of your units", "a unit"
    One,
    /// "each of your units", "each unit"
    Each,
    /// "your units", "units"
    Many,
}

/// A noun phrase in its parts.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Thing {
    pub(super) owner: Option<Said>,
    pub(super) other: bool,
    /// Adjectives.
    pub(super) before: Vec<String>,
    pub(super) one: String,
    pub(super) many: String,
    pub(super) title: Option<String>,
    /// Where it is, and which one: as one of it has it, and as many have it.
    pub(super) behind: Vec<(String, String)>,
}

impl Thing {
    /// A thing of this sort, by its noun.
    pub(super) fn called(one: &str, many: &str) -> Thing {
        Thing { one: one.into(), many: many.into(), ..Thing::default() }
    }
    pub(super) fn sort(one: &str) -> Thing {
        Thing::called(one, &plural_of(one))
    }
    /// What stands behind it, in the same words for one and many.
    pub(super) fn where_it_is(&mut self, place: impl Into<String>) {
        let place = place.into();
        self.behind.push((place.clone(), place));
    }

    pub(super) fn said(&self, number: Number) -> Said {
        // "one of your units" has its noun in the plural, and what stands behind it with it.
        let many = self.title.is_none() && (number == Number::Many || self.owner.is_some());
        let text = self.with_place(&self.start(number), many);
        let said = Said::new(text, if number == Number::Many && self.title.is_none() { Person::Many } else { Person::One });
        let partitive = self.owner.is_some() && number != Number::Many && self.title.is_none();
        if partitive || !self.behind.is_empty() { said.with_more() } else { said }
    }

    /// "no Jedi at X", "2 or more Jedi": what there are so many of.
    pub(super) fn counted(&self, count: &str, single: bool) -> String {
        let start = format!("{count} {}", self.with_adjectives(if single { &self.one } else { &self.many }));
        self.with_place(&start, !single)
    }
    /// "unit at the site" behind "for each".
    pub(super) fn bare_one(&self) -> String {
        match &self.owner {
            Some(_) => self.with_place(&format!("of {}", self.owned(&self.many)), true),
            None => self.with_place(&self.with_adjectives(&self.one), false),
        }
    }

    fn start(&self, number: Number) -> String {
        if self.title.is_some() {
            return match &self.owner {
                Some(_) => self.owned(&self.one),
                None if self.other => format!("another {}", self.unowned(&self.one)),
                None => self.unowned(&self.one),
            };
        }
        match (number, &self.owner) {
            (Number::One, None) if self.other => format!("another {}", self.unowned(&self.one)),
            (Number::One, None) => article(&self.unowned(&self.one)),
            (Number::One, Some(_)) => format!("one of {}", self.owned(&self.many)),
            (Number::Each, None) => format!("each {}", self.with_adjectives(&self.one)),
            (Number::Each, Some(_)) => format!("each of {}", self.owned(&self.many)),
            (Number::Many, None) => self.with_adjectives(&self.many),
            (Number::Many, Some(_)) => self.owned(&self.many),
        }
    }
    fn owned(&self, noun: &str) -> String {
        let owner = self.owner.as_ref().map_or(String::new(), Said::possessive);
        format!("{owner} {}", self.with_adjectives(noun))
    }
    fn with_adjectives(&self, noun: &str) -> String {
        let other = if self.other { "other " } else { "" };
        format!("{other}{}", self.unowned(noun))
    }
    fn unowned(&self, noun: &str) -> String {
        let noun = self.title.as_deref().unwrap_or(noun);
        self.before.iter().map(|word| format!("{word} ")).collect::<String>() + noun
    }
    fn with_place(&self, start: &str, many: bool) -> String {
        self.behind.iter().fold(start.to_string(), |text, (one, several)| format!("{text} {}", if many { several } else { one }))
    }

    /// One of a name, at a place.
    pub(super) fn has_name_and_place(&self) -> bool {
        let says_it = |place: &str| place == "here" || place.starts_with("that is ") || says_where(place);
        self.title.is_some() && self.behind.first().is_some_and(|(place, _)| says_it(place))
    }
    pub(super) fn name_and_place(&self) -> (String, String) {
        let place = self.with_place("", false);
        let place = place.trim_start();
        (self.start(Number::One), place.strip_prefix("that is ").unwrap_or(place).to_string())
    }

    /// What it is called when it is spoken of again: "that unit".
    pub(super) fn again(&self, many: bool) -> Said {
        let noun = |noun: &str| {
            let end = [" in ", " from "].iter().filter_map(|place| noun.find(place)).min();
            noun[..end.unwrap_or(noun.len())].to_string()
        };
        match &self.title {
            Some(title) => Said::one(title.clone()),
            None if many => Said::many(format!("those {}", noun(&self.many))),
            None => Said::one(format!("that {}", noun(&self.one))),
        }
    }
}

/// "Motti or Yularen", each of them in the plural where there are many.
pub(super) fn alternatives(words: &[String], many: bool) -> String {
    let words: Vec<String> = words.iter().map(|word| if many { plural_of(word) } else { word.clone() }).collect();
    joined(&words, "or")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_told_with_all_that_selects_them() {
        let mut ship = Thing::called("ship", "ships");
        ship.before.push("tapped".into());
        ship.where_it_is("at the site");
        assert_eq!(ship.said(Number::One).text, "a tapped ship at the site");
        assert_eq!(ship.said(Number::Each).text, "each tapped ship at the site");
        ship.other = true;
        assert_eq!(ship.said(Number::One).text, "another tapped ship at the site");
        ship.owner = Some(Said::opponent());
        assert_eq!(ship.said(Number::One).text, "one of your opponent's other tapped ships at the site");
        ship.title = Some("Nightjar".into());
        assert_eq!(ship.said(Number::One).text, "your opponent's other tapped Nightjar at the site");
        assert_eq!(ship.counted("no", false), "no other tapped Nightjar at the site");
    }

    #[test]
    fn possessives() {
        let owls = Said::many("those owls");
        assert_eq!(Said::of(&owls, "glow", Person::One).text, "those owls' glow");
        assert_eq!(Said::of(&Said::it(), "glow", Person::One).of_it(), Some("glow"));
        let far = Thing { behind: vec![("at the site".into(), "at the site".into())], ..Thing::sort("owl") };
        assert_eq!(Said::of(&far.said(Number::One), "glow", Person::One).text, "the glow of an owl at the site");
    }
}
