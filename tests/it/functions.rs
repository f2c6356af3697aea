//! Built-in functions from outside: the table as a whole, jumps, iteration without end, and limits.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use pcore::error::Result;
use pcore::format;
use pcore::functions::{self, Function};
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

fn rows() -> impl Iterator<Item = &'static Function> {
    functions::TABLE.iter().copied().flatten()
}

#[test]
fn every_row_that_can_fail_has_an_example_that_does() {
    let never_fails = ["alert", "crit", "debug", "emerg", "err", "info", "notice", "warning"];
    for row in rows() {
        let fails = row.examples.iter().any(|example| example.answer.starts_with("error "));
        assert!(fails || never_fails.contains(&row.name), "{} has no example that fails", row.name);
    }
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
    let started = Instant::now();
    let code = "Integer[1, 1000000000000].step(3).reverse_each.each |$x| { notice($x) break() }";
    assert_eq!(said(code), ["1000000000000"]);
    assert_eq!(answer("Integer[1, 9223372036854775806].index |$x| { $x == 3 }"), "2");
    assert!(started.elapsed() < Duration::from_secs(5));
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
fn loops_without_end_stop_at_a_limit_or_an_interrupt() {
    assert_eq!(answer("Integer[1, 9223372036854775806].map |$x| { $x }"), "error LIMIT");
    let mut session = Session::new(Strictness::Error);
    let interrupt = session.interrupt.clone();
    let clock = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        interrupt.raise();
        Instant::now()
    });
    let source = Source::new("test", "Integer[1, 9223372036854775806].each |$x| { $x }");
    let result = session.evaluate(&source, &mut |_| {});
    let ended = Instant::now();
    assert_eq!(text_of(&result), "error INTERRUPTED");
    assert!(ended.duration_since(clock.join().unwrap()) < Duration::from_millis(500));
}
