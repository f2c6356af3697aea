//! The builder of sessions: configures strictness, limits, permissions, modules, facts, data and functions.

use std::{path::PathBuf, sync::Arc};

use super::{Error, Hash, Interrupt, Limits, Mode, Permissions, Session, Strictness, Value};

/// Builds a [`Session`]; every setting has a default.
///
/// ```
/// use pcore::session::{Session, Strictness};
///
/// let mut session = Session::builder()
///     .strictness(Strictness::Error)
///     .facts([("os", "Debian")])
///     .variable("port", 80)
///     .build();
/// assert_eq!(session.eval("$facts['os'] == 'Debian' and $port =~ Integer[1, 65535]").unwrap(), true.into());
/// ```
#[derive(Debug, Default)]
#[must_use]
pub struct SessionBuilder {
    session: Session,
}

impl SessionBuilder {
    /// Sets how strictly to follow Puppet 8 [default: [`Strictness::Warning`]].
    pub fn strictness(mut self, strictness: Strictness) -> SessionBuilder {
        self.session.strictness = strictness;
        self
    }

    /// Sets whether sources are snippets or whole programs [default: [`Mode::Snippet`]].
    pub fn mode(mut self, mode: Mode) -> SessionBuilder {
        self.session.mode = mode;
        self
    }

    /// Sets the interrupt by which another thread can stop evaluations [default: a new one].
    pub fn interrupt(mut self, interrupt: Interrupt) -> SessionBuilder {
        self.session.interrupt = interrupt;
        self
    }

    /// Sets the limits on the time, memory, size and depth of evaluations [default: [`Limits::default`]].
    pub fn limits(mut self, limits: Limits) -> SessionBuilder {
        self.session.limits = limits;
        self
    }

    /// Sets which files programs may read besides those of modules [default: none].
    pub fn permissions(mut self, permissions: Permissions) -> SessionBuilder {
        self.session.set_permissions(permissions);
        self
    }

    /// Sets the directories to search for modules, the most important first [default: none]. Modules load on first use.
    pub fn module_path(mut self, path: impl IntoIterator<Item = impl Into<PathBuf>>) -> SessionBuilder {
        self.session.set_modules(path.into_iter().map(Into::into).collect(), None);
        self
    }

    /// Sets `$facts` and a variable for each fact [default: none].
    pub fn facts<K: Into<Value>, V: Into<Value>>(mut self, facts: impl IntoIterator<Item = (K, V)>) -> SessionBuilder {
        let facts: Hash = facts.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        self.session.set_facts(&facts);
        self
    }

    /// Sets the layers of data that `lookup` searches; earlier layers take precedence [default: none].
    pub fn data(mut self, layers: impl IntoIterator<Item = Hash>) -> SessionBuilder {
        self.session.set_data(layers.into_iter().collect());
        self
    }

    /// Adds a function that programs can call. `signature` is its name and parameter list in Puppet code; `body` is
    /// called with one value for each parameter. Arguments and result are checked against the types in the signature.
    ///
    /// ```
    /// use pcore::session::Session;
    /// use pcore::value::Value;
    ///
    /// let mut session = Session::builder()
    ///     .function("acme::double(Integer $number) >> Integer", |arguments| match arguments {
    ///         [Value::Integer(number)] => Ok(Value::from(number * 2)),
    ///         _ => unreachable!("the signature takes one Integer"),
    ///     })?
    ///     .build();
    /// assert_eq!(session.eval("[1, 2].map |$n| { acme::double($n) }")?.to_string(), "[2, 4]");
    /// assert!(session.eval("acme::double('a')").is_err());
    /// # Ok::<(), pcore::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if `signature` has a syntax error.
    pub fn function(
        mut self,
        signature: &str,
        body: impl Fn(&[Value]) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Result<SessionBuilder, Error> {
        self.session.environment.define_host_function(signature, Arc::new(body))?;
        Ok(self)
    }

    /// Sets a variable that programs can read.
    pub fn variable(mut self, name: &str, value: impl Into<Value>) -> SessionBuilder {
        self.session.set_variable(name, value.into());
        self
    }

    /// Returns the configured session.
    pub fn build(self) -> Session {
        self.session
    }
}
