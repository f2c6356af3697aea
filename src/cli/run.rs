//! Runs snippets from `-e`, files and standard input, or starts the prompt if there are none.

use std::io::{self, IsTerminal};
use std::{path::Path, sync::Arc, time::Instant};

use clap::CommandFactory as _;
use pcore::functions::Level;
use pcore::limits::{Limit, Limits};
use pcore::session::{Console, Event, Mode, Strictness, settings};
use pcore::text::Source;
use pcore::wording::nearest;
use pcore::{Value, data, format};

use super::arguments::{Arguments, CommonOptions, ProgramArgument, RunOptions};
use super::{Ending, Error, Outcome, Output, Severity, batch, error_json, input, prompt, show, watchdog};

pub(crate) fn run_programs(arguments: &RunOptions, common: &CommonOptions, output: &mut Output) -> Ending {
    let nothing_named = arguments.programs.is_empty();
    let is_prompt = arguments.interactive || (nothing_named && io::stdin().is_terminal());
    #[cfg(unix)]
    if is_prompt {
        super::memory::exec_with_malloc_setting();
    }
    let mut session = common.new_session();
    // Somebody waits, and can press Ctrl-C. What is printed at once takes no memory.
    let usual = Limits::default().with(Limit::Time, u64::MAX);
    session.limits = common.override_limits(if arguments.json { usual } else { usual.with(Limit::Output, u64::MAX) });
    if is_prompt {
        return prompt::run_prompt(session, arguments, common, output);
    }
    let mut runner =
        ProgramRunner { arguments, session: &mut session, output, outcome: Outcome::Fine, last_value: None };
    if nothing_named {
        runner.run_or_report(input::read_standard_input())?;
    }
    for program in &arguments.programs {
        match program {
            ProgramArgument::Code(code) => {
                // An entry, as at the prompt.
                runner.session.mode = Mode::Snippet;
                runner.run_source(&Source::new("-e", code.as_str()), false)?;
            }
            ProgramArgument::File(path) => {
                runner.run_or_report(input::read_source(path).map_err(|message| suggest_command(path, message)))?;
            }
        }
    }
    Ok(runner.final_outcome())
}

struct ProgramRunner<'a> {
    arguments: &'a RunOptions,
    session: &'a mut Console,
    output: &'a mut Output,
    outcome: Outcome,
    last_value: Option<Value>,
}

impl ProgramRunner<'_> {
    fn final_outcome(&self) -> Outcome {
        match (self.outcome, &self.last_value) {
            (outcome, _) if !self.arguments.exit_status => outcome,
            (Outcome::Failed, _) => Outcome::Unanswered,
            (_, Some(Value::Boolean(false) | Value::Undef)) => Outcome::Failed,
            (outcome, _) => outcome,
        }
    }

    fn run_or_report(&mut self, source: Result<Arc<Source>, String>) -> io::Result<()> {
        match source {
            Ok(source) => {
                if self.session.strictness == Strictness::Error {
                    self.session.mode = Mode::Program;
                }
                self.run_source(&source, !source.name().starts_with('<'))
            }
            Err(message) => {
                self.outcome = Outcome::Failed;
                self.output.print_error_message(&message)
            }
        }
    }

    /// Runs `source` and prints its results. With `is_file`, loads it like `:load` at the prompt, which can reload it.
    fn run_source(&mut self, source: &Arc<Source>, is_file: bool) -> io::Result<()> {
        let start = Instant::now();
        self.session.interrupt.clear();
        let watch = watchdog::watch_limits(self.session.interrupt.clone(), self.session.limits);
        if self.arguments.json { self.run_and_print_json(source) } else { self.run_and_print(source, is_file) }?;
        drop(watch);
        if self.arguments.time {
            let line = format!("{}: {:.3} ms", source.name(), start.elapsed().as_secs_f64() * 1e3);
            self.output.print_stderr_line(&self.output.stderr_palette.paint_text(show::DIM, &line))?;
        }
        Ok(())
    }

    fn run_and_print(&mut self, source: &Arc<Source>, is_file: bool) -> io::Result<()> {
        let (output, arguments) = (&mut *self.output, self.arguments);
        let mut written = Ok(Outcome::Fine);
        let mut listen = |event| {
            if let Ok(before) = written {
                written = print_event(&event, arguments, output).map(|outcome| outcome.max(before));
            }
        };
        let session = &mut *self.session;
        let result = if is_file { session.load(source, &mut listen) } else { session.evaluate(source, &mut listen) };
        self.outcome = self.outcome.max(written?);
        if let Err(error) = &result {
            self.outcome = Outcome::Failed;
            self.output.report_error(error, Severity::Error)?;
        }
        self.last_value = result.ok();
        Ok(())
    }

    fn run_and_print_json(&mut self, source: &Arc<Source>) -> io::Result<()> {
        let (mut answer, result) = batch::evaluate_to_response(self.session, source, error_json::event_as_json);
        answer.shift_insert(0, "source".to_owned(), source.name().into());
        if result.is_err() {
            self.outcome = Outcome::Failed;
        }
        self.last_value = result.ok();
        self.output.print_json_line(&serde_json::Value::Object(answer).to_string())
    }
}

fn print_event(event: &Event, arguments: &RunOptions, output: &mut Output) -> io::Result<Outcome> {
    let format = arguments.format.as_deref();
    match event {
        // Assigned values are not results of a file.
        Event::Assigned(_) => Ok(()),
        Event::Value(_) if arguments.quiet => Ok(()),
        Event::Value(value) => match (format_value(value, format), format) {
            (Ok(text), Some("json")) => output.print_json_line(&text),
            // Whoever chooses a format and another program to read it wants every byte.
            (Ok(text), Some(_)) if !output.is_terminal => output.print_raw_line(&text),
            (Ok(text), _) => output.print_line(&text),
            (Err(error), _) => return output.report_error(&error, Severity::Error).map(|()| Outcome::Failed),
        },
        Event::Log { level, message, .. } if *level < Level::Warning => {
            output.print_styled_line(&show::format_log_message(*level, message, output.palette))
        }
        Event::Log { level, message, .. } => {
            output.print_stderr_line(&show::format_log_message(*level, message, output.stderr_palette))
        }
        Event::Warning(warning) => output.report_error(warning, Severity::Warning),
    }
    .map(|()| Outcome::Fine)
}

/// Returns `message` about an unreadable file, with a suggestion if `path` may be a misspelt subcommand or code.
fn suggest_command(path: &Path, message: String) -> String {
    let command = Arguments::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    match path.to_str().filter(|_| !path.exists()).and_then(|name| nearest(name, names)) {
        Some(near) => format!("{message}; did you mean the command `pcore {near}`?"),
        // `pcore eval '5.type'`
        None if path.extension().is_none() && !path.exists() => format!("{message}; `pcore -e CODE` runs code"),
        None => message,
    }
}

fn format_value(value: &Value, format: Option<&str>) -> Result<String, Error> {
    match format {
        None | Some("pp") => Ok(format::program_text(value)),
        Some("yaml") => Ok(data::to_yaml(value)?.trim_start_matches("---").trim_start().to_owned()),
        Some(format) => settings::format_value(value, &Value::from(format)),
    }
}
