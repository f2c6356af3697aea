//! The prompt: an editor in front of a session.
//!
//! An entry that is not finished goes on in the next line, behind a mark that is drawn as a prompt ([`marks`]). Where
//! there is no editor (`TERM=dumb`, a pipe), lines are read one by one with a prompt each.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pcore::session::{Interrupt, Session};
use pcore::syntax;
use pcore::text::Source;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, CompletionType, Config, EditMode, Editor};

use super::assistant::Assistant;
use super::entry::{self, Look, Stream, Told};
use super::keys::Keys;
use super::marks::{self, CONTINUATION_PROMPT, PROMPT};
use super::names::Names;
use super::output::Output;
use super::show::Palette;
use super::watchdog::Watchdog;
use super::{Ending, Outcome, highlight, history, pasted};

/// Nobody types an entry within this time; a terminal that pastes does.
const PASTING: Duration = Duration::from_millis(50);

/// Reads and answers entries until the user leaves.
///
/// `modules` says in the banner which modules there are.
pub(super) fn prompt(mut session: Session, modules: Option<String>, output: &mut Output) -> Ending {
    let look = Look { out: output.palette, err: output.error_palette };
    output.say(&format!("pcore {}; :help shows the commands, Ctrl-D leaves", env!("CARGO_PKG_VERSION")))?;
    if let Some(modules) = modules {
        output.say(&modules)?;
    }
    output.flush()?;
    let mut prompt = Prompt::new(look.out).map_err(io::Error::other)?;
    let interrupt = session.interrupt.clone();
    let raised_by_key = interrupt.clone();
    ctrlc::set_handler(move || raised_by_key.raise()).map_err(io::Error::other)?;
    let mut watchdog = Watchdog::start();
    loop {
        let entries = match prompt.read(&session) {
            Ok(entries) => entries,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(Outcome::Fine),
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                output.complain("what was typed is not UTF-8")?;
                continue;
            }
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(error) => return Err(io::Error::other(error)),
        };
        interrupt.clear();
        let are_several = entries.len() > 1;
        for entry in entries {
            if are_several {
                output.say(&prompt.shown(&entry))?;
            }
            prompt.remember(&entry);
            let _watch = watchdog.watch(interrupt.clone(), None);
            let told = answer(&mut session, &entry, look, &interrupt, output)?;
            if told == Told::Quit {
                return Ok(Outcome::Fine);
            }
            if interrupt.is_raised() {
                break;
            }
        }
    }
}

/// Runs an entry and prints what is answered.
fn answer(
    session: &mut Session,
    entry: &str,
    look: Look,
    interrupt: &Interrupt,
    output: &mut Output,
) -> io::Result<Told> {
    let mut written = Ok(());
    let told = entry::run(session, entry, look, &mut |text, stream| {
        written = match stream {
            Stream::Out => output.say_until(&text, interrupt),
            Stream::Err => output.report(&text),
        };
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written?;
    output.flush()?;
    Ok(told)
}

/// Where entries are typed.
struct Prompt {
    editor: Editor<Assistant, DefaultHistory>,
    keys: Keys,
    palette: Palette,
    history: Option<PathBuf>,
    /// Whether a session is being pasted line by line.
    is_in_session: bool,
}

impl Prompt {
    fn new(palette: Palette) -> rustyline::Result<Prompt> {
        let config = Config::builder()
            .max_history_size(history::MAX_ENTRIES)?
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
        Ok(Prompt { editor, keys, palette, history: history::file(), is_in_session: false })
    }

    /// Which keys edit the line.
    #[expect(dead_code, reason = "`:set keys` is on its way")]
    fn set_keys(&mut self, mode: EditMode) {
        self.editor.set_edit_mode(mode);
    }

    /// Reads what is typed or pasted until it is finished: no entry, one, or all of a session.
    fn read(&mut self, session: &Session) -> rustyline::Result<Vec<String>> {
        if let Some(file) = &self.history {
            history::load(&mut self.editor, file);
        }
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.names = Names::of(session);
        }
        let start = Instant::now();
        let text = self.read_text()?;
        let is_pasted = start.elapsed() < PASTING;
        if pasted::is_session(&text) {
            self.is_in_session = true;
        } else if self.is_in_session && (is_pasted || pasted::is_answer(&text)) {
            return Ok(Vec::new());
        } else {
            self.is_in_session = false;
        }
        Ok(pasted::entries(&text))
    }

    /// Reads lines until they are finished, or until an empty line forces the end.
    fn read_text(&mut self) -> rustyline::Result<String> {
        let mut text = self.read_line(PROMPT, &self.palette.mark(PROMPT))?;
        // The editor has asked for more lines itself; without an editor it is done here.
        while is_unfinished(&text) && !is_forced(&text) {
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
        Ok(marks::unmarked(&line, 0).0)
    }

    /// An entry as if it had been typed.
    fn shown(&self, entry: &str) -> String {
        let line = marks::marked(entry.trim_end());
        let names = self.editor.helper().map(|assistant| &assistant.names);
        let line = names.map_or_else(|| line.clone(), |names| highlight::painted(&line, None, names, self.palette));
        format!("{}{line}", self.palette.mark(PROMPT))
    }

    fn remember(&mut self, entry: &str) {
        history::remember(&mut self.editor, &marks::marked(entry.trim_end()), self.history.as_deref());
    }
}

/// Whether a text needs more lines: its last entry ends too early.
pub(super) fn is_unfinished(text: &str) -> bool {
    pasted::entries(text).last().is_some_and(|entry| {
        !pasted::is_command(entry)
            && syntax::parse(&Source::new("entry", entry.as_str())).is_err_and(|error| error.is_unfinished())
    })
}

/// Whether an empty line asks for the end of a text.
pub(super) fn is_forced(text: &str) -> bool {
    text.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty())
}
