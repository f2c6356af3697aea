//! The commands of the prompt: `:help`, `:type`, `:quit` … A row of the table defines a command completely; help,
//! completion, the grammar and tests use the table.
//!
//! The rows are in groups, each in a file with the functions of its commands. A command works on the session
//! and returns a [`Reply`]. If it needs files, the terminal or an editor, the reply is a [`Request`](super::Request) to
//! the program that drives the session.

/// Builds a group from its title and a row for each command, with its short names, if any, after `or`:
/// `"name" or "n" [argument] "summary": "description" "example" => effect;`.
macro_rules! commands {
    ($title:literal: $(
        $name:literal $(or $($short:literal)+)? [$form:ident $(($kind:ident))?] $summary:literal:
            $description:literal
            $example:literal => $effect:expr;
    )+) => {
        super::CommandGroup {
            title: $title,
            commands: &[$(super::Command {
                name: $name,
                short_names: &[$($($short),+)?],
                argument: super::Argument::$form $((super::Kind::$kind))?,
                summary: $summary,
                description: $description,
                example: $example,
                effect: $effect,
            },)+],
        }
    };
}

mod command_line;
mod data;
pub(super) mod definitions;
mod doc;
pub(super) mod files;
pub(super) mod foreign_entries;
mod help;
mod likely_meant;
mod modules;
mod questions;
mod relations;
mod settings;
mod tour;
mod why;

use std::sync::Arc;

use super::{Console, Event, Listener, Reply, Session, console::parse_pasted_data};
use crate::error::Error;
use crate::syntax;
use crate::text::Source;
use crate::value::Value;
use crate::wording::{enum_with_words, nearest, pad_to_width, unknown_name};
pub use command_line::{CONTINUATION_PROMPT, CommandLine, PROMPT, entries_of_session, strip_prompt};
pub(super) use likely_meant::suggest_intended_entry;
pub(super) use why::explain_false_result;

#[derive(Debug)]
pub struct Command {
    /// The full name without the colon: `type`. Users may type any unambiguous beginning of it.
    pub name: &'static str,
    /// Short or foreign names that would otherwise be ambiguous, unknown or mean another command.
    pub short_names: &'static [&'static str],
    pub argument: Argument,
    /// A summary: lower case, no full stop, at most [`SUMMARY_LENGTH`] characters, since `:help` has two columns.
    pub summary: &'static str,
    /// The description for `:help NAME`: sentences on one line.
    pub description: &'static str,
    /// An example without the colon, run by the tests.
    pub example: &'static str,
    /// Runs the command. The argument has no spaces around it, and a required one is not empty.
    effect: fn(&mut Console, &str, &mut Listener<'_>) -> Answer,
}

/// Whether code runs, so that advice may suggest it.
type RunTest<'r> = &'r mut dyn FnMut(&str) -> bool;

/// The result of a command: a reply or, as an error, [`Reply::Failed`] or [`Reply::Refused`].
type Answer = Result<Reply, Reply>;

impl From<Error> for Reply {
    fn from(error: Error) -> Reply {
        Reply::Failed(error)
    }
}

