//! The commands that tell: `:help`, `:doc`, `:quit`.

use std::fmt::Write as _;

use super::{Argument, Command, Family, Kind, all, columns};
use crate::functions::{self, Function};
use crate::session::Reply;
use crate::text::nearest;
use crate::types::{self, Example};

/// Help, and the way out.
pub(super) static FAMILY: Family = Family {
    title: "help",
    commands: &[
        Command {
            name: "help",
            argument: Argument::Optional(Kind::Word),
            summary: "this list, or what WORD is: a command, type or function",
            story: "",
            example: "help quit",
            effect: |_, word, _| help(word),
        },
        Command {
            name: "doc",
            argument: Argument::Required(Kind::Name),
            summary: "what a type or function is; `?NAME` for short",
            story: "",
            example: "doc Integer",
            effect: |_, name, _| doc(name),
        },
        Command {
            name: "quit",
            argument: Argument::None,
            summary: "leave; so do `exit`, `quit` and Ctrl-D",
            story: "",
            example: "quit",
            effect: |_, _, _| Reply::Quit,
        },
    ],
};

fn help(word: &str) -> Reply {
    if word.is_empty() {
        return Reply::Text(columns(all().map(|row| (row.usage(), row.summary))));
    }
    match all().find(|command| command.name == word.trim_start_matches(':')) {
        Some(row) => Reply::Text(format!("{}  {}\nexample: :{}", row.usage(), row.summary, row.example)),
        None => doc(word),
    }
}

fn doc(name: &str) -> Reply {
    if let Some(row) = types::TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name)) {
        return Reply::Text(type_sheet(row));
    }
    if let Some(row) = functions::named(name) {
        return Reply::Text(function_sheet(row));
    }
    let functions = functions::TABLE.iter().copied().flatten();
    let names = types::visible().map(|row| row.name).chain(functions.map(|row| row.name));
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
