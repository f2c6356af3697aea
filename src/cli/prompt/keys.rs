//! Key bindings beyond the editor's own. Enter continues an unfinished entry or accepts a completion, Tab and Shift-Tab
//! go through the completions, closing brackets are indented, Ctrl-X Ctrl-E opens the user's editor, and Ctrl-C drops
//! the entry. The bindings also keep the cursor out of the padding of lines.
//!
//! A key handler can only return a command of the editor, whose repeat count the editor replaces by the user's. Where
//! that is not enough, the handler stores a [`PendingEdit`] and returns "complete": the completer can change the line.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rustyline::{
    Cmd, ConditionalEventHandler, EditMode, Event, EventContext, EventHandler, InputMode, KeyCode, KeyEvent, Modifiers,
    RepeatCount,
};

use super::super::continuation::{self, PADDING};
use super::{lock_even_if_poisoned, paste};
use pcore::assist::indent;

/// A key that follows the last one within this time was pasted: nobody types as fast.
const MAX_PASTED_KEY_INTERVAL: Duration = Duration::from_millis(8);

const INDENTATION: &str = "  ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Back,
    Forth,
}

/// A change that a key handler leaves to the completer or, once the line is accepted, to the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PendingEdit {
    Line { text: String, cursor: usize },
    Complete(Direction),
    Discard,
    OpenEditor,
}

/// The key bindings, with the state that key handlers share with the completer and the prompt.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyBindings(Arc<Mutex<KeyState>>);

#[derive(Debug, Default)]
pub(super) struct KeyState {
    pub(super) pending_edit: Option<PendingEdit>,
    pub(super) prompt: String,
    /// Whether a candidate of the completion menu is selected, so that Enter accepts it.
    pub(super) is_choosing: bool,
    pub(super) last_key_time: Option<Instant>,
    /// When the line was last drawn: keys within a few milliseconds after that were pasted, not typed.
    pub(super) last_draw_time: Option<Instant>,
}

struct KeyPress<'l> {
    /// The part of the entry before the cursor, without padding.
    before_cursor: String,
    after_cursor: String,
    /// Whether every further line has its padding, and the cursor is outside of it.
    is_padding_intact: bool,
    prompt: &'l str,
    hint: Option<&'l str>,
    is_candidate_selected: bool,
    is_pasted: bool,
}

