//! How `lookup` finds the value of a key, as Hiera does: the values of all places are interpolated, merged and converted.
//! A dotted key digs into the value. [`hierarchy`](super::hierarchy) reads the places.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::data::{segments, walk};
use super::hierarchy::{CONFIG_FILE, Layer, Level};
use super::{Flow, Runtime, lookup_context::ENVIRONMENT, rebuilt};
use crate::data::Document;
use crate::data::hiera::interpolation::{self, Part};
use crate::data::hiera::{self, LOOKUP_OPTIONS, LookupOptions, Strategy};
use crate::error::{Error, Result};
use crate::value::{Hash, Value};
use crate::{interrupt, limits, stack};

/// A step of a lookup, recorded for its explanation.
#[derive(Clone, Debug)]
pub(crate) enum LookupStep {
    /// Searched for a key in a file or in other data of a level. The document is `None` if the file does not exist.
    Place { key: String, level: String, file: String, document: Option<Arc<Document>>, value: Option<Value> },
    /// Applied the `lookup_options` of a key or pattern.
    Option { key: String, row: String, text: String },
}

pub(super) struct Search<'r> {
    pub(super) runtime: &'r mut dyn Runtime,
    pub(super) data: Arc<Vec<Hash>>,
    /// The keys whose values are being interpolated, outermost first.
    pub(super) keys: Vec<String>,
    /// The values found by `lookup_options`, so that each is interpolated only once.
    known: FxHashMap<String, Option<Value>>,
    pub(super) layers: FxHashMap<Layer, Arc<Vec<Level>>>,
    /// The `lookup_options` for each module, and for keys without a module.
    options: FxHashMap<Option<String>, Arc<LookupOptions>>,
    /// The variable that `mapped_paths` sets, and its value.
    pub(super) local: Option<(String, Value)>,
    /// The unknown variables that paths in `hiera.yaml` use.
    pub(super) unknown: Vec<String>,
}

