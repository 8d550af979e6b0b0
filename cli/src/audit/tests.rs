//! The audit of a small game of our own: every sort of difference is found, and nothing else.

use super::accepted::Accepted;
use super::printed::Table;
use super::reading::{self, Ours};
use super::words::Words;
use super::{Row, compare};
use serde_json::{Value, json};
use trilogy_engine::Catalogue;
use trilogy_games::sets::{self, Set};
use trilogy_saga::SourceFile;

const RULES: &str = r#"game small "Small"
players North, South
enum side: north, south
enum type: Keeper, Trick
enum uniqueness: unique
enum persona proper: Wren
words Moth, Owl, Night_owl, secret
zone deck "deck" of player: deck, hidden, counted
zone cellar "Cold Cellar" of player
zone porch "the porch": live, acts
stat glow of card printed
stat weight of card printed
stat shade of card keyword
scope usual when it.zone = porch
noun keeper/keepers from porch.cards where it is Keeper
proc main
  win North

card "Wren of the Lamps" north Keeper unique Wren: Moth
  set ONE 1 rare
  glow 3, weight 2
  self gets glow +1
card "Dim" south Trick: Owl, secret
  set ONE 2 common
  weight 1
"#;

const SETS: &str = "rarities common rare\nONE 4 - The First\n";

const AUDIT: &str = "phase dawn phase, dusk phase\ntype lantern\nplain Dark, the porch\nname Wick = Lamp Wick\nnames persona\nsame trimmed = extinguished\nsame cold store = Cold Cellar\nloose thrice = 3\nreminders except Limit\nnumber stats.mass = weight\nwords side, type, uniqueness, kinds, persona\nword kinds.Night Bird = Owl\nword uniqueness.plain = -\nkeywords keywords\nown secret\nrarity R = rare\nrarity C = common\n";

fn catalogue() -> Catalogue {
    let compiled = trilogy_saga::compile(vec![SourceFile { name: "rules/small.saga".into(), text: RULES.into() }], None);
    assert_eq!(compiled.problems, []);
    compiled.catalogue
}

fn sets() -> Vec<Set> {
    sets::parse(SETS).unwrap_or_default()
}

fn wren() -> Value {
    json!({"id": "w", "title": "Wren of the Lamps", "side": "North", "type": "Keeper", "uniqueness": "unique", "kinds": ["Moth"], "persona": "Wren",
        "set": "ONE", "number": 1, "rarity": "R", "stats": {"glow": 3, "mass": 2}, "keywords": [], "text": "Wren of the Lamps gets +1 glow."})
}

fn dim() -> Value {
    json!({"id": "d", "title": "Dim", "side": "South", "type": "Trick", "uniqueness": "plain", "kinds": ["Night Bird"],
        "set": "ONE", "number": 2, "rarity": "C", "stats": {"mass": 1}, "keywords": [], "text": ""})
}

/// Cards of no set of ours: they only bring their titles.
fn titles() -> [Value; 4] {
    ["Lamp Wick", "Owl House: Attic", "Dark", "Moth & Flame"].map(|title| json!({"title": title, "set": "?", "text": "dark and dim"}))
}

fn table(rows: &[Value]) -> Table {
    let lines: Vec<String> = rows.iter().chain(&titles()).map(Value::to_string).collect();
    Table::read(&lines.join("\n")).unwrap_or_else(|error| panic!("{error}"))
}

fn words(table: &Table) -> Words {
    Words::read(AUDIT, &catalogue(), table).unwrap_or_else(|error| panic!("{error}"))
}

fn rows(printed: &[Value], accepted: &str) -> (Vec<Row>, Vec<String>) {
    let table = table(printed);
    let mut accepted = Accepted::read(accepted).unwrap_or_else(|error| panic!("{error}"));
    let rows = compare(&catalogue(), &sets(), &table, &words(&table), &mut accepted);
    let stale = accepted.stale();
    (rows, stale)
}

/// What differs between two texts.
fn differences(printed: &str, ours: &str) -> Vec<String> {
    let ours = Ours { text: ours.into(), names: vec!["Wren of the Lamps".into(), "wren".into()], numbers: vec![7] };
    let mut found: Vec<String> =
        reading::differences(&words(&table(&[wren(), dim()])), printed, &ours).iter().map(ToString::to_string).collect();
    found.sort();
    found
}

