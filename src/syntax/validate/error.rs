//! The rules that a program can violate after parsing: their codes, messages and advice.

use std::fmt;

use super::naming::{is_parameter_name, is_variable_name};
use crate::error::Kind;
use crate::syntax::tree::AssignmentOperator;

/// What stands right before another statement, as if it were one expression with it.
#[derive(Debug)]
pub(super) enum Torn {
    Regexp,
    Name,
    Other,
}

/// Where the options of a regular expression go.
fn options_inside(options: &str) -> String {
    let known: String = options.chars().filter(|letter| "imx".contains(*letter)).collect();
    format!("put options inside the expression: `/(?{}:…)/`", if known.is_empty() { "i" } else { &known })
}

/// The rules that a program can break after it was parsed.
#[derive(Debug)]
pub(super) enum ValidationError {
    LostValue(String),
    /// `/a/i`, `concat::Fragment['x']`
    TornValue {
        what: Torn,
        first: String,
        second: String,
    },
    /// `'ab' =~ /a/i`
    RegexpOptions(String),
    LostLastValue(String),
    NotTopLevel,
    NotAbsoluteTopLevel,
    NotValue,
    DuplicateKey(String),
    DuplicateDefault,
    DuplicateParameter(String),
    VariableName(String),
    NumericVariableName(String),
    ParameterName(String),
    ReservedParameter(String),
    CapturesRest {
        name: String,
        what: &'static str,
    },
    CapturesRestNotLast(String),
    DefinitionName {
        name: String,
        what: &'static str,
    },
    ReservedTypeName {
        name: String,
        what: &'static str,
    },
    ReservedWord(String),
    AssignmentInDefault,
    NumericAssignment(String),
    CrossScope(String),
    IndexedAssignment,
    NotAssignable(String),
    AppendsDeletes(AssignmentOperator),
    NotCallable {
        text: String,
        is_variable: bool,
    },
    AliasOfArray,
    Unsupported(&'static str),
    HostName(String),
    HostInterpolation,
    NodeInheritance,
    Untitled(String),
    NotVirtualisable(&'static str),
    ClassNotVirtualisable,
    AttributeAppend(String),
    SecondUnfold,
    CollectorType,
    Query(String),
}

impl Kind for ValidationError {
    fn code(&self) -> &'static str {
        match self {
            ValidationError::LostValue(_) | ValidationError::TornValue { .. } => "IDEM_EXPRESSION_NOT_LAST",
            ValidationError::RegexpOptions(_) => "SYNTAX_ERROR",
            ValidationError::LostLastValue(_) => "IDEM_NOT_ALLOWED_LAST",
            ValidationError::NotTopLevel => "NOT_TOP_LEVEL",
            ValidationError::NotAbsoluteTopLevel => "NOT_ABSOLUTE_TOP_LEVEL",
            ValidationError::NotValue => "NOT_RVALUE",
            ValidationError::DuplicateKey(_) => "DUPLICATE_KEY",
            ValidationError::DuplicateDefault => "DUPLICATE_DEFAULT",
            ValidationError::DuplicateParameter(_) => "DUPLICATE_PARAMETER",
            ValidationError::VariableName(_) => "ILLEGAL_VAR_NAME",
            ValidationError::NumericVariableName(_) => "ILLEGAL_NUMERIC_VAR_NAME",
            ValidationError::ParameterName(_) => "ILLEGAL_PARAM_NAME",
            ValidationError::ReservedParameter(_) => "RESERVED_PARAMETER",
            ValidationError::CapturesRest { .. } => "CAPTURES_REST_NOT_SUPPORTED",
            ValidationError::CapturesRestNotLast(_) => "CAPTURES_REST_NOT_LAST",
            ValidationError::DefinitionName { .. } => "ILLEGAL_DEFINITION_NAME",
            ValidationError::ReservedTypeName { .. } => "RESERVED_TYPE_NAME",
            ValidationError::ReservedWord(_) => "RESERVED_WORD",
            ValidationError::AssignmentInDefault => "ILLEGAL_ASSIGNMENT_CONTEXT",
            ValidationError::NumericAssignment(_) => "ILLEGAL_NUMERIC_ASSIGNMENT",
            ValidationError::CrossScope(_) => "CROSS_SCOPE_ASSIGNMENT",
            ValidationError::IndexedAssignment => "ILLEGAL_INDEXED_ASSIGNMENT",
            ValidationError::NotAssignable(_) => "ILLEGAL_ASSIGNMENT",
            ValidationError::AppendsDeletes(_) => "APPENDS_DELETES_NO_LONGER_SUPPORTED",
            ValidationError::NotCallable { .. } | ValidationError::AliasOfArray | ValidationError::CollectorType => {
                "ILLEGAL_EXPRESSION"
            }
            ValidationError::Unsupported(_) => "UNSUPPORTED_EXPRESSION",
            ValidationError::HostName(_) => "ILLEGAL_HOSTNAME_CHARS",
            ValidationError::HostInterpolation => "ILLEGAL_HOSTNAME_INTERPOLATION",
            ValidationError::NodeInheritance => "ILLEGAL_NODE_INHERITANCE",
            ValidationError::Untitled(_) => "RESOURCE_WITHOUT_TITLE",
            ValidationError::NotVirtualisable(_) => "NOT_VIRTUALIZEABLE",
            ValidationError::ClassNotVirtualisable => "CLASS_NOT_VIRTUALIZABLE",
            ValidationError::AttributeAppend(_) => "ILLEGAL_ATTRIBUTE_APPEND",
            ValidationError::SecondUnfold => "MULTIPLE_ATTRIBUTES_UNFOLD",
            ValidationError::Query(_) => "ILLEGAL_QUERY_EXPRESSION",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            ValidationError::LostValue(text) if text == "not" => Some("write a negation as `!`".to_owned()),
            ValidationError::TornValue { what: Torn::Regexp, second, .. } => Some(options_inside(second)),
            ValidationError::RegexpOptions(options) => Some(options_inside(options)),
            ValidationError::TornValue { what: Torn::Name, second, .. } if second.starts_with("::") => {
                Some("capitalize every segment of the type's name: `Concat::Fragment`".to_owned())
            }
            ValidationError::TornValue { .. } => {
                Some("separate them with an operator, a comma or a line break".to_owned())
            }
            ValidationError::NotCallable { text, is_variable: true } => {
                Some(format!("resolve a Deferred with `{text}.call`"))
            }
            ValidationError::LostValue(_) => Some("assign it, pass it to a function, or delete it".to_owned()),
            ValidationError::VariableName(name) => {
                let lower = name.to_lowercase();
                is_variable_name(&lower).then(|| format!("write `${lower}`"))
            }
            ValidationError::ParameterName(name) => {
                let lower = name.to_lowercase();
                is_parameter_name(&lower).then(|| format!("write `${lower}`"))
            }
            ValidationError::ReservedTypeName { name, .. } => Some(format!("put it in a namespace: `my::{name}`")),
            ValidationError::AssignmentInDefault => Some("assign the variable in the body".to_owned()),
            ValidationError::AliasOfArray => Some(
                "for several types, write `Tuple[A, B]` (in this order) or `Variant[A, B]` (any of them)".to_owned(),
            ),
            ValidationError::DuplicateParameter(_) => Some("give each parameter its own name".to_owned()),
            ValidationError::DuplicateKey(_) => Some("only the last one counts: delete the others".to_owned()),
            ValidationError::ReservedWord(word) => Some(format!("quote it to use it as a string: `'{word}'`")),
            ValidationError::AppendsDeletes(_) => Some("write `$new = $old + value`".to_owned()),
            ValidationError::DuplicateDefault => Some("delete one of them".to_owned()),
            ValidationError::DefinitionName { name, .. } => {
                let lower = name.to_lowercase();
                (lower != *name).then(|| format!("write it in lower case: `{lower}`"))
            }
            ValidationError::NotAssignable(text) if text.starts_with('$') && text.contains('-') => {
                Some(format!("names have letters, digits and underscores: `{}`", text.replace('-', "_")))
            }
            ValidationError::NotAssignable(text) if is_parameter_name(text) => {
                Some(format!("write a variable with a dollar sign: `${text}`"))
            }
            ValidationError::CrossScope(name) => {
                let own = name.rsplit("::").next().unwrap_or_default();
                Some(format!("assign to a variable of this scope, without a namespace: `${own}`"))
            }
            ValidationError::NumericVariableName(_) => Some("start the name with a letter".to_owned()),
            ValidationError::Untitled(name) => Some(format!("write `{name} {{ 'title': … }}`")),
            ValidationError::NodeInheritance => Some("include a common class in both nodes".to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValidationError::LostValue(text) => write!(f, "the value of `{text}` is never used"),
            ValidationError::LostLastValue(text) => {
                write!(f, "the value of `{text}` is never used: classes, defined types and nodes return no value")
            }
            ValidationError::TornValue { what: Torn::Regexp, first, second } => {
                write!(f, "a regular expression has no options after it: unexpected `{second}` after `{first}`")
            }
            ValidationError::TornValue { first, second, .. } => {
                write!(f, "expected one expression, found two without anything between them: `{first}` and `{second}`")
            }
            ValidationError::RegexpOptions(options) => {
                write!(f, "a regular expression has no options after it: unexpected `{options}`")
            }
            ValidationError::NotTopLevel => {
                f.write_str("this definition must be at the top level or directly in a class, not inside an expression")
            }
            ValidationError::NotAbsoluteTopLevel => {
                f.write_str("this definition must be at the top level, not inside another definition")
            }
            ValidationError::NotValue => f.write_str("a collector has no value and cannot be used where one is needed"),
            ValidationError::DuplicateKey(key) => write!(f, "duplicate key {key} in the hash"),
            ValidationError::DuplicateDefault => f.write_str("duplicate `default`"),
            ValidationError::DuplicateParameter(name) => write!(f, "duplicate parameter `${name}`"),
            ValidationError::VariableName(name) => {
                write!(f, "`${name}` is not a valid variable name: every segment must start with a lower-case letter")
            }
            ValidationError::NumericVariableName(name) => {
                write!(f, "`${name}` is not a valid variable name: expected a decimal number or a name")
            }
            ValidationError::ParameterName(name) => {
                write!(f, "`${name}` is not a valid parameter name: expected a lower-case letter first and no `::`")
            }
            ValidationError::ReservedParameter(name) => {
                write!(f, "`${name}` is a parameter of every resource and cannot be declared")
            }
            ValidationError::CapturesRest { name, what } => write!(f, "`*${name}` cannot be a parameter of {what}"),
            ValidationError::CapturesRestNotLast(name) => {
                write!(f, "`*${name}` must be the last parameter")
            }
            ValidationError::DefinitionName { name, what } => write!(f, "`{name}` is not a valid name for {what}"),
            ValidationError::ReservedTypeName { name, what } => {
                write!(f, "`{name}` is not a valid name for {what}: it is the name of a type")
            }
            ValidationError::AssignmentInDefault => {
                f.write_str("the default value of a parameter cannot assign a variable")
            }
            ValidationError::AliasOfArray => f.write_str("expected a type after `=`, found an array"),
            ValidationError::ReservedWord(word) => write!(f, "`{word}` is a reserved word"),
            ValidationError::NumericAssignment(name) => {
                write!(f, "`${name}` is set by the last match and cannot be assigned")
            }
            ValidationError::CrossScope(name) => {
                write!(f, "`${name}` belongs to another scope and cannot be assigned here")
            }
            ValidationError::IndexedAssignment => {
                f.write_str("cannot assign to an element of a value: expected a variable")
            }
            ValidationError::NotAssignable(text) => write!(f, "cannot assign to `{text}`: expected a variable"),
            ValidationError::AppendsDeletes(AssignmentOperator::Delete) => {
                f.write_str("the operator `-=` is not supported by Puppet 8")
            }
            ValidationError::AppendsDeletes(_) => f.write_str("the operator `+=` is not supported by Puppet 8"),
            ValidationError::NotCallable { text, .. } => {
                write!(f, "expected a function name or a type before `(`, found `{text}`")
            }
            ValidationError::Unsupported(what) => write!(f, "{what} is not supported by Puppet 8"),
            ValidationError::HostName(name) => {
                write!(f, "`{name}` is not a valid host name: expected letters, digits, `_`, `-` and `.`")
            }
            ValidationError::HostInterpolation => f.write_str("a host name cannot contain an interpolation"),
            ValidationError::NodeInheritance => f.write_str("nodes cannot inherit from each other"),
            ValidationError::Untitled(name) => write!(f, "the resource `{name}` has no title"),
            ValidationError::NotVirtualisable(what) => write!(f, "expected a resource after `@`, found {what}"),
            ValidationError::ClassNotVirtualisable => f.write_str("a class cannot be virtual or exported"),
            ValidationError::AttributeAppend(name) => {
                write!(f, "expected `=>` after `{name}`: only overrides append with `+>`")
            }
            ValidationError::SecondUnfold => f.write_str("duplicate `* =>`: expected at most one per resource body"),
            ValidationError::CollectorType => f.write_str("expected a resource type such as `File` before the query"),
            ValidationError::Query(text) => {
                write!(
                    f,
                    "expected comparisons with `==` and `!=` in the query, joined by `and` and `or`, found `{text}`"
                )
            }
        }
    }
}
