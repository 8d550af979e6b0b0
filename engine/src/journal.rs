//! A game on paper: a head line with all that the game was made from, one line for each answer with
//! the hash of the state it led to, and a last line with the outcome. Replaying it must give the same hashes.
//! Behind the head may stand the catalogue itself, for those who do not have it.

use crate::catalogue::{Catalogue, MEANING, READ_MEANINGS};
use crate::event::Sink;
use crate::game::{Game, Setup};
use crate::rng::Random;
use crate::state::{Answer, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    trilogy: u32,
    /// What the machine took programs to mean ([`MEANING`]).
    machine: u32,
    engine: String,
    game: String,
    catalogue: String,
    decks: [Vec<String>; 2],
    options: BTreeMap<String, String>,
    seed: String,
    commitment: String,
    /// Hash of the state that the first ask stands in.
    h: String,
}

/// The head as far as every format has it.
#[derive(Deserialize)]
struct AnyHead {
    trilogy: u32,
    engine: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Carried {
    carries: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    n: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pick: Option<Vec<u16>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<i32>,
    h: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    end: String,
    answers: u32,
    hash: String,
}

/// How journals are written, and which of them are read (docs/RELEASES.md).
pub const FORMAT: u32 = 2;
pub const READ_FORMATS: [u32; 1] = [2];

/// Writes a journal line by line, as the game goes.
pub struct Writer {
    text: String,
    count: u32,
}

impl Writer {
    /// `hash` is that of the state that the first ask stands in.
    pub fn new(catalogue: &Catalogue, setup: &Setup, hash: &[u8; 32]) -> Writer {
        let head = Head {
            trilogy: FORMAT,
            machine: MEANING,
            engine: env!("CARGO_PKG_VERSION").into(),
            game: catalogue.game.clone(),
            catalogue: hex(&catalogue.hash),
            decks: setup.decks.clone(),
            options: setup.options.clone(),
            seed: hex(&setup.seed),
            commitment: Random::commitment(&setup.seed),
            h: short(hash),
        };
        Writer { text: line(&head), count: 0 }
    }
    /// The catalogue in text, right behind the head.
    pub fn carry(&mut self, catalogue: String) {
        self.text += &line(&Carried { carries: catalogue });
    }
    /// An answer, and the hash of the state that it led to.
    pub fn answer(&mut self, answer: &Answer, hash: &[u8; 32]) {
        self.count += 1;
        let (pick, number) = match answer {
            Answer::Pick(pick) => (Some(pick.clone()), None),
            Answer::Number(number) => (None, Some(*number)),
        };
        self.text += &line(&Line { n: self.count, pick, number, h: short(hash) });
    }
    pub fn end(&mut self, status: &Status, hash: &[u8; 32]) {
        let end = match status {
            Status::Asking => "unfinished".into(),
            Status::Won(player) => format!("won {}", player.0),
            Status::Drawn => "drawn".into(),
            Status::Broken(why) => format!("broken: {why}"),
        };
        self.text += &line(&End { end, answers: self.count, hash: hex(hash) });
    }
    /// Goes on behind `count` answers that are already kept elsewhere: only new lines will be in its text.
    pub fn after(count: u32) -> Writer {
        Writer { text: String::new(), count }
    }
    /// Hand out what has been written since the last time, for those who keep a journal line by line.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
    pub fn text(&self) -> &str {
        &self.text
    }
    pub fn into_text(self) -> String {
        self.text
    }
}

/// The same journal with its catalogue inside, right behind the head.
pub fn carrying(text: &str, catalogue: String) -> String {
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rest = if is_carried(rest) { rest.split_once('\n').map_or("", |(_, rest)| rest) } else { rest };
    format!("{head}\n{}{rest}", line(&Carried { carries: catalogue }))
}

/// Whether a line is that of the catalogue, which is far longer than all others.
fn is_carried(line: &str) -> bool {
    line.starts_with("{\"carries\"")
}

fn line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let bytes: Option<Vec<u8>> = (0..32).map(|at| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()).collect();
    bytes.filter(|_| text.len() == 64)?.try_into().ok()
}

fn short(hash: &[u8; 32]) -> String {
    hex(&hash[..8])
}

/// A journal that was read; nothing in it has been checked yet beyond its form.
#[derive(Clone, Debug)]
pub struct Journal {
    pub setup: Setup,
    pub game: String,
    /// The release of this program that wrote it.
    pub release: String,
    /// Hash of the catalogue, in hex.
    pub catalogue: String,
    /// The catalogue itself in text, where the journal carries it.
    pub carries: Option<String>,
    first: String,
    lines: Vec<Line>,
    end: Option<End>,
}

