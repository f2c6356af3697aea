//! Running snippets: `-e`, files, standard input; or the prompt when there is none of them.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Instant;

use pcore::format;
use pcore::functions::Level;
use pcore::session::{Event, Session, Strictness};
use pcore::text::Source;
use pcore::value::Value;

use super::arguments::Run;
use super::output::Output;
use super::show::{self, Weight};
use super::{Ending, Outcome, batch, input, prompt};

/// Runs everything that the command line names in one session, in order: `-e` first, then the files.
pub(crate) fn run(arguments: &Run, strictness: Strictness, output: &mut Output) -> Ending {
    let mut session = Session::new(strictness);
    let nothing_named = arguments.execute.is_empty() && arguments.files.is_empty();
    if nothing_named && io::stdin().is_terminal() {
        return prompt::prompt(session, output);
    }
    let mut runner = Runner { arguments, session: &mut session, output, outcome: Outcome::Fine, last: None };
    for code in &arguments.execute {
        runner.source(&Source::new("-e", code.as_str()))?;
    }
    if nothing_named {
        runner.read(input::standard_input())?;
    }
    for path in &arguments.files {
        runner.read(input::file(path))?;
    }
    let outcome = runner.outcome();
    if arguments.interactive { prompt::prompt(session, output) } else { Ok(outcome) }
}

struct Runner<'a> {
    arguments: &'a Run,
    session: &'a mut Session,
    output: &'a mut Output,
    outcome: Outcome,
    last: Option<Value>,
}

impl Runner<'_> {
    fn outcome(&self) -> Outcome {
        let counts = !matches!(self.last, Some(Value::Boolean(false) | Value::Undef));
        if self.arguments.exit_status && !counts { Outcome::Failed } else { self.outcome }
    }

    fn read(&mut self, source: Result<Arc<Source>, String>) -> io::Result<()> {
        match source {
            Ok(source) => self.source(&source),
            Err(message) => {
                self.outcome = Outcome::Failed;
                self.output.complain(&message)
            }
        }
    }

    fn source(&mut self, source: &Arc<Source>) -> io::Result<()> {
        let start = Instant::now();
        if self.arguments.json { self.answer_json(source) } else { self.answer(source) }?;
        if self.arguments.time {
            let line = format!("{}: {:.3} ms", source.name(), start.elapsed().as_secs_f64() * 1e3);
            let line = self.output.error_palette.dim(&line);
            self.output.report(&line)?;
        }
        Ok(())
    }

    fn answer(&mut self, source: &Arc<Source>) -> io::Result<()> {
        let (output, quiet) = (&mut *self.output, self.arguments.quiet);
        let format = self.arguments.format.as_deref();
        let mut written = Ok(());
        let result = self.session.evaluate(source, &mut |event| {
            if written.is_ok() {
                written = tell(&event, quiet, format, output);
            }
        });
        written?;
        match result {
            Ok(value) => self.last = Some(value),
            Err(error) => {
                self.outcome = Outcome::Failed;
                self.last = None;
                let text = show::error(&error, Weight::Error, None, self.output.error_palette);
                self.output.report(&text)?;
            }
        }
        Ok(())
    }

    fn answer_json(&mut self, source: &Arc<Source>) -> io::Result<()> {
        let (mut answer, result) = batch::evaluate(self.session, source);
        answer.shift_insert(0, "source".to_owned(), source.name().into());
        if result.is_err() {
            self.outcome = Outcome::Failed;
        }
        self.last = result.ok();
        self.output.say(&serde_json::Value::Object(answer).to_string())
    }
}

fn tell(event: &Event, quiet: bool, format: Option<&str>, output: &mut Output) -> io::Result<()> {
    match event {
        Event::Value(_) if quiet => Ok(()),
        Event::Value(value) => match format {
            None => output.say(&format::program_text(value)),
            Some(_) => output.say(&format::text(value)),
        },
        Event::Log(level, text) => {
            let line =
                show::log(*level, text, if *level < Level::Warning { output.palette } else { output.error_palette });
            if *level < Level::Warning { output.say(&line) } else { output.report(&line) }
        }
        Event::Warning(warning) => {
            let text = show::error(warning, Weight::Warning, None, output.error_palette);
            output.report(&text)
        }
    }
}
