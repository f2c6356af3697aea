//! A scanner for source that may be wrong or unfinished: for highlighting and completion while typing.
//!
//! The parser stops at the first mistake; this scanner never does. It scans the source once, with a stack of the open
//! braces, so that it knows whether a `}` returns to a string. Words, numbers, variables and regular expressions are
//! recognised by the functions of the parser. White space makes no token; everything else is in one.

use std::collections::VecDeque;

use nom::Input as _;

use super::grammar::heredocs::heredoc_end;
use super::grammar::numbers::number_text;
use super::grammar::operators::TABLE;
use super::grammar::regexps::regexp_text;
use super::grammar::words::{is_word_character, variable, word};
use super::input::{Input, Parsed};
use super::state::State;
use crate::text::Span;

/// The kind of a token, which decides its colour.
/// ```
/// use pcore::syntax::tokens::{Kind, tokens};
/// assert_eq!(tokens("$x =~ String").iter().map(|token| token.kind).collect::<Vec<_>>(), [
///     Kind::Variable, Kind::Symbol, Kind::Reference,
/// ]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `# …`, `/* … */`
    Comment,
    /// `if`, `true`
    Keyword,
    /// `a`, `a::b`, `a-b`
    Name,
    /// `A`, `A::B`
    Reference,
    /// `$a`, `$a::b`; a lone `$`, whose name is still to come
    Variable,
    /// `0x1f`, `1.5`
    Number,
    /// A quoted string or the part of one between interpolations; the text of a heredoc.
    String,
    /// `/a+/`
    Regexp,
    /// `(`, `[`, `{`; `${` in a string
    Open,
    /// `)`, `]`, `}`
    Close,
    /// An operator, a separator, anything else.
    Symbol,
}

/// A token and its place.
/// ```
/// let text = "notice('hello')";
/// let first = pcore::syntax::tokens::tokens(text)[0];
/// assert_eq!(&text[first.span.range()], "notice");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
}

/// Symbols of more than one character besides the operators between operands; also those that only other languages have.
const LONG_SYMBOLS: [&str; 13] = ["<<|", "|>>", "=>", "+>", "<|", "|>", "+=", "-=", "::", "||", "@@", "&&", "**"];

/// The tokens of a text, in order.
///
/// ```
/// use pcore::syntax::tokens::{Kind, tokens};
/// let kinds: Vec<Kind> = tokens("$x =~ Integer[1").iter().map(|token| token.kind).collect();
/// assert_eq!(kinds, [Kind::Variable, Kind::Symbol, Kind::Reference, Kind::Open, Kind::Number]);
/// ```
pub fn tokens(text: &str) -> Vec<Token> {
    scan(text).0
}

/// The tokens of a text, and whether it ends inside of a string, a heredoc or a comment that it does not close: then
/// what follows belongs to the last token.
///
/// ```
/// use pcore::syntax::tokens::scan;
/// assert!(scan("$x = 'a").1);
/// assert!(!scan("$x = \"a${").1);
/// ```
pub fn scan(text: &str) -> (Vec<Token>, bool) {
    let state = State::new(text);
    let mut scanner = Scanner::new(Input::new(&state));
    while scanner.here.input_len() > 0 {
        scanner.step();
    }
    (scanner.tokens, scanner.ends_inside)
}

/// A text in which variables and expressions are interpolated.
#[derive(Clone, Copy)]
enum Quoted {
    /// A double-quoted string, up to its quote.
    String,
    Heredoc {
        /// Behind the line with the end mark.
        end: u32,
        /// Whether there is a line with the end mark.
        is_closed: bool,
        /// Whether a backslash keeps a dollar sign from interpolating.
        escapes: bool,
    },
}

/// `@("END"/L)`
struct Announcement<'a> {
    tag: &'a str,
    interpolates: bool,
    escapes: bool,
}

/// Makes tokens one by one, of any text.
pub(super) struct Scanner<'a> {
    here: Input<'a>,
    tokens: Vec<Token>,
    /// What the closing brace of each open one goes back to: the text in which the interpolation stands, or code.
    open: Vec<Option<Quoted>>,
    /// Heredocs whose text starts in the next line, or behind that of the one before.
    heredocs: VecDeque<Announcement<'a>>,
    /// Whether the last token is not closed.
    ends_inside: bool,
    /// How many tokens were asked for.
    taken: usize,
}

