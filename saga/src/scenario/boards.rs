//! Named boards: tables and first moves that many scenarios share. A board may build on others, a scenario builds on boards
//! with `on NAME`, and each may add to what is there and change it. What comes out is a scenario that stands for itself.

use super::parse::{BoardKind, BoardLine, Named, Place, Placed, Scenario, Sheet, WrittenBoard, sheet};
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Where in the folder of a game the boards are that all its scenarios see, and the ending of their files.
pub const BOARD_FOLDER: &str = "scenarios/boards";
pub const BOARD_ENDING: &str = "boards";

/// A named board.
#[derive(Clone, Debug)]
pub struct Board {
    pub name: String,
    /// What it is for, in a line.
    pub about: String,
    pub at: Place,
    /// As it is written: what it adds to the boards it builds on.
    written: Scenario,
    /// All that it lays and plays, with what it builds on.
    pub whole: Scenario,
}

/// The boards that a scenario can build on.
#[derive(Clone, Debug, Default)]
pub struct Boards {
    all: Vec<Board>,
}

impl Boards {
    /// The boards in files, each with the name by which it is told of. An error names its file and line.
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Boards, String> {
        let mut boards = Boards::default();
        let mut written = Sheet::default();
        for (name, text) in files {
            let file: Arc<str> = name.into();
            let read = sheet(text, Some(&file))?;
            if let Some(scenario) = read.scenarios.first() {
                return Err(format!("line {} of {name}: a file of boards holds no scenarios", scenario.line));
            }
            written.boards.extend(read.boards);
        }
        boards.add(written)?;
        Ok(boards)
    }

    /// The boards of the game in a folder.
    pub fn of_game(folder: &Path) -> Result<Boards, String> {
        let mut paths = Vec::new();
        crate::source::find(&folder.join(BOARD_FOLDER), BOARD_ENDING, &mut paths)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let text = |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
        let files = paths.iter().map(|path| Ok((path.display().to_string(), text(path)?))).collect::<Result<Vec<_>, String>>()?;
        Boards::read(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
    }

    pub fn iter(&self) -> impl Iterator<Item = &Board> {
        self.all.iter()
    }

    fn find(&self, name: &str) -> Option<&Board> {
        self.all.iter().find(|board| board.name == name)
    }

    /// Take in the boards of a file. They may build on each other in any order.
    fn add(&mut self, written: Sheet) -> Result<(), String> {
        let first = self.all.len();
        for WrittenBoard { about, at, body } in written.boards {
            if let Some(before) = self.find(&body.name) {
                return Err(format!("{at}: there is a board `{}` already, at {}", body.name, before.at));
            }
            self.all.push(Board { name: body.name.clone(), about, at, written: body, whole: Scenario::default() });
        }
        for at in first..self.all.len() {
            let board = &self.all[at];
            let mut whole = Scenario { name: board.name.clone(), line: board.at.line, on: board.written.on.clone(), ..Scenario::default() };
            let named = Named { name: board.name.clone(), at: board.at.clone() };
            self.gather(&named, &mut Vec::new(), &mut Vec::new(), &mut whole)?;
            self.all[at].whole = whole;
        }
        Ok(())
    }

    /// Lay a board and those below it, each once; `path` are the boards that are being laid, for circles.
    fn gather<'a>(&'a self, named: &Named, path: &mut Vec<&'a str>, laid: &mut Vec<&'a str>, out: &mut Scenario) -> Result<(), String> {
        let Some(board) = self.find(&named.name) else {
            let known: Vec<&str> = self.all.iter().map(|board| board.name.as_str()).collect();
            let known = if known.is_empty() { "there are none".into() } else { format!("there are {}", known.join(", ")) };
            return Err(format!("{}: no board is called `{}`: {known}", named.at, named.name));
        };
        if path.contains(&board.name.as_str()) {
            let circle = path.join(" -> ");
            return Err(format!("{}: the board `{}` builds on itself: {circle} -> {1}", named.at, board.name));
        }
        if laid.contains(&board.name.as_str()) {
            return Ok(());
        }
        laid.push(&board.name);
        path.push(&board.name);
        for below in &board.written.on {
            self.gather(below, path, laid, out)?;
        }
        path.pop();
        add_to(out, &board.written)
    }

