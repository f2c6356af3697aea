//! The variables that Puppet itself defines.

use crate::value::{Hash, Value};

pub(crate) const RESERVED_VARIABLES: [&str; 3] = ["facts", "server_facts", "trusted"];

/// The names of the variables that Puppet sets in every scope.
pub(crate) const BUILT_IN_VARIABLES: [&str; 4] = ["title", "name", "module_name", "caller_module_name"];

/// Returns an empty Hash, the value of an unset reserved variable; `None` if `name` is not reserved.
pub(super) fn reserved_variable_value(name: &str) -> Option<Value> {
    let name = name.strip_prefix("::").unwrap_or(name);
    RESERVED_VARIABLES.contains(&name).then(|| Value::Hash(Hash::default()))
}
