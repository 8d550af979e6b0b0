//! Whole games by scripted keys, and pictures of them, without a terminal.

use super::app::{App, Flow, Page};
use super::board::{self, Scene};
use super::cards::Marks;
use super::layout;
use super::session::{Seats, Session};
use super::{Args, Opening, numbered, save};
use crate::games::Shelf;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::{Frame, Terminal};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use trilogy_engine::{AskView, Catalogue, Journal, PlayerId, Setup, Silent, Status, Viewer, seed_from_number};
use trilogy_games::archive;
use trilogy_saga::scenario::{self, Moment};

const SIZES: [(u16, u16); 4] = [(80, 24), (120, 40), (200, 60), (61, 20)];

/// Games with a deck for each side.
const GAMES: [(&str, [&str; 2]); 4] = [
    ("tcg", ["droid_host", "jedi_council"]),
    ("ccg", ["premiere_dark", "premiere_light"]),
    ("ccg", ["premiere_dark_space", "premiere_light_ground"]),
    ("lcg", ["core_sith", "core_jedi"]),
];

fn catalogue(game: &str) -> Arc<Catalogue> {
    Shelf::default().catalogue(game).unwrap()
}

fn app(table: usize, seed: u64, bot: Option<&str>) -> App {
    let (game, decks) = GAMES[table];
    let (shelf, catalogue) = (Shelf::default(), catalogue(game));
    let source = shelf.game(game).unwrap();
    let decks = decks.map(|name| shelf.deck(game, &catalogue, name).unwrap().cards);
    let setup = Setup { decks, options: Default::default(), seed: seed_from_number(seed) };
    let bots: Seats = [bot.map(|bot| trilogy_bots::by_name(bot, seed).unwrap()), None];
    let session = Session::new(catalogue.clone(), setup, bots, None).unwrap();
    App::new(session, &source.host(&catalogue).unwrap(), source.rulebook().unwrap(), None).unwrap()
}

/// The same test at every table.
fn tables() -> std::ops::Range<usize> {
    0..GAMES.len()
}

fn press(app: &mut App, key: KeyCode) -> Flow {
    press_after(app, key, Duration::from_secs(1))
}

/// A key after a pause. Time is what the tests say it is.
fn press_after(app: &mut App, key: KeyCode, pause: Duration) -> Flow {
    thread_local!(static NOW: Cell<Instant> = Cell::new(Instant::now()));
    let now = NOW.get() + pause;
    NOW.set(now);
    app.key(KeyEvent::new(key, KeyModifiers::NONE), now)
}

/// Keys that somebody might press, none of which quits.
struct Fingers(u64);

impl Fingers {
    fn next(&mut self) -> KeyCode {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let keys = ['\n', '\n', '\n', '1', '2', '3', 'j', 'j', 'k', ' ', ' ', 'p'];
        match keys[(self.0 >> 33) as usize % keys.len()] {
            '\n' => KeyCode::Enter,
            key => KeyCode::Char(key),
        }
    }
}

/// The next key of somebody who confirms whatever is asked once more.
fn finger(app: &mut App, fingers: &mut Fingers) -> Flow {
    let asked_again = matches!(app.pages.last(), Some(Page::Confirm(..)));
    press(app, if asked_again { KeyCode::Char('y') } else { fingers.next() })
}

fn play_to_the_end(app: &mut App, mut each: impl FnMut(&App)) {
    let mut fingers = Fingers(app.session.answers() as u64 + 7);
    for _ in 0..200_000 {
        if app.is_over() {
            return;
        }
        finger(app, &mut fingers);
        assert!(!app.message.as_ref().is_some_and(|said| said.contains("refused")), "{:?}", app.message);
        each(app);
    }
    panic!("the game does not end");
}

fn picture(app: &App, size: (u16, u16)) -> String {
    drawn(size, |frame| board::draw(frame, app))
}

