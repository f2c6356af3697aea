//! Syntax errors, and what was expected where parsing stopped.

use std::fmt;

use crate::error::{Error, Kind, RUNTIME_ERROR};
use crate::text::Span;

/// Something that a parser function looked for: a symbol as written, or a kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Expression,
    Statement,
    End,
    Name,
    MethodName,
    TypeName,
    ClassName,
    VariableName,
    HostName,
    Parameter,
    Attribute,
    Operator,
    Comma,
    Semicolon,
    Colon,
    Dot,
    OpenParenthesis,
    CloseParenthesis,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Bar,
    Lambda,
    Question,
    Assign,
    Arrow,
    Append,
    ReturnArrow,
    OpenCollector,
    CloseCollector,
    CloseExportedCollector,
    Else,
    Inherits,
    TagEnd,
    TagEndTrimmed,
}

impl Expected {
    /// All of them, in the order in which messages name them.
    const ALL: [Expected; 36] = [
        Expected::Expression,
        Expected::Statement,
        Expected::Name,
        Expected::MethodName,
        Expected::TypeName,
        Expected::ClassName,
        Expected::VariableName,
        Expected::HostName,
        Expected::Parameter,
        Expected::Attribute,
        Expected::Comma,
        Expected::Semicolon,
        Expected::Colon,
        Expected::Dot,
        Expected::OpenParenthesis,
        Expected::CloseParenthesis,
        Expected::OpenBracket,
        Expected::CloseBracket,
        Expected::OpenBrace,
        Expected::CloseBrace,
        Expected::Bar,
        Expected::Question,
        Expected::Assign,
        Expected::Arrow,
        Expected::Append,
        Expected::ReturnArrow,
        Expected::OpenCollector,
        Expected::CloseCollector,
        Expected::CloseExportedCollector,
        Expected::Else,
        Expected::Inherits,
        Expected::TagEnd,
        Expected::TagEndTrimmed,
        Expected::Lambda,
        Expected::Operator,
        Expected::End,
    ];

    /// Its bit in a set.
    pub(super) fn bit(self) -> u64 {
        1 << self as u32
    }

    /// The members of a set.
    pub(super) fn of_bits(bits: u64) -> Vec<Expected> {
        Expected::ALL.into_iter().filter(|expected| bits & expected.bit() != 0).collect()
    }

    /// Those that a message names: operators can follow nearly everything, so they are named only when nothing else is.
    /// Between statements, what else could go on with the last one is not worth a name either.
    pub(super) fn worth_naming(mut expected: Vec<Expected>) -> Vec<Expected> {
        if expected.contains(&Expected::Semicolon) && expected.contains(&Expected::Expression) {
            expected.retain(|one| one.closes() || *one == Expected::Else);
            expected.insert(0, Expected::Statement);
        }
        if expected.iter().any(|one| *one != Expected::Operator) {
            expected.retain(|one| *one != Expected::Operator);
        }
        expected
    }

    /// Whether it is a bracket that has to be closed.
    pub(super) fn opens(self) -> bool {
        matches!(self, Expected::OpenParenthesis | Expected::OpenBracket | Expected::OpenBrace)
    }

    /// Whether it closes a bracket.
    pub(super) fn closes(self) -> bool {
        matches!(self, Expected::CloseParenthesis | Expected::CloseBracket | Expected::CloseBrace)
    }

    /// The text of a symbol; of other things, their description.
    pub(super) fn text(self) -> &'static str {
        match self {
            Expected::Expression => "an expression",
            Expected::Statement => "the next statement",
            Expected::End => "the end of input",
            Expected::Name => "a name",
            Expected::MethodName => "a function name",
            Expected::TypeName => "a type name",
            Expected::ClassName => "a lower-case name",
            Expected::VariableName => "a variable",
            Expected::HostName => "a host name",
            Expected::Parameter => "a parameter",
            Expected::Attribute => "an attribute name",
            Expected::Operator => "an operator",
            Expected::Comma => ",",
            Expected::Semicolon => ";",
            Expected::Colon => ":",
            Expected::Dot => ".",
            Expected::OpenParenthesis => "(",
            Expected::CloseParenthesis => ")",
            Expected::OpenBracket => "[",
            Expected::CloseBracket => "]",
            Expected::OpenBrace => "{",
            Expected::CloseBrace => "}",
            Expected::Bar => "|",
            Expected::Lambda => "a lambda",
            Expected::Question => "?",
            Expected::Assign => "=",
            Expected::Arrow => "=>",
            Expected::Append => "+>",
            Expected::ReturnArrow => ">>",
            Expected::OpenCollector => "<|",
            Expected::CloseCollector => "|>",
            Expected::CloseExportedCollector => "|>>",
            Expected::Else => "else",
            Expected::Inherits => "inherits",
            Expected::TagEnd => "%>",
            Expected::TagEndTrimmed => "-%>",
        }
    }

    /// What a list of alternatives names it: after a statement two things are right.
    fn parts(self) -> Vec<String> {
        match self {
            Expected::Statement => vec![Expected::Operator.to_string(), self.to_string()],
            _ => vec![self.to_string()],
        }
    }

    /// Whether it is written in the text as it is called.
    fn is_literal(self) -> bool {
        !matches!(
            self,
            Expected::Expression
                | Expected::Statement
                | Expected::End
                | Expected::Name
                | Expected::MethodName
                | Expected::TypeName
                | Expected::ClassName
                | Expected::VariableName
                | Expected::HostName
                | Expected::Parameter
                | Expected::Attribute
                | Expected::Operator
                | Expected::Lambda
        )
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_literal() { write!(f, "`{}`", self.text()) } else { f.write_str(self.text()) }
    }
}

