//! Control flow: `break`, `next` and `return` are jumps that an enclosing construct catches, `fail` is an error with
//! the user's own message.

use super::{Call, Flow, JumpKind, log::join_with_spaces};
use crate::error::Error;
use crate::value::Value;

functions! {
    /// ends the enclosing iteration, as if there were no more elements
    "break" ["()"] {
        "[1, 2, 3].map |$x| { if $x == 3 { break() } $x * 2 }" => "[2, 4]",
        "break()" => "error RUNTIME_ERROR",
    } => |call| Err(new_jump(call, JumpKind::Break, "break", "a block of each, map, filter, reduce, slice or step"));
    /// raises an error with its arguments, joined by spaces, as the message
    "fail" ["(Any *$values)"] {
        "unless 80 =~ Integer[1, 65535] { fail('no port') }" => "undef",
        "fail('no port', 80)" => "error RUNTIME_ERROR",
    } => |call| Err(Error::runtime(join_with_spaces(call.arguments)?).into());
    /// returns from the enclosing block with the value, or undef
    "next" ["(Any $value = undef)"] {
        "[1, 2].map |$x| { if $x == 1 { next('one') } $x }" => "['one', 2]",
        "next(1)" => "error RUNTIME_ERROR",
    } => |call| Err(new_jump(call, JumpKind::Next, "next", "a block or function"));
    /// returns from the enclosing function with the value, or undef
    "return" ["(Any $value = undef)"] {
        "function first($values) { $values.each |$x| { return($x) } } first([7, 8])" => "7",
        "return(1)" => "error RUNTIME_ERROR",
    } => |call| Err(new_jump(call, JumpKind::Return, "return", "a function"));
}

fn new_jump(call: &Call<'_>, jump: JumpKind, name: &str, home: &str) -> Flow {
    let error = Error::runtime(format!("{name}() has nothing to leave here"));
    let error = error.with_help(format!("call {name}() inside of {home}"));
    Flow::Jump(jump, Box::new((call.arguments.first().cloned().unwrap_or(Value::Undef), error)))
}
