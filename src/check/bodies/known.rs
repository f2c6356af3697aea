//! What is known of the value of an expression without running it: its type, and as much of the value itself as is
//! written as a literal.

use std::{any::Any, borrow::Cow, sync::Arc};

use crate::check::WrongPart;
use crate::check::hiera_data::{has_open_text, is_any_text, is_any_value};
use crate::explain::meet::overlap;
use crate::explain::mismatch::{Mismatch, Step, explain, part_at};
use crate::stack;
use crate::syntax::tree::Id;
use crate::types::{Kind, TupleType, Type};
use crate::value::{Callable, Hash, Value};

/// A part that is not known, in a value that is known in part: only its type is.
#[derive(Debug)]
struct Hole(Type);

/// A function is the only value that code can be; of those that matter here none is written as a literal.
impl Callable for Hole {
    fn callable_type(&self) -> Type {
        self.0.clone()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Clone, Debug)]
pub(super) enum Inferred {
    Value(Value),
    /// A value with holes for its unknown parts, and a type that it certainly has.
    Partial(Value, Type),
    /// A type that it certainly has.
    Type(Type),
    /// The value of one of these expressions, as a condition decides, and a type that it certainly has. Without expressions
    /// if some of them may be excluded.
    Branches(Vec<(Id, Inferred)>, Type),
}

pub(super) enum Conflict {
    /// These parts are not of the type.
    Parts(Vec<WrongPart>),
    /// No value of the inferred type is.
    Types,
}

impl Inferred {
    pub(super) fn any() -> Inferred {
        Inferred::Type(Type::any())
    }

    pub(super) fn text() -> Inferred {
        Inferred::named("String")
    }

    pub(super) fn named(name: &'static str) -> Inferred {
        Inferred::Type(Type::built_in(name))
    }

    /// The value is that type itself.
    pub(super) fn of_type(type_: Type) -> Inferred {
        Inferred::Value(Value::Type(type_))
    }

    /// A type that the value certainly has.
    pub(super) fn type_(&self) -> Cow<'_, Type> {
        match self {
            Inferred::Value(value) => Cow::Owned(Type::of(value)),
            Inferred::Partial(_, type_) | Inferred::Type(type_) | Inferred::Branches(_, type_) => Cow::Borrowed(type_),
        }
    }

    /// The value, if it is known completely.
    pub(super) fn value(&self) -> Option<&Value> {
        if let Inferred::Value(value) = self { Some(value) } else { None }
    }

    /// The value, if at least parts of it are known.
    pub(super) fn partial_value(&self) -> Option<&Value> {
        match self {
            Inferred::Value(value) | Inferred::Partial(value, _) => Some(value),
            Inferred::Type(_) | Inferred::Branches(..) => None,
        }
    }

    pub(super) fn string(&self) -> Option<&str> {
        self.value()?.as_str()
    }

    /// The type that the value itself is.
    pub(super) fn as_type(&self) -> Option<&Type> {
        self.value()?.as_type()
    }

    pub(super) fn is_any(&self) -> bool {
        matches!(self, Inferred::Type(Type::Any(_)) | Inferred::Branches(_, Type::Any(_)))
    }

    fn or_hole(&self) -> Value {
        let hole = || Value::Callable(Arc::new(Hole(self.type_().into_owned())));
        self.partial_value().filter(|value| !has_other_keys(value)).cloned().unwrap_or_else(hole)
    }

    /// What is known of an entry of a Hash that is known at least in part.
    pub(super) fn entry(&self, key: &str) -> Option<Inferred> {
        Some(self.part(self.partial_value()?.as_hash()?.get_str(key)?))
    }

    /// What is known of a part of it.
    pub(super) fn part(&self, value: &Value) -> Inferred {
        match (type_of_hole(value), value) {
            (Some(type_), _) => Inferred::Type(type_.clone()),
            (None, Value::Array(_) | Value::Hash(_)) => Inferred::known(value.clone(), self.value().is_none()),
            (None, _) => Inferred::Value(value.clone()),
        }
    }

    /// A value of data. What a run fills in are holes, and the entries that so many `levels` of it get from other data.
    pub(super) fn of_data(value: &Value, levels: usize) -> Inferred {
        let has_holes = levels > 0 || has_open_text(value);
        let value = with_holes(value, levels);
        let type_ = Type::of(&value).generalized();
        if has_holes { Inferred::Partial(value, type_) } else { Inferred::Value(value) }
    }

    fn known(value: Value, has_holes: bool) -> Inferred {
        let type_ = if has_other_keys(&value) { Type::built_in("Hash") } else { Type::of(&value) };
        if has_holes { Inferred::Partial(value, type_) } else { Inferred::Value(value) }
    }

    pub(super) fn array(elements: &[Inferred]) -> Inferred {
        let value = elements.iter().map(Inferred::or_hole).collect::<Vec<_>>().into();
        if elements.iter().all(|element| element.value().is_some()) {
            return Inferred::Value(value);
        }
        let types = elements.iter().map(|element| element.type_().into_owned());
        Inferred::Partial(value, TupleType::new(types, None).into())
    }

    /// `{a => b}`; `None` for a key that is not known.
    pub(super) fn hash(entries: Vec<(Option<Value>, Inferred)>) -> Inferred {
        let has_holes = entries.iter().any(|(key, value)| key.is_none() || value.value().is_none());
        let key = |key: Option<Value>| key.unwrap_or_else(|| Inferred::any().or_hole());
        let hash = entries.into_iter().map(|(known, value)| (key(known), value.or_hole())).collect();
        Inferred::known(Value::Hash(hash), has_holes)
    }

    /// The sum of two Hashes, as far as they are known; the other keys are one hole.
    pub(super) fn sum(&self, other: &Inferred) -> Option<Inferred> {
        let any = || Inferred::any().or_hole();
        let entries = |side: &Inferred| side.partial_value().and_then(Value::as_hash).cloned();
        let open = || Hash::from_iter([(any(), any())]);
        let is_hash = matches!(self.type_().behind_aliases().kind(), Kind::Hash | Kind::Struct);
        let mut sum = entries(self).or(is_hash.then(open))?;
        match entries(other) {
            Some(added) => added.iter().for_each(|(key, value)| sum.insert(key.clone(), value.clone())),
            // It may have other values for all keys.
            None => sum = sum.keys().map(|key| (key.clone(), any())).chain([(any(), any())]).collect(),
        }
        let is_known = |side: &Inferred| side.value().is_some_and(|value| value.as_hash().is_some());
        Some(Inferred::known(Value::Hash(sum), !is_known(self) || !is_known(other)))
    }

    /// What is known of it elsewhere, where conditions may exclude branches.
    pub(super) fn undecided(&self) -> Inferred {
        match self {
            Inferred::Branches(_, type_) => Inferred::Branches(Vec::new(), type_.clone()),
            other => other.clone(),
        }
    }

    pub(super) fn forget_branches(&mut self) {
        if let Inferred::Branches(all, _) = self {
            all.clear();
        }
    }

    /// Why the value cannot be of that type; `None` if it may be.
    pub(super) fn conflict(&self, expected: &Type) -> Option<Conflict> {
        if matches!(expected, Type::Any(_)) {
            return None;
        }
        let Some(value) = self.partial_value() else {
            return (!overlap(expected, &self.type_())).then_some(Conflict::Types);
        };
        let mismatch = explain(expected, value)?;
        let mut parts = WrongPart::all_of(&if self.value().is_none() { certain(mismatch)? } else { mismatch });
        // A key that is missing may be one of those that are not known.
        let last = |path: &[Step]| (0..=path.len()).rev().find_map(|end| part_at(value, path.get(..end)?));
        let may_be_there = |part: &WrongPart| last(&part.mismatch.path).is_some_and(|last| has_other_keys(&last));
        parts.retain(|part| !is_open(&part.mismatch) && !may_be_there(part));
        (!parts.is_empty()).then_some(Conflict::Parts(parts))
    }
}

