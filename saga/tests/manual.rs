//! The manual is the table: the page on disk is what the program prints, and each of its rows is
//! something that the parser takes.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use trilogy_saga::manual::manual;
use trilogy_saga::parser::{parse, parse_expr};
use trilogy_saga::table::{ABILITIES, CALLABLES, EXPRESSIONS, ITEMS, STATEMENTS};
use trilogy_saga::types::TYPES;

#[test]
fn the_page_is_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/SAGA.md");
    if std::env::var("UPDATE_DOCS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, manual()).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(page == manual(), "docs/SAGA.md is not what the program prints: run the tests once with UPDATE_DOCS=1");
}

/// The smallest example of each row. A row without one fails the test, and so does an example without a row.
const EXAMPLES: &[(&str, &str, &[&str])] = &[
    ("item", "game", &["game g \"G\""]),
    ("item", "players", &["players A, B"]),
    ("item", "values", &["values time_order", "values add_multiply_set"]),
    ("item", "words", &["words A, B_C"]),
    ("item", "calls", &["calls \"unit\": A, B"]),
    ("item", "spelled", &["spelled C_3PO \"C-3PO\""]),
    ("item", "enum", &["enum type: A, B", "enum hero proper several: A, B", "enum type also: C"]),
    ("item", "apart", &["apart type", "apart type, side when shared, set when shared"]),
    ("item", "needs", &["needs A: power, cost", "needs A B not C not D: power"]),
    ("item", "lies", &["lies A: hand", "lies A, B: hand, table, attached"]),
    ("item", "zone", &["zone z", "zone z \"Z\" of player: deck, hidden, counted, private, down_hidden, down_private, live, acts"]),
    (
        "item",
        "counter",
        &["counter c of card", "counter c \"chips\" of player floor -1 cap 9 for turn kept open", "shown counter c of card"],
    ),
    ("item", "field", &["field f of card: num", "field f of card: cards for turn kept open"]),
    (
        "item",
        "stat",
        &[
            "shown stat s of card",
            "stat s of card printed floor 0",
            "stat s \"S\" of player = 1 + 1",
            "stat s of card icon",
            "stat s of card flag",
            "stat s of card for p: player = 1",
            "stat s of card",
        ],
    ),
    ("item", "var", &["var v: num", "var v \"the V\": num", "shown var v: cards = list() for turn", "var v of player: num = 1"]),
    ("item", "periods", &["periods turn, round"]),
    ("item", "roles", &["roles on, under \"beneath\""]),
    ("item", "classes", &["classes usual, late"]),
    ("item", "option", &["option o \"which\": a, b"]),
    (
        "item",
        "event",
        &[
            "event e()",
            "event e(c: card, n: num) \"{c} {n}\"",
            "event e(c: card, on: cards) \"{c}{if on: on {on}}\"",
            "event e(c: card, n: num) \"{c}\" as grave quiet if n = 0 shows damage(c, n)",
        ],
    ),
    (
        "item",
        "window",
        &[
            "window w \"a chance\"",
            "window w \"a chance\" asking \"{you}: {moves}, or pass\"",
            "window w \"a chance\" asking \"one \" \"text\" until x = 1",
        ],
    ),
    ("item", "scope", &["scope s when true", "scope s \"S\" when it.x as it.parent \"its bearer\" for p"]),
    (
        "item",
        "timing",
        &[
            "timing t \"T\"\n  in a, b\n  require x else \"no\" @r.s\n  once per turn shared\n  worth x",
            "timing t(w: word, c: card = now) \"when {c} is {w}\"\n  in a",
        ],
    ),
    (
        "item",
        "kind",
        &[
            "kind k \"K\"\n  scope s\n  in w\n  pay c, d(1)\n  steps could, target, pay, respond p, effect @r.s",
            "kind k\n  scope s\n  steps target q, respond p, effect",
        ],
    ),
    (
        "item",
        "cost",
        &[
            "cost c(n: num) \"pay {n}\"\n  require x else \"no\"\n  do:\n    p()\n    return false",
            "cost c(cs: cards): card \"give up {cs}\"\n  do:\n    return cs.first",
        ],
    ),
    ("item", "permission", &["permission p(c: card) \"{c} {can} go\""]),
    ("item", "noun", &["noun a/as from z where true", "noun a/as \"one\"/\"many\" from z where it is X"]),
    ("item", "adjective", &["adjective a \"A\": it.x = 1"]),
    (
        "item",
        "def",
        &["def f(): num = 1", "def f(c: card): bool \"{c} is\" = true", "def f(c: card): num = a + b where:\n    a = 1\n    b = a + 1"],
    ),
    (
        "item",
        "proc",
        &[
            "proc p\n  q()",
            "proc p(n: num): bool contains_faults \"do {n}\"\n  return true",
            "proc p(n: num) \"do {n}\"\n  could n > 0 else \"no\" @r.s\n  q()",
            "proc p\n  could true",
            "proc p(c: card) \"lose {c}\" would \"{c} would be lost\"\n  q()",
        ],
    ),
    (
        "item",
        "action",
        &[
            "action a \"A\"\n  in w\n  do:\n    p()",
            "action a(c) \"A {c}\"\n  in w\n  from z\n  require x else \"no\"\n  once per turn\n  worth x\n  warning \"w\"",
            "action a(c, d) \"A {c}\"\n  in w\n  from z\n  to y else \"no\"\n  usual x",
        ],
    ),
    ("item", "rule", &["rule forbid p(c)", "rule when e: p()", "rule [units] gets s +1"]),
    ("item", "deck", &["deck require x else \"no\" @r.s"]),
    ("item", "template", &["template t(n: num) \"T {n}\"\n  self gets s +n"]),
    (
        "item",
        "card",
        &[
            "card \"C\" A B: X, Y\n  set s 12 R\n  set t 3\n  brings \"D\", \"D\"\n  power 3, speed -4, armor\n  self gets s +1",
            "card \"C\"",
            "card \"The \\\"C\\\"\" A\n  lore X, Y\n  use: p()\n  def f(): num = 1\n  proc p\n    q()\n  rule forbid go(c)",
        ],
    ),
    (
        "ability",
        "KIND",
        &[
            "use: p()",
            "use timing target up to 2 t from z pay c, d(2) require x else \"no\":\n    p()",
            "use target t to w from z: p()",
            "use t(X, c) if c is A once per turn shared pay c(z) as u: p(u)",
        ],
    ),
    ("ability", "when", &["when e: p()", "when e(a, b) if a = b as late:\n    p()", "when e(a) if a is X once per turn: p()"]),
    ("ability", "instead", &["instead of p(a) if a = self: q()", "may instead of p(a) as k asking \"?\":\n    q()"]),
    (
        "ability",
        "gains",
        &["[your units] gains:\n    use: p()\n    use t pay c: q()\n    t(2)", "self.parent gains while x:\n    use: p()"],
    ),
    (
        "ability",
        "gets",
        &[
            "self gets s +1, t -2, u *2, v =3 while x",
            "self gets s(you) +1, t >=2, u <=3 cumulatively",
            "[your units] gets s +1",
            "you gets s +1",
            "self.parent gets s +1",
            "self gets s unreduced, t unmodified by opponent",
        ],
    ),
    ("ability", "forbid", &["forbid p(a) when a is X else \"no\" while y"]),
    ("ability", "allow", &["allow p(a) when a is X while y"]),
    ("ability", "in", &["in s:\n    self gets s +1"]),
    ("ability", "says", &["says \"What it does.\":\n    self gets s +1\n    use: p()"]),
    ("ability", "treat_as", &["treat_as A, B", "treat_as A, \"Some Title\""]),
    ("ability", "TEMPLATE", &["t(1, 2)", "t()"]),
    ("statement", "let", &["let x = 1", "let x = roll(1, 6)"]),
    ("statement", ":=", &["x := 1", "x.y += 1", "f(x).y -= 1"]),
    ("statement", "if", &["if a: p()\n  elif b:\n    p()\n  else: q()"]),
    ("statement", "unless", &["unless a: p()"]),
    ("statement", "match", &["match a:\n    1, 2: p()\n    x:\n      q()\n    else: r()", "match a:\n    1: p()"]),
    ("statement", "with", &["with a = 1, b = a + 1:\n    p()", "with a = 1: p()"]),
    ("statement", "while", &["while a: p()"]),
    ("statement", "for", &["for x in y: p()"]),
    ("statement", "return", &["return", "return 1"]),
    (
        "statement",
        "choose",
        &[
            "choose x from y",
            "choose up to 2 x from y by z asking \"?\"",
            "choose exactly 2 x from y",
            "choose any x from y",
            "choose x from y or none",
            "choose x from y as q or none \"Keep all\" by z",
            "choose x from y or none \"Keep all\" by z",
            "choose x from y as keep_all or none \"Keep all\" by z",
            "choose up to 2 x from y or none \"Keep all\"",
        ],
    ),
    ("statement", "choose one", &["choose one by x:\n    \"a\" if y: p()\n    \"b\":\n      q()"]),
    ("statement", "number", &["number n from 0 to 3 by x asking \"?\""]),
    ("statement", "order", &["order x from y by z asking \"?\""]),
    (
        "statement",
        "QUESTION",
        &[
            "choose x from y by z asking \"?\" labelled \"{it} for 1\" warning \"{if it = none: all is lost}\" worth a > 1",
            "choose one asking \"?\" worth a:\n    \"a\": p()\n    \"b\": q()",
            "may as q by z asking \"?\" worth a: p()",
            "number n from 0 to 3 as q by z",
            "order x from y as q by z",
            "choose one as q by z:\n    \"a\": p()\n    \"b\": q()",
        ],
    ),
    ("statement", "then", &["then: p()", "then:\n    p()"]),
    ("statement", "may", &["may by x asking \"?\": p()", "may: p()"]),
    ("statement", "until", &["until turn: x gets s +1", "until turn: forbid p(c)"]),
    ("statement", "once", &["once: when e(a): p()"]),
    ("statement", "emit", &["emit e", "emit e(1, 2)"]),
    ("statement", "end", &["end turn"]),
    ("statement", "run", &["run m"]),
    ("statement", "repeat", &["repeat m", "repeat m by p"]),
    ("statement", "resolve", &["resolve t"]),
    ("statement", "drop", &["drop t"]),
    ("statement", "win", &["win you"]),
    ("expression", "names", &["you", "self", "it", "none", "true", "false"]),
    ("expression", "source", &["source"]),
    (
        "expression",
        "operators",
        &["1 + 2 - 3 * 4 / 5", "a = b and c != d or not e < f", "a <= b", "a > b", "a >= b", "a in b ++ c", "-(1)"],
    ),
    ("expression", "is", &["a is X", "a is not X"]),
    ("expression", "if", &["if a then b else c"]),
    ("expression", "match", &["match a to (1: b, 2 or 3: c, else d)", "match a to (else d)"]),
    ("expression", "field", &["a.owner.opponent.hand.cards.first"]),
    ("expression", "phrase", &["[your other X not Y A|B units in z named \"N\" with it.s > 1]", "[opponents units]"]),
    (
        "expression",
        "quantifiers",
        &[
            "any(x in y where z)",
            "all(x in y where z)",
            "count(x in y where z)",
            "sum(x in y: x.s)",
            "filter(x in y where z)",
            "each(x in y: x.s)",
            "highest(x in y where z: x.s)",
            "lowest(x in y: x.s)",
            "first(x in y where z)",
        ],
    ),
    ("expression", "can", &["can p(a, b)", "can p"]),
    ("expression", "list", &["list(1, 2)", "list()", "1..3"]),
];

