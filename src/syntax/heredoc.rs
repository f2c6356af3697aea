//! Heredocs: `@(END)` announces a string that starts on the next line and ends at a line with the end tag.
//!
//! The string is found immediately, recorded as input to skip at the end of the line, and parsed in place, with the
//! margin removed from each line. Interpolated expressions are parsed in place.

use super::errors::SyntaxError;
use super::input::{Input, Parsed, refuse};
use super::lexical::token;
use super::strings::{Escapes, Parts};
use super::tree::{Expression, Id};

/// What stands between the parentheses.
struct Announcement<'a> {
    tag: &'a str,
    interpolates: bool,
    syntax: &'a str,
    escapes: Escapes<'a>,
}

/// ```ebnf
/// heredoc ::= "@(" blank* heredoc_tag (":" blank* heredoc_syntax blank*)? ("/" heredoc_escapes blank*)? ")" <has_text>
/// heredoc_tag ::= !('"' blank* '"') [^/:)#xA]+
/// heredoc_syntax ::= [a-z] [a-zA-Z0-9_+]+
/// heredoc_escapes ::= [tnrsuL$]* <each_once>
/// heredoc_text ::= (<escape> "\" (unicode_escape | [^u]) | <interpolates> interpolation
///                | !(<escape> | <interpolates> "${") .)* end
/// heredoc_end ::= [^#xA]+ <tag> (#xA | end)
/// blank ::= [ #x9]
/// ```
///
/// The texts of the heredocs of a line follow its end, in order. A bar before the tag takes its
/// indentation off every line; a hyphen before the tag takes off the last newline.
///
/// # Errors
/// A malformed announcement; no text, or no line with the end tag, which more input could mend.
pub(super) fn heredoc(input: Input<'_>) -> Parsed<'_, Id> {
    let inside = input.skip(2);
    let Some(length) = inside.rest().find(')') else {
        return refuse(SyntaxError::HeredocUnclosedParenthesis, input.span_until(inside));
    };
    let after = inside.skip(length + 1);
    let announcement = match announcement(inside.until(inside.skip(length))) {
        Ok(announcement) => announcement,
        // Puppet points behind the parenthesis.
        Err(error) => return refuse(error, after.span_until(after)),
    };
    let Some((newline, start)) = after.heredoc_start() else {
        let tag = announcement.tag.to_owned();
        return refuse(SyntaxError::HeredocWithoutText { tag }, after.span_until(after));
    };
    let text = input.moved_to(start.min(input.end().offset));
    let Some(ending) = Ending::find(text.rest(), announcement.tag) else {
        let tag = announcement.tag.to_owned();
        return refuse(SyntaxError::HeredocWithoutEndTag { tag }, text.span_until(text));
    };
    after.resumes_after(newline, text.skip(ending.resume).offset);
    let span = input.span_until(after);
    // What is expected inside the text is further on than the rest of this line, which is read after it.
    let furthest = input.state.furthest_mark();
    let (_, content) = text.up_to(text.skip(ending.text), |body| content(body, &announcement, ending.margin))?;
    input.state.reset_furthest(furthest);
    let id = input.node(span, Expression::Heredoc { syntax: announcement.syntax.into(), text: content });
    token(after, id)
}

fn announcement(text: &str) -> Result<Announcement<'_>, SyntaxError> {
    let malformed = || SyntaxError::HeredocInvalidSyntax(text.to_owned());
    let (head, escapes) = match text.split_once('/') {
        Some((head, letters)) => (head, escapes(letters.trim_end(), &malformed)?),
        None => (text, Escapes("")),
    };
    let (tag, syntax) = match head.split_once(':') {
        Some((tag, syntax)) => (tag, syntax.trim()),
        None => (head, ""),
    };
    if tag.is_empty() || text.contains('\n') || (head.contains(':') && !is_syntax(syntax)) {
        return Err(malformed());
    }
    let tag = tag.trim();
    let quoted = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
    let interpolates = quoted.is_some();
    let tag = quoted.unwrap_or(tag).trim();
    if tag.is_empty() {
        return Err(SyntaxError::HeredocEmptyTag);
    }
    Ok(Announcement { tag, interpolates, syntax, escapes })
}

