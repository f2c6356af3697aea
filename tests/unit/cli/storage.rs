//! Tests of `cli::storage`, of which it is a module.

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
    for readers in [AllowedReaders::AsBefore, AllowedReaders::Owner] {
        with_faults(
            || replace_file(&file, b"new", readers),
            |is_done| {
                assert_eq!(fs::read_to_string(&file).unwrap(), if is_done { "new" } else { "old" });
                assert_eq!(names(), ["file"]);
            },
        );
        fs::write(&file, "old").unwrap();
    }
    let exchange = |known: &[u8]| replace_if_unchanged(&file, Some(known), b"new", AllowedReaders::AsBefore);
    assert_eq!((exchange(b"other").unwrap(), fs::read_to_string(&file).unwrap()), (false, "old".into()));
    with_faults(
        || exchange(b"old").map(drop),
        |is_done| assert_eq!(fs::read_to_string(&file).unwrap(), if is_done { "new" } else { "old" }),
    );
    fs::write(&file, "old").unwrap();
    with_faults(
        || append_line(&file, "head", "line"),
        |is_done| assert_eq!(fs::read_to_string(&file).unwrap(), if is_done { "oldline\n" } else { "old" }),
    );
    fs::remove_file(&file).unwrap();
    with_faults(
        || create_private_file(&file, b"new"),
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
    create_private_file(&file, b"one").unwrap();
    assert_eq!(mode(&file), 0o600);
    assert_eq!(create_private_file(&file, b"two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    symlink(&file, &link).unwrap();
    replace_file(&link, b"three", AllowedReaders::AsBefore).unwrap();
    assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"three".to_vec(), 0o644));
    assert!(link.is_symlink());
    replace_file(&file, b"four", AllowedReaders::Owner).unwrap();
    assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"four".to_vec(), 0o600));
    // What is left is in nobody's way, and a failure leaves nothing.
    fs::write(folder.join(".file.pcore-new"), "killed").unwrap();
    replace_file(&file, b"five", AllowedReaders::Owner).unwrap();
    fs::create_dir(folder.join("directory")).unwrap();
    assert!(replace_file(&folder.join("directory"), b"six", AllowedReaders::Owner).is_err());
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["directory", "file", "link"]);
    assert_eq!(fs::read(&file).unwrap(), b"five");
    fs::remove_dir_all(&folder).unwrap();
}
