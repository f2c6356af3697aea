//! Two versions of a module: what was added, removed and changed, what of that breaks its users, and which part of the
//! version number has to grow.
//!
//! A change breaks if code or data that the old version accepts can be refused by the new one. Private classes and functions
//! have no users. A changed alias is reported once, and not again where a parameter names it. An alias of a module that is not
//! there accepts only itself, and a difference that depends on it never breaks.
//!
//! Sources: Semantic Versioning 2.0.0; Puppet reference, "Module metadata".

#![expect(clippy::indexing_slicing, reason = "parameters are looked up before, and types have a place for each")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::interface::{Interface, Sort};
use super::program::{lower_name, plain_name};
use crate::eval::{Declaration, Kind, SignatureText};
use crate::explain::difference::{Change as TypeChange, Difference, differences};
use crate::explain::{counterexample, mismatch::Step, rewrite::expanded};
use crate::session::Session;
use crate::syntax::tree::{Expression, Tree};
use crate::text::Source;
use crate::types::{Member, OptionalType, Presence, Size, StructType, TupleType, Type, UndefType, describe::describe};
use crate::value::{SemVer, SemVerRange, Value};
use crate::{functions, syntax};

/// A part of a version number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words of Semantic Versioning")]
pub enum Part {
    Patch,
    Minor,
    Major,
}

impl Part {
    /// `major`
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A difference between two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// `class apache::vhost`, or `metadata.json`
    pub item: String,
    /// Where the new version declares it, or the old one if it was removed: `manifests/vhost.pp:3`.
    pub place: String,
    /// `$port: narrowed from Integer to Integer[1, 65535]`
    pub text: String,
    /// A value that is not accepted any more.
    pub example: Option<String>,
    /// The part of the version number that has to grow for it; a major change breaks users.
    pub grows: Part,
}

/// The differences between two versions of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Sorted by what they are about.
    pub changes: Vec<Change>,
    /// The old and the new version in `metadata.json`; `None` if it has none.
    pub versions: [Option<String>; 2],
}

impl Comparison {
    /// The part of the version number that has to grow at least; `None` if there are no changes.
    ///
    /// Below 1.0.0 it is the minor version for what breaks, and the patch version for all else.
    pub fn required(&self) -> Option<Part> {
        let part = self.changes.iter().map(|change| change.grows).max()?;
        let is_early = self.version(0).is_some_and(|version| version.0.major == 0);
        Some(match part {
            Part::Major if is_early => Part::Minor,
            Part::Minor if is_early => Part::Patch,
            part => part,
        })
    }

    /// The part of the version number that has grown; `None` if none has.
    pub fn grown(&self) -> Option<Part> {
        let numbers = |at| self.version(at).map(|SemVer(version)| [version.major, version.minor, version.patch]);
        let (old, new) = (numbers(0)?, numbers(1)?);
        let at = (0..3).find(|at| old[*at] != new[*at])?;
        (new > old).then_some([Part::Major, Part::Minor, Part::Patch][at])
    }

    fn version(&self, at: usize) -> Option<SemVer> {
        SemVer::parse(self.versions.get(at)?.as_deref()?).ok()
    }
}

/// Compares two versions of a module. The types of each are resolved in its own session, which must not know the module
/// already, but may know others.
pub fn compare(old: (&Interface, &mut Session), new: (&Interface, &mut Session)) -> Comparison {
    let mut search = Search::default();
    let (mut old, mut new) = (Version::new(old), Version::new(new));
    let keys: BTreeSet<&(Sort, String)> = old.interface.entries.keys().chain(new.interface.entries.keys()).collect();
    for key in keys {
        search.entry(key, &mut old, &mut new);
    }
    search.metadata(&old.interface.metadata, &new.interface.metadata);
    let version = |of: &Version| of.interface.metadata.get("version")?.as_str().map(str::to_owned);
    Comparison { changes: search.changes, versions: [version(&old), version(&new)] }
}

/// An interface, and a session that resolves its types.
struct Version<'a> {
    interface: &'a Interface,
    session: &'a mut Session,
}

/// Marks the meaning of an alias that is not known.
const UNKNOWN: &str = "unknown";

