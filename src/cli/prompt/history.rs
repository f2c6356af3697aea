//! The history: which entries are kept, and how several prompts share its file.
//!
//! Duplicates, entries that start with a space and entries that may contain a secret are not kept. Only the user can read
//! the file.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use pcore::syntax::tokens::{Kind, tokens};
use rustyline::history::{DefaultHistory, History};
use rustyline::{Editor, Helper};

use pcore::assist::brackets::Brackets;

/// The file of the history; `None` without a home directory.
pub(super) fn file() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let folder = base.state_dir().unwrap_or_else(|| base.data_dir()).join("pcore");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// Whether an entry may be kept: it does not start with a space and creates no Sensitive.
pub(super) fn is_kept(entry: &str) -> bool {
    if entry.trim().is_empty() || entry.starts_with(char::is_whitespace) || entry.contains("Sensitive(") {
        return false;
    }
    // Among thousands of entries few mention secrets.
    if !entry.to_ascii_lowercase().contains("sensitive") {
        return true;
    }
    // `Sensitive.new('x')`, `Sensitive[String]('x')`, `new(Sensitive, 'x')`, `'x'.convert_to(Sensitive)`, and any of
    // them in a string that is interpolated.
    let tokens = tokens(entry);
    let brackets = Brackets::of(entry, &tokens);
    let text = |at: usize| tokens.get(at).map_or("", |token| &entry[token.span.range()]);
    !(0..tokens.len()).any(|at| {
        let is_sensitive =
            tokens[at].kind == Kind::Reference && text(at).trim_start_matches("::").eq_ignore_ascii_case("sensitive");
        let parameters = brackets.pairs.iter().find(|(opening, _)| *opening == at + 1 && text(*opening) == "[");
        let next = text(parameters.map_or(at, |(_, closing)| *closing) + 1);
        let is_argument = at > 0 && text(at - 1) == "(" && next == ")";
        is_sensitive && (is_argument || matches!(next, "(" | "." | ","))
    })
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
    let _alone = lock(file);
    reload(editor, file);
}

/// Adds an entry to the history and, where there is one, to its file.
pub(super) fn remember<H: Helper>(editor: &mut Editor<H, DefaultHistory>, entry: &str, file: Option<&Path>) {
    if !is_kept(entry) || !editor.add_history_entry(entry).unwrap_or(false) {
        return;
    }
    let _alone = file.and_then(lock);
    match file {
        Some(file) if editor.append_history(file).is_ok() => reload(editor, file),
        _ => {
            tidy(editor.history_mut());
        }
    }
}

/// Locks the history until the result is dropped, so that no prompt overwrites an entry that another adds. The lock is a
/// separate file, because the history file is replaced.
fn lock(file: &Path) -> Option<File> {
    let lock = File::options().create(true).append(true).open(file.with_extension("lock")).ok()?;
    lock.lock().ok()?;
    Some(lock)
}

fn reload<H: Helper>(editor: &mut Editor<H, DefaultHistory>, file: &Path) {
    restrict(file);
    let _ = editor.clear_history();
    // The first run has no history yet.
    let _ = editor.load_history(file);
    if tidy(editor.history_mut()) {
        let _ = editor.save_history(file);
    }
}

/// Removes the entries that are not kept. Returns whether there were any.
fn tidy(history: &mut DefaultHistory) -> bool {
    let entries: Vec<String> = history.iter().cloned().collect();
    let kept = worth_keeping(&entries);
    if kept.len() == entries.len() {
        return false;
    }
    let _ = history.clear();
    for entry in kept {
        let _ = history.add(entry);
    }
    true
}

/// Restricts the file to its owner; rustyline creates new files like that.
#[cfg(unix)]
fn restrict(file: &Path) {
    use std::os::unix::fs::PermissionsExt;

    // It may not exist yet, or belong to somebody else.
    let _ = fs::set_permissions(file, fs::Permissions::from_mode(0o600));
}

#[cfg(not(unix))]
fn restrict(_: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_entries_behind_a_blank_are_not_kept() {
        assert!(is_kept("1 + 1"));
        assert!(is_kept("$x =~ Sensitive[String]"));
        assert!(is_kept("($x =~ Sensitive)"));
        for entry in [
            " 1 + 1",
            "\t1",
            "",
            "Sensitive('x')",
            "$x = Sensitive ('x')",
            "Sensitive.new('x')",
            "Sensitive\n.new('x')",
            "new(Sensitive, 'x')",
            "Sensitive[String].new('x')",
            "Sensitive[Variant[String, Integer]] ('x')",
            "new(Sensitive[String], 'x')",
            "'x'.convert_to(Sensitive)",
            "sensitive('x') == Sensitive('x')",
            "\"${Sensitive.new('x')}\"",
        ] {
            assert!(!is_kept(entry), "{entry:?}");
        }
    }

    #[test]
    fn of_equal_entries_the_last_is_kept() {
        let entries = ["a", "b", "a", " c", "d", "b"].map(str::to_owned);
        assert_eq!(worth_keeping(&entries), ["a", "d", "b"]);
        let mut history = DefaultHistory::new();
        for entry in &entries {
            history.add(entry).expect("a history in memory takes entries");
        }
        assert!(tidy(&mut history));
        assert_eq!(history.iter().collect::<Vec<_>>(), ["a", "d", "b"]);
        assert!(!tidy(&mut history));
    }

    #[test]
    fn prompts_that_write_at_once_lose_nothing() {
        let file = std::env::temp_dir().join(format!("pcore-shared-history-{}", std::process::id()));
        let entries = |prompt: usize| (0..20).map(move |number| format!("{prompt} + {}", number % 10));
        std::thread::scope(|scope| {
            for prompt in 0..3 {
                let file = &file;
                scope.spawn(move || {
                    let mut editor: Editor<(), DefaultHistory> = Editor::new().expect("an editor needs no terminal");
                    for entry in entries(prompt) {
                        remember(&mut editor, &entry, Some(file));
                    }
                });
            }
        });
        let mut editor: Editor<(), DefaultHistory> = Editor::new().expect("an editor needs no terminal");
        load(&mut editor, &file);
        let mut kept: Vec<String> = editor.history().iter().cloned().collect();
        kept.sort_unstable();
        let mut expected: Vec<String> = (0..3).flat_map(entries).collect();
        expected.sort_unstable();
        expected.dedup();
        fs::remove_file(&file).unwrap();
        fs::remove_file(file.with_extension("lock")).unwrap();
        assert_eq!(kept, expected);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt;

        let file = std::env::temp_dir().join(format!("pcore-history-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        restrict(&file);
        let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        fs::remove_file(&file).unwrap();
        assert_eq!(mode, 0o600);
    }
}
