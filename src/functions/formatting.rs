//! `sprintf`: formats values with directives.

use super::legacy_arguments::{text_like, to_legacy};
use super::{Call, Flow};
use crate::error::Result;
use crate::format;
use crate::value::Value;

functions! {
    /// formats the arguments: each directive (%d, %-10s, %.2f, %<name>x) is replaced by one
    "sprintf" [concat!("(Variant[", text_like!(), "] $format, Any *$arguments) >> String")] {
        "sprintf('%05d|%-5s|%#x', 42, 'ab', 255)" => "'00042|ab   |0xff'",
        "sprintf('%<port>d', {'port' => 80})" => "'80'",
        "sprintf('%s', File['/x'])" => "'File[/x]'",
        "sprintf('%d', 'ten')" => "error RUNTIME_ERROR",
    } => sprintf;
}

fn sprintf(call: &mut Call<'_>) -> Result<Value, Flow> {
    let arguments = call.arguments.iter().map(to_legacy).collect::<Result<Vec<Value>>>()?;
    // The signature lets nothing else through.
    let [Value::String(format), arguments @ ..] = &arguments[..] else { return Ok(Value::Undef) };
    Ok(format::sprintf(format, arguments)?.into())
}
