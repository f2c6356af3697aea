//! The prompt: an editor in front of a session.
//!
//! An entry that is not finished goes on in the next line, behind a mark that is drawn as a prompt ([`continuation`](super::continuation)). Where
//! there is no editor (`TERM=dumb`, a pipe), lines are read one by one with a prompt each.

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
mod viewport;

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pcore::assist::SymbolIndex;
use pcore::report::Severity;
use pcore::session::commands::CommandLine;
use pcore::session::settings::{self, Settings};
use pcore::session::{Errand, Session};
use pcore::syntax;
use pcore::text::Source;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, CompletionType, Config, EditMode, Editor};
use unicode_width::UnicodeWidthStr;

use super::continuation::{self, CONTINUATION_PROMPT, PROMPT};
use crate::cli::arguments::{Common, Run};
use crate::cli::entry::{self, Said, Sink, Stream, Told};
use crate::cli::output::Output;
use crate::cli::show::{self, Palette};
use crate::cli::style::{Look, Screen};
use crate::cli::watchdog::Watchdog;
use crate::cli::{Ending, Outcome, config, input};
use helper::Assistant;
use keys::Keys;
use session_log::{Record, Recorded};

/// Nobody types an entry within this time; a terminal that pastes does.
const PASTING: Duration = Duration::from_millis(50);

/// Answers what the command line names, then reads and answers entries until the user leaves.
pub(super) fn prompt(mut session: Session, arguments: &Run, common: &Common, output: &mut Output) -> Ending {
    let folder = if arguments.no_config { None } else { config::folder() };
    let problems = folder.as_ref().map(|folder| config::read(folder, &mut session)).unwrap_or_default();
    // What the command line says counts more than the file.
    common.apply(&mut session);
    output.color(session.settings.color);
    let start_file = folder.as_deref().and_then(config::start_file);
    output.say(&first_line(common.modules(), start_file.is_some().then_some(config::START)))?;
    for problem in &problems {
        output.report(&show::error(problem, Severity::Error, output.error_palette))?;
    }
    let raised_by_key = session.interrupt.clone();
    ctrlc::set_handler(move || raised_by_key.raise()).map_err(io::Error::other)?;
    let mut prompt = Prompt::new(&session).map_err(io::Error::other)?;
    prompt.apply(&session.settings, output).map_err(io::Error::other)?;
    if let Some(path) = start_file {
        // Nobody has asked for its results.
        prompt.load(&path, Said::is_problem, &mut session, output)?;
    }
    let named = arguments.execute.iter().filter(|code| !code.trim().is_empty()).cloned().collect();
    if prompt.answer_all(named, &mut session, output)?.is_break() {
        return Ok(Outcome::Fine);
    }
    let is_shown = if arguments.quiet { |said: &Said| !matches!(said, Said::Value(_)) } else { |_: &Said| true };
    for path in &arguments.files {
        if let Told::Interrupted = prompt.load(&path.display().to_string(), is_shown, &mut session, output)? {
            break;
        }
    }
    output.flush()?;
    loop {
        prompt.apply(&session.settings, output).map_err(io::Error::other)?;
        // Not after the reading: Ctrl-C right behind Enter means the entry.
        session.interrupt.clear();
        let entries = match prompt.read(&session) {
            Ok(entries) => VecDeque::from(entries),
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => {
                if !prompt.has_editor() {
                    output.end_line()?;
                }
                return Ok(Outcome::Fine);
            }
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                output.complain("what was typed is not UTF-8")?;
                continue;
            }
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(error) => return Err(io::Error::other(error)),
        };
        if prompt.answer_all(entries, &mut session, output)?.is_break() {
            return Ok(Outcome::Fine);
        }
    }
}

/// `pcore 0.1.0 (module web, init.pp); …`
fn first_line(modules: Option<String>, start_file: Option<&str>) -> String {
    let loaded: Vec<String> = modules.into_iter().chain(start_file.map(str::to_owned)).collect();
    let loaded = if loaded.is_empty() { String::new() } else { format!(" ({})", loaded.join(", ")) };
    format!("pcore {}{loaded}; :help shows the commands, :tour the types, Ctrl-D leaves", env!("CARGO_PKG_VERSION"))
}

/// Where entries are typed.
struct Prompt {
    editor: Editor<Assistant, DefaultHistory>,
    keys: Keys,
    palette: Palette,
    history: Option<PathBuf>,
    /// Whether a session is being pasted line by line.
    is_in_session: bool,
    /// What stands in front of an entry.
    mark: String,
    record: Record,
    watchdog: Watchdog,
    /// When the user could begin to type.
    reading_since: Instant,
}

