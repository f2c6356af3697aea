//! Tests of `data::hiera::interpolation`, of which it is a module.

use super::*;

#[test]
fn texts_come_apart_where_hiera_fills_them_in() {
    let table: [(&str, &[StringPart<'_>]); 12] = [
        ("plain", &[StringPart::Text("plain")]),
        ("a%{x}b", &[StringPart::Text("a"), StringPart::Variable("x"), StringPart::Text("b")]),
        ("%{::facts.os}", &[StringPart::Variable("facts.os")]),
        ("%{ scope('x') }", &[StringPart::Variable("x")]),
        ("%{lookup('a.b')}%{hiera(\"it's\")}", &[StringPart::Lookup("a.b"), StringPart::Lookup("it's")]),
        ("%{alias('a')}", &[StringPart::Alias("a")]),
        ("%{literal('%')}{x}", &[StringPart::Text("%"), StringPart::Text("{x}")]),
        ("%{}%{''}%{\"\"}%{::}%{ }", &[]),
        ("%%{x}", &[StringPart::Text("%"), StringPart::Variable("x")]),
        ("100% %{x", &[StringPart::Text("100% %{x")]),
        ("%{lookup( 'a')}", &[StringPart::Variable("lookup( 'a')")]),
        ("%{lookup('')}", &[StringPart::Variable("lookup('')")]),
    ];
    for (text, expected) in table {
        assert_eq!(parse_string_parts(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn an_alias_is_a_whole_text() {
    for text in ["a%{alias('k')}", "%{alias('k')} ", "%{alias('k')}%{alias('k')}", "%{x}%{alias('k')}"] {
        assert_eq!(
            parse_string_parts(text).unwrap_err().message(),
            "combines `%{alias('k')}` with other text",
            "{text}"
        );
    }
    assert_eq!(parse_string_parts("%{foo('k')}").unwrap_err().message(), "calls foo, which is not a Hiera function");
}
