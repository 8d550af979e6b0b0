//! Many games in a row: bots against each other, with progress, and a summary at the end.

use crate::games::Shelf;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use trilogy_engine::deck::{self, Deck};
use trilogy_engine::journal::Writer;
use trilogy_engine::{Catalogue, Laid, PlayerId, Playout, Random, Setup, Silent, Status, View, Viewer, seed_from_number};
use trilogy_games::archive;

#[derive(clap::Args)]
pub(crate) struct Args {
    game: String,
    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// The first game's seed; game N has this seed plus N
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Decks: names of starter decks or files, one for each side. By default all pairs of starter decks
    #[arg(long, num_args = 2)]
    decks: Vec<String>,
    /// Exchange this many cards of each deck for any others of the game with which it stays legal; each pair of games has decks of its own
    #[arg(long, default_value_t = 0)]
    mix: usize,
    /// Bots of the first and second player; each pair of games swaps them
    #[arg(long, num_args = 2, default_values_t = ["random".to_string(), "random".to_string()])]
    bots: Vec<String>,
    /// Keep each bot on its side instead of swapping
    #[arg(long)]
    no_swap: bool,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// One JSON object on standard output
    #[arg(long)]
    json: bool,
    /// Write the journal of each game into this folder, and the catalogue that they are played by beside them
    #[arg(long)]
    journals: Option<PathBuf>,
    /// Write the catalogue into each journal instead, so that each can be replayed by itself
    #[arg(long, requires = "journals")]
    with_catalogue: bool,
}

/// What one game came to.
struct Outcome {
    winner: Option<PlayerId>,
    /// Which of the two bots won.
    bot: Option<usize>,
    pairing: usize,
    decisions: u32,
    turns: i32,
    faults: u16,
    stall: bool,
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    let catalogue = shelf.catalogue(&args.game)?;
    let pairings = pairings(shelf, args, &catalogue)?;
    for bot in &args.bots {
        trilogy_bots::by_name(bot, 0)?;
    }
    if let Some(folder) = &args.journals {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if !args.with_catalogue {
            archive::keep(folder, &catalogue)?;
        }
    }
    let carried = args.with_catalogue.then(|| archive::to_text(&archive::pack(&catalogue)));
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(args.games) };
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left").unwrap_or(ProgressStyle::default_bar()),
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.max(1)).build().map_err(|error| error.to_string())?;
    let started = Instant::now();
    let outcomes: Result<Vec<Outcome>, String> = pool.install(|| {
        (0..args.games)
            .into_par_iter()
            .map(|number| {
                let outcome = play_one(&catalogue, &pairings, args, carried.as_deref(), number);
                bar.inc(1);
                outcome
            })
            .collect()
    });
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    report(args, &catalogue, &pairings, &outcomes?, seconds);
    Ok(())
}

struct Pairing {
    names: [String; 2],
    decks: [Vec<String>; 2],
    /// The decks as they lie on a table, where they are played as they are.
    laid: Option<Laid>,
}

fn pairings(shelf: &Shelf, args: &Args, catalogue: &Arc<Catalogue>) -> Result<Vec<Pairing>, String> {
    let mut seats: [Vec<(String, Deck)>; 2] = Default::default();
    if args.decks.is_empty() {
        seats = shelf.starters(&args.game, catalogue)?;
    }
    for name in &args.decks {
        let read = shelf.deck(&args.game, catalogue, name)?;
        seats[deck::seat(catalogue, &read)].push((name.clone(), read));
    }
    for (name, read) in seats.iter().flatten() {
        if let Some(fault) = deck::check(catalogue, read)?.first() {
            return Err(format!("{name} is not a legal deck: {fault}"));
        }
    }
    let [first, second] = &seats;
    if first.is_empty() || second.is_empty() {
        return Err("one deck of each side is needed".into());
    }
    let pair = |a: &(String, Deck), b: &(String, Deck)| {
        let decks = [a.1.cards.clone(), b.1.cards.clone()];
        let setup = Setup { decks: decks.clone(), options: Default::default(), seed: [0; 32] };
        let laid = if args.mix == 0 { Some(Laid::new(catalogue, &setup)?) } else { None };
        Ok(Pairing { names: [a.0.clone(), b.0.clone()], decks, laid })
    };
    first.iter().flat_map(|a| second.iter().map(move |b| pair(a, b))).collect()
}

