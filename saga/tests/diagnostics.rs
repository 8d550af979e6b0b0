//! Broken sources and what is said about them: the message, the line it points to, and the suggestion.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use trilogy_saga::diagnostics::place;
use trilogy_saga::{Compiled, SourceFile, compile, report};

/// A sound game of 24 lines; the broken items of each case stand behind it, from line 25 on.
const GAME: &str = r#"game small "Small"
players North, South
enum type: Keeper, Trick
words Moth, Owl
periods turn
roles carried
zone deck of player: deck, hidden, counted
zone hand of player: private, counted, acts
zone porch "the porch": live, acts
counter light of player
stat glow of card printed
stat sly of card flag
window act_window "a chance to act"
event burns(c: card, n: num) "{c} burns"
permission enter(c: card) "{c} {can} enter"
noun keeper/keepers from porch.cards where it is Keeper
scope usual when it.zone = porch
cost pay_light(n: num) "pay {n} light"
template beacon(n: num)
  self gets glow +n
proc gain(p: player, n: num) "{p} gains {n} light"
  p.light += n
proc main
  win North
"#;

fn check(source: &str) -> Compiled {
    let file = |name: &str, text: &str| SourceFile { name: name.into(), text: text.into() };
    let rules: BTreeSet<String> = ["small.turn.start", "small.turn.end"].map(String::from).into();
    compile(vec![file("rules/game.saga", GAME), file("rules/the_case.saga", source)], Some(rules))
}

/// One case: its source, then for each problem its line, message and hint.
type Case = (&'static str, &'static [(usize, &'static str, &'static str)]);

