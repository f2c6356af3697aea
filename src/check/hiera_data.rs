//! Checks Hiera data against class parameters: the key `apache::vhost::port` is the parameter `port` of the class
//! `apache::vhost`.
//!
//! Hiera's processing of a value is applied: `lookup_options` convert and merge. Values that are known only at run
//! time, strings with `%{…}` or `ENC[…]`, match wherever some string matches.
//!
//! Source: Puppet reference, "Automatic lookup of class parameters", "Configuring merge behavior in Hiera data".

use std::path::Path;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::index::{Index, Known, Ruby};
use super::interface::STDLIB;
use super::usage::{self, Usage};
use super::{
    Checked, Finding, Fix, Interface, Program, Rule, TYPE_MISMATCH, Unjudged, constant_type,
    declarations::out_of_sight, finding, fix, hidden, hierarchy::Hierarchy, lint, placed, program::module_of, repairs,
    warnings, wrong_parts,
};
use crate::data::hiera::interpolation::{self, Part};
use crate::data::hiera::{CONVERT_TO, LOOKUP_OPTIONS, LookupOptions, STRATEGIES, Strategy, texts};
use crate::data::{DATA_ERROR, Document, Entry, Place};
use crate::error::Error;
use crate::eval::Kind;
use crate::explain::mismatch::{Mismatch, Reason, Step};
use crate::session::{Session, Strictness};
use crate::text::{Source, Span};
use crate::types::{Type, describe::describe, secret::may_be_sensitive};
use crate::value::{Hash, Value};
use crate::wording::{meant, nearest};

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
#[derive(Debug)]
pub struct Checker<'s> {
    pub(super) session: &'s mut Session,
    pub(super) index: Index,
    pub(super) data: Data,
    /// The keys that programs and other keys read.
    pub(super) usage: Usage,
    pub(super) rules: Vec<&'static Rule>,
    pub(super) programs: Vec<Arc<Source>>,
    /// How often each name is in the project, if a lint rule asks for it.
    pub(super) name_counts: Option<FxHashMap<Box<str>, usize>>,
    /// What is reported once: the keys of parameters whose type is wrong, and the classes whose files are.
    told: FxHashSet<String>,
    /// The values of the document that were compared, with their types and places.
    compared: Vec<(Type, Value, Place)>,
}

/// What is known of the data in all documents.
#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) options: LookupOptions,
    /// The keys, each with its values and where they are.
    pub(super) values: FxHashMap<Box<str>, Vec<(Arc<Source>, Value)>>,
    /// Whether there is more data than the documents, which cannot be read.
    pub(super) has_unseen: bool,
    /// What the `hiera.yaml` files name, with the modules that these belong to.
    pub(super) hierarchies: Vec<(Option<String>, Hierarchy)>,
}

/// The declarations in the Ruby files of the modules, shared between checkers on several threads.
#[doc(hidden)] // for the program
#[derive(Debug, Default)]
pub struct RubyFiles(Arc<OnceLock<Arc<Ruby>>>);

impl Data {
    /// Whether the data for the classes of a module is known. That of the users of a module that is checked alone is not.
    pub(super) fn sees_data_of(&self, module: &str, index: &Index) -> bool {
        let is_visible = match self.hierarchies.iter().find(|(owner, _)| owner.as_deref() == Some(module)) {
            Some((_, hierarchy)) => hierarchy.is_visible,
            None => !index.directory(module).is_some_and(|directory| directory.join("hiera.yaml").exists()),
        };
        !self.has_unseen && index.own.is_none() && is_visible
    }

    /// Whether all data is known: that of a control repository whose modules are there.
    pub(super) fn sees_all(&self, index: &Index) -> bool {
        !self.has_unseen && !self.hierarchies.is_empty() && index.own.is_none() && !index.lacks_modules()
    }

