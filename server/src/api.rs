//! The REST interface beside accounts, decks and matches: cards, rules, the message of the day, blocks, and its own description.

use crate::accounts::User;
use crate::app::Shared;
use crate::decks::game_named;
use crate::failure::{Failure, Input};
use crate::games::Game;
use crate::openapi;
use crate::protocol::GameInfo;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{delete, get};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
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

async fn cards(State(app): State<Shared>, Path(game): Path<String>, headers: HeaderMap) -> Result<Response, Failure> {
    let game = game_named(&app, &game)?;
    Ok(unless_known(game, &headers, &game.cards))
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

async fn health(State(app): State<Shared>) -> Result<&'static str, Failure> {
    app.store.is_well().await?;
    Ok("well\n")
}

async fn metrics(State(app): State<Shared>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.page())
}
