//! Checks `hiera.yaml`: a type says what it is made of; further rules are about its version, the order of levels and what a
//! level reads.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)".

use std::path::Path;

use super::{Checked, Checker, Unjudged, constant_type, finding, fix, index::Index, warnings, wrong_parts};
use crate::data::hiera::config::{BACKENDS, LOCATIONS};
use crate::data::{Document, Place, hiera::interpolation};
use crate::error::Error;
use crate::eval::Environment;
use crate::explain::mismatch::Step;
use crate::files::files_below;
use crate::text::Span;
use crate::types::{Type, describe::describe};
use crate::value::{Hash, Value};
use crate::wording::{meant, nearest};

const HIERA_CONFIG: &str = "HIERA_CONFIG";

/// What a `hiera.yaml` is made of, except for `version` and `mapped_paths`, which have messages of their own.
fn config_type() -> Type {
    let defaults = "Optional[data_hash] => String, Optional[lookup_key] => String, Optional[data_dig] => String, \
         Optional[hiera3_backend] => String, Optional[datadir] => String, Optional[options] => Hash";
    let levels = format!(
        "Array[Struct[{{name => String, Optional[path] => String, Optional[paths] => Array[String], \
         Optional[glob] => String, Optional[globs] => Array[String], Optional[uri] => String, \
         Optional[uris] => Array[String], Optional[mapped_paths] => Any, {defaults}}}]]"
    );
    constant_type(&format!(
        "Struct[{{Optional[version] => Any, Optional[defaults] => Optional[Struct[{{{defaults}}}]], \
         Optional[hierarchy] => {levels}, Optional[default_hierarchy] => {levels}, \
         Optional[plan_hierarchy] => {levels}}}]"
    ))
}

/// Puppet's own backends, and the key that each is written behind.
const OWN_BACKENDS: [(&str, &str); 4] = [
    ("yaml_data", "data_hash"),
    ("json_data", "data_hash"),
    ("hocon_data", "data_hash"),
    ("eyaml_lookup_key", "lookup_key"),
];

struct Config<'d, 'c> {
    document: &'d Document,
    directory: &'d Path,
    index: &'c mut Index,
    environment: &'c mut Environment,
    checked: Checked,
}

#[derive(Clone, Copy)]
struct Part<'d> {
    hash: &'d Hash,
    place: &'d Place,
}

impl<'d> Part<'d> {
    fn string(self, key: &str) -> Option<(&'d str, Span)> {
        Some((self.hash.get_str(key)?.as_str()?, span(self.place, key)))
    }
}

fn span(place: &Place, key: &str) -> Span {
    place.entry(&Value::from(key)).map_or(place.span, |entry| entry.place.find_from(entry.key_span, &[]))
}

impl Checker<'_> {
    /// Checks the content of a `hiera.yaml` in `directory`.
    pub fn check_config(&mut self, document: &Document, directory: &Path) -> Checked {
        fix::verified(document, |document| self.check_config_once(document, directory))
    }

    fn check_config_once(&mut self, document: &Document, directory: &Path) -> Checked {
        let checked = Checked { findings: warnings(document), ..Checked::default() };
        let (index, environment) = (&mut self.index, &mut self.session.environment);
        let mut config = Config { document, directory, index, environment, checked };
        match &document.value {
            Value::Undef => {}
            Value::Hash(top) => config.check(top),
            other => config.error(document.place.span, format!("expected a hash, got {}", describe(other)), ""),
        }
        config.checked.sort();
        config.checked
    }
}

