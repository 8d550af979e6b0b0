//! A client of this server, for tests and for measuring: REST, a socket that keeps the tables it follows, and
//! random legal answers. It does what `docs/PROTOCOL.md` tells the writer of a bot to do.

use crate::matches::merge;
use crate::protocol::{AnswerData, Clock, LogLine, Me, NewTable, PROTOCOL, Problem, Question, ServerMessage, Table, TableInfo};
use crate::protocol::{ClientMessage, Motion};
use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// A user of the REST interface.
#[derive(Clone, Debug)]
pub struct Rest {
    pub addr: SocketAddr,
    /// The address of this machine that it comes from, where it has several.
    pub from: Option<IpAddr>,
    pub cookie: Option<String>,
    pub csrf: String,
}

/// What came back: the status and the reason, where it was a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    pub status: u16,
    pub reason: String,
    /// Where it is to be had.
    pub moved: Option<String>,
}

impl Refused {
    /// Nothing sensible came back.
    fn broken(status: u16, reason: impl ToString) -> Refused {
        Refused { status, reason: reason.to_string(), moved: None }
    }
}

impl From<Refused> for String {
    fn from(refused: Refused) -> String {
        format!("{}: {}", refused.status, refused.reason)
    }
}

impl Rest {
    /// Somebody without a name.
    pub fn nobody(addr: SocketAddr) -> Rest {
        Rest { addr, from: None, cookie: None, csrf: String::new() }
    }

    pub async fn guest(addr: SocketAddr, name: &str) -> Result<Rest, Refused> {
        Rest::nobody(addr).named(name).await
    }

