//! Values as text, from outside: what is printed reads back, formats of `String.new`, `sprintf`.

use pcore::format::{convert, layout, program_text, sprintf};
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
        let text = layout(&value, width);
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
