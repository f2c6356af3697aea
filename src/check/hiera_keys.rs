//! The keys that Hiera data sets: where each of them is set, and which of those that code reads are not.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::hierarchy::Hierarchy;
use super::index::Index;
use super::program::module_of_name;
use super::{Checked, UncheckedReason};
use crate::data::hiera::interpolation::{self, StringPart};
use crate::data::hiera::{LookupOptions, Strategy, strings_in_value};
use crate::error::Error;
use crate::explain::mismatch::Mismatch;
use crate::text::Source;
use crate::value::Value;
use crate::wording::nearest;

#[derive(Debug, Default)]
pub(super) struct HieraData {
    pub(super) options: LookupOptions,
    /// For each key, its values and the documents that contain them.
    pub(super) values: FxHashMap<Box<str>, Vec<(Arc<Source>, Value)>>,
    /// Whether there is further Hiera data that pcore cannot read.
    pub(super) has_unseen_data: bool,
    /// The hierarchy of each `hiera.yaml`, with the module that it belongs to, if any.
    pub(super) hierarchies: Vec<(Option<String>, Hierarchy)>,
}

impl HieraData {
    /// Whether all Hiera data for the classes of `module` is known. It never is if the checked project is a module.
    pub(super) fn knows_data_for_module(&self, module: &str, index: &Index) -> bool {
        let is_visible = match self.hierarchies.iter().find(|(owner, _)| owner.as_deref() == Some(module)) {
            Some((_, hierarchy)) => hierarchy.is_fully_readable,
            None => !index.module_directory(module).is_some_and(|directory| directory.join("hiera.yaml").exists()),
        };
        !self.has_unseen_data && index.own.is_none() && is_visible
    }

    /// Whether all Hiera data is known: the project is a control repository whose modules are all installed.
    pub(super) fn knows_all_data(&self, index: &Index) -> bool {
        !self.has_unseen_data && !self.hierarchies.is_empty() && index.own.is_none() && !index.lacks_required_modules()
    }

    /// Returns the error for a lookup of the key `name` if no data sets it, and a similar key is set or all data is
    /// known. Returns `None` if unknown data may set it, such as that of the users of a module.
    pub(super) fn unset_key_error(&self, name: &str, index: &Index, checked: &mut Checked) -> Option<Error> {
        let key = name.split('.').next().unwrap_or(name);
        if self.values.is_empty() || self.values.contains_key(name) {
            return None;
        }
        if let Some(values) = self.values.get(key) {
            let part = |value: Option<Value>, step: &str| match value? {
                Value::Hash(entries) => entries.get_str(step).cloned(),
                Value::Array(elements) => elements.get(step.parse::<usize>().ok()?).cloned(),
                other => other.as_str().is_some_and(is_run_time_string).then_some(other),
            };
            let has_part = |(_, value): &(_, Value)| name.split('.').skip(1).fold(Some(value.clone()), part).is_some();
            let is_open = self.has_unseen_data || index.own.is_some() || values.iter().any(has_part);
            return (!is_open).then(|| Error::new("UNKNOWN_KEY", format!("no data has the part '{name}'")));
        }
        let class = &key[..key.rfind("::").map_or(0, |at| at + 2)];
        let is_of_class = |other: &&str| other.strip_prefix(class).is_some_and(|name| !name.contains("::"));
        let near = nearest(key, self.values.keys().map(|key| &**key).filter(is_of_class));
        // The data of a module has keys of that module only.
        let knows_module = || {
            let directory = index.module_directory(module_of_name(key)).filter(|_| index.own.is_none());
            !self.hierarchies.is_empty() && directory.is_some()
        };
        let is_certain = || key.contains("::") && (knows_module() || index.is_outside_puppetfile(module_of_name(key)));
        if near.is_none() && !self.knows_all_data(index) && !is_certain() {
            return None;
        }
        if self.has_unseen_data || index.own.as_ref().is_some_and(|own| own != module_of_name(key)) {
            checked.unjudged.push(UncheckedReason::UnseenKey);
            return None;
        }
        let error = Error::new("UNKNOWN_KEY", format!("no data has the key '{key}'"));
        Some(near.iter().fold(error, |error, near| error.with_help(format!("did you mean '{near}'?"))))
    }

    /// Returns the error for the `lookup_options` of `key` if no data sets it, but a similar key without options.
    pub(super) fn unset_option_error(&self, key: &str) -> Option<Error> {
        let others =
            self.values.keys().map(|other| &**other).filter(|other| module_of_name(other) == module_of_name(key));
        let near = nearest(key, others).filter(|near| self.options.options_of_key(near).is_none())?;
        let error = Error::new("UNKNOWN_KEY", format!("no data has the key '{key}'"));
        (!self.values.contains_key(key)).then(|| error.with_help(format!("did you mean '{near}'?")))
    }

    /// Whether the found value is a string `%{alias('key')}`, and no value of that key has the expected type.
    pub(super) fn is_alias_of_wrong_type(&self, mismatch: &Mismatch) -> bool {
        let parts = mismatch.found.as_str().and_then(|text| interpolation::parse_string_parts(text).ok());
        let Some([StringPart::Alias(key)]) = parts.as_deref() else { return false };
        let is_merged = !matches!(self.options.merge_strategy_of_key(key), Ok(None | Some(Strategy::First)));
        let is_open = self.has_unseen_data || is_merged || self.options.conversion_of_key(key).is_some();
        let may_fit =
            |value: &Value| value.is_undef() || has_run_time_string(value) || mismatch.expected.has_instance(value);
        !is_open && self.values.get(*key).is_some_and(|all| !all.iter().any(|(_, value)| may_fit(value)))
    }

    /// Returns the text of each document with values, by its name.
    pub(super) fn source_texts(&self) -> FxHashMap<&str, &str> {
        self.values.values().flatten().map(|(source, _)| (source.name(), source.text())).collect()
    }

    pub(super) fn may_set_key(&self, key: &str) -> bool {
        let values = self.values.get(key);
        self.has_unseen_data || values.is_some_and(|values| values.iter().any(|(_, value)| !value.is_undef()))
    }
}

/// Whether a string is only `%{alias('key')}`, which Hiera replaces by a value of any type.
pub(super) fn is_alias_interpolation(text: &str) -> bool {
    matches!(interpolation::parse_string_parts(text).as_deref(), Ok([StringPart::Alias(_)]))
}

/// Whether a string is known only at run time, because it is interpolated or encrypted.
pub(super) fn is_run_time_string(text: &str) -> bool {
    interpolation::has_interpolation(text) || text.trim_start().starts_with("ENC[")
}

pub(super) fn has_run_time_string(value: &Value) -> bool {
    strings_in_value(value).any(is_run_time_string)
}
