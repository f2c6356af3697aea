//! The Puppet type system outside Ruby.
//!
//! The path of one line from keystroke to answer:
//!
//! 1. [`repl`](crate) reads a line and gives it to the [`session`], which holds variables, aliases and results;
//! 2. [`syntax`] reads the text with nom into a tree (`syntax::tree`), or says where it stopped understanding;
//! 3. `eval` turns names into slots and walks the result: [`operators`](crate), [`functions`] and [`types`] do the work
//!    on [`value`]s;
//! 4. [`format`](crate) prints the answer so that it reads back.
//!
//! Rooms look to the right only:
//! `repl, main → session → eval → functions → {types, value, format, operators, data} → error → text`, and
//! `session, eval → syntax → text`.

pub mod assist;
pub mod data;
pub mod error;
mod eval;
pub mod format;
pub mod functions;
mod interrupt;
pub mod operators;
pub mod session;
mod stack;
pub mod syntax;
pub mod text;
pub mod types;
pub mod value;

/// The README's Rust example, run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
