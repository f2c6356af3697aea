//! Compares two versions of a module: reports what was added, removed and changed, which changes break users of the
//! module, and which part of the version number has to increase.
//!
//! A change is breaking if the new version can reject code or data that the old one accepts. Private classes and
//! functions have no users. A changed alias is reported once, and not again for the parameters that use it. An alias of
//! a missing module accepts only itself, and a difference that depends on it is never breaking.
//!
//! Sources: Semantic Versioning 2.0.0; Puppet reference, "Module metadata".

#![expect(clippy::indexing_slicing, reason = "parameters are looked up before, and types have a place for each")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::interface::{Interface, ItemKind};
use super::program::strip_leading_colons;
use crate::eval::{Declaration, ParsedSignature};
use crate::explain::difference::{Change as TypeChange, Difference, differences};
use crate::explain::{counterexample, mismatch::Step, rewrite::with_aliases_expanded};
use crate::session::Session;
use crate::syntax::tree::{Expression, Tree};
use crate::text::Source;
use crate::types::{
    KeyPresence, Member, OptionalType, Size, StructType, TupleType, Type, UndefType, describe::describe,
};
use crate::value::{SemVer, SemVerRange, Value};
use crate::wording::shorten;
use crate::{functions, syntax};

/// A part of a version number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words of Semantic Versioning")]
pub enum VersionPart {
    Patch,
    Minor,
    Major,
}

use VersionPart::{Major, Minor, Patch};

impl VersionPart {
    /// Returns the name in lower case: `major`.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A difference between two versions of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The changed item: `class apache::vhost`, or `metadata.json`.
    pub item: String,
    /// The location of the item in the new version, or in the old one if it was removed: `manifests/vhost.pp:3`.
    pub file_and_line: String,
    /// The description: `$port: narrowed from Integer to Integer[1, 65535]`.
    pub text: String,
    /// A value that the old version accepts and the new one rejects.
    pub example: Option<String>,
    /// The part of the version number that the change requires to increase; a `Major` change breaks users.
    pub version_part: VersionPart,
}

/// The differences between two versions of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The changes, sorted by item.
    pub changes: Vec<Change>,
    /// The old and the new version in `metadata.json`; `None` if it contains no version.
    pub versions: [Option<String>; 2],
}

impl Comparison {
    /// Returns the part of the version number that has to increase at least; `None` if there are no changes.
    ///
    /// Below 1.0.0, breaking changes require the minor version to increase, and other changes the patch version.
    pub fn required_version_part(&self) -> Option<VersionPart> {
        let part = self.changes.iter().map(|change| change.version_part).max()?;
        let is_early = self.parse_version_at(0).is_some_and(|version| version.0.major == 0);
        Some(match part {
            Major if is_early => Minor,
            Minor if is_early => Patch,
            part => part,
        })
    }

    /// Returns the part of the version number that has increased; `None` if the version is not higher.
    pub fn increased_version_part(&self) -> Option<VersionPart> {
        let numbers = |at| self.parse_version_at(at).map(|SemVer(one)| [one.major, one.minor, one.patch]);
        let (old, new) = (numbers(0)?, numbers(1)?);
        let at = (0..3).find(|at| old[*at] != new[*at])?;
        (new > old).then_some([Major, Minor, Patch][at])
    }

    fn parse_version_at(&self, at: usize) -> Option<SemVer> {
        SemVer::parse(self.versions.get(at)?.as_deref()?).ok()
    }
}

/// Compares two versions of a module. The types of each version are resolved in its own session, which may know other
/// modules, but not the compared one.
pub fn compare_modules(old: (&Interface, &mut Session), new: (&Interface, &mut Session)) -> Comparison {
    let mut search = ChangeCollector::default();
    let (mut old, mut new) = (ModuleVersion::from_interface(old), ModuleVersion::from_interface(new));
    let all: BTreeSet<&(ItemKind, String)> = old.interface.entries.keys().chain(new.interface.entries.keys()).collect();
    for key in all {
        search.compare_entry(key, &mut old, &mut new);
    }
    search.compare_metadata(&old.interface.metadata, &new.interface.metadata);
    let version = |of: &ModuleVersion| of.interface.metadata.get("version")?.as_str().map(str::to_owned);
    Comparison { changes: search.changes, versions: [version(&old), version(&new)] }
}

