//! Finds the project around the working directory: a module, an environment or a control repository, or a folder of
//! modules.
//!
//! A directory with two of `environment.conf`, `Puppetfile` and folders for modules of its own is an environment,
//! whatever else is in it, and so is one with `environment.conf` and without `metadata.json`; its modules are in the
//! directories named by `environment.conf`, by default in `modules`, `site-modules` and `site`. A directory with
//! `metadata.json`, or with `manifests/init.pp`, types or functions, is a module; its types and functions are available,
//! and those of its test fixtures and of its sibling modules. Any other directory with `Puppetfile`, or with `modules`
//! next to data or manifests, is an environment, too. The nearest one counts, from the working directory upwards; a
//! folder of modules counts only where there is none.

use std::fs;
use std::path::{Path, PathBuf};

use pcore::data::{self, Format};
use pcore::text::Source;
use pcore::{Session, Value, files};
use serde_json::Value as Json;

/// Directories with modules in a module, in order of precedence.
const BESIDE_MODULE: [&str; 2] = ["spec/fixtures/modules", "modules"];

/// Directories with modules in an environment, in order of precedence.
const IN_ENVIRONMENT: [&str; 3] = ["modules", "site-modules", "site"];

/// The files and directories that mark an environment, next to `modules`.
const MARKS: [&str; 8] =
    ["data", "hieradata", "hiera.yaml", "manifests", "site", "site-modules", "environment.conf", "Puppetfile"];

/// The files and directories of a project that are checked, if they exist.
#[rustfmt::skip]
const OWN: [&str; 11] = [
    "manifests", "types", "functions", "lib/puppet/functions", "plans", "templates", "data", "hieradata", "hiera", "hiera.yaml",
    "metadata.json",
];

/// The modules that programs can use, and the files that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Project {
    /// Directories with modules, in order of precedence.
    pub(crate) path: Vec<PathBuf>,
    /// The name and directory of the current module.
    pub(crate) own: Option<(String, PathBuf)>,
    pub(crate) root: Option<PathBuf>,
    /// The manifests that `environment.conf` names.
    manifest: Option<PathBuf>,
    /// The directories of the modules that `Puppetfile` installs, as far as they are there: they are not checked.
    pub(crate) installed: Vec<PathBuf>,
    /// The names of the modules that `Puppetfile` installs.
    pub(crate) declared: Vec<String>,
}

impl Project {
    /// The nearest module or environment that `directory` is in; the directory itself if it is a folder of modules; the only
    /// environment with modules in it.
    pub(crate) fn around(directory: &Path) -> Project {
        let mut projects = directory.ancestors().map(Project::of_directory);
        let nearest = projects.find(|project| project.root.is_some());
        nearest.unwrap_or_else(|| {
            let below = entries(directory).filter(|entry| is_laid_out_as_module(entry));
            let below: Vec<Project> = below.map(|entry| Project::of_directory(&entry)).collect();
            if below.iter().any(|one| one.own.is_some() || one.root.is_none()) {
                return Project {
                    path: vec![directory.to_owned()],
                    root: Some(directory.to_owned()),
                    ..Project::default()
                };
            }
            let mut with_modules = below.into_iter().filter(|environment| !environment.path.is_empty());
            with_modules.next().filter(|_| with_modules.next().is_none()).unwrap_or_default()
        })
    }

