//! Damaged states: the input is a list of changes to a state from the middle of a game, or a state itself.
//! What is accepted can be looked at and played on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trilogy_engine::inside::State;
use trilogy_fuzz::{CATALOGUE, MIDDLE, changed, look_and_play};

fuzz_target!(|input: &[u8]| {
    if let Ok(state) = State::from_bytes(&CATALOGUE, input) {
        look_and_play(&CATALOGUE, state, input.len());
    }
    let Some((&which, changes)) = input.split_first() else { return };
    if let Ok(state) = State::from_bytes(&CATALOGUE, &changed(&MIDDLE[which as usize % MIDDLE.len()], changes)) {
        look_and_play(&CATALOGUE, state, input.len());
    }
});
