//! What is known about the value of an expression without evaluating it: its type, and the parts that are literals.

use std::{any::Any, borrow::Cow, sync::Arc};

use super::results::{is_any, without_undef};
use crate::check::MismatchedPart;
use crate::check::hiera_keys::{has_run_time_string, is_alias_interpolation, is_run_time_string};
use crate::explain::meet::may_overlap;
use crate::explain::mismatch::{Mismatch, Step, explain, part_at_path};
use crate::format;
use crate::stack;
use crate::syntax::tree::Id;
use crate::types::{EnumType, Kind, TupleType, Type};
use crate::value::{EcoString, Hash, Value, callable::UncalledFunction};

#[derive(Clone, Debug)]
pub(super) enum Inferred {
    Value(Value),
    /// A value with a placeholder (a function, which no literal can be) for each unknown part, and the type of all.
    Partial(Value, Type),
    /// An unknown value of this type.
    Type(Type),
    /// The value of one of several branches: for each branch its last expression and what is inferred from it, and the
    /// type of all values. The list is empty if another condition may exclude some of the branches.
    Branches(Vec<(Id, Inferred)>, Type),
}

impl Inferred {
    pub(super) fn unknown() -> Inferred {
        Inferred::Type(Type::any())
    }

    pub(super) fn from_type_name(name: &'static str) -> Inferred {
        Inferred::Type(Type::built_in_type(name))
    }

