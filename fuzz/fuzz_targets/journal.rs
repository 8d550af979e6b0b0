//! Any text as a journal; what can be read is replayed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trilogy_engine::{Journal, Silent};
use trilogy_fuzz::CATALOGUE;

fuzz_target!(|text: &str| {
    if let Ok(journal) = Journal::parse(text) {
        let _ = journal.is_complete();
        let _ = journal.replay(&CATALOGUE, 50, &mut Silent);
    }
});
