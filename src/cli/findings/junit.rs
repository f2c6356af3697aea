//! The XML of `JUnit`, for the test reports of CI servers: a test case for each file. A case fails on what fails the run; other
//! findings are its output.

use std::io;
use std::path::Path;

use pcore::wording::printable;

use super::{Checked, Finding, Output, Report, ReportOptions, file_of, lines, message};

const FAILURE: &str = "    <failure";

pub(super) struct Junit {
    warnings_fail: bool,
    cases: Vec<String>,
}

impl Junit {
    pub(super) fn new(options: ReportOptions) -> Junit {
        Junit { warnings_fail: options.warnings_fail, cases: Vec::new() }
    }
}

impl Report for Junit {
    fn file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
        let name = escaped(&path.display().to_string());
        let mut case = vec![format!("  <testcase classname=\"pcore.check\" name=\"{name}\">")];
        let (failures, others): (Vec<&Finding>, Vec<&Finding>) =
            checked.findings.iter().partition(|finding| finding.is_error || self.warnings_fail);
        for finding in failures {
            let [code, message] = [finding.error.code(), finding.error.message()].map(escaped);
            let text = text(path, finding);
            case.push(format!("\n{FAILURE} type=\"{code}\" message=\"{message}\">{text}</failure>"));
        }
        if !others.is_empty() {
            let texts: Vec<String> = others.into_iter().map(|finding| text(path, finding)).collect();
            case.push(format!("\n    <system-out>{}</system-out>", texts.join("\n")));
        }
        self.cases.push(case.concat() + "</testcase>");
        Ok(())
    }

    fn end(&self, output: &mut Output) -> io::Result<()> {
        let (tests, cases) = (self.cases.len(), self.cases.join("\n"));
        let failures = self.cases.iter().filter(|case| case.contains(FAILURE)).count();
        let suite = format!("<testsuite name=\"pcore check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">");
        output.say_raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>")?;
        output.say_raw(&format!("{suite}\n{cases}\n</testsuite>\n</testsuites>"))
    }

    fn describes_files(&self) -> bool {
        true
    }
}

/// `data/a.yaml:1:12: error: expected …`
fn text(path: &Path, finding: &Finding) -> String {
    let place = lines(finding).map_or_else(String::new, |[line, column, ..]| format!(":{line}:{column}"));
    let severity = if finding.is_error { "error" } else { "warning" };
    escaped(&format!("{}{place}: {severity}: {}", file_of(path, finding), message(finding)))
}

/// Text for an element or an attribute. A line break in an attribute would be read as a space.
///
/// Source: XML 1.0, "Character Data and Markup", "Characters".
fn escaped(text: &str) -> String {
    // No document may have U+FFFE or U+FFFF, not even as references; `printable` has replaced the others.
    let text = printable(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}").replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;")
}
