//! Rewrites a type into an equivalent one: with aliases expanded, or without redundant parts.

use super::counterexample;
use crate::stack;
use crate::types::unfolding::{TypeWalk, TypeWalkState};
use crate::types::{Type, VariantType, normalization::TypeNormalizer};

/// The maximum number of aliases that are expanded; further ones stay. Expanding a recursive type would never end.
const MAX_EXPANDED_ALIASES: usize = 1_000;

/// Returns the type with aliases replaced by their definitions, `levels` deep, but not inside their own definitions.
#[must_use]
pub fn with_aliases_expanded(type_: &Type, levels: usize) -> Type {
    expand_aliases(&mut TypeWalkState::with_limit(MAX_EXPANDED_ALIASES), type_, levels)
}

fn expand_aliases(walk: &mut TypeWalkState, type_: &Type, levels: usize) -> Type {
    match type_ {
        Type::Alias(alias) if levels > 0 => {
            let meaning = walk.walk_behind_alias(alias, |walk, meaning| expand_aliases(walk, meaning, levels - 1));
            meaning.unwrap_or_else(|_| type_.clone())
        }
        other => map_inner_types(other, &mut |part| expand_aliases(walk, part, levels)),
    }
}

/// Returns the shortest type found that accepts the same values: with flat Variants, merged Enums and ranges, and no
/// branch that another branch accepts. Each step is checked in both directions ([`are_equivalent`]).
///
/// ```
/// use pcore::{Type, explain::rewrite::simplified};
/// let type_: Type = "Variant[Integer[1, 5], Variant[Integer[4, 9], Undef], Optional[Numeric]]".parse()?;
/// assert_eq!(simplified(&type_).to_string(), "Optional[Numeric]");
/// # Ok::<(), pcore::error::Error>(())
/// ```
#[must_use]
pub fn simplified(type_: &Type) -> Type {
    let simpler = map_inner_types(type_, &mut simplified);
    let simpler = if are_equivalent(&simpler, type_) { simpler } else { type_.clone() };
    let merged = TypeNormalizer::default().normalize(&without_redundant_branches(&simpler));
    [merged, without_redundant_branches(&simpler)]
        .into_iter()
        .find(|shorter| are_equivalent(shorter, type_))
        .unwrap_or(simpler)
}

/// Whether each type accepts the other or no value is found that only one accepts. The second test is needed because
/// Puppet compares branches one by one: `Variant[Integer[1, 5], Integer[4, 9]]` does not accept `Integer[1, 9]`.
pub fn are_equivalent(a: &Type, b: &Type) -> bool {
    let accepts = |a: &Type, b: &Type| a.accepts(b) || counterexample::in_difference(b, &[a]).is_none();
    accepts(a, b) && accepts(b, a)
}

/// Removes the branches of a Variant that other branches accept.
fn without_redundant_branches(type_: &Type) -> Type {
    let Type::Variant(variant) = type_ else { return type_.clone() };
    let branches: Vec<&Type> = variant.types().iter().map(|branch| &**branch).collect();
    let is_absorbed = |(at, branch): &(usize, &Type)| {
        branches.iter().enumerate().any(|(other_at, other)| {
            // Of two that accept each other, the first stays.
            *at != other_at && other.accepts(branch) && (other_at < *at || !branch.accepts(other))
        })
    };
    let kept = branches.iter().copied().enumerate().filter(|branch| !is_absorbed(branch));
    VariantType::of(kept.map(|(_, branch)| branch.clone()))
}

/// Replaces the types directly inside of `type_` by `replaced`; not in a Sensitive, which would generalize an alias.
fn map_inner_types(type_: &Type, replaced: &mut (dyn FnMut(&Type) -> Type + Send)) -> Type {
    match type_ {
        Type::Sensitive(_) => type_.clone(),
        other => stack::with_room(|| other.map_nested(replaced)),
    }
}
