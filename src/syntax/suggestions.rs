//! Hints for common syntax mistakes: a table of conditions on the place where parsing stopped.

mod repair;

use super::errors::Expected;
use super::grammar::words::{is_keyword, is_word_character};
use crate::dictionary::{self, Kind};
use crate::text::Span;
pub(super) use repair::Mistake;

pub(super) const NO_LOOPS_HINT: &str = "Puppet has no loops: call a function such as `each`: `[1, 2].each |$x| { … }`";

pub(super) const NO_FLAG_HINT: &str =
    "leave out the letter after the `/`: a match is found anywhere, and `regsubst` replaces all with `'G'`";

pub(super) fn looks_like_loop(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    ["for", "foreach", "while"].contains(&line.split_whitespace().next().unwrap_or_default())
}

/// Returns the hint for values listed as a statement, as in `1, 2`; `before` is the source up to the first comma.
pub(super) fn hint_for_comma_list(before: &str) -> &'static str {
    if looks_like_loop(before) {
        NO_LOOPS_HINT
    } else if ["class ", "define "].iter().any(|word| before.starts_with(word)) && !before.contains('\n') {
        "put parameters in parentheses before the body: `class web($port, $root) { … }`"
    } else if ["mod ", "forge "].iter().any(|word| before.trim_start().starts_with(word)) {
        "this is a line of a Puppetfile, not code"
    } else if before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('$')) {
        "assign several variables at once as arrays: `[$a, $b] = [1, 2]`"
    } else {
        "put the arguments of a function in parentheses; a list is an array: `[a, b]`"
    }
}

