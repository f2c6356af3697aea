//! Format maps: which format of `String.new` applies to a value.
//!
//! A format map maps types to formats. Among the entries whose type accepts the value, the most specific type wins: the
//! one that the other types accept. Entries of which neither type accepts the other are sorted by the name of the type.
//! The default formats are entries as well, unless the type of a user's entry accepts theirs.

use std::sync::{Arc, LazyLock};
use std::{borrow::Cow, cmp::Ordering};

use super::{directive::Directive, error::FormatError, program_text};
use crate::error::Result;
use crate::types::Type;
use crate::value::{EcoString, Hash, Object, Value};

#[derive(Clone, Debug)]
pub(super) struct ValueFormat {
    pub(super) directive: Directive,
    pub(super) separator: Option<EcoString>,
    pub(super) separator2: Option<EcoString>,
    /// The formats for elements of a container that are not arrays, hashes or Objects.
    pub(super) string_formats: FormatMap,
}

#[derive(Clone, Debug)]
pub(super) struct FormatMap {
    entries: Vec<(Type, ValueFormat)>,
    /// The format letter for values that no entry accepts.
    default_letter: char,
}

impl Default for FormatMap {
    fn default() -> FormatMap {
        FormatMap { entries: Vec::new(), default_letter: 'p' }
    }
}

impl From<Directive> for ValueFormat {
    fn from(directive: Directive) -> ValueFormat {
        ValueFormat { directive, separator: None, separator2: None, string_formats: FormatMap::default() }
    }
}

const DEFAULT_LETTERS: [(&str, char); 7] =
    [("Object", 'p'), ("Float", 'f'), ("Numeric", 'd'), ("Array", 'a'), ("Hash", 'h'), ("Binary", 'B'), ("Any", 's')];

static USUAL: LazyLock<FormatMap> = LazyLock::new(|| {
    let entry = |(name, letter)| {
        let string_formats =
            FormatMap { default_letter: if matches!(letter, 'a' | 'h') { 'p' } else { 's' }, ..FormatMap::default() };
        (Type::built_in_type(name), ValueFormat { string_formats, ..Directive::from_letter(letter).into() })
    };
    FormatMap { entries: DEFAULT_LETTERS.map(entry).into(), default_letter: 's' }
});

impl FormatMap {
    /// Parses `formats`, the second argument of `String.new`, into the format map for its first argument `value`.
    pub(super) fn from_argument(formats: &Value, value: &Value) -> Result<FormatMap> {
        match formats {
            Value::Default => Ok(USUAL.clone()),
            Value::String(format) => {
                let format = ValueFormat::from(Directive::parse(format)?);
                // The format is for values of the same kind, inside too.
                let kind = match value {
                    Value::Array(_) => Type::built_in_type("Array"),
                    Value::Hash(_) => Type::built_in_type("Hash"),
                    // Observed: Puppet 7.23 has no format for iterators and for Objects whose type has parameters.
                    Value::Iterator(_) => return Ok(USUAL.clone()),
                    Value::Object(object) if has_type_parameters(object) => return Ok(USUAL.clone()),
                    _ => return Ok(FormatMap { entries: vec![(Type::any(), format)], default_letter: 's' }),
                };
                Ok(FormatMap { entries: vec![(kind, format)], ..FormatMap::default() }.with_defaults(&USUAL))
            }
            Value::Hash(entries) => {
                let given = FormatMap::parse_entries(entries, |format| match format {
                    Value::String(format) => Ok(Directive::parse(format)?.into()),
                    Value::Hash(settings) => parse_container_format(settings),
                    other => Err(invalid_formats_error(other)),
                });
                Ok(given?.with_defaults(&USUAL))
            }
            other => Err(invalid_formats_error(other)),
        }
    }

    fn parse_entries(entries: &Hash, read: impl Fn(&Value) -> Result<ValueFormat>) -> Result<FormatMap> {
        let entry = |(type_, format): (&Value, &Value)| match type_ {
            Value::Type(type_) => Ok((type_.clone(), read(format)?)),
            other => Err(FormatError::NoTypeOfFormat { got: program_text(other) }.into()),
        };
        Ok(FormatMap { entries: entries.iter().map(entry).collect::<Result<_>>()?, ..FormatMap::default() })
    }

    /// Adds the entries of `usual` whose types no entry of this map accepts, and sorts the result. If both maps have an
    /// entry for the same type, that of this map is used.
    ///
    /// Observed: Puppet 8.10. Elements of an Array or Hash that no entry of its `string_formats` accepts have the
    /// format `%p`, unless a more general entry covers the Array or Hash: `{Array => {…}, Any => '%p'}`.
    fn with_defaults(self, usual: &FormatMap) -> FormatMap {
        let mut given = self.entries;
        let is_covered = |type_: &Type| given.iter().any(|(given, _)| given != type_ && given.accepts(type_));
        let mut entries: Vec<_> = usual.entries.iter().filter(|(type_, _)| !is_covered(type_)).cloned().collect();
        for (type_, format) in &mut entries {
            if let Some(at) = given.iter().position(|(given, _)| given == type_) {
                let otherwise = format.string_formats.default_letter;
                *format = given.remove(at).1;
                if otherwise == 'p' {
                    format.string_formats.default_letter = otherwise;
                }
            }
        }
        entries.extend(given);
        FormatMap { entries: sort_entries(entries), default_letter: usual.default_letter }
    }

