//! What tables are worth, and that it serves to win, in every game.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use trilogy_bots::{Bot, Greedy, RandomBot, worth};
use trilogy_engine::{Catalogue, PlayerId, Playout, Setup, Silent, Status, View, Viewer, deck, seed_from_number};

/// A game between the first starter decks of each seat.
fn first_table(game: &trilogy_games::Game) -> (Catalogue, Setup) {
    let catalogue = game.catalogue().unwrap();
    let mut decks: [Option<Vec<String>>; 2] = [None, None];
    for (_, list) in game.decks {
        let read = deck::parse(&catalogue, list).unwrap();
        decks[deck::seat(&catalogue, &read)].get_or_insert(read.cards);
    }
    let decks = decks.map(Option::unwrap);
    (catalogue, Setup { decks, options: Default::default(), seed: seed_from_number(3) })
}

fn play<'a>(catalogue: &'a Catalogue, setup: &Setup, bots: &mut [Box<dyn Bot>; 2], mut each: impl FnMut(&View<'_>)) -> Playout<'a> {
    let mut game = Playout::new(catalogue, setup, &mut Silent).unwrap();
    while let Some(player) = game.asked() {
        let answer = bots[player.index()].answer(&game.view(Viewer::Player(player)));
        game.answer(&answer, &mut Silent).unwrap();
        each(&game.view(Viewer::Referee));
    }
    game
}

/// In every game, with or without an estimate of its own: what is one's gain is the other's loss, and it is not always nothing.
#[test]
fn worth_is_what_it_costs_the_other() {
    for game in trilogy_games::games() {
        let (own, setup) = first_table(game);
        let mut unknown = own.clone();
        unknown.game = "unknown".into();
        for catalogue in [&own, &unknown] {
            let mut told = 0;
            let bots = &mut [1, 2].map(|seed| Box::new(RandomBot::new(seed)) as Box<dyn Bot>);
            let last = play(catalogue, &setup, bots, |view| {
                let [first, second] = [0, 1].map(|player| worth(view, PlayerId(player)));
                assert_eq!(first, -second);
                told += usize::from(first != 0);
            });
            assert!(told > 10, "{} tables of {} are worth something", told, catalogue.game);
            let Status::Won(winner) = *last.status() else { panic!("{:?}", last.status()) };
            assert_eq!(worth(&last.view(Viewer::Referee), winner), 1_000_000);
        }
    }
}

/// It looks one step ahead, and that is enough against one who does not.
#[test]
fn greedy_beats_random() {
    for game in trilogy_games::games() {
        let (catalogue, mut setup) = first_table(game);
        let mut won = 0;
        for number in 0..6 {
            setup.seed = seed_from_number(number);
            let seat = number as usize % 2;
            let mut bots: [Box<dyn Bot>; 2] = [Box::new(Greedy::new(number)), Box::new(RandomBot::new(number))];
            if seat == 1 {
                bots.reverse();
            }
            let last = play(&catalogue, &setup, &mut bots, |_| {});
            won += usize::from(*last.status() == Status::Won(PlayerId(seat as u8)));
        }
        assert!(won >= 4, "greedy won {won} of 6 games of {}", catalogue.game);
    }
}

/// Where it cannot tell two states apart, it answers alike: it knows no hidden card.
#[test]
fn greedy_sees_no_hidden_card() {
    for game in trilogy_games::games() {
        let (catalogue, setup) = first_table(game);
        let mut real = Playout::new(&catalogue, &setup, &mut Silent).unwrap();
        for number in 0..120 {
            let Some(player) = real.asked() else { break };
            let other = real.view(Viewer::Player(player)).imagine(seed_from_number(number).map(|byte| byte ^ 0x5a));
            let [answer, same] = [&real, &other].map(|game| Greedy::new(number).answer(&game.view(Viewer::Player(player))));
            assert_eq!(answer, same, "decision {number} of {}", catalogue.game);
            real.answer(&answer, &mut Silent).unwrap();
        }
    }
}
