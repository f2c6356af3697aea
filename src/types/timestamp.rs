//! `Timestamp[from, to]`: points in time between two inclusive bounds.

use super::definition::time_range::{TimeRange, TimeValue, formats_of_argument, string_at_key};
use super::{Rules, Type, Value, row};
use crate::error::{Error, Result};
use crate::time::Timestamp;
use crate::time::strptime::{self, ParseMode};

/// Points in time, exact to the nanosecond, between two inclusive bounds.
///
/// A bound is a Timestamp, seconds since 1970, a string in a default format, or a hash of named arguments as for `new`.
///
/// Source: language specification, "`Timestamp ([from, to])`".
pub type TimestampType = TimeRange<Timestamp>;

impl TimeValue for Timestamp {
    row! {
        for TimestampType: "Timestamp" ["from, to"] below "Scalar":
            "points in time, optionally between two inclusive bounds";
        "Timestamp(1473150899)" => "Timestamp('2016-09-06T08:34:59.000000000 UTC')",
        "Timestamp('Wed Aug 24 12:13:14 2016 PDT', '%c %Z')" => "Timestamp('2016-08-24T19:13:14.000000000 UTC')",
        "Timestamp({string => '2015', format => '%Y'}) =~ Timestamp['2015-01-01']" => "true",
        "Timestamp('soon')" => "error RUNTIME_ERROR",
        new "()",
        new "(Variant[Integer, Float] $seconds)",
        new "(String[1] $string, Variant[String[2], Array[String[2], 1]] $format = undef, String[1] $timezone = undef)",
        new "(Struct[{string => String[1], Optional[format] => Variant[String[2], Array[String[2], 1]], \
          Optional[timezone] => String[1]}] $hash)",
    }

    fn time_of_value(value: &Value) -> Option<Timestamp> {
        if let Value::Timestamp(stamp) = value { Some(*stamp) } else { None }
    }

    fn range_of_type(type_: &Type) -> Option<&TimestampType> {
        if let Type::Timestamp(range) = type_ { Some(range) } else { None }
    }

    fn from_bound(value: &Value) -> Result<Option<Timestamp>> {
        timestamp_from_value(value, ParseMode::Puppet)
    }

    fn construct(arguments: &[Value]) -> Result<Value> {
        let stamp = match arguments {
            [] => Some(Timestamp::now()),
            arguments => timestamp_from_arguments(arguments, ParseMode::Puppet)?,
        };
        let expected = || Error::runtime("expected no argument, seconds, a string, or named arguments");
        stamp.map(Value::Timestamp).ok_or_else(expected)
    }

    fn construct_by_specification(arguments: &[Value]) -> Option<Value> {
        timestamp_from_arguments(arguments, ParseMode::Specification).ok().flatten().map(Value::Timestamp)
    }
}

fn timestamp_from_arguments(arguments: &[Value], reading: ParseMode) -> Result<Option<Timestamp>> {
    match arguments {
        [value] => timestamp_from_value(value, reading),
        [Value::String(string), format, zone @ ..] => {
            parse_timestamp(string, Some(format), zone.first().and_then(Value::as_str), reading).map(Some)
        }
        _ => Ok(None),
    }
}

fn timestamp_from_value(value: &Value, reading: ParseMode) -> Result<Option<Timestamp>> {
    Ok(match value {
        Value::Timestamp(stamp) => Some(*stamp),
        Value::Integer(seconds) => Some(Timestamp::from_seconds(*seconds)),
        Value::Float(seconds) => Some(Timestamp::from_float(*seconds)?),
        Value::String(text) => Some(parse_timestamp(text, None, None, reading)?),
        Value::Hash(named) => {
            let parsed =
                |text| parse_timestamp(text, named.get_str("format"), string_at_key(named, "timezone"), reading);
            string_at_key(named, "string").map(parsed).transpose()?
        }
        _ => None,
    })
}

fn parse_timestamp(text: &str, format: Option<&Value>, zone: Option<&str>, reading: ParseMode) -> Result<Timestamp> {
    strptime::parse(text, &formats_of_argument(format, &strptime::DEFAULT_FORMATS), zone, reading)
}
