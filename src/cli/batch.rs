//! The batch protocol: one JSON request per line in, one JSON response per line out.
//!
//! `{"id": 1, "code": "1 + 1"}` evaluates in a fresh session, `{"id": 2, "parse": "1 + 1"}` parses. A request may set
//! `"strict"` (`off`, `warning`, `error`) and `"preamble"`, a program that is evaluated first; with `parse`,
//! `"json": true` returns the tree as JSON. Other fields are ignored. The response has `id`, `ok`, `value` (`%p` text; PN for a
//! parse), `type`, `notices`, and on failure the fields of [`failure`].
//!
//! No request ends the process: an invalid line gets a response, a panic is caught, and a [`Watchdog`] stops requests that
//! take too much time or memory.

use std::io::{self, BufRead};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pcore::error::Error;
use pcore::format;
use pcore::functions::Level;
use pcore::session::settings::EnumSetting;
use pcore::session::{Console, Event, Mode, Strictness};
use pcore::syntax;
use pcore::text::Source;
use pcore::types::Type;
use pcore::value::Value;
use serde_json::{Value as Json, json};

use super::arguments::Common;
use super::error_json::{Answer, failure, object, refusal};
use super::output::Output;
use super::parse::Form;
use super::watchdog::{TIME_LIMIT, Watchdog};
use super::{Ending, Outcome};

/// The issue code of an invalid request.
const BAD_REQUEST: &str = "BAD_REQUEST";

/// The issue code of a bug in pcore.
const DEFECT: &str = "DEFECT";

/// Responds to every line of standard input.
pub(super) fn batch(common: &Common, output: &mut Output) -> Ending {
    let mut watchdog = Watchdog::start();
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if !line.trim_ascii().is_empty() {
            let answer = answer(&line, common, &mut watchdog);
            output.say(&Json::Object(answer).to_string())?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(Outcome::Fine)
}

fn answer(line: &[u8], common: &Common, watchdog: &mut Watchdog) -> Answer {
    let (id, body) = match Request::read(line) {
        Ok(Request { id, work, strictness }) => {
            let mut session = common.session();
            session.strictness = strictness.unwrap_or(session.strictness);
            let caught = catch_unwind(AssertUnwindSafe(|| work.answer(session, watchdog)));
            let body = caught.unwrap_or_else(|_| refusal(DEFECT, "this is a bug in pcore; please report the request"));
            (id, body)
        }
        Err((id, message)) => (id, refusal(BAD_REQUEST, &message)),
    };
    let mut answer = Answer::new();
    answer.insert("id".to_owned(), id);
    answer.extend(body);
    answer
}

struct Request {
    id: Json,
    work: Work,
    strictness: Option<Strictness>,
}

enum Work {
    Evaluate { preamble: Option<String>, code: String },
    Parse { text: String, form: Form },
}

impl Request {
    /// Reads a line. An error comes with the id, if there is one.
    fn read(line: &[u8]) -> Result<Request, (Json, String)> {
        let request: Json = serde_json::from_slice(line).map_err(|error| (Json::Null, format!("not JSON: {error}")))?;
        let Json::Object(mut fields) = request else {
            return Err((Json::Null, format!("expected a JSON object, got {request}")));
        };
        let id = fields.remove("id").unwrap_or(Json::Null);
        match Request::of_fields(fields) {
            Ok((work, strictness)) => Ok(Request { id, work, strictness }),
            Err(message) => Err((id, message)),
        }
    }

    fn of_fields(mut fields: Answer) -> Result<(Work, Option<Strictness>), String> {
        let mut text = |key: &str| match fields.remove(key) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{key}` is {other}, expected a string")),
        };
        let strictness = match text("strict")?.as_deref() {
            None => None,
            Some(word) => Some(
                Strictness::of(word)
                    .ok_or_else(|| format!("`strict` is `{word}`, expected `off`, `warning` or `error`"))?,
            ),
        };
        let (code, parse, preamble) = (text("code")?, text("parse")?, text("preamble")?);
        let form = match fields.remove("json") {
            None | Some(Json::Bool(false)) => Form::Pn,
            Some(Json::Bool(true)) if parse.is_some() => Form::Json,
            Some(Json::Bool(true)) => return Err("`json` needs `parse`".to_owned()),
            Some(other) => return Err(format!("`json` is {other}, expected true or false")),
        };
        let work = match (code, parse, preamble) {
            (Some(code), None, preamble) => Work::Evaluate { preamble, code },
            (None, Some(text), None) => Work::Parse { text, form },
            (None, Some(_), Some(_)) => return Err("`preamble` needs `code`".to_owned()),
            (Some(_), Some(_), _) => return Err("expected one of `code` and `parse`, got both".to_owned()),
            (None, None, _) => return Err("expected `code` or `parse`".to_owned()),
        };
        Ok((work, strictness))
    }
}

impl Work {
    fn answer(self, mut session: Console, watchdog: &mut Watchdog) -> Answer {
        match self {
            Work::Parse { text, form } => parse(&Source::new("request", text), form),
            Work::Evaluate { preamble, code } => {
                let _watch = watchdog.watch(session.interrupt.clone(), Some(TIME_LIMIT));
                let prepared = preamble.map(|preamble| evaluate(&mut session, &Source::new("preamble", preamble)));
                // Puppet validates whole programs; warnings are for interactive use.
                if session.strictness == Strictness::Error {
                    session.mode = Mode::Program;
                }
                match prepared {
                    Some((refused, Err(_))) => refused,
                    _ => evaluate(&mut session, &Source::new("request", code)).0,
                }
            }
        }
    }
}

/// Evaluates a source; the response has no id yet.
pub(super) fn evaluate(session: &mut Console, source: &Arc<Source>) -> (Answer, Result<Value, Error>) {
    let mut notices = Vec::new();
    let result = session.evaluate(source, &mut |event| match event {
        Event::Log(Level::Notice, text) => notices.push(Json::String(text)),
        Event::Log(level, text) if level > Level::Notice => notices.push(format!("{}: {text}", level.name()).into()),
        Event::Warning(warning) => notices.push(format!("warning: {}", warning.message()).into()),
        Event::Log(..) | Event::Value(_) | Event::Assigned(_) => {}
    });
    let mut answer = match &result {
        Ok(value) => object(json!({
            "ok": true,
            "value": format::program_text(value),
            "type": Type::of(value).to_string(),
        })),
        Err(error) => failure(error),
    };
    answer.insert("notices".to_owned(), notices.into());
    (answer, result)
}

fn parse(source: &Arc<Source>, form: Form) -> Answer {
    match syntax::parse(source) {
        Ok(tree) => object(json!({ "ok": true, "value": form.of(&tree) })),
        Err(error) => failure(&error),
    }
}
