//! Quoted strings, and the interpolation that double-quoted strings and heredocs share.
//!
//! An interpolated expression is parsed in place by the parser of expressions, so that it keeps its location and quotes
//! inside it need no search.

use ecow::EcoString;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_till1, take_while_m_n};
use nom::character::complete::{anychar, char, digit0, line_ending, one_of, satisfy};
use nom::combinator::{fail, not, opt, peek, recognize};
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{AsChar, Input as _, Parser};

use super::numbers::{number_end, number_value};
use super::statements::assignment;
use super::words::{bare_word, keyword, name, space, variable_name};
use crate::syntax::combinators::{Rule, between, by_first_char, checked, expected, node, token};
use crate::syntax::errors::{Expected, SyntaxError};
use crate::syntax::input::{Input, Parsed, refuse};
use crate::syntax::tree::{Expression, Id, Literal};
use crate::text::Span;

/// `single_quoted ::= "'" ([^'\] | "\" .)* "'"`
///
/// Only `\'` and `\\` are escapes.
pub(in crate::syntax) fn single_quoted(input: Input<'_>) -> Parsed<'_, Id> {
    let (start, _) = char('\'').parse(input)?;
    let part = alt((
        take_till1(|character| matches!(character, '\'' | '\\')),
        preceded(char('\\'), recognize(one_of("'\\"))),
        tag("\\"),
    ));
    let plain = take_till(|character| matches!(character, '\'' | '\\')).map(|text: Input<'_>| text.text().into());
    let text = fold_many0(part, EcoString::new, |text, part: Input<'_>| text + part.text());
    let text = alt((terminated(plain, char('\'')), terminated(text, closing_quote('\'', start))));
    let (after, text) = { text }.parse(start)?;
    let id = input.node(input.until(after).span(), Expression::Literal(Literal::String(text)));
    token(|input| Ok((input, id))).parse(after)
}

/// The quote that ends a string.
///
/// # Errors
/// The text ends before; `start` is where Puppet points then.
fn closing_quote(quote: char, start: Input<'_>) -> impl Rule<'_, ()> {
    let unclosed = move |_| refuse(SyntaxError::UnclosedQuote { quote }, start.place());
    alt((char(quote).map(drop), unclosed))
}

/// `double_quoted ::= '"' ([^"\$] | "\" (unicode_escape | [^u]) | interpolation | "$" !"{")* '"'`
pub(super) fn double_quoted(input: Input<'_>) -> Parsed<'_, Id> {
    let (start, _) = char('"').parse(input)?;
    let part = alt((
        take_till1(|character| matches!(character, '"' | '\\' | '$')).map(Part::text),
        escape(ESCAPES),
        unknown_escape.map(Part::text),
        interpolation,
        tag("$").map(Part::text),
    ));
    let (end, parts) = fold_many0(part, || Parts::new(start), Parts::with).parse(start)?;
    let (after, ()) = closing_quote('"', parts.start).parse(end)?;
    let id = parts.finish(end, input.until(after).span());
    token(|input| Ok((input, id))).parse(after)
}

/// A backslash that starts no escape.
fn unknown_escape(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let result = tag("\\").parse(input)?;
    input.warns_of_escape();
    Ok(result)
}

/// A piece of a string with interpolations.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    /// As it is written.
    Text(&'a str),
    Character(char),
    /// What is between, and what comes after it.
    Interpolation(Id, Input<'a>),
}

impl<'a> Part<'a> {
    pub(super) fn text(input: Input<'a>) -> Part<'a> {
        Part::Text(input.text())
    }
}

/// The parts of a string as far as they are read: nodes, and the text since the last of them.
pub(super) struct Parts<'a> {
    done: Vec<Id>,
    text: EcoString,
    start: Input<'a>,
}

impl<'a> Parts<'a> {
    /// No part yet; the first text starts at `start`.
    pub(super) fn new(start: Input<'a>) -> Parts<'a> {
        Parts { done: Vec::new(), text: EcoString::new(), start }
    }

    pub(super) fn with(mut self, part: Part<'a>) -> Parts<'a> {
        match part {
            Part::Text(text) => self.text.push_str(text),
            Part::Character(character) => self.text.push(character),
            Part::Interpolation(id, after) => {
                let start = after.span_of(id).start;
                self.close_text(self.start.moved_to(start));
                self.done.push(id);
                self.start = after;
            }
        }
        self
    }

    fn close_text(&mut self, end: Input<'a>) {
        if !self.text.is_empty() {
            let text = Expression::Literal(Literal::String(std::mem::take(&mut self.text)));
            self.done.push(end.node(self.start.until(end).span(), text));
        }
    }

    /// The String or Concatenation of all parts, the last of which ends at `end`.
    pub(super) fn finish(mut self, end: Input<'a>, span: Span) -> Id {
        if self.done.is_empty() {
            return end.node(span, Expression::Literal(Literal::String(self.text)));
        }
        self.close_text(end);
        end.node(span, Expression::Concatenation(self.done.into()))
    }
}

/// The escapes of a double-quoted string.
const ESCAPES: &str = "tnrsuL$'\"";

/// An escape of which the text knows the letter after the backslash, `L` for the end of a line; with any also the
/// backslash.
pub(super) fn escape<'a>(letters: &str) -> impl Rule<'a, Part<'a>> {
    let knows = move |letter| letters.contains(letter);
    let after_backslash = move |input: Input<'a>| {
        by_first_char!(input, {
            '\\' if !letters.is_empty() => char('\\').map(Part::Character),
            'u' if knows('u') => unicode_escape.map(Part::Character),
            '\n' | '\r' if knows('L') => line_ending.map(|_| Part::Text("")),
            'n' if knows('n') => char('n').map(|_| Part::Character('\n')),
            't' if knows('t') => char('t').map(|_| Part::Character('\t')),
            'r' if knows('r') => char('r').map(|_| Part::Character('\r')),
            's' if knows('s') => char('s').map(|_| Part::Character(' ')),
            letter @ ('$' | '\'' | '"') if knows(letter) => anychar.map(Part::Character),
            _ => fail(),
        })
    };
    preceded(char('\\'), after_backslash)
}

/// `unicode_escape ::= "u" !no_character`
///
/// Four digits, or one to six in braces. Anything else is literal.
fn unicode_escape<'a>(input: Input<'a>) -> Parsed<'a, char> {
    let no_character = |input: Input<'a>| {
        let (after, ()) = no_character(input)?;
        // With the backslash and the letter.
        let escape = input.moved_to(input.start() - 2).until(after);
        refuse(SyntaxError::IllegalCharacter(escape.text().to_owned()), escape)
    };
    let digits = |least, most| take_while_m_n(least, most, AsChar::is_hex_digit);
    let digits = alt((delimited(char('{'), digits(1, 6), char('}')), digits(4, 4)));
    let character = digits.map_opt(|digits: Input<'_>| char::from_u32(u32::from_str_radix(digits.text(), 16).ok()?));
    preceded(char('u'), alt((no_character, character))).parse(input)
}

/// ```ebnf
/// no_character ::= surrogate | "{" "0"? "0"? surrogate "}"
///                | "{" ("1" [1-9a-fA-F] | [2-9a-fA-F] hex_digit) hex_digit hex_digit hex_digit hex_digit "}"
/// ```
fn no_character(input: Input<'_>) -> Parsed<'_, ()> {
    let padded = recognize((char('{'), opt(char('0')), opt(char('0')), surrogate, char('}')));
    let first = alt(((char('1'), one_of("123456789abcdefABCDEF")), (one_of("23456789abcdefABCDEF"), hex_digit)));
    let too_large = recognize((char('{'), first, hex_digit, hex_digit, hex_digit, hex_digit, char('}')));
    alt((surrogate, padded, too_large)).map(drop).parse(input)
}

/// `surrogate ::= [dD] [89a-fA-F] hex_digit hex_digit`
fn surrogate(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((one_of("dD"), one_of("89abcdefABCDEF"), hex_digit, hex_digit)).parse(input)
}

/// `hex_digit ::= [0-9a-fA-F]`
fn hex_digit(input: Input<'_>) -> Parsed<'_, char> {
    satisfy(AsChar::is_hex_digit).parse(input)
}

/// `interpolation ::= "$" variable_name | interpolation_start assignment "}"`
pub(super) fn interpolation(input: Input<'_>) -> Parsed<'_, Part<'_>> {
    let variable = recognize(preceded(char('$'), variable_name))
        .map(|text: Input<'_>| text.node(text.span(), Expression::Variable(text.take_from(1).text().into())));
    let (after, value) = alt((variable, interpolated)).parse(input)?;
    let id = input.node(input.until(after).span(), Expression::Text(value));
    Ok((after, Part::Interpolation(id, after)))
}

fn interpolated(input: Input<'_>) -> Parsed<'_, Id> {
    let end = expected(Expected::CloseBrace, char('}').map(drop));
    between(interpolation_start, assignment, end).parse(input)
}

/// `interpolation_start ::= "${" space`
fn interpolation_start(input: Input<'_>) -> Parsed<'_, ()> {
    let (here, _) = token(tag("${")).parse(input)?;
    input.state.interpolation.set(Some(here.start()));
    Ok((here, ()))
}

/// ```ebnf
/// interpolated_variable ::= <&interpolation_start (keyword | name | bare_word | match_name)
///                           &(space ("}" | ".") | "[")
/// ```
///
/// The variable whose name stands here without a dollar.
pub(super) fn interpolated_variable(input: Input<'_>) -> Parsed<'_, Id> {
    let follows = alt((char('[').map(drop), (space, one_of("}.")).map(drop)));
    let name = terminated(alt((keyword, name, bare_word, match_name)), peek(follows));
    node(token(name).map(|name| Expression::Variable(name.text().into()))).parse(input)
}

/// `match_name ::= [1-9] [0-9]* number_end !("." [0-9]) | number`
///
/// Whether it can be a name is judged later, but it has to be a number.
fn match_name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let digits = recognize((one_of("123456789"), digit0));
    let group = terminated(digits, (number_end, not((char('.'), satisfy(AsChar::is_dec_digit)))));
    alt((group, recognize(checked(number_value, |_, value| value)))).parse(input)
}
