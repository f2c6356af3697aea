//! Evaluates code as far as possible without running anything: literals, types, known variables and their elements.

use crate::operators::access::borrow_element;
use crate::session::{Definition, literal_value};
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Tree, UnaryOperator};
use crate::text::Source;
use crate::types::Type;
use crate::value::{Hash, Value};

use super::symbols::SymbolIndex;

const MAX_ALIAS_DEPTH: usize = 64;

impl SymbolIndex {
    pub(super) fn static_value(&self, text: &str) -> Option<Value> {
        self.evaluate_source(text, MAX_ALIAS_DEPTH)
    }

    pub(super) fn static_type(&self, text: &str) -> Option<Type> {
        self.static_value(text)?.as_type().cloned()
    }

    fn evaluate_source(&self, text: &str, alias_depth_left: usize) -> Option<Value> {
        let tree = syntax::parse(&Source::new("text", text)).ok()?;
        match tree.statements() {
            [statement] => self.evaluate_node(&tree, *statement, alias_depth_left),
            _ => None,
        }
    }

    fn evaluate_node(&self, tree: &Tree, id: Id, alias_depth_left: usize) -> Option<Value> {
        let evaluate = |id: &Id| self.evaluate_node(tree, *id, alias_depth_left);
        let each = |ids: &[Id]| ids.iter().map(evaluate).collect::<Option<Vec<Value>>>();
        match &tree[id].expression {
            Expression::Literal(literal) => literal_value(literal).ok(),
            Expression::Name(word) => Some(Value::from(&**word)),
            Expression::Reference(name) => self.resolve_type_name(name, alias_depth_left).map(Value::Type),
            Expression::Variable(name) => self.variable_value(name).cloned(),
            Expression::Parenthesized(inner) => evaluate(inner),
            Expression::Array(elements) => Some(Value::Array(each(elements)?.into_iter().collect())),
            Expression::Hash(entries) => {
                let entries = entries.iter().map(|(key, value)| Some((evaluate(key)?, evaluate(value)?)));
                Some(Value::Hash(entries.collect::<Option<Hash>>()?))
            }
            Expression::Unary(UnaryOperator::Minus, number) => {
                evaluate(number)?.as_integer()?.checked_neg().map(Value::Integer)
            }
            Expression::Access(target, keys) => match (evaluate(target)?, &each(keys)?[..]) {
                (Value::Type(type_), keys) => type_.access(keys).ok(),
                (value, [key]) => borrow_element(&value, key).cloned(),
                _ => None,
            },
            // Everything else would have to run.
            _ => None,
        }
    }

    fn resolve_type_name(&self, name: &str, alias_depth_left: usize) -> Option<Type> {
        if let Some(type_) = Type::named(name.trim_start_matches("::")) {
            return Some(type_);
        }
        match self.alias_definition(name)? {
            Definition::Type(type_) => Some(type_.clone()),
            Definition::Text(text) => match self.evaluate_source(text, alias_depth_left.checked_sub(1)?)? {
                Value::Type(type_) => Some(type_.name_if_unnamed(name)),
                // `type Point = {attributes => …}`
                object @ Value::Hash(_) => {
                    Some(Type::named("Object")?.with_arguments(&[object]).ok()?.name_if_unnamed(name))
                }
                _ => None,
            },
        }
    }
}
