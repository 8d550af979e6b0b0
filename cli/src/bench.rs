//! The figures of docs/PERFORMANCE.md, measured here and now on one thread.

use crate::games::Shelf;
use serde_json::json;
use std::time::{Duration, Instant};
use trilogy_bots::{Bot, RandomBot};
use trilogy_engine::inside::{self, State};
use trilogy_engine::{Catalogue, Playout, Setup, Silent, View, Viewer, seed_from_number};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A game, "server" for many games at once over sockets, "prompts" for how often a person is asked, or "work" for what the rules
    /// cost; all games by default
    game: Option<String>,
    /// The game of "prompts" and "work"; all by default
    of: Option<String>,
    /// Decks: names of starter decks or files, in the order of the seats. By default the first starter deck of each side
    #[arg(long, num_args = 2, requires = "game")]
    decks: Vec<String>,
    /// Print the questions of this one game of "prompts" with their answers, from 0
    #[arg(long, value_name = "NUMBER")]
    tell: Option<usize>,
    /// How many games: at once ("server"), or one after the other ("prompts")
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// With "server": how two players fare while another address does its worst
    #[arg(long)]
    hostile: bool,
    /// The other address, in a process of its own
    #[arg(long, hide = true)]
    attack: Option<std::net::SocketAddr>,
    #[arg(long)]
    json: bool,
    /// Seconds for each figure
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    if let Some(server) = args.attack {
        return crate::bench_hostile::attack(server, args.hostile, args.seconds);
    }
    if args.game.as_deref() == Some("server") && args.hostile {
        return crate::bench_hostile::run(args.seconds.max(1.0) * 10.0, args.json);
    }
    if args.game.as_deref() == Some("server") {
        // Long enough that starting all the games does not count for much.
        let seconds = args.seconds.max(1.0) * 5.0;
        return crate::bench_server::run(&crate::bench_server::Wish { games: args.games, seconds, json: args.json });
    }
    if args.game.as_deref() == Some("prompts") {
        return crate::bench_prompts::run(shelf, args.of.as_deref(), args.games, args.json, args.tell);
    }
    if args.game.as_deref() == Some("work") {
        return shelf.chosen(args.of.as_deref())?.iter().try_for_each(|game| {
            let cards = decks(shelf, args, game)?;
            crate::bench_work::run(shelf, game, &|seed| setup(&cards, seed), args.games.min(20) as u64, args.json)
        });
    }
    shelf.chosen(args.game.as_deref())?.iter().try_for_each(|game| measure(shelf, args, game))
}

/// The cards of both decks.
fn decks(shelf: &Shelf, args: &Args, game: &str) -> Result<[Vec<String>; 2], String> {
    let catalogue = shelf.catalogue(game)?;
    let mut cards: [Vec<String>; 2] = Default::default();
    for (seat, cards) in cards.iter_mut().enumerate() {
        *cards = match args.decks.get(seat) {
            Some(name) => shelf.deck(game, &catalogue, name)?.cards,
            None => shelf.starter(game, &catalogue, seat)?.1.cards,
        };
    }
    Ok(cards)
}

fn setup(cards: &[Vec<String>; 2], seed: u64) -> Setup {
    Setup { decks: cards.clone(), options: Default::default(), seed: seed_from_number(seed) }
}

