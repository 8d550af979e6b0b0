//! Any text as a scenario of the toy game. What can be read is run, in the plain mode.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trilogy_fuzz::WORKSHOP;
use trilogy_saga::scenario::{Boards, MODES, parse, run};

fuzz_target!(|text: &str| {
    for scenario in parse(text, &Boards::default()).into_iter().flatten().take(4) {
        let _ = run(&WORKSHOP, &scenario, MODES[0]);
    }
});
