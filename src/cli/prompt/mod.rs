//! The prompt: an editor in front of a session.
//!
//! An unfinished entry continues on the next line, with a padding that is drawn as a prompt
//! ([`continuation`](super::continuation)). Without an editor (`TERM=dumb`, a pipe) lines are read one by one.

mod candidate_list;
mod frontend;
mod helper;
mod hint;
mod history;
mod history_search;
mod keys;
mod paint;
mod paste;
mod session_log;
mod signals;
mod viewport;
mod worker;

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pcore::assist::SymbolIndex;
use pcore::report::Severity;
use pcore::session::settings;
use pcore::session::{Console, FrontendRequest};
use pcore::wording::counted;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, CompletionType, Config, EditMode, Editor};
use unicode_width::UnicodeWidthStr;

use super::continuation::{self, CONTINUATION_PROMPT, PROMPT};
use crate::cli::arguments::{Common, Program, Run};
use crate::cli::entry::{self, EntryOutcome, EventSink, OutputEvent, Stream};
use crate::cli::output::Output;
use crate::cli::show::{DIM, MARK};
use crate::cli::style::{Screen, Style};
use crate::cli::wrap::wrap;
use crate::cli::{Ending, Outcome, check_project, config, input, watchdog};
use helper::PromptHelper;
use keys::{Edit, Keys};
use session_log::{LoggedEntry, SessionLog};
use worker::{Pressed, Worker, locked};

const INTERRUPTED: &str = "interrupted";

/// Receives the output of an entry: what it is, and the text that is shown.
type Say<'s> = dyn FnMut((OutputEvent, Option<(String, Stream)>)) + Send + 's;

/// Nobody types an entry within this time: it is pasted.
const PASTING: Duration = Duration::from_millis(50);

/// Runs the programs of the command line, then reads and runs entries until the user leaves.
pub(super) fn prompt(mut session: Console, arguments: &Run, common: &Common, output: &mut Output) -> Ending {
    let folder = if arguments.no_config { None } else { config::folder() };
    let problems = folder.as_ref().map(|folder| config::read(folder, &mut session)).unwrap_or_default();
    // The command line overrides config.toml.
    common.apply(&mut session);
    output.color(session.settings.color, session.settings.theme);
    let start_file = folder.as_deref().and_then(config::start_file);
    let first_line = first_line(common.modules(), start_file.is_some().then_some(config::START));
    let columns = helper::screen().map_or(usize::MAX, |screen| screen.columns);
    output.say(&first_line.lines().map(|line| wrap(line, columns)).collect::<Vec<_>>().join("\n"))?;
    for problem in &problems {
        output.report_error(problem, Severity::Error)?;
    }
    let (interrupt, pressed) = (session.interrupt.clone(), Pressed::default());
    let worker = Worker::new(session, Pressed::clone(&pressed));
    let press = move || {
        locked(&pressed).get_or_insert_with(Instant::now);
        interrupt.raise();
    };
    signals::handle(press)?;
    let mut prompt = Prompt::new(worker, output).map_err(io::Error::other)?;
    prompt.apply().map_err(io::Error::other)?;
    if let Some(path) = start_file {
        // Its results are not shown, only its problems.
        prompt.load(&path, OutputEvent::is_problem)?;
    }
    let is_shown = if arguments.quiet {
        |event: &OutputEvent| !matches!(event, OutputEvent::Value(_) | OutputEvent::Numbered(..))
    } else {
        |_: &OutputEvent| true
    };
    for program in &arguments.programs {
        match program {
            Program::Code(code) if code.trim().is_empty() => {}
            Program::Code(code) => {
                if prompt.run_all([code.clone()].into())?.is_break() {
                    return Ok(Outcome::Fine);
                }
            }
            Program::File(path) => {
                if let EntryOutcome::Interrupted = prompt.load(&path.display().to_string(), is_shown)? {
                    break;
                }
            }
        }
    }
    prompt.output.flush()?;
    loop {
        prompt.apply().map_err(io::Error::other)?;
        let entries = match prompt.read() {
            Ok(entries) => VecDeque::from(entries),
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => {
                if prompt.worker.wait() {
                    prompt.forget_ended();
                }
                if !prompt.has_editor() {
                    prompt.output.end_line()?;
                }
                return Ok(Outcome::Fine);
            }
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                prompt.output.complain("the input is not valid UTF-8")?;
                continue;
            }
            Err(ReadlineError::Io(error)) => return Err(error.into()),
            Err(error) => return Err(io::Error::other(error).into()),
        };
        if prompt.run_all(entries)?.is_break() {
            return Ok(Outcome::Fine);
        }
    }
}

