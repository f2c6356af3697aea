//! Findings for people, with the source. Only this format is cut, and says so.

use std::io;
use std::path::Path;

use pcore::report::Severity;
use pcore::wording::counted;

use super::{Checked, Output, Report, ReportOptions};
use crate::cli::show;

pub(super) struct Text {
    options: ReportOptions,
    printed: usize,
    hidden: usize,
}

impl Text {
    pub(super) fn new(options: ReportOptions) -> Text {
        Text { options, printed: 0, hidden: 0 }
    }

    /// Findings are on the same stream as the summary.
    fn say(&self, output: &mut Output, text: impl Fn(show::Palette) -> String) -> io::Result<()> {
        if self.options.is_beside_diff {
            return output.report(&text(output.error_palette));
        }
        output.say_styled(&text(output.palette))
    }
}

impl Report for Text {
    fn file(&mut self, _: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        for finding in &checked.findings {
            if self.options.most > 0 && self.printed >= self.options.most {
                self.hidden += 1;
                continue;
            }
            self.printed += 1;
            let severity = if finding.is_error { Severity::Error } else { Severity::Warning };
            self.say(output, |palette| show::error(&finding.error, severity, palette))?;
        }
        Ok(())
    }

    fn end(&self, output: &mut Output) -> io::Result<()> {
        if self.hidden == 0 {
            return Ok(());
        }
        let more = counted(self.hidden, "more finding");
        self.say(output, |_| format!("… and {more}; `--max-findings 0` shows all"))
    }

    fn has_summary(&self) -> bool {
        true
    }
}
