//! `annotate`: attaches an object to a value; the object describes the value without being a part of it.
//!
//! An annotation belongs to one value in memory, not to all equal values. So only values that are passed by reference
//! can be annotated: arrays, hashes, objects, types and the like, but not strings and numbers.

use std::sync::Arc;

use super::{Call, Flow};
use crate::error::Error;
use crate::operators::describe;
use crate::types::{Type, kinds::Kinds};
use crate::value::{Hash, Value};

functions! {
    /// returns the value's annotation of the given type, creating it from the hash or block if absent
    "annotate" [
        "(Type[Annotation] $type, Any $value, Optional[Callable[0, 0]] &$block)",
        "(Type[Annotation] $type, Any $value, Variant[Enum[clear], Hash[Pattern[/\\A[a-z_]\\w*\\z/], Any]] $annotation)",
        "(Type[Pcore] $type, Any $value, Hash[Type[Annotation], Hash[Pattern[/\\A[a-z_]\\w*\\z/], Any]] $annotations)",
    ] {
        "type Note = Object[{parent => Annotation, attributes => {text => String}}]\n\
                   $ports = [80, 443]\n\
                   annotate(Note, $ports, {text => 'open'})\n\
                   annotate(Note, $ports).text" => "'open'",
        "annotate(Annotation, [1])" => "undef",
        "annotate(Annotation, 5, {})" => "error RUNTIME_ERROR",
    } => annotate;
}

/// The annotations of values, as triples of value, type and annotation; they keep the values, and so their addresses.
pub(crate) type Annotations = Vec<(Value, Type, Value)>;

fn annotation_position(annotations: &Annotations, type_: &Type, value: &Value) -> Option<usize> {
    annotations.iter().position(|(of, known, _)| known == type_ && is_identical_value(of, value))
}

fn take_annotation(annotations: &mut Annotations, type_: &Type, value: &Value) -> Option<Value> {
    annotation_position(annotations, type_, value).map(|at| annotations.remove(at).2)
}

/// Whether `a` and `b` are the same value in memory; types and scalars are compared by content.
fn is_identical_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.address() == b.address(),
        (Value::Hash(a), Value::Hash(b)) => a.address() == b.address(),
        (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
        (Value::Sensitive(a), Value::Sensitive(b)) => Arc::ptr_eq(a, b),
        (a, b) => a == b,
    }
}

fn annotate(call: &mut Call<'_>) -> Result<Value, Flow> {
    let [Value::Type(type_), value, rest @ ..] = call.arguments else { return Ok(Value::Undef) };
    match rest {
        [Value::Hash(annotations)] if call.signature_index == 2 => {
            for (type_, attributes) in annotations.iter() {
                let (Value::Type(type_), Value::Hash(attributes)) = (type_, attributes) else { continue };
                set_annotation(call, type_, value, attributes)?;
            }
            Ok(value.clone())
        }
        [Value::Hash(attributes)] => set_annotation(call, type_, value, attributes),
        [_] => {
            reject_declared_annotation(type_, value)?;
            Ok(take_annotation(&mut call.runtime.runtime_state().annotations, type_, value).unwrap_or(Value::Undef))
        }
        _ => {
            let annotations = &call.runtime.runtime_state().annotations;
            if let Some((.., known)) = annotation_position(annotations, type_, value).and_then(|at| annotations.get(at))
            {
                return Ok(known.clone());
            }
            if let Some(declared) = declared_annotation(type_, value) {
                return call.runtime.construct(type_, &[Value::Hash(declared)]);
            }
            match call.block.map(|block| call.runtime.call(block, &[])).transpose()? {
                Some(Value::Hash(attributes)) => set_annotation(call, type_, value, &attributes),
                _ => Ok(Value::Undef),
            }
        }
    }
}

fn declared_annotation(type_: &Type, value: &Value) -> Option<Hash> {
    match &*value.as_type()?.behind_aliases() {
        Type::Object(annotated) => annotated.declared_annotation(type_),
        _ => None,
    }
}

fn reject_declared_annotation(type_: &Type, value: &Value) -> Result<(), Error> {
    if declared_annotation(type_, value).is_none() {
        return Ok(());
    }
    let error = format!("the type itself defines its annotation of type {}", type_.to_string_as_parameter());
    Err(Error::runtime(error).with_help("change its `annotations`, or annotate with another type"))
}

fn set_annotation(call: &mut Call<'_>, type_: &Type, value: &Value, attributes: &Hash) -> Result<Value, Flow> {
    reject_declared_annotation(type_, value)?;
    // Observed: Puppet 7.23 rejects what Ruby freezes.
    let frozen = Kinds::SCALAR_DATA | Kinds::UNDEF | Kinds::DEFAULT | Kinds::REGEXP;
    if Kinds::of_value(value).is_subset_of(frozen) {
        return Err(Error::runtime(format!("expected a value that can be annotated, got {}", describe(value)))
            .with_help("annotate an array, a hash, an object or a type; strings and numbers have no identity")
            .into());
    }
    let annotation = call.runtime.construct(type_, &[Value::Hash(attributes.clone())])?;
    let annotations = &mut call.runtime.runtime_state().annotations;
    take_annotation(annotations, type_, value);
    annotations.push((value.clone(), type_.clone(), annotation.clone()));
    Ok(annotation)
}
