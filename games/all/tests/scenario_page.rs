//! `docs/SCENARIOS.md`: its examples run, and its lists are printed from the catalogues and the boards.
//! `UPDATE_DOCS=1 cargo test -p trilogy-games --test scenario_page` writes the lists.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use trilogy_engine::catalogue::{Catalogue, FieldSort, ZoneDef};
use trilogy_games::{Game, games};
use trilogy_saga::ast::ItemKind;
use trilogy_saga::scenario::{Boards, MODES, Scenario, game_of, parse, run};
use trilogy_saga::{Workshop, parser};

const HEADING: &str = "## Names of each game\n";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/SCENARIOS.md")
}

fn workshop(game: &Game) -> Workshop {
    game.workshop().unwrap_or_else(|_| panic!("the sources of {} do not compile", game.name))
}

fn passes(game: &Game, workshop: &Workshop, scenario: &Scenario) {
    for mode in MODES {
        run(workshop, scenario, mode).unwrap_or_else(|error| panic!("{}: {} ({mode:?}): {error}", game.name, scenario.name));
    }
}

/// The examples of the page are scenarios that pass, and short ones; each game has some.
#[test]
fn the_examples_run_and_are_short() {
    let page = std::fs::read_to_string(path()).unwrap();
    let mut found = vec![0; games().len()];
    for block in page.split("```\n").skip(1).step_by(2) {
        let Some(name) = game_of(block) else { continue };
        let at = games().iter().position(|game| game.name == name).unwrap();
        let game = &games()[at];
        let scenarios = parse(block, &game.boards().unwrap()).unwrap_or_else(|error| panic!("{error} in:\n{block}"));
        // One example for each block, without the line that names the game.
        assert_eq!(scenarios.len(), 1, "{block}");
        assert!(block.lines().count() <= 16, "an example has more than fifteen lines:\n{block}");
        passes(game, &workshop(game), &scenarios[0]);
        found[at] += 1;
    }
    assert!(found.iter().all(|&examples| examples > 0), "{found:?}");
}

/// Each board can be laid, starts, and its opening can be played.
#[test]
fn every_board_stands_alone() {
    for game in games() {
        let boards = game.boards().unwrap();
        assert!(boards.iter().count() > 0, "{} has no boards", game.name);
        let workshop = workshop(game);
        for board in boards.iter() {
            passes(game, &workshop, &board.whole);
        }
    }
}

fn row(out: &mut String, what: &str, mut names: Vec<String>) {
    names.dedup();
    if !names.is_empty() {
        writeln!(out, "| {what} | {} |", names.join(", ")).unwrap();
    }
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn english(name: &str, english: &str) -> String {
    if english.is_empty() || english == name { code(name) } else { format!("`{name}` ({english})") }
}

/// Programs that scenarios start with.
fn programs(catalogue: &Catalogue) -> Vec<String> {
    let starts = |name: &str| name == "main" || name.starts_with("from_") || name.starts_with("light_");
    catalogue.procs.iter().filter(|proc| proc.params == 0 && starts(&proc.name)).map(|proc| code(&proc.name)).collect()
}

fn zones(catalogue: &Catalogue, own: bool) -> Vec<String> {
    let wanted = |zone: &&ZoneDef| zone.player.is_some() == own && !zone.name.is_empty() && zone.name != "attached";
    catalogue.zones.iter().filter(wanted).map(|zone| english(&zone.name, &zone.english)).collect()
}

fn traits(catalogue: &Catalogue, wanted: fn(&FieldSort) -> bool) -> Vec<String> {
    catalogue.fields.iter().filter(|field| wanted(&field.sort)).map(|field| code(&field.name)).collect()
}

/// Fields and variables of the types that a board can set.
struct Typed {
    fields: Vec<String>,
    numbers: Vec<String>,
    players: Vec<String>,
}

fn typed(game: &Game) -> Typed {
    let mut found = Typed { fields: Vec::new(), numbers: Vec::new(), players: Vec::new() };
    for item in game.sources.iter().flat_map(|(_, text)| parser::parse(0, text).0) {
        match item.kind {
            ItemKind::Field { name, ty, .. } if ["word", "words", "player", "players"].contains(&ty.text.as_str()) => {
                found.fields.push(code(&name.text));
            }
            ItemKind::Var { name, ty, of_player: false, .. } if ty.text == "num" => found.numbers.push(code(&name.text)),
            ItemKind::Var { name, ty, of_player: false, .. } if ty.text == "player" => found.players.push(code(&name.text)),
            _ => {}
        }
    }
    found
}

fn names(game: &Game, boards: &Boards, out: &mut String) {
    let catalogue = game.catalogue().unwrap();
    writeln!(out, "\n### {}, `{}`\n\n| what | names |\n| --- | --- |", game.title, game.name).unwrap();
    row(out, "players", catalogue.players.iter().map(|player| code(player)).collect());
    row(out, "programs to `start`", programs(&catalogue));
    row(out, "zones of each player", zones(&catalogue, true));
    row(out, "zones that players share", zones(&catalogue, false));
    row(out, "roles", catalogue.roles.iter().map(|role| english(&role.name, &role.english)).collect());
    row(out, "counters of players", catalogue.player_counters.iter().map(|counter| code(&counter.name)).collect());
    row(out, "counters of cards", traits(&catalogue, |sort| matches!(sort, FieldSort::Counter { .. })));
    row(out, "numbers that cards remember", traits(&catalogue, |sort| *sort == FieldSort::Number));
    row(out, "what cards are or are not (1 or 0)", traits(&catalogue, |sort| *sort == FieldSort::Truth));
    let typed = typed(game);
    row(out, "words and players that cards remember", typed.fields);
    row(out, "variables that are numbers", typed.numbers);
    row(out, "variables that are players", typed.players);
    let options = catalogue.options.iter();
    row(out, "options, the default first", options.map(|option| format!("`{}`: {}", option.name, option.choices.join(" or "))).collect());
    row(out, "events to `stop` at", catalogue.events.iter().map(|event| code(&event.name)).collect());
    writeln!(out, "\n| board | what it is for |\n| --- | --- |").unwrap();
    for board in boards.iter() {
        writeln!(out, "| `{}` | {} |", board.name, board.about).unwrap();
    }
}

#[test]
fn the_page_lists_the_names_of_each_game() {
    let mut lists = format!(
        "{HEADING}\nPrinted from the catalogues and the boards by a test. `trilogy boards GAME` shows what a board lays, `trilogy cards list GAME` the cards.\n"
    );
    for game in games() {
        names(game, &game.boards().unwrap(), &mut lists);
    }
    let page = std::fs::read_to_string(path()).unwrap();
    // They are the last part of the page.
    let (before, now) = page.split_at(page.find(HEADING).unwrap_or(page.len()));
    if std::env::var("UPDATE_DOCS").is_ok_and(|value| value == "1") {
        std::fs::write(path(), format!("{}\n\n{lists}", before.trim_end())).unwrap();
    } else {
        assert!(now == lists, "docs/SCENARIOS.md does not list the names as they are: run this test once with UPDATE_DOCS=1");
    }
}
