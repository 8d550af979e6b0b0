//! A move with a card and a place is one answer: the card's menu lists the places, those that lie on the table are marked and
//! can be clicked or dropped on, and the keyboard and a phone reach all of them.

use crate::asked::{asks, read};
use crate::cdp::Page;
use crate::puppet::{STILL, area, keys, puppet, sent, window, within};
use crate::stage::on_stage;
use serde_json::json;

/// Four places, somebody at the second one, and a hand of two; the first may go to three of the places, the second to one, and
/// the fourth place has a move of its own.
const TABLE: &str = "(() => {
    const [hero, mate, guard, ...sites] = KEYS;
    window.places = put_cards(sites, 'locations');
    [window.hero, window.mate] = put_cards([hero, mate], `hand.${known.seat}`);
    [window.guard] = put_cards([guard], 'attached', { parent: places[1], role: 'at' });
    const to = (card, at) => ({ label: `Deploy ${known.cards[card].key} to ${known.cards[places[at]].key} for 3`, card, target: places[at] });
    window.where = { kind: 'pick', prompt: 'Deploy?', least: 0, most: 1, options: [to(window.hero, 0), to(window.hero, 1), to(window.hero, 2), to(window.mate, 0), { label: 'Drain', card: places[3], target: null }] };
})()";

async fn table(page: &Page) {
    let people = keys(
        page,
        "ccg",
        "(card, at, all) => card.kind === 'Character' && !card.version && all.findIndex((one) => one.title === card.title) === at",
        3,
    )
    .await;
    let sites = keys(page, "ccg", "(card, at, all) => card.kind === 'Location' && card.title.includes(': ') && all.findIndex((one) => one.title === card.title) === at", 4).await;
    page.eval(&TABLE.replace("KEYS", &json!([people, sites].concat()).to_string())).await;
}

fn hand(card: &str) -> String {
    format!("document.querySelector(`.hand [data-card=\"${{{card}}}\"]`)")
}

fn tile(at: usize) -> String {
    format!("document.querySelector(`.board .place[data-card=\"${{places[{at}]}}\"]`)")
}

/// Which of the places are marked as targets, and which as having a move.
async fn marked(page: &Page, class: &str) -> Vec<usize> {
    let marked = page
        .eval(&format!("places.map((id, at) => (document.querySelector(`.place.{class}[data-card=\"${{id}}\"]`) ? [at] : [])).flat()"))
        .await;
    serde_json::from_value(marked).unwrap()
}

async fn opens(page: &Page) {
    page.press("the card", &hand("hero")).await;
    page.until("its menu", "document.querySelector('.card-menu')").await;
}

