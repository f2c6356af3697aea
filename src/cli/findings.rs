//! Output formats of `pcore check`. Each is a row of [`FORMATS`] and an implementation of [`Report`].

use std::collections::{BTreeSet, HashMap};
use std::{io, path::Path};

use md5::{Digest as _, Md5};
use pcore::check::{Checked, Edit, Finding};
use pcore::report::Severity;
use pcore::text::Span;
use pcore::wording::{pluralize, to_printable, to_printable_json};
use serde_json::{Value as Json, json};

use super::arguments::CheckOptions;
use super::error_json::{Answer, error_as_json, location_as_json, mismatch_as_json};
use super::{output::Output, show};

pub(crate) trait Reporter {
    fn add_file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()>;

    fn finish(&self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct ReportFormat {
    pub(crate) name: &'static str,
    /// A description of the format in one line, for `--help`.
    pub(crate) summary: &'static str,
    pub(crate) new_reporter: NewReporter,
    /// Whether a summary of the check follows the report.
    pub(crate) has_summary: bool,
    pub(crate) includes_clean_files: bool,
}

type NewReporter = fn(&CheckOptions) -> Box<dyn Reporter>;

const fn format(name: &'static str, summary: &'static str, new_reporter: NewReporter) -> ReportFormat {
    ReportFormat { name, summary, new_reporter, has_summary: false, includes_clean_files: false }
}

/// All formats; the first is the default.
pub(crate) static FORMATS: [ReportFormat; 7] = [
    ReportFormat {
        has_summary: true,
        ..format("text", "With the source and a caret", |options| {
            let (max_findings, is_beside_diff) = (options.max_findings, options.diff);
            Box::new(TextReporter { max_findings, is_beside_diff, ..TextReporter::default() })
        })
    },
    ReportFormat { includes_clean_files: true, ..format("json", "One JSON object per file", |_| Box::new(JsonReport)) },
    format("jsonl", "One JSON object per finding", |_| Box::new(LinePerFindingReporter(finding_as_json_line))),
    format("github", "GitHub workflow commands, which become annotations of a pull request", |_| {
        Box::new(LinePerFindingReporter(github_annotation))
    }),
    format("gitlab", "GitLab code quality", |_| Box::new(GitlabReporter::default())),
    ReportFormat {
        includes_clean_files: true,
        ..format("junit", "JUnit XML, a test case per file", |options| {
            Box::new(JunitReporter { warnings_fail: options.fail_on == "warning", ..JunitReporter::default() })
        })
    },
    format("sarif", "SARIF 2.1.0, for code scanning", |_| Box::new(SarifReporter::default())),
];

/// Prints whether the data on a line is valid, as `{"line": 1, "ok": true}`, with the findings if it is not.
pub(super) fn print_line_result_as_json(line: usize, checked: &Checked, output: &mut Output) -> io::Result<()> {
    if checked.has_no_errors() {
        return output.print_line(&format!("{{\"line\":{line},\"ok\":true}}"));
    }
    let findings: Vec<Answer> = checked.findings.iter().map(finding_as_json).collect();
    output.print_json_line(&json!({ "line": line, "ok": false, "findings": findings }).to_string())
}

/// Returns the file that contains `finding`, relative to the working directory; usually the checked file `path`.
fn file_of_finding(path: &Path, finding: &Finding) -> String {
    let path = finding.error.source_text().map_or(path, |source| Path::new(source.name()));
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).or_else(|_| path.strip_prefix(".")).unwrap_or(path).display().to_string()
}

fn severity_word(finding: &Finding) -> &'static str {
    if finding.is_error { "error" } else { "warning" }
}

fn lines_and_columns(finding: &Finding, span: Option<Span>) -> Option<[usize; 4]> {
    let (source, span) = (finding.error.source_text()?, span?);
    let (start, end) = (source.position(span.range().start), source.position(span.range().end));
    Some([start.line, start.column, end.line, end.column])
}

fn message_with_help(finding: &Finding) -> String {
    let help = finding.error.help().iter().map(|help| format!("\n{help}"));
    help.fold(finding.error.message().to_owned(), |message, help| message + &help)
}

fn finding_as_json(finding: &Finding) -> Answer {
    let mut json = error_as_json(&finding.error);
    json.shift_remove("ok");
    json.shift_insert(0, "severity".to_owned(), severity_word(finding).into());
    if let Some(mismatch) = &finding.mismatch {
        json.extend(mismatch_as_json(mismatch));
        // In a data file code is of no use.
        let suggestions = mismatch.suggestions.iter().filter(|suggestion| !suggestion.is_code);
        json.insert("suggestions".to_owned(), suggestions.map(|suggestion| suggestion.text.clone()).collect());
    }
    if let (Some(fix), Some(source)) = (&finding.fix, finding.error.source_text()) {
        let edits = fix.edits.iter().map(|edit| {
            let mut json = location_as_json(source, edit.span);
            json.shift_remove("source");
            json.insert("replacement".to_owned(), edit.replacement.as_str().into());
            Json::Object(json)
        });
        json.insert("fix".to_owned(), json!({ "text": fix.description, "edits": edits.collect::<Vec<_>>() }));
    }
    json
}

