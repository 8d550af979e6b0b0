//! From a printed phrase to the lines that say it: examples that are marked in the sources of cards.
//!
//! A comment `# print: PHRASE` right above an ability marks it. The phrase is what a reader of the card looks for, in our
//! own words, with N for a number and X for a thing.

use crate::Workshop;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What stands before the phrase in a comment.
const MARK: &str = "# print: ";

/// An ability that shows how something is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// What a reader of the card looks for.
    pub phrase: String,
    /// The lines that say it, from the left margin.
    pub source: String,
    /// What the program prints for them.
    pub printed: String,
    /// The card they stand on.
    pub card: String,
}

/// All marked examples of a game, in the order of their phrases; a mark above something that prints nothing is named.
pub fn examples(workshop: &Workshop) -> Result<Vec<Example>, Vec<String>> {
    let mut printed: BTreeMap<(&str, usize), Vec<&str>> = BTreeMap::new();
    for (file, span, line) in workshop.printed() {
        let before = file.text.get(..span.start as usize).unwrap_or("");
        printed.entry((&file.name, before.matches('\n').count())).or_default().push(line);
    }
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for file in workshop.files() {
        let lines: Vec<&str> = file.text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(phrase) = line.trim_start().strip_prefix(MARK) else { continue };
            let below = &lines[at + 1..];
            match printed.get(&(file.name.as_str(), at + 1)) {
                Some(said) => found.push(Example {
                    phrase: phrase.trim().to_string(),
                    source: block(below),
                    printed: said.join(" "),
                    card: title_above(&lines[..at]).unwrap_or_default(),
                }),
                None => faults.push(format!("{}:{}: no ability of a card stands below this mark", file.name, at + 1)),
            }
        }
    }
    found.sort_by(|a, b| (a.phrase.to_lowercase(), &a.card).cmp(&(b.phrase.to_lowercase(), &b.card)));
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

/// The first line and what stands deeper below it, less the indentation of the first and its citations.
fn block(lines: &[&str]) -> String {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let first = lines.first().map_or(0, |line| depth(line));
    let inside = lines.iter().enumerate().take_while(|(at, line)| *at == 0 || depth(line) > first && !line.trim().is_empty());
    let plain = inside.map(|(_, line)| line[first..].split(" @").next().unwrap_or("").trim_end()).filter(|line| !line.is_empty());
    plain.collect::<Vec<_>>().join("\n")
}

fn title_above(lines: &[&str]) -> Option<String> {
    let at = lines.iter().rposition(|line| line.starts_with("card"))?;
    let text = lines[at..].join(" ");
    let (_, rest) = text.split_once('"')?;
    let end = rest.char_indices().find(|(at, letter)| *letter == '"' && !rest[..*at].ends_with('\\'))?.0;
    Some(rest[..end].replace("\\\"", "\""))
}

/// The examples as a section of a page: the phrase, the card, the lines. What they print stands in no file, since good texts come
/// near to print: `cards show` tells it.
pub fn section(examples: &[Example]) -> String {
    let mut out = String::new();
    for Example { phrase, source, card, .. } in examples {
        let _ = write!(out, "### {phrase}\n\n{card}:\n\n```\n{source}\n```\n\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_what_stands_deeper() {
        assert_eq!(block(&["  a x: @r.s", "    b @r.t", "  c"]), "a x:\n  b");
        assert_eq!(block(&["  self gets glow +1", "", "card"]), "self gets glow +1");
        assert_eq!(title_above(&["card \"A\"", "  x", "card", "    \"The \\\"B\\\"\" Keeper"]), Some("The \"B\"".into()));
    }
}
