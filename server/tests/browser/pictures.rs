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

/// Pictures of all tables in full play, to be looked at: `PICTURES=FOLDER cargo test -p trilogy-server --test browser looks -- --ignored`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes into the folder PICTURES"]
async fn looks() {
    let folder = std::env::var("PICTURES").expect("PICTURES says where they go");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    on_stage(900, async |stage| {
        // Battles of the ccg are rare where one side plays by chance: its fight is a Force drain.
        let games = [
            // With the usual stops a game of the tcg has few questions.
            ("tcg", 9, "document.querySelector('.table .attacker, .table .acting')"),
            ("lcg", 40, "document.querySelector('.table .fight')"),
            ("ccg", 40, "document.querySelector('.phase').textContent.includes('drain')"),
        ];
        for (game, far, fight) in games {
            let page = crate::tables::visitor(stage, game).await;
            for (name, moment, answers) in [("question", "driver.options().length > 2", far), ("fight", fight, far / 3)] {
                until(stage, &page, game, answers, moment).await;
                for (width, height) in [(390, 844), (1024, 768), (1440, 900)] {
                    page.size(width, height).await;
                    page.hover(2.0, 2.0).await;
                    tokio::time::sleep(Duration::from_millis(900)).await;
                    let path = Path::new(&folder).join(format!("{game}-{name}-{width}.png"));
                    std::fs::write(path, page.picture().await).expect("the picture can be kept");
                }
                page.size(1280, 800).await;
            }
        }
    })
    .await;
}

/// Play until something is to be seen after so many answers; games can be short, then another one.
async fn until(stage: &Stage, page: &Page, game: &str, answers: u32, moment: &str) {
    for seed in 0..8 {
        crate::tables::lobby(stage, page, game).await;
        // The better bot fights.
        page.press("the better bot", "document.querySelector('input[value=greedy]').closest('label')").await;
        page.press("Play now", "driver.button('Play now')").await;
        page.until("a table with a question", "location.pathname.startsWith('/table/') && driver.prompt() !== null").await;
        let (mut dice, since) = (Dice(seed), page.accepted());
        while one_click(page, &mut dice).await && page.accepted() < since + 300 {
            if page.accepted() >= since + answers && page.is(&format!("driver.prompt() !== null && Boolean({moment})")).await {
                return;
            }
        }
    }
    panic!("never {moment}");
}

/// The same of what is asked and set: menus, warnings, a search, settings, rulings.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes into the folder PICTURES"]
async fn looks_of_questions() {
    let folder = std::env::var("PICTURES").expect("PICTURES says where they go");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    on_stage(600, async |stage| {
        for (width, height) in [(390, 844), (1440, 900)] {
            let page = crate::puppet::puppet(stage, "ccg", (width, height), false, crate::puppet::STILL).await;
            let taken = async |name: &str| {
                tokio::time::sleep(Duration::from_millis(700)).await;
                std::fs::write(Path::new(&folder).join(format!("{name}-{width}.png")), page.picture().await).expect("the picture can be kept");
            };
            let found = crate::puppet::keys(&page, "ccg", "(card, at, all) => all.findIndex((one) => one.title === card.title) === at", 14).await;
            page.eval(&format!(
                "(() => {{ const pile = `reserve.${{known.seat}}`; const ids = put_cards({}, pile);
                   put_ask({{ kind: 'pick', prompt: 'Take a card into your hand', least: 0, most: 1, pass: {{ label: 'Take nothing', warning: null }}, options: ids.map((card, at) => ({{ label: 'Take it', detail: at === 1 ? 'at Tatooine: Mos Eisley, with Lightsaber' : null, card, target: null, zone: pile, alike: at > 10 ? 0 : null }})) }}); }})()",
                json!(found)
            ))
            .await;
            taken("search").await;
            page.eval("(() => { const hand = put_cards([known.cards[Object.keys(known.cards).find((id) => known.cards[id].key)].key], `hand.${known.seat}`); window.card = hand[0];
                put_ask({ kind: 'pick', prompt: 'Your action, or pass', least: 0, most: 1, pass: { label: 'End the phase', warning: 'Two cards of yours are still to be moved.' }, options: [
                  { label: 'Deploy it', detail: 'to Tatooine: Mos Eisley', card, target: null }, { label: 'Deploy it', detail: 'to the Death Star', card, target: null },
                  { label: 'Draw a card', detail: 'from your Force Pile', card: null, target: null }, { label: 'Lose a Stormtrooper', card: null, target: null, alike: null }, { label: 'Lose a Stormtrooper', card: null, target: null, alike: 3 } ] }); })()").await;
            page.press("the card", "document.querySelector(`.hand [data-card=\"${card}\"]`)").await;
            taken("menu").await;
            page.eval("put_ask({ kind: 'pick', prompt: 'Your draw phase: draw cards, or pass', least: 0, most: 1, pass: { label: 'Pass', warning: null }, options: Array.from({ length: 9 }, (_, at) => ({ label: `Draw ${at + 1} cards from your Force Pile`, card: 80000 + at, target: null, zone: `force.${known.seat}`, action: 'draw_card' })) })").await;
            taken("how-many").await;
            page.eval("put_ask({ kind: 'pick', prompt: 'Your action, or pass', least: 0, most: 1, pass: { label: 'End the phase', warning: 'Two cards of yours are still to be moved.' }, options: [{ label: 'Wait', card: null, target: null }] })").await;
            page.key("Escape").await;
            page.press("pass", "driver.pass()").await;
            taken("warning").await;
            page.key("Escape").await;
            page.press("the menu", "document.querySelector('[aria-label=\"Settings of this table\"]')").await;
            taken("stops").await;
            page.goto(&stage.url("/settings")).await;
            taken("settings").await;
            for game in ["ccg", "tcg"] {
                let rule = page.text(&format!("fetch('/api/rules/{game}').then((reply) => reply.json()).then((rules) => rules.find((rule) => rule.rulings.some((one) => one.option.startsWith('`'))).id)")).await;
                page.goto(&stage.url(&format!("/rules/{rule}"))).await;
                page.until("the ruling", "document.querySelector('.ruling[open]')").await;
                taken(&format!("ruling-{game}")).await;
            }
        }
    })
    .await;
}
