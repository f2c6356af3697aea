//! Generates values of a type, and values that are almost of the type.
//!
//! Types differ at their bounds: of numbers and sizes, in the strings of an Enum, in the members of a Struct. So the
//! sample values of a type are those at its bounds, the smallest first, and some of each branch; near misses have one
//! wrong part, such as a number just outside of the bounds. Every value is tested before it is returned.

use std::{ops::Deref, sync::Arc};

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::leaf_values::{leaf_near_misses, samples_of_leaf_type, values_of_every_kind};
use crate::types::{HashType, Identity, Lattice, Member, ObjectType, Size, StructType, TupleType, Type};
use crate::value::{Hash, Iterator as ValueIterator, Value, callable::UncalledFunction};
use crate::{interrupt, stack};

const MAX_VALUES: usize = 40;

/// The maximum number of values, members or branches from which samples of a container are made; others are ignored.
pub(super) const MAX_PARTS: usize = 24;

const MAX_SINGLE_OPTIONAL_MEMBERS: usize = 6;
const MAX_DEPTH: usize = 7;

/// The maximum length of sample strings and sample Arrays. Types that require more get no samples.
const MAX_SAMPLE_LENGTH: usize = 100_000;

/// The maximum size of sample Tuples, Hashes, and Arrays of one repeated element. No samples of larger sizes are made.
const MAX_ELEMENTS: usize = 1_000;

const MAX_STEPS: usize = 20_000;

/// Generates sample values, and caches those of each type.
#[derive(Default)]
pub(super) struct SampleSearch {
    lattice: Lattice,
    step_count: usize,
    cached_values: FxHashMap<(Identity, usize), Arc<[Value]>>,
    /// The types whose addresses are keys of `cached_values`, kept alive so that no other type gets the same address.
    kept_types: Vec<Type>,
}

impl SampleSearch {
    fn take_step_past_limit(&mut self) -> bool {
        interrupt::poll();
        self.step_count += 1;
        self.step_count > MAX_STEPS
    }

    pub(super) fn values_of_type(&mut self, type_: &Type, depth: usize) -> Arc<[Value]> {
        let place = (type_.identity(), depth);
        if let Some(known) = self.cached_values.get(&place) {
            return known.clone();
        }
        if self.take_step_past_limit() {
            return [].into();
        }
        let candidates = stack::with_room(|| self.candidate_values(type_, depth));
        let limit = if depth == 0 { usize::MAX } else { MAX_VALUES };
        let values: Arc<[Value]> =
            unique_values(candidates).filter(|value| self.lattice.has_instance(type_, value)).take(limit).collect();
        self.kept_types.push(type_.clone());
        self.cached_values.insert(place, values.clone());
        values
    }

