//! Walking through containers in containers: the nodes behind `tree_each`.
//!
//! The containers that are being walked are in a queue, each with its path and the position of its next child. Depth
//! first goes on with the newest of them, breadth first with the oldest. No node is visited before it is needed, so a
//! tree whose branches are shared, and which is huge therefore, costs only what is drawn.

use std::{collections::VecDeque, sync::Arc};

use super::{Array, Hash, Object, Value};
use crate::interrupt;
use crate::types::{AttributeKind, Type};

/// A value whose nested elements `tree_each` visits, and the options of `tree_each`.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "options of a function")]
pub(crate) struct Tree {
    pub(crate) root: Value,
    /// The type of containers whose children are visited: `Array`, `Hash`, Object types or a Variant; `None` for all.
    pub(crate) container_type: Option<Type>,
    /// Whether the root value itself is yielded.
    pub(crate) include_root: bool,
    /// Whether arrays, hashes, objects and types are yielded.
    pub(crate) include_containers: bool,
    /// Whether values that are not containers are yielded.
    pub(crate) include_values: bool,
    /// Whether to follow attributes of the kind `reference`, whose values are owned by other objects.
    pub(crate) include_references: bool,
    /// Whether to visit the siblings of a container before its children.
    pub(crate) breadth_first: bool,
}

impl Tree {
    /// Whether the children of `value` are visited.
    /// Observed: Puppet 7.23. A type is an object as well, but has no children (in Puppet, its own attributes).
    fn is_container(&self, value: &Value) -> bool {
        matches!(value, Value::Array(_) | Value::Hash(_) | Value::Object(_) | Value::Type(_))
            && self.container_type.as_ref().is_none_or(|type_| type_.has_instance(value))
    }
}

fn attributes(object: &Object, include_references: bool) -> Hash {
    let fields = object.type_.fields().into_iter().zip(&object.attributes);
    let walked = fields.filter(|(field, _)| include_references || field.kind != AttributeKind::Reference);
    walked.map(|(field, value)| (Value::String(field.name.clone()), value.clone())).collect()
}

/// An iteration over a tree. Each node is an array of its path and its value; a path is an array of keys and indices.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    tree: Arc<Tree>,
    open: VecDeque<Open>,
    started: bool,
}

#[derive(Clone, Debug)]
struct Open {
    path: Array,
    container: Value,
    next: usize,
}

impl Open {
    fn child(&mut self) -> Option<(Value, Value)> {
        let at = self.next;
        self.next += 1;
        match &self.container {
            Value::Array(array) => Some((super::position(at), array.get(at)?.clone())),
            Value::Hash(hash) if at == hash.len() => None,
            Value::Hash(hash) => Some(hash.entry(at)).map(|(key, value)| (key.clone(), value.clone())),
            _ => None,
        }
    }
}

impl Walk {
    pub(super) fn new(tree: Tree) -> Walk {
        Walk { tree: Arc::new(tree), open: VecDeque::new(), started: false }
    }
}

impl Iterator for Walk {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            interrupt::step();
            let (path, value, is_seen) = if std::mem::replace(&mut self.started, true) {
                let open = if self.tree.breadth_first { self.open.front_mut() } else { self.open.back_mut() };
                let open = open?;
                let Some((key, value)) = open.child() else {
                    let _ended = if self.tree.breadth_first { self.open.pop_front() } else { self.open.pop_back() };
                    continue;
                };
                (open.path.iter().cloned().chain([key]).collect(), value, true)
            } else {
                (Array::default(), self.tree.root.clone(), self.tree.include_root)
            };
            let is_container = self.tree.is_container(&value);
            if is_container {
                let container = match &value {
                    Value::Object(object) => Value::Hash(attributes(object, self.tree.include_references)),
                    other => other.clone(),
                };
                self.open.push_back(Open { path: path.clone(), container, next: 0 });
            }
            let is_wanted = if is_container { self.tree.include_containers } else { self.tree.include_values };
            if is_seen && is_wanted {
                return Some(Value::from(vec![Value::Array(path), value]));
            }
        }
    }
}
