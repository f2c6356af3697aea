//! A parsed Puppet program and the facts that several checks need: its definitions, the names that it mentions, and the
//! locations of its literals.

use std::{borrow::Cow, sync::Arc};

use rustc_hash::FxHashSet;

#[cfg(doc)]
use super::Checker;
use crate::data::{Entry, LocationTree};
use crate::error::Error;
use crate::eval::literal_value;
use crate::syntax::tree::{
    Attribute, BinaryOperator, DefinitionKind, Expression, Id, Literal, Node, ResourceBody, ResourceKind, Tree,
    UnaryOperator,
};
use crate::text::{Source, Span};
use crate::value::{EcoString, Hash, Value};
use crate::{stack, syntax};

/// A parsed Puppet program, with the names that it defines and mentions, which checks of other programs use.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) source: Arc<Source>,
    pub(super) tree: Result<Arc<Tree>, Vec<Error>>,
    /// The classes, defined types and functions, including those nested in a class.
    pub(super) definitions: Vec<DefinitionEntry>,
    /// The variables assigned outside of definitions.
    pub(super) top_variables: FxHashSet<EcoString>,
    /// The titles of declared resources, the included classes, and the other names of [`NameKind`]. Each part of a
    /// title that is known only at run time is a [`UNKNOWN_TITLE_PART`].
    pub(super) titles: Vec<(NameKind, EcoString)>,
}

/// The attributes that order resources, and whether the resource that they refer to is applied first.
///
/// Source: Puppet reference, "Metaparameter reference".
pub(super) const RELATIONSHIPS: [(&str, bool); 4] =
    [("require", true), ("subscribe", true), ("before", false), ("notify", false)];

/// The character that replaces each part of a title that is known only at run time.
pub(super) const UNKNOWN_TITLE_PART: char = '\0';

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum NameKind {
    /// The title of a resource of this type (in lower case; empty if the type is known only at run time).
    Resource(String),
    Included,
    /// A command that an `exec` resource runs without an absolute path.
    Unqualified,
    /// The name of an attribute that resource defaults or a collector set for this resource type.
    Default(String),
    /// A tag of resources of this type; of any resource, if the type is empty.
    Tag(String),
    /// A tag of resources of this type that a collector asks for.
    CollectedTag(String),
}

impl Program {
    /// Parses a program. Syntax errors are kept and reported by [`Checker::check_source`].
    pub fn new(source: Arc<Source>) -> Program {
        let tree = syntax::parse_all(&source).map(|tree| Arc::new(tree.shrink_to_fit()));
        let (definitions, top_variables) =
            tree.as_ref().map_or_else(|_| Default::default(), |tree| find_definitions(tree));
        let titles = tree.iter().flat_map(|tree| titles_in_tree(tree)).collect();
        Program { source, tree, definitions, top_variables, titles }
    }
}

/// Returns the titles in a title expression: a string, the elements of an array, or the keys of a hash.
pub(super) fn title_strings(tree: &Tree, title: Id) -> Vec<EcoString> {
    let or_hole = |id: Id| constant_string(tree, id).unwrap_or_else(|| UNKNOWN_TITLE_PART.into());
    match &tree[title].expression {
        Expression::Variable(name) => match constants_of_variable(tree, name) {
            Some(values) => values.into_iter().flat_map(|value| title_strings(tree, value)).collect(),
            None => vec![UNKNOWN_TITLE_PART.into()],
        },
        Expression::Array(titles) => titles.iter().flat_map(|title| title_strings(tree, *title)).collect(),
        Expression::Hash(entries) => entries.iter().flat_map(|(key, _)| title_strings(tree, *key)).collect(),
        Expression::Literal(Literal::Default) => Vec::new(),
        Expression::Concatenation(parts) => vec![parts.iter().map(|part| or_hole(*part)).collect()],
        _ => vec![or_hole(title)],
    }
}

