//! State, and one entry in → a reply out. Never prints.

use std::sync::Arc;

use crate::error::Error;
use crate::functions::Level;
use crate::text::Source;
use crate::value::Value;

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

/// Everything that lives from entry to entry: variables, aliases, functions, results.
#[derive(Debug, Default)]
pub struct Session {
    /// How strict.
    pub strictness: Strictness,
}

impl Session {
    /// Evaluates a whole source; `listen` hears everything at once as it happens. The value is that of the last
    /// expression.
    pub fn evaluate(&mut self, source: &Arc<Source>, listen: &mut dyn FnMut(Event)) -> Result<Value, Error> {
        let _ = listen;
        crate::syntax::parse(source).map(|_| Value::Undef)
    }
}
