//! Regular expressions, and how their slash is distinguished from division.

use super::prelude::*;

/// `regexp ::= "/" !"*" ([^/\] | "\" .)* "/"`
///
/// `\/` means `/`; all other escapes are kept in the regular expression.
pub(super) fn regexp(input: Input<'_>) -> Parsed<'_, Id> {
    let part = alt((is_not("/\\"), preceded(char('\\'), tag("/")), regexp_escape));
    let parts = fold_many0(part, EcoString::new, |text, part: Input<'_>| text + part.text());
    let regexp = delimited((char('/'), not(char('*'))), parts, char('/'));
    parse_node(token(regexp.map(|text| Expression::Literal(Literal::Regexp(text))))).parse(input)
}

fn regexp_escape(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((char('\\'), anychar)).parse(input)
}

/// Parses a regular expression and returns its source text with the slashes.
pub(in crate::syntax) fn regexp_text(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((char('/'), many0_count(alt((is_not("/\\"), regexp_escape))), char('/'))).parse(input)
}

/// `regexp_follows ::= <&("}" | undef | default | reserved | "type") regexp`
///
/// Succeeds if a `/` here starts a regular expression instead of a division: after a closing brace or a reserved word
/// other than `true` and `false`, if a second `/` follows.
///
/// Observed: Puppet 8.11 reads `undef / 2 / 3` as two statements of which the second starts with `/ 2 /`.
pub(super) fn regexp_follows(input: Input<'_>) -> Parsed<'_, ()> {
    let last = input.with_start(input.state.last_token_end.get());
    let is_reserved = input.state.reserved_word_end.get() == Some(last.start());
    if last.before().ends_with('}') || is_reserved {
        peek(regexp_text).map(drop).parse(input)
    } else {
        input.fail_here()
    }
}
