//! Catalogues that matches are played with: those of this program, and those that a match began with and that the storage keeps.
//! Whoever has one in use shares it with all others; one that nobody uses stays for a while.

use crate::failure::Failure;
use crate::games::{Games, card_info};
use crate::matches::Absent;
use crate::protocol::CardInfo;
use crate::ready::Ready;
use crate::store::{CatalogueRow, Store, StoreError};
use crate::work::{For, Work};
use quick_cache::sync::Cache;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::{Head, Unreadable};
use trilogy_engine::journal::hex;
use trilogy_games::archive;

pub(crate) struct Editions {
    store: Store,
    games: Games,
    known: Mutex<Known>,
    /// One at a time is read or packed: it takes a while, and those who wait for the same one find it then.
    turn: tokio::sync::Mutex<()>,
    /// Cards of older catalogues as they are sent.
    cards: Cache<String, Ready>,
}

#[derive(Default)]
struct Known {
    in_use: HashMap<String, Weak<Catalogue>>,
    /// Those that were asked for last, whether in use or not.
    lately: VecDeque<Arc<Catalogue>>,
    /// When the storage was told last that one is needed.
    kept: HashMap<String, Instant>,
}

const LATELY: usize = 6;
/// How often the storage is told that a catalogue is needed: it forgets those that nothing refers to for a month.
const TOLD: Duration = Duration::from_secs(24 * 3600);

/// Why there is no catalogue.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum NoCatalogue {
    /// It is not here, or not for this program.
    Unreadable(String),
    Failed(StoreError),
}

impl Editions {
    pub(crate) fn new(store: Store, games: Games) -> Editions {
        Editions { store, games, known: Mutex::default(), turn: tokio::sync::Mutex::default(), cards: Cache::new(LATELY) }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The catalogue with this hash (in hex): the newest of its game, one that is in use, or one from the storage.
    pub(crate) async fn of(&self, game: &str, hash: &str) -> Result<Arc<Catalogue>, NoCatalogue> {
        if let Some(newest) = self.games.get(game).map(|game| game.catalogue.clone()).filter(|newest| hex(&newest.hash) == hash) {
            return Ok(newest);
        }
        if let Some(known) = self.in_use(hash) {
            return Ok(known);
        }
        let _turn = self.turn.lock().await;
        if let Some(known) = self.in_use(hash) {
            return Ok(known);
        }
        let row = match self.store.catalogue(hash).await {
            Ok(Some(row)) => row,
            Ok(None) => return Err(NoCatalogue::Unreadable(unknown(game, hash))),
            Err(StoreError::Damaged(how)) => return Err(NoCatalogue::Unreadable(how)),
            Err(error) => return Err(NoCatalogue::Failed(error)),
        };
        let (game, wanted) = (game.to_string(), hash.to_string());
        let read = tokio::task::spawn_blocking(move || unpacked(&row, &game, &wanted)).await;
        let read = read.unwrap_or_else(|_| Err("reading the cards and rules of this match failed".into()));
        let catalogue = Arc::new(read.map_err(NoCatalogue::Unreadable)?);
        let mut known = self.known();
        known.in_use.retain(|_, catalogue| catalogue.strong_count() > 0);
        known.in_use.insert(hash.to_string(), Arc::downgrade(&catalogue));
        known.lately.push_back(catalogue.clone());
        if known.lately.len() > LATELY {
            known.lately.pop_front();
        }
        Ok(catalogue)
    }

    fn in_use(&self, hash: &str) -> Option<Arc<Catalogue>> {
        self.known().in_use.get(hash).and_then(Weak::upgrade)
    }

    /// A match refers to this catalogue from now on: the storage keeps it.
    pub(crate) async fn keep(&self, catalogue: &Arc<Catalogue>) -> Result<(), StoreError> {
        let hash = hex(&catalogue.hash);
        if self.is_kept(&hash) {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        if self.is_kept(&hash) {
            return Ok(());
        }
        if !self.store.need_catalogue(&hash).await? {
            let packing = catalogue.clone();
            let failed = |error: String| StoreError::Failed(error);
            let bytes = tokio::task::spawn_blocking(move || archive::pack(&packing)).await.map_err(|error| failed(error.to_string()))?;
            let Head { format, meaning, .. } = archive::head(&bytes).map_err(|why| failed(why.to_string()))?;
            self.store.put_catalogue(&CatalogueRow { hash: hash.clone(), game: catalogue.game.clone(), format, meaning, bytes }).await?;
        }
        self.known().kept.insert(hash, Instant::now());
        Ok(())
    }

    fn is_kept(&self, hash: &str) -> bool {
        self.known().kept.get(hash).is_some_and(|told| told.elapsed() < TOLD)
    }

    /// What is shown of the cards of a catalogue.
    pub(crate) async fn cards(&self, game: &str, hash: &str, work: &Work, who: &For) -> Result<Ready, Failure> {
        if let Some(known) = self.cards.get(hash) {
            return Ok(known);
        }
        let catalogue = self.of(game, hash).await.map_err(Absent::from)?;
        let write = move || {
            let cards: Vec<CardInfo> = catalogue.cards.iter().map(|card| card_info(&catalogue, card)).collect();
            Ready::json(&cards)
        };
        let written = work.run(who, write).await?;
        self.cards.insert(hash.to_string(), written.clone());
        Ok(written)
    }
}

fn unpacked(row: &CatalogueRow, game: &str, wanted: &str) -> Result<Catalogue, String> {
    let catalogue = archive::unpack(&row.bytes).map_err(|why| match why {
        Unreadable::Damaged(_) => format!("the cards and rules that this match is played with are damaged: {why}"),
        Unreadable::OtherVersion { .. } => format!("another release of this program goes on with this match: {why}"),
    })?;
    if hex(&catalogue.hash) != wanted || catalogue.game != game {
        return Err("the cards and rules that this match is played with are damaged: others lie in their place".into());
    }
    Ok(catalogue)
}

fn unknown(game: &str, hash: &str) -> String {
    let short = hash.get(..12).unwrap_or(hash);
    format!("this match is played with cards and rules of the {game} that are not here ({short}...)")
}
