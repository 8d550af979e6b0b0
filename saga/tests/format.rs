//! Lines that run on, and how the formatter breaks long ones.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use trilogy_saga::fmt::format;
use trilogy_saga::lexer::{Tok, lex};
use trilogy_saga::source::find;

fn tokens(text: &str) -> Vec<Tok> {
    let (tokens, problems) = lex(0, text);
    assert!(problems.is_empty(), "{problems:?} in {text}");
    tokens.into_iter().map(|token| token.tok).collect()
}

/// Every source of the games and of the toy game, with its name.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["tests/toy", "../games/ccg", "../games/lcg", "../games/tcg"] {
        find(&root.join(folder), "saga", &mut paths).unwrap();
    }
    assert!(paths.len() > 50, "only {} sources were found", paths.len());
    paths.iter().map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn formatting_keeps_the_tokens_of_all_sources_and_settles_them() {
    for (name, text) in sources() {
        let pretty = format(&text).unwrap();
        assert!(tokens(&pretty) == tokens(&text), "{name} reads otherwise when it is formatted");
        assert_eq!(format(&pretty).unwrap(), pretty, "{name} changes when it is formatted again");
    }
}

/// As if an author had broken every line once more, far to the right and with an empty line between.
#[test]
fn breaks_of_an_author_change_no_token() {
    for (name, text) in sources() {
        let mut broken = String::new();
        for line in format(&text).unwrap().lines() {
            let margin = line.len() - line.trim_start().len();
            let joint = line.char_indices().rev().find(|(at, _)| {
                let outside = line[..*at].replace("\\\"", "").matches('"').count() % 2 == 0 && !line[..*at].contains('#');
                outside && *at > margin && [" and ", " or ", " ++ ", " where ", " then "].iter().any(|word| line[*at..].starts_with(word))
            });
            match joint {
                Some((at, _)) => broken += &format!("{}\n\n{}{}\n", &line[..at], " ".repeat(margin + 11), line[at..].trim_start()),
                None => broken += &format!("{line}\n"),
            }
        }
        assert!(tokens(&broken) == tokens(&text), "{name} reads otherwise when its lines are broken");
        let pretty = format(&broken).unwrap();
        assert!(tokens(&pretty) == tokens(&text), "{name} reads otherwise when that is formatted");
        assert_eq!(format(&pretty).unwrap(), pretty, "{name} changes when that is formatted again");
    }
}

/// Only what cannot be broken is longer than that: a text, or a comment.
#[test]
fn no_line_that_can_be_broken_is_too_long() {
    for (name, text) in sources() {
        for line in format(&text).unwrap().lines().filter(|line| line.chars().count() > 140) {
            let longest = line.replace("\\\"", "").split('"').skip(1).step_by(2).map(|text| text.chars().count()).max().unwrap_or(0);
            assert!(line.trim_start().starts_with('#') || longest > 90, "{name}: {line}");
        }
    }
}

/// What is written on several lines means the same as on one.
#[test]
fn a_deeper_line_runs_on_where_the_one_above_opens_no_block() {
    let same = [
        ("def f(): bool = a\n  and b\n    or c\nvar x: num\n", "def f(): bool = a and b or c\nvar x: num\n"),
        ("def f(): bool =\n    g(1)\n", "def f(): bool = g(1)\n"),
        ("proc p\n  if a\n      or b: @x.y\n    q()\n  r()\n", "proc p\n  if a or b: @x.y\n    q()\n  r()\n"),
        ("proc p(n: num)\n    \"says\"\n    @x.y\n    @x.z\n  q()\n", "proc p(n: num) \"says\" @x.y @x.z\n  q()\n"),
        ("words A, B,\n  C\n", "words A, B, C\n"),
        ("card \"X\" dark Unit: A,\n      B\n  power 3\n", "card \"X\" dark Unit: A, B\n  power 3\n"),
        ("proc p\n  x := a # why\n\n      # and more of it\n      + b\n", "proc p\n  x := a + b\n"),
    ];
    for (broken, whole) in same {
        assert_eq!(tokens(broken), tokens(whole), "{broken}");
    }
    let blocks = [
        "proc p\n  q()\n",
        "action a(c) \"A\"\n  in w\n  from f\n  to t else \"no\"\n",
        "timing t \"T\"\n  once per turn\n",
        "card \"X\" Unit\n  target x\n",
        "proc p\n  if a: @x.y @x.z\n    @x.y\n    q()\n",
    ];
    for block in blocks {
        assert!(tokens(block).contains(&Tok::Indent), "{block}");
    }
}

