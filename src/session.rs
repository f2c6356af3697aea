//! State, and one entry in → a reply out. Never prints.

mod builder;
pub mod commands;
mod console;
mod documentation;
pub mod issues;
mod loading;
mod reply;
pub mod settings;
mod type_text;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::data::hiera::DataLayers;
use crate::error::Error;
use crate::eval::{self, World};
pub use crate::eval::{Definition, Event, Listener, Strictness, literal_value};
use crate::files::Permissions;
use crate::functions::{Annotations, ContextCache};
use crate::interrupt;
pub use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::limits::Limits;
use crate::secrets::Secrets;
use crate::syntax::tree::Tree;
use crate::syntax::{self, Severity};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::{Hash, Value};
pub use builder::SessionBuilder;
pub use console::Console;
pub use documentation::Documentation;
use loading::Loaded;
use reply::Entries;
pub use reply::{FrontendRequest, Reply, Request};

/// What a source is, which decides how an expression at top level that has no effect is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// An entry at the prompt or a snippet file: every top-level expression is worth printing.
    #[default]
    Snippet,
    /// A whole program as Puppet judges it: an expression without effect that is not the last is an error
    /// (`IDEM_EXPRESSION_NOT_LAST`).
    Program,
}

/// Everything that lives from entry to entry: variables, aliases, functions, results.
#[derive(Default)]
pub struct Session {
    /// How strict.
    pub strictness: Strictness,
    /// How top-level expressions without effect are judged.
    pub mode: Mode,
    /// Stops evaluations.
    pub interrupt: Interrupt,
    /// How much evaluations may use up.
    pub limits: Limits,
    pub(crate) world: World,
    facts: Hash,
    steps: u64,
    secrets: Secrets,
    entries: Entries,
    loaded: Vec<Loaded>,
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

    /// The parts of a session, to be decided one by one.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    /// Evaluates a program and returns the value of its last expression. What it logs is dropped; see
    /// [`Session::evaluate`].
    ///
    /// ```
    /// use pcore::session::Session;
    /// let mut session = Session::default();
    /// session.eval("type Port = Integer[1, 65535]")?;
    /// assert_eq!(session.eval("[80, 0].filter |$n| { $n =~ Port }")?.to_string(), "[80]");
    /// assert_eq!(session.eval("1 +").unwrap_err().message(), "unexpected end of input: expected an expression");
    /// # Ok::<(), pcore::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Session::evaluate`].
    pub fn eval(&mut self, program: &str) -> Result<Value, Error> {
        self.evaluate(&Source::new("program", program), &mut |_| {})
    }

    /// Limits what programs may use from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Forgets everything that was defined.
    pub(crate) fn reset(&mut self) {
        let variables: Vec<String> = self.variables().map(|(name, _)| name.to_owned()).collect();
        for name in variables {
            self.unset_variable(&name);
        }
        for name in self.aliases() {
            self.unset_alias(&name);
        }
        for name in self.functions() {
            self.unset_function(&name);
        }
        self.world.forget_match();
        self.world.annotations = Annotations::default();
        self.world.memories = ContextCache::default();
        for name in self.resource_definitions() {
            self.unset_resource_definition(&name);
        }
        self.world.forget_files();
        self.entries = Entries::default();
        self.loaded.clear();
        self.bind_facts();
    }

    /// A session that sees the same modules, data and facts, as strict as this one and with the same way to stop it, and that
    /// knows nothing of what was defined here.
    pub(crate) fn fresh(&self) -> Session {
        let mut fresh = Session::new(self.strictness);
        fresh.mode = self.mode;
        fresh.interrupt = self.interrupt.clone();
        fresh.limits = self.limits;
        fresh.world.see_what_is_seen_by(&self.world);
        fresh.set_facts(&self.facts);
        fresh
    }

    /// Evaluates a whole source; `listen` hears everything at once as it happens. The value is that of the last
    /// expression.
    ///
    /// # Errors
    /// The text is not a program; the program is rejected; or something goes wrong while it runs. Definitions and variables
    /// made before the error stay.
    pub fn evaluate(&mut self, source: &Arc<Source>, listen: &mut Listener<'_>) -> Result<Value, Error> {
        self.world.strictness = self.strictness;
        self.world.interrupt = self.interrupt.clone();
        let secrets = self.secrets.clone();
        let mut listen = |event| {
            listen(match event {
                Event::Warning(warning) => Event::Warning(without_secrets(warning, &secrets)),
                event => event,
            });
        };
        let outcome = self.watched(|session| {
            let tree = syntax::parse(source)?;
            session.validate(&tree, &mut listen)?;
            session.world.evaluate(&tree, &mut listen)
        });
        outcome.and_then(|result| result).map_err(|error| without_secrets(error, &self.secrets))
    }