/// "`,`, `;` or `}`"
pub(super) struct Alternatives<'a>(pub(super) &'a [Expected]);

impl fmt::Display for Alternatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().flat_map(|one| one.parts()).collect();
        for (index, text) in texts.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index + 1 == texts.len() => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{text}")?;
        }
        Ok(())
    }
}

/// Everything that stops the parser.
#[derive(Debug)]
pub(super) enum SyntaxError {
    /// At the furthest place.
    Unexpected { expected: Vec<Expected>, found: Found, help: Option<String> },
    /// More than `MAX_NESTING_LEVELS`.
    Nesting,
    /// `/* a`
    UnclosedComment,
    /// U+FEFF before the program
    ByteOrderMark,
    /// `'a`; also `"a${b`
    UnclosedQuote { quote: char },
    /// `"a${b`
    UnclosedInterpolation,
    /// `0xG`
    InvalidHexNumber(String),
    /// `08`
    InvalidOctalNumber(String),
    /// `1.5x`, `1e`
    InvalidDecimalNumber(String),
    /// `1a`
    IllegalNumber(String),
    /// `9223372036854775808`
    IntegerOverflow(String),
    /// `1.0e400`
    FloatOverflow(String),
    /// `<% 1`
    UnclosedTag,
    /// `<%# a`
    UnclosedTemplateComment,
    /// `a::1`
    IllegalName(String),
    /// `A::b`
    IllegalReference(String),
    /// `"\u{110000}"`
    IllegalCharacter(String),
    /// `"\d"`
    UnknownEscape(String),
    /// `@(END` without `)` on the line
    HeredocUnclosedParenthesis,
    /// `@()`, `@(A:b:c)`
    HeredocInvalidSyntax(String),
    /// `@("")`
    HeredocEmptyTag,
    /// `@(A/x)`
    HeredocInvalidEscape(char),
    /// `@(A/tt)`
    HeredocRepeatedEscape(char),
    /// `@(A)` on the last line
    HeredocWithoutText { tag: String },
    /// No line ends the text of `@(A)`
    HeredocWithoutEndTag { tag: String },
    /// `1, 2` as statements
    CommaSeparated,
    /// `$a { }`, `1 { a => 1 }`
    NotAResource { help: &'static str },
    /// `@1`
    NotVirtualisable { exported: bool },
    /// `class 'a' { }`
    QuotedName,
    /// `class class { }`
    ReservedName(String),
}

/// A text in backticks, shortened.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_CHARACTERS: usize = 60;
        match self.0.char_indices().nth(MAX_CHARACTERS) {
            None => write!(f, "`{}`", self.0),
            Some((end, _)) => write!(f, "`{}…`", &self.0[..end]),
        }
    }
}

/// What stands at the place of an error.
#[derive(Debug)]
pub(super) enum Found {
    /// Nothing more.
    End,
    /// The next word, symbol or character.
    Text(String),
}

impl SyntaxError {
    /// The error with its place.
    pub(super) fn at(self, span: Span) -> Error {
        let unfinished = match &self {
            SyntaxError::Unexpected { found, .. } => matches!(found, Found::End),
            SyntaxError::UnclosedComment
            | SyntaxError::UnclosedTag
            | SyntaxError::UnclosedTemplateComment
            | SyntaxError::UnclosedQuote { .. }
            | SyntaxError::UnclosedInterpolation
            | SyntaxError::HeredocWithoutText { .. }
            | SyntaxError::HeredocWithoutEndTag { .. } => true,
            _ => false,
        };
        let error = Error::new(&self).at(span);
        if unfinished { error.unfinished() } else { error }
    }
}

