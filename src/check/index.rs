//! What the modules and the checked files declare: classes, defined types, functions, resource types, facts. A module is
//! read when something in it is first named.
//!
//! Nothing is evaluated; Ruby files are read as text.

use std::collections::BTreeSet;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

use super::interface::{self, Interface, Sort};
use super::program::{Defined, Named, assigned, declared_titles, defined, lower_name, module_of};
use super::ruby::{self, RubyFunction};
use super::{Program, Unjudged, attributes, metadata::is_for_puppet_8, ruby_types::RubyType};
use crate::error::Error;
use crate::eval::{Declaration, Environment, Kind, core_facts, definition_in, shown};
use crate::files::{self, files_below};
use crate::syntax;
use crate::syntax::tree::{Definition, Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::EcoString;
use crate::wording::{capitalized, meant, nearest};

/// The keys of `$trusted`.
const TRUSTED: [&str; 6] = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];

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
        self.place_of(self.definition().name_span)
    }

    pub(super) fn place_of(&self, span: Span) -> String {
        format!("{}:{}", self.tree.source.name(), self.tree.source.position(span.start as usize).line)
    }
}

pub(super) fn definition_of(tree: &Tree, id: Id) -> &Definition {
    definition_in(&tree[id].expression).map_or_else(|| unreachable!("only definitions are indexed"), |found| found.1)
}

/// Definitions by lower-case name. Each is analyzed on first use.
#[derive(Debug, Default)]
pub(super) struct Definitions(IndexMap<EcoString, Lazy>);

#[derive(Debug)]
struct Lazy {
    tree: Arc<Tree>,
    defined: Defined,
    known: OnceLock<Arc<Known>>,
}

impl Definitions {
    fn get(&self, name: &str, environment: &mut Environment) -> Option<Arc<Known>> {
        let Lazy { tree, defined, known } = self.0.get(name)?;
        Some(known.get_or_init(|| Arc::new(Known::new(tree, defined, environment))).clone())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| &**name)
    }
}

#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) resources: Definitions,
    pub(super) functions: Definitions,
    /// Whether some of its Puppet files cannot be read, so that names may be missing.
    pub(super) is_partial: bool,
    /// The names that several files declare: which one counts is not known.
    repeated: FxHashSet<EcoString>,
}

#[derive(Debug, Default)]
pub(super) struct Ruby {
    pub(super) functions: FxHashMap<String, RubyFunction>,
    pub(super) types: FxHashMap<String, RubyType>,
    fact_files: Vec<PathBuf>,
    facts: OnceLock<FxHashSet<String>>,
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
    /// The modules that a `Puppetfile` names; `None` if there is none.
    pub(super) installed: Option<FxHashSet<String>>,
    modules: FxHashMap<String, Option<Arc<Module>>>,
    /// What the checked files declare, by module.
    checked: FxHashMap<EcoString, Module>,
    /// The results of [`Index::near_type`]. Types of a module that is not there are used in many files: without it, checking
    /// 1,500 files that use 1,200 such took seven times as long.
    near_types: FxHashMap<String, Option<String>>,
    /// The checked files by their paths without links, and whether each can be read.
    checked_files: FxHashMap<PathBuf, bool>,
    /// Read on first use; shared between threads that check the same modules.
    pub(super) ruby: Arc<OnceLock<Arc<Ruby>>>,
    /// The interfaces of modules that may not be installed.
    pub(super) indexed: Arc<[Interface]>,
    pub(super) top_variables: FxHashSet<EcoString>,
    /// The names in programs by what they are of and [`normal_title`]: see [`Program::titles`].
    titles: FxHashMap<Named, FxHashMap<String, FxHashSet<EcoString>>>,
    /// Whether the titles of files that are not checked were added.
    has_all_titles: bool,
}

