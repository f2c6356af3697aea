//! Which files the levels of a `hiera.yaml` read.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)".

use std::path::{Path, PathBuf};

use regex::Regex;

use crate::data::hiera::config::{Level, pattern};
use crate::data::{Document, hiera::interpolation};
use crate::value::Value;

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
    pub(super) fn of(document: &Document, directory: &Path) -> Hierarchy {
        let of_catalogs = Level::all(&document.value, &["hierarchy", "default_hierarchy"]);
        let of_plans = Level::all(&document.value, &["plan_hierarchy"]);
        let all = || of_catalogs.iter().chain(&of_plans);
        let directories = all().filter_map(|level| directory.join(self::directory(level)?).canonicalize().ok());
        let top = document.value.as_hash();
        let is_version_5 = matches!(top.and_then(|top| top.get_str("version")), Some(Value::Integer(5)));
        let files = all().map(|level| patterns(level, directory)).collect::<Option<Vec<_>>>();
        Hierarchy {
            is_visible: top.is_some() && of_catalogs.iter().all(|level| is_visible(level, directory)),
            data: directories.collect(),
            files: files.filter(|_| is_version_5).map(|levels| levels.into_iter().flatten().collect()),
        }
    }

    pub(super) fn covers(&self, file: &Path) -> bool {
        self.data.iter().any(|directory| file.starts_with(directory))
    }

    pub(super) fn may_read(&self, file: &Path) -> bool {
        let text = file.to_string_lossy();
        self.files.as_ref().is_none_or(|files| files.iter().any(|pattern| pattern.is_match(&text)))
    }
}

/// Its data directory, if it is the same for all nodes.
fn directory<'d>(level: &Level<'d>) -> Option<&'d str> {
    level.datadir().filter(|directory| !interpolation::is_open(directory))
}

fn reads_files(level: &Level<'_>) -> bool {
    level.backend().is_none_or(|(_, name)| matches!(name, "yaml_data" | "json_data" | "eyaml_lookup_key"))
}

/// The paths of a level; of `[variable, name, path]` the last one.
fn paths<'d>(level: &Level<'d>) -> Option<(&'static str, Vec<&'d str>)> {
    let (key, mut paths) = level.paths().filter(|(key, _)| !key.starts_with("uri"))?;
    if key == "mapped_paths" {
        paths = vec![paths.pop()?];
    }
    Some((key, paths))
}

/// Whether its data is in files of the project that are there. What is filled in depends on the node: there may be no
/// such file, but without their directory they are elsewhere.
fn is_visible(level: &Level<'_>, root: &Path) -> bool {
    let is_local = |path: &str| !path.starts_with('/') && !path.contains("..");
    let Some(directory) = directory(level).filter(|directory| is_local(directory)) else { return false };
    let is_there = |path: &&str| match path.split(['%', '*', '?', '[', '{']).next() {
        Some(fixed) if fixed.len() < path.len() => {
            root.join(directory).join(fixed.rsplit_once('/').map_or("", |(folder, _)| folder)).is_dir()
        }
        _ => root.join(directory).join(path).is_file(),
    };
    let are_there = paths(level).is_some_and(|(_, paths)| paths.iter().all(|path| is_local(path) && is_there(path)));
    reads_files(level) && are_there
}

/// Patterns of the paths that it reads; `None` if these are not known.
fn patterns(level: &Level<'_>, root: &Path) -> Option<Vec<Regex>> {
    let directory = directory(level)?;
    let (key, paths) = paths(level).filter(|_| reads_files(level))?;
    // Nothing in a directory that is not there is read.
    let Ok(directory) = root.join(directory).canonicalize() else { return Some(Vec::new()) };
    let start = regex::escape(&format!("{}/", directory.display()));
    paths.iter().map(|path| Regex::new(&format!("^{start}{}$", pattern(path, key.starts_with("glob")))).ok()).collect()
}
