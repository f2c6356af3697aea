//! `defined`: whether a variable, a resource type or a class is known.
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
            None => **name == *"main" || is_resource_type(name),
        },
        Value::Type(type_) => is_type_defined(type_)?,
        _ => false,
    })
}

fn is_type_defined(type_: &Type) -> Result<bool> {
    match type_ {
        Type::Resource(resource) if resource.type_name().is_none() => {
            Err(Error::runtime("Resource means every resource").with_help("name one: File['/etc/hosts']"))
        }
        Type::CatalogEntry(_) => {
            Err(Error::runtime("CatalogEntry means every class and resource").with_help("name one of them"))
        }
        Type::Resource(resource) => {
            Ok(resource.title().is_none() && resource.type_name().is_some_and(is_resource_type))
        }
        Type::Class(class) if class.class_name().is_none() => {
            Err(Error::runtime("expected one class, got Class, the type of all classes")
                .with_help("name one: Class['apache']"))
        }
        Type::Type(of) => of.type_().map_or(Ok(false), is_type_defined),
        _ => Ok(false),
    }
}

fn is_resource_type(name: &str) -> bool {
    Type::core_resource_names().iter().any(|core| core.eq_ignore_ascii_case(name.trim_start_matches("::")))
}
