//! The socket of a client (`/ws`): hello, then messages of the protocol both ways. It is small, it must speak in time,
//! and one that sends too much is read more slowly; nothing it can send reaches more than its own seat.

use crate::accounts::User;
use crate::app::Shared;
use crate::assets::VERSION;
use crate::failure::Failure;
use crate::limits::{Limiter, Limits, Rate, What};
use crate::matches::{Absent, Command, Handle, Outlet, Watcher};
use crate::protocol::{ClientMessage, PROTOCOL, ServerMessage};
use crate::work::For;
use axum::Router;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{sleep_until, timeout};

/// Bytes of the longest message that a client has reason to send.
const LONGEST: usize = 16 * 1024;
const READ_BUFFER: usize = 4096;
/// Messages that wait for a client before it is cut off.
const QUEUE: usize = 256;
const HELLO_WITHIN: Duration = Duration::from_secs(10);
const PING_EVERY: Duration = Duration::from_secs(20);
const SILENT_FOR: Duration = Duration::from_secs(60);
const WRITE_WITHIN: Duration = Duration::from_secs(10);
/// Messages that cannot be read, after which the socket is closed.
const PATIENCE: u32 = 100;
/// Matches that one socket may follow.
const MOST_TABLES: usize = 16;
/// Close codes: refused (the reason came before), and the server goes away.
const REFUSED: u16 = 4000;
const RESTARTS: u16 = 1012;

pub(crate) fn router() -> Router<Shared> {
    Router::new().route("/ws", get(open))
}

async fn open(State(app): State<Shared>, who: For, user: Option<User>, upgrade: WebSocketUpgrade) -> Response {
    let Some(place) = app.sockets.enter(&who.address) else {
        return Failure::new(StatusCode::TOO_MANY_REQUESTS, "too many sockets from this address").into_response();
    };
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).read_buffer_size(READ_BUFFER).write_buffer_size(0);
    upgrade.on_upgrade(move |socket| async move {
        app.metrics.sockets.fetch_add(1, Relaxed);
        let (out, inward) = socket.split();
        let mut socket = Socket::new(&app, who, user, out);
        socket.run(&app, inward).await;
        socket.leave_all().await;
        let _ = timeout(WRITE_WITHIN, socket.out.close()).await;
        app.metrics.sockets.fetch_sub(1, Relaxed);
        drop(place);
    })
}

struct Socket {
    who: For,
    user: Option<User>,
    watcher: Watcher,
    out: SplitSink<WebSocket, Message>,
    queue: mpsc::Receiver<Utf8Bytes>,
    cut: Arc<Notify>,
    following: HashMap<String, Handle>,
    pace: Pace,
    faults: u32,
}

/// Whether the socket stays open.
#[derive(PartialEq, Eq)]
enum Then {
    GoOn,
    Close,
}

impl Socket {
    fn new(app: &Shared, who: For, user: Option<User>, out: SplitSink<WebSocket, Message>) -> Socket {
        let (sender, queue) = mpsc::channel(QUEUE);
        let cut = Arc::new(Notify::new());
        let watcher = Watcher {
            socket: app.hall.next_socket(),
            user: user.as_ref().map(|user| user.id.clone()),
            name: user.as_ref().map_or(String::new(), |user| user.name.clone()),
            out: Outlet { queue: sender, cut: cut.clone() },
        };
        Socket { who, user, watcher, out, queue, cut, following: HashMap::new(), pace: Pace::new(app.limits.limits()), faults: 0 }
    }

