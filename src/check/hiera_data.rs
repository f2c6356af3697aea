//! Checks Hiera data against class parameters: the key `apache::port` is the parameter `port` of the class `apache`.
//!
//! The value is compared as Hiera delivers it: `lookup_options` may convert and merge it. A string with `%{…}` or
//! `ENC[…]` is known only at run time; it matches a type if some string could.
//!
//! Source: Puppet reference, "Automatic lookup of class parameters", "Configuring merge behavior in Hiera data".

use std::path::Path;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::hiera_keys::{HieraData, has_run_time_string, is_alias_interpolation, is_run_time_string};
use super::index::{Index, IndexEntry, RubyDeclarations};
use super::interface::STDLIB_DECLARATIONS;
use super::usage::{self, KeyUsage};
use super::{
    Checked, Finding, Fix, Interface, Program, Rule, TYPE_MISMATCH, UncheckedReason, attach_location,
    declarations::reason_type_may_exist, fix, hidden, hierarchy::Hierarchy, lint, mismatch_finding, mismatched_parts,
    parse_constant_type, program::module_of_name, repairs,
};
use crate::data::hiera::interpolation::{self, StringPart};
use crate::data::hiera::{CONVERT_TO, LOOKUP_OPTIONS, LookupOptions, STRATEGY_NAMES, Strategy, strings_in_value};
use crate::data::{DATA_ERROR, Document, Entry, LocationTree};
use crate::error::Error;
use crate::explain::mismatch::{Mismatch, Reason, Step};
use crate::session::{Session, Strictness};
use crate::syntax::tree::DefinitionKind;
use crate::text::{Source, Span};
use crate::types::{Type, describe::describe, secret::may_be_sensitive};
use crate::value::{Hash, Value};
use crate::wording::{did_you_mean, nearest};

const UNKNOWN_PARAMETER: &str = "UNKNOWN_PARAMETER";

/// Checks documents and programs that belong together: the `lookup_options` of each document apply to the keys of all
/// documents, and each program can use what the others declare.
///
/// ```
/// use pcore::{Session, check::{Checker, Program}, data::{Format, read}, text::Source};
/// let document = read(Format::Yaml, &Source::new("common.yaml", "web::port: '80'\n"))?;
/// let mut session = Session::default();
/// let mut checker = Checker::new(&mut session, [&document]);
/// checker.add_programs([&Program::new(Source::new("web.pp", "class web(Integer $port) { }"))]);
/// let checked = checker.check(&document);
/// assert_eq!(checked.findings[0].error.position().unwrap().line, 1);
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Debug)]
pub struct Checker<'s> {
    pub(super) session: &'s mut Session,
    pub(super) index: Index,
    pub(super) data: HieraData,
    pub(super) key_usage: KeyUsage,
    pub(super) lint_rules: Vec<&'static Rule>,
    pub(super) programs: Vec<Arc<Source>>,
    /// How often each word occurs in the files of the project; `None` until a lint rule needs it.
    pub(super) name_counts: Option<FxHashMap<Box<str>, usize>>,
    /// The result for the current file.
    pub(super) result: Checked,
    /// Keys with an invalid parameter type, and classes with an error in their file: those already reported, once each.
    told: FxHashSet<String>,
    /// The values of the current file that were compared, with their types and locations.
    compared_values: Vec<(Type, Value, LocationTree)>,
}

/// The declarations in the Ruby files of the modules, shared between checkers on several threads.
#[doc(hidden)] // for the program
#[derive(Debug, Default)]
pub struct SharedRubyFiles(Arc<OnceLock<Arc<RubyDeclarations>>>);

