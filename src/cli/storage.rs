//! Writing files so that nothing is lost: a new version is complete on the disk before it takes the place of the old one.
//!
//! At every moment, also when the disk is full or the process is killed, the file is the old one or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Who may read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// Only the user: it may hold secrets.
    Owner,
    /// Whoever could read the version before.
    AsBefore,
}

/// Writes a file, in the place of an earlier version if there is one; behind a symbolic link, the file that it names.
pub(super) fn replace(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let draft = Draft::write(&path, content)?;
    if readers == Readers::AsBefore
        && let Ok(before) = path.metadata()
    {
        fs::set_permissions(&draft.0, before.permissions())?;
    }
    fs::rename(&draft.0, &path)?;
    sync_directory(&path);
    Ok(())
}

/// Writes a new file, which only the user can read.
///
/// # Errors
/// `AlreadyExists`: there is a file of that name.
pub(super) fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let draft = Draft::write(path, content)?;
    // Unlike a new name, a further one is never given to another file's place.
    match fs::hard_link(&draft.0, path) {
        // Some file systems have no further names.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(&draft.0, path)?,
        linked => linked?,
    }
    sync_directory(path);
    Ok(())
}

/// A file beside the one that it is to become, removed unless it has become it.
struct Draft(PathBuf);

impl Draft {
    fn write(path: &Path, content: &[u8]) -> io::Result<Draft> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let draft = path.with_file_name(format!(".{}.pcore-new", name.to_string_lossy()));
        // A killed process has left it.
        let _ = fs::remove_file(&draft);
        let mut file = private().create_new(true).open(&draft)?;
        let draft = Draft(draft);
        file.write_all(content)?;
        file.sync_all()?;
        Ok(draft)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Options for a file that only the user can read.
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
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_is_replaced_or_stays_as_it_is() {
        let folder = std::env::temp_dir().join(format!("pcore-storage-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let (file, link) = (folder.join("file"), folder.join("link"));
        create(&file, b"one").unwrap();
        assert_eq!(mode(&file), 0o600);
        assert_eq!(create(&file, b"two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, b"three", Readers::AsBefore).unwrap();
        assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"three".to_vec(), 0o644));
        assert!(link.is_symlink());
        replace(&file, b"four", Readers::Owner).unwrap();
        assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"four".to_vec(), 0o600));
        // What is left is in nobody's way, and a failure leaves nothing.
        fs::write(folder.join(".file.pcore-new"), "killed").unwrap();
        replace(&file, b"five", Readers::Owner).unwrap();
        fs::create_dir(folder.join("directory")).unwrap();
        assert!(replace(&folder.join("directory"), b"six", Readers::Owner).is_err());
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["directory", "file", "link"]);
        assert_eq!(fs::read(&file).unwrap(), b"five");
        fs::remove_dir_all(&folder).unwrap();
    }
}
