//! What lives longer than one program: variables, aliases, functions, and how strict it is.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, LambdaCode};
use super::modules::{Kind, Modules};
use super::{Strictness, declared::Declaration, error::EvalError, frame::Globals};
use crate::error::Error;
use crate::files::Permissions;
use crate::functions;
use crate::interrupt::Interrupt;
use crate::operators::matching::MatchVariables;
use crate::text::Source;
use crate::types::{self, AliasType, Type};
use crate::value::Value;
use crate::wording::nearest;

/// Everything a program can see that was there before it.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    pub(crate) strictness: Strictness,
    /// Whether nobody reads errors, so that suggestions are not looked for.
    pub(super) is_unheard: bool,
    pub(crate) interrupt: Interrupt,
    /// What the last successful match found outside of all lambdas and functions: the match variables of the next program.
    pub(super) found: Option<Arc<MatchVariables>>,
    /// What can be read besides the modules.
    pub(crate) permissions: Permissions,
    pub(crate) state: functions::State,
    pub(super) host_functions: Functions,
    pub(crate) program: ProgramState,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramState {
    pub(crate) globals: Globals,
    pub(crate) modules: Modules,
    pub(super) aliases: FxHashMap<String, Alias>,
    pub(super) functions: Arc<Functions>,
    /// The names of all functions that programs define, also of those whose bodies are being read.
    pub(super) function_names: FxHashSet<String>,
    /// Classes and defined types, by their names in lower case.
    pub(super) resource_definitions: FxHashMap<String, Arc<Declaration>>,
}

pub(super) type Functions = FxHashMap<String, Arc<LambdaCode>>;

/// `type Port = Integer[1, 65535]`
#[derive(Clone, Debug)]
pub(super) struct Alias {
    pub(super) type_: Arc<AliasType>,
    pub(super) source: Arc<Source>,
    /// What follows `=`, until its evaluation at a use has succeeded.
    pub(super) pending: Option<Arc<Code>>,
    /// The type that the name means, once it was used.
    pub(super) known: Option<Value>,
    /// Whether it is the definition of an Object type, which gets its name from it: `type Point = Object[{…}]`.
    pub(super) defines_object: bool,
    /// For a type set: the names of the type sets that it refers to, by the names that it has for them.
    pub(super) references: FxHashMap<String, Arc<str>>,
}

/// The meaning of a type alias.
#[derive(Clone, Debug)]
pub enum Definition {
    /// The alias itself, after its first use.
    Type(Type),
    /// What was written behind `=`, before.
    Text(String),
}

impl Environment {
    /// The meaning of an alias; `None` if there is none of that name.
    pub(crate) fn alias(&self, name: &str) -> Option<Definition> {
        let alias = self.program.aliases.get(&name.to_lowercase())?;
        match &alias.pending {
            _ if alias.type_.resolved().is_some() => Some(Definition::Type(Type::Alias(alias.type_.clone()))),
            Some(code) => Some(Definition::Text(alias.source.slice(code.span).to_owned())),
            None => None,
        }
    }

    /// The type that the name of an alias means, if it was used before; `key` is the name in lower case.
    pub(super) fn known_alias(&self, key: &str) -> Option<&Value> {
        self.program.aliases.get(key)?.known.as_ref()
    }

    /// The full name of what a set calls `type_`: one of its types, a set that it refers to, or what that calls the rest.
    ///
    /// Observed: Puppet 7.23, through any number of references.
    pub(super) fn in_set(&mut self, mut set: Arc<str>, mut type_: &str) -> Arc<str> {
        loop {
            let (first, rest) = type_.split_once("::").unwrap_or((type_, ""));
            let key = set.to_lowercase();
            if !self.program.aliases.contains_key(&key) {
                // Whoever uses the set meets the error of its file.
                let _ = self.load(Kind::Type, &set);
            }
            match self.program.aliases.get(&key).and_then(|alias| alias.references.get(first)) {
                Some(other) if rest.is_empty() => return other.clone(),
                Some(other) => (set, type_) = (other.clone(), rest),
                None => return format!("{set}::{type_}").into(),
            }
        }
    }

