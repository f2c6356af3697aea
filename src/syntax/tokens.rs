//! A scanner for source that may be wrong or unfinished: for highlighting and completion while typing.
//!
//! The parser stops at the first mistake; this scanner never does. It scans the source once, with a stack of the open
//! braces, so that it knows whether a `}` returns to a string. Words, numbers, variables and regular expressions are
//! recognised by the functions of the parser. White space makes no token; everything else is in one.

use super::grammar::heredocs::heredoc_end;
use super::grammar::numbers::number_text;
use super::grammar::operators::TABLE;
use super::grammar::regexps::regexp_text;
use super::grammar::words::{Word, variable_name, word};
use super::input::{Input, Parsed};
use super::state::State;

use std::collections::VecDeque;

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
    while scanner.at < text.len() {
        scanner.step();
    }
    (scanner.tokens, scanner.ends_inside)
}

/// What a closing brace goes back to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    Code,
    /// The string in which the interpolation stands.
    String,
    /// The heredoc in which the interpolation stands.
    Heredoc(Body),
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Body {
    /// Behind the line with the end mark.
    end: usize,
    /// Whether there is a line with the end mark.
    is_closed: bool,
    /// Whether a backslash keeps a dollar sign from interpolating.
    escapes: bool,
}

/// `@("END"/L)`
struct Announcement<'a> {
    tag: &'a str,
    interpolates: bool,
    escapes: bool,
}

