//! Files: decides which files programs may read, and reads them without waiting forever.
//!
//! # Threat model
//!
//! A program may come from a stranger. By default it reads nothing but the modules on the module path, whose
//! directories the user has chosen; [`Permissions`] allow more. A path that is not allowed is not accessed: the error
//! is the same whether or not the file exists. Symbolic links are resolved first: a link inside an allowed directory
//! that leads out of it is not followed, except for a module that is itself a link on the module path. No program can
//! write a file, run another program, read the environment or open a connection: pcore has no function that does.
//! It does not defend against programs of the same user that change directories at the same moment.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf, absolute};

use serde_json::Value as Json;

use crate::error::{Error, Result};
use crate::interrupt;
use crate::limits::{self, Limit};

/// The issue code of an attempt to read a file that is not allowed.
pub const NOT_ALLOWED: &str = "NOT_ALLOWED";

/// The number of bytes that are read between two checks of the interrupt.
const BYTES_BETWEEN_POLLS: u64 = 64 << 10;

/// Which files programs may read, besides those of modules on the module path.
///
/// ```
/// use pcore::files::Permissions;
/// use pcore::session::Session;
///
/// let mut session = Session::default();
/// assert_eq!(session.eval("binary_file('/etc/hostname')").unwrap_err().code(), "NOT_ALLOWED");
///
/// let mut session = Session::builder().permissions(Permissions::default().allow_read("/etc")).build();
/// assert_ne!(session.eval("binary_file('/etc/no/such/file')").unwrap_err().code(), "NOT_ALLOWED");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Permissions {
    allows_everything: bool,
    allowed_directories: Vec<PathBuf>,
}

impl Permissions {
    /// Allows every file that the process can read, for programs that the user trusts.
    #[must_use]
    pub fn allow_all() -> Permissions {
        Permissions { allows_everything: true, allowed_directories: Vec::new() }
    }

    /// Also allows the files in a directory and below.
    #[must_use]
    pub fn allow_read(mut self, directory: impl Into<PathBuf>) -> Permissions {
        self.allowed_directories.push(directory.into());
        self
    }

    /// Returns the path to read for the file `path`; `None` if it does not exist. Besides permitted directories, allows
    /// the modules on `module_path` (but not files directly in one of its directories) and the directory `own_module`.
    ///
    /// # Errors
    /// `NOT_ALLOWED`, whether or not there is such a file.
    pub(crate) fn find_allowed_file(
        &self,
        path: &Path,
        module_path: &[PathBuf],
        own_module: Option<&Path>,
    ) -> Result<Option<PathBuf>> {
        if self.allows_everything {
            return Ok(path.exists().then(|| path.to_owned()));
        }
        let refused = || {
            let help = "only files of modules can be read here; allow others with --allow-read DIR";
            Error::new(NOT_ALLOWED, format!("reading '{}' is not allowed", path.display())).with_help(help)
        };
        let plain = normalize_path(path).ok_or_else(refused)?;
        let in_modules = module_path.iter().filter_map(|directory| {
            let directory = self::normalize_path(directory)?;
            let mut names = plain.strip_prefix(&directory).ok()?.components();
            let module = names.next()?.as_os_str().to_str().filter(|name| is_module_name(name))?;
            names.next().map(|_| directory.join(module))
        });
        let in_modules: Vec<PathBuf> = in_modules.collect();
        let allowed =
            self.allowed_directories.iter().map(PathBuf::as_path).chain(own_module).filter_map(self::normalize_path);
        let allowed = allowed.filter(|directory| plain.starts_with(directory)).chain(in_modules.iter().cloned());
        let allowed: Vec<PathBuf> = allowed.filter_map(|directory| directory.canonicalize().ok()).collect();
        // What is outside by its name is not looked at; which modules there are is no secret.
        if allowed.is_empty() {
            return if in_modules.is_empty() { Err(refused()) } else { Ok(None) };
        }
        let is_inside = |file: &Path| allowed.iter().any(|directory| file.starts_with(directory));
        // Of a file that is not there, the nearest directory above it decides.
        let nearest = plain.ancestors().find_map(|above| above.canonicalize().ok());
        let found = plain.canonicalize().ok();
        match nearest {
            Some(nearest) if is_inside(&nearest) => Ok(found.filter(|file| is_inside(file))),
            _ => Err(refused()),
        }
    }
}