    /// Returns candidates for sample values; the caller must test whether they are of the type.
    #[allow(clippy::too_many_lines, reason = "one arm per type reads better in one place")]
    fn candidate_values(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        let plain = || values_of_every_kind().to_vec();
        match type_ {
            Type::Alias(alias) => match alias.resolved() {
                Some(meaning) if depth < MAX_DEPTH => self.values_of_type(&meaning, depth + 1).to_vec(),
                Some(_) => plain(),
                None => Vec::new(),
            },
            _ if depth < MAX_DEPTH
                && let Some(meaning) = type_.variant_of_data() =>
            {
                self.values_of_type(meaning, depth + 1).to_vec()
            }
            Type::Variant(variant) => {
                let branches: Vec<_> =
                    variant.types().iter().map(|branch| self.values_of_type(branch, depth + 1)).collect();
                interleave(&branches).cloned().collect()
            }
            Type::Optional(optional) => {
                let mut values =
                    optional.type_().map_or_else(Vec::new, |inner| self.values_of_type(inner, depth).to_vec());
                values.insert(values.len().min(1), Value::Undef);
                values
            }
            Type::NotUndef(outer) => outer.type_().map_or_else(plain, |one| self.values_of_type(one, depth).to_vec()),
            Type::Collection(collection) => {
                let size = collection.size();
                let arrays = sample_sizes(size).map(|count| Value::from(vec![Value::from(1); count]));
                let hashes = sample_sizes(size)
                    .map(|count| Value::Hash((1_i64..).take(count).map(|at| (at.into(), at.into())).collect::<Hash>()));
                arrays.chain(hashes).collect()
            }
            Type::Array(array) => {
                let elements = self.samples_of_inner_type(array.element(), depth);
                // Without elements, `cycle` ends at once.
                let distinct = |count| Value::from(elements.iter().cycle().take(count).cloned().collect::<Vec<_>>());
                let mut values: Vec<Value> = sample_sizes(array.size()).map(distinct).collect();
                if let Some(count) = sample_sizes(array.size()).find(|count| (1..MAX_ELEMENTS).contains(count)) {
                    values.extend(elements.iter().map(|element| Value::from(vec![element.clone(); count])));
                }
                values
            }
            Type::Tuple(tuple) => {
                let counts =
                    sample_sizes(tuple.size()).chain([tuple.types().len()]).filter(|count| *count <= MAX_ELEMENTS);
                let rows = counts.flat_map(|count| self.rows_of_values(&types_at_positions(tuple, count), depth));
                rows.map(Value::from).collect()
            }
            Type::Hash(hash) => self.sample_hashes(hash, depth),
            Type::Struct(members) => self.sample_structs(members, depth),
            Type::Iterable(iterable) => {
                let elements = self.samples_of_inner_type(iterable.element().unwrap_or(&Type::any()), depth);
                let arrays = elements.into_iter().map(|element| Value::from(vec![element]));
                arrays.chain(plain()).collect()
            }
            Type::Iterator(iterator) => {
                let elements = self.samples_of_inner_type(iterator.element().unwrap_or(&Type::any()), depth);
                let arrays = elements.iter().map(|element| Value::from(vec![element.clone()]));
                let arrays = arrays.chain([Value::from(Vec::<Value>::new())]);
                let over = arrays.filter_map(|array| ValueIterator::from_iterable(&array));
                over.map(|iterator| Value::Iterator(Arc::new(iterator))).collect()
            }
            Type::Sensitive(sensitive) => {
                let contents = self.samples_of_inner_type(sensitive.content(), depth);
                contents.into_iter().map(|content| Value::Sensitive(Arc::new(content))).collect()
            }
            Type::Type(inner) => match inner.type_() {
                None => ["Integer", "String"].into_iter().filter_map(Type::named).map(Value::Type).collect(),
                Some(inner) => {
                    let mut types = vec![inner.clone()];
                    types.extend(inner.alternatives().into_iter().take(MAX_PARTS));
                    types.extend(self.samples_of_inner_type(inner, depth).iter().map(Type::of));
                    types.into_iter().map(Value::Type).collect()
                }
            },
            Type::Init(init) => {
                let made = init.type_().map_or_else(Vec::new, |made| self.values_of_type(made, depth + 1).to_vec());
                let texts = made.iter().map(|value| Value::from(crate::format::text(value)));
                texts.chain(plain()).chain(made.iter().cloned()).collect()
            }
            Type::Object(object) if object.is_root() => Type::named("Integer").map(Value::Type).into_iter().collect(),
            Type::Object(object) => self.sample_objects(type_, object, depth),
            Type::Uri(_) if !type_.arguments().is_empty() => self.sample_uris(type_, depth),
            Type::Callable(_) => vec![Value::Callable(Arc::new(UncalledFunction(type_.clone())))],
            Type::TypeSet(_) => vec![Value::Type(type_.clone())],
            leaf => samples_of_leaf_type(leaf).unwrap_or_else(plain),
        }
    }

    /// Returns a few values of `type_`, the type of a part of a container at `depth`; none at the maximum depth.
    fn samples_of_inner_type(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        if depth < MAX_DEPTH {
            self.values_of_type(type_, depth + 1).iter().take(MAX_PARTS).cloned().collect()
        } else {
            Vec::new()
        }
    }

    /// Returns rows with one value for each of `types`: a row of first values, then rows that differ from it in one.
    /// Empty if a type has no values.
    fn rows_of_values(&mut self, types: &[Type], depth: usize) -> Vec<Vec<Value>> {
        let columns: Vec<Vec<Value>> = types.iter().map(|type_| self.samples_of_inner_type(type_, depth)).collect();
        let Some(row) = columns.iter().map(|column| column.first().cloned()).collect::<Option<Vec<Value>>>() else {
            return Vec::new();
        };
        let mut rows = vec![row.clone()];
        // In turn, so that each place differs once before one differs twice.
        for number in 1..MAX_PARTS {
            for (at, column) in columns.iter().enumerate().take(MAX_PARTS) {
                if let Some(value) = column.get(number) {
                    rows.push(with_element_replaced(&row, at, value.clone()));
                }
            }
        }
        rows
    }

