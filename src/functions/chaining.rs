//! `call`, `lest`, `then` and `with`: call a function or a block once.

use super::Flow;
use super::deferred::resolve;
use crate::value::Value;

functions! {
    /// calls the named function, or makes the call that a Deferred describes
    "call" ["(String $name, Any *$arguments, Optional[Callable] &$block)", "(Deferred $deferred)"] {
        "call('upcase', 'x')" => "'X'",
        "Deferred('join', [['a', 'b'], '-']).call" => "'a-b'",
        "call('nope')" => "error RUNTIME_ERROR",
    } => |call| match (call.signature, call.arguments) {
        (0, [Value::String(name), arguments @ ..]) => {
            // A name is taken as programs write it: from the top, and in small letters.
            let name = name.strip_prefix("::").unwrap_or(name).to_lowercase();
            match call.runtime.call_function(&name, arguments, call.block) {
                // Observed: Puppet 7.23 lets a `return` in the block end this call.
                Err(Flow::Return(answered)) => Ok(answered.value),
                outcome => outcome,
            }
        }
        (_, [deferred, ..]) => resolve(call.runtime, deferred),
        (_, []) => Ok(Value::Undef),
    };
    /// returns the value, or the block's result if the value is undef
    "lest" ["(Any $value, Callable[0, 0] &$block)"] {
        "undef.lest || { 7 }" => "7",
        "false.lest || { 7 }" => "false",
        "undef.lest |$x| { 7 }" => "error RUNTIME_ERROR",
    } => |call| match call.argument(0)? {
        Value::Undef => call.runtime.call(call.block()?, &[]),
        value => Ok(value.clone()),
    };
    /// returns the block's result for the value, or undef if the value is undef
    "then" ["(Any $value, Callable[1, 1] &$block)"] {
        "'abc'.then |$x| { $x.upcase }" => "'ABC'",
        "undef.then |$x| { 1 }" => "undef",
        "then(1)" => "error RUNTIME_ERROR",
    } => |call| match call.argument(0)? {
        Value::Undef => Ok(Value::Undef),
        _ => call.runtime.call(call.block()?, call.arguments),
    };
    /// returns the block's result for the arguments
    "with" ["(Any *$arguments, Callable &$block)"] {
        "with(1, 2) |$a, $b| { $a + $b }" => "3",
        "with(1) |$a, $b| { $a }" => "error MISSING_REQUIRED_PARAMETER",
    } => |call| call.runtime.call(call.block()?, call.arguments);
}
