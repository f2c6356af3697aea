//! The commands that inspect a value or a program: `:type`, `:why`, `:ast`, `:format` …

use super::{Argument, Command, Family, Kind, why};
use crate::error::Error;
use crate::session::{Event, Listener, Reply, Request, Session, without_secrets};
use crate::types::Type;
use crate::value::Value;
use crate::{format, syntax};

pub(super) static FAMILY: Family = Family {
    title: "values and programs",
    commands: commands! {
        "type" [Required(Expression)] "the type of a value":
            "Shows the exact type: a Struct for a hash, a Tuple for an array. For a less\n\
            detailed type use the function `type`: type($x, generalized)."
            "type {'port' => 80}" => |session, expression, listen| match value_of(session, expression, listen) {
                Ok(value) => Reply::Code(Type::of(&value).to_string()),
                Err(error) => Reply::Failed(error),
            };
        "why" [Optional(Question)] "why something failed":
            "Lists each part of the value that does not match the type, and what would\n\
            match; for `A <= B`, where A is wider; for `A == B`, what differs. Without\n\
            an argument, explains whatever failed last. `:why 2` opens the second folded\n\
            branch of a Variant."
            "why {'port' => '80'} =~ Struct[{port => Integer}]" => |session, argument, listen| why::why(session, argument, listen);
        "format" [Required(Format)] "the last result, formatted":
            "FORMAT is any format that String.new accepts: `%x`, `%#p`, or a hash from\n\
            types to formats. `:set format FORMAT` sets the format for all results."
            "format %#x" => |session, argument, listen| formatted(session, argument, listen);
        "full" [Optional(Expression)] "a long result in full":
            "Shows the last result or, with an expression, its value. Output taller than\n\
            the screen is shown in $PAGER (default: less)."
            "full" => |session, expression, listen| match result_or_value(session, expression, listen) {
                Ok(Some(value)) => Reply::Asked(Request::Show(value)),
                Ok(None) => no_result(),
                Err(error) => Reply::Failed(error),
            };
        "time" [Required(Code)] "time a program":
            "Evaluates CODE like any entry: its values are shown and set `$_`. The time\n\
            covers parsing and evaluation, but not printing."
            "time [1, 2, 3].map |$n| { $n * 2 }" => |_, code, _| Reply::Asked(Request::Time(code.to_owned()));
        "ast" [Required(Code)] "parse a program":
            "Shows the syntax tree in Puppet Extended S-Expression Notation, without\n\
            evaluating it."
            "ast 1 + 2 * 3" => |session, code, _| ast(session, code);
    },
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
