//! Compiled catalogues that matches refer to: each once, by the hash of what it means.

use super::{Result, Store, StoreError, folder, is_url, sqlite_url};
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, Connection, Row};
use std::path::Path;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatalogueRow {
    /// In hex.
    pub hash: String,
    pub game: String,
    /// Versions of the format and of the machine's meaning.
    pub format: u32,
    pub meaning: u32,
    /// Packed.
    pub bytes: Vec<u8>,
}

/// How long a catalogue stays that nothing refers to, in seconds: longer than any server goes on without saying that it needs it.
const UNUSED: i64 = 30 * 24 * 3600;

impl Store {
    /// Say that a catalogue is needed now. False where it is not here.
    pub async fn need_catalogue(&self, hash: &str) -> Result<bool> {
        let sql = "UPDATE catalogues SET created = $2 WHERE hash = $1";
        Ok(sqlx::query(sql).bind(hash).bind(super::now()).execute(&self.0.write).await?.rows_affected() > 0)
    }

    /// Keep a catalogue; one that is here stays as it is.
    pub async fn put_catalogue(&self, row: &CatalogueRow) -> Result<()> {
        let sql = "INSERT INTO catalogues (hash, game, format, meaning, bytes, created) VALUES ($1, $2, $3, $4, $5, $6) \
                   ON CONFLICT (hash) DO NOTHING";
        sqlx::query(sql)
            .bind(&row.hash)
            .bind(&row.game)
            .bind(i64::from(row.format))
            .bind(i64::from(row.meaning))
            .bind(&row.bytes)
            .bind(super::now())
            .execute(&self.0.write)
            .await?;
        Ok(())
    }

    pub async fn catalogue(&self, hash: &str) -> Result<Option<CatalogueRow>> {
        let sql = "SELECT hash, game, format, meaning, bytes FROM catalogues WHERE hash = $1";
        let row = sqlx::query(sql).bind(hash).fetch_optional(&self.0.read).await?;
        row.map(|row| {
            Ok(CatalogueRow {
                hash: row.try_get(0)?,
                game: row.try_get(1)?,
                format: row.try_get::<i64, _>(2)? as u32,
                meaning: row.try_get::<i64, _>(3)? as u32,
                bytes: row.try_get(4)?,
            })
        })
        .transpose()
    }

    /// The versions of a catalogue: of its format and of the machine's meaning.
    pub async fn catalogue_versions(&self, hash: &str) -> Result<Option<(u32, u32)>> {
        let row = sqlx::query("SELECT format, meaning FROM catalogues WHERE hash = $1").bind(hash).fetch_optional(&self.0.read).await?;
        row.map(|row| Ok((row.try_get::<i64, _>(0)? as u32, row.try_get::<i64, _>(1)? as u32))).transpose()
    }

    /// Forget catalogues that no match has referred to for long.
    pub async fn forget_catalogues(&self) -> Result<()> {
        let sql = "DELETE FROM catalogues WHERE created < $1 AND hash NOT IN (SELECT catalogue FROM matches)";
        sqlx::query(sql).bind(super::now() - UNUSED).execute(&self.0.write).await?;
        Ok(())
    }
}

/// The bytes of a catalogue in the storage at a `postgres:` URL or in a folder, whether servers use it or not. Nothing is changed, and
/// nothing made where no storage is.
pub async fn packed_catalogue(url_or_dir: &str, hash: &str) -> Result<Option<Vec<u8>>> {
    install_default_drivers();
    let url = if is_url(url_or_dir) {
        url_or_dir.to_string()
    } else {
        let file = Path::new(url_or_dir).join(folder::FILE);
        if !file.is_file() {
            return Ok(None);
        }
        sqlite_url(&file, "rw").map_err(StoreError::Failed)?
    };
    let mut storage = AnyConnection::connect(&url).await?;
    let row = sqlx::query("SELECT bytes FROM catalogues WHERE hash = $1").bind(hash).fetch_optional(&mut storage).await?;
    storage.close().await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