fn drawn((width, height): (u16, u16), draw: impl FnOnce(&mut Frame<'_>)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(draw).unwrap();
    let buffer = terminal.backend().buffer();
    let line = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(|y| line(y).trim_end().to_string() + "\n").collect()
}

fn names(app: &App, of: PlayerId, known: bool) -> Vec<String> {
    let view = app.view();
    let open = app.session.open_view();
    let cards = view.cards().filter(|card| view.glance(*card).owner == of && view.knows(*card) == known);
    cards.map(|card| open.printed(card).unwrap().key.clone()).collect()
}

/// Titles that the viewer cannot have read anywhere. Later in a game a card may have been seen and be
/// hidden again; then the log tells of it, which in the first turn it must not.
fn secrets(app: &App) -> Vec<String> {
    let them = app.viewer.opponent();
    let open = names(app, them, true);
    let lines = app.session.log(app.viewer);
    let log: String = lines.iter().map(|line| line.text.clone() + "\n").collect();
    let early = app.session.moment().turn < 2;
    let mut secret = names(app, them, false);
    secret.retain(|name| !open.contains(name) && (early || !log.contains(name.as_str())));
    secret
}

#[test]
fn keys_play_a_whole_game_and_its_journal_replays() {
    for (table, seed) in tables().flat_map(|table| [(table, 1), (table, 2)]) {
        let mut app = app(table, seed, Some("random"));
        play_to_the_end(&mut app, |_| {});
        assert!(matches!(app.session.status(), Status::Won(_)), "{:?}", app.session.status());
        assert_eq!(app.pages, [Page::End]);
        let journal = Journal::parse(app.session.journal()).unwrap();
        assert!(journal.is_complete());
        journal.replay(&catalogue(GAMES[table].0), journal.answers(), &mut Silent).unwrap();
        assert!(picture(&app, (80, 24)).contains("commitment"));
        assert_eq!(press(&mut app, KeyCode::Char('r')), Flow::Rematch);
    }
}

#[test]
fn a_stored_game_goes_on() {
    for table in tables() {
        let mut first = app(table, 5, Some("random"));
        for _ in 0..6 {
            press(&mut first, KeyCode::Enter);
        }
        let journal = Journal::parse(first.session.journal()).unwrap();
        assert!(!journal.is_complete());
        let bots: Seats = [Some(trilogy_bots::by_name("random", 9).unwrap()), None];
        let (game, catalogue) = (GAMES[table].0, catalogue(GAMES[table].0));
        let session = Session::resume(catalogue.clone(), &journal, bots, None).unwrap();
        assert_eq!(session.log(PlayerId(1)), first.session.log(PlayerId(1)));
        let mut second = App::new(session, &Shelf::default().game(game).unwrap().host(&catalogue).unwrap(), String::new(), None).unwrap();
        assert_eq!(second.ask, first.ask);
        play_to_the_end(&mut second, |_| {});
    }
}

#[test]
fn undo_goes_back_to_the_choice_before() {
    for table in tables() {
        let mut app = app(table, 4, Some("random"));
        let mut seen = Vec::new();
        for _ in 0..25 {
            seen.push((app.session.answers(), app.ask.clone(), app.session.log(app.viewer).len()));
            press(&mut app, KeyCode::Enter);
            if app.session.answers() == seen[seen.len() - 1].0 {
                // Several are asked for: mark one.
                seen.pop();
                press(&mut app, KeyCode::Char(' '));
            }
        }
        while let Some(before) = seen.pop() {
            press(&mut app, KeyCode::Char('u'));
            assert_eq!((app.session.answers(), app.ask.clone(), app.session.log(app.viewer).len()), before);
        }
        assert_eq!(app.session.journal().lines().count(), app.session.answers() + 1);
    }
}

#[test]
fn a_key_for_the_question_before_answers_nothing() {
    for table in tables() {
        let mut app = app(table, 4, Some("random"));
        press(&mut app, KeyCode::Enter);
        for key in [KeyCode::Enter, KeyCode::Char('p'), KeyCode::Char('P'), KeyCode::Char('1')] {
            let before = app.session.answers();
            press_after(&mut app, key, Duration::from_millis(20));
            assert_eq!(app.session.answers(), before, "{key:?}");
        }
        let before = app.session.answers();
        press(&mut app, KeyCode::Esc);
        assert_eq!(app.session.answers(), before, "Esc answers nothing");
        let mut fingers = Fingers(3);
        (0..100).for_each(|_| {
            finger(&mut app, &mut fingers);
        });
        assert!(app.session.answers() > before);
    }
}

/// What gives something away is asked for once more: only `y` does it, and nothing else answers.
#[test]
fn what_is_given_away_is_asked_for_once_more() {
    let mut app = app(0, 4, Some("random"));
    let mut fingers = Fingers(11);
    let warned = |app: &App| match app.ask.as_ref() {
        Some(AskView::Pick { pass: Some(pass), .. }) => pass.warning.clone(),
        _ => None,
    };
    while warned(&app).is_none() {
        assert!(!app.is_over(), "there is no such question");
        finger(&mut app, &mut fingers);
    }
    let (before, warning) = (app.session.answers(), warned(&app).unwrap());
    for way_out in [KeyCode::Esc, KeyCode::Char('n')] {
        press(&mut app, KeyCode::Char('p'));
        assert!(matches!(app.pages.last(), Some(Page::Confirm(said, _)) if *said == warning));
        let first = warning.split_whitespace().next().unwrap();
        assert!(picture(&app, (120, 40)).contains(first));
        for key in [KeyCode::Enter, KeyCode::Char('p'), KeyCode::Char('1'), KeyCode::Char(' ')] {
            press(&mut app, key);
            assert!(matches!(app.pages.last(), Some(Page::Confirm(..))), "{key:?}");
        }
        press(&mut app, way_out);
        assert!(app.pages.is_empty());
        assert_eq!(app.session.answers(), before);
    }
    // Nor does passing on go over it.
    press(&mut app, KeyCode::Char('P'));
    assert!(app.session.answers() == before);
    app.pages.clear();
    press(&mut app, KeyCode::Char('p'));
    press(&mut app, KeyCode::Char('y'));
    assert!(app.session.answers() > before);
}

/// Passing on never skips something new: between two passes that it makes there is not a line in the log, nor another choice.
#[test]
fn passing_on_stops_where_something_has_happened() {
    for table in tables() {
        let mut app = app(table, 8, Some("greedy"));
        let mut fingers = Fingers(5);
        for _ in 0..400 {
            if app.is_over() {
                break;
            }
            let (ask, window, told) = (app.ask.clone(), app.view().window(), app.session.log(app.viewer).len());
            let before = app.session.answers();
            press(&mut app, KeyCode::Char('P'));
            let passed = app.session.answers() - before;
            if passed > 0 {
                assert!(window.is_some(), "only chances to act are passed on");
            }
            if passed > 1 && app.session.log(app.viewer).len() == told && app.view().window() == window {
                assert_ne!(app.ask, ask, "it would have gone on");
            }
            finger(&mut app, &mut fingers);
        }
    }
}

/// Many moves of few cards: a line for each card, and its places after Enter. Esc leads back and answers nothing.
#[test]
fn where_a_card_goes_is_a_second_step_where_there_is_much_to_choose_from() {
    let grouped = |app: &App| app.choice.rows.iter().any(|row| row.group.is_some());
    let far_in = |seed: u64| {
        let (mut app, mut fingers) = (app(1, seed, Some("random")), Fingers(seed));
        while !app.is_over() && !grouped(&app) {
            finger(&mut app, &mut fingers);
        }
        Some(app).filter(grouped)
    };
    let mut app = (1..40).find_map(far_in).expect("a game with such a question");
    let at = app.choice.rows.iter().position(|row| row.group.is_some()).unwrap();
    let (before, all) = (app.session.answers(), app.choice.rows.clone());
    let (beginning, places) = all[at].group.clone().unwrap();
    app.choice.cursor = at;
    let told = |app: &App| picture(app, (300, 60));
    assert!(told(&app).contains(&format!("{beginning} … ({})", places.len())), "{}", told(&app));
    for key in [KeyCode::Esc, KeyCode::Enter] {
        press(&mut app, KeyCode::Enter);
        assert_eq!((app.session.answers(), &app.choice.rows), (before, &places));
        assert!(told(&app).contains("Esc back to all") && told(&app).contains(&format!("{beginning} …")), "{}", told(&app));
        // The same key once more, too soon, was meant for the card.
        press_after(&mut app, KeyCode::Enter, Duration::from_millis(20));
        assert_eq!(app.session.answers(), before);
        press(&mut app, key);
    }
    assert!(app.session.answers() > before || matches!(app.pages.last(), Some(Page::Confirm(..))));
}

#[test]
fn the_hand_is_shown_at_every_size() {
    let app = app(0, 1, Some("random"));
    let hand = app.view().zone(app.layout.told().hand(PlayerId(1))).cards;
    assert_eq!(hand.len(), 7);
    for size in &SIZES[..3] {
        let picture = picture(&app, *size);
        for card in &hand {
            let name = &app.session.catalogue().def(card.def.unwrap()).key;
            assert!(picture.contains(name.as_str()), "{name} at {size:?}:\n{picture}");
        }
    }
}

#[test]
fn no_picture_tells_what_the_viewer_may_not_know() {
    for table in tables() {
        let mut app = app(table, 2, Some("random"));
        let mut steps = 0;
        play_to_the_end(&mut app, |app| {
            steps += 1;
            if steps % 10 == 0 {
                let secrets = secrets(app);
                for size in SIZES {
                    let picture = picture(app, size);
                    for name in &secrets {
                        assert!(!picture.contains(name.as_str()), "{name} at {size:?}:\n{picture}");
                    }
                }
            }
        });
        assert!(steps > 10);
    }
}

#[test]
fn pages_open_over_the_table_and_close() {
    for table in tables() {
        let mut app = app(table, 3, Some("greedy"));
        if table > 0 {
            // Past the start, with cards in hand.
            press(&mut app, KeyCode::Enter);
        }
        for key in ['h', '?', 'i', 'q'] {
            press(&mut app, KeyCode::Char(key));
            for size in SIZES {
                picture(&app, size);
            }
            press(&mut app, KeyCode::Esc);
        }
        assert!(app.pages.is_empty());
        for _ in 0..5 {
            press(&mut app, KeyCode::Tab);
            for key in [KeyCode::Down, KeyCode::Right, KeyCode::Char('i'), KeyCode::Down, KeyCode::Esc] {
                press(&mut app, key);
                picture(&app, (120, 40));
            }
            assert!(app.pages.is_empty());
        }
        press(&mut app, KeyCode::Char('q'));
        assert_eq!(press(&mut app, KeyCode::Char('y')), Flow::Quit);
    }
}

#[test]
fn between_two_people_a_curtain_hides_the_table() {
    for table in tables() {
        let mut app = app(table, 6, None);
        let mut curtains = 0;
        let mut fingers = Fingers(3);
        for _ in 0..3000 {
            if app.is_over() {
                break;
            }
            if let Some(Page::Curtain(next)) = app.pages.last().cloned() {
                curtains += 1;
                let picture = picture(&app, (120, 40));
                assert!(picture.contains("Pass the keyboard"));
                for card in &app.session.catalogue().cards {
                    assert!(!picture.contains(&card.key), "{}", card.key);
                }
                press(&mut app, KeyCode::Enter);
                assert_eq!(app.viewer, next);
            }
            assert!(app.pages.is_empty() || matches!(app.pages[..], [Page::Confirm(..)]) || app.is_over());
            finger(&mut app, &mut fingers);
            assert!(app.ask.is_some() || app.is_over());
        }
        assert!(curtains > 3);
        assert_eq!(app.view().viewer(), Viewer::Player(app.viewer));
    }
}

fn args(deck: &str, against: Option<&str>, journal: Option<PathBuf>) -> Args {
    let against = against.map(String::from);
    Args { deck: Some(deck.into()), against, journal, seed: Some(1), bot: "random".into(), ..Args::default_game() }
}

#[test]
fn decks_of_one_side_or_none_are_refused() {
    let open = |deck: &str, against| Opening::new(&Shelf::default(), &args(deck, against, None)).map(|opening| opening.seat);
    assert_eq!(open("jedi_council", None), Ok(1));
    assert_eq!(open("droid_host", None), Ok(0));
    assert_eq!(Opening::new(&Shelf::default(), &Args::default_game()).map(|opening| opening.seat), Ok(1));
    assert!(open("jedi_council", Some("clone_assault")).unwrap_err().contains("both decks of the Light Side"));
    assert!(open("no_such_deck", None).unwrap_err().contains("starter decks"));
}

#[test]
fn the_journal_file_is_gone_on_with_until_the_game_is_over() {
    let path = std::env::temp_dir().join(format!("trilogy-play-{}.journal", std::process::id()));
    let opening = Opening::new(&Shelf::default(), &args("jedi_council", None, Some(path.clone()))).unwrap();
    let mut first = opening.resume_or_start().unwrap();
    for _ in 0..6 {
        press(&mut first, KeyCode::Enter);
    }
    save(&first).unwrap();
    let mut again = opening.resume_or_start().unwrap();
    assert_eq!(again.ask, first.ask);
    play_to_the_end(&mut again, |_| {});
    save(&again).unwrap();
    let refused = opening.resume_or_start().err();
    std::fs::remove_file(&path).unwrap();
    assert!(refused.unwrap().contains("is over"));
    assert_eq!(numbered(Path::new("a/game.journal"), 1), Path::new("a/game-2.journal"));
}

#[test]
fn a_game_goes_on_by_the_rules_that_it_began_with() {
    let path = std::env::temp_dir().join(format!("trilogy-play-older-{}.journal", std::process::id()));
    let args = args("jedi_council", None, Some(path.clone()));
    let present = Opening::new(&Shelf::default(), &args).unwrap();
    // The rules of another release, as far as this one knows.
    let mut older = Catalogue::clone(&present.catalogue);
    older.title = "Older".into();
    older.seal();
    let text = archive::to_text(&archive::pack(&older));
    let begin = |carried: Option<String>| {
        let older = Opening { catalogue: Arc::new(older.clone()), carried, ..Opening::new(&Shelf::default(), &present.args).unwrap() };
        std::fs::write(&path, older.start(0).unwrap().session.journal()).unwrap();
        let again = Opening::new(&Shelf::default(), &args);
        std::fs::remove_file(&path).unwrap();
        again
    };
    assert!(begin(None).err().unwrap().contains("which is not found"));
    let again = begin(Some(text.clone())).unwrap();
    assert_eq!(again.catalogue.title, "Older");
    // The journal goes on carrying its catalogue, even after something was taken back.
    let mut app = again.start(0).unwrap();
    for key in [KeyCode::Enter, KeyCode::Enter, KeyCode::Enter, KeyCode::Char('u')] {
        press(&mut app, key);
    }
    let journal = Journal::parse(app.session.journal()).unwrap();
    assert!(journal.answers() > 0);
    assert_eq!(journal.carries, Some(text));
}

/// A whole game of the ccg against a bot that fights, and what its pictures tell.
#[test]
fn the_ccg_shows_locations_totals_and_battles() {
    let mut app = app(2, 8, Some("greedy"));
    let mut bot = trilogy_bots::by_name("greedy", 8).unwrap();
    let (mut battles, mut drains, mut damage) = (0, 0, 0);
    while !app.is_over() {
        let answer = bot.answer(&app.view());
        app.answer(&answer);
        assert_eq!(app.message, None);
        if app.is_over() {
            break;
        }
        let locations = app
            .view()
            .zone(
                app.session
                    .catalogue()
                    .zones
                    .iter()
                    .position(|zone| zone.name == "locations")
                    .map(|at| trilogy_engine::ZoneId::new(at).unwrap())
                    .unwrap(),
            )
            .cards;
        let (small, large) = (picture(&app, (80, 24)), picture(&app, (200, 60)));
        for location in &locations {
            let title = &app.session.catalogue().def(location.def.unwrap()).title;
            let site: String = title.split(": ").last().unwrap_or(title).chars().take(20).collect();
            assert!(large.contains(&site), "{site}:\n{large}");
            assert!(locations.len() > 7 || small.contains(&site[..site.len().min(10)]), "{site}:\n{small}");
        }
        let battle = !app.view().var("battle_at").is_none();
        assert_eq!(battle, small.contains(" Battle at ") && large.contains(" Battle at "), "{small}");
        battles += usize::from(battle);
        drains += usize::from(large.contains(" Force drain at "));
        damage += usize::from(battle && large.contains(", damage "));
        assert!(small.contains("Reserve ") && small.contains("Lost ") && small.contains("Gen "));
    }
    assert!(battles > 3 && drains > 0 && damage > 0, "{battles} {drains} {damage}");
}

/// What is read of a scenario of `rules/shown.scenario`, by the Dark Side (0) or the Light Side.
const SCENES: [(&str, u8, &[&str]); 14] = [
    (
        "sabacc while cards are drawn",
        1,
        &[
            "Sabacc, nearest to 11",
            "Dark Side: Den Thief, [2 face-down cards]",
            "Light Side (you): Han Solo, worth 2, [Luke Skywalker 1, Obi-Wan Kenobi 1]",
            "Nearest to 11 without going over wins",
        ],
    ),
    ("sabacc when all is laid open", 0, &["Light Side: Han Solo, worth 2, total 2", "Dark Side (you): Den Thief, worth 8, total 8"]),
    (
        "a duel while destinies are drawn",
        1,
        &[
            "Dark Side: Darth Vader, strength 6, destiny 4, total 10, combat cards [face-down card]",
            "Light Side (you): Luke Skywalker, strength 4, destiny 0, total 4",
            "The higher total wins",
        ],
    ),
    ("a duel that is won", 1, &["total 10, wins the duel", "destiny 4, total 8"]),
    (
        "a lightsaber combat before the first draw",
        1,
        &[
            "Dark Side: Darth Vader, combat cards [face-down card]",
            "Light Side (you): Obi-Wan Kenobi, combat cards [Y-wing 3]",
            "The lower total loses 2 Force",
        ],
    ),
    ("a lightsaber combat that is settled", 0, &["Light Side: Obi-Wan Kenobi, total 4", "Dark Side (you): Darth Vader, total 2"]),
    (
        "a Podrace with its track",
        0,
        &[
            "Podrace, finish: more than 24",
            "Light Side: Anakin's Podracer, race total 6, race destinies [",
            "Dark Side (you): race total 10, race destinies [Six 6, TIE Scout 4]",
            "damaged",
        ],
    ),
    ("the Senate with its tally", 0, &["Light Side: politics 2", "Dark Side (you): politics 3, has the majority", "influence 2"]),
    ("a Jedi Test with mentor and apprentice", 1, &["mentor", "apprentice", "completed", "test 4"]),
    ("a Jedi Test that is tried", 1, &["Jedi Test: Size Matters Not, ability of the apprentice 4, needs more than 15"]),
    ("a captured starship and a crashed vehicle", 1, &["captured", "crashed"]),
    ("an Epic Event that is attempted", 1, &["Attempt to blow away: Commence Primary Ignition, total so far 3, needs more than 8"]),
    (
        "an Attack Run under cover",
        1,
        &[
            "Attack Run: Death Star: Trench, wingmen provide cover, needs more than 15",
            "Dark Side: TIE Fighter",
            "Light Side (you): Red Flight, strength of the run 4, wingmen [Red Wing 2]",
        ],
    ),
    ("an Attack Run that pulls up", 0, &["Attack Run: Death Star: Trench, all pull up, total 8, needs more than 15"]),
];

/// Games within the game stand between board and players, as each of these may know them.
#[test]
fn the_ccg_tells_of_games_within_the_game() {
    let game = trilogy_games::find("ccg").unwrap();
    let (workshop, boards) = (game.workshop().ok().unwrap(), game.boards().unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/ccg/scenarios/rules/shown.scenario");
    let scenarios = scenario::parse(&std::fs::read_to_string(path).unwrap(), &boards).unwrap();
    let app = app(1, 1, None);
    for (name, player, wanted) in SCENES {
        let scenario = scenarios.iter().find(|scenario| scenario.name == format!("Shown: {name}")).unwrap();
        let moment = Moment::after(&workshop, scenario).unwrap();
        let layout = layout::of(moment.catalogue(), &Shelf::default().game("ccg").unwrap().host(moment.catalogue()).unwrap()).unwrap();
        let (me, view) = (PlayerId(player), moment.view(Viewer::Player(PlayerId(player))));
        let scene = Scene { app: &app, layout: &*layout, view, me, marks: Marks::default(), moment: app.session.moment() };
        let large = drawn((120, 26), |frame| layout.board(&scene, frame, frame.area(), true));
        for says in wanted {
            assert!(large.contains(says), "{name}: no {says:?} in\n{large}");
        }
        // A small terminal leaves out how it is won, and shows the locations.
        let small = drawn((80, 10), |frame| layout.board(&scene, frame, frame.area(), false));
        assert!(small.contains("Locations"), "{name}:\n{small}");
        assert!(
            wanted.len() == 1 || small.contains(&wanted[1][..wanted[1].len().min(20)]) || !wanted[1].contains("Side"),
            "{name}:\n{small}"
        );
    }
}

/// A location's page tells what its totals are made of.
#[test]
fn the_page_of_a_location_gives_account() {
    let mut app = app(1, 8, Some("greedy"));
    let mut bot = trilogy_bots::by_name("greedy", 8).unwrap();
    for _ in 0..60 {
        let answer = bot.answer(&app.view());
        app.answer(&answer);
    }
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Enter);
    let page = picture(&app, (120, 60));
    for says in ["total power for Light Side", "Force drain for Dark Side", "Light Side Force icons"] {
        assert!(page.contains(says), "{page}");
    }
}

/// The cards in a zone of a player.
fn zone(app: &App, name: &str, player: PlayerId) -> Vec<trilogy_engine::CardView> {
    let zones = &app.session.catalogue().zones;
    let at = zones.iter().position(|zone| zone.name == name && zone.player == Some(player)).unwrap();
    app.view().zone(trilogy_engine::ZoneId::new(at).unwrap()).cards
}

/// Whole games of the lcg against a bot that fights, and what their pictures tell.
#[test]
fn the_lcg_shows_objectives_units_and_engagements() {
    let mut seen = [0; 3];
    for seed in 1..=2 {
        show_lcg(seed, &mut seen);
    }
    assert!(seen[0] > 20 && seen[1] > 0 && seen[2] > 0, "engagements, edge stacks and strikes: {seen:?}");
}

fn show_lcg(seed: u64, seen: &mut [usize; 3]) {
    let mut app = app(3, seed, Some("greedy"));
    let mut bot = trilogy_bots::by_name("greedy", seed).unwrap();
    while !app.is_over() {
        let answer = bot.answer(&app.view());
        app.answer(&answer);
        assert_eq!(app.message, None);
        if app.is_over() {
            break;
        }
        let (small, large) = (picture(&app, (80, 24)), picture(&app, (120, 40)));
        let title = |card: &trilogy_engine::CardView| app.session.catalogue().def(card.def.unwrap()).key.clone();
        let has = |card: &trilogy_engine::CardView, picture: &str, most: usize| {
            let name: String = title(card).chars().take(most).collect();
            assert!(picture.contains(&name), "{name}:\n{picture}");
        };
        for player in [PlayerId(0), PlayerId(1)] {
            for card in zone(&app, "row", player).iter().filter(|card| card.def.is_some()) {
                has(card, &large, 24);
                has(card, &small, 7);
            }
            for card in zone(&app, "area", player).iter().filter(|card| card.def.is_some()) {
                has(card, &large, 10);
            }
        }
        for card in zone(&app, "hand", PlayerId(1)).iter().take(5) {
            has(card, &large, 10);
            has(card, &small, 20);
        }
        let dial = format!("Death Star {}/12", app.view().var("dial").num());
        assert!(small.contains(&dial) && large.contains(&dial), "{small}");
        assert!(small.contains("Balance: ") && large.contains("Balance: "), "{small}");
        let engaged = !app.view().var("engaged").is_none();
        assert_eq!(engaged, small.contains(" Side engages ") && large.contains(" Attackers: "), "{small}{large}");
        seen[0] += usize::from(engaged);
        let (own, theirs) = (zone(&app, "stack", PlayerId(1)), zone(&app, "stack", PlayerId(0)));
        if engaged && app.view().var("edge_holder").is_none() {
            let counted = |many: usize| if many == 1 { "in 1 card".to_string() } else { format!("in {many} cards") };
            for stack in [&own, &theirs] {
                assert!(stack.is_empty() || large.contains(&counted(stack.len())), "{large}");
            }
            assert!(theirs.iter().all(|card| card.def.is_some()) || large.contains("Dark Side ?") || large.contains("+?"), "{large}");
            for card in &own {
                has(card, &large, 12);
            }
            seen[1] += usize::from(!own.is_empty() && !theirs.is_empty());
        }
        seen[2] += usize::from(large.contains(" strikes"));
    }
    assert!(picture(&app, (80, 24)).contains("You "));
}

/// A unit's page tells its icons, and the help what the signs mean.
#[test]
fn the_lcg_explains_its_signs() {
    let mut app = app(3, 8, Some("greedy"));
    let mut bot = trilogy_bots::by_name("greedy", 8).unwrap();
    while zone(&app, "area", PlayerId(1)).len() < 2 {
        let answer = bot.answer(&app.view());
        app.answer(&answer);
    }
    let is_unit = |card: &trilogy_engine::CardView| super::cards::word_of(&app.view(), card, "type") == "Unit";
    let unit = zone(&app, "area", PlayerId(1)).into_iter().find(is_unit).unwrap();
    app.pages.push(Page::Card(unit.id));
    let page = picture(&app, (120, 60));
    for says in ["Force icons", "damage capacity", "cost"] {
        assert!(page.contains(says), "{page}");
    }
    app.pages = vec![Page::Help];
    assert!(picture(&app, (120, 60)).contains("attacking, defending"));
}
