//! Indentation by open brackets: one level for all brackets that were opened on the same line.

use crate::syntax::tokens::scan;

use super::brackets::Brackets;

/// Returns the indentation level of the line after `before`, which ends with a newline; 0 if it is inside a string.
pub fn level_of_next_line(before: &str) -> usize {
    count_open_bracket_lines(before).unwrap_or(0)
}

/// Returns the indentation level of a closing bracket at the start of the line after `before`, or `None` if no bracket
/// is open or `before` ends inside a string.
pub fn level_of_closing_bracket(before: &str) -> Option<usize> {
    count_open_bracket_lines(before)?.checked_sub(1)
}

/// Counts the lines of `before` in which an unclosed bracket was opened; returns `None` if it ends inside a string.
fn count_open_bracket_lines(before: &str) -> Option<usize> {
    let (tokens, is_inside) = scan(before);
    let open = Brackets::from_tokens(before, &tokens).open;
    let starts = open.iter().filter_map(|open| Some(tokens.get(open.token_index)?.span.range().start));
    let mut lines: Vec<usize> = starts.map(|start| before[..start].matches('\n').count()).collect();
    lines.dedup();
    (!is_inside).then_some(lines.len())
}
