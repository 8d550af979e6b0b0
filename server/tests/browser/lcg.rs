//! Star Wars: The Card Game through the page: a whole game by clicks, some of one by the keyboard and on a phone, what
//! each side sees of captives and edge stacks, decks made of sets, the guided game. Its pictures are taken here.

use crate::cdp::Page;
use crate::stage::{Duel, Stage, on_stage, one_click, table_of};
use crate::tables::{by_keys, guides, is_played_out, is_sound, is_within_reach, lobby, some_way_in, visitor};
use crate::{axe, filled, sideways};
use serde_json::json;
use std::collections::BTreeMap;
use trilogy_server::client::{Dice, Rest};
use trilogy_server::protocol::{Card, Table};

const CHOOSE: &str = "(label, value) => { const select = [...document.querySelectorAll('.play-now label, .play-now .field')].find((one) => one.textContent.includes(label)).closest('.field').querySelector('select');
    select.value = value; select.dispatchEvent(new Event('change', { bubbles: true })); return select.value === value; }";

/// Jedi against Sith.
async fn sits_down(page: &Page, bot: &str) {
    page.press("the bot", &format!("document.querySelector('input[value={bot}]')?.closest('label')")).await;
    assert!(page.is(&format!("({CHOOSE})('Your deck', 'core_jedi')")).await);
    page.press("their deck", "document.querySelector('.play-now summary')").await;
    assert!(page.is(&format!("({CHOOSE})('Deck of the bot', 'core_sith')")).await);
    page.press("Play now", "driver.button('Play now')").await;
    page.until(
        "the first question",
        "location.pathname.startsWith('/table/') && driver.prompt() !== null && document.querySelectorAll('.card-option').length === 4",
    )
    .await;
}

async fn goes_on(stage: &Stage, page: &Page, answers: u32) {
    some_way_in(page, answers, async || another(stage, page).await).await;
}

