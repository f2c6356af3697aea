//! Templates in embedded Puppet: text with tags, `<% code %>`, `<%= expression %>` and `<%# comment %>`.
//!
//! The code of all tags is one program, in which the text between two tags is a statement that renders itself; so the
//! braces of a lambda or an `if` may open in one tag and close in another. Two adjacent tags are separated by nothing,
//! as in `<% } %><% else { %>`. `<%%` and `%%>` in the text are escapes of `<%` and `%>`.
//!
//! Deviation: in Puppet 8.11 text is an operand, so that `a<% (1 + 1).notice %>` calls the text before it. Here it is a
//! statement and never part of an expression.

use super::definitions::parameters;
use super::errors::{Expected, SyntaxError};
use super::input::{Input, Parsed, refuse};
use super::lexical::{space, symbol, symbol_follows};
use super::precedence::expression;
use super::statements::{assignment, statements};
use super::tree::{Expression, Id, Ids};
use crate::text::Span;

/// ```ebnf
/// template ::= (leading_tag template_parameters? | text ";"?) statements? <&text_end
/// template_parameters ::= "|" parameters? "|"
/// ```
///
/// Parameters are in the first tag, and no text comes before them.
pub(super) fn template(input: Input<'_>) -> Parsed<'_, Id> {
    let mut leading = Ids::new();
    let (mut here, next) = text(input, &mut leading)?;
    let is_first = leading.is_empty() && next == Next::Code;
    let parameters_specified = is_first && here.byte() == b'|';
    let mut list = Vec::new();
    if parameters_specified {
        (here, ()) = symbol(Expected::Bar)(here)?;
        (here, list) = parameters(here, Expected::Bar)?;
        (here, ()) = symbol(Expected::Bar)(here)?;
    }
    let (here, body) = statements(here, Expected::End, leading)?;
    if !here.state.in_text.get() {
        return here.expected(Expected::TagEnd);
    }
    let span = Span { start: input.offset, end: here.offset };
    Ok((here, here.node(span, Expression::Epp { parameters: list, parameters_specified, body })))
}

/// ```ebnf
/// rendered ::= <in_code> following_text | <&expression_next expression_tag
/// expression_tag ::= expression_start (expression | block) &tag_end
/// expression_start ::= "<%="
/// ```
///
/// The statement that stands at the start or the end of a tag, if one does: what comes of it goes to `statements`.
pub(super) fn rendered<'a>(input: Input<'a>, statements: &mut Ids) -> Parsed<'a, bool> {
    if !input.state.is_template || input.state.in_expression_tag.get() {
        return Ok((input, false));
    }
    if tag_end_length(input) > 0 {
        let (here, _) = text(after_tag_end(input), statements)?;
        return Ok((here, true));
    }
    if input.state.expression_tag.get() != input.offset {
        return Ok((input, false));
    }
    // Before anything is skipped: an empty tag is not joined to the next one.
    input.state.in_expression_tag.set(true);
    let (here, ()) = space(input.skip("<%=".len()).ends_token())?;
    let (here, value) = shown(here)?;
    if tag_end_length(here) == 0 {
        here.note(Expected::TagEndTrimmed);
        return here.expected(Expected::TagEnd);
    }
    input.state.in_expression_tag.set(false);
    statements.push(here.node(input.span_to_last_token(), Expression::Render(value)));
    Ok((here, true))
}

