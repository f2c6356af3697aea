//! Reads and validates the hash in the brackets of `Object[…]`, and writes a definition as such a hash.

use std::{fmt::Display, sync::Arc};

use crate::error::{Error, Result};
use crate::types::builtin_objects::ANNOTATION_TYPE;
use crate::types::object::{Attribute, Definition, ObjectType, find_attribute};
use crate::types::{
    AttributeKind, CallableType, NestedType, Rules, Type, TypeError, TypeWriter, alias, describe, text,
};
use crate::value::{EcoString, Hash, Value};

fn invalid_definition(problem: impl Into<String>) -> Error {
    TypeError::invalid_parameter_error(ObjectType::NAME, problem).into()
}

fn ensure(is_valid: bool, problem: impl FnOnce() -> String) -> Result<()> {
    if is_valid { Ok(()) } else { Err(invalid_definition(problem())) }
}

fn mismatch_error(expected: impl Display, got: &Value) -> Error {
    invalid_definition(format!("expected {expected}, got {}", describe(got)))
}

fn read_name(type_: &str, expected: &str, value: &Value) -> Result<EcoString> {
    match value {
        Value::String(name) if alias::built_in_alias(type_).is_some_and(|type_| type_.has_instance(value)) => {
            Ok(name.clone())
        }
        other => Err(mismatch_error(expected, other)),
    }
}

fn read_member_name(key: &Value) -> Result<EcoString> {
    read_name("Pcore::MemberName", "a lower-case name", key)
}

fn expect_hash<'a>(key: &str, value: &'a Value) -> Result<&'a Hash> {
    value.as_hash().ok_or_else(|| mismatch_error(format_args!("a Hash as {key}"), value))
}

fn read_members(
    key: &str,
    value: &Value,
    read: impl Fn((&Value, &Value)) -> Result<Attribute>,
) -> Result<Vec<Arc<Attribute>>> {
    expect_hash(key, value)?.iter().map(|member| read(member).map(Arc::new)).collect()
}

fn read_member_type(name: &str, value: &Value) -> Result<NestedType> {
    value.as_type().map(NestedType::from).ok_or_else(|| mismatch_error(format_args!("a type of {name}"), value))
}

/// Reads the name of an attribute, constant or type parameter; rejects two names reserved for serialized data.
fn read_attribute_name(key: &Value) -> Result<EcoString> {
    let name = read_member_name(key)?;
    ensure(!matches!(&*name, "__ptype" | "__pvalue"), || format!("the name {name} is reserved"))?;
    Ok(name)
}

/// Checks and returns a hash of annotations, such as `{Note => {text => 'x'}}`; its keys must inherit from Annotation.
pub(in crate::types) fn read_annotations(value: &Value) -> Result<Value> {
    for (type_, attributes) in expect_hash("annotations", value)?.iter() {
        if !matches!(type_, Value::Type(type_) if ANNOTATION_TYPE.accepts(type_)) {
            return Err(mismatch_error("a type that inherits from Annotation", type_));
        }
        expect_hash("an annotation", attributes)?.keys().try_for_each(|name| read_member_name(name).map(|_| ()))?;
    }
    Ok(value.clone())
}

fn read_boolean(key: &str, value: &Value) -> Result<bool> {
    value.as_bool().ok_or_else(|| mismatch_error(format_args!("true or false as {key}"), value))
}

