//! No guest harms another, and no clock: names that pass for others, wrong passwords, sessions, and what one address may have of a server.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::at::{At, behind_proxy, slow};
use common::{Browser, Place};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use trilogy_server::guard::network;
use trilogy_server::limits::Limits;
use trilogy_server::store::Store;
use trilogy_server::sweep::{EVERY, Sweeper};
use trilogy_server::{Config, Running, start};

on_both_storages!(
    the_admin_token_works_once_for_good,
    a_token_that_nobody_has_used_waits,
    wrong_passwords_hold_up_their_address_only,
    whoever_goes_for_good_resigns,
    a_match_that_nobody_holds_is_resigned_too,
    names_of_ours_are_refused,
    a_clock_that_jumps_ends_no_session,
    sessions_run_out_by_time_in_use,
    one_of_two_servers_sweeps,
    an_address_makes_so_many_guests_and_accounts,
    an_address_keeps_so_many_decks,
);

async fn storage(place: &Place) -> Store {
    Store::open(place.database.as_deref().unwrap_or(&place.folder.to_string_lossy())).await.expect("it opens")
}

fn hashed(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_hex().to_string()
}

// ---- the admin token ----

async fn the_admin_token_works_once_for_good(place: Place) {
    let with = async |token: &str| {
        let running = start(Config { admin_token: Some(token.into()), ..place.config() }).await.expect("the server starts");
        assert_eq!(running.admin_token, None, "none is made up");
        running
    };
    let claim = async |running: &Running, name: &str, token: &str| {
        let mut at = Browser::new(running.addr);
        at.post("/api/register", &json!({"name": name, "password": "correct horse"})).await.fine();
        at.post("/api/admin/claim", &json!({ "token": token })).await.status
    };
    let running = with("open sesame").await;
    assert_eq!(claim(&running, "Ana", "open sesame").await, 200);
    assert_eq!(claim(&running, "Bob", "open sesame").await, 403);
    running.stop().await;

    // The flag stands in a script that starts the server each time.
    let running = with(" open sesame ").await;
    assert_eq!(claim(&running, "Cleo", "open sesame").await, 403);
    running.stop().await;

    // A release before this one wrote it again at each start.
    place.change(format!("INSERT INTO settings (key, value) VALUES ('admin_token', '{}')", hashed("open sesame"))).await;
    let running = with("open sesame").await;
    assert_eq!(claim(&running, "Dan", "open sesame").await, 403);
    running.stop().await;

    let running = with("another").await;
    assert_eq!(claim(&running, "Eve", "another").await, 200);
    running.stop().await;
}

async fn a_token_that_nobody_has_used_waits(place: Place) {
    for _ in 0..2 {
        start(Config { admin_token: Some("open sesame".into()), ..place.config() }).await.expect("the server starts").stop().await;
    }
    let running = place.start().await;
    assert_eq!(running.admin_token, None, "none is made up where one waits");
    let mut ana = Browser::new(running.addr);
    ana.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    ana.post("/api/admin/claim", &json!({"token": "open sesame"})).await.fine();
    running.stop().await;
}

// ---- passwords ----

// limit: password
async fn wrong_passwords_hold_up_their_address_only(place: Place) {
    let running = behind_proxy(&place, Limits { password: slow(3.0), ..Limits::none() }).await;
    let mut ana = At::account(&running, "2.2.2.2", "Ana").await;
    let mut guesser = At::new(&running, "1.1.1.1");
    for _ in 0..2 {
        guesser.login("Ana", "guess").await.refused(401);
    }
    guesser.login("nobody of that name", "guess").await.refused(401);
    let reply = guesser.login("Ana", "guess").await;
    assert!(reply.header("retry-after").is_some());
    reply.refused(429);
    guesser.login("Ana", "correct horse").await.refused(429);
    for _ in 0..5 {
        ana.login("Ana", "correct horse").await.fine();
    }
    At::new(&running, "3.3.3.3").login("Ana", "correct horse").await.fine();

    // Changing the password and the admin token are tries as well.
    let change = |old: &str| json!({"old": old, "new": "correct horse"});
    ana.post("/api/password", &change("guess")).await.refused(401);
    ana.post("/api/password", &change("correct horse")).await.fine();
    ana.post("/api/admin/claim", &json!({"token": "guess"})).await.refused(403);
    ana.post("/api/admin/claim", &json!({"token": running.admin_token})).await.fine();
    ana.login("Ana", "guess").await.refused(401);
    ana.login("Ana", "correct horse").await.refused(429);
    running.stop().await;
}

