//! Finds the project around the working directory: a module, an environment or a control repository, and its modules.
//!
//! A directory with `metadata.json`, or with `manifests/init.pp`, types or functions, is a module; its types and functions
//! are available, and those of its test fixtures and of
//! its sibling modules. A directory with `environment.conf` or `Puppetfile`, or with `modules` next to data or manifests,
//! is an environment, whose modules are in the directories named by `environment.conf`, by default in `modules`,
//! `site-modules` and `site`. The nearest one counts, from the working directory upwards.

use std::fs;
use std::path::{Path, PathBuf};

use pcore::files;
use pcore::session::Session;
use serde_json::Value as Json;

/// Directories with modules in a module, in order of precedence.
const BESIDE_MODULE: [&str; 2] = ["spec/fixtures/modules", "modules"];

/// Directories with modules in an environment, in order of precedence.
const IN_ENVIRONMENT: [&str; 3] = ["modules", "site-modules", "site"];

/// What is next to `modules` in an environment.
const MARKS: [&str; 8] =
    ["data", "hieradata", "hiera.yaml", "manifests", "site", "site-modules", "environment.conf", "Puppetfile"];

/// What is checked of a project, where it exists.
const OWN: [&str; 9] =
    ["manifests", "types", "functions", "plans", "templates", "data", "hieradata", "hiera", "hiera.yaml"];

/// The modules that programs can use.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Project {
    /// Directories with modules, in order of precedence.
    path: Vec<PathBuf>,
    /// The name and directory of the current module.
    own: Option<(String, PathBuf)>,
    /// Its directory.
    root: Option<PathBuf>,
}

impl Project {
    /// The same project with modules in other directories.
    pub(crate) fn with_path(self, path: Vec<PathBuf>) -> Project {
        Project { path, ..self }
    }

    /// The nearest module or environment that `directory` is in.
    pub(crate) fn around(directory: &Path) -> Project {
        let mut projects = directory.ancestors().map(Project::of_directory);
        projects.find(|project| project.root.is_some()).unwrap_or_default()
    }

    /// The modules of the module or environment in `directory`; none if it is neither.
    fn of_directory(directory: &Path) -> Project {
        let existing = |names: &[&str]| -> Vec<PathBuf> {
            names.iter().map(|name| directory.join(name)).filter(|folder| folder.is_dir()).collect()
        };
        let settings = directory.join("environment.conf");
        let has_settings = settings.is_file();
        let is_environment = has_settings
            || directory.join("Puppetfile").is_file()
            || directory.join("modules").is_dir() && MARKS.iter().any(|mark| directory.join(mark).exists());
        let metadata = directory.join("metadata.json");
        // An environment has functions and types of its own, but no class of its name.
        let is_module = metadata.is_file()
            || directory.join("manifests/init.pp").is_file()
            || !is_environment && ["types", "functions"].iter().any(|folder| has_program(&directory.join(folder)));
        if is_module {
            let own = module_name(&metadata, directory).map(|name| (name, directory.to_owned()));
            let mut path = existing(&BESIDE_MODULE);
            path.extend(siblings(directory));
            return Project { path, own, root: Some(directory.to_owned()) };
        }
        let settings = has_settings.then(|| files::source_text(&settings).ok()).flatten();
        let path = match settings.as_deref().and_then(module_path) {
            Some(folders) => existing(&folders),
            None if is_environment => existing(&IN_ENVIRONMENT),
            None => Vec::new(),
        };
        Project { path, own: None, root: is_environment.then(|| directory.to_owned()) }
    }

    /// The files and directories of the project itself: not those of modules that a Puppetfile installs.
    pub(crate) fn contents(&self) -> Vec<PathBuf> {
        let Some(root) = &self.root else { return Vec::new() };
        let installs = root.join("Puppetfile").is_file();
        let of_modules = |folder: &&PathBuf| folder.starts_with(root) && !(installs && folder.ends_with("modules"));
        let own = OWN.iter().map(|name| root.join(name)).filter(|path| path.exists());
        let modules = self.path.iter().filter(|_| self.own.is_none()).filter(of_modules).cloned();
        own.chain(modules).collect()
    }

    /// The directory of the module of that name; `None` if there is none.
    pub(crate) fn module_directory(&self, name: &str) -> Option<PathBuf> {
        let own = self.own.iter().filter(|(own, _)| own == name).map(|(_, directory)| directory.clone());
        own.chain(self.path.iter().map(|folder| folder.join(name))).find(|directory| directory.is_dir())
    }

    /// The directory of the module or environment.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Makes the modules available to a session.
    pub(crate) fn open_to(&self, session: &mut Session) {
        session.set_modules(self.path.clone(), self.own.clone());
    }

    /// The directories that are searched for modules, as messages show them.
    pub(crate) fn searched(&self, directory: &Path) -> Vec<String> {
        self.path.iter().map(|folder| relative(folder, directory)).collect()
    }

