//! The built-in functions. A row of the table has a name, signatures in Puppet's own types, a summary, examples and the
//! body. Arguments are checked against the signatures before a body runs.
//!
//! Bodies access the evaluator only through [`Runtime`].

macro_rules! functions {
    ($(
        #[doc = $summary:literal]
        $name:literal $signatures:tt { $($code:literal => $answer:literal,)+ } => $body:expr;
    )+) => {
        pub(super) const FUNCTIONS: &[$crate::functions::Function] = &[$($crate::functions::Function {
            name: $name,
            summary: $summary.trim_ascii_start(),
            signatures: &$signatures,
            examples: &[$($crate::types::new_example($code, $answer)),+],
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
use crate::wording::enum_with_words;
use annotation::Annotations;
pub(crate) use hiera_lookup::LookupStep;
use lookup_context::ContextCache;

/// A built-in function: a row of [`TABLE`].
/// ```
/// let function = pcore::functions::named("length").unwrap();
/// assert_eq!(function.signatures, [
///     "(Collection $collection) >> Integer", "(String $text) >> Integer", "(Binary $binary) >> Integer",
/// ]);
/// ```
#[derive(Debug)]
pub struct Function {
    /// The name, such as `length`.
    pub name: &'static str,
    /// The summary: one line, lower case, no full stop.
    pub summary: &'static str,
    /// The alternative signatures, such as `(Variant[String, Collection] $value) >> Integer`. A block is the last
    /// parameter, `Callable[1, 2] &$block` or `Optional[Callable[1, 2]] &$block`.
    pub signatures: &'static [&'static str],
    /// The examples: at least one that succeeds and one that fails.
    pub examples: &'static [Example],
    /// The implementation, called once the arguments have matched the signature with the index [`Call::signature_index`].
    pub(crate) body: fn(&mut Call<'_>) -> Result<Value, Flow>,
}

impl Function {
    /// Whether all signatures return Undef, so that the function is called only for its side effect.
    pub(crate) fn returns_only_undef(&self) -> bool {
        self.signatures.iter().all(|signature| signature.ends_with(">> Undef"))
    }
}

pub(crate) struct Call<'a> {
    pub(crate) runtime: &'a mut dyn Runtime,
    /// The index in [`Function::signatures`] of the first signature that the arguments match.
    pub(crate) signature_index: usize,
    /// The arguments, already checked against the signature. For a method of an object, the first one is the object,
    /// which is not checked.
    pub(crate) arguments: &'a [Value],
    pub(crate) block: Option<&'a Arc<dyn Callable>>,
}

impl<'a> Call<'a> {
    /// Returns the block of the call. To be used only if all signatures of the function require a block.
    pub(crate) fn required_block(&self) -> Result<&'a Arc<dyn Callable>> {
        // The signatures were checked before the call, but a body that is called past them should not panic.
        self.block.ok_or_else(|| Error::runtime("a block is missing").with_help("the block is missing"))
    }

    fn pass_to_optional_block(&mut self, value: Value) -> Result<Value, Flow> {
        match self.block {
            Some(block) => self.runtime.call(block, &[value]),
            None => Ok(value),
        }
    }

    /// Returns the argument with the index `at`. To be used only if all signatures of the function require it.
    pub(crate) fn argument(&self, at: usize) -> Result<&'a Value> {
        // As above.
        self.arguments.get(at).ok_or_else(|| Error::runtime("an argument is missing"))
    }
}

fn map_collection<E: Send>(
    value: &Value,
    mut change: impl FnMut(&Value) -> Result<Value, E> + Send,
) -> Result<Value, E> {
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
    /// Calls a lambda or function. `next` in it returns a value; a `break` or `return` in it is returned as a [`Flow`].
    fn call(&mut self, callable: &Arc<dyn Callable>, arguments: &[Value]) -> Result<Value, Flow>;

    /// Prepares `block` for many calls and passes it to `work`, which may call it any number of times.
    fn with_prepared_block(
        &mut self,
        block: &Arc<dyn Callable>,
        work: &mut dyn FnMut(&mut dyn ReusableBlock) -> Result<(), Flow>,
    ) -> Result<(), Flow>;

    fn call_function(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&Arc<dyn Callable>>,
    ) -> Result<Value, Flow>;

    /// Evaluates `type_.new(arguments…)`: checks the arguments against the constructor and the result against the type.
    fn construct(&mut self, type_: &Type, arguments: &[Value]) -> Result<Value, Flow>;

    fn parse_type(&mut self, text: &str) -> Result<Type>;

    /// Returns the value of the variable `name` (without `$`) in the scope of the caller; `None` if it is not set.
    fn variable(&mut self, name: &str) -> Option<Value>;

    /// Renders an EPP template with `parameters` and the variables of the caller or the session, as `visibility` says.
    /// Returns a String, or a Sensitive that contains a String.
    fn render_template(
        &mut self,
        template: &Arc<Source>,
        visibility: TemplateVisibility,
        parameters: Option<&Hash>,
    ) -> Result<Value, Flow>;

    fn module_directory(&self, module: &str) -> Option<PathBuf>;

    /// Returns the resolved path of the file at the full path `path`, `None` if missing, an error if access is denied.
    fn find_file(&self, path: &Path) -> Result<Option<PathBuf>>;

    fn runtime_state(&mut self) -> &mut RuntimeState;

    /// Returns the error if the strictness is `error`, reports it as a warning if `warning`, and ignores it if `off`.
    fn warn(&mut self, error: Error) -> Result<()>;

    /// Reports something that the specification allows, but Puppet 8 rejects with the error `refused`, by
    /// [`Runtime::warn`].
    fn report_rejected_by_puppet(&mut self, refused: Error) -> Result<()> {
        self.warn(refused.with_help("the specification allows this, but Puppet 8 rejects it"))
    }

    fn log(&mut self, level: Level, message: &str);
}

#[derive(Debug, Default)]
pub(crate) struct RuntimeState {
    annotations: Annotations,
    pub(crate) context_cache: ContextCache,
    /// The hashes in which `lookup` searches, in order of precedence.
    pub(crate) lookup_data: Arc<Vec<Hash>>,
    /// The directory of the environment whose `hiera.yaml` lookups use.
    pub(crate) environment_directory: Option<PathBuf>,
}

/// A block prepared for many calls, which all share one stack frame.
pub(crate) trait ReusableBlock {
    /// Calls the block. The arguments are moved, so that an Array or Hash among them can grow in place.
    fn call(&mut self, arguments: &mut [Value]) -> Result<Value, Flow>;

    /// Moves the arguments of a call that ended by `break` back into `arguments`.
    fn reclaim_arguments(&mut self, arguments: &mut [Value]);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemplateVisibility {
    Caller,
    Session,
}

/// Why an evaluation ended without a value: an error, or a jump to an enclosing construct.
#[derive(Debug)]
pub(crate) enum Flow {
    Error(Error),
    /// A jump, the value that its target receives, and the error to report if nothing catches it.
    Jump(JumpKind, Box<(Value, Error)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JumpKind {
    Break,
    Next,
    Return,
}

impl<E: Into<Error>> From<E> for Flow {
    fn from(error: E) -> Flow {
        Flow::Error(error.into())
    }
}

enum_with_words! {
    /// The levels of the log functions, least urgent first.
    #[derive(PartialOrd, Ord)]
    pub Level
    /// Returns the name of the level, such as `notice`, which is also the name of its log function.
    name {
        Debug "debug" Info "info" Notice "notice" Warning "warning" Err "err" Alert "alert" Emerg "emerg" Crit "crit"
    }
}

/// All built-in functions, one list for each file of this module; each list is sorted by name.
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
pub static OBJECT_METHODS: &[(&str, &[Function])] = &[("Puppet::LookupContext", lookup_context::FUNCTIONS)];

pub(crate) fn methods_of_type(type_: &str) -> &'static [Function] {
    OBJECT_METHODS.iter().find(|(name, _)| *name == type_).map_or(&[], |(_, functions)| functions)
}

pub(crate) fn methods_of_object(object: &Object) -> &'static [Function] {
    object.type_.name().map_or(&[], methods_of_type)
}

/// Returns the built-in function called `name`; `to_json` and `to_yaml` may have the prefix `stdlib::`.
pub fn named(name: &str) -> Option<&'static Function> {
    let of_module = name.strip_prefix("stdlib::").filter(|name| matches!(*name, "to_json" | "to_yaml"));
    let name = of_module.unwrap_or(name);
    TABLE.iter().copied().flatten().find(|function| function.name == name)
}
