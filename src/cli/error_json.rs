//! Errors as JSON, for editors and scripts: `--json`, `batch`.
//!
//! `issue` is the code, `error` the message, `help` what to write instead, a line each. `line` and `pos` say where it
//! is (both count from 1, `pos` in characters), `end_line` and `end_pos` where that ends (one past the last character),
//! `source` which text it is in. `labels` are further places with what is there, in the same words.

use std::sync::Arc;

use pcore::error::Error;
use pcore::text::{Source, Span};
use serde_json::{Map, Value as Json, json};

/// An answer, or a part of it.
pub(super) type Answer = Map<String, Json>;

/// All that an error tells.
pub(super) fn failure(error: &Error) -> Answer {
    let mut answer = refusal(error.issue(), error.message());
    if !error.help().is_empty() {
        answer.insert("help".to_owned(), error.help().into());
    }
    if let (Some(source), Some(span)) = (error.source_text(), error.span()) {
        answer.extend(place(source, span));
    }
    let labels = error.labels().iter().filter_map(|label| {
        let mut fields = place(label.source_text()?, label.span);
        fields.insert("text".to_owned(), label.text.as_str().into());
        Some(Json::Object(fields))
    });
    let labels: Vec<Json> = labels.collect();
    if !labels.is_empty() {
        answer.insert("labels".to_owned(), labels.into());
    }
    answer
}

/// What is no error of a program: a request that makes no sense, a defect.
pub(super) fn refusal(issue: &str, message: &str) -> Answer {
    object(json!({ "ok": false, "issue": issue, "error": message }))
}

fn place(source: &Arc<Source>, span: Span) -> Answer {
    let (start, end) = (source.position(span.range().start), source.position(span.range().end));
    object(json!({
        "line": start.line,
        "pos": start.column,
        "end_line": end.line,
        "end_pos": end.column,
        "source": source.name(),
    }))
}

/// The fields of a JSON object.
pub(super) fn object(json: Json) -> Answer {
    match json {
        Json::Object(fields) => fields,
        _ => Answer::new(),
    }
}