/// `pcore 0.2.0 (module web, init.pp); …`, on two lines where one would be too long.
fn first_line(modules: Option<String>, start_file: Option<&str>) -> String {
    let loaded: Vec<String> = modules.into_iter().chain(start_file.map(str::to_owned)).collect();
    let loaded = if loaded.is_empty() { String::new() } else { format!(" ({})", loaded.join(", ")) };
    let version = format!("pcore {}{loaded};", env!("CARGO_PKG_VERSION"));
    let hint = ":help shows the commands, :tour the types, Ctrl-D leaves";
    // Nearly every terminal has 80 columns.
    let separator = if version.len() + 1 + hint.len() > 80 { "\n" } else { " " };
    format!("{version}{separator}{hint}")
}

struct Prompt<'o> {
    worker: Worker,
    output: &'o mut Output,
    editor: Editor<PromptHelper, DefaultHistory>,
    keys: Keys,
    history: Option<PathBuf>,
    /// Whether a session is being pasted line by line.
    is_in_session: bool,
    text: String,
    log: SessionLog,
    /// An interrupted entry that had not ended when the prompt was back, and how many secrets there were before it.
    ending: Option<(String, u64)>,
    reading_since: Instant,
}

impl Prompt<'_> {
    fn new(mut worker: Worker, output: &mut Output) -> rustyline::Result<Prompt<'_>> {
        let config = Config::builder()
            .history_ignore_dups(true)?
            .history_ignore_space(true)
            // The highlighter draws the continuation prompt even without colours.
            .color_mode(ColorMode::Forced)
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .bell_style(BellStyle::None)
            .auto_add_history(false)
            .build();
        let mut editor = Editor::with_config(config)?;
        let keys = Keys::default();
        editor.set_helper(Some(PromptHelper::new(keys.clone())));
        for (event, handler) in keys.bindings() {
            editor.bind_sequence(event, handler);
        }
        let log = SessionLog::of(worker.console());
        Ok(Prompt {
            worker,
            output,
            editor,
            keys,
            history: history::file(),
            is_in_session: false,
            text: PROMPT.to_owned(),
            log,
            ending: None,
            reading_since: Instant::now(),
        })
    }

    /// Applies the settings of the session, if it is free.
    fn apply(&mut self) -> rustyline::Result<()> {
        let Some(Console { settings, .. }) = self.worker.free() else { return Ok(()) };
        self.output.color(settings.color, settings.theme);
        self.editor.set_edit_mode(match settings.keys {
            settings::Keys::Emacs => EditMode::Emacs,
            settings::Keys::Vi => EditMode::Vi,
        });
        self.text = format!("{} ", settings.prompt);
        self.keys.state().prompt.clone_from(&self.text);
        if let Some(helper) = self.editor.helper_mut() {
            helper.palette = self.output.palette;
            helper.prompt_width = self.text.width();
        }
        self.editor.set_max_history_size(settings.history)
    }

    /// Runs entries in order, and those that result from them; several are echoed as if typed. Breaks when the user wants
    /// to leave.
    fn run_all(&mut self, mut entries: VecDeque<String>) -> io::Result<ControlFlow<()>> {
        let mut is_echoed = entries.len() > 1;
        while let Some(entry) = entries.pop_front() {
            if is_echoed {
                let shown = self.shown(&entry);
                self.output.say_styled(&shown)?;
            }
            let secrets = self.worker.secrets.clone();
            if !secrets.are_in(&entry) {
                let entry = continuation::pad(entry.trim_end());
                history::remember(&mut self.editor, &entry, self.history.as_deref());
            }
            if !self.worker.wait() {
                self.output.report(&self.output.error_palette.paint(DIM, INTERRUPTED))?;
                break;
            }
            self.forget_ended();
            let noted = secrets.noted();
            let program = entry.clone();
            let run = move |session: &mut Console, sink: &mut EventSink<'_>| entry::run(session, &program, sink);
            let outcome = self.run(&entry, |_| true, run)?;
            if secrets.noted() > noted {
                self.forget(&entry);
            } else if self.worker.free().is_none() {
                self.ending = Some((entry.clone(), noted));
            }
            match outcome {
                EntryOutcome::Done | EntryOutcome::Failed => {}
                EntryOutcome::Interrupted => break,
                EntryOutcome::Quit => return Ok(ControlFlow::Break(())),
                EntryOutcome::Requested(request) => {
                    for edited in self.perform(request)?.into_iter().rev() {
                        is_echoed = true;
                        entries.push_front(edited);
                    }
                }
            }
            if self.worker.free().is_some_and(|session| session.interrupt.is_raised()) {
                break;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn load(&mut self, path: &str, is_shown: fn(&OutputEvent) -> bool) -> io::Result<EntryOutcome> {
        self.worker.clear_interrupt();
        let (entry, path) = (format!(":load {path}"), path.to_owned());
        self.run(&entry, is_shown, move |session, sink| entry::load(session, &path, sink))
    }

    /// Runs `entry` with `run`, prints the output that `is_shown`, and logs all of it.
    fn run(
        &mut self,
        entry: &str,
        is_shown: fn(&OutputEvent) -> bool,
        run: impl FnOnce(&mut Console, &mut EventSink<'_>) -> EntryOutcome + Send + 'static,
    ) -> io::Result<EntryOutcome> {
        let screen = self.screen();
        let (session, output) = (self.worker.console(), &mut *self.output);
        let (interrupt, secrets) = (session.interrupt.clone(), session.secrets().clone());
        let style = Style::of(&session.settings, screen, output.palette, output.error_palette);
        let mut logged = LoggedEntry::new(entry, session);
        let mut written = Ok(());
        let watch = watchdog::watch(interrupt.clone(), session.limits, false);
        let (shown_entry, shown_style) = (entry.to_owned(), style.clone());
        let work = move |session: &mut Console, say: &mut Say<'_>| {
            run(session, &mut |event| {
                let text = is_shown(&event).then(|| event.render(&shown_entry, &shown_style));
                say((event, text));
            })
        };
        let (mut is_reported, mut is_false) = (false, false);
        let is_paged = |text: &str| screen.is_some_and(|screen| screen.is_exceeded_by(text)) && frontend::page(text);
        let outcome = self.worker.run(work, |(event, text)| {
            if let OutputEvent::Value(value) | OutputEvent::Numbered(_, value) = &event {
                is_false = *value == false.into();
            }
            if let Some((text, stream)) = text {
                is_reported |= event.is_interruption();
                written = match stream {
                    Stream::Page if is_paged(&text) => Ok(()),
                    Stream::Out | Stream::Page => output.say_until(&text, &interrupt),
                    Stream::Err => output.report(&text),
                };
            }
            logged.push(event);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        drop(watch);
        written?;
        if let Some(helper) = self.editor.helper_mut() {
            helper.is_after_false = is_false;
        }
        // The evaluation may have reported the interruption itself just before the wait ended.
        if outcome.is_none() && !is_reported {
            output.report(&style.err.paint(DIM, INTERRUPTED))?;
        }
        output.flush()?;
        let outcome = outcome.unwrap_or(EntryOutcome::Interrupted);
        self.log.keep(logged, &outcome, &secrets);
        Ok(outcome)
    }

    /// Performs the request of a command. Returns the entries to run next.
    fn perform(&mut self, request: FrontendRequest) -> io::Result<Vec<String>> {
        let done = match request {
            FrontendRequest::Edit(program, first) => match frontend::edit(&program) {
                Ok(edited) => return Ok(first.into_iter().chain(edited).collect()),
                Err(message) => Err(message),
            },
            FrontendRequest::EditFile(path, line, then) => match frontend::edit_file(&input::expanded(&path), line) {
                Ok(()) => return Ok(vec![then]),
                Err(message) => Err(message),
            },
            FrontendRequest::Write { path, text, what } => {
                frontend::write(&path, &text).map(|()| format!("wrote {what} to {path}"))
            }
            FrontendRequest::Check(path) => {
                return check_project(&path, self.output).map(|()| Vec::new());
            }
            FrontendRequest::Transcript(path) => self.save_transcript(&path),
            FrontendRequest::History(part) => Ok(self.earlier(&part)),
        };
        match done {
            Ok(said) => self.output.say_styled(&said),
            Err(message) => self.output.complain(&message),
        }
        .map(|()| Vec::new())
    }

    fn save_transcript(&self, path: &str) -> Result<String, String> {
        let transcript = self.log.transcript(&self.worker.secrets);
        if transcript.entries == 0 {
            return Err("nothing to write yet; enter a program first".to_owned());
        }
        frontend::write(path, &transcript.text)?;
        let wrote = format!("wrote {} to {path}", counted(transcript.entries, "entry"));
        Ok(match transcript.left_out {
            0 => wrote,
            left_out => format!("{wrote}; left out {left_out} with secrets or with prompts in the output"),
        })
    }

    /// The entries of the history that contain `part`, with prompts; the last ones if it is a number. The command itself
    /// is not among them.
    fn earlier(&self, part: &str) -> String {
        let mut entries: Vec<String> =
            self.editor.history().iter().map(|entry| continuation::strip_padding(entry, 0).0).collect();
        entries.pop_if(|last| last.trim_start().starts_with(':'));
        match part.parse::<usize>() {
            Ok(count) => drop(entries.drain(..entries.len().saturating_sub(count))),
            Err(_) => entries.retain(|entry| entry.contains(part)),
        }
        if entries.is_empty() {
            return "no matching entries".to_owned();
        }
        entries.iter().map(|entry| self.shown(entry)).collect::<Vec<_>>().join("\n")
    }

    /// The size of the terminal; `None` if output goes elsewhere.
    fn screen(&mut self) -> Option<Screen> {
        let (columns, rows) = self.editor.dimensions()?;
        Some(Screen { columns: columns.into(), rows: rows.into() })
    }

    /// Reads typed or pasted text until it is complete: no entry, one, or those of a pasted session.
    fn read(&mut self) -> rustyline::Result<Vec<String>> {
        if let Some(file) = &self.history {
            history::load(&mut self.editor, file);
        }
        if let Some(helper) = self.editor.helper_mut() {
            helper.begins();
            // Until an interrupted evaluation gives the session back, the names of before are offered.
            if let Some(session) = self.worker.free_mut() {
                session.read_data();
                helper.symbols = SymbolIndex::of(session);
            }
        }
        // Not after reading: Ctrl-C right after Enter interrupts the entry.
        self.worker.clear_interrupt();
        self.reading_since = Instant::now();
        let text = self.read_text()?;
        // In the editor Ctrl-C is a key: what was raised after the last one is for this entry.
        let last_key = self.keys.state().last_key.filter(|last| *last >= self.reading_since);
        if last_key.is_none_or(|last| self.worker.pressed().is_some_and(|pressed| pressed < last)) {
            self.worker.clear_interrupt();
        }
        let is_pasted = self.reading_since.elapsed() < PASTING;
        if paste::is_session(&text, &self.text) {
            self.is_in_session = true;
        } else if self.is_in_session && (is_pasted || paste::is_output(&text)) {
            return Ok(Vec::new());
        } else {
            self.is_in_session = false;
        }
        Ok(paste::entries(&text, &self.text))
    }

    /// Whether the last text came from the editor, which has seen its keys.
    fn has_editor(&self) -> bool {
        self.keys.state().last_key.is_some_and(|last| last >= self.reading_since)
    }

    /// Reads lines until they are complete, or until an empty line submits them.
    fn read_text(&mut self) -> rustyline::Result<String> {
        let mark = self.text.clone();
        let palette = self.output.palette;
        let mut text = self.read_line(&mark, &palette.paint(MARK, &mark))?;
        // The editor reads continuation lines itself; without an editor this loop does.
        while paste::is_unfinished(&text, &mark) && !paste::is_forced(&text) {
            let line = match self.read_line(CONTINUATION_PROMPT, &palette.paint(DIM, CONTINUATION_PROMPT)) {
                Err(ReadlineError::Eof) => return Ok(text),
                line => line?,
            };
            text.push('\n');
            text.push_str(&line);
        }
        Ok(text)
    }

    fn read_line(&mut self, prompt: &str, styled: &str) -> rustyline::Result<String> {
        let mut line = self.editor.readline(&(prompt, styled));
        while let Ok(text) = &line
            && self.keys.state().edit.take_if(|edit| *edit == Edit::OpenEditor).is_some()
        {
            let text = continuation::strip_padding(text, 0).0;
            let edited = frontend::edit(&text).map(Option::unwrap_or_default);
            let edited = edited.or_else(|message| self.output.complain(&message).map(|()| text))?;
            line = self.editor.readline_with_initial(&(prompt, styled), (&continuation::pad(&edited), ""));
        }
        let line = line?;
        if self.keys.state().edit == Some(Edit::Discard) {
            return Err(ReadlineError::Interrupted);
        }
        Ok(continuation::strip_padding(&line, 0).0)
    }

    fn shown(&self, entry: &str) -> String {
        let (line, palette) = (continuation::pad(entry.trim_end()), self.output.palette);
        let symbols = self.editor.helper().map(|helper| &helper.symbols);
        let line = symbols.map_or_else(|| line.clone(), |symbols| paint::painted(&line, None, symbols, palette));
        format!("{}{line}", palette.paint(MARK, &self.text))
    }

    /// Removes an entry that made a Sensitive after it was interrupted, now that it has ended.
    fn forget_ended(&mut self) {
        if let Some((entry, noted)) = self.ending.take()
            && self.worker.secrets.noted() > noted
        {
            self.forget(&entry);
        }
    }

    /// Removes an entry that made a Sensitive from the history, and those that have something of its content in them.
    fn forget(&mut self, entry: &str) {
        let entry = continuation::pad(entry.trim_end());
        let is_kept = |kept: &str| kept != entry && !self.worker.secrets.are_in(kept);
        history::forget(&mut self.editor, self.history.as_deref(), is_kept);
    }
}
