//! The Customizable Card Game through the page: a whole game by clicks, some of one on a phone and by the keyboard, the
//! deck builder, the guided game, and what those hear who do not see. Its pictures for the README are taken here.

use crate::cdp::Page;
use crate::stage::{Stage, on_stage, one_click, table_of};
use crate::tables::{by_keys, guides, is_played_out, is_sound, is_within_reach, some_way_in, visitor};
use crate::{axe, filled, sideways};
use serde_json::json;
use std::collections::BTreeMap;
use trilogy_server::client::Dice;

/// What comes of an answer reaches the page long after the word that it was taken, as on a busy machine.
const SLOW_UPDATES: &str = "const Line = WebSocket; window.WebSocket = class extends Line {
    set onmessage(hear) { super.onmessage = (event) => (event.data.slice(0, 40).includes('\"update\"') ? setTimeout(() => hear(event), 700) : hear(event)); } };";

/// Somebody who has chosen the better bot.
async fn sits_down_against_greedy(page: &Page) {
    page.press("the better bot", "document.querySelector('input[value=greedy]')?.closest('label')").await;
    sits_down(page).await;
}

async fn sits_down(page: &Page) {
    page.press("Play now", "driver.button('Play now')").await;
    page.until(
        "the first question",
        "location.pathname.startsWith('/table/') && driver.prompt() !== null && document.querySelector('.card-option') !== null",
    )
    .await;
}

async fn goes_on(stage: &Stage, page: &Page, answers: u32) {
    some_way_in(page, answers, async || another(stage, page).await).await;
}

