//! `Error`, `Deferred`, `Annotation` and `Pcore`: the built-in Object types.

use std::sync::{Arc, LazyLock};

use super::object::{Attribute, AttributeKind, Definition, ObjectType};
use super::{
    ArrayType, CallableType, DataType, EnumType, HashType, NotUndefType, OptionalType, PatternType, RegexpType, Row,
    Rules, Size, StringType, Type, TypeType, UndefType, VariantType, example,
};
use crate::error::{Error, Result};
use crate::regexp::Regexp;
use crate::value::Value;

pub(super) const DEFERRED: Row = Row {
    summary: "a call to be made later: the name of a function or variable, and arguments",
    examples: &[
        example("Deferred('upcase', ['a'])", "Deferred({'name' => 'upcase', 'arguments' => ['a']})"),
        example("Deferred['x']", "error RUNTIME_ERROR"),
    ],
    ..row("Deferred", || DEFERRED_TYPE.clone(), |arguments| with_parameters(&DEFERRED_TYPE, arguments))
};

pub(super) const ERROR: Row = Row {
    parameters: "kind, issue_code",
    summary: "an error: a message, and optionally a kind, details and an issue code",
    examples: &[
        example("Error('oops', 'disk').kind", "'disk'"),
        example("Error('oops', 'disk') =~ Error['disk']", "true"),
        example("Error('')", "error RUNTIME_ERROR"),
    ],
    ..row("Error", || ERROR_TYPE.clone(), |arguments| with_parameters(&ERROR_TYPE, arguments))
};

pub(super) const ANNOTATION: Row = Row {
    summary: "base type of annotations (see `annotate`)",
    examples: &[
        example("Object[{parent => Annotation, attributes => {text => String}}] < Annotation", "true"),
        example("Annotation[1]", "error RUNTIME_ERROR"),
    ],
    new: &["()"],
    ..row("Annotation", || ANNOTATION_TYPE.clone(), |arguments| with_parameters(&ANNOTATION_TYPE, arguments))
};

pub(super) const PCORE: Row = Row {
    summary: "passed to `annotate` to select all annotations at once",
    examples: &[example("Pcore < Object", "true"), example("Pcore[1]", "error RUNTIME_ERROR")],
    new: &["()"],
    ..row("Pcore", || PCORE_TYPE.clone(), |arguments| with_parameters(&PCORE_TYPE, arguments))
};

/// The row of an Object type without parameters.
pub(super) const fn row(name: &'static str, bare: fn() -> Type, from_arguments: fn(&[Value]) -> Result<Type>) -> Row {
    Row {
        name,
        parameters: "",
        parent: "Object",
        summary: "",
        examples: &[],
        new: &["(Any *$arguments)"],
        hidden: false,
        is_general: false,
        takes_arrays: false,
        bare,
        from_arguments,
    }
}

fn named(name: &str) -> Type {
    ObjectType::new(Definition { name: Some(name.into()), ..Definition::default() }).into()
}

pub(super) static ANNOTATION_TYPE: LazyLock<Type> = LazyLock::new(|| named("Annotation"));

static PCORE_TYPE: LazyLock<Type> = LazyLock::new(|| named("Pcore"));

pub(super) fn with_parameters(type_: &Type, arguments: &[Value]) -> Result<Type> {
    match type_ {
        Type::Object(object) => object.with_parameters(arguments),
        other => Err(Error::runtime(format!("{other} accepts no parameters"))),
    }
}

pub(super) fn attribute(name: &str, type_: Type, value: Option<Value>) -> Arc<Attribute> {
    Arc::new(Attribute::new(name.into(), type_.into(), AttributeKind::Normal, value))
}

fn optional(name: &str, type_: Type) -> Arc<Attribute> {
    attribute(name, OptionalType::new(type_).into(), Some(Value::Undef))
}

/// Source: language specification, "Deferred".
static DEFERRED_TYPE: LazyLock<Type> = LazyLock::new(|| {
    let name = Regexp::new(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z").ok().map(Arc::new);
    ObjectType::new(Definition {
        name: Some("Deferred".into()),
        attributes: vec![
            attribute("name", PatternType::new(name).into(), None),
            optional("arguments", ArrayType::bare().into()),
        ],
        ..Definition::default()
    })
    .into()
});

/// Source: language specification, "Error".
static ERROR_TYPE: LazyLock<Type> = LazyLock::new(|| {
    let text = || Type::from(StringType::Sized(Size::NOT_EMPTY));
    let types: [Type; 4] =
        [EnumType::bare().into(), PatternType::bare().into(), NotUndefType::bare().into(), UndefType.into()];
    let types = types.into_iter().map(|type_| TypeType::new(type_).into());
    let plain: [Type; 2] = [StringType::All.into(), RegexpType::bare().into()];
    let parameter = VariantType::of(plain.into_iter().chain(types));
    let details = HashType::new(text(), DataType.into(), None).into();
    let message = CallableType::new(Vec::new(), None, None, Some(text())).into();
    ObjectType::new(Definition {
        name: Some("Error".into()),
        type_parameters: ["kind", "issue_code"].map(|name| attribute(name, parameter.clone(), None)).into(),
        attributes: vec![
            attribute("msg", text(), None),
            optional("kind", text()),
            optional("details", details),
            optional("issue_code", text()),
        ],
        functions: vec![attribute("message", message, None)],
        ..Definition::default()
    })
    .into()
});
