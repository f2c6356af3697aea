//! What a text stands for, as far as it can be known without running anything: literals, known variables, types with
//! their parameters, entries of known hashes and arrays.

use crate::session::{Definition, literal_value};
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Tree, UnaryOperator};
use crate::text::Source;
use crate::types::Type;
use crate::value::{Hash, Value};

use super::symbols::Names;

/// How many aliases may stand for one another.
const MAX_ALIASES: usize = 64;

/// The value that `text` stands for.
pub fn value(text: &str, names: &Names) -> Option<Value> {
    Reader { names, aliases_left: MAX_ALIASES }.text(text)
}

/// The type that `text` stands for.
pub fn type_(text: &str, names: &Names) -> Option<Type> {
    match value(text, names)? {
        Value::Type(type_) => Some(type_),
        _ => None,
    }
}

/// The types of the parameters in a signature as the tables have it: `(Integer $from, Any *$rest) >> Array`.
pub fn parameter_types(signature: &str, names: &Names) -> Vec<Type> {
    let text = format!("function signature{} {{ }}", signature.replace("&$", "$"));
    let Ok(tree) = syntax::parse(&Source::new("signature", text)) else { return Vec::new() };
    let [statement] = tree.statements() else { return Vec::new() };
    let Expression::Function(definition) = &tree[*statement].expression else { return Vec::new() };
    let reader = Reader { names, aliases_left: MAX_ALIASES };
    let types = definition.parameters.iter().map(|parameter| match parameter.type_ {
        Some(type_) => reader.type_(&tree, type_).unwrap_or_else(Type::any),
        None => Type::any(),
    });
    types.collect()
}

/// What an alias, or an alias of one, stands for.
pub fn behind_aliases(type_: &Type) -> &Type {
    let mut type_ = type_;
    // An alias of itself is refused where it is defined, but one may still be in the making.
    for _ in 0..MAX_ALIASES {
        match type_ {
            Type::Alias(alias) => match alias.resolved() {
                Some(resolved) => type_ = resolved,
                None => break,
            },
            _ => break,
        }
    }
    type_
}

struct Reader<'n> {
    names: &'n Names,
    aliases_left: usize,
}

impl Reader<'_> {
    fn text(&self, text: &str) -> Option<Value> {
        let tree = syntax::parse(&Source::new("text", text)).ok()?;
        match tree.statements() {
            [statement] => self.value(&tree, *statement),
            _ => None,
        }
    }

    fn type_(&self, tree: &Tree, id: Id) -> Option<Type> {
        match self.value(tree, id)? {
            Value::Type(type_) => Some(type_),
            _ => None,
        }
    }

    fn value(&self, tree: &Tree, id: Id) -> Option<Value> {
        let each = |ids: &[Id]| ids.iter().map(|id| self.value(tree, *id)).collect::<Option<Vec<Value>>>();
        match &tree[id].expression {
            Expression::Literal(literal) => literal_value(literal).ok(),
            Expression::Name(word) => Some(Value::from(&**word)),
            Expression::Reference(name) => self.named(name).map(Value::Type),
            Expression::Variable(name) => self.names.value(name).cloned(),
            Expression::Parenthesized(inner) => self.value(tree, *inner),
            Expression::Array(elements) => Some(Value::Array(each(elements)?.into_iter().collect())),
            Expression::Hash(entries) => {
                let entries =
                    entries.iter().map(|(key, value)| Some((self.value(tree, *key)?, self.value(tree, *value)?)));
                Some(Value::Hash(entries.collect::<Option<Hash>>()?))
            }
            Expression::Unary(UnaryOperator::Minus, number) => match self.value(tree, *number)? {
                Value::Integer(integer) => integer.checked_neg().map(Value::Integer),
                _ => None,
            },
            Expression::Access(target, keys) => access(&self.value(tree, *target)?, &each(keys)?),
            // Everything else would have to run.
            _ => None,
        }
    }

    fn named(&self, name: &str) -> Option<Type> {
        if let Some(type_) = Type::named(name.trim_start_matches("::")) {
            return Some(type_);
        }
        match self.names.alias(name)? {
            Definition::Type(type_) => Some(type_.clone()),
            Definition::Text(text) => {
                let aliases_left = self.aliases_left.checked_sub(1)?;
                match (Reader { names: self.names, aliases_left }).text(text)? {
                    Value::Type(type_) => Some(type_.called(name)),
                    // `type Point = {attributes => …}`
                    object @ Value::Hash(_) => {
                        Some(Type::named("Object")?.with_arguments(&[object]).ok()?.called(name))
                    }
                    _ => None,
                }
            }
        }
    }
}

/// `target[keys…]`
fn access(target: &Value, keys: &[Value]) -> Option<Value> {
    match (target, keys) {
        (Value::Type(type_), _) => type_.access(keys).ok(),
        (Value::Hash(hash), [key]) => hash.get(key).cloned(),
        (Value::Array(array), [Value::Integer(at)]) => {
            let at = if *at < 0 {
                array.len().checked_sub(usize::try_from(at.unsigned_abs()).ok()?)?
            } else {
                usize::try_from(*at).ok()?
            };
            array.get(at).cloned()
        }
        _ => None,
    }
}
