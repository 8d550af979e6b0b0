//! The machine opened up, for those who are no hosts: the compiler, the runner of scenarios, tests and measurements of the machine
//! itself. Whoever lets games be played goes without (`tests/hosts.rs` looks for it), since with a state in hand all cards are open.

pub use crate::bits::BitSet;
pub use crate::eval::{Count, Counts, Env, Origin, World, deck_faults, moves, open_window, refused_moves, stat, stat_for, trace, why_not};
pub use crate::game::{MAX_CARDS, start, start_at, table};
pub use crate::machine::{resume, step, step_on};
pub use crate::memo::Memo;
pub use crate::native::{NATIVES, Native, NativeType};
pub use crate::sight::{EVERYONE, knows};
pub use crate::state::{ATTACHED, Ask, Bound, Card, Frame, Lasting, Number, Remembered, Script, State, Table, Used, Waiting, Zones};
pub use crate::text::{card_text, render};

use crate::catalogue::Catalogue;
use crate::game::Game;
use crate::playout::Playout;
use crate::sight::Viewer;
use crate::text;
use crate::value::{Move, Value};
use crate::view::{View, Views};

/// The question that a state waits on, as its player reads it.
pub fn prompt(catalogue: &Catalogue, state: &State) -> String {
    text::prompt(World::new(catalogue, state))
}

/// A move in words, as somebody reads it; without a viewer nothing needs hiding.
pub fn move_text(catalogue: &Catalogue, state: &State, chosen: &Move, viewer: Option<Viewer>) -> String {
    text::move_text(World::new(catalogue, state), chosen, viewer)
}

/// A value in words, likewise.
pub fn value_text(catalogue: &Catalogue, state: &State, value: &Value, viewer: Option<Viewer>) -> String {
    text::value_text(World::new(catalogue, state), value, viewer)
}

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

/// Windows for several viewers on a state by itself.
pub fn views<'a>(catalogue: &'a Catalogue, state: &'a State) -> Views<'a> {
    Views::new(catalogue, state)
}

/// A window on a state by itself.
pub fn view<'a>(catalogue: &'a Catalogue, state: &'a State, viewer: Viewer) -> View<'a> {
    View::new(catalogue, state, viewer)
}
