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
        let after = rest.trim_start_matches(['m', 'i', 'x', '-']);
        let letters = &rest[..rest.len() - after.len()];
        let (on, off) = letters.split_once('-').unwrap_or((letters, ""));
        let changed = options.map(|(option, is_on)| (option, (is_on || on.contains(option)) && !off.contains(option)));
        if let Some(after) = after.strip_prefix(')') {
            (options, inner) = (changed, after);
            continue;
        }
        // A group around everything, and not only from the first piece to the last.
        let inside = after.strip_prefix(':').and_then(|after| after.strip_suffix(')'));
        if let Some(inside) = inside.filter(|inside| parse::parse(inside).is_ok()) {
            (options, inner) = (changed, inside);
        }
        break;
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
