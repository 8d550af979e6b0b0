//! Saga: one small typed language for the rules and the cards of card games.
//!
//! Sources are parsed ([`parser`]), checked and compiled ([`compile()`]) into the catalogue that the
//! machine runs. The English of a card is printed from the same syntax ([`english`]). [`scenario`]
//! runs games that are written down with their expected outcome.

pub mod ast;
mod build;
mod compile;
pub mod cookbook;
pub mod diagnostics;
mod english;
pub mod fmt;
mod holes;
pub mod lexer;
pub mod lines;
pub mod manual;
mod own;
pub mod parser;
pub mod printed;
pub mod references;
pub mod scenario;
pub mod source;
pub mod table;
pub mod types;
pub mod vocabulary;

pub use build::build_game;
pub use compile::{Compiled, Printing, PrintingLine, Workshop, compile};
pub use diagnostics::{Diagnostic, SourceFile, report};
pub use source::{compile_folder, read_game};
pub use vocabulary::Vocabulary;
