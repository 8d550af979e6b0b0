//! `trilogy bench work`: how much is done for what in random games, so that whoever writes rules sees what they cost.

use crate::games::Shelf;
use serde_json::json;
use trilogy_bots::{Bot, RandomBot};
use trilogy_engine::inside::{Count, Counts, Memo, start, step_on, view};
use trilogy_engine::{Catalogue, Setup, Silent, Viewer};

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
    let catalogue = shelf.catalogue(game)?;
    let (counts, decisions) = count(&catalogue, setup, games)?;
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
    if json {
        let rows: Vec<_> = rows
            .iter()
            .map(
                |(sort, name, count)| json!({"sort": sort, "name": name, "times": count.times, "known": count.known, "steps": count.steps}),
            )
            .collect();
        say!("{}", json!({"game": game, "games": games, "decisions": decisions, "steps": counts.steps, "runs": counts.runs, "rows": rows}));
        return Ok(());
    }
    let instructions: u64 = counts.programs.iter().map(|count| count.times).sum();
    say!(
        "{game}: a game of {games} has {} decisions, {} instructions of programs, {} steps of code in {} runs",
        decisions / games,
        instructions / games,
        counts.steps / games,
        counts.runs / games
    );
    for sort in ["window", "ability", "function", "value", "permission", "scope", "program"] {
        if sort == "program" {
            rows.sort_by_key(|row| std::cmp::Reverse(row.2.times));
        }
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