struct ModuleVersion<'a> {
    interface: &'a Interface,
    session: &'a mut Session,
}

/// The runtime name of the `Runtime` types that replace unknown type aliases.
const UNKNOWN_TYPE_RUNTIME: &str = "unknown";

struct CallParameter {
    name: String,
    type_: Type,
    /// The source of the type, without spaces.
    type_source: String,
    default: Option<(String, Option<Value>)>,
}

struct CallSignature {
    parameters: Vec<CallParameter>,
    argument_count: Size,
    block_type: Option<Type>,
    return_type: Type,
}

impl CallSignature {
    fn find_parameter(&self, name: &str) -> Option<&CallParameter> {
        self.parameters.iter().find(|one| one.name == name)
    }

    fn type_of_arguments(&self) -> Type {
        TupleType::new(self.parameters.iter().map(|one| one.type_.clone()), Some(self.argument_count)).into()
    }

    fn accepts_block_of(&self, other: &CallSignature) -> bool {
        let block = |call: &CallSignature| call.block_type.clone().unwrap_or_else(|| UndefType.into());
        block(self).accepts(&block(other))
    }

    fn accepts_calls_of(&self, other: &CallSignature) -> bool {
        self.type_of_arguments().accepts(&other.type_of_arguments()) && self.accepts_block_of(other)
    }
}

impl<'a> ModuleVersion<'a> {
    fn from_interface((interface, session): (&'a Interface, &'a mut Session)) -> ModuleVersion<'a> {
        let mut version = ModuleVersion { interface, session };
        let programs: Vec<String> = interface.type_alias_definitions().map(|(_, program)| program).collect();
        for tree in programs.iter().filter_map(|program| syntax::parse(&Source::new("types", &**program)).ok()) {
            version.define_unknown_types(&tree);
        }
        // One that is refused must not take the others with it.
        if version.evaluate_program(&programs.join("\n")).is_none() {
            for program in &programs {
                version.evaluate_program(program);
            }
        }
        version
    }

    fn evaluate_program(&mut self, program: &str) -> Option<Value> {
        self.session.evaluate(&Source::new("types", program), &mut |_| {}).ok()
    }

    /// Defines each unknown type name in `tree` as a type that accepts only itself.
    fn define_unknown_types(&mut self, tree: &Tree) {
        for node in &tree.nodes {
            let Expression::Reference(name) = &node.expression else { continue };
            let name = strip_leading_colons(name);
            let is_own = |kind| self.interface.entries_of_kind(kind).any(|(own, _)| own.eq_ignore_ascii_case(name));
            if !(is_own(ItemKind::Alias) || is_own(ItemKind::Define) || self.session.environment.knows_type(name)) {
                self.evaluate_program(&format!("type {name} = Runtime['{UNKNOWN_TYPE_RUNTIME}', '{name}']"));
            }
        }
    }

    fn parse_signature(&mut self, signature: &str) -> Option<CallSignature> {
        let text = ParsedSignature::parse_signature_text(signature).ok()?;
        self.define_unknown_types(&text.tree);
        let environment = &mut self.session.environment;
        let definition = text.function_definition().ok()?;
        let declaration = Declaration::from_definition(definition, &text.tree, environment);
        let mut parameters = Vec::new();
        for (written, declared) in definition.parameters.iter().zip(&declaration.parameters) {
            let value =
                |id| (text.tree.text_of(id).to_owned(), environment.static_value(&text.tree, id).ok().flatten());
            let default = written.default.map(value);
            let type_ = environment.parameter_type(&declaration, declared).ok()?;
            let type_source = written.type_.map_or_else(String::new, |id| remove_spaces(text.tree.text_of(id)));
            parameters.push(CallParameter { name: written.name.to_string(), type_, type_source, default });
        }
        let block = if text.has_block { parameters.pop().map(|block| block.type_) } else { None };
        let written = &definition.parameters[..parameters.len()];
        let least = written.iter().filter(|one| one.default.is_none() && !one.captures_rest).count();
        let most = if written.iter().any(|one| one.captures_rest) { usize::MAX } else { parameters.len() };
        let argument_count = Size::exactly(least).merged_size(Size::exactly(most));
        let return_type = environment.declared_return_type(&declaration).ok()?;
        Some(CallSignature { parameters, argument_count, block_type: block, return_type })
    }
}

