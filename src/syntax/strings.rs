//! Quoted strings, and the interpolation that double-quoted strings and heredocs share.
//!
//! A string is parsed once from left to right; an interpolated expression is parsed in place by the expression parser,
//! so that it keeps its source location and quotes inside it need no search.

use std::borrow::Cow;

use super::errors::{Expected, SyntaxError};
use super::input::{Input, Parsed, refuse};
use super::lexical::{Word, space, symbol_follows, token, variable_name_length, word};
use super::numbers::{number, number_length};
use super::statements::assignment;
use super::tree::{Expression, Id, Ids, Literal};
use crate::text::Span;
use ecow::EcoString;
use memchr::{memchr2, memchr3};

/// Which escapes a text knows, as the letters after the backslash; `L` is the end of a line. A backslash escapes itself
/// when there is any; all else is literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Escapes<'a>(pub(super) &'a str);

impl Escapes<'_> {
    /// Those of a double-quoted string.
    pub(super) const ALL: Escapes<'static> = Escapes("tnrsuL$'\"");

    /// Reads the escape after the backslash at `input` into `text`, or the backslash alone.
    pub(super) fn read<'a>(self, input: Input<'a>, text: &mut EcoString) -> Parsed<'a, ()> {
        let letter = match input.byte_at(1) {
            b'\n' => 'L',
            b'\r' if input.byte_at(2) == b'\n' => 'L',
            byte => char::from(byte),
        };
        let plain = match letter {
            '\\' if !self.0.is_empty() => "\\",
            _ if !self.0.contains(letter) || input.byte_at(1) == b'L' => {
                text.push('\\');
                return Ok((input.skip(1), ()));
            }
            'n' => "\n",
            't' => "\t",
            'r' => "\r",
            's' => " ",
            'u' => return unicode_escape(input, text),
            'L' => return Ok((input.skip(if input.byte_at(1) == b'\r' { 3 } else { 2 }), ())),
            _ => &input.rest()[1..2],
        };
        text.push_str(plain);
        Ok((input.skip(2), ()))
    }
}

/// ```ebnf
/// unicode_escape ::= "u" !no_character
/// no_character ::= surrogate | "{" "0"? "0"? surrogate "}"
///                | "{" ("1" [1-9a-fA-F] | [2-9a-fA-F] hex_digit) hex_digit hex_digit hex_digit hex_digit "}"
/// surrogate ::= [dD] [89a-fA-F] hex_digit hex_digit
/// hex_digit ::= [0-9a-fA-F]
/// ```
///
/// The form in braces takes one to six digits. Anything else is literal.
fn unicode_escape<'a>(input: Input<'a>, text: &mut EcoString) -> Parsed<'a, ()> {
    let rest = &input.rest()[2..];
    let (digits, length) = match rest.strip_prefix('{').and_then(|inside| inside.split_once('}')) {
        Some((digits, _)) if (1..=6).contains(&digits.len()) => (digits, digits.len() + 4),
        _ => (rest.get(..4).unwrap_or_default(), 6),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        text.push('\\');
        return Ok((input.skip(1), ()));
    }
    let after = input.skip(length);
    let Some(character) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) else {
        return refuse(SyntaxError::IllegalCharacter(input.until(after).to_owned()), input.span_until(after));
    };
    text.push(character);
    Ok((after, ()))
}

