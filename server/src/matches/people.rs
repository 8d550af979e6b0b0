//! What people do at a match: answer, take back, resign, offer, talk, ask about the table.

use super::actor::{By, Match, SPECTATORS, Stream, Watcher, written};
use super::aside::Offer;
use super::{picture, steps, why_not};
use crate::protocol::{AnswerData, ClientMessage, MatchState, ServerMessage, Stops};
use crate::store::{self, ChatRow};
use crate::work::For;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Chat: characters in a message, and messages of one user in a span of time.
const LONGEST_MESSAGE: usize = 300;
const MESSAGES: usize = 5;
const IN_TIME: Duration = Duration::from_secs(10);

impl Match {
    pub(super) async fn does(&mut self, watcher: Watcher, message: ClientMessage, arrived: Instant) {
        let seat = watcher.user.as_deref().and_then(|user| self.record.seat_of(user));
        let id = if let ClientMessage::Answer { id, .. } = &message { Some(*id) } else { None };
        let done = match (message, seat) {
            (ClientMessage::Chat { text, .. }, _) => self.say(&watcher, seat, &text).await,
            (ClientMessage::TraceValue { card, stat, .. }, _) => {
                self.trace(&watcher, seat, card, stat);
                Ok(())
            }
            (ClientMessage::WhyNot { .. }, _) => {
                let stream = seat.map_or(SPECTATORS, usize::from);
                let asked = self.view(stream).filter(|_| seat == self.asked());
                let reasons = asked.map(|view| why_not::reasons(&view)).unwrap_or_default();
                watcher.out.send(&ServerMessage::Reasons { table: self.record.id.clone(), reasons });
                Ok(())
            }
            (_, None) => Err("you have no seat at this table".into()),
            (ClientMessage::Answer { ask, id, answer, .. }, Some(seat)) => self.answer(&watcher, seat, ask, id, answer, arrived).await,
            (ClientMessage::Resign { .. }, Some(seat)) => self.resign(seat).await,
            (ClientMessage::Rematch { .. }, Some(seat)) => self.wish_rematch(seat).await,
            (ClientMessage::Stops { stops, .. }, Some(seat)) => self.set_stops(seat, stops).await,
            (_, Some(_)) if self.record.state != MatchState::Playing => Err("the match is not being played".into()),
            (ClientMessage::Undo { .. }, Some(seat)) => self.undo(seat).await,
            (ClientMessage::UndoReply { agree, .. }, Some(seat)) => self.reply_to_undo(seat, agree).await,
            (ClientMessage::OfferDraw { .. }, Some(seat)) => self.offer_draw(seat).await,
            (ClientMessage::Pause { .. }, Some(seat)) => self.pause(seat).await,
            (
                ClientMessage::Hello { .. } | ClientMessage::Watch { .. } | ClientMessage::Unwatch { .. } | ClientMessage::Ping { .. },
                Some(_),
            ) => Err("this is not for a match".into()),
        };
        if let Err(reason) = done {
            self.hall.metrics().refused.fetch_add(1, Relaxed);
            watcher.out.send(&ServerMessage::Rejected { table: Some(self.record.id.clone()), id, reason, rule: None });
        }
    }

    pub(super) async fn answer(
        &mut self,
        watcher: &Watcher,
        seat: u8,
        ask: u32,
        id: u32,
        answer: AnswerData,
        arrived: Instant,
    ) -> Result<(), String> {
        if self.unsure {
            self.make_sure().await?;
        }
        if self.has_taken(seat, ask, id) {
            self.accept(watcher, seat, id);
            return Ok(());
        }
        if self.record.state != MatchState::Playing {
            return Err(if self.over() { "the match is over".into() } else { "the other seat is still free".into() });
        }
        if self.aside.paused {
            return Err("the match is paused".into());
        }
        if self.asked() != Some(seat) {
            return Err("it is not for you to answer now".into());
        }
        if ask != self.ask_number() {
            return Err(format!("this answers ask {ask}, but the game is at ask {}", self.ask_number()));
        }
        let answer = steps::read(answer)?;
        let told = match self.take(seat, &answer, By::Person(id)).await {
            Ok(told) => told,
            Err(_) if self.unsure && self.make_sure().await.is_ok() && self.has_taken(seat, ask, id) => {
                self.accept(watcher, seat, id);
                return Ok(());
            }
            Err(reason) => return Err(reason),
        };
        let told = self.pass_for_people(told).await;
        self.settle();
        let due = self.changes(Some(told));
        self.accept(watcher, seat, id);
        for (stream, text) in due {
            self.send_to(stream, &text, None);
        }
        self.hall.metrics().answers.fetch_add(1, Relaxed);
        self.hall.metrics().answer_time.record(arrived.elapsed());
        Ok(())
    }

