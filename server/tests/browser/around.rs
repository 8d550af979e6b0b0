//! The pages around the table: replays, decks, invitations, and the choice of a game.

use crate::stage::{Duel, on_stage, play_now, table_of};
use serde_json::json;
use trilogy_server::protocol::{ClientMessage, MatchState};

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_is_stepped_sought_shared_and_played_on() {
    on_stage(180, async |stage| {
        let mut duel = Duel::new(stage, 20).await;
        let table = duel.table.clone();
        duel.sockets[0].send(&ClientMessage::Resign { table: table.clone() }).await.unwrap();
        while duel.table(1).state == MatchState::Playing {
            duel.sockets[1].next().await.unwrap();
        }
        let page = stage.visitor().await;
        page.goto(&stage.url(&format!("/replay/{table}?at=3"))).await;
        let at = |number: u32| format!("document.querySelector('.move-count b')?.textContent === '{number}' && document.querySelector('.replay-table .unit, .replay-table .open-hand') !== null");
        page.until("the shared moment", &at(3)).await;
        page.press("one move on", "document.querySelector('[aria-label=\"One move on\"]')").await;
        page.until("the next move", &at(4)).await;
        page.press("one move back", "document.querySelector('[aria-label=\"One move back\"]')").await;
        page.until("the move before", &at(3)).await;
        page.key("End").await;
        // What was answered for somebody is a move as well.
        let moves = page.eval("Number(document.querySelector('.move-count').textContent.split(' of ')[1])").await;
        let last = u32::try_from(moves.as_u64().unwrap_or_default()).unwrap();
        assert!(last >= 20, "{last} moves after 20 answers");
        page.until("the last move", &at(last)).await;
        page.key("Home").await;
        page.until("the start", &at(0)).await;
        page.key("ArrowRight").await;
        page.until("the first move", &at(1)).await;
        let (left, y) = page.place("the bar", "document.querySelector('.seek input')").await;
        page.click(left, y).await;
        page.until("the middle", &format!("Math.abs(Number(document.querySelector('.move-count b').textContent) - {}) <= 2", last / 2)).await;
        let state = "[...document.querySelectorAll('.replay-table .unit')].length";
        let middle = page.eval(state).await;
        // The log goes to the line of the moment by itself and may move under the mouse: the line is pressed until it is heard.
        page.until("where it was said", &format!("([...document.querySelectorAll('.replay-log button')].at(-1)?.click(), Number(document.querySelector('.move-count b').textContent) > {} && new URLSearchParams(location.search).get('at') !== null)", last * 3 / 4)).await;
        page.until("another state", &format!("{state} !== {middle} || document.querySelector('.replay-log [aria-current]') !== null")).await;
        let bottom = "[...document.querySelectorAll('.replay-table .seatbar .who b')].at(-1).textContent";
        let before = page.text(bottom).await;
        page.press("turn the table", "document.querySelector('[aria-label=\"Turn the table\"]')").await;
        page.until("the other side", &format!("{bottom} !== {}", json!(before))).await;
        page.key("Home").await;
        page.press("Run", "driver.button('Run')").await;
        page.until("that it runs", "Number(document.querySelector('.move-count b').textContent) >= 2").await;
        page.press("Pause", "driver.button('Pause', document.querySelector('.replay-controls'))").await;

        page.press("Play on", "driver.button('Play on from here')").await;
        page.press("the seat", "document.querySelector('dialog[open] input[value=\"0\"]')?.closest('label')").await;
        page.press("the bot", "document.querySelector('dialog[open] input[value=random]')?.closest('label')").await;
        page.press("Play on", "[...document.querySelectorAll('dialog[open] button[type=submit]')].at(-1)").await;
        page.until("a table with a question", "location.pathname.startsWith('/table/') && driver.prompt() !== null && document.querySelectorAll('.hand .face-of').length > 0").await;
        assert_ne!(table_of(&page).await, table);
        assert!(page.text("document.querySelector('.seatbar.own .who small').textContent").await.starts_with("Dark Side"));
        page.is_well();
    })
    .await;
}

