//! Finds how two types differ, part by part: which keys were added and removed, which types widened and narrowed.
//!
//! Both types are compared part by part as long as they have the same parts; where they have not, the whole parts are
//! reported as replaced, widened or narrowed. A difference *breaks* if values that matched the old type may not match
//! the new one.

use std::fmt;

use indexmap::IndexSet;

use super::counterexample;
use super::mismatch::{Step, line_prefix, path_as_code};
use crate::interrupt;
use crate::types::describe::{abbreviate_type, describe};
use crate::types::unfolding::{TypeWalk, TypeWalkState};
use crate::types::{
    ArrayType, CallableType, EnumType, IntegerType, Kind, Member, Size, StructType, TupleType, Type, UndefType,
};
use crate::value::Value;

const MAX_COMPARISONS: usize = 1_000;
const MAX_TYPE_CHARACTERS: usize = 60;

/// The name of the path step from a type to its size.
const SIZE_STEP: &str = "size";

/// The name of the path step from a Callable to the number of its arguments.
const ARGUMENT_COUNT_STEP: &str = "number of arguments";

/// How a part of a type has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A key of a Struct or a type of a TypeSet was added.
    Added {
        /// Whether the new key is required in a Hash.
        is_required: bool,
    },
    /// A key of a Struct or a type of a TypeSet was removed.
    Removed,
    /// A key that was optional is required.
    NowRequired,
    /// A key that was required is optional.
    NowOptional,
    /// An alternative was added, such as a branch of a Variant or a string of an Enum.
    BranchAdded,
    /// An alternative was removed, such as a branch of a Variant or a string of an Enum.
    BranchRemoved,
    /// The new type accepts every value of the old one, and more.
    Widened,
    /// The old type accepts every value of the new one, and more.
    Narrowed,
    /// Neither type accepts all values of the other.
    Replaced,
}

impl Change {
    /// Returns the name of the change in JSON, such as `now_required`.
    pub fn json_name(self) -> &'static str {
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
    /// The path to the part, such as `['hosts']` followed by `element`.
    pub path: Vec<Step>,
    /// How the part has changed.
    pub change: Change,
    /// The old type of the part; `None` if the part was added.
    pub before: Option<Type>,
    /// The new type of the part; `None` if the part was removed.
    pub after: Option<Type>,
    /// Whether values that matched the old type may not match the new one.
    pub breaks: bool,
    /// Whether the part is inside a parameter of a Callable, where a wider new type breaks instead of a narrower one.
    pub is_reversed: bool,
}

impl Difference {
    /// Returns a value that the old type of the part accepts and the new type does not; `None` if none is found. For a
    /// part of a Callable's parameter, it is a value that only the new type accepts.
    pub fn breaking_example(&self) -> Option<Value> {
        let (before, after) = (self.before.as_ref()?, self.after.as_ref()?);
        let (given, expected) = if self.is_reversed { (after, before) } else { (before, after) };
        counterexample::in_difference(given, &[expected])
    }

    /// Describes why the new type rejects the old: `['port']: Integer is wider than Integer[1, 65535], e.g. Integer 0`.
    pub fn describe_reason(&self) -> String {
        let (given, expected) = self.describe_both_types();
        let (given, expected) = if self.is_reversed { (expected, given) } else { (given, expected) };
        let path = line_prefix(&path_as_code(&self.path));
        let rule = match self.change {
            _ if self.is_about_size() => return format!("{path}expected {expected}, got {given}"),
            Change::Added { .. } | Change::Removed if given.is_empty() => format!("missing key of type {expected}"),
            Change::Added { .. } | Change::Removed => format!("unknown key of type {given}"),
            Change::NowRequired | Change::NowOptional => "the key may be missing, but is required".to_owned(),
            Change::BranchRemoved | Change::BranchAdded => format!("{given} is not accepted"),
            Change::Narrowed | Change::Widened => format!("{given} is wider than {expected}"),
            Change::Replaced => format!("{given} is not accepted by {expected}"),
        };
        let example = self.breaking_example().map(|value| format!(", e.g. {}", describe(&value))).unwrap_or_default();
        format!("{path}{rule}{example}")
    }

