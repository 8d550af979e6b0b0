//! What a server finds again after it has ended, gracefully or not; what it must not touch; and two servers on one database.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::pair::{Pair, both_at, play, rejection, server, wait};
use common::{Browser, Place};
use serde_json::json;
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::limits::Limits;
use trilogy_server::matches::Settings;
use trilogy_server::protocol::*;
use trilogy_server::{Config, Running, start};

on_both_storages!(
    after_a_restart_everybody_goes_on_from_the_same_ask,
    a_restart_remembers_pauses_offers_stops_and_numbers,
    clocks_run_until_the_server_was_last_heard_of,
    an_answer_that_was_not_acknowledged_is_taken_when_it_is_sent_again,
    a_match_of_other_rules_is_left_as_it_is,
    damage_to_one_match_costs_that_match,
    a_storage_that_takes_nothing_is_told,
);

async fn after_a_restart_everybody_goes_on_from_the_same_ask(place: Place) {
    let first = server(&place).await;
    let mut pair = Pair::after(&first, 9).await;
    let mut alone = Rest::guest(first.addr, "Cleo").await.unwrap();
    let bots = alone.against("random").await.unwrap().id;
    let open = alone.opens(Clock::PerPlayer { seconds: 600, increment: 2 }).await.unwrap().id;
    let mut socket = Socket::at(&alone, &bots).await.unwrap();
    let asked = play(&mut socket, &bots, &mut Dice(2), 6).await;
    let before = [pair.table(0), pair.table(1)];
    let logs: Vec<Vec<LogLine>> = pair.sockets.iter().map(|socket| socket.tables[&pair.table].log.clone()).collect();
    first.stop().await;
    let second = server(&place).await;
    alone.addr = second.addr;
    both_at(&mut pair, &second).await;
    for seat in [0, 1] {
        assert_eq!(pair.table(seat), before[seat]);
        assert_eq!(pair.sockets[seat].tables[&pair.table].log, logs[seat]);
    }
    while pair.answer(None).await {}
    let mut socket = Socket::at(&alone, &bots).await.unwrap();
    let now = socket.table(&bots).unwrap();
    assert!(now.ask.is_none_or(|now| asked.ask.is_none_or(|ask| now.number >= ask.number)));
    play(&mut socket, &bots, &mut Dice(4), u32::MAX).await;
    assert_eq!(pair.rest[1].joins(&open).await.unwrap().state, MatchState::Playing);
    second.stop().await;
}

async fn a_restart_remembers_pauses_offers_stops_and_numbers(place: Place) {
    let first = server(&place).await;
    let mut pair = Pair::new(&first, Clock::PerPlayer { seconds: 600, increment: 0 }).await;
    while !pair.both_may_keep_all().await {
        pair = pair.another().await;
    }
    // Numbers of asks have been used up by taking back; stops were set; a draw and a pause are offered.
    let table = pair.table.clone();
    let stops = Stops { full_control: true, auto_pass: false, except: vec!["general_window".into()] };
    pair.sockets[0].send(&ClientMessage::Stops { table: table.clone(), stops: stops.clone() }).await.unwrap();
    pair.until(0, |table| table.stops.full_control).await;
    pair.sockets[0].send(&ClientMessage::OfferDraw { table: table.clone() }).await.unwrap();
    pair.sockets[1].send(&ClientMessage::Pause { table: table.clone() }).await.unwrap();
    pair.both(|table| table.offers.len() == 2).await;
    let (seat, ask) = pair.asked();
    let before = [pair.table(0), pair.table(1)];
    first.stop().await;

    let second = server(&place).await;
    both_at(&mut pair, &second).await;
    for at in [0, 1] {
        let mut now = pair.table(at);
        now.seats.iter_mut().zip(&before[at].seats).for_each(|(seat, before)| seat.clock = before.clock);
        assert_eq!(now, before[at]);
    }
    assert_eq!(pair.table(0).stops, stops);
    // A late answer to an ask of before it was taken back meets no other ask.
    pair.sockets[seat].answer(&table, ask.number - 1, 900, AnswerData::Pick(vec![])).await.unwrap();
    assert!(rejection(&mut pair.sockets[seat]).await.contains("the game is at ask"));
    // The pause is agreed to now, and outlives another restart; an answer turns the draw down.
    pair.sockets[0].send(&ClientMessage::Pause { table: table.clone() }).await.unwrap();
    pair.both(|table| table.paused).await;
    second.stop().await;
    let third = server(&place).await;
    both_at(&mut pair, &third).await;
    assert!(pair.table(0).paused && pair.table(1).offers.contains_key("draw"));
    pair.sockets[seat].answer(&table, ask.number, 901, AnswerData::Pick(vec![])).await.unwrap();
    assert_eq!(rejection(&mut pair.sockets[seat]).await, "the match is paused");
    pair.sockets[1].send(&ClientMessage::Pause { table: table.clone() }).await.unwrap();
    pair.both(|table| !table.paused).await;
    pair.answer(Some(AnswerData::Pick(vec![]))).await;
    assert!(pair.table(0).offers.is_empty());
    third.stop().await;
    let fourth = server(&place).await;
    both_at(&mut pair, &fourth).await;
    assert!(pair.table(0).offers.is_empty(), "what was turned down does not come back");
    assert!(pair.asked().1.number > ask.number);
    while pair.answer(None).await {}
    for by in [1, 0] {
        pair.sockets[by].send(&ClientMessage::Rematch { table: table.clone() }).await.unwrap();
    }
    pair.both(|table| table.rematch.is_some()).await;
    let next = pair.table(0).rematch;
    fourth.stop().await;
    let fifth = server(&place).await;
    both_at(&mut pair, &fifth).await;
    assert_eq!(pair.table(0).rematch, next);
    fifth.stop().await;
}

