//! Parses YAML and JSON as Hiera does, with the location of every part. Errors have a location.
//!
//! The functions here parse strings; they read no files.

pub(crate) mod hiera;
mod json;
mod place;
mod scalar;
mod yaml;
mod yaml_repair;
mod yaml_writer;

use std::{path::Path, sync::Arc};

use crate::error::{Error, LIMIT, Result, errors};
use crate::text::Source;
use crate::value::Value;
pub(crate) use place::Entry;
pub use place::LocationTree;
pub use yaml_writer::{to_json, to_yaml};

/// The error code for valid YAML or JSON that Hiera rejects.
pub(crate) const DATA_ERROR: &str = "DATA_ERROR";

const MAX_NESTING_LEVELS: usize = 500;

/// The maximum number of nodes in a YAML document; more are an error. Nodes that an alias repeats count each time.
const MAX_DOCUMENT_NODES: usize = 10_000_000;

/// The syntax of a data file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// YAML 1.1, as Ruby reads it.
    Yaml,
    /// JSON
    Json,
}

impl Format {
    /// Returns the format for the extension of a file: `yaml`, `yml`, `eyaml` or `json`; `None` for any other.
    pub fn from_path(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "yaml" | "yml" | "eyaml" => Some(Format::Yaml),
            "json" => Some(Format::Json),
            _ => None,
        }
    }

    /// Parses a value written without quotes, such as `80` or `true`; returns `None` if it is not valid in the format.
    pub(crate) fn parse_unquoted(self, text: &str) -> Option<Value> {
        match self {
            Format::Yaml => scalar::parse_plain_scalar(text).ok(),
            Format::Json => json::parse_document(text).ok().map(|(value, ..)| value),
        }
    }
}

/// A document of YAML or JSON, or the values in a Puppet manifest, with the location of every part.
#[derive(Clone, Debug)]
pub struct Document {
    /// The source text.
    pub source: Arc<Source>,
    /// The parsed value.
    pub value: Value,
    /// The locations of the value and its parts.
    pub place: LocationTree,
    /// Warnings about valid parts that are probably mistakes, such as a duplicate key.
    pub warnings: Vec<Error>,
    /// The format of the source; `None` if it is a Puppet manifest.
    pub(crate) format: Option<Format>,
}

/// Parses a source in the given format to a value with the locations of its parts.
///
/// # Errors
/// If the source is not valid in the format, or contains something that Hiera rejects.
///
/// ```
/// use pcore::data::{Format, read};
/// use pcore::text::Source;
/// let document = read(Format::Yaml, &Source::new("data.yaml", "port: 0x50\n"))?;
/// assert_eq!(pcore::format::program_text(&document.value), "{'port' => 80}");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn read(format: Format, source: &Arc<Source>) -> Result<Document> {
    let parsed = match format {
        Format::Yaml => yaml::parse_document(source.text()),
        Format::Json => json::parse_document(source.text()),
    };
    let (value, place, warnings) = parsed.map_err(|error| error.in_source(source))?;
    let warnings = warnings.into_iter().map(|warning| warning.in_source(source)).collect();
    Ok(Document { source: source.clone(), value, place, warnings, format: Some(format) })
}

/// A value with its location, and the warnings about its parts, whose locations lack the source.
type ParsedText = (Value, LocationTree, Vec<Error>);

errors! {
    #[derive(Debug)]
    enum DataError {
        /// A syntax error, with the message of the parser.
        Syntax(message: String) => "SYNTAX_ERROR", message("{message}");
        /// `2001-01-01`
        Date => DATA_ERROR,
            message("YAML reads this as a date, which Hiera does not support"), help("quote it as a String");
        /// `:name`
        Symbol(name: String) => DATA_ERROR,
            message("YAML reads this as a Ruby symbol, which has no Puppet type"),
            help("without the colon it is a String: {name}");
        /// `9223372036854775808`
        TooLarge => DATA_ERROR,
            message("this number does not fit into a 64-bit Integer"),
            help("quote it as a String, or add a decimal point for a Float");
        /// `!ruby/object:Object {}`
        Tag(tag: String) => DATA_ERROR, message("the tag `{tag}` is not supported");
        /// `!!float x`, which is not a number
        InvalidForTag(tag: String) => DATA_ERROR, message("this is not a valid `{tag}`");
        /// `[[[[…`
        TooDeep => LIMIT, message("nested more than {MAX_NESTING_LEVELS} levels deep");
        /// More nodes than allowed, as by YAML aliases of aliases.
        TooManyNodes => LIMIT, message("more than {MAX_DOCUMENT_NODES} elements in total");
        /// `a: 1` and `a: 2`
        DuplicateKey(key: String) => "DUPLICATE_KEY", message("duplicate key {key}; the last one counts");
        /// `--- 1` and `--- 2`
        FurtherDocument => DATA_ERROR, message("another document starts here; only the first one counts");
    }
}