#[test]
fn what_stands_in_one_text_only_is_found() {
    for (printed, ours, found) in [
        ("Gain 3 light.", "Gain 4 light.", vec!["number 3 in print only", "number 4 in ours only"]),
        ("Gain two light, then three.", "Gain 2 light, then 3, then 3.", vec!["number 3 1 times in print, 2 times in ours"]),
        ("It glows +2.", "It glows -2.", vec!["sign of 2: + in print, - here"]),
        ("Burn Lamp Wick.", "Burn it.", vec!["name Lamp Wick in print only"]),
        ("Burn it.", "Burn the Moth & Flame.", vec!["name Moth & Flame in ours only"]),
        ("Go to Owl House: Attic.", "Go home.", vec!["name Owl House: Attic in print only"]),
        ("A keeper enters.", "It enters.", vec!["type keeper in print only"]),
        ("It enters.", "Two lanterns enter.", vec!["number 2 in ours only", "type lantern in ours only"]),
        ("Look in the Cold Cellar.", "Look in the deck.", vec!["pile cold cellar in print only", "pile deck in ours only"]),
        (
            "During your dawn phase, rest.",
            "During your dusk phase, rest.",
            vec!["phase dawn phase in print only", "phase dusk phase in ours only"],
        ),
        ("You may rest.", "You must rest.", vec!["word may in print only", "word must in ours only"]),
        ("You may not rest.", "You may rest.", vec!["word cannot in print only", "word may in ours only"]),
        (
            "Each, instead, once, only.",
            "",
            vec!["word each in print only", "word instead in print only", "word once in print only", "word only in print only"],
        ),
        ("", "All or up to. Opponent, except, unless.", {
            vec![
                "word all in ours only",
                "word except in ours only",
                "word opponent in ours only",
                "word or in ours only",
                "word unless in ours only",
                "word up to in ours only",
            ]
        }),
        ("Rest. (Limit 1 per day.)", "Rest.", vec!["number 1 in print only"]),
    ] {
        assert_eq!(differences(printed, ours), found, "{printed} | {ours}");
    }
}

#[test]
fn what_says_the_same_is_not_found() {
    for (printed, ours) in [
        ("Gain two light.", "Gain 2 light."),
        ("Draw a card.", "Draw 1 card."),
        ("Draw one card.", "Draw a card."),
        ("Glow thrice.", "Glow 3 times."),
        ("It can't rest.", "It cannot rest."),
        ("Your opponent's hut.", "The hut of your opponent."),
        ("Burn Wick.", "Burn Lamp Wick."),
        ("Go to the Attic.", "Go to the Owl House: Attic."),
        // A card may call itself by name or not, and a type that a word implies need not be said.
        ("Wren rests.", "This keeper rests."),
        ("Wren of the Lamps rests.", "It rests."),
        ("Moths rest.", "Moth keepers rest."),
        ("Night owls there rest.", "Night owl resting keepers rest."),
        ("A keeper rests. It wakes.", "A keeper rests. That keeper wakes."),
        ("Be trimmed.", "Be extinguished."),
        ("The cold store.", "The Cold Cellar."),
        // Titles that are ordinary words, and words of the game that are titles.
        ("Stay in the Dark.", "Stay."),
        ("Rest. (A keeper that rests does nothing for 5 days.)", "Rest."),
        ("Light +2.", "Add 2 light."),
        // What the card has beside its text.
        ("Weighs 7.", "Rests."),
    ] {
        assert_eq!(differences(printed, ours), Vec::<String>::new(), "{printed} | {ours}");
    }
}

#[test]
fn what_is_heavy_comes_first() {
    let mut hand = dim();
    hand["text"] = json!("You may.");
    let mut wrong = wren();
    wrong["stats"]["glow"] = json!(4);
    let (rows, _) = rows(&[hand, wrong], "");
    let order: Vec<(&str, f64)> = rows.iter().map(|row| (row.title.as_str(), row.weight())).collect();
    assert_eq!(order, [("Wren of the Lamps", 10.0), ("Dim", 1.0)]);
}

/// The findings of one card when its row says something else in a field.
fn with(row: Value, field: &str, value: Value) -> Vec<String> {
    let mut changed = row.clone();
    match field.split_once('.') {
        Some((outer, inner)) => changed[outer][inner] = value,
        None => changed[field] = value,
    }
    let others = [wren(), dim()].into_iter().filter(|other| other["id"] != row["id"]);
    let (rows, _) = rows(&others.chain([changed]).collect::<Vec<_>>(), "");
    rows.iter().flat_map(|row| &row.findings).map(|(finding, _)| finding.to_string()).collect()
}

