//! Storage: one set of queries for SQLite (a file in the data folder) and PostgreSQL (by URL).

mod catalogues;
pub(crate) mod folder;
mod matches;
mod servers;

pub use catalogues::{CatalogueRow, packed_catalogue};
pub use folder::{Copied, back_up, restore};
pub use matches::{AnswerRow, ChatRow, Claim, Noted, SeatRow, TableRow};
pub use servers::ServerRow;

use crate::protocol::MatchState;
use matches::Append;
use sqlx::any::{AnyPoolOptions, AnyRow, install_default_drivers};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Connection, Executor, Row};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;

/// A handle on the storage; clones share it.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    postgres: bool,
    read: AnyPool,
    /// One connection for SQLite, where writers wait for each other anyhow, and asleep.
    write: AnyPool,
    appends: mpsc::Sender<Append>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreError {
    /// Something of that name, id or number is there already.
    Taken,
    /// Another server goes on with the match: what this one knows of it is old.
    Fenced,
    /// What is stored there makes no sense.
    Damaged(String),
    /// The storage failed; the reason is for the log, not for players.
    Failed(String),
}

pub type Result<T> = std::result::Result<T, StoreError>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UserRow {
    pub id: String,
    pub name: String,
    /// Hash of the password; none for a guest.
    pub password: Option<String>,
    pub admin: bool,
    pub created: i64,
    /// Why the user is shut out.
    pub banned: Option<String>,
    /// Whose household made the user; empty where an older release did.
    pub address: String,
}

/// A session that begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSession {
    /// Hash of the token that the browser has.
    pub hash: String,
    pub csrf: String,
    pub begun: i64,
    pub expires: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionRow {
    /// Hash of the token that the browser has.
    pub hash: String,
    pub user: UserRow,
    pub csrf: String,
    /// Seconds of servers' lives since it was last used.
    pub idle: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckRow {
    pub id: String,
    pub user: String,
    pub game: String,
    pub name: String,
    pub seat: u8,
    pub list: String,
    pub updated: i64,
}

/// Seconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

// ---- opening ----

/// How the tables came to be. `steps` are what every program on the database must know; `additions` are what an older one can live
/// without: it finds its own tables and columns as they were, and goes on.
struct Schema {
    steps: &'static [&'static str],
    additions: &'static [&'static str],
}

const SQLITE: Schema =
    Schema { steps: &[include_str!("../migrations/sqlite/1.sql")], additions: &[include_str!("../migrations/sqlite/additions_1.sql")] };
const POSTGRES: Schema =
    Schema { steps: &[include_str!("../migrations/postgres/1.sql")], additions: &[include_str!("../migrations/postgres/additions_1.sql")] };

impl Store {
    /// Open the storage at a `postgres:` URL or in a folder, and bring its tables up to date.
    pub async fn open(url_or_dir: &str) -> Result<Store> {
        install_default_drivers();
        let postgres = is_url(url_or_dir);
        let url = if postgres { url_or_dir.to_string() } else { folder_url(Path::new(url_or_dir))? };
        // A pool would try again and again; whoever starts a server wants to know at once.
        AnyConnection::connect(&url).await?.close().await?;
        let pool = |most: u32| {
            let options = AnyPoolOptions::new().max_connections(most).acquire_timeout(Duration::from_secs(20));
            options.after_connect(move |connection, _| {
                Box::pin(async move {
                    let settings: &[&'static str] = if postgres {
                        &["SET synchronous_commit = on"]
                    } else {
                        &[
                            "PRAGMA busy_timeout = 10000",
                            "PRAGMA journal_mode = WAL",
                            "PRAGMA synchronous = FULL",
                            "PRAGMA foreign_keys = ON",
                        ]
                    };
                    for &setting in settings {
                        connection.execute(sqlx::raw_sql(setting)).await?;
                    }
                    Ok(())
                })
            })
        };
        let write = pool(if postgres { 12 } else { 1 }).connect(&url).await?;
        migrate(&write, postgres).await?;
        let read = if postgres { write.clone() } else { pool(4).connect(&url).await? };
        let (appends, queue) = mpsc::channel(4096);
        tokio::spawn(matches::keep_appending(write.clone(), postgres, queue));
        Ok(Store(Arc::new(Inner { postgres, read, write, appends })))
    }

