//! Rules and cards in a folder, watched while the server runs: what has changed is read when nobody is writing it any more, and new
//! matches are played with it. Matches that are under way keep what they began with.

use crate::app::App;
use crate::games::Games;
use crate::work::For;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use trilogy_games::source::{self, Source};

/// How often the folder is looked at. A change is read once it has looked the same twice.
const LOOK: Duration = Duration::from_secs(1);

pub(crate) struct Watch {
    folder: PathBuf,
    /// How each game looked when it was read, and when it was last looked at.
    read: BTreeMap<String, Looks>,
    seen: BTreeMap<String, Looks>,
}

/// A digest of the names, sizes and times of all files of a game.
type Looks = [u8; 32];

impl Watch {
    /// From how the folder looks now, before it is read.
    pub(crate) fn new(folder: &Path) -> Watch {
        let seen = look(folder).into_iter().map(|(source, looks)| (source.name(), looks)).collect();
        Watch { folder: folder.into(), read: BTreeMap::clone(&seen), seen }
    }

    pub(crate) async fn run(mut self, app: &App) {
        let itself = For::itself();
        loop {
            tokio::time::sleep(LOOK).await;
            let folder = self.folder.clone();
            let Ok(now) = tokio::task::spawn_blocking(move || look(&folder)).await else { continue };
            for source in self.changed(now) {
                let games: Games = app.games.clone();
                // It takes a while, and others do not wait for it.
                let reading = app.work.run(&itself, move || games.take(&source));
                if let Err(failure) = reading.await {
                    tracing::error!(reason = failure.problem.reason, "changed cards and rules were not read");
                }
            }
        }
    }

    /// The games that look other than when they were read, and the same as a moment ago.
    fn changed(&mut self, now: Vec<(Source, Looks)>) -> Vec<Source> {
        let mut changed = Vec::new();
        for (source, looks) in now {
            let name = source.name();
            let rests = self.seen.insert(name.clone(), looks) == Some(looks);
            if rests && self.read.get(&name) != Some(&looks) {
                self.read.insert(name, looks);
                changed.push(source);
            }
        }
        changed
    }
}

/// How the games of a folder look. One that cannot be looked at looks like nothing.
fn look(folder: &Path) -> Vec<(Source, Looks)> {
    let games = source::all(Some(folder)).unwrap_or_default();
    let looks = |source: Source| {
        let mut hasher = blake3::Hasher::new();
        let _ = source.folder().map(|folder| add(folder, &mut hasher));
        (source, *hasher.finalize().as_bytes())
    };
    games.into_iter().map(looks).collect()
}

fn add(folder: &Path, hasher: &mut blake3::Hasher) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let about = path.symlink_metadata()?;
        if about.is_dir() {
            // Scenarios say nothing of what is played.
            if path.file_name().is_some_and(|name| name == "scenarios") {
                continue;
            }
            add(&path, hasher)?;
            continue;
        }
        let time = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        hasher.update(path.as_os_str().as_encoded_bytes()).update(b"\0");
        hasher.update(&about.len().to_le_bytes()).update(&time.as_nanos().to_le_bytes());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_once_and_only_when_it_rests() {
        let game = |name: &str| Source::Folder(PathBuf::from(name));
        let mut watch = Watch { folder: PathBuf::new(), read: BTreeMap::new(), seen: BTreeMap::new() };
        let mut names = |looks: &[(&str, u8)]| -> Vec<String> {
            let now = looks.iter().map(|(name, looks)| (game(name), [*looks; 32])).collect();
            watch.changed(now).iter().map(Source::name).collect()
        };
        assert!(names(&[("a", 1), ("b", 1)]).is_empty(), "it may still be written");
        assert_eq!(names(&[("a", 1), ("b", 2)]), ["a"]);
        assert_eq!(names(&[("a", 1), ("b", 2)]), ["b"]);
        assert!(names(&[("a", 1), ("b", 2)]).is_empty());
        assert!(names(&[("a", 3)]).is_empty());
        assert_eq!(names(&[("a", 3)]), ["a"]);
        assert!(names(&[("b", 2)]).is_empty(), "one that was away for a moment is the same");
    }
}
