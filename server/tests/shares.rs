//! Fair shares: what one address or user may have of a server, limit by limit (`server/src/limits.rs`). docs/OPERATIONS.md names these
//! tests beside the limits; a comment `limit:` above a test says which it is for.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::at::{At, behind_proxy, slow};
use common::pair::{Pair, play, rejection};
use common::{Browser, Place};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::limits::Limits;
use trilogy_server::matches::Settings;
use trilogy_server::protocol::*;
use trilogy_server::{Config, Running, start};

on_both_storages!(tables_are_bounded_by_user_and_by_address, what_is_kept_of_an_address_is_bounded, so_much_is_said_at_a_table);

async fn with(place: &Place, limits: Limits) -> Running {
    start(Config { limits, matches: Settings::unlimited(), ..place.config() }).await.expect("the server starts")
}

fn table() -> serde_json::Value {
    json!({"game": "tcg", "deck": "droid_host", "bot": "random", "bot_deck": "jedi_council", "private": false, "clock": {"kind": "none"}})
}

// limit: tables_of_user, tables_of_one
async fn tables_are_bounded_by_user_and_by_address(place: Place) {
    let running = behind_proxy(&place, Limits { tables_of_user: 2, tables_of_one: 3, ..Limits::none() }).await;
    let mut ana = At::guest(&running, "1.1.1.1", "Ana").await;
    for _ in 0..2 {
        ana.post("/api/tables", &table()).await.fine();
    }
    assert!(ana.post("/api/tables", &table()).await.refused(409).contains("you have too many tables"));
    let mut bob = At::guest(&running, "1.1.1.1", "Bob").await;
    bob.post("/api/tables", &table()).await.fine();
    assert!(bob.post("/api/tables", &table()).await.refused(409).contains("your network address"));
    let mut cleo = At::guest(&running, "2.2.2.2", "Cleo").await;
    cleo.post("/api/tables", &table()).await.fine();
    // What was opened before a restart counts.
    running.stop().await;
    let running = behind_proxy(&place, Limits { tables_of_one: 3, ..Limits::none() }).await;
    (bob.browser.addr, bob.browser.origin) = (running.addr, None);
    assert!(bob.post("/api/tables", &table()).await.refused(409).contains("your network address"));
    running.stop().await;
}

// limit: stored_bytes_of_one
async fn what_is_kept_of_an_address_is_bounded(place: Place) {
    let running = behind_proxy(&place, Limits { stored_bytes_of_one: 1, ..Limits::none() }).await;
    let mut ana = At::guest(&running, "1.1.1.1", "Ana").await;
    ana.post("/api/tables", &table()).await.fine();
    assert!(ana.post("/api/tables", &table()).await.refused(409).contains("as many matches are kept"));
    At::guest(&running, "2.2.2.2", "Bob").await.post("/api/tables", &table()).await.fine();
    running.stop().await;
}

// limit: chat_lines
async fn so_much_is_said_at_a_table(place: Place) {
    let running = with(&place, Limits { chat_lines: 2, ..Limits::none() }).await;
    let mut pair = Pair::new(&running, Clock::None).await;
    for _ in 0..3 {
        let say = ClientMessage::Chat { table: pair.table.clone(), text: "hello".into() };
        pair.sockets[0].send(&say).await.unwrap();
    }
    assert!(rejection(&mut pair.sockets[0]).await.contains("as much has been said"));
    running.stop().await;
}

/// A match that has been played to its end.
async fn played(running: &Running, rest: &Rest) -> String {
    let table = rest.against("random").await.unwrap().id;
    let mut socket = Socket::at(rest, &table).await.unwrap();
    let last = play(&mut socket, &table, &mut Dice(7), u32::MAX).await;
    assert!(matches!(last.state, MatchState::Over { .. }), "{}", running.addr);
    table
}

// limit: work
#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_a_budget_of_work() {
    let place = Place::folder();
    let running = behind_proxy(&place, Limits { work: slow(1e-9), ..Limits::none() }).await;
    let check = json!({"list": "4x Yoda (B)"});
    let mut ana = At::new(&running, "1.1.1.1");
    ana.post("/api/decks/tcg/check", &check).await.fine();
    let refused = ana.post("/api/decks/tcg/check", &check).await;
    assert!(refused.header("retry-after").is_some() && !refused.refused(429).is_empty());
    let login = ana.login("Nobody", "wrong password").await;
    assert_eq!(login.status, 429, "passwords are work, too");
    At::new(&running, "2.2.2.2").post("/api/decks/tcg/check", &check).await.fine();
    running.stop().await;
}

// limit: work_of_user
#[tokio::test(flavor = "multi_thread")]
async fn a_user_has_a_budget_of_work_wherever_they_are() {
    let place = Place::folder();
    let running = behind_proxy(&place, Limits { work_of_user: slow(1e-9), ..Limits::none() }).await;
    let check = json!({"list": "4x Yoda (B)"});
    let mut ana = At::guest(&running, "1.1.1.1", "Ana").await;
    ana.post("/api/decks/tcg/check", &check).await.fine();
    ana.post("/api/decks/tcg/check", &check).await.refused(429);
    ana.address = "2.2.2.2";
    ana.post("/api/decks/tcg/check", &check).await.refused(429);
    At::guest(&running, "1.1.1.1", "Bob").await.post("/api/decks/tcg/check", &check).await.fine();
    running.stop().await;
}

