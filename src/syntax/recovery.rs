//! How reading goes on after a mistake, so that one run finds all mistakes of a text.
//!
//! The mistake is recorded, and tokens are skipped up to where the next statement, or the next item of a list, surely
//! starts. Brackets tell that, and so does the layout: a line that is indented no deeper than the broken statement starts
//! the next one, even if a bracket was never closed. Braces that were opened in what is skipped are owed: their
//! closing braces are not mistakes.

use std::cell::{Cell, RefCell};

use super::combinators::Rule;
use super::errors::Expected;
use super::failure;
use super::grammar::calls::STATEMENT_FUNCTIONS;
use super::grammar::words::space;
use super::input::{Input, Parsed, Stop};
use super::state::Mark;
use super::tokens::{Kind, Scanner, Token};
use crate::error::{Error, LIMIT};
use crate::text::Span;

/// After so many mistakes the rest is left unread.
const MAX_ERRORS: usize = 100;

/// After so many places that look like a mistake, or like what comes of one, the rest is left unread as well.
const MAX_MISMATCHES: u32 = 300;

/// What reading has met so far, for a text that is read on after a mistake.
#[derive(Default)]
pub(super) struct Recovery {
    /// Whether reading goes on after a mistake.
    pub(super) goes_on: Cell<bool>,
    /// The errors after which reading went on.
    pub(super) errors: RefCell<Vec<Error>>,
    /// How often reading went on after a mismatch.
    mismatches: Cell<u32>,
    last_mistake: Cell<u32>,
    /// Where a list was left that nothing closes.
    resume_from: Cell<Option<u32>>,
    /// Whether an opening brace was expected at the last mistake.
    expects_brace: Cell<bool>,
    /// The end of the line where a string starts that the line does not close.
    line_of_string: Cell<Option<u32>>,
    /// Closing braces that no opening one is known for, because what opened them was skipped.
    pub(super) owed_braces: Cell<u32>,
}

/// A statement; `None` for one with a mistake.
pub(super) fn statement<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, Option<T>> {
    move |input: Input<'a>| {
        let mark = input.state.mark();
        let stop = match rule.parse(input) {
            Ok((here, value)) => return Ok((here, Some(value))),
            Err(stop) => stop,
        };
        if let Some(left_over) = left_over(input) {
            input.state.go_back_to(&mark);
            input.state.furthest.take();
            return behind(left_over);
        }
        let place = record(input, stop, &mark)?;
        if input.text().starts_with(['}', ')', ']']) { behind(input) } else { resumed(next_statement(input, place)) }
    }
}

fn behind<T>(bracket: Input<'_>) -> Parsed<'_, Option<T>> {
    let (after, ()) = space(nom::Input::take_from(&bracket, 1))?;
    Ok((after, None))
}

/// Whether a closing brace stands here whose opening one was skipped.
pub(super) fn owes_brace(input: Input<'_>) -> bool {
    input.state.recovery.owed_braces.get() > 0 && input.text().starts_with('}')
}

/// The brace up to which the text here belongs to what was skipped: one that no other opens, or that of an `else`.
fn left_over(input: Input<'_>) -> Option<Input<'_>> {
    let state = input.state;
    if owes_brace(input) {
        state.recovery.owed_braces.set(state.recovery.owed_braces.get() - 1);
        return Some(input);
    }
    if state.recovery.errors.borrow().is_empty() {
        return None;
    }
    if input.starts_with("}") {
        return Some(input);
    }
    // `'a': { … }`, whose `case` was skipped.
    let stopped_at = state.source.get(state.furthest().0..).unwrap_or_default();
    let is_option = stopped_at.strip_prefix(':').is_some_and(|rest| rest.trim_start().starts_with('{'));
    if !is_option && !input.starts_with("else") && !input.starts_with("elsif") {
        return None;
    }
    let brace = look_for(input, input.start(), |seen| if seen.text == "{" { Step::Resume } else { Step::Skip })?;
    state.recovery.owed_braces.set(state.recovery.owed_braces.get() + 1);
    Some(brace)
}

/// An item of a list; `None` for one with a mistake, after which the next separator follows, or the end.
pub(super) fn item<'a, T>(mut rule: impl Rule<'a, T>, separator: Expected) -> impl Rule<'a, Option<T>> {
    move |input: Input<'a>| {
        let mark = input.state.mark();
        let stop = match rule.parse(input) {
            Ok((here, value)) => return Ok((here, Some(value))),
            Err(stop) => stop,
        };
        let place = record(input, stop, &mark)?;
        if is_below(input) { leave_list(input) } else { resumed(next_separator(input, place, separator)) }
    }
}