const LIST: &str = "name: Brought along\n4x Clone Squad\n2 Yoda (B)\nJango Fett (A) x2\n3x Nobody At All\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_deck_is_imported_changed_kept_and_exported() {
    on_stage(120, async |stage| {
        let page = stage.visitor().await;
        page.prepare("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })").await;
        page.goto(&stage.url("/decks")).await;
        page.until("the decks", "document.querySelector('[aria-label^=\"Duplicate\"]') !== null").await;
        page.press("Import", "driver.button('Import')").await;
        page.write("the list", "document.querySelector('dialog[open] textarea')", LIST).await;
        page.until("what was read", "document.querySelector('dialog[open] [role=status]').textContent.includes('8 cards read, 1 lines not')").await;
        assert!(page.text("document.querySelector('dialog[open] .faults').innerText").await.contains("no card is called"));
        page.press("Take", "driver.button('Take 8 cards')").await;
        page.until("the builder", "location.pathname.startsWith('/deck/') && document.querySelectorAll('.pane-deck .deck-row').length === 3").await;
        assert_eq!(page.text("document.querySelector('main h1').textContent").await, "Brought along");
        page.until("what is wrong with it", "[...document.querySelectorAll('.faults li')].some((fault) => fault.querySelector('a.rule-link'))").await;
        page.press("one more", "document.querySelector('.pane-deck [aria-label=\"One Yoda (B) more\"]')").await;
        page.until("nine cards", "document.querySelector('.pane-deck h2').textContent.includes('9 cards')").await;
        page.write("the search", "document.querySelector('.pane-add input[type=search]')", "clone platoon").await;
        page.press("a card that was found", "document.querySelector('.pane-add [aria-label=\"One Clone Platoon more\"]')").await;
        page.until("ten cards, saved", "document.querySelector('.pane-deck h2').textContent.includes('10 cards') && document.querySelector('.lead').textContent === 'All changes are saved.'").await;
        page.reload().await;
        page.until("the same deck", "document.querySelector('.pane-deck h2')?.textContent.includes('10 cards')").await;
        page.press("Copy", "driver.button('Copy the list')").await;
        let copied = page.until("the list", "window.copied").await;
        let copied = copied.as_str().unwrap_or_default().to_string();
        let mut lines: Vec<&str> = copied.lines().filter(|line| !line.is_empty()).collect();
        lines.sort_unstable();
        assert_eq!(lines, ["1x Clone Platoon", "2x Jango Fett (A)", "3x Yoda (B)", "4x Clone Squad", "name: Brought along"]);
        // What was exported can be imported.
        page.press("Import", "driver.button('Import')").await;
        page.write("the list", "document.querySelector('dialog[open] textarea')", &copied).await;
        page.until("all of it", "document.querySelector('dialog[open] [role=status]').textContent === '10 cards read.'").await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_table_leads_to_it_whatever_has_become_of_it() {
    on_stage(120, async |stage| {
        let host = stage.visitor().await;
        host.press("Open a table", "driver.button('Open a table')").await;
        host.press(
            "private",
            "[...document.querySelectorAll('dialog[open] label')].find((label) => label.textContent.includes('Private'))",
        )
        .await;
        host.press("the form's button", "driver.button('Open the table', document.querySelector('dialog[open]') ?? undefined)").await;
        let link = host.until("the link", "document.querySelector('input[readonly]')?.value").await;
        let link = link.as_str().expect("a link").to_string();
        let guest = stage.visitor().await;
        assert!(
            guest.is("![...document.querySelectorAll('main a')].some((link) => link.href.includes('/join/'))").await,
            "a private table stands in the lobby"
        );
        guest.goto(&link).await;
        guest.until("the invitation", "document.querySelector('h1')?.textContent.endsWith('invites you to a game')").await;
        guest.press("Sit down", "driver.button('Sit down')").await;
        for person in [&host, &guest] {
            person.until("the table", "location.pathname.startsWith('/table/') && document.querySelector('.hand .face-of') !== null").await;
        }
        let third = stage.visitor().await;
        third.goto(&link).await;
        third.until("that it is full", "document.querySelector('h1')?.textContent === 'This table is full'").await;
        third.press("Watch", "driver.button('Watch the game')").await;
        third.until("the table", "document.querySelector('.table.onlooker') !== null").await;
        // Nobody comes to another one: it is closed.
        host.goto(&stage.url("/")).await;
        host.press("Open a table", "driver.button('Open a table')").await;
        host.press("the form's button", "driver.button('Open the table', document.querySelector('dialog[open]') ?? undefined)").await;
        let link = host.until("the link", "document.querySelector('input[readonly]')?.value").await;
        let link = link.as_str().expect("a link").to_string();
        host.goto(&link.replace("/join/", "/table/")).await;
        crate::stage::in_menu(&host, "Close this table").await;
        host.until("that it is closed", "document.querySelector('dialog.end h2')?.textContent === 'This table is closed'").await;
        guest.goto(&link).await;
        guest.until("that it is over", "document.querySelector('h1')?.textContent === 'This table is closed'").await;
        for person in [&host, &guest, &third] {
            person.is_well();
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_game_brings_a_switch_and_the_only_one_none() {
    on_stage(120, async |stage| {
        let page = stage.visitor().await;
        play_now(&page).await;
        // The server of an earlier day: one game only.
        page.prepare(
            "{ const real = window.fetch;
               window.fetch = (path, options) => path !== '/api/games' ? real(path, options) : real(path, options).then((sent) => sent.json())
                 .then((list) => new Response(JSON.stringify(list.filter((game) => game.name === 'tcg')), { headers: { 'content-type': 'application/json' } })); }",
        )
        .await;
        page.goto(&stage.url("/cards")).await;
        page.until("the cards", "document.querySelectorAll('.card-cell').length > 10").await;
        assert!(page.is("document.querySelector('header.top') !== null && document.querySelector('.game-switch') === null").await, "one game needs no switch");
        // The server of another day: a game more, with cards of its own.
        page.prepare(
            "window.asked = []; const real = window.fetch;
             const reply = (content) => Promise.resolve(new Response(JSON.stringify(content), { headers: { 'content-type': 'application/json' } }));
             window.fetch = (path, options) => {
               window.asked.push(path);
               if (path === '/api/games') return real(path, options).then((sent) => sent.json()).then((list) => reply([...list, { ...list[0], name: 'other', title: 'The Other Game', catalogue: 'ff', players: ['North', 'South'] }]));
               if (path === '/api/cards/other?catalogue=ff' || path === '/api/rules/other' || path === '/api/decks/other') return reply([]);
               return real(path, options); };",
        )
        .await;
        page.reload().await;
        page.until("the switch", "document.querySelector('.game-switch')?.options.length === 2").await;
        assert_eq!(page.text("document.querySelector('.game-switch').value").await, "tcg");
        page.until("the cards", "document.querySelectorAll('.card-cell').length > 10").await;
        page.eval("(() => { const choice = document.querySelector('.game-switch'); choice.value = 'other'; choice.dispatchEvent(new Event('change', { bubbles: true })); })()").await;
        page.until("no cards", "window.asked.includes('/api/cards/other?catalogue=ff') && document.querySelectorAll('.card-cell').length === 0").await;
        page.goto(&stage.url("/")).await;
        page.until("the tables with their games", "document.querySelector('.rows')?.innerText.includes('Trading Card Game')").await;
        assert_eq!(page.text("document.querySelector('.game-switch').value").await, "other");
        assert!(page.is("window.asked.includes('/api/decks/other') && !window.asked.includes('/api/decks/tcg')").await, "the decks of the other game are offered");
        // Nobody teaches it here, and it is not taught as if it were another one.
        page.goto(&stage.url("/learn")).await;
        page.until("that there is no lesson", "document.querySelector('main .notice-bad')?.textContent.includes('no guided first game')").await;
        // A rule belongs to its own game.
        page.goto(&stage.url("/rules/tcg.attack.hit")).await;
        page.until("the rule", "document.getElementById('tcg.attack.hit') !== null").await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_shows_our_rulings_on_it_with_their_readings_and_option() {
    on_stage(240, async |stage| {
        for game in ["ccg", "tcg", "lcg"] {
            let page = crate::tables::visitor(stage, game).await;
            // A ruling with an option that players may choose.
            let wanted = page
                .eval(&format!("fetch('/api/rules/{game}').then((reply) => reply.json()).then((rules) => rules.flatMap((rule) => rule.rulings.filter((one) => one.option.startsWith('`')).map((one) => ({{ ...one, rule: rule.id }})))[0])"))
                .await;
            let (id, title) = (wanted["rule"].as_str().unwrap_or_else(|| panic!("no ruling of the {game} has an option")), wanted["title"].as_str().unwrap());
            let ruling = format!("[...document.getElementById({})?.querySelectorAll('.ruling') ?? []].find((one) => one.querySelector('summary').textContent.includes({}))", json!(id), json!(title));
            // The text without its marks, as it is read.
            let plain = |what: &str| wanted[what].as_str().unwrap().replace(['`', '*'], "");
            for size in [(1280, 800), (390, 844)] {
                page.size(size.0, size.1).await;
                page.goto(&stage.url(&format!("/rules/{id}"))).await;
                page.until("the ruling", &format!("{ruling}?.open")).await;
                let told = page.text(&format!("{ruling}.innerText.replace(/\\s+/g, ' ')")).await;
                for what in ["readings", "ours", "option"] {
                    let words = plain(what).split_whitespace().collect::<Vec<_>>().join(" ");
                    assert!(told.contains(&words), "{what} of {title}: {words:?} is not in {told:?}");
                }
                // The option is told as what one would write.
                let option = wanted["option"].as_str().unwrap().split('`').nth(1).unwrap();
                assert!(page.is(&format!("[...{ruling}.querySelectorAll('code')].some((one) => one.textContent === {})", json!(option))).await, "{told}");
                page.place("the ruling in sight", &format!("{ruling}.querySelector('p')")).await;
                assert!(page.is("document.documentElement.scrollWidth <= innerWidth").await, "{id} at {size:?} scrolls sideways");
            }
            // Among all rules it is folded, opens, and is found by its title.
            page.size(1280, 800).await;
            page.goto(&stage.url("/rules")).await;
            page.until("all rules", &format!("{ruling} && !{ruling}.open")).await;
            page.press("the ruling", &format!("{ruling}.querySelector('summary')")).await;
            page.until("the ruling", &format!("{ruling}.open")).await;
            page.write("the field", "document.querySelector('[role=search] input')", title).await;
            page.until("that it is found", &format!("document.querySelectorAll('.rule-entry').length < 20 && {ruling} !== undefined")).await;
            page.is_well();
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_writer_of_cards_finds_a_word_by_what_it_says() {
    on_stage(120, async |stage| {
        let page = stage.visitor().await;
        page.goto(&stage.url("/cards")).await;
        page.press("the way there", "[...document.querySelectorAll('main a')].find((link) => link.pathname === '/vocabulary')").await;
        page.until("the words", "document.querySelectorAll('.word-entry').length > 50").await;
        assert!(
            page.is("document.querySelectorAll('.word-entry').length < 200 && driver.button('Show all') !== null").await,
            "not all at once"
        );
        // By keyboard, in English.
        page.key("/").await;
        assert!(page.is("document.activeElement.type === 'search'").await);
        page.write("the search", "document.activeElement", "prevent damage").await;
        let first = "document.querySelector('.word-entry')";
        page.until(
            "a verb for it",
            &format!(
                "[...document.querySelectorAll('.word-entry')].every((word) => /prevent/i.test(word.textContent)) && {first} !== null"
            ),
        )
        .await;
        page.press("verbs only", "[...document.querySelectorAll('.chip')].find((chip) => chip.textContent.startsWith('verb'))").await;
        page.until(
            "verbs only",
            "[...document.querySelectorAll('.word-entry .rule-head small')].every((sort) => sort.textContent === 'verb')",
        )
        .await;
        page.until("the address of it", "location.search.includes('sort=verb')").await;
        let shown = page.text(&format!("{first}.innerText")).await;
        // The same is found after the address was shared.
        page.reload().await;
        page.until("the same words", &format!("{first}?.innerText === {}", json!(shown))).await;
        // A phone has no room to the side.
        page.size(360, 740).await;
        page.drawn().await;
        assert!(page.is("document.documentElement.scrollWidth <= 360").await, "the page is wider than a phone");
        page.press("a card that uses it", &format!("{first}.querySelector('a[href^=\"/cards\"]')")).await;
        page.until("the card", "location.pathname === '/cards' && document.querySelectorAll('.card-cell').length >= 1").await;
        page.is_well();
    })
    .await;
}
