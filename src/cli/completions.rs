//! Shell completions and man pages, generated from the declaration of the command line, and the table of issue codes.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use pcore::check::RULES;
use pcore::session::issues;

use super::arguments::Arguments;
use super::output::Output;
use super::{Ending, Outcome};

/// `pcore completions SHELL`
pub(super) fn completions(shell: Shell, output: &mut Output) -> Ending {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "pcore", &mut script);
    output.say(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Outcome::Fine)
}

/// `pcore explain [CODE]`
pub(super) fn explain(code: Option<&str>, output: &mut Output) -> Ending {
    let rule = RULES.iter().find(|rule| Some(rule.id) == code);
    let rule = rule.map(|rule| Ok(format!("{}: {}; found by `pcore check --lint`", rule.id, rule.summary)));
    match rule.unwrap_or_else(|| code.map_or_else(|| Ok(issues::list()), issues::explained)) {
        Ok(text) => output.say(&text)?,
        Err(message) => {
            output.complain(&message.replace("`:explain`", "`pcore explain`"))?;
            return Ok(Outcome::Usage);
        }
    }
    Ok(Outcome::Fine)
}

/// `pcore man [COMMAND]`
pub(super) fn manual(name: Option<&str>, output: &mut Output) -> Ending {
    let program = Arguments::declaration().subcommand_required(false);
    let command = match name {
        None => Some(&program),
        Some(name) => program.find_subcommand(name),
    };
    let Some(command) = command else {
        let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        let wrong = name.unwrap_or_default();
        output.complain(&format!("unknown command `{wrong}`: expected one of {}", known.join(", ")))?;
        return Ok(Outcome::Usage);
    };
    let title = command.get_display_name().unwrap_or("pcore").to_owned();
    let mut page = Vec::new();
    Man::new(command.clone().display_name(&title)).manual("pcore").render(&mut page)?;
    output.say(with_examples(String::from_utf8_lossy(&page).trim_end()).trim_end())?;
    Ok(Outcome::Fine)
}

/// Keeps the line breaks of the examples, which the generator of the page takes for running text.
fn with_examples(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    let (examples, after) = extra.find("\n.SH ").map_or((extra, ""), |end| extra.split_at(end));
    let examples = examples.strip_prefix("Examples:\n").unwrap_or(examples).replace("\n.PP\n", "\n\n");
    format!("{before}.SH EXAMPLES\n.nf\n{examples}\n.fi{after}")
}
