//! Indentation by open brackets: one level for all brackets that were opened on the same line.

use crate::syntax::tokens::scan;

use super::brackets::{Brackets, OpenBracket};

/// Returns the indentation level of the line after `before`, which ends with a newline: 0 inside of a string.
pub fn level_of_next_line(before: &str) -> usize {
    lines_with_open_brackets(before).map_or(0, |lines| lines.len())
}

/// Returns the indentation level of a closing bracket at the start of the line after `before`, or `None` where no
/// bracket is open.
pub fn level_of_closing_bracket(before: &str) -> Option<usize> {
    lines_with_open_brackets(before)?.len().checked_sub(1)
}

/// The numbers of the lines with open brackets, each once. None inside of a string.
fn lines_with_open_brackets(before: &str) -> Option<Vec<usize>> {
    let (tokens, is_inside) = scan(before);
    if is_inside {
        return None;
    }
    let line = |open: &OpenBracket| {
        before[..tokens.get(open.at).map_or(0, |token| token.span.range().start)].matches('\n').count()
    };
    let mut lines: Vec<usize> = Brackets::of(before, &tokens).open.iter().map(line).collect();
    lines.dedup();
    Some(lines)
}
