//! The interface of a module: the classes, defined types, functions, plans, type aliases and resource types that it
//! offers, each with its signature as a string. It is enough to compare versions of a module, and to check code that
//! uses a module which is not installed.
//!
//! Sources: Puppet reference, "Module fundamentals", "Module metadata"; Bolt documentation, "Writing plans".

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::{Map, Value as Json, json};

use super::program::{assigned_variables, callee_name, find_definitions, normalize_name};
use super::{index::definition_at, ruby, ruby_types};
use crate::data::{self, Format};
use crate::regexp::ConstantRegex;
use crate::session::Documentation;
use crate::syntax;
use crate::syntax::tree::{DefinitionKind, Expression, Parameter, Tree};
use crate::text::Source;
use crate::value::Hash;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ItemKind {
    Class,
    Define,
    Function,
    Plan,
    Alias,
    ResourceType,
}

/// For each kind of item in a module, its name in messages and its key in JSON.
const ITEM_KIND_NAMES: [(ItemKind, &str, &str); 6] = [
    (ItemKind::Class, "class", "classes"),
    (ItemKind::Define, "defined type", "defines"),
    (ItemKind::Function, "function", "functions"),
    (ItemKind::Plan, "plan", "plans"),
    (ItemKind::Alias, "type alias", "types"),
    (ItemKind::ResourceType, "resource type", "resource_types"),
];

impl ItemKind {
    pub(super) fn display_name(self) -> &'static str {
        ITEM_KIND_NAMES.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct InterfaceEntry {
    /// The signature of the item: for a class or defined type `(Integer $port = 80)` and, if any, its `inherits` clause
    /// and a body that assigns its variables; for a function its signatures; for a type alias its type; for a resource
    /// type its attribute names. Empty if only the name is known.
    pub(super) texts: Vec<String>,
    pub(super) is_private: bool,
    /// The file and line of the declaration: `manifests/vhost.pp:3`.
    pub(super) place: String,
}

/// The items that a version of a module offers, by kind and name.
///
/// ```
/// use pcore::check::Interface;
/// let interface = Interface::read("web", &[("types/port.pp".into(), "type Web::Port = Integer[1, 65535]".into())]);
/// assert_eq!(interface.to_json().to_string(), r#"{"name":"web","types":{"Web::Port":["Integer[1, 65535]"]}}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    pub(super) name: String,
    pub(super) entries: BTreeMap<(ItemKind, String), InterfaceEntry>,
    pub(super) metadata: Json,
    unreadable_files: Vec<String>,
}

/// The version of the format of the file that `pcore index` writes, stored in it as `pcore_index`.
const FORMAT: u64 = 1;

impl Interface {
    /// Whether [`Interface::read`] uses the file at `path`, which is relative to the directory of a module.
    pub fn needs_file(path: &str) -> bool {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        match path.split_once('/') {
            None => ["metadata.json", "hiera.yaml"].contains(&path),
            Some(("lib", rest)) => rest.starts_with("puppet/") && ending == "rb",
            Some(("data", _)) => Format::from_path(path.as_ref()).is_some(),
            Some((folder, _)) => ["manifests", "functions", "types", "plans"].contains(&folder) && ending == "pp",
        }
    }

    /// Creates the interface of a module from pairs of a relative path and content; `metadata.json` may replace `name`.
    pub fn read(name: &str, files: &[(String, String)]) -> Interface {
        let content = |name: &str| files.iter().find(|(path, _)| path == name).map(|(_, text)| text);
        let metadata: Json =
            content("metadata.json").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let full = metadata.get("name").and_then(Json::as_str).unwrap_or(name);
        let mut interface = Interface { name: short_module_name(full).to_owned(), metadata, ..Interface::default() };
        let data = files.iter().filter(|(path, _)| path.starts_with("data/") && content("hiera.yaml").is_some());
        let set: BTreeSet<String> = data.flat_map(|(path, text)| keys_of_data_file(path, text)).collect();
        for (path, text) in files.iter().filter(|(path, _)| path.contains('/')) {
            match path.rsplit_once('.') {
                Some((_, "pp")) => interface.add_puppet_file(path, text, &set),
                Some((start, "rb")) => interface.add_ruby_file(path, start, text),
                _ => {}
            }
        }
        interface
    }

    /// Returns the name of the module, without its author.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the paths of the files that cannot be parsed, whose items are missing in the interface.
    pub fn unreadable_files(&self) -> &[String] {
        &self.unreadable_files
    }

