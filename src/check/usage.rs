//! Finds the keys of Hiera data that are looked up by name: by `lookup` and `hiera` in programs, templates and Ruby
//! files, and by `%{lookup('key')}` and `%{alias('key')}` in other data.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Checker, UncheckedReason, index::Index, lint::REFERENCE, program::normalize_name, ruby};
use crate::data::hiera::interpolation::{self, StringPart};
use crate::data::hiera::{self, LOOKUP_OPTIONS};
use crate::data::{Document, Entry};
use crate::error::Error;
use crate::files::files_below;
use crate::regexp::ConstantRegex;
use crate::text::{Source, Span};
use crate::value::{Hash, Value};
use crate::wording::did_you_mean;

const UNUSED_DATA: &str = "UNUSED_DATA";

/// Matches a string that may be a Hiera key, perhaps with an interpolated part, or such a key without quotes.
static POSSIBLE_KEY: ConstantRegex = ConstantRegex::new(
    r#"['"](?:[A-Za-z0-9_.-]|\$\{[^}'"]*\})+(?:::(?:[A-Za-z0-9_.-]|\$\{[^}'"]*\})+)*['"]|\b(?:lookup|hiera\w*)[( ]\s*[a-z]\w*(?:::\w+)*|\W:[a-z]\w*\b"#,
);

/// Matches a lookup whose key is known only at run time.
static DYNAMIC_LOOKUP: ConstantRegex = ConstantRegex::new(
    r#"\b(?:function_)?(?:lookup|hiera\w*)['"]?\s*[( ,]\s*\[?\s*(?:[$@]|"[$#]|[a-z]\w*[\]).])|\$\w+\.(?:lookup|hiera\w*)\b"#,
);

/// The folders of a module with code that may look up keys, and the file name extensions of this code.
const PROGRAMS: [(&str, &str); 6] = [
    ("manifests", "pp"),
    ("functions", "pp"),
    ("plans", "pp"),
    ("templates", "epp"),
    ("templates", "erb"),
    ("lib", "rb"),
];

#[derive(Debug, Default)]
pub(super) struct KeyUsage {
    read_keys: FxHashSet<Box<str>>,
    /// The parts of keys before an interpolation: `web::` for `"web::${x}"`.
    read_key_prefixes: FxHashSet<Box<str>>,
    /// Whether some lookup computes its key at run time.
    has_dynamic_lookup: bool,
    /// Whether the programs and the code of the modules have been searched.
    has_searched_code: bool,
}

impl Checker<'_> {
    /// Returns the module that a data file belongs to, if any. Reports a data file that no hierarchy level reads, and an
    /// encrypted one that no such level decrypts.
    pub(super) fn module_of_data_file(&mut self, document: &Document) -> Option<String> {
        let file = Path::new(document.source.name()).canonicalize().ok()?;
        let covering = || self.data.hierarchies.iter().filter(|(_, hierarchy)| hierarchy.is_in_data_directory(&file));
        let (owner, _) = covering().next()?;
        let owner = owner.clone().filter(|_| covering().all(|(other, _)| other == owner));
        let mut keys = document.value.as_hash().into_iter().flat_map(Hash::keys).filter_map(Value::as_str);
        let with_same_key = keys.find_map(|key| self.data.values.get(key)).into_iter().flatten();
        // A level may read the file through a symbolic link with another name.
        let mut others = with_same_key.map(|(source, _)| source.name()).filter(|name| *name != document.source.name());
        let may_read = |must_decrypt| covering().any(|(_, hierarchy)| hierarchy.may_read_file(&file, must_decrypt));
        let (is_read, may_decrypt) = (may_read(false), may_read(true));
        if !is_read && !others.any(|name| Path::new(name).canonicalize().is_ok_and(|other| other == file)) {
            self.warn(document, Span::default(), Error::new(UNUSED_DATA, "no level of hiera.yaml reads this file"));
        }
        let text = document.source.text();
        let encrypted = text.find("ENC[PKCS7,").or_else(|| text.find("ENC[GPG,"));
        if let Some(at) = encrypted.filter(|_| is_read && !may_decrypt) {
            let error = Error::new("HIERA_CONFIG", "the level of hiera.yaml that reads this file does not decrypt it");
            self.warn(document, Span::new(at, at + 4), error.with_help("write `lookup_key: eyaml_lookup_key`"));
        }
        owner
    }

    /// Checks a key that names no class parameter. Reports the key if all code and data is known and nothing reads it.
    pub(super) fn check_plain_key(&mut self, document: &Document, key: &str, entry: &Entry) {
        let is_anchor = || document.source.slice(entry.key_span.union(entry.value_location.span)).contains('&');
        let has_options = self.data.options.options_of_key(key).is_some();
        if has_options || is_anchor() {
            return self.result.unjudged.push(UncheckedReason::PlainKey);
        }
        let is_read = self.is_key_read(key);
        // `class` for `classes`, which code reads and another file sets.
        let is_meant = |name: &String| {
            !is_read && self.data.values.contains_key(&**name) && self.key_usage.read_keys.contains(&**name)
        };
        let plural = ["s", "es"].map(|end| format!("{key}{end}")).into_iter().find(is_meant);
        if plural.is_none() && !self.data.knows_all_data(&self.index) {
            self.result.unjudged.push(UncheckedReason::PlainKey);
        } else if is_read {
            self.result.unjudged.push(UncheckedReason::LookupKey);
        } else {
            let error = Error::new(UNUSED_DATA, format!("nothing reads the key '{key}'"));
            self.result.add_warning(&document.source, entry.key_span, error).help_if(did_you_mean(plural));
        }
    }

    pub(super) fn is_key_read(&mut self, key: &str) -> bool {
        if !std::mem::replace(&mut self.key_usage.has_searched_code, true) {
            visit_all_code(&self.programs, &self.index, &mut |text| self.key_usage.add_keys_in_code(text));
        }
        let (known, is_plain) = (&self.key_usage, !key.contains("::"));
        let begins = |beginning: &str| key.starts_with(beginning) && (is_plain || beginning.contains("::"));
        known.read_keys.contains(key)
            || is_plain && known.has_dynamic_lookup
            || known.read_key_prefixes.iter().any(|beginning| begins(beginning))
    }

    /// Returns regular expressions for the keys with `::` that are looked up, sorted.
    pub(super) fn key_patterns(&mut self) -> Vec<String> {
        self.is_key_read("");
        let names = self.key_usage.read_keys.iter().map(|name| (name, "$"));
        let all = names.chain(self.key_usage.read_key_prefixes.iter().map(|beginning| (beginning, "")));
        let all = all.filter(|(name, _)| name.contains("::"));
        let mut all: Vec<String> = all.map(|(name, end)| format!("{}{end}", name.replace('.', r"\."))).collect();
        all.sort_unstable();
        all
    }

    /// Returns the error for a variable of the class whose parameter `key` is: it has no value when the key is looked up.
    ///
    /// Observed: Puppet 7.23 warns that the class has not been evaluated, and inserts nothing.
    pub(super) fn own_variable_error(&mut self, key: &str, variable: &str) -> Option<Error> {
        let (class, parameter) = key.rsplit_once("::")?;
        let variable = variable.split('.').next()?.trim_start_matches("::");
        let (_, name) = variable.rsplit_once("::").filter(|(of, _)| *of == class)?;
        let known = self.index.resource_type(class, &mut self.session.environment)?;
        known.declaration.parameter_named(parameter)?;
        let error =
            Error::new("UNKNOWN_VARIABLE", format!("{class} sets its variables after its parameters are looked up"));
        let is_parameter = known.declaration.parameter_named(name).is_some();
        Some(if is_parameter { error.with_help(format!("write %{{lookup('{class}::{name}')}}")) } else { error })
    }

    /// Counts each name in the code and data of the project, except in comments, ignoring case and leading colons.
    pub(super) fn count_names_in_project(&mut self) {
        let mut counts = FxHashMap::default();
        let mut count = |text: &str| {
            let is_delimiter = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != ':';
            let code = text.lines().filter(|line| !line.trim_start().starts_with('#'));
            let mut follows_class = false;
            for word in code.flat_map(|line| line.split(is_delimiter)) {
                let name = word.trim_matches(':');
                if name.is_empty() {
                    continue;
                }
                *counts.entry(Box::from(&*normalize_name(name))).or_insert(0) += 1;
                if std::mem::replace(&mut follows_class, name == "Class") {
                    *counts.entry(format!("{REFERENCE}{}", normalize_name(name)).into()).or_insert(0) += 1;
                }
            }
        };
        self.data.source_texts().into_values().for_each(&mut count);
        visit_all_code(&self.programs, &self.index, &mut count);
        self.name_counts = Some(counts);
    }
}

