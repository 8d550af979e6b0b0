//! One match, run by one task: it owns the game, the seats, the clocks and those who look on, and takes one message
//! after another from its mailbox. An answer is on disk before anybody hears of it.

use super::aside::Aside;
use super::clock::Clocks;
use super::hall::{Hall, Info};
use super::record::{Record, random};
use super::steps;
use crate::protocol::{ClientMessage, LogLine, MatchState, ServerMessage, Table};
use crate::store::{AnswerRow, Claim, Noted, SeatRow, StoreError, TableRow};
use axum::extract::ws::Utf8Bytes;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use trilogy_bots::Bot;
use trilogy_engine::journal::Writer;
use trilogy_engine::{Answer, Catalogue, Game};

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
    /// Give the match up: another server, or the next one, goes on with it.
    Retire {
        reply: oneshot::Sender<()>,
    },
    /// Another server goes on with it already.
    Lost,
    /// A bot has thought about an ask.
    Thought {
        ask: u32,
        seat: u8,
        /// The bot with its answer; none where nothing came of it.
        thought: Option<(Box<dyn Bot>, Answer)>,
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
    /// With the number that the answer has with its client.
    Person(u32),
    /// The server passed for them.
    Stops,
    Bot,
    /// A person, before the number was written down, or in the match that this one forked off.
    Somebody,
}

impl By {
    fn read(row: &AnswerRow, is_bot: bool) -> By {
        match (row.by, row.sent) {
            (1, _) => By::Stops,
            (2, _) => By::Bot,
            _ if is_bot => By::Bot,
            (_, Some(id)) => By::Person(id),
            (_, None) => By::Somebody,
        }
    }
    pub(super) fn written(self) -> u8 {
        match self {
            By::Person(_) | By::Somebody => 0,
            By::Stops => 1,
            By::Bot => 2,
        }
    }
    pub(super) fn is_person(self) -> bool {
        matches!(self, By::Person(_) | By::Somebody)
    }
    pub(super) fn number(self) -> Option<u32> {
        if let By::Person(id) = self { Some(id) } else { None }
    }
}

/// Answers of a seat that are known by their numbers, so that one that is sent again is not taken twice.
const REMEMBERED: usize = 32;

/// What is known of a match that was played before this task took it on.
pub(crate) struct Before {
    pub(crate) noted: Noted,
    /// When the server that played it was last heard of, where it gave nothing up: its clocks ran until then.
    pub(crate) seen: Option<i64>,
}

/// How long a match stays without anybody looking on: over, open, in play.
const LINGER: [Duration; 3] = [Duration::from_secs(600), Duration::from_secs(3600), Duration::from_secs(7 * 24 * 3600)];

/// How long the log is kept for those who come back.
const LOG_STAYS: Duration = Duration::from_secs(60);

/// The stream of spectators; those of the seats have their numbers.
pub(super) const SPECTATORS: usize = 2;

pub(crate) struct Match {
    pub(super) hall: Arc<Hall>,
    pub(super) catalogue: Arc<Catalogue>,
    pub(super) record: Record,
    /// The right to write to it.
    pub(crate) claim: Claim,
    pub(super) aside: Aside,
    pub(super) game: Option<Game>,
    pub(super) steps: Vec<Step>,
    pub(super) bots: [Option<Box<dyn Bot>>; 2],
    pub(super) bot_due: Option<Instant>,
    /// A bot thinks; what comes of it comes by mail.
    pub(super) thinking: bool,
    /// Its own mailbox, where there is somebody to read it.
    pub(super) mail: Option<mpsc::WeakSender<Command>>,
    pub(super) clocks: Clocks,
    /// The log as each kind of viewer is told it, while somebody looks on.
    pub(super) logs: [Option<Vec<LogLine>>; 4],
    pub(super) streams: [Option<Stream>; 3],
    pub(super) watchers: Vec<Watcher>,
    /// Asks and ids of the last answers taken from each seat.
    taken: [VecDeque<(u32, u32)>; 2],
    /// The storage failed to take an answer: what is on disk is not known.
    pub(super) unsure: bool,
    /// This task does not go on with the match.
    pub(super) ends: bool,
    pub(super) chat: HashMap<String, VecDeque<Instant>>,
    info: watch::Sender<Info>,
    pub(super) idle_since: Instant,
}

