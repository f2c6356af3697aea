//! Loads files into a session and keeps track of their definitions, so that they can be loaded again.

use std::{collections::HashSet, path::Path, sync::Arc};

use indexmap::IndexMap;

use super::{Error, Listener, Session, Source, Strictness, Value};
use crate::data::{self, Format};
use crate::eval::ProgramState;
use crate::files;

/// The files that were loaded, by path, with the names that each defined: `Port`, `double()`, `web`, `$x`.
pub(super) type LoadedFiles = IndexMap<String, Vec<String>>;

/// A snapshot of the definitions of a session, with which they can be restored.
#[derive(Debug)]
pub struct Checkpoint {
    definitions: ProgramState,
    loaded_files: LoadedFiles,
}

impl Session {
    /// Returns a snapshot of everything that is defined.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { definitions: self.environment.program.clone(), loaded_files: self.loaded_files.clone() }
    }

    /// Restores the definitions of a checkpoint of this session.
    pub fn restore(&mut self, checkpoint: Checkpoint) {
        self.environment.program = checkpoint.definitions;
        self.loaded_files = checkpoint.loaded_files;
    }

    /// Forgets the definitions in files of modules. A file is read again when a program next uses a name it defines.
    #[doc(hidden)] // for the program
    pub fn forget_modules(&mut self) {
        self.environment.forget_module_files();
    }

    /// Evaluates a file and returns the value of its last expression. If the file was loaded before, first removes what
    /// it defined, and forgets the files of modules, which are read again when a program next uses them.
    ///
    /// # Errors
    /// As for [`Session::evaluate`].
    pub fn load(&mut self, file: &Arc<Source>, listen: &mut Listener<'_>) -> Result<Value, Error> {
        if let Some(earlier) = self.loaded_files.get_mut(file.name()).map(std::mem::take) {
            self.environment.forget_module_files();
            for name in earlier {
                self.unset(&name);
            }
        }
        let before: HashSet<String> = self.defined_names().collect();
        let result = self.evaluate(file, listen);
        let names = self.defined_names().filter(|name| !before.contains(name)).collect();
        self.loaded_files.insert(file.name().to_owned(), names);
        result
    }

    /// Reads a YAML or JSON file that programs may read; returns `None` if `path` has another extension.
    pub(crate) fn data_of_file(&self, path: &str) -> Option<Result<Value, Error>> {
        let format = Format::from_path(Path::new(path))?;
        let read = || {
            let file = self.environment.find_readable_file(Path::new(path))?;
            let file = file.ok_or_else(|| Error::runtime(format!("`{path}` does not exist")))?;
            Ok(data::read(format, &Source::new(path, files::read_file_text(&file, &format!("`{path}`"))?))?.value)
        };
        Some(read())
    }

    /// Stores `value` in a new variable or, if `variable` is `None`, as the last result. Fails if the variable exists.
    #[doc(hidden)] // for the program
    pub fn store_value(&mut self, variable: Option<&str>, value: Value) -> Result<(), Error> {
        match variable {
            None => self.store_result(value),
            Some(name) if self.variable(name).is_some() => {
                let error = Error::new("ILLEGAL_REASSIGNMENT", format!("cannot reassign variable ${name}"));
                return Err(error.with_help(format!("`:unset ${name}` removes it")));
            }
            Some(name) => self.set_variable(name, value),
        }
        Ok(())
    }

    /// Reads all data that `lookup` can find, so that completion can offer the keys.
    #[doc(hidden)] // for the program
    pub fn preload_hiera_data(&mut self) {
        if self.environment.state.environment_directory.is_some() {
            let strictness = std::mem::replace(&mut self.strictness, Strictness::Off);
            let _ = self.eval("lookup('data', Any, 'unique', undef)"); // What is wrong is said where it is used.
            self.strictness = strictness;
        }
    }

    /// Describes in one line what the file that was loaded from `path` defined; `None` if it defined nothing.
    #[doc(hidden)] // for the program
    pub fn describe_loaded_file(&self, path: &str) -> Option<String> {
        const MAX_SHOWN_NAMES: usize = 8;
        let names = self.loaded_files.get(path).filter(|names| !names.is_empty())?;
        Some(match names.split_at_checked(MAX_SHOWN_NAMES) {
            Some((shown, [_, ..])) => {
                format!("{path} defines {} and {} more", shown.join(", "), names.len() - MAX_SHOWN_NAMES)
            }
            _ => format!("{path} defines {}", names.join(", ")),
        })
    }

    /// Returns the names of all aliases, functions, classes, defined types and variables, as `:unset` accepts them.
    pub(super) fn defined_names(&self) -> impl Iterator<Item = String> {
        let functions = self.functions().into_iter().map(|name| format!("{name}()"));
        let mut variables: Vec<String> = self.user_variables().map(|(name, _)| format!("${name}")).collect();
        variables.sort_unstable();
        self.aliases().into_iter().chain(functions).chain(self.resource_definitions()).chain(variables)
    }
}
