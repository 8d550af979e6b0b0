//! The page for those who look after the server.

use crate::axe;
use crate::cdp::Page;
use crate::common::Place;
use crate::sideways;
use crate::stage::{config_at, on_stage_at, server_at};
use crate::tables::is_sound;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trilogy_server::client::Rest;
use trilogy_server::{Config, Running, start};

const TOKEN: &str = "the token";

/// A server that makes one person an administrator.
pub(crate) async fn with_token(place: &Place) -> Running {
    start(Config { admin_token: Some(TOKEN.into()), ..config_at(place) }).await.expect("the server starts")
}

/// Make the person of a page that one.
pub(crate) async fn claims(page: &Page) {
    let claimed = page
        .eval(&format!(
            "(async () => {{
               const send = (path, body, csrf) => fetch(path, {{ method: 'POST', headers: {{ 'content-type': 'application/json', 'x-csrf': csrf ?? '' }}, body: JSON.stringify(body) }});
               const me = await (await send('/api/register', {{ name: 'Keeper', password: 'a long enough password' }})).json();
               return (await send('/api/admin/claim', {{ token: {} }}, me.csrf)).status;
             }})()",
            json!(TOKEN)
        ))
        .await;
    assert_eq!(claimed, json!(200));
}

async fn section(page: &Page, class: &str) -> String {
    page.until(class, &format!("document.querySelector('section.{class}')?.innerText")).await.as_str().unwrap_or_default().to_string()
}

/// Rules that are broken, which the server of this test has none of.
const BROKEN: &str = r#"{
  const real = window.fetch;
  const report = ["error: no card is called \"Yoda (Z)\"", "  rules/attack.saga:12:3", ...Array.from({ length: 40 }, (_, at) => `   | line ${at} ${"of the report ".repeat(12)}`)].join("\n");
  window.fetch = async (path, more) => {
    const reply = await real(path, more);
    if (String(path) !== "/api/admin/troubles" || !window.broken) return reply;
    const told = await reply.json();
    return new Response(JSON.stringify({ ...told, rules: [{ game: "tcg", report, since: 1700000000 }] }), { headers: { "content-type": "application/json" } });
  };
}"#;

#[tokio::test(flavor = "multi_thread")]
async fn troubles_are_told_to_those_who_look_after_the_server() {
    let place = Place::folder();
    let before = server_at(&place).await;
    let ana = Rest::guest(before.addr, "Ana").await.unwrap();
    let id = ana.against("random").await.unwrap().id;
    before.stop().await;
    on_stage_at(Place::folder(), 180, async |stage| {
        let first = with_token(&place).await;
        let page = stage.person().await;
        page.prepare(BROKEN).await;
        page.goto(&first.url()).await;
        claims(&page).await;
        page.goto(&format!("{}admin", first.url())).await;
        for part in ["unread-matches", "broken-rules"] {
            assert!(section(&page, part).await.contains("All is well"), "{}", section(&page, part).await);
        }
        let servers = section(&page, "servers").await;
        assert!(servers.contains(&first.url()) && servers.contains("this one"), "{servers}");
        // A game is ended, and its player hears of it.
        page.press("End", "driver.button('End')").await;
        page.press("yes", "driver.button('End it', document.querySelector('dialog[open]') ?? new DocumentFragment())").await;
        page.until("no match", "document.querySelector('section [aria-label^=\"End \"]') === null && document.querySelector('dialog[open]') === null").await;
        let ended: Value = ana_at(&ana, &first).get(&format!("/api/tables/{id}")).await.unwrap();
        assert_eq!(ended["state"], json!({ "is": "over", "winner": null, "how": "closed" }));
        let again = ana_at(&ana, &first).against("random").await.unwrap().id;
        page.is_well();
        first.stop().await;

        place.change("UPDATE matches SET catalogue = 'another' || catalogue".into()).await;
        let second = start(Config { listen: first_addr(&page).await, ..config_at(&place) }).await.expect("the next server starts");
        for (width, height) in [(1280, 800), (360, 740)] {
            page.size(width, height).await;
            page.goto(&format!("{}admin", second.url())).await;
            page.eval("window.broken = true").await;
            let listed = format!("document.querySelector('section.unread-matches')?.innerText.includes({})", json!(again));
            page.until("the match", &listed).await;
            let told = section(&page, "unread-matches").await;
            assert!(told.contains("that are not here"), "{told}");
            // The list is looked at again by itself.
            page.until("the report", "document.querySelector('.report')?.textContent.includes('Yoda (Z)')").await;
            assert!(page.is("(() => { const box = document.querySelector('.report'); return box.scrollHeight > box.clientHeight && box.scrollWidth > box.clientWidth && getComputedStyle(box).fontFamily.includes('monospace'); })()").await);
            let mut found = BTreeMap::new();
            axe(&page, "the page for administrators", &mut found).await;
            is_sound(found);
            assert_eq!(sideways(&page, "the page for administrators", width).await, None);
        }
        page.is_well();
        second.stop().await;
    })
    .await;
}

fn ana_at(ana: &Rest, server: &Running) -> Rest {
    Rest { addr: server.addr, ..ana.clone() }
}

/// The address that the page was opened at.
async fn first_addr(page: &Page) -> std::net::SocketAddr {
    page.text("location.host").await.parse().expect("an address")
}
