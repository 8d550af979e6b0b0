//! The REST interface of matches: tables to open, find and join; replays to step through, download and play on from;
//! the user's own history.

use super::actor::Command;
use super::clock;
use super::record::Record;
use super::replay::What as Part;
use crate::accounts::User;
use crate::app::{App, Shared};
use crate::decks::{Playable, game_named, playable, playable_with};
use crate::failure::{Failure, Input};
use crate::limits::What;
use crate::protocol::{Clock, History, MatchState, NewTable, Table, TableInfo};
use crate::ready::Keeps;
use crate::store::SeatRow;
use crate::work::For;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use trilogy_engine::Catalogue;

pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .route("/api/bots", get(async || Json(trilogy_bots::NAMES)))
        .route("/api/tables", get(list).post(create))
        .route("/api/tables/{id}", get(show))
        .route("/api/tables/{id}/view", get(view))
        .route("/api/tables/{id}/join", post(join))
        .route("/api/replays/{id}", get(replay))
        .route("/api/replays/{id}/at/{answers}", get(at))
        .route("/api/replays/{id}/journal", get(journal))
        .route("/api/replays/{id}/fork", post(fork))
        .route("/api/history", get(history))
}

async fn list(State(app): State<Shared>, user: Option<User>) -> Json<Vec<TableInfo>> {
    Json(app.hall.list(user.as_ref().map(|user| user.id.as_str())).await)
}

async fn create(
    State(app): State<Shared>,
    who: For,
    user: User,
    Input(new): Input<NewTable>,
) -> Result<(StatusCode, Json<TableInfo>), Failure> {
    clock::check(&new.clock).map_err(Failure::bad)?;
    let game = game_named(&app, &new.game)?;
    let mine = playable(&app, &who, &new.game, &new.deck).await?;
    let side = usize::from(mine.seat & 1);
    let mut seats = [None, None];
    if let Some(bot) = &new.bot {
        trilogy_bots::by_name(bot, 0).map_err(Failure::bad)?;
        let id = match &new.bot_deck {
            Some(id) => id.clone(),
            None => {
                let fitting: Vec<&str> = game.starters.iter().filter(|deck| deck.seat != mine.seat).map(|deck| deck.id.as_str()).collect();
                let any = super::record::random().map_err(Failure::internal)?[0] as usize;
                fitting.get(any % fitting.len().max(1)).ok_or_else(|| Failure::bad("there is no deck for the bot"))?.to_string()
            }
        };
        let theirs = playable(&app, &who, &new.game, &id).await?;
        if theirs.seat == mine.seat {
            return Err(Failure::bad("both decks are for the same side"));
        }
        seats[1 - side] = Some(bot_seat(bot, theirs));
    }
    seats[side] = Some(seat(&user, mine));
    let catalogue = game.catalogue.clone();
    let record = Record::new(&catalogue, seats, new.clock, new.private, &who.address).map_err(Failure::internal)?;
    open(&app, &who, &user, record, catalogue, Vec::new()).await
}

async fn open(
    app: &App,
    who: &For,
    user: &User,
    record: Record,
    catalogue: Arc<Catalogue>,
    lines: Vec<String>,
) -> Result<(StatusCode, Json<TableInfo>), Failure> {
    let info = record.info(lines.len() as u32, Some(&user.id));
    app.hall.open(who, record, catalogue, lines).await?;
    Ok((StatusCode::CREATED, Json(info)))
}

fn seat(user: &User, deck: Playable) -> (SeatRow, Vec<String>) {
    (SeatRow { user: Some(user.id.clone()), name: user.name.clone(), bot: None, deck_name: deck.name }, deck.cards)
}

fn bot_seat(bot: &str, deck: Playable) -> (SeatRow, Vec<String>) {
    (SeatRow { user: None, name: format!("{bot} bot"), bot: Some(bot.into()), deck_name: deck.name }, deck.cards)
}

async fn show(State(app): State<Shared>, who: For, Path(id): Path<String>) -> Result<Json<TableInfo>, Failure> {
    Ok(Json(app.hall.info(&who, &id).await?.told_to(who.user.as_deref())))
}

