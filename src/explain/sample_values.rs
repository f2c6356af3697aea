//! Values of a type, and values that just miss it.
//!
//! Types differ at their edges: the ends of a range and the numbers beside them, the strings of an Enum, the sizes of
//! an Array, a Struct with one member too many. So the values made here are those at the edges: inside, one of each
//! branch, the smallest first; outside, a value with one part that is wrong. Every value was tested before it is returned.

use std::{any::Any, ops::Deref, sync::Arc};

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::leaf_values::{leaf_values, near_leaf, plain};
use crate::types::{HashType, Identity, Lattice, Member, ObjectType, Size, StructType, TupleType, Type};
use crate::value::{Callable, Hash, Iterator as ValueIterator, Value};
use crate::{interrupt, stack};

const MAX_VALUES: usize = 40;

/// The number of sample values that are tried for each part.
pub(super) const MAX_PARTS: usize = 24;

const MAX_SINGLE: usize = 6;

/// The maximum depth of nested types for which samples are made.
const MAX_DEPTH: usize = 7;

/// The maximum length of sample strings and size of sample collections.
const MAX_SIZE: usize = 100_000;

/// The maximum number of elements of a sample collection.
const MAX_ELEMENTS: usize = 1_000;

const MAX_STEPS: usize = 20_000;

/// A search for sample values of several types. The samples of a type are computed once.
#[derive(Default)]
pub(super) struct Instances {
    lattice: Lattice,
    steps: usize,
    known: FxHashMap<(Identity, usize), Arc<[Value]>>,
    /// Keeps the types alive whose addresses are keys of the caches.
    kept: Vec<Type>,
}

impl Instances {
    /// Whether the search has used up its steps. Counts one step.
    fn is_over(&mut self) -> bool {
        interrupt::poll();
        self.steps += 1;
        self.steps > MAX_STEPS
    }

    /// Values of a type: the smallest, those at its bounds, and one for each branch.
    pub(super) fn inside(&mut self, type_: &Type, depth: usize) -> Arc<[Value]> {
        let place = (type_.identity(), depth);
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        if self.is_over() {
            return [].into();
        }
        let candidates = stack::with_room(|| self.candidates(type_, depth));
        let limit = if depth == 0 { usize::MAX } else { MAX_VALUES };
        let values: Arc<[Value]> =
            unique(candidates).filter(|value| self.lattice.has_instance(type_, value)).take(limit).collect();
        self.kept.push(type_.clone());
        self.known.insert(place, values.clone());
        values
    }

