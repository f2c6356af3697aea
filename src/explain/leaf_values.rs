//! Sample values of types without nested types: values of the type, and near misses just outside of its bounds.

use std::sync::{Arc, OnceLock};

use super::sample_values::{MAX_PARTS, interleave, sample_sizes, sizes_outside_bounds};
use crate::regexp::Regexp;
use crate::time::{Timespan, Timestamp};
use crate::types::{CallableType, StringType, Type};
use crate::value::{Binary, Hash, Iterator as ValueIterator, SemVer, SemVerRange, Value};
use crate::value::{binary::Encoding, callable::UncalledFunction};

/// Returns values at and near the bounds of a type without nested types, most of them of the type; `None` for others.
pub(super) fn samples_of_leaf_type(type_: &Type) -> Option<Vec<Value>> {
    Some(match type_ {
        Type::Integer(range) => {
            let (from, to) = (range.from(), range.to());
            let small = [0, 1, -1].into_iter().filter(|number| (from..=to).contains(number));
            // An open end is not an edge.
            let ends = [Some(from), from.checked_add(1), to.checked_sub(1), Some(to)].into_iter().flatten();
            let ends = ends.filter(|number| number.unsigned_abs() < u64::MAX / 2 - 1 && (from..=to).contains(number));
            let values: Vec<Value> = ends.chain(small).map(Value::from).collect();
            if values.is_empty() { vec![from.into(), to.into()] } else { values }
        }
        Type::Float(range) => {
            let (from, to) = (range.from(), range.to());
            let numbers = [from, to, f64::midpoint(from, to), from + 0.5, to - 0.5, 0.0, 1.5, -1.5];
            numbers.into_iter().filter(|number| number.is_finite()).map(Value::from).collect()
        }
        Type::String(string) => match &**string {
            StringType::Text(text) => vec![Value::String(text.clone())],
            sized => {
                let small = ["a", "", "abc", "é", "1", "A"].map(Value::from);
                let long = sample_sizes(sized.size()).map(|count| Value::from("a".repeat(count)));
                small.into_iter().chain(long).collect()
            }
        },
        Type::Enum(listed) => {
            let names = listed.values().iter().map(|text| Value::String(text.clone()));
            let upper = listed.values().iter().map(|text| Value::from(text.to_uppercase()));
            names.chain(upper.filter(|_| listed.ignores_case())).collect()
        }
        Type::Pattern(pattern) if !pattern.patterns().is_empty() => {
            let samples: Vec<Vec<String>> = pattern.patterns().iter().map(|regexp| regexp.samples()).collect();
            let found: Vec<&String> = interleave(&samples).collect();
            let longer =
                found.iter().take(3).flat_map(|text| [format!("{text}x"), format!("x{text}"), format!("-{text} ")]);
            found.iter().map(|text| Value::from(text.as_str())).chain(longer.map(Value::from)).collect()
        }
        Type::Regexp(regexp) => {
            let any = || Regexp::new("a").ok().map(Arc::new);
            vec![Value::Regexp(regexp.value.clone().or_else(any)?)]
        }
        Type::Timespan(_) | Type::Timestamp(_) => {
            let general = type_.generalized();
            let ends = type_.arguments();
            let ends = ends.iter().filter_map(|end| general.construct(std::slice::from_ref(end)).ok());
            let zero = [Value::Timespan(Timespan::from_seconds(0)), Value::Timestamp(Timestamp::from_seconds(0))];
            let moved_by = |end: &Value, seconds| match end {
                Value::Timespan(span) => Some(Value::Timespan(span.plus(Timespan::from_seconds(seconds)).ok()?)),
                Value::Timestamp(stamp) => Some(Value::Timestamp(stamp.plus(Timespan::from_seconds(seconds)).ok()?)),
                _ => None,
            };
            ends.flat_map(|end| [0, 1, -1].into_iter().filter_map(move |by| moved_by(&end, by))).chain(zero).collect()
        }
        Type::SemVer(_) => versions_near_bounds(type_),
        _ => return None,
    })
}

fn versions_near_bounds(type_: &Type) -> Vec<Value> {
    let mut versions = Vec::new();
    for range in type_.arguments() {
        let Value::String(range) = range else { continue };
        let written = range.split(|c: char| !(c.is_ascii_alphanumeric() || ".-+".contains(c)));
        let completed = written.flat_map(|text| {
            let text = text.trim_end_matches(['x', 'X', '.', '*']);
            [text.to_owned(), format!("{text}.0"), format!("{text}.0.0")]
        });
        for version in completed.filter_map(|text| SemVer::parse(&text).ok()) {
            let (major, minor, patch) = (version.0.major, version.0.minor, version.0.patch);
            let near = [
                (major, minor, patch.saturating_add(1)),
                (major, minor.saturating_add(1), 0),
                (major.saturating_add(1), 0, 0),
                (major, minor, patch.saturating_sub(1)),
                (major, minor.saturating_sub(1), 0),
                (major.saturating_sub(1), 0, 0),
            ];
            versions.push(version);
            let near = near.into_iter().map(|(major, minor, patch)| SemVer::new(major, minor, patch, "", ""));
            versions.extend(near.filter_map(Result::ok));
        }
    }
    versions.extend(["1.2.3", "0.0.0", "99.0.0", "1.0.0-alpha"].into_iter().flat_map(SemVer::parse));
    versions.into_iter().map(|version| Value::SemVer(Arc::new(version))).collect()
}

