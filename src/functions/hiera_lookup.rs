//! Finds the value of a key for `lookup`, as Hiera does: interpolates, merges and converts the values of all levels. A
//! dotted key selects a part of the value. [`hierarchy`](super::hierarchy) reads the data of the levels.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::data::{follow_keys, split_path};
use super::hierarchy::{CONFIG_FILE, HieraLayer, Level};
use super::{Flow, Runtime, lookup_context::ENVIRONMENT_NAME, map_collection};
use crate::data::Document;
use crate::data::hiera::interpolation::{self, StringPart};
use crate::data::hiera::{self, LOOKUP_OPTIONS, LookupOptions, Strategy};
use crate::error::{Error, Result};
use crate::value::{Hash, Value};
use crate::{interrupt, limits, stack};

/// A step of a lookup, recorded so that the lookup can be explained.
#[derive(Clone, Debug)]
pub(crate) enum LookupStep {
    /// Searched for `key` in a file or in other data of a level; `document` is the content of the file, if it exists.
    Place { key: String, level: String, file: String, document: Option<Arc<Document>>, value: Option<Value> },
    /// Applied an option from `row` of the `lookup_options`: the key or a pattern. `text`: `converted to Integer`.
    Option { key: String, row: String, text: String },
}

pub(super) struct HieraLookup<'r> {
    pub(super) runtime: &'r mut dyn Runtime,
    pub(super) session_data: Arc<Vec<Hash>>,
    /// The keys whose lookup is in progress, outermost first.
    pub(super) active_keys: Vec<String>,
    /// The values (or `None`) of keys looked up without a strategy, so that each is interpolated only once.
    cached_values: FxHashMap<String, Option<Value>>,
    pub(super) cached_levels: FxHashMap<HieraLayer, Arc<Vec<Level>>>,
    /// The `lookup_options` for each module, and for keys without a module.
    cached_options: FxHashMap<Option<String>, Arc<LookupOptions>>,
    /// The variable that `mapped_paths` sets while a path is interpolated, and its value.
    pub(super) local: Option<(String, Value)>,
    /// The unknown variables in paths of `hiera.yaml` so far; those of a layer are reported in one warning or error.
    pub(super) unknown_path_variables: Vec<String>,
}

