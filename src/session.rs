//! State, and one entry in → a reply out. Never prints.

pub mod commands;
mod reply;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::functions::Level;
use crate::text::Source;
use crate::value::Value;
use reply::Entries;
pub use reply::Reply;

/// What a source is, which decides how an expression at top level that has no effect is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Judgement {
    /// An entry at the prompt or a snippet file: every top-level expression is worth printing.
    #[default]
    Snippet,
    /// A whole program as Puppet judges it: an expression without effect that is not the last is an error
    /// (`IDEM_EXPRESSION_NOT_LAST`).
    Program,
}

/// The issue code of an evaluation that an [`Interrupt`] ended.
pub const INTERRUPTED: &str = "INTERRUPTED";

/// Everything that lives from entry to entry: variables, aliases, functions, results.
#[derive(Debug, Default)]
pub struct Session {
    /// How strict.
    pub strictness: Strictness,
    /// How top-level expressions without effect are judged.
    pub judgement: Judgement,
    /// Stops evaluations.
    pub interrupt: Interrupt,
    entries: Entries,
}

impl Session {
    /// A session with nothing in it.
    pub fn new(strictness: Strictness) -> Session {
        Session { strictness, ..Session::default() }
    }

    /// Evaluates a whole source; `listen` hears everything at once as it happens. The value is that of the last
    /// expression.
    pub fn evaluate(&mut self, source: &Arc<Source>, listen: &mut dyn FnMut(Event)) -> Result<Value, Error> {
        let _ = listen;
        crate::syntax::parse(source).map(|_| Value::Undef)
    }
}
