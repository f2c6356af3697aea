//! Tags: the parts of a value from which one can see which branch of a Variant was meant, such as `kind` in
//! `Variant[Struct[{kind => Enum['file'], path => String}], Struct[{kind => Enum['url'], url => String}]]`.

use rustc_hash::FxHashSet;

use super::Step;
use crate::interrupt;
use crate::types::{Lattice, Member, Type, kinds::Kinds, normalization::TypeNormalizer};
use crate::value::Value;

/// The maximum number of parts of a value that are searched for tags; further parts are ignored.
const MAX_SEARCHED_PARTS: usize = 200;

const MAX_DEPTH: usize = 3;

/// A part of a value that has a different type in each branch of a Variant.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) path: Vec<Step>,
    pub(super) part: Value,
    /// The type of the part in each branch; `None` for a branch without the part.
    pub(super) branch_types: Vec<Option<Type>>,
    /// The most values that one of the types lists, 2 for `Enum['a', 'b']`; `None` if no type lists its values.
    pub(super) max_listed: Option<usize>,
    /// Whether one of the types, such as String, does not list its values.
    pub(super) is_open: bool,
}

impl Tag {
    /// Returns the parts of `value` that are tags for `branches`, first those whose types list the fewest values.
    pub(super) fn find_tags(branches: &[Type], value: &Value) -> Vec<Tag> {
        let mut search = TagSearch { path: Vec::new(), part_count: 0, tags: Vec::new() };
        search.search_parts(&branches.iter().cloned().map(Some).collect::<Vec<_>>(), value);
        search.tags.sort_by_key(|tag| (tag.max_listed.unwrap_or(usize::MAX), tag.is_open, tag.path.len()));
        search.tags
    }

    /// Returns for each branch 1 if it accepts the tag, -1 if only others do, 0 if none does or only others list it.
    pub(super) fn rate_branches(&self, lattice: &mut Lattice) -> Vec<i8> {
        let mut fit = |type_: &Option<Type>| type_.as_ref().is_some_and(|one| lattice.has_instance(one, &self.part));
        let fits: Vec<bool> = self.branch_types.iter().map(&mut fit).collect();
        let listed: Vec<bool> =
            self.branch_types.iter().map(|type_| type_.as_ref().and_then(count_listed_values).is_some()).collect();
        let is_listed = fits.iter().zip(&listed).any(|(fits, listed)| *fits && *listed);
        let verdict = |(fits, listed): (&bool, &bool)| match (fits, listed) {
            (true, false) if is_listed => 0,
            (true, _) => 1,
            (false, _) => -1,
        };
        if fits.contains(&true) { fits.iter().zip(&listed).map(verdict).collect() } else { vec![0; fits.len()] }
    }

    /// Returns the type of all values that the branches list for the part; `None` if a branch does not list its values.
    pub(super) fn type_of_listed_values(&self) -> Option<Type> {
        let types: Vec<Type> = self.branch_types.iter().cloned().collect::<Option<_>>()?;
        (!self.is_open).then(|| TypeNormalizer::default().normalize(&Type::one_of(types)))
    }
}

struct TagSearch {
    path: Vec<Step>,
    part_count: usize,
    tags: Vec<Tag>,
}

impl TagSearch {
    fn search_parts(&mut self, branches: &[Option<Type>], value: &Value) {
        match value {
            Value::Hash(entries) => {
                for (key, value) in entries.iter().filter(|(key, _)| key.as_str().is_some()) {
                    self.search_part(branches, Step::Entry(key.clone()), value);
                }
            }
            Value::Array(elements) => {
                for (at, element) in elements.iter().enumerate().take(MAX_SEARCHED_PARTS) {
                    self.search_part(branches, Step::Element(at), element);
                }
            }
            _ => {}
        }
    }

    fn search_part(&mut self, branches: &[Option<Type>], step: Step, part: &Value) {
        self.part_count += 1;
        if self.part_count > MAX_SEARCHED_PARTS {
            return;
        }
        let type_of_part = |branch: &Option<Type>| match (&*branch.as_ref()?.behind_aliases(), &step) {
            (Type::Struct(record), Step::Entry(Value::String(name))) => record.member(name).map(Member::type_).cloned(),
            (Type::Tuple(tuple), Step::Element(at)) => tuple.type_at(*at).cloned(),
            (Type::Hash(hash), Step::Entry(_)) => Some(hash.value().clone()),
            (Type::Array(array), Step::Element(_)) => Some(array.element().clone()),
            _ => None,
        };
        let types: Vec<_> = interrupt::step_through(branches).map(type_of_part).collect();
        let present: Vec<&Type> = types.iter().flatten().collect();
        if present.len() < 2 {
            return;
        }
        self.path.push(step);
        let counts: Vec<usize> = present.iter().filter_map(|type_| count_listed_values(type_)).collect();
        // Types of which each has values of one kind, and all of different kinds, tell branches apart.
        let mut kinds = FxHashSet::default();
        let mut is_apart = |type_: &&Type| kind_of_values(type_).is_some_and(|kind| kinds.insert(kind));
        if !counts.is_empty() || present.iter().all(&mut is_apart) {
            let is_open = counts.len() < present.len();
            let listed = counts.into_iter().max();
            let (path, part) = (self.path.clone(), part.clone());
            self.tags.push(Tag { path, part, branch_types: types, max_listed: listed, is_open });
        } else if self.path.len() < MAX_DEPTH {
            self.search_parts(&types, part);
        }
        self.path.pop();
    }
}

fn count_listed_values(type_: &Type) -> Option<usize> {
    let count = |branch: &Type| match branch {
        Type::Enum(words) => Some(words.values().len()),
        Type::Boolean(boolean) => boolean.value.map(|_| 1),
        Type::Integer(range) => (range.from() == range.to()).then_some(1),
        other => other.listed_strings().map(<[_]>::len),
    };
    type_.alternatives().iter().map(count).sum()
}

/// Returns the kind of all values of a type: string, number, Boolean, undef, array or hash. `None` for mixed kinds.
pub(super) fn kind_of_values(type_: &Type) -> Option<Kinds> {
    let type_ = type_.unwrap_layers(|type_| if let Type::NotUndef(inner) = type_ { inner.type_() } else { None });
    let kinds = Kinds::of_instances(&type_);
    let known = [Kinds::STRING, Kinds::NUMBER, Kinds::BOOLEAN, Kinds::UNDEF, Kinds::ARRAY, Kinds::HASH];
    known.into_iter().find(|kind| kinds.is_subset_of(*kind))
}
