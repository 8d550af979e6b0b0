//! What a page shows of matches that began before the cards and rules of today: their cards say what they said, and one that
//! cannot be read has a page that says so. And what becomes of an open page when the server changes its cards.

use crate::axe;
use crate::cdp::Page;
use crate::common::Place;
use crate::sideways;
use crate::stage::{Duel, Stage, in_menu, on_stage, on_stage_at, play_now, server_at};
use crate::tables::is_sound;
use serde_json::json;
use std::collections::BTreeMap;
use trilogy_engine::journal::hex;
use trilogy_games::archive;
use trilogy_server::client::{Dice, Rest};
use trilogy_server::protocol::ClientMessage;
use trilogy_server::start;
use trilogy_server::store::{CatalogueRow, Store};

const SIZES: [(u32, u32); 2] = [(1280, 800), (360, 740)];

/// Matches of Ana's that were left behind by a server that has stopped: one in play, one that is over.
struct LeftBehind {
    ana: Rest,
    playing: String,
    over: String,
}

async fn left_behind(place: &Place) -> LeftBehind {
    let server = server_at(place).await;
    let (ana, ben) = (Rest::guest(server.addr, "Ana").await.unwrap(), Rest::guest(server.addr, "Ben").await.unwrap());
    let decks = ["droid_host", "jedi_council"];
    let mut playing = Duel::between([&ana, &ben], "tcg", decks).await;
    // A random game may be over before it is worth a look.
    let mut dice = Dice(1);
    while !playing.plays(8, &mut dice).await {
        playing = Duel::between([&ana, &ben], "tcg", decks).await;
    }
    let mut over = Duel::between([&ana, &ben], "tcg", decks).await;
    over.plays(3, &mut Dice(2)).await;
    over.sockets[0].send(&ClientMessage::Resign { table: over.table.clone() }).await.unwrap();
    while !over.sockets[0].followed(&over.table).unwrap().is_over() {
        over.sockets[0].next().await.unwrap();
    }
    let left = LeftBehind { ana, playing: playing.table.clone(), over: over.table.clone() };
    server.stop().await;
    left
}

/// As if all matches so far had begun with cards that said something else.
async fn with_cards_of_before(place: &Place) -> String {
    let mut before = trilogy_games::find("tcg").unwrap().catalogue().unwrap();
    for card in &mut before.cards {
        card.text = vec![format!("What {} said of old.", card.title)];
    }
    before.seal();
    let (hash, bytes) = (hex(&before.hash), archive::pack(&before));
    let head = archive::head(&bytes).unwrap();
    let store = Store::open(&place.folder.to_string_lossy()).await.unwrap();
    let row = CatalogueRow { hash: hash.clone(), game: "tcg".into(), format: head.format, meaning: head.meaning, bytes };
    store.put_catalogue(&row).await.unwrap();
    store.close().await;
    place.change(format!("UPDATE matches SET catalogue = '{hash}'")).await;
    hash
}

/// What a card of the newest says, and its key.
async fn a_card_that_says_something(page: &Page) -> String {
    let key = page.until("a card with a text", "(async () => { const cards = await (await fetch('/api/cards/tcg')).json(); const hand = new Set(driver.hand()); return cards.find((card) => hand.has(card.title) && card.text.length > 0)?.key })()");
    key.await.as_str().unwrap().to_string()
}

/// Where the page has fetched cards from.
const CARDS_FETCHED: &str =
    "performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('/api/cards/'))";

