//! Finds the project around the working directory: a module, an environment (such as a control repository), or a
//! directory with modules. The nearest module or environment counts, from the working directory upwards; a directory
//! with modules counts only if neither is found.
//!
//! A directory is an environment if it contains two of `environment.conf`, `Puppetfile` and `site` or `site-modules`,
//! or `environment.conf` without `metadata.json`. Its modules are in the directories that `environment.conf` names, by
//! default in `modules`, `site-modules` and `site`. Any other directory with `metadata.json` or `manifests/init.pp` is
//! a module; any other with `Puppetfile`, `hiera.yaml`, or `modules` next to data or manifests is an environment; any
//! other with types or functions is a module. Programs can use the types and functions of the module, and those of its
//! test fixtures and sibling modules. In the code directory of a server, the environment `production` counts.

use std::fs;
use std::path::{Path, PathBuf};

use pcore::check::Puppetfile;
use pcore::data::{self, Format};
use pcore::text::Source;
use pcore::{Session, Value, files};

/// Directories inside a module that may contain further modules, in order of precedence.
const NESTED_MODULE_DIRECTORIES: [&str; 2] = ["spec/fixtures/modules", "modules"];

/// The directories of an environment that contain modules by default, in order of precedence.
const DEFAULT_MODULE_PATH: [&str; 3] = ["modules", "site-modules", "site"];

/// A directory with `modules` and one of these files and directories is an environment.
const ENVIRONMENT_MARKERS: [&str; 8] =
    ["data", "hieradata", "hiera.yaml", "manifests", "site", "site-modules", "environment.conf", "Puppetfile"];

/// The files and directories of a module or environment that are checked if they exist.
#[rustfmt::skip]
const CHECKED_PATHS: [&str; 12] = [
    "Puppetfile", "manifests", "types", "functions", "lib/puppet/functions", "plans", "templates", "data", "hieradata", "hiera", "hiera.yaml",
    "metadata.json",
];

/// The module, environment or directory of modules found around a directory: where modules are, and what to check.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Project {
    /// Directories with modules, in order of precedence.
    pub(crate) path: Vec<PathBuf>,
    /// The name and directory of the module, if the project is a module.
    pub(crate) own: Option<(String, PathBuf)>,
    pub(crate) root: Option<PathBuf>,
    /// Further files and directories to check: manifests that `environment.conf` names, modules of all environments.
    further_paths: Vec<PathBuf>,
    /// The existing directories of the modules that `Puppetfile` installs, which are not checked.
    pub(crate) installed: Vec<PathBuf>,
    /// The names of the modules that `Puppetfile` installs.
    pub(crate) declared: Vec<String>,
}

impl Project {
    /// Returns the nearest module or environment that contains `directory`. Without one, returns `directory` itself if
    /// it contains modules, or the only environment with modules directly below `directory`, or an empty project.
    pub(crate) fn find_enclosing(directory: &Path) -> Project {
        let mut projects = directory.ancestors().map(Project::from_root_directory);
        let nearest = projects.find(|project| project.root.is_some());
        nearest.or_else(|| Project::from_code_directory(directory)).unwrap_or_else(|| {
            let below = directory_entries(directory).filter(|entry| looks_like_module(entry));
            let below: Vec<Project> = below.map(|entry| Project::from_root_directory(&entry)).collect();
            if below.iter().any(|one| one.own.is_some() || one.root.is_none()) {
                let path = vec![directory.to_owned()];
                return Project { path, root: Some(directory.to_owned()), ..Project::default() };
            }
            let mut with_modules = below.into_iter().filter(|environment| !environment.path.is_empty());
            with_modules.next().filter(|_| with_modules.next().is_none()).unwrap_or_default()
        })
    }

    /// Returns the environment `production`, or the only one, of a code directory, with the modules of all environments.
    ///
    /// Source: Puppet reference, "Main config directories": `codedir`.
    fn from_code_directory(directory: &Path) -> Option<Project> {
        let roots: Vec<PathBuf> = directory_entries(&directory.join("environments")).collect();
        let mut environments =
            roots.iter().map(|root| Project::from_root_directory(root)).filter(|one| one.own.is_none());
        let is_default =
            |one: &Project| roots.len() == 1 || one.root.as_ref().is_some_and(|root| root.ends_with("production"));
        let mut environment = environments.find(is_default).filter(|one| one.root.is_some())?;
        environment.further_paths.extend(shared_modules(environment.root.as_deref()?));
        Some(environment)
    }

