//! Checks resource and class declarations, defaults, overrides and collectors: their attributes against parameters.
//!
//! Source: Puppet reference, "Resources", "Defined types", "Classes": resource-like declarations.

use std::sync::Arc;

use super::{BodyChecker, conditions::may_be, is_default_literal, known::Inferred, results::without_undef};
use crate::check::attributes::{self, Rule};
use crate::check::program::{
    NameKind, assigned_variables, constant_string, may_be_absolute_path, module_of_name, normalize_name, title_strings,
    unqualified_commands,
};
use crate::check::{Fix, TYPE_MISMATCH, UncheckedReason, index::IndexEntry, interface::ItemKind, repairs};
use crate::eval::{Declaration, DeclaredParameter, METAPARAMETERS, UNKNOWN_TYPE};
use crate::syntax::tree::{
    Attribute, BinaryOperator, DefinitionKind, Expression, Id, Literal, Node, ResourceBody, ResourceKind,
};
use crate::text::Span;
use crate::types::Type;
use crate::value::{EcoString, Hash, Value};
use crate::wording::{did_you_mean, edit_distance, nearest};

/// A resource type, an attribute, and the attributes that cannot be set together with it.
const EXCLUSIVE_ATTRIBUTES: [(&str, &str, &str); 4] = [
    ("file", "content", "source target"),
    ("file", "source", "target"),
    ("cron", "special", "hour minute month monthday weekday"),
    ("mailalias", "recipient", "file"),
];

pub(super) enum Resource {
    Declared(Arc<IndexEntry>),
    /// A core resource type, or one written in Ruby: its name and its attributes.
    Type(EcoString, Arc<[attributes::Attribute]>),
}

impl Resource {
    fn kind_and_name(&self) -> String {
        match self {
            Resource::Declared(known) if known.declaration.kind == DefinitionKind::Class => {
                format!("class {}", known.declaration.name)
            }
            Resource::Declared(known) => format!("defined type {}", known.declaration.name),
            Resource::Type(name, _) => format!("resource type {name}"),
        }
    }

    fn attribute_names(&self) -> Vec<&str> {
        match self {
            Resource::Declared(known) => known.declaration.parameters.iter().map(|one| &*one.name).collect(),
            Resource::Type(_, attributes) => attributes.iter().map(|attribute| &*attribute.name).collect(),
        }
    }
}

