//! Findings for people, programs and services. A format is a file of this folder and a row of [`FORMATS`].

mod github;
mod gitlab;
mod json;
mod junit;
mod sarif;
mod text;

use std::io;
use std::path::Path;

use pcore::check::{Checked, Finding};
use pcore::text::Span;
use serde_json::{Value as Json, json};

use super::error_json::{Answer, failure, place, reason};
use super::output::Output;
use junit::Junit;
use text::Text;

pub(crate) trait Report {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()>;

    fn end(&self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    /// Whether the report ends with a summary, as those for people do.
    fn has_summary(&self) -> bool {
        false
    }

    /// Whether it describes each file as a whole, also one without findings.
    fn describes_files(&self) -> bool {
        false
    }
}

/// What users say about a report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReportOptions {
    /// The most findings that text shows; 0 shows all.
    pub(crate) most: usize,
    /// Whether standard output has a diff.
    pub(crate) is_beside_diff: bool,
    /// Whether a warning fails the run.
    pub(crate) warnings_fail: bool,
}

#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    /// One line for `--help`.
    pub(crate) summary: &'static str,
    pub(crate) report: fn(ReportOptions) -> Box<dyn Report>,
}

/// Every format; the first is the default.
pub(crate) static FORMATS: [Format; 7] = [
    Format { name: "text", summary: "With the source and a caret", report: |options| Box::new(Text::new(options)) },
    Format { name: "json", summary: "One JSON object per file", report: |_| Box::new(json::Files) },
    Format { name: "jsonl", summary: "One JSON object per finding", report: |_| Box::new(json::Findings) },
    Format {
        name: "github",
        summary: "GitHub workflow commands, which become annotations of a pull request",
        report: |_| Box::new(github::Annotations),
    },
    Format { name: "gitlab", summary: "GitLab code quality", report: |_| Box::new(gitlab::Issues::default()) },
    Format {
        name: "junit",
        summary: "JUnit XML, a test case per file",
        report: |options| Box::new(Junit::new(options)),
    },
    Format { name: "sarif", summary: "SARIF 2.1.0, for code scanning", report: |_| Box::new(sarif::Sarif::default()) },
];

/// Writes whether a line is fine: `{"line": 1, "ok": true}`.
pub(super) fn verdict(line: usize, checked: &Checked, output: &mut Output) -> io::Result<()> {
    if checked.is_fine() {
        return output.say(&format!("{{\"line\":{line},\"ok\":true}}"));
    }
    let findings: Vec<Answer> = checked.findings.iter().map(finding_as_json).collect();
    output.say_json(&json!({ "line": line, "ok": false, "findings": findings }).to_string())
}

/// The file that a finding is in, which may be another than the one that was checked, as services name it: relative to the
/// working directory.
fn file_of(path: &Path, finding: &Finding) -> String {
    let path = finding.error.source_text().map_or(path, |source| Path::new(source.name()));
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).or_else(|_| path.strip_prefix(".")).unwrap_or(path).display().to_string()
}

fn lines(finding: &Finding) -> Option<[usize; 4]> {
    lines_of(finding, finding.error.span()?)
}

fn lines_of(finding: &Finding, span: Span) -> Option<[usize; 4]> {
    let source = finding.error.source_text()?;
    let (start, end) = (source.position(span.range().start), source.position(span.range().end));
    Some([start.line, start.column, end.line, end.column])
}

fn message(finding: &Finding) -> String {
    let help = finding.error.help().iter().map(|help| format!("\n{help}"));
    help.fold(finding.error.message().to_owned(), |message, help| message + &help)
}

/// An error with its severity and, for a mismatch, the path, the expected type and the value.
fn finding_as_json(finding: &Finding) -> Answer {
    let mut json = failure(&finding.error);
    json.shift_remove("ok");
    json.shift_insert(0, "severity".to_owned(), if finding.is_error { "error" } else { "warning" }.into());
    if let Some(mismatch) = &finding.mismatch {
        json.extend(reason(mismatch));
        // In a data file code is of no use.
        let suggestions = mismatch.suggestions.iter().filter(|suggestion| !suggestion.is_code);
        json.insert("suggestions".to_owned(), suggestions.map(|suggestion| suggestion.text.clone()).collect());
    }
    if let (Some(fix), Some(source)) = (&finding.fix, finding.error.source_text()) {
        let edits = fix.edits.iter().map(|edit| {
            let mut json = place(source, edit.span);
            json.shift_remove("source");
            json.insert("replacement".to_owned(), edit.replacement.as_str().into());
            Json::Object(json)
        });
        json.insert("fix".to_owned(), json!({ "text": fix.text, "edits": edits.collect::<Vec<_>>() }));
    }
    json
}
