//! Checks `hiera.yaml`: a type says what it is made of; further rules are about its version, the order of levels and what a
//! level reads.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)".

use std::path::Path;

use super::names::module_of;
use super::{Checked, Checker, Unjudged, finding, fix, warnings, wrong_parts};
use crate::data::hiera::config::{BACKENDS, LOCATIONS};
use crate::data::hiera::interpolation;
use crate::data::{Document, Place};
use crate::error::Error;
use crate::text::Span;
use crate::types::Type;
use crate::types::describe::describe;
use crate::value::{Hash, Value};
use crate::wording::nearest;

/// What a `hiera.yaml` is made of, except for `version` and `mapped_paths`, which have messages of their own.
#[expect(clippy::expect_used, reason = "the text is a constant")]
fn config_type() -> Type {
    let defaults = "Optional[data_hash] => String, Optional[lookup_key] => String, Optional[data_dig] => String, \
         Optional[hiera3_backend] => String, Optional[datadir] => String, Optional[options] => Hash";
    let locations = "Optional[path] => String, Optional[paths] => Array[String], Optional[glob] => String, \
         Optional[globs] => Array[String], Optional[uri] => String, Optional[uris] => Array[String], \
         Optional[mapped_paths] => Any";
    let levels = format!("Array[Struct[{{name => String, {locations}, {defaults}}}]]");
    let config = format!(
        "Struct[{{Optional[version] => Any, Optional[defaults] => Optional[Struct[{{{defaults}}}]], \
         Optional[hierarchy] => {levels}, Optional[default_hierarchy] => {levels}, \
         Optional[plan_hierarchy] => {levels}}}]"
    );
    config.parse().expect("a constant type is valid")
}

/// Puppet's own backends, and the key that each is written behind.
const OWN_BACKENDS: [(&str, &str); 4] = [
    ("yaml_data", "data_hash"),
    ("json_data", "data_hash"),
    ("hocon_data", "data_hash"),
    ("eyaml_lookup_key", "lookup_key"),
];

struct Config<'d> {
    document: &'d Document,
    checked: Checked,
    /// The backends that are no functions of Puppet's, with the places of their names.
    further_backends: Vec<(&'d str, Span)>,
}

impl Checker<'_> {
    /// Checks the content of a `hiera.yaml` in `directory`.
    pub fn check_config(&mut self, document: &Document, directory: &Path) -> Checked {
        let mut checked = self.check_config_once(document, directory);
        fix::verify_document(document, &mut checked, &mut |edited| self.check_config_once(edited, directory));
        checked
    }

    fn check_config_once(&mut self, document: &Document, directory: &Path) -> Checked {
        let checked = Checked { findings: warnings(document), ..Checked::default() };
        let mut config = Config { document, checked, further_backends: Vec::new() };
        match &document.value {
            Value::Undef => {}
            Value::Hash(top) => config.check(top, &|name| directory.join(name).exists()),
            other => config.error(document.place.span, format!("expected a hash, got {}", describe(other)), ""),
        }
        for (name, span) in std::mem::take(&mut config.further_backends) {
            self.check_backend(&mut config, name, span);
        }
        config.checked.sort();
        config.checked
    }

    /// A backend is a function of a module.
    fn check_backend(&mut self, config: &mut Config, name: &str, span: Span) {
        let is_known = self.index.function(name, &mut self.session.environment).is_some()
            || self.index.ruby().functions.contains_key(name);
        let module = module_of(name);
        let near = nearest(name, OWN_BACKENDS.map(|(name, _)| name));
        if is_known {
            config.checked.compared += 1;
        } else if name.contains("::") && self.index.is_missing(module) {
            config.checked.unjudged.push(Unjudged::MissingModule(module.to_owned()));
        } else if name.contains("::") || near.is_some() {
            let help = near.map_or_else(String::new, |near| format!("did you mean {near}?"));
            config.error(span, format!("unknown function {name}"), help);
        } else {
            config.checked.unjudged.push(Unjudged::UnknownFunction(name.to_owned()));
        }
    }
}

