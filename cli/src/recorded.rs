//! Games written down before a change of the house, and played again after it: the same answers must be offered in the same
//! games, and the same players win. What is written down does not depend on the order of options or on English: a question is told
//! by its name, an option by what it is, so that a better text is no other game.

use crate::games::Shelf;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use trilogy_engine::catalogue::{Catalogue, ClauseKind};
use trilogy_engine::{Answer, AskKind, CardId, Move, Playout, Random, Setup, Silent, Status, Value, View, Viewer, seed_from_number};

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
            let asked = Asked::new(&view).ok_or("a question that nobody sees")?;
            let answer = asked.any_answer(&mut chance);
            let usual = view.usual().map_or("-".into(), |answer| asked.said(&answer));
            tell(&format!("{} {} | usual {usual} | {}", player.0, asked.offers(), asked.said(&answer)));
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

/// A question with its options in an order of their own.
struct Asked<'a> {
    name: String,
    kind: &'a AskKind,
    /// The options in words for programs.
    told: Vec<String>,
    /// The places of the options, in the order of those words.
    order: Vec<u16>,
}

impl<'a> Asked<'a> {
    fn new(view: &View<'a>) -> Option<Asked<'a>> {
        let (kind, question) = (view.ask_kind()?, view.question()?);
        let asking = view.asking_card().map_or("-".into(), |card| told_card(view, card));
        let window = view.window().map_or("", |window| &view.catalogue().windows[window.index()].name);
        let name = format!("{:?} {} {window} of {asking}", question.by, question.id);
        let told = match kind {
            AskKind::Pick { options, .. } | AskKind::Order { options } => told_options(view, options),
            AskKind::Number { .. } => Vec::new(),
        };
        let mut order: Vec<u16> = (0..told.len() as u16).collect();
        order.sort_by_key(|&at| &told[at as usize]);
        Some(Asked { name, kind, told, order })
    }

    fn offers(&self) -> String {
        let listed = || self.order.iter().map(|&at| self.told[at as usize].as_str()).collect::<Vec<_>>().join("; ");
        let name = &self.name;
        match self.kind {
            AskKind::Pick { least, most, .. } => format!("{name}: {least} to {most} of [{}]", listed()),
            AskKind::Number { least, most } => format!("{name}: {least} to {most}"),
            AskKind::Order { .. } => format!("{name}: order of [{}]", listed()),
        }
    }

    fn said(&self, answer: &Answer) -> String {
        match answer {
            Answer::Number(number) => number.to_string(),
            Answer::Pick(picks) => {
                let mut picked: Vec<&str> = picks.iter().map(|&at| self.told[at as usize].as_str()).collect();
                if !matches!(self.kind, AskKind::Order { .. }) {
                    picked.sort_unstable();
                }
                format!("[{}]", picked.join("; "))
            }
        }
    }

    fn any_answer(&self, chance: &mut Random) -> Answer {
        let mut below = |bound: usize| {
            let mut drawn = [0];
            chance.draw(bound as u32, &mut drawn);
            drawn[0] as usize
        };
        match self.kind {
            AskKind::Number { least, most } => Answer::Number(least + below((most - least) as usize + 1) as i32),
            AskKind::Pick { least, most, .. } => {
                let (least, most) = (*least as usize, *most as usize);
                // Mostly something is done: a pass is one answer among the options.
                let any = |below: &mut dyn FnMut(usize) -> usize| usize::from(least == 1 || below(self.order.len() + 1) > 0);
                let count = if most == 1 { any(&mut below) } else { least + below(most - least + 1) };
                let mut left = self.order.clone();
                let picked = (0..count).map(|_| left.remove(below(left.len()))).collect();
                Answer::Pick(picked)
            }
            AskKind::Order { .. } => {
                let mut all = self.order.clone();
                chance.shuffle(&mut all);
                Answer::Pick(all)
            }
        }
    }
}

fn told_options(view: &View, options: &[Value]) -> Vec<String> {
    // Texts to choose from are numbered as they stand in the program; which of them are offered is told by how many there are.
    let mut texts: Vec<&Value> = options.iter().filter(|option| matches!(option, Value::Text(_))).collect();
    texts.sort_unstable();
    let told = |option: &Value| match texts.binary_search(&option) {
        Ok(at) => format!("text {at}"),
        Err(_) => told_value(view, option),
    };
    options.iter().map(told).collect()
}

fn told_value(view: &View, value: &Value) -> String {
    match value {
        Value::None | Value::Text(_) => "-".into(),
        Value::Num(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Card(card) => told_card(view, *card),
        Value::Player(player) => format!("player {}", player.0),
        Value::Zone(zone) => view.catalogue().zones[zone.index()].name.clone(),
        Value::Word(word) => view.catalogue().word(*word).to_string(),
        Value::Move(chosen) => told_move(view, chosen),
        Value::Trigger(serial) => told_trigger(view, *serial),
        Value::List(items) => format!("({})", items.iter().map(|item| told_value(view, item)).collect::<Vec<_>>().join(", ")),
    }
}

/// What a card is, where it lies, and which of the cards of the game it is.
fn told_card(view: &View, card: CardId) -> String {
    let lies = view.glance(card);
    let key = view.printed(card).map_or("?", |def| &def.key);
    let place = match lies.parent {
        Some(parent) => format!("on {}", parent.0),
        None => view.catalogue().zones[lies.zone.index()].name.clone(),
    };
    format!("{key} {place} {}", card.0)
}

/// An ability by its kind and its place among those of its card, and the cards it is used with.
fn told_move(view: &View, chosen: &Move) -> String {
    let ability = view.catalogue().ability(chosen.ability);
    let among = ability.def.and_then(|def| view.catalogue().def(def).abilities.iter().position(|own| *own == chosen.ability));
    let cards: Vec<String> =
        [chosen.source, chosen.card, chosen.target].into_iter().map(|card| card.map_or("-".into(), |card| told_card(view, card))).collect();
    format!("{} {} {}", ability.name, among.map_or("-".into(), |at| at.to_string()), cards.join(" > "))
}

/// A triggered ability by its event, its place among the clauses of its card, and the card.
fn told_trigger(view: &View, serial: u32) -> String {
    let Some((clause, source)) = view.waiting(serial) else { return "-".into() };
    let ClauseKind::Trigger { event, .. } = view.catalogue().clause(clause).kind else { return "-".into() };
    let event = &view.catalogue().events[event.index()].name;
    match source {
        Some(card) => {
            let among = view.printed(card).and_then(|def| def.clauses.iter().position(|own| *own == clause));
            format!("{event} {} {}", among.map_or("-".into(), |at| at.to_string()), told_card(view, card))
        }
        None => event.clone(),
    }
}
