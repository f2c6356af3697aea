//! `notice` and its relatives: log a message at a level.

use super::{Call, Flow, Function, Level};
use crate::error::Result;
use crate::format;
use crate::types::example;
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "alert",
        summary: "logs its arguments, joined by spaces, at level alert",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            example("alert('disk full')", "undef"),
            example("alert('disk full') |$x| { $x }", "error RUNTIME_ERROR"),
        ],
        body: |call| say(call, Level::Alert),
    },
    Function {
        name: "crit",
        summary: "logs its arguments, joined by spaces, at level crit",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[example("crit('no', 'space')", "undef"), example("crit('no') |$x| { $x }", "error RUNTIME_ERROR")],
        body: |call| say(call, Level::Crit),
    },
    Function {
        name: "debug",
        summary: "logs its arguments, joined by spaces, at level debug",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[example("debug({'a' => 1})", "undef"), example("debug('x') |$x| { $x }", "error RUNTIME_ERROR")],
        body: |call| say(call, Level::Debug),
    },
    Function {
        name: "emerg",
        summary: "logs its arguments, joined by spaces, at level emerg",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            example("emerg('on fire')", "undef"),
            example("emerg('on fire') |$x| { $x }", "error RUNTIME_ERROR"),
        ],
        body: |call| say(call, Level::Emerg),
    },
    Function {
        name: "err",
        summary: "logs its arguments, joined by spaces, at level err",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[example("err('code', 5)", "undef"), example("err('code') |$x| { $x }", "error RUNTIME_ERROR")],
        body: |call| say(call, Level::Err),
    },
    Function {
        name: "info",
        summary: "logs its arguments, joined by spaces, at level info",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[example("info([1, 2])", "undef"), example("info('x') |$x| { $x }", "error RUNTIME_ERROR")],
        body: |call| say(call, Level::Info),
    },
    Function {
        name: "notice",
        summary: "logs its arguments, joined by spaces, at level notice",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[example("notice('x', 1)", "undef"), example("notice('x') |$x| { $x }", "error RUNTIME_ERROR")],
        body: |call| say(call, Level::Notice),
    },
    Function {
        name: "warning",
        summary: "logs its arguments, joined by spaces, at level warning",
        signatures: &["(Any *$values) >> Undef"],
        examples: &[
            example("warning('careful')", "undef"),
            example("warning('careful') |$x| { $x }", "error RUNTIME_ERROR"),
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
