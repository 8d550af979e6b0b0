//! Journals: written by simulations, verified, replayed with the catalogue that they were made with.

use super::{change, err, folder, json, out, trilogy, two_games};
use std::path::{Path, PathBuf};
use std::process::Output;
use trilogy_server::store::{CatalogueRow, Store};

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

/// One journal of the game `two`, which this program does not have, in a folder of its own; and the folder of its sources.
fn of_another_game(name: &str, how: &[&str]) -> (PathBuf, PathBuf) {
    let (sources, place) = (two_games(name), folder(&format!("{name}-journals")));
    let [games, journals] = [&sources, &place].map(|path| path.to_str().unwrap());
    let run = trilogy(&[&["--games", games, "sim", "two", "--games", "1", "--journals", journals], how].concat());
    assert!(run.status.success(), "{}", err(&run));
    (place, sources)
}

fn with_ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|extension| extension == ending)).collect()
}

fn replay(path: &Path, more: &[&str]) -> Output {
    trilogy(&[&["replay", path.to_str().unwrap()], more].concat())
}

fn verifies(path: &Path, more: &[&str]) -> bool {
    out(&replay(path, &[&["--verify"], more].concat())).starts_with("1 of 1 journal verified, last state ")
}

#[test]
fn a_journal_is_replayed_by_the_rules_it_was_played_by() {
    let (place, sources) = of_another_game("beside", &[]);
    let (journal, beside) = (place.join("two-1.journal"), with_ending(&place, "catalogue"));
    assert_eq!(beside.len(), 1);
    // The catalogue lies beside it, whatever became of the sources.
    change(&sources.join("two/rules/vocabulary.saga"), "game two \"", "game two \"Another ");
    let games = sources.to_str().unwrap();
    assert!(verifies(&journal, &[]));
    let now = trilogy(&["--games", games, "replay", "--verify", journal.to_str().unwrap()]);
    assert!(now.status.success(), "{}", err(&now));
    let end = out(&replay(&journal, &[]));
    assert!(end.lines().last().is_some_and(|line| line.contains(" won after ")), "{end}");
    assert!(out(&replay(&journal, &["--to", "1"])).contains("after 1 of "));
    assert!(out(&replay(&journal, &["--json"])).starts_with('{'));
    // Elsewhere it is told what is missing and where it was looked for, until somebody says where the catalogue is.
    let away = folder("beside-away");
    let moved = away.join("two-1.journal");
    std::fs::rename(&journal, &moved).unwrap();
    let hash = beside[0].file_stem().unwrap().to_str().unwrap();
    for run in [replay(&moved, &[]), replay(&moved, &["--verify"]), trilogy(&["--games", games, "replay", moved.to_str().unwrap()])] {
        assert!(!run.status.success());
        let wanted = format!("catalogue {} of two (release {})", &hash[..12], env!("CARGO_PKG_VERSION"));
        for told in ["two-1.journal: ", &wanted, "does not carry it", &format!("no {hash}.catalogue in {}", away.display())] {
            assert!(err(&run).contains(told), "{told}: {}", err(&run));
        }
    }
    assert!(err(&replay(&moved, &[])).contains("no game is called \"two\""));
    let now = trilogy(&["--games", games, "replay", moved.to_str().unwrap()]);
    assert!(err(&now).contains(", two is ") && !err(&now).contains(&format!("two is {}", &hash[..12])), "{}", err(&now));
    assert!(verifies(&moved, &["--catalogues", away.to_str().unwrap(), "--catalogues", place.to_str().unwrap()]));
    // A server's folder is a place as well.
    let (data, packed) = (folder("beside-data"), std::fs::read(&beside[0]).unwrap());
    assert!(!verifies(&moved, &["--catalogues", data.to_str().unwrap()]));
    store(&data, &CatalogueRow { hash: hash.into(), game: "two".into(), format: 1, meaning: 1, bytes: packed });
    assert!(verifies(&moved, &["--catalogues", data.to_str().unwrap()]));
    let broken = replay(&moved, &["--catalogues", "postgres://nobody:secret@127.0.0.1:1/none"]);
    assert!(!broken.status.success() && err(&broken).contains("two-1.journal: the database: "), "{}", err(&broken));
    assert!(!err(&broken).contains("secret"), "{}", err(&broken));
}

/// What a server does with the catalogue of a match.
fn store(data: &Path, row: &CatalogueRow) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(data.to_str().unwrap()).await.unwrap();
        store.put_catalogue(row).await.unwrap();
        store.close().await;
    });
}

