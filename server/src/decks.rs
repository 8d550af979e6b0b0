//! Decks over REST: starter decks for everyone, own decks to keep, check, import and export.

use crate::accounts::{User, token};
use crate::app::{App, Shared};
use crate::failure::{Failure, Input};
use crate::games::Game;
use crate::limits::Limits;
use crate::protocol::{DeckInfo, DeckReport};
use crate::store::{DeckRow, now};
use crate::work::For;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use std::sync::Arc;
use trilogy_engine::{Catalogue, deck};

const LONGEST_NAME: usize = 60;

pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .route("/api/decks/{game}", get(list).post(create))
        .route("/api/decks/{game}/check", post(check))
        .route("/api/decks/{game}/import", post(import))
        .route("/api/decks/{game}/{id}", get(show).put(replace).delete(remove))
        .route("/api/decks/{game}/{id}/list", get(export))
}

/// What is kept of a deck that is sent; a whole [`DeckInfo`] does, too.
#[derive(Deserialize)]
struct Draft {
    #[serde(default)]
    name: String,
    list: String,
}

/// A deck that is ready to be played.
pub struct Playable {
    pub name: String,
    pub seat: u8,
    /// Keys of the cards.
    pub cards: Vec<String>,
}

/// A starter deck or one of the user's own; only a legal one may be played.
pub(crate) async fn playable(app: &App, who: &For, game: &str, id: &str) -> Result<Playable, Failure> {
    let catalogue = game_named(app, game)?.catalogue.clone();
    playable_with(app, who, game, catalogue, id).await
}

/// The same for a match that is played with these cards.
pub(crate) async fn playable_with(app: &App, who: &For, game: &str, catalogue: Arc<Catalogue>, id: &str) -> Result<Playable, Failure> {
    let deck = find(app, who.user.as_deref(), game, id).await?;
    let (game, list) = (game_named(app, game)?, deck.list);
    let checked = app.work.run(who, move || (game.check_with(&catalogue, &list), deck::read(&catalogue, &list).0));
    let (report, read) = checked.await?;
    if let Some(fault) = report.faults.first() {
        return Err(Failure::bad(format!("{} is not legal: {}", deck.name, fault.reason)).with_rule(&fault.rule));
    }
    if let Some(line) = report.unread.first() {
        return Err(Failure::bad(format!("{} cannot be read: {line}", deck.name)));
    }
    Ok(Playable { name: deck.name, seat: deck.seat, cards: read.cards })
}

async fn list(State(app): State<Shared>, user: Option<User>, Path(game): Path<String>) -> Result<Json<Vec<DeckInfo>>, Failure> {
    let mut decks = game_named(&app, &game)?.starters.clone();
    if let Some(user) = user {
        decks.extend(app.store.decks(&user.id, &game).await?.into_iter().map(info));
    }
    Ok(Json(decks))
}

async fn show(State(app): State<Shared>, user: Option<User>, Path((game, id)): Path<(String, String)>) -> Result<Json<DeckInfo>, Failure> {
    find(&app, user.as_ref().map(|user| user.id.as_str()), &game, &id).await.map(Json)
}

/// How a deck is exported.
#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum Form {
    #[default]
    Plain,
    Gemp,
}

#[derive(Deserialize)]
struct Wish {
    #[serde(default, rename = "as")]
    form: Form,
}

async fn export(
    State(app): State<Shared>,
    user: Option<User>,
    Path((game, id)): Path<(String, String)>,
    Query(Wish { form }): Query<Wish>,
) -> Result<Response, Failure> {
    let deck = find(&app, user.as_ref().map(|user| user.id.as_str()), &game, &id).await?;
    let named = deck.list.lines().any(|line| line.trim_start().starts_with("name:"));
    let list = if named { deck.list } else { format!("name: {}\n{}", deck.name, deck.list) };
    let (text, kind, ending) = match form {
        Form::Plain => (list, "text/plain", "txt"),
        Form::Gemp => (game_named(&app, &game)?.to_gemp(&list).map_err(unfit)?, "application/xml", "xml"),
    };
    let file: String = deck.name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let headers = [
        (header::CONTENT_TYPE, format!("{kind}; charset=utf-8")),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}.{ending}\"")),
    ];
    Ok((headers, text).into_response())
}

/// A list that cannot be turned into another format, with all that stands against it.
fn unfit(faults: Vec<String>) -> Failure {
    Failure::bad(faults.join("\n"))
}

async fn create(
    State(app): State<Shared>,
    user: User,
    Path(game): Path<String>,
    Input(draft): Input<Draft>,
) -> Result<(StatusCode, Json<DeckInfo>), Failure> {
    keep_new(&app, &user, &game, draft).await
}