#[test]
fn what_an_author_broke_stays_broken() {
    let same = [
        "def f(): bool = a\n    and b\n",
        "def f(): bool =\n    a  # why\n    # and why else\n    and b\n",
        "def f(): nums = list(\n    1,\n    2\n)\n",
        "proc p\n    \"says\"\n  q()\n",
        "card \"X\"\n  def f(): num =\n      a\n    where:\n      a = 1\n      b = a\n  def g(): num = 1\n",
        "proc p\n  require a\n      else \"no\"                                                        @x.y\n",
    ];
    for text in same {
        assert_eq!(format(text).unwrap(), text);
    }
    assert_eq!(format("proc p\n   x := a\n             or b\n   q()\n").unwrap(), "proc p\n  x := a\n      or b\n  q()\n");
}

#[test]
fn long_lines_are_broken_by_structure() {
    let cases = [
        // The loosest parts first, and the parts of a part deeper.
        (
            "def fights(c: card): bool \"{c} fights\" = is_unit(c) and in_play(c) and (c.power > 0 or can stand(c)) or any(o in attached(c, on) where o is Weapon and at_hand(o)) @x.y\n",
            "def fights(c: card): bool \"{c} fights\" =
    is_unit(c) and in_play(c) and (c.power > 0 or can stand(c))
    or any(o in attached(c, on) where o is Weapon and at_hand(o))      @x.y
",
        ),
        // One line for each case of a choice.
        (
            "def person(c: card): word = if c.name = \"Darth Vader\" then \"Anakin Skywalker\" else if c.name = \"Beru Whitesun\" then \"Beru Lars\" else printed_name(c) @x.y\n",
            "def person(c: card): word =
    if c.name = \"Darth Vader\" then \"Anakin Skywalker\"
    else if c.name = \"Beru Whitesun\" then \"Beru Lars\"
    else printed_name(c)                                               @x.y
",
        ),
        (
            "def targets(v: card): cards = if v.parent is Site then filter(l in locations.cards where (l is System or l is Cloud_sector) and may_go_there(v, l)) else if v.parent is System then filter(l in locations.cards where l is Site and l is Exterior and (l is Docking_bay or v is not TIE) and over(v, l)) else list()\n",
            "def targets(v: card): cards =
    if v.parent is Site
      then filter(l in locations.cards where (l is System or l is Cloud_sector) and may_go_there(v, l))
    else if v.parent is System
      then filter(l in locations.cards
        where l is Site and l is Exterior and (l is Docking_bay or v is not TIE) and over(v, l))
    else list()
",
        ),
        // Inside brackets a part stands deeper than the parts around it.
        (
            "def paid(p: player): cards = distinct((if p.damage > 0 or p.attrition > 0 then forfeitable(p) else struck_cards(p) ++ filter(c in forfeitable(p) where replaced(c))) ++ from_hand(p))\n",
            "def paid(p: player): cards =
    distinct((if p.damage > 0 or p.attrition > 0 then forfeitable(p)
        else struck_cards(p) ++ filter(c in forfeitable(p) where replaced(c)))
      ++ from_hand(p))
",
        ),
        // A condition and its reason; questions; what an ability asks for.
        (
            "proc p\n  choose c from payments(p) or none \"Keep all of them\" by p asking \"Which of your cards is lost to the damage of this battle?\" worth false\n",
            "proc p
  choose c from payments(p) or none \"Keep all of them\" by p
      asking \"Which of your cards is lost to the damage of this battle?\"
      worth false
",
        ),
        (
            "template t\n  may own_turn target t from places(self) require present(self) and ready(self) else \"it is not there\" @x.y require at_hand(self) else \"it was used this turn\" @x.z:\n    q()\n",
            "template t
  may own_turn
      target t from places(self)
      require present(self) and ready(self) else \"it is not there\" @x.y
      require at_hand(self) else \"it was used this turn\" @x.z:
    q()
",
        ),
        // Citations that are too much for the line get one of their own; a block opens where it did.
        (
            "proc p \"one of them draws two destiny, and who draws the lower number loses as much Force\" @long.citation.of.a.rule @long.citation.of.another.rule\n  q()\n",
            "proc p \"one of them draws two destiny, and who draws the lower number loses as much Force\"
                                                                 @long.citation.of.a.rule @long.citation.of.another.rule
  q()
",
        ),
    ];
    for (line, broken) in cases {
        assert_eq!(format(line).unwrap(), broken);
        assert_eq!(tokens(broken), tokens(line));
    }
}
