//! The type that an author would write for data: a Struct with optional keys, an Enum for few strings, aliases that
//! modules have.
//!
//! All samples are merged into one [`Shape`], which counts what occurs where; the shape then becomes a type. Numbers and
//! strings are general (`Integer`, `String[1]`): samples do not show limits.

use std::fmt::Write as _;

use indexmap::{IndexMap, IndexSet};

use crate::format;
use crate::types::Type;
use crate::types::kinds::Kinds;
use crate::value::Value;
use crate::wording::padded;

const MAX_ENUM: usize = 8;

const MAX_MEMBERS: usize = 64;

/// The values at one position in all samples, summarized.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    kinds: Kinds,
    strings: Strings,
    arrays: Option<Box<Shape>>,
    hashes: Hashes,
    others: IndexSet<String>,
    /// A sample of the scalar values, to compare aliases with.
    samples: Vec<Value>,
}

#[derive(Clone, Debug, Default)]
struct Strings {
    count: usize,
    has_empty: bool,
    /// The distinct strings, up to one more than an Enum may have.
    distinct: IndexSet<String>,
}

#[derive(Clone, Debug, Default)]
struct Hashes {
    count: usize,
    members: IndexMap<String, (usize, Shape)>,
    other_keys: Option<Box<Shape>>,
    has_empty_key: bool,
}

impl Shape {
    /// Adds a sample.
    pub fn add(&mut self, value: &Value) {
        /// More would take memory and say little more.
        const MAX_SAMPLES: usize = 1000;
        if self.samples.len() < MAX_SAMPLES && !matches!(value, Value::Undef) {
            self.samples.push(value.clone());
        }
        self.kinds = self.kinds | Kinds::of_value(value);
        match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {}
            Value::String(text) => self.strings.add(text),
            Value::Array(elements) => {
                let shape = self.arrays.get_or_insert_default();
                elements.iter().for_each(|element| shape.add(element));
            }
            Value::Hash(entries) => {
                self.hashes.count += 1;
                for (key, value) in entries.iter() {
                    let name = match key {
                        Value::String(name) => name.to_string(),
                        other => {
                            self.hashes.other_keys.get_or_insert_default().add(other);
                            format::program_text(other)
                        }
                    };
                    self.hashes.has_empty_key |= name.is_empty();
                    let (count, shape) = self.hashes.members.entry(name).or_default();
                    *count += 1;
                    shape.add(value);
                }
            }
            other => {
                self.others.insert(Type::of(other).generalized().to_string());
            }
        }
    }

    /// The type as an author would write it. An alias is used for the value of a key that is called like it, if it
    /// accepts what occurs there.
    ///
    /// ```
    /// use pcore::explain::shape::Shape;
    /// let mut session = pcore::session::Session::default();
    /// let mut shape = Shape::default();
    /// for sample in ["{name => 'a', port => 80}", "{name => 'b'}"] {
    ///     shape.add(&session.eval(sample)?);
    /// }
    /// assert_eq!(shape.type_text(&[]), "Struct[{\n  'name'           => String[1],\n  Optional['port'] => Integer,\n}]");
    /// # Ok::<(), pcore::error::Error>(())
    /// ```
    pub fn type_text(&self, aliases: &[Type]) -> String {
        self.text(aliases, None, 0)
    }

    /// As [`Shape::type_text`], for the value of a key or parameter of that name.
    pub fn type_text_for(&self, name: &str, aliases: &[Type]) -> String {
        self.text(aliases, Some(name), 0)
    }

    fn text(&self, aliases: &[Type], key: Option<&str>, depth: usize) -> String {
        let has_undef = self.kinds.meet(Kinds::UNDEF);
        if let Some(alias) = key.and_then(|key| alias_for(key, self, aliases)) {
            return if has_undef { format!("Optional[{alias}]") } else { alias };
        }
        let numbers = [Kinds::INTEGER, Kinds::FLOAT].map(|kind| self.kinds.meet(kind));
        let scalars = [
            (self.kinds.meet(Kinds::BOOLEAN), "Boolean"),
            (numbers == [true, true], "Numeric"),
            (numbers == [true, false], "Integer"),
            (numbers == [false, true], "Float"),
        ];
        let occurring = scalars.into_iter().filter(|(occurs, _)| *occurs);
        let mut parts: Vec<String> = occurring.map(|(_, name)| name.to_owned()).collect();
        parts.extend(self.strings.text());
        if let Some(elements) = &self.arrays {
            let element = elements.text(aliases, key, depth);
            parts.push(if element == "Any" { "Array".to_owned() } else { format!("Array[{element}]") });
        }
        parts.extend(self.hashes.text(aliases, depth));
        parts.extend(self.others.iter().cloned());
        let type_ = match &parts[..] {
            [] if has_undef => return "Undef".to_owned(),
            [] => return "Any".to_owned(),
            [only] => only.clone(),
            several => format!("Variant[{}]", several.join(", ")),
        };
        if has_undef { format!("Optional[{type_}]") } else { type_ }
    }
}

impl Strings {
    fn add(&mut self, text: &str) {
        self.count += 1;
        self.has_empty |= text.is_empty();
        if self.distinct.len() <= MAX_ENUM && !self.distinct.contains(text) {
            self.distinct.insert(text.to_owned());
        }
    }