impl Prompt {
    fn new(session: &Session) -> rustyline::Result<Prompt> {
        let palette = Palette::Plain;
        let config = Config::builder()
            .history_ignore_dups(true)?
            .history_ignore_space(true)
            // The highlighter draws the continuation prompt even where nothing is coloured.
            .color_mode(ColorMode::Forced)
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .bell_style(BellStyle::None)
            .auto_add_history(false)
            .build();
        let mut editor = Editor::with_config(config)?;
        let keys = Keys::default();
        editor.set_helper(Some(Assistant::new(palette, keys.clone())));
        for (event, handler) in keys.bindings() {
            editor.bind_sequence(event, handler);
        }
        Ok(Prompt {
            editor,
            keys,
            palette,
            history: history::file(),
            is_in_session: false,
            mark: PROMPT.to_owned(),
            record: Record::of(session),
            watchdog: Watchdog::start(),
            reading_since: Instant::now(),
        })
    }

    /// Works as is set from now on.
    fn apply(&mut self, settings: &Settings, output: &mut Output) -> rustyline::Result<()> {
        output.color(settings.color);
        self.palette = output.palette;
        self.editor.set_edit_mode(match settings.keys {
            settings::Keys::Emacs => EditMode::Emacs,
            settings::Keys::Vi => EditMode::Vi,
        });
        self.mark = format!("{} ", settings.prompt);
        self.keys.set_prompt(&self.mark);
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.palette = output.palette;
            assistant.prompt_width = self.mark.width();
        }
        self.editor.set_max_history_size(settings.history)
    }

    /// Answers entries in order, and what they lead to; several are shown as if they had been typed. Breaks when the user
    /// wants to leave.
    fn answer_all(
        &mut self,
        mut entries: VecDeque<String>,
        session: &mut Session,
        output: &mut Output,
    ) -> io::Result<ControlFlow<()>> {
        let mut is_echoed = entries.len() > 1;
        while let Some(entry) = entries.pop_front() {
            if is_echoed {
                output.say(&self.shown(&entry))?;
            }
            self.remember(&entry);
            let told =
                self.hear(&entry, |_| true, session, output, |session, sink| entry::run(session, &entry, sink))?;
            match told {
                Told::Answer | Told::Error => {}
                Told::Interrupted => break,
                Told::Quit => return Ok(ControlFlow::Break(())),
                Told::Asked(errand) => {
                    if let Some(edited) = self.carry_out(errand, output)? {
                        is_echoed = true;
                        entries.push_front(edited);
                    }
                }
            }
            if session.interrupt.is_raised() {
                break;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Runs a file, as an entry that loads it does.
    fn load(
        &mut self,
        path: &str,
        is_shown: fn(&Said) -> bool,
        session: &mut Session,
        output: &mut Output,
    ) -> io::Result<Told> {
        session.interrupt.clear();
        let entry = format!(":load {path}");
        self.hear(&entry, is_shown, session, output, |session, sink| entry::load(session, path, sink))
    }

    /// Prints what is told while an entry is answered, as far as it `is_shown`, and keeps all of it for the transcript.
    fn hear(
        &mut self,
        entry: &str,
        is_shown: fn(&Said) -> bool,
        session: &mut Session,
        output: &mut Output,
        answer: impl FnOnce(&mut Session, &mut Sink<'_>) -> Told,
    ) -> io::Result<Told> {
        let interrupt = session.interrupt.clone();
        let screen = self.screen();
        let look = Look::of(&session.settings, screen, output.palette, output.error_palette);
        let mut recorded = Recorded::new(entry, session);
        let mut written = Ok(());
        let watch = self.watchdog.watch(interrupt.clone(), None);
        let told = answer(session, &mut |said| {
            if is_shown(&said) {
                let (text, stream) = said.shown(entry, &look);
                written = match stream {
                    Stream::Page
                        if screen.is_some_and(|screen| screen.is_lower_than(&text)) && frontend::page(&text) =>
                    {
                        Ok(())
                    }
                    Stream::Out | Stream::Page => output.say_until(&text, &interrupt),
                    Stream::Err => output.report(&text),
                };
            }
            recorded.hear(said);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        drop(watch);
        written?;
        output.flush()?;
        self.record.keep(recorded, &told);
        Ok(told)
    }

    /// Does what a command asks of a prompt; gives back what is to be entered next.
    fn carry_out(&mut self, errand: Errand, output: &mut Output) -> io::Result<Option<String>> {
        let done = match errand {
            Errand::Edit(program) => match frontend::edit(&program) {
                Ok(edited) => return Ok(edited),
                Err(message) => Err(message),
            },
            Errand::EditFile(path) => match frontend::edit_file(&input::expanded(&path)) {
                Ok(()) => return Ok(Some(format!(":load {path}"))),
                Err(message) => Err(message),
            },
            Errand::Write { path, text, what } => {
                frontend::write(&path, &text).map(|()| format!("wrote {what} to {path}"))
            }
            Errand::Transcript(path) => self.write_transcript(&path),
            Errand::History(part) => Ok(self.earlier(&part)),
        };
        match done {
            Ok(said) => output.say(&said),
            Err(message) => output.complain(&message),
        }
        .map(|()| None)
    }

    /// Writes the session as a transcript; gives back what to say of it.
    fn write_transcript(&self, path: &str) -> Result<String, String> {
        let transcript = self.record.transcript();
        if transcript.entries == 0 {
            return Err("there is nothing to write yet; enter a program first".to_owned());
        }
        frontend::write(path, &transcript.text)?;
        let wrote = format!("wrote {} to {path}", show::counted(transcript.entries, "entry", "entries"));
        Ok(match transcript.left_out {
            0 => wrote,
            left_out => format!("{wrote}; {left_out} left out, whose answers have prompts in them"),
        })
    }

    /// The earlier entries that contain `part`, as they would be typed.
    fn earlier(&self, part: &str) -> String {
        let entries = self.editor.history().iter().map(|entry| continuation::unmarked(entry, 0).0);
        let shown: Vec<String> = entries.filter(|entry| entry.contains(part)).map(|entry| self.shown(&entry)).collect();
        if shown.is_empty() { "no such entries".to_owned() } else { shown.join("\n") }
    }

    /// The terminal that shows what is answered; none where that goes elsewhere.
    fn screen(&mut self) -> Option<Screen> {
        let (columns, rows) = self.editor.dimensions()?;
        Some(Screen { columns: columns.into(), rows: rows.into() })
    }

    /// Reads what is typed or pasted until it is finished: no entry, one, or all of a session.
    fn read(&mut self, session: &Session) -> rustyline::Result<Vec<String>> {
        if let Some(file) = &self.history {
            history::load(&mut self.editor, file);
        }
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.symbols = SymbolIndex::of(session);
        }
        session.interrupt.clear();
        self.reading_since = Instant::now();
        let text = self.read_text()?;
        // In an editor Ctrl-C was a key until it was left: what is raised since then is for this entry.
        if !self.has_editor() {
            session.interrupt.clear();
        }
        let is_pasted = self.reading_since.elapsed() < PASTING;
        if paste::is_session(&text, &self.mark) {
            self.is_in_session = true;
        } else if self.is_in_session && (is_pasted || paste::is_answer(&text)) {
            return Ok(Vec::new());
        } else {
            self.is_in_session = false;
        }
        Ok(paste::entries(&text, &self.mark))
    }

    /// Whether what was read last was typed in an editor, which has seen its keys.
    fn has_editor(&self) -> bool {
        self.keys.are_pressed_since(self.reading_since)
    }

    /// Reads lines until they are finished, or until an empty line forces the end.
    fn read_text(&mut self) -> rustyline::Result<String> {
        let mark = self.mark.clone();
        let mut text = self.read_line(&mark, &self.palette.mark(&mark))?;
        // The editor has asked for more lines itself; without an editor it is done here.
        while is_unfinished(&text, &mark) && !is_forced(&text) {
            let line = match self.read_line(CONTINUATION_PROMPT, &self.palette.dim(CONTINUATION_PROMPT)) {
                Err(ReadlineError::Eof) => return Ok(text),
                line => line?,
            };
            text.push('\n');
            text.push_str(&line);
        }
        Ok(text)
    }

    fn read_line(&mut self, prompt: &str, styled: &str) -> rustyline::Result<String> {
        let line = self.editor.readline(&(prompt, styled))?;
        if self.keys.is_dropped() {
            return Err(ReadlineError::Interrupted);
        }
        Ok(continuation::unmarked(&line, 0).0)
    }

    /// An entry as if it had been typed.
    fn shown(&self, entry: &str) -> String {
        let line = continuation::marked(entry.trim_end());
        let symbols = self.editor.helper().map(|assistant| &assistant.symbols);
        let line = symbols.map_or_else(|| line.clone(), |symbols| paint::painted(&line, None, symbols, self.palette));
        format!("{}{line}", self.palette.mark(&self.mark))
    }

    fn remember(&mut self, entry: &str) {
        history::remember(&mut self.editor, &continuation::marked(entry.trim_end()), self.history.as_deref());
    }
}

/// Whether a text needs more lines: its last entry ends too early.
pub(super) fn is_unfinished(text: &str, prompt: &str) -> bool {
    paste::entries(text, prompt).last().is_some_and(|entry| match CommandLine::of(entry) {
        Some(command) => command.is_unfinished(),
        None => syntax::parse(&Source::new("entry", entry.as_str())).is_err_and(|error| error.is_unfinished()),
    })
}

/// Whether an empty line asks for the end of a text.
pub(super) fn is_forced(text: &str) -> bool {
    text.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty())
}
