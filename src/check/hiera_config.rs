//! Checks `hiera.yaml`: version, keys, the order of levels, what a level reads.
//!
//! Source: Puppet reference, "Hiera: Config file syntax (hiera.yaml v5)".

use super::{Checked, Finding, Unjudged, first_line, warnings};
use crate::data::hiera::interpolation;
use crate::data::{Document, Place};
use crate::error::Error;
use crate::text::Span;
use crate::types::describe::describe;
use crate::value::{Hash, Value};
use crate::wording::nearest;

const TOP: [&str; 4] = ["version", "defaults", "hierarchy", "default_hierarchy"];
const BACKENDS: [&str; 4] = ["data_hash", "lookup_key", "data_dig", "hiera3_backend"];
const LOCATIONS: [&str; 7] = ["path", "paths", "glob", "globs", "mapped_paths", "uri", "uris"];
const FURTHER: [&str; 3] = ["name", "datadir", "options"];

struct Config<'d> {
    document: &'d Document,
    checked: Checked,
}

/// Checks the content of a `hiera.yaml`. `exists` returns whether there is a directory of that name beside the file.
///
/// ```
/// use pcore::check::check_config;
/// use pcore::data::{Format, read};
/// use pcore::text::Source;
/// let document = read(Format::Yaml, &Source::new("hiera.yaml", "version: 5\nhierachy: []\n"))?;
/// let checked = check_config(&document, &|_| true);
/// assert_eq!(checked.findings[0].error.message(), "unknown key 'hierachy'");
/// assert_eq!(checked.findings[0].error.help(), ["did you mean 'hierarchy'?"]);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn check_config(document: &Document, exists: &dyn Fn(&str) -> bool) -> Checked {
    let checked = Checked { findings: warnings(document), ..Checked::default() };
    let mut config = Config { document, checked };
    config.check(exists);
    config.checked.sort();
    config.checked
}

