//! One match, run by one task: it owns the game, the seats, the clocks and those who look on, and takes one message
//! after another from its mailbox. An answer is on disk before anybody hears of it.

use super::clock::Clocks;
use super::hall::{Hall, Info};
use super::record::{Record, random};
use super::steps;
use crate::protocol::{ClientMessage, MatchState, ServerMessage, Stops, Table};
use crate::store::SeatRow;
use axum::extract::ws::Utf8Bytes;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use trilogy_bots::Bot;
use trilogy_engine::journal::Writer;
use trilogy_engine::{Catalogue, Game};

/// What can be sent to a match.
pub(crate) enum Command {
    Watch {
        watcher: Watcher,
        since: u32,
    },
    Leave {
        socket: u64,
    },
    /// A message of the protocol from a socket.
    Does {
        watcher: Watcher,
        message: ClientMessage,
        arrived: Instant,
    },
    /// Somebody takes the free seat.
    Join {
        seat: SeatRow,
        cards: Vec<String>,
        reply: oneshot::Sender<Result<(), String>>,
    },
    /// The picture as a viewer has it now, for those without a socket.
    Look {
        user: Option<String>,
        reply: oneshot::Sender<Box<Table>>,
    },
    /// Somebody goes for good.
    Resign {
        user: String,
        reply: oneshot::Sender<Result<(), String>>,
    },
    /// End the match from outside.
    Close {
        how: String,
        reply: oneshot::Sender<Result<(), String>>,
    },
}

/// A socket as a match knows it.
#[derive(Clone)]
pub(crate) struct Watcher {
    pub(crate) socket: u64,
    /// Id of the user; none for those without a session.
    pub(crate) user: Option<String>,
    pub(crate) name: String,
    pub(crate) out: Outlet,
}

/// The way out to a client. One that does not read is cut off, and comes back when it can.
#[derive(Clone)]
pub(crate) struct Outlet {
    pub(crate) queue: mpsc::Sender<Utf8Bytes>,
    pub(crate) cut: Arc<Notify>,
}

impl Outlet {
    pub(crate) fn send(&self, message: &ServerMessage) {
        self.push(written(message));
    }
    pub(super) fn push(&self, text: Utf8Bytes) {
        if self.queue.try_send(text).is_err() {
            self.cut.notify_one();
        }
    }
}

pub(super) fn written(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).unwrap_or_default().into()
}

/// What viewers of one kind have been sent: the table and its number.
pub(super) struct Stream {
    pub(super) seq: u32,
    pub(super) last: Table,
}

/// One answer of the game.
pub(super) struct Step {
    pub(super) seat: u8,
    pub(super) by: By,
    /// It showed a card to somebody who had not known it, or chance had a part in it.
    pub(super) revealed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Person,
    /// The server passed for them.
    Stops,
    Bot,
}

pub(super) const DRAW: &str = "draw";
pub(super) const PAUSE: &str = "pause";
pub(super) const UNDO: &str = "undo";
pub(super) const REMATCH: &str = "rematch";

/// How long a match stays without anybody looking on: over, open, in play.
const LINGER: [Duration; 3] = [Duration::from_secs(600), Duration::from_secs(3600), Duration::from_secs(7 * 24 * 3600)];

/// The stream of spectators; those of the seats have their numbers.
pub(super) const SPECTATORS: usize = 2;

pub(crate) struct Match {
    pub(super) hall: Arc<Hall>,
    pub(super) catalogue: Arc<Catalogue>,
    pub(super) record: Record,
    pub(super) game: Option<Game>,
    pub(super) steps: Vec<Step>,
    pub(super) bots: [Option<Box<dyn Bot>>; 2],
    pub(super) bot_due: Option<Instant>,
    pub(super) clocks: Clocks,
    /// After a restart no clock runs before a player has come back.
    pub(super) clock_waits: bool,
    pub(super) paused: bool,
    pub(super) offers: BTreeMap<&'static str, BTreeSet<u8>>,
    pub(super) stops: [Stops; 2],
    pub(super) streams: [Option<Stream>; 3],
    pub(super) watchers: Vec<Watcher>,
    /// Asks and ids of the last answers taken from each seat.
    pub(super) taken: [VecDeque<(u32, u32)>; 2],
    /// The storage failed to take an answer.
    pub(super) unsure: bool,
    /// The storage knows another course of this match.
    pub(super) stale: bool,
    /// Ask numbers that undoing has used up.
    pub(super) undone: u32,
    pub(super) rematch: Option<String>,
    pub(super) chat: HashMap<String, VecDeque<Instant>>,
    pub(super) info: watch::Sender<Info>,
    pub(super) idle_since: Instant,
}

impl Match {
    /// A match as it is stored, with the game where both seats are taken.
    pub(crate) fn new(hall: Arc<Hall>, record: Record, lines: &[String], restored: bool) -> Result<(Match, watch::Receiver<Info>), String> {
        let catalogue = hall.catalogue(&record.game)?;
        record.fits(&catalogue)?;
        let (info, told) = watch::channel(Info::of(&record, 0));
        let mut new = Match {
            hall,
            catalogue,
            game: None,
            steps: Vec::new(),
            bots: [None, None],
            bot_due: None,
            clocks: Clocks::restored(record.clock.clone(), record.clocks_left),
            clock_waits: restored,
            paused: false,
            offers: BTreeMap::new(),
            stops: Default::default(),
            streams: [None, None, None],
            watchers: Vec::new(),
            taken: Default::default(),
            unsure: false,
            stale: false,
            undone: 0,
            rematch: None,
            chat: HashMap::new(),
            info,
            idle_since: Instant::now(),
            record,
        };
        new.load(lines)?;
        Ok((new, told))
    }

