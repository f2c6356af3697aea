//! The directives of formats: Timespans and Timestamps as they are written and read.

use pcore::session::{Session, Strictness};
use pcore::time::{Timespan, TimespanParts, Timestamp};
use pcore::{Error, Value};
use proptest::prelude::*;

/// The value of a program that has variables.
fn eval<const COUNT: usize>(code: &str, variables: [(&str, Value); COUNT]) -> Result<Value, Error> {
    let mut session = Session::builder();
    for (name, value) in variables {
        session = session.variable(name, value);
    }
    session.build().eval(code)
}

fn written(time: impl Into<Value>, format: &str) -> Result<String, Error> {
    let text = eval("strftime($time, $format)", [("time", time.into()), ("format", format.into())])?;
    Ok(text.as_str().expect("a String").to_owned())
}

#[track_caller]
fn shows(time: impl Into<Value>, format: &str, expected: &str) {
    assert_eq!(written(time, format).expect(format), expected, "{format}");
}

fn stamp(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(seconds)
}

/// `Timespan` and `Timestamp` read a text by a format.
fn read(type_: &str, text: &str, format: &str) -> Result<Value, Error> {
    eval(&format!("{type_}($text, $format)"), [("text", text.into()), ("format", format.into())])
}

fn read_span(text: &str, format: &str) -> Result<Timespan, Error> {
    let Value::Timespan(span) = read("Timespan", text, format)? else { panic!("a Timespan") };
    Ok(span)
}

/// The seconds that `text` says, or `None` if it is rejected.
fn seconds(text: &str, format: &str) -> Option<i64> {
    let Value::Timestamp(stamp) = read("Timestamp", text, format).ok()? else { panic!("a Timestamp") };
    Some(i64::try_from(stamp.nanoseconds() / 1_000_000_000).expect("near 1970"))
}

fn span() -> Timespan {
    Timespan::from_parts(&TimespanParts {
        days: 1,
        hours: 2,
        minutes: 3,
        seconds: 4,
        milliseconds: 5,
        microseconds: 6,
        nanoseconds: 7,
        negative: false,
    })
}

#[test]
fn the_highest_unit_absorbs_what_is_above() {
    let cases = [
        ("%D-%H:%M:%S", "1-02:03:04"),
        ("%H:%M:%S", "26:03:04"),
        ("%M:%H", "03:26"),
        ("%S", "93784"),
        ("%H %H", "26 02"),
        ("%L", "93784005"),
        ("%N", "93784005006007"),
        ("%3N", "93784005"),
    ];
    for (format, expected) in cases {
        shows(span(), format, expected);
    }
}

#[test]
fn fractions_are_exact() {
    let cases = [
        ("%S.%N", "93784.005006007"),
        ("%S.%-N", "93784.005006007"),
        ("%S.%L", "93784.005"),
        ("%S.%1L", "93784.005"),
        ("%S.%5N|", "93784.00500|"),
        ("%S.%_5N|", "93784.005  |"),
        ("%S.%-5N|", "93784.005|"),
        ("%S.%12N|", "93784.005006007   |"),
    ];
    for (format, expected) in cases {
        shows(span(), format, expected);
    }
    shows(Timespan::from_seconds(0), "%S.%N|%L", "00.0        |0  ");
}

#[test]
fn the_sign_stands_in_front_of_the_whole_text() {
    let cases = [("%D %H", "-0 00"), ("é%_5S", "-é    5"), ("%%", "-%"), ("%3M", "-000")];
    for (format, expected) in cases {
        shows(Timespan::from_seconds(-5), format, expected);
    }
}

#[test]
fn unknown_directives_are_named() {
    let error = written(span(), "%H:%-_M").expect_err("two flags");
    assert_eq!(
        error.message(),
        "expected one of the directives %D %H %M %S %L %N %% in the format '%H:%-_M', got '%-_M'"
    );
    assert_eq!(written(span(), "5%").expect_err("no letter").code(), "RUNTIME_ERROR");
}

#[test]
fn only_the_highest_unit_reads_any_number_of_digits() {
    let reads = |text: &str, format: &str| read_span(text, format).map(|span| span.nanoseconds() / 1_000_000_000);
    let cases = [
        ("123456", "%H", 123_456 * 3600),
        ("99:99", "%H:%M", 99 * 3600 + 99 * 60),
        ("12345", "%H%M", 1234 * 3600 + 5 * 60),
        ("12", "%M%H", 2 * 3600 + 60),
        ("1 02", "%H %H", 3 * 3600),
        (" 7", "%_2H", 7 * 3600),
        ("1: 2", "%H:%_M", 3720),
        ("-1:30", "%M:%S", -90),
        ("-ab", "ab", 0),
    ];
    for (text, format, seconds) in cases {
        assert_eq!(reads(text, format).expect(text), seconds, "{text} {format}");
    }
    let wrong = [("1:176", "%D:%H"), ("1", "%2H"), ("123", "%2H"), (" 1", "%H"), ("1:  2", "%H:%_M"), ("5", "%N")];
    for (text, format) in wrong {
        assert_eq!(reads(text, format).expect_err(text).code(), "RUNTIME_ERROR", "{text} {format}");
    }
}

