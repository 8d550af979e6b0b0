//! `trilogy bench server --hostile`: two people play with each other, first alone, then while somebody at another address does their
//! worst: tables by the thousand, hundreds of greedy bots, replays read over and over by many at once, connections that say nothing.
//! The server is a process of its own with its usual limits, and so is the attacker; all three share the cores of this machine.

use crate::bench_server::{answer_one, percentile};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::protocol::{ClientMessage, Clock};

/// Before each answer of the two players.
const THINKING: Duration = Duration::from_millis(20);
const PLAYERS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 3));
const ATTACKER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));

/// What the attacker wants; the limits are there to give it less.
const BOTS: usize = 256;
const TABLES: usize = 1000;
const READERS: usize = 60;
const CONNECTIONS: usize = 10_600;
/// Until all of it is under way.
const WARMING: Duration = Duration::from_secs(6);

struct Server {
    child: Child,
    addr: SocketAddr,
    folder: PathBuf,
}

impl Server {
    fn start() -> Result<Server, String> {
        let folder = std::env::temp_dir().join(format!("trilogy-hostile-{}", std::process::id()));
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.args(["serve", "--no-browser", "--listen", "127.0.0.1:0", "--data"]).arg(&folder);
        let child = command.env("RUST_LOG", "off").stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("the server does not start: {error}"))?;
        let out = child.stdout.take().ok_or("the server has no output")?;
        let said = BufReader::new(out)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("Trilogy is at http://").and_then(|at| at.trim_end_matches('/').parse().ok()));
        match said {
            Some(addr) => Ok(Server { child, addr, folder }),
            None => Err("the server does not say where it is".into()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn run(seconds: f64, as_json: bool) -> Result<(), String> {
    let server = Server::start()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let quiet = runtime.block_on(play(server.addr, "Quiet", seconds))?;
    let mut figures: Vec<(String, f64)> = Vec::new();
    let mut add = |name: &str, times: &[Duration]| {
        figures.push((format!("{name}_answers"), times.len() as f64));
        for percent in [50.0, 99.0] {
            figures.push((format!("{name}_p{percent}_ms"), percentile(times, percent)));
        }
        if name != "quiet" {
            figures.push((format!("{name}_p99_times_quiet"), percentile(times, 99.0) / percentile(&quiet, 99.0).max(1e-6)));
        }
    };
    add("quiet", &quiet);
    let mut all_deeds = Vec::new();
    for (name, idle) in [("work", false), ("work_and_connections", true)] {
        let (times, deeds) = beset(&server, name, idle, seconds, &runtime)?;
        add(name, &times);
        all_deeds.extend(deeds.into_iter().map(|(deed, count)| (format!("{name}: {deed}"), count as f64)));
    }
    figures.extend(all_deeds);
    if as_json {
        let map: serde_json::Map<String, serde_json::Value> = figures.into_iter().map(|(name, value)| (name, json!(value))).collect();
        say!("{}", json!({"game": "tcg", "figures": map}));
    } else {
        for (name, value) in figures {
            say!("{name:<44} {value:>12.2}");
        }
    }
    Ok(())
}

/// What became of the players, and what the attacker did.
type Beset = (Vec<Duration>, BTreeMap<String, u64>);

/// Two people play while another process attacks.
fn beset(server: &Server, name: &str, idle: bool, seconds: f64, runtime: &tokio::runtime::Runtime) -> Result<Beset, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let lasts = (seconds + WARMING.as_secs_f64() + 1.0).to_string();
    let mut command = Command::new(program);
    command.args(["bench", "server", "--attack", &server.addr.to_string(), "--seconds", &lasts]).stdout(Stdio::piped());
    if idle {
        command.arg("--hostile");
    }
    let mut attacker = command.spawn().map_err(|error| format!("the attacker does not start: {error}"))?;
    std::thread::sleep(WARMING);
    let times = runtime.block_on(play(server.addr, name, seconds));
    let mut told = String::new();
    if let Some(out) = &mut attacker.stdout {
        let _ = out.read_to_string(&mut told);
    }
    let _ = attacker.wait();
    let deeds = serde_json::from_str(told.trim()).map_err(|error| format!("the attacker told nothing: {error}"))?;
    Ok((times?, deeds))
}

/// Two people play game after game; how long each answer took until both had seen what came of it, sorted.
async fn play(addr: SocketAddr, name: &str, seconds: f64) -> Result<Vec<Duration>, String> {
    let somebody = Rest { from: Some(PLAYERS), ..Rest::nobody(addr) };
    let people = [somebody.clone().named(&format!("{name} one")).await?, somebody.named(&format!("{name} two")).await?];
    let mut sockets = [Socket::open(&people[0]).await?, Socket::open(&people[1]).await?];
    let mut dice = Dice(3);
    let (mut times, mut ids) = (Vec::new(), 0);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    while Instant::now() < end {
        let table = people[0].opens(Clock::None).await?.id;
        people[1].joins(&table).await?;
        for socket in &mut sockets {
            socket.watch(&table).await?;
        }
        while Instant::now() < end {
            let Some((ask, seat)) = sockets[0].followed(&table)?.asked() else { break };
            while sockets[seat].followed(&table)?.asked().is_some_and(|(now, _)| now < ask) {
                sockets[seat].next().await?;
            }
            let Some(question) = sockets[seat].followed(&table)?.question() else { break };
            let answer = dice.answer(&question);
            tokio::time::sleep(THINKING).await;
            ids += 1;
            let sent = Instant::now();
            sockets[seat].answer(&table, ask, ids, answer).await?;
            for socket in &mut sockets {
                while socket.followed(&table)?.asked().is_some_and(|(now, _)| now <= ask) {
                    socket.next().await?;
                }
            }
            times.push(sent.elapsed());
        }
        for socket in &mut sockets {
            socket.tables.remove(&table);
            socket.send(&ClientMessage::Unwatch { table: table.clone() }).await?;
        }
    }
    times.sort_unstable();
    Ok(times)
}

/// What the attacker did, and what it was refused.
#[derive(Clone, Default)]
struct Deeds(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Deeds {
    fn count(&self, what: &'static str) {
        let mut deeds = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *deeds.entry(what).or_default() += 1;
    }
}

/// Do the worst for so long, then say what came of it. A process of its own.
pub(crate) fn attack(addr: SocketAddr, idle: bool, seconds: f64) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let deeds = Deeds::default();
    runtime.block_on(async {
        let doing = async {
            tokio::join!(
                bots(addr, &deeds),
                async {
                    // Bots, tables and connections each take what the others could have: each first gets what it can.
                    tokio::time::sleep(Duration::from_secs(2)).await;
                    tables(addr, &deeds).await;
                },
                read(addr, &deeds),
                async {
                    if idle {
                        tokio::time::sleep(Duration::from_secs(4)).await;
                        connect(addr, &deeds).await;
                    }
                }
            );
        };
        let _ = tokio::time::timeout(Duration::from_secs_f64(seconds), doing).await;
    });
    let told = deeds.0.lock().map(|deeds| json!(*deeds)).unwrap_or_default();
    say!("{told}");
    Ok(())
}

static NAMES: AtomicU64 = AtomicU64::new(0);

async fn guest(addr: SocketAddr, deeds: &Deeds) -> Rest {
    loop {
        let nobody = Rest { from: Some(ATTACKER), ..Rest::nobody(addr) };
        match nobody.named(&format!("Attacker {}", NAMES.fetch_add(1, Relaxed))).await {
            Ok(rest) => return rest,
            Err(_) => deeds.count("guests_refused"),
        }
    }
}

/// Play against as many greedy bots as there can be, without any thought.
async fn bots(addr: SocketAddr, deeds: &Deeds) {
    let mut rest = guest(addr, deeds).await;
    let mut playing = JoinSet::new();
    for _ in 0..BOTS {
        match rest.against("greedy").await {
            Ok(table) => {
                deeds.count("bots");
                playing.spawn(play_on(rest.clone(), table.id, deeds.clone()));
            }
            Err(refused) => {
                deeds.count("bots_refused");
                if refused.reason.contains("you have too many") {
                    rest = guest(addr, deeds).await;
                }
            }
        }
    }
    while playing.join_next().await.is_some() {}
}

async fn play_on(rest: Rest, table: String, deeds: Deeds) {
    let mut dice = Dice(NAMES.fetch_add(1, Relaxed));
    while let Ok(mut socket) = Socket::at(&rest, &table).await {
        for id in 0.. {
            match answer_one(&mut socket, &table, &mut dice, id).await {
                Ok(true) => deeds.count("answers"),
                Ok(false) => return,
                Err(_) => break,
            }
        }
    }
}

/// Open tables and leave them.
async fn tables(addr: SocketAddr, deeds: &Deeds) {
    let mut rest = guest(addr, deeds).await;
    for _ in 0..TABLES {
        match rest.opens(Clock::None).await {
            Ok(_) => deeds.count("tables"),
            Err(refused) => {
                deeds.count("tables_refused");
                if refused.reason.contains("you have too many") {
                    rest = guest(addr, deeds).await;
                }
            }
        }
    }
}

/// Many readers go through the positions of replays, each position anew.
async fn read(addr: SocketAddr, deeds: &Deeds) {
    let rest = guest(addr, deeds).await;
    let Some(table) = played(&rest).await else { return deeds.count("no_replay") };
    let mut reading = JoinSet::new();
    for reader in 0..READERS {
        let (rest, table, deeds) = (rest.clone(), table.clone(), deeds.clone());
        reading.spawn(async move {
            for at in (reader as u64 * 7).. {
                match rest.text(&format!("/api/replays/{table}/at/{}", at % 500)).await {
                    Ok(_) => deeds.count("replays_read"),
                    Err(_) => deeds.count("replays_refused"),
                }
            }
        });
    }
    while reading.join_next().await.is_some() {}
}

/// A match that is over, to be read.
async fn played(rest: &Rest) -> Option<String> {
    let table = rest.against("random").await.ok()?.id;
    let mut socket = Socket::at(rest, &table).await.ok()?;
    let mut dice = Dice(1);
    let mut id = 0;
    while answer_one(&mut socket, &table, &mut dice, id).await.ok()? {
        id += 1;
    }
    Some(table)
}

/// Connections that say nothing, held as long as they are let.
async fn connect(addr: SocketAddr, deeds: &Deeds) {
    let rest = Rest { from: Some(ATTACKER), ..Rest::nobody(addr) };
    let mut held = Vec::new();
    for _ in 0..CONNECTIONS {
        match rest.connect().await {
            Ok(stream) => {
                deeds.count("connections");
                held.push(stream);
            }
            Err(_) => deeds.count("connections_refused"),
        }
        // One that the server has closed shows it when it is read.
        let mut nothing = [0];
        held.retain(|stream| match stream.try_read(&mut nothing) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => true,
            _ => {
                deeds.count("connections_closed");
                false
            }
        });
        tokio::task::yield_now().await;
    }
    std::future::pending::<()>().await;
}
