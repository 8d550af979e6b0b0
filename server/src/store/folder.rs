//! The folder of the embedded storage: one server at a time has it. Whole copies of it, taken while that server plays on, and a folder
//! that is made from one.
//!
//! A copy is made by SQLite itself (`VACUUM INTO`): one statement that reads a single moment, holds up nobody who writes, and leaves one
//! file with nothing beside it. The file alone, copied by other means, lacks what still lies in the log beside it.

use super::sqlite_url;
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, Connection, Row};
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file with everything in it.
pub(super) const FILE: &str = "trilogy.db";
/// What SQLite keeps beside it, and takes for a part of it.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

type Result<T> = std::result::Result<T, String>;

/// What a copy holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    pub bytes: u64,
    pub users: i64,
    pub matches: i64,
    /// Those of them that are open or being played.
    pub alive: i64,
    pub answers: i64,
}

impl fmt::Display for Copied {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Copied { bytes, users, matches, alive, answers } = self;
        write!(out, "{users} users, {matches} matches ({alive} of them not over), {answers} answers; {bytes} bytes")
    }
}

/// Two servers on one folder would each take the matches for their own.
pub(crate) async fn lock(folder: &Path) -> Result<File> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    let file = File::create(folder.join("lock")).map_err(failed)?;
    // The one before may be about to end.
    for _ in 0..20 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => tokio::time::sleep(Duration::from_millis(100)).await,
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
    Err(format!("{}: another server is using this folder", folder.display()))
}

/// Copy all that is stored in a folder to a file that is not there yet, whether a server uses the folder or not.
pub async fn back_up(data: &Path, to: &Path) -> Result<Copied> {
    let from = data.join(FILE);
    if !from.is_file() {
        return Err(format!("{}: nothing is stored here", data.display()));
    }
    copy(&from, to).await
}

/// Make a folder from such a file. Nothing may be stored there: a log that was left of another file would be taken for one of this.
pub async fn restore(from: &Path, data: &Path) -> Result<Copied> {
    if !from.is_file() {
        return Err(format!("{}: there is no such file", from.display()));
    }
    let _lock = lock(data).await?;
    let to = data.join(FILE);
    if let Some(there) = BESIDE.iter().map(|ending| with_ending(&to, ending)).chain([to.clone()]).find(|path| is_there(path)) {
        return Err(format!("{}: something is stored here already; move it away first", there.display()));
    }
    copy(from, &to).await
}

/// It has another name until it is whole, checked and on disk, so that nothing half done is taken for a copy.
async fn copy(from: &Path, to: &Path) -> Result<Copied> {
    let part = with_ending(to, ".part");
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        // It holds the hashes of passwords and sessions.
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let file = options.open(&part).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => format!("{}: this is being written, or was cut short; remove it if it was", part.display()),
        _ => format!("{}: {error}", part.display()),
    })?;
    let copied = fill(from, &part, &file, to).await;
    if copied.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    copied
}

async fn fill(from: &Path, part: &Path, file: &File, to: &Path) -> Result<Copied> {
    if is_there(to) {
        return Err(format!("{}: this is there already, and nothing is written over it", to.display()));
    }
    install_default_drivers();
    let unreadable = |error: sqlx::Error| format!("{} cannot be copied: {error}", from.display());
    // Nothing is written to it. Whoever may not write leaves behind what SQLite lays beside a file that no server has open.
    let mut source = AnyConnection::connect(&sqlite_url(from, "rw")?).await.map_err(unreadable)?;
    let name = std::path::absolute(part).map_err(|error| format!("{}: {error}", part.display()))?;
    let name = name.to_str().ok_or_else(|| format!("{}: the path is not UTF-8", part.display()))?;
    sqlx::query("VACUUM INTO $1").bind(name).execute(&mut source).await.map_err(unreadable)?;
    let _ = source.close().await;
    let [users, matches, alive, answers] = checked(part).await.map_err(|why| format!("{} is no whole storage: {why}", from.display()))?;
    let failed = |error: std::io::Error| format!("{}: {error}", to.display());
    file.sync_all().map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    std::fs::rename(part, to).map_err(failed)?;
    #[cfg(unix)]
    if let Some(folder) = std::path::absolute(to).map_err(failed)?.parent() {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    Ok(Copied { bytes, users, matches, alive, answers })
}

/// Go through the whole file, and count what is in it.
async fn checked(path: &Path) -> Result<[i64; 4]> {
    let failed = |error: sqlx::Error| error.to_string();
    let mut copy = AnyConnection::connect(&sqlite_url(path, "ro")?).await.map_err(failed)?;
    let found = sqlx::query("PRAGMA integrity_check(1)").fetch_one(&mut copy).await.map_err(failed)?;
    let found: String = found.try_get(0).map_err(failed)?;
    if found != "ok" {
        return Err(found);
    }
    let sql = "SELECT (SELECT COUNT(*) FROM users), (SELECT COUNT(*) FROM matches), (SELECT COUNT(*) FROM matches WHERE alive = 1), \
               (SELECT COUNT(*) FROM answers)";
    let row = sqlx::query(sql).fetch_one(&mut copy).await.map_err(failed)?;
    let mut counts = [0; 4];
    for (at, count) in counts.iter_mut().enumerate() {
        *count = row.try_get(at).map_err(failed)?;
    }
    let _ = copy.close().await;
    Ok(counts)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Whatever it is, a link that leads nowhere too.
fn is_there(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}
