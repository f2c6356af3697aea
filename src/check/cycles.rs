//! Reports relationships of a class that form a cycle: no resource of the cycle can be applied before the others.
//!
//! Only titles that are literals count or, outside of lambdas, that are made of variables, which have one value there; and
//! only relationships that can hold together: not those in different branches.
//!
//! Source: Puppet reference, "Relationships and ordering".

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Checked;
use super::program::{RELATIONSHIPS, UNKNOWN_TITLE_PART, branches_of_condition, normalize_name, title_strings};
use crate::error::Error;
use crate::stack;
use crate::syntax::tree::BinaryOperator::{After, Before, NotifiedBy, Notifies};
use crate::syntax::tree::{Expression, Id, Node, ResourceKind, Tree};
use crate::value::EcoString;
use crate::wording::{capitalize_segments, shorten};

/// The maximum number of relationships in a file that are searched for cycles; further ones are ignored.
const MAX_SEARCHED_EDGES: usize = 200;

/// The maximum pairs of a relationship; others are ignored. `Package['a', 'b'] -> Service['c', 'd']` has four.
const MAX_PAIRS: usize = 1000;

/// A resource type in lower case, and a title.
type Resource = (String, EcoString);

/// A relationship: `first` is applied before `second`.
struct Edge {
    first: Resource,
    second: Resource,
    written_at: Id,
}

pub(super) fn check_cycles(tree: &Tree, checked: &mut Checked) {
    let mut edges = without_acyclic(relationships(tree));
    edges.truncate(MAX_SEARCHED_EDGES);
    let all = tree.nodes.iter().map(|node| branches_of_condition_or_definition(tree, &node.expression));
    let conditions: Vec<Vec<Id>> = all.filter(|branches| !branches.is_empty()).collect();
    edges.sort_by_key(|edge| tree[edge.written_at].span.start);
    for (at, last) in edges.iter().enumerate() {
        // Each resource that waits for the last one, with the position of the resource that it waits for.
        let mut reached: IndexMap<&Resource, usize> = IndexMap::from([(&last.second, 0)]);
        let mut next = 0;
        while let Some((&from, _)) = reached.get_index(next) {
            let earlier = edges.iter().take(at).filter(|edge| edge.first == *from);
            for edge in earlier.filter(|edge| may_hold_together(tree, &conditions, edge, last)) {
                reached.entry(&edge.second).or_insert(next);
            }
            next += 1;
        }
        if let Some(mut position) = reached.get_index_of(&last.first) {
            let mut cycle = vec![&last.second];
            while let Some((resource, previous)) = reached.get_index(position).filter(|_| position > 0) {
                cycle.push(resource);
                position = *previous;
            }
            cycle.push(&last.second);
            let name = |(type_name, title): &&Resource| {
                let quote = if title.starts_with(['$', '"']) { "" } else { "'" };
                format!("{}[{quote}{title}{quote}]", capitalize_segments(type_name))
            };
            let cycle = cycle.iter().rev().map(name).collect::<Vec<_>>().join(" -> ");
            let error = Error::new("DEPENDENCY_CYCLE", format!("dependency cycle: {}", shorten(&cycle, 300)));
            checked.add_error(&tree.source, tree[last.written_at].span, error).help("remove one of the relationships");
        }
    }
}

/// Returns the parts of an expression of which only one is evaluated, or that are evaluated for different classes, defined
/// types or nodes.
fn branches_of_condition_or_definition(tree: &Tree, expression: &Expression) -> Vec<Id> {
    match expression {
        Expression::Block(statements) => {
            let is_definition =
                |id: &Id| matches!(tree[*id].expression, Expression::Definition(_) | Expression::NodeDefinition { .. });
            statements.iter().copied().filter(is_definition).collect()
        }
        _ => branches_of_condition(expression),
    }
}

fn may_hold_together(tree: &Tree, conditions: &[Vec<Id>], one: &Edge, other: &Edge) -> bool {
    let branch_around = |edge: &Edge, branches: &[Id]| {
        let at = tree[edge.written_at].span.start;
        branches.iter().position(|id| tree[*id].span.start <= at && at < tree[*id].span.end)
    };
    conditions.iter().all(|branches| match (branch_around(one, branches), branch_around(other, branches)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    })
}

