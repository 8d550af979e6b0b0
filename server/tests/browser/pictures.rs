//! Takes the pictures for the README: `cargo test -p trilogy-server --test browser pictures -- --ignored`.

use crate::cdp::Page;
use crate::hands::refused_card;
use crate::stage::{Stage, on_stage, one_click, play_now, table_of};
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use trilogy_server::client::{Dice, Rest};
use trilogy_server::protocol::Clock;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes docs/pictures"]
async fn pictures() {
    on_stage(500, async |stage| {
        let page = stage.visitor().await;
        page.size(1280, 800).await;
        lobby(stage, &page).await;
        in_the_thick_of_it(stage, &page).await;
        page.hover(4.0, 4.0).await;
        keep(&page, "table").await;
        let unit = page.place("a unit", "[...document.querySelectorAll('.arena .mine .face-of')].find((unit) => !unit.closest('.building')) ?? document.querySelector('.hand .face-of')").await;
        page.hover(unit.0, unit.1).await;
        page.until("the card in large", "document.querySelector('.zoom')?.checkVisibility({ visibilityProperty: true })").await;
        keep(&page, "card-zoom").await;
        let table = table_of(&page).await;
        page.goto(&stage.url("/")).await;
        play_now(&page).await;
        refused_card(stage, &page).await;
        keep(&page, "why-not").await;
        page.size(360, 740).await;
        page.goto(&stage.url(&format!("/table/{table}"))).await;
        page.until("the question", "driver.prompt() !== null && document.querySelectorAll('.table .card-title').length > 0").await;
        keep(&page, "table-phone").await;
        page.size(1280, 800).await;
        page.goto(&stage.url("/decks")).await;
        page.press("a copy of a deck", "document.querySelector('[aria-label^=\"Duplicate\"]')").await;
        page.until("the builder", "location.pathname.startsWith('/deck/') && document.querySelectorAll('.pane-deck .deck-row').length > 5").await;
        keep(&page, "deck-builder").await;
        replay(stage, &page).await;
        page.is_well();
    })
    .await;
}

/// Some people are already there.
async fn lobby(stage: &Stage, page: &Page) {
    let [ana, ben, cleo] = ["Ana", "Ben", "Cleo"].map(|name| Rest::guest(stage.server.addr, name));
    let (ana, ben, cleo) = (ana.await.unwrap(), ben.await.unwrap(), cleo.await.unwrap());
    let table = ana.opens(Clock::PerPlayer { seconds: 1200, increment: 10 }).await.unwrap();
    ben.joins(&table.id).await.unwrap();
    cleo.opens(Clock::None).await.unwrap();
    page.goto(&stage.url("/")).await;
    page.until("the tables", "document.body.innerText.includes('Cleo')").await;
    keep(page, "lobby").await;
}

/// A game with something in every arena, and something to do.
async fn in_the_thick_of_it(stage: &Stage, page: &Page) {
    for seed in 0..20 {
        page.goto(&stage.url("/")).await;
        page.press("the better bot", "document.querySelector('input[value=greedy]').closest('label')").await;
        play_now(page).await;
        let mut dice = Dice(seed);
        for _ in 0..600 {
            let busy = "driver.prompt() !== null && document.querySelectorAll('.table .legal').length > 1 && document.querySelector('.phase').textContent.includes('Battle')
                && document.querySelectorAll('.arena:not(.building) .mine .unit').length > 3 && document.querySelectorAll('.arena:not(.building) .theirs .unit').length > 3
                && document.querySelectorAll('.hand .face-of').length > 2 && document.querySelector('.middle, .amount-ask') === null";
            if page.eval(busy).await == json!(true) {
                return;
            }
            if !one_click(page, &mut dice).await {
                break;
            }
        }
    }
    panic!("no game is worth a picture");
}

async fn replay(stage: &Stage, page: &Page) {
    page.goto(&stage.url("/")).await;
    page.press("the better bot", "document.querySelector('input[value=greedy]').closest('label')").await;
    play_now(page).await;
    let mut dice = Dice(1);
    while one_click(page, &mut dice).await {}
    page.press("the replay", "driver.button('Watch the replay')").await;
    page.until("the replay", "document.querySelector('.replay-controls') !== null").await;
    let bar = page.eval("(() => { const box = document.querySelector('.seek input').getBoundingClientRect(); return [box.left + box.width * 0.7, box.top + box.height / 2]; })()").await;
    page.click(bar[0].as_f64().unwrap_or_default(), bar[1].as_f64().unwrap_or_default()).await;
    page.until("a later state", "document.querySelectorAll('.replay .unit').length > 4").await;
    keep(page, "replay").await;
}

pub(crate) async fn keep(page: &Page, name: &str) {
    // Pictures of the cards are drawn after the rest.
    tokio::time::sleep(Duration::from_millis(900)).await;
    page.until("rest", "document.querySelector('.dice') === null").await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join(format!("{name}.png")), page.picture().await).expect("the picture can be kept");
}
