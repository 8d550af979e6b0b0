//! What two people settle between them, in two browsers: draws, pauses, resigning, another game, taking back, talking;
//! and when the server asks.

use crate::cdp::Page;
use crate::stage::{asked, click_on, in_menu, on_stage, table_of};
use serde_json::{Value, json};
use std::time::Duration;
use trilogy_server::client::Dice;

const OFFERS: &str = "document.querySelector('.offers')?.innerText ?? ''";
const END: &str = "document.querySelector('dialog.end h2')?.textContent";

async fn offered(page: &Page, text: &str) {
    page.until(text, &format!("({OFFERS}).includes({})", json!(text))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draw_is_turned_down_then_agreed_and_another_game_follows() {
    on_stage(180, async |stage| {
        let people = stage.pair("none").await;
        let first = table_of(&people[0]).await;
        let to_answer = asked(&people).await;
        let other = &people[1 - to_answer];
        in_menu(other, "Offer a draw").await;
        offered(other, "You have offered a draw").await;
        offered(&people[to_answer], "offers a draw").await;
        // Whoever plays on has turned it down, and both see that it is gone.
        assert!(click_on(&people[to_answer], &mut Dice(1), 1).await);
        other.until("the news", "document.querySelector('.toasts').innerText.includes('No draw')").await;
        for person in &people {
            person.until("no offer", &format!("!({OFFERS}).includes('draw')")).await;
        }
        in_menu(&people[0], "Offer a draw").await;
        offered(&people[1], "offers a draw").await;
        people[1].press("Agree", "driver.button('Agree', document.querySelector('.offers'))").await;
        for person in &people {
            assert_eq!(person.until("the end", END).await, json!("A draw"));
            let said = person.text("document.querySelector('dialog.end p').textContent").await;
            assert_eq!(said, "The game is drawn by agreement.");
        }
        people[0].press("Rematch", "driver.button('Rematch', document.querySelector('dialog.end'))").await;
        people[0].until("that it waits", "driver.button('Waiting for your opponent')?.disabled").await;
        people[1].until("the wish", "document.querySelector('dialog.end').innerText.includes('would like another game')").await;
        people[1].press("Rematch", "driver.button('Rematch', document.querySelector('dialog.end'))").await;
        for person in &people {
            let here = format!("location.pathname.startsWith('/table/') && !location.pathname.endsWith({}) && document.querySelectorAll('.hand .face-of').length > 0", json!(first));
            person.until("the next game", &here).await;
            assert!(person.is("document.querySelector('dialog[open]') === null").await, "the end of the last game is still shown");
        }
        assert_eq!(table_of(&people[0]).await, table_of(&people[1]).await);
        asked(&people).await;
        people.iter().for_each(Page::is_well);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_stops_the_clocks_and_resigning_ends_the_game() {
    on_stage(180, async |stage| {
        let people = stage.pair("per_player").await;
        let to_answer = asked(&people).await;
        let clocks = "[...document.querySelectorAll('.clock')].map((clock) => clock.textContent)";
        for person in &people {
            let shown = person.eval(clocks).await;
            assert_eq!(shown.as_array().map(Vec::len), Some(2), "{shown}");
            assert!(person.is("document.querySelectorAll('.clock.running').length === 1").await, "one clock runs");
        }
        let own = if to_answer == 0 { ".seatbar.own" } else { ".seatbar.other" };
        assert!(people[0].is(&format!("document.querySelector('{own} .clock.running') !== null")).await, "the clock of who is asked runs");
        let before = people[0].eval(clocks).await;
        people[0].until("time that passes", &format!("JSON.stringify({clocks}) !== {}", json!(before.to_string()))).await;

        in_menu(&people[0], "Pause").await;
        offered(&people[0], "You have asked for a pause").await;
        offered(&people[1], "asks for a pause").await;
        assert_eq!(asked(&people).await, to_answer, "an offer stops nothing");
        people[1].press("Agree", "driver.button('Agree', document.querySelector('.offers'))").await;
        for person in &people {
            person.until("the pause", "document.querySelector('.prompt-text').textContent === 'The game is paused.'").await;
            assert!(person.is("driver.prompt() === null && document.querySelector('.legal') === null && document.querySelector('.clock.running') === null").await, "nothing can be played in a pause");
        }
        let stopped = people[0].eval(clocks).await;
        tokio::time::sleep(Duration::from_millis(1600)).await;
        assert_eq!(people[0].eval(clocks).await, stopped, "a clock runs in a pause");
        people[1 - to_answer].press("Go on", "driver.button('Go on')").await;
        people[to_answer].until("the question", "driver.prompt() !== null").await;
        people[0].until("time that passes again", &format!("JSON.stringify({clocks}) !== {}", json!(stopped.to_string()))).await;

        // A second thought, then the end.
        in_menu(&people[1], "Resign").await;
        people[1].press("Cancel", "driver.button('Cancel')").await;
        people[1].until("no dialog", "document.querySelector('dialog[open]') === null").await;
        assert!(people[0].is("document.querySelector('dialog.end') === null").await);
        in_menu(&people[1], "Resign").await;
        people[1].press("the last word", "driver.button('Resign', [...document.querySelectorAll('dialog[open]')].at(-1))").await;
        for (person, title) in people.iter().zip(["You win!", "You lose"]) {
            assert_eq!(person.until("the end", END).await, json!(title));
            assert!(person.text("document.querySelector('dialog.end p').textContent").await.ends_with("wins by resignation."));
        }
        people.iter().for_each(Page::is_well);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_taken_back_freely_while_nothing_was_shown() {
    on_stage(120, async |stage| {
        let page = stage.player().await;
        let mut dice = Dice(3);
        for key in [true, false] {
            let before = page.until("a question", "driver.question()").await;
            assert!(click_on(&page, &mut dice, 1).await);
            page.until(
                "another question",
                &format!("driver.question() && JSON.stringify(driver.question()) !== {}", json!(before.to_string())),
            )
            .await;
            if key {
                page.key("u").await;
            } else {
                page.press("Take back", "document.querySelector('[aria-label^=\"Take back\"]')").await;
            }
            page.until("the question again", &format!("JSON.stringify(driver.question()) === {}", json!(before.to_string()))).await;
        }
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn later_it_is_taken_back_by_leave_of_the_opponent() {
    on_stage(180, async |stage| {
        let people = stage.pair("none").await;
        let mut dice = Dice(8);
        // What each was asked before their last answer.
        let mut last = [Value::Null, Value::Null];
        let mut before = asked(&people).await;
        let first = loop {
            let now = asked(&people).await;
            if now != before && last.iter().all(|asked| !asked.is_null()) {
                // The other has answered since; this one's last answer lies before that.
                break now;
            }
            before = now;
            let question = people[now].eval("driver.question()").await;
            if !question.is_null() {
                last[now] = question;
                assert!(click_on(&people[now], &mut dice, 1).await, "the game is over");
            }
        };
        let (asker, other) = (&people[first], &people[1 - first]);
        let undo = "document.querySelector('[aria-label^=\"Take back\"]')";
        asker.until("that leave is needed", &format!("{undo}?.title.startsWith('Ask to')")).await;
        for allow in [false, true] {
            asker.press("Take back", undo).await;
            offered(asker, "You have asked to take back").await;
            offered(other, "asks to take back").await;
            let word = if allow { "Allow" } else { "Refuse" };
            other.press(word, &format!("driver.button('{word}', document.querySelector('.offers'))")).await;
            asker.until("no offer", &format!("!({OFFERS}).includes('take back')")).await;
        }
        asker.until("the earlier question", &format!("JSON.stringify(driver.question()) === {}", json!(last[first].to_string()))).await;
        people.iter().for_each(Page::is_well);
    })
    .await;
}

async fn says(page: &Page, text: &str) {
    page.write("the chat", "document.querySelector('.chat input')", text).await;
    page.key("Enter").await;
    page.until("what was said", &format!("document.querySelector('.chat ol').innerText.includes({})", json!(text))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_muted_or_blocked_is_not_heard() {
    on_stage(180, async |stage| {
        let people = stage.pair("none").await;
        for person in &people {
            person
                .press("the chat", "[...document.querySelectorAll('[role=tab]')].find((tab) => tab.textContent.startsWith('Chat'))")
                .await;
        }
        let [hears, talks] = &people;
        let heard = |text: &str| format!("document.querySelector('.chat ol').innerText.includes({})", json!(text));
        says(talks, "first words").await;
        hears.until("the words", &heard("first words")).await;
        assert!(talks.is("document.querySelector('.chat .mute') === null").await, "nobody mutes themselves");
        hears.press("mute", "document.querySelector('.chat .mute')").await;
        hears.until("silence", &format!("!({})", heard("first words"))).await;
        says(talks, "second words").await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!hears.is(&heard("second words")).await, "who is muted is heard");
        hears.press("show again", "document.querySelector('.chat .mute.shown')").await;
        hears.until("all words", &format!("{} && {}", heard("first words"), heard("second words"))).await;

        hears.press("block", "document.querySelector('.chat [aria-label^=Block]')").await;
        hears.press("yes", "driver.button('Block', document.querySelector('dialog[open]') ?? new DocumentFragment())").await;
        hears.until("silence", &format!("!({})", heard("words"))).await;
        says(talks, "third words").await;
        // What is said after it comes through: it is not only slow.
        says(hears, "an answer").await;
        talks.until("the answer", &heard("an answer")).await;
        assert!(!hears.is(&heard("third words")).await, "who is blocked is heard");
        let name = talks.text("document.querySelector('.seatbar.own .who b').textContent").await;
        hears.goto(&stage.url("/settings")).await;
        let row = format!("[...document.querySelectorAll('.rows li')].find((row) => row.innerText.includes({}))", json!(name));
        hears.until("the block in the settings", &format!("{row}?.innerText.includes('blocked')")).await;
        hears.press("Lift", &format!("{row}?.querySelector('button')")).await;
        hears.until("no block", &format!("{row} === undefined")).await;
        people.iter().for_each(Page::is_well);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stops_are_kept_by_the_server() {
    on_stage(180, async |stage| {
        // Against somebody who never answers: passing by itself could end a game with a bot before it is looked at.
        let [page, _other] = stage.pair("none").await;
        let menu = "document.querySelector('[aria-label=\"Settings of this table\"]')";
        let tick = |text: &str| format!("[...document.querySelectorAll('dialog[open] label')].find((label) => label.textContent.includes({}))?.querySelector('input')", json!(text));
        let (usual, full, auto, reroll) = (tick("The usual stops"), tick("Full control"), tick("Pass for me"), tick("reroll dice"));
        page.press("the menu", menu).await;
        page.until("the form", &format!("{usual}?.checked && !{full}.checked && !{auto}.checked && !{reroll}.disabled")).await;
        // Each says what it does.
        let told = "[...document.querySelectorAll('dialog[open] fieldset label:has(input[type=radio]) small')].every((one) => one.textContent.length > 30)";
        assert!(page.is(told).await);
        page.press("pass for me", &auto).await;
        page.until("the server's word", &format!("{auto}.checked && !{reroll}.disabled")).await;
        page.press("a stop", &reroll).await;
        let kept = "fetch(`/api/tables/${location.pathname.split('/').pop()}/view`).then((reply) => reply.json()).then(({ stops }) => stops.auto_pass && stops.except.includes('reroll_window'))";
        page.until("the server's word", kept).await;
        page.reload().await;
        // The page may still be on its way when the menu is pressed.
        let open = format!("(document.querySelector('dialog[open]') || {menu}?.click())");
        page.until("the same after a reload", &format!("({open}, {auto}?.checked && {reroll}?.checked && !{full}?.checked)")).await;
        page.press("full control", &full).await;
        page.until("that nothing is passed", &format!("{full}.checked && !{auto}.checked && {reroll}.disabled")).await;
        page.is_well();
    })
    .await;
}
