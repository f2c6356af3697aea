//! The input of the parsers: what is left of the text, and what holds at this place.

use std::cell::{Cell, RefCell};
use std::str::{CharIndices, Chars};

use nom::error::{ErrorKind, ParseError};
use nom::{Compare, CompareResult, Err, Needed, Parser};

use super::error::{Problem, RegexpError};

const MAX_NESTING_LEVELS: u8 = 200;

/// The result of every parser. A `Failure` is final: it is wrong under every alternative.
pub(super) type Parsed<'a, T> = nom::IResult<Input<'a>, T, RegexpError>;

pub(super) trait Rule<'a, T>: Parser<Input<'a>, Output = T, Error = RegexpError> {}

impl<'a, T, R: Parser<Input<'a>, Output = T, Error = RegexpError>> Rule<'a, T> for R {}

impl ParseError<Input<'_>> for RegexpError {
    /// A mismatch is an error only behind the outermost alternatives, which nothing but a `)` ends.
    fn from_error_kind(input: Input<'_>, _: ErrorKind) -> RegexpError {
        Problem::StrayParenthesis.at(input.at())
    }

    fn append(_: Input<'_>, _: ErrorKind, other: RegexpError) -> RegexpError {
        other
    }
}

/// The options that `(?…)` switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// `i`
    pub(super) fold: bool,
    /// `m`: the dot matches newlines
    pub(super) newline: bool,
    /// `x`: white space and comments are left out
    pub(super) extended: bool,
    pub(super) tables: Tables,
}

/// The set of characters that `\w` and `[[:alpha:]]` match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tables {
    /// `d`: ASCII for `\w`, Unicode for `[[:alpha:]]` and `\b`
    #[default]
    Mixed,
    /// `a`: ASCII
    Ascii,
    /// `u`: Unicode
    Unicode,
}

/// The state shared by all parsers of one expression.
#[derive(Debug, Default)]
pub(super) struct State<'a> {
    pub(super) text: &'a str,
    /// Whether there are named groups, in which case unnamed groups do not capture.
    pub(super) is_named: bool,
    /// Whether a group with a name was read.
    pub(super) saw_name: Cell<bool>,
    /// The name of each group, from group 1 on.
    pub(super) names: RefCell<Vec<Option<Box<str>>>>,
    /// The name or number of each group that is called, and where.
    pub(super) calls: RefCell<Vec<(Box<str>, usize)>>,
    /// References by number and their positions, checked at the end.
    pub(super) references: RefCell<Vec<(usize, usize)>>,
    /// Whether an escape writes a character beyond ASCII.
    pub(super) beyond_ascii: Cell<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    /// What is still to be read, or what was recognised.
    pub(super) text: &'a str,
    pub(super) options: Options,
    pub(super) state: &'a State<'a>,
    /// The byte offset of the group, class or escape that this belongs to.
    pub(super) start: usize,
    pub(super) level: u8,
}

impl<'a> Input<'a> {
    pub(super) fn new(state: &'a State<'a>) -> Input<'a> {
        Input { text: state.text, options: Options::default(), state, start: 0, level: 0 }
    }

    /// The byte offset of what is still to be read.
    pub(super) fn at(self) -> usize {
        self.state.text.len() - self.text.len()
    }
}

/// Never matches: reports a problem of the current group, class or escape.
pub(super) fn refused<'a, T>(problem: Problem) -> impl Rule<'a, T> {
    move |input: Input<'a>| Err(Err::Failure(problem.clone().at(input.start)))
}

/// Never matches: reports a problem at the current position.
pub(super) fn refused_here<'a, T>(problem: Problem) -> impl Rule<'a, T> {
    move |input: Input<'a>| Err(Err::Failure(problem.clone().at(input.at())))
}

/// Runs `rule` on an input changed by `change`; the change does not affect what follows.
pub(super) fn within<'a, T>(change: impl Fn(Input<'a>) -> Input<'a>, mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| {
        let (rest, value) = rule.parse(change(input))?;
        Ok((Input { text: rest.text, ..input }, value))
    }
}

pub(super) fn construct<'a, T>(rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    within(|input| Input { start: input.at(), ..input }, rule)
}

/// Runs `rule` one nesting level deeper.
pub(super) fn nested<'a, T>(rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    let mut deeper = within(|input| Input { level: input.level + 1, ..input }, rule);
    move |input: Input<'a>| {
        if input.level == MAX_NESTING_LEVELS {
            return refused_here(Problem::TooDeep(MAX_NESTING_LEVELS)).parse(input);
        }
        deeper.parse(input)
    }
}

impl<'a> nom::Input for Input<'a> {
    type Item = char;
    type Iter = Chars<'a>;
    type IterIndices = CharIndices<'a>;

    fn input_len(&self) -> usize {
        self.text.len()
    }

    fn take(&self, count: usize) -> Input<'a> {
        Input { text: &self.text[..count], ..*self }
    }

    fn take_from(&self, count: usize) -> Input<'a> {
        Input { text: &self.text[count..], ..*self }
    }

    fn take_split(&self, count: usize) -> (Input<'a>, Input<'a>) {
        (self.take_from(count), self.take(count))
    }

    fn position<P: Fn(char) -> bool>(&self, predicate: P) -> Option<usize> {
        self.text.find(predicate)
    }

    fn iter_elements(&self) -> Chars<'a> {
        self.text.chars()
    }

    fn iter_indices(&self) -> CharIndices<'a> {
        self.text.char_indices()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        self.text.slice_index(count)
    }
}

impl Compare<&str> for Input<'_> {
    fn compare(&self, text: &str) -> CompareResult {
        self.text.compare(text)
    }

    fn compare_no_case(&self, text: &str) -> CompareResult {
        self.text.compare_no_case(text)
    }
}
