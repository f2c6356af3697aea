//! From tree to value.
//!
//! A program goes three steps: its definitions (type aliases, functions) are made known, the rest is compiled to
//! [`code`] whose names are looked up once, and [`run`] walks that over values. What lives longer than a program is the
//! [`World`]: variables, aliases, functions, settings.

mod call;
mod code;
mod compile;
mod define;
mod error;
mod frame;
mod matching;
mod modules;
mod run;
mod runtime;
mod signature;
mod template;
mod world;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::functions::Level;
use crate::value::Value;

pub(crate) use error::INTERRUPTED;
pub use world::Definition;
pub(crate) use world::World;

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
    /// A log function spoke.
    Log(Level, String),
    /// A warning of the evaluator, with its place.
    Warning(Error),
    /// The value of a top-level expression worth printing.
    Value(Value),
    /// The value that a top-level assignment has given: worth printing where somebody is looking.
    Assigned(Value),
}

/// Hears what happens, at once as it happens.
pub type Listener<'l> = dyn FnMut(Event) + Send + 'l;

/// Ends an evaluation from outside: another thread, or the handler of Ctrl-C, raises it; the evaluator looks at it in
/// every turn of a loop and stops with an error. Cloning shares the flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    /// What was exceeded, when it was not the user who asked.
    limit: Mutex<Option<&'static str>>,
}

impl Interrupt {
    /// Asks the evaluation to stop.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Asks the evaluation to stop with the issue `LIMIT`, because of what `limit` says: `took longer than 5 seconds`.
    pub fn raise_limit(&self, limit: &'static str) {
        *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner) = Some(limit);
        self.raise();
    }

    /// The limit that was exceeded; none when nobody asked, or the user.
    pub fn limit(&self) -> Option<&'static str> {
        *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the wish back, before the next evaluation.
    pub fn clear(&self) {
        *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.0.raised.store(false, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
    }
}