// limit: hashing
#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_so_many_passwords_hashed() {
    let place = Place::folder();
    let running = behind_proxy(&place, Limits { hashing: slow(3.0), ..Limits::none() }).await;
    let mut ana = At::account(&running, "1.1.1.1", "Ana").await;
    for _ in 0..2 {
        ana.login("Ana", "correct horse").await.fine();
    }
    let reply = ana.login("Ana", "correct horse").await;
    assert!(reply.header("retry-after").is_some());
    reply.refused(429);
    At::new(&running, "1.1.1.1").post("/api/register", &json!({"name": "Bob", "password": "correct horse"})).await.refused(429);
    At::account(&running, "2.2.2.2", "Bob").await.login("Bob", "correct horse").await.fine();
    running.stop().await;
}

// ---- those who go ----

async fn whoever_goes_for_good_resigns(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::guest(running.addr, "Ana").await;
    let mut bob = Browser::guest(running.addr, "Bob").await;
    let table = json!({"game": "tcg", "deck": "droid_host", "bot": null, "bot_deck": null, "private": false, "clock": {"kind": "none"}});
    let mut opened = Vec::new();
    for _ in 0..2 {
        opened.push(ana.post("/api/tables", &table).await.fine().json()["id"].as_str().unwrap().to_string());
    }
    let [played, open] = [&opened[0], &opened[1]];
    bob.post(&format!("/api/tables/{played}/join"), &json!({"deck": "jedi_council"})).await.fine();
    ana.json("DELETE", "/api/me", &json!(null)).await.fine();
    let state = async |browser: &mut Browser, id: &str| browser.get(&format!("/api/tables/{id}")).await.fine().json()["state"].clone();
    assert_eq!(state(&mut bob, played).await, json!({"is": "over", "winner": 1, "how": "resigned"}));
    assert_eq!(state(&mut bob, open).await, json!({"is": "over", "winner": null, "how": "closed"}));
    let history = bob.get("/api/history").await.fine().json();
    assert_eq!((&history["played"], &history["won"]), (&json!(1), &json!(1)));
    assert_eq!(bob.get("/api/tables").await.json(), json!([]));

    // It stays so.
    running.stop().await;
    let running = place.start().await;
    let mut bob = Browser { addr: running.addr, origin: None, ..bob };
    assert_eq!(state(&mut bob, played).await, json!({"is": "over", "winner": 1, "how": "resigned"}));
    assert_eq!(bob.get(&format!("/api/tables/{played}")).await.json()["players"], json!(["(deleted)", "Bob"]));
    running.stop().await;
}

async fn a_match_that_nobody_holds_is_resigned_too(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::guest(running.addr, "Ana").await;
    let table =
        json!({"game": "tcg", "deck": "jedi_council", "bot": "random", "bot_deck": null, "private": true, "clock": {"kind": "none"}});
    let id = ana.post("/api/tables", &table).await.fine().json()["id"].as_str().unwrap().to_string();
    running.stop().await;
    // Of rules that this program does not have.
    place.change(format!("UPDATE matches SET catalogue = 'another' WHERE id = '{id}'")).await;
    let running = place.start().await;
    let mut ana = Browser { addr: running.addr, origin: None, ..ana };
    ana.json("DELETE", "/api/me", &json!(null)).await.fine();
    running.stop().await;
    let store = storage(&place).await;
    let row = store.table(&id).await.unwrap().unwrap();
    assert_eq!(serde_json::from_str::<Value>(&row.state).unwrap(), json!({"is": "over", "winner": 0, "how": "resigned"}));
    assert_eq!(store.orphans().await, Ok(vec![]));
    store.close().await;
}

// ---- names ----