/// Returns candidates for near misses of a type without nested types: 10, 0, '1' and 1.5 for `Integer[1, 9]`.
pub(super) fn leaf_near_misses(type_: &Type) -> Vec<Value> {
    match type_ {
        Type::Integer(range) => {
            let beside = [range.to().checked_add(1), range.from().checked_sub(1)].into_iter().flatten();
            let beside = beside.map(Value::from);
            let inside = samples_of_leaf_type(type_).and_then(|values| values.first().cloned());
            beside.chain(inside.map(|number| Value::from(crate::format::text(&number)))).chain([1.5.into()]).collect()
        }
        Type::Float(range) => vec![(range.to() + 1.0).into(), (range.from() - 1.0).into(), 1.into()],
        Type::String(string) => match &**string {
            StringType::Text(text) => similar_strings(text),
            sized => sizes_outside_bounds(sized.size()).map(|count| Value::from("a".repeat(count))).collect(),
        },
        Type::Enum(listed) => listed.values().iter().take(MAX_PARTS).flat_map(|text| similar_strings(text)).collect(),
        Type::Pattern(pattern) => {
            let texts = pattern.patterns().iter().flat_map(|regexp| regexp.samples().into_iter().take(4));
            texts.flat_map(|text| similar_strings(&text)).collect()
        }
        Type::Timespan(_) | Type::Timestamp(_) | Type::SemVer(_) => samples_of_leaf_type(type_).unwrap_or_default(),
        Type::Regexp(_) => Regexp::new("another").map(Arc::new).map(Value::Regexp).into_iter().collect(),
        Type::Type(inner) => {
            let types = inner.type_().map_or_else(Vec::new, |inner| vec![inner.generalized()]);
            types.into_iter().chain([Type::any()]).map(Value::Type).collect()
        }
        _ => Vec::new(),
    }
}

fn similar_strings(text: &str) -> Vec<Value> {
    let mut shorter: String = text.to_owned();
    shorter.pop();
    let tail: String = text.chars().skip(1).collect();
    let longer = ["x", " ", "\n"].map(|end| format!("{text}{end}"));
    [text.to_uppercase(), shorter, tail].into_iter().chain(longer).chain(["?".to_owned()]).map(Value::from).collect()
}

pub(super) fn values_of_every_kind() -> &'static [Value] {
    static SAMPLE_VALUES: OnceLock<Vec<Value>> = OnceLock::new();
    SAMPLE_VALUES.get_or_init(|| {
        let mut values: Vec<Value> = vec![1.into(), "a".into(), true.into(), Value::Undef, 1.5.into()];
        let hash = |key: Value| Value::Hash([(key, Value::from(1))].into_iter().collect::<Hash>());
        let array = Value::from(vec![Value::from(1)]);
        values.extend([array.clone(), hash("a".into()), Value::Default]);
        values.extend([0.into(), (-1).into(), "".into(), false.into()]);
        values.extend([Value::from(Vec::<Value>::new()), Value::Hash(Hash::default()), hash(1.into())]);
        let names = ["abc", "A", "1", "1.2.3", "/tmp/a", "a::b", "a.example.com", "http://a/", "10.0.0.1"];
        values.extend(names.into_iter().chain(["true", "é", "\n"]).map(Value::from));
        values.extend(Regexp::new("a").ok().map(|regexp| Value::Regexp(Arc::new(regexp))));
        values.extend(["Integer", "String", "Any"].into_iter().filter_map(Type::named).map(Value::Type));
        values.extend(Binary::decode("YQ==", Encoding::Strict).ok().map(Value::Binary));
        values.extend(SemVer::parse("1.2.3").ok().map(|version| Value::SemVer(Arc::new(version))));
        values.extend(SemVerRange::parse("1.x").ok().map(|range| Value::SemVerRange(Arc::new(range))));
        values.extend([Value::Timespan(Timespan::from_seconds(1)), Value::Timestamp(Timestamp::from_seconds(0))]);
        values.push(Value::Sensitive(Arc::new("a".into())));
        values
            .push(Value::Callable(Arc::new(UncalledFunction(CallableType::new(Vec::new(), None, None, None).into()))));
        let uris = ["http://a.example/b", "mailto:a"];
        values.extend(uris.into_iter().filter_map(|text| Type::named("URI")?.construct(&[text.into()]).ok()));
        values.extend(ValueIterator::from_iterable(&array).map(|iterator| Value::Iterator(Arc::new(iterator))));
        values
    })
}
