//! `notice` and its relatives: log a message at a level.

use super::{Call, Flow, Function, Level};
use crate::error::Result;
use crate::format;
use crate::types::Example;
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "alert",
        summary: "logs its arguments, joined by spaces, at level alert",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            Example { code: "alert('disk full')", answer: "undef" },
            Example { code: "alert('disk full') |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| say(call, Level::Alert),
    },
    Function {
        name: "crit",
        summary: "logs its arguments, joined by spaces, at level crit",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            Example { code: "crit('no', 'space')", answer: "undef" },
            Example { code: "crit('no') |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| say(call, Level::Crit),
    },
    Function {
        name: "debug",
        summary: "logs its arguments, joined by spaces, at level debug",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            Example { code: "debug({'a' => 1})", answer: "undef" },
            Example { code: "debug('x') |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| say(call, Level::Debug),
    },
    Function {
        name: "emerg",
        summary: "logs its arguments, joined by spaces, at level emerg",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            Example { code: "emerg('on fire')", answer: "undef" },
            Example { code: "emerg('on fire') |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| say(call, Level::Emerg),
    },
    Function {
        name: "err",
        summary: "logs its arguments, joined by spaces, at level err",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            Example { code: "err('code', 5)", answer: "undef" },
            Example { code: "err('code') |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| say(call, Level::Err),
    },
    Function {
        name: "info",
        summary: "logs its arguments, joined by spaces, at level info",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            Example { code: "info([1, 2])", answer: "undef" },
            Example { code: "info('x') |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| say(call, Level::Info),
    },
    Function {
        name: "notice",
        summary: "logs its arguments, joined by spaces, at level notice",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            Example { code: "notice('x', 1)", answer: "undef" },
            Example { code: "notice('x') |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| say(call, Level::Notice),
    },
    Function {
        name: "warning",
        summary: "logs its arguments, joined by spaces, at level warning",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            Example { code: "warning('careful')", answer: "undef" },
            Example { code: "warning('careful') |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| say(call, Level::Warning),
    },
];

fn say(call: &mut Call<'_>, level: Level) -> Result<Value, Flow> {
    call.runtime.log(level, &words(call.arguments)?);
    Ok(Value::Undef)
}

/// The strings of `values` with a space between each two.
pub(super) fn words(values: &[Value]) -> Result<String> {
    Ok(values.iter().map(format::try_text).collect::<Result<Vec<String>>>()?.join(" "))
}
