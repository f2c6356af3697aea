//! Checks Hiera data against class parameters: the key `apache::vhost::port` is the parameter `port` of the class
//! `apache::vhost`.
//!
//! Hiera's processing of a value is applied: `lookup_options` convert and merge. Values that are known only at run
//! time, strings with `%{…}` or `ENC[…]`, match wherever some string matches.
//!
//! Source: Puppet reference, "Automatic lookup of class parameters", "Configuring merge behavior in Hiera data".

use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::bodies::LookedUp;
use super::index::{Index, Known, Ruby};
use super::names::module_of;
use super::usage::Usage;
use super::{Checked, Finding, Program, Rule, Unjudged, finding_for, hidden, lint, place_of, warnings};
use crate::data::hiera::interpolation::{self, Part};
use crate::data::hiera::{LOOKUP_OPTIONS, LookupOptions, Strategy, has_text};
use crate::data::{Document, Entry, Place};
use crate::error::Error;
use crate::eval::Kind;
use crate::explain::mismatch::{Mismatch, Reason, Step, mismatches};
use crate::session::{Session, Strictness};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::Value;
use crate::wording::nearest;

const UNKNOWN_PARAMETER: &str = "UNKNOWN_PARAMETER";

/// Checks documents and programs that belong together: the options of each document hold for the keys of all, and
/// programs see what all of them declare.
///
/// ```
/// use pcore::{Session, check::{Checker, Program}, data::{Format, read}, text::Source};
/// let document = read(Format::Yaml, &Source::new("common.yaml", "web::port: '80'\n"))?;
/// let mut session = Session::default();
/// let mut checker = Checker::new(&mut session, [&document]);
/// checker.add([&Program::new(Source::new("web.pp", "class web(Integer $port) { }"))]);
/// let checked = checker.check(&document);
/// assert_eq!(checked.findings[0].error.position().unwrap().line, 1);
/// # Ok::<(), pcore::Error>(())
/// ```
pub struct Checker<'s> {
    pub(super) session: &'s mut Session,
    pub(super) index: Index,
    options: LookupOptions,
    keys: FxHashSet<Box<str>>,
    /// The keys that programs and other keys read.
    usage: Usage,
    pub(super) rules: Vec<&'static Rule>,
    pub(super) programs: Vec<Arc<Source>>,
    /// The classes that were looked for; what is wrong with their files is reported once.
    classes: FxHashMap<String, Option<Arc<Known>>>,
    /// The keys of parameters whose type is wrong, which is reported once.
    told: FxHashSet<String>,
    /// The values of the document that were compared, with their types and places.
    compared: Vec<(Type, Value, Place)>,
}

impl std::fmt::Debug for Checker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The declarations in the Ruby files of the modules, shared between checkers on several threads.
#[doc(hidden)] // for the program
#[derive(Debug, Default)]
pub struct RubyFiles(Arc<OnceLock<Arc<Ruby>>>);

impl<'s> Checker<'s> {
    /// A checker of these documents.
    pub fn new<'d>(session: &'s mut Session, documents: impl IntoIterator<Item = &'d Document>) -> Checker<'s> {
        let levels: Vec<_> = documents.into_iter().filter_map(|document| document.value.as_hash()).collect();
        let options = LookupOptions::of(levels.iter().copied());
        let mut usage = Usage::default();
        let mut keys = FxHashSet::default();
        for (key, value) in levels.iter().flat_map(|level| level.iter()) {
            if let Value::String(name) = key {
                keys.insert(Box::from(&**name));
            }
            usage.add_value(value);
        }
        session.environment.share_type_names();
        let index = Index::new(&session.environment);
        Checker {
            session,
            index,
            options,
            keys,
            usage,
            rules: Vec::new(),
            programs: Vec::new(),
            classes: FxHashMap::default(),
            told: FxHashSet::default(),
            compared: Vec::new(),
        }
    }

    /// Turns lint rules on.
    pub fn lint(&mut self, rules: impl IntoIterator<Item = &'static Rule>) {
        self.rules.extend(rules);
    }

    /// Shares the declarations in Ruby files with other checkers of the same modules, so that each file is read once.
    #[doc(hidden)] // for the program
    pub fn share(&mut self, files: &RubyFiles) {
        self.index.ruby = files.0.clone();
    }

    /// The interrupt that stops the next check, and only that.
    #[doc(hidden)] // for the program
    pub fn interrupt(&mut self) -> crate::session::Interrupt {
        self.session.interrupt = crate::session::Interrupt::default();
        self.session.environment.interrupt = self.session.interrupt.clone();
        self.session.interrupt.clone()
    }