impl Match {
    /// A match as it is stored, with the game where both seats are taken.
    pub(crate) fn new(
        hall: Arc<Hall>,
        record: Record,
        catalogue: Arc<Catalogue>,
        claim: Claim,
        answers: &[AnswerRow],
        before: Option<Before>,
    ) -> Result<(Match, watch::Receiver<Info>), String> {
        let (info, told) = watch::channel(Info::of(&record, answers.len() as u32));
        let mut new = Match {
            hall,
            catalogue,
            claim,
            aside: Aside::default(),
            game: None,
            steps: Vec::new(),
            bots: [None, None],
            bot_due: None,
            thinking: false,
            mail: None,
            logs: Default::default(),
            clocks: Clocks::new(record.clock.clone()),
            streams: [None, None, None],
            watchers: Vec::new(),
            taken: Default::default(),
            unsure: false,
            ends: false,
            chat: HashMap::new(),
            info,
            idle_since: Instant::now(),
            record,
        };
        if let Some(before) = &before {
            new.aside = Aside::read(&before.noted.aside)?;
        }
        new.load(answers)?;
        if let Some(before) = before {
            new.aside.restored(new.ask_number());
            new.set_clocks(&before, answers.last());
        }
        Ok((new, told))
    }

    /// Whether this program has all who play a match.
    pub(crate) fn can_seat(record: &Record) -> Result<(), String> {
        record.seats.iter().filter_map(|seat| seat.bot.as_deref()).try_for_each(|bot| trilogy_bots::by_name(bot, 0).map(drop))
    }

