//! Format maps: which format applies to a value.
//!
//! A map goes from types to formats. Of the entries whose type matches, the most specific one applies: the one whose
//! type the others accept. Entries of which neither accepts the other are ordered by the name of the type. The default
//! formats are also entries, unless an entry of the user covers them.

use std::sync::{Arc, LazyLock};
use std::{borrow::Cow, cmp::Ordering};

use super::{directive::Directive, error::FormatError, program_text};
use crate::error::Result;
use crate::types::Type;
use crate::value::{EcoString, Hash, Object, Value};

#[derive(Clone, Debug)]
pub(super) struct Format {
    pub(super) directive: Directive,
    pub(super) separator: Option<EcoString>,
    pub(super) separator2: Option<EcoString>,
    /// The formats of those elements of a container that are not containers themselves.
    pub(super) string_formats: Map,
}

#[derive(Clone, Debug)]
pub(super) struct Map {
    entries: Vec<(Type, Format)>,
    /// The letter for values that no entry accepts.
    otherwise: char,
}

impl Default for Map {
    fn default() -> Map {
        Map { entries: Vec::new(), otherwise: 'p' }
    }
}

impl From<Directive> for Format {
    fn from(directive: Directive) -> Format {
        Format { directive, separator: None, separator2: None, string_formats: Map::default() }
    }
}

/// The default formats: names of types, and their letters.
const DEFAULTS: [(&str, char); 7] =
    [("Object", 'p'), ("Float", 'f'), ("Numeric", 'd'), ("Array", 'a'), ("Hash", 'h'), ("Binary", 'B'), ("Any", 's')];

static USUAL: LazyLock<Map> = LazyLock::new(|| {
    let entry = |(name, letter)| {
        let string_formats = Map { otherwise: if matches!(letter, 'a' | 'h') { 'p' } else { 's' }, ..Map::default() };
        (Type::built_in(name), Format { string_formats, ..Directive::plain(letter).into() })
    };
    Map { entries: DEFAULTS.map(entry).into(), otherwise: 's' }
});

impl Map {
    /// Parses `formats`, the second argument of `String.new`, for a first argument `value`.
    pub(super) fn of(formats: &Value, value: &Value) -> Result<Map> {
        match formats {
            Value::Default => Ok(USUAL.clone()),
            Value::String(format) => {
                let directive = Directive::parse(format)?;
                let format = Format { directive, ..Format::from(Directive::plain('p')) };
                // The format is for values of the same kind, inside too.
                let kind = match value {
                    Value::Array(_) => Type::built_in("Array"),
                    Value::Hash(_) => Type::built_in("Hash"),
                    // Observed: Puppet 7.23 has no format for iterators and for Objects whose type has parameters.
                    Value::Iterator(_) => return Ok(USUAL.clone()),
                    Value::Object(object) if has_type_parameters(object) => return Ok(USUAL.clone()),
                    _ => return Ok(Map { entries: vec![(Type::any(), format)], otherwise: 's' }),
                };
                Ok(Map { entries: vec![(kind, format)], ..Map::default() }.over(&USUAL))
            }
            Value::Hash(entries) => {
                let given = Map::read_entries(entries, |format| match format {
                    Value::String(format) => Ok(Directive::parse(format)?.into()),
                    Value::Hash(settings) => container_format(settings),
                    other => Err(no_formats(other)),
                });
                Ok(given?.over(&USUAL))
            }
            other => Err(no_formats(other)),
        }
    }

    fn read_entries(entries: &Hash, read: impl Fn(&Value) -> Result<Format>) -> Result<Map> {
        let entry = |(type_, format): (&Value, &Value)| match type_ {
            Value::Type(type_) => Ok((type_.clone(), read(format)?)),
            other => Err(FormatError::NoTypeOfFormat { got: program_text(other) }.into()),
        };
        Ok(Map { entries: entries.iter().map(entry).collect::<Result<_>>()?, ..Map::default() })
    }

    /// Adds the entries of `usual` whose types no entry of this map accepts, and sorts all. An entry for the same type
    /// replaces the usual one.
    ///
    /// Observed: Puppet 8.10. The formats for the elements of an Array or a Hash include `%p` for those that no entry fits
    /// only if no other entry covers the Array or Hash: `{Array => {…}, Any => '%p'}` does.
    fn over(self, usual: &Map) -> Map {
        let mut given = self.entries;
        let is_covered = |type_: &Type| given.iter().any(|(given, _)| given != type_ && given.accepts(type_));
        let mut entries: Vec<_> = usual.entries.iter().filter(|(type_, _)| !is_covered(type_)).cloned().collect();
        for (type_, format) in &mut entries {
            if let Some(at) = given.iter().position(|(given, _)| given == type_) {
                let otherwise = format.string_formats.otherwise;
                *format = given.remove(at).1;
                if otherwise == 'p' {
                    format.string_formats.otherwise = otherwise;
                }
            }
        }
        entries.extend(given);
        Map { entries: sorted(entries), otherwise: usual.otherwise }
    }