fn accepted(sort: &str, example: &str) -> Result<(), String> {
    let source = match sort {
        "item" => format!("{example}\n"),
        "ability" => format!("card \"C\"\n  {example}\n"),
        "statement" => format!("proc p\n  {example}\n"),
        _ => return parse_expr(Default::default(), example).map(|_| ()).map_err(|problem| problem.message),
    };
    let (items, problems) = parse(0, &source);
    match problems.first() {
        Some(problem) => Err(problem.message.clone()),
        // What a card owns stands behind it.
        None if items.is_empty() || items.len() > 1 && !example.contains("  def") => Err(format!("{} items", items.len())),
        None => Ok(()),
    }
}

#[test]
fn each_row_is_taken_by_the_parser() {
    let tables = [("item", ITEMS), ("ability", ABILITIES), ("statement", STATEMENTS), ("expression", EXPRESSIONS)];
    for (sort, rows) in tables {
        for row in rows {
            let found = EXAMPLES.iter().find(|(of, name, _)| *of == sort && *name == row.name);
            let (_, _, examples) = found.unwrap_or_else(|| panic!("the {sort} `{}` has no example here", row.name));
            for example in *examples {
                accepted(sort, example).unwrap_or_else(|error| panic!("{sort} `{}`: {example:?}: {error}", row.name));
            }
            assert!(!row.syntax.is_empty() && row.doc.ends_with('.'), "`{}` is documented in a sentence", row.name);
        }
        let known = EXAMPLES.iter().filter(|(of, ..)| *of == sort);
        known.for_each(|(_, name, _)| assert!(rows.iter().any(|row| row.name == *name), "there is no {sort} `{name}`"));
    }
}

