//! Key bindings beyond the editor's own: Enter continues an unfinished entry, closing brackets are indented, Tab and
//! Shift-Tab go through the completions, Enter accepts one, Ctrl-X Ctrl-E opens the user's editor, Ctrl-C removes the hint; and no
//! key stops in the padding of a line.
//!
//! A key handler can only return a command of the editor, whose repeat count the editor replaces by that of the user.
//! Where that is not enough, the handler stores an [`Edit`] and returns "complete": the completer can change the line.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rustyline::{
    Cmd, ConditionalEventHandler, EditMode, Event, EventContext, EventHandler, InputMode, KeyCode, KeyEvent, Modifiers,
    RepeatCount,
};

use super::super::continuation::{self, PADDING};
use super::{locked, paste};
use pcore::assist::indent;

/// Nobody presses a key within this time after another was shown: it is pasted.
const PASTING: Duration = Duration::from_millis(8);

const INDENTATION: &str = "  ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Back,
    Forth,
}

/// What a key asks of the completer, or of the prompt after the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    Line {
        text: String,
        cursor: usize,
    },
    Complete(Direction),
    Discard,
    /// The line in the user's editor.
    OpenEditor,
}

/// The state that key handlers share with the completer and the prompt.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(Arc<Mutex<State>>);

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) edit: Option<Edit>,
    pub(super) prompt: String,
    /// Whether a candidate of the menu is selected, which Enter accepts.
    pub(super) is_choosing: bool,
    pub(super) last_key: Option<Instant>,
    /// The time when the line was drawn after that: no other key is handled before.
    pub(super) drawn: Option<Instant>,
}

struct KeyPress<'l> {
    /// The entry without padding, before and after the cursor.
    before: String,
    after: String,
    /// Whether all padding is in the line, and the cursor in none of it.
    is_padded: bool,
    prompt: &'l str,
    hint: Option<&'l str>,
    is_choosing: bool,
    /// Whether the key came so soon after another that it was pasted.
    is_pasted: bool,
}

