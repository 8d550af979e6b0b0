//! Questions that would go on for ever, or for longer than anybody waits: the action that asks them ends with a reason that names what went
//! on so long, the same in both ways, whatever is known already, and the game goes on.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use trilogy_engine::catalogue::StatId;
use trilogy_engine::inside::{self, Memo, State, World, step_on};
use trilogy_engine::journal::Writer;
use trilogy_engine::{Answer, Catalogue, Event, Game, Journal, Setup, Silent, Status, Value, Viewer};
use trilogy_saga::{SourceFile, compile};

/// What the number that is answered does.
const GO_ON: i32 = 0;
const ASK: i32 = 1;
/// Ask for something like it that has an answer: then much is known when it is asked for again.
const ASK_LESS: i32 = 2;
const ANSWERS: [i32; 4] = [ASK, ASK_LESS, ASK, GO_ON];

/// A game in which this can be asked, and something less.
fn game(definitions: &str, question: &str, less: &str) -> Arc<Catalogue> {
    let text = format!(
        "game g \"G\"\nplayers A, B\nzone deck of player: deck\nzone porch: live, acts\nscope usual when true\nstat glow of card printed\n\
         var told: num = 0\n{definitions}\
         proc main\n  place(A.deck.cards, porch)\n  while true:\n    number n from 0 to 2 as what by A\n    if n = {ASK}:\n      ask()\n    \
         if n = {ASK_LESS}:\n      ask_less()\n    told += 1\n\
         proc ask contains_faults\n  told := 100 + {question}\n\
         proc ask_less contains_faults\n  told := 200 + {less}\n\
         card \"C\"\n  glow 1\n"
    );
    let compiled = compile(vec![SourceFile { name: "rules/one.saga".into(), text }], None);
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    Arc::new(compiled.catalogue)
}

fn faults(events: &[Event]) -> Vec<String> {
    events.iter().filter_map(|event| if let Event::Fault { reason } = event { Some(reason.clone()) } else { None }).collect()
}

/// What a state comes to by an answer, and why an action ended.
fn stepped(catalogue: &Catalogue, state: &State, number: i32, memo: &Memo) -> (State, Vec<String>) {
    let (mut state, mut events) = (state.clone(), Vec::<Event>::new());
    step_on(catalogue, &mut state, &Answer::Number(number), &mut events, memo).unwrap();
    (state, faults(&events))
}

/// The game with so many cards goes on, and the action ends with this reason, but for the names of others like it.
fn ends(definitions: &str, (question, less): (&str, &str), cards: usize, reason: (&str, &str)) {
    let catalogue = game(definitions, question, less);
    let setup = Setup { decks: [vec!["C".to_string(); cards], Vec::new()], options: Default::default(), seed: [0; 32] };
    let mut live = Game::new(catalogue.clone(), setup.clone(), &mut Silent).unwrap();
    let mut journal = Writer::new(&catalogue, &setup, &live.hash());
    // Playouts are among their cards.
    let among = catalogue.among(inside::state(&live).cards.iter().map(|card| card.def));
    let played = Memo::default();
    let warm = [Memo::default(), Memo::plain()];
    let is_meant = |said: &String| said.starts_with(reason.0) && said.ends_with(reason.1);
    let mut hashes = vec![live.hash()];
    let mut told = 0;
    for number in ANSWERS {
        let before = inside::state(&live).clone();
        let said = faults(&live.answer(&Answer::Number(number)).unwrap());
        let after = inside::state(&live);
        journal.answer(&Answer::Number(number), &live.hash());
        hashes.push(live.hash());
        assert_eq!(live.status(), &Status::Asking, "{question}: the game goes on");
        let Value::Num(now) = after.vars[0] else { panic!("{:?}", after.vars) };
        match number {
            ASK => {
                let [said] = &said[..] else { panic!("{question}: {said:?}") };
                assert!(is_meant(said), "{question}: {said}");
                assert_eq!(now, told + 1, "{question}: nothing came of it");
            }
            ASK_LESS => assert!(said.is_empty() && now > 200, "{less}: {said:?}, {now}"),
            _ => assert!(said.is_empty() && now == told + 1),
        }
        told = now;
        // As one who restores the game, and as those who went along with it, in both ways.
        let restored = State::from_bytes(&catalogue, &before.to_bytes()).unwrap();
        for (memo, is_walked) in [(&Memo::default(), false), (&warm[0], false), (&warm[1], true)] {
            let (state, also) = stepped(&catalogue, &restored, number, memo);
            assert!(state == *after && also.len() == said.len(), "{question}: {also:?}, and not {said:?}");
            // Lists that are only walked through are made there: of functions that are alike it may be the next one.
            assert!(also == said || is_walked && reason == ALIKE, "{question}: {also:?}, and not {said:?}");
            assert!(also.iter().all(is_meant), "{question}: {also:?}");
        }
        // In a playout it may be another of those that ask for each other.
        let (state, also) = stepped(&among, &restored, number, &played);
        assert!(state == *after && also.len() == said.len(), "{question}: {also:?}, and not {said:?}");
        assert!(also.iter().all(is_meant), "{question}: {also:?}");
    }
    journal.end(live.status(), &live.hash());
    let journal = Journal::parse(journal.text()).unwrap();
    for (count, hash) in hashes.iter().enumerate() {
        let again = journal.replay(&catalogue, count, &mut Silent).unwrap();
        assert_eq!(again.hash(), *hash, "{question}: after {count} answers");
    }
    // Whoever looks on gets no answer, and no harm is done.
    let world = World::new(&catalogue, inside::state(&live));
    for stat in StatId::all(catalogue.stats.len()) {
        let _ = inside::stat(world, stat, &Value::Card(trilogy_engine::CardId(0)));
    }
    let _ = live.view(Viewer::Referee).snapshot();
}

