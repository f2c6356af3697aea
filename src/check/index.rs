//! What the modules and the checked files declare: classes, defined types, functions, resource types, facts. A module is
//! read when something in it is first named.
//!
//! Nothing is evaluated; Ruby files are read as text.

use std::collections::BTreeSet;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

use super::interface::{self, Interface, Sort};
use super::metadata::is_for_puppet_8;
use super::names::{lower_name, module_of};
use super::program::{Defined, Outline, assigned, defined};
use super::ruby::{self, RubyFunction};
use super::ruby_types::{RubyType, generated_types};
use super::{Program, Unjudged, core_resources};
use crate::eval::{Declaration, Declared, Environment, Kind, definition_in, shown};
use crate::files::{self, files_below};
use crate::syntax;
use crate::syntax::tree::{Definition, Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::EcoString;
use crate::wording::nearest;

#[derive(Debug)]
pub(super) struct Known {
    pub(super) declaration: Declaration,
    pub(super) tree: Arc<Tree>,
    pub(super) id: Id,
    /// After `inherits`, without leading colons.
    pub(super) parent: Option<String>,
    pub(super) assigned: Arc<FxHashSet<EcoString>>,
    /// The types of the parameters; `None` for a type that cannot be resolved.
    pub(super) types: Vec<Option<Type>>,
    pub(super) return_type: Type,
}

impl Known {
    fn new(tree: &Arc<Tree>, defined: &Defined, environment: &mut Environment) -> Known {
        let id = defined.id;
        let definition = definition_of(tree, id);
        let parent = match &tree[id].expression {
            Expression::Class { parent, .. } => parent.as_deref().map(|name| lower_name(name).into_owned()),
            _ => None,
        };
        // Scanning the nodes in order first brings them into the cache for the steps below.
        let assigned = Arc::new(assigned(tree, definition.body));
        let declaration = Declaration::new(defined.kind, definition, tree, environment);
        let types = declaration.parameters.iter().map(|parameter| environment.type_of(&declaration, parameter).ok());
        let types = types.collect();
        let return_type = environment.return_type_of(&declaration).unwrap_or_else(|_| Type::any());
        Known { declaration, tree: tree.clone(), id, parent, assigned, types, return_type }
    }

    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.declaration.parameter(name).is_some() || self.assigned.contains(name)
    }

    pub(super) fn definition(&self) -> &Definition {
        definition_of(&self.tree, self.id)
    }

    /// The line it is declared in: `modules/web/manifests/init.pp:3`.
    pub(super) fn place(&self) -> String {
        self.line_of(self.definition().name_span)
    }

    pub(super) fn place_of(&self, parameter: &Declared) -> String {
        self.line_of(parameter.span)
    }

    fn line_of(&self, span: Span) -> String {
        format!("{}:{}", self.tree.source.name(), self.tree.source.position(span.start as usize).line)
    }
}

pub(super) fn definition_of(tree: &Tree, id: Id) -> &Definition {
    definition_in(&tree[id].expression).map_or_else(|| unreachable!("only definitions are indexed"), |found| found.1)
}

/// Definitions by lower-case name. Each is analyzed on first use.
#[derive(Debug, Default)]
pub(super) struct Definitions(FxHashMap<EcoString, Lazy>);

#[derive(Debug)]
struct Lazy {
    tree: Arc<Tree>,
    defined: Defined,
    known: OnceLock<Arc<Known>>,
}

impl Definitions {
    pub(super) fn get(&self, name: &str, environment: &mut Environment) -> Option<&Arc<Known>> {
        let Lazy { tree, defined, known } = self.0.get(name)?;
        Some(known.get_or_init(|| Arc::new(Known::new(tree, defined, environment))))
    }

    pub(super) fn classes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, lazy)| lazy.defined.kind == Kind::Class).map(|(name, _)| &**name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| &**name)
    }
}

#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) resources: Definitions,
    pub(super) functions: Definitions,
    /// Whether some of its Puppet files cannot be read, so that names may be missing.
    pub(super) is_partial: bool,
}

#[derive(Debug, Default)]
pub(super) struct Ruby {
    pub(super) functions: FxHashMap<String, RubyFunction>,
    pub(super) types: FxHashMap<String, RubyType>,
    fact_files: Vec<PathBuf>,
    facts: OnceLock<FxHashSet<String>>,
}

/// A cache of paths without symbolic links; `None` for paths that do not exist.
#[derive(Debug, Default)]
struct RealPaths(FxHashMap<PathBuf, Option<PathBuf>>);