/// A wrong program as an example, the hint for it, and the condition on which the hint is given.
type CommonMistake = (&'static str, &'static str, fn(&ParseFailure<'_>) -> bool);

/// Defines a table of common mistakes. The condition of a row is about `at`, the failure.
macro_rules! common_mistakes {
    ($(#[$about:meta])* $table:ident $at:ident: $($example:literal => $hint:expr, if $matches:expr;)+) => {
        $(#[$about])*
        const $table: &[CommonMistake] = &[$(($example, $hint, |$at| $matches),)+];
    };
}

common_mistakes! {
    /// Specific mistakes, which take precedence over words of other languages and one-token repairs.
    PARTICULAR at:
    "for i in [1] { notice(i) }" => NO_LOOPS_HINT,
        if looks_like_loop(at.before);
    "%{a: 1}" => "write a hash as `{'a' => 1}`",
        if at.expects(Expected::Expression) && at.rest.starts_with("%{") && at.rest.contains([' ', '>']);
    "%{facts.os}" => "`%{…}` is for Hiera data; in Puppet code, write `$facts['os']`",
        if at.expects(Expected::Expression) && at.rest.starts_with("%{");
    "Enum['a'..'z']" => "an Enum lists its words; for a range of letters, write `Pattern[/\\A[a-z]\\z/]`",
        if at.found == "." && at.name_before_bracket('[', ']') == "Enum";
    "'abc' =~ ^a" => "write a regular expression between slashes: `/^a/`",
        if at.found.starts_with('^') && at.before.ends_with('~');
    "$x: Integer = 5" => "variables have no types: write `$x = assert_type(Integer, 5)`",
        if at.found == ":" && trailing_name(at.before).starts_with('$') && at.source_before_bracket('(', ')').is_none()
            && at.source_before_bracket('{', '}').is_none() && at.rest[1..].trim_start().starts_with(|first: char| first.is_ascii_uppercase());
    "%w[a b]" => "write a list of strings as `['a', 'b']`",
        if at.expects(Expected::Expression) && at.rest.starts_with("%w");
    "$x ||= 3" => "variables are assigned once: `$x = 3` where it has no value yet, else `$y = $x.lest || { 3 }`",
        if ["||=", "&&=", "??="].iter().any(|symbol| at.rest.starts_with(symbol));
    "String[pattern='a']"
        => "parameters of types have no names: `String[1, 10]`, `Integer[1, 65535]`, `Pattern[/^a$/]`",
        if (matches!(at.found, "=" | ":") && at.expects(Expected::CloseBracket)
            || at.found == "]" && at.expects(Expected::Arrow))
            && matches!(at.name_before_bracket('[', ']'), "String" | "Integer" | "Float" | "Numeric" | "Array" | "Pattern");
    "'a' // comment" => "a comment starts with `#`",
        if at.found.starts_with('/') && at.follows_text("/") && at.rest[1..].starts_with(' ')
            && at.rest[1..].trim_start().starts_with(|first: char| first.is_ascii_alphabetic());
    "{'a' => 1, ...$x}" => "to merge hashes, write `$a + $b`; to pass the elements of an array, `*$array`",
        if at.rest.starts_with("...") && !looks_like_type_name(at.name_before_bracket('[', ']'));
    "$x ?? 5" => "for a value in place of undef, write `$x.lest || { 5 }`",
        if at.found.is_empty() && at.rest.starts_with('?') && at.follows_text("?") || at.found == "?" && at.follows_text("?");
    "Pattern[/a/g]" => NO_FLAG_HINT,
        if at.follows_text("/") && !at.found.is_empty() && at.found.chars().all(|letter| "guy".contains(letter));
    "Pattern[/a/i]" => "put options inside the expression: `/(?i:…)/`",
        if at.follows_text("/") && (1..4).contains(&at.found.len()) && at.found.chars().all(|letter| "gimsuxy".contains(letter));
    "${x}" => "write `$x`; `${…}` is for strings: `\"a ${x}\"`",
        if at.expects(Expected::Colon) && at.name_before_bracket('{', '}') == "$";
    "Hash{String => Integer}" => "put the parameters of a type in brackets: `Hash[String, Integer]`",
        if at.expects(Expected::Colon) && looks_like_type_name(at.name_before_bracket('{', '}'));
    "Callable[Integer] => String" => "put what is returned last in the brackets: `Callable[[Integer], String]`",
        if matches!(at.found, "=>" | ":" | ">>") && at.follows_type() && at.before.contains("Callable[");
    "Integer[1, *]" => "for an open end, write `default`: `Integer[1, default]`",
        if at.follows_type_bracket() && at.found.starts_with([',', '<', '>']) || at.found == "]" && at.follows_text("*") && at.before.trim_end_matches('*').trim_end().ends_with([',', '[']);
    "Struct[name: String]" => "write the keys of a Struct as a hash: `Struct[{name => String}]`",
        if at.found == ":" && at.expects(Expected::CloseBracket) && looks_like_type_name(at.name_before_bracket('[', ']'));
    "[String: Integer]" => "write the type of a hash as `Hash[String, Integer]`",
        if at.found == ":" && at.expects(Expected::CloseBracket) && at.follows_type();
    "$x[0:2]" => "write a position and a length: `$array[0, 2]`",
        if at.found == ":" && at.expects(Expected::CloseBracket) && !at.name_before_bracket('[', ']').is_empty();
    "String | Integer" => "for any of several types, write `Variant[A, B]`",
        if at.found == "|" && (at.follows_type() || looks_like_type_name(at.name_before_bracket('[', ']')));
    "Integer?" => "for a value that may be undef, write `Optional[Integer]`",
        if at.expects(Expected::Expression) && at.called_name_ending_with('?').is_some_and(looks_like_type_name) || at.rest.starts_with('?')
            && looks_like_type_name(&at.rest[1..]);
    "[1].sort!" => "leave out the `!`: values do not change, a function returns another one",
        if at.expects(Expected::Expression) && at.follows_text("!") && at.called_name_ending_with('!').is_some() && !at.follows_text(" !");
    "{name? => String}" => "for a key that may be missing, write `Struct[{Optional['name'] => String}]`",
        if at.expects(Expected::Expression) && at.follows_text("?") && at.called_name_ending_with('?').is_some()
            && at.source_before_bracket('{', '}').is_some()
            && at.advice_on_foreign_word().is_none()
            || at.found == "?" && at.expects(Expected::Expression) && at.before.ends_with(['{', ',']);
    "[2, 1].sort((a, b) => a)" => "write a lambda after the call: `|$a, $b| { … }`",
        if at.found == "," && at.expects(Expected::CloseParenthesis) && !at.expects(Expected::Comma)
            && at.rest.split_once(')').is_some_and(|(_, after)| after.trim_start().starts_with(['=', '-']));
    "5 =~ (Integer, String)" => "for any of several types, write `Variant[Integer, String]`",
        if at.found == "," && at.expects(Expected::CloseParenthesis) && at.follows_type();
    "~> Service['a']" => "an arrow is between two resources: `Package['a'] ~> Service['a']`",
        if matches!(at.found, "->" | "~>") && at.before.is_empty() && at.rest[2..].trim_start().starts_with(|first: char| first.is_ascii_uppercase());
    "->(x) { x }" => "a lambda must follow a call: `[1, 2].map |$x| { … }`",
        if at.found == "->" && at.expects(Expected::Expression) || at.found == "|" && at.before.is_empty();
    "Pattern[^a$]" => "write a regular expression between slashes: `Pattern[/^a$/]`",
        if at.name_before_bracket('[', ']') == "Pattern" && at.found.starts_with(['^', '.', '*', '+', '$', '\\', '[', '(']);
    "class(5)" => "to get the type of a value, write `type(5)`",
        if at.found == "(" && at.follows_text("class");
    "`ls`" => "no commands are run; strings are in quotes: `'a'`, or `\"a ${b}\"` with variables",
        if at.rest.starts_with('`');
    "'a' ++ 'b'" => "to join strings, interpolate them: `\"${a}${b}\"`; to join arrays, write `+`",
        if at.found == "+" && at.follows_text("+") && !at.rest[1..].trim().is_empty()
            && !trailing_name(at.before.trim_end_matches('+').trim_end()).starts_with('$')
            || at.found == "." && at.before.trim_end_matches('.').trim_end().ends_with(['\'', '"'])
            || at.expects(Expected::MethodName) && at.found.starts_with(['\'', '"']);
    "[1].map |$x| => $x * 2" => "put the body of a lambda in braces: `|$x| { … }`",
        if at.expects(Expected::ReturnArrow) && at.follows_text("|");
    "Integer === 5" => "to test whether a value is of a type, write `5 =~ Integer`",
        if at.found.starts_with('=') && at.follows_text("==") && looks_like_type_name(trailing_name(at.before.trim_end_matches('=').trim_end()));
    "{type: string}" => "`type` starts a definition; write an entry as `'type' => value`",
        if at.found == ":" && at.expects(Expected::TypeName);
    "type User = {name: string}" => "write the keys as the parameter of a type: `type User = Struct[{name => String}]`",
        if at.found == ":" && at.line_before().starts_with("type ") && at.before.contains('{') && !at.before.contains("[{");
    "type Own-Port = Integer" => "names of types have letters, digits and underscores",
        if at.expects(Expected::Assign) && at.line_before().starts_with("type ") && at.found == "-";
    "Integer & String" => "no type is two types at once: write one that accepts less, such as `Integer[1, 10]` or `Pattern[/^a/]`",
        if at.found == "&" && at.follows_type() && !at.rest.starts_with("&$");
    "[1].map(|$x| { $x })" => "write a lambda after the parentheses of a call, or without them: `map |$x| { … }`",
        if at.found.starts_with('|') && at.follows_text("(");
    "'a' | 'b'" => "for one of several strings, write `Enum['a', 'b']`",
        if at.found == "|" && at.before.ends_with(['\'', '"']) && !at.expects(Expected::CloseBracket);
    "1 if true else 2" => "write `if condition { 1 } else { 2 }`",
        if at.found == "else" && at.expects(Expected::OpenBrace);
    "1 <=> 2" => "to compare two values for sorting, call `compare`",
        if at.found == ">" && at.follows_text("<=");
    "$x = “a”" => "use straight quotes for strings: `'` or `\"`",
        if at.rest.starts_with(['‘', '’', '“', '”']);
    "$a – 1" => "use a plain hyphen `-` as the minus sign",
        if at.rest.starts_with(['–', '—', '−']);
    "é" => "names contain only ASCII letters; quote other strings",
        if at.found.starts_with(|letter: char| letter.is_alphabetic() && !letter.is_ascii());
    "def f(x) { x }" => "define a function with `function name($parameter) { … }`",
        if at.before.trim_start().starts_with("def ");
    "plan a::b(String $x) { }" => "plans are run by Bolt and kept in `plans/`; Puppet does not read them",
        if at.before.trim_start().starts_with("plan ");
    "<% $x %>" => "put a template into a string: `inline_epp('<%= $x %>')`",
        if at.rest.starts_with("<%");
    "function f($x: Integer) { }" => "put the type before the name: `Integer $x`",
        if at.found == ":"
            && trailing_name(at.before).starts_with('$')
            && at.rest[1..].trim_start().starts_with(|first: char| first.is_ascii_uppercase());
    "unless $x { } elsif $y { }" => "`unless` has no `elsif`: write `if !(condition) { … } elsif …`",
        if at.found == "elsif" && at.expects(Expected::Else)
            || at.before.contains("unless ") && at.follows_brace_and_word(&["elseif ", "elif ", "else if "]);
    "else { 1 }" => "`else` follows the closing brace of an `if`: `if $x { 1 } else { 2 }`",
        if matches!(at.found, "else" | "elsif" | "elseif") && at.before.is_empty();
    "$x++" => "variables cannot be reassigned: write `$new = $old + 1`",
        if at.found == "+" && at.follows_text("+");
    ".5" => "write digits on both sides of the decimal point: `0.5`",
        if at.found == "." && at.rest[1..].starts_with(|next: char| next.is_ascii_digit()) && !at.follows_text(".");
    "Integer[1..2]" => "a range is `Integer[1, 10]`; a part of an array is `$array[0, 2]`, by position and length",
        if at.found == "." && at.follows_text(".");
    "1.2.3" => "a number has one decimal point; quote a version: `'1.2.3'`",
        if at.expects(Expected::MethodName) && at.follows_decimal_and_dot();
    "5." => "write digits on both sides of the decimal point: `5.0`",
        if at.expects(Expected::MethodName) && !at.found.starts_with(|first: char| first.is_ascii_alphabetic())
            && at.before.trim_end_matches('.').ends_with(|last: char| last.is_ascii_digit());
    "$x.Foo" => "function names start with a lower-case letter",
        if at.expects(Expected::MethodName) && at.found.starts_with(|letter: char| letter.is_ascii_uppercase())
            && at.found.contains(|letter: char| letter.is_ascii_lowercase());
    "[1].each { |$x| $x }" => "put the parameters of a lambda before its brace: `|$x| { … }`",
        if at.found == "|" && at.follows_text("{");
    "[1].each do |$x| { }" => "write the lambda as `|$x| { … }` right after the call",
        if at.found.starts_with('|') && at.follows_text(" do");
    "file { '/a': ensure => file; mode => '0644' }" => "separate attributes with `,`: `;` ends a resource",
        if at.found == "=>" && at.expects(Expected::Colon) && at.before.rfind(';') > at.before.rfind('{');
    "case $x { 1 => 2 }" => "write a `case` option as `value: { … }`, a selector as `$x ? { value => result }`",
        if at.found == "=>" && at.expects(Expected::Colon);
    "case $x { 1: 2 }" => "put the statements of a `case` option in braces: `value: { … }`",
        if at.expects(Expected::OpenBrace) && at.follows_text(":");
    "$x == 1 ? 2 : 3" => "write a conditional value as `condition ? { true => a, default => b }`",
        if at.found == ":" && at.expects(Expected::Arrow)
            && at.line_before().rsplit_once('?').is_some_and(|(_, after)| !after.contains('{'));
    "define foo inherits bar { }" => "only classes can inherit",
        if at.found == "inherits";
    "type Foo = 'a' | 'b'"
        => "for one of several strings, write `Enum['a', 'b']`; for matching strings, `Pattern[/a/]`",
        if at.expects(Expected::TypeName) && at.found.starts_with(['\'', '"', '/']);
    "function foo(x) { }" => "the name of a parameter starts with `$`: `$name`",
        if at.found.starts_with(|first: char| first.is_ascii_lowercase()) && (at.expects(Expected::VariableName)
            || at.expects(Expected::Parameter) && at.rest[at.found.len()..].trim_start().starts_with([',', ')', '=']));
    "function f(*String $x) { }" => "write the star before the variable: `String *$x`",
        if at.expects(Expected::VariableName) && at.follows_text("*");
    "function foo(Integer) { }" => "a type must be followed by the parameter: `Integer $name`",
        if at.expects(Expected::VariableName);
    "node foo-bar.com { }" => "quote a host name with hyphens and dots: `'a-b.example.org'`",
        if at.found == "." && at.expects(Expected::Inherits);
    "if ($x == 1) 'a'" => "put the statements in braces after the condition: `{ … }`",
        if at.expects(Expected::OpenBrace) && !at.rest.contains('{')
            && at.found.starts_with(|first: char| first.is_ascii_alphanumeric() || "$'\"[{(".contains(first))
            && (at.follows_text(")") || at.line_before().starts_with("if ") || at.line_before().starts_with("unless "));
}

common_mistakes! {
    /// General mistakes, which are only considered without any other hint.
    GENERAL at:
    "Error: no such file" => "this is a message of Puppet, not code",
        if at.found == ":" && ["Error", "Warning", "Notice", "Info", "Debug"].contains(&at.line_before());
    "name: foo" => "write data as a hash in braces: `{'name' => 'value'}`",
        if at.found == ":" && at.expects(Expected::Statement) && at.line_before().chars().all(is_word_character)
            && at.rest[1..].starts_with(char::is_whitespace) && !is_foreign_keyword(at.line_before());
    "[1].map($x) { $x }" => "write a block after a call as a lambda: `map |$x| { … }`",
        if at.found == "}" && at.expects(Expected::Colon)
            && at.source_before_bracket('{', '}').and_then(|call| call.split_whitespace().last()).is_some_and(|call| call.contains(['.', ')']));
    "Tuple[]" => "leave out the empty brackets, or write parameters in them",
        if at.found == "]" && at.follows_type_bracket();
    "a => 1,\nb" => "put a hash in braces, `{ name => value }`, and an attribute into its resource, `file { '/a': ensure => file }`",
        if at.found == "=>" && at.expects(Expected::Statement) && !(at.follows_text("]") && at.follows_type());
    "/abc" => "a regular expression ends with a second `/`; write a slash in it as `\\/`",
        if at.found.starts_with('/') && at.expects(Expected::Expression);
    "$h[a]b]" => "unmatched closing bracket",
        if matches!(at.found, ")" | "]" | "}") && (at.expects(Expected::Statement) || at.before.is_empty());
    "Optional<Integer>" => "put the parameters of a type in brackets: `Hash[String, Integer]`",
        if at.found.is_empty() && at.follows_text(">") && at.before.contains('<');
    ">> 1 + 1" => "this is a session at the prompt: `pcore -i` reads it, `pcore test` compares its answers",
        if at.found == ">>" && at.before.is_empty();
    "$x = else" => "this word is reserved: quote it to use it as a string",
        if is_keyword(at.found) && !at.expects(Expected::Comma);
    "case 1 { 2 'a' }" => "write a `case` option as `value: { … }`",
        if at.expects(Expected::Comma) && at.expects(Expected::Colon);
    "[1, 2))" => "close the innermost bracket first",
        if matches!(at.found, ")" | "]" | "}") && at.expects_closing_bracket();
    "1 +" => "the operator needs a value on its right",
        if matches!(at.found, "" | ")" | "]" | "}") && at.expects(Expected::Expression) && at.follows_operator();
}

/// Returns the hint for `failure`, and the span to change if that is before the offset where parsing stopped. `mistake`
/// describes the same failure, to try repairs of one token on it.
pub(super) fn find_advice(failure: &ParseFailure<'_>, mistake: &Mistake<'_>) -> Option<(String, Option<Span>)> {
    let first = |table: &[CommonMistake]| table.iter().find(|(.., matches)| matches(failure)).map(|(_, hint, _)| *hint);
    let particular = first(PARTICULAR);
    let on_word =
        failure.advice_on_foreign_word().filter(|_| particular.is_none() || failure.expects(Expected::MethodName));
    if let Some(hint) = on_word {
        return Some((hint.to_owned(), None));
    }
    let is_repairable = particular.is_none() && (!failure.found.is_empty() || failure.follows_text(">"));
    is_repairable.then(|| mistake.best_advice()).flatten().or_else(|| {
        // `Optional<Integer>`
        let less = failure.before.rfind('<').filter(|_| failure.follows_text(">"));
        Some((particular.or_else(|| first(GENERAL))?.to_owned(), less.map(|at| Span::new(at, at + 1))))
    })
}

/// Returns the likeliest text that parses, differs from `text` by one token (or the same change at similar mistakes),
/// and satisfies `wanted`. `None` if there is none, or if `text` has no mistake.
pub(crate) fn find_repaired_text(text: &str, mut wanted: impl FnMut(&str) -> bool) -> Option<String> {
    Mistake::find_first_mistake(text)?.repairs().map(|repair| repair.repaired_text).find(|repaired| wanted(repaired))
}

/// The offset where parsing stopped, with predicates about the source around it.
pub(super) struct ParseFailure<'a> {
    /// The source before the offset where parsing stopped, without trailing white space.
    pub(super) before: &'a str,
    /// The word or symbol at which parsing stopped; empty at the end of the source.
    pub(super) found: &'a str,
    pub(super) rest: &'a str,
    pub(super) expected: &'a [Expected],
}

impl ParseFailure<'_> {
    fn expects(&self, what: Expected) -> bool {
        self.expected.contains(&what)
    }

    pub(super) fn expects_closing_bracket(&self) -> bool {
        self.expected.iter().any(|one| one.is_closing_bracket())
    }

    fn follows_text(&self, text: &str) -> bool {
        self.before.ends_with(text)
    }

    /// Whether a word follows the last or last but one `}` before the failure, or that is at the `if` of `else if`.
    fn follows_brace_and_word(&self, candidates: &[&str]) -> bool {
        let mut parts = self.before.rsplit('}').take(2).map(str::trim_start);
        parts.any(|text| candidates.iter().any(|word| text.starts_with(word)))
            || (self.found == "if" && self.follows_text("else"))
    }

    fn follows_operator(&self) -> bool {
        self.before.ends_with(['+', '-', '*', '/', '%', '<', '>', '=', '~', '!'])
            || matches!(trailing_name(self.before), "and" | "or" | "in")
    }

    /// Whether the source before the failure ends with a decimal number and another point, as in `1.2.`.
    fn follows_decimal_and_dot(&self) -> bool {
        let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
        let number = self.before.rsplit(|letter: char| !is_of_number(letter)).next().unwrap_or_default();
        self.follows_text(".") && !number.contains("..") && number.matches('.').count() > 1
    }

    fn follows_type_bracket(&self) -> bool {
        self.before.strip_suffix('[').is_some_and(|before| looks_like_type_name(trailing_name(before)))
    }

    /// Returns the name right before the innermost bracket `open`: `Enum` in `Enum['a'`. Empty if there is none.
    fn name_before_bracket(&self, open: char, close: char) -> &str {
        self.source_before_bracket(open, close).map_or("", trailing_name)
    }

    fn source_before_bracket(&self, open: char, close: char) -> Option<&str> {
        let mut depth = 0;
        let at = self.before.rfind(|letter| {
            depth += i32::from(letter == open) - i32::from(letter == close);
            depth > 0
        });
        Some(&self.before[..at?])
    }

    /// Whether the source before the failure ends with a type, with or without parameters: `Enum`, `Enum['a']`.
    fn follows_type(&self) -> bool {
        let name = self.before.strip_suffix(']').and_then(|text| text.rfind('[')).map(|at| &self.before[..at]);
        looks_like_type_name(trailing_name(name.unwrap_or(self.before)))
    }

    /// Returns the last called name that ends with `mark` (`?` or `!`): `is_a?` in `5.is_a?(Integer`.
    fn called_name_ending_with(&self, mark: char) -> Option<&str> {
        let end = self.before.rfind(mark)?;
        let word = trailing_name(&self.before[..end]);
        let after = &self.before[end + 1..];
        let is_call = after.is_empty() || (after.starts_with('(') && !after.contains(')')) || after.ends_with(')');
        (is_call && !word.is_empty()).then(|| &self.before[end - word.len()..=end])
    }

    fn line_before(&self) -> &str {
        self.before.rsplit('\n').next().unwrap_or_default().trim_start()
    }

    /// Returns the hint for a function of another language whose name ends with `!` or `?`, such as `println!`.
    pub(super) fn advice_on_bang_or_question(&self) -> Option<&'static str> {
        let word = self
            .called_name_ending_with('!')
            .map(|word| word.trim_end_matches('!'))
            .or_else(|| self.called_name_ending_with('?'))?;
        Some(dictionary::find_word(word, &[Kind::Function])?.advice)
    }

    /// Returns the hint for a word of another language: a function name after a dot, or the first word of the line.
    fn advice_on_foreign_word(&self) -> Option<&'static str> {
        if self.expects(Expected::MethodName) {
            return Some(dictionary::find_word(self.found, &[Kind::Function])?.advice);
        }
        let line = self.line_before();
        let (word, rest) = line.split_at(line.find(|letter| !is_word_character(letter)).unwrap_or(line.len()));
        // `match { 'title': }` is a resource, `alias => 'a'` an attribute, `check('a')` a call.
        let next = if rest.trim().is_empty() { self.rest } else { rest.trim_start() };
        let is_puppet = is_keyword(word) || next.starts_with(['{', '=', '(', ',', '+']);
        let first = dictionary::find_word(word, &[Kind::Keyword]).filter(|row| !is_puppet && row.others.contains(word));
        // `'abc' match /a/`: between two values.
        let second =
            || dictionary::find_word(rest.split_whitespace().next()?, &[Kind::Keyword]).filter(|_| word.is_empty());
        Some(first.or_else(second)?.advice)
    }
}

/// Returns the name or variable at the end of `text`, or an empty string if the text ends with something else.
fn trailing_name(text: &str) -> &str {
    text.rsplit(|letter: char| !is_word_character(letter) && !":$".contains(letter)).next().unwrap_or_default()
}

fn is_foreign_keyword(word: &str) -> bool {
    dictionary::find_word(word, &[Kind::Keyword]).is_some()
}

fn looks_like_type_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

#[cfg(test)]
#[path = "../../tests/unit/syntax/suggestions.rs"]
mod tests;
