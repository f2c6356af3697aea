//! Tests of `cli::wrap`, of which it is a module.

use super::*;

#[test]
fn words_and_pieces_of_code_stay_whole() {
    let line = "  'port' expected Port = Integer[1, 65535], got 'a text'; it  would fit";
    assert_eq!(wrap_line(line, 44), "  'port' expected Port = Integer[1, 65535],\n      got 'a text'; it  would fit");
    assert_eq!(
        wrap_line(line, 24),
        "  'port' expected Port =\n      Integer[1, 65535],\n      got 'a text'; it\n      would fit"
    );
    assert_eq!(wrap_line(line, 80), line);
    assert_eq!(
        wrap_line("'0'  # expected Integer; Integer('0') would match", 34),
        "'0'  # expected Integer;\n     Integer('0') would match"
    );
    assert_eq!(wrap_line("(a remark, which is long)", 12), "(a remark,\n    which is\n    long)");
    assert_eq!(wrap_line("the session's data, or what else", 20), "the session's data,\n    or what else");
}

#[test]
fn paragraphs_are_continued_without_indentation() {
    assert_eq!(wrap_line("  Shows a type. `:type` is exact.", 20), "  Shows a type.\n  `:type` is exact.");
    let long = "A word. ".repeat(12) + "End.";
    assert_eq!(wrap_line(&long, usize::MAX).lines().map(str::len).collect::<Vec<_>>(), [79, 20]);
}

#[test]
fn a_row_of_a_table_goes_on_below_its_description() {
    assert_eq!(wrap_line("abs   the absolute value of it", 20), "abs   the absolute\n      value of it");
}

#[test]
fn a_piece_of_code_that_fits_in_no_line_is_laid_out() {
    assert_eq!(
        wrap_line("it is, of type Struct[{'a' => Integer}] only", 20),
        "it is, of type Struct[{\n  'a' => Integer\n}] only"
    );
    assert_eq!(
        wrap_line("  'a' is not in {'b' => 1, 'c' => 2}", 20),
        "  'a' is not in {\n    'b' => 1,\n    'c' => 2\n  }"
    );
}

#[test]
fn nothing_is_lost_of_what_is_no_code() {
    for line in [
        "it isn't Integer[1] as you thought",
        "Array [1, [22, 333, …",
        "([{ a b",
        ") ] } a b",
        "/a b c/ # d e f",
        "日本語 日本語 日本語",
    ] {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&wrap_line(line, 8)), words(line));
    }
}
