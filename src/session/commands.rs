//! The commands of the prompt: `:help`, `:type`, `:quit` … A row of the table is all there is to know of a command;
//! help, completion and tests read it.

use std::fmt::Write as _;

use super::{Event, Listener, Reply, Session, why};
use crate::format;
use crate::functions::{self, Function};
use crate::syntax;
use crate::text::{Source, nearest};
use crate::types::{self, Example, Type};
use crate::value::Value;

/// A row of the table.
pub struct Command {
    /// `type`, without the colon; any unambiguous beginning of it will do
    pub name: &'static str,
    /// `EXPRESSION`, `[WORD]`; empty where there are none
    pub arguments: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    /// What is typed after the colon, run by the tests.
    pub example: &'static str,
    effect: fn(&mut Session, &str, &mut Listener<'_>) -> Reply,
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Command").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Every command, in the order of `:help`.
pub static TABLE: &[Command] = &[
    Command {
        name: "help",
        arguments: "[WORD]",
        summary: "this list, or what WORD is: a command, type or function",
        example: "help quit",
        effect: |_, word, _| help(word),
    },
    Command {
        name: "type",
        arguments: "EXPRESSION",
        summary: "the type of a value, in full detail",
        example: "type 80",
        effect: type_of,
    },
    Command {
        name: "why",
        arguments: "[VALUE =~ TYPE]",
        summary: "why a value does not fit a type; without a question, the last one that was asked",
        example: "why '80' =~ Integer",
        effect: why::why,
    },
    Command {
        name: "doc",
        arguments: "NAME",
        summary: "what a type or function is; `?NAME` for short",
        example: "doc Integer",
        effect: |_, name, _| doc(name),
    },
    Command {
        name: "types",
        arguments: "",
        summary: "all types, with what they are",
        example: "types",
        effect: |_, _, _| Reply::Text(table(types::TABLE.iter().map(|row| (row.name.to_owned(), row.summary)))),
    },
    Command {
        name: "functions",
        arguments: "",
        summary: "all functions, with what they do",
        example: "functions",
        effect: |_, _, _| Reply::Text(table(all_functions().map(|row| (row.name.to_owned(), row.summary)))),
    },
    Command {
        name: "vars",
        arguments: "",
        summary: "the variables that have a value; results are `$_`, `$_1`, `$_2` …",
        example: "vars",
        effect: |session, _, _| Reply::Text(variables(session)),
    },
    Command {
        name: "aliases",
        arguments: "",
        summary: "the type aliases, with what they stand for",
        example: "aliases",
        effect: |session, _, _| Reply::Text(aliases(session)),
    },
    Command {
        name: "unset",
        arguments: "NAME",
        summary: "free the name of a `$variable`, a type alias or a function",
        example: "unset $_",
        effect: |session, name, _| unset(session, name),
    },
    Command {
        name: "reset",
        arguments: "",
        summary: "forget all variables, aliases, functions and results",
        example: "reset",
        effect: |session, _, _| {
            session.reset();
            Reply::Done
        },
    },
    Command {
        name: "ast",
        arguments: "CODE",
        summary: "the syntax tree, in Puppet Extended S-Expression Notation",
        example: "ast 1 + 2 * 3",
        effect: |session, code, _| ast(session, code),
    },
    Command {
        name: "quit",
        arguments: "",
        summary: "leave; so do `exit`, `quit` and Ctrl-D",
        example: "quit",
        effect: |_, _, _| Reply::Quit,
    },
];

/// Runs what was typed after the colon.
pub(super) fn run(session: &mut Session, typed: &str, listen: &mut Listener<'_>) -> Reply {
    let typed = typed.trim();
    let (name, argument) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    match find(name) {
        Ok(command) => (command.effect)(session, argument.trim(), listen),
        Err(refusal) => Reply::Refused(refusal),
    }
}

/// The command of that name, or the only one that begins with it.
fn find(name: &str) -> Result<&'static Command, String> {
    let beginning: Vec<&Command> = TABLE.iter().filter(|command| command.name.starts_with(name)).collect();
    if let Some(command) = beginning.iter().find(|command| command.name == name) {
        return Ok(command);
    }
    match beginning.as_slice() {
        [command] => Ok(command),
        _ if name.is_empty() => Err("expected a command after the colon; `:help` lists them".to_owned()),
        [] => Err(match nearest(name, TABLE.iter().map(|command| command.name)) {
            Some(near) => format!("there is no command `:{name}`; did you mean `:{near}`?"),
            None => format!("there is no command `:{name}`; `:help` lists them"),
        }),
        several => {
            let several: Vec<String> = several.iter().map(|command| format!("`:{}`", command.name)).collect();
            Err(format!("`:{name}` could be {}", several.join(", ")))
        }
    }
}

fn help(word: &str) -> Reply {
    if word.is_empty() {
        return Reply::Text(table(TABLE.iter().map(|row| (row.usage(), row.summary))));
    }
    match TABLE.iter().find(|command| command.name == word.trim_start_matches(':')) {
        Some(row) => Reply::Text(format!("{}  {}\nexample: :{}", row.usage(), row.summary, row.example)),
        None => doc(word),
    }
}

impl Command {
    /// `:help [WORD]`
    fn usage(&self) -> String {
        format!(":{} {}", self.name, self.arguments).trim_end().to_owned()
    }
}

fn type_of(session: &mut Session, expression: &str, listen: &mut Listener<'_>) -> Reply {
    if expression.is_empty() {
        return Reply::Refused("expected an expression: `:type [1, 'a']`".to_owned());
    }
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

fn doc(name: &str) -> Reply {
    if name.is_empty() {
        return Reply::Refused("expected the name of a type or function: `:doc Integer`".to_owned());
    }
    if let Some(row) = types::TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name)) {
        return Reply::Text(type_sheet(row));
    }
    if let Some(row) = functions::named(name) {
        return Reply::Text(function_sheet(row));
    }
    let names = types::TABLE.iter().map(|row| row.name).chain(all_functions().map(|row| row.name));
    Reply::Refused(match nearest(name, names) {
        Some(near) => format!("there is no type or function `{name}`; did you mean `{near}`?"),
        None => format!("there is no type or function `{name}`; `:types` and `:functions` list them"),
    })
}

