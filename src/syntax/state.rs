//! What the parsers of one source share: the nodes made so far, the furthest place where something was expected in vain,
//! and what a parser has to know of the text before it.

use std::cell::{Cell, RefCell};

use super::{errors::Expected, recovery::Recovery, tree::Node};
use crate::error::Error;
use crate::text::Span;

/// What all parts of one source share.
#[derive(Default)]
pub(super) struct State<'a> {
    pub(super) source: &'a str,
    /// The nodes made so far. Nothing else may ask for them while they are looked at.
    pub(super) nodes: RefCell<Vec<Node>>,
    /// The furthest place where something was expected in vain, and what was expected there, as bits.
    pub(super) furthest: Cell<(u32, u64)>,
    /// How many levels the current place is nested.
    pub(super) nesting: Cell<u32>,
    /// Where the brackets and the `${` start that are open at the current place, the innermost last.
    pub(super) open: RefCell<Vec<u32>>,
    /// The place after the last `${`, where a word without a dollar may name a variable.
    pub(super) interpolation: Cell<Option<u32>>,
    pub(super) last_end: Cell<u32>,
    /// Where the last reserved word ended that is an operand or a function's name: `undef`, `type`.
    pub(super) reserved_end: Cell<Option<u32>>,
    /// Where the last text of a template left a `<%=`.
    pub(super) expression_tag: Cell<Option<u32>>,
    /// The heredocs of the line that was read last.
    pub(super) heredocs: Cell<Option<Heredocs>>,
    /// The backslashes in double-quoted strings that start no escape, with the character after them.
    pub(super) unknown_escapes: RefCell<Vec<Span>>,
    /// The error of [`Stop::Refused`](super::input::Stop::Refused).
    pub(super) refusal: Cell<Option<Error>>,
    /// The first number out of range: an error only where nothing else is wrong.
    pub(super) out_of_range: RefCell<Option<Error>>,
    pub(super) recovery: Recovery,
    /// Whether the text is a template, in which `%>` ends a tag.
    pub(super) is_template: bool,
    /// Whether the place is between `<%=` and `%>`, where no other tag may begin.
    pub(super) in_expression_tag: Cell<bool>,
    /// Whether what was read last is the text after the last tag.
    pub(super) in_text: Cell<bool>,
    /// Whether parsing stopped because the stack is used up. The error is only reported for the largest stack.
    pub(super) is_out_of_room: Cell<bool>,
}

/// The heredocs that a line announces: their texts follow it.
#[derive(Clone, Copy)]
pub(super) struct Heredocs {
    /// Where the first is announced.
    pub(super) start: u32,
    pub(super) newline: u32,
    /// The end of their texts, where reading goes on after the line.
    pub(super) resume: u32,
}

impl<'a> State<'a> {
    pub(super) fn new(source: &'a str) -> State<'a> {
        // Few programs have more nodes than a fourth of their characters.
        State { source, nodes: RefCell::new(Vec::with_capacity(source.len() / 4)), ..State::default() }
    }

    /// The furthest place where something was expected in vain, and what.
    pub(super) fn furthest(&self) -> (usize, Vec<Expected>) {
        let (place, expected) = self.furthest.get();
        (place as usize, Expected::of_bits(expected))
    }

    /// What is taken back after a look ahead, or after a mistake.
    pub(super) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.borrow().len(), nesting: self.nesting.get(), open: self.open.borrow().len() }
    }

    /// Forgets what was begun since the mark.
    pub(super) fn go_back_to(&self, mark: &Mark) {
        self.nodes.borrow_mut().truncate(mark.nodes);
        self.nesting.set(mark.nesting);
        self.open.borrow_mut().truncate(mark.open);
    }

    /// Where the innermost bracket of any kind starts that is not closed so far.
    pub(super) fn open_bracket(&self) -> Option<usize> {
        self.innermost(|at| !self.source[at..].starts_with('$'))
    }

    /// Where the innermost `${` starts that is not closed so far.
    pub(super) fn open_interpolation(&self) -> Option<usize> {
        self.innermost(|at| self.source[at..].starts_with('$'))
    }

    pub(super) fn closing(&self) -> Expected {
        let open = self.open_bracket().unwrap_or_default();
        Expected::closing(self.source.get(open..=open).unwrap_or_default())
    }

    fn innermost(&self, is_meant: impl Fn(usize) -> bool) -> Option<usize> {
        self.open.borrow().iter().rev().map(|&at| at as usize).find(|&at| is_meant(at))
    }
}

/// How far reading had come: see [`State::mark`].
pub(super) struct Mark {
    nodes: usize,
    nesting: u32,
    open: usize,
}
