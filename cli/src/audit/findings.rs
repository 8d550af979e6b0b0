//! What differs between a printed card and ours, and how much it weighs.

use serde_json::{Value, json};
use std::fmt;

/// What a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Sort {
    /// Numbers, words, rarity and the like, beside the text.
    Table,
    Number,
    /// A number that is added on one side and taken away on the other.
    Sign,
    /// A title, or another name of the game.
    Name,
    Type,
    Pile,
    Phase,
    /// One of the small words that change what a sentence means.
    Word,
}

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::Table => "table",
            Sort::Number => "number",
            Sort::Sign => "sign",
            Sort::Name => "name",
            Sort::Type => "type",
            Sort::Pile => "pile",
            Sort::Phase => "phase",
            Sort::Word => "word",
        }
    }
    fn weight(self) -> f64 {
        match self {
            Sort::Table => 10.0,
            Sort::Number | Sort::Sign | Sort::Name => 5.0,
            Sort::Type | Sort::Pile | Sort::Phase => 4.0,
            Sort::Word => 1.0,
        }
    }
}

/// From here on a finding must be explained.
pub(super) const HEAVY: f64 = 4.0;
/// What stands on both sides, but not as often.
const LESS: f64 = 0.125;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Difference {
    InPrint,
    InOurs,
    /// How often in print and in ours.
    Often(usize, usize),
    /// What the table has, and what the card.
    Other(String, String),
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Finding {
    pub(super) sort: Sort,
    pub(super) what: String,
    pub(super) difference: Difference,
}

impl Finding {
    /// A difference from the table: what it is of, what the table has, what ours.
    pub(super) fn table(what: &str, printed: &str, ours: &str) -> Finding {
        Finding { sort: Sort::Table, what: what.into(), difference: Difference::Other(printed.into(), ours.into()) }
    }
    pub(super) fn weight(&self) -> f64 {
        let much = if matches!(self.difference, Difference::Often(..)) { LESS } else { 1.0 };
        self.sort.weight() * much
    }
    pub(super) fn json(&self, accepted: bool) -> Value {
        let (printed, ours) = match &self.difference {
            Difference::InPrint => (json!(true), json!(false)),
            Difference::InOurs => (json!(false), json!(true)),
            Difference::Often(printed, ours) => (json!(printed), json!(ours)),
            Difference::Other(printed, ours) => (json!(printed), json!(ours)),
        };
        json!({"sort": self.sort.name(), "what": self.what, "printed": printed, "ours": ours, "weight": self.weight(), "accepted": accepted, "finding": self.to_string()})
    }
}

/// As it stands in `accepted.txt`, too.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Finding { sort, what, difference } = self;
        match difference {
            Difference::InPrint => write!(f, "{} {what} in print only", sort.name()),
            Difference::InOurs => write!(f, "{} {what} in ours only", sort.name()),
            Difference::Often(printed, ours) => write!(f, "{} {what} {printed} times in print, {ours} times in ours", sort.name()),
            Difference::Other(printed, ours) => {
                let said = |value: &str| if value.is_empty() { "none".to_string() } else { value.to_string() };
                write!(f, "{what}: {} in print, {} here", said(printed), said(ours))
            }
        }
    }
}
