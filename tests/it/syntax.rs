//! The parser from outside: recorded trees of real Puppet, robustness, limits.

use std::fs;

use pcore::syntax::{parse, pn::to_pn};
use pcore::text::Source;
use serde_json::Value;

/// The lines of a file of recorded answers.
fn recorded(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/conformance/cases/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a recorded line expects, and what we say, in the same words.
fn compare(case: &Value) -> Option<String> {
    let code = case["parse"].as_str().unwrap();
    let answer = parse(&Source::new("snippet.pp", code));
    let (expected, got) = if case["ok"] == Value::Bool(true) {
        let got = match &answer {
            Ok(tree) => to_pn(tree),
            Err(error) => format!("{error} at {:?}", error.position()),
        };
        (case["value"].as_str().unwrap().to_owned(), got)
    } else {
        let place = |line: &Value, column: &Value| format!("{} {line}:{column}", case["issue"]);
        let got = match &answer {
            Ok(tree) => to_pn(tree),
            Err(error) => {
                let position = error.position().unwrap();
                let at = |known: &Value, value: usize| if known.is_null() { Value::Null } else { value.into() };
                let (line, column) = (at(&case["line"], position.line), at(&case["pos"], position.column));
                format!("\"{}\" {line}:{column}", error.issue())
            }
        };
        (place(&case["line"], &case["pos"]), got)
    };
    (expected != got).then(|| format!("{}: {code}\n  expected {expected}\n  got      {got}", case["id"]))
}

#[test]
fn trees_and_rejections_are_those_of_puppet() {
    let differences: Vec<String> = recorded("parse.jsonl").iter().filter_map(compare).collect();
    assert_eq!(differences.join("\n"), "");
}
