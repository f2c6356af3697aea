//! Checks the expressions in a type that is given as a string: it may contain the name of a type, with brackets around
//! literals, words, types, and arrays and hashes of these. Evaluating such a string runs no code.
//!
//! The definition of a type alias has the same form; it may also be the hash that defines an Object type.
//!
//! Observed: Puppet 7.23 for `Type('…')`, `assert_type('…', …)` and `type A = …`.

use crate::syntax::tree::{Expression, Id, Literal, ResourceKind, Tree, UnaryOperator};

/// Returns a part of an expression that is not allowed in a type given as a string, or `None` if all of it is allowed.
pub(super) fn find_non_type_part(tree: &Tree, type_: Id) -> Option<Id> {
    let is_reference = |id: &Id| matches!(tree[*id].expression, Expression::Reference(_));
    let mut parts = vec![type_];
    while let Some(id) = parts.pop() {
        match &tree[id].expression {
            Expression::Reference(_) => {}
            Expression::Access(name, inside) if is_reference(name) => parts.extend(inside),
            Expression::Hash(entries) => parts.extend(entries.iter().flat_map(|(key, value)| [key, value])),
            // `Box { … }`, an Object type that inherits from another.
            Expression::Resource { kind: ResourceKind::Defaults, type_name, bodies, .. } => {
                parts.push(*type_name);
                parts.extend(bodies.iter().flat_map(|body| &body.attributes).map(|attribute| attribute.value));
            }
            // All others stand only in brackets.
            _ if id == type_ => return Some(id),
            Expression::Literal(_) | Expression::Name(_) => {}
            Expression::Array(elements) => parts.extend(elements),
            Expression::Heredoc(_, text) if matches!(tree[*text].expression, Expression::Literal(_)) => {}
            Expression::Unary(UnaryOperator::Minus, number) => match tree[*number].expression {
                Expression::Literal(Literal::Integer(..) | Literal::Float(_)) => {}
                _ => return Some(id),
            },
            _ => return Some(id),
        }
    }
    None
}

#[cfg(test)]
#[path = "../../tests/unit/eval/type_text.rs"]
mod tests;