/// What is certain of a mismatch of a value with holes: another branch of a Variant may fit a collection that has some.
fn certain(mut mismatch: Mismatch) -> Option<Mismatch> {
    let may_fit = !mismatch.branches.is_empty() && matches!(mismatch.found, Value::Array(_) | Value::Hash(_));
    let is_leaf = mismatch.causes.is_empty();
    mismatch.causes = mismatch.causes.into_iter().filter_map(certain).collect();
    (!may_fit && (is_leaf || !mismatch.causes.is_empty())).then_some(mismatch)
}

/// Whether it has a hole among its keys: further keys that are not known.
fn has_other_keys(value: &Value) -> bool {
    value.as_hash().is_some_and(|hash| hash.keys().any(|key| type_of_hole(key).is_some()))
}

fn with_holes(value: &Value, levels: usize) -> Value {
    let hole = |name| Inferred::named(name).or_hole();
    match value {
        Value::String(text) if is_any_value(text) => hole("Any"),
        Value::String(text) if is_any_text(text) => hole("String"),
        // Where hashes in hashes are merged, arrays are joined.
        Value::Array(_) if levels > 1 => hole("Array"),
        Value::Array(elements) => Value::Array(elements.iter().map(|element| with_holes(element, 0)).collect()),
        Value::Hash(entries) => {
            let value = |value| stack::with_room(|| with_holes(value, levels.saturating_sub(1)));
            let entry = |(key, one)| (with_holes(key, 0), value(one));
            let others = (levels > 0).then(|| (hole("Any"), hole("Any")));
            Value::Hash(entries.iter().map(entry).chain(others).collect())
        }
        other => other.clone(),
    }
}

pub(super) fn type_of_hole(value: &Value) -> Option<&Type> {
    let Value::Callable(callable) = value else { return None };
    callable.as_any().downcast_ref::<Hole>().map(|Hole(type_)| type_)
}

/// Whether a mismatch depends on an unknown part, which may be of the expected type.
fn is_open(leaf: &Mismatch) -> bool {
    let is_hole = |value| type_of_hole(value).is_some();
    let on_the_way = leaf.path.iter().any(|step| matches!(step, Step::Key(key) | Step::Entry(key) if is_hole(key)));
    let may_match = |type_: &Type| overlap(&leaf.expected, type_);
    on_the_way || type_of_hole(leaf.found_part()).is_some_and(may_match) || leaf.is_unresolved()
}

/// What is known of the value of one of these expressions.
pub(super) fn one_of(branches: Vec<(Id, Inferred)>) -> Inferred {
    if branches.is_empty() {
        return Inferred::any();
    }
    if let Some((_, first)) = branches.first().filter(|(_, first)| first.value().is_some())
        && branches.iter().all(|(_, branch)| branch.value() == first.value())
    {
        return first.clone();
    }
    let is_any = branches.iter().any(|(_, branch)| branch.is_any());
    let types = branches.iter().map(|(_, branch)| branch.type_().into_owned());
    let type_ = if is_any { Type::any() } else { Type::one_of(types) };
    let flat = |(id, found)| if let Inferred::Branches(inner, _) = found { inner } else { vec![(id, found)] };
    Inferred::Branches(branches.into_iter().flat_map(flat).collect(), type_)
}
