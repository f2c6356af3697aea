//! The input of the parser functions: a position in the source, and the state that all positions share.
//!
//! The state holds the nodes created so far, the furthest position where parsing failed (with everything that was
//! expected there), the nesting depth, the end of the last token, and where parsing continues after a line with
//! heredocs. It uses cells, so that a position is two words and is passed in registers. Input nested too deeply for the
//! current stack is parsed again on a larger one.

use std::cell::{Cell, RefCell, RefMut};

use super::errors::{Expected, SyntaxError};
use super::tree::{Expression, Id, Node};
use crate::error::Error;
use crate::stack;
use crate::text::Span;

/// How deep brackets, blocks, operators in front and interpolations may be nested.
pub(crate) const MAX_NESTING_LEVELS: u32 = 2_000;

/// Why a parser function gives no result.
#[derive(Debug)]
pub(super) enum Stop {
    /// Something else was expected; what, is noted in the state. Another alternative may be tried.
    Expected,
    /// The text is invalid under every alternative, or the stack is exhausted.
    Error(Error),
}

/// The result of every parser function.
pub(super) type Parsed<'a, T> = nom::IResult<Input<'a>, T, Stop>;

impl<I> nom::error::ParseError<I> for Stop {
    fn from_error_kind(_: I, _: nom::error::ErrorKind) -> Stop {
        Stop::Expected
    }

    fn append(_: I, _: nom::error::ErrorKind, other: Stop) -> Stop {
        other
    }
}

/// Gives up for good.
#[cold]
pub(super) fn refuse<'a, T>(error: SyntaxError, span: Span) -> Parsed<'a, T> {
    Err(nom::Err::Failure(Stop::Error(error.at(span))))
}

/// What all places of one text share.
pub(super) struct State<'a> {
    text: &'a str,
    /// The input up to the end of the text or of the current heredoc.
    readable: Cell<&'a str>,
    nodes: RefCell<Vec<Node>>,
    furthest: Cell<u32>,
    expected: Cell<u64>,
    nesting: Cell<u32>,
    open_brackets: RefCell<Vec<u32>>,
    open_interpolations: RefCell<Vec<u32>>,
    /// Where a word without a dollar names a variable: the last such place after a `${`.
    pub(super) interpolated_variable: Cell<u32>,
    last_end: Cell<u32>,
    /// Where the last reserved word ended that is an operand or a function's name: `undef`, `type`.
    pub(super) reserved_end: Cell<u32>,
    /// Where the last text of a template left a `<%=`.
    pub(super) expression_tag: Cell<u32>,
    heredoc_newline: Cell<u32>,
    heredoc_resume: Cell<u32>,
    /// A place in the line of `heredoc_newline`, from which on it has no other end.
    heredoc_line: Cell<u32>,
    overflows: RefCell<Vec<Id>>,
    unknown_escapes: RefCell<Vec<Span>>,
    /// Whether the text is a template, in which `%>` ends a tag.
    pub(super) is_template: bool,
    /// Whether the place is between `<%=` and `%>`, where no other tag may begin.
    pub(super) in_expression_tag: Cell<bool>,
    /// Whether what was read last is the text after the last tag.
    pub(super) in_text: Cell<bool>,
    /// Whether parsing stopped because the stack is exhausted. The error is only reported for the largest stack.
    pub(super) is_out_of_room: Cell<bool>,
}

