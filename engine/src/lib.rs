//! The machine: zones, cards, players, frames, asks, randomness and visibility. It knows no game.
//!
//! A game is a [`Catalogue`] (made by `saga` from source text) and a [`State`] (plain data).
//! [`step`] takes an answer and runs to the next ask. Queries ([`eval`]) change nothing;
//! all change goes through the atoms of [`state`]. What a player may see is a [`View`].

mod asks;
pub mod bits;
pub mod catalogue;
pub mod deck;
pub mod eval;
mod event;
pub mod game;
pub mod ids;
pub mod journal;
mod machine;
mod memo;
pub mod native;
pub mod rng;
pub mod sight;
pub mod state;
pub mod text;
pub mod value;
pub mod view;

pub use catalogue::Catalogue;
pub use eval::World;
pub use event::{Event, Silent, Sink};
pub use game::{Game, Setup};
pub use journal::Journal;
pub use machine::{BadAnswer, resume, step, step_on};
pub use memo::Memo;
pub use sight::Viewer;
pub use state::{Answer, Ask, AskKind, State, Status};
pub use value::{CardId, Move, PlayerId, Value, WordId, ZoneId};
pub use view::{Snapshot, View};
