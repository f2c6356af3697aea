//! Finds values that distinguish types: a value of one type but not of others.
//!
//! The search goes down the types side by side. A type without parts gives the values at its edges and at those of the
//! others. A container is a row of parts, and one wrong part is enough to leave another type: so parts are exchanged one by
//! one until every other type is left. Any value found is certain to be a counterexample; finding none proves nothing.

use std::sync::Arc;

use super::leaf_values::{leaf_values, plain};
use super::sample_values::{Instances, MAX_DEPTH, MAX_PARTS, replaced, sizes};
use crate::regexp::Regexp;
use crate::stack;
use crate::types::unfolding;
use crate::types::{HashType, Member, PatternType, SensitiveType, Size, StructType, Type, UndefType};
use crate::value::{Hash, Value};

/// How many values that distinguish a part are tried.
const MAX_FOUND: usize = 4;

/// How many positions of a row are exchanged.
const MAX_POSITIONS: usize = 64;

/// How long rows may be.
const MAX_ROW: usize = 2_000;

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
    Search::default().difference(type_, others, 0).into_iter().next()
}

/// A value that both types have, if one is found.
pub fn in_intersection(a: &Type, b: &Type) -> Option<Value> {
    let mut search = Search::default();
    let both = |one: &Type, other: &Type, search: &mut Search| {
        let inside = search.instances.inside(one, 0);
        inside.iter().find(|value| other.has_instance(value)).cloned()
    };
    both(a, b, &mut search).or_else(|| both(b, a, &mut search)).or_else(|| {
        let meet = super::meet::meet(a, b);
        let inside = search.instances.inside(&meet, 0);
        inside.iter().find(|value| a.has_instance(value) && b.has_instance(value)).cloned()
    })
}

#[derive(Default)]
struct Search {
    instances: Instances,
}

/// A part of a row, and the types that the others have for it; `None` for another that the whole row has left already.
struct Position<'t> {
    type_: &'t Type,
    others: Vec<Option<&'t Type>>,
}

impl<'t> Position<'t> {
    fn other(&self, at: usize) -> Option<&'t Type> {
        self.others.get(at).copied().flatten()
    }
}

impl Search {
    /// Some values of `type_` that none of `others` has.
    fn difference(&mut self, type_: &Type, others: &[&Type], depth: usize) -> Vec<Value> {
        if depth > MAX_DEPTH || self.instances.is_over() {
            return Vec::new();
        }
        let candidates = stack::with_room(|| self.candidates(type_, others, depth));
        self.verified(type_, others, candidates)
    }

    fn verified(&mut self, type_: &Type, others: &[&Type], candidates: Vec<Value>) -> Vec<Value> {
        let lattice = &mut self.instances.lattice;
        let differs = |value: &Value| {
            lattice.has_instance(type_, value) && !others.iter().any(|other| lattice.has_instance(other, value))
        };
        let mut differs = differs;
        candidates.into_iter().filter(|value| differs(value)).take(MAX_FOUND).collect()
    }

    fn candidates(&mut self, type_: &Type, others: &[&Type], depth: usize) -> Vec<Value> {
        static UNDEF: Type = Type::Undef(UndefType);
        let meaning;
        let branches: Vec<&Type> = match type_ {
            Type::Alias(alias) => {
                meaning = unfolding::within(alias, depth, MAX_DEPTH);
                meaning.as_deref().into_iter().collect()
            }
            _ if let Some(meaning) = type_.meaning() => vec![meaning],
            Type::Variant(variant) => variant.types().iter().map(|branch| &**branch).collect(),
            Type::Optional(optional) => optional.type_().into_iter().chain([&UNDEF]).collect(),
            Type::NotUndef(not_undef) if let Some(inner) = not_undef.type_() => vec![inner],
            _ => {
                let apart = apart(others);
                return self.of_one_kind(type_, &apart.iter().collect::<Vec<_>>(), others, depth);
            }
        };
        let mut found = Vec::new();
        for branch in branches {
            found.extend(self.difference(branch, others, depth + usize::from(matches!(type_, Type::Alias(_)))));
            if found.len() >= MAX_FOUND {
                break;
            }
        }
        found
    }

