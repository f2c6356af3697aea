//! The data that `hiera.yaml` files name: of the environment, and of the module that a key belongs to.
//!
//! Files are read when a lookup needs them, as far as programs may read them, and kept until they change.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)", "Hiera: Layers".

use std::path::{Path, PathBuf};
use std::sync::Arc;

use regex::Regex;

use super::hiera_lookup::{LookupStep, Search};
use super::lookup_context::{Stamp, stamp_of};
use super::{Flow, lookup::hash_of, rebuilt};
use crate::data::hiera::config::{self, pattern};
use crate::data::{self, Document, Format, hiera::Strategy};
use crate::error::Error;
use crate::files::{files_below, read_text, shown};
use crate::text::Source;
use crate::value::{Hash, Value};

pub(super) const CONFIG_FILE: &str = "hiera.yaml";

/// The places where a value may come from, best first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Layer {
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
    /// The files that may exist; an empty path for a function that reads no file.
    files: Vec<PathBuf>,
    options: Hash,
    module: Option<String>,
}

/// The data files that were read, with their stamps at that time.
pub(crate) type DataFiles = std::collections::HashMap<PathBuf, (Stamp, Arc<Document>)>;

impl Search<'_> {
    pub(super) fn in_layer(&mut self, layer: &Layer, key: &str, strategy: &Strategy) -> Result<Option<Value>, Flow> {
        if *layer == Layer::Given {
            let data = self.data.clone();
            return self.merged(strategy, &data, |search, level| {
                let found = level.get_str(key).map(|value| search.arrived(value)).transpose()?;
                let (key, level, file) = (key.to_owned(), "data".to_owned(), "--data".to_owned());
                search.note(LookupStep::Place { key, level, file, document: None, value: found.clone() });
                // Each is a level with one file.
                Ok(found.map_or(Ok(None), |value| strategy.gathered(1, &[value]))?)
            });
        }
        let levels = self.levels(layer)?;
        self.merged(strategy, &levels, |search, level| {
            if !level.is_supported {
                let error = format!("the level '{}' cannot be read: {} is not supported", level.name, level.backend);
                let help =
                    "pcore reads yaml_data, json_data, eyaml_lookup_key, and data_hash functions in Puppet's language";
                return Err(Error::runtime(error).with_help(help).into());
            }
            search.merged(strategy, &level.files, |search, file| search.in_file(level, file, key))
        })
    }

    fn data_of(&mut self, level: &Level, file: &Path) -> Result<(Option<Arc<Document>>, Option<Value>), Flow> {
        match &*level.backend {
            "yaml_data" | "json_data" | "eyaml_lookup_key" => {
                let format = if level.backend == "json_data" { Format::Json } else { Format::Yaml };
                let document = self.document(file, format)?;
                Ok((document.clone(), document.map(|document| document.value.clone())))
            }
            function => {
                let context = self.runtime.type_of_text("Puppet::LookupContext")?;
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

    fn in_file(&mut self, level: &Level, file: &Path, key: &str) -> Result<Option<Value>, Flow> {
        let (document, data) = self.data_of(level, file).map_err(|flow| match flow {
            Flow::Error(error) => error.about(&format!("the level '{}':", level.name)).into(),
            jump @ Flow::Jump(..) => jump,
        })?;
        let found = data.as_ref().and_then(|data| data.as_hash()?.get_str(key));
        let found = found.map(|value| if level.backend == "eyaml_lookup_key" { sealed(value) } else { value.clone() });
        let found = found.map(|value| self.arrived(&value)).transpose()?;
        let file = if data.is_some() && document.is_none() { format!("{}()", level.backend) } else { shown(file) };
        let (key, level) = (key.to_owned(), level.name.clone());
        self.note(LookupStep::Place { key, level, file, document, value: found.clone() });
        Ok(found)
    }

    /// The parsed file, with a hash or undef as its value; `None` if it does not exist.
    fn document(&mut self, path: &Path, format: Format) -> Result<Option<Arc<Document>>, Flow> {
        let Some(file) = self.runtime.find_file(path)?.filter(|file| file.is_file()) else { return Ok(None) };
        let stamp = stamp_of(&file);
        match self.runtime.state().memories.data_files.get(&file) {
            Some((known, document)) if *known == stamp => return Ok(Some(document.clone())),
            _ => {}
        }
        let name = shown(&file);
        let document = data::read(format, &Source::new(&*name, read_text(&file, &name)?))?;
        let document = Arc::new(hash_of(self.runtime, format, document)?);
        self.runtime.state().memories.data_files.insert(file, (stamp, document.clone()));
        Ok(Some(document))
    }

    /// The levels of a layer, in order; empty if it has no `hiera.yaml`.
    pub(super) fn levels(&mut self, layer: &Layer) -> Result<Arc<Vec<Level>>, Flow> {
        if let Some(known) = self.layers.get(layer) {
            return Ok(known.clone());
        }
        let (root, module) = match layer {
            Layer::Given => (None, None),
            Layer::Environment => (self.runtime.state().directory.clone(), None),
            Layer::Module(module) | Layer::Defaults(module) => (self.runtime.module_directory(module), Some(module)),
        };
        let file = root.map(|root| root.join(CONFIG_FILE));
        let document = file.as_ref().map(|file| self.document(file, Format::Yaml)).transpose()?.flatten();
        let mut levels = Vec::new();
        let known = self.unknown.len();
        if let (Some(document), Some(root)) = (document, file.as_deref().and_then(Path::parent)) {
            let config = document.value.as_hash().cloned().unwrap_or_default();
            if config.get_str("version") == Some(&Value::Integer(5)) {
                let list = if matches!(layer, Layer::Defaults(_)) { "default_hierarchy" } else { "hierarchy" };
                let usual =
                    data::read(Format::Yaml, &Source::new("", "hierarchy: [{name: Common, path: common.yaml}]"))?;
                let is_usual = list == "hierarchy" && config.get_str(list).is_none();
                for level in config::Level::all(if is_usual { &usual.value } else { &document.value }, &[list]) {
                    levels.push(self.level(&level, root, module.cloned())?);
                }
            } else {
                let error = format!("{} is not of version 5, and ignored", document.source.name());
                self.runtime.log(super::Level::Warning, &error);
            }
        }
        self.keys.push(CONFIG_FILE.to_owned());
        let unknown: Vec<String> = self.unknown.iter().skip(known).cloned().collect();
        self.by_specification(&unknown)?;
        self.keys.pop();
        let levels = Arc::new(levels);
        self.layers.insert(layer.clone(), levels.clone());
        Ok(levels)
    }

    fn level(&mut self, level: &config::Level<'_>, root: &Path, module: Option<String>) -> Result<Level, Flow> {
        let paths = level.paths();
        let (kind, backend) = level.backend().unwrap_or(("", "a level without a backend"));
        let own = ["yaml_data", "json_data", "hocon_data", "eyaml_lookup_key"].contains(&backend);
        let is_supported = match (kind, backend) {
            _ if matches!(paths, Some(("uri" | "uris", _))) => false,
            ("data_hash", "yaml_data" | "json_data") | ("lookup_key", "eyaml_lookup_key") => true,
            (kind, _) => kind == "data_hash" && !own,
        };
        let datadir = root.join(self.path(level.datadir().unwrap_or("data"))?);
        let mut files = Vec::new();
        match paths {
            Some(("mapped_paths", mapped)) => {
                if let [variable, name, path] = mapped[..] {
                    let values = match self.variable(variable.trim_start_matches("::"))? {
                        Value::Array(values) => values.to_vec(),
                        Value::Undef => Vec::new(),
                        value => vec![value],
                    };
                    for value in values {
                        self.local = Some((name.to_owned(), value));
                        files.push(datadir.join(self.path(path)?));
                    }
                    self.local = None;
                }
            }
            Some((key, paths)) => {
                for path in paths {
                    let path = datadir.join(self.path(path)?);
                    if key.starts_with("glob") {
                        files.extend(self.files_of_glob(&path.to_string_lossy())?);
                    } else {
                        files.push(path);
                    }
                }
            }
            None => files.push(PathBuf::new()),
        }
        let name = level.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let options = level.options().cloned().unwrap_or_default();
        Ok(Level { name, backend: backend.to_owned(), is_supported, files, options, module })
    }

    /// Observed: Ruby 3.1 sorts the files of each choice in braces, but those of all together where there is a `**`.
    fn files_of_glob(&self, glob: &str) -> Result<Vec<PathBuf>, Flow> {
        if let Some((before, rest)) = glob.split_once('{').filter(|_| !glob.contains("**"))
            && let Some((choices, after)) = rest.split_once('}')
        {
            let files = choices.split(',').map(|choice| self.files_of_glob(&format!("{before}{choice}{after}")));
            return Ok(files.collect::<Result<Vec<_>, Flow>>()?.concat());
        }
        let fixed = glob.find(['*', '?', '[', '{']).map_or(glob, |end| &glob[..end]);
        let folder = Path::new(&fixed[..fixed.rfind('/').unwrap_or(0)]);
        let (Ok(wanted), Some(_)) =
            (Regex::new(&format!("^{}$", pattern(glob, true))), self.runtime.find_file(folder)?)
        else {
            return Ok(Vec::new());
        };
        let mut files = files_below(folder, None);
        files.retain(|file| wanted.is_match(&file.to_string_lossy()));
        // By components: those of a directory come before the files that begin with its name.
        files.sort();
        Ok(files)
    }

    /// Interpolates the variables in a path; lookups of keys are not allowed.
    fn path(&mut self, text: &str) -> Result<String, Flow> {
        self.keys.push(CONFIG_FILE.to_owned());
        let filled = self.filled(&Value::from(text))?;
        self.keys.pop();
        Ok(filled.as_str().unwrap_or_default().to_owned())
    }
}

/// Replaces encrypted strings, which cannot be decrypted here, by Sensitive values.
fn sealed(value: &Value) -> Value {
    match value {
        Value::String(text) if text.contains("ENC[") => Value::Sensitive(Arc::new(value.clone())),
        other => rebuilt(other, |part| Ok::<Value, Error>(sealed(part))).unwrap_or_else(|_| other.clone()),
    }
}