#[test]
fn all_that_a_card_prints_is_held_against_the_table() {
    assert_eq!(with(wren(), "id", json!("w")), Vec::<String>::new(), "the cards are as the table has them");
    for (row, field, value, found) in [
        (wren(), "stats.glow", json!(4), vec!["glow: 4 in print, 3 here"]),
        (wren(), "stats.glow", json!("X"), vec!["glow: X in print, 3 here"]),
        (wren(), "stats.glow", json!(null), vec!["glow: none in print, 3 here"]),
        (wren(), "stats.mass", json!(5), vec!["weight: 5 in print, 2 here"]),
        (wren(), "stats.height", json!(1), vec!["height: 1 in print, a number that the rules do not have here"]),
        (dim(), "stats.glow", json!(2), vec!["glow: 2 in print, none here"]),
        (wren(), "side", json!("South"), vec!["word: South in print, none here", "word: none in print, north here"]),
        (dim(), "type", json!("Keeper"), vec!["word: Keeper in print, none here", "word: none in print, Trick here"]),
        (dim(), "uniqueness", json!("unique"), vec!["word: unique in print, none here"]),
        (wren(), "uniqueness", json!("plain"), vec!["word: none in print, unique here"]),
        (wren(), "kinds", json!(["Moth", "Owl"]), vec!["word: Owl in print, none here"]),
        (wren(), "kinds", json!(["Moth Owl"]), vec!["word: Moth Owl in print, none here"]),
        (wren(), "kinds", json!(["Moth", "Newt"]), vec!["word: Newt in print, a word that the rules do not have here"]),
        (dim(), "kinds", json!([]), vec!["word: none in print, Owl here"]),
        (wren(), "rarity", json!("C"), vec!["rarity: common in print, rare here"]),
        (wren(), "number", json!(3), vec!["set number: 3 in print, 1 here"]),
        (wren(), "title", json!("Wren of the lamps"), vec!["title: Wren of the lamps in print, Wren of the Lamps here"]),
        (dim(), "keywords", json!(["Shade 2"]), vec!["keyword: Shade 2 in print, none here"]),
    ] {
        assert_eq!(with(row, field, value.clone()), found, "{field} {value}");
    }
}

#[test]
fn cards_that_one_side_lacks_are_found() {
    let mut stranger = dim();
    (stranger["id"], stranger["title"], stranger["number"]) = (json!("s"), json!("Stranger"), json!(3));
    let (rows, _) = rows(&[wren(), stranger], "");
    let found: Vec<(&str, String)> =
        rows.iter().flat_map(|row| row.findings.iter().map(|(finding, _)| (row.title.as_str(), finding.to_string()))).collect();
    let wanted = [("Dim", "card: none in print, one here"), ("Stranger", "card: one in print, no such card here")];
    assert_eq!(found.len(), 2);
    for (title, finding) in wanted {
        assert!(found.contains(&(title, finding.to_string())), "{found:?}");
    }
}

#[test]
fn what_is_accepted_weighs_nothing_and_what_is_stale_is_told() {
    let mut wrong = wren();
    (wrong["stats"]["glow"], wrong["text"]) = (json!(4), json!("Gets +1 glow, 5 times."));
    let known = "# known\nWren of the Lamps | glow: 4 in print, 3 here | misprinted\n* | number 5 in print only | told by the rules\n\nDim | word may in print only | gone\n";
    let (rows, stale) = rows(&[wrong, dim()], known);
    let findings: Vec<(String, bool)> =
        rows.iter().flat_map(|row| &row.findings).map(|(finding, known)| (finding.to_string(), *known)).collect();
    assert_eq!(findings, [("glow: 4 in print, 3 here".to_string(), true), ("number 5 in print only".to_string(), true)]);
    assert!(rows.iter().all(|row| row.weight() == 0.0));
    assert_eq!(stale, ["accepted.txt, line 5: there is no such finding: Dim | word may in print only"]);
}

#[test]
fn lines_that_cannot_be_read_are_told() {
    for bad in ["Dim | word may in print only", "Dim | | why", "Dim | word may in print only | ", "Dim"] {
        assert!(Accepted::read(&format!("# one\n{bad}")).is_err_and(|why| why.contains("accepted.txt, line 2")), "{bad} was taken");
    }
    let table = table(&[]);
    for bad in ["phases dawn", "same dawn", "number glow", "loose thrice", "name Wick"] {
        let read = Words::read(&format!("# one\n{bad}"), &catalogue(), &table);
        assert!(read.is_err_and(|why| why.contains("audit.txt, line 2")), "{bad} was taken");
    }
    assert!(Table::read("{}\n{\n").is_err_and(|why| why.starts_with("2: ")));
}
