//! What Puppet rejects before a program runs: the verdicts of `puppet parser validate --strict=error` (Puppet 7.23) on
//! the programs and templates of `tests/conformance/validation.jsonl`.

use std::fmt::Write as _;
use std::fs;

use pcore::session::rejections;
use pcore::syntax::{parse, parse_template};
use pcore::text::Source;
use serde_json::Value as Json;

#[test]
fn programs_are_rejected_as_puppet_rejects_them() {
    let recorded = fs::read_to_string("tests/conformance/validation.jsonl").unwrap();
    let mut wrong = String::new();
    for line in recorded.lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        let (program, is_template) = match (line["code"].as_str(), line["template"].as_str()) {
            (Some(code), _) => (code, false),
            (None, template) => (template.unwrap(), true),
        };
        let source = Source::new("site.pp", program);
        let tree = if is_template { parse_template(&source) } else { parse(&source) };
        let errors = tree.map_or_else(|error| vec![error], |tree| rejections(&tree));
        // Puppet names no issue where it gives up after several errors.
        let codes = line["issue"].as_str().map(|issue| (issue, errors.first().map_or("none", |error| error.code())));
        if errors.is_empty() != (line["ok"] == true) || codes.is_some_and(|(issue, code)| issue != code) {
            writeln!(wrong, "{line}\n  {errors:?}").unwrap();
        }
    }
    assert_eq!(wrong, "");
}
