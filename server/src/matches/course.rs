//! The course of a match: answers taken and stored, windows passed, bots woken, clocks run, the end.

use super::actor::{By, Command, Match, Step, random_number};
use super::clock::Clocks;
use super::picture::{self, Told};
use super::record::Record;
use super::steps;
use crate::protocol::MatchState;
use crate::store::{AnswerRow, SeatRow, StoreError};
use std::time::{Duration, Instant};
use trilogy_bots::Bot;
use trilogy_engine::journal::Writer;
use trilogy_engine::{Answer, PlayerId, Status, Viewer};

impl Match {
    pub(super) fn over(&self) -> bool {
        matches!(self.record.state, MatchState::Over { .. })
    }

    pub(super) fn ask_number(&self) -> u32 {
        self.game.as_ref().map_or(0, |game| game.answers().len() as u32).wrapping_add(self.aside.undone)
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
        let ask = self.ask_number();
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
        let left = (!self.clocks.is_none()).then(|| self.clocks.stored(now));
        let row = AnswerRow { line: writer.take(), ask: Some(ask), sent: by.number(), by: by.written(), left, at: 0 };
        if let Err(error) = self.hall.store().append_answer(&self.claim, count as u32, row).await {
            if let Some(game) = &mut self.game {
                game.back_to(count - 1);
            }
            self.clocks.run(Some(seat as usize), now);
            // Also one that failed may be on disk.
            self.unsure = error != StoreError::Fenced;
            return Err(self.not_stored(error));
        }
        if let Some(id) = by.number() {
            self.remember_taken(seat, ask, id);
        }
        self.steps.push(Step { seat, by, revealed: steps::revealed(&masks, &events) });
        self.aside.answered();
        let told = Told::of(&self.catalogue, used, &events, count as u32);
        if let Some((winner, how)) = self.ended_by_rules() {
            self.finish(winner, how).await;
        }
        Ok(told)
    }

    /// A storage that failed may have the answer nevertheless: then the match goes on from there.
    pub(super) async fn make_sure(&mut self) -> Result<(), String> {
        let answers = self.hall.store().answers(&self.record.id).await.map_err(|error| {
            tracing::error!(table = self.record.id, %error, "a match could not be read");
            "the storage does not answer; try again".to_string()
        })?;
        self.unsure = false;
        if answers.len() == self.game.as_ref().map_or(0, |game| game.answers().len()) {
            return Ok(());
        }
        self.logs = Default::default();
        if let Err(error) = self.load(&answers) {
            tracing::error!(table = self.record.id, error, "a match could not be played again");
            self.ends = true;
            return Err("the match is being fetched; try again".into());
        }
        self.aside.answered();
        if let Some(left) = answers.last().and_then(|last| last.left) {
            self.clocks = Clocks::restored(self.record.clock.clone(), left);
        }
        if let Some((winner, how)) = self.ended_by_rules() {
            self.finish(winner, how).await;
        }
        self.settle();
        self.start_over().await;
        Ok(())
    }

    /// Answer for people what is not worth a stop, and pass where they wish it. Nobody is shown a question that the server
    /// answers for them.
    pub(super) async fn pass_for_people(&mut self, mut told: Told) -> Told {
        while let Some(seat) = self.asked().filter(|seat| !self.aside.paused && !self.is_bot(*seat))
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
        if self.asked().is_some_and(|seat| !self.aside.paused && !self.thinking && self.is_bot(seat)) {
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

    pub(super) fn run_clock(&mut self) {
        let seat = self.asked().filter(|_| !self.aside.paused && !self.aside.waits).map(usize::from);
        self.clocks.run(seat, Instant::now());
    }

    /// What is answered for this player without asking, by the stops they set.
    pub(super) fn goes_without(&self, seat: u8) -> Option<Answer> {
        let stops = &self.aside.stops[seat as usize & 1];
        let view = self.view(seat as usize)?;
        let window = picture::window(&view);
        if stops.full_control || window.as_ref().is_some_and(|window| stops.except.contains(window)) {
            return None;
        }
        if stops.auto_pass && window.is_some() { Some(Answer::Pick(Vec::new())) } else { view.usual() }
    }

    /// Let the bot that is asked think, in its turn among all others'. The match goes on meanwhile.
    pub(super) fn let_bot_think(&mut self) {
        let Some(seat) = self.asked().filter(|seat| self.is_bot(*seat) && !self.aside.paused && !self.thinking) else { return };
        let (Some(mut bot), Some(game), Some(mail)) = (self.bots[seat as usize & 1].take(), &self.game, self.mail.clone()) else { return };
        self.thinking = true;
        let (hall, game, ask) = (self.hall.clone(), game.fork(), self.ask_number());
        let address = self.record.address.clone();
        tokio::spawn(async move {
            let thinking = move || {
                let answer = bot.answer(&game.view(Viewer::Player(PlayerId(seat))));
                (bot, answer)
            };
            let thought = hall.bots().run(&address, thinking).await;
            let thought = thought.inspect_err(|why| tracing::error!(?why, "a bot failed; another one takes its seat")).ok();
            if let Some(mail) = mail.upgrade() {
                let _ = mail.send(Command::Thought { ask, seat, thought: thought.map(|(thought, _)| thought) }).await;
            }
        });
    }

    /// What a bot has thought, if it is still what is asked.
    pub(super) async fn take_thought(&mut self, ask: u32, seat: u8, thought: Option<(Box<dyn Bot>, Answer)>) {
        self.thinking = false;
        let Some((bot, answer)) = thought else {
            let name = self.record.seats[seat as usize & 1].bot.clone().unwrap_or_default();
            self.bots[seat as usize & 1] = trilogy_bots::by_name(&name, random_number()).ok();
            self.bot_due = Some(Instant::now() + Duration::from_secs(1));
            return;
        };
        self.bots[seat as usize & 1] = Some(bot);
        if ask != self.ask_number() || self.asked() != Some(seat) || self.aside.paused {
            return self.settle();
        }
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

    /// End the match where ending it need not be on disk to be true: the rules say so, or the clock.
    pub(super) async fn finish(&mut self, winner: Option<u8>, how: String) {
        if self.try_finish(winner, how.clone()).await.is_err() && !self.ends {
            self.set_over(winner, how);
        }
    }

    pub(super) async fn try_finish(&mut self, winner: Option<u8>, how: String) -> Result<(), String> {
        let mut record = self.record.clone();
        record.state = MatchState::Over { winner, how: how.clone() };
        self.write(&record).await?;
        self.set_over(winner, how);
        Ok(())
    }

    /// Write down how the match stands.
    async fn write(&mut self, record: &Record) -> Result<(), String> {
        let row = record.row(self.noted(), self.hall.peers().id());
        let written = self.hall.store().update_table(&self.claim, &row).await;
        written.map_err(|error| self.not_stored(error))
    }

    pub(super) fn set_over(&mut self, winner: Option<u8>, how: String) {
        self.clocks.run(None, Instant::now());
        self.bot_due = None;
        self.aside.offers.clear();
        self.aside.paused = false;
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
        self.write(&record).await?;
        self.record = record;
        self.load(&[])?;
        self.settle();
        // Whoever sat down may have looked on before, and sees more now.
        self.start_over().await;
        Ok(())
    }
}
