//! What holds from release to release: a catalogue's hash is of what it means; what older releases wrote is read, or refused for what
//! it is. See docs/RELEASES.md.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::Unreadable;
use trilogy_games::archive;
use trilogy_saga::{SourceFile, compile};

fn compiled(files: Vec<SourceFile>) -> Catalogue {
    let compiled = compile(files, None);
    assert!(compiled.problems.is_empty(), "{}", trilogy_saga::report(&compiled.files, &compiled.problems, false));
    compiled.catalogue
}

/// Whether a file has nothing but cards.
fn has_cards_only(file: &SourceFile) -> bool {
    let heads = file.text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
    let mut heads = heads.peekable();
    heads.peek().is_some() && heads.all(|line| line.starts_with("card "))
}

#[test]
fn neither_comments_nor_files_nor_their_order_change_what_a_game_means() {
    for game in trilogy_games::games() {
        let hash = compiled(game.files()).hash;
        let mut files = game.files();
        files.reverse();
        for file in &mut files {
            file.text = format!("# A word to the reader.\n\n\n{}\n# And one more.\n", file.text.replace('\n', "   # why\n"));
        }
        let (cards, mut rest): (Vec<SourceFile>, Vec<SourceFile>) = files.into_iter().partition(has_cards_only);
        let text: Vec<String> = cards.into_iter().map(|file| file.text).collect();
        rest.push(SourceFile { name: "cards/a.saga".into(), text: text.join("\n") });
        assert_eq!(compiled(rest).hash, hash, "{}", game.name);
        assert_eq!(game.catalogue().unwrap().hash, hash, "{}: the one inside is the same", game.name);
    }
}

#[test]
fn another_number_on_a_card_changes_what_a_game_means() {
    let game = trilogy_games::find("tcg").unwrap();
    let mut files = game.files();
    let file = files.iter_mut().find(|file| file.text.contains("power 1, health 4")).unwrap();
    file.text = file.text.replacen("power 1, health 4", "power 1, health 5", 1);
    assert_ne!(compiled(files).hash, game.catalogue().unwrap().hash);
}

#[test]
fn a_packed_catalogue_is_the_same_and_one_of_another_version_says_so() {
    let catalogue = trilogy_games::find("tcg").unwrap().catalogue().unwrap();
    let packed = archive::pack(&catalogue);
    assert!(archive::unpack(&packed).unwrap() == catalogue);
    assert_eq!(archive::head(&packed).unwrap().hash, catalogue.hash);
    assert_eq!(archive::from_text(&archive::to_text(&packed)).unwrap(), packed);
    for (at, what) in [(8, "format 99"), (12, "version 99")] {
        let mut bytes = catalogue.to_bytes();
        bytes[at] = 99;
        let refused = Catalogue::from_bytes(&bytes).err().unwrap();
        assert!(matches!(refused, Unreadable::OtherVersion { .. }), "{refused}");
        assert!(refused.to_string().contains(what), "{refused}");
    }
    assert!(matches!(archive::unpack(&packed[..packed.len() / 2]), Err(Unreadable::Damaged(_))));
}