pub(in crate::types) fn read_definition(hash: &Hash) -> Result<Definition> {
    let mut definition = Definition::default();
    let mut constants: Vec<Attribute> = Vec::new();
    for (key, value) in hash.iter() {
        let key = key.as_str().ok_or_else(|| mismatch_error("a name as a key", key))?;
        match key {
            "name" => definition.name = Some(read_name("Pcore::TypeName", "a capitalized String as name", value)?),
            "parent" => definition.parent = Some(read_member_type("parent", value)?),
            "type_parameters" => definition.type_parameters = read_members(key, value, read_type_parameter)?,
            "attributes" => {
                let read = |(name, value): (&_, &_)| read_attribute(read_attribute_name(name)?, value);
                definition.attributes = read_members(key, value, read)?;
            }
            "constants" => {
                for (name, value) in expect_hash(key, value)?.iter() {
                    let (name, type_) = (read_attribute_name(name)?, type_of_constant(value).into());
                    constants.push(Attribute::new(name, type_, AttributeKind::Constant, Some(value.clone())));
                }
            }
            "functions" => definition.functions = read_members(key, value, read_function)?,
            "equality" => {
                let names = match value {
                    Value::Array(names) => names.iter().map(read_member_name).collect::<Result<Vec<_>>>()?,
                    one => vec![read_member_name(one)?],
                };
                definition.equality = Some(names);
            }
            "equality_include_type" => definition.ignores_type_in_equality = !read_boolean(key, value)?,
            "checks" => definition.checks = Some(value.clone()),
            "annotations" => definition.annotations = Some(read_annotations(value)?),
            unknown => {
                return Err(invalid_definition(format!("unknown key '{unknown}' in the definition of an Object type")));
            }
        }
    }
    let is_attribute = |constant: &&Attribute| find_attribute(&definition.attributes, &constant.name).is_some();
    if let Some(Attribute { name, .. }) = constants.iter().find(is_attribute) {
        return Err(invalid_definition(format!("{name} is both a constant and an attribute")));
    }
    // A constant takes the place of an inherited one without saying so.
    let parent = parent_of_definition(&definition)?;
    for constant in &mut constants {
        constant.is_override = parent.attribute(&constant.name).is_some();
    }
    definition.attributes.extend(constants.into_iter().map(Arc::new));
    check_definition(&definition, &parent)?;
    Ok(definition)
}

/// Reads `a => Integer` or `a => {type => Integer, value => 0}`. An Optional is removed: undef is always allowed.
fn read_type_parameter((name, value): (&Value, &Value)) -> Result<Attribute> {
    let said = value.as_hash();
    let type_ = said.and_then(|said| said.get_str("type")).unwrap_or(value);
    let mut parameter = read_attribute(read_attribute_name(name)?, type_)?;
    if let Type::Optional(optional) = &*parameter.type_.clone()
        && let Some(type_) = optional.type_()
    {
        parameter.type_ = type_.into();
    }
    parameter.value = said.and_then(|said| said.get_str("value")).filter(|value| !value.is_undef()).cloned();
    check_default_value(&parameter)?;
    Ok(parameter)
}

/// Checks that the default value of an attribute, unless it is `default`, is of the attribute's type.
fn check_default_value(Attribute { name, type_, value, .. }: &Attribute) -> Result<()> {
    let Some(value) = value.as_ref().filter(|value| !matches!(value, Value::Default)) else { return Ok(()) };
    ensure(type_.has_instance(value), || {
        let expected = type_.to_string_as_parameter();
        format!("expected {expected} as the value of {name}, got {}", describe(value))
    })
}

/// Reads a function: `Callable[String]` or `{type => Callable[String], override => true, final => true}`.
fn read_function((name, value): (&Value, &Value)) -> Result<Attribute> {
    let name = read_member_name(name)?;
    if let Value::Hash(said) = value
        && let Some(key) = ["value", "kind"].into_iter().find(|key| said.get_str(key).is_some())
    {
        return Err(invalid_definition(format!("the function {name} has no {key}")));
    }
    let mut function = read_attribute(name, value)?;
    function.value = None;
    if !Type::from(CallableType::default()).accepts(&function.type_) {
        let got = function.type_.to_string_as_parameter();
        return Err(invalid_definition(format!("expected a Callable as the function {}, got {got}", function.name)));
    }
    Ok(function)
}

fn type_of_constant(value: &Value) -> Type {
    Type::infer_reduced(value).generalized()
}

/// Reads an attribute: `Integer` or `{type => Integer, value => 0, kind => constant, override => true, final => true}`.
fn read_attribute(name: EcoString, value: &Value) -> Result<Attribute> {
    let Value::Hash(said) = value else {
        let type_ = read_member_type(&name, value)?;
        let value = matches!(*type_, Type::Optional(_)).then_some(Value::Undef);
        return Ok(Attribute::new(name, type_, AttributeKind::Normal, value));
    };
    let type_ = said.get_str("type").ok_or_else(|| invalid_definition(format!("the attribute {name} has no type")))?;
    let mut attribute = Attribute { value: None, ..read_attribute(name, type_)? };
    let name = attribute.name.clone();
    for (key, value) in said.iter() {
        match key.as_str() {
            Some("type") => {}
            Some("value") => attribute.value = Some(value.clone()),
            Some("kind") => {
                let kind = value.as_str();
                let kind = kind.ok_or_else(|| mismatch_error(format_args!("a String as the kind of {name}"), value))?;
                let unknown = || invalid_definition(format!("the attribute {name} cannot be of kind '{kind}'"));
                attribute.kind = ATTRIBUTE_KINDS.iter().find(|(known, _)| *known == kind).ok_or_else(unknown)?.1;
            }
            Some(key @ "override") => attribute.is_override = read_boolean(key, value)?,
            Some(key @ "final") => attribute.is_final = read_boolean(key, value)?,
            Some("annotations") => attribute.annotations = Some(read_annotations(value)?),
            _ => return Err(invalid_definition(format!("unknown key {} for the attribute {name}", describe(key)))),
        }
    }
    match (&attribute.value, attribute.kind) {
        (Some(_), AttributeKind::Derived | AttributeKind::GivenOrDerived) => {
            Err(invalid_definition(format!("the attribute {name} is derived, so it cannot have a value")))
        }
        (None, AttributeKind::Constant) => Err(invalid_definition(format!("the constant {name} has no value"))),
        _ => check_default_value(&attribute).map(|()| attribute),
    }
}

