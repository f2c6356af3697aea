//! `call`, `lest`, `then` and `with`: call a function or a block once.

use super::deferred::resolve;
use super::{Flow, Function};
use crate::types::Example;
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "call",
        summary: "calls the named function, or makes the call that a Deferred describes",
        signatures: &["(String $name, Any *$arguments, Optional[Callable] &$block)", "(Deferred $deferred)"],
        examples: &[
            Example { code: "call('upcase', 'x')", answer: "'X'" },
            Example { code: "Deferred('join', [['a', 'b'], '-']).call", answer: "'a-b'" },
            Example { code: "call('nope')", answer: "error RUNTIME_ERROR" },
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
            Example { code: "undef.lest || { 7 }", answer: "7" },
            Example { code: "false.lest || { 7 }", answer: "false" },
            Example { code: "undef.lest |$x| { 7 }", answer: "error RUNTIME_ERROR" },
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
            Example { code: "'abc'.then |$x| { $x.upcase }", answer: "'ABC'" },
            Example { code: "undef.then |$x| { 1 }", answer: "undef" },
            Example { code: "then(1)", answer: "error RUNTIME_ERROR" },
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
            Example { code: "with(1, 2) |$a, $b| { $a + $b }", answer: "3" },
            Example { code: "with(1) |$a, $b| { $a }", answer: "error MISSING_REQUIRED_PARAMETER" },
        ],
        body: |call| call.runtime.call(call.block()?, call.arguments),
    },
];