impl Iterator for Scanner<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while self.taken == self.tokens.len() && self.here.input_len() > 0 {
            self.step();
        }
        let token = self.tokens.get(self.taken).copied();
        self.taken += 1;
        token
    }
}

impl<'a> Scanner<'a> {
    /// For the tokens of `input`, which starts with one.
    pub(super) fn new(input: Input<'a>) -> Scanner<'a> {
        let (tokens, open, heredocs) = (Vec::new(), Vec::new(), VecDeque::new());
        Scanner { here: input, tokens, open, heredocs, ends_inside: false, taken: 0 }
    }

    fn length_of(&self, parser: impl Fn(Input<'a>) -> Parsed<'a, Input<'a>>) -> Option<usize> {
        Some(parser(self.here).ok()?.1.input_len())
    }

    /// A token, unless it is empty.
    fn push(&mut self, kind: Kind, length: usize) {
        let (after, token) = self.here.take_split(length);
        if length > 0 {
            self.tokens.push(Token { kind, span: token.span() });
        }
        self.here = after;
    }

    /// Reads a token, or skips a character of white space.
    fn step(&mut self) {
        let rest = self.here.text();
        let Some(first) = rest.chars().next() else { return };
        match first {
            '\n' => {
                self.here = self.here.take_from(1);
                self.heredoc_texts();
            }
            _ if first.is_whitespace() => self.here = self.here.take_from(first.len_utf8()),
            '#' => self.push(Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => {
                let inside = rest[2..].find("*/");
                self.ends_inside = inside.is_none();
                self.push(Kind::Comment, inside.map_or(rest.len(), |length| length + 4));
            }
            '/' if !self.follows_operand() => {
                // One that goes over several lines is rare, a slash that is not yet closed is not.
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                match self.length_of(regexp_text).filter(|length| *length <= line.len()) {
                    Some(length) => self.push(Kind::Regexp, length),
                    None => self.push(Kind::Symbol, 1),
                }
            }
            '\'' => {
                let inside = unescaped(&rest[1..], |rest| rest.starts_with('\''));
                self.ends_inside = inside.is_none();
                self.push(Kind::String, inside.map_or(rest.len(), |inside| inside + 2));
            }
            '"' => self.quoted(1, Quoted::String),
            '$' => self.variable(),
            '0'..='9' => self.push(Kind::Number, self.length_of(number_text).unwrap_or(1)),
            '@' if rest.starts_with("@(") => self.announcement(),
            '(' | '[' => self.push(Kind::Open, 1),
            '{' => {
                self.open.push(None);
                self.push(Kind::Open, 1);
            }
            ')' | ']' => self.push(Kind::Close, 1),
            '}' => {
                self.push(Kind::Close, 1);
                if let Some(text) = self.open.pop().flatten() {
                    self.quoted(0, text);
                }
            }
            _ => self.word_or_symbol(first),
        }
    }

    fn variable(&mut self) {
        self.push(Kind::Variable, 1 + self.length_of(variable).unwrap_or(0));
    }

    fn word_or_symbol(&mut self, first: char) {
        match word(self.here) {
            Ok((_, (kind, word))) => self.push(kind, word.input_len()),
            // `Mod::` and `mod::` on their way to a name.
            Err(nom::Err::Failure(_)) => self.unfinished_word(),
            Err(_) => {
                let symbols = TABLE.iter().map(|row| row.text).chain(LONG_SYMBOLS);
                let lengths = symbols.filter(|symbol| self.here.starts_with(symbol)).map(str::len);
                self.push(Kind::Symbol, lengths.max().unwrap_or(first.len_utf8()));
            }
        }
    }

    fn unfinished_word(&mut self) {
        let rest = self.here.text();
        let length = rest.find(|c: char| !is_word_character(c) && c != ':').unwrap_or(rest.len());
        match rest.trim_start_matches(':').chars().next() {
            Some('A'..='Z') => self.push(Kind::Reference, length),
            Some('a'..='z') => self.push(Kind::Name, length),
            _ => self.push(Kind::Symbol, length.max(1)),
        }
    }

    /// Whether a `/` here divides what stands before it.
    fn follows_operand(&self) -> bool {
        let Some(last) = self.tokens.iter().rev().find(|token| token.kind != Kind::Comment) else { return false };
        let text = &self.here.state.source[last.span.range()];
        match last.kind {
            Kind::Name | Kind::Reference | Kind::Variable | Kind::Number | Kind::String | Kind::Regexp => true,
            Kind::Close => text != "}",
            Kind::Keyword => matches!(text, "true" | "false"),
            Kind::Comment | Kind::Open | Kind::Symbol => false,
        }
    }

    /// Reads a text up to its end or the next `${`; variables without braces are tokens on their own. `opening` is the
    /// length of the quote in front, which is absent after an interpolation.
    fn quoted(&mut self, mut opening: usize, text: Quoted) {
        loop {
            let rest = match text {
                Quoted::String => self.here.text(),
                Quoted::Heredoc { end, .. } => &self.here.text()[..end.saturating_sub(self.here.start()) as usize],
            };
            let is_end = |rest: &str| matches!(text, Quoted::String) && rest.starts_with('"');
            let found = match text {
                Quoted::Heredoc { escapes: false, .. } => {
                    rest.match_indices('$').map(|(at, _)| at).find(|&at| is_interpolation(&rest[at..]))
                }
                _ => unescaped(&rest[opening..], |rest| is_end(rest) || is_interpolation(rest)).map(|at| opening + at),
            };
            let length = found.unwrap_or(rest.len());
            let found = &rest[length..];
            if is_end(found) {
                return self.push(Kind::String, length + 1);
            }
            self.push(Kind::String, length);
            if found.is_empty() {
                break;
            }
            if found.starts_with("${") {
                self.open.push(Some(text));
                return self.push(Kind::Open, 2);
            }
            self.variable();
            opening = 0;
        }
        self.ends_inside = !matches!(text, Quoted::Heredoc { is_closed: true, .. });
        if matches!(text, Quoted::Heredoc { .. }) {
            self.heredoc_texts();
        }
    }

    /// `@(END)`, `@("END"/L)`
    fn announcement(&mut self) {
        let rest = self.here.text();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let Some(end) = line.find(')') else { return self.push(Kind::Symbol, 1) };
        let (tag, escapes) = line[2..end].split_once('/').map_or((&line[2..end], None), |(tag, all)| (tag, Some(all)));
        let tag = tag.split(':').next().unwrap_or_default().trim();
        self.heredocs.push_back(Announcement {
            tag: tag.trim_matches('"'),
            interpolates: tag.starts_with('"'),
            escapes: escapes.is_some_and(|letters| letters.trim().is_empty() || letters.contains('$')),
        });
        self.push(Kind::String, end + 1);
    }

    fn heredoc_texts(&mut self) {
        while let Some(Announcement { tag, interpolates, escapes }) = self.heredocs.pop_front() {
            let mut length = 0;
            let is_closed = self.here.text().split_inclusive('\n').any(|line| {
                length += line.len();
                heredoc_end(line, tag).is_some()
            });
            if interpolates {
                let end = self.here.take_from(length).start();
                return self.quoted(0, Quoted::Heredoc { end, is_closed, escapes });
            }
            self.ends_inside = !is_closed;
            self.push(Kind::String, length);
        }
    }
}

/// `$name`, `${`
fn is_interpolation(text: &str) -> bool {
    let Some(name) = text.strip_prefix('$') else { return false };
    let name = name.strip_prefix("::").unwrap_or(name);
    name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_') || text.starts_with("${")
}

/// Where in `text` the first place is that `found` and no backslash stands before.
fn unescaped(text: &str, found: impl Fn(&str) -> bool) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().map(|(at, _)| at).find(|&at| {
        let here = !escaped && found(&text[at..]);
        escaped = !escaped && text[at..].starts_with('\\');
        here
    })
}
