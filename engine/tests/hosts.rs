//! The machine keeps its states to itself: those who let games be played do so through the host interface.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};

/// Where hosts stand, seen from this crate.
const HOSTS: [&str; 6] = ["bots/src", "bots/tests", "server/src", "server/tests", "cli/src", "games/all/src"];
/// What measures the machine itself.
const NO_HOSTS: [&str; 2] = ["cli/src/bench.rs", "cli/src/bench_work.rs"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// `inside` is for the compiler, for scenarios and for tests of the machine.
#[test]
fn hosts_go_without_the_inside() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    HOSTS.iter().for_each(|host| sources(&root.join(host), &mut files));
    let opens = |path: &Path| std::fs::read_to_string(path).unwrap().contains("trilogy_engine::inside");
    let (measures, hosts): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|path| NO_HOSTS.iter().any(|known| path.ends_with(known)));
    assert!(hosts.len() > 60, "only {} files of hosts were found", hosts.len());
    let bad: Vec<&PathBuf> = hosts.iter().filter(|path| opens(path)).collect();
    assert!(bad.is_empty(), "hosts reach into the machine: {bad:?}");
    assert!(measures.len() == NO_HOSTS.len() && measures.iter().all(|path| opens(path)), "the list of exceptions is stale");
}
