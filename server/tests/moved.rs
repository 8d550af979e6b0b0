//! The example bot of the documentation goes on at another server when its own one stops.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Place;
use std::process::Command;
use std::time::Duration;
use trilogy_server::client::Rest;
use trilogy_server::limits::Limits;
use trilogy_server::matches::Settings;
use trilogy_server::protocol::Table;
use trilogy_server::{Config, start};

#[tokio::test(flavor = "multi_thread")]
async fn the_example_bot_follows_its_match() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return common::skip("there is no python3 on the PATH");
    }
    let Some(place) = Place::postgres().await else { return };
    let config = Config { limits: Limits::none(), matches: Settings::unlimited(), ..place.config() };
    // Here the opponent thinks for so long that the game cannot end.
    let slow = Settings { bot_delay: Duration::from_secs(3600) };
    let second = start(config.clone()).await.unwrap();
    let first = start(Config { matches: slow, ..config }).await.unwrap();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/bot.py");
    let addr = first.addr.to_string();
    let bot = tokio::task::spawn_blocking(move || Command::new("python3").args([path, &addr]).output());
    let onlooker = Rest::nobody(first.addr);
    // It looks on, and has done what it can without its opponent.
    while !bot.is_finished() {
        let table = first.app.hall.all().into_iter().next();
        if let Some(table) = table {
            let seen: Table = onlooker.get(&format!("/api/tables/{}/view", table.id)).await.unwrap();
            let waits = seen.ask.is_some_and(|ask| seen.seats[usize::from(ask.seat)].bot.is_some());
            if waits && seen.seats.iter().all(|seat| seat.connected) {
                break;
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!bot.is_finished(), "the game cannot be over");
    first.stop().await;
    let output = bot.await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.starts_with("over: "), "{said}");
    let [open, playing, over] = second.app.hall.counts();
    assert_eq!([open, playing, over], [0, 0, 1], "the game was over at the second server");
    second.stop().await;
}
