//! Keys that do more than the editor's own commands: Enter that goes on in a new line, brackets that find their
//! indentation, Up and Down that look for entries with the same beginning, Ctrl-C that leaves no hint behind; and keys
//! that would otherwise stop in the marks in front of lines.
//!
//! The handler of a key may only answer with a command of the editor, whose count the editor then replaces by that which
//! the user has typed in front of the key. Where that is not enough, the handler leaves an [`Edit`] and answers
//! "complete": the editor then asks the completer, which is given the line to change.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustyline::{
    Cmd, ConditionalEventHandler, EditMode, Event, EventContext, EventHandler, InputMode, KeyCode, KeyEvent, Modifiers,
    RepeatCount,
};

use super::super::continuation::{self, MARK};
use super::super::prompt;
use super::history_search::Direction;
use pcore::assist::indent;

/// Nobody presses a key within this time after another was shown; a terminal that pastes does.
const PASTING: Duration = Duration::from_millis(8);

/// One level of indentation.
const INDENTATION: &str = "  ";

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
    /// When the line was drawn after that.
    drawn: Option<Instant>,
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
const TABLE: [(KeyEvent, Action); 26] = [
    (plain(KeyCode::Enter), |typed, _| Some(Answer::Command(enter(typed)))),
    (control('J'), |typed, _| Some(Answer::Command(enter(typed)))),
    (KeyEvent(KeyCode::Enter, Modifiers::ALT), |typed, _| Some(Answer::Command(new_line(typed)))),
    (control('C'), |_, _| Some(Answer::Drop)),
    // In the keys of vi it is nothing otherwise.
    (control('L'), |_, _| Some(Answer::Command(Cmd::ClearScreen))),
    (plain(KeyCode::Up), |typed, _| Some(up(typed))),
    (control('P'), |typed, _| Some(up(typed))),
    (plain(KeyCode::Down), |typed, _| Some(down(typed))),
    (control('N'), |typed, _| Some(down(typed))),
    (plain(KeyCode::Char(')')), closing_bracket),
    (plain(KeyCode::Char(']')), closing_bracket),
    (plain(KeyCode::Char('}')), closing_bracket),
    (plain(KeyCode::Backspace), |typed, _| backward(typed, Over::Kill)),
    (control('H'), |typed, _| backward(typed, Over::Kill)),
    (plain(KeyCode::Left), |typed, _| backward(typed, Over::Move)),
    (control('B'), |typed, _| backward(typed, Over::Move)),
    (plain(KeyCode::Delete), |typed, _| forward(typed, Over::Kill)),
    (control('D'), |typed, _| forward(typed, Over::Kill)),
    (control('K'), |typed, _| forward(typed, Over::Kill)),
    (plain(KeyCode::Right), |typed, _| forward(typed, Over::Move)),
    (control('F'), |typed, _| forward(typed, Over::Move)),
    (control('U'), |typed, _| kill_to_start(typed)),
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

    /// Whether a key was pressed since then.
    pub(super) fn are_pressed_since(&self, then: Instant) -> bool {
        self.state().last_key.is_some_and(|last| last >= then)
    }

    /// Tells that the line was drawn: until then no other key is looked at.
    pub(super) fn line_is_drawn(&self) {
        self.state().drawn = Some(Instant::now());
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
    fn handle(&self, event: &Event, count: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        let key = *event.get(0)?;
        let now = Instant::now();
        let mut state = self.keys.state();
        let before = state.drawn.max(state.last_key.replace(now));
        let typed = Typed {
            line: context.line(),
            cursor: context.pos(),
            prompt: &state.prompt,
            has_hint: context.hint_text().is_some(),
            is_pasted: before.is_some_and(|before| now - before < PASTING),
        };
        let is_vi_command = context.mode() == EditMode::Vi && context.input_mode() == InputMode::Command;
        let answer = match key {
            KeyEvent(KeyCode::Char(letter), Modifiers::NONE) if is_vi_command => {
                vi_command(&typed, letter).filter(|_| count == 1)
            }
            _ => (self.action)(&typed, key),
        };
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
    let (entry, _) = continuation::unmarked(typed.line, 0);
    // An empty line asks for the end of an entry, but in what is pasted there may be some.
    let is_forced = !typed.is_pasted && prompt::is_forced(&entry);
    if !is_forced && prompt::is_unfinished(&entry, typed.prompt) {
        return new_line(typed);
    }
    Cmd::AcceptOrInsertLine { accept_in_the_middle: true }
}

fn new_line(typed: &Typed<'_>) -> Cmd {
    // Pasted lines bring their own indentation.
    let indent = if typed.is_pasted {
        String::new()
    } else {
        INDENTATION.repeat(indent::level_of_next_line(&(before(typed) + "\n")))
    };
    Cmd::Insert(1, format!("\n{MARK}{indent}"))
}

/// The text in front of the cursor.
fn before(typed: &Typed<'_>) -> String {
    continuation::unmarked(&typed.line[..typed.cursor], 0).0
}

/// A bracket that closes what was opened in a line above goes back to the indentation of that line.
fn closing_bracket(typed: &Typed<'_>, key: KeyEvent) -> Option<Answer> {
    let KeyEvent(KeyCode::Char(bracket), _) = key else { return None };
    let before = before(typed);
    let (lines, blank) = before.rsplit_once('\n')?;
    let is_blank = blank.chars().all(|letter| letter == ' ');
    let level = indent::level_of_closing_bracket(&format!("{lines}\n")).filter(|_| is_blank && !typed.is_pasted)?;
    let after = continuation::unmarked(typed.line, 0).0.split_off(before.len());
    let before = format!("{lines}\n{}{bracket}", INDENTATION.repeat(level));
    Some(line(&before, &after))
}

/// Any other key; a letter behind what was pasted gives the pasted lines their marks.
fn other(typed: &Typed<'_>, key: KeyEvent) -> Option<Answer> {
    let KeyEvent(KeyCode::Char(letter), Modifiers::NONE) = key else { return None };
    if letter.is_control() || continuation::is_sound(typed.line, typed.cursor) {
        return None;
    }
    let (mut before, cursor) = continuation::unmarked(typed.line, typed.cursor);
    let after = before.split_off(cursor);
    before.push(letter);
    Some(line(&before, &after))
}

/// The line that has the cursor between two texts.
fn line(before: &str, after: &str) -> Answer {
    let before = continuation::marked(before);
    Answer::Edit(Edit::Line { cursor: before.len(), text: before + &continuation::marked(after) })
}

fn up(typed: &Typed<'_>) -> Answer {
    in_line(typed, |line| line.checked_sub(1)).unwrap_or(Answer::Edit(Edit::Browse(Direction::Back)))
}

fn down(typed: &Typed<'_>) -> Answer {
    in_line(typed, |line| Some(line + 1)).unwrap_or(Answer::Edit(Edit::Browse(Direction::Forth)))
}

/// The cursor in another line of the entry, as far from the mark as in this one.
fn in_line(typed: &Typed<'_>, other: impl Fn(usize) -> Option<usize>) -> Option<Answer> {
    let lines: Vec<(usize, &str)> = lines(typed.line).collect();
    let at = lines.iter().rposition(|(start, _)| *start <= typed.cursor).unwrap_or(0);
    let column = typed.line.get(lines[at].0..typed.cursor).map_or(0, |before| before.chars().count());
    let (start, text) = lines.get(other(at)?)?;
    let place = text.char_indices().nth(column).map_or(text.len(), |(place, _)| place);
    Some(at_cursor(typed, start + place))
}

/// The lines of an entry behind their marks, with the places where they begin.
fn lines(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    line.split('\n').map(move |line| {
        let text = line.strip_prefix(MARK).unwrap_or(line);
        let place = start + line.len() - text.len();
        start += line.len() + 1;
        (place, text)
    })
}

fn at_cursor(typed: &Typed<'_>, cursor: usize) -> Answer {
    Answer::Edit(Edit::Line { text: typed.line.to_owned(), cursor })
}

/// What a key does with that over which it goes.
#[derive(Clone, Copy)]
enum Over {
    Move,
    Kill,
}

/// At the start of a line backwards goes over its mark and the newline at once.
fn backward(typed: &Typed<'_>, over: Over) -> Option<Answer> {
    let before = typed.line[..typed.cursor].strip_suffix(MARK)?.strip_suffix('\n')?;
    Some(match over {
        Over::Move => at_cursor(typed, before.len()),
        Over::Kill => without(typed, before.len(), typed.cursor),
    })
}

/// At the end of a line forwards goes over the newline and the mark behind it at once.
fn forward(typed: &Typed<'_>, over: Over) -> Option<Answer> {
    let after = typed.line[typed.cursor..].strip_prefix('\n')?.strip_prefix(MARK)?;
    let end = typed.line.len() - after.len();
    Some(match over {
        Over::Move => at_cursor(typed, end),
        Over::Kill => without(typed, typed.cursor, end),
    })
}

/// The line without a part of it, where the cursor stands then.
fn without(typed: &Typed<'_>, start: usize, end: usize) -> Answer {
    let text = format!("{}{}", &typed.line[..start], &typed.line[end..]);
    Answer::Edit(Edit::Line { text, cursor: start })
}

/// Where the line with the cursor starts behind its mark; nothing for the first line, which has none, and where the cursor
/// is there already.
fn start_of_line(typed: &Typed<'_>) -> Option<usize> {
    let (before, line) = typed.line[..typed.cursor].rsplit_once('\n')?;
    line.strip_prefix(MARK).filter(|text| !text.is_empty()).map(|_| before.len() + 1 + MARK.len())
}

/// The start of a line is behind its mark.
fn home(typed: &Typed<'_>) -> Option<Answer> {
    start_of_line(typed).map(|start| at_cursor(typed, start))
}

/// What stands before the cursor in its line goes; the second time the line goes, too.
fn kill_to_start(typed: &Typed<'_>) -> Option<Answer> {
    match start_of_line(typed) {
        Some(start) => Some(without(typed, start, typed.cursor)),
        None => backward(typed, Over::Kill),
    }
}

/// At the end of the entry there may be a hint to take.
fn end(typed: &Typed<'_>) -> Option<Answer> {
    (typed.has_hint && typed.cursor == typed.line.len()).then_some(Answer::Command(Cmd::CompleteHint))
}

/// The commands of vi that would stop in a mark.
fn vi_command(typed: &Typed<'_>, letter: char) -> Option<Answer> {
    match letter {
        'h' => backward(typed, Over::Move),
        'l' => forward(typed, Over::Move),
        'k' => Some(up(typed)),
        'j' => Some(down(typed)),
        '0' => home(typed),
        _ => None,
    }
}
