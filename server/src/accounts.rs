//! Who is there: guests with a name, accounts with a password, and the sessions of both.
//!
//! A session is a random token in a cookie; the storage has only its hash. Each sign-in gives a new token, so a token
//! that somebody planted beforehand is worth nothing. Everything that changes something must also carry the session's
//! second token in the header `x-csrf`, which other sites cannot read.

use crate::app::{App, Shared};
use crate::failure::{Failure, Input};
use crate::guard::Client;
use crate::limits::{What, address_key};
use crate::protocol::Me;
use crate::store::{StoreError, UserRow, now};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
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

async fn me(user: Option<User>) -> Json<Option<Me>> {
    Json(user.map(|user| user.me()))
}

async fn guest(
    State(app): State<Shared>,
    client: Client,
    user: Option<User>,
    Input(Name { name }): Input<Name>,
) -> Result<Response, Failure> {
    let name = fit_name(&name)?;
    match user {
        Some(user) if user.guest => Ok(Json(renamed(&app, user, name).await?.me()).into_response()),
        Some(_) => Err(Failure::conflict("you are signed in already; sign out to play as a guest")),
        None => {
            app.limits.take(What::Newcomer, &address_key(client.address))?;
            let row = UserRow { id: token(16)?, name, password: None, admin: false, created: now(), banned: None };
            app.store.create_user(&row).await.map_err(name_taken)?;
            sign_in(&app, &client, row, None).await
        }
    }
}

/// A new account; a guest who registers keeps what they have played and built.
async fn register(
    State(app): State<Shared>,
    client: Client,
    user: Option<User>,
    Input(Credentials { name, password }): Input<Credentials>,
) -> Result<Response, Failure> {
    let name = fit_name(&name)?;
    fit_password(&password)?;
    app.limits.take(What::Newcomer, &address_key(client.address))?;
    let row = match &user {
        Some(user) if user.guest => {
            let hash = hash(&app, password).await?;
            app.store.rename_user(&user.id, &name).await.map_err(name_taken)?;
            app.store.set_password(&user.id, &hash).await?;
            app.store.user(&user.id).await?.ok_or_else(Failure::unknown)?
        }
        Some(_) => return Err(Failure::conflict("you have an account already; sign out to make another")),
        None => {
            if app.store.user_named(&name).await?.is_some() {
                return Err(name_taken(StoreError::Taken));
            }
            let hash = hash(&app, password).await?;
            let row = UserRow { id: token(16)?, name, password: Some(hash), admin: false, created: now(), banned: None };
            app.store.create_user(&row).await.map_err(name_taken)?;
            row
        }
    };
    sign_in(&app, &client, row, user).await
}

async fn login(
    State(app): State<Shared>,
    client: Client,
    user: Option<User>,
    Input(Credentials { name, password }): Input<Credentials>,
) -> Result<Response, Failure> {
    app.limits.take(What::Password, &address_key(client.address))?;
    app.limits.take(What::Password, &format!("name {}", name.trim().to_lowercase().chars().take(LONGEST_NAME).collect::<String>()))?;
    let row = app.store.user_named(name.trim()).await?;
    // A name that nobody has takes as long as a wrong password, so that names cannot be probed.
    let known = row.as_ref().and_then(|row| row.password.clone());
    let fits = verify(&app, password, known).await?;
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
    let name = fit_name(&name)?;
    Ok(Json(renamed(&app, user, name).await?.me()))
}

/// Other devices must sign in again.
async fn password(
    State(app): State<Shared>,
    client: Client,
    user: User,
    Input(NewPassword { old, new }): Input<NewPassword>,
) -> Result<Response, Failure> {
    fit_password(&new)?;
    app.limits.take(What::Password, &address_key(client.address))?;
    app.limits.take(What::Password, &format!("name {}", user.name.to_lowercase()))?;
    let row = app.store.user(&user.id).await?.ok_or_else(Failure::unknown)?;
    if row.password.is_none() {
        return Err(Failure::bad("a guest has no password; register instead"));
    }
    if !verify(&app, old, row.password.clone()).await? {
        return Err(Failure::new(StatusCode::UNAUTHORIZED, "the old password is wrong"));
    }
    app.store.set_password(&user.id, &hash(&app, new).await?).await?;
    app.store.delete_sessions_of(&user.id).await?;
    app.kick(&user.id);
    sign_in(&app, &client, row, Some(user)).await
}

