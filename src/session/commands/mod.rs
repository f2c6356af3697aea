//! The commands of the prompt: `:help`, `:type`, `:quit` … A row of the table defines a command completely; help,
//! completion, the grammar and tests read it.
//!
//! The rows are grouped in families, each in a file with the implementation of its commands. A command works on the
//! session and returns a [`Reply`]; if it needs files, the terminal or an editor, it leaves this, as a
//! [`Request`](super::Request), to the program that drives the session.

/// The rows of a family: `"name" [argument] "summary": "description" "example" => effect;`.
macro_rules! commands {
    ($(
        $name:literal [$form:ident $(($kind:ident))?] $summary:literal:
            $description:literal
            $example:literal => $effect:expr;
    )+) => {
        &[$(Command {
            name: $name,
            argument: Argument::$form $((Kind::$kind))?,
            summary: $summary,
            description: $description,
            example: $example,
            effect: $effect,
        },)+]
    };
}

mod command_line;
mod data;
pub(super) mod definition;
mod definitions;
mod doc;
pub(super) mod files;
pub(super) mod foreign_entries;
mod help;
mod likely_meant;
mod modules;
mod questions;
mod relations;
mod settings;
mod snippet;
mod tour;
mod why;

use std::sync::Arc;

use super::{Console, Event, Listener, Reply, Session, console::data_in};
use crate::error::Error;
use crate::text::Source;
use crate::value::Value;
use crate::wording::{nearest, padded, unknown};
pub use command_line::CommandLine;
pub(super) use likely_meant::likely_meant;
pub(super) use why::why_false;

#[derive(Debug)]
pub struct Command {
    /// `type`, without the colon; any unambiguous beginning of it will do
    pub name: &'static str,
    pub argument: Argument,
    /// A few words, lower case, no full stop, at most [`SUMMARY_LENGTH`] characters: `:help` has two columns.
    pub summary: &'static str,
    /// The rest, for `:help NAME`: sentences on one line.
    pub description: &'static str,
    /// What is typed after the colon, run by the tests.
    pub example: &'static str,
    /// Runs the command. The argument has no spaces around it, and a required one is not empty.
    effect: fn(&mut Console, &str, &mut Listener<'_>) -> Answer,
}

/// The reply of a command, or as an error [`Reply::Failed`] or [`Reply::Refused`].
type Answer = Result<Reply, Reply>;

impl From<Error> for Reply {
    fn from(error: Error) -> Reply {
        Reply::Failed(error)
    }
}

impl Command {
    /// `:help [WORD]`
    pub fn usage(&self) -> String {
        let name = self.name;
        match self.argument {
            Argument::None => format!(":{name}"),
            Argument::Optional(kind) => format!(":{name} [{}]", kind.placeholder()),
            Argument::Required(kind) => format!(":{name} {}", kind.placeholder()),
        }
    }
}

/// The argument of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `:quit`
    None,
    /// `:why`, `:why 1 =~ String`
    Optional(Kind),
    /// `:load FILE`
    Required(Kind),
}

impl Argument {
    pub fn kind(self) -> Option<Kind> {
        match self {
            Argument::None => None,
            Argument::Optional(kind) | Argument::Required(kind) => Some(kind),
        }
    }
}

macro_rules! kinds {
    ($($kind:ident $placeholder:literal $about:literal)+) => {
        /// The kind of an argument, which determines completion and grammar.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $(#[doc = $about] $kind,)+
        }

        impl Kind {
            /// How it is called in the usage.
            pub fn placeholder(self) -> &'static str {
                match self {
                    $(Kind::$kind => $placeholder,)+
                }
            }
        }
    };
}

kinds! {
    Word "WORD" "The name of a command, with or without colon, of a type or of a function: `:help quit`"
    Name "NAME" "The name of a type, an alias or a function: `:doc Integer`"
    Expression "EXPRESSION" "An expression: `:type [1, 'a']`"
    Code "CODE" "A program: `:ast $x = 1`"
    Question "VALUE =~ TYPE" "A question, several values, or a program: `:why '80' =~ Integer`, `:why '80', Integer`"
    Type "TYPE" "One type: `:hierarchy Integer`"
    Types "TYPE, TYPE" "Several types, with commas or spaces between them: `:common Integer, Float`"
    Bound "NAME" "What a name is bound to in the session: a `$variable`, an alias, a function"
    File "FILE" "The path of a file: `:load types.pp`"
    Edited "NAME or FILE" "A name that is defined in the session or in a module, or the path of a file: `:edit Port`"
    Key "KEY" "A key of the data, perhaps with a path into its value: `:lookup ntp::servers.0`"
    Node "node=NAME" "What is looked up for: `:data node=web1 facts=web1.yaml`"
    Filter "PART" "Part of a name or an entry: `:history each`"
    Format "FORMAT" "A format of `String.new`: `:format %x`"
    Setting "NAME [VALUE]" "The name of a setting and what it is set to: `:set width 100`"
    Number "NUMBER" "A number from 1 up: `:tour 3`"
    Issue "ISSUE" "An issue code or a kind of mismatch: `:explain DIV_BY_ZERO`"
}

