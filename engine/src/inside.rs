//! The machine opened up, for those who are no hosts: the compiler, the runner of scenarios, tests and measurements of the machine
//! itself. Whoever lets games be played goes without (`tests/hosts.rs` looks for it), since with a state in hand all cards are open.

pub use crate::bits::BitSet;
pub use crate::eval::{Env, World, deck_faults, moves, open_window, refused_moves, stat, stat_for, trace, why_not};
pub use crate::game::{MAX_CARDS, start, start_at, table};
pub use crate::machine::{resume, step, step_on};
pub use crate::memo::Memo;
pub use crate::native::{NATIVES, Native, NativeType};
pub use crate::sight::{EVERYONE, knows};
pub use crate::state::{ATTACHED, Ask, Bound, Card, Frame, Lasting, Number, Remembered, Script, State, Table, Used, Waiting};
pub use crate::text::{card_text, move_text, prompt, render, value_text};

use crate::catalogue::Catalogue;
use crate::game::Game;
use crate::playout::Playout;
use crate::sight::Viewer;
use crate::view::View;

/// The state of a game.
pub fn state(game: &Game) -> &State {
    game.state()
}

/// The state of a game after its first `count` answers.
pub fn state_at(game: &Game, count: usize) -> State {
    game.state_at(count)
}

/// The state of a game that is only played on.
pub fn played<'a>(game: &'a Playout<'_>) -> &'a State {
    game.state()
}

/// A window on a state by itself.
pub fn view<'a>(catalogue: &'a Catalogue, state: &'a State, viewer: Viewer) -> View<'a> {
    View::new(catalogue, state, viewer)
}
