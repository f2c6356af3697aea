//! The tokens of a text, whether or not it is a program.

use pcore::syntax::tokens::{Kind, scan, tokens};

fn scanned(text: &str) -> Vec<(Kind, &str)> {
    tokens(text).into_iter().map(|token| (token.kind, &text[token.span.range()])).collect()
}

#[test]
fn a_string_is_cut_at_what_it_interpolates() {
    assert_eq!(
        scanned(r#""a $b ${c['}']} \$d""#),
        [
            (Kind::String, "\"a "),
            (Kind::Variable, "$b"),
            (Kind::String, " "),
            (Kind::Open, "${"),
            (Kind::Name, "c"),
            (Kind::Open, "["),
            (Kind::String, "'}'"),
            (Kind::Close, "]"),
            (Kind::Close, "}"),
            (Kind::String, " \\$d\""),
        ]
    );
}

#[test]
fn a_slash_divides_after_a_value_and_starts_a_regular_expression_elsewhere() {
    assert_eq!(
        scanned("$a / 2 =~ /b\\/c/"),
        [
            (Kind::Variable, "$a"),
            (Kind::Symbol, "/"),
            (Kind::Number, "2"),
            (Kind::Symbol, "=~"),
            (Kind::Regexp, "/b\\/c/"),
        ]
    );
}

#[test]
fn a_heredoc_ends_at_its_mark() {
    assert_eq!(
        scanned("f(@(\"END\"/L))\n  it's\n  | END\n1"),
        [
            (Kind::Name, "f"),
            (Kind::Open, "("),
            (Kind::String, "@(\"END\"/L)"),
            (Kind::Close, ")"),
            (Kind::String, "  it's\n  | END\n"),
            (Kind::Number, "1"),
        ]
    );
}

#[test]
fn a_line_may_announce_any_number_of_heredocs() {
    let count = 100_000;
    let text = format!("{}\n{}", "@(\"A\")".repeat(count), "A\n".repeat(count));
    assert_eq!(tokens(&text).len(), 2 * count);
}

#[test]
fn a_heredoc_is_cut_at_what_it_interpolates() {
    assert_eq!(
        scanned("f(@(\"A\"), @(\"B\"/$))\n$a ${[1]} \\$b\n  | A\n\\$a $b\nB\n$c"),
        [
            (Kind::Name, "f"),
            (Kind::Open, "("),
            (Kind::String, "@(\"A\")"),
            (Kind::Symbol, ","),
            (Kind::String, "@(\"B\"/$)"),
            (Kind::Close, ")"),
            (Kind::Variable, "$a"),
            (Kind::String, " "),
            (Kind::Open, "${"),
            (Kind::Open, "["),
            (Kind::Number, "1"),
            (Kind::Close, "]"),
            (Kind::Close, "}"),
            (Kind::String, " \\"),
            (Kind::Variable, "$b"),
            (Kind::String, "\n  | A\n"),
            (Kind::String, "\\$a "),
            (Kind::Variable, "$b"),
            (Kind::String, "\nB\n"),
            (Kind::Variable, "$c"),
        ]
    );
}

#[test]
fn a_text_that_ends_inside_of_a_string_is_told_from_one_that_does_not() {
    for inside in ["'a", "'", "'a\\'", "\"a", "\"a ${b} c", "\"a $b", "@(A)\n", "@(\"A\")\n a $b c\n", "/* a"] {
        assert!(scan(inside).1, "{inside:?}");
    }
    for outside in
        ["", "1", "'a'", "''", "\"\"", "\"a ${", "\"a ${b}\"", "@(A)", "@(A)\nA\n", "@(\"A\")\n${", "/**/", "# a"]
    {
        assert!(!scan(outside).1, "{outside:?}");
    }
}

#[test]
fn what_is_unfinished_has_tokens_too() {
    assert_eq!(scanned("Mod::"), [(Kind::Reference, "Mod::")]);
    assert_eq!(scanned("'abc"), [(Kind::String, "'abc")]);
    assert_eq!(scanned("\"abc${"), [(Kind::String, "\"abc"), (Kind::Open, "${")]);
    assert_eq!(scanned("/* abc"), [(Kind::Comment, "/* abc")]);
    assert_eq!(scanned("$"), [(Kind::Variable, "$")]);
    assert_eq!(scanned("§ :: \\"), [(Kind::Symbol, "§"), (Kind::Symbol, "::"), (Kind::Symbol, "\\")]);
}
#[test]
fn every_part_of_a_text_has_tokens_that_leave_out_white_space_alone() {
    let text = "$a = @(\"X\"/L)\n  é ${b}\n  | X\n f(\"ü ${c[\"$d\"]} \\\"\", /x\\/y/) ::A::b 0x1g §{ # ß\n}} /* ö";
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    for (number, &start) in places.iter().enumerate() {
        for &end in &places[number..] {
            let part = &text[start..end];
            let mut done = 0;
            for token in tokens(part) {
                let span = token.span.range();
                assert_eq!(part[done..span.start].trim(), "", "{part:?}");
                assert!(span.end > span.start, "{part:?}");
                done = span.end;
            }
            assert_eq!(part[done..].trim(), "", "{part:?}");
        }
    }
}
