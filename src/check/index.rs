//! An index of the declarations in installed modules and checked files: classes, defined types, functions, resource
//! types and facts. The Puppet files of a module are parsed when one of its names is first looked up.
//!
//! No code is evaluated. Ruby files are searched with regular expressions.

use std::collections::BTreeSet;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

use super::interface::{self, Interface, ItemKind};
use super::program::{
    DefinitionEntry, NameKind, assigned_variables, find_definitions, module_of_name, normalize_name, titles_in_tree,
};
use super::ruby::{self, RubyFunction};
use super::{Program, UncheckedReason, attributes, metadata::supports_puppet_8, ruby_types::RubyType};
use crate::error::Error;
use crate::eval::{Declaration, Environment, core_facts, display_path};
use crate::files::{self, files_below};
use crate::syntax;
use crate::syntax::tree::{Definition, DefinitionKind, Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::EcoString;
use crate::wording::{capitalize_segments, did_you_mean, nearest};

const TRUSTED_KEYS: [&str; 6] = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];

#[derive(Debug)]
pub(super) struct IndexEntry {
    pub(super) declaration: Declaration,
    pub(super) tree: Arc<Tree>,
    pub(super) id: Id,
    /// The class after `inherits`, in lower case and without leading colons.
    pub(super) parent_class: Option<String>,
    pub(super) assigned: Arc<FxHashSet<EcoString>>,
    /// The types of the parameters, in order; `None` for a type that cannot be resolved.
    pub(super) types: Vec<Option<Type>>,
    pub(super) return_type: Type,
}

impl IndexEntry {
    fn from_definition(tree: &Arc<Tree>, defined: &DefinitionEntry, environment: &mut Environment) -> IndexEntry {
        let id = defined.id;
        let definition = definition_at(tree, id);
        let parent = definition.parent.as_deref().map(|name| normalize_name(name).into_owned());
        // Scanning the nodes in order first brings them into the cache for the steps below.
        let assigned = Arc::new(assigned_variables(tree, definition.body));
        let declaration = Declaration::from_definition(definition, tree, environment);
        let types =
            declaration.parameters.iter().map(|one| environment.parameter_type(&declaration, one).ok()).collect();
        let return_type = environment.declared_return_type(&declaration).unwrap_or_else(|_| Type::any());
        IndexEntry { declaration, tree: tree.clone(), id, parent_class: parent, assigned, types, return_type }
    }

    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.declaration.parameter_named(name).is_some() || self.assigned.contains(name)
    }

    pub(super) fn definition_node(&self) -> &Definition {
        definition_at(&self.tree, self.id)
    }

    /// Returns the file and the line of the definition: `modules/web/manifests/init.pp:3`.
    pub(super) fn file_and_line(&self) -> String {
        self.file_and_line_of_span(self.definition_node().name_span)
    }

    pub(super) fn file_and_line_of_span(&self, span: Span) -> String {
        format!("{}:{}", self.tree.source.name(), self.tree.source.position(span.start as usize).line)
    }
}

pub(super) fn definition_at(tree: &Tree, id: Id) -> &Definition {
    let Expression::Definition(definition) = &tree[id].expression else { unreachable!("only definitions are indexed") };
    definition
}

/// Puppet definitions by their lower-case names.
type DefinitionMap = IndexMap<EcoString, LazyDefinition>;

/// A definition that is analyzed when it is first looked up.
#[derive(Debug)]
pub(super) struct LazyDefinition {
    tree: Arc<Tree>,
    definition_entry: DefinitionEntry,
    index_entry: OnceLock<Arc<IndexEntry>>,
}

impl LazyDefinition {
    fn analyze(&self, environment: &mut Environment) -> Arc<IndexEntry> {
        let entry = || Arc::new(IndexEntry::from_definition(&self.tree, &self.definition_entry, environment));
        self.index_entry.get_or_init(entry).clone()
    }
}

