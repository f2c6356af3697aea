//! Type aliases, functions, classes and defined types of modules, read from their files when a program first names them.
//!
//! `Stdlib::Compat::Array` is `types/compat/array.pp` of the module `stdlib`, `stdlib::ensure` is `functions/ensure.pp`,
//! the class `apache::vhost` is `manifests/vhost.pp`; a name that is the module's own is `init.pp`.
//!
//! Source: Puppet reference, "Module fundamentals" (directories `types`, `functions` and `manifests`).

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::environment::{Environment, sorted};
use super::validation;
use crate::error::Error;
use crate::files::{self, shown};
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::value::EcoString;
use crate::wording::capitalized;

/// Where modules are, and which of their files have been read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modules {
    /// The directories whose subdirectories are modules, best first.
    pub(super) path: Vec<PathBuf>,
    /// A module by itself: its name and directory. It goes before the path.
    pub(super) own: Option<(String, PathBuf)>,
    tried: FxHashSet<(Kind, String)>,
    /// The names that their files have defined.
    defined: Vec<(Kind, String)>,
    /// The names of all type aliases, listed once for all that share them; `None` to list them each time.
    shared_type_names: Option<Arc<OnceLock<Vec<String>>>>,
    /// The trees of files that need not be read, by the names of the files in messages.
    trees: Arc<FxHashMap<String, Arc<Tree>>>,
    /// The definitions of type aliases of modules that have no files here, by name in lower case.
    indexed_types: Arc<FxHashMap<String, String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Type,
    Function,
    Manifest,
}

impl Kind {
    fn directory(self) -> &'static str {
        match self {
            Kind::Type => "types",
            Kind::Function => "functions",
            Kind::Manifest => "manifests",
        }
    }

    fn thing(self) -> &'static str {
        match self {
            Kind::Type => "type alias",
            Kind::Function => "function",
            Kind::Manifest => "class or defined type",
        }
    }

    /// The kind of what a statement defines, its name, and where that is said.
    pub(super) fn defined_by(tree: &Tree, statement: Id) -> Option<(Kind, &EcoString, Span)> {
        match &tree[statement].expression {
            Expression::TypeAlias { name, .. } => Some((Kind::Type, name, tree[statement].span)),
            Expression::Function(definition) => Some((Kind::Function, &definition.name, definition.name_span)),
            Expression::Class { definition, .. } | Expression::Define(definition) => {
                Some((Kind::Manifest, &definition.name, definition.name_span))
            }
            _ => None,
        }
    }
}

impl Modules {
    /// The file that should define `name`; `None` if there is none, or when nothing can have such a name.
    pub(super) fn file(&self, kind: Kind, name: &str) -> Option<PathBuf> {
        let name = name.split("::").all(is_name).then(|| name.to_lowercase())?;
        let (module, rest) = name.split_once("::").unwrap_or((&name, "init"));
        let file = format!("{}.pp", rest.replace("::", "/"));
        self.roots(module).map(|root| root.join(kind.directory()).join(&file)).find(|file| file.is_file())
    }

    /// The Ruby file with the function of that name; `None` if there is none. `ensure_packages` may be in any module.
    ///
    /// Source: Puppet reference, "Writing functions in Ruby" and "Legacy functions API".
    fn ruby_function(&self, name: &str) -> Option<PathBuf> {
        let file = name.split("::").all(is_name).then(|| format!("{}.rb", name.replace("::", "/")))?;
        let roots: Vec<PathBuf> = match name.split_once("::") {
            Some((module, _)) => self.roots(module).collect(),
            None => self.directories().into_iter().map(|(_, root)| root).collect(),
        };
        let folders = ["lib/puppet/functions", "lib/puppet/parser/functions"];
        let mut files = roots.iter().flat_map(|root| folders.map(|folder| root.join(folder).join(&file)));
        files.find(|file| file.is_file())
    }

