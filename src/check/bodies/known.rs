//! What is known of the value of an expression without running it: its type, and as much of the value itself as is
//! written as a literal.

use crate::check::overlap::overlap;
use crate::types::relation::mismatch::{Mismatch, Reason, Step, explain};
use crate::types::{TupleType, Type};
use crate::value::{Hash, Value};

/// The place of a part that is not known, in a value that is known in part.
const HOLE: &str = "\u{0}unknown";

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) struct Inferred {
    /// A type that its value certainly has.
    pub(super) type_: Type,
    /// The value; parts of it may be holes.
    value: Option<Value>,
    has_holes: bool,
}

/// Why a value cannot be of a type.
pub(super) enum Conflict {
    /// These parts are not of the type.
    Parts(Vec<Mismatch>),
    /// No value of the inferred type is.
    Types,
}

impl Inferred {
    pub(super) fn any() -> Inferred {
        Inferred::of_type(Type::any())
    }

    pub(super) fn of_type(type_: Type) -> Inferred {
        Inferred { type_, value: None, has_holes: false }
    }

    pub(super) fn named(name: &str) -> Inferred {
        Inferred::of_type(Type::named(name).unwrap_or_else(Type::any))
    }

    pub(super) fn of_value(value: Value) -> Inferred {
        Inferred { type_: Type::of(&value), value: Some(value), has_holes: false }
    }

    /// The value, where all of it is known.
    pub(super) fn value(&self) -> Option<&Value> {
        self.value.as_ref().filter(|_| !self.has_holes)
    }

    /// The value, though parts of it may not be known.
    pub(super) fn partial_value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    pub(super) fn string(&self) -> Option<&str> {
        self.value()?.as_str()
    }

    /// The type that the value itself is.
    pub(super) fn as_type(&self) -> Option<&Type> {
        self.value()?.as_type()
    }

    pub(super) fn is_any(&self) -> bool {
        matches!(self.type_, Type::Any(_))
    }

    fn or_hole(self) -> (Type, Value, bool) {
        match self.value {
            Some(value) => (self.type_, value, self.has_holes),
            None => (self.type_, Value::from(HOLE), true),
        }
    }

    /// `[a, b]`
    pub(super) fn array(elements: Vec<Inferred>) -> Inferred {
        let has_holes = elements.iter().any(|element| element.value.is_none() || element.has_holes);
        let (types, values): (Vec<Type>, Vec<Value>) =
            elements.into_iter().map(Inferred::or_hole).map(|(type_, value, _)| (type_, value)).unzip();
        let value = Value::from(values);
        let type_ = if has_holes { TupleType::new(types, None).into() } else { Type::of(&value) };
        Inferred { type_, value: Some(value), has_holes }
    }

    /// `{a => b}`; `None` for a key that is not known.
    pub(super) fn hash(entries: Vec<(Option<Value>, Inferred)>) -> Inferred {
        if entries.iter().any(|(key, _)| key.is_none()) {
            return Inferred::named("Hash");
        }
        let has_holes = entries.iter().any(|(_, value)| value.value.is_none() || value.has_holes);
        let hash: Hash = entries.into_iter().filter_map(|(key, value)| Some((key?, value.or_hole().1))).collect();
        let value = Value::Hash(hash);
        let type_ = if has_holes { Inferred::named("Hash").type_ } else { Type::of(&value) };
        Inferred { type_, value: Some(value), has_holes }
    }

    /// Why the value cannot be of that type; `None` if it may be.
    pub(super) fn conflict(&self, expected: &Type) -> Option<Conflict> {
        if matches!(expected, Type::Any(_)) {
            return None;
        }
        let Some(value) = &self.value else {
            return (!overlap(expected, &self.type_)).then_some(Conflict::Types);
        };
        let mismatch = explain(expected, value)?;
        // Another branch of a Variant may fit what is not known.
        if self.has_holes && has_branches(&mismatch) {
            return None;
        }
        let parts: Vec<Mismatch> = mismatch.leaves().into_iter().filter(|leaf| !is_open(leaf)).cloned().collect();
        (!parts.is_empty()).then_some(Conflict::Parts(parts))
    }
}

fn has_branches(mismatch: &Mismatch) -> bool {
    !mismatch.folded().is_empty() || mismatch.causes.iter().any(has_branches)
}

fn is_hole(value: &Value) -> bool {
    matches!(value, Value::String(text) if **text == *HOLE)
}

/// Whether the part is not known, or holds such a part that decides.
fn is_open(leaf: &Mismatch) -> bool {
    let of_key = match &leaf.reason {
        Reason::UnknownKey(key) | Reason::MisspelledKey(key, _) => is_hole(key),
        _ => false,
    };
    let on_the_way = leaf.path.iter().any(|step| matches!(step, Step::Key(key) | Step::Entry(key) if is_hole(key)));
    of_key || on_the_way || is_hole(&leaf.found)
}

/// The common knowledge of two values, of which one is there.
pub(super) fn either(a: Inferred, b: Inferred) -> Inferred {
    match (a.value(), b.value()) {
        (Some(one), Some(other)) if one == other => a,
        _ if a.is_any() || b.is_any() => Inferred::any(),
        _ => Inferred::of_type(Type::one_of([a.type_, b.type_])),
    }
}

/// A string that is known only in part.
pub(super) fn some_string() -> Inferred {
    Inferred::named("String")
}

/// A shared string as a value.
pub(super) fn text(text: &str) -> Value {
    Value::String(text.into())
}
