//! The help commands: `:help`, `:doc`, `:explain`, `:info`, `:tour`, `:quit`.

use super::doc::show_doc;
use super::{Answer, Command, CommandGroup, TABLE, all_commands, find_command, settings as settings_family, tour};
use crate::format;
use crate::session::{Columns, Console, Event, Listener, Reply, issues, settings};

pub(super) static COMMANDS: CommandGroup = commands! {
    "help":
        "help" or "h" "?" "commands" [Optional(Word)] "this help, or on a WORD":
            "Shows help on WORD: a command, a setting, or any name that `:doc` knows."
            "help unset" => show_help;
        "doc" or "man" "i" [Optional(Name)] "what a name means":
            "Describes a type, an alias, a function, an operator, a keyword, a class, a resource type, a `$variable`, \
            a command, a setting or an issue code, with examples. Short form: `?NAME`; `?` alone lists the commands."
            "doc abs" => |session, name, _| if name.is_empty() { Ok(Reply::Columns(command_list())) } else { show_doc(session, name) };
        "explain" [Optional(Issue)] "an error code, explained":
            "Describes an issue code or kind of mismatch, with an example. Without a code, lists all. `pcore explain \
            CODE` does the same."
            "explain DIV_BY_ZERO" => |_, code, _| match code {
                "" => Ok(Reply::Text(issues::list_codes())),
                code => issues::explain_code(code).map(Reply::Text).map_err(Reply::Refused),
            };
        "info" [None] "version, modules, counts":
            "Shows the version, strictness, modules, loaded files, number of definitions, and the settings that you \
            have changed."
            "info" => |session, _, _| Ok(Reply::Text(settings_family::session_info(session)));
        "tour" [Optional(Number)] "the types in five minutes":
            "`:tour` shows the next step, `:tour 3` the third. You can use whatever a step defines."
            "tour" => tour::show_tour_step;
        "quit" or "exit" "q!" "wq" [None] "leave; or Ctrl-D, `exit`":
            "`quit` and `exit` also work without a colon."
            "quit" => |_, _, _| Ok(Reply::Quit);
};

fn show_help(session: &mut Console, word: &str, _: &mut Listener<'_>) -> Answer {
    let name = word.trim_start_matches(':');
    if word.is_empty() {
        Ok(Reply::Columns(command_list()))
    } else if let Some(command) = all_commands().find(|command| command.name == name) {
        Ok(Reply::Text(describe_command(command)))
    } else if word.starts_with(':') {
        find_command(name).map(|command| Reply::Text(describe_command(command))).map_err(Reply::Refused)
    } else if let Ok(row) = settings::find_setting(name) {
        Ok(Reply::Text(settings_family::describe_setting(row, session)))
    } else {
        show_doc(session, name)
    }
}

/// Returns all commands with their summaries, by group and in two columns, for a screen of 80 columns and 24 lines.
fn command_list() -> Columns {
    let command = |command: &Command| format!(" :{:10} {}", command.name, command.summary);
    let lines =
        |family: &&CommandGroup| [family.title.to_owned()].into_iter().chain(family.commands.iter().map(command));
    // Both halves of the table have as many lines.
    let (left, right) = TABLE.split_at(TABLE.len() / 2);
    let [left, right] = [left, right].map(|families| families.iter().flat_map(lines).collect());
    let heading = "`:help WORD` explains a command. Tab completes, Up recalls, Ctrl-C stops.".to_owned();
    Columns { heading, left, right }
}

pub(super) fn describe_command(command: &Command) -> String {
    const MAX_EXAMPLE_LINES: usize = 8;
    let Command { summary, description, example, .. } = command;
    let answer = example_output(example);
    let mut lines = answer.lines();
    let shown: String = lines.by_ref().take(MAX_EXAMPLE_LINES).flat_map(|line| ["\n  ", line]).collect();
    let more = if lines.next().is_some() { "\n  …" } else { "" };
    format!("{}\n  {summary}\n\n  {description}\n\n  >> :{example}{shown}{more}", command.usage())
}

/// Runs the example of a command after the result 255 and returns its output; empty if it needs files or the terminal.
fn example_output(example: &str) -> String {
    let mut session = Console::default();
    session.enter("255", &mut |_| {});
    let mut lines = Vec::new();
    let reply = session.enter(&format!(":{example}"), &mut |event| {
        if let Event::Value(value) | Event::Assigned(value) = event {
            lines.push(format!("=> {}", format::program_text(&value)));
        }
    });
    match reply {
        Reply::Text(text) | Reply::Code(text) | Reply::Verbatim(text) | Reply::Refused(text) => lines.push(text),
        Reply::Columns(columns) => lines.push(columns.to_text(None)),
        Reply::Failed(error) | Reply::Unfinished(error) => lines.push(error.to_string()),
        Reply::Done | Reply::Asked(_) | Reply::Quit => {}
    }
    lines.join("\n")
}
