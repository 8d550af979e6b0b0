//! A match played again: its log, its turning points, and how the table stood after any answer. What was worked out for one reader is
//! kept for all.

use super::finding::Absent;
use super::hall::Hall;
use super::picture::{self, Frame, VIEWERS};
use super::record::Record;
use super::steps;
use crate::failure::Failure;
use crate::protocol::{LogLine, MatchState, Replay, Seat, Stops, Table, TableInfo};
use crate::ready::Ready;
use crate::work::For;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use trilogy_engine::journal::hex;
use trilogy_engine::{Answer, Catalogue, Game, PlayerId, Random, Silent, Viewer};

/// Matches that are over and what was worked out of them and of others, as far as there is room.
pub(crate) struct Replays {
    over: Cache<String, Arc<Stored>, BySize>,
    done: Cache<Asked, Ready, BySize>,
}

/// What is asked of a match that has so many answers, through whose eyes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Asked {
    id: String,
    answers: usize,
    viewer: usize,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum What {
    /// The log and all that is needed to step through it; whether it is a match of one's own.
    Whole {
        mine: bool,
    },
    /// The table after so many answers.
    At(usize),
    Journal {
        with_catalogue: bool,
    },
}

/// Bytes of memory that each of the two takes at most.
const ROOM: u64 = 48 << 20;

#[derive(Clone)]
struct BySize;

impl Weighter<String, Arc<Stored>> for BySize {
    fn weight(&self, _: &String, stored: &Arc<Stored>) -> u64 {
        // The game with a copy of it now and then.
        let lines: usize = stored.lines.iter().map(String::len).sum();
        (2 * lines + stored.lines.len() / 64 * 8192 + 20_000) as u64
    }
}

impl Weighter<Asked, Ready> for BySize {
    fn weight(&self, _: &Asked, ready: &Ready) -> u64 {
        ready.size() as u64 + 200
    }
}

impl Default for Replays {
    fn default() -> Replays {
        Replays { over: Cache::with_weighter(1000, ROOM, BySize), done: Cache::with_weighter(10_000, ROOM, BySize) }
    }
}

impl Replays {
    /// Work everything out anew: names may have changed.
    pub(crate) fn clear(&self) {
        self.over.clear();
        self.done.clear();
    }
}

impl Hall {
    /// Something about a match that this user may see again.
    pub(crate) async fn replay(&self, who: &For, id: &str, what: What) -> Result<Ready, Failure> {
        let stored = self.stored(id).await?;
        let viewer = stored.viewer(who.user.as_deref()).ok_or_else(|| Failure::forbidden("this match is still being played"))?;
        let what = match what {
            What::Whole { .. } => What::Whole { mine: who.user.as_deref().is_some_and(|user| stored.record.seat_of(user).is_some()) },
            What::At(count) => What::At(count.min(stored.lines.len())),
            journal => journal,
        };
        let carries = match what {
            What::Journal { with_catalogue: true } => Some(self.packed(&stored.record.catalogue).await?),
            _ => None,
        };
        let asked = Asked { id: id.to_string(), answers: stored.lines.len(), viewer, what };
        let work = async {
            let done = self.work().run(who, move || stored.work_out(viewer, what, carries.as_deref())).await?;
            done.map_err(Failure::conflict)
        };
        self.replays().done.get_or_insert_async(&asked, work).await
    }

    /// A match as it is stored. One that is over stays as it is.
    pub(crate) async fn stored(&self, id: &str) -> Result<Arc<Stored>, Absent> {
        if let Some(known) = self.replays().over.get(id) {
            return Ok(known);
        }
        let (record, catalogue, lines) = self.fetch(id).await?;
        let stored = Arc::new(Stored { record, lines, catalogue, played: OnceLock::new() });
        if stored.record.is_over() {
            self.replays().over.insert(id.to_string(), stored.clone());
        }
        Ok(stored)
    }

