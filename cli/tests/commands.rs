//! The program as a user meets it: what it prints, and how it fails.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::PathBuf;
use std::process::{Command, Output};

fn trilogy(args: &[&str]) -> Output {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    Command::new(env!("CARGO_BIN_EXE_trilogy")).args(args).current_dir(root).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("trilogy-test-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&out(output)).unwrap_or_else(|error| panic!("{error}: {}", out(output)))
}

#[test]
fn sim_sums_up_and_writes_journals_that_verify() {
    let place = folder("sim");
    let run = trilogy(&["sim", "tcg", "--games", "20", "--seed", "5", "--json", "--journals", place.to_str().unwrap()]);
    assert!(run.status.success(), "{}", err(&run));
    let summary = json(&run);
    for field in
        ["game", "games", "threads", "seconds", "games_per_second", "decisions", "faults", "stalls", "wins", "turns_median", "seed"]
    {
        assert!(!summary[field].is_null(), "{field} is missing");
    }
    assert_eq!((summary["games"].as_u64(), summary["faults"].as_u64(), summary["stalls"].as_u64()), (Some(20), Some(0), Some(0)));
    let verified = trilogy(&["replay", "--verify", place.to_str().unwrap()]);
    assert_eq!(out(&verified).trim(), "20 of 20 journals verified");
    // The same seeds give the same games.
    let again = json(&trilogy(&["sim", "tcg", "--games", "20", "--seed", "5", "--json", "--threads", "2"]));
    assert_eq!(summary["wins"], again["wins"]);
    assert_eq!(summary["decisions"], again["decisions"]);
}

#[test]
fn a_corrupt_journal_is_refused() {
    let place = folder("journal");
    trilogy(&["sim", "tcg", "--games", "1", "--journals", place.to_str().unwrap()]);
    let path = place.join("tcg-1.journal");
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = |name: &str, text: String| {
        let path = place.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let lines: Vec<&str> = text.lines().collect();
    // The first pick of the game names an option that is not there.
    let first = lines.iter().position(|line| line.contains("\"pick\":[")).unwrap();
    let wild = text.replacen(lines[first], &lines[first].replacen("\"pick\":[", "\"pick\":[999", 1).replacen("[9990", "[999", 1), 1);
    let cases = [
        ("range", wild, "answer"),
        ("cut", lines[..3].join("\n") + "\n{\"n\":3,\"pi", "line 4"),
        ("skipped", text.replacen(&format!("{}\n", lines[2]), "", 1), "answer"),
        ("empty", String::new(), "empty"),
        ("other", "hello".to_string(), "line 1"),
        ("seed", text.replacen("\"seed\":\"", "\"seed\":\"0", 1), "seed"),
    ];
    for (name, text, told) in cases {
        let path = changed(name, text);
        let run = trilogy(&["replay", path.to_str().unwrap(), "--verify"]);
        assert!(!run.status.success(), "{name} was taken");
        assert!(err(&run).contains(told), "{name}: {}", err(&run));
    }
}

#[test]
fn an_illegal_deck_is_told_every_fault() {
    let place = folder("deck");
    let path = place.join("bad.txt");
    std::fs::write(&path, "5x Yoda (A)\n3x Darth Tyranus (A)\n").unwrap();
    let run = trilogy(&["deck", "check", path.to_str().unwrap()]);
    assert!(!run.status.success());
    for rule in ["tcg.deck.min", "tcg.deck.side", "tcg.deck.arena_min", "tcg.deck.copies"] {
        assert!(err(&run).contains(rule), "{rule} is not told: {}", err(&run));
    }
    std::fs::write(&path, "4x Yoda (Q)\nxyzzy\n2x Yoda\n").unwrap();
    let run = trilogy(&["deck", "check", path.to_str().unwrap()]);
    assert!(!run.status.success());
    for told in ["line 1", "line 2", "line 3", "Yoda (A) or Yoda (B)"] {
        assert!(err(&run).contains(told), "{told}: {}", err(&run));
    }
    let game = trilogy(&["sim", "tcg", "--games", "1", "--decks", "droid_host", "droid_host"]);
    assert!(!game.status.success() && err(&game).contains("each side"), "{}", err(&game));
}

#[test]
fn a_card_with_a_type_error_is_shown_with_its_line() {
    let place = folder("sources");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../games/tcg");
    let copy = place.join("tcg");
    std::fs::create_dir_all(copy.join("rules")).unwrap();
    std::fs::create_dir_all(copy.join("cards")).unwrap();
    for entry in std::fs::read_dir(source.join("rules")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, copy.join("rules").join(path.file_name().unwrap())).unwrap();
    }
    let card = "card \"Broken\" light Character: Jedi\n  cost 1, speed 10, power 1, health 1\n  self gets power +you\n";
    std::fs::write(copy.join("cards/broken.saga"), card).unwrap();
    let games = place.to_str().unwrap();
    let run = trilogy(&["--games", games, "cards", "check", "tcg"]);
    assert!(!run.status.success());
    assert!(err(&run).contains("cards/broken.saga:3") && err(&run).contains("a num is needed"), "{}", err(&run));
    // A changed file is picked up.
    std::fs::write(copy.join("cards/broken.saga"), card.replace("+you", "+1")).unwrap();
    let run = trilogy(&["--games", games, "cards", "show", "tcg", "Broken"]);
    assert!(out(&run).contains("gets +1 power"), "{} {}", out(&run), err(&run));
}

#[test]
fn scenarios_outside_the_repository_run_and_fail_with_their_line() {
    let place = folder("scenario");
    let path = place.join("mine.scenario");
    let good = "game tcg\nscenario \"mine\"\nboard\n  Dark_Side.force 4\nplay\n  expect Dark_Side.force = 4\n";
    std::fs::write(&path, good).unwrap();
    let run = trilogy(&["test", path.to_str().unwrap()]);
    assert!(run.status.success() && out(&run).ends_with("1 passed, 0 failed\n"), "{}", out(&run));
    std::fs::write(&path, good.replace("= 4", "= 5")).unwrap();
    let run = trilogy(&["test", path.to_str().unwrap()]);
    assert!(!run.status.success());
    assert!(out(&run).contains("line 6") && out(&run).ends_with("0 passed, 1 failed\n"), "{}", out(&run));
}

#[test]
fn rules_and_cards_can_be_looked_up() {
    let rule = trilogy(&["rules", "show", "tcg.kw.evade"]);
    assert!(out(&rule).contains("implemented at games/tcg/rules/"), "{}", out(&rule));
    let near = trilogy(&["rules", "show", "tcg.kw.evads"]);
    assert!(!near.status.success() && err(&near).contains("did you mean tcg.kw.evade?"), "{}", err(&near));
    let card = trilogy(&["cards", "show", "tcg", "yoda (b)"]);
    assert!(out(&card).contains("Evade 4"), "{}", out(&card));
    let coverage = json(&trilogy(&["rules", "coverage", "tcg", "--json"]));
    assert_eq!(coverage["total"], 284);
    assert_eq!(coverage["cited"], 284);
    let cards = json(&trilogy(&["cards", "coverage", "tcg", "--json"]));
    assert_eq!((&cards["sets"][0]["set"], &cards["sets"][0]["done"]), (&"AOTC".into(), &180.into()));
}

#[test]
fn unknown_names_are_told_plainly() {
    for (args, told) in [
        (vec!["sim", "chess"], "no game is called \"chess\""),
        (vec!["sim", "tcg", "--bots", "random", "genius"], "no bot is called \"genius\""),
        (vec!["deck", "check", "/nowhere/deck.txt"], "starter decks are"),
        (vec!["test", "/nowhere"], "no such file"),
        (vec!["replay", "/nowhere.journal"], "/nowhere.journal"),
        (vec!["cards", "show", "tcg", "Nobody At All"], "no card is called"),
    ] {
        let run = trilogy(&args);
        assert!(!run.status.success(), "{args:?} succeeded");
        assert!(err(&run).contains(told), "{args:?}: {}", err(&run));
    }
}
