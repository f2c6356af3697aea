//! The built-in functions: a row of the table is a name, signatures in Puppet's own types, a summary, examples and the
//! body. Arguments are checked against the signatures before a body runs.
//!
//! A body sees the evaluator only through [`Runtime`].

/// Defines the table of a family of functions: summary, name, signatures, examples with results, and body of each.
macro_rules! functions {
    ($(
        #[doc = $summary:literal]
        $name:literal $signatures:tt { $($code:literal => $answer:literal,)+ } => $body:expr;
    )+) => {
        pub(super) const FUNCTIONS: &[$crate::functions::Function] = &[$($crate::functions::Function {
            name: $name,
            summary: $summary.trim_ascii_start(),
            signatures: &$signatures,
            examples: &[$($crate::types::example($code, $answer)),+],
            body: $body,
        }),+];
    };
}

mod annotation;
mod chaining;
mod collections;
mod control;
mod conversion;
mod data;
mod definitions;
mod digest;
mod files;
mod formatting;
mod grouping;
mod hiera_lookup;
mod hierarchy;
mod iteration;
mod iterators;
mod legacy_arguments;
mod log;
mod lookup;
mod lookup_context;
mod numbers;
mod ordering;
mod random;
mod regular_expressions;
mod shell;
mod strings;
mod structured_data;
mod templates;
mod time;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::stack;
use crate::text::Source;
use crate::types::{Example, Type};
use crate::value::{Callable, Hash, Object, Value};
use annotation::Annotations;
pub(crate) use hiera_lookup::LookupStep;
use lookup_context::ContextCache;

/// A row of the table.
/// ```
/// let function = pcore::functions::named("length").unwrap();
/// assert_eq!(function.signatures, [
///     "(Collection $collection) >> Integer", "(String $text) >> Integer", "(Binary $binary) >> Integer",
/// ]);
/// ```
#[derive(Debug)]
pub struct Function {
    /// `length`
    pub name: &'static str,
    /// The summary: one line, lower case, no full stop.
    pub summary: &'static str,
    /// The ways to call it, as a parameter list: `(Variant[String, Collection] $value) >> Integer`. A block is the last
    /// parameter, `Callable[1, 2] &$block` or `Optional[Callable[1, 2]] &$block`.
    pub signatures: &'static [&'static str],
    /// The examples: at least one that succeeds and one that fails.
    pub examples: &'static [Example],
    /// The implementation. It runs after the arguments matched the signature with the index [`Call::signature`].
    pub(crate) body: fn(&mut Call<'_>) -> Result<Value, Flow>,
}

impl Function {
    /// Whether all signatures return Undef: the function is called for its effect.
    pub(crate) fn promises_undef(&self) -> bool {
        self.signatures.iter().all(|signature| signature.ends_with(">> Undef"))
    }
}

/// The arguments of one call, and access to the evaluator.
pub(crate) struct Call<'a> {
    pub(crate) runtime: &'a mut dyn Runtime,
    /// The index of the row's signature that the arguments match.
    pub(crate) signature: usize,
    /// The arguments, already checked against the signature. A function of objects gets the object first, which is
    /// not checked.
    pub(crate) arguments: &'a [Value],
    pub(crate) block: Option<&'a Arc<dyn Callable>>,
}

impl<'a> Call<'a> {
    /// The lambda of the call; all signatures of the function require one.
    pub(crate) fn block(&self) -> Result<&'a Arc<dyn Callable>> {
        // The signatures were checked before the call, but a body that is called past them should not panic.
        self.block.ok_or_else(|| Error::runtime("a block is missing").with_help("the block is missing"))
    }

    fn through_block(&mut self, value: Value) -> Result<Value, Flow> {
        match self.block {
            Some(block) => self.runtime.call(block, &[value]),
            None => Ok(value),
        }
    }

    /// The argument with the index `at`, which all signatures require.
    pub(crate) fn argument(&self, at: usize) -> Result<&'a Value> {
        // As above.
        self.arguments.get(at).ok_or_else(|| Error::runtime("an argument is missing"))
    }
}

/// Applies `change` to the elements, keys and values of an Array or Hash; returns any other value unchanged.
fn rebuilt<E: Send>(value: &Value, mut change: impl FnMut(&Value) -> Result<Value, E> + Send) -> Result<Value, E> {
    match value {
        Value::Array(elements) => {
            stack::with_room(|| Ok(Value::Array(elements.iter().map(change).collect::<Result<_, E>>()?)))
        }
        Value::Hash(entries) => stack::with_room(|| {
            let entries = entries.iter().map(|(key, value)| Ok((change(key)?, change(value)?)));
            Ok(Value::Hash(entries.collect::<Result<_, E>>()?))
        }),
        other => Ok(other.clone()),
    }
}

/// The services of the evaluator that function bodies use.
pub(crate) trait Runtime: Send {
    /// Calls a lambda or function. `next` inside returns a value; `break` and `return` are returned as [`Flow`].
    fn call(&mut self, callable: &Arc<dyn Callable>, arguments: &[Value]) -> Result<Value, Flow>;

    /// Prepares a block once, and passes it to `work`, which may call it any number of times.
    fn with_block(
        &mut self,
        block: &Arc<dyn Callable>,
        work: &mut dyn FnMut(&mut dyn BoundBlock) -> Result<(), Flow>,
    ) -> Result<(), Flow>;

    /// The minimum and maximum number of arguments of a block; a maximum of `None` means any number.
    fn arity(&self, callable: &Arc<dyn Callable>) -> (usize, Option<usize>);

