//! Damaged catalogues: the input is one, packed or not, or a list of changes to a good one, with the hash that it should have then.
//! What is read holds together: a game on it may fault, and nothing else.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trilogy_engine::Catalogue;
use trilogy_engine::catalogue::with_true_hash;
use trilogy_fuzz::{GOOD, changed, play_on};
use trilogy_games::archive;

fuzz_target!(|input: &[u8]| {
    let _ = archive::head(input);
    for read in [archive::unpack(input), Catalogue::from_bytes(input), Catalogue::from_bytes(&with_true_hash(input))] {
        if let Ok(catalogue) = read {
            play_on(catalogue, &[], input.len());
        }
    }
    let Some((&which, changes)) = input.split_first() else { return };
    // Mostly the small one.
    let (bytes, decks) = &GOOD[usize::from(which % 16 == 0)];
    if let Ok(catalogue) = Catalogue::from_bytes(&with_true_hash(&changed(bytes, changes))) {
        play_on(catalogue, decks, which.into());
    }
});
