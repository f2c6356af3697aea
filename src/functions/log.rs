//! `notice` and its relatives: log a message at a level.

use super::{Function, Level};
use crate::error::Result;
use crate::format;
use crate::limits::BoundedString;
use crate::types::example;
use crate::value::Value;

/// One row for each function: its name, its level, an example, and an example that fails because of a lambda.
macro_rules! log_functions {
    ($($name:literal $level:ident $call:literal $fails:literal;)+) => {
        pub(super) const FUNCTIONS: &[Function] = &[$(
            Function {
                name: $name,
                summary: concat!("logs its arguments, joined by spaces, at level ", $name),
                signatures: &["(Any *$values) >> Undef"],
                examples: &[example($call, "undef"), example($fails, "error RUNTIME_ERROR")],
                body: |call| {
                    call.runtime.log(Level::$level, &words(call.arguments)?);
                    Ok(Value::Undef)
                },
            },
        )+];
    };
}

log_functions! {
    "alert" Alert "alert('disk full')" "alert('disk full') |$x| { $x }";
    "crit" Crit "crit('no', 'space')" "crit('no') |$x| { $x }";
    "debug" Debug "debug({'a' => 1})" "debug('x') |$x| { $x }";
    "emerg" Emerg "emerg('on fire')" "emerg('on fire') |$x| { $x }";
    "err" Err "err('code', 5)" "err('code') |$x| { $x }";
    "info" Info "info([1, 2])" "info('x') |$x| { $x }";
    "notice" Notice "notice('x', 1)" "notice('x') |$x| { $x }";
    "warning" Warning "warning('careful')" "warning('careful') |$x| { $x }";
}

pub(super) fn words(values: &[Value]) -> Result<String> {
    let mut words = BoundedString::default();
    for (at, value) in values.iter().enumerate() {
        words.push_str(if at > 0 { " " } else { "" })?;
        format::write_text(&mut words, value)?;
    }
    Ok(words.into_string())
}
