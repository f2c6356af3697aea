//! The hash in the brackets of `Object[…]`: validated when read, and written again.

use std::sync::Arc;

use super::Rules;
use super::error::TypeError;
use super::nested_type::NestedType;
use super::text::{self, TypeText};
use crate::error::{Error, Result};
use crate::types::object::{Attribute, AttributeKind, Definition, ObjectType};
use crate::types::relation::mismatch::describe;
use crate::types::{CallableType, Type, builtin_objects};
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

/// The name of an attribute, a constant or a type parameter. Two names mean something else in data.
fn attribute_name(key: &Value) -> Result<Arc<str>> {
    let name = member_name(key)?;
    if matches!(&*name, "__ptype" | "__pvalue") {
        return Err(wrong(format!("the name {name} is reserved")));
    }
    Ok(name)
}

/// The name of an Object type: `Point`, `Shapes::Point`.
fn type_name(value: &Value) -> Result<Arc<str>> {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_uppercase())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    match value {
        Value::String(name) if name.split("::").all(is_word) => Ok(name.clone()),
        other => Err(wrong(format!("expected a capitalized String as name, got {}", describe(other)))),
    }
}

/// `{Note => {text => 'x'}}`: annotations are of types that inherit from Annotation.
pub(in crate::types) fn annotations(value: &Value) -> Result<Value> {
    let annotation = builtin_objects::annotation();
    for (type_, attributes) in entries("annotations", value)?.iter() {
        if !matches!(type_, Value::Type(type_) if annotation.accepts(type_)) {
            return Err(wrong(format!("expected a type that inherits from Annotation, got {}", describe(type_))));
        }
        entries("an annotation", attributes)?.keys().try_for_each(|name| member_name(name).map(|_| ()))?;
    }
    Ok(value.clone())
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
    let mut constants = Vec::new();
    for (key, value) in hash.iter() {
        let key = match key {
            Value::String(key) => &**key,
            other => return Err(wrong(format!("expected a name as a key, got {}", describe(other)))),
        };
        match key {
            "name" => definition.name = Some(type_name(value)?),
            "parent" => definition.parent = Some(type_of_member("parent", value)?),
            "type_parameters" => {
                for member in entries(key, value)?.iter() {
                    definition.type_parameters.push(type_parameter(member)?);
                }
            }
            "attributes" => {
                for (name, value) in entries(key, value)?.iter() {
                    definition.attributes.push(attribute(attribute_name(name)?, value)?.into());
                }
            }
            "constants" => {
                for (name, value) in entries(key, value)?.iter() {
                    constants.push(constant(attribute_name(name)?, value));
                }
            }
            "functions" => {
                for (name, value) in entries(key, value)?.iter() {
                    definition.functions.push(function(member_name(name)?, value)?.into());
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
            "annotations" => definition.annotations = Some(annotations(value)?),
            unknown => return Err(wrong(format!("unknown key '{unknown}' in the definition of an Object type"))),
        }
    }
    let is_attribute = |constant: &&Attribute| definition.attributes.iter().any(|other| other.name == constant.name);
    if let Some(Attribute { name, .. }) = constants.iter().find(is_attribute) {
        return Err(wrong(format!("{name} is both a constant and an attribute")));
    }
    // A constant takes the place of an inherited one without saying so.
    let parent = parent_of(&definition)?;
    for constant in &mut constants {
        constant.is_override = parent.as_ref().is_some_and(|parent| parent.attribute(&constant.name).is_some());
    }
    definition.attributes.extend(constants.into_iter().map(Arc::new));
    check(&definition)?;
    Ok(definition)
}

/// `a => Integer` or `a => {type => Integer}`. A type parameter may always be undef, so an Optional adds nothing.
fn type_parameter((name, value): (&Value, &Value)) -> Result<(Arc<str>, NestedType)> {
    let name = attribute_name(name)?;
    let type_ = match value {
        Value::Hash(said) => said.get_str("type").unwrap_or(value),
        other => other,
    };
    let type_ = type_of_member(&name, type_)?;
    match &*type_ {
        Type::Optional(optional) if let Some(type_) = optional.type_() => Ok((name, type_.into())),
        _ => Ok((name, type_)),
    }
}

/// `Callable[String]` or `{type => Callable[String], override => true, final => true}`.
fn function(name: Arc<str>, value: &Value) -> Result<Attribute> {
    if let Value::Hash(said) = value
        && let Some(key) = ["value", "kind"].into_iter().find(|key| said.get_str(key).is_some())
    {
        return Err(wrong(format!("the function {name} has no {key}")));
    }
    let mut function = attribute(name, value)?;
    function.value = None;
    if !Type::from(CallableType::bare()).accepts(&function.type_) {
        let got = function.type_.to_string_in_brackets();
        return Err(wrong(format!("expected a Callable as the function {}, got {got}", function.name)));
    }
    Ok(function)
}

/// The type of a constant of which only the value is written.
fn type_of_constant(value: &Value) -> Type {
    crate::types::relation::infer::reduced(value).generalized()
}

fn constant(name: Arc<str>, value: &Value) -> Attribute {
    Attribute {
        name,
        type_: type_of_constant(value).into(),
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
        let value = matches!(*type_, Type::Optional(_)).then_some(Value::Undef);
        return Ok(Attribute { name, type_, kind, value, is_override: false, is_final: false, annotations: None });
    };
    let type_ = said.get_str("type").ok_or_else(|| wrong(format!("the attribute {name} has no type")))?;
    let mut attribute = Attribute { value: None, ..attribute(name, type_)? };
    let name = attribute.name.clone();
    for (key, value) in said.iter() {
        match key {
            Value::String(key) if **key == *"type" => {}
            Value::String(key) if **key == *"value" => attribute.value = Some(value.clone()),
            Value::String(key) if **key == *"kind" => attribute.kind = kind(&name, value)?,
            Value::String(key) if **key == *"override" => attribute.is_override = flag(key, value)?,
            Value::String(key) if **key == *"final" => attribute.is_final = flag(key, value)?,
            Value::String(key) if **key == *"annotations" => attribute.annotations = Some(annotations(value)?),
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
            other => Err(wrong(format!("the attribute {name} cannot be of kind '{other}'"))),
        },
        other => Err(wrong(format!("expected a String as the kind of {name}, got {}", describe(other)))),
    }
}

/// What it inherits from; `None` if its alias is not resolved yet.
fn parent_of(definition: &Definition) -> Result<Option<Arc<ObjectType>>> {
    match definition.parent.as_deref().map(|parent| parent.behind_aliases().into_owned()) {
        Some(Type::Object(parent)) => Ok(Some(parent)),
        Some(unknown @ Type::TypeReference(_)) => {
            Err(wrong(format!("the parent is unknown: {}", unknown.to_string_in_brackets())))
        }
        // Observed: Puppet 8.11 inherits nothing from a type that is not an Object.
        None | Some(_) => Ok(None),
    }
}

/// What can only be judged with everything at hand.
fn check(definition: &Definition) -> Result<()> {
    let parent = parent_of(definition)?;
    let parent = parent.as_deref();
    let is_unknown = |parent: &NestedType| matches!(*parent.behind_aliases(), Type::Alias(_));
    let is_known = !definition.parent.as_ref().is_some_and(is_unknown);
    for attribute in &definition.attributes {
        if parent.is_some_and(|parent| parent.function_member(&attribute.name).is_some()) {
            return Err(wrong(format!("{} is inherited as a function", attribute.name)));
        }
        replaces(attribute, parent.and_then(|parent| parent.attribute(&attribute.name)).as_deref(), is_known)?;
    }
    for function in &definition.functions {
        let name = &function.name;
        let attribute = definition.attributes.iter().any(|attribute| attribute.name == *name);
        if attribute || parent.is_some_and(|parent| parent.attribute(name).is_some()) {
            return Err(wrong(format!("{name} is both a function and an attribute")));
        }
        replaces(function, parent.and_then(|parent| parent.function_member(name)).as_deref(), is_known)?;
    }
    for (name, _) in &definition.type_parameters {
        if parent.is_some_and(|parent| parent.type_parameters().iter().any(|(inherited, _)| inherited == name)) {
            return Err(wrong(format!("the type parameter {name} is inherited")));
        }
    }
    definition.equality.iter().flatten().try_for_each(|name| check_equality(definition, parent, name))?;
    if !definition.equality_include_type && definition.equality.as_ref().is_some_and(|names| !names.is_empty()) {
        return Err(wrong("equality_include_type => false needs an equality: otherwise there is nothing to compare"));
    }
    Ok(())
}

/// Whether `member` may take the place of the inherited one of the same name.
fn replaces(member: &Attribute, inherited: Option<&Attribute>, is_known: bool) -> Result<()> {
    let name = &member.name;
    let Some(inherited) = inherited else {
        return if member.is_override && is_known { Err(wrong(format!("{name} overrides nothing"))) } else { Ok(()) };
    };
    let are_constants = [member, inherited].iter().all(|member| member.kind == AttributeKind::Constant);
    if !are_constants && (inherited.is_final || inherited.kind == AttributeKind::Constant) {
        return Err(wrong(format!("{name} is inherited and final")));
    }
    if !are_constants && !member.is_override {
        return Err(wrong(format!("{name} is inherited; say override => true to replace it")));
    }
    if !inherited.type_().accepts(member.type_()) {
        return Err(wrong(format!("{name} must stay of the inherited type {}", inherited.type_())));
    }
    Ok(())
}

/// Whether `equality` may name `name`: a field, and none that already counts for a type further up.
fn check_equality(definition: &Definition, parent: Option<&ObjectType>, name: &Arc<str>) -> Result<()> {
    let inherited = parent.and_then(|parent| parent.owner_of(name));
    let own = definition.attributes.iter().find(|attribute| attribute.name == *name).cloned();
    let attribute = own.or_else(|| inherited.as_ref()?.attribute(name));
    let Some(attribute) = attribute else {
        return Err(wrong(format!("equality names {name}, which is not an attribute")));
    };
    if attribute.kind == AttributeKind::Constant {
        return Err(wrong(format!("equality names {name}, which is the same for every instance")));
    }
    if inherited.is_some_and(|owner| owner.own_equality().contains(name)) {
        return Err(wrong(format!("equality names {name}, which already counts for the parent")));
    }
    Ok(())
}

/// Writes `{name => 'Point', attributes => {'x' => Integer}}`.
pub(in crate::types) fn write(definition: &Definition, out: &mut TypeText) {
    let mut parts: Vec<String> = Vec::new();
    let text_of = |value: &Value| {
        let mut text = TypeText::default();
        text::value(value, &mut text);
        text.finish()
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
    let is_plain_constant = |attribute: &&Arc<Attribute>| {
        let value = attribute.value.as_ref().filter(|_| attribute.kind == AttributeKind::Constant);
        attribute.annotations.is_none() && value.is_some_and(|value| *attribute.type_() == type_of_constant(value))
    };
    let (constants, attributes): (Vec<_>, Vec<_>) = definition.attributes.iter().partition(is_plain_constant);
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
        let functions = definition.functions.iter();
        let functions = functions.map(|function| format!("{} => {}", quoted(&function.name), attribute_text(function)));
        parts.push(format!("functions => {}", members(functions.collect())));
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
    let mut text = TypeText::default();
    text::value(value, &mut text);
    text.finish()
}