    pub(super) fn known_type(&self) -> Cow<'_, Type> {
        match self {
            Inferred::Value(value) => Cow::Owned(Type::of(value)),
            Inferred::Partial(_, type_) | Inferred::Type(type_) | Inferred::Branches(_, type_) => Cow::Borrowed(type_),
        }
    }

    pub(super) fn value(&self) -> Option<&Value> {
        if let Inferred::Value(value) = self { Some(value) } else { None }
    }

    /// Returns the value, with placeholders for its unknown parts; `None` if only its type is known.
    pub(super) fn partial_value(&self) -> Option<&Value> {
        if let Inferred::Value(value) | Inferred::Partial(value, _) = self { Some(value) } else { None }
    }

    pub(super) fn is_undef(&self) -> bool {
        matches!(self, Inferred::Value(Value::Undef))
    }

    pub(super) fn known_string(&self) -> Option<&str> {
        self.value()?.as_str()
    }

    pub(super) fn as_type_value(&self) -> Option<&Type> {
        self.value()?.as_type()
    }

    pub(super) fn has_type_any(&self) -> bool {
        matches!(self, Inferred::Type(Type::Any(_)) | Inferred::Branches(_, Type::Any(_)))
    }

    fn to_partial_value(&self) -> Value {
        let hole = || Value::Callable(Arc::new(UncalledFunction(self.known_type().into_owned())));
        self.partial_value().filter(|value| !has_unknown_keys(value)).cloned().unwrap_or_else(hole)
    }

    pub(super) fn hash_entry(&self, key: &str) -> Option<Inferred> {
        Some(self.infer_part(self.partial_value()?.as_hash()?.get_str(key)?))
    }

    /// Returns what is known about the element or entry at `key`: undef if there is none, `None` if there may be one.
    pub(super) fn part_at_key(&self, key: &Value) -> Option<Inferred> {
        let part = match (self.partial_value()?, key) {
            (Value::Hash(entries), key) => entries.get(key),
            (Value::Array(elements), Value::Integer(at)) => elements.get(usize::try_from(*at).ok()?),
            _ => return None,
        };
        let missing = || (!has_unknown_keys(self.partial_value()?)).then_some(Inferred::Value(Value::Undef));
        part.map(|part| self.infer_part(part)).or_else(missing)
    }

    /// Returns what is known about `value`, a part of this value: only its type if it is a placeholder.
    pub(super) fn infer_part(&self, value: &Value) -> Inferred {
        match (type_of_unknown_part(value), value) {
            (Some(type_), _) => Inferred::Type(type_.clone()),
            (None, Value::Array(_) | Value::Hash(_)) => Inferred::from_value(value.clone(), self.value().is_none()),
            (None, _) => Inferred::Value(value.clone()),
        }
    }

    /// Returns what is known about `value` in Hiera data if Hiera merges its outer `levels` of hashes with other data.
    pub(super) fn from_hiera_data(value: &Value, levels: usize) -> Inferred {
        let has_holes = levels > 0 || has_run_time_string(value);
        let value = with_placeholders(value, levels);
        let type_ = Type::of(&value).generalized();
        if has_holes { Inferred::Partial(value, type_) } else { Inferred::Value(value) }
    }

    fn from_value(value: Value, has_holes: bool) -> Inferred {
        let type_ = if has_unknown_keys(&value) { Type::built_in_type("Hash") } else { Type::of(&value) };
        if has_holes { Inferred::Partial(value, type_) } else { Inferred::Value(value) }
    }

    pub(super) fn from_elements(elements: &[Inferred]) -> Inferred {
        let value = elements.iter().map(Inferred::to_partial_value).collect::<Vec<_>>().into();
        if elements.iter().all(|element| element.value().is_some()) {
            return Inferred::Value(value);
        }
        let types = elements.iter().map(|element| element.known_type().into_owned());
        Inferred::Partial(value, TupleType::new(types, None).into())
    }

    pub(super) fn from_entries(entries: Vec<(Option<Value>, Inferred)>) -> Inferred {
        let has_holes = entries.iter().any(|(key, value)| key.is_none() || value.value().is_none());
        let key = |key: Option<Value>| key.unwrap_or_else(|| Inferred::unknown().to_partial_value());
        let hash = entries.into_iter().map(|(known, value)| (key(known), value.to_partial_value())).collect();
        Inferred::from_value(Value::Hash(hash), has_holes)
    }

    /// Infers a string from its interpolated parts: one of a few texts if each part is known or has a few texts.
    pub(super) fn from_interpolated_parts(parts: &[Inferred]) -> Inferred {
        const MAX_TEXTS: usize = 8;
        let mut texts = vec![String::new()];
        for part in parts {
            let listed = part.possible_texts().filter(|listed| (1..=MAX_TEXTS).contains(&(texts.len() * listed.len())));
            let Some(listed) = listed else { return Inferred::from_type_name("String") };
            texts = texts.iter().flat_map(|text| listed.iter().map(move |part| format!("{text}{part}"))).collect();
        }
        match &mut texts[..] {
            [text] => Inferred::Value(std::mem::take(text).into()),
            _ => Inferred::Type(EnumType::new(texts, false).into()),
        }
    }

    /// Returns the texts that the value may have in a string, if its type lists them.
    pub(super) fn possible_texts(&self) -> Option<Vec<EcoString>> {
        match self.value() {
            // The text of other values depends on formats.
            Some(value @ (Value::String(_) | Value::Integer(_))) => Some(vec![format::text(value).into()]),
            Some(_) => None,
            None => {
                let types = self.known_type().alternatives();
                Some(types.iter().map(Type::listed_strings).collect::<Option<Vec<_>>>()?.concat())
            }
        }
    }

    /// Infers `self + other` for a Hash, otherwise returns `None`. A placeholder key represents unknown entries.
    pub(super) fn infer_merged_hash(&self, other: &Inferred) -> Option<Inferred> {
        let any = || Inferred::unknown().to_partial_value();
        let entries = |side: &Inferred| side.partial_value().and_then(Value::as_hash).cloned();
        let open = || Hash::from_iter([(any(), any())]);
        let is_hash = matches!(self.known_type().behind_aliases().kind(), Kind::Hash | Kind::Struct);
        let mut sum = entries(self).or(is_hash.then(open))?;
        match entries(other) {
            Some(added) => added.iter().for_each(|(key, value)| sum.insert(key.clone(), value.clone())),
            // It may have other values for all keys.
            None => sum = sum.keys().map(|key| (key.clone(), any())).chain([(any(), any())]).collect(),
        }
        let is_known = |side: &Inferred| side.value().is_some_and(|value| value.as_hash().is_some());
        Some(Inferred::from_value(Value::Hash(sum), !is_known(self) || !is_known(other)))
    }

    /// Returns this value without its branches, for use in a place where a condition may exclude some of them.
    pub(super) fn without_branches(&self) -> Inferred {
        let mut one = self.clone();
        one.forget_branches();
        one
    }

    pub(super) fn forget_branches(&mut self) {
        if let Inferred::Branches(all, _) = self {
            all.clear();
        }
    }

    /// Returns the parts that cannot have the type `expected`; none of them if the type has no value in common with the
    /// inferred one. Returns `None` if the value may have the type.
    pub(super) fn conflict_with_type(&self, expected: &Type) -> Option<Vec<MismatchedPart>> {
        if matches!(expected, Type::Any(_)) {
            return None;
        }
        let of_types = || {
            let (known, undef) = (self.known_type(), Type::of(&Value::Undef));
            // That both accept undef says nothing about the values that are meant.
            let some = Some(without_undef(&known)).filter(|some| *known != undef && !is_any(some));
            (!may_overlap(expected, some.as_ref().unwrap_or(&known))).then(Vec::new)
        };
        let Some(value) = self.partial_value() else { return of_types() };
        let mismatch = explain(expected, value)?;
        let certain = if self.value().is_none() { remove_uncertain_causes(mismatch) } else { Some(mismatch) };
        let mut parts = certain.map_or_else(Vec::new, |mismatch| MismatchedPart::innermost_parts(&mismatch));
        // A key that is missing may be one of those that are not known.
        let last = |path: &[Step]| (0..=path.len()).rev().find_map(|end| part_at_path(value, path.get(..end)?));
        let may_be_there = |one: &MismatchedPart| last(&one.mismatch.path).is_some_and(|last| has_unknown_keys(&last));
        parts.retain(|part| !depends_on_unknown_part(&part.mismatch) && !may_be_there(part));
        if parts.is_empty() { of_types() } else { Some(parts) }
    }
}

