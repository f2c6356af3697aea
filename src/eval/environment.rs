//! The environment: the variables, aliases, functions and settings that outlive a program.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, LambdaCode};
use super::modules::{AutoloadKind, ModuleLoader};
use super::{Strictness, declared::Declaration, error::EvalError, frame::GlobalVariables};
use crate::error::Error;
use crate::files::Permissions;
use crate::functions;
use crate::interrupt::Interrupt;
use crate::operators::matching::MatchVariables;
use crate::text::Source;
use crate::types::{self, AliasType, Type};
use crate::value::Value;
use crate::wording::nearest;

/// The state that all programs of a session share: definitions, variables, settings and modules.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    pub(crate) strictness: Strictness,
    /// Whether errors are discarded, so that suggestions for them need not be computed.
    pub(super) discards_errors: bool,
    pub(crate) interrupt: Interrupt,
    /// The match variables at the start of the next program: those of the last successful match at top level.
    pub(super) last_match_variables: Option<Arc<MatchVariables>>,
    /// The files that programs may read in addition to those of modules.
    pub(crate) permissions: Permissions,
    pub(crate) state: functions::RuntimeState,
    pub(super) host_functions: Functions,
    pub(crate) program: ProgramState,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramState {
    pub(crate) globals: GlobalVariables,
    pub(crate) modules: ModuleLoader,
    /// The names whose files in modules were looked for, whether or not they exist.
    pub(super) tried_names: FxHashSet<(AutoloadKind, String)>,
    /// The definitions that have been loaded from files of modules.
    pub(super) loaded_definitions: Vec<(AutoloadKind, String)>,
    pub(super) aliases: FxHashMap<String, AliasDefinition>,
    pub(super) functions: Arc<Functions>,
    /// The names of all functions that programs and the host define, including those not compiled yet.
    pub(super) function_names: FxHashSet<String>,
    /// Classes and defined types by their names in lower case.
    pub(super) classes_and_defines: FxHashMap<String, Arc<Declaration>>,
}

pub(super) type Functions = FxHashMap<String, Arc<LambdaCode>>;

/// `type Port = Integer[1, 65535]`
#[derive(Clone, Debug)]
pub(super) struct AliasDefinition {
    pub(super) type_: Arc<AliasType>,
    pub(super) source: Arc<Source>,
    /// The code after `=`; `None` once it has been evaluated successfully.
    pub(super) pending_code: Option<Arc<Code>>,
    /// The resolved type, cached at the first use.
    pub(super) cached_type: Option<Value>,
    /// Whether the alias names a new Object type, as `type Point = Object[{…}]` does.
    pub(super) defines_object: bool,
    /// For a type set: the full names of the type sets that it refers to, by their names in this set.
    pub(super) references: FxHashMap<String, Arc<str>>,
}

/// The definition of a type alias: a resolved type, or its source if the alias has not been used yet.
#[derive(Clone, Debug)]
pub enum Definition {
    /// The alias, resolved by its first use or, if it contains built-in types only, by its definition.
    Type(Type),
    /// The source after `=`, before the first use.
    Text(String),
}

impl Environment {
    pub(crate) fn alias_definition(&self, name: &str) -> Option<Definition> {
        let alias = self.program.aliases.get(&name.to_lowercase())?;
        match &alias.pending_code {
            _ if alias.type_.resolved().is_some() => Some(Definition::Type(Type::Alias(alias.type_.clone()))),
            Some(code) => Some(Definition::Text(alias.source.slice(code.span).to_owned())),
            None => None,
        }
    }

    /// Returns the cached type of the alias with the lower-case name `key`; `None` before the first use.
    pub(super) fn cached_alias_type(&self, key: &str) -> Option<&Value> {
        self.program.aliases.get(key)?.cached_type.as_ref()
    }