impl Config<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let error = self.described(span, message.into(), help.into());
        self.checked.findings.push(Finding::error(error));
    }

    fn warning(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let error = self.described(span, message.into(), help.into());
        self.checked.findings.push(Finding::warning(error));
    }

    /// An error with advice, which may be empty.
    fn described(&self, span: Span, message: String, help: String) -> Error {
        let span = first_line(&self.document.source, span);
        let error = Error::coded("HIERA_CONFIG", message).at(span).in_source(&self.document.source);
        if help.is_empty() { error } else { error.with_help(help) }
    }

    fn unknown(&mut self, key: &str, span: Span, known: &[&str]) {
        let near = nearest(key, known.iter().copied()).map(|near| format!("did you mean '{near}'?"));
        let help = near.unwrap_or_else(|| format!("the keys are {}", known.join(", ")));
        self.error(span, format!("unknown key '{key}'"), help);
    }

    fn check(&mut self, exists: &dyn Fn(&str) -> bool) {
        let document = self.document;
        let Value::Hash(top) = &document.value else {
            if !matches!(document.value, Value::Undef) {
                let message = format!("expected a hash, got {}", describe(&document.value));
                self.error(document.place.span, message, "");
            }
            return;
        };
        self.checked.compared += 1;
        match top.get_str("version") {
            Some(Value::Integer(5)) => {}
            // Hiera 3 has other rules.
            Some(Value::Integer(3)) | None if top.iter().any(|(key, _)| key.to_string().contains("backends")) => {
                self.checked.unjudged.push(Unjudged::NotHieraData);
                return;
            }
            None => {
                self.error(document.place.span, "the key version is missing", "add version: 5");
            }
            Some(other) => {
                let span = Config::span(&document.place, "version");
                let message = format!("expected version 5, got {}", describe(other));
                self.error(span, message, "write version: 5");
            }
        }
        for entry in document.place.entries() {
            match &entry.key {
                Value::String(key) if TOP.contains(&&**key) => {}
                Value::String(key) => self.unknown(key, entry.key_span, &TOP),
                other => self.error(entry.key_span, format!("unknown key {}", describe(other)), ""),
            }
        }
        if let Some(Value::Hash(defaults)) = top.get_str("defaults")
            && let Some(place) = document.place.entry(&Value::from("defaults"))
        {
            self.keys(&place.place, &[&BACKENDS[..], &["datadir", "options"]].concat());
            self.datadir(defaults, &place.place, exists);
        }
        for name in ["hierarchy", "default_hierarchy"] {
            let (Some(levels), Some(place)) = (top.get_str(name), document.place.entry(&Value::from(name))) else {
                continue;
            };
            let Value::Array(levels) = levels else {
                let message = format!("expected {name} to be an array of levels, got {}", describe(levels));
                self.error(place.key_span, message, "begin each level with `- name:`");
                continue;
            };
            self.levels(levels, &place.place, exists);
        }
    }

    fn keys(&mut self, place: &Place, known: &[&str]) {
        for entry in place.entries() {
            if let Value::String(key) = &entry.key
                && !known.contains(&&**key)
            {
                self.unknown(key, entry.key_span, known);
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

    fn levels(&mut self, levels: &[Value], place: &Place, exists: &dyn Fn(&str) -> bool) {
        let mut names: Vec<(String, Span)> = Vec::new();
        let mut fixed: Option<String> = None;
        for (level, place) in levels.iter().zip(place.elements()) {
            let Value::Hash(level) = level else {
                self.error(place.span, format!("expected a level, a hash, got {}", describe(level)), "");
                continue;
            };
            self.checked.compared += 1;
            self.keys(place, &[&FURTHER[..], &BACKENDS[..], &LOCATIONS[..]].concat());
            self.datadir(level, place, exists);
            let name = match level.get_str("name") {
                Some(Value::String(name)) => name.to_string(),
                _ => {
                    self.error(place.span, "the level has no name", "every level needs a unique name");
                    continue;
                }
            };
            let span = Config::span(place, "name");
            if let Some((_, first)) = names.iter().find(|(known, _)| *known == name) {
                let line = self.document.source.position(first.start as usize).line;
                self.error(span, format!("duplicate level name '{name}'"), format!("first used on line {line}"));
            }
            names.push((name.clone(), span));
            self.one_of(level, place, &LOCATIONS, "location");
            self.one_of(level, place, &BACKENDS, "backend");
            self.locations(level, place);
            if level.get_str("mapped_paths").is_some() || is_open(level) {
                if let Some(earlier) = &fixed {
                    let message =
                        format!("'{earlier}', which is the same for all nodes, comes before '{name}' and overrides it");
                    let help = format!("move '{earlier}' below");
                    self.warning(span, message, help);
                }
            } else if LOCATIONS.iter().any(|key| level.get_str(key).is_some()) {
                // An encrypted or a global override level is often fixed and first: the keys differ.
                let is_override = ["secret", "eyaml", "override", "encrypt", "force", "private"]
                    .iter()
                    .any(|word| name.to_lowercase().contains(word));
                let is_plain = matches!(level.get_str("data_hash"), None | Some(Value::String(_)))
                    && level.get_str("lookup_key").is_none();
                if !is_override && is_plain && fixed.is_none() && level.get_str("path").is_some() {
                    fixed = Some(name);
                }
            }
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

    /// The values of `path`, `globs`, `mapped_paths` …
    fn locations(&mut self, level: &Hash, place: &Place) {
        for key in LOCATIONS {
            let Some(value) = level.get_str(key) else { continue };
            let span = Config::span(place, key);
            let is_list = key.ends_with('s');
            match value {
                Value::Array(elements) if key == "mapped_paths" => {
                    if elements.len() != 3 || !elements.iter().all(|element| matches!(element, Value::String(_))) {
                        let help = "write [variable, name, path with %{name}]: [services, service, 'services/%{service}.yaml']";
                        let message = format!("expected three strings for mapped_paths, got {}", describe(value));
                        self.error(span, message, help);
                    } else if let [Value::String(variable), Value::String(name), Value::String(path)] = &elements[..] {
                        if variable.contains("%{") {
                            let help = format!("write {}", variable.trim_start_matches("%{").trim_end_matches('}'));
                            self.error(span, "the variable of mapped_paths is written without %{}", help);
                        }
                        if !path.contains(&format!("%{{{name}")) {
                            let message = format!("the path of mapped_paths does not contain %{{{name}}}");
                            self.error(span, message, "");
                        }
                    }
                }
                Value::Array(elements) if is_list => {
                    for element in elements.iter() {
                        self.path(element, span);
                    }
                }
                Value::String(_) if !is_list => self.path(value, span),
                other => {
                    let expected = if is_list { "an array of strings" } else { "a string" };
                    let singular = key.trim_end_matches('s');
                    let help = match (is_list, other) {
                        (true, Value::String(_)) => Some(format!("write {singular}:, or [{other}]")),
                        (false, Value::Array(_)) => Some(format!("write {key}s:")),
                        _ => None,
                    };
                    self.error(
                        span,
                        format!("expected {expected} for {key}, got {}", describe(other)),
                        help.unwrap_or_default(),
                    );
                }
            }
        }
    }

    fn path(&mut self, path: &Value, span: Span) {
        let Value::String(text) = path else {
            self.error(span, format!("expected a string, got {}", describe(path)), "");
            return;
        };
        let opened = text.matches("%{").count();
        if opened > text.matches('}').count() {
            self.error(span, format!("unclosed %{{ in '{text}'"), "close it with }");
        } else if let Err(error) = interpolation::parts(text) {
            self.error(span, error.message().to_owned(), error.help().first().cloned().unwrap_or_default());
        } else if text.contains("${") {
            let help = format!("write {}", text.replace("${", "%{"));
            self.error(span, "Hiera interpolates %{name}, not ${name}", help);
        }
    }
}

/// Whether what a level reads depends on the node.
fn is_open(level: &Hash) -> bool {
    let values = LOCATIONS.iter().filter_map(|key| level.get_str(key));
    values.into_iter().any(|value| crate::data::hiera::has_text(value, interpolation::is_open))
}
