//! Which keys of Hiera data are read otherwise than as parameters of classes: by `lookup` and `hiera` in programs,
//! templates and Ruby files, by `%{lookup('key')}` and `%{alias('key')}` in other data.

use std::sync::{Arc, LazyLock};

use regex::Regex;
use rustc_hash::FxHashSet;

use super::index::Index;
use crate::data::hiera::interpolation::{self, Part};
use crate::files::{self, files_below};
use crate::regexp::constant;
use crate::text::Source;
use crate::value::Value;

/// A string that may be the name of a key, perhaps with a variable part; or the name of one without quotes.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r#"['"]((?:[A-Za-z0-9_-]|\$\{[^}'"]*\})+(?:::(?:[A-Za-z0-9_.-]|\$\{[^}'"]*\})+)+)['"]|\blookup\(\s*([a-z]\w*(?:::\w+)+)"#,
    )
});

/// The folders of a module with files that may read keys, and the endings of these.
const PROGRAMS: [(&str, &str); 5] =
    [("manifests", "pp"), ("functions", "pp"), ("templates", "epp"), ("templates", "erb"), ("lib", "rb")];

#[derive(Debug, Default)]
pub(super) struct Usage {
    names: FxHashSet<Box<str>>,
    /// The beginnings of names with a variable part: `web::` of `"web::${x}"`.
    beginnings: FxHashSet<Box<str>>,
    /// Whether the programs and the files of the modules were looked through.
    is_complete: bool,
}

impl Usage {
    /// Whether something reads the key: what is known so far, a program, or a file of the modules.
    pub(super) fn has(&mut self, key: &str, programs: &[Arc<Source>], index: &mut Index) -> bool {
        if !std::mem::replace(&mut self.is_complete, true) {
            for program in programs {
                self.add_text(program.text());
            }
            for (_, directory) in index.directories.clone() {
                let files = PROGRAMS.iter().flat_map(|(folder, ending)| files_below(&directory.join(folder), ending));
                for file in files {
                    if index.is_readable(&file).is_none() {
                        self.add_text(&String::from_utf8_lossy(&files::source_bytes(&file).unwrap_or_default()));
                    }
                }
            }
        }
        self.names.contains(key) || self.beginnings.iter().any(|beginning| key.starts_with(&**beginning))
    }

    fn add_text(&mut self, text: &str) {
        for name in NAME.captures_iter(text).filter_map(|found| found.get(1).or(found.get(2))) {
            let name = name.as_str();
            match name.split_once("${") {
                None => {
                    self.names.insert(name.split('.').next().unwrap_or(name).into());
                }
                // A variable part at the start says nothing.
                Some((beginning, _)) if beginning.contains("::") => {
                    self.beginnings.insert(beginning.into());
                }
                Some(_) => {}
            }
        }
    }

    pub(super) fn add_value(&mut self, value: &Value) {
        let mut keys = Vec::new();
        keys_read(value, &mut keys);
        self.names.extend(keys.iter().map(|key| key.split('.').next().unwrap_or(key).into()));
    }
}

pub(super) fn keys_read(value: &Value, keys: &mut Vec<String>) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::String(text) if text.contains("%{") => {
                let parts = interpolation::parts(text).unwrap_or_default();
                keys.extend(parts.into_iter().filter_map(|part| match part {
                    // A name that is itself filled in is not known.
                    Part::Lookup(key) | Part::Alias(key) if !key.contains("%{") => Some(key.to_owned()),
                    _ => None,
                }));
            }
            Value::Array(elements) => pending.extend(elements.iter()),
            Value::Hash(entries) => pending.extend(entries.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
}
