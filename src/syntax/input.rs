//! The input type of the nom parsers: a range of the source with a reference to the shared parser [`State`].
//!
//! Both the unread rest of the source and the text that a parser recognised are an [`Input`], which gives access to its
//! text, its span, and the list of syntax nodes to which a parser adds.

use std::cmp::Ordering;
use std::str::{CharIndices, Chars};

use nom::error::{ErrorKind, ParseError};
use nom::{Compare, CompareResult, Needed, Offset};

use super::errors::{Expected, SyntaxError};
use super::state::{LineHeredocs, State};
use super::tree::{Expression, Id, Node};
use crate::text::Span;

/// Why a parser failed: the error type of all parsers. The details of the error are in [`State`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopReason {
    /// Something else was expected at this offset of the source.
    Expected(u32),
    /// No alternative can accept the input, or the stack is used up: the error is in [`State::refusal_error`].
    Refused,
    /// The error was already added to the list `RecoveryState::errors`.
    Recorded,
}

pub(super) type Parsed<'a, T> = nom::IResult<Input<'a>, T, StopReason>;

impl ParseError<Input<'_>> for StopReason {
    fn from_error_kind(input: Input<'_>, _: ErrorKind) -> StopReason {
        StopReason::Expected(input.start())
    }

    fn append(_: Input<'_>, _: ErrorKind, other: StopReason) -> StopReason {
        other
    }
}

/// Fails with `error` at the span of `text`, as a nom `Failure`: no other alternative is tried.
#[cold]
pub(super) fn fail_with<T>(error: SyntaxError, text: Input<'_>) -> Parsed<'_, T> {
    text.state.refusal_error.set(Some(error.into_error_at(text.span())));
    Err(nom::Err::Failure(StopReason::Refused))
}

/// A range of the source: the unread rest, or the text that a parser recognised.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) state: &'a State<'a>,
    /// The start offset (upper half) and the end offset in one number: two words pass through registers, three do not.
    packed_range: u64,
}

