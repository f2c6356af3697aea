//! The batch protocol: one JSON request per line in, one JSON response per line out.
//!
//! `{"id": 1, "code": "1 + 1"}` evaluates in a fresh session, `{"id": 2, "parse": "1 + 1"}` parses, and
//! `{"id": 3, "value": 80, "type": "Integer"}` checks a value against a type. A request may set `"strict"` (`off`, `warning`,
//! `error`), `"variables"`, an object, and `"preamble"`, a program that is evaluated first; with `parse`, `"json": true`
//! returns the tree as JSON. Other keys are an error. The response has `id`, `ok`, `value` (`%p` text; PN for a parse),
//! `data` (JSON, if the value has one), `type`, `notices` (at most a MiB after a limit error), `warnings` (objects),
//! and on failure the fields of [`error_as_json`].
//!
//! No request ends the process: an invalid line gets a response, a panic is caught, and a [watchdog] stops requests that
//! take too much time or memory.

use std::io::{self, BufRead, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pcore::error::{Error, LIMIT};
use pcore::functions::Level;
use pcore::limits::{self, Limit};
use pcore::session::settings::EnumSetting;
use pcore::session::{Console, Event, Mode, Strictness};
use pcore::syntax::pn::{to_json, to_pn};
use pcore::text::Source;
use pcore::value::{Hash, Value};
use pcore::wording::{nearest, unknown_name};
use pcore::{Type, format, syntax};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::error_json::{self, Answer, error_as_json, mismatches_as_json, object_or_empty, unlocated_error_as_json};
use super::{CommonOptions, Outcome, Output, watchdog};

/// A line of up to this factor times the source limit is skipped with an error; a longer one ends the batch.
const MAX_SKIPPED_LINE_FACTOR: u64 = 4;

/// The maximum bytes of notices in the response to an evaluation that exceeded a limit; later notices are left out.
const MAX_NOTICE_BYTES_AFTER_LIMIT: usize = 1 << 20;

pub(super) fn run_batch(common: &CommonOptions, output: &mut Output) -> io::Result<Outcome> {
    #[cfg(unix)]
    super::memory::exec_with_malloc_setting();
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    let most = common.effective_limits().get(Limit::Source);
    loop {
        line.clear();
        let length = (&mut input).take(most.saturating_add(1)).read_until(b'\n', &mut line)?;
        let is_whole = length as u64 <= most || line.ends_with(b"\n");
        if length == 0 {
            return Ok(Outcome::Fine);
        }
        if !is_whole {
            line = Vec::new();
            let message = format!("the line is longer than {}", Limit::Source.row().format_quantity(most));
            write_response(&serde_json::to_string(&unlocated_error_as_json(LIMIT, &message))?, output)?;
            let mut rest = (&mut input).take(most.saturating_mul(MAX_SKIPPED_LINE_FACTOR));
            rest.skip_until(b'\n')?;
            if rest.limit() == 0 {
                return Ok(Outcome::Failed);
            }
        } else if !line.trim_ascii().is_empty() {
            write_response(&respond_to_line(&line, common)?, output)?;
        }
    }
}

fn write_response(answer: &str, output: &mut Output) -> io::Result<()> {
    output.print_json_line(answer)?;
    output.flush()
}

/// Returns `answer` with `id` as one line of JSON. `tree`, the JSON text of a syntax tree, becomes its `value`.
fn format_response_line(id: Json, mut answer: Answer, tree: Option<String>) -> serde_json::Result<String> {
    answer.shift_insert(0, "id".to_owned(), id);
    let mut line = serde_json::to_string(&answer)?;
    if let Some(tree) = tree {
        line.truncate(line.len() - 1); // the closing brace
        line.extend([r#","value":"#, &tree, "}"]);
    }
    Ok(line)
}

fn respond_to_line(line: &[u8], common: &CommonOptions) -> serde_json::Result<String> {
    let (id, fields) = match serde_json::from_slice(line) {
        Ok(Json::Object(mut fields)) => (fields.remove("id").unwrap_or(Json::Null), Ok(fields)),
        Ok(other) => (Json::Null, Err(bad_request(format!("expected a JSON object, got {other}")))),
        Err(error) => (Json::Null, Err(bad_request(format!("not JSON: {error}")))),
    };
    let mut session = common.new_session();
    let interrupt = session.interrupt.clone();
    let _watch = watchdog::watch_limits(interrupt.clone(), session.limits);
    let perform = || fields.and_then(|fields| perform_request(fields, &mut session));
    let (answer, tree) = match catch_unwind(AssertUnwindSafe(perform)) {
        Ok(outcome) => outcome.unwrap_or_else(|error| (error_as_json(&error), None)),
        Err(_) => (unlocated_error_as_json("DEFECT", "this is a bug in pcore; please report the request"), None),
    };
    session.session.close();
    let is_failure = answer.contains_key("error");
    let response = format_response_line(id.clone(), answer, tree)?;
    // Writing a large response takes time, too.
    match interrupt.stop_error() {
        Some(late) if !is_failure => format_response_line(id, error_as_json(&late), None),
        _ => Ok(response),
    }
}

fn bad_request(message: impl Into<String>) -> Error {
    Error::new("BAD_REQUEST", message)
}

const REQUEST_KEYS: [&str; 9] = ["id", "code", "parse", "preamble", "strict", "json", "variables", "value", "type"];

/// Performs the request in `fields`. Returns the response and, if requested, the JSON text of the syntax tree.
fn perform_request(mut fields: Answer, session: &mut Console) -> Result<(Answer, Option<String>), Error> {
    if let Some(key) = fields.keys().find(|key| !REQUEST_KEYS.contains(&&***key)) {
        let keys = format!("keys are {}", REQUEST_KEYS.join(", "));
        return Err(bad_request(unknown_name("key", key, nearest(key, REQUEST_KEYS), &keys)));
    }
    let value = fields.remove("value").map(Value::from);
    let variables = match fields.remove("variables").map(Value::from) {
        None => Hash::default(),
        Some(Value::Hash(variables)) => variables,
        Some(_) => return Err(bad_request("expected `variables` to be an object from names to values")),
    };
    let mut text = |key: &str| match fields.remove(key) {
        None => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(bad_request(format!("`{key}` is {other}, expected a string"))),
    };
    if let Some(word) = text("strict")? {
        let wrong = || bad_request(format!("`strict` is `{word}`, expected `off`, `warning` or `error`"));
        session.strictness = Strictness::from_word(&word).ok_or_else(wrong)?;
    }
    let (code, parse, preamble, type_) = (text("code")?, text("parse")?, text("preamble")?, text("type")?);
    let as_json = match fields.remove("json").unwrap_or(false.into()) {
        Json::Bool(true) if parse.is_none() => return Err(bad_request("`json` needs `parse`")),
        Json::Bool(as_json) => as_json,
        other => return Err(bad_request(format!("`json` is {other}, expected true or false"))),
    };
    for (name, value) in variables.iter() {
        match (name.as_str().unwrap_or_default(), value) {
            ("facts", Value::Hash(facts)) => session.set_facts(facts),
            (name, value) => session.set_variable(name, value.clone()),
        }
    }
    match (code, parse, preamble, value, type_) {
        (None, None, None, Some(value), Some(type_)) => Ok((check_value(&value, type_, session)?, None)),
        (Some(code), None, preamble, None, None) => Ok((evaluate_request(preamble, code, session), None)),
        (None, Some(text), None, None, None) => {
            session.run_within_limits(|_| match syntax::parse(&Source::new("request", text))? {
                tree if as_json => Ok((object_or_empty(json!({ "ok": true })), Some(to_json(&tree)))),
                tree => Ok((object_or_empty(json!({ "ok": true, "value": to_pn(&tree) })), None)),
            })?
        }
        (None, Some(_), Some(_), None, None) => Err(bad_request("`preamble` needs `code`")),
        (Some(_), Some(_), _, None, None) => Err(bad_request("expected one of `code` and `parse`, got both")),
        (None, None, _, None, None) => Err(bad_request("expected `code`, `parse`, or `value` and `type`")),
        _ => Err(bad_request("`value` and `type` belong together, without `code`, `parse` and `preamble`")),
    }
}

fn check_value(value: &Value, type_: String, session: &mut Console) -> Result<Answer, Error> {
    let type_ = session.evaluate_type(&Source::new("type", type_))?;
    let Some(mismatch) = session.run_within_limits(|_| type_.check(value).err())? else {
        return Ok(object_or_empty(json!({ "ok": true })));
    };
    let mut answer = unlocated_error_as_json("TYPE_MISMATCH", &mismatch.to_string());
    answer.insert("reasons".to_owned(), mismatches_as_json(&mismatch));
    Ok(answer)
}

fn evaluate_request(preamble: Option<String>, code: String, session: &mut Console) -> Answer {
    let prepared = preamble.map(|text| evaluate_to_response(session, &Source::new("preamble", text), notice_as_json));
    session.mode = Mode::Program;
    match prepared {
        Some((refused, Err(_))) => refused,
        _ => evaluate_to_response(session, &Source::new("request", code), notice_as_json).0,
    }
}

/// Returns the text of a log message of level `notice`, or `level: text` for higher levels; `None` for other events.
fn notice_as_json(event: &Event) -> Option<Json> {
    match event {
        Event::Log { level: Level::Notice, message, .. } => Some(message.as_str().into()),
        Event::Log { level, message, .. } if *level > Level::Notice => {
            Some(format!("{}: {message}", level.name()).into())
        }
        Event::Log { .. } | Event::Warning(_) | Event::Value(_) | Event::Assigned(_) => None,
    }
}

/// Evaluates `source`. Returns the response without `id`, and the value or error. `event_to_json` makes its `notices`.
pub(super) fn evaluate_to_response(
    session: &mut Console,
    source: &Arc<Source>,
    event_to_json: fn(&Event) -> Option<Json>,
) -> (Answer, Result<Value, Error>) {
    let (mut notices, mut warnings) = (Vec::new(), Vec::new());
    let result = session.evaluate(source, &mut |event| match (event_to_json(&event), &event) {
        (None, Event::Warning(_)) => warnings.extend(error_json::event_as_json(&event)),
        (notice, _) => notices.extend(notice),
    });
    // Writing a value takes time and space, too.
    let written = result.clone().and_then(|value| {
        let said: usize = notices.iter().chain(&warnings).map(json_length).sum();
        session.run_within_limits(|session| {
            let (text, type_) = (format::program_text(&value), Type::of(&value).to_string());
            let is_short =
                json_length(&text) + json_length(&type_) + said <= session.limits.get_as_usize(Limit::Output);
            if is_short { Ok((text, type_)) } else { Err(limits::limit_error(Limit::Output)) }
        })?
    });
    let (mut answer, result) = match written {
        Ok((text, type_)) => {
            let mut answer = object_or_empty(json!({ "ok": true, "value": text, "type": type_ }));
            // A Sensitive has no JSON.
            if let Some(data) = result.as_ref().ok().and_then(|value| serde_json::to_value(value).ok()) {
                answer.shift_insert(2, "data".to_owned(), data);
            }
            (answer, result)
        }
        Err(error) => (
            session.run_within_limits(|_| error_as_json(&error)).unwrap_or_else(|late| error_as_json(&late)),
            Err(error),
        ),
    };
    if result.as_ref().is_err_and(|error| error.code() == LIMIT) {
        let mut said = 0;
        notices.retain(|notice| {
            said += json_length(notice);
            said <= MAX_NOTICE_BYTES_AFTER_LIMIT
        });
    }
    answer.insert("notices".to_owned(), notices.into());
    answer.extend((!warnings.is_empty()).then(|| ("warnings".to_owned(), warnings.into())));
    (answer, result)
}

fn json_length(text: &(impl Serialize + ?Sized)) -> usize {
    serde_json::to_string(text).map_or(0, |json| json.len())
}