impl<'d> Config<'d, '_> {
    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let help = Some(help.into()).filter(|help| !help.is_empty());
        let error = help.into_iter().fold(Error::new(HIERA_CONFIG, message), Error::with_help);
        self.checked.error(&self.document.source, span, error);
    }

    fn missing(&mut self, span: Span, what: &str, help: Option<String>) {
        let error = Error::new(HIERA_CONFIG, format!("the {what} does not exist"));
        let error = help.into_iter().fold(error, Error::with_help);
        self.checked.warning(&self.document.source, span, error);
    }

    fn exists(&self, path: &str) -> bool {
        self.directory.join(path).exists()
    }

    fn check(&mut self, top: &'d Hash) {
        let document = self.document;
        self.checked.compared += 1;
        match top.get_str("version") {
            Some(Value::Integer(5)) => {}
            // Hiera 3 has other rules.
            Some(Value::Integer(3)) | None if top.iter().any(|(key, _)| key.to_string().contains("backends")) => {
                return self.checked.unjudged.push(Unjudged::NotHieraData);
            }
            version => {
                let got = version.map_or_else(|| "none".to_owned(), describe);
                let message = format!("expected version 5, got {got}");
                self.error(span(&document.place, "version"), message, "write version: 5");
            }
        }
        let wrong = wrong_parts(&config_type(), &document.value).into_iter();
        self.checked.findings.extend(wrong.map(|wrong| finding(document, wrong)));
        let part = |key: &str| Some((top.get_str(key)?, &document.place.entry(&Value::from(key))?.place));
        let defaults = part("defaults").and_then(|(value, place)| Some(Part { hash: value.as_hash()?, place }));
        if let Some(defaults) = defaults {
            self.datadir(defaults);
            self.backend(defaults);
        }
        for (levels, place) in ["hierarchy", "default_hierarchy", "plan_hierarchy"].into_iter().filter_map(part) {
            self.levels(levels.as_array().map_or(&[], |levels| levels), place, defaults);
        }
    }

    fn datadir(&mut self, level: Part<'d>) {
        if let Some((datadir, span)) = level.string("datadir")
            && !interpolation::is_open(datadir)
            && !self.exists(datadir)
        {
            self.missing(span, &format!("directory {datadir}"), None);
        }
    }

    /// A file that is the same for all nodes, and not there. In modules such levels are often there just in case, unless a similar
    /// file is there that no level names.
    fn missing_file(&mut self, level: Part<'d>, defaults: Option<Part<'d>>) {
        let datadir = level.hash.get_str("datadir").or_else(|| defaults?.hash.get_str("datadir"));
        let Some(datadir) = datadir.map_or(Some("data"), Value::as_str) else { return };
        let Some((path, span)) = level.string("path") else { return };
        let file = format!("{}/{path}", datadir.trim_end_matches('/'));
        if interpolation::is_open(&file) || path.starts_with('/') || !self.exists(datadir) || self.exists(&file) {
            return;
        }
        let there = files_below(&self.directory.join(datadir), None);
        let names = there.iter().filter_map(|file| file.strip_prefix(self.directory.join(datadir)).ok()?.to_str());
        let named = |name: &&str| !self.document.source.text().contains(name);
        let near = nearest(path, names.filter(named));
        if near.is_some() || !self.exists("metadata.json") {
            let help = near.map(|near| format!("did you mean {near}?"));
            self.missing(span, &format!("file {file}"), help);
        }
    }

    fn levels(&mut self, levels: &'d [Value], place: &'d Place, defaults: Option<Part<'d>>) {
        let mut names: Vec<(&str, Span)> = Vec::new();
        for (level, place) in levels.iter().zip(place.elements()) {
            let Value::Hash(hash) = level else { continue };
            let level = Part { hash, place };
            self.checked.compared += 1;
            self.datadir(level);
            let Some((name, span)) = level.string("name") else { continue };
            if let Some((_, first)) = names.iter().find(|(known, _)| *known == name) {
                let line = self.document.source.position(first.start as usize).line;
                self.error(span, format!("duplicate level name '{name}'"), format!("first used on line {line}"));
            }
            names.push((name, span));
            self.one_of(level, &LOCATIONS, "location");
            self.one_of(level, &BACKENDS, "backend");
            self.backend(level);
            self.locations(level);
            self.missing_file(level, defaults);
            let of_defaults = || defaults.map_or(Some("yaml_data"), |defaults| Some(defaults.string("data_hash")?.0));
            let backend = level.string("data_hash").map(|(name, _)| name).or_else(of_defaults);
            let is_own = OWN_BACKENDS.iter().any(|(own, _)| Some(*own) == backend);
            let further =
                |(key, _): (&Value, _)| !["name", "datadir", "options", "data_hash"].map(Value::from).contains(key);
            if is_own && !hash.iter().any(further) {
                self.error(span, format!("the level '{name}' names no file"), "add path: 'common.yaml', or another");
            }
        }
    }

    fn one_of(&mut self, Part { hash, place }: Part<'d>, keys: &[&str], what: &str) {
        let given: Vec<&str> = keys.iter().copied().filter(|key| hash.get_str(key).is_some()).collect();
        if let [first, second, ..] = given[..] {
            let span = place.entry(&Value::from(second)).map_or(place.span, |entry| entry.key_span);
            let message = format!("a level has one {what}, this one has '{first}' and '{second}'");
            self.error(span, message, format!("remove '{second}', or make it another level"));
        }
    }

    /// The functions that read the data.
    fn backend(&mut self, level: Part<'d>) {
        for key in &BACKENDS[..3] {
            let Some((name, span)) = level.string(key) else { continue };
            match OWN_BACKENDS.iter().find(|(own, _)| *own == name) {
                Some((_, meant)) if meant != key => {
                    self.error(span, format!("{name} is not a {key} function"), format!("write {meant}: {name}"));
                }
                Some(_) => {}
                None => self.further_backend(name, span),
            }
        }
    }

    /// A backend that is not Puppet's own is a function of a module.
    fn further_backend(&mut self, name: &str, span: Span) {
        let is_known =
            self.index.function(name, self.environment).is_some() || self.index.ruby().functions.contains_key(name);
        let own = OWN_BACKENDS.map(|(name, _)| name);
        let of_format = own.into_iter().find(|own| own.split('_').next() == Some(name));
        let near = meant(of_format.or_else(|| nearest(name, own)));
        if is_known {
            self.checked.compared += 1;
        } else if let Some(missing) = self.index.unseen(name).filter(|_| name.contains("::")) {
            self.checked.unjudged.push(missing);
        } else if name.contains("::") || near.is_some() || self.index.is_complete() {
            self.error(span, format!("unknown function {name}"), near.unwrap_or_default());
        } else {
            self.checked.unjudged.push(Unjudged::UnknownFunction(name.to_owned()));
        }
    }

    /// The values of `path`, `globs`, `mapped_paths` …
    fn locations(&mut self, Part { hash, place }: Part<'d>) {
        for key in LOCATIONS {
            let span = span(place, key);
            match hash.get_str(key) {
                Some(mapped) if key == "mapped_paths" => self.mapped_paths(mapped, span),
                Some(Value::String(path)) if key == "path" && path.contains('*') => {
                    self.error(span, format!("the path '{path}' has no wildcards"), format!("write glob: '{path}'"));
                }
                Some(Value::String(path)) => self.path(path, span),
                Some(Value::Array(paths)) => {
                    for (at, path) in paths.iter().enumerate() {
                        let span = place.find(&[Step::Entry(key.into()), Step::Element(at)]);
                        path.as_str().into_iter().for_each(|path| self.path(path, span));
                    }
                }
                _ => {}
            }
        }
    }

    fn mapped_paths(&mut self, mapped: &Value, span: Span) {
        let parts = mapped.as_array().map_or(&[][..], |parts| &parts[..]);
        let [Value::String(variable), Value::String(name), Value::String(path)] = parts else {
            let help = "write [variable, name, path with %{name}]: [services, service, 'services/%{service}.yaml']";
            let message = format!("expected three strings for mapped_paths, got {}", describe(mapped));
            return self.error(span, message, help);
        };
        self.variable(variable, span);
        if variable.contains("%{") {
            let help = format!("write {}", variable.trim_start_matches("%{").trim_end_matches('}'));
            self.error(span, "the variable of mapped_paths is written without %{}", help);
        }
        if !path.contains(&format!("%{{{name}")) {
            self.error(span, format!("the path of mapped_paths does not contain %{{{name}}}"), "");
        }
    }

    fn variable(&mut self, name: &str, span: Span) {
        if let Some(error) = self.index.wrong_variable(name, &self.document.source) {
            self.checked.warning(&self.document.source, span, error);
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
        for part in interpolation::parts(path).unwrap_or_default() {
            let interpolation::Part::Variable(name) = part else { continue };
            self.variable(name, span);
        }
    }
}