#[derive(Debug, Default)]
pub(super) struct ModuleDefinitions {
    pub(super) resources: DefinitionMap,
    pub(super) functions: DefinitionMap,
    /// Whether some Puppet files of the module cannot be parsed, so that definitions may be missing.
    pub(super) is_partial: bool,
    repeated_names: FxHashSet<EcoString>,
}

#[derive(Debug, Default)]
pub(super) struct RubyDeclarations {
    pub(super) functions: FxHashMap<String, RubyFunction>,
    pub(super) types: FxHashMap<String, RubyType>,
    fact_files: Vec<PathBuf>,
    fact_names: OnceLock<FxHashSet<String>>,
}

#[derive(Debug, Default)]
pub(super) struct Index {
    /// The name and the directory of each installed module, in the order of precedence.
    pub(super) module_directories: Vec<(String, PathBuf)>,
    /// The name of the module in each directory. The paths contain no symbolic links.
    pub(super) modules_by_directory: FxHashMap<PathBuf, String>,
    pub(super) own: Option<String>,
    /// The dependencies in `metadata.json` of the checked module, or, for a project with a `Puppetfile`, those of all
    /// its modules; `None` if they are not known.
    dependencies: OnceLock<Option<Vec<String>>>,
    /// The modules listed in the `Puppetfile`; `None` without a `Puppetfile`.
    pub(super) puppetfile_modules: Option<FxHashSet<String>>,
    modules: FxHashMap<String, Option<Arc<ModuleDefinitions>>>,
    /// The definitions in the checked files, by module name.
    checked: FxHashMap<EcoString, ModuleDefinitions>,
    /// A cache of [`Index::suggest_type_name`]. Checking 1,500 files that use 1,200 types of a missing
    /// module takes seven times as long without it.
    type_suggestions: FxHashMap<String, Option<String>>,
    /// The paths of the checked files, without symbolic links, and whether each file can be parsed.
    checked_files: FxHashMap<PathBuf, bool>,
    /// The declarations in Ruby files, read on first use and shared between threads that check the same modules.
    pub(super) ruby_declarations: Arc<OnceLock<Arc<RubyDeclarations>>>,
    /// The known interfaces of modules, used for modules that are not installed.
    pub(super) interfaces: Arc<[Interface]>,
    pub(super) top_variables: FxHashSet<EcoString>,
    /// The titles and other names in programs ([`Program::titles`]), by kind and by result of [`normalize_title`].
    titles_by_kind: FxHashMap<NameKind, FxHashMap<String, FxHashSet<EcoString>>>,
    /// Whether the titles in manifests that are not checked have been added to `titles_by_kind`.
    has_all_titles: bool,
}