/// Matches that are open or in play end with the account.
async fn delete(State(app): State<Shared>, client: Client, user: User) -> Result<Response, Failure> {
    for table in app.hall.list(Some(&user.id)).await.into_iter().filter(|table| table.mine) {
        if let Err(error) = app.hall.close(&table.id).await {
            tracing::warn!(table = table.id, error, "a match of a deleted account goes on");
        }
    }
    app.store.delete_user(&user.id, "(deleted)").await?;
    app.kick(&user.id);
    tracing::info!(user = user.id, "an account was deleted");
    Ok(([(header::SET_COOKIE, cookie("", 0, client.secure)?)], Json(())).into_response())
}

async fn renamed(app: &App, user: User, name: String) -> Result<User, Failure> {
    app.store.rename_user(&user.id, &name).await.map_err(name_taken)?;
    Ok(User { name, ..user })
}

fn name_taken(error: StoreError) -> Failure {
    match error {
        StoreError::Taken => Failure::conflict("somebody has that name already"),
        other => other.into(),
    }
}

// ---- sessions ----

const COOKIE: &str = "trilogy_session";
/// How long a session lasts after it was last used.
const LASTING: i64 = 30 * 24 * 3600;
/// How often its use is written down.
const NOTED: i64 = 3600;

/// Begin a session; the one that was there before is over.
async fn sign_in(app: &App, client: &Client, row: UserRow, before: Option<User>) -> Result<Response, Failure> {
    if let Some(before) = before {
        app.store.delete_session(&before.session).await?;
    }
    let (secret, csrf) = (token(32)?, token(16)?);
    let user = User { guest: row.password.is_none(), id: row.id, name: row.name, admin: row.admin, csrf, session: hashed(&secret) };
    let begun = now();
    app.store.create_session(&user.session, &user.id, &user.csrf, begun, begun + LASTING).await?;
    Ok(([(header::SET_COOKIE, cookie(&secret, LASTING, client.secure)?)], Json(user.me())).into_response())
}

/// The user that a request's cookie stands for. One who is shut out is refused.
pub(crate) async fn user_of(app: &App, headers: &HeaderMap) -> Result<Option<User>, Failure> {
    let Some(secret) = session_cookie(headers) else { return Ok(None) };
    let time = now();
    let Some(session) = app.store.session(&hashed(secret), time).await? else { return Ok(None) };
    if let Some(reason) = session.user.banned {
        return Err(Failure::forbidden(format!("you are shut out: {reason}")));
    }
    if time - session.seen > NOTED {
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

// ---- names and passwords ----

const LONGEST_NAME: usize = 24;

/// A name as it is kept: 2 to 24 characters, one space between words, nothing invisible.
pub fn fit_name(name: &str) -> Result<String, Failure> {
    let name = name.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let length = name.chars().count();
    if !(2..=LONGEST_NAME).contains(&length) {
        return Err(Failure::bad(format!("a name has 2 to {LONGEST_NAME} characters")));
    }
    if name.chars().any(|c| c.is_control() || invisible(c) || (c.is_whitespace() && c != ' ')) {
        return Err(Failure::bad("a name has no invisible characters"));
    }
    Ok(name)
}

/// Characters that would let two names look alike, or turn the text around them.
fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

fn fit_password(password: &str) -> Result<(), Failure> {
    let fits = password.chars().count() >= 8 && password.len() <= 200;
    fits.then_some(()).ok_or_else(|| Failure::bad("a password has at least 8 characters and at most 200 bytes"))
}

async fn hash(app: &App, password: String) -> Result<String, Failure> {
    let work = move || Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string());
    blocking(app, work).await?.map_err(Failure::internal)
}

/// Whether a password fits a hash; without a hash it does not, after the same work.
async fn verify(app: &App, password: String, hash: Option<String>) -> Result<bool, Failure> {
    // Longer ones cannot be right and need not be worked on.
    let password = if password.len() <= 200 { password } else { String::new() };
    let work = move || match hash {
        Some(hash) => Argon2::default().verify_password(password.as_bytes(), hash.as_str()).is_ok(),
        None => {
            let _ = Argon2::default().hash_password(password.as_bytes());
            false
        }
    };
    blocking(app, work).await
}

/// Hashing takes 20 MB and a while: few at a time, and not where others wait.
async fn blocking<T: Send + 'static>(app: &App, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let _turn = app.hashing.acquire().await.map_err(Failure::internal)?;
    tokio::task::spawn_blocking(work).await.map_err(Failure::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_tidy() {
        assert_eq!(fit_name("  Ana   of Alder "), Ok("Ana of Alder".into()));
        assert_eq!(fit_name("<b>Ana</b>"), Ok("<b>Ana</b>".into()), "HTML is only text");
        for wrong in ["", "a", " a ", "a\u{0}b", "a\nb", "ab\u{202e}", "\u{200b}\u{200b}", "a\u{a0}b", &"x".repeat(25)] {
            assert!(fit_name(wrong).is_err(), "{wrong:?}");
        }
    }
}
