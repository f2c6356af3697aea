//! `call`, `lest`, `then` and `with`: call a function or a block once.

use super::deferred::resolve;
use super::{Flow, Function};
use crate::types::example;
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "call",
        summary: "calls the named function, or makes the call that a Deferred describes",
        signatures: &["(String $name, Any *$arguments, Optional[Callable] &$block)", "(Deferred $deferred)"],
        examples: &[
            example("call('upcase', 'x')", "'X'"),
            example("Deferred('join', [['a', 'b'], '-']).call", "'a-b'"),
            example("call('nope')", "error RUNTIME_ERROR"),
        ],
        body: |call| match (call.signature, call.arguments) {
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
        },
    },
    Function {
        name: "lest",
        summary: "returns the value, or the block's result if the value is undef",
        signatures: &["(Any $value, Callable[0, 0] &$block)"],
        examples: &[
            example("undef.lest || { 7 }", "7"),
            example("false.lest || { 7 }", "false"),
            example("undef.lest |$x| { 7 }", "error RUNTIME_ERROR"),
        ],
        body: |call| match call.argument(0)? {
            Value::Undef => call.runtime.call(call.block()?, &[]),
            value => Ok(value.clone()),
        },
    },
    Function {
        name: "then",
        summary: "returns the block's result for the value, or undef if the value is undef",
        signatures: &["(Any $value, Callable[1, 1] &$block)"],
        examples: &[
            example("'abc'.then |$x| { $x.upcase }", "'ABC'"),
            example("undef.then |$x| { 1 }", "undef"),
            example("then(1)", "error RUNTIME_ERROR"),
        ],
        body: |call| match call.argument(0)? {
            Value::Undef => Ok(Value::Undef),
            _ => call.runtime.call(call.block()?, call.arguments),
        },
    },
    Function {
        name: "with",
        summary: "returns the block's result for the arguments",
        signatures: &["(Any *$arguments, Callable &$block)"],
        examples: &[
            example("with(1, 2) |$a, $b| { $a + $b }", "3"),
            example("with(1) |$a, $b| { $a }", "error MISSING_REQUIRED_PARAMETER"),
        ],
        body: |call| call.runtime.call(call.block()?, call.arguments),
    },
];
