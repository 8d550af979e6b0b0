//! Nothing is lost: `trilogy serve` is killed without warning at 50 random moments of games and started again on the
//! same folder. Every answer that was acknowledged is there, and both players go on from the same ask.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::serving::Server;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use trilogy_engine::{Answer, Catalogue, Journal, Silent};
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::protocol::{AnswerData, Clock, MatchState, ServerMessage, Table};

const KILLS: usize = 50;

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn serve(folder: &Path) -> Server {
    Server::start(&["--listen", "127.0.0.1:0", "--data", folder.to_str().unwrap()])
}

/// A game between two people and what they know of it.
struct Played {
    table: String,
    /// Answers that were acknowledged, in order; none where the usual stops answered what was not worth asking.
    taken: Vec<Option<AnswerData>>,
    /// One that was sent and not acknowledged, by which seat and for which ask: it may be there or not.
    sent: Option<(usize, u32, AnswerData)>,
    /// What each of them saw last, and after how many answers.
    seen: [Option<(usize, Table)>; 2],
}

impl Played {
    /// A new game, unless the server is gone. A table whose other seat was not taken before the end is left alone.
    async fn new(people: &[Rest; 2]) -> Result<Played, String> {
        let table = people[0].opens(Clock::None).await?.id;
        people[1].joins(&table).await?;
        Ok(Played { table, taken: Vec::new(), sent: None, seen: [None, None] })
    }

    /// So many answers there are: those after the last that was acknowledged came by themselves.
    fn taken_up_to(&mut self, stored: usize) {
        while self.taken.len() < stored {
            self.taken.push(None);
        }
    }

    fn note(&mut self, sockets: &[Socket; 2]) {
        for (seat, socket) in sockets.iter().enumerate() {
            let now = socket.table(&self.table).unwrap();
            if let Some(ask) = &now.ask {
                self.seen[seat] = Some((ask.number as usize, now));
            }
        }
    }

    /// After a restart: what must be there is there, and what was seen is seen again.
    async fn check(&mut self, sockets: &mut [Socket; 2]) {
        let sent = self.sent.take();
        let tables = [0, 1].map(|seat: usize| sockets[seat].table(&self.table).unwrap());
        assert_eq!(tables[0].state, tables[1].state);
        let Some(ask) = &tables[0].ask else {
            assert!(matches!(tables[0].state, MatchState::Over { .. }));
            self.taken.extend(sent.map(|(.., answer)| Some(answer)));
            return;
        };
        assert_eq!(Some((ask.number, ask.seat)), tables[1].ask.as_ref().map(|ask| (ask.number, ask.seat)), "both are at the same ask");
        let stored = ask.number as usize;
        assert!(stored >= self.taken.len(), "{stored} answers are there, {} were acknowledged", self.taken.len());
        if let Some((seat, number, answer)) = sent.filter(|_| stored > self.taken.len()) {
            // It is there, and whoever sends it again is told so.
            sockets[seat].answer(&self.table, number, number, answer.clone()).await.unwrap();
            loop {
                match sockets[seat].next().await.unwrap() {
                    ServerMessage::Accepted { id, .. } => break assert_eq!(id, number),
                    ServerMessage::Rejected { reason, .. } => panic!("not acknowledged: {reason}"),
                    _ => {}
                }
            }
            self.taken.push(Some(answer));
        }
        self.taken_up_to(stored);
        for (seen, now) in self.seen.iter().zip(&tables) {
            if let Some((count, before)) = seen
                && *count == stored
            {
                // Whoever is back in the room is not part of the game.
                let mut now = now.clone();
                now.seats.iter_mut().zip(&before.seats).for_each(|(seat, before)| seat.connected = before.connected);
                assert_eq!(now, *before);
            }
        }
    }

