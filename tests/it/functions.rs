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
        Err(error) => format!("error {}", error.code()),
    }
}

/// What the log functions said while `code` was evaluated.
fn said(code: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut session = Session::new(Strictness::Error);
    session
        .evaluate(&Source::new("test", code), &mut |event| {
            if let Event::Log { message: line, .. } = event {
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
fn a_block_may_have_other_parameters_than_arguments() {
    for (code, expected) in [
        ("[1, 2].map |*$all| { $all }", "[[0, 1], [1, 2]]"),
        ("[1, 2].filter |*$all| { $all[1] > 1 }", "[2]"),
        ("[3, 4].map |$i, $x = 9| { [$i, $x] }", "[[0, 3], [1, 4]]"),
        ("[1, 2, 3].reduce |*$all| { $all }", "[[1, 2], 3]"),
        ("[1, 2, 3].reduce(0) |*$all| { if $all[1] == 3 { break() } $all[0] + $all[1] }", "3"),
        ("{a => 1, b => 2}.filter |*$all| { $all[1] > 1 }", "{'b' => 2}"),
        ("[1, 2].map |$x| { [3, 4].map |$y| { $x * $y - $x * ($y - 1) } }", "[[1, 1], [2, 2]]"),
        ("[1, 'a', 2].map |$x| { $x ? { Integer => $x + 1, default => $x } }", "[2, 'a', 3]"),
        ("[2, 3].map |$x| { $sum = $x + 1\n $sum * $x }", "[6, 12]"),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
}

#[test]
fn what_reduce_adds_to_in_place_is_seen_by_nobody_else() {
    for (code, expected) in [
        ("$a = [1]\n$r = [2, 3].reduce($a) |$m, $x| { $m + [$x] }\n[$a, $r]", "[[1], [1, 2, 3]]"),
        ("$a = [[1], [2], [3]]\n$r = $a.reduce |$m, $x| { $m + $x }\n[$a, $r]", "[[[1], [2], [3]], [1, 2, 3]]"),
        ("[1, 2].reduce([]) |$m, $x| { $m + [$m] }", "[[], [[]]]"),
        ("[1, 2].reduce([]) |$m, $x| { $k = $m\n if $x > 1 { $m + [$k] } else { $m << $x } }", "[1, [1]]"),
        ("[1, 2, 3].reduce([]) |$m, $x| { $m + [if $x == 3 { break() } else { $x }] }", "[1, 2]"),
        (
            "$h = {a => 1}\n$r = [1, 2].reduce($h) |$m, $x| { $m + {$x => $m} }\n[$h, $r[2][1]]",
            "[{'a' => 1}, {'a' => 1}]",
        ),
        ("{a => 1}.filter |$pair| { $pair + [2] }", "{'a' => 1}"),
        ("slice([1, 2], 1).filter |$pair| { $pair + [3] }", "[[1], [2]]"),
    ] {
        assert_eq!(answer(code), expected, "{code}");
    }
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

#[track_caller]
fn all(cases: &[(&str, &str)]) {
    for (code, expected) in cases {
        assert_eq!(answer(code), *expected, "{code}");
    }
}

#[test]
fn a_hash_behind_a_step_of_one_keeps_its_keys() {
    all(&[
        ("{'a' => 1}.step(1).map |$key, $value| { \"$key$value\" }", "['a1']"),
        ("{'a' => 1}.step(1).step(1).map |$key, $value| { \"$key$value\" }", "['a1']"),
        ("{'a' => 1, 'b' => 2}.step(1).filter |$key, $value| { $value > 1 }", "{'b' => 2}"),
        ("{'a' => 1, 'b' => 2}.step(1).filter |$pair| { true }", "[['a', 1], ['b', 2]]"),
        ("{'a' => 1, 'b' => 2}.step(1).index(2)", "'b'"),
        ("{'a' => 1}.step(1).each |$key, $value| { }", "[['a', 1]]"),
        // In another order, or some of them only, they are pairs with positions.
        ("{'a' => 1}.step(2).map |$at, $pair| { [$at, $pair] }", "[[0, ['a', 1]]]"),
        ("{'a' => 1}.reverse_each.reverse_each.map |$at, $pair| { [$at, $pair] }", "[[0, ['a', 1]]]"),
    ]);
}

#[test]
fn the_text_of_a_type_runs_nothing() {
    all(&[
        ("Type('Struct[{Optional[a] => Integer[-1, 0x10]}]')", "Struct[{Optional['a'] => Integer[-1, 16]}]"),
        ("Type('Array[Foo[Bar, 2]]')", "Array[TypeReference['Foo[Bar, 2]']]"),
        ("assert_type('Integer # a port', 80)", "80"),
        ("assert_type('Array[fail()]', 1)", "error RUNTIME_ERROR"),
        ("assert_type('Integer[1 + 1]', 2)", "error RUNTIME_ERROR"),
        ("$x = 5 Type('Integer[$x]')", "error RUNTIME_ERROR"),
        ("assert_type('Port', 80)", "error RUNTIME_ERROR"),
        ("Type('Integer[')", "error RUNTIME_ERROR"),
        ("Type('Integer[]]')", "error SYNTAX_ERROR"),
    ]);
}

#[test]
fn functions_of_the_older_interface_see_texts_where_puppet_added_types() {
    all(&[
        ("sprintf(SemVer('1.2.3'))", "'1.2.3'"),
        ("sprintf('%s %p', [Timespan(3)], undef)", r#"'["0-00:00:03.0"] ""'"#),
        ("sprintf('%s', {'a' => [default, undef, /x/]})", r#"'{"a"=>[:default, nil, "/x/"]}'"#),
        ("sprintf('%s', [1].reverse_each)", "error RUNTIME_ERROR"),
        ("md5(/a/) == md5('/a/')", "true"),
        ("md5(Integer)", "error RUNTIME_ERROR"),
        ("shellquote([Binary('aGk='), undef])", "error RUNTIME_ERROR"),
        ("shellquote(Binary('aGk='), undef)", r#"'aGk= ""'"#),
        ("fqdn_rand(10, {'a' => 1}) == fqdn_rand(10, '{\"a\"=>1}')", "true"),
        ("fqdn_rand(10, [[1], ['b']]) == fqdn_rand(10, '1:b')", "true"),
        ("join([{'a' => ['b', undef]}, [3]], '-')", r#"'{"a"=>["b", nil]}-3'"#),
    ]);
}

#[test]
fn a_block_is_called_only_where_there_is_something_to_ask() {
    for code in ["Integer.new(5)", "Any.new(5)", "unique([1])", "unique('a')", "undef.then"] {
        assert!(!answer(&format!("{code} |$x| {{ fail('asked') }}")).starts_with("error"), "{code}");
    }
    all(&[
        ("Integer.new('5') |$x| { $x + 1 }", "6"),
        ("5.convert_to(Integer) |$x| { $x + 1 }", "6"),
        ("get(3, 'a') |$error| { 'asked' }", "error RUNTIME_ERROR"),
        ("get({'a' => 3}, 'a.b') |$error| { 'asked' }", "'asked'"),
        ("lookup('x') |String $name| { $name }", "error RUNTIME_ERROR"),
        ("lookup(['x', 'y']) |$names| { $names }", "['x', 'y']"),
    ]);
}

#[test]
fn parameters_are_judged_after_their_default_values_are_made() {
    all(&[
        ("with(1) |String $a, $b = $nope| { $a }", "error UNKNOWN_VARIABLE"),
        ("function f(String $a, $b = $nope) { $a } f(1)", "error RUNTIME_ERROR"),
        ("function f(Integer $a = 'x') { $a } f()", "error RUNTIME_ERROR"),
        ("function f(Integer *$a = ['x']) { $a } f()", "error RUNTIME_ERROR"),
        ("function f(Integer *$a = 5) { $a } f()", "[5]"),
        // What takes the rest may say the type of the array.
        ("with(1, 2) |Array[Integer] *$all| { $all }", "[1, 2]"),
        ("with([1], [2]) |Array[Integer] *$all| { $all }", "error RUNTIME_ERROR"),
        ("function f(Array *$all) { $all } f(1)", "[1]"),
    ]);
}

#[test]
fn what_an_option_leaves_out_is_undef() {
    all(&[
        ("{'a' => 1} ? { {'b' => undef} => 1, default => 2 }", "1"),
        ("{'a' => 1} ? { {'b' => default} => 1, default => 2 }", "1"),
        ("{'a' => 1} ? { {'b' => 1} => 1, default => 2 }", "2"),
        ("/a/ ? { /a/ => 1, default => 2 }", "2"),
        ("'foobar' in [5, /o+(b)/] and $1 == 'b'", "true"),
        (
            "['x' in [String], 5 in [Integer], 'x' in [default], SemVer('1.2.3') in [SemVerRange('1.x')]]",
            "[true, false, true, true]",
        ),
        ("{'b' => undef} == {'a' => 1}", "true"),
        ("{'a' => 1} == {'b' => undef}", "false"),
    ]);
}

#[test]
fn a_position_in_a_text_may_be_a_text() {
    all(&[
        ("'abc'['0x1']", "'b'"),
        ("'abc'[1, '-1']", "'bc'"),
        ("Binary('YWJj')[['1']]", "Binary(\"Yg==\")"),
        ("'abc'['1.0']", "error BAD_STRING_SLICE_KEY_TYPE"),
        ("[1, 2]['1']", "error NUMERIC_COERCION"),
        ("[1, 2][Timespan(1)]", "error BAD_SLICE_KEY_TYPE"),
        ("[1, 2][1.0, 'a']", "error NOT_NUMERIC"),
    ]);
}

#[test]
fn of_parameters_with_one_name_the_last_counts() {
    all(&[
        ("with(1, 2) |$a, $a| { $a }", "2"),
        ("with(1) |$a, $a = 5| { $a }", "5"),
        ("with(1, 2, 3) |$a, *$a| { $a }", "[2, 3]"),
        ("with(1) |String $a, $b| { $a }", "error MISSING_REQUIRED_PARAMETER"),
    ]);
}

#[test]
fn the_first_part_of_versions_that_differs_decides() {
    for (a, b, expected) in [
        ("1.10.1", "1.9", "1"),
        ("1.2-3", "1.2.3", "-1"),
        ("1.2.3", "1.2.x", "-1"),
        ("1.00", "1.0", "1"),
        ("1.09", "1.8", "-1"),
        ("1..2", "1.2", "-1"),
        ("2.0A", "2.0a", "0"),
        ("1.0.0-rc10", "1.0.0-rc9", "1"),
        ("99999999999999999999", "99999999999999999998", "1"),
        // The longer of two that agree is newer.
        ("1.0", "1.0.0", "-1"),
        ("1.0-alpha", "1.0", "1"),
        ("", "", "0"),
    ] {
        assert_eq!(answer(&format!("versioncmp('{a}', '{b}')")), expected, "{a} {b}");
    }
    // Trailing zeroes are those before the hyphen.
    assert_eq!(answer("versioncmp('1.0.0-rc.0', '1-rc.0', true)"), "0");
    assert_eq!(answer("versioncmp('100', '1', true)"), "0");
}

#[test]
fn scanf_reads_by_its_format() {
    for (text, format, expected) in [
        (
            "12 0x1f 017 ff 3.5e1 word ab]cd",
            "%d %i %o %x %f %s %[]a-b]%c",
            "[12, 31, 15, 255, 35.0, 'word', 'ab]', 'c']",
        ),
        ("123456 7", "%2d%*3d%d%d", "[12, 6, 7]"),
        ("1,x,3", "%d,%d,%d", "[1]"),
        ("5%", "%d%%%s", "[5]"),
    ] {
        assert_eq!(answer(&format!("scanf('{text}', '{format}')")), expected, "{text} {format}");
    }
}

#[test]
fn a_path_has_keys_indexes_and_quoted_keys() {
    let data = "{'a' => [{'b.c' => [{'x y' => 5}]}], '1' => 6}";
    assert_eq!(answer(&format!("{data}.get(\"a.0. 'b.c' .-1. x y \")")), "5");
    assert_eq!(answer(&format!("{data}.get('\"1\"')")), "6");
    assert_eq!(answer("[1].get('')"), "[1]");
    for hole in ["''", ".a", "a.", "a..b", "'a", "'a'b", "a'b'"] {
        assert_eq!(answer(&format!("{data}.get(\"{hole}\")")), "error RUNTIME_ERROR", "{hole}");
    }
}

#[test]
fn lists_make_hashes_and_trees() {
    for (arguments, expected) in [
        ("[[['a'], [1, 2]], [['a', 0], 5]], 'tree'", "{'a' => [5, 2]}"),
        ("[[['a'], [1, 2]], [['a', 0], 5]], 'hash_tree'", "{'a' => {0 => 5, 1 => 2}}"),
        ("[[['a', 'b'], 5], [[], [1, 2]]], 'tree'", "{'a' => {'b' => 5}, 0 => 1, 1 => 2}"),
        ("[[['a'], 5], [['a', 'b'], 5]], 'tree'", "error RUNTIME_ERROR"),
        ("[1, 2]", "{1 => 2}"),
        ("[[1, 2], [3, 4]]", "{1 => 2, 3 => 4}"),
        ("[[1, 2], [3]]", "{[1, 2] => [3]}"),
        ("[1, 2, 3]", "error RUNTIME_ERROR"),
    ] {
        assert_eq!(answer(&format!("Hash({arguments})")), expected, "{arguments}");
    }
}

#[test]
fn texts_of_digits_are_numbers_for_max_and_other_texts_are_not() {
    for (a, b, greater) in [
        ("10", "9", "10"),
        ("1_0", "9", "1_0"),
        ("1E1", "9", "1E1"),
        ("-1", "-2", "-1"),
        ("1.5e1", "9", "9"),
        ("10", "9a", "9a"),
        ("B", "a", "a"),
    ] {
        assert_eq!(answer(&format!("max('{a}', '{b}')")), format!("'{greater}'"), "{a} {b}");
    }
}

#[test]
fn sorting_is_stable_and_complete_at_every_length() {
    for length in 1..40_i64 {
        let values: Vec<i64> = (0..length).map(|n| n * 7 % 10).collect();
        let mut expected: Vec<(usize, i64)> = values.iter().copied().enumerate().collect();
        expected.sort_by_key(|(_, value)| *value);
        let pairs: Vec<String> = values.iter().enumerate().map(|(at, value)| format!("[{at}, {value}]")).collect();
        let expected: Vec<String> = expected.iter().map(|(at, value)| format!("[{at}, {value}]")).collect();
        let code = format!("[{}].sort |$a, $b| {{ compare($a[1], $b[1]) }}", pairs.join(", "));
        assert_eq!(answer(&code), format!("[{}]", expected.join(", ")), "{length} elements");
    }
}

#[test]
fn a_comparison_that_contradicts_itself_still_ends() {
    assert_eq!(answer("Array(Integer[1, 100]).sort |$a, $b| { 1 }.length"), "100");
}

#[test]
fn slices_clamp_to_what_is_there() {
    for (keys, expected) in [
        ("0, 2", "['a', 'b']"),
        ("-2, -1", "['b', 'c']"),
        ("1, -1", "['b', 'c']"),
        ("-5, 3", "['a']"),
        ("3, 1", "[]"),
        ("4, 1", "[]"),
        ("0, 9223372036854775807", "['a', 'b', 'c']"),
        ("-9223372036854775807, -9223372036854775807", "[]"),
    ] {
        assert_eq!(answer(&format!("['a', 'b', 'c'][{keys}]")), expected, "[{keys}]");
    }
}

/// Rounds down, in numbers in which nothing overflows.
fn divided(a: i64, b: i64) -> (String, String) {
    if b == 0 {
        return ("error DIV_BY_ZERO".to_owned(), "error DIV_BY_ZERO".to_owned());
    }
    let (a, b) = (i128::from(a), i128::from(b));
    let quotient = (a - (a % b + b) % b) / b;
    let quotient_text = i64::try_from(quotient).map_or("error NUMERIC_OVERFLOW".to_owned(), |fits| fits.to_string());
    (quotient_text, (a - quotient * b).to_string())
}

#[test]
fn quotients_are_rounded_down_and_remainders_have_the_sign_of_the_divisor() {
    assert_eq!((divided(-7, 2).0, divided(7, -2).1), ("-4".to_owned(), "-1".to_owned()));
    let near = |number: i64| (-2..=2).map(move |distance| number.saturating_add(distance));
    let numbers: Vec<i64> =
        [i64::MIN, i32::MIN.into(), -7, 0, 7, u32::MAX.into(), i64::MAX].into_iter().flat_map(near).collect();
    for &a in &numbers {
        for &b in &numbers {
            let value = |operator: &str| {
                let mut session =
                    Session::builder().strictness(Strictness::Error).variable("a", a).variable("b", b).build();
                text_of(&session.eval(&format!("$a {operator} $b")))
            };
            assert_eq!((value("/"), value("%")), divided(a, b), "{a} and {b}");
        }
    }
}