impl Kind for SyntaxError {
    fn code(&self) -> &'static str {
        match self {
            SyntaxError::Unexpected { .. }
            | SyntaxError::CommaSeparated
            | SyntaxError::NotAResource { .. }
            | SyntaxError::NotVirtualisable { .. }
            | SyntaxError::QuotedName
            | SyntaxError::ReservedName(_) => "SYNTAX_ERROR",
            SyntaxError::Nesting => "LIMIT",
            SyntaxError::UnclosedComment => "UNCLOSED_MLCOMMENT",
            SyntaxError::ByteOrderMark => "ILLEGAL_BOM",
            SyntaxError::UnclosedQuote { .. } | SyntaxError::UnclosedInterpolation => "UNCLOSED_QUOTE",
            SyntaxError::InvalidHexNumber(_) => "INVALID_HEX_NUMBER",
            SyntaxError::InvalidOctalNumber(_) => "INVALID_OCTAL_NUMBER",
            SyntaxError::InvalidDecimalNumber(_) => "INVALID_DECIMAL_NUMBER",
            SyntaxError::IllegalNumber(_) => "ILLEGAL_NUMBER",
            SyntaxError::IntegerOverflow(_) | SyntaxError::FloatOverflow(_) => "NUMERIC_OVERFLOW",
            SyntaxError::UnclosedTag => "EPP_UNBALANCED_TAG",
            SyntaxError::UnclosedTemplateComment => "EPP_UNBALANCED_COMMENT",
            SyntaxError::IllegalName(_) => "ILLEGAL_FULLY_QUALIFIED_NAME",
            SyntaxError::IllegalReference(_) => "ILLEGAL_CLASS_REFERENCE",
            SyntaxError::IllegalCharacter(_) => "ILLEGAL_UNICODE_ESCAPE",
            SyntaxError::UnknownEscape(_) => RUNTIME_ERROR,
            SyntaxError::HeredocUnclosedParenthesis => "HEREDOC_UNCLOSED_PARENTHESIS",
            SyntaxError::HeredocInvalidSyntax(_) => "HEREDOC_INVALID_SYNTAX",
            SyntaxError::HeredocEmptyTag => "HEREDOC_EMPTY_ENDTAG",
            SyntaxError::HeredocInvalidEscape(_) => "HEREDOC_INVALID_ESCAPE",
            SyntaxError::HeredocRepeatedEscape(_) => "HEREDOC_MULTIPLE_AT_ESCAPES",
            SyntaxError::HeredocWithoutText { .. } => "HEREDOC_WITHOUT_TEXT",
            SyntaxError::HeredocWithoutEndTag { .. } => "HEREDOC_WITHOUT_END_TAGGED_LINE",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            SyntaxError::Unexpected { help, .. } => help.clone(),
            SyntaxError::UnclosedQuote { quote } => {
                Some(format!("end the string with `{quote}`; a `{quote}` inside it is written `\\{quote}`"))
            }
            SyntaxError::InvalidOctalNumber(text)
                if text.starts_with(['0']) && text[1..].starts_with(['b', 'B', 'o']) =>
            {
                Some("write a number in decimal, octal (`017`) or hexadecimal (`0x1f`)".to_owned())
            }
            SyntaxError::InvalidOctalNumber(text) => {
                let digits = text.trim_start_matches('0');
                let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                decimal.then(|| format!("a leading zero makes a number octal; write the decimal number as `{digits}`"))
            }
            SyntaxError::InvalidDecimalNumber(text) if text.ends_with(['e', 'E']) => {
                Some("write an exponent as `1e10` or `1e-10`, without `+`".to_owned())
            }
            SyntaxError::IntegerOverflow(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(format!("a Float has a larger range: `{text}.0`"))
            }
            SyntaxError::IllegalNumber(text) => {
                let digits = text.replace('_', "");
                if digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    Some(format!("write digits without separators: `{digits}`"))
                } else {
                    Some(format!("names start with a letter; quote the string: `'{text}'`"))
                }
            }
            SyntaxError::HeredocWithoutText { tag } | SyntaxError::HeredocWithoutEndTag { tag } => {
                Some(format!("the text of a heredoc starts on the next line and ends before a line `| {tag}`"))
            }
            SyntaxError::HeredocInvalidSyntax(_) => Some("write `@(TAG)`, `@(\"TAG\":syntax/escapes)`".to_owned()),
            SyntaxError::IllegalReference(text) => {
                Some(format!("start either all segments of `{text}` with upper case, or all with lower case"))
            }
            SyntaxError::UnclosedTag => Some(
                "close the tag with `%>` or `-%>`, outside a `#` comment; write a comment as `<%# a comment %>`"
                    .to_owned(),
            ),
            SyntaxError::CommaSeparated => {
                Some("put the arguments of a function in parentheses; a list is an array: `[a, b]`".to_owned())
            }
            SyntaxError::NotAResource { help } => Some((*help).to_owned()),
            SyntaxError::QuotedName => Some("write the name without quotes".to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyntaxError::Unexpected { expected, found, .. } => {
                let expected = Alternatives(expected);
                match found {
                    Found::End => write!(f, "unexpected end of input: expected {expected}"),
                    Found::Text(text) => write!(f, "expected {expected}, found {}", Quoted(text)),
                }
            }
            SyntaxError::Nesting => {
                write!(f, "nested more than {} levels deep", super::input::MAX_NESTING_LEVELS)
            }
            SyntaxError::UnclosedComment => f.write_str("the comment is not closed: expected `*/`"),
            SyntaxError::ByteOrderMark => {
                f.write_str("the file starts with a byte order mark: save it as UTF-8 without one")
            }
            SyntaxError::UnclosedQuote { quote } => write!(f, "the string is not closed: expected `{quote}`"),
            SyntaxError::UnclosedInterpolation => {
                f.write_str("unexpected end of input: expected `}` to end the interpolation")
            }
            SyntaxError::InvalidHexNumber(text) => {
                write!(f, "{} is not a hexadecimal number: expected digits 0-9, a-f after `0x`", Quoted(text))
            }
            SyntaxError::InvalidOctalNumber(text) => {
                write!(f, "{} is not an octal number: expected digits 0-7 after the leading `0`", Quoted(text))
            }
            SyntaxError::InvalidDecimalNumber(text) => write!(f, "{} is not a decimal number", Quoted(text)),
            SyntaxError::IllegalNumber(text) => write!(f, "{} is neither a number nor a name", Quoted(text)),
            SyntaxError::IntegerOverflow(text) => {
                write!(f, "{} does not fit into 64 bits: expected at most {}", Quoted(text), i64::MAX)
            }
            SyntaxError::FloatOverflow(text) => {
                write!(f, "{} is too large: a Float goes up to about 1.8e308", Quoted(text))
            }
            SyntaxError::UnclosedTag => f.write_str("unexpected end of template: expected `%>`"),
            SyntaxError::UnclosedTemplateComment => f.write_str("the comment `<%#` is not closed: expected `%>`"),
            SyntaxError::IllegalName(text) => write!(f, "{} is not a name: expected a letter after `::`", Quoted(text)),
            SyntaxError::IllegalReference(text) => {
                write!(f, "{} is not a type name: expected an upper-case letter after `::`", Quoted(text))
            }
            SyntaxError::IllegalCharacter(text) => write!(f, "{} is not a Unicode character", Quoted(text)),
            SyntaxError::UnknownEscape(text) => write!(f, "unknown escape `{text}` in a double-quoted string"),
            SyntaxError::HeredocUnclosedParenthesis => {
                f.write_str("expected `)` after the end tag of the heredoc, on the same line")
            }
            SyntaxError::HeredocInvalidSyntax(text) => write!(f, "`@({text})` does not start a heredoc"),
            SyntaxError::HeredocEmptyTag => f.write_str("expected an end tag for the heredoc, found only spaces"),
            SyntaxError::HeredocInvalidEscape(letter) => {
                write!(f, "invalid heredoc escape `{letter}`: expected some of t, n, r, s, u, L, $")
            }
            SyntaxError::HeredocRepeatedEscape(letter) => {
                write!(f, "duplicate heredoc escape `{letter}`")
            }
            SyntaxError::HeredocWithoutText { tag } => {
                write!(f, "the heredoc `@({tag})` has no text: expected a line after it")
            }
            SyntaxError::HeredocWithoutEndTag { tag } => {
                write!(f, "the heredoc is not closed: expected a line with `{tag}`")
            }
            SyntaxError::CommaSeparated => f.write_str("expected the next statement, found `,`"),
            SyntaxError::NotAResource { .. } => {
                f.write_str("expected a resource type before the braces, found another expression")
            }
            SyntaxError::NotVirtualisable { exported } => {
                write!(f, "expected a resource after `{}`", if *exported { "@@" } else { "@" })
            }
            SyntaxError::QuotedName => f.write_str("expected a name, found a quoted string"),
            SyntaxError::ReservedName(word) => write!(f, "expected a name, found the reserved word `{word}`"),
        }
    }
}
