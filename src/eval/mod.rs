//! Evaluates programs: from the syntax tree to a value.
//!
//! Evaluation has three steps: the definitions of the program are made known, the rest is compiled to [`code`] with
//! resolved names, and [`run`] computes the values. What outlives a program is in the [`Environment`]: variables,
//! aliases, functions, settings.

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
mod type_text;
mod unlikely_types;
mod validation;

use std::sync::Arc;

use crate::error::Error;
use crate::functions::Level;
use crate::text::{Source, Span};
use crate::value::Value;

pub(crate) use crate::files::display_path;
pub(crate) use call::UNSUPPORTED_FUNCTIONS;
pub(crate) use catalog::{METAPARAMETERS, NEEDS_CATALOG};
pub use compile::literal_value;
pub(crate) use declared::{Declaration, DeclaredParameter};
pub use environment::Definition;
pub(crate) use environment::{Environment, ProgramState};
pub(crate) use error::UNKNOWN_TYPE;
pub(crate) use modules::{AutoloadKind, name_of_file};
pub(crate) use overload::describe_count_range;
pub(crate) use reserved::{BUILT_IN_VARIABLES, RESERVED_VARIABLES};
pub(crate) use ruby_functions::{advice_for_unknown_function as instead_of_function, is_stdlib_function};
pub(crate) use signature::{Parameter as SignatureParameter, ParsedSignature, Signature, parsed_signatures};
pub(crate) use unlikely_types::unlikely_type_warnings;
pub(crate) use validation::enforce_rules;
pub use validation::{Mode, rejections};

/// How to treat programs that Puppet 8 rejects, but that older versions or the specification accept.
/// ```
/// use pcore::session::{Session, Strictness};
/// let numeric = |strictness| Session::new(strictness).eval("'10' + 1");
/// assert!(numeric(Strictness::Warning).is_ok() && numeric(Strictness::Error).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Strictness {
    /// Accepts what Puppet 8 rejects, without a warning.
    Off,
    /// Accepts what Puppet 8 rejects, with a warning.
    #[default]
    Warning,
    /// Rejects what Puppet 8 rejects.
    Error,
}

/// Something that happens during an evaluation: a message, a warning or the value of a statement.
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
    /// A call of a log function such as `notice`.
    Log {
        /// The log level, which is also the name of the function.
        level: Level,
        /// The message that was logged.
        message: String,
        /// The source that contains the call.
        source: Arc<Source>,
        /// The location of the call in `source`.
        span: Span,
    },
    /// A warning of the evaluator, with its location.
    Warning(Error),
    /// The value of a top-level expression that should be printed.
    Value(Value),
    /// The value of a top-level assignment; only an interactive prompt prints it.
    Assigned(Value),
}

/// Receives each event as it happens.
pub type Listener<'l> = dyn FnMut(Event) + Send + 'l;
