//! The hash in the brackets of `Object[…]`: validated when read, and written again.

use std::sync::Arc;

use super::error::TypeError;
use super::nested_type::NestedType;
use super::{Rules, text};
use crate::error::{Error, Result};
use crate::types::Type;
use crate::types::object::{Attribute, AttributeKind, Definition, ObjectType};
use crate::types::relation::lattice::Lattice;
use crate::types::relation::mismatch::describe;
use crate::value::{Hash, Value};

fn wrong(problem: impl Into<String>) -> Error {
    TypeError::Content { type_: ObjectType::NAME, problem: problem.into() }.into()
}

/// A lower-case name: `x`, `_private`.
fn member_name(key: &Value) -> Result<Arc<str>> {
    let named = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    match key {
        Value::String(text) if named(text) => Ok(text.clone()),
        other => Err(wrong(format!("expected a lower-case name, got {}", describe(other)))),
    }
}

fn entries<'a>(key: &str, value: &'a Value) -> Result<&'a Hash> {
    match value {
        Value::Hash(entries) => Ok(entries),
        other => Err(wrong(format!("expected a Hash as {key}, got {}", describe(other)))),
    }
}

fn type_of_member(name: &str, value: &Value) -> Result<NestedType> {
    match value {
        Value::Type(type_) => Ok(type_.into()),
        other => Err(wrong(format!("expected a type of {name}, got {}", describe(other)))),
    }
}

fn flag(key: &str, value: &Value) -> Result<bool> {
    match value {
        Value::Boolean(flag) => Ok(*flag),
        other => Err(wrong(format!("expected true or false as {key}, got {}", describe(other)))),
    }
}

/// What the hash says.
///
/// # Errors
/// `RUNTIME_ERROR` for an unknown key, a value of the wrong kind, names that collide, an override of nothing or of
/// something without `override => true`, and `equality` that names no attribute, or a constant.
pub(in crate::types) fn read(hash: &Hash) -> Result<Definition> {
    let mut definition = Definition { equality_include_type: true, ..Definition::default() };
    for (key, value) in hash.iter() {
        let key = match key {
            Value::String(key) => &**key,
            other => return Err(wrong(format!("expected a name as a key, got {}", describe(other)))),
        };
        match key {
            "name" => match value {
                Value::String(name) => definition.name = Some(name.clone()),
                other => return Err(wrong(format!("expected a String as name, got {}", describe(other)))),
            },
            "parent" => definition.parent = Some(type_of_member("parent", value)?),
            "type_parameters" => {
                for member in entries(key, value)?.iter() {
                    definition.type_parameters.push(typed_member(member)?);
                }
            }
            "attributes" => {
                for (name, value) in entries(key, value)?.iter() {
                    definition.attributes.push(attribute(member_name(name)?, value)?);
                }
            }
            "constants" => {
                for (name, value) in entries(key, value)?.iter() {
                    let name = member_name(name)?;
                    if definition.attributes.iter().any(|attribute| attribute.name == name) {
                        return Err(wrong(format!("{name} is both a constant and an attribute")));
                    }
                    definition.attributes.push(constant(name, value));
                }
            }
            "functions" => {
                for member in entries(key, value)?.iter() {
                    definition.functions.push(typed_member(member)?);
                }
            }
            "equality" => {
                let names = match value {
                    Value::Array(names) => names.iter().map(member_name).collect::<Result<Vec<_>>>()?,
                    one => vec![member_name(one)?],
                };
                definition.equality = Some(names);
            }
            "equality_include_type" => definition.equality_include_type = flag(key, value)?,
            "checks" => definition.checks = Some(value.clone()),
            "annotations" => definition.annotations = Some(value.clone()),
            unknown => return Err(wrong(format!("unknown key '{unknown}' in the definition of an Object type"))),
        }
    }
    check(&definition)?;
    Ok(definition)
}

/// `a => Integer` or `a => {type => Integer}`
fn typed_member((name, value): (&Value, &Value)) -> Result<(Arc<str>, NestedType)> {
    let name = member_name(name)?;
    let type_ = match value {
        Value::Hash(said) => said.get_str("type").unwrap_or(value),
        other => other,
    };
    let type_ = type_of_member(&name, type_)?;
    Ok((name, type_))
}