    /// Candidates for values of the type; the caller tests them.
    #[allow(clippy::too_many_lines, reason = "one arm per type reads better in one place")]
    fn candidates(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        let plain = || plain().to_vec();
        match type_ {
            Type::Alias(alias) => match alias.resolved() {
                Some(meaning) if depth < MAX_DEPTH => self.inside(&meaning, depth + 1).to_vec(),
                Some(_) => plain(),
                None => Vec::new(),
            },
            _ if depth < MAX_DEPTH
                && let Some(meaning) = type_.meaning() =>
            {
                self.inside(meaning, depth + 1).to_vec()
            }
            Type::Variant(variant) => {
                let branches: Vec<_> = variant.types().iter().map(|branch| self.inside(branch, depth + 1)).collect();
                in_turn(&branches).cloned().collect()
            }
            Type::Optional(optional) => {
                let mut values = optional.type_().map_or_else(Vec::new, |inner| self.inside(inner, depth).to_vec());
                values.insert(values.len().min(1), Value::Undef);
                values
            }
            Type::NotUndef(outer) => outer.type_().map_or_else(plain, |inner| self.inside(inner, depth).to_vec()),
            Type::Collection(collection) => {
                let size = collection.size();
                let arrays = sizes(size).map(|count| Value::from(vec![Value::from(1); count]));
                let hashes = sizes(size)
                    .map(|count| Value::Hash((1_i64..).take(count).map(|at| (at.into(), at.into())).collect::<Hash>()));
                arrays.chain(hashes).collect()
            }
            Type::Array(array) => {
                let elements = self.samples_of_part(array.element(), depth);
                // Without elements, `cycle` ends at once.
                let distinct = |count| Value::from(elements.iter().cycle().take(count).cloned().collect::<Vec<_>>());
                let mut values: Vec<Value> = sizes(array.size()).map(distinct).collect();
                if let Some(count) = sizes(array.size()).find(|count| (1..MAX_ELEMENTS).contains(count)) {
                    values.extend(elements.iter().map(|element| Value::from(vec![element.clone(); count])));
                }
                values
            }
            Type::Tuple(tuple) => {
                let counts = sizes(tuple.size()).chain([tuple.types().len()]).filter(|count| *count <= MAX_ELEMENTS);
                counts.flat_map(|count| self.rows(&positions(tuple, count), depth)).map(Value::from).collect()
            }
            Type::Hash(hash) => self.hashes(hash, depth),
            Type::Struct(members) => self.records(members, depth),
            Type::Iterable(iterable) => {
                let elements = self.samples_of_part(iterable.element().unwrap_or(&Type::any()), depth);
                let arrays = elements.into_iter().map(|element| Value::from(vec![element]));
                arrays.chain(plain()).collect()
            }
            Type::Iterator(iterator) => {
                let elements = self.samples_of_part(iterator.element().unwrap_or(&Type::any()), depth);
                let arrays = elements.iter().map(|element| Value::from(vec![element.clone()]));
                let arrays = arrays.chain([Value::from(Vec::<Value>::new())]);
                let over = arrays.filter_map(|array| ValueIterator::over(&array));
                over.map(|iterator| Value::Iterator(Arc::new(iterator))).collect()
            }
            Type::Sensitive(sensitive) => {
                let contents = self.samples_of_part(sensitive.content(), depth);
                contents.into_iter().map(|content| Value::Sensitive(Arc::new(content))).collect()
            }
            Type::Type(inner) => match inner.type_() {
                None => ["Integer", "String"].into_iter().filter_map(Type::named).map(Value::Type).collect(),
                Some(inner) => self.subtypes(inner, depth),
            },
            Type::Init(init) => {
                let made = init.type_().map_or_else(Vec::new, |made| self.inside(made, depth + 1).to_vec());
                let texts = made.iter().map(|value| Value::from(crate::format::text(value)));
                texts.chain(plain()).chain(made.iter().cloned()).collect()
            }
            Type::Object(object) if object.is_root() => Type::named("Integer").map(Value::Type).into_iter().collect(),
            Type::Object(object) => self.objects(type_, object, depth),
            Type::Uri(_) if !type_.arguments().is_empty() => self.uris(type_, depth),
            Type::Callable(_) => vec![Value::Callable(Arc::new(Sample(type_.clone())))],
            Type::TypeSet(_) => vec![Value::Type(type_.clone())],
            leaf => leaf_values(leaf).unwrap_or_else(plain),
        }
    }

    /// Sample values for a part, one level further down.
    fn samples_of_part(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        if depth < MAX_DEPTH {
            self.inside(type_, depth + 1).iter().take(MAX_PARTS).cloned().collect()
        } else {
            Vec::new()
        }
    }

    /// Rows with one value for each type: first a row of first values, then rows that differ in one place. Empty if a
    /// type has no values.
    fn rows(&mut self, types: &[Type], depth: usize) -> Vec<Vec<Value>> {
        let columns: Vec<Vec<Value>> = types.iter().map(|type_| self.samples_of_part(type_, depth)).collect();
        let Some(row) = columns.iter().map(|column| column.first().cloned()).collect::<Option<Vec<Value>>>() else {
            return Vec::new();
        };
        let mut rows = vec![row.clone()];
        // In turn, so that each place differs once before one differs twice.
        for number in 1..MAX_PARTS {
            for (at, column) in columns.iter().enumerate().take(MAX_PARTS) {
                if let Some(value) = column.get(number) {
                    rows.push(replaced(&row, at, value.clone()));
                }
            }
        }
        rows
    }

