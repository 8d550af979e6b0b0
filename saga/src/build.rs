//! The build script of a game crate: compiles the folder of the crate and writes `game.rs`, which is all of its Rust.

use crate::diagnostics::report;
use crate::scenario::{BOARD_ENDING, BOARD_FOLDER};
use crate::source::{compile_folder, find};
use std::path::{Path, PathBuf};

/// Compile the game in the working folder into `OUT_DIR/game.rs`: its name, title, blob, sources and texts, the decks of its folder
/// `decks/` and the boards that scenarios share. What is wrong with the sources is an error of the build.
pub fn build_game() {
    for watched in ["rules", "cards", "decks", BOARD_FOLDER, RULEBOOK, SETS, LATER, HOST] {
        println!("cargo::rerun-if-changed={watched}");
    }
    if let Err(problems) = std::env::var("OUT_DIR").map_err(|error| error.to_string()).and_then(|out| build(Path::new(&out))) {
        for line in problems.lines() {
            println!("cargo::error={line}");
        }
    }
}

const RULEBOOK: &str = "rulebook.md";
const SETS: &str = "sets.txt";
const LATER: &str = "later.txt";
const HOST: &str = "host.json";

fn build(out: &Path) -> Result<(), String> {
    let root = std::env::current_dir().map_err(|error| error.to_string())?;
    let compiled = compile_folder(&root)?;
    if !compiled.problems.is_empty() {
        return Err(report(&compiled.files, &compiled.problems, false));
    }
    let mut decks = Vec::new();
    find(&root.join("decks"), "txt", &mut decks).map_err(|error| format!("decks: {error}"))?;
    let mut boards = Vec::new();
    find(&root.join(BOARD_FOLDER), BOARD_ENDING, &mut boards).map_err(|error| format!("{BOARD_FOLDER}: {error}"))?;
    let blob = out.join("catalogue.bin");
    write(&blob, compiled.catalogue.to_bytes())?;

    let mut code = String::new();
    for (name, text) in [("NAME", &compiled.catalogue.game), ("TITLE", &compiled.catalogue.title)] {
        code += &format!("pub const {name}: &str = {text:?};\n");
    }
    for (name, file) in [("RULEBOOK", RULEBOOK), ("SETS", SETS), ("LATER", LATER), ("HOST", HOST)] {
        code += &format!("pub const {name}: &str = include_str!({:?});\n", root.join(file));
    }
    code += &format!("pub static BLOB: &[u8] = include_bytes!({blob:?});\n");
    // The sources travel too: scenarios ask questions in the language.
    let sources = compiled.files.iter().map(|file| (file.name.clone(), root.join(&file.name)));
    code += &texts("SOURCES", sources);
    let stem = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    code += &texts("DECKS", decks.iter().map(|path| (stem(path), path.clone())));
    let within = |path: &PathBuf| path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    code += &texts("BOARDS", boards.iter().map(|path| (within(path), path.clone())));
    write(&out.join("game.rs"), code)
}

/// Files by name, each with its text.
fn texts(name: &str, files: impl Iterator<Item = (String, PathBuf)>) -> String {
    let rows: String = files.map(|(name, path)| format!("    ({name:?}, include_str!({path:?})),\n")).collect();
    format!("pub static {name}: &[(&str, &str)] = &[\n{rows}];\n")
}

fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    std::fs::write(path, content).map_err(|error| format!("{}: {error}", path.display()))
}
