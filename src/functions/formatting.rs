//! `sprintf`: formats values with directives.

use super::legacy_arguments::{text_like, to_legacy};
use super::{Call, Flow, Function};
use crate::error::Result;
use crate::format;
use crate::types::example;
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[Function {
    name: "sprintf",
    summary: "formats the arguments: each directive (%d, %-10s, %.2f, %<name>x) is replaced by one",
    signatures: &[concat!("(Variant[", text_like!(), "] $format, Any *$arguments) >> String")],
    examples: &[
        example("sprintf('%05d|%-5s|%#x', 42, 'ab', 255)", "'00042|ab   |0xff'"),
        example("sprintf('%<port>d', {'port' => 80})", "'80'"),
        example("sprintf('%s', File['/x'])", "'File[/x]'"),
        example("sprintf('%d', 'ten')", "error RUNTIME_ERROR"),
    ],
    body: sprintf,
}];

fn sprintf(call: &mut Call<'_>) -> Result<Value, Flow> {
    let arguments = call.arguments.iter().map(to_legacy).collect::<Result<Vec<Value>>>()?;
    // The signature lets nothing else through.
    let [Value::String(format), arguments @ ..] = &arguments[..] else { return Ok(Value::Undef) };
    Ok(format::sprintf(format, arguments)?.into())
}
