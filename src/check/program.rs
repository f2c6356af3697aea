//! A program that is checked: its tree, and what all checks ask of it: definitions, literals with the places of their
//! parts, names.

use std::{borrow::Cow, sync::Arc};

use rustc_hash::FxHashSet;

#[cfg(doc)]
use super::Checker;
use crate::data::{Entry, Place};
use crate::error::Error;
use crate::eval::{Kind, definition_in, literal_value};
use crate::syntax;
use crate::syntax::tree::{Attribute, Expression, Id, Literal, Node, ResourceBody, ResourceKind, Tree, UnaryOperator};
use crate::text::{Source, Span};
use crate::value::{EcoString, Value};

/// A program that was read once, for all checks of it, and what it makes known to other programs.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) source: Arc<Source>,
    /// The error that keeps the program from being read.
    pub(super) tree: Result<Arc<Tree>, Vec<Error>>,
    /// The classes, defined types and functions, also those inside of others.
    pub(super) definitions: Vec<Defined>,
    /// The variables assigned outside of definitions.
    pub(super) top_variables: FxHashSet<EcoString>,
    /// The titles of resources, the names of classes, and other names. A part of a title that is not written there is a
    /// [`HOLE`].
    pub(super) titles: Vec<(Named, EcoString)>,
}

/// The part of a title that is known only at run time.
pub(super) const HOLE: char = '\0';

/// What a program names with a text that it has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Named {
    /// A resource of this type, in lower case; empty if the type is not written there.
    Resource(String),
    /// A class that is included.
    Included,
    /// A program that an `exec` runs without a path.
    Unqualified,
    /// An attribute that the defaults or a collector of this type set.
    Default(String),
}

impl Program {
    /// Reads a program. What is wrong with it is found by [`Checker::check_source`].
    pub fn new(source: Arc<Source>) -> Program {
        let tree = syntax::parse_all(&source).map(|tree| Arc::new(tree.compact()));
        let (definitions, top_variables) = tree.as_ref().map_or_else(|_| Default::default(), |tree| defined(tree));
        let titles = tree.iter().flat_map(|tree| declared_titles(tree)).collect();
        Program { source, tree, definitions, top_variables, titles }
    }
}

/// The titles that an expression gives: strings, elements of arrays, keys of hashes.
pub(super) fn title_texts(tree: &Tree, title: Id) -> Vec<EcoString> {
    let or_hole =
        |id: Id| constant(tree, id).and_then(|text| text.as_str().map(EcoString::from)).unwrap_or_else(|| HOLE.into());
    match &tree[title].expression {
        Expression::Array(titles) => titles.iter().flat_map(|title| title_texts(tree, *title)).collect(),
        Expression::Hash(entries) => entries.iter().flat_map(|(key, _)| title_texts(tree, *key)).collect(),
        Expression::Literal(Literal::Default) => Vec::new(),
        Expression::Concatenation(parts) => vec![parts.iter().map(|part| or_hole(*part)).collect()],
        _ => vec![or_hole(title)],
    }
}

/// The programs that an `exec` names without a path, and where.
pub(super) fn unqualified(tree: &Tree, body: &ResourceBody) -> Vec<(Id, EcoString)> {
    let are_set = |names: &[&str]| body.attributes.iter().any(|one| names.contains(&&*one.name));
    if are_set(&["path", "provider", "*"]) {
        return Vec::new();
    }
    let is_command = |one: &&Attribute| matches!(&*one.name, "command" | "unless" | "onlyif" | "refresh");
    let title = body.title.filter(|_| !are_set(&["command", "name"]));
    let program = |id: Id| {
        let command = title_texts(tree, id).into_iter().next()?;
        let program = command.split(char::is_whitespace).next()?.trim_matches(['"', '\'']);
        (!is_full_path(program) && !program.contains(HOLE)).then(|| (id, program.into()))
    };
    body.attributes.iter().filter(is_command).map(|one| one.value).chain(title).filter_map(program).collect()
}

