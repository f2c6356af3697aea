//! Finds values that distinguish types: a value of one type but not of others.
//!
//! A counterexample is a sample that none of the others has: a value just beside the others, a value of the type, or one
//! of any kind. Any value found is certain to be a counterexample; finding none proves nothing.

use super::leaf_values::{leaf_values, plain};
use super::sample_values::Instances;
use crate::regexp::Regexp;
use crate::types::{PatternType, Type, kinds::Kinds};
use crate::value::Value;

const MAX_BRANCHES: usize = 64;

/// A value of `type_` that none of `others` has, if one is found.
///
/// ```
/// use pcore::{Type, explain::counterexample};
/// let (port, low): (Type, Type) = ("Integer[1, 65535]".parse()?, "Integer[1, 1024]".parse()?);
/// assert_eq!(counterexample::in_difference(&port, &[&low]), Some(1025.into()));
/// assert_eq!(counterexample::in_difference(&low, &[&port]), None);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn in_difference(type_: &Type, others: &[&Type]) -> Option<Value> {
    let mut instances = Instances::default();
    let apart: Vec<Type> = others.iter().flat_map(|other| branches(other)).take(MAX_BRANCHES).collect();
    branches(type_).find_map(|branch| {
        let mut candidates = candidates(&branch, &apart, &mut instances);
        candidates.retain(|value| type_.has_instance(value));
        let differs = |value: &&Value| !others.iter().any(|other| other.has_instance(value));
        let found = candidates.iter().find(differs).cloned();
        found.or_else(|| {
            together(&candidates, &apart, instances.inside(&branch, 0).first()?, |value| {
                type_.has_instance(value) && differs(&value)
            })
        })
    })
}

/// The alternatives of a type: the branches of a Variant, also inside of aliases and other Variants.
fn branches(type_: &Type) -> impl Iterator<Item = Type> {
    type_.branches(Type::types_in_data).map(|(_, type_)| type_)
}

/// Values that may be of `type_` but of none of `others`; those just outside the bounds of `others` come first.
fn candidates(type_: &Type, others: &[Type], instances: &mut Instances) -> Vec<Value> {
    let mut candidates = Vec::new();
    if let Type::Pattern(pattern) = type_ {
        let patterns = others.iter().filter_map(PatternType::of_type).flat_map(PatternType::patterns);
        let others: Vec<&Regexp> = patterns.map(|regexp| &**regexp).collect();
        candidates.extend(pattern.patterns().iter().filter_map(|regexp| regexp.beyond(&others)).map(Value::from));
    }
    let kinds = Kinds::of_instances(type_);
    let is_near =
        |other: &&Type| other.kind() == type_.kind() || (!kinds.are_all() && kinds.meet(Kinds::of_instances(other)));
    candidates.extend(others.iter().filter(is_near).flat_map(|other| instances.outside(other, 0)));
    candidates.extend(leaf_values(type_).unwrap_or_default());
    candidates.extend(instances.inside(type_, 0).iter().cloned());
    let leaves = others.iter().filter_map(leaf_values).flatten();
    candidates.extend(leaves.filter_map(|value| Some(Value::from(value.as_str()?.to_uppercase()))));
    candidates.extend_from_slice(plain());
    candidates
}

/// A collection of candidates that is of none of `others`: all candidates in one array, or those that differ from
/// `right`.
fn together(candidates: &[Value], others: &[Type], right: &Value, differs: impl Fn(&Value) -> bool) -> Option<Value> {
    let leaving = |other: &Type| candidates.iter().find(|value| !other.has_instance(value));
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

/// A value that both types have, if one is found.
pub fn in_intersection(a: &Type, b: &Type) -> Option<Value> {
    let mut instances = Instances::default();
    let has_both = |value: &&Value| a.has_instance(value) && b.has_instance(value);
    let mut common = |type_: &Type| instances.inside(type_, 0).iter().find(has_both).cloned();
    common(a).or_else(|| common(b)).or_else(|| common(&super::meet::meet(a, b)))
}
