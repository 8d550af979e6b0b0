//! What is wrong with named boards is told with its file and line, and nothing of it is played.

#![allow(clippy::unwrap_used, reason = "tests")]

use trilogy_saga::scenario::{Boards, parse};

fn shared(text: &str) -> Result<Boards, String> {
    Boards::read([("x.boards", text)])
}

const PORCH: &str = "board porch \"a porch\"\n  North in porch: Old Keeper {as keeper}\n";

#[test]
fn mistakes_in_files_of_boards_are_told() {
    for (text, told) in [
        ("board porch\n", "line 1 of x.boards: write `board NAME \"what it is for\"`"),
        ("board Big_Porch \"a porch\"\n", "line 1 of x.boards: write `board NAME"),
        ("scenario \"a\"\n", "line 1 of x.boards: a file of boards holds no scenarios"),
        ("start from_act\n", "line 1 of x.boards: a file starts with"),
        ("board a \"a\"\ncites toy.x\n", "line 2 of x.boards: a board is no test"),
        ("board a \"a\"\nboard\n", "line 2 of x.boards: the lines of a named board stand under its name"),
        ("board a \"a\"\non b\n", "line 2 of x.boards: no board is called `b`: there are a"),
        ("board a \"a\"\non\n", "line 2 of x.boards: write `on NAME`"),
        ("board a \"a\"\n\nboard a \"b\"\n", "line 3 of x.boards: there is a board `a` already, at line 1 of x.boards"),
        ("board a \"a\"\non a\n", "line 2 of x.boards: the board `a` builds on itself: a -> a"),
        ("board a \"a\"\non b\nboard b \"b\"\non c\nboard c \"c\"\non a\n", "builds on itself: a -> b -> c -> a"),
        ("board a \"a\"\n  North hand\n", "line 2 of x.boards: write `PLAYER.counter N`"),
        ("board a \"a\"\n  North.light 2\n    Cap\n", "line 3 of x.boards: this line is indented under one that holds no cards"),
        ("board a \"a\"\n  North in hand: 60000x Cap\n", "line 2 of x.boards: 60000 copies of a card make no sense"),
        ("board a \"a\"\n  with b {worn\n", "line 2 of x.boards: `{` is not closed"),
        ("board a \"a\"\n  with b carried Cap\n", "line 2 of x.boards: write `with CARD {TRAITS}`"),
        ("board a \"a\"\n  without b\n", "line 2 of x.boards: no card on this board is called `b` with `as`: none has a name"),
    ] {
        let error = shared(text).unwrap_err();
        assert!(error.contains(told), "{text:?}: {error}");
    }
}

#[test]
fn mistakes_of_a_scenario_about_its_board_are_told() {
    let boards = shared(PORCH).unwrap();
    for (text, told) in [
        ("on perch\n", "line 2: no board is called `perch`: there are porch"),
        ("on porch\n  with kepper {worn}\n", "line 3: no card on this board is called `kepper` with `as`: there are keeper"),
        ("on porch\n  without kepper\n", "line 3: no card on this board is called `kepper`"),
        ("on porch\n  North in hand: Cap {as keeper}\n", "line 3: a card is called `keeper` already, at line 2 of x.boards"),
        ("on porch\n  North in hand: Cap {as a}; Trim {as a}\n", "line 3: a card is called `a` already, at line 3"),
        ("start from_act\n  North in hand: Cap\n", "line 3: this line is indented under `start`, which holds none"),
        ("on porch\n  with keeper: under Cap {as keeper}\n", "line 3: a card is called `keeper` already"),
        ("board porch \"another\"\n", "line 2: there is a board `porch` already, at line 1 of x.boards"),
    ] {
        let error = parse(&format!("scenario \"a\"\n{text}"), &boards).unwrap_err();
        assert!(error.contains(told), "{text:?}: {error}");
    }
}

#[test]
fn a_start_of_its_own_takes_the_place_of_the_boards() {
    let boards = shared(&format!("{PORCH}start from_act\nstop turn_starts\n")).unwrap();
    let names = |text: &str| {
        let read = parse(&format!("scenario \"a\"\non porch\n{text}"), &boards).unwrap().remove(0);
        (read.start.map(|start| start.name), read.stop.map(|stop| stop.name))
    };
    let some = |name: &str| Some(name.to_string());
    assert_eq!(names(""), (some("from_act"), some("turn_starts")));
    assert_eq!(names("start from_turn\n"), (some("from_turn"), None));
    assert_eq!(names("stop burns\n"), (some("from_act"), some("burns")));
    assert_eq!(names("start from_turn\nstop burns\n"), (some("from_turn"), some("burns")));
}

/// A board is told as it is laid, whatever it builds on.
#[test]
fn a_board_tells_all_that_it_lays() {
    let more = "board more \"more\"\non porch\n  North.light 2\n  var depth 3\n  with keeper {worn, soot 2}: under 2x Cap {down, of South}\nstart from_act\nplay\n  North: pass\n";
    let boards = shared(&format!("{PORCH}{more}")).unwrap();
    let told = boards.iter().last().unwrap().to_string();
    let lines = [
        "more: more",
        "  North in porch",
        "    Old Keeper {worn, soot 2, as keeper}",
        "      under 2x Cap {down, of South}",
        "  North.light 2",
        "  var depth 3",
        "  start from_act",
        "  opens with 1 line of play",
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), lines);
}