#[test]
fn a_long_text_that_does_not_fit_is_refused_at_once() {
    let format = "%H%M%S%H%M%S".repeat(20) + "x";
    assert_eq!(read_span(&"1".repeat(2000), &format).expect_err("no x").code(), "RUNTIME_ERROR");
}

proptest! {
    #[test]
    fn a_format_of_spans_with_all_parts_reads_back(
        nanoseconds in -i128::MAX..=i128::MAX,
        format in prop::sample::select(&[
            "%D-%H:%M:%S.%-N",
            "%H:%M:%S.%-N",
            "%M %-S,%-N",
            "%S.%-N",
            "%-Dd%-Hh%-Mm%-Ss%-Nns",
        ][..]),
    ) {
        let span = Timespan::from_nanoseconds(nanoseconds);
        let text = written(span, format).unwrap();
        prop_assert_eq!(read_span(&text, format).unwrap(), span, "{}", text);
    }

    #[test]
    fn a_fraction_of_fixed_width_reads_back(nanoseconds in 1..1_000_000_000_i128) {
        let span = Timespan::from_nanoseconds(nanoseconds);
        let text = written(span, "%S.%9N").unwrap();
        prop_assert_eq!(read_span(&text, "%S.%9N").unwrap(), span, "{}", text);
    }
}

/// What Ruby says of 2016-09-06 08:34:59 UTC.
#[test]
fn flags_and_widths_fill_and_change_case() {
    let cases = [
        ("%-d %_d %e %0e", "6  6  6 06"),
        ("%10d|%_10d|%-10d", "0000000006|         6|6"),
        ("%^a %#B %^c", "TUE SEPTEMBER TUE SEP  6 08:34:59 2016"),
        ("%p %#p %P %^P %^#p", "AM am am AM am"),
        ("%10A|%010A|%-10A", "   Tuesday|000Tuesday|Tuesday"),
        ("%20F|%020F|%-20F", "          2016-09-06|00000000002016-09-06|          2016-09-06"),
        ("%z %:z %::z %:::z", "+0000 +00:00 +00:00:00 +00"),
        ("%10z %_10z %-z", "+000000000       +000 -0000"),
        ("%3N %L %N %12N", "000 000 000000000 000000000000"),
        ("%Ey %Od %v", "16 06  6-SEP-2016"),
        ("%010n%%", "000000000\n%"),
    ];
    for (text, expected) in cases {
        shows(stamp(1_473_150_899), text, expected);
    }
}

#[test]
fn what_is_no_directive_stays() {
    shows(stamp(0), "%J %+ %Q %Ed %:d %10J é%ä", "%J %+ %Q %Ed %:d %10J é%ä");
}

#[test]
fn an_unfinished_directive_is_an_error() {
    for text in ["%", "a%", "%10", "%-", "%:%"] {
        let error = written(stamp(0), text).expect_err(text);
        assert_eq!(error.message(), format!("the format '{text}' ends after `%`: expected a letter"));
    }
}

#[test]
fn weeks_belong_to_the_year_of_their_thursday() {
    // Sunday 2017-01-01
    shows(stamp(1_483_228_800), "%G-%V-%u %g %U %W %j", "2016-52-7 16 01 00 001");
    // Wednesday 1969-12-31
    shows(stamp(-1), "%G-%V-%u %g %U %W %j", "1970-01-3 70 52 52 365");
}

#[test]
fn years_far_away_repeat_after_400() {
    shows(stamp(i64::MAX), "%F %A %G-%V", "292277026596-12-04 Sunday 292277026596-48");
    shows(stamp(i64::MIN), "%F %A", "-292277022657-01-27 Sunday");
    shows(stamp(-62_167_219_201), "%Y %C %y %F", "-0001 -1 99 -0001-12-31");
}

#[test]
fn zones_are_offsets_and_names() {
    let at = |zone: &str| {
        let variables = [("time", Value::from(stamp(1_467_374_400))), ("zone", zone.into())];
        eval("strftime($time, '%F %T%z|%Z', $zone)", variables)
    };
    let cases = [
        ("", "2016-07-01 12:00:00+0000|UTC"),
        ("UTC", "2016-07-01 12:00:00+0000|"),
        ("EST", "2016-07-01 07:00:00-0500|"),
        ("est dst", "2016-07-01 08:00:00-0400|"),
        ("E. Africa Standard Time", "2016-07-01 15:00:00+0300|"),
        ("+9:30", "2016-07-01 21:30:00+0930|"),
        ("-9.25", "2016-07-01 02:45:00-0915|"),
        ("UTC+3", "2016-07-01 15:00:00+0300|"),
        ("+0275", "2016-07-01 15:15:00+0315|"),
    ];
    for (zone, expected) in cases {
        assert_eq!(at(zone).expect(zone), Value::from(expected), "{zone}");
    }
    for zone in ["Europe/Stockholm", "nowhere", "+24:00", "+02:75", " EST"] {
        assert_eq!(at(zone).expect_err(zone).code(), "RUNTIME_ERROR", "{zone}");
    }
}