    /// The error for a key that is read but not set, if a similar one is set, or all data is known. Data that cannot be read
    /// may have it; for the key of another module that is the data of its user.
    pub(super) fn misspelt_key(&self, name: &str, index: &Index, checked: &mut Checked) -> Option<Error> {
        let key = name.split('.').next().unwrap_or(name);
        if self.values.is_empty() || self.values.contains_key(name) {
            return None;
        }
        if let Some(values) = self.values.get(key) {
            let part = |value: Option<Value>, step: &str| match value? {
                Value::Hash(entries) => entries.get_str(step).cloned(),
                Value::Array(elements) => elements.get(step.parse::<usize>().ok()?).cloned(),
                other => other.as_str().is_some_and(is_any_text).then_some(other),
            };
            let has_part = |(_, value): &(_, Value)| name.split('.').skip(1).fold(Some(value.clone()), part).is_some();
            let is_open = self.has_unseen || index.own.is_some() || values.iter().any(has_part);
            return (!is_open).then(|| Error::new("UNKNOWN_KEY", format!("no data has the part '{name}'")));
        }
        let class = &key[..key.rfind("::").map_or(0, |at| at + 2)];
        let is_of_class = |other: &&str| other.strip_prefix(class).is_some_and(|name| !name.contains("::"));
        let near = nearest(key, self.values.keys().map(|key| &**key).filter(is_of_class));
        if near.is_none() && !self.sees_all(index) {
            return None;
        }
        if self.has_unseen || index.own.as_ref().is_some_and(|own| own != module_of(key)) {
            checked.unjudged.push(Unjudged::UnseenKey);
            return None;
        }
        let error = Error::new("UNKNOWN_KEY", format!("no data has the key '{key}'"));
        Some(near.iter().fold(error, |error, near| error.with_help(format!("did you mean '{near}'?"))))
    }

    /// Whether no data has a value of the type for the key that an alias names.
    fn is_wrong_alias(&self, mismatch: &Mismatch) -> bool {
        let parts = mismatch.found.as_str().and_then(|text| interpolation::parts(text).ok());
        let Some([Part::Alias(key)]) = parts.as_deref() else { return false };
        let is_merged = !matches!(self.options.merge(key), Ok(None | Some(Strategy::First)));
        let is_open = self.has_unseen || is_merged || self.options.convert_to(key).is_some();
        let may_fit = |value: &Value| value.is_undef() || has_open_text(value) || mismatch.expected.has_instance(value);
        !is_open && self.values.get(*key).is_some_and(|all| !all.iter().any(|(_, value)| may_fit(value)))
    }

    /// Whether some data may have a value for a key that is not undef.
    pub(super) fn may_be_set(&self, key: &str) -> bool {
        let values = self.values.get(key);
        self.has_unseen || values.is_some_and(|values| values.iter().any(|(_, value)| !value.is_undef()))
    }
}

impl<'s> Checker<'s> {
    /// A checker of these documents.
    pub fn new<'d>(session: &'s mut Session, documents: impl IntoIterator<Item = &'d Document>) -> Checker<'s> {
        let level = |document: &'d Document| Some((&document.source, document.value.as_hash()?));
        let levels: Vec<(&Arc<Source>, &Hash)> = documents.into_iter().filter_map(level).collect();
        let options = LookupOptions::of(levels.iter().map(|(_, level)| *level));
        let (mut data, mut usage) = (Data { options, ..Data::default() }, Usage::default());
        for (source, level) in levels {
            for (key, value) in level.iter() {
                if let Value::String(name) = key {
                    data.values.entry(Box::from(&**name)).or_default().push((source.clone(), value.clone()));
                }
                usage.add_value(value);
            }
        }
        session.environment.program.modules.shared_type_names = Some(Arc::default());
        let index = Index::new(&session.environment);
        if index.directory("stdlib").is_none() {
            let type_ =
                |line: &str| Some((line.strip_prefix("type ")?.split(' ').next()?.to_lowercase(), line.to_owned()));
            session.environment.add_types(STDLIB.lines().filter_map(type_).collect());
        }
        Checker {
            session,
            index,
            data,
            usage,
            rules: Vec::new(),
            programs: Vec::new(),
            name_counts: None,
            told: FxHashSet::default(),
            compared: Vec::new(),
        }
    }

