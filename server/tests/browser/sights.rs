//! What is seen at the table when much is going on: nothing covers what is asked, nothing is cut off, nothing moves the
//! board, and nothing is told before it is shown.

use crate::cdp::Page;
use crate::puppet::{MOVING, STILL, Setting, area, keys, overlap, puppet, search, sent, steady, window, within};
use crate::stage::on_stage;
use serde_json::json;
use std::collections::BTreeMap;

const BOARD: &str = "document.querySelector('.board')";

// ---- a card that is being played ----

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_is_played_leaves_the_board_of_a_lesson_where_it_is() {
    on_stage(300, async |stage| {
        for (game, zone) in [("lcg", "table"), ("ccg", "stack")] {
            let page = puppet(stage, game, (1280, 800), true, STILL).await;
            let [key]: [String; 1] = keys(&page, game, "() => true", 1).await.try_into().unwrap();
            for size in [(1280, 800), (1024, 768), (1440, 900), (900, 700), (390, 844)] {
                page.size(size.0, size.1).await;
                let parts = [
                    BOARD,
                    "document.querySelector('.table-top')",
                    "document.querySelector('.table-bottom')",
                    "document.querySelector('.hand')",
                ];
                let before = steady(&page, &parts).await;
                page.eval(&format!("window.played = put_cards([{}], '{zone}')[0]", json!(key))).await;
                page.until("the card", "document.querySelector(`.under-way [data-card=\"${played}\"]`)").await;
                assert_eq!(steady(&page, &parts).await, before, "{game} at {size:?}: {parts:?}");
                let (played, window) = (area(&page, "document.querySelector('.under-way')").await, window(&page).await);
                assert!(within(played, window), "{game} at {size:?}: {played:?}");
                page.eval("put_card(played, `discard.${known.seat}`)").await;
                page.until("that it is over", "document.querySelector('.under-way') === null").await;
            }
            page.is_well();
        }
    })
    .await;
}

// ---- destinies, dice and totals ----

/// What is shown for a moment stays.
const STANDING: Setting = Setting { pace: 0.001, ..MOVING };

