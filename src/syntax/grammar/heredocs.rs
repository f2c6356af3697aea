//! Heredocs: `@(END)` announces a string that starts on the next line and ends at a line with the end tag.
//!
//! When the announcement is read, the content of the heredoc is located, recorded as a range to skip at the end of the
//! line, and parsed in place, with the margin removed from each line.

use super::prelude::*;
use super::strings::{StringPart, StringParts, interpolation, string_escape};

/// ```ebnf
/// heredoc ::= "@(" blank* heredoc_tag (":" blank* heredoc_syntax blank*)? ("/" heredoc_escapes blank*)? ")" <has_text>
/// ```
///
/// If a line announces several heredocs, their contents follow the line in the same order.
///
/// # Errors
/// Fails at a malformed announcement, and if the text or the end tag is missing, which more input may add.
pub(super) fn heredoc(input: Input<'_>) -> Parsed<'_, Id> {
    let unclosed = |_| fail_with(SyntaxError::HeredocUnclosedParenthesis, input.take(2));
    let inside = terminated(take_till(|letter| letter == ')'), alt((char(')').map(drop), unclosed)));
    let (after, inside) = preceded(tag("@("), inside).parse(input)?;
    let announcement = match parse_announcement(inside) {
        Ok(announcement) => announcement,
        // Puppet points behind the parenthesis.
        Err(error) => return fail_with(error, after.empty_at_start()),
    };
    let tag = || announcement.end_tag.to_owned();
    let Some((newline, start)) = after.heredoc_text_start() else {
        return fail_with(SyntaxError::HeredocWithoutText { tag: tag() }, after.empty_at_start());
    };
    let text = input.with_start(start);
    let Some((text, resume, margin)) = find_heredoc_end(text, announcement.end_tag) else {
        return fail_with(SyntaxError::HeredocWithoutEndTag { tag: tag() }, text.empty_at_start());
    };
    after.record_heredoc_end(newline, resume.start());
    // What is expected inside the text is further on than the rest of this line, which is read after it.
    let furthest = input.state.furthest_mismatch.get();
    let (_, text) = heredoc_text(text, announcement, margin)?;
    input.state.furthest_mismatch.set(furthest);
    let heredoc = Expression::Heredoc(announcement.syntax.into(), text);
    let id = input.add_node(input.until_start_of(after).span(), heredoc);
    token(|input| Ok((input, id))).parse(after)
}

#[derive(Clone, Copy)]
struct HeredocAnnouncement<'a> {
    end_tag: &'a str,
    interpolates: bool,
    syntax: &'a str,
    escapes: &'a str,
}

