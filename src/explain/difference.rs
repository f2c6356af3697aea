//! How two types differ, part by part: which keys were added and removed, which types widened and narrowed.
//!
//! The walk goes down both types as long as they have the same parts. A part of which neither type accepts the other's is
//! reported whole. What is not accepted any more *breaks*: data (or for the parameters of a Callable, callers) that matched
//! before may not match afterwards.

use std::fmt;

use indexmap::IndexSet;

use super::counterexample;
use super::mismatch::{Step, code};
use crate::interrupt;
use crate::types::describe::{abbreviated, describe};
use crate::types::unfolding::{Unfolding, Walk};
use crate::types::{
    ArrayType, CallableType, EnumType, IntegerType, Kind, Lattice, Size, StructType, TupleType, Type, UndefType,
};
use crate::value::Value;

const MAX_COMPARISONS: usize = 1_000;

const MAX_CHARACTERS: usize = 60;

/// The path step from a type to its size.
const SIZE: &str = "size";

/// The path step from a Callable to the number of its arguments.
const ARGUMENTS: &str = "number of arguments";

/// How a part of a type has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A key that was not there before.
    Added {
        /// Whether a hash without it does not match.
        is_required: bool,
    },
    /// A key that is not there any more.
    Removed,
    /// A key that could be missing.
    NowRequired,
    /// A key that could not be missing.
    NowOptional,
    /// One more type that is accepted in this place.
    BranchAdded,
    /// One type less that is accepted in this place.
    BranchRemoved,
    /// The type after accepts the one before, and more.
    Widened,
    /// The type before accepts the one after, and more.
    Narrowed,
    /// Neither type accepts the other.
    Replaced,
}

impl Change {
    /// The name in JSON: `now_required`
    pub fn name(self) -> &'static str {
        match self {
            Change::Added { .. } => "added",
            Change::Removed => "removed",
            Change::NowRequired => "now_required",
            Change::NowOptional => "now_optional",
            Change::BranchAdded => "branch_added",
            Change::BranchRemoved => "branch_removed",
            Change::Widened => "widened",
            Change::Narrowed => "narrowed",
            Change::Replaced => "replaced",
        }
    }
}

/// One part in which two types differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path to the part: `['hosts']`, then `element`.
    pub path: Vec<Step>,
    /// How it has changed.
    pub change: Change,
    /// Its type before; `None` if it was added.
    pub before: Option<Type>,
    /// Its type after; `None` if it was removed.
    pub after: Option<Type>,
    /// Whether values that matched before may not match after.
    pub breaks: bool,
    /// Whether the part is a parameter of a Callable, where acceptance is reversed.
    pub is_reversed: bool,
}

impl Difference {
    /// A value of the part before that the part after does not accept, if one is found. For the parameter of a Callable
    /// it is the reverse: an argument that is no longer accepted.
    pub fn example(&self) -> Option<Value> {
        let (before, after) = (self.before.as_ref()?, self.after.as_ref()?);
        let (given, expected) = if self.is_reversed { (after, before) } else { (before, after) };
        counterexample::in_difference(given, &[expected])
    }

    /// Describes why the type after the change does not accept the type before it: `['port']: Integer is wider than
    /// Integer[1, 65535], e.g. Integer 0`.
    pub fn reason(&self) -> String {
        let (given, expected) = self.texts();
        let (given, expected) = if self.is_reversed { (expected, given) } else { (given, expected) };
        let rule = match self.change {
            _ if self.is_size() => return format!("{}expected {expected}, got {given}", self.place()),
            Change::Added { .. } | Change::Removed if given.is_empty() => format!("missing key of type {expected}"),
            Change::Added { .. } | Change::Removed => format!("unknown key of type {given}"),
            Change::NowRequired | Change::NowOptional => "the key may be missing, but is required".to_owned(),
            Change::BranchRemoved | Change::BranchAdded => format!("{given} is not accepted"),
            Change::Narrowed | Change::Widened => format!("{given} is wider than {expected}"),
            Change::Replaced => format!("{given} is not accepted by {expected}"),
        };
        let example = self.example().map(|value| format!(", e.g. {}", describe(&value))).unwrap_or_default();
        format!("{}{rule}{example}", self.place())
    }

    pub(crate) fn texts(&self) -> (String, String) {
        let text = |type_: &Option<Type>| match type_ {
            Some(type_) if self.is_size() => in_words(type_),
            Some(type_) => abbreviated(type_, MAX_CHARACTERS),
            None => String::new(),
        };
        (text(&self.before), text(&self.after))
    }

