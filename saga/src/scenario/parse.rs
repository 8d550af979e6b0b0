//! The text of a scenario file to its parts.

use super::board;
use std::fmt;
use std::sync::Arc;

/// Where something stands: in the file at hand, or in a file of boards that it builds on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub file: Option<Arc<str>>,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            None => write!(out, "line {}", self.line),
            Some(file) => write!(out, "line {} of {file}", self.line),
        }
    }
}

/// A name and where it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub at: Place,
}

/// One scenario of a file, or a named board, which has the same parts.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    pub name: String,
    /// Line of the file it starts on.
    pub line: usize,
    /// The boards it builds on, in their order.
    pub on: Vec<Named>,
    pub cites: Vec<String>,
    /// The cards it is about, for coverage.
    pub covers: Vec<String>,
    pub options: Vec<(String, String)>,
    /// Items in the language that hold for this scenario only, each block with its place.
    pub source: Vec<(Place, String)>,
    pub board: Vec<BoardLine>,
    /// The program of the rules that play starts with; none only lays the table.
    pub start: Option<Named>,
    /// The event at which play pauses.
    pub stop: Option<Named>,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub struct BoardLine {
    pub at: Place,
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
    /// `with luke {hit}`: more traits and more cards for one that a board has laid.
    With(Placed),
    /// `without luke`: one that a board has laid is not there, with all that is on it.
    Without(String),
}

#[derive(Clone, Debug, Default)]
pub struct Placed {
    pub at: Place,
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
    pub at: Place,
    /// Of a named board: what is asked before its moves are possible is passed.
    pub opening: bool,
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

/// A line that says something.
pub(super) struct Line<'a> {
    pub at: Place,
    pub indent: usize,
    pub text: &'a str,
}

/// A file as it is written: nothing is built on anything yet.
#[derive(Default)]
pub(super) struct Sheet {
    pub scenarios: Vec<Scenario>,
    pub boards: Vec<WrittenBoard>,
}

pub(super) struct WrittenBoard {
    /// What it is for.
    pub about: String,
    pub at: Place,
    pub body: Scenario,
}

/// The game that a file names on its first line, `game NAME`, if it does.
pub fn game_of(text: &str) -> Option<&str> {
    let first = text.lines().map(|line| strip_comment(line).trim()).find(|line| !line.is_empty())?;
    first.strip_prefix("game ").map(str::trim)
}

/// What a part belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Nothing,
    Scenario,
    Board,
}

/// Read a file; `file` names it where its lines are told of in other files. An error names its line.
pub(super) fn sheet(text: &str, file: Option<&Arc<str>>) -> Result<Sheet, String> {
    let place = |line: usize| Place { line, file: file.cloned() };
    let lines: Vec<Line<'_>> = text
        .lines()
        .enumerate()
        .map(|(at, line)| Line { at: place(at + 1), indent: line.len() - line.trim_start().len(), text: strip_comment(line).trim() })
        .filter(|line| !line.text.is_empty())
        .collect();
    let raw: Vec<&str> = text.lines().collect();
    let mut sheet = Sheet::default();
    let mut open = Open::Nothing;
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        if line.indent > 0 {
            return Err(format!("{}: this line is indented under nothing", line.at));
        }
        let end = (at + 1..lines.len()).find(|&next| lines[next].indent == 0).unwrap_or(lines.len());
        let block = &lines[at + 1..end];
        at = end;
        let (word, rest) = split(line.text);
        let holds_lines = ["on", "board", "source", "play"].contains(&word);
        if let Some(under) = block.first().filter(|_| !holds_lines) {
            return Err(format!("{}: this line is indented under `{word}`, which holds none", under.at));
        }
        match word {
            "scenario" => {
                sheet.scenarios.push(Scenario { name: unquote(rest), line: line.at.line, ..Scenario::default() });
                open = Open::Scenario;
            }
            "board" if !rest.is_empty() => {
                sheet.boards.push(named_board(line, rest, block)?);
                open = Open::Board;
            }
            "game" if open == Open::Nothing => {}
            _ => {
                let owner = match open {
                    Open::Nothing => None,
                    Open::Scenario => sheet.scenarios.last_mut(),
                    Open::Board => sheet.boards.last_mut().map(|board| &mut board.body),
                };
                let Some(owner) = owner else {
                    return Err(format!("{}: a file starts with `scenario \"name\"` or `board NAME \"what it is for\"`", line.at));
                };
                part(owner, line, block, &raw, open == Open::Board)?;
            }
        }
    }
    Ok(sheet)
}

/// `board NAME "what it is for"` and its lines.
fn named_board(line: &Line<'_>, rest: &str, block: &[Line<'_>]) -> Result<WrittenBoard, String> {
    let (name, about) = split(rest);
    let about = unquote(about);
    if !is_name(name) || about.is_empty() {
        return Err(format!("{}: write `board NAME \"what it is for\"`, the name in small letters, digits and underscores", line.at));
    }
    let mut body = Scenario { name: name.to_string(), line: line.at.line, ..Scenario::default() };
    board::read(block, &mut body.board)?;
    Ok(WrittenBoard { about, at: line.at.clone(), body })
}

