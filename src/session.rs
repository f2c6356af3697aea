//! Sessions evaluate programs and keep what they define; a console adds the commands of the prompt. Nothing is printed.

mod builder;
// The table of the commands of the prompt, which `Console::enter` runs: for the program and its tests.
#[doc(hidden)]
pub mod commands;
mod console;
mod documentation;
mod foreign_calls;
mod foreign_lambdas;
mod foreign_types;
pub mod issues;
mod loading;
mod reply;
// The table of the settings of the prompt, which `:set` changes: for the program and its tests.
#[doc(hidden)]
pub mod settings;
mod type_text;

use std::path::{Path, PathBuf};
use std::{fmt, sync::Arc};

use crate::error::Error;
use crate::eval::{self, AutoloadKind, Environment, UNKNOWN_TYPE};
pub use crate::eval::{Definition, Event, Listener, Mode, Strictness, literal_value, rejections};
use crate::explain::mismatch::Mismatch;
use crate::files::Permissions;
use crate::interrupt;
pub use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::limits::Limits;
use crate::secrets::Secrets;
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::types::{Type, alias, secret::register_secrets};
use crate::value::{EcoString, Hash, Value};
pub use builder::SessionBuilder;
pub use console::Console;
pub use documentation::Documentation;
pub use loading::Checkpoint;
use loading::LoadedFiles;
use reply::EntryHistory;
pub use reply::{Columns, FrontendRequest, Reply, Request};

/// The state of an interpreter that evaluates programs one after another: variables, aliases, functions, results.
///
/// ```
/// let mut session = pcore::Session::default();
/// session.eval("type Port = Integer[1, 65535]")?;
/// session.eval("function url(String $host, Port $port = 80) { \"http://${host}:${port}/\" }")?;
/// assert_eq!(session.eval("url('example.com')")?.as_str(), Some("http://example.com:80/"));
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Default)]
pub struct Session {
    /// How strictly to follow Puppet 8.
    pub strictness: Strictness,
    /// Whether sources are snippets or whole programs, in which a top-level value that is never used is an error.
    pub mode: Mode,
    /// Stops a running evaluation when another thread raises it.
    pub interrupt: Interrupt,
    /// The limits on the time, memory, size and depth of each evaluation.
    pub limits: Limits,
    pub(crate) environment: Environment,
    facts: Hash,
    /// The name of the node, which is `$trusted['certname']`; `None` leaves `$trusted` unset.
    node_name: Option<String>,
    last_step_count: u64,
    secrets: Secrets,
    entries: EntryHistory,
    loaded_files: LoadedFiles,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("strictness", &self.strictness).finish_non_exhaustive()
    }
}

impl Session {
    /// Returns a session without definitions, facts, data and modules that follows Puppet 8 as `strictness` says.
    pub fn new(strictness: Strictness) -> Session {
        Session { strictness, ..Session::default() }
    }

    /// Returns a builder that configures a session step by step.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    /// Evaluates a program, without reporting its events, and returns the value of its last expression.
    ///
    /// # Errors
    /// As for [`Session::evaluate`]; also fails at an alias of an unknown type, although it then defines the alias.
    pub fn eval(&mut self, program: &str) -> Result<Value, Error> {
        self.eval_rejecting_unknown_types(&Source::new("program", program))
    }

    pub(crate) fn reset(&mut self) {
        self.environment.clear_recursive_aliases();
        *self = Session { secrets: self.secrets.clone(), ..self.without_definitions() };
        self.environment.forget_module_files();
    }

    /// Ends the session and frees its recursive aliases, such as `type Tree = Variant[Integer, Array[Tree]]`, which
    /// reference cycles keep alive. Types outside of the session that contain such an alias find it unresolved. If the
    /// session is dropped without `close`, these aliases are leaked, and such types stay intact.
    pub fn close(self) {
        self.environment.clear_recursive_aliases();
    }

    /// Returns a session with the configuration of this one (modules, data, facts, limits), without its definitions.
    pub(crate) fn without_definitions(&self) -> Session {
        let mut fresh = Session::new(self.strictness);
        fresh.mode = self.mode;
        fresh.interrupt = self.interrupt.clone();
        fresh.limits = self.limits;
        fresh.environment.copy_modules_and_data_from(&self.environment);
        fresh.facts = self.facts.clone();
        fresh.node_name.clone_from(&self.node_name);
        fresh.set_fact_variables();
        fresh
    }