    pub(crate) fn unknown_type(&self, name: &str) -> Error {
        if self.is_unheard {
            return EvalError::UnknownType { name: name.to_owned(), near: None, missing: None }.into();
        }
        let rows = types::visible().map(|row| row.name);
        let resources = Type::core_resource_names().iter().copied();
        let mut aliases = self.alias_names();
        if name.contains("::") {
            aliases.extend(self.program.modules.type_names());
        }
        let names = rows.chain(resources).chain(aliases.iter().map(String::as_str));
        // What is in a namespace is not meant to be outside of any.
        let near = nearest(name, names.filter(|near| near.contains("::") == name.contains("::")));
        let module = name.split_once("::").map(|(module, _)| module.to_lowercase());
        let missing = module.filter(|module| near.is_none() && self.program.modules.directory(module).is_none());
        EvalError::UnknownType { name: name.to_owned(), near: near.map(str::to_owned), missing }.into()
    }

    /// Whether a name is that of a type, an alias, a class or a defined type, which may be in the file of a module; an
    /// error in such a file is reported where the type is used.
    pub(crate) fn knows_type(&mut self, name: &str) -> bool {
        let name = name.trim_start_matches("::");
        Type::named(name).is_some()
            || self.program.aliases.contains_key(&name.to_lowercase())
            || self.load(Kind::Type, name).is_err()
            || self.program.aliases.contains_key(&name.to_lowercase())
            || self.resource_definition(name).map_or(true, |found| found.is_some())
    }

    /// The parameters of a function that a program defined, as they were written.
    pub(crate) fn signature(&self, name: &str) -> Option<String> {
        Some(self.program.functions.get(name).or_else(|| self.host_functions.get(name))?.signature())
    }

    pub(crate) fn match_variables(&self) -> Vec<Value> {
        self.found.as_ref().map(|found| found.groups().collect()).unwrap_or_default()
    }

    /// Sets where modules are: the directories that hold them, and one that is a module itself.
    pub(crate) fn set_modules(&mut self, path: Vec<PathBuf>, own: Option<(String, PathBuf)>) {
        self.program.modules.path = path;
        self.program.modules.own = own;
        self.forget_files();
    }

    /// Shows the modules, the data and the functions of the host that `other` sees.
    pub(crate) fn see_what_is_seen_by(&mut self, other: &Environment) {
        let modules = &other.program.modules;
        self.set_modules(modules.path.clone(), modules.own.clone());
        self.program.modules.shared_type_names.clone_from(&modules.shared_type_names);
        self.program.modules.trees.clone_from(&modules.trees);
        self.program.modules.indexed_types.clone_from(&modules.indexed_types);
        self.state.data.clone_from(&other.state.data);
        self.state.directory.clone_from(&other.state.directory);
        self.permissions.clone_from(&other.permissions);
        self.host_functions.clone_from(&other.host_functions);
        self.program.function_names.extend(other.host_functions.keys().cloned());
    }

    /// Takes away the types of the aliases that keep themselves alive.
    pub(crate) fn revoke_aliases(&self) {
        for alias in self.program.aliases.values() {
            alias.type_.revoke();
        }
    }

    /// The names of the classes and defined types that programs defined, in alphabetical order.
    pub(crate) fn resource_definition_names(&self) -> Vec<String> {
        sorted(self.program.resource_definitions.keys().cloned())
    }

    /// The names of the parameters of all classes and defined types that are known.
    pub(crate) fn class_parameters(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        let names = |known: &Declaration| known.parameters.iter().map(|one| one.name.to_string()).collect();
        self.program.resource_definitions.iter().map(move |(name, known)| (name.clone(), names(known)))
    }

    /// The names of all aliases as they were defined, in alphabetical order.
    pub(crate) fn alias_names(&self) -> Vec<String> {
        sorted(self.program.aliases.values().map(|alias| alias.type_.name().to_owned()))
    }

    /// The names of the functions that programs defined, in alphabetical order.
    pub(crate) fn function_names(&self) -> Vec<String> {
        sorted(self.program.functions.keys().chain(self.host_functions.keys()).cloned())
    }
}

/// The names in alphabetical order, each once.
pub(super) fn sorted(names: impl IntoIterator<Item = String>) -> Vec<String> {
    names.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}