/// The server that played the match is gone without a word: it was last heard of a while after the clocks were noted.
async fn clocks_run_until_the_server_was_last_heard_of(place: Place) {
    let first = server(&place).await;
    let mut pair = Pair::new(&first, Clock::PerPlayer { seconds: 600, increment: 0 }).await;
    pair.answer(None).await;
    let (seat, _) = pair.asked();
    first.stop().await;
    let left = |ms: [i64; 2]| format!("left0 = {}, left1 = {}", ms[0], ms[1]);
    place.change(format!("UPDATE matches SET owner = 'gone', noted = 1000000, {}", left([500_000, 400_000]))).await;
    place.change("UPDATE answers SET at = 999000".into()).await;
    place
        .change("INSERT INTO servers (id, url, plays, seen, until, draining) VALUES ('gone', 'http://gone/', '{}', 1007000, 0, 0)".into())
        .await;
    let second = server(&place).await;
    let nobody = Rest::nobody(second.addr);
    let clocks = |table: &Table| [0, 1].map(|seat: usize| table.seats[seat].clock.unwrap());
    let mut wanted = [500_000, 400_000];
    wanted[seat] -= 7000;
    let shown: Table = nobody.get(&format!("/api/tables/{}/view", pair.table)).await.unwrap();
    assert_eq!(clocks(&shown), wanted, "time ran while the server was there, not while it was gone, nor before a player has come back");
    second.stop().await;
    // Gone again before anybody has come back: nothing more is used up.
    place.change("UPDATE matches SET owner = 'gone'".into()).await;
    place.change("UPDATE servers SET seen = (SELECT noted + 60000 FROM matches), until = 0 WHERE id = 'gone'".into()).await;
    place
        .change(
            "INSERT INTO servers (id, url, plays, seen, until, draining) SELECT 'gone', 'http://gone/', '{}', noted + 60000, 0, 0 \
             FROM matches WHERE NOT EXISTS (SELECT 1 FROM servers WHERE id = 'gone')"
                .into(),
        )
        .await;
    let third = server(&place).await;
    let nobody = Rest::nobody(third.addr);
    let shown: Table = nobody.get(&format!("/api/tables/{}/view", pair.table)).await.unwrap();
    assert_eq!(clocks(&shown), wanted);
    // With a player they run again.
    both_at(&mut pair, &third).await;
    let number = pair.asked().1.number;
    pair.answer(None).await;
    assert!(pair.asked().1.number > number && clocks(&pair.table(0))[seat] <= wanted[seat]);
    third.stop().await;
}

