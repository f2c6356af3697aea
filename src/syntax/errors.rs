//! Syntax errors, and the symbols and language elements that the parser can expect.

use std::fmt;

use super::combinators::MAX_NESTING_LEVELS;
use crate::error::{Error, LIMIT, RUNTIME_ERROR, errors};
use crate::text::Span;
use crate::wording::shorten;

/// Defines the enum `Expected` from a table: for each name a symbol as written, or a description of several words.
macro_rules! expected {
    ($($name:ident $text:literal;)+) => {
        /// A symbol or language element that a parser can expect. Messages list them in the order of the variants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Expected {
            $($name,)+
        }

        impl Expected {
            pub(super) const ALL: &[Expected] = &[$(Expected::$name,)+];

            /// Returns the symbol as written, or the description of the element, such as `a type name`.
            #[expect(clippy::indexing_slicing, reason = "each has a text, in their order")]
            pub(super) fn text(self) -> &'static str {
                const TEXTS: &[&str] = &[$($text,)+];
                TEXTS[self as usize]
            }
        }
    };
}

expected! {
    Expression "an expression";
    Statement "the next statement";
    Name "a name";
    MethodName "a function name";
    TypeName "a type name";
    VariableName "a variable";
    HostName "a host name";
    Parameter "a parameter";
    Attribute "an attribute name";
    Comma ",";
    Semicolon ";";
    Colon ":";
    Dot ".";
    OpenParenthesis "(";
    CloseParenthesis ")";
    OpenBracket "[";
    CloseBracket "]";
    OpenBrace "{";
    CloseBrace "}";
    Bar "|";
    Question "?";
    Assign "=";
    Arrow "=>";
    Append "+>";
    ReturnArrow ">>";
    CloseCollector "|>";
    CloseExportedCollector "|>>";
    Else "else";
    Inherits "inherits";
    TagEnd "%>";
    TagEndTrimmed "-%>";
    Operator "an operator";
}

impl Expected {
    pub(super) fn bit_mask(self) -> u64 {
        1 << self as u32
    }

    /// Returns the elements of `expected` that a message should list: `Operator` only if it is alone, as operators can
    /// follow nearly everything; between statements only operators, statements, closing brackets and `else`.
    pub(super) fn filter_for_message(mut expected: Vec<Expected>) -> Vec<Expected> {
        if expected != [Expected::Operator] {
            expected.retain(|one| *one != Expected::Operator);
        }
        if expected.contains(&Expected::Semicolon) && expected.contains(&Expected::Expression) {
            expected.retain(|one| one.is_closing_bracket() || *one == Expected::Else);
            expected.splice(0..0, [Expected::Operator, Expected::Statement]);
        }
        expected
    }

    pub(super) fn is_closing_bracket(self) -> bool {
        matches!(self, Expected::CloseParenthesis | Expected::CloseBracket | Expected::CloseBrace)
    }

    pub(super) fn closing_bracket_for(open: &str) -> Expected {
        match open {
            "(" => Expected::CloseParenthesis,
            "[" => Expected::CloseBracket,
            _ => Expected::CloseBrace,
        }
    }

    /// Whether this symbol and the character `next` after it form a longer symbol, as `=` and `>` form `=>`.
    pub(super) fn is_extended_by(self, next: Option<char>) -> bool {
        match self {
            Expected::Bar | Expected::CloseCollector => next == Some('>'),
            Expected::Assign => matches!(next, Some('=' | '>' | '~')),
            Expected::Colon => next == Some(':'),
            _ => false,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        if text.contains(' ') { f.write_str(text) } else { write!(f, "`{text}`") }
    }
}

/// Joins the expected elements for a message: "`,`, `;` or `}`".
pub(super) fn join_alternatives(expected: &[Expected]) -> String {
    let texts: Vec<String> = expected.iter().map(Expected::to_string).collect();
    match texts.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => texts.concat(),
    }
}