#[tokio::test(flavor = "multi_thread")]
async fn a_destiny_that_is_drawn_shows_its_card_as_it_is() {
    on_stage(120, async |stage| {
        let page = puppet(stage, "ccg", (1280, 800), false, STANDING).await;
        let [key]: [String; 1] = keys(&page, "ccg", "(card) => card.kind === 'Character' && card.numbers.power > 1", 1).await.try_into().unwrap();
        page.eval(&format!("put({{}}, [], [{{ what: 'destiny', seat: 0, card: {}, value: 5 }}])", json!(key))).await;
        page.until("the destiny", "document.querySelector('.destiny .card b')").await;
        // The same card, drawn as wide where nothing is around it.
        let strange = page
            .eval(
                "(() => { const card = document.querySelector('.destiny .card'); const copy = card.cloneNode(true); const width = getComputedStyle(card).width;
                   copy.style.setProperty('--card-w', width); copy.style.width = width; document.body.append(copy);
                   const look = (root) => [...root.querySelectorAll('b')].map((one) => { const style = getComputedStyle(one); return `${one.className} ${one.textContent}: ${style.fontSize} ${style.lineHeight} ${style.color}`; });
                   const [here, alone] = [look(card), look(copy)]; copy.remove(); return here.filter((one, at) => one !== alone[at]); })()",
            )
            .await;
        assert_eq!(strange, json!([]));
        // The number that was drawn stands out.
        let sizes = page.eval("[...document.querySelectorAll('.destiny > b, .destiny .card-title')].map((one) => parseFloat(getComputedStyle(one).fontSize))").await;
        assert!(sizes[1].as_f64() > sizes[0].as_f64() && page.is("document.querySelector('.destiny > b').textContent === '5'").await, "{sizes}");
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dice_lie_where_they_are_thrown_and_tell_nothing_before_they_lie_still() {
    on_stage(240, async |stage| {
        for size in [(1280, 800), (1024, 700), (390, 844)] {
            let page = puppet(stage, "tcg", size, false, STANDING).await;
            let keys = keys(&page, "tcg", "(card) => card.kind === 'Ground'", 2).await;
            for arena in ["ground", "character", "space"] {
                let begin = format!(
                    "(() => {{ const [by, on] = put_cards({}, '{arena}'); put_card(on, '{arena}', {{ controller: 1 - known.seat }}); window.on = on;
                       put({{ vars: {{ arena_now: '{arena}', attacker: by, defender: on }} }}); put_ask({{ kind: 'pick', prompt: 'Before the dice in {arena}', options: [], least: 0, most: 1 }}); }})()",
                    json!(keys)
                );
                page.eval(&begin).await;
                let place = format!("document.querySelector('[data-place={arena}]')");
                let here = format!("document.querySelector('.prompt-text').textContent.endsWith('Before the dice in {arena}') && {place}.getBoundingClientRect().left > -20 && {place}.getBoundingClientRect().right < innerWidth + 20");
                page.until("the arena", &here).await;
                let throw = format!(
                    "(() => {{ window.asks += 1; put({{ ask: {{ number: asks, seat: known.seat, question: {{ kind: 'pick', prompt: 'After the dice in {arena}', options: [], least: 0, most: 1, pass: null }} }}, cards: {{ [on]: {{ counters: {{ pending: 2 }} }} }} }},
                       [{{ text: 'three dice are thrown in {arena}', cards: [], answer: 9 }}], [{{ what: 'dice', faces: [4, 2, 6] }}]); }})()"
                );
                page.eval(&throw).await;
                page.until("the dice", "document.querySelectorAll('.dice .die').length === 3").await;
                let told = format!("document.querySelector('.log').textContent.toLowerCase().includes('three dice are thrown in {arena}')");
                let asked = format!("document.querySelector('.prompt-text').textContent.endsWith('After the dice in {arena}')");
                let counted = "document.querySelector(`.arena [data-card=\"${on}\"] .counter.pending`) !== null";
                for (what, early) in [("the log", told.as_str()), ("the question", &asked), ("the number", counted)] {
                    assert!(!page.is(early).await, "{what} tells the dice in {arena} at {size:?} before they lie still");
                }
                // They come to rest.
                page.eval("document.getAnimations().forEach((one) => one.finish())").await;
                for (what, said) in [("the log", told.as_str()), ("the question", &asked), ("the number", counted)] {
                    page.until(what, said).await;
                }
                assert!(page.is("document.querySelectorAll('.dice .die').length === 3").await, "they can still be read");
                let (dice, arena_box) = (area(&page, "document.querySelector('.dice')").await, area(&page, &place).await);
                assert!(within(dice, arena_box), "the dice in {arena} at {size:?}: {dice:?} in {arena_box:?}");
                // Whoever goes on has seen them.
                page.eval("put({ vars: { arena_now: null, attacker: null, defender: null } })").await;
                page.press("the next", "driver.pass()").await;
                page.until("that they are taken away", "document.querySelector('.dice') === null").await;
            }
            page.is_well();
        }
        // Where nothing moves nothing is waited for.
        let page = puppet(stage, "tcg", (1280, 800), false, Setting { pace: 0.001, ..STILL }).await;
        page.eval("put({}, [{ text: 'dice are thrown', cards: [], answer: 9 }], [{ what: 'dice', faces: [1] }])").await;
        page.until("dice and log", "document.querySelector('.dice .die') && document.querySelector('.log').textContent.toLowerCase().includes('dice are thrown')").await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_totals_of_a_battle_are_gone_with_it() {
    on_stage(120, async |stage| {
        let page = puppet(stage, "ccg", (1280, 800), false, MOVING).await;
        let [place]: [String; 1] = keys(&page, "ccg", "(card) => card.kind === 'Location'", 1).await.try_into().unwrap();
        page.eval(&format!("(() => {{ const [place] = put_cards([{}], 'locations'); put({{ vars: {{ battle_at: place, battle_powers: [5, 3] }} }}); }})()", json!(place))).await;
        page.until("the battle", "document.querySelector('.battle')").await;
        page.eval(
            "(() => { window.seen = window.stayed = false;
               new MutationObserver(() => { const shown = document.querySelector('.powers') !== null; seen ||= shown; stayed ||= shown && document.querySelector('.battle') === null; }).observe(document.body, { childList: true, subtree: true });
               put({}, [], [{ what: 'powers', totals: [5, 3] }]); put({ vars: { battle_at: null, battle_powers: null } }, [{ text: 'the battle is over', cards: [], answer: 9 }]); })()",
        )
        .await;
        page.until("the end of the battle", "document.querySelector('.battle') === null && document.querySelector('.powers') === null && document.querySelector('.log').textContent.toLowerCase().includes('the battle is over')").await;
        assert!(page.is("seen").await, "the totals were not shown");
        assert!(!page.is("stayed").await, "the totals stayed after the battle");
        page.is_well();
    })
    .await;
}

