//! `--watch`: does the work again whenever a file changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use std::{env, io};

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecursiveMode, Watcher};

use super::output::Output;
use super::{Ending, Outcome};

/// How long nothing must have changed before the work is repeated: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// Does `work`, and again after each change of the files at and below `paths`, until the process is interrupted.
pub(super) fn watch(paths: &[PathBuf], output: &mut Output, work: &mut dyn FnMut(&mut Output) -> Ending) -> Ending {
    let mut watched: Vec<PathBuf> = paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
    watched.dedup();
    let (sender, changes) = channel();
    let of_interest = watched.clone();
    let notice = move |event: notify::Result<Event>| {
        let Ok(event) = event else { return };
        let is_change = !matches!(event.kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)));
        for path in event.paths.into_iter().filter(|path| is_change && is_below(path, &of_interest)) {
            // The receiver lives as long as the process.
            let _ = sender.send(path);
        }
    };
    let mut watcher = notify::recommended_watcher(notice).map_err(io::Error::other)?;
    for path in &watched {
        // Editors replace files, so that the directory is what remains.
        let (path, mode) = match path.parent() {
            Some(parent) if path.is_file() => (parent, RecursiveMode::NonRecursive),
            _ => (&**path, RecursiveMode::Recursive),
        };
        watcher.watch(path, mode).map_err(io::Error::other)?;
    }
    if watched.is_empty() {
        output.complain("nothing to watch: name files or directories that exist")?;
        return Ok(Outcome::Usage);
    }
    loop {
        work(output)?;
        let waiting = output.error_palette.dim("waiting for changes; Ctrl-C to stop");
        output.report(&waiting)?;
        let Some(changed) = next_change(&changes) else { return Ok(Outcome::Fine) };
        let line = output.error_palette.dim(&format!("changed: {changed}"));
        output.report(&line)?;
    }
}

/// The files that change next, once they are quiet; `None` if nothing is watched any more.
fn next_change(changes: &Receiver<PathBuf>) -> Option<String> {
    let mut changed = BTreeSet::from([changes.recv().ok()?]);
    while let Ok(further) = changes.recv_timeout(QUIET) {
        changed.insert(further);
    }
    let here = env::current_dir().unwrap_or_default();
    let shown = changed.iter().map(|path| path.strip_prefix(&here).unwrap_or(path).display().to_string());
    Some(shown.collect::<Vec<_>>().join(", "))
}

/// Whether a file is at or below one of the paths. Hidden files and backups are not of interest.
fn is_below(file: &Path, paths: &[PathBuf]) -> bool {
    paths.iter().filter_map(|path| file.strip_prefix(path).ok()).any(|below| {
        below
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .all(|part| !part.starts_with('.') && !part.ends_with('~'))
    })
}

#[cfg(test)]
#[path = "../../tests/unit/cli/watch.rs"]
mod tests;
