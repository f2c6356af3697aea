//! `notice` and its relatives: say something at a level.

use super::{Call, Exit, Function, Level};
use crate::error::Result;
use crate::format;
use crate::types::Example;
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[Function {
    name: "notice",
    summary: "says its arguments, joined by blanks, at level notice",
    signatures: &["(Any *$values) >> Undef"],
    examples: &[Example { code: "notice('x')", answer: "undef" }],
    body: |call| say(call, Level::Notice),
}];

fn say(call: Call<'_>, level: Level) -> Result<Value, Exit> {
    let words: Vec<String> = call.arguments.iter().map(format::text).collect();
    call.runtime.log(level, &words.join(" "));
    Ok(Value::Undef)
}