    /// Play until the line breaks or the game is over.
    async fn play(&mut self, sockets: &mut [Socket; 2], dice: &mut Dice) -> Result<(), String> {
        loop {
            let Some(ask) = sockets[0].table(&self.table)?.ask else { return Ok(()) };
            let seat = usize::from(ask.seat);
            while sockets[seat].table(&self.table)?.ask.is_none_or(|now| now.number < ask.number) {
                sockets[seat].next().await?;
            }
            let question = sockets[seat].table(&self.table)?.ask.and_then(|ask| ask.question).ok_or("no question")?;
            self.taken_up_to(ask.number as usize);
            let answer = dice.answer(&question);
            self.sent = Some((seat, ask.number, answer.clone()));
            sockets[seat].answer(&self.table, ask.number, ask.number, answer).await?;
            loop {
                match sockets[seat].next().await? {
                    ServerMessage::Accepted { .. } => break,
                    ServerMessage::Rejected { reason, .. } => panic!("rejected: {reason}"),
                    _ => {}
                }
            }
            self.taken.extend(self.sent.take().map(|(.., answer)| Some(answer)));
            for socket in sockets.iter_mut() {
                while socket.table(&self.table)?.ask.is_some_and(|now| now.number == ask.number) {
                    socket.next().await?;
                }
            }
            self.note(sockets);
        }
    }

    /// The journal tells the very answers that were given, and all its hashes hold.
    async fn verify(&self, people: &[Rest; 2], catalogue: &Arc<Catalogue>) -> Result<(), String> {
        let text = people[0].text(&format!("/api/replays/{}/journal", self.table)).await?;
        let journal = Journal::parse(&text).unwrap();
        let told = (0..journal.answers()).map(|at| match journal.answer(at) {
            Answer::Pick(picks) => AnswerData::Pick(picks.into_iter().map(u32::from).collect()),
            Answer::Number(number) => AnswerData::Number(number),
        });
        let told: Vec<AnswerData> = told.collect();
        assert!(told.len() >= self.taken.len(), "{} answers are told, {} were given", told.len(), self.taken.len());
        for (told, given) in told.iter().zip(&self.taken) {
            assert!(given.as_ref().is_none_or(|given| given == told), "{told:?} is told, {given:?} was given");
        }
        journal.replay(catalogue, journal.answers(), &mut Silent).unwrap();
        Ok(())
    }

    /// Play game after game until the server is gone.
    async fn play_on(&mut self, people: &[Rest; 2], sockets: &mut [Socket; 2], dice: &mut Dice, of: &Arc<Catalogue>) -> Result<(), String> {
        loop {
            self.play(sockets, dice).await?;
            self.verify(people, of).await?;
            *self = Played::new(people).await?;
            for socket in sockets.iter_mut() {
                socket.watch(&self.table).await?;
            }
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(kill_again_and_again());
}

async fn kill_again_and_again() {
    let folder = Folder(std::env::temp_dir().join(format!("trilogy-crash-{}", std::process::id())));
    let catalogue = Arc::new(trilogy_games::find("tcg").unwrap().catalogue().unwrap());
    let mut dice = Dice(std::process::id().into());
    let mut server = serve(&folder.0);
    let mut people = [Rest::guest(server.addr, "Ana").await.unwrap(), Rest::guest(server.addr, "Ben").await.unwrap()];
    let mut game = Played::new(&people).await.unwrap();
    for kill in 1..=KILLS {
        let mut sockets = [Socket::at(&people[0], &game.table).await.unwrap(), Socket::at(&people[1], &game.table).await.unwrap()];
        game.check(&mut sockets).await;
        if sockets[0].table(&game.table).unwrap().ask.is_none() {
            game.verify(&people, &catalogue).await.unwrap();
            game = Played::new(&people).await.unwrap();
            for socket in &mut sockets {
                socket.watch(&game.table).await.unwrap();
            }
        }
        let moment = Duration::from_micros(dice.below(150_000) as u64);
        let doomed = tokio::task::spawn_blocking(move || {
            std::thread::sleep(moment);
            server.kill();
        });
        let cut_short = game.play_on(&people, &mut sockets, &mut dice, &catalogue).await;
        println!("kill {kill} after {moment:?} and {} answers: {cut_short:?}", game.taken.len());
        doomed.await.unwrap();
        server = serve(&folder.0);
        people.iter_mut().for_each(|person| person.addr = server.addr);
    }
    let mut sockets = [Socket::at(&people[0], &game.table).await.unwrap(), Socket::at(&people[1], &game.table).await.unwrap()];
    game.check(&mut sockets).await;
    game.play(&mut sockets, &mut dice).await.unwrap();
    game.verify(&people, &catalogue).await.unwrap();
}