// limit: work_waits, work_waits_of_one
#[tokio::test(flavor = "multi_thread")]
async fn work_for_which_there_is_no_room_is_refused_at_once() {
    let check = json!({"list": "4x Yoda (B)"});
    for (limits, status) in [(Limits { work_waits_of_one: 0, ..Limits::none() }, 429), (Limits { work_waits: 0, ..Limits::none() }, 503)] {
        let place = Place::folder();
        let running = behind_proxy(&place, limits).await;
        let refused = At::new(&running, "1.1.1.1").post("/api/decks/tcg/check", &check).await;
        assert!(refused.header("retry-after").is_some());
        refused.refused(status);
        running.stop().await;
    }
}

// limit: forks
#[tokio::test(flavor = "multi_thread")]
async fn matches_that_begin_in_the_middle_are_bounded() {
    let place = Place::folder();
    let running = with(&place, Limits { forks: slow(2.0), ..Limits::none() }).await;
    let rest = Rest::guest(running.addr, "Ana").await.unwrap();
    let table = played(&running, &rest).await;
    let fork =
        async || rest.post::<TableInfo>(&format!("/api/replays/{table}/fork"), &json!({"answers": 3, "seat": 0, "bot": "random"})).await;
    assert!(fork().await.is_ok() && fork().await.is_ok());
    assert_eq!(fork().await.unwrap_err().status, 429);
    running.stop().await;
}

/// A replay is worked out once for all who look at it; the work is not asked of the next.
#[tokio::test(flavor = "multi_thread")]
async fn a_replay_is_worked_out_once_for_all_its_readers() {
    let place = Place::folder();
    let first = with(&place, Limits::none()).await;
    let rest = Rest::guest(first.addr, "Ana").await.unwrap();
    let table = played(&first, &rest).await;
    first.stop().await;
    let running = behind_proxy(&place, Limits { work: slow(1e-9), ..Limits::none() }).await;
    let paths = [format!("/api/replays/{table}"), format!("/api/replays/{table}/at/3"), format!("/api/replays/{table}/journal")];
    for (path, pays) in paths.iter().zip(["1.1.1.1", "2.2.2.2", "3.3.3.3"]) {
        let whole = At::new(&running, pays).send("GET", path, &json!(null)).await.fine();
        // Their budgets are used up, but for this there is nothing left to do.
        for reader in ["1.1.1.1", pays, "4.4.4.4"] {
            let reply = At::new(&running, reader).send("GET", path, &json!(null)).await.fine();
            assert_eq!(reply.body, whole.body);
            let tag = reply.header("etag").unwrap().to_string();
            let known = [("x-forwarded-for", reader), ("if-none-match", tag.as_str())];
            assert_eq!(Browser::new(running.addr).send("GET", path, &known, "").await.status, 304);
        }
        At::new(&running, pays).send("GET", &format!("/api/replays/{table}/at/5"), &json!(null)).await.refused(429);
    }
    // The answer is the one that the whole game gives.
    let whole: Table = serde_json::from_str(&At::new(&running, "9.9.9.9").send("GET", &paths[1], &json!(null)).await.fine().body).unwrap();
    assert_eq!(whole.ask.map(|ask| ask.number), Some(3));
    running.stop().await;
}

// limit: sockets_of_one
#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_so_many_sockets() {
    let place = Place::folder();
    let running = with(&place, Limits { sockets_of_one: 2, ..Limits::none() }).await;
    let nobody = Rest::nobody(running.addr);
    let first = Socket::open(&nobody).await.unwrap();
    let _second = Socket::open(&nobody).await.unwrap();
    assert!(Socket::open(&nobody).await.is_err());
    first.close().await;
    // The server has to hear that one has gone.
    while Socket::open(&nobody).await.is_err() {
        tokio::task::yield_now().await;
    }
    running.stop().await;
}

// limit: connections
#[tokio::test(flavor = "multi_thread")]
async fn so_many_connections_are_served_at_once() {
    let place = Place::folder();
    let running = with(&place, Limits { connections: 1, ..Limits::none() }).await;
    let mut held = TcpStream::connect(running.addr).await.unwrap();
    held.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut head = [0; 12];
    held.read_exact(&mut head).await.unwrap();
    let mut next = TcpStream::connect(running.addr).await.unwrap();
    next.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    // Served it would be at once; so long it is not.
    assert!(tokio::time::timeout(Duration::from_millis(300), next.read_exact(&mut head)).await.is_err(), "it waits to be taken");
    drop(held);
    next.read_exact(&mut head).await.unwrap();
    running.stop().await;
}

/// Bots of one address wait for each other, and nobody waits for them: whoever plays at a table can do all else meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_match_goes_on_while_its_bot_thinks() {
    let place = Place::folder();
    let running = with(&place, Limits::none()).await;
    let rest = Rest::guest(running.addr, "Ana").await.unwrap();
    let mut tables = Vec::new();
    for _ in 0..12 {
        tables.push(rest.against("greedy").await.unwrap().id);
    }
    let mut socket = Socket::open(&rest).await.unwrap();
    for table in &tables {
        socket.watch(table).await.unwrap();
        socket.send(&ClientMessage::Resign { table: table.clone() }).await.unwrap();
    }
    for table in &tables {
        while !socket.followed(table).unwrap().is_over() {
            socket.next().await.unwrap();
        }
    }
    running.stop().await;
}