async fn names_of_ours_are_refused(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::new(running.addr);
    ana.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    ana.post("/api/admin/claim", &json!({"token": running.admin_token})).await.fine();
    let mut bob = Browser::guest(running.addr, "Bob").await;
    for name in ["greedy bot", "gr33dy b0t", "Аdmin", "Admin.", "(deleted)", "Trilogy", "the server"] {
        let taken = json!({ "name": name });
        assert!(Browser::new(running.addr).post("/api/guest", &taken).await.refused(400).contains("passes for"), "{name}");
        bob.post("/api/guest", &taken).await.refused(400);
        bob.post("/api/rename", &taken).await.refused(400);
        let account = json!({"name": name, "password": "correct horse"});
        bob.post("/api/register", &account).await.refused(400);
        Browser::new(running.addr).post("/api/register", &account).await.refused(400);
    }
    for name in ["Аnа", "A.N.A", "4na"] {
        assert!(bob.post("/api/rename", &json!({ "name": name })).await.refused(409).contains("looks the same"), "{name}");
        Browser::new(running.addr).post("/api/guest", &json!({ "name": name })).await.refused(409);
        ana.post("/api/rename", &json!({ "name": name })).await.fine();
        ana.post("/api/rename", &json!({"name": "Ana"})).await.fine();
    }
    bob.post("/api/rename", &json!({"name": "Badminton"})).await.fine();
    running.stop().await;

    // Whoever has such a name from before keeps it, and takes no other one of them.
    place.change("UPDATE users SET name = 'Moderator', name_key = 'moderator' WHERE name = 'Badminton'".into()).await;
    let running = place.start().await;
    let mut bob = Browser { addr: running.addr, origin: None, ..bob };
    assert_eq!(bob.post("/api/rename", &json!({"name": "Moderator"})).await.fine().json()["name"], "Moderator");
    bob.post("/api/rename", &json!({"name": "Moderator 2"})).await.refused(400);
    bob.post("/api/register", &json!({"name": "Moderator", "password": "correct horse"})).await.refused(400);
    running.stop().await;
}

// ---- sessions ----

const MONTH: i64 = 30 * 24 * 3600;

async fn a_clock_that_jumps_ends_no_session(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::guest(running.addr, "Ana").await;
    let mut bob = Browser::guest(running.addr, "Bob").await;
    running.stop().await;
    // What a clock leaves that is now ten years ahead, or was.
    place.change("UPDATE sessions SET created = 1, seen = 1, expires = 2, idle = 5; UPDATE users SET created = 1".into()).await;
    let running = place.start().await;
    let mut sweeper = Sweeper::new(running.app.store.clone());
    let now = Instant::now();
    sweeper.look(now).await.unwrap();
    sweeper.look(now + EVERY).await.unwrap();
    (ana, bob) = (Browser { addr: running.addr, origin: None, ..ana }, Browser { addr: running.addr, origin: None, ..bob });
    let reply = ana.get("/api/me").await.fine();
    assert_eq!(reply.json()["name"], "Ana");
    assert!(reply.header("set-cookie").is_some_and(|cookie| cookie.contains(&format!("Max-Age={MONTH}"))), "the browser keeps it longer");
    let hash = hashed(ana.cookie.as_deref().unwrap());
    assert_eq!(running.app.store.session(&hash, MONTH).await.unwrap().map(|session| session.idle), Some(0), "it is used");
    running.stop().await;

    place.change(format!("UPDATE sessions SET expires = {} WHERE idle > 0", i64::MAX)).await;
    place.change(format!("UPDATE sessions SET idle = {} WHERE idle > 0", MONTH + 1)).await;
    let running = place.start().await;
    bob = Browser { addr: running.addr, ..bob };
    assert_eq!(bob.get("/api/me").await.body, "null", "nobody has used it for a month");
    running.stop().await;
}