    /// Returns the full name of `type_` in the type set `set`, following references to other type sets.
    ///
    /// Observed: Puppet 7.23, through any number of references.
    pub(super) fn full_name_in_set(&mut self, mut set: Arc<str>, mut type_: &str) -> Arc<str> {
        loop {
            let (first, rest) = type_.split_once("::").unwrap_or((type_, ""));
            // Whoever uses the set meets the error of its file.
            let _ = self.load_definition(AutoloadKind::Type, &set);
            match self.program.aliases.get(&set.to_lowercase()).and_then(|alias| alias.references.get(first)) {
                Some(other) if rest.is_empty() => return other.clone(),
                Some(other) => (set, type_) = (other.clone(), rest),
                None => return format!("{set}::{type_}").into(),
            }
        }
    }

    pub(crate) fn unknown_type_error(&self, name: &str) -> Error {
        if self.discards_errors {
            return EvalError::UnknownType { name: name.to_owned(), near: None, missing: None }.into();
        }
        let rows = types::nameable_type_rows().map(|row| row.name);
        let resources = Type::core_resource_names().iter().copied();
        let mut aliases = self.alias_names();
        if name.contains("::") {
            aliases.extend(self.program.modules.type_alias_names());
        }
        let names = rows.chain(resources).chain(aliases.iter().map(String::as_str));
        // What is in a namespace is not meant to be outside of any.
        let near = nearest(name, names.filter(|near| near.contains("::") == name.contains("::")));
        let module = name.split_once("::").map(|(module, _)| module.to_lowercase());
        let missing = module.filter(|module| near.is_none() && self.program.modules.module_directory(module).is_none());
        EvalError::UnknownType { name: name.to_owned(), near: near.map(str::to_owned), missing }.into()
    }

    /// Whether `name` is a type, an alias, a class or a defined type; loads it from a module if necessary. Also true if
    /// the file in the module has an error; the use of the type reports that error.
    pub(crate) fn knows_type(&mut self, name: &str) -> bool {
        let name = name.trim_start_matches("::");
        self.load_definition(AutoloadKind::Type, name).is_err()
            || self.is_defined(AutoloadKind::Type, name)
            || self.find_class_or_define(name).map_or(true, |found| found.is_some())
    }

    pub(crate) fn function_parameter_list(&self, name: &str) -> Option<String> {
        Some(self.program.functions.get(name).or_else(|| self.host_functions.get(name))?.parameter_list_source())
    }

    pub(crate) fn match_variables(&self) -> Vec<Value> {
        self.last_match_variables.as_ref().map(|found| found.all_group_values().collect()).unwrap_or_default()
    }

    pub(crate) fn set_module_path(&mut self, path: Vec<PathBuf>, own: Option<(String, PathBuf)>) {
        self.program.modules.module_path = path;
        self.program.modules.own_module = own;
        self.forget_module_files();
    }

    pub(crate) fn copy_modules_and_data_from(&mut self, other: &Environment) {
        self.program.modules = other.program.modules.clone();
        self.state.lookup_data.clone_from(&other.state.lookup_data);
        self.state.environment_directory.clone_from(&other.state.environment_directory);
        self.permissions.clone_from(&other.permissions);
        self.host_functions.clone_from(&other.host_functions);
        self.program.function_names.extend(other.host_functions.keys().cloned());
    }

    /// Clears the types of recursive aliases: such a type refers to itself and would never be freed.
    pub(crate) fn clear_recursive_aliases(&self) {
        for alias in self.program.aliases.values() {
            alias.type_.drop_cyclic_type();
        }
    }

    pub(crate) fn class_and_define_names(&self) -> Vec<String> {
        sorted_unique(self.program.classes_and_defines.keys().cloned())
    }

    pub(crate) fn parameter_names_by_class(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        let names = |known: &Declaration| known.parameters.iter().map(|one| one.name.to_string()).collect();
        self.program.classes_and_defines.iter().map(move |(name, known)| (name.clone(), names(known)))
    }

    /// Returns the names of all type aliases, spelled as in their definitions, in alphabetical order.
    pub(crate) fn alias_names(&self) -> Vec<String> {
        sorted_unique(self.program.aliases.values().map(|alias| alias.type_.name().to_owned()))
    }

    pub(crate) fn function_names(&self) -> Vec<String> {
        sorted_unique(self.program.functions.keys().chain(self.host_functions.keys()).cloned())
    }
}

pub(super) fn sorted_unique(names: impl IntoIterator<Item = String>) -> Vec<String> {
    names.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}
