//! Findings for people, programs and services. A format is a row of [`FORMATS`] and an implementation of [`Report`].

use std::collections::{BTreeSet, HashMap};
use std::{io, path::Path};

use md5::{Digest as _, Md5};
use pcore::check::{Checked, Edit, Finding};
use pcore::report::Severity;
use pcore::text::Span;
use pcore::wording::{counted, printable, printable_json};
use serde_json::{Value as Json, json};

use super::error_json::{Answer, error_as_json, location_as_json, mismatch_as_json};
use super::{output::Output, show};

pub(crate) trait Report {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()>;

    fn finish(&self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    /// Whether the report ends with a summary, as formats for human readers do.
    fn has_summary(&self) -> bool {
        false
    }

    /// Whether files without findings are reported, too.
    fn describes_files(&self) -> bool {
        false
    }
}

/// The options of a report that users can set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReportOptions {
    /// The maximum number of findings that the text format prints; 0 means all.
    pub(crate) most: usize,
    /// Whether a diff is printed to standard output, too.
    pub(crate) is_beside_diff: bool,
    /// Whether a warning fails the run.
    pub(crate) warnings_fail: bool,
}

#[derive(Debug)]
/// An output format of `pcore check`.
pub(crate) struct Format {
    pub(crate) name: &'static str,
    /// One line for `--help`.
    pub(crate) summary: &'static str,
    /// Starts a report.
    pub(crate) report: fn(ReportOptions) -> Box<dyn Report>,
}

/// Every format; the first is the default.
pub(crate) static FORMATS: [Format; 7] = [
    Format {
        name: "text",
        summary: "With the source and a caret",
        report: |options| Box::new(Text { options, printed: 0, hidden: 0 }),
    },
    Format { name: "json", summary: "One JSON object per file", report: |_| Box::new(FilesAsJson) },
    Format { name: "jsonl", summary: "One JSON object per finding", report: |_| Box::new(Lines(json_line)) },
    Format {
        name: "github",
        summary: "GitHub workflow commands, which become annotations of a pull request",
        report: |_| Box::new(Lines(github_annotation)),
    },
    Format { name: "gitlab", summary: "GitLab code quality", report: |_| Box::new(Issues::default()) },
    Format {
        name: "junit",
        summary: "JUnit XML, a test case per file",
        report: |options| Box::new(Junit { warnings_fail: options.warnings_fail, cases: Vec::new(), failures: 0 }),
    },
    Format { name: "sarif", summary: "SARIF 2.1.0, for code scanning", report: |_| Box::new(Sarif::default()) },
];

/// Prints whether the data on a line matches: `{"line": 1, "ok": true}`.
pub(super) fn print_line_verdict(line: usize, checked: &Checked, output: &mut Output) -> io::Result<()> {
    if checked.is_fine() {
        return output.say(&format!("{{\"line\":{line},\"ok\":true}}"));
    }
    let findings: Vec<Answer> = checked.findings.iter().map(finding_as_json).collect();
    output.say_json(&json!({ "line": line, "ok": false, "findings": findings }).to_string())
}

/// The path of the file that contains a finding, relative to the working directory. It may differ from the checked
/// `path`.
fn file_of(path: &Path, finding: &Finding) -> String {
    let path = finding.error.source_text().map_or(path, |source| Path::new(source.name()));
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).or_else(|_| path.strip_prefix(".")).unwrap_or(path).display().to_string()
}

fn severity(finding: &Finding) -> &'static str {
    if finding.is_error { "error" } else { "warning" }
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
    let mut json = error_as_json(&finding.error);
    json.shift_remove("ok");
    json.shift_insert(0, "severity".to_owned(), severity(finding).into());
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
        json.insert("fix".to_owned(), json!({ "text": fix.text, "edits": edits.collect::<Vec<_>>() }));
    }
    json
}

/// The text format for human readers, with excerpts of the source. It limits the number of findings, and says so.
struct Text {
    options: ReportOptions,
    printed: usize,
    hidden: usize,
}

impl Text {
    /// Prints to the stream that also gets the summary.
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

    fn finish(&self, output: &mut Output) -> io::Result<()> {
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

/// Prints one JSON object per file.
struct FilesAsJson;

impl Report for FilesAsJson {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        let findings: Vec<Answer> = checked.findings.iter().map(finding_as_json).collect();
        let json = json!({
            "file": path.display().to_string(),
            "ok": checked.is_fine(),
            "compared": checked.compared,
            "unjudged": checked.unjudged.len(),
            "findings": findings,
        });
        output.say_json(&json.to_string())
    }

    fn describes_files(&self) -> bool {
        true
    }
}

struct Lines(fn(&Path, &Finding) -> String);

impl Report for Lines {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        checked.findings.iter().try_for_each(|finding| output.say_raw(&self.0(path, finding)))
    }
}

fn json_line(path: &Path, finding: &Finding) -> String {
    let mut fields = finding_as_json(finding);
    fields.insert("file".to_owned(), path.display().to_string().into());
    printable_json(&Json::Object(fields).to_string()).into_owned()
}

/// `::error file=data/a.yaml,line=1,col=12,title=TYPE_MISMATCH::expected …`
///
/// Source: GitHub documentation, "Workflow commands": the message and the properties escape some characters.
fn github_annotation(path: &Path, finding: &Finding) -> String {
    let escaped = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| escaped(text).replace(':', "%3A").replace(',', "%2C");
    let place = lines(finding).map_or_else(String::new, |[line, column, end_line, end_column]| {
        format!(",line={line},col={column},endLine={end_line},endColumn={end_column}")
    });
    let (file, title) = (property(&file_of(path, finding)), property(finding.error.code()));
    let level = severity(finding);
    let line = format!("::{level} file={file}{place},title={title}::{}", escaped(&message(finding)));
    printable(&line).into_owned()
}