async fn sessions_run_out_by_time_in_use(place: Place) {
    let running = place.start().await;
    let mut people = Vec::new();
    for name in ["Ana", "Bob", "Cleo", "Dan"] {
        people.push(Browser::guest(running.addr, name).await);
    }
    people[1].post("/api/register", &json!({"name": "Bob", "password": "correct horse"})).await.fine();
    running.stop().await;
    let store = storage(&place).await;
    let session = |who: usize| hashed(people[who].cookie.as_deref().unwrap());
    let idle = async |who: usize| store.session(&session(who), i64::MAX).await.unwrap().map(|session| session.idle);
    let cleo = store.user_named("Cleo").await.unwrap().unwrap();
    store.ban(&cleo.id, "rude").await.unwrap();

    let mut sweeper = Sweeper::new(store.clone());
    let mut now = Instant::now();
    assert_eq!(sweeper.look(now).await, Ok(false), "nothing has passed yet");
    now += EVERY;
    assert_eq!(sweeper.look(now).await, Ok(true));
    let once = EVERY.as_secs() as i64;
    assert_eq!(idle(0).await, Some(once));
    now += Duration::from_secs(400 * 24 * 3600);
    assert_eq!(sweeper.look(now).await, Ok(true));
    assert_eq!(idle(0).await, Some(3 * once), "a year that the machine slept counts as an hour");

    // All but Dan stay away for the rest of the month.
    while idle(0).await.is_some() {
        now += 2 * EVERY;
        assert_eq!(sweeper.look(now).await, Ok(true));
        store.touch_session(&session(3), 1, 2).await.unwrap();
    }
    assert_eq!((idle(1).await, idle(2).await, idle(3).await), (None, None, Some(0)));
    let there = async |name: &str| store.user_named(name).await.unwrap().is_some();
    assert!(!there("Ana").await, "a guest who cannot come back");
    assert!(there("Bob").await, "an account can");
    assert!(there("Cleo").await, "whoever is shut out stays so");
    assert!(there("Dan").await);
    store.close().await;
}

async fn one_of_two_servers_sweeps(place: Place) {
    let running = place.start().await;
    let ana = Browser::guest(running.addr, "Ana").await;
    running.stop().await;
    let store = storage(&place).await;
    let hash = hashed(ana.cookie.as_deref().unwrap());
    let idle = async || store.session(&hash, MONTH).await.unwrap().map(|session| session.idle / EVERY.as_secs() as i64);
    let [mut one, mut other] = [Sweeper::new(store.clone()), Sweeper::new(store.clone())];
    let at = |halves: u32| EVERY / 2 * halves;
    let start = Instant::now();
    assert_eq!(one.look(start).await, Ok(false));
    assert_eq!(other.look(start + at(1)).await, Ok(false));
    for turn in 1..=3 {
        assert_eq!(one.look(start + at(2 * turn)).await, Ok(true));
        assert_eq!(other.look(start + at(2 * turn + 1)).await, Ok(false));
    }
    assert_eq!(idle().await, Some(3));
    // The one that swept is gone.
    assert_eq!(other.look(start + at(9)).await, Ok(true));
    assert_eq!(idle().await, Some(4));
    assert_eq!(one.look(start + at(20)).await, Ok(false), "it comes back, and the other one sweeps");
    // Both at the same moment: one of them.
    let known = store.sweeps().await.unwrap();
    let both = tokio::join!(store.sweep(known, 1, MONTH), store.sweep(known, 1, MONTH));
    assert!(matches!(both, (Ok(true), Ok(false)) | (Ok(false), Ok(true))), "{both:?}");
    store.close().await;
}

// ---- what one address may have ----

// limit: guests, accounts
async fn an_address_makes_so_many_guests_and_accounts(place: Place) {
    let running = behind_proxy(&place, Limits { guests: 2, accounts: 1, ..Limits::none() }).await;
    let mut ana = At::guest(&running, "1.1.1.1", "Ana").await;
    At::guest(&running, "1.1.1.1", "Bob").await;
    let refused = At::new(&running, "1.1.1.1").post("/api/guest", &json!({"name": "Cleo"})).await.refused(409);
    assert!(refused.contains("2 guests"), "{refused}");
    At::guest(&running, "2.2.2.2", "Dan").await;
    At::guest(&running, "2001:db8::1", "Eve").await;
    At::guest(&running, "2001:db8::2", "Flo").await;
    At::new(&running, "2001:db8::3").post("/api/guest", &json!({"name": "Gus"})).await.refused(409);

    // A guest who registers is a guest no more.
    ana.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    let mut cleo = At::guest(&running, "1.1.1.1", "Cleo").await;
    let account = json!({"name": "Cleo", "password": "correct horse"});
    assert!(cleo.post("/api/register", &account).await.refused(409).contains("1 accounts"));
    assert_eq!(cleo.browser.get("/api/me").await.json()["guest"], true, "nothing has changed");
    At::new(&running, "1.1.1.1").post("/api/register", &json!({"name": "Hal", "password": "correct horse"})).await.refused(409);
    ana.send("DELETE", "/api/me", &json!(null)).await.fine();
    cleo.post("/api/register", &account).await.fine();
    running.stop().await;

    // It is written down, so that a restart forgets nothing; and who came before this was known counts for nobody.
    place.change("UPDATE users SET address = '' WHERE name = 'Dan'".into()).await;
    let running = behind_proxy(&place, Limits { guests: 1, accounts: 1, ..Limits::none() }).await;
    At::new(&running, "1.1.1.1").post("/api/guest", &json!({"name": "Ivy"})).await.refused(409);
    At::guest(&running, "2.2.2.2", "Ivy").await;
    running.stop().await;
}