    pub(crate) fn describe_both_types(&self) -> (String, String) {
        let text = |type_: &Option<Type>| match type_ {
            Some(type_) if self.is_about_size() => describe_size_range(type_),
            Some(type_) => abbreviate_type(type_, MAX_TYPE_CHARACTERS),
            None => String::new(),
        };
        (text(&self.before), text(&self.after))
    }

    pub(crate) fn is_about_size(&self) -> bool {
        is_path_to_size(&self.path)
    }
}

pub(super) fn is_path_to_size(path: &[Step]) -> bool {
    matches!(path.last(), Some(Step::Inside(step)) if [SIZE_STEP, ARGUMENT_COUNT_STEP].contains(&&**step))
}

pub(super) fn describe_size_range(range: &Type) -> String {
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

/// Writes the difference in one line: `['port']: narrowed from Integer to Integer[1, 65535]`
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line_prefix(&path_as_code(&self.path)))?;
        let (before, after) = self.describe_both_types();
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

/// Returns the parts in which two types differ, in the order of `before`; empty if each type accepts the other.
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
    let unfolding = TypeWalkState::with_limit(MAX_COMPARISONS);
    let mut search =
        DifferenceSearch { path: Vec::new(), is_reversed: false, found: Vec::new(), walk_state: unfolding };
    search.compare_types(before, after);
    search.found
}

struct DifferenceSearch {
    path: Vec<Step>,
    /// Whether the search is in a parameter of a Callable, where a wider new type breaks instead of a narrower one.
    is_reversed: bool,
    found: Vec<Difference>,
    walk_state: TypeWalkState,
}

impl TypeWalk for DifferenceSearch {
    fn walk_state(&mut self) -> &mut TypeWalkState {
        &mut self.walk_state
    }
}

impl DifferenceSearch {
    fn report_change(&mut self, change: Change, before: Option<&Type>, after: Option<&Type>) {
        let breaks = match change {
            Change::Added { is_required } => is_required || self.is_reversed,
            Change::Removed | Change::Replaced => true,
            Change::NowOptional | Change::Widened | Change::BranchAdded => self.is_reversed,
            Change::NowRequired | Change::Narrowed | Change::BranchRemoved => !self.is_reversed,
        };
        let (path, before, after) = (self.path.clone(), before.cloned(), after.cloned());
        self.found.push(Difference { path, change, before, after, breaks, is_reversed: self.is_reversed });
    }

    fn with_path_step(&mut self, step: Step, search: impl FnOnce(&mut DifferenceSearch)) {
        self.path.push(step);
        search(self);
        self.path.pop();
    }

    fn report_part(&mut self, step: Step, change: Change, before: Option<&Type>, after: Option<&Type>) {
        self.with_path_step(step, |search| search.report_change(change, before, after));
    }

    fn compare_part(&mut self, step: Step, before: &Type, after: &Type) {
        self.with_path_step(step, |search| search.compare_types(before, after));
    }

    /// Reports the differences of two types, unless these were compared before: each difference is reported once.
    fn compare_types(&mut self, before: &Type, after: &Type) {
        let (accepts, is_accepted) = (after.accepts(before), before.accepts(after));
        if accepts && is_accepted {
            return;
        }
        let found = self.found.len();
        let parts = self.walk_pair(before, after, |search| {
            let branches =
                |type_: &Type| type_.split_recursively(Type::union_members).map(|(_, type_)| type_).collect();
            let [before, after]: [Vec<Type>; 2] = [before, after].map(branches);
            match (&before[..], &after[..]) {
                ([before], [after]) => search.compare_parts(before, after),
                (branches, others) => search.compare_branches(branches, others),
            }
        });
        if parts.is_none() && !self.walk_state.is_limit_reached() {
            return;
        }
        let missed =
            |walk: &DifferenceSearch| !accepts && !walk.found.iter().skip(found).any(|difference| difference.breaks);
        if self.found.len() == found || (missed(self) && !self.is_reversed && !matches!(before, Type::TypeSet(_))) {
            self.found.truncate(found);
            let change = match (accepts, is_accepted) {
                (true, _) => Change::Widened,
                (false, true) => Change::Narrowed,
                (false, false) => Change::Replaced,
            };
            self.report_change(change, Some(before), Some(after));
        }
    }

