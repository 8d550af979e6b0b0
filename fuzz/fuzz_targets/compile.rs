//! Any text as one more source of the toy game. What compiles is started.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trilogy_fuzz::WORKSHOP;
use trilogy_saga::{SourceFile, compile};

fuzz_target!(|text: &str| {
    let mut workshop = WORKSHOP.clone();
    let file = SourceFile { name: "fuzz".into(), text: text.into() };
    let _ = workshop.add(file.clone());
    let _ = workshop.question(&[], text);
    let compiled = compile(vec![file], None);
    let read = trilogy_engine::Catalogue::from_bytes(&compiled.catalogue.to_bytes());
    assert!(read.is_ok() || !compiled.problems.is_empty(), "what compiles can be read again: {:?}", read.err());
});