fn constant(name: Arc<str>, value: &Value) -> Attribute {
    Attribute {
        name,
        type_: crate::types::relation::infer::reduced(value).generalized().into(),
        kind: AttributeKind::Constant,
        value: Some(value.clone()),
        is_override: false,
        is_final: false,
        annotations: None,
    }
}

/// `Integer` or `{type => Integer, value => 0, kind => constant, override => true, final => true}`.
fn attribute(name: Arc<str>, value: &Value) -> Result<Attribute> {
    let Value::Hash(said) = value else {
        let type_ = type_of_member(&name, value)?;
        let kind = AttributeKind::Normal;
        return Ok(Attribute {
            name,
            type_,
            kind,
            value: None,
            is_override: false,
            is_final: false,
            annotations: None,
        });
    };
    let type_ = said.get_str("type").ok_or_else(|| wrong(format!("the attribute {name} has no type")))?;
    let mut attribute = attribute(name, type_)?;
    let name = attribute.name.clone();
    for (key, value) in said.iter() {
        match key {
            Value::String(key) if **key == *"type" => {}
            Value::String(key) if **key == *"value" => attribute.value = Some(value.clone()),
            Value::String(key) if **key == *"kind" => attribute.kind = kind(&name, value)?,
            Value::String(key) if **key == *"override" => attribute.is_override = flag(key, value)?,
            Value::String(key) if **key == *"final" => attribute.is_final = flag(key, value)?,
            Value::String(key) if **key == *"annotations" => attribute.annotations = Some(value.clone()),
            other => return Err(wrong(format!("unknown key {} for the attribute {name}", describe(other)))),
        }
    }
    match (&attribute.value, attribute.kind) {
        (Some(_), AttributeKind::Derived | AttributeKind::GivenOrDerived) => {
            Err(wrong(format!("the attribute {name} is derived, so it cannot have a value")))
        }
        (None, AttributeKind::Constant) => Err(wrong(format!("the constant {name} has no value"))),
        (Some(value), _) if !attribute.type_.has_instance(value) => {
            let expected = attribute.type_.to_string_in_brackets();
            Err(wrong(format!("expected {expected} as the value of {name}, got {}", describe(value))))
        }
        _ => Ok(attribute),
    }
}

fn kind(name: &str, value: &Value) -> Result<AttributeKind> {
    match value {
        Value::String(kind) => match &**kind {
            "constant" => Ok(AttributeKind::Constant),
            "derived" => Ok(AttributeKind::Derived),
            "given_or_derived" => Ok(AttributeKind::GivenOrDerived),
            "reference" => Ok(AttributeKind::Reference),
            "normal" => Ok(AttributeKind::Normal),
            other => Err(wrong(format!("unknown attribute kind '{other}' of {name}"))),
        },
        other => Err(wrong(format!("expected a String as the kind of {name}, got {}", describe(other)))),
    }
}

/// What can only be judged with everything at hand.
fn check(definition: &Definition) -> Result<()> {
    let parent = match definition.parent.as_deref() {
        Some(Type::Object(parent)) => Some(&**parent),
        Some(Type::Alias(alias)) => match alias.resolved() {
            Some(Type::Object(parent)) => Some(&**parent),
            _ => None,
        },
        _ => None,
    };
    for attribute in &definition.attributes {
        let name = &attribute.name;
        match parent.and_then(|parent| parent.attribute(name)) {
            Some(_) if !attribute.is_override => {
                return Err(wrong(format!("{name} is inherited; add override => true to replace it")));
            }
            Some(inherited) if inherited.is_final => return Err(wrong(format!("{name} is inherited and final"))),
            Some(inherited) if !Lattice::default().accepts(inherited.type_(), attribute.type_()) => {
                return Err(wrong(format!("{name} must keep the inherited type {}", inherited.type_())));
            }
            None if attribute.is_override && (definition.parent.is_none() || parent.is_some()) => {
                return Err(wrong(format!("{name} overrides nothing")));
            }
            _ => {}
        }
    }
    for (name, _) in &definition.functions {
        let attribute = definition.attributes.iter().any(|attribute| attribute.name == *name);
        if attribute || parent.is_some_and(|parent| parent.attribute(name).is_some()) {
            return Err(wrong(format!("{name} is both a function and an attribute")));
        }
    }
    for name in definition.equality.iter().flatten() {
        let known = definition.attributes.iter().any(|attribute| attribute.name == *name);
        if !known && parent.is_none_or(|parent| parent.attribute(name).is_none()) {
            return Err(wrong(format!("equality names {name}, which is not an attribute")));
        }
        let own = definition.attributes.iter().find(|attribute| attribute.name == *name);
        if own.is_some_and(|attribute| attribute.kind == AttributeKind::Constant) {
            return Err(wrong(format!("equality names {name}, which is a constant")));
        }
    }
    if !definition.equality_include_type && definition.equality.as_ref().is_some_and(|names| !names.is_empty()) {
        return Err(wrong("equality_include_type => false needs an equality: otherwise there is nothing to compare"));
    }
    Ok(())
}

