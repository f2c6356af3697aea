//! `defined`: whether a variable, a resource type or a class is defined.
//!
//! Without a catalog, there are no resources, and no class except `main`.

use super::{Call, Flow, Runtime};
use crate::error::{Error, Result};
use crate::types::Type;
use crate::value::Value;

functions! {
    /// returns whether one of the variables ('$name'), resource types or classes is defined
    "defined" ["(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] *$names) >> Boolean"] {
        "$x = undef defined('$x')" => "true",
        "defined('nowhere', 'file')" => "true",
        "defined(File['/tmp/x'])" => "false",
        "defined(Integer)" => "error RUNTIME_ERROR",
    } => defined;
}

fn defined(call: &mut Call<'_>) -> Result<Value, Flow> {
    if call.arguments.is_empty() {
        return Err(Error::runtime("expected at least one name or type, got none").into());
    }
    for name in call.arguments {
        if is_defined(call.runtime, name)? {
            return Ok(Value::Boolean(true));
        }
    }
    Ok(Value::Boolean(false))
}

fn is_defined(runtime: &mut dyn Runtime, name: &Value) -> Result<bool> {
    Ok(match name {
        Value::String(name) => match name.strip_prefix('$') {
            Some(variable) => runtime.variable(variable).is_some(),
            None => **name == *"main" || is_core_resource_type(name),
        },
        Value::Type(type_) => is_type_defined(type_)?,
        _ => false,
    })
}

fn is_type_defined(type_: &Type) -> Result<bool> {
    let (wrong, help) = match type_ {
        Type::Resource(resource) => match resource.type_name() {
            Some(name) => return Ok(resource.title().is_none() && is_core_resource_type(name)),
            None => ("Resource means every resource", "name one: File['/etc/hosts']"),
        },
        Type::CatalogEntry(_) => ("CatalogEntry means every class and resource", "name one of them"),
        Type::Class(class) if class.class_name().is_none() => {
            ("expected one class, got Class, the type of all classes", "name one: Class['apache']")
        }
        Type::Type(of) => return of.type_().map_or(Ok(false), is_type_defined),
        _ => return Ok(false),
    };
    Err(Error::runtime(wrong).with_help(help))
}

fn is_core_resource_type(name: &str) -> bool {
    Type::core_resource_names().iter().any(|core| core.eq_ignore_ascii_case(name.trim_start_matches("::")))
}