fn read_head(text: &str) -> Result<Head, String> {
    let failed = |error: serde_json::Error| format!("not the head of a journal: {error}");
    let any: AnyHead = serde_json::from_str(text).map_err(failed)?;
    if !READ_FORMATS.contains(&any.trilogy) {
        return Err(format!(
            "journal format {} is not known here; this program reads format {FORMAT}, and {} wrote it",
            any.trilogy, any.engine
        ));
    }
    let head: Head = serde_json::from_str(text).map_err(failed)?;
    if !READ_MEANINGS.contains(&head.machine) {
        return Err(format!(
            "the game was played by a machine of version {}; this program plays version {MEANING}, and {} wrote it",
            head.machine, head.engine
        ));
    }
    Ok(head)
}

impl Journal {
    pub fn parse(text: &str) -> Result<Journal, String> {
        let mut lines = text.lines().enumerate().peekable();
        let (_, head) = lines.next().ok_or("the journal is empty")?;
        let head = read_head(head).map_err(|error| format!("line 1: {error}"))?;
        let seed = unhex(&head.seed).ok_or("line 1: the seed is not 64 hexadecimal digits")?;
        if Random::commitment(&seed) != head.commitment {
            return Err("line 1: the seed does not match its commitment".into());
        }
        // Files are called by it.
        if unhex(&head.catalogue).is_none_or(|hash| hex(&hash) != head.catalogue) {
            return Err("line 1: the catalogue's hash is not 64 hexadecimal digits".into());
        }
        let mut journal = Journal {
            setup: Setup { decks: head.decks, options: head.options, seed },
            game: head.game,
            release: head.engine,
            catalogue: head.catalogue,
            carries: None,
            first: head.h,
            lines: Vec::new(),
            end: None,
        };
        if let Some((_, text)) = lines.next_if(|(_, text)| is_carried(text)) {
            let carried: Carried = serde_json::from_str(text).map_err(|error| format!("line 2: not a catalogue: {error}"))?;
            journal.carries = Some(carried.carries);
        }
        for (at, text) in lines {
            let at = at + 1;
            if journal.end.is_some() {
                return Err(format!("line {at}: there is more after the end"));
            }
            if let Ok(end) = serde_json::from_str::<End>(text) {
                journal.end = Some(end);
                continue;
            }
            let line: Line = serde_json::from_str(text).map_err(|error| format!("line {at}: not an answer: {error}"))?;
            if line.n as usize != journal.lines.len() + 1 {
                return Err(format!("line {at}: answer {} stands where answer {} should", line.n, journal.lines.len() + 1));
            }
            if line.pick.is_some() == line.number.is_some() {
                return Err(format!("line {at}: an answer is either a pick or a number"));
            }
            journal.lines.push(line);
        }
        Ok(journal)
    }

    pub fn answers(&self) -> usize {
        self.lines.len()
    }
    /// Whether the journal tells a game to its end.
    pub fn is_complete(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.end != "unfinished")
    }
    pub fn answer(&self, at: usize) -> Answer {
        match (&self.lines[at].pick, self.lines[at].number) {
            (Some(pick), _) => Answer::Pick(pick.clone()),
            (None, number) => Answer::Number(number.unwrap_or(0)),
        }
    }

    /// Play the first `count` answers again, and check every hash on the way.
    pub fn replay(&self, catalogue: &Arc<Catalogue>, count: usize, out: &mut dyn Sink) -> Result<Game, String> {
        if self.game != catalogue.game {
            return Err(format!("this is a game of {}, not of {}", self.game, catalogue.game));
        }
        if self.catalogue != hex(&catalogue.hash) {
            return Err(format!(
                "the journal was made with catalogue {}..., this is {}...: the same cards and rules are needed to replay it",
                self.catalogue.get(..12).unwrap_or(&self.catalogue),
                &hex(&catalogue.hash)[..12]
            ));
        }
        let mut game = Game::new(catalogue.clone(), self.setup.clone(), out)?;
        if short(&game.hash()) != self.first {
            return Err("the game does not start as the journal says: the head line has been changed".into());
        }
        for at in 0..count.min(self.lines.len()) {
            let events = game.answer(&self.answer(at)).map_err(|error| format!("answer {}: {error}", at + 1))?;
            events.into_iter().for_each(|event| out.take(event));
            if short(&game.hash()) != self.lines[at].h {
                return Err(format!("answer {}: the state is not the one the journal tells of", at + 1));
            }
        }
        if let Some(end) = self.end.as_ref().filter(|_| count >= self.lines.len()) {
            if end.answers as usize != self.lines.len() {
                return Err(format!("the journal ends after {} answers but has {}", end.answers, self.lines.len()));
            }
            if end.hash != hex(&game.hash()) {
                return Err("the last state is not the one the journal tells of".into());
            }
        }
        Ok(game)
    }
}
