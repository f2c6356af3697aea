//! Where definitions are allowed: classes, defined types and nodes at the top level or directly in a class; functions
//! and types at the top level only.

use super::{ValidationError, Validator};
use crate::syntax::tree::{Expression, Id, Tree};

/// What a definition stands directly in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Surroundings {
    Program,
    Class,
    Definition,
}

impl Validator<'_> {
    pub(super) fn definition_places(&mut self) {
        let tree = self.tree;
        let mut places = vec![None; tree.nodes.len()];
        // A block comes before the definition whose body it is, which knows better.
        for node in &tree.nodes {
            match &node.expression {
                Expression::Block(statements) => {
                    note_all(statements, Surroundings::Definition, &mut places);
                }
                Expression::Lambda { body, .. } => note(tree, *body, Surroundings::Definition, &mut places),
                Expression::Case(_, options) => {
                    for option in options {
                        note(tree, option.then, Surroundings::Definition, &mut places);
                    }
                }
                Expression::Class { definition, .. } => note(tree, definition.body, Surroundings::Class, &mut places),
                Expression::Function(definition) | Expression::Define(definition) => {
                    note(tree, definition.body, Surroundings::Definition, &mut places);
                }
                Expression::NodeDefinition { body, .. } | Expression::Epp { body, .. } => {
                    note(tree, *body, Surroundings::Definition, &mut places);
                }
                _ => {}
            }
        }
        note(tree, tree.body, Surroundings::Program, &mut places);
        for (index, (node, place)) in tree.nodes.iter().zip(places).enumerate() {
            let only_in_program = match &node.expression {
                Expression::Function(_) | Expression::TypeAlias { .. } => true,
                Expression::Class { .. } | Expression::Define(_) | Expression::NodeDefinition { .. } => false,
                _ => continue,
            };
            let id = Id::at(index);
            match (place, only_in_program) {
                (Some(Surroundings::Program), _) | (Some(Surroundings::Class), false) => {}
                (Some(_), true) => self.finds_node(ValidationError::NotAbsoluteTopLevel, id),
                (Some(Surroundings::Definition), false) | (None, _) => {
                    self.finds_node(ValidationError::NotTopLevel, id);
                }
            }
        }
    }
}

fn note(tree: &Tree, body: Id, surroundings: Surroundings, places: &mut [Option<Surroundings>]) {
    match &tree[body].expression {
        Expression::Block(statements) => note_all(statements, surroundings, places),
        _ => note_all(&[body], surroundings, places),
    }
}

fn note_all(statements: &[Id], surroundings: Surroundings, places: &mut [Option<Surroundings>]) {
    for statement in statements {
        places.get_mut(statement.index()).into_iter().for_each(|place| *place = Some(surroundings));
    }
}