    /// A summary for the banner: `module web, modules in spec/fixtures/modules`; `None` without modules.
    pub(crate) fn summary(&self, directory: &Path) -> Option<String> {
        let root = self.root.as_deref().unwrap_or(directory);
        let folders: Vec<String> = self.path.iter().map(|folder| relative(folder, root)).collect();
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

/// Whether a file with Puppet code is in the directory.
fn has_program(directory: &Path) -> bool {
    let mut entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.any(|entry| entry.path().extension().is_some_and(|ending| ending == "pp"))
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
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    if entries.any(|entry| is_module(&entry.path())) { vec![folder.to_owned()] } else { Vec::new() }
}

/// The directories of the `modulepath` in `environment.conf`, in order of precedence; `None` without that setting.
/// `$basemodulepath`, which belongs to a server, is ignored.
///
/// Source: Puppet reference, "environment.conf: Per-environment settings".
fn module_path(settings: &str) -> Option<Vec<&str>> {
    let mut said = settings.lines().rev().filter_map(|line| line.split_once('='));
    let (_, path) = said.find(|(name, _)| name.trim() == "modulepath")?;
    let folders = path.split(':').map(str::trim);
    Some(folders.filter(|folder| !folder.is_empty() && !folder.contains('$')).collect())
}

/// The name of a module without its author, by default that of its directory.
fn module_name(metadata: &Path, directory: &Path) -> Option<String> {
    let json: Option<Json> = files::source_bytes(metadata).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let full = json.as_ref().and_then(|json| json.get("name")?.as_str());
    let directory = directory.file_name().map(|name| name.to_string_lossy().into_owned());
    let full = full.map(str::to_owned).or(directory)?;
    full.rsplit(['-', '/']).next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{Project, relative};

    /// The summary of a directory that holds these files and folders (names that end in a slash).
    fn summary(name: &str, entries: &[(&str, &str)]) -> Option<String> {
        // Other tests are not its siblings.
        let root = std::env::temp_dir().join(format!("pcore-project-{}-{name}/{name}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        for (entry, text) in entries {
            let path: PathBuf = root.join(entry);
            if entry.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        }
        let found = Project::around(&root).summary(&root);
        fs::remove_dir_all(root.parent().unwrap()).unwrap();
        found
    }

    #[test]
    fn folders_are_shown_relative_to_the_directory() {
        let cases = [("/a/b/c", "c"), ("/a/b", "."), ("/a", ".."), ("/x", "/x")];
        for (folder, expected) in cases {
            assert_eq!(relative(Path::new(folder), Path::new("/a/b")), expected);
        }
    }

    #[test]
    fn a_module_is_itself_and_what_its_tests_use() {
        let metadata = ("metadata.json", r#"{"name": "example-web"}"#);
        assert_eq!(summary("alone", &[metadata]).as_deref(), Some("module web"));
        let fixtures = [metadata, ("modules/", ""), ("spec/fixtures/modules/", "")];
        assert_eq!(
            summary("fixtures", &fixtures).as_deref(),
            Some("module web, modules in spec/fixtures/modules, modules")
        );
        assert_eq!(summary("slash", &[("metadata.json", r#"{"name": "a/b"}"#)]).as_deref(), Some("module b"));
    }

    #[test]
    fn metadata_without_a_name_leaves_that_of_the_directory() {
        assert_eq!(summary("web", &[("metadata.json", "no json")]).as_deref(), Some("module web"));
        assert_eq!(summary("puppet-web", &[("manifests/init.pp", "")]).as_deref(), Some("module web"));
    }

    #[test]
    fn a_directory_laid_out_as_a_module_is_one() {
        assert_eq!(summary("puppet-web", &[("types/", ""), ("types/port.pp", "")]).as_deref(), Some("module web"));
        assert_eq!(summary("bare", &[("types/", ""), ("manifests/", "")]), None);
    }

    #[test]
    fn an_environment_says_where_it_keeps_modules() {
        let folders = [("modules/", ""), ("site/", ""), ("vendor/modules/", "")];
        let says = |name: &str, text: &str| {
            let entries: Vec<_> = folders.iter().copied().chain([("environment.conf", text)]).collect();
            summary(name, &entries)
        };
        let some = "# modulepath = modules\n modulepath = vendor/modules : site:none:$basemodulepath\r\nmanifest=x\n";
        assert_eq!(says("said", some).as_deref(), Some("modules in vendor/modules, site"));
        assert_eq!(says("unsaid", "manifest = x\n").as_deref(), Some("modules in modules, site"));
        assert_eq!(says("empty-path", "modulepath =\n"), None);
    }

    #[test]
    fn an_environment_keeps_modules_in_fixed_places() {
        let folders = [("site/", ""), ("site-modules/", ""), ("modules/", ""), ("spec/fixtures/modules/", "")];
        for file in ["environment.conf", "Puppetfile"] {
            let entries: Vec<_> = folders.iter().copied().chain([(file, "")]).collect();
            assert_eq!(summary(file, &entries).as_deref(), Some("modules in modules, site-modules, site"));
        }
        let fixtures = [("spec/fixtures/modules/", ""), ("modules/", "")];
        assert_eq!(summary("neither", &fixtures), None);
        let control = [("data/", ""), ("modules/", "")];
        assert_eq!(summary("control", &control).as_deref(), Some("modules in modules"));
    }
}
