//! Checks `hiera.yaml`: its value against a type, and further rules for the version, the order of hierarchy levels, and
//! the files and functions that each level uses.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)".

use std::path::Path;

use super::{
    Checked, Checker, UncheckedReason, fix, index::Index, mismatch_finding, mismatched_parts, parse_constant_type,
};
use crate::data::hiera::config::{BACKEND_KEYS, LOCATION_KEYS};
use crate::data::{Document, LocationTree, hiera::interpolation};
use crate::error::Error;
use crate::eval::Environment;
use crate::explain::mismatch::Step;
use crate::files::files_below;
use crate::text::Span;
use crate::types::{Type, describe::describe};
use crate::value::{Hash, Value};
use crate::wording::{did_you_mean, nearest};

const HIERA_CONFIG_ISSUE: &str = "HIERA_CONFIG";

/// Returns the type of a `hiera.yaml`. It allows any `version` and `mapped_paths`, which are checked separately.
fn config_type() -> Type {
    let defaults = "Optional[data_hash] => String, Optional[lookup_key] => String, Optional[data_dig] => String, \
         Optional[hiera3_backend] => String, Optional[datadir] => String, Optional[options] => Hash";
    let levels = format!(
        "Array[Struct[{{name => String, Optional[path] => String, Optional[paths] => Array[String], \
         Optional[glob] => String, Optional[globs] => Array[String], Optional[uri] => String, \
         Optional[uris] => Array[String], Optional[mapped_paths] => Any, {defaults}}}]]"
    );
    parse_constant_type(&format!(
        "Struct[{{Optional[version] => Any, Optional[defaults] => Optional[Struct[{{{defaults}}}]], \
         Optional[hierarchy] => {levels}, Optional[default_hierarchy] => {levels}, \
         Optional[plan_hierarchy] => {levels}}}]"
    ))
}

/// The backend functions built into Puppet, each with the key of `hiera.yaml` that selects it.
const BUILT_IN_BACKENDS: [(&str, &str); 4] = [
    ("yaml_data", "data_hash"),
    ("json_data", "data_hash"),
    ("hocon_data", "data_hash"),
    ("eyaml_lookup_key", "lookup_key"),
];

struct ConfigChecker<'d, 'c> {
    document: &'d Document,
    directory: &'d Path,
    index: &'c mut Index,
    environment: &'c mut Environment,
    result: Checked,
}

#[derive(Clone, Copy)]
struct LocatedHash<'d> {
    hash: &'d Hash,
    location: &'d LocationTree,
}

impl<'d> LocatedHash<'d> {
    fn string_with_span(self, key: &str) -> Option<(&'d str, Span)> {
        Some((self.hash.get_str(key)?.as_str()?, span_of_entry(self.location, key)))
    }

    fn strings_in_array(self, key: &str) -> Vec<(&'d str, Span)> {
        let span = |at| self.location.span_at_path(&[Step::Entry(key.into()), Step::Element(at)]);
        let elements = self.hash.get_str(key).and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        elements.enumerate().filter_map(|(at, element)| Some((element.as_str()?, span(at)))).collect()
    }
}

fn span_of_entry(place: &LocationTree, key: &str) -> Span {
    place.span_at_path(&[Step::Entry(key.into())])
}

impl Checker<'_> {
    /// Checks the `hiera.yaml` in `directory`, whose content is `document`.
    pub fn check_config(&mut self, document: &Document, directory: &Path) -> Checked {
        fix::check_and_verify_fixes(document, |document| {
            let (index, environment) = (&mut self.index, &mut self.session.environment);
            let result = Checked::from_warnings_of_document(document);
            let mut config = ConfigChecker { document, directory, index, environment, result };
            match &document.value {
                Value::Undef => {}
                Value::Hash(top) => config.check_top_level(top),
                other => config.add_error(document.place.span, format!("expected a hash, got {}", describe(other)), ""),
            }
            config.result.sort_findings();
            config.result
        })
    }
}

