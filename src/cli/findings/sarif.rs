//! SARIF 2.1.0, for code scanning: one document at the end.

use std::io;
use std::path::Path;

use pcore::check::{Checked, Edit, Finding};
use serde_json::{Value as Json, json};

use super::{Output, Report, Span, file_of, lines_of, message};

#[derive(Default)]
pub(super) struct Sarif(Vec<Json>);

impl Report for Sarif {
    fn file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
        self.0.extend(checked.findings.iter().map(|finding| result(path, finding)));
        Ok(())
    }

    fn end(&self, output: &mut Output) -> io::Result<()> {
        output.say_json(&sarif(&self.0).to_string())
    }
}

#[expect(clippy::indexing_slicing, reason = "the location and the result are objects")]
fn result(path: &Path, finding: &Finding) -> Json {
    let artifact = json!({ "uri": file_of(path, finding) });
    let mut location = json!({ "artifactLocation": artifact });
    if let Some(span) = finding.error.span() {
        location["region"] = region(finding, span);
    }
    let mut result = json!({
        "ruleId": finding.error.code(),
        "level": if finding.is_error { "error" } else { "warning" },
        "message": { "text": message(finding) },
        "locations": [{ "physicalLocation": location }],
    });
    if let Some(fix) = &finding.fix {
        let replacement = |edit: &Edit| json!({ "deletedRegion": region(finding, edit.span), "insertedContent": { "text": edit.replacement } });
        let replacements: Vec<Json> = fix.edits.iter().map(replacement).collect();
        result["fixes"] = json!([{
            "description": { "text": fix.text },
            "artifactChanges": [{ "artifactLocation": artifact, "replacements": replacements }],
        }]);
    }
    result
}

fn region(finding: &Finding, span: Span) -> Json {
    let [line, column, end_line, end_column] = lines_of(finding, span).unwrap_or([1; 4]);
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
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
