//! What every card says is held to by `printed.lock`: a change of the printer is read like a change of code.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use trilogy_games::games;
use trilogy_saga::printed;

/// `UPDATE_PRINTED=1 cargo test -p trilogy-games --test printed` writes the locks anew.
#[test]
fn cards_say_what_the_lock_holds() {
    let mut changed = Vec::new();
    for game in games() {
        let catalogue = game.catalogue().unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(game.name).join("printed.lock");
        if std::env::var_os("UPDATE_PRINTED").is_some() {
            std::fs::write(&path, printed::lock(&catalogue)).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let before = printed::read(game.name, &text).unwrap();
        changed.extend(printed::changes(&catalogue, &before).into_iter().map(|change| format!("{}: {}", game.name, change.key)));
        assert_eq!(before.len(), catalogue.cards.len());
        assert!(text.lines().all(|line| line.split_once(' ').is_some_and(|(digest, _)| digest.len() == 12)));
    }
    let how = "see what with `trilogy cards printed GAME --against FILE`, then write it with UPDATE_PRINTED=1";
    assert!(changed.is_empty(), "{} cards say something else ({how}):\n{}", changed.len(), changed.join("\n"));
}

/// A file of texts tells what was said before and what is said now.
#[test]
fn texts_are_compared() {
    let game = &games()[0];
    let mut catalogue = game.catalogue().unwrap();
    let before = printed::read(game.name, &printed::texts(game.name, &catalogue)).unwrap();
    assert!(printed::changes(&catalogue, &before).is_empty());
    let at = catalogue.cards.iter().position(|card| !card.text.is_empty()).unwrap();
    let said = std::mem::replace(&mut catalogue.cards[at].text, vec!["Something else.".into()]);
    let gone = catalogue.cards.pop().unwrap();
    let changes = printed::changes(&catalogue, &before);
    assert_eq!(changes.len(), 2);
    let other = changes.iter().find(|change| change.now.is_some()).unwrap();
    assert_eq!((other.before.clone(), other.now.clone()), (Some(printed::Said::Lines(said)), Some(vec!["Something else.".into()])));
    assert_eq!(changes.iter().find(|change| change.now.is_none()).unwrap().key, gone.key);
    assert!(printed::read(game.name, "no such file").is_err());
    assert!(printed::read("nothing", &printed::texts(game.name, &catalogue)).is_err());
}
