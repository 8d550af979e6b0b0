//! A question at the table says all that the rules say of it: what passing is called, in what options differ and which come
//! to the same, and what an answer gives away.

use crate::cdp::Page;
use crate::puppet::{STILL, area, keys, overlap, puppet, sent, window, within};
use crate::stage::{in_menu, on_stage};
use serde_json::json;

/// Put a question, and wait until keys may answer it.
pub(crate) async fn asks(page: &Page, question: &str, more: &str, prompt: &str) {
    page.eval(&format!("window.sent.length = 0; put_ask({question}, {more})")).await;
    let ready = format!(
        "driver.asked() === String(window.asks) && document.querySelector('.prompt-text').textContent.endsWith('{prompt}') && document.querySelector('.prompt.yours:not(.fresh)') !== null"
    );
    page.until("the question", &ready).await;
}

/// What is read on each of these, without keys and spaces that only keep apart.
pub(crate) async fn read(page: &Page, elements: &str) -> Vec<String> {
    let words = page.eval(&format!("[...document.querySelectorAll('{elements}')].map((one) => {{ const copy = one.cloneNode(true); copy.querySelectorAll('kbd, .unseen').forEach((part) => part.remove()); return copy.textContent.replace(/\\s+/g, ' ').trim(); }})")).await;
    serde_json::from_value(words).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn passing_is_called_what_the_rules_call_it() {
    on_stage(180, async |stage| {
        let page = puppet(stage, "tcg", (1280, 800), false, STILL).await;
        let question = |pass: &str| {
            format!(
                "{{ kind: 'pick', prompt: 'Well?', least: 0, most: 1, {pass} options: [{{ label: 'This', card: null, target: null }}] }}"
            )
        };
        // The rules' own word; else that of the table for what asks; else the plainest one.
        for (pass, more, word) in [
            ("pass: { label: 'Let it lie', warning: null },", "{ name: 'mulligan', window: null }", "Let it lie"),
            ("pass: { label: 'Pass', warning: null },", "{ name: 'mulligan', window: null }", "Keep all"),
            ("pass: { label: 'Pass', warning: null },", "{ name: 'nobody', window: 'general_window' }", "Pass"),
            ("", "{ name: 'nobody', window: null }", "None"),
        ] {
            asks(&page, &question(pass), more, "Well?").await;
            assert_eq!(read(&page, ".prompt .answers .pass").await, [word]);
            page.press("all moves", "document.querySelector('[aria-label^=\"All moves\"]')").await;
            page.until("the list", "document.querySelector('dialog[open] .stack')").await;
            assert_eq!(read(&page, "dialog[open] .stack .button").await, ["This", word]);
            page.key("Escape").await;
            page.until("the table", "document.querySelector('dialog[open]') === null").await;
            page.key("p").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [] }]));
        }
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn passing_can_ask_once_more() {
    on_stage(180, async |stage| {
        let page = puppet(stage, "tcg", (1280, 800), false, STILL).await;
        let table = stage.url(&page.text("location.pathname").await);
        page.goto(&stage.url("/settings")).await;
        page.press("the tick", "[...document.querySelectorAll('label.tick')].find((label) => label.textContent.includes('before I pass'))").await;
        page.goto(&table).await;
        page.until("the table", "driver.prompt() !== null").await;
        let question = "{ kind: 'pick', prompt: 'Well?', least: 0, most: 1, pass: { label: 'Pass', warning: null }, options: [{ label: 'This', card: null, target: null }] }";
        asks(&page, question, "{}", "Well?").await;
        page.key("p").await;
        page.until("the dialog", "document.querySelector('dialog[open] h2')?.textContent === 'Pass?'").await;
        page.press("Cancel", "driver.button('Cancel')").await;
        page.until("no dialog", "document.querySelector('dialog[open]') === null").await;
        assert_eq!(sent(&page).await, json!([]), "it was passed all the same");
        page.press("Pass", "driver.pass()").await;
        page.press("Pass indeed", "driver.button('Pass', document.querySelector('dialog[open]') ?? new DocumentFragment())").await;
        page.until("the answer", "window.sent.length === 1").await;
        assert_eq!(sent(&page).await, json!([{ "pick": [] }]));
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_to_the_same_is_shown_once_and_what_differs_says_in_what() {
    on_stage(300, async |stage| {
        for size in [(1280, 800), (390, 844)] {
            let page = puppet(stage, "ccg", size, false, STILL).await;
            // Options without a card: buttons, and the digits go by what is seen.
            let some = "[{ label: 'Scout', detail: 'at the gate', card: null, target: null }, { label: 'Guard', card: null, target: null, alike: null }, { label: 'Guard', card: null, target: null, alike: 1 },
                { label: 'Guard', card: null, target: null, alike: 1 }, { label: 'Scout', detail: 'in the tower', card: null, target: null }]";
            let single = format!("{{ kind: 'pick', prompt: 'Whom?', least: 1, most: 1, options: {some} }}");
            let told = ["Scout (at the gate)", "Guard ×3", "Scout (in the tower)"];
            asks(&page, &single, "{}", "Whom?").await;
            assert_eq!(read(&page, ".prompt .answers .button").await, told);
            // Those who only hear it hear the same.
            let heard = page.text("document.querySelectorAll('.prompt .answers .button')[1].innerText.replace(/\\s+/g, ' ')").await;
            assert!(heard.starts_with("Guard") && page.text("document.querySelectorAll('.prompt .answers .button')[1].textContent").await.contains("3 alike"), "{heard}");
            page.press("all moves", "document.querySelector('[aria-label^=\"All moves\"]')").await;
            page.until("the list", "document.querySelector('dialog[open] .stack')").await;
            assert_eq!(read(&page, "dialog[open] .stack .button").await, told);
            page.key("Escape").await;
            page.until("the table", "document.querySelector('dialog[open]') === null").await;
            page.press("the second", "document.querySelectorAll('.prompt .answers .button')[1]").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [1] }]));
            asks(&page, &single, "{}", "Whom?").await;
            page.key("3").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [4] }]), "the third that is seen");

            // Where several are chosen each stands for itself.
            asks(&page, &format!("{{ kind: 'pick', prompt: 'Whom all?', least: 2, most: 2, options: {some}.slice(0, 3) }}"), "{}", "Whom all?").await;
            assert_eq!(read(&page, ".prompt .answers .button:not(.primary)").await, ["Scout (at the gate)", "Guard", "Guard"]);
            asks(&page, &format!("{{ kind: 'order', prompt: 'In which order?', options: {some}.slice(0, 3) }}"), "{}", "In which order?").await;
            assert_eq!(read(&page, ".prompt .in-order").await, ["– Scout (at the gate)", "– Guard", "– Guard"]);

            // Cards in the hand: each can be clicked and is the one that is taken; its menu lists what differs.
            let [key]: [String; 1] = keys(&page, "ccg", "(card) => card.kind === 'Character'", 1).await.try_into().unwrap();
            page.eval(&format!("window.twins = put_cards([{key}, {key}], `hand.${{known.seat}}`)", key = json!(key))).await;
            let twins = "{ kind: 'pick', prompt: 'Which?', least: 1, most: 1, options: [{ label: 'Twin', card: twins[0], target: null }, { label: 'Twin', card: twins[1], target: null, alike: 0 }] }";
            asks(&page, twins, "{}", "Which?").await;
            assert_eq!(page.eval("twins.filter((id) => document.querySelector(`.hand .legal[data-card=\"${id}\"]`)).length").await, json!(2));
            page.press("the second", "document.querySelector(`.hand [data-card=\"${twins[1]}\"]`)").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [1] }]));
            let menu = "{ kind: 'pick', prompt: 'What with it?', least: 1, most: 1, options: [{ label: 'Board', detail: 'the left ship', card: twins[0], target: null }, { label: 'Board', detail: 'the right ship', card: twins[0], target: null },
                { label: 'Wait', card: twins[0], target: null }, { label: 'Wait', card: twins[0], target: null, alike: 2 }] }";
            asks(&page, menu, "{}", "What with it?").await;
            let spoken = page.text("document.querySelector(`.hand [data-card=\"${twins[0]}\"] .unseen`).textContent").await;
            assert!(spoken.contains("can be chosen, the left ship, the right ship"), "{spoken}");
            page.press("the card", "document.querySelector(`.hand [data-card=\"${twins[0]}\"]`)").await;
            page.until("its menu", "document.querySelector('.card-menu')").await;
            assert_eq!(read(&page, ".card-menu button").await, ["Board (the left ship)", "Board (the right ship)", "Wait ×2", "Details and numbers"]);
            // The large picture of the card leaves its menu alone.
            if size.0 > 600 {
                let (x, y) = page.place("the card", "document.querySelector(`.hand [data-card=\"${twins[0]}\"]`)").await;
                page.hover(2.0, 2.0).await;
                page.hover(x, y).await;
                page.until("the large picture", "document.querySelector('.zoom')?.checkVisibility({ visibilityProperty: true })").await;
                let (picture, menu) = (area(&page, "document.querySelector('.zoom .card')").await, area(&page, "document.querySelector('.card-menu')").await);
                assert!(!overlap(picture, menu) && within(picture, window(&page).await), "{picture:?} covers the menu {menu:?}");
                page.hover(2.0, 2.0).await;
                page.until("no picture", "document.querySelector('.zoom') === null").await;
            }
            page.key("Escape").await;
            page.eval("document.querySelector(`.hand [data-card=\"${twins[0]}\"]`).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))").await;
            page.until("the details", "document.querySelector('dialog.sheet[open] .stack')").await;
            assert_eq!(read(&page, "dialog.sheet .stack .button").await, ["Board (the left ship)", "Board (the right ship)", "Wait"]);
            page.key("Escape").await;
            page.until("the table", "document.querySelector('dialog[open]') === null").await;

            // A search: pictures with what tells them apart, one for all that are alike.
            let found = keys(&page, "ccg", "(card, at, all) => all.findIndex((one) => one.title === card.title) === at", 12).await;
            let search = format!(
                "(() => {{ const pile = `reserve.${{known.seat}}`; const ids = put_cards([...{found}, {first}, {first}, {second}], pile); const of = (at, more = {{}}) => ({{ label: `Card ${{known.cards[ids[at]].key}}`, card: ids[at], target: null, zone: pile, ...more }});
                   return {{ kind: 'pick', prompt: 'Take a card', least: 0, most: 1, options: [of(0), of(1, {{ detail: 'the top one' }}), ...ids.slice(2, 12).map((_, at) => of(at + 2)), of(12, {{ alike: 0 }}), of(13, {{ alike: 0 }}), of(14, {{ detail: 'the last one' }})] }}; }})()",
                found = json!(found),
                first = json!(found[0]),
                second = json!(found[1]),
            );
            asks(&page, &search, "{}", "Take a card").await;
            page.until("the cards", "document.querySelectorAll('.gallery .card-option .card-title').length === 13").await;
            assert_eq!(read(&page, ".gallery .option-copies").await, ["×3"]);
            assert_eq!(read(&page, ".gallery .option-detail").await, ["the top one", "the last one"]);
            let spoken = page.eval("[0, 1].map((at) => document.querySelectorAll('.gallery .card-option')[at].querySelector('.unseen').textContent)").await;
            assert!(spoken[0].as_str().is_some_and(|one| one.contains("3 alike")) && spoken[1].as_str().is_some_and(|one| one.contains("(the top one)")), "{spoken}");
            // What tells it apart can be read, and looked for.
            for at in [0, 1] {
                let inside = page.eval(&format!("(() => {{ const all = document.querySelectorAll('.gallery .option-detail, .gallery .option-copies'); const box = all[{at}].getBoundingClientRect(); return box.width > 10 && box.height > 8 && box.left >= 0 && box.right <= innerWidth; }})()")).await;
                assert_eq!(inside, json!(true), "at {size:?}");
            }
            page.write("the field", "document.querySelector('.gallery input[type=search]')", "the last one").await;
            page.until("the one", "document.querySelectorAll('.gallery .card-option').length === 1").await;
            page.press("the one", "document.querySelector('.gallery .card-option')").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [14] }]));
            page.is_well();
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_that_differ_in_how_many_are_one_number_with_its_button() {
    on_stage(240, async |stage| {
        for size in [(1280, 800), (390, 844)] {
            let page = puppet(stage, "ccg", size, false, STILL).await;
            let draw = |most: u32| format!("{{ kind: 'pick', prompt: 'Draw?', least: 0, most: 1, pass: {{ label: 'Draw none', warning: null }}, options: Array.from({{ length: {most} }}, (_, at) => ({{ label: at ? `Draw ${{at + 1}} cards` : 'Draw a card', card: 80000 + at, target: null, zone: `force.${{known.seat}}`, action: 'draw_card' }})) }}");
            let ladder = ".ladder .button:not(.icon)";
            asks(&page, &draw(9), "{}", "Draw?").await;
            assert!(page.is("document.querySelector('.gallery, .show-choices') === null").await, "the board is covered");
            assert_eq!(read(&page, ladder).await, ["Draw a card"]);
            assert_eq!(read(&page, ".answers .pass").await, ["Draw none"]);
            assert_eq!(crate::sideways(&page, "the question", size.0).await, None);
            for _ in 0..2 {
                page.press("one more", "document.querySelector('.ladder [aria-label=\"One more\"]')").await;
            }
            page.press("one less", "document.querySelector('.ladder [aria-label=\"One less\"]')").await;
            page.until("two", "document.querySelector('.ladder').textContent.includes('Draw 2 cards')").await;
            page.press("the button", &format!("document.querySelector('{ladder}')")).await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [1] }]));
            // By keys: plus and minus, and the slider with Enter.
            asks(&page, &draw(9), "{}", "Draw?").await;
            for key in ["+", "+", "+", "-"] {
                page.key(key).await;
            }
            page.until("three", "document.querySelector('.ladder').textContent.includes('Draw 3 cards')").await;
            crate::tab_to(&page, "document.querySelector('.ladder input')").await;
            page.key("End").await;
            page.until("all", "document.querySelector('.ladder').textContent.includes('Draw 9 cards')").await;
            page.key("Enter").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [8] }]));
            // The pile itself lists them; few have a button each.
            asks(&page, &draw(4), "{}", "Draw?").await;
            page.press("the pile", "document.querySelector('.seatbar.own .pile.force.legal')").await;
            page.until("the menu", "document.querySelector('.card-menu')").await;
            assert_eq!(read(&page, ".card-menu button").await, ["Draw a card", "Draw 2 cards", "Draw 3 cards", "Draw 4 cards"]);
            page.press("three", "document.querySelectorAll('.card-menu button')[2]").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([{ "pick": [2] }]));
            asks(&page, &draw(2), "{}", "Draw?").await;
            assert_eq!(read(&page, ".prompt .answers .button:not(.pass)").await, ["Draw a card", "Draw 2 cards"]);
            page.is_well();
        }
    })
    .await;
}

