//! Resources, classes, defaults, overrides and collectors: attributes against parameters.
//!
//! Source: Puppet reference, "Resources", "Defined types", "Classes": resource-like declarations.

use std::sync::Arc;

use super::{Bodies, known::Inferred};
use crate::check::attributes::{self, Rule};
use crate::check::program::{constant, lower_name, module_of, plain_name};
use crate::check::{Unjudged, index::Known, interface::Sort};
use crate::eval::{Declaration, Declared, Kind, METAPARAMETERS, UNKNOWN_TYPE};
use crate::explain::meet::overlap;
use crate::syntax::tree::{Attribute, BinaryOperator, Definition, Expression, Id, Node, ResourceBody, ResourceKind};
use crate::text::Span;
use crate::types::Type;
use crate::value::{EcoString, Hash, Value};
use crate::wording::{distance, meant, nearest};

pub(super) enum Resource {
    Declared(Arc<Known>),
    /// A resource type of Puppet's core or in Ruby, with its name and attributes.
    Type(EcoString, Arc<[attributes::Attribute]>),
}

impl Resource {
    fn described(&self) -> String {
        match self {
            Resource::Declared(known) if known.declaration.kind == Kind::Class => {
                format!("class {}", known.declaration.name)
            }
            Resource::Declared(known) => format!("defined type {}", known.declaration.name),
            Resource::Type(name, _) => format!("resource type {name}"),
        }
    }

    fn names(&self) -> Vec<&str> {
        match self {
            Resource::Declared(known) => known.declaration.parameters.iter().map(|one| &*one.name).collect(),
            Resource::Type(_, attributes) => attributes.iter().map(|attribute| &*attribute.name).collect(),
        }
    }
}