const ATTRIBUTE_KINDS: [(&str, AttributeKind); 4] = [
    ("constant", AttributeKind::Constant),
    ("derived", AttributeKind::Derived),
    ("given_or_derived", AttributeKind::GivenOrDerived),
    ("reference", AttributeKind::Reference),
];

/// Returns the parent; bare Object if that is missing, an unresolved alias or no Object type. Fails for unknown names.
fn parent_of_definition(definition: &Definition) -> Result<Arc<ObjectType>> {
    match definition.parent.as_deref().map(|parent| parent.behind_aliases().into_owned()) {
        Some(Type::Object(parent)) => Ok(parent),
        Some(unknown @ Type::TypeReference(_)) => {
            Err(invalid_definition(format!("the parent is unknown: {}", unknown.to_string_as_parameter())))
        }
        // Observed: Puppet 8.11 inherits nothing from a type that is not an Object.
        None | Some(_) => Ok(Arc::default()),
    }
}

fn check_definition(definition: &Definition, parent: &ObjectType) -> Result<()> {
    let is_unknown = |parent: &NestedType| matches!(*parent.behind_aliases(), Type::Alias(_));
    let is_known = !definition.parent.as_ref().is_some_and(is_unknown);
    for attribute in &definition.attributes {
        let name = &attribute.name;
        ensure(parent.function_declaration(name).is_none(), || format!("{name} is inherited as a function"))?;
        check_override(attribute, parent.attribute(name).as_deref(), is_known)?;
    }
    for function in &definition.functions {
        let name = &function.name;
        let is_own = find_attribute(&definition.attributes, name).is_some();
        let is_attribute = is_own || parent.attribute(name).is_some();
        ensure(!is_attribute, || format!("{name} is both a function and an attribute"))?;
        check_override(function, parent.function_declaration(name).as_deref(), is_known)?;
    }
    for Attribute { name, .. } in definition.type_parameters.iter().map(AsRef::as_ref) {
        let inherited = parent.type_parameters();
        ensure(find_attribute(&inherited, name).is_none(), || format!("the type parameter {name} is inherited"))?;
    }
    definition.equality.iter().flatten().try_for_each(|name| check_equality_name(definition, parent, name))?;
    let names_equality = definition.equality.as_ref().is_some_and(|names| !names.is_empty());
    ensure(!(definition.ignores_type_in_equality && names_equality), || {
        "equality_include_type => false cannot be combined with an equality that names attributes".to_owned()
    })
}

/// Checks that `member` may override `inherited`. If that is `None` and the parent `is_known`, it must not override.
fn check_override(member: &Attribute, inherited: Option<&Attribute>, is_known: bool) -> Result<()> {
    let name = &member.name;
    let Some(inherited) = inherited else {
        return ensure(!(member.is_override && is_known), || format!("{name} overrides nothing"));
    };
    let are_constants = [member, inherited].iter().all(|member| member.kind == AttributeKind::Constant);
    let is_final = inherited.is_final || inherited.kind == AttributeKind::Constant;
    ensure(are_constants || !is_final, || format!("{name} is inherited and final"))?;
    let is_said = are_constants || member.is_override;
    ensure(is_said, || format!("{name} is inherited; say override => true to replace it"))?;
    let is_of_inherited_type = inherited.type_().accepts(member.type_());
    ensure(is_of_inherited_type, || format!("{name} must stay of the inherited type {}", inherited.type_()))
}

