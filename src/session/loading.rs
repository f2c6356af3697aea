//! Files in a session: what they define, and how to reload them.

use std::{collections::HashSet, path::Path, sync::Arc};

use indexmap::IndexMap;

use super::{Error, Listener, Session, Source, Strictness, Value};
use crate::data::{self, Format};
use crate::eval::ProgramState;
use crate::files;

/// The files that were loaded, by path, with the names that each defined: `Port`, `double()`, `web`, `$x`.
pub(super) type LoadedFiles = IndexMap<String, Vec<String>>;

/// The definitions of a session at some point, to restore them.
#[derive(Debug)]
pub struct Checkpoint {
    definitions: ProgramState,
    loaded: LoadedFiles,
}

impl Session {
    /// Remembers everything that is defined.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { definitions: self.environment.program.clone(), loaded: self.loaded.clone() }
    }

    /// Restores the definitions of a checkpoint of this session.
    pub fn restore(&mut self, checkpoint: Checkpoint) {
        self.environment.program = checkpoint.definitions;
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
        if let Some(earlier) = self.loaded.get_mut(file.name()).map(std::mem::take) {
            self.environment.forget_files();
            for name in earlier {
                self.unset(&name);
            }
        }
        let before: HashSet<String> = self.defined().collect();
        let result = self.evaluate(file, listen);
        let names = self.defined().filter(|name| !before.contains(name)).collect();
        self.loaded.insert(file.name().to_owned(), names);
        result
    }

    /// The value of a YAML or JSON file that programs may read; `None` if it is not the path of one.
    pub(crate) fn data_of_file(&self, path: &str) -> Option<Result<Value, Error>> {
        let format = Format::of_path(Path::new(path))?;
        let read = || {
            let file = self.environment.find_file(Path::new(path))?;
            let file = file.ok_or_else(|| Error::runtime(format!("`{path}` does not exist")))?;
            Ok(data::read(format, &Source::new(path, files::read_text(&file, &format!("`{path}`"))?))?.value)
        };
        Some(read())
    }

    /// Makes a value that of a new variable, or the last result.
    #[doc(hidden)] // for the program
    pub fn keep(&mut self, variable: Option<&str>, value: Value) -> Result<(), Error> {
        match variable {
            None => self.remember(value),
            Some(name) if self.variable(name).is_some() => {
                let error = Error::new("ILLEGAL_REASSIGNMENT", format!("cannot reassign variable ${name}"));
                return Err(error.with_help(format!("`:unset ${name}` removes it")));
            }
            Some(name) => self.set_variable(name, value),
        }
        Ok(())
    }

    /// Reads the data of `lookup`, so that its keys can be offered.
    #[doc(hidden)] // for the program
    pub fn read_data(&mut self) {
        if self.environment.state.directory.is_some() {
            let strictness = std::mem::replace(&mut self.strictness, Strictness::Off);
            let _ = self.eval("lookup('data', Any, 'unique', undef)"); // What is wrong is said where it is used.
            self.strictness = strictness;
        }
    }

    /// The definitions of the file that was loaded under this path, as one line; `None` if there are none.
    #[doc(hidden)] // for the program
    pub fn defined_by(&self, path: &str) -> Option<String> {
        const SHOWN: usize = 8;
        let names = self.loaded.get(path).filter(|names| !names.is_empty())?;
        Some(match names.split_at_checked(SHOWN) {
            Some((shown, [_, ..])) => {
                format!("{path} defines {} and {} more", shown.join(", "), names.len() - SHOWN)
            }
            _ => format!("{path} defines {}", names.join(", ")),
        })
    }

    /// Everything that is defined, by kind and then by name.
    pub(super) fn defined(&self) -> impl Iterator<Item = String> {
        let functions = self.functions().into_iter().map(|name| format!("{name}()"));
        let mut variables: Vec<String> = self.named_variables().map(|(name, _)| format!("${name}")).collect();
        variables.sort_unstable();
        self.aliases().into_iter().chain(functions).chain(self.resource_definitions()).chain(variables)
    }
}