/// A function that returns the response to a key, or `None` to let the editor do what it does by default.
type KeyAction = fn(&KeyPress<'_>, KeyEvent) -> Option<KeyResponse>;

enum KeyResponse {
    Command(Cmd),
    Edit(PendingEdit),
}

const fn plain_key(code: KeyCode) -> KeyEvent {
    KeyEvent(code, Modifiers::NONE)
}

const fn control_key(letter: char) -> KeyEvent {
    KeyEvent(KeyCode::Char(letter), Modifiers::CTRL)
}

const KEY_ACTIONS: &[(&[KeyEvent], KeyAction)] = &[
    (&[plain_key(KeyCode::Tab)], |_, _| Some(KeyResponse::Edit(PendingEdit::Complete(Direction::Forth)))),
    (&[plain_key(KeyCode::BackTab)], |_, _| Some(KeyResponse::Edit(PendingEdit::Complete(Direction::Back)))),
    (&[plain_key(KeyCode::Enter), control_key('J')], |press, _| {
        Some(if press.is_candidate_selected {
            line_edit_response(&press.before_cursor, &press.after_cursor)
        } else {
            KeyResponse::Command(command_for_enter(press))
        })
    }),
    (&[KeyEvent(KeyCode::Enter, Modifiers::ALT)], |press, _| Some(KeyResponse::Command(new_line_command(press)))),
    (&[control_key('C')], |_, _| Some(KeyResponse::Edit(PendingEdit::Discard))),
    // The vi mode has no binding for it.
    (&[control_key('L')], |_, _| Some(KeyResponse::Command(Cmd::ClearScreen))),
    (&[control_key('P')], |_, _| Some(KeyResponse::Command(Cmd::LineUpOrPreviousHistory(1)))),
    (&[control_key('N')], |_, _| Some(KeyResponse::Command(Cmd::LineDownOrNextHistory(1)))),
    (&[plain_key(KeyCode::PageUp)], |_, _| Some(KeyResponse::Command(Cmd::HistorySearchBackward))),
    (&[plain_key(KeyCode::PageDown)], |_, _| Some(KeyResponse::Command(Cmd::HistorySearchForward))),
    (
        &[plain_key(KeyCode::Char(')')), plain_key(KeyCode::Char(']')), plain_key(KeyCode::Char('}'))],
        indent_closing_bracket,
    ),
    (&[plain_key(KeyCode::Backspace), control_key('H')], |press, _| Some(press.delete_to(press.newline_before()?))),
    (&[plain_key(KeyCode::Left), control_key('B')], |press, _| Some(press.move_to(press.newline_before()?))),
    (&[plain_key(KeyCode::Delete), control_key('D'), control_key('K')], |press, _| {
        Some(press.delete_to(press.newline_after()?))
    }),
    (&[plain_key(KeyCode::Right), control_key('F')], |press, _| Some(press.move_to(press.newline_after()?))),
    // The second time, Ctrl-U joins the line with the previous one.
    (&[control_key('U')], |press, _| Some(press.delete_to(press.line_start().or_else(|| press.newline_before())?))),
    (&[plain_key(KeyCode::Home), control_key('A')], |press, _| Some(press.move_to(press.line_start()?))),
    // Accepts the hint, if the cursor is at the end of the entry.
    (&[plain_key(KeyCode::End), control_key('E')], |press, _| {
        (press.hint.is_some() && press.after_cursor.is_empty()).then_some(KeyResponse::Command(Cmd::CompleteHint))
    }),
];

impl KeyBindings {
    pub(super) fn bindings(&self) -> impl Iterator<Item = (Event, EventHandler)> {
        let table = KEY_ACTIONS.iter().flat_map(|(keys, action)| keys.iter().map(|key| (Event::from(*key), *action)));
        let others: (Event, KeyAction) = (Event::Any, add_missing_padding);
        let editor: (Event, KeyAction) = (Event::KeySeq(vec![control_key('X'), control_key('E')]), |_, _| {
            Some(KeyResponse::Edit(PendingEdit::OpenEditor))
        });
        table.chain([others, editor]).map(|(event, action)| {
            let handler = KeyHandler { keys: self.clone(), action };
            (event, EventHandler::Conditional(Box::new(handler)))
        })
    }

    pub(super) fn lock_state(&self) -> MutexGuard<'_, KeyState> {
        lock_even_if_poisoned(&self.0)
    }
}

struct KeyHandler {
    keys: KeyBindings,
    action: KeyAction,
}

impl ConditionalEventHandler for KeyHandler {
    fn handle(&self, event: &Event, count: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let key = *event.get(0)?;
        let now = Instant::now();
        let mut state = self.keys.lock_state();
        let last = state.last_draw_time.max(state.last_key_time.replace(now));
        let mut before = continuation::strip_prompt_padding(context.line());
        let after = before.split_off(continuation::strip_prompt_padding(&context.line()[..context.pos()]).len());
        let padded = continuation::add_padding(&before);
        let press = KeyPress {
            is_padding_intact: padded.len() == context.pos()
                && padded + &continuation::add_padding(&after) == context.line(),
            before_cursor: before,
            after_cursor: after,
            prompt: &state.prompt,
            hint: context.hint_text(),
            is_candidate_selected: state.is_choosing,
            is_pasted: last.is_some_and(|last| now - last < MAX_PASTED_KEY_INTERVAL),
        };
        let is_vi_command = context.mode() == EditMode::Vi && context.input_mode() == InputMode::Command;
        let answer = match key {
            KeyEvent(KeyCode::Char(letter), Modifiers::NONE) if is_vi_command => {
                handle_vi_motion(&press, letter).filter(|_| count == 1)
            }
            _ => (self.action)(&press, key),
        };
        state.pending_edit = None;
        state.is_choosing = false;
        match answer? {
            KeyResponse::Command(command) => Some(command),
            KeyResponse::Edit(edit) => {
                let ends = matches!(edit, PendingEdit::Discard | PendingEdit::OpenEditor);
                state.pending_edit = Some(edit);
                Some(if ends { Cmd::AcceptLine } else { Cmd::Complete })
            }
        }
    }
}

