//! Finds values that distinguish types: a value of one type but not of others.
//!
//! Types differ at their edges: the ends of a range and the adjacent numbers, the strings of an Enum, the sizes of an
//! Array, a Struct with an extra member. So the search descends the types side by side, collects the values at their
//! edges, builds containers of them, and tests which types accept which. Any value found is certain to be a
//! counterexample; finding none proves nothing.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::lattice::Lattice;
use crate::interrupt;
use crate::regexp::Regexp;
use crate::time::{Timespan, Timestamp};
use crate::types::hash::HashType;
use crate::types::r#struct::StructType;
use crate::types::tuple::TupleType;
use crate::types::{Identity, StringType, Type};
use crate::value::binary::Encoding;
use crate::value::{Binary, Hash, SemVer, SemVerRange, Value};

/// How many values are tried of the parts of a container.
const MAX_PARTS: usize = 24;

/// How many values are tried in all.
const MAX_VALUES: usize = 2000;

/// How many times values are collected for a type, or for several side by side.
const MAX_SEARCHES: usize = 1000;

/// How deep the search goes into types inside of types.
const MAX_DEPTH: usize = 4;

/// How long the strings and arrays become that are tried.
const MAX_SIZE: usize = 12;

/// A value of `type_` that none of `others` has, if one is found.
///
/// ```
/// use pcore::types::{IntegerType, Type, relation::counterexample};
/// let (port, low) = (IntegerType::new(1, 65535), IntegerType::new(1, 1024));
/// let (port, low) = (Type::from(port.expect("it ascends")), Type::from(low.expect("it ascends")));
/// assert_eq!(counterexample::in_difference(&port, &[&low]), Some(1025.into()));
/// assert_eq!(counterexample::in_difference(&low, &[&port]), None);
/// ```
pub fn in_difference(type_: &Type, others: &[&Type]) -> Option<Value> {
    // Beside an edge of the others is the nearest.
    let all: Vec<Type> = others.iter().chain([&type_]).map(|type_| (*type_).clone()).collect();
    let mut values = Search::default().edges(&all, 0).into_iter().take(MAX_VALUES);
    values.find(|value| type_.has_instance(value) && !others.iter().any(|other| other.has_instance(value)))
}

/// A value that both types have, if one is found.
pub fn in_intersection(a: &Type, b: &Type) -> Option<Value> {
    let mut values = Search::default().edges(&[a.clone(), b.clone()], 0).into_iter().take(MAX_VALUES);
    values.find(|value| a.has_instance(value) && b.has_instance(value))
}

/// What a search has done.
#[derive(Default)]
struct Search {
    /// How many times it has collected values.
    done: usize,
    /// The values at the edges of the parts of the types in question, which live longer than the search. What is a part
    /// many times is taken apart once.
    known: FxHashMap<(Identity, usize), Arc<[Value]>>,
}

impl Search {
    /// Values at the edges of a type inside of another.
    fn edges_of(&mut self, type_: &Type, depth: usize) -> Arc<[Value]> {
        let place = (type_.identity(), depth);
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let values: Arc<[Value]> = self.edges(std::slice::from_ref(type_), depth).into();
        self.known.insert(place, values.clone());
        values
    }

    /// Values at the edges of `types`: those that they have, and those beside them.
    fn edges(&mut self, types: &[Type], depth: usize) -> Vec<Value> {
        interrupt::look();
        let mut values = Values::default();
        self.done += 1;
        if self.done > MAX_SEARCHES {
            values.one_of_each_kind();
            return values.0;
        }
        let apart: Vec<&Type> = types.iter().flat_map(Type::alternatives).collect();
        let (mut arrays, mut hashes) = (Vec::new(), Vec::new());
        for type_ in apart {
            match type_ {
                Type::Array(_) | Type::Tuple(_) => arrays.push(type_),
                Type::Hash(_) | Type::Struct(_) => hashes.push(type_),
                Type::Type(inner) => inner.type_().into_iter().for_each(|inner| values.types(inner)),
                Type::Sensitive(inner) if depth < MAX_DEPTH => {
                    let contents = self.edges(std::slice::from_ref(inner.content()), depth + 1);
                    values.extend(contents.into_iter().map(|content| Value::Sensitive(Arc::new(content))));
                }
                Type::Iterable(inner) => {
                    arrays.push(type_);
                    inner.element().into_iter().for_each(|inner| values.types(inner));
                }
                Type::Object(object) if depth < MAX_DEPTH => {
                    let fields: Vec<Type> = object.fields().iter().map(|field| field.type_().clone()).collect();
                    let rows = self.rows(&fields, depth);
                    values.extend(rows.into_iter().filter_map(|row| type_.construct(&row).ok()));
                }
                leaf => values.leaf(leaf),
            }
        }
        if depth < MAX_DEPTH {
            values.extend(self.array_edges(&arrays, depth));
            values.extend(self.hash_edges(&hashes, depth));
        }
        values.one_of_each_kind();
        values.0
    }

