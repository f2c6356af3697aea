//! Quoted strings, and the interpolation that double-quoted strings and heredocs share.
//!
//! An interpolated expression is parsed in place by the expression parser, so that its nodes have the right locations
//! and quotes inside the expression do not end the string.

use super::numbers::{number_end, number_value};
use super::prelude::*;
use super::statements::assignment;
use super::words::{bare_word, keyword, name, variable_name};

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
    let id = input.add_node(input.until_start_of(after).span(), Expression::Literal(Literal::String(text)));
    token(|input| Ok((input, id))).parse(after)
}

/// Parses the closing `quote` of a string; `start` is the input after the opening quote.
///
/// # Errors
/// Fails at `start`, as Puppet does, if the source ends before the closing quote.
fn closing_quote(quote: char, start: Input<'_>) -> impl Rule<'_, ()> {
    let unclosed = move |_| fail_with(SyntaxError::UnclosedQuote { quote }, start.empty_at_start());
    alt((char(quote).map(drop), unclosed))
}

/// `double_quoted ::= '"' ([^"\$] | "\" (unicode_escape | [^u]) | interpolation | "$" !"{")* '"'`
pub(super) fn double_quoted(input: Input<'_>) -> Parsed<'_, Id> {
    let (start, _) = char('"').parse(input)?;
    let part = alt((
        take_till1(|character| matches!(character, '"' | '\\' | '$')).map(StringPart::text_from_input),
        string_escape(ESCAPE_LETTERS),
        unknown_escape.map(StringPart::text_from_input),
        interpolation,
        tag("$").map(StringPart::text_from_input),
    ));
    let (end, parts) = fold_many0(part, || StringParts::no_parts_at(start), StringParts::add_part).parse(start)?;
    let (after, ()) = closing_quote('"', parts.new_text_start).parse(end)?;
    let id = parts.add_string_node(end, input.until_start_of(after).span());
    token(|input| Ok((input, id))).parse(after)
}

fn unknown_escape(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let result = tag("\\").parse(input)?;
    let length: usize = input.text().chars().take(2).map(char::len_utf8).sum();
    input.state.unknown_escapes.borrow_mut().insert(input.take(length).span());
    Ok(result)
}

#[derive(Clone, Copy)]
pub(super) enum StringPart<'a> {
    /// Literal text, as in the source.
    Text(&'a str),
    Character(char),
    /// The node of an interpolation, and the input after it.
    Interpolation(Id, Input<'a>),
}

impl<'a> StringPart<'a> {
    pub(super) fn text_from_input(input: Input<'a>) -> StringPart<'a> {
        StringPart::Text(input.text())
    }
}

/// The parts of a string read so far: finished nodes, and the text since the last of them.
pub(super) struct StringParts<'a> {
    finished_nodes: Vec<Id>,
    new_text: EcoString,
    new_text_start: Input<'a>,
}

impl<'a> StringParts<'a> {
    pub(super) fn no_parts_at(start: Input<'a>) -> StringParts<'a> {
        StringParts { finished_nodes: Vec::new(), new_text: EcoString::new(), new_text_start: start }
    }

    pub(super) fn add_part(mut self, part: StringPart<'a>) -> StringParts<'a> {
        match part {
            StringPart::Text(text) => self.new_text.push_str(text),
            StringPart::Character(character) => self.new_text.push(character),
            StringPart::Interpolation(id, after) => {
                let start = after.span_of_node(id).start;
                self.push_text_node(self.new_text_start.with_start(start));
                self.finished_nodes.push(id);
                self.new_text_start = after;
            }
        }
        self
    }

    fn push_text_node(&mut self, end: Input<'a>) {
        if !self.new_text.is_empty() {
            let text = Expression::Literal(Literal::String(std::mem::take(&mut self.new_text)));
            self.finished_nodes.push(end.add_node(self.new_text_start.until_start_of(end).span(), text));
        }
    }

    /// Adds a String or Concatenation node of these parts, of which the last ends at `end`.
    pub(super) fn add_string_node(mut self, end: Input<'a>, span: Span) -> Id {
        if self.finished_nodes.is_empty() {
            return end.add_node(span, Expression::Literal(Literal::String(self.new_text)));
        }
        self.push_text_node(end);
        end.add_node(span, Expression::Concatenation(self.finished_nodes.into()))
    }
}

/// The characters that form an escape after a backslash in a double-quoted string; `L` means the end of a line.
const ESCAPE_LETTERS: &str = "tnrsuL$'\"";

/// Parses an escape: a backslash and one of `letters`, in which `L` means the end of a line. An escaped backslash is
/// always accepted, unless `letters` is empty.
pub(super) fn string_escape<'a>(letters: &str) -> impl Rule<'a, StringPart<'a>> {
    let knows = move |letter| letters.contains(letter);
    let after_backslash = move |input: Input<'a>| {
        by_first_char!(input, {
            '\\' if !letters.is_empty() => char('\\').map(StringPart::Character),
            'u' if knows('u') => unicode_escape.map(StringPart::Character),
            '\n' | '\r' if knows('L') => line_ending.map(|_| StringPart::Text("")),
            'n' if knows('n') => char('n').map(|_| StringPart::Character('\n')),
            't' if knows('t') => char('t').map(|_| StringPart::Character('\t')),
            'r' if knows('r') => char('r').map(|_| StringPart::Character('\r')),
            's' if knows('s') => char('s').map(|_| StringPart::Character(' ')),
            letter @ ('$' | '\'' | '"') if knows(letter) => anychar.map(StringPart::Character),
            _ => fail(),
        })
    };
    preceded(char('\\'), after_backslash)
}

/// `unicode_escape ::= "u" !invalid_code_point`
///
/// Four hexadecimal digits, or one to six in braces. Anything else after `\u` is not an escape.
fn unicode_escape(input: Input<'_>) -> Parsed<'_, char> {
    preceded(char('u'), alt((invalid_code_point, code_point.map_opt(char::from_u32)))).parse(input)
}

fn code_point(input: Input<'_>) -> Parsed<'_, u32> {
    let digits = |least, most| take_while_m_n(least, most, AsChar::is_hex_digit);
    let digits = alt((delimited(char('{'), digits(1, 6), char('}')), digits(4, 4)));
    digits.map_opt(|digits: Input<'_>| u32::from_str_radix(digits.text(), 16).ok()).parse(input)
}

/// ```ebnf
/// invalid_code_point ::= [dD] [89a-fA-F] [0-9a-fA-F] [0-9a-fA-F]
///                | "{" "0"? "0"? [dD] [89a-fA-F] [0-9a-fA-F] [0-9a-fA-F] "}"
///                | "{" ("1" [1-9a-fA-F] | [2-9a-fA-F] [0-9a-fA-F])
///                  [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] "}"
/// ```
///
/// # Errors
/// Fails at the escape that has this code point.
fn invalid_code_point<T>(input: Input<'_>) -> Parsed<'_, T> {
    let (after, _) = verify(code_point, |code| char::from_u32(*code).is_none()).parse(input)?;
    // With the backslash and the letter.
    let escape = input.with_start(input.start() - 2).until_start_of(after);
    fail_with(SyntaxError::IllegalCharacter(escape.text().to_owned()), escape)
}

/// `interpolation ::= "$" variable_name | interpolation_start assignment "}"`
pub(super) fn interpolation(input: Input<'_>) -> Parsed<'_, StringPart<'_>> {
    let variable = recognize(preceded(char('$'), variable_name))
        .map(|text: Input<'_>| text.add_node(text.span(), Expression::Variable(text.take_from(1).text().into())));
    let (after, value) = alt((variable, braced_interpolation)).parse(input)?;
    let id = input.add_node(input.until_start_of(after).span(), Expression::Text(value));
    Ok((after, StringPart::Interpolation(id, after)))
}

fn braced_interpolation(input: Input<'_>) -> Parsed<'_, Id> {
    let end = or_record_expected(Expected::CloseBrace, char('}').map(drop));
    in_delimiters(interpolation_start, assignment, end).parse(input)
}

/// `interpolation_start ::= "${" space`
fn interpolation_start(input: Input<'_>) -> Parsed<'_, ()> {
    let (here, _) = token(tag("${")).parse(input)?;
    input.state.last_interpolation_start.set(Some(here.start()));
    Ok((here, ()))
}

/// ```ebnf
/// interpolated_variable ::= <&interpolation_start (keyword | name | bare_word | match_variable_number)
///                           &(space ("}" | ".") | "[")
/// ```
///
/// A variable without its dollar right after `${`, as in `"${name}"`.
pub(super) fn interpolated_variable(input: Input<'_>) -> Parsed<'_, Id> {
    let follows = alt((char('[').map(drop), (space, one_of("}.")).map(drop)));
    let name = terminated(alt((keyword, name, bare_word, match_variable_number)), peek(follows));
    parse_node(token(name).map(|name| Expression::Variable(name.text().into()))).parse(input)
}

/// `match_variable_number ::= [1-9] [0-9]* number_end !("." [0-9]) | number`
///
/// The number of a match variable. Numbers that no match variable has are accepted here and rejected by validation.
fn match_variable_number(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let digits = recognize((one_of("123456789"), digit0));
    let group = terminated(digits, (number_end, not((char('.'), satisfy(AsChar::is_dec_digit)))));
    alt((group, recognize(map_or_refuse(number_value, |_, value| value)))).parse(input)
}
