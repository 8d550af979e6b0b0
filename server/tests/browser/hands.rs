//! What hands do at the table beyond clicking: tapping and holding on a phone, the right button, asking why not and
//! where a number comes from, putting things in order.

use crate::cdp::Page;
use crate::stage::{Stage, click_on, in_mid_game, on_stage, one_click, settled};
use serde_json::{Value, json};
use std::time::Duration;
use trilogy_server::client::Dice;

const SHEET: &str = "document.querySelector('dialog.sheet[open]')";

async fn tap_on(page: &Page, what: &str, element: &str) {
    let (x, y) = page.place(what, element).await;
    page.tap(x, y).await;
}

/// Do one thing by a finger. Returns whether the game goes on.
async fn one_tap(page: &Page, dice: &mut Dice) -> bool {
    if page.waits() {
        tokio::time::sleep(Duration::from_millis(5)).await;
        return true;
    }
    // On a slow machine a tap may be so long that it holds a card up.
    if page.is("document.querySelector('.zoom-held') !== null").await {
        page.tap(20.0, 90.0).await;
        page.until("the table", "document.querySelector('.zoom-held') === null").await;
    }
    let step = page.eval(&format!("driver.step({})", dice.below(1000))).await;
    match (step["is"].as_str(), step["at"]["x"].as_f64(), step["at"]["y"].as_f64()) {
        (Some("over"), ..) => return false,
        (Some("stuck"), ..) => panic!("nothing can be tapped\n{}", page.told().await),
        (_, Some(x), Some(y)) => {
            let asked = page.eval("driver.asked()").await;
            page.tap(x, y).await;
            settled(page, &asked).await;
        }
        _ => tokio::time::sleep(Duration::from_millis(30)).await,
    }
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_is_played_by_taps_and_a_long_press_shows_a_card() {
    on_stage(180, async |stage| {
        let page = stage.visitor().await;
        page.size(360, 740).await;
        page.goto(&stage.url("/")).await;
        tap_on(&page, "Play now", "driver.button('Play now')").await;
        page.until("a table with a question", "location.pathname.startsWith('/table/') && driver.prompt() !== null").await;
        let mut dice = Dice(6);
        let ready = "driver.prompt() !== null && document.querySelector('.hand .card-title') !== null && document.querySelector('dialog[open], .card-menu, .zoom-held') === null";
        while page.accepted() < 6 || !page.is(ready).await {
            if !one_tap(&page, &mut dice).await {
                // Games against this bot can be short: another one.
                tap_on(&page, "To the lobby", "driver.button('To the lobby', document.querySelector('dialog.end') ?? undefined)").await;
                tap_on(&page, "Play now", "driver.button('Play now')").await;
                page.until("a table with a question", "location.pathname.startsWith('/table/') && driver.prompt() !== null").await;
            }
        }
        page.until("rest", "!document.querySelector('dialog[open], .card-menu')").await;

        // The finger that looks plays nothing; the picture stays until it is tapped away.
        let before = (page.accepted(), page.eval("driver.question()").await);
        let card = "document.querySelector('.hand .face-of.legal') ?? document.querySelector('.hand .face-of')";
        for details in [false, true] {
            let (x, y) = page.place("a card", card).await;
            page.touch(x, y).await;
            page.until("the card in large", "document.querySelector('.zoom .card.large')?.checkVisibility({ visibilityProperty: true })").await;
            page.lift().await;
            tokio::time::sleep(Duration::from_millis(150)).await;
            assert!(page.is("document.querySelector('.zoom') !== null").await, "the picture is gone with the finger");
            if details {
                tap_on(&page, "the details", "document.querySelector('.zoom-more')").await;
                page.until("the details", &format!("{SHEET} !== null && document.querySelector('.zoom') === null")).await;
                tap_on(&page, "the way out", &format!("{SHEET}.querySelector('.close')")).await;
            } else {
                page.tap(20.0, 90.0).await;
            }
            page.until("the table again", &format!("document.querySelector('.zoom') === null && {SHEET} === null")).await;
        }
        assert_eq!((page.accepted(), page.eval("driver.question()").await), before, "looking has played something");

        // The parts of the board beyond the edge are a tap away.
        for place in ["Character", "Space", "Build"] {
            tap_on(&page, place, &format!("driver.button({}, document.querySelector('.place-tabs')) ?? [...document.querySelectorAll('.place-tabs button')].find((one) => one.textContent.trim() === {})", json!(place), json!(place))).await;
            page.until(place, &format!("(() => {{ const box = document.querySelector('[data-place={}]').getBoundingClientRect(); return box.left > -20 && box.right < innerWidth + 20; }})()", place.to_lowercase())).await;
        }
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_played_says_why_with_a_rule_that_opens() {
    on_stage(180, async |stage| {
        let page = stage.player().await;
        refused_card(stage, &page).await;
        let links = page
            .eval(&format!("[...{SHEET}.querySelectorAll('.reasons a.rule')].map((link) => [link.textContent, link.getAttribute('href')])"))
            .await;
        let Some([Value::String(rule), Value::String(path)]) = links[0].as_array().map(Vec::as_slice) else { panic!("no rule: {links}") };
        let said = page.text(&format!("{SHEET}.querySelector('.reasons li span').textContent")).await;
        assert!(said.contains(' '), "not a reason: {said:?}");
        page.goto(&stage.url(path)).await;
        page.until("the rule", &format!("document.activeElement?.id === {}", json!(rule))).await;
        let shown = page.place("the rule in sight", &format!("document.getElementById({})", json!(rule))).await;
        assert!(shown.1 > 0.0 && shown.1 < 800.0);
        page.is_well();
    })
    .await;
}

/// Open the details of a card in hand for which the rules have a refusal with its rule; play on where there is none,
/// in another game where this one is over.
pub(crate) async fn refused_card(stage: &Stage, page: &Page) {
    let mut dice = Dice(9);
    for _ in 0..100 {
        page.until("a question or the end", "driver.prompt() !== null || driver.next(0)[0] === 'over'").await;
        for at in 0..8 {
            let card = format!("[...document.querySelectorAll('.hand .face-of:not(.legal)')][{at}]");
            if page.is(&format!("driver.prompt() === null || document.querySelector('.amount-ask') !== null || {card} === undefined")).await
            {
                break;
            }
            page.press("a card", &card).await;
            page.until(
                "an answer",
                "[...document.querySelectorAll('.sheet section p, .sheet .reasons li')].some((one) => !/Asking/.test(one.textContent))",
            )
            .await;
            if page.is("document.querySelector('.sheet .reasons a.rule') !== null").await {
                return;
            }
            page.press("the way out", "document.querySelector('dialog.sheet .close')").await;
        }
        let before = page.accepted();
        while page.accepted() == before {
            if !one_click(page, &mut dice).await {
                page.goto(&stage.url("/")).await;
                crate::play_now(page).await;
            }
        }
    }
    panic!("no card of the hand says why it cannot be played");
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_open_into_what_they_are_made_of_and_the_right_button_shows_them() {
    on_stage(180, async |stage| {
        let page = stage.player().await;
        in_mid_game(stage, &page, 6).await;
        let (x, y) = page.place("a unit", "document.querySelector('.arena:not(.building) .unit > .face-of[data-card]:has(.card-stats)')").await;
        page.right_click(x, y).await;
        page.until("its details", &format!("{SHEET} !== null")).await;
        let numbers = page.eval(&format!("[...{SHEET}.querySelectorAll('.number')].map((one) => [one.querySelector('small').textContent, one.querySelector('b').textContent])")).await;
        let numbers: Vec<(String, String)> = serde_json::from_value(numbers).unwrap();
        assert!(numbers.len() >= 4, "{numbers:?}");
        for (at, (name, value)) in numbers.iter().enumerate().take(4) {
            page.press(name, &format!("{SHEET}.querySelectorAll('.number')[{at}]")).await;
            let sum = format!("{SHEET}.querySelector('.trace .sum')?.innerText.replace(/\\s+/g, ' ')");
            page.until(&format!("what {name} is made of"), &format!("{sum} === {}", json!(format!("{value} {name} now")))).await;
            assert!(page.is(&format!("{SHEET}.querySelectorAll('.trace li:not(.sum)').length > 0 && {SHEET}.querySelectorAll('.number')[{at}].ariaExpanded === 'true'")).await, "{name} comes from nothing");
        }
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keywords_of_units_are_on_their_small_faces() {
    on_stage(240, async |stage| {
        let page = stage.player().await;
        let mut dice = Dice(2);
        let missing = "fetch(`/api/tables/${location.pathname.split('/').pop()}/view`).then((reply) => reply.json()).then((table) => {
            const words = ['accuracy', 'armor', 'bombard', 'critical_hit', 'ion_cannon', 'lucky', 'overkill', 'shields', 'stun'];
            const units = Object.values(table.cards).filter((card) => ['space', 'ground', 'character'].includes(card.zone) && card.key && !card.parent);
            const has = units.flatMap((card) => words.filter((word) => card.values[word]).map((word) => [card.id, word]));
            return { has: has.length, missing: has.filter(([id, word]) => !document.querySelector(`.arena [data-card=\"${id}\"] .card-word-sign[data-word=${word}]`)) }; })";
        for _ in 0..40 {
            if !click_on(&page, &mut dice, 2).await {
                page.goto(&stage.url("/")).await;
                crate::play_now(&page).await;
            }
            page.until("a question or the end", "driver.prompt() !== null || driver.next(0)[0] === 'over'").await;
            let found = page.eval(missing).await;
            if found["has"].as_u64() > Some(0) {
                assert_eq!(found["missing"], json!([]));
                return page.is_well();
            }
        }
        panic!("no unit had a keyword");
    })
    .await;
}

/// No rule of the tcg asks for an order, so the question is put into the page in place of the real one.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_given_by_choosing_one_after_the_other() {
    on_stage(120, async |stage| {
        let page = stage.visitor().await;
        page.prepare(
            "window.sent = []; window.seq = 0;
             const Real = WebSocket;
             window.WebSocket = class extends Real {
               constructor(...all) { super(...all); window.line = this;
                 this.addEventListener('message', (event) => { const said = JSON.parse(event.data); if (said.type === 'update') { window.seq = said.seq; window.last = said; } }); }
               send(text) { const said = JSON.parse(text); if (said.type === 'answer') window.sent.push(said); else super.send(text); } };",
        )
        .await;
        page.goto(&stage.url("/")).await;
        crate::play_now(&page).await;
        let put = "(() => { const card = Number(document.querySelector('.hand .face-of').dataset.card);
            const options = [{ label: 'the first trigger', card, target: null }, { label: 'the second trigger', card, target: null }, { label: 'a third', card: null, target: null }];
            const ask = { number: 9000, seat: 1, question: { kind: 'order', prompt: 'In which order?', options, least: null, most: null } };
            ask.seat = window.last.patch.seat;
            window.line.onmessage({ data: JSON.stringify({ type: 'update', table: location.pathname.split('/').pop(), base: window.seq, seq: window.seq, patch: { ask }, log: [], moves: [] }) }); return true; })()";
        page.eval(put).await;
        page.until("the question", "document.querySelector('.prompt-text').textContent === 'In which order?'").await;
        let option = |at: usize| format!("document.querySelectorAll('.prompt .in-order')[{at}]");
        let turns = "[...document.querySelectorAll('.prompt .in-order .turn')].map((turn) => turn.textContent).join(' ')";
        assert_eq!(page.text(turns).await, "– – –");
        assert!(page.is("!driver.button('Take this order').disabled").await, "as they stand they are in an order");
        for at in [2, 0, 1] {
            page.press("an option", &option(at)).await;
        }
        page.until("the order", &format!("{turns} === '2 3 1'")).await;
        // One is taken out and put last.
        page.press("an option", &option(2)).await;
        page.until("what is left", &format!("{turns} === '1 2 –'")).await;
        page.press("an option", &option(2)).await;
        page.until("the order", &format!("{turns} === '1 2 3'")).await;
        // One that is taken out follows the others.
        page.press("an option", &option(0)).await;
        page.until("the rest", &format!("{turns} === '– 1 2'")).await;
        page.press("the button", "driver.button('Take this order')").await;
        let sent = page.until("the answer", "window.sent[0]").await;
        assert_eq!((&sent["ask"], &sent["answer"]), (&json!(9000), &json!({ "pick": [1, 2, 0] })));
    })
    .await;
}
