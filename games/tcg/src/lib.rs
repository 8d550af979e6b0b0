//! The Trading Card Game as data: its compiled catalogue, its rulebook and its decks.
//! All of the game is in `rules/*.saga` and `cards/**/*.saga`; there is no Rust in it.

use trilogy_engine::Catalogue;

pub const NAME: &str = "tcg";
pub const SETS: &str = include_str!("../sets.txt");
pub const RULEBOOK: &str = include_str!("../rulebook.md");
static BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/catalogue.bin"));

/// The built-in catalogue. It was written by the compiler of this very build, so reading it cannot fail
/// unless the program file itself is damaged.
pub fn catalogue() -> Result<Catalogue, String> {
    Catalogue::from_bytes(BLOB)
}

/// The sources that the catalogue was compiled from: file name and text.
pub static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// Starter decks: file name and list.
pub const DECKS: [(&str, &str); 4] = [
    ("droid_host", include_str!("../decks/droid_host.txt")),
    ("hunters_of_geonosis", include_str!("../decks/hunters_of_geonosis.txt")),
    ("jedi_council", include_str!("../decks/jedi_council.txt")),
    ("clone_assault", include_str!("../decks/clone_assault.txt")),
];
