//! Timespans and Timestamps as programs meet them: constructors, operators, ranges, strictness.

use std::collections::HashSet;

use pcore::format;
use pcore::session::{Event, Session, Strictness};
use pcore::text::Source;
use pcore::time::{self, Timespan};

/// The `%p` text of the last value, or the issue code of the error.
fn answer(code: &str, strictness: Strictness) -> (String, usize) {
    let mut session = Session::new(strictness);
    let source = Source::new("time.pp", code);
    let mut warnings = 0;
    let result = session.evaluate(&source, &mut |event| warnings += usize::from(matches!(event, Event::Warning(_))));
    let text = match result {
        Ok(value) => format::program_text(&value),
        Err(error) => format!("error {}", error.code()),
    };
    (text, warnings)
}

#[track_caller]
fn gives(code: &str, expected: &str) {
    assert_eq!(answer(code, Strictness::Error).0, expected, "{code}");
}

#[test]
fn a_span_is_made_of_whatever_says_how_long() {
    gives("Timespan(90061.5)", "Timespan('1-01:01:01.5')");
    gives("Timespan(8.2)", "Timespan('0-00:00:08.199999999')");
    gives("Timespan(1, 0, 0, -1)", "Timespan('0-23:59:59.0')");
    gives("Timespan(1, 2, 3, 4, 5, 6, 7)", "Timespan('1-02:03:04.005006007')");
    gives("Timespan({'negative' => true, 'hours' => -2})", "Timespan('0-02:00:00.0')");
    gives("Timespan({'string' => '10:03', 'format' => ['%D', '%M:%S']})", "Timespan('0-00:10:03.0')");
    gives("Timespan('05', ['%N', '%S'])", "Timespan('0-00:00:05.0')");
    gives("Timespan('05', '%N')", "error RUNTIME_ERROR");
    gives("Timespan(9223372036854775807, 0, 0, 0)", "Timespan('9223372036854775807-00:00:00.0')");
    gives("Timespan(1e300)", "error RUNTIME_ERROR");
    gives("Timespan(1, 2, 3)", "error RUNTIME_ERROR");
}

#[test]
fn a_stamp_is_made_of_whatever_says_when() {
    gives("Timestamp(-0.5)", "Timestamp('1969-12-31T23:59:59.500000000 UTC')");
    gives("Timestamp(1e20)", "Timestamp('3168873852651-02-22T07:23:53.150857216 UTC')");
    gives("Timestamp('2016-08-24 10', '%F %H', 'EST')", "Timestamp('2016-08-24T15:00:00.000000000 UTC')");
    gives("Timestamp('2016-08-24', ['%Y', '%F'])", "Timestamp('2016-08-24T00:00:00.000000000 UTC')");
    gives("Timestamp({string => '2016', format => '%Y', timezone => '+01:00'}) < Timestamp('2016-01-01')", "true");
    gives("Timestamp('2016-08-24T24:30:00')", "error RUNTIME_ERROR");
    gives("Timestamp() > Timestamp('2020-01-01')", "true");
}

#[test]
fn times_are_calculated_with_numbers_of_seconds() {
    gives("Timestamp(100.5) - Timestamp(-1)", "Timespan('0-00:01:41.5')");
    gives("10 + Timestamp(4)", "Timestamp('1970-01-01T00:00:14.000000000 UTC')");
    gives("3 - Timespan(10.5)", "Timespan('-0-00:00:07.5')");
    gives("Timespan(10.5) / -1.7", "Timespan('-0-00:00:06.176470589')");
    gives("Timespan(7) / Timespan(2)", "3.5");
    gives("Timespan(-2.5) % 2", "1");
    gives("Timespan(10) / 0", "error DIV_BY_ZERO");
    gives("Timespan(1) / Timespan(0)", "error RESULT_IS_INFINITY");
    gives("Timestamp(1) + Timestamp(1)", "error RUNTIME_ERROR");
    gives("Timestamp(1) * 2", "error OPERATOR_NOT_APPLICABLE");
    gives("3 - Timestamp(1)", "error OPERATOR_NOT_APPLICABLE_WHEN");
    gives("Timespan(1) + true", "error NOT_NUMERIC");
}

#[test]
fn times_compare_with_their_like_and_with_numbers() {
    gives(
        "[Timespan(2.5) == 2, Timespan(2.5) == 2.5, 3 == Timestamp(3), Timespan(-2.5) == -3]",
        "[true, true, true, true]",
    );
    gives("[Timespan(2.5) > 2, 2 < Timespan(2.5), 2 == Timespan(2.5)]", "[false, true, true]");
    gives("[Timespan(2.5) < 3, 1e20 > Timestamp(0), Timestamp(2.5) <= 2]", "[true, true, true]");
    gives("Timespan(1) == Timestamp(1)", "false");
    gives("Timespan(1) < Timestamp(1)", "error COMPARISON_NOT_POSSIBLE");
}

#[test]
fn ranges_hold_both_ends() {
    gives("Timespan[1, 2] =~ Type[Timespan[0, 2]]", "true");
    gives("[1, 1.5, 2, 2.1].map |$s| { Timespan($s) =~ Timespan[1, 2] }", "[true, true, true, false]");
    gives("Timestamp['2016-01-01', default] <= Timestamp", "true");
    gives("Timespan[{hours => 1}, '0-02:00:00']", "Timespan['0-01:00:00.0', '0-02:00:00.0']");
    gives("type(Timespan(1.5))", "Timespan['0-00:00:01.5']");
    gives("Timestamp[5, 1]", "error RUNTIME_ERROR");
    gives("Timespan['1', '2', '3']", "error BAD_TYPE_SLICE_ARITY");
}

#[test]
fn what_the_specification_allows_is_a_warning_and_under_error_refused() {
    let cases = [
        ("Timespan('13:20')", "Timespan('0-13:20:00.0')"),
        ("Timestamp('1473150899', '%s')", "Timestamp('2016-09-06T08:34:59.000000000 UTC')"),
        ("Timestamp('2016 250', '%Y %j')", "Timestamp('2016-09-06T00:00:00.000000000 UTC')"),
    ];
    for (code, expected) in cases {
        assert_eq!(answer(code, Strictness::Off), (expected.to_owned(), 0), "{code}");
        assert_eq!(answer(code, Strictness::Warning), (expected.to_owned(), 1), "{code}");
        assert_eq!(answer(code, Strictness::Error), ("error RUNTIME_ERROR".to_owned(), 0), "{code}");
    }
}

#[test]
fn a_count_of_nanoseconds_keeps_its_value_and_its_order() {
    let counts = [i128::MIN, -(1 << 64), -(1 << 63), -1, 0, 1, 1 << 63, 1 << 64, i128::MAX];
    for count in counts {
        assert_eq!(Timespan::from_nanoseconds(count).nanoseconds(), count);
    }
    assert!(counts.map(Timespan::from_nanoseconds).is_sorted());
}

#[test]
fn letters_are_listed_once() {
    let letters: Vec<char> = time::timestamp_directives().map(|(letter, _)| letter).collect();
    let unique: HashSet<char> = letters.iter().copied().collect();
    assert_eq!(letters.len(), unique.len());
    assert_eq!(time::timespan_directives().next(), Some(('D', "days")));
}