async fn answered(page: &Page, option: usize) {
    page.until("the answer", "window.sent.length === 1").await;
    assert_eq!(sent(page).await, json!([{ "pick": [option] }]));
    assert_eq!(marked(page, "target").await, [0; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_card_goes_is_chosen_in_its_menu_or_on_the_table() {
    on_stage(240, async |stage| {
        for size in [(1400, 900), (390, 844)] {
            let page = puppet(stage, "ccg", size, false, STILL).await;
            table(&page).await;
            asks(&page, "where", "{}", "Deploy?").await;
            assert_eq!(
                (marked(&page, "legal").await, marked(&page, "target").await),
                (vec![3], vec![]),
                "a place to go to has no move of its own"
            );
            opens(&page).await;
            assert_eq!((marked(&page, "legal").await, marked(&page, "target").await), (vec![3], vec![0, 1, 2]));
            let places = page.eval("places.map((id) => known.cards[id].key)").await;
            let mut told: Vec<String> = (0..3).map(|at| format!("Deploy it to {} for 3", places[at].as_str().unwrap())).collect();
            told.push("Details and numbers".into());
            assert_eq!(read(&page, ".card-menu button").await, told);
            let menu = area(&page, "document.querySelector('.card-menu')").await;
            assert!(within(menu, window(&page).await), "{menu:?}");
            // On the table; on a phone the tab leads there.
            if size.0 < 600 {
                page.press("the tab", "document.querySelector(`[data-tab=\"at-${places[1]}\"].lit`)").await;
            }
            page.press("the second place", &tile(1)).await;
            answered(&page, 1).await;
            // In the menu.
            asks(&page, "where", "{}", "Deploy?").await;
            opens(&page).await;
            page.press("the third place", "document.querySelectorAll('.card-menu button')[2]").await;
            answered(&page, 2).await;
            // By the keyboard alone; Escape answers nothing and leads back.
            asks(&page, "where", "{}", "Deploy?").await;
            crate::tab_to(&page, &hand("hero")).await;
            for key in ["Escape", "Enter"] {
                page.key("Enter").await;
                page.until("its menu", "document.querySelector('.card-menu')?.contains(document.activeElement)").await;
                page.key("ArrowDown").await;
                page.key(key).await;
                page.until("no menu", "document.querySelector('.card-menu') === null").await;
                if key == "Escape" {
                    assert_eq!(sent(&page).await, json!([]));
                    page.until("the card again", &format!("document.activeElement === {}", hand("hero"))).await;
                }
            }
            answered(&page, 1).await;
            // What is clicked elsewhere does what it always does.
            asks(&page, "where", "{}", "Deploy?").await;
            opens(&page).await;
            page.press("the phase", "document.querySelector('.phase')").await;
            page.until("no menu", "document.querySelector('.card-menu') === null").await;
            assert_eq!((marked(&page, "target").await, sent(&page).await), (vec![], json!([])));
            // One move is made at once.
            page.press("the other card", &hand("mate")).await;
            answered(&page, 3).await;
            // The list of all moves keeps those of a card together, under its name.
            asks(&page, "{ ...where, options: [0, 3, 1, 4, 2].map((at) => where.options[at]) }", "{}", "Deploy?").await;
            page.press("all moves", "document.querySelector('[aria-label^=\"All moves\"]')").await;
            page.until("the list", "document.querySelector('dialog[open] h3')").await;
            assert_eq!(read(&page, "dialog[open] h3").await, [page.text("known.cards[hero].key").await]);
            let listed = read(&page, "dialog[open] .stack .button").await;
            assert_eq!((&listed[..3], listed[4].as_str()), (&told[..3], "Drain"), "{listed:?}");
            page.key("Escape").await;
            page.until("the table", "document.querySelector('dialog[open]') === null").await;
            page.is_well();
        }
    })
    .await;
}

/// Press on one thing, move to another and let go; what is marked meanwhile.
async fn drags(page: &Page, from: &str, to: &str) -> Vec<usize> {
    let mouse = async |kind: &str, (x, y): (f64, f64), buttons: u32| {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        page.call("Input.dispatchMouseEvent", event).await;
    };
    let (start, end) = (page.place("the card", from).await, page.place("the place", to).await);
    page.hover(start.0, start.1).await;
    mouse("mousePressed", start, 1).await;
    mouse("mouseMoved", ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0), 1).await;
    mouse("mouseMoved", end, 1).await;
    page.until("the card in hand", "document.querySelector('.ghost')").await;
    let targets = marked(page, "target").await;
    mouse("mouseReleased", end, 0).await;
    targets
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_dragged_to_where_it_goes() {
    on_stage(240, async |stage| {
        let page = puppet(stage, "ccg", (1400, 900), false, STILL).await;
        table(&page).await;
        let guard = "document.querySelector(`.board [data-card=\"${guard}\"]`)";
        let beside = "document.querySelector(`.site[data-aim=\"${places[2]}\"] .half.mine`)";
        // On the place, on somebody who stands there, on the ground beside it.
        for (to, option) in [(tile(0).as_str(), 0), (guard, 1), (beside, 2)] {
            asks(&page, "where", "{}", "Deploy?").await;
            assert_eq!(drags(&page, &hand("hero"), to).await, [0, 1, 2]);
            answered(&page, option).await;
        }
        // Where it may not go nothing is guessed, even where there is one place only: the places are offered.
        for (card, at, entries) in [("hero", 3, 4), ("mate", 1, 2)] {
            asks(&page, "where", "{}", "Deploy?").await;
            drags(&page, &hand(card), &tile(at)).await;
            page.until("the menu", &format!("document.querySelectorAll('.card-menu button').length === {entries}")).await;
            assert_eq!(sent(&page).await, json!([]));
            page.key("Escape").await;
        }
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_places_are_within_reach_and_a_card_of_a_pile_is_seen_once() {
    on_stage(240, async |stage| {
        for size in [(1400, 900), (390, 844)] {
            let page = puppet(stage, "ccg", size, false, STILL).await;
            table(&page).await;
            let many = keys(&page, "ccg", "(card, at, all) => card.kind === 'Location' && all.findIndex((one) => one.title === card.title) === at", 26).await;
            page.eval(&format!("window.places = put_cards({}, 'locations')", json!(many))).await;
            let to_all = "{ ...where, options: places.map((target) => ({ label: `Deploy ${known.cards[hero].key} to ${known.cards[target].key} for 3`, card: hero, target })) }";
            asks(&page, to_all, "{}", "Deploy?").await;
            opens(&page).await;
            let menu = area(&page, "document.querySelector('.card-menu')").await;
            assert!(within(menu, window(&page).await), "{menu:?} at {size:?}");
            assert_eq!(crate::sideways(&page, "the menu", size.0).await, None);
            page.press("the last place", "document.querySelectorAll('.card-menu button')[25]").await;
            answered(&page, 25).await;
            // Two cards that are offered from a pile, each to three places: two pictures.
            page.eval("window.offered = put_cards([known.cards[hero].key, known.cards[mate].key], `reserve.${known.seat}`)").await;
            let offered = "{ kind: 'pick', prompt: 'Deploy one?', least: 0, most: 1, options: offered.flatMap((card) => places.slice(0, 3).map((target, at) => ({ label: `Deploy to place ${at}`, card, target, zone: `reserve.${known.seat}` }))) }";
            for way in ["click", "key"] {
                asks(&page, offered, "{}", "Deploy one?").await;
                page.until("the pictures", "document.querySelectorAll('.card-option .card-title').length === 2").await;
                if way == "click" {
                    page.press("the second", "document.querySelectorAll('.card-option')[1]").await;
                } else {
                    page.key("2").await;
                }
                page.until("the menu", "document.querySelector('.card-menu')").await;
                assert_eq!(sent(&page).await, json!([]));
                assert_eq!(read(&page, ".card-menu button").await[..3], ["Deploy to place 0", "Deploy to place 1", "Deploy to place 2"]);
                page.press("the last", "document.querySelectorAll('.card-menu button')[2]").await;
                answered(&page, 5).await;
            }
            page.is_well();
        }
    })
    .await;
}
