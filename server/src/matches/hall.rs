//! All matches that are held in memory, each run by its own task. A match that is not here is fetched from the
//! storage when somebody asks for it.

use super::actor::{Before, Command, Match, Watcher};
use super::record::Record;
use crate::editions::{Editions, NoCatalogue};
use crate::failure::Failure;
use crate::games::Games;
use crate::metrics::Metrics;
use crate::peers::Peers;
use crate::protocol::{MatchState, TableInfo, UnreadableMatch};
use crate::store::{AnswerRow, Claim, ServerRow, Store, StoreError, TableRow};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, mpsc, watch};
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
    editions: Editions,
    peers: Peers,
    metrics: Arc<Metrics>,
    settings: Settings,
    live: Mutex<HashMap<String, Handle>>,
    /// One for each match that is being fetched, so that none is held twice.
    fetching: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    /// Turns at playing a match again: so many at once.
    fetches: Semaphore,
    troubles: Mutex<BTreeMap<String, Trouble>>,
    elsewhere: tokio::sync::Mutex<Option<(Instant, Vec<Info>)>>,
    /// The server stops: no match is taken on any more.
    closing: AtomicBool,
    next_socket: AtomicU64,
    sockets: Arc<Sockets>,
}

/// How to reach a match.
#[derive(Clone)]
pub(crate) struct Handle {
    mail: mpsc::Sender<Command>,
    info: watch::Receiver<Info>,
    claim: Claim,
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
        let mine = user.is_some() && self.users.iter().any(|seat| seat.as_deref() == user);
        TableInfo { mine, ..self.table }
    }
    fn is_over(&self) -> bool {
        matches!(self.table.state, MatchState::Over { .. })
    }
}

/// Why a match cannot be had here.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Absent {
    /// There is none with this id.
    Unknown,
    /// Another server goes on with it: where clients reach that.
    Elsewhere(String),
    /// This program cannot go on with it. It is left as it is.
    Unreadable(String),
    /// It may be had later.
    NotNow(String),
}

impl Absent {
    pub(crate) fn reason(&self) -> String {
        match self {
            Absent::Unknown => "there is no such table".into(),
            Absent::Elsewhere(url) => format!("this match is played at {url}"),
            Absent::Unreadable(why) | Absent::NotNow(why) => why.clone(),
        }
    }
}

impl From<Absent> for Failure {
    fn from(absent: Absent) -> Failure {
        let reason = absent.reason();
        match absent {
            Absent::Unknown => Failure::missing(reason),
            Absent::Elsewhere(url) => Failure::moved(reason, url),
            Absent::Unreadable(_) => Failure::conflict(reason),
            Absent::NotNow(_) => Failure::not_now(reason),
        }
    }
}

impl From<NoCatalogue> for Absent {
    fn from(why: NoCatalogue) -> Absent {
        match why {
            NoCatalogue::Unreadable(why) => Absent::Unreadable(why),
            NoCatalogue::Failed(error) => failing(error),
        }
    }
}

/// The storage does not say.
fn failing(error: StoreError) -> Absent {
    tracing::error!(%error, "a match could not be read");
    Absent::NotNow("the match could not be read; try again".into())
}

/// A match that could not be read.
#[derive(Clone, Debug)]
struct Trouble {
    reason: String,
    /// When it was tried last, and when that was for the first time.
    tried: Instant,
    since: i64,
}

/// Messages that a match keeps waiting before their senders wait too.
const MAILBOX: usize = 256;
/// Matches that are played again at the same time.
const FETCHES: usize = 4;
/// How long it is believed that a match cannot be read: for those who ask, and when looking for matches that nobody goes on with.
const TROUBLED: [Duration; 2] = [Duration::from_secs(20), Duration::from_secs(600)];
const MOST_TROUBLES: usize = 10_000;
/// How old the list of the other servers' matches may be, and how long it is.
const ELSEWHERE: Duration = Duration::from_secs(2);
const MOST_ELSEWHERE: u32 = 500;

impl Hall {
    pub(crate) fn new(store: Store, games: Games, peers: Peers, metrics: Arc<Metrics>, settings: Settings) -> Arc<Hall> {
        Arc::new(Hall {
            editions: Editions::new(store.clone(), games.clone()),
            store,
            games,
            peers,
            metrics,
            sockets: Arc::new(Sockets { most: settings.sockets_per_address, open: Mutex::default() }),
            settings,
            live: Mutex::default(),
            fetching: Mutex::default(),
            fetches: Semaphore::new(FETCHES),
            troubles: Mutex::default(),
            elsewhere: tokio::sync::Mutex::default(),
            closing: AtomicBool::new(false),
            next_socket: AtomicU64::new(1),
        })
    }

