//! What a module offers its users: classes, defined types, functions, plans, type aliases and resource types, each with
//! the text of its signature. The text is enough to compare versions of a module, and to check code that uses a module
//! which is not installed.
//!
//! Sources: Puppet reference, "Module fundamentals", "Module metadata"; Bolt documentation, "Writing plans".

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value as Json, json};

use super::program::{assigned, called, defined, lower_name};
use super::{index::definition_of, ruby, ruby_types};
use crate::data::{self, Format};
use crate::eval::Kind;
use crate::regexp::constant;
use crate::session::Documentation;
use crate::syntax;
use crate::syntax::tree::{Expression, Parameter, Tree};
use crate::text::Source;
use crate::value::Hash;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Class,
    Define,
    Function,
    Plan,
    Alias,
    ResourceType,
}

/// What a module can offer: the word in messages, and the key in JSON.
const SORTS: [(Sort, &str, &str); 6] = [
    (Sort::Class, "class", "classes"),
    (Sort::Define, "defined type", "defines"),
    (Sort::Function, "function", "functions"),
    (Sort::Plan, "plan", "plans"),
    (Sort::Alias, "type alias", "types"),
    (Sort::ResourceType, "resource type", "resource_types"),
];

impl Sort {
    pub(super) fn word(self) -> &'static str {
        SORTS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// Something that a module offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    /// Of a class or defined type `(Integer $port = 80)` and ` inherits web::params { $dir = undef }`, where the body has the
    /// variables that are set; of a function its parameters and returned type, once for each way to call it; of an alias its
    /// type; of a resource type the names of its attributes. Empty where only the name is known.
    pub(super) texts: Vec<String>,
    pub(super) is_private: bool,
    /// `manifests/vhost.pp:3`
    pub(super) place: String,
}

/// What a version of a module offers.
///
/// ```
/// use pcore::check::Interface;
/// let interface = Interface::read("web", &[("types/port.pp".into(), "type Web::Port = Integer[1, 65535]".into())]);
/// assert_eq!(interface.to_json().to_string(), r#"{"name":"web","types":{"Web::Port":["Integer[1, 65535]"]}}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    pub(super) name: String,
    pub(super) entries: BTreeMap<(Sort, String), Entry>,
    /// The content of `metadata.json`.
    pub(super) metadata: Json,
    unreadable: Vec<String>,
}

/// The value of `pcore_index` in a file with interfaces.
const FORMAT: u64 = 1;

impl Interface {
    /// Whether [`Interface::read`] needs the file with that path below the directory of a module.
    pub fn needs(path: &str) -> bool {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        match path.split_once('/') {
            None => ["metadata.json", "hiera.yaml"].contains(&path),
            Some(("lib", rest)) => rest.starts_with("puppet/") && ending == "rb",
            Some(("data", _)) => Format::of_path(path.as_ref()).is_some(),
            Some((folder, _)) => ["manifests", "functions", "types", "plans"].contains(&folder) && ending == "pp",
        }
    }

    /// Reads the files of a module, each with its path below the module's directory. The name in `metadata.json`, if there is
    /// one, replaces `name`.
    pub fn read(name: &str, files: &[(String, String)]) -> Interface {
        let content = |name: &str| files.iter().find(|(path, _)| path == name).map(|(_, text)| text);
        let metadata: Json =
            content("metadata.json").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let full = metadata.get("name").and_then(Json::as_str).unwrap_or(name);
        let mut interface = Interface { name: short_name(full).to_owned(), metadata, ..Interface::default() };
        let data = files.iter().filter(|(path, _)| path.starts_with("data/") && content("hiera.yaml").is_some());
        let set: BTreeSet<String> = data.flat_map(|(path, text)| keys(path, text)).collect();
        for (path, text) in files.iter().filter(|(path, _)| path.contains('/')) {
            match path.rsplit_once('.') {
                Some((_, "pp")) => interface.add_program(path, text, &set),
                Some((start, "rb")) => interface.add_ruby(path, start, text),
                _ => {}
            }
        }
        interface
    }

    /// The name of the module, without its author.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The files that cannot be parsed, so that names may be missing.
    pub fn unreadable(&self) -> &[String] {
        &self.unreadable
    }

