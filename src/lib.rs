//! Puppet's type system without Ruby.
//!
//! The path of one line from keystroke to answer:
//!
//! 1. the program reads a line (`cli::prompt`) and passes it to the [`session`], which holds variables, aliases and results;
//! 2. [`syntax`] parses it with nom into a tree (`syntax::tree`), or reports the farthest point it could read;
//! 3. `eval` resolves names to slots and evaluates the tree; [`operators`], [`functions`] and [`types`] work on [`value`]s;
//! 4. [`format`](mod@format) prints the result as valid Puppet code.
//!
//! # Module order
//!
//! Dependencies point one way: a module may use those to its right in the same line. Modules in braces are on one level and
//! do not use each other, except for the one inherent cycle: types hold values, values contain types, and both are printed
//! by formats that are chosen by type. A test checks every `use` against this block.
//!
//! ```text
//! main → cli → {assist, check, report} → session → eval → functions → {operators, data} → {types, format, value} → {time, regexp}
//! {main, cli, assist, check, session, eval, operators} → syntax
//! {main, cli, assist, check, report, session, eval, functions, data, syntax} → text
//! everything → {files, stack} → {limits, secrets} → interrupt → {error, wording}
//! error → text
//! cycle: {types, format, value}
//! ```

pub mod assist;
pub mod check;
pub mod data;
pub mod error;
mod eval;
pub mod files;
pub mod format;
pub mod functions;
mod interrupt;
pub mod limits;
pub mod operators;
pub mod regexp;
#[cfg(feature = "report")]
pub mod report;
pub mod secrets;
pub mod session;
mod stack;
pub mod syntax;
pub mod text;
pub mod time;
pub mod types;
pub mod value;
pub mod wording;

/// The README's Rust example, run as a documentation test.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