fn play_one(catalogue: &Catalogue, pairings: &[Pairing], args: &Args, carried: Option<&str>, number: u64) -> Result<Outcome, String> {
    let swapped = !args.no_swap && number % 2 == 1;
    let pairing = (number / 2) as usize % pairings.len();
    let seed = seed_from_number(args.seed + number);
    let setup = || {
        // The two games of a pair have the same decks.
        let mut luck = Random::from_seed(seed_from_number(!(args.seed + number / 2)));
        let [first, second] = &pairings[pairing].decks;
        let mut mixed = |cards: &Vec<String>| deck::mixed(catalogue, cards, args.mix, &mut luck);
        Ok::<_, String>(Setup { decks: [mixed(first)?, mixed(second)?], options: Default::default(), seed })
    };
    let seats = if swapped { [1, 0] } else { [0, 1] };
    let mut bots = Vec::new();
    for (at, &bot) in seats.iter().enumerate() {
        bots.push(trilogy_bots::by_name(&args.bots[bot], (args.seed + number) * 2 + at as u64)?);
    }
    let mut game = match &pairings[pairing].laid {
        Some(laid) => laid.play(seed, &mut Silent),
        None => Playout::new(catalogue, &setup()?, &mut Silent)?,
    };
    let mut writer = match &args.journals {
        Some(_) => Some(Writer::new(catalogue, &setup()?, &game.hash())),
        None => None,
    };
    if let (Some(writer), Some(carried)) = (&mut writer, carried) {
        writer.carry(carried.into());
    }
    while let Some(player) = game.asked() {
        let answer = bots[player.index()].answer(&game.view(Viewer::Player(player)));
        game.answer(&answer, &mut Silent).map_err(|error| format!("seed {}: {error}", args.seed + number))?;
        if let Some(writer) = &mut writer {
            writer.answer(&answer, &game.hash());
        }
    }
    if let (Some(mut writer), Some(folder)) = (writer, &args.journals) {
        writer.end(game.status(), &game.hash());
        let path = folder.join(format!("{}-{}.journal", args.game, args.seed + number));
        std::fs::write(&path, writer.text()).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(outcome(&game.view(Viewer::Referee), pairing, seats))
}

fn outcome(view: &View<'_>, pairing: usize, seats: [usize; 2]) -> Outcome {
    let winner = match view.status() {
        Status::Won(player) => Some(*player),
        Status::Asking | Status::Drawn | Status::Broken(_) => None,
    };
    let turns = view.vars().find(|(name, _)| *name == "turn_number").map_or(0, |(_, turn)| turn.num());
    Outcome {
        winner,
        bot: winner.map(|winner| seats[winner.index()]),
        pairing,
        decisions: view.answers(),
        turns,
        faults: view.faults(),
        stall: matches!(view.status(), Status::Broken(_)),
    }
}

/// The 95 % interval of a share (Wilson), in percent.
pub(crate) fn interval(wins: usize, games: usize) -> (f64, f64) {
    if games == 0 {
        return (0.0, 100.0);
    }
    let (n, p, z) = (games as f64, wins as f64 / games as f64, 1.96);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    (100.0 * (middle - half), 100.0 * (middle + half))
}

fn median(mut numbers: Vec<i64>) -> i64 {
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied().unwrap_or(0)
}

fn report(args: &Args, catalogue: &Catalogue, pairings: &[Pairing], outcomes: &[Outcome], seconds: f64) {
    let games = outcomes.len();
    let won = |player: u8| outcomes.iter().filter(|outcome| outcome.winner == Some(PlayerId(player))).count();
    let bot_won = |bot: usize| outcomes.iter().filter(|outcome| outcome.bot == Some(bot)).count();
    let decisions: u64 = outcomes.iter().map(|outcome| outcome.decisions as u64).sum();
    let faults: u64 = outcomes.iter().map(|outcome| outcome.faults as u64).sum();
    let stalls = outcomes.iter().filter(|outcome| outcome.stall).count();
    let turns = median(outcomes.iter().map(|outcome| outcome.turns as i64).collect());
    let per_second = games as f64 / seconds.max(1e-9);
    if args.json {
        let side = |at: u8| {
            let (low, high) = interval(won(at), games);
            json!({"wins": won(at), "low": low, "high": high})
        };
        let bot = |at: usize| {
            let (low, high) = interval(bot_won(at), games);
            json!({"name": args.bots[at], "wins": bot_won(at), "low": low, "high": high})
        };
        let pairs: Vec<_> = pairings
            .iter()
            .enumerate()
            .map(|(at, pairing)| {
                let of: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.pairing == at).collect();
                let first = of.iter().filter(|outcome| outcome.winner == Some(PlayerId(0))).count();
                json!({"decks": pairing.names, "games": of.len(), "first_wins": first})
            })
            .collect();
        let summary = json!({
            "game": args.game, "games": games, "threads": args.threads, "seconds": seconds, "games_per_second": per_second,
            "decisions": decisions, "faults": faults, "stalls": stalls,
            "wins": {(catalogue.players[0].clone()): won(0), (catalogue.players[1].clone()): won(1)},
            "sides": {(catalogue.players[0].clone()): side(0), (catalogue.players[1].clone()): side(1)},
            "bots": [bot(0), bot(1)], "pairings": pairs, "turns_median": turns,
            "decisions_median": median(outcomes.iter().map(|outcome| outcome.decisions as i64).collect()), "seed": args.seed,
        });
        say!("{summary}");
        return;
    }
    say!("{games} games of {} in {seconds:.1} s: {per_second:.0} games a second, {} decisions in all", args.game, decisions);
    say!("median length {turns} turns, {faults} faults, {stalls} without a winner");
    say!();
    say!("{:<24} {:>7} {:>8}   95 % interval", "", "wins", "share");
    let line = |name: &str, wins: usize, games: usize| {
        let (low, high) = interval(wins, games);
        say!("{name:<24} {wins:>7} {:>7.1}%   {low:.1} to {high:.1} %", 100.0 * wins as f64 / games.max(1) as f64);
    };
    for at in [0, 1] {
        line(&catalogue.players[at].replace('_', " "), won(at as u8), games);
    }
    if args.bots[0] != args.bots[1] {
        for at in [0, 1] {
            line(&format!("bot {}", args.bots[at]), bot_won(at), games);
        }
    }
    for (at, pairing) in pairings.iter().enumerate() {
        let of: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.pairing == at).collect();
        let first = of.iter().filter(|outcome| outcome.winner == Some(PlayerId(0))).count();
        say!("{} beats {} in {first} of {}", pairing.names[0], pairing.names[1], of.len());
    }
}