impl<'s> Checker<'s> {
    /// Creates a checker that knows the Hiera data in `documents`.
    pub fn new<'d>(session: &'s mut Session, documents: impl IntoIterator<Item = &'d Document>) -> Checker<'s> {
        let level = |document: &'d Document| Some((&document.source, document.value.as_hash()?));
        let levels: Vec<(&Arc<Source>, &Hash)> = documents.into_iter().filter_map(level).collect();
        let options = LookupOptions::merge_lookup_options(levels.iter().map(|(_, level)| *level));
        let (mut data, mut usage) = (HieraData { options, ..HieraData::default() }, KeyUsage::default());
        for (source, level) in levels {
            for (key, value) in level.iter() {
                if let Value::String(name) = key {
                    data.values.entry(Box::from(&**name)).or_default().push((source.clone(), value.clone()));
                }
                usage.add_keys_in_value(value);
            }
        }
        session.environment.program.modules.shared_type_names = Some(Arc::default());
        let index = Index::new(&session.environment);
        if index.module_directory("stdlib").is_none() {
            let type_ =
                |line: &str| Some((line.strip_prefix("type ")?.split(' ').next()?.to_lowercase(), line.to_owned()));
            session.environment.register_type_aliases(STDLIB_DECLARATIONS.lines().filter_map(type_).collect());
        }
        Checker {
            session,
            index,
            data,
            key_usage: usage,
            lint_rules: Vec::new(),
            programs: Vec::new(),
            name_counts: None,
            result: Checked::default(),
            told: FxHashSet::default(),
            compared_values: Vec::new(),
        }
    }

