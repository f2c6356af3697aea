//! Hiera's merge strategies, which combine the values of several levels, and the `lookup_options` in the data.
//!
//! Source: Puppet reference, "Configuring merge behavior in Hiera data".
//! Observed: Puppet 7.23 for the order of keys and elements, and for what may be merged with what.

pub(crate) mod config;
pub(crate) mod interpolation;

use crate::error::{Error, Result};
use crate::regexp::Regexp;
use crate::types::describe::describe;
use crate::value::{Hash, Value, array::flatten};
use crate::{interrupt, stack};

pub(crate) const LOOKUP_OPTIONS: &str = "lookup_options";
pub(crate) const CONVERT_TO: &str = "convert_to";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Strategy {
    #[default]
    First,
    /// `unique`: all elements of all levels in one flat array, without duplicates.
    Unique,
    /// `hash`: the entries of all levels; the first level that has a key takes precedence.
    Hash,
    /// `deep`: as `hash`, but also merges nested hashes, and joins arrays.
    Deep(DeepMerge),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeepMerge {
    /// `sort_merged_arrays`: whether merged arrays are sorted.
    sorted: bool,
    /// `merge_hash_arrays`: whether the hashes at the same position of two arrays are merged.
    merges_hashes_in_arrays: bool,
    /// `knockout_prefix`: with the prefix `--`, the string `--x` removes `x` from the arrays of lower levels.
    pub(crate) knockout: Option<Box<str>>,
}

pub(crate) const STRATEGY_NAMES: &str = "first, unique, hash, deep";

impl Strategy {
    /// Parses a merge option: `'deep'`, or `{strategy => 'deep', sort_merged_arrays => true}`.
    pub(crate) fn parse_merge_option(merge: &Value) -> Result<Strategy> {
        let option = |name: &str| merge.as_hash()?.get_str(name);
        let is_on = |name| option(name).is_some_and(Value::is_true);
        let knockout = option("knockout_prefix").and_then(Value::as_str).filter(|prefix| !prefix.is_empty());
        let name = if merge.as_hash().is_some() { option("strategy") } else { Some(merge) };
        let Some(name) = name.map_or(Some("first"), Value::as_str) else {
            let got = describe(name.unwrap_or(merge));
            return Err(Error::runtime(format!("expected the name of a merge strategy, got {got}")));
        };
        match name {
            "first" => Ok(Strategy::First),
            "unique" => Ok(Strategy::Unique),
            "hash" => Ok(Strategy::Hash),
            "deep" => Ok(Strategy::Deep(DeepMerge {
                sorted: is_on("sort_merged_arrays"),
                merges_hashes_in_arrays: is_on("merge_hash_arrays"),
                knockout: knockout.map(Box::from),
            })),
            other => Err(Error::runtime(format!("unknown merge strategy '{other}'"))
                .with_help(format!("the strategies are {STRATEGY_NAMES}"))),
        }
    }

    /// Merges the values `found` in `places` files, levels or layers; returns `None` if `found` is empty.
    ///
    /// Observed: Puppet 7.23 merges the files of a level, then the levels of a layer, then the layers. If only one
    /// value was found, `unique` removes its duplicates if one place was searched, and flattens it if several were.
    pub(crate) fn merge_found_values(&self, places: usize, found: &[Value]) -> Result<Option<Value>> {
        match (self, found) {
            (Strategy::Unique, [Value::Array(elements)]) if places == 1 => {
                Ok(Some(distinct_values(elements.iter().cloned()).into()))
            }
            (Strategy::Unique, [_]) if places > 1 => Ok(Some(flatten(found)?.into_owned().into())),
            (_, [value]) => Ok(Some(value.clone())),
            _ => self.merge_levels(found),
        }
    }

    /// Merges the values of several levels, the most important first; returns `None` if there are none.
    pub(crate) fn merge_levels(&self, levels: &[Value]) -> Result<Option<Value>> {
        let Some((first, others)) = levels.split_first() else { return Ok(None) };
        let merged = match self {
            Strategy::First => first.clone(),
            Strategy::Unique => {
                // A hash may be an element, though not a level.
                if let Some(level) = levels.iter().find(|level| matches!(level, Value::Hash(_))) {
                    let got = describe(level);
                    return Err(Error::runtime(format!("expected no Hash for the merge strategy unique, got {got}")));
                }
                distinct_values(flatten(levels)?.into_owned().into_iter()).into()
            }
            Strategy::Hash => {
                let mut merged = Hash::default();
                for level in levels.iter().rev() {
                    let Value::Hash(entries) = level else {
                        let got = describe(level);
                        return Err(Error::runtime(format!("expected a Hash for the merge strategy hash, got {got}")));
                    };
                    merged.extend(entries.iter().map(|(key, value)| (key.clone(), value.clone())));
                }
                Value::Hash(merged)
            }
            Strategy::Deep(deep) => others.iter().fold(first.clone(), |best, worse| deep.merge_values(&best, worse)),
        };
        Ok(Some(merged))
    }
}

fn distinct_values(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let distinct: Hash = values.map(|value| (value, Value::Undef)).collect();
    distinct.keys().cloned().collect()
}

impl DeepMerge {
    /// Returns what `value` removes from the arrays of lower levels: the string after the prefix; `None` without it.
    fn knockout_target<'v>(&self, value: &'v Value) -> Option<&'v str> {
        value.as_str()?.strip_prefix(self.knockout.as_deref()?)
    }

    fn merge_values(&self, better: &Value, worse: &Value) -> Value {
        match (better, worse) {
            (Value::Hash(better), Value::Hash(worse)) => {
                let mut merged = worse.clone();
                merged.extend(better.iter().map(|(key, value)| {
                    let merge = |below| stack::with_room(|| self.merge_values(value, below));
                    (key.clone(), worse.get(key).map_or_else(|| value.clone(), merge))
                }));
                Value::Hash(merged)
            }
            (Value::Array(better), Value::Array(worse)) => self.merge_arrays(better, worse),
            (better, _) if self.knockout_target(better).is_some() => Value::from(""),
            (better, _) => better.clone(),
        }
    }

    /// Returns `value` without the array elements and hash values that begin with the knockout prefix.
    pub(crate) fn without_knockouts(&self, value: &Value) -> Value {
        match value {
            Value::Array(elements) if self.knockout.is_some() => {
                let kept = elements.iter().filter(|element| self.knockout_target(element).is_none());
                Value::Array(kept.map(|element| stack::with_room(|| self.without_knockouts(element))).collect())
            }
            Value::Hash(entries) if self.knockout.is_some() => {
                let kept = entries.iter().filter(|(_, value)| self.knockout_target(value).is_none());
                let kept = kept.map(|(key, value)| (key.clone(), stack::with_room(|| self.without_knockouts(value))));
                Value::Hash(kept.collect())
            }
            other => other.clone(),
        }
    }

    fn merge_arrays(&self, better: &[Value], worse: &[Value]) -> Value {
        let knocked: Vec<&str> = better.iter().filter_map(|value| self.knockout_target(value)).collect();
        // The prefix alone removes everything.
        let keeps = |value: &&Value| match value {
            Value::String(text) => !knocked.iter().any(|knocked| knocked.is_empty() || **knocked == **text),
            _ => !knocked.contains(&""),
        };
        let worse: Vec<&Value> = worse.iter().filter(keeps).collect();
        let better: Vec<&Value> = better.iter().filter(|value| self.knockout_target(value).is_none()).collect();
        let are_hashes = |values: &[&Value]| values.iter().all(|value| matches!(value, Value::Hash(_)));
        if self.merges_hashes_in_arrays && are_hashes(&better) && are_hashes(&worse) {
            let pairs = (0..better.len().max(worse.len())).filter_map(|at| match (better.get(at), worse.get(at)) {
                (Some(better), Some(worse)) => Some(stack::with_room(|| self.merge_values(better, worse))),
                (one, other) => one.or(other).map(|value| (*value).clone()),
            });
            return Value::Array(pairs.collect());
        }
        let mut merged = distinct_values(worse.into_iter().chain(better).cloned());
        if self.sorted {
            merged.sort_by(|a, b| match (a, b) {
                (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
                (Value::String(a), Value::String(b)) => a.cmp(b),
                _ => std::cmp::Ordering::Equal,
            });
        }
        Value::from(merged)
    }
}