impl KeyUsage {
    fn add_keys_in_code(&mut self, text: &str) {
        self.has_dynamic_lookup |= DYNAMIC_LOOKUP.is_match(text);
        let is_around_name = |letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | ':');
        // Without groups, a search takes a tenth of the time.
        for found in POSSIBLE_KEY.find_iter(text).map(|found| found.as_str()) {
            let name = match found.strip_prefix(['\'', '"']) {
                Some(string) => string.trim_end_matches(['\'', '"']),
                None => found.rsplit(is_around_name).next().unwrap_or_default().trim_start_matches(':'),
            };
            match name.split_once("${") {
                None => self.read_keys.extend(name.split('.').next().map(Box::from)),
                // A variable part at the start says nothing.
                Some(("", _)) => {}
                Some((beginning, _)) => self.read_key_prefixes.extend([beginning.into()]),
            }
        }
    }

    pub(super) fn add_keys_in_value(&mut self, value: &Value) {
        self.read_keys.extend(interpolated_keys(value).map(|key| key.split('.').next().unwrap_or(key).into()));
    }
}

/// Returns the error for a key of another module in the data of the module `owner`; `None` without an owner.
///
/// Source: Puppet reference, "Hiera: The three config layers", "Module layer".
pub(super) fn foreign_key_error(owner: Option<&str>, key: &str) -> Option<Error> {
    let owner = owner?;
    let is_own = key == LOOKUP_OPTIONS || key.strip_prefix(owner).is_some_and(|rest| rest.starts_with("::"));
    let error = || Error::new(UNUSED_DATA, format!("Puppet ignores the key '{key}' in the data of a module"));
    (!is_own).then(|| error().with_help(format!("its keys begin with {owner}::")))
}

fn visit_all_code(programs: &[Arc<Source>], index: &Index, read: &mut dyn FnMut(&str)) {
    for program in programs {
        read(program.text());
    }
    for (_, directory) in &index.module_directories {
        for file in PROGRAMS.iter().flat_map(|(folder, ending)| files_below(&directory.join(folder), Some(ending))) {
            if index.is_checked_file_valid(&file).is_none() {
                read(&ruby::read_file_lossy(&file));
            }
        }
    }
}

pub(super) fn interpolated_keys(value: &Value) -> impl Iterator<Item = &str> {
    let texts = hiera::strings_in_value(value).filter(|text| text.contains("%{"));
    texts.flat_map(|text| interpolation::parse_string_parts(text).unwrap_or_default()).filter_map(|part| match part {
        // A name that is itself filled in is not known.
        StringPart::Lookup(key) | StringPart::Alias(key) if !key.contains("%{") => Some(key),
        _ => None,
    })
}