errors! {
    #[derive(Debug)]
    pub(super) enum SyntaxError {
        /// The word, symbol or character `found` (empty at the end of input) where one of `expected` was expected.
        Unexpected { expected: Vec<Expected>, found: String } => "SYNTAX_ERROR",
            message("{}", match found.as_str() {
                "" => format!("unexpected end of input: expected {}", join_alternatives(expected)),
                text => format!("expected {}, found {}", join_alternatives(expected), quote_for_message(text)),
            });
        /// More than `MAX_NESTING_LEVELS` nested brackets, blocks, operators or interpolations.
        Nesting => LIMIT, message("nested more than {MAX_NESTING_LEVELS} levels deep");
        /// `/* a`
        UnclosedComment => "UNCLOSED_MLCOMMENT", message("the comment is not closed: expected `*/`");
        /// U+FEFF before the program
        ByteOrderMark => "ILLEGAL_BOM",
            message("the file starts with a byte order mark: save it as UTF-8 without one");
        /// `'a`, `"a`
        UnclosedQuote { quote: char } => "UNCLOSED_QUOTE",
            message("the string is not closed: expected `{quote}`"),
            help("end the string with `{quote}`; a `{quote}` inside it is written `\\{quote}`");
        /// `"a${b`
        UnclosedInterpolation => "UNCLOSED_QUOTE",
            message("unexpected end of input: expected `}}` to end the interpolation");
        /// `0xG`
        InvalidHexNumber(text: String) => "INVALID_HEX_NUMBER",
            message("{} is not a hexadecimal number: expected digits 0-9, a-f after `0x`", quote_for_message(text));
        /// `08`
        InvalidOctalNumber(text: String) => "INVALID_OCTAL_NUMBER",
            message("{} is not an octal number: expected digits 0-7 after the leading `0`", quote_for_message(text)),
            help {
                let digits = text.trim_start_matches('0');
                if let Some(bits) = digits.strip_prefix(['b', 'B']) {
                    let known = i64::from_str_radix(bits, 2).map(|number| format!("; write `{number}` or `{number:#x}`"));
                    return Some(format!("there are no binary numbers{}", known.unwrap_or_default()));
                }
                if let Some(octal) = digits.strip_prefix(['o', 'O']) {
                    return Some(format!("write an octal number as `0{octal}`"));
                }
                let is_decimal = !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit());
                is_decimal
                    .then(|| format!("a leading zero makes a number octal; write the decimal number as `{digits}`"))
            };
        /// `1.5x`, `1e`
        InvalidDecimalNumber(text: String) => "INVALID_DECIMAL_NUMBER",
            message("{} is not a decimal number", quote_for_message(text)),
            help {
                text.ends_with(['e', 'E']).then(|| "write an exponent as `1e10` or `1e-10`, without `+`".to_owned())
            };
        /// `1a`
        IllegalNumber(text: String) => "ILLEGAL_NUMBER",
            message("{} is neither a number nor a name", quote_for_message(text)),
            help {
                let digits = text.replace('_', "");
                Some(if digits.chars().all(|digit| digit.is_ascii_digit()) {
                    format!("write digits without separators: `{digits}`")
                } else {
                    format!("names start with a letter; quote the string: `'{text}'`")
                })
            };
        /// `9223372036854775808`
        IntegerOverflow(text: String) => "NUMERIC_OVERFLOW",
            message("{} does not fit into 64 bits: expected at most {}", quote_for_message(text), i64::MAX),
            help {
                let is_decimal = text.chars().all(|digit| digit.is_ascii_digit());
                is_decimal.then(|| format!("a Float has a larger range: `{text}.0`"))
            };
        /// `1.0e400`
        FloatOverflow(text: String) => "NUMERIC_OVERFLOW",
            message("{} is too large: a Float goes up to about 1.8e308", quote_for_message(text));
        /// `<% 1`
        UnclosedTag => "EPP_UNBALANCED_TAG",
            message("unexpected end of template: expected `%>`"),
            help("close the tag with `%>` or `-%>`, outside a `#` comment; write a comment as `<%# a comment %>`");
        /// `<%# a`
        UnclosedTemplateComment => "EPP_UNBALANCED_COMMENT",
            message("the comment `<%#` is not closed: expected `%>`");
        /// `a::1`
        IllegalName(text: String) => "ILLEGAL_FULLY_QUALIFIED_NAME",
            message("{} is not a name: expected a letter after `::`", quote_for_message(text)),
            help {
                let name = text.strip_suffix("::").filter(|name| !name.is_empty())?;
                Some(format!("leave out the colons at the end: `{name}`"))
            };
        /// `A::b`
        IllegalReference(text: String) => "ILLEGAL_CLASS_REFERENCE",
            message("{} is not a type name: expected an upper-case letter after `::`", quote_for_message(text)),
            help("capitalize all segments of `{text}`, or none");
        /// `"\u{110000}"`
        IllegalCharacter(text: String) => "ILLEGAL_UNICODE_ESCAPE",
            message("{} is not a Unicode character", quote_for_message(text));
        /// `"\d"`
        UnknownEscape(text: String) => RUNTIME_ERROR,
            message("unknown escape `{text}` in a double-quoted string"),
            help("{}", match text.as_str() {
                "\\(" => "write the value of an expression as `${…}`, and a backslash as `\\\\`",
                _ => "write a backslash as `\\\\`, or put the string into single quotes",
            });
        /// `@(END` without `)` on the line
        HeredocUnclosedParenthesis => "HEREDOC_UNCLOSED_PARENTHESIS",
            message("expected `)` after the end tag of the heredoc, on the same line");
        /// `@()`, `@(A:b:c)`
        HeredocInvalidSyntax(text: String) => "HEREDOC_INVALID_SYNTAX",
            message("`@({text})` does not start a heredoc"), help("write `@(TAG)`, `@(\"TAG\":syntax/escapes)`");
        /// `@("")`
        HeredocEmptyTag => "HEREDOC_EMPTY_ENDTAG",
            message("expected an end tag for the heredoc, found only spaces");
        /// `@(A/x)`
        HeredocInvalidEscape(letter: char) => "HEREDOC_INVALID_ESCAPE",
            message("invalid heredoc escape `{letter}`: expected some of t, n, r, s, u, L, $");
        /// `@(A/tt)`
        HeredocRepeatedEscape(letter: char) => "HEREDOC_MULTIPLE_AT_ESCAPES",
            message("duplicate heredoc escape `{letter}`");
        /// `@(A)` on the last line
        HeredocWithoutText { tag: String } => "HEREDOC_WITHOUT_TEXT",
            message("the heredoc `@({tag})` has no text: expected a line after it"),
            help("{}", heredoc_end_hint(tag));
        /// `@(A)` that no line with the end tag `A` follows
        HeredocWithoutEndTag { tag: String } => "HEREDOC_WITHOUT_END_TAGGED_LINE",
            message("the heredoc is not closed: expected a line with `{tag}`"),
            help("{}", heredoc_end_hint(tag));
        /// `1, 2` as statements
        CommaSeparated { help: &'static str } => "SYNTAX_ERROR",
            message("expected the next statement, found `,`"), help("{help}");
        /// `$a { }`, `1 { a => 1 }`
        NotAResource { help: &'static str } => "SYNTAX_ERROR",
            message("expected a resource type before the braces, found another expression"), help("{help}");
        /// `@1`
        NotVirtualisable { exported: bool } => "SYNTAX_ERROR",
            message("expected a resource after `{}`", if *exported { "@@" } else { "@" }),
            help("variables start with `$`, comments with `#`");
        /// `class 'a' { }`
        QuotedName => "SYNTAX_ERROR",
            message("expected a name, found a quoted string"), help("write the name without quotes");
        /// `class class { }`
        ReservedName(word: String) => "SYNTAX_ERROR", message("expected a name, found the reserved word `{word}`");
    }
}

fn heredoc_end_hint(tag: &str) -> String {
    format!("the text of a heredoc starts on the next line and ends before a line `| {tag}`")
}

fn quote_for_message(text: &str) -> String {
    format!("`{}`", shorten(text, 60))
}

impl SyntaxError {
    pub(super) fn into_error_at(self, span: Span) -> Error {
        let unfinished = match &self {
            SyntaxError::Unexpected { found, .. } => found.is_empty(),
            SyntaxError::UnclosedComment
            | SyntaxError::UnclosedTag
            | SyntaxError::UnclosedTemplateComment
            | SyntaxError::UnclosedQuote { .. }
            | SyntaxError::UnclosedInterpolation
            | SyntaxError::HeredocWithoutText { .. }
            | SyntaxError::HeredocWithoutEndTag { .. } => true,
            _ => false,
        };
        Error::from(self).at(span).with_unfinished(unfinished)
    }
}