    pub(super) fn of_sort(&self, sort: Sort) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries.iter().filter(move |((of, _), _)| *of == sort).map(|((_, name), entry)| (&**name, entry))
    }

    fn add_program(&mut self, path: &str, text: &str, set: &BTreeSet<String>) {
        // The parser does not read plans, which are like functions.
        static PLAN: LazyLock<Regex> = LazyLock::new(|| constant(r"(?m)^([ \t]*)plan\b"));
        let is_plan = path.starts_with("plans/");
        let source = if is_plan { PLAN.replace(text, "${1}function") } else { text.into() };
        let Ok(tree) = syntax::parse(&Source::new(path, source)) else {
            return self.unreadable.push(path.to_owned());
        };
        let mut add = |sort: Sort, name: &str, offset: u32, asserts_private: bool, texts: Vec<String>| {
            let line = tree.source.position(offset as usize).line;
            let is_private = asserts_private || is_documented_as_private(text, line);
            // Of several with one name the first counts.
            let entry = Entry { texts, is_private, place: format!("{path}:{line}") };
            self.entries.entry((sort, name.to_owned())).or_insert(entry);
        };
        for found in defined(&tree).0 {
            let definition = definition_of(&tree, found.id);
            let parameters = definition.parameters.iter().map(|one| parameter(&tree, &found.name, one, set));
            let returned = definition.return_type.map(|id| format!(" >> {}", tree.source.slice(tree[id].span)));
            let parameters = parameters.collect::<Vec<_>>().join(", ");
            let mut texts = vec![format!("({parameters}){}", returned.unwrap_or_default())];
            let sort = match found.kind {
                Kind::Class => Sort::Class,
                Kind::DefinedType => Sort::Define,
                Kind::Function if is_plan => Sort::Plan,
                Kind::Function => Sort::Function,
            };
            if found.kind != Kind::Function {
                let parent = match &tree[found.id].expression {
                    Expression::Class { parent: Some(parent), .. } => format!(" inherits {}", lower_name(parent)),
                    _ => String::new(),
                };
                let variables: BTreeSet<_> = assigned(&tree, definition.body).into_iter().collect();
                let variables: Vec<String> = variables.iter().map(|name| format!(" ${name} = undef")).collect();
                texts.push(format!("{parent} {{{} }}", variables.concat()));
            }
            let asserts_private =
                tree.within(definition.body).any(|node| called(&tree, node) == Some("assert_private"));
            add(sort, &found.name, definition.name_span.start, asserts_private, texts);
        }
        for id in tree.statements() {
            if let Expression::TypeAlias { name, type_ } = &tree[*id].expression {
                let texts = vec![tree.source.slice(tree[*type_].span).to_owned()];
                add(Sort::Alias, name, tree[*id].span.start, false, texts);
            }
        }
    }

    fn add_ruby(&mut self, path: &str, start: &str, text: &str) {
        let name = |folder: &str| start.strip_prefix(folder).map(|path| path.replace('/', "::"));
        let (sort, name, texts) = if let Some(name) = name("lib/puppet/functions/") {
            (Sort::Function, name, ruby::signatures(text).unwrap_or_default())
        } else if let Some(name) = name("lib/puppet/parser/functions/") {
            (Sort::Function, name, Vec::new())
        } else if let Some(name) = name("lib/puppet/type/").filter(|name| !name.contains("::")) {
            let attributes = ruby_types::attributes(text).into_iter().flatten();
            let names: BTreeSet<String> = attributes.map(|one| one.name.into_owned()).collect();
            (Sort::ResourceType, name, names.into_iter().collect())
        } else {
            return;
        };
        let is_private = text.contains("@api private");
        self.entries.entry((sort, name)).or_insert(Entry { texts, is_private, place: path.to_owned() });
    }

    /// The interface as JSON: for each kind an object with the names.
    pub fn to_json(&self) -> Json {
        let mut json = Map::from_iter([("name".to_owned(), Json::from(&*self.name))]);
        for (sort, _, key) in SORTS {
            let all: Map<_, _> =
                self.of_sort(sort).map(|(name, entry)| (name.to_owned(), json!(entry.texts))).collect();
            json.extend((!all.is_empty()).then(|| (key.to_owned(), Json::Object(all))));
        }
        Json::Object(json)
    }

    fn from_json(json: &Json) -> Option<Interface> {
        let mut interface = Interface { name: json.get("name")?.as_str()?.to_owned(), ..Interface::default() };
        for (sort, _, key) in SORTS {
            for (name, texts) in json.get(key).and_then(Json::as_object).into_iter().flatten() {
                let texts = texts.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
                let entry = Entry { texts: texts.collect::<Option<_>>()?, ..Entry::default() };
                interface.entries.insert((sort, name.clone()), entry);
            }
        }
        Some(interface)
    }

    /// The interfaces in a file that `pcore index` wrote; `None` if the JSON is something else.
    pub fn all_from_json(json: &Json) -> Option<Vec<Interface>> {
        let modules = json.get("modules")?.as_array().filter(|_| json.get("pcore_index") == Some(&json!(FORMAT)));
        modules?.iter().map(Interface::from_json).collect()
    }

    /// The file that `pcore index` writes, with a line for each module, so that differences can be read.
    pub fn all_to_json(interfaces: &[Interface]) -> String {
        let lines: Vec<String> = interfaces.iter().map(|interface| interface.to_json().to_string()).collect();
        format!("{{\"pcore_index\":{FORMAT},\"modules\":[\n{}\n]}}", lines.join(",\n"))
    }

    /// The definitions of the type aliases, by their names in lower case.
    pub(super) fn types(&self) -> impl Iterator<Item = (String, String)> {
        let aliases = self.of_sort(Sort::Alias).filter_map(|(name, entry)| Some((name, entry.texts.first()?)));
        aliases.map(|(name, type_)| (name.to_lowercase(), format!("type {name} = {type_}")))
    }

    /// A program that declares the classes and defined types, for checks of code that uses them.
    pub(super) fn program(&self) -> String {
        let declared = |(sort, keyword)| self.of_sort(sort).map(move |(name, entry)| (keyword, name, entry));
        let all = [(Sort::Class, "class"), (Sort::Define, "define")].into_iter().flat_map(declared);
        let known = all.filter(|(.., entry)| !entry.texts.is_empty());
        let lines = known.map(|(keyword, name, entry)| format!("{keyword} {name} {}\n", entry.texts.concat()));
        lines.collect::<Vec<_>>().concat()
    }
}

