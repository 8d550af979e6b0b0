//! The text of a scenario file to its parts.

/// One scenario of a file.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    pub name: String,
    /// Line of the file it starts on.
    pub line: usize,
    pub cites: Vec<String>,
    /// The cards it is about, for coverage.
    pub covers: Vec<String>,
    pub options: Vec<(String, String)>,
    /// Items in the language that hold for this scenario only.
    pub source: String,
    pub board: Vec<BoardLine>,
    /// The program of the rules that play starts with; none only lays the table.
    pub start: Option<String>,
    /// The event at which play pauses.
    pub stop: Option<String>,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub struct BoardLine {
    pub line: usize,
    pub kind: BoardKind,
}

#[derive(Clone, Debug)]
pub enum BoardKind {
    /// `Dark_Side.force 4`
    Counter { player: String, counter: String, value: i32 },
    /// `var turn_number 3`, `var first Dark_Side`
    Var { name: String, value: String },
    /// Cards of a player in a zone, first on top.
    Cards { player: String, zone: String, cards: Vec<Placed> },
}

#[derive(Clone, Debug, Default)]
pub struct Placed {
    pub line: usize,
    pub count: usize,
    pub title: String,
    pub name: Option<String>,
    /// Whose it is, where that is not told by its place or its side.
    pub owner: Option<String>,
    pub facedown: bool,
    pub shown: bool,
    /// What the card counts or remembers, as it is written.
    pub counters: Vec<(String, String)>,
    /// Cards on or under it, each with its role.
    pub attached: Vec<(String, Placed)>,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub line: usize,
    pub kind: StepKind,
}

#[derive(Clone, Debug)]
pub enum StepKind {
    /// `Dark_Side: Attack Clone Platoon`, several joined by ` & `; `pass`; a number
    Answer {
        player: String,
        what: Vec<String>,
    },
    /// `dice 6 5 1`
    Dice(Vec<i32>),
    /// `go on`, or `go on to EVENT`: from a pause
    GoOn(Option<String>),
    /// `expect EXPR`
    Expect(String),
    /// `options A & B`: exactly these, in any order
    Options(Vec<String>),
    /// `offers A`, `offers not A`
    Offers(String, bool),
    /// `cannot A because RULE`
    Cannot(String, String),
    /// `asked WHO TEXT`
    Asked(String, String),
    /// `log TEXT`
    /// Whether the pending question is worth asking under the usual stops.
    Worth(bool),
    /// The usual stops give this answer: `pass`, a number, or what stands in the label of an option.
    Usually(String),
    /// An answer (`pass`, a number, the label of an option) that is warned of with a text, or without.
    Warns(String, Option<String>),
    Log(String),
    /// No such line since the last check.
    LogNot(String),
    /// `knows WHO CARD`, `unknown WHO CARD`
    Knows {
        player: String,
        card: String,
        known: bool,
    },
    /// `winner WHO`
    Winner(String),
    /// `text CARD says TEXT`
    Text {
        card: String,
        says: String,
    },
    /// `faults WHO RULE, RULE` or `faults WHO none`: the deck of a player
    Faults {
        player: String,
        rules: Vec<String>,
    },
    /// `refuse ANSWER`: an answer that must be refused; the state stays as it is
    Refuse(String),
}

struct Line<'a> {
    number: usize,
    indent: usize,
    text: &'a str,
}

/// The game that a file names on its first line, `game NAME`, if it does.
pub fn game_of(text: &str) -> Option<&str> {
    let first = text.lines().map(|line| strip_comment(line).trim()).find(|line| !line.is_empty())?;
    first.strip_prefix("game ").map(str::trim)
}