    /// Go on with every match that is open or in play and that nobody holds. Returns how many that were.
    pub(crate) async fn adopt(self: &Arc<Self>) -> Result<usize, StoreError> {
        let mut adopted = 0;
        for id in self.store.orphans().await? {
            if self.closing.load(Relaxed) {
                break;
            }
            if self.trouble(&id, TROUBLED[1]).is_some() {
                continue;
            }
            match self.find(&id).await {
                Ok(_) => adopted += 1,
                Err(Absent::Unreadable(reason)) => tracing::error!(table = id, reason, "a match cannot be gone on with; it is left as it is"),
                Err(Absent::Unknown | Absent::Elsewhere(_) | Absent::NotNow(_)) => {}
            }
        }
        Ok(adopted)
    }

    /// The lease of this server had run out: let go of the matches that others have taken over meanwhile.
    pub(crate) async fn check_claims(&self) -> Result<(), StoreError> {
        let owned: HashSet<Claim> = self.store.claims(self.peers.id()).await?.into_iter().collect();
        let lost: Vec<Handle> = self.live().values().filter(|handle| !owned.contains(&handle.claim)).cloned().collect();
        for handle in lost {
            tracing::warn!(table = handle.claim.table, "another server goes on with a match");
            let _ = handle.send(Command::Lost).await;
        }
        Ok(())
    }