const CASES: &[Case] = &[
    // ---- letters and lines ----
    (
        "event bang() \"never closed\nvar x: num\n",
        &[(1, "`\"never closed` means nothing here", "a text ends on the line it starts on, with \"")],
    ),
    ("var x: num = 3 $ 4\n", &[(1, "`$` means nothing here", ""), (1, "expected the end of the line, found 4", "")]),
    ("var x: num = 99999999999\n", &[(1, "`99999999999` means nothing here", ""), (1, "expected a value, found the end of the line", "")]),
    (
        "proc p\n    gain(North, 1)\n  gain(North, 2)\n",
        &[(3, "this line is indented between two levels", ""), (3, "`gain` does not start an item", "did you mean `game`?")],
    ),
    ("proc p\n  if true:\n  gain(North, 1)\n", &[(3, "expected a deeper block, found `gain`", "")]),
    ("  var x: num\n", &[(1, "an item starts at the left margin", "")]),
    // A deeper line runs on only where it can: a forgotten `:` and a line out of place are told at once.
    ("proc p\n  if true\n    gain(North, 1)\n", &[(2, "expected `:`, found the end of the line", "")]),
    ("proc p\n  gain(North, 1)\n    gain(North, 2)\n", &[(3, "expected a statement, found a deeper block", "")]),
    ("proc p\n  gain(North, 1)\n    and true\n", &[(2, "this is a value and does nothing: a statement is needed here", "")]),
    ("def f(): num = 1\n  + true\n", &[(2, "this is a bool, but a num is needed here", "")]),
    ("template t\n  self gets glow\n      + 1\n      while self\n", &[(4, "this is a card, but a bool is needed here", "")]),
    // ---- items ----
    ("crad \"X\" Keeper\n", &[(1, "`crad` does not start an item", "did you mean `card`?")]),
    ("zone attic: live, hiden\n", &[(1, "`hiden` is no trait of a zone", "did you mean `hidden`?")]),
    ("counter soot of card cup 3\n", &[(1, "`cup` is no trait of a counter", "floor, cap, for, kept, open")]),
    ("counter soot of porch\n", &[(1, "it belongs to a `card` or to a `player`", "")]),
    ("field f of card: cards open\n", &[(1, "only a number or a truth of a card can be `open`", "")]),
    ("field f of card: move\n", &[(1, "a card cannot remember a move", "")]),
    ("shown var x of player: num\n", &[(1, "what each player has is shown by a `shown stat` of players", "")]),
    ("var x: nun\n", &[(1, "there is no type called `nun`", "did you mean `num`?")]),
    ("zone hand of player\n", &[(1, "the zone `hand` is declared a second time; first at rules/game.saga:8", "")]),
    ("stat glow of card\n", &[(1, "the value `glow` is declared a second time; first at rules/game.saga:11", "")]),
    ("counter soot of card for trun\n", &[(1, "there is no period called `trun`", "did you mean `turn`?")]),
    ("action a(c) \"A\"\n  in act_window\n", &[(1, "an action with a card needs a `from` line, one without needs none", "")]),
    ("action a \"A\"\n  in act_windw\n", &[(2, "there is no window called `act_windw`", "did you mean `act_window`?")]),
    ("kind k\n  steps pay\n", &[(1, "a kind of ability needs a `scope` line", "")]),
    ("kind k\n  scope usual\n  steps pay, answer\n", &[(3, "the steps are could, target, pay, respond NAME and effect", "")]),
    ("values by_size\n", &[(1, "values combine as `time_order` or `add_multiply_set`", "")]),
    ("template t()\n  t()\n", &[(1, "the template `t` uses itself, or too many others", "")]),
    // ---- citations ----
    (
        "proc p @small.turn.strat\n  gain(North, 1)\n",
        &[(1, "the rulebook has no rule small.turn.strat", "did you mean `small.turn.start`?")],
    ),
    // ---- values ----
    ("def f(): num = nrth\n", &[(1, "nothing is called `nrth` here", "did you mean `North`?")]),
    ("def f(c: card): num = c.glwo\n", &[(1, "a card has no `glwo`", "did you mean `glow`?")]),
    ("def f(c: card): num = cuont(porch)\n", &[(1, "there is no function called `cuont`", "did you mean `count`?")]),
    ("def f(): num = North\n", &[(1, "this is a player, but a num is needed here", "")]),
    ("def f(c: card): bool = c = 3\n", &[(1, "a card is never equal to a num", "")]),
    ("def f(c: card): bool = 3 in porch\n", &[(1, "a num is never in a list of card items", "")]),
    ("def f(c: card): bool = c is Moht\n", &[(1, "there is no word called `Moht`", "did you mean `Moth`?")]),
    ("def f(): num = max(1)\n", &[(1, "`max` takes 2 values, here are 1", "")]),
    ("def f(a: num): num = f(a, a)\n", &[(1, "`f` takes (a: num), here are 2 values", "")]),
    ("def f(): nums = list(1, North)\n", &[(1, "this is a player, the items before it are of type num", "")]),
    ("def f(): cards = hand.cards\n", &[(1, "each player has a hand of their own: write `you.hand`", "")]),
    ("def f(): num = count(7)\n", &[(1, "this is a num, but a list is needed here", "")]),
    ("def f(): num = count(x in porch where true: 1)\n", &[(1, "`count` takes a test after `where`, and no value after `:`", "")]),
    ("def f(): cards = [kepers]\n", &[(1, "`kepers` is no word, adjective or noun of this game", "did you mean `keepers`?")]),
    ("def f(c: card): bool = can entre(c)\n", &[(1, "there is no permission called `entre`", "did you mean `enter`?")]),
    ("def f(): num = gain(North, 1)\n", &[(1, "`gain` is a program: call it in a line of its own, or as `let x = gain(...)`", "")]),
    ("def f(): num = roll(1, 6)\n", &[(1, "`roll` does something: it stands alone or right of `let`", "")]),
    ("def f(): num = if true then 1\n", &[(1, "expected `else`, found the end of the line", "")]),
    ("def f(): num =\n", &[(1, "expected a value, found the end of the line", "")]),
    ("event e(c: card) \"{c burns\"\n", &[(1, "a hole `{` is not closed by `}`", "")]),
    ("event e(c: card) \"{d} burns\"\n", &[(1, "nothing is called `d` here", "did you mean `c`?")]),
    // ---- statements ----
    ("proc p\n  North.light + 2\n", &[(2, "this is a value and does nothing: a statement is needed here", "")]),
    ("proc p\n  count(porch)\n", &[(2, "`count` computes a value and does nothing by itself", "")]),
    ("proc p\n  gian(North, 1)\n", &[(2, "there is no program called `gian`", "did you mean `gain`?")]),
    ("proc p\n  gain(North)\n", &[(2, "`gain` takes (p: player, n: num), here are 1 values", "")]),
    (
        "proc p\n  gain(1, North)\n",
        &[(2, "this is a num, but a player is needed here", ""), (2, "this is a player, but a num is needed here", "")],
    ),
    ("proc p\n  return 3\n", &[(2, "this program returns nothing: it has no `: type` on its first line", "")]),
    ("proc p\n  lihgt := 3\n", &[(2, "no variable is called `lihgt`", "")]),
    ("proc p(c: card)\n  c.light := 3\n", &[(2, "a card has no `light`", "")]),
    ("proc p\n  let x = gain(North, 1)\n", &[(2, "`gain` returns nothing", "")]),
    ("proc p\n  emit burn(none, 1)\n", &[(2, "there is no event called `burn`", "did you mean `burns`?")]),
    ("proc p\n  once: gain(North, 1)\n", &[(2, "expected `when` or `instead`, found `gain`", "")]),
    ("proc p\n  attach(none, none, carred)\n", &[(2, "there is no role called `carred`", "did you mean `carried`?")]),
    // ---- cards ----
    ("card \"X\" Kepeer\n", &[(1, "there is no word called `Kepeer`", "did you mean `Keeper`?")]),
    ("card \"X\" Keeper\n  treat_as Mith\n", &[(2, "there is no word called `Mith`", "did you mean `Moth`?")]),
    (
        "template t(n: word)\n  treat_as n\nvar w: word\ncard \"X\" Keeper\n  t(w)\n",
        &[(5, "a card counts as the same at all times: a subtype or a title is needed here", "")],
    ),
    ("card \"X\" Moth\n", &[(1, "`Moth` is a subtype: subtypes stand after the colon", "")]),
    ("card \"X\" Keeper\n  glwo 3\n", &[(2, "cards of this game have no `glwo`", "did you mean `glow`?")]),
    ("card \"X\" Keeper\n  sly 2\n", &[(2, "`sly` takes no number", "")]),
    ("card \"X\" Keeper\n  glow\n", &[(2, "`glow` needs a number", "")]),
    ("card \"X\" Keeper\ncard \"X\" Trick\n", &[(2, "there is a card \"X\" already", "")]),
    ("card \"X\" Keeper Trick\n", &[(1, "a card carries one word of `type`, and this is the second", "")]),
    (
        "apart type when shared, set when shared\napart type\ncard \"X\" Keeper\n  set A 1\ncard \"X\" Keeper\n  set A 2\n",
        &[(2, "a game has one line that tells cards apart", ""), (5, "there is a card \"X\" already", "")],
    ),
    (
        "apart set when shared\ncard \"X\" Keeper\n  set A 1\ncard \"X\" Keeper\n  set B 1\ncard \"Y\" Keeper\n  set A 3\n  brings \"X\", \"Z\"\n",
        &[(8, "\"X\" could be X (A) or X (B)", ""), (8, "no card is called \"Z\"", "")],
    ),
    ("enum tpye also: Lamp\n", &[(1, "there is no enumeration called `tpye`", "did you mean `type`?")]),
    ("enum type also: Keeper\n", &[(1, "`Keeper` is a member of `type` already", "")]),
    // What a card owns is its own.
    (
        "card \"X\" Keeper\n  self gets glow + mine(1)\n  def mine(n: num): num \"{n}\" = n\ncard \"Y\" Keeper\n  self gets glow + mine(1)\n",
        &[(5, "there is no function called `mine`", "did you mean `min`?")],
    ),
    ("card \"X\" Keeper\n  def mine(n: num): num = n.sze\n", &[(2, "a num has no `sze`", "did you mean `size`?")]),
    (
        "kind k\n  scope usual\n  in act_window\n  steps effect\ntiming t(n: num, c: card = none) \"T\"\ncard \"X\" Keeper\n  k t: gain(you, 1)\n",
        &[(7, "the timing `t` takes 1 to 2 values, here are 0", "")],
    ),
    (
        "kind k\n  scope usual\n  in act_window\n  steps effect\ntiming t(c: card = none) \"T\"\n  once per turn\ncard \"X\" Keeper\n  k t(1) once per turn: gain(you, 1)\n",
        &[(8, "a name belongs here, for what `t` tells", ""), (8, "the timing `t` has a limit of its own", "")],
    ),
    (
        "kind k\n  scope usual\n  in act_window\n  steps pay, effect\ncard \"X\" Keeper\n  k pay pay_light(1) as x: gain(you, 1)\n",
        &[(6, "the cost `pay_light` does not say what it takes", "")],
    ),
    (
        "card \"X\" Keeper\n  instead of gain(p, n): gain(you, 1)\n",
        &[(2, "nothing can be done instead of `gain`: it does not say what would happen", "")],
    ),
    (
        "rule instead of gain(p, n): gain(p, 1)\nrule [keepers] gains:\n  k: gain(you, 1)\n",
        &[
            (1, "a rule says at once what is done and who can do it: only cards change that", ""),
            (2, "a rule says at once what is done and who can do it: only cards change that", ""),
        ],
    ),
    (
        "card \"X\" Keeper\n  [keepers] gains:\n    beacon(1)\n",
        &[(3, "cards gain abilities that are used: what they get and what is set off are clauses of their own", "")],
    ),
    (
        "card \"X\" Keeper\n  [keepers] gains:\n    treat_as Moth\n",
        &[(3, "cards gain abilities that are used: what they get and what is set off are clauses of their own", "")],
    ),
    ("card \"X\" Keeper\n  you gains:\n    k: gain(you, 1)\n", &[(2, "a player has no abilities", "")]),
    ("def f(c: card, n: num): bool = c is n\n", &[(1, "`n` is a num, but a word is needed here", "")]),
    ("card \"X\" Keeper\n  beacon(1, 2)\n", &[(2, "the template `beacon` takes 1 values, here are 2", "")]),
    ("card \"X\" Keeper\n  beacon(North)\n", &[(2, "this is a player, but a num is needed here", "")]),
    ("card \"X\" Keeper\n  becaon(1)\n", &[(2, "there is no template called `becaon`", "did you mean `beacon`?")]),
    (
        "card \"X\" Keeper\n  self gets glow 3\n",
        &[(2, "expected `+`, `-`, `*`, `=`, `>=` or `<=` and an amount, `unreduced` or `unmodified`, found 3", "")],
    ),
    ("card \"X\" Keeper\n  self gets glwo +3\n", &[(2, "there is no value called `glwo`", "did you mean `glow`?")]),
    ("card \"X\" Keeper\n  forbid enter(c, d)\n", &[(2, "`enter` has 1 parameters, here are 2 names", "")]),
    ("card \"X\" Keeper\n  spark: gain(you, 1)\n", &[(2, "there is no kind of ability called `spark`", "")]),
    (
        "proc dim(p: player)\n  p.light -= 1\ncard \"X\" Keeper\n  when burns(c):\n    dim(you)\n",
        &[(5, "the program `dim` has no English, so no card can use it", "")],
    ),
    (
        "kind k\n  scope usual\n  in act_window\n  steps could, effect\ncard \"X\" Keeper\n  k:\n    gain(you, 1)\n",
        &[(7, "`gain` does not say when it could change something: it needs a `could` line", "")],
    ),
    ("proc p(c: card)\n  could c.glwo > 1\n", &[(2, "a card has no `glwo`", "did you mean `glow`?")]),
    ("proc p\n  could\n", &[(2, "expected a value, found the end of the line", "")]),
    ("cost c \"c\"\n  do:\n    return North\n", &[(3, "this is a player, but a bool is needed here", "")]),
    ("proc p\n  then gain(North, 1)\n", &[(2, "expected `:`, found `gain`", "")]),
    // ---- numbers that cards of a type print ----
    ("needs Keeper: glow\ncard \"X\" Keeper\n", &[(2, "\"X\" has no `glow`: every card of its type prints one", "")]),
    ("needs Keeper: glow\ncard \"X\" Keeper\n  glow 0\ncard \"Y\" Trick\n", &[]),
    (
        "needs Keeper not Moth: glow\ncard \"X\" Keeper: Moth\ncard \"Y\" Keeper: Owl\n",
        &[(3, "\"Y\" has no `glow`: every card of its type prints one", "")],
    ),
    ("needs: type\ncard \"X\" Keeper\ncard \"Y\": Owl\n", &[(3, "\"Y\" has no type: write it in the heading, behind the title", "")]),
    (
        "card \"X\" Keeper: Zzzyzzx\n",
        &[(1, "there is no word called `Zzzyzzx`", "a new word goes on a `words` line of the rules, a new name on the line of its `enum`")],
    ),
    (
        "card \"X\" Keeper\n  glow 1\n  [enemy keepers] gets glow +1\n",
        &[(3, "`enemy` is no word, adjective or noun of this game", "whose they are is said by `opponents`")],
    ),
    ("needs Kepeer: glow\n", &[(1, "there is no word called `Kepeer`", "did you mean `Keeper`?")]),
    ("needs Keeper: glwo\n", &[(1, "there is no number of cards called `glwo`", "did you mean `glow`?")]),
    ("needs Keeper glow\n", &[(1, "expected a word, found the end of the line", "")]),
    // ---- abilities that can never work where their card lies ----
    (
        "lies Trick: hand\ncard \"X\" Trick\n  self gets glow +1\n",
        &[(3, "this can never work: the scope `usual` cannot hold where such a card lies", "")],
    ),
    (
        "lies Trick: hand\ncard \"X\" Trick\n  beacon(2)\n",
        &[(3, "this can never work: the scope `usual` cannot hold where such a card lies", "")],
    ),
    ("lies Trick: hand, porch\ncard \"X\" Trick\n  self gets glow +1\ncard \"Y\" Keeper\n  self gets glow +1\n", &[]),
    (
        // A hand is not `live`: what lies there speaks of itself alone.
        "scope held when it.zone = it.owner.hand\ncard \"X\" Keeper\n  in held:\n    forbid enter(c) when c is Trick\n",
        &[(3, "this can never work: the scope `held` cannot hold where such a card lies", "")],
    ),
    (
        "scope held when it.zone = it.owner.hand\ncard \"X\" Keeper\n  in held:\n    when burns(c, n) if c != self: gain(you, 1)\n",
        &[(3, "this can never work: the scope `held` cannot hold where such a card lies", "")],
    ),
    (
        "scope buried when it.zone = it.owner.deck\nstat sway of player = 0\ncard \"X\" Keeper\n  in buried:\n    you gets sway +1\n",
        &[(4, "this can never work: the scope `buried` cannot hold where such a card lies", "")],
    ),
    (
        "lies Trick: porch\nscope buried when it.zone = it.owner.deck\ncard \"X\" Trick\n  in buried:\n    self gets glow +1\n    forbid enter(c) when c = self\n",
        &[],
    ),
    (
        // Nor does a deck let cards act.
        "scope buried when it.zone = it.owner.deck\nkind k\n  scope buried\n  in act_window\n  steps effect\ncard \"X\" Keeper\n  k: gain(you, 1)\n",
        &[(7, "this can never be used: the scope `buried` cannot hold where such a card lies", "")],
    ),
    (
        "scope tricky when it is Trick and it.glow > 1\ncard \"X\" Keeper\n  in tricky:\n    self gets glow +1\ncard \"Y\" Trick\n  in tricky:\n    self gets glow +1\n",
        &[(3, "this can never work: the scope `tricky` cannot hold where such a card lies", "")],
    ),
    (
        // Through functions, with what is not known taken for possible.
        "def housed(c: card): bool = if c.parent = none then c.zone = porch else has_role(c, carried)\nscope home when housed(it) and not it.facedown\nlies Trick: hand, attached\nlies Keeper: hand\ncard \"X\" Trick\n  in home:\n    self gets glow +1\ncard \"Y\" Keeper\n  in home:\n    self gets glow +1\n",
        &[(9, "this can never work: the scope `home` cannot hold where such a card lies", "")],
    ),
    ("lies Trick: hnad\n", &[(1, "there is no zone called `hnad`", "did you mean `hand`?")]),
    // ---- names of questions ----
    ("proc p\n  choose c from porch\n", &[(2, "a question of a program needs a name: write `as NAME` here", "")]),
    ("proc p\n  may by North:\n    gain(North, 1)\n", &[(2, "a question of a program needs a name: write `as NAME` here", "")]),
    (
        "action a \"A\"\n  in act_window\n  do:\n    number n from 1 to 3\n",
        &[(4, "a question of a program needs a name: write `as NAME` here", "")],
    ),
    (
        "cost c \"c\"\n  do:\n    choose one:\n      \"A\":\n        gain(North, 1)\n",
        &[(3, "a question of a program needs a name: write `as NAME` here", "")],
    ),
    ("proc p\n  choose c from porch as burn_which\n", &[]),
    // What a card's own ability asks is known by its kind and card.
    ("kind k\n  scope usual\n  in act_window\n  steps effect\ncard \"X\" Keeper\n  k:\n    choose c from porch\n", &[]),
    ("rule when burns(c, n):\n  choose o from porch\n", &[]),
    // ---- events ----
    ("quiet event hush()\n", &[(1, "`quiet` does not start an item", "")]),
    // ---- several at once ----
    (
        "var x: nun\ndef f(): num = North\n",
        &[(1, "there is no type called `nun`", "did you mean `num`?"), (2, "this is a player, but a num is needed here", "")],
    ),
    ("zone a: (\ncard \"X\"\n", &[(1, "expected a trait of the zone, found `(`", "")]),
    (
        "def f(): num = )\nvar ok: num\ndef g(): num = ]\n",
        &[(1, "expected a value, found `)`", ""), (3, "expected a value, found `]`", "")],
    ),
];

