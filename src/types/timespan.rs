//! `Timespan[from, to]`: durations between two inclusive bounds.

use super::definition::time_range::{TimeRange, TimeValue, formats_of_argument, string_at_key};
use super::{Rules, Type, Value, row};
use crate::error::{Error, Result};
use crate::time::{Timespan, TimespanParts, timespan_format};

/// Durations, exact to the nanosecond, between two inclusive bounds.
///
/// A bound is a Timespan, a number of seconds, a string in a default format, or a hash of named arguments as for `new`.
///
/// Source: language specification, "`Timespan ([from, to])`".
pub type TimespanType = TimeRange<Timespan>;

impl TimeValue for Timespan {
    row! {
        for TimespanType: "Timespan" ["from, to"] below "Scalar": "durations, optionally between two inclusive bounds";
        "Timespan(13.5)" => "Timespan('0-00:00:13.5')",
        "Timespan(4, 0, 0, 2)" => "Timespan('4-00:00:02.0')",
        "Timespan({hours => 30})" => "Timespan('1-06:00:00.0')",
        "Timespan('10:03.5', '%M:%S.%L')" => "Timespan('0-00:10:03.5')",
        "Timespan(90) =~ Timespan[60, '0-00:02:00']" => "true",
        "Timespan('soon')" => "error RUNTIME_ERROR",
        new "(Variant[Integer, Float] $seconds)",
        new "(String[1] $string, Variant[String[2], Array[String[2], 1]] $format = undef)",
        new "(Integer $days, Integer $hours, Integer $minutes, Integer $seconds, \
          Integer $milliseconds = 0, Integer $microseconds = 0, Integer $nanoseconds = 0)",
        new "(Struct[{string => String[1], Optional[format] => Variant[String[2], Array[String[2], 1]]}] $hash)",
        new "(Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => Integer, \
          Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] => Integer, \
          Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}] $hash)",
    }

    fn time_of_value(value: &Value) -> Option<Timespan> {
        if let Value::Timespan(span) = value { Some(*span) } else { None }
    }

    fn range_of_type(type_: &Type) -> Option<&TimespanType> {
        if let Type::Timespan(range) = type_ { Some(range) } else { None }
    }

    /// Ignores unknown keys. Observed: Puppet 8.11, for a Hash in the brackets of the type.
    fn from_bound(value: &Value) -> Result<Option<Timespan>> {
        Ok(match value {
            Value::Timespan(span) => Some(*span),
            Value::Integer(seconds) => Some(Timespan::from_seconds(*seconds)),
            Value::Float(seconds) => Some(Timespan::from_float(*seconds)?),
            Value::String(text) => Some(parse_timespan(text, None)?),
            Value::Hash(named) if named.get_str("string").is_some() => {
                string_at_key(named, "string").map(|text| parse_timespan(text, named.get_str("format"))).transpose()?
            }
            Value::Hash(named) => {
                let unit = |name: &str| match named.get_str(name) {
                    None | Some(Value::Undef) => Some(0),
                    Some(Value::Integer(number)) => Some(*number),
                    Some(_) => None,
                };
                let negative = named.get_str("negative").is_some_and(Value::is_true);
                UNITS.map(unit).into_iter().collect::<Option<Vec<_>>>().map(|units| from_units(negative, &units))
            }
            _ => None,
        })
    }

    fn construct(arguments: &[Value]) -> Result<Value> {
        let span = match arguments {
            [value] => Timespan::from_bound(value)?,
            [Value::String(text), format] => Some(parse_timespan(text, Some(format))?),
            units => {
                let numbers = units.iter().map(Value::as_integer).collect::<Option<Vec<_>>>();
                let numbers = numbers.filter(|numbers| (4..=UNITS.len()).contains(&numbers.len()));
                numbers.map(|numbers| from_units(false, &numbers))
            }
        };
        let expected = || Error::runtime("expected seconds, a string, four to seven units, or named arguments");
        span.map(Value::Timespan).ok_or_else(expected)
    }

    fn construct_by_specification(arguments: &[Value]) -> Option<Value> {
        let text = match arguments {
            [Value::String(text)] => text,
            [Value::Hash(named)] if named.get_str("format").is_none() => string_at_key(named, "string")?,
            _ => return None,
        };
        // The specification's example '13:20' has no default format that would read it.
        timespan_format::parse(text, &["%H:%M"]).ok().map(Value::Timespan)
    }
}

const UNITS: [&str; 7] = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];

/// Creates a timespan from the `numbers` of the units in the order of [`UNITS`]; missing numbers at the end are zero.
fn from_units(negative: bool, numbers: &[i64]) -> Timespan {
    let [days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds]: [i64; UNITS.len()] =
        std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(0));
    let parts = TimespanParts { negative, days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds };
    Timespan::from_parts(&parts)
}

fn parse_timespan(text: &str, format: Option<&Value>) -> Result<Timespan> {
    timespan_format::parse(text, &formats_of_argument(format, &timespan_format::DEFAULT_FORMATS))
}