/// A list as it stands in a file, plain or from GEMP; its line `name:` is the name.
async fn import(
    State(app): State<Shared>,
    user: User,
    Path(game): Path<String>,
    list: String,
) -> Result<(StatusCode, Json<DeckInfo>), Failure> {
    fit_list(app.limits.limits(), &list)?;
    let list = game_named(&app, &game)?.to_plain(list).map_err(unfit)?;
    keep_new(&app, &user, &game, Draft { name: String::new(), list }).await
}

async fn keep_new(app: &App, user: &User, game: &str, draft: Draft) -> Result<(StatusCode, Json<DeckInfo>), Failure> {
    let row = fit(app, game, user, token(8)?, draft)?;
    let Limits { decks, decks_of_one, .. } = *app.limits.limits();
    let [mine, of_household] = app.store.count_decks(&user.id).await?;
    if mine >= decks {
        return Err(Failure::conflict(format!("{decks} decks are the most one can keep; delete one first")));
    }
    if of_household >= decks_of_one {
        let reason = format!("{decks_of_one} decks are the most that all from one network address can keep; delete one first");
        return Err(Failure::conflict(reason));
    }
    app.store.put_deck(&row).await?;
    Ok((StatusCode::CREATED, Json(info(row))))
}

async fn replace(
    State(app): State<Shared>,
    user: User,
    Path((game, id)): Path<(String, String)>,
    Input(draft): Input<Draft>,
) -> Result<Json<DeckInfo>, Failure> {
    let before = find(&app, Some(&user.id), &game, &id).await?;
    if before.starter {
        return Err(Failure::forbidden("a starter deck stays as it is; keep it under another name"));
    }
    let row = fit(&app, &game, &user, id, draft)?;
    app.store.put_deck(&row).await?;
    Ok(Json(info(row)))
}

async fn remove(State(app): State<Shared>, user: User, Path((game, id)): Path<(String, String)>) -> Result<Json<()>, Failure> {
    let before = find(&app, Some(&user.id), &game, &id).await?;
    if before.starter {
        return Err(Failure::forbidden("a starter deck cannot be deleted"));
    }
    app.store.delete_deck(&user.id, &id).await?;
    Ok(Json(()))
}

/// The list as plain text, or as JSON: a string, or an object with `list`.
async fn check(State(app): State<Shared>, who: For, Path(game): Path<String>, body: String) -> Result<Json<DeckReport>, Failure> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Sent {
        Text(String),
        Draft(Draft),
    }
    let list = match serde_json::from_str::<Sent>(&body) {
        Ok(Sent::Text(list)) => list,
        Ok(Sent::Draft(draft)) => draft.list,
        Err(_) => body,
    };
    fit_list(app.limits.limits(), &list)?;
    let game = game_named(&app, &game)?;
    Ok(Json(app.work.run(&who, move || game.check(&list)).await?))
}

pub(crate) fn game_named(app: &App, name: &str) -> Result<Arc<Game>, Failure> {
    app.games.get(name).ok_or_else(|| Failure::missing("there is no such game here"))
}

async fn find(app: &App, user: Option<&str>, game: &str, id: &str) -> Result<DeckInfo, Failure> {
    if let Some(deck) = game_named(app, game)?.starters.iter().find(|deck| deck.id == id) {
        return Ok(deck.clone());
    }
    let row = app.store.deck(id).await?.filter(|row| Some(row.user.as_str()) == user && row.game == game);
    row.map(info).ok_or_else(|| Failure::missing("you have no such deck"))
}

fn fit(app: &App, game: &str, user: &User, id: String, draft: Draft) -> Result<DeckRow, Failure> {
    let game = game_named(app, game)?;
    fit_list(app.limits.limits(), &draft.list)?;
    let (deck, _) = game.read_deck(&draft.list);
    let name = [draft.name.trim(), deck.name.as_str()].into_iter().find(|name| !name.is_empty()).unwrap_or("New deck");
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(Failure::bad(format!("the name of a deck has at most {LONGEST_NAME} characters, all of them visible")));
    }
    Ok(DeckRow {
        id,
        user: user.id.clone(),
        game: game.name.clone(),
        name: name.to_string(),
        seat: game.seat(&deck),
        list: draft.list,
        updated: now(),
    })
}

fn fit_list(limits: &Limits, list: &str) -> Result<(), Failure> {
    let (bytes, lines) = (limits.deck_bytes, limits.deck_lines);
    if list.len() > bytes || list.lines().count() > lines {
        return Err(Failure::bad(format!("a list has at most {lines} lines and {bytes} bytes")));
    }
    if list.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(Failure::bad("a list is plain text"));
    }
    Ok(())
}

fn info(row: DeckRow) -> DeckInfo {
    DeckInfo { id: row.id, name: row.name, game: row.game, starter: false, seat: row.seat, list: row.list }
}
