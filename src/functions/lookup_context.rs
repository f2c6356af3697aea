//! The methods of `Puppet::LookupContext`, which return the name of its module and access its cache.
//!
//! Hiera passes a context to data functions. A program can also create one to try out such a function: `web::data({},
//! Puppet::LookupContext('web'))`. No lookup is running then, so `not_found` is an error.
//!
//! Observed: Puppet 7.23, with an environment.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::{collections::HashMap, time::SystemTime};

use super::hiera_lookup::{HieraLookup, LookupStep};
use super::hierarchy::{CONFIG_FILE, DataFiles};
use super::iteration::{call_block_for_each, to_iterator};
use super::{Call, Flow, files::file_not_found_error};
use crate::data::hiera::LOOKUP_OPTIONS;
use crate::error::{Error, Result};
use crate::files;
use crate::value::{Hash, Object, Value};

/// The name of the environment in every session: the default of Puppet.
pub(super) const ENVIRONMENT_NAME: &str = "production";

functions! {
    /// caches the value under the key and returns it
    "cache" ["(Optional[Scalar] $key, Any $value)"] {
        "Puppet::LookupContext('web').cache('port', 80)" => "80",
        "Puppet::LookupContext('web').cache([1], 80)" => "error RUNTIME_ERROR",
    } => |call| {
        let [_, key, value] = call.arguments else { return Ok(Value::Undef) };
        cached_context_data(call)?.entries.insert(key.clone(), value.clone());
        Ok(value.clone())
    };
    /// caches every entry of the hash
    "cache_all" ["(Hash[Optional[Scalar], Any] $entries) >> Undef"] {
        "$web = Puppet::LookupContext('web') $web.cache_all({'port' => 80}) $web.cached_value('port')" => "80",
        "Puppet::LookupContext('web').cache_all([80])" => "error RUNTIME_ERROR",
    } => |call| {
        if let [_, Value::Hash(entries)] = call.arguments {
            let remembered = &mut cached_context_data(call)?.entries;
            entries.iter().for_each(|(key, value)| remembered.insert(key.clone(), value.clone()));
        }
        Ok(Value::Undef)
    };
    /// returns whether a value is cached under the key
    "cache_has_key" ["(Optional[Scalar] $key) >> Boolean"] {
        "Puppet::LookupContext('web').cache_has_key('port')" => "false",
        "Puppet::LookupContext('web').cache_has_key({})" => "error RUNTIME_ERROR",
    } => |call| Ok(Value::Boolean(cached_value(call)?.is_some()));
    /// iterates over the cached keys and values; returns an iterator, or calls the block for each
    "cached_entries" ["(Callable[1, 1] &$block) >> Undef", "(Callable[2, 2] &$block) >> Undef", "() >> Iterable"] {
        "$web = Puppet::LookupContext('web') $web.cache('port', 80) $web.cached_entries" => "[['port', 80]]",
        "Puppet::LookupContext('web').cached_entries |*$all| { 1 }" => "undef",
        "Puppet::LookupContext('web').cached_entries || { 1 }" => "error RUNTIME_ERROR",
    } => cached_entries;
    /// returns the content of a file, or the block's result for it; cached until the file changes
    "cached_file_data" ["(String $path, Optional[Callable[1, 1]] &$block)"] {
        "Puppet::LookupContext('web').cached_file_data('/dev/null')" => "''",
        "Puppet::LookupContext('web').cached_file_data('/nowhere')" => "error RUNTIME_ERROR",
    } => |call| {
        let [_, Value::String(path)] = call.arguments else { return Ok(Value::Undef) };
        cached_file_content(call, call.argument(0)?, path, |call, text| call.pass_to_optional_block(Value::from(text)))
    };
    /// returns the value cached under the key, or undef
    "cached_value" ["(Optional[Scalar] $key)"] {
        "Puppet::LookupContext('web').cached_value('port')" => "undef",
        "Puppet::LookupContext('web').cached_value()" => "error RUNTIME_ERROR",
    } => |call| Ok(cached_value(call)?.unwrap_or(Value::Undef));
    /// returns the name of the environment
    "environment_name" ["() >> String[1]"] {
        "Puppet::LookupContext('web').environment_name" => "'production'",
        "Puppet::LookupContext('web').environment_name(1)" => "error RUNTIME_ERROR",
    } => |_| Ok(ENVIRONMENT_NAME.into());
    /// adds the block's result to the explanation of a lookup; pcore never explains, so the block is not called
    "explain" ["(Callable[0, 0] &$block) >> Undef"] {
        "Puppet::LookupContext('web').explain || { 'no port' }" => "undef",
        "Puppet::LookupContext('web').explain('no port')" => "error RUNTIME_ERROR",
    } => |_| Ok(Value::Undef);
    /// interpolates %{…} in the strings of a value
    "interpolate" ["(Any $value)"] {
        "$port = 80 Puppet::LookupContext('web').interpolate({'url' => 'web:%{port}'})" => "{'url' => 'web:80'}",
        "Puppet::LookupContext('web').interpolate(\"%{alias('a')} b\")" => "error RUNTIME_ERROR",
    } => |call| {
        let text = call.argument(1)?;
        HieraLookup::new(call.runtime).interpolate(text)
    };
    /// reports that a data function has no value for the key; an error outside a lookup
    "not_found" ["() >> Undef"] {
        "Puppet::LookupContext('web').not_found()" => "error RUNTIME_ERROR",
    } => |_| Err(Error::runtime("not_found() outside a lookup").into());
}

