//! Values as text, from outside: what is printed reads back, formats of `String.new`, `sprintf`.

use pcore::format::{break_into_lines, convert, pretty_print, program_text, sprintf, text, try_program_text};
use pcore::session::{Session, Strictness};
use pcore::text::Source;
use pcore::value::{Hash, Value};
use proptest::prelude::*;

/// The catch-all issue code.
const RUNTIME_ERROR: &str = "RUNTIME_ERROR";

/// The value of a program, or its issue code.
fn evaluated(code: &str) -> Result<Value, &'static str> {
    let mut session = Session::new(Strictness::Error);
    session.evaluate(&Source::new("test", code), &mut |_| {}).map_err(|error| error.code())
}

/// Texts where quoting can go wrong.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[a'\\\\\"$ {}\n\t\u{1}]{0,8}", "\\PC{0,6}", any::<String>()]
}

fn scalars() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Undef),
        Just(Value::Default),
        any::<bool>().prop_map(Value::from),
        // The lowest Integer has no literal: the minus is an operator.
        (i64::MIN + 1..=i64::MAX).prop_map(Value::from),
        // Puppet writes 1.0e+20, and does not read it.
        any::<f64>().prop_filter("no literal", |number| number.abs() < 1e15).prop_map(Value::from),
        (-1e15..1e15_f64).prop_map(Value::from),
        texts().prop_map(Value::from),
        (0..20_u8).prop_map(|n| evaluated(&format!("Binary([{n}, 200])")).unwrap()),
        (0..3_i64).prop_map(|n| evaluated(&format!("SemVer('1.{n}.0-rc.1')")).unwrap()),
        (-9_i64..9).prop_map(|n| evaluated(&format!("Timespan({n}.5)")).unwrap()),
        (-9_i64..9).prop_map(|n| evaluated(&format!("Timestamp({n}.25)")).unwrap()),
        prop_oneof![Just("//"), Just("/a\\/b/"), Just("/[x]'\"\\\\/"), Just("Regexp('a/b')")]
            .prop_map(|code| evaluated(code).unwrap()),
        prop_oneof![Just("Integer[1, 5]"), Just("Enum['it\\'s']"), Just("Struct[{a => Optional[String[1]]}]")]
            .prop_map(|code| evaluated(code).unwrap()),
        prop_oneof![Just("URI('http://a/b?c=d#e')"), Just("SemVerRange('>=1.0.0 <2.0.0')"), Just("Error('m', 'k')")]
            .prop_map(|code| evaluated(code).unwrap()),
    ]
}

