//! Which keys of Hiera data are read otherwise than as parameters of classes: by `lookup` and `hiera` in programs,
//! templates and Ruby files, by `%{lookup('key')}` and `%{alias('key')}` in other data.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Checked, Checker, Unjudged, index::Index, lint::REFERENCE, program::lower_name, ruby};
use crate::data::hiera::interpolation::{self, Part};
use crate::data::hiera::{self, LOOKUP_OPTIONS};
use crate::data::{Document, Entry};
use crate::error::Error;
use crate::files::files_below;
use crate::regexp::constant;
use crate::text::{Source, Span};
use crate::value::Value;

const UNUSED_DATA: &str = "UNUSED_DATA";

/// A string that may be the name of a key, perhaps with a variable part; or the name of one without quotes.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r#"['"]((?:[A-Za-z0-9_.-]|\$\{[^}'"]*\})+(?:::(?:[A-Za-z0-9_.-]|\$\{[^}'"]*\})+)*)['"]|\b(?:lookup|hiera\w*)[( ]\s*([a-z]\w*(?:::\w+)*)|\W:([a-z]\w*)\b"#,
    )
});

/// A lookup of a key that is known only at run time.
static DYNAMIC: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r#"\b(?:function_)?(?:lookup|hiera\w*)['"]?\s*[( ,]\s*\[?\s*(?:[$@]|"[$#]|[a-z]\w*[\]).])|\$\w+\.(?:lookup|hiera\w*)\b"#,
    )
});

/// The folders of a module with files that may read keys, and the endings of these.
const PROGRAMS: [(&str, &str); 6] = [
    ("manifests", "pp"),
    ("functions", "pp"),
    ("plans", "pp"),
    ("templates", "epp"),
    ("templates", "erb"),
    ("lib", "rb"),
];

#[derive(Debug, Default)]
pub(super) struct Usage {
    names: FxHashSet<Box<str>>,
    /// The beginnings of names with a variable part: `web::` of `"web::${x}"`.
    beginnings: FxHashSet<Box<str>>,
    /// Whether a key is looked up whose name is not written anywhere.
    is_dynamic: bool,
    /// Whether the programs and the files of the modules were looked through.
    is_complete: bool,
}

impl Checker<'_> {
    /// Reports a file with data that no level reads. Returns the module that a file with data of a module belongs to.
    pub(super) fn owner_of_data(&self, document: &Document, checked: &mut Checked) -> Option<String> {
        let file = Path::new(document.source.name()).canonicalize().ok()?;
        let covering = || self.data.hierarchies.iter().filter(|(_, hierarchy)| hierarchy.covers(&file));
        let (owner, _) = covering().next()?;
        if !covering().any(|(_, hierarchy)| hierarchy.may_read(&file)) {
            let error = Error::new(UNUSED_DATA, "no level of hiera.yaml reads this file");
            checked.warning(&document.source, Span::default(), error);
        }
        owner.clone().filter(|_| covering().all(|(other, _)| other == owner))
    }

    /// A key that names no parameter: reported in a control repository where nothing that could look it up is missing.
    pub(super) fn check_plain_key(&mut self, document: &Document, key: &str, entry: &Entry, checked: &mut Checked) {
        let is_anchor = || document.source.slice(entry.key_span.to(entry.place.span)).contains('&');
        let reason = if !self.data.sees_all(&self.index) || is_anchor() || self.data.options.of_key(key).is_some() {
            Unjudged::PlainKey
        } else if self.usage.has(key, &self.programs, &self.index) {
            Unjudged::LookupKey
        } else {
            let error = Error::new(UNUSED_DATA, format!("nothing reads the key '{key}'"));
            return checked.warning(&document.source, entry.key_span, error);
        };
        checked.unjudged.push(reason);
    }

    /// Counts each name in the code and the data of the project, comments aside, in lower case and without leading colons.
    pub(super) fn count_names(&mut self) {
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
                *counts.entry(Box::from(&*lower_name(name))).or_insert(0) += 1;
                if std::mem::replace(&mut follows_class, name == "Class") {
                    *counts.entry(format!("{REFERENCE}{}", lower_name(name)).into()).or_insert(0) += 1;
                }
            }
        };
        let sources = self.data.values.values().flatten().map(|(source, _)| (source.name(), source));
        let sources: FxHashMap<&str, &Arc<Source>> = sources.collect();
        for source in sources.values() {
            count(source.text());
        }
        each_text(&self.programs, &self.index, &mut count);
        self.name_counts = Some(counts);
    }
}

