//! Type aliases, functions, classes and defined types of modules, read from their files when a program first names them.
//!
//! `Stdlib::Compat::Array` is `types/compat/array.pp` of the module `stdlib`, `stdlib::ensure` is `functions/ensure.pp`,
//! the class `apache::vhost` is `manifests/vhost.pp`; a name that is the module's own is `init.pp`.
//!
//! Source: Puppet reference, "Module fundamentals" (directories `types`, `functions` and `manifests`).

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{ffi::OsStr, iter::once};

use rustc_hash::{FxHashMap, FxHashSet};

use super::environment::{Environment, sorted};
use super::{Mode, Strictness, enforce_rules};
use crate::error::Error;
use crate::files::{self, files_below, shown};
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
    /// The module of the working directory: its name and directory. It is searched before the path.
    pub(crate) own: Option<(String, PathBuf)>,
    tried: FxHashSet<(Kind, String)>,
    /// The names that their files have defined.
    defined: Vec<(Kind, String)>,
    /// The names of all type aliases, listed once for all environments that share them; `None` to list them each time.
    pub(crate) shared_type_names: Option<Arc<OnceLock<Vec<String>>>>,
    /// The trees of files that need not be read, by the names of the files in messages.
    pub(super) trees: Arc<FxHashMap<String, Arc<Tree>>>,
    /// The definitions of type aliases that have no files of their own here, by name in lower case.
    pub(super) indexed_types: Arc<FxHashMap<String, String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
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
    pub(super) fn file_of_definition(&self, kind: Kind, name: &str) -> Option<PathBuf> {
        let name = name.split("::").all(is_name).then(|| name.to_lowercase())?;
        let (module, rest) = name.split_once("::").unwrap_or((&name, "init"));
        let file = format!("{}.pp", rest.replace("::", "/"));
        self.roots(module).map(|root| root.join(kind.directory()).join(&file)).find(|file| file.is_file())
    }

    /// The Ruby file with the function of that name; `None` if there is none. `ensure_packages` may be in any module.
    ///
    /// Source: Puppet reference, "Writing functions in Ruby" and "Legacy functions API".
    pub(crate) fn ruby_function(&self, name: &str) -> Option<PathBuf> {
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

    pub(crate) fn module_names(&self) -> Vec<String> {
        self.directories().into_iter().map(|(name, _)| name).collect()
    }

    /// The names of the type aliases that the files of modules should define, as programs write them.
    pub(crate) fn type_names(&self) -> Vec<String> {
        match &self.shared_type_names {
            Some(shared) => shared.get_or_init(|| self.listed_type_names()).clone(),
            None => self.listed_type_names(),
        }
    }

    /// `Net::Ip::Address` for `types/ip/address.pp` of `net`.
    fn listed_type_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for module in self.module_names() {
            for folder in self.roots(&module).map(|root| root.join(Kind::Type.directory())) {
                for file in files_below(&folder, Some("pp")) {
                    let rest = file.strip_prefix(&folder).unwrap_or(&file).with_extension("");
                    let segments = rest.iter().filter_map(OsStr::to_str).filter(|segment| *segment != "init");
                    names.push(capitalized(&once(&*module).chain(segments).collect::<Vec<_>>().join("::")));
                }
            }
        }
        sorted(names)
    }

    pub(crate) fn directories(&self) -> Vec<(String, PathBuf)> {
        let mut found: Vec<(String, PathBuf)> = self.own.iter().cloned().collect();
        for directory in &self.path {
            let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
            let mut entries: Vec<PathBuf> = entries.filter(|entry| entry.is_dir()).collect();
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

impl Environment {
    /// Makes type aliases known that no file defines: for each name in lower case `type Name = …`.
    pub(crate) fn add_types(&mut self, types: FxHashMap<String, String>) {
        Arc::make_mut(&mut self.program.modules.indexed_types).extend(types);
    }

    /// Registers a file that is parsed already, with the type aliases of a manifest, which autoloading does not find.
    ///
    /// Observed: in Puppet 7.23 a class can use an alias that is defined beside it.
    pub(crate) fn add_tree(&mut self, tree: &Arc<Tree>) {
        let modules = &mut self.program.modules;
        Arc::make_mut(&mut modules.trees).insert(tree.source.name().to_owned(), tree.clone());
        let is_manifest = Path::new(tree.source.name()).iter().any(|part| part == Kind::Manifest.directory());
        for id in tree.statements().iter().filter(|_| is_manifest) {
            if let Expression::TypeAlias { name, .. } = &tree[*id].expression {
                let program = tree.source.slice(tree[*id].span).to_owned();
                Arc::make_mut(&mut modules.indexed_types).insert(name.to_lowercase().into(), program);
            }
        }
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
        let outcome = match self.program.modules.file_of_definition(kind, name) {
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
            Some(tree) if defines(tree, kind, name) => tree.clone(),
            _ => Arc::new(read(kind, name, file)?),
        };
        let mode = if self.strictness == Strictness::Error { Mode::Program } else { Mode::Snippet };
        enforce_rules(&tree, self.strictness, mode, |_| Ok(()))?;
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

    /// Frees a name; returns whether there was something of that kind.
    pub(crate) fn unset(&mut self, kind: Kind, name: &str) -> bool {
        match kind {
            Kind::Type => self.program.aliases.remove(&name.to_lowercase()).is_some(),
            Kind::Manifest => self.program.resource_definitions.remove(&name.to_lowercase()).is_some(),
            Kind::Function => {
                if !self.host_functions.contains_key(name) {
                    self.program.function_names.remove(name);
                }
                Arc::make_mut(&mut self.program.functions).remove(name).is_some()
            }
        }
    }
}

/// Whether a module can have the name, or a type or function within one.
fn is_name(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn read(kind: Kind, name: &str, file: &Path) -> Result<Tree, Error> {
    let shown = shown(file);
    let text = files::read_text(file, &format!("{shown}, which should define {name}"))?;
    let tree = syntax::parse(&Source::new(shown, text))?;
    if defines(&tree, kind, name) {
        return Ok(tree);
    }
    let missing = format!("this file does not define the {} {name}, as its path requires", kind.thing());
    Err(Error::runtime(missing).at(tree[tree.body].span).in_source(&tree.source))
}

fn defines(tree: &Tree, kind: Kind, name: &str) -> bool {
    tree.statements().iter().any(|id| match Kind::defined_by(tree, *id) {
        Some((Kind::Type, defined, _)) => kind == Kind::Type && defined.eq_ignore_ascii_case(name),
        Some((other, defined, _)) => kind == other && **defined == *name,
        None => false,
    })
}
