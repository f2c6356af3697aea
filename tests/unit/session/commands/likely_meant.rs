//! Tests of `session::commands::likely_meant`, of which it is a module.

use super::suggest_intended_entry;
use crate::Session;

#[test]
fn strings_in_a_row_are_explained_and_programs_are_not() {
    for (entry, part) in [
        ("not true", "write `!`"),
        ("5 is Integer", "5 =~ Integer"),
        ("Optional String", "`Optional[String]`"),
        ("Array of String", "`Array[String]`"),
        ("5 =~ Optional Integer", "`5 =~ Optional[Integer]`"),
        ("how do I make a hash", "`:help`"),
        ("sort the list", "`:help`"),
        ("what is a Hash?", "`?Hash`"),
        ("length 'abc'", "`length('abc')`"),
        ("load types.pp", "`:load types.pp`"),
        ("null", "write `undef`"),
        ("string", "the type String"),
        ("'abc' =~ '/b/'", "`/b/`"),
        ("type('a') == str", "'a' =~ String"),
        ("5 is not None", "`5 != undef`"),
        ("Integer(1, 10)", "`Integer[1, 10]`"),
        ("'${x}'", "double quotes"),
        ("list types", "`:types`"),
        ("hlep", "`:help`"),
    ] {
        assert!(
            suggest_intended_entry(entry, false, &mut |_| true).is_some_and(|advice| advice.contains(part)),
            "{entry}: {:?}",
            suggest_intended_entry(entry, false, &mut |_| true)
        );
    }
    for entry in [
        "5",
        "'a'",
        "notice 'a'",
        "foo",
        "$x = 1; $x",
        "type(5)",
        "String",
        "type A = Integer",
        "1\nInteger",
        "# a",
        "sort",
    ] {
        assert_eq!(suggest_intended_entry(entry, false, &mut |_| true), None, "{entry}");
    }
}

#[test]
fn keys_after_dots_are_no_functions() {
    let advice = |entry: &str| suggest_intended_entry(entry, true, &mut |_| true).unwrap_or_default();
    assert!(advice("$x = [1,\n:quit").contains("Ctrl-C"));
    assert!(advice("%{facts.os.family}").contains("`$facts['os']['family']`"));
    assert!(advice("\"${user.name}\"").contains("`${user['name']}`"));
    assert_eq!(advice("\"${x.upcase}\""), "");
    assert!(advice("$facts.os.family").contains("`$facts['os']['family']`"));
    assert!(advice("{'host' => 'web'}.host").contains("`{'host' => 'web'}['host']`"));
    assert!(advice("$h = {a => 1}; $h.a").contains("write `$h['a']`"));
    assert!(advice(".users[0].name").contains("`$data['users'][0]['name']`"));
    assert!(advice("$x.users[0]").contains("`$x['users'][0]`"));
    assert_eq!(advice("$x.upcse"), "");
    assert_eq!(advice("$x.keys[0]"), "");
    assert!(advice("reset!").contains("`:reset`"));
}

/// The advice on an entry that has failed, whose code is run.
fn advice_on_failed(entry: &str) -> Option<String> {
    suggest_intended_entry(entry, true, &mut |code| Session::default().eval(code).is_ok())
}

#[test]
fn parameters_become_variables_wherever_they_are_read() {
    for (entry, code) in [
        ("function add(a, b = 2) { return a + b }", "function add($a, $b = 2) { return $a + $b }"),
        ("function greet(String name) { \"hi ${name}\" }", "function greet(String $name) { \"hi ${name}\" }"),
        ("{a => 1}.map |k, v| { [k, v] }", "{a => 1}.map |$k, $v| { [$k, $v] }"),
    ] {
        assert_eq!(
            advice_on_failed(entry),
            Some(format!("the name of a variable starts with `$`: write `{code}`")),
            "{entry}"
        );
    }
    for entry in ["[1].map |x| { x + ", "function f(5) { 1 }", "[1].map |$x| { x, y }"] {
        assert_eq!(advice_on_failed(entry), None, "{entry}");
    }
}

#[test]
fn only_a_word_that_is_no_keyword_is_a_misspelt_one() {
    for (entry, keyword) in [
        ("if 1 > 2 { 1 } esle { 2 }", "else"),
        ("if 1 > 2 { 1 } els { 2 }", "else"),
        ("if 1 > 2 { 1 } elsfi 3 > 2 { 2 }", "elsif"),
        ("fuction f($x) { $x }", "function"),
    ] {
        assert_eq!(advice_on_failed(entry), Some(format!("did you mean `{keyword}`?")), "{entry}");
    }
    for entry in ["if 5 > 3 { $x } else { 1 }", "if $x { 1 } elsif $y { 2 } else { 3 }", "nodes { 'a': b => 1 }"] {
        assert_eq!(advice_on_failed(entry), None, "{entry}");
    }
}
