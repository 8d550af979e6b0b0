//! Errata and rulings of a rulebook's appendices, and what holds us to them: lines `part | title | verdict` of `scenarios/rulings.txt`.
//! A verdict is `by "SCENARIO"; "SCENARIO"`, `waits` where no card of the title is there, or `said REASON` where nothing can come of it.

use std::collections::BTreeSet;
use trilogy_engine::Catalogue;

/// How many lines there are of each sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    pub lines: usize,
    /// A scenario holds us to them.
    pub covered: usize,
    /// They speak of cards that are not there.
    pub waiting: usize,
    /// Nothing can come of them in a program.
    pub said: usize,
}

impl Count {
    /// Lines that speak of what is there.
    pub fn applying(self) -> usize {
        self.lines - self.waiting
    }
}

/// Count the lines. Those that are no lines are named, and so are scenarios that are not there, and cards that are waited for although
/// they are there.
pub fn count(text: &str, catalogue: &Catalogue, scenarios: &BTreeSet<String>) -> (Count, Vec<String>) {
    let titles: BTreeSet<String> = catalogue.cards.iter().flat_map(|card| [plain(&card.title), plain(&card.key)]).collect();
    let mut count = Count::default();
    let mut faults = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let mut fault = |why: String| faults.push(format!("rulings.txt, line {}: {why}", at + 1));
        let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let &[_, title, verdict] = parts.as_slice() else {
            fault(format!("`part | title | verdict` is needed: {line}"));
            continue;
        };
        count.lines += 1;
        if verdict == "waits" {
            count.waiting += 1;
            if let Some(here) = title.split('/').find(|title| titles.contains(&plain(title))) {
                fault(format!("{} waits no more: the card is there", here.trim()));
            }
        } else if let Some(reason) = verdict.strip_prefix("said ") {
            count.said += 1;
            if reason.trim().is_empty() {
                fault(format!("{title}: a reason is needed"));
            }
        } else {
            let named: Vec<&str> = verdict.strip_prefix("by ").map_or(Vec::new(), |names| names.split('"').skip(1).step_by(2).collect());
            let absent: Vec<&&str> = named.iter().filter(|name| !scenarios.contains(**name)).collect();
            if named.is_empty() {
                fault(format!("{title}: `by \"SCENARIO\"`, `waits` or `said REASON` is needed: {verdict}"));
            } else if absent.is_empty() {
                count.covered += 1;
            }
            absent.iter().for_each(|name| fault(format!("{title}: there is no scenario \"{name}\"")));
        }
    }
    (count, faults)
}

/// A title without its marks: `"Echo" Base` and `echo base` are one.
fn plain(title: &str) -> String {
    title.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use trilogy_engine::catalogue::{CardDef, Contents};

    #[test]
    fn what_is_not_true_any_more_is_told() {
        let card = CardDef { title: "Beru Stew".into(), ..CardDef::default() };
        let catalogue = Catalogue::from(Contents { cards: vec![card], ..Contents::default() });
        let scenarios: BTreeSet<String> = ["one".to_string()].into();
        let text = "# head\n\nA | Blaster | by \"one\"\nA | Beru Stew | waits\nB | Vapor, Ator / Beru Stew! | waits\nB | Beru Stew (V) | waits\n\
                    B | Bothan | by \"one\"; \"two\"\nB | Bothan | by ?\nF | Elom | said a picture\nF | Elom\n";
        let (count, faults) = count(text, &catalogue, &scenarios);
        assert_eq!(count, Count { lines: 7, covered: 1, waiting: 3, said: 1 });
        assert_eq!(count.applying(), 4);
        let told = [
            "line 4: Beru Stew waits no more",
            "line 5: Beru Stew! waits",
            "line 7: Bothan: there is no scenario \"two\"",
            "line 8: Bothan: `by",
            "line 10: `part",
        ];
        assert_eq!(faults.len(), told.len(), "{faults:?}");
        for (fault, told) in faults.iter().zip(told) {
            assert!(fault.contains(told), "{fault}");
        }
    }
}