/// Returns the values of a variable of the program, or `None` if one of them is not a literal, or a parameter has its name.
fn constants_of_variable(tree: &Tree, name: &str) -> Option<Vec<Id>> {
    let is_it = |target: &Id| matches!(&tree[*target].expression, Expression::Variable(other) if *other == *name);
    let mut parameters = tree.nodes.iter().flat_map(|node| node.expression.parameters());
    let values = tree.nodes.iter().filter_map(|node| match &node.expression {
        Expression::Assignment(_, target, value) if is_it(target) => Some(*value),
        _ => None,
    });
    let values: Vec<Id> = values.collect();
    let is_literal = |id: &Id| match &tree[*id].expression {
        Expression::Hash(entries) => entries.iter().all(|(key, _)| constant_value(tree, *key).is_some()),
        _ => constant_value(tree, *id).is_some(),
    };
    let are_known = !values.is_empty() && values.iter().all(is_literal);
    (are_known && !parameters.any(|parameter| parameter.name == *name)).then_some(values)
}

pub(super) fn unqualified_commands(tree: &Tree, body: &ResourceBody) -> Vec<(Id, EcoString)> {
    let are_set = |names: &[&str]| body.attributes.iter().any(|one| names.contains(&&*one.name));
    if are_set(&["path", "provider", "*"]) {
        return Vec::new();
    }
    let is_command = |one: &&Attribute| matches!(&*one.name, "command" | "unless" | "onlyif" | "refresh");
    let title = body.title.filter(|_| !are_set(&["command", "name"]));
    let program = |id: Id| {
        let command = title_strings(tree, id).into_iter().next()?;
        let program = command.split(char::is_whitespace).next()?.trim_matches(['"', '\'']);
        (!may_be_absolute_path(program) && !program.contains(UNKNOWN_TITLE_PART)).then(|| (id, program.into()))
    };
    body.attributes.iter().filter(is_command).map(|one| one.value).chain(title).filter_map(program).collect()
}

/// Returns the tags that a collector asks for, as in `File <| tag == 'web' |>`, with its resource type and their
/// expressions.
pub(super) fn collected_tags(tree: &Tree, node: &Node) -> Vec<(String, Id, EcoString)> {
    let Expression::Collector { type_name, query, .. } = &node.expression else { return Vec::new() };
    let type_name = normalize_name(tree.text_of(*type_name));
    let tags = tree.nodes_within(*query).filter_map(|node| match &node.expression {
        Expression::Binary(BinaryOperator::Equal, left, tag) if tree.text_of(*left) == "tag" => Some(*tag),
        _ => None,
    });
    let tags = tags.flat_map(|id| title_strings(tree, id).into_iter().map(move |tag| (id, tag)));
    tags.map(|(id, tag)| (type_name.to_string(), id, tag)).collect()
}

/// Whether a path is absolute (POSIX or Windows), or begins with a part that is known only at run time.
pub(super) fn may_be_absolute_path(path: &str) -> bool {
    path.starts_with(['/', '\\', UNKNOWN_TITLE_PART]) || path.get(1..2) == Some(":")
}

pub(super) fn titles_in_tree(tree: &Tree) -> Vec<(NameKind, EcoString)> {
    tree.nodes.iter().flat_map(|node| titles_in_node(tree, node)).collect()
}