impl Usage {
    /// Whether something reads the key: what is known so far, a program, or a file of the modules.
    pub(super) fn has(&mut self, key: &str, programs: &[Arc<Source>], index: &Index) -> bool {
        if !std::mem::replace(&mut self.is_complete, true) {
            each_text(programs, index, &mut |text| self.add_text(text));
        }
        let is_plain = !key.contains("::");
        let begins = |beginning: &str| key.starts_with(beginning) && (is_plain || beginning.contains("::"));
        self.names.contains(key)
            || is_plain && self.is_dynamic
            || self.beginnings.iter().any(|beginning| begins(beginning))
    }

    /// The keys with `::` that something reads, as parts of a regular expression, in alphabetical order.
    pub(super) fn patterns(&mut self, programs: &[Arc<Source>], index: &Index) -> Vec<String> {
        self.has("", programs, index);
        let names = self.names.iter().map(|name| (name, "$"));
        let all = names.chain(self.beginnings.iter().map(|beginning| (beginning, "")));
        let all = all.filter(|(name, _)| name.contains("::"));
        let mut all: Vec<String> = all.map(|(name, end)| format!("{}{end}", name.replace('.', r"\."))).collect();
        all.sort_unstable();
        all
    }

    fn add_text(&mut self, text: &str) {
        self.is_dynamic |= DYNAMIC.is_match(text);
        for name in NAME.captures_iter(text).filter_map(|found| found.get(1).or(found.get(2)).or(found.get(3))) {
            let name = name.as_str();
            match name.split_once("${") {
                None => self.names.extend(name.split('.').next().map(Box::from)),
                // A variable part at the start says nothing.
                Some(("", _)) => {}
                Some((beginning, _)) => self.beginnings.extend([beginning.into()]),
            }
        }
    }

    pub(super) fn add_value(&mut self, value: &Value) {
        self.names.extend(keys_read(value).map(|key| key.split('.').next().unwrap_or(key).into()));
    }
}

/// The error for a key of another module in the data of `owner`; none if the data belong to no module.
///
/// Source: Puppet reference, "Hiera: The three config layers", "Module layer".
pub(super) fn foreign_key(owner: Option<&str>, key: &str) -> Option<Error> {
    let owner = owner?;
    let is_own = key == LOOKUP_OPTIONS || key.strip_prefix(owner).is_some_and(|rest| rest.starts_with("::"));
    let error = || Error::new(UNUSED_DATA, format!("Puppet ignores the key '{key}' in the data of a module"));
    (!is_own).then(|| error().with_help(format!("its keys begin with {owner}::")))
}

/// The texts of all programs, and of the other files of modules that have code.
fn each_text(programs: &[Arc<Source>], index: &Index, read: &mut dyn FnMut(&str)) {
    for program in programs {
        read(program.text());
    }
    for (_, directory) in &index.directories {
        for file in PROGRAMS.iter().flat_map(|(folder, ending)| files_below(&directory.join(folder), Some(ending))) {
            if index.is_readable(&file).is_none() {
                read(&ruby::text(&file));
            }
        }
    }
}

pub(super) fn keys_read(value: &Value) -> impl Iterator<Item = &str> {
    let texts = hiera::texts(value).filter(|text| text.contains("%{"));
    texts.flat_map(|text| interpolation::parts(text).unwrap_or_default()).filter_map(|part| match part {
        // A name that is itself filled in is not known.
        Part::Lookup(key) | Part::Alias(key) if !key.contains("%{") => Some(key),
        _ => None,
    })
}
