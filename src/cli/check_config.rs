//! `pcore.toml` in the directory of a project: which lint rules are on, and where modules are that are not installed.
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

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pcore::check::{RULES, Rule};
use pcore::files;
use pcore::wording::nearest;
use toml::de::{DeTable, DeValue};

/// The rules that the command line and `pcore.toml` turn on. Rules that are named on the command line are on whatever the
/// file says.
pub(super) fn rules(given: Option<&[String]>, root: Option<&Path>) -> Result<Vec<&'static Rule>, String> {
    let settings = read(root, "lint", switches)?;
    let is_on = |rule: &Rule| {
        let named = given.is_some_and(|given| given.iter().any(|one| one == rule.id));
        let is_set = |name: &str| settings.get(name).copied();
        let by_default = given.is_some_and(<[String]>::is_empty) || is_set("all") == Some(true) && given.is_none();
        named || given.is_none_or(<[String]>::is_empty) && is_set(rule.id).unwrap_or(by_default)
    };
    Ok(RULES.iter().filter(|rule| is_on(rule)).collect())
}

/// The files that `index` names, relative to the project.
pub(super) fn index_files(root: Option<&Path>) -> Result<Vec<PathBuf>, String> {
    read(root, "check", |check, file| {
        let Some(files) = check.get("index") else { return Ok(Vec::new()) };
        let path = |path: &toml::Spanned<DeValue<'_>>| Some(file.with_file_name(path.get_ref().as_str()?));
        let files = files.get_ref().as_array().and_then(|files| files.iter().map(path).collect());
        files.ok_or_else(|| format!("{}: index is a list of files", file.display()))
    })
}

/// Reads a section of the file, if there is one.
fn read<T: Default>(
    root: Option<&Path>,
    section: &str,
    read: impl FnOnce(&DeTable<'_>, &Path) -> Result<T, String>,
) -> Result<T, String> {
    let file = root.map(|root| root.join("pcore.toml")).filter(|file| file.is_file());
    let Some(file) = file else { return Ok(T::default()) };
    let shown = file.display();
    let text = files::source_text(&file).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let settings = DeTable::parse(&text).map_err(|error| format!("{shown}: {}", error.message()))?;
    match settings.get_ref().get(section).map(toml::Spanned::get_ref) {
        Some(DeValue::Table(section)) => read(section, &file),
        _ => Ok(T::default()),
    }
}

fn switches(lint: &DeTable<'_>, file: &Path) -> Result<BTreeMap<String, bool>, String> {
    let (shown, mut switches) = (file.display(), BTreeMap::new());
    for (name, value) in lint {
        let name = name.get_ref();
        let DeValue::Boolean(is_on) = value.get_ref() else { return Err(format!("{shown}: {name} is true or false")) };
        if name != "all" && !RULES.iter().any(|rule| rule.id == *name) {
            let near = nearest(name, RULES.iter().map(|rule| rule.id)).map(|near| format!("; did you mean {near}?"));
            return Err(format!("{shown}: unknown rule {name}{}", near.unwrap_or_default()));
        }
        switches.insert(name.to_string(), *is_on);
    }
    Ok(switches)
}