    /// Evaluates a source and returns the value of its last expression. Calls `listen` with each event as it happens.
    ///
    /// ```
    /// use pcore::{Session, session::Event, text::Source};
    ///
    /// let mut events = Vec::new();
    /// let source = Source::new("site.pp", "notice('hello')\n$x = 1\n[$x]");
    /// let value = Session::default().evaluate(&source, &mut |event| events.push(event))?;
    /// assert_eq!(value.to_string(), "[1]");
    /// assert!(matches!(&events[0], Event::Log { message, .. } if message == "hello"));
    /// # Ok::<(), pcore::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the source has a syntax error, is rejected, or fails while it runs. Definitions before the error stay.
    pub fn evaluate(&mut self, source: &Arc<Source>, listen: &mut Listener<'_>) -> Result<Value, Error> {
        self.environment.strictness = self.strictness;
        self.environment.interrupt = self.interrupt.clone();
        self.note_sensitive_literals(source.text());
        let secrets = self.secrets.clone();
        let mut listen = |event| {
            listen(match event {
                Event::Warning(warning) => Event::Warning(redact_error(warning, &secrets)),
                event => event,
            });
        };
        let outcome = self.run_within_limits(|session| {
            let tree = syntax::parse(source)?;
            eval::enforce_rules(&tree, session.strictness, session.mode, |warning| {
                listen(Event::Warning(warning));
                Ok(())
            })?;
            if session.strictness == Strictness::Warning {
                eval::unlikely_type_warnings(&tree).into_iter().map(Event::Warning).for_each(&mut listen);
            }
            let aliases = session.type_nodes_of_aliases(&tree)?;
            let value = session.environment.evaluate_program(&tree, &mut listen).inspect_err(|error| {
                if let Some(mismatch) = Mismatch::explanation_of_error(error) {
                    register_secrets(&mismatch.found, &session.secrets);
                }
            })?;
            session.warn_of_unusable_aliases(&tree, aliases, &mut listen);
            Ok(value)
        });
        let outcome = outcome.and_then(|result| result).map_err(|error| redact_error(error, &self.secrets));
        outcome.map_err(|error| match foreign_types::translate_type(source.text()) {
            Some(type_) => error.with_help_instead(format!("write `{type_}`")),
            None => error,
        })
    }

    /// Notes as secrets the literals in `text`, which need not be a valid program, that are arguments of `Sensitive`.
    pub(crate) fn note_sensitive_literals(&self, text: &str) {
        for span in syntax::sensitive_literals(text) {
            let written = &text[span.range()];
            self.secrets.note_secret(written.trim_matches(['\'', '"']).trim());
        }
    }

    /// Returns the strings that programs have wrapped in a Sensitive so far. Errors and warnings redact them.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Runs `work`, such as formatting a result, under the limits of the session and until its interrupt is raised.
    ///
    /// # Errors
    /// Fails with `INTERRUPTED` or `LIMIT` if `work` was stopped early.
    pub fn run_within_limits<R>(&mut self, work: impl FnOnce(&mut Session) -> R) -> Result<R, Error> {
        let (limits, interrupt, before) = (self.limits, self.interrupt.clone(), interrupt::step_count());
        let secrets = self.secrets.clone();
        let outcome = secrets.run_as_current(|| limits.run_within(&interrupt, || work(self)));
        self.last_step_count = interrupt::step_count().saturating_sub(before);
        outcome
    }

    /// Returns the number of steps of the last evaluation: about one for each element that it visited. The number grows
    /// with the running time, but is the same in every run.
    pub fn step_count(&self) -> u64 {
        self.last_step_count
    }

    fn type_nodes_of_aliases(&self, tree: &Tree) -> Result<Vec<(EcoString, Id)>, Error> {
        let mut definitions = Vec::new();
        for id in tree.statements().iter().filter(|_| self.mode != Mode::Program) {
            let Expression::TypeAlias { name, type_ } = &tree[*id].expression else { continue };
            let node = &tree[*type_];
            if matches!(&node.expression, Expression::Reference(meant) if meant.eq_ignore_ascii_case(name)) {
                let error = alias::alias_cycle_error(name);
                return Err(error.at(node.span).in_source(&tree.source));
            }
            definitions.push((name.clone(), *type_));
        }
        Ok(definitions)
    }