    /// Tell a client that its answer is on disk.
    fn accept(&self, watcher: &Watcher, seat: u8, id: u32) {
        let seq = self.streams[seat as usize & 1].as_ref().map_or(0, |held: &Stream| held.seq);
        watcher.out.send(&ServerMessage::Accepted { table: self.record.id.clone(), id, seq });
    }

    pub(super) async fn resign(&mut self, seat: u8) -> Result<(), String> {
        match self.record.state {
            MatchState::Over { .. } => return Err("the match is over".into()),
            MatchState::Open => self.try_finish(None, "closed".into()).await?,
            MatchState::Playing => self.try_finish(Some(1 - seat), "resigned".into()).await?,
        }
        self.broadcast(None);
        Ok(())
    }

    /// Where undoing would lead this seat, and whether nobody need be asked.
    pub(super) fn undo_point(&self, seat: u8) -> Option<(usize, bool)> {
        if self.record.state != MatchState::Playing {
            return None;
        }
        let at = self.steps.iter().rposition(|step| step.seat == seat && step.by.is_person())?;
        let clean = self.steps[at..].iter().all(|step| !step.revealed && step.seat == seat);
        Some((at, clean || self.is_bot(1 - seat)))
    }

    pub(super) async fn undo(&mut self, seat: u8) -> Result<(), String> {
        let (at, free) = self.undo_point(seat).ok_or("there is nothing to take back")?;
        if free {
            return self.go_back(at).await;
        }
        self.remember(|aside| aside.offer(Offer::Undo, seat)).await?;
        self.broadcast(None);
        Ok(())
    }

    pub(super) async fn reply_to_undo(&mut self, seat: u8, agree: bool) -> Result<(), String> {
        let asked = self.aside.offered(Offer::Undo, 1 - seat);
        let point = self.undo_point(1 - seat).filter(|_| asked).ok_or("nobody asks to take an answer back")?;
        if agree {
            return self.go_back(point.0).await;
        }
        self.remember(|aside| aside.take_back(Offer::Undo)).await?;
        self.broadcast(None);
        Ok(())
    }

    pub(super) async fn go_back(&mut self, to: usize) -> Result<(), String> {
        let Some(game) = &self.game else { return Err("the game has not begun".into()) };
        let before = self.aside.clone();
        // The number of an ask is never used twice, so that a late answer cannot meet another ask.
        self.aside.undone = self.aside.undone.wrapping_add((game.answers().len() - to) as u32 + 1);
        self.aside.answered();
        let noted = self.noted();
        if let Err(error) = self.hall.store().truncate_answers(&self.claim, to as u32, &noted).await {
            // Also what failed may have happened on disk; then the next answer finds out.
            (self.aside, self.unsure) = (before, true);
            return Err(self.not_stored(error));
        }
        if let Some(game) = &mut self.game {
            game.back_to(to);
        }
        self.steps.truncate(to);
        self.bot_due = None;
        self.settle();
        self.start_over().await;
        Ok(())
    }

    pub(super) async fn offer_draw(&mut self, seat: u8) -> Result<(), String> {
        if self.is_bot(1 - seat) {
            self.announce("the bot plays on");
            return Ok(());
        }
        if self.aside.offered(Offer::Draw, 1 - seat) {
            self.try_finish(None, "agreed".into()).await?;
        } else {
            self.remember(|aside| aside.offer(Offer::Draw, seat)).await?;
        }
        self.broadcast(None);
        Ok(())
    }

    pub(super) async fn pause(&mut self, seat: u8) -> Result<(), String> {
        let other = 1 - seat;
        let agreed = self.is_bot(other) || self.aside.offered(Offer::Pause, other);
        let paused = !self.aside.paused && agreed;
        if paused != self.aside.paused {
            self.clocks.run(None, Instant::now());
            self.remember(|aside| {
                aside.paused = paused;
                aside.take_back(Offer::Pause);
            })
            .await?;
            self.bot_due = None;
        } else {
            self.remember(|aside| aside.offer(Offer::Pause, seat)).await?;
        }
        self.run_clock();
        self.go_on().await;
        Ok(())
    }

