//! The program as a user meets it: what it prints, and how it fails.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../common/mod.rs"]
mod common;
mod journals;

use common::copy_all;
use std::path::{Path, PathBuf};
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

/// The sources of the tcg.
fn tcg() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../games/tcg")
}

fn change(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{}: no {from}", path.display());
    std::fs::write(path, text.replace(from, to)).unwrap();
}

/// A folder with the tcg and a game `two`, which is the same under another name, with numbers of GEMP for its sets.
fn two_games(name: &str) -> PathBuf {
    let place = folder(name);
    for game in ["tcg", "two"] {
        copy_all(&tcg(), &place.join(game));
    }
    change(&place.join("two/rules/vocabulary.saga"), "game tcg ", "game two ");
    change(&place.join("two/sets.txt"), "AOTC 180 -", "AOTC 180 1");
    place
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(&out(output)).unwrap_or_else(|error| panic!("{error}: {}", out(output)))
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
    std::fs::write(&path, "4x Yoda (Q)\nxyzzy\n2x Anakin Skywalker\n").unwrap();
    let run = trilogy(&["deck", "check", path.to_str().unwrap()]);
    assert!(!run.status.success() && err(&run).contains("--game"), "no line tells the game: {}", err(&run));
    let run = trilogy(&["deck", "check", "--game", "tcg", path.to_str().unwrap()]);
    assert!(!run.status.success());
    for told in ["line 1", "line 2", "line 3", "Anakin Skywalker (A) or Anakin Skywalker (B)"] {
        assert!(err(&run).contains(told), "{told}: {}", err(&run));
    }
    let game = trilogy(&["sim", "tcg", "--games", "1", "--decks", "droid_host", "droid_host"]);
    assert!(!game.status.success() && err(&game).contains("each side"), "{}", err(&game));
}

