//! Prints a regular expression between slashes or as a group.
//!
//! Ruby wraps an expression that contains non-ASCII characters in a group with all its options:
//! `/é/` prints as `/(?-mix:é)/`. Options at the very start, or around the whole expression, move into that group.

use super::{Regexp, parse};
use crate::microsyntax::escape_slashes;

impl Regexp {
    /// Returns the source to print between slashes: slashes are escaped, and a non-ASCII one is a group with options.
    ///
    /// Observed: Puppet 7.23 prints `Regexp('é')` as `/(?-mix:é)/`, and a slash with a backslash.
    pub fn printable_source(&self) -> String {
        if self.tree.has_non_ascii { self.to_option_group() } else { escape_slashes(&self.text) }
    }

    /// Returns the expression as a group with its options, as Ruby inserts it into other strings: `(?-mix:o)`.
    ///
    /// Observed: Puppet 8.11 escapes slashes: `join([/a\/b/])` returns `(?-mix:a\/b)`.
    pub(crate) fn to_option_group(&self) -> String {
        escape_slashes(&wrap_in_option_group(&self.text))
    }

    /// Returns the source without slashes, as the format `%s` prints it; a non-ASCII one is wrapped in `(?-imx:…)`.
    ///
    /// Observed: Puppet 7.23 shows `/(?i)é/` as `(?-imx:(?i)é)`, with the options in another order than between slashes.
    pub fn source_without_slashes(&self) -> String {
        if self.tree.has_non_ascii { format!("(?-imx:{})", self.text) } else { self.text.to_string() }
    }
}

/// Wraps the expression `text` in a group that spells out its options: `(?i)a` becomes `(?i-mx:a)`.
fn wrap_in_option_group(text: &str) -> String {
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
