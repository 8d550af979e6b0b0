//! What a table is worth to a player: by what a game is won in the end, estimated by the file of the game.

mod any;
mod tcg;

use trilogy_engine::{Catalogue, PlayerId, State, Status};

/// Estimates the table of a game that goes on.
type Estimate = fn(&Catalogue, &State, PlayerId) -> i64;

/// Games with an estimate of their own; the others are played by what all games have in common.
const ESTIMATES: [(&str, Estimate); 1] = [("tcg", tcg::worth)];

/// A million where the player has won. What a table is worth to one is what it costs the other.
pub fn worth(catalogue: &Catalogue, state: &State, me: PlayerId) -> i64 {
    match state.status {
        Status::Won(winner) => return if winner == me { 1_000_000 } else { -1_000_000 },
        Status::Drawn => return 0,
        Status::Asking | Status::Broken(_) => {}
    }
    let own = ESTIMATES.iter().find(|(game, _)| *game == catalogue.game);
    own.map_or(any::worth as Estimate, |(_, estimate)| *estimate)(catalogue, state, me)
}

/// Counts for the player's own things, against the opponent's.
fn side(me: PlayerId, player: PlayerId) -> i64 {
    if player == me { 1 } else { -1 }
}