impl<'a> State<'a> {
    /// The state before the first character of `text`.
    pub(super) fn new(text: &'a str) -> State<'a> {
        State {
            text,
            readable: Cell::new(text),
            nodes: RefCell::new(Vec::with_capacity(text.len() / 8)),
            furthest: Cell::new(0),
            expected: Cell::new(0),
            nesting: Cell::new(0),
            open_brackets: RefCell::default(),
            open_interpolations: RefCell::default(),
            interpolated_variable: Cell::new(u32::MAX),
            last_end: Cell::new(0),
            reserved_end: Cell::new(u32::MAX),
            expression_tag: Cell::new(u32::MAX),
            heredoc_newline: Cell::new(u32::MAX),
            heredoc_resume: Cell::new(0),
            heredoc_line: Cell::new(u32::MAX),
            overflows: RefCell::new(Vec::new()),
            unknown_escapes: RefCell::default(),
            is_template: false,
            in_expression_tag: Cell::new(false),
            in_text: Cell::new(false),
            is_out_of_room: Cell::new(false),
        }
    }

    /// The state before the first character of a template.
    pub(super) fn of_template(text: &'a str) -> State<'a> {
        State { is_template: true, ..State::new(text) }
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The furthest place that something was looked for, and what.
    pub(super) fn furthest(&self) -> (usize, Vec<Expected>) {
        (self.furthest.get() as usize, Expected::of_bits(self.expected.get()))
    }

    /// What [`State::reset_furthest`] takes.
    pub(super) fn furthest_mark(&self) -> (u32, u64) {
        (self.furthest.get(), self.expected.get())
    }

    /// Forgets what was noted since the mark.
    pub(super) fn reset_furthest(&self, (furthest, expected): (u32, u64)) {
        self.furthest.set(furthest);
        self.expected.set(expected);
    }

    /// All nodes, when parsing is over.
    pub(super) fn take_nodes(&self) -> Vec<Node> {
        let mut nodes = self.nodes.take();
        // Comments make the room for them too large.
        nodes.shrink_to_fit();
        nodes
    }

    /// Where the innermost bracket of any kind opens that is not closed so far.
    pub(super) fn open_bracket(&self) -> Option<usize> {
        Some(*self.open_brackets.borrow_mut().last()? as usize)
    }

    /// Where the innermost `${` stands that is not closed so far.
    pub(super) fn open_interpolation(&self) -> Option<usize> {
        Some(*self.open_interpolations.borrow_mut().last()? as usize)
    }

    /// The backslashes in double-quoted strings that start no escape, with the character after them.
    pub(super) fn unknown_escapes(&self) -> Vec<Span> {
        self.unknown_escapes.borrow().clone()
    }

    /// Integer literals of 2^63 that have no minus in front so far.
    pub(super) fn overflows(&self) -> RefMut<'_, Vec<Id>> {
        self.overflows.borrow_mut()
    }

    /// The nodes made so far. Nothing else may ask for them while they are looked at.
    fn nodes(&self) -> RefMut<'_, Vec<Node>> {
        self.nodes.borrow_mut()
    }
}

/// A position in the text. The rest is not parsed yet.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) state: &'a State<'a>,
    pub(super) offset: u32,
}

