//! The input of the parsers: the rest of the expression with the options and the nesting level at this position.

use std::cell::{Cell, RefCell};
use std::str::{CharIndices, Chars};

use nom::error::{ErrorKind, ParseError};
use nom::{Compare, CompareResult, Err, Needed, Parser};

use super::error::{Problem, RegexpError};

const MAX_NESTING_LEVELS: u8 = 200;

/// The result of a parser. An `Err::Failure` is reported at once; after an `Err::Error`, `alt` tries the next parser.
pub(super) type Parsed<'a, T> = nom::IResult<Input<'a>, T, RegexpError>;

pub(super) trait PatternParser<'a, T>: Parser<Input<'a>, Output = T, Error = RegexpError> {}

impl<'a, T, R: Parser<Input<'a>, Output = T, Error = RegexpError>> PatternParser<'a, T> for R {}

impl ParseError<Input<'_>> for RegexpError {
    /// Returns the error for input that no parser accepts: only a `)` without its `(` can cause this at the top level.
    fn from_error_kind(input: Input<'_>, _: ErrorKind) -> RegexpError {
        Problem::StrayParenthesis.error_at_offset(input.offset())
    }

    fn append(_: Input<'_>, _: ErrorKind, other: RegexpError) -> RegexpError {
        other
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RegexpOptions {
    /// `i`: upper and lower case match each other
    pub(super) fold: bool,
    /// `m`: the dot matches newlines
    pub(super) dot_matches_newline: bool,
    /// `x`: white space and comments are ignored
    pub(super) is_extended: bool,
    pub(super) charset_option: CharsetOption,
}

/// Whether `\w` and `[[:alpha:]]` match only ASCII or all Unicode characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CharsetOption {
    /// `d`: ASCII for `\w`, Unicode for `[[:alpha:]]` and `\b`; the default
    #[default]
    Mixed,
    /// `a`: ASCII for `\w`, `[[:alpha:]]` and `\b`
    Ascii,
    /// `u`: Unicode for `\w`, `[[:alpha:]]` and `\b`
    Unicode,
}

#[derive(Debug, Default)]
pub(super) struct ParserState<'a> {
    pub(super) text: &'a str,
    /// Whether the expression has named groups, in which case its unnamed groups do not capture.
    pub(super) is_named: bool,
    pub(super) has_seen_named_group: Cell<bool>,
    /// The name of each group parsed so far, starting with group 1; `None` if the group has no name.
    pub(super) group_names: RefCell<Vec<Option<Box<str>>>>,
    /// The group name or number of each call `\g<…>` parsed so far, and the byte offset of the call.
    pub(super) group_calls: RefCell<Vec<(Box<str>, usize)>>,
    /// The group number and byte offset of each reference by number; whether the group exists is checked at the end.
    pub(super) numbered_references: RefCell<Vec<(usize, usize)>>,
    /// Whether an escape parsed so far denotes a non-ASCII character.
    pub(super) has_non_ascii_escape: Cell<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    /// The rest of the expression; in the result of a parser such as `tag`, the string that was matched.
    pub(super) text: &'a str,
    pub(super) options: RegexpOptions,
    pub(super) state: &'a ParserState<'a>,
    /// The byte offset of the innermost group, class or escape that is being parsed, where errors in it are reported.
    pub(super) construct_start: usize,
    pub(super) nesting_level: u8,
}

impl<'a> Input<'a> {
    pub(super) fn new(state: &'a ParserState<'a>) -> Input<'a> {
        Input { text: state.text, options: RegexpOptions::default(), state, construct_start: 0, nesting_level: 0 }
    }

    pub(super) fn offset(self) -> usize {
        self.state.text.len() - self.text.len()
    }
}

pub(super) fn fail_at_start<'a, T>(problem: Problem) -> impl PatternParser<'a, T> {
    move |input: Input<'a>| Err(Err::Failure(problem.clone().error_at_offset(input.construct_start)))
}

pub(super) fn fail_here<'a, T>(problem: Problem) -> impl PatternParser<'a, T> {
    move |input: Input<'a>| Err(Err::Failure(problem.clone().error_at_offset(input.offset())))
}

/// Returns a parser that runs `rule` on the input changed by `change`; after it, options and nesting are as before.
pub(super) fn with_changed_input<'a, T>(
    change: impl Fn(Input<'a>) -> Input<'a>,
    mut rule: impl PatternParser<'a, T>,
) -> impl PatternParser<'a, T> {
    move |input: Input<'a>| {
        let (rest, value) = rule.parse(change(input))?;
        Ok((Input { text: rest.text, ..input }, value))
    }
}

pub(super) fn with_start_here<'a, T>(rule: impl PatternParser<'a, T>) -> impl PatternParser<'a, T> {
    with_changed_input(|input| Input { construct_start: input.offset(), ..input }, rule)
}

pub(super) fn with_deeper_nesting<'a, T>(rule: impl PatternParser<'a, T>) -> impl PatternParser<'a, T> {
    let mut deeper = with_changed_input(|input| Input { nesting_level: input.nesting_level + 1, ..input }, rule);
    move |input: Input<'a>| {
        if input.nesting_level == MAX_NESTING_LEVELS {
            return fail_here(Problem::TooDeep(MAX_NESTING_LEVELS)).parse(input);
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