impl RealPaths {
    fn of(&mut self, file: &Path) -> Option<&Path> {
        if !self.0.contains_key(file) {
            self.0.insert(file.to_owned(), file.canonicalize().ok());
        }
        self.0.get(file)?.as_deref()
    }
}

#[derive(Debug, Default)]
pub(super) struct Index {
    /// The name and the directory of each module, best first.
    pub(super) directories: Vec<(String, PathBuf)>,
    /// The name of the module in each directory, whose path has no symbolic links.
    in_directory: FxHashMap<PathBuf, String>,
    pub(super) own: Option<String>,
    /// The modules that `metadata.json` of the checked module names, or of those beside a `Puppetfile`; `None` if there is
    /// none.
    dependencies: OnceLock<Option<Vec<String>>>,
    /// Whether modules are only for versions before Puppet 8.
    is_old: FxHashMap<String, bool>,
    /// The modules that a `Puppetfile` names.
    pub(super) installed: FxHashSet<String>,
    /// Whether there is a `Puppetfile`.
    pub(super) has_puppetfile: bool,
    modules: FxHashMap<String, Option<Arc<Module>>>,
    checked: Module,
    /// The names of the classes and defined types in the checked files, by module.
    checked_names: FxHashMap<EcoString, Vec<EcoString>>,
    /// The results of [`Index::near_type`]. Types of a module that is not there are used in many files: without it, checking
    /// 1,500 files that use 1,200 such took seven times as long.
    near_types: FxHashMap<String, Option<String>>,
    /// The checked files by their paths without links, and whether each can be read.
    checked_files: FxHashMap<PathBuf, bool>,
    real_paths: RealPaths,
    /// Read on first use; shared between threads that check the same modules.
    pub(super) ruby: Arc<OnceLock<Arc<Ruby>>>,
    /// The interfaces of modules that may not be installed.
    pub(super) indexed: Arc<[Interface]>,
    pub(super) top_variables: FxHashSet<EcoString>,
    /// The classes that checked files declare with values for their parameters.
    pub(super) declared_classes: FxHashSet<EcoString>,
    /// The titles that checked files declare, by their types and [`plain_title`].
    titles: FxHashMap<(String, String), FxHashSet<EcoString>>,
}