impl<'a> Input<'a> {
    /// The start of the whole text.
    pub(super) fn new(state: &'a State<'a>) -> Input<'a> {
        Input { state, offset: 0 }
    }

    /// What is not read yet.
    #[inline]
    pub(super) fn rest(self) -> &'a str {
        &self.state.readable.get()[self.offset as usize..]
    }

    /// The end of the readable input.
    pub(super) fn end(self) -> Input<'a> {
        self.moved_to(Span::new(0, self.state.readable.get().len()).end)
    }

    /// Runs a parser function on the input before `end`.
    pub(super) fn up_to<T>(self, end: Input<'a>, parser: impl FnOnce(Input<'a>) -> Parsed<'a, T>) -> Parsed<'a, T> {
        let outer = self.state.readable.replace(end.before());
        let result = parser(self);
        self.state.readable.set(outer);
        result
    }

    /// What was read before this place.
    pub(super) fn before(self) -> &'a str {
        &self.state.text[..self.offset as usize]
    }

    /// What is not read yet, as bytes.
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "the place is within the text")]
    pub(super) fn bytes(self) -> &'a [u8] {
        &self.state.readable.get().as_bytes()[self.offset as usize..]
    }

    /// The next byte; 0 at the end.
    #[inline]
    pub(super) fn byte(self) -> u8 {
        self.byte_at(0)
    }

    /// The byte `ahead` places further on; 0 at or after the end.
    #[inline]
    pub(super) fn byte_at(self, ahead: usize) -> u8 {
        self.state.readable.get().as_bytes().get(self.offset as usize + ahead).copied().unwrap_or(0)
    }

    /// The place `bytes` further on.
    #[inline]
    pub(super) fn skip(self, bytes: usize) -> Input<'a> {
        Input { offset: self.offset + Span::new(bytes, bytes).start, ..self }
    }

    /// The position at which `rest`, a suffix of the readable input, starts.
    #[inline]
    pub(super) fn before_rest(self, rest: &[u8]) -> Input<'a> {
        self.moved_to(Span::new(self.state.readable.get().len() - rest.len(), 0).start)
    }

    /// The place at `offset` of the whole text.
    pub(super) fn moved_to(self, offset: u32) -> Input<'a> {
        Input { offset, ..self }
    }

    /// Everything between two places.
    pub(super) fn until(self, later: Input<'a>) -> &'a str {
        &self.state.text[self.offset as usize..later.offset as usize]
    }

    /// The span of what stands between two places.
    pub(super) fn span_until(self, later: Input<'a>) -> Span {
        Span { start: self.offset, end: later.offset }
    }

    /// The span from here to the end of the last token, without the white space after it.
    pub(super) fn span_to_last_token(self) -> Span {
        Span { start: self.offset, end: self.state.last_end.get().max(self.offset) }
    }

    /// Remembers that a token ends here.
    pub(super) fn ends_token(self) -> Input<'a> {
        self.state.last_end.set(self.offset);
        self
    }

    /// Remembers that a reserved word ends here, after which a `/` does not divide.
    pub(super) fn ends_reserved_word(self) {
        self.state.reserved_end.set(self.offset);
    }

    /// Where the last token ended.
    pub(super) fn after_last_token(self) -> Input<'a> {
        self.moved_to(self.state.last_end.get())
    }

    /// Gives up here, and notes what would have been right.
    pub(super) fn expected<T>(self, what: Expected) -> Parsed<'a, T> {
        self.note(what);
        Err(nom::Err::Error(Stop::Expected))
    }

    /// Notes that `what` would have been right here.
    #[inline]
    pub(super) fn note(self, what: Expected) {
        let furthest = self.state.furthest.get();
        if self.offset > furthest {
            self.state.furthest.set(self.offset);
            self.state.expected.set(what.bit());
        } else if self.offset == furthest {
            self.state.expected.set(self.state.expected.get() | what.bit());
        }
    }

    /// A new node of the tree.
    pub(super) fn node(self, span: Span, expression: Expression) -> Id {
        self.node_at(span, span.start, expression)
    }

    /// A new node of the tree that is known by a place other than its start, such as its operator.
    pub(super) fn node_at(self, span: Span, place: u32, expression: Expression) -> Id {
        let mut nodes = self.state.nodes();
        let id = Id::at(nodes.len());
        nodes.push(Node { span, place, expression });
        id
    }

    /// What `see` says of a node made before. It must not make or look at other nodes.
    #[expect(clippy::indexing_slicing, reason = "the node was made before")]
    pub(super) fn look<T>(self, id: Id, see: impl FnOnce(&mut Node) -> T) -> T {
        see(&mut self.state.nodes()[id.index()])
    }

    /// The span of a node made before.
    pub(super) fn span_of(self, id: Id) -> Span {
        self.look(id, |node| node.span)
    }

    /// The location of a node made before.
    pub(super) fn place_of(self, id: Id) -> u32 {
        self.look(id, |node| node.place)
    }

    /// Runs a parser function one level deeper.
    pub(super) fn nested<T>(self, parser: impl FnOnce(Input<'a>) -> Parsed<'a, T>) -> Parsed<'a, T> {
        let (level, here) = (self.state.nesting.get() + 1, self.span_until(self));
        if level > MAX_NESTING_LEVELS {
            return refuse(SyntaxError::Nesting, here);
        }
        if !stack::has_room() {
            self.state.is_out_of_room.set(true);
            return refuse(SyntaxError::Nesting, here);
        }
        self.state.nesting.set(level);
        let result = parser(self);
        self.state.nesting.set(level - 1);
        result
    }

    /// Remembers that the backslash here and what follows it are no escape. A text may be read twice.
    pub(super) fn warns_of_escape(self) {
        let length = 1 + self.rest()[1..].chars().next().map_or(0, char::len_utf8);
        let span = self.span_until(self.skip(length));
        let mut known = self.state.unknown_escapes.borrow_mut();
        if !known.contains(&span) {
            known.push(span);
        }
    }

    /// Remembers that a bracket opens here.
    pub(super) fn opens_bracket(self) {
        self.state.open_brackets.borrow_mut().push(self.offset);
    }

    /// Remembers that the innermost bracket is closed.
    pub(super) fn closes_bracket(self) {
        self.state.open_brackets.borrow_mut().pop();
    }

    /// Remembers that a `${` stands here.
    pub(super) fn opens_interpolation(self) {
        self.state.open_interpolations.borrow_mut().push(self.offset);
    }

    /// Remembers that the innermost `${` is closed.
    pub(super) fn closes_interpolation(self) {
        self.state.open_interpolations.borrow_mut().pop();
    }

    /// The end of the line of this place, and where the text of a heredoc announced here starts. `None` on the last
    /// line.
    pub(super) fn heredoc_start(self) -> Option<(u32, u32)> {
        let known = self.state.heredoc_newline.get();
        // Many heredocs may be announced in one line.
        let is_known = (self.state.heredoc_line.get()..=known).contains(&self.offset) && known < self.end().offset;
        let newline = if is_known { known } else { self.offset + Span::new(self.rest().find('\n')?, 0).start };
        let pending = known == newline;
        Some((newline, if pending { self.state.heredoc_resume.get() } else { newline + 1 }))
    }

    /// Remembers that reading goes on at `resume` after the newline at `newline`.
    pub(super) fn resumes_after(self, newline: u32, resume: u32) {
        if self.state.heredoc_newline.replace(newline) != newline {
            self.state.heredoc_line.set(self.offset);
        }
        self.state.heredoc_resume.set(resume);
    }

    /// The position after the heredoc bodies that follow this newline, if there are any.
    pub(super) fn after_heredocs(self) -> Option<Input<'a>> {
        let follow = self.state.heredoc_newline.get() == self.offset;
        follow.then(|| self.moved_to(self.state.heredoc_resume.get().min(self.end().offset)))
    }
}
