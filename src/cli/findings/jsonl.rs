//! A JSON object for each finding, with the file.

use std::io;
use std::path::Path;

use pcore::check::{Checked, Finding};
use serde_json::Value as Json;

use super::{Report, finding_as_json};
use crate::cli::output::Output;

pub(super) struct JsonLines;

impl Report for JsonLines {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        checked.findings.iter().try_for_each(|finding| output.say_json(&with_file(path, finding).to_string()))
    }
}

#[expect(clippy::indexing_slicing, reason = "a finding is an object")]
fn with_file(path: &Path, finding: &Finding) -> Json {
    let mut json = finding_as_json(finding);
    json["file"] = path.display().to_string().into();
    json
}
