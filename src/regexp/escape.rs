//! Parses escapes, that is everything that starts with a backslash.

use super::group::{parse_call, parse_reference};
use super::input::{CharsetOption, Input, Parsed, PatternParser, fail_at_start, with_deeper_nesting, with_start_here};
use super::tree::{Anchor, Node};
use super::{error::Problem, parse::character_node, property, set::CharSet};
use crate::microsyntax::prelude::*;

/// `escape ::= set_escape | "\" [AzZGbBKRX] | reference | call | characters`: an escape outside of a class
pub(super) fn parse_escape(input: Input<'_>) -> Parsed<'_, Vec<Node>> {
    let ascii = input.options.charset_option == CharsetOption::Ascii;
    let letter = move |letter| {
        Some(match letter {
            'A' => Node::Anchor(Anchor::TextStart),
            'z' => Node::Anchor(Anchor::TextEnd),
            'Z' => Node::Anchor(Anchor::TextEndOrNewline),
            'G' => Node::Anchor(Anchor::SearchStart),
            'b' => Node::Anchor(Anchor::WordBoundary { ascii }),
            'B' => Node::Anchor(Anchor::NotWordBoundary { ascii }),
            'K' => Node::Keep,
            'R' => Node::LineBreak,
            'X' => Node::Grapheme,
            _ => return None,
        })
    };
    let one = alt((
        parse_set_escape.map(|set| Node::Set(Box::new(set))),
        preceded(char('\\'), anychar).map_opt(letter),
        parse_reference,
        parse_call,
    ));
    let characters =
        parse_character_escape.map(|all| all.into_iter().map(|one| character_node(one, input.options)).collect());
    with_start_here(preceded(peek(char('\\')), alt((one.map(|node| vec![node]), characters)))).parse(input)
}

/// `set_escape ::= "\" ([dDwWsShH] | [pP] property)`: an escape for a set of characters
pub(super) fn parse_set_escape(input: Input<'_>) -> Parsed<'_, CharSet> {
    let (here, letter) = preceded(char('\\'), one_of("dDwWsShHpP")).parse(input)?;
    let table = |name, ascii: &[_]| {
        let unicode = Some(name).filter(|_| input.options.charset_option == CharsetOption::Unicode);
        unicode.and_then(|name| property::posix_bracket_set(name, false)).unwrap_or_else(|| CharSet::from_ranges(ascii))
    };
    let (here, set) = match letter.to_ascii_lowercase() {
        'd' => (here, table("digit", &[('0', '9')])),
        'w' => (here, table("word", &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')])),
        's' => (here, table("space", &[('\t', '\r'), (' ', ' ')])),
        'h' => (here, CharSet::hexadecimal_digits()),
        _ => parse_property(here)?,
    };
    Ok((here, if letter.is_ascii_uppercase() { set.negated() } else { set }))
}

/// `property ::= "{" "^"? [^}]* "}"`
///
/// Under `(?i)`, both cases of each letter are in the set before `^` negates it.
fn parse_property(input: Input<'_>) -> Parsed<'_, CharSet> {
    let (here, (name, end)) = preceded(char('{'), (take_till(|letter| letter == '}'), opt(char('}')))).parse(input)?;
    input.state.has_non_ascii_escape.set(true);
    if end.is_none() {
        return fail_at_start(Problem::UnknownProperty(name.text.into())).parse(input);
    }
    let (name, negated) = property::strip_caret(name.text);
    let Some(set) = property::unicode_property_set(name) else {
        return fail_at_start(Problem::UnknownProperty(name.into())).parse(input);
    };
    let set = if input.options.fold && set.is_named { set.case_folded() } else { set };
    Ok((here, if negated { set.negated() } else { set }))
}

/// `characters ::= "\u{" ([ #x9]* hex{1,8})+ [ #x9]* "}" | "\u" hex{4} | byte+ | "\" .`
///
/// Parses an escape for one character, or for several in the form `\u{61 62}`.
pub(super) fn parse_character_escape(input: Input<'_>) -> Parsed<'_, Vec<char>> {
    let code_points = terminated(many1(preceded(space0, parse_code_point(1, 8))), (space0, char('}')));
    let bytes = preceded(peek(parse_byte_start), parse_utf8_escapes);
    let one = alt((
        preceded(tag("\\u"), parse_code_point(4, 4).or(fail_expecting(r"four digits after `\u`"))),
        bytes,
        parse_letter_escape,
    ));
    alt((
        preceded(tag("\\u{"), code_points.or(fail_expecting(r"hexadecimal numbers and a `}` after `\u{`"))),
        one.map(|one| vec![one]),
    ))
    .parse(input)
}

fn fail_expecting<'a, T>(wanted: &'static str) -> impl PatternParser<'a, T> {
    fail_at_start(Problem::BadEscape { wanted })
}

fn parse_letter_escape(input: Input<'_>) -> Parsed<'_, char> {
    let letter = preceded(char('\\'), anychar.or(fail_at_start(Problem::TrailingBackslash)));
    let meaning = |letter| match letter {
        't' => '\t',
        'n' => '\n',
        'r' => '\r',
        'f' => '\u{c}',
        'v' => '\u{b}',
        'a' => '\u{7}',
        'e' => '\u{1b}',
        other => other,
    };
    letter.map(meaning).parse(input)
}

fn parse_digits<'a>(radix: u32, least: usize, most: usize) -> impl PatternParser<'a, u32> {
    let digits = take_while_m_n(least, most, move |digit: char| digit.is_digit(radix));
    digits.map_opt(move |digits: Input<'a>| u32::from_str_radix(digits.text, radix).ok())
}

fn parse_code_point<'a>(least: usize, most: usize) -> impl PatternParser<'a, char> {
    let mut digits = parse_digits(16, least, most);
    move |input: Input<'a>| {
        let (here, code) = digits.parse(input)?;
        input.state.has_non_ascii_escape.set(input.state.has_non_ascii_escape.get() || code > 0x7F);
        match char::from_u32(code) {
            Some(character) => Ok((here, character)),
            None => fail_expecting("a Unicode code point").parse(input),
        }
    }
}

/// Parses a character that is written as its UTF-8 bytes: `\x41`, `\xC3\xA9`.
fn parse_utf8_escapes(input: Input<'_>) -> Parsed<'_, char> {
    let mut bytes = Vec::new();
    let mut here = input;
    loop {
        let (after, next) = parse_byte_escape(here)?;
        bytes.push(next);
        here = after;
        match std::str::from_utf8(&bytes) {
            Ok(text) => {
                input.state.has_non_ascii_escape.set(input.state.has_non_ascii_escape.get() || !text.is_ascii());
                return Ok((here, text.chars().next().unwrap_or_default()));
            }
            Err(error) if error.error_len().is_none() && here.text.starts_with('\\') => {}
            Err(_) => return fail_at_start(Problem::NotText).parse(input),
        }
    }
}

/// `byte ::= "\" ("x" hex{1,2} | [0-7]{1,3} | ("c" | "C-" | "M-") modified)`: one byte of a character in UTF-8
fn parse_byte_escape(input: Input<'_>) -> Parsed<'_, u8> {
    let number = |radix, most| parse_digits(radix, 1, most).map_opt(|code| u8::try_from(code).ok());
    let hexadecimal =
        preceded(char('x'), number(16, 2).or(fail_expecting(r"one or two hexadecimal digits after `\x`")));
    let octal = preceded(peek(one_of("01234567")), number(8, 3).or(fail_expecting("an octal number of at most 377")));
    let control = preceded(alt((tag("c"), tag("C-"))), parse_modified_byte).map(|byte| byte & 0x9F);
    let meta = preceded(tag("M-"), parse_modified_byte).map(|byte| byte | 0x80);
    let unfinished = preceded(one_of("CM"), fail_expecting(r"a character after `\C-` or `\M-`"));
    preceded(char('\\'), alt((hexadecimal, octal, control, meta, unfinished, fail_at_start(Problem::NotText))))
        .parse(input)
}

/// `byte_start ::= "\" [x0-7cCM]`: the start of a `byte`; returns the character after the backslash
fn parse_byte_start(input: Input<'_>) -> Parsed<'_, char> {
    preceded(char('\\'), one_of("x01234567cCM")).parse(input)
}

/// `modified ::= &byte_start byte | [#x0-#x7F] - "\"`
///
/// Parses the character or escape after `\c`, `\C-` or `\M-`, and returns its byte.
fn parse_modified_byte(input: Input<'_>) -> Parsed<'_, u8> {
    let escaped = preceded(peek(parse_byte_start), with_deeper_nesting(parse_byte_escape));
    let plain = satisfy(|letter| letter.is_ascii() && letter != '\\').map(|letter| letter as u8);
    alt((escaped, plain, fail_expecting("an ASCII character"))).parse(input)
}
