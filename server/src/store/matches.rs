//! Matches with their answers and what was said at them. What goes on with a match is written with a [`Claim`]: once another server
//! has taken it over, nothing more can be written with the old one.
//!
//! An answer is on disk when [`Store::append_answer`] returns. Answers that arrive while a commit is under way share the next one, so
//! that many matches at once wait for few writes.

use super::{Result, Store, StoreError, read_all};
use crate::protocol::MatchState;
use sqlx::any::AnyRow;
use sqlx::{AnyPool, AssertSqlSafe, Row};
use std::collections::HashSet;
use tokio::sync::{mpsc, oneshot};

/// The right to write to a match.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    pub table: String,
    /// How often the match has changed hands.
    pub fence: i64,
}

/// A match: all that is needed, with its answers, to go on with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    pub id: String,
    pub game: String,
    /// JSON of the engine's `Setup`.
    pub setup: String,
    /// Hash of the catalogue it is played with, in hex.
    pub catalogue: String,
    pub seats: [SeatRow; 2],
    /// JSON of `protocol::Clock`.
    pub clock: String,
    pub private: bool,
    /// JSON of `protocol::MatchState`.
    pub state: String,
    /// Whose household opened it.
    pub address: String,
    pub created: i64,
    pub updated: i64,
    pub noted: Noted,
    /// The server that goes on with it.
    pub owner: Option<String>,
}

/// What a restart must remember of a match besides its answers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Noted {
    /// JSON of a match's own making; empty where nothing was noted.
    pub aside: String,
    /// What the clocks showed, in milliseconds, and when that was (0: when the match began).
    pub left: [i64; 2],
    pub at: i64,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatRow {
    /// Id of a user.
    pub user: Option<String>,
    pub name: String,
    pub bot: Option<String>,
    pub deck_name: String,
}

/// An answer of a match. Those that came with a fork, or from a release that did not write it down, lack all but the line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AnswerRow {
    /// As the journal has it.
    pub line: String,
    /// The ask that it was for, and its number with the client who gave it.
    pub ask: Option<u32>,
    pub sent: Option<u32>,
    /// Who gave it: 0 a person, 1 the stops, 2 a bot.
    pub by: u8,
    /// What the clocks showed after it, in milliseconds.
    pub left: Option<[i64; 2]>,
    /// When it was stored, by the database; not read when it is written.
    pub at: i64,
}