#[derive(Default)]
struct ChangeCollector {
    changes: Vec<Change>,
    current_item: String,
    place: String,
}

impl ChangeCollector {
    fn add_change(&mut self, grows: VersionPart, text: impl Into<String>) {
        let (item, place) = (self.current_item.clone(), self.place.clone());
        self.changes.push(Change { item, file_and_line: place, text: text.into(), example: None, version_part: grows });
    }

    fn compare_entry(&mut self, key: &(ItemKind, String), old: &mut ModuleVersion, new: &mut ModuleVersion) {
        let (before, after) = (old.interface.entries.get(key), new.interface.entries.get(key));
        self.current_item = format!("{} {}", key.0.display_name(), key.1);
        self.place = after.or(before).map(|entry| entry.place.clone()).unwrap_or_default();
        match (before.filter(|entry| !entry.is_private), after.filter(|entry| !entry.is_private)) {
            (Some(before), Some(after)) => {
                if self.compare_common_entry(key, (old, &before.texts), (new, &after.texts)).is_none() {
                    self.add_change(Patch, "not compared: its types cannot be resolved");
                }
            }
            (Some(_), None) if new.interface.unreadable_files().iter().any(|file| self.place.starts_with(&**file)) => {}
            // It had the name of a function of Puppet, which is called now.
            (Some(_), None) if key.0 == ItemKind::Function && functions::named(&key.1).is_some() => {
                self.add_change(Patch, "removed: Puppet's own function is called now");
            }
            (Some(_), None) => self.add_change(Major, if after.is_some() { "now private" } else { "removed" }),
            (None, Some(_)) => self.add_change(Minor, if before.is_some() { "no longer private" } else { "added" }),
            (None, None) => {}
        }
    }

    fn compare_common_entry(
        &mut self,
        (sort, name): &(ItemKind, String),
        (old, before): (&mut ModuleVersion, &[String]),
        (new, after): (&mut ModuleVersion, &[String]),
    ) -> Option<()> {
        let ([one, ..], [other, ..]) = (before, after) else { return Some(()) };
        match sort {
            ItemKind::Class | ItemKind::Define | ItemKind::Plan if one == other => {}
            ItemKind::Class | ItemKind::Define | ItemKind::Plan => {
                let (one, other) = (old.parse_signature(one)?, new.parse_signature(other)?);
                self.compare_parameters(&one, &other, *sort != ItemKind::Plan);
            }
            _ if before == after => {}
            ItemKind::Function => {
                let before: Option<Vec<_>> = before.iter().map(|one| old.parse_signature(one)).collect();
                let after: Option<Vec<_>> = after.iter().map(|other| new.parse_signature(other)).collect();
                self.compare_functions(&before?, &after?);
            }
            ItemKind::Alias => {
                let type_of = |version: &mut ModuleVersion, text: &str| {
                    version.session.evaluate_type(&Source::new("type", text)).ok()
                };
                let (start, of_word) = (self.changes.len(), |letter: char| letter.is_alphanumeric() || letter == ':');
                self.compare_types(&type_of(old, one)?, &type_of(new, other)?, &[]);
                let uses = |text: &String| {
                    text.split(|letter| !of_word(letter)).any(|word| strip_leading_colons(word) == name)
                };
                let users = new.interface.entries.iter().filter(|(_, entry)| entry.texts.iter().any(uses));
                let users: Vec<&str> = users.map(|((_, name), _)| &**name).collect();
                if let Some(last) = self.changes.get_mut(start..).and_then(<[Change]>::last_mut)
                    && !users.is_empty()
                {
                    last.text = format!("{} (used by {})", last.text, one_line(&users.join(", ")));
                }
            }
            ItemKind::ResourceType => {
                for name in before.iter().filter(|name| !after.contains(name)) {
                    self.add_change(Major, format!("{name}: removed"));
                }
                for name in after.iter().filter(|name| !before.contains(name)) {
                    self.add_change(Minor, format!("{name}: added"));
                }
            }
        }
        Some(())
    }