fn values() -> impl Strategy<Value = Value> {
    scalars().prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((inner.clone(), inner), 0..4)
                .prop_map(|entries| Value::Hash(entries.into_iter().collect::<Hash>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_text_of_a_program_reads_back_as_the_same_value(value in values()) {
        let text = program_text(&value);
        prop_assert_eq!(evaluated(&format!("[{text}][0]")), Ok(value), "{}", text);
    }

    #[test]
    fn a_layout_reads_back_as_the_same_value(value in values(), width in 1..60_usize) {
        let text = pretty_print(&value, width);
        prop_assert_eq!(evaluated(&format!("[{text}][0]")), Ok(value), "{}", text);
    }
}

/// `String(value, format)`, both written as in a program.
#[track_caller]
fn assert_formatted(cases: &[(&str, &str, &str)]) {
    for (value, formats, expected) in cases {
        let got = convert(&evaluated(value).unwrap(), &evaluated(formats).unwrap());
        let got = got.unwrap_or_else(|error| error.code().to_owned());
        assert_eq!(got, *expected, "String({value}, {formats})");
    }
}

#[test]
fn numbers_by_letter() {
    assert_formatted(&[
        ("-255", "'%x'", "..f01"),
        ("-255", "'%#+x'", "-0xff"),
        ("-255", "'%#o'", "..7401"),
        ("255", "'%#010x'", "0x000000ff"),
        ("1e20", "'%x'", "56bc75e2d63100000"),
        ("-1e20", "'%x'", "..fa9438a1d29cf00000"),
        ("1.5", "'%.0a'", "0x1p+1"),
        ("97", "'%#c'", "\"a\""),
        ("-1", "'%c'", RUNTIME_ERROR),
        ("1.5", "'%q'", RUNTIME_ERROR),
        ("1", "'%(d'", RUNTIME_ERROR),
        ("1.0", "default", "1.000000"),
        ("Timespan(-1.5)", "'%d'", "-2"),
        ("true", "'%#Y'", "Y"),
        ("undef", "'%.2d'", "Na"),
    ]);
}

#[test]
fn texts_by_letter() {
    assert_formatted(&[
        ("'hELLO::wORLD'", "'%C'", "Hello::World"),
        ("\"it's\"", "'%#u'", r"'IT\'S'"),
        ("'æøå'", "'%-5.2s|'", RUNTIME_ERROR),
        ("'æøå'", "'%-5.2s'", "æø   "),
        ("'a$'", "'%#p'", r#""a\$""#),
        ("/a\\/b/", "'%s'", "a/b"),
        ("Integer[1, 2]", "'%#s'", "\"Integer[1, 2]\""),
        ("Sensitive('x')", "'%3.1s'", "Sensitive [value redacted]"),
        ("Binary([0, 200, 10])", "'%#s'", r#""\x00\xC8\n""#),
        ("Binary([0, 200, 10])", "'%s'", RUNTIME_ERROR),
        ("Binary('YWJj')", "'%-6p'", "Binary(\"YWJj  \")"),
    ]);
}

#[test]
fn the_most_specific_type_of_a_map_counts() {
    assert_formatted(&[
        ("5", "{Integer[4, 6] => '%#o', Integer => '%#b'}", "05"),
        ("5", "{Integer => '%#b', Integer[4, 6] => '%#o'}", "05"),
        ("-5", "{Optional[Integer] => '%x'}", "-5"),
        ("-5", "{Scalar => '%#s'}", "\"-5\""),
        ("[1]", "{Integer => '%#x'}", "[1]"),
        ("[1, [2]]", "{Array => {'format' => '%(a', 'string_formats' => {Integer => '%#x'}}}", "(0x1, (0x2))"),
        ("[1, [2]]", "{Array[Integer] => '%<a', Array => '%[a'}", "[1, <2>]"),
        ("{'a' => [1]}", "'%(h'", "('a' => [1])"),
        ("{'a' => 1}", "{Hash => {'format' => '%h', 'separator2' => ':'}}", "{'a':1}"),
        ("[1]", "{Array => {'separator' => ';'}}", RUNTIME_ERROR),
        ("[1]", "{'x' => '%d'}", RUNTIME_ERROR),
    ]);
}

#[test]
fn the_alternate_form_indents_containers() {
    assert_formatted(&[
        ("[[1], 2, 3, [[]]]", "'%#a'", "[\n  [1],\n  2, 3,\n  [\n    []]]"),
        ("[1, {'a' => 1}, 2]", "{Hash => '%#h'}", "[1,\n  {\n    'a' => 1\n  }, 2]"),
        ("{'a' => {}, 'b' => [[1]]}", "{Collection => '%#p'}", "{\n  'a' => {\n\n  },\n  'b' => [\n    [1]]\n}"),
        ("[11, 22, [3], 4]", "'%#4a'", "[11, 22,\n  [3],\n  4]"),
        ("[11, 22, [3], 4]", "'%#3a'", "[ 11,\n  22,\n  [3],\n  4]"),
        ("[[[1]], 2]", "'%# a'", "\n    1,\n  2"),
    ]);
}

#[test]
fn sprintf_fills_in_by_order_number_and_name() {
    let hash = Value::Hash([(Value::from("a"), Value::from(255))].into_iter().collect());
    for (format, arguments, expected) in [
        ("%05d|%-5s|%%|%c", vec![42.into(), "ab".into(), 97.into()], "00042|ab   |%|a"),
        ("%2$s %1$s", vec![1.into(), 2.into()], "2 1"),
        ("%<a>#x %{a}", vec![hash.clone()], "0xff 255"),
        ("%*d|%.*f", vec![(-4).into(), 1.into(), 2.into(), 1.5.into()], "1   |1.50"),
        ("%s", vec![vec![Value::Undef, "x\n".into(), hash].into()], r#"[nil, "x\n", {"a"=>255}]"#),
        ("%d %f", vec!["0x1f".into(), "017".into()], "31 17.000000"),
        ("%f", vec![i64::MAX.into()], "9223372036854775807.000000"),
        ("%s %s", vec![1.into()], RUNTIME_ERROR),
        ("%1$s %s", vec![1.into()], RUNTIME_ERROR),
        ("%<a>s", vec![1.into()], RUNTIME_ERROR),
        ("%z", vec![1.into()], RUNTIME_ERROR),
        ("100%", vec![], RUNTIME_ERROR),
        ("%d", vec!["1__0".into()], RUNTIME_ERROR),
        ("%99999999999d", vec![1.into()], "LIMIT"),
    ] {
        let got = sprintf(format, &arguments).unwrap_or_else(|error| error.code().to_owned());
        assert_eq!(got, expected, "{format}");
    }
}

#[test]
fn floats_read_as_ruby_writes_them() {
    for (value, expected) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (-1.5, "-1.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (100_000.0, "100000.0"),
        (1e14, "100000000000000.0"),
        (1e15, "1.0e+15"),
        (1_000_000_000_000_000.5, "1000000000000000.5"),
        (1_234_567_890_123_456.0, "1.234567890123456e+15"),
        (1e20, "1.0e+20"),
        (1e100, "1.0e+100"),
        (0.0001, "0.0001"),
        (0.000_123_45, "0.00012345"),
        (1e-5, "1.0e-05"),
        (1.5e-7, "1.5e-07"),
        (5e-324, "5.0e-324"),
    ] {
        assert_eq!(program_text(&value.into()), expected);
    }
}

#[test]
fn a_string_is_quoted_so_that_it_reads_back() {
    for (text, expected) in [
        ("", "''"),
        ("a", "'a'"),
        ("it's", r"'it\'s'"),
        ("$x \"y\"", "'$x \"y\"'"),
        (r"a\b", r"'a\b'"),
        (r"a\\b", r"'a\\\\b'"),
        (r"a\", r"'a\\'"),
        (r"\'", r"'\\\''"),
        ("æ\u{7f}\u{202e}", r#""æ\u{7F}\u{202E}""#),
        ("a\nb", r#""a\nb""#),
        ("\t\r\u{1b}\0", r#""\t\r\u{1B}\u{0}""#),
        ("'\n\"\\$x", r#""'\n\"\\\$x""#),
    ] {
        assert_eq!(program_text(&text.into()), expected, "{text:?}");
    }
}

fn sample() -> Value {
    let hash: Hash =
        [(Value::from("a"), Value::from(Vec::<Value>::new())), (Value::Undef, Value::Default)].into_iter().collect();
    Value::from(vec![Value::from(true), Value::from(-1), Value::from("x'y"), Value::Undef, Value::Hash(hash)])
}

#[test]
fn the_two_forms_differ_in_strings_and_undef() {
    assert_eq!(program_text(&sample()), r"[true, -1, 'x\'y', undef, {'a' => [], undef => default}]");
    assert_eq!(text(&sample()), "[true, -1, x'y, , {a => [],  => default}]");
}

#[test]
fn a_value_ten_thousand_levels_deep_prints() {
    let mut value = Value::from(1);
    for _ in 0..10_000 {
        value = Value::from(vec![value]);
    }
    assert_eq!(program_text(&value), "[".repeat(10_000) + "1" + &"]".repeat(10_000));
}

#[test]
fn a_value_that_doubles_forty_times_is_too_long_to_print() {
    let mut value = Value::from(1);
    for _ in 0..40 {
        value = Value::from(vec![value.clone(), value]);
    }
    assert_eq!(try_program_text(&value).unwrap_err().code(), "LIMIT");
}

#[test]
fn letters_of_strings_change_case_as_unicode_has_it() {
    for (format, text, expected) in [
        ("%c", "ßa", "Ssa"),
        ("%c", "ǆB", "ǅb"),
        ("%c", "", ""),
        ("%d", "ΑΣ", "ασ"),
        ("%u", "æß", "ÆSS"),
        ("%C", "::a::b", "::A::B"),
        ("%C", "a::", "A"),
        ("%C", "a:::b", "A:::b"),
        ("%C", "hello world", "Hello world"),
        ("%t", "\0 \u{a0}x\u{3000}\t\n\0", "\u{a0}x\u{3000}"),
    ] {
        assert_eq!(convert(&text.into(), &format.into()).unwrap(), expected, "{format} {text:?}");
    }
}

#[test]
fn letters_of_binaries_escape_bytes_and_break_lines() {
    let text = |bytes: &[u8], format: &str| convert(&Value::Binary(bytes.to_vec().into()), &format.into()).unwrap();
    assert_eq!(text(b"\0\xc8\n", "%#s"), r#""\x00\xC8\n""#);
    assert_eq!(text(b"\\$\"#{#", "%#s"), r#""\\$\"\#{#""#);
    assert_eq!(text(b"", "%b"), "");
    assert_eq!(text(b"abc", "%b"), "YWJj\n");
    assert_eq!(text(&[0x69; 45], "%b"), "aWlp".repeat(15) + "\n");
    assert_eq!(text(&[0x69; 48], "%b"), "aWlp".repeat(15) + "\naWlp\n");
}

#[test]
fn what_is_no_format_is_refused() {
    for format in ["", "%", "d", "%dx", "%.d", "%5-d", "%%", "%++d", "%[<a", "% 5", "%é", "%99999999999999999999d"] {
        assert!(convert(&1.into(), &format.into()).is_err(), "{format}");
    }
}

#[test]
fn what_fits_stays_in_one_line() {
    assert_eq!(break_into_lines("[1, 2]", 6), "[1, 2]");
    assert_eq!(break_into_lines("[1, 2]", 5), "[\n  1,\n  2\n]");
}

#[test]
fn short_items_without_brackets_fill_the_lines() {
    assert_eq!(break_into_lines("[10, 200, 3, 4000, 5]", 12), "[\n  10, 200,\n  3, 4000,\n  5\n]");
    assert_eq!(break_into_lines("[10, 200, 3, 4000, 5]", 13), "[\n  10, 200, 3,\n  4000, 5\n]");
    assert_eq!(break_into_lines("Enum['a', 'b', 'c', 'd']", 18), "Enum[\n  'a', 'b', 'c',\n  'd'\n]");
    // An item that is not short, a hash, and what is nested have an item on each line.
    assert_eq!(break_into_lines("[1, 2, 'long text']", 18), "[\n  1,\n  2,\n  'long text'\n]");
    assert_eq!(break_into_lines("{1 => 2, 3 => 4, 5 => 6}", 18), "{\n  1 => 2,\n  3 => 4,\n  5 => 6\n}");
    assert_eq!(break_into_lines("[[1], [2], [3], [4]]", 15), "[\n  [1],\n  [2],\n  [3],\n  [4]\n]");
}

#[test]
fn wide_characters_take_the_columns_that_they_have() {
    assert_eq!(break_into_lines("['日', '本', '語']", 18), "['日', '本', '語']");
    assert_eq!(break_into_lines("['日', '本', '語']", 17), "[\n  '日', '本',\n  '語'\n]");
    assert_eq!(break_into_lines("{'日' => '本'}", 13), "{\n  '日' => '本'\n}");
}

#[test]
fn only_groups_that_are_too_long_are_broken() {
    let text = "{'name' => 'web', 'ports' => [80, 443], 'empty' => {}}";
    assert_eq!(break_into_lines(text, 30), "{\n  'name' => 'web',\n  'ports' => [80, 443],\n  'empty' => {}\n}");
}

#[test]
fn what_was_cut_off_is_left_alone() {
    assert_eq!(break_into_lines("[1, {'a' => [2, 3, …", 6), "[1, {'a' => [2, 3, …");
    assert_eq!(break_into_lines("[[1], 2, …", 6), "[[1], 2, …");
    assert_eq!(break_into_lines("1] {2}, …", 6), "1] {\n  2\n}, …");
}

#[test]
fn a_comma_outside_of_all_brackets_stays() {
    assert_eq!(break_into_lines("expected A[1], got [2]", 12), "expected A[\n  1\n], got [2]");
}

#[test]
fn a_group_that_is_all_of_another_is_broken_with_it() {
    let text = "Struct[{'name' => String[1], 'port' => Integer[1, 65535]}]";
    assert_eq!(break_into_lines(text, 40), "Struct[{\n  'name' => String[1],\n  'port' => Integer[1, 65535]\n}]");
}

#[test]
fn brackets_in_strings_and_regular_expressions_are_text() {
    let text = r#"['a\', [', "b\", [", /[,] \/ [/, Sensitive [value redacted], 1]"#;
    let lines = r#"[|  'a\', [',|  "b\", [",|  /[,] \/ [/,|  Sensitive [value redacted],|  1|]"#;
    assert_eq!(break_into_lines(text, 10), lines.replace('|', "\n"));
}

#[test]
fn deep_nests_are_lay_out() {
    let text = "[".repeat(10_000) + "1" + &"]".repeat(10_000);
    assert_eq!(break_into_lines(&text, 80), "[".repeat(10_000) + "\n  1\n" + &"]".repeat(10_000));
    let text = "[1, ".repeat(10_000) + "1" + &"]".repeat(10_000);
    let lines = break_into_lines(&text, 10);
    assert_eq!(lines.lines().count(), 30_000);
    assert_eq!(lines.lines().nth(5), Some("     1,"));
}

#[test]
fn a_format_is_flags_width_precision_and_a_letter() {
    assert_eq!(convert(&255.into(), &"%#010.2x".into()).unwrap(), "      0xff");
    assert_eq!(convert(&vec![1, 2].into(), &"%|a".into()).unwrap(), "|1, 2|");
}
