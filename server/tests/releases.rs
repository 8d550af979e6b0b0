//! A release breaks no game: matches of all three games are begun, their cards are exchanged, and each goes on to its end by the cards
//! that it began with; new ones are played with the new cards; the release before finds everything again, and the one after it, too.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::pair::{play, wait};
use common::{Browser, Place};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trilogy_engine::{Journal, Silent};
use trilogy_games::archive;
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::limits::Limits;
use trilogy_server::matches::Settings;
use trilogy_server::protocol::*;
use trilogy_server::{Config, Running, start};

on_both_storages!(every_game_ends_under_the_rules_it_began_with, a_changed_folder_counts_for_new_matches);

/// A card of a starter deck, with a number that is printed on it and another one.
struct Change {
    game: &'static str,
    decks: [&'static str; 2],
    file: &'static str,
    title: &'static str,
    /// What follows the title in the file, up to the number.
    line: &'static str,
    number: &'static str,
    before: i32,
    after: i32,
    /// About half of a game.
    half: u32,
}

const CHANGES: [Change; 3] = [
    Change {
        game: "tcg",
        decks: ["droid_host", "jedi_council"],
        file: "cards/aotc/space.saga",
        title: "Droid Starfighter Squadron",
        line: "cost 3, speed 40, power ",
        number: "power",
        before: 3,
        after: 30,
        half: 20,
    },
    Change {
        game: "ccg",
        decks: ["premiere_dark", "premiere_light"],
        file: "cards/premiere/characters_dark.saga",
        title: "Stormtrooper",
        line: "destiny 1, deploy 1, power ",
        number: "power",
        before: 1,
        after: 30,
        half: 60,
    },
    Change {
        game: "lcg",
        decks: ["core_sith", "core_jedi"],
        file: "cards/core/sith.saga",
        title: "Emperor's Royal Guard",
        line: "cost 2, force 2, capacity 3, unit_damage ",
        number: "unit_damage",
        before: 1,
        after: 30,
        half: 30,
    },
];

impl Change {
    /// Write the changed number into a folder of sources.
    fn make(&self, games: &Path) {
        let path = games.join(self.game).join(self.file);
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, rest) = text.split_once(&format!("card \"{}\"", self.title)).unwrap();
        let line = |number: i32| format!("{}{number}", self.line);
        assert!(rest.contains(&line(self.before)), "{path:?}");
        std::fs::write(&path, format!("{head}card \"{}\"{}", self.title, rest.replacen(&line(self.before), &line(self.after), 1))).unwrap();
    }

    async fn open(&self, rest: &Rest) -> String {
        let [deck, bot_deck] = self.decks.map(str::to_string);
        let new = NewTable {
            game: self.game.into(),
            deck,
            bot: Some("random".into()),
            bot_deck: Some(bot_deck),
            private: false,
            clock: Clock::None,
        };
        rest.post::<TableInfo>("/api/tables", &new).await.unwrap().id
    }

    /// The number on the card, as the server tells it of a catalogue.
    async fn told(&self, rest: &Rest, catalogue: Option<&str>) -> i32 {
        let of = catalogue.map_or(String::new(), |hash| format!("?catalogue={hash}"));
        let cards: Vec<CardInfo> = rest.get(&format!("/api/cards/{}{of}", self.game)).await.unwrap();
        cards.into_iter().find(|card| card.title == self.title).unwrap().numbers[self.number]
    }

    /// The highest number of any copy at a table that is seen whole.
    fn played(&self, table: &Table) -> i32 {
        let mine = |card: &&Card| card.key.as_ref().is_some_and(|key| key.starts_with(self.title));
        let copies: Vec<&Card> = table.cards.values().filter(mine).collect();
        assert!(!copies.is_empty(), "{}: no copy of {} is there", self.game, self.title);
        copies.iter().filter_map(|card| card.values.get(self.number)).copied().max().unwrap_or(0)
    }
}

