//! Reads `pcore.toml` in the directory of a project: the lint rules to enable, and interfaces of uninstalled modules.
//!
//! ```toml
//! [lint]
//! line-anchor = true
//! unused-alias = false
//! all = true
//!
//! [check]
//! index = ["index.json"]
//! ```

use std::path::{Path, PathBuf};

use pcore::check::{RULES, Rule};
use pcore::value::{Hash, Value};
use toml::de::DeTable;

use super::{data_file, input, option_values::parse_lint_rule_name};

/// Returns the lint rules that `--lint` names (`given`) or, without names, those that `--lint` or `pcore.toml` enables.
pub(super) fn enabled_rules(given: Option<&[String]>, root: Option<&Path>) -> Result<Vec<&'static Rule>, String> {
    let (file, settings) = read_section(root, "lint")?;
    let wrong = |(name, value): (&Value, &Value)| match (name.as_str()?, value) {
        ("all", Value::Boolean(_)) => None,
        (name, Value::Boolean(_)) => parse_lint_rule_name(name).err(),
        (name, _) => Some(format!("{name} is true or false")),
    };
    if let Some(wrong) = settings.iter().find_map(wrong) {
        return Err(format!("{}: {wrong}", file.display()));
    }
    let is_on = |rule: &Rule| {
        let named = given.is_some_and(|given| given.iter().any(|one| one == rule.id));
        let is_set = |name: &str| settings.get_str(name).map(|value| *value == Value::Boolean(true));
        let by_default = given.is_some_and(<[String]>::is_empty) || is_set("all") == Some(true) && given.is_none();
        named || given.is_none_or(<[String]>::is_empty) && is_set(rule.id).unwrap_or(by_default)
    };
    Ok(RULES.iter().filter(|rule| is_on(rule)).collect())
}

/// Returns the paths listed under `index` in section `check` of `pcore.toml`, which are relative to that file.
pub(super) fn index_file_paths(root: Option<&Path>) -> Result<Vec<PathBuf>, String> {
    let (file, check) = read_section(root, "check")?;
    let Some(files) = check.get_str("index") else { return Ok(Vec::new()) };
    let path = |path: &Value| Some(file.with_file_name(path.as_str()?));
    let files = files.as_array().and_then(|files| files.iter().map(path).collect());
    files.ok_or_else(|| format!("{}: index is a list of files", file.display()))
}

/// Returns the path of `pcore.toml` in `root` and its table `section`, which is empty if it is missing.
fn read_section(root: Option<&Path>, section: &str) -> Result<(PathBuf, Hash), String> {
    let file = root.map(|root| root.join("pcore.toml")).filter(|file| file.is_file());
    let Some(file) = file else { return Ok((PathBuf::new(), Hash::default())) };
    let source = input::read_source(&file)?;
    let settings = DeTable::parse(source.text());
    let settings = settings.map_err(|error| format!("{}: {}", file.display(), error.message()))?;
    let section = settings.get_ref().get(section).and_then(|section| section.get_ref().as_table());
    Ok((file, section.map(data_file::hash_from_toml).unwrap_or_default()))
}