pub const SUMMARY_LENGTH: usize = 26;

impl Kind {
    /// Whether it is a program or a part of one.
    pub fn is_code(self) -> bool {
        matches!(self, Kind::Expression | Kind::Code | Kind::Question | Kind::Type | Kind::Types)
    }
}

#[derive(Debug)]
pub struct Family {
    /// What they are about, as a heading of `:help`.
    pub title: &'static str,
    /// In the order of `:help`.
    pub commands: &'static [Command],
}

/// The table: every command, in the order of `:help`.
pub static TABLE: &[&Family] =
    &[&questions::FAMILY, &relations::FAMILY, &settings::FAMILY, &definitions::FAMILY, &files::FAMILY, &help::FAMILY];

/// Every command, in the order of the table.
pub fn all() -> impl Iterator<Item = &'static Command> {
    TABLE.iter().flat_map(|family| family.commands)
}

/// Names that fingers expect, where the beginning of the name alone would be ambiguous or mean another command.
pub static SHORT_NAMES: &[(&str, &str)] = &[
    ("t", "type"),
    ("l", "load"),
    ("r", "reload"),
    ("e", "edit"),
    ("h", "help"),
    ("?", "help"),
    ("s", "sub"),
    ("exit", "quit"),
    ("q!", "quit"),
    ("wq", "quit"),
    ("ls", "vars"),
    ("man", "doc"),
    ("i", "doc"),
    ("import", "load"),
    ("source", "load"),
    ("use", "load"),
    ("delete", "unset"),
    ("datatypes", "types"),
    ("commands", "help"),
];

/// The command of that name, or the only one that begins with it; an error says what to write instead.
pub fn find(name: &str) -> Result<&'static Command, String> {
    let name = SHORT_NAMES.iter().find(|(short, _)| *short == name).map_or(name, |(_, long)| long);
    let beginning: Vec<&Command> = all().filter(|command| command.name.starts_with(name)).collect();
    if let Some(command) = beginning.iter().find(|command| command.name == name) {
        return Ok(command);
    }
    match beginning.as_slice() {
        [command] => Ok(command),
        _ if name.is_empty() => Err("expected a command after the colon; `:help` lists them".to_owned()),
        [] => {
            let names = all().map(|command| command.name).chain(SHORT_NAMES.iter().map(|(short, _)| *short));
            let near = nearest(name, names).map(|near| format!(":{near}"));
            let listed = || format!("`:help` lists them, and a symbol is a string: `'{name}'`");
            let otherwise = likely_meant::meant_alone(name).map_or_else(listed, str::to_owned);
            Err(unknown("command", &format!(":{name}"), near.as_deref(), &otherwise))
        }
        several => {
            let several: Vec<String> = several.iter().map(|command| format!("`:{}`", command.name)).collect();
            Err(format!("`:{name}` is ambiguous: {}", several.join(", ")))
        }
    }
}

pub(super) fn run(session: &mut Console, typed: &CommandLine<'_>, listen: &mut Listener<'_>) -> Reply {
    let argument = typed.argument.trim_end();
    let command = match find(typed.name) {
        Ok(command) => command,
        Err(refusal) => return Reply::Refused(refusal),
    };
    let Command { name, example, .. } = command;
    Reply::Refused(match command.argument {
        Argument::None if !argument.is_empty() => format!("`:{name}` accepts no argument, got `{argument}`"),
        Argument::Required(kind) if argument.is_empty() => {
            format!("expected {} after `:{name}`: `:{example}`", kind.placeholder())
        }
        _ => return (command.effect)(session, argument, listen).unwrap_or_else(|refusal| refusal),
    })
}

/// The value of a program, or of JSON or YAML in its place. `listen` gets the events of its evaluation, except for values.
fn value_of(session: &mut Session, code: &Arc<Source>, listen: &mut Listener<'_>) -> Result<Value, Error> {
    let value = session.evaluate(code, &mut |event| {
        if !matches!(event, Event::Value(_) | Event::Assigned(_)) {
            listen(event);
        }
    });
    value.or_else(|error| data_in(code.text()).filter(|_| error.code() == "SYNTAX_ERROR").ok_or(error))
}

fn entered(session: &mut Session, expression: &str, listen: &mut Listener<'_>) -> Result<Value, Error> {
    let source = session.entry_source(expression);
    value_of(session, &source, listen)
}

/// At most so many lines, and one with the number of the others.
fn listed(mut lines: Vec<String>, most: usize, indentation: &str) -> Vec<String> {
    if lines.len() > most {
        let more = lines.split_off(most).len();
        lines.push(format!("{indentation}and {more} more"));
    }
    lines
}

/// Formats rows as two aligned columns.
pub(super) fn columns(rows: &[(impl AsRef<str>, impl AsRef<str>)]) -> String {
    let width = rows.iter().map(|(name, _)| name.as_ref().chars().count()).max().unwrap_or(0);
    let line = |name: &str, text: &str| format!("{}  {text}", padded(name, width)).trim_end().to_owned();
    rows.iter().map(|(name, text)| line(name.as_ref(), text.as_ref())).collect::<Vec<_>>().join("\n")
}