impl<'r> HieraLookup<'r> {
    pub(super) fn new(runtime: &'r mut dyn Runtime) -> HieraLookup<'r> {
        HieraLookup {
            session_data: runtime.runtime_state().lookup_data.clone(),
            runtime,
            active_keys: Vec::new(),
            cached_values: FxHashMap::default(),
            cached_levels: FxHashMap::default(),
            cached_options: FxHashMap::default(),
            local: None,
            unknown_path_variables: Vec::new(),
        }
    }

    pub(super) fn has_data(&self) -> bool {
        !self.session_data.is_empty() || self.cached_levels.values().any(|levels| !levels.is_empty())
    }

    pub(super) fn record_step(&mut self, step: LookupStep) {
        if let Some(steps) = &mut self.runtime.runtime_state().context_cache.lookup_steps {
            steps.push(step);
        }
    }

    pub(super) fn find_and_merge<P>(
        &mut self,
        strategy: &Strategy,
        sources: &[P],
        mut find_value: impl FnMut(&mut Self, &P) -> Result<Option<Value>, Flow>,
    ) -> Result<Option<Value>, Flow> {
        let mut found = Vec::new();
        for place in sources {
            found.extend(find_value(self, place)?);
            if *strategy == Strategy::First && !found.is_empty() {
                break;
            }
        }
        Ok(strategy.merge_found_values(sources.len(), &found)?)
    }

    /// Looks up a dotted path, merged by `strategy` or else by the key's `lookup_options`; `None` if it is not found.
    pub(super) fn lookup_dotted_key(&mut self, name: &str, strategy: Option<&Strategy>) -> Result<Option<Value>, Flow> {
        let segments = split_path(name)?;
        let Some((Value::String(key), rest)) = segments.split_first() else { return Ok(None) };
        if **key == *LOOKUP_OPTIONS {
            return Ok(None);
        }
        if self.active_keys.iter().any(|open| **open == **key) {
            return Err(self.prefix_error_with_key(Error::runtime(format!("leads back to '{key}'"))).into());
        }
        if self.active_keys.last().is_some_and(|open| matches!(&**open, LOOKUP_OPTIONS | CONFIG_FILE)) {
            return Err(self.prefix_error_with_key(Error::runtime(format!("cannot look up '{key}'"))).into());
        }
        let value = match self.cached_values.get(&**key).filter(|_| strategy.is_none()) {
            Some(known) => known.clone(),
            None => {
                self.active_keys.push(key.to_string());
                let value = stack::with_room(|| self.lookup_key(key, strategy))?;
                self.active_keys.pop();
                if strategy.is_none() {
                    self.cached_values.insert(key.to_string(), value.clone());
                }
                value
            }
        };
        let Some(value) = value else { return Ok(None) };
        match follow_keys(&value, rest) {
            Ok(Value::Undef) if !rest.is_empty() => Ok(None),
            found => Ok(Some(found.map_err(Error::from)?)),
        }
    }

    /// Looks up a key without dots, merged by `strategy` or else by its `lookup_options`, and converts the value.
    fn lookup_key(&mut self, key: &str, strategy: Option<&Strategy>) -> Result<Option<Value>, Flow> {
        let module = key.split_once("::").map(|(module, _)| module);
        let options = self.lookup_options(module)?;
        let by_options = |error: Error| error.with_subject(&format!("lookup_options of '{key}':"));
        let chosen = options.merge_strategy_of_key(key).map_err(by_options)?.filter(|_| strategy.is_none());
        let is_chosen = chosen.is_some();
        let used = strategy.cloned().or(chosen).unwrap_or_default();
        let mut found = self.find_and_merge(&used, &searched_layers(module), |search, layer| {
            search.lookup_in_layer(layer, key, &used)
        })?;
        if let (None, Some(module)) = (&found, module) {
            let defaults = HieraLayer::Defaults(module.to_owned());
            let options = LookupOptions::parse_lookup_options(
                self.lookup_in_layer(&defaults, LOOKUP_OPTIONS, &Strategy::Hash)?.as_ref(),
            );
            let strategy = options.merge_strategy_of_key(key).map_err(by_options)?.unwrap_or_default();
            found = self.lookup_in_layer(&defaults, key, &strategy)?;
        }
        let Some(value) = found else { return Ok(None) };
        let row = options.pattern_and_options_of_key(key).and_then(|(pattern, _)| pattern).unwrap_or(key);
        let step = |text: String| LookupStep::Option { key: key.to_owned(), row: row.to_owned(), text };
        if let Some(merge) = options.option_of_key(key, "merge").filter(|_| is_chosen) {
            self.record_step(step(format!("merged by {}", crate::format::program_text(merge))));
        }
        let Some((type_, further)) = options.conversion_of_key(key) else { return Ok(Some(value)) };
        self.record_step(step(format!("converted to {type_}")));
        let type_ = self.runtime.parse_type(type_).map_err(by_options)?;
        // What is encrypted is a Sensitive already.
        if matches!((&type_, &value), (crate::types::Type::Sensitive(_), Value::Sensitive(_))) {
            return Ok(Some(value));
        }
        let arguments: Vec<Value> = std::iter::once(value).chain(further.iter().cloned()).collect();
        match self.runtime.construct(&type_, &arguments) {
            Ok(value) => Ok(Some(value)),
            Err(Flow::Error(error)) => Err(by_options(error).into()),
            Err(flow) => Err(flow),
        }
    }

    /// Returns the `lookup_options` for the keys of `module`, or for keys without a module, merged from all layers.
    ///
    /// Observed: Puppet 7.23 rejects options of a module for keys of others.
    fn lookup_options(&mut self, module: Option<&str>) -> Result<Arc<LookupOptions>, Flow> {
        if let Some(known) = self.cached_options.get(&module.map(str::to_owned)) {
            return Ok(known.clone());
        }
        self.active_keys.push(LOOKUP_OPTIONS.to_owned());
        let mut found = Vec::new();
        for layer in searched_layers(module) {
            let options = self.lookup_in_layer(&layer, LOOKUP_OPTIONS, &Strategy::Hash)?;
            let Some(options) = options.filter(|options| !matches!(options, Value::Undef)) else { continue };
            if let (HieraLayer::Module(module), Value::Hash(rows)) = (&layer, &options) {
                let prefix = format!("{module}::");
                let names =
                    |key: &&Value| key.as_str().is_some_and(|key| key.trim_start_matches('^').starts_with(&prefix));
                if let Some(key) = rows.keys().find(|key| !names(key)) {
                    let error =
                        Error::runtime(format!("lookup_options of the module {module} are for another key: {key}"));
                    return Err(error.with_help(format!("keys and patterns start with {prefix} or ^{prefix}")).into());
                }
            }
            found.push(options);
        }
        self.active_keys.pop();
        let merged = Strategy::Hash.merge_levels(&found).map_err(|error| error.with_subject("lookup_options:"))?;
        let options = Arc::new(LookupOptions::parse_lookup_options(merged.as_ref()));
        self.cached_options.insert(module.map(str::to_owned), options.clone());
        Ok(options)
    }

    pub(super) fn interpolate_if_needed(&mut self, value: &Value) -> Result<Value, Flow> {
        if hiera::strings_in_value(value).any(interpolation::has_interpolation) {
            self.interpolate(value)
        } else {
            Ok(value.clone())
        }
    }

    /// Interpolates the strings in a value, including the keys of hashes.
    pub(super) fn interpolate(&mut self, value: &Value) -> Result<Value, Flow> {
        match value {
            Value::String(text) if interpolation::has_interpolation(text) => self.interpolate_string(text),
            other => map_collection(other, |part| self.interpolate(part)),
        }
    }

    fn interpolate_string(&mut self, text: &str) -> Result<Value, Flow> {
        let parts = interpolation::parse_string_parts(text).map_err(|error| self.prefix_error_with_key(error))?;
        if let [StringPart::Alias(key)] = parts[..] {
            return Ok(self.lookup_dotted_key(key, None)?.unwrap_or_else(|| Value::from("")));
        }
        let mut filled = String::new();
        for part in parts {
            interrupt::take_step();
            match part {
                StringPart::Text(text) => filled.push_str(text),
                StringPart::Variable(path) => {
                    filled.push_str(&interpolation::interpolated_text(&self.variable_value(path)?)?);
                }
                // OK because an alias is never one of several parts.
                StringPart::Lookup(key) | StringPart::Alias(key) => {
                    let value = self.lookup_dotted_key(key, None)?.unwrap_or(Value::Undef);
                    filled.push_str(&interpolation::interpolated_text(&value)?);
                }
            }
            limits::check_string_bytes(filled.len())?;
        }
        Ok(Value::from(filled))
    }

    /// Returns the value of a variable, or the part of it that the dotted `path` selects; undef if it does not exist.
    pub(super) fn variable_value(&mut self, path: &str) -> Result<Value, Flow> {
        let segments = split_path(path)
            .map_err(|error| self.prefix_error_with_key(error.with_subject(&format!("has `%{{{path}}}`:"))))?;
        let Some((Value::String(name), rest)) = segments.split_first() else { return Ok(Value::Undef) };
        let local = self.local.as_ref().filter(|(local, _)| **local == **name).map(|(_, value)| value.clone());
        let environment = || (**name == *"environment").then(|| Value::from(ENVIRONMENT_NAME));
        let Some(value) = local.or_else(|| self.runtime.variable(name)).or_else(environment) else {
            if self.active_keys.last().is_none_or(|key| *key != CONFIG_FILE) {
                self.report_unknown_variables(&[name.to_string()])?;
            } else if !self.unknown_path_variables.iter().any(|known| **known == **name) {
                self.unknown_path_variables.push(name.to_string());
            }
            return Ok(Value::Undef);
        };
        let found = follow_keys(&value, rest).map_err(Error::from);
        Ok(found.map_err(|error| self.prefix_error_with_key(error.with_subject(&format!("has `%{{{path}}}`:"))))?)
    }

    /// Reports `unknown` variables, which are undef according to the specification but rejected by Puppet.
    pub(super) fn report_unknown_variables(&mut self, unknown: &[String]) -> Result<(), Flow> {
        let [first, others @ ..] = unknown else { return Ok(()) };
        let s = if others.is_empty() { "" } else { "s" };
        let message = format!("refers to the unknown variable{s} ${}", unknown.join(", $"));
        let help = format!("`--facts FILE` and, at the prompt, `:set facts.{first} VALUE` set facts");
        let error = self.prefix_error_with_key(Error::new("UNKNOWN_VARIABLE", message)).with_help(help);
        Ok(self.runtime.report_rejected_by_puppet(error)?)
    }

    fn prefix_error_with_key(&self, error: Error) -> Error {
        match self.active_keys.last() {
            Some(key) if *key == CONFIG_FILE => error.with_subject(CONFIG_FILE),
            Some(key) => error.with_subject(&format!("the data of '{key}'")),
            None => error.with_subject("the string"),
        }
    }
}

fn searched_layers(module: Option<&str>) -> [HieraLayer; 3] {
    [HieraLayer::Given, HieraLayer::Environment, HieraLayer::Module(module.unwrap_or_default().to_owned())]
}