    /// A catalogue as a journal carries it.
    async fn packed(&self, hash: &str) -> Result<Vec<u8>, Failure> {
        let row = self.store().catalogue(hash).await?;
        row.map(|row| row.bytes).ok_or_else(|| Failure::conflict("the cards and rules of this match are not kept"))
    }
}

/// A stored match.
pub(crate) struct Stored {
    pub(crate) record: Record,
    pub(crate) lines: Vec<String>,
    pub(crate) catalogue: Arc<Catalogue>,
    /// The game with all answers: from there every table is a few answers away.
    played: OnceLock<Result<Game, String>>,
}

/// Marks on the seek bar.
const POINTS: usize = 8;

impl Stored {
    /// Through whose eyes a user looks at it (which of [`VIEWERS`]): those of a seat while it is played, of a referee when it is over.
    fn viewer(&self, user: Option<&str>) -> Option<usize> {
        if self.record.is_over() { Some(3) } else { self.record.seat_of(user?).map(usize::from) }
    }

    fn answers(&self) -> Result<Vec<Answer>, String> {
        self.lines.iter().map(|line| steps::answer_of(line)).collect()
    }

    /// The game after the first `count` answers.
    fn game(&self, count: usize) -> Result<Game, String> {
        let played = self.played.get_or_init(|| {
            if self.record.setup.decks.iter().any(Vec::is_empty) {
                return Err("this match never began".into());
            }
            let mut game = Game::new(self.catalogue.clone(), self.record.setup.clone(), &mut Silent)?;
            for answer in self.answers()? {
                game.answer(&answer).map_err(|error| error.to_string())?;
            }
            Ok(game)
        });
        let mut game = played.as_ref().map_err(String::clone)?.fork();
        if count < self.lines.len() {
            game.back_to(count);
        }
        Ok(game)
    }

    fn work_out(&self, viewer: usize, what: What, carries: Option<&[u8]>) -> Result<Ready, String> {
        match what {
            What::Whole { mine } => self.replay(viewer, mine).map(|replay| Ready::json(&replay)),
            What::At(count) => self.at(viewer, count).map(|table| Ready::json(&table)),
            What::Journal { .. } => self.journal(carries).map(|text| Ready::of(text.into_bytes(), "application/x-ndjson")),
        }
    }

    fn replay(&self, viewer: usize, mine: bool) -> Result<Replay, String> {
        let answers = self.answers()?;
        let mut log: Vec<LogLine> = Vec::new();
        if !self.record.setup.decks.iter().any(Vec::is_empty) {
            steps::retell(&self.catalogue, &self.record.setup, &answers, |told| log.append(&mut told.lines[viewer]));
        }
        Ok(Replay {
            info: TableInfo { mine, ..self.record.info(answers.len() as u32, None) },
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
    fn at(&self, viewer: usize, count: usize) -> Result<Table, String> {
        let game = self.game(count)?;
        let seats = self.record.seats.iter().enumerate().map(|(at, seat)| Seat {
            name: seat.name.clone(),
            side: String::new(),
            bot: seat.bot.clone(),
            connected: true,
            deck: if self.record.is_over() || at == viewer || seat.bot.is_some() { seat.deck_name.clone() } else { String::new() },
            clock: None,
            counters: BTreeMap::new(),
            values: BTreeMap::new(),
        });
        let frame = Frame {
            id: self.record.id.clone(),
            game: self.record.game.clone(),
            seat: (viewer < 2).then_some(viewer as u8),
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
        Ok(picture::table(&game.view(VIEWERS[viewer]), frame))
    }

    /// The journal; it names the seed, so only a match that is over has one to give.
    fn journal(&self, carries: Option<&[u8]>) -> Result<String, String> {
        if !self.record.is_over() {
            return Err("the journal holds the seed, so it can be had when the match is over".into());
        }
        super::record::journal(&self.game(self.lines.len())?, &self.lines, carries)
    }
}