    fn call_function(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&Arc<dyn Callable>>,
    ) -> Result<Value, Flow>;

    /// `type_.new(arguments…)`: checks the arguments against the type's constructor, and the result against the type.
    fn construct(&mut self, type_: &Type, arguments: &[Value]) -> Result<Value, Flow>;

    fn type_of_text(&mut self, text: &str) -> Result<Type>;

    /// The value of the variable `name`, without the dollar sign, in the scope of the caller; `None` if it is not set.
    fn variable(&mut self, name: &str) -> Option<Value>;

    /// Renders an EPP template with `parameters` and the variables that it sees; returns a String, or a Sensitive
    /// with one.
    fn fill_in(&mut self, template: &Arc<Source>, sees: Visibility, parameters: Option<&Hash>) -> Result<Value, Flow>;

    fn module_directory(&self, module: &str) -> Option<PathBuf>;

    /// Resolves a full path to an existing file; `None` if there is none.
    fn find_file(&self, path: &Path) -> Result<Option<PathBuf>>;

    fn state(&mut self) -> &mut State;

    /// Under `error` the warning is the error; under `off` nobody hears of it.
    fn warn(&mut self, error: Error) -> Result<()>;

    /// Reports something that the specification allows and Puppet 8 rejects with the error `refused`: as a warning or
    /// as that error, by the strictness.
    fn by_specification(&mut self, refused: Error) -> Result<()> {
        self.warn(refused.with_help("the specification allows this, but Puppet 8 rejects it"))
    }

    fn log(&mut self, level: Level, message: &str);
}

/// The settings that functions read from a session, and their caches.
#[derive(Debug, Default)]
pub(crate) struct State {
    annotations: Annotations,
    pub(crate) memories: ContextCache,
    /// The hashes in which `lookup` searches, best first.
    pub(crate) data: Arc<Vec<Hash>>,
    /// The directory of the environment whose `hiera.yaml` lookups use.
    pub(crate) directory: Option<PathBuf>,
}

/// A block prepared for many calls, which all share one stack frame.
pub(crate) trait BoundBlock {
    /// Calls the block. The arguments are moved, so that an Array or Hash among them can grow in place.
    fn call(&mut self, arguments: &mut [Value]) -> Result<Value, Flow>;

    /// Moves the arguments back after a call that `break` ended.
    fn take_back(&mut self, arguments: &mut [Value]);
}

/// The variables that a template sees besides its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// All variables in the scope of the caller.
    Caller,
    /// The variables of the session.
    Session,
}

/// Why an evaluation ended without a value: an error, or a jump to an enclosing construct.
#[derive(Debug)]
pub(crate) enum Flow {
    Error(Error),
    /// A jump, the value that its target receives, and the error to report if nothing catches it.
    Jump(Jump, Box<(Value, Error)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jump {
    Break,
    Next,
    Return,
}

impl<E: Into<Error>> From<E> for Flow {
    fn from(error: E) -> Flow {
        Flow::Error(error.into())
    }
}

macro_rules! levels {
    ($($level:ident $name:literal),+) => {
        /// The levels of the log functions, least urgent first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Level {
            $(#[doc = concat!("`", $name, "`")] $level,)+
        }

        impl Level {
            /// The name of the level, which is also that of its log function: `notice`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Level::$level => $name,)+
                }
            }
        }
    };
}

levels! {
    Debug "debug", Info "info", Notice "notice", Warning "warning", Err "err", Alert "alert", Emerg "emerg", Crit "crit"
}

/// Every built-in function, by families, each family in alphabetical order.
pub static TABLE: &[&[Function]] = &[
    log::FUNCTIONS,
    control::FUNCTIONS,
    iteration::FUNCTIONS,
    iterators::FUNCTIONS,
    grouping::FUNCTIONS,
    chaining::FUNCTIONS,
    collections::FUNCTIONS,
    conversion::FUNCTIONS,
    strings::FUNCTIONS,
    regular_expressions::FUNCTIONS,
    numbers::FUNCTIONS,
    time::FUNCTIONS,
    ordering::FUNCTIONS,
    data::FUNCTIONS,
    definitions::FUNCTIONS,
    digest::FUNCTIONS,
    random::FUNCTIONS,
    shell::FUNCTIONS,
    formatting::FUNCTIONS,
    files::FUNCTIONS,
    templates::FUNCTIONS,
    annotation::FUNCTIONS,
    lookup::FUNCTIONS,
    structured_data::FUNCTIONS,
];

/// The methods of built-in Object types, by the name of the type: `$context.cache('port', 80)`.
#[doc(hidden)] // for the tests
pub static OF_OBJECTS: &[(&str, &[Function])] = &[("Puppet::LookupContext", lookup_context::FUNCTIONS)];

pub(crate) fn of_objects(type_: &str) -> &'static [Function] {
    OF_OBJECTS.iter().find(|(name, _)| *name == type_).map_or(&[], |(_, functions)| functions)
}

pub(crate) fn of_object(object: &Object) -> &'static [Function] {
    object.type_.name().map_or(&[], of_objects)
}

/// Looks up a function by name; two functions of puppetlabs-stdlib also have a name with its prefix.
pub fn named(name: &str) -> Option<&'static Function> {
    let of_module = name.strip_prefix("stdlib::").filter(|name| matches!(*name, "to_json" | "to_yaml"));
    let name = of_module.unwrap_or(name);
    TABLE.iter().copied().flatten().find(|function| function.name == name)
}