struct Parameter {
    name: String,
    type_: Type,
    /// The type as it is written, without spaces.
    written: String,
    default: Option<(String, Option<Value>)>,
}

/// A way to call a function, a class or a plan.
struct Call {
    parameters: Vec<Parameter>,
    size: Size,
    block: Option<Type>,
    return_type: Type,
}

impl Call {
    fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|one| one.name == name)
    }

    fn arguments(&self) -> Type {
        TupleType::new(self.parameters.iter().map(|one| one.type_.clone()), Some(self.size)).into()
    }

    fn accepts_block_of(&self, other: &Call) -> bool {
        let block = |call: &Call| call.block.clone().unwrap_or_else(|| UndefType.into());
        block(self).accepts(&block(other))
    }

    fn accepts(&self, other: &Call) -> bool {
        self.arguments().accepts(&other.arguments()) && self.accepts_block_of(other)
    }
}

impl<'a> Version<'a> {
    fn new((interface, session): (&'a Interface, &'a mut Session)) -> Version<'a> {
        let mut version = Version { interface, session };
        let programs: Vec<String> = interface.types().map(|(_, program)| program).collect();
        for tree in programs.iter().filter_map(|program| syntax::parse(&Source::new("types", &**program)).ok()) {
            version.define_unknown(&tree);
        }
        // One that is refused must not take the others with it.
        if version.evaluate(&programs.join("\n")).is_none() {
            for program in &programs {
                version.evaluate(program);
            }
        }
        version
    }

    fn evaluate(&mut self, program: &str) -> Option<Value> {
        self.session.evaluate(&Source::new("types", program), &mut |_| {}).ok()
    }

    /// Makes each alias that is not known a type that accepts only itself.
    fn define_unknown(&mut self, tree: &Tree) {
        for node in &tree.nodes {
            let Expression::Reference(name) = &node.expression else { continue };
            let name = plain_name(name);
            let is_own = || self.interface.of_sort(Sort::Alias).any(|(own, _)| own.eq_ignore_ascii_case(name));
            let is_define = || self.interface.entries.contains_key(&(Sort::Define, lower_name(name).into_owned()));
            if !is_own() && !is_define() && !self.session.environment.knows_type(name) {
                self.evaluate(&format!("type {name} = Runtime['{UNKNOWN}', '{name}']"));
            }
        }
    }

    /// Reads a signature; `None` if it cannot be.
    fn call(&mut self, signature: &str) -> Option<Call> {
        let text = SignatureText::read(signature).ok()?;
        self.define_unknown(&text.tree);
        let environment = &mut self.session.environment;
        let definition = text.definition().ok()?;
        let declaration = Declaration::new(Kind::Function, definition, &text.tree, environment);
        let slice = |id| text.tree.source.slice(text.tree[id].span);
        let (mut parameters, mut least, mut most) = (Vec::new(), 0, definition.parameters.len());
        for (written, declared) in definition.parameters.iter().zip(&declaration.parameters) {
            let value = |id| (slice(id).to_owned(), environment.value_of(&text.tree, id).ok().flatten());
            let default = written.default.map(value);
            least += usize::from(default.is_none() && !written.captures_rest);
            most = if written.captures_rest { usize::MAX } else { most };
            let type_ = environment.type_of(&declaration, declared).ok()?;
            let typed = written.type_.map_or_else(String::new, |id| without_space(slice(id)));
            parameters.push(Parameter { name: written.name.to_string(), type_, written: typed, default });
        }
        let block = if text.has_block { parameters.pop().map(|block| block.type_) } else { None };
        let without_block = |count: usize| i64::try_from(count - usize::from(block.is_some())).unwrap_or(i64::MAX);
        let size = Size::new(without_block(least), without_block(most)).ok()?;
        Some(Call { size, parameters, return_type: environment.return_type_of(&declaration).ok()?, block })
    }
}

#[derive(Default)]
struct Search {
    changes: Vec<Change>,
    item: String,
    place: String,
}