#[derive(Debug, Default)]
pub(crate) struct ContextCache {
    /// The data of each context, by its address, which no other object can have as long as there is a reference.
    contexts: HashMap<usize, (Weak<Object>, CachedContextData)>,
    pub(crate) data_files: DataFiles,
    pub(crate) lookup_steps: Option<Vec<LookupStep>>,
}

#[derive(Debug, Default)]
pub(crate) struct CachedContextData {
    entries: Hash,
    files: HashMap<PathBuf, (Stamp, Value)>,
}

/// The modification time and length of a file, by which changes are detected.
pub(super) type Stamp = (Option<SystemTime>, u64);

impl ContextCache {
    fn data_of_context(&mut self, context: &Arc<Object>) -> &mut CachedContextData {
        self.contexts.retain(|_, (of, _)| of.strong_count() > 0);
        let new = || (Arc::downgrade(context), CachedContextData::default());
        &mut self.contexts.entry(Arc::as_ptr(context).addr()).or_insert_with(new).1
    }

    /// Returns the keys in all data files that were read, but not those of `hiera.yaml` files.
    pub(crate) fn data_file_keys(&self) -> impl Iterator<Item = &str> {
        let data = self.data_files.iter().filter(|(file, _)| !file.ends_with(CONFIG_FILE));
        let hashes = data.filter_map(|(_, (_, document))| document.value.as_hash());
        hashes.flat_map(Hash::keys).filter_map(Value::as_str).filter(|key| *key != LOOKUP_OPTIONS)
    }
}

fn cached_context_data<'a>(call: &'a mut Call<'_>) -> Result<&'a mut CachedContextData> {
    match call.argument(0)? {
        Value::Object(context) => Ok(call.runtime.runtime_state().context_cache.data_of_context(context)),
        _ => Err(Error::runtime("expected a context")),
    }
}

fn cached_value(call: &mut Call<'_>) -> Result<Option<Value>> {
    let key = call.argument(1)?;
    Ok(cached_context_data(call)?.entries.get(key).cloned())
}

fn cached_entries(call: &mut Call<'_>) -> Result<Value, Flow> {
    let entries = Value::Hash(cached_context_data(call)?.entries.clone());
    let Some(block) = call.block else { return Ok(Value::Iterator(Arc::new(to_iterator(&entries)?))) };
    let by_two = call.signature_index == 1;
    call_block_for_each(call.runtime, block, &entries, by_two)?;
    Ok(Value::Undef)
}

/// Returns the content of the file `path`, converted by `convert` and cached in `context` until the file changes.
pub(super) fn cached_file_content(
    call: &mut Call<'_>,
    context: &Value,
    path: &str,
    convert: impl FnOnce(&mut Call<'_>, String) -> Result<Value, Flow>,
) -> Result<Value, Flow> {
    let Value::Object(context) = context else { unreachable!("only a context is asked") };
    let file = call.runtime.find_file(Path::new(path))?.ok_or_else(|| file_not_found_error(path))?;
    let stamp = file_stamp(&file);
    match call.runtime.runtime_state().context_cache.data_of_context(context).files.get(&file) {
        Some((known, value)) if *known == stamp => return Ok(value.clone()),
        _ => {}
    }
    let value = convert(call, files::read_file_text(&file, &format!("'{path}'"))?)?;
    call.runtime.runtime_state().context_cache.data_of_context(context).files.insert(file, (stamp, value.clone()));
    Ok(value)
}

pub(super) fn file_stamp(file: &Path) -> Stamp {
    file.metadata().ok().map_or((None, 0), |metadata| (metadata.modified().ok(), metadata.len()))
}
