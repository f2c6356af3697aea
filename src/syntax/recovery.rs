//! Error recovery, so that one run finds all mistakes of a source.
//!
//! A mistake is recorded, and tokens are skipped up to where the next statement, or the next item of a list, surely
//! starts. That is decided by brackets and by the layout: a line that is indented no deeper than the broken statement
//! starts the next one, even if a bracket was never closed. The closing braces of opening braces in the skipped tokens
//! are "owed": they are not reported as mistakes.

use std::cell::{Cell, RefCell};

use super::combinators::Rule;
use super::errors::Expected;
use super::failure;
use super::grammar::calls::STATEMENT_FUNCTIONS;
use super::grammar::words::space;
use super::input::{Input, Parsed, StopReason};
use super::state::Checkpoint;
use super::tokens::{Kind, Scanner, Token};
use crate::error::{Error, LIMIT};
use crate::text::Span;

/// The number of errors after which the rest of the source is not parsed.
const MAX_ERRORS: usize = 100;

/// The number of mismatches, reported or not (as consequences of others), after which the rest is not parsed.
const MAX_MISMATCHES: u32 = 300;

#[derive(Default)]
pub(super) struct RecoveryState {
    /// Whether to continue parsing after a mistake; `false` if only the first error is wanted, or too many were found.
    pub(super) is_enabled: Cell<bool>,
    pub(super) errors: RefCell<Vec<Error>>,
    /// How often parsing continued after a mismatch.
    recovery_count: Cell<u32>,
    last_mistake_offset: Cell<u32>,
    /// The offset at which parsing left a list without its closing bracket: skipping tokens starts there at the latest.
    left_list_offset: Cell<Option<u32>>,
    /// The end of the line in which an unclosed string starts: tokens are skipped as if the string ended there.
    unclosed_string_line_end: Cell<Option<u32>>,
    /// The number of closing braces to ignore because the opening braces were skipped.
    pub(super) braces_to_ignore: Cell<u32>,
}

/// Runs `rule`, which parses a statement. After a mistake, returns `None` and the input from which parsing continues.
pub(super) fn statement_or_recover<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, Option<T>> {
    move |input: Input<'a>| {
        let mark = input.state.checkpoint();
        let stop = match rule.parse(input) {
            Ok((here, value)) => return Ok((here, Some(value))),
            Err(stop) => stop,
        };
        if let Some(left_over) = find_leftover_brace(input) {
            input.state.restore_checkpoint(&mark);
            input.state.furthest_mismatch.take();
            return skip_bracket(left_over);
        }
        let place = record_error(input, stop, &mark)?;
        if input.text().starts_with(['}', ')', ']']) {
            skip_bracket(input)
        } else {
            resume_at(find_next_statement(input, place))
        }
    }
}

fn skip_bracket<T>(bracket: Input<'_>) -> Parsed<'_, Option<T>> {
    let (after, ()) = space(nom::Input::take_from(&bracket, 1))?;
    Ok((after, None))
}

pub(super) fn is_closing_brace_to_ignore(input: Input<'_>) -> bool {
    input.state.recovery.braces_to_ignore.get() > 0 && input.text().starts_with('}')
}

/// Returns the brace that ends a remainder of skipped code: an unopened `}`, or the `{` after `else` or a `case` value.
fn find_leftover_brace(input: Input<'_>) -> Option<Input<'_>> {
    let state = input.state;
    if is_closing_brace_to_ignore(input) {
        state.recovery.braces_to_ignore.set(state.recovery.braces_to_ignore.get() - 1);
        return Some(input);
    }
    if state.recovery.errors.borrow().is_empty() {
        return None;
    }
    if input.starts_with("}") {
        return Some(input);
    }
    // `'a': { … }`, whose `case` was skipped.
    let stopped_at = state.source.get(state.furthest_expected().0..).unwrap_or_default();
    let is_option = stopped_at.strip_prefix(':').is_some_and(|rest| rest.trim_start().starts_with('{'));
    if !is_option && !input.starts_with("else") && !input.starts_with("elsif") {
        return None;
    }
    let brace = skip_tokens_until(input, input.start(), |seen| (seen.token_text == "{").then_some(true))?;
    state.recovery.braces_to_ignore.set(state.recovery.braces_to_ignore.get() + 1);
    Some(brace)
}

/// Runs `rule`, which parses a list item. After a mistake, returns `None` and the input at the next separator or end.
pub(super) fn item_or_recover<'a, T>(mut rule: impl Rule<'a, T>, separator: Expected) -> impl Rule<'a, Option<T>> {
    move |input: Input<'a>| {
        let mark = input.state.checkpoint();
        let stop = match rule.parse(input) {
            Ok((here, value)) => return Ok((here, Some(value))),
            Err(stop) => stop,
        };
        let place = record_error(input, stop, &mark)?;
        if is_dedented(input) { leave_list(input) } else { resume_at(find_next_separator(input, place, separator)) }
    }
}

