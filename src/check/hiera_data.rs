//! Checks Hiera data against class parameters: the key `apache::vhost::port` is the parameter `port` of the class
//! `apache::vhost`.
//!
//! Hiera's processing of a value is applied: `lookup_options` convert and merge. Values that are known only at run
//! time, strings with `%{…}` or `ENC[…]`, match wherever some string matches.
//!
//! Source: Puppet reference, "Automatic lookup of class parameters", "Configuring merge behavior in Hiera data".

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Checked, Finding, place_of, told_of, warnings};
use crate::data::hiera::interpolation::{self, Part};
use crate::data::hiera::{LookupOptions, Strategy, has_text};
use crate::data::{Document, Entry};
use crate::error::Error;
use crate::eval::{Declaration, Declared, Kind};
use crate::session::Session;
use crate::text::Source;
use crate::types::Type;
use crate::types::relation::mismatch::{Mismatch, Reason, Step, mismatches};
use crate::value::Value;
use crate::wording::nearest;

/// Checks documents that belong together: the options of each hold for the keys of all.
pub struct Checker<'s> {
    session: &'s mut Session,
    options: LookupOptions,
    classes: FxHashMap<String, Option<Arc<Declaration>>>,
    /// The keys of parameters whose type is wrong, which is told once.
    told: FxHashSet<String>,
}

impl std::fmt::Debug for Checker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<'s> Checker<'s> {
    /// A checker of these documents.
    pub fn new<'d>(session: &'s mut Session, documents: impl IntoIterator<Item = &'d Document>) -> Checker<'s> {
        let levels = documents.into_iter().filter_map(|document| match &document.value {
            Value::Hash(data) => Some(data),
            _ => None,
        });
        let options = LookupOptions::of(levels);
        Checker { session, options, classes: FxHashMap::default(), told: FxHashSet::default() }
    }

    /// The keys of a document against the parameters that they name. Other keys are not looked at.
    pub fn check(&mut self, document: &Document) -> Checked {
        let mut checked = Checked { findings: warnings(document), compared: 0 };
        match &document.value {
            Value::Undef => {}
            Value::Hash(data) => {
                let entries = named_entries(document);
                for (key, value) in data.iter() {
                    if let Value::String(name) = key
                        && let Some(entry) = entries.get(&**name)
                    {
                        self.check_key(document, name, value, entry, &mut checked);
                    }
                }
            }
            other => {
                let found = crate::types::relation::mismatch::describe(other);
                let error = Error::runtime(format!("expected a hash at the top level, as Hiera does, got {found}"));
                let place = super::first_line(&document.source, document.place.span);
                checked.findings.push(Finding::error(error.at(place).in_source(&document.source)));
            }
        }
        checked.sort();
        checked
    }

    fn check_key(&mut self, document: &Document, key: &str, value: &Value, entry: &Entry, checked: &mut Checked) {
        let Some((class, parameter)) = key.rsplit_once("::").filter(|(_, name)| !name.is_empty()) else { return };
        let Some(class) = self.class(class, checked) else { return };
        let Some(declared) = class.parameter(parameter) else {
            let near = nearest(parameter, class.parameters.iter().map(|declared| &*declared.name));
            let mut error = Error::runtime(format!("class {} has no parameter ${parameter}", class.name));
            if let Some(near) = near {
                error = error.with_help(format!("did you mean {}::{near}?", class.name));
            }
            checked.findings.push(Finding::warning(error.at(entry.key_span).in_source(&document.source)));
            return;
        };
        let type_ = match self.session.world.type_of(&class, declared) {
            Ok(type_) => type_,
            Err(error) => {
                if self.told.insert(key.to_owned()) {
                    checked.findings.push(Finding::error(error));
                }
                return;
            }
        };
        // No value is given by undef: the class takes its default.
        if matches!(value, Value::Undef) && declared.default.is_some() {
            return;
        }
        let arrived = match self.arrived(key, value) {
            Ok(Some(arrived)) => arrived,
            Ok(None) => return,
            Err(error) => {
                let wrong = Error::runtime(format!("cannot merge or convert '{key}': {}", error.message()));
                let span = super::first_line(&document.source, entry.place.find_from(entry.key_span, &[]));
                checked.findings.push(Finding::error(wrong.at(span).in_source(&document.source)));
                return;
            }
        };
        checked.compared += 1;
        let is_merged = matches!(self.options.merge(key), Ok(Some(Strategy::Hash | Strategy::Deep { .. })));
        for mut mismatch in mismatches(&type_, &arrived) {
            if is_open(&mismatch, is_merged) {
                continue;
            }
            let span = place_of(&mismatch, &entry.place, entry.key_span);
            mismatch.path.insert(0, Step::Entry(Value::from(key)));
            let mut finding = told_of(document, span, mismatch);
            finding.error = finding.error.with_help(declared_at(&class, declared));
            checked.findings.push(finding);
        }
    }

