//! How often a person would be asked: games of two greedy bots with the usual stops, questions counted by own turn.

use crate::games::Shelf;
use serde_json::json;
use std::collections::BTreeMap;
use trilogy_bots::{Bot, Greedy};
use trilogy_engine::{Answer, Catalogue, PlayerId, Playout, Setup, Silent, View, Viewer, player_text, seed_from_number};

/// Questions by own turn: how many each turn had, and what they were.
#[derive(Default)]
struct Counted {
    turns: Vec<u32>,
    /// By the name of the question.
    asked: BTreeMap<String, Asked>,
    spared: u32,
}

/// The questions of one name: how many, how many of them were passed, and an example.
struct Asked {
    count: u32,
    passed: u32,
    example: String,
}

pub(crate) fn run(shelf: &Shelf, game: Option<&str>, games: usize, as_json: bool, tell: Option<usize>) -> Result<(), String> {
    shelf.chosen(game)?.iter().try_for_each(|game| measure(shelf, game, games, as_json, tell))
}

fn measure(shelf: &Shelf, game: &str, games: usize, as_json: bool, tell: Option<usize>) -> Result<(), String> {
    let catalogue = shelf.catalogue(game)?;
    let [first, second] = shelf.starters(game, &catalogue)?.map(|decks| decks.into_iter().map(|(_, deck)| deck.cards).collect::<Vec<_>>());
    if first.is_empty() || second.is_empty() {
        return Err(format!("{game} has no starter deck for one of its players"));
    }
    let mut counted = Counted::default();
    let all = if let Some(only) = tell { only..only + 1 } else { 0..games };
    for number in all {
        let decks = [first[number % first.len()].clone(), second[number / first.len() % second.len()].clone()];
        let setup = Setup { decks, options: Default::default(), seed: seed_from_number(number as u64) };
        play(&catalogue, &setup, &mut counted, tell.is_some())?;
    }
    if tell.is_some() {
        return Ok(());
    }
    counted.turns.sort_unstable();
    let turns = counted.turns.len().max(1);
    let (median, high) = (counted.turns.get(turns / 2).copied().unwrap_or(0), counted.turns.get(turns * 9 / 10).copied().unwrap_or(0));
    let all: u32 = counted.turns.iter().sum();
    if as_json {
        let figures = json!({"turns": turns, "prompts_median": median, "prompts_mean": f64::from(all) / turns as f64, "prompts_p90": high});
        say!("{}", json!({"game": game, "figures": figures}));
        return Ok(());
    }
    say!(
        "{game}: {turns} turns of {games} games; prompts in one's own turn: median {median}, mean {:.1}, one turn in ten over {high}",
        f64::from(all) / turns as f64
    );
    say!("the usual stops answered {:.1} more a turn", f64::from(counted.spared) / turns as f64);
    let mut rows: Vec<_> = counted.asked.into_iter().collect();
    rows.sort_by_key(|(_, asked)| std::cmp::Reverse(asked.count));
    say!("   asked  passed");
    for (program, Asked { count, passed, example }) in rows.into_iter().take(16) {
        say!("{:>8.2} {:>7.2}  {program:<34} {example}", f64::from(count) / turns as f64, f64::from(passed) / turns as f64);
    }
    Ok(())
}

fn play(catalogue: &Catalogue, setup: &Setup, counted: &mut Counted, tell: bool) -> Result<(), String> {
    let mut bots = [Greedy::new(1), Greedy::new(2)];
    let mut game = Playout::new(catalogue, setup, &mut Silent)?;
    // A game without a player whose turn it is has common turns, which are everybody's own.
    let common = !catalogue.vars.iter().any(|var| var.name == "turn_of");
    let mut turns: BTreeMap<(i32, PlayerId), u32> = BTreeMap::new();
    while let Some(player) = game.asked() {
        let view = game.view(Viewer::Player(player));
        let turn = view.var("turn_number").num();
        let whose = if common { None } else { view.var("turn_of").player() };
        for one in [PlayerId(0), PlayerId(1)].into_iter().filter(|one| turn > 0 && whose.is_none_or(|whose| whose == *one)) {
            turns.entry((turn, one)).or_default();
        }
        let usual = view.usual();
        let mut own = false;
        if let Some(asked) = turns.get_mut(&(turn, player)).filter(|_| whose.is_none_or(|whose| whose == player)) {
            if usual.is_some() {
                counted.spared += 1;
            } else {
                *asked += 1;
                own = true;
            }
        }
        let answer = usual.unwrap_or_else(|| bots[player.index()].answer(&view));
        if own {
            let asked = counted.asked.entry(asker(&view)).or_insert_with(|| Asked { count: 0, passed: 0, example: view.prompt() });
            asked.count += 1;
            asked.passed += u32::from(matches!(&answer, Answer::Pick(chosen) if chosen.is_empty()));
            if tell {
                let who = player_text(catalogue, player);
                say!("turn {turn}, {who}: {}\n    -> {}", view.prompt(), view.ask().map_or(String::new(), |ask| ask.words(&answer)));
            }
        }
        drop(view);
        game.answer(&answer, &mut Silent).map_err(|error| error.to_string())?;
    }
    counted.turns.extend(turns.into_values());
    Ok(())
}

/// The name of the question, and the window whose moves it offers.
fn asker(view: &View<'_>) -> String {
    let name = view.question().map_or("", |question| &question.id);
    match view.window() {
        Some(window) => format!("{name}, {}", view.catalogue().windows[window.index()].name),
        None => name.to_string(),
    }
}
