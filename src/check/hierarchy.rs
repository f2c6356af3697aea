//! Which files the levels of a `hiera.yaml` read.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)".

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::hiera_config::BACKENDS;
use crate::data::Document;
use crate::data::hiera::interpolation;
use crate::regexp::constant;
use crate::value::{Hash, Value};

/// The data that a `hiera.yaml` names.
#[derive(Debug)]
pub(super) struct Hierarchy {
    /// Whether every level reads files of the project that are there.
    pub(super) is_visible: bool,
    /// The directories with data, without symbolic links.
    data: Vec<PathBuf>,
    /// Patterns of the paths that levels read; `None` if a level may read any file.
    files: Option<Vec<Regex>>,
}

impl Hierarchy {
    /// The hierarchy of a `hiera.yaml` in that directory.
    pub(super) fn of(document: &Document, directory: &Path) -> Hierarchy {
        let top = document.value.as_hash();
        let defaults = top.and_then(|top| top.get_str("defaults")?.as_hash());
        let levels = |keys: &[&'static str]| -> Vec<Level<'_>> {
            let lists = keys.iter().filter_map(|key| top?.get_str(key)?.as_array());
            lists.flat_map(|levels| levels.iter()).map(|level| Level { level: level.as_hash(), defaults }).collect()
        };
        let of_catalogs = levels(&["hierarchy", "default_hierarchy"]);
        let of_plans = levels(&["plan_hierarchy"]);
        let all = || of_catalogs.iter().chain(&of_plans);
        let directories = all().filter_map(|level| directory.join(level.directory()?).canonicalize().ok());
        let is_version_5 = matches!(top.and_then(|top| top.get_str("version")), Some(Value::Integer(5)));
        let files = all().map(|level| level.patterns(directory)).collect::<Option<Vec<_>>>();
        Hierarchy {
            is_visible: top.is_some() && of_catalogs.iter().all(|level| level.is_visible(directory)),
            data: directories.collect(),
            files: files.filter(|_| is_version_5).map(|levels| levels.into_iter().flatten().collect()),
        }
    }

    /// Whether a file is in one of the directories with data.
    pub(super) fn covers(&self, file: &Path) -> bool {
        self.data.iter().any(|directory| file.starts_with(directory))
    }

    /// Whether some level may read a file.
    pub(super) fn may_read(&self, file: &Path) -> bool {
        let text = file.to_string_lossy();
        self.files.as_ref().is_none_or(|files| files.iter().any(|pattern| pattern.is_match(&text)))
    }
}

/// A level, and what holds where it says nothing.
struct Level<'d> {
    level: Option<&'d Hash>,
    defaults: Option<&'d Hash>,
}

impl<'d> Level<'d> {
    fn get(&self, key: &str) -> Option<&'d Value> {
        self.level?.get_str(key)
    }

    /// Its data directory, if it is the same for all nodes.
    fn directory(&self) -> Option<&'d str> {
        let given = self.get("datadir").or_else(|| self.defaults?.get_str("datadir"));
        given.map_or(Some("data"), Value::as_str).filter(|directory| !interpolation::is_open(directory))
    }

    fn reads_files(&self) -> bool {
        let has_own = BACKENDS.iter().any(|key| self.get(key).is_some());
        let backend = |key: &&str| self.get(key).or_else(|| self.defaults.filter(|_| !has_own)?.get_str(key));
        let backend = BACKENDS.iter().find_map(backend);
        backend.is_none_or(|name| matches!(name.as_str(), Some("yaml_data" | "json_data" | "eyaml_lookup_key")))
    }

    /// The values of the key that says which files it reads.
    fn paths(&self) -> Option<(&'static str, Vec<&'d str>)> {
        let keys = ["path", "paths", "glob", "globs", "mapped_paths"];
        let (key, value) = keys.into_iter().find_map(|key| Some((key, self.get(key)?)))?;
        let paths = match value {
            Value::String(path) => vec![&**path],
            // Of [variable, name, path] the last one.
            Value::Array(parts) if key == "mapped_paths" => vec![parts.last()?.as_str()?],
            Value::Array(paths) => paths.iter().map(Value::as_str).collect::<Option<_>>()?,
            _ => return None,
        };
        Some((key, paths))
    }

    /// Whether its data is in files of the project that are there. What is filled in depends on the node: there may be no
    /// such file.
    fn is_visible(&self, root: &Path) -> bool {
        let is_local = |path: &str| !path.starts_with('/') && !path.contains("..");
        let Some(directory) = self.directory().filter(|directory| is_local(directory)) else { return false };
        let is_there = |path: &&str| interpolation::is_open(path) || root.join(directory).join(path).is_file();
        let are_there = match self.paths() {
            Some(("path" | "paths", paths)) => paths.iter().all(|path| is_local(path) && is_there(path)),
            found => found.is_some(),
        };
        self.reads_files() && are_there
    }

    /// Patterns of the paths that it reads; `None` if these are not known.
    fn patterns(&self, root: &Path) -> Option<Vec<Regex>> {
        let directory = self.directory()?;
        let (key, paths) = self.paths().filter(|_| self.reads_files())?;
        // Nothing in a directory that is not there is read.
        let Ok(directory) = root.join(directory).canonicalize() else { return Some(Vec::new()) };
        let start = regex::escape(&format!("{}/", directory.display()));
        paths
            .iter()
            .map(|path| Regex::new(&format!("^{start}{}$", pattern(path, key.starts_with("glob")))).ok())
            .collect()
    }
}

/// The expression of a path in which anything may be filled in. In a glob, what braces or brackets choose from may be
/// anything, too.
fn pattern(path: &str, is_glob: bool) -> String {
    static OPEN: LazyLock<Regex> = LazyLock::new(|| constant(r"%\{[^}]*\}|\*\*/|\*|\?|\{[^}]*\}|\[[^\]]*\]"));
    let (mut expression, mut end) = (String::new(), 0);
    let path = path.trim_start_matches("./");
    for found in OPEN.find_iter(path).filter(|found| is_glob || found.as_str().starts_with('%')) {
        expression += &regex::escape(&path[end..found.start()]);
        expression += match found.as_str() {
            "**/" => "(?:.*/)?",
            "*" => "[^/]*",
            "?" => "[^/]",
            _ => ".*",
        };
        end = found.end();
    }
    expression + &regex::escape(&path[end..])
}