/// The action of a key; `None` for that of the editor.
type Action = fn(&KeyPress<'_>, KeyEvent) -> Option<Response>;

enum Response {
    Command(Cmd),
    Edit(Edit),
}

const fn plain(code: KeyCode) -> KeyEvent {
    KeyEvent(code, Modifiers::NONE)
}

const fn control(letter: char) -> KeyEvent {
    KeyEvent(KeyCode::Char(letter), Modifiers::CTRL)
}

const TABLE: &[(&[KeyEvent], Action)] = &[
    (&[plain(KeyCode::Tab)], |_, _| Some(Response::Edit(Edit::Complete(Direction::Forth)))),
    (&[plain(KeyCode::BackTab)], |_, _| Some(Response::Edit(Edit::Complete(Direction::Back)))),
    (&[plain(KeyCode::Enter), control('J')], |press, _| {
        Some(if press.is_choosing { line(&press.before, &press.after) } else { Response::Command(enter(press)) })
    }),
    (&[KeyEvent(KeyCode::Enter, Modifiers::ALT)], |press, _| Some(Response::Command(new_line(press)))),
    (&[control('C')], |_, _| Some(Response::Edit(Edit::Discard))),
    // The vi mode has no binding for it.
    (&[control('L')], |_, _| Some(Response::Command(Cmd::ClearScreen))),
    (&[control('P')], |_, _| Some(Response::Command(Cmd::LineUpOrPreviousHistory(1)))),
    (&[control('N')], |_, _| Some(Response::Command(Cmd::LineDownOrNextHistory(1)))),
    (&[plain(KeyCode::PageUp)], |_, _| Some(Response::Command(Cmd::HistorySearchBackward))),
    (&[plain(KeyCode::PageDown)], |_, _| Some(Response::Command(Cmd::HistorySearchForward))),
    (&[plain(KeyCode::Char(')')), plain(KeyCode::Char(']')), plain(KeyCode::Char('}'))], closing_bracket),
    (&[plain(KeyCode::Backspace), control('H')], |press, _| backward(press, Over::Kill)),
    (&[plain(KeyCode::Left), control('B')], |press, _| backward(press, Over::Move)),
    (&[plain(KeyCode::Delete), control('D'), control('K')], |press, _| forward(press, Over::Kill)),
    (&[plain(KeyCode::Right), control('F')], |press, _| forward(press, Over::Move)),
    // The second time, Ctrl-U joins the line with the previous one.
    (&[control('U')], |press, _| to_start(press, Over::Kill).or_else(|| backward(press, Over::Kill))),
    (&[plain(KeyCode::Home), control('A')], |press, _| to_start(press, Over::Move)),
    // Accepts the hint, if the cursor is at the end of the entry.
    (&[plain(KeyCode::End), control('E')], |press, _| {
        (press.hint.is_some() && press.after.is_empty()).then_some(Response::Command(Cmd::CompleteHint))
    }),
];

impl Keys {
    pub(super) fn bindings(&self) -> impl Iterator<Item = (Event, EventHandler)> {
        let table = TABLE.iter().flat_map(|(keys, action)| keys.iter().map(|key| (Event::from(*key), *action)));
        let others: (Event, Action) = (Event::Any, typed_letter);
        let editor: (Event, Action) =
            (Event::KeySeq(vec![control('X'), control('E')]), |_, _| Some(Response::Edit(Edit::OpenEditor)));
        table.chain([others, editor]).map(|(event, action)| {
            let handler = Handler { keys: self.clone(), action };
            (event, EventHandler::Conditional(Box::new(handler)))
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.0)
    }
}

struct Handler {
    keys: Keys,
    action: Action,
}

impl ConditionalEventHandler for Handler {
    fn handle(&self, event: &Event, count: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let key = *event.get(0)?;
        let now = Instant::now();
        let mut state = self.keys.state();
        let last = state.drawn.max(state.last_key.replace(now));
        let mut before = continuation::strip_padding(context.line());
        let after = before.split_off(continuation::strip_padding(&context.line()[..context.pos()]).len());
        let padded = continuation::pad(&before);
        let press = KeyPress {
            is_padded: padded.len() == context.pos() && padded + &continuation::pad(&after) == context.line(),
            before,
            after,
            prompt: &state.prompt,
            hint: context.hint_text(),
            is_choosing: state.is_choosing,
            is_pasted: last.is_some_and(|last| now - last < PASTING),
        };
        let is_vi_command = context.mode() == EditMode::Vi && context.input_mode() == InputMode::Command;
        let answer = match key {
            KeyEvent(KeyCode::Char(letter), Modifiers::NONE) if is_vi_command => {
                vi_command(&press, letter).filter(|_| count == 1)
            }
            _ => (self.action)(&press, key),
        };
        state.edit = None;
        state.is_choosing = false;
        match answer? {
            Response::Command(command) => Some(command),
            Response::Edit(edit) => {
                let ends = matches!(edit, Edit::Discard | Edit::OpenEditor);
                state.edit = Some(edit);
                Some(if ends { Cmd::AcceptLine } else { Cmd::Complete })
            }
        }
    }
}

fn enter(press: &KeyPress<'_>) -> Cmd {
    let entry = [&*press.before, &press.after].concat();
    // An empty line submits an entry, but pasted text may contain empty lines.
    let is_forced = !press.is_pasted && paste::is_forced(&entry);
    if !is_forced && paste::is_unfinished(&entry, press.prompt) {
        return new_line(press);
    }
    Cmd::AcceptOrInsertLine { accept_in_the_middle: true }
}

fn new_line(press: &KeyPress<'_>) -> Cmd {
    // Pasted lines have their own indentation.
    let level = if press.is_pasted { 0 } else { indent::level_of_next_line(&format!("{}\n", press.before)) };
    Cmd::Insert(1, format!("\n{PADDING}{}", INDENTATION.repeat(level)))
}

/// A closing bracket at the start of a line gets the indentation of the line with the opening one.
fn closing_bracket(press: &KeyPress<'_>, key: KeyEvent) -> Option<Response> {
    let KeyEvent(KeyCode::Char(bracket), _) = key else { return None };
    let (lines, blank) = press.before.rsplit_once('\n')?;
    let is_blank = blank.chars().all(|letter| letter == ' ');
    let level = indent::level_of_closing_bracket(&format!("{lines}\n")).filter(|_| is_blank && !press.is_pasted)?;
    Some(line(&format!("{lines}\n{}{bracket}", INDENTATION.repeat(level)), &press.after))
}

/// Any other key; a letter after a paste adds the padding to the pasted lines.
fn typed_letter(press: &KeyPress<'_>, key: KeyEvent) -> Option<Response> {
    let KeyEvent(KeyCode::Char(letter), Modifiers::NONE) = key else { return None };
    let is_typed = !letter.is_control() && !press.is_padded;
    is_typed.then(|| line(&format!("{}{letter}", press.before), &press.after))
}

/// A line with the cursor between two texts.
fn line(before: &str, after: &str) -> Response {
    let before = continuation::pad(before);
    Response::Edit(Edit::Line { cursor: before.len(), text: before + &continuation::pad(after) })
}

/// What a motion does with the text between the old and the new cursor.
#[derive(Clone, Copy)]
enum Over {
    Move,
    Kill,
}

/// Backwards to a place in the entry.
fn back_to(press: &KeyPress<'_>, place: usize, over: Over) -> Response {
    let (before, passed) = press.before.split_at(place);
    match over {
        Over::Move => line(before, &format!("{passed}{}", press.after)),
        Over::Kill => line(before, &press.after),
    }
}

/// Moves the cursor back by one character; at the start of a line, over its padding and the newline before it at once.
fn backward(press: &KeyPress<'_>, over: Over) -> Option<Response> {
    press.before.ends_with('\n').then(|| back_to(press, press.before.len() - 1, over))
}

/// Moves forward. At the end of a line, moves past the newline and the padding in one step.
fn forward(press: &KeyPress<'_>, over: Over) -> Option<Response> {
    let after = press.after.strip_prefix('\n')?;
    Some(match over {
        Over::Move => line(&format!("{}\n", press.before), after),
        Over::Kill => line(&press.before, after),
    })
}

/// Moves the cursor to the start of its line, behind the padding. `None` if the cursor is there already, and in the first line,
/// which has no padding.
fn to_start(press: &KeyPress<'_>, over: Over) -> Option<Response> {
    let start = press.before.rfind('\n')? + 1;
    (start < press.before.len()).then(|| back_to(press, start, over))
}

/// The commands of vi that would stop in the padding.
fn vi_command(press: &KeyPress<'_>, letter: char) -> Option<Response> {
    match letter {
        'h' => backward(press, Over::Move),
        'l' => forward(press, Over::Move),
        '0' => to_start(press, Over::Move),
        _ => None,
    }
}