    /// Distinct values of a key type, at most `count`.
    fn keys(&mut self, type_: &Type, count: usize, depth: usize) -> Vec<Value> {
        let mut keys = self.samples_of_part(type_, depth);
        if keys.len() < count {
            let made = (1_i64..).take(count.min(MAX_ELEMENTS));
            let long = |at: i64| "k".repeat(usize::try_from(at % 300).unwrap_or(0));
            let more = made.flat_map(|at| [format!("k{at}").into(), at.into(), long(at).into()]);
            keys.extend(more.filter(|key| self.lattice.has_instance(type_, key)));
        }
        unique(keys).take(count).collect()
    }

    fn hashes(&mut self, hash: &HashType, depth: usize) -> Vec<Value> {
        let values = self.samples_of_part(hash.value(), depth);
        let mut hashes: Vec<Hash> = Vec::new();
        for count in sizes(hash.size()).filter(|count| *count <= MAX_ELEMENTS) {
            let keys = self.keys(hash.key(), count, depth);
            hashes.push(keys.into_iter().zip(values.iter().cycle().cloned()).collect());
        }
        let keys = self.samples_of_part(hash.key(), depth);
        let single = |(key, value): (&Value, &Value)| [(key.clone(), value.clone())].into_iter().collect::<Hash>();
        hashes.extend(keys.iter().zip(values.iter().cycle()).map(single));
        hashes.extend(keys.iter().cycle().zip(&values).map(single));
        hashes.into_iter().map(Value::Hash).collect()
    }

    /// Hashes of a Struct: the required members; all members; the required ones and one optional one; all with one
    /// value changed.
    fn records(&mut self, members: &StructType, depth: usize) -> Vec<Value> {
        let types: Vec<Type> = members.members().iter().map(|member| member.type_().clone()).collect();
        let optional = members.members().iter().filter(|member| member.may_be_missing(&mut self.lattice));
        let optional: Vec<&str> = optional.map(Member::name).collect();
        let keys = || members.members().iter().map(|member| member.key().clone());
        let rows = self.rows(&types, depth);
        let Some(first) = rows.first() else {
            // A member without values may be missing.
            let values: Vec<_> =
                types.iter().map(|type_| self.samples_of_part(type_, depth).into_iter().next()).collect();
            let found = keys().zip(values).filter_map(|(key, value)| Some((key, value?)));
            return vec![Value::Hash(found.collect())];
        };
        let required =
            || keys().zip(first.clone()).filter(|(key, _)| key.as_str().is_none_or(|name| !optional.contains(&name)));
        let least: Hash = required().collect();
        let mut hashes = vec![least.clone()];
        let mut complete = rows.iter().map(|row| keys().zip(row.iter().cloned()).collect());
        hashes.extend(complete.next());
        let others = keys().zip(first.clone()).filter(|(key, _)| least.get(key).is_none()).take(MAX_SINGLE);
        hashes.extend(others.map(|one| required().chain([one]).collect()));
        hashes.extend(complete);
        hashes.into_iter().map(Value::Hash).collect()
    }

    fn objects(&mut self, type_: &Type, object: &ObjectType, depth: usize) -> Vec<Value> {
        let fields = object.fields();
        let types: Vec<Type> = fields.iter().map(|field| field.type_().clone()).collect();
        let mut rows = self.rows(&types, depth);
        // `Error['kind']` has the kind that its type parameter says.
        for (at, field) in fields.iter().enumerate() {
            if let Some(value) = object.given(&field.name).and_then(|given| self.fitting(given, depth)) {
                for row in &mut rows {
                    *row = replaced(row, at, value.clone());
                }
            }
        }
        let first = rows.first().cloned().unwrap_or_default();
        let shorter = (0..first.len()).rev().filter_map(|count| first.get(..count).map(<[Value]>::to_vec));
        rows.extend(shorter);
        rows.into_iter().filter_map(|row| type_.construct(&row).ok()).collect()
    }

    /// A value that matches the constraint of a URI part: a type, a regular expression, or a value.
    fn fitting(&mut self, given: &Value, depth: usize) -> Option<Value> {
        match given {
            Value::Type(type_) => {
                let values = self.samples_of_part(type_, depth);
                let text = values.iter().find(|value| value.as_str().is_some_and(|text| !text.is_empty()));
                text.or(values.first()).cloned()
            }
            Value::Regexp(regexp) => regexp.samples().into_iter().next().map(Value::from),
            other => Some(other.clone()),
        }
    }

