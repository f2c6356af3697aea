//! The children of an expression, in source order, and the parts that several kinds of expressions have.

use super::tree::{Expression, Id, Parameter};

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
        let mut all = |lists: &[&[Id]]| lists.iter().copied().flatten().for_each(|id| visit(*id));
        for parameter in self.parameters() {
            all(&[parameter.type_.as_slice(), parameter.default.as_slice()]);
        }
        match self {
            Expression::Nop
            | Expression::Literal(_)
            | Expression::Name(_)
            | Expression::Reference(_)
            | Expression::Variable(_)
            | Expression::Reserved(_)
            | Expression::RenderString(_) => {}
            Expression::Concatenation(ids) | Expression::Array(ids) | Expression::Block(ids) => all(&[ids]),
            Expression::Text(id)
            | Expression::Heredoc(_, id)
            | Expression::Parenthesized(id)
            | Expression::Unary(_, id)
            | Expression::TypeAlias { type_: id, .. }
            | Expression::TypeDefinition(_, _, id)
            | Expression::Render(id)
            | Expression::Epp { body: id, .. } => all(&[&[*id]]),
            Expression::Hash(entries) => entries.iter().for_each(|(key, value)| all(&[&[*key, *value]])),
            Expression::Binary(_, left, right)
            | Expression::Assignment(_, left, right)
            | Expression::TypeMapping(left, right) => all(&[&[*left, *right]]),
            Expression::Access(target, keys) => all(&[&[*target], keys]),
            Expression::Call { receiver, functor, arguments, lambda, .. } => {
                all(&[receiver.as_slice(), &[*functor], arguments, lambda.as_slice()]);
            }
            Expression::Lambda { return_type, body, .. } => all(&[return_type.as_slice(), &[*body]]),
            Expression::If { condition, then, otherwise, .. } => all(&[&[*condition, *then], otherwise.as_slice()]),
            Expression::Selector(subject, options) | Expression::Case(subject, options) => {
                all(&[&[*subject]]);
                for option in options {
                    all(&[&option.values, &[option.then]]);
                }
            }
            Expression::Definition(definition) => all(&[definition.return_type.as_slice(), &[definition.body]]),
            Expression::NodeDefinition(hosts, parent, body) => all(&[hosts, parent.as_slice(), &[*body]]),
            Expression::Resource { type_name, bodies, .. } => {
                all(&[&[*type_name]]);
                for body in bodies {
                    all(&[body.title.as_slice()]);
                    body.attributes.iter().for_each(|attribute| all(&[&[attribute.value]]));
                }
            }
            Expression::Collector { type_name, query, operations, .. } => {
                all(&[&[*type_name, *query]]);
                operations.iter().for_each(|operation| all(&[&[operation.value]]));
            }
        }
    }
}
