//! Parsers for the values of command-line options.

use std::path::{Path, PathBuf};
use std::{env, ffi::OsStr};

use clap::Arg;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use pcore::check::RULES;
use pcore::data::{self, Format};
use pcore::limits::{self, Limit};
use pcore::session::settings::EnumSetting;
use pcore::types::{self, Type};
use pcore::value::{Hash, Value};
use pcore::wording::nearest;

use super::findings::{FORMATS, ReportFormat as FindingsFormat};
use super::input;

pub(super) fn setting_parser<W: EnumSetting + Send + Sync>() -> impl TypedValueParser<Value = W> {
    let words = W::WORDS.iter().map(|(word, _, meaning)| PossibleValue::new(*word).help(*meaning));
    PossibleValuesParser::new(words).try_map(|word| W::from_word(&word).ok_or("unknown word"))
}

/// Parser of options that are a type: accepts any string, and completes the names of the built-in types.
#[derive(Clone)]
pub(super) struct TypeOptionParser;

impl TypedValueParser for TypeOptionParser {
    type Value = String;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&Arg>, text: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(types::nameable_type_rows().map(|row| PossibleValue::new(row.name))))
    }
}

pub(super) fn findings_format_parser() -> impl TypedValueParser<Value = &'static FindingsFormat> {
    let names = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.summary));
    PossibleValuesParser::new(names)
        .try_map(|name| FORMATS.iter().find(|format| format.name == name).ok_or("unknown format"))
}

pub(super) fn read_data_files(path: &str) -> Result<(PathBuf, Vec<Hash>), String> {
    let files = input::data_files_below(Path::new(path))?;
    let layers = files.iter().map(|file| read_data_file(&file.to_string_lossy()));
    Ok((path.into(), layers.collect::<Result<_, String>>()?))
}

/// Reads the hash in a YAML or JSON file; an empty file is an empty hash.
pub(super) fn read_data_file(path: &str) -> Result<Hash, String> {
    let path = Path::new(path);
    let Some(format) = Format::from_path(path) else {
        return Err("expected a file name ending in .yaml, .yml or .json".to_owned());
    };
    let document = data::read(format, &input::read_source(path)?).map_err(|error| match error.position() {
        Some(position) => format!("line {}, column {}: {error}", position.line, position.column),
        None => error.to_string(),
    })?;
    match document.value {
        Value::Hash(entries) => Ok(entries),
        Value::Undef => Ok(Hash::default()),
        other => Err(format!("expected a hash, got a value of type {}", Type::of(&other))),
    }
}

pub(super) type Directories = Vec<PathBuf>;

pub(super) fn parse_directories(list: &str) -> Result<Directories, String> {
    let mut directories: Directories = env::split_paths(list).collect();
    directories.retain(|directory| !directory.as_os_str().is_empty());
    match directories.iter().find(|directory| !directory.is_dir()) {
        Some(missing) => Err(format!("`{}` is not a directory", missing.display())),
        None => Ok(directories),
    }
}

/// Parses the value of `--limit`, such as `elements=1000` or `memory=100M`.
pub(super) fn parse_limit(written: &str) -> Result<(Limit, u64), String> {
    let (name, number) = written.split_once('=').ok_or("expected NAME=NUMBER")?;
    let names = || limits::TABLE.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    let row = limits::TABLE.iter().find(|row| row.name == name);
    let row = row.ok_or_else(|| format!("unknown limit `{name}`; limits are {}", names()))?;
    let quantity = limits::parse_quantity(number).ok_or_else(|| format!("`{number}` is not a number"))?;
    Ok((row.limit, quantity))
}

pub(super) fn parse_lint_rule_name(name: &str) -> Result<String, String> {
    let mut known = RULES.iter().map(|rule| rule.id);
    let near = nearest(name, known.clone()).map(|near| format!("; did you mean {near}?"));
    let problem = || format!("unknown rule {name}{}", near.unwrap_or_default());
    known.any(|rule| rule == name).then(|| name.to_owned()).ok_or_else(problem)
}

pub(super) fn lint_help() -> String {
    let rules = RULES.iter().map(|rule| format!("\n  {:<26}{}", rule.id, rule.summary));
    let head = "Also report what is allowed and most likely not meant: all RULES, or those named, as in --lint=line-anchor. \
         pcore.toml in the project's directory can turn rules on and off; `# pcore:ignore RULE` silences one in a line.\n\nRules:";
    rules.fold(head.to_owned(), |help, rule| help + &rule)
}
