//! State, and one entry in → a reply out. Never prints.

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
use crate::eval::{self, DefinitionKind, Environment, UNKNOWN_TYPE};
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
use crate::types::{Type, alias, secret::note_sensitive};
use crate::value::{Hash, Value};
pub use builder::SessionBuilder;
pub use console::Console;
pub use documentation::Documentation;
pub use loading::Checkpoint;
use loading::LoadedFiles;
use reply::Entries;
pub use reply::{Columns, FrontendRequest, Reply, Request};

/// Everything that lives from entry to entry: variables, aliases, functions, results.
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
    /// How top-level expressions without effect are judged.
    pub mode: Mode,
    /// Stops evaluations.
    pub interrupt: Interrupt,
    /// The limits of evaluations.
    pub limits: Limits,
    pub(crate) environment: Environment,
    facts: Hash,
    /// The name of the node, for `$trusted`.
    node: Option<String>,
    steps: u64,
    secrets: Secrets,
    entries: Entries,
    loaded: LoadedFiles,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("strictness", &self.strictness).finish_non_exhaustive()
    }
}

impl Session {
    /// A session with nothing in it.
    pub fn new(strictness: Strictness) -> Session {
        Session { strictness, ..Session::default() }
    }

    /// Configures a session step by step.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    /// Evaluates a program to the value of its last expression. What it logs is dropped; see [`Session::evaluate`].
    ///
    /// # Errors
    /// As for [`Session::evaluate`], and an alias with the name of a type that is not known yet. Even then it is defined.
    pub fn eval(&mut self, program: &str) -> Result<Value, Error> {
        self.value_of_known_types(&Source::new("program", program))
    }

    pub(crate) fn reset(&mut self) {
        self.environment.revoke_aliases();
        *self = Session { secrets: self.secrets.clone(), ..self.fresh() };
        self.environment.forget_files();
    }

    /// Ends the session for good. A type that leads back to itself, as `type Tree = Variant[Integer, Array[Tree]]`, keeps
    /// itself alive; this frees those that the session defined. Where they are still held, they are unresolved afterwards.
    /// After a session that is only dropped they go on as before.
    pub fn close(self) {
        self.environment.revoke_aliases();
    }

    /// A session with the modules, data, facts, strictness and interrupt of this one, without its definitions.
    pub(crate) fn fresh(&self) -> Session {
        let mut fresh = Session::new(self.strictness);
        fresh.mode = self.mode;
        fresh.interrupt = self.interrupt.clone();
        fresh.limits = self.limits;
        fresh.environment.see_what_is_seen_by(&self.environment);
        fresh.facts = self.facts.clone();
        fresh.node.clone_from(&self.node);
        fresh.bind_facts();
        fresh
    }

    /// Evaluates a whole source and returns the value of its last expression. `listen` gets each event as it happens.
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
    /// The source is not a program, is rejected, or fails while it runs. What was defined before the error stays.
    pub fn evaluate(&mut self, source: &Arc<Source>, listen: &mut Listener<'_>) -> Result<Value, Error> {
        self.environment.strictness = self.strictness;
        self.environment.interrupt = self.interrupt.clone();
        self.note_literals(source.text());
        let secrets = self.secrets.clone();
        let mut listen = |event| {
            listen(match event {
                Event::Warning(warning) => Event::Warning(without_secrets(warning, &secrets)),
                event => event,
            });
        };
        let outcome = self.watched(|session| {
            let tree = syntax::parse(source)?;
            eval::enforce_rules(&tree, session.strictness, session.mode, |warning| {
                listen(Event::Warning(warning));
                Ok(())
            })?;
            if session.strictness == Strictness::Warning {
                for warning in eval::unlikely_types(&tree) {
                    listen(Event::Warning(warning));
                }
            }
            let aliases = session.written_aliases(&tree)?;
            let value = session.environment.evaluate(&tree, &mut listen).inspect_err(|error| {
                if let Some(mismatch) = Mismatch::of(error) {
                    note_sensitive(&mismatch.found, &session.secrets);
                }
            })?;
            session.warn_of_unknown_types(&tree, aliases, &mut listen);
            Ok(value)
        });
        let outcome = outcome.and_then(|result| result).map_err(|error| without_secrets(error, &self.secrets));
        outcome.map_err(|error| match foreign_types::in_puppet(source.text()) {
            Some(type_) => error.with_help_instead(format!("write `{type_}`")),
            None => error,
        })
    }

    /// Notes what a text that may not be a program puts into a Sensitive.
    pub(crate) fn note_literals(&self, text: &str) {
        for span in syntax::sensitive_literals(text) {
            let written = &text[span.range()];
            self.secrets.note(written.trim_matches(['\'', '"']).trim());
        }
    }

