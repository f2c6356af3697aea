//! The commands that ask something of a value or a program: `:type`, `:why`, `:ast`.

use super::{Argument, Command, Family, Kind, why};
use crate::session::{Event, Listener, Reply, Session};
use crate::syntax;
use crate::types::Type;

/// Questions about values and programs.
pub(super) static FAMILY: Family = Family {
    title: "values and programs",
    commands: &[
        Command {
            name: "type",
            argument: Argument::Required(Kind::Expression),
            summary: "the type of a value, in full detail",
            story: "",
            example: "type 80",
            effect: type_of,
        },
        Command {
            name: "why",
            argument: Argument::Optional(Kind::Question),
            summary: "why a value does not fit a type; without a question, the last one that was asked",
            story: "",
            example: "why '80' =~ Integer",
            effect: why::why,
        },
        Command {
            name: "ast",
            argument: Argument::Required(Kind::Code),
            summary: "the syntax tree, in Puppet Extended S-Expression Notation",
            story: "",
            example: "ast 1 + 2 * 3",
            effect: |session, code, _| ast(session, code),
        },
    ],
};

fn type_of(session: &mut Session, expression: &str, listen: &mut Listener<'_>) -> Reply {
    let source = session.entry_source(expression);
    // Only the type is asked for: the value itself is not worth printing.
    let result = session.evaluate(&source, &mut |event| {
        if !matches!(event, Event::Value(_) | Event::Assigned(_)) {
            listen(event);
        }
    });
    match result {
        Ok(value) => Reply::Text(Type::of(&value).to_string()),
        Err(error) => Reply::Failed(error),
    }
}

fn ast(session: &mut Session, code: &str) -> Reply {
    match syntax::parse(&session.entry_source(code)) {
        Ok(tree) => Reply::Text(syntax::pn::to_pn(&tree)),
        Err(error) => Reply::Failed(error),
    }
}