impl Search {
    fn add(&mut self, grows: Part, text: impl Into<String>) {
        let (item, place) = (self.item.clone(), self.place.clone());
        self.changes.push(Change { item, place, text: text.into(), example: None, grows });
    }

    fn entry(&mut self, key: &(Sort, String), old: &mut Version, new: &mut Version) {
        let (before, after) = (old.interface.entries.get(key), new.interface.entries.get(key));
        self.item = format!("{} {}", key.0.word(), key.1);
        self.place = after.or(before).map(|entry| entry.place.clone()).unwrap_or_default();
        match (before.filter(|entry| !entry.is_private), after.filter(|entry| !entry.is_private)) {
            (Some(before), Some(after)) => {
                if self.both(key, (old, &before.texts), (new, &after.texts)).is_none() {
                    self.add(Part::Patch, "not compared: its types cannot be resolved");
                }
            }
            (Some(_), None) if new.interface.unreadable().iter().any(|file| self.place.starts_with(&**file)) => {}
            // It had the name of a function of Puppet, which is called now.
            (Some(_), None) if key.0 == Sort::Function && functions::named(&key.1).is_some() => {
                self.add(Part::Patch, "removed: Puppet's own function is called now");
            }
            (Some(_), None) => self.add(Part::Major, if after.is_some() { "now private" } else { "removed" }),
            (None, Some(_)) => self.add(Part::Minor, if before.is_some() { "no longer private" } else { "added" }),
            (None, None) => {}
        }
    }

    fn both(
        &mut self,
        (sort, name): &(Sort, String),
        (old, before): (&mut Version, &[String]),
        (new, after): (&mut Version, &[String]),
    ) -> Option<()> {
        let ([one, ..], [other, ..]) = (before, after) else { return Some(()) };
        match sort {
            Sort::Class | Sort::Define | Sort::Plan if one == other => {}
            Sort::Class | Sort::Define | Sort::Plan => {
                self.parameters(&old.call(one)?, &new.call(other)?, *sort != Sort::Plan);
            }
            _ if before == after => {}
            Sort::Function => {
                let calls = before.iter().map(|one| old.call(one)).collect::<Option<Vec<_>>>()?;
                self.function(&calls, &after.iter().map(|other| new.call(other)).collect::<Option<Vec<_>>>()?);
            }
            Sort::Alias => {
                let type_of =
                    |version: &mut Version, text: &str| version.session.type_of_text(&Source::new("type", text)).ok();
                let (start, of_word) = (self.changes.len(), |letter: char| letter.is_alphanumeric() || letter == ':');
                self.types(&type_of(old, one)?, &type_of(new, other)?, &[]);
                let uses = |text: &String| text.split(|letter| !of_word(letter)).any(|word| plain_name(word) == name);
                let users = new.interface.entries.iter().filter(|(_, entry)| entry.texts.iter().any(uses));
                let users: Vec<&str> = users.map(|((_, name), _)| &**name).collect();
                if let Some(last) = self.changes.get_mut(start..).and_then(<[Change]>::last_mut)
                    && !users.is_empty()
                {
                    last.text = format!("{} (used by {})", last.text, short(&users.join(", ")));
                }
            }
            Sort::ResourceType => {
                let directions = [(before, after, Part::Major, "removed"), (after, before, Part::Minor, "added")];
                for (some, others, grows, change) in directions {
                    let missing = some.iter().filter(|name| !others.contains(name));
                    missing.for_each(|name| self.add(grows, format!("{name}: {change}")));
                }
            }
        }
        Some(())
    }