async fn an_answer_that_was_not_acknowledged_is_taken_when_it_is_sent_again(place: Place) {
    let first = server(&place).await;
    let mut pair = Pair::new(&first, Clock::None).await;
    let (seat, ask) = pair.asked();
    let answer = Dice(1).answer(ask.question.as_ref().unwrap());
    pair.answer(Some(answer.clone())).await;
    let id = pair.ids;
    let next = pair.asked().1.number;
    first.stop().await;
    let second = server(&place).await;
    both_at(&mut pair, &second).await;
    // As one that never heard that it was taken.
    let table = pair.table.clone();
    pair.sockets[seat].answer(&table, ask.number, id, answer.clone()).await.unwrap();
    loop {
        match pair.sockets[seat].next().await.unwrap() {
            ServerMessage::Accepted { id: accepted, .. } => break assert_eq!(accepted, id),
            ServerMessage::Rejected { reason, .. } => panic!("{reason}"),
            _ => {}
        }
    }
    assert_eq!(pair.asked().1.number, next, "it was not taken twice");
    pair.sockets[seat].answer(&table, ask.number, id + 77, answer).await.unwrap();
    rejection(&mut pair.sockets[seat]).await;
    second.stop().await;
}

/// A release that does not have the cards cannot go on with it; the one that has them finds it again where it was.
async fn a_match_of_other_rules_is_left_as_it_is(place: Place) {
    let first = server(&place).await;
    let mut pair = Pair::after(&first, 9).await;
    let before = pair.table(0);
    first.stop().await;
    place.change("UPDATE matches SET catalogue = 'another ' || catalogue".into()).await;
    let second = server(&place).await;
    pair.rest[0].addr = second.addr;
    let why = Socket::at(&pair.rest[0], &pair.table).await.err();
    assert!(why.as_ref().is_some_and(|why| why.contains("that are not here")), "{why:?}");
    let refused = pair.rest[0].text(&format!("/api/tables/{}/view", pair.table)).await.unwrap_err();
    assert_eq!((refused.status, refused.reason.contains("that are not here")), (409, true), "{refused:?}");
    second.stop().await;
    place.change("UPDATE matches SET catalogue = replace(catalogue, 'another ', '')".into()).await;
    let third = server(&place).await;
    both_at(&mut pair, &third).await;
    assert_eq!(pair.table(0), before);
    while pair.answer(None).await {}
    third.stop().await;
}

