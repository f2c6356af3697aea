//! Format maps: which format applies to a value.
//!
//! A map goes from types to formats. Of the entries whose type matches, the most specific one applies: the one whose
//! type the others accept. Entries of which neither accepts the other are ordered by the name of the type. The default
//! formats are also entries, unless an entry of the user covers them.

use std::borrow::Cow;
use std::sync::Arc;

use super::directive::Directive;
use super::error::FormatError;
use super::letters::Letters;
use super::program_text;
use crate::error::Result;
use crate::types::Type;
use crate::value::{Hash, Value};

/// What is done with the values of a type.
#[derive(Clone, Debug)]
pub(super) struct Format {
    /// `%(a`
    pub(super) directive: Directive,
    /// Between the elements of a container.
    pub(super) separator: Option<Arc<str>>,
    /// Between key and value of a hash.
    pub(super) separator2: Option<Arc<str>>,
    /// The formats of the elements that are no containers themselves.
    pub(super) string_formats: Map,
}

/// From types to formats.
#[derive(Clone, Debug)]
pub(super) struct Map {
    entries: Vec<(Type, Format)>,
    /// The letter for elements of a container of which the entries say nothing.
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

/// The formats of numbers and containers where no map is given, the most specific first. Names of rows of the types.
const DEFAULTS: &[(&str, char)] = &[("Float", 'f'), ("Numeric", 'd'), ("Array", 'a'), ("Hash", 'h')];

impl Map {
    /// Reads the second argument of `String.new`, for a first one like `value`.
    pub(super) fn read(formats: &Value, value: &Value) -> Result<Map> {
        match formats {
            Value::Default => Ok(Map::default()),
            Value::String(format) => {
                // The format is for values of the same kind, inside too.
                let kind = match value {
                    Value::Array(_) | Value::Iterator(_) => named("Array"),
                    Value::Hash(_) => named("Hash"),
                    _ => Type::any(),
                };
                Ok(Map { entries: vec![(kind, Directive::parse(format)?.into())], ..Map::default() })
            }
            Value::Hash(entries) => Map::read_entries(entries, |type_, format| match format {
                Value::String(format) => Ok(Directive::parse(format)?.into()),
                Value::Hash(settings) => container_format(type_, settings),
                other => Err(no_formats(other)),
            }),
            other => Err(no_formats(other)),
        }
    }

    fn read_entries(entries: &Hash, read: impl Fn(&Type, &Value) -> Result<Format>) -> Result<Map> {
        let entry = |(type_, format): (&Value, &Value)| match type_ {
            Value::Type(type_) => Ok((type_.clone(), read(type_, format)?)),
            other => Err(FormatError::NoTypeOfFormat { got: program_text(other) }.into()),
        };
        Ok(Map { entries: entries.iter().map(entry).collect::<Result<_>>()?, ..Map::default() })
    }

    /// The format of a value that is not an element of a container, or is a container.
    pub(super) fn format_of(&self, value: &Value) -> Cow<'_, Format> {
        let Some((type_, format)) = self.most_specific(value) else {
            return unmapped(Letters::of(value).map_or('s', |letters| letters.default));
        };
        let mut uncovered = DEFAULTS.iter().filter_map(|&(name, letter)| {
            let default = named(name);
            (default.has_instance(value) && !self.covers(&default, value)).then_some((default, letter))
        });
        match uncovered.next() {
            Some((default, letter)) if comes_before(&default, type_) => unmapped(letter),
            Some(_) | None => Cow::Borrowed(format),
        }
    }

    /// The format of an element that is not a container.
    pub(super) fn format_of_element(&self, value: &Value) -> Cow<'_, Format> {
        self.most_specific(value).map_or_else(|| unmapped(self.otherwise), |(_, format)| Cow::Borrowed(format))
    }

    fn most_specific(&self, value: &Value) -> Option<&(Type, Format)> {
        let fitting = self.entries.iter().filter(|(type_, _)| type_.has_instance(value));
        fitting.reduce(|best, entry| if comes_before(&entry.0, &best.0) { entry } else { best })
    }

    /// Whether an entry for `value` accepts the type `default` altogether.
    fn covers(&self, default: &Type, value: &Value) -> bool {
        self.entries.iter().any(|(type_, _)| type_.has_instance(value) && type_.accepts(default))
    }
}

/// The format of a value that the map says nothing of.
fn unmapped(letter: char) -> Cow<'static, Format> {
    Cow::Owned(Directive::plain(letter).into())
}

/// Whether a value of both types goes by the first.
///
/// Observed: Puppet 8.11 sorts its entries with a comparison that can go in circles, so that `Tuple[Integer]` comes
/// behind `Array` where nothing else is in the map.
/// Deviation: the more specific of two types always comes first, as the specification says.
fn comes_before(a: &Type, b: &Type) -> bool {
    match (b.accepts(a), a.accepts(b)) {
        (true, false) => true,
        (false | true, true) => false,
        (false, false) => match (a, b) {
            (Type::Integer(_), Type::Integer(_)) | (Type::Float(_), Type::Float(_)) => a.to_string() < b.to_string(),
            _ => a.name() < b.name(),
        },
    }
}

/// `{'format' => '%(a', 'separator' => ';', 'string_formats' => {Integer => '%x'}}` as the format of `type_`.
///
/// Observed: Puppet 7.23 adds the formats that hold where none are given, `%p` for every element, to those that the user
/// gives for `Array` and `Hash` alone; in those for any other type, elements that no entry fits go by `%s`.
fn container_format(type_: &Type, settings: &Hash) -> Result<Format> {
    let mut format = None;
    let (mut separator, mut separator2, mut string_formats) = (None, None, Map::default());
    for (key, setting) in settings.iter() {
        match key {
            Value::String(key) => match &**key {
                "format" => format = Some(Directive::parse(&text_setting("format", setting)?)?),
                "separator" => separator = Some(text_setting("separator", setting)?),
                "separator2" => separator2 = Some(text_setting("separator2", setting)?),
                "string_formats" => {
                    let has_defaults = *type_ == named("Array") || *type_ == named("Hash");
                    string_formats = element_formats(setting)?;
                    string_formats.otherwise = if has_defaults { 'p' } else { 's' };
                }
                _ => return Err(FormatError::UnknownKey { key: format!("'{key}'") }.into()),
            },
            other => return Err(FormatError::UnknownKey { key: program_text(other) }.into()),
        }
    }
    let directive = format.ok_or(FormatError::MissingFormat)?;
    Ok(Format { directive, separator, separator2, string_formats })
}

fn text_setting(key: &'static str, setting: &Value) -> Result<Arc<str>> {
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
    Map::read_entries(entries, |_, format| match format {
        Value::String(format) => Ok(Directive::parse(format)?.into()),
        other => Err(wrong("a format for each type", other).into()),
    })
}

fn no_formats(got: &Value) -> crate::error::Error {
    FormatError::NoFormats { got: program_text(got) }.into()
}

fn named(name: &str) -> Type {
    Type::named(name).expect("the table of types has a row of this name")
}
