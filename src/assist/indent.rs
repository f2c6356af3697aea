//! How far the lines of an entry are indented: by the brackets that are open, one step for all that were opened in the
//! same line.

use crate::syntax::tokens::scan;

use super::brackets::{Brackets, Open};

/// How far inside of a bracket.
const STEP: &str = "  ";

/// What a line that follows `before`, which ends with a newline, starts with: nothing inside of a string.
pub fn of_next_line(before: &str) -> String {
    open_lines(before).map_or_else(String::new, |lines| STEP.repeat(lines.len()))
}

/// What stands in front of the closing bracket at the start of a line that follows `before`. None where no bracket is
/// open.
pub fn of_closing_line(before: &str) -> Option<String> {
    let lines = open_lines(before)?;
    Some(STEP.repeat(lines.len().checked_sub(1)?))
}

/// The lines in which brackets were opened that are still open, each once. None inside of a string.
fn open_lines(before: &str) -> Option<Vec<usize>> {
    let (tokens, is_inside) = scan(before);
    if is_inside {
        return None;
    }
    let line = |open: &Open| before[..tokens[open.at].span.range().start].matches('\n').count();
    let mut lines: Vec<usize> = Brackets::of(before, &tokens).open.iter().map(line).collect();
    lines.dedup();
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_indented_by_the_lines_with_open_brackets() {
        assert_eq!(of_next_line("1 +\n"), "");
        assert_eq!(of_next_line("[\n"), "  ");
        assert_eq!(of_next_line("f({\n"), "  ");
        assert_eq!(of_next_line("f({\n  a => [\n"), "    ");
        assert_eq!(of_next_line("f({\n  a => [\n    1,\n  ],\n"), "  ");
        assert_eq!(of_next_line("[1].each |$x| {\n"), "  ");
    }

    #[test]
    fn a_closing_bracket_stands_where_its_line_does() {
        assert_eq!(of_closing_line("[\n").as_deref(), Some(""));
        assert_eq!(of_closing_line("f({\n  a => [\n").as_deref(), Some("  "));
        assert_eq!(of_closing_line("f({\n").as_deref(), Some(""));
        assert_eq!(of_closing_line("1 +\n"), None);
    }

    #[test]
    fn text_is_left_alone() {
        assert_eq!(of_next_line("['a\n"), "");
        assert_eq!(of_next_line("[@(END)\n"), "");
        assert_eq!(of_next_line("[@(END)\nx\nEND\n"), "  ");
        assert_eq!(of_closing_line("[\"a\n"), None);
    }
}
