//! The course of a match: answers taken and stored, windows passed, bots woken, clocks run, the end.

use super::actor::{By, DRAW, Match, Step, UNDO, random_number};
use super::picture::{self, Told};
use super::steps;
use crate::protocol::{Clock, MatchState};
use crate::store::SeatRow;
use std::time::{Duration, Instant};
use trilogy_engine::journal::Writer;
use trilogy_engine::{Answer, PlayerId, Status, Viewer};

impl Match {
    pub(super) fn over(&self) -> bool {
        matches!(self.record.state, MatchState::Over { .. })
    }

    pub(super) fn ask_number(&self) -> u32 {
        self.game.as_ref().map_or(0, |game| game.answers().len() as u32).wrapping_add(self.undone)
    }

    pub(super) fn asked(&self) -> Option<u8> {
        self.game.as_ref().filter(|_| !self.over()).and_then(|game| game.asked()).map(|player| player.0)
    }

    pub(super) fn is_bot(&self, seat: u8) -> bool {
        self.record.seats[seat as usize & 1].bot.is_some()
    }

    /// How the rules have ended the game, where the match does not know it yet.
    pub(super) fn ended_by_rules(&self) -> Option<(Option<u8>, String)> {
        let game = self.game.as_ref().filter(|_| !self.over())?;
        match game.status() {
            Status::Asking => None,
            Status::Won(player) => Some((Some(player.0), "rules".into())),
            Status::Drawn => Some((None, "rules".into())),
            Status::Broken(_) => Some((None, "broken".into())),
        }
    }

    /// Take an answer: on the game, then on disk. Where it cannot be stored, nothing has happened.
    pub(super) async fn take(&mut self, seat: u8, answer: &Answer, by: By) -> Result<Told, String> {
        if self.unsure {
            self.make_sure().await?;
        }
        let Some(game) = &mut self.game else { return Err("the game has not begun".into()) };
        let used = picture::used(game, answer);
        let masks = steps::masks(game);
        let events = game.answer(answer).map_err(|error| error.to_string())?;
        let count = game.answers().len();
        let mut writer = Writer::after(count as u32 - 1);
        writer.answer(answer, &game.hash());
        let now = Instant::now();
        if by == By::Stops {
            self.clocks.run(None, now);
        } else {
            self.clocks.answered(seat as usize, now);
        }
        if let Err(error) = self.hall.store().append_answer(&self.record.id, count as u32, &writer.take()).await {
            tracing::error!(table = self.record.id, %error, "an answer could not be stored");
            if let Some(game) = &mut self.game {
                game.back_to(count - 1);
            }
            self.clocks.run(Some(seat as usize), now);
            self.unsure = true;
            return Err("the answer could not be stored, so it was not taken; try again".into());
        }
        self.keep_clocks().await;
        self.steps.push(Step { seat, by, revealed: steps::revealed(&masks, &events) });
        self.offers.remove(DRAW);
        self.offers.remove(UNDO);
        let told = Told::of(&self.catalogue, used, &events, count as u32);
        if let Some((winner, how)) = self.ended_by_rules() {
            self.finish(winner, how).await;
        }
        Ok(told)
    }

    /// A storage that failed may have the answer nevertheless, or another server goes on with this match. Then this
    /// task lets go of it, and whoever asks for it next gets it from the storage.
    async fn make_sure(&mut self) -> Result<(), String> {
        let lines = self.hall.store().answers(&self.record.id).await.map_err(|error| {
            tracing::error!(table = self.record.id, %error, "a match could not be read");
            "the storage does not answer; try again".to_string()
        })?;
        self.unsure = false;
        self.stale = lines.len() != self.game.as_ref().map_or(0, |game| game.answers().len());
        if self.stale { Err("the match is being fetched; try again".into()) } else { Ok(()) }
    }

    /// Answer for people what is not worth a stop, and pass where they wish it. Nobody is shown a question that the server
    /// answers for them.
    pub(super) async fn pass_for_people(&mut self, mut told: Told) -> Told {
        while let Some(seat) = self.asked().filter(|seat| !self.paused && !self.is_bot(*seat))
            && let Some(answer) = self.goes_without(seat)
        {
            match self.take(seat, &answer, By::Stops).await {
                Ok(more) => told.add(more),
                Err(_) => break,
            }
        }
        told
    }

    /// Wake the bot that is asked, or start the clock of whoever is.
    pub(super) fn settle(&mut self) {
        if self.asked().is_some_and(|seat| !self.paused && self.is_bot(seat)) {
            self.bot_due.get_or_insert(Instant::now() + self.hall.bot_delay());
        }
        self.run_clock();
    }

    /// Go on as far as it goes without anybody, and tell everyone.
    pub(super) async fn go_on(&mut self) {
        let told = self.pass_for_people(Told::default()).await;
        self.settle();
        self.broadcast(Some(told));
    }

