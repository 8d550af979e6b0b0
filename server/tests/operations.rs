//! `docs/OPERATIONS.md` tells what the program does: its table of limits is written from the code
//! (`UPDATE_DOCS=1 cargo test -p trilogy-server --test operations`), each limit has a test, the metrics and the log lines on it are those
//! that there are, and systemd can read the unit beside it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Browser, Place, temporary_folder};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use trilogy_server::limits::Limits;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page_path() -> PathBuf {
    root().join("docs/OPERATIONS.md")
}

fn page() -> String {
    std::fs::read_to_string(page_path()).unwrap()
}

/// Sources below a folder, by their paths from there.
fn sources(folder: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    found.sort();
    let named = |path: &PathBuf| path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
    found.iter().map(|path| (named(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// First columns of the table under a heading, without their marks.
fn first_column(page: &str, heading: &str) -> BTreeSet<String> {
    let from = page.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no heading {heading}"));
    let rest = &page[from + 4 + heading.len()..];
    let section = &rest[..rest.find("\n## ").unwrap_or(rest.len())];
    let named = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    named.map(|(name, _)| name.to_string()).collect()
}

// ---- limits ----

const LIMITS: [&str; 2] = ["<!-- limits -->\n", "<!-- end of limits -->\n"];

/// The tests of each limit: those under a comment `limit:`.
fn tests_of_limits() -> BTreeMap<String, Vec<String>> {
    let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in ["server/src", "server/tests"].into_iter().flat_map(sources) {
        let mut lines = text.lines().map(str::trim);
        while let Some(line) = lines.next() {
            let Some(limits) = line.strip_prefix("// limit:") else { continue };
            let next = lines.find(|line| !line.starts_with("#[") && !line.starts_with("//")).unwrap_or_default();
            let name = next.split_once("fn ").and_then(|(_, rest)| rest.split('(').next());
            let name = name.unwrap_or_else(|| panic!("{path}: no test stands under \"{line}\""));
            for limit in limits.split(',') {
                tests.entry(limit.trim().into()).or_default().push(format!("`{name}` in {path}"));
            }
        }
    }
    tests
}

#[test]
fn the_page_lists_every_limit_with_its_test() {
    let mut tests = tests_of_limits();
    let mut table = String::from("| limit | usual value | what it is of | test |\n| --- | --- | --- | --- |\n");
    for row in Limits::table() {
        let tests = tests.remove(row.name).unwrap_or_else(|| panic!("no test has a comment \"limit: {}\"", row.name));
        writeln!(table, "| `{}` | {} | {} | {} |", row.name, row.usual, row.what.trim_end_matches('.'), tests.join("; ")).unwrap();
    }
    assert!(tests.is_empty(), "comments name limits that there are not: {tests:?}");
    let page = page();
    let [begin, end] = LIMITS.map(|mark| page.find(mark).unwrap_or_else(|| panic!("the page lacks the mark {mark}")));
    let now = &page[begin + LIMITS[0].len()..end];
    if std::env::var("UPDATE_DOCS").is_ok_and(|value| value == "1") {
        std::fs::write(page_path(), format!("{}{table}{}", &page[..begin + LIMITS[0].len()], &page[end..])).unwrap();
    } else {
        assert!(now == table, "docs/OPERATIONS.md does not list the limits as they are: run this test once with UPDATE_DOCS=1");
    }
}

// ---- metrics and log ----

#[tokio::test(flavor = "multi_thread")]
async fn the_page_tells_every_metric_and_no_other() {
    let place = Place::folder();
    let running = place.start().await;
    let told = Browser::new(running.addr).get("/metrics").await.fine().body;
    running.stop().await;
    let metrics: BTreeSet<String> =
        told.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).map(str::to_string).collect();
    let page = page();
    assert_eq!(first_column(&page, "Metrics and alarms"), metrics);
    // Also those in alarms and in the text.
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for name in page.split(|c| !word(c)).filter(|name| name.starts_with("trilogy_")) {
        let whole = ["_bucket", "_sum", "_count"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
        assert!(metrics.contains(name) || metrics.contains(whole), "there is no metric {name}");
    }
}

#[test]
fn what_the_page_says_of_the_log_is_logged() {
    let sources = sources("server/src");
    let lines = first_column(&page(), "The log");
    assert!(!lines.is_empty());
    for line in lines {
        assert!(sources.iter().any(|(_, text)| text.contains(&format!("\"{line}\""))), "nothing logs \"{line}\"");
    }
}

// ---- the unit of systemd ----

#[test]
fn systemd_reads_the_unit() {
    if !Command::new("systemd-analyze").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no systemd-analyze here");
        return;
    }
    let unit = std::fs::read_to_string(root().join("docs/operations/trilogy.service")).unwrap();
    // It looks whether the program is there.
    let program = std::env::current_exe().unwrap();
    assert!(unit.contains("/usr/local/bin/trilogy"));
    let folder = temporary_folder();
    let path = folder.join("trilogy.service");
    std::fs::write(&path, unit.replace("/usr/local/bin/trilogy", program.to_str().unwrap())).unwrap();
    let output = Command::new("systemd-analyze").arg("verify").arg(&path).output().unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    // It may find fault with units of this machine, too.
    let said = String::from_utf8_lossy(&output.stderr);
    let faults: Vec<&str> = said.lines().filter(|line| line.contains("trilogy.service")).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}
