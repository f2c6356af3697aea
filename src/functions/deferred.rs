//! Resolves a `Deferred`, for `call`.

use super::{Flow, Runtime};
use crate::error::Error;
use crate::types::ObjectType;
use crate::value::{Hash, Object, Value};
use crate::{interrupt, stack};

/// `value` with every Deferred in it, however deep in arrays and hashes, replaced by what it describes.
pub(super) fn resolve(runtime: &mut dyn Runtime, value: &Value) -> Result<Value, Flow> {
    match value {
        Value::Object(object) if object.is_deferred() => call(runtime, object),
        Value::Array(elements) => {
            let resolved: Result<Vec<Value>, Flow> =
                elements.iter().map(|element| resolve_part(runtime, element)).collect();
            Ok(resolved?.into())
        }
        Value::Hash(entries) => {
            let mut resolved = Hash::default();
            for (key, value) in entries.iter() {
                resolved.insert(resolve_part(runtime, key)?, resolve_part(runtime, value)?);
            }
            Ok(Value::Hash(resolved))
        }
        other => Ok(other.clone()),
    }
}

fn resolve_part(runtime: &mut dyn Runtime, value: &Value) -> Result<Value, Flow> {
    interrupt::poll();
    match value {
        Value::Array(_) | Value::Hash(_) | Value::Object(_) => stack::with_room(|| resolve(runtime, value)),
        other => Ok(other.clone()),
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