    /// Makes the classes, defined types and functions of programs known to each other, and to what is checked.
    pub fn add<'p>(&mut self, programs: impl IntoIterator<Item = &'p Program>) {
        for program in programs {
            self.programs.push(program.source.clone());
            self.index.add(program, &mut self.session.environment);
        }
    }

    /// Checks the keys of a document against the parameters that they name. Other keys are counted.
    pub fn check(&mut self, document: &Document) -> Checked {
        let mut checked = Checked { findings: warnings(document), ..Checked::default() };
        match &document.value {
            Value::Undef => {}
            Value::Hash(data) => {
                let entries = named_entries(document);
                self.bounded(&document.source, &mut checked, |checker, checked| {
                    for (key, value) in data.iter() {
                        if let Value::String(name) = key
                            && let Some(entry) = entries.get(&**name)
                        {
                            checker.check_key(document, name, value, entry, checked);
                        }
                    }
                });
            }
            other => {
                let found = crate::types::describe::describe(other);
                let error = Error::runtime(format!("expected a hash at the top level, as Hiera does, got {found}"));
                let place = super::first_line(&document.source, document.place.span);
                checked.findings.push(Finding::error(error.at(place).in_source(&document.source)));
            }
        }
        lint::ignore(&document.source, &mut checked);
        hidden::hide(&document.source, std::mem::take(&mut self.compared), &mut checked);
        checked.sort();
        checked
    }

    /// Reports keys that programs look up, where only a similar one is in the data.
    pub(super) fn check_lookups(&self, source: &Arc<Source>, looked_up: &[LookedUp], checked: &mut Checked) {
        for lookup in looked_up.iter().filter(|lookup| !lookup.has_default) {
            if let Some(error) = self.misspelt_key(&lookup.key) {
                checked.findings.push(Finding::warning(error.at(lookup.span).in_source(source)));
            }
        }
    }

    /// The error for a key that is read but not set, if a similar one is set.
    fn misspelt_key(&self, name: &str) -> Option<Error> {
        let key = name.split('.').next().unwrap_or(name);
        if self.keys.is_empty() || self.keys.contains(key) || self.keys.contains(name) {
            return None;
        }
        let near = nearest(key, self.keys.iter().map(|key| &**key))?;
        let error = Error::coded("UNKNOWN_KEY", format!("no data has the key '{key}'"));
        Some(error.with_help(format!("did you mean '{near}'?")))
    }

    /// Strings of a value that read other keys.
    fn check_interpolation(&self, document: &Document, value: &Value, entry: &Entry, checked: &mut Checked) {
        let mut keys = Vec::new();
        super::usage::keys_read(value, &mut keys);
        for key in keys {
            if let Some(error) = self.misspelt_key(&key) {
                let text = document.source.slice(entry.place.span);
                let at = text.find(&key).map_or(entry.key_span, |at| {
                    let start = entry.place.span.start as usize + at;
                    Span::new(start, start + key.len())
                });
                checked.findings.push(Finding::warning(error.at(at).in_source(&document.source)));
            }
        }
    }

    fn check_key(&mut self, document: &Document, key: &str, value: &Value, entry: &Entry, checked: &mut Checked) {
        if key == LOOKUP_OPTIONS {
            self.check_options(document, value, entry, checked);
            return;
        }
        self.check_interpolation(document, value, entry, checked);
        let Some((class_name, parameter)) =
            key.rsplit_once("::").filter(|(class, name)| !class.is_empty() && !name.is_empty())
        else {
            checked.unjudged.push(Unjudged::PlainKey);
            return;
        };
        let Some(class) = self.class(class_name, checked) else {
            self.without_class(document, key, entry, checked);
            return;
        };
        let Some(declared) = class.declaration.parameter(parameter) else {
            if self.is_read(key) {
                checked.unjudged.push(Unjudged::LookupKey);
                return;
            }
            let name = &class.declaration.name;
            let near = nearest(parameter, class.declaration.parameters.iter().map(|declared| &*declared.name));
            let error = Error::coded(UNKNOWN_PARAMETER, format!("class {name} has no parameter ${parameter}"));
            let help = near.map_or_else(
                || format!("class {name} is declared in {}", class.place()),
                |near| format!("did you mean {name}::{near}?"),
            );
            let error = error.with_help(help).at(entry.key_span).in_source(&document.source);
            checked.findings.push(Finding::warning(error));
            return;
        };
        let type_ = match self.session.environment.type_of(&class.declaration, declared) {
            Ok(type_) => type_,
            Err(error) => {
                if self.told.insert(key.to_owned()) {
                    checked.findings.push(Finding::error(error));
                }
                return;
            }
        };
        // Undef gives no value: the class takes its default, or another level gives one.
        if matches!(value, Value::Undef) {
            checked.unjudged.extend(declared.default.is_none().then_some(Unjudged::RunTime));
            return;
        }
        let arrived = match self.arrived(key, value) {
            Ok(Some(arrived)) => arrived,
            Ok(None) => {
                checked.unjudged.push(Unjudged::RunTime);
                return;
            }
            Err(error) => {
                let wrong = Error::runtime(format!("cannot merge or convert '{key}': {}", error.message()));
                let span = super::first_line(&document.source, entry.place.find_from(entry.key_span, &[]));
                checked.findings.push(Finding::error(wrong.at(span).in_source(&document.source)));
                return;
            }
        };
        checked.compared += 1;
        self.compared.push((type_.clone(), value.clone(), entry.place.clone()));
        let is_merged = matches!(self.options.merge(key), Ok(Some(Strategy::Hash | Strategy::Deep(_))));
        checked.unjudged.extend(has_open_text(&arrived).then_some(Unjudged::RunTime));
        for mut mismatch in mismatches(&type_, &arrived) {
            if is_open(&mismatch, is_merged) {
                continue;
            }
            let span = place_of(&mismatch, &entry.place, entry.key_span);
            mismatch.path.insert(0, Step::Entry(Value::from(key)));
            let mut finding = finding_for(document, span, mismatch);
            let at = class.declaration.parameters.iter().position(|one| one.name == declared.name).unwrap_or(0);
            let place = class.parameter_place(at);
            let help = format!("${} of class {} is declared in {place}", declared.name, class.declaration.name);
            finding.error = finding.error.with_help(help);
            checked.findings.push(finding);
        }
    }

    /// The class of that name; `None` if there is none. An error in its file is reported once.
    fn class(&mut self, name: &str, checked: &mut Checked) -> Option<Arc<Known>> {
        if let Some(known) = self.classes.get(name) {
            return known.clone();
        }
        let known =
            self.index.resource(name, &mut self.session.environment).filter(|known| *known.declaration.name == *name);
        let class = known.filter(|known| known.declaration.kind == Kind::Class);
        if class.is_none()
            && let Err(error) = self.session.environment.resource_definition(name)
        {
            checked.findings.push(Finding::error(error));
        }
        self.classes.insert(name.to_owned(), class.clone());
        class
    }

    fn is_read(&mut self, key: &str) -> bool {
        self.usage.has(key, &self.programs, &mut self.index)
    }

    /// A key whose class is not known: counted, or reported if it is most likely a misspelling.
    fn without_class(&mut self, document: &Document, key: &str, entry: &Entry, checked: &mut Checked) {
        if self.is_read(key) {
            checked.unjudged.push(Unjudged::LookupKey);
            return;
        }
        let (class, parameter) = key.rsplit_once("::").unwrap_or((key, ""));
        let module = module_of(class).to_owned();
        if module.is_empty() || !module.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            checked.unjudged.push(Unjudged::PlainKey);
            return;
        }
        let mut report = |error: Error| {
            checked.findings.push(Finding::warning(error.at(entry.key_span).in_source(&document.source)));
        };
        if self.index.is_missing(&module) {
            let near = nearest(&module, self.index.module_names()).map(str::to_owned);
            let meant = near.map(|near| format!("{near}{}", &class[module.len()..]));
            let known = meant.and_then(|meant| self.index.resource(&meant, &mut self.session.environment));
            match known.filter(|known| known.declaration.parameter(parameter).is_some()) {
                Some(known) => {
                    let error = Error::coded("UNKNOWN_CLASS", format!("there is no class {class}"));
                    report(error.with_help(format!("did you mean {}::{parameter}?", known.declaration.name)));
                }
                None => checked.unjudged.push(Unjudged::MissingModule(module)),
            }
            return;
        }
        let known = self.index.resource(&class.to_lowercase(), &mut self.session.environment);
        if let Some(known) = known.filter(|known| known.declaration.kind == Kind::DefinedType) {
            let error =
                Error::coded("UNKNOWN_CLASS", format!("{class} is a defined type: Hiera sets parameters of classes"));
            report(error.with_help(format!("it is declared in {}", known.place())));
        } else if self.index.is_partial(&module) {
            checked.unjudged.push(Unjudged::MissingModule(module));
        } else {
            let near = self.index.near_resource(class);
            let error =
                Error::coded("UNKNOWN_CLASS", format!("there is no class {class}, and nothing looks up the key"));
            report(match near {
                Some(near) => error.with_help(format!("did you mean {near}::{parameter}?")),
                None => error,
            });
        }
    }

    /// Checks the value of `lookup_options`: for each key, how its values are merged and converted.
    fn check_options(&mut self, document: &Document, value: &Value, entry: &Entry, checked: &mut Checked) {
        let report = |error: Error, span: Span, checked: &mut Checked| {
            let span = super::first_line(&document.source, span);
            checked.findings.push(Finding::error(error.at(span).in_source(&document.source)));
        };
        let Value::Hash(options) = value else {
            let found = crate::types::describe::describe(value);
            let error = Error::runtime(format!("expected lookup_options to be a hash, got {found}"));
            return report(error, entry.key_span, checked);
        };
        for (key, of_key) in options.iter() {
            let Some(place) = entry.place.entry(key) else { continue };
            if let Value::String(pattern) = key
                && pattern.starts_with('^')
                && let Err(error) = crate::regexp::Regexp::new(pattern)
            {
                let message = format!("the key is not a valid regular expression: {}", error.message());
                report(Error::runtime(message), place.key_span, checked);
            }
            let Value::Hash(of_key) = of_key else { continue };
            checked.compared += 1;
            for (option, value) in of_key.iter() {
                let (Some(at), Some(option)) = (place.place.entry(option), option.as_str()) else { continue };
                let span = at.place.find_from(at.key_span, &[]);
                match (option, value) {
                    ("merge", Value::Hash(_)) => {
                        for mismatch in mismatches(&merge_options(), value) {
                            let span = place_of(&mismatch, &at.place, at.key_span);
                            checked.findings.push(finding_for(document, span, mismatch));
                        }
                    }
                    ("merge", _) => {
                        if let Err(error) = Strategy::named(value) {
                            report(error, span, checked);
                        }
                    }
                    ("convert_to", _) => {
                        if let Err(error) = self.check_conversion(value) {
                            let wrong = Error::runtime(format!("convert_to: {}", error.message()));
                            report(error.help().iter().cloned().fold(wrong, Error::with_help), span, checked);
                        }
                    }
                    _ => {
                        let error = Error::coded("UNKNOWN_KEY", format!("lookup_options has no option '{option}'"));
                        let near = nearest(option, ["merge", "convert_to"]);
                        let near = near.map(|near| format!("did you mean '{near}'?"));
                        let help = near.unwrap_or_else(|| "the options are merge and convert_to".to_owned());
                        report(error.with_help(help), at.key_span, checked);
                    }
                }
            }
        }
    }

    /// Fails if `convert_to` names something that is not a type.
    fn check_conversion(&mut self, value: &Value) -> Result<(), Error> {
        let type_ = value.as_array().map_or(Some(value), |elements| elements.first());
        let Some(Value::String(type_)) = type_ else { return Ok(()) };
        let strictness = std::mem::replace(&mut self.session.strictness, Strictness::Error);
        let outcome = self.session.type_of_text(&Source::new("convert_to", &**type_));
        self.session.strictness = strictness;
        outcome.map(drop)
    }

    /// The value as it arrives at the class: merged with nothing else, and converted; `None` if only a run can tell.
    fn arrived(&mut self, key: &str, value: &Value) -> Result<Option<Value>, Error> {
        let merged = match self.options.merge(key)? {
            Some(Strategy::Unique) => Strategy::Unique.merged(std::slice::from_ref(value))?,
            // What is knocked out does not arrive.
            Some(Strategy::Deep(deep)) => Some(deep.alone(value)),
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

#[expect(clippy::expect_used, reason = "the text is a constant")]
fn merge_options() -> Type {
    let members = "Optional[strategy] => Enum[first, unique, hash, deep], Optional[knockout_prefix] => Optional[String], \
         Optional[sort_merged_arrays] => Boolean, Optional[merge_hash_arrays] => Boolean, Optional[merge_debug] => Boolean, \
         Optional[keep_array_duplicates] => Boolean";
    format!("Struct[{{{members}}}]").parse().expect("a constant type is valid")
}

/// The entries of a hash whose keys are strings; of a key that is given twice the last one counts.
fn named_entries(document: &Document) -> FxHashMap<&str, &Entry> {
    document.place.entries().iter().filter_map(|entry| Some((entry.key.as_str()?, entry))).collect()
}

/// Whether a mismatch may disappear at run time: by an interpolation, or a part from another level of the hierarchy.
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
    let any_text = Type::built_in("String");
    type_.alternatives().iter().any(|type_| type_.accepts(&any_text) || any_text.accepts(type_))
}