impl<'a> Input<'a> {
    pub(super) fn new(state: &'a State<'a>) -> Input<'a> {
        Input { state, packed_range: 0 }.with_range(0, Span::new(0, state.source.len()).end)
    }

    fn with_range(self, start: u32, end: u32) -> Input<'a> {
        Input { packed_range: u64::from(start) << 32 | u64::from(end), ..self }
    }

    pub(super) fn start(self) -> u32 {
        (self.packed_range >> 32) as u32
    }

    fn end(self) -> u32 {
        (self.packed_range & 0xFFFF_FFFF) as u32
    }

    pub(super) fn text(self) -> &'a str {
        &self.state.source[self.start() as usize..self.end() as usize]
    }

    pub(super) fn before(self) -> &'a str {
        &self.state.source[..self.start() as usize]
    }

    pub(super) fn first(self) -> Option<char> {
        match self.state.source.as_bytes().get(self.start() as usize) {
            _ if self.start() >= self.end() => None,
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.text().chars().next(),
        }
    }

    #[expect(clippy::indexing_slicing, reason = "the part is within the source")]
    fn bytes(self) -> &'a [u8] {
        &self.state.source.as_bytes()[self.start() as usize..self.end() as usize]
    }

    pub(super) fn starts_with(self, text: &str) -> bool {
        // The first byte decides most of the time.
        self.bytes().first() == text.as_bytes().first() && self.bytes().starts_with(text.as_bytes())
    }

    pub(super) fn strip_prefix(self, text: &str) -> Option<Input<'a>> {
        self.starts_with(text).then(|| nom::Input::take_from(&self, text.len()))
    }

    pub(super) fn span(self) -> Span {
        Span { start: self.start(), end: self.end() }
    }

    pub(super) fn until_start_of(self, later: Input<'a>) -> Input<'a> {
        self.with_range(self.start(), later.start())
    }

    pub(super) fn with_start(self, start: u32) -> Input<'a> {
        self.with_range(start.min(self.end()), self.end())
    }

    pub(super) fn empty_at_start(self) -> Input<'a> {
        self.until_start_of(self)
    }

    /// Returns the span from the start of this input to the end of the last token, without the white space after that.
    pub(super) fn span_to_last_token(self) -> Span {
        Span { start: self.start(), end: self.state.last_token_end.get().max(self.start()) }
    }

    /// Returns the span from the start of the node `first`, which is before this input, to the end of the last token.
    pub(super) fn span_since_node(self, first: Id) -> Span {
        Span { start: self.span_of_node(first).start, ..self.span_to_last_token() }
    }

    pub(super) fn mark_token_end(self) -> Input<'a> {
        self.state.last_token_end.set(self.start());
        self
    }

    pub(super) fn fail_expecting<T>(self, what: Expected) -> Parsed<'a, T> {
        self.record_expected(what);
        self.fail_here()
    }

    pub(super) fn fail_here<T>(self) -> Parsed<'a, T> {
        Err(nom::Err::Error(StopReason::Expected(self.start())))
    }

    /// Records that `what` was expected here. Only what was expected at the furthest offset is kept.
    pub(super) fn record_expected(self, what: Expected) {
        let (furthest, expected) = self.state.furthest_mismatch.get();
        match self.start().cmp(&furthest) {
            Ordering::Less => {}
            Ordering::Equal => self.state.furthest_mismatch.set((furthest, expected | what.bit_mask())),
            Ordering::Greater => self.state.furthest_mismatch.set((self.start(), what.bit_mask())),
        }
    }

    pub(super) fn add_node(self, span: Span, expression: Expression) -> Id {
        self.add_node_with_error_offset(span, span.start, expression)
    }

    /// Adds a node to the tree. Errors about it point at the offset `place`, such as that of its operator.
    pub(super) fn add_node_with_error_offset(self, span: Span, place: u32, expression: Expression) -> Id {
        let mut nodes = self.state.nodes.borrow_mut();
        let id = Id::from_index(nodes.len());
        // Built in its place in the vector.
        nodes.extend(std::iter::once_with(|| Node { span, place, expression }));
        id
    }

    /// Returns the result of `see` for the node `id`. `see` must not access other nodes: the list is borrowed.
    #[expect(clippy::indexing_slicing, reason = "the node was made before")]
    pub(super) fn access_node<T>(self, id: Id, see: impl FnOnce(&mut Node) -> T) -> T {
        see(&mut self.state.nodes.borrow_mut()[id.index()])
    }

    pub(super) fn span_of_node(self, id: Id) -> Span {
        self.access_node(id, |node| node.span)
    }

    /// Returns the end of this line and the start of the content of a heredoc announced here; `None` on the last line.
    pub(super) fn heredoc_text_start(self) -> Option<(u32, u32)> {
        // Many heredocs may be announced in one line.
        let known = self.state.line_heredocs.get().filter(|known| known.newline < self.end());
        let newline = match known {
            Some(known) if (known.first_announcement..=known.newline).contains(&self.start()) => known.newline,
            _ => self.start() + Span::new(self.text().find('\n')?, 0).start,
        };
        let pending = known.filter(|known| known.newline == newline);
        Some((newline, pending.map_or(newline + 1, |known| known.resume_offset)))
    }

    /// Records that after the newline at `newline` parsing continues at `resume`, after the content of the heredocs.
    pub(super) fn record_heredoc_end(self, newline: u32, resume: u32) {
        let known = self.state.line_heredocs.get().filter(|known| known.newline == newline);
        let start = known.map_or(self.start(), |known| known.first_announcement);
        self.state.line_heredocs.set(Some(LineHeredocs { first_announcement: start, newline, resume_offset: resume }));
    }

    /// Skips the content of the heredocs that the previous line announced, if this input starts right after that line.
    pub(super) fn skip_heredocs(self) -> Input<'a> {
        match self.state.line_heredocs.get() {
            Some(heredocs) if heredocs.newline + 1 == self.start() => self.with_start(heredocs.resume_offset),
            _ => self,
        }
    }
}

impl<'a> nom::Input for Input<'a> {
    type Item = char;
    type Iter = Chars<'a>;
    type IterIndices = CharIndices<'a>;

    fn input_len(&self) -> usize {
        (self.end() - self.start()) as usize
    }

    fn take(&self, count: usize) -> Input<'a> {
        self.with_range(self.start(), self.start() + Span::new(count, 0).start)
    }

    fn take_from(&self, count: usize) -> Input<'a> {
        self.with_range(self.start() + Span::new(count, 0).start, self.end())
    }

    fn take_split(&self, count: usize) -> (Input<'a>, Input<'a>) {
        (self.take_from(count), self.take(count))
    }

    fn position<P: Fn(char) -> bool>(&self, predicate: P) -> Option<usize> {
        let stops = |byte: u8| !byte.is_ascii() || predicate(char::from(byte));
        let at = self.bytes().iter().position(|byte| stops(*byte))?;
        match self.bytes().get(at) {
            Some(byte) if byte.is_ascii() => Some(at),
            // Characters beyond ASCII are rare.
            _ => Some(at + self.text()[at..].find(predicate)?),
        }
    }

    fn iter_elements(&self) -> Chars<'a> {
        self.text().chars()
    }

    fn iter_indices(&self) -> CharIndices<'a> {
        self.text().char_indices()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        self.text().slice_index(count)
    }
}

impl Offset for Input<'_> {
    fn offset(&self, second: &Self) -> usize {
        (second.start() - self.start()) as usize
    }
}

impl Compare<&str> for Input<'_> {
    fn compare(&self, text: &str) -> CompareResult {
        if self.starts_with(text) { CompareResult::Ok } else { CompareResult::Error }
    }

    fn compare_no_case(&self, text: &str) -> CompareResult {
        self.text().compare_no_case(text)
    }
}
