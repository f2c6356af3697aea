//! Resolves a `Deferred`, for `call`.

use super::{Flow, Runtime, rebuilt};
use crate::error::Error;
use crate::types::ObjectType;
use crate::value::{Object, Value};
use crate::{interrupt, stack};

/// `value` with every Deferred in it, however deep in arrays and hashes, replaced by what it describes.
pub(super) fn resolve(runtime: &mut dyn Runtime, value: &Value) -> Result<Value, Flow> {
    interrupt::poll();
    match value {
        Value::Object(object) if object.is_deferred() => stack::with_room(|| call(runtime, object)),
        other => rebuilt(other, |part| resolve(runtime, part)),
    }
}

/// Calls the function of the Deferred's name; a name that starts with a dollar sign is a variable to dig into.
///
/// Observed: Puppet 7.23. An unknown variable is an error under strictness `error` only, otherwise undef.
fn call(runtime: &mut dyn Runtime, deferred: &Object) -> Result<Value, Flow> {
    let arguments = match ObjectType::value_of(deferred, "arguments") {
        Some(arguments @ Value::Array(_)) => resolve(runtime, &arguments)?,
        _ => Value::from(Vec::<Value>::new()),
    };
    let (Some(Value::String(name)), Value::Array(arguments)) = (ObjectType::value_of(deferred, "name"), arguments)
    else {
        return Err(Error::runtime("a Deferred needs the name of a function").into());
    };
    let Some(variable) = name.strip_prefix('$') else { return runtime.call_function(&name, &arguments, None) };
    let value = runtime.variable(variable);
    if value.is_none() {
        runtime.warn(Error::runtime(format!("unknown variable ${variable}")))?;
    }
    let keys: Vec<Value> = [value.unwrap_or(Value::Undef)].into_iter().chain(arguments.iter().cloned()).collect();
    runtime.call_function("dig", &keys, None)
}