    /// A scenario with all that it builds on.
    fn whole(&self, written: Scenario) -> Result<Scenario, String> {
        let mut out = Scenario {
            name: written.name.clone(),
            line: written.line,
            on: written.on.clone(),
            cites: written.cites.clone(),
            covers: written.covers.clone(),
            ..Scenario::default()
        };
        let mut laid = Vec::new();
        for named in &written.on {
            self.gather(named, &mut Vec::new(), &mut laid, &mut out)?;
        }
        add_to(&mut out, &written)?;
        Ok(out)
    }
}

/// The scenarios of a file, which sees its own boards and those that are given. An error names its line.
pub fn parse(text: &str, boards: &Boards) -> Result<Vec<Scenario>, String> {
    let mut read = sheet(text, None)?;
    let scenarios = std::mem::take(&mut read.scenarios);
    let mut boards = Cow::Borrowed(boards);
    if !read.boards.is_empty() {
        boards.to_mut().add(read)?;
    }
    scenarios.into_iter().map(|scenario| boards.whole(scenario)).collect()
}

/// What is written comes on top of what is there; where play starts and pauses, in its place.
fn add_to(out: &mut Scenario, written: &Scenario) -> Result<(), String> {
    out.options.extend(written.options.iter().cloned());
    out.source.extend(written.source.iter().cloned());
    for line in &written.board {
        lay(&mut out.board, line)?;
    }
    if written.start.is_some() {
        out.start.clone_from(&written.start);
        out.stop = None;
    }
    if written.stop.is_some() {
        out.stop.clone_from(&written.stop);
    }
    out.steps.extend(written.steps.iter().cloned());
    Ok(())
}

fn lay(board: &mut Vec<BoardLine>, line: &BoardLine) -> Result<(), String> {
    let missing = |board: &[BoardLine], name: &str| {
        let names: Vec<String> = named(board).into_iter().map(|named| named.name).collect();
        let names = if names.is_empty() { "none has a name".into() } else { format!("there are {}", names.join(", ")) };
        format!("{}: no card on this board is called `{name}` with `as`: {names}", line.at)
    };
    match &line.kind {
        BoardKind::Counter { .. } | BoardKind::Var { .. } => board.push(line.clone()),
        BoardKind::Cards { cards, .. } => {
            unheard(board, cards.iter())?;
            board.push(line.clone());
        }
        BoardKind::With(change) => {
            unheard(board, change.attached.iter().map(|(_, card)| card))?;
            let found = roots(board).find_map(|cards| find(cards, &change.title));
            let Some(card) = found else { return Err(missing(board, &change.title)) };
            alter(card, change);
        }
        BoardKind::Without(name) => {
            let gone = roots(board).any(|cards| take_away(cards, name));
            if !gone {
                return Err(missing(board, name));
            }
        }
    }
    Ok(())
}

fn roots(board: &mut [BoardLine]) -> impl Iterator<Item = &mut Vec<Placed>> {
    board.iter_mut().filter_map(|line| if let BoardKind::Cards { cards, .. } = &mut line.kind { Some(cards) } else { None })
}

/// A name that is given stands for one line.
fn unheard<'a>(board: &[BoardLine], cards: impl Iterator<Item = &'a Placed>) -> Result<(), String> {
    let mut known = named(board);
    let mut new = Vec::new();
    cards.for_each(|card| names(card, &mut new));
    for name in new {
        if let Some(first) = known.iter().find(|known| known.name == name.name) {
            return Err(format!("{}: a card is called `{}` already, at {}", name.at, name.name, first.at));
        }
        known.push(name);
    }
    Ok(())
}