/// Which of many functions it is that are all alike.
const ALIKE: (&str, &str) = ("the function `f", TOO_MUCH);
const TOO_DEEP: &str = "` asks for others more than 480 levels deep";
const TOO_MUCH: &str = "` takes more than 8388608 steps to work out";

/// Rings that are certain are no game at all: these go on by a list.
#[test]
fn values_that_ask_for_each_other() {
    let first = ("porch.cards.first.a", "porch.cards.first.glow");
    let ring = |names: &[&str]| -> String {
        let next = names.iter().cycle().skip(1);
        names.iter().zip(next).map(|(of, asks)| format!("stat {of} of card = sum(c in list(it): c.{asks} + c.{asks})\n")).collect()
    };
    for names in [&["a"][..], &["a", "b"], &["a", "b", "c"]] {
        ends(&ring(names), first, 1, ("the value `", TOO_DEEP));
    }
    let rules = "stat a of card = 1\nstat b of card = 1\nrule self gets a +sum(c in list(self): c.b + c.b)\n\
        rule self gets b +sum(c in list(self): c.a + c.a)\n";
    ends(rules, first, 1, ("the value `", TOO_DEEP));
}

#[test]
fn a_value_that_asks_for_itself_of_all_other_cards() {
    let others = "stat power of card = 1 + sum(c in porch where c != it: c.power)\n";
    ends(others, ("porch.cards.first.power", "count(porch)"), 60, ("the value `power", TOO_DEEP));
}

#[test]
fn a_permission_that_asks_for_itself() {
    let permission = "permission p(c: card) \"{c}\"\nrule forbid p(c) when any(d in list(c) where can p(d) and can p(d))\n";
    ends(permission, ("if can p(porch.cards.first) then 1 else 2", "1"), 2, ("the permission `p", TOO_DEEP));
}

fn nested(depth: usize) -> String {
    let loops: String = (0..depth).map(|at| format!("sum(c{at} in porch: ")).collect();
    loops + "1" + &")".repeat(depth)
}

#[test]
fn loops_within_loops() {
    let stat = format!("stat many of player = {}\nstat some of player = {}\n", nested(5), nested(2));
    ends(&stat, ("A.many", "A.some"), 200, ("the value `many", TOO_MUCH));
    // What the program itself asks.
    ends("", (&nested(5), &nested(2)), 200, ("the program `ask", TOO_MUCH));
}

#[test]
fn functions_that_call_each_other_twice() {
    const LAST: usize = 40;
    let four = |at| match at {
        LAST => format!("def f{at}(a: num, b: num, c: card, d: card): num = a + b + c.glow + d.glow\n"),
        _ => format!("def f{at}(a: num, b: num, c: card, d: card): num = f{0}(a, b, c, d) + f{0}(b, a, d, c)\n", at + 1),
    };
    let first = |at| format!("f{at}(1, 2, porch.cards.first, porch.cards.last)");
    ends(&(0..=LAST).map(four).collect::<String>(), (&first(0), &first(LAST - 12)), 3, ALIKE);
    // With one parameter what they come to is kept, and counts as if it were not.
    let one = |at| match at {
        LAST => format!("def f{at}(c: card): num = count(d in porch where d.glow >= c.glow)\n"),
        _ => format!("def f{at}(c: card): num = f{0}(c) + f{0}(c)\n", at + 1),
    };
    let first = |at| format!("f{at}(porch.cards.first)");
    ends(&(0..=LAST).map(one).collect::<String>(), (&first(0), &first(LAST - 12)), 3, ALIKE);
}

#[test]
fn lists_that_double() {
    const LAST: usize = 40;
    let one = |at| match at {
        LAST => format!("def f{at}(cs: cards): num = count(cs)\n"),
        _ => format!("def f{at}(cs: cards): num = f{}(cs ++ cs)\n", at + 1),
    };
    let first = |at| format!("f{at}(porch.cards)");
    ends(&(0..=LAST).map(one).collect::<String>(), (&first(0), &first(LAST - 12)), 3, ALIKE);
}