    /// Take a name without an account.
    pub async fn named(self, name: &str) -> Result<Rest, Refused> {
        let mut rest = self;
        let (head, body) = rest.raw("POST", "/api/guest", Some(&serde_json::json!({ "name": name }))).await?;
        let me: Me = read(&head, &body)?;
        rest.cookie = header(&head, "set-cookie").and_then(|value| value.split(';').next()).map(str::to_string);
        rest.csrf = me.csrf;
        Ok(rest)
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Refused> {
        let (head, body) = self.raw("GET", path, None).await?;
        read(&head, &body)
    }

    pub async fn text(&self, path: &str) -> Result<String, Refused> {
        let (head, body) = self.raw("GET", path, None).await?;
        match status(&head) {
            200..=299 => Ok(String::from_utf8_lossy(&body).into_owned()),
            _ => read::<Value>(&head, &body).map(|value| value.to_string()),
        }
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, Refused> {
        let body = serde_json::to_value(body).unwrap_or_default();
        let (head, body) = self.raw("POST", path, Some(&body)).await?;
        read(&head, &body)
    }

    /// A table of the tcg against a bot, with starter decks.
    pub async fn against(&self, bot: &str) -> Result<TableInfo, Refused> {
        self.post("/api/tables", &table(Some(bot), Clock::None)).await
    }

    /// An open table of the tcg for the first player.
    pub async fn opens(&self, clock: Clock) -> Result<TableInfo, Refused> {
        self.post("/api/tables", &table(None, clock)).await
    }

    /// Take the second seat.
    pub async fn joins(&self, table: &str) -> Result<TableInfo, Refused> {
        self.post(&format!("/api/tables/{table}/join"), &serde_json::json!({ "deck": "jedi_council" })).await
    }

    /// A connection without anything said yet.
    pub async fn connect(&self) -> std::io::Result<TcpStream> {
        let Some(from) = self.from else { return TcpStream::connect(self.addr).await };
        let socket = if from.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.bind(SocketAddr::new(from, 0))?;
        socket.connect(self.addr).await
    }

    async fn raw(&self, method: &str, path: &str, body: Option<&Value>) -> Result<(String, Vec<u8>), Refused> {
        let failed = |error: std::io::Error| Refused::broken(0, error);
        let body = body.map(Value::to_string).unwrap_or_default();
        let cookie = self.cookie.as_ref().map_or(String::new(), |cookie| format!("cookie: {cookie}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{cookie}x-csrf: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.addr,
            self.csrf,
            body.len()
        );
        let mut stream = self.connect().await.map_err(failed)?;
        stream.write_all(request.as_bytes()).await.map_err(failed)?;
        let mut all = Vec::new();
        stream.read_to_end(&mut all).await.map_err(failed)?;
        let Some(at) = all.windows(4).position(|window| window == b"\r\n\r\n") else {
            return Err(Refused::broken(0, "the answer has no end"));
        };
        let head = String::from_utf8_lossy(&all[..at]).into_owned();
        let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let body = if chunked { unchunked(&all[at + 4..]) } else { all[at + 4..].to_vec() };
        let length = header(&head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(body.len());
        if body.len() < length || (chunked && !all.ends_with(b"0\r\n\r\n")) {
            return Err(Refused::broken(0, "the answer was cut short"));
        }
        Ok((head, body))
    }
}

fn table(bot: Option<&str>, clock: Clock) -> NewTable {
    NewTable {
        game: "tcg".into(),
        deck: "droid_host".into(),
        bot_deck: bot.map(|_| "jedi_council".into()),
        bot: bot.map(str::to_string),
        private: false,
        clock,
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end]).ok().and_then(|size| usize::from_str_radix(size.trim(), 16).ok()).unwrap_or(0);
        let Some(chunk) = rest.get(end + 2..end + 2 + size).filter(|_| size > 0) else { break };
        body.extend_from_slice(chunk);
        rest = rest.get(end + 4 + size..).unwrap_or(&[]);
    }
    body
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let pairs = head.lines().filter_map(|line| line.split_once(':'));
    pairs.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
}

fn status(head: &str) -> u16 {
    head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn read<T: DeserializeOwned>(head: &str, body: &[u8]) -> Result<T, Refused> {
    let status = status(head);
    if (200..300).contains(&status) {
        return serde_json::from_slice(body).map_err(|error| Refused::broken(status, error));
    }
    Err(match serde_json::from_slice::<Problem>(body) {
        Ok(problem) => Refused { status, reason: problem.reason, moved: problem.moved },
        Err(_) => Refused::broken(status, String::from_utf8_lossy(body)),
    })
}

/// A table as a socket knows it.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    pub seq: u32,
    pub json: Value,
    pub log: Vec<LogLine>,
    pub moves: Vec<Motion>,
}

impl Followed {
    pub fn table(&self) -> Result<Table, String> {
        serde_json::from_value(self.json.clone()).map_err(|error| format!("{error}: {}", self.json))
    }

    /// Number of the pending ask and the seat it is for, without reading the rest of the table.
    pub fn asked(&self) -> Option<(u32, usize)> {
        let ask = self.json.get("ask")?;
        Some((ask.get("number")?.as_u64()? as u32, ask.get("seat")?.as_u64()? as usize))
    }

    /// The question, where it is this viewer's to answer.
    pub fn question(&self) -> Option<Question> {
        serde_json::from_value(self.json.get("ask")?.get("question")?.clone()).ok()
    }

    pub fn is_over(&self) -> bool {
        self.json.get("state").and_then(|state| state.get("is")).is_some_and(|is| is == "over")
    }
}

/// What became of the wish to follow a table.
enum Watched {
    Here,
    Moved(String),
}

/// How often a client goes on to another server before it gives up.
const MOVES: usize = 4;

/// The address in `http://127.0.0.1:7327/`.
fn address_in(url: &str) -> Result<SocketAddr, String> {
    let host = url.strip_prefix("http://").unwrap_or(url).trim_end_matches('/');
    host.parse().map_err(|error| format!("{url}: {error}"))
}

pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    pub tables: BTreeMap<String, Followed>,
}

impl Socket {
    /// Connect without saying hello.
    pub async fn connect(rest: &Rest) -> Result<Socket, String> {
        let mut request = format!("ws://{}/ws", rest.addr).into_client_request().map_err(|error| error.to_string())?;
        if let Some(cookie) = rest.cookie.as_ref().and_then(|cookie| cookie.parse().ok()) {
            request.headers_mut().insert("cookie", cookie);
        }
        let stream = rest.connect().await.map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        let small = WebSocketConfig::default().read_buffer_size(4096);
        let opened = tokio_tungstenite::client_async_with_config(request, stream, Some(small)).await;
        let (stream, _) = opened.map_err(|error| error.to_string())?;
        Ok(Socket { stream, tables: BTreeMap::new() })
    }

    /// Connect, say hello and be welcome.
    pub async fn open(rest: &Rest) -> Result<Socket, String> {
        let mut socket = Socket::connect(rest).await?;
        socket.send(&ClientMessage::Hello { protocol: PROTOCOL, build: None }).await?;
        match socket.next().await? {
            ServerMessage::Welcome { .. } => Ok(socket),
            other => Err(format!("not welcome: {other:?}")),
        }
    }

    /// Connect and follow a table.
    pub async fn at(rest: &Rest, table: &str) -> Result<Socket, String> {
        let mut socket = Socket::open(rest).await?;
        socket.watch(table).await?;
        Ok(socket)
    }