/// GitLab's code quality report: one JSON array at the end.
#[derive(Default)]
struct Issues {
    issues: Vec<Json>,
    /// How many findings there were with the same file, code and message.
    counts: HashMap<String, usize>,
}

impl Report for Issues {
    fn file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
        checked.findings.iter().for_each(|finding| self.add(path, finding));
        Ok(())
    }

    fn finish(&self, output: &mut Output) -> io::Result<()> {
        output.say_json(&json!(self.issues).to_string())
    }
}

impl Issues {
    /// Source: GitLab documentation, "Code Quality", "Code Quality report format".
    fn add(&mut self, path: &Path, finding: &Finding) {
        let file = file_of(path, finding);
        // The line is left out, so that a finding keeps its fingerprint when code moves.
        let same = format!("{file}\0{}\0{}", finding.error.code(), finding.error.message());
        let count = self.counts.entry(same.clone()).or_default();
        *count += 1;
        let fingerprint = Md5::digest(format!("{same}\0{count}"));
        self.issues.push(json!({
            "description": message(finding),
            "check_name": finding.error.code(),
            "fingerprint": format!("{:032x}", u128::from_be_bytes(fingerprint.into())),
            "severity": if finding.is_error { "major" } else { "minor" },
            "location": { "path": file, "lines": { "begin": lines(finding).map_or(1, |[line, ..]| line) } },
        }));
    }
}

/// A report in the XML format `junit`, which CI servers read: a test case for each file. Errors make a case fail (warnings,
/// too, if they fail the run); other findings become its output.
struct Junit {
    warnings_fail: bool,
    cases: Vec<String>,
    failures: usize,
}

impl Report for Junit {
    fn file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
        let name = escape_xml(&path.display().to_string());
        let mut case = vec![format!("  <testcase classname=\"pcore.check\" name=\"{name}\">")];
        let (failures, others): (Vec<&Finding>, Vec<&Finding>) =
            checked.findings.iter().partition(|finding| finding.is_error || self.warnings_fail);
        self.failures += usize::from(!failures.is_empty());
        for finding in failures {
            let [code, message] = [finding.error.code(), finding.error.message()].map(escape_xml);
            let text = text_line(path, finding);
            case.push(format!("\n    <failure type=\"{code}\" message=\"{message}\">{text}</failure>"));
        }
        if !others.is_empty() {
            let texts: Vec<String> = others.into_iter().map(|finding| text_line(path, finding)).collect();
            case.push(format!("\n    <system-out>{}</system-out>", texts.join("\n")));
        }
        self.cases.push(case.concat() + "</testcase>");
        Ok(())
    }

    fn finish(&self, output: &mut Output) -> io::Result<()> {
        let (tests, failures, cases) = (self.cases.len(), self.failures, self.cases.join("\n"));
        let suite = format!("<testsuite name=\"pcore check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">");
        output.say_raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>")?;
        output.say_raw(&format!("{suite}\n{cases}\n</testsuite>\n</testsuites>"))
    }

    fn describes_files(&self) -> bool {
        true
    }
}

/// `data/a.yaml:1:12: error: expected …`
fn text_line(path: &Path, finding: &Finding) -> String {
    let place = lines(finding).map_or_else(String::new, |[line, column, ..]| format!(":{line}:{column}"));
    escape_xml(&format!("{}{place}: {}: {}", file_of(path, finding), severity(finding), message(finding)))
}

/// Text for an element or an attribute. A line break in an attribute would be read as a space.
///
/// Source: XML 1.0, "Character Data and Markup", "Characters".
fn escape_xml(text: &str) -> String {
    // No document may have U+FFFE or U+FFFF, not even as references; `printable` has replaced the others.
    let text = printable(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}").replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;").replace('\n', "&#10;").replace('\t', "&#9;")
}

/// SARIF 2.1.0, for code scanning: one document at the end.
#[derive(Default)]
struct Sarif(Vec<Json>);

impl Report for Sarif {
    fn file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
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
        output.say_json(&sarif.to_string())
    }
}

#[expect(clippy::indexing_slicing, reason = "the location and the result are objects")]
fn sarif_result(path: &Path, finding: &Finding) -> Json {
    let artifact = json!({ "uri": file_of(path, finding) });
    let mut location = json!({ "artifactLocation": artifact });
    if let Some(span) = finding.error.span() {
        location["region"] = sarif_region(finding, span);
    }
    let mut result = json!({
        "ruleId": finding.error.code(),
        "level": severity(finding),
        "message": { "text": message(finding) },
        "locations": [{ "physicalLocation": location }],
    });
    if let Some(fix) = &finding.fix {
        let replacement = |edit: &Edit| json!({ "deletedRegion": sarif_region(finding, edit.span), "insertedContent": { "text": edit.replacement } });
        let replacements: Vec<Json> = fix.edits.iter().map(replacement).collect();
        result["fixes"] = json!([{
            "description": { "text": fix.text },
            "artifactChanges": [{ "artifactLocation": artifact, "replacements": replacements }],
        }]);
    }
    result
}

fn sarif_region(finding: &Finding, span: Span) -> Json {
    let [line, column, end_line, end_column] = lines_of(finding, span).unwrap_or([1; 4]);
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
}
