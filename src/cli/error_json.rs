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

pub(super) fn error_as_json(error: &Error) -> Answer {
    let mut answer = unlocated_error_as_json(error.code(), error.message());
    answer.extend((!error.help().is_empty()).then(|| ("help".to_owned(), error.help().into())));
    let reasons = Mismatch::explanation_of_error(error).map(mismatches_as_json);
    answer.extend(reasons.map(|reasons| ("reasons".to_owned(), reasons)));
    if let (Some(source), Some(span)) = (error.source_text(), error.span()) {
        answer.extend(location_as_json(source, span));
    }
    let labels = error.labels().iter().filter_map(|label| {
        let mut fields = location_as_json(label.source_text()?, label.span);
        fields.insert("text".to_owned(), label.text.as_str().into());
        Some(Json::Object(fields))
    });
    let labels: Vec<Json> = labels.collect();
    answer.extend((!labels.is_empty()).then(|| ("labels".to_owned(), labels.into())));
    answer
}

pub(super) fn mismatches_as_json(mismatch: &Mismatch) -> Json {
    mismatch.leaves().into_iter().map(|leaf| Json::Object(mismatch_as_json(leaf))).collect()
}

pub(super) fn mismatch_as_json(mismatch: &Mismatch) -> Answer {
    object_or_empty(serde_json::to_value(mismatch).unwrap_or_default())
}

/// Returns a log message or a warning as JSON, with a warning's code as `issue`; `None` for other events.
pub(super) fn event_as_json(event: &Event) -> Option<Json> {
    match event {
        Event::Log { level, message, source, span } => {
            let mut fields = object_or_empty(json!({ "level": level.name(), "message": message }));
            fields.extend(location_as_json(source, *span));
            Some(fields.into())
        }
        Event::Warning(warning) => {
            // What is the error of a failure is the message of a warning.
            let head = json!({ "level": "warning", "issue": warning.code(), "message": warning.message() });
            let mut fields = object_or_empty(head);
            let others = error_as_json(warning).into_iter();
            fields.extend(others.filter(|(key, _)| !matches!(&**key, "ok" | "issue" | "error")));
            Some(fields.into())
        }
        Event::Value(_) | Event::Assigned(_) => None,
    }
}

pub(super) fn unlocated_error_as_json(issue: &str, message: &str) -> Answer {
    object_or_empty(json!({ "ok": false, "issue": issue, "error": message }))
}

pub(super) fn location_as_json(source: &Arc<Source>, span: Span) -> Answer {
    let (start, end) = (source.position(span.range().start), source.position(span.range().end));
    object_or_empty(json!({
        "line": start.line,
        "pos": start.column,
        "end_line": end.line,
        "end_pos": end.column,
        "source": source.name(),
    }))
}

pub(super) fn object_or_empty(json: Json) -> Answer {
    match json {
        Json::Object(fields) => fields,
        _ => Answer::new(),
    }
}
