//! Reads the data files that `hiera.yaml` lists for the environment and for the module of a key.
//!
//! Files are read on demand, if programs are allowed to read them, and cached until they change.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)", "Hiera: Layers".

use std::path::{Path, PathBuf};
use std::sync::Arc;

use regex::Regex;

use super::hiera_lookup::{HieraLookup, LookupStep};
use super::lookup_context::{Stamp, file_stamp};
use super::{Flow, lookup::hash_document, map_collection};
use crate::data::hiera::config::{self, path_pattern};
use crate::data::{self, Document, Format, hiera::Strategy};
use crate::error::Error;
use crate::files::{display_path, files_below, read_file_text};
use crate::text::Source;
use crate::value::{Hash, Value};

pub(super) const CONFIG_FILE: &str = "hiera.yaml";

/// A source of values for `lookup`; the variants are in the order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum HieraLayer {
    /// The data passed to the session.
    Given,
    Environment,
    Module(String),
    /// The `default_hierarchy` of a module, used if no other layer has a value.
    Defaults(String),
}

#[derive(Debug)]
pub(super) struct Level {
    name: String,
    /// The backend: `yaml_data`, or the name of a `data_hash` function.
    backend: String,
    is_supported: bool,
    /// The paths of the data files, which need not exist; one empty path for a function that reads no file.
    files: Vec<PathBuf>,
    options: Hash,
    module: Option<String>,
}

pub(crate) type DataFiles = std::collections::HashMap<PathBuf, (Stamp, Arc<Document>)>;

