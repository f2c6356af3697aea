//! Visits the nested elements of containers, for `tree_each`.
//!
//! The containers that are being visited are in a queue, each with its path and the position of its next child.
//! Depth-first order continues with the newest container, breadth-first order with the oldest. Nodes are visited only
//! when needed, so a huge tree (one with shared branches) costs only as much as the nodes that are used.

use std::{collections::VecDeque, sync::Arc};

use super::{Array, Value};
use crate::interrupt;
use crate::types::{AttributeKind, ObjectType, Type, object::Attribute};

#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "options of a function")]
pub(crate) struct TreeEachArguments {
    pub(crate) root: Value,
    /// The type of containers whose children are visited: `Array`, `Hash`, an Object type or a Variant; `None` for all.
    pub(crate) container_type: Option<Type>,
    pub(crate) include_root: bool,
    /// Whether arrays, hashes, objects and types are yielded.
    pub(crate) include_containers: bool,
    /// Whether values that are not containers are yielded.
    pub(crate) include_values: bool,
    /// Whether to visit the values of attributes of the kind `reference`, which belong to other objects.
    pub(crate) include_references: bool,
    pub(crate) is_breadth_first: bool,
}

impl TreeEachArguments {
    /// Whether `value` is an Array, a Hash, an Object or a type, and an instance of `container_type` (if any).
    /// Observed: Puppet 7.23. A type is an object as well, but has no children (in Puppet, its own attributes).
    fn is_container(&self, value: &Value) -> bool {
        matches!(value, Value::Array(_) | Value::Hash(_) | Value::Object(_) | Value::Type(_))
            && self.container_type.as_ref().is_none_or(|type_| type_.has_instance(value))
    }
}

/// An iterator over the nodes of a tree, each as an array of its path (an array of keys and indices) and its value.
#[derive(Clone, Debug)]
pub(super) struct TreeWalk {
    tree: Arc<TreeEachArguments>,
    open: VecDeque<VisitedContainer>,
    has_started: bool,
}

#[derive(Clone, Debug)]
struct VisitedContainer {
    path: Array,
    container: Value,
    next_position: usize,
}

impl VisitedContainer {
    fn next_child(&mut self) -> Option<(Value, Value)> {
        let at = self.next_position;
        self.next_position += 1;
        match &self.container {
            Value::Array(array) => Some((super::integer_from_index(at), array.get(at)?.clone())),
            Value::Hash(hash) if at == hash.len() => None,
            Value::Hash(hash) => Some(hash.entry(at)).map(|(key, value)| (key.clone(), value.clone())),
            _ => None,
        }
    }
}

impl TreeWalk {
    pub(super) fn from_arguments(tree: TreeEachArguments) -> TreeWalk {
        TreeWalk { tree: Arc::new(tree), open: VecDeque::new(), has_started: false }
    }
}

impl Iterator for TreeWalk {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            interrupt::take_step();
            let (path, value, is_seen) = if std::mem::replace(&mut self.has_started, true) {
                let open = if self.tree.is_breadth_first { self.open.front_mut() } else { self.open.back_mut() };
                let open = open?;
                let Some((key, value)) = open.next_child() else {
                    let _ended = if self.tree.is_breadth_first { self.open.pop_front() } else { self.open.pop_back() };
                    continue;
                };
                (open.path.iter().cloned().chain([key]).collect(), value, true)
            } else {
                (Array::default(), self.tree.root.clone(), self.tree.include_root)
            };
            let is_container = self.tree.is_container(&value);
            if is_container {
                let is_visited =
                    |field: &Attribute| self.tree.include_references || field.kind != AttributeKind::Reference;
                let container = match &value {
                    Value::Object(object) => {
                        Value::Hash(ObjectType::attributes_where(object, |field, _| is_visited(field)))
                    }
                    other => other.clone(),
                };
                self.open.push_back(VisitedContainer { path: path.clone(), container, next_position: 0 });
            }
            let is_wanted = if is_container { self.tree.include_containers } else { self.tree.include_values };
            if is_seen && is_wanted {
                return Some(Value::from(vec![Value::Array(path), value]));
            }
        }
    }
}
