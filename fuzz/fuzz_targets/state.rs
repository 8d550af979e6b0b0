//! Damaged states: the input is a list of changes to a state from the middle of a game, or a state itself.
//! What is accepted can be looked at and played on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use trilogy_engine::inside::State;
use trilogy_engine::Catalogue;
use trilogy_fuzz::{CATALOGUE, MIDDLE, look_and_play};

fuzz_target!(|input: &[u8]| {
    let _ = Catalogue::from_bytes(input);
    if let Ok(state) = State::from_bytes(&CATALOGUE, input) {
        look_and_play(state, input.len());
    }
    let Some((&which, changes)) = input.split_first() else { return };
    let mut bytes = MIDDLE[which as usize % MIDDLE.len()].clone();
    for change in changes.chunks_exact(4).take(8) {
        let at = u16::from_le_bytes([change[0], change[1]]) as usize % bytes.len().max(1);
        match change[2] % 3 {
            0 => bytes[at] = change[3],
            1 => bytes.insert(at, change[3]),
            _ if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => {}
        }
    }
    if let Ok(state) = State::from_bytes(&CATALOGUE, &bytes) {
        look_and_play(state, input.len());
    }
});