/// `stdlib` for `puppetlabs-stdlib`
pub(super) fn short_name(full: &str) -> &str {
    full.rsplit(['-', '/']).next().unwrap_or(full)
}

/// The names in stdlib and in the modules that come with the packages of Puppet.
pub(super) fn common_modules() -> &'static [Interface] {
    static MODULES: LazyLock<Vec<Interface>> = LazyLock::new(|| {
        let json: Json = serde_json::from_str(include_str!("common_modules.json")).unwrap_or_default();
        Interface::all_from_json(&json).unwrap_or_default()
    });
    &MODULES
}

/// What all versions of stdlib accept: lines with the definitions of type aliases and the signatures of functions.
pub(super) const STDLIB: &str = include_str!("stdlib.txt");

/// A parameter as it is written. A heredoc, whose lines are elsewhere, becomes `undef`; what the data of the module sets has
/// a default.
fn parameter(tree: &Tree, class: &str, parameter: &Parameter, set: &BTreeSet<String>) -> String {
    let written = tree.source.slice(parameter.span);
    let key = format!("{class}::{}", parameter.name);
    if parameter.default.is_some() && written.contains("@(") {
        let type_ = parameter.type_.map_or("", |id| tree.source.slice(tree[id].span));
        return format!("{type_} ${} = undef", parameter.name);
    }
    let is_set = parameter.default.is_none() && set.contains(&key);
    if is_set { format!("{written} = lookup('{key}')") } else { written.to_owned() }
}

/// Whether the comment directly above a line says `@api private`.
fn is_documented_as_private(text: &str, line: usize) -> bool {
    let above = line.checked_sub(2).and_then(|above| text.lines().nth(above)).unwrap_or_default();
    above.trim_start().starts_with('#') && Documentation::before(text, line).is_private()
}

/// The keys of a file with data.
fn keys(path: &str, text: &str) -> Vec<String> {
    let document = Format::of_path(path.as_ref()).and_then(|format| data::read(format, &Source::new(path, text)).ok());
    let data = document.as_ref().and_then(|document| document.value.as_hash());
    data.into_iter().flat_map(Hash::iter).filter_map(|(key, _)| key.as_str().map(str::to_owned)).collect()
}
