//! The commands about names: which there are, and how to free them.

use super::{Argument, Command, Family, Kind, columns};
use crate::format;
use crate::functions;
use crate::session::{Reply, Session};
use crate::text::Source;
use crate::types::Type;
use crate::value::Value;

/// What has a name.
pub(super) static FAMILY: Family = Family {
    title: "names",
    commands: &[
        Command {
            name: "functions",
            argument: Argument::None,
            summary: "all functions, with what they do",
            story: "",
            example: "functions",
            effect: |_, _, _| {
                let functions = functions::TABLE.iter().copied().flatten();
                Reply::Text(columns(functions.map(|row| (row.name.to_owned(), row.summary))))
            },
        },
        Command {
            name: "vars",
            argument: Argument::None,
            summary: "the variables that have a value; results are `$_`, `$_1`, `$_2` …",
            story: "",
            example: "vars",
            effect: |session, _, _| Reply::Text(variables(session)),
        },
        Command {
            name: "aliases",
            argument: Argument::None,
            summary: "the type aliases, with what they stand for",
            story: "",
            example: "aliases",
            effect: |session, _, _| Reply::Text(aliases(session)),
        },
        Command {
            name: "unset",
            argument: Argument::Required(Kind::Bound),
            summary: "free the name of a `$variable`, a type alias or a function",
            story: "",
            example: "unset $_",
            effect: |session, name, _| unset(session, name),
        },
        Command {
            name: "reset",
            argument: Argument::None,
            summary: "forget all variables, aliases, functions and results",
            story: "",
            example: "reset",
            effect: |session, _, _| {
                session.reset();
                Reply::Done
            },
        },
    ],
};

fn variables(session: &Session) -> String {
    let lines: Vec<String> =
        session.named_variables().map(|(name, value)| format!("${name} = {}", format::program_text(value))).collect();
    or_none(&lines, "no variables yet")
}

fn aliases(session: &mut Session) -> String {
    let names = session.aliases();
    let define = |name: String| {
        // An alias is read when it is named; one that is wrong shows by its name alone.
        let value = session.evaluate(&Source::new("alias", name.as_str()), &mut |_| {});
        match value {
            Ok(Value::Type(Type::Alias(alias))) => match alias.resolved() {
                Some(type_) => format!("type {} = {type_}", alias.name()),
                None => format!("type {name}"),
            },
            _ => format!("type {name}"),
        }
    };
    let lines: Vec<String> = names.into_iter().map(define).collect();
    or_none(&lines, "no type aliases yet")
}

fn or_none(lines: &[String], none: &str) -> String {
    if lines.is_empty() { none.to_owned() } else { lines.join("\n") }
}

fn unset(session: &mut Session, name: &str) -> Reply {
    let freed = match name.strip_prefix('$') {
        Some(variable) => session.unset_variable(variable),
        None => session.unset_alias(name) || session.unset_function(name),
    };
    if freed {
        Reply::Done
    } else {
        Reply::Refused(format!("there is no `{name}` to free; `:vars` and `:aliases` list what there is"))
    }
}