    pub(crate) fn is_size(&self) -> bool {
        is_size(&self.path)
    }

    fn place(&self) -> String {
        match code(&self.path) {
            path if path.is_empty() => path,
            path => format!("{}: ", path.trim_start()),
        }
    }
}

/// Whether a path ends at the number of elements or arguments.
pub(super) fn is_size(path: &[Step]) -> bool {
    matches!(path.last(), Some(Step::Inside(step)) if [SIZE, ARGUMENTS].contains(&&**step))
}

pub(super) fn in_words(range: &Type) -> String {
    match range {
        Type::Integer(range) => match (range.from(), range.to()) {
            (0, i64::MAX) => "any number".to_owned(),
            (from, i64::MAX) => format!("{from} or more"),
            (from, to) if from == to => from.to_string(),
            (from, to) => format!("{from} to {to}"),
        },
        other => other.to_string(),
    }
}

/// `['port']: narrowed from Integer to Integer[1, 65535]`
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place())?;
        let (before, after) = self.texts();
        match self.change {
            Change::Added { is_required: true } => write!(f, "added, required, of type {after}"),
            Change::Added { is_required: false } => write!(f, "added, optional, of type {after}"),
            Change::Removed => write!(f, "removed, was of type {before}"),
            Change::NowRequired => f.write_str("now required"),
            Change::NowOptional => f.write_str("now optional"),
            Change::BranchAdded => write!(f, "now also accepts {after}"),
            Change::BranchRemoved => write!(f, "no longer accepts {before}"),
            Change::Widened => write!(f, "widened from {before} to {after}"),
            Change::Narrowed => write!(f, "narrowed from {before} to {after}"),
            Change::Replaced => write!(f, "changed from {before} to {after}"),
        }
    }
}

/// The parts in which two types differ, in the order of the first; none if each accepts the other.
///
/// ```
/// use pcore::{Type, explain::difference::differences};
/// let before: Type = "Struct[{name => String, port => Integer}]".parse()?;
/// let after: Type = "Struct[{name => String, port => Integer[1, 65535], owner => String}]".parse()?;
/// let changes: Vec<String> = differences(&before, &after).iter().map(ToString::to_string).collect();
/// assert_eq!(changes, [
///     "['port']: narrowed from Integer to Integer[1, 65535]",
///     "['owner']: added, required, of type String",
/// ]);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn differences(before: &Type, after: &Type) -> Vec<Difference> {
    let unfolding = Unfolding::limited(MAX_COMPARISONS);
    let mut search = Search { path: Vec::new(), is_reversed: false, found: Vec::new(), unfolding };
    search.compare(before, after);
    search.found
}

struct Search {
    path: Vec<Step>,
    /// Whether the walk is in a parameter of a Callable, where acceptance is reversed.
    is_reversed: bool,
    found: Vec<Difference>,
    unfolding: Unfolding,
}

impl Walk for Search {
    fn unfolding(&mut self) -> &mut Unfolding {
        &mut self.unfolding
    }
}

impl Search {
    fn report(&mut self, change: Change, before: Option<&Type>, after: Option<&Type>) {
        let breaks = match change {
            Change::Added { is_required } => is_required || self.is_reversed,
            Change::Removed | Change::Replaced => true,
            Change::NowOptional | Change::Widened | Change::BranchAdded => self.is_reversed,
            Change::NowRequired | Change::Narrowed | Change::BranchRemoved => !self.is_reversed,
        };
        let (path, before, after) = (self.path.clone(), before.cloned(), after.cloned());
        self.found.push(Difference { path, change, before, after, breaks, is_reversed: self.is_reversed });
    }

    fn at(&mut self, step: Step, search: impl FnOnce(&mut Search)) {
        self.path.push(step);
        search(self);
        self.path.pop();
    }

    fn compare_part(&mut self, step: Step, before: &Type, after: &Type) {
        self.at(step, |search| search.compare(before, after));
    }

    /// Compares two types unless they were compared before, so that each difference is reported once.
    fn compare(&mut self, before: &Type, after: &Type) {
        let (accepts, is_accepted) = (after.accepts(before), before.accepts(after));
        if accepts && is_accepted {
            return;
        }
        let found = self.found.len();
        let parts = self.beside(before, after, |search| match (&branches(before)[..], &branches(after)[..]) {
            ([before], [after]) => search.parts(before, after),
            (branches, others) => search.branches(branches, others),
        });
        if parts.is_none() && !self.unfolding.is_over() {
            return;
        }
        let missed = |walk: &Search| !accepts && !walk.found.iter().skip(found).any(|difference| difference.breaks);
        if self.found.len() == found || (missed(self) && !self.is_reversed && !matches!(before, Type::TypeSet(_))) {
            self.found.truncate(found);
            let change = match (accepts, is_accepted) {
                (true, _) => Change::Widened,
                (false, true) => Change::Narrowed,
                (false, false) => Change::Replaced,
            };
            self.report(change, Some(before), Some(after));
        }
    }

