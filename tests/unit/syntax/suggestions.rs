//! Every common mistake is recognised, and what one token repairs is repaired.

use super::{GENERAL, PARTICULAR, find_repaired_text};
use crate::syntax::parse;
use crate::text::Source;

#[test]
fn every_slip_gets_its_help() {
    for (example, hint, _) in PARTICULAR.iter().chain(GENERAL) {
        let error = parse(&Source::new("example", *example)).unwrap_err();
        assert_eq!(error.help(), [*hint], "{example}: {error}");
    }
}

#[test]
fn one_token_is_repaired() {
    for (text, expected) in [
        ("{a: 1, b: 2}", "{a => 1, b => 2}"),
        ("{a = 1, b = 2}", "{a => 1, b => 2}"),
        ("{'a' > 1}", "{'a' => 1}"),
        ("'a' => 1}", "{'a' => 1}"),
        ("[1 2 3]", "[1, 2, 3]"),
        ("[1,, 2]", "[1, 2]"),
        ("Array[String>", "Array[String]"),
        ("(1, 2)", "[1, 2]"),
        ("$h{'a'}", "$h['a']"),
        ("Struct{[a => String]}", "Struct[{a => String}]"),
        ("[2, 1],sort", "[2, 1].sort"),
        ("[1].map |$x { $x }", "[1].map |$x| { $x }"),
        ("[1].map |$x| ($x)", "[1].map |$x| {$x}"),
        ("if ($x == 1 { 1 }", "if ($x == 1) { 1 }"),
        ("if $x === 1 { 1 }", "if $x == 1 { 1 }"),
        ("$x && $y === 2 || $z", "$x and $y == 2 or $z"),
        ("if $x => 1 { 1 }", "if $x >= 1 { 1 }"),
        ("if $x { 1 } else if $y { 2 }", "if $x { 1 } elsif $y { 2 }"),
        ("if $x { 1 }; else { 2 }", "if $x { 1 } else { 2 }"),
        ("case 1 { 1: { 2 } else: { 3 } }", "case 1 { 1: { 2 } default: { 3 } }"),
        ("file { '/a' ensure => file }", "file { '/a': ensure => file }"),
        ("function my:f() { 1 }", "function my::f() { 1 }"),
        ("function f(int $x, str $y) { 1 }", "function f(Integer $x, String $y) { 1 }"),
        ("function f(Optional[String $x) { 1 }", "function f(Optional[String] $x) { 1 }"),
        ("[1].each |$k => $v| { }", "[1].each |$k, $v| { }"),
        ("[1].each |$k : Integer $v| { }", "[1].each |$k, Integer $v| { }"),
        ("function f($a => 5) { }", "function f($a = 5) { }"),
        ("Package['a'] ~ Service['b']", "Package['a'] ~> Service['b']"),
        ("File['/a', '/b'] ~ Service['b']", "File['/a', '/b'] ~> Service['b']"),
        ("'abc' ~ Pattern[/a/]", "'abc' =~ Pattern[/a/]"),
        ("$x['a'] ~ Enum['a']", "$x['a'] =~ Enum['a']"),
        ("class a extends b { }", "class a inherits b { }"),
        ("type Port Integer", "type Port = Integer"),
    ] {
        assert_eq!(find_repaired_text(text, |_| true).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn what_would_change_the_meaning_is_no_repair() {
    for text in [
        "1..5",
        "$x == 1 ? 2 : 3",
        "[1][0:2]",
        "{ :a => 1 }",
        "'a' . 'b'",
        "Integer[, 5]",
        "node a-b.com { }",
        "[1].each { $x }",
    ] {
        assert_eq!(find_repaired_text(text, |_| true), None, "{text}");
    }
}
