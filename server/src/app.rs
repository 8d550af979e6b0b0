//! The server as a whole: its parts, its routes, its life from start to stop.

use crate::accounts::{hashed, token};
use crate::failure::Failure;
use crate::games::Games;
use crate::guard::{self, Peer};
use crate::hashing::Hashing;
use crate::limits::{Limiter, Limits, Places, address_key};
use crate::matches::{self, Hall};
use crate::metrics::Metrics;
use crate::store::{Store, StoreError};
use crate::sweep::Sweeper;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::from_fn_with_state;
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, broadcast, watch};
use tokio::task::{JoinHandle, JoinSet};

#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    /// Folder of the embedded storage; also holds the lock that keeps a second server out of it.
    pub data: PathBuf,
    /// URL of a PostgreSQL database instead of the embedded storage.
    pub database: Option<String>,
    /// Makes whoever has it an admin, once for good; without it the first start makes one up.
    pub admin_token: Option<String>,
    pub open_browser: bool,
    /// Proxies in front of this server: from them `x-forwarded-*` is believed, from nobody else.
    pub trusted_proxies: Vec<IpNet>,
    pub limits: Limits,
    pub matches: matches::Settings,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 7327)),
            data: PathBuf::from("trilogy-data"),
            database: None,
            admin_token: None,
            open_browser: false,
            trusted_proxies: Vec::new(),
            limits: Limits::default(),
            matches: matches::Settings::default(),
        }
    }
}

/// What all requests share.
pub struct App {
    pub store: Store,
    pub games: Games,
    pub hall: Arc<Hall>,
    pub metrics: Arc<Metrics>,
    pub limits: Limiter,
    pub(crate) hashing: Arc<Hashing>,
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Becomes true when the server stops: sockets should say goodbye.
    pub closing: watch::Receiver<bool>,
    kicks: broadcast::Sender<String>,
    bans: RwLock<HashSet<String>>,
}

pub type Shared = Arc<App>;

/// A server that has been started.
pub struct Running {
    pub addr: SocketAddr,
    /// The admin token that this start made up; it is not told again.
    pub admin_token: Option<String>,
    pub app: Shared,
    closing: watch::Sender<bool>,
    join: JoinHandle<()>,
}

impl Running {
    pub fn url(&self) -> String {
        // An address that stands for all of this machine's is no place to go to.
        let host = if self.addr.ip().is_unspecified() { SocketAddr::from(([127, 0, 0, 1], self.addr.port())) } else { self.addr };
        format!("http://{host}/")
    }

    /// Let requests under way finish, then stop.
    pub async fn stop(self) {
        let _ = self.closing.send(true);
        let _ = self.join.await;
    }
}

/// The setting that holds the hash of the admin token.
pub(crate) const ADMIN_TOKEN: &str = "admin_token";
const LONGEST_BODY: usize = 64 * 1024;
/// The longest that a client may take over the head of a request, or stay silent between two.
const SILENCE: Duration = Duration::from_secs(60);
/// How long those under way may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(3);

impl App {
    pub async fn message_of_the_day(&self) -> Result<String, Failure> {
        Ok(self.store.setting(crate::api::MESSAGE).await?.unwrap_or_default())
    }

    /// Hear of users (by id) and sessions (by hash) whose sockets must be closed.
    pub fn kicks(&self) -> broadcast::Receiver<String> {
        self.kicks.subscribe()
    }

    /// Close the sockets of a user or a session.
    pub(crate) fn kick(&self, subject: &str) {
        let _ = self.kicks.send(subject.to_string());
    }

    pub(crate) fn is_banned(&self, subject: &str) -> bool {
        self.bans.read().is_ok_and(|bans| bans.contains(subject))
    }

    pub(crate) async fn reload_bans(&self) -> Result<(), Failure> {
        let now = self.store.bans().await?.into_iter().map(|(subject, _)| subject).collect();
        if let Ok(mut bans) = self.bans.write() {
            *bans = now;
        }
        Ok(())
    }
}

