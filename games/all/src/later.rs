//! Rules that wait for the set that first needs them: lines `rule.id SET reason` of `later.txt`.

use crate::sets::Set;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Later {
    pub id: String,
    /// Code of the set.
    pub set: String,
    pub reason: String,
}

/// Read the list. Lines without all three parts are named, and so are rules that the book does not have, sets that the game does not have,
/// rules that a program cites by now, and rules that stand there twice: a list that says so is stale.
pub fn parse(text: &str, sets: &[Set], ids: &BTreeSet<String>, is_cited: impl Fn(&str) -> bool) -> (Vec<Later>, Vec<String>) {
    let mut all: Vec<Later> = Vec::new();
    let mut faults = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let mut fault = |why: String| faults.push(format!("later.txt, line {}: {why}", at + 1));
        let Some(later) = one(line) else {
            fault(format!("`rule.id SET reason` is needed: {line}"));
            continue;
        };
        if !ids.contains(&later.id) {
            fault(format!("the rulebook has no rule {}", later.id));
        } else if is_cited(&later.id) {
            fault(format!("{} waits no more: a program cites it", later.id));
        } else if !sets.iter().any(|set| set.code == later.set) {
            fault(format!("{} waits for {}, which is no set of sets.txt", later.id, later.set));
        } else if all.iter().any(|other| other.id == later.id) {
            fault(format!("{} stands there twice", later.id));
        } else {
            all.push(later);
        }
    }
    (all, faults)
}

fn one(line: &str) -> Option<Later> {
    let (id, rest) = line.trim().split_once(char::is_whitespace)?;
    let (set, reason) = rest.trim_start().split_once(char::is_whitespace)?;
    Some(Later { id: id.into(), set: set.into(), reason: reason.trim().into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    #[test]
    fn a_stale_list_is_told() {
        let sets = sets::parse("H 162 3 Hoth").unwrap_or_default();
        let ids: BTreeSet<String> = ["g.a", "g.b", "g.c"].map(String::from).into();
        let text = "# waiting\ng.a  H  walkers\n\ng.b H snow\ng.b H\ng.x H who knows\ng.c Q no such set\ng.a H again\n";
        let (later, faults) = parse(text, &sets, &ids, |id| id == "g.b");
        assert_eq!(later, [Later { id: "g.a".into(), set: "H".into(), reason: "walkers".into() }]);
        let told = [
            "line 4: g.b waits no more",
            "line 5: `rule.id",
            "line 6: the rulebook has no rule g.x",
            "line 7: g.c waits for Q",
            "line 8: g.a stands",
        ];
        assert_eq!(faults.len(), told.len(), "{faults:?}");
        for (fault, told) in faults.iter().zip(told) {
            assert!(fault.contains(told), "{fault}");
        }
    }
}
