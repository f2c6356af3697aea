//! Tests of `session::commands::likely_meant`, of which it is a module.

use super::likely_meant;

#[test]
fn strings_in_a_row_are_explained_and_programs_are_not() {
    for (entry, part) in [
        ("not true", "write `!`"),
        ("5 is Integer", "5 =~ Integer"),
        ("Optional String", "`Optional[String]`"),
        ("Array of String", "[1] =~ Array[Integer]"),
        ("length 'abc'", "`length('abc')`"),
        ("load types.pp", "`:load types.pp`"),
        ("null", "write `undef`"),
        ("string", "the type String"),
        ("// a", "`#`"),
        ("'abc' =~ '/b/'", "`/b/`"),
        ("type('a') == str", "'a' =~ String"),
        ("5 is not None", "`5 != undef`"),
        ("Integer(1, 10)", "`Integer[1, 10]`"),
        ("'${x}'", "double quotes"),
        ("list types", "`:types`"),
    ] {
        assert!(
            likely_meant(entry, false, &mut |_| true).is_some_and(|advice| advice.contains(part)),
            "{entry}: {:?}",
            likely_meant(entry, false, &mut |_| true)
        );
    }
    for entry in ["5", "'a'", "notice 'a'", "foo", "$x = 1; $x", "type(5)", "String", "type A = Integer", "1\nInteger"]
    {
        assert_eq!(likely_meant(entry, false, &mut |_| true), None, "{entry}");
    }
}

#[test]
fn keys_after_dots_are_no_functions() {
    let advice = |entry: &str| likely_meant(entry, true, &mut |_| true).unwrap_or_default();
    assert!(advice("$x = [1,\n:quit").contains("Ctrl-C"));
    assert!(advice("$facts.os.family").contains("`$facts['os']['family']`"));
    assert!(advice("{'host' => 'web'}.host").contains("`{'host' => 'web'}['host']`"));
    assert_eq!(advice("$x.upcse"), "");
    assert!(advice("reset!").contains("`:reset`"));
}
