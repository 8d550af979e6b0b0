//! What must hold in every game, checked at every ask of many random ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Built, GAMES, legal};
use proptest::prelude::*;
use trilogy_engine::catalogue::{FieldSort, PlayerCounterId};
use trilogy_engine::inside::{self, Memo, State, start, step, step_on};
use trilogy_engine::journal::Writer;
use trilogy_engine::{
    Answer, AskKind, CardId, Catalogue, Event, Game, Journal, PlayerId, Random, Silent, Status, View, Viewer, deck, seed_from_number,
};

/// Answers that must be refused.
fn illegal(ask: &AskKind) -> Vec<Answer> {
    match ask {
        AskKind::Number { least, most } => vec![Answer::Number(least - 1), Answer::Number(most + 1), Answer::Pick(vec![0])],
        AskKind::Order { options } => vec![Answer::Number(0), Answer::Pick(vec![0; options.len()]), Answer::Pick(Vec::new())],
        AskKind::Pick { options, least, most } => {
            let count = options.len() as u16;
            let mut wrong =
                vec![Answer::Number(0), Answer::Pick(vec![count]), Answer::Pick(vec![u16::MAX]), Answer::Pick((0..=*most).collect())];
            if *least > 0 {
                wrong.push(Answer::Pick(Vec::new()));
            }
            if *most > 1 {
                wrong.push(Answer::Pick(vec![0, 0]));
            }
            wrong
        }
    }
}

/// Every card is in exactly the one place it says it is in, and no counter is out of its range.
fn sound(catalogue: &Catalogue, state: &State, cards: usize) {
    assert_eq!(state.cards.len(), cards);
    assert_eq!(state.zones.iter().map(<[_]>::len).sum::<usize>(), cards);
    for (at, zone) in state.zones.iter().enumerate() {
        for &card in zone {
            assert_eq!(state.card(card).zone.index(), at);
            assert_eq!(state.card(card).parent.is_some(), at == 0, "only attached cards have a parent");
        }
    }
    let mut seen: Vec<_> = state.zones.iter().collect::<Vec<_>>().concat();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), cards);
    for (card, (field, number)) in (0..cards as u16).map(CardId).flat_map(|card| state.numbers_of(card).map(move |has| (card, has))) {
        let def = &catalogue.fields[field.index()];
        if let FieldSort::Counter { floor, cap, .. } = def.sort {
            assert!((floor..=cap).contains(&number), "{} of {card:?} is {number}", def.name);
        }
    }
    for (counter, def) in PlayerCounterId::all(catalogue.player_counters.len()).zip(&catalogue.player_counters) {
        for player in [PlayerId(0), PlayerId(1)] {
            let number = state.tally(player, counter);
            assert!((def.floor..=def.cap).contains(&number), "{} is {number}", def.name);
        }
    }
}

/// What a viewer sees, and every line they read, stays the same when all that is hidden from them changes.
fn no_leak(catalogue: &Catalogue, state: &State, seed: u8) {
    for viewer in Viewer::ALL {
        let view = inside::view(catalogue, state, viewer);
        let imagined = view.imagine([seed; 32]);
        let other = imagined.view(viewer);
        assert_eq!(view.snapshot(), other.snapshot(), "{viewer:?} sees what is hidden");
        let labels = |view: &View<'_>| view.refusals().into_iter().map(|(_, label, _)| label).collect::<Vec<_>>();
        if view.asked().map(Viewer::Player) == Some(viewer) {
            assert_eq!(labels(&view), labels(&other));
        }
    }
}

