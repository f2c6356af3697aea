//! Checks resources, overrides, defaults, and the queries of collectors.

use super::{ValidationError, Validator};
use crate::syntax::tree::{BinaryOperator, Expression, Id, Literal, Node, ResourceForm, ResourceKind};
use crate::text::Span;

impl Validator<'_> {
    pub(super) fn check_resource(&mut self, node: &Node) {
        let Expression::Resource { form, kind, type_name, bodies } = &node.expression else { return };
        let (tree, start) = (self.tree, Span { end: node.span.start, ..node.span });
        if *kind == ResourceKind::Untitled {
            return self.add_error(ValidationError::Untitled(tree.text_of(*type_name).to_owned()), start);
        }
        if *form != ResourceForm::Regular {
            if *kind != ResourceKind::Declaration {
                self.add_error(ValidationError::NotVirtualisable("defaults and overrides"), start);
            } else if tree[*type_name].expression == Expression::Name("class".into()) {
                self.add_error(ValidationError::ClassNotVirtualisable, start);
            }
        }
        for body in bodies {
            let appends =
                body.attributes.iter().filter(|attribute| attribute.append && *kind != ResourceKind::Override);
            appends.for_each(|one| self.add_error(ValidationError::AttributeAppend(one.name.to_string()), one.span));
            let unfolds = body.attributes.iter().filter(|attribute| &*attribute.name == "*");
            if *kind == ResourceKind::Declaration {
                unfolds.skip(1).for_each(|one| self.add_error(ValidationError::SecondUnfold, one.span));
            }
        }
    }

    /// Reports the parts of a collector query that are not comparisons joined by `and` and `or`.
    pub(super) fn check_query(&mut self, query: Id) {
        let tree = self.tree;
        let mut parts = vec![query];
        while let Some(id) = parts.pop() {
            match &tree[id].expression {
                Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                    parts.extend([*left, *right]);
                }
                Expression::Parenthesized(inner) => parts.push(*inner),
                // A negative number is the minus of a number.
                Expression::Literal(Literal::Integer(number, _)) if *number >= 0 => {}
                Expression::Literal(Literal::Float(number)) if number.is_sign_positive() => {}
                Expression::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, ..)
                | Expression::Nop
                | Expression::Literal(Literal::Boolean(_) | Literal::String(_))
                | Expression::Concatenation(_)
                | Expression::Name(_)
                | Expression::Reference(_)
                | Expression::Variable(_) => {}
                _ => self.add_node_error(ValidationError::Query(tree.text_of(id).to_owned()), id),
            }
        }
    }
}
