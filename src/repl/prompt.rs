//! The prompt: an editor in front of a session.
//!
//! An entry that is not finished goes on in the next line. The editor (rustyline) shows one prompt, in front of the
//! first line; the others get theirs by a small trick: Enter inserts, after the newline, a mark of three no-break
//! spaces ([`CONTINUATION`]), which the highlighter draws as `.. ` and which is taken out before the entry is
//! evaluated. Where there is no editor (`TERM=dumb`, a pipe), lines are read one by one with a prompt each.

use std::borrow::Cow;
use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;

use pcore::session::Session;
use pcore::syntax;
use pcore::text::Source;
use rustyline::completion::Completer;
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::{DefaultHistory, SearchDirection};
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event, EventContext,
    EventHandler, Helper, KeyCode, KeyEvent, Modifiers, RepeatCount, Validator,
};

use super::complete;
use super::entry::{self, Look, Stream, Told};
use super::highlight::{self, CONTINUATION, CONTINUATION_PROMPT};
use super::hint::{self, Hinted};
use super::names::Names;
use super::output::Output;
use super::show::Palette;
use super::watchdog::Watchdog;
use super::{Ending, Outcome, history};

/// In front of the first line of an entry.
const PROMPT: &str = ">> ";

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
    let history = history::file();
    if let Some(path) = &history {
        history::load(&mut editor, path);
    }
    let interrupt = session.interrupt.clone();
    let raised_by_key = interrupt.clone();
    ctrlc::set_handler(move || raised_by_key.raise()).map_err(io::Error::other)?;
    let mut watchdog = Watchdog::start();
    loop {
        if let Some(assistant) = editor.helper_mut() {
            assistant.names = Names::of(&session);
        }
        let entry = match read_entry(&mut editor, look.out) {
            Ok(entry) => entry,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(Outcome::Fine),
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(error) => return Err(io::Error::other(error)),
        };
        let kept = entry.trim_end().replace('\n', &format!("\n{CONTINUATION}"));
        history::remember(&mut editor, &kept, history.as_deref());
        interrupt.clear();
        let _watch = watchdog.watch(interrupt.clone(), None);
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
        .max_history_size(history::MAX_ENTRIES)?
        .history_ignore_dups(true)?
        .history_ignore_space(true)
        // The highlighter draws the continuation prompt even where nothing is coloured.
        .color_mode(ColorMode::Forced)
        .completion_type(CompletionType::List)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_auto_add_history(false);
    editor.set_helper(Some(Assistant { palette, names: Names::default(), is_finished: Cell::new(false) }));
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

/// What helps while typing.
#[derive(Helper, Validator)]
struct Assistant {
    palette: Palette,
    names: Names,
    /// Whether the entry is finished: it is drawn for the last time, without a cursor.
    is_finished: Cell<bool>,
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        // As long as the mark, so that all places stay.
        let before = line[..cursor].replace(CONTINUATION, "      ");
        Ok(complete::candidates(&before, &self.names))
    }
}

impl Hinter for Assistant {
    type Hint = Hinted;

    fn hint(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<Hinted> {
        // Without colours nobody could tell a hint from what is typed.
        if cursor != line.len() || self.palette == Palette::Plain {
            return None;
        }
        let history = context.history();
        let found = (0..history.len()).rev().filter_map(|at| history.get(at, SearchDirection::Reverse).ok().flatten());
        let entries: Vec<_> = found.map(|found| found.entry).collect();
        hint::hint(line, entries.iter().map(AsRef::as_ref))
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        let cursor = (!self.is_finished.get()).then_some(cursor);
        Cow::Owned(highlight::painted(line, cursor, &self.names, self.palette))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(self.palette.dim(hint))
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.is_finished.set(kind == CmdKind::ForcedRefresh);
        self.palette == Palette::Coloured || line.contains(CONTINUATION)
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