    fn distinct_keys(&mut self, type_: &Type, count: usize, depth: usize) -> Vec<Value> {
        let mut keys = self.samples_of_inner_type(type_, depth);
        if keys.len() < count {
            let made = (1_i64..).take(count.min(MAX_ELEMENTS));
            let long = |at: i64| "k".repeat(usize::try_from(at % 300).unwrap_or(0));
            let more = made.flat_map(|at| [format!("k{at}").into(), at.into(), long(at).into()]);
            keys.extend(more.filter(|key| self.lattice.has_instance(type_, key)));
        }
        unique_values(keys).take(count).collect()
    }

    fn sample_hashes(&mut self, hash: &HashType, depth: usize) -> Vec<Value> {
        let values = self.samples_of_inner_type(hash.value(), depth);
        let mut hashes: Vec<Hash> = Vec::new();
        for count in sample_sizes(hash.size()).filter(|count| *count <= MAX_ELEMENTS) {
            let keys = self.distinct_keys(hash.key(), count, depth);
            hashes.push(keys.into_iter().zip(values.iter().cycle().cloned()).collect());
        }
        let keys = self.samples_of_inner_type(hash.key(), depth);
        let single = |(key, value): (&Value, &Value)| [(key.clone(), value.clone())].into_iter().collect::<Hash>();
        hashes.extend(keys.iter().zip(values.iter().cycle()).map(single));
        hashes.extend(keys.iter().cycle().zip(&values).map(single));
        hashes.into_iter().map(Value::Hash).collect()
    }

    /// Returns hashes that match a Struct: with the required members; with all members; with the required and one
    /// optional member; with all members, one of which has another value.
    fn sample_structs(&mut self, members: &StructType, depth: usize) -> Vec<Value> {
        let types: Vec<Type> = members.members().iter().map(|member| member.type_().clone()).collect();
        let keys = || members.members().iter().map(|member| member.key().clone());
        let rows = self.rows_of_values(&types, depth);
        let Some(first) = rows.first() else {
            // A member without values may be missing.
            let values: Vec<_> =
                types.iter().map(|type_| self.samples_of_inner_type(type_, depth).into_iter().next()).collect();
            let found = keys().zip(values).filter_map(|(key, value)| Some((key, value?)));
            return vec![Value::Hash(found.collect())];
        };
        let given = || members.members().iter().zip(first);
        let entry = |(member, value): (&Member, &Value)| (member.key().clone(), value.clone());
        let required = || given().filter(|(member, _)| member.is_required()).map(entry);
        let least: Hash = required().collect();
        let mut hashes = vec![least.clone()];
        let mut complete = rows.iter().map(|row| keys().zip(row.iter().cloned()).collect());
        hashes.extend(complete.next());
        let others = given().filter(|(member, _)| !member.is_required()).take(MAX_SINGLE_OPTIONAL_MEMBERS);
        hashes.extend(others.map(|one| required().chain([entry(one)]).collect()));
        hashes.extend(complete);
        hashes.into_iter().map(Value::Hash).collect()
    }

    fn sample_objects(&mut self, type_: &Type, object: &ObjectType, depth: usize) -> Vec<Value> {
        let fields = object.fields();
        let types: Vec<Type> = fields.iter().map(|field| field.type_().clone()).collect();
        let mut rows = self.rows_of_values(&types, depth);
        // `Error['kind']` has the kind that its type parameter says.
        for (at, field) in fields.iter().enumerate() {
            let given = object.type_argument(&field.name);
            if let Some(value) = given.and_then(|given| self.value_for_constraint(given, depth)) {
                for row in &mut rows {
                    *row = with_element_replaced(row, at, value.clone());
                }
            }
        }
        let first = rows.first().cloned().unwrap_or_default();
        let shorter = (0..first.len()).rev().filter_map(|count| first.get(..count).map(<[Value]>::to_vec));
        rows.extend(shorter);
        rows.into_iter().filter_map(|row| type_.construct(&row).ok()).collect()
    }