    /// Rows of values for `types`: one in which each is a value of its type, if there is one, then rows that differ from it
    /// in one place.
    fn rows(&mut self, types: &[Type], depth: usize) -> Vec<Vec<Value>> {
        let columns: Vec<Arc<[Value]>> = types.iter().map(|type_| self.edges_of(type_, depth + 1)).collect();
        let fitting = |(type_, column): (&Type, &Arc<[Value]>)| {
            column.iter().find(|value| type_.has_instance(value)).cloned().unwrap_or(Value::Undef)
        };
        let row: Vec<Value> = types.iter().zip(&columns).map(fitting).collect();
        let mut rows = vec![row.clone()];
        for (at, column) in columns.iter().enumerate() {
            for value in column.iter().take(MAX_PARTS) {
                let mut other = row.clone();
                other[at] = value.clone();
                rows.push(other);
            }
        }
        rows
    }

    fn array_edges(&mut self, types: &[&Type], depth: usize) -> Vec<Value> {
        let mut elements = Vec::new();
        let (mut lengths, mut tuples): (Vec<usize>, Vec<&TupleType>) = (Vec::new(), Vec::new());
        for type_ in types {
            match type_ {
                Type::Array(array) => {
                    elements.push(array.element().clone());
                    lengths.extend(sizes(array.size().from(), array.size().to()));
                }
                Type::Iterable(iterable) => elements.extend(iterable.element().cloned()),
                Type::Tuple(tuple) => {
                    elements.extend(tuple.types().iter().map(|child| (**child).clone()));
                    lengths.extend(sizes(tuple.size().from(), tuple.size().to()));
                    tuples.push(tuple);
                }
                _ => {}
            }
        }
        if types.is_empty() {
            return Vec::new();
        }
        let parts: Vec<Value> = self.edges(&elements, depth + 1).into_iter().take(MAX_PARTS).collect();
        let mut arrays: Vec<Vec<Value>> = Vec::new();
        for length in lengths.iter().copied().chain([0, 1, 2]) {
            arrays.extend(parts.iter().map(|part| vec![part.clone(); length]));
        }
        for tuple in tuples {
            for length in lengths.iter().copied().chain([tuple.types().len()]) {
                let types: Vec<Type> = (0..length).filter_map(|at| tuple.at(at).cloned()).collect();
                arrays.extend(self.rows(&types, depth));
            }
        }
        arrays.into_iter().map(Value::from).collect()
    }

    fn hash_edges(&mut self, types: &[&Type], depth: usize) -> Vec<Value> {
        let mut hashes: Vec<Vec<(Value, Value)>> = Vec::new();
        for type_ in types {
            match type_ {
                Type::Hash(hash) => self.of_hash(hash, types, depth, &mut hashes),
                Type::Struct(members) => self.of_struct(members, depth, &mut hashes),
                _ => {}
            }
        }
        hashes.into_iter().map(|entries| Value::Hash(entries.into_iter().collect::<Hash>())).collect()
    }

