//! Two servers on one PostgreSQL, in processes of their own: killed without warning, frozen for longer than their lease and woken,
//! told to end and started again, while many games are played against both. Whatever was acknowledged is in the journal, once, and
//! every journal verifies.
//!
//! `TRILOGY_CHAOS="120 200"` makes it last that many seconds with that many games at once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
#[path = "../../server/tests/common/mod.rs"]
mod server_common;

use common::serving::Server;
use server_common::Place;
use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::time::timeout;
use trilogy_engine::{Answer, Catalogue, Journal, Silent};
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::limits;
use trilogy_server::protocol::{AnswerData, ClientMessage, Clock, MatchState, ServerMessage};

/// How long a server may keep a client waiting before that tries the other one.
const PATIENCE: Duration = Duration::from_secs(2);

#[test]
fn two_servers_that_are_killed_and_frozen_lose_and_double_nothing() {
    let wish = std::env::var("TRILOGY_CHAOS").unwrap_or_else(|_| "25 8".into());
    let mut numbers = wish.split_whitespace().map(|number| number.parse::<usize>().expect("two numbers"));
    let (seconds, games) = (numbers.next().unwrap(), numbers.next().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(play_through(Duration::from_secs(seconds as u64), games));
}

/// One of the two, which always listens at the same address.
struct Node {
    addr: SocketAddr,
    database: String,
    server: Option<Server>,
}

impl Node {
    fn start(database: &str) -> Node {
        let addr = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut node = Node { addr, database: database.into(), server: None };
        node.restart();
        node
    }
    fn restart(&mut self) {
        let (addr, limits) = (self.addr.to_string(), crowd());
        let mut args = vec!["--listen", &addr, "--database", &self.database];
        args.extend(limits.iter().map(String::as_str));
        self.server = Some(Server::start(&args));
    }
    fn server(&mut self) -> &mut Server {
        self.server.as_mut().expect("it runs")
    }
}

/// One address may be as many people as there are.
fn crowd() -> Vec<String> {
    let of_one = |name: &str| name == "guests" || name.ends_with("_of_one");
    let wish = |row: limits::Row| {
        let wish = if row.usual.contains('/') { "1000000/1000000" } else { "1000000000" };
        (row.usual.contains('/') || of_one(row.name)).then(|| [String::from("--limit"), format!("{}={wish}", row.name)])
    };
    limits::Limits::table().into_iter().filter_map(wish).flatten().collect()
}

/// What may happen to a server.
#[derive(Debug)]
enum Fate {
    Killed,
    Frozen,
    Ended,
}

/// Let things happen to both until the time is up; both run in the end. Says what happened.
fn harm(mut nodes: [Node; 2], until: Instant, mut dice: Dice) -> ([Node; 2], [usize; 3]) {
    let mut counts = [0; 3];
    let mut pause = |most: usize| std::thread::sleep(Duration::from_millis(dice.below(most) as u64));
    let mut turn = 0usize;
    while Instant::now() < until {
        pause(1500);
        turn += 1;
        let node = &mut nodes[turn / 3 % 2];
        let fate = [Fate::Killed, Fate::Frozen, Fate::Ended].into_iter().nth(turn % 3).unwrap();
        match fate {
            Fate::Killed => {
                node.server().kill();
                pause(2000);
                node.restart();
            }
            Fate::Frozen => {
                node.server().signal("STOP");
                // Shorter and longer than a lease.
                pause(9000);
                node.server().signal("CONT");
            }
            Fate::Ended => {
                node.server().end();
                pause(1000);
                node.restart();
            }
        }
        counts[fate as usize] += 1;
    }
    (nodes, counts)
}

#[derive(Clone)]
struct Sent {
    seat: usize,
    ask: u32,
    id: u32,
    answer: AnswerData,
    /// How often.
    times: u32,
}

/// Two people who play game after game with each other, wherever their table is to be had.
struct Pair {
    people: [Rest; 2],
    servers: [SocketAddr; 2],
    sockets: [Option<Socket>; 2],
    table: String,
    dice: Dice,
    /// Answers that were acknowledged, by the number of their ask.
    taken: BTreeMap<u32, AnswerData>,
    /// One that was sent, of which nothing was heard: it may be on disk or not.
    sent: Option<Sent>,
    ids: u32,
    finished: Vec<(String, BTreeMap<u32, AnswerData>)>,
}

impl Pair {
    async fn new(servers: [SocketAddr; 2], number: usize) -> Pair {
        let guest = async |name: String| Rest::guest(servers[number % 2], &name).await.unwrap();
        Pair {
            people: [guest(format!("Dark {number}")).await, guest(format!("Light {number}")).await],
            servers,
            sockets: [None, None],
            table: String::new(),
            dice: Dice(number as u64),
            taken: BTreeMap::new(),
            sent: None,
            ids: 0,
            finished: Vec::new(),
        }
    }

    /// Do something that may fail while servers come and go, until it is done.
    async fn insist<T>(&mut self, mut what: impl AsyncFnMut(&mut Pair) -> Result<T, String>) -> T {
        let since = Instant::now();
        loop {
            let failed = match timeout(PATIENCE, what(self)).await {
                Ok(Ok(done)) => return done,
                Ok(Err(reason)) => reason,
                Err(_) => "no answer in time".into(),
            };
            assert!(since.elapsed() < Duration::from_secs(60), "{}: still {failed}", self.table);
            // The other server may know more.
            for (person, socket) in self.people.iter_mut().zip(&mut self.sockets) {
                *socket = None;
                person.addr = if person.addr == self.servers[0] { self.servers[1] } else { self.servers[0] };
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn next_game(&mut self) {
        if !self.table.is_empty() {
            self.finished.push((std::mem::take(&mut self.table), std::mem::take(&mut self.taken)));
        }
        self.sockets = [None, None];
        self.table = self.insist(async |pair| Ok(pair.people[0].opens(Clock::None).await?.id)).await;
        self.insist(async |pair| {
            let joined = match pair.people[1].joins(&pair.table).await {
                Err(refused) => {
                    match refused.moved.as_deref().and_then(|url| url.strip_prefix("http://")?.trim_end_matches('/').parse().ok()) {
                        Some(addr) => {
                            pair.people[1].addr = addr;
                            pair.people[1].joins(&pair.table).await
                        }
                        None => Err(refused),
                    }
                }
                joined => joined,
            };
            match joined {
                // Joined already; the word of it was lost.
                Err(refused) if refused.reason.contains("no seat is free") => Ok(()),
                joined => Ok(joined.map(drop)?),
            }
        })
        .await;
    }

    async fn socket(&mut self, seat: usize) -> Result<&mut Socket, String> {
        if self.sockets[seat].is_none() {
            self.sockets[seat] = Some(Socket::find(&mut self.people[seat], &self.table).await?);
        }
        self.sockets[seat].as_mut().ok_or_else(|| "no socket".into())
    }

    /// Who is asked what, as the server of the table tells it; none when the game is over.
    async fn asked(&mut self) -> Result<Option<(usize, u32)>, String> {
        let table = self.table.clone();
        let now = self.socket(0).await?.table(&table)?;
        if matches!(now.state, MatchState::Over { .. }) {
            return Ok(None);
        }
        let ask = now.ask.ok_or("nobody is asked")?;
        Ok(Some((usize::from(ask.seat), ask.number)))
    }

    /// Send an answer, or send it again, and hear what became of it.
    async fn send(&mut self) -> Result<(), String> {
        let Some(sent) = &mut self.sent else { return Ok(()) };
        sent.times += 1;
        let Sent { seat, ask, id, answer, times } = sent.clone();
        let table = self.table.clone();
        let socket = self.socket(seat).await?;
        socket.answer(&table, ask, id, answer.clone()).await?;
        loop {
            match socket.next().await? {
                ServerMessage::Accepted { id: accepted, .. } if accepted == id => {
                    assert_eq!(self.taken.insert(ask, answer), None, "{table}: two answers to ask {ask} were acknowledged");
                    self.sent = None;
                    return Ok(());
                }
                ServerMessage::Rejected { reason, .. } => {
                    // Only its own answer leads on from an ask: sent again, it is known if it is on disk, and awaited if it is not.
                    let late = reason.contains("the game is at ask") || reason.contains("not for you") || reason.contains("is over");
                    // A server that was frozen may show an ask of before, to which there is an answer already.
                    let again = times > 1 && !self.taken.contains_key(&ask);
                    assert!(!late || !again, "{table}: an answer to ask {ask} is rejected when it is sent again: {reason}");
                    self.sent = None;
                    return Err(reason);
                }
                _ => {}
            }
        }
    }

    /// One answer. False when the game is over.
    async fn step(&mut self) -> Result<bool, String> {
        self.send().await?;
        let table = self.table.clone();
        let Some((seat, number)) = self.asked().await? else { return Ok(false) };
        let socket = self.socket(seat).await?;
        while socket.table(&table)?.ask.is_some_and(|ask| ask.number < number) {
            socket.next().await?;
        }
        let ask = socket.table(&table)?.ask.ok_or("nobody is asked any more")?;
        let question = ask.question.ok_or("somebody else is asked now")?;
        let answer = self.dice.answer(&question);
        self.ids += 1;
        self.sent = Some(Sent { seat, ask: ask.number, id: self.ids, answer, times: 0 });
        self.send().await?;
        let first = self.socket(0).await?;
        while first.table(&table)?.ask.is_some_and(|now| now.number <= ask.number) {
            first.next().await?;
        }
        Ok(true)
    }

    async fn play(mut self, until: Instant) -> Pair {
        self.next_game().await;
        while Instant::now() < until {
            if !self.insist(Pair::step).await {
                self.next_game().await;
            }
        }
        self
    }

    /// Everything runs again: what was sent is settled, the game is given up.
    async fn finish(mut self) -> Vec<(String, BTreeMap<u32, AnswerData>)> {
        self.insist(Pair::send).await;
        self.insist(async |pair| {
            let table = pair.table.clone();
            let socket = pair.socket(0).await?;
            while !matches!(socket.table(&table)?.state, MatchState::Over { .. }) {
                socket.send(&ClientMessage::Resign { table: table.clone() }).await?;
                socket.next().await?;
            }
            Ok(())
        })
        .await;
        self.finished.push((self.table, self.taken));
        self.finished
    }
}

async fn play_through(time: Duration, games: usize) {
    let Some(place) = Place::postgres().await else { return };
    let database = place.database.clone().unwrap();
    let nodes = [Node::start(&database), Node::start(&database)];
    let servers = [nodes[0].addr, nodes[1].addr];
    let mut pairs = Vec::new();
    for number in 0..games {
        pairs.push(Pair::new(servers, number).await);
    }
    let until = Instant::now() + time;
    let playing: Vec<_> = pairs.into_iter().map(|pair| tokio::spawn(pair.play(until))).collect();
    let broken = Arc::new(AtomicBool::new(false));
    let harmed = tokio::task::spawn_blocking(move || harm(nodes, until, Dice(u64::from(std::process::id()))));
    let mut pairs = Vec::new();
    for pair in playing {
        match pair.await {
            Ok(pair) => pairs.push(pair),
            Err(_) => broken.store(true, Relaxed),
        }
    }
    let (nodes, counts) = harmed.await.unwrap();
    assert!(!broken.load(Relaxed), "a game could not be played on");
    let mut matches = Vec::new();
    for pair in pairs {
        matches.extend(pair.finish().await);
    }
    let catalogue = Arc::new(trilogy_games::find("tcg").unwrap().catalogue().unwrap());
    let nobody = Rest::nobody(servers[0]);
    let mut answers = 0;
    for (table, taken) in &matches {
        verify(&nobody, table, taken, &catalogue).await;
        answers += taken.len();
    }
    let [killed, frozen, ended] = counts;
    println!(
        "{games} games at once for {} s: {} matches, {answers} acknowledged answers, none missing; servers killed {killed} times, frozen {frozen} times, ended {ended} times",
        time.as_secs(),
        matches.len()
    );
    assert!(answers > games, "hardly anything was played");
    drop(nodes);
}

/// The journal holds, and tells every answer that was acknowledged at its place.
async fn verify(nobody: &Rest, table: &str, taken: &BTreeMap<u32, AnswerData>, catalogue: &Arc<Catalogue>) {
    let text = nobody.text(&format!("/api/replays/{table}/journal")).await.unwrap();
    let journal = Journal::parse(&text).unwrap();
    journal.replay(catalogue, journal.answers(), &mut Silent).unwrap();
    for (number, given) in taken {
        assert!((*number as usize) < journal.answers(), "{table}: answer {number} is missing");
        let told = match journal.answer(*number as usize) {
            Answer::Pick(picks) => AnswerData::Pick(picks.into_iter().map(u32::from).collect()),
            Answer::Number(number) => AnswerData::Number(number),
        };
        assert_eq!(told, *given, "{table}: answer {number}");
    }
}
