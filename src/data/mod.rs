//! Parses data as Hiera does: YAML and JSON, with the location of every part.
//!
//! It parses strings and reads no files. Errors have a location.

pub(crate) mod hiera;
mod json;
pub(crate) mod json_match;
mod json_values;
mod place;
mod scalar;
mod yaml;
mod yaml_indentation;

use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::text::Source;
use crate::value::Value;
pub(crate) use place::Entry;
pub use place::Place;

/// How deep arrays and hashes may be nested.
const MAX_NESTING_LEVELS: usize = 500;

/// How many parts data may have, those that an alias repeats counted each time.
const MAX_PARTS: usize = 10_000_000;

/// What a string is written in.
/// ```
/// use pcore::data::Format;
/// assert_eq!(Format::of_path("common.yaml".as_ref()), Some(Format::Yaml));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// YAML 1.1, as Ruby reads it.
    Yaml,
    /// JSON
    Json,
}

impl Format {
    /// The format by the extension of a file: `yaml`, `yml`, `eyaml`, `json`.
    ///
    /// ```
    /// use pcore::data::Format;
    /// assert_eq!(Format::of_path("data/common.yaml".as_ref()), Some(Format::Yaml));
    /// assert_eq!(Format::of_path("site.pp".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "yaml" | "yml" | "eyaml" => Some(Format::Yaml),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

/// A string that was read.
/// ```
/// use pcore::{data::{Format, read}, text::Source};
/// let document = read(Format::Json, &Source::new("ports.json", "[80, 443]"))?;
/// assert_eq!(document.value, vec![80, 443].into());
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    /// The text.
    pub source: Arc<Source>,
    /// What it says.
    pub value: Value,
    /// Where its parts stand.
    pub place: Place,
    /// What is allowed, and most likely a mistake: a key that is given twice.
    pub warnings: Vec<Error>,
    /// What a string would be without its quotes; `None` if quotes are not what makes a text of it.
    pub(crate) plain: Option<fn(&str) -> Option<Value>>,
}

/// Reads a string.
///
/// # Errors
/// The text is not of the format, or says something that Hiera rejects.
///
/// ```
/// use pcore::data::{Format, read};
/// use pcore::text::Source;
/// let document = read(Format::Yaml, &Source::new("data.yaml", "port: 0x50\n"))?;
/// assert_eq!(pcore::format::program_text(&document.value), "{'port' => 80}");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn read(format: Format, source: &Arc<Source>) -> Result<Document> {
    match format {
        Format::Yaml => yaml::read(source),
        Format::Json => json::read(source),
    }
    .map_err(|error| error.in_source(source))
}

/// Why a string cannot be read.
#[derive(Debug)]
enum DataError {
    /// The format's own rules are broken, in the words of its reader.
    Syntax(String),
    /// `2001-01-01`
    Date,
    /// `:name`
    Symbol(String),
    /// `9223372036854775808`
    TooLarge,
    /// `!ruby/object:Object {}`
    Tag(String),
    /// `!!float x`
    NotOfTag(String),
    /// `[[[[…`
    TooDeep,
    /// Aliases of aliases of aliases.
    TooMany,
    /// `a: 1` and `a: 2`
    Twice(String),
    /// `--- 1` and `--- 2`
    FurtherDocument,
}

impl Kind for DataError {
    fn code(&self) -> &'static str {
        match self {
            DataError::Syntax(_) => "SYNTAX_ERROR",
            DataError::TooDeep | DataError::TooMany => "LIMIT",
            DataError::Twice(_) => "DUPLICATE_KEY",
            DataError::TooLarge
            | DataError::Date
            | DataError::Symbol(_)
            | DataError::Tag(_)
            | DataError::NotOfTag(_)
            | DataError::FurtherDocument => crate::error::RUNTIME_ERROR,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            DataError::Date => Some("quote it as a String".to_owned()),
            DataError::Symbol(name) => Some(format!("without the colon it is a String: {name}")),
            DataError::TooLarge => Some("quote it as a String, or add a decimal point for a Float".to_owned()),
            _ => None,
        }
    }
}

impl std::fmt::Display for DataError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DataError::Syntax(message) => f.write_str(message),
            DataError::Date => f.write_str("YAML reads this as a date, which Hiera does not support"),
            DataError::Symbol(_) => f.write_str("YAML reads this as a Ruby symbol, which has no Puppet type"),
            DataError::TooLarge => f.write_str("this number does not fit into a 64-bit Integer"),
            DataError::Tag(tag) => write!(f, "the tag `{tag}` is not supported"),
            DataError::NotOfTag(tag) => write!(f, "this is not a valid `{tag}`"),
            DataError::TooDeep => write!(f, "nested more than {MAX_NESTING_LEVELS} levels deep"),
            DataError::TooMany => write!(f, "more than {MAX_PARTS} elements in total"),
            DataError::Twice(key) => write!(f, "duplicate key {key}; the last one counts"),
            DataError::FurtherDocument => f.write_str("another document starts here; only the first one counts"),
        }
    }
}
