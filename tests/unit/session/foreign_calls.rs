//! Tests of `session::foreign_calls`, of which it is a module.

use super::*;

fn in_puppet_as(entry: &str) -> Option<String> {
    translate_calls(entry)?.1
}

#[test]
fn calls_are_said_in_puppet() {
    for (entry, puppet) in [
        ("\"a.b\".gsub(\".\", \"_\")", "regsubst(\"a.b\", /\\./, \"_\", 'G')"),
        ("'a'.sub(/a/, 'b')", "regsubst('a', /a/, 'b')"),
        ("[1,2].include?(1)", "1 in [1,2]"),
        ("$x.is_a?(String)", "$x =~ String"),
        ("'a/b'.start_with?('a/')", "'a/b' =~ /\\Aa\\//"),
        ("[1, 2].compact", "[1, 2].filter |$x| { $x =~ NotUndef }"),
        ("[1].reject |$x| { $x > 1 }", "[1].filter |$x| { !($x > 1) }"),
        ("[1].each_with_index |$x, $i| { $i }", "[1].each |$i, $x| { $i }"),
        ("'a,b'.split(',').last(2)", "'a,b'.split(',')[-2, 2]"),
        ("if [1].include?(1) { 2 }", "if (1 in [1]) { 2 }"),
        ("$y = [1].include?(1)", "$y = 1 in [1]"),
        ("'A'.trim.tolower().starts_with('a')", "'A'.strip.downcase() =~ /\\Aa/"),
        ("JSON.parse('1')", "parsejson('1')"),
        ("fmt.Sprintf('%d', 5)", "sprintf('%d', 5)"),
        ("isinstance(5, Integer)", "5 =~ Integer"),
        ("'5'.to_i", "Integer('5')"),
        ("nil.empty?", "nil.empty"),
        ("'a'.upcase!", "'a'.upcase"),
        ("isinstance(5, int)", "5 =~ Integer"),
        ("(1 + 2).even?", "(1 + 2) % 2 == 0"),
    ] {
        assert_eq!(in_puppet_as(entry).as_deref(), Some(puppet), "{entry}");
    }
}

#[test]
fn every_row_makes_a_program_of_a_call() {
    let rows = dictionary::TABLE
        .iter()
        .flat_map(|word| word.call_templates.iter().map(move |(with, call)| (word, with, call)));
    for (word, with, call) in rows {
        let operands = match call {
            _ if call.contains("@r") => ["'a'", "'b'"],
            _ if call.contains("@t") => ["String", ""],
            _ => ["1", "2"],
        };
        for name in word.others.split(' ').map(|name| name.trim_end_matches('?')) {
            let entry = match with {
                CallForm::Arguments(count) => format!("$x.{name}?({})", operands[..*count].join(", ")),
                CallForm::Block(count) => format!("$x.{name}?({}) |$y, $z| {{ $y }}", operands[..*count].join(", ")),
            };
            let puppet = in_puppet_as(&entry).unwrap_or_else(|| panic!("{entry}"));
            assert!(syntax::parse(&Source::new("puppet", &*puppet)).is_ok(), "{puppet}");
        }
    }
}

#[test]
fn what_is_not_known_stays() {
    for entry in [
        "add(1, 2)",
        "\"${x.to_s}\"",
        "printf('%d', 5)",
        "[1].sort_by |$x| { $x }",
        "[1].map |$x| { $x }",
        "'a'.upcase",
        "$x.all |$y| { $y }",
        "1 +",
        "$x ? { 1 => 2 }",
    ] {
        assert_eq!(translate_calls(entry), None, "{entry}");
    }
    assert_eq!(translate_calls("'a'.nosuch?(1)"), Some((Span::new(4, 11), None)));
}