#[derive(Default)]
pub(super) struct TextReporter {
    /// The maximum number of findings to print; 0 means all.
    max_findings: usize,
    /// Whether a diff is printed to standard output, so that the report has to go to standard error.
    is_beside_diff: bool,
    printed_count: usize,
    hidden_count: usize,
}

impl TextReporter {
    fn print_to_report_stream(&self, output: &mut Output, text: impl Fn(show::Palette) -> String) -> io::Result<()> {
        if self.is_beside_diff {
            return output.print_stderr_line(&text(output.stderr_palette));
        }
        output.print_styled_line(&text(output.palette))
    }
}

impl Reporter for TextReporter {
    fn add_file(&mut self, _: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        for finding in &checked.findings {
            if self.max_findings > 0 && self.printed_count >= self.max_findings {
                self.hidden_count += 1;
                continue;
            }
            self.printed_count += 1;
            let severity = if finding.is_error { Severity::Error } else { Severity::Warning };
            self.print_to_report_stream(output, |palette| show::render_error(&finding.error, severity, palette))?;
        }
        Ok(())
    }

    fn finish(&self, output: &mut Output) -> io::Result<()> {
        if self.hidden_count == 0 {
            return Ok(());
        }
        let more = pluralize(self.hidden_count, "more finding");
        self.print_to_report_stream(output, |_| format!("… and {more}; `--max-findings 0` shows all"))
    }
}

struct JsonReport;

impl Reporter for JsonReport {
    fn add_file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        let findings: Vec<Answer> = checked.findings.iter().map(finding_as_json).collect();
        let json = json!({
            "file": path.display().to_string(),
            "ok": checked.has_no_errors(),
            "compared": checked.compared,
            "unjudged": checked.unjudged.len(),
            "findings": findings,
        });
        output.print_json_line(&json.to_string())
    }
}

struct LinePerFindingReporter(fn(&Path, &Finding) -> String);

impl Reporter for LinePerFindingReporter {
    fn add_file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        checked.findings.iter().try_for_each(|finding| output.print_raw_line(&self.0(path, finding)))
    }
}

fn finding_as_json_line(path: &Path, finding: &Finding) -> String {
    let mut fields = finding_as_json(finding);
    fields.insert("file".to_owned(), path.display().to_string().into());
    to_printable_json(&Json::Object(fields).to_string()).into_owned()
}

/// Returns a workflow command: `::error file=data/a.yaml,line=1,col=12,title=TYPE_MISMATCH::expected …`
///
/// Source: GitHub documentation, "Workflow commands": the message and the properties escape some characters.
fn github_annotation(path: &Path, finding: &Finding) -> String {
    let escaped = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| escaped(text).replace(':', "%3A").replace(',', "%2C");
    let place = lines_and_columns(finding, finding.error.span()).map(|[line, column, end_line, end_column]| {
        format!(",line={line},col={column},endLine={end_line},endColumn={end_column}")
    });
    let (file, title) = (property(&file_of_finding(path, finding)), property(finding.error.code()));
    let (level, place) = (severity_word(finding), place.unwrap_or_default());
    let line = format!("::{level} file={file}{place},title={title}::{}", escaped(&message_with_help(finding)));
    to_printable(&line).into_owned()
}

/// GitLab's code quality report: one JSON array, printed at the end.
///
/// Source: GitLab documentation, "Code Quality", "Code Quality report format".
#[derive(Default)]
struct GitlabReporter {
    issues: Vec<Json>,
    /// The number of findings so far by file, code and message, so that equal findings get different fingerprints.
    occurrence_counts: HashMap<String, usize>,
}

impl Reporter for GitlabReporter {
    fn add_file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
        for finding in &checked.findings {
            let file = file_of_finding(path, finding);
            // The line is left out, so that a finding keeps its fingerprint when code moves.
            let same = format!("{file}\0{}\0{}", finding.error.code(), finding.error.message());
            let count = self.occurrence_counts.entry(same.clone()).or_default();
            *count += 1;
            let fingerprint = Md5::digest(format!("{same}\0{count}"));
            let line = lines_and_columns(finding, finding.error.span()).map_or(1, |[line, ..]| line);
            self.issues.push(json!({
                "description": message_with_help(finding),
                "check_name": finding.error.code(),
                "fingerprint": format!("{:032x}", u128::from_be_bytes(fingerprint.into())),
                "severity": if finding.is_error { "major" } else { "minor" },
                "location": { "path": file, "lines": { "begin": line } },
            }));
        }
        Ok(())
    }

    fn finish(&self, output: &mut Output) -> io::Result<()> {
        output.print_json_line(&json!(self.issues).to_string())
    }
}

