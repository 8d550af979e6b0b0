//! For those who run the server: live matches, users, bans, the message of the day.
//! The first admin is made by the token that the first start prints.

use crate::accounts::{User, hashed};
use crate::api::{MESSAGE, Message};
use crate::app::{ADMIN_TOKEN, Shared};
use crate::failure::{Failure, Input};
use crate::guard::Client;
use crate::limits::{What, address_key};
use crate::protocol::{AdminUser, ServerInfo, TableInfo, Troubles};
use crate::store::ServerRow;
use crate::work::For;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use std::net::IpAddr;

pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .route("/api/admin/claim", post(claim))
        .route("/api/admin/matches", get(matches))
        .route("/api/admin/close", post(close))
        .route("/api/admin/users", get(users))
        .route("/api/admin/troubles", get(troubles))
        .route("/api/admin/ban", post(ban))
        .route("/api/admin/unban", post(unban))
        .route("/api/admin/message", post(message))
}

/// Extractor: refuses everyone who is no admin.
struct Admin(User);

impl<S: Send + Sync> FromRequestParts<S> for Admin {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Admin, Failure> {
        let user = <User as FromRequestParts<S>>::from_request_parts(parts, state).await?;
        if user.admin { Ok(Admin(user)) } else { Err(Failure::forbidden("only an admin may do this")) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    token: String,
}

/// The token makes one admin and is used up for good. A wrong one costs a try, as a wrong password does.
async fn claim(State(app): State<Shared>, client: Client, user: User, Input(Claim { token }): Input<Claim>) -> Result<Json<()>, Failure> {
    if user.guest {
        return Err(Failure::forbidden("a guest cannot be an admin; register first"));
    }
    let household = address_key(client.address);
    app.limits.take(What::Password, &household)?;
    if !app.store.claim_admin(&user.id, ADMIN_TOKEN, &hashed(token.trim())).await? {
        return Err(Failure::forbidden("that is not the admin token, or it was used before"));
    }
    app.limits.give_back(What::Password, &household);
    tracing::warn!(user = user.id, name = user.name, "became admin");
    Ok(Json(()))
}

/// Every match that is open or in play, private ones too.
async fn matches(State(app): State<Shared>, _: Admin) -> Json<Vec<TableInfo>> {
    Json(app.hall.all())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    id: String,
}

/// End a match without a winner.
async fn close(State(app): State<Shared>, who: For, Admin(admin): Admin, Input(Which { id }): Input<Which>) -> Result<Json<()>, Failure> {
    app.hall.close(&who, &id).await?;
    tracing::warn!(by = admin.name, table = id, "ended a match");
    Ok(Json(()))
}

/// What is wrong with this server.
async fn troubles(State(app): State<Shared>, _: Admin) -> Json<Troubles> {
    let peers = app.hall.peers();
    let told =
        |server: ServerRow| ServerInfo { this: server.id == peers.id(), url: server.url, live: server.live, draining: server.draining };
    Json(Troubles { matches: app.hall.unreadable(), rules: app.games.broken(), servers: peers.all().into_iter().map(told).collect() })
}

#[derive(Deserialize)]
struct Find {
    #[serde(default)]
    find: String,
}

async fn users(State(app): State<Shared>, _: Admin, Query(Find { find }): Query<Find>) -> Result<Json<Vec<AdminUser>>, Failure> {
    let mut users = Vec::new();
    for row in app.store.users(&find, 200).await? {
        let seen = app.store.last_seen(&row.id).await?;
        users.push(AdminUser {
            guest: row.password.is_none(),
            name: row.name,
            admin: row.admin,
            banned: row.banned,
            created: row.created as u32,
            seen: seen.map(|seen| seen as u32),
        });
    }
    Ok(Json(users))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ban {
    /// A user's name, or an address.
    name: String,
    #[serde(default)]
    reason: String,
}

async fn ban(State(app): State<Shared>, Admin(admin): Admin, Input(Ban { name, reason }): Input<Ban>) -> Result<Json<()>, Failure> {
    let reason = if reason.trim().is_empty() { "no reason given".into() } else { reason.trim().chars().take(200).collect::<String>() };
    let subject = match app.store.user_named(name.trim()).await? {
        Some(user) if user.admin => return Err(Failure::forbidden("an admin cannot be shut out")),
        Some(user) => user.id,
        None => address_named(&name)?,
    };
    app.store.ban(&subject, &reason).await?;
    app.reload_bans().await?;
    app.kick(&subject);
    tracing::warn!(by = admin.name, name, reason, "shut out");
    Ok(Json(()))
}

async fn unban(State(app): State<Shared>, Admin(admin): Admin, Input(Ban { name, .. }): Input<Ban>) -> Result<Json<()>, Failure> {
    let subject = match app.store.user_named(name.trim()).await? {
        Some(user) => user.id,
        None => address_named(&name)?,
    };
    if !app.store.unban(&subject).await? {
        return Err(Failure::missing("they are not shut out"));
    }
    app.reload_bans().await?;
    tracing::warn!(by = admin.name, name, "let in again");
    Ok(Json(()))
}

fn address_named(text: &str) -> Result<String, Failure> {
    let address: IpAddr = text.trim().parse().map_err(|_| Failure::missing("nobody has that name, and it is no address"))?;
    Ok(address_key(address))
}

async fn message(State(app): State<Shared>, _: Admin, Input(Message { text }): Input<Message>) -> Result<Json<Message>, Failure> {
    let text: String = text.trim().chars().filter(|c| !c.is_control() || *c == '\n').take(1000).collect();
    app.store.set_setting(MESSAGE, &text).await?;
    Ok(Json(Message { text }))
}
