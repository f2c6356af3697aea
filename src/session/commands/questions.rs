//! The commands that ask something of a value or a program: `:type`, `:why`, `:ast`, `:format` …

use super::{Argument, Command, Family, Kind, why};
use crate::error::Error;
use crate::format;
use crate::session::{Event, Listener, Reply, Request, Session};
use crate::syntax;
use crate::types::Type;
use crate::value::Value;

/// Questions about values and programs.
pub(super) static FAMILY: Family = Family {
    title: "values and programs",
    commands: &[
        Command {
            name: "type",
            argument: Argument::Required(Kind::Expression),
            summary: "the type of a value",
            story: "In full detail: of a hash a Struct with all its keys, of an array a Tuple.\n\
                The function `type` can tell less: type($x, generalized).",
            example: "type {'port' => 80}",
            effect: |session, expression, listen| match value_of(session, expression, listen) {
                Ok(value) => Reply::Code(Type::of(&value).to_string()),
                Err(error) => Reply::Failed(error),
            },
        },
        Command {
            name: "why",
            argument: Argument::Optional(Kind::Question),
            summary: "why a value does not fit",
            story: "Names each part of the value that keeps it from being of the type, and what\n\
                would fit. Without a question it is about the last one that was asked.",
            example: "why {'port' => '80'} =~ Struct[{port => Integer}]",
            effect: why::why,
        },
        Command {
            name: "format",
            argument: Argument::Required(Kind::Format),
            summary: "the last result, formatted",
            story: "FORMAT is what String.new takes: `%x`, `%#p`, or a hash of types and formats.\n\
                `:set format FORMAT` keeps a format for all results.",
            example: "format %#x",
            effect: formatted,
        },
        Command {
            name: "full",
            argument: Argument::Optional(Kind::Expression),
            summary: "a long result, uncut",
            story: "The last result or, with an expression, its value. What is higher than the\n\
                screen goes through the program that $PAGER names, or less.",
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
            summary: "how long a program takes",
            story: "Takes it as an entry: its values are shown and become `$_`. The time is that\n\
                of reading and evaluating; printing is not counted.",
            example: "time [1, 2, 3].map |$n| { $n * 2 }",
            effect: |_, code, _| Reply::Asked(Request::Time(code.to_owned())),
        },
        Command {
            name: "ast",
            argument: Argument::Required(Kind::Code),
            summary: "how a program is read",
            story: "The syntax tree, in Puppet Extended S-Expression Notation. Nothing is\n\
                evaluated.",
            example: "ast 1 + 2 * 3",
            effect: |session, code, _| ast(session, code),
        },
    ],
};

/// The value of an expression, which is not told.
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
    Reply::Refused("there is no result yet; enter an expression first".to_owned())
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
        Ok(tree) => Reply::Verbatim(syntax::pn::to_pn(&tree)),
        Err(error) => Reply::Failed(error),
    }
}