/// Read a file. An error names its line.
pub fn parse(text: &str) -> Result<Vec<Scenario>, String> {
    let lines: Vec<Line<'_>> = text
        .lines()
        .enumerate()
        .map(|(at, line)| Line { number: at + 1, indent: line.len() - line.trim_start().len(), text: strip_comment(line).trim() })
        .filter(|line| !line.text.is_empty())
        .collect();
    let raw: Vec<&str> = text.lines().collect();
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        let fail = |what: &str| Err(format!("line {}: {what}", line.number));
        if line.indent > 0 {
            return fail("this line is indented under nothing");
        }
        let (word, rest) = split(line.text);
        if word == "scenario" {
            scenarios.push(Scenario { name: unquote(rest), line: line.number, ..Scenario::default() });
            at += 1;
            continue;
        }
        if word == "game" && scenarios.is_empty() {
            at += 1;
            continue;
        }
        let Some(scenario) = scenarios.last_mut() else { return fail("a file starts with `scenario \"name\"`") };
        let end = (at + 1..lines.len()).find(|&next| lines[next].indent == 0).unwrap_or(lines.len());
        let block = &lines[at + 1..end];
        match word {
            "cites" => scenario.cites.extend(list(rest)),
            "covers" => scenario.covers.extend(rest.split(';').map(|title| title.trim().to_string())),
            "option" => {
                let (name, choice) = split(rest);
                scenario.options.push((name.to_string(), choice.to_string()));
            }
            "start" => scenario.start = Some(rest.to_string()),
            "stop" => scenario.stop = Some(rest.to_string()),
            "source" => {
                if let (Some(first), Some(last)) = (block.first(), block.last()) {
                    let indent = first.indent;
                    for line in &raw[first.number - 1..last.number] {
                        scenario.source += line.get(indent.min(line.len() - line.trim_start().len())..).unwrap_or("");
                        scenario.source.push('\n');
                    }
                }
            }
            "board" => board(block, scenario)?,
            "play" => {
                for line in block {
                    scenario.steps.push(Step { line: line.number, kind: step(line)? });
                }
            }
            _ => return fail("expected scenario, cites, covers, option, source, board, start, stop or play"),
        }
        at = end;
    }
    Ok(scenarios)
}

/// A `#` starts a comment where a blank or the line's start stands before it.
fn strip_comment(line: &str) -> &str {
    match line.match_indices('#').find(|(at, _)| *at == 0 || line[..*at].ends_with(' ')) {
        Some((at, _)) => &line[..at],
        None => line,
    }
}

fn split(text: &str) -> (&str, &str) {
    text.split_once(' ').map_or((text, ""), |(a, b)| (a, b.trim()))
}

fn unquote(text: &str) -> String {
    text.trim_matches('"').to_string()
}

fn list(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty()).map(String::from)
}

fn number(line: &Line<'_>, text: &str) -> Result<i32, String> {
    text.trim().parse().map_err(|_| format!("line {}: \"{text}\" is no number", line.number))
}

