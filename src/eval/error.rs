//! The errors of evaluation, except for those of operators.

use super::{catalog::NEEDS_CATALOG, core_facts, reserved::BUILT_IN_VARIABLES, ruby_functions};
use crate::dictionary::{self, Kind};
use crate::error::{LIMIT, RUNTIME_ERROR, errors};
use crate::types::Type;

const UNKNOWN_FUNCTION: &str = "UNKNOWN_FUNCTION";

pub(crate) const UNKNOWN_TYPE: &str = "UNKNOWN_RESOURCE_TYPE";

errors! {
    #[derive(Debug)]
    pub(super) enum EvalError {
        /// `file { 'x': }`
        NeedsCatalog(text: String) => NEEDS_CATALOG,
            message("`{}` needs a catalog; pcore does not compile catalogs", text.lines().next().unwrap_or_default()),
            help("`pcore check` checks manifests; references such as `Notify['a']` need no catalog");
        /// `include('apache')`
        CatalogFunction(name: String) => NEEDS_CATALOG,
            message("{name}() needs a catalog; pcore does not compile catalogs"),
            help("{}", match name.as_str() {
                "hiera" => "write `lookup('key')`",
                "hiera_hash" => "write `lookup('key', {'merge' => 'hash'})`",
                "hiera_array" | "hiera_include" => "write `lookup('key', {'merge' => 'unique'})`",
                _ => "`pcore check` checks manifests; `:functions` lists the functions that need no catalog",
            });
        /// `<%= 1 %>` outside a template
        OutsideTemplate => RUNTIME_ERROR,
            message("expected a program, found a template: render it with epp() or inline_epp()");
        /// `attr`, `$x += 1`, `1 = 2`: validation reports what is wrong before a program runs
        Invalid => RUNTIME_ERROR, message("this expression is not valid here");
        /// `$1 = 2`
        AssignToMatchVariable(name: String) => "ILLEGAL_NUMERIC_ASSIGNMENT",
            message("${name} is set by regular expression matches and cannot be assigned");
        /// `$trusted = 1`
        AssignToReserved(name: String) => "ILLEGAL_RESERVED_ASSIGNMENT",
            message("${name} is a reserved variable"), help("choose another name");
        /// `$title = 1`
        AssignToBuiltIn(name: String) => "ILLEGAL_REASSIGNMENT",
            message("${name} is a built-in variable"), help("choose another name");
        /// `$x = 1  $x = 2`
        Reassignment { name: String, is_local: bool } => "ILLEGAL_REASSIGNMENT",
            message("cannot reassign variable ${name}"),
            help("choose another name; to compare, write `==`{}", match is_local {
                true => String::new(),
                false => format!("; at the prompt, `:unset ${name}` removes this one"),
            });
        /// `[$a, $b] = [1]`
        AssignmentSize { expected: usize, got: usize } => "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
            message("expected {expected} values for {expected} variables, got {got}"),
            help("write as many variables as values; `$list[0]` reads one element");
        /// `[$a, $b] = {a => 1}`
        AssignmentKey(name: String) => "MISSING_MULTI_ASSIGNMENT_KEY",
            message("the Hash has no key {}", if name.starts_with('[') {
                format!("{name}: expected the names of variables, without another list")
            } else {
                format!("'{name}' for the variable ${name}")
            });
        /// `$nosuch`
        UnknownVariable { name: String, near: Option<String> } => "UNKNOWN_VARIABLE",
            message("unknown variable ${name}"),
            help("{}", match near {
                _ if name == "facts" => "load facts from a file: `pcore --facts facts.yaml`".to_owned(),
                Some(near) => format!("did you mean ${near}?"),
                None if let Some(fact) = core_facts::expression_for_legacy_fact(name) => format!("it is a fact: write `{fact}`"),
                None if BUILT_IN_VARIABLES.contains(&&**name) => format!("it is set inside of classes and defined types; here, use another name: `$my_{name} = …`"),
                None if name.contains("::") => "the variables of a class exist only in a catalog".to_owned(),
                None => format!("assign it first: `${name} = …`"),
            });
        /// `nosuch(1)`
        UnknownFunction { name: String, near: Option<String>, is_computed: bool } => {
                if *is_computed { RUNTIME_ERROR } else { UNKNOWN_FUNCTION }
            },
            message("unknown function {name}"),
            help {
                let near = near.as_ref().map(|near| format!("did you mean {near}?"));
                let listed = || "`:functions` lists the known ones; `--modulepath` adds those of modules".to_owned();
                let type_ = Type::named(name).filter(|type_| type_.name().eq_ignore_ascii_case(name)).map(|type_| format!("did you mean {}(…)?", type_.name()));
                Some(ruby_functions::advice_for_unknown_function(name).or(type_).or(near).unwrap_or_else(listed))
            };
        /// `ensure_packages(['vim'])`, which a module defines in a Ruby file
        RubyFunction { name: String, file: String } => UNKNOWN_FUNCTION,
            message("the function {name} is written in Ruby, which pcore does not run"),
            help("it is defined in {file}");
        /// `Interger`; `missing` is the module in front of `::` if it is not on the module path
        UnknownType { name: String, near: Option<String>, missing: Option<String> } => UNKNOWN_TYPE,
            message("{name} is neither a type nor an alias"),
            help {
                match (dictionary::find_word(name, &[Kind::Value, Kind::Type]), near) {
                    (Some(word), _) => Some(word.advice.to_owned()),
                    (None, Some(near)) => Some(format!("did you mean {near}?")),
                    (None, None) => missing.as_ref().map(|module| match Type::named(module) {
                        Some(type_) => format!("types have no constants; for an open end, write `{}[0, default]`", type_.name()),
                        None => format!(
                            "there is no module {module} on the module path: install it, and start pcore there or with --modulepath"
                        ),
                    }),
                }
            };
        /// `type A = Integer  type A = String`
        Redefinition(name: String) => RUNTIME_ERROR,
            message("{name} is already defined"),
            help("{}", match Type::named(name) {
                Some(_) => format!("{name} is built in; choose another name"),
                None => format!("choose another name; at the prompt, `:unset {name}` removes this one"),
            });
        /// `type A = 5`
        AliasNotType { name: String, got: String } => RUNTIME_ERROR,
            message("expected a type for the alias {name}, got {got}");
        /// `type A = Enum[['a', 'b']]`
        ArrayInAlias { type_: &'static str, got: String } => RUNTIME_ERROR,
            message("expected the parameters of {type_} without brackets around them, got {got}"),
            help("remove the inner brackets: only a type outside of aliases and strings takes an Array apart");
        /// `5 ? { 1 => 2 }`
        NoOption(value: String) => "UNMATCHED_SELECTOR",
            message("no option of the selector matches {value}"), help("add an option `default => …`");
        /// `with(1) |$a = 1, $b| { }`
        RequiredAfterOptional(name: String) => "REQUIRED_PARAMETER_AFTER_OPTIONAL",
            message("the required parameter `${name}` follows an optional one"),
            help("put `${name}` first, or give it a default value");
        /// `import 'a.pp'`
        Import => "DISCONTINUED_IMPORT",
            message("`import` is not supported by Puppet 8"),
            help("remove it: files of modules are found by the names of their definitions");
        /// `with() |$x| { }`
        MissingArgument { name: String, callee: String } => "MISSING_REQUIRED_PARAMETER",
            message("missing value for the parameter ${name} of {callee}");
        /// `f(1, 2)`, `length('a') |$x| { }`, `map([1])`: the message, and the signatures to show in the help
        Arguments { wrong: String, signatures: Vec<String> } => RUNTIME_ERROR,
            message("{wrong}"),
            help {
                match &signatures[..] {
                    [] => None,
                    [one] => Some(format!("expected {one}")),
                    several => Some(format!("expected one of\n{}", several.join("\n"))),
                }
            };
        /// `inline_epp('<%- | $x | -%>', {y => 1})`
        UnknownParameter { name: String, near: Option<String> } => RUNTIME_ERROR,
            message("the template has no parameter ${name}"),
            help { near.as_ref().map(|near| format!("did you mean ${near}?")) };
        /// `function f() >> String { 1 }`
        ReturnValue { callee: String, expected: String, got: String } => RUNTIME_ERROR,
            message("{callee} must return {expected}, but returned {got}");
        /// `$x()`, where `$x` is a Deferred
        CalledVariable(text: String) => "ILLEGAL_EXPRESSION",
            message("`{text}()` resolves a Deferred by the specification, but Puppet 8 rejects it"),
            help("write `{text}.call`");
        /// `$deferred(1)`, `$deferred() |$x| { }`
        DeferredArguments { lambda: bool, got: usize } => RUNTIME_ERROR,
            message("{}", match lambda {
                true => "a Deferred accepts no lambda".to_owned(),
                false => format!("a Deferred has its own arguments: expected none in the parentheses, got {got}"),
            });
        /// `5()`
        NotCallable(got: String) => "ILLEGAL_EXPRESSION", message("expected a type or a Deferred to call, got {got}");
        /// `function f() { f() }`
        TooDeep(levels: usize) => LIMIT, message("calls are nested more than {levels} levels deep");
    }
}