    pub(super) async fn wish_rematch(&mut self, seat: u8) -> Result<(), String> {
        if !self.over() || self.game.is_none() {
            return Err("a rematch follows a match that is over".into());
        }
        if self.aside.rematch.is_some() {
            return Ok(());
        }
        let other = 1 - seat;
        if self.is_bot(other) || self.aside.offered(Offer::Rematch, other) {
            // A new match is played with the newest cards and rules.
            let newest = self.hall.newest(&self.record.game)?;
            let record = self.record.again(&newest)?;
            let hall = self.hall.clone();
            let who = For { address: self.record.address.clone(), user: None };
            let next = Box::pin(hall.open(&who, record, newest, Vec::new())).await.map_err(|failure| failure.problem.reason)?;
            self.remember(|aside| {
                aside.rematch = Some(next);
                aside.take_back(Offer::Rematch);
            })
            .await?;
        } else {
            self.remember(|aside| aside.offer(Offer::Rematch, seat)).await?;
        }
        self.broadcast(None);
        Ok(())
    }

    pub(super) async fn set_stops(&mut self, seat: u8, stops: Stops) -> Result<(), String> {
        let known = |name: &String| self.catalogue.windows.iter().any(|window| window.name == *name);
        if let Some(unknown) = stops.except.iter().find(|name| !known(name)) {
            let names: Vec<&str> = self.catalogue.windows.iter().map(|window| window.name.as_str()).collect();
            let unknown: String = unknown.chars().take(40).collect();
            return Err(format!("no window is called \"{unknown}\"; there are {}", names.join(", ")));
        }
        let except: BTreeSet<String> = stops.except.into_iter().collect();
        let stops = Stops { except: except.into_iter().collect(), ..stops };
        self.remember(|aside| aside.stops[seat as usize & 1] = stops).await?;
        self.go_on().await;
        Ok(())
    }

    pub(super) fn trace(&self, watcher: &Watcher, seat: Option<u8>, card: u32, stat: String) {
        let view = self.view(seat.map_or(SPECTATORS, usize::from));
        let (value, lines) = view.and_then(|view| picture::trace(&view, card, &stat)).unwrap_or_default();
        watcher.out.send(&ServerMessage::Trace { table: self.record.id.clone(), card, stat, value, lines });
    }

    pub(super) async fn say(&mut self, watcher: &Watcher, seat: Option<u8>, text: &str) -> Result<(), String> {
        let user = watcher.user.clone().ok_or("only those with a name can speak")?;
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let text = text.trim();
        if text.is_empty() || text.chars().count() > LONGEST_MESSAGE {
            return Err(format!("a message has 1 to {LONGEST_MESSAGE} characters"));
        }
        let now = Instant::now();
        self.chat.retain(|_, said| said.back().is_some_and(|at| now.duration_since(*at) < IN_TIME));
        let said = self.chat.entry(user.clone()).or_default();
        said.retain(|at| now.duration_since(*at) < IN_TIME);
        if said.len() >= MESSAGES {
            return Err(format!("no more than {MESSAGES} messages in {} seconds", IN_TIME.as_secs()));
        }
        said.push_back(now);
        let store = self.hall.store();
        let deaf = store.who_blocked(&user).await.unwrap_or_else(|error| {
            tracing::error!(%error, "blocks could not be read");
            Vec::new()
        });
        let row = ChatRow { user: Some(user), name: watcher.name.clone(), seat, text: text.into(), created: store::now() };
        match store.add_chat(&self.record.id, &row, self.hall.limits().limits().chat_lines).await {
            Ok(true) => {}
            Ok(false) => return Err("as much has been said at this table as can be kept".into()),
            Err(error) => tracing::error!(%error, "a message could not be stored"),
        }
        let message = ServerMessage::Said { table: self.record.id.clone(), by: watcher.name.clone(), seat, text: text.into() };
        let message = written(&message);
        for other in &self.watchers {
            if other.user.as_ref().is_none_or(|other| !deaf.contains(other)) {
                other.out.push(message.clone());
            }
        }
        Ok(())
    }

    /// Something the server says at this table.
    pub(super) fn announce(&self, text: &str) {
        let message = written(&ServerMessage::Said { table: self.record.id.clone(), by: String::new(), seat: None, text: text.into() });
        self.watchers.iter().for_each(|watcher| watcher.out.push(message.clone()));
    }
}