impl AnswerRow {
    pub fn of(line: String) -> AnswerRow {
        AnswerRow { line, ..AnswerRow::default() }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatRow {
    /// Id of the user who said it.
    pub user: Option<String>,
    pub name: String,
    pub seat: Option<u8>,
    pub text: String,
    pub created: i64,
}

pub(super) struct Append {
    claim: Claim,
    number: u32,
    answer: AnswerRow,
    done: oneshot::Sender<Result<()>>,
}

/// Most answers that share a commit; ten times this is less than either backend's limit on parameters.
const BATCH: usize = 256;

const TABLE: &str = "SELECT id, game, setup, catalogue, user0, name0, bot0, deck0, user1, name1, bot1, deck1, clock, left0, left1, \
                     private, state, created, updated, address, aside, noted, owner FROM matches";

/// Bytes of a match beside its answers and its setup.
const ROW: usize = 500;

impl Store {
    /// Write down a new match, which its row's owner goes on with.
    pub async fn create_table(&self, row: &TableRow) -> Result<Claim> {
        let sql = "INSERT INTO matches (id, game, setup, catalogue, user0, name0, bot0, deck0, user1, name1, bot1, deck1, clock, left0, \
                   left1, private, state, alive, updated, bytes, created, address, aside, noted, owner, fence) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, 0, \
                   $24, 1)";
        let query = bind_table(sql, row)?;
        query.bind(row.created).bind(&row.address).bind(&row.noted.aside).bind(&row.owner).execute(&self.0.write).await?;
        Ok(Claim { table: row.id.clone(), fence: 1 })
    }

    /// How a match stands now. What was noted aside stays.
    pub async fn update_table(&self, claim: &Claim, row: &TableRow) -> Result<()> {
        let sql = "UPDATE matches SET game = $2, setup = $3, catalogue = $4, user0 = $5, name0 = $6, bot0 = $7, deck0 = $8, user1 = $9, \
                   name1 = $10, bot1 = $11, deck1 = $12, clock = $13, left0 = $14, left1 = $15, private = $16, state = $17, alive = $18, \
                   updated = $19, bytes = $20 + (SELECT COALESCE(SUM(LENGTH(line) + 60), 0) FROM answers WHERE match_id = $1) \
                   WHERE id = $1 AND fence = $21";
        one(bind_table(sql, row)?.bind(claim.fence).execute(&self.0.write).await?.rows_affected())
    }

    /// Note what a restart must remember.
    pub async fn note(&self, claim: &Claim, noted: &Noted) -> Result<()> {
        let sql = format!("UPDATE matches SET aside = $3, left0 = $4, left1 = $5, noted = {} WHERE id = $1 AND fence = $2", self.clock());
        one(bind_note(AssertSqlSafe(sql), claim, noted).execute(&self.0.write).await?.rows_affected())
    }

    /// Forget the answers behind the first `keep`, and note what a restart must remember of that.
    pub async fn truncate_answers(&self, claim: &Claim, keep: u32, noted: &Noted) -> Result<()> {
        let mut work = self.0.write.begin().await?;
        let sql = format!("UPDATE matches SET aside = $3, left0 = $4, left1 = $5, noted = {} WHERE id = $1 AND fence = $2", self.clock());
        one(bind_note(AssertSqlSafe(sql), claim, noted).execute(&mut *work).await?.rows_affected())?;
        let sql = "DELETE FROM answers WHERE match_id = $1 AND number > $2";
        sqlx::query(sql).bind(&claim.table).bind(i64::from(keep)).execute(&mut *work).await?;
        work.commit().await?;
        Ok(())
    }

    pub async fn table(&self, id: &str) -> Result<Option<TableRow>> {
        let sql = format!("{TABLE} WHERE id = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(&self.0.read).await?.as_ref().map(table_of).transpose()
    }

    /// Matches in which a user had a seat, newest first, each with the number of its answers.
    pub async fn tables_of(&self, user: &str, most: u32) -> Result<Vec<(TableRow, u32)>> {
        let counted = TABLE.replace(" FROM matches", ", (SELECT COUNT(*) FROM answers WHERE answers.match_id = matches.id) FROM matches");
        let sql = format!("{counted} WHERE user0 = $1 OR user1 = $1 ORDER BY created DESC, id LIMIT $2");
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(user).bind(i64::from(most)).fetch_all(&self.0.read).await?;
        read_all(rows, |row| Ok((table_of(row)?, row.try_get::<i64, _>(23)? as u32)))
    }

    /// Matches that are open or being played at other servers, newest first.
    pub async fn tables_elsewhere(&self, server: &str, most: u32) -> Result<Vec<TableRow>> {
        let sql = format!("{TABLE} WHERE alive = 1 AND owner IS NOT NULL AND owner <> $1 ORDER BY created DESC, id LIMIT $2");
        read_all(sqlx::query(AssertSqlSafe(sql)).bind(server).bind(i64::from(most)).fetch_all(&self.0.read).await?, table_of)
    }

    /// Matches of a household that are open or being played, and how many bytes are kept of all it has had.
    pub async fn kept_of_address(&self, address: &str) -> Result<(u32, u64)> {
        // Sums of whole numbers are of other types in other databases.
        let sql = "SELECT CAST(COALESCE(SUM(alive), 0) AS BIGINT), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM matches WHERE address = $1";
        let row = sqlx::query(sql).bind(address).fetch_one(&self.0.read).await?;
        Ok((row.try_get::<i64, _>(0)? as u32, row.try_get::<i64, _>(1)? as u64))
    }

    /// Forget a match with all that belongs to it.
    pub async fn delete_table(&self, id: &str) -> Result<()> {
        sqlx::query("DELETE FROM matches WHERE id = $1").bind(id).execute(&self.0.write).await?;
        Ok(())
    }

    /// Write down answer `number` (from 1) of a match. It is on disk when this returns; a number that is there already is refused.
    pub async fn append_answer(&self, claim: &Claim, number: u32, answer: AnswerRow) -> Result<()> {
        let (done, told) = oneshot::channel();
        let append = Append { claim: claim.clone(), number, answer, done };
        let gone = || StoreError::Failed("the storage is closed".into());
        self.0.appends.send(append).await.map_err(|_| gone())?;
        told.await.map_err(|_| gone())?
    }

    /// The answers of a match, in order. One that is missing or damaged costs the match.
    pub async fn answers(&self, table: &str) -> Result<Vec<AnswerRow>> {
        let sql = "SELECT number, line, ask, sent, given_by, left0, left1, at FROM answers WHERE match_id = $1 ORDER BY number";
        let rows = sqlx::query(sql).bind(table).fetch_all(&self.0.read).await?;
        rows.iter()
            .zip(1..)
            .map(|(row, number)| {
                let found: i64 = row.try_get(0)?;
                if found != number {
                    return Err(StoreError::Damaged(format!("answer {number} is missing")));
                }
                answer_of(row)
            })
            .collect()
    }

    pub async fn count_answers(&self, table: &str) -> Result<u32> {
        let sql = "SELECT COUNT(*) FROM answers WHERE match_id = $1";
        Ok(sqlx::query(sql).bind(table).fetch_one(&self.0.read).await?.try_get::<i64, _>(0)? as u32)
    }

    /// Write down what was said, unless `most` lines are kept of this match already.
    pub async fn add_chat(&self, table: &str, chat: &ChatRow, most: usize) -> Result<bool> {
        let sql = "INSERT INTO chats (match_id, number, author, name, seat, text, created) \
                   SELECT $1, said.last + 1, CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($5 AS TEXT), CAST($6 AS BIGINT) \
                   FROM (SELECT COALESCE(MAX(number), 0) AS last FROM chats WHERE match_id = $1) AS said WHERE said.last < $7";
        let done = sqlx::query(sql)
            .bind(table)
            .bind(&chat.user)
            .bind(&chat.name)
            .bind(chat.seat.map(i64::from))
            .bind(&chat.text)
            .bind(chat.created)
            .bind(i64::try_from(most).unwrap_or(i64::MAX))
            .execute(&self.0.write)
            .await?;
        Ok(done.rows_affected() > 0)
    }

    /// What was said at a match, in order.
    pub async fn chats(&self, table: &str) -> Result<Vec<ChatRow>> {
        let sql = "SELECT author, name, seat, text, created FROM chats WHERE match_id = $1 ORDER BY number";
        let chat = |row: &AnyRow| {
            let seat: Option<i64> = row.try_get(2)?;
            Ok(ChatRow {
                user: row.try_get(0)?,
                name: row.try_get(1)?,
                seat: seat.map(|seat| seat as u8),
                text: row.try_get(3)?,
                created: row.try_get(4)?,
            })
        };
        read_all(sqlx::query(sql).bind(table).fetch_all(&self.0.read).await?, chat)
    }
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Any, sqlx::any::AnyArguments>;

/// The first twenty parameters.
fn bind_table<'q>(sql: &'static str, row: &TableRow) -> Result<Query<'q>> {
    let [first, second] = row.seats.clone();
    let bytes = ROW + row.setup.len();
    Ok(sqlx::query(sql)
        .bind(row.id.clone())
        .bind(row.game.clone())
        .bind(row.setup.clone())
        .bind(row.catalogue.clone())
        .bind(first.user)
        .bind(first.name)
        .bind(first.bot)
        .bind(first.deck_name)
        .bind(second.user)
        .bind(second.name)
        .bind(second.bot)
        .bind(second.deck_name)
        .bind(row.clock.clone())
        .bind(row.noted.left[0])
        .bind(row.noted.left[1])
        .bind(i64::from(row.private))
        .bind(row.state.clone())
        .bind(i64::from(is_alive(&row.state)?))
        .bind(row.updated)
        .bind(bytes as i64))
}

/// The parameters of a note.
fn bind_note<'q>(sql: AssertSqlSafe<String>, claim: &Claim, noted: &Noted) -> Query<'q> {
    sqlx::query(sql).bind(claim.table.clone()).bind(claim.fence).bind(noted.aside.clone()).bind(noted.left[0]).bind(noted.left[1])
}

/// A write to a match that this server no longer owns finds no row.
fn one(rows: u64) -> Result<()> {
    if rows == 1 { Ok(()) } else { Err(StoreError::Fenced) }
}

fn is_alive(state: &str) -> Result<bool> {
    let state: MatchState =
        serde_json::from_str(state).map_err(|error| StoreError::Failed(format!("not the state of a match: {error}")))?;
    Ok(!matches!(state, MatchState::Over { .. }))
}

fn table_of(row: &AnyRow) -> Result<TableRow> {
    let seat = |at: usize| -> Result<SeatRow> {
        Ok(SeatRow { user: row.try_get(at)?, name: row.try_get(at + 1)?, bot: row.try_get(at + 2)?, deck_name: row.try_get(at + 3)? })
    };
    Ok(TableRow {
        id: row.try_get(0)?,
        game: row.try_get(1)?,
        setup: row.try_get(2)?,
        catalogue: row.try_get(3)?,
        seats: [seat(4)?, seat(8)?],
        clock: row.try_get(12)?,
        private: row.try_get::<i64, _>(15)? != 0,
        state: row.try_get(16)?,
        created: row.try_get(17)?,
        updated: row.try_get(18)?,
        address: row.try_get(19)?,
        noted: Noted { left: [row.try_get(13)?, row.try_get(14)?], aside: row.try_get(20)?, at: row.try_get(21)? },
        owner: row.try_get(22)?,
    })
}

fn answer_of(row: &AnyRow) -> Result<AnswerRow> {
    let number = |at: usize| -> Result<Option<i64>> { Ok(row.try_get(at)?) };
    let left = match (number(5)?, number(6)?) {
        (Some(first), Some(second)) => Some([first, second]),
        _ => None,
    };
    Ok(AnswerRow {
        line: row.try_get(1)?,
        ask: number(2)?.map(|ask| ask as u32),
        sent: number(3)?.map(|sent| sent as u32),
        by: number(4)?.unwrap_or(0) as u8,
        left,
        at: number(7)?.unwrap_or(0),
    })
}

/// Takes answers as they come and commits all that have come together.
pub(super) async fn keep_appending(pool: AnyPool, postgres: bool, mut queue: mpsc::Receiver<Append>) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        let keys: HashSet<(&str, u32)> = batch.iter().map(|append| (append.claim.table.as_str(), append.number)).collect();
        // Of two for one place it could not be told which was written.
        let written = if keys.len() == batch.len() { write_answers(&pool, postgres, &batch).await } else { Err(StoreError::Taken) };
        match written {
            Ok(written) => {
                for append in batch.drain(..) {
                    let known = written.contains(&(append.claim.table.clone(), i64::from(append.number)));
                    let _ = append.done.send(if known { Ok(()) } else { Err(StoreError::Fenced) });
                }
            }
            Err(error) if batch.len() == 1 => batch.drain(..).for_each(|append| drop(append.done.send(Err(error.clone())))),
            // One that is wrong must not take the others with it.
            Err(_) => {
                for append in batch.drain(..) {
                    let written = write_answers(&pool, postgres, std::slice::from_ref(&append)).await;
                    let done = written.and_then(|written| if written.is_empty() { Err(StoreError::Fenced) } else { Ok(()) });
                    let _ = append.done.send(done);
                }
            }
        }
    }
}

