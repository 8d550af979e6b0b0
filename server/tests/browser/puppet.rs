//! A table whose server is spoken for by the test: what is put into the page comes as if from the server, and what the
//! page answers goes nowhere. So a test has the moment it is about at once, whatever the cards of the game are.

use crate::cdp::Page;
use crate::stage::Stage;
use crate::tables::visitor;
use serde_json::{Value, json};

/// `sent` are the answers of the page, `known` is the table as it stands.
const PUPPET: &str = r#"{
  window.sent = []; window.known = {}; window.seq = 0;
  const merged = (target, patch) => {
    if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
    const result = target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
    for (const [key, value] of Object.entries(patch)) { if (value === null) delete result[key]; else result[key] = merged(result[key], value); }
    return result;
  };
  const hear = (said) => {
    if (said.type !== "update") return;
    window.known = merged(said.base === 0 ? undefined : window.known, said.patch);
    window.seq = said.seq;
  };
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(...all) { super(...all); window.line = this; this.addEventListener("message", (event) => hear(JSON.parse(event.data))); }
    send(text) { const said = JSON.parse(text); if (said.type !== "answer") return super.send(text);
      window.sent.push(said); queueMicrotask(() => line.onmessage({ data: JSON.stringify({ type: "accepted", table: said.table, id: said.id, seq }) })); }
  };
  window.put = (patch, log = [], moves = []) => {
    const said = { type: "update", table: known.id, base: seq, seq, patch, log, moves };
    hear(said);
    line.onmessage({ data: JSON.stringify(said) });
  };
  /** Ask this player something; numbers of asks never come again. */
  window.put_ask = (question, more = {}) => put({ ask: { number: (window.asks = (window.asks ?? 9000) + 1), seat: known.seat, question, ...more } });
  /** Let a card lie elsewhere. */
  window.put_card = (id, zone, more = {}) => {
    const from = known.cards[id]?.zone;
    const without = from && known.zones[from] ? { [from]: { cards: known.zones[from].cards.filter((one) => one !== id) } } : {};
    const to = known.zones[zone] ?? { english: zone, seat: null, cards: [], hidden: 0 };
    const full = { id, key: null, owner: known.seat, controller: known.seat, facedown: false, parent: null, role: null, counters: {}, values: {}, totals: {}, ...known.cards[id], zone, ...more };
    put({ zones: { ...without, [zone]: { ...to, cards: [...to.cards.filter((one) => one !== id), id] } }, cards: { [id]: full } });
  };
  /** Ids of new cards that this player knows, each with the key of a card of the game. */
  window.put_cards = (keys, zone, more = {}) => keys.map((key) => { const id = (window.ids = (window.ids ?? 70000) + 1); put_card(id, zone, { key, ...more }); return id; });
}"#;

/// What the page of a player with these settings is; things move as the system says.
pub(crate) struct Setting {
    pub(crate) motion: &'static str,
    pub(crate) scheme: &'static str,
    /// How fast things move; almost nothing makes what is shown for a moment stay.
    pub(crate) pace: f32,
}

pub(crate) const STILL: Setting = Setting { motion: "reduce", scheme: "dark", pace: 1.0 };
pub(crate) const MOVING: Setting = Setting { motion: "no-preference", scheme: "dark", pace: 1.0 };

/// A person at a table against a bot, or in the guided game, who is asked the first question of the game.
pub(crate) async fn puppet(stage: &Stage, game: &str, size: (u32, u32), lesson: bool, setting: Setting) -> Page {
    let page = visitor(stage, game).await;
    page.prefers(setting.scheme, setting.motion).await;
    page.size(size.0, size.1).await;
    page.prepare(PUPPET).await;
    page.prepare(&format!("try {{ localStorage.setItem('trilogy.pace', '{}'); }} catch {{}}", setting.pace)).await;
    page.goto(&stage.url(if lesson { "/learn" } else { "/" })).await;
    let button = if lesson { "Begin" } else { "Play now" };
    page.press(button, &format!("driver.button('{button}')")).await;
    page.until("the first question", "driver.prompt() !== null && document.querySelectorAll('.table .card-title').length > 0").await;
    page
}

/// Cards of a game that are not the same, by their keys.
pub(crate) async fn keys(page: &Page, game: &str, wanted: &str, count: usize) -> Vec<String> {
    let found =
        page.eval(&format!("fetch('/api/cards/{game}').then((reply) => reply.json()).then((cards) => cards.filter({wanted}).slice(0, {count}).map((card) => card.key))")).await;
    let found: Vec<String> = serde_json::from_value(found).unwrap();
    assert_eq!(found.len(), count, "the {game} has too few cards");
    found
}

/// Where an element is: left, top, right, bottom.
pub(crate) async fn area(page: &Page, element: &str) -> [f64; 4] {
    let found = page
        .eval(&format!(
            "(() => {{ const box = ({element}).getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; }})()"
        ))
        .await;
    serde_json::from_value(found).unwrap_or_else(|_| panic!("{element} is not there"))
}

/// Where some elements are once nothing moves any more.
pub(crate) async fn steady(page: &Page, elements: &[&str]) -> Vec<[f64; 4]> {
    let mut before = Vec::new();
    for _ in 0..100 {
        let mut now = Vec::new();
        for element in elements {
            now.push(area(page, element).await);
        }
        if now == before {
            return now;
        }
        before = now;
        page.frames(5).await;
    }
    panic!("{elements:?} do not come to rest");
}

pub(crate) fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] < b[2] - 1.0 && b[0] < a[2] - 1.0 && a[1] < b[3] - 1.0 && b[1] < a[3] - 1.0
}

pub(crate) fn within(inner: [f64; 4], outer: [f64; 4]) -> bool {
    inner[0] >= outer[0] - 1.0 && inner[1] >= outer[1] - 1.0 && inner[2] <= outer[2] + 1.0 && inner[3] <= outer[3] + 1.0
}

pub(crate) async fn window(page: &Page) -> [f64; 4] {
    let size = page.eval("[innerWidth, innerHeight]").await;
    [0.0, 0.0, size[0].as_f64().unwrap_or_default(), size[1].as_f64().unwrap_or_default()]
}

/// Answers that the page would have given.
pub(crate) async fn sent(page: &Page) -> Value {
    page.eval("window.sent.map((one) => one.answer)").await
}

/// A question with many cards of a pile of one's own, as a search asks it.
pub(crate) async fn search(page: &Page, game: &str, pile: &str, count: usize, most: u32) {
    let keys = keys(page, game, "(card, at, all) => all.findIndex((one) => one.title === card.title) === at", count).await;
    let ask = format!(
        "(() => {{ const pile = `{pile}.${{known.seat}}`; const ids = put_cards({}, pile); const title = (id) => known.cards[id].key;
           put_ask({{ kind: 'pick', prompt: 'Take a card from your pile', options: ids.map((card) => ({{ label: title(card), card, target: null, zone: pile }})), least: 0, most: {most} }}); }})()",
        json!(keys)
    );
    page.eval(&ask).await;
    page.until("the search", "document.querySelector('.prompt-text')?.textContent.includes('Take a card from your pile') && document.querySelectorAll('.card-option').length > 30")
        .await;
}