#[test]
fn a_card_with_a_type_error_is_shown_with_its_line() {
    let place = folder("sources");
    let copy = place.join("tcg");
    std::fs::create_dir_all(copy.join("cards")).unwrap();
    copy_all(&tcg().join("rules"), &copy.join("rules"));
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
fn a_name_in_host_json_that_the_rules_do_not_have_is_told() {
    let place = two_games("host");
    let check = || trilogy(&["--games", place.to_str().unwrap(), "cards", "check", "two"]);
    assert!(check().status.success(), "{}", err(&check()));
    change(&place.join("two/host.json"), "\"zone\": \"discard\"", "\"zone\": \"limbo\"");
    assert!(err(&check()).contains("host.json") && err(&check()).contains("no zone of players limbo"), "{}", err(&check()));
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
fn boards_are_listed_and_seen_from_anywhere() {
    let place = folder("boards");
    let path = place.join("mine.scenario");
    // Away from the checkout the boards are those that are built in.
    let away = |args: &[&str]| Command::new(env!("CARGO_BIN_EXE_trilogy")).args(args).current_dir(&place).output().unwrap();
    std::fs::write(&path, "game tcg\nscenario \"mine\"\non dark_ground_attack\nplay\n  expect reek.power = 2\n").unwrap();
    for run in [trilogy(&["test", path.to_str().unwrap()]), away(&["test", "mine.scenario"])] {
        assert!(run.status.success() && out(&run).ends_with("1 passed, 0 failed\n"), "{}", out(&run));
    }
    std::fs::write(&path, "game tcg\nscenario \"mine\"\non dark_grand_attack\n").unwrap();
    let wrong = away(&["test", "mine.scenario"]);
    assert!(
        !wrong.status.success() && out(&wrong).contains("mine.scenario: line 3: no board is called `dark_grand_attack`"),
        "{}",
        out(&wrong)
    );
    let listed = away(&["boards", "tcg", "--only", "dark_ground_attack"]);
    assert!(out(&listed).contains("    Clone Squad {tapped, as squad}\n  start from_battle\n"), "{}", out(&listed));
    let short = trilogy(&["boards", "--short"]);
    assert!(["tcg: ", "ccg: ", "lcg: ", "mos_eisley: "].iter().all(|text| out(&short).contains(text)), "{}", out(&short));
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
    assert_eq!(coverage["total"], 289);
    assert_eq!(coverage["cited"], 289);
    let cards = json(&trilogy(&["cards", "coverage", "tcg", "--json"]));
    assert_eq!((&cards["sets"][0]["set"], &cards["sets"][0]["done"]), (&"AOTC".into(), &180.into()));
}

#[test]
fn unknown_names_are_told_plainly() {
    for (args, told) in [
        (vec!["sim", "chess"], "no game is called \"chess\""),
        (vec!["sim", "tcg", "--bots", "random", "genius"], "no bot is called \"genius\""),
        (vec!["deck", "check", "/nowhere/deck.txt"], "starter decks"),
        (vec!["test", "/nowhere"], "no such file"),
        (vec!["replay", "/nowhere.journal"], "/nowhere.journal"),
        (vec!["cards", "show", "tcg", "Nobody At All"], "no card is called"),
    ] {
        let run = trilogy(&args);
        assert!(!run.status.success(), "{args:?} succeeded");
        assert!(err(&run).contains(told), "{args:?}: {}", err(&run));
    }
}

#[test]
fn a_server_is_told_whom_to_believe() {
    let refused = trilogy(&["serve", "--no-browser", "--trust-proxy"]);
    assert!(!refused.status.success() && err(&refused).contains("--trusted-proxy 127.0.0.1"), "{}", err(&refused));
    let refused = trilogy(&["serve", "--no-browser", "--trusted-proxy", "127.0.0.1,localhost"]);
    assert!(!refused.status.success() && err(&refused).contains("\"localhost\" is neither an address"), "{}", err(&refused));
    let help = out(&trilogy(&["serve", "--help"]));
    assert!(help.contains("--trusted-proxy <ADDR|NET>") && !help.contains("--trust-proxy"), "{help}");
}

#[test]
fn games_live_side_by_side() {
    let place = two_games("two");
    let on = |args: &[&str]| trilogy(&[&["--games", place.to_str().unwrap()], args].concat());
    let check = on(&["cards", "check"]);
    let told = out(&check);
    let cards = |game: &str| {
        told.lines().find_map(|line| line.strip_prefix(&format!("{game}: "))?.split_once(" cards,").map(|(n, _)| n.to_string()))
    };
    assert!(cards("tcg").is_some() && cards("tcg") == cards("two"), "{told}{}", err(&check));
    let coverage = on(&["cards", "coverage", "--json"]);
    let games: Vec<serde_json::Value> = out(&coverage).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((games.len(), &games[0]["game"], &games[1]["game"]), (2, &"tcg".into(), &"two".into()));
    assert_eq!(games[1]["sets"][0]["done"], 180);
    // The path of a scenario tells its game.
    let scenario = place.join("two/scenarios/rules/01_core.scenario");
    change(&place.join("tcg/rules/vocabulary.saga"), "game tcg ", "broken ");
    let run = on(&["test", "--quick", scenario.to_str().unwrap()]);
    assert!(run.status.success() && out(&run).ends_with(" 0 failed\n"), "{}{}", out(&run), err(&run));
    let sim = json(&on(&["sim", "two", "--games", "2", "--json"]));
    assert_eq!((&sim["game"], &sim["pairings"].as_array().map(Vec::len)), (&"two".into(), &Some(4)));
    let sim = json(&on(&["sim", "two", "--games", "2", "--json", "--decks", "jedi_council", "droid_host"]));
    assert_eq!(sim["pairings"][0]["decks"], serde_json::json!(["droid_host", "jedi_council"]), "each deck on its side");
    // One game that is not well is told of, and the other one is checked all the same.
    let check = on(&["cards", "check"]);
    assert!(!check.status.success() && out(&check).starts_with("two: ") && !out(&check).contains("tcg: "), "{}", out(&check));
    let unknown = on(&["deck", "list", "three"]);
    assert!(err(&unknown).contains("no game is called \"three\"; there are tcg, two"), "{}", err(&unknown));
    let decks = on(&["deck", "list", "two"]);
    assert!(out(&decks).lines().count() == 4 && out(&decks).lines().all(|line| line.starts_with("two  ")), "{}", out(&decks));
}

#[test]
fn a_deck_goes_to_gemp_and_comes_back() {
    let place = two_games("gemp");
    let on = |args: &[&str]| trilogy(&[&["--games", place.to_str().unwrap()], args].concat());
    let plain = out(&on(&["deck", "convert", "droid_host", "--game", "two"]));
    let xml = place.join("deck.xml");
    let path = xml.to_str().unwrap();
    let run = on(&["deck", "convert", "droid_host", "--game", "two", "--to", "gemp", "--out", path]);
    assert!(run.status.success(), "{}", err(&run));
    // Only the second game knows ids of GEMP, so the deck is for that one.
    let back = on(&["deck", "convert", path, "--to", "plain"]);
    assert!(plain.starts_with("name: Droid Host\n2x Droid Control Ship\n") && out(&back) == plain, "{}{}", out(&back), err(&back));
    assert_eq!(json(&on(&["deck", "check", path, "--json"]))["game"], "two");
    let not_there = on(&["deck", "convert", "droid_host", "--game", "tcg", "--to", "gemp"]);
    assert!(!not_there.status.success() && err(&not_there).contains("GEMP does not have its set"), "{}", err(&not_there));
    change(&xml, "</deck>", "");
    let cut = on(&["deck", "check", path, "--game", "two"]);
    assert!(!cut.status.success() && err(&cut).contains("line 63: <deck> does not end"), "{}", err(&cut));
    let guess = on(&["deck", "check", path]);
    assert!(!guess.status.success(), "{}", out(&guess));
}

#[test]
fn rules_may_wait_for_a_later_set() {
    let place = two_games("later");
    let coverage = || trilogy(&["--games", place.to_str().unwrap(), "rules", "coverage", "two", "--json"]);
    let (book, list) = (place.join("two/rulebook.md"), place.join("two/later.txt"));
    change(&book, "- **tcg.core.dice**", "- **tcg.core.new** p.1. A rule of a set to come.\n- **tcg.core.dice**");
    let run = coverage();
    let told = json(&run);
    assert_eq!((&told["total"], &told["cited"], &told["missing"]), (&290.into(), &289.into(), &serde_json::json!(["tcg.core.new"])));
    assert!(run.status.success() && told["later"].as_array().is_some_and(Vec::is_empty), "{told}");
    std::fs::write(&list, "# waiting\ntcg.core.new  SR  nothing of it in the first set\n").unwrap();
    let run = coverage();
    let told = json(&run);
    assert_eq!(
        (&told["cited"], &told["later"], &told["missing"]),
        (&289.into(), &serde_json::json!(["tcg.core.new"]), &serde_json::json!([]))
    );
    assert!(run.status.success() && told["untested"].as_array().is_some_and(|all| all.iter().all(|one| one["id"] != "tcg.core.new")));
    for (line, why) in [
        ("tcg.core.dice SR cited", "tcg.core.dice waits no more"),
        ("tcg.core.none SR unknown", "has no rule tcg.core.none"),
        ("tcg.core.new XX no set", "XX, which is no set"),
    ] {
        std::fs::write(&list, line).unwrap();
        let run = coverage();
        assert!(!run.status.success() && err(&run).contains(why), "{line}: {}", err(&run));
    }
}

#[test]
fn printed_cards_are_found_by_number_or_by_title_and_side() {
    let place = two_games("audit");
    let on = |args: &[&str]| trilogy(&[&["--games", place.to_str().unwrap()], args].concat());
    let yoda = json(&on(&["cards", "show", "two", "Yoda (B)", "--json"]));
    let text = yoda["text"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect::<Vec<_>>().join(" ");
    let (first, second) = text.split_at(text.find(' ').unwrap());
    let printed = |id: &str, title: &str, set: &str, number: &serde_json::Value| {
        serde_json::json!({"id": id, "title": title, "version": "B", "side": "Light", "set": set, "set_name": "?", "number": number,
            "stats": yoda["numbers"], "text": "other words", "text_light": second, "text_dark": first})
    };
    let file = place.join("printed.jsonl");
    let audit = |row: serde_json::Value, more: &[&str]| {
        std::fs::write(&file, row.to_string()).unwrap();
        on(&[&["cards", "audit", "two", "--printed", file.to_str().unwrap()], more].concat())
    };
    // The row as it was compared: those of other cards only tell that the table lacks them.
    let compared = |row: serde_json::Value| {
        let all = json(&audit(row, &["--json"]));
        all["cards"].as_array().unwrap().iter().find(|row| row["id"] != "").cloned()
    };
    for row in [
        printed("by set and number", "Yoda", "AOTC", &yoda["number"]),
        printed("by number in GEMP", "yoda", "1", &yoda["number"]),
        printed("by title and side", "Yoda", "AOTC", &1.into()),
    ] {
        let found = compared(row).unwrap();
        assert_eq!((found["title"].as_str(), found["distance"].as_f64()), (Some("Yoda (B)"), Some(0.0)), "{found}");
    }
    let other = compared(printed("another", "Nobody", "AOTC", &1.into())).unwrap();
    assert!(other["findings"][0]["finding"].as_str().is_some_and(|why| why.contains("AOTC 1 is ")), "{other}");
    assert_eq!(compared(printed("of another set", "Yoda", "ESB", &2.into())), None);
    // A number of the text that ours does not have, as people read it.
    let mut wrong = printed("wrong", "Yoda", "AOTC", &yoda["number"]);
    wrong["text_dark"] = "Pay 99 Force.".into();
    let told = out(&audit(wrong, &["--most", "500"]));
    assert!(told.contains("- number 99 in print only") && told.contains(" open, ") && told.contains(" accepted"), "{told}");
}

#[test]
fn the_vocabulary_is_found_by_english_and_by_name() {
    let found = trilogy(&["cards", "vocabulary", "tcg", "--find", "PREVENT up to", "--sort", "verbs"]);
    assert!(found.status.success() && out(&found).starts_with("prevent_up_to(n: num, u: card): num  (verb)"), "{}", out(&found));
    let first = out(&trilogy(&["--games", "games", "cards", "vocabulary", "tcg", "--find", "prevent_up_to", "--json"]));
    let first: serde_json::Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert_eq!((first["name"].as_str(), first["sort"].as_str()), (Some("prevent_up_to"), Some("verb")));
    assert!(first["cards"].as_array().is_some_and(|cards| !cards.is_empty()) && first["line"].is_number());
    let nothing = trilogy(&["cards", "vocabulary", "tcg", "--find", "no such thing anywhere"]);
    assert!(!nothing.status.success() && err(&nothing).contains("no such thing anywhere"));
    let nonsense = trilogy(&["cards", "vocabulary", "tcg", "--sort", "nown"]);
    assert!(!nonsense.status.success() && err(&nonsense).contains("did you mean \"noun\"?"), "{}", err(&nonsense));
}

/// Texts are kept in a file; what a card says after a change is shown beside what it said.
#[test]
fn what_cards_say_is_compared_with_before() {
    let place = two_games("said");
    let on = |args: &[&str]| trilogy(&[&["--games", place.to_str().unwrap()], args].concat());
    let file = place.join("before.txt");
    std::fs::write(&file, out(&on(&["cards", "printed", "two"]))).unwrap();
    let against = |file: &Path| out(&on(&["cards", "printed", "two", "--against", file.to_str().unwrap()]));
    assert!(against(&file).starts_with("two: 0 of "), "{}", against(&file));
    out(&on(&["cards", "printed", "two", "--write"]));
    let lock = place.join("two/printed.lock");
    change(&place.join("two/rules/abilities.saga"), "{p} {p|gain|gains} {n} Force", "{p} {p|win|wins} {n} Force");
    assert!(against(&file).contains("  - Gain 4 Force.\n  + Win 4 Force.\n"), "{}", against(&file));
    assert!(against(&lock).contains("  + Win 4 Force.\n"), "{}", against(&lock));
    let refused = err(&on(&["cards", "printed", "--against", lock.to_str().unwrap()]));
    assert!(refused.contains("name it"), "{refused}");
    let coverage = json(&on(&["cards", "coverage", "two", "--json"]));
    assert!(coverage["sets"][0]["abilities"].as_u64().unwrap() > 100 && coverage["sets"][0]["by_hand"].as_u64().unwrap() < 5, "{coverage}");
}