#[test]
fn the_game_itself_is_sound() {
    let compiled = check("");
    assert!(compiled.problems.is_empty(), "{}", report(&compiled.files, &compiled.problems, false));
}

#[test]
fn each_mistake_is_named_at_its_line() {
    let mut wrong = Vec::new();
    for (source, wanted) in CASES {
        let compiled = check(source);
        let found: Vec<(String, usize, String, String)> = compiled
            .problems
            .iter()
            .map(|problem| {
                let (file, line, _) = place(&compiled.files, problem.span);
                (file, line, problem.message.clone(), problem.hint.clone())
            })
            .collect();
        let mut left = found.clone();
        for (line, message, hint) in *wanted {
            let at = left
                .iter()
                .position(|(file, at, said, hinted)| file == "rules/the_case.saga" && at == line && said == message && hinted == hint);
            match at {
                Some(at) => drop(left.remove(at)),
                None => wrong.push(format!("{source:?}\n  wanted {line}: {message} ({hint})\n  found {found:?}")),
            }
        }
        if !left.is_empty() {
            wrong.push(format!("{source:?}\n  too much: {left:?}"));
        }
    }
    assert!(CASES.len() >= 25);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
}

#[test]
fn what_a_game_must_have_is_missed() {
    let empty = compile(vec![SourceFile { name: "a.saga".into(), text: String::new() }], None);
    let messages: Vec<&str> = empty.problems.iter().map(|problem| problem.message.as_str()).collect();
    for wanted in [
        "the rules need a program called `main`",
        "the rules need a `players` line with two names",
        "one zone `of player` needs the trait `deck`",
    ] {
        assert!(messages.contains(&wanted), "{wanted}: {messages:?}");
    }
}