async fn no_wider(page: &Page, what: &str, width: u32) {
    assert_eq!(sideways(page, what, width).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_of_an_older_match_say_what_they_said() {
    let place = Place::folder();
    let left = left_behind(&place).await;
    let hash = with_cards_of_before(&place).await;
    on_stage_at(place, 300, async |stage| {
        for (width, height) in SIZES {
            let page = stage.known(&left.ana).await;
            page.size(width, height).await;
            page.goto(&stage.url(&format!("/table/{}", left.playing))).await;
            page.until("the table", "document.querySelectorAll('.table .hand .card-title').length > 0").await;
            let key = a_card_that_says_something(&page).await;
            older_table(&page, &hash, width).await;
            // The coach of a guided game reads the same cards.
            page.goto(&stage.url(&format!("/learn/{}", left.playing))).await;
            page.until(
                "the coach",
                "document.querySelector('.coach-now') !== null && document.querySelectorAll('.hand .card-title').length > 0",
            )
            .await;
            let fetched = page.eval(CARDS_FETCHED).await;
            assert!(
                fetched.as_array().is_some_and(|all| all.len() == 1) && fetched[0].as_str().is_some_and(|one| one.ends_with(&hash)),
                "{fetched}"
            );
            older_replay(stage, &page, &left.over, width).await;
            // What is not about a match is about the newest.
            page.goto(&stage.url(&format!("/cards?card={}", key.replace(' ', "%20")))).await;
            let text = page.until("the card", "document.querySelector('dialog[open] .card-text')?.textContent").await;
            assert!(!text.as_str().unwrap().contains("said of old"), "{text}");
            page.is_well();
        }
    })
    .await;
}

/// Hand, details and log of a match with other cards, and what its menu says of them.
async fn older_table(page: &Page, hash: &str, width: u32) {
    let fetched = page.eval(&format!("{CARDS_FETCHED}.filter((name) => name.includes('catalogue='))")).await;
    assert_eq!(fetched.as_array().map(Vec::len), Some(1), "the cards are fetched once: {fetched}");
    assert!(fetched[0].as_str().is_some_and(|path| path.ends_with(&format!("?catalogue={hash}"))), "{fetched}");
    let (x, y) = page.place("a card in the hand", "document.querySelector('.hand .face-of')").await;
    page.right_click(x, y).await;
    let text = page.until("its details", "document.querySelector('dialog.sheet[open] .card-text')?.textContent").await;
    assert!(text.as_str().unwrap().contains("said of old"), "{text}");
    page.press("the way out", "document.querySelector('dialog.sheet .close')").await;
    if width > 600 {
        let (x, y) = page.place("a card in the log", "[...document.querySelectorAll('.log .card-word')].at(-1)").await;
        page.hover(x, y).await;
        let text = page.until("the card in large", "document.querySelector('.zoom .card-text')?.textContent").await;
        assert!(text.as_str().unwrap().contains("said of old"), "{text}");
        page.hover(2.0, 2.0).await;
    }
    page.press("the menu", "document.querySelector('[aria-label=\"Settings of this table\"]')").await;
    let said = page.until("the line", "document.querySelector('dialog[open] .edition')?.textContent").await;
    assert!(said.as_str().unwrap().contains(&hash[..12]), "{said}");
    no_wider(page, "the table", width).await;
}

async fn older_replay(stage: &Stage, page: &Page, over: &str, width: u32) {
    page.goto(&stage.url(&format!("/replay/{over}"))).await;
    let said = page.until("the line", "document.querySelector('.replay .edition')?.textContent").await;
    assert!(said.as_str().unwrap().contains("cards and rules of before"), "{said}");
    page.until("the cards", "document.querySelectorAll('.open-hand .card-title').length > 0").await;
    let (x, y) = page.place("a card", "document.querySelector('.open-hand .face-of')").await;
    page.touch(x, y).await;
    let text = page.until("the card in large", "document.querySelector('.zoom .card-text')?.textContent").await;
    page.lift().await;
    assert!(text.as_str().unwrap().contains("said of old"), "{text}");
    no_wider(page, "the replay", width).await;
}

/// What another release has told of cards, and the browser has kept, may lack what this one's page expects.
#[tokio::test(flavor = "multi_thread")]
async fn cards_that_lack_something_are_shown_all_the_same() {
    let place = Place::folder();
    let left = left_behind(&place).await;
    with_cards_of_before(&place).await;
    on_stage_at(place, 120, async |stage| {
        let page = stage.known(&left.ana).await;
        page.prepare(
            "{ const real = window.fetch; window.fetch = async (path, more) => { const reply = await real(path, more);
                 if (!String(path).includes('catalogue=')) return reply;
                 const cards = (await reply.json()).map(({ key, title }) => ({ key, title }));
                 return new Response(JSON.stringify(cards), { headers: { 'content-type': 'application/json' } }); }; }",
        )
        .await;
        page.goto(&stage.url(&format!("/table/{}", left.playing))).await;
        page.until("the table", "document.querySelectorAll('.table .hand .card-title').length > 0").await;
        let (x, y) = page.place("a card in the hand", "document.querySelector('.hand .face-of')").await;
        page.right_click(x, y).await;
        page.until("its details", "document.querySelector('dialog.sheet[open] .card-title')").await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_of_a_new_match_are_fetched_once() {
    on_stage(120, async |stage| {
        let page = stage.player().await;
        in_menu(&page, "Keys").await;
        assert!(page.is("document.querySelector('.edition') === null").await, "a match with the newest cards says nothing of them");
        page.key("Escape").await;
        page.press("the lobby", "document.querySelector('.leave')").await;
        page.press("the cards", "document.querySelector('header a[href=\"/cards\"]')").await;
        page.until("the cards", "document.querySelectorAll('main .card-title').length > 10").await;
        let fetched = page.eval(CARDS_FETCHED).await;
        assert_eq!(fetched.as_array().map(Vec::len), Some(1), "{fetched}");
        page.is_well();
    })
    .await;
}

/// The server of this test cannot change its cards: the page is told as if it had.
const OTHER_CARDS: &str = r#"{
  const real = window.fetch;
  const said = (value) => new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });
  window.fetch = async (path, more) => {
    if (!window.changed) return real(path, more);
    if (String(path) === "/api/games") return said((await (await real(path, more)).json()).map((one) => ({ ...one, catalogue: `${window.changed}` })));
    if (String(path).endsWith(`/api/cards/tcg?catalogue=${window.changed}`)) return said((await (await real("/api/cards/tcg")).json()).map((card) => ({ ...card, text: [`Newly said: ${window.changed}.`] })));
    return real(path, more);
  };
  const Real = WebSocket;
  window.WebSocket = class extends Real { constructor(...all) { super(...all); window.line = this; } };
}"#;