    /// Write down what the clocks show, where there are any.
    pub(super) async fn keep_clocks(&mut self) {
        if self.record.clock == Clock::None {
            return;
        }
        let now = Instant::now();
        self.record.clocks_left = [0, 1].map(|seat| self.clocks.left(seat, now).unwrap_or(0));
        if let Err(error) = self.hall.store().update_table(&self.record.row()).await {
            tracing::error!(table = self.record.id, %error, "clocks could not be stored");
        }
    }

    pub(super) fn run_clock(&mut self) {
        let seat = self.asked().filter(|_| !self.paused && !self.clock_waits).map(usize::from);
        self.clocks.run(seat, Instant::now());
    }

    /// What is answered for this player without asking, by the stops they set.
    pub(super) fn goes_without(&self, seat: u8) -> Option<Answer> {
        let stops = &self.stops[seat as usize & 1];
        let view = self.view(seat as usize)?;
        let window = picture::window(&view);
        if stops.full_control || window.as_ref().is_some_and(|window| stops.except.contains(window)) {
            return None;
        }
        if stops.auto_pass && window.is_some() { Some(Answer::Pick(Vec::new())) } else { view.usual() }
    }

    pub(super) async fn let_bot_answer(&mut self) {
        let Some(seat) = self.asked().filter(|seat| self.is_bot(*seat) && !self.paused) else { return };
        let (Some(mut bot), Some(game)) = (self.bots[seat as usize & 1].take(), &self.game) else { return };
        let game = game.fork();
        // Thinking takes a while; the other matches go on meanwhile.
        let thought = tokio::task::spawn_blocking(move || {
            let answer = bot.answer(&game.view(Viewer::Player(PlayerId(seat))));
            (bot, answer)
        });
        match thought.await {
            Ok((bot, answer)) => {
                self.bots[seat as usize & 1] = Some(bot);
                match self.take(seat, &answer, By::Bot).await {
                    Ok(told) => {
                        let told = self.pass_for_people(told).await;
                        self.settle();
                        self.broadcast(Some(told));
                    }
                    Err(error) => {
                        tracing::warn!(table = self.record.id, %error, "a bot's answer was not taken");
                        self.bot_due = Some(Instant::now() + Duration::from_secs(1));
                    }
                }
            }
            Err(error) => {
                tracing::error!(table = self.record.id, %error, "a bot failed; another one takes its seat");
                let name = self.record.seats[seat as usize & 1].bot.clone().unwrap_or_default();
                self.bots[seat as usize & 1] = trilogy_bots::by_name(&name, random_number()).ok();
                self.bot_due = Some(Instant::now() + Duration::from_secs(1));
            }
        }
    }

    /// End the match where ending it need not be on disk to be true: the rules say so, or the clock.
    pub(super) async fn finish(&mut self, winner: Option<u8>, how: String) {
        if let Err(error) = self.try_finish(winner, how.clone()).await {
            tracing::error!(table = self.record.id, error, "the end of a match could not be stored");
            self.set_over(winner, how);
        }
    }

    pub(super) async fn try_finish(&mut self, winner: Option<u8>, how: String) -> Result<(), String> {
        let mut record = self.record.clone();
        record.state = MatchState::Over { winner, how: how.clone() };
        self.hall.store().update_table(&record.row()).await.map_err(|error| {
            tracing::error!(table = self.record.id, %error, "the end of a match could not be stored");
            "this could not be stored, so it has not happened; try again".to_string()
        })?;
        self.set_over(winner, how);
        Ok(())
    }

    pub(super) fn set_over(&mut self, winner: Option<u8>, how: String) {
        self.clocks.run(None, Instant::now());
        self.bot_due = None;
        self.offers.clear();
        self.paused = false;
        self.record.state = MatchState::Over { winner, how };
        self.idle_since = Instant::now();
    }

    pub(super) async fn join(&mut self, seat: SeatRow, cards: Vec<String>) -> Result<(), String> {
        if seat.user.as_deref().is_some_and(|user| self.record.seat_of(user).is_some()) {
            return Err("you already sit at this table".into());
        }
        let free = self.record.free_seat().ok_or("no seat is free at this table")?;
        let mut record = self.record.clone();
        record.seats[free as usize] = seat;
        record.setup.decks[free as usize] = cards;
        record.state = MatchState::Playing;
        self.hall.store().update_table(&record.row()).await.map_err(|error| {
            tracing::error!(table = record.id, %error, "a seat could not be stored");
            "the seat could not be stored; try again".to_string()
        })?;
        self.record = record;
        self.load(&[])?;
        self.settle();
        // Whoever sat down may have looked on before, and sees more now.
        self.start_over();
        Ok(())
    }
}
