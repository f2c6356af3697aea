//! The prompt: an editor in front of a session.
//!
//! An entry that is not finished goes on in the next line. The editor (rustyline) shows one prompt, in front of the
//! first line; the others get theirs by a small trick: Enter inserts, after the newline, a mark of three no-break
//! spaces ([`CONTINUATION`]), which the highlighter draws as `.. ` and which is taken out before the entry is
//! evaluated. Where there is no editor (`TERM=dumb`, a pipe), lines are read one by one with a prompt each.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use etcetera::BaseStrategy;
use pcore::session::Session;
use pcore::syntax;
use pcore::text::Source;
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::history::DefaultHistory;
use rustyline::{
    Cmd, ColorMode, Completer, ConditionalEventHandler, Config, Editor, Event, EventContext, EventHandler, Helper,
    Hinter, KeyCode, KeyEvent, Modifiers, RepeatCount, Validator,
};

use super::entry::{self, Look, Stream, Told};
use super::output::Output;
use super::show::Palette;
use super::{Ending, Outcome};

/// In front of the first line of an entry.
const PROMPT: &str = ">> ";

/// In front of every other line, as it is shown.
const CONTINUATION_PROMPT: &str = ".. ";

/// In front of every other line, as it stands in the editor: as wide as what is shown, and nothing that people type.
const CONTINUATION: &str = "\u{a0}\u{a0}\u{a0}";

/// How many entries the history keeps.
const HISTORY_ENTRIES: usize = 10_000;

type Prompt = Editor<Assistant, DefaultHistory>;

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
    let mut editor = editor(look.out).map_err(io::Error::other)?;
    let history = history_file();
    if let Some(path) = &history {
        // The first run has no history yet.
        let _ = editor.load_history(path);
    }
    let interrupt = session.interrupt.clone();
    let raised_by_key = interrupt.clone();
    ctrlc::set_handler(move || raised_by_key.raise()).map_err(io::Error::other)?;
    loop {
        let entry = match read_entry(&mut editor, look.out) {
            Ok(entry) => entry,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(Outcome::Fine),
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(error) => return Err(io::Error::other(error)),
        };
        remember(&mut editor, &entry, history.as_ref());
        interrupt.clear();
        let mut written = Ok(());
        let told = entry::run(&mut session, &entry, look, &mut |text, stream| {
            written = match stream {
                Stream::Out => output.say_until(&text, &interrupt),
                Stream::Err => output.report(&text),
            };
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written?;
        output.flush()?;
        if told == Told::Quit {
            return Ok(Outcome::Fine);
        }
    }
}

fn editor(palette: Palette) -> rustyline::Result<Prompt> {
    let config = Config::builder()
        .max_history_size(HISTORY_ENTRIES)?
        .history_ignore_dups(true)?
        .history_ignore_space(true)
        // The highlighter draws the continuation prompt even where nothing is coloured.
        .color_mode(ColorMode::Forced)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_auto_add_history(false);
    editor.set_helper(Some(Assistant { palette }));
    editor.bind_sequence(KeyEvent(KeyCode::Enter, Modifiers::NONE), EventHandler::Conditional(Box::new(Enter)));
    Ok(editor)
}

/// Reads lines until they are finished, or until an empty line forces the end.
fn read_entry(editor: &mut Prompt, palette: Palette) -> rustyline::Result<String> {
    let styled = palette.mark(PROMPT);
    let mut entry = editor.readline(&(PROMPT, styled.as_str()))?.replace(&format!("\n{CONTINUATION}"), "\n");
    // The editor has asked for more lines itself; without an editor it is done here.
    while goes_on(&entry) {
        let styled = palette.dim(CONTINUATION_PROMPT);
        let line = match editor.readline(&(CONTINUATION_PROMPT, styled.as_str())) {
            Err(ReadlineError::Eof) => return Ok(entry),
            line => line?,
        };
        entry.push('\n');
        entry.push_str(&line);
    }
    Ok(entry)
}

/// Whether an entry needs more lines: it ends too early, and its last line is not empty.
fn goes_on(entry: &str) -> bool {
    let is_command = entry.trim_start().starts_with([':', '?']);
    let is_forced = entry.contains('\n') && entry.ends_with('\n');
    !is_command && !is_forced && syntax::parse(&Source::new("entry", entry)).is_err_and(|error| error.is_unfinished())
}

/// Adds an entry to the history, unless it may hold a secret.
fn remember(editor: &mut Prompt, entry: &str, file: Option<&PathBuf>) {
    if entry.contains("Sensitive(") {
        return;
    }
    // A history that cannot be kept is no reason to disturb the session.
    let added = editor.add_history_entry(entry.trim_end().replace('\n', &format!("\n{CONTINUATION}")));
    if let (Ok(true), Some(file)) = (added, file) {
        let _ = editor.append_history(file);
    }
}

/// Where the history is kept; nowhere when there is no home.
fn history_file() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let folder = base.state_dir().unwrap_or_else(|| base.data_dir()).join("pcore");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// What helps while typing.
#[derive(Completer, Helper, Hinter, Validator)]
struct Assistant {
    palette: Palette,
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let mark = format!("\n{CONTINUATION}");
        if !line.contains(&mark) {
            return Cow::Borrowed(line);
        }
        Cow::Owned(line.replace(&mark, &format!("\n{}", self.palette.dim(CONTINUATION_PROMPT))))
    }

    fn highlight_char(&self, line: &str, _: usize, _: CmdKind) -> bool {
        line.contains(CONTINUATION)
    }
}

/// Enter: accepts a finished entry, goes on with a new line otherwise.
struct Enter;

impl ConditionalEventHandler for Enter {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let entry = context.line().replace(&format!("\n{CONTINUATION}"), "\n");
        if goes_on(&entry) {
            return Some(Cmd::Insert(1, format!("\n{CONTINUATION}")));
        }
        Some(Cmd::AcceptOrInsertLine { accept_in_the_middle: true })
    }
}
