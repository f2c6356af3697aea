//! Keys that do more than the editor's own commands: Enter that goes on in a new line, brackets that find their
//! indentation, Up and Down that look for entries with the same beginning, Ctrl-C that leaves no hint behind.
//!
//! The handler of a key may only answer with a command of the editor. Where there is none, the handler leaves an
//! [`Edit`] and answers "complete": the editor then asks the completer, which is given the line to change.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustyline::{
    Cmd, ConditionalEventHandler, EditMode, Event, EventContext, EventHandler, InputMode, KeyCode, KeyEvent, Modifiers,
    Movement, RepeatCount,
};

use super::browse::Direction;
use super::marks::{self, MARK, NEWLINE_CHARACTERS};
use super::{indent, prompt};

/// Nobody types two keys within this time; a terminal that pastes does.
const PASTING: Duration = Duration::from_millis(8);

/// What the completer is to do with the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// The line becomes `text`, with the cursor at a place in it.
    Line { text: String, cursor: usize },
    /// The line becomes another entry of the history.
    Browse(Direction),
}

/// What the keys have to say to the completer and to whoever reads the entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    edit: Option<Edit>,
    /// What stands in front of an entry.
    prompt: String,
    is_dropped: bool,
    last_key: Option<Instant>,
}

/// The line when a key is pressed.
struct Typed<'l> {
    line: &'l str,
    cursor: usize,
    /// What stands in front of the line.
    prompt: &'l str,
    /// Whether the hint behind the cursor can be taken.
    has_hint: bool,
    /// Whether the key came so soon after another that nobody typed it.
    is_pasted: bool,
}

