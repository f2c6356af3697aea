//! Tests of `session::foreign_lambdas`, of which it is a module.

use super::*;
use crate::syntax;
use crate::text::Source;

#[test]
fn lambdas_stand_behind_their_calls() {
    for (entry, puppet) in [
        ("[1].map(x => x * 2)", "[1].map |$x| { $x * 2 }"),
        ("[1].map((n) => n + 1)", "[1].map |$n| { $n + 1 }"),
        ("[1].map((n: number) => { return n + 1; })", "[1].map |$n| { $n + 1 }"),
        ("[1].reduce((a, b) => a + b, 0)", "[1].reduce(0) |$a, $b| { $a + $b }"),
        ("[1].map(function(x) { return x * 2; })", "[1].map |$x| { $x * 2 }"),
        ("map(lambda x: x + 1, [1])", "map([1]) |$x| { $x + 1 }"),
        ("map(\\x -> x + 1, [1])", "map([1]) |$x| { $x + 1 }"),
        ("['a'].map(&:upcase)", "['a'].map |$x| { $x.upcase }"),
        ("[1].each { |x| puts x }", "[1].each |$x| { puts($x) }"),
        ("[1].all(x => x instanceof String)", "[1].all |$x| { $x =~ String }"),
        ("[1].each do |x| puts x end", "[1].each |$x| { puts($x) }"),
        ("x => x + 1", "[1, 2].map |$x| { $x + 1 }"),
        ("(a, b) => a + b;", "[1, 2].reduce |$a, $b| { $a + $b }"),
        ("[[1]].map(x => x.filter(y => y > 1))", "[[1]].map |$x| { $x.filter |$y| { $y > 1 } }"),
    ] {
        assert_eq!(translate_lambdas(entry), puppet);
        assert!(syntax::parse(&Source::new("puppet", puppet)).is_ok(), "{puppet}");
    }
}

#[test]
fn other_calls_stay() {
    for entry in [
        "[1].map |$x| { $x }",
        "f(1, 2)",
        "path => '/usr/path'",
        "notice({a => 1})",
        "f(a => 1, b => 2)",
        "[1].each { x }",
        "map(x => , [1])[",
        "f(((((",
    ] {
        assert_eq!(translate_lambdas(entry), entry);
    }
}