    /// Play the stored answers again; every hash must be the one that was stored.
    pub(super) fn load(&mut self, answers: &[AnswerRow]) -> Result<(), String> {
        (self.game, self.steps, self.taken) = (None, Vec::new(), Default::default());
        if self.record.free_seat().is_some() || (answers.is_empty() && self.record.setup.decks.iter().any(Vec::is_empty)) {
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
        for row in answers {
            let answer = steps::answer_of(&row.line)?;
            let seat = game.asked().map_or(0, |player| player.0);
            let masks = steps::masks(&game);
            let events = game.answer(&answer).map_err(|error| error.to_string())?;
            writer.answer(&answer, &game.hash());
            if writer.take() != row.line {
                return Err(format!("answer {}: the state is not the one that was stored", game.answers().len()));
            }
            let by = By::read(row, self.is_bot(seat));
            if let (Some(ask), Some(id)) = (row.ask, by.number()) {
                self.remember_taken(seat, ask, id);
            }
            self.steps.push(Step { seat, by, revealed: steps::revealed(&masks, &events) });
        }
        self.game = Some(game);
        Ok(())
    }

    pub(super) fn remember_taken(&mut self, seat: u8, ask: u32, id: u32) {
        let taken = &mut self.taken[seat as usize & 1];
        taken.push_back((ask, id));
        if taken.len() > REMEMBERED {
            taken.pop_front();
        }
    }
    pub(super) fn has_taken(&self, seat: u8, ask: u32, id: u32) -> bool {
        self.taken[seat as usize & 1].contains(&(ask, id))
    }

    /// The clocks as they stood when the match was last heard of. None runs before a player has come back.
    fn set_clocks(&mut self, before: &Before, last: Option<&AnswerRow>) {
        let noted = &before.noted;
        let (left, at) = match last.and_then(|last| Some((last.left?, last.at))) {
            Some((left, at)) if at >= noted.at => (left, at),
            _ => (noted.left, noted.at),
        };
        self.clocks = Clocks::restored(self.record.clock.clone(), left);
        let ran = !self.aside.waits && !self.aside.paused;
        if let (Some(seat), Some(seen), true) = (self.asked(), before.seen, ran && at > 0) {
            self.clocks.charge(seat.into(), Duration::from_millis(u64::try_from(seen - at).unwrap_or(0)));
        }
        self.aside.waits = !self.clocks.is_none() && self.game.is_some() && !self.over();
    }

    /// How it is stored.
    pub(crate) fn row(&self, owner: &str) -> TableRow {
        self.record.row(self.noted(), owner)
    }

    pub(super) fn noted(&self) -> Noted {
        Noted { aside: self.aside.written(self.ask_number()), left: self.clocks.stored(Instant::now()), at: 0 }
    }

    /// Change what a restart must remember. Where it cannot be stored, nothing has happened.
    pub(super) async fn remember(&mut self, change: impl FnOnce(&mut Aside)) -> Result<(), String> {
        let before = self.aside.clone();
        change(&mut self.aside);
        let stored = self.hall.store().note(&self.claim, &self.noted()).await;
        stored.map_err(|error| {
            self.aside = before;
            self.not_stored(error)
        })
    }

    /// Something could not be written: the reason for who wanted it. Where another server goes on with the match, this task ends.
    pub(super) fn not_stored(&mut self, error: StoreError) -> String {
        if error == StoreError::Fenced {
            self.ends = true;
            return "another server goes on with this match; try again".into();
        }
        tracing::error!(table = self.record.id, %error, "a match could not be written down");
        "this could not be stored, so it has not happened; try again".into()
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
        if self.aside.waits {
            // Should this server end at once, too, nobody has used up any time.
            let _ = self.remember(|_| {}).await;
        }
        if let Some(end) = self.ended_by_rules() {
            self.finish(end.0, end.1).await;
        }
        self.go_on().await;
        self.tell_hall();
        let mut given_up = None;
        while !self.ends {
            let deadline = self.next_deadline();
            tokio::select! {
                command = mail.recv() => match command {
                    Some(Command::Retire { reply }) => {
                        given_up = Some(reply);
                        break;
                    }
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
        self.hall.forget(&self.claim);
        if !self.ends {
            self.give_up().await;
        }
        match given_up {
            // The server stops: it says goodbye to all sockets itself.
            Some(reply) => drop(reply.send(())),
            // Those who still look on come back, and find the match as it is stored.
            None => self.watchers.iter().for_each(|watcher| watcher.out.cut.notify_one()),
        }
    }

    /// Whoever wants the match next can have it at once, with the clocks as they stand.
    async fn give_up(&mut self) {
        if !self.over() && !self.clocks.is_none() {
            self.clocks.run(None, Instant::now());
            let _ = self.remember(|_| {}).await;
        }
        if let Err(error) = self.hall.store().release(&self.claim).await {
            tracing::error!(table = self.record.id, %error, "a match could not be given up");
        }
    }

    fn next_deadline(&self) -> Instant {
        let clock = self.clocks.deadline().map(|(_, at)| at);
        [clock, self.bot_due].into_iter().flatten().chain([self.idle_deadline()]).min().unwrap_or_else(Instant::now)
    }

    fn idle_deadline(&self) -> Instant {
        let at = match self.record.state {
            _ if !self.watchers.is_empty() => return Instant::now() + LINGER[2],
            _ if self.logs.iter().any(Option::is_some) => return self.idle_since + LOG_STAYS,
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
            self.let_bot_think();
        } else if self.idle_deadline() <= now {
            if self.logs.iter().any(Option::is_some) {
                self.logs = Default::default();
                return false;
            }
            if !self.over() {
                self.finish(None, "abandoned".into()).await;
            }
            return true;
        }
        false
    }

    async fn handle(&mut self, command: Command) {
        match command {
            Command::Watch { watcher, since } => self.watch(watcher, since).await,
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
            Command::Lost => self.ends = true,
            Command::Thought { ask, seat, thought } => self.take_thought(ask, seat, thought).await,
            // The loop ends with it.
            Command::Retire { reply } => drop(reply.send(())),
        }
        self.tell_hall();
    }
}

/// For what needs only to be another number each time.
pub(super) fn random_number() -> u64 {
    random().map_or(1, |bytes| u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]]))
}
