//! Loads type aliases, functions, classes and defined types from the files of modules when a program first names them.
//!
//! `Stdlib::Compat::Array` is `types/compat/array.pp` of the module `stdlib`, `stdlib::ensure` is `functions/ensure.pp`,
//! the class `apache::vhost` is `manifests/vhost.pp`; a definition with the name of the module is in `init.pp`.
//!
//! Source: Puppet reference, "Module fundamentals" (directories `types`, `functions` and `manifests`).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::environment::{Environment, sorted_unique};
use super::{Mode, Strictness, enforce_rules};
use crate::error::Error;
use crate::files::{self, display_path, files_below};
use crate::syntax;
use crate::syntax::tree::{DefinitionKind, Expression, Tree};
use crate::text::{Source, Span};
use crate::value::EcoString;
use crate::wording::{capitalize_segments, enum_with_words};

#[derive(Clone, Debug, Default)]
pub(crate) struct ModuleLoader {
    /// The directories whose subdirectories are modules, in order of precedence.
    pub(super) module_path: Vec<PathBuf>,
    /// The name and directory of the module in the working directory, which is searched before `path`.
    pub(crate) own_module: Option<(String, PathBuf)>,
    /// The names of all type aliases, cached for all environments that share them; `None` to list the files each time.
    pub(crate) shared_type_names: Option<Arc<OnceLock<Vec<String>>>>,
    /// Parsed files that need not be read again, by the names that messages show.
    pub(super) parsed_files: Arc<FxHashMap<String, Arc<Tree>>>,
    /// The statements `type Name = …` of type aliases without files of their own, by the alias name in lower case.
    pub(super) alias_statements: Arc<FxHashMap<String, String>>,
}

enum_with_words! {
    /// The kind of a definition that is loaded from the file of a module.
    #[derive(Hash)]
    pub(crate) AutoloadKind
    /// Returns the directory of its files in a module.
    directory_name { Type "types" Function "functions" Manifest "manifests" }
}

impl AutoloadKind {
    fn display_name(self) -> &'static str {
        match self {
            AutoloadKind::Type => "type alias",
            AutoloadKind::Function => "function",
            AutoloadKind::Manifest => "class or defined type",
        }
    }

    /// Yields the kinds, names and locations of the definitions among the statements of a program.
    pub(super) fn definitions_in(tree: &Tree) -> impl Iterator<Item = (AutoloadKind, &EcoString, Span)> {
        tree.statements().iter().filter_map(|id| match &tree[*id].expression {
            Expression::TypeAlias { name, .. } => Some((AutoloadKind::Type, name, tree[*id].span)),
            Expression::Definition(definition) => {
                let is_function = definition.kind == DefinitionKind::Function;
                let kind = if is_function { AutoloadKind::Function } else { AutoloadKind::Manifest };
                Some((kind, &definition.name, definition.name_span))
            }
            _ => None,
        })
    }
}

impl ModuleLoader {
    pub(crate) fn file_of_definition(&self, kind: AutoloadKind, name: &str) -> Option<PathBuf> {
        let name = name.split("::").all(is_valid_name_segment).then(|| name.to_lowercase())?;
        let (module, rest) = name.split_once("::").unwrap_or((&name, "init"));
        let file = format!("{}.pp", rest.replace("::", "/"));
        self.directories(module).map(|root| root.join(kind.directory_name()).join(&file)).find(|file| file.is_file())
    }

    /// Returns the Ruby file of the function `name` in its module (without `::`, in any); `None` if there is none.
    ///
    /// Source: Puppet reference, "Writing functions in Ruby" and "Legacy functions API".
    pub(crate) fn find_ruby_function(&self, name: &str) -> Option<PathBuf> {
        let file = name.split("::").all(is_valid_name_segment).then(|| format!("{}.rb", name.replace("::", "/")))?;
        let roots: Vec<PathBuf> = match name.split_once("::") {
            Some((module, _)) => self.directories(module).collect(),
            None => self.module_directories().into_iter().map(|(_, root)| root).collect(),
        };
        let folders = ["lib/puppet/functions", "lib/puppet/parser/functions"];
        let mut files = roots.iter().flat_map(|root| folders.map(|folder| root.join(folder).join(&file)));
        files.find(|file| file.is_file())
    }

