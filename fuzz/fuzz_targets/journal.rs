//! Any text as a journal, and changes to a good one, which may carry its catalogue: what can be read is replayed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use trilogy_engine::journal::carrying;
use trilogy_engine::{Journal, Silent};
use trilogy_fuzz::{CATALOGUE, JOURNALS, changed};
use trilogy_games::archive;

fuzz_target!(|input: &[u8]| {
    read(&String::from_utf8_lossy(input));
    if let Some((&which, changes)) = input.split_first() {
        read(&String::from_utf8_lossy(&changed(JOURNALS[which as usize % JOURNALS.len()].as_bytes(), changes)));
    }
});

fn read(text: &str) {
    let Ok(journal) = Journal::parse(text) else { return };
    let _ = journal.is_complete();
    let carried = journal.carries.as_ref().map(|carried| archive::unpack(&archive::from_text(carried).unwrap_or_default()));
    let catalogue = carried.and_then(Result::ok).map_or_else(|| CATALOGUE.clone(), Arc::new);
    let _ = journal.replay(&catalogue, 50, &mut Silent);
    let again = Journal::parse(&carrying(text, "AAAA".into())).unwrap_or_else(|error| panic!("carrying broke it: {error}"));
    assert_eq!((again.carries.as_deref(), again.answers()), (Some("AAAA"), journal.answers()));
}