/// A `JUnit` XML report, which CI servers read: a test case for each file. Errors make a case fail, and so do warnings if
/// `warnings_fail`. Other findings become the output of the case.
#[derive(Default)]
struct JunitReporter {
    warnings_fail: bool,
    test_case_xml: Vec<String>,
    failed_case_count: usize,
}

impl Reporter for JunitReporter {
    fn add_file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
        let name = escape_xml(&path.display().to_string());
        let mut case = vec![format!("  <testcase classname=\"pcore.check\" name=\"{name}\">")];
        let (failures, others): (Vec<&Finding>, Vec<&Finding>) =
            checked.findings.iter().partition(|finding| finding.is_error || self.warnings_fail);
        self.failed_case_count += usize::from(!failures.is_empty());
        for finding in failures {
            let [code, message] = [finding.error.code(), finding.error.message()].map(escape_xml);
            let text = finding_line_for_xml(path, finding);
            case.push(format!("\n    <failure type=\"{code}\" message=\"{message}\">{text}</failure>"));
        }
        if !others.is_empty() {
            let texts: Vec<String> = others.into_iter().map(|finding| finding_line_for_xml(path, finding)).collect();
            case.push(format!("\n    <system-out>{}</system-out>", texts.join("\n")));
        }
        self.test_case_xml.push(case.concat() + "</testcase>");
        Ok(())
    }

    fn finish(&self, output: &mut Output) -> io::Result<()> {
        let (tests, failures, cases) =
            (self.test_case_xml.len(), self.failed_case_count, self.test_case_xml.join("\n"));
        let suite = format!("<testsuite name=\"pcore check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">");
        output.print_raw_line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>")?;
        output.print_raw_line(&format!("{suite}\n{cases}\n</testsuite>\n</testsuites>"))
    }
}

/// Returns `data/a.yaml:1:12: error: expected …`, escaped for XML.
fn finding_line_for_xml(path: &Path, finding: &Finding) -> String {
    let place = lines_and_columns(finding, finding.error.span())
        .map_or_else(String::new, |[line, column, ..]| format!(":{line}:{column}"));
    let (file, severity) = (file_of_finding(path, finding), severity_word(finding));
    escape_xml(&format!("{file}{place}: {severity}: {}", message_with_help(finding)))
}

/// Escapes `text` for an XML element or attribute, also line breaks, which XML reads as spaces in attributes.
///
/// Source: XML 1.0, "Character Data and Markup", "Characters".
fn escape_xml(text: &str) -> String {
    // No document may have U+FFFE or U+FFFF, not even as references; `to_printable` has replaced the others.
    let text =
        to_printable(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}").replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;")
}

#[derive(Default)]
struct SarifReporter(Vec<Json>);

impl Reporter for SarifReporter {
    fn add_file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
        self.0.extend(checked.findings.iter().map(|finding| sarif_result(path, finding)));
        Ok(())
    }

    fn finish(&self, output: &mut Output) -> io::Result<()> {
        let rules: BTreeSet<&str> = self.0.iter().filter_map(|result| result["ruleId"].as_str()).collect();
        let rules: Vec<Json> = rules.into_iter().map(|id| json!({ "id": id })).collect();
        let sarif = json!({
            "version": "2.1.0",
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "runs": [{
                "tool": { "driver": { "name": "pcore", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
                "results": self.0,
            }],
        });
        output.print_json_line(&sarif.to_string())
    }
}

#[expect(clippy::indexing_slicing, reason = "the location and the result are objects")]
fn sarif_result(path: &Path, finding: &Finding) -> Json {
    let artifact = json!({ "uri": file_of_finding(path, finding) });
    let mut location = json!({ "artifactLocation": artifact });
    if let Some(span) = finding.error.span() {
        location["region"] = sarif_region(finding, span);
    }
    let mut result = json!({
        "ruleId": finding.error.code(),
        "level": severity_word(finding),
        "message": { "text": message_with_help(finding) },
        "locations": [{ "physicalLocation": location }],
    });
    if let Some(fix) = &finding.fix {
        let replacement = |edit: &Edit| json!({ "deletedRegion": sarif_region(finding, edit.span), "insertedContent": { "text": edit.replacement } });
        let replacements: Vec<Json> = fix.edits.iter().map(replacement).collect();
        result["fixes"] = json!([{
            "description": { "text": fix.description },
            "artifactChanges": [{ "artifactLocation": artifact, "replacements": replacements }],
        }]);
    }
    result
}

fn sarif_region(finding: &Finding, span: Span) -> Json {
    let [line, column, end_line, end_column] = lines_and_columns(finding, Some(span)).unwrap_or([1; 4]);
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
}
