//! Who is there: guests with a name, accounts with a password, and the sessions of both.
//!
//! A session is a random token in a cookie; the storage has only its hash. Each sign-in gives a new token, so a token
//! that somebody planted beforehand is worth nothing. Everything that changes something must also carry the session's
//! second token in the header `x-csrf`, which other sites cannot read.

use crate::app::{App, Shared};
use crate::failure::{Failure, Input};
use crate::guard::Client;
use crate::limits::What;
use crate::protocol::Me;
use crate::store::{NewSession, StoreError, UserRow, now};
use crate::work::For;
use crate::{hashing, names};
use axum::extract::{FromRequestParts, OptionalFromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;

/// Whoever sent a request, as their session says. As an extractor it refuses those without one;
/// `Option<User>` takes both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub id: String,
    pub name: String,
    pub guest: bool,
    pub admin: bool,
    pub csrf: String,
    /// Hash of the session's token.
    pub(crate) session: String,
}

impl<S: Send + Sync> FromRequestParts<S> for User {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<User, Failure> {
        parts.extensions.get::<User>().cloned().ok_or_else(Failure::unknown)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for User {
    type Rejection = Failure;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<User>, Failure> {
        Ok(parts.extensions.get::<User>().cloned())
    }
}

impl User {
    fn me(&self) -> Me {
        Me { name: self.name.clone(), guest: self.guest, admin: self.admin, csrf: self.csrf.clone() }
    }
}

pub(crate) fn router() -> Router<Shared> {
    Router::new()
        .route("/api/me", get(me).delete(delete))
        .route("/api/guest", post(guest))
        .route("/api/register", post(register))
        .route("/api/login", post(login))
        .route("/api/logout", post(logout))
        .route("/api/enter", post(enter))
        .route("/api/rename", post(rename))
        .route("/api/password", post(password))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Credentials {
    name: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPassword {
    old: String,
    new: String,
}

/// Each time a page is opened the browser keeps its cookie for as long again.
async fn me(client: Client, headers: HeaderMap, user: Option<User>) -> Result<Response, Failure> {
    match (user, session_cookie(&headers)) {
        (Some(user), Some(secret)) => {
            Ok(([(header::SET_COOKIE, cookie(secret, LASTING, client.secure)?)], Json(Some(user.me()))).into_response())
        }
        _ => Ok(Json(None::<Me>).into_response()),
    }
}

async fn guest(
    State(app): State<Shared>,
    client: Client,
    who: For,
    user: Option<User>,
    Input(Name { name }): Input<Name>,
) -> Result<Response, Failure> {
    match user {
        Some(user) if user.guest => Ok(Json(renamed(&app, user, &name).await?.me()).into_response()),
        Some(_) => Err(Failure::conflict("you are signed in already; sign out to play as a guest")),
        None => {
            let name = free_name(&app, &name, None).await?;
            app.limits.take(What::Newcomer, &who.address)?;
            come_in(&app, &client, name, None, who.address).await
        }
    }
}

/// A new account; a guest who registers keeps what they have played and built.
async fn register(
    State(app): State<Shared>,
    client: Client,
    who: For,
    user: Option<User>,
    Input(Credentials { name, password }): Input<Credentials>,
) -> Result<Response, Failure> {
    let name = free_name(&app, &name, user.as_ref()).await?;
    fit_password(&password)?;
    app.limits.take(What::Newcomer, &who.address)?;
    match user {
        Some(user) if user.guest => {
            let hash = hashing::hash(&app.work, &app.limits, &who, password).await?;
            let most = app.limits.limits().accounts;
            if !app.store.register_guest(&user.id, &name, &hash, &who.address, most).await.map_err(name_taken)? {
                return Err(too_many(most, "accounts"));
            }
            let row = app.store.user(&user.id).await?.ok_or_else(Failure::unknown)?;
            sign_in(&app, &client, row, Some(user)).await
        }
        Some(_) => Err(Failure::conflict("you have an account already; sign out to make another")),
        None => {
            if app.store.user_named(&name).await?.is_some() {
                return Err(name_taken(StoreError::Taken));
            }
            let hash = hashing::hash(&app.work, &app.limits, &who, password).await?;
            come_in(&app, &client, name, Some(hash), who.address).await
        }
    }
}

async fn login(
    State(app): State<Shared>,
    client: Client,
    who: For,
    user: Option<User>,
    Input(Credentials { name, password }): Input<Credentials>,
) -> Result<Response, Failure> {
    let row = app.store.user_named(name.trim()).await?;
    // A name that nobody has takes as long as a wrong password, so that names cannot be probed.
    let known = row.as_ref().and_then(|row| row.password.clone());
    let fits = hashing::verify(&app.work, &app.limits, &who, password, known).await?;
    match row {
        Some(row) if fits => match &row.banned {
            Some(reason) => Err(Failure::forbidden(format!("you are shut out: {reason}"))),
            None => sign_in(&app, &client, row, user).await,
        },
        _ => Err(Failure::new(StatusCode::UNAUTHORIZED, "name or password is wrong")),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ticket {
    ticket: String,
}

/// Go on here with the session of another server on this database. Who is signed in here already stays who they are.
async fn enter(
    State(app): State<Shared>,
    client: Client,
    user: Option<User>,
    Input(Ticket { ticket }): Input<Ticket>,
) -> Result<Response, Failure> {
    if let Some(user) = user {
        return Ok(Json(user.me()).into_response());
    }
    let known = app.store.take_ticket(&hashed(&ticket), now()).await?;
    let row = match known {
        Some(id) => app.store.user(&id).await?,
        None => None,
    };
    let row = row.ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "the ticket is used up or too old; sign in here"))?;
    match &row.banned {
        Some(reason) => Err(Failure::forbidden(format!("you are shut out: {reason}"))),
        None => sign_in(&app, &client, row, None).await,
    }
}

async fn logout(State(app): State<Shared>, client: Client, user: Option<User>) -> Result<Response, Failure> {
    if let Some(user) = user {
        app.store.delete_session(&user.session).await?;
        app.kick(&user.session);
    }
    Ok(([(header::SET_COOKIE, cookie("", 0, client.secure)?)], Json(())).into_response())
}

async fn rename(State(app): State<Shared>, user: User, Input(Name { name }): Input<Name>) -> Result<Json<Me>, Failure> {
    Ok(Json(renamed(&app, user, &name).await?.me()))
}

/// Other devices must sign in again.
async fn password(
    State(app): State<Shared>,
    client: Client,
    who: For,
    user: User,
    Input(NewPassword { old, new }): Input<NewPassword>,
) -> Result<Response, Failure> {
    fit_password(&new)?;
    let row = app.store.user(&user.id).await?.ok_or_else(Failure::unknown)?;
    if row.password.is_none() {
        return Err(Failure::bad("a guest has no password; register instead"));
    }
    if !hashing::verify(&app.work, &app.limits, &who, old, row.password.clone()).await? {
        return Err(Failure::new(StatusCode::UNAUTHORIZED, "the old password is wrong"));
    }
    app.store.set_password(&user.id, &hashing::hash(&app.work, &app.limits, &who, new).await?).await?;
    app.store.delete_sessions_of(&user.id).await?;
    app.kick(&user.id);
    sign_in(&app, &client, row, Some(user)).await
}

/// Matches in play are lost with the account, open tables closed.
async fn delete(State(app): State<Shared>, client: Client, who: For, user: User) -> Result<Response, Failure> {
    for table in app.hall.list(Some(&user.id)).await.into_iter().filter(|table| table.mine) {
        app.hall.resign(&who, &table.id, &user.id).await.map_err(|reason| Failure::busy(1, reason))?;
    }
    app.store.delete_user(&user.id, "(deleted)").await?;
    app.hall.replays().clear();
    app.kick(&user.id);
    tracing::info!(user = user.id, "an account was deleted");
    Ok(([(header::SET_COOKIE, cookie("", 0, client.secure)?)], Json(())).into_response())
}

async fn renamed(app: &App, user: User, name: &str) -> Result<User, Failure> {
    // What somebody is called already is no new name, whatever names are refused by now.
    let name = if name == user.name { user.name.clone() } else { free_name(app, name, Some(&user)).await? };
    app.store.rename_user(&user.id, &name).await.map_err(name_taken)?;
    Ok(User { name, ..user })
}

/// A name as it is kept, if it passes for nobody else of ours. Whether somebody has it is for the storage to say.
async fn free_name(app: &App, name: &str, user: Option<&User>) -> Result<String, Failure> {
    let name = names::fit(name)?;
    if names::passes_for_ours(&name) {
        return Err(Failure::bad("that name passes for a bot, an admin or the server; take another one"));
    }
    let others = app.store.admins().await?.into_iter().filter(|(id, _)| user.is_none_or(|user| user.id != *id));
    if others.into_iter().any(|(_, admin)| names::alike(&name, &admin)) {
        return Err(Failure::conflict("somebody has that name already, or one that looks the same"));
    }
    Ok(name)
}

fn name_taken(error: StoreError) -> Failure {
    match error {
        StoreError::Taken => Failure::conflict("somebody has that name already"),
        other => other.into(),
    }
}

// ---- sessions ----

const COOKIE: &str = "trilogy_session";
/// Seconds that a session lasts after it was last used. The browser counts them by its clock; here they are seconds of a server's life
/// (`crate::sweep`), so that no jump of a clock ends it.
pub(crate) const LASTING: i64 = 30 * 24 * 3600;

/// A new guest, or an account where there is a hash, with a first session.
async fn come_in(app: &App, client: &Client, name: String, password: Option<String>, address: String) -> Result<Response, Failure> {
    let limits = app.limits.limits();
    let (most, what) = if password.is_none() { (limits.guests, "guests") } else { (limits.accounts, "accounts") };
    let row = UserRow { id: token(16)?, name, password, admin: false, created: now(), banned: None, address };
    let (secret, session) = new_session()?;
    if !app.store.create_user(&row, &session, most).await.map_err(name_taken)? {
        return Err(too_many(most, what));
    }
    signed_in(client, row, &secret, session)
}

fn too_many(most: usize, what: &str) -> Failure {
    Failure::conflict(format!("{most} {what} were made from your network address already, and more cannot be; use one of them"))
}

/// Begin a session; the one that was there before is over.
async fn sign_in(app: &App, client: &Client, row: UserRow, before: Option<User>) -> Result<Response, Failure> {
    if let Some(before) = before {
        app.store.delete_session(&before.session).await?;
    }
    let (secret, session) = new_session()?;
    app.store.create_session(&row.id, &session).await?;
    signed_in(client, row, &secret, session)
}

/// A session that begins now, and its secret.
fn new_session() -> Result<(String, NewSession), Failure> {
    let secret = token(32)?;
    let begun = now();
    let session = NewSession { hash: hashed(&secret), csrf: token(16)?, begun, expires: begun + LASTING };
    Ok((secret, session))
}

fn signed_in(client: &Client, row: UserRow, secret: &str, session: NewSession) -> Result<Response, Failure> {
    let NewSession { hash, csrf, .. } = session;
    let user = User { guest: row.password.is_none(), id: row.id, name: row.name, admin: row.admin, csrf, session: hash };
    Ok(([(header::SET_COOKIE, cookie(secret, LASTING, client.secure)?)], Json(user.me())).into_response())
}

/// The user that a request's cookie stands for. One who is shut out is refused.
pub(crate) async fn user_of(app: &App, headers: &HeaderMap) -> Result<Option<User>, Failure> {
    let Some(secret) = session_cookie(headers) else { return Ok(None) };
    let Some(session) = app.store.session(&hashed(secret), LASTING).await? else { return Ok(None) };
    if let Some(reason) = session.user.banned {
        return Err(Failure::forbidden(format!("you are shut out: {reason}")));
    }
    // Written down once between two sweeps, whatever is asked for.
    if session.idle > 0 {
        let time = now();
        app.store.touch_session(&session.hash, time, time + LASTING).await?;
    }
    let UserRow { id, name, password, admin, .. } = session.user;
    Ok(Some(User { id, name, guest: password.is_none(), admin, csrf: session.csrf, session: session.hash }))
}

fn session_cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| value)
}

fn cookie(secret: &str, lasts: i64, secure: bool) -> Result<HeaderValue, Failure> {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{COOKIE}={secret}; HttpOnly; SameSite=Lax; Path=/; Max-Age={lasts}{secure}");
    HeaderValue::from_str(&text).map_err(Failure::internal)
}

/// Random bytes in hex.
pub fn token(bytes: usize) -> Result<String, Failure> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).map_err(Failure::internal)?;
    Ok(trilogy_engine::journal::hex(&random))
}

/// What is stored of a token. The token is random, so that no slow hash is needed.
pub(crate) fn hashed(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_hex().to_string()
}

/// Compare without telling by the time it takes how much is right: hashes are compared in constant time.
pub(crate) fn same(a: &str, b: &str) -> bool {
    blake3::hash(a.as_bytes()) == blake3::hash(b.as_bytes())
}

// ---- passwords ----

fn fit_password(password: &str) -> Result<(), Failure> {
    let fits = password.chars().count() >= 8 && password.len() <= hashing::LONGEST;
    fits.then_some(()).ok_or_else(|| Failure::bad(format!("a password has at least 8 characters and at most {} bytes", hashing::LONGEST)))
}
