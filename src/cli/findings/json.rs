//! A JSON object for each file.

use std::io;
use std::path::Path;

use pcore::check::Checked;
use serde_json::json;

use super::{Answer, Report, finding_as_json};
use crate::cli::output::Output;

pub(super) struct JsonFiles;

impl Report for JsonFiles {
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
