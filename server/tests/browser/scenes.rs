//! Games within the game, as the page tells them: the moments are scenarios of the ccg (`rules/shown.scenario`), played to their
//! end and shown to a player. Whoever has never seen the game reads what goes on, how it stands and how it is won.

use crate::cdp::Page;
use crate::puppet::{STILL, area, puppet, window, within};
use crate::stage::{Stage, on_stage};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use trilogy_engine::{PlayerId, Viewer};
use trilogy_saga::scenario::{Moment, parse};
use trilogy_server::matches::{cards, merge, shown};

/// What is to be read of a scenario by one player: in the lines of the scene, and on the cards of the board.
struct Look {
    scenario: &'static str,
    /// 0 is the Dark Side.
    seat: u8,
    reads: &'static [&'static str],
    on_cards: &'static [&'static str],
    never: &'static [&'static str],
}

const LOOKS: [Look; 15] = [
    Look {
        scenario: "sabacc while cards are drawn",
        seat: 1,
        reads: &["Sabacc", "nearest to 11", "Den Thief", "Han Solo", "2 cards face down", "Worth", "without going over wins"],
        on_cards: &[],
        never: &["Imperial Blaster", "Total"],
    },
    Look {
        scenario: "sabacc when all is laid open",
        seat: 0,
        reads: &["Sabacc", "Total", "8", "2", "Imperial Blaster", "Luke Skywalker"],
        on_cards: &[],
        never: &["face down"],
    },
    Look {
        scenario: "a duel while destinies are drawn",
        seat: 1,
        reads: &["Duel", "Darth Vader", "Luke Skywalker", "Strength", "Destiny", "Total", "10", "The higher total wins"],
        on_cards: &[],
        never: &["wins the duel"],
    },
    Look { scenario: "a duel that is won", seat: 1, reads: &["Duel", "wins the duel", "10", "8"], on_cards: &[], never: &[] },
    Look {
        scenario: "a lightsaber combat before the first draw",
        seat: 1,
        reads: &[
            "Lightsaber combat",
            "Obi-Wan Kenobi",
            "Darth Vader",
            "Combat cards",
            "3 Y-wing",
            "face down",
            "The lower total loses 2 Force",
        ],
        on_cards: &[],
        never: &["TIE Scout"],
    },
    Look {
        scenario: "a lightsaber combat that is settled",
        seat: 0,
        reads: &["Lightsaber combat", "Total", "4", "2"],
        on_cards: &[],
        never: &[],
    },
    Look {
        scenario: "a Podrace with its track",
        seat: 0,
        reads: &["Podrace", "finish: more than 24", "Race total", "10", "6", "Anakin's Podracer", "Race destinies", "6 Six", "4 TIE Scout"],
        on_cards: &["damaged"],
        never: &[],
    },
    Look {
        scenario: "the Senate with its tally",
        seat: 0,
        reads: &["Senate", "Politics", "3", "2", "has the majority"],
        on_cards: &["Politics 3", "Politics 2", "Influence 2", "Peace agenda", "Trade agenda"],
        never: &[],
    },
    Look {
        scenario: "a Jedi Test with mentor and apprentice",
        seat: 1,
        reads: &[],
        on_cards: &["Mentor", "Apprentice", "Jedi Test number 4", "completed"],
        never: &[],
    },
    Look {
        scenario: "a Jedi Test that is tried",
        seat: 1,
        reads: &["Jedi Test", "Size Matters Not", "needs more than 15", "Ability of the apprentice 4"],
        on_cards: &[],
        never: &[],
    },
    Look { scenario: "gamepieces on the holotable", seat: 0, reads: &[], on_cards: &["as a gamepiece 2", "as a gamepiece 5"], never: &[] },
    Look { scenario: "a captured starship and a crashed vehicle", seat: 1, reads: &[], on_cards: &["captured", "crashed"], never: &[] },
    Look {
        scenario: "an Epic Event that is attempted",
        seat: 1,
        reads: &["Attempt to blow away", "Commence Primary Ignition", "Total so far 3", "needs more than 8"],
        on_cards: &[],
        never: &[],
    },
    Look {
        scenario: "an Attack Run under cover",
        seat: 1,
        reads: &[
            "Attack Run",
            "Death Star: Trench",
            "Provide cover",
            "needs more than 15",
            "Strength of the run",
            "Red Flight",
            "Wingmen",
            "Red Wing",
            "TIE Fighter",
        ],
        on_cards: &[],
        never: &["Total"],
    },
    Look {
        scenario: "an Attack Run that pulls up",
        seat: 0,
        reads: &["Attack Run", "Pull up", "Total 8", "needs more than 15"],
        on_cards: &[],
        never: &[],
    },
];