fn type_sheet(row: &types::Row) -> String {
    let mut sheet = row.name.to_owned();
    if !row.parameters.is_empty() {
        let _ = write!(sheet, "[{}]", row.parameters);
    }
    let _ = write!(sheet, "\n  {}", row.summary);
    if !row.parent.is_empty() {
        let _ = write!(sheet, "\n  a kind of {}", row.parent);
    }
    for signature in row.new {
        let _ = write!(sheet, "\n  {}.new{signature}", row.name);
    }
    sheet + &examples(row.examples)
}

fn function_sheet(row: &Function) -> String {
    let mut sheet = row.name.to_owned();
    let _ = write!(sheet, "\n  {}", row.summary);
    for signature in row.signatures {
        let _ = write!(sheet, "\n  {}{signature}", row.name);
    }
    sheet + &examples(row.examples)
}

fn examples(examples: &[Example]) -> String {
    examples.iter().fold(String::new(), |text, example| {
        let code = example.code.replace('\n', "\n  .. ");
        text + "\n  >> " + &code + "\n  => " + example.answer
    })
}

fn all_functions() -> impl Iterator<Item = &'static Function> {
    functions::TABLE.iter().copied().flatten()
}

/// Two columns, the first as wide as it needs to be.
fn table(rows: impl Iterator<Item = (String, &'static str)>) -> String {
    let rows: Vec<_> = rows.collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines: Vec<String> = rows.iter().map(|(name, summary)| format!("{name:width$}  {summary}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_found_by_its_name_and_by_an_unambiguous_beginning() {
        let found = |name: &str| find(name).map(|command| command.name);
        assert_eq!(found("type"), Ok("type"));
        assert_eq!(found("q"), Ok("quit"));
        assert_eq!(found("t"), Err("`:t` could be `:type`, `:types`".to_owned()));
        assert_eq!(found("tpye"), Err("there is no command `:tpye`; did you mean `:type`?".to_owned()));
        assert_eq!(found("xyzzy"), Err("there is no command `:xyzzy`; `:help` lists them".to_owned()));
        assert_eq!(found(""), Err("expected a command after the colon; `:help` lists them".to_owned()));
    }

    #[test]
    fn the_example_of_every_command_runs() {
        for command in TABLE {
            let mut session = Session::default();
            // So that there is a result to speak of.
            session.enter("1", &mut |_| {});
            let reply = session.enter(&format!(":{}", command.example), &mut |_| {});
            let refused = matches!(reply, Reply::Refused(_) | Reply::Failed(_) | Reply::Unfinished(_));
            assert!(!refused, ":{} gives {reply:?}", command.example);
        }
    }
}
