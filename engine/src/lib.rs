//! The machine: zones, cards, players, frames, asks, randomness and visibility. It knows no game.
//!
//! A game is a [`Catalogue`] (made by `saga` from source text) and a state (plain data) in which programs run from one ask to the
//! next. Queries change nothing; all change goes through the atoms of a state. What a player may see is a [`View`].
//!
//! # The host interface
//!
//! Whoever lets games be played (server, program, bots) needs these, and can reach nothing else of a game:
//!
//! | to | there is |
//! | --- | --- |
//! | begin a game | [`Game::new`] from a [`Setup`]; [`Playout::new`] for one without history, [`Laid`] for many with the same decks |
//! | check a deck | [`deck::parse`], [`deck::check`] |
//! | give an answer | [`Game::answer`], [`Playout::answer`] |
//! | go back, or another way | [`Game::back_to`], [`Game::fork`] |
//! | look at it | [`Game::view`], [`Playout::view`]; for several viewers at once [`Game::views`] |
//! | see what is asked | [`View::ask`] |
//! | spare a player what is not worth asking | [`View::usual`] |
//! | tell why not | [`View::refusals`], [`View::moves_in`] |
//! | see a card or a zone | [`View::card`], [`View::zone`]; at a glance [`View::glance`], [`View::lying_in`] |
//! | account for a value | [`View::trace`] |
//! | think ahead | [`View::imagine`] |
//! | tell what happened | [`log_line`] |
//! | keep it on paper | [`journal::Writer`], [`Journal::parse`], [`Journal::replay`] |
//!
//! A host never holds a state. It knows of cards from an [`Event`], which says who saw them, and from a [`View`]; that of a player
//! knows what the player knows:
//!
//! ```
//! # use trilogy_engine::{CardId, Game, Viewer, catalogue::DefId};
//! fn known_to(game: &Game, viewer: Viewer, card: CardId) -> Option<DefId> {
//!     game.view(viewer).face(card)
//! }
//! ```
//!
//! A game gives its state to nobody,
//!
//! ```compile_fail,E0624
//! # use trilogy_engine::{CardId, Game, catalogue::DefId};
//! fn peek(game: &Game, card: CardId) -> DefId {
//!     game.state().card(card).def
//! }
//! ```
//!
//! nor does a view, a game that is only played on, or one that is imagined.
//!
//! ```compile_fail,E0616
//! # use trilogy_engine::{CardId, View, catalogue::DefId};
//! fn peek(view: &View<'_>, card: CardId) -> DefId {
//!     view.state.card(card).def
//! }
//! ```
//!
//! ```compile_fail,E0624
//! # use trilogy_engine::{CardId, View, catalogue::DefId};
//! fn peek(view: &View<'_>, card: CardId) -> DefId {
//!     view.imagine([0; 32]).state().card(card).def
//! }
//! ```

mod asks;
mod bits;
pub mod catalogue;
pub mod deck;
mod eval;
mod event;
mod game;
mod ids;
pub mod inside;
pub mod journal;
mod list;
mod machine;
mod memo;
mod native;
mod parts;
mod playout;
mod rng;
mod sight;
mod state;
mod text;
mod value;
mod view;

pub use asks::{AskView, OptionView, PassView};
pub use catalogue::Catalogue;
pub use eval::{Refusal, TraceLine};
pub use event::{Event, Silent, Sink, Told};
pub use game::{Game, Setup};
pub use journal::Journal;
pub use machine::BadAnswer;
pub use playout::{Laid, Playout};
pub use rng::{Random, seed_from_number};
pub use sight::Viewer;
pub use state::{Answer, AskKind, Status};
pub use text::{log_line, player_text};
pub use value::{CardId, List, Move, PlayerId, Value, WordId, ZoneId};
pub use view::{CardView, Glance, Snapshot, View, Views, ZoneView};
