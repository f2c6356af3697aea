//! A JSON object for each file, or for each finding with the file.

use std::io;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::{Answer, Checked, Output, Report, finding_as_json};

pub(super) struct Files;

impl Report for Files {
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

pub(super) struct Findings;

impl Report for Findings {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        checked.findings.iter().map(finding_as_json).try_for_each(|mut fields| {
            fields.insert("file".to_owned(), path.display().to_string().into());
            output.say_json(&Json::Object(fields).to_string())
        })
    }
}