/// A title without what is easily mistaken: case, hyphens, underscores and spaces.
fn normal_title(title: &str) -> String {
    title.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

impl Index {
    pub(super) fn new(environment: &Environment) -> Index {
        let directories = environment.program.modules.directories();
        // The best of several names for a directory comes last.
        let real = directories.iter().rev();
        let real = real.filter_map(|(name, directory)| Some((directory.canonicalize().ok()?, name.clone())));
        let in_directory = real.collect();
        let own = environment.program.modules.own.as_ref().map(|(name, _)| name.clone());
        Index { directories, in_directory, own, ..Index::default() }
    }

    pub(super) fn add(&mut self, program: &Program, environment: &mut Environment) {
        self.near_types.clear();
        if let Ok(file) = Path::new(program.source.name()).canonicalize() {
            self.checked_files.insert(file, program.tree.is_ok());
        }
        let Ok(tree) = &program.tree else { return };
        environment.add_tree(tree);
        self.add_titles(program.titles.iter().cloned());
        for defined in program.definitions.iter().rev() {
            self.checked.entry(module_of(&defined.name).into()).or_default().add(tree, defined);
        }
        self.top_variables.extend(program.top_variables.iter().cloned());
    }

    pub(super) fn place_in_module(&self, file: &str) -> Option<(&str, PathBuf)> {
        let file = Path::new(file).canonicalize().ok()?;
        let place = |folder| Some((self.module_in(folder)?, file.strip_prefix(folder).ok()?.to_owned()));
        file.ancestors().find_map(place)
    }

    /// The name of the module whose directory this is, a path without symbolic links.
    pub(super) fn module_in(&self, directory: &Path) -> Option<&str> {
        self.in_directory.get(directory).map(|name| &**name)
    }

    /// Whether a checked file can be read; `None` for a file that is not checked.
    pub(super) fn is_readable(&self, file: &Path) -> Option<bool> {
        self.checked_files.get(&file.canonicalize().ok()?).copied()
    }

    /// The names of the classes of a module, in alphabetical order.
    pub(super) fn classes_of(&mut self, module: &str) -> Vec<String> {
        let in_files = self.module(module);
        let definitions =
            in_files.as_deref().into_iter().chain(self.checked.get(module)).flat_map(|one| &one.resources.0);
        let classes = definitions.filter(|(_, lazy)| lazy.defined.kind == Kind::Class);
        let names: BTreeSet<String> = classes.map(|(name, _)| name.to_string()).collect();
        names.into_iter().collect()
    }

    fn add_titles(&mut self, titles: impl IntoIterator<Item = (Named, EcoString)>) {
        for (named, title) in titles {
            self.titles.entry(named).or_default().entry(normal_title(&title)).or_default().insert(title);
        }
    }

    /// Reads the manifests that are not checked: those of modules, and of the environments that these are in.
    pub(super) fn read_all_titles(&mut self) {
        let is_first = !std::mem::replace(&mut self.has_all_titles, true);
        let around = |directory: &'_ PathBuf| Some(directory.parent()?.parent()?.to_owned());
        let modules = self.directories.iter().filter(|_| is_first).map(|(_, directory)| directory);
        let folders: FxHashSet<PathBuf> = modules.flat_map(|one| [Some(one.clone()), around(one)]).flatten().collect();
        let files = folders.iter().flat_map(|folder| files_below(&folder.join("manifests"), Some("pp")));
        let unseen: Vec<PathBuf> = files.filter(|file| self.is_readable(file).is_none()).collect();
        unseen.iter().filter_map(|file| read(file)).for_each(|tree| self.add_titles(declared_titles(&tree)));
    }

    /// The titles of the resources of a type that only differ from one in case, hyphens, underscores and spaces.
    pub(super) fn titles_like(&self, type_name: &str, title: &str) -> Option<&FxHashSet<EcoString>> {
        self.titles.get(&Named::Resource(type_name.to_owned()))?.get(&normal_title(title))
    }

    pub(super) fn titles_of(&self, named: &Named) -> impl Iterator<Item = &EcoString> {
        self.titles.get(named).into_iter().flat_map(FxHashMap::values).flatten()
    }

    /// Whether a checked class or defined type of a module has a variable of that name.
    pub(super) fn has_variable(&self, module: &str, name: &str, environment: &mut Environment) -> bool {
        let Some(module) = self.checked.get(module) else { return false };
        let mut known = module.resources.names().filter_map(|name| module.resources.get(name, environment));
        known.any(|known| known.has_variable(name))
    }

    /// The names of the modules that are there, and of those that checked files declare something of.
    pub(super) fn all_modules(&self) -> BTreeSet<String> {
        self.module_names().chain(self.checked.keys().map(|name| &**name)).map(str::to_owned).collect()
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
            None if self.installed.is_some() => {
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

    /// Whether a module or a manifest sets the fact at the beginning of a path.
    pub(super) fn is_set_fact(&self, path: &str) -> bool {
        let fact = path.split('.').next().unwrap_or(path);
        self.top_variables.contains(fact) || self.ruby().facts().contains(fact)
    }

    /// What is wrong with a variable that Hiera interpolates, `facts.os.family` or `::osfamily`.
    pub(super) fn wrong_variable(&self, name: &str, source: &Arc<Source>) -> Option<Error> {
        let name = name.trim_start_matches("::");
        let path = name.strip_prefix("facts.").unwrap_or(name);
        let key = name.strip_prefix("trusted.").map(|path| path.split('.').next().unwrap_or(path));
        if name.contains(['[', '(']) {
            let error = Error::new("UNKNOWN_VARIABLE", format!("%{{{name}}} is not a variable"));
            return Some(error.with_help("write %{name.key} for a part, and a quoted key: %{lookup('key')}"));
        }
        if let Some(key) = key.filter(|key| !TRUSTED.contains(key)) {
            let help = meant(nearest(key, TRUSTED)).unwrap_or_else(|| format!("its keys are {}", TRUSTED.join(", ")));
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
        self.wrong_fact(path, source.name(), written).filter(|_| is_fact)
    }

    /// What is wrong with the path of a fact in a file, unless a module adds it. `written` is how another path is written there.
    pub(super) fn wrong_fact(&self, path: &str, file: &str, written: fn(String) -> String) -> Option<Error> {
        if self.is_set_fact(path) {
            return None;
        }
        if let Some(instead) = core_facts::instead_of(path) {
            let message = format!("{path} is a legacy fact, which Puppet 8 does not have by default");
            let error = || Error::new("LEGACY_FACT", message).with_help(format!("write {}", written(instead)));
            return (!self.is_before_puppet_8(file)).then(error);
        }
        let fact = path.split('.').next().unwrap_or(path);
        let (message, near) = match core_facts::meant_key(path) {
            Some(near) => (format!("the fact {fact} has no key '{}'", path.rsplit('.').next().unwrap_or(path)), near),
            None => (format!("no core fact is called {fact}"), core_facts::meant_fact(path)?.to_owned()),
        };
        Some(Error::new("UNKNOWN_KEY", message).with_help(format!("did you mean '{near}'?")))
    }

    /// What `metadata.json` of the module of a file says.
    pub(super) fn metadata_of(&self, file: &str) -> Option<Json> {
        self.place_in_module(file).and_then(|(module, _)| self.metadata(module))
    }

    /// Whether a file is part of a module that is only for versions before Puppet 8.
    fn is_before_puppet_8(&self, file: &str) -> bool {
        self.metadata_of(file).is_some_and(|metadata| !is_for_puppet_8(&metadata))
    }

    /// Whether all dependencies of the checked module, or of those in a control repository with a `Puppetfile`, are present, so
    /// that a name that nothing declares is wrong.
    pub(super) fn is_complete(&self) -> bool {
        let are_there = |all: &[String]| all.iter().all(|name| self.directory(name).is_some());
        (self.own.is_some() || !self.lacks_modules()) && self.dependencies().is_some_and(are_there)
    }

    pub(super) fn declared(&self) -> impl Iterator<Item = &str> {
        let own = self.own.as_ref().and_then(|_| self.dependencies()).unwrap_or_default();
        own.iter().chain(self.installed.iter().flatten()).map(|name| &**name)
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
        let module = match self.directory(name) {
            Some(directory) => Some(self.read_module(directory)),
            None => self.indexed.iter().find(|interface| interface.name == name).and_then(|interface| {
                let program = Source::new(format!("the index of {name}"), interface.program());
                let mut module = Module::default();
                module.add_all(syntax::parse(&program).ok()?);
                Some(Arc::new(module))
            }),
        };
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

    fn read_module(&self, directory: &Path) -> Arc<Module> {
        let mut module = Module::default();
        for folder in ["manifests", "functions"] {
            for file in files_below(&directory.join(folder), Some("pp")) {
                // What a checked file declares is known.
                if let Some(is_readable) = self.is_readable(&file) {
                    module.is_partial |= !is_readable;
                    continue;
                }
                match read(&file) {
                    Some(tree) => module.add_all(tree),
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

    /// Whether several of the checked files declare the class.
    pub(super) fn is_repeated(&self, class: &str) -> bool {
        self.checked.get(module_of(class)).is_some_and(|module| module.repeated.contains(class))
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
        let module = module_of(name);
        let checked = self.checked.get(module).and_then(|module| of(module).get(name, environment));
        checked.or_else(|| of(&*self.module(module)?).get(name, environment))
    }

    /// The class, defined type or resource type that `name`, which has no `::`, is most likely a misspelling of.
    pub(super) fn near_type(&mut self, name: &str) -> Option<String> {
        if let Some(known) = self.near_types.get(name) {
            return known.clone();
        }
        let ruby = self.ruby();
        let mut others: Vec<&str> = attributes::core_types().collect();
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
        let checked = self.checked.iter().filter(|(other, _)| module == name || *other == module);
        let checked = checked.flat_map(|(_, module)| module.resources.names());
        nearest(name, names.chain(checked)).map(str::to_owned)
    }

    pub(super) fn function_names(&mut self, like: &str) -> Vec<String> {
        let of_module = self.module(module_of(like));
        let in_puppet = of_module.as_deref().into_iter().chain(self.checked.values());
        let mut all: Vec<String> = in_puppet.flat_map(|one| one.functions.names()).map(str::to_owned).collect();
        all.extend(self.ruby().functions.keys().cloned());
        all
    }

    pub(super) fn ruby(&self) -> Arc<Ruby> {
        self.ruby.get_or_init(|| Arc::new(Ruby::of(self))).clone()
    }

    /// What a name cannot be judged for: its module is not there, and no file that is checked declares something of it; or it is
    /// a type that Ruby makes.
    ///
    /// Source: Puppet's `Puppet::DataTypes.create_type`, in `lib/puppet/datatypes`.
    pub(super) fn unseen(&self, name: &str) -> Option<Unjudged> {
        let module = module_of(name);
        let Some(directory) = self.directory(module) else {
            return (!self.checked.contains_key(module)).then(|| Unjudged::MissingModule(module.to_owned()));
        };
        let file = directory.join("lib/puppet/datatypes").join(format!("{}.rb", name.replace("::", "/")));
        file.is_file().then(|| Unjudged::UnknownType(capitalized(name)))
    }
}

impl Module {
    fn add(&mut self, tree: &Arc<Tree>, defined: &Defined) {
        let of_kind = if defined.kind == Kind::Function { &mut self.functions } else { &mut self.resources };
        let lazy = Lazy { tree: tree.clone(), defined: defined.clone(), known: OnceLock::new() };
        let before = of_kind.0.insert(defined.name.clone(), lazy);
        self.repeated.extend(before.map(|_| defined.name.clone()));
    }

    fn add_all(&mut self, tree: Tree) {
        let (definitions, tree) = (defined(&tree).0, Arc::new(tree));
        // Of several with one name the first counts.
        definitions.iter().rev().for_each(|defined| self.add(&tree, defined));
    }
}

impl Ruby {
    fn of(index: &Index) -> Ruby {
        let mut ruby = Ruby::default();
        for (module, directory) in index.directories.iter().rev() {
            let files = |folder: &str| {
                let folder = directory.join(folder);
                let files = files_below(&folder, Some("rb")).into_iter();
                files.filter_map(move |file| Some((dotted(&file, &folder)?, file)))
            };
            let functions = files("lib/puppet/functions");
            ruby.functions
                .extend(functions.map(|(name, file)| (name, RubyFunction { file, signatures: OnceLock::new() })));
            for (name, file) in files("lib/puppet/parser/functions") {
                let function = RubyFunction { file, signatures: OnceLock::from(None) };
                ruby.functions.entry(name).or_insert(function);
            }
            let types = files("lib/puppet/type").filter(|(name, _)| !name.contains("::"));
            ruby.types.extend(types.map(|(name, file)| (name, RubyType::new(module, file))));
            ruby.fact_files.extend(files_below(&directory.join("lib/facter"), Some("rb")));
        }
        let environments = index.directories.iter().filter_map(|(_, directory)| directory.parent()?.parent());
        let environments: FxHashSet<&Path> = environments.collect();
        for file in environments.iter().flat_map(|one| files_below(&one.join(".resource_types"), Some("pp"))) {
            // What `puppet generate types` wrote counts where the Ruby file is missing or cannot be read completely.
            let Some(name) = file.file_stem().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
            if ruby.types.get(&name).is_none_or(|type_| type_.attributes().is_none()) {
                ruby.types.insert(name, RubyType::new("", file));
            }
        }
        for interface in index.not_installed(&index.indexed) {
            for (name, entry) in interface.of_sort(Sort::Function) {
                let function = RubyFunction::indexed(&interface.name, &entry.texts);
                ruby.functions.entry(name.to_owned()).or_insert(function);
            }
            for (name, entry) in interface.of_sort(Sort::ResourceType) {
                let type_ = RubyType::indexed(&interface.name, &entry.texts);
                ruby.types.entry(name.to_owned()).or_insert(type_);
            }
        }
        ruby
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