    /// Returns the module or environment whose root is `directory`, or an empty project if it is neither.
    fn from_root_directory(directory: &Path) -> Project {
        let existing = |names: &[&str]| -> Vec<PathBuf> {
            names.iter().map(|name| directory.join(name)).filter(|folder| folder.is_dir()).collect()
        };
        let is_file = |name: &str| directory.join(name).is_file();
        let [has_settings, installs, has_metadata] = ["environment.conf", "Puppetfile", "metadata.json"].map(is_file);
        let has_own_modules = || !existing(&["site-modules", "site"]).is_empty();
        // A module may have one of the two for its tests.
        let is_control_repository =
            has_settings && (installs || !has_metadata || has_own_modules()) || installs && has_own_modules();
        let is_module = !is_control_repository && (has_metadata || is_file("manifests/init.pp"));
        let is_environment = !is_module
            && (has_settings
                || installs
                || is_file("hiera.yaml")
                || directory.join("modules").is_dir()
                    && ENVIRONMENT_MARKERS.iter().any(|mark| directory.join(mark).exists()));
        // An environment has functions and types of its own, but no class of its name.
        if is_module || !is_environment && has_manifest_in(directory, &["types", "functions"]) {
            let own = module_name(directory).map(|name| (name, directory.to_owned()));
            let mut path = existing(&NESTED_MODULE_DIRECTORIES);
            path.extend(sibling_module_path(directory));
            return Project { path, own, root: Some(directory.to_owned()), ..Project::default() };
        }
        if !is_environment {
            return Project::default();
        }
        let text = |name: &str| files::read_source_text(&directory.join(name)).unwrap_or_default();
        let (settings, source) = (text("environment.conf"), Source::new("Puppetfile", text("Puppetfile")));
        let puppetfile = Puppetfile::parse(&source);
        let folders = environment_setting(&settings, "modulepath").map(parse_module_path);
        let mut path = existing(folders.as_deref().unwrap_or(&DEFAULT_MODULE_PATH));
        let folder = directory.join(puppetfile.module_directory);
        if folders.is_none() && folder.is_dir() && !path.contains(&folder) {
            path.push(folder.clone());
        }
        path.extend(shared_modules(directory));
        let installed =
            puppetfile.modules.iter().map(|name| folder.join(name)).filter(|module| module.is_dir()).collect();
        let declared = puppetfile.modules.iter().map(|name| (*name).to_owned()).collect();
        let manifest = environment_setting(&settings, "manifest").filter(|manifest| !manifest.contains('$'));
        let manifest = manifest.map(|manifest| directory.join(manifest)).filter(|manifest| manifest.exists());
        let further_paths = manifest.into_iter().collect();
        Project { path, own: None, root: Some(directory.to_owned()), further_paths, installed, declared }
    }

    /// Returns the files and directories of the project to check, without the modules that a Puppetfile installs.
    pub(crate) fn paths_to_check(&self) -> Vec<PathBuf> {
        let Some(root) = &self.root else { return Vec::new() };
        let own = CHECKED_PATHS.iter().map(|name| root.join(name)).filter(|path| path.exists());
        let mut contents: Vec<PathBuf> = own.collect();
        contents.extend(self.further_paths.iter().cloned());
        contents.extend(hiera_data_directories(&root.join("hiera.yaml")));
        for folder in self.path.iter().filter(|folder| self.own.is_none() && folder.starts_with(root)) {
            if self.installed.iter().any(|module| module.starts_with(folder)) {
                let mut modules: Vec<PathBuf> = directory_entries(folder).collect();
                modules.retain(|entry| !self.installed.contains(entry));
                modules.sort_unstable();
                contents.extend(modules);
            } else {
                contents.push(folder.clone());
            }
        }
        // What is in another directory of the list is not to be checked twice.
        let all = contents.clone();
        let is_inside = |path: &PathBuf| all.iter().any(|other| other != path && path.starts_with(other));
        contents.retain(|path| !is_inside(path));
        contents.dedup();
        contents
    }

    /// Returns `module web`, `control repository`, `environment` or `folder of modules`; `None` for an empty project.
    pub(crate) fn describe_kind(&self) -> Option<String> {
        let root = self.root.as_deref()?;
        Some(match &self.own {
            Some((name, _)) => format!("module {name}"),
            None if self.path == [root] => "folder of modules".to_owned(),
            None if root.join("Puppetfile").is_file() => "control repository".to_owned(),
            None => "environment".to_owned(),
        })
    }

    pub(crate) fn module_directory(&self, name: &str) -> Option<PathBuf> {
        let own = self.own.iter().filter(|(own, _)| own == name).map(|(_, directory)| directory.clone());
        own.chain(self.path.iter().map(|folder| folder.join(name))).find(|directory| directory.is_dir())
    }

    /// Whether `path` is in this module or environment; `false` if the project is only a directory with modules.
    pub(crate) fn contains_path(&self, path: &Path) -> bool {
        self.root.as_deref().is_some_and(|root| path.starts_with(root) && self.path != [root])
    }

    /// Whether `directory` is a directory of a module, such as `examples`, from which Puppet reads no code or data.
    pub(crate) fn is_ignored_by_puppet(&self, directory: &Path) -> bool {
        let Some(module) = directory.parent() else { return false };
        let is_read = |place: &str| module.join(place).starts_with(directory);
        self.path.iter().any(|folder| module.parent() == Some(folder))
            && !CHECKED_PATHS.into_iter().any(is_read)
            && !hiera_data_directories(&module.join("hiera.yaml")).iter().any(|data| data.starts_with(directory))
    }