    fn text(&self) -> Option<String> {
        /// A longer string is a text, not a choice.
        const MAX_LENGTH: usize = 24;
        if self.count == 0 {
            return None;
        }
        let is_word = |text: &String| {
            !text.is_empty()
                && text.len() <= MAX_LENGTH
                && !text.contains(|letter: char| letter.is_whitespace() || letter == '/')
        };
        let recurs =
            self.distinct.len() <= MAX_ENUM && self.count >= 3 * self.distinct.len() && self.distinct.len() > 1;
        if recurs && self.distinct.iter().all(is_word) {
            let mut values: Vec<&String> = self.distinct.iter().collect();
            values.sort_unstable();
            let values: Vec<String> =
                values.into_iter().map(|text| format::program_text(&Value::from(&**text))).collect();
            return Some(format!("Enum[{}]", values.join(", ")));
        }
        Some(if self.has_empty { "String".to_owned() } else { "String[1]".to_owned() })
    }
}

impl Hashes {
    fn text(&self, aliases: &[Type], depth: usize) -> Option<String> {
        if self.count == 0 {
            return None;
        }
        if self.members.is_empty() {
            return Some("Hash".to_owned());
        }
        if !self.is_record() {
            let mut values = Shape::default();
            self.members.values().for_each(|(_, shape)| values.merge(shape));
            let key = match &self.other_keys {
                Some(keys) => {
                    let mut keys = keys.clone();
                    for name in self.members.keys() {
                        keys.strings.add(name);
                    }
                    keys.text(aliases, None, depth)
                }
                None if self.has_empty_key => "String".to_owned(),
                None => "String[1]".to_owned(),
            };
            return Some(format!("Hash[{key}, {}]", values.text(aliases, None, depth)));
        }
        let indentation = "  ".repeat(depth + 1);
        let keys: Vec<String> = self
            .members
            .iter()
            .map(|(name, (count, _))| {
                let name = format::program_text(&Value::from(&**name));
                if *count < self.count { format!("Optional[{name}]") } else { name }
            })
            .collect();
        let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or(0);
        let mut text = "Struct[{\n".to_owned();
        for (key, (name, (_, shape))) in keys.iter().zip(&self.members) {
            let key = padded(key, width);
            // OK because writing to a String cannot fail.
            let _ = writeln!(text, "{indentation}{key} => {},", shape.text(aliases, Some(name), depth + 1));
        }
        Some(format!("{text}{}}}]", "  ".repeat(depth)))
    }

    /// Whether the keys are names of members, not data: they recur, or the values of a few samples differ in kind.
    fn is_record(&self) -> bool {
        if self.other_keys.is_some() || self.members.len() > MAX_MEMBERS || self.has_empty_key {
            return false;
        }
        let is_name = |name: &String| {
            name.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_')
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | ':'))
        };
        let always = self.members.values().filter(|(count, _)| *count == self.count).count();
        let kinds: IndexSet<[bool; 5]> = self.members.values().map(|(_, shape)| shape.kind()).collect();
        let are_names = self.members.keys().all(is_name);
        if self.count == 1 {
            return are_names && (kinds.len() > 1 || self.members.len() <= 2);
        }
        let occurrences: usize = self.members.values().map(|(count, _)| count).sum();
        are_names && (always > 0 || kinds.len() > 1 && 3 * occurrences >= self.count * self.members.len())
    }
}

impl Shape {
    /// Which kinds of values occur: booleans, numbers …
    fn kind(&self) -> [bool; 5] {
        [Kinds::BOOLEAN, Kinds::NUMBER, Kinds::STRING, Kinds::ARRAY, Kinds::HASH].map(|kind| self.kinds.meet(kind))
    }

    fn merge(&mut self, other: &Shape) {
        self.kinds = self.kinds | other.kinds;
        for text in &other.strings.distinct {
            self.strings.add(text);
        }
        self.strings.count += other.strings.count - other.strings.distinct.len();
        self.strings.has_empty |= other.strings.has_empty;
        if let Some(elements) = &other.arrays {
            self.arrays.get_or_insert_default().merge(elements);
        }
        self.hashes.count += other.hashes.count;
        self.hashes.has_empty_key |= other.hashes.has_empty_key;
        if let Some(keys) = &other.hashes.other_keys {
            self.hashes.other_keys.get_or_insert_default().merge(keys);
        }
        for (name, (count, shape)) in &other.hashes.members {
            let (known, into) = self.hashes.members.entry(name.clone()).or_default();
            *known += count;
            into.merge(shape);
        }
        self.others.extend(other.others.iter().cloned());
        self.samples.extend(other.samples.iter().cloned());
    }
}

/// The alias that is called like the key, `Web::Port` for `port` and `http_port`, and accepts all that occurs.
fn alias_for(key: &str, shape: &Shape, aliases: &[Type]) -> Option<String> {
    let key = key.rsplit("::").next().unwrap_or(key).to_lowercase();
    let is_like = |name: &str| {
        let last = name.rsplit("::").next().unwrap_or(name).to_lowercase();
        key == last || key.ends_with(&format!("_{last}"))
    };
    let fits = |type_: &Type| shape.samples.iter().all(|sample| type_.has_instance(sample));
    let names = aliases.iter().filter_map(|type_| match type_ {
        Type::Alias(alias) if is_like(alias.name()) && fits(type_) => Some(alias.name()),
        _ => None,
    });
    names.min_by_key(|name| name.len()).map(str::to_owned)
}