/// Whether a path begins at a root, as far as it is written.
pub(super) fn is_full_path(path: &str) -> bool {
    path.starts_with(['/', '\\', HOLE]) || path.get(1..2) == Some(":")
}

pub(super) fn declared_titles(tree: &Tree) -> Vec<(Named, EcoString)> {
    tree.nodes.iter().flat_map(|node| titles_in(tree, node)).collect()
}

pub(super) fn titles_in(tree: &Tree, node: &Node) -> Vec<(Named, EcoString)> {
    let texts = |ids: &[Id]| ids.iter().flat_map(|id| title_texts(tree, *id)).collect::<Vec<_>>();
    let word =
        |id: Id| lower_name(constant(tree, id).as_ref().and_then(Value::as_str).unwrap_or_default()).into_owned();
    let defaults = |id: Id| Named::Default(lower_name(tree.source.slice(tree[id].span)).into_owned());
    let arguments = match &node.expression {
        Expression::Call { arguments, .. } => arguments.to_vec(),
        Expression::MethodCall { receiver, arguments, .. } => [&[*receiver], &arguments[..]].concat(),
        _ => Vec::new(),
    };
    let mut programs = Vec::new();
    let (named, titles) = match &node.expression {
        Expression::Resource { kind: ResourceKind::Declaration, type_name, bodies, .. } => {
            if word(*type_name) == "exec" {
                programs.extend(bodies.iter().flat_map(|body| unqualified(tree, body)));
            }
            // These may be names that references find, too.
            let is_name = |one: &&Attribute| matches!(&*one.name, "alias" | "name" | "path");
            let names = bodies.iter().flat_map(|body| &body.attributes).filter(is_name).map(|one| one.value);
            let titles = texts(&bodies.iter().filter_map(|body| body.title).chain(names).collect::<Vec<_>>());
            (Named::Resource(word(*type_name)), titles)
        }
        Expression::Resource { kind: ResourceKind::Defaults, type_name, bodies, .. } => {
            let attributes = bodies.iter().flat_map(|body| &body.attributes);
            (defaults(*type_name), attributes.map(|one| one.name.clone()).collect())
        }
        Expression::Collector { type_name, operations, .. } => {
            (defaults(*type_name), operations.iter().map(|one| one.name.clone()).collect())
        }
        Expression::Class { parent: Some(parent), .. } => (Named::Included, vec![(&**parent).into()]),
        _ => match (called(tree, node).unwrap_or_default().trim_start_matches("stdlib::"), &arguments[..]) {
            ("include" | "contain" | "require", _) => (Named::Included, texts(&arguments)),
            ("ensure_packages", [titles, ..]) => (Named::Resource("package".to_owned()), texts(&[*titles])),
            ("ensure_resource" | "ensure_resources" | "create_resources", [type_name, titles, ..]) => {
                (Named::Resource(word(*type_name).trim_start_matches('@').to_owned()), texts(&[*titles]))
            }
            _ => return Vec::new(),
        },
    };
    let is_class = named == Named::Included || named == Named::Resource("class".to_owned());
    let name = |title: EcoString| if is_class { lower_name(&title).into() } else { title };
    let programs = programs.into_iter().map(|(_, program)| (Named::Unqualified, program));
    titles.into_iter().map(|title| (named.clone(), name(title))).chain(programs).collect()
}

/// The variables that are set in a body, also those in lambdas: a name that is set somewhere is not a misspelling.
pub(super) fn assigned(tree: &Tree, body: Id) -> FxHashSet<EcoString> {
    let mut names = FxHashSet::default();
    for node in tree.within(body) {
        if let Expression::Assignment(_, target, _) = &node.expression {
            targets(tree, *target, &mut |name| {
                names.insert(name.clone());
            });
        }
    }
    names
}

pub(super) fn targets(tree: &Tree, target: Id, found: &mut dyn FnMut(&EcoString)) {
    match &tree[target].expression {
        Expression::Variable(name) => found(name),
        Expression::Array(elements) => elements.iter().for_each(|id| targets(tree, *id, found)),
        _ => {}
    }
}

