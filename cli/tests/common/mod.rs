//! What several tests of the program need.

// Not every test file uses all of it.
#![allow(dead_code, clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub(crate) mod serving;

use std::path::Path;

/// A folder with all that is in it.
pub(crate) fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let there = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_all(&path, &there);
        } else {
            std::fs::copy(&path, &there).unwrap();
        }
    }
}