    /// The module or environment in `directory`; none if it is neither.
    fn of_directory(directory: &Path) -> Project {
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
                || directory.join("modules").is_dir() && MARKS.iter().any(|mark| directory.join(mark).exists()));
        // An environment has functions and types of its own, but no class of its name.
        if is_module || !is_environment && has_program(directory, &["types", "functions"]) {
            let own = module_name(directory).map(|name| (name, directory.to_owned()));
            let mut path = existing(&BESIDE_MODULE);
            path.extend(siblings(directory));
            return Project { path, own, root: Some(directory.to_owned()), ..Project::default() };
        }
        if !is_environment {
            return Project::default();
        }
        let text = |name: &str| files::source_text(&directory.join(name)).unwrap_or_default();
        let (settings, puppetfile) = (text("environment.conf"), text("Puppetfile"));
        let folders = setting(&settings, "modulepath").map(module_path);
        let mut path = existing(folders.as_deref().unwrap_or(&IN_ENVIRONMENT));
        let (folder, names) = installed(&puppetfile);
        let folder = directory.join(folder);
        if folders.is_none() && folder.is_dir() && !path.contains(&folder) {
            path.push(folder.clone());
        }
        let installed = names.iter().map(|name| folder.join(name)).filter(|module| module.is_dir()).collect();
        let declared = names.into_iter().map(str::to_owned).collect();
        let manifest = setting(&settings, "manifest").filter(|manifest| !manifest.contains('$'));
        let manifest = manifest.map(|manifest| directory.join(manifest)).filter(|manifest| manifest.exists());
        Project { path, own: None, root: Some(directory.to_owned()), manifest, installed, declared }
    }

    /// The files and directories of the project itself: not those of modules that a Puppetfile installs.
    pub(crate) fn contents(&self) -> Vec<PathBuf> {
        let Some(root) = &self.root else { return Vec::new() };
        let own = OWN.iter().map(|name| root.join(name)).filter(|path| path.exists());
        let mut contents: Vec<PathBuf> = own.collect();
        contents.extend(self.manifest.clone());
        contents.extend(data_directories(&root.join("hiera.yaml")));
        for folder in self.path.iter().filter(|folder| self.own.is_none() && folder.starts_with(root)) {
            if self.installed.iter().any(|module| module.starts_with(folder)) {
                let mut modules: Vec<PathBuf> = entries(folder).collect();
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

    /// `module web`, `environment`, `folder of modules`; `None` if there is no project.
    pub(crate) fn kind(&self) -> Option<String> {
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

    /// Whether `path` is in this module or environment. A folder of modules may hold anything.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.root.as_deref().is_some_and(|root| path.starts_with(root) && self.path != [root])
    }

    /// Whether this is a directory of a module in which Puppet reads nothing: `examples`, `files`, `tests`.
    pub(crate) fn is_beside_code(&self, directory: &Path) -> bool {
        let Some(module) = directory.parent() else { return false };
        let is_read = |place: &str| module.join(place).starts_with(directory);
        self.path.iter().any(|folder| module.parent() == Some(folder))
            && !OWN.into_iter().any(is_read)
            && !data_directories(&module.join("hiera.yaml")).iter().any(|data| data.starts_with(directory))
    }

    pub(crate) fn open_to(&self, session: &mut Session) {
        session.set_modules(self.path.clone(), self.own.clone());
        session
            .set_environment(self.root.clone().filter(|root| self.own.is_none() && root.join("hiera.yaml").exists()));
    }

    /// The directories that are searched for modules, as messages show them.
    pub(crate) fn searched(&self, directory: &Path) -> Vec<String> {
        self.path.iter().map(|folder| relative(folder, directory)).collect()
    }

    /// A summary for the banner: `module web, modules in spec/fixtures/modules`; `None` without modules.
    pub(crate) fn summary(&self, directory: &Path) -> Option<String> {
        let folders = self.searched(self.root.as_deref().unwrap_or(directory));
        let own = self.own.iter().map(|(name, _)| format!("module {name}"));
        let others = (!folders.is_empty()).then(|| format!("modules in {}", folders.join(", ")));
        let parts: Vec<String> = own.chain(others).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The path of a folder relative to a directory; unchanged if it is neither below it nor its parent.
fn relative(folder: &Path, directory: &Path) -> String {
    match folder.strip_prefix(directory) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => below.display().to_string(),
        Err(_) if directory.parent() == Some(folder) => "..".to_owned(),
        Err(_) => folder.display().to_string(),
    }
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Whether a program is in one of these folders of a directory.
fn has_program(directory: &Path, folders: &[&str]) -> bool {
    let is_program = |file: PathBuf| file.extension().is_some_and(|ending| ending == "pp");
    folders.iter().any(|folder| entries(&directory.join(folder)).any(is_program))
}

/// The directories with modules beside a module: its own, or those of the environment that it belongs to.
fn siblings(module: &Path) -> Vec<PathBuf> {
    let Some(folder) = module.parent() else { return Vec::new() };
    let environment = folder.parent().map(Project::of_directory).unwrap_or_default();
    if environment.path.iter().any(|path| path == folder) {
        return environment.path;
    }
    let is_module =
        |path: &Path| path != module && (path.join("metadata.json").is_file() || path.join("manifests").is_dir());
    if entries(folder).any(|entry| is_module(&entry)) { vec![folder.to_owned()] } else { Vec::new() }
}

/// A setting of `environment.conf`; the last one counts.
///
/// Source: Puppet reference, "environment.conf: Per-environment settings".
fn setting<'s>(settings: &'s str, name: &str) -> Option<&'s str> {
    let mut said = settings.lines().rev().filter_map(|line| line.split_once('='));
    said.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

/// The directories of a `modulepath`, in order of precedence. `$basemodulepath`, which belongs to a server, is ignored.
fn module_path(path: &str) -> Vec<&str> {
    path.split(':').map(str::trim).filter(|folder| !folder.is_empty() && !folder.contains('$')).collect()
}

/// The directory in which a Puppetfile installs modules, and the names of these modules, without local ones.
///
/// Source: r10k documentation, "The Puppetfile".
fn installed(puppetfile: &str) -> (&str, Vec<&str>) {
    let (mut folder, mut names) = ("modules", Vec::new());
    for line in puppetfile.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let argument = |keyword: &str| {
            let rest = line.strip_prefix(keyword)?.trim_start_matches(['(', ' ', '\t']);
            rest.strip_prefix(['\'', '"'])?.split_once(['\'', '"']).map(|(argument, _)| argument)
        };
        if let Some(argument) = argument("moduledir") {
            folder = argument;
        } else if let Some(name) = argument("mod") {
            names.push(name.rsplit(['/', '-']).next().unwrap_or(name));
        }
        // An option may be in a line of its own.
        if line.contains(":local => true") || line.contains("local: true") {
            names.pop();
        }
    }
    (folder, names)
}

/// The existing directories with data that a `hiera.yaml` names.
pub(super) fn data_directories(file: &Path) -> Vec<PathBuf> {
    let Ok(text) = files::source_text(file) else { return Vec::new() };
    let Ok(document) = data::read(Format::Yaml, &Source::new("hiera.yaml", text)) else { return Vec::new() };
    let Value::Hash(config) = document.value else { return Vec::new() };
    let folder = file.parent().unwrap_or(Path::new(""));
    let of = |level: &Value| Some(folder.join(level.as_hash()?.get_str("datadir")?.as_str()?));
    let levels = ["hierarchy", "default_hierarchy"].iter().filter_map(|name| config.get_str(name)?.as_array());
    let levels: Vec<PathBuf> = levels.flat_map(|levels| levels.iter()).filter_map(of).collect();
    config.get_str("defaults").and_then(of).into_iter().chain(levels).filter(|folder| folder.is_dir()).collect()
}

/// Whether a directory looks like a module, by its subdirectories and files.
fn is_laid_out_as_module(directory: &Path) -> bool {
    let is_named = directory.file_name().and_then(|name| name.to_str()).is_some_and(files::is_module_name);
    let is_module = || has_program(directory, &["manifests", "types", "functions"]);
    is_named && (directory.join("metadata.json").is_file() || is_module())
}

fn module_name(directory: &Path) -> Option<String> {
    let metadata = files::source_bytes(&directory.join("metadata.json"));
    let json: Option<Json> = metadata.ok().and_then(|text| serde_json::from_slice(&text).ok());
    let full = json.as_ref().and_then(|json| json.get("name")?.as_str());
    let directory = directory.file_name().map(|name| name.to_string_lossy().into_owned());
    let full = full.map(str::to_owned).or(directory)?;
    full.rsplit(['-', '/']).next().map(str::to_owned)
}

#[cfg(test)]
#[path = "../../tests/unit/cli/project.rs"]
mod tests;
