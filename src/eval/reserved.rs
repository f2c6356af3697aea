//! Variables that exist before any program.

use crate::value::{Hash, Value};

/// Those that nothing may set.
pub(crate) const RESERVED_VARIABLES: [&str; 3] = ["facts", "server_facts", "trusted"];

/// Those that every scope of Puppet's already has.
pub(crate) const BUILT_IN_VARIABLES: [&str; 4] = ["title", "name", "module_name", "caller_module_name"];

/// The value of a reserved variable that is not set: nothing is known of a node.
pub(super) fn unset(name: &str) -> Option<Value> {
    let name = name.strip_prefix("::").unwrap_or(name);
    RESERVED_VARIABLES.contains(&name).then(|| Value::Hash(Hash::default()))
}
