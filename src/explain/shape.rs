//! Infers the type that an author would write for data: Structs with optional keys, Enums for few strings, aliases of
//! modules.
//!
//! All values at one position in the samples get one type without bounds (`Integer`): samples do not show bounds.

use std::{collections::BTreeSet, fmt::Write as _};

use indexmap::{IndexMap, IndexSet};

use crate::types::{Type, kinds::Kinds};
use crate::value::{Hash, Value};
use crate::wording::pad_to_width;
use crate::{format, stack};

const MAX_ENUM_VALUES: usize = 8;
const MAX_STRUCT_MEMBERS: usize = 64;

/// Returns the type of all samples as Puppet code that an author would write. `key` is the key in a Hash under which
/// the samples were found, if any: an alias with a similar name is used if it accepts all samples.
///
/// ```
/// use pcore::explain::shape::type_text;
/// let samples = pcore::session::Session::default().eval("[{name => 'a', port => 80}, {name => 'b'}]")?;
/// let text = type_text(samples.as_array().unwrap().iter(), &[], None);
/// assert_eq!(text, "Struct[{\n  'name'           => String[1],\n  Optional['port'] => Integer,\n}]");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn type_text<'v>(samples: impl IntoIterator<Item = &'v Value>, aliases: &[Type], key: Option<&str>) -> String {
    type_text_at_depth(&samples.into_iter().collect::<Vec<_>>(), aliases, key, 0)
}

fn type_text_at_depth(samples: &[&Value], aliases: &[Type], key: Option<&str>, depth: usize) -> String {
    let (undefs, samples): (Vec<&Value>, Vec<&Value>) = samples.iter().partition(|sample| sample.is_undef());
    let optional = |type_: String| if undefs.is_empty() { type_ } else { format!("Optional[{type_}]") };
    if let Some(alias) = key.and_then(|key| alias_for_key(key, &samples, aliases)) {
        return optional(alias);
    }
    let kinds = kinds_of_samples(&samples);
    let number = match [Kinds::INTEGER, Kinds::FLOAT].map(|kind| kinds.intersects(kind)) {
        [true, true] => Some("Numeric"),
        [true, false] => Some("Integer"),
        [false, true] => Some("Float"),
        [false, false] => None,
    };
    let boolean = kinds.intersects(Kinds::BOOLEAN).then_some("Boolean");
    let mut parts: Vec<String> = boolean.into_iter().chain(number).map(str::to_owned).collect();
    let (mut strings, mut arrays, mut hashes, mut others) = (Vec::new(), Vec::new(), Vec::new(), IndexSet::new());
    for sample in samples {
        match sample {
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {}
            Value::String(string) => strings.push(&**string),
            Value::Array(elements) => arrays.push(elements),
            Value::Hash(entries) => hashes.push(entries),
            other => {
                others.insert(Type::of(other).generalized().to_string());
            }
        }
    }
    parts.extend((!strings.is_empty()).then(|| infer_type_text_of_strings(&strings)));
    if !arrays.is_empty() {
        let elements: Vec<&Value> = arrays.iter().flat_map(|elements| elements.iter()).collect();
        let element = stack::with_room(|| type_text_at_depth(&elements, aliases, key, depth));
        parts.push(if element == "Any" { "Array".to_owned() } else { format!("Array[{element}]") });
    }
    parts.extend((!hashes.is_empty()).then(|| stack::with_room(|| infer_type_text_of_hashes(&hashes, aliases, depth))));
    parts.extend(others);
    match &parts[..] {
        [] if undefs.is_empty() => "Any".to_owned(),
        [] => "Undef".to_owned(),
        [only] => optional(only.clone()),
        several => optional(format!("Variant[{}]", several.join(", "))),
    }
}

fn kinds_of_samples(samples: &[&Value]) -> Kinds {
    samples.iter().fold(Kinds::default(), |kinds, sample| kinds | Kinds::of_value(sample))
}