/// ```ebnf
/// single_quoted ::= "'" ([^'\] | "\" .)* "'"
/// ```
///
/// Only `\'` and `\\` are escapes.
pub(super) fn single_quoted(input: Input<'_>) -> Parsed<'_, Id> {
    let start = input.skip(1);
    let mut text = Cow::Borrowed("");
    let mut here = start;
    loop {
        let rest = here.rest();
        let Some(plain) = memchr2(b'\'', b'\\', rest.as_bytes()) else {
            return refuse(SyntaxError::UnclosedQuote { quote: '\'' }, start.span_until(start));
        };
        text += &rest[..plain];
        here = here.skip(plain);
        match (here.byte(), here.byte_at(1)) {
            (b'\'', _) => break,
            (_, b'\'' | b'\\') => {
                text += &here.rest()[1..2];
                here = here.skip(2);
            }
            _ => {
                text += "\\";
                here = here.skip(1);
            }
        }
    }
    let after = here.skip(1);
    let id = input.node(input.span_until(after), Expression::Literal(Literal::String(text.into())));
    token(after, id)
}

/// ```ebnf
/// double_quoted ::= '"' ([^"\$] | "\" (unicode_escape | [^u]) | interpolation | "$" !"{")* '"'
/// ```
pub(super) fn double_quoted(input: Input<'_>) -> Parsed<'_, Id> {
    let start = input.skip(1);
    let mut parts = Parts::new(start);
    let mut here = start;
    // Where the text part began that has no end yet: Puppet points there.
    let mut opened = start;
    loop {
        let rest = here.rest();
        let Some(plain) = memchr3(b'"', b'\\', b'$', rest.as_bytes()) else {
            return refuse(SyntaxError::UnclosedQuote { quote: '"' }, opened.span_until(opened));
        };
        parts.text.push_str(&rest[..plain]);
        here = here.skip(plain);
        match here.byte() {
            b'"' => break,
            b'\\' => {
                let (after, ()) = Escapes::ALL.read(here, &mut parts.text)?;
                if here.until(after) == "\\" {
                    here.warns_of_escape();
                }
                here = after;
            }
            _ => {
                let (after, interpolated) = parts.interpolation(here)?;
                here = after;
                if interpolated {
                    opened = here;
                }
            }
        }
    }
    let after = here.skip(1);
    let id = parts.finish(here, input.span_until(after));
    token(after, id)
}

/// The parts of a text with interpolations, as far as they are read.
pub(super) struct Parts<'a> {
    done: Ids,
    /// The text since the last interpolation.
    pub(super) text: EcoString,
    start: Input<'a>,
}

impl<'a> Parts<'a> {
    /// No part yet; the first text starts at `start`.
    pub(super) fn new(start: Input<'a>) -> Parts<'a> {
        Parts { done: Ids::new(), text: EcoString::new(), start }
    }

    /// ```ebnf
    /// interpolation ::= "$" variable_name | interpolation_start assignment "}"
    /// interpolation_start ::= "${" space
    /// ```
    ///
    /// Reads the dollar at `input` and what it interpolates; a dollar alone is text, and gives `false`.
    pub(super) fn interpolation(&mut self, input: Input<'a>) -> Parsed<'a, bool> {
        if input.byte_at(1) == b'{' {
            self.close_text(input);
            input.opens_interpolation();
            let (inside, ()) = space(input.skip(2).ends_token())?;
            let (end, value) = interpolated(inside)?;
            if !symbol_follows(Expected::CloseBrace, end) {
                return end.expected(Expected::CloseBrace);
            }
            end.closes_interpolation();
            let after = end.skip(1);
            self.push(after, input.node(input.span_until(after), Expression::Text(value)));
            return Ok((after, true));
        }
        let name = &input.rest()[1..];
        let name = &name[..variable_name_length(name)];
        if name.is_empty() {
            self.text.push('$');
            return Ok((input.skip(1), false));
        }
        self.close_text(input);
        let after = input.skip(1 + name.len());
        let span = input.span_until(after);
        let variable = input.node(span, Expression::Variable(name.into()));
        self.push(after, input.node(span, Expression::Text(variable)));
        Ok((after, true))
    }

    fn push(&mut self, after: Input<'a>, part: Id) {
        self.done.push(part);
        self.start = after;
    }

    fn close_text(&mut self, end: Input<'a>) {
        if !self.text.is_empty() {
            let text = Expression::Literal(Literal::String(std::mem::take(&mut self.text)));
            self.done.push(end.node(self.start.span_until(end), text));
        }
    }

    /// The String or Concatenation of all parts, the last of which ends at `end`.
    pub(super) fn finish(mut self, end: Input<'a>, span: Span) -> Id {
        if self.done.is_empty() {
            return end.node(span, Expression::Literal(Literal::String(self.text)));
        }
        self.close_text(end);
        end.node(span, Expression::Concatenation(self.done))
    }
}

/// Between `${` and `}`, a word before the closing brace, an index or a dot names a variable; keywords too.
fn interpolated(input: Input<'_>) -> Parsed<'_, Id> {
    let after = match word(input)? {
        (after, Some(Word::Keyword(_) | Word::Name(_) | Word::Bare(_))) => Some(after),
        (_, Some(Word::Reference(_))) => None,
        (_, None) => {
            let text = &input.rest()[..number_length(input.rest())];
            if text.is_empty() {
                None
            } else {
                if text.starts_with('0') || !text.bytes().all(|byte| byte.is_ascii_digit()) {
                    number(input)?; // Whether it can be a name is judged later, but it has to be a number.
                }
                Some(input.skip(text.len()))
            }
        }
    };
    if let Some(after) = after {
        let is_variable = after.byte() == b'[' || matches!(space(after)?.0.byte(), b'}' | b'.');
        if is_variable {
            input.state.interpolated_variable.set(input.offset);
        }
    }
    assignment(input)
}

/// ```ebnf
/// interpolated_variable ::= <&interpolation_start (keyword | name | bare_word | match_name)
///                           &(space ("}" | ".") | "[")
/// match_name ::= [1-9] [0-9]* number_end | number
/// ```
///
/// The variable whose name stands here without a dollar, where [`interpolated`] found one.
pub(super) fn interpolated_variable(input: Input<'_>) -> Parsed<'_, Id> {
    let (after, found) = word(input)?;
    let after = if found.is_some() { after } else { input.skip(number_length(input.rest())) };
    let name = input.until(after).into();
    token(after, input.node(input.span_until(after), Expression::Variable(name)))
}

/// Whether the text after a mistake inside `${` still closes the interpolation: otherwise the whole string is open.
pub(super) fn interpolation_closes(rest: &str) -> bool {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut bytes = rest.bytes();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => {
                bytes.next();
            }
            (Some(open), _) if byte == open => quote = None,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'{') => depth += 1,
            (None, b'}') if depth == 0 => return true,
            (None, b'}') => depth -= 1,
            _ => {}
        }
    }
    false
}
