//! Finds values that distinguish types: values of one type that are not values of other types.
//!
//! Candidates are values just outside the bounds of the other types, values of the type, and values of every kind. All
//! are tested, so each value that is returned is a counterexample; but if none is found, there may still be one.

use super::leaf_values::{samples_of_leaf_type, values_of_every_kind};
use super::sample_values::SampleSearch;
use crate::regexp::Regexp;
use crate::types::{PatternType, Type, kinds::Kinds};
use crate::value::Value;

const MAX_OTHER_TYPES: usize = 64;

/// Returns a value of `type_` that is not a value of any of `others`, or `None` if none is found.
///
/// ```
/// use pcore::{Type, explain::counterexample};
/// let (port, low): (Type, Type) = ("Integer[1, 65535]".parse()?, "Integer[1, 1024]".parse()?);
/// assert_eq!(counterexample::in_difference(&port, &[&low]), Some(1025.into()));
/// assert_eq!(counterexample::in_difference(&low, &[&port]), None);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn in_difference(type_: &Type, others: &[&Type]) -> Option<Value> {
    let mut instances = SampleSearch::default();
    let apart: Vec<Type> = others.iter().flat_map(|other| other.branches()).take(MAX_OTHER_TYPES).collect();
    type_.branches().find_map(|branch| {
        let mut candidates = counterexample_candidates(&branch, &apart, &mut instances);
        candidates.retain(|value| type_.has_instance(value));
        let differs = |value: &&Value| !others.iter().any(|other| other.has_instance(value));
        let found = candidates.iter().find(differs).cloned();
        found.or_else(|| {
            combine_values(&candidates, &apart, instances.values_of_type(&branch, 0).first()?, |value| {
                type_.has_instance(value) && differs(&value)
            })
        })
    })
}

/// Returns values that may be of `type_` but of none of `others`, first those just outside the bounds of `others`.
fn counterexample_candidates(type_: &Type, others: &[Type], instances: &mut SampleSearch) -> Vec<Value> {
    let mut candidates = Vec::new();
    if let Type::Pattern(pattern) = type_ {
        let patterns = others.iter().filter_map(PatternType::of_type).flat_map(PatternType::patterns);
        let others: Vec<&Regexp> = patterns.map(|regexp| &**regexp).collect();
        let differences = pattern.patterns().iter().filter_map(|regexp| regexp.shortest_unique_match(&others));
        candidates.extend(differences.map(Value::from));
    }
    let kinds = Kinds::of_instances(type_);
    let is_near = |other: &&Type| {
        other.kind() == type_.kind() || (!kinds.is_all() && kinds.intersects(Kinds::of_instances(other)))
    };
    candidates.extend(others.iter().filter(is_near).flat_map(|other| instances.near_misses(other, 0)));
    candidates.extend(samples_of_leaf_type(type_).unwrap_or_default());
    candidates.extend(instances.values_of_type(type_, 0).iter().cloned());
    let leaves = others.iter().filter_map(samples_of_leaf_type).flatten();
    candidates.extend(leaves.filter_map(|value| Some(Value::from(value.as_str()?.to_uppercase()))));
    candidates.extend_from_slice(values_of_every_kind());
    candidates
}

/// Takes from `values`, for each of `others`, one that is not of that type, and combines these: concatenates them, or
/// changes `right` wherever one of them differs from it. Returns the first result for which `differs` is true.
fn combine_values(values: &[Value], others: &[Type], right: &Value, differs: impl Fn(&Value) -> bool) -> Option<Value> {
    let leaving = |other: &Type| values.iter().find(|value| !other.has_instance(value));
    let leaving: Vec<&Value> = others.iter().map(leaving).collect::<Option<_>>()?;
    let arrays: Option<Vec<&[Value]>> = leaving.iter().map(|value| value.as_array().map(|array| &**array)).collect();
    let joined = arrays.map(|arrays| Value::from(arrays.concat()));
    let crossed = leaving.into_iter().cloned().reduce(|all, next| match (all, next, right) {
        (Value::Array(all), Value::Array(next), Value::Array(right)) => {
            let parts = all.iter().zip(next.iter()).zip(right.iter());
            let chosen = parts.map(|((all, next), right)| if next == right { all } else { next });
            Value::from(chosen.cloned().collect::<Vec<_>>())
        }
        (Value::Hash(mut all), Value::Hash(next), Value::Hash(right)) => {
            let changed = next.iter().filter(|(key, value)| right.get(key) != Some(value));
            changed.for_each(|(key, value)| all.insert(key.clone(), value.clone()));
            Value::Hash(all)
        }
        (all, ..) => all,
    });
    joined.into_iter().chain(crossed).find(differs)
}

/// Returns a value of both types, or `None` if none is found.
pub fn find_common_value(a: &Type, b: &Type) -> Option<Value> {
    let mut instances = SampleSearch::default();
    let has_both = |value: &&Value| a.has_instance(value) && b.has_instance(value);
    let mut common = |type_: &Type| instances.values_of_type(type_, 0).iter().find(has_both).cloned();
    common(a).or_else(|| common(b)).or_else(|| common(&super::meet::meet(a, b)))
}