/// The place to go on after `item`, which no separator follows, although the list does not end.
pub(super) fn missing_separator<'a>(item: Input<'a>, input: Input<'a>, separator: Expected) -> Parsed<'a, ()> {
    let mark = input.state.mark();
    let recorded = record(input, nom::Err::Error(Stop::Expected(input.start())), &mark)?;
    let place = unclosed_string(item, recorded).unwrap_or(recorded);
    let (input, ()) = in_list(input)?;
    let next = Scanner::new(input).next();
    if next.is_some_and(|token| !matches!(token.kind, Kind::Symbol | Kind::Close)) && place == input.start() {
        return Ok((input, ()));
    }
    let start = input.moved_to(place.min(input.start()));
    let (here, _) = resumed::<()>(next_separator(start, place, separator))?;
    Ok((here, ()))
}

/// Gives `input` back if it is still inside the brackets of the list. After a mistake, a line that is indented no deeper
/// than the line of the opening bracket ends the list: the bracket was not closed, and the program goes on there.
pub(super) fn in_list(input: Input<'_>) -> Parsed<'_, ()> {
    let state = input.state;
    if state.recovery.errors.borrow().is_empty() || !is_below(input) || input.text().starts_with([')', ']', '}']) {
        return Ok((input, ()));
    }
    missing(input, state.closing());
    leave_list(input)
}

/// Records that something is missing here.
fn missing(input: Input<'_>, what: Expected) {
    input.state.furthest.take();
    input.note(what);
    keep_if_new(input, failure::furthest(input.state));
}

/// The end of statements: at the end of the text, closing braces must not be owed.
pub(super) fn end_statements(input: Input<'_>, owed_outside: u32) {
    if input.state.recovery.owed_braces.replace(owed_outside) > 0 && input.text().is_empty() {
        missing(input, Expected::CloseBrace);
    }
}

/// Whether a line is indented no deeper than the line above it with the innermost open bracket.
fn is_below(input: Input<'_>) -> bool {
    input.state.open_bracket().is_some_and(|open| open < line_start(input))
        && line_indentation(input) <= bracket_indentation(input)
}

fn leave_list<T>(input: Input<'_>) -> Parsed<'_, T> {
    input.state.recovery.resume_from.set(Some(input.start().min(Span::new(line_start(input), 0).start)));
    Err(nom::Err::Failure(Stop::Recorded))
}

fn line_start(place: Input<'_>) -> usize {
    place.before().rfind('\n').map_or(0, |newline| newline + 1)
}

/// Records an error, and returns the place to go on from: its own, unless another was found.
///
/// # Errors
/// Reading must not go on.
fn record(input: Input<'_>, stop: nom::Err<Stop>, mark: &Mark) -> Result<u32, nom::Err<Stop>> {
    let state = input.state;
    let stop = match stop {
        _ if !state.recovery.goes_on.get() || state.is_out_of_room.get() => return Err(stop),
        nom::Err::Error(stop) | nom::Err::Failure(stop) => stop,
        nom::Err::Incomplete(_) => Stop::Recorded,
    };
    state.recovery.mismatches.set(state.recovery.mismatches.get() + 1);
    if stop != Stop::Recorded {
        state.recovery.expects_brace.set(state.furthest().1.contains(&Expected::OpenBrace));
        let error = failure::error_of(stop, state);
        let is_last = error.code() == LIMIT || state.recovery.errors.borrow().len() + 1 == MAX_ERRORS;
        keep_if_new(input, error);
        state.recovery.goes_on.set(!is_last);
    }
    if !state.recovery.goes_on.get() || state.recovery.mismatches.get() > MAX_MISMATCHES {
        state.recovery.goes_on.set(false);
        return Err(nom::Err::Failure(Stop::Recorded));
    }
    state.go_back_to(mark);
    state.furthest.take();
    let last = state.recovery.last_mistake.get();
    let place = state.recovery.resume_from.take().map_or(last, |place| place.min(last));
    Ok(unclosed_string(input, place).unwrap_or(place))
}

/// The end of the line in which a string starts that it does not close: see [`failure::string_before`].
fn unclosed_string(start: Input<'_>, place: u32) -> Option<u32> {
    let string = failure::string_before(start, place)?;
    let line = start.moved_to(string.start).text().find('\n')?;
    let line_end = string.start + u32::try_from(line).unwrap_or(0);
    start.state.recovery.line_of_string.set(Some(line_end));
    Some(line_end)
}

/// Keeps an error, unless it is likely to be a consequence of the last one.
fn keep_if_new(input: Input<'_>, error: Error) {
    let state = input.state;
    let last = state.recovery.last_mistake.get();
    let place = error.span().map_or(input.start(), |span| span.start);
    let mut errors = state.recovery.errors.borrow_mut();
    // After a mistake inside of something, its own end is seldom one, and seldom are there two in neighbouring lines.
    let since = state.source.get(last as usize..place as usize).unwrap_or_default();
    let is_at_brace = |error: &&Error| {
        let found = error.span().map(|span| &state.source[span.range()]);
        found.is_some_and(|found| found.starts_with(['{', ')', ']']))
    };
    let blamed = errors.iter().filter(is_at_brace).count();
    let is_consequence = error.is_unfinished() && missing_braces(input.moved_to(0)) <= blamed;
    if errors.is_empty() || since.lines().count() > 2 && last < input.start() && !is_consequence {
        errors.push(error);
    }
    state.recovery.last_mistake.set(place.max(last));
}

/// How many opening braces a program has more than closing ones.
fn missing_braces(program: Input<'_>) -> usize {
    let is_brace = |brace| move |token: &Token| &program.state.source[token.span.range()] == brace;
    let count = |brace| Scanner::new(program).filter(is_brace(brace)).count();
    count("{").saturating_sub(count("}"))
}

fn resumed<T>(place: Option<Input<'_>>) -> Parsed<'_, Option<T>> {
    Ok((place.ok_or(nom::Err::Failure(Stop::Recorded))?, None))
}

struct Seen<'a, 's> {
    token: Token,
    text: &'a str,
    /// The text of the token after it; empty at the end.
    next: &'a str,
    /// How many brackets are open since the start of what has the mistake.
    depth: usize,
    /// These brackets, and where each is.
    open: &'s [(&'a str, u32)],
    start: Input<'a>,
    /// How deep its line is indented, if it is the first token there.
    indentation: Option<usize>,
}

impl Seen<'_, '_> {
    /// How many braces are open, as far as the layout shows: in lines that are indented less.
    fn braces(&self) -> u32 {
        let is_inside =
            |open: u32| self.indentation.is_none_or(|own| own > line_indentation(self.start.moved_to(open)));
        let braces = self.open.iter().filter(|(bracket, at)| *bracket == "{" && is_inside(*at));
        u32::try_from(braces.count()).unwrap_or(0)
    }

    /// Whether it can only be the start of a statement: the first word of a definition or a choice, a variable that is
    /// assigned, the type of a resource, or a function that takes arguments without parentheses.
    fn starts_statement(&self) -> bool {
        match self.token.kind {
            Kind::Keyword => {
                matches!(self.text, "if" | "unless" | "case" | "class" | "define" | "function" | "node" | "type")
            }
            Kind::Variable => self.next == "=",
            Kind::Name | Kind::Reference if self.next == "{" => true,
            Kind::Name => STATEMENT_FUNCTIONS.contains(&self.text) && !matches!(self.next, "=>" | "," | ""),
            Kind::Symbol => self.text.starts_with('@'),
            _ => false,
        }
    }
}

enum Step {
    Skip,
    Resume,
    GiveUp,
}

/// Where to go on according to `decide`, which is asked about the tokens from `place` on.
fn look_for<'a>(start: Input<'a>, place: u32, decide: impl Fn(&Seen<'a, '_>) -> Step) -> Option<Input<'a>> {
    let source = &start.state.source[..start.span().end as usize];
    let mut open: Vec<(&str, u32)> = Vec::new();
    let tokens_from = |place| Scanner::new(place).filter(|token| token.kind != Kind::Comment).peekable();
    let is_within = |place: u32, span: Span| span.start <= place && place < span.end;
    let line_of_string = start.state.recovery.line_of_string.take();
    let mut tokens = tokens_from(start);
    while let Some(token) = tokens.next() {
        let text = &source[token.span.range()];
        // A bracket that is closed closes those inside of it, too.
        let is_opening = |(open, _): &(&str, u32)| Expected::closing(open).text() == text;
        let depth = match token.kind {
            Kind::Close => open.iter().rposition(is_opening).map_or(0, |at| at + 1),
            _ => open.len(),
        };
        if token.span.start >= place && token.span.start > start.start() {
            let next = tokens.peek().map_or("", |next| &source[next.span.range()]);
            let indentation = indentation(start.moved_to(token.span.start));
            let seen = Seen { token, text, next, depth, indentation, open: &open, start };
            match decide(&seen) {
                Step::Skip => {}
                Step::Resume => return Some(start.moved_to(token.span.start)),
                Step::GiveUp => return None,
            }
        }
        match token.kind {
            Kind::String if let Some(line_end) = line_of_string.filter(|line_end| is_within(*line_end, token.span)) => {
                tokens = tokens_from(start.moved_to(line_end));
            }
            Kind::Open => open.push((text, token.span.start)),
            Kind::Close => open.truncate(depth.saturating_sub(1).min(open.len())),
            _ => {}
        }
    }
    None
}