    /// Hashes whose keys and values come from all the `types` next to this one.
    fn of_hash(&mut self, hash: &HashType, types: &[&Type], depth: usize, hashes: &mut Vec<Vec<(Value, Value)>>) {
        let (mut keys, mut values) = (vec![hash.key().clone()], vec![hash.value().clone()]);
        for type_ in types {
            match type_ {
                Type::Hash(other) => {
                    keys.push(other.key().clone());
                    values.push(other.value().clone());
                }
                Type::Struct(members) => values.extend(members.members().iter().map(|member| member.type_().clone())),
                _ => {}
            }
        }
        let mut parts =
            |types: &[Type]| -> Vec<Value> { self.edges(types, depth + 1).into_iter().take(MAX_PARTS).collect() };
        let (keys, values) = (parts(&keys), parts(&values));
        let fitting = |type_: &Type, values: &[Value]| values.iter().find(|value| type_.has_instance(value)).cloned();
        let key = fitting(hash.key(), &keys).unwrap_or(Value::Undef);
        let value = fitting(hash.value(), &values).unwrap_or(Value::Undef);
        hashes.push(Vec::new());
        hashes.extend(keys.iter().map(|key| vec![(key.clone(), value.clone())]));
        hashes.extend(values.iter().map(|value| vec![(key.clone(), value.clone())]));
        let fitting_keys: Vec<&Value> = keys.iter().filter(|key| hash.key().has_instance(key)).collect();
        for size in sizes(hash.size().from(), hash.size().to()) {
            hashes.push(fitting_keys.iter().take(size).map(|key| ((*key).clone(), value.clone())).collect());
        }
    }

    /// A hash that fits, then one for each value of a member, without each member, and with one too many.
    fn of_struct(&mut self, members: &StructType, depth: usize, hashes: &mut Vec<Vec<(Value, Value)>>) {
        let types: Vec<Type> = members.members().iter().map(|member| member.type_().clone()).collect();
        let keys: Vec<Value> = members.members().iter().map(|member| member.key().clone()).collect();
        let rows = self.rows(&types, depth);
        let complete: Vec<(Value, Value)> = keys.iter().cloned().zip(rows[0].iter().cloned()).collect();
        let mut lattice = Lattice::default();
        let needed: Vec<bool> = members.members().iter().map(|member| !member.may_be_missing(&mut lattice)).collect();
        let entries = || complete.iter().cloned().zip(&needed);
        hashes.push(entries().filter(|(_, needed)| **needed).map(|(entry, _)| entry).collect());
        hashes.extend(rows.into_iter().map(|row| keys.iter().cloned().zip(row).collect()));
        for key in &keys {
            hashes.push(complete.iter().filter(|(other, _)| other != key).cloned().collect());
        }
        hashes.push(complete.into_iter().chain([(Value::from("other"), Value::from(1))]).collect());
    }
}

/// The sizes at the ends of `from ..= to`, and beside them.
fn sizes(from: i64, to: i64) -> impl Iterator<Item = usize> {
    let sizes = [from, from - 1, from + 1, to, to.saturating_add(1)];
    sizes.into_iter().filter_map(|size| usize::try_from(size).ok()).filter(|size| *size <= MAX_SIZE)
}

#[derive(Default)]
struct Values(Vec<Value>);

impl Values {
    fn extend(&mut self, values: impl IntoIterator<Item = Value>) {
        self.0.extend(values);
    }

