//! This server among those that share its database. It renews its lease all the time; one that is late finds that others may have
//! taken over what it held. A server with a storage of its own is alone, and does the same for nobody to see.

use crate::store::{ServerRow, Store, StoreError};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};
use trilogy_engine::catalogue::{READ_FORMATS, READ_MEANINGS};

/// How long a server holds what it owns without being heard of: so long it takes until others go on for one that is gone.
pub(crate) const LEASE: Duration = Duration::from_secs(5);
pub(crate) const RENEW: Duration = Duration::from_secs(1);

pub(crate) struct Peers {
    store: Store,
    me: ServerRow,
    /// No other server can be on this storage.
    alone: bool,
    known: RwLock<Vec<ServerRow>>,
    /// Until when nobody else can have taken over what this server holds.
    held_until: RwLock<Instant>,
}

/// The versions of catalogues that a server plays.
#[derive(serde::Serialize, serde::Deserialize)]
struct Plays {
    formats: Vec<u32>,
    meanings: Vec<u32>,
}

impl Peers {
    /// Be one of the servers on a storage, reached at `url`. Where it is `alone` on it, all others are gone.
    pub(crate) async fn enter(store: Store, id: String, url: String, alone: bool, draining: bool) -> Result<Peers, StoreError> {
        let plays = Plays { formats: READ_FORMATS.to_vec(), meanings: READ_MEANINGS.to_vec() };
        let plays = serde_json::to_string(&plays).unwrap_or_default();
        let me = ServerRow { id, url, plays, seen: 0, live: true, draining };
        if alone {
            store.end_leases().await?;
        }
        let held_until = Instant::now() + LEASE;
        store.enter_server(&me, LEASE.as_millis() as i64).await?;
        let peers = Peers { store, me, alone, known: RwLock::default(), held_until: RwLock::new(held_until) };
        peers.look().await?;
        Ok(peers)
    }

    pub(crate) fn id(&self) -> &str {
        &self.me.id
    }
    pub(crate) fn is_draining(&self) -> bool {
        self.me.draining
    }

    /// Renew the lease. Where it had run out, `let_go` lets go of what others have taken over before anything goes on here.
    pub(crate) async fn renew(&self, let_go: impl AsyncFnOnce() -> Result<(), StoreError>) -> Result<bool, StoreError> {
        let lease = LEASE.as_millis() as i64;
        let held_until = Instant::now() + LEASE;
        let held = self.store.renew_server(&self.me.id, lease).await?;
        if !held {
            self.store.enter_server(&self.me, lease).await?;
            let_go().await?;
        }
        self.look().await?;
        *self.held_until.write().unwrap_or_else(PoisonError::into_inner) = held_until;
        Ok(held)
    }

    /// Whether what is held in memory is what there is. After a sleep it may be old, until the lease has been renewed.
    pub(crate) fn holds(&self) -> bool {
        self.alone || Instant::now() < *self.held_until.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// See who else is there.
    pub(crate) async fn look(&self) -> Result<(), StoreError> {
        let servers = self.store.servers().await?;
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = servers;
        Ok(())
    }

    fn known<T>(&self, look: impl FnOnce(&[ServerRow]) -> T) -> T {
        look(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// All servers, as they were last seen.
    pub(crate) fn all(&self) -> Vec<ServerRow> {
        self.known(<[ServerRow]>::to_vec)
    }

    /// A server by its id.
    pub(crate) fn named(&self, id: &str) -> Option<ServerRow> {
        self.known(|servers| servers.iter().find(|server| server.id == id).cloned())
    }

    /// Whether clients can be sent to a server. What was to be had at this one's own address is gone, though its lease may still run.
    pub(crate) fn leads_to(&self, server: &ServerRow) -> bool {
        server.live && !server.url.is_empty() && server.url != self.me.url
    }

    /// Another server that is there and takes new matches.
    pub(crate) fn another(&self) -> Option<ServerRow> {
        let fits = |server: &&ServerRow| !server.draining && self.leads_to(server);
        self.known(|servers| servers.iter().find(fits).cloned())
    }

    /// Whether another server that is there to stay can go on with a match of these versions.
    pub(crate) fn another_plays(&self, format: u32, meaning: u32) -> bool {
        let plays = |server: &ServerRow| {
            let plays: Option<Plays> = serde_json::from_str(&server.plays).ok();
            plays.is_some_and(|plays| plays.formats.contains(&format) && plays.meanings.contains(&meaning))
        };
        self.known(|servers| servers.iter().any(|other| other.live && !other.draining && other.id != self.me.id && plays(other)))
    }

    /// Be gone, once everything is given up.
    pub(crate) async fn leave(&self) -> Result<(), StoreError> {
        self.store.leave_server(&self.me.id).await
    }
}
