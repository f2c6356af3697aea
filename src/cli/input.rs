//! Reads programs: named files, files in directories, `-` for standard input.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcore::files;
use pcore::limits::{self, Limit};
use pcore::text::Source;
use pcore::wording::nearest;
use rustc_hash::FxHashSet;

/// A file that was named, or found in a directory.
pub(crate) struct Listed {
    pub(crate) path: PathBuf,
    /// Whether the directory entry is a regular file.
    pub(crate) is_regular: bool,
    /// Whether the path is absolute and contains no symbolic links.
    pub(crate) is_real: bool,
}

/// Reads a file as a source of that name.
///
/// # Errors
/// A message: what is wrong with the file and, if possible, what to do.
pub(crate) fn file(path: &Path) -> Result<Arc<Source>, String> {
    if path == Path::new("-") {
        return standard_input();
    }
    read(path, if is_stream(path) { File::open(path).map(|file| (file, 0)) } else { files::open(path) })
}

/// The same of a file that was listed.
///
/// # Errors
/// As for [`file`].
pub(crate) fn listed(file: &Listed) -> Result<Arc<Source>, String> {
    if file.is_regular { read(&file.path, files::open_regular(&file.path)) } else { self::file(&file.path) }
}

fn read(path: &Path, file: io::Result<(File, u64)>) -> Result<Arc<Source>, String> {
    let name = path.to_string_lossy().into_owned();
    let bytes = file.and_then(|file| files::read_file(most(), file)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => missing(path),
        io::ErrorKind::IsADirectory => format!("`{name}` is a directory, expected a file with Puppet code"),
        io::ErrorKind::PermissionDenied => format!("`{name}` cannot be read: permission denied"),
        _ => format!("`{name}` cannot be read: {error}"),
    })?;
    source(name, bytes)
}

/// Reads the whole standard input.
pub(crate) fn standard_input() -> Result<Arc<Source>, String> {
    let bytes = files::read_up_to(most(), io::stdin().lock());
    source("<stdin>".to_owned(), bytes.map_err(|error| format!("standard input cannot be read: {error}"))?)
}

/// How long a source may be.
fn most() -> usize {
    limits::length_of(Limit::Source)
}

/// Whether the user has named what the shell has opened, such as `<(program)`; anything else must be a regular file.
fn is_stream(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

fn source(name: String, bytes: Option<Vec<u8>>) -> Result<Arc<Source>, String> {
    let bytes = bytes.ok_or_else(|| {
        let most = Limit::Source.row().describe(limits::of(Limit::Source));
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

/// The files at and below `path`, in alphabetical order: `path` itself if it is a file, otherwise the `wanted` files in it.
/// Hidden files are left out, directories that are skipped, and directories already visited through another link.
///
/// # Errors
/// A message that names the directory that cannot be read.
pub(crate) fn files_below(
    path: &Path,
    is_skipped: &dyn Fn(&Path) -> bool,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, String> {
    listed_below(path, is_skipped, wanted).map(|files| files.into_iter().map(|file| file.path).collect())
}

/// The same, with what the directories say of them.
///
/// # Errors
/// As for [`files_below`].
pub(crate) fn listed_below(
    path: &Path,
    is_skipped: &dyn Fn(&Path) -> bool,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<Vec<Listed>, String> {
    if !path.is_dir() {
        return Ok(vec![Listed { path: path.to_owned(), is_regular: false, is_real: false }]);
    }
    let mut files = Vec::new();
    gather(path, None, is_skipped, wanted, &mut FxHashSet::default(), &mut files)?;
    Ok(files)
}

/// Gathers the files below `folder`, whose path without links may be known.
fn gather(
    folder: &Path,
    real: Option<PathBuf>,
    is_skipped: &dyn Fn(&Path) -> bool,
    wanted: &dyn Fn(&Path) -> bool,
    seen: &mut FxHashSet<OsString>,
    files: &mut Vec<Listed>,
) -> Result<(), String> {
    let problem = |error: io::Error| format!("`{}` cannot be read: {error}", folder.display());
    let real = real.map_or_else(|| folder.canonicalize(), Ok).map_err(problem)?;
    // A link may lead to a directory above it.
    if !seen.insert(real.clone().into_os_string()) {
        return Ok(());
    }
    let named = |entry: io::Result<fs::DirEntry>| entry.map(|entry| (entry.file_name(), entry));
    let entries = fs::read_dir(folder).and_then(|entries| entries.map(named).collect::<io::Result<Vec<_>>>());
    let mut entries = entries.map_err(problem)?;
    entries.retain(|(name, _)| !name.as_encoded_bytes().starts_with(b"."));
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (name, entry) in entries {
        let (path, kind) = (folder.join(&name), entry.file_type().map_err(problem)?);
        let is_link = kind.is_symlink() && path.is_dir();
        if kind.is_dir() || is_link {
            if !is_skipped(&path) {
                let real = if is_link { None } else { Some(real.join(&name)) };
                gather(&path, real, is_skipped, wanted, seen, files)?;
            }
        } else if wanted(&path) {
            let is_regular = kind.is_file();
            files.push(Listed { is_regular, is_real: is_regular && *real == *folder.as_os_str(), path });
        }
    }
    Ok(())
}

/// Expands `~/x` as a shell does.
pub(super) fn expanded(path: &str) -> PathBuf {
    let home = path
        .strip_prefix("~/")
        .or((path == "~").then_some(""))
        .and_then(|rest| Some(etcetera::home_dir().ok()?.join(rest)));
    home.unwrap_or_else(|| Path::new(path).to_owned())
}

/// The message for a missing file, with the most similar name in the same directory.
fn missing(path: &Path) -> String {
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
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn folders_are_searched_once_even_where_links_lead_back() {
        let folder = std::env::temp_dir().join(format!("pcore-folders-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("b")).unwrap();
        for file in ["b/2.md", "a.md", "c.txt", ".hidden.md"] {
            fs::write(folder.join(file), "").unwrap();
        }
        std::os::unix::fs::symlink(&folder, folder.join("b/above")).unwrap();
        let wanted = |path: &Path| path.extension().is_some_and(|ending| ending == "md");
        let found = files_below(&folder, &|_| false, &wanted);
        let missing = files_below(Path::new("no/such/file"), &|_| false, &wanted);
        let expected = Ok(vec![folder.join("a.md"), folder.join("b/2.md")]);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, expected);
        assert_eq!(missing, Ok(vec![PathBuf::from("no/such/file")]));
    }
}
