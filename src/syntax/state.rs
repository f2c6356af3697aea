//! The state shared by all parsers of one source: the nodes made so far, the furthest offset where something was
//! expected, and what parsers have to know about the text already read.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::{errors::Expected, recovery::RecoveryState, tree::Node};
use crate::error::Error;
use crate::text::Span;

#[derive(Default)]
pub(super) struct State<'a> {
    pub(super) source: &'a str,
    /// The nodes made so far. They must not be borrowed again inside `Input::access_node`.
    pub(super) nodes: RefCell<Vec<Node>>,
    /// The furthest offset where something was expected but not found, and what was expected there, as bits.
    pub(super) furthest_mismatch: Cell<(u32, u64)>,
    pub(super) nesting: Cell<u32>,
    /// The offsets of the brackets and the `${` that are open at the current offset, the innermost last.
    pub(super) open_offsets: RefCell<Vec<u32>>,
    /// The offset after the last `${` and its spaces, where a word without a dollar may be the name of a variable.
    pub(super) last_interpolation_start: Cell<Option<u32>>,
    pub(super) last_token_end: Cell<u32>,
    /// The end of the last reserved word read as an operand or a function name: a `/` after it may start a regexp.
    pub(super) reserved_word_end: Cell<Option<u32>>,
    /// The offset of the `<%=` that ended the last text of a template: an expression tag may only start there.
    pub(super) expression_tag_offset: Cell<Option<u32>>,
    /// The heredocs announced in the line that was read last.
    pub(super) line_heredocs: Cell<Option<LineHeredocs>>,
    /// The spans of the backslashes in double-quoted strings that start no escape, with the character after each. A set
    /// because a string may be parsed twice.
    pub(super) unknown_escapes: RefCell<BTreeSet<Span>>,
    /// The error to report after a parser failed with [`StopReason::Refused`](super::input::StopReason::Refused).
    pub(super) refusal_error: Cell<Option<Error>>,
    /// The error of the first number out of range, which is reported only if the source has no other error.
    pub(super) out_of_range_error: RefCell<Option<Error>>,
    pub(super) recovery: RecoveryState,
    pub(super) is_template: bool,
    /// Whether the current offset is between `<%=` and `%>`, where no other tag may start.
    pub(super) is_in_expression_tag: Cell<bool>,
    /// Whether the template text read last is the one after the last tag.
    pub(super) is_in_final_text: Cell<bool>,
    /// Whether parsing stopped because the stack was used up; it is then retried once, on a larger stack.
    pub(super) is_out_of_stack: Cell<bool>,
}

#[derive(Clone, Copy)]
pub(super) struct LineHeredocs {
    /// The offset of the first `@(…)` in the line.
    pub(super) first_announcement: u32,
    pub(super) newline: u32,
    /// The offset after the content of these heredocs, where parsing continues after the line.
    pub(super) resume_offset: u32,
}

impl<'a> State<'a> {
    pub(super) fn new(source: &'a str) -> State<'a> {
        // Few programs have more nodes than a fourth of their characters.
        State { source, nodes: RefCell::new(Vec::with_capacity(source.len() / 4)), ..State::default() }
    }

    pub(super) fn furthest_expected(&self) -> (usize, Vec<Expected>) {
        let (place, expected) = self.furthest_mismatch.get();
        let is_expected = |one: &Expected| expected & one.bit_mask() != 0;
        (place as usize, Expected::ALL.iter().copied().filter(is_expected).collect())
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { node_count: self.nodes.borrow().len(), open_count: self.open_offsets.borrow().len() }
    }

    pub(super) fn restore_checkpoint(&self, mark: &Checkpoint) {
        self.nodes.borrow_mut().truncate(mark.node_count);
        self.open_offsets.borrow_mut().truncate(mark.open_count);
    }

    pub(super) fn innermost_open_bracket(&self) -> Option<usize> {
        self.find_innermost_opening(|at| !self.source[at..].starts_with('$'))
    }

    pub(super) fn closing_bracket(&self) -> Expected {
        let open = self.innermost_open_bracket().unwrap_or_default();
        Expected::closing_bracket_for(self.source.get(open..=open).unwrap_or_default())
    }

    pub(super) fn find_innermost_opening(&self, is_meant: impl Fn(usize) -> bool) -> Option<usize> {
        self.open_offsets.borrow().iter().rev().map(|&at| at as usize).find(|&at| is_meant(at))
    }
}

pub(super) struct Checkpoint {
    node_count: usize,
    open_count: usize,
}