/// Returns a mismatch without uncertain causes, such as a partly known Hash that may match another type of a Variant.
fn remove_uncertain_causes(mut mismatch: Mismatch) -> Option<Mismatch> {
    let may_fit = !mismatch.branches.is_empty() && matches!(mismatch.found, Value::Array(_) | Value::Hash(_));
    let is_leaf = mismatch.causes.is_empty();
    mismatch.causes = mismatch.causes.into_iter().filter_map(remove_uncertain_causes).collect();
    (!may_fit && (is_leaf || !mismatch.causes.is_empty())).then_some(mismatch)
}

/// Whether a value is a Hash with a placeholder key, which represents further unknown keys.
fn has_unknown_keys(value: &Value) -> bool {
    value.as_hash().is_some_and(|hash| hash.keys().any(|key| type_of_unknown_part(key).is_some()))
}

fn with_placeholders(value: &Value, levels: usize) -> Value {
    let hole = |name| Inferred::from_type_name(name).to_partial_value();
    match value {
        Value::String(text) if is_alias_interpolation(text) => hole("Any"),
        Value::String(text) if is_run_time_string(text) => hole("String"),
        // Where hashes in hashes are merged, arrays are joined.
        Value::Array(_) if levels > 1 => hole("Array"),
        Value::Array(elements) => Value::Array(elements.iter().map(|element| with_placeholders(element, 0)).collect()),
        Value::Hash(entries) => {
            let value = |value| stack::with_room(|| with_placeholders(value, levels.saturating_sub(1)));
            let entry = |(key, one)| (with_placeholders(key, 0), value(one));
            Value::Hash(entries.iter().map(entry).chain((levels > 0).then(|| (hole("Any"), hole("Any")))).collect())
        }
        other => other.clone(),
    }
}

pub(super) fn type_of_unknown_part(value: &Value) -> Option<&Type> {
    let Value::Callable(callable) = value else { return None };
    let callable: &dyn Any = &**callable;
    callable.downcast_ref::<UncalledFunction>().map(|UncalledFunction(type_)| type_)
}

fn depends_on_unknown_part(leaf: &Mismatch) -> bool {
    let is_hole = |value| type_of_unknown_part(value).is_some();
    let on_the_way = leaf.path.iter().any(|step| matches!(step, Step::Key(key) | Step::Entry(key) if is_hole(key)));
    let may_match = |type_: &Type| may_overlap(&leaf.expected, type_);
    on_the_way || type_of_unknown_part(leaf.unhidden_found()).is_some_and(may_match) || leaf.has_unresolved_type()
}

pub(super) fn infer_from_branches(branches: Vec<(Id, Inferred)>) -> Inferred {
    if branches.is_empty() {
        return Inferred::unknown();
    }
    if let Some((_, first)) = branches.first().filter(|(_, first)| first.value().is_some())
        && branches.iter().all(|(_, branch)| branch.value() == first.value())
    {
        return first.clone();
    }
    let is_any = branches.iter().any(|(_, branch)| branch.has_type_any());
    let types = branches.iter().map(|(_, branch)| branch.known_type().into_owned());
    let type_ = if is_any { Type::any() } else { Type::one_of(types) };
    let flat = |(id, found)| if let Inferred::Branches(inner, _) = found { inner } else { vec![(id, found)] };
    Inferred::Branches(branches.into_iter().flat_map(flat).collect(), type_)
}
