//! The REST interface beside accounts, decks and matches: cards, rules, the message of the day, blocks, and its own description.

use crate::accounts::User;
use crate::app::Shared;
use crate::decks::game_named;
use crate::failure::{Failure, Input};
use crate::games::Game;
use crate::matches::Absent;
use crate::openapi;
use crate::protocol::GameInfo;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{delete, get};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering::Relaxed;
use trilogy_engine::journal::hex;

/// The setting that holds the message of the day.
pub const MESSAGE: &str = "message_of_the_day";

pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/cards/{game}", get(cards))
        .route("/api/rules/{game}", get(rules))
        .route("/api/vocabulary/{game}", get(vocabulary))
        .route("/api/message", get(message))
        .route("/api/blocks", get(blocks).post(block))
        .route("/api/blocks/{name}", delete(unblock))
        .route("/api/openapi.json", get(async || ([(header::CONTENT_TYPE, "application/json")], openapi::json())))
        .route("/api/docs", get(async || Html(openapi::page())))
        .route("/api/docs.css", get(async || ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], openapi::STYLE)))
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .merge(crate::accounts::router())
        .merge(crate::decks::router())
        .merge(crate::admin::router())
}

async fn games(State(app): State<Shared>) -> Json<Vec<GameInfo>> {
    let listed = app.games.all().map(|game| GameInfo {
        name: game.name.clone(),
        title: game.catalogue.title.clone(),
        players: game.catalogue.players.iter().map(|name| name.replace('_', " ")).collect(),
        about: game.about.clone(),
    });
    Json(listed.collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Of {
    /// Hash of a catalogue that a match is played with; without it the newest one.
    catalogue: Option<String>,
}

async fn cards(
    State(app): State<Shared>,
    Path(game): Path<String>,
    Query(Of { catalogue }): Query<Of>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let newest = game_named(&app, &game)?;
    match catalogue.filter(|wanted| *wanted != hex(&newest.catalogue.hash)) {
        None => Ok(unless_known(newest, &headers, &newest.cards)),
        Some(older) => {
            let cards = app.hall.editions().cards(&game, &older).await.map_err(Absent::from)?;
            // What a hash stands for never changes.
            Ok(([(header::CACHE_CONTROL, "private, max-age=31536000, immutable")], Json(cards)).into_response())
        }
    }
}

async fn rules(State(app): State<Shared>, Path(game): Path<String>, headers: HeaderMap) -> Result<Response, Failure> {
    let game = game_named(&app, &game)?;
    Ok(unless_known(game, &headers, &game.rules))
}

async fn vocabulary(State(app): State<Shared>, Path(game): Path<String>, headers: HeaderMap) -> Result<Response, Failure> {
    let game = game_named(&app, &game)?;
    Ok(unless_known(game, &headers, &game.vocabulary()))
}

/// What stays the same as long as the game does: a browser that has it is not sent it again.
fn unless_known<T: Serialize>(game: &Game, headers: &HeaderMap, content: &T) -> Response {
    // Compressed on the way, hence weak.
    let tag = format!("W/\"{}-{}\"", env!("CARGO_PKG_VERSION"), hex(&game.catalogue.hash[..12]));
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let told = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_string())];
    if known { (StatusCode::NOT_MODIFIED, told).into_response() } else { (told, Json(content)).into_response() }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    pub(crate) text: String,
}

async fn message(State(app): State<Shared>) -> Result<Json<Message>, Failure> {
    Ok(Json(Message { text: app.message_of_the_day().await? }))
}

/// Names of those whom the user does not want to hear from.
async fn blocks(State(app): State<Shared>, user: User) -> Result<Json<Vec<String>>, Failure> {
    Ok(Json(app.store.blocked(&user.id).await?.into_iter().map(|(_, name)| name).collect()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whom {
    name: String,
}

async fn block(State(app): State<Shared>, user: User, Input(Whom { name }): Input<Whom>) -> Result<Json<()>, Failure> {
    let other = app.store.user_named(&name).await?.ok_or_else(|| Failure::missing("nobody has that name"))?;
    if other.id == user.id {
        return Err(Failure::bad("nobody can block themselves"));
    }
    app.store.block(&user.id, &other.id).await?;
    Ok(Json(()))
}

async fn unblock(State(app): State<Shared>, user: User, Path(name): Path<String>) -> Result<Json<()>, Failure> {
    let other = app.store.user_named(&name).await?.ok_or_else(|| Failure::missing("nobody has that name"))?;
    app.store.unblock(&user.id, &other.id).await?;
    Ok(Json(()))
}

/// Whether the server can do its work: the storage takes what is written.
async fn health(State(app): State<Shared>) -> Result<&'static str, Failure> {
    app.health.ask(&app.store, app.hall.peers().id()).await.map(|()| "well\n").map_err(Failure::not_now)
}

/// Whether it should be sent players: not before it goes on with all matches, nor when it is about to stop.
async fn ready(State(app): State<Shared>) -> Result<&'static str, Failure> {
    if *app.closing.borrow() {
        return Err(Failure::not_now("the server stops"));
    }
    if app.hall.peers().is_draining() {
        return Err(Failure::not_now("the server finishes its matches and takes no new ones"));
    }
    if !app.ready.load(Relaxed) {
        return Err(Failure::not_now("the server reads the matches that are to go on"));
    }
    Ok("ready\n")
}

async fn metrics(State(app): State<Shared>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.page())
}
