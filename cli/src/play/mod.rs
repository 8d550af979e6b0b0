//! `trilogy play`: a game in the terminal, against a bot or between two people at one keyboard.

mod app;
mod board;
mod cards;
mod ccg;
mod choice;
mod layout;
mod lcg;
mod pages;
mod panes;
mod scenes;
mod session;
mod tcg;
#[cfg(test)]
mod tests;

use crate::catalogues::{Catalogues, Found};
use crate::games::Shelf;
use app::{App, Flow};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event};
use session::{Seats, Session};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use trilogy_engine::deck::{self, Deck};
use trilogy_engine::{Catalogue, Journal, Setup, seed_from_number};
use trilogy_games::files::{read, write_whole};
use trilogy_games::host::Host;

/// What is played where nobody says so.
const DEFAULT: &str = "tcg";

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    #[arg(default_value = DEFAULT)]
    game: String,
    /// Your deck: the name of a starter deck, or a file; by default a starter deck of the second player
    #[arg(long)]
    deck: Option<String>,
    /// The deck you play against; by default a starter deck of the other side
    #[arg(long)]
    against: Option<String>,
    /// Who plays it
    #[arg(long, default_value = "greedy", value_parser = clap::builder::PossibleValuesParser::new(trilogy_bots::NAMES))]
    bot: String,
    /// Two people at one keyboard instead of a bot
    #[arg(long, conflicts_with = "bot")]
    hot_seat: bool,
    /// Shuffles and dice from this number; by default nobody can foresee them
    #[arg(long)]
    seed: Option<u64>,
    /// Keep the game in this file. An unfinished game that is there is gone on with
    #[arg(long)]
    journal: Option<PathBuf>,
    /// Write the catalogue into it, so that any other program can go on with the game and replay it
    #[arg(long, requires = "journal")]
    with_catalogue: bool,
}

#[cfg(test)]
impl Args {
    /// What `trilogy play` without more words plays.
    pub(crate) fn default_game() -> Args {
        Args {
            game: DEFAULT.into(),
            deck: None,
            against: None,
            bot: "greedy".into(),
            hot_seat: false,
            seed: None,
            journal: None,
            with_catalogue: false,
        }
    }
}

pub(crate) fn run(shelf: &Shelf, args: &Args) -> Result<(), String> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(format!(
            "`trilogy play` draws in a terminal, and this is none: start it in one, or let bots play with `trilogy sim {}`",
            args.game
        ));
    }
    let opening = Opening::new(shelf, args)?;
    let first = opening.resume_or_start()?;
    let mut terminal = ratatui::try_init().map_err(|error| format!("the terminal cannot be used: {error}"))?;
    let done = play(&mut terminal, shelf, opening, first);
    ratatui::restore();
    done
}

/// Games one after the other until the player quits.
fn play(terminal: &mut DefaultTerminal, shelf: &Shelf, mut opening: Opening, mut app: App) -> Result<(), String> {
    let mut rematches = 0;
    loop {
        match play_one(terminal, &mut app)? {
            Flow::Rematch => {
                rematches += 1;
                // Sources that were changed meanwhile are picked up; broken ones leave the game as it was.
                if let Ok(fresh) = Opening::new(shelf, &opening.args) {
                    opening = fresh;
                }
                app = opening.start(rematches)?;
            }
            Flow::Quit | Flow::Go => return Ok(()),
        }
    }
}

fn play_one(terminal: &mut DefaultTerminal, app: &mut App) -> Result<Flow, String> {
    loop {
        terminal.draw(|frame| board::draw(frame, app)).map_err(|error| format!("the terminal cannot be drawn on: {error}"))?;
        let event = event::read().map_err(|error| format!("the keyboard cannot be read: {error}"))?;
        let Event::Key(key) = event else { continue };
        let before = app.session.answers();
        let flow = app.key(key, Instant::now());
        if flow != Flow::Go || app.session.answers() != before {
            save(app)?;
        }
        if flow != Flow::Go {
            return Ok(flow);
        }
    }
}

/// What the games of one run of the program have in common.
struct Opening {
    catalogue: Arc<Catalogue>,
    /// The catalogue as journals carry it, where they do.
    carried: Option<String>,
    host: Host,
    rulebook: String,
    decks: [Vec<String>; 2],
    /// The seat of the first deck: the person's.
    seat: usize,
    args: Args,
}