    pub(super) fn format_of_value(&self, value: &Value) -> Cow<'_, ValueFormat> {
        let of_type = matches!(value, Value::Type(_)).then(|| Type::of(value));
        let entry = self.entries.iter().find(|(type_, _)| match (&of_type, type_) {
            (_, Type::Any(_)) => true,
            // A type is an instance of Object as well, but its type is not below it.
            (Some(_), Type::Float(_) | Type::Numeric(_) | Type::Array(_) | Type::Hash(_) | Type::Binary(_)) => false,
            (Some(of_type), _) => type_.accepts(of_type),
            (None, _) => type_.has_instance(value) || accepts_inferred_type(type_, value),
        });
        let otherwise = || Cow::Owned(Directive::from_letter(self.default_letter).into());
        entry.map_or_else(otherwise, |(_, format)| Cow::Borrowed(format))
    }
}

/// Whether `type_` accepts the inferred type of `value`, for the types that may do so without `value` as an instance:
/// bare `Enum`, which has no instances, accepts the type of every String. Returns false for all other types.
fn accepts_inferred_type(type_: &Type, value: &Value) -> bool {
    let may_be = match type_ {
        Type::Enum(_) => matches!(value, Value::String(_)),
        Type::Iterable(_) => matches!(value, Value::Integer(_)),
        Type::Array(_) | Type::Tuple(_) => matches!(value, Value::Array(_)),
        Type::Hash(_) | Type::Struct(_) => matches!(value, Value::Hash(_)),
        Type::Optional(_) | Type::NotUndef(_) | Type::Variant(_) | Type::Alias(_) => true,
        _ => false,
    };
    may_be && type_.accepts(&Type::of(value))
}

/// Whether the inferred type of `object` has type parameters that depend on the instance, as in `Error['kind']`.
pub(super) fn has_type_parameters(object: &Object) -> bool {
    matches!(&Type::of(&Value::Object(Arc::new(object.clone()))), type_ @ Type::Object(_) if !type_.arguments().is_empty())
}

/// Sorts by [`compare_types`]. Observed: Puppet's order is not transitive, so the algorithm matters: a merge sort.
fn sort_entries(mut entries: Vec<(Type, ValueFormat)>) -> Vec<(Type, ValueFormat)> {
    if entries.len() < 2 {
        return entries;
    }
    let second = sort_entries(entries.split_off(entries.len() / 2));
    let (mut first, mut second) = (sort_entries(entries).into_iter().peekable(), second.into_iter().peekable());
    let mut merged = Vec::new();
    while let (Some((a, _)), Some((b, _))) = (first.peek(), second.peek()) {
        let next = if compare_types(a, b) == Ordering::Greater { second.next() } else { first.next() };
        merged.extend(next);
    }
    merged.extend(first);
    merged.extend(second);
    merged
}

/// Compares two types for sorting: the more specific one first, then by [`type_rank`], then alphabetically.
fn compare_types(a: &Type, b: &Type) -> Ordering {
    match (b.accepts(a), a.accepts(b)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => match (type_rank(a), type_rank(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => a.to_string().cmp(&b.to_string()),
        },
    }
}

/// Returns the sort rank of a type (lower is earlier), or `None` if it is sorted by its name. Observed: Puppet 7.23.
fn type_rank(type_: &Type) -> Option<u8> {
    match type_ {
        Type::Struct(_) => Some(1),
        Type::Hash(_) => Some(2),
        Type::Tuple(_) => Some(3),
        Type::Array(_) => Some(4),
        Type::Pattern(_) => Some(10),
        Type::Enum(_) => Some(11),
        Type::String(_) => Some(12),
        _ => None,
    }
}

/// Parses `{'format' => '%(a', 'separator' => ';', 'string_formats' => {Integer => '%x'}}`, the format of a container.
fn parse_container_format(settings: &Hash) -> Result<ValueFormat> {
    let mut format = None;
    let (mut separator, mut separator2, mut string_formats) = (None, None, FormatMap::default());
    for (key, setting) in settings.iter() {
        match key.as_str() {
            Some("format") => format = Some(Directive::parse(&parse_string_setting("format", setting)?)?),
            Some("separator") => separator = Some(parse_string_setting("separator", setting)?),
            Some("separator2") => separator2 = Some(parse_string_setting("separator2", setting)?),
            Some("string_formats") => {
                let none = FormatMap { default_letter: 's', ..FormatMap::default() };
                string_formats = parse_string_formats(setting)?.with_defaults(&none);
            }
            _ => return Err(FormatError::UnknownKey { key: program_text(key) }.into()),
        }
    }
    let directive = format.ok_or(FormatError::MissingFormat)?;
    Ok(ValueFormat { directive, separator, separator2, string_formats })
}

fn parse_string_setting(key: &'static str, setting: &Value) -> Result<EcoString> {
    match setting {
        Value::String(text) => Ok(text.clone()),
        other => Err(FormatError::WrongValue { key, expected: "a string", got: program_text(other) }.into()),
    }
}

fn parse_string_formats(setting: &Value) -> Result<FormatMap> {
    let wrong = |expected: &'static str, got: &Value| FormatError::WrongValue {
        key: "string_formats",
        expected,
        got: program_text(got),
    };
    let Value::Hash(entries) = setting else {
        return Err(wrong("a hash from types to formats", setting).into());
    };
    FormatMap::parse_entries(entries, |format| match format {
        Value::String(format) => Ok(Directive::parse(format)?.into()),
        other => Err(wrong("a format for each type", other).into()),
    })
}

fn invalid_formats_error(got: &Value) -> crate::error::Error {
    FormatError::NoFormats { got: program_text(got) }.into()
}
