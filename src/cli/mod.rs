//! The room that reads and prints: the command line, the prompt, the runner of files, the batch protocol, transcripts.
//!
//! Each is a thin driver: text goes into a [`Session`](pcore::session::Session), what comes back is laid out by
//! [`show`] and written by [`output`].

mod arguments;
mod batch;
mod check;
mod completions;
mod config;
mod continuation;
mod entry;
mod error_json;
mod input;
mod output;
mod parse;
mod pn_json;
mod project;
mod prompt;
mod run;
mod show;
mod style;
mod transcript;
mod watchdog;
mod wrap;

use std::io;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use arguments::{Arguments, Command, Run};
use output::Output;

/// How a driver ends: the worst that happened, or a broken stream.
type Ending = io::Result<Outcome>;

/// What the exit code tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// 0
    Fine,
    /// 1: an error was reported, a transcript differs, the last value does not count
    Failed,
    /// 2: the command line asks for something that cannot be
    Usage,
}

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.command.is_some() && arguments.run != Run::default() {
        let message = "these options cannot be combined with a subcommand";
        Arguments::command().error(ErrorKind::ArgumentConflict, message).exit();
    }
    let mut output = Output::new(arguments.common.color());
    let common = &arguments.common;
    let ending = match arguments.command {
        None => run::run(&arguments.run, common, &mut output),
        Some(Command::Test { bless, paths }) => transcript::test(&paths, bless, common, &mut output),
        Some(Command::Parse { pn, json, files }) => parse::parse(&files, parse::Form::new(pn, json), &mut output),
        Some(Command::Check { type_, json, paths }) => {
            check::check(&paths, type_.as_deref(), json, common, &mut output)
        }
        Some(Command::Completions { shell }) => completions::completions(shell, &mut output),
        Some(Command::Man { command }) => completions::manual(command.as_deref(), &mut output),
        Some(Command::Batch) => batch::batch(common, &mut output),
    };
    match ending.and_then(|outcome| output.flush().map(|()| outcome)) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Ok(Outcome::Usage) => ExitCode::from(2),
        // Whoever read our output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to report to when standard error is gone, too.
            let _ = output.complain(&format!("cannot go on: {error}"));
            ExitCode::from(1)
        }
    }
}