impl Opening {
    fn new(shelf: &Shelf, args: &Args) -> Result<Opening, String> {
        let source = shelf.game(&args.game)?;
        let kept = kept(args)?.filter(|(_, journal)| !journal.is_complete());
        // A game goes on by the rules that it began with.
        let found = match &kept {
            Some((path, journal)) => {
                Catalogues::new(shelf, Vec::new()).find(journal, path).map_err(|error| format!("{}: {error}", path.display()))?
            }
            None => Found::from(Arc::new(source.catalogue()?)),
        };
        let carries = args.with_catalogue || kept.is_some_and(|(_, journal)| journal.carries.is_some());
        let (carried, catalogue) = (carries.then(|| found.text()), found.catalogue);
        let chosen = |name: &Option<String>, seat: usize| match name {
            Some(name) => Ok((name.clone(), shelf.deck(&args.game, &catalogue, name)?)),
            None => shelf.starter(&args.game, &catalogue, seat),
        };
        let mine = chosen(&args.deck, 1)?;
        let seat = deck::seat(&catalogue, &mine.1);
        let theirs = chosen(&args.against, 1 - seat)?;
        for (name, read) in [&mine, &theirs] {
            legal(&catalogue, name, read)?;
        }
        if deck::seat(&catalogue, &theirs.1) == seat {
            let side = catalogue.players[seat].replace('_', " ");
            return Err(format!("{} and {} are both decks of the {side}; one of each side is needed", mine.0, theirs.0));
        }
        let decks = if seat == 0 { [mine.1.cards, theirs.1.cards] } else { [theirs.1.cards, mine.1.cards] };
        Ok(Opening { host: source.host(&catalogue)?, rulebook: source.rulebook()?, catalogue, carried, decks, seat, args: args.clone() })
    }

    /// Go on with the game of the journal where it holds an unfinished one; otherwise a new game.
    fn resume_or_start(&self) -> Result<App, String> {
        let Some((path, journal)) = kept(&self.args)? else { return self.start(0) };
        if journal.is_complete() {
            return Err(format!("{} holds a game that is over; name another file for a new one", path.display()));
        }
        if journal.setup.decks != self.decks {
            return Err(format!("{} holds a game with other decks; name the same --deck and --against", path.display()));
        }
        let session = Session::resume(self.catalogue.clone(), &journal, self.bots()?, self.carried.clone());
        self.app(session.map_err(|error| format!("{}: {error}", path.display()))?, 0)
    }

    fn start(&self, rematches: u64) -> Result<App, String> {
        let seed = match self.args.seed {
            Some(number) => seed_from_number(number.wrapping_add(rematches)),
            None => unforeseen_seed(),
        };
        let setup = Setup { decks: self.decks.clone(), options: Default::default(), seed };
        self.app(Session::new(self.catalogue.clone(), setup, self.bots()?, self.carried.clone())?, rematches)
    }

    fn bots(&self) -> Result<Seats, String> {
        let mut seats: Seats = [None, None];
        if !self.args.hot_seat {
            // A bot's whims have nothing to do with the seed of the game, which it must not know.
            let whims = self.args.seed.unwrap_or_else(unforeseen);
            seats[1 - self.seat] = Some(trilogy_bots::by_name(&self.args.bot, whims)?);
        }
        Ok(seats)
    }

    fn app(&self, session: Session, rematches: u64) -> Result<App, String> {
        let journal = self.args.journal.as_deref().map(|path| numbered(path, rematches));
        App::new(session, &self.host, self.rulebook.clone(), journal)
    }
}

/// The game that the journal file holds already.
fn kept(args: &Args) -> Result<Option<(&Path, Journal)>, String> {
    let Some(path) = args.journal.as_deref().filter(|path| path.exists()) else { return Ok(None) };
    let journal = Journal::parse(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    if journal.game != args.game {
        return Err(format!("{} holds a game of {}; name that one, or another file", path.display(), journal.game));
    }
    Ok(Some((path, journal)))
}

fn save(app: &App) -> Result<(), String> {
    match &app.journal {
        Some(path) => write_whole(path, app.session.journal().as_bytes()),
        None => Ok(()),
    }
}

/// Each rematch has a journal of its own: `game.journal`, `game-2.journal`, ...
fn numbered(path: &Path, rematches: u64) -> PathBuf {
    if rematches == 0 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}-{}", rematches + 1);
    match path.extension() {
        Some(extension) => path.with_file_name(format!("{name}.{}", extension.to_string_lossy())),
        None => path.with_file_name(name),
    }
}

/// Refuse a deck that breaks rules of construction.
fn legal(catalogue: &Catalogue, name: &str, read: &Deck) -> Result<(), String> {
    let faults: Vec<String> = deck::check(catalogue, read)?.iter().map(|fault| fault.to_string()).collect();
    if faults.is_empty() { Ok(()) } else { Err(format!("{name} is not a legal deck: {}", faults.join("\n  "))) }
}

/// Randomness that the system gives to every process.
fn unforeseen() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn unforeseen_seed() -> [u8; 32] {
    let mut seed = [0; 32];
    for part in seed.chunks_exact_mut(8) {
        part.copy_from_slice(&unforeseen().to_le_bytes());
    }
    seed
}