    /// For `definitions`, the names and types of aliases, warns of unknown types and, if a type uses no alias, of its
    /// errors. Other aliases may still change before they are used. Skips type sets. Only with strictness `warning`.
    fn warn_of_unusable_aliases(&mut self, tree: &Tree, definitions: Vec<(EcoString, Id)>, listen: &mut Listener<'_>) {
        if self.strictness != Strictness::Warning {
            return;
        }
        for (alias, definition) in definitions {
            let references = tree.nodes_within(definition).filter_map(|node| match &node.expression {
                Expression::Reference(name) => Some((&**name, node.span)),
                _ => None,
            });
            let references: Vec<(&str, Span)> = references.collect();
            if references.iter().any(|(name, _)| *name == "TypeSet") {
                continue;
            }
            if references.iter().all(|(name, _)| Type::named(name).is_some()) {
                let used = syntax::parse(&Source::new("alias", &*alias));
                let outcome = used.and_then(|used| self.environment.evaluate_program(&used, &mut |_| ()));
                outcome.err().into_iter().for_each(|error| listen(Event::Warning(error)));
            }
            for (name, span) in references.into_iter().rev() {
                let is_member =
                    name.rsplit_once("::").is_some_and(|(set, _)| !set.is_empty() && self.environment.knows_type(set));
                if !is_member && !self.environment.knows_type(name) {
                    let unknown = self.environment.unknown_type_error(name).at(span).in_source(&tree.source);
                    listen(Event::Warning(unknown.with_help("define it before this alias is used")));
                }
            }
        }
    }

    /// Evaluates a source and returns its value, which must be a type.
    ///
    /// # Errors
    /// Fails if the text is not a program, its value is not a type, or a name in it is neither a type nor an alias.
    pub fn evaluate_type(&mut self, text: &Arc<Source>) -> Result<Type, Error> {
        match self.eval_rejecting_unknown_types(text)? {
            Value::Type(type_) => Ok(type_),
            other => {
                let got = crate::types::describe::describe(&other);
                let error = Error::runtime(format!("expected a type, got {got}"));
                Err(error.at(Span::new(0, text.text().len())).in_source(text))
            }
        }
    }

    /// Evaluates a source and returns its value. A warning of an unknown type is an error; other events are dropped.
    pub(crate) fn eval_rejecting_unknown_types(&mut self, source: &Arc<Source>) -> Result<Value, Error> {
        let mut unknown = None;
        let value = self.evaluate(source, &mut |event| match event {
            Event::Warning(warning) if warning.code() == UNKNOWN_TYPE => unknown = unknown.take().or(Some(warning)),
            _ => {}
        })?;
        unknown.map_or(Ok(value), Err)
    }

    /// Sets `path`, the directories whose subdirectories are modules (the first ones win), and `own`, the name
    /// and directory of a single module. The file of a module is read when a program first uses a name that it defines.
    pub fn set_modules(&mut self, path: Vec<PathBuf>, own: Option<(String, PathBuf)>) {
        self.environment.set_module_path(path, own);
    }

    /// Sets which files programs may read besides those of modules [default: none].
    pub fn set_permissions(&mut self, permissions: Permissions) {
        self.environment.permissions = permissions;
    }

    /// Returns an error if programs may not read `path`, whether or not the file exists.
    #[doc(hidden)] // for the program
    pub fn check_readable(&self, path: &Path) -> Result<(), Error> {
        self.environment.find_readable_file(path).map(|_| ())
    }

    /// Returns the name and the directory of each module that programs can use.
    pub fn module_directories(&self) -> Vec<(String, PathBuf)> {
        self.environment.program.modules.module_directories()
    }

    /// Returns the names of the modules that programs can use, in no particular order.
    pub fn modules(&self) -> Vec<String> {
        self.environment.program.modules.module_names()
    }

    /// Sets the layers of data that `lookup` searches; earlier layers take precedence.
    pub fn set_data(&mut self, data: Vec<Hash>) {
        self.environment.state.lookup_data = Arc::new(data);
    }

    /// Sets the directory of an environment. `lookup` searches the data of its `hiera.yaml` after the data of
    /// [`Session::set_data`], as far as [`Session::set_permissions`] allows reading the files.
    pub fn set_environment(&mut self, directory: Option<PathBuf>) {
        self.environment.state.environment_directory = directory;
    }

    /// Sets `$facts` and a variable for each fact. If `facts` has the keys `name` and `values`, uses only `values`.
    ///
    /// Source: Puppet reference, "Language: Facts and built-in variables".
    pub fn set_facts(&mut self, facts: &Hash) {
        let stored = facts.get_str("name").and(facts.get_str("values"));
        self.facts = stored.and_then(Value::as_hash).unwrap_or(facts).clone();
        self.set_fact_variables();
    }

    /// Sets a fact or, if `path` is a path such as `os.family`, a part of one. Keeps all other facts.
    pub fn set_fact(&mut self, path: &str, value: Value) {
        self.facts = with_value_at_path(self.facts.clone(), path, value);
        self.set_fact_variables();
    }

