//! `pcore.toml` in the directory of a project: which lint rules are on.
//!
//! ```toml
//! [lint]
//! line-anchor = true
//! unused-alias = false
//! all = true
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use pcore::check::{RULES, Rule};
use pcore::files;
use pcore::wording::nearest;
use toml::de::{DeTable, DeValue};

/// The rules that the command line and `pcore.toml` turn on. Rules that are named on the command line are on whatever the
/// file says.
pub(super) fn rules(given: Option<&[String]>, root: Option<&Path>) -> Result<Vec<&'static Rule>, String> {
    let file = root.map(|root| root.join("pcore.toml")).filter(|file| file.is_file());
    let settings = file.map_or_else(|| Ok(BTreeMap::new()), |file| read(&file))?;
    let is_on = |rule: &Rule| {
        let named = given.is_some_and(|given| given.iter().any(|one| one == rule.id));
        let is_set = |name: &str| settings.get(name).copied();
        let by_default = given.is_some_and(<[String]>::is_empty) || is_set("all") == Some(true) && given.is_none();
        named || given.is_none_or(<[String]>::is_empty) && is_set(rule.id).unwrap_or(by_default)
    };
    Ok(RULES.iter().filter(|rule| is_on(rule)).collect())
}

fn read(file: &Path) -> Result<BTreeMap<String, bool>, String> {
    let shown = file.display();
    let text = files::source_text(file).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let settings = DeTable::parse(&text).map_err(|error| format!("{shown}: {}", error.message()))?;
    let mut switches = BTreeMap::new();
    let Some(DeValue::Table(lint)) = settings.get_ref().get("lint").map(toml::Spanned::get_ref) else {
        return Ok(switches);
    };
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