    fn directories<'a>(&'a self, module: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
        let own = self.own_module.iter().filter(move |(own, _)| own == module).map(|(_, directory)| directory.clone());
        own.chain(self.module_path.iter().map(move |directory| directory.join(module)))
    }

    pub(crate) fn module_names(&self) -> Vec<String> {
        self.module_directories().into_iter().map(|(name, _)| name).collect()
    }

    pub(crate) fn type_alias_names(&self) -> Vec<String> {
        match &self.shared_type_names {
            Some(shared) => shared.get_or_init(|| self.list_type_alias_names()).clone(),
            None => self.list_type_alias_names(),
        }
    }

    /// Lists type aliases by the paths of files: `Net::Ip::Address` for `types/ip/address.pp` of the module `net`.
    fn list_type_alias_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for module in self.module_names() {
            for folder in self.directories(&module).map(|root| root.join(AutoloadKind::Type.directory_name())) {
                let files = files_below(&folder, Some("pp"));
                names.extend(files.iter().map(|file| capitalize_segments(&name_of_file(file, &folder, Some(&module)))));
            }
        }
        sorted_unique(names)
    }

    pub(crate) fn module_directories(&self) -> Vec<(String, PathBuf)> {
        let mut found: Vec<(String, PathBuf)> = self.own_module.iter().cloned().collect();
        for directory in &self.module_path {
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

    pub(super) fn module_directory(&self, module: &str) -> Option<PathBuf> {
        let roots = is_valid_name_segment(module).then(|| self.directories(module));
        roots.into_iter().flatten().find(|root| root.is_dir())
    }
}

impl Environment {
    /// Registers the statements `type Name = …` of aliases without files of their own, by their names in lower case.
    pub(crate) fn register_type_aliases(&mut self, types: FxHashMap<String, String>) {
        Arc::make_mut(&mut self.program.modules.alias_statements).extend(types);
    }

    /// Registers a parsed file; if it is a manifest, also its type aliases, for which autoloading has no file.
    ///
    /// Observed: in Puppet 7.23 a class can use an alias that is defined beside it.
    pub(crate) fn register_parsed_file(&mut self, tree: &Arc<Tree>) {
        let modules = &mut self.program.modules;
        Arc::make_mut(&mut modules.parsed_files).insert(tree.source.name().to_owned(), tree.clone());
        let is_manifest =
            Path::new(tree.source.name()).iter().any(|part| part == AutoloadKind::Manifest.directory_name());
        for id in tree.statements().iter().filter(|_| is_manifest) {
            if let Expression::TypeAlias { name, .. } = &tree[*id].expression {
                let program = tree.text_of(*id).to_owned();
                Arc::make_mut(&mut modules.alias_statements).insert(name.to_lowercase().into(), program);
            }
        }
    }

    /// Returns the file at the absolute `path`; `None` if there is none; an error if programs may not read it.
    pub(crate) fn find_readable_file(&self, path: &Path) -> Result<Option<PathBuf>, Error> {
        let own = self.program.modules.own_module.as_ref().map(|(_, directory)| directory.as_path());
        self.permissions.find_allowed_file(path, &self.program.modules.module_path, own)
    }

    /// Loads the file that should define `name`, unless `name` is defined or that was tried before.
    pub(crate) fn load_definition(&mut self, kind: AutoloadKind, name: &str) -> Result<(), Error> {
        let tried = (kind, name.to_lowercase());
        if self.program.tried_names.contains(&tried) || self.is_defined(kind, name) {
            return Ok(());
        }
        let outcome = match self.program.modules.file_of_definition(kind, name) {
            Some(file) => self.load_module_file(kind, name, &file),
            None if kind == AutoloadKind::Type
                && let Some(program) = self.program.modules.alias_statements.get(&tried.1) =>
            {
                let tree = syntax::parse(&Source::new("index", &**program))?;
                self.add_module_definitions(&tree)
            }
            None => Ok(()),
        };
        // An interrupt leads past here: then the next use tries again.
        self.program.tried_names.insert(tried);
        outcome
    }

    fn load_module_file(&mut self, kind: AutoloadKind, name: &str, file: &Path) -> Result<(), Error> {
        let trees = &self.program.modules.parsed_files;
        let tree = match trees.get(&*file.to_string_lossy()).or_else(|| trees.get(&display_path(file))) {
            Some(tree) if defines_name(tree, kind, name) => tree.clone(),
            _ => Arc::new(parse_module_file(kind, name, file)?),
        };
        let mode = if self.strictness == Strictness::Error { Mode::Program } else { Mode::Snippet };
        enforce_rules(&tree, self.strictness, mode, |_| Ok(()))?;
        self.add_module_definitions(&tree)
    }

    fn add_module_definitions(&mut self, tree: &Tree) -> Result<(), Error> {
        self.add_definitions(tree).map_err(|error| error.in_source(&tree.source))?;
        let defined = AutoloadKind::definitions_in(tree).map(|(kind, name, _)| (kind, name.to_string()));
        self.program.loaded_definitions.extend(defined);
        Ok(())
    }

    /// Discards the parsed files of modules and their definitions, so that changed files are read again.
    pub(crate) fn forget_module_files(&mut self) {
        self.program.modules.parsed_files = Arc::default();
        self.program.modules.shared_type_names = None;
        self.forget_module_definitions();
    }

    pub(crate) fn forget_module_definitions(&mut self) {
        self.program.tried_names.clear();
        for (kind, name) in std::mem::take(&mut self.program.loaded_definitions) {
            self.remove_definition(kind, &name);
        }
    }

    pub(crate) fn forget_tree_definitions(&mut self, tree: &Tree) {
        for (kind, name, _) in AutoloadKind::definitions_in(tree) {
            self.program.tried_names.remove(&(kind, name.to_lowercase().to_string()));
            self.remove_definition(kind, name);
        }
    }

    pub(crate) fn remove_definition(&mut self, kind: AutoloadKind, name: &str) -> bool {
        match kind {
            AutoloadKind::Type => self.program.aliases.remove(&name.to_lowercase()).is_some(),
            AutoloadKind::Manifest => self.program.classes_and_defines.remove(&name.to_lowercase()).is_some(),
            AutoloadKind::Function => {
                if !self.host_functions.contains_key(name) {
                    self.program.function_names.remove(name);
                }
                Arc::make_mut(&mut self.program.functions).remove(name).is_some()
            }
        }
    }
}

/// Returns the name that a file in `folder` defines: `web::port` for `port.pp` and the module `web`. The paths of Ruby
/// files contain the module.
pub(crate) fn name_of_file(file: &Path, folder: &Path, module: Option<&str>) -> String {
    let rest = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    let segments = rest.iter().filter_map(OsStr::to_str).filter(|segment| *segment != "init");
    module.into_iter().chain(segments).collect::<Vec<_>>().join("::")
}

fn is_valid_name_segment(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn parse_module_file(kind: AutoloadKind, name: &str, file: &Path) -> Result<Tree, Error> {
    let shown = display_path(file);
    let text = files::read_file_text(file, &format!("{shown}, which should define {name}"))?;
    let tree = syntax::parse(&Source::new(shown, text))?;
    if defines_name(&tree, kind, name) {
        return Ok(tree);
    }
    let missing = format!("this file does not define the {} {name}, as its path requires", kind.display_name());
    Err(Error::runtime(missing).at(tree[tree.body].span).in_source(&tree.source))
}

fn defines_name(tree: &Tree, kind: AutoloadKind, name: &str) -> bool {
    AutoloadKind::definitions_in(tree).any(|(found, defined, _)| match kind {
        AutoloadKind::Type => found == kind && defined.eq_ignore_ascii_case(name),
        AutoloadKind::Function | AutoloadKind::Manifest => found == kind && **defined == *name,
    })
}
