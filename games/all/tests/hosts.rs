//! Hosts know questions, moves and lines of the log by the names and tones that the rules give them. Words are for people and
//! change: whoever compares them breaks without a sound when a sentence is put better. So the hosts' sources are searched for it.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};

/// Where hosts are. What reads no table (the parser of a deck list, the search of cards) is below in the exceptions.
const HOSTS: [&str; 4] = ["web/src", "bots/src", "cli/src/play", "server/src"];

/// What the rules say in English, by the names under which hosts hold it.
const SAID: [&str; 9] = ["prompt", "label", "labels", "text", "line", "warning", "detail", "english", "says"];

/// What recognises a text that stands before it.
const TESTS_AFTER: [&str; 20] = [
    " === \"",
    " !== \"",
    " == \"",
    " != \"",
    ".startsWith(",
    ".endsWith(",
    ".includes(",
    ".indexOf(",
    ".search(",
    ".match(",
    ".matchAll(",
    ".starts_with(",
    ".ends_with(",
    ".contains(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".trim_start_matches(",
    ".split_once(",
    ".find(\"",
    ".eq_ignore_ascii_case(",
];

/// What recognises the text in its brackets.
const TESTS_AROUND: [&str; 2] = ["/.test(", "/.exec("];

/// A file, a part of a line in it that may stay, and why. One that fits no line any more is an error.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "web/src/table/layouts/ccg/about.ts",
        "line.startsWith(`${name}: `)",
        "text of a location is printed for each side, with its name before it",
    ),
    ("web/src/pages/deck-list.ts", "", "reads lists that people paste"),
    ("web/src/pages/card-filter.ts", "", "people search cards by words"),
    ("web/src/pages/vocabulary.tsx", "text.includes(part)", "people search the vocabulary by words"),
    ("web/src/pages/rules.tsx", "", "shows the rulebook, whose notes are marks in its text"),
    ("web/src/table/rich.tsx", "text.match(RULE)", "ids of rules in a text become links"),
    ("server/src/decks.rs", "starts_with(\"name:\")", "reads lists that people paste"),
    ("server/src/games.rs", "strip_prefix(\"## \")", "headings of the rulebook"),
    ("server/src/client.rs", "line.split_once(':')", "headers of HTTP"),
    ("server/src/openapi.rs", "", "reads its own notation of types"),
    ("cli/src/play/pages.rs", "starts_with(\"    \")", "where a paragraph of the help page begins"),
    ("server/src/store.rs", "starts_with(\"postgres", "the address of a database"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ["rs", "ts", "tsx"].iter().any(|one| ending == *one))
            // Tests may say what they expect to read.
            && path.file_stem().is_some_and(|stem| stem != "tests")
        {
            found.push(path);
        }
    }
}

/// Whether a line of a host's source recognises something by its English, or by the program that asks.
fn recognises(line: &str) -> bool {
    let code = line.trim();
    if ["//", "*", "/*"].iter().any(|mark| code.starts_with(mark)) {
        return false;
    }
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let last_word = |text: &str| text.rsplit(|letter| !is_letter(letter)).next().unwrap_or("").to_string();
    let said = |word: String| SAID.contains(&word.as_str());
    let after = TESTS_AFTER.iter().any(|test| {
        code.match_indices(test).any(|(at, _)| {
            // Whether there is any text is no question of English, nor is what type it has.
            if test.ends_with('"') && code[at + test.len()..].starts_with('"') || code[..at].contains("typeof ") {
                return false;
            }
            // `label.toLowerCase().includes(`, `ask.prompt?.startsWith(`: what the calls before it were made on.
            let mut before = code[..at].trim_end_matches(['?', '!']);
            while let Some(call) = before.strip_suffix("()") {
                before = call.rsplit_once('.').map_or("", |(on, _)| on).trim_end_matches('?');
            }
            said(last_word(before))
        })
    });
    let around = TESTS_AROUND.iter().any(|test| {
        code.match_indices(test).any(|(at, _)| {
            let inside = &code[at + test.len()..];
            said(last_word(inside.split([')', ',']).next().unwrap_or("").trim_end_matches(".trim(")))
        })
    });
    after || around || code.contains(".procs") || code.contains("ask.program")
}

#[test]
fn nothing_is_recognised_by_its_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut unused: Vec<_> = EXCEPTIONS.to_vec();
    let mut wrong = Vec::new();
    for host in HOSTS {
        let mut paths = Vec::new();
        sources(&root.join(host), &mut paths);
        assert!(!paths.is_empty(), "no sources in {host}");
        for path in paths {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            let text = std::fs::read_to_string(&path).unwrap();
            // What stands behind the tests of a file is the tests'.
            let own = text.split("#[cfg(test)]").next().unwrap_or("");
            for (at, line) in own.lines().enumerate().filter(|(_, line)| recognises(line)) {
                let allowed = |(file, part, _): &(&str, &str, &str)| *file == name && line.contains(part);
                if EXCEPTIONS.iter().any(allowed) {
                    unused.retain(|exception| !allowed(exception));
                } else {
                    wrong.push(format!("{name}:{}: {}", at + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "give the question, move or event a name and go by that:\n{}", wrong.join("\n"));
    assert!(unused.is_empty(), "exceptions that nothing needs any more: {unused:?}");
}

#[test]
fn what_would_be_wrong_is_seen() {
    for line in [
        "if (ask.prompt === \"Draw destiny?\") return;",
        "const pays = option.label.startsWith(\"Pay\");",
        "if (/^turn \\d+ starts/.test(line.text)) return \"tone-turn\";",
        "const drains = question.options.find((option) => option.label.toLowerCase().includes(\"drain\"));",
        "if ask.prompt.contains(\"damage\") {",
        "matches!(&view, View { label, .. } if label == \"Pass\")",
        "let program = &catalogue.procs[frame.program.index()].name;",
    ] {
        assert!(recognises(line), "{line}");
    }
    for line in [
        "// The prompt === \"Draw destiny?\" is never read.",
        "if (ask.name === \"draw_destiny\") return;",
        "const shown = option.label === \"\" ? null : option.label;",
        "match question(catalogue, state) { \"lose_force\" => lose(), _ => none() }",
    ] {
        assert!(!recognises(line), "{line}");
    }
}
