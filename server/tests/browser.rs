//! The client in a real browser: whole games through the page, by mouse and by keyboard; two people and an onlooker;
//! phones; what those hear who do not see; and what a hostile name or sentence does.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "browser/admin.rs"]
mod admin;
#[path = "browser/affairs.rs"]
mod affairs;
#[path = "browser/aimed.rs"]
mod aimed;
#[path = "browser/around.rs"]
mod around;
#[path = "browser/asked.rs"]
mod asked;
#[path = "browser/ccg.rs"]
mod ccg;
#[path = "browser/cdp.rs"]
mod cdp;
#[path = "browser/coach.rs"]
mod coach;
mod common;
#[path = "browser/editions.rs"]
mod editions;
#[path = "browser/elsewhere.rs"]
mod elsewhere;
#[path = "browser/hands.rs"]
mod hands;
#[path = "browser/lcg.rs"]
mod lcg;
#[path = "browser/pictures.rs"]
mod pictures;
#[path = "browser/puppet.rs"]
mod puppet;
#[path = "browser/scenes.rs"]
mod scenes;
#[path = "browser/sights.rs"]
mod sights;
#[path = "browser/stage.rs"]
mod stage;
#[path = "browser/tables.rs"]
mod tables;

use cdp::Page;
use serde_json::{Value, json};
use stage::{Duel, Stage, click_on, in_mid_game, on_stage, one_click, play_now, table_of};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use trilogy_engine::Random;
use trilogy_server::client::{Dice, Rest, Socket};
use trilogy_server::protocol::{CardInfo, ClientMessage, Clock};

// ---- games ----

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_against_a_bot_by_clicks() {
    on_stage(300, async |stage| {
        let page = stage.player().await;
        let mut dice = Dice(1);
        while one_click(&page, &mut dice).await {}
        assert!(page.accepted() >= 5, "a game of {} answers", page.accepted());
        let title = page.text("document.querySelector('dialog.end h2').textContent").await;
        assert!(["You win!", "You lose", "A draw"].contains(&title.as_str()), "{title}");
        let said = page.text("document.querySelector('dialog.end p').textContent").await;
        assert!(said.ends_with("by the rules of the game."), "{said}");
        // What is shown to both, or has several effects, is told once.
        let twice = page
            .eval("[...document.querySelectorAll('.log li')].map((line) => line.textContent).filter((line, at, all) => line === all[at - 1] && / is shown$|: /.test(line))")
            .await;
        assert_eq!(twice, json!([]));
        assert!(!page.text("document.querySelector('.log').textContent").await.contains("->"));
        page.press("the proof", "document.querySelector('dialog.end summary')").await;
        page.until("the seed", "driver.place(document.querySelector('dialog.end .hash'))").await;
        let proof = page.eval("[...document.querySelectorAll('dialog.end .hash')].map((one) => one.textContent)").await;
        let (seed, hash) = (proof[0].as_str().unwrap_or_default(), proof[1].as_str().unwrap_or_default());
        assert_eq!(Random::commitment(&bytes(seed)), hash, "the seed is not the one that was promised");
        page.press("the replay", "driver.button('Watch the replay')").await;
        page.until(
            "the replay",
            "location.pathname.startsWith('/replay/') && document.querySelector('.replay .unit, .replay .table') !== null",
        )
        .await;
        page.is_well();
    })
    .await;
}

