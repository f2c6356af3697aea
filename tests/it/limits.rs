//! What would take all memory ends in an error: a limit. What would take all time is in `interrupts`.

use pcore::session::{Session, Strictness};
use pcore::text::Source;

#[cfg(feature = "cli")]
use super::program::pcore;

/// The code of the error that a program ends in; `none` when it ends well.
fn code_of(session: &mut Session, code: &str) -> &'static str {
    session.evaluate(&Source::new("program", code), &mut |_| {}).err().map_or("none", |error| error.code())
}

#[test]
fn what_grows_without_end_reaches_a_limit() {
    let programs = [
        "function f() { f() } f()",
        "Array(Integer[1, 9223372036854775806])",
        "Array(9223372036854775807)",
        "Array(9223372036854775806)",
        "binary_file('/dev/zero')",
        "Puppet::LookupContext('web').cached_file_data('/dev/zero')",
        "['a'].slice(9223372036854775807) |*$all| { $all }",
        "[*Integer[1, 9223372036854775806].step(1)]",
        "Integer[1, 100].reduce('ab') |$m, $x| { \"${m}${m}\" }",
        "Integer[1, 100].reduce([1]) |$m, $x| { $m + $m }",
        "Integer[1, 100].reduce([1]) |$m, $x| { [*$m, *$m] }",
        "Integer[1, 100].reduce([1, 2]) |$m, $x| { flatten($m, $m) }",
        "Integer[1, 100].reduce(Binary('YWJj')) |$m, $x| { $m + $m }",
        "Integer[1, 100].reduce('a') |$m, $x| { regsubst($m, 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'G') }",
        "Integer[1, 100].reduce('ab') |$m, $x| { join([$m, $m]) }",
        "Integer[1, 100].reduce('ab') |$m, $x| { sprintf('%s%s', $m, $m) }",
        "Integer[1, 100].reduce('ab') |$m, $x| { inline_epp('<%= $m %><%= $m %>', {m => $m}) }",
        "\"${Integer[1, 100].reduce([1]) |$m, $x| { [$m, $m] }}\"",
    ];
    for code in programs {
        assert_eq!(code_of(&mut Session::new(Strictness::Warning), code), "LIMIT", "{code}");
    }
}

#[test]
fn the_text_of_a_tower_of_types_is_refused_whoever_asks_for_it() {
    let tower = "$tower = Integer[1, 60].reduce(Integer) |$inner, $x| { Tuple[$inner, $inner] };";
    for code in ["String($tower)", "String($tower, '%#s')", "String([$tower])", "\"${tower}\"", "sprintf('%s', $tower)"]
    {
        let code = format!("{tower} {code}");
        assert_eq!(code_of(&mut Session::new(Strictness::Warning), &code), "LIMIT", "{code}");
    }
}

#[test]
fn a_width_beyond_the_longest_text_is_refused() {
    let programs = [
        ("sprintf('%999999999d', 1)", "LIMIT"),
        ("String(1, '%999999999d')", "LIMIT"),
        ("sprintf('%60000000d%60000000d', 1, 2)", "LIMIT"),
    ];
    for (code, expected) in programs {
        assert_eq!(code_of(&mut Session::new(Strictness::Warning), code), expected, "{code}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn many_large_values_together_reach_the_limit_on_memory() {
    let code = "Integer[1, 1000000].map |$x| { Integer[1, 200000].map |$y| { $y } }";
    let run = pcore(&["--quiet", "-e", code], b"");
    assert_eq!(
        (run.code, run.err.lines().next()),
        (1, Some("error[LIMIT]: the evaluation took more than 768 MiB of memory"),)
    );
}