    /// Adds `hiera.yaml` files, each with its directory. Lookups of missing keys are only reported if pcore can read
    /// all data that the `hiera.yaml` in `root` uses.
    pub fn add_hierarchies<'d>(
        &mut self,
        root: Option<&Path>,
        files: impl IntoIterator<Item = (&'d Path, &'d Document)>,
    ) {
        let root = root.and_then(|root| root.canonicalize().ok());
        self.data.has_unseen_data = true;
        for (directory, document) in files {
            let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
            let hierarchy = Hierarchy::from_hiera_yaml(document, &directory);
            self.data.has_unseen_data &= root.as_ref() != Some(&directory) || !hierarchy.is_fully_readable;
            self.data.hierarchies.push((self.index.modules_by_directory.get(&directory).cloned(), hierarchy));
        }
    }

    /// Adds the names of modules that should be installed, such as those in a `Puppetfile`.
    pub fn add_required_modules<'m>(&mut self, names: impl IntoIterator<Item = &'m str>) {
        self.index.puppetfile_modules.get_or_insert_default().extend(names.into_iter().map(str::to_owned));
    }

    /// Adds the interfaces of modules, to know what modules that are not installed declare.
    pub fn add_interfaces(&mut self, interfaces: &Arc<[Interface]>) {
        self.index.interfaces = interfaces.clone();
        let of_modules = self.index.missing_interfaces(interfaces).flat_map(Interface::type_alias_definitions);
        self.session.environment.register_type_aliases(of_modules.collect());
    }

    /// Enables the given lint rules.
    pub fn enable_lint_rules(&mut self, rules: impl IntoIterator<Item = &'static Rule>) {
        self.lint_rules.extend(rules);
    }

    /// Shares the declarations in Ruby files with other checkers of the same modules, so that each file is read once.
    #[doc(hidden)] // for the program
    pub fn share_ruby_files(&mut self, files: &SharedRubyFiles) {
        self.index.ruby_declarations = files.0.clone();
    }

    /// Returns a new interrupt, which stops the checks that run before the next call of this method.
    #[doc(hidden)] // for the program
    pub fn renew_interrupt(&mut self) -> crate::session::Interrupt {
        self.session.interrupt = crate::session::Interrupt::default();
        self.session.environment.interrupt = self.session.interrupt.clone();
        self.session.interrupt.clone()
    }

    /// Adds programs, so that all checked files can use their classes, defined types and functions.
    pub fn add_programs<'p>(&mut self, programs: impl IntoIterator<Item = &'p Program>) {
        for program in programs {
            self.programs.push(program.source.clone());
            self.index.add_program(program, &mut self.session.environment);
        }
    }

    /// Checks the keys of a document against the class parameters that they set. The result also lists unchecked keys.
    pub fn check(&mut self, document: &Document) -> Checked {
        fix::check_and_verify_fixes(document, |document| self.check_document_once(document))
    }

    /// Checks a document, which may be an edited version of an added one, without verifying the proposed fixes.
    fn check_document_once(&mut self, document: &Document) -> Checked {
        let known_options = self.data.options.options_by_key.clone();
        self.data.options.add_options_of_level(&document.value);
        self.result = Checked::from_warnings_of_document(document);
        match &document.value {
            Value::Undef => {}
            Value::Hash(data) => {
                let entries = document.place.entries().iter();
                // Of a key that is given twice the last entry counts.
                let entries: IndexMap<&Value, &Entry> = entries.map(|entry| (&entry.key, entry)).collect();
                let owner = self.module_of_data_file(document);
                self.run_within_limits(&document.source, |checker| {
                    for (key, value) in data.iter() {
                        let Some((name, entry)) = key.as_str().zip(entries.get(key)) else { continue };
                        match usage::foreign_key_error(owner.as_deref(), name) {
                            Some(error) => checker.warn(document, entry.key_span, error),
                            None => checker.check_key(document, name, value, entry),
                        }
                    }
                });
            }
            other => {
                let message = format!("expected a hash at the top level, as Hiera does, got {}", describe(other));
                self.report_data_error(document, document.place.span, message);
            }
        }
        let mut checked = std::mem::take(&mut self.result);
        lint::apply_ignore_comments(&document.source, &mut checked);
        self.data.options.options_by_key = known_options;
        repairs::join_conversion_fixes(document, &mut checked);
        hidden::hide_sensitive_values(&document.source, std::mem::take(&mut self.compared_values), true, &mut checked);
        checked.sort_findings();
        checked
    }

    fn report_data_error(&mut self, document: &Document, span: Span, message: impl Into<String>) {
        self.result.add_error(&document.source, span, Error::new(DATA_ERROR, message));
    }

    pub(super) fn warn(&mut self, document: &Document, span: Span, error: Error) {
        self.result.add_warning(&document.source, span, error);
    }

    fn check_interpolation(&mut self, document: &Document, key: &str, value: &Value, entry: &Entry) {
        const PUPPET_VARIABLES: [&str; 4] = ["${facts.", "${facts[", "${trusted", "${::"];
        // Where a word first is in the value; the place of the key where it is not written like that.
        let place = |word: &str| {
            let at = document.source.slice(entry.value_location.span).find(word).filter(|_| !word.is_empty());
            let start = at.map(|at| entry.value_location.span.start as usize + at);
            start.map_or(entry.key_span, |start| Span::new(start, start + word.len()))
        };
        if let Some(error) = strings_in_value(value).find_map(|text| interpolation::parse_string_parts(text).err()) {
            let name = error.message().split('\'').nth(1).map_or_else(String::new, |name| format!("%{{{name}"));
            self.result.add_error(&document.source, place(&name), error);
        }
        let mut found =
            strings_in_value(value).flat_map(|text| PUPPET_VARIABLES.iter().filter(|one| text.contains(**one)));
        if let Some(variable) = found.next() {
            let error = Error::new("LITERAL_DOLLAR", format!("`{variable}…}}` is not replaced in Hiera data"));
            self.warn(document, place(variable), error.with_help("write %{facts.os.family} for a fact"));
        }
        for key in usage::interpolated_keys(value) {
            let error = self.data.unset_key_error(key, &self.index, &mut self.result);
            if let Some(error) = error.or_else(|| self.undeclared_key_error(key)) {
                self.warn(document, place(key), error);
            }
        }
        for part in strings_in_value(value).flat_map(|text| interpolation::parse_string_parts(text).unwrap_or_default())
        {
            let StringPart::Variable(name) = part else { continue };
            let error = self.index.hiera_variable_error(name, &document.source);
            if let Some(error) = error.or_else(|| self.own_variable_error(key, name)) {
                self.warn(document, place(name), error);
            }
        }
    }

    /// Returns the error for a looked-up key that is neither in the data nor a parameter of the class it names. For a
    /// class of another module, whose data may be elsewhere, only if a parameter of the class has a similar name.
    fn undeclared_key_error(&mut self, key: &str) -> Option<Error> {
        let key = key.split('.').next().filter(|key| !self.data.values.contains_key(*key))?;
        let (class, name) = key.rsplit_once("::")?;
        let is_own = self.index.own.as_deref() == Some(module_of_name(key));
        let known = self.index.resource_type(class, &mut self.session.environment)?;
        let mut names = known.declaration.parameters.iter().map(|parameter| &*parameter.name);
        let is_part = |one: &str, other: &str| one.strip_suffix(other).is_some_and(|rest| rest.ends_with('_'));
        let near = nearest(name, names.clone()).or_else(|| names.find(|one| is_part(one, name) || is_part(name, one)));
        let is_meant = || near.is_some() && !self.programs.iter().any(|program| program.text().contains(key));
        if known.declaration.parameter_named(name).is_some() || !is_own && !is_meant() {
            return None;
        }
        let error = Error::new("UNKNOWN_KEY", format!("no data has the key '{key}', and {class} no such parameter"));
        Some(near.into_iter().fold(error, |error, near| error.with_help(format!("did you mean '{class}::{near}'?"))))
    }

    fn check_key(&mut self, document: &Document, key: &str, value: &Value, entry: &Entry) {
        if key == LOOKUP_OPTIONS {
            return self.check_lookup_options(document, value, entry);
        }
        if nearest(key, [LOOKUP_OPTIONS]).is_some() && !self.is_key_read(key) {
            let error = Error::new("UNKNOWN_KEY", format!("nothing reads the key '{key}'"));
            return self.warn(document, entry.key_span, error.with_help(format!("did you mean '{LOOKUP_OPTIONS}'?")));
        }
        self.check_interpolation(document, key, value, entry);
        let parts = key.rsplit_once("::").filter(|(class, name)| !class.is_empty() && !name.is_empty());
        let Some((class, parameter)) = parts else { return self.check_plain_key(document, key, entry) };
        let Some(class) = self.find_class(class) else { return self.check_key_without_class(document, key, entry) };
        let Some(declared) = class.declaration.parameter_named(parameter) else {
            if self.is_key_read(key) {
                return self.result.unjudged.push(UncheckedReason::LookupKey);
            }
            let fix = self.fix_for_unknown_parameter(document, &class, entry);
            let error = unknown_parameter_error(&class, parameter);
            self.result.add_warning(&document.source, entry.key_span, error).fix = fix;
            return;
        };
        let type_ = match self.session.environment.parameter_type(&class.declaration, declared) {
            Ok(type_) => type_,
            Err(error) => {
                return match reason_type_may_exist(&self.index, &error) {
                    Some(missing) => self.result.unjudged.push(missing),
                    None if self.told.insert(key.to_owned()) => self.result.findings.push(Finding::from_error(error)),
                    None => {}
                };
            }
        };
        // Undef gives no value: the class takes its default, or another level gives one.
        if matches!(value, Value::Undef) {
            if declared.default.is_none() && !type_.has_instance(value) && !self.data.may_set_key(key) {
                let message =
                    format!("{key} is null, which leaves the required parameter ${parameter} without a value");
                let error = Error::new(TYPE_MISMATCH, message);
                let finding = self.result.add_error(&document.source, entry.value_location.span, error);
                // The data of those who use a module may set it.
                finding.is_error = self.index.own.is_none();
            } else if declared.default.is_none() {
                self.result.unjudged.push(UncheckedReason::RunTime);
            }
            return;
        }
        let arrived = match self.apply_lookup_options(key, value) {
            Ok(Some(arrived)) => arrived,
            Ok(None) => return self.result.unjudged.push(UncheckedReason::RunTime),
            Err(error) => {
                let span = entry.value_location.span_at_path_or(entry.key_span, &[]);
                let message = format!("cannot merge or convert '{key}': {}", error.message());
                return self.report_data_error(document, span, message);
            }
        };
        self.result.compared += 1;
        self.compared_values.push((type_.clone(), value.clone(), entry.value_location.clone()));
        let is_merged =
            matches!(self.data.options.merge_strategy_of_key(key), Ok(Some(Strategy::Hash | Strategy::Deep(_))));
        // Of some types any text is.
        let takes_any = || {
            type_.accepts(&Type::of(&arrived).generalized()) && !strings_in_value(&arrived).any(is_alias_interpolation)
        };
        let is_open = has_run_time_string(&arrived) && !takes_any();
        self.result.unjudged.extend(is_open.then_some(UncheckedReason::RunTime));
        let is_certain = |mismatch: &Mismatch| {
            !may_vanish_at_run_time(mismatch, is_merged) || self.data.is_alias_of_wrong_type(mismatch)
        };
        let wrong: Vec<_> =
            mismatched_parts(&type_, &arrived).into_iter().filter(|one| is_certain(&one.mismatch)).collect();
        for wrong in wrong {
            let may_convert = wrong.mismatch.path.is_empty() && self.data.options.options_of_key(key).is_none();
            let is_secret = may_convert && type_.has_instance(&Value::Sensitive(Arc::new(arrived.clone())));
            let mut finding = mismatch_finding(document, wrong.with_path_prefix(&[Step::Entry(key.into())]));
            if is_secret {
                finding.fix = repairs::fix_converting_to_sensitive(document, &[key.to_owned()]);
                finding.help(format!("add to {LOOKUP_OPTIONS}: {key}: {{{CONVERT_TO}: Sensitive}}"));
            }
            if let Some(mismatch) = &finding.mismatch
                && let Some(Ok(parts)) = mismatch.found.as_str().map(interpolation::parse_string_parts)
                && let [StringPart::Lookup(read)] = parts[..]
            {
                finding.fix = self.fix_for_lookup(document, mismatch, read, finding.fix.take());
                finding.help_if(finding.fix.as_ref().map(|fix| fix.description.clone()));
            }
            let (place, class) = (class.file_and_line_of_span(declared.span), &class.declaration.name);
            finding.help(format!("${parameter} of class {class} is declared in {place}"));
            self.result.findings.push(finding);
        }
    }

    /// Returns the fix for a string that looks up the key `read`: using `alias`, which keeps the type, or else `other`.
    fn fix_for_lookup(&self, document: &Document, mismatch: &Mismatch, read: &str, other: Option<Fix>) -> Option<Fix> {
        match self.data.values.get(read).and_then(|values| values.first()).map(|(_, value)| value) {
            Some(value) if mismatch.expected.has_instance(value) => repairs::fix_using_alias(document, mismatch),
            Some(Value::String(_)) => other,
            None if other.is_none() => repairs::fix_using_alias(document, mismatch),
            _ => None,
        }
    }

    /// Returns the fix that renames an unknown class parameter, if only one unset parameter has a similar name.
    fn fix_for_unknown_parameter(&mut self, document: &Document, class: &IndexEntry, entry: &Entry) -> Option<Fix> {
        let (_, parameter) = entry.key.as_str()?.rsplit_once("::")?;
        let (data, name) = (document.value.as_hash()?, &class.declaration.name);
        let unset = class.declaration.parameters.iter().map(|declared| &*declared.name);
        let unset = unset.filter(|parameter| data.get_str(&format!("{name}::{parameter}")).is_none());
        let meant = repairs::only_similar_name(parameter, unset)?;
        let declared = class.declaration.parameter_named(meant)?;
        let type_ = self.session.environment.parameter_type(&class.declaration, declared).ok()?;
        // The value of another key is not known to be a secret, and would be shown.
        let path = [Step::Entry(entry.key.clone())];
        let renamed = || repairs::fix_renaming_key(document, entry, &path, &format!("{name}::{meant}"));
        (!may_be_sensitive(&type_)).then(renamed)?
    }

    /// Returns the class called `name`, or `None` if it is not known. Reports an error in the class's file once.
    fn find_class(&mut self, name: &str) -> Option<Arc<IndexEntry>> {
        let environment = &mut self.session.environment;
        let known = self.index.resource_type(name, environment).filter(|known| *known.declaration.name == *name);
        let class = known.filter(|known| known.declaration.kind == DefinitionKind::Class);
        if class.is_none()
            && self.told.insert(format!("class {name}"))
            && let Err(error) = environment.find_class_or_define(name)
        {
            self.result.findings.push(Finding::from_error(error));
        }
        class
    }

    fn check_key_without_class(&mut self, document: &Document, key: &str, entry: &Entry) {
        if self.is_key_read(key) {
            return self.result.unjudged.push(UncheckedReason::LookupKey);
        }
        let (class, parameter) = key.rsplit_once("::").unwrap_or((key, ""));
        let module = module_of_name(class).to_owned();
        if module.is_empty() || !module.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return self.result.unjudged.push(UncheckedReason::PlainKey);
        }
        let environment = &mut self.session.environment;
        let (message, help) = if let Some(missing) = self.index.unknown_name_reason(&module) {
            let near = nearest(&module, self.index.installed_module_names()).map(str::to_owned);
            let near = near.map(|near| format!("{near}{}", &class[module.len()..]));
            let known = near.and_then(|near| self.index.resource_type(&near, environment));
            let Some(known) = known.filter(|known| known.declaration.parameter_named(parameter).is_some()) else {
                return self.result.unjudged.push(missing);
            };
            let near = format!("{}::{parameter}", known.declaration.name);
            (format!("there is no class {class}"), did_you_mean(Some(near)))
        } else if let Some(known) = self.index.resource_type(&class.to_lowercase(), environment)
            && known.declaration.kind == DefinitionKind::DefinedType
        {
            let help = format!("it is declared in {}", known.file_and_line());
            (format!("{class} is a defined type: Hiera sets parameters of classes"), Some(help))
        } else if self.index.has_unparsable_files(&module) {
            return self.result.unjudged.push(UncheckedReason::PlainKey);
        } else {
            let near = self.index.suggest_class_name(class, &[]).map(|near| format!("{near}::{parameter}"));
            (format!("there is no class {class}, and nothing looks up the key"), did_you_mean(near))
        };
        self.result.add_warning(&document.source, entry.key_span, Error::new("UNKNOWN_CLASS", message)).help_if(help);
    }

    fn check_lookup_options(&mut self, document: &Document, value: &Value, entry: &Entry) {
        let Value::Hash(options) = value else {
            let message = format!("expected lookup_options to be a hash, got {}", describe(value));
            return self.report_data_error(document, entry.key_span, message);
        };
        let type_ = type_of_lookup_options();
        for (key, of_key) in options.iter() {
            let Some(place) = entry.value_location.last_entry(key) else { continue };
            if let Value::String(pattern) = key
                && pattern.starts_with('^')
                && let Err(error) = crate::regexp::Regexp::new(pattern)
            {
                let message = format!("the key is not a valid regular expression: {}", error.message());
                self.report_data_error(document, place.key_span, message);
            }
            if let Some(name) = key.as_str()
                && let Some((class, parameter)) = name.rsplit_once("::")
                && !self.is_key_read(name)
            {
                let error = match self.find_class(class) {
                    Some(class) => {
                        let is_unknown = class.declaration.parameter_named(parameter).is_none();
                        is_unknown.then(|| unknown_parameter_error(&class, parameter))
                    }
                    None => self.data.unset_option_error(name),
                };
                if let Some(error) = error {
                    self.warn(document, place.key_span, error);
                }
            }
            let Value::Hash(given) = of_key else { continue };
            self.result.compared += 1;
            let path = [LOOKUP_OPTIONS.into(), key.clone()].map(Step::Entry);
            for wrong in mismatched_parts(&type_, of_key) {
                let is_unknown = matches!(wrong.mismatch.reason, Reason::UnknownKey(_) | Reason::MisspelledKey(..));
                let is_ignored = is_unknown && wrong.mismatch.path_to_found().is_empty();
                let mut found = mismatch_finding(document, wrong.with_path_prefix(&path));
                found.is_error &= !is_ignored;
                let reason = found.mismatch.as_ref().map(|mismatch| &mismatch.reason);
                if let (true, Some(Reason::UnknownKey(key)), Some(span)) = (is_ignored, reason, found.error.span()) {
                    let key = key.as_str().unwrap_or_default();
                    let error = Error::new(TYPE_MISMATCH, format!("Puppet ignores {key} beside merge"));
                    found.error =
                        attach_location(error.with_help("write merge: {strategy: deep, …}"), &document.source, span);
                }
                self.result.findings.push(found);
            }
            if let Some(name) = key.as_str()
                && let Some(Ok(strategy @ Strategy::Hash)) = given.get_str("merge").map(Strategy::parse_merge_option)
                && let Some(values @ [_, _, ..]) = self.data.values.get(name).map(Vec::as_slice)
                && let Err(error) =
                    strategy.merge_levels(&values.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>())
                && !values.iter().any(|(_, value)| has_run_time_string(value))
            {
                let span = place.value_location.span_at_path_or(place.key_span, &[Step::Entry("merge".into())]);
                let message = format!("cannot merge the values of '{name}': {}", error.message());
                self.report_data_error(document, span, message);
            }
            let convert_to = given.get_str(CONVERT_TO);
            let type_ = convert_to.and_then(|value| value.as_array().map_or(Some(value), |elements| elements.first()));
            let Some(Value::String(type_)) = type_ else { continue };
            let strictness = std::mem::replace(&mut self.session.strictness, Strictness::Error);
            let outcome = self.session.evaluate_type(&Source::new("convert_to", &**type_));
            self.session.strictness = strictness;
            if let Err(error) = outcome {
                let span = place.value_location.span_at_path_or(place.key_span, &[Step::Entry(CONVERT_TO.into())]);
                let wrong = Error::new(DATA_ERROR, format!("convert_to: {}", error.message()));
                let finding = self.result.add_error(&document.source, span, wrong);
                error.help().iter().for_each(|help| finding.help(help));
            }
        }
    }

    /// Returns `value` merged and converted by the `lookup_options` of `key`; `None` if the result depends on run time.
    fn apply_lookup_options(&mut self, key: &str, value: &Value) -> Result<Option<Value>, Error> {
        let merged = match self.data.options.merge_strategy_of_key(key)? {
            Some(Strategy::Unique) => Strategy::Unique.merge_levels(std::slice::from_ref(value))?,
            // What is knocked out does not arrive.
            Some(Strategy::Deep(deep)) => Some(deep.without_knockouts(value)),
            _ => None,
        };
        let merged = merged.unwrap_or_else(|| value.clone());
        match self.data.options.conversion_of_key(key) {
            None => Ok(Some(merged)),
            Some(_) if has_run_time_string(&merged) => Ok(None),
            Some((type_, further)) => {
                let arguments: Vec<Value> = std::iter::once(merged).chain(further.iter().cloned()).collect();
                self.session.evaluate_type(&Source::new("convert_to", type_))?.construct(&arguments).map(Some)
            }
        }
    }
}

