//! `trilogy bench server`: many games at once over real sockets on this machine, and what a table costs that waits.

use serde_json::json;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::limits::Limits;
use trilogy_server::matches::Settings;
use trilogy_server::protocol::{Ask, Clock, MatchState};
use trilogy_server::{Config, start};

pub(crate) struct Wish {
    /// Games at once.
    pub(crate) games: usize,
    pub(crate) seconds: f64,
    pub(crate) json: bool,
}

/// A folder that goes with the measurement.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What one pair of players has measured.
#[derive(Default)]
struct Measured {
    /// From sending an answer to the update that shows it, in the one who answered.
    to_self: Vec<Duration>,
    /// The same in the opponent.
    to_other: Vec<Duration>,
    games: usize,
}

pub(crate) fn run(wish: &Wish) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| error.to_string())?;
    let figures = runtime.block_on(measure(wish))?;
    if wish.json {
        let map: serde_json::Map<String, serde_json::Value> =
            figures.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
        say!("{}", json!({"game": "tcg", "figures": map}));
    } else {
        for (name, value) in figures {
            say!("{name:<28} {value:>12.2}");
        }
    }
    Ok(())
}

async fn measure(wish: &Wish) -> Result<Vec<(&'static str, f64)>, String> {
    let folder = Folder(std::env::temp_dir().join(format!("trilogy-bench-{}", std::process::id())));
    let config = Config {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        data: folder.0.clone(),
        limits: Limits::none(),
        matches: Settings::unlimited(),
        ..Config::default()
    };
    let server = start(config).await?;
    let idle = idle_tables(server.addr, wish.games).await?;

    let deadline = Instant::now() + Duration::from_secs_f64(wish.seconds);
    let mut pairs = Vec::new();
    for number in 0..wish.games {
        pairs.push(tokio::spawn(pair(server.addr, number, deadline)));
    }
    let mut all = Measured::default();
    let started = Instant::now();
    for pair in pairs {
        let measured = pair.await.map_err(|error| error.to_string())??;
        all.to_self.extend(measured.to_self);
        all.to_other.extend(measured.to_other);
        all.games += measured.games;
    }
    let seconds = started.elapsed().as_secs_f64();
    let answers = all.to_self.len();
    all.to_self.sort_unstable();
    all.to_other.sort_unstable();
    let figures = vec![
        ("games_at_once", wish.games as f64),
        ("games_finished", all.games as f64),
        ("answers", answers as f64),
        ("answers_per_second", answers as f64 / seconds),
        ("answer_to_update_p50_ms", percentile(&all.to_self, 50.0)),
        ("answer_to_update_p99_ms", percentile(&all.to_self, 99.0)),
        ("answer_to_opponent_p50_ms", percentile(&all.to_other, 50.0)),
        ("answer_to_opponent_p99_ms", percentile(&all.to_other, 99.0)),
        ("idle_table_kb", idle[0]),
        ("idle_table_watched_kb", idle[1]),
    ];
    server.stop().await;
    Ok(figures)
}

fn percentile(sorted: &[Duration], percent: f64) -> f64 {
    let at = (sorted.len() as f64 * percent / 100.0) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

/// Kilobytes of a table in mid-game that waits for an answer: alone, and with a player's socket (both of its ends are
/// in this process, so this is more than a server alone would need).
async fn idle_tables(addr: SocketAddr, count: usize) -> Result<[f64; 2], String> {
    let rest = Rest::guest(addr, "Idle").await?;
    // The first ones pay for what all of them share.
    for _ in 0..20 {
        in_mid_game(&rest).await?;
    }
    let before = resident()?;
    let mut tables = Vec::new();
    for _ in 0..count {
        tables.push(in_mid_game(&rest).await?);
    }
    let alone = resident()?;
    let mut sockets = Vec::new();
    for table in &tables {
        sockets.push(Socket::at(&rest, table).await?);
    }
    let watched = resident()?;
    let each = |from: f64, to: f64| (to - from).max(0.0) / count.max(1) as f64;
    Ok([each(before, alone), each(before, watched)])
}

/// A table against a bot, some answers into the game.
async fn in_mid_game(rest: &Rest) -> Result<String, String> {
    let table = rest.against("random").await?.id;
    let mut socket = Socket::at(rest, &table).await?;
    let mut dice = Dice(table.len() as u64);
    for id in 0..12 {
        if !answer_one(&mut socket, &table, &mut dice, id).await? {
            break;
        }
    }
    socket.close().await;
    Ok(table)
}

/// Wait until this socket is asked, and answer. False when the game is over.
async fn answer_one(socket: &mut Socket, table: &str, dice: &mut Dice, id: u32) -> Result<bool, String> {
    loop {
        let now = socket.table(table)?;
        if matches!(now.state, MatchState::Over { .. }) {
            return Ok(false);
        }
        if let Some(Ask { number, question: Some(question), .. }) = now.ask {
            socket.answer(table, number, id, dice.answer(&question)).await?;
            while socket.table(table)?.ask.is_some_and(|ask| ask.number == number) {
                socket.next().await?;
            }
            return Ok(true);
        }
        socket.next().await?;
    }
}

/// Two players who play game after game with each other until the time is up.
async fn pair(addr: SocketAddr, number: usize, deadline: Instant) -> Result<Measured, String> {
    let people = [Rest::guest(addr, &format!("Dark {number}")).await?, Rest::guest(addr, &format!("Light {number}")).await?];
    let mut sockets = [Socket::open(&people[0]).await?, Socket::open(&people[1]).await?];
    let mut dice = Dice(number as u64);
    let mut measured = Measured::default();
    while Instant::now() < deadline {
        let table = people[0].opens(Clock::None).await?.id;
        people[1].joins(&table).await?;
        for socket in &mut sockets {
            socket.watch(&table).await?;
        }
        while let Some(ask) = sockets[0].table(&table)?.ask.filter(|_| Instant::now() < deadline) {
            let seat = usize::from(ask.seat);
            let passed = |socket: &Socket| socket.table(&table).map(|now| now.ask.is_none_or(|now| now.number > ask.number));
            while sockets[seat].table(&table)?.ask.is_some_and(|now| now.number < ask.number) {
                sockets[seat].next().await?;
            }
            let question = sockets[seat].table(&table)?.ask.and_then(|ask| ask.question).ok_or("no question")?;
            let answer = dice.answer(&question);
            let sent = Instant::now();
            sockets[seat].answer(&table, ask.number, ask.number, answer).await?;
            while !passed(&sockets[seat])? {
                sockets[seat].next().await?;
            }
            measured.to_self.push(sent.elapsed());
            while !passed(&sockets[1 - seat])? {
                sockets[1 - seat].next().await?;
            }
            measured.to_other.push(sent.elapsed());
        }
        measured.games += usize::from(sockets[0].table(&table)?.ask.is_none());
    }
    Ok(measured)
}

/// Kilobytes of memory that this process has in use.
fn resident() -> Result<f64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| format!("memory is measured on Linux only: {error}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS in /proc/self/status")?;
    line.trim().trim_end_matches("kB").trim().parse().map_err(|error| format!("VmRSS: {error}"))
}
