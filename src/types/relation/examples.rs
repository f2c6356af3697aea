//! Values that show what a type accepts, and values that just miss it, each with its reason.

use super::instances::Instances;
use super::meet::{has_no_values, is_empty};
use super::mismatch::{Mismatch, explain};
use crate::types::Type;
use crate::value::Value;

/// How many characters an example has at most.
const MAX_CHARACTERS: usize = 120;

/// What a type accepts, and what not.
#[derive(Clone, Debug)]
pub struct Examples {
    /// Values of the type: the smallest, those at its bounds, one of each branch.
    pub matches: Vec<Value>,
    /// Values that are almost of the type, and why they are not.
    pub near_misses: Vec<Mismatch>,
    /// Why there is no value that matches, if none was found.
    pub no_match: Option<&'static str>,
    /// Why there is no near miss, if none was found.
    pub no_near_miss: Option<&'static str>,
    /// Whether an expression of a Pattern has look-around, from which strings cannot be generated with certainty.
    pub has_look_around: bool,
}

/// At most `count` values of each sort.
///
/// ```
/// use pcore::types::{Type, relation::examples::examples};
/// let type_: Type = "Integer[1, 10]".parse()?;
/// let shown = examples(&type_, 2);
/// assert_eq!(shown.matches, [1.into(), 2.into()]);
/// assert_eq!(shown.near_misses[0].to_string(), "expected Integer[1, 10], got Integer 11");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn examples(type_: &Type, count: usize) -> Examples {
    let mut instances = Instances::default();
    let is_short = |value: &Value| value.to_string().chars().count() <= MAX_CHARACTERS;
    // What was made for one type was tested with all that the search knew; what is shown is tested by itself.
    let inside = instances.inside(type_, 0);
    let matches = shown(inside.iter().filter(|value| type_.has_instance(value)), count, is_short);
    // Of what nothing matches, everything is a near miss.
    let outside = if matches.is_empty() { Vec::new() } else { instances.outside(type_, 0) };
    let near = shown(outside.iter(), count, is_short);
    // What was made up here is no secret.
    let near_misses = near.iter().filter_map(|value| {
        let mut mismatch = explain(type_, value)?;
        mismatch.found = Value::clone(value);
        Some(mismatch)
    });
    let near_misses: Vec<Mismatch> = near_misses.collect();
    let no_match = matches.is_empty().then(|| why_none(type_));
    let no_near_miss = near_misses.is_empty().then_some(match no_match {
        Some(_) => "nothing matches",
        None => "the type accepts every value that was tried",
    });
    Examples { matches, near_misses, no_match, no_near_miss, has_look_around: has_look_around(type_) }
}

/// The first values, short ones if there are any.
fn shown<'v>(
    values: impl Iterator<Item = &'v Value> + Clone,
    count: usize,
    is_short: impl Fn(&Value) -> bool,
) -> Vec<Value> {
    let short: Vec<Value> = values.clone().filter(|value| is_short(value)).take(count).cloned().collect();
    if short.is_empty() { values.take(1).cloned().collect() } else { short }
}

fn why_none(type_: &Type) -> &'static str {
    match type_.behind_aliases() {
        _ if is_empty(type_) => "no value is of the type",
        Type::Resource(_) | Type::Class(_) | Type::CatalogEntry(_) => {
            "the type has no values: use Type[…] for a reference to a resource or a class"
        }
        _ if has_no_values(type_) => {
            "the type needs values that do not exist here: resources, classes, those of the host"
        }
        Type::Iterator(iterator) if iterator.element().is_some_and(has_no_values) => "the elements have no values",
        _ if has_look_around(type_) => "strings cannot be generated from a regular expression with look-around",
        _ => "no value was found",
    }
}

fn has_look_around(type_: &Type) -> bool {
    type_.alternatives().into_iter().any(|branch| match branch {
        Type::Pattern(pattern) => pattern.patterns().iter().any(|regexp| regexp.has_look_around()),
        _ => false,
    })
}
