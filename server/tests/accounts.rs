//! Accounts, sessions and REST, on both storages, and what an attacker would try.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Browser, Place, exchange};
use serde_json::json;
use trilogy_server::guard::network;
use trilogy_server::limits::{Limits, Rate};
use trilogy_server::openapi::{ENDPOINTS, Who};
use trilogy_server::start;

on_both_storages!(
    a_guest_registers_and_comes_back,
    every_sign_in_is_a_new_session,
    what_changes_something_needs_the_token_of_the_page,
    names_are_unique_and_only_text,
    an_account_is_deleted_with_all_of_it,
    decks_are_kept_and_checked,
    admins_look_after_the_server,
    accounts_survive_a_restart,
);

async fn a_guest_registers_and_comes_back(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::new(running.addr);
    assert_eq!(ana.get("/api/me").await.fine().body, "null");
    let me = ana.post("/api/guest", &json!({"name": " Ana "})).await.fine().json();
    assert_eq!((me["name"].as_str(), me["guest"].as_bool(), me["admin"].as_bool()), (Some("Ana"), Some(true), Some(false)));
    ana.post("/api/decks/tcg", &json!({"name": "Mine", "list": "4x Yoda (B)"})).await.fine();
    assert!(ana.post("/api/register", &json!({"name": "Ana", "password": "short"})).await.refused(400).contains("at least 8"));
    let me = ana.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine().json();
    assert_eq!((me["name"].as_str(), me["guest"].as_bool()), (Some("Ana"), Some(false)));
    assert_eq!(ana.get("/api/decks/tcg").await.json().as_array().map(Vec::len), Some(5), "a guest's decks are kept");

    let mut other = Browser::new(running.addr);
    other.post("/api/login", &json!({"name": "ana", "password": "wrong horse"})).await.refused(401);
    other.post("/api/login", &json!({"name": "nobody", "password": "correct horse"})).await.refused(401);
    let reply = other.post("/api/login", &json!({"name": "ANA", "password": "correct horse"})).await.fine();
    let cookie = reply.header("set-cookie").expect("a cookie is set").to_string();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/") && !cookie.contains("Secure"));
    assert_eq!(other.get("/api/me").await.json()["name"], "Ana");
    let kept = other.clone();
    other.post("/api/logout", &json!(null)).await.fine();
    assert_eq!(other.get("/api/me").await.body, "null");
    assert_eq!(kept.clone().get("/api/me").await.body, "null", "the session is over, not only forgotten");
    assert_eq!(ana.get("/api/me").await.json()["name"], "Ana", "another session goes on");

    let change = json!({"old": "correct horse", "new": "battery staple"});
    let mut stranger = ana.clone();
    ana.post("/api/password", &json!({"old": "wrong", "new": "battery staple"})).await.refused(401);
    ana.post("/api/password", &change).await.fine();
    assert_eq!(stranger.get("/api/me").await.body, "null", "other devices are signed out");
    assert_eq!(ana.get("/api/me").await.json()["name"], "Ana");
    running.stop().await;
}