    fn uris(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        let Some(general) = Type::named("URI") else { return Vec::new() };
        let arguments = type_.arguments();
        let [Value::Hash(parts)] = &arguments[..] else {
            return arguments.iter().filter_map(|text| general.construct(std::slice::from_ref(text)).ok()).collect();
        };
        let base =
            [("scheme", "http"), ("host", "a.example"), ("path", "/a")].map(|(name, text)| (name.into(), text.into()));
        let mut entries: Hash = base.into_iter().collect();
        for (name, given) in parts.iter() {
            let is_kept = |value: &Value| matches!(given, Value::Type(type_) if type_.has_instance(value));
            if entries.get(name).is_some_and(is_kept) {
                continue;
            }
            match self.fitting(given, depth) {
                Some(Value::Undef) | None => entries = entries.without(|key| key == name),
                Some(value) => entries.insert(name.clone(), value),
            }
        }
        general.construct(&[Value::Hash(entries)]).ok().into_iter().collect()
    }

    /// Types that `type_` accepts: the type itself, its parts, and types of its values.
    fn subtypes(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        let mut types = vec![type_.clone()];
        types.extend(type_.alternatives().into_iter().take(MAX_PARTS));
        types.extend(self.samples_of_part(type_, depth).iter().map(Type::of));
        types.into_iter().map(Value::Type).collect()
    }

    /// Values that are not of the type, but close to it: a value with one wrong part.
    pub(super) fn outside(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        if self.is_over() {
            return Vec::new();
        }
        let mut near = stack::with_room(|| self.near(type_, depth));
        near.extend_from_slice(plain());
        unique(near).filter(|value| !self.lattice.has_instance(type_, value)).take(MAX_VALUES).collect()
    }

    fn near(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        if depth >= MAX_DEPTH {
            return Vec::new();
        }
        let alternatives = type_.alternatives();
        if !matches!(&alternatives[..], [only] if only.is_same(type_)) {
            // Each branch is missed once before one is missed twice.
            let branches: Vec<Vec<Value>> =
                alternatives.into_iter().take(MAX_PARTS).map(|branch| self.near(&branch, depth + 1)).collect();
            return in_turn(&branches).cloned().collect();
        }
        match type_ {
            Type::Array(array) => {
                let wrong = self.outside(array.element(), depth + 1);
                let right = self.samples_of_part(array.element(), depth).into_iter().next();
                let mut near = Vec::new();
                if let Some(count) = sizes(array.size()).find(|count| *count > 0) {
                    let others: Vec<Value> = right.iter().cycle().take(count.min(MAX_ELEMENTS) - 1).cloned().collect();
                    near.extend(wrong.into_iter().map(|element| Value::from([&others[..], &[element]].concat())));
                }
                if let Some(right) = right {
                    near.extend(beside(array.size()).map(|count| Value::from(vec![right.clone(); count])));
                    near.push(right);
                }
                near
            }
            Type::Tuple(tuple) => {
                let count = tuple.types().len();
                let rows = self.rows(&positions(tuple, count), depth);
                let Some(row) = rows.into_iter().next() else { return Vec::new() };
                let mut near = Vec::new();
                for (at, type_) in tuple.types().iter().enumerate().take(MAX_PARTS) {
                    let wrong = self.outside(type_, depth + 1).into_iter().take(3);
                    near.extend(wrong.map(|wrong| replaced(&row, at, wrong)));
                }
                let lengths = [count.checked_sub(1), Some(count + 1)].into_iter().flatten();
                near.extend(lengths.map(|count| row.iter().cycle().take(count).cloned().collect()));
                near.into_iter().map(Value::from).collect()
            }
            Type::Hash(hash) => {
                let (keys, values) =
                    (self.samples_of_part(hash.key(), depth), self.samples_of_part(hash.value(), depth));
                let (Some(key), Some(value)) = (keys.first(), values.first()) else { return Vec::new() };
                let mut outside = |part: &Type| self.outside(part, depth + 1).into_iter().take(MAX_PARTS);
                let wrong_values = outside(hash.value()).map(|wrong| (key.clone(), wrong));
                let wrong_keys = outside(hash.key()).map(|wrong| (wrong, value.clone()));
                let entries = wrong_values.chain(wrong_keys);
                let mut near: Vec<Hash> = entries.map(|entry| [entry].into_iter().collect()).collect();
                for count in beside(hash.size()) {
                    let keys = self.keys(hash.key(), count, depth);
                    near.push(keys.into_iter().map(|key| (key, value.clone())).collect());
                }
                near.into_iter().map(Value::Hash).collect()
            }
            Type::Struct(members) => self.wrong_records(members, depth),
            Type::Sensitive(sensitive) => {
                let wrong = self.outside(sensitive.content(), depth + 1);
                wrong.into_iter().map(|content| Value::Sensitive(Arc::new(content))).collect()
            }
            Type::Collection(collection) => {
                let size = collection.size();
                beside(size).map(|count| Value::from(vec![Value::from(1); count])).collect()
            }
            leaf => near_leaf(leaf),
        }
    }

