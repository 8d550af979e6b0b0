//! The server as a whole: its parts, its routes, its life from start to stop.

use crate::accounts::{hashed, token};
use crate::failure::Failure;
use crate::games::Games;
use crate::guard::{self, Peer};
use crate::health::Health;
use crate::keeping;
use crate::limits::{Limiter, Limits, Places, address_key};
use crate::matches::{self, Hall, Parts};
use crate::metrics::Metrics;
use crate::peers::Peers;
use crate::rules::Watch;
use crate::store::{self, Store, StoreError, folder};
use crate::sweep::Sweeper;
use crate::work::{Room, Work, Workers};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::from_fn_with_state;
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
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
    /// A folder with one folder of rules and cards for each game, instead of those that are built in. Changes count for new matches.
    pub games: Option<PathBuf>,
    /// Makes whoever has it an admin, once for good; without it the first start makes one up.
    pub admin_token: Option<String>,
    pub open_browser: bool,
    /// Proxies in front of this server: from them `x-forwarded-*` is believed, from nobody else.
    pub trusted_proxies: Vec<IpNet>,
    /// Where clients reach this very server, when others share its database; without it the address it listens on.
    pub advertise: Option<String>,
    /// Finish the matches that only this program can go on with, take no new ones, and stop.
    pub drain: bool,
    pub limits: Limits,
    pub matches: matches::Settings,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 7327)),
            data: PathBuf::from("trilogy-data"),
            database: None,
            games: None,
            admin_token: None,
            open_browser: false,
            trusted_proxies: Vec::new(),
            advertise: None,
            drain: false,
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
    pub limits: Arc<Limiter>,
    /// Where what takes a while is done.
    pub(crate) work: Arc<Work>,
    /// Sockets by address.
    pub(crate) sockets: Arc<Places>,
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Becomes true when the server stops: sockets should say goodbye.
    pub closing: watch::Receiver<bool>,
    /// Whether it has gone on with all matches that it found.
    pub(crate) ready: AtomicBool,
    pub(crate) health: Health,
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
    /// Becomes true when a server that was to finish its matches has done so.
    drained: watch::Receiver<bool>,
    join: JoinHandle<()>,
}

impl Running {
    pub fn url(&self) -> String {
        url_of(self.addr)
    }

    /// Wait until a server that was to finish its matches has done so.
    pub async fn drained(&self) {
        let _ = self.drained.clone().wait_for(|drained| *drained).await;
    }

    /// Give up all matches, let requests under way finish, then stop.
    pub async fn stop(self) {
        self.app.hall.retire().await;
        let _ = self.closing.send(true);
        let _ = self.join.await;
    }
}

fn url_of(addr: SocketAddr) -> String {
    // An address that stands for all of this machine's is no place to go to.
    let host = if addr.ip().is_unspecified() { SocketAddr::from(([127, 0, 0, 1], addr.port())) } else { addr };
    format!("http://{host}/")
}

/// The setting that holds the hash of the admin token.
pub(crate) const ADMIN_TOKEN: &str = "admin_token";
const LONGEST_BODY: usize = 64 * 1024;
/// The longest that a client may take over the head of a request, or stay silent between two.
const SILENCE: Duration = Duration::from_secs(60);
/// How long those under way may take when the server stops.
const FAREWELL: Duration = Duration::from_secs(3);
/// At each table no more than one bot thinks at a time.
const FOR_BOTS: Room = Room { in_all: usize::MAX, of_one: usize::MAX };
/// Seconds that a ticket to another server is good for.
const TICKET: i64 = 60;

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

    /// What lets a browser go on with its session at another server: once, and soon.
    pub(crate) async fn ticket(&self, user: &str) -> Result<String, Failure> {
        let ticket = token(32)?;
        self.store.create_ticket(&hashed(&ticket), user, store::now() + TICKET).await?;
        Ok(ticket)
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
    let lock = if config.database.is_none() { Some(folder::lock(&config.data).await?) } else { None };
    let store = Store::open(&place).await.map_err(|error| error.to_string())?;
    let watch = config.games.as_deref().map(Watch::new);
    let games = Games::read(config.games.as_deref())?;
    let metrics = Arc::new(Metrics::default());
    let failed = |error: store::StoreError| error.to_string();
    let listener = TcpListener::bind(config.listen).await.map_err(|error| format!("{}: {error}", config.listen))?;
    let addr = listener.local_addr().map_err(|error| error.to_string())?;
    let url = config.advertise.map_or_else(|| url_of(addr), |url| format!("{}/", url.trim_end_matches('/')));
    let id = token(9).map_err(|failure| failure.problem.reason)?;
    let peers = Peers::enter(store.clone(), id, url, config.database.is_none(), config.drain).await.map_err(failed)?;
    let limits = Arc::new(Limiter::new(config.limits));
    let work = Arc::new(Work::start(limits.clone())?);
    let hall = Hall::new(Parts {
        store: store.clone(),
        games: games.clone(),
        peers,
        metrics: metrics.clone(),
        limits: limits.clone(),
        work: work.clone(),
        bots: Workers::start("bots", std::thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1), FOR_BOTS)?,
        settings: config.matches.clone(),
    });
    let (closing, closed) = watch::channel(false);
    let app = Arc::new(App {
        store: store.clone(),
        games,
        hall: hall.clone(),
        metrics,
        limits,
        work,
        sockets: Places::new(config.limits.sockets_of_one),
        trusted_proxies: config.trusted_proxies,
        closing: closed.clone(),
        ready: AtomicBool::new(false),
        health: Health::default(),
        kicks: broadcast::channel(256).0,
        bans: RwLock::default(),
    });
    app.reload_bans().await.map_err(|failure| failure.problem.reason)?;
    let admin_token = admin_token(&store, config.admin_token.as_deref()).await?;
    let (drained, told_drained) = watch::channel(false);
    tracing::info!(%addr, "listening");
    let (serving, kept) = (app.clone(), app.clone());
    let join = tokio::spawn(async move {
        let sweeper = tokio::spawn(Sweeper::new(store.clone()).run());
        let keeper = tokio::spawn(keeping::keep_up(kept.clone(), drained));
        let watching = tokio::spawn(async move {
            if let Some(watch) = watch {
                watch.run(&kept).await;
            }
        });
        accept(listener, serving, closed).await;
        sweeper.abort();
        keeper.abort();
        watching.abort();
        if let Err(error) = hall.peers().leave().await {
            tracing::warn!(%error, "the other servers were not told that this one is gone");
        }
        store.close().await;
        drop(lock);
        tracing::info!("stopped");
    });
    Ok(Running { addr, admin_token, app, closing, drained: told_drained, join })
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
