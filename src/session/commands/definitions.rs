//! The commands about definitions: listing and removing them.

use super::{Argument, Command, Family, Kind, columns, relations};
use crate::session::{Reply, Session};
use crate::text::Source;
use crate::types::Type;
use crate::value::Value;
use crate::{format, functions};

pub(super) static FAMILY: Family = Family {
    title: "names",
    commands: commands! {
        "types" [Optional(Filter)] "all types, or some":
            "Lists names and summaries; with PART, only those whose name or summary\n\
            contains PART. `:doc NAME` shows details."
            "types string" => |session, part, _| relations::types(session, part);
        "functions" [Optional(Filter)] "all functions":
            "Lists names and summaries; with PART, those whose names contain PART, then\n\
            those whose summaries do. `:doc NAME` shows details."
            "functions sort" => |session, part, _| functions(session, part);
        "vars" [None] "variables and their values":
            "Lists the variables that you have set, and those of the last match of a\n\
            regular expression: `$0` (the match), `$1` … (its groups). Results are also\n\
            variables: `$_` (the last), `$_1`, `$_2` … (by number)."
            "vars" => |session, _, _| variables(session);
        "aliases" [None] "type aliases":
            "Lists the aliases that you have defined, and those of modules that were used,\n\
            with their types."
            "aliases" => |session, _, _| aliases(session);
        "browse" [Optional(Name)] "modules and their contents":
            "Lists the modules; with a module, its types, functions, classes and defined\n\
            types, with their summaries. `:doc NAME` shows details."
            "browse" => |session, module, _| super::modules::browse(session, module);
        "unset" [Required(Bound)] "remove a definition":
            "Removes a `$variable`, a type alias, a function, a class or a defined type, so\n\
            that you can define it again. Existing values do not change."
            "unset $_" => |session, name, _| unset(session, name);
        "reset" [None] "remove all definitions":
            "Removes all variables, aliases, functions and results. Keeps settings and\n\
            history."
            "reset" => |session, _, _| {
                session.reset();
                Reply::Done
            };
    },
};

fn functions(session: &Session, part: &str) -> Reply {
    let part = part.to_lowercase();
    let own = session.functions().into_iter().map(|name| {
        let signature = session.signature(&name).unwrap_or_default();
        (name, signature)
    });
    let built_in = functions::TABLE.iter().copied().flatten().map(|row| (row.name.to_owned(), row.summary.to_owned()));
    let (named, others): (Vec<_>, Vec<_>) = own.chain(built_in).partition(|(name, _)| name.contains(&part));
    let (described, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(_, summary)| summary.to_lowercase().contains(&part));
    // `regex` finds what takes a Regexp.
    let takes_part = |name: &str| {
        let signatures = functions::named(name).map_or(&[][..], |row| row.signatures);
        signatures.iter().any(|signature| signature.to_lowercase().contains(&part))
    };
    let taking = others.into_iter().filter(|(name, _)| takes_part(name));
    let rows: Vec<(String, String)> = named.into_iter().chain(described).chain(taking).collect();
    if rows.is_empty() {
        return Reply::Refused(format!(
            "no function has `{part}` in its name, summary or signature; `:functions` lists all"
        ));
    }
    Reply::Text(columns(&rows))
}

fn variables(session: &Session) -> Reply {
    let line = |name: &str, value: &Value| format!("${name} = {}", format::program_text(value));
    let matched = session.environment.match_variables();
    let matched = matched.iter().enumerate().map(|(number, value)| line(&number.to_string(), value));
    let lines: Vec<String> = session.named_variables().map(|(name, value)| line(name, value)).chain(matched).collect();
    or_none(&lines, "no variables yet")
}

fn aliases(session: &mut Session) -> Reply {
    let names = session.aliases();
    let define = |name: String| {
        // An alias is read when it is named; one that is wrong shows by its name alone.
        let value = session.evaluate(&Source::new("alias", name.as_str()), &mut |_| {});
        match &value {
            Ok(Value::Type(Type::Alias(alias))) if let Some(type_) = alias.resolved() => {
                format!("type {} = {type_}", alias.name())
            }
            _ => format!("type {name}"),
        }
    };
    let lines: Vec<String> = names.into_iter().map(define).collect();
    or_none(&lines, "no type aliases yet")
}

fn or_none(lines: &[String], none: &str) -> Reply {
    if lines.is_empty() { Reply::Text(none.to_owned()) } else { Reply::Code(lines.join("\n")) }
}

fn unset(session: &mut Session, name: &str) -> Reply {
    let freed = match name.strip_prefix('$') {
        Some(variable) => session.unset_variable(variable),
        None => session.unset_alias(name) || session.unset_function(name) || session.unset_resource_definition(name),
    };
    if freed {
        Reply::Done
    } else {
        Reply::Refused(format!("`{name}` is not defined; `:vars` and `:aliases` list names"))
    }
}