    /// Hashes with the required or with all members, one of which is wrong, missing or added.
    fn wrong_records(&mut self, members: &StructType, depth: usize) -> Vec<Value> {
        let tried = members.members().iter().take(MAX_PARTS);
        let wrong = tried.map(|member| (member.key(), self.outside(member.type_(), depth + 1)));
        let wrong: Vec<(&Value, Vec<Value>)> = wrong.collect();
        let mut near = Vec::new();
        let right: Vec<Value> = self.records(members, depth).into_iter().take(2).collect();
        for right in right.iter().filter_map(Value::as_hash) {
            let with = |key: &Value, value: Value| {
                let mut entries = right.clone();
                entries.insert(key.clone(), value);
                entries
            };
            let spoiled = |number: usize| {
                wrong.iter().filter_map(move |(key, wrong)| Some(with(key, wrong.get(number)?.clone())))
            };
            near.extend(spoiled(0));
            near.extend(right.keys().take(MAX_PARTS).map(|missing| right.without(|key| key == missing)));
            near.push(with(&"other".into(), 1.into()));
            near.extend(spoiled(1).chain(spoiled(2)));
        }
        near.into_iter().map(Value::Hash).collect()
    }
}

/// A sample function of a Callable type; it is never called.
#[derive(Debug)]
pub(super) struct Sample(pub(super) Type);

impl Callable for Sample {
    fn callable_type(&self) -> Type {
        self.0.clone()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Interleaves lists: the first element of each, then the second of each …
pub(super) fn in_turn<'l, T: 'l>(lists: &'l [impl Deref<Target = [T]>]) -> impl Iterator<Item = &'l T> {
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or(0);
    (0..longest).flat_map(|at| lists.iter().filter_map(move |list| list.get(at)))
}

fn unique(values: Vec<Value>) -> impl Iterator<Item = Value> {
    values.into_iter().collect::<IndexSet<Value>>().into_iter()
}

fn replaced(row: &[Value], at: usize, element: Value) -> Vec<Value> {
    let mut row = row.to_vec();
    if let Some(place) = row.get_mut(at) {
        *place = element;
    }
    row
}

fn positions(tuple: &TupleType, count: usize) -> Vec<Type> {
    (0..count).map(|at| tuple.at(at).cloned().unwrap_or_else(Type::any)).collect()
}

/// Sizes within the bounds that are small enough to build, and one near each bound.
pub(super) fn sizes(size: Size) -> impl Iterator<Item = usize> {
    let wanted = [size.from(), size.from().max(1), size.from().saturating_add(1), size.to()];
    let mut seen = Vec::new();
    wanted.into_iter().filter_map(|size| usize::try_from(size).ok()).filter(move |count| {
        let is_new = size.contains(*count) && *count <= MAX_SIZE && !seen.contains(count);
        seen.push(*count);
        is_new
    })
}

pub(super) fn beside(size: Size) -> impl Iterator<Item = usize> {
    let wanted = [size.from().checked_sub(1), size.to().checked_add(1)];
    wanted.into_iter().flatten().filter_map(|size| usize::try_from(size).ok()).filter(|count| *count <= MAX_SIZE)
}
