//! Findings for people, with the source. Only this format is cut, and says so.

use std::io;
use std::path::Path;

use pcore::check::Checked;
use pcore::report::Severity;
use pcore::wording::counted;

use super::Report;
use crate::cli::output::Output;

pub(super) struct Text {
    most: usize,
    printed: usize,
    hidden: usize,
}

impl Text {
    pub(super) fn new(most: usize) -> Text {
        Text { most, printed: 0, hidden: 0 }
    }
}

impl Report for Text {
    fn file(&mut self, _: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        for finding in &checked.findings {
            if self.most > 0 && self.printed >= self.most {
                self.hidden += 1;
                continue;
            }
            self.printed += 1;
            let severity = if finding.is_error { Severity::Error } else { Severity::Warning };
            output.report_error(&finding.error, severity)?;
        }
        Ok(())
    }

    fn end(&self, output: &mut Output) -> io::Result<()> {
        if self.hidden == 0 {
            return Ok(());
        }
        output.report(&format!("… and {}; `--max-findings 0` shows all", counted(self.hidden, "more finding")))
    }

    fn has_summary(&self) -> bool {
        true
    }
}
