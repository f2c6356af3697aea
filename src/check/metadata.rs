//! Checks the version ranges in `metadata.json`, and reads which Puppet versions a module supports.
//!
//! Source: Puppet reference, "Module metadata". OpenVox reads the same file; its own name may be a requirement.

use super::{Checked, Checker};
use crate::data::Document;
use crate::error::Error;
use crate::explain::mismatch::Step;
use crate::regexp::ConstantRegex;
use crate::value::{SemVer, SemVerRange, Value};

/// The names under which a module requires a version of Puppet.
const PUPPET_REQUIREMENT_NAMES: [&str; 2] = ["puppet", "openvox"];

impl Checker<'_> {
    /// Checks a `metadata.json`: reports an invalid version and invalid version ranges.
    pub fn check_metadata(&self, document: &Document) -> Checked {
        let mut checked = Checked { compared: 1, ..Checked::from_warnings_of_document(document) };
        let get = |key: &str| document.value.as_hash()?.get_str(key);
        let key = |name: &str| Step::Entry(name.into());
        let warn = |checked: &mut Checked, path: &[Step], message: String, help: &str| {
            let span = document.place.span_at_path(path);
            checked.add_warning(&document.source, span, Error::new("METADATA", message)).help(help);
        };
        let version = get("version").and_then(Value::as_str);
        if let Some(version) = version.filter(|version| SemVer::parse(version).is_err()) {
            let message = format!("'{version}' is not a semantic version");
            warn(&mut checked, &[key("version")], message, "write three numbers, such as 1.2.0");
        }
        let name = get("name").and_then(Value::as_str);
        if let Some(name) = name.filter(|name| !name.contains(['-', '/'])) {
            let message = format!("the name '{name}' does not say whose module it is");
            warn(&mut checked, &[key("name")], message, &format!("write 'author-{name}'"));
        }
        for list in ["dependencies", "requirements"] {
            let Some(Value::Array(elements)) = get(list) else { continue };
            for (at, element) in elements.iter().enumerate() {
                let text = |key: &str| element.as_hash()?.get_str(key)?.as_str();
                let Some((name, range)) = text("name").zip(text("version_requirement")) else { continue };
                checked.compared += 1;
                let wrong = match parse_version_range(range) {
                    Err(_) => Some("is not a version range"),
                    Ok(range) if range.is_empty() => Some("has no version in it"),
                    Ok(_) => None,
                };
                if let Some(wrong) = wrong {
                    let path = [key(list), Step::Element(at), key("version_requirement")];
                    let message = format!("the version of {name}: '{range}' {wrong}");
                    warn(&mut checked, &path, message, "write a range such as '>= 1.0.0 < 2.0.0'");
                }
            }
        }
        checked
    }
}

/// Parses a version range. Observed: Puppet 7.23 reads an empty one as any version, `> =` as `>=`, `>=v1` as `>=1`.
fn parse_version_range(range: &str) -> Result<SemVerRange, Error> {
    static SLOPPY_RANGE_OPERATOR: ConstantRegex = ConstantRegex::new(r"([<>=~^])(?:\s+|v)");
    SemVerRange::parse(&SLOPPY_RANGE_OPERATOR.replace_all(if range.is_empty() { "*" } else { range }, "$1"))
}

/// Whether `metadata.json` allows some Puppet version from 8.0.0 on. True without a requirement.
pub(super) fn supports_puppet_8(metadata: &serde_json::Value) -> bool {
    let Some(requirements) = metadata.get("requirements").and_then(serde_json::Value::as_array) else { return true };
    let ranges = requirements.iter().filter(|one| PUPPET_REQUIREMENT_NAMES.iter().any(|engine| one["name"] == *engine));
    let mut ranges = ranges.filter_map(|one| parse_version_range(one["version_requirement"].as_str()?).ok()).peekable();
    let versions = ["8.0.0", "8.10.0", "8.99.0", "9.99.0"].map(SemVer::parse);
    let reaches = |range: SemVerRange| versions.iter().flatten().any(|version| range.includes(version));
    ranges.peek().is_none() || ranges.any(reaches)
}
