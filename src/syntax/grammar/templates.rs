//! Templates in embedded Puppet: text with tags, `<% code %>`, `<%= expression %>` and `<%# comment %>`.
//!
//! The code of all tags is one program, in which the text between two tags is a statement that renders it; so braces of
//! a lambda or an `if` may open in one tag and close in another. Adjacent tags, as in `<% } %><% else { %>`, have no
//! statement between them. `<%%` and `%%>` in the text are escapes of `<%` and `%>`.
//!
//! Deviation: in Puppet 8.11 text is an operand, so that `a<% (1 + 1).notice %>` calls the text before it. Here it is a
//! statement and never part of an expression.

use super::prelude::*;
use super::statements::{assignment, block, statements};
use super::text::{NextTag, following_text, tag_end, text};
use super::words::end_of_input;
use super::{definitions::parameters, operators::expression};
use crate::syntax::tree::Parameter;

/// `template ::= (leading_tag template_parameters? | text ";"?) statements? <&text_end`
///
/// Parameters can only be in the first tag, with no text before it.
pub(in crate::syntax) fn template(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, (leading, next)) = text(input)?;
    let is_first = leading.is_none() && matches!(next, NextTag::Code { .. });
    let (here, parameters) = if is_first { opt(template_parameters).parse(here)? } else { (here, None) };
    let (here, body) = statements(here, leading.into_iter().collect(), end_of_input)?;
    if !here.state.is_in_final_text.get() {
        return here.fail_expecting(Expected::TagEnd);
    }
    let span = input.until_start_of(here).span();
    let parameters_specified = parameters.is_some();
    let parameters = parameters.unwrap_or_default();
    Ok((here, here.add_node(span, Expression::Epp { parameters, parameters_specified, body })))
}

/// `template_parameters ::= "|" parameters? "|"`
fn template_parameters(input: Input<'_>) -> Parsed<'_, Vec<Parameter>> {
    let parameters = in_brackets(Expected::Bar, parameters(Expected::Bar), Expected::Bar);
    preceded(peek(char('|')), parameters).parse(input)
}

/// `rendered_statement ::= <in_code> following_text | <&at_expression_tag expression_tag`
///
/// The text after a code tag, or a `<%= expression %>`, as a statement; `None` if the text is empty.
pub(super) fn rendered_statement(input: Input<'_>) -> Parsed<'_, Option<Id>> {
    if !input.state.is_template || input.state.is_in_expression_tag.get() {
        return input.fail_here();
    }
    if input.state.expression_tag_offset.get() == Some(input.start()) {
        return cut(parse_node(expression_tag.map(Expression::Render))).map(Some).parse(input);
    }
    following_text(input)
}

/// `expression_tag ::= expression_start (expression | block) &tag_end`
///
/// A brace starts a Hash if it is empty or if a key with an arrow follows, and a block otherwise.
fn expression_tag(input: Input<'_>) -> Parsed<'_, Id> {
    delimited(expression_start, rendered_expression, expression_tag_end).parse(input)
}

fn rendered_expression(input: Input<'_>) -> Parsed<'_, Id> {
    let hash = (char('{'), space, alt((char('}').map(drop), (assignment, tag("=>")).map(drop))));
    by_first_char!(input, {
        '{' => alt((preceded(look_ahead(hash), expression), block)),
        _ => expression,
    })
}

fn expression_tag_end(input: Input<'_>) -> Parsed<'_, ()> {
    let mut end = or_record_expected(Expected::TagEnd, or_record_expected(Expected::TagEndTrimmed, peek(tag_end)));
    let (here, ()) = end.parse(input)?;
    input.state.is_in_expression_tag.set(false);
    Ok((here, ()))
}

/// `expression_start ::= "<%="`
fn expression_start(input: Input<'_>) -> Parsed<'_, ()> {
    // Before anything is skipped: an empty tag is not joined to the next one.
    input.state.is_in_expression_tag.set(true);
    token(tag("<%=")).map(drop).parse(input)
}
