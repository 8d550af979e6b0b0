//! What the fuzz targets share: the toy game of `saga/tests/toy`, compiled once; how good bytes are damaged; how a game is played on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use trilogy_engine::inside::{self, State};
use trilogy_engine::journal::{Writer, carrying};
use trilogy_engine::{Answer, AskKind, Catalogue, Game, Laid, Setup, Silent, Viewer};
use trilogy_games::archive;
use trilogy_saga::Workshop;
use trilogy_saga::source::read_game;

pub fn toy_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../saga/tests/toy")
}

pub static WORKSHOP: LazyLock<Workshop> = LazyLock::new(|| {
    let (files, rules) = read_game(&toy_folder()).unwrap_or_else(|error| panic!("{error}"));
    Workshop::new(files, rules).unwrap_or_else(|_| panic!("the toy game does not compile"))
});

pub static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(|| Arc::new(WORKSHOP.catalogue().clone()));

/// A game of the toy, answer by answer: what is seen of each.
fn a_game(mut see: impl FnMut(&Game, Option<&Answer>)) {
    let deck: Vec<String> = CATALOGUE.cards.iter().map(|card| card.key.clone()).collect();
    let setup = Setup { decks: [deck.clone(), deck], options: Default::default(), seed: [1; 32] };
    let mut game = Game::new(CATALOGUE.clone(), setup, &mut Silent).unwrap_or_else(|error| panic!("{error}"));
    see(&game, None);
    for turn in 0..64usize {
        let Some(ask) = &inside::state(&game).ask else { break };
        let answer = any_answer(turn * 7 + 1, &ask.kind);
        if game.answer(&answer).is_err() {
            break;
        }
        see(&game, Some(&answer));
    }
}

/// States from the middle of a game, as bytes. The state target takes its input as changes to them.
pub static MIDDLE: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut states = Vec::new();
    a_game(|game, _| states.extend(inside::state(game).ask.as_ref().map(|_| inside::state(game).to_bytes())));
    states
});

/// Its journal: as it is, and with its catalogue.
pub static JOURNALS: LazyLock<[String; 2]> = LazyLock::new(|| {
    let mut writer = None;
    a_game(|game, answer| {
        let writer = writer.get_or_insert_with(|| Writer::new(&CATALOGUE, game.setup(), &game.hash()));
        answer.into_iter().for_each(|answer| writer.answer(answer, &game.hash()));
    });
    let text = writer.map(Writer::into_text).unwrap_or_default();
    let carrying = carrying(&text, archive::to_text(&archive::pack(&CATALOGUE)));
    [text, carrying]
});

/// Some legal answer, by a number.
pub fn any_answer(which: usize, ask: &AskKind) -> Answer {
    match ask {
        AskKind::Number { least, most } => Answer::Number((which as i64 % (*most as i64 - *least as i64 + 1) + *least as i64) as i32),
        AskKind::Order { options } => Answer::Pick((0..options.len() as u16).rev().collect()),
        AskKind::Pick { options, least, most } => {
            let count = (*least).max(1).min(*most) as usize;
            Answer::Pick((0..count).map(|at| ((which + at) % options.len()) as u16).collect())
        }
    }
}

/// Catalogues as bytes, each with decks to play: the toy, and a game as an early release compiled it.
pub static GOOD: LazyLock<[(Vec<u8>, Vec<String>); 2]> = LazyLock::new(|| {
    let keys = |catalogue: &Catalogue| catalogue.cards.iter().map(|card| card.key.clone()).take(60).collect();
    let releases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/all/tests/releases/1");
    let files = std::fs::read_dir(&releases).unwrap_or_else(|error| panic!("{error}")).filter_map(|entry| Some(entry.ok()?.path()));
    let packed = files.filter(|path| path.extension().is_some_and(|ending| ending == archive::EXTENSION));
    let smallest = packed.filter_map(|path| std::fs::read(path).ok()).min_by_key(Vec::len).unwrap_or_default();
    let small = archive::unpack(&smallest).unwrap_or_else(|error| panic!("{error}"));
    [(CATALOGUE.to_bytes(), keys(&CATALOGUE)), (small.to_bytes(), keys(&small))]
});

/// Bytes with up to eight changes, each by five bytes that say where and what.
pub fn changed(bytes: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes.chunks_exact(5).take(8) {
        let at = (u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize) % bytes.len().max(1);
        match change[3] % 4 {
            0 => bytes[at] = change[4],
            // Small numbers are most of what is stored: near ones get furthest.
            1 => bytes[at] = bytes[at].wrapping_add(change[4] % 5).wrapping_sub(2),
            2 => bytes.insert(at, change[4]),
            _ if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => {}
        }
    }
    bytes
}

/// Begin games by a catalogue, among all cards and among those of the decks, and play them for a while.
pub fn play_on(catalogue: Catalogue, deck: &[String], luck: usize) {
    let catalogue = Arc::new(catalogue);
    let deck = if deck.is_empty() { catalogue.cards.iter().map(|card| card.key.clone()).take(60).collect() } else { deck.to_vec() };
    let setup = Setup { decks: [deck.clone(), deck], options: Default::default(), seed: [1; 32] };
    for side in &setup.decks {
        let _ = trilogy_engine::deck::check(&catalogue, &trilogy_engine::deck::Deck { cards: side.clone(), ..Default::default() });
    }
    let mut events = Vec::new();
    if let Ok(mut state) = inside::start(&catalogue, &setup, &mut events) {
        for event in &events {
            let _ = trilogy_engine::log_line(&catalogue, event, Viewer::Spectator);
        }
        for turn in 0..16 {
            let Some(ask) = &state.ask else { break };
            let answer = any_answer(luck + turn, &ask.kind);
            if inside::step(&catalogue, &mut state, &answer, &mut events).is_err() {
                break;
            }
        }
        look_and_play(&catalogue, state, luck);
    }
    if let Ok(laid) = Laid::new(&catalogue, &setup) {
        let mut game = laid.play([2; 32], &mut Silent);
        for turn in 0..16 {
            let Some(answer) = game.view(Viewer::Referee).ask_kind().map(|kind| any_answer(luck + turn, kind)) else { break };
            if game.answer(&answer, &mut Silent).is_err() {
                break;
            }
        }
    }
}

/// Look at a state from all sides and play on from it.
pub fn look_and_play(catalogue: &Catalogue, mut state: State, luck: usize) {
    use trilogy_engine::inside::step;
    for turn in 0..8 {
        for viewer in Viewer::ALL {
            let view = inside::view(catalogue, &state, viewer);
            let _ = view.snapshot();
            let _ = view.refusals();
            let _ = view.imagine([3; 32]).view(viewer).snapshot();
        }
        let Some(ask) = &state.ask else { return };
        let answer = any_answer(luck + turn, &ask.kind);
        let mut events = Vec::new();
        if step(catalogue, &mut state, &answer, &mut events).is_err() {
            return;
        }
        for event in &events {
            let _ = trilogy_engine::log_line(catalogue, event, Viewer::Spectator);
        }
    }
}