/// What `<%=` shows: an expression, or a block, whose last statement is shown. A brace starts a Hash where it is empty or
/// where a key with an arrow follows.
fn shown(input: Input<'_>) -> Parsed<'_, Id> {
    if input.byte() != b'{' {
        return expression(input);
    }
    let (inside, ()) = symbol(Expected::OpenBrace)(input)?;
    let is_empty = symbol_follows(Expected::CloseBrace, inside);
    let (after, first) = if is_empty { return expression(input) } else { assignment(inside)? };
    if symbol_follows(Expected::Arrow, after) {
        return expression(input);
    }
    let (here, body) = statements(after, Expected::CloseBrace, Ids::one(first))?;
    let (here, ()) = symbol(Expected::CloseBrace)(here)?;
    Ok((here, body))
}

/// The length of the `%>` or `-%>` that stands here, if one ends a tag of a template; else 0.
pub(super) fn tag_end_length(input: Input<'_>) -> usize {
    match input.rest() {
        rest if input.state.is_template && rest.starts_with("%>") => 2,
        rest if input.state.is_template && rest.starts_with("-%>") => 3,
        _ => 0,
    }
}

/// The code after two tags that have nothing between them, `%><%`.
#[inline(never)]
pub(super) fn joined_tag(input: Input<'_>) -> Option<Input<'_>> {
    if tag_end_length(input) == 0 || input.state.in_expression_tag.get() {
        return None;
    }
    match Text::read(after_tag_end(input)) {
        Ok(Text { value, next: Next::Code, after, .. }) if value.is_empty() => Some(after),
        _ => None,
    }
}

/// ```ebnf
/// text ::= text_part* text_stop
/// following_text ::= tag_end text
/// text_part ::= comment | "<%%" | "%" "%>" | [^<] | "<" !"%"
/// text_stop ::= expression_next | code_start | text_end
/// expression_next ::= &"<%="
/// code_start ::= "<%" !"#" "-"?
/// text_end ::= end
/// tag_end ::= "%>" | "-%>" [ #x9]* (#xD? #xA)?
/// comment ::= "<%#" ("%" "%>" | !tag_end .)* tag_end
/// leading_tag ::= (blank | comment)* "<%-" | ((blank | !"<%#-" comment)* &"<%#-" comment)* comment* "<%" ![-%#=]
/// joined_tags ::= <in_code> tag_end leading_tag
/// ```
///
/// Reads from the start of a template or the end of a tag to the code of the next tag: `<%-` and `<%#-` take the spaces
/// before them off. A text that is not empty goes to `statements`. In front of an expression, `<%=` is left.
fn text<'a>(input: Input<'a>, statements: &mut Ids) -> Parsed<'a, Next> {
    let Text { value, end, next, after } = match Text::read(input) {
        Ok(text) => text,
        Err((error, place)) => return refuse(error, place.span_until(place)),
    };
    if !value.is_empty() {
        statements.push(input.node(input.span_until(end), Expression::RenderString(value.into())));
    }
    input.state.in_text.set(next == Next::End);
    if next == Next::Expression {
        input.state.expression_tag.set(after.offset);
    }
    match next {
        Next::Code => {
            let (here, ()) = space(after.ends_token())?;
            Ok((here, next))
        }
        Next::Expression | Next::End => Ok((after.ends_token(), next)),
    }
}

/// What follows a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// `<%`, `<%-`
    Code,
    /// `<%=`
    Expression,
    /// The end of the template.
    End,
}

/// The text between two tags.
struct Text<'a> {
    /// With escapes and comments taken out.
    value: String,
    /// Where the next tag starts.
    end: Input<'a>,
    next: Next,
    /// Where reading goes on.
    after: Input<'a>,
}

impl<'a> Text<'a> {
    fn read(input: Input<'a>) -> Result<Text<'a>, (SyntaxError, Input<'a>)> {
        let mut here = input;
        let mut value = String::new();
        loop {
            let rest = here.rest();
            let plain = rest.find(['<', '%']).unwrap_or(rest.len());
            value.push_str(&rest[..plain]);
            here = here.skip(plain);
            let rest = here.rest();
            if rest.is_empty() {
                return Ok(Text { value, end: here, next: Next::End, after: here });
            }
            if rest.starts_with("<%%") || rest.starts_with("%%>") {
                value.push_str(if rest.starts_with('<') { "<%" } else { "%>" });
                here = here.skip("<%%".len());
            } else if let Some(comment) = rest.strip_prefix("<%#") {
                if comment.starts_with('-') {
                    trim_blanks(&mut value);
                }
                let Some(length) = comment_length(comment) else {
                    return Err((SyntaxError::UnclosedTemplateComment, here.skip("<%".len())));
                };
                let trimmed = comment[..length].ends_with('-');
                here = after_tag_end(here.skip("<%#".len() + length - usize::from(trimmed)));
            } else if rest.starts_with("<%=") {
                return Ok(Text { value, end: here, next: Next::Expression, after: here });
            } else if rest.starts_with("<%") {
                let trims = rest.starts_with("<%-");
                if trims {
                    trim_blanks(&mut value);
                }
                let after = here.skip(if trims { "<%-".len() } else { "<%".len() });
                return Ok(Text { value, end: here, next: Next::Code, after });
            } else {
                value.push_str(&rest[..1]);
                here = here.skip(1);
            }
        }
    }
}

/// The place after `%>`, or after `-%>` and the rest of its line if that is blank.
fn after_tag_end(input: Input<'_>) -> Input<'_> {
    let here = input.skip(tag_end_length(input));
    if !input.rest().starts_with("-%>") {
        return here;
    }
    let text = here.rest();
    let rest = text.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest);
    here.skip(text.len() - rest.len())
}

/// How far it is to the `%>` that ends a comment: `%%>` does not.
fn comment_length(comment: &str) -> Option<usize> {
    let mut ends = comment.match_indices("%>").map(|(at, _)| at);
    ends.find(|&at| !comment[..at].ends_with('%'))
}

fn trim_blanks(text: &mut String) {
    text.truncate(text.trim_end_matches([' ', '\t']).len());
}
