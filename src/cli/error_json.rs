//! Errors as JSON, for editors and scripts: `--json`, `batch`.
//!
//! `issue` is the code, `error` the message, `help` the advice, one string per line. `line` and `pos` are the start of the
//! location (from 1, `pos` in characters), `end_line` and `end_pos` its end (after the last character), `source` the name
//! of the source. `labels` are further locations with the same keys and a `text`.

use std::sync::Arc;

use pcore::session::Event;
use pcore::text::{Source, Span};
use pcore::{Error, Mismatch};
use serde_json::{Map, Value as Json, json};

pub(super) type Answer = Map<String, Json>;

pub(super) fn failure(error: &Error) -> Answer {
    let mut answer = refusal(error.code(), error.message());
    if !error.help().is_empty() {
        answer.insert("help".to_owned(), error.help().into());
    }
    if let Some(mismatch) = Mismatch::of(error) {
        answer.insert("reasons".to_owned(), reasons(mismatch));
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

pub(super) fn reasons(mismatch: &Mismatch) -> Json {
    mismatch.leaves().into_iter().map(|leaf| Json::Object(reason(leaf))).collect()
}

/// A part of a value that does not match, as the library serialises it.
pub(super) fn reason(mismatch: &Mismatch) -> Answer {
    object(serde_json::to_value(mismatch).unwrap_or_default())
}

/// A message of a log function or a warning of the evaluator: `level`, `message`, the code of a warning as `issue`, and
/// the location; other events are none.
pub(super) fn event(event: &Event) -> Option<Json> {
    match event {
        Event::Log { level, message, source, span } => {
            let mut fields = object(json!({ "level": level.name(), "message": message }));
            fields.extend(place(source, *span));
            Some(fields.into())
        }
        Event::Warning(warning) => {
            // What is the error of a failure is the message of a warning.
            let head = json!({ "level": "warning", "issue": warning.code(), "message": warning.message() });
            let mut fields = object(head);
            fields.extend(failure(warning).into_iter().filter(|(key, _)| !matches!(&**key, "ok" | "issue" | "error")));
            Some(fields.into())
        }
        Event::Value(_) | Event::Assigned(_) => None,
    }
}

/// An error without a location: an invalid request, a bug in pcore.
pub(super) fn refusal(issue: &str, message: &str) -> Answer {
    object(json!({ "ok": false, "issue": issue, "error": message }))
}

pub(super) fn place(source: &Arc<Source>, span: Span) -> Answer {
    let (start, end) = (source.position(span.range().start), source.position(span.range().end));
    object(json!({
        "line": start.line,
        "pos": start.column,
        "end_line": end.line,
        "end_pos": end.column,
        "source": source.name(),
    }))
}

pub(super) fn object(json: Json) -> Answer {
    match json {
        Json::Object(fields) => fields,
        _ => Answer::new(),
    }
}