    pub async fn watch(&mut self, table: &str) -> Result<(), String> {
        match self.try_watch(table).await? {
            Watched::Here => Ok(()),
            Watched::Moved(url) => Err(format!("the table is played at {url}")),
        }
    }

    async fn try_watch(&mut self, table: &str) -> Result<Watched, String> {
        let since = self.tables.get(table).map_or(0, |followed| followed.seq);
        self.send(&ClientMessage::Watch { table: table.into(), since }).await?;
        loop {
            match self.next().await? {
                ServerMessage::Update { table: about, .. } if about == table => return Ok(Watched::Here),
                ServerMessage::Rejected { reason, .. } => return Err(reason),
                ServerMessage::Moved { table: about, url, .. } if about == table => return Ok(Watched::Moved(url)),
                _ => {}
            }
        }
    }

    /// Connect and follow a table, at the server that it is played at: `rest` goes there, too.
    pub async fn find(rest: &mut Rest, table: &str) -> Result<Socket, String> {
        for _ in 0..MOVES {
            let mut socket = Socket::open(rest).await?;
            match socket.try_watch(table).await? {
                Watched::Here => return Ok(socket),
                Watched::Moved(url) => rest.addr = address_in(&url)?,
            }
        }
        Err("the servers send each other's players to and fro".into())
    }

    pub async fn send(&mut self, message: &ClientMessage) -> Result<(), String> {
        self.send_text(serde_json::to_string(message).unwrap_or_default()).await
    }

    pub async fn send_text(&mut self, text: String) -> Result<(), String> {
        self.stream.send(Message::text(text)).await.map_err(|error| error.to_string())
    }

    /// The next message; updates have been merged into `tables` when it comes back.
    pub async fn next(&mut self) -> Result<ServerMessage, String> {
        let patience = tokio::time::Instant::now() + Duration::from_secs(15);
        loop {
            let message = tokio::time::timeout_at(patience, self.stream.next()).await;
            let message = message.map_err(|_| "nothing was heard for 15 seconds")?.ok_or("the socket was closed")?;
            match message.map_err(|error| error.to_string())? {
                Message::Text(text) => {
                    let message = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
                    self.merge(&message)?;
                    return Ok(message);
                }
                Message::Close(Some(frame)) => return Err(format!("the socket was closed: {} {}", u16::from(frame.code), frame.reason)),
                Message::Close(None) => return Err("the socket was closed".into()),
                _ => {}
            }
        }
    }

    fn merge(&mut self, message: &ServerMessage) -> Result<(), String> {
        let ServerMessage::Update { table, base, seq, patch, log, moves } = message else { return Ok(()) };
        if *base != 0 && !self.tables.contains_key(table) {
            // It was under way when the table was left.
            return Ok(());
        }
        let followed = self.tables.entry(table.clone()).or_default();
        if *base == 0 {
            *followed = Followed::default();
        } else if *base != followed.seq {
            return Err(format!("update {seq} is on {base}, not on {}", followed.seq));
        }
        merge(&mut followed.json, patch);
        followed.seq = *seq;
        followed.log.extend(log.iter().cloned());
        followed.moves.clone_from(moves);
        Ok(())
    }

    pub fn table(&self, table: &str) -> Result<Table, String> {
        self.followed(table)?.table()
    }

    pub fn followed(&self, table: &str) -> Result<&Followed, String> {
        self.tables.get(table).ok_or_else(|| "the table is not followed".into())
    }

    pub async fn answer(&mut self, table: &str, ask: u32, id: u32, answer: AnswerData) -> Result<(), String> {
        self.send(&ClientMessage::Answer { table: table.into(), ask, id, answer }).await
    }

    pub async fn close(mut self) {
        let _ = self.stream.close(None).await;
    }
}

/// A generator for answers; any number starts it.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) as u128 * bound as u128) >> 64) as usize
    }

    /// Any legal answer.
    pub fn answer(&mut self, question: &Question) -> AnswerData {
        match question {
            Question::Number { least, most, .. } => AnswerData::Number(least + self.below((most - least + 1) as usize) as i32),
            Question::Order { options, .. } => AnswerData::Pick(self.some(options.len(), options.len())),
            Question::Pick { options, least, most, .. } => {
                let count = *least as usize + self.below((most - least + 1) as usize);
                AnswerData::Pick(self.some(options.len(), count))
            }
        }
    }

    fn some(&mut self, of: usize, count: usize) -> Vec<u32> {
        let mut all: Vec<u32> = (0..of as u32).collect();
        for at in 0..count.min(of) {
            let other = at + self.below(of - at);
            all.swap(at, other);
        }
        all.truncate(count);
        all
    }
}
