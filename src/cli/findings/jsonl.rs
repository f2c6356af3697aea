//! A JSON object for each finding, with the file.

use std::io;
use std::path::Path;

use pcore::check::Checked;
use serde_json::Value as Json;

use super::{Report, finding_as_json};
use crate::cli::output::Output;

pub(super) struct JsonLines;

impl Report for JsonLines {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        checked.findings.iter().map(finding_as_json).try_for_each(|mut fields| {
            fields.insert("file".to_owned(), path.display().to_string().into());
            output.say_json(&Json::Object(fields).to_string())
        })
    }
}
