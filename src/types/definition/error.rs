//! Errors in the parameters of a type.

use crate::error::{RUNTIME_ERROR, errors};
use crate::types::{self, describe};
use crate::value::Value;

/// The issue codes of errors that are caused by a single argument, at whose position they are reported.
///
/// Observed: Puppet 7.23 points at that argument.
pub(super) const SINGLE_ARGUMENT_ERROR_CODES: [&str; 9] = [
    "BAD_COLLECTION_SLICE_TYPE",
    "BAD_INTEGER_SLICE_TYPE",
    "BAD_NOT_UNDEF_SLICE_TYPE",
    "BAD_TYPE_SLICE_TYPE",
    "BAD_TYPE_SPECIALIZATION",
    "ILLEGAL_CLASSREF",
    "ILLEGAL_HOSTCLASS_NAME",
    "ILLEGAL_NAME",
    "ILLEGAL_RESOURCE_SPECIALIZATION",
];

errors! {
    /// The reasons why a type with parameters is invalid. `type_` is the name before the brackets.
    #[derive(Debug)]
    pub(crate) enum TypeError {
        /// `Any[1]`
        TakesNoParameters { type_: &'static str } => "OPERATOR_NOT_APPLICABLE",
            message("{type_} accepts no parameters"), help("write {type_} without brackets");
        /// `type Port = Integer  Port[1]`
        AliasTakesNoParameters { name: String } => "OPERATOR_NOT_APPLICABLE",
            message("the type alias {name} accepts no parameters");
        /// `Boolean[true, false]`; `expected` is the allowed number in words, such as `1 or 2`
        Arity { type_: &'static str, expected: &'static str, got: usize } => {
            match *type_ {
                "Integer" | "Float" => "BAD_INTEGER_SLICE_ARITY",
                "String" => "BAD_STRING_SLICE_ARITY",
                _ => "BAD_TYPE_SLICE_ARITY",
            }
        },
            message("{type_} accepts {expected} {}, got {got}", {
                if expected.ends_with('1') { "parameter" } else { "parameters" }
            }),
            help {
                let row = types::TABLE.iter().find(|row| row.name == *type_)?;
                Some(match (row.parameters, got) {
                    _ if *type_ == "Tuple" => "put the types first, `Tuple[String, Integer]`: numbers are sizes".to_owned(),
                    ("type", 2..) => format!("for one of several types, write {type_}[Variant[A, B]]; a size belongs to the inner type: {type_}[String[1]]"),
                    _ => format!("write {type_}[{}]", row.parameters),
                })
            };
        /// `Array['x']`: `got` describes the value where a type is expected
        NotAType { type_: &'static str, got: String } => "BAD_TYPE_SLICE_TYPE",
            message("expected a type as a parameter of {type_}, got {got}"),
            help("{}", if *type_ == "Hash" && got.starts_with("Hash {") {
                "separate parameters with a comma: `Hash[A, B]`"
            } else if *type_ == "Sensitive" {
                "to hide a value, write `Sensitive('value')`; the type of such values is `Sensitive[String]`"
            } else if matches!(*type_, "Array" | "Hash") && got.starts_with("Integer ") {
                "put sizes, at most two, behind the types: `Array[String, 1, 10]`"
            } else {
                "write a type there, with an upper-case letter and without quotes: `Array[String]`"
            });
        /// `Integer['x']`
        NotAnEnd { type_: &'static str, got: String } => "BAD_INTEGER_SLICE_TYPE",
            message("expected {} or default as a bound of {type_}, got {got}", {
                if *type_ == "Float" { "a number" } else { "an Integer" }
            }),
            help { got.starts_with("String '").then(|| "write a number, or `default` for an open end: `[1, default]`".to_owned()) };
        /// `Array[Integer, 'x']`
        NotASize { got: String } => "BAD_COLLECTION_SLICE_TYPE",
            message("expected a size (one or two Integers or defaults, or an Integer range), got {got}"),
            help("{}", match got.split_once(' ') {
                Some(("String", _)) => "write a size without quotes, as in `[1, 10]`; for given strings, `Enum['a', 'b']`",
                Some(("Regexp", regexp)) => return Some(format!("for strings that match, write `Pattern[{regexp}]`")),
                Some(("Hash", _)) => "parameters of types have no names: `Array[String, 1, 10]`",
                Some(("the", _)) => "write one type, then sizes: `Array[String, 1]`; for several types, `Array[Variant[Integer, String]]`",
                _ => "put sizes behind the types: `Array[String, 1, 10]`, `Hash[String, Any, 1]`",
            });
        /// `NotUndef[1]`, `Resource['not a name']`
        Unexpected { code: &'static str, expected: &'static str, got: String } => *code,
            message("expected {expected}, got {got}");
        /// `Enum[1]`; `expected` is a phrase, such as `a String`
        Parameter { type_: &'static str, expected: &'static str, got: String } => "BAD_TYPE_SPECIALIZATION",
            message("expected {expected} as a parameter of {type_}, got {got}"),
            help {
                match got.split_once(' ')? {
                    ("Integer", _) if *type_ == "Tuple" => {
                        Some("write types, and behind them at most two sizes: `Tuple[String, Integer, 1, 2]`".to_owned())
                    }
                    ("String", _) if *type_ == "Variant" => {
                        Some("put strings into an Enum: `Variant[Enum['a', 'b'], Integer]`".to_owned())
                    }
                    _ if *type_ == "Boolean" => Some("write `Boolean[true]`, or convert: `Boolean('yes')`".to_owned()),
                    _ if *type_ != "Enum" => None,
                    ("Regexp", regexp) => Some(format!("write regular expressions in a Pattern: `Pattern[{regexp}]`")),
                    (number_type @ ("Integer" | "Float"), number) => {
                        Some(format!("the values of an Enum are strings; for one of several numbers, write `Variant[{number_type}[{number}, {number}], …]`"))
                    }
                    _ => None,
                }
            };
        /// `Integer[10, 1]`
        Descending { from: String, to: String } => RUNTIME_ERROR,
            message("the range is descending: {from} is greater than {to}"),
            help("put the lower bound first: [{to}, {from}]");
        /// `File['a']['mode']`
        ResourceAttribute { resource: String } => "UNKNOWN_RESOURCE",
            message("cannot read attributes of {resource}: pcore does not compile catalogs"),
            help("keep the attributes in a hash and read them from it: `$attributes['mode']`");
        /// `Point('x')`; `type_` is the name of an Object type
        Construction { type_: String, problem: String } => RUNTIME_ERROR,
            message("cannot create an instance of {type_}: {problem}");
        /// `type A = A`, directly or through other aliases; `names` is the cycle: its first and last name are equal
        ResolvesToItself { names: Vec<String> } => RUNTIME_ERROR,
            message("the type alias refers only to itself: {}", describe_alias_cycle(names)),
            help("wrap the alias in an Array, a Hash, a Tuple or a Struct");
        /// `type A = Variant`
        NoTypes { name: String } => RUNTIME_ERROR,
            message("the type alias {name} is a Variant without types, which nothing is an instance of"),
            help("write types in brackets: `Variant[Integer, String]`");
        /// `type A = Object[{parent => A}]`
        InheritsFromItself { name: String } => RUNTIME_ERROR,
            message("the Object type {name} inherits from itself");
        /// `1 =~ Init[Any]`: `type_` cannot be constructed from a value followed by `arguments`
        Unusable { type_: String, arguments: Vec<String> } => RUNTIME_ERROR,
            message("{}", if arguments.is_empty() {
                format!("Init[{type_}] cannot be used, because {type_} has no constructor")
            } else {
                format!("{type_} cannot be constructed from a value followed by {}", arguments.join(", "))
            });
        /// `Struct[{1 => Integer}]`, or another error inside a parameter, which `problem` describes
        InvalidParameter { type_: &'static str, problem: String } => RUNTIME_ERROR,
            message("invalid parameter of {type_}: {problem}");
    }
}

impl TypeError {
    pub(crate) fn wrong_parameter(type_: &'static str, expected: &'static str, value: &Value) -> TypeError {
        TypeError::Parameter { type_, expected, got: describe(value) }
    }

    pub(crate) fn unexpected_value(code: &'static str, expected: &'static str, value: &Value) -> TypeError {
        TypeError::Unexpected { code, expected, got: describe(value) }
    }

    pub(crate) fn invalid_parameter_error(type_: &'static str, problem: impl Into<String>) -> TypeError {
        TypeError::InvalidParameter { type_, problem: problem.into() }
    }

    pub(crate) fn not_a_type(type_: &'static str, value: &Value) -> TypeError {
        TypeError::NotAType { type_, got: describe(value) }
    }
}

fn describe_alias_cycle(names: &[String]) -> String {
    const MAX_CYCLE_NAMES: usize = 12;
    match names.split_last() {
        Some((last, first)) if names.len() > MAX_CYCLE_NAMES => {
            let first = first.iter().take(MAX_CYCLE_NAMES - 1).map(String::as_str);
            first.chain(["…", last]).collect::<Vec<_>>().join(" = ")
        }
        _ => names.join(" = "),
    }
}
