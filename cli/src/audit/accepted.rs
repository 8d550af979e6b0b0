//! Differences that are known and explained: lines `CARD | FINDING | reason` of `accepted.txt`, with `*` for any card.

use super::findings::Finding;

struct Line {
    at: usize,
    card: String,
    finding: String,
    used: bool,
}

#[derive(Default)]
pub(super) struct Accepted(Vec<Line>);

impl Accepted {
    pub(super) fn read(text: &str) -> Result<Accepted, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let read = |(at, line): (usize, &str)| {
            let parts: Vec<&str> = line.split('|').map(str::trim).collect();
            match parts[..] {
                [card, finding, reason] if !card.is_empty() && !finding.is_empty() && !reason.is_empty() => {
                    Ok(Line { at: at + 1, card: card.into(), finding: finding.into(), used: false })
                }
                _ => Err(format!("accepted.txt, line {}: `CARD | FINDING | reason` is needed: {line}", at + 1)),
            }
        };
        lines.map(read).collect::<Result<_, _>>().map(Accepted)
    }

    /// Whether a finding is accepted.
    pub(super) fn take(&mut self, card: &str, finding: &Finding) -> bool {
        let said = finding.to_string();
        let mut known = false;
        for line in self.0.iter_mut().filter(|line| line.finding == said && (line.card == card || line.card == "*")) {
            (line.used, known) = (true, true);
        }
        known
    }

    /// Lines that nothing matches any more.
    pub(super) fn stale(&self) -> Vec<String> {
        let tell = |line: &Line| format!("accepted.txt, line {}: there is no such finding: {} | {}", line.at, line.card, line.finding);
        self.0.iter().filter(|line| !line.used).map(tell).collect()
    }
}
