//! `strftime`: formats times.

use crate::time::{Timestamp, strftime, timespan_format};
use crate::value::Value;

functions! {
    /// formats a Timespan or Timestamp with directives; without one, the current time
    "strftime" [
        "(Timespan $time, String $format) >> String",
        "(Timestamp $time, String $format, String $timezone = '') >> String",
        "(String $format, String $timezone = '') >> String",
    ] {
        "strftime(Timespan({hours => 30}), '%D days %H hours')" => "'1 days 06 hours'",
        "strftime(Timespan(90), '%M:%S')" => "'01:30'",
        "strftime(Timestamp(1473150899), '%A, %-d %B %Y')" => "'Tuesday, 6 September 2016'",
        "strftime(Timestamp(0), '%FT%T%:z', '+02:00')" => "'1970-01-01T02:00:00+02:00'",
        "strftime(Timespan(1), '%Q')" => "error RUNTIME_ERROR",
    } => |call| {
        let text = |at: usize| call.arguments.get(at).and_then(Value::as_str).unwrap_or_default();
        Ok(Value::from(match call.arguments.first() {
            Some(Value::Timespan(time)) => timespan_format::TimespanFormat::parse_format(text(1))?.format(*time)?,
            Some(Value::Timestamp(time)) => strftime::format(*time, text(1), text(2))?,
            _ => strftime::format(Timestamp::now(), text(0), text(1))?,
        }))
    };
}