pub(super) fn recover_missing_separator<'a>(item: Input<'a>, input: Input<'a>, separator: Expected) -> Parsed<'a, ()> {
    let mark = input.state.checkpoint();
    let recorded = record_error(input, nom::Err::Error(StopReason::Expected(input.start())), &mark)?;
    let place = line_end_of_unclosed_string(item, recorded).unwrap_or(recorded);
    let (input, ()) = check_still_in_list(input)?;
    let next = Scanner::new_scanner(input).next();
    if next.is_some_and(|token| !matches!(token.kind, Kind::Symbol | Kind::Close)) && place == input.start() {
        return Ok((input, ()));
    }
    let start = input.with_start(place.min(input.start()));
    let (here, _) = resume_at::<()>(find_next_separator(start, place, separator))?;
    Ok((here, ()))
}

/// Returns `input`, or fails if it is outside of the list. After a mistake, a line that is indented no deeper than the
/// line of the opening bracket ends the list: the bracket was not closed, and the program continues there.
pub(super) fn check_still_in_list(input: Input<'_>) -> Parsed<'_, ()> {
    let state = input.state;
    if state.recovery.errors.borrow().is_empty() || !is_dedented(input) || input.text().starts_with([')', ']', '}']) {
        return Ok((input, ()));
    }
    record_missing_token(input, state.closing_bracket());
    leave_list(input)
}

fn record_missing_token(input: Input<'_>, what: Expected) {
    input.state.furthest_mismatch.take();
    input.record_expected(what);
    record_unless_follow_up(input, failure::error_at_furthest_offset(input.state));
}

/// Ends a block: reports a missing `}` at the end of the source; sets the braces to ignore to those of the outer block.
pub(super) fn finish_block_recovery(input: Input<'_>, owed_outside: u32) {
    if input.state.recovery.braces_to_ignore.replace(owed_outside) > 0 && input.text().is_empty() {
        record_missing_token(input, Expected::CloseBrace);
    }
}

/// Whether `input` is on a later line than the innermost open bracket, and that line is not indented deeper.
fn is_dedented(input: Input<'_>) -> bool {
    input.state.innermost_open_bracket().is_some_and(|open| open < line_start_offset(input))
        && line_indentation(input) <= bracket_line_indentation(input)
}

fn leave_list<T>(input: Input<'_>) -> Parsed<'_, T> {
    input.state.recovery.left_list_offset.set(Some(input.start().min(Span::new(line_start_offset(input), 0).start)));
    Err(nom::Err::Failure(StopReason::Recorded))
}

fn line_start_offset(place: Input<'_>) -> usize {
    place.before().rfind('\n').map_or(0, |newline| newline + 1)
}

/// Records the error for `stop`, resets the state to `mark`, and returns the offset from which to skip tokens.
///
/// # Errors
/// Fails if parsing must not continue after mistakes, or not after this one.
fn record_error(input: Input<'_>, stop: nom::Err<StopReason>, mark: &Checkpoint) -> Result<u32, nom::Err<StopReason>> {
    let state = input.state;
    if !state.recovery.is_enabled.get() || state.is_out_of_stack.get() {
        return Err(stop);
    }
    state.recovery.recovery_count.set(state.recovery.recovery_count.get() + 1);
    if let Some(error) = failure::error_for_stop(&stop, state) {
        let is_last = error.code() == LIMIT || state.recovery.errors.borrow().len() + 1 == MAX_ERRORS;
        record_unless_follow_up(input, error);
        state.recovery.is_enabled.set(!is_last);
    }
    if !state.recovery.is_enabled.get() || state.recovery.recovery_count.get() > MAX_MISMATCHES {
        state.recovery.is_enabled.set(false);
        return Err(nom::Err::Failure(StopReason::Recorded));
    }
    state.restore_checkpoint(mark);
    state.furthest_mismatch.take();
    let last = state.recovery.last_mistake_offset.get();
    let place = state.recovery.left_list_offset.take().map_or(last, |place| place.min(last));
    Ok(line_end_of_unclosed_string(input, place).unwrap_or(place))
}

fn line_end_of_unclosed_string(start: Input<'_>, place: u32) -> Option<u32> {
    let string = failure::multiline_string_before(start, place)?;
    let line = start.with_start(string.start).text().find('\n')?;
    let line_end = string.start + u32::try_from(line).unwrap_or(0);
    start.state.recovery.unclosed_string_line_end.set(Some(line_end));
    Some(line_end)
}

/// Records an error, unless it is likely to be a consequence of the last one, such as one in the next line.
fn record_unless_follow_up(input: Input<'_>, error: Error) {
    let state = input.state;
    let last = state.recovery.last_mistake_offset.get();
    let place = error.span().map_or(input.start(), |span| span.start);
    let mut errors = state.recovery.errors.borrow_mut();
    // After a mistake inside of something, its own end is seldom one, and seldom are there two in neighbouring lines.
    let since = state.source.get(last as usize..place as usize).unwrap_or_default();
    let is_at_brace = |error: &&Error| {
        let found = error.span().map(|span| &state.source[span.range()]);
        found.is_some_and(|found| found.starts_with(['{', ')', ']']))
    };
    let blamed = errors.iter().filter(is_at_brace).count();
    let is_consequence = error.is_unfinished() && count_missing_braces(input.with_start(0)) <= blamed;
    if errors.is_empty() || since.lines().count() > 2 && last < input.start() && !is_consequence {
        errors.push(error);
    }
    state.recovery.last_mistake_offset.set(place.max(last));
}

fn count_missing_braces(program: Input<'_>) -> usize {
    let is_brace = |brace| move |token: &Token| &program.state.source[token.span.range()] == brace;
    let count = |brace| Scanner::new_scanner(program).filter(is_brace(brace)).count();
    count("{").saturating_sub(count("}"))
}

fn resume_at<T>(place: Option<Input<'_>>) -> Parsed<'_, Option<T>> {
    Ok((place.ok_or(nom::Err::Failure(StopReason::Recorded))?, None))
}

struct TokenContext<'a, 's> {
    token: Token,
    token_text: &'a str,
    /// The text of the token after `token`; empty at the end of the source.
    next_text: &'a str,
    /// How many brackets are open since the start of the broken statement or item.
    depth: usize,
    /// The brackets that are open since the start of the broken statement or item, with their offsets.
    open_brackets: &'s [(&'a str, u32)],
    skip_start: Input<'a>,
    /// The indentation of the line, if the token is the first of its line.
    indentation: Option<usize>,
}

impl TokenContext<'_, '_> {
    /// Returns the number of open braces; for the first token of a line, only those in lines that are indented less.
    fn count_open_braces(&self) -> u32 {
        let is_inside =
            |open: u32| self.indentation.is_none_or(|own| own > line_indentation(self.skip_start.with_start(open)));
        let braces = self.open_brackets.iter().filter(|(bracket, at)| *bracket == "{" && is_inside(*at));
        u32::try_from(braces.count()).unwrap_or(0)
    }

    /// Whether the token can only be the start of a statement: the first word of a definition or conditional, a
    /// variable that is assigned, the type of a resource, or a function that takes arguments without parentheses.
    fn starts_statement(&self) -> bool {
        match self.token.kind {
            Kind::Keyword => {
                matches!(self.token_text, "if" | "unless" | "case" | "class" | "define" | "function" | "node" | "type")
            }
            Kind::Variable => self.next_text == "=",
            Kind::Name | Kind::Reference if self.next_text == "{" => true,
            Kind::Name => STATEMENT_FUNCTIONS.contains(&self.token_text) && !matches!(self.next_text, "=>" | "," | ""),
            Kind::Symbol => self.token_text.starts_with('@'),
            _ => false,
        }
    }
}

/// Returns the first token after `start`, not before `min_offset`, for which `can_resume` is `Some(true)`. `None` means
/// to go on; at `Some(false)`, and at the end of the source, returns `None`.
fn skip_tokens_until<'a>(
    start: Input<'a>,
    min_offset: u32,
    can_resume: impl Fn(&TokenContext<'a, '_>) -> Option<bool>,
) -> Option<Input<'a>> {
    let source = &start.state.source[..start.span().end as usize];
    let mut open: Vec<(&str, u32)> = Vec::new();
    let tokens_from = |place| Scanner::new_scanner(place).filter(|token| token.kind != Kind::Comment).peekable();
    let is_within = |place: u32, span: Span| span.start <= place && place < span.end;
    let line_of_string = start.state.recovery.unclosed_string_line_end.take();
    let mut tokens = tokens_from(start);
    while let Some(token) = tokens.next() {
        let text = &source[token.span.range()];
        // A bracket that is closed closes those inside of it, too.
        let is_opening = |(open, _): &(&str, u32)| Expected::closing_bracket_for(open).text() == text;
        let depth = match token.kind {
            Kind::Close => open.iter().rposition(is_opening).map_or(0, |at| at + 1),
            _ => open.len(),
        };
        if token.span.start >= min_offset && token.span.start > start.start() {
            let next = tokens.peek().map_or("", |next| &source[next.span.range()]);
            let indentation = indentation_of_first_token(start.with_start(token.span.start));
            let seen = TokenContext {
                token,
                token_text: text,
                next_text: next,
                depth,
                indentation,
                open_brackets: &open,
                skip_start: start,
            };
            if let Some(resumes) = can_resume(&seen) {
                return resumes.then(|| start.with_start(token.span.start));
            }
        }
        match token.kind {
            Kind::String if let Some(line_end) = line_of_string.filter(|line_end| is_within(*line_end, token.span)) => {
                tokens = tokens_from(start.with_start(line_end));
            }
            Kind::Open => open.push((text, token.span.start)),
            Kind::Close => open.truncate(depth.saturating_sub(1).min(open.len())),
            _ => {}
        }
    }
    None
}

