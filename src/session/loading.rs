//! Files in a session: what they define, and how to reload them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Listener, Session};
use crate::error::Error;
use crate::eval::ProgramState;
use crate::text::Source;
use crate::value::Value;

#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub(super) path: String,
    pub(super) names: BTreeSet<Name>,
}

/// What a name is bound to, as it is written in lists.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// `Port`
    Alias(String),
    /// `double()`
    Function(String),
    /// `foo`, a class or defined type
    Resource(String),
    /// `$x`
    Variable(String),
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Alias(name) | Name::Resource(name) => f.write_str(name),
            Name::Function(name) => write!(f, "{name}()"),
            Name::Variable(name) => write!(f, "${name}"),
        }
    }
}

/// What a session knew at some time, to go back to.
#[derive(Debug)]
pub struct Checkpoint {
    definitions: ProgramState,
    loaded: Vec<Loaded>,
}

impl Session {
    /// Remembers everything that is defined.
    ///
    /// ```
    /// use pcore::session::Session;
    /// let mut session = Session::default();
    /// session.eval("$x = 1")?;
    /// let before = session.checkpoint();
    /// session.eval("$y = 2")?;
    /// session.restore(before);
    /// assert_eq!((session.variable("x").is_some(), session.variable("y")), (true, None));
    /// # Ok::<(), pcore::error::Error>(())
    /// ```
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { definitions: self.environment.definitions(), loaded: self.loaded.clone() }
    }

    /// Makes the definitions those of a checkpoint of this session.
    pub fn restore(&mut self, checkpoint: Checkpoint) {
        self.environment.restore(checkpoint.definitions);
        self.loaded = checkpoint.loaded;
    }

    /// Forgets what files of modules have defined, so that they are read again when a program names it.
    #[doc(hidden)] // for the program
    pub fn forget_modules(&mut self) {
        self.environment.forget_files();
    }

    /// Evaluates a file. What it defined when it was last loaded is freed first, so that it can define it anew; the
    /// files of modules are read again, too, when a program names what is in them.
    ///
    /// # Errors
    /// As for [`Session::evaluate`].
    pub fn load(&mut self, file: &Arc<Source>, listen: &mut Listener<'_>) -> Result<Value, Error> {
        if let Some(earlier) = self.loaded.iter_mut().find(|loaded| loaded.path == file.name()) {
            self.environment.forget_files();
            for name in std::mem::take(&mut earlier.names) {
                self.free(&name);
            }
        }
        let before = self.defined();
        let result = self.evaluate(file, listen);
        let names = self.defined().difference(&before).cloned().collect();
        match self.loaded.iter_mut().find(|loaded| loaded.path == file.name()) {
            Some(earlier) => earlier.names = names,
            None => self.loaded.push(Loaded { path: file.name().to_owned(), names }),
        }
        result
    }

    /// What the file that was loaded under this path has defined, in a few words; `None` if that is nothing.
    #[doc(hidden)] // for the program
    pub fn defined_by(&self, path: &str) -> Option<String> {
        /// More would be a list that nobody reads.
        const SHOWN: usize = 8;
        let names = &self.loaded.iter().find(|loaded| loaded.path == path)?.names;
        let shown: Vec<String> = names.iter().take(SHOWN).map(Name::to_string).collect();
        match names.len() {
            0 => None,
            1..=SHOWN => Some(format!("{path} defines {}", shown.join(", "))),
            all => Some(format!("{path} defines {} and {} more", shown.join(", "), all - SHOWN)),
        }
    }

    fn defined(&self) -> BTreeSet<Name> {
        let variables = self.named_variables().map(|(name, _)| Name::Variable(name.to_owned()));
        let aliases = self.aliases().into_iter().map(Name::Alias);
        let functions = self.functions().into_iter().map(Name::Function);
        let resources = self.resource_definitions().into_iter().map(Name::Resource);
        variables.chain(aliases).chain(functions).chain(resources).collect()
    }

    fn free(&mut self, name: &Name) -> bool {
        match name {
            Name::Alias(name) => self.unset_alias(name),
            Name::Function(name) => self.unset_function(name),
            Name::Resource(name) => self.unset_resource_definition(name),
            Name::Variable(name) => self.unset_variable(name),
        }
    }
}
