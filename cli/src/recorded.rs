//! Games written down before a change of the house, and played again after it: the same answers must be offered in the same
//! games, and the same players win. What is written down does not depend on the order of options or on names in the rules.

use crate::games::Shelf;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use trilogy_engine::{Answer, AskView, Catalogue, OptionView, Playout, Random, Setup, Silent, Status, Viewer, seed_from_number};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A game, or all of them
    game: Option<String>,
    /// How many games to write down
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Write the games down anew instead of comparing
    #[arg(long)]
    write: bool,
    /// All questions of one game with their answers, to see where two programs part
    #[arg(long)]
    tell: Option<u64>,
    /// Where the games are written down, one file for each game
    #[arg(long, default_value = "games/recorded")]
    folder: PathBuf,
}

/// One game: who won, after how many answers, and all that was offered on the way as one hash.
#[derive(PartialEq)]
struct Recorded {
    end: String,
    answers: u32,
    offered: String,
}

impl Recorded {
    fn line(&self, number: u64) -> String {
        format!("{number} {} {} {}", self.end, self.answers, self.offered)
    }
    fn read(line: &str) -> Option<(u64, Recorded)> {
        let [number, end, answers, offered] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        Some((number.parse().ok()?, Recorded { end: end.into(), answers: answers.parse().ok()?, offered: offered.into() }))
    }
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    let mut parted = 0;
    for game in shelf.chosen(args.game.as_deref())? {
        let players = Players::new(shelf, &game)?;
        if let Some(number) = args.tell {
            players.play(number, &mut |line| say!("{line}"))?;
        } else if args.write {
            write(&players, args, &game)?;
        } else {
            parted += compare(&players, args, &game)?;
        }
    }
    if parted > 0 { Err("see where with `recorded GAME --tell N` of both programs".into()) } else { Ok(()) }
}

fn write(players: &Players, args: &Args, game: &str) -> Result<(), String> {
    let played = players.play_all(&(0..args.games).collect::<Vec<_>>())?;
    let mut text = String::new();
    for (number, game) in (0..).zip(played) {
        let _ = writeln!(text, "{}", game.line(number));
    }
    let path = args.folder.join(format!("{game}.txt"));
    std::fs::create_dir_all(&args.folder)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    say!("{game}: {} games written to {}", args.games, path.display());
    Ok(())
}

/// How many games go another way than they did.
fn compare(players: &Players, args: &Args, game: &str) -> Result<usize, String> {
    let path = args.folder.join(format!("{game}.txt"));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let before: Option<Vec<_>> = text.lines().map(Recorded::read).collect();
    let before = before.filter(|games| !games.is_empty()).ok_or(format!("{} is no list of recorded games", path.display()))?;
    let played = players.play_all(&before.iter().map(|(number, _)| *number).collect::<Vec<_>>())?;
    let pairs = || before.iter().zip(&played);
    let winners = pairs().filter(|((_, before), now)| before.end == now.end).count();
    let parted: Vec<u64> = pairs().filter(|((_, before), now)| before != *now).map(|((number, _), _)| *number).collect();
    let same = before.len() - parted.len();
    say!("{game}: {} games: the same answers offered in {same}, the same winner in {winners}", before.len());
    if !parted.is_empty() {
        say!("  other answers in {:?}{}", &parted[..parted.len().min(12)], if parted.len() > 12 { " and more" } else { "" });
    }
    Ok(parted.len())
}

struct Players {
    catalogue: std::sync::Arc<Catalogue>,
    decks: [Vec<Vec<String>>; 2],
}

impl Players {
    fn new(shelf: &Shelf, game: &str) -> Result<Players, String> {
        let catalogue = shelf.catalogue(game)?;
        let decks = shelf.starters(game, &catalogue)?.map(|decks| decks.into_iter().map(|(_, deck)| deck.cards).collect::<Vec<_>>());
        if decks.iter().any(Vec::is_empty) {
            return Err(format!("{game} has no starter deck for one of its players"));
        }
        Ok(Players { catalogue, decks })
    }

