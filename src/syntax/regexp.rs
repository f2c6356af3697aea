//! Regular expressions, and how `/` is distinguished from division.

use super::errors::Expected;
use super::input::{Input, Parsed};
use super::lexical::token;
use super::tree::{Expression, Id, Literal};

/// ```ebnf
/// regexp ::= "/" !"*" ([^/\] | "\" .)* "/"
/// ```
///
/// `\/` means `/`; every other escape belongs to the expression.
pub(super) fn regexp(input: Input<'_>) -> Parsed<'_, Id> {
    let Some(length) = regexp_length(input.rest()) else { return input.expected(Expected::Expression) };
    let after = input.skip(length);
    let text = &input.rest()[1..length - 1];
    let id = input.node(input.span_until(after), Expression::Literal(Literal::Regexp(unescaped(text).into())));
    token(after, id)
}

/// The length of the regular expression at the start of `text` with both slashes.
pub(super) fn regexp_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    let inside = text.strip_prefix('/')?;
    let length = inside.bytes().position(|byte| {
        let closes = byte == b'/' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })?;
    Some(length + 2)
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\\' {
            match characters.next() {
                Some('/') => plain.push('/'),
                Some(next) => plain.extend(['\\', next]),
                None => plain.push('\\'),
            }
        } else {
            plain.push(character);
        }
    }
    plain
}

/// ```ebnf
/// regexp_follows ::= <&("}" | undef | default | reserved | "type") regexp
/// ```
///
/// Whether a `/` here starts a regular expression rather than dividing what stands before it: it does after a closing
/// brace and after a reserved word other than `true` and `false`, when a second `/` follows.
///
/// Observed: Puppet 8.11 reads `undef / 2 / 3` as two statements of which the second starts with `/ 2 /`.
pub(super) fn regexp_follows(input: Input<'_>) -> bool {
    let last = input.after_last_token();
    let is_reserved = input.state.reserved_end.get() == last.offset;
    (last.before().ends_with('}') || is_reserved) && regexp_length(input.rest()).is_some()
}
