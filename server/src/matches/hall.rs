//! All matches that are held in memory, each run by its own task. A match that is not here is fetched from the
//! storage when somebody asks for it.

use super::actor::{Command, Match, Watcher};
use super::finding::{Absent, Search};
use super::record::Record;
use super::replay::Replays;
use crate::editions::Editions;
use crate::failure::Failure;
use crate::games::Games;
use crate::limits::Limiter;
use crate::metrics::Metrics;
use crate::peers::Peers;
use crate::protocol::{MatchState, TableInfo};
use crate::store::{AnswerRow, Claim, Store};
use crate::work::{For, Work, Workers};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use trilogy_engine::Catalogue;

/// What a hall may be told to do otherwise.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long a bot waits before it answers, so that a person can follow.
    pub bot_delay: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { bot_delay: Duration::from_millis(300) }
    }
}

impl Settings {
    /// For tests and for measuring, where one machine plays many players.
    pub fn unlimited() -> Settings {
        Settings { bot_delay: Duration::ZERO }
    }
}

/// What a hall is made of.
pub(crate) struct Parts {
    pub(crate) store: Store,
    pub(crate) games: Games,
    pub(crate) peers: Peers,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Arc<Limiter>,
    pub(crate) work: Arc<Work>,
    /// The threads that bots think on.
    pub(crate) bots: Workers,
    pub(crate) settings: Settings,
}

pub struct Hall {
    parts: Parts,
    editions: Editions,
    live: Mutex<HashMap<String, Handle>>,
    pub(super) search: Search,
    replays: Replays,
    elsewhere: tokio::sync::Mutex<Option<(Instant, Vec<Info>)>>,
    /// The server stops: no match is taken on any more.
    pub(super) closing: AtomicBool,
    next_socket: AtomicU64,
}

/// How to reach a match.
#[derive(Clone)]
pub(crate) struct Handle {
    mail: mpsc::Sender<Command>,
    info: watch::Receiver<Info>,
    pub(super) claim: Claim,
    /// What it is played with.
    pub(crate) catalogue: Arc<Catalogue>,
}

/// What the lobby tells of a match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Info {
    pub(crate) table: TableInfo,
    pub(crate) users: [Option<String>; 2],
    pub(crate) address: String,
}

impl Info {
    pub(crate) fn of(record: &Record, answers: u32) -> Info {
        let users = record.seats.clone().map(|seat| seat.user);
        Info { table: record.info(answers, None), users, address: record.address.clone() }
    }
    pub(crate) fn told_to(self, user: Option<&str>) -> TableInfo {
        TableInfo { mine: self.is_of(user), ..self.table }
    }
    fn is_of(&self, user: Option<&str>) -> bool {
        user.is_some() && self.users.iter().any(|seat| seat.as_deref() == user)
    }
    fn is_over(&self) -> bool {
        matches!(self.table.state, MatchState::Over { .. })
    }
}

/// Messages that a match keeps waiting before their senders wait too.
const MAILBOX: usize = 256;
/// How old the list of the other servers' matches may be, and how long it is.
const ELSEWHERE: Duration = Duration::from_secs(2);
const MOST_ELSEWHERE: u32 = 500;
/// Tables that are listed.
const MOST_LISTED: usize = 300;

impl Hall {
    pub(crate) fn new(parts: Parts) -> Arc<Hall> {
        Arc::new(Hall {
            editions: Editions::new(parts.store.clone(), parts.games.clone()),
            parts,
            live: Mutex::default(),
            search: Search::default(),
            replays: Replays::default(),
            elsewhere: tokio::sync::Mutex::default(),
            closing: AtomicBool::new(false),
            next_socket: AtomicU64::new(1),
        })
    }

