//! `pcore check --fix`: writes files with the fixes applied, or prints the changes as a diff.

use std::{io, path::Path, sync::Arc};

use pcore::check::{Checked, FixedSource};
use pcore::text::Source;
use pcore::wording::pluralize;

use super::output::Output;
use super::show::{colour_diff, unified_diff};
use super::storage::{self, AllowedReaders};

/// The findings that are left in a file after its fixes, and the fixed source or, if nothing was fixed, `None`.
pub(super) type Judged = (Checked, Option<FixedSource>);

pub(super) fn fix_and_recheck(
    checked: Checked,
    are_wanted: bool,
    again: impl FnOnce(&Arc<Source>) -> Checked,
) -> Judged {
    match checked.fixed().filter(|_| are_wanted) {
        None => (checked, None),
        Some(fixed) => (again(&Source::new(fixed.source.name(), fixed.fixed_text.as_str())), Some(fixed)),
    }
}

#[derive(Default)]
pub(super) struct FixWriter {
    /// Whether changes are printed as a diff instead of written to the files.
    pub(super) is_diff: bool,
    pub(super) files: usize,
    pub(super) fixed_finding_count: usize,
    pub(super) failed_file_count: usize,
}

impl FixWriter {
    /// Writes `fixed` to the file at `path`, or prints the diff. Reports an error if the file has changed meanwhile.
    pub(super) fn write_fixes(&mut self, path: &Path, fixed: &FixedSource, output: &mut Output) -> io::Result<()> {
        if self.is_diff {
            print_diff(path, fixed, output)?;
        } else if let Err(problem) = write_fixed_file(path, fixed) {
            self.failed_file_count += 1;
            return output.print_error_message(&format!("`{}` {problem}", path.display()));
        }
        self.files += 1;
        self.fixed_finding_count += fixed.fixed_count;
        Ok(())
    }

    /// Whether fixes were not written, because writing failed or only the diff was printed.
    pub(super) fn has_unwritten_fixes(&self) -> bool {
        self.failed_file_count > 0 || self.is_diff && self.files > 0
    }

    /// Returns `3 findings in 2 files fixed`, or `None` if no file had fixes.
    pub(super) fn summary_line(&self) -> Option<String> {
        let verb = if self.is_diff { "can be fixed" } else { "fixed" };
        let (findings, files) = (pluralize(self.fixed_finding_count, "finding"), pluralize(self.files, "file"));
        (self.files > 0).then(|| format!("{findings} in {files} {verb}"))
    }
}

fn write_fixed_file(path: &Path, fixed: &FixedSource) -> Result<(), String> {
    const BYTE_ORDER_MARK: &str = "\u{feff}";
    let failed = |error: io::Error| format!("cannot be written: {error}");
    let before = std::fs::read(path).map_err(failed)?;
    // Sources are read without it.
    let mark = if before.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK } else { "" };
    let with_mark = |text: &str| [mark, text].concat().into_bytes();
    let (checked, after) = (with_mark(fixed.source.text()), with_mark(&fixed.fixed_text));
    // Another path may have led to it.
    if before == after
        || storage::replace_if_unchanged(path, Some(&checked), &after, AllowedReaders::AsBefore).map_err(failed)?
    {
        return Ok(());
    }
    Err("has changed while it was checked, and was not fixed".to_owned())
}

fn print_diff(path: &Path, fixed: &FixedSource, output: &mut Output) -> io::Result<()> {
    let [old, new] = ["a", "b"].map(|side| format!("{side}/{}", path.display()));
    let diff = unified_diff((&old, fixed.source.shown_text()), (&new, &fixed.masked_text));
    if !output.is_terminal {
        // For programs such as `patch`.
        return output.print_raw_line(diff.strip_suffix('\n').unwrap_or(&diff));
    }
    output.print_styled_line(&colour_diff(&diff, output.palette))
}