    /// Returns a value for a part of a URI or Object: of the type, matching the Regexp, or equal to the value `given`.
    fn value_for_constraint(&mut self, given: &Value, depth: usize) -> Option<Value> {
        match given {
            Value::Type(type_) => {
                let values = self.samples_of_inner_type(type_, depth);
                let text = values.iter().find(|value| value.as_str().is_some_and(|text| !text.is_empty()));
                text.or(values.first()).cloned()
            }
            Value::Regexp(regexp) => regexp.samples().into_iter().next().map(Value::from),
            other => Some(other.clone()),
        }
    }

    fn sample_uris(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        let Some(general) = Type::named("URI") else { return Vec::new() };
        let arguments = type_.arguments();
        let [Value::Hash(parts)] = &arguments[..] else {
            return arguments.iter().filter_map(|text| general.construct(std::slice::from_ref(text)).ok()).collect();
        };
        let mut entries = Hash::from([("scheme", "http"), ("host", "a.example"), ("path", "/a")]);
        for (name, given) in parts.iter() {
            let is_kept = |value: &Value| matches!(given, Value::Type(type_) if type_.has_instance(value));
            if entries.get(name).is_some_and(is_kept) {
                continue;
            }
            match self.value_for_constraint(given, depth) {
                Some(Value::Undef) | None => entries = entries.without_keys(|key| key == name),
                Some(value) => entries.insert(name.clone(), value),
            }
        }
        general.construct(&[Value::Hash(entries)]).ok().into_iter().collect()
    }

    /// Returns near misses, values that are not of the type: some that have one wrong part, and values of every kind.
    pub(super) fn near_misses(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        if self.take_step_past_limit() {
            return Vec::new();
        }
        let mut near = stack::with_room(|| self.near_miss_candidates(type_, depth));
        near.extend_from_slice(values_of_every_kind());
        unique_values(near).filter(|value| !self.lattice.has_instance(type_, value)).take(MAX_VALUES).collect()
    }

    fn near_miss_candidates(&mut self, type_: &Type, depth: usize) -> Vec<Value> {
        if depth >= MAX_DEPTH {
            return Vec::new();
        }
        let alternatives = type_.alternatives();
        if !matches!(&alternatives[..], [only] if only.is_identical_to(type_)) {
            // Each branch is missed once before one is missed twice.
            let branches = alternatives.iter().take(MAX_PARTS);
            let branches: Vec<_> = branches.map(|branch| self.near_miss_candidates(branch, depth + 1)).collect();
            return interleave(&branches).cloned().collect();
        }
        match type_ {
            Type::Array(array) => {
                let wrong = self.near_misses(array.element(), depth + 1);
                let right = self.samples_of_inner_type(array.element(), depth).into_iter().next();
                let mut near = Vec::new();
                if let Some(count) = sample_sizes(array.size()).find(|count| *count > 0) {
                    let others: Vec<Value> = right.iter().cycle().take(count.min(MAX_ELEMENTS) - 1).cloned().collect();
                    near.extend(wrong.into_iter().map(|element| Value::from([&others[..], &[element]].concat())));
                }
                if let Some(right) = right {
                    let sizes = sizes_outside_bounds(array.size());
                    near.extend(sizes.map(|count| Value::from(vec![right.clone(); count])));
                    near.push(right);
                }
                near
            }
            Type::Tuple(tuple) => {
                let count = tuple.types().len();
                let rows = self.rows_of_values(&types_at_positions(tuple, count), depth);
                let Some(row) = rows.into_iter().next() else { return Vec::new() };
                let mut near = Vec::new();
                for (at, type_) in tuple.types().iter().enumerate().take(MAX_PARTS) {
                    let wrong = self.near_misses(type_, depth + 1).into_iter().take(3);
                    near.extend(wrong.map(|wrong| with_element_replaced(&row, at, wrong)));
                }
                let lengths = [count.checked_sub(1), Some(count + 1)].into_iter().flatten();
                near.extend(lengths.map(|count| row.iter().cycle().take(count).cloned().collect()));
                near.into_iter().map(Value::from).collect()
            }
            Type::Hash(hash) => {
                let (keys, values) =
                    (self.samples_of_inner_type(hash.key(), depth), self.samples_of_inner_type(hash.value(), depth));
                let (Some(key), Some(value)) = (keys.first(), values.first()) else { return Vec::new() };
                let mut outside = |part: &Type| self.near_misses(part, depth + 1).into_iter().take(MAX_PARTS);
                let wrong_values = outside(hash.value()).map(|wrong| (key.clone(), wrong));
                let wrong_keys = outside(hash.key()).map(|wrong| (wrong, value.clone()));
                let entries = wrong_values.chain(wrong_keys);
                let mut near: Vec<Hash> = entries.map(|entry| [entry].into_iter().collect()).collect();
                for count in sizes_outside_bounds(hash.size()) {
                    let keys = self.distinct_keys(hash.key(), count, depth);
                    near.push(keys.into_iter().map(|key| (key, value.clone())).collect());
                }
                near.into_iter().map(Value::Hash).collect()
            }
            Type::Struct(members) => self.struct_near_misses(members, depth),
            Type::Sensitive(sensitive) => {
                let wrong = self.near_misses(sensitive.content(), depth + 1);
                wrong.into_iter().map(|content| Value::Sensitive(Arc::new(content))).collect()
            }
            Type::Collection(collection) => {
                let size = collection.size();
                sizes_outside_bounds(size).map(|count| Value::from(vec![Value::from(1); count])).collect()
            }
            leaf => leaf_near_misses(leaf),
        }
    }