/// Returns a title in lower case, without hyphens, underscores and spaces, so that similar titles become equal.
fn normalize_title(title: &str) -> String {
    title.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

impl Index {
    pub(super) fn new(environment: &Environment) -> Index {
        let directories = environment.program.modules.module_directories();
        let real = |(name, directory): &(String, PathBuf)| Some((directory.canonicalize().ok()?, name.clone()));
        Index {
            own: environment.program.modules.own_module.as_ref().map(|(name, _)| name.clone()),
            // The best of several names for a directory comes last.
            modules_by_directory: directories.iter().rev().filter_map(real).collect(),
            module_directories: directories,
            ..Index::default()
        }
    }

    pub(super) fn add_program(&mut self, program: &Program, environment: &mut Environment) {
        self.type_suggestions.clear();
        if let Ok(file) = Path::new(program.source.name()).canonicalize() {
            self.checked_files.insert(file, program.tree.is_ok());
        }
        let Ok(tree) = &program.tree else { return };
        environment.register_parsed_file(tree);
        self.add_titles(program.titles.iter().cloned());
        for defined in program.definitions.iter().rev() {
            self.checked.entry(module_of_name(&defined.name).into()).or_default().add_definition(tree, defined);
        }
        self.top_variables.extend(program.top_variables.iter().cloned());
    }

    pub(super) fn module_and_relative_path(&self, file: &str) -> Option<(&str, PathBuf)> {
        let file = Path::new(file).canonicalize().ok()?;
        let place = |folder: &Path| {
            Some((&**self.modules_by_directory.get(folder)?, file.strip_prefix(folder).ok()?.to_owned()))
        };
        file.ancestors().find_map(place)
    }

    /// Returns whether the checked file at this path can be parsed, or `None` if the file is not checked.
    pub(super) fn is_checked_file_valid(&self, file: &Path) -> Option<bool> {
        self.checked_files.get(&file.canonicalize().ok()?).copied()
    }

    /// Returns the names of the classes of a module, sorted.
    pub(super) fn class_names_of_module(&mut self, module: &str) -> Vec<String> {
        let files = self.module_definitions(module);
        let definitions = files.as_deref().into_iter().chain(self.checked.get(module)).flat_map(|one| &one.resources);
        let classes = definitions.filter(|(_, lazy)| lazy.definition_entry.kind == DefinitionKind::Class);
        classes.map(|(name, _)| name.to_string()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn add_titles(&mut self, titles: impl IntoIterator<Item = (NameKind, EcoString)>) {
        for (named, title) in titles {
            self.titles_by_kind.entry(named).or_default().entry(normalize_title(&title)).or_default().insert(title);
        }
    }

    /// Adds the titles in manifests that are not checked: those of all modules and of the environments with modules.
    pub(super) fn add_unchecked_titles(&mut self) {
        let is_first = !std::mem::replace(&mut self.has_all_titles, true);
        let around = |directory: &'_ PathBuf| Some(directory.parent()?.parent()?.to_owned());
        let modules = self.module_directories.iter().filter(|_| is_first).map(|(_, directory)| directory);
        let folders: FxHashSet<PathBuf> = modules.flat_map(|one| [Some(one.clone()), around(one)]).flatten().collect();
        let files = folders.iter().flat_map(|folder| files_below(&folder.join("manifests"), Some("pp")));
        let unseen: Vec<PathBuf> = files.filter(|file| self.is_checked_file_valid(file).is_none()).collect();
        unseen.iter().filter_map(|file| parse_file(file)).for_each(|tree| self.add_titles(titles_in_tree(&tree)));
    }

    /// Returns the declared titles of a resource type that differ from `title` at most in case, `-`, `_` and spaces.
    pub(super) fn similar_titles(&self, type_name: &str, title: &str) -> Option<&FxHashSet<EcoString>> {
        self.titles_by_kind.get(&NameKind::Resource(type_name.to_owned()))?.get(&normalize_title(title))
    }

    pub(super) fn titles_of_kind(&self, named: &NameKind) -> impl Iterator<Item = &EcoString> {
        self.titles_by_kind.get(named).into_iter().flat_map(FxHashMap::values).flatten()
    }

    /// Whether a checked class or defined type of the module to which `file` belongs has a variable `name`; `None` if
    /// the file belongs to no module.
    pub(super) fn has_module_variable(&self, file: &str, name: &str, environment: &mut Environment) -> Option<bool> {
        let (module, _) = self.module_and_relative_path(file)?;
        let mut definitions = self.checked.get(module).into_iter().flat_map(|module| module.resources.values());
        Some(definitions.any(|lazy| lazy.analyze(environment).has_variable(name)))
    }

    pub(super) fn all_module_names(&self) -> BTreeSet<String> {
        self.installed_module_names().chain(self.checked.keys().map(|name| &**name)).map(str::to_owned).collect()
    }

    pub(super) fn installed_module_names(&self) -> impl Iterator<Item = &str> {
        self.module_directories.iter().map(|(name, _)| &**name)
    }

    pub(super) fn has_unparsable_files(&mut self, name: &str) -> bool {
        self.module_definitions(module_of_name(name)).is_some_and(|module| module.is_partial)
    }

    pub(super) fn module_directory(&self, module: &str) -> Option<&Path> {
        self.module_directories.iter().find(|(name, _)| name == module).map(|(_, directory)| &**directory)
    }

    /// Returns the names of required modules. Source: Puppet reference, "Module metadata": `dependencies`.
    fn project_dependencies(&self) -> Option<&[String]> {
        let all = || self.installed_module_names().filter_map(|name| self.dependencies_of_module(name)).flatten();
        let read = || match self.own.as_deref() {
            Some(own) => self.dependencies_of_module(own),
            None => self.puppetfile_modules.as_ref().map(|_| all().collect()),
        };
        self.dependencies.get_or_init(read).as_deref()
    }

    fn dependencies_of_module(&self, module: &str) -> Option<Vec<String>> {
        let metadata = self.read_module_metadata(module)?;
        let name = |dependency: &Json| Some(interface::short_module_name(dependency.get("name")?.as_str()?).to_owned());
        metadata.get("dependencies")?.as_array()?.iter().map(name).collect()
    }

    fn read_module_metadata(&self, module: &str) -> Option<Json> {
        let metadata = files::read_source_bytes(&self.module_directory(module)?.join("metadata.json")).ok()?;
        serde_json::from_slice(&metadata).ok()
    }

    /// Whether a module defines the fact at the start of `path`, or a manifest sets a top-level variable of its name.
    pub(super) fn is_custom_fact(&self, path: &str) -> bool {
        let (fact, ruby) = (path.split('.').next().unwrap_or(path), self.ruby_declarations());
        let of_files = || ruby.fact_files.iter().flat_map(|file| ruby::fact_names_in_file(file)).collect();
        self.top_variables.contains(fact) || ruby.fact_names.get_or_init(of_files).contains(fact)
    }

    /// Returns the error for a variable that Hiera interpolates, such as `facts.os.famly`, or `None` if it may exist.
    pub(super) fn hiera_variable_error(&self, name: &str, source: &Arc<Source>) -> Option<Error> {
        let name = name.trim_start_matches("::");
        let path = name.strip_prefix("facts.").unwrap_or(name);
        let key = name.strip_prefix("trusted.").map(|path| path.split('.').next().unwrap_or(path));
        if name.contains(['[', '(']) {
            let error = Error::new("UNKNOWN_VARIABLE", format!("%{{{name}}} is not a variable"));
            return Some(error.with_help("write %{name.key} for a part, and a quoted key: %{lookup('key')}"));
        }
        if let Some(key) = key.filter(|key| !TRUSTED_KEYS.contains(key)) {
            let help = did_you_mean(nearest(key, TRUSTED_KEYS))
                .unwrap_or_else(|| format!("its keys are {}", TRUSTED_KEYS.join(", ")));
            return Some(Error::new("UNKNOWN_KEY", format!("trusted has no key '{key}'")).with_help(help));
        }
        let variable = name.split('.').next().unwrap_or(name);
        let near = nearest(variable, ["facts", "trusted", "server_facts", "environment"]);
        if let Some(near) = near.filter(|near| !variable.contains(near) && !self.top_variables.contains(variable)) {
            let error = Error::new("UNKNOWN_VARIABLE", format!("no variable {variable} is known"));
            return Some(error.with_help(format!("did you mean {near}?")));
        }
        // Another variable may have any keys.
        let is_fact = path.len() < name.len() || !name.contains('.');
        let written = |path: String| path.replace("$facts['", "%{facts.").replace("']['", ".").replace("']", "}");
        self.fact_error(path, source.name(), written).filter(|_| is_fact)
    }

    /// Returns the error for a legacy or misspelt core fact at `path` in `file`. `written` formats the suggested fact.
    pub(super) fn fact_error(&self, path: &str, file: &str, written: fn(String) -> String) -> Option<Error> {
        if self.is_custom_fact(path) {
            return None;
        }
        if let Some(instead) = core_facts::expression_for_legacy_fact(path) {
            let message = format!("{path} is a legacy fact, which Puppet 8 does not have by default");
            let error = || Error::new("LEGACY_FACT", message).with_help(format!("write {}", written(instead)));
            return self.metadata_for_file(file).is_none_or(|metadata| supports_puppet_8(&metadata)).then(error);
        }
        let fact = path.split('.').next().unwrap_or(path);
        let (message, near) = match core_facts::suggest_fact_key(path) {
            Some(near) => (format!("the fact {fact} has no key '{}'", path.rsplit('.').next().unwrap_or(path)), near),
            None => (format!("no core fact is called {fact}"), core_facts::suggest_fact(path)?.to_owned()),
        };
        Some(Error::new("UNKNOWN_KEY", message).with_help(format!("did you mean '{near}'?")))
    }

    pub(super) fn metadata_for_file(&self, file: &str) -> Option<Json> {
        self.module_and_relative_path(file).and_then(|(module, _)| self.read_module_metadata(module))
    }

    /// Whether all modules listed in `metadata.json` or the `Puppetfile` are installed, so an unknown name is an error.
    pub(super) fn has_all_dependencies(&self) -> bool {
        let are_there = |all: &[String]| all.iter().all(|name| self.module_directory(name).is_some());
        (self.own.is_some() || !self.lacks_required_modules()) && self.project_dependencies().is_some_and(are_there)
    }

    pub(super) fn required_module_names(&self) -> impl Iterator<Item = &str> {
        let own = self.own.as_ref().and_then(|_| self.project_dependencies()).unwrap_or_default();
        own.iter().chain(self.puppetfile_modules.iter().flatten()).map(|name| &**name)
    }

    pub(super) fn is_required_module(&self, module: &str) -> bool {
        self.required_module_names().any(|name| name == module)
    }

    /// Whether a Puppetfile installs the modules of the project, but not `module`.
    pub(super) fn is_outside_puppetfile(&self, module: &str) -> bool {
        let is_of_enterprise = module.starts_with("pe_") || module.starts_with("puppet_enterprise");
        self.own.is_none() && self.puppetfile_modules.is_some() && !is_of_enterprise && !self.is_required_module(module)
    }

    /// Whether a module listed in `metadata.json` or the `Puppetfile` is missing, which may define any unknown name.
    pub(super) fn lacks_required_modules(&self) -> bool {
        self.required_module_names().any(|name| self.module_directory(name).is_none())
    }

    pub(super) fn module_definitions(&mut self, name: &str) -> Option<Arc<ModuleDefinitions>> {
        if let Some(known) = self.modules.get(name) {
            return known.clone();
        }
        let module = match self.module_directory(name) {
            Some(directory) => Some(self.read_module(directory)),
            None => self.interfaces.iter().find(|interface| interface.name == name).and_then(|interface| {
                let program = Source::new(format!("the index of {name}"), interface.declarations_source());
                let mut module = ModuleDefinitions::default();
                module.add_all_definitions(syntax::parse(&program).ok()?);
                Some(Arc::new(module))
            }),
        };
        self.modules.entry(name.to_owned()).or_insert(module).clone()
    }

    pub(super) fn missing_interfaces<'i>(&self, interfaces: &'i [Interface]) -> impl Iterator<Item = &'i Interface> {
        interfaces.iter().filter(|interface| self.module_directory(&interface.name).is_none())
    }

    /// Whether stdlib or a module shipped with Puppet that is not installed has an item `name` of one of the kinds
    /// `sorts`. Such a name is accepted without further checks, because the version of the module is not known.
    pub(super) fn is_in_common_module(&self, sorts: &[ItemKind], name: &str) -> bool {
        let has = |one: &Interface| sorts.iter().any(|sort| one.entries_of_kind(*sort).any(|(known, _)| known == name));
        self.missing_interfaces(interface::common_module_interfaces()).any(has)
    }

    fn read_module(&self, directory: &Path) -> Arc<ModuleDefinitions> {
        let mut module = ModuleDefinitions::default();
        let folders = ["manifests", "functions"].map(|folder| directory.join(folder));
        for file in folders.iter().flat_map(|folder| files_below(folder, Some("pp"))) {
            match self.is_checked_file_valid(&file) {
                // What a checked file declares is known.
                Some(is_readable) => module.is_partial |= !is_readable,
                None => match parse_file(&file) {
                    Some(tree) => module.add_all_definitions(tree),
                    None => module.is_partial = true,
                },
            }
        }
        Arc::new(module)
    }

    /// Returns the class or defined type called `name`, which is in lower case and without leading colons.
    pub(super) fn resource_type(&mut self, name: &str, environment: &mut Environment) -> Option<Arc<IndexEntry>> {
        self.find_definition(|module| &module.resources, name, environment)
    }

    pub(super) fn has_duplicate_definitions(&self, class: &str) -> bool {
        self.checked.get(module_of_name(class)).is_some_and(|module| module.repeated_names.contains(class))
    }

    pub(super) fn puppet_function(&mut self, name: &str, environment: &mut Environment) -> Option<Arc<IndexEntry>> {
        self.find_definition(|module| &module.functions, name, environment)
    }

    fn find_definition(
        &mut self,
        of: fn(&ModuleDefinitions) -> &DefinitionMap,
        name: &str,
        environment: &mut Environment,
    ) -> Option<Arc<IndexEntry>> {
        let module = module_of_name(name);
        let checked = self.checked.get(module).and_then(|module| of(module).get(name));
        let checked = checked.map(|lazy| lazy.analyze(environment));
        checked.or_else(|| Some(of(&*self.module_definitions(module)?).get(name)?.analyze(environment)))
    }

    /// Returns the class, defined type or resource type that `name`, which has no `::`, most likely misspells.
    pub(super) fn suggest_type_name(&mut self, name: &str) -> Option<String> {
        if let Some(known) = self.type_suggestions.get(name) {
            return known.clone();
        }
        let (core, ruby) = (attributes::core_attribute_table(), self.ruby_declarations());
        let others: Vec<&str> = core.keys().copied().chain(ruby.types.keys().map(String::as_str)).collect();
        let near = self.suggest_class_name(name, &others);
        self.type_suggestions.entry(name.to_owned()).or_insert(near).clone()
    }

    /// Returns the name that `name` most likely misspells: a class, a defined type or one of `others`.
    pub(super) fn suggest_class_name(&mut self, name: &str, others: &[&str]) -> Option<String> {
        let module = module_of_name(name);
        let of_module = self.module_definitions(module);
        // The module of a name with several parts is there, so that it is right.
        let checked = self.checked.iter().filter(|(other, _)| module == name || *other == module);
        let checked = checked.flat_map(|(_, module)| module.resources.keys()).map(|name| &**name);
        let names = of_module.iter().flat_map(|module| module.resources.keys()).map(|name| &**name);
        nearest(name, names.chain(others.iter().copied()).chain(checked)).map(str::to_owned)
    }

    pub(super) fn known_function_names(&mut self, like: &str) -> Vec<String> {
        let of_module = self.module_definitions(module_of_name(like));
        let in_puppet = of_module.as_deref().into_iter().chain(self.checked.values());
        let mut all: Vec<String> = in_puppet.flat_map(|one| one.functions.keys()).map(ToString::to_string).collect();
        all.extend(self.ruby_declarations().functions.keys().cloned());
        all
    }

    pub(super) fn ruby_declarations(&self) -> Arc<RubyDeclarations> {
        self.ruby_declarations.get_or_init(|| Arc::new(RubyDeclarations::from_index(self))).clone()
    }

    /// Returns why nothing is known about `name`: its module is neither installed nor checked, or a Ruby file of the
    /// module defines it as a data type. Returns `None` if a definition of `name` would be known.
    ///
    /// Source: Puppet's `Puppet::DataTypes.create_type`, in `lib/puppet/datatypes`.
    pub(super) fn unknown_name_reason(&self, name: &str) -> Option<UncheckedReason> {
        let module = module_of_name(name);
        let Some(directory) = self.module_directory(module) else {
            return (!self.checked.contains_key(module)).then(|| UncheckedReason::MissingModule(module.to_owned()));
        };
        let file = directory.join("lib/puppet/datatypes").join(format!("{}.rb", name.replace("::", "/")));
        file.is_file().then(|| UncheckedReason::UnknownType(capitalize_segments(name)))
    }
}

impl ModuleDefinitions {
    fn add_definition(&mut self, tree: &Arc<Tree>, defined: &DefinitionEntry) {
        let of_kind = if defined.kind == DefinitionKind::Function { &mut self.functions } else { &mut self.resources };
        let lazy =
            LazyDefinition { tree: tree.clone(), definition_entry: defined.clone(), index_entry: OnceLock::new() };
        self.repeated_names.extend(of_kind.insert(defined.name.clone(), lazy).map(|_| defined.name.clone()));
    }

    fn add_all_definitions(&mut self, tree: Tree) {
        let (definitions, tree) = (find_definitions(&tree).0, Arc::new(tree));
        // Of several with one name the first counts.
        definitions.iter().rev().for_each(|defined| self.add_definition(&tree, defined));
    }
}

impl RubyDeclarations {
    fn from_index(index: &Index) -> RubyDeclarations {
        let mut ruby = RubyDeclarations::default();
        for (module, directory) in index.module_directories.iter().rev() {
            let files = |folder: &str| {
                let folder = directory.join(folder);
                let files = files_below(&folder, Some("rb")).into_iter();
                files.filter_map(move |file| Some((qualified_name_of_file(&file, &folder)?, file)))
            };
            let functions = files("lib/puppet/functions");
            let function = |file, signatures| RubyFunction { file, signatures };
            ruby.functions.extend(functions.map(|(name, file)| (name, function(file, OnceLock::new()))));
            for (name, file) in files("lib/puppet/parser/functions") {
                ruby.functions.entry(name).or_insert(function(file, OnceLock::from(None)));
            }
            let types = files("lib/puppet/type").filter(|(name, _)| !name.contains("::"));
            ruby.types.extend(types.map(|(name, file)| (name, RubyType::from_file(module, file))));
            ruby.fact_files.extend(files_below(&directory.join("lib/facter"), Some("rb")));
        }
        let environments = index.module_directories.iter().filter_map(|(_, directory)| directory.parent()?.parent());
        let environments: FxHashSet<&Path> = environments.collect();
        for file in environments.iter().flat_map(|one| files_below(&one.join(".resource_types"), Some("pp"))) {
            // What `puppet generate types` wrote counts where the Ruby file is missing or cannot be read completely.
            let Some(name) = file.file_stem().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
            if ruby.types.get(&name).is_none_or(|type_| type_.attributes().is_none()) {
                ruby.types.insert(name, RubyType::from_file("", file));
            }
        }
        for interface in index.missing_interfaces(&index.interfaces) {
            for (name, entry) in interface.entries_of_kind(ItemKind::Function) {
                let function = || RubyFunction::from_signatures(&interface.name, &entry.texts);
                ruby.functions.entry(name.to_owned()).or_insert_with(function);
            }
            for (name, entry) in interface.entries_of_kind(ItemKind::ResourceType) {
                let type_ = RubyType::from_attribute_names(&interface.name, &entry.texts);
                ruby.types.entry(name.to_owned()).or_insert(type_);
            }
        }
        ruby
    }
}

/// Returns the qualified name for a file below `folder`: `a::b` for `a/b.rb`.
fn qualified_name_of_file(file: &Path, folder: &Path) -> Option<String> {
    let path = file.as_os_str().as_encoded_bytes().strip_prefix(folder.as_os_str().as_encoded_bytes())?;
    let (name, _extension) = str::from_utf8(path).ok()?.rsplit_once('.')?;
    Some(name.trim_start_matches(MAIN_SEPARATOR).replace(MAIN_SEPARATOR, "::").to_lowercase())
}

pub(super) fn parse_file(file: &Path) -> Option<Tree> {
    let source = Source::new(display_path(file), files::read_source_text(file).ok()?);
    let is_template = file.extension().is_some_and(|extension| extension == "epp");
    let tree = if is_template { syntax::parse_template(&source) } else { syntax::parse(&source) };
    tree.ok().map(Tree::shrink_to_fit)
}