impl<'d> Config<'d> {
    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.checked.error(&self.document.source, span, described(message, help));
    }

    fn warning(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.checked.warning(&self.document.source, span, described(message, help));
    }

    fn check(&mut self, top: &'d Hash, exists: &dyn Fn(&str) -> bool) {
        let document = self.document;
        self.checked.compared += 1;
        match top.get_str("version") {
            Some(Value::Integer(5)) => {}
            // Hiera 3 has other rules.
            Some(Value::Integer(3)) | None if top.iter().any(|(key, _)| key.to_string().contains("backends")) => {
                self.checked.unjudged.push(Unjudged::NotHieraData);
                return;
            }
            version => {
                let got = version.map_or_else(|| "none".to_owned(), describe);
                let span = Config::span(&document.place, "version");
                self.error(span, format!("expected version 5, got {got}"), "write version: 5");
            }
        }
        let wrong = wrong_parts(&config_type(), &document.value).into_iter();
        self.checked.findings.extend(wrong.map(|wrong| finding(document, wrong)));
        for (key, value) in top.iter() {
            let Some(place) = document.place.entry(key) else { continue };
            match (key.as_str(), value) {
                (Some("defaults"), Value::Hash(defaults)) => {
                    self.datadir(defaults, &place.place, exists);
                    self.backend(defaults, &place.place);
                }
                (Some("hierarchy" | "default_hierarchy" | "plan_hierarchy"), Value::Array(levels)) => {
                    let defaults = top.get_str("defaults").and_then(Value::as_hash);
                    self.levels(levels, &place.place, defaults, exists);
                }
                _ => {}
            }
        }
    }

    fn span(place: &Place, key: &str) -> Span {
        place.entry(&Value::from(key)).map_or(place.span, |entry| entry.place.find_from(entry.key_span, &[]))
    }

    fn datadir(&mut self, level: &Hash, place: &Place, exists: &dyn Fn(&str) -> bool) {
        if let Some(Value::String(datadir)) = level.get_str("datadir")
            && !interpolation::is_open(datadir)
            && !exists(datadir)
        {
            let span = Config::span(place, "datadir");
            self.warning(span, format!("the directory {datadir} does not exist"), "");
        }
    }

    /// A file that is the same for all nodes, and not there. In modules such levels are often there just in case.
    fn missing_file(&mut self, level: &Hash, place: &Place, defaults: Option<&Hash>, exists: &dyn Fn(&str) -> bool) {
        let datadir = level.get_str("datadir").or_else(|| defaults?.get_str("datadir"));
        let Some(datadir) = datadir.map_or(Some("data"), Value::as_str) else { return };
        let Some(Value::String(path)) = level.get_str("path").filter(|_| !exists("metadata.json")) else { return };
        let file = format!("{}/{path}", datadir.trim_end_matches('/'));
        if !interpolation::is_open(&file) && !path.starts_with('/') && exists(datadir) && !exists(&file) {
            self.warning(Config::span(place, "path"), format!("the file {file} does not exist"), "");
        }
    }

    fn levels(&mut self, levels: &'d [Value], place: &Place, defaults: Option<&Hash>, exists: &dyn Fn(&str) -> bool) {
        let mut names: Vec<(&str, Span)> = Vec::new();
        for (level, place) in levels.iter().zip(place.elements()) {
            let Value::Hash(level) = level else { continue };
            self.checked.compared += 1;
            self.datadir(level, place, exists);
            let Some(name) = level.get_str("name").and_then(Value::as_str) else { continue };
            let span = Config::span(place, "name");
            if let Some((_, first)) = names.iter().find(|(known, _)| *known == name) {
                let line = self.document.source.position(first.start as usize).line;
                self.error(span, format!("duplicate level name '{name}'"), format!("first used on line {line}"));
            }
            names.push((name, span));
            self.one_of(level, place, &LOCATIONS, "location");
            self.one_of(level, place, &BACKENDS, "backend");
            self.backend(level, place);
            self.locations(level, place);
            self.missing_file(level, place, defaults, exists);
        }
    }

    fn one_of(&mut self, level: &Hash, place: &Place, keys: &[&str], what: &str) {
        let given: Vec<&str> = keys.iter().copied().filter(|key| level.get_str(key).is_some()).collect();
        if let [first, second, ..] = given[..] {
            let span = place.entry(&Value::from(second)).map_or(place.span, |entry| entry.key_span);
            let message = format!("a level has one {what}, this one has '{first}' and '{second}'");
            self.error(span, message, format!("remove '{second}', or make it another level"));
        }
    }

    /// The functions that read the data.
    fn backend(&mut self, level: &'d Hash, place: &Place) {
        for key in &BACKENDS[..3] {
            let Some(name) = level.get_str(key).and_then(Value::as_str) else { continue };
            let span = Config::span(place, key);
            match OWN_BACKENDS.iter().find(|(own, _)| *own == name) {
                Some((_, meant)) if meant != key => {
                    self.error(span, format!("{name} is not a {key} function"), format!("write {meant}: {name}"));
                }
                Some(_) => {}
                None => self.further_backends.push((name, span)),
            }
        }
    }

    /// The values of `path`, `globs`, `mapped_paths` …
    fn locations(&mut self, level: &Hash, place: &Place) {
        for key in LOCATIONS {
            let span = Config::span(place, key);
            match level.get_str(key) {
                Some(mapped) if key == "mapped_paths" => self.mapped_paths(mapped, span),
                Some(Value::String(path)) => self.path(path, span),
                Some(Value::Array(paths)) => {
                    paths.iter().filter_map(Value::as_str).for_each(|path| self.path(path, span));
                }
                _ => {}
            }
        }
    }

    fn mapped_paths(&mut self, mapped: &Value, span: Span) {
        let parts = mapped.as_array().map_or(&[][..], |parts| &parts[..]);
        let [Value::String(variable), Value::String(name), Value::String(path)] = parts else {
            let help = "write [variable, name, path with %{name}]: [services, service, 'services/%{service}.yaml']";
            return self.error(
                span,
                format!("expected three strings for mapped_paths, got {}", describe(mapped)),
                help,
            );
        };
        if variable.contains("%{") {
            let help = format!("write {}", variable.trim_start_matches("%{").trim_end_matches('}'));
            self.error(span, "the variable of mapped_paths is written without %{}", help);
        }
        if !path.contains(&format!("%{{{name}")) {
            self.error(span, format!("the path of mapped_paths does not contain %{{{name}}}"), "");
        }
    }

    fn path(&mut self, path: &str, span: Span) {
        if path.matches("%{").count() > path.matches('}').count() {
            self.error(span, format!("unclosed %{{ in '{path}'"), "close it with }");
        } else if let Err(error) = interpolation::parts(path) {
            self.error(span, error.message(), error.help().first().cloned().unwrap_or_default());
        } else if path.contains("${") {
            let help = format!("write {}", path.replace("${", "%{"));
            self.error(span, "Hiera interpolates %{name}, not ${name}", help);
        }
    }
}

fn described(message: impl Into<String>, help: impl Into<String>) -> Error {
    let (error, help) = (Error::new("HIERA_CONFIG", message), help.into());
    if help.is_empty() { error } else { error.with_help(help) }
}
