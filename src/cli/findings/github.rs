//! GitHub workflow commands, which become annotations of a pull request.

use std::io;
use std::path::Path;

use super::{Checked, Finding, Output, Report, file_of, lines, message};

pub(super) struct Annotations;

impl Report for Annotations {
    fn file(&mut self, path: &Path, checked: &Checked, output: &mut Output) -> io::Result<()> {
        checked.findings.iter().try_for_each(|finding| output.say(&annotation(path, finding)))
    }
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