#[test]
fn a_journal_that_carries_its_catalogue_is_replayed_anywhere() {
    let (place, _) = of_another_game("carried", &["--with-catalogue"]);
    let journal = place.join("two-1.journal");
    assert!(with_ending(&place, "catalogue").is_empty());
    assert!(verifies(&journal, &[]));
    // One that does not can be made one that does; nothing else in it changes, and it is the same as if it had been written so.
    let (plain, _) = of_another_game("carrying", &[]);
    let [from, to] = ["two-1.journal", "alone.journal"].map(|name| plain.join(name));
    let text = |path: &Path| std::fs::read_to_string(path).unwrap();
    for from in [&from, &to] {
        let written = replay(from, &["--with-catalogue", to.to_str().unwrap()]);
        assert!(written.status.success(), "{}", err(&written));
        assert!(out(&written).starts_with(&format!("{}: ", to.display())), "{}", out(&written));
        assert_eq!(text(&to), text(&journal));
    }
    let carried = |line: &&str| line.starts_with("{\"carries\"");
    assert_eq!(text(&from).lines().collect::<Vec<_>>(), text(&to).lines().filter(|line| !carried(line)).collect::<Vec<_>>());
    std::fs::remove_file(&with_ending(&plain, "catalogue")[0]).unwrap();
    assert!(verifies(&to, &[]) && !verifies(&from, &[]));
    let nothing = trilogy(&["sim", "tcg", "--games", "1", "--with-catalogue"]);
    assert!(!nothing.status.success() && err(&nothing).contains("--journals"), "{}", err(&nothing));
}

#[test]
fn a_catalogue_that_is_not_the_one_its_name_says_is_refused() {
    let (place, _) = of_another_game("wrong", &[]);
    let other = folder("wrong-other");
    out(&trilogy(&["sim", "tcg", "--games", "1", "--with-catalogue", "--journals", other.to_str().unwrap()]));
    let text = |path: &Path| std::fs::read_to_string(path).unwrap();
    let of_tcg = text(&other.join("tcg-1.journal")).lines().nth(1).unwrap().to_string();
    let journal = place.join("two-1.journal");
    let (head, rest) = text(&journal).split_once('\n').map(|(head, rest)| (head.to_string(), rest.to_string())).unwrap();
    let hash = serde_json::from_str::<serde_json::Value>(&head).unwrap()["catalogue"].as_str().unwrap().to_string();
    let carrying = |line: &str| {
        std::fs::write(&journal, format!("{head}\n{line}\n{rest}")).unwrap();
        let run = replay(&journal, &["--verify"]);
        assert!(!run.status.success(), "{line} was taken");
        err(&run)
    };
    let refused = carrying(&of_tcg);
    assert!(refused.contains("carries") && refused.contains(&format!("and not {}", &hash[..12])), "{refused}");
    for (line, told) in [("{\"carries\":\"%\"}", "text"), ("{\"carries\":\"AAAA\"}", "damaged"), ("{\"carries\":1}", "line 2")] {
        assert!(carrying(line).contains(told), "{line}: {}", carrying(line));
    }
    // The same for a file: another catalogue under its name, a damaged one, one of a release to come.
    std::fs::write(&journal, format!("{head}\n{rest}")).unwrap();
    let path = place.join(format!("{hash}.catalogue"));
    let whole = std::fs::read(&path).unwrap();
    let as_file = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let run = replay(&journal, &[]);
        assert!(!run.status.success());
        err(&run)
    };
    out(&trilogy(&["sim", "tcg", "--games", "1", "--journals", other.to_str().unwrap()]));
    let refused = as_file(&std::fs::read(&with_ending(&other, "catalogue")[0]).unwrap());
    assert!(refused.contains(&format!("{hash}.catalogue in ")) && refused.contains("and not"), "{refused}");
    assert!(as_file(&whole[..whole.len() / 2]).contains("damaged"));
    let catalogue = trilogy_games::archive::unpack(&whole).unwrap();
    let mut bytes = catalogue.to_bytes();
    bytes[8] = 99;
    let refused = as_file(&trilogy_games::archive::packed(&bytes));
    assert!(refused.contains("has format 99 and is for a machine of version 1"), "{refused}");
    std::fs::write(&path, whole).unwrap();
    assert!(verifies(&journal, &[]));
    // A journal leads nowhere but to files that are called like hashes.
    std::fs::write(&journal, format!("{}\n{rest}", head.replace(&hash, "../two"))).unwrap();
    assert!(err(&replay(&journal, &[])).contains("line 1: the catalogue's hash"));
}
