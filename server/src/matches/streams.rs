//! Those who look on at a match: what each kind of viewer has been sent, and what has changed for them since.

use super::actor::{Match, SPECTATORS, Stream, Watcher, random_number, written};
use super::picture::{self, Frame, Told};
use super::{patch, steps};
use crate::protocol::{LogLine, Motion, Seat, ServerMessage, Stops, Table};
use crate::work::For;
use axum::extract::ws::Utf8Bytes;
use std::collections::BTreeMap;
use std::time::Instant;
use trilogy_engine::journal::hex;
use trilogy_engine::{Game, PlayerId, Random, View, Viewer};

impl Match {
    pub(super) fn stream_of(&self, watcher: &Watcher) -> usize {
        watcher.user.as_deref().and_then(|user| self.record.seat_of(user)).map_or(SPECTATORS, usize::from)
    }

    pub(super) async fn watch(&mut self, watcher: Watcher, since: u32) {
        self.recall_log(self.teller(self.stream_of(&watcher))).await;
        let known = self.watchers.iter().any(|other| other.socket == watcher.socket);
        let stream = self.stream_of(&watcher);
        self.watchers.retain(|other| other.socket != watcher.socket);
        if !known {
            // The others see that somebody has come.
            self.watchers.push(watcher.clone());
            let newcomer = watcher.socket;
            self.broadcast_except(None, Some(newcomer));
        } else {
            self.watchers.push(watcher.clone());
        }
        if stream != SPECTATORS && self.aside.waits && self.remember(|aside| aside.waits = false).await.is_ok() {
            self.run_clock();
        }
        match &self.streams[stream] {
            Some(held) if held.seq == since => {
                let update = self.update(held.seq, held.seq, serde_json::json!({}), Vec::new(), Vec::new());
                watcher.out.send(&update);
            }
            _ => {
                let message = self.snapshot(stream);
                watcher.out.send(&message);
            }
        }
    }

    pub(super) fn leave(&mut self, socket: u64) {
        let before = self.watchers.len();
        self.watchers.retain(|watcher| watcher.socket != socket);
        if self.watchers.len() != before {
            if self.watchers.is_empty() {
                self.idle_since = Instant::now();
            }
            self.broadcast(None);
        }
    }

    /// The whole table for a stream, as an update from nothing.
    pub(super) fn snapshot(&mut self, stream: usize) -> ServerMessage {
        // Those who look on already have this very picture; one who comes joins them there.
        if self.streams[stream].is_none() {
            let seq = 1 + random_number() as u32 % (1 << 30);
            self.streams[stream] = Some(Stream { seq, last: self.picture(stream) });
        }
        let log = self.logs[self.teller(stream)].clone().unwrap_or_default();
        let held = self.streams[stream].as_ref();
        let (seq, shown) = held.map_or((0, None), |held| (held.seq, patch::tables(None, &held.last)));
        self.update(0, seq, shown.unwrap_or_default(), log, Vec::new())
    }

    pub(super) fn update(&self, base: u32, seq: u32, patch: serde_json::Value, log: Vec<LogLine>, moves: Vec<Motion>) -> ServerMessage {
        ServerMessage::Update { table: self.record.id.clone(), base, seq, patch, log, moves }
    }

    /// As whom those of a stream are told the log: when the match is over, as one who has seen everything.
    fn teller(&self, stream: usize) -> usize {
        if self.over() { 3 } else { stream }
    }

    /// Have the log from its start at hand. It is told anew by playing the game again, where others do not wait for it.
    async fn recall_log(&mut self, teller: usize) {
        let (None, Some(game)) = (&self.logs[teller], &self.game) else { return };
        let (catalogue, setup, answers) = (self.catalogue.clone(), game.setup().clone(), game.answers().to_vec());
        let retelling = move || {
            let mut lines = Vec::new();
            steps::retell(&catalogue, &setup, &answers, |told| lines.append(&mut told.lines[teller]));
            lines
        };
        // All who look on are told the same: it is done for the match, not for one of them.
        let who = For { address: self.record.address.clone(), user: None };
        self.logs[teller] = self.hall.work().run(&who, retelling).await.ok();
    }

    pub(super) fn broadcast(&mut self, told: Option<Told>) {
        self.broadcast_except(told, None);
    }

    /// Send everybody what has changed for them.
    pub(super) fn broadcast_except(&mut self, told: Option<Told>, except: Option<u64>) {
        for (stream, text) in self.changes(told) {
            self.send_to(stream, &text, except);
        }
    }

    pub(super) fn send_to(&self, stream: usize, text: &Utf8Bytes, except: Option<u64>) {
        for watcher in self.watchers.iter().filter(|watcher| self.stream_of(watcher) == stream && Some(watcher.socket) != except) {
            watcher.out.push(text.clone());
        }
    }