impl HieraLookup<'_> {
    pub(super) fn lookup_in_layer(
        &mut self,
        layer: &HieraLayer,
        key: &str,
        strategy: &Strategy,
    ) -> Result<Option<Value>, Flow> {
        if *layer == HieraLayer::Given {
            let data = self.session_data.clone();
            return self.find_and_merge(strategy, &data, |search, level| {
                let found = level.get_str(key).map(|value| search.interpolate_if_needed(value)).transpose()?;
                let (key, level, file) = (key.to_owned(), "data".to_owned(), "--data".to_owned());
                search.record_step(LookupStep::Place { key, level, file, document: None, value: found.clone() });
                // Each is a level with one file.
                Ok(found.map_or(Ok(None), |value| strategy.merge_found_values(1, &[value]))?)
            });
        }
        let levels = self.layer_levels(layer)?;
        self.find_and_merge(strategy, &levels, |search, level| {
            if !level.is_supported {
                let error = format!("the level '{}' cannot be read: {} is not supported", level.name, level.backend);
                let help =
                    "pcore reads yaml_data, json_data, eyaml_lookup_key, and data_hash functions in Puppet's language";
                return Err(Error::runtime(error).with_help(help).into());
            }
            search.find_and_merge(strategy, &level.files, |search, file| search.lookup_in_file(level, file, key))
        })
    }

    fn read_level_data(&mut self, level: &Level, file: &Path) -> Result<(Option<Arc<Document>>, Option<Value>), Flow> {
        match &*level.backend {
            "yaml_data" | "json_data" | "eyaml_lookup_key" => {
                let format = if level.backend == "json_data" { Format::Json } else { Format::Yaml };
                let document = self.read_document(file, format)?;
                Ok((document.clone(), document.map(|document| document.value.clone())))
            }
            function => {
                let context = self.runtime.parse_type("Puppet::LookupContext")?;
                let module = level.module.as_deref().map_or(Value::Undef, Value::from);
                let context = self.runtime.construct(&context, &[module])?;
                let mut options = level.options.clone();
                if *file != *"" {
                    options.insert("path".into(), file.to_string_lossy().as_ref().into());
                }
                Ok((None, Some(self.runtime.call_function(function, &[Value::Hash(options), context], None)?)))
            }
        }
    }

    fn lookup_in_file(&mut self, level: &Level, file: &Path, key: &str) -> Result<Option<Value>, Flow> {
        let (document, data) = self.read_level_data(level, file).map_err(|flow| match flow {
            Flow::Error(error) => error.with_subject(&format!("the level '{}':", level.name)).into(),
            jump @ Flow::Jump(..) => jump,
        })?;
        let found = data.as_ref().and_then(|data| data.as_hash()?.get_str(key));
        let found = found.map(|value| {
            if level.backend == "eyaml_lookup_key" { wrap_undecrypted_strings(value) } else { value.clone() }
        });
        let found = found.map(|value| self.interpolate_if_needed(&value)).transpose()?;
        let file =
            if data.is_some() && document.is_none() { format!("{}()", level.backend) } else { display_path(file) };
        let (key, level) = (key.to_owned(), level.name.clone());
        self.record_step(LookupStep::Place { key, level, file, document, value: found.clone() });
        Ok(found)
    }

    /// Returns the parsed file at `path`, from the cache if the file has not changed; `None` if it does not exist.
    fn read_document(&mut self, path: &Path, format: Format) -> Result<Option<Arc<Document>>, Flow> {
        let Some(file) = self.runtime.find_file(path)?.filter(|file| file.is_file()) else { return Ok(None) };
        let stamp = file_stamp(&file);
        match self.runtime.runtime_state().context_cache.data_files.get(&file) {
            Some((known, document)) if *known == stamp => return Ok(Some(document.clone())),
            _ => {}
        }
        let name = display_path(&file);
        let document = data::read(format, &Source::new(&*name, read_file_text(&file, &name)?))?;
        let document = Arc::new(hash_document(self.runtime, format, document)?);
        self.runtime.runtime_state().context_cache.data_files.insert(file, (stamp, document.clone()));
        Ok(Some(document))
    }

    /// Returns the levels of a layer in order; none if the layer has no `hiera.yaml`.
    pub(super) fn layer_levels(&mut self, layer: &HieraLayer) -> Result<Arc<Vec<Level>>, Flow> {
        if let Some(known) = self.cached_levels.get(layer) {
            return Ok(known.clone());
        }
        let (root, module) = match layer {
            HieraLayer::Given => (None, None),
            HieraLayer::Environment => (self.runtime.runtime_state().environment_directory.clone(), None),
            HieraLayer::Module(module) | HieraLayer::Defaults(module) => {
                (self.runtime.module_directory(module), Some(module))
            }
        };
        let file = root.map(|root| root.join(CONFIG_FILE));
        let document = file.as_ref().map(|file| self.read_document(file, Format::Yaml)).transpose()?.flatten();
        let mut levels = Vec::new();
        let known = self.unknown_path_variables.len();
        if let (Some(document), Some(root)) = (document, file.as_deref().and_then(Path::parent)) {
            let config = document.value.as_hash().cloned().unwrap_or_default();
            if config.get_str("version") == Some(&Value::Integer(5)) {
                let list = if matches!(layer, HieraLayer::Defaults(_)) { "default_hierarchy" } else { "hierarchy" };
                let usual =
                    data::read(Format::Yaml, &Source::new("", "hierarchy: [{name: Common, path: common.yaml}]"))?;
                let is_usual = list == "hierarchy" && config.get_str(list).is_none();
                let source = if is_usual { &usual.value } else { &document.value };
                for level in config::HierarchyLevel::levels_in_config(source, &[list]) {
                    levels.push(self.resolve_level(&level, root, module.cloned())?);
                }
            } else {
                let error = format!("{} is not of version 5, and ignored", document.source.name());
                self.runtime.log(super::Level::Warning, &error);
            }
        }
        self.active_keys.push(CONFIG_FILE.to_owned());
        let unknown: Vec<String> = self.unknown_path_variables.iter().skip(known).cloned().collect();
        self.report_unknown_variables(&unknown)?;
        self.active_keys.pop();
        let levels = Arc::new(levels);
        self.cached_levels.insert(layer.clone(), levels.clone());
        Ok(levels)
    }

    fn resolve_level(
        &mut self,
        level: &config::HierarchyLevel<'_>,
        root: &Path,
        module: Option<String>,
    ) -> Result<Level, Flow> {
        let paths = level.path_key_and_paths();
        let (kind, backend) = level.backend().unwrap_or(("", "a level without a backend"));
        let is_supported = match (kind, backend) {
            _ if matches!(paths, Some(("uri" | "uris", _))) => false,
            ("data_hash", backend) => !matches!(backend, "hocon_data" | "eyaml_lookup_key"),
            other => other == ("lookup_key", "eyaml_lookup_key"),
        };
        let datadir = root.join(self.interpolate_path(level.datadir().unwrap_or("data"))?);
        let mut files = Vec::new();
        match paths {
            Some(("mapped_paths", mapped)) => {
                if let [variable, name, path] = mapped[..] {
                    let values = match self.variable_value(variable.trim_start_matches("::"))? {
                        Value::Array(values) => values.to_vec(),
                        Value::Undef => Vec::new(),
                        value => vec![value],
                    };
                    for value in values {
                        self.local = Some((name.to_owned(), value));
                        files.push(datadir.join(self.interpolate_path(path)?));
                    }
                    self.local = None;
                }
            }
            Some((key, paths)) => {
                for path in paths {
                    let path = datadir.join(self.interpolate_path(path)?);
                    if key.starts_with("glob") {
                        files.extend(self.files_matching_glob(&path.to_string_lossy())?);
                    } else {
                        files.push(path);
                    }
                }
            }
            None => files.push(PathBuf::new()),
        }
        let name = level.level_setting("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let options = level.backend_options().cloned().unwrap_or_default();
        Ok(Level { name, backend: backend.to_owned(), is_supported, files, options, module })
    }

    /// Returns the files that match `glob`. Observed: Ruby 3.1 sorts those of each choice in braces, or all with `**`.
    fn files_matching_glob(&self, glob: &str) -> Result<Vec<PathBuf>, Flow> {
        if let Some((before, rest)) = glob.split_once('{').filter(|_| !glob.contains("**"))
            && let Some((choices, after)) = rest.split_once('}')
        {
            let files = choices.split(',').map(|choice| self.files_matching_glob(&format!("{before}{choice}{after}")));
            return Ok(files.collect::<Result<Vec<_>, Flow>>()?.concat());
        }
        let fixed = glob.find(['*', '?', '[', '{']).map_or(glob, |end| &glob[..end]);
        let folder = Path::new(&fixed[..fixed.rfind('/').unwrap_or(0)]);
        let (Ok(wanted), Some(_)) =
            (Regex::new(&format!("^{}$", path_pattern(glob, true))), self.runtime.find_file(folder)?)
        else {
            return Ok(Vec::new());
        };
        let mut files = files_below(folder, None);
        files.retain(|file| wanted.is_match(&file.to_string_lossy()));
        // By components: those of a directory come before the files that begin with its name.
        files.sort();
        Ok(files)
    }

    /// Interpolates the variables in a path of `hiera.yaml`, where lookups of keys are not allowed.
    fn interpolate_path(&mut self, text: &str) -> Result<String, Flow> {
        self.active_keys.push(CONFIG_FILE.to_owned());
        let filled = self.interpolate(&Value::from(text))?;
        self.active_keys.pop();
        Ok(filled.as_str().unwrap_or_default().to_owned())
    }
}

/// Wraps encrypted strings (`ENC[…]`), which pcore cannot decrypt, in Sensitive values.
fn wrap_undecrypted_strings(value: &Value) -> Value {
    match value {
        Value::String(text) if text.contains("ENC[") => Value::Sensitive(Arc::new(value.clone())),
        other => map_collection(other, |part| Ok::<Value, Error>(wrap_undecrypted_strings(part)))
            .unwrap_or_else(|_| other.clone()),
    }
}