    pub(crate) fn store(&self) -> &Store {
        &self.parts.store
    }
    pub(crate) fn editions(&self) -> &Editions {
        &self.editions
    }
    pub(crate) fn peers(&self) -> &Peers {
        &self.parts.peers
    }
    pub(crate) fn limits(&self) -> &Limiter {
        &self.parts.limits
    }
    pub(crate) fn replays(&self) -> &Replays {
        &self.replays
    }
    pub(crate) fn work(&self) -> &Work {
        &self.parts.work
    }
    /// The threads that bots think on.
    pub(crate) fn bots(&self) -> &Workers {
        &self.parts.bots
    }
    pub(crate) fn bot_delay(&self) -> Duration {
        self.parts.settings.bot_delay
    }
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.parts.metrics
    }
    /// The catalogue that new matches of a game are played with.
    pub(crate) fn newest(&self, game: &str) -> Result<Arc<Catalogue>, String> {
        self.parts.games.get(game).map(|game| game.catalogue.clone()).ok_or_else(|| format!("the {game} is not played here any more"))
    }
    /// A number for a new socket.
    pub(crate) fn next_socket(&self) -> u64 {
        self.next_socket.fetch_add(1, Relaxed)
    }
    pub(super) fn live(&self) -> MutexGuard<'_, HashMap<String, Handle>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Open a table and store it, with answers where it goes on from somewhere.
    pub(crate) async fn open(
        self: &Arc<Self>,
        who: &For,
        record: Record,
        catalogue: Arc<Catalogue>,
        lines: Vec<String>,
    ) -> Result<String, Failure> {
        self.takes_new().map_err(Failure::not_now)?;
        self.has_room_for(who).await?;
        let id = record.id.clone();
        let stored = |error| {
            tracing::error!(%error, "a table could not be stored");
            Failure::not_now("the table could not be stored; try again")
        };
        self.editions.keep(&catalogue).await.map_err(stored)?;
        let answers: Vec<AnswerRow> = lines.into_iter().map(AnswerRow::of).collect();
        let claim = Claim { table: id.clone(), fence: 1 };
        let (new, info) = self.build(who, record, catalogue, claim, answers.clone(), None).await?;
        self.store().create_table(&new.row(self.peers().id())).await.map_err(stored)?;
        let appends = answers.into_iter().zip(1..).map(|(answer, number)| self.store().append_answer(&new.claim, number, answer));
        for done in futures_util::future::join_all(appends).await {
            done.map_err(stored)?;
        }
        self.start(new, info);
        Ok(id)
    }

    /// Whether new matches may begin here.
    pub(crate) fn takes_new(&self) -> Result<(), String> {
        if self.closing.load(Relaxed) {
            return Err("the server is about to stop; try again".into());
        }
        if self.peers().is_draining() {
            return Err(match self.peers().another() {
                Some(other) => format!("this server finishes its matches and takes no new ones: go to {}", other.url),
                None => "this server finishes its matches and takes no new ones".into(),
            });
        }
        Ok(())
    }

    pub(super) fn start(&self, mut new: Match, info: watch::Receiver<Info>) -> Handle {
        let (mail, inbox) = mpsc::channel(MAILBOX);
        new.mail = Some(mail.downgrade());
        let handle = Handle { mail, info, claim: new.claim.clone(), catalogue: new.catalogue.clone() };
        let held = {
            let mut live = self.live();
            live.insert(handle.claim.table.clone(), handle.clone());
            live.len()
        };
        self.metrics().matches.store(held as i64, Relaxed);
        tokio::spawn(new.run(inbox));
        handle
    }

    pub(super) fn held(&self, id: &str) -> Option<Handle> {
        self.live().get(id).filter(|handle| !handle.mail.is_closed()).cloned()
    }

    /// A match lets itself go.
    pub(crate) fn forget(&self, claim: &Claim) {
        let held = {
            let mut live = self.live();
            if live.get(&claim.table).is_some_and(|handle| handle.claim == *claim) {
                live.remove(&claim.table);
            }
            live.len()
        };
        self.metrics().matches.store(held as i64, Relaxed);
    }

    /// Open tables and those in play that a user may know of, here and at other servers, newest first.
    pub(crate) async fn list(&self, user: Option<&str>) -> Vec<TableInfo> {
        let mut tables = self.elsewhere().await;
        {
            let live = self.live();
            let held = live.values().filter(|handle| !handle.mail.is_closed()).map(|handle| handle.info.borrow());
            let listed = held.filter(|info| !info.is_over() && (!info.table.private || info.is_of(user)));
            tables.extend(listed.map(|info| info.clone()));
        }
        tables.retain(|info| !info.table.private || info.is_of(user));
        tables.sort_by(|a, b| {
            let newest = b.table.created.cmp(&a.table.created).then_with(|| a.table.id.cmp(&b.table.id));
            b.is_of(user).cmp(&a.is_of(user)).then(newest)
        });
        // Nobody reads on for ever; their own come first.
        tables.truncate(MOST_LISTED);
        let mut tables: Vec<TableInfo> = tables.into_iter().map(|info| info.told_to(user)).collect();
        tables.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| a.id.cmp(&b.id)));
        tables
    }

    /// Matches of other servers, as they were a moment ago.
    async fn elsewhere(&self) -> Vec<Info> {
        if !self.peers().all().iter().any(|other| other.live && other.id != self.peers().id()) {
            return Vec::new();
        }
        let mut kept = self.elsewhere.lock().await;
        if let Some((_, known)) = kept.as_ref().filter(|(at, _)| at.elapsed() < ELSEWHERE) {
            return known.clone();
        }
        let rows = match self.store().tables_elsewhere(self.peers().id(), MOST_ELSEWHERE).await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::error!(%error, "the matches of other servers could not be read");
                Vec::new()
            }
        };
        let known: Vec<Info> = rows.into_iter().filter_map(|row| Some(Info::of(&Record::read(row).ok()?, 0))).collect();
        *kept = Some((Instant::now(), known.clone()));
        known
    }

    /// All matches in memory, for those who look after the server: how many are open, in play, over.
    pub fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for handle in self.live().values().filter(|handle| !handle.mail.is_closed()) {
            counts[match handle.info.borrow().table.state {
                MatchState::Open => 0,
                MatchState::Playing => 1,
                MatchState::Over { .. } => 2,
            }] += 1;
        }
        counts
    }

    /// Every match in memory that is not over, private ones too.
    pub fn all(&self) -> Vec<TableInfo> {
        let live = self.live();
        let held = live.values().filter(|handle| !handle.mail.is_closed()).map(Handle::info);
        held.filter(|info| !info.is_over()).map(|info| info.table).collect()
    }

    /// End a match, for those who look after the server.
    pub(crate) async fn close(self: &Arc<Self>, who: &For, id: &str) -> Result<(), Failure> {
        let handle = self.find(who, id).await?;
        let closed = handle.ask(|reply| Command::Close { how: "closed".into(), reply }).await.map_err(Failure::not_now)?;
        closed.map_err(Failure::conflict)
    }

    /// A user gives up a match for good: the opponent wins, an open table is closed. Nothing where they have no seat or it is over,
    /// nor where it is not to be had here: [`Store::delete_user`] ends it there.
    pub(crate) async fn resign(self: &Arc<Self>, who: &For, id: &str, user: &str) -> Result<(), String> {
        let handle = match self.find(who, id).await {
            Ok(handle) => handle,
            Err(Absent::NotNow(reason)) => return Err(reason),
            Err(Absent::Unknown | Absent::Elsewhere(_) | Absent::Unreadable(_)) => return Ok(()),
        };
        handle.ask(|reply| Command::Resign { user: user.to_string(), reply }).await?
    }

    /// Whether one more table may be opened from an address, and taken by a user.
    pub(crate) async fn has_room_for(&self, who: &For) -> Result<(), Failure> {
        let limits = self.limits().limits();
        let of_user = {
            let live = self.live();
            let infos = live.values().map(|handle| handle.info.borrow()).filter(|info| !info.is_over());
            infos.filter(|info| info.users.iter().any(|seat| seat.is_some() && *seat == who.user)).count()
        };
        if of_user >= limits.tables_of_user {
            return Err(Failure::conflict("you have too many tables; finish or leave one first"));
        }
        let (alive, bytes) = self.store().kept_of_address(&who.address).await?;
        if alive as usize >= limits.tables_of_one {
            return Err(Failure::conflict("too many tables were opened from your network address; finish or leave one first"));
        }
        if bytes >= limits.stored_bytes_of_one as u64 {
            return Err(Failure::conflict("as many matches are kept of your network address as may be; ask who looks after this server"));
        }
        Ok(())
    }
}

impl Handle {
    pub(crate) fn info(&self) -> Info {
        self.info.borrow().clone()
    }

    pub(crate) async fn send(&self, command: Command) -> Result<(), String> {
        self.mail.send(command).await.map_err(|_| "the match is being fetched; try again".to_string())
    }

    /// Send a command that is answered.
    pub(crate) async fn ask<T>(&self, command: impl FnOnce(tokio::sync::oneshot::Sender<T>) -> Command) -> Result<T, String> {
        let (reply, answer) = tokio::sync::oneshot::channel();
        self.send(command(reply)).await?;
        answer.await.map_err(|_| "the match did not answer; try again".into())
    }

    pub(crate) async fn watch(&self, watcher: Watcher, since: u32) -> Result<(), String> {
        self.send(Command::Watch { watcher, since }).await
    }
}
