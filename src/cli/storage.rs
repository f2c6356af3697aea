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
    /// Whoever could read the version before, or any new file.
    AsBefore,
}

/// Writes a file, in the place of an earlier version if there is one; behind a symbolic link, the file that it names.
pub(super) fn replace(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = path.metadata().ok().filter(|_| readers == Readers::AsBefore);
    let is_private = readers == Readers::Owner || before.is_some();
    let draft = Draft::write(&path, content, if is_private { private() } else { File::options().write(true).clone() })?;
    if let Some(before) = before {
        step(|| fs::set_permissions(&draft.0, before.permissions()))?;
    }
    step(|| fs::rename(&draft.0, &path))?;
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
    let draft = Draft::write(path, content, private())?;
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

/// Does one of the steps that writing consists of, each of which may fail.
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

/// A file beside the one that it is to become, removed unless it has become it.
struct Draft(PathBuf);

impl Draft {
    fn write(path: &Path, content: &[u8], mut options: fs::OpenOptions) -> io::Result<Draft> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let draft = path.with_file_name(format!(".{}.pcore-new", name.to_string_lossy()));
        // A killed process has left it.
        let _ = fs::remove_file(&draft);
        let mut file = step(|| options.create_new(true).open(&draft))?;
        let draft = Draft(draft);
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
    use std::cell::Cell;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    thread_local! {
        /// How many steps succeed before one fails.
        static STEPS_TO_FAULT: Cell<Option<u32>> = const { Cell::new(None) };
    }

    /// Fails where the test wants it.
    pub(super) fn fault() -> io::Result<()> {
        match STEPS_TO_FAULT.get() {
            Some(0) => Err(io::ErrorKind::StorageFull.into()),
            left => {
                STEPS_TO_FAULT.set(left.map(|left| left - 1));
                Ok(())
            }
        }
    }

    /// Runs `work` once for each step, which fails, until there is none.
    fn with_faults(mut work: impl FnMut() -> io::Result<()>, mut check: impl FnMut(bool)) {
        for steps in 0..100 {
            STEPS_TO_FAULT.set(Some(steps));
            let is_done = work().is_ok();
            STEPS_TO_FAULT.set(None);
            check(is_done);
            if is_done {
                assert!(steps > 1);
                return;
            }
        }
        panic!("no step fails any more, and nothing is done");
    }

    #[test]
    fn a_step_that_fails_leaves_what_was_there() {
        let folder = std::env::temp_dir().join(format!("pcore-faults-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let names = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        let file = folder.join("file");
        fs::write(&file, "old").unwrap();
        for readers in [Readers::AsBefore, Readers::Owner] {
            with_faults(
                || replace(&file, b"new", readers),
                |is_done| {
                    assert_eq!(fs::read_to_string(&file).unwrap(), if is_done { "new" } else { "old" });
                    assert_eq!(names(), ["file"]);
                },
            );
            fs::write(&file, "old").unwrap();
        }
        with_faults(
            || append(&file, "head", "line"),
            |is_done| assert_eq!(fs::read_to_string(&file).unwrap(), if is_done { "oldline\n" } else { "old" }),
        );
        fs::remove_file(&file).unwrap();
        with_faults(
            || create(&file, b"new"),
            |is_done| assert_eq!((names().len(), file.exists()), (usize::from(is_done), is_done)),
        );
        fs::remove_dir_all(&folder).unwrap();
    }

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