async fn every_sign_in_is_a_new_session(place: Place) {
    let running = place.start().await;
    let mut browser = Browser::new(running.addr);
    browser.cookie = Some("00".repeat(32));
    browser.post("/api/guest", &json!({"name": "Ana"})).await.fine();
    let guest = browser.clone();
    assert_ne!(guest.cookie, Some("00".repeat(32)), "a planted token is not taken over");
    browser.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    assert_ne!(browser.cookie, guest.cookie);
    assert_eq!(guest.clone().get("/api/me").await.body, "null", "whoever knew the guest's token is not the account");
    let registered = browser.clone();
    browser.post("/api/login", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    assert_ne!((&browser.cookie, &browser.csrf), (&registered.cookie, &registered.csrf));
    assert_eq!(registered.clone().get("/api/me").await.body, "null");
    running.stop().await;
}

async fn what_changes_something_needs_the_token_of_the_page(place: Place) {
    let running = place.start().await;
    let ana = Browser::guest(running.addr, "Ana").await;
    let rename = json!({"name": "Eve"});
    let without = &mut Browser { csrf: None, ..ana.clone() };
    assert!(without.post("/api/rename", &rename).await.refused(403).contains("x-csrf"));
    let wrong = &mut Browser { csrf: Some("00".repeat(16)), ..ana.clone() };
    wrong.post("/api/rename", &rename).await.refused(403);
    let of_another = &mut Browser { csrf: Browser::guest(running.addr, "Bob").await.csrf, ..ana.clone() };
    of_another.post("/api/rename", &rename).await.refused(403);
    of_another.json("DELETE", "/api/me", &json!(null)).await.refused(403);
    for origin in ["http://evil.example", "null", "https://127.0.0.1.evil.example"] {
        let elsewhere = &mut Browser { origin: Some(origin.into()), ..ana.clone() };
        assert!(elsewhere.post("/api/rename", &rename).await.refused(403).contains("another site"));
        assert!(elsewhere.post("/api/login", &json!({"name": "a", "password": "b"})).await.refused(403).contains("another site"));
    }
    let socket = format!(
        "GET /ws HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\norigin: http://evil.example\r\n\r\n",
        running.addr
    );
    assert_eq!(exchange(running.addr, socket.replace("connection: upgrade", "connection: upgrade, close").as_bytes()).await.status, 403);
    assert_eq!(ana.clone().get("/api/me").await.json()["name"], "Ana", "nothing has changed");
    let without_page = &mut Browser { origin: None, ..ana.clone() };
    without_page.post("/api/rename", &rename).await.fine();
    running.stop().await;
}

async fn names_are_unique_and_only_text(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::guest(running.addr, "Ana").await;
    let mut bob = Browser::guest(running.addr, "Bob").await;
    assert!(bob.post("/api/rename", &json!({"name": "aNA"})).await.refused(409).contains("that name"));
    Browser::new(running.addr).post("/api/guest", &json!({"name": "BOB"})).await.refused(409);
    Browser::new(running.addr).post("/api/register", &json!({"name": "bob", "password": "12345678"})).await.refused(409);
    bob.post("/api/register", &json!({"name": "ana", "password": "12345678"})).await.refused(409);
    assert_eq!(bob.post("/api/rename", &json!({"name": "bob"})).await.fine().json()["name"], "bob", "one's own in another case");
    for wrong in ["", "x", "a\u{0}b", "a\tb", "\u{202e}evil", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] {
        ana.post("/api/rename", &json!({"name": wrong})).await.refused(400);
    }
    let html = "<img src=x onerror=1>";
    let reply = ana.post("/api/rename", &json!({"name": html})).await.fine();
    assert_eq!(reply.json()["name"], html);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    ana.post("/api/rename", &json!({"name": "'; DROP TABLE users"})).await.fine();
    ana.post("/api/rename", &json!({"name": "Ödön Ähre"})).await.fine();
    bob.post("/api/rename", &json!({"name": "ödön ähre"})).await.refused(409);
    running.stop().await;
}

async fn an_account_is_deleted_with_all_of_it(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::new(running.addr);
    ana.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    let mut bob = Browser::guest(running.addr, "Bob").await;
    bob.post("/api/blocks", &json!({"name": "ana"})).await.fine();
    assert_eq!(bob.get("/api/blocks").await.json(), json!(["Ana"]));
    let deck = ana.post("/api/decks/tcg", &json!({"name": "Mine", "list": "4x Yoda (B)"})).await.fine().json();
    let kept = ana.clone();
    ana.json("DELETE", "/api/me", &json!(null)).await.fine();
    assert_eq!(ana.cookie, None);
    assert_eq!(kept.clone().get("/api/me").await.body, "null");
    let mut again = Browser::new(running.addr);
    again.post("/api/login", &json!({"name": "Ana", "password": "correct horse"})).await.refused(401);
    again.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    again.get(&format!("/api/decks/tcg/{}", deck["id"].as_str().unwrap_or_default())).await.refused(404);
    assert_eq!(bob.get("/api/blocks").await.json(), json!([]));
    running.stop().await;
}

async fn decks_are_kept_and_checked(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::guest(running.addr, "Ana").await;
    let starters = Browser::new(running.addr).get("/api/decks/tcg").await.fine().json();
    assert_eq!(starters.as_array().map(Vec::len), Some(4));
    let list = starters[0]["list"].as_str().expect("a list").to_string();
    let report = ana.send("POST", "/api/decks/tcg/check", &[("content-type", "text/plain")], &list).await.fine().json();
    assert_eq!((report["legal"].as_bool(), report["faults"].as_array().map(Vec::len)), (Some(true), Some(0)));
    let report = ana.post("/api/decks/tcg/check", &json!({"list": "4x Yoda (B)\nnonsense"})).await.fine().json();
    assert_eq!((report["cards"].as_u64(), report["unread"].as_array().map(Vec::len)), (Some(4), Some(1)));
    assert!(report["faults"][0]["rule"].as_str().is_some_and(|rule| rule.starts_with("tcg.")), "{report}");

    let deck = ana.send("POST", "/api/decks/tcg/import", &[("content-type", "text/plain")], &list).await.fine().json();
    assert_eq!((&deck["name"], &deck["seat"], &deck["starter"]), (&starters[0]["name"], &starters[0]["seat"], &json!(false)));
    let path = format!("/api/decks/tcg/{}", deck["id"].as_str().unwrap_or_default());
    let exported = ana.get(&format!("{path}/list")).await.fine();
    assert_eq!(exported.body, list);
    assert!(exported.header("content-disposition").is_some_and(|kind| kind.starts_with("attachment")));
    let refused = ana.get(&format!("{path}/list?as=gemp")).await.refused(400);
    assert!(refused.contains("GEMP does not have its set"), "{refused}");
    ana.get(&format!("{path}/list?as=nonsense")).await.refused(400);
    let xml = "<deck><card blueprintId=\"1_1\"/></deck>";
    let refused = ana.send("POST", "/api/decks/tcg/import", &[("content-type", "text/plain")], xml).await.refused(400);
    assert!(refused.contains("1_1 is no card here"), "{refused}");
    ana.json("PUT", &path, &json!({"name": "Other", "list": "1x Yoda (B)"})).await.fine();
    assert_eq!(ana.get(&path).await.json()["name"], "Other");

    let mut bob = Browser::guest(running.addr, "Bob").await;
    bob.get(&path).await.refused(404);
    bob.json("PUT", &path, &json!({"name": "Stolen", "list": ""})).await.refused(404);
    bob.json("DELETE", &path, &json!(null)).await.refused(404);
    ana.json("PUT", "/api/decks/tcg/droid_host", &json!({"name": "x", "list": ""})).await.refused(403);
    ana.json("DELETE", "/api/decks/tcg/droid_host", &json!(null)).await.refused(403);
    Browser::new(running.addr).post("/api/decks/tcg", &json!({"name": "x", "list": ""})).await.refused(401);
    ana.post("/api/decks/chess", &json!({"name": "x", "list": ""})).await.refused(404);
    ana.post("/api/decks/tcg", &json!({"name": "x", "list": "1x Yoda (B)\n".repeat(600)})).await.refused(400);
    ana.post("/api/decks/tcg", &json!({"name": "x", "list": "\u{0}"})).await.refused(400);
    ana.json("DELETE", &path, &json!(null)).await.fine();
    ana.get(&path).await.refused(404);
    running.stop().await;
}

async fn admins_look_after_the_server(place: Place) {
    let running = place.start().await;
    let token = running.admin_token.clone().expect("the first start makes a token up");
    let mut ana = Browser::guest(running.addr, "Ana").await;
    ana.post("/api/admin/claim", &json!({"token": token})).await.refused(403);
    ana.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    ana.post("/api/admin/claim", &json!({"token": "guess"})).await.refused(403);
    ana.get("/api/admin/users").await.refused(403);
    ana.post("/api/admin/claim", &json!({"token": token})).await.fine();
    assert_eq!(ana.get("/api/me").await.json()["admin"], true);
    let mut bob = Browser::new(running.addr);
    bob.post("/api/register", &json!({"name": "Bob", "password": "correct horse"})).await.fine();
    bob.post("/api/admin/claim", &json!({"token": token})).await.refused(403);
    for path in ["/api/admin/matches", "/api/admin/users"] {
        bob.get(path).await.refused(403);
        Browser::new(running.addr).get(path).await.refused(401);
        ana.get(path).await.fine();
    }
    bob.post("/api/admin/ban", &json!({"name": "Ana"})).await.refused(403);

    ana.post("/api/admin/message", &json!({"text": " Hello\n<b>all</b> "})).await.fine();
    assert_eq!(bob.get("/api/message").await.json(), json!({"text": "Hello\n<b>all</b>"}));
    ana.post("/api/admin/ban", &json!({"name": "Ana", "reason": "me"})).await.refused(403);
    ana.post("/api/admin/ban", &json!({"name": "bob", "reason": "rude"})).await.fine();
    assert!(bob.get("/api/me").await.refused(403).contains("rude"));
    assert!(
        Browser::new(running.addr)
            .post("/api/login", &json!({"name": "Bob", "password": "correct horse"}))
            .await
            .refused(403)
            .contains("rude")
    );
    let users = ana.get("/api/admin/users?find=BO").await.fine().json();
    assert_eq!((users.as_array().map(Vec::len), users[0]["banned"].as_str()), (Some(1), Some("rude")));
    assert_eq!(ana.get("/api/admin/users?find=%25").await.json(), json!([]), "no pattern of the database");
    ana.post("/api/admin/unban", &json!({"name": "Bob"})).await.fine();
    assert_eq!(bob.get("/api/me").await.json()["name"], "Bob");
    ana.post("/api/admin/ban", &json!({"name": "no such one"})).await.refused(404);
    ana.post("/api/admin/ban", &json!({"name": "127.0.0.1"})).await.fine();
    assert!(bob.get("/api/me").await.refused(403).contains("address"));
    running.stop().await;
}

async fn accounts_survive_a_restart(place: Place) {
    let running = place.start().await;
    let mut ana = Browser::new(running.addr);
    ana.post("/api/register", &json!({"name": "Ana", "password": "correct horse"})).await.fine();
    ana.post("/api/admin/claim", &json!({"token": running.admin_token})).await.fine();
    running.stop().await;
    let running = place.start().await;
    assert_eq!(running.admin_token, None, "it is told once");
    let mut ana = Browser { addr: running.addr, origin: None, ..ana };
    assert_eq!(ana.get("/api/me").await.json()["admin"], true);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_but_the_client_is_served() {
    let place = Place::folder();
    let running = place.start().await;
    for path in [
        "/assets/../../etc/passwd",
        "/assets/x/../../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/x/..%2f..%2f..%2fetc%2fpasswd",
        "/assets//etc/passwd",
        "/assets/x/%5c..%5cetc",
        "/../../etc/passwd",
        "/trilogy.db",
        "/.env",
    ] {
        let reply = Browser::new(running.addr).get(path).await;
        assert!(!reply.body.contains("root:") && !reply.body.contains("SQLite"), "{path}");
        assert!(reply.status == 404 || reply.body.contains("<!doctype html>"), "{path}: {reply:?}");
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_headers_and_every_failure_a_reason() {
    let place = Place::folder();
    let running = place.start().await;
    let mut ana = Browser::guest(running.addr, "Ana").await;
    for path in ["/", "/healthz", "/metrics", "/api/me", "/api/docs", "/nothing.txt", "/api/nothing"] {
        let reply = ana.get(path).await;
        for name in ["content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy"] {
            assert!(reply.header(name).is_some(), "{path} lacks {name}");
        }
        let policies: Vec<&str> =
            reply.headers.iter().filter(|(name, _)| name == "content-security-policy").map(|(_, policy)| policy.as_str()).collect();
        assert!(policies.len() == 1 && policies[0].starts_with("default-src 'none'; script-src 'self';"), "{path}: {policies:?}");
        assert!(policies[0].contains("frame-ancestors 'none'") && !policies[0].contains("unsafe"), "{path}: {policies:?}");
        // What the policy would keep from working is not in the pages.
        assert!(!reply.body.contains("<style") && !reply.body.contains("style="), "{path}");
    }
    assert_eq!(ana.get("/api/docs.css").await.fine().header("content-type"), Some("text/css; charset=utf-8"));
    ana.get("/api/nothing").await.refused(404);
    ana.get("/api/cards/chess").await.refused(404);
    ana.get("/api/decks/tcg/%ff").await.refused(400);
    ana.json("PATCH", "/api/me", &json!({})).await.refused(405);
    ana.post("/api/rename", &json!({"name": 5})).await.refused(422);
    ana.post("/api/rename", &json!({"name": "Ana", "admin": true})).await.refused(422);
    ana.send("POST", "/api/rename", &[("content-type", "application/json")], "{").await.refused(400);
    ana.send("POST", "/api/rename", &[("content-type", "text/plain")], "{\"name\":\"x\"}").await.refused(415);
    ana.post("/api/rename", &json!({"name": "x".repeat(70_000)})).await.refused(413);
    ana.send("POST", "/api/decks/tcg/check", &[("content-type", "text/plain")], &"x".repeat(70_000)).await.refused(413);
    assert_eq!(ana.get("/healthz").await.fine().body, "well\n");
    assert!(ana.get("/metrics").await.fine().body.contains("trilogy_requests_total{status=\"4xx\"}"));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_described_is_there() {
    let place = Place::folder();
    let running = place.start().await;
    let mut ana = Browser::new(running.addr);
    let document = ana.get("/api/openapi.json").await.fine().json();
    assert_eq!(document["openapi"], "3.1.0");
    for one in ENDPOINTS {
        let path = one.path.replace("{game}", "tcg").replace("{id}", "nothing").replace("{answer}", "0").replace("{name}", "x");
        let reply = ana.send(&one.method.to_uppercase(), &path, &[], "").await;
        assert_ne!(reply.status, 405, "{} {path}", one.method);
        if reply.status == 404 {
            assert!(!reply.refused(404).contains("nothing is here"), "{} {path} is not there", one.method);
        }
        if one.who != Who::Anyone && one.takes.is_empty() {
            reply.refused(401);
        }
    }
    let page = ana.get("/api/docs").await.fine().body;
    assert!(page.contains("POST /api/tables") && !page.contains("<script") && !page.contains("https://"));
    let cards = ana.get("/api/cards/tcg").await.fine();
    let tag = cards.header("etag").expect("a tag").to_string();
    assert!(cards.json().as_array().is_some_and(|cards| cards.len() > 100));
    assert_eq!(ana.send("GET", "/api/cards/tcg", &[("if-none-match", &tag)], "").await.status, 304);
    assert!(ana.get("/api/rules/tcg").await.fine().json().as_array().is_some_and(|rules| rules.len() > 100));
    let packed = ana.send("GET", "/api/cards/tcg", &[("accept-encoding", "gzip")], "").await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    running.stop().await;
}

// limit: address, session, newcomer
#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_too_often_must_wait() {
    let place = Place::folder();
    let few = |burst: f64| Rate { burst, per_second: 0.01 };
    let limits = Limits {
        address: Rate { burst: 60.0, per_second: 0.01 },
        session: few(5.0),
        password: few(3.0),
        newcomer: few(2.0),
        ..Limits::default()
    };
    let running = start(trilogy_server::Config { limits, trusted_proxies: vec![network("127.0.0.1").unwrap()], ..place.config() })
        .await
        .expect("it starts");
    let from = |address: &'static str| [("content-type", "application/json"), ("x-forwarded-for", address)];
    let mut browser = Browser::new(running.addr);
    let login = json!({"name": "Ana", "password": "guess"}).to_string();
    for _ in 0..3 {
        browser.send("POST", "/api/login", &from("1.1.1.1"), &login).await.refused(401);
    }
    let reply = browser.send("POST", "/api/login", &from("1.1.1.1"), &login).await;
    assert!(reply.refused(429).contains("try again"));
    assert!(reply.header("retry-after").is_some());
    browser.send("POST", "/api/login", &from("2.2.2.2"), &login).await.refused(401);

    for name in ["One", "Two"] {
        Browser::new(running.addr).send("POST", "/api/guest", &from("3.3.3.3"), &json!({"name": name}).to_string()).await.fine();
    }
    Browser::new(running.addr).send("POST", "/api/guest", &from("3.3.3.3"), "{\"name\":\"Three\"}").await.refused(429);
    let mut four = Browser::new(running.addr);
    four.send("POST", "/api/guest", &from("4.4.4.4"), "{\"name\":\"Four\"}").await.fine();
    for _ in 0..5 {
        four.send("POST", "/api/rename", &from("4.4.4.4"), "{\"name\":\"Four\"}").await.fine();
    }
    four.send("POST", "/api/rename", &from("4.4.4.4"), "{\"name\":\"Four\"}").await.refused(429);
    assert_eq!(four.send("GET", "/api/me", &from("4.4.4.4"), "").await.status, 200, "looking is free");
    let mut waits = 0;
    for _ in 0..70 {
        waits += u32::from(browser.send("GET", "/", &from("5.5.5.5"), "").await.status == 429);
    }
    assert_eq!(waits, 10);
    let secure = [("content-type", "application/json"), ("x-forwarded-for", "6.6.6.6"), ("x-forwarded-proto", "https")];
    let reply = Browser::new(running.addr).send("POST", "/api/guest", &secure, "{\"name\":\"Six\"}").await;
    assert!(reply.header("set-cookie").is_some_and(|cookie| cookie.contains("; Secure")));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_keeps_out_of_the_folder() {
    let place = Place::folder();
    let running = place.start().await;
    assert!(start(place.config()).await.is_err_and(|why| why.contains("another server")));
    running.stop().await;
    place.start().await.stop().await;
}
