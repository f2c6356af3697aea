//! The table of issue codes, with meanings and example programs, for `:explain CODE` and `pcore explain CODE`.
//!
//! The codes in `TABLE` are Puppet's, except for `LIMIT` and `INTERRUPTED`, which are our own.

use super::{Mode, Session, Strictness, Value, commands::format_columns};
use crate::explain::mismatch::{self, KINDS};
use crate::wording::{nearest, unknown_name};

/// An issue code with its meaning and an example.
#[derive(Clone, Copy, Debug)]
pub struct Issue {
    /// The code, such as `DIV_BY_ZERO`.
    pub code: &'static str,
    /// The meaning of the code, lower case, without a full stop.
    pub meaning: &'static str,
    /// A whole program that fails with this code, run by the tests; empty if no short program does.
    pub example: &'static str,
}

macro_rules! issues {
    ($($code:ident $meaning:literal $example:literal)*) => {
        &[$(Issue { code: stringify!($code), meaning: $meaning, example: $example }),*]
    };
}

/// Every issue code, in alphabetical order.
pub static TABLE: &[Issue] = issues! {
    APPENDS_DELETES_NO_LONGER_SUPPORTED "`+=` and `-=` were removed from the language; write `$x = $x + 1` under another name" "$x += 1"
    BAD_ARRAY_SLICE_ARITY "an array takes one key in brackets (a position), or two (a position and a length)" "$s = [[]]\n$s[0][0, 1, 2]"
    BAD_COLLECTION_SLICE_TYPE "the size of a String or a collection is one or two Integers, `default` for an open end" "String[{}]"
    BAD_INTEGER_SLICE_ARITY "Integer and Float take one or two bounds" "Float[1, 2, 3]"
    BAD_INTEGER_SLICE_TYPE "a bound of Integer is an Integer or `default`" "Integer['']"
    BAD_NOT_UNDEF_SLICE_TYPE "NotUndef takes a type or a String" "NotUndef[1]"
    BAD_SLICE_KEY_TYPE "a position in an array is an Integer" "$s = [[]]\n$s[0][1.5]"
    BAD_STRING_SLICE_ARITY "a string takes one or two positions in brackets" "String[1, 2, 3]"
    BAD_STRING_SLICE_KEY_TYPE "a position in a string is an Integer" "file['/a']"
    BAD_TYPE_SLICE_ARITY "wrong number of type parameters" "Tuple[1]"
    BAD_TYPE_SLICE_TYPE "the parameter of the type is itself a type" "URI[1]"
    BAD_TYPE_SPECIALIZATION "wrong kind of type parameter" "Enum[1]"
    CAPTURES_REST_NOT_LAST "only the last parameter can take the rest of the arguments (`*$rest`)" "with(1, 2) |*$rest, $last| { $last }"
    CAPTURES_REST_NOT_SUPPORTED "parameters of classes and defined types are named, so none can take the rest" "class web(*$rest) { }"
    CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING "the expression needs a catalog, and pcore does not compile catalogs" "file { '/tmp/a': }"
    CLASS_NOT_VIRTUALIZABLE "a class cannot be virtual or exported" "@class { 'web': }"
    COMPARISON_NOT_POSSIBLE "the two values have no order" "1 < '2'"
    CROSS_SCOPE_ASSIGNMENT "a variable can only be assigned in its own scope" "$x::y = 1"
    DISCONTINUED_IMPORT "`import` was removed from the language; autoload from modules instead" "import 'a'"
    DIV_BY_ZERO "division by zero" "1 / 0"
    DUPLICATE_ATTRIBUE "an attribute of a resource is set twice (Puppet spells the code like this)" "notify { 'a': message => 1, message => 2 }"
    DUPLICATE_DEFAULT "a case, a selector or a resource has two defaults" "case 1 { default: { 1 } default: { 2 } }"
    DUPLICATE_KEY "a key is in the hash twice" "{a => 1, a => 2}"
    DUPLICATE_PARAMETER "two parameters have the same name" "class web($a, $a) { }"
    DUPLICATE_TITLE "two resources in one expression have the same title" "notify { ['a', 'a']: }"
    EMPTY_STRING_TITLE_AT "a title of a resource cannot be empty" "notify { '': }"
    EPP_UNBALANCED_COMMENT "a comment of a template is not closed: expected `%>`" "inline_epp('<%# a')"
    EPP_UNBALANCED_TAG "a tag of a template is not closed: expected `%>`" "inline_epp('<% a')"
    EXPECTED_COLLECTION "a step of a path leads into what is neither an Array nor a Hash; the block of `get` is given this code" "get([1], '0.b') |$error| { $error.issue_code }"
    EXPECTED_INTEGER_INDEX "a position in an Array is an Integer; the block of `get` is given this code" "get([1], 'a') |$error| { $error.issue_code }"
    HEREDOC_EMPTY_ENDTAG "the heredoc has no end tag: write `@(END)`" "@( )\ntext\n"
    HEREDOC_INVALID_ESCAPE "the escapes of a heredoc are the letters t, s, r, n, u, L and $" "@(END/x)\ntext\nEND\n"
    HEREDOC_INVALID_SYNTAX "the heredoc tag is malformed: write `@(END)`, `@(END:json)` or `@(END/tn)`" "@(END:a:b)\ntext\nEND\n"
    HEREDOC_MULTIPLE_AT_ESCAPES "an escape of the heredoc is listed twice" "@(END/tt)\ntext\nEND\n"
    HEREDOC_UNCLOSED_PARENTHESIS "the heredoc tag is not closed: expected `)`" "@(END"
    HEREDOC_WITHOUT_END_TAGGED_LINE "no line with the end tag ends the heredoc" "@(END)\ntext\n"
    HEREDOC_WITHOUT_TEXT "no line follows the heredoc tag" "@(X)"
    IDEM_EXPRESSION_NOT_LAST "the value of the expression is never used" "1 2"
    IDEM_NOT_ALLOWED_LAST "the value of the last expression in a body that returns nothing is never used" "class web { 1 }"
    ILLEGAL_ASSIGNMENT "only variables can be assigned" "$a-b = 1"
    ILLEGAL_ASSIGNMENT_CONTEXT "an assignment is not possible here" "class web($a = ($b = 1)) { }"
    ILLEGAL_ATTRIBUTE_APPEND "`+>` is only possible where attributes are overridden" "notify { 'a': message +> 'b' }"
    ILLEGAL_BOM "the source starts with a byte order mark of another encoding than UTF-8, such as FE FF" ""
    ILLEGAL_CLASSREF "the name of a resource type has letters, digits, underscores and `::`" "Resource['']"
    ILLEGAL_CLASS_REFERENCE "the name of a type or class reference is malformed" "A::::B"
    ILLEGAL_DEFINITION_NAME "the name of a definition is malformed" "define a-b() { }"
    ILLEGAL_EPP "the text of a heredoc with the syntax `epp` is not a template" "@(END:epp)\n<% a\n| END\n"
    ILLEGAL_EXPRESSION "the expression is not possible here" "'length'('abc')"
    ILLEGAL_FULLY_QUALIFIED_NAME "a qualified name is malformed" "a::"
    ILLEGAL_HOSTCLASS_NAME "the name of a class is a String" "Class[1]"
    ILLEGAL_HOSTNAME_CHARS "the name of a node has letters, digits, `.`, `-` and `_`" "node 'a b' { }"
    ILLEGAL_HOSTNAME_INTERPOLATION "the name of a node cannot contain variables" "node \"a$b\" { }"
    ILLEGAL_INDEXED_ASSIGNMENT "elements and entries cannot be assigned: values do not change" "$x = [1]\n$x[0] = 2"
    ILLEGAL_JSON "the text of a heredoc with the syntax `json` is not JSON" "@(END:json)\n[1\n| END\n"
    ILLEGAL_MULTI_ASSIGNMENT_SIZE "a list of variables needs as many values" "[$a, $b] = [1]"
    ILLEGAL_NAME "the name of a class is malformed" "Class['']"
    ILLEGAL_NODE_INHERITANCE "nodes cannot inherit" "node a inherits b { }"
    ILLEGAL_NUMBER "neither a number nor a name" "1_000"
    ILLEGAL_NUMERIC_ASSIGNMENT "`$0`, `$1` … are set by the last match" "$0 = 1"
    ILLEGAL_NUMERIC_VAR_NAME "the name of a numeric variable is a decimal number" "$01"
    ILLEGAL_OVERRIDDEN_TYPE "only references to resources can be overridden" "String[1] { a => 1 }"
    ILLEGAL_PARAM_NAME "the name of a parameter is malformed" "with(1) |$a::b| { 1 }"
    ILLEGAL_PP "the text of a heredoc with the syntax `pp` is not a program" "@(END:pp)\n[1\n| END\n"
    ILLEGAL_QUERY_EXPRESSION "the search expression of a collector is malformed" "File<| a + 1 |>"
    ILLEGAL_REASSIGNMENT "a variable is assigned only once" "$a = 1\n$a = 2"
    ILLEGAL_RELATIONSHIP_OPERAND_TYPE "`->` and `~>` relate references to resources" "1 -> 2"
    ILLEGAL_RESERVED_ASSIGNMENT "the variable is set by Puppet itself" "$facts = {}"
    ILLEGAL_RESOURCE_SPECIALIZATION "Resource takes a resource type or its name" "Resource[/a/]"
    ILLEGAL_RESOURCE_TYPE "a resource is declared with the name of its type" "1 { 'a': }"
    ILLEGAL_TITLE_TYPE_AT "a title of a resource is a String" "notify { 1: }"
    ILLEGAL_UNICODE_ESCAPE "the escape `\\u` does not name a Unicode character" "\"\\u{D800}\""
    ILLEGAL_VAR_NAME "the name of a variable is malformed" "$::1"
    INTERRUPTED "the evaluation was interrupted by Ctrl-C or a timeout, such as that of an endless `Integer[1, default].each |$x| { }`" ""
    INVALID_DECIMAL_NUMBER "not a decimal number" "1e"
    INVALID_HEX_NUMBER "not a hexadecimal number" "0xg"
    INVALID_OCTAL_NUMBER "not an octal number: a leading 0 announces one" "08"
    LIMIT "a limit on time, memory, size or depth was reached" "function f() { f() }\nf()"
    MATCH_NOT_REGEXP "the right side of `=~` is a regular expression, a type or a version range" "'abc' =~ '['"
    MATCH_NOT_STRING "the left side of `=~` with a regular expression is a String" "1 =~ 'a'"
    MISSING_MULTI_ASSIGNMENT_KEY "the hash has no value for a variable of the list" "[$a] = {b => 1}"
    MISSING_REQUIRED_PARAMETER "a required parameter has no value" "with(1) |$a, $b| { $a }"
    MISSING_TITLE "a resource needs a title" "notify { undef: }"
    MISSING_TITLE_AT "an element of the list of titles is undef" "notify { ['a', undef]: }"
    MULTIPLE_ATTRIBUTES_UNFOLD "`* =>` is possible only once in a resource" "notify { 'a': * => {}, * => {} }"
    NOT_ABSOLUTE_TOP_LEVEL "functions and type aliases can only be defined at top level" "class web { type A = Integer }"
    NOT_NUMERIC "the operator needs a number" "-bare"
    NOT_RVALUE "a collector has no value and cannot be used as one" "$x = File <| |>"
    NOT_TOP_LEVEL "classes, defined types and nodes can only be defined at top level or in a class" "if true { class web { } }"
    NOT_VIRTUALIZEABLE "only resources can be virtual or exported" "@File { a => 1 }"
    NUMERIC_COERCION "a string was used as a number; convert it with Integer() or Float()" "-'10'"
    NUMERIC_OVERFLOW "the number does not fit into 64 bits" "9223372036854775808"
    OPERATOR_NOT_APPLICABLE "the operator is not defined for such a value" "Any[1]"
    OPERATOR_NOT_APPLICABLE_WHEN "the operator is not defined for these two values" "7 % 2.5 == 3"
    REQUIRED_PARAMETER_AFTER_OPTIONAL "a parameter without a default value follows one that has one" "with(1) |$a = 1, $b| { $a }"
    RESERVED_PARAMETER "the parameter would be a variable that Puppet sets itself" "class web($name) { }"
    RESERVED_TYPE_NAME "the name is that of a built-in type" "define integer() { }"
    RESERVED_WORD "the word is reserved" "attr"
    RESOURCE_WITHOUT_TITLE "a resource needs a title and a colon" "notify { message => 'a' }"
    RESULT_IS_INFINITY "the result is too large for a Float" "1.0 / 0"
    RUNTIME_ERROR "any error for which Puppet has no code of its own; the message says which" "URI('')"
    SLICE_ERROR "a path cannot be followed; the block of `get` is given this as the kind of the error" "get([1], 'a') |$error| { $error.kind }"
    SYNTAX_ERROR "the source cannot be parsed; the message says what was expected" "1."
    TYPE_MISMATCH "a value does not match a type: `pcore check` also says so of data and default values" "notify { 'a': * => 1 }"
    UNCLOSED_MLCOMMENT "the comment is not closed: expected `*/`" "/*/"
    UNCLOSED_QUOTE "the string is not closed" "'oops"
    UNKNOWN_FUNCTION "no function has this name" "foo()"
    UNKNOWN_RESOURCE "attributes of resources are known only in a catalog" "Node['p1']['a']"
    UNKNOWN_RESOURCE_TYPE "the name is neither a type nor an alias" "X"
    UNKNOWN_VARIABLE "the variable was never assigned" "$x"
    UNMATCHED_SELECTOR "no option of the selector matches" "5 ? { 6 => 1 }"
    UNSUPPORTED_EXPRESSION "the expression was removed from the language" "type X[Y] = Integer"
};

