//! Tags: the parts of a value that show which branch of a Variant was meant, such as `kind` in
//! `Variant[Struct[{kind => Enum['file'], path => String}], Struct[{kind => Enum['url'], url => String}]]`.

use super::Step;
use crate::interrupt;
use crate::types::{Lattice, Member, Type, kinds::Kinds, normalization::Normalization};
use crate::value::Value;

/// How many parts of a value are looked at.
const MAX_PARTS: usize = 200;

/// How many steps it may be to a tag.
const MAX_DEPTH: usize = 3;

/// A part that has another type in each branch.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) path: Vec<Step>,
    pub(super) part: Value,
    /// The type of the part in each branch; `None` where the branch has no such part.
    pub(super) types: Vec<Option<Type>>,
    /// The number of values that a type lists at most; `None` if they only differ in their kind.
    pub(super) listed: Option<usize>,
    /// Whether one of the types lists no values.
    pub(super) is_open: bool,
}

impl Tag {
    /// The tags of a value, those with the fewest values to choose from first.
    pub(super) fn all(branches: &[Type], value: &Value) -> Vec<Tag> {
        let mut search = Search { path: Vec::new(), parts: 0, found: Vec::new() };
        search.below(&branches.iter().cloned().map(Some).collect::<Vec<_>>(), value);
        search.found.sort_by_key(|tag| (tag.listed.unwrap_or(usize::MAX), tag.is_open, tag.path.len()));
        search.found
    }

    /// For each branch, 1 if the tag is one of its values, -1 if of another, 0 if unclear. Listed values come first.
    pub(super) fn verdicts(&self, lattice: &mut Lattice) -> Vec<i8> {
        let mut fit = |type_: &Option<Type>| type_.as_ref().is_some_and(|one| lattice.has_instance(one, &self.part));
        let fits: Vec<bool> = self.types.iter().map(&mut fit).collect();
        let listed: Vec<bool> = self.types.iter().map(|type_| type_.as_ref().and_then(listed).is_some()).collect();
        let is_listed = fits.iter().zip(&listed).any(|(fits, listed)| *fits && *listed);
        let verdict = |(fits, listed): (&bool, &bool)| match (fits, listed) {
            (true, false) if is_listed => 0,
            (true, _) => 1,
            (false, _) => -1,
        };
        if fits.contains(&true) { fits.iter().zip(&listed).map(verdict).collect() } else { vec![0; fits.len()] }
    }

    /// What the part may be in one of the branches, if each of them lists its values.
    pub(super) fn choices(&self) -> Option<Type> {
        let types: Vec<Type> = self.types.iter().cloned().collect::<Option<_>>()?;
        (!self.is_open).then(|| Normalization::default().of(&Type::one_of(types)))
    }
}

struct Search {
    path: Vec<Step>,
    parts: usize,
    found: Vec<Tag>,
}

impl Search {
    fn below(&mut self, branches: &[Option<Type>], value: &Value) {
        match value {
            Value::Hash(entries) => {
                for (key, value) in entries.iter().filter(|(key, _)| key.as_str().is_some()) {
                    self.part(branches, Step::Entry(key.clone()), value);
                }
            }
            Value::Array(elements) => {
                for (at, element) in elements.iter().enumerate().take(MAX_PARTS) {
                    self.part(branches, Step::Element(at), element);
                }
            }
            _ => {}
        }
    }

    fn part(&mut self, branches: &[Option<Type>], step: Step, part: &Value) {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return;
        }
        let types: Vec<_> = interrupt::each(branches).map(|branch| type_of_part(branch.as_ref()?, &step)).collect();
        let present: Vec<&Type> = types.iter().flatten().collect();
        if present.len() < 2 {
            return;
        }
        self.path.push(step);
        let counts: Vec<usize> = present.iter().filter_map(|type_| listed(type_)).collect();
        if !counts.is_empty() || are_of_different_kinds(&present) {
            let is_open = counts.len() < present.len();
            let listed = counts.into_iter().max();
            let (path, part) = (self.path.clone(), part.clone());
            self.found.push(Tag { path, part, types, listed, is_open });
        } else if self.path.len() < MAX_DEPTH {
            self.below(&types, part);
        }
        self.path.pop();
    }
}

fn type_of_part(type_: &Type, step: &Step) -> Option<Type> {
    match (&*type_.behind_aliases(), step) {
        (Type::Struct(members), Step::Entry(Value::String(name))) => members.member(name).map(Member::type_).cloned(),
        (Type::Tuple(tuple), Step::Element(at)) => tuple.at(*at).cloned(),
        (Type::Hash(hash), Step::Entry(_)) => Some(hash.value().clone()),
        (Type::Array(array), Step::Element(_)) => Some(array.element().clone()),
        _ => None,
    }
}

/// The number of values that a type lists; `None` if it does not list them.
fn listed(type_: &Type) -> Option<usize> {
    type_
        .alternatives()
        .iter()
        .map(|branch| match branch {
            Type::Enum(words) => Some(words.values().len()),
            Type::Boolean(boolean) => boolean.value.map(|_| 1),
            Type::Integer(range) => (range.from() == range.to()).then_some(1),
            other => other.listed_texts().map(<[_]>::len),
        })
        .sum()
}

/// Whether a reader would count the values of each type as of another kind.
fn are_of_different_kinds(types: &[&Type]) -> bool {
    let kinds: Option<Vec<Kinds>> = types.iter().map(|type_| kind_of(type_)).collect();
    kinds.is_some_and(|kinds| kinds.iter().enumerate().all(|(at, kind)| kinds.iter().take(at).all(|one| one != kind)))
}

/// The one kind in which a reader would count all values of a type; `None` if there are several.
pub(super) fn kind_of(type_: &Type) -> Option<Kinds> {
    let type_ = type_.peeled(|type_| if let Type::NotUndef(inner) = type_ { inner.type_() } else { None });
    let kinds = Kinds::of_instances(&type_);
    [Kinds::STRING, Kinds::NUMBER, Kinds::BOOLEAN, Kinds::UNDEF, Kinds::ARRAY, Kinds::HASH]
        .into_iter()
        .find(|kind| kinds.are_within(*kind))
}
