//! The sets of a game and its rarities: the lines of `sets.txt`; and whether cards are printed in them as they say.

use std::collections::{BTreeSet, HashMap};
use trilogy_engine::Catalogue;
use trilogy_saga::diagnostics::{Span, nearest};
use trilogy_saga::{Diagnostic, Printing};

/// A set of cards as it was sold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set {
    /// What cards name as their set.
    pub code: String,
    /// The numbers of its cards, both included: in some games a set counts on where the one before it ended.
    pub first: u16,
    pub last: u16,
    /// The number of the set in card ids of GEMP, where that program has the set.
    pub gemp: Option<u16>,
    pub name: String,
    /// Numbers that no card has.
    pub skips: BTreeSet<u16>,
    /// Numbers that two cards have.
    pub twice: BTreeSet<u16>,
}

impl Set {
    /// The numbers that cards have.
    pub fn numbers(&self) -> impl Iterator<Item = u16> {
        (self.first..=self.last).filter(|number| !self.skips.contains(number))
    }
    pub fn holds(&self, number: u16) -> bool {
        (self.first..=self.last).contains(&number) && !self.skips.contains(&number)
    }
}

/// The sets alone.
pub fn parse(text: &str) -> Result<Vec<Set>, String> {
    parse_all(text).map(|(sets, _)| sets)
}

/// Read lines `CODE NUMBERS GEMP NAME` with a total or `FIRST-LAST`; `-` stands where GEMP does not have the set, `#` starts a comment.
/// Further lines are `rarities A B ...`, and of sets above them `skips CODE NUMBERS` and `twice CODE NUMBERS`. The rarities come second.
pub fn parse_all(text: &str) -> Result<(Vec<Set>, Vec<String>), String> {
    let (mut sets, mut rarities): (Vec<Set>, Vec<String>) = Default::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let fault = |why: &str| format!("sets.txt, line {}: {why}: {line}", at + 1);
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        if head == "rarities" {
            rarities.extend(rest.split_whitespace().map(String::from));
        } else if head == "skips" || head == "twice" {
            let (code, numbers) = rest.split_once(' ').unwrap_or((rest, ""));
            let numbers = several(numbers).ok_or_else(|| fault("numbers are needed, such as `3, 7-9`"))?;
            let set = sets.iter_mut().find(|set| set.code == code).ok_or_else(|| fault("there is no such set above"))?;
            let special = if head == "skips" { &mut set.skips } else { &mut set.twice };
            special.extend(numbers);
        } else {
            let set = set(line).ok_or_else(|| fault("`CODE NUMBERS GEMP NAME` is needed"))?;
            if sets.iter().any(|other| other.code == set.code) {
                return Err(fault("there is a set of that code already"));
            }
            sets.push(set);
        }
    }
    Ok((sets, rarities))
}

fn set(line: &str) -> Option<Set> {
    let mut parts = line.splitn(4, ' ');
    let (code, numbers, gemp, name) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?.trim());
    let (first, last) = match numbers.split_once('-') {
        Some((first, last)) => (first.parse().ok()?, last.parse().ok()?),
        None => (1, numbers.parse().ok()?),
    };
    let gemp = if gemp == "-" { None } else { Some(gemp.parse().ok()?) };
    (!name.is_empty() && first <= last).then(|| Set { code: code.into(), first, last, gemp, name: name.into(), ..Set::default() })
}

/// `3, 7-9` as numbers.
fn several(text: &str) -> Option<Vec<u16>> {
    let mut numbers = Vec::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        numbers.extend(first.parse::<u16>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

/// What is wrong with the `set` lines of cards: none at all, unknown sets and rarities, numbers that the set does not have or that
/// another card has.
pub fn check(catalogue: &Catalogue, printings: &[Printing], sets: &[Set], rarities: &[String]) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut taken: HashMap<(&str, u16), &str> = HashMap::new();
    for printing in printings {
        let key = catalogue.def(printing.card).key.as_str();
        if printing.lines.is_empty() {
            problems.push(Diagnostic::new(printing.title, format!("\"{key}\" is in no set: a line `set CODE NUMBER RARITY` is needed")));
        }
        for line in &printing.lines {
            let code = line.set.text.as_str();
            let Some(set) = sets.iter().find(|set| set.code == code) else {
                let known = sets.iter().map(|set| set.code.as_str());
                problems.push(near(line.set.span, format!("sets.txt has no set `{code}`"), code, known));
                continue;
            };
            if !set.holds(line.number) {
                let numbers = format!("{} has the numbers {} to {}", set.name, set.first, set.last);
                let less = if set.skips.contains(&line.number) { ", but this is none of them" } else { "" };
                problems.push(Diagnostic::new(line.span, format!("there is no card {} in `{code}`", line.number)).hint(numbers + less));
            }
            if let Some(other) = taken.insert((code, line.number), key)
                && !set.twice.contains(&line.number)
            {
                problems.push(Diagnostic::new(line.span, format!("{code} {} is \"{other}\" already", line.number)));
            }
        }
        match (&printing.rarity, printing.lines.first()) {
            (Some(rarity), _) if !rarities.contains(&rarity.text) => {
                let known = rarities.iter().map(String::as_str);
                problems.push(near(rarity.span, format!("sets.txt has no rarity `{}`", rarity.text), &rarity.text, known));
            }
            (None, Some(first)) => {
                let problem = Diagnostic::new(first.span, "the line of a set ends with the rarity".to_string());
                problems.push(
                    problem.hint(format!(
                        "this game has {}",
                        rarities.iter().map(|rarity| format!("`{rarity}`")).collect::<Vec<_>>().join(", ")
                    )),
                );
            }
            (Some(_), _) | (None, None) => {}
        }
    }
    problems.sort_by_key(|problem| (problem.span.file, problem.span.start));
    problems
}

fn near<'a>(span: Span, message: String, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        // A long list helps nobody.
        None if known.len() <= 12 => known.join(", "),
        None => String::new(),
    };
    Diagnostic::new(span, message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_bad_ones_named() {
        let text = "# sets\nrarities C U\nP 324 1 Premiere\n\nX 300-305 - Not There\nskips X 301, 303-304\ntwice P 7\n";
        let (sets, rarities) = parse_all(text).unwrap_or_default();
        let premiere =
            Set { code: "P".into(), first: 1, last: 324, gemp: Some(1), name: "Premiere".into(), twice: [7].into(), ..Set::default() };
        assert_eq!(sets[0], premiere);
        assert_eq!((sets[1].gemp, sets.len(), rarities), (None, 2, vec!["C".to_string(), "U".to_string()]));
        assert_eq!(sets[1].numbers().collect::<Vec<_>>(), [300, 302, 305]);
        for bad in [
            "P 324 Premiere Two",
            "P x 1 Premiere",
            "P 324 1",
            "P 324 1 ",
            "P 9-3 1 Premiere",
            "skips Q 3",
            "skips ONE 3-",
            "ONE 4 - Again",
        ] {
            assert!(parse(&format!("ONE 1 - One\n{bad}")).is_err_and(|why| why.contains("line 2")), "{bad} was taken");
        }
    }
}
