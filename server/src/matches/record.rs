//! A match as it is stored: who plays what, how it stands. With its answers it is all that is needed to go on.

use crate::protocol::{Clock, MatchState, TableInfo};
use crate::store::{self, Noted, SeatRow, TableRow};
use trilogy_engine::catalogue::Catalogue;
use trilogy_engine::journal::hex;
use trilogy_engine::{Game, Setup};

#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) setup: Setup,
    /// Hash of the catalogue, in hex.
    pub(crate) catalogue: String,
    pub(crate) seats: [SeatRow; 2],
    pub(crate) clock: Clock,
    pub(crate) private: bool,
    pub(crate) state: MatchState,
    /// Whose household opened it.
    pub(crate) address: String,
    pub(crate) created: i64,
}

impl Record {
    /// A table that waits for somebody, or a match that can begin where both seats are taken.
    pub(crate) fn new(
        catalogue: &Catalogue,
        seats: [Option<(SeatRow, Vec<String>)>; 2],
        clock: Clock,
        private: bool,
        address: &str,
    ) -> Result<Record, String> {
        let state = if seats.iter().all(Option::is_some) { MatchState::Playing } else { MatchState::Open };
        let [first, second] = seats.map(Option::unwrap_or_default);
        Ok(Record {
            id: new_id()?,
            game: catalogue.game.clone(),
            setup: Setup { decks: [first.1, second.1], options: Default::default(), seed: random()? },
            catalogue: hex(&catalogue.hash),
            seats: [first.0, second.0],
            clock,
            private,
            state,
            address: address.into(),
            created: store::now(),
        })
    }

    /// The same decks and players once more, with fresh luck.
    pub(crate) fn again(&self, catalogue: &Catalogue) -> Result<Record, String> {
        let [first, second] = self.seats.clone();
        let [cards, more] = self.setup.decks.clone();
        Record::new(catalogue, [Some((first, cards)), Some((second, more))], self.clock.clone(), self.private, &self.address)
    }

    /// The seat that is free at an open table.
    pub(crate) fn free_seat(&self) -> Option<u8> {
        if self.state != MatchState::Open {
            return None;
        }
        self.seats.iter().position(|seat| seat.user.is_none() && seat.bot.is_none()).map(|at| at as u8)
    }

    pub(crate) fn seat_of(&self, user: &str) -> Option<u8> {
        self.seats.iter().position(|seat| seat.user.as_deref() == Some(user)).map(|at| at as u8)
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.state, MatchState::Over { .. })
    }

    pub(crate) fn info(&self, answers: u32, user: Option<&str>) -> TableInfo {
        let free = self.free_seat();
        let name = |at: u8| (free != Some(at)).then(|| self.seats[at as usize & 1].name.clone());
        TableInfo {
            id: self.id.clone(),
            game: self.game.clone(),
            players: vec![name(0), name(1)],
            state: self.state.clone(),
            clock: self.clock.clone(),
            private: self.private,
            answers,
            created: u32::try_from(self.created).unwrap_or(0),
            mine: user.is_some_and(|user| self.seat_of(user).is_some()),
            free_seat: free,
        }
    }

    /// How it is stored, with what a restart must remember and who goes on with it.
    pub(crate) fn row(&self, noted: Noted, owner: &str) -> TableRow {
        TableRow {
            id: self.id.clone(),
            game: self.game.clone(),
            setup: json(&self.setup),
            catalogue: self.catalogue.clone(),
            seats: self.seats.clone(),
            clock: json(&self.clock),
            private: self.private,
            state: json(&self.state),
            address: self.address.clone(),
            created: self.created,
            updated: store::now(),
            noted,
            owner: Some(owner.into()),
        }
    }

    pub(crate) fn read(row: TableRow) -> Result<Record, String> {
        let damaged = |error: serde_json::Error| format!("the stored match {} is damaged: {error}", row.id);
        Ok(Record {
            setup: serde_json::from_str(&row.setup).map_err(damaged)?,
            clock: serde_json::from_str(&row.clock).map_err(damaged)?,
            state: serde_json::from_str(&row.state).map_err(damaged)?,
            game: row.game,
            catalogue: row.catalogue,
            seats: row.seats,
            private: row.private,
            address: row.address,
            created: row.created,
            id: row.id,
        })
    }
}

/// The journal of a match: the head line, the packed catalogue where it is to carry that, its answers, and the end where the rules came
/// to one.
pub(crate) fn journal(game: &Game, lines: &[String], carries: Option<&[u8]>) -> Result<String, String> {
    let mut start = game.fork();
    start.back_to(0);
    let mut head = trilogy_engine::journal::Writer::new(start.catalogue(), start.setup(), &start.hash());
    if let Some(packed) = carries {
        head.carry(trilogy_games::archive::to_text(packed));
    }
    let mut text = head.into_text();
    lines.iter().for_each(|line| text += line);
    let mut end = trilogy_engine::journal::Writer::after(lines.len() as u32);
    end.end(game.status(), &game.hash());
    Ok(text + &end.take())
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

pub(crate) fn random() -> Result<[u8; 32], String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| format!("this machine gives no random numbers: {error}"))?;
    Ok(bytes)
}

/// An id that cannot be guessed: who has the link may look on.
fn new_id() -> Result<String, String> {
    Ok(hex(&random()?[..9]))
}
