//! Servers that share a database, and which of them goes on with which match.
//!
//! A server holds what it owns until its lease runs out, which it renews all the time. Whoever takes a match over raises its fence,
//! so a server that has slept through its lease writes nothing: its fence is too low. All times are those of the database.

use super::{Claim, Result, Store, read_all};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerRow {
    pub id: String,
    /// Where clients reach it.
    pub url: String,
    /// JSON of the versions of catalogues that it can play.
    pub plays: String,
    /// When it was last heard of, in milliseconds.
    pub seen: i64,
    /// Whether its lease still runs.
    pub live: bool,
    /// It finishes its matches and takes no new ones.
    pub draining: bool,
}

impl Store {
    /// Be one of the servers, with a lease for so long.
    pub async fn enter_server(&self, server: &ServerRow, lease_ms: i64) -> Result<()> {
        let now = self.clock();
        let sql = format!(
            "INSERT INTO servers (id, url, plays, draining, seen, until) VALUES ($1, $2, $3, $4, {now}, {now} + $5) \
             ON CONFLICT (id) DO UPDATE SET url = excluded.url, seen = excluded.seen, until = excluded.until"
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(&server.id)
            .bind(&server.url)
            .bind(&server.plays)
            .bind(i64::from(server.draining))
            .bind(lease_ms)
            .execute(&self.0.write)
            .await?;
        Ok(())
    }

    /// Go on being there. Says whether the lease had not run out meanwhile: others may have taken over what this server held.
    pub async fn renew_server(&self, id: &str, lease_ms: i64) -> Result<bool> {
        let now = self.clock();
        let sql = format!("UPDATE servers SET seen = {now}, until = {now} + $2 WHERE id = $1 AND until > {now}");
        let held = sqlx::query(AssertSqlSafe(sql)).bind(id).bind(lease_ms).execute(&self.0.write).await?;
        Ok(held.rows_affected() == 1)
    }

    /// Say that a server is there, without renewing its lease: a write that shows whether there can be any.
    pub async fn mark_server(&self, id: &str) -> Result<()> {
        let sql = format!("UPDATE servers SET seen = {} WHERE id = $1", self.clock());
        sqlx::query(AssertSqlSafe(sql)).bind(id).execute(&self.0.write).await?;
        Ok(())
    }

    /// Leave, after everything has been given up.
    pub async fn leave_server(&self, id: &str) -> Result<()> {
        sqlx::query("DELETE FROM servers WHERE id = $1").bind(id).execute(&self.0.write).await?;
        Ok(())
    }

    /// No server but the one that asks can be on this storage: those that are written down are gone.
    pub async fn end_leases(&self) -> Result<()> {
        sqlx::query("UPDATE servers SET until = 0").execute(&self.0.write).await?;
        Ok(())
    }

    /// All servers that are written down, those that are gone too.
    pub async fn servers(&self) -> Result<Vec<ServerRow>> {
        let sql = format!(
            "SELECT id, url, plays, seen, CAST(CASE WHEN until > {} THEN 1 ELSE 0 END AS BIGINT), draining FROM servers ORDER BY id",
            self.clock()
        );
        let server = |row: &AnyRow| {
            Ok(ServerRow {
                id: row.try_get(0)?,
                url: row.try_get(1)?,
                plays: row.try_get(2)?,
                seen: row.try_get(3)?,
                live: row.try_get::<i64, _>(4)? != 0,
                draining: row.try_get::<i64, _>(5)? != 0,
            })
        };
        read_all(sqlx::query(AssertSqlSafe(sql)).fetch_all(&self.0.read).await?, server)
    }

    /// Forget servers that are gone and own nothing any more.
    pub async fn forget_servers(&self) -> Result<()> {
        let sql = format!(
            "DELETE FROM servers WHERE until < {} AND NOT EXISTS (SELECT 1 FROM matches WHERE matches.owner = servers.id)",
            self.clock()
        );
        sqlx::query(AssertSqlSafe(sql)).execute(&self.0.write).await?;
        Ok(())
    }

    /// Become the owner of a match that nobody holds any more. None where another server does, or this one's own lease has run out.
    pub async fn claim(&self, table: &str, server: &str) -> Result<Option<Claim>> {
        let now = self.clock();
        let sql = format!(
            "UPDATE matches SET owner = $2, fence = fence + 1 WHERE id = $1 \
             AND EXISTS (SELECT 1 FROM servers WHERE servers.id = $2 AND servers.until > {now}) \
             AND (owner IS NULL OR owner = $2 OR NOT EXISTS (SELECT 1 FROM servers WHERE servers.id = matches.owner AND servers.until > {now})) \
             RETURNING fence"
        );
        let row = sqlx::query(AssertSqlSafe(sql)).bind(table).bind(server).fetch_optional(&self.0.write).await?;
        row.map(|row| Ok(Claim { table: table.into(), fence: row.try_get(0)? })).transpose()
    }

    /// Give a match up, so that whoever wants it next can have it at once.
    pub async fn release(&self, claim: &Claim) -> Result<()> {
        let sql = "UPDATE matches SET owner = NULL WHERE id = $1 AND fence = $2";
        sqlx::query(sql).bind(&claim.table).bind(claim.fence).execute(&self.0.write).await?;
        Ok(())
    }

    /// Matches that are open or being played and that nobody holds, oldest first.
    pub async fn orphans(&self) -> Result<Vec<String>> {
        let sql = format!(
            "SELECT id FROM matches WHERE alive = 1 AND (owner IS NULL OR NOT EXISTS \
             (SELECT 1 FROM servers WHERE servers.id = matches.owner AND servers.until > {})) ORDER BY created, id",
            self.clock()
        );
        read_all(sqlx::query(AssertSqlSafe(sql)).fetch_all(&self.0.read).await?, |row| Ok(row.try_get(0)?))
    }

    /// What a server owns.
    pub async fn claims(&self, server: &str) -> Result<Vec<Claim>> {
        let rows = sqlx::query("SELECT id, fence FROM matches WHERE owner = $1").bind(server).fetch_all(&self.0.read).await?;
        read_all(rows, |row| Ok(Claim { table: row.try_get(0)?, fence: row.try_get(1)? }))
    }

    /// Let somebody in who comes from another server, until then.
    pub async fn create_ticket(&self, hash: &str, user: &str, expires: i64) -> Result<()> {
        let sql = "INSERT INTO tickets (hash, user_id, expires) VALUES ($1, $2, $3)";
        sqlx::query(sql).bind(hash).bind(user).bind(expires).execute(&self.0.write).await?;
        Ok(())
    }

    /// Whom a ticket lets in. It is used up, and so are those that are too old.
    pub async fn take_ticket(&self, hash: &str, now: i64) -> Result<Option<String>> {
        let sql = "DELETE FROM tickets WHERE hash = $1 AND expires > $2 RETURNING user_id";
        let row = sqlx::query(sql).bind(hash).bind(now).fetch_optional(&self.0.write).await?;
        sqlx::query("DELETE FROM tickets WHERE expires <= $1").bind(now).execute(&self.0.write).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }
}
