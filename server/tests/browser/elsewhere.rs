//! Pages that a server sends to another one, where the match goes on: by itself, signed in, and not for ever to and fro.

use crate::admin::{claims, with_token};
use crate::axe;
use crate::cdp::Page;
use crate::common::Place;
use crate::stage::{Stage, click_on, on_stage, on_stage_at, play_now, table_of};
use crate::tables::is_sound;
use serde_json::json;
use std::collections::BTreeMap;
use trilogy_server::Running;
use trilogy_server::client::{Dice, Rest};
use trilogy_server::protocol::Clock;

/// A server as a browser reaches it by a name of its own: sessions of the stage's server are not known there.
fn by_name(server: &Running) -> String {
    format!("http://localhost:{}/", server.addr.port())
}

/// The page is at this path of the stage's server, and nothing of the ticket is left in its address.
async fn arrives(stage: &Stage, page: &Page, path: &str) {
    let here = format!("location.href === {}", json!(stage.url(path)));
    page.until(&format!("that the page comes to {path}"), &here).await;
}

/// Two servers on one database, and a browser; where there is no PostgreSQL it is skipped.
async fn with_two_servers(test: impl AsyncFnOnce(&Stage, Running)) {
    let Some(place) = Place::postgres().await else { return };
    on_stage_at(place, 240, async |stage| {
        let other = with_token(&stage.place).await;
        test(stage, other).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_a_server_stops_its_players_go_on_at_another() {
    with_two_servers(async |stage, other| {
        let page = stage.person().await;
        page.size(360, 740).await;
        page.goto(&by_name(&other)).await;
        play_now(&page).await;
        assert!(click_on(&page, &mut Dice(1), 2).await);
        page.until("a question", "driver.prompt() !== null").await;
        let (id, hand) = (table_of(&page).await, page.eval("driver.hand()").await);
        let name = page.text("document.querySelector('.seatbar.own .who b').textContent").await;
        other.stop().await;
        arrives(stage, &page, &format!("/table/{id}")).await;
        page.until("the same question", "driver.prompt() !== null && document.querySelectorAll('.hand .card-title').length > 0").await;
        assert_eq!(page.eval("driver.hand()").await, hand);
        assert_eq!(page.text("document.querySelector('.seatbar.own .who b').textContent").await, name);
        assert_eq!(
            page.eval("fetch('/api/me').then((reply) => reply.json()).then((me) => [me.name, me.guest])").await,
            json!([name, true])
        );
        page.is_well();
        // The seat is still theirs.
        assert!(click_on(&page, &mut Dice(3), 1).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_match_leads_to_the_server_that_has_it() {
    with_two_servers(async |stage, other| {
        let ana = Rest::guest(stage.server.addr, "Ana").await.unwrap();
        let playing = ana.against("random").await.unwrap().id;
        // An onlooker without a name has no ticket, and needs none.
        let page = stage.person().await;
        page.goto(&by_name(&other)).await;
        page.eval(&format!("history.pushState(null, '', '/table/{playing}'); dispatchEvent(new PopStateEvent('popstate'))")).await;
        arrives(stage, &page, &format!("/table/{playing}")).await;
        page.until("the table", "document.querySelector('.table.onlooker') !== null").await;
        assert_eq!(page.eval("fetch('/api/me').then((reply) => reply.json())").await, json!(null));
        page.is_well();
        // The way back leads to where they came from, not to a page that sends them here again.
        page.eval("history.back()").await;
        page.until(
            "the lobby of before",
            &format!("location.href === {} && driver.button('Play now') !== undefined", json!(by_name(&other))),
        )
        .await;
        other.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_joins_a_table_of_another_server_goes_there() {
    with_two_servers(async |stage, other| {
        let ana = Rest::guest(stage.server.addr, "Ana").await.unwrap();
        let open = ana.opens(Clock::None).await.unwrap().id;
        let page = stage.person().await;
        page.goto(&by_name(&other)).await;
        page.press("Join", &format!("document.querySelector('main a.button[href=\"/join/{open}\"]')")).await;
        page.press("Sit down", "driver.button('Sit down')").await;
        arrives(stage, &page, &format!("/join/{open}")).await;
        let name = page.until("that the page is signed in", "document.querySelector('header .me')?.textContent").await;
        page.press("Sit down", "driver.button('Sit down')").await;
        page.until("the table", "document.querySelectorAll('.table .hand .card-title').length > 0").await;
        assert_eq!(page.eval("document.querySelector('.seatbar.own .who b').textContent").await, name);
        page.is_well();
        other.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ending_a_match_of_another_server_tells_where() {
    with_two_servers(async |stage, other| {
        let ana = Rest::guest(stage.server.addr, "Ana").await.unwrap();
        let table = ana.against("random").await.unwrap();
        let page = stage.person().await;
        // As if it had been here a moment ago.
        page.prepare(&format!(
            "{{ const real = window.fetch; window.fetch = async (path, more) => String(path) !== '/api/admin/matches' ? real(path, more)
                 : new Response({}, {{ headers: {{ 'content-type': 'application/json' }} }}); }}",
            json!(json!([table]).to_string())
        ))
        .await;
        page.goto(&by_name(&other)).await;
        claims(&page).await;
        page.goto(&format!("{}admin", by_name(&other))).await;
        page.until("the whole page", "document.querySelector('section.servers .row-text') !== null").await;
        page.press("End", "driver.button('End')").await;
        page.press("yes", "driver.button('End it', document.querySelector('dialog[open]') ?? new DocumentFragment())").await;
        let link = page.until("where it is", "document.querySelector('.toasts a')?.href").await;
        assert_eq!(link, json!(stage.url("/admin")));
        page.is_well();
        other.stop().await;
    })
    .await;
}

/// Every server says that the match is at the other one; here two names of one server do.
const TO_AND_FRO: &str = r#"{
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    send(text) {
      const said = JSON.parse(text);
      if (said.type !== "watch") return super.send(text);
      sessionStorage.asked = Number(sessionStorage.asked ?? 0) + 1;
      const other = location.hostname === "localhost" ? "127.0.0.1" : "localhost";
      queueMicrotask(() => this.onmessage({ data: JSON.stringify({ type: "moved", table: said.table, url: `http://${other}:${location.port}/`, ticket: null }) }));
    }
  };
}"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_sent_to_and_fro_stays_and_says_so() {
    on_stage(120, async |stage| {
        let ana = Rest::guest(stage.server.addr, "Ana").await.unwrap();
        let id = ana.against("random").await.unwrap().id;
        let page = stage.person().await;
        page.prepare(TO_AND_FRO).await;
        page.goto(&format!("{}table/{id}", by_name(&stage.server))).await;
        // Three times it goes; where it is then, it has been asked for twice.
        let stays = |host: &str, asked: u32| {
            format!("location.hostname === '{host}' && document.querySelector('.stranded') !== null && sessionStorage.asked === '{asked}'")
        };
        page.until("that the page stays", &stays("127.0.0.1", 2)).await;
        page.size(360, 740).await;
        assert!(page.is("location.pathname.startsWith('/table/') && document.querySelector('.loading, .board') === null").await);
        let mut found = BTreeMap::new();
        axe(&page, "a page that stays", &mut found).await;
        is_sound(found);
        // By leave of the person it tries again, and no more often than before.
        page.press("Try again", "driver.button('Try again')").await;
        page.until("that the page stays again", &stays("localhost", 4)).await;
        page.press("the lobby", "driver.button('To the lobby')").await;
        page.until("the lobby", "location.pathname === '/' && driver.button('Play now') !== undefined").await;
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_entrance_leads_nowhere_else() {
    on_stage(120, async |stage| {
        let page = stage.visitor().await;
        for to in [
            "//evil.example/table/a",
            "https://evil.example/table/a",
            "/\\evil.example/table/a",
            "javascript:alert(1)",
            "/settings",
            "/table/../settings",
            "",
        ] {
            page.goto(&stage.url(&format!("/enter#to={}", encoded(to)))).await;
            page.until("the lobby", "driver.button('Play now') !== undefined").await;
            assert_eq!(page.text("location.href").await, stage.url("/"), "{to:?}");
        }
        // A ticket that is not taken: it is said, the address has nothing of it, and one can look on.
        let ana = Rest::guest(stage.server.addr, "Ana").await.unwrap();
        let id = ana.against("random").await.unwrap().id;
        page.goto(&stage.url(&format!("/enter#to=/table/{id}&ticket=0123"))).await;
        page.until("what is wrong", "document.querySelector('.notice')?.textContent.includes('too old')").await;
        assert!(!page.text("location.href").await.contains("0123"));
        page.press("Look on", "driver.button('Look on')").await;
        page.until("the table", "document.querySelector('.table.onlooker') !== null").await;
        page.is_well();
        // Whoever is signed in needs none.
        let page = stage.known(&ana).await;
        page.goto(&stage.url(&format!("/enter#to=/table/{id}&ticket=0123"))).await;
        arrives(stage, &page, &format!("/table/{id}")).await;
        page.until("their seat", "document.querySelector('.table:not(.onlooker) .hand') !== null").await;
        page.is_well();
    })
    .await;
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}
