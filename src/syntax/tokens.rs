//! A scanner for source that may be wrong or unfinished: for highlighting and completion while typing.
//!
//! Unlike the parser, the scanner does not stop at mistakes. It reads the source once, with a stack of the open braces,
//! so that it knows whether a `}` returns to a string. Words, numbers, variables and regular expressions are recognised
//! by the functions of the parser. White space is not part of any token; all other characters are.

use std::collections::VecDeque;

use nom::Input as _;

use super::grammar::heredocs::heredoc_end;
use super::grammar::numbers::number_like_text;
use super::grammar::operators::TABLE;
use super::grammar::regexps::regexp_text;
use super::grammar::words::{is_word_character, variable, word_with_kind};
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
    /// `$a`, `$a::b`; also a `$` without a name
    Variable,
    /// `0x1f`, `1.5`
    Number,
    /// A quoted string, or a part of one before or after an interpolation; the content of a heredoc.
    String,
    /// `/a+/`
    Regexp,
    /// `(`, `[`, `{`; `${` in a string
    Open,
    /// `)`, `]`, `}`
    Close,
    /// An operator, a separator, or any other character.
    Symbol,
}

/// A token of the source: its kind and its span.
/// ```
/// let text = "notice('hello')";
/// let first = pcore::syntax::tokens::tokens(text)[0];
/// assert_eq!(&text[first.span.range()], "notice");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: Kind,
    /// The span of the token in the source.
    pub span: Span,
}

/// Symbols of several characters that are not binary operators, including some of other languages such as `&&`.
const NON_OPERATOR_SYMBOLS: [&str; 13] =
    ["<<|", "|>>", "=>", "+>", "<|", "|>", "+=", "-=", "::", "||", "@@", "&&", "**"];

/// Returns the tokens of a source, in order.
///
/// ```
/// use pcore::syntax::tokens::{Kind, tokens};
/// let kinds: Vec<Kind> = tokens("$x =~ Integer[1").iter().map(|token| token.kind).collect();
/// assert_eq!(kinds, [Kind::Variable, Kind::Symbol, Kind::Reference, Kind::Open, Kind::Number]);
/// ```
pub fn tokens(text: &str) -> Vec<Token> {
    scan(text).0
}

/// Returns the tokens of a source, and whether it ends inside an unclosed string, heredoc or comment: then appended
/// text would belong to the last token.
///
/// ```
/// use pcore::syntax::tokens::scan;
/// assert!(scan("$x = 'a").1);
/// assert!(!scan("$x = \"a${").1);
/// ```
pub fn scan(text: &str) -> (Vec<Token>, bool) {
    let state = State::new(text);
    let mut scanner = Scanner::new_scanner(Input::new(&state));
    let tokens = scanner.by_ref().collect();
    (tokens, scanner.ends_unclosed)
}

#[derive(Clone, Copy)]
struct Text {
    /// The offset after the line with the end tag of a heredoc; `None` for a double-quoted string.
    heredoc_end: Option<u32>,
    /// Whether a heredoc has a line with its end tag; otherwise it is unfinished.
    is_closed: bool,
    interpolates: bool,
    /// Whether a backslash before a dollar sign prevents interpolation.
    escapes: bool,
}

const DOUBLE_QUOTED_STRING: Text = Text { heredoc_end: None, is_closed: false, interpolates: true, escapes: true };

pub(super) struct Scanner<'a> {
    rest: Input<'a>,
    /// The scanned tokens that the iterator has not yet returned.
    tokens: VecDeque<Token>,
    /// The last scanned token that is not a comment: decides whether a `/` divides or starts a regular expression.
    last: Option<Token>,
    /// For each open brace, the string or heredoc that continues after its closing brace; `None` for a brace of code.
    open_braces: Vec<Option<Text>>,
    /// The end tags of the heredocs that were announced, but whose content is not yet scanned.
    pending_heredocs: VecDeque<(&'a str, Text)>,
    /// Whether the last token is an unclosed string, heredoc or comment.
    ends_unclosed: bool,
}

impl Iterator for Scanner<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while self.tokens.is_empty() && self.rest.input_len() > 0 {
            self.scan_next_token();
        }
        self.tokens.pop_front()
    }
}