    fn play_all(&self, numbers: &[u64]) -> Result<Vec<Recorded>, String> {
        let bar = ProgressBar::new(numbers.len() as u64);
        let played = numbers.par_iter().map(|&number| {
            let mut hasher = blake3::Hasher::new();
            let (end, answers) = self.play(number, &mut |line| {
                hasher.update(line.as_bytes());
                hasher.update(b"\n");
            })?;
            bar.inc(1);
            Ok(Recorded { end, answers, offered: hasher.finalize().to_hex()[..16].to_string() })
        });
        let played = played.collect();
        bar.finish_and_clear();
        played
    }

    /// One game: any answer is as likely as another, and each question is told with what it offers.
    fn play(&self, number: u64, tell: &mut dyn FnMut(&str)) -> Result<(String, u32), String> {
        let [first, second] = &self.decks;
        let at = number as usize;
        let decks = [first[at % first.len()].clone(), second[at / first.len() % second.len()].clone()];
        let setup = Setup { decks, options: Default::default(), seed: seed_from_number(number) };
        let mut chance = Random::from_seed(seed_from_number(!number));
        let mut game = Playout::new(&self.catalogue, &setup, &mut Silent)?;
        while let Some(player) = game.asked() {
            let view = game.view(Viewer::Player(player));
            let asked = view.ask().ok_or("a question that nobody sees")?;
            let order = sorted(asked.options());
            let answer = any_answer(&asked, &order, &mut chance);
            let says = |answer: &Answer| said(&asked, answer);
            let usual = view.usual().map_or("-".into(), |answer| says(&answer));
            tell(&format!("{} {} | usual {usual} | {}", player.0, offers(&asked, &order), says(&answer)));
            drop(view);
            game.answer(&answer, &mut Silent).map_err(|error| format!("game {number}: {error}"))?;
        }
        let end = match game.status() {
            Status::Won(player) => format!("won-{}", player.0),
            Status::Drawn => "drawn".into(),
            Status::Asking | Status::Broken(_) => "broken".into(),
        };
        Ok((end, game.view(Viewer::Referee).answers()))
    }
}

/// An option without its place in the list, and without the words that tell it from others of its label.
fn key(option: &OptionView) -> String {
    let id = |card: Option<trilogy_engine::CardId>| card.map_or("-".into(), |card| card.0.to_string());
    format!("{} {}>{}", option.label, id(option.card), id(option.target))
}

/// The places of the options, in the order of their words.
fn sorted(options: &[OptionView]) -> Vec<u16> {
    let mut order: Vec<(String, u16)> = options.iter().map(key).zip(0..).collect();
    order.sort();
    order.into_iter().map(|(_, at)| at).collect()
}

fn offers(asked: &AskView, order: &[u16]) -> String {
    let listed = || order.iter().map(|&at| key(&asked.options()[at as usize])).collect::<Vec<_>>().join("; ");
    match asked {
        AskView::Pick { least, most, .. } => format!("{least} to {most} of [{}]", listed()),
        AskView::Number { least, most, .. } => format!("{least} to {most}"),
        AskView::Order { .. } => format!("order of [{}]", listed()),
        AskView::Wait { .. } => "wait".into(),
    }
}

fn said(asked: &AskView, answer: &Answer) -> String {
    match answer {
        Answer::Number(number) => number.to_string(),
        Answer::Pick(picks) => {
            let mut picked: Vec<String> = picks.iter().map(|&at| key(&asked.options()[at as usize])).collect();
            if !matches!(asked, AskView::Order { .. }) {
                picked.sort();
            }
            format!("[{}]", picked.join("; "))
        }
    }
}

fn any_answer(asked: &AskView, order: &[u16], chance: &mut Random) -> Answer {
    let mut below = |bound: usize| {
        let mut drawn = [0];
        chance.draw(bound as u32, &mut drawn);
        drawn[0] as usize
    };
    match asked {
        AskView::Number { least, most, .. } => Answer::Number(least + below((most - least) as usize + 1) as i32),
        AskView::Pick { least, most, .. } => {
            let (least, most) = (*least as usize, *most as usize);
            // Mostly something is done: a pass is one answer among the options.
            let count = if most == 1 { usize::from(least == 1 || below(order.len() + 1) > 0) } else { least + below(most - least + 1) };
            let mut left = order.to_vec();
            let picked = (0..count).map(|_| left.remove(below(left.len()))).collect();
            Answer::Pick(picked)
        }
        AskView::Order { .. } | AskView::Wait { .. } => {
            let mut all = order.to_vec();
            chance.shuffle(&mut all);
            Answer::Pick(all)
        }
    }
}
