//! Writes files so that nothing is lost: even if the process is killed, a file is either the old or the new version.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AllowedReaders {
    /// Only the user may read the file: it may contain secrets.
    Owner,
    /// The permissions of the earlier version; for a new file, the default of the system.
    AsBefore,
}

/// Writes `content` to a new or existing file. If `path` is a symbolic link, its target is replaced.
pub(super) fn replace_file(path: &Path, content: &[u8], readers: AllowedReaders) -> io::Result<()> {
    replace_if_unchanged(path, None, content, readers).map(drop)
}

/// Like [`replace_file`], unless the file no longer has the `expected_content`. Returns whether it was written.
pub(super) fn replace_if_unchanged(
    path: &Path,
    expected_content: Option<&[u8]>,
    content: &[u8],
    readers: AllowedReaders,
) -> io::Result<bool> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = path.metadata().ok().filter(|_| readers == AllowedReaders::AsBefore);
    let is_private = readers == AllowedReaders::Owner || before.is_some();
    let options = if is_private { private_file_options() } else { File::options().write(true).clone() };
    let draft = DraftFile::recreate(draft_path(&path)?, content, options)?;
    if let Some(before) = before {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, chown};
            // Only root can give a file to others.
            let _ = chown(&draft.0, Some(before.uid()), Some(before.gid()));
        }
        run_file_operation(|| fs::set_permissions(&draft.0, before.permissions()))?;
    }
    if expected_content.is_some() && expected_content != Some(&*fs::read(&path)?) {
        return Ok(false);
    }
    run_file_operation(|| fs::rename(&draft.0, &path))?;
    sync_directory(&path);
    Ok(true)
}

/// Writes a new file, which only the user can read; the error is `AlreadyExists` if `path` exists.
pub(super) fn create_private_file(path: &Path, content: &[u8]) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let draft = DraftFile::recreate(draft_path(path)?, content, private_file_options())?;
    // Unlike a rename, a link never replaces another file.
    match run_file_operation(|| fs::hard_link(&draft.0, path)) {
        // Some file systems have no links.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            run_file_operation(|| fs::rename(&draft.0, path))?;
        }
        linked => linked?,
    }
    sync_directory(path);
    Ok(())
}

/// Appends a line to a file that only the user can read, completely or not at all; a new file starts with `head`.
pub(super) fn append_line(path: &Path, head: &str, line: &str) -> io::Result<()> {
    let mut file = run_file_operation(|| private_file_options().create(true).append(true).open(path))?;
    let before = file.metadata()?.len();
    let head = if before == 0 { head } else { "" };
    write_content(&mut file, format!("{head}{line}\n").as_bytes()).inspect_err(|_| {
        // The disk is full.
        let _ = file.set_len(before);
    })
}

/// Runs one file operation. Exists so that unit tests can make any file operation fail.
fn run_file_operation<T>(operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(all(test, unix))]
    tests::fault()?;
    operation()
}

fn write_content(file: &mut File, content: &[u8]) -> io::Result<()> {
    #[cfg(all(test, unix))]
    tests::fault().inspect_err(|_| drop(file.write_all(content.split_at(content.len() / 2).0)))?;
    file.write_all(content)
}

/// Returns the path of the hidden file in the same directory that is written first and then renamed to `path`.
fn draft_path(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(path.with_file_name(format!(".{}.pcore-new", name.to_string_lossy())))
}

/// The path of a temporary file, which is removed on drop unless it was renamed.
pub(super) struct DraftFile(pub(super) PathBuf);

impl DraftFile {
    /// Creates the file with `content`. Replaces a file at `path` that a killed process has left.
    pub(super) fn recreate(path: PathBuf, content: &[u8], mut options: fs::OpenOptions) -> io::Result<DraftFile> {
        let _ = fs::remove_file(&path);
        let mut file = run_file_operation(|| options.create_new(true).open(&path))?;
        let draft = DraftFile(path);
        write_content(&mut file, content)?;
        run_file_operation(|| file.sync_all())?;
        Ok(draft)
    }
}

impl Drop for DraftFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

pub(super) fn private_file_options() -> fs::OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Syncs the directory of `path`, if the system can, so that a new file name survives a power failure.
fn sync_directory(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "tests")]
#[path = "../../tests/unit/cli/storage.rs"]
mod tests;