/// A title without what is easily mistaken: case, hyphens, underscores and spaces.
fn plain_title(title: &str) -> String {
    title.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

impl Index {
    pub(super) fn new(environment: &Environment) -> Index {
        let directories = environment.program.modules.directories();
        // The best of several names for a directory comes last.
        let mut real_paths = RealPaths::default();
        let real = directories.iter().rev();
        let real = real.filter_map(|(name, directory)| Some((real_paths.of(directory)?.into(), name.clone())));
        let in_directory = real.collect();
        let own = environment.program.modules.own.as_ref().map(|(name, _)| name.clone());
        Index { directories, in_directory, own, real_paths, ..Index::default() }
    }

    pub(super) fn add(&mut self, program: &Program, environment: &mut Environment) {
        self.near_types.clear();
        if let Some(file) = self.real_paths.of(program.source.name().as_ref()) {
            self.checked_files.insert(file.into(), program.tree.is_ok());
        }
        let Ok(tree) = &program.tree else { return };
        environment.add_tree(tree);
        let Outline { definitions, top_variables, declared_classes, titles, .. } = &program.outline;
        for (type_name, title) in titles {
            self.titles.entry((type_name.clone(), plain_title(title))).or_default().insert(title.clone());
        }
        self.declared_classes.extend(declared_classes.iter().cloned());
        self.checked.add(tree, definitions);
        for defined in definitions {
            let of_module = self.checked_names.entry(module_of(&defined.name).into()).or_default();
            if defined.kind != Kind::Function {
                of_module.push(defined.name.clone());
            }
        }
        self.top_variables.extend(top_variables.iter().cloned());
    }

    pub(super) fn place_in_module(&mut self, file: &Path) -> Option<(&str, &Path)> {
        let file = self.real_paths.of(file)?;
        file.ancestors().find_map(|folder| Some((&**self.in_directory.get(folder)?, file.strip_prefix(folder).ok()?)))
    }

    /// The name of the module whose directory this is, a path without symbolic links.
    pub(super) fn module_in(&self, directory: &Path) -> Option<&str> {
        self.in_directory.get(directory).map(|name| &**name)
    }

    pub(super) fn real_path(&mut self, file: &Path) -> Option<&Path> {
        self.real_paths.of(file)
    }

    /// Whether a checked file can be read; `None` for a file that is not checked.
    pub(super) fn is_readable(&mut self, file: &Path) -> Option<bool> {
        self.checked_files.get(self.real_paths.of(file)?).copied()
    }

    /// The names of the classes of a module, in alphabetical order.
    pub(super) fn classes_of(&mut self, module: &str) -> Vec<String> {
        let in_files = self.module(module);
        let in_files = in_files.iter().flat_map(|module| module.resources.classes());
        let checked = self.checked.resources.classes().filter(|name| module_of(name) == module);
        let names: BTreeSet<String> = in_files.chain(checked).map(str::to_owned).collect();
        names.into_iter().collect()
    }

    /// The title that is declared instead of one that only differs in case, hyphens, underscores and spaces.
    pub(super) fn meant_title(&self, type_name: &str, title: &str) -> Option<&str> {
        let declared = self.titles.get(&(type_name.to_owned(), plain_title(title)))?;
        if declared.contains(title) { None } else { declared.iter().next().map(|title| &**title) }
    }

    /// The classes and defined types of a module that are checked.
    pub(super) fn resources_of<'i>(
        &'i self,
        module: &'i str,
        environment: &'i mut Environment,
    ) -> impl Iterator<Item = Arc<Known>> + 'i {
        let names = self.checked.resources.names().filter(move |name| module_of(name) == module);
        names.filter_map(|name| self.checked.resources.get(name, environment).cloned())
    }

    /// The names of the modules that are there, and of those that checked files declare something of.
    pub(super) fn all_modules(&self) -> BTreeSet<String> {
        self.module_names().chain(self.checked_names.keys().map(|name| &**name)).map(str::to_owned).collect()
    }

    pub(super) fn module_names(&self) -> impl Iterator<Item = &str> {
        self.directories.iter().map(|(name, _)| &**name)
    }

    /// Whether some file of the module of a name cannot be read, so that names may be missing.
    pub(super) fn is_partial(&mut self, name: &str) -> bool {
        self.module(module_of(name)).is_some_and(|module| module.is_partial)
    }

    pub(super) fn directory(&self, module: &str) -> Option<&Path> {
        self.directories.iter().find(|(name, _)| name == module).map(|(_, directory)| &**directory)
    }

    /// Source: Puppet reference, "Module metadata": `dependencies`.
    fn dependencies(&self) -> Option<&[String]> {
        let read = || match self.own.as_deref() {
            Some(own) => self.dependencies_of(own),
            None if self.has_puppetfile => {
                Some(self.module_names().filter_map(|name| self.dependencies_of(name)).flatten().collect())
            }
            None => None,
        };
        self.dependencies.get_or_init(read).as_deref()
    }

    fn dependencies_of(&self, module: &str) -> Option<Vec<String>> {
        let metadata = self.metadata(module)?;
        let name = |dependency: &Json| Some(interface::short_name(dependency.get("name")?.as_str()?).to_owned());
        metadata.get("dependencies")?.as_array()?.iter().map(name).collect()
    }

    fn metadata(&self, module: &str) -> Option<Json> {
        let metadata = files::source_bytes(&self.directory(module)?.join("metadata.json")).ok()?;
        serde_json::from_slice(&metadata).ok()
    }

    /// Whether a file is part of a module that is only for versions before Puppet 8.
    pub(super) fn is_before_puppet_8(&mut self, file: &str) -> bool {
        let Some((module, _)) = self.place_in_module(file.as_ref()) else { return false };
        let module = module.to_owned();
        if let Some(known) = self.is_old.get(&module) {
            return *known;
        }
        let is_old = self.metadata(&module).is_some_and(|metadata| !is_for_puppet_8(&metadata));
        self.is_old.insert(module, is_old);
        is_old
    }

    /// Whether all dependencies of the checked module, or of those in a control repository with a `Puppetfile`, are present, so
    /// that a name that nothing declares is wrong.
    pub(super) fn is_complete(&self) -> bool {
        let are_there = |all: &[String]| all.iter().all(|name| self.directory(name).is_some());
        (self.own.is_some() || !self.lacks_modules()) && self.dependencies().is_some_and(are_there)
    }

    fn declared(&self) -> impl Iterator<Item = &str> {
        let own = self.own.as_ref().and_then(|_| self.dependencies()).unwrap_or_default();
        own.iter().chain(&self.installed).map(|name| &**name)
    }

    /// Whether the module is one that `metadata.json` or the `Puppetfile` names, so that its name is right.
    pub(super) fn is_declared(&self, module: &str) -> bool {
        self.declared().any(|name| name == module)
    }

    /// Whether a module that `metadata.json` or the `Puppetfile` names is not there: names that look misspelt may be its own.
    pub(super) fn lacks_modules(&self) -> bool {
        self.declared().any(|name| self.directory(name).is_none())
    }

    pub(super) fn module(&mut self, name: &str) -> Option<Arc<Module>> {
        if let Some(known) = self.modules.get(name) {
            return known.clone();
        }
        let module = self.directory(name).map(Path::to_owned).map(|directory| self.read_module(&directory));
        let module = module.or_else(|| self.not_installed(&self.indexed).find(|one| one.name == name)?.module());
        self.modules.entry(name.to_owned()).or_insert(module).clone()
    }

    pub(super) fn not_installed<'i>(&self, interfaces: &'i [Interface]) -> impl Iterator<Item = &'i Interface> {
        interfaces.iter().filter(|interface| self.directory(&interface.name).is_none())
    }

    /// Whether stdlib or a module that comes with Puppet has something of that name, and is not installed: which version of
    /// it will be used is not known, so that its name is right and no more is certain.
    pub(super) fn is_of_common_module(&self, sorts: &[Sort], name: &str) -> bool {
        let mut modules = self.not_installed(interface::common_modules());
        modules.any(|interface| sorts.iter().any(|sort| interface.of_sort(*sort).any(|(known, _)| known == name)))
    }

    fn read_module(&mut self, directory: &Path) -> Arc<Module> {
        let mut module = Module::default();
        for folder in ["manifests", "functions"] {
            for file in files_below(&directory.join(folder), Some("pp")) {
                // What a checked file declares is known.
                if let Some(is_readable) = self.is_readable(&file) {
                    module.is_partial |= !is_readable;
                    continue;
                }
                match read(&file) {
                    Some(tree) => {
                        let (definitions, _) = defined(&tree);
                        module.add(&Arc::new(tree), &definitions);
                    }
                    None => module.is_partial = true,
                }
            }
        }
        Arc::new(module)
    }

    /// The class or defined type of that name, without leading colons and in lower case.
    pub(super) fn resource(&mut self, name: &str, environment: &mut Environment) -> Option<Arc<Known>> {
        self.definition(|module| &module.resources, name, environment)
    }

    pub(super) fn function(&mut self, name: &str, environment: &mut Environment) -> Option<Arc<Known>> {
        self.definition(|module| &module.functions, name, environment)
    }

    fn definition(
        &mut self,
        of: fn(&Module) -> &Definitions,
        name: &str,
        environment: &mut Environment,
    ) -> Option<Arc<Known>> {
        if let Some(known) = of(&self.checked).get(name, environment) {
            return Some(known.clone());
        }
        of(&*self.module(module_of(name))?).get(name, environment).cloned()
    }

    /// The class, defined type or resource type that `name`, which has no `::`, is most likely a misspelling of.
    pub(super) fn near_type(&mut self, name: &str) -> Option<String> {
        if let Some(known) = self.near_types.get(name) {
            return known.clone();
        }
        let ruby = self.ruby();
        let mut others: Vec<&str> = core_resources::names().collect();
        others.extend(ruby.types.keys().map(String::as_str));
        let near = self.near_resource(name, &others);
        self.near_types.insert(name.to_owned(), near.clone());
        near
    }

    /// The class, the defined type or the one of `others` that `name` is most likely a misspelling of.
    pub(super) fn near_resource(&mut self, name: &str, others: &[&str]) -> Option<String> {
        let module = module_of(name);
        let of_module = self.module(module);
        let names = of_module.iter().flat_map(|module| module.resources.names());
        let names = names.chain(others.iter().copied());
        // The module of a name with several parts is there, so that it is right.
        let checked = self.checked_names.iter().filter(|(other, _)| module == name || *other == module);
        let checked = checked.flat_map(|(_, names)| names.iter().map(|name| &**name));
        nearest(name, names.chain(checked)).map(str::to_owned)
    }

    pub(super) fn function_names(&mut self, like: &str) -> Vec<String> {
        let of_module = self.module(module_of(like));
        let mut all: Vec<String> =
            of_module.iter().flat_map(|module| module.functions.names()).map(str::to_owned).collect();
        all.extend(self.checked.functions.names().map(str::to_owned));
        all.extend(self.ruby().functions.keys().cloned());
        all
    }

    pub(super) fn ruby(&self) -> Arc<Ruby> {
        let read = || {
            let mut ruby = Ruby::default();
            for (module, directory) in self.directories.iter().rev() {
                ruby.add(module, directory);
            }
            let folders: FxHashSet<&Path> =
                self.directories.iter().filter_map(|(_, one)| one.parent()?.parent()).collect();
            for (name, file) in folders.into_iter().flat_map(generated_types) {
                ruby.add_generated(name, file);
            }
            self.not_installed(&self.indexed).for_each(|interface| ruby.add_indexed(interface));
            Arc::new(ruby)
        };
        self.ruby.get_or_init(read).clone()
    }

    /// The module of a name, if it is not there and no file that is checked declares something of it.
    pub(super) fn missing_module(&self, name: &str) -> Option<Unjudged> {
        let module = module_of(name);
        let is_there = self.directory(module).is_some() || self.checked_names.contains_key(module);
        (!is_there).then(|| Unjudged::MissingModule(module.to_owned()))
    }
}

