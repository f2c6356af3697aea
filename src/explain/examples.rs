//! Values that show what a type accepts, and values that just miss it, each with its reason.

use super::meet::{has_no_values, is_empty};
use super::mismatch::{Mismatch, Reason, explain};
use super::sample_values::Instances;
use crate::types::Type;
use crate::value::Value;

const MAX_CHARACTERS: usize = 120;

const MAX_OTHERS: usize = 3;

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
/// use pcore::{Type, explain::examples::examples};
/// let type_: Type = "Integer[1, 10]".parse()?;
/// let shown = examples(&type_, 2);
/// assert_eq!(shown.matches, [1.into(), 2.into()]);
/// assert_eq!(shown.near_misses[0].to_string(), "expected Integer[1, 10], got Integer 11");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn examples(type_: &Type, count: usize) -> Examples {
    let mut instances = Instances::default();
    // What was made for one type was tested with all that the search knew; what is shown is tested by itself.
    let inside = instances.inside(type_, 0);
    let matches = inside.iter().filter(|value| type_.has_instance(value));
    let matches: Vec<Value> = short(matches).into_iter().take(count).cloned().collect();
    // Of what nothing matches, everything is a near miss.
    let outside = if matches.is_empty() { Vec::new() } else { instances.outside(type_, 0) };
    let mut others = 0;
    let is_near = |mismatch: &Mismatch| {
        let is_of_another_kind = mismatch.is_whole() && mismatch.suggestions.is_empty();
        others += usize::from(is_of_another_kind && mismatch.reason == Reason::Type);
        !is_of_another_kind || others <= MAX_OTHERS
    };
    let near_misses = short(outside.iter()).into_iter().filter_map(|value| {
        let mut mismatch = explain(type_, value)?;
        // A generated value is not a secret.
        mismatch.found = Value::clone(value);
        Some(mismatch)
    });
    let near_misses: Vec<Mismatch> = near_misses.filter(is_near).take(count).collect();
    let no_match = matches.is_empty().then(|| why_none(type_));
    let no_near_miss = near_misses.is_empty().then(|| match no_match {
        Some(_) => "nothing matches",
        None if type_.accepts(&Type::any()) => "every value matches",
        None => "every value that was tried matches",
    });
    Examples { matches, near_misses, no_match, no_near_miss, has_look_around: has_look_around(type_) }
}

/// The short values, or the first one if there are none.
fn short<'v>(values: impl Iterator<Item = &'v Value> + Clone) -> Vec<&'v Value> {
    let is_short = |value: &&Value| value.to_string().chars().count() <= MAX_CHARACTERS;
    let short: Vec<&Value> = values.clone().filter(is_short).collect();
    if short.is_empty() { values.take(1).collect() } else { short }
}

fn why_none(type_: &Type) -> &'static str {
    match &*type_.behind_aliases() {
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
