//! What comes from outside may be anything: sources, scenarios, catalogues, states and journals that are
//! random, broken or damaged are refused with a reason. Nothing panics, hangs or exhausts the stack.

#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use trilogy_engine::catalogue::{StatId, VarId, WindowId, with_true_hash};
use trilogy_engine::inside::{self, State, World, step};
use trilogy_engine::journal::Writer;
use trilogy_engine::{Answer, AskKind, Catalogue, Game, Journal, PlayerId, Random, Setup, Silent, Value, Viewer, seed_from_number};
use trilogy_saga::lexer::lex;
use trilogy_saga::source::{find, read_game};
use trilogy_saga::{SourceFile, compile, compile_folder, fmt, report, scenario};

/// No input of these tests may take longer, even in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() }
}

type Sources = (Vec<SourceFile>, Option<std::collections::BTreeSet<String>>);

static TOY: LazyLock<Sources> = LazyLock::new(|| read_game(&root().join("tests/toy")).unwrap());
/// The rules of the tcg without its cards, which would take most of the time.
static TCG_RULES: LazyLock<Sources> = LazyLock::new(|| {
    let (files, rules) = read_game(&root().join("../games/tcg")).unwrap();
    (files.into_iter().filter(|file| file.name.starts_with("rules/")).collect(), rules)
});
static SCENARIOS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut paths = Vec::new();
    find(&root().join("tests/toy/scenarios"), "scenario", &mut paths).unwrap();
    find(&root().join("../games/tcg/scenarios/aotc"), "scenario", &mut paths).unwrap();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
});
/// Of both games whose scenarios are mutated: that some do not fit the game is a mistake like others.
static BOARDS: LazyLock<scenario::Boards> = LazyLock::new(|| {
    let mut paths = Vec::new();
    find(&root().join("tests/toy/scenarios"), scenario::BOARD_ENDING, &mut paths).unwrap();
    find(&root().join("../games/tcg/scenarios"), scenario::BOARD_ENDING, &mut paths).unwrap();
    let files: Vec<(String, String)> =
        paths.iter().map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect();
    scenario::Boards::read(files.iter().map(|(name, text)| (name.as_str(), text.as_str()))).unwrap()
});
static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(|| {
    let compiled = compile_folder(&root().join("tests/toy")).unwrap();
    assert!(compiled.problems.is_empty());
    Arc::new(compiled.catalogue)
});

fn one_file(text: &str) -> Vec<SourceFile> {
    vec![SourceFile { name: "rules/one.saga".into(), text: text.into() }]
}

/// Whatever can be told apart into lines and tokens is the same when it is formatted, whether it means anything or not.
fn formats_alike(text: &str) {
    let tokens = |text: &str| lex(0, text).0.into_iter().map(|token| token.tok).collect::<Vec<_>>();
    if let Ok(pretty) = fmt::format(text)
        && lex(0, text).1.is_empty()
    {
        assert!(tokens(text) == tokens(&pretty), "{text:?} became {pretty:?}");
        assert_eq!(fmt::format(&pretty).unwrap(), pretty, "{text:?} changes when it is formatted again");
    }
}

/// Everything that reads sources reads these. The problems that were found are shown, too.
fn read_all(files: Vec<SourceFile>, rules: Option<std::collections::BTreeSet<String>>) -> trilogy_saga::Compiled {
    let start = Instant::now();
    for file in &files {
        formats_alike(&file.text);
    }
    let compiled = compile(files, rules);
    let shown = report(&compiled.files, &compiled.problems, false);
    assert_eq!(shown.is_empty(), compiled.problems.is_empty());
    assert!(start.elapsed() < PATIENCE, "this took {:?}", start.elapsed());
    compiled
}

// ---- mutations ----