/// Returns the indentation of the line of `place`; `None` if anything but white space is before `place` on the line.
fn indentation_of_first_token(place: Input<'_>) -> Option<usize> {
    let before = place.before();
    let outer = before.trim_end_matches([' ', '\t', '\r']);
    (outer.is_empty() || outer.ends_with('\n')).then_some(before.len() - outer.len())
}

fn line_indentation(place: Input<'_>) -> usize {
    let line = &place.state.source[line_start_offset(place)..];
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the next statement or the end of the block, after the statement at `start` with a mistake at offset `place`.
fn find_next_statement(start: Input<'_>, place: u32) -> Option<Input<'_>> {
    let own = line_indentation(start);
    let owed = Cell::new(0);
    let found = skip_tokens_until(start, place, |seen| {
        if seen.token.kind == Kind::Close {
            let is_of_block = seen.indentation.map_or(seen.depth == 0, |indentation| indentation < own);
            return (is_of_block && seen.token_text == "}").then_some(true);
        }
        if seen.indentation.is_some() && seen.starts_statement() {
            // What should have opened the block of this statement is missing, or was skipped.
            owed.set(seen.count_open_braces());
            return Some(true);
        }
        // A symbol continues a statement, and the text of a heredoc may stand anywhere.
        let can_start = !matches!(seen.token.kind, Kind::Symbol | Kind::String);
        (can_start && seen.indentation.is_some_and(|indentation| indentation <= own)).then_some(true)
    })?;
    let state = start.state;
    state.recovery.braces_to_ignore.set(state.recovery.braces_to_ignore.get() + owed.get());
    Some(found)
}

/// Returns the separator after the item at `start`, which has a mistake at `place`, or the end of the list, or the next
/// item if that starts a line; `None` if the next statement starts earlier.
fn find_next_separator(start: Input<'_>, place: u32, separator: Expected) -> Option<Input<'_>> {
    let (own, base) = (line_indentation(start), bracket_line_indentation(start));
    let open_at = start.state.innermost_open_bracket().unwrap_or_default();
    let close = start.state.closing_bracket().text();
    let is_one_line = !start.before().get(open_at..).unwrap_or_default().contains('\n');
    skip_tokens_until(start, place, |seen| {
        let starts_line = seen.indentation.is_some();
        let is_outside = seen.indentation.is_some_and(|indentation| indentation <= base);
        if seen.token.kind == Kind::Close {
            let is_own = seen.token_text == close && (is_one_line || starts_line) && (seen.depth == 0 || is_outside);
            return (is_own || is_outside).then_some(is_own);
        }
        // A parameter with a default value looks like an assignment.
        let is_statement = seen.starts_statement() && !(close == ")" && seen.token.kind == Kind::Variable);
        if is_outside || starts_line && is_statement {
            return Some(false);
        }
        let is_separator = seen.depth == 0 && (seen.token_text == separator.text() || seen.token_text == ";");
        let is_next_item = seen.indentation == Some(own) && seen.token.kind != Kind::Symbol;
        (is_separator && seen.token.span.start > place || is_next_item).then_some(true)
    })
}

fn bracket_line_indentation(place: Input<'_>) -> usize {
    let open = place.state.innermost_open_bracket().and_then(|at| u32::try_from(at).ok()).unwrap_or_default();
    line_indentation(place.with_start(open))
}
