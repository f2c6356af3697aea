//! The children of an expression, in source order.

use super::tree::{Attribute, Definition, Expression, Id, Parameter, ResourceBody};

impl Expression {
    /// Shows `visit` every direct part.
    pub fn each_child(&self, visit: &mut dyn FnMut(Id)) {
        match self {
            Expression::Nop
            | Expression::Literal(_)
            | Expression::Name(_)
            | Expression::Reference(_)
            | Expression::Variable(_)
            | Expression::Reserved(_)
            | Expression::RenderString(_) => {}
            Expression::Concatenation(ids) | Expression::Array(ids) | Expression::Block(ids) => {
                ids.iter().copied().for_each(visit);
            }
            Expression::Text(id)
            | Expression::Heredoc { text: id, .. }
            | Expression::Parenthesized(id)
            | Expression::Unary(_, id)
            | Expression::TypeAlias { type_: id, .. }
            | Expression::TypeDefinition { body: id, .. }
            | Expression::Render(id) => visit(*id),
            Expression::Hash(entries) => pairs(entries, visit),
            Expression::Binary(_, left, right)
            | Expression::Assignment(_, left, right)
            | Expression::TypeMapping(left, right) => {
                visit(*left);
                visit(*right);
            }
            Expression::Access(target, keys) => {
                visit(*target);
                keys.iter().copied().for_each(visit);
            }
            Expression::Selector(subject, options) => {
                visit(*subject);
                pairs(options, visit);
            }
            Expression::Call { functor: first, arguments, lambda, .. } => {
                visit(*first);
                arguments.iter().chain(lambda).copied().for_each(visit);
            }
            Expression::MethodCall { receiver, name, arguments, lambda } => {
                visit(*receiver);
                visit(*name);
                arguments.iter().chain(lambda).copied().for_each(visit);
            }
            Expression::Lambda { parameters: list, return_type, body } => {
                parameters(list, visit);
                return_type.iter().copied().for_each(&mut *visit);
                visit(*body);
            }
            Expression::If { condition, then, otherwise } | Expression::Unless { condition, then, otherwise } => {
                visit(*condition);
                visit(*then);
                otherwise.iter().copied().for_each(visit);
            }
            Expression::Case(subject, options) => {
                visit(*subject);
                for option in options {
                    option.values.iter().copied().for_each(&mut *visit);
                    visit(option.then);
                }
            }
            Expression::Function(definition)
            | Expression::Class { definition, .. }
            | Expression::Define(definition) => parts(definition, visit),
            Expression::NodeDefinition { matches, parent, body } => {
                matches.iter().chain(parent).copied().for_each(&mut *visit);
                visit(*body);
            }
            Expression::Resource { type_name, bodies, .. } => {
                visit(*type_name);
                for ResourceBody { title, attributes: list } in bodies {
                    title.iter().copied().for_each(&mut *visit);
                    attributes(list, visit);
                }
            }
            Expression::Collector { type_name, query, operations, .. } => {
                visit(*type_name);
                visit(*query);
                attributes(operations, visit);
            }
            Expression::Epp { parameters: list, body, .. } => {
                parameters(list, visit);
                visit(*body);
            }
        }
    }
}

fn pairs(pairs: &[(Id, Id)], visit: &mut dyn FnMut(Id)) {
    for (left, right) in pairs {
        visit(*left);
        visit(*right);
    }
}

fn parameters(parameters: &[Parameter], visit: &mut dyn FnMut(Id)) {
    for parameter in parameters {
        parameter.type_.iter().chain(&parameter.default).copied().for_each(&mut *visit);
    }
}

fn parts(definition: &Definition, visit: &mut dyn FnMut(Id)) {
    parameters(&definition.parameters, visit);
    definition.return_type.iter().copied().for_each(&mut *visit);
    visit(definition.body);
}

fn attributes(attributes: &[Attribute], visit: &mut dyn FnMut(Id)) {
    for attribute in attributes {
        visit(attribute.value);
    }
}
