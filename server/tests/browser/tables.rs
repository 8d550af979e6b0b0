//! What the tables of several games are tested by: how somebody comes to one, plays on, and is taught.

use crate::cdp::Page;
use crate::one_key;
use crate::stage::{Stage, click_on, on_stage, one_click};
use serde_json::json;
use std::collections::BTreeMap;
use trilogy_server::client::Dice;

/// Somebody who has chosen a game in the lobby.
pub(crate) async fn visitor(stage: &Stage, game: &str) -> Page {
    let page = stage.visitor().await;
    page.eval(&format!("localStorage.setItem('trilogy.game', JSON.stringify('{game}'))")).await;
    lobby(stage, &page, game).await;
    page
}

pub(crate) async fn lobby(stage: &Stage, page: &Page, game: &str) {
    page.goto(&stage.url("/")).await;
    let chosen = format!("document.querySelector('.game-switch')?.value === '{game}' && driver.button('Play now') !== undefined");
    page.until("the game", &chosen).await;
}

/// Play by the mouse until so many answers were taken and something is asked; in another game where one is over.
pub(crate) async fn some_way_in(page: &Page, answers: u32, another: impl AsyncFn()) {
    for seed in 0..6 {
        if click_on(page, &mut Dice(seed), answers).await {
            page.until("a question or the end", "driver.prompt() !== null || driver.next(0)[0] === 'over'").await;
            if page.is("driver.prompt() !== null").await {
                return;
            }
        }
        another().await;
    }
    panic!("no game lasts {answers} answers");
}

/// Play by the keyboard until so many answers were taken in all; in another game where one is over.
pub(crate) async fn by_keys(page: &Page, answers: u32, another: impl AsyncFn()) {
    let (mut dice, mut games) = (Dice(3), 0);
    while page.accepted() < answers {
        if !one_key(page, &mut dice).await {
            games += 1;
            assert!(games < 6, "{} answers in {games} games", page.accepted());
            another().await;
        }
    }
}

/// A game has come to its end by the rules, after some answers.
pub(crate) async fn is_played_out(page: &Page) {
    assert!(page.accepted() >= 6, "a game of {} answers", page.accepted());
    let said = page.text("document.querySelector('dialog.end p').textContent").await;
    assert!(said.ends_with("by the rules of the game."), "{said}");
    page.is_well();
}

/// Every option can be brought under a finger.
pub(crate) async fn is_within_reach(page: &Page) {
    let hidden = page.eval("driver.options().filter((one) => driver.place(one) === null).map((one) => one.outerHTML.slice(0, 160))").await;
    assert_eq!(hidden, json!([]));
}

/// Nothing was found, page by page.
pub(crate) fn is_sound(found: BTreeMap<String, Vec<String>>) {
    let found: Vec<String> = found.into_iter().map(|(fault, places)| format!("{fault}\n    {}", places.join(", "))).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The guided game begins with these words, goes on, and counts so many things.
pub(crate) async fn guides(game: &str, words: &str, counted: usize) {
    on_stage(300, async |stage| {
        let page = visitor(stage, game).await;
        page.goto(&stage.url("/learn")).await;
        page.press("Begin", "driver.button('Begin')").await;
        page.until(
            "the coach",
            "location.pathname.startsWith('/learn/') && driver.prompt() !== null && document.querySelector('.coach-topic') !== null",
        )
        .await;
        assert!(page.text("document.querySelector('.coach-now').textContent").await.contains(words));
        page.press("Understood", "driver.button('Understood')").await;
        let mut dice = Dice(1);
        while page.accepted() < 4 {
            assert!(one_click(&page, &mut dice).await);
        }
        assert!(page.is(&format!("document.querySelectorAll('.balance dt').length === {counted}")).await);
        page.is_well();
    })
    .await;
}