    /// What programs put into a Sensitive so far. Errors and warnings do without it.
    ///
    /// ```
    /// use pcore::session::Session;
    ///
    /// let mut session = Session::default();
    /// let error = session.eval("Sensitive('hunter2')\nInteger('hunter2')").unwrap_err();
    /// assert!(error.message().starts_with("cannot convert String '[redacted]' to Integer"));
    /// assert!(session.secrets().are_in("hunter2"));
    /// # Ok::<(), pcore::error::Error>(())
    /// ```
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Runs `work` under the limits of the session, until it ends or the interrupt is raised: for what is done with the
    /// results of evaluations.
    ///
    /// ```
    /// use pcore::session::Session;
    ///
    /// let mut session = Session::default();
    /// let value = session.eval("Array(Integer[1, 1000])")?;
    /// assert_eq!(session.watched(|_| value.to_string().len())?, 4893);
    /// session.interrupt.raise();
    /// assert_eq!(session.watched(|_| value.to_string().len()).unwrap_err().code(), "INTERRUPTED");
    /// # Ok::<(), pcore::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// `INTERRUPTED` or `LIMIT`: it ended early.
    pub fn watched<R>(&mut self, work: impl FnOnce(&mut Session) -> R) -> Result<R, Error> {
        let (limits, interrupt, before) = (self.limits, self.interrupt.clone(), interrupt::steps());
        let secrets = self.secrets.clone();
        let outcome = secrets.watch(|| limits.watch(&interrupt, || work(self))).map_err(Error::from);
        self.steps = interrupt::steps().saturating_sub(before);
        outcome
    }

    /// How many steps the last evaluation took: about one for each element that it visited, wherever that was. They grow as
    /// its duration does, and are the same in every run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The type that a string names.
    ///
    /// # Errors
    /// The text is not a program, or its value is not a type.
    pub fn type_of_text(&mut self, text: &Arc<Source>) -> Result<Type, Error> {
        match self.evaluate(text, &mut |_| {})? {
            Value::Type(type_) => Ok(type_),
            other => {
                let got = crate::types::relation::mismatch::describe(&other);
                let error = Error::runtime(format!("expected a type, got {got}"));
                Err(error.at(Span::new(0, text.text().len())).in_source(text))
            }
        }
    }

    /// Rejects a program that breaks a rule, and warns of values that nobody uses. A [`Mode::Program`] may lose no
    /// value under [`Strictness::Error`]; a snippet shows those of its top level.
    fn validate(&self, tree: &Tree, listen: &mut Listener<'_>) -> Result<(), Error> {
        let is_off = self.strictness == Strictness::Off;
        let mut warn = |warning: Error| {
            if !is_off {
                listen(Event::Warning(warning));
            }
        };
        eval::check_heredocs(tree, &mut warn)?;
        tree.warnings.iter().cloned().for_each(warn);
        for finding in syntax::validate(tree) {
            let is_strict = self.strictness == Strictness::Error && self.mode == Mode::Program;
            match (finding.severity, self.mode) {
                (Severity::Program, _) => return Err(finding.error),
                (Severity::SpecificationOnly, _) if self.strictness == Strictness::Error => return Err(finding.error),
                // The evaluator warns of the first when it comes there; the other is shown.
                (Severity::SpecificationOnly, _) | (Severity::TopLevelValue, Mode::Snippet) => {}
                (Severity::TopLevelValue | Severity::InnerValue, _) if is_strict => return Err(finding.error),
                (Severity::TopLevelValue | Severity::InnerValue, _) if self.strictness == Strictness::Off => {}
                (Severity::TopLevelValue | Severity::InnerValue, _) => listen(Event::Warning(finding.error)),
            }
        }
        Ok(())
    }