/// The issue codes that only `pcore check` reports, in alphabetical order. The example of each is a whole manifest.
pub static CHECK_ISSUES: &[Issue] = issues! {
    ARGUMENT_COUNT "a function is called with too many or too few arguments" "class a {\n  notice(abs(1, 2))\n}"
    BLOCK_MISMATCH "a function is called without the lambda that it needs, or with one that it does not take, or whose parameters are swapped" "class a {\n  notice([1].map)\n}"
    DATA_ERROR "data have something that Hiera does not read, such as a date without quotes" ""
    DEPENDENCY_CYCLE "resources wait for one another, so none of them can be applied" "class a {\n  notify { 'x': require => Notify['y'] }\n  notify { 'y': require => Notify['x'] }\n}"
    DUPLICATE_RESOURCE "a resource is declared twice" "class a {\n  notify { 'x': }\n  notify { 'x': }\n}"
    EXCLUSIVE_ATTRIBUTES "two attributes exclude each other, as `content` and `source` of a file do" "class a {\n  file { '/x': content => 'a', source => '/y' }\n}"
    HIDDEN_ALIAS "a type alias has the name of a defined type, which is what the name means in types" ""
    HIERA_CONFIG "`hiera.yaml` has a key, a version or a value that Hiera 5 does not know, such as `version: 4`" ""
    LEGACY_FACT "a fact of old versions of Facter, which Puppet 8 does not have by default" "class a {\n  notice($::osfamily)\n}"
    LITERAL_DOLLAR "a string has `${…}`, but is in single quotes or a heredoc without interpolation" "class a(String $x) {\n  notice('a-${x}')\n}"
    METADATA "`metadata.json` has a version or a version range that cannot be read, such as `>= 1.0.0, < 2.0.0`" ""
    METAPARAMETER "a parameter of a class or defined type has the name of an attribute of all resources" "define site($loglevel) { }"
    MISSING_DOLLAR "a word is used as a string, but is the name of a variable" "class a(String $x) {\n  if x == '' { notice('b') }\n}"
    MISPLACED_NAME "the name of a definition does not belong to the path of its file" ""
    MISSING_PARAMETER "a parameter without a default value is not set" "define site($port) { }\nclass a {\n  site { 'x': }\n}"
    NEVER_MATCHES "no value of the left side can match the right one" "class a(Integer $x) {\n  if $x == 'a' { notice('b') }\n}"
    PUPPETFILE "a `Puppetfile` lists a module twice, misspells an option, or lacks a comma" ""
    TEMPLATE_LANGUAGE "a function renders templates of the other language" "class a {\n  notice(template('a/x.epp'))\n}"
    REDACTED_TEXT "a Sensitive is part of a string, which says [value redacted] instead" "class a(Sensitive[String] $x) {\n  notice(\"x: ${x}\")\n}"
    UNKNOWN_CLASS "data or code names a class that no manifest declares, such as `wbe::port: 80`" ""
    UNKNOWN_FILE "a file or template is not in its module" ""
    UNKNOWN_RESOURCE "a reference has another title than the resource that is declared" "class a {\n  exec { 'reload-web': }\n  notify { 'x': require => Exec['reload_web'] }\n}"
    UNKNOWN_KEY "a key names nothing, such as `%{lookup('web::prot')}` where no data has it" ""
    UNKNOWN_PARAMETER "a class, defined type, resource type or template has no parameter of that name" "define site($port = 1) { }\nclass a {\n  site { 'x': prot => 2 }\n}"
    UNLIKELY_TYPE "a type means something else than it seems to" "type Person = Struct[{name => string}]"
    UNREACHABLE_BRANCH "no value reaches the branch" "class a(Integer $x) {\n  case $x {\n    String: { notice('s') }\n    default: { notice('d') }\n  }\n}"
    UNSET_MATCH_VARIABLE "a match variable is used where nothing was matched" "class a {\n  notice($1)\n}"
    UNUSED_DATA "a key or a file of Hiera data that nothing reads" ""
};

