//! Built-in functions from outside: the table as a whole, jumps, iteration without end.

use std::collections::HashSet;

use pcore::error::Result;
use pcore::format;
use pcore::functions;
use pcore::session::{Event, Session, Strictness};
use pcore::text::Source;

/// The `%p` text of what `code` answers in a fresh session that is as strict as Puppet, or `error CODE`.
fn answer(code: &str) -> String {
    let mut session = Session::new(Strictness::Error);
    text_of(&session.evaluate(&Source::new("test", code), &mut |_| {}))
}

fn text_of(result: &Result<pcore::value::Value>) -> String {
    match result {
        Ok(value) => format::program_text(value),
        Err(error) => format!("error {}", error.issue()),
    }
}

/// What the log functions said while `code` was evaluated.
fn said(code: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut session = Session::new(Strictness::Error);
    session
        .evaluate(&Source::new("test", code), &mut |event| {
            if let Event::Log(_, line) = event {
                lines.push(line);
            }
        })
        .unwrap();
    lines
}

#[test]
fn no_name_stands_twice_and_families_are_in_order() {
    let mut seen = HashSet::new();
    for family in functions::TABLE {
        assert!(family.is_sorted_by_key(|row| row.name), "the family of {} is not in order", family[0].name);
        assert!(family.iter().all(|row| seen.insert(row.name)));
    }
}

#[test]
fn an_iterator_over_a_huge_range_costs_nothing_until_drawn() {
    let code = "Integer[1, 1000000000000].step(3).reverse_each.each |$x| { notice($x) break() }";
    assert_eq!(said(code), ["1000000000000"]);
    assert_eq!(answer("Integer[1, 9223372036854775806].index |$x| { $x == 3 }"), "2");
}

#[test]
fn a_jump_leaves_what_waits_for_it() {
    for (code, expected) in [
        ("[1, 2, 3].map |$x| { if $x == 3 { break() } $x }", "[1, 2]"),
        ("[1, 2, 3].reduce |$memo, $x| { if $x == 3 { break() } $memo + $x }", "3"),
        ("[1, 2].map |$x| { next() }", "[undef, undef]"),
        (
            "function f($x) { $x.each |$y| { if $y == 2 { return('found') } } 'no' } [f([1, 2]), f([3])]",
            "['found', 'no']",
        ),
        ("function f() { break() } [1, 2].each |$x| { f() }", "[1, 2]"),
        ("[1, 2].any |$x| { break() }", "error RUNTIME_ERROR"),
        ("{'a' => 1}.filter |$x| { break() }", "error RUNTIME_ERROR"),
        ("with(1) |$x| { return(5) }", "error RUNTIME_ERROR"),
        ("call('with', 1) |$x| { return(5) }", "5"),
        ("inline_epp('a<% return(5) %>b')", "5"),
        ("inline_epp('a<% next(5) %>b')", "error RUNTIME_ERROR"),
        ("[1, 2].map |$x| { inline_epp('a<% break() %>b') }", "[]"),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
}

#[test]
fn a_block_of_two_parameters_sees_keys_or_indexes() {
    assert_eq!(said("{'a' => 1}.each |$key, $value| { notice($key, $value) }"), ["a 1"]);
    assert_eq!(said("{'a' => 1}.each |$entry| { notice($entry) }"), ["[a, 1]"]);
    assert_eq!(said("'ab'.each |$index, $letter| { notice($index, $letter) }"), ["0 a", "1 b"]);
    assert_eq!(said("Enum['b', 'a'].each |$index, $value| { notice($index, $value) }"), ["0 a", "1 b"]);
}

#[test]
fn parameters_take_defaults_and_the_rest_as_puppet_does() {
    for (code, expected) in [
        (
            "function f($a, $b = $a, *$c) { [$a, $b, $c] } [f(1), f(1, 2), f(1, 2, 3)]",
            "[[1, 1, []], [1, 2, []], [1, 2, [3]]]",
        ),
        ("function f(*$rest = 5) { $rest } [f(), f(undef), f(undef, undef), f(1)]", "[[5], [5], [undef, undef], [1]]"),
        ("with() |Integer *$rest = [1, 2]| { $rest }", "[1, 2]"),
        ("function f(Integer *$rest = 5) { $rest } f(undef)", "error RUNTIME_ERROR"),
        ("function f($a = 1, $b) { 1 } 5", "5"),
        ("function f($a = 1, $b) { 1 } f(1, 2)", "error REQUIRED_PARAMETER_AFTER_OPTIONAL"),
        ("[1].each |$a = 1, $b| { 1 }", "error REQUIRED_PARAMETER_AFTER_OPTIONAL"),
        ("function f($trusted) { 1 } f(1)", "error ILLEGAL_RESERVED_ASSIGNMENT"),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
}

#[test]
fn an_option_that_evaluates_to_default_matches_everything_in_its_turn() {
    for (code, expected) in [
        ("case 5 { *[1, default]: { 'hit' } 5: { 'five' } }", "'hit'"),
        ("case 5 { default: { 'other' } 5: { 'five' } }", "'five'"),
        ("5 ? { [default][0] => 'hit', 5 => 'five' }", "'hit'"),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
}
