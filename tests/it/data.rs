//! Data: YAML as Ruby reads it for Hiera, JSON; what is refused, and where.

use pcore::data::{Document, Format, read};
use pcore::error::Error;
use pcore::format;
use pcore::text::Source;

fn document(format: Format, text: &str) -> Result<Document, Error> {
    read(format, &Source::new("test", text))
}

/// The value, or the place and the words of the error.
fn told(format: Format, text: &str) -> String {
    document(format, text).map_or_else(|error| placed(&error), |document| format::program_text(&document.value))
}

fn placed(error: &Error) -> String {
    let position = error.position().unwrap();
    format!("{}:{}: {}", position.line, position.column, error.message())
}

fn warned(format: Format, text: &str) -> Vec<String> {
    document(format, text).unwrap().warnings.iter().map(placed).collect()
}

const DATE: &str = "1:1: YAML reads this as a date, which Hiera does not support";
const TOO_LARGE: &str = "1:1: this number does not fit into a 64-bit Integer";
const SYMBOL: &str = "1:1: YAML reads this as a Ruby symbol, which has no Puppet type";

/// Observed: Psych 4.0.3 of Ruby 3.1 gives these values.
#[test]
fn yaml_is_read_as_ruby_reads_it() {
    let table = [
        ("", "undef"),
        ("# only a comment", "undef"),
        ("---\n...\n", "undef"),
        ("a: 1\nb: [yes, 010, 1:30]\n", "{'a' => 1, 'b' => [true, 8, 5400]}"),
        ("a: 'yes'\nb: \"1\"\nc: !!str 1\n", "{'a' => 'yes', 'b' => '1', 'c' => '1'}"),
        ("!!int '1'", "1"),
        ("!!float 1", "1.0"),
        ("!!binary aGk=", "'hi'"),
        ("! 12", "12"),
        ("!<tag:yaml.org,2002:int> 5", "5"),
        ("!local yes", "'yes'"),
        ("|\n 1", "'1'"),
        ("a: |\n  1\n", r#"{'a' => "1\n"}"#),
        ("a: >-\n  x\n  y\n", "{'a' => 'x y'}"),
        ("a: \"\\u00e9\\x41\\n\"", r#"{'a' => "éA\n"}"#),
        ("a:\t1\nbc:\t\tx\n", "{'a' => 1, 'bc' => 'x'}"),
        (
            "a:\t1\nb: |\n  c:\td\ne: \"f:\t\tg\"\n\"h:\ti\":\tx # j:\tk\n",
            r#"{'a' => 1, 'b' => "c:\td\n", 'e' => "f:\t\tg", "h:\ti" => 'x'}"#,
        ),
        ("{a: , b}", "{'a' => undef, 'b' => undef}"),
        ("1: x\nyes: y\n~: z\n0755: w\n", "{1 => 'x', true => 'y', undef => 'z', 493 => 'w'}"),
        (":a: 1\n", "{'a' => 1}"),
        ("? [a, b]\n: 1\n", "{['a', 'b'] => 1}"),
        ("- &a 1\n- *a\n", "[1, 1]"),
        ("a: &x {b: 1, c: 3}\nd:\n  <<: *x\n  c: 2\n", "{'a' => {'b' => 1, 'c' => 3}, 'd' => {'b' => 1, 'c' => 2}}"),
        ("<<: [{a: 1}, {a: 2, b: 3}]", "{'a' => 1, 'b' => 3}"),
        ("<<: 1", "{'<<' => 1}"),
        ("%YAML 1.2\n--- yes", "true"),
    ];
    for (text, expected) in table {
        assert_eq!(told(Format::Yaml, text), expected, "{text}");
    }
}

#[test]
fn what_hiera_refuses_in_yaml_is_refused_at_its_place() {
    let table = [
        ("a: 1\nb: 2001-01-01\n", "2:4: YAML reads this as a date, which Hiera does not support"),
        ("a: [é, :sym]\n", "1:8: YAML reads this as a Ruby symbol, which has no Puppet type"),
        ("a: 9223372036854775808\n", "1:4: this number does not fit into a 64-bit Integer"),
        ("a: !ruby/object:Object {}\n", "1:4: the tag `!ruby/object:Object` is not supported"),
        ("!!float x", "1:1: this is not a valid `tag:yaml.org,2002:!float`"),
        ("&a [*a]", "1:5: this alias is inside its own anchor"),
        ("a: *nope\n", "1:4: while parsing node, found unknown anchor"),
        ("key: [1, 2", "1:11: while parsing a flow sequence, expected ',' or ']'"),
        ("a: b: c\n", "1:5: mapping values are not allowed in this context"),
    ];
    for (text, expected) in table {
        assert_eq!(told(Format::Yaml, text), expected, "{text}");
    }
}

#[test]
fn what_is_most_likely_a_mistake_is_warned_of() {
    assert_eq!(
        warned(Format::Yaml, "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n"),
        ["4:3: duplicate key 'c'; the last one counts", "5:1: duplicate key 'a'; the last one counts"]
    );
    assert_eq!(
        warned(Format::Yaml, "--- 1\n--- 2\n"),
        ["2:1: another document starts here; only the first one counts"]
    );
    assert_eq!(warned(Format::Yaml, "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n"), [""; 0]);
    assert_eq!(warned(Format::Json, r#"{"a": 1, "a": 2}"#), ["1:10: duplicate key 'a'; the last one counts"]);
}

#[test]
fn json_is_read() {
    let table = [
        (
            r#"{"a": [1, -2.5, 1e3, true, false, null], "b": {}}"#,
            "{'a' => [1, -2.5, 1000.0, true, false, undef], 'b' => {}}",
        ),
        (r#" "\ud83d\ude00\n\/é" "#, r#""😀\n/é""#),
        ("9223372036854775807", "9223372036854775807"),
        ("{\n \"a\": 9223372036854775808}", "2:7: this number does not fit into a 64-bit Integer"),
        ("{\n  \"a\": 1,\n}", "3:1: trailing comma"),
        ("[1, 2", "1:5: EOF while parsing a list"),
        ("{'a': 1}", "1:2: key must be a string"),
        ("", "1:1: EOF while parsing a value"),
        ("[1] 2", "1:5: trailing characters"),
        (r#"["a\qb"]"#, "1:5: invalid escape"),
        ("[1e999]", "1:6: number out of range"),
    ];
    for (text, expected) in table {
        assert_eq!(told(Format::Json, text), expected, "{text}");
    }
}

#[test]
fn data_without_end_meets_a_limit() {
    let deep = "[".repeat(100_000);
    let doubled: Vec<String> = (1..40).map(|n| format!("- &a{n} [*a{}, *a{}]\n", n - 1, n - 1)).collect();
    let doubled = doubled.concat();
    let laughs = format!("- &a0 [x]\n{doubled}");
    assert_eq!(told(Format::Yaml, &laughs), "22:15: more than 10000000 elements in total");
    assert_eq!(told(Format::Yaml, &deep).split(':').nth(2), Some(" recursion limit exceeded"));
    let closed = format!("{deep}{}", "]".repeat(100_000));
    assert_eq!(told(Format::Json, &closed), "1:502: nested more than 500 levels deep");
}

/// Ruby reads lines of flow collections and of quoted strings that are indented less than the mapping they are in, and comments
/// right after quotes and brackets.
#[test]
fn what_ruby_reads_and_yaml_refuses_is_read() {
    let cases = [
        (
            "a: 'x'# one\nb: [\"y\"#two\n  ,z]#three\nc: it's# four\n",
            "{'a' => 'x', 'b' => ['y', 'z'], 'c' => 'it\\'s# four'}",
        ),
        ("a: '1'# é\nb: {c: 1}# 'x\nd: [1,#x\n  2]\n", "{'a' => '1', 'b' => {'c' => 1}, 'd' => [1, 2]}"),
        ("a:\n  b: [\n    1\n]\nc: 2\n", "{'a' => {'b' => [1]}, 'c' => 2}"),
        ("a:\n  b: 'one\ntwo'\n", "{'a' => {'b' => 'one two'}}"),
        ("a:\n  b: [ 1,\n2, 3 ]\n  c: {\nd: \"x\ny\"\n}\n", "{'a' => {'b' => [1, 2, 3], 'c' => {'d' => 'x y'}}}"),
    ];
    for (text, expected) in cases {
        let document = pcore::data::read(pcore::data::Format::Yaml, &pcore::text::Source::new("a.yaml", text));
        let value = document.map(|document| pcore::format::program_text(&document.value));
        assert_eq!(value.map_err(|error| error.to_string()), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn what_is_no_text_is_what_ruby_makes_of_it() {
    let table = [
        ("undef", "~ null Null nUll"),
        ("true", "yes Yes YES yEs on On true tRue"),
        ("false", "no No nO off OFF false"),
        ("Infinity", ".inf .INF +.inf .iNf"),
        ("-Infinity", "-.inf"),
        ("0", "0 00 -0 0_ 0, 0_, 0:0 00:00:00"),
        ("1", "1 +1 0,1 00,1 +0b1"),
        ("7", "007 0_7 0__7 07_ 0,7"),
        ("493", "0755 +0755"),
        ("-493", "-0755"),
        ("5", "0b101 0b1_01"),
        ("31", "0x1F 0x1f_"),
        ("16", "0x1,0"),
        ("1000", "1_000 1,000 +1_000"),
        ("100", "1,00 1_0,0"),
        ("9223372036854775807", "9223372036854775807"),
        (TOO_LARGE, "9223372036854775808 -9223372036854775809 0xffffffffffffffff"),
        ("1.0", "1.0 1. 01.0 00001."),
        ("0.5", ".5 +.5 0.5 00.5 5.e-1"),
        ("-0.5", "-.5"),
        ("8.5", "08.5"),
        ("10.5", "1_0.5 1,0.5 10_.5"),
        ("1500.0", "1.5e+3 1.5E+3"),
        ("5400", "1:30 01:30 1:30:00 1_:30 +1:30"),
        ("-1800", "-1:30"),
        ("3723", "1:2:3"),
        ("685230", "190:20:30"),
        ("-682770", "-190:20:30"),
        ("5400.5", "1:30:00.5"),
        ("5430.0", "1:30.5 1:30:30.0"),
        ("5400.0", "1:30. 1:30._"),
        (DATE, "2001-01-01 2001-1-1 2001-00-01 2001-1-1T00:00:00Z 2001-12-14t21:59:43.10-05:00"),
        (SYMBOL, ":sym :'sym' :\"sym\" ::foo"),
    ];
    for (expected, texts) in table {
        for text in texts.split(' ') {
            assert_eq!(told(Format::Yaml, text), expected, "{text}");
        }
    }
    assert_eq!(told(Format::Yaml, ""), "undef");
    assert_eq!(told(Format::Yaml, "2001-12-14 21:59:43.10 -5"), DATE);
    assert_eq!(told(Format::Yaml, "1 "), "1");
}

#[test]
fn what_is_nearly_a_number_is_a_text() {
    let texts = "y N nil 08 -08 0o17 0b 0b2 0x 0xg 1,,2 1__2 1_ 1, _1 12_34_ . .. 1.5e3 1e3 1e+3 1.e3 1.0.0 1.5_5 \
                 1.5e 1.5f 1.0e400 1:60 1:5:5:5 1:30:00.5e3 25:99 1:3x 2001-13-01 2001-01-01T1 \
                 2001-01-01T1:00:00-05:0 1-1-2001 2001-01 2001-1-32 a:b 1.2.3 10.0.0.1 10.0.0.0/8 5G 5% -- _ -a \
                 inf nan -.nan +.nan 00:1a:2b 08_ 0_8 0888 ._5 .1_2 1._5 -. +. ++1 0x-1 1:30_ -:30 True1 1..2 \
                 fe80::1 é 1ü .infinity";
    for text in texts.split_whitespace() {
        assert_eq!(document(Format::Yaml, text).unwrap().value, text.into(), "{text}");
    }
    assert_eq!(told(Format::Yaml, "2001-01-01 00:00"), "'2001-01-01 00:00'");
}