#[derive(Clone, Debug)]
enum Edit {
    Delete(usize, usize),
    Duplicate(usize, usize, usize),
    Swap(usize, usize, usize),
    Insert(usize, &'static str),
    Put(usize, char),
}

const SNIPPETS: [&str; 44] = [
    "(",
    ")",
    "[",
    "]",
    ":",
    ":=",
    ",",
    ".",
    "..",
    "+",
    "-",
    "*",
    "/",
    "++",
    "=",
    "!=",
    "<",
    "|",
    "\"",
    "#",
    "@toy.core.light",
    "\n",
    "\n  ",
    "\n      ",
    "\t",
    " you",
    " self",
    " none",
    " not ",
    " if ",
    " gets ",
    " while ",
    " from ",
    " or none",
    " 2147483647",
    " 99999999999",
    "é",
    "\u{1F56F}",
    "{",
    "}",
    " list(",
    " any(x in ",
    " [your ",
    "\0",
];

fn edits(at_most: usize) -> impl Strategy<Value = Vec<Edit>> {
    let place = || any::<u32>().prop_map(|at| at as usize);
    let edit = prop_oneof![
        (place(), 1..40usize).prop_map(|(at, len)| Edit::Delete(at, len)),
        (place(), 1..60usize, place()).prop_map(|(at, len, to)| Edit::Duplicate(at, len, to)),
        (place(), place(), 1..30usize).prop_map(|(a, b, len)| Edit::Swap(a, b, len)),
        (place(), prop::sample::select(&SNIPPETS[..])).prop_map(|(at, snippet)| Edit::Insert(at, snippet)),
        (place(), any::<char>()).prop_map(|(at, c)| Edit::Put(at, c)),
    ];
    prop::collection::vec(edit, 1..at_most)
}

fn mutated(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for edit in edits {
        let size = chars.len();
        let place = |at: usize| at % (size + 1);
        match *edit {
            Edit::Delete(at, len) => drop(chars.drain(place(at)..(place(at) + len).min(size))),
            Edit::Duplicate(at, len, to) => {
                let copy: Vec<char> = chars[place(at)..(place(at) + len).min(size)].to_vec();
                chars.splice(place(to)..place(to), copy);
            }
            Edit::Swap(a, b, len) => {
                let (a, b) = (place(a), place(b));
                for at in 0..len.min(size - a.max(b)) {
                    chars.swap(a + at, b + at);
                }
            }
            Edit::Insert(at, snippet) => drop(chars.splice(place(at)..place(at), snippet.chars())),
            Edit::Put(at, c) if size > 0 => chars[at % size] = c,
            Edit::Put(_, c) => chars.push(c),
        }
    }
    chars.into_iter().collect()
}

/// The same for bytes.
fn damaged(bytes: &[u8], edits: &[(u32, u8, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(at, how, value) in edits {
        let at = at as usize % bytes.len().max(1);
        match how % 4 {
            _ if bytes.is_empty() => bytes.push(value),
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, value),
            // Small numbers are most of a state: near ones get furthest.
            2 => bytes[at] = bytes[at].wrapping_add(value % 5).wrapping_sub(2),
            _ => bytes[at] = value,
        }
    }
    bytes
}

/// A source without what may differ after formatting: the hash, and the lines of citations.
fn essence(mut catalogue: Catalogue) -> Catalogue {
    catalogue.hash = [0; 32];
    for (_, place) in &mut catalogue.cited_at {
        place.clear();
    }
    catalogue.cited_at.sort();
    catalogue.cited_at.dedup();
    catalogue
}

fn formats_well(files: &[SourceFile], rules: &Option<std::collections::BTreeSet<String>>, whole: Catalogue) {
    let mut pretty = files.to_vec();
    for file in &mut pretty {
        file.text = fmt::format(&file.text).unwrap();
        assert_eq!(fmt::format(&file.text).unwrap(), file.text, "{} changes when it is formatted again", file.name);
    }
    let again = compile(pretty, rules.clone());
    assert!(again.problems.is_empty(), "{}", report(&again.files, &again.problems, false));
    assert!(essence(again.catalogue) == essence(whole), "formatting changed what the sources mean");
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn random_text_is_refused(text in "\\PC{0,200}") {
        read_all(one_file(&text), None);
        let _ = scenario::parse(&text, &BOARDS);
        let _ = Journal::parse(&text);
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        read_all(one_file(&text), None);
        let _ = scenario::parse(&text, &BOARDS);
        let _ = Catalogue::from_bytes(&bytes);
        let _ = State::from_bytes(&CATALOGUE, &bytes);
        let _ = Journal::parse(&text);
    }

    /// Words and signs of the language, in any order and at any indentation.
    #[test]
    fn token_soup_is_refused(words in prop::collection::vec(prop::sample::select(words()), 1..150)) {
        let text = words.join(" ").replace("\n ", "\n");
        read_all(one_file(&text), None);
    }
}

fn words() -> Vec<String> {
    use trilogy_saga::table::{ABILITIES, CALLABLES, EXPRESSIONS, ITEMS, STATEMENTS};
    let rows = [ITEMS, ABILITIES, STATEMENTS, EXPRESSIONS].into_iter().flatten();
    let mut words: Vec<String> = rows.flat_map(|row| row.syntax.split(' ')).map(|word| word.replace(['|', '[', ']'], " ")).collect();
    words.extend(CALLABLES.iter().map(|callable| callable.name.to_string()));
    words.extend(SNIPPETS.iter().map(|snippet| snippet.to_string()));
    words.extend(
        ["x", "c: card", "num", "bool", "1", "\"text\"", "\n", "\n  ", "\n    ", "\nproc p\n  ", "\ndef f(): num = "].map(String::from),
    );
    words
}

proptest! {
    #![proptest_config(config(100))]

    /// A game with a few mistakes: no crash, and where it is still a game, formatting does not change it.
    #[test]
    fn mistakes_in_the_toy_game(which in any::<prop::sample::Index>(), edits in edits(6)) {
        let (mut files, rules) = TOY.clone();
        let at = which.index(files.len());
        files[at].text = mutated(&files[at].text, &edits);
        let compiled = read_all(files.clone(), rules.clone());
        if compiled.problems.is_empty() {
            formats_well(&files, &rules, compiled.catalogue);
        }
    }

    #[test]
    fn mistakes_in_scenarios(which in any::<prop::sample::Index>(), edits in edits(8)) {
        let _ = scenario::parse(&mutated(&SCENARIOS[which.index(SCENARIOS.len())], &edits), &BOARDS);
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn mistakes_in_the_rules_of_the_tcg(which in any::<prop::sample::Index>(), edits in edits(4)) {
        let (mut files, rules) = TCG_RULES.clone();
        let at = which.index(files.len());
        files[at].text = mutated(&files[at].text, &edits);
        let compiled = read_all(files.clone(), rules.clone());
        if compiled.problems.is_empty() {
            formats_well(&files, &rules, compiled.catalogue);
        }
    }
}

/// Scenarios that can still be read run, whatever they ask of the game.
#[test]
fn broken_scenarios_fail_and_do_not_crash() {
    let (files, rules) = TOY.clone();
    let workshop = trilogy_saga::Workshop::new(files, rules).unwrap_or_else(|_| panic!("the toy game does not compile"));
    let mut runner = proptest::test_runner::TestRunner::new(config(60));
    let toys: Vec<&String> = SCENARIOS.iter().filter(|text| text.contains("toy.")).collect();
    let cases = (any::<prop::sample::Index>(), edits(4));
    let result = runner.run(&cases, |(which, edits)| {
        if let Ok(scenarios) = scenario::parse(&mutated(toys[which.index(toys.len())], &edits), &BOARDS) {
            for scenario in scenarios {
                let _ = scenario::run(&workshop, &scenario, scenario::MODES[0]);
            }
        }
        Ok(())
    });
    result.unwrap();
}

/// What is added to a game may have values that its cards were not printed with.
#[test]
fn values_come_to_cards_that_were_there_before() {
    let (files, rules) = TOY.clone();
    let mut workshop = trilogy_saga::Workshop::new(files, rules).unwrap_or_else(|_| panic!("the toy game does not compile"));
    let text =
        "stat glitter of card printed\nadjective glittering: it.glitter > 0\ncard \"New\" Lamp\n  glow 1, glitter 2\n  self gets glow +1\n";
    workshop.add(SourceFile { name: "more".into(), text: text.into() }).unwrap();
    assert_eq!(workshop.catalogue().broken_part(), None);
    let glitter = workshop.catalogue().facts.len() - 1;
    assert_eq!(workshop.catalogue().cards.iter().filter_map(|card| card.facts[glitter]).collect::<Vec<_>>(), [2]);
}

// ---- formatting ----

#[test]
fn formatting_settles_all_sources_and_changes_nothing() {
    for folder in ["tests/toy", "../games/tcg"] {
        let (files, rules) = read_game(&root().join(folder)).unwrap();
        let compiled = compile(files.clone(), rules.clone());
        assert!(compiled.problems.is_empty());
        formats_well(&files, &rules, compiled.catalogue);
    }
}

#[test]
fn formatting_loses_nothing() {
    let tokens = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>().concat();
    for text in
        ["def f(): num = (1", "proc p\n  x(\n    1, # one\n    2)\n", "a (b\n\n# c\nd)\n", "card \"X\" # end", "((\n", "# only", "", "\n\n"]
    {
        let pretty = fmt::format(text).unwrap();
        let mut before: Vec<char> = tokens(text).chars().collect();
        let mut after: Vec<char> = tokens(&pretty).chars().collect();
        before.sort_unstable();
        after.sort_unstable();
        assert_eq!(before, after, "{text:?} became {pretty:?}");
        assert_eq!(fmt::format(&pretty).unwrap(), pretty);
    }
    // A comment inside brackets does not swallow what follows it.
    let pretty = fmt::format("def f(): nums = list(1, # one\n  2)\n").unwrap();
    assert_eq!(pretty, "def f(): nums = list(1,  # one\n    2)\n");
}

// ---- depth ----

/// Far deeper than anyone writes: an error, and no exhausted stack.
#[test]
fn deep_nesting_is_an_error() {
    let deep = 5_000;
    let times = |text: &str, end: &str| format!("{}{}", text.repeat(deep), end.repeat(deep));
    let value = |text: String| format!("game g \"G\"\nplayers A, B\ndef f(x: num): num = {text}\n");
    let body = |text: String| format!("game g \"G\"\nplayers A, B\nevent e()\nperiods turn\nproc p\n  {text}\n");
    let staircase = |open: &str, depth: usize| -> String {
        (0..depth).map(|level| format!("{}{open}\n", " ".repeat(level + 2))).collect::<String>() + &" ".repeat(depth + 2) + "p()\n"
    };
    let mut sources = vec![
        value(times("(", ")")),
        value(times("[in ", "]")),
        value(times("[unit with ", "]")),
        value(times("-", "") + "1"),
        value(times("1..", "") + "1"),
        value(times("1 + ", "") + "1"),
        value(times("1 * ", "") + "1"),
        value(times("x and ", "") + "x"),
        value(times("x or ", "") + "x"),
        value(times("x ++ ", "") + "x"),
        value("x".to_string() + &times(".opponent", "")),
        value(times("f(", ")")),
        value(times("list(", ")")),
        value(times("can f(", ")")),
        value(times("any(a in ", ")")),
        value(times("if x then ", "") + "1"),
        value(times("if ", "") + "1"),
        value(times("not (", ")")),
        body(times("if x: ", "") + "p()"),
        body(times("unless x: ", "") + "p()"),
        body(times("while x: ", "") + "p()"),
        body(times("for x in y: ", "") + "p()"),
        body(times("may: ", "") + "p()"),
        body(times("once: when e: ", "") + "p()"),
        body(times("until turn: when e: ", "") + "p()"),
        format!("game g \"G\"\nproc p\n{}", staircase("if x:", 2_000)),
        format!("game g \"G\"\nproc p\n{}", staircase("choose one:", 2_000)),
        format!("game g \"G\"\ncard \"X\"\n{}", staircase("in usual:", 2_000)),
        format!("game g \"G\"\ntemplate t()\n{}", staircase("in usual:", 2_000)),
    ];
    sources.push(body(format!("\"{}\"", times("{", "}"))));
    sources.push(format!("event e() \"{}\"\n", times("{", "}")));
    sources.push(format!("event e() \"{{{}}}\"\n", times("(", ")")));
    for source in sources {
        let shown: String = source.chars().take(120).collect();
        let compiled = read_all(one_file(&source), None);
        // These also miss a `main`: more must be wrong than that.
        let all: Vec<&str> = compiled.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert!(all.iter().any(|message| !message.contains("need")), "accepted: {shown}: {all:?}");
    }
    let stacked = "  ".repeat(2) + "x\n";
    let scenario = "scenario \"deep\"\nboard\n".to_string() + &stacked.repeat(deep);
    let _ = scenario::parse(&scenario, &BOARDS);
}

/// What would go round in circles is refused, too.
#[test]
fn circles_are_errors() {
    let game = "game g \"G\"\nplayers A, B\nzone deck of player: deck\nscope usual when true\nstat glow of card printed\nperiods turn\n\
        window w \"w\"\nproc main\n  win A\n";
    for (source, wanted) in [
        ("template t()\n  t()\n", "uses itself"),
        ("template t()\n  in usual:\n    t()\n", "uses itself"),
        ("template t()\n  u()\ntemplate u()\n  t()\n", "uses itself"),
        ("template t()\n  self gains:\n    t()\n", "uses itself"),
        ("template t()\n  when e: until turn: self gains:\n      u()\ntemplate u()\n  t()\n", "uses itself"),
        ("template t(x: num)\n  self gets glow +x\ncard \"C\"\n  t(x)\n", "nothing is called `x`"),
    ] {
        let compiled = read_all(one_file(&format!("{game}{source}")), None);
        assert!(compiled.problems.iter().any(|problem| problem.message.contains(wanted)), "{source}: {:?}", compiled.problems);
    }
    let chain: String = (0..500).map(|at| format!("template t{at}()\n  t{}()\n", at + 1)).collect();
    let compiled = read_all(one_file(&format!("{game}{chain}template t500()\n  self gets glow +1\n")), None);
    assert!(compiled.problems.iter().any(|problem| problem.message.contains("too many others")));
    // An argument that is an expression over a name of the template around it.
    let nested = "template u(x: num)\n  self gets glow +x\ntemplate t(x: num)\n  u(x + 1)\ncard \"C\"\n  glow 1\n  t(2)\n";
    let compiled = read_all(one_file(&format!("{game}{nested}")), None);
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
}

/// A function that calls itself without end has no value, and its evaluation ends. The same for values,
/// scopes, permissions and windows that ask for themselves.
#[test]
fn endless_functions_have_no_value() {
    let game = |body: &str| {
        format!(
            "game g \"G\"\nplayers A, B\nzone deck of player: deck\nzone porch: live, acts\nwindow w \"w\"\nstat s of player = {body}\n\
             def f(n: num): num = {body}\npermission p(c: card) \"{{c}}\"\nrule forbid p(c) when can p(c)\nstat glow of card printed\n\
             scope usual when it.glow > 0\naction a \"a\"\n  in w\n  require count(moves(you, w)) > 0 else \"no\"\n\
             kind k\n  scope usual\n  in w\n  steps effect\n\
             card \"C\"\n  glow 1\n  self gets glow +1\n  k: shuffle(you.deck)\n\
             proc main\n  place(you.deck.cards, porch)\n  number n from 0 to 1 as one_or_none by A\n  win A\n"
        )
    };
    let deep = format!("{}f(1){}", "-(".repeat(25), ")".repeat(25));
    let long = format!("f(1){}", " + 1".repeat(200));
    let list = format!("count(x in {}1..f(1){})", "filter(y in ".repeat(12), " where true)".repeat(12));
    for body in ["f(1)", "A.s", "count(moves(A, w))", "count(x in 1..1 where f(x) > 0)", &deep, &long, &list] {
        let compiled = read_all(one_file(&game(body)), None);
        assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
        let catalogue = Arc::new(compiled.catalogue);
        let deck = vec!["C".to_string()];
        let setup = Setup { decks: [deck, Vec::new()], options: Default::default(), seed: [0; 32] };
        let game = Game::new(catalogue.clone(), setup, &mut Silent).unwrap();
        let (world, player) = (World::new(&catalogue, inside::state(&game)), PlayerId(0));
        let _ = inside::stat(world, StatId::FIRST, &Value::Player(player));
        let _ = inside::moves(world, WindowId::FIRST, player);
        let _ = inside::refused_moves(world, WindowId::FIRST, player);
        let _ = game.view(Viewer::Referee).snapshot();
    }
}

/// Tables of a game have no end that a game could meet.
#[test]
fn there_is_room_for_much() {
    let many = |line: &dyn Fn(usize) -> String, count: usize| (0..count).map(line).collect::<String>();
    let names = |count: usize| (0..count).map(|at| format!("n{at}")).collect::<Vec<_>>().join(", ");
    let sources = [
        many(&|at| format!("window w{at} \"w\"\naction a{at} \"a\"\n  in w{at}\n"), 400),
        many(&|at| format!("event e{at}()\nrule when e{at}: main()\n"), 400),
        many(&|at| format!("stat s{at} of card printed\nrule self gets s{at} +1\n"), 400) + "card \"C\"\n  s399 3\n  self gets s399 +1\n",
        many(&|at| format!("permission p{at}(c: card) \"{{c}}\"\nrule forbid p{at}(c)\n"), 400) + "card \"C\"\n  forbid p399(c)\n",
        many(&|at| format!("counter c{at} of card\ncounter d{at} of player\nfield f{at} of card: word\n"), 400),
        many(&|at| format!("zone z{at}\n"), 400),
        many(&|at| format!("var v{at}: num\nvar w{at} of player: num\n"), 400),
        many(&|at| format!("scope s{at} when true\n"), 400),
        many(&|at| format!("option o{at} \"o\": yes, no\n"), 400),
        format!("words {}\n", names(2000)),
        format!("periods {}\n", names(400)),
        format!("roles {}\n", names(400)),
        format!("def f(): nums = list({})\n", vec!["1"; 400].join(", ")),
        "proc p\n".to_string() + &many(&|at| format!("  let x{at} = {at}\n"), 400),
        "event e(a: num)\nproc p\n".to_string() + &many(&|at| format!("  let x{at} = {at}\n"), 400) + "  once: when e(a):\n    main()\n",
        "proc p\n  choose one as q:\n".to_string() + &many(&|at| format!("    \"t{at}\": main()\n"), 400),
        format!("proc p({})\n  main()\n", (0..400).map(|at| format!("x{at}: num")).collect::<Vec<_>>().join(", ")),
    ];
    for source in sources {
        let head = "game g \"G\"\nplayers A, B\nzone deck of player: deck\nscope usual when true\nproc main\n  main()\n";
        let compiled = read_all(one_file(&format!("{head}{source}")), None);
        let shown: String = source.chars().take(60).collect();
        let told: Vec<&str> = compiled.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert!(told.is_empty(), "{shown}: {told:?}");
        let stored = Catalogue::from_bytes(&compiled.catalogue.to_bytes()).unwrap();
        assert_eq!(stored.index, {
            let mut again = compiled.catalogue.clone();
            again.build_index();
            again.index
        });
    }
}

/// What has an end says so.
#[test]
fn too_much_is_an_error() {
    let head = "game g \"G\"\nzone deck of player: deck\nscope usual when true\nproc main\n  main()\n";
    let lines = |count: usize| (0..count).map(|at| format!("  let x{at} = {at}\n")).collect::<String>();
    let names = (0..300).map(|at| format!("n{at}")).collect::<Vec<_>>().join(", ");
    for source in [format!("players {names}\n"), format!("players A, B\nproc p\n{}", lines(70_000))] {
        let compiled = read_all(one_file(&format!("{head}{source}")), None);
        assert!(!compiled.problems.is_empty(), "accepted: {}", source.chars().take(60).collect::<String>());
    }
}

// ---- stored data ----

fn any_answer(luck: &mut Random, ask: &AskKind) -> Answer {
    match ask {
        AskKind::Number { least, most } => {
            let span = (*most as i64 - *least as i64 + 1).min(1 << 20) as usize;
            Answer::Number(least.saturating_add(luck.below(span) as i32))
        }
        AskKind::Order { options } => Answer::Pick((0..options.len() as u16).rev().collect()),
        AskKind::Pick { options, least, most } => {
            let count = (*least).max(1).min(*most) as usize;
            let first = luck.below(options.len());
            Answer::Pick((0..count).map(|at| ((first + at) % options.len()) as u16).collect())
        }
    }
}

/// States from the middle of games, and a journal of one.
static GAMES: LazyLock<(Vec<State>, String)> = LazyLock::new(|| {
    let deck: Vec<String> = CATALOGUE.cards.iter().map(|card| card.key.clone()).collect();
    let (mut states, mut text) = (Vec::new(), String::new());
    for seed in 0..6 {
        let setup = Setup { decks: [deck.clone(), deck.clone()], options: Default::default(), seed: seed_from_number(seed) };
        let mut game = Game::new(CATALOGUE.clone(), setup.clone(), &mut Silent).unwrap();
        let mut journal = Writer::new(&CATALOGUE, &setup, &game.hash());
        let mut luck = Random::from_seed(seed_from_number(seed + 100));
        while let Some(ask) = &inside::state(&game).ask {
            let answer = any_answer(&mut luck, &ask.kind);
            if luck.below(6) == 0 || !inside::state(&game).effects.is_empty() && luck.below(3) == 0 {
                states.push(inside::state(&game).clone());
            }
            game.answer(&answer).unwrap();
            journal.answer(&answer, &game.hash());
        }
        journal.end(game.status(), &game.hash());
        text = journal.into_text();
    }
    assert!(states.len() > 20);
    (states, text)
});

/// Look at a state from all sides and play on from it.
fn look_and_play(catalogue: &Catalogue, mut state: State, luck: u64) {
    let start = Instant::now();
    let mut luck = Random::from_seed(seed_from_number(luck));
    for _ in 0..12 {
        for viewer in Viewer::ALL.into_iter().chain([Viewer::Referee]) {
            let view = inside::view(catalogue, &state, viewer);
            let _ = view.snapshot();
            let _ = view.refusals();
            let _ = view.imagine([7; 32]).view(viewer).snapshot();
            let _ = (view.vars().count(), view.usual());
        }
        let Some(ask) = &state.ask else { break };
        let answer = any_answer(&mut luck, &ask.kind);
        let _ = step(catalogue, &mut state, &Answer::Pick(vec![0, 9999]), &mut Silent);
        let mut events = Vec::new();
        if step(catalogue, &mut state, &answer, &mut events).is_err() {
            break;
        }
        for event in &events {
            for viewer in Viewer::ALL {
                let _ = trilogy_engine::log_line(catalogue, event, viewer);
            }
        }
        let stored = state.to_bytes();
        assert!(State::from_bytes(catalogue, &stored).is_ok(), "a state that was reached is not accepted");
    }
    assert!(start.elapsed() < PATIENCE, "this took {:?}", start.elapsed());
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn damaged_states_are_refused_or_playable(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<u32>(), any::<u8>(), any::<u8>()), 1..4),
        luck in any::<u64>(),
    ) {
        let (states, _) = &*GAMES;
        let bytes = damaged(&states[which.index(states.len())].to_bytes(), &edits);
        if let Ok(state) = State::from_bytes(&CATALOGUE, &bytes) {
            look_and_play(&CATALOGUE, state, luck);
        }
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn damaged_catalogues_are_refused(edits in prop::collection::vec((any::<u32>(), any::<u8>(), any::<u8>()), 1..6)) {
        let damaged = damaged(&CATALOGUE.to_bytes(), &edits);
        prop_assert!(damaged == CATALOGUE.to_bytes() || Catalogue::from_bytes(&damaged).is_err());
        // As if it had been written that way.
        let _ = Catalogue::from_bytes(&with_true_hash(&damaged));
    }

    #[test]
    fn damaged_journals_are_refused(edits in edits(4)) {
        let (_, text) = &*GAMES;
        let text: Vec<&str> = text.lines().take(40).collect();
        let damaged = mutated(&text.join("\n"), &edits);
        if let Ok(journal) = Journal::parse(&damaged) {
            // A replay may succeed only where the damage changed nothing that counts.
            let _ = journal.replay(&CATALOGUE, journal.answers().min(20), &mut Silent);
        }
    }
}

/// Lists in lists in lists: refused before they can exhaust the stack.
#[test]
fn deep_values_are_refused() {
    let (states, _) = &*GAMES;
    let state = states.iter().find(|state| !state.vars.is_empty()).unwrap();
    let mut deep = state.clone();
    deep.lay_var(VarId::FIRST, Value::list(vec![Value::Num(77_777)]));
    let bytes = deep.to_bytes();
    let number = [10, 1, 1, 0xA2, 0xBF, 0x09];
    let at = bytes.windows(number.len()).position(|window| window == number).unwrap();
    let mut bomb = bytes[..at].to_vec();
    bomb.extend([10, 1].repeat(200_000));
    bomb.extend(&bytes[at..]);
    assert!(State::from_bytes(&CATALOGUE, &bytes).is_ok());
    assert!(State::from_bytes(&CATALOGUE, &bomb).is_err());
}