#[test]
fn a_report_shows_file_line_and_caret() {
    let compiled = check("var y: num\ndef f(c: card): num = c.glwo\n");
    let shown = report(&compiled.files, &compiled.problems, false);
    assert!(shown.contains("a card has no `glwo`"), "{shown}");
    assert!(shown.contains("rules/the_case.saga:2:"), "{shown}");
    assert!(shown.contains("def f(c: card): num = c.glwo"), "{shown}");
    assert!(shown.contains("did you mean `glow`?"), "{shown}");
    // The mark stands right under the word.
    let lines: Vec<&str> = shown.lines().collect();
    let at = lines.iter().position(|line| line.contains("c.glwo")).unwrap();
    let column = lines[at].find("glwo").unwrap();
    let under: String = lines[at + 1].chars().skip(column).take(4).collect();
    assert!(under.chars().all(|c| c == '^' || c == '-' || c == '|'), "{shown}");
    assert!(!shown.contains('\u{1b}'), "no colours where none were asked for: {shown}");
    assert!(report(&compiled.files, &compiled.problems, true).contains('\u{1b}'));
}

#[test]
fn a_report_copes_with_letters_of_several_bytes() {
    let compiled = check("event e() \"caf\u{e9} \u{1F56F}\" zz\n# \u{e9}\u{e9}\u{e9}\nvar x: nun\nvar \u{e9}: num\n");
    let shown = report(&compiled.files, &compiled.problems, false);
    assert!(shown.contains("rules/the_case.saga:3:8"), "{shown}");
    assert!(shown.contains("there is no type called `nun`"), "{shown}");
    let (_, line, column) = place(&compiled.files, compiled.problems.iter().find(|problem| problem.message.contains("zz")).unwrap().span);
    assert_eq!((line, column), (1, 20));
}
