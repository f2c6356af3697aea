//! Locates the parts of a value that is written as a literal in a Puppet program.

use crate::data::{Entry, Place};
use crate::eval::literal_value;
use crate::syntax::tree::{Expression, Id, Tree, UnaryOperator};
use crate::value::Value;

/// The location of an expression, and of its parts as far as they are literals.
pub(super) fn place(tree: &Tree, id: Id) -> Place {
    let span = tree[id].span;
    match &tree[id].expression {
        Expression::Parenthesized(inner) | Expression::Assignment(_, _, inner) => place(tree, *inner),
        // After an unfolded element nobody knows the number of the others.
        Expression::Array(elements) => Place::of_elements(
            span,
            elements.iter().map_while(|id| is_one(tree, *id).then(|| place(tree, *id))).collect(),
        ),
        Expression::Hash(entries) => {
            let entries = entries.iter().filter_map(|(key, value)| {
                let (key_span, place) = (tree[*key].span, place(tree, *value));
                Some(Entry { key: constant(tree, *key)?, key_span, place })
            });
            Place::of_entries(span, entries.collect())
        }
        _ => Place::leaf(span),
    }
}

fn is_one(tree: &Tree, id: Id) -> bool {
    !matches!(tree[id].expression, Expression::Unary(UnaryOperator::Unfold, _))
}

pub(super) fn constant(tree: &Tree, id: Id) -> Option<Value> {
    match &tree[id].expression {
        Expression::Literal(literal) => literal_value(literal).ok(),
        Expression::Name(word) => Some(Value::from(&**word)),
        _ => None,
    }
}