fn command_for_enter(press: &KeyPress<'_>) -> Cmd {
    let entry = [&*press.before_cursor, &press.after_cursor].concat();
    // An empty line submits an entry, but pasted text may contain empty lines.
    let is_forced = !press.is_pasted && paste::ends_with_empty_line(&entry);
    if !is_forced && paste::is_unfinished(&entry, press.prompt) {
        return new_line_command(press);
    }
    Cmd::AcceptOrInsertLine { accept_in_the_middle: true }
}

fn new_line_command(press: &KeyPress<'_>) -> Cmd {
    // Pasted lines have their own indentation.
    let level = if press.is_pasted { 0 } else { indent::level_of_next_line(&format!("{}\n", press.before_cursor)) };
    Cmd::Insert(1, format!("\n{PADDING}{}", INDENTATION.repeat(level)))
}

/// Indents a closing bracket that is typed at the start of a line like the line of its opening bracket.
fn indent_closing_bracket(press: &KeyPress<'_>, key: KeyEvent) -> Option<KeyResponse> {
    let KeyEvent(KeyCode::Char(bracket), _) = key else { return None };
    let (lines, blank) = press.before_cursor.rsplit_once('\n')?;
    let is_blank = blank.chars().all(|letter| letter == ' ');
    let level = indent::level_of_closing_bracket(&format!("{lines}\n")).filter(|_| is_blank && !press.is_pasted)?;
    Some(line_edit_response(&format!("{lines}\n{}{bracket}", INDENTATION.repeat(level)), &press.after_cursor))
}

/// Adds the missing padding to pasted lines when a letter is typed after them; `None` for all other keys.
fn add_missing_padding(press: &KeyPress<'_>, key: KeyEvent) -> Option<KeyResponse> {
    let KeyEvent(KeyCode::Char(letter), Modifiers::NONE) = key else { return None };
    let is_typed = !letter.is_control() && !press.is_padding_intact;
    is_typed.then(|| line_edit_response(&format!("{}{letter}", press.before_cursor), &press.after_cursor))
}

fn line_edit_response(before: &str, after: &str) -> KeyResponse {
    let before = continuation::add_padding(before);
    KeyResponse::Edit(PendingEdit::Line { cursor: before.len(), text: before + &continuation::add_padding(after) })
}

/// Motions over the padding of lines, to a place in the entry without padding; `None` where the editor's own will do.
impl KeyPress<'_> {
    fn newline_before(&self) -> Option<usize> {
        self.before_cursor.strip_suffix('\n').map(str::len)
    }

    fn newline_after(&self) -> Option<usize> {
        self.after_cursor.starts_with('\n').then_some(self.before_cursor.len() + 1)
    }

    fn line_start(&self) -> Option<usize> {
        self.before_cursor.rfind('\n').map(|at| at + 1).filter(|start| *start < self.before_cursor.len())
    }

    fn move_to(&self, place: usize) -> KeyResponse {
        let entry = [&*self.before_cursor, &self.after_cursor].concat();
        line_edit_response(&entry[..place], &entry[place..])
    }

    fn delete_to(&self, place: usize) -> KeyResponse {
        let (before, after) = (&self.before_cursor, &self.after_cursor);
        line_edit_response(&before[..place.min(before.len())], &after[place.saturating_sub(before.len())..])
    }
}

/// Handles the motions of vi mode that would otherwise stop in the padding; `None` for all other letters.
fn handle_vi_motion(press: &KeyPress<'_>, letter: char) -> Option<KeyResponse> {
    let place = match letter {
        'h' => press.newline_before(),
        'l' => press.newline_after(),
        '0' => press.line_start(),
        _ => None,
    };
    place.map(|place| press.move_to(place))
}
