//! The interactive prompt: a line editor in front of a session.
//!
//! An unfinished entry continues on the next line, with a padding that is drawn as a prompt
//! ([`continuation`](super::continuation)). Without an editor (`TERM=dumb`, a pipe) lines are read one by one.

mod candidate_list;
mod frontend;
mod helper;
mod hint;
mod history;
mod keys;
mod paint;
mod paste;
mod session_log;
mod signals;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{collections::VecDeque, io, ops::ControlFlow, path::PathBuf};

use pcore::assist::SymbolIndex;
use pcore::report::Severity;
use pcore::session::{Console, FrontendRequest, settings};
use pcore::wording::pluralize;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, CompletionType, Config, EditMode, Editor};
use unicode_width::UnicodeWidthStr;

use super::continuation::{self, CONTINUATION_PROMPT, PROMPT};
use crate::cli::arguments::{CommonOptions, ProgramArgument, RunOptions, working_directory};
use crate::cli::entry::{self, EntryOutcome, EventSink, OutputEvent, OutputStream};
use crate::cli::show::{DIM, MARKER_STYLE};
use crate::cli::style::{OutputStyle, ScreenSize};
use crate::cli::{Ending, Outcome, config, input, output::Output, run_check_at_prompt, watchdog, wrap::wrap_line};
use helper::PromptHelper;
use keys::{KeyBindings, PendingEdit};
use session_log::{LoggedEntry, SessionLog};

/// The time of the first Ctrl-C since the last entry was read, shared with the signal handler.
type CtrlCTime = Arc<Mutex<Option<Instant>>>;

/// Locks `shared`, even if a thread has panicked while it held the lock: the content is consistent at any time.
fn lock_even_if_poisoned<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An entry that is complete within this time after the prompt began to read was pasted: nobody types as fast.
const MAX_PASTED_ENTRY_TIME: Duration = Duration::from_millis(50);

pub(super) fn run_prompt(
    mut session: Console,
    arguments: &RunOptions,
    common: &CommonOptions,
    output: &mut Output,
) -> Ending {
    let folder = if arguments.no_config { None } else { config::config_directory() };
    let problems = folder.as_ref().map(|folder| config::apply_config_file(folder, &mut session)).unwrap_or_default();
    // The command line overrides config.toml.
    common.apply_strictness_and_color(&mut session);
    output.choose_colors(session.settings.color, session.settings.theme);
    let start_file = folder.as_deref().and_then(config::init_file_path);
    let modules = common.current_project().banner_summary(&working_directory());
    let first_line = banner_text(modules, start_file.is_some().then_some(config::INIT_FILE_NAME));
    let columns = helper::screen_size().map_or(usize::MAX, |screen| screen.columns);
    output.print_line(&first_line.lines().map(|line| wrap_line(line, columns)).collect::<Vec<_>>().join("\n"))?;
    problems.iter().try_for_each(|problem| output.report_error(problem, Severity::Error))?;
    let (interrupt, pressed) = (session.interrupt.clone(), CtrlCTime::default());
    let presses = CtrlCTime::clone(&pressed);
    signals::handle_signals(move || {
        lock_even_if_poisoned(&presses).get_or_insert_with(Instant::now);
        interrupt.raise();
    })?;
    let mut prompt = Prompt::new(session, pressed, output).map_err(io::Error::other)?;
    prompt.apply_settings().map_err(io::Error::other)?;
    if let Some(path) = start_file {
        // Its results are not shown, only its problems.
        prompt.load_file(&path, OutputEvent::is_problem)?;
    }
    let is_shown: fn(&OutputEvent) -> bool = if arguments.quiet { |event| event.value().is_none() } else { |_| true };
    for program in &arguments.programs {
        match program {
            ProgramArgument::Code(code) if code.trim().is_empty() => {}
            ProgramArgument::Code(code) => {
                if prompt.run_entries([code.clone()].into())?.is_break() {
                    return Ok(Outcome::Fine);
                }
            }
            ProgramArgument::File(path) => {
                if let EntryOutcome::Interrupted = prompt.load_file(&path.display().to_string(), is_shown)? {
                    break;
                }
            }
        }
    }
    prompt.output.flush()?;
    loop {
        prompt.apply_settings().map_err(io::Error::other)?;
        let entries = match prompt.read_entries() {
            Ok(entries) => VecDeque::from(entries),
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => {
                if prompt.time_of_last_key().is_none() && prompt.output.is_terminal {
                    prompt.output.print_line("")?;
                }
                return Ok(Outcome::Fine);
            }
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                prompt.output.print_error_message("the input is not valid UTF-8")?;
                continue;
            }
            Err(ReadlineError::Io(error)) => return Err(error.into()),
            Err(error) => return Err(io::Error::other(error).into()),
        };
        if prompt.run_entries(entries)?.is_break() {
            return Ok(Outcome::Fine);
        }
    }
}

