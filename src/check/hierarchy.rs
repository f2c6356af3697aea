//! Determines the files that the levels of a `hiera.yaml` read.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)".

use std::path::{Path, PathBuf};

use regex::Regex;

use crate::data::hiera::config::{HierarchyLevel, path_pattern};
use crate::data::{Document, hiera::interpolation};
use crate::value::Value;

/// The locations of the data that a `hiera.yaml` uses.
#[derive(Debug)]
pub(super) struct Hierarchy {
    /// Whether pcore can read the data of every level, because all levels use existing files of the project.
    pub(super) is_fully_readable: bool,
    /// The data directories, without symbolic links.
    data_directories: Vec<PathBuf>,
    /// Patterns of the paths that the levels read, and whether they decrypt; `None` if a level may read any file.
    path_patterns: Option<Vec<(Regex, bool)>>,
}

impl Hierarchy {
    pub(super) fn from_hiera_yaml(document: &Document, directory: &Path) -> Hierarchy {
        let of_catalogs = HierarchyLevel::levels_in_config(&document.value, &["hierarchy", "default_hierarchy"]);
        let of_plans = HierarchyLevel::levels_in_config(&document.value, &["plan_hierarchy"]);
        let all = || of_catalogs.iter().chain(&of_plans);
        let directories = all().filter_map(|level| directory.join(fixed_data_directory(level)?).canonicalize().ok());
        let top = document.value.as_hash();
        let is_version_5 = matches!(top.and_then(|top| top.get_str("version")), Some(Value::Integer(5)));
        let files = all().map(|level| path_patterns_of_level(level, directory)).collect::<Option<Vec<_>>>();
        Hierarchy {
            is_fully_readable: top.is_some() && of_catalogs.iter().all(|level| reads_existing_files(level, directory)),
            data_directories: directories.collect(),
            path_patterns: files.filter(|_| is_version_5).map(|levels| levels.into_iter().flatten().collect()),
        }
    }

    pub(super) fn is_in_data_directory(&self, file: &Path) -> bool {
        self.data_directories.iter().any(|directory| file.starts_with(directory))
    }

    /// Whether some level may read `file`, with `must_decrypt` one that decrypts what it reads.
    pub(super) fn may_read_file(&self, file: &Path, must_decrypt: bool) -> bool {
        let text = file.to_string_lossy();
        let may_read = |(pattern, decrypts): &(Regex, bool)| *decrypts >= must_decrypt && pattern.is_match(&text);
        self.path_patterns.as_ref().is_none_or(|files| files.iter().any(may_read))
    }
}

/// Returns the data directory of a level, or `None` if it is interpolated and may differ between nodes.
fn fixed_data_directory<'d>(level: &HierarchyLevel<'d>) -> Option<&'d str> {
    level.datadir().filter(|directory| !interpolation::has_interpolation(directory))
}

fn has_file_backend(level: &HierarchyLevel<'_>) -> bool {
    level.backend().is_none_or(|(_, name)| matches!(name, "yaml_data" | "json_data" | "eyaml_lookup_key"))
}

/// Returns the key that lists the paths of a level, and the paths; for `mapped_paths` only its third element.
fn paths_of_level<'d>(level: &HierarchyLevel<'d>) -> Option<(&'static str, Vec<&'d str>)> {
    let (key, mut paths) = level.path_key_and_paths().filter(|(key, _)| !key.starts_with("uri"))?;
    if key == "mapped_paths" {
        paths = vec![paths.pop()?];
    }
    Some((key, paths))
}

/// Whether a level reads files of the project that exist. For a path with interpolation or wildcards, the directory
/// before them has to exist.
fn reads_existing_files(level: &HierarchyLevel<'_>, root: &Path) -> bool {
    let is_local = |path: &str| !path.starts_with('/') && !path.contains("..");
    let Some(directory) = fixed_data_directory(level).filter(|directory| is_local(directory)) else { return false };
    let is_there = |path: &&str| match path.split(['%', '*', '?', '[', '{']).next() {
        Some(fixed) if fixed.len() < path.len() => {
            root.join(directory).join(fixed.rsplit_once('/').map_or("", |(folder, _)| folder)).is_dir()
        }
        _ => root.join(directory).join(path).is_file(),
    };
    let are_there =
        paths_of_level(level).is_some_and(|(_, paths)| paths.iter().all(|path| is_local(path) && is_there(path)));
    has_file_backend(level) && are_there
}

fn path_patterns_of_level(level: &HierarchyLevel<'_>, root: &Path) -> Option<Vec<(Regex, bool)>> {
    let directory = fixed_data_directory(level)?;
    let (key, paths) = paths_of_level(level).filter(|_| has_file_backend(level))?;
    // Nothing in a directory that is not there is read.
    let Ok(directory) = root.join(directory).canonicalize() else { return Some(Vec::new()) };
    let start = regex::escape(&format!("{}/", directory.display()));
    let pattern = |path: &&str| Regex::new(&format!("^{start}{}$", path_pattern(path, key.starts_with("glob")))).ok();
    let decrypts = level.backend().is_some_and(|(_, name)| name == "eyaml_lookup_key");
    paths.iter().map(|path| Some((pattern(path)?, decrypts))).collect()
}