    async fn run(&mut self, app: &Shared, mut inward: SplitStream<WebSocket>) {
        // Heard from now on, so that nobody slips through between being let in and being shut out.
        let mut kicks = app.kicks();
        let mut closing = app.closing.clone();
        if self.welcome(app, &mut inward).await == Then::Close {
            return;
        }
        let mut heard = Instant::now();
        let mut ping = tokio::time::interval(PING_EVERY);
        ping.reset();
        let cut = self.cut.clone();
        loop {
            let then = tokio::select! {
                text = self.queue.recv() => match text {
                    Some(text) => self.write(Message::Text(text)).await,
                    None => Then::Close,
                },
                message = next(&mut inward, self.pace.ready_at()) => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(message)) => self.take(app, message).await,
                        Some(Err(_)) | None => Then::Close,
                    }
                }
                () = cut.notified() => Then::Close,
                kicked = kicks.recv() => match kicked {
                    Ok(subject) if self.is(&subject) => Then::Close,
                    // One who missed something signs in again.
                    Ok(_) => Then::GoOn,
                    Err(_) => Then::Close,
                },
                () = closes(&mut closing) => {
                    self.say_goodbye(app).await;
                    Then::Close
                }
                _ = ping.tick() => {
                    if heard.elapsed() > SILENT_FOR { Then::Close } else { self.write(Message::Ping(Vec::new().into())).await }
                }
            };
            if then == Then::Close {
                return;
            }
        }
    }

    fn is(&self, subject: &str) -> bool {
        self.user.as_ref().is_some_and(|user| user.id == subject || user.session == subject)
    }

    /// The first message must be a hello of our kind.
    async fn welcome(&mut self, app: &Shared, inward: &mut SplitStream<WebSocket>) -> Then {
        let first = timeout(HELLO_WITHIN, inward.next()).await;
        let Ok(Some(Ok(Message::Text(text)))) = first else { return self.refuse("a socket starts with a hello").await };
        let Ok(ClientMessage::Hello { protocol, build }) = serde_json::from_str(&text) else {
            return self.refuse("a socket starts with a hello").await;
        };
        if protocol != PROTOCOL {
            let reason = format!(
                "this server speaks protocol {PROTOCOL}, not {protocol}: load the page again, or use a client for protocol {PROTOCOL}"
            );
            return self.refuse(&reason).await;
        }
        if build.is_some_and(|build| build != VERSION) {
            return self.refuse("this server has another version of the page: load the page again").await;
        }
        let welcome = ServerMessage::Welcome {
            protocol: PROTOCOL,
            build: VERSION.into(),
            catalogues: app.games.hashes(),
            name: self.user.as_ref().map(|user| user.name.clone()),
            message_of_the_day: app.message_of_the_day().await.unwrap_or_default(),
        };
        self.say(&welcome).await
    }

    async fn take(&mut self, app: &Shared, message: Message) -> Then {
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => {
                self.pace.spend(&app.limits, &self.who.address, 1.0);
                return Then::GoOn;
            }
            Message::Close(_) => return Then::Close,
            Message::Binary(_) => return self.fault(app, "messages are text").await,
        };
        app.metrics.messages.fetch_add(1, Relaxed);
        match serde_json::from_str(&text) {
            Ok(message) => {
                self.pace.spend(&app.limits, &self.who.address, cost(&message));
                self.handle(app, message).await
            }
            Err(error) => {
                self.pace.spend(&app.limits, &self.who.address, 1.0);
                let reason: String = format!("this message cannot be read: {error}").chars().take(300).collect();
                self.fault(app, &reason).await
            }
        }
    }

    async fn handle(&mut self, app: &Shared, message: ClientMessage) -> Then {
        let arrived = Instant::now();
        match message {
            ClientMessage::Hello { .. } => self.fault(app, "one hello is enough").await,
            ClientMessage::Ping { id } => self.say(&ServerMessage::Pong { id }).await,
            ClientMessage::Watch { table, since } => self.watch(app, table, since).await,
            ClientMessage::Unwatch { table } => {
                if let Some(handle) = self.following.remove(&table) {
                    let _ = handle.send(Command::Leave { socket: self.watcher.socket }).await;
                }
                Then::GoOn
            }
            message => {
                let (table, id) = about(&message);
                let Some(handle) = self.following.get(&table).cloned() else {
                    return self.reject(app, Some(table), id, "watch the table first").await;
                };
                let command = Command::Does { watcher: self.watcher.clone(), message, arrived };
                if let Err(reason) = handle.send(command).await {
                    // The match is held by another task now, or can be fetched.
                    self.following.remove(&table);
                    return self.reject(app, Some(table), id, &reason).await;
                }
                Then::GoOn
            }
        }
    }

    async fn watch(&mut self, app: &Shared, table: String, since: u32) -> Then {
        if table.len() > 64 || !table.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return self.reject(app, None, None, "there is no such table").await;
        }
        if !self.following.contains_key(&table) && self.following.len() >= MOST_TABLES {
            return self.reject(app, Some(table), None, "a socket follows no more tables than this").await;
        }
        let handle = match app.hall.find(&self.who, &table).await {
            Ok(handle) => handle,
            Err(Absent::Elsewhere(url)) => return self.send_on(app, table, url).await,
            Err(absent) => return self.reject(app, Some(table), None, &absent.reason()).await,
        };
        if let Err(reason) = handle.watch(self.watcher.clone(), since).await {
            return self.reject(app, Some(table), None, &reason).await;
        }
        self.following.insert(table, handle);
        Then::GoOn
    }

    /// Tell a client which server has a table.
    async fn send_on(&mut self, app: &Shared, table: String, url: String) -> Then {
        let ticket = match &self.user {
            Some(user) => app.ticket(&user.id).await.ok(),
            None => None,
        };
        self.say(&ServerMessage::Moved { table, url, ticket }).await
    }

    /// The server stops: the tables that are followed are to be had elsewhere, or here again soon.
    async fn say_goodbye(&mut self, app: &Shared) {
        if let Some(other) = app.hall.peers().another() {
            for table in self.following.keys().cloned().collect::<Vec<_>>() {
                if self.send_on(app, table, other.url.clone()).await == Then::Close {
                    return;
                }
            }
        }
        let goodbye = CloseFrame { code: RESTARTS, reason: "the server restarts".into() };
        self.write(Message::Close(Some(goodbye))).await;
    }

    async fn leave_all(&mut self) {
        for (_, handle) in self.following.drain() {
            let _ = handle.send(Command::Leave { socket: self.watcher.socket }).await;
        }
    }

    async fn reject(&mut self, app: &Shared, table: Option<String>, id: Option<u32>, reason: &str) -> Then {
        app.metrics.refused.fetch_add(1, Relaxed);
        self.say(&ServerMessage::Rejected { table, id, reason: reason.into(), rule: None }).await
    }

    /// Something that no client of ours would send.
    async fn fault(&mut self, app: &Shared, reason: &str) -> Then {
        self.faults += 1;
        if self.faults > PATIENCE {
            return self.refuse("too many messages that cannot be read").await;
        }
        self.reject(app, None, None, reason).await
    }

    async fn refuse(&mut self, reason: &str) -> Then {
        if self.say(&ServerMessage::Refused { reason: reason.into() }).await == Then::GoOn {
            // A reason may have 123 bytes in a close frame; the whole one has just been sent.
            self.write(Message::Close(Some(CloseFrame { code: REFUSED, reason: "refused".into() }))).await;
        }
        Then::Close
    }

    async fn say(&mut self, message: &ServerMessage) -> Then {
        let text = serde_json::to_string(message).unwrap_or_default();
        self.write(Message::Text(text.into())).await
    }

    async fn write(&mut self, message: Message) -> Then {
        match timeout(WRITE_WITHIN, self.out.send(message)).await {
            Ok(Ok(())) => Then::GoOn,
            _ => Then::Close,
        }
    }
}

