//! The program: the only module that reads and prints. Command line, prompt, script runner, batch protocol, transcripts.
//!
//! Each is a thin driver: it passes text to a [`Console`](pcore::session::Console), formats the result with [`show`] and
//! [`style`], and writes it with [`output`].

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

use std::{io, path::PathBuf, process::ExitCode};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser as _};
use pcore::error::Error;
use pcore::report::Severity;
use pcore::session::settings::ColorChoice;
use pcore::stack;

use arguments::{Arguments, Command, Common, Run};
use output::Output;

/// The result of a subcommand: the worst outcome, or the reason why it stopped.
type Ending = Result<Outcome, Stop>;

#[derive(Debug)]
enum Stop {
    Io(io::Error),
    Message(String, Outcome),
    Error(Box<Error>, Outcome),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

/// An unreadable file or invalid input, reported with [`Outcome::Failed`].
impl From<String> for Stop {
    fn from(message: String) -> Stop {
        Stop::Message(message, Outcome::Failed)
    }
}

/// An error in a program, reported with [`Outcome::Failed`].
impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(Box::new(error), Outcome::Failed)
    }
}

fn usage_error(message: impl Into<String>) -> Stop {
    Stop::Message(message.into(), Outcome::Usage)
}

/// Reports the reason if a subcommand stopped, and returns the outcome.
fn report_stop(ending: Ending, output: &mut Output) -> io::Result<Outcome> {
    match ending {
        Ok(outcome) => Ok(outcome),
        Err(Stop::Io(error)) => Err(error),
        Err(Stop::Message(message, outcome)) => output.complain(&message).map(|()| outcome),
        Err(Stop::Error(error, outcome)) => output.report_error(&error, Severity::Error).map(|()| outcome),
    }
}

/// The outcome of the process; its number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Fine = 0,
    /// An error was reported, a transcript differs, or the last value is false or undef.
    Failed = 1,
    /// Invalid usage.
    Usage = 2,
    /// With `--exit-status`: an error was reported, so there is no value.
    Unanswered = 5,
}

/// Prints the requested help, or the error in the arguments.
fn print_usage_and_exit(error: &clap::Error) -> ExitCode {
    let status = u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
    let mut output = Output::new(ColorChoice::Auto);
    let palette = if error.use_stderr() { output.error_palette } else { output.palette };
    let text = error.render();
    let text = if palette == show::Palette::Plain { text.to_string() } else { text.ansi().to_string() };
    let text = text.trim_end_matches('\n');
    let written = if error.use_stderr() { output.report(text) } else { output.say_styled(text) };
    match written.and_then(|()| output.flush()) {
        Ok(()) => status,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
        Err(error) => failed(&error, &mut output),
    }
}

fn failed(error: &io::Error, output: &mut Output) -> ExitCode {
    // If standard error is closed, too, there is nowhere to report to.
    let _ = output.complain(&format!("I/O error: {error}"));
    ExitCode::FAILURE
}

/// Runs `pcore check` at the prompt, on `path` or, if it is empty, on the project.
fn check_project(path: &str, output: &mut Output) -> io::Result<()> {
    let paths = Some(path).filter(|path| !path.is_empty());
    let arguments = Arguments::try_parse_from(["pcore", "check"].into_iter().chain(paths));
    let ending = match arguments {
        Ok(Arguments { command: Some(Command::Check(options)), common, .. }) => check::check(&options, &common, output),
        _ => Err(usage_error(format!("expected a path after `:check`, got `{path}`"))),
    };
    report_stop(ending, output).map(|_| ())
}

pub(crate) fn main() -> ExitCode {
    // `ulimit -s 64` leaves less stack than reading the arguments may take.
    let arguments = match stack::with_room(Arguments::parse_process_arguments) {
        Ok(arguments) => arguments,
        Err(error) => return print_usage_and_exit(&error),
    };
    if arguments.command.is_some() && arguments.run != Run::default() {
        let message = "options for running snippets cannot be combined with a subcommand";
        Arguments::command().error(ErrorKind::ArgumentConflict, message).exit();
    }
    let mut output = Output::new(arguments.common.color.unwrap_or_default());
    let common = &arguments.common;
    common.limits().enforce();
    let ending = match arguments.command {
        None => run::run(&arguments.run, common, &mut output),
        Some(Command::Test { bless, paths }) => {
            let paths = if paths.is_empty() { vec![PathBuf::from("transcripts")] } else { paths };
            transcript::test(&paths, bless, common, &mut output)
        }
        Some(Command::Parse(options)) => parse::parse(&options, &mut output),
        Some(Command::Check(options)) => check::check(&options, common, &mut output),
        Some(Command::Infer { name, files }) => infer::print_type(&files, name.as_deref(), common, &mut output),
        Some(Command::Schema(options)) => schema::schema(&options, common, &mut output),
        Some(Command::Diff(options)) => diff::print_diff(&options, common, &mut output),
        Some(Command::Index { directories }) => index::write_index(&directories, &mut output),
        Some(Command::Completions { shell }) => completions::print_completions(shell, &mut output),
        Some(Command::Explain { code }) => completions::explain_issue(code.as_deref(), &mut output),
        Some(Command::Man { command }) => completions::print_man_page(command.as_deref(), &mut output),
        Some(Command::Batch) => batch::run_batch(common, &mut output).map_err(Stop::Io),
    };
    match report_stop(ending, &mut output).and_then(|outcome| output.flush().map(|()| outcome)) {
        Ok(outcome) => ExitCode::from(outcome as u8),
        // The reader of the output has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => failed(&error, &mut output),
    }
}
