//! What `new` does with its arguments, as far as it is more than a line or two in the file of the type.

use crate::value::Value;

/// The arguments in the order of `names`: a lone Hash gives them by name, an absent one is `undef`.
pub(super) fn by_position(arguments: &[Value], names: &[&str]) -> Vec<Value> {
    match arguments {
        [Value::Hash(named)] => names.iter().map(|name| named.get_str(name).cloned().unwrap_or(Value::Undef)).collect(),
        _ => arguments.to_vec(),
    }
}
