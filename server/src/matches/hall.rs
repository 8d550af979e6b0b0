//! All matches that are held in memory, each run by its own task. A match that is not here is fetched from the
//! storage when somebody asks for it.

use super::actor::{Command, Match, Watcher};
use super::record::Record;
use crate::games::Games;
use crate::metrics::Metrics;
use crate::protocol::{MatchState, TableInfo};
use crate::store::Store;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use trilogy_engine::Catalogue;

/// What a hall may be told to do otherwise.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long a bot waits before it answers, so that a person can follow.
    pub bot_delay: Duration,
    /// Tables that one user may have open or in play.
    pub tables_per_user: usize,
    /// Sockets from one address at once.
    pub sockets_per_address: usize,
    /// Messages that a socket may send; more are read more slowly.
    pub messages_per_second: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { bot_delay: Duration::from_millis(300), tables_per_user: 20, sockets_per_address: 200, messages_per_second: 40.0 }
    }
}

impl Settings {
    /// For tests and for measuring, where one machine plays many players.
    pub fn unlimited() -> Settings {
        Settings { bot_delay: Duration::ZERO, tables_per_user: usize::MAX, sockets_per_address: usize::MAX, messages_per_second: 1e6 }
    }
}

pub struct Hall {
    store: Store,
    games: Games,
    metrics: Arc<Metrics>,
    settings: Settings,
    live: Mutex<HashMap<String, Handle>>,
    /// Held while a match is fetched, so that it is never held twice.
    fetching: tokio::sync::Mutex<()>,
    next_socket: AtomicU64,
    sockets: Arc<Sockets>,
}

/// How to reach a match.
#[derive(Clone)]
pub(crate) struct Handle {
    mail: mpsc::Sender<Command>,
    info: watch::Receiver<Info>,
}

/// What the lobby tells of a match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Info {
    pub(crate) table: TableInfo,
    pub(crate) users: [Option<String>; 2],
}

impl Info {
    pub(crate) fn of(record: &Record, answers: u32) -> Info {
        Info { table: record.info(answers, None), users: record.seats.clone().map(|seat| seat.user) }
    }
    pub(crate) fn told_to(self, user: Option<&str>) -> TableInfo {
        let mine = user.is_some() && self.users.iter().any(|seat| seat.as_deref() == user);
        TableInfo { mine, ..self.table }
    }
}

/// Messages that a match keeps waiting before their senders wait too.
const MAILBOX: usize = 256;

impl Hall {
    pub fn new(store: Store, games: Games, metrics: Arc<Metrics>, settings: Settings) -> Arc<Hall> {
        Arc::new(Hall {
            store,
            games,
            metrics,
            sockets: Arc::new(Sockets { most: settings.sockets_per_address, open: Mutex::default() }),
            settings,
            live: Mutex::default(),
            fetching: tokio::sync::Mutex::default(),
            next_socket: AtomicU64::new(1),
        })
    }