impl<'a> Scanner<'a> {
    /// Returns a scanner of the tokens from the start of `input`, which must not be inside a token.
    pub(super) fn new_scanner(input: Input<'a>) -> Scanner<'a> {
        let (tokens, open_braces, pending_heredocs) = (VecDeque::new(), Vec::new(), VecDeque::new());
        Scanner { rest: input, tokens, last: None, open_braces, pending_heredocs, ends_unclosed: false }
    }

    fn match_length(&self, parser: impl Fn(Input<'a>) -> Parsed<'a, Input<'a>>) -> Option<usize> {
        Some(parser(self.rest).ok()?.1.input_len())
    }

    fn push_token(&mut self, kind: Kind, length: usize) {
        let (after, token) = self.rest.take_split(length);
        let token = Some(Token { kind, span: token.span() }).filter(|_| length > 0);
        self.tokens.extend(token);
        self.last = token.filter(|_| kind != Kind::Comment).or(self.last);
        self.rest = after;
    }

    /// Scans the next token, or skips a white space character.
    fn scan_next_token(&mut self) {
        let rest = self.rest.text();
        let Some(first) = rest.chars().next() else { return };
        match first {
            '\n' => {
                self.rest = self.rest.take_from(1);
                self.scan_pending_heredocs();
            }
            _ if first.is_whitespace() => self.rest = self.rest.take_from(first.len_utf8()),
            '#' => self.push_token(Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => {
                let inside = rest[2..].find("*/");
                self.ends_unclosed = inside.is_none();
                self.push_token(Kind::Comment, inside.map_or(rest.len(), |length| length + 4));
            }
            '/' if !self.follows_operand() => {
                // One that goes over several lines is rare, a slash that is not yet closed is not.
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                match self.match_length(regexp_text).filter(|length| *length <= line.len()) {
                    Some(length) => self.push_token(Kind::Regexp, length),
                    None => self.push_token(Kind::Symbol, 1),
                }
            }
            '\'' => {
                let inside = find_unescaped(&rest[1..], true, |rest| rest.starts_with('\''));
                self.ends_unclosed = inside.is_none();
                self.push_token(Kind::String, inside.map_or(rest.len(), |inside| inside + 2));
            }
            '"' => {
                self.scan_text(1, DOUBLE_QUOTED_STRING);
            }
            '$' => self.scan_variable(),
            '0'..='9' => self.push_token(Kind::Number, self.match_length(number_like_text).unwrap_or(1)),
            '@' if rest.starts_with("@(") => self.scan_heredoc_announcement(),
            '(' | '[' => self.push_token(Kind::Open, 1),
            '{' => {
                self.open_braces.push(None);
                self.push_token(Kind::Open, 1);
            }
            ')' | ']' => self.push_token(Kind::Close, 1),
            '}' => {
                self.push_token(Kind::Close, 1);
                if let Some(text) = self.open_braces.pop().flatten()
                    && self.scan_text(0, text)
                {
                    self.scan_pending_heredocs();
                }
            }
            _ => self.scan_word_or_symbol(first),
        }
    }

    fn scan_variable(&mut self) {
        self.push_token(Kind::Variable, 1 + self.match_length(variable).unwrap_or(0));
    }

    fn scan_word_or_symbol(&mut self, first: char) {
        match word_with_kind(self.rest) {
            Ok((_, (kind, word))) => self.push_token(kind, word.input_len()),
            // `Mod::` and `mod::` on their way to a name.
            Err(nom::Err::Failure(_)) => self.scan_unfinished_word(),
            Err(_) => {
                let symbols = TABLE.iter().map(|row| row.text).chain(NON_OPERATOR_SYMBOLS);
                let lengths = symbols.filter(|symbol| self.rest.starts_with(symbol)).map(str::len);
                self.push_token(Kind::Symbol, lengths.max().unwrap_or(first.len_utf8()));
            }
        }
    }

    fn scan_unfinished_word(&mut self) {
        let rest = self.rest.text();
        let length = rest.find(|c: char| !is_word_character(c) && c != ':').unwrap_or(rest.len());
        match rest.trim_start_matches(':').chars().next() {
            Some('A'..='Z') => self.push_token(Kind::Reference, length),
            Some('a'..='z') => self.push_token(Kind::Name, length),
            _ => self.push_token(Kind::Symbol, length.max(1)),
        }
    }

    /// Whether the last token ends an operand, so that a `/` after it is a division.
    fn follows_operand(&self) -> bool {
        let Some(last) = self.last else { return false };
        let text = &self.rest.state.source[last.span.range()];
        match last.kind {
            Kind::Name | Kind::Reference | Kind::Variable | Kind::Number | Kind::String | Kind::Regexp => true,
            Kind::Close => text != "}",
            Kind::Keyword => matches!(text, "true" | "false"),
            Kind::Comment | Kind::Open | Kind::Symbol => false,
        }
    }

    /// Scans a string or heredoc up to its end or next `${`; variables without braces become separate tokens. `opening`
    /// is the length of the opening quote, which is 0 after an interpolation. Returns whether a heredoc has ended.
    fn scan_text(&mut self, mut opening: usize, text: Text) -> bool {
        loop {
            let rest = match text.heredoc_end {
                None => self.rest.text(),
                Some(end) => &self.rest.text()[..end.saturating_sub(self.rest.start()) as usize],
            };
            let is_end = |rest: &str| text.heredoc_end.is_none() && rest.starts_with('"');
            let is_special = |rest: &str| is_end(rest) || text.interpolates && starts_with_interpolation(rest);
            let found = find_unescaped(&rest[opening..], text.escapes, is_special);
            let length = found.map_or(rest.len(), |at| opening + at);
            let found = &rest[length..];
            if is_end(found) {
                self.push_token(Kind::String, length + 1);
                return false;
            }
            self.push_token(Kind::String, length);
            if found.is_empty() {
                self.ends_unclosed = !text.is_closed;
                return text.heredoc_end.is_some();
            }
            if found.starts_with("${") {
                self.open_braces.push(Some(text));
                self.push_token(Kind::Open, 2);
                return false;
            }
            self.scan_variable();
            opening = 0;
        }
    }

    fn scan_heredoc_announcement(&mut self) {
        let rest = self.rest.text();
        let closing = rest.find([')', '\n']).filter(|at| rest[*at..].starts_with(')'));
        let Some(end) = closing else { return self.push_token(Kind::Symbol, 1) };
        let (tag, escapes) = rest[2..end].split_once('/').map_or((&rest[2..end], None), |(tag, all)| (tag, Some(all)));
        let tag = tag.split(':').next().unwrap_or_default().trim();
        let escapes = escapes.is_some_and(|letters| letters.trim().is_empty() || letters.contains('$'));
        let text = Text { interpolates: tag.starts_with('"'), escapes, ..DOUBLE_QUOTED_STRING };
        self.pending_heredocs.push_back((tag.trim_matches('"'), text));
        self.push_token(Kind::String, end + 1);
    }

    /// Scans the content of the announced heredocs, the last one up to its first `${` that is not yet closed.
    fn scan_pending_heredocs(&mut self) {
        while let Some((end_tag, text)) = self.pending_heredocs.pop_front() {
            let mut length = 0;
            let is_closed = self.rest.text().split_inclusive('\n').any(|line| {
                length += line.len();
                heredoc_end(line, end_tag).is_some()
            });
            let heredoc_end = Some(self.rest.take_from(length).start());
            if !self.scan_text(0, Text { heredoc_end, is_closed, ..text }) {
                break;
            }
        }
    }
}

/// Whether `text` starts with an interpolation: `$name` or `${`.
fn starts_with_interpolation(text: &str) -> bool {
    let Some(name) = text.strip_prefix('$') else { return false };
    let name = name.strip_prefix("::").unwrap_or(name);
    name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_') || text.starts_with("${")
}

/// Returns the first offset in `text` for which `found` is true of the rest of `text`. If `escapes`, skips characters
/// after a backslash.
fn find_unescaped(text: &str, escapes: bool, found: impl Fn(&str) -> bool) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().map(|(at, _)| at).find(|&at| {
        let here = !escaped && found(&text[at..]);
        escaped = escapes && !escaped && text[at..].starts_with('\\');
        here
    })
}
