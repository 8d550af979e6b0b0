//! Finding a match: in memory, or in the storage, from where it is taken on. One that another server goes on with, or that this
//! program cannot read, is told for what it is and left alone.

use super::actor::{Before, Command, Match};
use super::hall::{Hall, Handle, Info};
use super::record::Record;
use crate::editions::NoCatalogue;
use crate::failure::Failure;
use crate::protocol::UnreadableMatch;
use crate::store::{AnswerRow, Claim, ServerRow, StoreError, TableRow};
use crate::work::For;
use axum::http::StatusCode;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use trilogy_engine::Catalogue;

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

/// What is known of matches that are not held.
#[derive(Default)]
pub(super) struct Search {
    /// One for each match that is being fetched, so that none is held twice.
    fetching: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    troubles: Mutex<BTreeMap<String, Trouble>>,
}

/// A match that could not be read.
#[derive(Clone, Debug)]
struct Trouble {
    reason: String,
    /// When it was tried last, and when that was for the first time.
    tried: Instant,
    since: i64,
}

/// How long it is believed that a match cannot be read: for those who ask, and when looking for matches that nobody goes on with.
const TROUBLED: [Duration; 2] = [Duration::from_secs(20), Duration::from_secs(600)];
const MOST_TROUBLES: usize = 10_000;

impl Hall {
    /// Go on with every match that is open or in play and that nobody holds. Returns how many that were.
    pub(crate) async fn adopt(self: &Arc<Self>) -> Result<usize, StoreError> {
        let mut adopted = 0;
        for id in self.store().orphans().await? {
            if self.closing.load(Relaxed) {
                break;
            }
            if self.trouble(&id, TROUBLED[1]).is_some() {
                continue;
            }
            match self.find(&For::itself(), &id).await {
                Ok(_) => adopted += 1,
                Err(Absent::Unreadable(reason)) => {
                    tracing::error!(table = id, reason, "a match cannot be gone on with; it is left as it is")
                }
                Err(Absent::Unknown | Absent::Elsewhere(_) | Absent::NotNow(_)) => {}
            }
        }
        Ok(adopted)
    }

    /// Let go of matches that others have taken over: those that are held, and not owned.
    pub(crate) async fn check_claims(&self) -> Result<(), StoreError> {
        // What is taken on from now on is owned before it is held.
        let held: Vec<Handle> = self.live().values().cloned().collect();
        let owned: HashSet<Claim> = self.store().claims(self.peers().id()).await?.into_iter().collect();
        for lost in held.into_iter().filter(|handle| !owned.contains(&handle.claim)) {
            // One that has just ended by itself hears nothing any more.
            if lost.send(Command::Lost).await.is_ok() {
                tracing::warn!(table = lost.claim.table, "this match is in other hands");
            }
        }
        Ok(())
    }

    /// Give up all matches, so that other servers, or the next one, go on with them at once.
    pub(crate) async fn retire(&self) {
        self.closing.store(true, Relaxed);
        // Their players are sent to whoever is there now.
        let _ = self.peers().look().await;
        let held: Vec<Handle> = self.live().values().cloned().collect();
        let retiring = held.into_iter().map(|handle| async move { drop(handle.ask(|reply| Command::Retire { reply }).await) });
        futures_util::future::join_all(retiring).await;
    }

    /// The match with its game, which is played again where nobody waits for the thread.
    pub(super) async fn build(
        self: &Arc<Self>,
        who: &For,
        record: Record,
        catalogue: Arc<Catalogue>,
        claim: Claim,
        answers: Vec<AnswerRow>,
        before: Option<Before>,
    ) -> Result<(Match, watch::Receiver<Info>), Failure> {
        let hall = self.clone();
        let built = self.work().run(who, move || Match::new(hall, record, catalogue, claim, &answers, before)).await?;
        built.map_err(Failure::conflict)
    }