    pub(super) fn entries_of_kind(&self, sort: ItemKind) -> impl Iterator<Item = (&str, &InterfaceEntry)> {
        self.entries.iter().filter(move |((of, _), _)| *of == sort).map(|((_, name), entry)| (&**name, entry))
    }

    fn add_puppet_file(&mut self, path: &str, text: &str, set: &BTreeSet<String>) {
        // The parser does not read plans, which are like functions.
        static PLAN_KEYWORD: ConstantRegex = ConstantRegex::new(r"(?m)^([ \t]*)plan\b");
        let is_plan = path.starts_with("plans/");
        let source = if is_plan { PLAN_KEYWORD.replace(text, "${1}function") } else { text.into() };
        let Ok(tree) = syntax::parse(&Source::new(path, source)) else {
            return self.unreadable_files.push(path.to_owned());
        };
        let mut add = |sort: ItemKind, name: &str, offset: u32, asserts_private: bool, texts: Vec<String>| {
            let line = tree.source.position(offset as usize).line;
            let above = line.checked_sub(2).and_then(|above| text.lines().nth(above)).unwrap_or_default();
            let is_commented = above.trim_start().starts_with('#');
            let is_private =
                asserts_private || is_commented && Documentation::parse_before_line(text, line).is_private();
            // Of several with one name the first counts.
            let entry = InterfaceEntry { texts, is_private, place: format!("{path}:{line}") };
            self.entries.entry((sort, name.to_owned())).or_insert(entry);
        };
        for found in find_definitions(&tree).0 {
            let definition = definition_at(&tree, found.id);
            let parameters = definition.parameters.iter().map(|one| parameter_source(&tree, &found.name, one, set));
            let returned = definition.return_type.iter().map(|id| format!(" >> {}", tree.text_of(*id)));
            let parameters = parameters.collect::<Vec<_>>().join(", ");
            let mut texts = vec![format!("({parameters}){}", returned.collect::<String>())];
            let sort = match found.kind {
                DefinitionKind::Class => ItemKind::Class,
                DefinitionKind::DefinedType => ItemKind::Define,
                DefinitionKind::Function if is_plan => ItemKind::Plan,
                DefinitionKind::Function => ItemKind::Function,
            };
            if found.kind != DefinitionKind::Function {
                let parent = definition.parent.iter().map(|parent| format!(" inherits {}", normalize_name(parent)));
                let variables: BTreeSet<_> = assigned_variables(&tree, definition.body).into_iter().collect();
                let variables: Vec<String> = variables.iter().map(|name| format!(" ${name} = undef")).collect();
                texts.push(format!("{} {{{} }}", parent.collect::<String>(), variables.concat()));
            }
            let is_assertion = |node| callee_name(&tree, node) == Some("assert_private");
            let asserts_private = tree.nodes_within(definition.body).any(is_assertion);
            add(sort, &found.name, definition.name_span.start, asserts_private, texts);
        }
        for id in tree.statements() {
            if let Expression::TypeAlias { name, type_ } = &tree[*id].expression {
                add(ItemKind::Alias, name, tree[*id].span.start, false, vec![tree.text_of(*type_).to_owned()]);
            }
        }
    }

    fn add_ruby_file(&mut self, path: &str, start: &str, text: &str) {
        let name = |folder: &str| start.strip_prefix(folder).map(|path| path.replace('/', "::"));
        let (sort, name, texts) = if let Some(name) = name("lib/puppet/functions/") {
            (ItemKind::Function, name, ruby::signatures_in_ruby(text).unwrap_or_default())
        } else if let Some(name) = name("lib/puppet/parser/functions/") {
            (ItemKind::Function, name, Vec::new())
        } else if let Some(name) = name("lib/puppet/type/").filter(|name| !name.contains("::")) {
            let attributes = ruby_types::attributes_in_ruby(text).into_iter().flatten();
            let names: BTreeSet<String> = attributes.map(|one| one.name.into_owned()).collect();
            (ItemKind::ResourceType, name, names.into_iter().collect())
        } else {
            return;
        };
        let is_private = text.contains("@api private");
        self.entries.entry((sort, name)).or_insert(InterfaceEntry { texts, is_private, place: path.to_owned() });
    }

    /// Converts the interface to JSON: an object for each kind, with the names as keys.
    pub fn to_json(&self) -> Json {
        let mut json = Map::from_iter([("name".to_owned(), Json::from(&*self.name))]);
        for (sort, _, key) in ITEM_KIND_NAMES {
            let all: Map<_, _> =
                self.entries_of_kind(sort).map(|(name, entry)| (name.to_owned(), json!(entry.texts))).collect();
            json.extend((!all.is_empty()).then(|| (key.to_owned(), Json::Object(all))));
        }
        Json::Object(json)
    }