    /// Sets where modules are: the directories whose subdirectories are modules, best first, and a directory that is a
    /// module itself, with its name. Their type aliases and functions are read when a program first names them.
    pub fn set_modules(&mut self, path: Vec<PathBuf>, own: Option<(String, PathBuf)>) {
        self.world.set_modules(path, own);
    }

    /// Sets which files programs may read besides those of modules [default: none].
    pub fn set_permissions(&mut self, permissions: Permissions) {
        self.world.permissions = permissions;
    }

    /// The names of the modules whose types and functions can be named, in no order.
    pub fn modules(&self) -> Vec<String> {
        self.world.module_names()
    }

    /// The data that `lookup` finds, in layers: the first goes before the others.
    pub fn set_data(&mut self, data: Vec<Hash>) {
        self.world.data = Arc::new(DataLayers::new(data));
    }

    /// Sets `$facts`, and a variable for each fact. Facts as Puppet stores them, a hash `values` beside the `name` of a
    /// host, are those in `values`.
    ///
    /// Source: Puppet reference, "Language: Facts and built-in variables".
    pub fn set_facts(&mut self, facts: &Hash) {
        let stored = facts.get_str("name").and(facts.get_str("values"));
        self.facts = match stored {
            Some(Value::Hash(values)) => values.clone(),
            _ => facts.clone(),
        };
        self.bind_facts();
    }

    fn bind_facts(&mut self) {
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
        name == "facts" || self.facts.get_str(name).is_some()
    }

    /// The value of a variable.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.world.globals.get(name)
    }

    /// Sets a variable, whether or not it has a value.
    pub fn set_variable(&mut self, name: &str, value: Value) {
        self.world.globals.set(name, value);
    }

    /// The variables that have a value, in the order in which they were first named.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.world.globals.iter()
    }

    /// Frees the name of a variable; tells whether it had a value.
    pub fn unset_variable(&mut self, name: &str) -> bool {
        self.world.globals.unset(name)
    }

    /// The names of the type aliases, in alphabetical order.
    pub fn aliases(&self) -> Vec<String> {
        self.world.alias_names()
    }

    /// Reads the type aliases of all modules, so that [`Session::aliases`] lists them. Files with mistakes are left out.
    pub fn name_all_aliases(&mut self) {
        for name in self.world.names_of_module_types() {
            let _ = self.evaluate(&Source::new("alias", name), &mut |_| {});
        }
    }

    /// What a type alias stands for, as far as it is known without evaluating anything.
    pub fn alias(&self, name: &str) -> Option<Definition> {
        self.world.alias(name)
    }

    /// Frees the name of a type alias; tells whether there was one.
    pub fn unset_alias(&mut self, name: &str) -> bool {
        self.world.unset_alias(name)
    }

    /// The names of the functions that programs defined, in alphabetical order.
    pub fn functions(&self) -> Vec<String> {
        self.world.function_names()
    }

    /// The parameters of a function that a program defined, as they were written: `(Integer $from, $to = 10)`.
    pub fn signature(&self, name: &str) -> Option<String> {
        self.world.signature(name)
    }

    /// The names of the classes and defined types that programs defined, in alphabetical order.
    pub fn resource_definitions(&self) -> Vec<String> {
        self.world.resource_definition_names()
    }

    /// The parameters of a class or defined type, as a signature and as a Struct; those of modules are read when they
    /// are asked for.
    ///
    /// # Errors
    /// The file of a module that should define it is wrong.
    pub fn parameters_of(&mut self, name: &str) -> Result<Option<(String, String)>, Error> {
        let definition = self.world.resource_definition(name)?;
        Ok(definition.map(|definition| (definition.signature(), definition.struct_text())))
    }

    /// Frees the name of a class or defined type; tells whether there was one.
    pub fn unset_resource_definition(&mut self, name: &str) -> bool {
        self.world.unset_resource_definition(name)
    }

    /// Frees the name of a function; tells whether there was one.
    pub fn unset_function(&mut self, name: &str) -> bool {
        self.world.unset_function(name)
    }
}

/// An error as whoever reads it may see it.
fn without_secrets(error: Error, secrets: &Secrets) -> Error {
    let hidden = |source: &Arc<Source>| Some(Arc::new(source.shown_as(secrets.masked(source.shown())?)));
    error.without(|text| secrets.redacted(text), hidden)
}
