//! `trilogy bench work`: how much is done for what in random games, so that whoever writes rules sees what they cost.

use crate::games::Shelf;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use trilogy_bots::{Bot, RandomBot};
use trilogy_engine::inside::{Count, Counts, Memo, Origin, start, step_on, view};
use trilogy_engine::{Catalogue, Setup, Silent, Viewer};
use trilogy_saga::Workshop;
use trilogy_saga::vocabulary::{Entry, Sort, Vocabulary};

/// The counts of so many games together, and how many decisions they had.
fn count(catalogue: &Catalogue, setup: &dyn Fn(u64) -> Setup, games: u64) -> Result<(Counts, u64), String> {
    let mut all = Counts::default();
    let mut decisions = 0;
    for seed in 0..games {
        let memo = Memo::counting();
        let mut bots = [RandomBot::new(1), RandomBot::new(2)];
        let mut state = start(catalogue, &setup(seed), &mut Silent)?;
        while let Some(ask) = &state.ask {
            let player = ask.player;
            let answer = bots[player.index()].answer(&view(catalogue, &state, Viewer::Player(player)));
            step_on(catalogue, &mut state, &answer, &mut Silent, &memo).map_err(|error| error.to_string())?;
            decisions += 1;
        }
        all.add(&memo.counts().unwrap_or_default());
    }
    Ok((all, decisions))
}

/// A line of the table: what, and what was done for it.
type Row = (&'static str, String, Count);

pub(crate) fn run(shelf: &Shelf, game: &str, setup: &dyn Fn(u64) -> Setup, games: u64, json: bool) -> Result<(), String> {
    let workshop = shelf.game(game)?.workshop()?;
    let whole = Arc::new(workshop.catalogue().clone());
    let cards: Option<Vec<_>> = setup(0).decks.iter().flatten().map(|key| whole.card(key)).collect();
    let catalogue = whole.among(cards.ok_or("a deck has a card that is not there")?);
    let (counts, decisions) = count(&catalogue, setup, games)?;
    let rows = rows(&catalogue, &counts);
    let lines = lines(&workshop, &catalogue, &counts);
    let known: u64 = counts.functions.iter().chain(&counts.stats).chain(&counts.scopes).map(|count| count.known).sum();
    let asked: u64 = counts.functions.iter().chain(&counts.stats).chain(&counts.scopes).map(|count| count.times).sum();
    let parts = [
        ("decisions", decisions),
        ("steps of code", counts.steps),
        ("pieces of code that were run", counts.runs),
        ("instructions that change something", counts.instructions),
        ("questions for moves", counts.windows.iter().map(|count| count.times).sum()),
        ("questions whose answers are kept", asked),
        ("of these known", known),
        ("lists made", counts.lists),
    ];
    if json {
        let rows: Vec<_> = rows
            .iter()
            .map(
                |(sort, name, count)| json!({"sort": sort, "name": name, "times": count.times, "known": count.known, "steps": count.steps}),
            )
            .collect();
        let lines: Vec<_> = lines.iter().map(|(line, steps)| json!({"line": line, "steps": steps})).collect();
        let parts: serde_json::Map<_, _> = parts.iter().map(|(name, number)| (name.to_string(), json!(number))).collect();
        say!("{}", json!({"game": game, "games": games, "parts": parts, "rows": rows, "lines": lines}));
        return Ok(());
    }
    say!("{game}: a game, on the average of {games} between the same decks");
    for (name, number) in parts {
        say!("{name:<44} {:>9}", number / games);
    }
    say!("\nthe dearest lines {:>36} {:>9}", "steps", "of all");
    for (line, steps) in lines.iter().take(20) {
        say!("{line:<44} {:>9} {:>8.1}%", steps / games, 100.0 * *steps as f64 / counts.steps.max(1) as f64);
    }
    for sort in ["window", "ability", "function", "value", "permission", "scope", "program"] {
        say!("\n{sort:<44} {:>9} {:>9} {:>9} {:>8}", "steps", "times", "known", "a time");
        for (_, name, count) in rows.iter().filter(|row| row.0 == sort).take(30) {
            let worked_out = (count.times - count.known).max(1);
            say!(
                "{name:<44} {:>9} {:>9} {:>9} {:>8}",
                count.steps / games,
                count.times / games,
                count.known / games,
                count.steps / worked_out
            );
        }
    }
    Ok(())
}

/// What was done for each thing, with all that was asked for on the way, the most first.
fn rows(catalogue: &Catalogue, counts: &Counts) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut add = |sort: &'static str, list: &[Count], name: &dyn Fn(usize) -> String| {
        rows.extend(list.iter().enumerate().filter(|(_, count)| count.times > 0).map(|(at, count)| (sort, name(at), *count)));
    };
    add("function", &counts.functions, &|at| catalogue.functions[at].name.clone());
    add("value", &counts.stats, &|at| catalogue.stats[at].name.clone());
    add("permission", &counts.permissions, &|at| catalogue.permissions[at].name.clone());
    add("scope", &counts.scopes, &|at| catalogue.scopes[at].name.clone());
    add("ability", &counts.abilities, &|at| catalogue.abilities[at].name.clone());
    add("window", &counts.windows, &|at| catalogue.windows[at].name.clone());
    add("program", &counts.programs, &|at| catalogue.procs[at].name.clone());
    rows.sort_by_key(|row| std::cmp::Reverse(row.2.steps));
    rows
}

/// The steps that each line of the sources costs by itself, the dearest first. Small functions count where they are used.
fn lines(workshop: &Workshop, catalogue: &Catalogue, counts: &Counts) -> Vec<(String, u64)> {
    let vocabulary = Vocabulary::read(workshop.files());
    let defined = |name: &str, sorts: &[Sort]| {
        let entry = |entry: &&Entry| entry.name == name && sorts.contains(&entry.sort);
        vocabulary.entries().iter().find(entry).map_or_else(|| name.to_string(), |entry| format!("{}:{} {name}", entry.file, entry.line))
    };
    let mut all: BTreeMap<String, u64> = BTreeMap::new();
    for (origin, steps) in counts.pieces(catalogue) {
        let line = match origin {
            Origin::Function(id) => {
                let name = &catalogue.functions[id.index()].name;
                defined(name.trim_start_matches("noun ").trim_start_matches("adjective "), &[Sort::Function, Sort::Noun, Sort::Adjective])
            }
            Origin::Stat(id) => defined(&catalogue.stats[id.index()].name, &[Sort::Value]),
            Origin::Scope(id) => defined(&catalogue.scopes[id.index()].name, &[Sort::Scope]),
            Origin::Permission(id) => defined(&catalogue.permissions[id.index()].name, &[Sort::Permission]),
            Origin::Window(id) => defined(&catalogue.windows[id.index()].name, &[Sort::Window]),
            Origin::Ability(id) => match catalogue.abilities[id.index()].def {
                Some(def) => catalogue.def(def).title.clone(),
                None => defined(&catalogue.abilities[id.index()].name, &[Sort::Action]),
            },
            Origin::Clause(id) => catalogue.clause(id).english.clone(),
            Origin::Op(op) => workshop.line_of(op as usize).map_or_else(String::new, |(file, line)| format!("{file}:{line}")),
        };
        *all.entry(line).or_default() += steps;
    }
    let mut lines: Vec<(String, u64)> = all.into_iter().collect();
    lines.sort_by_key(|(_, steps)| std::cmp::Reverse(*steps));
    lines
}