    /// Compares parameters that are passed by name. With `undef_is_default`, undef selects the default value.
    fn compare_parameters(&mut self, old: &CallSignature, new: &CallSignature, undef_is_default: bool) {
        let accepts_undef = |one: &CallParameter| one.type_.accepts(&UndefType.into());
        let part = |name: &str, types| (Step::Entry(name.into()), format!("${name}"), types);
        let member = |one: &CallParameter, type_: &Type| {
            let presence = if one.default.is_some() { KeyPresence::Optional } else { KeyPresence::Required };
            Member::new((&*one.name).into(), presence, type_.clone())
        };
        let (mut members, mut parts) = ([Vec::new(), Vec::new()], Vec::new());
        for one in &old.parameters {
            members[0].push(member(one, &one.type_));
            let is_gone = new.find_parameter(&one.name).is_none();
            parts.extend(is_gone.then(|| part(&one.name, [Type::any(), Type::any()])));
        }
        for other in &new.parameters {
            let one = old.find_parameter(&other.name);
            let type_ = match one {
                Some(one) if one.type_source == other.type_source => one.type_.clone(),
                Some(one)
                    if undef_is_default && other.default.is_some() && accepts_undef(one) && !accepts_undef(other) =>
                {
                    OptionalType::new(other.type_.clone()).into()
                }
                _ => other.type_.clone(),
            };
            members[1].push(member(other, &type_));
            let before = one.map_or_else(Type::any, |one| one.type_.clone());
            parts.push(part(&other.name, [before, type_]));
        }
        let [before, after] = members.map(|members| Type::from(StructType::new(members)));
        self.compare_types(&before, &after, &parts);
        for other in &new.parameters {
            if let Some((before, old)) = old.find_parameter(&other.name).and_then(|one| one.default.as_ref())
                && let Some((after, new)) = &other.default
                && remove_spaces(before) != remove_spaces(after)
                && !after.starts_with("lookup(")
                && (old.is_none() || old != new)
            {
                let text = format!("${}: default changed from {} to {}", other.name, one_line(before), one_line(after));
                self.add_change(Patch, text);
            }
        }
    }