#[tokio::test(flavor = "multi_thread")]
async fn an_open_page_takes_up_changed_cards() {
    on_stage(120, async |stage| {
        let page = stage.person().await;
        page.prepare(OTHER_CARDS).await;
        page.goto(&stage.url("/")).await;
        play_now(&page).await;
        let key = a_card_that_says_something(&page).await;
        page.press("the lobby", "document.querySelector('.leave')").await;
        page.press("the cards", "document.querySelector('header a[href=\"/cards\"]')").await;
        page.until("the cards", "document.querySelectorAll('main .card-title').length > 10").await;
        page.eval("window.changed = 'aa11'").await;
        // A welcome, as after the server was started anew.
        page.eval("line.onmessage({ data: JSON.stringify({ type: 'welcome', protocol: 1, build: '', catalogues: { tcg: 'aa11' }, name: null, message_of_the_day: '' }) })").await;
        let says = |what: &str| format!("[...document.querySelectorAll('main .card-text')].some((text) => text.textContent.includes('{what}'))");
        page.until("the changed cards", &says("Newly said: aa11")).await;
        // Without a line, whoever comes back to the page after a while looks.
        page.eval("window.changed = 'bb22'; const late = performance.now() + 60_000; performance.now = () => late").await;
        page.eval("document.dispatchEvent(new Event('visibilitychange'))").await;
        page.until("the cards that changed again", &says("Newly said: bb22")).await;
        // The match that is still played knows nothing of it.
        page.eval("history.back()").await;
        page.eval("history.back()").await;
        page.until("the table", "document.querySelectorAll('.table .hand .card-title').length > 0").await;
        let card = format!("[...document.querySelectorAll('.hand .face-of')].find((card) => card.textContent.includes({}))", json!(title_of(&key)));
        let (x, y) = page.place("a card in the hand", &card).await;
        page.right_click(x, y).await;
        let text = page.until("its details", "document.querySelector('dialog.sheet[open] .card-text')?.textContent").await;
        assert!(!text.as_str().unwrap().contains("Newly said"), "{text}");
        page.is_well();
    })
    .await;
}