/// Makes tokens one by one, of any text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    input: Input<'a>,
    at: usize,
    tokens: Vec<Token>,
    open: Vec<Brace>,
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
        while self.taken == self.tokens.len() && self.at < self.text.len() {
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
        Scanner {
            text: &input.state.source()[..input.span().end as usize],
            input,
            at: input.start() as usize,
            tokens: Vec::new(),
            open: Vec::new(),
            heredocs: VecDeque::new(),
            ends_inside: false,
            taken: 0,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn length_of(&self, parser: impl Fn(Input<'a>) -> Parsed<'a, Input<'a>>, ahead: usize) -> Option<usize> {
        let (_, found) = parser(self.input.moved_to(Span::new(self.at + ahead, 0).start)).ok()?;
        Some(found.text().len())
    }

    fn push(&mut self, kind: Kind, length: usize) {
        self.tokens.push(Token { kind, span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    /// Reads a token, or skips a character of white space.
    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        match first {
            '\n' => {
                self.at += 1;
                self.heredoc_texts();
            }
            _ if first.is_whitespace() => self.at += first.len_utf8(),
            '#' => self.push(Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => {
                let inside = rest[2..].find("*/");
                self.ends_inside = inside.is_none();
                self.push(Kind::Comment, inside.map_or(rest.len(), |length| length + 4));
            }
            '/' if !self.follows_operand() => {
                // One that goes over several lines is rare, a slash that is not yet closed is not.
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                match self.length_of(regexp_text, 0).filter(|length| *length <= line.len()) {
                    Some(length) => self.push(Kind::Regexp, length),
                    None => self.push(Kind::Symbol, 1),
                }
            }
            '\'' => self.single_quoted(),
            '"' => self.double_quoted(1),
            '$' => self.push(Kind::Variable, 1 + self.length_of(variable_name, 1).unwrap_or(0)),
            '0'..='9' => self.push(Kind::Number, self.length_of(number_text, 0).unwrap_or(1)),
            '@' if rest.starts_with("@(") => self.announcement(),
            '(' | '[' => self.push(Kind::Open, 1),
            '{' => {
                self.open.push(Brace::Code);
                self.push(Kind::Open, 1);
            }
            ')' | ']' => self.push(Kind::Close, 1),
            '}' => {
                self.push(Kind::Close, 1);
                match self.open.pop() {
                    Some(Brace::String) => self.double_quoted(0),
                    Some(Brace::Heredoc(body)) => self.heredoc_text(body),
                    Some(Brace::Code) | None => {}
                }
            }
            _ => self.word_or_symbol(first),
        }
    }

    fn word_or_symbol(&mut self, first: char) {
        let place = self.input.moved_to(Span::new(self.at, self.at).start);
        let (kind, found) = match word(place) {
            Ok((_, (Word::Keyword, word))) => (Kind::Keyword, word.text()),
            Ok((_, (Word::Name | Word::Bare, word))) => (Kind::Name, word.text()),
            Ok((_, (Word::Reference, word))) => (Kind::Reference, word.text()),
            // `Mod::` and `mod::` on their way to a name.
            Err(nom::Err::Failure(_)) => return self.unfinished_word(),
            Err(_) => {
                let operators = TABLE.iter().map(|row| row.text);
                let long = operators.chain(LONG_SYMBOLS).filter(|symbol| self.rest().starts_with(symbol));
                let long = long.max_by_key(|symbol| symbol.len());
                return self.push(Kind::Symbol, long.map_or(first.len_utf8(), str::len));
            }
        };
        self.push(kind, found.len());
    }

    fn unfinished_word(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
        match rest.trim_start_matches(':').chars().next() {
            Some('A'..='Z') => self.push(Kind::Reference, length),
            Some('a'..='z') => self.push(Kind::Name, length),
            _ => self.push(Kind::Symbol, length.max(1)),
        }
    }

    /// Whether a `/` here divides what stands before it.
    fn follows_operand(&self) -> bool {
        let Some(last) = self.tokens.iter().rev().find(|token| token.kind != Kind::Comment) else { return false };
        match last.kind {
            Kind::Name | Kind::Reference | Kind::Variable | Kind::Number | Kind::String | Kind::Regexp => true,
            Kind::Close => !self.text[last.span.range()].ends_with('}'),
            Kind::Keyword => matches!(&self.text[last.span.range()], "true" | "false"),
            Kind::Comment | Kind::Open | Kind::Symbol => false,
        }
    }

    fn single_quoted(&mut self) {
        let rest = self.rest();
        let inside = unescaped(&rest[1..], |rest| rest.starts_with('\''));
        self.ends_inside = inside.is_none();
        self.push(Kind::String, inside.map_or(rest.len(), |inside| inside + 2));
    }

    /// Reads the text of a double-quoted string up to its end or the next `${`; variables without braces are tokens on
    /// their own. `opening` is the length of the quote in front, which is absent after an interpolation.
    fn double_quoted(&mut self, opening: usize) {
        let mut start = opening;
        loop {
            let rest = self.rest();
            let interesting = |rest: &str| rest.starts_with('"') || is_interpolation(rest);
            let Some(inside) = unescaped(&rest[start..], interesting) else {
                self.ends_inside = true;
                if !rest.is_empty() {
                    self.push(Kind::String, rest.len());
                }
                return;
            };
            let length = start + inside;
            let found = &rest[length..];
            if found.starts_with('"') {
                return self.push(Kind::String, length + 1);
            }
            if length > 0 {
                self.push(Kind::String, length);
            }
            if found.starts_with("${") {
                self.open.push(Brace::String);
                return self.push(Kind::Open, 2);
            }
            self.push(Kind::Variable, 1 + self.length_of(variable_name, 1).unwrap_or(0));
            start = 0;
        }
    }

    /// `@(END)`, `@("END"/L)`
    fn announcement(&mut self) {
        let rest = self.rest();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let Some(end) = line.find(')') else { return self.push(Kind::Symbol, 1) };
        let (tag, escapes) = line[2..end].split_once('/').map_or((&line[2..end], ""), |(tag, escapes)| (tag, escapes));
        let tag = tag.split(':').next().unwrap_or_default().trim();
        self.heredocs.push_back(Announcement {
            tag: tag.trim_matches('"'),
            interpolates: tag.starts_with('"'),
            escapes: line[..end].contains('/') && (escapes.trim().is_empty() || escapes.contains('$')),
        });
        self.push(Kind::String, end + 1);
    }

    fn heredoc_texts(&mut self) {
        while let Some(Announcement { tag, interpolates, escapes }) = self.heredocs.pop_front() {
            let rest = self.rest();
            let mut length = 0;
            let is_closed = rest.split_inclusive('\n').any(|line| {
                length += line.len();
                heredoc_end(line, tag).is_some()
            });
            if interpolates {
                return self.heredoc_text(Body { end: self.at + length, is_closed, escapes });
            }
            self.ends_inside = !is_closed;
            if length > 0 {
                self.push(Kind::String, length);
            }
        }
    }

    /// Reads the text of a heredoc up to its end or the next `${`, then the heredocs behind it.
    fn heredoc_text(&mut self, body: Body) {
        while self.at < body.end {
            let rest = &self.text[self.at..body.end];
            let found = if body.escapes {
                unescaped(rest, is_interpolation)
            } else {
                rest.match_indices('$').map(|(at, _)| at).find(|&at| is_interpolation(&rest[at..]))
            };
            let length = found.unwrap_or(rest.len());
            if length > 0 {
                self.push(Kind::String, length);
            }
            match rest[length..].strip_prefix('$') {
                None => {}
                Some(name) if name.starts_with('{') => {
                    self.open.push(Brace::Heredoc(body));
                    return self.push(Kind::Open, 2);
                }
                Some(_) => self.push(Kind::Variable, 1 + self.length_of(variable_name, 1).unwrap_or(0)),
            }
        }
        self.ends_inside = !body.is_closed;
        self.heredoc_texts();
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