/// Parses `inside`, everything between `@(` and `)`.
fn parse_announcement(inside: Input<'_>) -> Result<HeredocAnnouncement<'_>, SyntaxError> {
    let syntax = opt(preceded(char(':'), delimited(opt(blank), heredoc_syntax, opt(blank))));
    let escapes = opt(preceded(char('/'), rest));
    let malformed = || SyntaxError::HeredocInvalidSyntax(inside.text().to_owned());
    let mut parts = all_consuming((heredoc_tag, syntax, escapes));
    let (_, (tag, syntax, escapes)) = parts.parse(inside).map_err(|_| malformed())?;
    let escapes = escapes.map_or(Ok(""), |letters| heredoc_escapes(letters.text(), malformed))?;
    let quoted = tag.text().strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
    let interpolates = quoted.is_some();
    let tag = quoted.unwrap_or(tag.text()).trim();
    if tag.is_empty() {
        return Err(SyntaxError::HeredocEmptyTag);
    }
    Ok(HeredocAnnouncement { end_tag: tag, interpolates, syntax: syntax.map_or("", Input::text), escapes })
}

/// `blank ::= [ #x9]`
fn blank(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    is_a(BLANKS).parse(input)
}

const BLANKS: &str = " \t";

pub(super) fn trim_trailing_spaces(text: &str) -> &str {
    text.trim_end_matches([' ', '\t'])
}

/// `heredoc_tag ::= !('"' blank* '"') [^/:)#xA]+`
///
/// Returns the tag without white space around it. Quotes around the tag mean that the content is interpolated.
fn heredoc_tag(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let (here, written) = is_not("/:)\n").parse(input)?;
    let tag = written.take_from(written.input_len() - written.text().trim_start().len());
    Ok((here, tag.take(tag.text().trim_end().len())))
}

/// `heredoc_syntax ::= [a-z] [a-zA-Z0-9_+]+`
fn heredoc_syntax(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let first = satisfy(|letter| letter.is_ascii_lowercase());
    let further = take_while1(|letter: char| letter.is_ascii_alphanumeric() || "_+".contains(letter));
    recognize((first, further)).parse(input)
}

/// `heredoc_escapes ::= [tnrsuL$]* <each_once>`
///
/// Returns the escapes that `letters` enable: all of them if it is empty. Rejects duplicates and other characters.
fn heredoc_escapes(letters: &str, malformed: impl Fn() -> SyntaxError) -> Result<&str, SyntaxError> {
    const ESCAPE_LETTERS: &str = "tnrsuL$";
    let letters = trim_trailing_spaces(letters);
    for (index, letter) in letters.char_indices() {
        if !ESCAPE_LETTERS.contains(letter) {
            return Err(if letter.is_alphanumeric() { SyntaxError::HeredocInvalidEscape(letter) } else { malformed() });
        }
        if letters[..index].contains(letter) {
            return Err(SyntaxError::HeredocRepeatedEscape(letter));
        }
    }
    Ok(if letters.is_empty() { ESCAPE_LETTERS } else { letters })
}

/// Returns the content before the first line that ends with `tag`, the input after that line, and the margin to remove.
fn find_heredoc_end<'a>(start: Input<'a>, tag: &str) -> Option<(Input<'a>, Input<'a>, &'a str)> {
    let mut end = 0;
    start.text().split_inclusive('\n').find_map(|line| {
        let text = &start.text()[..end];
        end += line.len();
        let (margin, trims) = heredoc_end(line, tag)?;
        let trimmed = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
        Some((start.take(if trims { trimmed.len() } else { text.len() }), start.take_from(end), margin))
    })
}

/// `heredoc_end ::= [^#xA]+ <tag> (#xA | end)`
///
/// If `line` ends with `tag`, returns the margin to remove from every line (the indentation of a `|` before the tag)
/// and whether to remove the last newline (if a `-` is before the tag). `None` for other lines.
///
/// Observed: Puppet 8.11 ends the string at the first line that ends with the tag, and ignores other text before it.
pub(in crate::syntax) fn heredoc_end<'a>(line: &'a str, tag: &str) -> Option<(&'a str, bool)> {
    let before = trim_trailing_spaces(line.trim_end().strip_suffix(tag)?);
    let before_hyphen = before.strip_suffix('-').map(trim_trailing_spaces);
    let margin =
        before_hyphen.unwrap_or(before).strip_suffix('|').map(|rest| &rest[trim_trailing_spaces(rest).len()..]);
    Some((margin.unwrap_or_default(), before_hyphen.is_some()))
}

/// ```ebnf
/// heredoc_text ::= (<escape> "\" (unicode_escape | [^u]) | <interpolates> interpolation
///                | !(<escape> | <interpolates> "${") .)* end
/// ```
///
/// Adds a String or Concatenation node of the content. `margin` is removed from the lines that start with all of it.
fn heredoc_text<'a>(text: Input<'a>, announcement: HeredocAnnouncement<'a>, margin: &'a str) -> Parsed<'a, Id> {
    let HeredocAnnouncement { interpolates, escapes, .. } = announcement;
    let special = |letter| match letter {
        '\n' => true,
        '\\' => !escapes.is_empty(),
        '$' => interpolates,
        _ => false,
    };
    let joined = |input: Input<'a>| {
        let (after, _) =
            verify(recognize(string_escape(escapes)), |text: &Input<'a>| text.text().ends_with('\n')).parse(input)?;
        opt(tag(margin)).map(|_| StringPart::Text("")).parse(after)
    };
    let interpolated = |input| if interpolates { interpolation(input) } else { input.fail_here() };
    let part = alt((
        terminated(tag("\n"), opt(tag(margin))).map(StringPart::text_from_input),
        take_till1(special).map(StringPart::text_from_input),
        joined,
        string_escape(escapes),
        interpolated,
        recognize(anychar).map(StringPart::text_from_input),
    ));
    let (start, _) = opt(tag(margin)).parse(text)?;
    let (end, parts) = fold_many0(part, || StringParts::no_parts_at(text), StringParts::add_part).parse(start)?;
    Ok((end, parts.add_string_node(end, text.span())))
}
