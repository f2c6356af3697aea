//! `--watch`: does the work again whenever a file changes.
//!
//! The files are looked at again and again, which works on every file system, also where no changes are announced:
//! network drives, volumes of containers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use std::{env, thread};

use super::arguments::check_paths;
use super::show::DIM;
use super::{Ending, Output, input, settled, usage};

/// How long nothing must have changed before the work is repeated: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// Looking at the files takes at most one part in so many of the time.
const REST: u32 = 30;

/// When each file was written last, and its size.
type Snapshot = BTreeMap<PathBuf, (SystemTime, u64)>;

/// Does `work` once; or, under `--watch`, again after each change of the files at and below `paths` and of the project, until
/// the process is interrupted.
pub(super) fn repeated(
    is_watching: bool,
    paths: &[PathBuf],
    output: &mut Output,
    work: &mut dyn FnMut(&mut Output) -> Ending,
) -> Ending {
    if !is_watching {
        return work(output);
    }
    let watched: BTreeSet<PathBuf> =
        paths.iter().chain(&check_paths()).filter_map(|path| path.canonicalize().ok()).collect();
    if watched.is_empty() {
        return Err(usage("nothing to watch: name files or directories that exist"));
    }
    loop {
        let before = snapshot(&watched);
        settled(work(output), output)?;
        output.report(&output.error_palette.paint(DIM, "waiting for changes; Ctrl-C to stop"))?;
        let changed = format!("changed: {}", next_change(&before, &watched));
        output.report(&output.error_palette.paint(DIM, &changed))?;
    }
}

/// The files that differ from `before`, as soon as some do and all are quiet.
fn next_change(before: &Snapshot, watched: &BTreeSet<PathBuf>) -> String {
    let mut last = before.clone();
    let now = loop {
        let start = Instant::now();
        let now = snapshot(watched);
        if now == last && now != *before {
            break now;
        }
        last = now;
        thread::sleep(QUIET.max(start.elapsed() * REST));
    };
    let differs = |path: &&PathBuf| before.get(*path) != now.get(*path);
    let changed: BTreeSet<&PathBuf> = before.keys().chain(now.keys()).filter(differs).collect();
    let here = env::current_dir().unwrap_or_default();
    let shown = changed.into_iter().map(|path| path.strip_prefix(&here).unwrap_or(path).display().to_string());
    shown.collect::<Vec<_>>().join(", ")
}

fn snapshot(watched: &BTreeSet<PathBuf>) -> Snapshot {
    let is_wanted = |file: &Path| !file.as_os_str().as_encoded_bytes().ends_with(b"~");
    let files = watched.iter().flat_map(|path| input::files_below(path, &|_| false, &is_wanted).unwrap_or_default());
    let state = |file: PathBuf| {
        let metadata = file.metadata().ok()?;
        Some((file, (metadata.modified().ok()?, metadata.len())))
    };
    files.filter_map(state).collect()
}
