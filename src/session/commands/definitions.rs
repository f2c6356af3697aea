//! The commands that list and remove definitions: `:types`, `:functions`, `:vars`, `:unset` …

use super::{Answer, CommandGroup, Console, Listener, Reply, Session, Value, format_columns, relations};
use crate::types::Type;
use crate::{format, functions};

pub(super) static COMMANDS: CommandGroup = commands! {
    "names":
        "types" or "datatypes" [Optional(Filter)] "all types, or some":
            "Lists names and summaries; with PART, only those whose name or summary contains PART. `:doc NAME` shows \
            details."
            "types string" => relations::list_types;
        "functions" [Optional(Filter)] "all functions":
            "Lists names and summaries; with PART, those whose names contain PART, then those whose summaries do. \
            `:doc NAME` shows details."
            "functions sort" => list_functions;
        "vars" or "ls" [None] "variables and their values":
            "Lists the variables that you have set, and those of the last match of a regular expression: `$0` (the \
            match), `$1` … (its groups). Results are also variables: `$_` (the last), `$_1`, `$_2` … (by number)."
            "vars" => |session, _, _| Ok(list_variables(session));
        "aliases" [None] "type aliases":
            "Lists the aliases that you have defined, and those of modules that were used, with their types."
            "aliases" => |session, _, _| Ok(list_aliases(session));
        "browse" [Optional(Name)] "modules and their contents":
            "Lists the modules; with a module, its types, functions, classes and defined types, with their summaries. \
            `:doc NAME` shows details."
            "browse" => |session, module, _| Ok(super::modules::browse_module(session, module));
        "unset" or "delete" [Required(Bound)] "remove a definition":
            "Removes a `$variable`, a type alias, a function, a class or a defined type, so that you can define it \
            again. Existing values do not change."
            "unset $_" => unset_definition;
        "reset" [None] "remove all definitions":
            "Removes all variables, aliases, functions and results. Keeps settings and history."
            "reset" => |session, _, _| {
                session.reset();
                Ok(Reply::Done)
            };
};

fn list_functions(session: &mut Console, part: &str, _: &mut Listener<'_>) -> Answer {
    let part = part.to_lowercase();
    let own = session.functions().into_iter().map(|name| {
        let signature = session.function_signature(&name).unwrap_or_default();
        (name, signature)
    });
    let built_in = functions::TABLE.iter().copied().flatten().map(|row| (row.name.to_owned(), row.summary.to_owned()));
    // By name, then by summary, then by signature: `regex` finds what takes a Regexp.
    let rank = |(name, summary): &(String, String)| {
        let signatures = functions::named(name).map_or(&[][..], |row| row.signatures);
        let is_in = |text: &str| text.to_lowercase().contains(&part);
        let found = [name.contains(&part), is_in(summary), signatures.iter().any(|signature| is_in(signature))];
        found.into_iter().position(|is_found| is_found)
    };
    let mut rows: Vec<(String, String)> = own.chain(built_in).filter(|row| rank(row).is_some()).collect();
    rows.sort_by_key(rank);
    if rows.is_empty() {
        let message = format!("no function has `{part}` in its name, summary or signature; `:functions` lists all");
        return Err(Reply::Refused(message));
    }
    Ok(Reply::Text(format_columns(&rows)))
}

fn list_variables(session: &Session) -> Reply {
    let line = |name: &str, value: &Value| format!("${name} = {}", format::program_text(value));
    let matched = session.environment.match_variables();
    let matched = matched.iter().enumerate().map(|(number, value)| line(&number.to_string(), value));
    let lines: Vec<String> = session.user_variables().map(|(name, value)| line(name, value)).chain(matched).collect();
    reply_with_lines(&lines, "no variables yet")
}

fn list_aliases(session: &mut Session) -> Reply {
    let names = session.aliases();
    let lines: Vec<String> = names.iter().map(|name| format!("type {}", describe_alias(session, name))).collect();
    reply_with_lines(&lines, "no type aliases yet")
}

/// Returns an alias with its type, `Port = Integer[1, 65535]`, or only its name if its definition has an error.
pub(super) fn describe_alias(session: &mut Session, name: &str) -> String {
    match session.eval(name) {
        Ok(Value::Type(Type::Alias(alias))) => {
            alias.resolved().map_or_else(|| name.to_owned(), |type_| format!("{} = {type_}", alias.name()))
        }
        _ => name.to_owned(),
    }
}

fn reply_with_lines(lines: &[String], none: &str) -> Reply {
    if lines.is_empty() { Reply::Text(none.to_owned()) } else { Reply::Code(lines.join("\n")) }
}

fn unset_definition(session: &mut Console, name: &str, _: &mut Listener<'_>) -> Answer {
    let undefined = || Reply::Refused(format!("`{name}` is not defined; `:vars` and `:aliases` list names"));
    session.unset(name).then_some(Reply::Done).ok_or_else(undefined)
}