/// Each built-in compiles in a small game: its types and number of parameters are those of the table.
#[test]
fn each_builtin_compiles() {
    use trilogy_saga::table::Wants;
    let game = "game g \"G\"\nplayers A, B\nzone deck of player: deck\nroles on\nwindow w \"w\"\nclasses usual\nvar c: card\nproc main\n  win A\nproc p\n";
    let sample = |wants: &Wants| match wants {
        Wants::AnyList => "A.deck.cards",
        Wants::CardOrCards => "c",
        Wants::Role => "on",
        Wants::Value(ty) => match ty.name() {
            "num" => "1",
            "player" => "A",
            "zone" => "A.deck",
            "window" => "w",
            "word" => "\"X\"",
            "class" => "usual",
            _ => "c",
        },
    };
    for callable in CALLABLES {
        let args: Vec<&str> = callable.params.iter().map(sample).collect();
        let call = format!("{}({})", callable.name, args.join(", "));
        let line = if callable.result.is_some() { format!("let x = {call}") } else { call };
        let file = trilogy_saga::SourceFile { name: "a.saga".into(), text: format!("{game}  {line}\n") };
        let compiled = trilogy_saga::compile(vec![file], None);
        assert!(compiled.problems.is_empty(), "{line}: {:?}", compiled.problems);
        assert!(manual().contains(&format!("`{}(", callable.name)));
    }
    for (name, _) in TYPES {
        assert!(manual().contains(&format!("`{name}`")), "the manual does not name the type {name}");
    }
}