/// 32 bytes written in hexadecimal digits.
fn bytes(seed: &str) -> [u8; 32] {
    let read = |at: usize| u8::from_str_radix(seed.get(2 * at..2 * at + 2).unwrap_or_default(), 16);
    assert_eq!(seed.len(), 64, "not a seed: {seed:?}");
    std::array::from_fn(|at| read(at).expect("hexadecimal digits"))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_by_an_invitation_and_neither_sees_the_others_hand() {
    on_stage(300, async |stage| {
        let people = stage.pair("none").await;
        assert_eq!(table_of(&people[0]).await, table_of(&people[1]).await);
        // Nothing has been played: not even the log may name a card of the other's.
        for (own, other) in [(0, 1), (1, 0)] {
            let hand = strings(&people[own].eval("driver.hand()").await);
            assert!(hand.len() >= 3, "{hand:?}");
            let seen = people[other].text("document.body.outerHTML").await;
            let named: Vec<&String> = hand.iter().filter(|title| seen.contains(title.as_str())).collect();
            let own_cards = strings(&people[other].eval("driver.hand()").await);
            let named: Vec<_> = named.into_iter().filter(|title| !own_cards.iter().any(|own| own.contains(title.as_str()))).collect();
            assert!(named.is_empty(), "player {other} sees {named:?}");
        }
        let mut dice = Dice(2);
        let (mut fought, mut over) = (false, false);
        while !fought && !over && people.iter().map(Page::accepted).sum::<u32>() < 30 {
            for person in &people {
                over |= !one_click(person, &mut dice).await;
            }
            nothing_leaks(&people).await;
            fought = people[0].eval("[...document.querySelectorAll('.log li')].some((line) => /attacks/.test(line.textContent))").await
                == json!(true);
        }
        people.iter().for_each(Page::is_well);
        assert!(people.iter().all(|person| person.accepted() > 0), "somebody was never asked");
    })
    .await;
}

/// What one holds in hand, and what does not lie on the table as well, is nowhere on the other's table.
async fn nothing_leaks(people: &[Page; 2]) {
    for (own, other) in [(0, 1), (1, 0)] {
        let secret = strings(&people[own].eval("driver.hand()").await);
        let seen = strings(&people[other].eval("driver.open()").await);
        let open = strings(&people[own].eval("driver.open()").await);
        let own_cards = strings(&people[other].eval("driver.hand()").await);
        let leaked: Vec<_> = seen.intersection(&secret).filter(|title| !open.contains(*title) && !own_cards.contains(*title)).collect();
        if !leaked.is_empty() {
            // It may have been played between the two looks.
            tokio::time::sleep(Duration::from_millis(300)).await;
            let still = strings(&people[own].eval("driver.hand()").await);
            let open = strings(&people[own].eval("driver.open()").await);
            let leaked: Vec<_> = leaked.into_iter().filter(|title| still.contains(*title) && !open.contains(*title)).collect();
            assert!(leaked.is_empty(), "player {other} sees {leaked:?} of player {own}");
        }
    }
}

fn strings(value: &Value) -> BTreeSet<String> {
    value.as_array().into_iter().flatten().filter_map(|one| Some(one.as_str()?.to_string())).collect()
}

// ---- looking on, coming back ----

#[tokio::test(flavor = "multi_thread")]
async fn an_onlooker_sees_the_table_and_neither_hand() {
    on_stage(120, async |stage| {
        let duel = Duel::new(stage, 12).await;
        let page = stage.visitor().await;
        page.press("Watch", &format!("document.querySelector('main a.button[href=\"/table/{}\"]')", duel.table)).await;
        page.until("the table", "document.querySelector('.table.onlooker .unit') !== null").await;
        assert_eq!(table_of(&page).await, duel.table);
        assert_eq!(page.eval("document.querySelector('.hand') === null && driver.prompt() === null").await, json!(true));
        assert!(page.text("document.querySelector('.phase').textContent").await.contains("Watching"));
        let names = page.text("document.querySelector('.table h1').textContent").await;
        assert_eq!(names, "Ana against Ben");
        let cards: Vec<CardInfo> = Rest::nobody(stage.server.addr).get("/api/cards/tcg").await.unwrap();
        let titles: BTreeMap<String, String> = cards.into_iter().map(|card| (card.key, card.title)).collect();
        let (mut secret, mut open) = (BTreeSet::new(), BTreeSet::new());
        let tables = [duel.table(0), duel.table(1)];
        for (id, card) in tables.iter().flat_map(|table| &table.cards) {
            let Some(title) = card.key.as_deref().and_then(|key| titles.get(key)) else { continue };
            // A card face down that was shown in set-up is known to all.
            let known = tables.iter().all(|table| table.cards.get(id).is_some_and(|card| card.key.is_some()));
            if known { &mut open } else { &mut secret }.insert(title.clone());
        }
        assert!(secret.len() > open.intersection(&secret).count(), "nothing is hidden: {secret:?}");
        let seen = strings(&page.eval("driver.titles(document.querySelectorAll('.card-title'))").await);
        assert!(!seen.is_empty() || open.is_empty(), "the onlooker sees nothing of {open:?}");
        let leaked: Vec<_> = seen.intersection(&secret).filter(|title| !open.contains(*title)).collect();
        assert!(leaked.is_empty(), "the onlooker sees {leaked:?}");
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_reload_in_mid_ask_the_same_is_asked() {
    on_stage(180, async |stage| {
        let page = stage.player().await;
        for answers in [0, 3, 4] {
            in_mid_game(stage, &page, answers).await;
            let look =
                "JSON.stringify([driver.question(), driver.hand(), driver.open().sort(), document.querySelector('.phase').textContent])";
            let before = page.text(look).await;
            page.reload().await;
            page.until("the question", "driver.prompt() !== null && document.querySelectorAll('.table .card-title').length > 0").await;
            assert_eq!(page.text(look).await, before);
            assert!(page.eval("document.querySelectorAll('.log li').length").await.as_u64() > Some(0), "the log is empty after a reload");
        }
        page.is_well();
    })
    .await;
}

// ---- by the keyboard ----

#[tokio::test(flavor = "multi_thread")]
async fn forty_answers_by_the_keyboard_alone() {
    on_stage(400, async |stage| {
        let page = stage.visitor().await;
        let mut dice = Dice(3);
        let (mut answers, mut games) = (0, 0);
        while answers < 40 {
            games += 1;
            assert!(games < 30, "{answers} answers in 30 games");
            tab_to(&page, "driver.button('Play now')").await;
            page.key("Enter").await;
            page.until("a table with a question", "location.pathname.startsWith('/table/') && driver.prompt() !== null").await;
            let before = page.accepted();
            while answers + page.accepted() - before < 40 && one_key(&page, &mut dice).await {}
            answers += page.accepted() - before;
            if answers < 40 {
                // The end dialog has the focus and a way back to the lobby.
                tab_to(&page, "driver.button('To the lobby', document.querySelector('dialog.end'))").await;
                page.key("Enter").await;
                page.until("the lobby", "location.pathname === '/' && driver.button('Play now') !== undefined").await;
            }
        }
        page.is_well();
    })
    .await;
}

/// Go to an element with the Tab key.
async fn tab_to(page: &Page, element: &str) {
    page.until("something to go to", &format!("({element}) !== undefined && ({element}) !== null")).await;
    for _ in 0..30 {
        let far = page.eval(&format!("driver.tabs({element})")).await;
        let far = far.as_i64().unwrap_or_else(|| panic!("what the Tab key was to lead to is gone"));
        if far == 0 {
            return;
        }
        // The browser may stop at more than was counted: then it is counted anew.
        for _ in 0..far.unsigned_abs() {
            page.key(if far < 0 { "Shift+Tab" } else { "Tab" }).await;
        }
    }
    panic!("the Tab key does not lead to {}\n{}", page.text(&format!("({element})?.outerHTML.slice(0, 300)")).await, page.told().await);
}

/// Do one thing with Tab, arrows, Enter and P. Returns whether the game goes on.
async fn one_key(page: &Page, dice: &mut Dice) -> bool {
    if page.waits() {
        tokio::time::sleep(Duration::from_millis(5)).await;
        return true;
    }
    // While a question is new, keys that answer do nothing.
    page.until("time to look", "document.querySelector('.prompt.fresh') === null").await;
    let roll = dice.below(1000);
    let is = page.text(&format!("(() => {{ if (document.querySelector('.prompt.fresh')) return 'wait'; const [is, element] = driver.next({roll}); window.wanted = element; return is; }})()")).await;
    let asked = page.eval("driver.asked()").await;
    match is.as_str() {
        "over" => return false,
        "wait" => {
            tokio::time::sleep(Duration::from_millis(10)).await;
            return true;
        }
        "dialog" | "stuck" => panic!("{is}: the keyboard has come to where it should not\n{}", page.told().await),
        "pass" => page.key("p").await,
        "number" => {
            page.until("the focus on the number", "document.activeElement?.matches('.amount-ask input')").await;
            page.key(if roll.is_multiple_of(2) { "ArrowLeft" } else { "ArrowRight" }).await;
            page.key("Enter").await;
        }
        "menu" => {
            page.until("the focus in the menu", "document.activeElement?.closest('.card-menu') !== null").await;
            page.key("Enter").await;
        }
        _ => {
            // Arrows may find something to choose; Tab must.
            let mut found = false;
            for _ in 0..if roll.is_multiple_of(3) { 4 } else { 0 } {
                page.key(["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"][dice.below(4)]).await;
                found = page.eval("driver.options().includes(document.activeElement)").await == json!(true);
                if found || is == "confirm" {
                    break;
                }
            }
            if !found || is == "confirm" {
                tab_to(page, "window.wanted").await;
            }
            page.key("Enter").await;
        }
    }
    // An answer, a choice among several, or a menu: something must come of it.
    let chosen = format!(
        "driver.asked() !== {asked} || document.querySelector('.card-menu, .table .picked, .prompt .picked, dialog.confirm[open]') !== null || driver.next(0)[0] === 'over'"
    );
    let since = Instant::now();
    while !page.is(&chosen).await {
        assert!(
            since.elapsed() < Duration::from_secs(30),
            "the key for {is} did nothing; focus on {}\n{}",
            page.text("document.activeElement?.outerHTML.slice(0, 200)").await,
            page.told().await
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    true
}

// ---- screens ----

const PAGES: [&str; 7] = ["/", "/cards", "/decks", "/rules", "/settings", "/learn", "/history"];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_out_of_reach_on_a_phone() {
    on_stage(240, async |stage| fits(stage, 360, 740).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_out_of_reach_on_a_desk() {
    on_stage(240, async |stage| fits(stage, 1280, 800).await).await;
}

async fn fits(stage: &Stage, width: u32, height: u32) {
    let page = stage.visitor().await;
    page.size(width, height).await;
    let mut faults = Vec::new();
    for path in PAGES {
        page.goto(&stage.url(path)).await;
        filled(&page, path).await;
        faults.extend(sideways(&page, path, width).await);
    }
    page.goto(&stage.url("/")).await;
    play_now(&page).await;
    let mut dice = Dice(4);
    for ask in 0..12 {
        if !click_on(&page, &mut dice, 1).await {
            page.goto(&stage.url("/")).await;
            play_now(&page).await;
        }
        page.until("a question or the end", "driver.prompt() !== null || driver.next(0)[0] === 'over'").await;
        if page.eval("driver.prompt() === null").await == json!(true) {
            continue;
        }
        faults.extend(sideways(&page, &format!("the table at ask {ask}"), width).await);
        // Without any scrolling of ours: what is asked can be read, and something that answers it can be clicked.
        let look = "(() => { const text = document.querySelector('.prompt-text'); const box = text.getBoundingClientRect();
            const ways = [...driver.options(), driver.pass(), driver.confirm()];
            return { prompt: driver.place(text, false) !== null && box.top >= 0 && box.bottom <= innerHeight + 1,
              option: ways.some((way) => way && driver.place(way, false) !== null), asked: driver.question() }; })()";
        let (mut seen, since) = (Value::Null, Instant::now());
        // The table may be on its way to another arena.
        while since.elapsed() < Duration::from_secs(2) {
            // A second click that came too late for its question has opened the details of a card.
            if page.eval("document.querySelector('dialog.sheet[open]') !== null").await == json!(true) {
                page.press("the way out", "document.querySelector('dialog.sheet .close')").await;
            }
            seen = page.eval(look).await;
            if seen["prompt"] == json!(true) && seen["option"] == json!(true) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        if seen["prompt"] != json!(true) || seen["option"] != json!(true) {
            faults.push(format!("at ask {ask} of the table: {seen}"));
        }
    }
    assert!(faults.is_empty(), "at {width}x{height}:\n{}", faults.join("\n"));
    page.is_well();
}

/// Wait until a page has what it fetches.
async fn filled(page: &Page, path: &str) {
    page.until(
        &format!("all of {path}"),
        "document.querySelector('main h1') !== null && !document.querySelector('main .pending, main .loading')",
    )
    .await;
}

/// What sticks out of a page that is too wide.
async fn sideways(page: &Page, what: &str, width: u32) -> Option<String> {
    let wide = page
        .eval(&format!(
            "document.documentElement.scrollWidth <= {width} ? null : {{ is: document.documentElement.scrollWidth,
              by: [...document.querySelectorAll('main *')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > {width} + 1)
                .slice(0, 5).map((one) => one.tagName + '.' + one.className) }}"
        ))
        .await;
    (!wide.is_null()).then(|| format!("{what} scrolls sideways: {wide}"))
}

/// What comes over the line before somebody can press "Play now": everything that the first page loads.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_page_is_light() {
    on_stage(60, async |stage| {
        let page = stage.visitor().await;
        page.until("a button to play", "driver.place(driver.button('Play now'))").await;
        let sizes = page
            .eval("[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((one) => [one.name, one.transferSize])")
            .await;
        let sizes: Vec<(String, u64)> = serde_json::from_value(sizes).unwrap();
        let total: u64 = sizes.iter().map(|(_, size)| size).sum();
        assert!(sizes.len() > 20 && total > 20_000, "not all was measured: {sizes:?}");
        assert!(total < 400 * 1024, "{total} bytes: {sizes:#?}");
        page.is_well();
    })
    .await;
}

// ---- for those who hear the page or see it badly ----

const AXE: &str = include_str!("vendor/axe.min.js");

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_serious() {
    on_stage(400, async |stage| {
        let page = stage.visitor().await;
        let mut found = BTreeMap::new();
        for scheme in ["dark", "light"] {
            page.prefers(scheme, "reduce").await;
            for path in PAGES {
                page.goto(&stage.url(path)).await;
                filled(&page, path).await;
                axe(&page, &format!("{path} ({scheme})"), &mut found).await;
            }
            page.goto(&stage.url("/")).await;
            play_now(&page).await;
            in_mid_game(stage, &page, 6).await;
            let table = table_of(&page).await;
            axe(&page, &format!("table ({scheme})"), &mut found).await;
            page.press("the moves", "document.querySelector('[aria-label^=\"All moves\"]')").await;
            page.until("the list of moves", "document.querySelector('dialog[open]') !== null").await;
            axe(&page, &format!("all moves ({scheme})"), &mut found).await;
            page.goto(&stage.url(&format!("/replay/{table}"))).await;
            page.until("the replay", "document.querySelector('.replay-controls') !== null").await;
            axe(&page, &format!("replay ({scheme})"), &mut found).await;
            // On a phone the board scrolls, also while nothing lies on it; and a card may be held up.
            page.size(360, 740).await;
            page.goto(&stage.url("/")).await;
            axe(&page, &format!("lobby on a phone ({scheme})"), &mut found).await;
            play_now(&page).await;
            axe(&page, &format!("empty table on a phone ({scheme})"), &mut found).await;
            let (x, y) = page.place("a card", "document.querySelector('.hand .face-of')").await;
            page.touch(x, y).await;
            page.until("the card in large", "document.querySelector('.zoom-more')").await;
            page.lift().await;
            axe(&page, &format!("a card held up ({scheme})"), &mut found).await;
            page.size(1280, 800).await;
        }
        let list: Vec<String> = found.into_iter().map(|(fault, places)| format!("{fault}\n    at {}", places.join(", "))).collect();
        assert!(list.is_empty(), "{} serious findings\n{}", list.len(), list.join("\n"));
        page.is_well();
    })
    .await;
}

/// Serious and critical findings, each with the pages it is on.
async fn axe(page: &Page, name: &str, found: &mut BTreeMap<String, Vec<String>>) {
    if page.eval("typeof axe").await == json!("undefined") {
        page.eval(&format!("{AXE}; undefined")).await;
    }
    let faults = page
        .eval(
            "axe.run(document, { resultTypes: ['violations'] }).then((report) => report.violations
               .filter((one) => one.impact === 'serious' || one.impact === 'critical')
               .flatMap((one) => one.nodes.slice(0, 8).map((node) => `${one.impact} ${one.id}: ${node.target.join(' ')}\\n    ${node.failureSummary.replace(/\\s+/g, ' ')}`)))",
        )
        .await;
    assert!(faults.is_array(), "axe did not run: {faults}");
    for fault in strings(&faults) {
        found.entry(fault).or_default().push(name.to_string());
    }
}

// ---- hostile words ----

#[tokio::test(flavor = "multi_thread")]
async fn names_and_chat_are_text_and_inline_scripts_do_not_run() {
    on_stage(120, async |stage| {
        let (name, words) = ("<i id=pwned>Eve</i>", "<img src=x onerror='window.pwned=1'><script>window.pwned=2</script>");
        let eve = Rest::guest(stage.server.addr, name).await.unwrap();
        let table = eve.opens(Clock::None).await.unwrap().id;
        let page = stage.visitor().await;
        page.until("the table in the lobby", &format!("document.body.innerText.includes({})", json!(name))).await;
        unharmed(&page).await;
        page.goto(&stage.url(&format!("/join/{table}"))).await;
        page.until("the invitation", &format!("document.querySelector('h1')?.textContent.includes({})", json!(name))).await;
        unharmed(&page).await;
        page.press("Sit down", "driver.button('Sit down')").await;
        page.until("the table", "document.querySelector('.table .hand') !== null").await;
        page.press("the chat", "[...document.querySelectorAll('[role=tab]')].find((tab) => tab.textContent.startsWith('Chat'))").await;
        let mut socket = Socket::at(&eve, &table).await.unwrap();
        socket.send(&ClientMessage::Chat { table: table.clone(), text: words.into() }).await.unwrap();
        let said = page.until("what Eve says", "document.querySelector('.chat li')?.firstChild && document.querySelector('.chat li').textContent").await;
        let said = said.as_str().unwrap_or_default();
        assert!(said.contains(words) && said.contains(name), "{said}");
        let seat = page.text("document.querySelector('.seatbar.other .who b').textContent").await;
        assert_eq!(seat, name);
        unharmed(&page).await;
        page.is_well();
        // Should a script get into the page all the same, it is not run.
        let policy = page.text(&format!("fetch({}).then((reply) => reply.headers.get('content-security-policy'))", json!(stage.url("/")))).await;
        let scripts = policy.split(';').map(str::trim).find(|part| part.starts_with("script-src")).unwrap_or_default();
        assert!(scripts.contains("'self'") && !scripts.contains("unsafe") && !scripts.contains('*'), "{policy}");
        page.eval(
            "(() => { const script = document.createElement('script'); script.textContent = 'window.pwned = 3'; document.head.append(script);
               const image = document.createElement('div'); image.innerHTML = '<img src=x onerror=\"window.pwned=4\">'; document.body.append(image); })()",
        )
        .await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        unharmed_by_scripts(&page).await;
    })
    .await;
}

async fn unharmed(page: &Page) {
    assert_eq!(page.eval("document.getElementById('pwned') === null && document.querySelector('img[src=x]') === null").await, json!(true));
    unharmed_by_scripts(page).await;
}

async fn unharmed_by_scripts(page: &Page) {
    assert_eq!(page.eval("window.pwned ?? 'nothing'").await, json!("nothing"), "a script was run");
}