/// Write those whose claim still holds; which ones these are, by match and number.
async fn write_answers(pool: &AnyPool, postgres: bool, batch: &[Append]) -> Result<HashSet<(String, i64)>> {
    const COLUMNS: usize = 9;
    // PostgreSQL takes parameters in a list of values for texts unless it is told otherwise.
    let types = ["TEXT", "BIGINT", "BIGINT", "TEXT", "BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT"];
    let row = |at: usize| {
        let cells: Vec<String> = types.iter().zip(1..).map(|(of, column)| format!("CAST(${} AS {of})", COLUMNS * at + column)).collect();
        format!("({})", cells.join(", "))
    };
    let rows: Vec<String> = (0..batch.len()).map(row).collect();
    // Whoever takes a match over meanwhile waits for this, or this finds that it is too late.
    let (clock, held) = if postgres { (super::POSTGRES_CLOCK, " FOR SHARE OF matches") } else { (super::SQLITE_CLOCK, "") };
    let sql = format!(
        "INSERT INTO answers (match_id, number, line, ask, sent, given_by, left0, left1, at) \
         SELECT given.column1, given.column3, given.column4, given.column5, given.column6, given.column7, given.column8, given.column9, \
         {clock} FROM (VALUES {}) AS given JOIN matches ON matches.id = given.column1 AND matches.fence = given.column2{held} \
         RETURNING match_id, number",
        rows.join(", ")
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for Append { claim, number, answer, .. } in batch {
        query = query
            .bind(&claim.table)
            .bind(claim.fence)
            .bind(i64::from(*number))
            .bind(&answer.line)
            .bind(answer.ask.map(i64::from))
            .bind(answer.sent.map(i64::from))
            .bind(i64::from(answer.by))
            .bind(answer.left.map(|left| left[0]))
            .bind(answer.left.map(|left| left[1]));
    }
    let rows = query.fetch_all(pool).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}
