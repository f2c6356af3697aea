//! The history: which entries are kept, and how several prompts share its file.
//!
//! Duplicates, entries that start with a space and entries that may contain a secret are not kept: neither those that look
//! like it nor those whose evaluation made a Sensitive. Only the user can read the file.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use etcetera::BaseStrategy;
use pcore::files;
use pcore::syntax::sensitive_literals;
use rustyline::config::Configurer;
use rustyline::history::{DefaultHistory, History};
use rustyline::{Editor, Helper};

use crate::cli::storage::{self, Readers};

pub(super) fn file() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let folder = base.state_dir().unwrap_or_else(|| base.data_dir()).join("pcore");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// Whether an entry may be kept: it does not start with a space and creates no Sensitive.
pub(super) fn is_kept(entry: &str) -> bool {
    !entry.trim().is_empty()
        && !entry.starts_with(char::is_whitespace)
        && !entry.contains("Sensitive(")
        && sensitive_literals(entry).is_empty()
}

/// The entries that are kept, in order; of duplicates only the last.
fn worth_keeping(entries: &[String]) -> Vec<&str> {
    let mut seen = HashSet::new();
    let mut kept: Vec<&str> = entries.iter().rev().map(String::as_str).collect();
    kept.retain(|entry| is_kept(entry) && seen.insert(*entry));
    kept.reverse();
    kept
}

/// Reads the history, including the entries that other prompts have added.
///
/// A history that cannot be read or written is ignored.
pub(super) fn load<H: Helper>(editor: &mut Editor<H, DefaultHistory>, file: &Path) {
    let alone = lock(file);
    let bytes = read(file);
    let entries = entries(bytes.as_deref().unwrap_or_default());
    let mut kept: Vec<&str> = worth_keeping(&entries);
    kept.drain(..kept.len().saturating_sub(editor.config_mut().max_history_size()));
    let text = written(&kept);
    if alone.is_some() && bytes.is_ok_and(|bytes| text.as_bytes() != bytes || !is_private(file)) {
        // What cannot be written stays as it was.
        let _ = storage::replace(file, text.as_bytes(), Readers::Owner);
    }
    set(editor.history_mut(), kept);
}

fn set<'e>(history: &mut DefaultHistory, entries: impl IntoIterator<Item = &'e str>) {
    let _ = history.clear();
    for entry in entries {
        let _ = history.add(entry);
    }
}

pub(super) fn remember<H: Helper>(editor: &mut Editor<H, DefaultHistory>, entry: &str, file: Option<&Path>) {
    if !is_kept(entry) || !editor.add_history_entry(entry).unwrap_or(false) {
        return;
    }
    if let Some(file) = file
        && let Some(_alone) = lock(file)
    {
        let _ = storage::append(file, HEAD, &escaped(entry));
    }
}

/// Removes the entries that must not be kept, in memory and in the file.
pub(super) fn forget<H: Helper>(
    editor: &mut Editor<H, DefaultHistory>,
    file: Option<&Path>,
    is_kept: impl Fn(&str) -> bool,
) {
    let kept: Vec<String> = editor.history().iter().filter(|entry| is_kept(entry)).cloned().collect();
    set(editor.history_mut(), kept.iter().map(String::as_str));
    if let Some(file) = file {
        // A prompt that holds the lock for long must not keep a secret in the file.
        let _alone = lock(file);
        let entries = entries(&read(file).unwrap_or_default());
        let kept: Vec<&str> = entries.iter().map(String::as_str).filter(|entry| is_kept(entry)).collect();
        if kept.len() < entries.len() {
            let _ = storage::replace(file, written(&kept).as_bytes(), Readers::Owner);
        }
    }
}

const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// Locks the history until the result is dropped, so that no prompt overwrites an entry that another adds; `None` if another
/// holds it for long. The lock is a separate file, because the history file is replaced.
fn lock(file: &Path) -> Option<File> {
    let lock = storage::private().create(true).append(true).open(file.with_extension("lock")).ok()?;
    let until = Instant::now() + LOCK_PATIENCE;
    while lock.try_lock().is_err() {
        if Instant::now() > until {
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
    Some(lock)
}

/// The first line of the file: below it each line is an entry, with `\\` for a backslash and `\n` for a line break.
const HEAD: &str = "#V2\n";

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    files::open(file)?.0.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn entries(bytes: &[u8]) -> Vec<String> {
    // A terminal, an editor or a full disk may have left half a character.
    let text = String::from_utf8_lossy(bytes);
    let (is_escaped, lines) = text.strip_prefix(HEAD).map_or((false, &*text), |lines| (true, lines));
    let lines = lines.lines().filter(|line| !line.is_empty());
    lines.map(|line| if is_escaped { unescaped(line) } else { line.to_owned() }).collect()
}

fn written(entries: &[&str]) -> String {
    let lines = entries.iter().map(|entry| escaped(entry) + "\n");
    HEAD.to_owned() + &lines.collect::<String>()
}

fn escaped(entry: &str) -> String {
    entry.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(line: &str) -> String {
    let between_backslashes = line.split("\\\\").map(|part| part.replace("\\n", "\n"));
    between_backslashes.collect::<Vec<_>>().join("\\")
}

#[cfg(unix)]
fn is_private(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    file.metadata().is_ok_and(|metadata| metadata.permissions().mode().trailing_zeros() >= 6)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> bool {
    true
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/history.rs"]
mod tests;
