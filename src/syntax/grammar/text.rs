//! The text of templates between the tags.

use super::{heredocs::trim_trailing_spaces, prelude::*};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextTag {
    /// `<%`, or `<%-`, which removes the spaces before it
    Code {
        trims_before: bool,
    },
    /// `<%=`
    Expression,
    End,
}

/// `text ::= text_part* (at_expression_tag | code_start | text_end)`
///
/// Parses up to and including the next `<%` or `<%-` and the white space after it, or up to the next `<%=`, which is not
/// consumed. Adds a node unless nothing is rendered.
pub(super) fn text(input: Input<'_>) -> Parsed<'_, (Option<Id>, NextTag)> {
    let (here, (value, written, next)) = text_without_state_change(input)?;
    input.state.is_in_final_text.set(next == NextTag::End);
    if next == NextTag::Expression {
        input.state.expression_tag_offset.set(Some(here.start()));
    }
    let here = here.mark_token_end();
    let id = (!value.is_empty()).then(|| here.add_node(written.span(), Expression::RenderString(value.into())));
    let (here, ()) = if matches!(next, NextTag::Code { .. }) { space(here)? } else { (here, ()) };
    Ok((here, (id, next)))
}

/// Returns the text to render, without comments and with `<%%` and `%%>` unescaped, its source, and the next tag.
fn text_without_state_change(input: Input<'_>) -> Parsed<'_, (String, Input<'_>, NextTag)> {
    let add_part = |mut value: String, (trims, text): (bool, &str)| {
        if trims {
            value.truncate(trim_trailing_spaces(&value).len());
        }
        value + text
    };
    let (stop, mut value) = fold_many0(text_part, String::new, add_part).parse(input)?;
    let (here, next) = alt((at_expression_tag, code_start, text_end)).parse(stop)?;
    if next == (NextTag::Code { trims_before: true }) {
        value.truncate(trim_trailing_spaces(&value).len());
    }
    Ok((here, (value, input.until_start_of(stop), next)))
}

/// `following_text ::= tag_end text`
pub(super) fn following_text(input: Input<'_>) -> Parsed<'_, Option<Id>> {
    preceded(tag_end, text).map(|(id, _)| id).parse(input)
}

/// `text_part ::= comment | "<%%" | "%" "%>" | [^<] | "<" !"%"`
///
/// Returns whether the part removes the spaces before it, and the text to render.
fn text_part(input: Input<'_>) -> Parsed<'_, (bool, &str)> {
    let escaped = alt((value("<%", tag("<%%")), value("%>", tag("%%>"))));
    let plain = alt((is_not("<%"), tag("%"), terminated(tag("<"), not(char('%')))));
    alt((comment.map(|trims| (trims, "")), alt((escaped, plain.map(Input::text))).map(|text| (false, text))))
        .parse(input)
}

/// `at_expression_tag ::= &"<%="`
fn at_expression_tag(input: Input<'_>) -> Parsed<'_, NextTag> {
    value(NextTag::Expression, peek(tag("<%="))).parse(input)
}

/// `code_start ::= "<%" !"#" "-"?`
fn code_start(input: Input<'_>) -> Parsed<'_, NextTag> {
    let trims = preceded((tag("<%"), not(char('#'))), opt(char('-')));
    trims.map(|trims| NextTag::Code { trims_before: trims.is_some() }).parse(input)
}

/// `text_end ::= end`
fn text_end(input: Input<'_>) -> Parsed<'_, NextTag> {
    value(NextTag::End, eof).parse(input)
}

/// `tag_end ::= "%>" | "-%>" [ #x9]* (#xD? #xA)?`
///
/// Fails if the source is not a template.
pub(super) fn tag_end(input: Input<'_>) -> Parsed<'_, ()> {
    if !input.state.is_template {
        return input.fail_here();
    }
    let trimming = (tag("-%>"), opt(is_a(" \t")), opt(line_ending));
    alt((value((), tag("%>")), value((), trimming))).parse(input)
}

/// `comment ::= "<%#" ("%" "%>" | !tag_end .)* tag_end`
///
/// Returns whether the comment removes the spaces before it, as `<%#-` does.
fn comment(input: Input<'_>) -> Parsed<'_, bool> {
    let unclosed = |_| fail_with(SyntaxError::UnclosedTemplateComment, input.take_from(2).empty_at_start());
    let inside = many0_count(alt((recognize((char('%'), tag("%>"))), recognize((not(tag_end), anychar)))));
    let comment = preceded(tag("<%#"), (opt(peek(char('-'))), inside, alt((tag_end, unclosed))));
    comment.map(|(trims, ..)| trims.is_some()).parse(input)
}

/// `leading_tag ::= (blank | comment)* "<%-" | ((blank | !"<%#-" comment)* &"<%#-" comment)* comment* "<%" ![-%#=]`
///
/// Parses up to and including the next code tag. Fails if any text before the tag would be rendered.
fn leading_tag(input: Input<'_>) -> Parsed<'_, ()> {
    let (here, (value, _, next)) = text_without_state_change(input)?;
    if value.is_empty() && matches!(next, NextTag::Code { .. }) { Ok((here, ())) } else { input.fail_here() }
}

/// `joined_tags ::= <in_code> tag_end leading_tag`
///
/// Parses `%><%`: two tags without text in between. An unclosed comment in between is a mismatch, not an error.
pub(super) fn joined_tags(input: Input<'_>) -> Parsed<'_, ()> {
    if !input.state.is_template || input.state.is_in_expression_tag.get() {
        return input.fail_here();
    }
    preceded(tag_end, leading_tag).parse(input).or_else(|_| input.fail_here())
}