/// Yields all strings in a value, including hash keys, from first to last.
pub(crate) fn strings_in_value(value: &Value) -> impl Iterator<Item = &str> {
    let mut pending = vec![value];
    let next = move || {
        while let Some(value) = pending.pop() {
            interrupt::take_step();
            match value {
                Value::String(text) => return Some(&**text),
                Value::Array(elements) => pending.extend(elements.iter().rev()),
                Value::Hash(entries) => pending.extend(entries.iter().rev().flat_map(|(key, value)| [value, key])),
                _ => {}
            }
        }
        None
    };
    std::iter::from_fn(next)
}

/// The merged `lookup_options` of all levels. The options of a key are those under the key itself or, if there are
/// none, under the first pattern that matches it; the options of several entries are not combined.
///
/// Observed: Puppet 7.23 merges the options as it merges a hash, so that the patterns of lower levels come first.
#[derive(Debug, Default)]
pub(crate) struct LookupOptions {
    pub(crate) options_by_key: Hash,
    /// The options under patterns such as `^apache::.*$`.
    options_by_pattern: Vec<(Regexp, Hash)>,
}

impl LookupOptions {
    pub(crate) fn merge_lookup_options<'d>(levels: impl IntoIterator<Item = &'d Hash>) -> LookupOptions {
        let said = levels.into_iter().filter_map(|level| level.get_str(LOOKUP_OPTIONS));
        let said: Vec<Value> = said.filter(|options| matches!(options, Value::Hash(_))).cloned().collect();
        LookupOptions::parse_lookup_options(Strategy::Hash.merge_levels(&said).ok().flatten().as_ref())
    }

    pub(crate) fn parse_lookup_options(options: Option<&Value>) -> LookupOptions {
        let of_keys = options.and_then(Value::as_hash).cloned().unwrap_or_default();
        let pattern = |(key, options): (&Value, &Value)| {
            let key = key.as_str().filter(|key| key.starts_with('^'))?;
            Some((Regexp::new(key).ok()?, options.as_hash()?.clone()))
        };
        LookupOptions { options_by_pattern: of_keys.iter().filter_map(pattern).collect(), options_by_key: of_keys }
    }

    pub(crate) fn options_of_key(&self, key: &str) -> Option<&Hash> {
        self.pattern_and_options_of_key(key).map(|(_, options)| options)
    }

    pub(crate) fn pattern_and_options_of_key(&self, key: &str) -> Option<(Option<&str>, &Hash)> {
        if let Some(Value::Hash(options)) = self.options_by_key.get_str(key) {
            return Some((None, options));
        }
        let matches = |(pattern, _): &&(Regexp, Hash)| pattern.is_match(key).unwrap_or(false);
        self.options_by_pattern.iter().find(matches).map(|(pattern, options)| (Some(pattern.source()), options))
    }

    pub(crate) fn add_options_of_level(&mut self, level: &Value) {
        if let Some(Value::Hash(options)) = level.as_hash().and_then(|level| level.get_str(LOOKUP_OPTIONS)) {
            let further = options.without_keys(|key| self.options_by_key.get(key).is_some());
            self.options_by_key.extend(further.iter().map(|(key, options)| (key.clone(), options.clone())));
        }
    }

    pub(crate) fn option_of_key(&self, key: &str, option: &str) -> Option<&Value> {
        self.options_of_key(key)?.get_str(option)
    }

    pub(crate) fn merge_strategy_of_key(&self, key: &str) -> Result<Option<Strategy>> {
        self.option_of_key(key, "merge").map(Strategy::parse_merge_option).transpose()
    }

    /// Returns the type in the `convert_to` option of `key`, and the further arguments for the type's `new`.
    pub(crate) fn conversion_of_key(&self, key: &str) -> Option<(&str, &[Value])> {
        match self.option_of_key(key, CONVERT_TO)? {
            Value::String(type_) => Some((type_, &[])),
            Value::Array(all) if let [Value::String(type_), arguments @ ..] = &all[..] => Some((type_, arguments)),
            _ => None,
        }
    }
}