/// Checks that `equality` may name `name`: an attribute that is not constant and not in the equality of a parent.
fn check_equality_name(definition: &Definition, parent: &ObjectType, name: &EcoString) -> Result<()> {
    let inherited = parent.attribute_owner(name);
    let own = find_attribute(&definition.attributes, name).cloned();
    let attribute = own.or_else(|| parent.attribute(name));
    let Some(attribute) = attribute else {
        return Err(invalid_definition(format!("equality names {name}, which is not an attribute")));
    };
    let is_constant = attribute.kind == AttributeKind::Constant;
    ensure(!is_constant, || format!("equality names {name}, which is the same for every instance"))?;
    let counts_already = inherited.is_some_and(|owner| owner.own_equality_fields().contains(name));
    ensure(!counts_already, || format!("equality names {name}, which already counts for the parent"))
}

/// Writes a definition as Puppet code: `{name => 'Point', attributes => {'x' => Integer}}`.
pub(in crate::types) fn write_definition(definition: &Definition, out: &mut TypeWriter) {
    let quoted = |name: &EcoString| text_of_value(&Value::String(name.clone()));
    let members = |members: Vec<(&EcoString, String)>| {
        let entries = members.into_iter().map(|(name, text)| (quoted(name), Some(text)));
        (entries.len() > 0).then(|| text_of_hash(entries))
    };
    // A constant whose type is that of its value is written among the constants.
    let is_plain_constant = |attribute: &&Arc<Attribute>| {
        let value = attribute.value.as_ref().filter(|_| attribute.kind == AttributeKind::Constant);
        attribute.annotations.is_none() && value.is_some_and(|value| *attribute.type_() == type_of_constant(value))
    };
    let (constants, attributes): (Vec<_>, Vec<_>) = definition.attributes.iter().partition(is_plain_constant);
    let value = |constant: &Attribute| constant.value.as_ref().map(text_of_value).unwrap_or_default();
    // As Puppet writes them: the keys of a type parameter in quotes, those of an attribute without.
    let typed = definition.type_parameters.iter().map(|parameter| (&parameter.name, attribute_text(parameter, "'")));
    let attributes = attributes.iter().map(|attribute| (&attribute.name, attribute_text(attribute, "")));
    let constants = constants.iter().map(|constant| (&constant.name, value(constant)));
    let functions = definition.functions.iter().map(|function| (&function.name, attribute_text(function, "")));
    let equality = definition.equality.as_ref().map(|names| names.iter().map(quoted).collect::<Vec<_>>());
    out.text.push_str(&text_of_hash([
        ("annotations", definition.annotations.as_ref().map(text_of_value)),
        ("name", definition.name.as_ref().map(quoted)),
        ("parent", definition.parent.as_ref().map(|parent| parent.to_string_as_parameter())),
        ("type_parameters", members(typed.collect())),
        ("attributes", members(attributes.collect())),
        ("constants", members(constants.collect())),
        ("functions", members(functions.collect())),
        ("equality", equality.map(|names| format!("[{}]", names.join(", ")))),
        ("checks", definition.checks.as_ref().map(text_of_value)),
    ]));
}

/// Returns an attribute as Puppet code: `Integer` or `{type => Integer, value => 0}`, with `quote` around the keys.
fn attribute_text(attribute: &Attribute, quote: &str) -> String {
    let type_ = attribute.type_.to_string_as_parameter();
    let kind = ATTRIBUTE_KINDS.iter().find(|(_, kind)| *kind == attribute.kind);
    let said = [
        ("annotations", attribute.annotations.as_ref().map(text_of_value)),
        ("final", attribute.is_final.then(|| "true".to_owned())),
        ("override", attribute.is_override.then(|| "true".to_owned())),
        ("kind", kind.map(|(name, _)| (*name).to_owned())),
        ("value", attribute.value.as_ref().map(text_of_value)),
    ];
    if said.iter().all(|(_, text)| text.is_none()) {
        return type_;
    }
    let entries = [("type", Some(type_))].into_iter().chain(said);
    text_of_hash(entries.map(|(key, text)| (format!("{quote}{key}{quote}"), text)))
}

fn text_of_hash(entries: impl IntoIterator<Item = (impl Display, Option<String>)>) -> String {
    let entries = entries.into_iter().filter_map(|(key, text)| Some(format!("{key} => {}", text?)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn text_of_value(value: &Value) -> String {
    let mut text = TypeWriter::default();
    text::write_value(value, &mut text);
    text.text
}
