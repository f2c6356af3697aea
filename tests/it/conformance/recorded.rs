//! Reading the recorded answers: files of JSON Lines, and matrices whose cells are answers to `ROW op COL`.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use pcore::session::Strictness;
use serde_json::Value as Json;

/// A program and the answer to it.
pub(super) struct Recorded {
    /// `operators/12`; for a cell the program: `assignable: Any <= Undef`.
    pub(super) id: String,
    /// What is run, or parsed.
    pub(super) code: String,
    /// Whether it is only parsed; the value is then PN.
    pub(super) parse_only: bool,
    pub(super) answer: Answer,
    pub(super) strictness: Strictness,
}

/// What was recorded.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// The `%p` text of the last value, and what was noticed.
    Value { text: String, notices: Vec<String> },
    /// The issue code, and the line of the program where it matters.
    Error { issue: String, line: Option<u64> },
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Value { text, notices } if notices.is_empty() => write!(f, "{text}"),
            Answer::Value { text, notices } => write!(f, "{text}, noticing {notices:?}"),
            Answer::Error { issue, line: None } => write!(f, "error {issue}"),
            Answer::Error { issue, line: Some(line) } => write!(f, "error {issue} in line {line}"),
        }
    }
}

/// All answers of one file.
pub(super) enum Group {
    Lines(Vec<Json>, Strictness),
    Matrix { kind: String, cell: String, preamble: String, rows: Vec<String>, cols: Vec<String>, cells: Vec<Vec<u8>> },
}

/// Where the recorded answers lie.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

/// Reads `cases/literals`, `matrix/equal`, `seeds` …
pub(super) fn read(file: &str) -> Group {
    if file.starts_with("matrix/") {
        return matrix(&folder().join(format!("{file}.json")));
    }
    let text = fs::read_to_string(folder().join(format!("{file}.jsonl"))).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The documents are read with the default strictness, Puppet was recorded with `strict=error`.
    let strictness = if file == "seeds" { Strictness::Warning } else { Strictness::Error };
    Group::Lines(lines, strictness)
}

fn matrix(path: &Path) -> Group {
    let json: Json = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let text = |key: &str| json[key].as_str().unwrap().to_owned();
    let texts = |key: &str| -> Vec<String> {
        json[key].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    Group::Matrix {
        kind: text("kind"),
        cell: text("cell"),
        preamble: text("preamble"),
        rows: texts("rows"),
        cols: texts("cols"),
        cells: texts("cells").into_iter().map(String::into_bytes).collect(),
    }
}

impl Group {
    /// The number of answers.
    pub(super) fn len(&self) -> usize {
        match self {
            Group::Lines(lines, _) => lines.len(),
            Group::Matrix { rows, cols, .. } => rows.len() * cols.len(),
        }
    }

    /// What is evaluated once before all programs.
    pub(super) fn preamble(&self) -> &str {
        match self {
            Group::Lines(..) => "",
            Group::Matrix { preamble, .. } => preamble,
        }
    }

    /// The answer number `number`, from 0.
    pub(super) fn line(&self, number: usize) -> Recorded {
        match self {
            Group::Lines(lines, strictness) => line(&lines[number], *strictness),
            Group::Matrix { kind, cell, rows, cols, cells, .. } => {
                let (row, col) = (number / cols.len(), number % cols.len());
                let code = cell.replace("ROW", &rows[row]).replace("COL", &cols[col]);
                let value = |text: &str| Answer::Value { text: text.to_owned(), notices: Vec::new() };
                let error = |issue: &str| Answer::Error { issue: issue.to_owned(), line: None };
                let answer = match cells[row][col] {
                    b't' => value("true"),
                    b'f' => value("false"),
                    b'E' => error("RUNTIME_ERROR"),
                    b'?' => error("PUPPET_BREAKS_DOWN"),
                    other => panic!("a cell is one of t f E ?, not {}", char::from(other)),
                };
                let id = format!("{kind}: {code}");
                Recorded { id, code, parse_only: false, answer, strictness: Strictness::Error }
            }
        }
    }
}

fn line(json: &Json, strictness: Strictness) -> Recorded {
    let text = |key: &str| json[key].as_str().map(str::to_owned);
    let notices = || -> Vec<String> {
        let noticed = json["notices"].as_array();
        noticed.into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let error = |issue: String| Answer::Error { issue, line: json["line"].as_u64() };
    let answer = match &json["expect"] {
        Json::String(value) => Answer::Value { text: value.clone(), notices: notices() },
        Json::Object(expected) => error(expected["error"].as_str().unwrap().to_owned()),
        _ => match text("issue") {
            Some(issue) => error(issue),
            None => Answer::Value { text: text("value").unwrap(), notices: notices() },
        },
    };
    let parse = text("parse");
    Recorded {
        id: text("id").unwrap(),
        parse_only: parse.is_some(),
        code: parse.or_else(|| text("code")).unwrap(),
        answer,
        strictness,
    }
}