/// Writes `{name => 'Point', attributes => {'x' => Integer}}`.
pub(in crate::types) fn write(definition: &Definition, out: &mut String) {
    let mut parts: Vec<String> = Vec::new();
    let text_of = |value: &Value| {
        let mut text = String::new();
        text::value(value, &mut text);
        text
    };
    let members = |members: Vec<String>| format!("{{{}}}", members.join(", "));
    let quoted = |name: &Arc<str>| text_of(&Value::String(name.clone()));
    if let Some(annotations) = &definition.annotations {
        parts.push(format!("annotations => {}", text_of(annotations)));
    }
    if let Some(name) = &definition.name {
        parts.push(format!("name => {}", quoted(name)));
    }
    if let Some(parent) = &definition.parent {
        parts.push(format!("parent => {}", parent.to_string_in_brackets()));
    }
    let typed =
        |(name, type_): &(Arc<str>, NestedType)| format!("{} => {}", quoted(name), type_.to_string_in_brackets());
    if !definition.type_parameters.is_empty() {
        let parameters = definition.type_parameters.iter().map(typed).collect();
        parts.push(format!("type_parameters => {}", members(parameters)));
    }
    // A constant whose type is that of its value is written among the constants.
    let is_plain_constant = |attribute: &&Attribute| {
        attribute.kind == AttributeKind::Constant && !attribute.is_override && attribute.annotations.is_none()
    };
    let (constants, attributes): (Vec<&Attribute>, Vec<&Attribute>) =
        definition.attributes.iter().partition(is_plain_constant);
    if !attributes.is_empty() {
        let attributes =
            attributes.iter().map(|attribute| format!("{} => {}", quoted(&attribute.name), attribute_text(attribute)));
        parts.push(format!("attributes => {}", members(attributes.collect())));
    }
    if !constants.is_empty() {
        let value = |constant: &Attribute| constant.value.as_ref().map(text_of).unwrap_or_default();
        let constants = constants.iter().map(|constant| format!("{} => {}", quoted(&constant.name), value(constant)));
        parts.push(format!("constants => {}", members(constants.collect())));
    }
    if !definition.functions.is_empty() {
        parts.push(format!("functions => {}", members(definition.functions.iter().map(typed).collect())));
    }
    if let Some(equality) = &definition.equality {
        let names: Vec<String> = equality.iter().map(quoted).collect();
        parts.push(format!("equality => [{}]", names.join(", ")));
    }
    if let Some(checks) = &definition.checks {
        parts.push(format!("checks => {}", text_of(checks)));
    }
    out.push_str(&members(parts));
}

/// `Integer` or `{type => Integer, value => 0}`.
fn attribute_text(attribute: &Attribute) -> String {
    let mut text = attribute.type_.to_string_in_brackets();
    let mut said = Vec::new();
    if let Some(annotations) = &attribute.annotations {
        said.push(("annotations", show_text(annotations)));
    }
    if attribute.is_final {
        said.push(("final", "true".to_owned()));
    }
    if attribute.is_override {
        said.push(("override", "true".to_owned()));
    }
    match attribute.kind {
        AttributeKind::Normal => {}
        AttributeKind::Constant => said.push(("kind", "constant".to_owned())),
        AttributeKind::Derived => said.push(("kind", "derived".to_owned())),
        AttributeKind::GivenOrDerived => said.push(("kind", "given_or_derived".to_owned())),
        AttributeKind::Reference => said.push(("kind", "reference".to_owned())),
    }
    if let Some(value) = &attribute.value {
        said.push(("value", show_text(value)));
    }
    if !said.is_empty() {
        let said: Vec<String> = said.iter().map(|(key, value)| format!("{key} => {value}")).collect();
        text = format!("{{type => {text}, {}}}", said.join(", "));
    }
    text
}

fn show_text(value: &Value) -> String {
    let mut text = String::new();
    text::value(value, &mut text);
    text
}