/// The branches of a condition, of which at most one is evaluated. An `elsif` is one.
pub(super) fn branches(tree: &Tree, id: Id) -> Vec<Id> {
    match &tree[id].expression {
        Expression::If { then, otherwise, .. } | Expression::Unless { then, otherwise, .. } => {
            std::iter::once(*then).chain(*otherwise).collect()
        }
        Expression::Case(_, options) => options.iter().map(|option| option.then).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn called<'t>(tree: &'t Tree, node: &'t Node) -> Option<&'t str> {
    match &node.expression {
        Expression::Call { functor: name, .. } | Expression::MethodCall { name, .. } => match &tree[*name].expression {
            Expression::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

#[derive(Clone, Debug)]
pub(super) struct Defined {
    pub(super) id: Id,
    pub(super) kind: Kind,
    pub(super) name: EcoString,
}

/// Returns all classes, defined types and functions, including nested ones, and the variables assigned outside of them.
pub(super) fn defined(tree: &Tree) -> (Vec<Defined>, FxHashSet<EcoString>) {
    let mut all: Vec<Defined> = Vec::new();
    for (id, node) in (0..).map(Id::at).zip(&tree.nodes) {
        if let Some((kind, definition)) = definition_in(&node.expression) {
            all.push(Defined { id, kind, name: (&*lower_name(&definition.name)).into() });
        }
    }
    // What is inside of a class has its name in front; what is around something comes after it.
    let mut around: Vec<(Span, EcoString)> = Vec::new();
    for defined in all.iter_mut().rev() {
        let span = tree[defined.id].span;
        around.retain(|(outer, _)| outer.start < span.start && span.end <= outer.end);
        if let Some((_, outer)) = around.last() {
            defined.name = ecow::eco_format!("{outer}::{}", defined.name);
        }
        if defined.kind == Kind::Class {
            around.push((span, defined.name.clone()));
        }
    }
    let outside = tree.statements().iter().filter(|id| all.binary_search_by_key(id, |defined| &defined.id).is_err());
    let top_variables = outside.flat_map(|id| assigned(tree, *id)).collect();
    (all, top_variables)
}

/// The location of an expression, and of its parts as far as they are literals.
pub(super) fn place(tree: &Tree, id: Id) -> Place {
    let span = tree[id].span;
    match &tree[id].expression {
        Expression::Parenthesized(inner) | Expression::Assignment(_, _, inner) => place(tree, *inner),
        // After an unfolded element nobody knows the number of the others.
        Expression::Array(elements) => {
            let is_one = |id: &&Id| !matches!(tree[**id].expression, Expression::Unary(UnaryOperator::Unfold, _));
            Place::of_elements(span, elements.iter().take_while(is_one).map(|id| place(tree, *id)).collect())
        }
        Expression::Hash(entries) => {
            let entries = entries.iter().filter_map(|(key, value)| {
                let (key_span, place) = (tree[*key].span, place(tree, *value));
                Some(Entry { key: constant(tree, *key)?, key_span, place })
            });
            Place::of_entries(span, entries.collect())
        }
        _ => Place::leaf(span),
    }
}

pub(super) fn constant(tree: &Tree, id: Id) -> Option<Value> {
    match &tree[id].expression {
        Expression::Literal(literal) => literal_value(literal).ok(),
        Expression::Name(word) => Some(Value::from(&**word)),
        _ => None,
    }
}

/// A name without the colons in front.
pub(super) fn plain_name(name: &str) -> &str {
    name.trim_start_matches("::")
}

/// A name without leading colons, in lower case.
pub(super) fn lower_name(name: &str) -> Cow<'_, str> {
    let name = plain_name(name);
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
}

/// `web` of `web::port`
pub(super) fn module_of(name: &str) -> &str {
    name.split_once("::").map_or(name, |(module, _)| module)
}