    /// Returns hashes with the required or all members of a Struct, one of which is wrong, missing or unknown.
    fn struct_near_misses(&mut self, members: &StructType, depth: usize) -> Vec<Value> {
        let tried = members.members().iter().take(MAX_PARTS);
        let wrong = tried.map(|member| (member.key(), self.near_misses(member.type_(), depth + 1)));
        let wrong: Vec<(&Value, Vec<Value>)> = wrong.collect();
        let mut near = Vec::new();
        let right: Vec<Value> = self.sample_structs(members, depth).into_iter().take(2).collect();
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
            near.extend(right.keys().take(MAX_PARTS).map(|missing| right.without_keys(|key| key == missing)));
            near.push(with(&"other".into(), 1.into()));
            near.extend(spoiled(1).chain(spoiled(2)));
        }
        near.into_iter().map(Value::Hash).collect()
    }
}

/// Interleaves lists: returns the first element of each list, then the second of each …
pub(super) fn interleave<'l, T: 'l>(lists: &'l [impl Deref<Target = [T]>]) -> impl Iterator<Item = &'l T> {
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or(0);
    (0..longest).flat_map(|at| lists.iter().filter_map(move |list| list.get(at)))
}

fn unique_values(values: Vec<Value>) -> impl Iterator<Item = Value> {
    values.into_iter().collect::<IndexSet<Value>>().into_iter()
}

fn with_element_replaced(row: &[Value], at: usize, element: Value) -> Vec<Value> {
    let mut row = row.to_vec();
    if let Some(place) = row.get_mut(at) {
        *place = element;
    }
    row
}

fn types_at_positions(tuple: &TupleType, count: usize) -> Vec<Type> {
    (0..count).map(|at| tuple.type_at(at).cloned().unwrap_or_else(Type::any)).collect()
}

/// Returns the sizes in the range `size` at and near its bounds, except those above [`MAX_SAMPLE_LENGTH`].
pub(super) fn sample_sizes(size: Size) -> impl Iterator<Item = usize> {
    let wanted = [size.from(), size.from().max(1), size.from().saturating_add(1), size.to()];
    let mut seen = Vec::new();
    wanted.into_iter().filter_map(|size| usize::try_from(size).ok()).filter(move |count| {
        let is_new = size.contains(*count) && *count <= MAX_SAMPLE_LENGTH && !seen.contains(count);
        seen.push(*count);
        is_new
    })
}

pub(super) fn sizes_outside_bounds(size: Size) -> impl Iterator<Item = usize> {
    let wanted = [size.from().checked_sub(1), size.to().checked_add(1)];
    wanted
        .into_iter()
        .flatten()
        .filter_map(|size| usize::try_from(size).ok())
        .filter(|count| *count <= MAX_SAMPLE_LENGTH)
}
