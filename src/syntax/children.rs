//! The children of an expression, in source order, and the parts that several kinds of expressions have.

use super::tree::{Attribute, Expression, Id, Parameter};

impl Expression {
    /// Returns the parameters of a definition, lambda or template; none for another expression.
    pub(crate) fn parameters(&self) -> &[Parameter] {
        match self {
            Expression::Definition(definition) => &definition.parameters,
            Expression::Lambda { parameters, .. } => parameters,
            Expression::Epp { parameters, .. } => parameters,
            _ => &[],
        }
    }

    /// Returns the receiver and the arguments of a call; none for another expression.
    pub(crate) fn arguments(&self) -> Vec<Id> {
        match self {
            Expression::Call { receiver, arguments, .. } => receiver.iter().chain(arguments).copied().collect(),
            _ => Vec::new(),
        }
    }

    /// Calls `visit` with the id of each direct child, in source order.
    pub fn for_each_child(&self, visit: &mut dyn FnMut(Id)) {
        match self {
            Expression::Nop
            | Expression::Literal(_)
            | Expression::Name(_)
            | Expression::Reference(_)
            | Expression::Variable(_)
            | Expression::Reserved(_)
            | Expression::RenderString(_) => {}
            Expression::Concatenation(ids) | Expression::Array(ids) | Expression::Block(ids) => {
                visit_id_lists(visit, &[ids]);
            }
            Expression::Text(id)
            | Expression::Heredoc(_, id)
            | Expression::Parenthesized(id)
            | Expression::Unary(_, id)
            | Expression::TypeAlias { type_: id, .. }
            | Expression::TypeDefinition(_, _, id)
            | Expression::Render(id) => visit(*id),
            Expression::Hash(entries) => entries.iter().flat_map(|(key, value)| [*key, *value]).for_each(visit),
            Expression::Binary(_, left, right)
            | Expression::Assignment(_, left, right)
            | Expression::TypeMapping(left, right) => visit_id_lists(visit, &[&[*left, *right]]),
            Expression::Access(target, keys) => visit_id_lists(visit, &[&[*target], keys]),
            Expression::Call { receiver, functor, arguments, lambda, .. } => {
                visit_id_lists(visit, &[receiver.as_slice(), &[*functor], arguments, lambda.as_slice()]);
            }
            Expression::Lambda { parameters: list, return_type, body } => {
                visit_types_and_defaults(visit, list);
                visit_id_lists(visit, &[return_type.as_slice(), &[*body]]);
            }
            Expression::If { condition, then, otherwise, .. } => {
                visit_id_lists(visit, &[&[*condition, *then], otherwise.as_slice()]);
            }
            Expression::Selector(subject, options) | Expression::Case(subject, options) => {
                visit(*subject);
                for option in options {
                    visit_id_lists(visit, &[&option.values, &[option.then]]);
                }
            }
            Expression::Definition(definition) => {
                visit_types_and_defaults(visit, &definition.parameters);
                visit_id_lists(visit, &[definition.return_type.as_slice(), &[definition.body]]);
            }
            Expression::NodeDefinition { matches, parent, body } => {
                visit_id_lists(visit, &[matches, parent.as_slice(), &[*body]]);
            }
            Expression::Resource { type_name, bodies, .. } => {
                visit(*type_name);
                for body in bodies {
                    visit_id_lists(visit, &[body.title.as_slice()]);
                    visit_attribute_values(visit, &body.attributes);
                }
            }
            Expression::Collector { type_name, query, operations, .. } => {
                visit_id_lists(visit, &[&[*type_name, *query]]);
                visit_attribute_values(visit, operations);
            }
            Expression::Epp { parameters: list, body, .. } => {
                visit_types_and_defaults(visit, list);
                visit(*body);
            }
        }
    }
}

fn visit_id_lists(visit: &mut dyn FnMut(Id), parts: &[&[Id]]) {
    parts.iter().copied().flatten().copied().for_each(visit);
}

fn visit_types_and_defaults(visit: &mut dyn FnMut(Id), parameters: &[Parameter]) {
    parameters.iter().flat_map(|one| [one.type_, one.default]).flatten().for_each(visit);
}

fn visit_attribute_values(visit: &mut dyn FnMut(Id), attributes: &[Attribute]) {
    attributes.iter().map(|attribute| attribute.value).for_each(visit);
}