fn unknown_parameter_error(class: &IndexEntry, parameter: &str) -> Error {
    let name = &class.declaration.name;
    let near = nearest(parameter, class.declaration.parameters.iter().map(|declared| &*declared.name));
    let near = did_you_mean(near.map(|near| format!("{name}::{near}")));
    let help = near.unwrap_or_else(|| format!("class {name} is declared in {}", class.file_and_line()));
    Error::new(UNKNOWN_PARAMETER, format!("class {name} has no parameter ${parameter}")).with_help(help)
}

pub(super) fn type_of_lookup_options() -> Type {
    let merge = merge_option_type_source("Optional[strategy]", STRATEGY_NAMES);
    parse_constant_type(&format!("Struct[{{Optional[merge] => {merge}, Optional[convert_to] => Any}}]"))
}

/// Returns the source of the type of the `merge` option: a strategy in `names`, or a Hash with one under `key`.
pub(super) fn merge_option_type_source(key: &str, names: &str) -> String {
    format!(
        "Variant[Enum[{names}], Struct[{{{key} => Enum[{names}], Optional[knockout_prefix] => Optional[String], \
         Optional[sort_merged_arrays] => Boolean, Optional[merge_hash_arrays] => Boolean, \
         Optional[merge_debug] => Boolean, Optional[keep_array_duplicates] => Boolean}}]]"
    )
}

/// Whether a mismatch may disappear at run time, by interpolation or by merging with other hierarchy levels.
fn may_vanish_at_run_time(mismatch: &Mismatch, is_merged: bool) -> bool {
    match (&mismatch.reason, &mismatch.found) {
        _ if mismatch.has_unresolved_type() => true,
        (Reason::MissingKey(_) | Reason::Size(_), _) => is_merged,
        (Reason::UnknownKey(key) | Reason::MisspelledKey(key, _), _) => has_run_time_string(key),
        (_, Value::String(text)) => {
            is_alias_interpolation(text) || is_run_time_string(text) && accepts_some_string(&mismatch.expected)
        }
        (_, found) => has_run_time_string(found),
    }
}

pub(super) fn accepts_some_string(type_: &Type) -> bool {
    let any_text = Type::built_in_type("String");
    type_.alternatives().iter().any(|type_| type_.accepts(&any_text) || any_text.accepts(type_))
}
