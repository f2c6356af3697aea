//! The rules that a program can break after it was parsed: their codes, their words, and what to write instead.

use std::fmt;

use super::names::{is_parameter_name, is_variable_name};
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
pub(super) enum Misuse {
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

impl Kind for Misuse {
    fn issue(&self) -> &'static str {
        match self {
            Misuse::LostValue(_) | Misuse::TornValue { .. } => "IDEM_EXPRESSION_NOT_LAST",
            Misuse::RegexpOptions(_) => "SYNTAX_ERROR",
            Misuse::LostLastValue(_) => "IDEM_NOT_ALLOWED_LAST",
            Misuse::NotTopLevel => "NOT_TOP_LEVEL",
            Misuse::NotAbsoluteTopLevel => "NOT_ABSOLUTE_TOP_LEVEL",
            Misuse::NotValue => "NOT_RVALUE",
            Misuse::DuplicateKey(_) => "DUPLICATE_KEY",
            Misuse::DuplicateDefault => "DUPLICATE_DEFAULT",
            Misuse::DuplicateParameter(_) => "DUPLICATE_PARAMETER",
            Misuse::VariableName(_) => "ILLEGAL_VAR_NAME",
            Misuse::NumericVariableName(_) => "ILLEGAL_NUMERIC_VAR_NAME",
            Misuse::ParameterName(_) => "ILLEGAL_PARAM_NAME",
            Misuse::ReservedParameter(_) => "RESERVED_PARAMETER",
            Misuse::CapturesRest { .. } => "CAPTURES_REST_NOT_SUPPORTED",
            Misuse::CapturesRestNotLast(_) => "CAPTURES_REST_NOT_LAST",
            Misuse::DefinitionName { .. } => "ILLEGAL_DEFINITION_NAME",
            Misuse::ReservedTypeName { .. } => "RESERVED_TYPE_NAME",
            Misuse::ReservedWord(_) => "RESERVED_WORD",
            Misuse::AssignmentInDefault => "ILLEGAL_ASSIGNMENT_CONTEXT",
            Misuse::NumericAssignment(_) => "ILLEGAL_NUMERIC_ASSIGNMENT",
            Misuse::CrossScope(_) => "CROSS_SCOPE_ASSIGNMENT",
            Misuse::IndexedAssignment => "ILLEGAL_INDEXED_ASSIGNMENT",
            Misuse::NotAssignable(_) => "ILLEGAL_ASSIGNMENT",
            Misuse::AppendsDeletes(_) => "APPENDS_DELETES_NO_LONGER_SUPPORTED",
            Misuse::NotCallable { .. } | Misuse::AliasOfArray | Misuse::CollectorType => "ILLEGAL_EXPRESSION",
            Misuse::Unsupported(_) => "UNSUPPORTED_EXPRESSION",
            Misuse::HostName(_) => "ILLEGAL_HOSTNAME_CHARS",
            Misuse::HostInterpolation => "ILLEGAL_HOSTNAME_INTERPOLATION",
            Misuse::NodeInheritance => "ILLEGAL_NODE_INHERITANCE",
            Misuse::Untitled(_) => "RESOURCE_WITHOUT_TITLE",
            Misuse::NotVirtualisable(_) => "NOT_VIRTUALIZEABLE",
            Misuse::ClassNotVirtualisable => "CLASS_NOT_VIRTUALIZABLE",
            Misuse::AttributeAppend(_) => "ILLEGAL_ATTRIBUTE_APPEND",
            Misuse::SecondUnfold => "MULTIPLE_ATTRIBUTES_UNFOLD",
            Misuse::Query(_) => "ILLEGAL_QUERY_EXPRESSION",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Misuse::LostValue(text) if text == "not" => Some("write a negation as `!`".to_owned()),
            Misuse::TornValue { what: Torn::Regexp, second, .. } => Some(options_inside(second)),
            Misuse::RegexpOptions(options) => Some(options_inside(options)),
            Misuse::TornValue { what: Torn::Name, second, .. } if second.starts_with("::") => {
                Some("capitalize every segment of the type's name: `Concat::Fragment`".to_owned())
            }
            Misuse::TornValue { .. } => Some("separate them with an operator, a comma or a line break".to_owned()),
            Misuse::NotCallable { text, is_variable: true } => Some(format!("resolve a Deferred with `{text}.call`")),
            Misuse::LostValue(_) => Some("assign it, pass it to a function, or delete it".to_owned()),
            Misuse::VariableName(name) => {
                let lower = name.to_lowercase();
                is_variable_name(&lower).then(|| format!("write `${lower}`"))
            }
            Misuse::ParameterName(name) => {
                let lower = name.to_lowercase();
                is_parameter_name(&lower).then(|| format!("write `${lower}`"))
            }
            Misuse::ReservedTypeName { name, .. } => Some(format!("put it in a namespace: `my::{name}`")),
            Misuse::AssignmentInDefault => Some("assign the variable in the body".to_owned()),
            Misuse::AliasOfArray => Some(
                "for several types, write `Tuple[A, B]` (in this order) or `Variant[A, B]` (any of them)".to_owned(),
            ),
            Misuse::DuplicateParameter(_) => Some("give each parameter its own name".to_owned()),
            Misuse::DuplicateKey(_) => Some("only the last one counts: delete the others".to_owned()),
            Misuse::ReservedWord(word) => Some(format!("quote it to use it as a string: `'{word}'`")),
            Misuse::AppendsDeletes(_) => Some("write `$new = $old + value`".to_owned()),
            Misuse::DuplicateDefault => Some("delete one of them".to_owned()),
            Misuse::NotAssignable(text) if is_parameter_name(text) => {
                Some(format!("write a variable with a dollar sign: `${text}`"))
            }
            Misuse::CrossScope(name) => {
                let own = name.rsplit("::").next().unwrap_or_default();
                Some(format!("assign to a variable of this scope, without a namespace: `${own}`"))
            }
            Misuse::NumericVariableName(_) => Some("start the name with a letter".to_owned()),
            Misuse::Untitled(name) => Some(format!("write `{name} {{ 'title': … }}`")),
            Misuse::NodeInheritance => Some("include a common class in both nodes".to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::LostValue(text) => write!(f, "the value of `{text}` is never used"),
            Misuse::LostLastValue(text) => {
                write!(f, "the value of `{text}` is never used: classes, defined types and nodes return no value")
            }
            Misuse::TornValue { what: Torn::Regexp, first, second } => {
                write!(f, "a regular expression has no options after it: unexpected `{second}` after `{first}`")
            }
            Misuse::TornValue { first, second, .. } => {
                write!(f, "expected one expression, found two without anything between them: `{first}` and `{second}`")
            }
            Misuse::RegexpOptions(options) => {
                write!(f, "a regular expression has no options after it: unexpected `{options}`")
            }
            Misuse::NotTopLevel => {
                f.write_str("this definition must be at the top level or directly in a class, not inside an expression")
            }
            Misuse::NotAbsoluteTopLevel => {
                f.write_str("this definition must be at the top level, not inside another definition")
            }
            Misuse::NotValue => f.write_str("a collector has no value and cannot be used where one is needed"),
            Misuse::DuplicateKey(key) => write!(f, "duplicate key {key} in the hash"),
            Misuse::DuplicateDefault => f.write_str("duplicate `default`"),
            Misuse::DuplicateParameter(name) => write!(f, "duplicate parameter `${name}`"),
            Misuse::VariableName(name) => {
                write!(f, "`${name}` is not a valid variable name: every segment must start with a lower-case letter")
            }
            Misuse::NumericVariableName(name) => {
                write!(f, "`${name}` is not a valid variable name: expected a decimal number or a name")
            }
            Misuse::ParameterName(name) => {
                write!(f, "`${name}` is not a valid parameter name: expected a lower-case letter first and no `::`")
            }
            Misuse::ReservedParameter(name) => {
                write!(f, "`${name}` is a parameter of every resource and cannot be declared")
            }
            Misuse::CapturesRest { name, what } => write!(f, "`*${name}` cannot be a parameter of {what}"),
            Misuse::CapturesRestNotLast(name) => {
                write!(f, "`*${name}` must be the last parameter")
            }
            Misuse::DefinitionName { name, what } => write!(f, "`{name}` is not a valid name for {what}"),
            Misuse::ReservedTypeName { name, what } => {
                write!(f, "`{name}` is not a valid name for {what}: it is the name of a type")
            }
            Misuse::AssignmentInDefault => f.write_str("the default value of a parameter cannot assign a variable"),
            Misuse::AliasOfArray => f.write_str("expected a type after `=`, found an array"),
            Misuse::ReservedWord(word) => write!(f, "`{word}` is a reserved word"),
            Misuse::NumericAssignment(name) => {
                write!(f, "`${name}` is set by the last match and cannot be assigned")
            }
            Misuse::CrossScope(name) => write!(f, "`${name}` belongs to another scope and cannot be assigned here"),
            Misuse::IndexedAssignment => f.write_str("cannot assign to an element of a value: expected a variable"),
            Misuse::NotAssignable(text) => write!(f, "cannot assign to `{text}`: expected a variable"),
            Misuse::AppendsDeletes(AssignmentOperator::Delete) => {
                f.write_str("the operator `-=` is not supported by Puppet 8")
            }
            Misuse::AppendsDeletes(_) => f.write_str("the operator `+=` is not supported by Puppet 8"),
            Misuse::NotCallable { text, .. } => {
                write!(f, "expected a function name or a type before `(`, found `{text}`")
            }
            Misuse::Unsupported(what) => write!(f, "{what} is not supported by Puppet 8"),
            Misuse::HostName(name) => {
                write!(f, "`{name}` is not a valid host name: expected letters, digits, `_`, `-` and `.`")
            }
            Misuse::HostInterpolation => f.write_str("a host name cannot contain an interpolation"),
            Misuse::NodeInheritance => f.write_str("nodes cannot inherit from each other"),
            Misuse::Untitled(name) => write!(f, "the resource `{name}` has no title"),
            Misuse::NotVirtualisable(what) => write!(f, "expected a resource after `@`, found {what}"),
            Misuse::ClassNotVirtualisable => f.write_str("a class cannot be virtual or exported"),
            Misuse::AttributeAppend(name) => {
                write!(f, "expected `=>` after `{name}`: only overrides append with `+>`")
            }
            Misuse::SecondUnfold => f.write_str("duplicate `* =>`: expected at most one per resource body"),
            Misuse::CollectorType => f.write_str("expected a resource type such as `File` before the query"),
            Misuse::Query(text) => {
                write!(
                    f,
                    "expected comparisons with `==` and `!=` in the query, joined by `and` and `or`, found `{text}`"
                )
            }
        }
    }
}