/// A folder with the sources of all games.
fn sources(place: &Place, name: &str) -> PathBuf {
    let to = place.folder.join(name);
    for game in ["tcg", "ccg", "lcg"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games").join(game);
        for part in ["rules", "cards", "decks", "rulebook.md", "sets.txt", "host.json"] {
            copy(&from.join(part), &to.join(game).join(part));
        }
    }
    to
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            copy(&path, &to.join(path.file_name().unwrap()));
        }
    } else {
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from, to).unwrap();
    }
}

async fn with(place: &Place, games: &Path) -> Running {
    let config = Config { games: Some(games.into()), limits: Limits::none(), matches: Settings::unlimited(), ..place.config() };
    start(config).await.expect("the server starts")
}

/// Go on with a match for so many answers, or to its end.
async fn go_on(rest: &Rest, table: &str, dice: &mut Dice, most: u32) -> Table {
    let mut socket = Socket::at(rest, table).await.unwrap();
    play(&mut socket, table, dice, most).await
}

/// The journal with its catalogue inside holds for whoever has nothing else; which catalogue that is.
async fn verified(rest: &Rest, table: &str) -> String {
    let text = rest.text(&format!("/api/replays/{table}/journal?with_catalogue=true")).await.unwrap();
    let journal = Journal::parse(&text).unwrap();
    let carried = archive::unpack(&archive::from_text(journal.carries.as_ref().unwrap()).unwrap()).unwrap();
    journal.replay(&Arc::new(carried), journal.answers(), &mut Silent).unwrap();
    journal.catalogue
}

async fn every_game_ends_under_the_rules_it_began_with(place: Place) {
    let (before, after) = (sources(&place, "before"), sources(&place, "after"));
    CHANGES.iter().for_each(|change| change.make(&after));
    let mut dice = Dice(5);

    // One match of each game is played to its end, one half-way.
    let first = with(&place, &before).await;
    let mut rest = Rest::guest(first.addr, "Ana").await.unwrap();
    let mut begun: Vec<(String, String)> = Vec::new();
    let mut ended: BTreeMap<String, Replay> = BTreeMap::new();
    for change in &CHANGES {
        assert_eq!(change.told(&rest, None).await, change.before);
        let table = change.open(&rest).await;
        let last = go_on(&rest, &table, &mut dice, u32::MAX).await;
        assert!(matches!(last.state, MatchState::Over { .. }));
        ended.insert(table.clone(), rest.get(&format!("/api/replays/{table}")).await.unwrap());
        let table = change.open(&rest).await;
        begun.push((table.clone(), go_on(&rest, &table, &mut dice, change.half).await.catalogue));
    }
    first.stop().await;

    // The next release has other cards: these matches go on by the old ones, new ones begin with the new ones.
    let second = with(&place, &after).await;
    rest.addr = second.addr;
    let mut newer: Vec<(String, String)> = Vec::new();
    for (change, (table, catalogue)) in CHANGES.iter().zip(&begun) {
        assert_eq!(change.told(&rest, None).await, change.after);
        assert_eq!(change.told(&rest, Some(catalogue)).await, change.before);
        let now = go_on(&rest, table, &mut dice, 5).await;
        assert_eq!(now.catalogue, *catalogue);
        let table = change.open(&rest).await;
        let now = go_on(&rest, &table, &mut dice, change.half).await;
        assert_ne!(now.catalogue, *catalogue);
        newer.push((table, now.catalogue));
    }
    for (table, replay) in &ended {
        assert_eq!(rest.get::<Replay>(&format!("/api/replays/{table}")).await.unwrap(), *replay);
    }
    second.stop().await;

    // Back to the release before, which has never seen the new cards but in the storage, and forth again.
    for games in [&before, &after] {
        let third = with(&place, games).await;
        rest.addr = third.addr;
        for ((change, old), new) in CHANGES.iter().zip(&begun).zip(&newer) {
            for (table, catalogue) in [old, new] {
                let now = go_on(&rest, table, &mut dice, 5).await;
                assert_eq!(now.catalogue, *catalogue, "{}", change.game);
            }
        }
        third.stop().await;
    }
    let last = with(&place, &after).await;
    rest.addr = last.addr;
    for (change, ((old, old_catalogue), (new, new_catalogue))) in CHANGES.iter().zip(begun.iter().zip(&newer)) {
        for (table, catalogue, changed) in [(old, old_catalogue, false), (new, new_catalogue, true)] {
            let end = go_on(&rest, table, &mut dice, u32::MAX).await;
            assert!(matches!(end.state, MatchState::Over { .. }));
            let whole: Table = rest.get(&format!("/api/replays/{table}/at/100000")).await.unwrap();
            assert_eq!(change.played(&whole) >= change.after, changed, "{}: {}", change.game, change.played(&whole));
            assert_eq!(verified(&rest, table).await, *catalogue);
            // Playing on from the middle, too, is by the cards that it was played with.
            let fork: TableInfo =
                rest.post(&format!("/api/replays/{table}/fork"), &json!({"answers": 4, "seat": 0, "bot": "random"})).await.unwrap();
            assert_eq!(go_on(&rest, &fork.id, &mut dice, 3).await.catalogue, *catalogue);
        }
    }
    for (table, replay) in &ended {
        assert_eq!(rest.get::<Replay>(&format!("/api/replays/{table}")).await.unwrap(), *replay);
        verified(&rest, table).await;
    }
    last.stop().await;
}

