//! A program that is checked: its tree, and what all checks ask of it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

#[cfg(doc)]
use super::Checker;
use super::literal_spans::constant;
use super::names::lower_name;
use crate::error::Error;
use crate::eval::{Kind, definition_in, rejections};
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Node, ResourceKind, Tree};
use crate::text::{Source, Span};
use crate::value::EcoString;

/// A program that was read once, for all checks of it.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) source: Arc<Source>,
    /// The error that keeps the program from being read.
    pub(super) tree: Result<Arc<Tree>, Vec<Error>>,
    pub(super) outline: Outline,
}

/// Facts about all nodes that the checks of a program need, collected in one pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Errors that are found in the tree alone, without other files.
    pub(super) misuse: Vec<Error>,
    /// The classes, defined types and functions, also those inside of others.
    pub(super) definitions: Vec<Defined>,
    /// The variables assigned outside of definitions.
    pub(super) top_variables: FxHashSet<EcoString>,
    /// The resource types that have defaults somewhere.
    pub(super) defaults: Vec<String>,
    pub(super) declared_classes: Vec<EcoString>,
    /// The types, in lower case, and the titles of the resources that are declared with titles in the text.
    pub(super) titles: Vec<(String, EcoString)>,
}

impl Outline {
    pub(super) fn of(tree: &Tree) -> Outline {
        let misuse = rejections(tree);
        let (mut defaults, mut declared_classes, mut titles) = (Vec::new(), Vec::new(), Vec::new());
        for node in &tree.nodes {
            let Expression::Resource { kind, type_name, bodies, .. } = &node.expression else { continue };
            match (kind, &tree[*type_name].expression) {
                (ResourceKind::Defaults, Expression::Reference(name)) => defaults.push(lower_name(name).into_owned()),
                (_, Expression::Name(name)) if **name == *"class" => {
                    let classes = bodies
                        .iter()
                        .filter_map(|body| Some(EcoString::from(&*lower_name(constant(tree, body.title?)?.as_str()?))));
                    declared_classes.extend(classes);
                }
                (_, Expression::Name(name)) => {
                    let each = bodies.iter().filter_map(|body| body.title).flat_map(|title| title_texts(tree, title));
                    titles.extend(each.map(|title| (lower_name(name).into_owned(), title)));
                }
                _ => {}
            }
        }
        let (definitions, top_variables) = defined(tree);
        Outline { misuse, definitions, top_variables, defaults, declared_classes, titles }
    }
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
        let outline = tree.as_ref().map_or_else(|_| Outline::default(), |tree| Outline::of(tree));
        Program { source, tree, outline }
    }
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

/// The name of the function that an expression calls.
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
