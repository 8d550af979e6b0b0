//! A match played again: its log, its turning points, and how the table stood after any answer.

use super::picture::{self, Frame, VIEWERS};
use super::record::Record;
use super::steps;
use crate::protocol::{LogLine, MatchState, Replay, Seat, Stops, Table};
use std::collections::BTreeMap;
use std::sync::Arc;
use trilogy_engine::journal::hex;
use trilogy_engine::{Answer, Catalogue, Game, PlayerId, Random, Silent, Viewer};

/// A stored match with the eyes that look at it: those of a seat while it is played, of a referee when it is over.
pub(crate) struct Stored {
    pub(crate) record: Record,
    pub(crate) lines: Vec<String>,
    catalogue: Arc<Catalogue>,
    /// Which of [`VIEWERS`].
    viewer: usize,
}

/// Marks on the seek bar.
const POINTS: usize = 8;

impl Stored {
    /// None where the match is still played and the user has no seat in it.
    pub(crate) fn new(catalogue: Arc<Catalogue>, record: Record, lines: Vec<String>, user: Option<&str>) -> Option<Stored> {
        let viewer = if record.is_over() { 3 } else { record.seat_of(user?)?.into() };
        Some(Stored { record, lines, catalogue, viewer })
    }

    fn answers(&self) -> Result<Vec<Answer>, String> {
        self.lines.iter().map(|line| steps::answer_of(line)).collect()
    }

    /// The game after the first `count` answers.
    pub(crate) fn game(&self, count: usize) -> Result<Game, String> {
        if self.record.setup.decks.iter().any(Vec::is_empty) {
            return Err("this match never began".into());
        }
        let mut game = Game::new(self.catalogue.clone(), self.record.setup.clone(), &mut Silent)?;
        for answer in self.answers()?.iter().take(count) {
            game.answer(answer).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    pub(crate) fn replay(&self, user: Option<&str>) -> Result<Replay, String> {
        let answers = self.answers()?;
        let mut log: Vec<LogLine> = Vec::new();
        if !self.record.setup.decks.iter().any(Vec::is_empty) {
            steps::retell(&self.catalogue, &self.record.setup, &answers, |told| log.append(&mut told.lines[self.viewer]));
        }
        Ok(Replay {
            info: self.record.info(answers.len() as u32, user),
            answers: answers.len() as u32,
            log,
            turning_points: if self.record.is_over() { self.turning_points(&answers)? } else { Vec::new() },
            seed: self.seed(),
            commitment: Random::commitment(&self.record.setup.seed),
        })
    }

    fn seed(&self) -> Option<String> {
        self.record.is_over().then(|| hex(&self.record.setup.seed))
    }

    /// The answers after which the table was worth most more, or most less, to the first player than before.
    fn turning_points(&self, answers: &[Answer]) -> Result<Vec<u32>, String> {
        if answers.is_empty() {
            return Ok(Vec::new());
        }
        let mut game = self.game(0)?;
        // Of the winner's last answer everybody knows that it decided the match.
        let worth = |game: &Game| trilogy_bots::worth(&game.view(Viewer::Referee), PlayerId(0)).clamp(-20_000, 20_000);
        let mut before = worth(&game);
        let mut changes: Vec<(i64, u32)> = Vec::new();
        for (answer, number) in answers.iter().zip(1..) {
            game.answer(answer).map_err(|error| error.to_string())?;
            let now = worth(&game);
            changes.push(((now - before).abs(), number));
            before = now;
        }
        changes.sort_by_key(|(change, number)| (-change, *number));
        let mut points: Vec<u32> = changes.into_iter().filter(|(change, _)| *change > 0).map(|(_, number)| number).take(POINTS).collect();
        points.sort_unstable();
        Ok(points)
    }

    /// The table after the first `count` answers.
    pub(crate) fn at(&self, count: usize) -> Result<Table, String> {
        let count = count.min(self.lines.len());
        let game = self.game(count)?;
        let seats = self.record.seats.iter().enumerate().map(|(at, seat)| Seat {
            name: seat.name.clone(),
            side: String::new(),
            bot: seat.bot.clone(),
            connected: true,
            deck: if self.record.is_over() || at == self.viewer || seat.bot.is_some() { seat.deck_name.clone() } else { String::new() },
            clock: None,
            counters: BTreeMap::new(),
            values: BTreeMap::new(),
        });
        let frame = Frame {
            id: self.record.id.clone(),
            game: self.record.game.clone(),
            seat: (self.viewer < 2).then_some(self.viewer as u8),
            seats: seats.collect(),
            state: if count < self.lines.len() { MatchState::Playing } else { self.record.state.clone() },
            offers: BTreeMap::new(),
            paused: false,
            spectators: 0,
            stops: Stops::default(),
            undo_free: false,
            commitment: Random::commitment(&self.record.setup.seed),
            seed: self.seed(),
            ask: count as u32,
            rematch: None,
        };
        Ok(picture::table(&game.view(VIEWERS[self.viewer]), frame))
    }

    /// The journal; it names the seed, so only a match that is over has one to give.
    pub(crate) fn journal(&self) -> Result<String, String> {
        if !self.record.is_over() {
            return Err("the journal holds the seed, so it can be had when the match is over".into());
        }
        super::record::journal(&self.game(self.lines.len())?, &self.lines)
    }
}
