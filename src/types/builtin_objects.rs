//! `Error`, `Deferred`, `Annotation`, `Pcore` and `Puppet::LookupContext`: the built-in Object types.

use std::sync::LazyLock;

use super::{Row, Type, new_example, written};

pub(super) const DEFERRED_ROW: Row = Row {
    summary: "a call to be made later: the name of a function or variable, and arguments",
    examples: &[
        new_example("Deferred('upcase', ['a'])", "Deferred({'name' => 'upcase', 'arguments' => ['a']})"),
        new_example("Deferred['x']", "error RUNTIME_ERROR"),
    ],
    ..object_row("Deferred", || DEFERRED_TYPE.clone())
};

pub(super) const ERROR_ROW: Row = Row {
    parameters: "kind, issue_code",
    summary: "an error: a message, and optionally a kind, details and an issue code",
    examples: &[
        new_example("Error('oops', 'disk').kind", "'disk'"),
        new_example("Error('oops', 'disk') =~ Error['disk']", "true"),
        new_example("Error('')", "error RUNTIME_ERROR"),
    ],
    ..object_row("Error", || ERROR_TYPE.clone())
};

pub(super) const ANNOTATION_ROW: Row = Row {
    summary: "base type of annotations (see `annotate`)",
    examples: &[
        new_example("Object[{parent => Annotation, attributes => {text => String}}] < Annotation", "true"),
        new_example("Annotation[1]", "error RUNTIME_ERROR"),
    ],
    new: &["()"],
    ..object_row("Annotation", || ANNOTATION_TYPE.clone())
};

pub(super) const PCORE_ROW: Row = Row {
    summary: "passed to `annotate` to select all annotations at once",
    examples: &[new_example("Pcore < Object", "true"), new_example("Pcore[1]", "error RUNTIME_ERROR")],
    new: &["()"],
    ..object_row("Pcore", || PCORE_TYPE.clone())
};

/// The table row of the type `Puppet::LookupContext`; its methods are implemented in [`crate::functions`].
pub(super) const LOOKUP_CONTEXT_ROW: Row = Row {
    summary: "what Hiera passes to data functions: the module name and a cache",
    examples: &[
        new_example("Puppet::LookupContext('web').module_name", "'web'"),
        new_example("Puppet::LookupContext('')", "error RUNTIME_ERROR"),
    ],
    // Observed: Puppet 7.23 takes the name of the module alone, and only where there is an environment.
    new: &[
        "(Variant[String[1], Undef] $module_name)",
        "(Struct[{module_name => Variant[String[1], Undef]}] $attributes)",
    ],
    ..object_row("Puppet::LookupContext", || LOOKUP_CONTEXT_TYPE.clone())
};

const fn object_row(name: &'static str, bare: fn() -> Type) -> Row {
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
        from_arguments: |_| Ok(Type::any()), // Never called: the type itself takes its parameters.
    }
}

pub(super) static ANNOTATION_TYPE: LazyLock<Type> = LazyLock::new(|| written!(Object[{name => "Annotation"}]));

static PCORE_TYPE: LazyLock<Type> = LazyLock::new(|| written!(Object[{name => "Pcore"}]));

/// The type `Deferred`. Source: language specification, "Deferred".
static DEFERRED_TYPE: LazyLock<Type> = LazyLock::new(|| {
    written!(Object[{
        name => "Deferred",
        attributes => {
            name => Pattern[(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z")],
            arguments => Optional[Array],
        },
    }])
});

/// The type `Error`. Source: language specification, "Error".
static ERROR_TYPE: LazyLock<Type> = LazyLock::new(|| {
    let parameter = written!(Variant[String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef], Type[Undef]]);
    written!(Object[{
        name => "Error",
        type_parameters => {kind => (parameter.clone()), issue_code => (parameter)},
        attributes => {
            msg => String[1],
            kind => Optional[String[1]],
            details => Optional[Hash[String[1], Data]],
            issue_code => Optional[String[1]],
        },
        functions => {message => Callable[[0, 0], String[1]]},
    }])
});

/// The type `Puppet::LookupContext`. Observed: Puppet 7.23 prints its definition like this.
///
/// Deviation: Puppet prints a context without its module, `Puppet::LookupContext({})`, which is not a context that could be
/// made; here it is `Puppet::LookupContext({'module_name' => 'web'})`, which can be read back.
static LOOKUP_CONTEXT_TYPE: LazyLock<Type> = LazyLock::new(|| {
    let key = written!(Optional[Scalar]);
    written!(Object[{
        name => "Puppet::LookupContext",
        parent => Any,
        attributes => {
            environment_name => {type => String[1], kind => "derived"},
            module_name => Variant[String[1], Undef],
        },
        functions => {
            not_found => Callable[[0, 0], Undef],
            explain => Callable[[Callable[0, 0]], Undef],
            interpolate => Callable[1, 1],
            cache => Callable[(key.clone()), Any],
            cache_all => Callable[[Hash[(key.clone()), Any]], Undef],
            cache_has_key => Callable[[(key.clone())], Boolean],
            cached_value => Callable[(key.clone())],
            cached_entries => Variant[
                Callable[[Callable[1, 1]], Undef],
                Callable[[Callable[2, 2]], Undef],
                Callable[[0, 0], Iterable[Tuple[(key), Any]]]
            ],
            cached_file_data => Callable[String, Optional[Callable[Array[Integer]]]],
        },
    }])
});