    /// Reports how the parts that both types have, such as the elements of two Arrays, differ; nothing for other types.
    fn compare_parts(&mut self, before: &Type, after: &Type) {
        let inside = |name: &str| Step::Inside(name.to_owned());
        match (before, after) {
            (Type::NotUndef(_), _) | (_, Type::NotUndef(_))
                if let Some((before, after)) = without_not_undef(before, after) =>
            {
                self.compare_types(before, after);
            }
            (Type::Struct(before), Type::Struct(after)) => self.compare_structs(before, after),
            (Type::Array(before), Type::Array(after)) => {
                self.compare_sizes(SIZE_STEP, before.size(), after.size());
                self.compare_part(inside("element"), before.element(), after.element());
            }
            (Type::Hash(before), Type::Hash(after)) => {
                self.compare_sizes(SIZE_STEP, before.size(), after.size());
                self.compare_part(inside("key"), before.key(), after.key());
                self.compare_part(inside("value"), before.value(), after.value());
            }
            (Type::Tuple(before), Type::Tuple(after)) => self.compare_tuples(SIZE_STEP, before, after, Step::Element),
            (Type::Array(before), Type::Tuple(after)) => {
                self.compare_tuples(SIZE_STEP, &array_as_tuple(before), after, Step::Element);
            }
            (Type::Tuple(before), Type::Array(after)) => {
                self.compare_tuples(SIZE_STEP, before, &array_as_tuple(after), Step::Element);
            }
            (Type::Enum(before), Type::Enum(after)) if before.ignores_case() == after.ignores_case() => {
                let without = |one: &EnumType, other: &EnumType| {
                    let left: Vec<_> =
                        one.values().iter().filter(|value| !other.values().contains(value)).cloned().collect();
                    (!left.is_empty()).then(|| EnumType::new(left, one.ignores_case()).into())
                };
                if let Some(removed) = without(before, after) {
                    self.report_change(Change::BranchRemoved, Some(&removed), None);
                }
                if let Some(added) = without(after, before) {
                    self.report_change(Change::BranchAdded, None, Some(&added));
                }
            }
            (Type::TypeSet(before), Type::TypeSet(after)) => {
                for (name, type_) in before.types() {
                    let type_ = &type_.behind_aliases();
                    match after.types().find(|(other, _)| *other == name) {
                        Some((_, other)) => self.compare_part(inside(name), type_, &other.behind_aliases()),
                        None => self.report_part(inside(name), Change::Removed, Some(type_), None),
                    }
                }
                for (name, type_) in after.types().filter(|(name, _)| before.types().all(|(other, _)| other != *name)) {
                    let change = Change::Added { is_required: false };
                    self.report_part(inside(name), change, None, Some(&type_.behind_aliases()));
                }
            }
            (Type::Callable(before), Type::Callable(after)) => self.compare_callables(before, after),
            (Type::Sensitive(before), Type::Sensitive(after)) => {
                self.compare_part(Step::Content, before.content(), after.content());
            }
            _ if before.kind() == after.kind() => {
                if let (Some((name, before)), Some((_, after))) = (inner_type(before), inner_type(after)) {
                    self.compare_part(inside(name), before, after);
                }
            }
            _ => {}
        }
    }

    fn compare_structs(&mut self, before: &StructType, after: &StructType) {
        for member in before.members() {
            self.with_path_step(Step::Entry(member.key().clone()), |search| {
                let Some(other) = after.member(member.name()) else {
                    return search.report_change(Change::Removed, Some(member.type_()), None);
                };
                match [member, other].map(Member::is_required) {
                    [false, true] => search.report_change(Change::NowRequired, None, None),
                    [true, false] => search.report_change(Change::NowOptional, None, None),
                    _ => {}
                }
                search.compare_types(member.type_(), other.type_());
            });
        }
        for member in after.members().iter().filter(|member| before.member(member.name()).is_none()) {
            let change = Change::Added { is_required: member.is_required() };
            self.report_part(Step::Entry(member.key().clone()), change, None, Some(member.type_()));
        }
    }

    /// Reports a changed range of sizes under the path step `step`, like a change from one Integer type to another.
    fn compare_sizes(&mut self, step: &str, before: Size, after: Size) {
        let range = |size: Size| match size.to() {
            i64::MAX => IntegerType::at_least(size.from()).into(),
            to => IntegerType::new(size.from(), to).map_or_else(Type::any, Type::from),
        };
        self.compare_part(Step::Inside(step.to_owned()), &range(before), &range(after));
    }

