//! The sets of a game: a line of `sets.txt` for each.

/// A set of cards as it was sold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set {
    /// What cards name as their set.
    pub code: String,
    /// How many cards it has, numbered from 1.
    pub total: u16,
    /// The number of the set in card ids of GEMP, where that program has the set.
    pub gemp: Option<u16>,
    pub name: String,
}

/// Read lines `CODE TOTAL GEMP NAME`; `-` stands where GEMP does not have the set, `#` starts a comment.
pub fn parse(text: &str) -> Result<Vec<Set>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(at, line)| set(line).ok_or_else(|| format!("sets.txt, line {}: `CODE TOTAL GEMP NAME` is needed: {line}", at + 1)))
        .collect()
}

fn set(line: &str) -> Option<Set> {
    let mut parts = line.splitn(4, ' ');
    let (code, total, gemp, name) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?.trim());
    let gemp = if gemp == "-" { None } else { Some(gemp.parse().ok()?) };
    (!name.is_empty()).then_some(Set { code: code.into(), total: total.parse().ok()?, gemp, name: name.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_bad_ones_named() {
        let sets = parse("# sets\nP 324 1 Premiere\n\nX 5 - Not There\n").unwrap_or_default();
        assert_eq!(sets[0], Set { code: "P".into(), total: 324, gemp: Some(1), name: "Premiere".into() });
        assert_eq!((sets[1].gemp, sets.len()), (None, 2));
        for bad in ["P 324 Premiere Two", "P x 1 Premiere", "P 324 1", "P 324 1 "] {
            assert!(parse(&format!("# one\n{bad}")).is_err_and(|why| why.contains("line 2")), "{bad} was taken");
        }
    }
}