    /// Makes `hiera.yaml` files known, each with its directory. Unless the one in `root` names only data that can be read,
    /// a key that the documents do not have is not missing.
    pub fn add_hierarchies<'d>(
        &mut self,
        root: Option<&Path>,
        files: impl IntoIterator<Item = (&'d Path, &'d Document)>,
    ) {
        let root = root.and_then(|root| root.canonicalize().ok());
        self.data.has_unseen = true;
        for (directory, document) in files {
            let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
            let hierarchy = Hierarchy::of(document, &directory);
            self.data.has_unseen &= root.as_ref() != Some(&directory) || !hierarchy.is_visible;
            self.data.hierarchies.push((self.index.module_in(&directory).map(str::to_owned), hierarchy));
        }
    }

    /// Names modules that are expected to be there, as a `Puppetfile` does.
    pub fn expect_modules<'m>(&mut self, names: impl IntoIterator<Item = &'m str>) {
        self.index.installed.get_or_insert_default().extend(names.into_iter().map(str::to_owned));
    }

    /// Makes modules known that are not installed.
    pub fn add_interfaces(&mut self, interfaces: &Arc<[Interface]>) {
        self.index.indexed = interfaces.clone();
        let of_modules = self.index.not_installed(interfaces).flat_map(Interface::types);
        self.session.environment.add_types(of_modules.collect());
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
        fix::verified(document, |document| self.check_once(document))
    }

    /// Checks the document, which may be an edited version of a known one, without a look at the fixes.
    fn check_once(&mut self, document: &Document) -> Checked {
        let known_options = self.data.options.of_keys.clone();
        self.data.options.add_further(&document.value);
        let mut checked = Checked { findings: warnings(document), ..Checked::default() };
        match &document.value {
            Value::Undef => {}
            Value::Hash(data) => {
                let entries = document.place.entries().iter();
                // Of a key that is given twice the last entry counts.
                let entries: IndexMap<&Value, &Entry> = entries.map(|entry| (&entry.key, entry)).collect();
                let owner = self.owner_of_data(document, &mut checked);
                self.bounded(&document.source, &mut checked, |checker, checked| {
                    for (key, value) in data.iter() {
                        let Some((name, entry)) = key.as_str().zip(entries.get(key)) else { continue };
                        match usage::foreign_key(owner.as_deref(), name) {
                            Some(error) => checked.warning(&document.source, entry.key_span, error),
                            None => checker.check_key(document, name, value, entry, checked),
                        }
                    }
                });
            }
            other => {
                let message = format!("expected a hash at the top level, as Hiera does, got {}", describe(other));
                checked.error(&document.source, document.place.span, Error::new(DATA_ERROR, message));
            }
        }
        lint::ignore(&document.source, &mut checked);
        self.data.options.of_keys = known_options;
        repairs::join_conversions(document, &mut checked);
        hidden::hide(&document.source, std::mem::take(&mut self.compared), true, &mut checked);
        checked.sort();
        checked
    }

    fn check_interpolation(&mut self, document: &Document, value: &Value, entry: &Entry, checked: &mut Checked) {
        // Where a word first is in the value; the place of the key where it is not written like that.
        let place = |word: &str| {
            let at = document.source.slice(entry.place.span).find(word).filter(|_| !word.is_empty());
            let start = at.map(|at| entry.place.span.start as usize + at);
            start.map_or(entry.key_span, |start| Span::new(start, start + word.len()))
        };
        if let Some(error) = texts(value).find_map(|text| interpolation::parts(text).err()) {
            let name = error.message().split('\'').nth(1).map_or_else(String::new, |name| format!("%{{{name}"));
            checked.error(&document.source, place(&name), error);
        }
        for key in usage::keys_read(value) {
            let error = self.data.misspelt_key(key, &self.index, checked);
            if let Some(error) = error.or_else(|| self.undeclared_key(key)) {
                checked.warning(&document.source, place(key), error);
            }
        }
        for part in texts(value).flat_map(|text| interpolation::parts(text).unwrap_or_default()) {
            let Part::Variable(name) = part else { continue };
            if let Some(error) = self.index.wrong_variable(name, &document.source) {
                checked.warning(&document.source, place(name), error);
            }
        }
    }

    /// The error for a key that the data of the checked module read, and that neither they nor a class have: nobody sets it.
    fn undeclared_key(&mut self, key: &str) -> Option<Error> {
        let key = key.split('.').next()?;
        let (class, name) = key.rsplit_once("::")?;
        let is_own = self.index.own.as_deref() == Some(module_of(key)) && !self.data.values.contains_key(key);
        let known = self.index.resource(class, &mut self.session.environment).filter(|_| is_own)?;
        let error = || Error::new("UNKNOWN_KEY", format!("no data has the key '{key}', and {class} no such parameter"));
        known.declaration.parameter(name).is_none().then(error)
    }

    fn check_key(&mut self, document: &Document, key: &str, value: &Value, entry: &Entry, checked: &mut Checked) {
        if key == LOOKUP_OPTIONS {
            return self.check_options(document, value, entry, checked);
        }
        if nearest(key, [LOOKUP_OPTIONS]).is_some() && !self.usage.has(key, &self.programs, &self.index) {
            let error = Error::new("UNKNOWN_KEY", format!("nothing reads the key '{key}'"));
            let error = error.with_help(format!("did you mean '{LOOKUP_OPTIONS}'?"));
            return checked.warning(&document.source, entry.key_span, error);
        }
        self.check_interpolation(document, value, entry, checked);
        let parts = key.rsplit_once("::").filter(|(class, name)| !class.is_empty() && !name.is_empty());
        let Some((class, parameter)) = parts else { return self.check_plain_key(document, key, entry, checked) };
        let Some(class) = self.class(class, checked) else { return self.without_class(document, key, entry, checked) };
        let Some(declared) = class.declaration.parameter(parameter) else {
            if self.usage.has(key, &self.programs, &self.index) {
                return checked.unjudged.push(Unjudged::LookupKey);
            }
            let error = placed(unknown_parameter(&class, parameter), &document.source, entry.key_span);
            let fix = self.fix_of_parameter(document, &class, parameter, entry);
            return checked.findings.push(Finding { fix, ..Finding::warning(error) });
        };
        let type_ = match self.session.environment.type_of(&class.declaration, declared) {
            Ok(type_) => type_,
            Err(error) => {
                return match out_of_sight(&self.index, &error) {
                    Some(missing) => checked.unjudged.push(missing),
                    None if self.told.insert(key.to_owned()) => checked.findings.push(Finding::error(error)),
                    None => {}
                };
            }
        };
        // Undef gives no value: the class takes its default, or another level gives one.
        if matches!(value, Value::Undef) {
            let is_required = declared.default.is_none() && !type_.has_instance(value);
            if is_required && !self.data.may_be_set(key) {
                let message =
                    format!("{key} is null, which leaves the required parameter ${parameter} without a value");
                // The data of those who use a module may set it.
                let report = if self.index.own.is_some() { Checked::warning } else { Checked::error };
                report(checked, &document.source, entry.place.span, Error::new(TYPE_MISMATCH, message));
            } else if declared.default.is_none() {
                checked.unjudged.push(Unjudged::RunTime);
            }
            return;
        }
        let arrived = match self.arrived(key, value) {
            Ok(Some(arrived)) => arrived,
            Ok(None) => return checked.unjudged.push(Unjudged::RunTime),
            Err(error) => {
                let wrong = Error::new(DATA_ERROR, format!("cannot merge or convert '{key}': {}", error.message()));
                return checked.error(&document.source, entry.place.find_from(entry.key_span, &[]), wrong);
            }
        };
        checked.compared += 1;
        self.compared.push((type_.clone(), value.clone(), entry.place.clone()));
        let is_merged = matches!(self.data.options.merge(key), Ok(Some(Strategy::Hash | Strategy::Deep(_))));
        // Of some types any text is.
        let takes_any = || type_.accepts(&Type::of(&arrived).generalized()) && !texts(&arrived).any(is_any_value);
        checked.unjudged.extend((has_open_text(&arrived) && !takes_any()).then_some(Unjudged::RunTime));
        let is_certain = |mismatch: &Mismatch| !is_open(mismatch, is_merged) || self.data.is_wrong_alias(mismatch);
        let wrong: Vec<_> = wrong_parts(&type_, &arrived).into_iter().filter(|one| is_certain(&one.mismatch)).collect();
        for wrong in wrong {
            let fits_as_sensitive = || type_.has_instance(&Value::Sensitive(Arc::new(arrived.clone())));
            let may_convert = wrong.mismatch.path.is_empty() && self.data.options.of_key(key).is_none();
            let is_secret = may_convert && fits_as_sensitive();
            let mut finding = finding(document, wrong.below(&[Step::Entry(key.into())]));
            if is_secret {
                finding.fix = repairs::converted(document, &[key.to_owned()]);
                let help = format!("add to {LOOKUP_OPTIONS}: {key}: {{{CONVERT_TO}: Sensitive}}");
                finding.error = finding.error.with_help(help);
            }
            if let Some(mismatch) = &finding.mismatch
                && let Some(read) = mismatch.found.as_str().and_then(repairs::looked_up)
            {
                finding.fix = self.fix_of_lookup(document, mismatch, read, finding.fix.take());
                if let Some(fix) = &finding.fix {
                    finding.error = finding.error.with_help(fix.text.clone());
                }
            }
            let (place, class) = (class.place_of(declared.span), &class.declaration.name);
            finding.error = finding.error.with_help(format!("${parameter} of class {class} is declared in {place}"));
            checked.findings.push(finding);
        }
    }

    /// A fix for a string that looks up the key `read`, whose value need not be a string.
    fn fix_of_lookup(&self, document: &Document, mismatch: &Mismatch, read: &str, other: Option<Fix>) -> Option<Fix> {
        let first = self.data.values.get(read).and_then(|values| values.first());
        match first.map(|(_, value)| value) {
            Some(value) if mismatch.expected.has_instance(value) => repairs::alias(document, mismatch),
            Some(Value::String(_)) => other,
            None if other.is_none() => repairs::alias(document, mismatch),
            _ => None,
        }
    }

    /// Another name for a key, if there is only one parameter that it may mean.
    fn fix_of_parameter(&mut self, document: &Document, class: &Known, parameter: &str, entry: &Entry) -> Option<Fix> {
        let (data, name) = (document.value.as_hash()?, &class.declaration.name);
        let unset = class.declaration.parameters.iter().map(|declared| &*declared.name);
        let unset = unset.filter(|parameter| data.get_str(&format!("{name}::{parameter}")).is_none());
        let meant = repairs::only_meaning(parameter, unset)?;
        let declared = class.declaration.parameter(meant)?;
        let type_ = self.session.environment.type_of(&class.declaration, declared).ok()?;
        // The value of another key is not known to be a secret, and would be shown.
        let path = [Step::Entry(entry.key.clone())];
        let renamed = || repairs::renamed(document, entry, &path, &format!("{name}::{meant}"));
        (!may_be_sensitive(&type_)).then(renamed)?
    }

    /// The class of that name; `None` if there is none. An error in its file is reported once.
    fn class(&mut self, name: &str, checked: &mut Checked) -> Option<Arc<Known>> {
        let environment = &mut self.session.environment;
        let known = self.index.resource(name, environment).filter(|known| *known.declaration.name == *name);
        let class = known.filter(|known| known.declaration.kind == Kind::Class);
        if class.is_none()
            && self.told.insert(format!("class {name}"))
            && let Err(error) = environment.resource_definition(name)
        {
            checked.findings.push(Finding::error(error));
        }
        class
    }

    /// A key whose class is not known: counted, or reported if it is most likely a misspelling.
    fn without_class(&mut self, document: &Document, key: &str, entry: &Entry, checked: &mut Checked) {
        if self.usage.has(key, &self.programs, &self.index) {
            return checked.unjudged.push(Unjudged::LookupKey);
        }
        let (class, parameter) = key.rsplit_once("::").unwrap_or((key, ""));
        let module = module_of(class).to_owned();
        if module.is_empty() || !module.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return checked.unjudged.push(Unjudged::PlainKey);
        }
        let environment = &mut self.session.environment;
        let (message, help) = if let Some(missing) = self.index.unseen(&module) {
            let near = nearest(&module, self.index.module_names()).map(str::to_owned);
            let near = near.map(|near| format!("{near}{}", &class[module.len()..]));
            let known = near.and_then(|near| self.index.resource(&near, environment));
            let Some(known) = known.filter(|known| known.declaration.parameter(parameter).is_some()) else {
                return checked.unjudged.push(missing);
            };
            let near = format!("{}::{parameter}", known.declaration.name);
            (format!("there is no class {class}"), meant(Some(near)))
        } else if let Some(known) = self.index.resource(&class.to_lowercase(), environment)
            && known.declaration.kind == Kind::DefinedType
        {
            let help = format!("it is declared in {}", known.place());
            (format!("{class} is a defined type: Hiera sets parameters of classes"), Some(help))
        } else if self.index.is_partial(&module) {
            return checked.unjudged.push(Unjudged::PlainKey);
        } else {
            let near = self.index.near_resource(class, &[]).map(|near| format!("{near}::{parameter}"));
            (format!("there is no class {class}, and nothing looks up the key"), meant(near))
        };
        let error = help.into_iter().fold(Error::new("UNKNOWN_CLASS", message), Error::with_help);
        checked.warning(&document.source, entry.key_span, error);
    }

    /// Checks the value of `lookup_options`: for each key, how its values are merged and converted.
    fn check_options(&mut self, document: &Document, value: &Value, entry: &Entry, checked: &mut Checked) {
        let Value::Hash(options) = value else {
            let message = format!("expected lookup_options to be a hash, got {}", describe(value));
            return checked.error(&document.source, entry.key_span, Error::new(DATA_ERROR, message));
        };
        let type_ = key_options();
        for (key, of_key) in options.iter() {
            let Some(place) = entry.place.entry(key) else { continue };
            if let Value::String(pattern) = key
                && pattern.starts_with('^')
                && let Err(error) = crate::regexp::Regexp::new(pattern)
            {
                let message = format!("the key is not a valid regular expression: {}", error.message());
                checked.error(&document.source, place.key_span, Error::new(DATA_ERROR, message));
            }
            if let Some(name) = key.as_str()
                && let Some((class, parameter)) = name.rsplit_once("::")
                && let Some(class) = self.class(class, checked)
                && class.declaration.parameter(parameter).is_none()
                && !self.usage.has(name, &self.programs, &self.index)
            {
                checked.warning(&document.source, place.key_span, unknown_parameter(&class, parameter));
            }
            let Value::Hash(given) = of_key else { continue };
            checked.compared += 1;
            let path = [LOOKUP_OPTIONS.into(), key.clone()].map(Step::Entry);
            for wrong in wrong_parts(&type_, of_key) {
                let is_unknown = matches!(wrong.mismatch.reason, Reason::UnknownKey(_) | Reason::MisspelledKey(..));
                let is_ignored = is_unknown && wrong.mismatch.place().is_empty();
                let mut found = finding(document, wrong.below(&path));
                found.is_error &= !is_ignored;
                let reason = found.mismatch.as_ref().map(|mismatch| &mismatch.reason);
                if let (true, Some(Reason::UnknownKey(key)), Some(span)) = (is_ignored, reason, found.error.span()) {
                    let key = key.as_str().unwrap_or_default();
                    let error = Error::new(TYPE_MISMATCH, format!("Puppet ignores {key} beside merge"));
                    found.error = placed(error.with_help("write merge: {strategy: deep, …}"), &document.source, span);
                }
                checked.findings.push(found);
            }
            if let Some(Err(error)) = given.get_str(CONVERT_TO).map(|type_| self.check_conversion(type_)) {
                let span = place.place.find_from(place.key_span, &[Step::Entry(CONVERT_TO.into())]);
                let wrong = Error::new(DATA_ERROR, format!("convert_to: {}", error.message()));
                checked.error(&document.source, span, error.help().iter().cloned().fold(wrong, Error::with_help));
            }
        }
    }

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
        let merged = match self.data.options.merge(key)? {
            Some(Strategy::Unique) => Strategy::Unique.merged(std::slice::from_ref(value))?,
            // What is knocked out does not arrive.
            Some(Strategy::Deep(deep)) => Some(deep.alone(value)),
            _ => None,
        };
        let merged = merged.unwrap_or_else(|| value.clone());
        match self.data.options.convert_to(key) {
            None => Ok(Some(merged)),
            Some(_) if has_open_text(&merged) => Ok(None),
            Some((type_, further)) => {
                let arguments: Vec<Value> = std::iter::once(merged).chain(further.iter().cloned()).collect();
                self.session.type_of_text(&Source::new("convert_to", type_))?.construct(&arguments).map(Some)
            }
        }
    }
}