/// Returns an Enum for 2 to 8 words that occur thrice on average, otherwise `String[1]`, or `String` if one is empty.
fn infer_type_text_of_strings(strings: &[&str]) -> String {
    const MAX_ENUM_VALUE_BYTES: usize = 24;
    let is_word = |text: &&str| {
        !text.is_empty()
            && text.len() <= MAX_ENUM_VALUE_BYTES
            && !text.contains(|letter: char| letter.is_whitespace() || letter == '/')
    };
    let distinct: BTreeSet<&str> = strings.iter().copied().collect();
    let recurs = (2..=MAX_ENUM_VALUES).contains(&distinct.len()) && strings.len() >= 3 * distinct.len();
    if recurs && distinct.iter().all(is_word) {
        let words: Vec<String> = distinct.into_iter().map(|text| format::program_text(&Value::from(text))).collect();
        return format!("Enum[{}]", words.join(", "));
    }
    if distinct.contains("") { "String".to_owned() } else { "String[1]".to_owned() }
}

fn infer_type_text_of_hashes(hashes: &[&Hash], aliases: &[Type], depth: usize) -> String {
    let mut members: IndexMap<&Value, Vec<&Value>> = IndexMap::new();
    for (key, value) in hashes.iter().flat_map(|hash| hash.iter()) {
        members.entry(key).or_default().push(value);
    }
    if members.is_empty() {
        return "Hash".to_owned();
    }
    if !are_struct_members(&members, hashes.len()) {
        let keys: Vec<&Value> = members.keys().copied().collect();
        let values: Vec<&Value> = members.into_values().flatten().collect();
        let [key, value] = [keys, values].map(|samples| type_text_at_depth(&samples, aliases, None, depth));
        return format!("Hash[{key}, {value}]");
    }
    let indentation = "  ".repeat(depth + 1);
    let key = |(name, values): (&&Value, &Vec<&Value>)| {
        let name = format::program_text(name);
        if values.len() < hashes.len() { format!("Optional[{name}]") } else { name }
    };
    let keys: Vec<String> = members.iter().map(key).collect();
    let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or(0);
    let mut record = "Struct[{\n".to_owned();
    for (key, (name, values)) in keys.iter().zip(&members) {
        let (key, type_) = (pad_to_width(key, width), type_text_at_depth(values, aliases, name.as_str(), depth + 1));
        let _ = writeln!(record, "{indentation}{key} => {type_},"); // OK because writing to a String cannot fail.
    }
    format!("{record}{}}}]", "  ".repeat(depth))
}

/// Whether the keys are names of Struct members, not data: most hashes share them, or their values are of mixed kinds.
fn are_struct_members(members: &IndexMap<&Value, Vec<&Value>>, count: usize) -> bool {
    let is_name = |key: &&Value| {
        key.as_str().is_some_and(|name| {
            name.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_')
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | ':'))
        })
    };
    if members.len() > MAX_STRUCT_MEMBERS || !members.keys().all(is_name) {
        return false;
    }
    let kind = |values: &Vec<&Value>| {
        let kinds = kinds_of_samples(values);
        [Kinds::BOOLEAN, Kinds::NUMBER, Kinds::STRING, Kinds::ARRAY, Kinds::HASH].map(|kind| kinds.intersects(kind))
    };
    let kinds: IndexSet<[bool; 5]> = members.values().map(kind).collect();
    if count == 1 {
        return kinds.len() > 1 || members.len() <= 2;
    }
    let occurrences: usize = members.values().map(Vec::len).sum();
    members.values().any(|values| values.len() == count) || kinds.len() > 1 && 3 * occurrences >= count * members.len()
}

/// Returns the name of an alias that is like the key (`Web::Port` for `http_port`) and accepts all samples, if any.
fn alias_for_key(key: &str, samples: &[&Value], aliases: &[Type]) -> Option<String> {
    let key = key.rsplit("::").next().unwrap_or(key).to_lowercase();
    let is_like = |name: &str| {
        let last = name.rsplit("::").next().unwrap_or(name).to_lowercase();
        key == last || key.ends_with(&format!("_{last}"))
    };
    let fits = |type_: &Type| samples.iter().all(|sample| type_.has_instance(sample));
    let names = aliases.iter().filter_map(|type_| match type_ {
        Type::Alias(alias) if is_like(alias.name()) && fits(type_) => Some(alias.name()),
        _ => None,
    });
    names.min_by_key(|name| name.len()).map(str::to_owned)
}
