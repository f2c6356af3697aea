//! The history of entries: which of them are kept, and how several prompts share its file.
//!
//! Duplicates, entries that start with a space, and entries that may contain a secret are not kept: code that seems to
//! create a Sensitive, and code whose evaluation has created one. Only the user can read the file.

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

use crate::cli::storage::{self, AllowedReaders};

pub(super) fn history_file() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let folder = base.state_dir().unwrap_or_else(|| base.data_dir()).join("pcore");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// Whether the history may keep `entry`: not if it is empty, starts with a space, or contains code for a Sensitive.
pub(super) fn may_keep_entry(entry: &str) -> bool {
    !entry.trim().is_empty()
        && !entry.starts_with(char::is_whitespace)
        && !entry.contains("Sensitive(")
        && sensitive_literals(entry).is_empty()
}

/// Returns the `entries` that the history may keep (see [`may_keep_entry`]), in order; of equal ones, only the last.
fn entries_to_keep(entries: &[String]) -> Vec<&str> {
    let mut seen = HashSet::new();
    let mut kept: Vec<&str> = entries.iter().rev().map(String::as_str).collect();
    kept.retain(|entry| may_keep_entry(entry) && seen.insert(*entry));
    kept.reverse();
    kept
}

/// Replaces the history of `editor` by the entries in `file`, and rewrites `file` if needed. Ignores I/O errors.
pub(super) fn load_history<H: Helper>(editor: &mut Editor<H, DefaultHistory>, file: &Path) {
    let alone = lock_history(file);
    let bytes = read_history_bytes(file);
    let entries = parse_entries(bytes.as_deref().unwrap_or_default());
    let mut kept: Vec<&str> = entries_to_keep(&entries);
    kept.drain(..kept.len().saturating_sub(editor.config_mut().max_history_size()));
    let text = format_entries(&kept);
    if alone.is_some() && bytes.is_ok_and(|bytes| text.as_bytes() != bytes || !is_private_file(file)) {
        // What cannot be written stays as it was.
        let _ = storage::replace_file(file, text.as_bytes(), AllowedReaders::Owner);
    }
    set_history_entries(editor.history_mut(), kept);
}

fn set_history_entries<'e>(history: &mut DefaultHistory, entries: impl IntoIterator<Item = &'e str>) {
    let _ = history.clear();
    for entry in entries {
        let _ = history.add(entry);
    }
}

pub(super) fn add_entry<H: Helper>(editor: &mut Editor<H, DefaultHistory>, entry: &str, file: Option<&Path>) {
    if !may_keep_entry(entry) || !editor.add_history_entry(entry).unwrap_or(false) {
        return;
    }
    if let Some(file) = file
        && let Some(_alone) = lock_history(file)
    {
        let _ = storage::append_line(file, FILE_HEADER, &escape_entry(entry));
    }
}

pub(super) fn remove_entries<H: Helper>(
    editor: &mut Editor<H, DefaultHistory>,
    file: Option<&Path>,
    is_entry_kept: impl Fn(&str) -> bool,
) {
    let kept: Vec<String> = editor.history().iter().filter(|entry| is_entry_kept(entry)).cloned().collect();
    set_history_entries(editor.history_mut(), kept.iter().map(String::as_str));
    if let Some(file) = file {
        // A prompt that holds the lock for long must not keep a secret in the file.
        let _alone = lock_history(file);
        let entries = parse_entries(&read_history_bytes(file).unwrap_or_default());
        let kept: Vec<&str> = entries.iter().map(String::as_str).filter(|entry| is_entry_kept(entry)).collect();
        if kept.len() < entries.len() {
            let _ = storage::replace_file(file, format_entries(&kept).as_bytes(), AllowedReaders::Owner);
        }
    }
}

const MAX_LOCK_WAIT: Duration = Duration::from_secs(1);

/// Locks the history until the returned file is dropped, so that no prompt overwrites an entry that another adds;
/// `None` after [`MAX_LOCK_WAIT`]. The lock is a separate file, because the history file is replaced.
fn lock_history(file: &Path) -> Option<File> {
    let lock = storage::private_file_options().create(true).append(true).open(file.with_extension("lock")).ok()?;
    let until = Instant::now() + MAX_LOCK_WAIT;
    while lock.try_lock().is_err() {
        if Instant::now() > until {
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
    Some(lock)
}

/// The first line of the file: below it each line is an entry, with `\\` for a backslash and `\n` for a line break.
const FILE_HEADER: &str = "#V2\n";

fn read_history_bytes(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    files::open_regular_file(file)?.0.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse_entries(bytes: &[u8]) -> Vec<String> {
    // A terminal, an editor or a full disk may have left half a character.
    let text = String::from_utf8_lossy(bytes);
    let (is_escaped, lines) = text.strip_prefix(FILE_HEADER).map_or((false, &*text), |lines| (true, lines));
    let lines = lines.lines().filter(|line| !line.is_empty());
    lines.map(|line| if is_escaped { unescape_entry(line) } else { line.to_owned() }).collect()
}

fn format_entries(entries: &[&str]) -> String {
    let lines = entries.iter().map(|entry| escape_entry(entry) + "\n");
    FILE_HEADER.to_owned() + &lines.collect::<String>()
}

fn escape_entry(entry: &str) -> String {
    entry.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescape_entry(line: &str) -> String {
    let between_backslashes = line.split("\\\\").map(|part| part.replace("\\n", "\n"));
    between_backslashes.collect::<Vec<_>>().join("\\")
}

#[cfg(unix)]
fn is_private_file(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    file.metadata().is_ok_and(|metadata| metadata.permissions().mode().trailing_zeros() >= 6)
}

#[cfg(not(unix))]
fn is_private_file(_: &Path) -> bool {
    true
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/history.rs"]
mod tests;
