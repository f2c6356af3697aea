//! Puppet's type system without Ruby.
//!
//! ```
//! use pcore::{Session, Type, Value};
//!
//! let port: Type = "Integer[1, 65535]".parse()?;
//! assert!(port.has_instance(&Value::from(8080)));
//! let mismatch = port.check(&Value::from("80")).unwrap_err();
//! assert_eq!(mismatch.to_string(), "expected Integer[1, 65535], got String '80'; Integer('80') would match");
//!
//! let mut session = Session::builder().variable("ports", vec![80, 443]).build();
//! let doubled: Vec<u32> = session.eval("$ports.map |$port| { $port * 2 }")?.try_into()?;
//! assert_eq!(doubled, [160, 886]);
//! # Ok::<(), pcore::Error>(())
//! ```
//!
//! # Where to look
//!
//! | to | use |
//! | --- | --- |
//! | check values and JSON, and learn what is wrong | [`Type::check`], [`Type::check_json`], [`Mismatch`] |
//! | check data files, with lines and columns | [`data::read`], [`check::against`] |
//! | run programs, with functions and variables of your own | [`Session::eval`], [`Session::builder`] |
//! | hear what programs log, and stop them | [`Session::evaluate`], [`session::Interrupt`] |
//! | compare types, and see an example | [`Type::accepts`], [`explain::difference`], [`explain::counterexample`] |
//! | pass Rust values in and out | [`Value`], and `serde` with the feature of that name |
//! | read and print programs | [`syntax`] |
//!
//! # Limits
//!
//! Programs are limited in time, memory and depth (see [`limits`]), and another thread can stop them by an
//! [`Interrupt`](session::Interrupt). Reaching a limit unwinds the stack of the program up to the call of the library, which
//! returns an error with the code `LIMIT` or `INTERRUPTED`; the session stays usable. This needs `panic = "unwind"`, the
//! default of Cargo: with `panic = "abort"`, the process ends instead.
//!
//! # How it works
//!
//! How a line gets from the keyboard to its result:
//!
//! 1. the program reads a line (`cli::prompt`) and passes it to the [`session`], which holds variables, aliases and results;
//! 2. [`syntax`] parses it with nom into a tree (`syntax::tree`), or reports the farthest point it could read;
//! 3. `eval` resolves names to slots and evaluates the tree; [`operators`], [`functions`] and [`types`] work on [`value`]s;
//! 4. [`format`](mod@format) prints the result as valid Puppet code.

pub mod assist;
pub mod check;
pub mod data;
// A table for messages: for the program and its tests.
#[doc(hidden)]
pub mod dictionary;
pub mod error;
mod eval;
pub mod explain;
pub mod files;
pub mod format;
pub mod functions;
mod interrupt;
pub mod limits;
mod microsyntax;
pub mod operators;
pub mod regexp;
#[cfg(feature = "report")]
pub mod report;
pub mod secrets;
pub mod session;
// The program reads its arguments with it.
#[doc(hidden)]
pub mod stack;
pub mod syntax;
pub mod text;
pub mod time;
pub mod types;
pub mod value;
// Helpers for the messages of the program.
#[doc(hidden)]
pub mod wording;

pub use error::Error;
pub use explain::mismatch::Mismatch;
pub use session::Session;
pub use types::Type;
pub use value::Value;

/// The Rust programs of the README and the manual, run as documentation tests.
#[cfg(all(doctest, feature = "serde"))]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../transcripts/library.md")]
    struct Library;
}