    fn roots<'a>(&'a self, module: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
        let own = self.own.iter().filter(move |(own, _)| own == module).map(|(_, directory)| directory.clone());
        own.chain(self.path.iter().map(move |directory| directory.join(module)))
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.directories().into_iter().map(|(name, _)| name).collect()
    }

    /// The names of the type aliases that the files of modules should define, as programs write them.
    pub(super) fn type_names(&self) -> Vec<String> {
        match &self.shared_type_names {
            Some(shared) => shared.get_or_init(|| self.listed_type_names()).clone(),
            None => self.listed_type_names(),
        }
    }

    fn listed_type_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for module in self.names() {
            for root in self.roots(&module) {
                let folder = root.join(Kind::Type.directory());
                type_files(&folder, &folder, &module, &mut names);
            }
        }
        sorted(names)
    }

    pub(super) fn directories(&self) -> Vec<(String, PathBuf)> {
        let mut found: Vec<(String, PathBuf)> = self.own.iter().cloned().collect();
        for directory in &self.path {
            let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().filter(is_directory);
            let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            entries.sort_unstable();
            for entry in entries {
                let Some(name) = entry.file_name().and_then(|name| name.to_str()) else { continue };
                if files::is_module_name(name) && !found.iter().any(|(known, _)| known == name) {
                    found.push((name.to_owned(), entry));
                }
            }
        }
        found
    }

    pub(super) fn directory(&self, module: &str) -> Option<PathBuf> {
        let roots = is_name(module).then(|| self.roots(module));
        roots.into_iter().flatten().find(|root| root.is_dir())
    }
}

fn is_directory(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_symlink() && entry.path().is_dir())
}

/// The names that the files below `folder` should define: `types/ip/address.pp` of `net` is `Net::Ip::Address`.
fn type_files(folder: &Path, below: &Path, module: &str, names: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(below) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if is_directory(&entry) {
            type_files(folder, &path, module, names);
        } else if path.extension().is_some_and(|extension| extension == "pp")
            && let Some(rest) =
                path.strip_prefix(folder).ok().and_then(|rest| rest.with_extension("").to_str().map(str::to_owned))
        {
            let segments = std::iter::once(module).chain(rest.split(['/', '\\']).filter(|segment| *segment != "init"));
            names.push(capitalized(&segments.collect::<Vec<_>>().join("::")));
        }
    }
}

impl Environment {
    pub(crate) fn ruby_function(&self, name: &str) -> Option<PathBuf> {
        self.program.modules.ruby_function(name)
    }

    /// From now on, lists the type aliases of modules once, for this environment and those that see what it sees.
    pub(crate) fn share_type_names(&mut self) {
        self.program.modules.shared_type_names = Some(Arc::default());
    }

    /// Makes type aliases known that no file defines: for each name in lower case `type Name = …`.
    pub(crate) fn add_types(&mut self, types: FxHashMap<String, String>) {
        Arc::make_mut(&mut self.program.modules.indexed_types).extend(types);
    }

    pub(crate) fn add_tree(&mut self, tree: &Arc<Tree>) {
        Arc::make_mut(&mut self.program.modules.trees).insert(tree.source.name().to_owned(), tree.clone());
    }

    /// Shares with `other` the list of type aliases, if that shares it, and the trees of files.
    pub(super) fn share_files_of(&mut self, other: &Environment) {
        self.program.modules.shared_type_names.clone_from(&other.program.modules.shared_type_names);
        self.program.modules.trees.clone_from(&other.program.modules.trees);
        self.program.modules.indexed_types.clone_from(&other.program.modules.indexed_types);
    }

    /// The names of the type aliases of modules, as far as the paths of their files tell.
    pub(crate) fn names_of_module_types(&self) -> Vec<String> {
        self.program.modules.type_names()
    }

    /// The file that a full path leads to; `None` if there is none.
    pub(crate) fn find_file(&self, path: &Path) -> Result<Option<PathBuf>, Error> {
        let own = self.program.modules.own.as_ref().map(|(_, directory)| directory.as_path());
        self.permissions.find(path, &self.program.modules.path, own)
    }

