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

pub(super) fn static_value(text: &str, symbols: &SymbolIndex) -> Option<Value> {
    StaticEvaluator { symbols, alias_depth_left: MAX_ALIAS_DEPTH }.evaluate_source(text)
}

pub(super) fn static_type(text: &str, symbols: &SymbolIndex) -> Option<Type> {
    static_value(text, symbols)?.as_type().cloned()
}

struct StaticEvaluator<'n> {
    symbols: &'n SymbolIndex,
    alias_depth_left: usize,
}

impl StaticEvaluator<'_> {
    fn evaluate_source(&self, text: &str) -> Option<Value> {
        let tree = syntax::parse(&Source::new("text", text)).ok()?;
        match tree.statements() {
            [statement] => self.evaluate_node(&tree, *statement),
            _ => None,
        }
    }

    fn evaluate_node(&self, tree: &Tree, id: Id) -> Option<Value> {
        let evaluate = |id: &Id| self.evaluate_node(tree, *id);
        let each = |ids: &[Id]| ids.iter().map(evaluate).collect::<Option<Vec<Value>>>();
        match &tree[id].expression {
            Expression::Literal(literal) => literal_value(literal).ok(),
            Expression::Name(word) => Some(Value::from(&**word)),
            Expression::Reference(name) => self.resolve_type_name(name).map(Value::Type),
            Expression::Variable(name) => self.symbols.variable_value(name).cloned(),
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

    fn resolve_type_name(&self, name: &str) -> Option<Type> {
        if let Some(type_) = Type::named(name.trim_start_matches("::")) {
            return Some(type_);
        }
        match self.symbols.alias_definition(name)? {
            Definition::Type(type_) => Some(type_.clone()),
            Definition::Text(text) => {
                let alias_depth_left = self.alias_depth_left.checked_sub(1)?;
                match (StaticEvaluator { alias_depth_left, ..*self }).evaluate_source(text)? {
                    Value::Type(type_) => Some(type_.name_if_unnamed(name)),
                    // `type Point = {attributes => …}`
                    object @ Value::Hash(_) => {
                        Some(Type::named("Object")?.with_arguments(&[object]).ok()?.name_if_unnamed(name))
                    }
                    _ => None,
                }
            }
        }
    }
}