    /// The match with this id, from memory or from the storage.
    pub(crate) async fn find(self: &Arc<Self>, who: &For, id: &str) -> Result<Handle, Absent> {
        if !self.peers().holds() {
            return Err(Absent::NotNow("this server was not heard of for a while; try again".into()));
        }
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
                None => self.take_on(who, id).await,
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
        self.search.fetching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Become the owner of a match and go on with it. One that this program cannot read stays as it is: the program that can, the one
    /// before or the one after, finds it again.
    async fn take_on(self: &Arc<Self>, who: &For, id: &str) -> Result<Handle, Absent> {
        if self.closing.load(Relaxed) {
            return Err(Absent::NotNow("the server is about to stop; try again".into()));
        }
        let (record, row) = self.read(id).await?;
        let catalogue = self.editions().of(&record.game, &record.catalogue).await?;
        Match::can_seat(&record).map_err(Absent::Unreadable)?;
        if self.peers().is_draining() && self.is_for_another(&record).await? {
            return Err(self.who_has(id, "another server will go on with this match; try again").await?);
        }
        let last = row.owner.as_deref().and_then(|owner| self.peers().named(owner));
        let Some(claim) = self.store().claim(id, self.peers().id()).await.map_err(failing)? else {
            return Err(self.who_has(id, "another server goes on with this match; try again").await?);
        };
        // From now on nobody else writes to it.
        let found = self.go_on_with(who, id, claim.clone(), catalogue, last).await;
        if found.is_err() {
            let _ = self.store().release(&claim).await;
        }
        found
    }

    async fn go_on_with(
        self: &Arc<Self>,
        who: &For,
        id: &str,
        claim: Claim,
        catalogue: Arc<Catalogue>,
        last: Option<ServerRow>,
    ) -> Result<Handle, Absent> {
        let (record, row) = self.read(id).await?;
        let answers = self.answers(id).await?;
        let before = Before { noted: row.noted, seen: last.filter(|last| last.id != self.peers().id()).map(|last| last.seen) };
        let built = self.build(who, record, catalogue, claim, answers, Some(before)).await;
        let (new, info) = built.map_err(|failure| match failure.status {
            StatusCode::CONFLICT => Absent::Unreadable(failure.problem.reason),
            _ => Absent::NotNow(failure.problem.reason),
        })?;
        Ok(self.start(new, info))
    }

    async fn read(&self, id: &str) -> Result<(Record, TableRow), Absent> {
        let row = match self.store().table(id).await {
            Ok(row) => row.ok_or(Absent::Unknown)?,
            Err(StoreError::Damaged(how)) => return Err(Absent::Unreadable(format!("the stored match {id} is damaged: {how}"))),
            Err(error) => return Err(failing(error)),
        };
        Ok((Record::read(row.clone()).map_err(Absent::Unreadable)?, row))
    }

    async fn answers(&self, id: &str) -> Result<Vec<AnswerRow>, Absent> {
        self.store().answers(id).await.map_err(|error| match error {
            StoreError::Damaged(how) => Absent::Unreadable(format!("the stored match {id} is damaged: {how}")),
            error => failing(error),
        })
    }

    /// A match as it is stored, and the catalogue that it is played with.
    pub(crate) async fn fetch(&self, id: &str) -> Result<(Record, Arc<Catalogue>, Vec<String>), Absent> {
        let (record, _) = self.read(id).await?;
        let catalogue = self.editions().of(&record.game, &record.catalogue).await?;
        let lines = self.answers(id).await?.into_iter().map(|answer| answer.line).collect();
        Ok((record, catalogue, lines))
    }

    /// What the lobby tells of a match, wherever it is played.
    pub(crate) async fn info(self: &Arc<Self>, who: &For, id: &str) -> Result<Info, Absent> {
        match self.find(who, id).await {
            Ok(handle) => Ok(handle.info()),
            Err(Absent::Unknown) => Err(Absent::Unknown),
            Err(absent) => {
                let (record, _) = self.read(id).await.map_err(|_| absent)?;
                let answers = self.store().count_answers(id).await.map_err(failing)?;
                Ok(Info::of(&record, answers))
            }
        }
    }

    /// Whether a server that is there to stay goes on with a match, so that one that is about to end need not.
    async fn is_for_another(&self, record: &Record) -> Result<bool, Absent> {
        let versions = self.store().catalogue_versions(&record.catalogue).await.map_err(failing)?;
        Ok(versions.is_some_and(|(format, meaning)| self.peers().another_plays(format, meaning)))
    }

    /// Where a match is to be had that is not for this server, or that it may be had later.
    async fn who_has(&self, id: &str, later: &str) -> Result<Absent, Absent> {
        self.peers().look().await.map_err(failing)?;
        let owner = self.store().table(id).await.map_err(failing)?.and_then(|row| row.owner);
        let owner = owner.filter(|owner| owner != self.peers().id()).and_then(|owner| self.peers().named(&owner));
        let url = owner.filter(|owner| self.peers().leads_to(owner)).map(|owner| owner.url);
        Ok(url.map_or_else(|| Absent::NotNow(later.into()), Absent::Elsewhere))
    }

    fn troubles(&self) -> MutexGuard<'_, BTreeMap<String, Trouble>> {
        self.search.troubles.lock().unwrap_or_else(PoisonError::into_inner)
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
}
