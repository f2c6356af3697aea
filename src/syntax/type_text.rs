//! Which expressions are a type in a string: the name of a type, and in brackets literals, words, types, and arrays and
//! hashes of these. Such a string runs no code.
//!
//! The definitions of type aliases are of the same kind, and may be the hash that describes an Object.
//!
//! Observed: Puppet 7.23 for `Type('…')`, `assert_type('…', …)` and `type A = …`.

use super::tree::{Expression, Id, Literal, ResourceKind, Tree, UnaryOperator};

/// The first part of an expression that no text of a type can have; `None` if all of it is the text of a type.
pub(crate) fn foreign_part(tree: &Tree, type_: Id) -> Option<Id> {
    let mut parameters = Vec::new();
    match &tree[type_].expression {
        Expression::Hash(_) | Expression::Resource { kind: ResourceKind::Defaults, .. } => parameters.push(type_),
        _ if is_type(tree, type_, &mut parameters) => {}
        _ => return Some(type_),
    }
    while let Some(id) = parameters.pop() {
        let is_fit = match &tree[id].expression {
            Expression::Literal(_) | Expression::Name(_) => true,
            Expression::Array(elements) => {
                parameters.extend(elements);
                true
            }
            Expression::Hash(entries) => {
                parameters.extend(entries.iter().flat_map(|(key, value)| [key, value]));
                true
            }
            Expression::Heredoc { text, .. } => matches!(tree[*text].expression, Expression::Literal(_)),
            // `Box { … }`, an Object type that inherits from another.
            Expression::Resource { kind: ResourceKind::Defaults, type_name, bodies, .. } => {
                parameters.push(*type_name);
                parameters.extend(bodies.iter().flat_map(|body| &body.attributes).map(|attribute| attribute.value));
                true
            }
            Expression::Unary(UnaryOperator::Minus, number) => {
                matches!(tree[*number].expression, Expression::Literal(Literal::Integer(..) | Literal::Float(_)))
            }
            _ => is_type(tree, id, &mut parameters),
        };
        if !is_fit {
            return Some(id);
        }
    }
    None
}

/// Whether an expression is the name of a type, alone or before brackets, whose content goes to `parameters`.
fn is_type(tree: &Tree, id: Id, parameters: &mut Vec<Id>) -> bool {
    match &tree[id].expression {
        Expression::Reference(_) => true,
        Expression::Access(name, inside) if matches!(tree[*name].expression, Expression::Reference(_)) => {
            parameters.extend(inside);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/syntax/type_text.rs"]
mod tests;
