//! The errors of a program that parses but violates a rule: their codes, messages and hints.

use super::naming::{is_parameter_name, is_variable_name};
use crate::dictionary::{self, Kind};
use crate::error::{RUNTIME_ERROR, errors};
use crate::syntax::grammar::operators::{BinaryOperator, binary_operator_text};
use crate::wording::capitalize_segments;

const NO_REGEXP_OPTIONS: &str = "a regular expression has no options after it";

fn regexp_options_hint(options: &str) -> String {
    let letters = options.chars().take_while(char::is_ascii_alphabetic);
    let known: String = letters.filter(|letter| "imx".contains(*letter)).collect();
    let hint = || format!("put options inside the expression: `/(?{known}:…)/`");
    if known.is_empty() { crate::syntax::suggestions::NO_FLAG_HINT.to_owned() } else { hint() }
}

errors! {
    /// An error of a program that parses but violates a rule.
    #[derive(Debug)]
    pub(super) enum ValidationError {
        LostValue(text: String) => "IDEM_EXPRESSION_NOT_LAST",
            message("the value of `{text}` is never used"),
            help("{}", match text.as_str() {
                "not" => "write a negation as `!`",
                word if let Some(row) = dictionary::find_word(word, &[Kind::Keyword]) => row.advice,
                _ => "assign it, pass it to a function, or delete it",
            });
        /// `/a/i`, `concat::Fragment['x']`
        TornValue { first: String, second: String } => "IDEM_EXPRESSION_NOT_LAST",
            message("{}", if first.ends_with('/') {
                format!("{NO_REGEXP_OPTIONS}: unexpected `{second}` after `{first}`")
            } else {
                format!("expected one expression, found two without anything between them: `{first}` and `{second}`")
            }),
            help("{}", match first.as_str() {
                _ if first.ends_with('/') => regexp_options_hint(second),
                _ if is_variable_name(first) && second.starts_with("::") => {
                    let name = capitalize_segments(&format!("{first}{second}"));
                    format!("capitalize every segment of the name of a type: `{name}`")
                }
                _ if first.ends_with('\'') && second.starts_with('\'') => "write a quote in a string as `\\'`".to_owned(),
                "f" => "strings in double quotes are interpolated: `\"port ${port}\"`".to_owned(),
                _ if is_parameter_name(first) && second.starts_with(['\'', '"']) => "leave out what stands before the quote".to_owned(),
                _ if first.ends_with(']') && second.starts_with(|letter: char| letter.is_ascii_alphabetic()) => {
                    "put the parameters of a type in brackets: `Array[String]`, `Hash[String, Integer]`".to_owned()
                }
                _ => "separate them with an operator, a comma or a line break".to_owned(),
            });
        /// `'ab' =~ /a/i`
        RegexpOptions(options: String) => "SYNTAX_ERROR",
            message("{NO_REGEXP_OPTIONS}: unexpected `{options}`"), help("{}", regexp_options_hint(options));
        LostLastValue(text: String) => "IDEM_NOT_ALLOWED_LAST",
            message("the value of `{text}` is never used: classes, defined types and nodes return no value");
        NotTopLevel => "NOT_TOP_LEVEL",
            message("this definition must be at the top level or directly in a class, not inside an expression");
        NotAbsoluteTopLevel => "NOT_ABSOLUTE_TOP_LEVEL",
            message("this definition must be at the top level, not inside another definition");
        NotValue => "NOT_RVALUE", message("a collector has no value and cannot be used where one is needed");
        DuplicateKey(key: String) => "DUPLICATE_KEY",
            message("duplicate key `{key}` in the hash"), help("only the last one counts: delete the others");
        /// `class web { }  class web { }`
        Redefinition(name: String) => RUNTIME_ERROR,
            message("{name} is defined twice"), help("choose another name, or delete one of them");
        DuplicateDefault => "DUPLICATE_DEFAULT", message("duplicate `default`"), help("delete one of them");
        DuplicateParameter(variable: String) => "DUPLICATE_PARAMETER",
            message("duplicate parameter `{variable}`"), help("give each parameter its own name");
        VariableName(name: String) => "ILLEGAL_VAR_NAME",
            message("`${name}` is not a valid variable name: every segment must start with a lower-case letter"),
            help {
                let lower = name.to_lowercase();
                match &*lower {
                    "" => Some("a shell's `$((1 + 2))` is `1 + 2` here, and its commands are not run".to_owned()),
                    _ => is_variable_name(&lower).then(|| format!("write `${lower}`")),
                }
            };
        NumericVariableName(name: String) => "ILLEGAL_NUMERIC_VAR_NAME",
            message("`${name}` is not a valid variable name: expected a decimal number or a name"),
            help("start the name with a letter");
        ParameterName(name: String) => "ILLEGAL_PARAM_NAME",
            message("`${name}` is not a valid parameter name: expected a lower-case letter first and no `::`"),
            help {
                let lower = name.to_lowercase();
                is_parameter_name(&lower).then(|| format!("write `${lower}`"))
            };
        ReservedParameter(name: String) => "RESERVED_PARAMETER",
            message("`${name}` is a parameter of every resource and cannot be declared"), help("choose another name");
        CapturesRest { name: String, what: &'static str } => "CAPTURES_REST_NOT_SUPPORTED",
            message("`*${name}` cannot be a parameter of {what}");
        CapturesRestNotLast(name: String) => "CAPTURES_REST_NOT_LAST",
            message("`*${name}` must be the last parameter");
        DefinitionName { name: String, what: &'static str } => "ILLEGAL_DEFINITION_NAME",
            message("`{name}` is not a valid name for {what}"),
            help {
                let lower = name.to_lowercase();
                (lower != *name).then(|| format!("write it in lower case: `{lower}`"))
            };
        ReservedTypeName { name: String, what: &'static str } => "RESERVED_TYPE_NAME",
            message("`{name}` is not a valid name for {what}: it is the name of a type"),
            help("put it in a namespace: `my::{name}`");
        ReservedWord(word: String) => "RESERVED_WORD",
            message("`{word}` is a reserved word"), help("quote it to use it as a string: `'{word}'`");
        AssignmentInDefault => "ILLEGAL_ASSIGNMENT_CONTEXT",
            message("the default value of a parameter cannot assign a variable"),
            help("assign the variable in the body");
        NumericAssignment(name: String) => "ILLEGAL_NUMERIC_ASSIGNMENT",
            message("`${name}` is set by the last match and cannot be assigned");
        CrossScope(name: String) => "CROSS_SCOPE_ASSIGNMENT",
            message("`${name}` belongs to another scope and cannot be assigned here"),
            help {
                let own = name.rsplit("::").next().unwrap_or_default();
                Some(format!("assign to a variable of this scope, without a namespace: `${own}`"))
            };
        IndexedAssignment => "ILLEGAL_INDEXED_ASSIGNMENT",
            message("cannot assign to an element of a value: expected a variable"),
            help("values do not change: make a new one, `$new = $hash + {{'key' => 'value'}}` or `$new = $array << 'value'`");
        NotAssignable { text: String, is_argument: bool } => "ILLEGAL_ASSIGNMENT",
            message("cannot assign to `{text}`: expected a variable"),
            help {
                if *is_argument && is_parameter_name(text) {
                    Some("arguments have no names: pass the values alone, or a hash: `f({'name' => 1})`".to_owned())
                } else if text.starts_with('$') && text.contains('-') {
                    Some(format!("names have letters, digits and underscores: `{}`", text.replace('-', "_")))
                } else if text.starts_with(|first: char| first.is_ascii_uppercase()) {
                    Some(format!("define a type with `type {text} = …`"))
                } else if is_parameter_name(text) {
                    Some(format!("write a variable with a dollar sign: `${text}`"))
                } else {
                    Some("to compare, write `==`".to_owned())
                }
            };
        AppendsDeletes(operator: BinaryOperator) => "APPENDS_DELETES_NO_LONGER_SUPPORTED",
            message("the operator `{}=` is not supported by Puppet 8", binary_operator_text(*operator)),
            help("write `$new = $old + value`");
        NotCallable { text: String, is_variable: bool } => "ILLEGAL_EXPRESSION",
            message("expected a function name or a type before `(`, found `{text}`"),
            help { is_variable.then(|| format!("resolve a Deferred with `{text}.call`")) };
        AliasOfArray => "ILLEGAL_EXPRESSION",
            message("expected a type after `=`, found an array"),
            help("for several types, write `Tuple[A, B]` (in this order) or `Variant[A, B]` (any of them)");
        Unsupported(what: &'static str) => "UNSUPPORTED_EXPRESSION", message("{what} is not supported by Puppet 8");
        HostName(name: String) => "ILLEGAL_HOSTNAME_CHARS",
            message("`{name}` is not a valid host name: expected letters, digits, `_`, `-` and `.`");
        HostInterpolation => "ILLEGAL_HOSTNAME_INTERPOLATION",
            message("a host name cannot contain an interpolation");
        NodeInheritance => "ILLEGAL_NODE_INHERITANCE",
            message("nodes cannot inherit from each other"), help("include a common class in both nodes");
        Untitled(name: String) => "RESOURCE_WITHOUT_TITLE",
            message("the resource `{name}` has no title"), help("write `{name} {{ 'title': … }}`");
        NotVirtualisable(what: &'static str) => "NOT_VIRTUALIZEABLE",
            message("expected a resource after `@`, found {what}");
        ClassNotVirtualisable => "CLASS_NOT_VIRTUALIZABLE", message("a class cannot be virtual or exported");
        AttributeAppend(name: String) => "ILLEGAL_ATTRIBUTE_APPEND",
            message("expected `=>` after `{name}`: only overrides append with `+>`");
        SecondUnfold => "MULTIPLE_ATTRIBUTES_UNFOLD",
            message("duplicate `* =>`: expected at most one per resource body");
        CollectorType => "ILLEGAL_EXPRESSION", message("expected a resource type such as `File` before the query");
        Query(text: String) => "ILLEGAL_QUERY_EXPRESSION", message(
            "expected comparisons with `==` and `!=` in the query, joined by `and` and `or`, found `{text}`"
        );
    }
}
