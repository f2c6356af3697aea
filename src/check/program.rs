//! A program that is checked: its tree, and what all checks ask of it: definitions, literals with the places of their
//! parts, names.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashSet;

#[cfg(doc)]
use super::Checker;
use crate::data::{Entry, Place};
use crate::error::Error;
use crate::eval::{Kind, definition_in, literal_value};
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Node, Tree, UnaryOperator};
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
    /// The types, in lower case, and the titles of the resources that are declared with titles in the text; of classes
    /// their names.
    pub(super) titles: Vec<(String, EcoString)>,
}

fn title_texts(tree: &Tree, title: Id) -> Vec<EcoString> {
    match &tree[title].expression {
        Expression::Array(titles) => titles.iter().flat_map(|title| title_texts(tree, *title)).collect(),
        _ => constant(tree, title).and_then(|title| title.as_str().map(EcoString::from)).into_iter().collect(),
    }
}

impl Program {
    /// Reads a program. What is wrong with it is found by [`Checker::check_source`].
    pub fn new(source: Arc<Source>) -> Program {
        let tree = syntax::parse_all(&source).map(|tree| Arc::new(tree.compact()));
        let (definitions, top_variables) = tree.as_ref().map_or_else(|_| Default::default(), |tree| defined(tree));
        let titles =
            tree.iter().flat_map(|tree| tree.nodes.iter().flat_map(|node| declared_titles(tree, node))).collect();
        Program { source, tree, definitions, top_variables, titles }
    }
}

fn declared_titles(tree: &Tree, node: &Node) -> Vec<(String, EcoString)> {
    let Expression::Resource { type_name, bodies, .. } = &node.expression else { return Vec::new() };
    let Expression::Name(type_name) = &tree[*type_name].expression else { return Vec::new() };
    let titles = bodies.iter().filter_map(|body| body.title).flat_map(|title| title_texts(tree, title));
    let is_class = **type_name == *"class";
    let name = |title: EcoString| if is_class { EcoString::from(&*lower_name(&title)) } else { title };
    titles.map(|title| (lower_name(type_name).into_owned(), name(title))).collect()
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