    /// The strings that programs have put into a Sensitive so far. They are left out of errors and warnings.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Runs `work` on results of evaluations under the limits of the session, until it ends or the interrupt is raised.
    ///
    /// # Errors
    /// `INTERRUPTED` or `LIMIT`: it ended early.
    pub fn watched<R>(&mut self, work: impl FnOnce(&mut Session) -> R) -> Result<R, Error> {
        let (limits, interrupt, before) = (self.limits, self.interrupt.clone(), interrupt::steps());
        let secrets = self.secrets.clone();
        let outcome = secrets.watch(|| limits.guard(&interrupt, || work(self))).map_err(Error::from);
        self.steps = interrupt::steps().saturating_sub(before);
        outcome
    }

    /// How many steps the last evaluation took: about one for each element that it visited, wherever that was. They grow as
    /// its duration does, and are the same in every run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn written_aliases(&self, tree: &Tree) -> Result<Vec<Id>, Error> {
        let mut definitions = Vec::new();
        for id in tree.statements().iter().filter(|_| self.mode != Mode::Program) {
            let Expression::TypeAlias { name, type_ } = &tree[*id].expression else { continue };
            let node = &tree[*type_];
            if matches!(&node.expression, Expression::Reference(meant) if meant.eq_ignore_ascii_case(name)) {
                let error = alias::resolves_to_itself(name);
                return Err(error.at(node.span).in_source(&tree.source));
            }
            definitions.push(*type_);
        }
        Ok(definitions)
    }

    /// Warns of unknown types where aliases name them, not at the first use. A type set has names of its own.
    fn warn_of_unknown_types(&mut self, tree: &Tree, definitions: Vec<Id>, listen: &mut Listener<'_>) {
        if self.strictness != Strictness::Warning {
            return;
        }
        for definition in definitions {
            let references = references(tree, definition);
            if references.iter().any(|(name, _)| *name == "TypeSet") {
                continue;
            }
            for (name, span) in references {
                let is_member =
                    name.rsplit_once("::").is_some_and(|(set, _)| !set.is_empty() && self.environment.knows_type(set));
                if !is_member && !self.environment.knows_type(name) {
                    let unknown = self.environment.unknown_type(name).at(span).in_source(&tree.source);
                    listen(Event::Warning(unknown.with_help("define it before this alias is used")));
                }
            }
        }
    }

    /// Evaluates a source to a type.
    ///
    /// # Errors
    /// The text is not a program, its value is not a type, or a name in it is neither a type nor an alias.
    pub fn type_of_text(&mut self, text: &Arc<Source>) -> Result<Type, Error> {
        match self.value_of_known_types(text)? {
            Value::Type(type_) => Ok(type_),
            other => {
                let got = crate::types::describe::describe(&other);
                let error = Error::runtime(format!("expected a type, got {got}"));
                Err(error.at(Span::new(0, text.text().len())).in_source(text))
            }
        }
    }

    /// Evaluates a source in which an unknown type is an error; its events are dropped.
    pub(crate) fn value_of_known_types(&mut self, source: &Arc<Source>) -> Result<Value, Error> {
        let mut unknown = None;
        let value = self.evaluate(source, &mut |event| match event {
            Event::Warning(warning) if warning.code() == UNKNOWN_TYPE => unknown = unknown.take().or(Some(warning)),
            _ => {}
        })?;
        unknown.map_or(Ok(value), Err)
    }

    /// Sets where modules are: the directories whose subdirectories are modules, best first, and a directory that is a
    /// module itself, with its name. Their type aliases and functions are read when a program first names them.
    pub fn set_modules(&mut self, path: Vec<PathBuf>, own: Option<(String, PathBuf)>) {
        self.environment.set_modules(path, own);
    }

    /// Sets which files programs may read besides those of modules [default: none].
    pub fn set_permissions(&mut self, permissions: Permissions) {
        self.environment.permissions = permissions;
    }

    /// Rejects a file that programs may not read, whether or not there is one.
    #[doc(hidden)] // for the program
    pub fn check_readable(&self, path: &Path) -> Result<(), Error> {
        self.environment.find_file(path).map(|_| ())
    }

    /// The name and the directory of each module that programs can use.
    pub fn module_directories(&self) -> Vec<(String, PathBuf)> {
        self.environment.program.modules.directories()
    }

    /// The names of the modules whose types and functions can be named, in no order.
    pub fn modules(&self) -> Vec<String> {
        self.environment.program.modules.module_names()
    }

    /// Sets the data that `lookup` finds, in layers: earlier ones take precedence.
    pub fn set_data(&mut self, data: Vec<Hash>) {
        self.environment.state.data = Arc::new(data);
    }

    /// Sets the directory of the environment whose `hiera.yaml` `lookup` follows, after the data of [`Session::set_data`].
    /// Its data are read as far as programs may read files.
    pub fn set_environment(&mut self, directory: Option<PathBuf>) {
        self.environment.state.directory = directory;
    }

    /// Sets `$facts`, and a variable for each fact. Where Puppet stores them with a `name`, the facts are in `values`.
    ///
    /// Source: Puppet reference, "Language: Facts and built-in variables".
    pub fn set_facts(&mut self, facts: &Hash) {
        let stored = facts.get_str("name").and(facts.get_str("values"));
        self.facts = stored.and_then(Value::as_hash).unwrap_or(facts).clone();
        self.bind_facts();
    }

    /// Sets a fact, or a part of one, and keeps the others: `os.family`.
    pub fn set_fact(&mut self, path: &str, value: Value) {
        self.facts = with_part(self.facts.clone(), path, value);
        self.bind_facts();
    }

    /// Sets the name of the node, which is `$trusted['certname']`.
    ///
    /// Source: Puppet reference, "Language: Facts and built-in variables".
    pub fn set_node(&mut self, name: &str) {
        self.node = Some(name.to_owned());
        self.bind_facts();
    }

    fn bind_facts(&mut self) {
        if let Some(name) = &self.node {
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

    /// Whether a variable was set by [`Session::set_facts`].
    fn is_fact(&self, name: &str) -> bool {
        matches!(name, "facts" | "trusted") || self.facts.get_str(name).is_some()
    }

    /// The value of a variable.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.environment.program.globals.get(name)
    }

    /// Sets a variable, whether or not it has a value.
    pub fn set_variable(&mut self, name: &str, value: Value) {
        self.environment.program.globals.set(name, value);
    }

    /// The variables that have a value, in the order in which they were first named.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.environment.program.globals.iter()
    }

    /// The names of the type aliases, in alphabetical order.
    pub fn aliases(&self) -> Vec<String> {
        self.environment.alias_names()
    }

    /// The definition of a type alias, as far as it is known without evaluating anything.
    pub fn alias(&self, name: &str) -> Option<Definition> {
        self.environment.alias(name)
    }

    /// The names of the functions that programs defined, in alphabetical order.
    pub fn functions(&self) -> Vec<String> {
        self.environment.function_names()
    }

    /// The parameters of a function that a program defined, as they were written: `(Integer $from, $to = 10)`.
    pub fn signature(&self, name: &str) -> Option<String> {
        self.environment.signature(name)
    }

    /// The names of the classes and defined types that programs defined, in alphabetical order.
    pub fn resource_definitions(&self) -> Vec<String> {
        self.environment.resource_definition_names()
    }

    /// The parameters of a class or defined type, as a signature and as a Struct. Files of modules are read for it.
    ///
    /// # Errors
    /// The file of a module that should define it is wrong.
    pub fn parameters_of(&mut self, name: &str) -> Result<Option<(String, String)>, Error> {
        let definition = self.environment.resource_definition(name)?;
        Ok(definition.map(|definition| (definition.signature(), definition.struct_text())))
    }

    /// Removes a `$variable`, a type alias, a function, a class or a defined type; returns whether there was one. With
    /// parentheses, as in `double()`, only a function is meant.
    pub fn unset(&mut self, name: &str) -> bool {
        if let Some(variable) = name.strip_prefix('$') {
            return self.environment.program.globals.unset(variable);
        }
        if let Some(function) = name.strip_suffix("()") {
            return self.environment.unset(DefinitionKind::Function, function);
        }
        let kinds = [DefinitionKind::Type, DefinitionKind::Manifest, DefinitionKind::Function];
        kinds.into_iter().any(|kind| self.environment.unset(kind, name))
    }
}

/// The hash with another value where a path leads: `os.family`.
fn with_part(mut hash: Hash, path: &str, value: Value) -> Hash {
    let (key, value) = match path.split_once('.') {
        Some((key, rest)) => {
            let inner = hash.get_str(key).and_then(Value::as_hash).cloned().unwrap_or_default();
            (key, Value::Hash(with_part(inner, rest, value)))
        }
        None => (path, value),
    };
    hash.insert(key.into(), value);
    hash
}

pub(crate) fn without_secrets(error: Error, secrets: &Secrets) -> Error {
    let hidden = |source: &Arc<Source>| Some(Arc::new(source.shown_as(secrets.masked(source.shown())?)));
    error.without(|text| secrets.redacted(text), &[], hidden)
}

fn references(tree: &Tree, id: Id) -> Vec<(&str, Span)> {
    let (mut names, mut left) = (Vec::new(), vec![id]);
    while let Some(id) = left.pop() {
        match &tree[id].expression {
            Expression::Reference(name) => names.push((&**name, tree[id].span)),
            expression => expression.each_child(&mut |child| left.push(child)),
        }
    }
    names.sort_by_key(|(_, span)| span.range().start);
    names
}