    pub(crate) fn configure_session(&self, session: &mut Session) {
        session.set_modules(self.path.clone(), self.own.clone());
        session
            .set_environment(self.root.clone().filter(|root| self.own.is_none() && root.join("hiera.yaml").exists()));
    }

    pub(crate) fn relative_module_path(&self, directory: &Path) -> Vec<String> {
        self.path.iter().map(|folder| relative_path(folder, directory)).collect()
    }

    /// Returns `module web, modules in spec/fixtures/modules` for the prompt's banner; `None` if there are no modules.
    pub(crate) fn banner_summary(&self, directory: &Path) -> Option<String> {
        let folders = self.relative_module_path(self.root.as_deref().unwrap_or(directory));
        let own = self.own.iter().map(|(name, _)| format!("module {name}"));
        let others = (!folders.is_empty()).then(|| format!("modules in {}", folders.join(", ")));
        let parts: Vec<String> = own.chain(others).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Returns `folder` relative to `directory`: `.`, `..`, a path below it or, for the modules of all environments,
/// `../../modules`; the unchanged path if it is elsewhere.
fn relative_path(folder: &Path, directory: &Path) -> String {
    match folder.strip_prefix(directory) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => below.display().to_string(),
        Err(_) if directory.parent() == Some(folder) => "..".to_owned(),
        Err(_) if shared_modules(directory).is_some_and(|shared| shared == folder) => "../../modules".to_owned(),
        Err(_) => folder.display().to_string(),
    }
}

fn directory_entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Returns the directory with the modules of all environments, for `environment` in `environments` of a code directory.
fn shared_modules(environment: &Path) -> Option<PathBuf> {
    let code = environment.parent().filter(|folder| folder.ends_with("environments"))?.parent()?;
    Some(code.join("modules")).filter(|modules| modules.is_dir())
}

fn has_manifest_in(directory: &Path, folders: &[&str]) -> bool {
    let is_program = |file: PathBuf| file.extension().is_some_and(|ending| ending == "pp");
    folders.iter().any(|folder| directory_entries(&directory.join(folder)).any(is_program))
}

/// Returns the module path of the environment around `module`, or its parent directory if that contains other modules.
fn sibling_module_path(module: &Path) -> Vec<PathBuf> {
    let Some(folder) = module.parent() else { return Vec::new() };
    let environment = folder.parent().map(Project::from_root_directory).unwrap_or_default();
    if environment.path.iter().any(|path| path == folder) {
        return environment.path;
    }
    let is_module =
        |path: &Path| path != module && (path.join("metadata.json").is_file() || path.join("manifests").is_dir());
    if directory_entries(folder).any(|entry| is_module(&entry)) { vec![folder.to_owned()] } else { Vec::new() }
}

/// Returns the last value of the setting `name` in `settings`, the text of an `environment.conf`.
///
/// Source: Puppet reference, "environment.conf: Per-environment settings".
fn environment_setting<'s>(settings: &'s str, name: &str) -> Option<&'s str> {
    let mut said = settings.lines().rev().filter_map(|line| line.split_once('='));
    said.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

/// Splits a `modulepath` into directories, in order of precedence. Ignores `$basemodulepath`, which only servers have.
fn parse_module_path(path: &str) -> Vec<&str> {
    path.split(':').map(str::trim).filter(|folder| !folder.is_empty() && !folder.contains('$')).collect()
}

pub(super) fn hiera_data_directories(file: &Path) -> Vec<PathBuf> {
    let Ok(text) = files::read_source_text(file) else { return Vec::new() };
    let Ok(document) = data::read(Format::Yaml, &Source::new("hiera.yaml", text)) else { return Vec::new() };
    let Value::Hash(config) = document.value else { return Vec::new() };
    let folder = file.parent().unwrap_or(Path::new(""));
    let of = |level: &Value| Some(folder.join(level.as_hash()?.get_str("datadir")?.as_str()?));
    let levels = ["hierarchy", "default_hierarchy"].iter().filter_map(|name| config.get_str(name)?.as_array());
    let levels: Vec<PathBuf> = levels.flat_map(|levels| levels.iter()).filter_map(of).collect();
    config.get_str("defaults").and_then(of).into_iter().chain(levels).filter(|folder| folder.is_dir()).collect()
}

/// Whether `directory` has a valid module name, and contains `metadata.json` or manifests, types or functions.
fn looks_like_module(directory: &Path) -> bool {
    let is_named = directory.file_name().and_then(|name| name.to_str()).is_some_and(files::is_module_name);
    let is_module = || has_manifest_in(directory, &["manifests", "types", "functions"]);
    is_named && (directory.join("metadata.json").is_file() || is_module())
}

fn module_name(directory: &Path) -> Option<String> {
    let name = || directory.file_name().map(|name| name.to_string_lossy().into_owned());
    files::metadata_text(directory, "name").or_else(name)?.rsplit(['-', '/']).next().map(str::to_owned)
}

#[cfg(test)]
#[path = "../../tests/unit/cli/project.rs"]
mod tests;