async fn another(stage: &Stage, page: &Page) {
    lobby(stage, page, "lcg").await;
    sits_down(page, "random").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_of_the_lcg_by_clicks() {
    on_stage(600, async |stage| {
        let page = visitor(stage, "lcg").await;
        let mut dice = Dice(4);
        let mut fought = false;
        // A game by chance may end without an engagement, or with one that is over between two looks.
        for game in 0..6 {
            if game > 0 {
                lobby(stage, &page, "lcg").await;
            }
            sits_down(&page, "greedy").await;
            while one_click(&page, &mut dice).await {
                fought = fought || page.is("document.querySelector('.theatre.fight .line-units .unit') !== null").await;
            }
            is_played_out(&page).await;
            if fought {
                return;
            }
        }
        panic!("no engagement was drawn");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_answers_of_the_lcg_by_the_keyboard_alone() {
    on_stage(300, async |stage| {
        let page = visitor(stage, "lcg").await;
        sits_down(&page, "random").await;
        by_keys(&page, 30, async || another(stage, &page).await).await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lcg_is_within_reach_on_a_phone() {
    on_stage(300, async |stage| {
        let page = visitor(stage, "lcg").await;
        page.size(390, 844).await;
        sits_down(&page, "random").await;
        assert_eq!(sideways(&page, "the start", 390).await, None);
        for _ in 0..4 {
            goes_on(stage, &page, 7).await;
            assert_eq!(sideways(&page, "the table", 390).await, None);
            is_within_reach(&page).await;
        }
        // Each part of the board is a tap away, from many options as well.
        if page.is("document.querySelector('.gallery') !== null").await {
            page.press("the table", "driver.button('See the table', document.querySelector('.gallery'))").await;
            page.until("the table", "document.querySelector('.gallery') === null").await;
        }
        for (tab, place) in [("Objectives", "at-base"), ("Units", "at-home")] {
            page.press(tab, &format!("driver.button('{tab}', document.querySelector('.place-tabs'))")).await;
            page.until(tab, &format!("(() => {{ const box = document.querySelector('[data-place={place}]').getBoundingClientRect(); return box.left > -20 && box.right < innerWidth + 20; }})()")).await;
        }
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_serious_in_the_lcg() {
    on_stage(600, async |stage| {
        let page = visitor(stage, "lcg").await;
        let mut found = BTreeMap::new();
        for scheme in ["dark", "light"] {
            page.prefers(scheme, "reduce").await;
            for path in ["/", "/cards", "/decks", "/rules", "/learn"] {
                page.goto(&stage.url(path)).await;
                filled(&page, path).await;
                axe(&page, &format!("{path} ({scheme})"), &mut found).await;
            }
            page.goto(&stage.url("/deck/core_sith")).await;
            page.until("the deck", "document.querySelectorAll('.pane-deck .set-row').length === 10").await;
            axe(&page, &format!("a deck ({scheme})"), &mut found).await;
            lobby(stage, &page, "lcg").await;
            sits_down(&page, "random").await;
            axe(&page, &format!("the start ({scheme})"), &mut found).await;
            goes_on(stage, &page, 12).await;
            axe(&page, &format!("table ({scheme})"), &mut found).await;
            let mut dice = Dice(5);
            for _ in 0..400 {
                if page.is("driver.prompt() !== null && document.querySelector('.theatre.fight') !== null").await {
                    axe(&page, &format!("an engagement ({scheme})"), &mut found).await;
                    break;
                }
                if !one_click(&page, &mut dice).await {
                    break;
                }
            }
        }
        is_sound(found);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_text_of_the_lcg_fits_on_its_card() {
    on_stage(120, async |stage| {
        let page = visitor(stage, "lcg").await;
        page.goto(&stage.url("/cards")).await;
        filled(&page, "/cards").await;
        page.until("all cards", "(scrollTo(0, 1e7), document.querySelector('.card') !== null && document.querySelector('.more-to-come') === null)").await;
        let cut = "[...document.querySelectorAll('.card:not(.small) .card-text')].filter((text) => text.scrollHeight > text.clientHeight + 1)
            .map((text) => `${text.closest('.card').querySelector('.card-title').textContent}: ${text.className} ${text.scrollHeight} in ${text.clientHeight}`)";
        assert!(page.eval("document.querySelectorAll('.card:not(.small)').length").await.as_u64() > Some(150));
        assert_eq!(page.eval(cut).await, json!([]));
        // Affiliation, type and trait are filters, and so is the set that a card comes in.
        let legends = page.eval("[...document.querySelectorAll('.filters legend')].map((one) => one.textContent)").await;
        for name in ["Affiliation", "Type", "Trait", "Comes with"] {
            assert!(legends.as_array().unwrap().contains(&json!(name)), "{legends}");
        }
        page.goto(&stage.url("/cards?family=Sith&kind=Unit")).await;
        page.until("units of the Sith", "document.querySelectorAll('.card-grid .kind-unit').length > 5").await;
        assert!(page.is("[...document.querySelectorAll('.card-grid .card-type')].every((one) => /unit.*Sith/i.test(one.textContent))").await);
        page.goto(&stage.url("/cards?with=A%20Hero%27s%20Journey")).await;
        page.until("a set", "document.querySelectorAll('.card-grid .card').length === 6").await;
        page.is_well();
    })
    .await;
}

// ---- what is hidden ----

fn captive(table: &Table) -> Option<&Card> {
    table.cards.values().find(|card| card.role.as_deref() == Some("captive"))
}

fn stacks(table: &Table) -> bool {
    [0, 1].iter().all(|seat| table.cards.values().any(|card| card.zone == format!("stack.{seat}") && card.facedown))
}

/// The page of somebody who has played without one so far.
async fn page_of(stage: &Stage, person: &Rest, table: &str) -> Page {
    let page = stage.visitor().await;
    let (name, value) = person.cookie.as_ref().and_then(|cookie| cookie.split_once('=')).expect("a session");
    page.call("Network.setCookie", json!({ "name": name, "value": value, "url": stage.url("/") })).await;
    page.goto(&stage.url(&format!("/table/{table}"))).await;
    page.until("the table", "document.querySelector('.table:not(.onlooker) .board.lcg .card-title') !== null").await;
    page
}

/// What is seen of a card on the board: face or back.
async fn sees(page: &Page, card: u32) -> String {
    let seen = format!(
        "(() => {{ const card = document.querySelector('.board [data-card=\"{card}\"]'); return card === null ? 'nothing' : card.querySelector('.card.back') ? 'back' : card.querySelector('.card-title').textContent; }})()"
    );
    page.text(&seen).await
}

/// Games by chance until something is so; the people, and their game as it stands then.
async fn when(stage: &Stage, is_so: impl Fn(&Table) -> bool) -> ([Rest; 2], Duel) {
    let [first, second] = ["Ana", "Ben"].map(|name| Rest::guest(stage.server.addr, name));
    let people = [first.await.unwrap(), second.await.unwrap()];
    for seed in 0..40 {
        let mut duel = Duel::between([&people[0], &people[1]], "lcg", ["core_sith", "core_jedi"]).await;
        if duel.plays_until(400, &mut Dice(seed), &is_so).await {
            return (people, duel);
        }
    }
    panic!("no game comes to that");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_captive_is_seen_by_its_captor_alone() {
    on_stage(300, async |stage| {
        let (people, duel) = when(stage, |table| captive(table).is_some()).await;
        let [dark, light] = [duel.table(0), duel.table(1)];
        let held = captive(&dark).unwrap();
        let key = held.key.clone().expect("the captor may look");
        assert_eq!(light.cards[held.id.to_string().as_str()].key, None, "its owner may not");
        let [captor, owner] = [page_of(stage, &people[0], &duel.table).await, page_of(stage, &people[1], &duel.table).await];
        assert!(sees(&captor, held.id).await.contains(key.split(" (").next().unwrap()), "the captor does not see {key}");
        assert_eq!(sees(&owner, held.id).await, "back");
        // It lies with the objective it is held at, and is told of there.
        let parent = held.parent.expect("a captive lies at an objective");
        let told = page_told(&owner, parent).await;
        assert!(told.contains("with a card captive"), "{told}");
        captor.is_well();
        owner.is_well();
    })
    .await;
}

/// What those hear who do not see a card.
async fn page_told(page: &Page, card: u32) -> String {
    page.text(&format!("document.querySelector('.board [data-card=\"{card}\"] .unseen').textContent")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edge_stack_is_seen_by_its_player_alone() {
    on_stage(300, async |stage| {
        let (people, duel) = when(stage, stacks).await;
        for (seat, person) in people.iter().enumerate() {
            let page = page_of(stage, person, &duel.table).await;
            let own = duel.table(seat);
            for card in own.cards.values().filter(|card| card.zone.starts_with("stack.") && card.facedown) {
                if card.zone == format!("stack.{seat}") {
                    let key = card.key.as_deref().expect("one's own stack may be looked at");
                    assert!(sees(&page, card.id).await.contains(key.split(" (").next().unwrap()), "{key} is not seen");
                } else {
                    assert_eq!((card.key.as_deref(), sees(&page, card.id).await.as_str()), (None, "back"));
                }
            }
            assert!(page.is("document.querySelector('.theirs .edge b').textContent.endsWith('+?')").await);
            page.is_well();
        }
    })
    .await;
}

// ---- decks ----

#[tokio::test(flavor = "multi_thread")]
async fn a_deck_of_the_lcg_is_made_of_sets() {
    on_stage(180, async |stage| {
        let page = visitor(stage, "lcg").await;
        page.goto(&stage.url("/decks")).await;
        page.press("a new deck", "driver.button('New deck')").await;
        page.until("the builder", "document.querySelectorAll('.pane-add .set-row').length > 10").await;
        page.press("the Jedi", "[...document.querySelectorAll('.leaders label')].find((one) => one.textContent.trim().startsWith('Jedi'))")
            .await;
        // Only sets of that side are left to choose from.
        page.until(
            "the light side",
            "[...document.querySelectorAll('.pane-add .set-row')].every((one) => one.classList.contains('side-light'))",
        )
        .await;
        let more = |at: usize| format!("document.querySelectorAll('.pane-add .set-row [aria-label$=\" more\"]')[{at}]");
        for at in 0..9 {
            page.press("a set", &more(at)).await;
        }
        page.until("nine sets", "document.querySelector('.pane-deck h2').textContent.includes('9 sets')").await;
        page.until(
            "what is missing",
            "document.querySelector('.pane-numbers .faults')?.textContent.includes('at least 10 objective sets')",
        )
        .await;
        page.press("a set twice", &more(0)).await;
        page.until("that it is legal", "document.querySelector('.pane-numbers')?.textContent.includes('may be played: 61 cards')").await;
        assert!(page.is("document.querySelectorAll('.pane-deck .set-row').length === 9").await);
        page.until("that it is kept", "document.querySelector('main').textContent.includes('All changes are saved.')").await;
        page.reload().await;
        page.until("the same sets", "document.querySelector('.pane-deck h2')?.textContent.includes('10 sets')").await;
        // One goes with all its cards.
        page.press("a set less", "document.querySelector('.pane-deck .set-row [aria-label$=\" less\"]')").await;
        page.until("nine sets", "document.querySelector('.pane-deck h2').textContent.includes('9 sets, 55 cards')").await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_sets_is_read_and_written() {
    on_stage(120, async |stage| {
        let page = visitor(stage, "lcg").await;
        page.goto(&stage.url("/decks")).await;
        page.press("Import", "driver.button('Import')").await;
        let list = "name: From elsewhere\n1x Sith\nsets:\n2x Fall of the Jedi\n1x Counsel of the Sith\n1x No Such Set";
        page.write("the list", "document.querySelector('dialog[open] textarea')", list).await;
        page.until(
            "what was read",
            "document.querySelector('dialog[open] [role=status]').textContent.includes('19 cards read, 1 lines not')",
        )
        .await;
        page.press("Take", "driver.button('Take 19 cards')").await;
        page.until("the builder", "document.querySelector('.pane-deck h2')?.textContent.includes('3 sets, 19 cards')").await;
        assert_eq!(page.text("document.querySelector('.leaders input:checked').closest('label').textContent.trim()").await, "Sith");
        page.eval("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }").await;
        page.press("Copy", "driver.button('Copy the list')").await;
        let copied = page.until("the list", "window.copied").await;
        assert_eq!(copied, json!("name: From elsewhere\n1x Sith\nsets:\n2x Fall of the Jedi\n1x Counsel of the Sith\n"));
        page.is_well();
    })
    .await;
}

// ---- the guided game ----

#[tokio::test(flavor = "multi_thread")]
async fn the_guided_game_of_the_lcg_tells_what_is_asked() {
    guides("lcg", "three objectives", 4).await;
}

// ---- pictures ----

/// `cargo test --workspace --test browser lcg_pictures -- --ignored`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes docs/pictures"]
async fn lcg_pictures() {
    on_stage(1500, async |stage| {
        let page = visitor(stage, "lcg").await;
        page.size(1280, 800).await;
        sits_down(&page, "greedy").await;
        crate::pictures::keep(&page, "lcg-opening").await;
        let fight = "driver.prompt() !== null && document.querySelectorAll('.theatre.fight .line-units .unit').length >= 3 && document.querySelectorAll('.theirs .line-units .unit, .line.theirs .unit').length > 0 && document.querySelectorAll('.lcg .unit').length >= 14 && document.querySelectorAll('.hand .face-of').length > 2";
        let edge = "driver.prompt() !== null && document.querySelector('.edge-stack .unit:not(.was) .card:not(.back)') !== null && document.querySelector('.line.theirs .edge-stack .card:not(.back)') !== null";
        let mut wanted = vec![("lcg-table", fight), ("lcg-edge", edge)];
        for seed in 1..12 {
            let mut dice = Dice(seed);
            while !wanted.is_empty() && one_click(&page, &mut dice).await {
                let mut left = Vec::new();
                for (name, is_so) in wanted {
                    if !page.is(is_so).await {
                        left.push((name, is_so));
                        continue;
                    }
                    page.hover(4.0, 4.0).await;
                    crate::pictures::keep(&page, name).await;
                    if name == "lcg-table" {
                        let table = table_of(&page).await;
                        page.size(390, 844).await;
                        page.goto(&stage.url(&format!("/table/{table}"))).await;
                        page.until("the question", "driver.prompt() !== null").await;
                        crate::pictures::keep(&page, "lcg-phone").await;
                        page.size(1280, 800).await;
                    }
                }
                wanted = left;
            }
            if wanted.is_empty() {
                break;
            }
            lobby(stage, &page, "lcg").await;
            sits_down(&page, "greedy").await;
        }
        page.goto(&stage.url("/decks")).await;
        page.press("a copy of a deck", "document.querySelector('[aria-label=\"Duplicate Core Jedi\"]')").await;
        page.until("the builder", "document.querySelectorAll('.pane-deck .set-row').length === 10 && document.querySelector('.pane-numbers').textContent.includes('may be played')").await;
        crate::pictures::keep(&page, "lcg-deck").await;
        assert!(wanted.is_empty(), "no picture of {wanted:?}");
    })
    .await;
}
