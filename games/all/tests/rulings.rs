//! `docs/RULINGS.md` speaks of rules, options and scenarios that are there.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::path::Path;
use trilogy_saga::scenario::parse;
use trilogy_saga::source::{find, rule_ids};

#[test]
fn every_ruling_speaks_of_what_is_there() {
    for game in trilogy_games::games() {
        let (ids, catalogue) = (rule_ids(game.rulebook), game.catalogue().unwrap());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(game.name).join("scenarios");
        let mut files = Vec::new();
        find(&folder, "scenario", &mut files).unwrap();
        let boards = game.boards().unwrap();
        let scenarios = files.iter().flat_map(|path| parse(&std::fs::read_to_string(path).unwrap(), &boards).unwrap());
        let names: BTreeSet<String> = scenarios.map(|scenario| scenario.name).collect();
        let rulings = trilogy_games::rulings::of(game.name).unwrap();
        assert!(!rulings.is_empty(), "{} has no rulings", game.name);
        let mut optional = BTreeSet::new();
        for ruling in &rulings {
            for id in &ruling.rules {
                assert!(ids.contains(id), "\"{}\" speaks of the rule {id}, which the rulebook does not have", ruling.title);
            }
            assert!(names.contains(&ruling.scenario), "\"{}\" names a scenario that is not there: \"{}\"", ruling.title, ruling.scenario);
            if !ruling.option.starts_with("none") {
                let mut named = ruling.option.split('`').skip(1).step_by(2);
                let name = named.next().unwrap_or("");
                let option = catalogue.options.iter().find(|option| option.name == name);
                let option = option.unwrap_or_else(|| panic!("\"{}\" names no option of the game: {}", ruling.title, ruling.option));
                for choice in named.take(option.choices.len()) {
                    assert!(option.choices.iter().any(|known| known == choice), "\"{}\": {choice} is no choice of {name}", ruling.title);
                }
                optional.insert(name.to_string());
            }
        }
        let all: BTreeSet<String> = catalogue.options.iter().map(|option| option.name.clone()).collect();
        assert_eq!(optional, all, "every option of {} has a ruling", game.name);
    }
}