/// Whether a text can name a syntax: two or more characters, the first a lower-case letter.
fn is_syntax(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+');
    text.len() > 1 && text.starts_with(|letter: char| letter.is_ascii_lowercase()) && text.bytes().all(is_part)
}

/// The escapes that are named by `letters`; all of them, but no quotes, when there are none.
fn escapes<'a>(letters: &'a str, malformed: &impl Fn() -> SyntaxError) -> Result<Escapes<'a>, SyntaxError> {
    const LETTERS: &str = "tnrsuL$";
    for (index, letter) in letters.char_indices() {
        if !LETTERS.contains(letter) {
            return Err(if letter.is_alphanumeric() { SyntaxError::HeredocInvalidEscape(letter) } else { malformed() });
        }
        if letters[..index].contains(letter) {
            return Err(SyntaxError::HeredocRepeatedEscape(letter));
        }
    }
    Ok(Escapes(if letters.is_empty() { LETTERS } else { letters }))
}

/// The line with the end tag: how much text stands before it, where reading goes on, and what it says of the text.
struct Ending<'a> {
    text: usize,
    resume: usize,
    margin: &'a str,
}

impl<'a> Ending<'a> {
    fn find(text: &'a str, tag: &str) -> Option<Ending<'a>> {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if let Some((margin, trims)) = end_line(line, tag) {
                let mut length = start;
                if trims {
                    length -= usize::from(text[..start].ends_with('\n'));
                    length -= usize::from(text[..length].ends_with('\r'));
                }
                return Some(Ending { text: length, resume: start + line.len(), margin });
            }
            start += line.len();
        }
        None
    }
}

/// The margin that an end line asks for, and whether it takes the last newline off.
///
/// Observed: Puppet 8.11 ends the string at the first line that ends with the tag, and ignores other text before it.
pub(super) fn end_line<'a>(line: &'a str, tag: &str) -> Option<(&'a str, bool)> {
    let without_blanks = |text: &'a str| text.trim_end_matches([' ', '\t']);
    let before = without_blanks(line.trim_end().strip_suffix(tag)?);
    let before_hyphen = before.strip_suffix('-').map(without_blanks);
    let margin = before_hyphen.unwrap_or(before).strip_suffix('|').map(|rest| &rest[without_blanks(rest).len()..]);
    Some((margin.unwrap_or_default(), before_hyphen.is_some()))
}

/// The String or Concatenation that a heredoc's text makes.
fn content<'a>(body: Input<'a>, announcement: &Announcement<'_>, margin: &str) -> Parsed<'a, Id> {
    let escapes = announcement.escapes;
    let mut parts = Parts::new(body);
    let mut here = without_margin(body, margin);
    while here.byte() != 0 || !here.rest().is_empty() {
        let rest = here.rest();
        let special = |letter: char| match letter {
            '\n' => true,
            '\\' => escapes != Escapes(""),
            '$' => announcement.interpolates,
            _ => false,
        };
        let plain = rest.find(special).unwrap_or(rest.len());
        parts.text.push_str(&rest[..plain]);
        here = here.skip(plain);
        match here.byte() {
            b'\n' => {
                parts.text.push('\n');
                here = without_margin(here.skip(1), margin);
            }
            b'\\' => {
                let (after, ()) = escapes.read(here, &mut parts.text)?;
                let joins = here.until(after).ends_with('\n');
                here = if joins { without_margin(after, margin) } else { after };
            }
            b'$' => here = parts.interpolation(here)?.0,
            _ => {}
        }
    }
    Ok((here, parts.finish(here, body.span_until(body.end()))))
}

/// Skips the margin, which a line has whole or not at all.
fn without_margin<'a>(line: Input<'a>, margin: &str) -> Input<'a> {
    if line.rest().starts_with(margin) { line.skip(margin.len()) } else { line }
}