    /// Parameters that are passed by name. Where there is a default, undef may mean it.
    fn parameters(&mut self, old: &Call, new: &Call, undef_is_default: bool) {
        let accepts_undef = |one: &Parameter| one.type_.accepts(&UndefType.into());
        let part = |name: &str, types| (Step::Entry(name.into()), format!("${name}"), types);
        let member = |one: &Parameter, type_: &Type| {
            let presence = if one.default.is_some() { Presence::Optional } else { Presence::Required };
            Member::new((&*one.name).into(), presence, type_.clone())
        };
        let (mut members, mut parts) = ([Vec::new(), Vec::new()], Vec::new());
        for one in &old.parameters {
            members[0].push(member(one, &one.type_));
            if new.parameter(&one.name).is_none() {
                parts.push(part(&one.name, [Type::any(), Type::any()]));
            }
        }
        for other in &new.parameters {
            let one = old.parameter(&other.name);
            let type_ = match one {
                Some(one) if one.written == other.written => one.type_.clone(),
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
        self.types(&before, &after, &parts);
        for other in &new.parameters {
            if let Some((before, old)) = old.parameter(&other.name).and_then(|one| one.default.as_ref())
                && let Some((after, new)) = &other.default
                && without_space(before) != without_space(after)
                && !after.starts_with("lookup(")
                && (old.is_none() || old != new)
            {
                let text = format!("${}: default changed from {} to {}", other.name, short(before), short(after));
                self.add(Part::Patch, text);
            }
        }
    }

    /// Reports the differences between two types. A part that a path begins with may have a name, and types. What is no
    /// longer accepted breaks only if there is an example.
    fn types(&mut self, before: &Type, after: &Type, parts: &[(Step, String, [Type; 2])]) {
        use TypeChange::{Added, BranchRemoved, Narrowed, NowOptional, NowRequired, Removed};
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
                _ if is_whole || difference.is_size() => counterexample::in_difference(one, &[other]),
                _ => difference.example(),
            };
            let is_alone = || found.iter().filter(is_beside).count() == 1;
            let example = example.or_else(|| counterexample::in_difference(one, &[other]).filter(|_| is_alone()));
            let types = difference.before.iter().chain(&difference.after).chain([other]);
            let is_of_value = !matches!(difference.change, Added { .. } | Removed | NowRequired | NowOptional);
            let (grows, note) = match difference.change {
                _ if !difference.breaks => (Part::Minor, ""),
                _ if !is_of_value => (Part::Major, ""),
                _ if types.into_iter().any(depends_on_unknown) => (Part::Patch, " (not checked: a type is not known)"),
                _ if example.is_none() => (Part::Patch, " (no value was found that it breaks)"),
                _ => (Part::Major, ""),
            };
            let text = if part.is_some_and(|(_, name, _)| name.is_empty()) {
                let (before, after) = difference.texts();
                format!("number of arguments: {after} instead of {before}")
            } else {
                if let (Some(first), Some((_, name, _))) = (difference.path.first_mut(), part) {
                    *first = Step::Inside(name.clone());
                }
                difference.to_string()
            };
            self.add(grows, text + note);
            if let Some(last) = self.changes.last_mut().filter(|_| grows == Part::Major && is_of_value) {
                last.example = example.as_ref().map(describe);
            }
        }
    }

    fn function(&mut self, before: &[Call], after: &[Call]) {
        let start = self.changes.len();
        let accepted: Vec<Type> = after.iter().map(Call::arguments).collect();
        for call in before.iter().filter(|call| !after.iter().any(|other| other.accepts(call))) {
            let alike = |other: &&Call| {
                call.parameters.iter().zip(&other.parameters).filter(|(one, other)| one.name == other.name).count()
            };
            // Of several that are alike the first.
            let Some(other) = after.iter().rev().max_by_key(alike) else { continue };
            if !other.accepts_block_of(call) {
                let block = |call: &Call| call.block.as_ref().map_or("no block".to_owned(), ToString::to_string);
                self.add(Part::Major, format!("the block changed from {} to {}", block(call), block(other)));
            }
            let arguments = call.arguments();
            // Several together may accept what none of them does alone.
            let others: Vec<&Type> = accepted.iter().collect();
            if after.len() > 1 && counterexample::in_difference(&arguments, &others).is_none() {
                continue;
            }
            let pairs = call.parameters.iter().zip(&other.parameters).enumerate();
            let mut types: Vec<Type> = other.parameters.iter().map(|other| other.type_.clone()).collect();
            let mut parts = Vec::new();
            for (at, (one, other)) in pairs {
                if one.written == other.written {
                    types[at] = one.type_.clone();
                }
                let name = format!("parameter {} ${}", at + 1, one.name);
                parts.push((Step::Element(at), name, [one.type_.clone(), types[at].clone()]));
            }
            let others: Type = TupleType::new(types, Some(other.size)).into();
            let any: Type = TupleType::new([Type::any()], Some(other.size)).into();
            parts.push((Step::Inside("size".to_owned()), String::new(), [arguments.clone(), any]));
            self.types(&arguments, &others, &parts);
        }
        let is_new = |other: &&Call| !before.iter().any(|call| call.accepts(other));
        if self.changes.len() == start {
            for other in after.iter().filter(is_new) {
                self.add(Part::Minor, format!("now also accepts {}", short(&other.arguments().to_string())));
            }
        }
        if let ([call], [other]) = (before, after)
            && !call.return_type.equals(&other.return_type)
        {
            let [before, after] = [call, other].map(|call| short(&call.return_type.to_string()));
            self.add(Part::Patch, format!("the returned type changed from {before} to {after}"));
        }
    }

