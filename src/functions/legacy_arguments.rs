//! Argument coercion for functions of Puppet's older (3.x) API: `digest`, `fqdn_rand`, `md5`, `sha1`, `sha256`,
//! `shellquote` and `sprintf`. These functions only support Ruby's own types, and receive strings instead of values
//! of Puppet's types.
//!
//! Observed: Puppet 7.23.
//!
//! Deviation: Puppet silently drops a lambda passed to such a function; here it is rejected, as by every function
//! without a block parameter.

use super::map_collection;
use crate::error::{Error, Result};
use crate::format;
use crate::microsyntax::escape_slashes;
use crate::value::Value;

/// The types of the arguments that become strings, as part of a Variant in signatures.
macro_rules! text_like {
    () => {
        "Undef, String, Regexp, Binary, SemVer, SemVerRange, Timespan, Timestamp"
    };
}
pub(super) use text_like;

pub(super) fn to_legacy_argument(argument: &Value) -> Result<Value> {
    match argument {
        Value::Undef => Ok(Value::from("")),
        other => to_legacy_value(other),
    }
}

fn to_legacy_value(value: &Value) -> Result<Value> {
    match value {
        Value::Regexp(regexp) => Ok(Value::from(format!("/{}/", escape_slashes(regexp.source())))),
        Value::Binary(_) | Value::SemVer(_) | Value::SemVerRange(_) | Value::Timespan(_) | Value::Timestamp(_) => {
            Ok(format::try_interpolated_text(value)?.into())
        }
        Value::Iterator(_) => Err(Error::runtime("cannot pass an iterator to this function")
            .with_help("convert it to an array: Array($iterator)")),
        other => map_collection(other, to_legacy_value),
    }
}
