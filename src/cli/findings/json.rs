//! A JSON object for each file.

use std::io;
use std::path::Path;

use pcore::check::Checked;
use serde_json::{Value as Json, json};

use super::{Report, finding_as_json};
use crate::cli::output::Output;

pub(super) struct JsonFiles;

impl Report for JsonFiles {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        output.say_json(&as_json(path, checked).to_string())
    }

    fn describes_files(&self) -> bool {
        true
    }
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