    /// The updates that are due, by stream. Streams that nobody follows are let go.
    pub(super) fn changes(&mut self, told: Option<Told>) -> Vec<(usize, Utf8Bytes)> {
        let mut told = told.unwrap_or_default();
        for (log, lines) in self.logs.iter_mut().zip(&told.lines) {
            log.iter_mut().for_each(|log| log.extend(lines.iter().cloned()));
        }
        let mut due = Vec::new();
        for stream in 0..self.streams.len() {
            if !self.watchers.iter().any(|watcher| self.stream_of(watcher) == stream) {
                self.streams[stream] = None;
            }
        }
        for (stream, now) in self.pictures().into_iter().enumerate() {
            // A stream without a beginning starts with the snapshot of its first follower.
            let (Some(held), Some(now)) = (&self.streams[stream], now) else { continue };
            let (log, moves) = (std::mem::take(&mut told.lines[stream]), std::mem::take(&mut told.motions[stream]));
            let change = patch::tables(Some(&held.last), &now);
            if change.is_none() && log.is_empty() && moves.is_empty() {
                continue;
            }
            let (base, seq) = (held.seq, held.seq.wrapping_add(1).max(1));
            self.streams[stream] = Some(Stream { seq, last: now });
            due.push((stream, written(&self.update(base, seq, change.unwrap_or_else(|| serde_json::json!({})), log, moves))));
        }
        due
    }

    /// What everybody knows is no longer true (an answer was taken back): all start from nothing again.
    pub(super) async fn start_over(&mut self) {
        let answers = self.game.as_ref().map_or(0, |game| game.answers().len() as u32);
        self.logs.iter_mut().flatten().for_each(|log| log.retain(|line| line.answer <= answers));
        self.streams = [None, None, None];
        for stream in 0..self.streams.len() {
            if self.watchers.iter().any(|watcher| self.stream_of(watcher) == stream) {
                self.recall_log(self.teller(stream)).await;
                let text = written(&self.snapshot(stream));
                self.send_to(stream, &text, None);
            }
        }
    }

    pub(super) fn viewer(&self, stream: usize) -> Viewer {
        match stream {
            _ if self.over() => Viewer::Referee,
            0 | 1 => Viewer::Player(PlayerId(stream as u8)),
            _ => Viewer::Spectator,
        }
    }

    pub(super) fn view(&self, stream: usize) -> Option<View<'_>> {
        self.game.as_ref().map(|game| game.view(self.viewer(stream)))
    }

    pub(super) fn picture(&self, stream: usize) -> Table {
        self.picture_in(self.view(stream), stream)
    }
    fn picture_in(&self, view: Option<View<'_>>, stream: usize) -> Table {
        let frame = self.frame(stream);
        match view {
            Some(view) => picture::table(&view, frame),
            None => picture::empty(frame, &self.catalogue),
        }
    }
    /// What each stream that has begun is shown now. They show one table, so that its values are worked out once.
    fn pictures(&self) -> [Option<Table>; 3] {
        let views = self.game.as_ref().map(Game::views);
        std::array::from_fn(|stream| {
            self.streams[stream].as_ref()?;
            Some(self.picture_in(views.as_ref().map(|views| views.of(self.viewer(stream))), stream))
        })
    }

    pub(super) fn frame(&self, stream: usize) -> Frame {
        let now = Instant::now();
        let seat = (stream < 2).then_some(stream as u8);
        let seats = self.record.seats.iter().enumerate().map(|(at, taken)| {
            let deck_shown = at == stream || taken.bot.is_some() || self.over();
            Seat {
                name: taken.name.clone(),
                side: String::new(),
                bot: taken.bot.clone(),
                connected: taken.bot.is_some() || self.watchers.iter().any(|watcher| self.stream_of(watcher) == at),
                deck: if deck_shown { taken.deck_name.clone() } else { String::new() },
                clock: self.clocks.left(at, now),
                counters: BTreeMap::new(),
                values: BTreeMap::new(),
            }
        });
        Frame {
            id: self.record.id.clone(),
            game: self.record.game.clone(),
            seat,
            seats: seats.collect(),
            state: self.record.state.clone(),
            offers: self.aside.offers.iter().map(|(what, seats)| (what.name().to_string(), seats.iter().copied().collect())).collect(),
            paused: self.aside.paused,
            spectators: self.watchers.iter().filter(|watcher| self.stream_of(watcher) == SPECTATORS).count() as u32,
            stops: seat.map_or_else(Stops::default, |seat| self.aside.stops[seat as usize].clone()),
            undo_free: seat.is_some_and(|seat| self.undo_point(seat).is_some_and(|(_, free)| free)),
            commitment: Random::commitment(&self.record.setup.seed),
            seed: self.over().then(|| hex(&self.record.setup.seed)),
            ask: self.ask_number(),
            rematch: self.aside.rematch.clone(),
        }
    }
}