impl<'d> ConfigChecker<'d, '_> {
    fn add_error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let help = Some(help.into()).filter(|help| !help.is_empty());
        self.result.add_error(&self.document.source, span, Error::new(HIERA_CONFIG_ISSUE, message)).help_if(help);
    }

    fn report_missing_path(&mut self, span: Span, what: &str, help: Option<String>) {
        let error = Error::new(HIERA_CONFIG_ISSUE, format!("the {what} does not exist"));
        self.result.add_warning(&self.document.source, span, error).help_if(help);
    }

    fn path_exists(&self, path: &str) -> bool {
        self.directory.join(path).exists()
    }

    fn check_top_level(&mut self, top: &'d Hash) {
        let document = self.document;
        self.result.compared += 1;
        match top.get_str("version") {
            Some(Value::Integer(5)) => {}
            // Hiera 3 has other rules.
            Some(Value::Integer(3)) | None if top.iter().any(|(key, _)| key.to_string().contains("backends")) => {
                return self.result.unjudged.push(UncheckedReason::NotHieraData);
            }
            version => {
                let got = version.map_or_else(|| "none".to_owned(), describe);
                let message = format!("expected version 5, got {got}");
                self.add_error(span_of_entry(&document.place, "version"), message, "write version: 5");
            }
        }
        let wrong = mismatched_parts(&config_type(), &document.value).into_iter();
        self.result.findings.extend(wrong.map(|wrong| mismatch_finding(document, wrong)));
        let part = |key: &str| Some((top.get_str(key)?, &document.place.last_entry(&Value::from(key))?.value_location));
        let defaults =
            part("defaults").and_then(|(value, place)| Some(LocatedHash { hash: value.as_hash()?, location: place }));
        if let Some(defaults) = defaults {
            self.check_datadir(defaults);
            self.check_backend(defaults);
        }
        for (levels, place) in ["hierarchy", "default_hierarchy", "plan_hierarchy"].into_iter().filter_map(part) {
            self.check_levels(levels.as_array().map_or(&[], |levels| levels), place, defaults);
        }
    }

    fn check_datadir(&mut self, level: LocatedHash<'d>) {
        if let Some((datadir, span)) = level.string_with_span("datadir")
            && !interpolation::has_interpolation(datadir)
            && !self.path_exists(datadir)
        {
            self.report_missing_path(span, &format!("directory {datadir}"), None);
        }
    }

    /// Reports a path of a level whose file does not exist. In a module, where missing files are common, reports it only
    /// if a file with a similar name exists that no level uses; likewise for the folder before the first interpolation.
    fn check_files_of_level(&mut self, level: LocatedHash<'d>, defaults: Option<LocatedHash<'d>>) {
        let datadir = level.hash.get_str("datadir").or_else(|| defaults?.hash.get_str("datadir"));
        let Some(datadir) = datadir.map_or(Some("data"), Value::as_str) else { return };
        let paths = level.string_with_span("path").into_iter().chain(level.strings_in_array("paths"));
        let root = self.directory.join(datadir);
        if interpolation::has_interpolation(datadir) || !root.is_dir() {
            return;
        }
        for (path, span) in paths.filter(|(path, _)| !path.starts_with(['/', '%'])) {
            let (fixed, is_whole) = match path.split_once("%{") {
                Some((before, _)) => (before.split_once('/').map_or("", |(folder, _)| folder), false),
                None => (path, true),
            };
            if root.join(fixed).exists() {
                continue;
            }
            let there = files_below(&root, None);
            let names = there.iter().filter_map(|file| {
                let name = file.strip_prefix(&root).ok()?.to_str()?;
                if is_whole { Some(name) } else { Some(name.split_once('/')?.0) }
            });
            let end = if is_whole { "" } else { "/" };
            let is_unused = |name: &&str| !self.document.source.text().contains(&format!("{name}{end}"));
            let near = nearest(fixed, names.filter(is_unused));
            if near.is_some() || is_whole && !self.path_exists("metadata.json") {
                let help = near.map(|near| format!("did you mean {near}?"));
                let kind = if is_whole { "file" } else { "directory" };
                self.report_missing_path(span, &format!("{kind} {}/{fixed}", datadir.trim_end_matches('/')), help);
            }
        }
    }

    fn check_levels(&mut self, levels: &'d [Value], place: &'d LocationTree, defaults: Option<LocatedHash<'d>>) {
        let mut names: Vec<(&str, Span)> = Vec::new();
        for (level, place) in levels.iter().zip(place.elements()) {
            let Value::Hash(hash) = level else { continue };
            let level = LocatedHash { hash, location: place };
            self.result.compared += 1;
            self.check_datadir(level);
            let Some((name, span)) = level.string_with_span("name") else { continue };
            if let Some((_, first)) = names.iter().find(|(known, _)| *known == name) {
                let line = self.document.source.position(first.start as usize).line;
                self.add_error(span, format!("duplicate level name '{name}'"), format!("first used on line {line}"));
            }
            names.push((name, span));
            self.check_exclusive_keys(level, &LOCATION_KEYS, "location");
            self.check_exclusive_keys(level, &BACKEND_KEYS, "backend");
            self.check_backend(level);
            self.check_level_paths(level);
            self.check_files_of_level(level, defaults);
            let data_hash = |level: LocatedHash<'d>| Some(level.string_with_span("data_hash")?.0);
            let backend = data_hash(level).or_else(|| defaults.map_or(Some("yaml_data"), data_hash));
            let is_own = BUILT_IN_BACKENDS.iter().any(|(own, _)| Some(*own) == backend);
            let usual = ["name", "datadir", "options", "data_hash"].map(Value::from);
            if is_own && hash.keys().all(|key| usual.contains(key)) {
                let message = format!("the level '{name}' names no file");
                self.add_error(span, message, "add path: 'common.yaml', or another");
            }
        }
    }

    fn check_exclusive_keys(&mut self, level: LocatedHash<'d>, keys: &[&str], what: &str) {
        let given: Vec<&str> = keys.iter().copied().filter(|key| level.hash.get_str(key).is_some()).collect();
        if let [first, second, ..] = given[..] {
            let span = level.location.span_at_path(&[Step::Key(second.into())]);
            let message = format!("a level has one {what}, this one has '{first}' and '{second}'");
            self.add_error(span, message, format!("remove '{second}', or make it another level"));
        }
    }

    /// Checks the backend functions that a level names in `data_hash`, `lookup_key` and `data_dig`.
    fn check_backend(&mut self, level: LocatedHash<'d>) {
        for key in &BACKEND_KEYS[..3] {
            let Some((name, span)) = level.string_with_span(key) else { continue };
            match BUILT_IN_BACKENDS.iter().find(|(own, _)| *own == name) {
                Some((_, meant)) if meant != key => {
                    self.add_error(span, format!("{name} is not a {key} function"), format!("write {meant}: {name}"));
                }
                Some(_) => {}
                None => self.check_custom_backend(name, span),
            }
        }
    }

    fn check_custom_backend(&mut self, name: &str, span: Span) {
        let is_known = self.index.puppet_function(name, self.environment).is_some()
            || self.index.ruby_declarations().functions.contains_key(name);
        let own = BUILT_IN_BACKENDS.map(|(name, _)| name);
        let of_format = own.into_iter().find(|own| own.split('_').next() == Some(name));
        let near = did_you_mean(of_format.or_else(|| nearest(name, own)));
        if is_known {
            self.result.compared += 1;
        } else if let Some(missing) = self.index.unknown_name_reason(name).filter(|_| name.contains("::")) {
            self.result.unjudged.push(missing);
        } else if name.contains("::") || near.is_some() || self.index.has_all_dependencies() {
            self.add_error(span, format!("unknown function {name}"), near.unwrap_or_default());
        } else {
            self.result.unjudged.push(UncheckedReason::UnknownFunction(name.to_owned()));
        }
    }

    fn check_level_paths(&mut self, level: LocatedHash<'d>) {
        for key in LOCATION_KEYS {
            let span = span_of_entry(level.location, key);
            match level.hash.get_str(key) {
                Some(mapped) if key == "mapped_paths" => self.check_mapped_paths(mapped, span),
                Some(Value::String(path)) if key == "path" && path.contains('*') => {
                    let message = format!("the path '{path}' has no wildcards");
                    self.add_error(span, message, format!("write glob: '{path}'"));
                }
                Some(Value::String(path)) => self.check_path_interpolation(path, span),
                _ => {
                    let paths = level.strings_in_array(key).into_iter();
                    paths.for_each(|(path, span)| self.check_path_interpolation(path, span));
                }
            }
        }
    }

    fn check_mapped_paths(&mut self, mapped: &Value, span: Span) {
        let parts = mapped.as_array().map_or(&[][..], |parts| &parts[..]);
        let [Value::String(variable), Value::String(name), Value::String(path)] = parts else {
            let help = "write [variable, name, path with %{name}]: [services, service, 'services/%{service}.yaml']";
            let message = format!("expected three strings for mapped_paths, got {}", describe(mapped));
            return self.add_error(span, message, help);
        };
        self.check_variable(variable, span);
        if variable.contains("%{") {
            let help = format!("write {}", variable.trim_start_matches("%{").trim_end_matches('}'));
            self.add_error(span, "the variable of mapped_paths is written without %{}", help);
        }
        if !path.contains(&format!("%{{{name}")) {
            self.add_error(span, format!("the path of mapped_paths does not contain %{{{name}}}"), "");
        }
    }

    fn check_variable(&mut self, name: &str, span: Span) {
        if let Some(error) = self.index.hiera_variable_error(name, &self.document.source) {
            self.result.add_warning(&self.document.source, span, error);
        }
    }

    fn check_path_interpolation(&mut self, path: &str, span: Span) {
        if path.matches("%{").count() > path.matches('}').count() {
            self.add_error(span, format!("unclosed %{{ in '{path}'"), "close it with }");
        } else if let Err(error) = interpolation::parse_string_parts(path) {
            self.add_error(span, error.message(), error.help().first().cloned().unwrap_or_default());
        } else if path.contains("${") {
            let help = format!("write {}", path.replace("${", "%{"));
            self.add_error(span, "Hiera interpolates %{name}, not ${name}", help);
        }
        for part in interpolation::parse_string_parts(path).unwrap_or_default() {
            let interpolation::StringPart::Variable(name) = part else { continue };
            self.check_variable(name, span);
        }
    }
}