/// Whether a directory called `name` on the module path is a module, that is, `name` matches `[a-z][a-zA-Z0-9_]*`.
///
/// Source: Puppet reference, "Module fundamentals", "Allowed module names".
#[doc(hidden)] // for the program
pub fn is_module_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the absolute path without `.` and `..`. Does not resolve symbolic links.
fn normalize_path(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in absolute(path).ok()?.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// Opens a regular file and returns it with its length. Rejects devices, pipes and terminals, which may block forever.
#[doc(hidden)] // for the program
pub fn open_regular_file(path: &Path) -> io::Result<(File, u64)> {
    // Opening some devices has effects.
    length_of_regular_file(path, &path.metadata()?)?;
    let mut options = File::options();
    options.read(true);
    #[cfg(all(unix, feature = "cli"))]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Without this a pipe that takes the file's place now would block. Some files of the system are regular, and block.
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    }
    let file = options.open(path)?;
    let length = length_of_regular_file(path, &file.metadata()?)?;
    Ok((file, length))
}

fn length_of_regular_file(path: &Path, metadata: &Metadata) -> io::Result<u64> {
    match metadata {
        metadata if metadata.is_file() => Ok(metadata.len()),
        // It is empty, which no reader has to wait for.
        _ if path == Path::new("/dev/null") => Ok(0),
        metadata if metadata.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Appends all that `from` contains to `bytes`; returns `None` if that is more than `most` bytes. Can be interrupted.
#[doc(hidden)] // for the program
pub fn read_up_to(most: usize, mut bytes: Vec<u8>, from: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut from = from.take((most as u64).saturating_add(1));
    loop {
        interrupt::poll();
        if from.by_ref().take(BYTES_BETWEEN_POLLS).read_to_end(&mut bytes)? == 0 {
            return Ok((bytes.len() <= most).then_some(bytes));
        }
    }
}

/// Reads an open file with its length, as [`open_regular_file`] returns them; `None` if it is longer than `most` bytes.
#[doc(hidden)] // for the program
pub fn read_open_file(most: usize, (file, length): (File, u64)) -> io::Result<Option<Vec<u8>>> {
    // Room for all of it: otherwise the reader begins with 32 bytes, and doubles them.
    let room = usize::try_from(length).unwrap_or(usize::MAX).saturating_add(64);
    if length > most as u64 { Ok(None) } else { read_up_to(most, Vec::with_capacity(room), file) }
}

/// Reads a regular file. Returns an error if it is longer than the limit for a source.
pub fn read_source_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read_open_file(limits::current_limit_as_usize(Limit::Source), open_regular_file(path)?)?;
    bytes.ok_or_else(|| io::ErrorKind::FileTooLarge.into())
}

/// Reads a regular file. Returns an error if it is not valid UTF-8 or is longer than the limit for a source.
pub fn read_source_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_source_bytes(path)?).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Returns the text of `key` in the metadata.json of the module in `directory`.
#[doc(hidden)] // for the program
pub fn metadata_text(directory: &Path, key: &str) -> Option<String> {
    let metadata: Json = serde_json::from_slice(&read_source_bytes(&directory.join("metadata.json")).ok()?).ok()?;
    Some(metadata.get(key)?.as_str()?.to_owned())
}

/// Reads a regular file. Fails if it is longer than the limit for a string. Error messages call the file `shown`.
pub(crate) fn read_file_bytes(path: &Path, shown: &str) -> Result<Vec<u8>> {
    let bytes =
        open_regular_file(path).and_then(|file| read_open_file(limits::current_limit_as_usize(Limit::String), file));
    match bytes {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(limits::limit_error(Limit::String)),
        Err(error) => Err(Error::runtime(format!("cannot read {shown}: {error}"))),
    }
}

pub(crate) fn read_file_text(path: &Path, shown: &str) -> Result<String> {
    String::from_utf8(read_file_bytes(path, shown)?).map_err(|_| Error::runtime(format!("{shown} is not valid UTF-8")))
}

pub(crate) fn display_path(file: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    file.strip_prefix(&here).unwrap_or(file).display().to_string()
}

/// Returns the files in `folder` and below, sorted by path: those with `extension` or, for `None`, all but hidden ones.
pub(crate) fn files_below(folder: &Path, extension: Option<&str>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                _ if extension.is_none() && entry.file_name().as_encoded_bytes().starts_with(b".") => {}
                Ok(kind) if kind.is_dir() => pending.push(path),
                Ok(_) if extension.is_none_or(|wanted| path.extension().is_some_and(|found| found == wanted)) => {
                    found.push(path);
                }
                _ => {}
            }
        }
    }
    // Comparing paths component by component is slow.
    found.sort_unstable_by(|one, other| one.as_os_str().cmp(other.as_os_str()));
    found
}
