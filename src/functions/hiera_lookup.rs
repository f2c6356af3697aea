//! How `lookup` finds the value of a key in the session's data, as Hiera does: values of each level are interpolated,
//! merged and converted. A dotted key digs into the value.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::data::walk;
use super::navigation::segments;
use super::{Flow, Runtime, rebuilt};
use crate::data::hiera::interpolation::{self, Part};
use crate::data::hiera::{self, DataLayers, LOOKUP_OPTIONS, Strategy};
use crate::error::{Error, Result};
use crate::value::Value;
use crate::{interrupt, limits, stack};

/// A lookup in the data.
pub(super) struct Search<'r> {
    runtime: &'r mut dyn Runtime,
    data: Arc<DataLayers>,
    /// The keys whose values are being filled in, outermost first.
    keys: Vec<String>,
    /// The values found for keys by their `lookup_options`: each is filled in once, however many strings name it.
    known: FxHashMap<String, Option<Value>>,
}

impl<'r> Search<'r> {
    pub(super) fn new(runtime: &'r mut dyn Runtime) -> Search<'r> {
        let data = runtime.data();
        Search { runtime, data, keys: Vec::new(), known: FxHashMap::default() }
    }

    /// The value at the path `name`; `None` if it does not exist.
    pub(super) fn find(&mut self, name: &str, strategy: Option<&Strategy>) -> Result<Option<Value>, Flow> {
        let segments = segments(name)?;
        let Some((Value::String(key), rest)) = segments.split_first() else { return Ok(None) };
        if **key == *LOOKUP_OPTIONS {
            return Ok(None);
        }
        if self.keys.iter().any(|open| **open == **key) {
            return Err(self.fault(Error::runtime(format!("leads back to '{key}'"))).into());
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

    /// The value of a key without a path, merged by its `lookup_options` unless the call gives a strategy.
    fn value(&mut self, key: &str, strategy: Option<&Strategy>) -> Result<Option<Value>, Flow> {
        let data = self.data.clone();
        let found = data.values(key).map(|value| self.arrived(value)).collect::<Result<Vec<Value>, Flow>>()?;
        let by_options = |error: Error| error.about(&format!("lookup_options of '{key}':"));
        let merged = match strategy {
            Some(strategy) => strategy.merged(&found)?,
            None => {
                let strategy = data.options.merge(key).map_err(by_options)?.unwrap_or_default();
                strategy.merged(&found).map_err(by_options)?
            }
        };
        let Some(value) = merged else { return Ok(None) };
        let Some((type_, further)) = data.options.convert_to(key) else { return Ok(Some(value)) };
        let type_ = self.runtime.type_of_text(type_).map_err(by_options)?;
        let arguments: Vec<Value> = std::iter::once(value).chain(further.iter().cloned()).collect();
        match self.runtime.construct(&type_, &arguments) {
            Ok(value) => Ok(Some(value)),
            Err(Flow::Error(error)) => Err(by_options(error).into()),
            Err(flow) => Err(flow),
        }
    }

    /// The value of a level with its interpolations filled in; data without interpolations stays shared.
    fn arrived(&mut self, value: &Value) -> Result<Value, Flow> {
        if hiera::has_text(value, interpolation::is_open) { self.filled(value) } else { Ok(value.clone()) }
    }

    /// A value with its strings filled in, also those of keys.
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

    /// The value of a variable with a path into it; undef if it does not exist.
    fn variable(&mut self, path: &str) -> Result<Value, Flow> {
        let segments = segments(path).map_err(|error| self.fault(error.about(&format!("has `%{{{path}}}`:"))))?;
        let Some((Value::String(name), rest)) = segments.split_first() else { return Ok(Value::Undef) };
        let Some(value) = self.runtime.variable(name) else {
            let unknown = Error::new("UNKNOWN_VARIABLE", format!("refers to the unknown variable ${name}"));
            self.runtime.by_specification(self.fault(unknown))?;
            return Ok(Value::Undef);
        };
        let found = walk(&value, rest).map_err(Error::from);
        Ok(found.map_err(|error| self.fault(error.about(&format!("has `%{{{path}}}`:"))))?)
    }

    /// An error of the data under the key that is being filled in.
    fn fault(&self, error: Error) -> Error {
        match self.keys.last() {
            Some(key) => error.about(&format!("the data of '{key}'")),
            None => error.about("the string"),
        }
    }
}