impl<'r> Search<'r> {
    pub(super) fn new(runtime: &'r mut dyn Runtime) -> Search<'r> {
        let data = runtime.state().data.clone();
        let (known, layers, options) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Search { runtime, data, keys: Vec::new(), known, layers, options, local: None, unknown: Vec::new() }
    }

    pub(super) fn has_data(&self) -> bool {
        !self.data.is_empty() || self.layers.values().any(|levels| !levels.is_empty())
    }

    pub(super) fn note(&mut self, step: LookupStep) {
        if let Some(steps) = &mut self.runtime.state().memories.steps {
            steps.push(step);
        }
    }

    /// Merges the values from several places; with the strategy `first`, stops at the first value.
    pub(super) fn merged<P>(
        &mut self,
        strategy: &Strategy,
        places: &[P],
        mut value: impl FnMut(&mut Self, &P) -> Result<Option<Value>, Flow>,
    ) -> Result<Option<Value>, Flow> {
        let mut found = Vec::new();
        for place in places {
            found.extend(value(self, place)?);
            if *strategy == Strategy::First && !found.is_empty() {
                break;
            }
        }
        Ok(strategy.gathered(places.len(), &found)?)
    }

    /// Looks up a dotted path; `None` if it does not exist.
    pub(super) fn find(&mut self, name: &str, strategy: Option<&Strategy>) -> Result<Option<Value>, Flow> {
        let segments = segments(name)?;
        let Some((Value::String(key), rest)) = segments.split_first() else { return Ok(None) };
        if **key == *LOOKUP_OPTIONS {
            return Ok(None);
        }
        if self.keys.iter().any(|open| **open == **key) {
            return Err(self.fault(Error::runtime(format!("leads back to '{key}'"))).into());
        }
        if self.keys.last().is_some_and(|open| matches!(&**open, LOOKUP_OPTIONS | CONFIG_FILE)) {
            return Err(self.fault(Error::runtime(format!("cannot look up '{key}'"))).into());
        }
        let value = match self.known.get(&**key).filter(|_| strategy.is_none()) {
            Some(known) => known.clone(),
            None => {
                self.keys.push(key.to_string());
                let value = stack::with_room(|| self.value(key, strategy))?;
                self.keys.pop();
                if strategy.is_none() {
                    self.known.insert(key.to_string(), value.clone());
                }
                value
            }
        };
        let Some(value) = value else { return Ok(None) };
        match walk(&value, rest) {
            Ok(Value::Undef) if !rest.is_empty() => Ok(None),
            found => Ok(Some(found.map_err(Error::from)?)),
        }
    }

    /// Looks up a key, merged by its `lookup_options` unless `strategy` is given.
    fn value(&mut self, key: &str, strategy: Option<&Strategy>) -> Result<Option<Value>, Flow> {
        let module = key.split_once("::").map(|(module, _)| module);
        let options = self.options(module)?;
        let by_options = |error: Error| error.about(&format!("lookup_options of '{key}':"));
        let chosen = options.merge(key).map_err(by_options)?.filter(|_| strategy.is_none());
        let is_chosen = chosen.is_some();
        let used = strategy.cloned().or(chosen).unwrap_or_default();
        let mut found = self.merged(&used, &layers(module), |search, layer| search.in_layer(layer, key, &used))?;
        if let (None, Some(module)) = (&found, module) {
            let defaults = Layer::Defaults(module.to_owned());
            let options = LookupOptions::merged(self.in_layer(&defaults, LOOKUP_OPTIONS, &Strategy::Hash)?.as_ref());
            let strategy = options.merge(key).map_err(by_options)?.unwrap_or_default();
            found = self.in_layer(&defaults, key, &strategy)?;
        }
        let Some(value) = found else { return Ok(None) };
        let row = options.row_of(key).and_then(|(pattern, _)| pattern).unwrap_or(key);
        let step = |text: String| LookupStep::Option { key: key.to_owned(), row: row.to_owned(), text };
        if let Some(merge) = options.option(key, "merge").filter(|_| is_chosen) {
            self.note(step(format!("merged by {}", crate::format::program_text(merge))));
        }
        let Some((type_, further)) = options.convert_to(key) else { return Ok(Some(value)) };
        self.note(step(format!("converted to {type_}")));
        let type_ = self.runtime.type_of_text(type_).map_err(by_options)?;
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

    /// The `lookup_options` from all layers for the keys of a module.
    ///
    /// Observed: Puppet 7.23 rejects options of a module for keys of others.
    fn options(&mut self, module: Option<&str>) -> Result<Arc<LookupOptions>, Flow> {
        if let Some(known) = self.options.get(&module.map(str::to_owned)) {
            return Ok(known.clone());
        }
        self.keys.push(LOOKUP_OPTIONS.to_owned());
        let mut found = Vec::new();
        for layer in layers(module) {
            let options = self.in_layer(&layer, LOOKUP_OPTIONS, &Strategy::Hash)?;
            let Some(options) = options.filter(|options| !matches!(options, Value::Undef)) else { continue };
            if let (Layer::Module(module), Value::Hash(rows)) = (&layer, &options) {
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
        self.keys.pop();
        let merged = Strategy::Hash.merged(&found).map_err(|error| error.about("lookup_options:"))?;
        let options = Arc::new(LookupOptions::merged(merged.as_ref()));
        self.options.insert(module.map(str::to_owned), options.clone());
        Ok(options)
    }

    /// Interpolates the value of a level; data without interpolations stays shared.
    pub(super) fn arrived(&mut self, value: &Value) -> Result<Value, Flow> {
        if hiera::texts(value).any(interpolation::is_open) { self.filled(value) } else { Ok(value.clone()) }
    }

    /// Interpolates the strings in a value, including hash keys.
    pub(super) fn filled(&mut self, value: &Value) -> Result<Value, Flow> {
        match value {
            Value::String(text) if interpolation::is_open(text) => self.filled_text(text),
            other => rebuilt(other, |part| self.filled(part)),
        }
    }

    fn filled_text(&mut self, text: &str) -> Result<Value, Flow> {
        let parts = interpolation::parts(text).map_err(|error| self.fault(error))?;
        if let [Part::Alias(key)] = parts[..] {
            return Ok(self.find(key, None)?.unwrap_or_else(|| Value::from("")));
        }
        let mut filled = String::new();
        for part in parts {
            interrupt::step();
            match part {
                Part::Text(text) => filled.push_str(text),
                Part::Variable(path) => filled.push_str(&interpolation::text_of(&self.variable(path)?)?),
                // OK because an alias is never one of several parts.
                Part::Lookup(key) | Part::Alias(key) => {
                    let value = self.find(key, None)?.unwrap_or(Value::Undef);
                    filled.push_str(&interpolation::text_of(&value)?);
                }
            }
            limits::check_string_bytes(filled.len())?;
        }
        Ok(Value::from(filled))
    }

    /// The value of a variable, or the part of it that a path selects; undef if it does not exist.
    pub(super) fn variable(&mut self, path: &str) -> Result<Value, Flow> {
        let segments = segments(path).map_err(|error| self.fault(error.about(&format!("has `%{{{path}}}`:"))))?;
        let Some((Value::String(name), rest)) = segments.split_first() else { return Ok(Value::Undef) };
        let local = self.local.as_ref().filter(|(local, _)| **local == **name).map(|(_, value)| value.clone());
        let environment = || (**name == *"environment").then(|| Value::from(ENVIRONMENT));
        let Some(value) = local.or_else(|| self.runtime.variable(name)).or_else(environment) else {
            if self.keys.last().is_none_or(|key| *key != CONFIG_FILE) {
                self.by_specification(&[name.to_string()])?;
            } else if !self.unknown.iter().any(|known| **known == **name) {
                self.unknown.push(name.to_string());
            }
            return Ok(Value::Undef);
        };
        let found = walk(&value, rest).map_err(Error::from);
        Ok(found.map_err(|error| self.fault(error.about(&format!("has `%{{{path}}}`:"))))?)
    }

    /// Reports unknown variables, which are undef according to the specification.
    pub(super) fn by_specification(&mut self, unknown: &[String]) -> Result<(), Flow> {
        let [first, others @ ..] = unknown else { return Ok(()) };
        let s = if others.is_empty() { "" } else { "s" };
        let message = format!("refers to the unknown variable{s} ${}", unknown.join(", $"));
        let help = format!("`--facts FILE` and, at the prompt, `:set facts.{first} VALUE` set facts");
        Ok(self.runtime.by_specification(self.fault(Error::new("UNKNOWN_VARIABLE", message)).with_help(help))?)
    }

    fn fault(&self, error: Error) -> Error {
        match self.keys.last() {
            Some(key) if *key == CONFIG_FILE => error.about(CONFIG_FILE),
            Some(key) => error.about(&format!("the data of '{key}'")),
            None => error.about("the string"),
        }
    }
}

fn layers(module: Option<&str>) -> [Layer; 3] {
    [Layer::Given, Layer::Environment, Layer::Module(module.unwrap_or_default().to_owned())]
}
