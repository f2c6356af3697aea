//! From tree to value.
//!
//! A program goes three steps: its definitions (type aliases, functions) are made known, the rest is compiled to
//! [`code`] whose names are looked up once, and [`run`] walks that over values. What lives longer than a program is the
//! [`Environment`]: variables, aliases, functions, settings.

mod arguments;
mod assignment;
mod block;
mod call;
mod catalog;
mod code;
mod compile;
pub(crate) mod core_facts;
mod declared;
mod define;
mod environment;
mod error;
mod frame;
mod heredoc;
mod host;
mod matching;
mod modules;
mod overload;
mod parameter_binding;
mod reserved;
mod ruby_functions;
mod run;
mod runtime;
mod signature;
mod static_checks;
mod template;
mod type_sets;
mod unlikely_types;
mod validation;

use std::sync::Arc;

use crate::error::Error;
use crate::functions::Level;
use crate::text::{Source, Span};
use crate::value::Value;

pub(crate) use crate::files::shown;
pub(crate) use call::CATALOG_FUNCTIONS;
pub(crate) use catalog::{METAPARAMETERS, NEEDS_CATALOG};
pub use compile::literal_value;
pub(crate) use declared::{Declaration, Declared, Kind};
pub use environment::Definition;
pub(crate) use environment::{Environment, ProgramState};
pub(crate) use error::UNKNOWN_TYPE;
pub(crate) use modules::Kind as DefinitionKind;
pub(crate) use reserved::{BUILT_IN_VARIABLES, RESERVED_VARIABLES};
pub(crate) use ruby_functions::{function as instead_of_function, is_of_stdlib};
pub(crate) use signature::{Parameter as SignatureParameter, Signature, SignatureText, signatures_of};
pub(crate) use static_checks::definition_in;
pub(crate) use unlikely_types::unlikely_types;
pub(crate) use validation::enforce_rules;
pub use validation::{Mode, rejections};

/// How strictly to follow Puppet 8.
/// ```
/// use pcore::session::{Session, Strictness};
/// let numeric = |strictness| Session::new(strictness).eval("'10' + 1");
/// assert!(numeric(Strictness::Warning).is_ok() && numeric(Strictness::Error).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Strictness {
    /// Accepts what Puppet 8 rejects, without a word.
    Off,
    /// Accepts what Puppet 8 rejects, with a warning.
    #[default]
    Warning,
    /// Rejects it as Puppet 8 does.
    Error,
}

/// An event of an evaluation.
///
/// ```
/// use pcore::{Session, session::Event, text::Source};
/// let mut warnings = Vec::new();
/// Session::default().evaluate(&Source::new("site.pp", "'10' + 1"), &mut |event| {
///     if let Event::Warning(warning) = event {
///         warnings.push(warning.code());
///     }
/// })?;
/// assert_eq!(warnings, ["NUMERIC_COERCION"]);
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Debug)]
pub enum Event {
    /// A log function was called.
    Log {
        /// The name of the function.
        level: Level,
        /// What it was given.
        message: String,
        /// The program.
        source: Arc<Source>,
        /// Where in it the function was called.
        span: Span,
    },
    /// A warning of the evaluator, with its place.
    Warning(Error),
    /// The value of a top-level expression worth printing.
    Value(Value),
    /// The value that a top-level assignment has given: worth printing where somebody is looking.
    Assigned(Value),
}

/// Gets each event as it happens.
pub type Listener<'l> = dyn FnMut(Event) + Send + 'l;