    /// Sets the name of the node, which is `$trusted['certname']`.
    ///
    /// Source: Puppet reference, "Language: Facts and built-in variables".
    pub fn set_node(&mut self, name: &str) {
        self.node_name = Some(name.to_owned());
        self.set_fact_variables();
    }

    fn set_fact_variables(&mut self) {
        if let Some(name) = &self.node_name {
            let (hostname, domain) = name.split_once('.').unwrap_or((name, ""));
            let texts = [("authenticated", "local"), ("certname", name), ("hostname", hostname), ("domain", domain)];
            let texts = texts.map(|(key, text)| (key.into(), text.into()));
            let hashes = ["extensions", "external"].map(|key| (key.into(), Value::Hash(Hash::default())));
            self.set_variable("trusted", Value::Hash(texts.into_iter().chain(hashes).collect()));
        }
        if self.facts.is_empty() {
            return;
        }
        let facts = self.facts.clone();
        for (name, value) in facts.iter() {
            if let Value::String(name) = name {
                self.set_variable(name, value.clone());
            }
        }
        self.set_variable("facts", Value::Hash(facts));
    }

    fn is_fact(&self, name: &str) -> bool {
        matches!(name, "facts" | "trusted") || self.facts.get_str(name).is_some()
    }

    /// Returns the value of a variable, or `None` if it is not set.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.environment.program.globals.get(name)
    }

    /// Sets a variable, replacing its value if it has one.
    pub fn set_variable(&mut self, name: &str, value: Value) {
        self.environment.program.globals.set(name, value);
    }

    /// Returns the names and values of all variables that are set, in the order in which they were first named.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.environment.program.globals.iter()
    }

    /// Returns the names of the type aliases, in alphabetical order.
    pub fn aliases(&self) -> Vec<String> {
        self.environment.alias_names()
    }

    /// Returns the definition of a type alias without evaluating it: its type if it was used before, else its code.
    pub fn alias_definition(&self, name: &str) -> Option<Definition> {
        self.environment.alias_definition(name)
    }

    /// Returns the names of the functions that programs defined, in alphabetical order.
    pub fn functions(&self) -> Vec<String> {
        self.environment.function_names()
    }

    /// Returns the parameter list of a function that a program defined, as written: `(Integer $from, $to = 10)`.
    pub fn function_signature(&self, name: &str) -> Option<String> {
        self.environment.function_parameter_list(name)
    }

    /// Returns the names of the classes and defined types that programs defined, in alphabetical order.
    pub fn resource_definitions(&self) -> Vec<String> {
        self.environment.class_and_define_names()
    }

    /// Returns the parameters of a class or defined type, as signature and Struct; `None` if unknown. May read a file.
    ///
    /// # Errors
    /// Fails if the module file that should define `name` has an error.
    pub fn class_parameters(&mut self, name: &str) -> Result<Option<(String, String)>, Error> {
        let definition = self.environment.find_class_or_define(name)?;
        Ok(definition.map(|definition| (definition.render_signature(), definition.struct_type_text())))
    }

    /// Removes a `$variable`, a type alias, a function, a class or a defined type; returns whether it existed. A name
    /// with parentheses, such as `double()`, removes only a function.
    pub fn unset(&mut self, name: &str) -> bool {
        if let Some(variable) = name.strip_prefix('$') {
            return self.environment.program.globals.unset(variable);
        }
        if let Some(function) = name.strip_suffix("()") {
            return self.environment.remove_definition(AutoloadKind::Function, function);
        }
        let kinds = [AutoloadKind::Type, AutoloadKind::Manifest, AutoloadKind::Function];
        kinds.into_iter().any(|kind| self.environment.remove_definition(kind, name))
    }
}

/// Returns `hash` with `value` at a path of keys such as `os.family`; creates missing hashes on the way.
fn with_value_at_path(mut hash: Hash, path: &str, value: Value) -> Hash {
    let (key, value) = match path.split_once('.') {
        Some((key, rest)) => {
            let inner = hash.get_str(key).and_then(Value::as_hash).cloned().unwrap_or_default();
            (key, Value::Hash(with_value_at_path(inner, rest, value)))
        }
        None => (path, value),
    };
    hash.insert(key.into(), value);
    hash
}

pub(crate) fn redact_error(error: Error, secrets: &Secrets) -> Error {
    let hidden =
        |source: &Arc<Source>| Some(Arc::new(source.with_shown_text(secrets.mask_secrets(source.shown_text())?)));
    error.redact(|text| secrets.redact(text), &[], hidden)
}