    /// Reports the differences between two types. `parts` contains a name and the two types for the parts at some
    /// paths. A narrower type is only a breaking change if an example of a rejected value is found.
    fn compare_types(&mut self, before: &Type, after: &Type, parts: &[(Step, String, [Type; 2])]) {
        use TypeChange::{Added, BranchRemoved, Narrowed, NowOptional, NowRequired, Removed};
        const MAX_ALIAS_LEVELS: usize = 5;
        let unknown = format!("Runtime[{UNKNOWN_TYPE_RUNTIME},");
        let is_unknown = |type_: &Type| with_aliases_expanded(type_, MAX_ALIAS_LEVELS).to_string().contains(&unknown);
        let found = differences(before, after);
        for mut difference in found.clone() {
            let part = difference.path.first().and_then(|first| parts.iter().find(|(step, ..)| step == first));
            let [one, other] = part.map_or([before, after], |(_, _, [one, other])| [one, other]);
            let is_whole = difference.path.len() == usize::from(part.is_some());
            if is_whole && difference.change == BranchRemoved && matches!(difference.before, Some(Type::Any(_))) {
                (difference.change, difference.after) = (Narrowed, Some(other.clone()));
            }
            let is_beside =
                |also: &&Difference| also.breaks && (part.is_none() || also.path.first() == difference.path.first());
            let example = match &difference.before {
                Some(branch) if is_whole && difference.change == BranchRemoved => {
                    counterexample::in_difference(branch, &[other])
                }
                _ if is_whole || difference.is_about_size() => counterexample::in_difference(one, &[other]),
                _ => difference.breaking_example(),
            };
            let is_alone = || found.iter().filter(is_beside).count() == 1;
            let example = example.or_else(|| counterexample::in_difference(one, &[other]).filter(|_| is_alone()));
            let types = difference.before.iter().chain(&difference.after).chain([other]);
            let is_of_value = !matches!(difference.change, Added { .. } | Removed | NowRequired | NowOptional);
            let (grows, note) = match difference.change {
                _ if !difference.breaks => (Minor, ""),
                _ if !is_of_value => (Major, ""),
                _ if types.into_iter().any(is_unknown) => (Patch, " (not checked: a type is not known)"),
                _ if example.is_none() => (Patch, " (no value was found that it breaks)"),
                _ => (Major, ""),
            };
            let text = if part.is_some_and(|(_, name, _)| name.is_empty()) {
                let (before, after) = difference.describe_both_types();
                format!("number of arguments: {after} instead of {before}")
            } else {
                if let (Some(first), Some((_, name, _))) = (difference.path.first_mut(), part) {
                    *first = Step::Inside(name.clone());
                }
                difference.to_string()
            };
            self.add_change(grows, text + note);
            if let Some(last) = self.changes.last_mut().filter(|_| grows == Major && is_of_value) {
                last.example = example.as_ref().map(describe);
            }
        }
    }

    fn compare_functions(&mut self, before: &[CallSignature], after: &[CallSignature]) {
        let start = self.changes.len();
        let accepted: Vec<Type> = after.iter().map(CallSignature::type_of_arguments).collect();
        for call in before.iter().filter(|call| !after.iter().any(|other| other.accepts_calls_of(call))) {
            let alike = |other: &&CallSignature| {
                call.parameters.iter().zip(&other.parameters).filter(|(one, other)| one.name == other.name).count()
            };
            // Of several that are alike the first.
            let Some(other) = after.iter().rev().max_by_key(alike) else { continue };
            if !other.accepts_block_of(call) {
                let block =
                    |call: &CallSignature| call.block_type.as_ref().map_or("no block".to_owned(), Type::to_string);
                self.add_change(Major, format!("the block changed from {} to {}", block(call), block(other)));
            }
            let arguments = call.type_of_arguments();
            // Several together may accept what none of them does alone.
            let others: Vec<&Type> = accepted.iter().collect();
            if after.len() > 1 && counterexample::in_difference(&arguments, &others).is_none() {
                continue;
            }
            let pairs = call.parameters.iter().zip(&other.parameters).enumerate();
            let mut types: Vec<Type> = other.parameters.iter().map(|other| other.type_.clone()).collect();
            let mut parts = Vec::new();
            for (at, (one, other)) in pairs {
                if one.type_source == other.type_source {
                    types[at] = one.type_.clone();
                }
                let name = format!("parameter {} ${}", at + 1, one.name);
                parts.push((Step::Element(at), name, [one.type_.clone(), types[at].clone()]));
            }
            let others: Type = TupleType::new(types, Some(other.argument_count)).into();
            let any: Type = TupleType::new([Type::any()], Some(other.argument_count)).into();
            parts.push((Step::Inside("size".to_owned()), String::new(), [arguments.clone(), any]));
            self.compare_types(&arguments, &others, &parts);
        }
        let is_new = |other: &&CallSignature| !before.iter().any(|call| call.accepts_calls_of(other));
        if self.changes.len() == start {
            for other in after.iter().filter(is_new) {
                let accepted = one_line(&other.type_of_arguments().to_string());
                self.add_change(Minor, format!("now also accepts {accepted}"));
            }
        }
        if let ([call], [other]) = (before, after)
            && !call.return_type.equals(&other.return_type)
        {
            let [before, after] = [call, other].map(|call| one_line(&call.return_type.to_string()));
            self.add_change(Patch, format!("the returned type changed from {before} to {after}"));
        }
    }

