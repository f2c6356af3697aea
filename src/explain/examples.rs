//! Finds values that match a type, and values that almost match, each with the reason why it does not.

use rustc_hash::{FxHashMap, FxHashSet};

use super::meet::{has_no_values, is_empty_type};
use super::mismatch::{Mismatch, Reason, explain, path_as_code};
use super::sample_values::SampleSearch;
use crate::format;
use crate::types::{Type, describe::kind_name};
use crate::value::Value;

const MAX_READABLE_CHARACTERS: usize = 120;

/// Examples of values that a type accepts and of values that it rejects.
#[derive(Clone, Debug)]
pub struct Examples {
    /// Values of the type: the smallest, those at its bounds, and one for each branch of a Variant.
    pub matches: Vec<Value>,
    /// Values that almost match the type, each with the reason why it does not.
    pub near_misses: Vec<Mismatch>,
    /// The reason why no matching value was found; `None` if `matches` is not empty.
    pub no_match_reason: Option<&'static str>,
    /// The reason why no near miss was found; `None` if `near_misses` is not empty.
    pub no_near_miss_reason: Option<&'static str>,
    /// Whether the type has a Pattern with look-around, for which matching strings may not have been generated.
    pub has_look_around: bool,
}

/// Returns at most `count` values that match `type_`, and at most `count` near misses, which almost match it.
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
    let mut instances = SampleSearch::default();
    // What was made for one type was tested with all that the search knew; what is shown is tested by itself.
    let inside = instances.values_of_type(type_, 0);
    let matches = inside.iter().filter(|value| type_.has_instance(value));
    let matches: Vec<Value> = readable_values(matches).into_iter().take(count).cloned().collect();
    // Of what nothing matches, everything is a near miss.
    let outside = if matches.is_empty() { Vec::new() } else { instances.near_misses(type_, 0) };
    let mut chosen = Reasons::default();
    let near_misses = readable_values(outside.iter()).into_iter().filter_map(|value| {
        let mut mismatch = explain(type_, value)?;
        // A generated value is not a secret.
        mismatch.found = Value::clone(value);
        Some(mismatch)
    });
    let near_misses: Vec<Mismatch> =
        near_misses.filter(|mismatch| choose_if_new(&mut chosen, mismatch)).take(count).collect();
    let no_match = matches.is_empty().then(|| reason_for_no_match(type_));
    let no_near_miss = near_misses.is_empty().then(|| match no_match {
        Some(_) => "nothing matches",
        None if type_.accepts(&Type::any()) => "every value matches",
        None => "every value that was tried matches",
    });
    Examples {
        matches,
        near_misses,
        no_match_reason: no_match,
        no_near_miss_reason: no_near_miss,
        has_look_around: has_look_around(type_),
    }
}

/// Returns the values whose code is short and without special characters or, if there are none, the first value.
fn readable_values<'v>(values: impl Iterator<Item = &'v Value> + Clone) -> Vec<&'v Value> {
    let is_plain = |c: char| c.is_alphanumeric() || c.is_ascii_graphic() || c == ' ';
    let is_readable = |value: &&Value| {
        let text = format::shortened_program_text(value, MAX_READABLE_CHARACTERS + 1);
        text.chars().count() <= MAX_READABLE_CHARACTERS && !text.contains("\\u") && text.chars().all(is_plain)
    };
    let readable: Vec<&Value> = values.clone().filter(is_readable).collect();
    if readable.is_empty() { values.take(1).collect() } else { readable }
}

/// The problems of the near misses chosen so far, by the path and the kind of the reason.
type Reasons = FxHashMap<(String, &'static str), FxHashSet<String>>;

/// Returns true and adds `mismatch` to `chosen` if its problem is new, and not yet 2 or 3 have its path and kind.
fn choose_if_new(chosen: &mut Reasons, mismatch: &Mismatch) -> bool {
    const MAX_PER_REASON: usize = 3;
    let leaves = mismatch.leaves();
    let Some(leaf) = leaves.first() else { return false };
    let hint = leaf.suggestions.first().map_or("", |suggestion| &suggestion.text);
    let problem = match &leaf.reason {
        Reason::Type | Reason::Branch => kind_name(leaf.unhidden_found()).to_owned(),
        Reason::Pattern(Some(partial)) => partial.clone(),
        Reason::Pattern(None) | Reason::Enum => String::new(),
        _ => leaf.problem(),
    };
    let most = if leaf.reason == Reason::Type { MAX_PER_REASON - 1 } else { MAX_PER_REASON };
    let of_place = chosen.entry((path_as_code(&leaf.path), leaf.reason.kind())).or_default();
    of_place.len() < most && of_place.insert(format!("{problem} {hint}"))
}

fn reason_for_no_match(type_: &Type) -> &'static str {
    match &*type_.behind_aliases() {
        _ if is_empty_type(type_) => "no value is of the type",
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