// ---- many cards to choose from ----

/// What can be chosen of what was searched for.
const CHOICES: &str = "[...document.querySelectorAll('.card-option')].filter((one) => one.checkVisibility())";

#[tokio::test(flavor = "multi_thread")]
async fn a_search_of_a_pile_leaves_the_board_and_the_pass_button_alone() {
    on_stage(300, async |stage| {
        for (game, pile) in [("ccg", "reserve"), ("tcg", "deck")] {
            for size in [(1440, 900), (1024, 700), (390, 844), (360, 640)] {
                let page = puppet(stage, game, size, false, STILL).await;
                page.eval("put_ask({ kind: 'pick', prompt: 'Take a card from your pile', options: [], least: 0, most: 1 })").await;
                page.until("a question", "document.querySelector('.prompt-text').textContent.includes('Take a card')").await;
                let (board, prompt) = (area(&page, BOARD).await, area(&page, "document.querySelector('.prompt')").await);
                search(&page, game, pile, 40, 1).await;
                let seen = format!("{game} at {size:?}");
                assert_eq!(area(&page, BOARD).await, board, "the board has moved: {seen}");
                let now = area(&page, "document.querySelector('.prompt')").await;
                assert!((now[1] - prompt[1]).abs() < 1.0, "the question has moved: {seen}: {prompt:?} {now:?}");
                assert!(page.is("driver.place(driver.pass(), false) !== null && driver.place(document.querySelector('.prompt-text'), false) !== null").await, "the question or the pass button is out of sight: {seen}");
                let hidden = page.eval(&format!("{CHOICES}.filter((one) => driver.place(one) === null).length")).await;
                assert_eq!((page.eval(&format!("{CHOICES}.length")).await, hidden), (json!(40), json!(0)), "{seen}");
                assert!(page.is("document.documentElement.scrollWidth <= innerWidth").await, "{seen} scrolls sideways");

                // What is looked for is found by its name.
                let named = "querySelector('.card-title').textContent.replace(/^[^\\p{L}\\d]+/u, '')";
                let title = page.text(&format!("{CHOICES}.at(-1).{named}")).await;
                page.write("the field", "document.querySelector('.gallery input[type=search]')", &title).await;
                page.until("fewer cards", &format!("{CHOICES}.length < 10 && {CHOICES}.some((one) => one.{named} === {})", json!(title))).await;
                assert_eq!(sent(&page).await, json!([]), "looking has answered");
                page.press("the card", &format!("{CHOICES}.find((one) => one.{named} === {})", json!(title))).await;
                page.until("the answer", "window.sent.length === 1").await;
                assert_eq!(sent(&page).await, json!([{ "pick": [39] }]), "{seen}");
                page.is_well();
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_gone_through_by_the_keyboard() {
    on_stage(240, async |stage| {
        for size in [(1280, 800), (390, 844)] {
            let page = puppet(stage, "ccg", size, false, STILL).await;
            search(&page, "ccg", "reserve", 40, 2).await;
            // Two cards far apart are chosen; the number of them and the button are seen all the while.
            for at in [30, 3] {
                crate::tab_to(&page, &format!("{CHOICES}[{at}]")).await;
                page.key("Enter").await;
                page.until("the choice", &format!("{CHOICES}[{at}].classList.contains('picked')")).await;
                assert!(
                    page.is(&format!("driver.place({CHOICES}[{at}], false) !== null && driver.place(driver.confirm(), false) !== null"))
                        .await,
                    "out of sight"
                );
            }
            // Arrows go from card to card.
            let here = page.text("document.activeElement.textContent").await;
            page.key("ArrowDown").await;
            assert!(
                page.is(&format!(
                    "document.activeElement.matches('.gallery .card-option') && document.activeElement.textContent !== {}",
                    json!(here)
                ))
                .await
            );
            // Esc puts it aside, answers nothing, and a button brings it back as it was.
            page.key("Escape").await;
            page.until("the board", "!document.querySelector('.gallery')?.checkVisibility()").await;
            assert_eq!(sent(&page).await, json!([]));
            crate::tab_to(&page, "document.querySelector('.prompt .show-choices')").await;
            page.key("Enter").await;
            page.until("the cards again", &format!("{CHOICES}.filter((one) => one.classList.contains('picked')).length === 2")).await;
            crate::tab_to(&page, "driver.confirm()").await;
            page.key("Enter").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [30, 3] }]));
            page.is_well();
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_nothing_serious_in_a_search() {
    on_stage(240, async |stage| {
        let mut found = BTreeMap::new();
        for (game, pile, scheme) in [("ccg", "reserve", "dark"), ("lcg", "deck", "light"), ("tcg", "deck", "light")] {
            let page = puppet(stage, game, (1280, 800), false, Setting { scheme, ..STILL }).await;
            search(&page, game, pile, 40, 2).await;
            for size in [(1280, 800), (390, 844)] {
                page.size(size.0, size.1).await;
                crate::axe(&page, &format!("a search of the {game} at {size:?} ({scheme})"), &mut found).await;
            }
        }
        crate::tables::is_sound(found);
    })
    .await;
}

// ---- the large picture of a card ----

#[tokio::test(flavor = "multi_thread")]
async fn a_card_of_a_pile_that_is_looked_through_is_seen_large() {
    on_stage(180, async |stage| {
        for size in [(1280, 800), (390, 844)] {
            let page = puppet(stage, "tcg", size, false, STILL).await;
            let keys = keys(&page, "tcg", "(card) => card.text.length > 0", 6).await;
            page.eval(&format!("put_cards({}, `discard.${{known.seat}}`)", json!(keys))).await;
            page.press("the pile", "document.querySelector('.seatbar.own button.pile.discard')").await;
            let (x, y) = page.place("a card", "document.querySelector('dialog[open] .card-list li')").await;
            if size.0 > 600 {
                page.hover(x, y).await;
            } else {
                page.touch(x, y).await;
            }
            page.until("the large picture", "document.querySelector('.zoom')?.checkVisibility({ visibilityProperty: true })").await;
            // Nothing lies over it: it is in the topmost layer, above the dialog.
            assert!(page.is("document.querySelector('.zoom').matches(':popover-open')").await);
            assert!(within(area(&page, "document.querySelector('.zoom .card')").await, window(&page).await));
            if size.0 > 600 {
                page.hover(2.0, 2.0).await;
            } else {
                page.lift().await;
                page.tap(195.0, 60.0).await;
            }
            page.until("the pile again", "document.querySelector('.zoom') === null && document.querySelector('dialog[open]') !== null")
                .await;
            page.is_well();
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_large_picture_of_a_card_is_whole_and_covers_nothing_that_is_asked() {
    on_stage(400, async |stage| {
        for (game, text) in [("tcg", 1.0), ("lcg", 1.0), ("ccg", 1.6)] {
            let page = puppet(stage, game, (1280, 800), false, MOVING).await;
            page.eval(&format!("localStorage.setItem('trilogy.textSize', '{text}')")).await;
            let keys = keys(&page, game, "(card) => card.text.length > 0", 7).await;
            for size in [(1440, 900), (1280, 720), (1024, 768), (1024, 600), (1900, 700), (700, 500)] {
                page.size(size.0, size.1).await;
                let ask = format!(
                    "(() => {{ for (const id of known.zones[`hand.${{known.seat}}`].cards) put_card(id, `deck.${{known.seat}}`); const ids = put_cards({}, `hand.${{known.seat}}`);
                       put_ask({{ kind: 'pick', prompt: 'What is asked here takes a line or more, since it names what is at stake and what may be done about it', least: 0, most: 1,
                         options: [...ids.slice(0, 3).map((card) => ({{ label: 'Play it', card, target: null }})), {{ label: 'Do something that needs no card', card: null, target: null }}] }}); }})()",
                    json!(keys)
                );
                page.eval(&ask).await;
                page.until("the hand", "document.querySelectorAll('.hand .face-of').length === 7 && document.querySelector('.prompt-text').textContent.startsWith('What is asked')").await;
                for card in ["document.querySelector('.hand .face-of')", "[...document.querySelectorAll('.hand .face-of')][3]", "[...document.querySelectorAll('.hand .face-of')].at(-1)"] {
                    page.hover(2.0, 2.0).await;
                    page.until("no picture", "document.querySelector('.zoom') === null").await;
                    let (x, y) = page.place("a card", card).await;
                    page.hover(x, y).await;
                    page.until("the large picture", "document.querySelector('.zoom')?.checkVisibility({ visibilityProperty: true })").await;
                    page.eval("document.querySelector('.zoom').getAnimations().forEach((one) => one.finish())").await;
                    let picture = area(&page, "document.querySelector('.zoom .card')").await;
                    let (window, prompt) = (window(&page).await, area(&page, "document.querySelector('.prompt')").await);
                    assert!(within(picture, window), "{game} at {size:?}: {picture:?} is not whole in {window:?}");
                    assert!(!overlap(picture, prompt), "{game} at {size:?}: {picture:?} covers the question {prompt:?}");
                    assert!(picture[2] - picture[0] > 150.0, "{game} at {size:?}: {picture:?} is too small to be read");
                }
            }
            page.is_well();
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_held_up_on_a_phone_covers_nothing_that_is_asked() {
    on_stage(180, async |stage| {
        for size in [(390, 844), (360, 640)] {
            let page = puppet(stage, "tcg", size, false, MOVING).await;
            let (x, y) = page.place("a card", "document.querySelector('.hand .face-of')").await;
            page.touch(x, y).await;
            page.until("the large picture", "document.querySelector('.zoom')?.checkVisibility({ visibilityProperty: true })").await;
            page.lift().await;
            page.eval("document.querySelector('.zoom').getAnimations().forEach((one) => one.finish())").await;
            let (picture, prompt) =
                (area(&page, "document.querySelector('.zoom .card')").await, area(&page, "document.querySelector('.prompt')").await);
            assert!(within(picture, window(&page).await) && !overlap(picture, prompt), "at {size:?}: {picture:?} and {prompt:?}");
            page.is_well();
        }
    })
    .await;
}

// ---- what stands beside each other ----

#[tokio::test(flavor = "multi_thread")]
async fn a_players_line_leaves_the_turn_and_the_buttons_alone() {
    on_stage(400, async |stage| {
        for game in ["tcg", "ccg", "lcg"] {
            for lesson in [false, true] {
                let page = puppet(stage, game, (1024, 700), lesson, STILL).await;
                // All that can stand there at once: a long name, a clock, every pile, a turn that is not the first.
                page.eval(
                    "(() => { const [mine, theirs] = known.seat === 0 ? [0, 1] : [1, 0];
                       const seats = known.seats.map((seat, at) => ({ ...seat, name: at === theirs ? 'Bartholomew the Longname' : seat.name, clock: 3599000, counters: { ...seat.counters, force: 24, points: 12 } }));
                       put({ seats, spectators: 12, vars: { turn_number: 12, turn_of: theirs, phase_now: 'activate_phase', phase: 4 }, zones: { ['out.' + theirs]: { english: 'out', seat: theirs, cards: [], hidden: 14 }, ['out.' + mine]: { english: 'out', seat: mine, cards: [], hidden: 14 } } }); })()",
                )
                .await;
                page.until("the name", "document.querySelector('.table-top .who b').textContent.startsWith('Bartholomew')").await;
                for width in [1024, 1100, 1200, 1280, 1440, 1600, 1000, 800, 390] {
                    page.size(width, 700).await;
                    let faults = page
                        .eval(
                            "(() => { const box = (one) => one.getBoundingClientRect(); const name = (one) => one.className || one.tagName;
                               const meet = (a, b) => { const [x, y] = [box(a), box(b)]; return x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1; };
                               const seen = (all) => [...all].filter((one) => one.checkVisibility() && !one.closest('.unseen') && box(one).width > 0);
                               const faults = [];
                               const parts = seen(document.querySelectorAll('.table-top > *'));
                               for (const one of parts) for (const other of parts) if (one !== other && meet(one, other)) faults.push(`${name(one)} meets ${name(other)}`);
                               for (const line of seen(document.querySelectorAll('.table-top > *, .table-bottom > .seatbar'))) for (const inner of seen(line.querySelectorAll('*')).filter((one) => !one.closest('.card, svg')))
                                 if (box(inner).right > box(line).right + 1 || box(inner).left < box(line).left - 1) faults.push(`${name(inner)} sticks out of ${name(line)}`);
                               for (const line of seen(document.querySelectorAll('.seatbar'))) { const own = seen(line.children); for (const one of own) for (const other of own) if (one !== other && meet(one, other)) faults.push(`${name(one)} lies on ${name(other)}`); }
                               for (const one of seen(document.querySelectorAll('.phase > b, .phase > span:not(.dim), .who b, .figure b, .pile-count b'))) if (one.scrollWidth > one.clientWidth + 1 && !one.matches('.who b')) faults.push(`${name(one)} is cut off`);
                               if (box(document.querySelector('.table-top .who')).width < 40) faults.push('no name is left');
                               return [...new Set(faults)]; })()",
                        )
                        .await;
                    assert_eq!(faults, json!([]), "{game}{} at {width}", if lesson { " (lesson)" } else { "" });
                }
                page.is_well();
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_raised_in_the_hand_of_a_phone_is_whole() {
    on_stage(180, async |stage| {
        for game in ["tcg", "ccg", "lcg"] {
            let page = puppet(stage, game, (390, 844), false, STILL).await;
            let keys = keys(&page, game, "() => true", 7).await;
            page.eval(&format!("put_cards({}, `hand.${{known.seat}}`)", json!(keys))).await;
            page.until("the hand", "document.querySelectorAll('.hand .face-of').length >= 7").await;
            for at in [0, 3, -1] {
                let card = format!("[...document.querySelectorAll('.hand .face-of')].at({at})");
                let low = area(&page, &card).await;
                page.eval(&format!("{card}.focus({{ focusVisible: true }})")).await;
                page.until("the focus", &format!("{card}.matches(':focus-visible')")).await;
                let (raised, hand) = (area(&page, &card).await, area(&page, "document.querySelector('.hand')").await);
                assert!(raised[1] < low[1], "{game}: it is not raised");
                // With the line around it.
                let line = page.eval(&format!("(() => {{ const style = getComputedStyle({card}); return parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset); }})()")).await.as_f64().unwrap();
                let whole = [raised[0] - line, raised[1] - line, raised[2] + line, raised[3]];
                assert!(line > 1.0 && within(whole, hand), "{game}, card {at}: {whole:?} in {hand:?}");
            }
            page.is_well();
        }
    })
    .await;
}

// ---- keys that answer, and those that do not ----

async fn asks(page: &Page, question: &str, prompt: &str) {
    page.eval(&format!("put_ask({question})")).await;
    page.until("the question", &format!("document.querySelector('.prompt-text').textContent.endsWith('{prompt}')")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn escape_never_answers() {
    on_stage(240, async |stage| {
        let page = puppet(stage, "tcg", (1280, 800), false, STILL).await;
        let hand = "known.zones[`hand.${known.seat}`].cards";
        let two = format!("{{ kind: 'pick', prompt: 'One of these', least: 0, most: 1, options: [{{ label: 'This', card: {hand}[0], target: null }}, {{ label: 'That', card: {hand}[0], target: null }}, {{ label: 'Neither', card: null, target: null }}] }}");
        asks(&page, &two, "One of these").await;
        let escaped = async |what: &str| {
            for _ in 0..2 {
                page.key("Escape").await;
            }
            page.until(&format!("that nothing is open: {what}"), "document.querySelector('dialog[open], .card-menu, .zoom-held') === null").await;
            assert_eq!(sent(&page).await, json!([]), "Esc has answered: {what}");
            assert!(page.is("driver.prompt() !== null").await, "{what}");
        };
        escaped("nothing is open").await;
        page.eval("document.querySelector('.prompt .answers .pass').focus()").await;
        escaped("the focus is on the pass button").await;
        page.press("a card with two moves", "document.querySelector('.hand .legal')").await;
        page.until("its menu", "document.querySelector('.card-menu')").await;
        escaped("a menu").await;
        page.press("all moves", "document.querySelector('[aria-label^=\"All moves\"]')").await;
        page.until("the list", "document.querySelector('dialog[open]')").await;
        escaped("all moves").await;
        page.eval("document.querySelector('.hand .face-of').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))").await;
        page.until("the details", "document.querySelector('dialog.sheet[open]')").await;
        escaped("details of a card").await;
        crate::stage::in_menu(&page, "Resign").await;
        page.until("the question whether", "driver.button('Cancel')").await;
        escaped("resigning").await;
        assert!(page.is("document.querySelector('dialog.end') === null").await, "resigned by Esc");
        asks(&page, "{ kind: 'number', prompt: 'How many?', least: 0, most: 5 }", "How many?").await;
        page.until("the focus on the number", "document.activeElement?.matches('.amount-ask input')").await;
        escaped("a number").await;
        asks(&page, &format!("{{ kind: 'pick', prompt: 'Two of these', least: 2, most: 2, options: {hand}.map((card) => ({{ label: 'This', card, target: null }})) }}"), "Two of these").await;
        for at in [0, 1] {
            page.press("a card", &format!("document.querySelectorAll('.hand .face-of')[{at}]")).await;
        }
        page.until("two cards", "document.querySelectorAll('.hand .picked').length === 2").await;
        escaped("two are picked").await;
        asks(&page, "{ kind: 'order', prompt: 'In which order?', options: ['a', 'b', 'c'].map((label) => ({ label, card: null, target: null })) }", "In which order?").await;
        escaped("an order").await;
        search(&page, "tcg", "deck", 40, 1).await;
        escaped("a search").await;
        page.is_well();
    })
    .await;
}

/// While a question is new Enter, P and the digits do nothing; here it stays new until another key is pressed.
const STAYS_NEW: &str =
    "{ const real = window.setTimeout; window.setTimeout = (then, time, ...more) => real(then, time === 400 ? 1e9 : time, ...more); }";

#[tokio::test(flavor = "multi_thread")]
async fn a_stray_key_after_the_question_has_changed_does_nothing() {
    on_stage(240, async |stage| {
        let page = puppet(stage, "tcg", (1280, 800), false, STILL).await;
        page.prepare(STAYS_NEW).await;
        page.reload().await;
        page.until("the question", "driver.prompt() !== null && document.querySelector('.hand .card-title') !== null").await;
        let hand = "known.zones[`hand.${known.seat}`].cards";
        let pick = |prompt: &str| format!("{{ kind: 'pick', prompt: '{prompt}', least: 0, most: 1, options: [...{hand}.map((card) => ({{ label: 'This', card, target: null }})), {{ label: 'That', card: null, target: null }}] }}");
        let number = "{ kind: 'number', prompt: 'How many?', least: 0, most: 5 }";
        let several = format!("{{ kind: 'pick', prompt: 'Some of these', least: 0, most: 3, options: {hand}.map((card) => ({{ label: 'This', card, target: null }})) }}");
        let order = "{ kind: 'order', prompt: 'In which order?', options: ['a', 'b', 'c'].map((label) => ({ label, card: null, target: null })) }";
        // By the keyboard on a card, on the pass button, on nothing at all: then something else is asked.
        for focus in ["document.querySelector('.hand .face-of')", "driver.pass()", "document.activeElement"] {
            for (next, prompt) in [(pick("Another"), "Another"), (number.to_string(), "How many?"), (several.clone(), "Some of these"), (order.to_string(), "In which order?")] {
                asks(&page, &pick("First"), "First").await;
                page.key("Tab").await;
                page.eval(&format!("{focus}.focus({{ focusVisible: true }})")).await;
                asks(&page, &next, prompt).await;
                for key in ["Enter", "Enter", "1", " ", "p", "P"] {
                    page.key(key).await;
                    assert_eq!(sent(&page).await, json!([]), "{key} on {focus} answers {prompt}");
                }
                assert!(page.is("document.querySelector('.table .picked, .card-menu, dialog[open]') === null").await, "{focus}, {prompt}: something was chosen");
            }
        }
        // Whoever looks around first means it.
        asks(&page, &pick("First"), "First").await;
        crate::tab_to(&page, "document.querySelectorAll('.hand .face-of')[1]").await;
        page.key("Tab").await;
        page.key("Shift+Tab").await;
        page.key("Enter").await;
        page.until("the answer", "window.sent.length === 1").await;
        asks(&page, number, "How many?").await;
        page.until("the focus on the number", "document.activeElement?.matches('.amount-ask input')").await;
        page.key("ArrowLeft").await;
        page.key("Enter").await;
        page.until("the answer", "window.sent.length === 2").await;
        assert_eq!(sent(&page).await, json!([{ "pick": [1] }, { "number": 4 }]));
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_regretted_easily_is_asked_once_more() {
    on_stage(180, async |stage| {
        let page = puppet(stage, "ccg", (1280, 800), false, STILL).await;
        let question = "{ kind: 'pick', prompt: 'Draw, or pass', least: 0, most: 1, pass: { label: 'Pass', warning: 'What is left of your points is lost.' }, options: [{ label: 'Draw the last card', card: null, target: null, warning: 'Without it you have no Life Force left.' }, { label: 'Wait', card: null, target: null }] }";
        asks(&page, question, "Draw, or pass").await;
        let dialog = "document.querySelector('dialog[open]')";
        let draw = "driver.button('Draw the last card', document.querySelector('.prompt'))";
        let ways = [(draw, "Without it you have no Life Force left.", json!({ "pick": [0] })), ("driver.pass()", "What is left of your points is lost.", json!({ "pick": [] }))];
        for (button, warning, answer) in ways {
            asks(&page, question, "Draw, or pass").await;
            page.eval("window.sent.length = 0").await;
            for way_out in ["Cancel", "Escape"] {
                page.press("what is regretted", button).await;
                page.until("what it means", &format!("{dialog}?.innerText.includes('{warning}')")).await;
                if way_out == "Escape" {
                    page.key("Escape").await;
                } else {
                    page.press("Cancel", &format!("driver.button('Cancel', {dialog})")).await;
                }
                page.until("the question again", &format!("{dialog} === null && driver.prompt() !== null")).await;
                assert_eq!(sent(&page).await, json!([]));
            }
            page.press("what is regretted", button).await;
            page.press("yes", &format!("[...{dialog}.querySelectorAll('.buttons .button')].at(-1)")).await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([answer]));
        }
        // What needs no warning has none; and what is asked meanwhile is not answered by it.
        asks(&page, question, "Draw, or pass").await;
        page.eval("window.sent.length = 0").await;
        page.press("what is regretted", draw).await;
        page.until("what it means", &format!("{dialog} !== null")).await;
        page.eval("put_ask({ kind: 'pick', prompt: 'Something else', least: 0, most: 1, options: [{ label: 'Wait', card: null, target: null }] })").await;
        page.press("yes", &format!("[...{dialog}.querySelectorAll('.buttons .button')].at(-1)")).await;
        page.until("the question", &format!("{dialog} === null && document.querySelector('.prompt-text').textContent.endsWith('Something else')")).await;
        assert_eq!(sent(&page).await, json!([]));
        page.press("Wait", "driver.button('Wait', document.querySelector('.prompt'))").await;
        page.until("the answer", "window.sent.length === 1").await;
        page.is_well();
    })
    .await;
}
