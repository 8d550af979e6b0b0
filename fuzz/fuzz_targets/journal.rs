//! Any text as a journal, which may carry its catalogue: what can be read is replayed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use trilogy_engine::journal::carrying;
use trilogy_engine::{Journal, Silent};
use trilogy_fuzz::CATALOGUE;
use trilogy_games::archive;

fuzz_target!(|text: &str| {
    if let Ok(journal) = Journal::parse(text) {
        let _ = journal.is_complete();
        let carried = journal.carries.as_ref().map(|carried| archive::unpack(&archive::from_text(carried).unwrap_or_default()));
        let catalogue = carried.and_then(Result::ok).map_or_else(|| CATALOGUE.clone(), Arc::new);
        let _ = journal.replay(&catalogue, 50, &mut Silent);
        let again = Journal::parse(&carrying(text, "AAAA".into())).unwrap_or_else(|error| panic!("carrying broke it: {error}"));
        assert_eq!((again.carries.as_deref(), again.answers()), (Some("AAAA"), journal.answers()));
    }
});
