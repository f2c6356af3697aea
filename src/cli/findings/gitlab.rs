//! GitLab's code quality report: one JSON array at the end.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use md5::{Digest as _, Md5};
use serde_json::{Value as Json, json};

use super::{Checked, Finding, Output, Report, file_of, lines, message};

#[derive(Default)]
pub(super) struct Issues {
    issues: Vec<Json>,
    /// How many findings there were with the same file, code and message.
    counts: HashMap<String, usize>,
}

impl Report for Issues {
    fn file(&mut self, path: &Path, checked: &Checked, _: &mut Output) -> io::Result<()> {
        let issues: Vec<Json> = checked.findings.iter().map(|finding| self.issue(path, finding)).collect();
        self.issues.extend(issues);
        Ok(())
    }

    fn end(&self, output: &mut Output) -> io::Result<()> {
        output.say_json(&json!(self.issues).to_string())
    }
}

impl Issues {
    /// Source: GitLab documentation, "Code Quality", "Code Quality report format".
    fn issue(&mut self, path: &Path, finding: &Finding) -> Json {
        let file = file_of(path, finding);
        // The line is left out, so that a finding keeps its fingerprint when code moves.
        let same = format!("{file}\0{}\0{}", finding.error.code(), finding.error.message());
        let count = self.counts.entry(same.clone()).or_default();
        *count += 1;
        let fingerprint = Md5::digest(format!("{same}\0{count}"));
        json!({
            "description": message(finding),
            "check_name": finding.error.code(),
            "fingerprint": format!("{:032x}", u128::from_be_bytes(fingerprint.into())),
            "severity": if finding.is_error { "major" } else { "minor" },
            "location": { "path": file, "lines": { "begin": lines(finding).map_or(1, |[line, ..]| line) } },
        })
    }
}
