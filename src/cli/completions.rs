//! Shell completions and man pages, generated from the declaration of the command line, and the table of issue codes.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use pcore::check::RULES;
use pcore::session::issues;

use super::{Answer, Arguments, usage_error};

/// Replaces `or return` in the fish script: if `argparse` fails, it is run again without the last word.
const FISH_RETRY_WITHOUT_LAST_WORD: &str = "2>/dev/null
    or begin
        set -e cmd[-1]
        argparse -s (__fish_pcore_global_optspecs) -- $cmd 2>/dev/null
    end
    or return";

pub(super) fn completion_script(shell: Shell) -> String {
    let mut script = Vec::new();
    let mut declaration = Arguments::command();
    if shell == Shell::Zsh {
        // The files in front of the commands would be taken for the command.
        let options = declaration.get_arguments().filter(|arg| !arg.is_positional());
        let program = Command::new("pcore").version(env!("CARGO_PKG_VERSION")).args(options);
        declaration = program.subcommands(declaration.get_subcommands());
    }
    clap_complete::generate(shell, &mut declaration, "pcore", &mut script);
    let script = String::from_utf8_lossy(&script);
    let script = script.trim_end();
    match shell {
        Shell::Zsh => script.replace("\":: :_pcore_commands\"", "\":: :{_pcore_commands; _files}\""),
        // An option that still waits for its value is an error to `argparse`.
        Shell::Fish => script.replace("2>/dev/null\n    or return", FISH_RETRY_WITHOUT_LAST_WORD),
        _ => script.to_owned(),
    }
}

pub(super) fn issue_explanation(code: Option<&str>) -> Answer {
    let rule = code.and_then(explain_lint_rule).map(Ok);
    let text = rule.unwrap_or_else(|| code.map_or_else(|| Ok(issues::list_codes()), issues::explain_code));
    text.map_err(|message| usage_error(message.replace("`:explain`", "`pcore explain`")))
}

pub(super) fn explain_lint_rule(id: &str) -> Option<String> {
    let rule = RULES.iter().find(|rule| rule.id == id.trim())?;
    Some(format!("{}: {}; found by `pcore check --lint`", rule.id, rule.summary))
}

pub(super) fn man_page(name: Option<&str>) -> Answer {
    let program = Arguments::command_definition().subcommand_required(false);
    let command = name.map_or(Some(&program), |name| program.find_subcommand(name));
    let command = command.ok_or_else(|| {
        let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        usage_error(format!("unknown command `{}`: expected one of {}", name.unwrap_or_default(), known.join(", ")))
    })?;
    let title = command.get_display_name().unwrap_or("pcore").to_owned();
    let mut page = Vec::new();
    Man::new(command.clone().display_name(&title)).manual("pcore").render(&mut page)?;
    Ok(preformat_examples(String::from_utf8_lossy(&page).trim_end()).trim_end().to_owned())
}

/// Returns a man page with its examples as preformatted text; the man page generator joins their lines.
fn preformat_examples(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    let (examples, after) = extra.find("\n.SH ").map_or((extra, ""), |end| extra.split_at(end));
    let examples = examples.strip_prefix("Examples:\n").unwrap_or(examples).replace("\n.PP\n", "\n\n");
    format!("{before}.SH EXAMPLES\n.nf\n{examples}\n.fi{after}")
}