pub(super) fn titles_in_node(tree: &Tree, node: &Node) -> Vec<(NameKind, EcoString)> {
    let texts = |ids: &[Id]| ids.iter().flat_map(|id| title_strings(tree, *id)).collect::<Vec<_>>();
    let word = |id: Id| normalize_name(&constant_string(tree, id).unwrap_or_default()).into_owned();
    let defaults = |id: Id| NameKind::Default(normalize_name(tree.text_of(id)).into_owned());
    let mut others = Vec::new();
    let (named, titles) = match &node.expression {
        Expression::Resource { kind: ResourceKind::Declaration, type_name, bodies, .. } => {
            if word(*type_name) == "exec" {
                let programs = bodies.iter().flat_map(|body| unqualified_commands(tree, body));
                others.extend(programs.map(|(_, program)| (NameKind::Unqualified, program)));
            }
            let values_of = |names: &'static [&str]| {
                let attributes = bodies.iter().flat_map(|body| &body.attributes);
                attributes.filter(|one| names.contains(&&*one.name)).map(|one| one.value)
            };
            let tags = texts(&values_of(&["tag"]).collect::<Vec<_>>()).into_iter();
            others.extend(tags.map(|tag| (NameKind::Tag(word(*type_name)), tag)));
            // These may be names that references find, too.
            let names = values_of(&["alias", "name", "path"]);
            let titles = texts(&bodies.iter().filter_map(|body| body.title).chain(names).collect::<Vec<_>>());
            (NameKind::Resource(word(*type_name)), titles)
        }
        Expression::Resource { kind: ResourceKind::Defaults, type_name, bodies, .. } => {
            let attributes = bodies.iter().flat_map(|body| &body.attributes);
            (defaults(*type_name), attributes.map(|one| one.name.clone()).collect())
        }
        Expression::Collector { type_name, operations, .. } => {
            let tags = collected_tags(tree, node).into_iter();
            others.extend(tags.map(|(type_name, _, tag)| (NameKind::CollectedTag(type_name), tag)));
            (defaults(*type_name), operations.iter().map(|one| one.name.clone()).collect())
        }
        // The attributes of resources that a function declares.
        Expression::Hash(entries) => {
            let tags = entries.iter().filter(|(key, _)| constant_string(tree, *key).is_some_and(|key| key == "tag"));
            (NameKind::Tag(String::new()), texts(&tags.map(|(_, tag)| *tag).collect::<Vec<_>>()))
        }
        Expression::Definition(definition) if let Some(parent) = &definition.parent => {
            (NameKind::Included, vec![parent.clone()])
        }
        expression => {
            let name = callee_name(tree, node).map(|name| name.strip_prefix("stdlib::").unwrap_or(name));
            match (name, &expression.arguments()[..]) {
                (Some("tag"), tags) => (NameKind::Tag(String::new()), texts(tags)),
                (Some("include" | "contain" | "require"), classes) => (NameKind::Included, texts(classes)),
                (Some("ensure_packages"), [titles, ..]) => (NameKind::Resource("package".into()), texts(&[*titles])),
                (Some("ensure_resource" | "ensure_resources" | "create_resources"), [type_name, titles, ..]) => {
                    (NameKind::Resource(word(*type_name).trim_start_matches('@').to_owned()), texts(&[*titles]))
                }
                _ => return Vec::new(),
            }
        }
    };
    let is_class = named == NameKind::Included || named == NameKind::Resource("class".to_owned());
    let name = |title: EcoString| if is_class { normalize_name(&title).into() } else { title };
    titles.into_iter().map(|title| (named.clone(), name(title))).chain(others).collect()
}

/// Returns the names of all variables assigned in `body`, including those assigned in lambdas.
pub(super) fn assigned_variables(tree: &Tree, body: Id) -> FxHashSet<EcoString> {
    let names = tree.nodes_within(body).flat_map(|node| match &node.expression {
        Expression::Assignment(_, target, _) => variables_of_target(tree, *target),
        _ => Vec::new(),
    });
    names.cloned().collect()
}

