//! `call`, `lest`, `then` and `with`: call a function or a block once.

use super::{Flow, JumpKind, Runtime, map_collection};
use crate::error::Error;
use crate::types::ObjectType;
use crate::value::{Object, Value};
use crate::{interrupt, stack};

functions! {
    /// calls the named function, or makes the call that a Deferred describes
    "call" ["(String $name, Any *$arguments, Optional[Callable] &$block)", "(Deferred $deferred)"] {
        "call('upcase', 'x')" => "'X'",
        "Deferred('join', [['a', 'b'], '-']).call" => "'a-b'",
        "call('nope')" => "error RUNTIME_ERROR",
    } => |call| match (call.signature_index, call.arguments) {
        (0, [Value::String(name), arguments @ ..]) => {
            // A name is taken as programs write it: from the top, and in small letters.
            let name = name.strip_prefix("::").unwrap_or(name).to_lowercase();
            match call.runtime.call_function(&name, arguments, call.block) {
                // Observed: Puppet 7.23 lets a `return` in the block end this call.
                Err(Flow::Jump(JumpKind::Return, answered)) => Ok(answered.0),
                outcome => outcome,
            }
        }
        (_, [deferred, ..]) => resolve_deferred_values(call.runtime, deferred),
        (_, []) => Ok(Value::Undef),
    };
    /// returns the value, or the block's result if the value is undef
    "lest" ["(Any $value, Callable[0, 0] &$block)"] {
        "undef.lest || { 7 }" => "7",
        "false.lest || { 7 }" => "false",
        "undef.lest |$x| { 7 }" => "error RUNTIME_ERROR",
    } => |call| match call.argument(0)? {
        Value::Undef => call.runtime.call(call.required_block()?, &[]),
        value => Ok(value.clone()),
    };
    /// returns the block's result for the value, or undef if the value is undef
    "then" ["(Any $value, Callable[1, 1] &$block)"] {
        "'abc'.then |$x| { $x.upcase }" => "'ABC'",
        "undef.then |$x| { 1 }" => "undef",
        "then(1)" => "error RUNTIME_ERROR",
    } => |call| match call.argument(0)? {
        Value::Undef => Ok(Value::Undef),
        _ => call.runtime.call(call.required_block()?, call.arguments),
    };
    /// returns the block's result for the arguments
    "with" ["(Any *$arguments, Callable &$block)"] {
        "with(1, 2) |$a, $b| { $a + $b }" => "3",
        "with(1) |$a, $b| { $a }" => "error MISSING_REQUIRED_PARAMETER",
    } => |call| call.runtime.call(call.required_block()?, call.arguments);
}

fn resolve_deferred_values(runtime: &mut dyn Runtime, value: &Value) -> Result<Value, Flow> {
    interrupt::take_long_step();
    match value {
        Value::Object(object) if object.is_deferred() => stack::with_room(|| call_deferred(runtime, object)),
        other => map_collection(other, |part| resolve_deferred_values(runtime, part)),
    }
}

/// Calls the function that `deferred` names; for a name with `$`, digs into that variable, with its arguments as keys.
///
/// Observed: Puppet 7.23. An unknown variable is an error under strictness `error` only, otherwise undef.
fn call_deferred(runtime: &mut dyn Runtime, deferred: &Object) -> Result<Value, Flow> {
    let arguments = match ObjectType::attribute_value(deferred, "arguments") {
        Some(arguments @ Value::Array(_)) => resolve_deferred_values(runtime, &arguments)?,
        _ => Value::from(Vec::<Value>::new()),
    };
    let (Some(Value::String(name)), Value::Array(arguments)) =
        (ObjectType::attribute_value(deferred, "name"), arguments)
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