    /// Go on with every match that was open or in play when the program ended. Returns how many there are.
    pub async fn restore(self: &Arc<Self>) -> Result<usize, String> {
        let rows = self.store.tables_alive().await.map_err(|error| error.to_string())?;
        let mut restored = 0;
        for row in rows {
            let id = row.id.clone();
            match self.find(&id).await {
                Ok(_) => restored += 1,
                Err(error) => tracing::error!(table = id, error, "a match could not be restored"),
            }
        }
        Ok(restored)
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }
    pub(crate) fn bot_delay(&self) -> Duration {
        self.settings.bot_delay
    }
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }
    pub(crate) fn catalogue(&self, game: &str) -> Result<Arc<Catalogue>, String> {
        let known: Vec<&str> = self.games.all().map(|game| game.name.as_str()).collect();
        self.games.get(game).map(|game| game.catalogue.clone()).ok_or_else(|| format!("no such game; there is {}", known.join(", ")))
    }
    /// A number for a new socket.
    pub(crate) fn next_socket(&self) -> u64 {
        self.next_socket.fetch_add(1, Relaxed)
    }
    pub(crate) fn sockets(&self) -> &Arc<Sockets> {
        &self.sockets
    }
    pub(crate) fn messages_per_second(&self) -> f64 {
        self.settings.messages_per_second.max(0.1)
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, Handle>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Open a table and store it, with answers where it goes on from somewhere.
    pub(crate) async fn open(self: &Arc<Self>, record: Record, lines: Vec<String>) -> Result<String, String> {
        let id = record.id.clone();
        let stored = |error| {
            tracing::error!(%error, "a table could not be stored");
            "the table could not be stored; try again".to_string()
        };
        let (new, info) = Match::new(self.clone(), record.clone(), &lines, false)?;
        self.store.create_table(&record.row()).await.map_err(stored)?;
        let appends = lines.iter().zip(1..).map(|(line, number)| self.store.append_answer(&id, number, line));
        for done in futures_util::future::join_all(appends).await {
            done.map_err(stored)?;
        }
        self.start(new, info, &id);
        Ok(id)
    }

    fn start(&self, new: Match, info: watch::Receiver<Info>, id: &str) -> Handle {
        let (mail, inbox) = mpsc::channel(MAILBOX);
        let handle = Handle { mail, info };
        let held = {
            let mut live = self.live();
            live.insert(id.to_string(), handle.clone());
            live.len()
        };
        self.metrics.matches.store(held as i64, Relaxed);
        tokio::spawn(new.run(inbox));
        handle
    }

    fn held(&self, id: &str) -> Option<Handle> {
        self.live().get(id).filter(|handle| !handle.mail.is_closed()).cloned()
    }

    /// The match with this id, from memory or from the storage.
    pub(crate) async fn find(self: &Arc<Self>, id: &str) -> Result<Handle, String> {
        if let Some(handle) = self.held(id) {
            return Ok(handle);
        }
        let _fetching = self.fetching.lock().await;
        if let Some(handle) = self.held(id) {
            return Ok(handle);
        }
        let (record, lines) = self.fetch(id).await?;
        // One that this program cannot read stays as it is: the program that can, the one before or the one after, finds it again.
        let (new, info) = Match::new(self.clone(), record, &lines, true)?;
        Ok(self.start(new, info, id))
    }

    /// A match as it is stored.
    pub(crate) async fn fetch(&self, id: &str) -> Result<(Record, Vec<String>), String> {
        let failed = |error| {
            tracing::error!(%error, "a match could not be read");
            "the match could not be read; try again".to_string()
        };
        let row = self.store.table(id).await.map_err(failed)?.ok_or("there is no such table")?;
        let lines = self.store.answers(id).await.map_err(failed)?;
        Ok((Record::read(row)?, lines))
    }

    /// A match lets itself go.
    pub(crate) fn forget(&self, id: &str) {
        let held = {
            let mut live = self.live();
            live.remove(id);
            live.len()
        };
        self.metrics.matches.store(held as i64, Relaxed);
    }

    /// Open tables and those in play that a user may know of, newest first.
    pub(crate) fn list(&self, user: Option<&str>) -> Vec<TableInfo> {
        let live = self.live();
        let held = live.values().filter(|handle| !handle.mail.is_closed()).map(|handle| handle.info.borrow().clone().told_to(user));
        let mut tables: Vec<TableInfo> =
            held.filter(|table| !matches!(table.state, MatchState::Over { .. }) && (table.mine || !table.private)).collect();
        tables.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| a.id.cmp(&b.id)));
        tables
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
        let held = live.values().filter(|handle| !handle.mail.is_closed()).map(|handle| handle.info.borrow().table.clone());
        held.filter(|table| !matches!(table.state, MatchState::Over { .. })).collect()
    }

    /// End a match, for those who look after the server.
    pub async fn close(self: &Arc<Self>, id: &str) -> Result<(), String> {
        let handle = self.find(id).await?;
        handle.ask(|reply| Command::Close { how: "closed".into(), reply }).await?
    }

    /// A user gives up a match for good: the opponent wins, an open table is closed. Nothing where they have no seat or it is over.
    pub async fn resign(self: &Arc<Self>, id: &str, user: &str) -> Result<(), String> {
        let handle = self.find(id).await?;
        handle.ask(|reply| Command::Resign { user: user.to_string(), reply }).await?
    }

    /// Whether a user may open one more table.
    pub(crate) fn has_room_for(&self, user: &str) -> bool {
        let live = self.live();
        let mine = live.values().filter(|handle| {
            let info = handle.info.borrow();
            !matches!(info.table.state, MatchState::Over { .. }) && info.users.iter().any(|seat| seat.as_deref() == Some(user))
        });
        mine.count() < self.settings.tables_per_user
    }
}

/// How many sockets each address has open.
pub(crate) struct Sockets {
    most: usize,
    open: Mutex<HashMap<String, usize>>,
}

/// A socket's place among those of its address, free again when it is dropped.
pub(crate) struct Place {
    sockets: Arc<Sockets>,
    address: String,
}

impl Sockets {
    pub(crate) fn enter(self: &Arc<Self>, address: &str) -> Option<Place> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address.to_string()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place { sockets: self.clone(), address: address.to_string() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.sockets.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
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