/// "Yoda" for "Yoda (A)".
fn title_of(key: &str) -> &str {
    key.split(" (").next().unwrap_or(key)
}

/// Which match it is, why it cannot be read, that nothing is lost, and no board or sign of waiting beside.
async fn says_that_it_cannot_be_read(page: &Page, id: &str, width: u32) {
    page.until("what is wrong", "document.querySelector('.unreadable .notice')?.textContent.includes('not here')").await;
    let said = page.text("document.querySelector('.unreadable').innerText").await;
    for part in ["cannot be read", "Nothing is lost", "What to do", id] {
        assert!(said.contains(part), "no {part:?} in {said}");
    }
    assert!(page.is("document.querySelector('.loading, .pending, .board') === null").await, "{said}");
    page.place("a way on", "driver.button('Try again')").await;
    page.place("the way out", "driver.button('To the lobby')").await;
    no_wider(page, "the page of a match that cannot be read", width).await;
    let mut found = BTreeMap::new();
    axe(page, "the page of a match that cannot be read", &mut found).await;
    is_sound(found);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_cannot_be_read_says_so() {
    let place = Place::folder();
    let left = left_behind(&place).await;
    place.change("UPDATE matches SET catalogue = 'another' || catalogue".into()).await;
    on_stage_at(place, 180, async |stage| {
        for (width, height) in SIZES {
            let page = stage.known(&left.ana).await;
            page.size(width, height).await;
            for path in ["/table/", "/learn/", "/replay/"] {
                page.goto(&stage.url(&format!("{path}{}", left.playing))).await;
                says_that_it_cannot_be_read(&page, &left.playing, width).await;
            }
            page.goto(&stage.url(&format!("/replay/{}", left.over))).await;
            says_that_it_cannot_be_read(&page, &left.over, width).await;
            page.goto(&stage.url("/table/nosuchtable")).await;
            page.until("that there is none", "document.querySelector('.empty')?.innerText.includes('there is no such table')").await;
        }
    })
    .await;
}

/// A page that was open while a release came that cannot read its match, and then one that can.
#[tokio::test(flavor = "multi_thread")]
async fn an_open_table_says_that_it_cannot_be_read_until_it_can() {
    on_stage(180, async |stage| {
        let place = Place::folder();
        let first = server_at(&place).await;
        let config = trilogy_server::Config { listen: first.addr, ..crate::stage::config_at(&place) };
        let page = stage.person().await;
        page.goto(&first.url()).await;
        play_now(&page).await;
        let hand = page.eval("driver.hand()").await;
        let id = crate::stage::table_of(&page).await;
        first.stop().await;
        place.change("UPDATE matches SET catalogue = 'another' || catalogue".into()).await;
        let second = start(config.clone()).await.expect("the next server starts");
        says_that_it_cannot_be_read(&page, &id, 1280).await;
        second.stop().await;
        place.change("UPDATE matches SET catalogue = replace(catalogue, 'another', '')".into()).await;
        let third = start(config).await.expect("and the one after it");
        page.until("the table again", "driver.prompt() !== null && document.querySelectorAll('.hand .card-title').length > 0").await;
        assert_eq!(page.eval("driver.hand()").await, hand);
        third.stop().await;
    })
    .await;
}
