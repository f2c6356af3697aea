//! Quotes strings so that they can be parsed again.
//!
//! Single quotes are used wherever possible, double quotes for control characters. In single quotes a backslash before
//! an ordinary character is literal. It is doubled where the parser would read an escape: next to another backslash,
//! before a quote, and at the end.

use std::fmt::{self, Write};

use crate::wording::is_display_control;

/// Returns `text` as a Puppet string: in double quotes if it has control characters, otherwise in single quotes.
/// Observed: Puppet 8.11 chooses double quotes for characters below U+0020, and escapes every `$` in them.
/// Deviation: other characters that control the display, such as U+202E, are escaped, too; Puppet prints them as is.
/// Deviation: Puppet never doubles a backslash inside single quotes, so that `'a\\'` prints as a string without end.
pub(crate) fn quote_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let _ = write_quoted(&mut out, text); // Writing to a String cannot fail.
    out
}

pub(crate) fn write_quoted(out: &mut impl Write, text: &str) -> fmt::Result {
    if text.chars().any(is_display_control) { write_double_quoted(out, text) } else { write_single_quoted(out, text) }
}

fn write_single_quoted(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('\'')?;
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '\\']) {
        out.write_str(&rest[..at])?;
        rest = &rest[at..];
        let backslashes = rest.len() - rest.trim_start_matches('\\').len();
        let after = rest[backslashes..].chars().next();
        let doubled = backslashes > 1 || matches!(after, None | Some('\''));
        for _ in 0..backslashes {
            out.write_str(if doubled { r"\\" } else { r"\" })?;
        }
        rest = &rest[backslashes..];
        if let Some(unquoted) = rest.strip_prefix('\'') {
            out.write_str(r"\'")?;
            rest = unquoted;
        }
    }
    out.write_str(rest)?;
    out.write_char('\'')
}

pub(super) fn write_double_quoted(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '\t' => out.write_str(r"\t")?,
            '\n' => out.write_str(r"\n")?,
            '\r' => out.write_str(r"\r")?,
            '"' | '\\' | '$' => {
                out.write_char('\\')?;
                out.write_char(c)?;
            }
            _ if is_display_control(c) => write!(out, "\\u{{{:X}}}", u32::from(c))?,
            _ => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

/// Writes `chars` in double quotes with Ruby's short escapes; for other characters, `escape` may return an escape.
pub(super) fn write_ruby_quoted(
    out: &mut impl Write,
    chars: impl Iterator<Item = char>,
    escape: impl Fn(char) -> Option<String>,
) -> fmt::Result {
    out.write_char('"')?;
    let mut chars = chars.peekable();
    while let Some(c) = chars.next() {
        match ruby_short_escape(c) {
            Some(short) => out.write_str(short)?,
            None if c == '#' && matches!(chars.peek(), Some('$' | '{' | '@')) => out.write_str("\\#")?,
            None => match escape(c) {
                Some(long) => out.write_str(&long)?,
                None => out.write_char(c)?,
            },
        }
    }
    out.write_char('"')
}

fn ruby_short_escape(c: char) -> Option<&'static str> {
    Some(match c {
        '"' => r#"\""#,
        '\\' => r"\\",
        '\n' => r"\n",
        '\t' => r"\t",
        '\r' => r"\r",
        '\x07' => r"\a",
        '\x08' => r"\b",
        '\x0b' => r"\v",
        '\x0c' => r"\f",
        '\x1b' => r"\e",
        _ => return None,
    })
}
