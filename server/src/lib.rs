//! The server: accounts, lobby, matches, storage and web sockets, with the browser client inside.
//!
//! [`start`] runs one inside another program (tests do); [`serve`] is the whole of `trilogy serve`.

pub mod accounts;
mod admin;
pub mod api;
pub mod app;
pub mod assets;
pub mod client;
pub mod decks;
mod editions;
pub mod failure;
pub mod games;
pub mod guard;
mod hashing;
mod health;
mod keeping;
pub mod limits;
pub mod matches;
pub mod metrics;
pub mod names;
pub mod openapi;
mod peers;
pub mod protocol;
mod ready;
mod rules;
mod serve;
pub mod store;
pub mod sweep;
mod work;
mod ws;

pub use app::{App, Config, Running, Shared, start};
pub use ipnet::IpNet;
pub use serve::serve;