    /// Give up all matches, so that other servers, or the next one, go on with them at once.
    pub(crate) async fn retire(&self) {
        self.closing.store(true, Relaxed);
        let held: Vec<Handle> = self.live().values().cloned().collect();
        let retiring = held.into_iter().map(|handle| async move { drop(handle.ask(|reply| Command::Retire { reply }).await) });
        futures_util::future::join_all(retiring).await;
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }
    pub(crate) fn editions(&self) -> &Editions {
        &self.editions
    }
    pub(crate) fn peers(&self) -> &Peers {
        &self.peers
    }
    pub(crate) fn bot_delay(&self) -> Duration {
        self.settings.bot_delay
    }
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }
    /// The catalogue that new matches of a game are played with.
    pub(crate) fn newest(&self, game: &str) -> Result<Arc<Catalogue>, String> {
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
    pub(crate) async fn open(self: &Arc<Self>, record: Record, catalogue: Arc<Catalogue>, lines: Vec<String>) -> Result<String, String> {
        self.takes_new()?;
        let id = record.id.clone();
        let stored = |error| {
            tracing::error!(%error, "a table could not be stored");
            "the table could not be stored; try again".to_string()
        };
        self.editions.keep(&catalogue).await.map_err(stored)?;
        let answers: Vec<AnswerRow> = lines.into_iter().map(AnswerRow::of).collect();
        let claim = Claim { table: id.clone(), fence: 1 };
        let (new, info) = self.build(record, catalogue, claim, answers.clone(), None).await?;
        self.store.create_table(&new.row(self.peers.id())).await.map_err(stored)?;
        let appends = answers.into_iter().zip(1..).map(|(answer, number)| self.store.append_answer(&new.claim, number, answer));
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
        if self.peers.is_draining() {
            return Err(match self.peers.another() {
                Some(other) => format!("this server finishes its matches and takes no new ones: go to {}", other.url),
                None => "this server finishes its matches and takes no new ones".into(),
            });
        }
        Ok(())
    }

    /// The match with its game, which is played again where nobody waits for the thread.
    async fn build(
        self: &Arc<Self>,
        record: Record,
        catalogue: Arc<Catalogue>,
        claim: Claim,
        answers: Vec<AnswerRow>,
        before: Option<Before>,
    ) -> Result<(Match, watch::Receiver<Info>), String> {
        let hall = self.clone();
        let building = tokio::task::spawn_blocking(move || Match::new(hall, record, catalogue, claim, &answers, before));
        building.await.unwrap_or_else(|_| Err("playing the match again failed".into()))
    }

    fn start(&self, new: Match, info: watch::Receiver<Info>) -> Handle {
        let (mail, inbox) = mpsc::channel(MAILBOX);
        let handle = Handle { mail, info, claim: new.claim.clone(), catalogue: new.catalogue.clone() };
        let held = {
            let mut live = self.live();
            live.insert(handle.claim.table.clone(), handle.clone());
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
    pub(crate) async fn find(self: &Arc<Self>, id: &str) -> Result<Handle, Absent> {
        if let Some(handle) = self.held(id) {
            return Ok(handle);
        }
        if let Some(reason) = self.trouble(id, TROUBLED[0]) {
            return Err(Absent::Unreadable(reason));
        }
        let mine = self.fetching().entry(id.to_string()).or_default().clone();
        let found = {
            let _alone = mine.lock().await;
            match self.held(id) {
                Some(handle) => Ok(handle),
                None => self.take_on(id).await,
            }
        };
        drop(mine);
        self.fetching().retain(|_, fetching| Arc::strong_count(fetching) > 1);
        match &found {
            Ok(_) => drop(self.troubles().remove(id)),
            Err(Absent::Unreadable(reason)) => self.note_trouble(id, reason),
            Err(Absent::Unknown | Absent::Elsewhere(_) | Absent::NotNow(_)) => {}
        }
        found
    }

    fn fetching(&self) -> MutexGuard<'_, HashMap<String, Arc<tokio::sync::Mutex<()>>>> {
        self.fetching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Become the owner of a match and go on with it. One that this program cannot read stays as it is: the program that can, the one
    /// before or the one after, finds it again.
    async fn take_on(self: &Arc<Self>, id: &str) -> Result<Handle, Absent> {
        if self.closing.load(Relaxed) {
            return Err(Absent::NotNow("the server is about to stop; try again".into()));
        }
        let _room = self.fetches.acquire().await.map_err(|_| Absent::NotNow("the server is about to stop".into()))?;
        let (record, row) = self.read(id).await?;
        let catalogue = self.editions.of(&record.game, &record.catalogue).await?;
        Match::can_seat(&record).map_err(Absent::Unreadable)?;
        if self.peers.is_draining() && self.is_for_another(&record).await? {
            return Err(Absent::NotNow("another server will go on with this match; try again".into()));
        }
        let last = row.owner.as_deref().and_then(|owner| self.peers.named(owner));
        let Some(claim) = self.store.claim(id, self.peers.id()).await.map_err(failing)? else {
            return Err(match self.owner_of(id).await? {
                Some(url) => Absent::Elsewhere(url),
                None => Absent::NotNow("another server goes on with this match; try again".into()),
            });
        };
        // From now on nobody else writes to it.
        let found = self.go_on_with(id, claim.clone(), catalogue, last).await;
        if found.is_err() {
            let _ = self.store.release(&claim).await;
        }
        found
    }

    async fn go_on_with(
        self: &Arc<Self>,
        id: &str,
        claim: Claim,
        catalogue: Arc<Catalogue>,
        last: Option<ServerRow>,
    ) -> Result<Handle, Absent> {
        let (record, row) = self.read(id).await?;
        let answers = self.answers(id).await?;
        let before = Before { noted: row.noted, seen: last.filter(|last| last.id != self.peers.id()).map(|last| last.seen) };
        let (new, info) = self.build(record, catalogue, claim, answers, Some(before)).await.map_err(Absent::Unreadable)?;
        Ok(self.start(new, info))
    }

    async fn read(&self, id: &str) -> Result<(Record, TableRow), Absent> {
        let row = match self.store.table(id).await {
            Ok(row) => row.ok_or(Absent::Unknown)?,
            Err(StoreError::Damaged(how)) => return Err(Absent::Unreadable(format!("the stored match {id} is damaged: {how}"))),
            Err(error) => return Err(failing(error)),
        };
        Ok((Record::read(row.clone()).map_err(Absent::Unreadable)?, row))
    }

    async fn answers(&self, id: &str) -> Result<Vec<AnswerRow>, Absent> {
        self.store.answers(id).await.map_err(|error| match error {
            StoreError::Damaged(how) => Absent::Unreadable(format!("the stored match {id} is damaged: {how}")),
            error => failing(error),
        })
    }

    /// A match as it is stored, and the catalogue that it is played with.
    pub(crate) async fn fetch(&self, id: &str) -> Result<(Record, Arc<Catalogue>, Vec<String>), Absent> {
        let (record, _) = self.read(id).await?;
        let catalogue = self.editions.of(&record.game, &record.catalogue).await?;
        let lines = self.answers(id).await?.into_iter().map(|answer| answer.line).collect();
        Ok((record, catalogue, lines))
    }

    /// What the lobby tells of a match, wherever it is played.
    pub(crate) async fn info(self: &Arc<Self>, id: &str) -> Result<Info, Absent> {
        match self.find(id).await {
            Ok(handle) => Ok(handle.info()),
            Err(Absent::Unknown) => Err(Absent::Unknown),
            Err(absent) => {
                let (record, _) = self.read(id).await.map_err(|_| absent)?;
                let answers = self.store.count_answers(id).await.map_err(failing)?;
                Ok(Info::of(&record, answers))
            }
        }
    }

    /// Whether a server that is there to stay goes on with a match, so that one that is about to end need not.
    async fn is_for_another(&self, record: &Record) -> Result<bool, Absent> {
        let versions = self.store.catalogue_versions(&record.catalogue).await.map_err(failing)?;
        Ok(versions.is_some_and(|(format, meaning)| self.peers.another_plays(format, meaning)))
    }

    /// Where clients reach the server that goes on with a match.
    async fn owner_of(&self, id: &str) -> Result<Option<String>, Absent> {
        self.peers.look().await.map_err(failing)?;
        let owner = self.store.table(id).await.map_err(failing)?.and_then(|row| row.owner);
        let owner = owner.filter(|owner| owner != self.peers.id()).and_then(|owner| self.peers.named(&owner));
        Ok(owner.map(|owner| owner.url).filter(|url| !url.is_empty()))
    }

    fn troubles(&self) -> MutexGuard<'_, BTreeMap<String, Trouble>> {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why a match could not be read, where that was tried not long ago.
    fn trouble(&self, id: &str, lately: Duration) -> Option<String> {
        self.troubles().get(id).filter(|trouble| trouble.tried.elapsed() < lately).map(|trouble| trouble.reason.clone())
    }

    fn note_trouble(&self, id: &str, reason: &str) {
        let mut troubles = self.troubles();
        let since = troubles.get(id).map_or_else(crate::store::now, |known| known.since);
        if troubles.len() < MOST_TROUBLES || troubles.contains_key(id) {
            troubles.insert(id.into(), Trouble { reason: reason.into(), tried: Instant::now(), since });
        }
    }

    /// The matches that this server could not read, with the reasons, for those who look after it.
    pub(crate) fn unreadable(&self) -> Vec<UnreadableMatch> {
        let told = |(id, trouble): (&String, &Trouble)| UnreadableMatch {
            id: id.clone(),
            reason: trouble.reason.clone(),
            since: u32::try_from(trouble.since).unwrap_or(0),
        };
        self.troubles().iter().map(told).collect()
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
        self.metrics.matches.store(held as i64, Relaxed);
    }

    /// Open tables and those in play that a user may know of, here and at other servers, newest first.
    pub(crate) async fn list(&self, user: Option<&str>) -> Vec<TableInfo> {
        let mut tables = self.elsewhere().await;
        tables.extend(self.live().values().filter(|handle| !handle.mail.is_closed()).map(Handle::info));
        let mut tables: Vec<TableInfo> = tables.into_iter().filter(|info| !info.is_over()).map(|info| info.told_to(user)).collect();
        tables.retain(|table| table.mine || !table.private);
        tables.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| a.id.cmp(&b.id)));
        tables
    }

    /// Matches of other servers, as they were a moment ago.
    async fn elsewhere(&self) -> Vec<Info> {
        if !self.peers.all().iter().any(|other| other.live && other.id != self.peers.id()) {
            return Vec::new();
        }
        let mut kept = self.elsewhere.lock().await;
        if let Some((_, known)) = kept.as_ref().filter(|(at, _)| at.elapsed() < ELSEWHERE) {
            return known.clone();
        }
        let rows = match self.store.tables_elsewhere(self.peers.id(), MOST_ELSEWHERE).await {
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
    pub(crate) async fn close(self: &Arc<Self>, id: &str) -> Result<(), String> {
        let handle = self.find(id).await.map_err(|absent| absent.reason())?;
        handle.ask(|reply| Command::Close { how: "closed".into(), reply }).await?
    }

    /// Whether a user may open one more table.
    pub(crate) fn has_room_for(&self, user: &str) -> bool {
        let live = self.live();
        let mine = live.values().filter(|handle| {
            let info = handle.info.borrow();
            !info.is_over() && info.users.iter().any(|seat| seat.as_deref() == Some(user))
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