    /// The format of a value: that of the first entry whose type accepts it.
    pub(super) fn format_of(&self, value: &Value) -> Cow<'_, Format> {
        let of_type = matches!(value, Value::Type(_)).then(|| Type::of(value));
        let entry = self.entries.iter().find(|(type_, _)| match (&of_type, type_) {
            (_, Type::Any(_)) => true,
            // A type is an instance of Object as well, but its type is not below it.
            (Some(_), Type::Float(_) | Type::Numeric(_) | Type::Array(_) | Type::Hash(_) | Type::Binary(_)) => false,
            (Some(of_type), _) => type_.accepts(of_type),
            (None, _) => type_.has_instance(value) || is_above(type_, value),
        });
        entry.map_or_else(|| Cow::Owned(Directive::plain(self.otherwise).into()), |(_, format)| Cow::Borrowed(format))
    }
}

/// Whether `type_` accepts the inferred type of `value`, as Puppet asks: `Enum` accepts the type of every String.
fn is_above(type_: &Type, value: &Value) -> bool {
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

/// Whether the type of the object has type parameters that depend on the instance: `Error['kind']`.
pub(super) fn has_type_parameters(object: &Object) -> bool {
    matches!(&Type::of(&Value::Object(Arc::new(object.clone()))), type_ @ Type::Object(_) if !type_.arguments().is_empty())
}

/// The entries in the order in which they are tried.
///
/// Observed: Puppet sorts by a comparison that is not transitive, so the algorithm matters: a merge sort by halves.
/// sorted and merged.
fn sorted(mut entries: Vec<(Type, Format)>) -> Vec<(Type, Format)> {
    if entries.len() < 2 {
        return entries;
    }
    let second = sorted(entries.split_off(entries.len() / 2));
    let (mut first, mut second) = (sorted(entries).into_iter().peekable(), second.into_iter().peekable());
    let mut merged = Vec::new();
    while let (Some((a, _)), Some((b, _))) = (first.peek(), second.peek()) {
        let next = if order(a, b) == Ordering::Greater { second.next() } else { first.next() };
        merged.extend(next);
    }
    merged.extend(first);
    merged.extend(second);
    merged
}

/// Orders the more specific of two types first, then by rank, then alphabetically.
fn order(a: &Type, b: &Type) -> Ordering {
    match (b.accepts(a), a.accepts(b)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => match (rank(a), rank(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => a.to_string().cmp(&b.to_string()),
        },
    }
}

/// The rank of a type in the order of a format map; `None` if types are ordered by name. Observed: Puppet 7.23.
fn rank(type_: &Type) -> Option<u8> {
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

/// Parses `{'format' => '%(a', 'separator' => ';', 'string_formats' => {Integer => '%x'}}`. Other elements use `%s`.
fn container_format(settings: &Hash) -> Result<Format> {
    let mut format = None;
    let (mut separator, mut separator2, mut string_formats) = (None, None, Map::default());
    for (key, setting) in settings.iter() {
        match key.as_str() {
            Some("format") => format = Some(Directive::parse(&text_setting("format", setting)?)?),
            Some("separator") => separator = Some(text_setting("separator", setting)?),
            Some("separator2") => separator2 = Some(text_setting("separator2", setting)?),
            Some("string_formats") => {
                let none = Map { otherwise: 's', ..Map::default() };
                string_formats = element_formats(setting)?.over(&none);
            }
            _ => return Err(FormatError::UnknownKey { key: program_text(key) }.into()),
        }
    }
    let directive = format.ok_or(FormatError::MissingFormat)?;
    Ok(Format { directive, separator, separator2, string_formats })
}

fn text_setting(key: &'static str, setting: &Value) -> Result<EcoString> {
    match setting {
        Value::String(text) => Ok(text.clone()),
        other => Err(FormatError::WrongValue { key, expected: "a string", got: program_text(other) }.into()),
    }
}

fn element_formats(setting: &Value) -> Result<Map> {
    let wrong = |expected: &'static str, got: &Value| FormatError::WrongValue {
        key: "string_formats",
        expected,
        got: program_text(got),
    };
    let Value::Hash(entries) = setting else {
        return Err(wrong("a hash from types to formats", setting).into());
    };
    Map::read_entries(entries, |format| match format {
        Value::String(format) => Ok(Directive::parse(format)?.into()),
        other => Err(wrong("a format for each type", other).into()),
    })
}

fn no_formats(got: &Value) -> crate::error::Error {
    FormatError::NoFormats { got: program_text(got) }.into()
}
