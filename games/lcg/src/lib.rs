//! The Card Game (the living card game) as data. All of it is in `rules/*.saga` and `cards/**/*.saga`; there is no Rust in it.

include!(concat!(env!("OUT_DIR"), "/game.rs"));