    /// The class of that name; `None` if there is none. What is wrong with its file is told once.
    fn class(&mut self, name: &str, checked: &mut Checked) -> Option<Arc<Declaration>> {
        if let Some(known) = self.classes.get(name) {
            return known.clone();
        }
        let class = match self.session.world.resource_definition(name) {
            Ok(definition) => definition.filter(|found| found.kind == Kind::Class && *found.name == *name),
            Err(error) => {
                checked.findings.push(Finding::error(error));
                None
            }
        };
        self.classes.insert(name.to_owned(), class.clone());
        class
    }

    /// The value as it arrives at the class: merged with nothing else, and converted; `None` if only a run can tell.
    fn arrived(&mut self, key: &str, value: &Value) -> Result<Option<Value>, Error> {
        let merged = match self.options.merge(key)? {
            Some(Strategy::Unique) => Strategy::Unique.merged(std::slice::from_ref(value))?,
            _ => None,
        };
        let merged = merged.unwrap_or_else(|| value.clone());
        match self.options.convert_to(key) {
            None => Ok(Some(merged)),
            Some(_) if has_open_text(&merged) => Ok(None),
            Some((type_, further)) => {
                let arguments: Vec<Value> = std::iter::once(merged).chain(further.iter().cloned()).collect();
                self.session.type_of_text(&Source::new("convert_to", type_))?.construct(&arguments).map(Some)
            }
        }
    }
}

/// The entries of a hash whose keys are strings; of a key that is given twice the last one counts.
fn named_entries(document: &Document) -> FxHashMap<&str, &Entry> {
    let named = document.place.entries().iter().filter_map(|entry| match &entry.key {
        Value::String(name) => Some((&**name, entry)),
        _ => None,
    });
    named.collect()
}

/// `$port of class web is declared in modules/web/manifests/init.pp:3`
fn declared_at(class: &Declaration, declared: &Declared) -> String {
    let line = class.source.position(declared.span.start as usize).line;
    format!("${} of class {} is declared in {}:{line}", declared.name, class.name, class.source.name())
}

/// Whether a run may well give a value that fits: a string that is filled in, or a part that another level of the hierarchy
/// gives.
fn is_open(mismatch: &Mismatch, is_merged: bool) -> bool {
    match (&mismatch.reason, &mismatch.found) {
        (Reason::MissingKey(_) | Reason::Size(_), _) => is_merged,
        (Reason::UnknownKey(key) | Reason::MisspelledKey(key, _), _) => has_open_text(key),
        (_, Value::String(text)) => is_any_value(text) || is_any_text(text) && takes_some_text(&mismatch.expected),
        (_, found) => has_open_text(found),
    }
}

/// `%{alias('name')}` alone can become a value of any type.
fn is_any_value(text: &str) -> bool {
    matches!(interpolation::parts(text).as_deref(), Ok([Part::Alias(_)]))
}

/// A string that Hiera fills in, or that is encrypted.
fn is_any_text(text: &str) -> bool {
    interpolation::is_open(text) || text.trim_start().starts_with("ENC[")
}

fn has_open_text(value: &Value) -> bool {
    has_text(value, is_any_text)
}

/// Whether some string is of the type, though perhaps not every one.
fn takes_some_text(type_: &Type) -> bool {
    let any_text = Type::named("String").expect("String is in the table of types");
    type_.alternatives().into_iter().any(|type_| type_.accepts(&any_text) || any_text.accepts(type_))
}
