//! Tests of `data::hiera::interpolation`, of which it is a module.

use super::*;

#[test]
fn texts_come_apart_where_hiera_fills_them_in() {
    let table: [(&str, &[Part<'_>]); 12] = [
        ("plain", &[Part::Text("plain")]),
        ("a%{x}b", &[Part::Text("a"), Part::Variable("x"), Part::Text("b")]),
        ("%{::facts.os}", &[Part::Variable("facts.os")]),
        ("%{ scope('x') }", &[Part::Variable("x")]),
        ("%{lookup('a.b')}%{hiera(\"it's\")}", &[Part::Lookup("a.b"), Part::Lookup("it's")]),
        ("%{alias('a')}", &[Part::Alias("a")]),
        ("%{literal('%')}{x}", &[Part::Text("%"), Part::Text("{x}")]),
        ("%{}%{''}%{\"\"}%{::}%{ }", &[]),
        ("%%{x}", &[Part::Text("%"), Part::Variable("x")]),
        ("100% %{x", &[Part::Text("100% %{x")]),
        ("%{lookup( 'a')}", &[Part::Variable("lookup( 'a')")]),
        ("%{lookup('')}", &[Part::Variable("lookup('')")]),
    ];
    for (text, expected) in table {
        assert_eq!(parts(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn an_alias_is_a_whole_text() {
    for text in ["a%{alias('k')}", "%{alias('k')} ", "%{alias('k')}%{alias('k')}", "%{x}%{alias('k')}"] {
        assert_eq!(parts(text).unwrap_err().message(), "combines `%{alias('k')}` with other text", "{text}");
    }
    assert_eq!(parts("%{foo('k')}").unwrap_err().message(), "calls foo, which is not a Hiera function");
}