fn measure(shelf: &Shelf, args: &Args, game: &str) -> Result<(), String> {
    let source = shelf.game(game)?;
    let catalogue = source.catalogue()?;
    let cards = decks(shelf, args, game)?;
    let setup = |seed: u64| setup(&cards, seed);
    let table = middle_of_a_game(&catalogue, &setup)?;
    // What a host never sees is measured here all the same: the state by itself.
    let middle = inside::played(&table);
    let limit = Duration::from_secs_f64(args.seconds);
    let mut decisions = 0u64;
    let games = rate(limit, |number| decisions += play(&catalogue, &setup(number)).map_or(0, |answers| answers as u64));
    let mut figures: Vec<(&str, f64)> =
        vec![("random_games_per_second", games.0), ("decisions_per_game", decisions as f64 / games.1 as f64)];
    figures.push(("state_copy_ns", nanos(limit, |_| drop(std::hint::black_box(middle.clone())))));
    figures.push(("state_bytes", middle.to_bytes().len() as f64));
    figures.push(("state_write_ns", nanos(limit, |_| drop(std::hint::black_box(middle.to_bytes())))));
    let stored = middle.to_bytes();
    figures.push(("state_read_ns", nanos(limit, |_| drop(std::hint::black_box(State::from_bytes(&catalogue, &stored))))));
    figures.push((
        "state_hash_ns",
        nanos(limit, |_| {
            std::hint::black_box(middle.hash());
        }),
    ));
    let view = || inside::view(&catalogue, middle, Viewer::ALL[0]);
    figures.push(("imagine_ns", nanos(limit, |number| drop(std::hint::black_box(view().imagine([number as u8; 32]))))));
    figures.push(("view_ns", nanos(limit, |_| drop(std::hint::black_box(view().snapshot())))));
    let picture = |view: View<'_>| drop(std::hint::black_box(trilogy_server::matches::shown(&view, game)));
    figures.push(("picture_ns", nanos(limit, |_| picture(view()))));
    // As a server makes them after every answer: for both players and those who look on.
    let pictures = |_| {
        let views = inside::views(&catalogue, middle);
        Viewer::ALL.into_iter().for_each(|viewer| picture(views.of(viewer)));
    };
    figures.push(("picture_of_three_ns", nanos(limit, pictures) / Viewer::ALL.len() as f64));
    if let Some(built_in) = trilogy_games::find(game) {
        figures.push(("load_blob_ms", nanos(limit, |_| drop(std::hint::black_box(built_in.catalogue()))) / 1e6));
    }
    figures.push(("compile_sources_ms", nanos(limit, |_| drop(std::hint::black_box(source.workshop()))) / 1e6));
    if args.json {
        let map: serde_json::Map<String, serde_json::Value> =
            figures.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
        say!("{}", json!({"game": game, "figures": map}));
    } else {
        say!("{game}");
        for (name, value) in figures {
            say!("{name:<28} {value:>12.1}");
        }
    }
    Ok(())
}

/// How many answers a game took.
fn play(catalogue: &Catalogue, setup: &Setup) -> Result<u32, String> {
    let mut game = Playout::new(catalogue, setup, &mut Silent)?;
    go_on(&mut game, u32::MAX)?;
    Ok(game.view(Viewer::Referee).answers())
}

/// So many random answers, or to the end.
fn go_on(game: &mut Playout<'_>, answers: u32) -> Result<(), String> {
    let mut bots = [RandomBot::new(1), RandomBot::new(2)];
    for _ in 0..answers {
        let Some(player) = game.asked() else { break };
        let answer = bots[player.index()].answer(&game.view(Viewer::Player(player)));
        game.answer(&answer, &mut Silent).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A table with cards everywhere: half-way through the longest of a few games.
fn middle_of_a_game<'a>(catalogue: &'a Catalogue, setup: &dyn Fn(u64) -> Setup) -> Result<Playout<'a>, String> {
    let mut longest = (0, 0);
    for seed in 0..40 {
        longest = longest.max((play(catalogue, &setup(seed))?, seed));
    }
    let (answers, seed) = longest;
    let mut game = Playout::new(catalogue, &setup(seed), &mut Silent)?;
    go_on(&mut game, answers / 2)?;
    Ok(game)
}

/// Runs a second, and how many there were.
fn rate(limit: Duration, mut run: impl FnMut(u64)) -> (f64, u64) {
    let started = Instant::now();
    let mut count = 0;
    while started.elapsed() < limit {
        run(count);
        count += 1;
    }
    (count as f64 / started.elapsed().as_secs_f64(), count)
}

fn nanos(limit: Duration, mut run: impl FnMut(u64)) -> f64 {
    let started = Instant::now();
    let mut count = 0u64;
    while started.elapsed() < limit {
        for _ in 0..8 {
            run(count);
            count += 1;
        }
    }
    started.elapsed().as_nanos() as f64 / count as f64
}
