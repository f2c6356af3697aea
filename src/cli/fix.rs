//! `pcore check --fix`: writes the files with their fixes, or prints what would change.

use std::{io, path::Path, sync::Arc};

use pcore::check::{Checked, Fixed};
use pcore::text::Source;
use pcore::wording::counted;

use super::output::Output;
use super::show::{diff, painted_diff};
use super::storage::{self, Readers};

/// The result of checking a file, and the fixes that were applied before, if any.
pub(super) type Judged = (Checked, Option<Fixed>);

/// Applies the fixes to a file if `are_wanted`, and checks the result with `again`.
pub(super) fn apply_fixes(checked: Checked, are_wanted: bool, again: impl FnOnce(&Arc<Source>) -> Checked) -> Judged {
    match checked.fixed().filter(|_| are_wanted) {
        None => (checked, None),
        Some(fixed) => (again(&Source::new(fixed.source.name(), fixed.text.as_str())), Some(fixed)),
    }
}

#[derive(Default)]
pub(super) struct Fixes {
    /// Whether changes are printed instead of written.
    pub(super) is_diff: bool,
    files: usize,
    findings: usize,
    failed: usize,
}

impl Fixes {
    pub(super) fn new(is_diff: bool) -> Fixes {
        Fixes { is_diff, ..Fixes::default() }
    }

    /// Writes a file with its fixes, or prints the diff. A file that has changed since it was read is left alone.
    pub(super) fn apply(&mut self, path: &Path, fixed: &Fixed, output: &mut Output) -> io::Result<()> {
        if self.is_diff {
            print_diff(path, fixed, output)?;
        } else if let Err(problem) = write_fixed_file(path, fixed) {
            self.failed += 1;
            return output.complain(&format!("`{}` {problem}", path.display()));
        }
        self.files += 1;
        self.findings += fixed.count;
        Ok(())
    }

    /// Whether some findings can still be fixed.
    pub(super) fn is_left(&self) -> bool {
        self.failed > 0 || self.is_diff && self.files > 0
    }

    /// `3 findings in 2 files fixed`; `None` if there were none to fix.
    pub(super) fn summary(&self) -> Option<String> {
        let verb = if self.is_diff { "can be fixed" } else { "fixed" };
        let (findings, files) = (counted(self.findings, "finding"), counted(self.files, "file"));
        (self.files > 0).then(|| format!("{findings} in {files} {verb}"))
    }
}

fn write_fixed_file(path: &Path, fixed: &Fixed) -> Result<(), String> {
    const BYTE_ORDER_MARK: &str = "\u{feff}";
    let failed = |error: io::Error| format!("cannot be written: {error}");
    let before = std::fs::read(path).map_err(failed)?;
    // Sources are read without it.
    let mark = if before.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK } else { "" };
    let with_mark = |text: &str| [mark, text].concat().into_bytes();
    let (checked, after) = (with_mark(fixed.source.text()), with_mark(&fixed.text));
    // Another path may have led to it.
    if before == after || storage::exchange(path, Some(&checked), &after, Readers::AsBefore).map_err(failed)? {
        return Ok(());
    }
    Err("has changed while it was checked, and was not fixed".to_owned())
}

fn print_diff(path: &Path, fixed: &Fixed, output: &mut Output) -> io::Result<()> {
    let [old, new] = ["a", "b"].map(|side| format!("{side}/{}", path.display()));
    let diff = diff((&old, fixed.source.shown()), (&new, &fixed.shown));
    if !output.is_terminal {
        // For programs such as `patch`.
        return output.say_raw(diff.strip_suffix('\n').unwrap_or(&diff));
    }
    output.say_styled(&painted_diff(&diff, output.palette))
}