impl Interface {
    /// The classes and defined types whose parameters are known.
    fn module(&self) -> Option<Arc<Module>> {
        let tree = syntax::parse(&Source::new(format!("the index of {}", self.name), self.program())).ok()?;
        let mut module = Module::default();
        let (definitions, _) = defined(&tree);
        module.add(&Arc::new(tree), &definitions);
        Some(Arc::new(module))
    }
}

impl Module {
    fn add(&mut self, tree: &Arc<Tree>, definitions: &[Defined]) {
        // Of several with one name the first counts.
        for defined in definitions.iter().rev() {
            let of_kind = if defined.kind == Kind::Function { &mut self.functions } else { &mut self.resources };
            let lazy = Lazy { tree: tree.clone(), defined: defined.clone(), known: OnceLock::new() };
            of_kind.0.insert(defined.name.clone(), lazy);
        }
    }
}

impl Ruby {
    fn add_indexed(&mut self, interface: &Interface) {
        for (name, entry) in interface.of_sort(Sort::Function) {
            let function = RubyFunction::indexed(&interface.name, &entry.texts);
            self.functions.entry(name.to_owned()).or_insert(function);
        }
        for (name, entry) in interface.of_sort(Sort::ResourceType) {
            let type_ = RubyType::indexed(&interface.name, &entry.texts);
            self.types.entry(name.to_owned()).or_insert(type_);
        }
    }