/// The tables of all looks, and the cards that the scenarios bring themselves.
fn tables() -> (Vec<Value>, Vec<Value>) {
    let game = trilogy_games::find("ccg").expect("it is built in");
    let (workshop, boards) = (game.workshop().ok().expect("it compiles"), game.boards().expect("boards"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/ccg/scenarios/rules/shown.scenario");
    let scenarios = parse(&std::fs::read_to_string(path).unwrap(), &boards).expect("scenarios");
    let built_in: BTreeSet<String> = game.catalogue().expect("a catalogue").cards.iter().map(|card| card.key.clone()).collect();
    let mut own = Vec::new();
    let tables = LOOKS.iter().map(|look| {
        let name = format!("Shown: {}", look.scenario);
        let scenario = scenarios.iter().find(|scenario| scenario.name == name).unwrap_or_else(|| panic!("no scenario {name:?}"));
        let moment = Moment::after(&workshop, scenario).expect("it passes");
        own.extend(cards(moment.catalogue()).into_iter().filter(|card| !built_in.contains(&card.key)).map(|card| json!(card)));
        let mut table = json!({});
        merge(&mut table, &serde_json::to_value(shown(&moment.view(Viewer::Player(PlayerId(look.seat))), "ccg")).expect("a table"));
        table
    });
    (tables.collect(), own)
}

/// A page that knows these cards besides those of the game, and that can be put at any table.
async fn at_tables(stage: &Stage, own: &[Value], size: (u32, u32)) -> Page {
    let page = puppet(stage, "ccg", size, false, STILL).await;
    let more = "{ const real = window.fetch; window.fetch = async (...all) => { const reply = await real(...all);
        if (!String(all[0]?.url ?? all[0]).includes('/api/cards/ccg')) return reply;
        return new Response(JSON.stringify([...(await reply.json()), ...OWN]), { headers: { 'content-type': 'application/json' } }); }; }
        window.put_table = (table) => { const said = { type: 'update', table: known.id, base: 0, seq, patch: { ...known, ...table, id: known.id }, log: [], moves: [] };
          window.known = said.patch; line.onmessage({ data: JSON.stringify(said) }); };";
    page.prepare(&more.replace("OWN", &json!(own).to_string())).await;
    let table = page.text("location.pathname").await;
    page.goto(&stage.url(&table)).await;
    page.until(
        "the table",
        "driver.prompt() !== null && window.put_table !== undefined && document.querySelectorAll('.table .card-title').length > 0",
    )
    .await;
    page
}

/// Let the page show a table, and wait until all of it is drawn.
async fn shows(page: &Page, table: &Value) {
    page.eval(&format!("put_table({table})")).await;
    let drawn =
        format!("document.querySelectorAll('.board .place').length === {}", table["zones"]["locations"]["cards"].as_array().unwrap().len());
    page.until("the board", &drawn).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_within_the_game_are_told_to_who_has_never_seen_them() {
    let (tables, own) = tables();
    on_stage(300, async |stage| {
        for size in [(1280, 800), (390, 844)] {
            let page = at_tables(stage, &own, size).await;
            for (look, table) in LOOKS.iter().zip(&tables) {
                shows(&page, table).await;
                let told = page
                    .text("[...document.querySelectorAll('.scene')].map((scene) => scene.textContent.replace(/\\s+/g, ' ')).join(' ')")
                    .await;
                let cards = page
                    .text("[...document.querySelectorAll('.board .unit, .board .role-tag')].map((unit) => unit.textContent).join(' | ')")
                    .await;
                for says in look.reads {
                    assert!(told.contains(says), "{}: no {says:?} in {told:?}", look.scenario);
                }
                for says in look.on_cards {
                    assert!(cards.contains(says), "{}: no {says:?} on {cards:?}", look.scenario);
                }
                for says in look.never {
                    assert!(!told.contains(says), "{}: {says:?} in {told:?}", look.scenario);
                }
                assert_eq!(page.is("document.querySelector('.scene') === null").await, look.reads.is_empty(), "{}", look.scenario);
                // All of it is in sight, and the locations still are.
                for scene in 0..page.eval("document.querySelectorAll('.scene').length").await.as_u64().unwrap_or_default() {
                    let scene = area(&page, &format!("document.querySelectorAll('.scene')[{scene}]")).await;
                    assert!(within(scene, window(&page).await), "{} at {size:?}: {scene:?}", look.scenario);
                }
                let place = area(&page, "document.querySelector('.board .place')").await;
                let board = area(&page, "document.querySelector('.board')").await;
                assert!(place[1] >= board[1] && place[3] <= board[3] + 1.0, "{} at {size:?}: {place:?} in {board:?}", look.scenario);
                assert_eq!(crate::sideways(&page, look.scenario, size.0).await, None);
            }
            page.is_well();
        }
    })
    .await;
}

/// `PICTURES=FOLDER cargo test -p trilogy-server --test browser looks_of_scenes -- --ignored`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes into the folder PICTURES"]
async fn looks_of_scenes() {
    let folder = std::env::var("PICTURES").expect("PICTURES says where they go");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let (tables, own) = tables();
    on_stage(600, async |stage| {
        for size in [(1280, 800), (390, 844)] {
            let page = at_tables(stage, &own, size).await;
            for (look, table) in LOOKS.iter().zip(&tables) {
                shows(&page, table).await;
                page.hover(2.0, 2.0).await;
                tokio::time::sleep(Duration::from_millis(900)).await;
                let name = format!("{}-{}.png", look.scenario.replace(' ', "-"), size.0);
                std::fs::write(Path::new(&folder).join(name), page.picture().await).expect("the picture can be kept");
            }
        }
    })
    .await;
}
