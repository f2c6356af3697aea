//! Indentation by open brackets: one level for all brackets that were opened on the same line.

use crate::syntax::tokens::scan;

use super::brackets::Brackets;

/// Returns the indentation level of the line after `before`, which ends with a newline: 0 inside of a string.
pub fn level_of_next_line(before: &str) -> usize {
    levels(before).unwrap_or(0)
}

/// Returns the indentation level of a closing bracket at the start of the line after `before`, or `None` where no
/// bracket is open.
pub fn level_of_closing_bracket(before: &str) -> Option<usize> {
    levels(before)?.checked_sub(1)
}

/// The number of lines with open brackets; `None` inside of a string.
fn levels(before: &str) -> Option<usize> {
    let (tokens, is_inside) = scan(before);
    let open = Brackets::of(before, &tokens).open;
    let starts = open.iter().filter_map(|open| Some(tokens.get(open.at)?.span.range().start));
    let mut lines: Vec<usize> = starts.map(|start| before[..start].matches('\n').count()).collect();
    lines.dedup();
    (!is_inside).then_some(lines.len())
}
