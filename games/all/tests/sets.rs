//! Cards are in the sets that their game has, under numbers of their own; what is wrong is told where it stands.

#![allow(clippy::unwrap_used, reason = "tests")]

use trilogy_games::{games, sets};
use trilogy_saga::diagnostics::place;
use trilogy_saga::{SourceFile, compile};

const RULES: &str = r#"game small "Small"
players North, South
enum type: Keeper
zone deck of player: deck, hidden, counted
proc main
  win North
"#;

const SETS: &str = "rarities common rare\nONE 3 - The First\nTWO 11-14 7 The Second\nskips TWO 13\ntwice TWO 14\n";

/// What is told of these cards: the line, the message and the hint of each problem.
fn told(cards: &str) -> Vec<(usize, String, String)> {
    let file = |name: &str, text: &str| SourceFile { name: name.into(), text: text.into() };
    let compiled = compile(vec![file("rules/game.saga", RULES), file("cards/cards.saga", cards)], None);
    assert_eq!(compiled.problems, []);
    let (sets, rarities) = sets::parse_all(SETS).unwrap();
    let problems = sets::check(&compiled.catalogue, &compiled.printings, &sets, &rarities);
    let tell = |problem: &trilogy_saga::Diagnostic| {
        let (name, line, _) = place(&compiled.files, problem.span);
        assert_eq!(name, "cards/cards.saga");
        (line, problem.message.clone(), problem.hint.clone())
    };
    problems.iter().map(tell).collect()
}

#[test]
fn each_mistake_of_a_set_line_is_told_alone() {
    for (cards, line, message, hint) in [
        ("card \"A\" Keeper\n", 1, "\"A\" is in no set: a line `set CODE NUMBER RARITY` is needed", ""),
        ("card \"A\" Keeper\n  set ON 1 rare\n", 2, "sets.txt has no set `ON`", "did you mean `ONE`?"),
        ("card \"A\" Keeper\n  set NOWHERE 1 rare\n", 2, "sets.txt has no set `NOWHERE`", "ONE, TWO"),
        ("card \"A\" Keeper\n  set ONE 1 rar\n", 2, "sets.txt has no rarity `rar`", "did you mean `rare`?"),
        ("card \"A\" Keeper\n  set ONE 1\n", 2, "the line of a set ends with the rarity", "this game has `common`, `rare`"),
        ("card \"A\" Keeper\n  set ONE 4 rare\n", 2, "there is no card 4 in `ONE`", "The First has the numbers 1 to 3"),
        ("card \"A\" Keeper\n  set ONE 0 rare\n", 2, "there is no card 0 in `ONE`", "The First has the numbers 1 to 3"),
        ("card \"A\" Keeper\n  set TWO 3 rare\n", 2, "there is no card 3 in `TWO`", "The Second has the numbers 11 to 14"),
        (
            "card \"A\" Keeper\n  set TWO 13 rare\n",
            2,
            "there is no card 13 in `TWO`",
            "The Second has the numbers 11 to 14, but this is none of them",
        ),
        ("card \"A\" Keeper\n  set ONE 1 rare\ncard \"B\" Keeper\n  set ONE 1 rare\n", 4, "ONE 1 is \"A\" already", ""),
        // A reprint takes a number, too.
        (
            "card \"A\" Keeper\n  set ONE 1 rare\n  set TWO 12 rare\ncard \"B\" Keeper\n  set TWO 12 rare\n",
            5,
            "TWO 12 is \"A\" already",
            "",
        ),
        ("card \"A\" Keeper\n  set ONE 1 rare\n  set TW 12 rare\n", 3, "sets.txt has no set `TW`", "did you mean `TWO`?"),
    ] {
        assert_eq!(told(cards), [(line, message.to_string(), hint.to_string())], "{cards}");
    }
}

#[test]
fn what_is_right_is_not_told() {
    assert_eq!(
        told("card \"A\" Keeper\n  set ONE 3 common\ncard \"B\" Keeper\n  set TWO 14 rare\ncard \"C\" Keeper\n  set TWO 14 rare\n"),
        []
    );
}

#[test]
fn the_cards_of_every_game_are_in_its_sets() {
    for game in games() {
        let workshop = game.workshop().ok().unwrap();
        let (sets, rarities) = sets::parse_all(game.sets).unwrap();
        assert_eq!(sets::check(workshop.catalogue(), workshop.printings(), &sets, &rarities), [], "{}", game.name);
        assert_eq!(workshop.printings().len(), workshop.catalogue().cards.len());
    }
}