    /// The same search for a type that is not a Variant; `apart` are the branches of the others.
    fn of_one_kind(&mut self, type_: &Type, apart: &[&Type], others: &[&Type], depth: usize) -> Vec<Value> {
        let mut candidates: Vec<Value> = match type_ {
            Type::Array(_) | Type::Tuple(_) => self.arrays(type_, apart, others, depth),
            Type::Hash(hash) => self.hashes(hash, apart, depth),
            Type::Struct(members) => self.records(members, apart, depth),
            Type::Sensitive(sensitive) => {
                let others = apart.iter().filter_map(|other| SensitiveType::of_type(other));
                let contents: Vec<&Type> = others.map(SensitiveType::content).collect();
                let found = self.difference(sensitive.content(), &contents, depth + 1);
                found.into_iter().map(|content| Value::Sensitive(Arc::new(content))).collect()
            }
            Type::Object(object) if !object.is_root() => {
                let fields = object.fields();
                let types: Vec<&Type> = fields.iter().map(|field| field.type_()).collect();
                let rows = types.iter().map(|type_| Position { type_, others: Vec::new() }).collect::<Vec<_>>();
                let row = self.row(&rows, 0, depth);
                row.into_iter().filter_map(|row| type_.construct(&row).ok()).collect()
            }
            Type::Pattern(pattern) => {
                let patterns = apart.iter().filter_map(|other| PatternType::of_type(other));
                let others: Vec<&Regexp> = patterns.flat_map(PatternType::patterns).map(|regexp| &**regexp).collect();
                let beyond = pattern.patterns().iter().filter_map(|regexp| regexp.beyond(&others));
                beyond.map(Value::from).collect()
            }
            _ => Vec::new(),
        };
        // Beside an edge of the others is the nearest.
        for other in apart {
            if other.kind() == type_.kind() && depth < MAX_DEPTH {
                candidates.extend(self.instances.outside(other, depth + 1));
            }
        }
        candidates.extend(leaf_values(type_).unwrap_or_default());
        candidates.extend(self.instances.inside(type_, depth).iter().cloned());
        if !matches!(type_, Type::Array(_) | Type::Tuple(_) | Type::Hash(_) | Type::Struct(_)) {
            for other in apart {
                let strings = leaf_values(other).unwrap_or_default();
                candidates.extend(strings.iter().filter_map(|value| Some(Value::from(value.as_str()?.to_uppercase()))));
            }
            candidates.extend_from_slice(plain());
        }
        candidates
    }

