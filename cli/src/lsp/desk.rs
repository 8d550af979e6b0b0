//! What the editor has open, and what is known of the games that its files belong to.

use super::checker::{Checked, Job};
use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use trilogy_saga::{SourceFile, Vocabulary, read_game};

/// A game as it was when it was read last.
pub(super) struct Known {
    pub(super) folder: PathBuf,
    pub(super) files: Vec<SourceFile>,
    pub(super) vocabulary: Vocabulary,
}

impl Known {
    pub(super) fn path_of(&self, file: u16) -> Option<(PathBuf, &str)> {
        let file = self.files.get(file as usize)?;
        Some((self.folder.join(&file.name), &file.text))
    }

    pub(super) fn rulebook(&self) -> (PathBuf, String) {
        let path = self.folder.join("rulebook.md");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        (path, text)
    }
}

#[derive(Default)]
pub(super) struct Desk {
    /// What is being written, whether or not it is on disk.
    open: HashMap<PathBuf, String>,
    known: HashMap<PathBuf, Arc<Known>>,
    /// Printed texts by game and title, from the last time each card compiled.
    texts: HashMap<PathBuf, BTreeMap<String, Vec<String>>>,
}

impl Desk {
    pub(super) fn lay(&mut self, path: PathBuf, text: String) {
        self.open.insert(path, text);
    }

    pub(super) fn put_away(&mut self, path: &Path) {
        self.open.remove(path);
    }

    pub(super) fn is_open(&self, path: &Path) -> bool {
        self.open.contains_key(path)
    }

    /// The text of a document as its writer sees it.
    pub(super) fn text(&self, path: &Path) -> Option<String> {
        self.open.get(path).cloned().or_else(|| std::fs::read_to_string(path).ok())
    }

    /// All there is to check in a game, with what is being written in place of what is on disk.
    pub(super) fn job(&self, game: &Path) -> Result<Job, String> {
        let (mut files, rules) = read_game(game)?;
        for (path, text) in &self.open {
            let Ok(inside) = path.strip_prefix(game) else { continue };
            if !is_source(inside) {
                continue;
            }
            let name = inside.to_string_lossy().replace('\\', "/");
            match files.iter_mut().find(|file| file.name == name) {
                Some(file) => file.text = text.clone(),
                None => files.push(SourceFile { name, text: text.clone() }),
            }
        }
        // A file that is not on disk yet comes where it will be read: rules first, each group by its names.
        files.sort_by_key(|file| reading_order(&file.name));
        Ok(Job { game: game.to_path_buf(), files, rules })
    }

    /// What is known of a game; it is read now if it never was.
    pub(super) fn known(&mut self, game: &Path) -> Option<Arc<Known>> {
        if let Some(known) = self.known.get(game) {
            return Some(known.clone());
        }
        let Job { files, .. } = self.job(game).ok()?;
        let vocabulary = Vocabulary::read(&files);
        let known = Arc::new(Known { folder: game.to_path_buf(), files, vocabulary });
        self.known.insert(game.to_path_buf(), known.clone());
        Some(known)
    }

    pub(super) fn learn(&mut self, checked: &mut Checked) {
        let texts = self.texts.entry(checked.game.clone()).or_default();
        texts.append(&mut checked.texts);
        let vocabulary = std::mem::take(&mut checked.vocabulary);
        let known = Known { folder: checked.game.clone(), files: std::mem::take(&mut checked.files), vocabulary };
        self.known.insert(checked.game.clone(), Arc::new(known));
    }

    /// What the cards of a title print.
    pub(super) fn printed(&self, game: &Path, title: &str) -> &[String] {
        self.texts.get(game).and_then(|texts| texts.get(title)).map_or(&[], Vec::as_slice)
    }
}

/// Where a file comes among the sources of its game.
fn reading_order(name: &str) -> (bool, PathBuf) {
    (!name.starts_with("rules/"), PathBuf::from(name))
}

fn is_source(inside: &Path) -> bool {
    let part = inside.components().next();
    let saga = inside.extension().is_some_and(|ending| ending == "saga");
    saga && (part == Some(Component::Normal("rules".as_ref())) || part == Some(Component::Normal("cards".as_ref())))
}

/// The folder of the game that a file belongs to: the one that holds `rules/` and has the file in its rules, cards or scenarios.
pub(super) fn game_of(path: &Path) -> Option<PathBuf> {
    path.ancestors()
        .skip(1)
        .find(|folder| {
            let inside = path.strip_prefix(folder).ok().and_then(|inside| inside.components().next());
            let part = |name: &str| inside == Some(Component::Normal(name.as_ref()));
            (part("rules") || part("cards") || part("scenarios")) && folder.join("rules").is_dir()
        })
        .map(Path::to_path_buf)
}
