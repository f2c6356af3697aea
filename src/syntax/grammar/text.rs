//! The text of templates between their tags.

use nom::branch::alt;
use nom::bytes::complete::{is_a, is_not, tag};
use nom::character::complete::{anychar, char, line_ending};
use nom::combinator::{eof, not, opt, peek, recognize, value, verify};
use nom::multi::{fold_many0, many0_count};
use nom::sequence::{preceded, terminated};
use nom::{Input as _, Parser};

use crate::syntax::errors::SyntaxError;
use crate::syntax::input::{Input, Parsed, refuse};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// `<%`; with `<%-`, the spaces before it are taken off
    Code {
        trims: bool,
    },
    /// `<%=`
    Expression,
    End,
}

/// The text between two tags, and what follows it.
pub(super) struct Text<'a> {
    /// Without escapes and comments.
    pub(super) value: String,
    pub(super) written: Input<'a>,
    pub(super) next: Next,
}

/// `text ::= text_part* text_stop`
///
/// Up to the code of the next tag; in front of an expression, `<%=` is left.
pub(super) fn text(input: Input<'_>) -> Parsed<'_, Text<'_>> {
    let (here, text) = unread_text(input)?;
    input.state.in_text.set(text.next == Next::End);
    if text.next == Next::Expression {
        input.state.expression_tag.set(Some(here.start()));
    }
    Ok((here.ends_token(), text))
}

/// The text, of which the state hears nothing.
fn unread_text(input: Input<'_>) -> Parsed<'_, Text<'_>> {
    let (stop, mut value) = fold_many0(text_part, String::new, |mut value, (trims, text)| {
        if trims {
            trim_blanks(&mut value);
        }
        value + text
    })
    .parse(input)?;
    let (here, next) = text_stop(stop)?;
    if next == (Next::Code { trims: true }) {
        trim_blanks(&mut value);
    }
    Ok((here, Text { value, written: input.until(stop), next }))
}

fn trim_blanks(text: &mut String) {
    text.truncate(text.trim_end_matches([' ', '\t']).len());
}

/// `following_text ::= tag_end text`
pub(super) fn following_text(input: Input<'_>) -> Parsed<'_, Text<'_>> {
    preceded(tag_end, text).parse(input)
}

/// `text_part ::= comment | "<%%" | "%" "%>" | [^<] | "<" !"%"`
///
/// What it shows, and whether it takes off the spaces before it.
fn text_part(input: Input<'_>) -> Parsed<'_, (bool, &str)> {
    let escaped = alt((value("<%", tag("<%%")), value("%>", tag("%%>"))));
    let plain = alt((is_not("<%"), tag("%"), terminated(tag("<"), not(char('%')))));
    alt((comment.map(|trims| (trims, "")), alt((escaped, plain.map(Input::text))).map(|text| (false, text))))
        .parse(input)
}

/// `text_stop ::= expression_next | code_start | text_end`
fn text_stop(input: Input<'_>) -> Parsed<'_, Next> {
    alt((expression_next, code_start, text_end)).parse(input)
}

/// `expression_next ::= &"<%="`
fn expression_next(input: Input<'_>) -> Parsed<'_, Next> {
    value(Next::Expression, peek(tag("<%="))).parse(input)
}

/// `code_start ::= "<%" !"#" "-"?`
fn code_start(input: Input<'_>) -> Parsed<'_, Next> {
    preceded((tag("<%"), not(char('#'))), opt(char('-')))
        .map(|trims| Next::Code { trims: trims.is_some() })
        .parse(input)
}

/// `text_end ::= end`
fn text_end(input: Input<'_>) -> Parsed<'_, Next> {
    value(Next::End, eof).parse(input)
}

/// `tag_end ::= "%>" | "-%>" [ #x9]* (#xD? #xA)?`
///
/// Only in templates.
pub(super) fn tag_end(input: Input<'_>) -> Parsed<'_, ()> {
    if !input.state.is_template {
        return input.mismatch();
    }
    let trimming = (tag("-%>"), opt(is_a(" \t")), opt(line_ending));
    alt((value((), tag("%>")), value((), trimming))).parse(input)
}

/// `comment ::= "<%#" ("%" "%>" | !tag_end .)* tag_end`
///
/// Whether it takes off the spaces before it, as `<%#-` does.
fn comment(input: Input<'_>) -> Parsed<'_, bool> {
    let unclosed = |_| refuse(SyntaxError::UnclosedTemplateComment, input.take_from(2).place());
    let inside = many0_count(alt((recognize((char('%'), tag("%>"))), recognize((not(tag_end), anychar)))));
    let comment = preceded(tag("<%#"), (opt(peek(char('-'))), inside, alt((tag_end, unclosed))));
    comment.map(|(trims, ..)| trims.is_some()).parse(input)
}

/// `leading_tag ::= (blank | comment)* "<%-" | ((blank | !"<%#-" comment)* &"<%#-" comment)* comment* "<%" ![-%#=]`
///
/// The start of code that no text stands before.
fn leading_tag(input: Input<'_>) -> Parsed<'_, ()> {
    let leads = |text: &Text<'_>| text.value.is_empty() && matches!(text.next, Next::Code { .. });
    verify(unread_text, leads).map(drop).parse(input)
}

/// `joined_tags ::= <in_code> tag_end leading_tag`
///
/// Two tags that have nothing between them, `%><%`. A comment that is not closed does not count.
pub(super) fn joined_tags(input: Input<'_>) -> Parsed<'_, ()> {
    if !input.state.is_template || input.state.in_expression_tag.get() {
        return input.mismatch();
    }
    preceded(tag_end, leading_tag).parse(input).or_else(|_| input.mismatch())
}