    fn from_json(json: &Json) -> Option<Interface> {
        let mut interface = Interface { name: json.get("name")?.as_str()?.to_owned(), ..Interface::default() };
        for (sort, _, key) in ITEM_KIND_NAMES {
            for (name, texts) in json.get(key).and_then(Json::as_object).into_iter().flatten() {
                let texts = texts.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
                let entry = InterfaceEntry { texts: texts.collect::<Option<_>>()?, ..InterfaceEntry::default() };
                interface.entries.insert((sort, name.clone()), entry);
            }
        }
        Some(interface)
    }

    /// Reads the interfaces from the JSON that `pcore index` writes. Returns `None` for any other JSON.
    pub fn all_from_json(json: &Json) -> Option<Vec<Interface>> {
        let modules = json.get("modules")?.as_array().filter(|_| json.get("pcore_index") == Some(&json!(FORMAT)));
        modules?.iter().map(Interface::from_json).collect()
    }

    /// Returns the content of the file that `pcore index` writes, with one line for each module.
    pub fn all_to_json(interfaces: &[Interface]) -> String {
        let lines: Vec<String> = interfaces.iter().map(|interface| interface.to_json().to_string()).collect();
        format!("{{\"pcore_index\":{FORMAT},\"modules\":[\n{}\n]}}", lines.join(",\n"))
    }

    /// Returns the type aliases as pairs of the lower-case name and the definition `type Name = …`.
    pub(super) fn type_alias_definitions(&self) -> impl Iterator<Item = (String, String)> {
        let aliases = self.entries_of_kind(ItemKind::Alias).filter_map(|(name, one)| Some((name, one.texts.first()?)));
        aliases.map(|(name, type_)| (name.to_lowercase(), format!("type {name} = {type_}")))
    }

    /// Returns a Puppet program that declares the classes and defined types, for checks of the code that uses them.
    pub(super) fn declarations_source(&self) -> String {
        let declared = |(sort, keyword)| self.entries_of_kind(sort).map(move |(name, entry)| (keyword, name, entry));
        let all = [(ItemKind::Class, "class"), (ItemKind::Define, "define")].into_iter().flat_map(declared);
        let known = all.filter(|(.., entry)| !entry.texts.is_empty());
        let lines = known.map(|(keyword, name, entry)| format!("{keyword} {name} {}\n", entry.texts.concat()));
        lines.collect::<Vec<_>>().concat()
    }
}

/// Returns the name of a module without its author: `stdlib` for `puppetlabs-stdlib`.
pub(super) fn short_module_name(full: &str) -> &str {
    full.rsplit(['-', '/']).next().unwrap_or(full)
}

/// Returns the interfaces, with names only, of stdlib and of the modules in Puppet's packages.
pub(super) fn common_module_interfaces() -> &'static [Interface] {
    static COMMON_MODULES: LazyLock<Vec<Interface>> = LazyLock::new(|| {
        let json: Json = serde_json::from_str(include_str!("common_modules.json")).unwrap_or_default();
        Interface::all_from_json(&json).unwrap_or_default()
    });
    &COMMON_MODULES
}

/// The type aliases and function signatures that all versions of stdlib have, one definition per line.
pub(super) const STDLIB_DECLARATIONS: &str = include_str!("stdlib.txt");

/// Returns the source of a parameter. A default value that is a heredoc becomes `undef`; a parameter that the module's
/// data sets gets a `lookup` as its default value.
fn parameter_source(tree: &Tree, class: &str, parameter: &Parameter, set: &BTreeSet<String>) -> String {
    let written = tree.source.slice(parameter.span);
    let key = format!("{class}::{}", parameter.name);
    if parameter.default.is_some() && written.contains("@(") {
        let type_ = parameter.type_.map_or("", |id| tree.text_of(id));
        return format!("{type_} ${} = undef", parameter.name);
    }
    let is_set = parameter.default.is_none() && set.contains(&key);
    if is_set { format!("{written} = lookup('{key}')") } else { written.to_owned() }
}

fn keys_of_data_file(path: &str, text: &str) -> Vec<String> {
    let document =
        Format::from_path(path.as_ref()).and_then(|format| data::read(format, &Source::new(path, text)).ok());
    let data = document.as_ref().and_then(|document| document.value.as_hash());
    data.into_iter().flat_map(Hash::iter).filter_map(|(key, _)| key.as_str().map(str::to_owned)).collect()
}