impl Bodies<'_> {
    pub(super) fn parent(&mut self, definition: &Definition, parent: &str) {
        let start = definition.name_span.end;
        let head = Span { start, end: self.tree[definition.body].span.start.max(start) };
        let at = self.tree.source.slice(head).rfind(parent).map(|at| start as usize + at);
        self.class_name(parent, at.map_or(definition.name_span, |at| Span::new(at, at + parent.len())));
    }

    pub(super) fn resource(&mut self, kind: ResourceKind, type_name: Id, bodies: &[ResourceBody]) -> Inferred {
        let tree = self.tree;
        let node = &tree[type_name];
        let name = match (&node.expression, kind) {
            (Expression::Name(name), ResourceKind::Declaration | ResourceKind::Untitled)
            | (Expression::Reference(name), _) => Some(name),
            (Expression::Access(target, keys), ResourceKind::Override) => {
                self.visit_all(keys);
                match &tree[*target].expression {
                    Expression::Reference(name) => Some(name),
                    _ => None,
                }
            }
            _ => {
                self.visit(type_name);
                None
            }
        };
        let name = name.map(|name| lower_name(name));
        let is_class = name.as_deref() == Some("class");
        let of_type = match &name {
            Some(name) if !is_class => self.resource_type(name, node.span),
            _ => None,
        };
        // What the body of `default` sets holds for the others, and it is no resource itself.
        let of_default = bodies.iter().filter(|body| body.title.is_some_and(|title| self.is_default(title)));
        let of_default: Vec<&ResourceBody> = of_default.collect();
        let defaults: &[Attribute] = of_default.first().map_or(&[], |body| &body.attributes);
        if let Some(second) = of_default.get(1).and_then(|body| body.title) {
            self.error("DUPLICATE_DEFAULT", tree[second].span, "the resource expression has two defaults", None);
        }
        for body in bodies {
            let of_class = body.title.and_then(|title| {
                let found = self.visit(title);
                if let (Some(type_name), ResourceKind::Declaration) = (&name, kind) {
                    self.declared_twice(type_name, &found, tree[title].span);
                }
                let class = found.string().filter(|_| is_class)?;
                self.class_name(class, tree[title].span).map(Resource::Declared)
            });
            self.attributes(of_class.as_ref().or(of_type.as_ref()), &body.attributes);
            let title = body.title.filter(|title| kind == ResourceKind::Declaration && !self.is_default(*title));
            let given = self.given(body.attributes.iter().chain(defaults));
            let Some((title, given)) = title.zip(given) else { continue };
            let span = tree[title].span;
            match (of_class, &of_type) {
                (Some(Resource::Declared(known)), _) => {
                    self.unset_parameter(&known, span, Some(&given));
                }
                (_, Some(Resource::Declared(known))) => self.missing(known, &given, span),
                _ => {}
            }
        }
        Inferred::any()
    }

    /// Reports a resource that was declared before on the same way through the body.
    fn declared_twice(&mut self, type_name: &str, titles: &Inferred, span: Span) {
        let Some(titles) = titles.value() else { return };
        let titles = titles.as_array().map_or(std::slice::from_ref(titles), |titles| titles);
        for title in titles.iter().filter_map(Value::as_str) {
            let Some(scope) = self.scopes.last_mut() else { return };
            let reference = ecow::eco_format!("{type_name}['{title}']");
            if !scope.resources.insert(reference.clone()) {
                self.error("DUPLICATE_RESOURCE", span, format!("{reference} is declared twice"), None);
            }
        }
    }

    pub(super) fn collector(&mut self, type_name: Id, operations: &[Attribute]) -> Inferred {
        let tree = self.tree;
        let known = match &tree[type_name].expression {
            Expression::Reference(name) => {
                let name = lower_name(name);
                self.resource_type(&name, tree[type_name].span)
            }
            _ => None,
        };
        self.attributes(known.as_ref(), operations);
        Inferred::any()
    }

    /// The parameters or attributes of a resource type by its name in lower case; an unknown one is reported.
    pub(super) fn resource_type(&mut self, name: &str, span: Span) -> Option<Resource> {
        self.checked.compared += 1;
        let mut declared = self.index.resource(name, self.environment);
        if let Some(known) = declared.take_if(|known| known.declaration.kind == Kind::DefinedType) {
            return Some(Resource::Declared(known));
        }
        // A class may have the name of a resource type.
        let ruby = self.index.ruby();
        if let Some(type_) = ruby.types.get(name) {
            // A module that is not there may have another type of that name.
            if self.index.own.as_ref().is_some_and(|own| !self.index.is_complete() && *own != type_.module) {
                return None;
            }
            return Some(Resource::Type(name.into(), type_.attributes()?.clone()));
        }
        if let Some(attributes) = attributes::of_core_type(name) {
            return Some(Resource::Type(name.into(), attributes.clone()));
        }
        if self.index.is_of_common_module(&[Sort::Define, Sort::ResourceType], name) {
            return None;
        }
        if declared.is_some() && self.index.is_complete() {
            let help = format!("to declare the class write class {{ '{name}': }}");
            self.error(UNKNOWN_TYPE, span, format!("{name} is a class, not a resource type"), Some(help));
        }
        if declared.is_some() || Type::core_resource_names().iter().any(|core| core.eq_ignore_ascii_case(name)) {
            return None;
        }
        let message = format!("unknown resource type {name}");
        if name.contains("::") {
            self.unknown_in_module(name, span, message);
            return None;
        }
        // Types of missing modules may have similar names.
        let (near, most) = (self.index.near_type(name), 1 + name.len() / 8);
        let near = near.filter(|near| distance(near, name) <= most && name.len() > 3 && !self.index.lacks_modules());
        if near.is_some() || self.index.is_complete() && self.index.directory(name).is_some() {
            self.error(UNKNOWN_TYPE, span, message, meant(near));
        } else {
            self.unjudged(Unjudged::UnknownType(name.to_owned()));
        }
        None
    }

    /// `Exec['reload_web']` where `exec { 'reload-web': }` is declared.
    pub(super) fn title_of_reference(&mut self, type_name: &str, key: Id, title: &Inferred) {
        let type_name = lower_name(plain_name(type_name));
        let Some(title) = title.string() else { return };
        let Some(declared) = self.index.titles_like(&type_name, title) else { return };
        if let Some(near) = declared.iter().next().filter(|_| !declared.contains(title)) {
            let help = format!("did you mean '{near}'?");
            let message = format!("nothing declares {type_name} '{title}'");
            self.warning("UNKNOWN_RESOURCE", self.tree[key].span, message, Some(help));
        }
    }

    /// The attributes of a body against what is declared.
    fn attributes(&mut self, known: Option<&Resource>, attributes: &[Attribute]) {
        let mut contents = Vec::new();
        for (at, attribute) in attributes.iter().enumerate() {
            let found = self.visit(attribute.value);
            let is_given = || !overlap(&found.type_(), &Type::of(&Value::Undef)) && !may_be_deferred(&found);
            if matches!(&*attribute.name, "content" | "source" | "target") && is_given() {
                contents.push(attribute);
            }
            if attributes.iter().take(at).any(|earlier| earlier.name == attribute.name) {
                let message = format!("the attribute {} is set twice", attribute.name);
                self.error("DUPLICATE_ATTRIBUE", attribute.span, message, None);
            }
            let Some(known) = known else { continue };
            if &*attribute.name == "*" {
                self.entries(known, attribute.value, &found, &[]);
            } else {
                self.attribute(known, &attribute.name, attribute.span, attribute.value, &found);
            }
        }
        if let (Some(Resource::Type(name, _)), [first, second, ..]) = (known, &contents[..])
            && &**name == "file"
            && first.name != second.name
        {
            let message = format!("a file cannot have both {} and {}", first.name, second.name);
            self.error("EXCLUSIVE_ATTRIBUTES", second.span, message, Some("remove one of them".to_owned()));
        }
    }

    fn attribute(&mut self, known: &Resource, name: &str, span: Span, id: Id, found: &Inferred) {
        self.checked.compared += 1;
        match known {
            Resource::Declared(declared) => {
                let mut parameters = declared.declaration.parameters.iter().zip(&declared.types);
                if let Some((parameter, type_)) = parameters.find(|(one, _)| *one.name == *name) {
                    let is_undef = |found: &Inferred| matches!(found.value(), Some(Value::Undef));
                    let is_left_out = parameter.default.is_some() && is_undef(found);
                    let mut found = found.clone();
                    if let (Inferred::Branches(all, _), Some(_)) = (&mut found, parameter.default) {
                        all.retain(|(_, branch)| !is_undef(branch));
                    }
                    if let Some(type_) = type_.as_ref().filter(|_| !is_left_out) {
                        self.compare(id, &found, type_, || {
                            let (what, place) = (known.described(), declared.place_of(parameter.span));
                            let help = format!("${name} of {what} is declared in {place}");
                            (format!("the parameter {name} of {what}"), Some(help))
                        });
                    }
                    return;
                }
            }
            Resource::Type(_, attributes) => {
                if let Some(attribute) = attributes.iter().find(|attribute| attribute.name == name) {
                    let rule = attribute.rule.iter();
                    return rule.for_each(|rule| self.attribute_value(known, name, rule, id, found));
                }
            }
        }
        if METAPARAMETERS.contains(&name) {
            let rule = attributes::metaparameter(name);
            return rule.iter().for_each(|rule| self.attribute_value(known, name, rule, id, found));
        }
        let names = || known.names().into_iter().chain(METAPARAMETERS);
        let help = meant(nearest(name, names())).or_else(|| match known {
            Resource::Declared(declared) => Some(format!("it is declared in {}", declared.place())),
            Resource::Type(..) => None,
        });
        self.error("UNKNOWN_PARAMETER", span, format!("{} has no parameter {name}", known.described()), help);
        self.fix_word(span, name, names());
    }

    fn attribute_value(&mut self, known: &Resource, name: &str, rule: &Rule, id: Id, found: &Inferred) {
        if may_be_deferred(found) || found.conflict(&rule.accepted).is_none() {
            let branches = self.branches(found).into_iter();
            return branches.for_each(|(id, branch)| self.attribute_value(known, name, rule, *id, branch));
        }
        let what = format!("the attribute {name} of {}", known.described());
        self.compare(id, found, &rule.expected_of(&found.type_()), || (what, None));
        // As it is written: `0440` is 288, and `String(288)` is another mode.
        let written = self.tree.source.slice(self.tree[id].span);
        if matches!(found.value(), Some(Value::Integer(_)))
            && rule.accepted.has_instance(&written.into())
            && let Some(finding) = self.checked.findings.last_mut()
        {
            finding.error = finding.error.clone().with_help_instead(format!("quote it: '{written}'"));
        }
    }

    /// The names of the attributes that a body sets; `None` if they are not all written there.
    fn given<'t>(&self, attributes: impl Iterator<Item = &'t Attribute>) -> Option<Vec<EcoString>> {
        let mut names = Vec::new();
        for attribute in attributes {
            match &self.tree[attribute.value].expression {
                _ if &*attribute.name != "*" => names.push(attribute.name.clone()),
                Expression::Hash(entries) => {
                    for (key, _) in entries {
                        names.push(constant(self.tree, *key)?.as_str()?.into());
                    }
                }
                _ => return None,
            }
        }
        Some(names)
    }

    /// `create_resources('web::site', {title => {port => 80}}, {default => 1})`
    pub(super) fn created(&mut self, type_name: &str, ids: &[Id], found: &[Inferred]) {
        let (Some(first), Some(id), Some(all)) = (ids.first(), ids.get(1), found.get(1)) else { return };
        let name = lower_name(type_name.trim_start_matches('@'));
        let of_type = if name == "class" { None } else { self.resource_type(&name, self.tree[*first].span) };
        let titles = all.partial_value().and_then(Value::as_hash).into_iter().flat_map(Hash::keys);
        for title in titles.filter_map(Value::as_str) {
            let (key, value) = self.entry_of(*id, title);
            let class = if name == "class" { self.class_name(title, self.tree[key].span) } else { None };
            let of_class = class.map(Resource::Declared);
            let Some((known, given)) = of_class.as_ref().or(of_type.as_ref()).zip(all.entry(title)) else { continue };
            let mut own = self.entries(known, value, &given, &[]);
            if let (Some(names), Some((id, defaults))) = (&own, ids.get(2).zip(found.get(2))) {
                let more = self.entries(known, *id, defaults, names);
                own = more.map(|more| [&names[..], &more].concat());
            }
            if let (Resource::Declared(known), Some(given), None) = (known, own, &of_class) {
                self.missing(known, &given, self.tree[key].span);
            }
        }
    }

    /// The attributes in a Hash, except those that are set already. Returns their names, if all are known.
    fn entries(&mut self, known: &Resource, id: Id, found: &Inferred, others: &[EcoString]) -> Option<Vec<EcoString>> {
        let names: Option<Vec<EcoString>> =
            found.partial_value()?.as_hash()?.keys().map(|key| key.as_str().map(Into::into)).collect();
        for name in names.iter().flatten().filter(|name| !others.contains(name)) {
            let (key, value) = self.entry_of(id, name);
            let inferred = found.entry(name).unwrap_or_else(Inferred::any);
            self.attribute(known, name, self.tree[key].span, value, &inferred);
        }
        names
    }

    /// Where the key and the value of an entry are written; both the Hash itself, if it is not a literal.
    pub(super) fn entry_of(&self, hash: Id, name: &str) -> (Id, Id) {
        let is_key = |id: Id| constant(self.tree, id).is_some_and(|key| key.as_str() == Some(name));
        let written = match &self.tree[hash].expression {
            Expression::Hash(entries) => entries.iter().rfind(|(key, _)| is_key(*key)).copied(),
            Expression::Parenthesized(inner) => Some(self.entry_of(*inner, name)),
            Expression::Binary(BinaryOperator::Plus, left, right) => {
                let at = [*right, *left].map(|side| self.entry_of(side, name));
                at.into_iter().find(|(key, value)| key != value)
            }
            _ => None,
        };
        written.unwrap_or((hash, hash))
    }

    /// Reports the parameters of a defined type that have no default value and are not given.
    fn missing(&mut self, known: &Arc<Known>, given: &[EcoString], title: Span) {
        let Declaration { name, parameters, .. } = &known.declaration;
        // Defaults of the resource type may give them.
        let is_default = |node: &Node| match &node.expression {
            Expression::Resource { kind: ResourceKind::Defaults, type_name, .. } => {
                matches!(&self.tree[*type_name].expression, Expression::Reference(one) if *lower_name(one) == **name)
            }
            _ => false,
        };
        let is_unset = |parameter: &&Declared| {
            parameter.default.is_none()
                && !given.contains(&parameter.name)
                && !matches!(&*parameter.name, "name" | "title")
        };
        let unset: Vec<&Declared> = parameters.iter().filter(is_unset).collect();
        if !unset.is_empty() && !self.tree.nodes.iter().any(is_default) {
            for parameter in unset {
                let message = format!("defined type {name} needs the parameter {}", parameter.name);
                let help = format!("add {} => …; it is declared in {}", parameter.name, known.place_of(parameter.span));
                self.error("MISSING_PARAMETER", title, message, Some(help));
            }
        }
    }

    /// Reports a parameter of a class that neither its declaration, where `given` are set, nor data give a value. Neither the
    /// data of a module that is not checked is known, nor what a declaration elsewhere says.
    pub(super) fn unset_parameter(&mut self, class: &Known, span: Span, given: Option<&[EcoString]>) {
        let Declaration { name, parameters, .. } = &class.declaration;
        let is_unset = |parameter: &&Declared| {
            parameter.default.is_none()
                && !given.is_some_and(|given| given.contains(&parameter.name))
                && !self.data.values.contains_key(&*format!("{name}::{}", parameter.name))
        };
        let Some(unset) = parameters.iter().find(is_unset) else { return };
        let is_elsewhere = || self.index.titles_like("class", name).is_some_and(|titles| titles.contains(&**name));
        if self.data.sees_data_of(module_of(name), self.index) && (given.is_some() || !is_elsewhere()) {
            let message = format!("class {name} needs the parameter {}, and no data has a value", unset.name);
            let help = format!("set {name}::{} in the data, or declare the class with it", unset.name);
            self.error("MISSING_PARAMETER", span, message, Some(help));
        }
    }
}

/// What a Deferred gives is not known.
fn may_be_deferred(found: &Inferred) -> bool {
    found.type_().behind_aliases().to_string().contains("Deferred")
}