impl BodyChecker<'_> {
    pub(super) fn visit_resource(&mut self, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) -> Inferred {
        let tree = self.tree;
        let node = &tree[type_name];
        let name = match (&node.expression, kind) {
            (Expression::Name(name), ResourceKind::Declaration | ResourceKind::Untitled)
            | (Expression::Reference(name), _) => Some(name),
            (Expression::Access(target, keys), ResourceKind::Override) => {
                self.visit_all(keys);
                if let Expression::Reference(name) = &tree[*target].expression { Some(name) } else { None }
            }
            _ => {
                self.visit(type_name);
                None
            }
        };
        let name = name.map(|name| normalize_name(name));
        let is_class = name.as_deref() == Some("class");
        let other = name.as_deref().filter(|_| !is_class);
        let of_type = other.and_then(|name| self.resolve_resource_type(name, node.span));
        // What the body of `default` sets holds for the others, and it is no resource itself.
        let of_default =
            bodies.iter().filter(|body| body.title.is_some_and(|title| is_default_literal(self.tree, title)));
        let of_default: Vec<&ResourceBody> = of_default.collect();
        let defaults: &[Attribute] = of_default.first().map_or(&[], |body| &body.attributes);
        if let Some(second) = of_default.get(1).and_then(|body| body.title) {
            self.add_error("DUPLICATE_DEFAULT", tree[second].span, "the resource expression has two defaults");
        }
        for body in bodies {
            let of_class = body.title.and_then(|title| {
                let found = self.visit(title);
                if let (Some(type_name), ResourceKind::Declaration) = (&name, kind) {
                    self.report_duplicate_resource(type_name, title, &found);
                }
                let class = found.known_string().filter(|_| is_class)?;
                self.resolve_class(class, tree[title].span).map(Resource::Declared)
            });
            self.check_attributes(of_class.as_ref().or(of_type.as_ref()), &body.attributes);
            let title =
                body.title.filter(|id| kind == ResourceKind::Declaration && !is_default_literal(self.tree, *id));
            let given = self.names_of_set_attributes(body.attributes.iter().chain(defaults));
            let Some((title, given)) = title.zip(given) else { continue };
            let span = tree[title].span;
            match (of_class, &of_type) {
                (Some(Resource::Declared(known)), _) => self.report_unset_class_parameter(&known, span, Some(&given)),
                (_, Some(Resource::Declared(known))) => self.report_missing_parameters(known, &given, span),
                (_, Some(Resource::Type(name, _))) => self.report_missing_core_attributes(name, title, body, &given),
                _ => {}
            }
        }
        Inferred::unknown()
    }

    /// Reports a resource that certainly was declared before: an earlier declaration has the same type and title.
    fn report_duplicate_resource(&mut self, type_name: &str, id: Id, found: &Inferred) {
        let quoted = |title: &Value| Some(format!("'{}'", title.as_str()?));
        let titles: Vec<String> = match found.value() {
            Some(Value::Array(titles)) => titles.iter().filter_map(quoted).collect(),
            Some(title) => quoted(title).into_iter().collect(),
            None => self.titles_independent_of(id, &[]).iter().map(|id| self.tree.text_of(*id).to_owned()).collect(),
        };
        for title in titles {
            let Some(scope) = self.scopes.last_mut() else { return };
            let reference = ecow::eco_format!("{type_name}[{title}]");
            if !scope.declared_resources.insert(reference.clone()) {
                self.add_error("DUPLICATE_RESOURCE", self.tree[id].span, format!("{reference} is declared twice"));
            }
        }
    }

    /// Returns the titles in `title` that consist of constants and variables, but use none of the variables `others`.
    fn titles_independent_of(&self, title: Id, others: &[EcoString]) -> Vec<Id> {
        let is_fixed = |node: &Node| match &node.expression {
            Expression::Variable(name) => !others.contains(name) && name.parse::<u64>().is_err(),
            Expression::Literal(Literal::Default) => false,
            Expression::Literal(_) | Expression::Name(_) | Expression::Concatenation(_) | Expression::Text(_) => true,
            expression => matches!(expression, Expression::Access(..)),
        };
        let all = if let Expression::Array(all) = &self.tree[title].expression { &all[..] } else { &[title] };
        all.iter().copied().filter(|id| self.tree.nodes_within(*id).all(is_fixed)).collect()
    }

    /// Reports the resource declarations in a lambda whose titles are the same in every iteration.
    pub(super) fn report_repeated_in_lambda(&mut self, lambda: Id, found: Option<&Inferred>) {
        let tree = self.tree;
        let Expression::Lambda { parameters, body, .. } = &tree[lambda].expression else { return };
        let has_turns = match found.and_then(Inferred::partial_value) {
            Some(Value::Array(all)) => all.len() > 1,
            Some(Value::Hash(all)) => all.len() > 1,
            other => other.is_none(),
        };
        let mut others: Vec<_> = parameters.iter().map(|one| one.name.clone()).collect();
        let statements = tree.statements_of(body);
        for statement in statements {
            let is_same = |value: Id| self.titles_independent_of(value, &others) == [value];
            if !matches!(&tree[*statement].expression, Expression::Assignment(_, _, value) if is_same(*value)) {
                others.extend(assigned_variables(tree, *statement));
            }
        }
        let declared = statements.iter().filter(|_| has_turns).filter_map(|id| match &tree[*id].expression {
            Expression::Resource { kind: ResourceKind::Declaration, type_name, bodies, .. } => {
                Some((type_name, bodies))
            }
            _ => None,
        });
        for (type_name, body) in declared.flat_map(|(name, bodies)| bodies.iter().map(move |body| (*name, body))) {
            for title in body.title.map_or_else(Vec::new, |title| self.titles_independent_of(title, &others)) {
                let [type_name, written] = [type_name, title].map(|id| tree.text_of(id));
                let message = format!("each turn declares {type_name}[{written}] again");
                self.add_warning("DUPLICATE_RESOURCE", tree[title].span, message)
                    .help("use a parameter of the lambda in the title, or declare it outside");
            }
        }
    }

    pub(super) fn visit_collector(&mut self, type_name: Id, operations: &[Attribute]) -> Inferred {
        let tree = self.tree;
        let known = match &tree[type_name].expression {
            Expression::Reference(name) => self.resolve_resource_type(&normalize_name(name), tree[type_name].span),
            _ => None,
        };
        self.check_attributes(known.as_ref(), operations);
        Inferred::unknown()
    }

    pub(super) fn resolve_resource_type(&mut self, name: &str, span: Span) -> Option<Resource> {
        self.result.compared += 1;
        let mut declared = self.index.resource_type(name, self.environment);
        if let Some(known) = declared.take_if(|known| known.declaration.kind == DefinitionKind::DefinedType) {
            return Some(Resource::Declared(known));
        }
        // A class may have the name of a resource type.
        let ruby = self.index.ruby_declarations();
        if let Some(type_) = ruby.types.get(name) {
            // A module that is not there may have another type of that name.
            if self.index.own.as_ref().is_some_and(|own| !self.index.has_all_dependencies() && *own != type_.module) {
                return None;
            }
            return Some(Resource::Type(name.into(), type_.attributes()?.clone()));
        }
        if let Some(attributes) = attributes::core_attribute_table().get(name) {
            return Some(Resource::Type(name.into(), attributes.clone()));
        }
        if self.index.is_in_common_module(&[ItemKind::Define, ItemKind::ResourceType], name) {
            return None;
        }
        if declared.is_some() && self.index.has_all_dependencies() {
            self.add_error(UNKNOWN_TYPE, span, format!("{name} is a class, not a resource type"))
                .help(format!("to declare the class write class {{ '{name}': }}"));
        }
        if declared.is_some() || Type::core_resource_names().iter().any(|core| core.eq_ignore_ascii_case(name)) {
            return None;
        }
        let message = format!("unknown resource type {name}");
        if name.contains("::") {
            self.report_unknown_module_type(name, span, message);
            return None;
        }
        // Types of missing modules may have similar names.
        let (near, most) = (self.index.suggest_type_name(name), 1 + name.len() / 8);
        let near = near
            .filter(|near| edit_distance(near, name) <= most && name.len() > 3 && !self.index.lacks_required_modules());
        if near.is_some() || self.index.has_all_dependencies() && self.index.module_directory(name).is_some() {
            self.add_error(UNKNOWN_TYPE, span, message).help_if(did_you_mean(near));
        } else {
            self.result.unjudged.push(UncheckedReason::UnknownType(name.to_owned()));
        }
        None
    }

    fn check_attributes(&mut self, known: Option<&Resource>, attributes: &[Attribute]) {
        let (tree, mut given) = (self.tree, Vec::new());
        for (at, attribute) in attributes.iter().enumerate() {
            let found = self.visit(attribute.value);
            if &*attribute.name == "*" {
                let branches = self.branches_to_check(&found).into_iter().map(|(_, branch)| branch);
                let hashes: Vec<_> = branches.chain([&found]).collect();
                let is_set = |one: &&Attribute| hashes.iter().any(|hash| hash.hash_entry(&one.name).is_some());
                for one in attributes.iter().filter(is_set) {
                    self.add_error("DUPLICATE_ATTRIBUE", one.span, format!("the attribute {} is set twice", one.name))
                        .help(format!("{} sets it, too", tree.text_of(attribute.value)));
                }
            }
            if attribute.name.contains("source") {
                self.check_source_attribute(attribute.value, &found);
            }
            let is_given = || !may_be(&found.known_type(), "Undef") && !may_be_deferred(&found);
            given.extend((is_given() && found.known_string() != Some("absent")).then_some(attribute));
            if attributes.iter().take(at).any(|earlier| earlier.name == attribute.name) {
                let message = format!("the attribute {} is set twice", attribute.name);
                self.add_error("DUPLICATE_ATTRIBUE", attribute.span, message);
            }
            let Some(known) = known else { continue };
            if &*attribute.name == "*" {
                self.check_attribute_hash(known, attribute.value, &found, &[]);
            } else {
                let (name, id) = (&attribute.name, attribute.value);
                let check = |this: &mut Self, found: &Inferred| {
                    this.check_attribute(known, name, attribute.span, id, found);
                };
                check(self, &found);
                self.check_data_values(id, &found, check);
            }
        }
        let Some(Resource::Type(type_name, _)) = known else { return };
        for (_, one, other) in EXCLUSIVE_ATTRIBUTES.iter().filter(|row| row.0 == type_name) {
            let find = |names: &str| given.iter().find(|given| names.split(' ').any(|name| *name == *given.name));
            if let Some((one, other)) = find(one).zip(find(other)) {
                let message = format!("a {type_name} cannot have both {} and {}", one.name, other.name);
                let span = if one.span.start > other.span.start { one.span } else { other.span };
                return self.add_error("EXCLUSIVE_ATTRIBUTES", span, message).help("remove one of them");
            }
        }
    }

    fn check_attribute(&mut self, known: &Resource, name: &str, span: Span, id: Id, found: &Inferred) {
        self.result.compared += 1;
        match known {
            Resource::Declared(declared) => {
                let mut parameters = declared.declaration.parameters.iter().zip(&declared.types);
                if let Some((parameter, type_)) = parameters.find(|(one, _)| *one.name == *name) {
                    let is_left_out = parameter.default.is_some() && found.is_undef();
                    let mut found = found.clone();
                    if let (Inferred::Branches(all, _), Some(_)) = (&mut found, parameter.default) {
                        all.retain(|(_, branch)| !branch.is_undef());
                    }
                    if let Some(type_) = type_.as_ref().filter(|_| !is_left_out) {
                        self.check_type(id, &found, type_, || {
                            let (what, place) = (known.kind_and_name(), declared.file_and_line_of_span(parameter.span));
                            let help = format!("${name} of {what} is declared in {place}");
                            (format!("the parameter {name} of {what}"), Some(help))
                        });
                    }
                    return;
                }
            }
            Resource::Type(type_name, attributes) => {
                if let Some(attribute) = attributes.iter().find(|attribute| attribute.name == name) {
                    if name == "ensure" {
                        self.check_ensure(type_name, id, found);
                    }
                    let rule = attribute.rule.iter();
                    return rule.for_each(|rule| self.check_attribute_value(known, name, rule, id, found));
                }
            }
        }
        if METAPARAMETERS.contains(&name) {
            let rule = attributes::value_rule_of_metaparameter(name);
            return rule.iter().for_each(|rule| self.check_attribute_value(known, name, rule, id, found));
        }
        let names = || known.attribute_names().into_iter().chain(METAPARAMETERS);
        let help = did_you_mean(nearest(name, names())).or_else(|| match known {
            Resource::Declared(declared) => Some(format!("it is declared in {}", declared.file_and_line())),
            Resource::Type(..) => None,
        });
        self.add_error("UNKNOWN_PARAMETER", span, format!("{} has no parameter {name}", known.kind_and_name()))
            .help_if(help);
        let fix = repairs::only_similar_name(name, names()).and_then(|meant| {
            let edit = repairs::respell(&self.tree.source, None, span, name, meant)?;
            Some(Fix { description: format!("write {meant}"), edits: vec![edit], meant: Vec::new() })
        });
        self.result.findings.last_mut().into_iter().for_each(|last| last.fix.clone_from(&fix));
    }

    /// Reports a misspelt `ensure`: Puppet takes `instaled` as a package version, and `diretory` as a link target.
    fn check_ensure(&mut self, type_name: &str, id: Id, found: &Inferred) {
        const OTHER_ENSURE_VALUES: [&str; 6] = ["running", "stopped", "mounted", "enabled", "installed", "latest"];
        let words = match type_name {
            "file" => &["present", "absent", "file", "directory", "link"][..],
            "package" => &["present", "absent", "installed", "latest", "purged", "disabled", "held"],
            _ => return,
        };
        let is_word = |text: &&str| text.len() > 3 && text.bytes().all(|byte| byte.is_ascii_lowercase());
        let Some(word) = found.known_string().filter(is_word).filter(|word| !words.contains(word)) else { return };
        let near = nearest(word, words.iter().copied()).filter(|near| edit_distance(near, word) <= 2);
        if near.is_some() || OTHER_ENSURE_VALUES.contains(&word) {
            let message = format!("'{word}' is not what {type_name} resources call it: {}", words.join(", "));
            self.add_warning(TYPE_MISMATCH, self.tree[id].span, message).help_if(did_you_mean(near));
        }
    }

    fn check_attribute_value(&mut self, known: &Resource, name: &str, rule: &Rule, id: Id, found: &Inferred) {
        if may_be_deferred(found) || found.conflict_with_type(&rule.accepted_type).is_none() {
            let branches = self.branches_to_check(found).into_iter();
            return branches.for_each(|(id, branch)| self.check_attribute_value(known, name, rule, *id, branch));
        }
        let what = format!("the attribute {name} of {}", known.kind_and_name());
        self.check_type(id, found, &rule.expected_type_for_message(&found.known_type()), || (what, None));
        // As it is written: `0440` is 288, and `String(288)` is another mode.
        let written = self.tree.text_of(id);
        if matches!(found.value(), Some(Value::Integer(_)))
            && rule.accepted_type.has_instance(&written.into())
            && let Some(finding) = self.result.findings.last_mut()
        {
            finding.error = finding.error.clone().with_help_instead(format!("quote it: '{written}'"));
        }
    }

    /// Returns the names of the attributes that a resource body sets, or `None` if some are known only at run time.
    fn names_of_set_attributes<'t>(&self, attributes: impl Iterator<Item = &'t Attribute>) -> Option<Vec<EcoString>> {
        let names = |attribute: &Attribute| match &self.tree[attribute.value].expression {
            _ if &*attribute.name != "*" => Some(vec![attribute.name.clone()]),
            Expression::Hash(entries) => entries.iter().map(|(key, _)| constant_string(self.tree, *key)).collect(),
            _ => None,
        };
        attributes.map(names).collect::<Option<Vec<_>>>().map(|names| names.concat())
    }

    /// Checks a call such as `create_resources('web::site', {title => {port => 80}}, {default => 1})`.
    pub(super) fn check_created_resources(&mut self, type_name: &str, ids: &[Id], found: &[Inferred]) {
        let (Some(first), Some(id), Some(all)) = (ids.first(), ids.get(1), found.get(1)) else { return };
        let name = normalize_name(type_name.trim_start_matches('@'));
        let of_type = if name == "class" { None } else { self.resolve_resource_type(&name, self.tree[*first].span) };
        if name != "class" && of_type.is_none() {
            return;
        }
        self.check_data_values(*id, all, |this, all| {
            let rest = found.get(2..).unwrap_or_default();
            this.check_created_resources(type_name, ids, &[&[Inferred::unknown(), all.clone()], rest].concat());
        });
        let defaults = ids.get(2).zip(found.get(2));
        for (title, given) in all.partial_value().and_then(Value::as_hash).into_iter().flat_map(Hash::iter) {
            let (given, (key, value)) = (all.infer_part(given), self.expressions_of_entry(*id, title.as_str()));
            if value == *id && given.partial_value().is_none() {
                continue;
            }
            let class = title.as_str().filter(|_| name == "class");
            let of_class = class.and_then(|one| self.resolve_class(one, self.tree[key].span)).map(Resource::Declared);
            let Some(known) = of_class.as_ref().or(of_type.as_ref()) else { continue };
            let mut own = self.check_attribute_hash(known, value, &given, &[]);
            if let Some((id, defaults)) = defaults {
                let more = self.check_attribute_hash(known, *id, defaults, own.as_deref().unwrap_or_default());
                own = own.zip(more).map(|(own, more)| [own, more].concat());
            }
            if let (Resource::Declared(known), Some(given), None) = (known, own, &of_class) {
                self.report_missing_parameters(known, &given, self.tree[key].span);
            }
        }
    }

    /// Checks the attributes in a Hash, except those named in `others`. Returns all names; `None` if some are unknown.
    fn check_attribute_hash(
        &mut self,
        known: &Resource,
        id: Id,
        found: &Inferred,
        others: &[EcoString],
    ) -> Option<Vec<EcoString>> {
        self.check_data_values(id, found, |this, found| drop(this.check_attribute_hash(known, id, found, others)));
        if let Type::Struct(parts) = &*without_undef(&found.known_type()).behind_aliases()
            && found.partial_value().is_none()
        {
            for part in parts.members().iter().filter(|part| !others.iter().any(|other| **other == *part.name())) {
                self.check_attribute(known, part.name(), self.tree[id].span, id, &Inferred::Type(part.type_().clone()));
            }
        }
        for (id, branch) in self.branches_to_check(found) {
            self.check_attribute_hash(known, *id, branch, others);
        }
        let hash = found.partial_value()?.as_hash()?;
        let names: Vec<EcoString> = hash.keys().filter_map(|key| key.as_str().map(Into::into)).collect();
        for name in names.iter().filter(|name| !others.contains(name)) {
            let (key, value) = self.expressions_of_entry(id, Some(name));
            let inferred = found.hash_entry(name).unwrap_or_else(Inferred::unknown);
            self.check_attribute(known, name, self.tree[key].span, value, &inferred);
        }
        (names.len() == hash.len()).then_some(names)
    }

    /// Returns the key and value expressions of the last entry `name` in a Hash literal or a sum of such, or, without
    /// `name`, of the last entry whose key is not a constant String. Returns `hash` for both if there is none.
    pub(super) fn expressions_of_entry(&self, hash: Id, name: Option<&str>) -> (Id, Id) {
        let is_key = |id: Id| constant_string(self.tree, id).as_deref() == name;
        let written = match &self.tree[hash].expression {
            Expression::Hash(entries) => entries.iter().rfind(|(key, _)| is_key(*key)).copied(),
            Expression::Parenthesized(inner) => Some(self.expressions_of_entry(*inner, name)),
            Expression::Binary(BinaryOperator::Plus, left, right) => {
                let at = [*right, *left].map(|side| self.expressions_of_entry(side, name));
                at.into_iter().find(|(key, value)| key != value)
            }
            _ => None,
        };
        written.unwrap_or((hash, hash))
    }

    /// Whether resource defaults or collectors of `type_name` may set one of the attributes in `names`.
    fn may_be_set_by_defaults(&mut self, type_name: &str, names: &[&str]) -> bool {
        self.index.add_unchecked_titles();
        let named = NameKind::Default(type_name.to_owned());
        self.index.titles_of_kind(&named).any(|set| **set == *"*" || names.contains(&&**set))
    }

    /// Reports a resource without an attribute that its core type requires; `given` names the attributes that are set.
    fn report_missing_core_attributes(&mut self, type_name: &str, title: Id, body: &ResourceBody, given: &[EcoString]) {
        /// The maximum number of commands without a path to report: if there are more, a default surely sets `path`.
        const MOST: usize = 2;
        let tree = self.tree;
        let (span, own) = (tree[title].span, self.index.own.is_some());
        let lacks = |names: &[&str]| !given.iter().any(|one| names.contains(&&**one));
        let is_relative = || !title_strings(tree, title).iter().all(|path| may_be_absolute_path(path));
        if type_name == "ssh_authorized_key"
            && lacks(&["user", "target"])
            && !self.may_be_set_by_defaults(type_name, &["user", "target"])
        {
            self.add_error("MISSING_PARAMETER", span, "an ssh_authorized_key needs user or target");
        } else if type_name == "file"
            && lacks(&["path", "name"])
            && is_relative()
            && !self.may_be_set_by_defaults(type_name, &["path"])
        {
            self.add_error(TYPE_MISMATCH, span, "the title of a file is its path, which has to be absolute")
                .help("write it from the root on, or set path");
        } else if type_name == "exec" && lacks(&["path", "provider"]) {
            for (id, program) in unqualified_commands(tree, body) {
                let is_usual = own && self.index.titles_of_kind(&NameKind::Unqualified).count() > MOST;
                if !is_usual && !self.may_be_set_by_defaults(type_name, &["path", "provider"]) {
                    let message = format!("exec does not find '{program}': it has no path");
                    self.add_warning(TYPE_MISMATCH, tree[id].span, message)
                        .help("write the whole path of the program, or set path");
                }
            }
        }
    }

    fn report_missing_parameters(&mut self, known: &Arc<IndexEntry>, given: &[EcoString], title: Span) {
        let Declaration { name, parameters, .. } = &known.declaration;
        let is_unset = |parameter: &&DeclaredParameter| {
            parameter.default.is_none()
                && !given.contains(&parameter.name)
                && !matches!(&*parameter.name, "name" | "title")
        };
        for parameter in parameters.iter().filter(is_unset) {
            if !self.may_be_set_by_defaults(name, &[&*parameter.name]) {
                let (place, parameter) = (known.file_and_line_of_span(parameter.span), &parameter.name);
                let message = format!("defined type {name} needs the parameter {parameter}");
                self.add_error("MISSING_PARAMETER", title, message)
                    .help(format!("add {parameter} => …; it is declared in {place}"));
            }
        }
    }

    /// Reports a required parameter of a class that is neither in `given`, the parameters that its declaration sets,
    /// nor in Hiera data, unless some data is unknown or another declaration may set it.
    pub(super) fn report_unset_class_parameter(&mut self, class: &IndexEntry, span: Span, given: Option<&[EcoString]>) {
        let Declaration { name, parameters, .. } = &class.declaration;
        let is_unset = |parameter: &&DeclaredParameter| {
            parameter.default.is_none()
                && !given.is_some_and(|given| given.contains(&parameter.name))
                && !self.data.values.contains_key(&*format!("{name}::{}", parameter.name))
        };
        let Some(unset) = parameters.iter().find(is_unset) else { return };
        let is_elsewhere = || self.index.similar_titles("class", name).is_some_and(|titles| titles.contains(&**name));
        if self.data.knows_data_for_module(module_of_name(name), self.index) && (given.is_some() || !is_elsewhere()) {
            let message = format!("class {name} needs the parameter {}, and no data has a value", unset.name);
            self.add_error("MISSING_PARAMETER", span, message)
                .help(format!("set {name}::{} in the data, or declare the class with it", unset.name));
        }
    }
}

fn may_be_deferred(found: &Inferred) -> bool {
    found.known_type().behind_aliases().to_string().contains("Deferred")
}