/// Open the storage, go on with the matches that were under way, and listen.
pub async fn start(config: Config) -> Result<Running, String> {
    let place = config.database.clone().unwrap_or_else(|| config.data.to_string_lossy().into_owned());
    let lock = if config.database.is_none() { Some(lock(&config.data).await?) } else { None };
    let store = Store::open(&place).await.map_err(|error| error.to_string())?;
    let games = Games::built_in()?;
    let metrics = Arc::new(Metrics::default());
    let hall = Hall::new(store.clone(), games.clone(), metrics.clone(), config.matches.clone());
    let (closing, closed) = watch::channel(false);
    let app = Arc::new(App {
        store: store.clone(),
        games,
        hall: hall.clone(),
        metrics,
        limits: Limiter::new(config.limits),
        hashing: Hashing::new(&config.limits),
        trusted_proxies: config.trusted_proxies,
        closing: closed.clone(),
        kicks: broadcast::channel(256).0,
        bans: RwLock::default(),
    });
    app.reload_bans().await.map_err(|failure| failure.problem.reason)?;
    let admin_token = admin_token(&store, config.admin_token.as_deref()).await?;
    let restored = hall.restore().await?;
    let listener = TcpListener::bind(config.listen).await.map_err(|error| format!("{}: {error}", config.listen))?;
    let addr = listener.local_addr().map_err(|error| error.to_string())?;
    tracing::info!(%addr, restored, "listening");
    let serving = app.clone();
    let join = tokio::spawn(async move {
        let sweeper = tokio::spawn(Sweeper::new(store.clone()).run());
        accept(listener, serving, closed).await;
        sweeper.abort();
        store.close().await;
        drop(lock);
        tracing::info!("stopped");
    });
    Ok(Running { addr, admin_token, app, closing, join })
}

/// Every route, behind the guard.
fn router(app: &Shared) -> Router {
    Router::new()
        .merge(crate::api::router())
        .merge(crate::matches::api::router())
        .merge(crate::ws::router())
        .merge(crate::assets::router())
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .layer(tower_http::compression::CompressionLayer::new())
        .with_state(app.clone())
}

/// Two servers on one folder would each take the matches for their own.
async fn lock(folder: &Path) -> Result<File, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    let file = File::create(folder.join("lock")).map_err(failed)?;
    // The one before may be about to end.
    for _ in 0..20 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => tokio::time::sleep(Duration::from_millis(100)).await,
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
    Err(format!("{}: another server is using this folder", folder.display()))
}

/// Keep the token that was given, or make one up where there is neither an admin nor a token. One that was used is as good as none.
async fn admin_token(store: &Store, given: Option<&str>) -> Result<Option<String>, String> {
    let failed = |error: StoreError| error.to_string();
    if let Some(given) = given.map(|given| hashed(given.trim())) {
        if !store.was_admin_token(&given).await.map_err(failed)? {
            store.set_setting(ADMIN_TOKEN, &given).await.map_err(failed)?;
            return Ok(None);
        }
        tracing::warn!("the admin token was used before and makes nobody an admin again; start with another one to make one more");
    }
    if store.setting(ADMIN_TOKEN).await.map_err(failed)?.is_some() || !store.admins().await.map_err(failed)?.is_empty() {
        return Ok(None);
    }
    let made = token(16).map_err(|failure| failure.problem.reason)?;
    store.set_setting(ADMIN_TOKEN, &hashed(&made)).await.map_err(failed)?;
    Ok(Some(made))
}

async fn accept(listener: TcpListener, app: Shared, mut closed: watch::Receiver<bool>) {
    let router = router(&app);
    let limits = app.limits.limits();
    let turns = Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS)));
    let places = Places::new(limits.connections_of_one);
    let mut open = JoinSet::new();
    loop {
        let Ok(turn) = turns.clone().acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = told(&mut closed) => break,
        };
        while open.try_join_next().is_some() {}
        match accepted {
            Ok((stream, peer)) => {
                // A proxy brings everybody.
                let trusted = guard::is_trusted(&app.trusted_proxies, peer.ip());
                let place = if trusted { None } else { places.enter(&address_key(peer.ip())) };
                if !trusted && place.is_none() {
                    continue;
                }
                let (router, closed) = (router.clone(), closed.clone());
                open.spawn(async move {
                    serve(stream, peer, router, closed).await;
                    drop((turn, place));
                });
            }
            Err(error) => {
                // Out of files, most likely: others must end first.
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, async { while open.join_next().await.is_some() {} }).await;
}

/// Wait until the server is to stop.
async fn told(closed: &mut watch::Receiver<bool>) {
    let _ = closed.wait_for(|closed| *closed).await;
}

async fn serve(stream: TcpStream, peer: SocketAddr, router: Router, mut closed: watch::Receiver<bool>) {
    // A delta is small and must not wait for the next one.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |mut request: Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        let mut router = router.clone();
        tower_service::Service::call(&mut router, request)
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(SILENCE).max_buf_size(LONGEST_BODY);
    let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    tokio::pin!(connection);
    let outcome = tokio::select! {
        outcome = connection.as_mut() => outcome,
        () = told(&mut closed) => {
            connection.as_mut().graceful_shutdown();
            connection.as_mut().await
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%peer, %error, "a connection broke");
    }
}
