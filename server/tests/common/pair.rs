//! Two people at a table of a running server, each with a socket.

use super::Place;
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::limits::Limits;
use trilogy_server::matches::Settings;
use trilogy_server::protocol::*;
use trilogy_server::{Config, Running, start};

pub async fn server(place: &Place) -> Running {
    let config = Config { limits: Limits::none(), matches: Settings::unlimited(), ..place.config() };
    start(config).await.expect("the server starts")
}

/// Two people at one table, each with a socket.
pub struct Pair {
    pub rest: [Rest; 2],
    pub sockets: [Socket; 2],
    pub table: String,
    pub ids: u32,
    pub dice: Dice,
}

impl Pair {
    pub async fn new(server: &Running, clock: Clock) -> Pair {
        Pair::between(server, ["Ana", "Ben"], clock).await
    }

    pub async fn between(server: &Running, names: [&str; 2], clock: Clock) -> Pair {
        let first = Rest::guest(server.addr, names[0]).await.unwrap();
        let second = Rest::guest(server.addr, names[1]).await.unwrap();
        let table = first.opens(clock).await.unwrap().id;
        second.joins(&table).await.unwrap();
        let sockets = [Socket::at(&first, &table).await.unwrap(), Socket::at(&second, &table).await.unwrap()];
        let mut pair = Pair { rest: [first, second], sockets, table, ids: 0, dice: Dice(7) };
        // The first hears that the second has come.
        pair.both(|table| table.seats.iter().all(|seat| seat.connected)).await;
        pair
    }

    pub fn table(&self, seat: usize) -> Table {
        self.sockets[seat].table(&self.table).unwrap()
    }

    pub async fn until(&mut self, seat: usize, test: impl Fn(&Table) -> bool) -> Table {
        wait(&mut self.sockets[seat], &self.table, test).await
    }

    pub async fn both(&mut self, test: impl Fn(&Table) -> bool) {
        for seat in [0, 1] {
            self.until(seat, &test).await;
        }
    }

    /// Whether the first two asks are one to each, and may be passed. They are taken back afterwards.
    pub async fn both_may_keep_all(&mut self) -> bool {
        let may_pass = |ask: &Ask| matches!(ask.question, Some(Question::Pick { least: 0, .. }));
        let (first, ask) = self.asked();
        if !may_pass(&ask) || !self.answer(Some(AnswerData::Pick(vec![]))).await {
            return false;
        }
        let (second, next) = self.asked();
        let fits = second != first && may_pass(&next) && self.table(first).undo_free;
        if fits {
            self.sockets[first].send(&ClientMessage::Undo { table: self.table.clone() }).await.unwrap();
            self.both(|table| table.ask.as_ref().is_some_and(|now| now.number > next.number)).await;
        }
        fits
    }

    /// A game in which so many answers have been given and that still goes on.
    pub async fn after(server: &Running, answers: usize) -> Pair {
        let mut pair = Pair::new(server, Clock::None).await;
        let mut given = 0;
        while given < answers {
            given += 1;
            if !pair.answer(None).await {
                pair = pair.another().await;
                given = 0;
            }
        }
        pair
    }

    /// The same people at another table.
    pub async fn another(mut self) -> Pair {
        self.table = self.rest[0].opens(Clock::None).await.unwrap().id;
        self.rest[1].joins(&self.table).await.unwrap();
        for socket in &mut self.sockets {
            socket.watch(&self.table).await.unwrap();
        }
        self
    }

    pub async fn reasons(&mut self, seat: usize) -> Vec<Reason> {
        self.sockets[seat].send(&ClientMessage::WhyNot { table: self.table.clone() }).await.unwrap();
        loop {
            if let ServerMessage::Reasons { reasons, .. } = self.sockets[seat].next().await.unwrap() {
                return reasons;
            }
        }
    }

    pub fn asked(&self) -> (usize, Ask) {
        let ask = self.table(0).ask.expect("somebody is asked");
        let seat = usize::from(ask.seat);
        (seat, self.table(seat).ask.expect("the other one knows, too"))
    }

    /// Give an answer and wait until both have heard of it. Returns whether the game goes on.
    pub async fn answer(&mut self, answer: Option<AnswerData>) -> bool {
        let (seat, ask) = self.asked();
        let question = ask.question.expect("the one who is asked knows the question");
        let answer = answer.unwrap_or_else(|| self.dice.answer(&question));
        self.ids += 1;
        let (table, id) = (self.table.clone(), self.ids);
        self.sockets[seat].answer(&table, ask.number, id, answer).await.unwrap();
        let heard = |table: &Table| table.ask.as_ref().is_none_or(|now| now.number > ask.number);
        self.both(heard).await;
        !matches!(self.table(0).state, MatchState::Over { .. })
    }
}

/// The same people at another server of the same storage.
pub async fn both_at(pair: &mut Pair, server: &Running) {
    pair.rest.iter_mut().for_each(|rest| rest.addr = server.addr);
    pair.sockets = [Socket::at(&pair.rest[0], &pair.table).await.unwrap(), Socket::at(&pair.rest[1], &pair.table).await.unwrap()];
    pair.both(|table| table.seats.iter().all(|seat| seat.connected)).await;
}

pub async fn wait(socket: &mut Socket, table: &str, test: impl Fn(&Table) -> bool) -> Table {
    loop {
        let now = socket.table(table).unwrap();
        if test(&now) {
            return now;
        }
        match socket.next().await {
            Ok(ServerMessage::Rejected { reason, .. }) => panic!("rejected: {reason}"),
            Ok(_) => {}
            Err(error) => panic!("{error}; the table stands at {:?}, {:?}", now.state, now.ask),
        }
    }
}

pub async fn rejection(socket: &mut Socket) -> String {
    loop {
        if let ServerMessage::Rejected { reason, .. } = socket.next().await.unwrap() {
            return reason;
        }
    }
}

/// Answer whatever is asked of this socket's seat until the game is over, or so many times.
pub async fn play(socket: &mut Socket, table: &str, dice: &mut Dice, most: u32) -> Table {
    for id in 0..most {
        let now = wait(socket, table, |table| {
            let over = matches!(table.state, MatchState::Over { .. });
            over || table.ask.as_ref().is_some_and(|ask| ask.question.is_some())
        })
        .await;
        let Some(Ask { number, question: Some(question), .. }) = now.ask else { return now };
        socket.answer(table, number, id, dice.answer(&question)).await.unwrap();
        wait(socket, table, |table| table.ask.as_ref().is_none_or(|ask| ask.number > number)).await;
    }
    socket.table(table).unwrap()
}
