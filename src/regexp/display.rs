//! How an expression prints between its slashes.
//!
//! Ruby marks an expression that holds anything beyond ASCII by putting it into a group with all its options:
//! `/é/` prints as `/(?-mix:é)/`. Options at the very start, or around everything, move into that group.

use std::borrow::Cow;

use super::{Regexp, parse};

impl Regexp {
    /// The text between the slashes when the expression is printed.
    ///
    /// Observed: Puppet 7.23 prints `Regexp('é')` as `/(?-mix:é)/`, and a slash with a backslash.
    ///
    /// ```
    /// use pcore::regexp::Regexp;
    /// let printed = |text| Regexp::new(text).map(|regexp| regexp.printed().into_owned());
    /// assert_eq!(printed("a/b")?, r"a\/b");
    /// assert_eq!(printed("(?i)é")?, "(?i-mx:é)");
    /// # Ok::<(), pcore::error::Error>(())
    /// ```
    pub fn printed(&self) -> Cow<'_, str> {
        if self.tree.beyond_ascii { Cow::Owned(self.in_group()) } else { self.escaped() }
    }

    pub(crate) fn escaped(&self) -> Cow<'_, str> {
        if self.text.contains('/') { Cow::Owned(with_escaped_slashes(&self.text)) } else { Cow::Borrowed(&*self.text) }
    }

    /// The text in a group that has its options, as Ruby writes it into other texts: `(?-mix:o)`.
    ///
    /// Observed: Puppet 8.11 escapes slashes: `join([/a\/b/])` returns `(?-mix:a\/b)`.
    pub(crate) fn in_group(&self) -> String {
        with_escaped_slashes(&grouped(&self.text))
    }

    /// The text without slashes, as `%s` shows it: as it was given.
    ///
    /// Observed: Puppet 7.23 shows `/(?i)é/` as `(?-imx:(?i)é)`, with the options in another order than between slashes.
    pub fn without_slashes(&self) -> String {
        if self.tree.beyond_ascii { format!("(?-imx:{})", self.text) } else { self.text.to_string() }
    }
}

/// `text` in a group with its options.
fn grouped(text: &str) -> String {
    let mut options = [('m', false), ('i', false), ('x', false)];
    let mut inner = text;
    while let Some(rest) = inner.strip_prefix("(?") {
        let Some(end) = rest.find(|sign: char| !matches!(sign, 'm' | 'i' | 'x' | '-')) else { break };
        let mut changed = options;
        let mut on = true;
        for letter in rest[..end].chars() {
            on &= letter != '-';
            for (_, state) in changed.iter_mut().filter(|(option, _)| *option == letter) {
                *state = on;
            }
        }
        let after = &rest[end + 1..];
        match rest[end..].chars().next() {
            Some(')') => (options, inner) = (changed, after),
            // A group around everything, and not only from the first piece to the last.
            Some(':') => {
                if let Some(inside) = after.strip_suffix(')').filter(|inside| parse::parse(inside).is_ok()) {
                    (options, inner) = (changed, inside);
                }
                break;
            }
            _ => break,
        }
    }
    let letters = |wanted| options.iter().filter(move |(_, on)| *on == wanted).map(|(letter, _)| *letter);
    let on: String = letters(true).collect();
    let off: String = letters(false).collect();
    let dash = if off.is_empty() { "" } else { "-" };
    format!("(?{on}{dash}{off}:{inner})")
}

fn with_escaped_slashes(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 1);
    let mut after_backslash = false;
    for character in text.chars() {
        if character == '/' && !after_backslash {
            escaped.push('\\');
        }
        after_backslash = character == '\\' && !after_backslash;
        escaped.push(character);
    }
    escaped
}