async fn another(stage: &Stage, page: &Page) {
    page.goto(&stage.url("/")).await;
    sits_down(page).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_answers_of_the_ccg_by_clicks() {
    on_stage(600, async |stage| {
        let page = visitor(stage, "ccg").await;
        sits_down(&page).await;
        let mut dice = Dice(4);
        let mut piles = false;
        while page.accepted() < 60 && one_click(&page, &mut dice).await {
            piles |= page.is("document.querySelector('.table-bottom .pile.legal') !== null").await;
        }
        assert!(page.accepted() >= 20, "a game of {} answers", page.accepted());
        assert!(piles, "no pile could be clicked");
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_the_ccg_by_clicks() {
    on_stage(600, async |stage| {
        let page = visitor(stage, "ccg").await;
        sits_down_against_greedy(&page).await;
        let mut dice = Dice(4);
        while one_click(&page, &mut dice).await {}
        is_played_out(&page).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ccg_is_within_reach_on_a_phone() {
    on_stage(600, async |stage| {
        let page = visitor(stage, "ccg").await;
        page.size(360, 740).await;
        sits_down(&page).await;
        goes_on(stage, &page, 25).await;
        assert_eq!(sideways(&page, "the table", 360).await, None);
        is_within_reach(&page).await;
        // Each location is a tap away.
        let last = "[...document.querySelectorAll('.place-tabs button')].at(-1)";
        page.press("the last location", last).await;
        page.until("it in sight", "(() => { const box = [...document.querySelectorAll('[data-place]')].at(-1).getBoundingClientRect(); return box.left > -20 && box.right < innerWidth + 20; })()").await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_answers_of_the_ccg_by_the_keyboard_alone() {
    on_stage(300, async |stage| {
        let page = visitor(stage, "ccg").await;
        sits_down(&page).await;
        by_keys(&page, 20, async || another(stage, &page).await).await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_is_not_asked_again_while_the_table_is_on_its_way() {
    on_stage(300, async |stage| {
        let page = visitor(stage, "ccg").await;
        page.prepare(SLOW_UPDATES).await;
        page.goto(&stage.url("/")).await;
        sits_down(&page).await;
        by_keys(&page, 8, async || another(stage, &page).await).await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_serious_in_the_ccg() {
    on_stage(700, async |stage| {
        let page = visitor(stage, "ccg").await;
        let mut found = BTreeMap::new();
        for scheme in ["dark", "light"] {
            page.prefers(scheme, "reduce").await;
            for path in ["/", "/cards", "/decks", "/learn"] {
                page.goto(&stage.url(path)).await;
                filled(&page, path).await;
                axe(&page, &format!("{path} ({scheme})"), &mut found).await;
            }
            page.goto(&stage.url("/deck/premiere_dark")).await;
            page.until("the deck", "document.querySelectorAll('.pane-deck .deck-row').length > 20").await;
            axe(&page, &format!("a deck ({scheme})"), &mut found).await;
            page.goto(&stage.url("/")).await;
            sits_down(&page).await;
            axe(&page, &format!("the start ({scheme})"), &mut found).await;
            goes_on(stage, &page, 25).await;
            axe(&page, &format!("table ({scheme})"), &mut found).await;
        }
        is_sound(found);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_text_of_the_ccg_fits_on_its_card() {
    on_stage(120, async |stage| {
        let page = visitor(stage, "ccg").await;
        page.goto(&stage.url("/cards")).await;
        filled(&page, "/cards").await;
        page.until("all cards", "(scrollTo(0, 1e7), document.querySelector('.card') !== null && document.querySelector('.more-to-come') === null)").await;
        let cut = "[...document.querySelectorAll('.card:not(.small) :is(.card-text, .card-end)')].filter((text) => text.scrollHeight > text.clientHeight + 1)
            .map((text) => `${text.closest('.card').querySelector('.card-title').textContent}: ${text.className} ${text.scrollHeight} in ${text.clientHeight}`)";
        assert!(page.eval("document.querySelectorAll('.card:not(.small)').length").await.as_u64() > Some(300));
        assert_eq!(page.eval(cut).await, json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deck_of_the_ccg_is_read_by_the_server_and_counted() {
    on_stage(180, async |stage| {
        let page = visitor(stage, "ccg").await;
        page.goto(&stage.url("/deck/premiere_light")).await;
        // Titles that both sides have find their side.
        page.until("all sixty cards", "document.querySelector('.pane-deck h2')?.textContent.includes('60 cards')").await;
        page.until("that it is legal", "document.querySelector('.pane-numbers')?.textContent.includes('60 cards')").await;
        page.goto(&stage.url("/decks")).await;
        page.press("Import", "driver.button('Import')").await;
        let list = "name: From elsewhere\n2x Stormtrooper\nDarth Vader x1\n3 Jawa\n1x Nobody At All";
        page.write("the list", "document.querySelector('dialog[open] textarea')", list).await;
        page.until(
            "what was read",
            "document.querySelector('dialog[open] [role=status]').textContent.includes('6 cards read, 1 lines not')",
        )
        .await;
        page.press("Take", "driver.button('Take 6 cards')").await;
        page.until("the builder", "document.querySelectorAll('.pane-deck .deck-row').length === 3").await;
        assert!(page.text("document.querySelector('.pane-deck').textContent").await.contains("Jawa"));
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guided_game_of_the_ccg_tells_what_is_asked() {
    guides("ccg", "location you start at", 3).await;
}

/// `cargo test -p trilogy-server --test browser ccg_pictures -- --ignored`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes docs/pictures"]
async fn ccg_pictures() {
    on_stage(1500, async |stage| {
        let page = visitor(stage, "ccg").await;
        page.size(1280, 800).await;
        sits_down_against_greedy(&page).await;
        goes_on(stage, &page, 3).await;
        crate::pictures::keep(&page, "ccg-opening").await;
        let busy = "driver.prompt() !== null && document.querySelectorAll('[data-place^=at-]').length >= 6 && document.querySelectorAll('.ccg .unit, .site').length >= 22 && document.querySelectorAll('.ccg .mine .unit').length >= 4 && document.querySelector('.battle, .under-way, .amount-ask') === null";
        let fight = "driver.prompt() !== null && document.querySelector('.battle .owed') !== null && document.querySelectorAll('.ccg .unit').length >= 8";
        let (mut mid, mut battle) = (false, false);
        for seed in 1..12 {
            let mut dice = Dice(seed);
            while !(mid && battle) && one_click(&page, &mut dice).await {
                if !mid && page.is(busy).await {
                    mid = true;
                    page.hover(4.0, 4.0).await;
                    crate::pictures::keep(&page, "ccg-table").await;
                    let table = table_of(&page).await;
                    page.size(390, 844).await;
                    page.goto(&stage.url(&format!("/table/{table}"))).await;
                    page.until("the question", "driver.prompt() !== null").await;
                    crate::pictures::keep(&page, "ccg-phone").await;
                    page.size(1280, 800).await;
                }
                if !battle && page.is(fight).await {
                    battle = true;
                    page.hover(4.0, 4.0).await;
                    crate::pictures::keep(&page, "ccg-battle").await;
                }
            }
            if mid && battle {
                return;
            }
            page.goto(&stage.url("/")).await;
            sits_down_against_greedy(&page).await;
        }
        panic!("no game is worth a picture");
    })
    .await;
}