/// Returns the names of the variables to which an assignment with this left side assigns.
pub(super) fn variables_of_target(tree: &Tree, target: Id) -> Vec<&EcoString> {
    match &tree[target].expression {
        Expression::Variable(name) => vec![name],
        Expression::Array(elements) => elements.iter().flat_map(|id| variables_of_target(tree, *id)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the branches of an `if`, `unless` or `case`; none for another expression. An `elsif` chain is one branch.
pub(super) fn branches_of_condition(expression: &Expression) -> Vec<Id> {
    match expression {
        Expression::If { then, otherwise, .. } => std::iter::once(*then).chain(*otherwise).collect(),
        Expression::Case(_, options) => options.iter().map(|option| option.then).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn callee_name<'t>(tree: &'t Tree, node: &'t Node) -> Option<&'t str> {
    let Expression::Call { functor, .. } = &node.expression else { return None };
    if let Expression::Name(name) = &tree[*functor].expression { Some(name) } else { None }
}

#[derive(Clone, Debug)]
pub(super) struct DefinitionEntry {
    pub(super) id: Id,
    pub(super) kind: DefinitionKind,
    pub(super) name: EcoString,
}

/// Returns all classes, defined types and functions, including nested ones, and the variables assigned outside of them.
pub(super) fn find_definitions(tree: &Tree) -> (Vec<DefinitionEntry>, FxHashSet<EcoString>) {
    let entry = |(id, node): (Id, &Node)| {
        let Expression::Definition(definition) = &node.expression else { return None };
        Some(DefinitionEntry { id, kind: definition.kind, name: (&*normalize_name(&definition.name)).into() })
    };
    let mut all: Vec<_> = (0..).map(Id::from_index).zip(&tree.nodes).filter_map(entry).collect();
    // What is inside of a class has its name in front; what is around something comes after it.
    let mut around: Vec<(Span, EcoString)> = Vec::new();
    for defined in all.iter_mut().rev() {
        let span = tree[defined.id].span;
        around.retain(|(outer, _)| outer.start < span.start && span.end <= outer.end);
        if let Some((_, outer)) = around.last() {
            defined.name = ecow::eco_format!("{outer}::{}", defined.name);
        }
        around.extend((defined.kind == DefinitionKind::Class).then(|| (span, defined.name.clone())));
    }
    let outside = tree.statements().iter().filter(|id| all.binary_search_by_key(id, |defined| &defined.id).is_err());
    let top_variables = outside.flat_map(|id| assigned_variables(tree, *id)).collect();
    (all, top_variables)
}

pub(super) fn location_tree_of_value(tree: &Tree, id: Id) -> LocationTree {
    let span = tree[id].span;
    match &tree[id].expression {
        Expression::Parenthesized(inner) | Expression::Assignment(_, _, inner) => location_tree_of_value(tree, *inner),
        // After an unfolded element nobody knows the number of the others.
        Expression::Array(elements) => {
            let is_one = |id: &&Id| !matches!(tree[**id].expression, Expression::Unary(UnaryOperator::Unfold, _));
            let places = elements.iter().take_while(is_one).map(|id| location_tree_of_value(tree, *id));
            LocationTree::with_parts(span, places.collect(), Vec::new())
        }
        Expression::Hash(entries) => {
            let entries = entries.iter().filter_map(|(key, value)| {
                let (key_span, place) = (tree[*key].span, location_tree_of_value(tree, *value));
                Some(Entry { key: constant_value(tree, *key)?, key_span, value_location: place })
            });
            LocationTree::with_parts(span, Vec::new(), entries.collect())
        }
        _ => LocationTree::leaf_location(span),
    }
}

pub(super) fn constant_value(tree: &Tree, id: Id) -> Option<Value> {
    let constant = |id: &Id| stack::with_room(|| constant_value(tree, *id));
    match &tree[id].expression {
        Expression::Literal(literal) => literal_value(literal).ok(),
        Expression::Name(word) => Some(Value::from(&**word)),
        Expression::Array(elements) => elements.iter().map(constant).collect::<Option<Vec<_>>>().map(Value::from),
        Expression::Hash(entries) => {
            let entry = |(key, value): &(Id, Id)| Some((constant(key)?, constant(value)?));
            entries.iter().map(entry).collect::<Option<Hash>>().map(Value::Hash)
        }
        _ => None,
    }
}

pub(super) fn constant_string(tree: &Tree, id: Id) -> Option<EcoString> {
    constant_value(tree, id)?.as_str().map(EcoString::from)
}

pub(super) fn strip_leading_colons(name: &str) -> &str {
    name.trim_start_matches("::")
}

/// Returns a name in lower case and without leading colons.
pub(super) fn normalize_name(name: &str) -> Cow<'_, str> {
    let name = strip_leading_colons(name);
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
}

/// Returns the module that a qualified name belongs to: `web` for `web::port`.
pub(super) fn module_of_name(name: &str) -> &str {
    name.split_once("::").map_or(name, |(module, _)| module)
}