    fn add(&mut self, module: &str, directory: &Path) {
        let files = |folder: &str| {
            let folder = directory.join(folder);
            files_below(&folder, Some("rb")).into_iter().filter_map(move |file| Some((dotted(&file, &folder)?, file)))
        };
        self.functions.extend(files("lib/puppet/functions").map(|(name, file)| (name, RubyFunction::new(file))));
        for (name, file) in files("lib/puppet/parser/functions") {
            self.functions.entry(name).or_insert_with(|| RubyFunction::legacy(file));
        }
        let types = files("lib/puppet/type").filter(|(name, _)| !name.contains("::"));
        self.types.extend(types.map(|(name, file)| (name, RubyType::new(module, file))));
        self.fact_files.extend(files_below(&directory.join("lib/facter"), Some("rb")));
    }

    /// A type of `puppet generate types`, which counts where the Ruby file is missing or cannot be read completely.
    fn add_generated(&mut self, name: String, file: PathBuf) {
        if self.types.get(&name).is_none_or(|type_| type_.attributes().is_none()) {
            self.types.insert(name, RubyType::new("", file));
        }
    }

    pub(super) fn facts(&self) -> &FxHashSet<String> {
        self.facts.get_or_init(|| self.fact_files.iter().flat_map(|file| ruby::facts(file)).collect())
    }
}

/// `a/b.rb` below the folder is `a::b`.
fn dotted(file: &Path, folder: &Path) -> Option<String> {
    let path = file.as_os_str().as_encoded_bytes().strip_prefix(folder.as_os_str().as_encoded_bytes())?;
    let (name, _extension) = str::from_utf8(path).ok()?.rsplit_once('.')?;
    Some(name.trim_start_matches(MAIN_SEPARATOR).replace(MAIN_SEPARATOR, "::").to_lowercase())
}

pub(super) fn read(file: &Path) -> Option<Tree> {
    let source = Source::new(shown(file), files::source_text(file).ok()?);
    let is_template = file.extension().is_some_and(|extension| extension == "epp");
    let tree = if is_template { syntax::parse_template(&source) } else { syntax::parse(&source) };
    tree.ok().map(Tree::compact)
}
