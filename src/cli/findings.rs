//! Findings for people, programs and services: with the source, as JSON, as GitHub annotations, as SARIF.
//!
//! Only the text for people is cut, and says so.

use std::io;
use std::path::Path;

use pcore::check::{Checked, Finding};
use pcore::report::Severity;
use pcore::wording::counted;
use serde_json::{Value as Json, json};

use super::error_json::{failure, reason};
use super::output::Output;
use super::show;

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// With the source and a caret
    #[default]
    Text,
    /// One JSON object per file
    Json,
    /// One JSON object per finding
    Jsonl,
    /// GitHub workflow commands, which become annotations of a pull request
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// Writes findings as they come.
pub(super) struct Shown {
    form: Form,
    /// How many findings are shown at most; 0 for all.
    most: usize,
    printed: usize,
    hidden: usize,
    results: Vec<Json>,
}

impl Shown {
    pub(super) fn new(form: Form, most: usize) -> Shown {
        Shown { form, most, printed: 0, hidden: 0, results: Vec::new() }
    }

    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// Writes the findings of a file.
    pub(super) fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        if self.form == Form::Json {
            return output.say_json(&as_json(path, checked).to_string());
        }
        for finding in &checked.findings {
            match self.form {
                Form::Text => self.text(finding, output)?,
                Form::Json => {}
                Form::Jsonl => output.say_json(&with_file(path, finding).to_string())?,
                Form::Github => output.say(&annotation(path, finding))?,
                Form::Sarif => self.results.push(result(path, finding)),
            }
        }
        Ok(())
    }

    fn text(&mut self, finding: &Finding, output: &mut Output) -> io::Result<()> {
        if self.most > 0 && self.printed >= self.most {
            self.hidden += 1;
            return Ok(());
        }
        self.printed += 1;
        let severity = if finding.is_error { Severity::Error } else { Severity::Warning };
        output.report(&show::error(&finding.error, severity, output.error_palette))
    }

    /// Writes what comes last.
    pub(super) fn end(&self, output: &mut Output) -> io::Result<()> {
        match self.form {
            Form::Sarif => output.say_json(&sarif(&self.results).to_string()),
            Form::Text if self.hidden > 0 => {
                output.report(&format!("… and {}; `--max-findings 0` shows all", counted(self.hidden, "more finding")))
            }
            Form::Text | Form::Json | Form::Jsonl | Form::Github => Ok(()),
        }
    }
}

/// Writes whether a line is fine: `{"line": 1, "ok": true}`.
pub(super) fn verdict(line: usize, checked: &Checked, output: &mut Output) -> io::Result<()> {
    if checked.is_fine() {
        return output.say(&format!("{{\"line\":{line},\"ok\":true}}"));
    }
    let findings: Vec<Json> = checked.findings.iter().map(finding_as_json).collect();
    output.say_json(&json!({ "line": line, "ok": false, "findings": findings }).to_string())
}

/// The file that a finding is in, which may be another than the one that was checked.
fn file_of(path: &Path, finding: &Finding) -> String {
    finding.error.source_text().map_or_else(|| path.display().to_string(), |source| source.name().to_owned())
}

/// Line and column of the start and the end.
fn lines(finding: &Finding) -> Option<[usize; 4]> {
    let (source, span) = (finding.error.source_text()?, finding.error.span()?);
    let (start, end) = (source.position(span.range().start), source.position(span.range().end));
    Some([start.line, start.column, end.line, end.column])
}

fn message(finding: &Finding) -> String {
    let help = finding.error.help().iter().map(|help| format!("\n{help}"));
    help.fold(finding.error.message().to_owned(), |message, help| message + &help)
}

/// `::error file=data/a.yaml,line=1,col=12,title=TYPE_MISMATCH::expected …`
///
/// Source: GitHub documentation, "Workflow commands": the message and the properties escape some characters.
fn annotation(path: &Path, finding: &Finding) -> String {
    let escaped = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| escaped(text).replace(':', "%3A").replace(',', "%2C");
    let level = if finding.is_error { "error" } else { "warning" };
    let place = lines(finding).map_or_else(String::new, |[line, column, end_line, end_column]| {
        format!(",line={line},col={column},endLine={end_line},endColumn={end_column}")
    });
    let (file, title) = (property(&file_of(path, finding)), property(finding.error.code()));
    format!("::{level} file={file}{place},title={title}::{}", escaped(&message(finding)))
}

/// A result of SARIF 2.1.0.
#[expect(clippy::indexing_slicing, reason = "the location is an object")]
fn result(path: &Path, finding: &Finding) -> Json {
    let mut location = json!({ "artifactLocation": { "uri": file_of(path, finding) } });
    if let Some([line, column, end_line, end_column]) = lines(finding) {
        location["region"] =
            json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column });
    }
    json!({
        "ruleId": finding.error.code(),
        "level": if finding.is_error { "error" } else { "warning" },
        "message": { "text": message(finding) },
        "locations": [{ "physicalLocation": location }],
    })
}

fn sarif(results: &[Json]) -> Json {
    let mut rules: Vec<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Json> = rules.into_iter().map(|id| json!({ "id": id })).collect();
    json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "tool": { "driver": { "name": "pcore", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    })
}

/// `{"file": …, "ok": …, "compared": …, "unjudged": …, "findings": […]}`
fn as_json(path: &Path, checked: &Checked) -> Json {
    let findings: Vec<Json> = checked.findings.iter().map(finding_as_json).collect();
    json!({
        "file": path.display().to_string(),
        "ok": checked.is_fine(),
        "compared": checked.compared,
        "unjudged": checked.unjudged.len(),
        "findings": findings,
    })
}

#[expect(clippy::indexing_slicing, reason = "a finding is an object")]
fn with_file(path: &Path, finding: &Finding) -> Json {
    let mut json = finding_as_json(finding);
    json["file"] = path.display().to_string().into();
    json
}

/// An error with its severity and, for a mismatch, the path, the expected type and the value.
fn finding_as_json(finding: &Finding) -> Json {
    let mut json = failure(&finding.error);
    json.shift_remove("ok");
    json.shift_insert(0, "severity".to_owned(), if finding.is_error { "error" } else { "warning" }.into());
    if let Some(mismatch) = &finding.mismatch {
        json.extend(reason(mismatch));
        // In a data file code is of no use.
        let suggestions = mismatch.suggestions.iter().filter(|suggestion| !suggestion.is_code);
        json.insert("suggestions".to_owned(), suggestions.map(|suggestion| suggestion.text.clone()).collect());
    }
    Json::Object(json)
}