fn board(block: &[Line<'_>], scenario: &mut Scenario) -> Result<(), String> {
    let Some(base) = block.first().map(|line| line.indent) else { return Ok(()) };
    let mut at = 0;
    while at < block.len() {
        let line = &block[at];
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let kind = match words[..] {
            ["var", name, value] => BoardKind::Var { name: name.into(), value: value.into() },
            [player, "in", zone] => {
                let mut cards: Vec<Placed> = Vec::new();
                // Indents of the cards that a deeper line could belong to, outermost first.
                let mut open: Vec<usize> = Vec::new();
                while let Some(next) = block.get(at + 1).filter(|next| next.indent > base) {
                    at += 1;
                    open.retain(|indent| *indent < next.indent);
                    if open.is_empty() {
                        cards.push(placed(next, next.text)?);
                    } else {
                        let (role, rest) = split(next.text);
                        let card = placed(next, rest)?;
                        let host = open.iter().skip(1).try_fold(cards.last_mut(), |host, _| match host {
                            Some(host) => Some(host.attached.last_mut().map(|(_, card)| card)),
                            None => None,
                        });
                        match host.flatten() {
                            Some(host) => host.attached.push((role.to_string(), card)),
                            None => return Err(format!("line {}: there is no card to attach this to", next.number)),
                        }
                    }
                    open.push(next.indent);
                }
                BoardKind::Cards { player: player.into(), zone: zone.into(), cards }
            }
            [name, value] => match name.split_once('.') {
                Some((player, counter)) => {
                    BoardKind::Counter { player: player.into(), counter: counter.into(), value: number(line, value)? }
                }
                None => return Err(format!("line {}: write `PLAYER.counter N`, `var NAME N` or `PLAYER in ZONE`", line.number)),
            },
            _ => return Err(format!("line {}: write `PLAYER.counter N`, `var NAME N` or `PLAYER in ZONE`", line.number)),
        };
        scenario.board.push(BoardLine { line: line.number, kind });
        at += 1;
    }
    Ok(())
}

/// `2x Title (A) {tapped, damage 2, down, as name}`
fn placed(line: &Line<'_>, text: &str) -> Result<Placed, String> {
    let (title, traits) = match text.split_once('{') {
        Some((title, rest)) => {
            let traits = rest.strip_suffix('}').ok_or_else(|| format!("line {}: `{{` is not closed by `}}` at the end", line.number))?;
            (title.trim(), traits)
        }
        None => (text.trim(), ""),
    };
    let (count, title) = match title.split_once("x ") {
        Some((count, rest)) if count.parse::<usize>().is_ok() => (count.parse().unwrap_or(1), rest.trim()),
        _ => (1, title),
    };
    let mut card = Placed { line: line.number, count, title: title.to_string(), ..Placed::default() };
    for one in traits.split(',').map(str::trim).filter(|one| !one.is_empty()) {
        let (word, rest) = split(one);
        match word {
            "down" => card.facedown = true,
            "shown" => card.shown = true,
            "as" => card.name = Some(rest.to_string()),
            "of" => card.owner = Some(rest.to_string()),
            counter if rest.is_empty() => card.counters.push((counter.to_string(), "1".into())),
            counter => card.counters.push((counter.to_string(), rest.to_string())),
        }
    }
    Ok(card)
}

fn step(line: &Line<'_>) -> Result<StepKind, String> {
    let parts = |text: &str| text.split(" & ").map(|part| part.trim().to_string()).collect::<Vec<_>>();
    let (word, rest) = split(line.text);
    Ok(match word {
        "dice" => StepKind::Dice(rest.split_whitespace().map(|die| number(line, die)).collect::<Result<_, _>>()?),
        "go" => match rest.strip_prefix("on") {
            Some("") => StepKind::GoOn(None),
            Some(more) if more.trim_start().starts_with("to ") => StepKind::GoOn(Some(more.trim_start()[3..].trim().to_string())),
            _ => return Err(format!("line {}: write `go on` or `go on to EVENT`", line.number)),
        },
        "expect" => StepKind::Expect(rest.to_string()),
        "options" => StepKind::Options(parts(rest)),
        "offers" => match rest.strip_prefix("not ") {
            Some(rest) => StepKind::Offers(rest.trim().to_string(), false),
            None => StepKind::Offers(rest.to_string(), true),
        },
        "cannot" => match rest.rsplit_once(" because ") {
            Some((what, rule)) => StepKind::Cannot(what.trim().to_string(), rule.trim().to_string()),
            None => return Err(format!("line {}: write `cannot MOVE because RULE`", line.number)),
        },
        "asked" => {
            let (player, text) = split(rest);
            StepKind::Asked(player.to_string(), text.to_string())
        }
        "worth" if rest == "asking" => StepKind::Worth(true),
        "not" if rest == "worth asking" => StepKind::Worth(false),
        "warns" => match (rest.strip_prefix("not "), rest.split_once(": ")) {
            (Some(answer), _) => StepKind::Warns(answer.trim().to_string(), None),
            (None, Some((answer, text))) => StepKind::Warns(answer.trim().to_string(), Some(text.trim().to_string())),
            _ => return Err(format!("line {}: write `warns ANSWER: TEXT` or `warns not ANSWER`", line.number)),
        },
        "usually" if !rest.is_empty() => StepKind::Usually(rest.to_string()),
        "log" if rest.starts_with("not ") => StepKind::LogNot(rest["not ".len()..].to_string()),
        "log" => StepKind::Log(rest.to_string()),
        "knows" | "unknown" => {
            let (player, card) = split(rest);
            StepKind::Knows { player: player.to_string(), card: card.to_string(), known: word == "knows" }
        }
        "winner" => StepKind::Winner(rest.to_string()),
        "refuse" => StepKind::Refuse(rest.to_string()),
        "text" => match rest.split_once(" says ") {
            Some((card, says)) => StepKind::Text { card: card.trim().to_string(), says: says.trim().to_string() },
            None => return Err(format!("line {}: write `text CARD says WORDS`", line.number)),
        },
        "faults" => {
            let (player, rules) = split(rest);
            StepKind::Faults { player: player.to_string(), rules: list(rules).filter(|rule| rule != "none").collect() }
        }
        _ => match line.text.split_once(':') {
            Some((player, what)) if !player.contains(' ') => StepKind::Answer { player: player.to_string(), what: parts(what) },
            _ => {
                return Err(format!(
                    "line {}: expected `PLAYER: what they choose`, expect, dice, options, offers, cannot, asked, worth asking, not worth asking, warns, log, knows, unknown, winner, text, faults or refuse",
                    line.number
                ));
            }
        },
    })
}
