//! Matches: the hall that holds them, the task that runs each of them, what viewers are shown, and the REST
//! interface around them.

mod actor;
pub(crate) mod api;
mod aside;
mod clock;
mod course;
mod finding;
mod hall;
mod patch;
mod people;
mod picture;
mod record;
mod replay;
mod steps;
mod streams;
mod why_not;

pub(crate) use actor::{Command, Outlet, Watcher};
pub(crate) use finding::Absent;
pub(crate) use hall::Handle;
pub(crate) use hall::Parts;
pub use hall::{Hall, Settings};
pub use patch::merge;
pub use picture::{cards, shown};
