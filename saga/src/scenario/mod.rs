//! Scenarios: a table, moves and expectations, written so that a player can read them.
//! `docs/SCENARIOS.md` tells the format. Every scenario runs in several modes, each of which
//! plays the same moves and checks something more about the machine.

mod board;
mod boards;
mod lay;
mod parse;
mod run;

pub use boards::{BOARD_ENDING, BOARD_FOLDER, Board, Boards, parse};
pub use parse::{Place, Scenario, game_of};
pub use run::{MODES, Mode, Moment, run};