    /// Compares the parts of two types of the same kind, if they have parts.
    fn parts(&mut self, before: &Type, after: &Type) {
        let inside = |name: &str| Step::Inside(name.to_owned());
        match (before, after) {
            (Type::NotUndef(_), _) | (_, Type::NotUndef(_))
                if let Some((before, after)) = without_undef(before, after) =>
            {
                self.compare(before, after);
            }
            (Type::Struct(before), Type::Struct(after)) => self.members(before, after),
            (Type::Array(before), Type::Array(after)) => {
                self.sizes(SIZE, before.size(), after.size());
                self.compare_part(inside("element"), before.element(), after.element());
            }
            (Type::Hash(before), Type::Hash(after)) => {
                self.sizes(SIZE, before.size(), after.size());
                self.compare_part(inside("key"), before.key(), after.key());
                self.compare_part(inside("value"), before.value(), after.value());
            }
            (Type::Tuple(before), Type::Tuple(after)) => self.tuples(SIZE, before, after, Step::Element),
            (Type::Array(before), Type::Tuple(after)) => {
                self.tuples(SIZE, &as_tuple(before), after, Step::Element);
            }
            (Type::Tuple(before), Type::Array(after)) => {
                self.tuples(SIZE, before, &as_tuple(after), Step::Element);
            }
            (Type::Enum(before), Type::Enum(after)) if before.ignores_case() == after.ignores_case() => {
                let without = |one: &EnumType, other: &EnumType| {
                    let left: Vec<_> =
                        one.values().iter().filter(|value| !other.values().contains(value)).cloned().collect();
                    (!left.is_empty()).then(|| EnumType::new(left, one.ignores_case()).into())
                };
                if let Some(removed) = without(before, after) {
                    self.report(Change::BranchRemoved, Some(&removed), None);
                }
                if let Some(added) = without(after, before) {
                    self.report(Change::BranchAdded, None, Some(&added));
                }
            }
            (Type::TypeSet(before), Type::TypeSet(after)) => {
                for (name, type_) in before.types() {
                    let type_ = &type_.behind_aliases();
                    match after.types().find(|(other, _)| *other == name) {
                        Some((_, other)) => self.compare_part(inside(name), type_, &other.behind_aliases()),
                        None => self.at(inside(name), |search| search.report(Change::Removed, Some(type_), None)),
                    }
                }
                for (name, type_) in after.types().filter(|(name, _)| before.types().all(|(other, _)| other != *name)) {
                    let change = Change::Added { is_required: false };
                    self.at(inside(name), |search| search.report(change, None, Some(&type_.behind_aliases())));
                }
            }
            (Type::Callable(before), Type::Callable(after)) => self.callables(before, after),
            (Type::Sensitive(before), Type::Sensitive(after)) => {
                self.compare_part(Step::Content, before.content(), after.content());
            }
            _ if before.kind() == after.kind() => {
                if let (Some((name, before)), Some((_, after))) = (only_part(before), only_part(after)) {
                    self.compare_part(inside(name), before, after);
                }
            }
            _ => {}
        }
    }

    fn members(&mut self, before: &StructType, after: &StructType) {
        let mut lattice = Lattice::default();
        for member in before.members() {
            self.at(Step::Entry(member.key().clone()), |search| {
                let Some(other) = after.member(member.name()) else {
                    return search.report(Change::Removed, Some(member.type_()), None);
                };
                match [member, other].map(|member| member.may_be_missing(&mut lattice)) {
                    [true, false] => search.report(Change::NowRequired, None, None),
                    [false, true] => search.report(Change::NowOptional, None, None),
                    _ => {}
                }
                search.compare(member.type_(), other.type_());
            });
        }
        for member in after.members().iter().filter(|member| before.member(member.name()).is_none()) {
            let change = Change::Added { is_required: !member.may_be_missing(&mut lattice) };
            self.at(Step::Entry(member.key().clone()), |search| search.report(change, None, Some(member.type_())));
        }
    }

