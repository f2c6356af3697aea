//! Writing files so that nothing is lost: a new version is complete on the disk before it takes the place of the old one.
//!
//! At every moment, also when the disk is full or the process is killed, the file is the old one or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// Only the user: it may hold secrets.
    Owner,
    /// Everybody who could read the earlier version; for a new file, whoever the system lets by default.
    AsBefore,
}

/// Writes a file, in the place of an earlier version if there is one; behind a symbolic link, the file that it names.
pub(super) fn replace(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    exchange(path, None, content, readers).map(drop)
}

/// As [`replace`], unless the file, read once more right before, no longer has the content `known`. Returns whether it was
/// written.
pub(super) fn exchange(path: &Path, known: Option<&[u8]>, content: &[u8], readers: Readers) -> io::Result<bool> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = path.metadata().ok().filter(|_| readers == Readers::AsBefore);
    let is_private = readers == Readers::Owner || before.is_some();
    let options = if is_private { private() } else { File::options().write(true).clone() };
    let draft = Draft::write(beside(&path)?, content, options)?;
    if let Some(before) = before {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, chown};
            // Only root can give a file to others.
            let _ = chown(&draft.0, Some(before.uid()), Some(before.gid()));
        }
        step(|| fs::set_permissions(&draft.0, before.permissions()))?;
    }
    if known.is_some() && known != Some(&*fs::read(&path)?) {
        return Ok(false);
    }
    step(|| fs::rename(&draft.0, &path))?;
    sync_directory(&path);
    Ok(true)
}

/// Writes a new file, which only the user can read; the error is `AlreadyExists` if there is one of that name.
pub(super) fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let draft = Draft::write(beside(path)?, content, private())?;
    // Unlike a new name, a further one is never given to another file's place.
    match step(|| fs::hard_link(&draft.0, path)) {
        // Some file systems have no further names.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => step(|| fs::rename(&draft.0, path))?,
        linked => linked?,
    }
    sync_directory(path);
    Ok(())
}

/// Adds a line to a file that only the user can read, as a whole or not at all; a new file starts with `head`.
pub(super) fn append(path: &Path, head: &str, line: &str) -> io::Result<()> {
    let mut file = step(|| private().create(true).append(true).open(path))?;
    let before = file.metadata()?.len();
    let head = if before == 0 { head } else { "" };
    write(&mut file, format!("{head}{line}\n").as_bytes()).inspect_err(|_| {
        // The disk is full.
        let _ = file.set_len(before);
    })
}

/// Runs one step of writing a file. Tests make a step fail.
fn step<T>(operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(all(test, unix))]
    tests::fault()?;
    operation()
}

/// Writes all bytes, or only a part of them if the step fails.
fn write(file: &mut File, content: &[u8]) -> io::Result<()> {
    #[cfg(all(test, unix))]
    tests::fault().inspect_err(|_| drop(file.write_all(content.split_at(content.len() / 2).0)))?;
    file.write_all(content)
}

/// The file that becomes the one at `path`.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(path.with_file_name(format!(".{}.pcore-new", name.to_string_lossy())))
}

/// A file that is removed in the end, unless it was renamed.
pub(super) struct Draft(pub(super) PathBuf);

impl Draft {
    /// Writes the file. One that a killed process has left is replaced.
    pub(super) fn write(path: PathBuf, content: &[u8], mut options: fs::OpenOptions) -> io::Result<Draft> {
        let _ = fs::remove_file(&path);
        let mut file = step(|| options.create_new(true).open(&path))?;
        let draft = Draft(path);
        write(&mut file, content)?;
        step(|| file.sync_all())?;
        Ok(draft)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

pub(super) fn private() -> fs::OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Makes a new name survive a loss of power, where the system can.
fn sync_directory(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "tests")]
#[path = "../../tests/unit/cli/storage.rs"]
mod tests;
