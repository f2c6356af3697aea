//! What can go wrong in an evaluation, apart from the operators' own faults.

use std::fmt;

use super::elsewhere;
use crate::error::{Kind, LIMIT, RUNTIME_ERROR};
use crate::types::Type;

/// The issue code of a name that is neither a type nor an alias.
pub(crate) const UNKNOWN_TYPE: &str = "UNKNOWN_RESOURCE_TYPE";

#[derive(Debug)]
pub(super) enum EvalError {
    /// `file { 'x': }`
    NeedsCatalog(String),
    /// `include('apache')`
    CatalogFunction(String),
    /// `<%= 1 %>` outside a template
    OutsideTemplate,
    /// `|$x| { }` on its own
    LoneLambda,
    /// `attr`
    ReservedWord(String),
    /// `$x += 1`
    AppendOrDelete(&'static str),
    /// `$1 = 2`
    AssignToMatchVariable(String),
    /// `$a::b = 1`
    AssignAcrossScopes(String),
    /// `$trusted = 1`
    AssignToReserved(String),
    /// `$title = 1`
    AssignToBuiltIn(String),
    /// `1 = 2`
    AssignToOther,
    /// `$x = 1  $x = 2`
    Reassignment(String),
    /// `[$a, $b] = [1]`
    AssignmentSize { expected: usize, got: usize },
    /// `[$a, $b] = {a => 1}`
    AssignmentKey(String),
    /// `$nosuch`
    UnknownVariable { name: String, near: Option<String> },
    /// `nosuch(1)`
    UnknownFunction { name: String, near: Option<String>, is_computed: bool },
    /// `ensure_packages(['vim'])`, where a module has it in a Ruby file
    RubyFunction { name: String, file: String },
    /// `Interger`; the module that the name begins with may be `missing`.
    UnknownType { name: String, near: Option<String>, missing: Option<String> },
    /// `type A = Integer  type A = String`
    Redefinition(String),
    /// `type A = 5`
    AliasNotType { name: String, got: String },
    /// `5 ? { 1 => 2 }`
    NoOption(String),
    /// `with(1) |$a = 1, $b| { }`
    RequiredAfterOptional(String),
    /// `import 'a.pp'`
    Import,
    /// `with() |$x| { }`
    MissingArgument { name: String, callee: String },
    /// `f(1, 2)`
    ArgumentCount { callee: String, expected: String, got: usize, signatures: Vec<String> },
    /// `f('a')`; the parameter is `the parameter $n`, or `argument 1` where signatures name it differently
    Argument { callee: String, parameter: String, expected: String, got: String, signatures: Vec<String> },
    /// `length('a') |$x| { }`
    UnexpectedBlock { callee: String, signatures: Vec<String> },
    /// `map([1])`
    MissingBlock { callee: String, signatures: Vec<String> },
    /// `[1].map || { }`
    BlockParameters { callee: String, expected: String, got: String, signatures: Vec<String> },
    /// `inline_epp('<%- | $x | -%>', {y => 1})`
    UnknownParameter { name: String, near: Option<String> },
    /// `function f() >> String { 1 }`
    ReturnValue { callee: String, expected: String, got: String },
    /// `$x()`, where that is a Deferred
    CalledVariable(String),
    /// `$deferred(1)`, `$deferred() |$x| { }`
    DeferredArguments { lambda: bool, got: usize },
    /// `5()`
    NotCallable(String),
    /// `function f() { f() }`
    TooDeep(usize),
}

impl Kind for EvalError {
    fn code(&self) -> &'static str {
        match self {
            EvalError::NeedsCatalog(_) | EvalError::CatalogFunction(_) => {
                "CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING"
            }
            EvalError::ReservedWord(_) => "RESERVED_WORD",
            EvalError::AppendOrDelete(_) => "APPENDS_DELETES_NO_LONGER_SUPPORTED",
            EvalError::AssignToMatchVariable(_) => "ILLEGAL_NUMERIC_ASSIGNMENT",
            EvalError::AssignAcrossScopes(_) => "CROSS_SCOPE_ASSIGNMENT",
            EvalError::AssignToReserved(_) => "ILLEGAL_RESERVED_ASSIGNMENT",
            EvalError::AssignToBuiltIn(_) | EvalError::Reassignment(_) => "ILLEGAL_REASSIGNMENT",
            EvalError::AssignToOther => "ILLEGAL_ASSIGNMENT",
            EvalError::AssignmentSize { .. } => "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
            EvalError::AssignmentKey(_) => "MISSING_MULTI_ASSIGNMENT_KEY",
            EvalError::UnknownVariable { .. } => "UNKNOWN_VARIABLE",
            EvalError::UnknownFunction { is_computed: false, .. } | EvalError::RubyFunction { .. } => {
                "UNKNOWN_FUNCTION"
            }
            EvalError::UnknownType { .. } => UNKNOWN_TYPE,
            EvalError::NoOption(_) => "UNMATCHED_SELECTOR",
            EvalError::RequiredAfterOptional(_) => "REQUIRED_PARAMETER_AFTER_OPTIONAL",
            EvalError::Import => "DISCONTINUED_IMPORT",
            EvalError::MissingArgument { .. } => "MISSING_REQUIRED_PARAMETER",
            EvalError::TooDeep(_) => LIMIT,
            EvalError::CalledVariable(_) | EvalError::NotCallable(_) => "ILLEGAL_EXPRESSION",
            EvalError::OutsideTemplate
            | EvalError::LoneLambda
            | EvalError::Redefinition(_)
            | EvalError::AliasNotType { .. }
            | EvalError::ArgumentCount { .. }
            | EvalError::Argument { .. }
            | EvalError::UnexpectedBlock { .. }
            | EvalError::MissingBlock { .. }
            | EvalError::BlockParameters { .. }
            | EvalError::UnknownParameter { .. }
            | EvalError::ReturnValue { .. }
            | EvalError::UnknownFunction { is_computed: true, .. }
            | EvalError::DeferredArguments { .. } => RUNTIME_ERROR,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            EvalError::NeedsCatalog(_) => {
                Some("references such as `Notify['a']` and parameters of classes need no catalog".into())
            }
            EvalError::CatalogFunction(_) => Some("`:functions` lists the functions that need no catalog".to_owned()),
            EvalError::LoneLambda => Some("pass the lambda to a function: `[1, 2].map |$x| { $x }`".to_owned()),
            EvalError::ReservedWord(word) => Some(format!("quote it to use it as a string: '{word}'")),
            EvalError::AppendOrDelete(operator) => {
                Some(format!("assign to a new variable: `$y = $x {} …`", operator.trim_end_matches('=')))
            }
            EvalError::Reassignment(name) => {
                Some(format!("choose another name; at the prompt, `:unset ${name}` removes this one"))
            }
            EvalError::AssignToReserved(_) | EvalError::AssignToBuiltIn(_) | EvalError::AssignAcrossScopes(_) => {
                Some("choose another name".to_owned())
            }
            EvalError::UnknownVariable { name, .. } if name == "facts" => {
                Some("load facts from a file: `pcore --facts facts.yaml`".to_owned())
            }
            EvalError::UnknownVariable { near: Some(near), .. }
            | EvalError::UnknownParameter { near: Some(near), .. } => Some(format!("did you mean ${near}?")),
            EvalError::UnknownVariable { name, near: None } => Some(format!("assign it first: `${name} = …`")),
            EvalError::UnknownFunction { name, near, .. } => {
                let near = near.as_ref().map(|near| format!("did you mean {near}?"));
                let listed = || "`:functions` lists the known ones; `--modulepath` adds those of modules".to_owned();
                Some(elsewhere::function(name).or(near).unwrap_or_else(listed))
            }
            EvalError::RubyFunction { file, .. } => Some(format!("it is defined in {file}")),
            EvalError::UnknownType { name, near, missing } => match (elsewhere::value(name), near) {
                (Some(value), _) => Some(format!("write `{value}`")),
                (None, Some(near)) => Some(format!("did you mean {near}?")),
                (None, None) => {
                    missing.as_ref().map(|module| format!("there is no module {module} on the module path"))
                }
            },
            EvalError::Redefinition(name) if Type::named(name).is_some() => {
                Some(format!("{name} is built in; choose another name"))
            }
            EvalError::Redefinition(name) => {
                Some(format!("choose another name; at the prompt, `:unset {name}` removes this one"))
            }
            EvalError::RequiredAfterOptional(name) => Some(format!("put `${name}` first, or give it a default value")),
            EvalError::Import => {
                Some("remove it: files of modules are found by the names of their definitions".to_owned())
            }
            EvalError::CalledVariable(text) => Some(format!("write `{text}.call`")),
            EvalError::NoOption(_) => Some("add an option `default => …`".to_owned()),
            EvalError::ArgumentCount { signatures, .. }
            | EvalError::Argument { signatures, .. }
            | EvalError::UnexpectedBlock { signatures, .. }
            | EvalError::MissingBlock { signatures, .. }
            | EvalError::BlockParameters { signatures, .. } => match &**signatures {
                [] => None,
                [one] => Some(format!("expected {one}")),
                several => Some(format!("expected one of\n{}", several.join("\n"))),
            },
            _ => None,
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::NeedsCatalog(text) => {
                let first_line = text.lines().next().unwrap_or_default();
                write!(f, "`{first_line}` needs a catalog; pcore does not compile catalogs")
            }
            EvalError::CatalogFunction(name) => {
                write!(f, "{name}() needs a catalog; pcore does not compile catalogs")
            }
            EvalError::OutsideTemplate => {
                f.write_str("expected a program, found a template: render it with epp() or inline_epp()")
            }
            EvalError::LoneLambda => f.write_str("unexpected lambda without a call"),
            EvalError::ReservedWord(word) => write!(f, "`{word}` is a reserved word"),
            EvalError::AppendOrDelete(operator) => write!(f, "`{operator}` is not supported by Puppet 8"),
            EvalError::AssignToMatchVariable(name) => {
                write!(f, "${name} is set by regular expression matches and cannot be assigned")
            }
            EvalError::AssignAcrossScopes(name) => {
                write!(f, "${name} belongs to another scope and cannot be assigned here")
            }
            EvalError::AssignToReserved(name) => write!(f, "${name} is a reserved variable"),
            EvalError::AssignToBuiltIn(name) => write!(f, "${name} is a built-in variable"),
            EvalError::AssignToOther => f.write_str("expected a variable or an array of variables on the left of `=`"),
            EvalError::Reassignment(name) => write!(f, "cannot reassign variable ${name}"),
            EvalError::AssignmentSize { expected, got } => {
                write!(f, "expected {expected} values for {expected} variables, got {got}")
            }
            EvalError::AssignmentKey(list) if list.starts_with('[') => {
                write!(f, "the Hash has no key {list}: expected the names of variables, without another list")
            }
            EvalError::AssignmentKey(name) => write!(f, "the Hash has no key '{name}' for the variable ${name}"),
            EvalError::UnknownVariable { name, .. } => write!(f, "unknown variable ${name}"),
            EvalError::UnknownFunction { name, .. } => write!(f, "unknown function {name}"),
            EvalError::RubyFunction { name, .. } => {
                write!(f, "the function {name} is written in Ruby, which pcore does not run")
            }
            EvalError::UnknownType { name, .. } => write!(f, "{name} is neither a type nor an alias"),
            EvalError::Redefinition(name) => write!(f, "{name} is already defined"),
            EvalError::AliasNotType { name, got } => write!(f, "expected a type for the alias {name}, got {got}"),
            EvalError::NoOption(value) => write!(f, "no option of the selector matches {value}"),
            EvalError::RequiredAfterOptional(name) => {
                write!(f, "the required parameter `${name}` follows an optional one")
            }
            EvalError::Import => f.write_str("`import` is not supported by Puppet 8"),
            EvalError::MissingArgument { name, callee } => {
                write!(f, "missing value for the parameter ${name} of {callee}")
            }
            EvalError::ArgumentCount { callee, expected, got, .. } => {
                write!(f, "{callee} accepts {expected}, got {got}")
            }
            EvalError::Argument { callee, parameter, expected, got, .. } => {
                write!(f, "{parameter} of {callee} must be {expected}, got {got}")
            }
            EvalError::UnexpectedBlock { callee, .. } => write!(f, "{callee} accepts no lambda"),
            EvalError::MissingBlock { callee, .. } => write!(f, "{callee} requires a lambda"),
            EvalError::BlockParameters { callee, expected, got, .. } => {
                write!(f, "{callee} requires a lambda {expected}, got {got}")
            }
            EvalError::UnknownParameter { name, .. } => write!(f, "the template has no parameter ${name}"),
            EvalError::ReturnValue { callee, expected, got } => {
                write!(f, "{callee} must return {expected}, but returned {got}")
            }
            EvalError::CalledVariable(text) => {
                write!(f, "`{text}()` resolves a Deferred by the specification, but Puppet 8 rejects it")
            }
            EvalError::DeferredArguments { lambda: true, .. } => f.write_str("a Deferred accepts no lambda"),
            EvalError::DeferredArguments { lambda: false, got } => {
                write!(f, "a Deferred has its own arguments: expected none in the parentheses, got {got}")
            }
            EvalError::NotCallable(got) => write!(f, "expected a type or a Deferred to call, got {got}"),
            EvalError::TooDeep(levels) => write!(f, "calls are nested more than {levels} levels deep"),
        }
    }
}