/// Log lines name a card only to those who knew it.
fn no_leak_in_log(catalogue: &Catalogue, events: &[Event]) {
    for event in events {
        if let Event::Moved { def, seen, .. } | Event::Turned { def, seen, .. } = event {
            for viewer in Viewer::ALL.into_iter().filter(|viewer| seen & viewer.bit() == 0) {
                let line = trilogy_engine::log_line(catalogue, event, viewer).unwrap_or_default();
                assert!(!line.contains(&catalogue.def(*def).title));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_game_keeps_its_promises(which in 0..GAMES.len(), seed in 0u64..1_000_000) {
        let setup = GAMES[which].setup(seed);
        let catalogue = &GAMES[which].catalogue;
        let cards = setup.decks[0].len() + setup.decks[1].len();
        let mut game = Game::new(catalogue.clone(), setup.clone(), &mut Silent).unwrap();
        let mut writer = Writer::new(catalogue, &setup, &game.hash());
        let mut luck = Random::from_seed(seed_from_number(seed ^ 0xFEED));
        let mut turn = 0u32;
        while let Some(ask) = inside::state(&game).ask.clone() {
            turn += 1;
            sound(catalogue, inside::state(&game), cards);
            // Stored and read back, or copied, it is the same.
            let bytes = inside::state(&game).to_bytes();
            let stored = State::from_bytes(catalogue, &bytes).unwrap();
            let before = inside::state(&game).clone();
            for same in [&stored, &before] {
                prop_assert!(same == inside::state(&game) && same.to_bytes() == bytes && same.hash() == game.hash());
            }
            // Wrong answers change nothing.
            for wrong in illegal(&ask.kind) {
                prop_assert!(game.answer(&wrong).is_err(), "{wrong:?} was taken for {:?}", ask.kind);
                prop_assert!(*inside::state(&game) == before);
            }
            if turn.is_multiple_of(5) {
                no_leak(catalogue, inside::state(&game), (turn % 251) as u8);
            }
            let answer = legal(&mut luck, &ask.kind);
            // A copy goes the same way.
            let mut fork = stored;
            step(catalogue, &mut fork, &answer, &mut Silent).unwrap();
            no_leak_in_log(catalogue, &game.answer(&answer).unwrap());
            prop_assert!(fork == *inside::state(&game) && fork.hash() == game.hash());
            // What they share is not changed by going on.
            prop_assert!(before.to_bytes() == bytes);
            writer.answer(&answer, &game.hash());
        }
        prop_assert!(matches!(game.status(), Status::Won(_)), "{:?}", game.status());
        prop_assert_eq!(game.view(Viewer::Referee).faults(), 0);
        writer.end(game.status(), &game.hash());
        // Replay equals live; going back and forth, too.
        let journal = Journal::parse(writer.text()).unwrap();
        let again = journal.replay(catalogue, journal.answers(), &mut Silent).unwrap();
        prop_assert!(inside::state(&again) == inside::state(&game));
        let half = game.answers().len() / 2;
        let there = inside::state_at(&game, half);
        let mut back = game.fork();
        back.back_to(half);
        prop_assert!(*inside::state(&back) == there);
        for answer in &game.answers()[half..] {
            back.answer(answer).unwrap();
        }
        prop_assert_eq!(back.hash(), game.hash());
    }

    /// A journal that was changed anywhere is refused, and never crashes the reader.
    #[test]
    fn a_changed_journal_is_noticed(which in 0..GAMES.len(), seed in 0u64..1000, at in 0.0f64..1.0, byte in 32u8..127) {
        let catalogue = &GAMES[which].catalogue;
        let text = journal_text(&GAMES[which], seed);
        let mut bytes = text.clone().into_bytes();
        let at = ((bytes.len() - 1) as f64 * at) as usize;
        prop_assume!(bytes[at] != byte && bytes[at] != b'\n');
        bytes[at] = byte;
        let changed = String::from_utf8(bytes).unwrap();
        // A blank inside JSON means the same: then the game is the same, too.
        let replayed = Journal::parse(&changed).and_then(|journal| journal.replay(catalogue, journal.answers(), &mut Silent));
        if let Ok(game) = replayed {
            let journal = Journal::parse(&text).unwrap();
            let real = journal.replay(catalogue, journal.answers(), &mut Silent).unwrap();
            prop_assert_eq!(game.hash(), real.hash());
        }
    }
}

fn journal_text(built: &Built, seed: u64) -> String {
    let (setup, catalogue) = (built.setup(seed), &built.catalogue);
    let mut game = Game::new(catalogue.clone(), setup.clone(), &mut Silent).unwrap();
    let mut writer = Writer::new(catalogue, &setup, &game.hash());
    let mut luck = Random::from_seed(seed_from_number(seed));
    for _ in 0..12 {
        let Some(ask) = inside::state(&game).ask.clone() else { break };
        let answer = legal(&mut luck, &ask.kind);
        game.answer(&answer).unwrap();
        writer.answer(&answer, &game.hash());
    }
    writer.end(game.status(), &game.hash());
    writer.into_text()
}

/// What is kept about a state is what would be found anew.
#[test]
fn a_memo_changes_nothing() {
    for built in GAMES.iter() {
        for seed in 0..2 {
            let mut state = start(&built.catalogue, &built.setup(seed), &mut Silent).unwrap();
            let (mut luck, memo) = (Random::from_seed(seed_from_number(seed)), Memo::checking());
            for _ in 0..150 {
                let Some(ask) = &state.ask else { break };
                let answer = legal(&mut luck, &ask.kind);
                step_on(&built.catalogue, &mut state, &answer, &mut Silent, &memo).unwrap();
            }
        }
    }
}

/// The same seed gives the same journal, which commits to it.
#[test]
fn a_known_seed_gives_a_known_game() {
    for built in GAMES.iter() {
        let text = journal_text(built, 7);
        assert_eq!(text, journal_text(built, 7));
        let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(first["commitment"], Random::commitment(&seed_from_number(7)));
    }
}

/// There is a starter deck for each player, and all of them are legal.
#[test]
fn starter_decks_are_legal() {
    for built in GAMES.iter() {
        for cards in built.decks.iter().flatten() {
            let read = deck::Deck { cards: cards.clone(), ..Default::default() };
            assert_eq!(deck::check(&built.catalogue, &read).unwrap(), [], "{}", deck::write(&read));
        }
        assert!(built.decks.iter().all(|decks| !decks.is_empty()), "{}", built.catalogue.title);
    }
}
