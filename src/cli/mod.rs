//! The program: command line, prompt, script runner, batch protocol, transcripts. Only this module reads and prints.
//!
//! These are thin drivers: each passes text to a [`Console`](pcore::session::Console), formats the result with [`show`]
//! and [`style`], and writes it with [`output`].

mod arguments;
mod baseline;
mod batch;
mod check;
mod check_config;
mod completions;
mod config;
mod continuation;
mod data_file;
mod diff;
mod entry;
mod error_json;
mod findings;
mod fix;
mod index;
mod infer;
mod input;
mod jobs;
#[cfg(unix)]
mod memory;
mod option_values;
mod output;
mod parse;
mod progress;
mod project;
mod prompt;
mod run;
mod schema;
mod show;
mod storage;
mod style;
mod transcript;
mod watchdog;
mod wrap;

use std::{io, process::ExitCode};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser as _};
use pcore::error::Error;
use pcore::report::Severity;
use pcore::session::settings::ColorChoice;
use pcore::stack;

use arguments::{Arguments, Command, CommonOptions, RunOptions};
use output::Output;

/// The result of a subcommand: the worst outcome, or the reason why it stopped.
type Ending = Result<Outcome, StopReason>;

/// The result of a subcommand that prints one text.
type Answer = Result<String, StopReason>;

#[derive(Debug)]
enum StopReason {
    Io(io::Error),
    Message(String, Outcome),
    Error(Box<Error>, Outcome),
}

impl From<io::Error> for StopReason {
    fn from(error: io::Error) -> StopReason {
        StopReason::Io(error)
    }
}

impl From<String> for StopReason {
    fn from(message: String) -> StopReason {
        StopReason::Message(message, Outcome::Failed)
    }
}

impl From<Error> for StopReason {
    fn from(error: Error) -> StopReason {
        StopReason::Error(Box::new(error), Outcome::Failed)
    }
}

fn usage_error(message: impl Into<String>) -> StopReason {
    StopReason::Message(message.into(), Outcome::Usage)
}

fn print_answer(answer: Answer, output: &mut Output) -> Ending {
    Ok(output.print_line(&answer?).map(|()| Outcome::Fine)?)
}

fn report_stop_reason(stop: StopReason, output: &mut Output) -> io::Result<Outcome> {
    match stop {
        StopReason::Io(error) => Err(error),
        StopReason::Message(message, outcome) => output.print_error_message(&message).map(|()| outcome),
        StopReason::Error(error, outcome) => output.report_error(&error, Severity::Error).map(|()| outcome),
    }
}

/// The outcome of the process; its number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Fine = 0,
    /// An error was reported, a transcript differs, or the last value is false or undef.
    Failed = 1,
    Usage = 2,
    /// With `--exit-status`: an error was reported, so there is no value.
    Unanswered = 5,
}

/// Prints the help or the usage error that clap has returned as `error`. Returns the exit code.
fn print_help_or_usage_error(error: &clap::Error) -> ExitCode {
    let status = u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
    let mut output = Output::new(ColorChoice::Auto);
    let palette = if error.use_stderr() { output.stderr_palette } else { output.palette };
    let text = error.render();
    let text = if palette == show::Palette::Plain { text.to_string() } else { text.ansi().to_string() };
    let text = text.trim_end_matches('\n');
    let written = if error.use_stderr() { output.print_stderr_line(text) } else { output.print_styled_line(text) };
    match written.and_then(|()| output.flush()) {
        Ok(()) => status,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
        Err(error) => report_io_error(&error, &mut output),
    }
}

fn report_io_error(error: &io::Error, output: &mut Output) -> ExitCode {
    // If standard error is closed, too, there is nowhere to report to.
    let _ = output.print_error_message(&format!("I/O error: {error}"));
    ExitCode::FAILURE
}

/// Runs `pcore check` at the prompt, on `path` or, if it is empty, on the project.
fn run_check_at_prompt(path: &str, output: &mut Output) -> io::Result<()> {
    let paths = Some(path).filter(|path| !path.is_empty());
    let arguments = Arguments::try_parse_from(["pcore", "check"].into_iter().chain(paths));
    let ending = match arguments {
        Ok(Arguments { command: Some(Command::Check(options)), common, .. }) => {
            check::run_check(&options, &common, output)
        }
        _ => Err(usage_error(format!("expected a path after `:check`, got `{path}`"))),
    };
    ending.or_else(|stop| report_stop_reason(stop, output)).map(drop)
}

pub(crate) fn main() -> ExitCode {
    // `ulimit -s 64` leaves less stack than reading the arguments may take.
    let mut arguments = match stack::with_room(Arguments::parse_process_arguments) {
        Ok(arguments) => arguments,
        Err(error) => return print_help_or_usage_error(&error),
    };
    if arguments.command.is_some() && arguments.run != RunOptions::default() {
        let message = "options for running snippets cannot be combined with a subcommand";
        Arguments::command().error(ErrorKind::ArgumentConflict, message).exit();
    }
    arguments.common.restricted |= matches!(arguments.command, Some(Command::Batch));
    let mut output = Output::new(arguments.common.color.unwrap_or_default());
    let common = &arguments.common;
    common.effective_limits().apply_to_thread();
    let ending = match arguments.command {
        None => run::run_programs(&arguments.run, common, &mut output),
        Some(Command::Test { bless, paths }) => transcript::test_transcripts(&paths, bless, common, &mut output),
        Some(Command::Parse(options)) => parse::parse_files(&options, &mut output),
        Some(Command::Check(options)) => check::run_check(&options, common, &mut output),
        Some(Command::Infer { name, files }) => {
            print_answer(infer::inferred_type(&files, name.as_deref(), common), &mut output)
        }
        Some(Command::Schema(options)) => schema::print_schema(&options, common, &mut output),
        Some(Command::Diff(options)) => diff::print_diff(&options, common, &mut output),
        Some(Command::Index { directories }) => {
            print_answer(index::index_of_modules(&directories, &mut output), &mut output)
        }
        Some(Command::Completions { shell }) => print_answer(Ok(completions::completion_script(shell)), &mut output),
        Some(Command::Explain { code }) => print_answer(completions::issue_explanation(code.as_deref()), &mut output),
        Some(Command::Man { command }) => print_answer(completions::man_page(command.as_deref()), &mut output),
        Some(Command::Batch) => batch::run_batch(common, &mut output).map_err(StopReason::Io),
    };
    let ending = ending.or_else(|stop| report_stop_reason(stop, &mut output));
    match ending.and_then(|outcome| output.flush().map(|()| outcome)) {
        Ok(outcome) => ExitCode::from(outcome as u8),
        // The reader of the output has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => report_io_error(&error, &mut output),
    }
}
