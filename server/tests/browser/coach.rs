//! The coach of the guided games has words for whatever is asked: whole games of the lessons' decks are played without a
//! page, by chance and by the better bot, and what comes up is put to the coach. Seeds are fixed, so it is the same each time.

use crate::cdp::Page;
use crate::stage::on_stage;
use crate::tables::visitor;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use trilogy_engine::catalogue::{AskDef, Asker, Catalogue};
use trilogy_engine::{PlayerId, Playout, Setup, Silent, Viewer, seed_from_number};
use trilogy_server::matches::{merge, shown};

/// The newcomer plays the Light Side.
const NEWCOMER: PlayerId = PlayerId(1);
/// Of the same ask so many tables are shown to the coach.
const OF_EACH: usize = 3;

/// Tables at which the newcomer is asked something, by what asks.
fn played(game: &str, lists: &[String; 2], bots: [&str; 2], seeds: std::ops::Range<u64>, found: &mut BTreeMap<String, Vec<Value>>) {
    let known = trilogy_games::games().iter().find(|one| one.name == game).expect("a game");
    let catalogue = known.catalogue().expect("a catalogue");
    let decks = lists.each_ref().map(|list| trilogy_engine::deck::parse(&catalogue, list).expect("a deck").cards);
    for seed in seeds {
        let setup = Setup { decks: decks.clone(), options: Default::default(), seed: seed_from_number(seed) };
        let mut played = Playout::new(&catalogue, &setup, &mut Silent).expect("a game");
        let mut bots = [0, 1].map(|seat| trilogy_bots::by_name(bots[seat], seed * 2 + seat as u64).expect("a bot"));
        while let Some(player) = played.asked() {
            let view = played.view(Viewer::Player(player));
            if player == NEWCOMER {
                let name = format!("{} {:?}", view.question().map(key).unwrap_or_default(), view.window());
                let tables = found.entry(name).or_default();
                if tables.len() < OF_EACH {
                    // As merge patches leave it: what says nothing is not there.
                    let mut table = json!({});
                    merge(&mut table, &serde_json::to_value(shown(&view, game)).expect("a table"));
                    tables.push(table);
                }
            }
            let answer = bots[player.index()].answer(&view);
            drop(view);
            played.answer(&answer, &mut Silent).expect("a legal answer");
        }
    }
}

/// What the coach says to each of these tables; `change` may alter a table before.
async fn advice(page: &Page, game: &str, tables: &[&Value], change: &str) -> Vec<Value> {
    page.eval(&format!(
        "(async () => {{ const {{ lessonOf }} = await import(new URL('pages/coach.js', document.querySelector('script[type=module]').src)); window.lesson = lessonOf('{game}');
           window.catalogue ??= new Map((await (await fetch('/api/cards/{game}')).json()).map((card) => [card.key, card])); }})()"
    ))
    .await;
    let mut said = Vec::new();
    for some in tables.chunks(20) {
        let words = page
            .eval(&format!(
                "({}).map((table) => {{ ({change})(table); const advice = lesson.advise(table, catalogue); const known = lesson.topics.map((topic) => topic.id);
                   return {{ ...advice, name: table.ask.name, window: table.ask.window, prompt: table.ask.question.prompt, strange: advice.topics.filter((id) => !known.includes(id)) }}; }})",
                json!(some)
            ))
            .await;
        said.extend(words.as_array().cloned().unwrap_or_default());
    }
    said
}

/// Names of the rules that the coach knows and the rules do not (any more): such a name has words that are never said.
fn stale(catalogue: &Catalogue, names: &Value) -> Vec<String> {
    let list = |what: &str| -> Vec<String> { serde_json::from_value(names[what].clone()).expect("names") };
    let question = |name: &String| catalogue.asks.iter().any(|ask| key(ask) == *name);
    let window = |name: &String| catalogue.windows.iter().any(|window| window.name == *name);
    let action = |name: &String| catalogue.abilities.iter().any(|ability| ability.def.is_none() && ability.name == *name);
    let questions = list("questions").into_iter().filter(|name| !question(name)).map(|name| format!("question {name}"));
    let windows = list("windows").into_iter().filter(|name| !window(name)).map(|name| format!("window {name}"));
    let actions = list("actions").into_iter().filter(|name| !action(name)).map(|name| format!("action {name}"));
    questions.chain(windows).chain(actions).collect()
}

/// Under which name the coach has words for a question.
fn key(ask: &AskDef) -> String {
    match ask.by {
        Asker::Rules => ask.id.clone(),
        Asker::Cost => format!("cost {}", ask.id),
        Asker::Trigger => format!("trigger {}", ask.id),
        Asker::Ability => format!("ability {}", ask.id),
    }
}

/// Questions of the rules, met or not, for which the coach has no words; for those of costs and cards there are words for all.
fn without_words(catalogue: &Catalogue, names: &Value) -> Vec<String> {
    let known: BTreeSet<String> = serde_json::from_value(names["questions"].clone()).expect("names");
    let asked = catalogue.asks.iter().filter(|ask| ask.by == Asker::Rules).map(|ask| ask.id.clone());
    asked.collect::<BTreeSet<String>>().difference(&known).cloned().collect()
}