impl Command {
    /// Returns the syntax of the command: `:help [WORD]`.
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

enum_with_words! {
    /// The kind of an argument, which determines completion and grammar.
    pub Kind
    /// Returns the name of the argument in [`Command::usage`], such as `FILE`.
    placeholder {
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
}

pub const SUMMARY_LENGTH: usize = 26;

impl Kind {
    /// Whether the argument is Puppet code.
    pub fn is_code(self) -> bool {
        matches!(self, Kind::Expression | Kind::Code | Kind::Question | Kind::Type | Kind::Types)
    }
}

#[derive(Debug)]
pub struct CommandGroup {
    /// The heading of the group in `:help`.
    pub title: &'static str,
    /// The commands in the order of `:help`.
    pub commands: &'static [Command],
}

/// The groups of commands, in the order of `:help`.
pub static TABLE: &[&CommandGroup] = &[
    &questions::COMMANDS,
    &relations::COMMANDS,
    &settings::COMMANDS,
    &definitions::COMMANDS,
    &files::COMMANDS,
    &help::COMMANDS,
];

/// Returns every command, in the order of the table.
pub fn all_commands() -> impl Iterator<Item = &'static Command> {
    TABLE.iter().flat_map(|family| family.commands)
}

/// Returns the command called `name`, or the only one whose name begins with it; the error says what to write instead.
pub fn find_command(name: &str) -> Result<&'static Command, String> {
    if let Some(command) = all_commands().find(|command| command.name == name || command.short_names.contains(&name)) {
        return Ok(command);
    }
    let beginning: Vec<&Command> = all_commands().filter(|command| command.name.starts_with(name)).collect();
    match beginning.as_slice() {
        [command] => Ok(command),
        _ if name.is_empty() => Err("expected a command after the colon; `:help` lists them".to_owned()),
        [] => {
            let names = all_commands().flat_map(|command| command.short_names.iter().chain([&command.name]));
            let near = nearest(name, names.copied()).map(|near| format!(":{near}"));
            let listed = || format!("`:help` lists them, and a symbol is a string: `'{name}'`");
            let otherwise = foreign_entries::advice_on_entry(name, false, &mut |_| true).unwrap_or_else(listed);
            Err(unknown_name("command", &format!(":{name}"), near.as_deref(), &otherwise))
        }
        several => {
            let several: Vec<String> = several.iter().map(|command| format!("`:{}`", command.name)).collect();
            Err(format!("`:{name}` is ambiguous: {}", several.join(", ")))
        }
    }
}

pub(super) fn run_command(session: &mut Console, typed: &CommandLine<'_>, listen: &mut Listener<'_>) -> Reply {
    let command = match find_command(typed.name) {
        Ok(command) => command,
        Err(refusal) => return Reply::Refused(refusal),
    };
    let is_file = matches!(command.argument.kind(), Some(Kind::File | Kind::Edited));
    let argument = typed.argument.trim_end().trim_matches(|letter| is_file && matches!(letter, '\'' | '"'));
    let Command { name, example, .. } = command;
    Reply::Refused(match command.argument {
        Argument::None if !argument.is_empty() => format!("`:{name}` accepts no argument, got `{argument}`"),
        Argument::Required(kind) if argument.is_empty() => {
            format!("expected {} after `:{name}`: `:{example}`", kind.placeholder())
        }
        _ => return (command.effect)(session, argument, listen).unwrap_or_else(|refusal| refusal),
    })
}

/// Evaluates a program; if it has a syntax error, reads it as JSON or YAML. `listen` gets all events except for values.
fn evaluate_or_read_data(session: &mut Session, code: &Arc<Source>, listen: &mut Listener<'_>) -> Result<Value, Error> {
    let value = session.evaluate(code, &mut |event| {
        if !matches!(event, Event::Value(_) | Event::Assigned(_)) {
            listen(event);
        }
    });
    value.or_else(|error| parse_pasted_data(code.text()).filter(|_| error.code() == "SYNTAX_ERROR").ok_or(error))
}

fn evaluate_entry(session: &mut Session, expression: &str, listen: &mut Listener<'_>) -> Result<Value, Error> {
    let source = session.next_entry_source(expression);
    if let Ok(tree) = syntax::parse(&source)
        && let [first, second, ..] = tree.statements()
        && !expression.contains([';', '\n'])
    {
        let error = Error::new("SYNTAX_ERROR", format!("expected one expression, got {}", tree.statements().len()));
        let error = error.with_help(format!("write one, `{}`, or an array of them", tree.text_of(*first)));
        return Err(error.at(tree[*second].span).in_source(&source));
    }
    evaluate_or_read_data(session, &source, listen)
}

fn limit_lines(mut lines: Vec<String>, most: usize, indentation: &str) -> Vec<String> {
    if lines.len() > most {
        let more = lines.split_off(most).len();
        lines.push(format!("{indentation}and {more} more"));
    }
    lines
}

/// Appends `lines` to `text`, indented.
fn append_lines(text: &str, lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().fold(text.to_owned(), |text, line| text + "\n  " + &line)
}

pub(super) fn format_columns(rows: &[(impl AsRef<str>, impl AsRef<str>)]) -> String {
    let width = rows.iter().map(|(name, _)| name.as_ref().chars().count()).max().unwrap_or(0);
    let line = |name: &str, text: &str| format!("{}  {text}", pad_to_width(name, width)).trim_end().to_owned();
    rows.iter().map(|(name, text)| line(name.as_ref(), text.as_ref())).collect::<Vec<_>>().join("\n")
}
