//! The commands that inspect a value or a program: `:type`, `:why`, `:ast`, `:format` …

use super::{Argument, Command, Family, Kind, why};
use crate::error::Error;
use crate::session::{Event, Listener, Reply, Request, Session, without_secrets};
use crate::types::Type;
use crate::value::Value;
use crate::{format, syntax};

/// Questions about values and programs.
pub(super) static FAMILY: Family = Family {
    title: "values and programs",
    commands: &[
        Command {
            name: "type",
            argument: Argument::Required(Kind::Expression),
            summary: "the type of a value",
            story: "Shows the exact type: a Struct for a hash, a Tuple for an array. For a less\n\
                detailed type use the function `type`: type($x, generalized).",
            example: "type {'port' => 80}",
            effect: |session, expression, listen| match value_of(session, expression, listen) {
                Ok(value) => Reply::Code(Type::of(&value).to_string()),
                Err(error) => Reply::Failed(error),
            },
        },
        Command {
            name: "why",
            argument: Argument::Optional(Kind::Question),
            summary: "why something failed",
            story: "Lists each part of the value that does not match the type, and what would\n\
                match; for `A <= B`, where A is wider; for `A == B`, what differs. Without\n\
                an argument, explains whatever failed last. `:why 2` opens the second folded\n\
                branch of a Variant.",
            example: "why {'port' => '80'} =~ Struct[{port => Integer}]",
            effect: |session, argument, listen| why::why(session, argument, listen),
        },
        Command {
            name: "format",
            argument: Argument::Required(Kind::Format),
            summary: "the last result, formatted",
            story: "FORMAT is any format that String.new accepts: `%x`, `%#p`, or a hash from\n\
                types to formats. `:set format FORMAT` sets the format for all results.",
            example: "format %#x",
            effect: |session, argument, listen| formatted(session, argument, listen),
        },
        Command {
            name: "full",
            argument: Argument::Optional(Kind::Expression),
            summary: "a long result in full",
            story: "Shows the last result or, with an expression, its value. Output taller than\n\
                the screen is shown in $PAGER (default: less).",
            example: "full",
            effect: |session, expression, listen| match result_or_value(session, expression, listen) {
                Ok(Some(value)) => Reply::Asked(Request::Show(value)),
                Ok(None) => no_result(),
                Err(error) => Reply::Failed(error),
            },
        },
        Command {
            name: "time",
            argument: Argument::Required(Kind::Code),
            summary: "time a program",
            story: "Evaluates CODE like any entry: its values are shown and set `$_`. The time\n\
                covers parsing and evaluation, but not printing.",
            example: "time [1, 2, 3].map |$n| { $n * 2 }",
            effect: |_, code, _| Reply::Asked(Request::Time(code.to_owned())),
        },
        Command {
            name: "ast",
            argument: Argument::Required(Kind::Code),
            summary: "parse a program",
            story: "Shows the syntax tree in Puppet Extended S-Expression Notation, without\n\
                evaluating it.",
            example: "ast 1 + 2 * 3",
            effect: |session, code, _| ast(session, code),
        },
    ],
};

/// The value of an expression, which is not printed.
fn value_of(session: &mut Session, expression: &str, listen: &mut Listener<'_>) -> Result<Value, Error> {
    let source = session.entry_source(expression);
    session.evaluate(&source, &mut |event| {
        if !matches!(event, Event::Value(_) | Event::Assigned(_)) {
            listen(event);
        }
    })
}

/// The value of an expression, or the last result where there is no expression.
fn result_or_value(session: &mut Session, expression: &str, listen: &mut Listener<'_>) -> Result<Option<Value>, Error> {
    match expression {
        "" => Ok(session.variable("_").cloned()),
        _ => value_of(session, expression, listen).map(Some),
    }
}

fn no_result() -> Reply {
    Reply::Refused("no result yet; enter an expression first".to_owned())
}

fn formatted(session: &mut Session, written: &str, _: &mut Listener<'_>) -> Reply {
    let Some(value) = session.variable("_").cloned() else { return no_result() };
    match session.format_of(written).and_then(|format| format::convert(&value, &format)) {
        Ok(text) => Reply::Verbatim(text),
        Err(error) => Reply::Failed(error),
    }
}

fn ast(session: &mut Session, code: &str) -> Reply {
    match syntax::parse(&session.entry_source(code)) {
        Ok(tree) => {
            let pn = syntax::pn::to_pn(&tree);
            Reply::Verbatim(session.secrets().redacted(&pn).unwrap_or(pn))
        }
        Err(error) => Reply::Failed(without_secrets(error, session.secrets())),
    }
}