/// How deep a line is indented, if only white space is before the place.
fn indentation(place: Input<'_>) -> Option<usize> {
    let before = place.before();
    let outer = before.trim_end_matches([' ', '\t', '\r']);
    (outer.is_empty() || outer.ends_with('\n')).then_some(before.len() - outer.len())
}

fn line_indentation(place: Input<'_>) -> usize {
    let line = &place.state.source[line_start(place)..];
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The start of the next statement after the one at `start`, which has a mistake at `place`, or the end of its block.
fn next_statement(start: Input<'_>, place: u32) -> Option<Input<'_>> {
    let own = line_indentation(start);
    let owed = Cell::new(0);
    let found = look_for(start, place, |seen| {
        if seen.token.kind == Kind::Close {
            let is_of_block = seen.indentation.map_or(seen.depth == 0, |indentation| indentation < own);
            return if is_of_block && seen.text == "}" { Step::Resume } else { Step::Skip };
        }
        if seen.indentation.is_some() && seen.starts_statement() {
            // What should have opened the block of this statement is missing, or was skipped.
            owed.set(seen.braces());
            return Step::Resume;
        }
        let is_continued = matches!(seen.text, "else" | "elsif") || seen.token.kind == Kind::Symbol;
        // The text of a heredoc may stand anywhere.
        let is_new_line =
            seen.token.kind != Kind::String && seen.indentation.is_some_and(|indentation| indentation <= own);
        if is_new_line && !is_continued { Step::Resume } else { Step::Skip }
    })?;
    let state = start.state;
    let missing = u32::from(found.start() == place && state.recovery.expects_brace.get());
    state.recovery.owed_braces.set(state.recovery.owed_braces.get() + owed.get() + missing);
    Some(found)
}

/// The separator after the item at `start`, which has a mistake at `place`, or the end of the list, or the next item
/// if that starts a line; nothing if the next statement starts before.
fn next_separator(start: Input<'_>, place: u32, separator: Expected) -> Option<Input<'_>> {
    let (own, base) = (line_indentation(start), bracket_indentation(start));
    let open_at = start.state.open_bracket().unwrap_or_default();
    let close = start.state.closing().text();
    let is_one_line = !start.before().get(open_at..).unwrap_or_default().contains('\n');
    let is_after_line_start = start.moved_to(place).before().trim_end_matches([' ', '\t']).ends_with('\n');
    look_for(start, place, |seen| {
        let starts_line = seen.indentation.is_some();
        let is_outside = seen.indentation.is_some_and(|indentation| indentation <= base);
        if seen.token.kind == Kind::Close {
            let is_at_end = is_one_line || starts_line || is_after_line_start;
            let is_own = seen.text == close && is_at_end && (seen.depth == 0 || is_outside);
            let otherwise = if is_outside { Step::GiveUp } else { Step::Skip };
            return if is_own { Step::Resume } else { otherwise };
        }
        // A parameter with a default value looks like an assignment.
        let is_statement = seen.starts_statement() && !(close == ")" && seen.token.kind == Kind::Variable);
        if is_outside || starts_line && is_statement {
            return Step::GiveUp;
        }
        let is_separator = seen.depth == 0 && (seen.text == separator.text() || seen.text == ";");
        let is_next_item = seen.indentation == Some(own) && seen.token.kind != Kind::Symbol;
        if is_separator && seen.token.span.start > place || is_next_item { Step::Resume } else { Step::Skip }
    })
}

/// How deep the line of the innermost open bracket is indented.
fn bracket_indentation(place: Input<'_>) -> usize {
    let open = place.state.open_bracket().and_then(|at| u32::try_from(at).ok()).unwrap_or_default();
    line_indentation(place.moved_to(open))
}