    /// Rows of values for the positions in which each of `count` others is left, if that is possible.
    fn row(&mut self, positions: &[Position<'_>], count: usize, depth: usize) -> Vec<Vec<Value>> {
        let mut row = Vec::new();
        for position in positions {
            let Some(value) = self.instances.inside(position.type_, depth + 1).first().cloned() else {
                return Vec::new();
            };
            row.push(value);
        }
        let mut rows = vec![row.clone()];
        // One position in which all others are left at once.
        for (at, position) in positions.iter().enumerate().take(MAX_POSITIONS) {
            let others: Vec<&Type> = position.others.iter().flatten().copied().collect();
            for value in self.difference(position.type_, &others, depth + 1) {
                rows.push(replaced(&row, at, value));
            }
        }
        // Else each in a position of its own, or together with others.
        let mut kept: Vec<usize> = Vec::new();
        for other in 0..count {
            let lattice = &mut self.instances.lattice;
            let is_left = positions.iter().zip(&row).position(|(position, value)| {
                position.other(other).is_some_and(|type_| !lattice.has_instance(type_, value))
            });
            if let Some(at) = is_left {
                // What leaves it stays as it is.
                kept.push(at);
                continue;
            }
            for (at, position) in positions.iter().enumerate().take(MAX_POSITIONS) {
                let Some(type_) = position.other(other).filter(|_| !kept.contains(&at)) else { continue };
                // Beyond those that come after it, too, where that can be.
                let later: Vec<&Type> = position.others.iter().skip(other).flatten().copied().collect();
                let found = self.difference(position.type_, &later, depth + 1);
                let found = if found.is_empty() { self.difference(position.type_, &[type_], depth + 1) } else { found };
                if let Some(value) = found.into_iter().next() {
                    row = replaced(&row, at, value);
                    kept.push(at);
                    break;
                }
            }
        }
        rows.insert(1, row);
        rows
    }

    fn arrays(&mut self, type_: &Type, apart: &[&Type], others: &[&Type], depth: usize) -> Vec<Value> {
        let size = match type_ {
            Type::Array(array) => array.size(),
            Type::Tuple(tuple) => tuple.size(),
            _ => return Vec::new(),
        };
        let any = Type::any();
        let mut lengths: Vec<usize> = sizes(size).collect();
        for other in apart {
            let (from, to) = match other {
                Type::Array(array) => (array.size().from(), array.size().to()),
                Type::Tuple(tuple) => (tuple.size().from(), tuple.size().to()),
                Type::Collection(collection) => (collection.size().from(), collection.size().to()),
                _ => continue,
            };
            let near = [from.saturating_sub(1), from, to, to.saturating_add(1)];
            lengths.extend(near.into_iter().filter_map(|length| usize::try_from(length).ok()));
        }
        lengths.extend([1, 2, 3, apart.len()]);
        if let Type::Tuple(tuple) = type_ {
            lengths.push(tuple.types().len());
        }
        lengths.retain(|length| size.contains(*length) && *length <= MAX_ROW);
        lengths.sort_unstable();
        lengths.dedup();
        let mut arrays = Vec::new();
        for length in lengths {
            let positions: Vec<Position<'_>> = (0..length)
                .map(|position| Position {
                    type_: element_at(type_, position, length).unwrap_or(&any),
                    others: apart.iter().map(|other| element_at(other, position, length)).collect(),
                })
                .collect();
            // All positions of an Array are alike: only so many are exchanged.
            let rows = self.row(&positions, apart.len(), depth);
            let found = self.verified(type_, others, rows.into_iter().map(Value::from).collect());
            let is_found = !found.is_empty();
            arrays.extend(found);
            if is_found {
                break;
            }
        }
        arrays
    }

    /// Records with all members, with the required ones alone, and each without one of the others.
    fn records(&mut self, members: &StructType, apart: &[&Type], depth: usize) -> Vec<Value> {
        let optional: Vec<bool> =
            members.members().iter().map(|member| member.may_be_missing(&mut self.instances.lattice)).collect();
        let count = members.members().len();
        let all = vec![true; count];
        let required: Vec<bool> = optional.iter().map(|optional| !optional).collect();
        let some = || (0..).zip(&optional).filter(|(_, optional)| **optional).map(|(at, _)| at).take(MAX_PARTS);
        let drop_one = some().map(|at| replaced(&all, at, false));
        let keep_one = some().map(|at| replaced(&required, at, true));
        let presences: Vec<Vec<bool>> =
            [all.clone(), required.clone()].into_iter().chain(drop_one).chain(keep_one).collect();
        let mut hashes = Vec::new();
        for presence in presences {
            let present: Vec<_> = members.members().iter().zip(&presence).filter(|(_, present)| **present).collect();
            let positions: Vec<Position<'_>> = present
                .iter()
                .map(|(member, _)| Position {
                    type_: member.type_(),
                    others: apart.iter().map(|other| value_at(other, member.name())).collect(),
                })
                .collect();
            for row in self.row(&positions, apart.len(), depth) {
                let entries = present.iter().map(|(member, _)| member.key().clone()).zip(row);
                hashes.push(Value::Hash(entries.collect()));
            }
        }
        hashes
    }

    fn hashes(&mut self, hash: &HashType, apart: &[&Type], depth: usize) -> Vec<Value> {
        let mut counts: Vec<usize> = sizes(hash.size()).collect();
        let (mut key_types, mut names): (Vec<&Type>, Vec<Value>) = (Vec::new(), Vec::new());
        let mut records: Vec<&StructType> = Vec::new();
        for other in apart {
            let size = match other {
                Type::Hash(other) => {
                    key_types.push(other.key());
                    other.size()
                }
                Type::Collection(collection) => collection.size(),
                Type::Struct(members) => {
                    names.extend(members.members().iter().map(|member| member.key().clone()));
                    records.push(members);
                    Size::exactly(members.members().len())
                }
                _ => continue,
            };
            counts.extend(sizes(size).chain(super::sample_values::beside(size)));
        }
        counts.extend([1, 2, apart.len()]);
        counts.retain(|count| hash.size().contains(*count) && *count <= MAX_ROW);
        counts.sort_unstable();
        counts.dedup();
        let strange = self.difference(hash.key(), &key_types, depth + 1);
        let mut hashes = Vec::new();
        for count in counts {
            let common = self.instances.keys(hash.key(), count, depth);
            let mut starts: Vec<Vec<Value>> = vec![Vec::new(), strange.iter().take(1).cloned().collect()];
            starts.extend(names.iter().take(MAX_PARTS).map(|name| vec![name.clone()]));
            starts.extend(
                records.iter().map(|record| record.members().iter().map(|member| member.key().clone()).collect()),
            );
            for start in starts {
                let mut keys: Vec<Value> = start
                    .into_iter()
                    .filter(|key| self.instances.lattice.has_instance(hash.key(), key))
                    .take(count)
                    .collect();
                let more: Vec<Value> =
                    common.iter().filter(|key| !keys.contains(key)).take(count - keys.len()).cloned().collect();
                keys.extend(more);
                let positions: Vec<Position<'_>> = keys
                    .iter()
                    .map(|key| Position {
                        type_: hash.value(),
                        others: apart.iter().map(|other| value_at(other, key.as_str().unwrap_or("\0"))).collect(),
                    })
                    .collect();
                for row in self.row(&positions, apart.len(), depth) {
                    hashes.push(Value::Hash(keys.iter().cloned().zip(row).collect::<Hash>()));
                }
            }
        }
        hashes
    }
}

/// The branches of types, behind aliases and inside of Variants.
fn apart(others: &[&Type]) -> Vec<Type> {
    let branches = others.iter().flat_map(|other| other.branches(Type::types_in_data));
    branches.map(|(_, type_)| type_).take(MAX_POSITIONS).collect()
}

/// The type of the element at that index in arrays of that length; `None` if the type has no such array or does not
/// restrict its elements.
fn element_at(type_: &Type, at: usize, length: usize) -> Option<&Type> {
    match type_ {
        Type::Array(array) if array.size().contains(length) => Some(array.element()),
        Type::Tuple(tuple) if tuple.size().contains(length) => tuple.at(at),
        Type::Iterable(iterable) => iterable.element(),
        _ => None,
    }
}

fn value_at<'t>(type_: &'t Type, name: &str) -> Option<&'t Type> {
    match type_ {
        Type::Struct(members) => members.member(name).map(Member::type_),
        Type::Hash(hash) => Some(hash.value()),
        _ => None,
    }
}