/// A folder that changes while the server runs: a broken one is told and changes nothing, one that is well counts from then on.
async fn a_changed_folder_counts_for_new_matches(place: Place) {
    let change = &CHANGES[0];
    let games = sources(&place, "games");
    for other in ["ccg", "lcg"] {
        std::fs::remove_dir_all(games.join(other)).unwrap();
    }
    let config = Config { admin_token: Some("let me in".into()), games: Some(games.clone()), limits: Limits::none(), ..place.config() };
    let running = start(config).await.unwrap();
    let mut admin = Browser::new(running.addr);
    admin.post("/api/register", &json!({"name": "Boss Nass", "password": "correct horse"})).await.fine();
    admin.post("/api/admin/claim", &json!({"token": "let me in"})).await.fine();
    let mut troubles = async || serde_json::from_str::<Troubles>(&admin.get("/api/admin/troubles").await.fine().body).unwrap().rules;
    assert_eq!(troubles().await, []);

    let rest = Rest::guest(running.addr, "Ana").await.unwrap();
    let old = change.open(&rest).await;
    let catalogue = go_on(&rest, &old, &mut Dice(1), 4).await.catalogue;
    let path = games.join(change.game).join(change.file);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("power", "powr", 1)).unwrap();
    let told = loop {
        let told = troubles().await;
        if !told.is_empty() {
            break told;
        }
        tokio::task::yield_now().await;
    };
    assert!(told[0].game == "tcg" && told[0].report.contains("powr") && told[0].report.contains("space.saga"), "{told:?}");
    let meanwhile = change.open(&rest).await;
    assert_eq!(go_on(&rest, &meanwhile, &mut Dice(2), 2).await.catalogue, catalogue, "what is broken changes nothing");

    std::fs::write(&path, &text).unwrap();
    change.make(&games);
    let newest = loop {
        let listed: Vec<GameInfo> = rest.get("/api/games").await.unwrap();
        if listed[0].catalogue != catalogue {
            break listed[0].catalogue.clone();
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(troubles().await, []);
    assert_eq!((change.told(&rest, None).await, change.told(&rest, Some(&catalogue)).await), (change.after, change.before));
    let new = change.open(&rest).await;
    assert_eq!(go_on(&rest, &new, &mut Dice(3), 2).await.catalogue, newest);
    // A table that was opened before and one that was begun go on by what they were opened with.
    let mut socket = Socket::at(&rest, &old).await.unwrap();
    let now = wait(&mut socket, &old, |_| true).await;
    assert_eq!(now.catalogue, catalogue);
    let end = go_on(&rest, &old, &mut Dice(4), u32::MAX).await;
    assert!(matches!(end.state, MatchState::Over { .. }) && end.catalogue == catalogue);
    assert_eq!(verified(&rest, &old).await, catalogue);
    running.stop().await;
}