/// The table as this user sees it now, for those who do not keep a socket.
async fn view(State(app): State<Shared>, who: For, Path(id): Path<String>) -> Result<Json<Table>, Failure> {
    let handle = app.hall.find(&who, &id).await?;
    let user = who.user;
    Ok(Json(*handle.ask(|reply| Command::Look { user, reply }).await.map_err(Failure::internal)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Join {
    deck: String,
}

async fn join(
    State(app): State<Shared>,
    who: For,
    user: User,
    Path(id): Path<String>,
    Input(Join { deck }): Input<Join>,
) -> Result<Json<TableInfo>, Failure> {
    let handle = app.hall.find(&who, &id).await?;
    let info = handle.info();
    let free = info.table.free_seat.ok_or_else(|| Failure::conflict("no seat is free at this table"))?;
    if info.users.iter().any(|other| other.as_deref() == Some(&user.id)) {
        return Err(Failure::conflict("you already sit at this table"));
    }
    app.hall.has_room_for(&who).await?;
    // The table may have been opened before cards were changed: it is played with those that it was opened with.
    let deck = playable_with(&app, &who, &info.table.game, handle.catalogue.clone(), &deck).await?;
    if deck.seat != free {
        return Err(Failure::bad(format!("{} is for the other side", deck.name)));
    }
    let (seat, cards) = seat(&user, deck);
    let joined = handle.ask(|reply| Command::Join { seat, cards, reply }).await.map_err(Failure::internal)?;
    joined.map_err(Failure::conflict)?;
    Ok(Json(handle.info().told_to(Some(&user.id))))
}

async fn replay(State(app): State<Shared>, who: For, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Failure> {
    Ok(app.hall.replay(&who, &id, Part::Whole { mine: false }).await?.send(&headers, Keeps::WhileSame))
}

async fn at(
    State(app): State<Shared>,
    who: For,
    Path((id, answers)): Path<(String, u32)>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    Ok(app.hall.replay(&who, &id, Part::At(answers as usize)).await?.send(&headers, Keeps::WhileSame))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// With the cards and rules inside, for those who do not have them.
    #[serde(default)]
    with_catalogue: bool,
}

/// The journal names the seed, so only a match that is over has one to give.
async fn journal(
    State(app): State<Shared>,
    who: For,
    Path(id): Path<String>,
    Query(Wish { with_catalogue }): Query<Wish>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let text = app.hall.replay(&who, &id, Part::Journal { with_catalogue }).await?;
    let mut response = text.send(&headers, Keeps::WhileSame);
    let file = format!("attachment; filename=\"{id}.journal\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&file).map_err(Failure::internal)?);
    Ok(response)
}

/// Play on from here: the first `answers` answers of a match that is over, then against a bot.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fork {
    answers: u32,
    seat: u8,
    bot: String,
}

async fn fork(
    State(app): State<Shared>,
    who: For,
    user: User,
    Path(id): Path<String>,
    Input(wish): Input<Fork>,
) -> Result<(StatusCode, Json<TableInfo>), Failure> {
    trilogy_bots::by_name(&wish.bot, 0).map_err(Failure::bad)?;
    if wish.seat > 1 {
        return Err(Failure::bad("a seat is 0 or 1"));
    }
    app.limits.take(What::Forks, &who.address)?;
    // A fork goes on under the rules that its answers were given under.
    let stored = app.hall.stored(&id).await?;
    let (from, catalogue, mut lines) = (stored.record.clone(), stored.catalogue.clone(), stored.lines.clone());
    // The seed goes along, so what comes next could be looked up in a match that is still played.
    if !from.is_over() {
        return Err(Failure::forbidden("this match is still being played"));
    }
    if from.setup.decks.iter().any(Vec::is_empty) {
        return Err(Failure::conflict("this match never began"));
    }
    lines.truncate(wish.answers as usize);
    let [first, second] = from.seats.clone().map(|seat| seat.deck_name);
    let playing = |at: u8, name: String| {
        let deck = Playable { name, seat: at, cards: from.setup.decks[at as usize & 1].clone() };
        Some(if at == wish.seat { seat(&user, deck) } else { bot_seat(&wish.bot, deck) })
    };
    let seats = [playing(0, first), playing(1, second)];
    let mut record = Record::new(&catalogue, seats, Clock::None, true, &who.address).map_err(Failure::internal)?;
    record.setup = from.setup.clone();
    open(&app, &who, &user, record, catalogue, lines).await
}

/// How many of a user's matches are told of.
const REMEMBERED: u32 = 200;

async fn history(State(app): State<Shared>, user: User) -> Result<Json<History>, Failure> {
    let mut history = History { matches: Vec::new(), played: 0, won: 0, decks: BTreeMap::new() };
    for (row, answers) in app.store.tables_of(&user.id, REMEMBERED).await? {
        let Ok(record) = Record::read(row) else { continue };
        if let (MatchState::Over { winner, how }, Some(seat)) = (&record.state, record.seat_of(&user.id))
            && matches!(how.as_str(), "rules" | "resigned" | "time" | "agreed")
        {
            let won = u32::from(*winner == Some(seat));
            history.played += 1;
            history.won += won;
            let deck = history.decks.entry(record.seats[seat as usize & 1].deck_name.clone()).or_default();
            *deck = (deck.0 + 1, deck.1 + won);
        }
        history.matches.push(record.info(answers, Some(&user.id)));
    }
    Ok(Json(history))
}
