//! `docs/PROTOCOL.md` lists, for each game, what leaves the rules. The lists are printed from the catalogues:
//! `UPDATE_DOCS=1 cargo test -p trilogy-games --test protocol` writes them.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use trilogy_engine::catalogue::{Asker, Catalogue, FieldSort};

const HEADING: &str = "## What each game shows\n";

fn row<'a>(out: &mut String, what: &str, names: impl Iterator<Item = &'a String>) {
    // A variable that each player has stands once for each of them.
    let mut seen = BTreeSet::new();
    let names: Vec<String> = names.filter(|name| seen.insert(*name)).map(|name| format!("`{name}`")).collect();
    if !names.is_empty() {
        writeln!(out, "| {what} | {} |", names.join(", ")).unwrap();
    }
}

fn shown(catalogue: &Catalogue, out: &mut String) {
    writeln!(out, "\n### {}\n\n| where | names |\n| --- | --- |", catalogue.game).unwrap();
    let stats = || catalogue.stats.iter().filter(|stat| stat.shown);
    let fields = catalogue.fields.iter().filter(|field| field.shown && matches!(field.sort, FieldSort::Counter { .. } | FieldSort::Number));
    let counters = catalogue.player_counters.iter().filter(|counter| counter.shown);
    row(out, "`vars`", catalogue.vars.iter().filter(|var| var.shown).map(|var| &var.name));
    row(out, "`seats[].counters`", counters.map(|counter| &counter.name));
    row(out, "`seats[].values`", stats().filter(|stat| stat.of_player && !stat.for_something).map(|stat| &stat.name));
    row(out, "`cards{}.counters`", fields.map(|field| &field.name));
    row(out, "`cards{}.values`", stats().filter(|stat| !stat.of_player && !stat.for_something).map(|stat| &stat.name));
    row(out, "`cards{}.totals`", stats().filter(|stat| !stat.of_player && stat.for_player).map(|stat| &stat.name));
    for (by, what) in [(Asker::Rules, "`ask.name`, by `rules`"), (Asker::Cost, "`ask.name`, by `cost`")] {
        row(out, what, catalogue.asks.iter().filter(|ask| ask.by == by).map(|ask| &ask.id));
    }
}

#[test]
fn the_page_lists_what_leaves_the_rules() {
    let mut lists = format!(
        "{HEADING}\nThe rules declare it (`shown var`, `shown stat`, `shown counter`); nothing else of them leaves the server. Printed from the catalogues by a test.\n"
    );
    for game in trilogy_games::games() {
        shown(&game.catalogue().unwrap(), &mut lists);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/PROTOCOL.md");
    let page = std::fs::read_to_string(&path).unwrap();
    // They are the last part of the page.
    let (before, now) = page.split_at(page.find(HEADING).unwrap_or(page.len()));
    if std::env::var("UPDATE_DOCS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, format!("{}\n\n{lists}", before.trim_end())).unwrap();
    } else {
        assert!(now == lists, "docs/PROTOCOL.md does not list what the games show: run this test once with UPDATE_DOCS=1");
    }
}
