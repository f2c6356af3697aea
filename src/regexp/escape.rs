//! Parses what starts with a backslash.

use nom::bytes::complete::{tag, take_till, take_while_m_n};
use nom::character::complete::{anychar, char, one_of, satisfy, space0};
use nom::combinator::{opt, peek};
use nom::sequence::{preceded, terminated};
use nom::{Parser, branch::alt, multi::many1};

use super::group::{call, reference};
use super::input::{Input, Parsed, Rule, Tables, construct, nested, refused};
use super::tree::{Anchor, Node};
use super::{error::Problem, parse::character, property, set::Set};

/// `escape ::= set_escape | "\" [AzZGbBKRX] | reference | call | characters`
pub(super) fn escape(input: Input<'_>) -> Parsed<'_, Vec<Node>> {
    let ascii = input.options.tables == Tables::Ascii;
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
        set_escape.map(|set| Node::Set(Box::new(set))),
        preceded(char('\\'), anychar).map_opt(letter),
        reference,
        call,
    ));
    let characters = characters.map(|all| all.into_iter().map(|one| character(one, input.options)).collect());
    construct(preceded(peek(char('\\')), alt((one.map(|node| vec![node]), characters)))).parse(input)
}

/// `set_escape ::= "\" ([dDwWsShH] | [pP] property)`
pub(super) fn set_escape(input: Input<'_>) -> Parsed<'_, Set> {
    let (here, letter) = preceded(char('\\'), one_of("dDwWsShHpP")).parse(input)?;
    let table = |name, ascii: &[_]| {
        let unicode = Some(name).filter(|_| input.options.tables == Tables::Unicode);
        unicode.and_then(|name| property::bracket(name, false)).unwrap_or_else(|| Set::ranges(ascii))
    };
    let (here, set) = match letter.to_ascii_lowercase() {
        'd' => (here, table("digit", &[('0', '9')])),
        'w' => (here, table("word", &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')])),
        's' => (here, table("space", &[('\t', '\r'), (' ', ' ')])),
        'h' => (here, Set::hexadecimal()),
        _ => property(here)?,
    };
    Ok((here, if letter.is_ascii_uppercase() { set.negated() } else { set }))
}

/// `property ::= "{" "^"? [^}]* "}"`
///
/// A `\p{…}` property, with the other case of its letters added before it is negated.
fn property(input: Input<'_>) -> Parsed<'_, Set> {
    let (here, (name, end)) = preceded(char('{'), (take_till(|letter| letter == '}'), opt(char('}')))).parse(input)?;
    input.state.beyond_ascii.set(true);
    if end.is_none() {
        return refused(Problem::UnknownProperty(name.text.into())).parse(input);
    }
    let (name, negated) = property::negation(name.text);
    let Some(set) = property::property(name) else {
        return refused(Problem::UnknownProperty(name.into())).parse(input);
    };
    let set = if input.options.fold && set.is_named { set.folded() } else { set };
    Ok((here, if negated { set.negated() } else { set }))
}

/// `characters ::= "\u{" ([ #x9]* hex{1,8})+ [ #x9]* "}" | "\u" hex{4} | byte+ | "\" .`
///
/// The characters that an escape writes, usually one.
pub(super) fn characters(input: Input<'_>) -> Parsed<'_, Vec<char>> {
    let code_points = terminated(many1(preceded(space0, code_point(1, 8))), (space0, char('}')));
    let bytes = preceded(peek(byte_start), character_of_bytes);
    let one = alt((preceded(tag("\\u"), code_point(4, 4).or(wanted(r"four digits after `\u`"))), bytes, letter));
    alt((
        preceded(tag("\\u{"), code_points.or(wanted(r"hexadecimal numbers and a `}` after `\u{`"))),
        one.map(|one| vec![one]),
    ))
    .parse(input)
}

/// Never matches: reports what an escape lacks.
fn wanted<'a, T>(wanted: &'static str) -> impl Rule<'a, T> {
    refused(Problem::BadEscape { wanted })
}

fn letter(input: Input<'_>) -> Parsed<'_, char> {
    let letter = preceded(char('\\'), anychar.or(refused(Problem::TrailingBackslash)));
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

/// A number of `least` to `most` digits.
fn digits<'a>(radix: u32, least: usize, most: usize) -> impl Rule<'a, u32> {
    let digits = take_while_m_n(least, most, move |digit: char| digit.is_digit(radix));
    digits.map_opt(move |digits: Input<'a>| u32::from_str_radix(digits.text, radix).ok())
}

fn code_point<'a>(least: usize, most: usize) -> impl Rule<'a, char> {
    let mut digits = digits(16, least, most);
    move |input: Input<'a>| {
        let (here, code) = digits.parse(input)?;
        input.state.beyond_ascii.set(input.state.beyond_ascii.get() || code > 0x7F);
        match char::from_u32(code) {
            Some(character) => Ok((here, character)),
            None => wanted("a Unicode code point").parse(input),
        }
    }
}

/// A character written as its bytes: `\x41`, `\xC3\xA9`
fn character_of_bytes(input: Input<'_>) -> Parsed<'_, char> {
    let mut bytes = Vec::new();
    let mut here = input;
    loop {
        let (after, next) = byte(here)?;
        bytes.push(next);
        here = after;
        match std::str::from_utf8(&bytes) {
            Ok(text) => {
                input.state.beyond_ascii.set(input.state.beyond_ascii.get() || !text.is_ascii());
                return Ok((here, text.chars().next().unwrap_or_default()));
            }
            Err(error) if error.error_len().is_none() && here.text.starts_with('\\') => {}
            Err(_) => return refused(Problem::NotText).parse(input),
        }
    }
}

/// `byte ::= "\" ("x" hex{1,2} | [0-7]{1,3} | ("c" | "C-" | "M-") modified)`
fn byte(input: Input<'_>) -> Parsed<'_, u8> {
    let number = |radix, most| digits(radix, 1, most).map_opt(|code| u8::try_from(code).ok());
    let hexadecimal = preceded(char('x'), number(16, 2).or(wanted(r"one or two hexadecimal digits after `\x`")));
    let octal = preceded(peek(one_of("01234567")), number(8, 3).or(wanted("an octal number of at most 377")));
    let control = preceded(alt((tag("c"), tag("C-"))), modified).map(|byte| byte & 0x9F);
    let meta = preceded(tag("M-"), modified).map(|byte| byte | 0x80);
    let unfinished = preceded(one_of("CM"), wanted(r"a character after `\C-` or `\M-`"));
    preceded(char('\\'), alt((hexadecimal, octal, control, meta, unfinished, refused(Problem::NotText)))).parse(input)
}

/// `byte_start ::= "\" [x0-7cCM]`
fn byte_start(input: Input<'_>) -> Parsed<'_, char> {
    preceded(char('\\'), one_of("x01234567cCM")).parse(input)
}

/// `modified ::= &byte_start byte | [#x0-#x7F] - "\"`
///
/// The character or escape that `\c` or `\M-` modifies.
fn modified(input: Input<'_>) -> Parsed<'_, u8> {
    let escaped = preceded(peek(byte_start), nested(byte));
    let plain = satisfy(|letter| letter.is_ascii() && letter != '\\').map(|letter| letter as u8);
    alt((escaped, plain, wanted("an ASCII character"))).parse(input)
}
