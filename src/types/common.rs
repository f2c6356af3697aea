//! The common type: what accepts two types, and says as much as can be said in few words.

use super::Type;

/// A type that accepts both.
pub(super) fn common(a: &Type, b: &Type) -> Type {
    if a.accepts(b) {
        return a.clone();
    }
    if b.accepts(a) {
        return b.clone();
    }
    match (a, b) {
        (Type::Integer(a), Type::Integer(b)) => a.merged(*b).into(),
        (Type::Float(a), Type::Float(b)) => a.merged(*b).into(),
        _ => Type::any(),
    }
}

/// The common type of several; Any of none.
pub(super) fn of_all(mut types: impl Iterator<Item = Type>) -> Type {
    let Some(first) = types.next() else { return Type::any() };
    types.fold(first, |a, b| common(&a, &b))
}