/// A part of a scenario or of a named board.
fn part(owner: &mut Scenario, line: &Line<'_>, block: &[Line<'_>], raw: &[&str], of_board: bool) -> Result<(), String> {
    let fail = |what: &str| Err(format!("{}: {what}", line.at));
    let (word, rest) = split(line.text);
    let said = |text: &str| Named { name: text.to_string(), at: line.at.clone() };
    match word {
        "cites" | "covers" if of_board => return fail("a board is no test: its scenarios say what they cite and cover"),
        "board" if of_board => return fail("the lines of a named board stand under its name"),
        "cites" => owner.cites.extend(list(rest)),
        "covers" => owner.covers.extend(rest.split(';').map(|title| title.trim().to_string())),
        "option" => {
            let (name, choice) = split(rest);
            owner.options.push((name.to_string(), choice.to_string()));
        }
        "on" if rest.is_empty() => return fail("write `on NAME` or `on NAME, NAME`: the boards it builds on"),
        "on" => {
            owner.on.extend(list(rest).map(|name| said(&name)));
            board::read(block, &mut owner.board)?;
        }
        "start" => owner.start = Some(said(rest)),
        "stop" => owner.stop = Some(said(rest)),
        "source" => owner.source.extend(source(raw, block).map(|text| (line.at.clone(), text))),
        "board" => board::read(block, &mut owner.board)?,
        "play" => {
            for line in block {
                owner.steps.push(Step { at: line.at.clone(), opening: of_board, kind: step(line)? });
            }
        }
        _ => return fail("expected scenario, cites, covers, option, source, on, board, start, stop or play"),
    }
    Ok(())
}

/// The lines of a block as they are written, moved to the left margin.
fn source(raw: &[&str], block: &[Line<'_>]) -> Option<String> {
    let (first, last) = (block.first()?, block.last()?);
    let mut text = String::new();
    for line in &raw[first.at.line - 1..last.at.line] {
        text += line.get(first.indent.min(line.len() - line.trim_start().len())..).unwrap_or("");
        text.push('\n');
    }
    Some(text)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// A `#` starts a comment where a blank or the line's start stands before it.
fn strip_comment(line: &str) -> &str {
    match line.match_indices('#').find(|(at, _)| *at == 0 || line[..*at].ends_with(' ')) {
        Some((at, _)) => &line[..at],
        None => line,
    }
}

pub(super) fn split(text: &str) -> (&str, &str) {
    text.split_once(' ').map_or((text, ""), |(a, b)| (a, b.trim()))
}

fn unquote(text: &str) -> String {
    text.trim_matches('"').to_string()
}

fn list(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty()).map(String::from)
}

pub(super) fn number(line: &Line<'_>, text: &str) -> Result<i32, String> {
    text.trim().parse().map_err(|_| format!("{}: \"{text}\" is no number", line.at))
}

fn step(line: &Line<'_>) -> Result<StepKind, String> {
    let parts = |text: &str| text.split(" & ").map(|part| part.trim().to_string()).collect::<Vec<_>>();
    let (word, rest) = split(line.text);
    Ok(match word {
        "dice" => StepKind::Dice(rest.split_whitespace().map(|die| number(line, die)).collect::<Result<_, _>>()?),
        "go" => match rest.strip_prefix("on") {
            Some("") => StepKind::GoOn(None),
            Some(more) if more.trim_start().starts_with("to ") => StepKind::GoOn(Some(more.trim_start()[3..].trim().to_string())),
            _ => return Err(format!("{}: write `go on` or `go on to EVENT`", line.at)),
        },
        "expect" => StepKind::Expect(rest.to_string()),
        "options" => StepKind::Options(parts(rest)),
        "offers" => match rest.strip_prefix("not ") {
            Some(rest) => StepKind::Offers(rest.trim().to_string(), false),
            None => StepKind::Offers(rest.to_string(), true),
        },
        "cannot" => match rest.rsplit_once(" because ") {
            Some((what, rule)) => StepKind::Cannot(what.trim().to_string(), rule.trim().to_string()),
            None => return Err(format!("{}: write `cannot MOVE because RULE`", line.at)),
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
            _ => return Err(format!("{}: write `warns ANSWER: TEXT` or `warns not ANSWER`", line.at)),
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
            None => return Err(format!("{}: write `text CARD says WORDS`", line.at)),
        },
        "faults" => {
            let (player, rules) = split(rest);
            StepKind::Faults { player: player.to_string(), rules: list(rules).filter(|rule| rule != "none").collect() }
        }
        _ => match line.text.split_once(':') {
            Some((player, what)) if !player.contains(' ') => StepKind::Answer { player: player.to_string(), what: parts(what) },
            _ => {
                return Err(format!(
                    "{}: expected `PLAYER: what they choose`, expect, dice, go on, options, offers, cannot, asked, worth asking, not worth asking, warns, usually, log, knows, unknown, winner, text, faults or refuse",
                    line.at
                ));
            }
        },
    })
}