fn relationships(tree: &Tree) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut add = |first: Vec<Resource>, second: Vec<Resource>, written_at| {
        let pairs = first.iter().flat_map(|first| second.iter().map(move |second| (first.clone(), second.clone())));
        edges.extend(pairs.take(MAX_PAIRS).map(|(first, second)| Edge { first, second, written_at }));
    };
    // From the end, a lambda comes before its content.
    let mut first_in_lambda = u32::MAX;
    for node in tree.nodes.iter().rev() {
        let is_inside = node.span.start >= first_in_lambda;
        let referred = |id: &Id| resources_in(tree, *id, is_inside);
        match &node.expression {
            Expression::Lambda { .. } if !is_inside => first_in_lambda = node.span.start,
            Expression::Resource { kind: ResourceKind::Declaration, type_name, bodies, .. } => {
                for body in bodies {
                    let Some(title) = body.title else { continue };
                    let declared = || fixed_resources(tree, *type_name, title, is_inside);
                    for attribute in &body.attributes {
                        match RELATIONSHIPS.iter().find(|(name, _)| **name == *attribute.name) {
                            Some((_, true)) => add(referred(&attribute.value), declared(), attribute.value),
                            Some((_, false)) => add(declared(), referred(&attribute.value), attribute.value),
                            None => {}
                        }
                    }
                }
            }
            Expression::Binary(Before | Notifies, left, right) => add(referred(left), referred(right), *right),
            Expression::Binary(After | NotifiedBy, left, right) => add(referred(right), referred(left), *right),
            _ => {}
        }
    }
    edges
}

/// Returns the resources that a relationship refers to at `id`. The right end of a chain counts: `A -> B` in `A -> B -> C`.
fn resources_in(tree: &Tree, mut id: Id, in_lambda: bool) -> Vec<Resource> {
    while let Expression::Binary(Before | After | Notifies | NotifiedBy, _, right) = &tree[id].expression {
        id = *right;
    }
    match &tree[id].expression {
        Expression::Array(all) => {
            all.iter().flat_map(|one| stack::with_room(|| resources_in(tree, *one, in_lambda))).collect()
        }
        Expression::Resource { kind: ResourceKind::Declaration, type_name, bodies, .. } => {
            let titles = bodies.iter().filter_map(|body| body.title);
            titles.flat_map(|title| fixed_resources(tree, *type_name, title, in_lambda)).collect()
        }
        Expression::Access(type_name, titles) if matches!(tree[*type_name].expression, Expression::Reference(_)) => {
            titles.iter().flat_map(|title| fixed_resources(tree, *type_name, *title, in_lambda)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the resources with the titles in `title`, for a title with variables its source.
fn fixed_resources(tree: &Tree, type_name: Id, title: Id, in_lambda: bool) -> Vec<Resource> {
    let type_name = normalize_name(tree.text_of(type_name)).into_owned();
    let all = if let Expression::Array(all) = &tree[title].expression { &all[..] } else { &[title] };
    let titles = all.iter().flat_map(|id| {
        let is_text = |node: &Node| {
            use Expression::{Concatenation, Literal, Name, Text};
            matches!(node.expression, Concatenation(_) | Literal(_) | Name(_) | Text(_))
        };
        let others: Vec<&Node> = tree.nodes_within(*id).filter(|node| !is_text(node)).collect();
        let is_variable = |node: &&Node| matches!(node.expression, Expression::Variable(_));
        match &others[..] {
            [] => title_strings(tree, *id),
            others if !in_lambda && others.iter().all(is_variable) => vec![tree.text_of(*id).into()],
            _ => Vec::new(),
        }
    });
    let titles = titles.filter(|title| !title.contains(UNKNOWN_TITLE_PART));
    titles.map(|title| (type_name.clone(), title.trim_end_matches('/').into())).collect()
}

/// Returns the relationships of resources that wait for themselves, or for others that do.
fn without_acyclic(edges: Vec<Edge>) -> Vec<Edge> {
    let mut waiting_for: FxHashMap<&Resource, usize> = FxHashMap::default();
    let mut following: FxHashMap<&Resource, Vec<&Resource>> = FxHashMap::default();
    for edge in &edges {
        *waiting_for.entry(&edge.second).or_default() += 1;
        following.entry(&edge.first).or_default().push(&edge.second);
    }
    let mut ready: Vec<&Resource> = following.keys().copied().filter(|one| !waiting_for.contains_key(one)).collect();
    let mut applied = FxHashSet::default();
    while let Some(one) = ready.pop() {
        applied.insert(one.clone());
        for next in following.get(one).into_iter().flatten() {
            if let Some(count) = waiting_for.get_mut(next) {
                *count -= 1;
                ready.extend((*count == 0).then_some(*next));
            }
        }
    }
    edges.into_iter().filter(|edge| !applied.contains(&edge.first)).collect()
}