    /// Source: Puppet reference, "Module metadata": `operatingsystem_support`, `requirements`, `dependencies`.
    fn metadata(&mut self, before: &Json, after: &Json) {
        (self.item, self.place) = ("metadata.json".to_owned(), String::new());
        let list = |json: &Json, key: &str| json.get(key).and_then(Json::as_array).cloned().unwrap_or_default();
        let text = |json: &Json, key: &str| json.get(key).and_then(Json::as_str).unwrap_or_default().replace('/', "-");
        let systems = |json: &Json| -> BTreeMap<String, Vec<Json>> {
            let systems = list(json, "operatingsystem_support").into_iter();
            systems.map(|one| (text(&one, "operatingsystem"), list(&one, "operatingsystemrelease"))).collect()
        };
        let (old, new) = (systems(before), systems(after));
        for (verb, grows, some, all) in
            [("no longer supports", Part::Major, &old, &new), ("now supports", Part::Minor, &new, &old)]
        {
            for (system, releases) in some {
                let known = all.get(system);
                let missing =
                    releases.iter().filter(|one| known.is_some_and(|all| !all.is_empty() && !all.contains(one)));
                let missing: Vec<&str> = missing.filter_map(Json::as_str).collect();
                if known.is_none() || !missing.is_empty() {
                    self.add(grows, format!("{verb} {system} {}", missing.join(", ")).trim_end());
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
                    Some(after) => self.range(name, range, after, key == "requirements"),
                    None if key == "requirements" => self.add(Part::Major, format!("no longer supports {name}")),
                    None => self.add(Part::Patch, format!("no longer requires {name}")),
                }
            }
            for (name, range) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
                self.add(Part::Minor, format!("now requires {name} {range}").trim_end());
            }
        }
    }

    /// A range of versions that begins later breaks: for Puppet always, for a module if its major version is another one.
    fn range(&mut self, name: &str, before: &str, after: &str, is_puppet: bool) {
        let (Ok(old), Ok(new)) = (SemVerRange::parse(before), SemVerRange::parse(after)) else { return };
        let major = |text: &str| -> Option<u64> {
            text.trim_start_matches(|letter: char| !letter.is_ascii_digit()).split('.').next()?.parse().ok()
        };
        let end = |text: &str| text.split_once('<').and_then(|(_, end)| major(end));
        let from = after.split('<').next().and_then(|from| SemVerRange::parse(from.trim()).ok());
        let begins_later = from.is_some_and(|from| !from.covers(&old)) && (is_puppet || major(after) > major(before));
        let ends_earlier = end(after).is_some_and(|after| end(before).is_some_and(|before| after < before));
        let begins_as_before = if new.covers(&old) { Part::Minor } else { Part::Patch };
        let grows = if begins_later || ends_earlier { Part::Major } else { begins_as_before };
        if old != new {
            self.add(grows, format!("requires {name} {after} instead of {before}"));
        }
    }
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A text in one line, cut if it is long.
fn short(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Whether a type names, perhaps behind other aliases, an alias that is not known.
fn depends_on_unknown(type_: &Type) -> bool {
    const LEVELS: usize = 5;
    expanded(type_, LEVELS).to_string().contains(&format!("Runtime[{UNKNOWN},"))
}