#[test]
fn numbers_stop_where_a_number_follows() {
    let day = 1_473_120_000; // 2016-09-06
    let cases = [
        ("20160906", "%Y%m%d", Some(day)),
        ("2016096", "%Y%m%e", Some(day)),
        ("2016- 9-6", "%Y-%m-%d", None),
        ("2016-9- 6", "%Y-%m-%d", Some(day)),
        ("160906", "%y%m%d", Some(day)),
        ("20160906083459123", "%Y%m%d%H%M%S%L", Some(day + 30_899)),
        ("6-SEP-2016", "%v", Some(day)),
        ("sePTember 06 2016", "%b %d %Y", Some(day)),
        ("2016", "%Y%m", None),
        ("2016-09-06 x", "%F", None),
    ];
    for (text, format, expected) in cases {
        assert_eq!(seconds(text, format), expected, "{text} {format}");
    }
}

#[test]
fn pieces_are_judged_together() {
    let year = 1_451_606_400; // 2016-01-01
    let cases = [
        ("2016 12 AM", "%Y %I %p", Some(year)),
        ("2016 p.m. 5", "%Y %P %l", Some(year + 17 * 3600)),
        ("16 20", "%y %C", Some(year)),
        ("2016 24:00", "%Y %R", Some(year + 86_400)),
        ("2016 24:01", "%Y %R", None),
        ("2015-12-31 23:59:60", "%F %T", Some(year)),
        ("2015-02-31", "%F", seconds("2015-03-03", "%F")),
        ("2016 +02:30:15", "%Y %z", Some(year - 9015)),
        ("2016 PST", "%Y %Z", Some(year + 8 * 3600)),
        ("2016 foo", "%Y %Z", None),
        ("10:00", "%R", None),
    ];
    for (text, format, expected) in cases {
        assert_eq!(seconds(text, format), expected, "{text} {format}");
    }
}

#[test]
fn the_specification_reads_what_puppet_does_not() {
    let cases = [
        ("1473150899", "%s", 1_473_150_899),
        ("1473150899123", "%Q", 1_473_150_899),
        ("2016 250", "%Y %j", 1_473_120_000),
    ];
    for (text, format, expected) in cases {
        let code = format!("Integer(Timestamp('{text}', '{format}'))");
        assert_eq!(Session::new(Strictness::Warning).eval(&code).expect(text), Value::from(expected));
        assert_eq!(Session::new(Strictness::Error).eval(&code).expect_err(text).code(), "RUNTIME_ERROR");
    }
}

#[test]
fn a_zone_is_given_once() {
    let at = |code: &str| Session::default().eval(code);
    let expected = at("Timestamp('2016-01-01 05', '%F %H')").expect("UTC");
    assert_eq!(at("Timestamp('2016-01-01', '%F', 'EST')").expect("EST"), expected);
    let error = at("Timestamp('2016-01-01 PST', '%F %Z', 'EST')").expect_err("two zones");
    assert_eq!(error.message(), "expected one time zone, got 'EST' and another from the format '%F %Z'");
}

proptest! {
    #[test]
    fn the_standard_text_reads_back(nanoseconds in any::<i128>()) {
        let stamp = Timestamp::from_nanoseconds(nanoseconds);
        let read = eval("Timestamp($text)", [("text", stamp.to_string().into())]);
        prop_assert_eq!(read.unwrap(), Value::from(stamp));
    }

    #[test]
    fn a_format_of_stamps_with_all_parts_reads_back(
        seconds in -62_135_596_800_i64..253_402_300_800,
        zone in prop::sample::select(&["+00:00", "-03:30", "+13:45", "EST"][..]),
        format in prop::sample::select(&[
            "%F %T %z",
            "%FT%T%:z",
            "%c %z",
            "%A, %-d. %^B %Y %r %::z",
            "%v %X %z",
            "%Y%m%d%H%M%S%z",
            "%C%y-%m-%d %k:%M:%S %z",
            "%h %e %Y %I.%M.%S %P %z",
            "%a %F%n%R:%S%t%z",
        ][..]),
    ) {
        let stamp = Timestamp::from_seconds(seconds);
        let variables = [("time", Value::from(stamp)), ("format", format.into()), ("zone", zone.into())];
        let text = eval("strftime($time, $format, $zone)", variables).unwrap();
        let text = text.as_str().expect("a String");
        let format = format.replace("%-d", "%d").replace("%^B", "%B");
        let variables = [("text", Value::from(text)), ("format", format.into())];
        prop_assert_eq!(eval("Timestamp($text, $format)", variables).unwrap(), Value::from(stamp), "{}", text);
    }
}