/// Returns `pcore 0.2.0 (module web, init.pp); …`, in two lines if one would be longer than 80 columns.
fn banner_text(modules: Option<String>, start_file: Option<&str>) -> String {
    let loaded: Vec<String> = modules.into_iter().chain(start_file.map(str::to_owned)).collect();
    let loaded = if loaded.is_empty() { String::new() } else { format!(" ({})", loaded.join(", ")) };
    let version = format!("pcore {}{loaded};", env!("CARGO_PKG_VERSION"));
    let hint = ":help shows the commands, :tour the types, Ctrl-D leaves";
    // Nearly every terminal has 80 columns.
    let separator = if version.len() + 1 + hint.len() > 80 { "\n" } else { " " };
    format!("{version}{separator}{hint}")
}

struct Prompt<'o> {
    session: Console,
    ctrl_c_time: CtrlCTime,
    output: &'o mut Output,
    editor: Editor<PromptHelper, DefaultHistory>,
    keys: KeyBindings,
    history_file: Option<PathBuf>,
    /// Whether the lines of a session with prompts and output are being pasted one by one.
    is_in_pasted_session: bool,
    log: SessionLog,
    reading_start_time: Instant,
}

impl Prompt<'_> {
    fn new(session: Console, pressed: CtrlCTime, output: &mut Output) -> rustyline::Result<Prompt<'_>> {
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
        let keys = KeyBindings::default();
        editor.set_helper(Some(PromptHelper::new(keys.clone())));
        for (event, handler) in keys.bindings() {
            editor.bind_sequence(event, handler);
        }
        Ok(Prompt {
            log: SessionLog::new(&session),
            session,
            ctrl_c_time: pressed,
            output,
            editor,
            keys,
            history_file: history::history_file(),
            is_in_pasted_session: false,
            reading_start_time: Instant::now(),
        })
    }

    fn apply_settings(&mut self) -> rustyline::Result<()> {
        let settings = &self.session.settings;
        self.output.choose_colors(settings.color, settings.theme);
        self.editor.set_edit_mode(match settings.key_style {
            settings::Keys::Emacs => EditMode::Emacs,
            settings::Keys::Vi => EditMode::Vi,
        });
        self.keys.lock_state().prompt = format!("{} ", settings.prompt);
        if let Some(helper) = self.editor.helper_mut() {
            helper.palette = self.output.palette;
        }
        self.editor.set_max_history_size(settings.history_size)
    }

    /// Runs `entries` and the entries that their commands request, in order. If there are several, prints each as if it
    /// had been typed. Returns `Break` when the user leaves the prompt.
    fn run_entries(&mut self, mut entries: VecDeque<String>) -> io::Result<ControlFlow<()>> {
        let mut is_echoed = entries.len() > 1;
        while let Some(entry) = entries.pop_front() {
            if is_echoed {
                let shown = self.paint_entry_with_prompt(&entry);
                self.output.print_styled_line(&shown)?;
            }
            let secrets = self.session.secrets().clone();
            let padded = continuation::add_padding(entry.trim_end());
            if !secrets.occur_in(&entry) {
                history::add_entry(&mut self.editor, &padded, self.history_file.as_deref());
            }
            let noted = secrets.noted_count();
            let outcome =
                self.run_and_log(&entry, |_| true, |session, sink| entry::run_entry(session, &entry, sink))?;
            if secrets.noted_count() > noted {
                // It has created a Sensitive.
                let is_kept = |kept: &str| kept != padded && !secrets.occur_in(kept);
                history::remove_entries(&mut self.editor, self.history_file.as_deref(), is_kept);
            }
            match outcome {
                EntryOutcome::Done | EntryOutcome::Failed => {}
                EntryOutcome::Interrupted => break,
                EntryOutcome::Quit => return Ok(ControlFlow::Break(())),
                EntryOutcome::Requested(request) => {
                    for edited in self.perform_request(request)?.into_iter().rev() {
                        is_echoed = true;
                        entries.push_front(edited);
                    }
                }
            }
            if self.session.interrupt.is_raised() {
                break;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn load_file(&mut self, path: &str, is_shown: fn(&OutputEvent) -> bool) -> io::Result<EntryOutcome> {
        self.clear_interrupt();
        self.run_and_log(&format!(":load {path}"), is_shown, |session, sink| entry::run_file(session, path, sink))
    }

    fn clear_interrupt(&self) {
        *lock_even_if_poisoned(&self.ctrl_c_time) = None;
        self.session.interrupt.clear();
    }

    /// Runs `entry` by calling `run`, prints the output that `is_shown` accepts, and logs all output.
    fn run_and_log(
        &mut self,
        entry: &str,
        is_shown: fn(&OutputEvent) -> bool,
        run: impl FnOnce(&mut Console, &mut EventSink<'_>) -> EntryOutcome,
    ) -> io::Result<EntryOutcome> {
        let screen = helper::screen_size().filter(|_| self.output.is_terminal);
        let (session, output) = (&mut self.session, &mut *self.output);
        let interrupt = session.interrupt.clone();
        let palettes = [output.palette, output.stderr_palette];
        let style = OutputStyle::from_settings(&session.settings, screen, palettes);
        let mut logged = LoggedEntry::for_entry(entry, session);
        let (mut written, mut is_false) = (Ok(()), false);
        let watch = watchdog::watch_limits(interrupt.clone(), session.limits);
        let is_paged =
            |text: &str| screen.is_some_and(|screen| screen.is_too_small_for(text)) && frontend::show_in_pager(text);
        let outcome = run(session, &mut |event| {
            is_false = event.value().map_or(is_false, |value| *value == false.into());
            if is_shown(&event) && written.is_ok() {
                let (text, stream) = event.render(entry, &style);
                written = match stream {
                    OutputStream::Page if is_paged(&text) => Ok(()),
                    OutputStream::Out | OutputStream::Page => output.print_until_interrupt(&text, &interrupt),
                    OutputStream::Err => output.print_stderr_line(&text),
                };
            }
            logged.push_event(event);
        });
        drop(watch);
        written?;
        if let Some(helper) = self.editor.helper_mut() {
            helper.is_last_result_false = is_false;
        }
        output.flush()?;
        self.log.record_entry(logged, &outcome, session.secrets());
        Ok(outcome)
    }

    /// Performs the `request` of a command to the prompt. Returns the entries to run next.
    fn perform_request(&mut self, request: FrontendRequest) -> io::Result<Vec<String>> {
        let done = match request {
            FrontendRequest::Edit(program, first) => match frontend::edit_in_editor(&program) {
                Ok(edited) => return Ok(first.into_iter().chain(edited).collect()),
                Err(message) => Err(message),
            },
            FrontendRequest::EditFile(path, line, then) => {
                match frontend::edit_file(&input::expand_home(&path), line) {
                    Ok(()) => return Ok(vec![then]),
                    Err(message) => Err(message),
                }
            }
            FrontendRequest::Write { path, text, what } => {
                frontend::write_new_file(&path, &text).map(|()| format!("wrote {what} to {path}"))
            }
            FrontendRequest::Check(path) => return run_check_at_prompt(&path, self.output).map(|()| Vec::new()),
            FrontendRequest::Transcript(path) => self.save_transcript(&path),
            FrontendRequest::History(part) => Ok(self.search_history(&part)),
        };
        match done {
            Ok(said) => self.output.print_styled_line(&said),
            Err(message) => self.output.print_error_message(&message),
        }
        .map(|()| Vec::new())
    }

    fn save_transcript(&self, path: &str) -> Result<String, String> {
        let (transcript, entries, left_out) = self.log.to_transcript(self.session.secrets());
        if entries == 0 {
            return Err("nothing to write yet; enter a program first".to_owned());
        }
        frontend::write_new_file(path, &transcript)?;
        let wrote = format!("wrote {} to {path}", pluralize(entries, "entry"));
        Ok(match left_out {
            0 => wrote,
            left_out => format!("{wrote}; left out {left_out} with secrets or with prompts in the output"),
        })
    }

    /// Returns the entries of the history that contain `part`, with prompts; if `part` is a number, that many of the
    /// last entries. Leaves out the `:history` command itself.
    fn search_history(&self, part: &str) -> String {
        let mut entries: Vec<String> =
            self.editor.history().iter().map(|entry| continuation::strip_prompt_padding(entry)).collect();
        entries.pop_if(|last| last.trim_start().starts_with(':'));
        match part.parse::<usize>() {
            Ok(count) => drop(entries.drain(..entries.len().saturating_sub(count))),
            Err(_) => entries.retain(|entry| entry.contains(part)),
        }
        if entries.is_empty() {
            return "no matching entries".to_owned();
        }
        entries.iter().map(|entry| self.paint_entry_with_prompt(entry)).collect::<Vec<_>>().join("\n")
    }

    /// Reads typed or pasted lines until they are complete. Returns the entries: several if a session was pasted.
    fn read_entries(&mut self) -> rustyline::Result<Vec<String>> {
        if let Some(file) = &self.history_file {
            history::load_history(&mut self.editor, file);
        }
        if let Some(helper) = self.editor.helper_mut() {
            self.session.preload_hiera_data();
            helper.symbols = SymbolIndex::of(&self.session);
        }
        // Not after reading: Ctrl-C right after Enter interrupts the entry.
        self.clear_interrupt();
        self.reading_start_time = Instant::now();
        let text = self.read_complete_text()?;
        // In the editor Ctrl-C is a key: what was raised after the last one is for this entry.
        let was_pressed_before =
            |last: Instant| lock_even_if_poisoned(&self.ctrl_c_time).is_some_and(|pressed| pressed < last);
        if self.time_of_last_key().is_none_or(was_pressed_before) {
            self.clear_interrupt();
        }
        let is_pasted = self.reading_start_time.elapsed() < MAX_PASTED_ENTRY_TIME;
        let mark = self.keys.lock_state().prompt.clone();
        let is_session = paste::is_pasted_session(&text, &mark);
        let is_output = !is_session && self.is_in_pasted_session && (is_pasted || paste::is_output_line(&text));
        self.is_in_pasted_session = is_session || is_output;
        Ok(if is_output { Vec::new() } else { paste::split_into_entries(&text, &mark) })
    }

    /// Returns when a key was last pressed since reading began; `None` if the text was read without the editor.
    fn time_of_last_key(&self) -> Option<Instant> {
        self.keys.lock_state().last_key_time.filter(|last| *last >= self.reading_start_time)
    }

    fn read_complete_text(&mut self) -> rustyline::Result<String> {
        let mark = self.keys.lock_state().prompt.clone();
        let palette = self.output.palette;
        let mut text = self.read_line(&mark, &palette.paint_text(MARKER_STYLE, &mark))?;
        // The editor reads continuation lines itself; without an editor this loop does.
        while paste::is_unfinished(&text, &mark) && !paste::ends_with_empty_line(&text) {
            let line = match self.read_line(CONTINUATION_PROMPT, &palette.paint_text(DIM, CONTINUATION_PROMPT)) {
                Err(ReadlineError::Eof) => return Ok(text),
                line => line?,
            };
            text.extend(["\n", &line]);
        }
        Ok(text)
    }

    fn read_line(&mut self, prompt: &str, styled: &str) -> rustyline::Result<String> {
        let mut line = self.editor.readline(&(prompt, styled));
        while let Ok(text) = &line
            && self.keys.lock_state().pending_edit.take_if(|edit| *edit == PendingEdit::OpenEditor).is_some()
        {
            let text = continuation::strip_prompt_padding(text);
            let edited = frontend::edit_in_editor(&text).map(Option::unwrap_or_default);
            let edited = edited.or_else(|message| self.output.print_error_message(&message).map(|()| text))?;
            line = self.editor.readline_with_initial(&(prompt, styled), (&continuation::add_padding(&edited), ""));
        }
        let line = line?;
        if self.keys.lock_state().pending_edit == Some(PendingEdit::Discard) {
            return Err(ReadlineError::Interrupted);
        }
        Ok(continuation::strip_prompt_padding(&line))
    }

    fn paint_entry_with_prompt(&self, entry: &str) -> String {
        let (line, palette) = (continuation::add_padding(entry.trim_end()), self.output.palette);
        let symbols = self.editor.helper().map(|helper| &helper.symbols);
        let line = symbols.map_or_else(|| line.clone(), |symbols| paint::paint_entry(&line, None, symbols, palette));
        palette.paint_text(MARKER_STYLE, &self.keys.lock_state().prompt) + &line
    }
}