const DIALOG: &str = "document.querySelector('dialog.confirm[open]')";

/// What it means is said, nothing is answered, and the focus is on what changes nothing.
async fn is_warned(page: &Page, warning: &str) {
    page.until("what it means", &format!("{DIALOG}?.innerText.includes('{warning}')")).await;
    assert!(
        page.is("document.activeElement?.textContent === 'Cancel'").await,
        "the focus is on {}",
        page.text("document.activeElement?.outerHTML").await
    );
    assert_eq!(sent(page).await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_gives_something_away_is_asked_once_more_by_keyboard_too() {
    on_stage(240, async |stage| {
        let page = puppet(stage, "tcg", (1280, 800), false, STILL).await;
        let option = "{ kind: 'pick', prompt: 'Which?', least: 0, most: 1, pass: { label: 'Let it go', warning: 'Then it is lost.' }, options: [{ label: 'Burn it', detail: 'the left one', card: null, target: null, warning: 'It burns.' }, { label: 'Keep it', card: null, target: null }] }";
        let number = "{ kind: 'number', prompt: 'How many?', least: 0, most: 3, warnings: { 0: 'You get nothing.', 3: 'All is spent.' } }";
        let several = "{ kind: 'pick', prompt: 'Which two?', least: 2, most: 2, options: ['a', 'b', 'c'].map((label) => ({ label, card: null, target: null, warning: label === 'b' ? 'The b is dear.' : null })) }";
        let pressed = async |keys: &[&str]| {
            for key in keys {
                // By Tab to the button.
                if *key == "confirm" {
                    crate::tab_to(&page, "driver.confirm()").await;
                    page.key("Enter").await;
                } else {
                    page.key(key).await;
                }
            }
        };
        /// A question and its prompt, how it is answered by keys, what is said, what it is called, and what comes of it.
        type Way<'a> = (&'a str, &'a str, &'a [&'a str], &'a str, &'a str, serde_json::Value);
        let ways: [Way<'_>; 5] = [
            (option, "Which?", &["1"], "It burns.", "Burn it (the left one)", json!({ "pick": [0] })),
            (option, "Which?", &["p"], "Then it is lost.", "Let it go", json!({ "pick": [] })),
            (number, "How many?", &["Enter"], "All is spent.", "How many? 3", json!({ "number": 3 })),
            (number, "How many?", &["Home", "Enter"], "You get nothing.", "How many? 0", json!({ "number": 0 })),
            (several, "Which two?", &["1", "2", "confirm"], "The b is dear.", "a, b", json!({ "pick": [0, 1] })),
        ];
        for (question, prompt, keys, warning, called, answer) in ways {
            for way_out in ["Escape", "Enter", " "] {
                asks(&page, question, "{}", prompt).await;
                pressed(keys).await;
                is_warned(&page, warning).await;
                assert_eq!(page.text(&format!("{DIALOG}.querySelector('h2').textContent")).await, called);
                // The key that is still held down says nothing.
                for held in ["Enter", " "] {
                    page.held(held).await;
                    is_warned(&page, warning).await;
                }
                page.key(way_out).await;
                page.until("the question again", &format!("{DIALOG} === null && driver.prompt() !== null")).await;
                assert_eq!(sent(&page).await, json!([]), "{way_out} answers {called}");
            }
            asks(&page, question, "{}", prompt).await;
            pressed(keys).await;
            is_warned(&page, warning).await;
            page.key("Tab").await;
            page.key("Enter").await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([answer]));
        }
        // What gives nothing away is answered at once.
        for (question, prompt, keys, answer) in [(option, "Which?", ["2"].as_slice(), json!({ "pick": [1] })), (number, "How many?", &["ArrowLeft", "Enter"], json!({ "number": 2 }))] {
            asks(&page, question, "{}", prompt).await;
            pressed(keys).await;
            page.until("the answer", "window.sent.length === 1").await;
            assert_eq!(sent(&page).await, json!([answer]));
        }
        // To give the game up as well.
        page.eval("window.sent.length = 0").await;
        for way_out in ["Escape", "Enter"] {
            in_menu(&page, "Resign").await;
            is_warned(&page, "cannot be taken back").await;
            page.key(way_out).await;
            page.until("the table", "document.querySelector('dialog[open]') === null").await;
        }
        assert!(page.is("known.state.is === 'playing'").await);
        in_menu(&page, "Resign").await;
        is_warned(&page, "cannot be taken back").await;
        page.press("Resign", &format!("{DIALOG}.querySelector('.yes')")).await;
        page.until("the end", "document.querySelector('dialog.end[open]') !== null").await;
        page.is_well();
    })
    .await;
}