    /// Reads the file of a module that defines `name`, if there is one; returns whether the name may be known now.
    pub(super) fn load(&mut self, kind: Kind, name: &str) -> Result<bool, Error> {
        let tried = (kind, name.to_lowercase());
        if self.program.modules.tried.contains(&tried) {
            return Ok(false);
        }
        let outcome = match self.program.modules.file(kind, name) {
            Some(file) => self.load_file(kind, name, &file).map(|()| true),
            None if kind == Kind::Type
                && let Some(program) = self.program.modules.indexed_types.get(&tried.1) =>
            {
                let tree = syntax::parse(&Source::new("index", &**program))?;
                self.define_in_module(&tree).map(|()| true)
            }
            None => Ok(false),
        };
        // An interrupt leads past here: then the next use tries again.
        self.program.modules.tried.insert(tried);
        outcome
    }

    /// Reads the file of a module that defines the function `name`, unless it is known.
    pub(crate) fn load_function(&mut self, name: &str) -> Result<(), Error> {
        if !self.program.functions.contains_key(name) {
            self.load(Kind::Function, name)?;
        }
        Ok(())
    }

    fn load_file(&mut self, kind: Kind, name: &str, file: &Path) -> Result<(), Error> {
        let trees = &self.program.modules.trees;
        let tree = match trees.get(&*file.to_string_lossy()).or_else(|| trees.get(&shown(file))) {
            Some(tree) if place_of(kind, name, tree).is_some() => tree.clone(),
            _ => Arc::new(read(kind, name, file)?.0),
        };
        let tree = validation::accepted(tree, self.strictness)?;
        self.define_in_module(&tree)
    }

    fn define_in_module(&mut self, tree: &Tree) -> Result<(), Error> {
        let statements = tree.statements();
        self.define(tree, statements).map_err(|error| error.in_source(&tree.source))?;
        let defined = statements.iter().filter_map(|id| Kind::defined_by(tree, *id));
        self.program.modules.defined.extend(defined.map(|(kind, name, _)| (kind, name.to_string())));
        Ok(())
    }

    /// Forgets which files have been read and what they have defined, so that changed ones are read again.
    pub(crate) fn forget_files(&mut self) {
        self.program.modules.trees = Arc::default();
        self.program.modules.shared_type_names = None;
        self.forget_modules();
    }

    /// Forgets what the files of modules have defined, which is read again when it is used.
    pub(crate) fn forget_modules(&mut self) {
        self.program.modules.tried.clear();
        for (kind, name) in std::mem::take(&mut self.program.modules.defined) {
            self.unset(kind, &name);
        }
    }

    /// Forgets what a program defines, which is read from the files of modules again when it is used.
    pub(crate) fn forget(&mut self, tree: &Tree) {
        for (kind, name, _) in tree.statements().iter().filter_map(|id| Kind::defined_by(tree, *id)) {
            self.program.modules.tried.remove(&(kind, name.to_lowercase().to_string()));
            self.unset(kind, name);
        }
    }

    pub(super) fn unset(&mut self, kind: Kind, name: &str) -> bool {
        match kind {
            Kind::Type => self.unset_alias(name),
            Kind::Function => self.unset_function(name),
            Kind::Manifest => self.unset_resource_definition(name),
        }
    }
}

/// Whether a module can have the name, or a type or function within one.
fn is_name(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Reads the file that should define `name`, and finds the place where it does.
pub(super) fn read(kind: Kind, name: &str, file: &Path) -> Result<(Tree, Id), Error> {
    let shown = shown(file);
    let text = files::read_text(file, &format!("{shown}, which should define {name}"))?;
    let source = Source::new(shown, text);
    let tree = syntax::parse(&source)?;
    match place_of(kind, name, &tree) {
        Some(id) => Ok((tree, id)),
        None => {
            let thing = kind.thing();
            let missing = Error::runtime(format!("this file does not define the {thing} {name}, as its path requires"));
            Err(missing.at(tree[tree.body].span).in_source(&source))
        }
    }
}

fn place_of(kind: Kind, name: &str, tree: &Tree) -> Option<Id> {
    let is_it = |id: &&Id| match Kind::defined_by(tree, **id) {
        Some((Kind::Type, defined, _)) => kind == Kind::Type && defined.eq_ignore_ascii_case(name),
        Some((other, defined, _)) => kind == other && **defined == *name,
        None => false,
    };
    tree.statements().iter().find(is_it).copied()
}
