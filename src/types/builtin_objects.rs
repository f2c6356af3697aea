//! `Error`, `Deferred`, `Annotation` and `Pcore`: the built-in Object types.

use std::sync::{Arc, OnceLock};

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
    ..row("Deferred", || deferred().clone(), |arguments| with_parameters(deferred(), arguments))
};

pub(super) const ERROR: Row = Row {
    parameters: "kind, issue_code",
    summary: "an error: a message, and optionally a kind, details and an issue code",
    examples: &[
        example("Error('oops', 'disk').kind", "'disk'"),
        example("Error('oops', 'disk') =~ Error['disk']", "true"),
        example("Error('')", "error RUNTIME_ERROR"),
    ],
    ..row("Error", || error().clone(), |arguments| with_parameters(error(), arguments))
};

pub(super) const ANNOTATION: Row = Row {
    summary: "base type of annotations (see `annotate`)",
    examples: &[
        example("Object[{parent => Annotation, attributes => {text => String}}] < Annotation", "true"),
        example("Annotation[1]", "error RUNTIME_ERROR"),
    ],
    new: &["()"],
    ..row("Annotation", || annotation().clone(), |arguments| with_parameters(annotation(), arguments))
};

pub(super) const PCORE: Row = Row {
    summary: "passed to `annotate` to select all annotations at once",
    examples: &[example("Pcore < Object", "true"), example("Pcore[1]", "error RUNTIME_ERROR")],
    new: &["()"],
    ..row("Pcore", || pcore().clone(), |arguments| with_parameters(pcore(), arguments))
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
        takes_arrays: false,
        bare,
        from_arguments,
    }
}

/// An Object type with a name and nothing else.
fn named(name: &str) -> Type {
    ObjectType::new(Definition { name: Some(name.into()), equality_include_type: true, ..Definition::default() }).into()
}

pub(super) fn annotation() -> &'static Type {
    static ANNOTATION: OnceLock<Type> = OnceLock::new();
    ANNOTATION.get_or_init(|| named("Annotation"))
}

fn pcore() -> &'static Type {
    static PCORE: OnceLock<Type> = OnceLock::new();
    PCORE.get_or_init(|| named("Pcore"))
}

pub(super) fn with_parameters(type_: &Type, arguments: &[Value]) -> Result<Type> {
    match type_ {
        Type::Object(object) => object.with_parameters(arguments),
        other => Err(Error::runtime(format!("{other} accepts no parameters"))),
    }
}

pub(super) fn attribute(name: &str, type_: Type, value: Option<Value>) -> Arc<Attribute> {
    Arc::new(Attribute {
        name: name.into(),
        type_: type_.into(),
        kind: AttributeKind::Normal,
        value,
        is_override: false,
        is_final: false,
        annotations: None,
    })
}

fn optional(name: &str, type_: Type) -> Arc<Attribute> {
    attribute(name, OptionalType::new(type_).into(), Some(Value::Undef))
}

/// Source: language specification, "Deferred".
#[expect(clippy::expect_used, reason = "the expression is a constant")]
fn deferred() -> &'static Type {
    static DEFERRED: OnceLock<Type> = OnceLock::new();
    DEFERRED.get_or_init(|| {
        let name = Regexp::new(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z").expect("the expression is right");
        ObjectType::new(Definition {
            name: Some("Deferred".into()),
            attributes: vec![
                attribute("name", PatternType::new([Arc::new(name)]).into(), None),
                optional("arguments", ArrayType::bare().into()),
            ],
            equality_include_type: true,
            ..Definition::default()
        })
        .into()
    })
}

/// Source: language specification, "Error".
fn error() -> &'static Type {
    static ERROR: OnceLock<Type> = OnceLock::new();
    ERROR.get_or_init(|| {
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
            equality_include_type: true,
            ..Definition::default()
        })
        .into()
    })
}