    /// Play the stored answers again; every hash must be the one that was stored.
    pub(super) fn load(&mut self, lines: &[String]) -> Result<(), String> {
        if self.record.free_seat().is_some() || (lines.is_empty() && self.record.setup.decks.iter().any(Vec::is_empty)) {
            return Ok(());
        }
        for (at, seat) in self.record.seats.iter().enumerate() {
            if let Some(bot) = seat.bot.as_deref() {
                self.bots[at] = Some(trilogy_bots::by_name(bot, random_number())?);
            }
        }
        let mut events = Vec::new();
        let mut game = Game::new(self.catalogue.clone(), self.record.setup.clone(), &mut events)?;
        let mut writer = Writer::after(0);
        for line in lines {
            let answer = steps::answer_of(line)?;
            let seat = game.asked().map_or(0, |player| player.0);
            let masks = steps::masks(&game);
            let events = game.answer(&answer).map_err(|error| error.to_string())?;
            writer.answer(&answer, &game.hash());
            if writer.take() != *line {
                return Err(format!("answer {}: the state is not the one that was stored", game.answers().len()));
            }
            let by = if self.bots[seat as usize & 1].is_some() { By::Bot } else { By::Person };
            self.steps.push(Step { seat, by, revealed: steps::revealed(&masks, &events) });
        }
        self.game = Some(game);
        Ok(())
    }

    fn tell_hall(&self) {
        let answers = self.game.as_ref().map_or(0, |game| game.answers().len() as u32);
        let info = Info::of(&self.record, answers);
        self.info.send_if_modified(|known| {
            let changed = *known != info;
            *known = info;
            changed
        });
    }

    /// The life of the match.
    pub(crate) async fn run(mut self, mut mail: mpsc::Receiver<Command>) {
        if let Some(end) = self.ended_by_rules() {
            self.finish(end.0, end.1).await;
        }
        self.go_on().await;
        self.tell_hall();
        while !self.stale {
            let deadline = self.next_deadline();
            tokio::select! {
                command = mail.recv() => match command {
                    Some(command) => self.handle(command).await,
                    None => return,
                },
                () = tokio::time::sleep_until(deadline.into()) => {
                    let done = self.time_passes().await;
                    self.tell_hall();
                    if done && mail.is_empty() {
                        break;
                    }
                }
            }
        }
        self.hall.forget(&self.record.id);
        // Those who still look on come back, and find the match as it is stored.
        self.watchers.iter().for_each(|watcher| watcher.out.cut.notify_one());
    }

    fn next_deadline(&self) -> Instant {
        let clock = self.clocks.deadline().map(|(_, at)| at);
        [clock, self.bot_due].into_iter().flatten().chain([self.idle_deadline()]).min().unwrap_or_else(Instant::now)
    }

    fn idle_deadline(&self) -> Instant {
        let at = match self.record.state {
            _ if !self.watchers.is_empty() => return Instant::now() + LINGER[2],
            MatchState::Over { .. } => 0,
            MatchState::Open => 1,
            MatchState::Playing => 2,
        };
        self.idle_since + LINGER[at]
    }

    /// A deadline has come. True when the match need not be held any longer.
    async fn time_passes(&mut self) -> bool {
        let now = Instant::now();
        if let Some((seat, _)) = self.clocks.deadline().filter(|(_, at)| *at <= now) {
            self.finish(Some(1 - seat as u8), "time".into()).await;
            self.broadcast(None);
        } else if self.bot_due.is_some_and(|due| due <= now) {
            self.bot_due = None;
            self.let_bot_answer().await;
        } else if self.idle_deadline() <= now {
            if !self.over() {
                self.finish(None, "abandoned".into()).await;
            }
            return true;
        }
        false
    }

    async fn handle(&mut self, command: Command) {
        match command {
            Command::Watch { watcher, since } => self.watch(watcher, since),
            Command::Leave { socket } => self.leave(socket),
            Command::Does { watcher, message, arrived } => {
                self.does(watcher, message, arrived).await;
            }
            Command::Join { seat, cards, reply } => {
                let joined = self.join(seat, cards).await;
                let _ = reply.send(joined);
            }
            Command::Look { user, reply } => {
                let stream = user.as_deref().and_then(|user| self.record.seat_of(user)).map_or(SPECTATORS, usize::from);
                let _ = reply.send(Box::new(self.picture(stream)));
            }
            Command::Resign { user, reply } => {
                let resigned = match self.record.seat_of(&user).filter(|_| !self.over()) {
                    Some(seat) => self.resign(seat).await,
                    None => Ok(()),
                };
                let _ = reply.send(resigned);
            }
            Command::Close { how, reply } => {
                let closed = if self.over() { Err("the match is over".into()) } else { self.try_finish(None, how).await };
                self.broadcast(None);
                let _ = reply.send(closed);
            }
        }
        self.tell_hall();
    }
}

/// For what needs only to be another number each time.
pub(super) fn random_number() -> u64 {
    random().map_or(1, |bytes| u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]]))
}