// limit: decks, decks_of_one, deck_bytes, deck_lines
async fn an_address_keeps_so_many_decks(place: Place) {
    let running = behind_proxy(&place, Limits { decks: 2, decks_of_one: 3, deck_bytes: 20, deck_lines: 2, ..Limits::none() }).await;
    let mut ana = At::guest(&running, "1.1.1.1", "Ana").await;
    let mut bob = At::guest(&running, "1.1.1.1", "Bob").await;
    let deck = json!({"name": "Mine", "list": "1x Yoda (B)"});
    let kept = ana.post("/api/decks/tcg", &deck).await.fine().json();
    ana.post("/api/decks/lcg", &deck).await.fine();
    assert!(ana.post("/api/decks/ccg", &deck).await.refused(409).contains("2 decks are the most one can keep"), "of all games together");
    bob.post("/api/decks/tcg", &deck).await.fine();
    assert!(bob.post("/api/decks/tcg", &deck).await.refused(409).contains("3 decks are the most that all"));
    let path = format!("/api/decks/tcg/{}", kept["id"].as_str().unwrap());
    ana.send("PUT", &path, &json!({"name": "Changed", "list": "2x Yoda (B)"})).await.fine();
    ana.send("PUT", &path, &json!({"name": "Long", "list": "1x Yoda (B), with words"})).await.refused(400);
    ana.send("PUT", &path, &json!({"name": "Long", "list": "1\n2\n3"})).await.refused(400);
    ana.send("DELETE", &path, &json!(null)).await.fine();
    bob.post("/api/decks/tcg", &deck).await.fine();
    At::guest(&running, "2.2.2.2", "Cleo").await.post("/api/decks/tcg", &deck).await.fine();
    running.stop().await;
}

/// A connection that has had an answer, so that the server holds it; none where it was closed at once.
async fn connected(running: &Running) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(running.addr).await.ok()?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.ok()?;
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.ok()?;
    assert_eq!(&answer, b"HTTP/1.1 200");
    Some(stream)
}

// limit: connections_of_one
#[tokio::test(flavor = "multi_thread")]
async fn an_address_holds_so_many_connections() {
    let place = Place::folder();
    let limits = Limits { connections_of_one: 2, ..Limits::none() };
    let running = start(Config { limits, ..place.config() }).await.expect("the server starts");
    let mut held = vec![connected(&running).await.unwrap(), connected(&running).await.unwrap()];
    assert!(connected(&running).await.is_none());
    held.remove(0);
    // The server has to hear that one has gone.
    let since = Instant::now();
    while connected(&running).await.is_none() {
        assert!(since.elapsed() < Duration::from_secs(60), "a place is never free again");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(held);
    running.stop().await;

    let running = behind_proxy(&place, limits).await;
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(connected(&running).await.expect("a proxy brings everybody"));
    }
    drop(held);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_no_proxy_tells_no_address() {
    let place = Place::folder();
    let limits = Limits { guests: 1, ..Limits::none() };
    let trusted_proxies = vec![network("10.0.0.0/8").unwrap()];
    let running = start(Config { limits, trusted_proxies, ..place.config() }).await.expect("the server starts");
    let mut ana = At::new(&running, "1.1.1.1");
    let headers = [("content-type", "application/json"), ("x-forwarded-for", "1.1.1.1"), ("x-forwarded-proto", "https")];
    let reply = ana.browser.send("POST", "/api/guest", &headers, "{\"name\":\"Ana\"}").await.fine();
    assert!(reply.header("set-cookie").is_some_and(|cookie| !cookie.contains("Secure")));
    At::new(&running, "2.2.2.2").post("/api/guest", &json!({"name": "Bob"})).await.refused(409);
    running.stop().await;
}