/// Returns the meaning of an issue code or a kind of mismatch, with an example. Ignores case.
///
/// # Errors
/// Fails if there is no such code; the error says what to write instead.
pub fn explain_code(code: &str) -> Result<String, String> {
    let code = code.trim();
    let named = |name: &str| name.eq_ignore_ascii_case(code);
    let indented = |text: &str| text.lines().flat_map(|line| ["\n  ", line]).collect::<String>();
    // `type` is a kind, `TYPE` could be a code.
    let is_kind = KINDS.iter().any(|kind| kind.name == code);
    let of_check = CHECK_ISSUES.iter().map(|issue| (issue, "; found by `pcore check`"));
    let mut issues = TABLE.iter().map(|issue| (issue, "")).chain(of_check).filter(|_| !is_kind);
    if let Some((issue, origin)) = issues.find(|(issue, _)| named(issue.code)) {
        let text = format!("{}: {}{origin}{}", issue.code, issue.meaning, indented(issue.example));
        let mut session = Session { mode: Mode::Program, ..Session::new(Strictness::Error) };
        let error = session.eval(issue.example).err().filter(|_| origin.is_empty());
        return Ok(text + &error.map_or_else(String::new, |error| format!("\n  error: {}", error.message())));
    }
    if let Some(kind) = KINDS.iter().find(|kind| named(kind.name)) {
        let mut text = format!("{}, a kind of mismatch: {}{}", kind.name, kind.meaning, indented(kind.example));
        let mut session = Session::default();
        if let Some((value, type_)) = kind.example.rsplit_once(" =~ ")
            && let (Ok(value), Ok(Value::Type(type_))) = (session.eval(value), session.eval(type_))
            && let Some(mismatch) = mismatch::explain(&type_, &value)
        {
            text.extend(mismatch::explanation_lines(&mismatch).iter().map(|line| indented(line)));
        }
        return Ok(text);
    }
    let known = TABLE.iter().chain(CHECK_ISSUES).map(|issue| issue.code).chain(KINDS.iter().map(|kind| kind.name));
    Err(unknown_name("code", code, nearest(code, known), "`:explain` lists all"))
}

/// Returns all issue codes and kinds of mismatch with their meanings, as two columns.
pub fn list_codes() -> String {
    let issues = TABLE.iter().chain(CHECK_ISSUES).map(|issue| (issue.code, issue.meaning));
    let rows: Vec<_> = issues.chain(KINDS.iter().map(|kind| (kind.name, kind.meaning))).collect();
    format_columns(&rows)
}