/// What a key does; nothing for what it does anyway.
type Action = fn(&Typed<'_>, KeyEvent) -> Option<Answer>;

enum Answer {
    Command(Cmd),
    Edit(Edit),
    /// The entry is given up.
    Drop,
}

const fn plain(code: KeyCode) -> KeyEvent {
    KeyEvent(code, Modifiers::NONE)
}

const fn control(letter: char) -> KeyEvent {
    KeyEvent(KeyCode::Char(letter), Modifiers::CTRL)
}

/// The keys that are not the editor's, and what they do.
const TABLE: [(KeyEvent, Action); 20] = [
    (plain(KeyCode::Enter), |typed, _| Some(Answer::Command(enter(typed)))),
    (control('J'), |typed, _| Some(Answer::Command(enter(typed)))),
    (KeyEvent(KeyCode::Enter, Modifiers::ALT), |typed, _| Some(Answer::Command(new_line(typed)))),
    (control('C'), |_, _| Some(Answer::Drop)),
    (plain(KeyCode::Up), |typed, _| Some(up(typed))),
    (control('P'), |typed, _| Some(up(typed))),
    (plain(KeyCode::Down), |typed, _| Some(down(typed))),
    (control('N'), |typed, _| Some(down(typed))),
    (plain(KeyCode::Char(')')), closing_bracket),
    (plain(KeyCode::Char(']')), closing_bracket),
    (plain(KeyCode::Char('}')), closing_bracket),
    (plain(KeyCode::Backspace), |typed, _| backward(typed, Cmd::Kill)),
    (plain(KeyCode::Left), |typed, _| backward(typed, Cmd::Move)),
    (plain(KeyCode::Delete), |typed, _| forward(typed, Cmd::Kill)),
    (control('D'), |typed, _| forward(typed, Cmd::Kill)),
    (plain(KeyCode::Right), |typed, _| forward(typed, Cmd::Move)),
    (plain(KeyCode::Home), |typed, _| home(typed)),
    (control('A'), |typed, _| home(typed)),
    (plain(KeyCode::End), |typed, _| end(typed)),
    (control('E'), |typed, _| end(typed)),
];

impl Keys {
    /// Every key, with what is to be bound to it.
    pub(super) fn bindings(&self) -> impl Iterator<Item = (Event, EventHandler)> {
        let table = TABLE.into_iter().map(|(key, action)| (Event::from(key), action));
        let others: (Event, Action) = (Event::Any, other);
        table.chain([others]).map(|(event, action)| {
            let handler = Handler { keys: self.clone(), action };
            (event, EventHandler::Conditional(Box::new(handler)))
        })
    }

    /// What the last key left to do.
    pub(super) fn take_edit(&self) -> Option<Edit> {
        self.state().edit.take()
    }

    /// Whether the last key gave the entry up.
    pub(super) fn is_dropped(&self) -> bool {
        self.state().is_dropped
    }

    /// Whether there is an editor that has seen a key since then.
    pub(super) fn are_pressed_since(&self, then: Instant) -> bool {
        self.state().last_key.is_some_and(|last| last >= then)
    }

    /// What stands in front of an entry.
    pub(super) fn prompt(&self) -> String {
        self.state().prompt.clone()
    }

    /// From now on that stands in front of an entry.
    pub(super) fn set_prompt(&self, prompt: &str) {
        prompt.clone_into(&mut self.state().prompt);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What it holds is whole at any time.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Handler {
    keys: Keys,
    action: Action,
}

impl ConditionalEventHandler for Handler {
    fn handle(&self, event: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let key = *event.get(0)?;
        let now = Instant::now();
        let mut state = self.keys.state();
        let last_key = state.last_key.replace(now);
        let typed = Typed {
            line: context.line(),
            cursor: context.pos(),
            prompt: &state.prompt,
            has_hint: context.hint_text().is_some(),
            is_pasted: last_key.is_some_and(|last| now - last < PASTING),
        };
        let is_letter = matches!(key, KeyEvent(KeyCode::Char(_), Modifiers::NONE));
        let is_vi_command = context.mode() == EditMode::Vi && context.input_mode() == InputMode::Command;
        let answer = if is_letter && is_vi_command { None } else { (self.action)(&typed, key) };
        state.edit = None;
        state.is_dropped = false;
        match answer? {
            Answer::Command(command) => Some(command),
            Answer::Edit(edit) => {
                state.edit = Some(edit);
                Some(Cmd::Complete)
            }
            Answer::Drop => {
                state.is_dropped = true;
                Some(Cmd::AcceptLine)
            }
        }
    }
}

/// Accepts a finished entry, goes on with a new line otherwise.
fn enter(typed: &Typed<'_>) -> Cmd {
    let (entry, _) = marks::unmarked(typed.line, 0);
    // An empty line asks for the end of an entry, but in what is pasted there may be some.
    let is_forced = !typed.is_pasted && prompt::is_forced(&entry);
    if !is_forced && prompt::is_unfinished(&entry, typed.prompt) {
        return new_line(typed);
    }
    Cmd::AcceptOrInsertLine { accept_in_the_middle: true }
}

fn new_line(typed: &Typed<'_>) -> Cmd {
    // Pasted lines bring their own indentation.
    let indent = if typed.is_pasted { String::new() } else { indent::of_next_line(&(before(typed) + "\n")) };
    Cmd::Insert(1, format!("\n{MARK}{indent}"))
}

/// The text in front of the cursor.
fn before(typed: &Typed<'_>) -> String {
    marks::unmarked(&typed.line[..typed.cursor], 0).0
}

/// A bracket that closes what was opened in a line above goes back to the indentation of that line.
fn closing_bracket(typed: &Typed<'_>, key: KeyEvent) -> Option<Answer> {
    let KeyEvent(KeyCode::Char(bracket), _) = key else { return None };
    let before = before(typed);
    let (lines, blank) = before.rsplit_once('\n')?;
    let is_blank = blank.chars().all(|letter| letter == ' ');
    let indent = indent::of_closing_line(&format!("{lines}\n")).filter(|_| is_blank && !typed.is_pasted)?;
    let after = marks::unmarked(typed.line, 0).0.split_off(before.len());
    let before = format!("{lines}\n{indent}{bracket}");
    Some(line(&before, &after))
}

/// Any other key; a letter behind what was pasted gives the pasted lines their marks.
fn other(typed: &Typed<'_>, key: KeyEvent) -> Option<Answer> {
    let KeyEvent(KeyCode::Char(letter), Modifiers::NONE) = key else { return None };
    if letter.is_control() || marks::is_sound(typed.line, typed.cursor) {
        return None;
    }
    let (mut before, cursor) = marks::unmarked(typed.line, typed.cursor);
    let after = before.split_off(cursor);
    before.push(letter);
    Some(line(&before, &after))
}

/// The line that has the cursor between two texts.
fn line(before: &str, after: &str) -> Answer {
    let before = marks::marked(before);
    Answer::Edit(Edit::Line { cursor: before.len(), text: before + &marks::marked(after) })
}

fn up(typed: &Typed<'_>) -> Answer {
    if typed.line[..typed.cursor].contains('\n') {
        return Answer::Command(Cmd::LineUpOrPreviousHistory(1));
    }
    Answer::Edit(Edit::Browse(Direction::Back))
}

fn down(typed: &Typed<'_>) -> Answer {
    if typed.line[typed.cursor..].contains('\n') {
        return Answer::Command(Cmd::LineDownOrNextHistory(1));
    }
    Answer::Edit(Edit::Browse(Direction::Forth))
}

/// At the start of a line backwards goes over its mark and the newline at once.
fn backward(typed: &Typed<'_>, command: fn(Movement) -> Cmd) -> Option<Answer> {
    let is_at_start = typed.line[..typed.cursor].ends_with(&format!("\n{MARK}"));
    is_at_start.then(|| Answer::Command(command(Movement::BackwardChar(NEWLINE_CHARACTERS))))
}

/// At the end of a line forwards goes over the newline and the mark behind it at once.
fn forward(typed: &Typed<'_>, command: fn(Movement) -> Cmd) -> Option<Answer> {
    let is_at_end = typed.line[typed.cursor..].starts_with(&format!("\n{MARK}"));
    is_at_end.then(|| Answer::Command(command(Movement::ForwardChar(NEWLINE_CHARACTERS))))
}

/// The start of a line is behind its mark.
fn home(typed: &Typed<'_>) -> Option<Answer> {
    let (_, line) = typed.line[..typed.cursor].rsplit_once('\n')?;
    let back = line.strip_prefix(MARK)?.chars().count();
    let back = RepeatCount::try_from(back).ok()?;
    (back > 0).then_some(Answer::Command(Cmd::Move(Movement::BackwardChar(back))))
}

/// At the end of the entry there may be a hint to take.
fn end(typed: &Typed<'_>) -> Option<Answer> {
    (typed.has_hint && typed.cursor == typed.line.len()).then_some(Answer::Command(Cmd::CompleteHint))
}