    /// Reports changed operating systems, requirements and dependencies. Source: Puppet reference, "Module metadata".
    fn compare_metadata(&mut self, before: &Json, after: &Json) {
        (self.current_item, self.place) = ("metadata.json".to_owned(), String::new());
        let list = |json: &Json, key: &str| json.get(key).and_then(Json::as_array).cloned().unwrap_or_default();
        let text = |json: &Json, key: &str| json.get(key).and_then(Json::as_str).unwrap_or_default().replace('/', "-");
        let systems = |json: &Json| -> BTreeMap<String, Vec<Json>> {
            let systems = list(json, "operatingsystem_support").into_iter();
            systems.map(|one| (text(&one, "operatingsystem"), list(&one, "operatingsystemrelease"))).collect()
        };
        let (old, new) = (systems(before), systems(after));
        for (verb, grows, some, all) in [("no longer supports", Major, &old, &new), ("now supports", Minor, &new, &old)]
        {
            for (system, releases) in some {
                let known = all.get(system);
                let gone = releases.iter().filter(|one| known.is_some_and(|all| !all.is_empty() && !all.contains(one)));
                let missing: Vec<&str> = gone.filter_map(Json::as_str).collect();
                if known.is_none() || !missing.is_empty() {
                    self.add_change(grows, format!("{verb} {system} {}", missing.join(", ")).trim_end());
                }
            }
        }
        for key in ["requirements", "dependencies"] {
            let ranges = |json: &Json| -> BTreeMap<String, String> {
                list(json, key).iter().map(|one| (text(one, "name"), text(one, "version_requirement"))).collect()
            };
            let (old, new) = (ranges(before), ranges(after));
            for (name, range) in &old {
                match new.get(name) {
                    Some(after) => self.compare_version_ranges(name, range, after, key == "requirements"),
                    None if key == "requirements" => self.add_change(Major, format!("no longer supports {name}")),
                    None => self.add_change(Patch, format!("no longer requires {name}")),
                }
            }
            for (name, range) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
                self.add_change(Minor, format!("now requires {name} {range}").trim_end());
            }
        }
    }

    /// Reports a changed version range: breaking if it starts later (for modules: at a later major) or ends earlier.
    fn compare_version_ranges(&mut self, name: &str, before: &str, after: &str, is_puppet: bool) {
        let (Ok(old), Ok(new)) = (SemVerRange::parse(before), SemVerRange::parse(after)) else { return };
        let major = |text: &str| -> Option<u64> {
            text.trim_start_matches(|letter: char| !letter.is_ascii_digit()).split('.').next()?.parse().ok()
        };
        let end = |text: &str| text.split_once('<').and_then(|(_, end)| major(end));
        let from = after.split('<').next().and_then(|from| SemVerRange::parse(from.trim()).ok());
        let begins_later = from.is_some_and(|from| !from.covers(&old)) && (is_puppet || major(after) > major(before));
        let ends_earlier = end(after).is_some_and(|after| end(before).is_some_and(|before| after < before));
        let begins_as_before = if new.covers(&old) { Minor } else { Patch };
        let grows = if begins_later || ends_earlier { Major } else { begins_as_before };
        if old != new {
            self.add_change(grows, format!("requires {name} {after} instead of {before}"));
        }
    }
}

fn remove_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

fn one_line(text: &str) -> String {
    shorten(&text.split_whitespace().collect::<Vec<_>>().join(" "), 60)
}
