//! `trilogy bench server`: many games at once over real sockets on this machine, and what a table costs that waits.

use serde_json::json;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::limits::Limits;
use trilogy_server::matches::Settings;
use trilogy_server::protocol::{ClientMessage, Clock};
use trilogy_server::{Config, start};

pub(crate) struct Wish {
    /// Games at once.
    pub(crate) games: usize,
    pub(crate) seconds: f64,
    pub(crate) json: bool,
}

/// Before each answer: much less than a person takes, about what a quick bot does.
const THINKING: Duration = Duration::from_millis(200);

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

    let mut figures = vec![("games_at_once", wish.games as f64)];
    // First with a pause for thought before each answer, then as fast as it goes.
    let names = ["answers", "answers_per_second", "answer_to_update_p50_ms", "answer_to_update_p99_ms", "answer_to_opponent_p99_ms"];
    let at_full_speed =
        ["full_speed_answers", "full_speed_answers_per_second", "full_speed_p50_ms", "full_speed_p99_ms", "full_speed_opponent_p99_ms"];
    let mut finished = 0;
    for (names, think) in [(names, THINKING), (at_full_speed, Duration::ZERO)] {
        let (all, seconds) = all_at_once(server.addr, wish, think).await?;
        finished += all.games;
        let answers = all.to_self.len() as f64;
        let [p50, p99] = [50.0, 99.0].map(|percent| percentile(&all.to_self, percent));
        figures.extend(names.into_iter().zip([answers, answers / seconds, p50, p99, percentile(&all.to_other, 99.0)]));
    }
    figures.push(("games_finished", finished as f64));
    figures.extend([("idle_table_kb", idle[0]), ("idle_table_watched_kb", idle[1])]);
    server.stop().await;
    Ok(figures)
}

/// All pairs play at the same time; what they measured, and how long it took.
async fn all_at_once(addr: SocketAddr, wish: &Wish, think: Duration) -> Result<(Measured, f64), String> {
    static PAIRS: AtomicUsize = AtomicUsize::new(0);
    let mut pairs = Vec::new();
    for _ in 0..wish.games {
        pairs.push(Pair::new(addr, PAIRS.fetch_add(1, Relaxed)).await?);
    }
    let started = Instant::now();
    let deadline = started + Duration::from_secs_f64(wish.seconds);
    let playing: Vec<_> = pairs.into_iter().map(|pair| tokio::spawn(pair.play(think, deadline))).collect();
    let mut all = Measured::default();
    for pair in playing {
        let measured = pair.await.map_err(|error| error.to_string())??;
        all.to_self.extend(measured.to_self);
        all.to_other.extend(measured.to_other);
        all.games += measured.games;
    }
    let seconds = started.elapsed().as_secs_f64();
    all.to_self.sort_unstable();
    all.to_other.sort_unstable();
    Ok((all, seconds))
}

pub(crate) fn percentile(sorted: &[Duration], percent: f64) -> f64 {
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
        let mut socket = Socket::at(&rest, table).await?;
        // What the client remembers is no cost of the server's.
        socket.tables.clear();
        sockets.push(socket);
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
pub(crate) async fn answer_one(socket: &mut Socket, table: &str, dice: &mut Dice, id: u32) -> Result<bool, String> {
    loop {
        let now = socket.followed(table)?;
        if now.is_over() {
            return Ok(false);
        }
        if let (Some((number, _)), Some(question)) = (now.asked(), now.question()) {
            socket.answer(table, number, id, dice.answer(&question)).await?;
            until(socket, table, number + 1).await?;
            return Ok(true);
        }
        socket.next().await?;
    }
}

/// Hear the server until the game is over or at this ask.
async fn until(socket: &mut Socket, table: &str, ask: u32) -> Result<(), String> {
    while socket.followed(table)?.asked().is_some_and(|(number, _)| number < ask) {
        socket.next().await?;
    }
    Ok(())
}

/// Two people who play game after game with each other.
struct Pair {
    people: [Rest; 2],
    sockets: [Socket; 2],
    table: String,
    dice: Dice,
}

impl Pair {
    async fn new(addr: SocketAddr, number: usize) -> Result<Pair, String> {
        let people = [Rest::guest(addr, &format!("Dark {number}")).await?, Rest::guest(addr, &format!("Light {number}")).await?];
        let sockets = [Socket::open(&people[0]).await?, Socket::open(&people[1]).await?];
        let mut pair = Pair { people, sockets, table: String::new(), dice: Dice(number as u64) };
        pair.next_game().await?;
        Ok(pair)
    }

    async fn next_game(&mut self) -> Result<(), String> {
        let last = std::mem::replace(&mut self.table, self.people[0].opens(Clock::None).await?.id);
        self.people[1].joins(&self.table).await?;
        for socket in &mut self.sockets {
            if socket.tables.remove(&last).is_some() {
                socket.send(&ClientMessage::Unwatch { table: last.clone() }).await?;
            }
            socket.watch(&self.table).await?;
        }
        Ok(())
    }

    /// Play until the time is up; `think` is the time before each answer.
    async fn play(mut self, think: Duration, deadline: Instant) -> Result<Measured, String> {
        let mut measured = Measured::default();
        // Not all at the same moment.
        tokio::time::sleep(think.mul_f64(self.dice.below(1000) as f64 / 1000.0)).await;
        while Instant::now() < deadline {
            let Some((ask, seat)) = self.sockets[0].followed(&self.table)?.asked() else {
                measured.games += 1;
                self.next_game().await?;
                continue;
            };
            until(&mut self.sockets[seat], &self.table, ask).await?;
            let question = self.sockets[seat].followed(&self.table)?.question().ok_or("no question")?;
            let answer = self.dice.answer(&question);
            tokio::time::sleep(think).await;
            let sent = Instant::now();
            self.sockets[seat].answer(&self.table, ask, ask, answer).await?;
            until(&mut self.sockets[seat], &self.table, ask + 1).await?;
            measured.to_self.push(sent.elapsed());
            until(&mut self.sockets[1 - seat], &self.table, ask + 1).await?;
            measured.to_other.push(sent.elapsed());
        }
        Ok(measured)
    }
}

/// Kilobytes of memory that this process has in use.
fn resident() -> Result<f64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| format!("memory is measured on Linux only: {error}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS in /proc/self/status")?;
    line.trim().trim_end_matches("kB").trim().parse().map_err(|error| format!("VmRSS: {error}"))
}
