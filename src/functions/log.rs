//! The log functions, such as `notice` and `warning`, each of which logs a message at its level.

use super::{Function, Level};
use crate::error::Result;
use crate::format;
use crate::limits::BoundedString;
use crate::types::new_example;
use crate::value::Value;

macro_rules! log_functions {
    ($($name:literal $level:ident $call:literal $fails:literal;)+) => {
        pub(super) const FUNCTIONS: &[Function] = &[$(
            Function {
                name: $name,
                summary: concat!("logs its arguments, joined by spaces, at level ", $name),
                signatures: &["(Any *$values) >> Undef"],
                examples: &[new_example($call, "undef"), new_example($fails, "error RUNTIME_ERROR")],
                body: |call| {
                    call.runtime.log(Level::$level, &join_with_spaces(call.arguments)?);
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

pub(super) fn join_with_spaces(values: &[Value]) -> Result<String> {
    let mut words = BoundedString::default();
    for (at, value) in values.iter().enumerate() {
        words.push_str(if at > 0 { " " } else { "" })?;
        format::write_interpolated(&mut words, value)?;
    }
    Ok(words.into_string())
}
