//! The user's configuration: settings in `config.toml`, and `init.pp`, which is run when the prompt starts.
//!
//! Nothing is read from the working directory, so that entering somebody else's directory runs no code.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use pcore::session::{Console, settings};
use pcore::text::{Source, Span};
use toml::de::{DeTable, DeValue};

use super::{Error, input};

const SETTINGS_FILE_NAME: &str = "config.toml";

pub(super) const INIT_FILE_NAME: &str = "init.pp";

pub(super) fn config_directory() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("pcore"))
}

pub(super) fn init_file_path(folder: &Path) -> Option<String> {
    let path = folder.join(INIT_FILE_NAME);
    path.is_file().then(|| path.display().to_string())
}

/// Applies `config.toml` in `folder` to `session`. Returns an error for each invalid setting; the others are applied.
pub(super) fn apply_config_file(folder: &Path, session: &mut Console) -> Vec<Error> {
    let path = folder.join(SETTINGS_FILE_NAME);
    session.settings_file = Some(path.display().to_string());
    if !path.exists() {
        return Vec::new();
    }
    input::read_source(&path)
        .map_or_else(|message| vec![Error::runtime(message)], |source| apply_toml_settings(&source, session))
}

fn apply_toml_settings(source: &Arc<Source>, session: &mut Console) -> Vec<Error> {
    let (table, wrong) = DeTable::parse_recoverable(source.text());
    let not_toml = wrong.iter().map(|error| (error.span().unwrap_or_default(), error.message()));
    let mut problems: Vec<Error> =
        not_toml.map(|(span, message)| settings_error(source, span, format!("not TOML: {message}"))).collect();
    // A missing value is reported already.
    for (name, value) in table.get_ref().iter().filter(|(_, value)| !value.span().is_empty()) {
        let set = match value.get_ref() {
            DeValue::String(text) => session.change_setting(name.get_ref(), text),
            DeValue::Integer(number) => session.change_setting(name.get_ref(), number.as_str()),
            _ => settings::find_setting(name.get_ref()).and_then(|row| {
                let written = source.slice(Span::new(value.span().start, value.span().end));
                Err(format!("`{}` is {}, got {written}", row.name, row.values.describe()))
            }),
        };
        if let Err(message) = set {
            let known = settings::find_setting(name.get_ref()).is_ok();
            problems.push(settings_error(source, if known { value.span() } else { name.span() }, message));
        }
    }
    problems.sort_by_key(|problem| problem.span().map(|span| span.start));
    problems
}

fn settings_error(source: &Arc<Source>, span: std::ops::Range<usize>, message: String) -> Error {
    Error::runtime(message).at(Span::new(span.start, span.end)).in_source(source)
}

#[cfg(test)]
#[path = "../../tests/unit/cli/config.rs"]
mod tests;