async fn next(inward: &mut SplitStream<WebSocket>, ready: Instant) -> Option<Result<Message, axum::Error>> {
    sleep_until(ready.into()).await;
    inward.next().await
}

async fn closes(closing: &mut watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

/// The table that a message is about, and its own number.
fn about(message: &ClientMessage) -> (String, Option<u32>) {
    match message {
        ClientMessage::Answer { table, id, .. } => (table.clone(), Some(*id)),
        ClientMessage::Watch { table, .. }
        | ClientMessage::Unwatch { table }
        | ClientMessage::Undo { table }
        | ClientMessage::UndoReply { table, .. }
        | ClientMessage::Resign { table }
        | ClientMessage::OfferDraw { table }
        | ClientMessage::Pause { table }
        | ClientMessage::Rematch { table }
        | ClientMessage::Chat { table, .. }
        | ClientMessage::Stops { table, .. }
        | ClientMessage::WhyNot { table }
        | ClientMessage::TraceValue { table, .. } => (table.clone(), None),
        ClientMessage::Hello { .. } | ClientMessage::Ping { .. } => (String::new(), None),
    }
}

/// How fast a socket is read: a burst, then so many messages a second; and no faster than all sockets of its address may be.
struct Pace {
    own: Rate,
    /// When all that was spent will have been earned again.
    paid_up: Instant,
    /// Until when those of the address have used up what they have.
    held_up: Instant,
}

impl Pace {
    fn new(limits: &Limits) -> Pace {
        Pace { own: limits.messages_of_socket, paid_up: Instant::now(), held_up: Instant::now() }
    }
    fn spend(&mut self, limits: &Limiter, address: &str, cost: f64) {
        let now = Instant::now();
        self.paid_up = self.paid_up.max(now) + Duration::from_secs_f64(1.0 / self.own.per_second);
        self.held_up = now + limits.spend(What::Messages, address, cost);
    }
    fn ready_at(&self) -> Instant {
        let burst = Duration::from_secs_f64(self.own.burst / self.own.per_second);
        self.paid_up.checked_sub(burst).unwrap_or(self.paid_up).max(self.held_up)
    }
}

/// What a message costs beside others: a look at a whole table, or at all that cannot be done, takes many times as long as an answer.
fn cost(message: &ClientMessage) -> f64 {
    match message {
        ClientMessage::Watch { .. } | ClientMessage::WhyNot { .. } => 8.0,
        ClientMessage::TraceValue { .. } | ClientMessage::Chat { .. } => 2.0,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // limit: messages, messages_of_socket
    #[test]
    fn a_socket_that_sends_too_much_is_read_later_and_so_are_others_of_its_address() {
        let slow = |burst: f64| Rate { burst, per_second: 0.001 };
        let limits = Limits { messages: slow(20.0), messages_of_socket: slow(5.0), ..Limits::none() };
        let limiter = Limiter::new(limits);
        let now = Instant::now();
        let held_up = |pace: &Pace| pace.ready_at() > now + Duration::from_secs(100);
        let (mut one, mut two, mut other) = (Pace::new(&limits), Pace::new(&limits), Pace::new(&limits));
        for _ in 0..5 {
            one.spend(&limiter, "a", 1.0);
        }
        assert!(!held_up(&one));
        one.spend(&limiter, "a", 1.0);
        assert!(held_up(&one) && !held_up(&two), "it has had its own share");
        let heavy = ClientMessage::WhyNot { table: String::new() };
        two.spend(&limiter, "a", cost(&heavy));
        assert!(!held_up(&two));
        two.spend(&limiter, "a", cost(&heavy));
        assert!(held_up(&two), "together they have had that of their address");
        other.spend(&limiter, "b", cost(&heavy));
        assert!(!held_up(&other));
    }
}
