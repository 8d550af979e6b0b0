//! Where the sources of a game are: `rules/*.saga`, `cards/**/*.saga` and the ids in `rulebook.md`.

use crate::compile::{Compiled, compile};
use crate::diagnostics::SourceFile;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All sources of the game in a folder, rules first, each group in the order of its names.
pub fn read_game(folder: &Path) -> Result<(Vec<SourceFile>, Option<BTreeSet<String>>), String> {
    let mut files = Vec::new();
    for part in ["rules", "cards"] {
        let mut paths = Vec::new();
        find(&folder.join(part), "saga", &mut paths).map_err(|error| format!("{}: {error}", folder.join(part).display()))?;
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.push(SourceFile { name, text });
        }
    }
    if files.is_empty() {
        return Err(format!("{}: no rules/*.saga and no cards/**/*.saga there", folder.display()));
    }
    let rules = std::fs::read_to_string(folder.join("rulebook.md")).ok().map(|text| rule_ids(&text));
    Ok((files, rules))
}

/// Read and compile the game in a folder.
pub fn compile_folder(folder: &Path) -> Result<Compiled, String> {
    let (files, rules) = read_game(folder)?;
    Ok(compile(files, rules))
}

/// Files with an ending under a folder, sorted; none where the folder is missing.
pub fn find(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find(&path, ending, found)?;
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    Ok(())
}

/// The ids that a rulebook defines: every `**id**` whose text looks like one.
pub fn rule_ids(rulebook: &str) -> BTreeSet<String> {
    let bold = rulebook.split("**").skip(1).step_by(2);
    let is_id = |text: &&str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.contains('.')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    bold.filter(is_id).map(String::from).collect()
}

/// What the rulebook says under an id: the text behind it, up to the end of the line.
pub fn rule_text<'a>(rulebook: &'a str, id: &str) -> Option<&'a str> {
    let mark = format!("**{id}**");
    let at = rulebook.find(&mark)? + mark.len();
    rulebook[at..].lines().next().map(|line| line.trim())
}
