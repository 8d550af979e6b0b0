//! Numbers that are worked out: so many for each, equal to a value, the highest of several, one or another.

use super::English;
use super::said::{Amount, Number, Person, Said, Thing};
use super::words::joined;
use crate::ast::*;
use crate::types::Ty;

impl English<'_> {
    /// How many there are of a list.
    pub(super) fn count(&mut self, list: &Expr) -> Said {
        match self.thing(list) {
            Some(thing) => each_of(&thing, 1),
            None => {
                let what = self.noun(list, Number::Many).text;
                Said::value(format!("the number of {what}"))
            }
        }
    }

    /// `2 * count(...)` is 2 for each.
    pub(super) fn times(&mut self, a: &Expr, b: &Expr) -> Said {
        let (a, b) = (self.noun(a, Number::One), self.noun(b, Number::One));
        let multiple = |n: &Said, of: &Said| match (n.person, &of.amount) {
            (Person::Amount(Some(n)), Some(Amount::Each(count, each))) => {
                Some(Said::counted(format!("{n} times {}", of.text), Amount::Each(n * count, each.clone())))
            }
            _ => None,
        };
        let times = || Said::value(if a.text == "2" { format!("twice {}", b.text) } else { format!("{} times {}", a.text, b.text) });
        multiple(&a, &b).or_else(|| multiple(&b, &a)).unwrap_or_else(times)
    }

    /// `sum(c in LIST: c.power)`: the total power of these; `highest`, `lowest`: the highest power among them.
    pub(super) fn of_all(&mut self, which: &str, var: &Name, list: &Expr, test: Option<&Expr>, value: &Expr) -> Said {
        let of = self.thing_where(var, list, test);
        let many = match &of {
            Some(thing) => thing.said(Number::Many).text,
            None => self.noun(list, Number::Many).text,
        };
        self.speaker.name(var, Said::it());
        let value = self.noun(value, Number::One);
        let thing = value.of_it().map(str::to_string);
        Said::value(match (which, thing) {
            ("sum", Some(thing)) => format!("the total {thing} of {many}"),
            ("sum", None) => format!("the sum of {} over {many}", value.text),
            (_, Some(thing)) => format!("the {which} {thing} among {many}"),
            (_, None) => format!("the {which} of {} among {many}", value.text),
        })
    }

    /// `if A then 2 else 3`: "3 (2 if A)". Tests that follow one another stand in one bracket.
    pub(super) fn either(&mut self, test: &Expr, then: &Expr, otherwise: &Expr) -> Said {
        let test = self.truth(test).text();
        let then = self.noun(then, Number::One);
        let otherwise = self.noun(otherwise, Number::One);
        let told = format!("{} if {test}", then.text);
        if otherwise.text == "0" {
            return Said::counted(told, Amount::Or(then.text, format!(" if {test}")));
        }
        match &otherwise.amount {
            Some(Amount::Or(base, or)) if or.starts_with(" (") => {
                let or = format!(" ({told}, {}", &or[2..]);
                Said::counted(format!("{base}{or}"), Amount::Or(base.clone(), or))
            }
            _ => {
                let or = format!(" ({told})");
                Said::counted(format!("{}{or}", otherwise.text), Amount::Or(otherwise.text, or))
            }
        }
    }

    /// A value that stands in the English of a definition, "2 (0 at Home)", is told in its two parts.
    pub(super) fn worded_amount(text: String) -> Said {
        match text.split_once(" (") {
            Some((base, or)) if base.parse::<i32>().is_ok() && or.ends_with(')') => {
                let (base, or) = (base.to_string(), format!(" ({or}"));
                Said::counted(text, Amount::Or(base, or))
            }
            _ => match text.split_once(" if ").filter(|(base, _)| base.parse::<i32>().is_ok()) {
                Some((base, or)) => {
                    let (base, or) = (base.to_string(), format!(" if {or}"));
                    Said::counted(text, Amount::Or(base, or))
                }
                None => Self::plain_amount(text),
            },
        }
    }

    fn plain_amount(text: String) -> Said {
        match text.parse() {
            Ok(number) => Said::number(number),
            Err(_) => Said::value(text),
        }
    }

    /// What of a value changes, in parts of a sentence behind "gets": "+1 power for each unit here".
    pub(super) fn change(&mut self, english: &str, change: Change, by: &Expr) -> String {
        let by = self.noun(by, Number::One);
        // "+1 power", but "+1 to each battle destiny draw".
        let english = &if english.starts_with("each ") { format!("to {english}") } else { english.to_string() };
        let sign = match change {
            Change::Add => "+",
            Change::Subtract => "-",
            Change::AtLeast | Change::AtMost | Change::Set | Change::Multiply | Change::Unreduced | Change::Unmodified => "",
        };
        match (&by.amount, change) {
            (Some(Amount::Each(count, each)), Change::Add | Change::Subtract) => format!("{sign}{count} {english} {each}"),
            (Some(Amount::Or(base, or)), Change::Add | Change::Subtract) => {
                format!("{sign}{base} {english}{}", or.replacen(" (", &format!(" ({sign}"), 1))
            }
            (_, Change::Add | Change::Subtract) if by.is_plain_number() => match by.text.strip_prefix('-') {
                // Less of a negative number.
                Some(number) => format!("{}{number} {english}", if change == Change::Add { "-" } else { "+" }),
                None => format!("{sign}{} {english}", by.text),
            },
            (_, Change::Add | Change::Subtract) => format!("{sign}X {english}, where X is {}", by.text),
            (_, Change::Multiply) if by.text == "2" => format!("double {english}"),
            (_, Change::Multiply) => format!("{} times its {english}", by.text),
            // "immunity to attrition less than 3"
            (_, Change::AtLeast | Change::Set) if ends_open(english) => format!("{english} {}", by.text),
            (_, Change::Set) if by.is_plain_number() || by.amount.is_some() => format!("{english} {}", by.text),
            (_, Change::Set) => format!("{english} equal to {}", by.text),
            (_, Change::AtLeast) => format!("at least {} {english}", by.text),
            (_, Change::AtMost) => format!("at most {} {english}", by.text),
            // What may not change is told by its clause.
            (_, Change::Unreduced | Change::Unmodified) => String::new(),
        }
    }

    /// "A or B, whichever is less"
    pub(super) fn whichever(&mut self, args: &[Expr], which: &str) -> Said {
        let args: Vec<String> = args.iter().map(|arg| self.noun(arg, Number::One).text).collect();
        Said::value(format!("{}, whichever is {which}", joined(&args, "or")))
    }

    /// Whether a field of a card or player is a number.
    pub(super) fn is_number(&self, field: &str) -> bool {
        let printed = field.strip_prefix("printed_").unwrap_or(field);
        self.names.stats.contains_key(printed) || self.names.held.get(field).is_some_and(|held| held.ty() == Ty::Num)
    }
}

fn ends_open(english: &str) -> bool {
    english.ends_with(" than") || english.ends_with("exactly")
}

pub(super) fn each_of(thing: &Thing, count: i32) -> Said {
    let many = thing.said(Number::Many).text;
    Said::counted(format!("the number of {many}"), Amount::Each(count, format!("for each {}", thing.bare_one())))
}