/// `hints` are words that are said at some table in a window.
async fn has_words(game: &'static str, by_chance: u64, by_greedy: u64, at_least: usize, hints: &[(&str, &str)]) {
    on_stage(900, async |stage| {
        let page = visitor(stage, game).await;
        page.goto(&stage.url("/learn")).await;
        // The decks that the page would begin with, that of the first seat first.
        let lists = page
            .eval(&format!(
                "(async () => {{ const {{ lessonOf }} = await import(new URL('pages/coach.js', document.querySelector('script[type=module]').src));
                   const decks = (await (await fetch('/api/decks/{game}')).json()).filter((deck) => deck.starter); const [mine, theirs] = lessonOf('{game}').decks;
                   const wanted = (id, seat) => decks.find((deck) => deck.id === id) ?? decks.find((deck) => deck.seat === seat); return [wanted(theirs, 0).list, wanted(mine, 1).list]; }})()"
            ))
            .await;
        let lists: [String; 2] = serde_json::from_value(lists).unwrap();
        let play = move || {
            let mut found = BTreeMap::new();
            played(game, &lists, ["random", "random"], 1..1 + by_chance, &mut found);
            played(game, &lists, ["random", "greedy"], 1000..1000 + by_greedy, &mut found);
            found
        };
        let found = tokio::task::spawn_blocking(play).await.unwrap();
        assert!(found.len() >= at_least, "only {} asks: {:?}", found.len(), found.keys());
        let tables: Vec<&Value> = found.values().flatten().collect();
        let said = advice(&page, game, &tables, "() => {}").await;
        assert_eq!(said.len(), tables.len());
        // One look to mend it: what was met without words, what else could ask, and what of the coach's names is gone.
        let met = said.iter().filter(|one| one["general"] == json!(true));
        let mute: BTreeSet<String> = met.map(|one| format!("question {}, window {}: {}", one["name"], one["window"], one["prompt"])).collect();
        let names = page.eval("lesson.names").await;
        let catalogue = trilogy_games::games().iter().find(|one| one.name == game).expect("a game").catalogue().expect("a catalogue");
        let (stale, unmet) = (stale(&catalogue, &names), without_words(&catalogue, &names));
        let lines = |lines: Vec<String>| lines.iter().map(|line| format!("\n  {line}")).collect::<String>();
        assert!(
            mute.is_empty() && stale.is_empty() && unmet.is_empty(),
            "web/src/pages/coach-{game}.ts\nhas no words for what was asked in these games:{}\nhas no words for questions of the rules:{}\nhas words for what is not in the rules (any more):{}",
            lines(mute.into_iter().collect()),
            lines(unmet),
            lines(stale)
        );
        for (window, words) in hints {
            let hint = |one: &Value| one["window"] == json!(window) && one["hint"].as_str().is_some_and(|hint| hint.contains(words));
            let told: BTreeSet<&str> = said.iter().filter(|one| one["window"] == json!(window)).filter_map(|one| one["hint"].as_str()).collect();
            assert!(said.iter().any(hint), "nobody is told {words:?} in the {window}: {told:?}");
        }
        for one in &said {
            let words = format!("{} {}", one["now"].as_str().unwrap_or_default(), one["hint"].as_str().unwrap_or_default());
            let broken = words.trim().len() < 12 || ["undefined", "null", "NaN", "[object"].iter().any(|word| words.contains(word));
            assert!(!broken && one["strange"] == json!([]), "{one}");
        }
        // The words of the rules may change: what the coach says does not hang on them.
        let reworded = advice(
            &page,
            game,
            &tables,
            "(table) => { table.ask.question.prompt = 'Quite other words'; for (const option of table.ask.question.options ?? []) option.label = 'Quite other words'; }",
        )
        .await;
        for (one, other) in said.iter().zip(&reworded) {
            // Where it repeats what is asked or offered, it repeats the new words.
            let words = |one: &Value, what: &str| one[what].as_str().unwrap_or_default().to_string();
            let same = |what: &str| words(one, what) == words(other, what) || words(other, what).contains("Quite other words");
            assert!(same("now") && same("hint") && one["topics"] == other["topics"] && other["general"] != json!(true), "{one}\n{other}");
        }
        // And for what nobody has thought of there is something to say, whatever its form.
        let unknown = advice(&page, game, &tables, "(table) => { Object.assign(table.ask, { name: 'no_such_question', by: 'rules', card: null }); }").await;
        for one in &unknown {
            assert!(one["general"] == json!(true) && one["now"] == one["prompt"] && one["hint"].as_str().unwrap_or_default().len() > 20, "{one}");
        }
        page.is_well();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_of_the_tcg_has_words_for_every_ask() {
    has_words("tcg", 200, 200, 16, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_of_the_ccg_has_words_for_every_ask() {
    // Where to go is told of the places that the moves lead to.
    has_words("ccg", 30, 15, 30, &[("deploy_window", "nobody stands in your way"), ("move_window", "Your people are at ")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_of_the_lcg_has_words_for_every_ask() {
    has_words("lcg", 80, 30, 50, &[]).await;
}
