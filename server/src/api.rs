//! The REST interface beside accounts, decks and matches: cards, rules, the message of the day, blocks, and its own description.

use crate::accounts::User;
use crate::app::Shared;
use crate::decks::game_named;
use crate::failure::{Failure, Input};
use crate::games::Told;
use crate::metrics::Gauge;
use crate::openapi;
use crate::protocol::GameInfo;
use crate::ready::Keeps;
use crate::work::For;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
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
    let listed = app.games.all().into_iter().map(|game| GameInfo {
        name: game.name.clone(),
        title: game.catalogue.title.clone(),
        catalogue: hex(&game.catalogue.hash),
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
    who: For,
    Path(game): Path<String>,
    Query(Of { catalogue }): Query<Of>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let newest = game_named(&app, &game)?;
    match catalogue {
        Some(older) if older != hex(&newest.catalogue.hash) => {
            Ok(app.hall.editions().cards(&game, &older, &app.work, &who).await?.send(&headers, Keeps::ForEver))
        }
        _ => Ok(newest.told(Told::Cards, &app.work, &who).await?.send(&headers, Keeps::WhileSame)),
    }
}

async fn rules(State(app): State<Shared>, who: For, Path(game): Path<String>, headers: HeaderMap) -> Result<Response, Failure> {
    Ok(game_named(&app, &game)?.told(Told::Rules, &app.work, &who).await?.send(&headers, Keeps::WhileSame))
}

async fn vocabulary(State(app): State<Shared>, who: For, Path(game): Path<String>, headers: HeaderMap) -> Result<Response, Failure> {
    Ok(game_named(&app, &game)?.told(Told::Vocabulary, &app.work, &who).await?.send(&headers, Keeps::WhileSame))
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
    let hall = &app.hall;
    let [open, playing, over] = hall.counts();
    let failing = app.health.ask(&app.store, hall.peers().id()).await.is_err();
    let now = [
        Gauge { name: "trilogy_tables_open", help: "Tables here that wait for somebody.", value: open },
        Gauge { name: "trilogy_matches_playing", help: "Matches here that are being played.", value: playing },
        Gauge { name: "trilogy_matches_over", help: "Matches here that are over and looked at.", value: over },
        Gauge { name: "trilogy_matches_unreadable", help: "Matches that could not be gone on with.", value: hall.unreadable().len() },
        Gauge {
            name: "trilogy_work_waiting",
            help: "Replays, forks, decks and passwords that wait for their turn.",
            value: app.work.waiting(),
        },
        Gauge { name: "trilogy_bots_waiting", help: "Bots that wait for their turn to think.", value: hall.bots().waiting() },
        Gauge {
            name: "trilogy_servers",
            help: "Servers on this storage.",
            value: hall.peers().all().iter().filter(|peer| peer.live).count(),
        },
        Gauge { name: "trilogy_ready", help: "1 when it goes on with all matches.", value: usize::from(app.ready.load(Relaxed)) },
        Gauge { name: "trilogy_storage_failing", help: "1 when the storage does not take what is written.", value: usize::from(failing) },
    ];
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.page(&now))
}