async fn damage_to_one_match_costs_that_match(place: Place) {
    let first = server(&place).await;
    let rest = Rest::guest(first.addr, "Dora").await.unwrap();
    let mut tables = Vec::new();
    for _ in 0..6 {
        let table = rest.against("random").await.unwrap().id;
        let mut socket = Socket::at(&rest, &table).await.unwrap();
        play(&mut socket, &table, &mut Dice(tables.len() as u64), 4).await;
        tables.push(table);
    }
    first.stop().await;
    let damages = [
        "UPDATE matches SET setup = '{' WHERE id = 'ID'",
        "UPDATE matches SET state = '{\"is\":\"dancing\"}' WHERE id = 'ID'",
        "UPDATE answers SET line = 'x' WHERE match_id = 'ID' AND number = 2",
        "DELETE FROM answers WHERE match_id = 'ID' AND number = 1",
        "UPDATE matches SET aside = '[' WHERE id = 'ID'",
    ];
    for (damage, id) in damages.iter().zip(&tables) {
        place.change(damage.replace("ID", id)).await;
    }
    let config = Config { admin_token: Some("let me in".into()), ..place.config() };
    let second = start(config).await.expect("damage does not keep a server from starting");
    let rest = Rest { addr: second.addr, ..rest };
    for id in &tables[..5] {
        let why = Socket::at(&rest, id).await.err();
        assert!(why.is_some(), "{id} is damaged");
    }
    let mut socket = Socket::at(&rest, &tables[5]).await.unwrap();
    play(&mut socket, &tables[5], &mut Dice(9), u32::MAX).await;
    // Whoever looks after the server sees it.
    let mut admin = Browser::new(second.addr);
    admin.post("/api/register", &json!({"name": "Boss Nass", "password": "correct horse"})).await.fine();
    assert_eq!(admin.get("/api/admin/troubles").await.status, 403);
    admin.post("/api/admin/claim", &json!({"token": "let me in"})).await.fine();
    let told = admin.get("/api/admin/troubles").await.fine().json();
    let named: Vec<&str> = told["matches"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(tables[..5].iter().all(|id| named.contains(&id.as_str())) && named.len() == 5, "{told}");
    assert_eq!(told["servers"].as_array().unwrap().iter().filter(|server| server["this"] == true).count(), 1);
    // And what is damaged lies there as it did.
    second.stop().await;
    let store = trilogy_server::store::Store::open(place.database.as_deref().unwrap_or(&place.folder.to_string_lossy())).await.unwrap();
    assert_eq!(store.table(&tables[0]).await.unwrap().unwrap().setup, "{");
    assert!(store.table(&tables[1]).await.unwrap().unwrap().state.contains("dancing"));
    store.close().await;
}

async fn a_storage_that_takes_nothing_is_told(place: Place) {
    let running = server(&place).await;
    let nobody = Rest::nobody(running.addr);
    assert_eq!(nobody.text("/healthz").await.unwrap(), "well\n");
    while nobody.text("/readyz").await.is_err() {
        tokio::task::yield_now().await;
    }
    running.app.store.close().await;
    let mut refused = nobody.text("/healthz").await;
    // What was found out a moment ago is believed for as long.
    while refused.is_ok() {
        refused = nobody.text("/healthz").await;
    }
    assert_eq!(refused.unwrap_err().status, 503);
    running.stop().await;
}

// ---- two servers on one database ----

/// A server that tells the others to send players to an address of this name.
async fn one_of_two(place: &Place, drain: bool) -> Running {
    let config = Config { limits: Limits::none(), matches: Settings::unlimited(), drain, ..place.config() };
    start(config).await.expect("the server starts")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_match_has_one_owner_and_clients_are_sent_there() {
    let Some(place) = Place::postgres().await else { return };
    let first = one_of_two(&place, false).await;
    let second = one_of_two(&place, false).await;
    let mut pair = Pair::after(&first, 5).await;
    // The second server knows of the match, and who has it.
    let there = Rest { addr: second.addr, ..pair.rest[0].clone() };
    let listed: Vec<TableInfo> = there.get("/api/tables").await.unwrap();
    assert!(listed.iter().any(|table| table.id == pair.table && table.mine), "{listed:?}");
    let info: TableInfo = there.get(&format!("/api/tables/{}", pair.table)).await.unwrap();
    assert_eq!(info.state, MatchState::Playing);
    let refused = there.text(&format!("/api/tables/{}/view", pair.table)).await.unwrap_err();
    assert_eq!((refused.status, refused.moved.as_deref()), (421, Some(first.url().as_str())), "{refused:?}");
    let mut socket = Socket::open(&there).await.unwrap();
    socket.send(&ClientMessage::Watch { table: pair.table.clone(), since: 0 }).await.unwrap();
    let ServerMessage::Moved { table, url, ticket: Some(ticket) } = socket.next().await.unwrap() else { panic!("not sent on") };
    assert_eq!((&table, &url), (&pair.table, &first.url()));
    // The ticket lets in once, whoever has no session there.
    let mut browser = Browser::new(first.addr);
    let me = browser.post("/api/enter", &json!({"ticket": ticket})).await.fine().json();
    assert_eq!(me["name"], "Ana");
    assert!(Browser::new(first.addr).post("/api/enter", &json!({"ticket": ticket})).await.refused(401).contains("used up"));
    // Whoever is told where to go gets there.
    let mut rest = there.clone();
    Socket::find(&mut rest, &pair.table).await.unwrap();
    assert_eq!(rest.addr, first.addr);

    // A server that stops gives its matches up and sends its players on; the other goes on at once.
    let number = pair.asked().1.number;
    first.stop().await;
    for socket in &mut pair.sockets {
        loop {
            match socket.next().await.unwrap() {
                ServerMessage::Moved { url, .. } => break assert_eq!(url, second.url()),
                ServerMessage::Update { .. } => {}
                other => panic!("{other:?}"),
            }
        }
    }
    both_at(&mut pair, &second).await;
    assert_eq!(pair.asked().1.number, number);
    while pair.answer(None).await {}
    let text = pair.rest[0].text(&format!("/api/replays/{}/journal", pair.table)).await.unwrap();
    trilogy_engine::Journal::parse(&text).unwrap();
    second.stop().await;
}

/// A match of a server whose lease has run out is taken over; when it wakes up, it takes nothing and sends its players there.
#[tokio::test(flavor = "multi_thread")]
async fn one_that_has_slept_lets_go() {
    let Some(place) = Place::postgres().await else { return };
    let first = one_of_two(&place, false).await;
    let mut pair = Pair::after(&first, 5).await;
    let second = one_of_two(&place, false).await;
    // As if the first had been asleep for so long: its lease is over, and the match is asked for at the second.
    place.change(format!("UPDATE servers SET until = 0 WHERE url = '{}'", first.url())).await;
    let mut rest = Rest { addr: second.addr, ..pair.rest[0].clone() };
    let mut there = Socket::find(&mut rest, &pair.table).await.unwrap();
    let (seat, ask) = pair.asked();
    if rest.addr == second.addr {
        let answer = Dice(3).answer(ask.question.as_ref().unwrap());
        let sent = pair.sockets[seat].answer(&pair.table, ask.number, 1, answer).await;
        // It is refused, or the socket is gone already; it is never taken by both.
        while sent.is_ok() {
            match pair.sockets[seat].next().await {
                Ok(ServerMessage::Accepted { .. }) => panic!("the old owner took an answer"),
                Ok(_) => {}
                Err(_) => break,
            }
        }
    }
    let now = wait(&mut there, &pair.table, |_| true).await;
    assert_eq!(now.ask.map(|ask| ask.number), Some(ask.number));
    // Wherever one asks, one gets to the same game.
    for at in [0, 1] {
        pair.sockets[at] = Socket::find(&mut pair.rest[at], &pair.table).await.unwrap();
    }
    pair.both(|table| table.seats.iter().all(|seat| seat.connected)).await;
    while pair.answer(None).await {}
    first.stop().await;
    second.stop().await;
}

/// One that was killed and is started again at once finds its matches held by the one it was: players wait, and are sent nowhere.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_sent_to_the_server_that_was_here_before() {
    let Some(place) = Place::postgres().await else { return };
    let config = Config { limits: Limits::none(), advertise: Some("https://a.example".into()), ..place.config() };
    let first = start(config.clone()).await.unwrap();
    let mut pair = Pair::after(&first, 5).await;
    let number = pair.asked().1.number;
    first.stop().await;
    place
        .change(format!(
            "INSERT INTO servers (id, url, plays, seen, until, draining) VALUES ('killed', 'https://a.example/', '{{}}', 0, {}, 0)",
            i64::MAX
        ))
        .await;
    place.change("UPDATE matches SET owner = 'killed'".into()).await;
    let again = start(config).await.unwrap();
    pair.rest[0].addr = again.addr;
    let refused = pair.rest[0].text(&format!("/api/tables/{}/view", pair.table)).await.unwrap_err();
    assert_eq!((refused.status, refused.moved), (503, None), "{}", refused.reason);
    place.change("UPDATE servers SET until = 0 WHERE id = 'killed'".into()).await;
    both_at(&mut pair, &again).await;
    assert_eq!(pair.asked().1.number, number);
    again.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_drains_takes_no_new_matches_and_ends() {
    let Some(place) = Place::postgres().await else { return };
    let only = one_of_two(&place, true).await;
    let rest = Rest::guest(only.addr, "Cleo").await.unwrap();
    let refused = rest.against("random").await.unwrap_err();
    assert_eq!((refused.status, refused.reason.as_str()), (503, "this server finishes its matches and takes no new ones"));
    assert_eq!(rest.text("/readyz").await.unwrap_err().status, 503);
    only.drained().await;
    only.stop().await;

    // What a server that is to stay can go on with is left to it; what only this one can, it finishes.
    let first = one_of_two(&place, false).await;
    let mut pair = Pair::after(&first, 3).await;
    let other = pair.rest[0].opens(Clock::None).await.unwrap().id;
    pair.rest[1].joins(&other).await.unwrap();
    first.stop().await;
    place.change(format!("UPDATE matches SET catalogue = 'another' WHERE id = '{other}'")).await;
    place
        .change(
            "INSERT INTO catalogues (hash, game, format, meaning, bytes, created) \
             SELECT 'another', game, 99, 99, bytes, created FROM catalogues"
                .into(),
        )
        .await;
    let staying = one_of_two(&place, false).await;
    let draining = one_of_two(&place, true).await;
    for at in [0, 1] {
        pair.rest[at].addr = draining.addr;
        pair.sockets[at] = loop {
            // The one that is to stay may have to look for it first.
            match Socket::find(&mut pair.rest[at], &pair.table).await {
                Ok(socket) => break socket,
                Err(reason) => assert!(reason.contains("another server will go on"), "{reason}"),
            }
        };
        assert_eq!(pair.rest[at].addr, staying.addr);
    }
    draining.drained().await;
    let why = Socket::find(&mut pair.rest[0], &other).await.err().unwrap();
    assert!(why.contains("another release of this program") || why.contains("damaged"), "{why}");
    pair.both(|table| table.seats.iter().all(|seat| seat.connected)).await;
    while pair.answer(None).await {}
    draining.stop().await;
    staying.stop().await;
}