/// The names that cards were given, with `as`.
fn named(board: &[BoardLine]) -> Vec<Named> {
    let mut out = Vec::new();
    for line in board {
        if let BoardKind::Cards { cards, .. } = &line.kind {
            cards.iter().for_each(|card| names(card, &mut out));
        }
    }
    out
}

fn names(card: &Placed, out: &mut Vec<Named>) {
    out.extend(card.name.iter().map(|name| Named { name: name.clone(), at: card.at.clone() }));
    card.attached.iter().for_each(|(_, card)| names(card, out));
}

fn find<'a>(cards: &'a mut [Placed], name: &str) -> Option<&'a mut Placed> {
    cards.iter_mut().find_map(|card| find_in(card, name))
}

fn find_in<'a>(card: &'a mut Placed, name: &str) -> Option<&'a mut Placed> {
    if card.name.as_deref() == Some(name) {
        return Some(card);
    }
    card.attached.iter_mut().find_map(|(_, card)| find_in(card, name))
}

fn alter(card: &mut Placed, change: &Placed) {
    for (counter, value) in &change.counters {
        card.counters.retain(|(known, _)| known != counter);
        card.counters.push((counter.clone(), value.clone()));
    }
    card.facedown |= change.facedown;
    card.shown |= change.shown;
    if change.name.is_some() {
        card.name.clone_from(&change.name);
    }
    if change.owner.is_some() {
        card.owner.clone_from(&change.owner);
    }
    card.attached.extend(change.attached.iter().cloned());
}

fn take_away(cards: &mut Vec<Placed>, name: &str) -> bool {
    let is_it = |card: &Placed| card.name.as_deref() == Some(name);
    let before = cards.len();
    cards.retain(|card| !is_it(card));
    before > cards.len() || cards.iter_mut().any(|card| take_from(card, name))
}

fn take_from(card: &mut Placed, name: &str) -> bool {
    let before = card.attached.len();
    card.attached.retain(|(_, card)| card.name.as_deref() != Some(name));
    before > card.attached.len() || card.attached.iter_mut().any(|(_, card)| take_from(card, name))
}

/// The board as a scenario would write it, with all that it builds on.
impl fmt::Display for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}", self.name, self.about)?;
        for line in &self.whole.board {
            match &line.kind {
                BoardKind::Counter { player, counter, value } => writeln!(out, "  {player}.{counter} {value}")?,
                BoardKind::Var { name, value } => writeln!(out, "  var {name} {value}")?,
                BoardKind::Cards { player, zone, cards } => {
                    writeln!(out, "  {player} in {zone}")?;
                    cards.iter().try_for_each(|card| tell(out, 4, "", card))?;
                }
                BoardKind::With(_) | BoardKind::Without(_) => {}
            }
        }
        for (word, said) in [("start", &self.whole.start), ("stop", &self.whole.stop)] {
            if let Some(said) = said {
                writeln!(out, "  {word} {}", said.name)?;
            }
        }
        let moves = self.whole.steps.len();
        if moves > 0 { writeln!(out, "  opens with {moves} line{} of play", if moves == 1 { "" } else { "s" }) } else { Ok(()) }
    }
}

fn tell(out: &mut fmt::Formatter<'_>, indent: usize, role: &str, card: &Placed) -> fmt::Result {
    let count = if card.count == 1 { String::new() } else { format!("{}x ", card.count) };
    let mut traits: Vec<String> = Vec::new();
    traits.extend(card.facedown.then(|| "down".into()));
    traits.extend(card.shown.then(|| "shown".into()));
    traits.extend(card.counters.iter().map(|(name, value)| if value == "1" { name.clone() } else { format!("{name} {value}") }));
    traits.extend(card.owner.iter().map(|owner| format!("of {owner}")));
    traits.extend(card.name.iter().map(|name| format!("as {name}")));
    write!(out, "{:indent$}{role}{count}{}", "", card.title)?;
    if !traits.is_empty() {
        write!(out, " {{{}}}", traits.join(", "))?;
    }
    out.write_char('\n')?;
    card.attached.iter().try_for_each(|(role, card)| tell(out, indent + 2, &format!("{role} "), card))
}
