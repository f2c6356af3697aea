//! Reads source files, and finds files in directories. `-` is standard input.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{ffi::OsString, io, sync::Arc};

use pcore::data::Format;
use pcore::files;
use pcore::limits::{self, Limit};
use pcore::text::Source;
use pcore::wording::nearest;
use rustc_hash::FxHashSet;

/// Reads the file at `path`, or standard input for `-`, as a source of that name. The error is a message for users.
pub(crate) fn read_source(path: &Path) -> Result<Arc<Source>, String> {
    if path == Path::new("-") {
        return read_standard_input();
    }
    let file = if is_stream(path) { File::open(path).map(|file| (file, 0)) } else { files::open_regular_file(path) };
    let name = path.to_string_lossy().into_owned();
    let bytes =
        file.and_then(|file| files::read_open_file(max_source_bytes(), file)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => missing_file_message(path),
            io::ErrorKind::IsADirectory => format!("`{name}` is a directory, expected a file with Puppet code"),
            io::ErrorKind::PermissionDenied => format!("`{name}` cannot be read: permission denied"),
            _ => format!("`{name}` cannot be read: {error}"),
        })?;
    source_from_bytes(name, bytes)
}

pub(crate) fn read_standard_input() -> Result<Arc<Source>, String> {
    let bytes = files::read_up_to(max_source_bytes(), Vec::new(), io::stdin().lock());
    source_from_bytes("<stdin>".to_owned(), bytes.map_err(|error| format!("standard input cannot be read: {error}"))?)
}

fn max_source_bytes() -> usize {
    limits::current_limit_as_usize(Limit::Source)
}

/// Whether `path` is a stream that the shell has opened, such as `<(program)`; all other paths must be regular files.
fn is_stream(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

fn source_from_bytes(name: String, bytes: Option<Vec<u8>>) -> Result<Arc<Source>, String> {
    let bytes = bytes.ok_or_else(|| {
        let most = Limit::Source.row().format_quantity(limits::current_limit(Limit::Source));
        format!("`{name}` is longer than {most}")
    })?;
    // Editors on Windows write a byte order mark; as in Puppet, positions do not count it.
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let (before, rest) = error.as_bytes().split_at(at);
        let line = before.split(|&byte| byte == b'\n').count();
        let byte = rest.first().copied().unwrap_or_default();
        format!("`{name}` is not valid UTF-8: byte 0x{byte:02x} on line {line}")
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(Source::new(name, text))
}

pub(crate) fn extension(file: &Path) -> &str {
    file.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

type PathTest<'t> = &'t dyn Fn(&Path) -> bool;

/// Returns the files at and below all `paths`, as [`files_below`] does, and an error for each path that cannot be read.
pub(crate) fn files_below_paths(
    paths: &[PathBuf],
    is_skipped_directory: PathTest<'_>,
    is_wanted_file: PathTest<'_>,
) -> (Vec<PathBuf>, Vec<String>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for path in paths {
        match files_below(path, is_skipped_directory, is_wanted_file) {
            Ok(below) => files.extend(below),
            Err(message) => problems.push(message),
        }
    }
    (files, problems)
}

pub(crate) fn data_files_below(path: &Path) -> Result<Vec<PathBuf>, String> {
    files_below(path, &|_| false, &|file| Format::from_path(file).is_some())
}

/// Returns `path` itself if it is a file, or else the files below the directory that `is_wanted` accepts, sorted by path.
/// Leaves out hidden files and directories, the directories that `is_skipped` accepts, and directories that another link
/// has already led to. An unreadable directory is an error.
pub(crate) fn files_below(
    path: &Path,
    is_skipped: PathTest<'_>,
    is_wanted: PathTest<'_>,
) -> Result<Vec<PathBuf>, String> {
    let (mut files, mut visited_folders) = (Vec::new(), FxHashSet::default());
    let mut left = vec![(path.is_dir(), path.to_owned())];
    while let Some((is_folder, path)) = left.pop() {
        if !is_folder {
            files.push(path);
            continue;
        }
        let problem = |error: io::Error| format!("`{}` cannot be read: {error}", path.display());
        // A link may lead to a directory above it.
        if !visited_folders.insert(path.canonicalize().map_err(problem)?) {
            continue;
        }
        let entries = fs::read_dir(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut names: Vec<OsString> = entries.map_err(problem)?.iter().map(fs::DirEntry::file_name).collect();
        names.retain(|name| !name.as_encoded_bytes().starts_with(b"."));
        names.sort_unstable();
        let found = names.iter().rev().map(|name| path.join(name)).map(|entry| (entry.is_dir(), entry));
        left.extend(found.filter(|(is_folder, path)| if *is_folder { !is_skipped(path) } else { is_wanted(path) }));
    }
    Ok(files)
}

pub(super) fn expand_home(path: &str) -> PathBuf {
    let below_home = path.strip_prefix("~/").or((path == "~").then_some(""));
    let expanded = below_home.and_then(|below| Some(etcetera::home_dir().ok()?.join(below)));
    expanded.unwrap_or_else(|| Path::new(path).to_owned())
}

/// Returns the message for a missing file, which suggests the most similar name in the same directory.
fn missing_file_message(path: &Path) -> String {
    let name = path.display();
    if let Ok(target) = fs::read_link(path) {
        return format!("`{name}` is a link to `{}`, which does not exist", target.display());
    }
    let wanted = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(listed).into_iter().flatten().flatten();
    let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    match nearest(&wanted, names.iter().map(String::as_str)) {
        Some(near) => format!("`{name}` does not exist; did you mean `{}`?", folder.join(near).display()),
        None => format!("`{name}` does not exist"),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cli/input.rs"]
mod tests;