    /// Of a type without parts to look into.
    fn leaf(&mut self, type_: &Type) {
        match type_ {
            Type::Integer(range) => {
                let (from, to) = (range.from(), range.to());
                let near = [to.checked_add(1), from.checked_sub(1), Some(from), Some(to), from.checked_add(1)];
                // An open end is not an edge.
                let is_edge = |number: &i64| number.unsigned_abs() < u64::MAX / 2 - 1;
                self.extend(near.into_iter().flatten().filter(is_edge).map(Value::from));
            }
            Type::Float(range) => {
                let (from, to) = (range.from(), range.to());
                let near = [to + 1.0, from - 1.0, from, to].into_iter().filter(|number| number.is_finite());
                self.extend(near.map(Value::from));
            }
            Type::String(string) => match &**string {
                StringType::Text(text) => self.texts([&**text]),
                StringType::Sized(size) => {
                    self.extend(sizes(size.from(), size.to()).map(|size| Value::from("a".repeat(size))));
                }
                StringType::All => {}
            },
            Type::Enum(values) => {
                self.texts(values.values().iter().map(|value| &**value));
                self.extend(values.values().iter().map(|value| Value::from(value.to_uppercase())));
            }
            Type::Pattern(pattern) => {
                for regexp in pattern.patterns() {
                    let plain = regexp.text().replace(['^', '$', '\\', '(', ')', '?', '*', '+', 'A', 'z', 'Z'], "");
                    self.texts([&*plain]);
                }
            }
            Type::Regexp(regexp) => self.extend(regexp.value.clone().map(Value::Regexp)),
            Type::Timespan(_) | Type::Timestamp(_) => {
                let ends = type_.arguments();
                let general = type_.generalized();
                for end in ends.iter().filter_map(|end| general.construct(std::slice::from_ref(end)).ok()) {
                    self.times(&end);
                }
            }
            Type::SemVer(_) => {
                for range in type_.arguments() {
                    let Value::String(range) = range else { continue };
                    let versions = range.split(|c: char| !(c.is_ascii_alphanumeric() || ".-+".contains(c)));
                    for version in versions.filter_map(|text| SemVer::parse(text).ok()) {
                        let (major, minor) = (version.0.major, version.0.minor);
                        let next = SemVer::new(major, minor, version.0.patch.saturating_add(1), "", "");
                        let versions = std::iter::once(version).chain(next);
                        self.extend(versions.map(|version| Value::SemVer(Arc::new(version))));
                    }
                }
            }
            Type::Resource(_) | Type::Class(_) => self.types(type_),
            _ => {}
        }
    }

    fn times(&mut self, end: &Value) {
        let second = Timespan::from_seconds(1);
        match end {
            Value::Timespan(span) => {
                let near = [Some(*span), span.plus(second).ok(), span.minus(second).ok()];
                self.extend(near.into_iter().flatten().map(Value::Timespan));
            }
            Value::Timestamp(stamp) => {
                let near = [Some(*stamp), stamp.plus(second).ok()];
                self.extend(near.into_iter().flatten().map(Value::Timestamp));
            }
            _ => {}
        }
    }

    fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) {
        self.extend(texts.into_iter().map(Value::from));
    }

    /// A type as a value, and what it is without parameters.
    fn types(&mut self, type_: &Type) {
        for type_ in type_.alternatives() {
            let bare = (type_.row().bare)();
            self.extend([type_.generalized(), type_.clone(), bare].map(Value::Type));
        }
    }

    /// So that types of different kinds part as well; the plainest first.
    fn one_of_each_kind(&mut self) {
        let plain: [Value; 8] =
            [1.into(), "a".into(), true.into(), Value::Undef, 1.5.into(), 0.into(), (-1).into(), "".into()];
        self.extend(plain);
        self.texts([
            "abc",
            "A",
            "1",
            "1.2.3",
            "/tmp/a",
            "a::b",
            "a.example.com",
            "http://a/",
            "10.0.0.1",
            "true",
            "é",
            "\n",
        ]);
        self.extend([
            Value::from(Vec::<Value>::new()),
            Value::from(vec![Value::from(1)]),
            Value::Hash(Hash::default()),
            Value::Hash([(Value::from("a"), Value::from(1))].into_iter().collect::<Hash>()),
            Value::Hash([(Value::from(1), Value::from(1))].into_iter().collect::<Hash>()),
            Value::Default,
            Value::from(false),
        ]);
        self.extend(Regexp::new("a").ok().map(|regexp| Value::Regexp(Arc::new(regexp))));
        self.extend(["Integer", "String", "Any"].into_iter().filter_map(Type::named).map(Value::Type));
        self.extend(Binary::decode("YQ==", Encoding::Strict).ok().map(Value::Binary));
        self.extend(SemVer::parse("1.2.3").ok().map(|version| Value::SemVer(Arc::new(version))));
        self.extend(SemVerRange::parse("1.x").ok().map(|range| Value::SemVerRange(Arc::new(range))));
        self.extend([Value::Timespan(Timespan::from_seconds(1)), Value::Timestamp(Timestamp::from_seconds(0))]);
        self.extend([Value::Sensitive(Arc::new(Value::from("a")))]);
    }
}