    /// Compares sizes, as ranges of Integers.
    fn sizes(&mut self, step: &str, before: Size, after: Size) {
        let range = |size: Size| match size.to() {
            i64::MAX => IntegerType::at_least(size.from()).into(),
            to => IntegerType::new(size.from(), to).map_or_else(Type::any, Type::from),
        };
        self.compare_part(Step::Inside(step.to_owned()), &range(before), &range(after));
    }

    /// Compares the sizes of two tuples, and their types up to the length that both can have.
    fn tuples(&mut self, size: &str, before: &TupleType, after: &TupleType, step: fn(usize) -> Step) {
        self.sizes(size, before.size(), after.size());
        let most = usize::try_from(before.size().to().min(after.size().to())).unwrap_or(usize::MAX);
        for at in 0..before.types().len().max(after.types().len()).min(most) {
            if let (Some(before), Some(after)) = (before.at(at), after.at(at)) {
                self.compare_part(step(at), before, after);
            }
        }
    }

    fn callables(&mut self, before: &CallableType, after: &CallableType) {
        let (undef, any) = (Type::from(UndefType), Type::any());
        self.is_reversed = !self.is_reversed;
        if let (Some(before), Some(after)) = (before.parameters(), after.parameters()) {
            self.tuples(ARGUMENTS, before, after, |at| Step::Inside(format!("parameter {}", at + 1)));
        }
        let blocks = [before, after].map(|callable| callable.block().unwrap_or(&undef));
        self.compare_part(Step::Inside("block".to_owned()), blocks[0], blocks[1]);
        self.is_reversed = !self.is_reversed;
        let results = [before, after].map(|callable| callable.return_type().unwrap_or(&any));
        self.compare_part(Step::Inside("return type".to_owned()), results[0], results[1]);
    }

    /// Reports added and removed branches. If one branch of a kind is left on each side, these two are compared.
    fn branches(&mut self, before: &[Type], after: &[Type]) {
        let (mut removed, mut added) = (missing(before, after), missing(after, before));
        let of_kind = |types: &[&Type], kind: Kind| types.iter().filter(|type_| type_.kind() == kind).count();
        for kind in removed.iter().map(|type_| type_.kind()).collect::<IndexSet<_>>() {
            if of_kind(&removed, kind) == 1 && of_kind(&added, kind) == 1 {
                let ours = removed.extract_if(.., |type_| type_.kind() == kind);
                let theirs = added.extract_if(.., |type_| type_.kind() == kind);
                ours.zip(theirs).for_each(|(one, other)| self.compare(one, other));
            }
        }
        let is_accepted = |type_: &Type, others: &[Type]| interrupt::each(others).any(|other| other.accepts(type_));
        for type_ in removed.into_iter().filter(|type_| !is_accepted(type_, after)) {
            self.report(Change::BranchRemoved, Some(type_), None);
        }
        for type_ in added.into_iter().filter(|type_| !is_accepted(type_, before)) {
            self.report(Change::BranchAdded, None, Some(type_));
        }
    }
}

/// The type of an Array as a Tuple, which has the element type at each position.
fn as_tuple(array: &ArrayType) -> TupleType {
    TupleType::new(vec![array.element().clone()], Some(array.size()))
}

/// The single part of a type such as `Optional` or `Type`, with the name of the step to it; `None` for other types.
fn only_part(type_: &Type) -> Option<(&'static str, &Type)> {
    match type_ {
        Type::Type(inner) => Some(("type", inner.type_()?)),
        Type::Iterable(iterable) => Some(("element", iterable.element()?)),
        Type::Iterator(iterator) => Some(("element", iterator.element()?)),
        _ => None,
    }
}

/// Both types without a `NotUndef` around them; `None` if removing it would change the result of the comparison.
fn without_undef<'t>(before: &'t Type, after: &'t Type) -> Option<(&'t Type, &'t Type)> {
    let inner = |type_: &'t Type| match type_ {
        Type::NotUndef(not_undef) => not_undef.type_(),
        other => Some(other),
    };
    let (before, after) = (inner(before)?, inner(after)?);
    let undef = Type::from(UndefType);
    (!before.accepts(&undef) && !after.accepts(&undef)).then_some((before, after))
}

fn missing<'t>(types: &'t [Type], others: &[Type]) -> Vec<&'t Type> {
    types.iter().filter(|type_| !interrupt::each(others).any(|other| other.equals(type_))).collect()
}

fn branches(type_: &Type) -> Vec<Type> {
    type_.branches(Type::types_and_undef).map(|(_, type_)| type_).collect()
}