fn unknown_parameter(class: &Known, parameter: &str) -> Error {
    let name = &class.declaration.name;
    let near = nearest(parameter, class.declaration.parameters.iter().map(|declared| &*declared.name));
    let near = meant(near.map(|near| format!("{name}::{near}")));
    let help = near.unwrap_or_else(|| format!("class {name} is declared in {}", class.place()));
    Error::new(UNKNOWN_PARAMETER, format!("class {name} has no parameter ${parameter}")).with_help(help)
}

pub(super) fn key_options() -> Type {
    let merge = merge_type("Optional[strategy]", STRATEGIES);
    constant_type(&format!("Struct[{{Optional[merge] => {merge}, Optional[convert_to] => Any}}]"))
}

/// The type of `merge`: one of the `names` of strategies, or a Hash that has it under `key` and options.
pub(super) fn merge_type(key: &str, names: &str) -> String {
    format!(
        "Variant[Enum[{names}], Struct[{{{key} => Enum[{names}], Optional[knockout_prefix] => Optional[String], \
         Optional[sort_merged_arrays] => Boolean, Optional[merge_hash_arrays] => Boolean, \
         Optional[merge_debug] => Boolean, Optional[keep_array_duplicates] => Boolean}}]]"
    )
}

/// Whether a mismatch may disappear at run time: by an interpolation, or a part from another level of the hierarchy.
fn is_open(mismatch: &Mismatch, is_merged: bool) -> bool {
    match (&mismatch.reason, &mismatch.found) {
        _ if mismatch.is_unresolved() => true,
        (Reason::MissingKey(_) | Reason::Size(_), _) => is_merged,
        (Reason::UnknownKey(key) | Reason::MisspelledKey(key, _), _) => has_open_text(key),
        (_, Value::String(text)) => is_any_value(text) || is_any_text(text) && takes_some_text(&mismatch.expected),
        (_, found) => has_open_text(found),
    }
}

/// `%{alias('name')}` alone can become a value of any type.
pub(super) fn is_any_value(text: &str) -> bool {
    matches!(interpolation::parts(text).as_deref(), Ok([Part::Alias(_)]))
}

/// A string that Hiera fills in, or that is encrypted.
pub(super) fn is_any_text(text: &str) -> bool {
    interpolation::is_open(text) || text.trim_start().starts_with("ENC[")
}

pub(super) fn has_open_text(value: &Value) -> bool {
    texts(value).any(is_any_text)
}

/// Whether some string is of the type, though perhaps not every one.
pub(super) fn takes_some_text(type_: &Type) -> bool {
    let any_text = Type::built_in("String");
    type_.alternatives().iter().any(|type_| type_.accepts(&any_text) || any_text.accepts(type_))
}