    /// Finish what is under way and let go of the database.
    pub async fn close(&self) {
        self.0.read.close().await;
        self.0.write.close().await;
    }
}

impl Store {
    /// Milliseconds since 1970 by the clock of the database, which is the same for all servers on it.
    fn clock(&self) -> &'static str {
        if self.0.postgres { POSTGRES_CLOCK } else { SQLITE_CLOCK }
    }
}

const POSTGRES_CLOCK: &str = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
const SQLITE_CLOCK: &str = "CAST(unixepoch('subsec') * 1000 AS BIGINT)";

/// Whether this names a database rather than a folder.
pub fn is_url(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

fn folder_url(folder: &Path) -> Result<String> {
    if folder.to_str().is_some_and(|name| name.contains("://")) {
        return Err(StoreError::Failed(format!("{}: only postgres:// URLs are known", folder.display())));
    }
    std::fs::create_dir_all(folder).map_err(|error| StoreError::Failed(format!("{}: {error}", folder.display())))?;
    sqlite_url(&folder.join(folder::FILE), "rwc").map_err(StoreError::Failed)
}

/// The URL of a file that is opened for reading (`ro`), for writing too (`rw`), or made if need be (`rwc`).
fn sqlite_url(file: &Path, mode: &str) -> std::result::Result<String, String> {
    let path = std::path::absolute(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let path = path.to_str().ok_or_else(|| format!("{}: the path is not UTF-8", file.display()))?;
    // What would end the path of a URL, or be taken for an escape.
    let escaped = path.replace('%', "%25").replace('?', "%3F").replace('#', "%23").replace(' ', "%20");
    Ok(format!("sqlite://{escaped}?mode={mode}"))
}

async fn migrate(pool: &AnyPool, postgres: bool) -> Result<()> {
    let schema = if postgres { POSTGRES } else { SQLITE };
    let mut work = pool.begin().await?;
    if postgres {
        // Two servers that start at once take turns.
        sqlx::query("SELECT CAST(1 AS BIGINT) FROM pg_advisory_xact_lock(7327)").fetch_one(&mut *work).await?;
    }
    let known = take_steps(&mut work, "schema_steps", schema.steps).await?;
    if known > schema.steps.len() {
        return Err(StoreError::Failed("the database was written by a newer version of this program".into()));
    }
    take_steps(&mut work, "schema_additions", schema.additions).await?;
    work.commit().await?;
    Ok(())
}

/// Take those of the steps that the database has not taken yet; how many it had taken before.
async fn take_steps(work: &mut AnyConnection, table: &str, steps: &[&'static str]) -> Result<usize> {
    work.execute(sqlx::raw_sql(AssertSqlSafe(format!("CREATE TABLE IF NOT EXISTS {table} (step BIGINT NOT NULL PRIMARY KEY)")))).await?;
    let done: i64 = sqlx::query(AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"))).fetch_one(&mut *work).await?.try_get(0)?;
    for (at, &step) in steps.iter().enumerate().skip(done as usize) {
        work.execute(sqlx::raw_sql(step)).await?;
        let taken = format!("INSERT INTO {table} (step) VALUES ($1)");
        sqlx::query(AssertSqlSafe(taken)).bind(at as i64 + 1).execute(&mut *work).await?;
    }
    Ok(done as usize)
}

// ---- users and sessions ----

const USER: &str = "SELECT users.id, users.name, users.password, users.admin, users.created, bans.reason, users.address";

/// Counts the servers' sweeps: whoever changes it has the next one.
const SWEEPS: &str = "sweeps";
/// In front of the hash of an admin token that was used.
const USED: &str = "admin_token_used ";

impl Store {
    /// A new user with a first session. False where as many guests (or accounts, whatever this one is) as may be were made by the
    /// same household. Refused as taken where somebody has that name, in whatever case.
    pub async fn create_user(&self, user: &UserRow, session: &NewSession, most: usize) -> Result<bool> {
        let mut work = self.0.write.begin().await?;
        if !has_room(&mut work, &user.address, user.password.is_none(), most).await? {
            return Ok(false);
        }
        let sql = "INSERT INTO users (id, name, name_key, password, admin, created, address) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        sqlx::query(sql)
            .bind(&user.id)
            .bind(&user.name)
            .bind(name_key(&user.name))
            .bind(&user.password)
            .bind(i64::from(user.admin))
            .bind(user.created)
            .bind(&user.address)
            .execute(&mut *work)
            .await?;
        insert_session(&mut work, &user.id, session).await?;
        work.commit().await?;
        Ok(true)
    }

    /// A guest becomes an account, made by this household. False and refused as [`Store::create_user`] is.
    pub async fn register_guest(&self, id: &str, name: &str, password: &str, address: &str, most: usize) -> Result<bool> {
        let mut work = self.0.write.begin().await?;
        if !has_room(&mut work, address, false, most).await? {
            return Ok(false);
        }
        let sql = "UPDATE users SET name = $2, name_key = $3, password = $4, address = $5 WHERE id = $1";
        sqlx::query(sql).bind(id).bind(name).bind(name_key(name)).bind(password).bind(address).execute(&mut *work).await?;
        work.commit().await?;
        Ok(true)
    }

    pub async fn user(&self, id: &str) -> Result<Option<UserRow>> {
        let sql = format!("{USER} FROM users LEFT JOIN bans ON bans.subject = users.id WHERE users.id = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(&self.0.read).await?.as_ref().map(user_of).transpose()
    }

    pub async fn user_named(&self, name: &str) -> Result<Option<UserRow>> {
        let sql = format!("{USER} FROM users LEFT JOIN bans ON bans.subject = users.id WHERE users.name_key = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(name_key(name)).fetch_optional(&self.0.read).await?.as_ref().map(user_of).transpose()
    }

    /// Users whose name holds a text, newest first.
    pub async fn users(&self, find: &str, most: u32) -> Result<Vec<UserRow>> {
        let sql = format!(
            "{USER} FROM users LEFT JOIN bans ON bans.subject = users.id WHERE users.name_key LIKE $1 ESCAPE '!' \
             ORDER BY users.created DESC, users.id LIMIT $2"
        );
        let find = name_key(find).replace('!', "!!").replace('%', "!%").replace('_', "!_");
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(format!("%{find}%")).bind(i64::from(most)).fetch_all(&self.0.read).await?;
        read_all(rows, user_of)
    }

    pub async fn rename_user(&self, id: &str, name: &str) -> Result<()> {
        let sql = "UPDATE users SET name = $2, name_key = $3 WHERE id = $1";
        sqlx::query(sql).bind(id).bind(name).bind(name_key(name)).execute(&self.0.write).await?;
        Ok(())
    }

    pub async fn set_password(&self, id: &str, hash: &str) -> Result<()> {
        sqlx::query("UPDATE users SET password = $2 WHERE id = $1").bind(id).bind(hash).execute(&self.0.write).await?;
        Ok(())
    }

    /// Whoever has the token that stands in a setting becomes admin, and the token is used up for good. False where it is not that
    /// token, or was used before: of several who try, one succeeds.
    pub async fn claim_admin(&self, id: &str, setting: &str, token: &str) -> Result<bool> {
        let mut work = self.0.write.begin().await?;
        let sql = "DELETE FROM settings WHERE key = $1 AND value = $2";
        let there = sqlx::query(sql).bind(setting).bind(token).execute(&mut *work).await?.rows_affected() > 0;
        // An older release may have written it once more.
        let sql = "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";
        if !there || sqlx::query(sql).bind(format!("{USED}{token}")).bind(id).execute(&mut *work).await?.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query("UPDATE users SET admin = 1 WHERE id = $1").bind(id).execute(&mut *work).await?;
        work.commit().await?;
        Ok(true)
    }

    pub async fn was_admin_token(&self, token: &str) -> Result<bool> {
        Ok(self.setting(&format!("{USED}{token}")).await?.is_some())
    }

    /// Those who look after the server: id and name.
    pub async fn admins(&self) -> Result<Vec<(String, String)>> {
        let rows = sqlx::query("SELECT id, name FROM users WHERE admin = 1").fetch_all(&self.0.read).await?;
        read_all(rows, |row| Ok((row.try_get(0)?, row.try_get(1)?)))
    }

    /// Forget a user with sessions, decks and blocks. Matches that still go on are resigned, open tables closed; those that are over stay
    /// for the opponent, without the name.
    pub async fn delete_user(&self, id: &str, gone: &str) -> Result<()> {
        let written = |state: MatchState| serde_json::to_string(&state).map_err(|error| StoreError::Failed(error.to_string()));
        let closed = written(MatchState::Over { winner: None, how: "closed".into() })?;
        let open = written(MatchState::Open)?;
        let mut work = self.0.write.begin().await?;
        sqlx::query("DELETE FROM users WHERE id = $1").bind(id).execute(&mut *work).await?;
        for (seat, user) in ["user0", "user1"].into_iter().enumerate() {
            let lost = written(MatchState::Over { winner: Some(1 - seat as u8), how: "resigned".into() })?;
            // Whoever still holds it finds that it is theirs no longer.
            let sql = format!(
                "UPDATE matches SET state = CASE WHEN state = $2 THEN $3 ELSE $4 END, alive = 0, updated = $5, owner = NULL, \
                 fence = fence + 1 WHERE {user} = $1 AND alive = 1"
            );
            sqlx::query(AssertSqlSafe(sql)).bind(id).bind(&open).bind(&closed).bind(lost).bind(now()).execute(&mut *work).await?;
        }
        for sql in [
            "UPDATE matches SET user0 = NULL, name0 = $2 WHERE user0 = $1",
            "UPDATE matches SET user1 = NULL, name1 = $2 WHERE user1 = $1",
            "UPDATE chats SET author = NULL, name = $2 WHERE author = $1",
        ] {
            sqlx::query(sql).bind(id).bind(gone).execute(&mut *work).await?;
        }
        work.commit().await?;
        Ok(())
    }

    pub async fn create_session(&self, user: &str, session: &NewSession) -> Result<()> {
        let mut work = self.0.write.acquire().await?;
        insert_session(&mut work, user, session).await
    }

    /// The session with this hash, unless it was not used for `lasting` seconds.
    pub async fn session(&self, hash: &str, lasting: i64) -> Result<Option<SessionRow>> {
        let sql = format!(
            "{USER}, sessions.hash, sessions.csrf, sessions.idle FROM sessions JOIN users ON users.id = sessions.user_id \
             LEFT JOIN bans ON bans.subject = users.id WHERE sessions.hash = $1 AND sessions.idle <= $2"
        );
        let session = |row: &AnyRow| -> Result<SessionRow> {
            Ok(SessionRow { user: user_of(row)?, hash: row.try_get(7)?, csrf: row.try_get(8)?, idle: row.try_get(9)? })
        };
        sqlx::query(AssertSqlSafe(sql)).bind(hash).bind(lasting).fetch_optional(&self.0.read).await?.as_ref().map(session).transpose()
    }

    /// A session is used. An older release on the same database goes by `expires`.
    pub async fn touch_session(&self, hash: &str, now: i64, expires: i64) -> Result<()> {
        let sql = "UPDATE sessions SET idle = 0, seen = $2, expires = $3 WHERE hash = $1";
        sqlx::query(sql).bind(hash).bind(now).bind(expires).execute(&self.0.write).await?;
        Ok(())
    }

    pub async fn delete_session(&self, hash: &str) -> Result<()> {
        sqlx::query("DELETE FROM sessions WHERE hash = $1").bind(hash).execute(&self.0.write).await?;
        Ok(())
    }

    pub async fn delete_sessions_of(&self, user: &str) -> Result<()> {
        sqlx::query("DELETE FROM sessions WHERE user_id = $1").bind(user).execute(&self.0.write).await?;
        Ok(())
    }

    /// When each user was last here.
    pub async fn last_seen(&self, user: &str) -> Result<Option<i64>> {
        let row = sqlx::query("SELECT MAX(seen) FROM sessions WHERE user_id = $1").bind(user).fetch_one(&self.0.read).await?;
        Ok(row.try_get(0)?)
    }

    /// How many sweeps there were, by all servers on this database.
    pub async fn sweeps(&self) -> Result<u64> {
        Ok(self.setting(SWEEPS).await?.and_then(|count| count.parse().ok()).unwrap_or(0))
    }

    /// Count `passed` seconds as idle for all sessions; then forget those that were not used for `lasting` seconds, and guests who cannot
    /// come back. False, and nothing done, where another server has swept since there were `known` sweeps.
    pub async fn sweep(&self, known: u64, passed: i64, lasting: i64) -> Result<bool> {
        let mut work = self.0.write.begin().await?;
        let sql = "INSERT INTO settings (key, value) VALUES ($1, '0') ON CONFLICT (key) DO NOTHING";
        sqlx::query(sql).bind(SWEEPS).execute(&mut *work).await?;
        let sql = "UPDATE settings SET value = $3 WHERE key = $1 AND value = $2";
        let (before, after) = (known.to_string(), known.wrapping_add(1).to_string());
        if sqlx::query(sql).bind(SWEEPS).bind(before).bind(after).execute(&mut *work).await?.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query("UPDATE sessions SET idle = idle + $1").bind(passed).execute(&mut *work).await?;
        work.commit().await?;
        sqlx::query("DELETE FROM sessions WHERE idle > $1").bind(lasting).execute(&self.0.write).await?;
        let sql = "DELETE FROM users WHERE password IS NULL AND id NOT IN (SELECT user_id FROM sessions) \
                   AND id NOT IN (SELECT subject FROM bans)";
        sqlx::query(sql).execute(&self.0.write).await?;
        Ok(true)
    }
}

async fn insert_session(work: &mut AnyConnection, user: &str, session: &NewSession) -> Result<()> {
    let sql = "INSERT INTO sessions (hash, user_id, csrf, created, seen, expires, idle) VALUES ($1, $2, $3, $4, $4, $5, 0)";
    let insert = sqlx::query(sql).bind(&session.hash).bind(user).bind(&session.csrf).bind(session.begun).bind(session.expires);
    insert.execute(work).await?;
    Ok(())
}

/// Whether a household has made fewer guests (or accounts) than `most` that are still there. On PostgreSQL some who come at the same
/// moment may pass together.
async fn has_room(work: &mut AnyConnection, address: &str, guests: bool, most: usize) -> Result<bool> {
    let sql = if guests {
        "SELECT COUNT(*) FROM users WHERE address = $1 AND password IS NULL"
    } else {
        "SELECT COUNT(*) FROM users WHERE address = $1 AND password IS NOT NULL"
    };
    let there: i64 = sqlx::query(sql).bind(address).fetch_one(work).await?.try_get(0)?;
    Ok(usize::try_from(there).is_ok_and(|there| there < most))
}

/// What two names must not have in common.
fn name_key(name: &str) -> String {
    name.to_lowercase()
}

fn user_of(row: &AnyRow) -> Result<UserRow> {
    Ok(UserRow {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        password: row.try_get(2)?,
        admin: row.try_get::<i64, _>(3)? != 0,
        created: row.try_get(4)?,
        banned: row.try_get(5)?,
        address: row.try_get(6)?,
    })
}

// ---- decks ----

const DECK: &str = "SELECT id, user_id, game, name, seat, list, updated FROM decks";

impl Store {
    /// Write a deck, new or over the one with its id and user.
    pub async fn put_deck(&self, deck: &DeckRow) -> Result<()> {
        let sql = "INSERT INTO decks (id, user_id, game, name, seat, list, updated) VALUES ($1, $2, $3, $4, $5, $6, $7) \
                   ON CONFLICT (id) DO UPDATE SET name = excluded.name, seat = excluded.seat, list = excluded.list, \
                   updated = excluded.updated WHERE decks.user_id = excluded.user_id AND decks.game = excluded.game";
        let done = sqlx::query(sql)
            .bind(&deck.id)
            .bind(&deck.user)
            .bind(&deck.game)
            .bind(&deck.name)
            .bind(i64::from(deck.seat))
            .bind(&deck.list)
            .bind(deck.updated)
            .execute(&self.0.write)
            .await?;
        if done.rows_affected() == 1 { Ok(()) } else { Err(StoreError::Taken) }
    }

    pub async fn deck(&self, id: &str) -> Result<Option<DeckRow>> {
        let sql = format!("{DECK} WHERE id = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(&self.0.read).await?.as_ref().map(deck_of).transpose()
    }

    pub async fn decks(&self, user: &str, game: &str) -> Result<Vec<DeckRow>> {
        let sql = format!("{DECK} WHERE user_id = $1 AND game = $2 ORDER BY name, id");
        read_all(sqlx::query(AssertSqlSafe(sql)).bind(user).bind(game).fetch_all(&self.0.read).await?, deck_of)
    }

    /// How many decks a user has, and how many all users have together who were made by the same household.
    pub async fn count_decks(&self, user: &str) -> Result<[usize; 2]> {
        let mut counts = [0; 2];
        for (count, whose) in counts.iter_mut().zip([
            "user_id = $1",
            // Whose household is not known stands alone.
            "user_id = $1 OR user_id IN (SELECT other.id FROM users me JOIN users other ON other.address = me.address \
             WHERE me.id = $1 AND me.address <> '')",
        ]) {
            let sql = format!("SELECT COUNT(*) FROM decks WHERE {whose}");
            let there: i64 = sqlx::query(AssertSqlSafe(sql)).bind(user).fetch_one(&self.0.read).await?.try_get(0)?;
            *count = usize::try_from(there).unwrap_or(0);
        }
        Ok(counts)
    }

    /// Whether there was such a deck of this user.
    pub async fn delete_deck(&self, user: &str, id: &str) -> Result<bool> {
        let done = sqlx::query("DELETE FROM decks WHERE id = $1 AND user_id = $2").bind(id).bind(user).execute(&self.0.write).await?;
        Ok(done.rows_affected() > 0)
    }
}

fn deck_of(row: &AnyRow) -> Result<DeckRow> {
    Ok(DeckRow {
        id: row.try_get(0)?,
        user: row.try_get(1)?,
        game: row.try_get(2)?,
        name: row.try_get(3)?,
        seat: row.try_get::<i64, _>(4)? as u8,
        list: row.try_get(5)?,
        updated: row.try_get(6)?,
    })
}

// ---- settings, bans, blocks ----

impl Store {
    pub async fn setting(&self, key: &str) -> Result<Option<String>> {
        let row = sqlx::query("SELECT value FROM settings WHERE key = $1").bind(key).fetch_optional(&self.0.read).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    pub async fn set_setting(&self, key: &str, value: &str) -> Result<()> {
        let sql = "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        sqlx::query(sql).bind(key).bind(value).execute(&self.0.write).await?;
        Ok(())
    }

    /// Shut out a user (by id) or an address.
    pub async fn ban(&self, subject: &str, reason: &str) -> Result<()> {
        let sql = "INSERT INTO bans (subject, reason, created) VALUES ($1, $2, $3) \
                   ON CONFLICT (subject) DO UPDATE SET reason = excluded.reason";
        sqlx::query(sql).bind(subject).bind(reason).bind(now()).execute(&self.0.write).await?;
        Ok(())
    }

    /// Whether there was such a ban.
    pub async fn unban(&self, subject: &str) -> Result<bool> {
        let done = sqlx::query("DELETE FROM bans WHERE subject = $1").bind(subject).execute(&self.0.write).await?;
        Ok(done.rows_affected() > 0)
    }

    /// All who are shut out: subject and reason.
    pub async fn bans(&self) -> Result<Vec<(String, String)>> {
        let rows = sqlx::query("SELECT subject, reason FROM bans ORDER BY created DESC, subject").fetch_all(&self.0.read).await?;
        read_all(rows, |row| Ok((row.try_get(0)?, row.try_get(1)?)))
    }

    /// `user` does not want to hear from `other`.
    pub async fn block(&self, user: &str, other: &str) -> Result<()> {
        let sql = "INSERT INTO blocks (user_id, other_id) VALUES ($1, $2) ON CONFLICT (user_id, other_id) DO NOTHING";
        sqlx::query(sql).bind(user).bind(other).execute(&self.0.write).await?;
        Ok(())
    }

    pub async fn unblock(&self, user: &str, other: &str) -> Result<()> {
        let sql = "DELETE FROM blocks WHERE user_id = $1 AND other_id = $2";
        sqlx::query(sql).bind(user).bind(other).execute(&self.0.write).await?;
        Ok(())
    }

    /// Ids of those who do not want to hear from a user.
    pub async fn who_blocked(&self, user: &str) -> Result<Vec<String>> {
        let rows = sqlx::query("SELECT user_id FROM blocks WHERE other_id = $1").bind(user).fetch_all(&self.0.read).await?;
        read_all(rows, |row| Ok(row.try_get(0)?))
    }

    /// Those whom a user has blocked: id and name.
    pub async fn blocked(&self, user: &str) -> Result<Vec<(String, String)>> {
        let sql = "SELECT users.id, users.name FROM blocks JOIN users ON users.id = blocks.other_id WHERE blocks.user_id = $1 \
                   ORDER BY users.name_key";
        read_all(sqlx::query(sql).bind(user).fetch_all(&self.0.read).await?, |row| Ok((row.try_get(0)?, row.try_get(1)?)))
    }
}

/// All rows that make sense. One that is damaged costs what it stands for, not the list.
fn read_all<T>(rows: Vec<AnyRow>, read: impl Fn(&AnyRow) -> Result<T>) -> Result<Vec<T>> {
    let mut all = Vec::with_capacity(rows.len());
    for row in &rows {
        match read(row) {
            Ok(one) => all.push(one),
            Err(StoreError::Damaged(how)) => tracing::error!(how, "a damaged row is left out"),
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match &error {
            sqlx::Error::Database(cause) if cause.is_unique_violation() => StoreError::Taken,
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => StoreError::Damaged(error.to_string()),
            _ => StoreError::Failed(error.to_string()),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Taken => out.write_str("there is one already"),
            StoreError::Fenced => out.write_str("another server goes on with this match"),
            StoreError::Damaged(how) => write!(out, "what is stored is damaged: {how}"),
            StoreError::Failed(reason) => write!(out, "storage: {reason}"),
        }
    }
}

impl std::error::Error for StoreError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn commits_are_on_disk() {
        let folder = std::env::temp_dir().join(format!("trilogy store? {}%", std::process::id()));
        let store = Store::open(&folder.to_string_lossy()).await.expect("a folder with odd characters will do");
        assert!(folder.join("trilogy.db").is_file());
        let synchronous = sqlx::query("PRAGMA synchronous").fetch_one(&store.0.write).await.and_then(|row| row.try_get::<i64, _>(0));
        assert_eq!(synchronous.ok(), Some(2), "FULL");
        let journal = sqlx::query("PRAGMA journal_mode").fetch_one(&store.0.write).await.and_then(|row| row.try_get::<String, _>(0));
        assert_eq!(journal.ok().as_deref(), Some("wal"));
        let keys = sqlx::query("PRAGMA foreign_keys").fetch_one(&store.0.write).await.and_then(|row| row.try_get::<i64, _>(0));
        assert_eq!(keys.ok(), Some(1));
        store.close().await;
        let _ = std::fs::remove_dir_all(folder);
    }

    #[tokio::test]
    async fn other_databases_are_refused() {
        assert!(Store::open("mysql://localhost/x").await.is_err());
        assert!(Store::open("postgres://localhost:1/x").await.is_err());
    }
}
