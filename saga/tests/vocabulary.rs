//! The index of a game's words, from the sources of the toy.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use trilogy_saga::diagnostics::place;
use trilogy_saga::parser::{parse, parse_game};
use trilogy_saga::references::{Place, references};
use trilogy_saga::vocabulary::{Entry, Sort, Vocabulary};
use trilogy_saga::{SourceFile, compile, read_game};

fn toy() -> Vocabulary {
    let (files, _) = read_game(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy")).unwrap();
    Vocabulary::read(&files)
}

fn one(vocabulary: &Vocabulary, name: &str, sort: Sort) -> Entry {
    vocabulary.named(name).find(|entry| entry.sort == sort).unwrap_or_else(|| panic!("no {} {name}", sort.name())).clone()
}

#[test]
fn an_entry_tells_what_a_writer_of_cards_asks_for() {
    let toy = toy();
    let burn = one(&toy, "burn_one", Sort::Cost);
    assert_eq!(burn.signature(), "burn_one(cs: cards)");
    assert_eq!(burn.english, "burn {cs}");
    assert_eq!(burn.cards, ["Thorn"]);
    let glimmer = one(&toy, "glimmer", Sort::Template);
    assert_eq!(glimmer.meaning, "The cost has a parameter of the same name.");
    assert_eq!(glimmer.rules, ["toy.template.nested"]);
    let (files, _) = read_game(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy")).unwrap();
    let file = files.iter().find(|file| file.name == glimmer.file).unwrap();
    assert!(file.text.lines().nth(glimmer.line - 1).unwrap().starts_with("template glimmer(n: num)"));
    let keeper = one(&toy, "keepers", Sort::Noun);
    assert_eq!((keeper.name.as_str(), keeper.plural.as_deref()), ("keeper", Some("keepers")));
    assert_eq!(one(&toy, "Keeper", Sort::Member).of.as_deref(), Some("type"));
    assert_eq!(one(&toy, "gain", Sort::Verb).english, "{p} {p|gain|gains} {n} light");
    // A line that divides the file says nothing of what stands below it.
    assert_eq!(one(&toy, "beacon", Sort::Template).meaning, "");
}

#[test]
fn what_a_template_uses_its_cards_use() {
    let toy = toy();
    let wear = one(&toy, "wear", Sort::Cost);
    assert!(wear.cards.contains(&"Moth Child".to_string()), "by its template glimmer: {:?}", wear.cards);
    // Titles are told up to a number, uses are counted all.
    let gain = one(&toy, "gain", Sort::Verb);
    assert!(gain.cards.len() == 3 && gain.uses > 3, "{gain:?}");
    // What no card has is told of all the same, with no card.
    assert!(one(&toy, "worn", Sort::Adjective).cards.is_empty());
}

#[test]
fn what_is_nearest_is_found_first() {
    let toy = toy();
    let names = |text: &str| toy.search(text, None).into_iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
    assert_eq!(names("GAINS light")[0], "gain", "by words of its English");
    assert_eq!(names("can't be lured"), ["rooted"]);
    assert_eq!(names("burn")[0], "burn");
    assert!(names("burn").contains(&"burn_one".into()));
    assert_eq!(names("no such thing in this game"), Vec::<String>::new());
    assert!(toy.search("", Some(Sort::Kind)).iter().all(|entry| entry.sort == Sort::Kind));
    assert!(!names("").contains(&"from_memory".into()), "a program of the rules' own is no word for cards");
}

/// All that the compiler understands has its entry: otherwise editors would lead nowhere.
#[test]
fn every_name_of_the_built_in_games_leads_somewhere() {
    for game in ["../games/ccg", "../games/lcg", "../games/tcg", "tests/toy"] {
        let (files, rules) = read_game(&Path::new(env!("CARGO_MANIFEST_DIR")).join(game)).unwrap();
        let vocabulary = Vocabulary::read(&files);
        let mut lost: Vec<String> = Vec::new();
        let mut known = 0;
        for item in &parse_game(&files) {
            for used in references(item) {
                let found = match used.place {
                    Place::Title => continue,
                    _ if used.bound.is_some() || used.place == Place::Told => true,
                    _ => vocabulary.meant(used.name, used.place).is_some(),
                };
                if found || is_of_the_language(used.name) {
                    known += 1;
                } else {
                    let (file, line, _) = place(&files, used.span);
                    lost.push(format!("{} as {:?} at {file}:{line}", used.name, used.place));
                }
            }
        }
        lost.sort();
        lost.dedup();
        assert!(lost.is_empty(), "{game}: {known} names lead somewhere, these do not: {lost:#?}");
        assert!(known > 1_000, "{game}: only {known} names were looked at");
        assert!(compile(files, rules).problems.is_empty());
    }
}

/// Names and properties that every game has.
fn is_of_the_language(name: &str) -> bool {
    let fixed = ["you", "opponent", "self", "source", "it", "none", "true", "false", "attached"];
    let properties = ["owner", "controller", "zone", "facedown", "parent", "name", "cards", "size", "first", "last", "card", "from_card"];
    fixed.contains(&name) || properties.contains(&name) || trilogy_saga::table::callable(name).is_some()
}

#[test]
fn names_of_an_item_are_its_own() {
    let text = "proc warm(c: card)\n  let n = 1\n  for k in porch.cards:\n    gain(k.owner, n)\n  burn(c)\n";
    let (items, problems) = parse(0, text);
    assert!(problems.is_empty());
    let bound: Vec<(&str, Option<usize>)> =
        references(&items[0]).iter().map(|used| (used.name, used.bound.map(|span| span.start as usize))).collect();
    let at = |text_at: &str| text.find(text_at);
    assert!(bound.contains(&("c", at("c: card"))) && bound.contains(&("n", at("n = 1"))) && bound.contains(&("k", at("k in"))));
    assert!(bound.contains(&("porch", None)) && bound.contains(&("gain", None)));
}

#[test]
fn what_cannot_be_read_is_left_out() {
    let broken = "words A\nproc 5\nnoun b/bs from x where true\n";
    let vocabulary = Vocabulary::read(&[SourceFile { name: "rules/x.saga".into(), text: broken.into() }]);
    assert_eq!(vocabulary.entries().iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["A", "b"]);
}

#[test]
fn what_a_card_owns_is_known_as_its_own() {
    let toy = toy();
    let mine: Vec<Entry> = toy.written("mine").cloned().collect();
    let owners: Vec<Option<&str>> = mine.iter().map(|entry| entry.owner.as_deref()).collect();
    assert_eq!(owners, [Some("The \"Wick\""), Some("Lodestar")]);
    assert!(mine.iter().all(|entry| entry.name == "mine" && !entry.is_for_cards()), "{mine:?}");
    assert_eq!(mine.iter().map(|entry| entry.uses).collect::<Vec<_>>(), [1, 2], "twins share what they own");
    assert!(toy.search("mine", Some(Sort::Function)).is_empty(), "nobody else can name it");
    // What it uses its card uses.
    assert!(one(&toy, "glow", Sort::Value).uses > 0);
    let fire = toy.written("of_the_fire").next().unwrap();
    assert_eq!((fire.english.as_str(), fire.cards.as_slice()), ("light equal to the glow of {k}", &["Bonfire".to_string()][..]));
    // A name that a timing is given for what it tells is a name of the ability.
    let text = "card \"X\" Keeper\n  spark played_after(c, Moth) if c is Trick:\n    burn(c)\n";
    let items = parse(0, text).0;
    let bound: Vec<usize> =
        references(&items[0]).iter().filter(|used| used.name == "c").filter_map(|used| Some(used.bound?.start as usize)).collect();
    assert_eq!(bound, [text.find("c, Moth").unwrap(); 2]);
}
