//! Ruby's string methods with regular expressions: `gsub`, `sub`, `split`, and `Regexp.escape`.

use super::{Captures, Regexp, offset_after_character, parse};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::limits::{BoundedString, BoundedVec};

impl Regexp {
    /// Returns `subject` with every match replaced, as Ruby's `gsub`. In `replacement`, `\0` and `\&` insert the match,
    /// `\1` to `\9` a group, `\k<name>` a named group, `` \` `` and `\'` the text before and after the match, and
    /// `\\` a backslash. If the expression has named groups, `\1` to `\9` insert nothing.
    ///
    /// # Errors
    /// If matching fails as in [`Regexp::is_match`], or a `\k<name>` names no group or lacks its `>`.
    pub fn replace_all(&self, subject: &str, replacement: &str) -> Result<String> {
        self.replace(subject, replacement, usize::MAX)
    }

    /// Replaces the first match in `subject`, as Ruby's `sub`. See [`Regexp::replace_all`].
    pub fn replace_first(&self, subject: &str, replacement: &str) -> Result<String> {
        self.replace(subject, replacement, 1)
    }

    pub(crate) fn replace(&self, subject: &str, replacement: &str, limit: usize) -> Result<String> {
        self.replace_with(subject, limit, |result, captures| {
            let whole = captures.whole_span();
            let mut rest = replacement;
            while let Some(at) = rest.find('\\') {
                result.push_str(&rest[..at])?;
                rest = &rest[at + 1..];
                if let Some(name) = rest.strip_prefix("k<") {
                    let Some((name, after)) = name.split_once('>') else {
                        let problem = format!("the group name after `\\k<` in `{replacement}` is not closed");
                        return Err(Error::runtime(problem));
                    };
                    let groups = parse::groups_with_name(name, &self.tree.group_names);
                    if groups.is_empty() {
                        let text = self.source();
                        let problem = format!("the regular expression /{text}/ has no group called `{name}`");
                        return Err(Error::runtime(problem));
                    }
                    // Of several, the last that took part in the match.
                    let text = groups.iter().rev().find_map(|&group| captures.group_text(group, subject));
                    result.push_str(text.unwrap_or_default())?;
                    rest = after;
                    continue;
                }
                let Some(letter) = rest.chars().next() else {
                    return result.push_str("\\");
                };
                let filled = match letter {
                    // Either all groups have names or none.
                    '1'..='9' if self.group_names().next().flatten().is_some() => "",
                    '0'..='9' => captures.group_text(letter as usize - '0' as usize, subject).unwrap_or_default(),
                    '&' => &subject[whole.clone()],
                    '`' => &subject[..whole.start],
                    '\'' => &subject[whole.end..],
                    '\\' => "\\",
                    _ => {
                        result.push_str("\\")?;
                        continue;
                    }
                };
                result.push_str(filled)?;
                rest = &rest[letter.len_utf8()..];
            }
            result.push_str(rest)
        })
    }

    /// Returns `subject` with its first `limit` matches replaced by the strings that `write` appends to the result.
    pub(crate) fn replace_with(
        &self,
        subject: &str,
        limit: usize,
        mut write: impl FnMut(&mut BoundedString, &Captures) -> Result<()>,
    ) -> Result<String> {
        let mut result = BoundedString::default();
        let mut copied = 0;
        for found in self.matches(subject).take(limit) {
            let captures = found?;
            let whole = captures.whole_span();
            result.push_str(&subject[copied..whole.start])?;
            write(&mut result, &captures)?;
            copied = whole.end;
        }
        result.push_str(&subject[copied..])?;
        Ok(result.into_string())
    }

    /// Splits `subject` at the matches, as Ruby's `split`. The groups of each match are inserted between the parts. An
    /// empty match separates characters, and empty strings at the end are dropped.
    ///
    /// # Errors
    /// If matching fails as in [`Regexp::is_match`]; `LIMIT` for more strings than an array can hold.
    pub fn split<'a>(&self, subject: &'a str) -> Result<Vec<&'a str>> {
        let mut pieces = BoundedVec::default();
        if self.text.is_empty() {
            for (at, character) in interrupt::step_through(subject.char_indices()) {
                pieces.push(&subject[at..at + character.len_utf8()])?;
            }
            return Ok(pieces.into_vec());
        }
        let mut from = 0;
        // Where to search: one character after `from` when an empty match was found right there.
        let mut start = Some(0);
        while let Some(searched) = start {
            let Some(captures) = self.captures_at(subject, searched)? else { break };
            let whole = captures.whole_span();
            if whole.is_empty() && whole.start == from {
                start = offset_after_character(subject, from);
                continue;
            }
            if whole.is_empty() && whole.start == subject.len() {
                break;
            }
            pieces.push(&subject[from..whole.start])?;
            for group in (1..captures.len()).filter_map(|group| captures.group_text(group, subject)) {
                pieces.push(group)?;
            }
            from = whole.end;
            start = Some(from);
        }
        pieces.push(&subject[from..])?;
        let mut pieces = pieces.into_vec();
        while pieces.pop_if(|piece| piece.is_empty()).is_some() {}
        Ok(pieces)
    }
}

/// Escapes `text` so that the resulting expression matches exactly this string, as Ruby's `Regexp.escape`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        let letter = match character {
            '\n' => 'n',
            '\t' => 't',
            '\r' => 'r',
            '\u{c}' => 'f',
            '\u{b}' => 'v',
            other => other,
        };
        if letter != character || r" #$()*+-.?[\]^{|}".contains(character) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