    /// Compares the sizes of two tuples, and the types at each position that values of both can have.
    fn compare_tuples(&mut self, size: &str, before: &TupleType, after: &TupleType, step: fn(usize) -> Step) {
        self.compare_sizes(size, before.size(), after.size());
        let most = usize::try_from(before.size().to().min(after.size().to())).unwrap_or(usize::MAX);
        for at in 0..before.types().len().max(after.types().len()).min(most) {
            if let (Some(before), Some(after)) = (before.type_at(at), after.type_at(at)) {
                self.compare_part(step(at), before, after);
            }
        }
    }

    fn compare_callables(&mut self, before: &CallableType, after: &CallableType) {
        let (undef, any) = (Type::from(UndefType), Type::any());
        self.is_reversed = !self.is_reversed;
        if let (Some(before), Some(after)) = (before.parameters(), after.parameters()) {
            self.compare_tuples(ARGUMENT_COUNT_STEP, before, after, |at| Step::Inside(format!("parameter {}", at + 1)));
        }
        let blocks = [before, after].map(|callable| callable.block().unwrap_or(&undef));
        self.compare_part(Step::Inside("block".to_owned()), blocks[0], blocks[1]);
        self.is_reversed = !self.is_reversed;
        let results = [before, after].map(|callable| callable.return_type().unwrap_or(&any));
        self.compare_part(Step::Inside("return type".to_owned()), results[0], results[1]);
    }

    /// Reports removed and added branches of a Variant. If exactly one of each has the same kind, compares these two.
    fn compare_branches(&mut self, before: &[Type], after: &[Type]) {
        let (mut removed, mut added) = (types_not_in(before, after), types_not_in(after, before));
        let of_kind = |types: &[&Type], kind: Kind| types.iter().filter(|type_| type_.kind() == kind).count();
        for kind in removed.iter().map(|type_| type_.kind()).collect::<IndexSet<_>>() {
            if of_kind(&removed, kind) == 1 && of_kind(&added, kind) == 1 {
                let ours = removed.extract_if(.., |type_| type_.kind() == kind);
                let theirs = added.extract_if(.., |type_| type_.kind() == kind);
                ours.zip(theirs).for_each(|(one, other)| self.compare_types(one, other));
            }
        }
        let is_accepted =
            |type_: &Type, others: &[Type]| interrupt::step_through(others).any(|other| other.accepts(type_));
        for type_ in removed.into_iter().filter(|type_| !is_accepted(type_, after)) {
            self.report_change(Change::BranchRemoved, Some(type_), None);
        }
        for type_ in added.into_iter().filter(|type_| !is_accepted(type_, before)) {
            self.report_change(Change::BranchAdded, None, Some(type_));
        }
    }
}

fn array_as_tuple(array: &ArrayType) -> TupleType {
    TupleType::new(vec![array.element().clone()], Some(array.size()))
}

/// Returns the inner type of a Type, Iterable or Iterator, with the name of the path step to it; otherwise `None`.
fn inner_type(type_: &Type) -> Option<(&'static str, &Type)> {
    match type_ {
        Type::Type(inner) => Some(("type", inner.type_()?)),
        Type::Iterable(iterable) => Some(("element", iterable.element()?)),
        Type::Iterator(iterator) => Some(("element", iterator.element()?)),
        _ => None,
    }
}

/// Returns both types without a `NotUndef` around them; `None` if one then accepts undef, which would be a difference.
fn without_not_undef<'t>(before: &'t Type, after: &'t Type) -> Option<(&'t Type, &'t Type)> {
    let inner = |type_: &'t Type| match type_ {
        Type::NotUndef(not_undef) => not_undef.type_(),
        other => Some(other),
    };
    let (before, after) = (inner(before)?, inner(after)?);
    let undef = Type::from(UndefType);
    (!before.accepts(&undef) && !after.accepts(&undef)).then_some((before, after))
}

fn types_not_in<'t>(types: &'t [Type], others: &[Type]) -> Vec<&'t Type> {
    types.iter().filter(|type_| !interrupt::step_through(others).any(|other| other.equals(type_))).collect()
}
