//! Hints for common syntax mistakes: a table of patterns for the position where parsing stopped.

use super::errors::Expected;
use super::lexical::is_keyword;
use crate::text::Span;

/// The place where reading stopped.
pub(super) struct Failure<'a> {
    /// The text before it, without white space at the end.
    pub(super) before: &'a str,
    /// The word or symbol that stands there; empty at the end of the text.
    pub(super) found: &'a str,
    /// The text from there on.
    pub(super) rest: &'a str,
    /// Everything that could have stood there.
    pub(super) expected: &'a [Expected],
}

impl Failure<'_> {
    fn expects(&self, what: Expected) -> bool {
        self.expected.contains(&what)
    }

    /// Whether a bracket could be closed.
    fn expects_close(&self) -> bool {
        self.expected.iter().any(|one| one.closes())
    }

    fn is_after(&self, text: &str) -> bool {
        self.before.ends_with(text)
    }

    /// Whether one of the words starts what stands after the last closing brace, or after the last but one.
    fn follows_word(&self, candidates: &[&str]) -> bool {
        let mut parts = self.before.rsplit('}').take(2).map(str::trim_start);
        parts.any(|text| candidates.iter().any(|word| text.starts_with(word)))
            || (self.found == "if" && self.is_after("else"))
    }

    /// Whether a `?` without a brace stands before on the same line.
    fn is_after_question(&self) -> bool {
        let line = self.before.rsplit('\n').next().unwrap_or_default();
        line.rsplit_once('?').is_some_and(|(_, after)| !after.contains('{'))
    }

    fn next_is_digit(&self) -> bool {
        self.rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
    }

    /// Whether an operator, or the beginning of one, is the last thing before.
    fn follows_operator(&self) -> bool {
        let is_word = |word: &str| {
            let rest = self.before.strip_suffix(word);
            rest.is_some_and(|rest| rest.ends_with(|last: char| !last.is_alphanumeric() && !"_:$".contains(last)))
        };
        self.before.ends_with(['+', '-', '*', '/', '%', '<', '>', '=', '~', '!'])
            || ["and", "or", "in"].into_iter().any(is_word)
    }

    /// Whether a value may start with what was found.
    fn starts_expression(&self) -> bool {
        self.found.starts_with(|first: char| first.is_ascii_alphanumeric() || "$'\"[{(".contains(first))
    }

    /// Whether the last word before is a variable.
    fn follows_variable(&self) -> bool {
        let word = self.before.rsplit(|letter: char| !letter.is_alphanumeric() && !"_:$".contains(letter)).next();
        word.is_some_and(|word| word.starts_with('$'))
    }

    /// Whether the last thing before is a number with a decimal point, and another point.
    fn follows_decimal(&self) -> bool {
        let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
        let number = self.before.rsplit(|letter: char| !is_of_number(letter)).next().unwrap_or_default();
        self.is_after(".") && !number.contains("..") && number.matches('.').count() > 1
    }

    /// Whether the last thing before is the bracket behind a type.
    fn is_after_type_bracket(&self) -> bool {
        let before = self.before.strip_suffix('[').unwrap_or_default();
        let word = before.rsplit(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter)).next();
        word.is_some_and(|word| word.starts_with(|first: char| first.is_ascii_uppercase()))
    }

    fn found_is_word(&self) -> bool {
        self.found.starts_with(|letter: char| letter.is_ascii_lowercase())
    }
}

/// What to write instead of a loop.
pub(super) const NO_LOOPS: &str = "Puppet has no loops: call a function such as `each`: `[1, 2].each |$x| { … }`";

/// Whether the line before starts as a loop of other languages.
pub(super) fn is_loop(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    ["for", "foreach", "while"].contains(&line.split_whitespace().next().unwrap_or_default())
}

/// A mistake: an example, how it matches, and what to write.
struct CommonMistake {
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it, and people"))]
    example: &'static str,
    matches: fn(&Failure<'_>) -> bool,
    hint: &'static str,
    /// Words before the place, the last of which is marked, and what is said of it.
    mark: (&'static [&'static str], &'static str),
}

const fn mistake(example: &'static str, matches: fn(&Failure<'_>) -> bool, hint: &'static str) -> CommonMistake {
    CommonMistake { example, matches, hint, mark: (&[], "") }
}

impl CommonMistake {
    /// The same mistake, with a mark at what was read as something else than was meant.
    const fn marking(self, words: &'static [&'static str], text: &'static str) -> CommonMistake {
        CommonMistake { mark: (words, text), ..self }
    }
}

/// The more particular stand before the more general.
const COMMON_MISTAKES: &[CommonMistake] = &[
    mistake("$a && $b", |at| at.found == "&&", "write `and` instead of `&&`"),
    mistake("$a || $b", |at| at.found == "||", "write `or` instead of `||`"),
    mistake("1 !=~ 2", |at| at.found == "~" && at.is_after("!="), "write `!~` instead of `!=~`"),
    mistake("$x === 1", |at| at.found.starts_with('=') && at.is_after("=="), "write `==` instead of `===`"),
    mistake("1 <=> 2", |at| at.found == ">" && at.is_after("<="), "to compare two values for sorting, call `compare`"),
    mistake("$x := 1", |at| at.rest.starts_with(":="), "write an assignment as `$name = value`"),
    mistake("$x = “a”", |at| at.rest.starts_with(['‘', '’', '“', '”']), "use straight quotes for strings: `'` or `\"`"),
    mistake("$a – 1", |at| at.rest.starts_with(['–', '—', '−']), "use a plain hyphen `-` as the minus sign"),
    mistake(
        "é",
        |at| at.found.starts_with(|letter: char| letter.is_alphabetic() && !letter.is_ascii()),
        "names contain only ASCII letters; quote other strings",
    ),
    mistake("for i in [1] { notice(i) }", |at| is_loop(at.before), NO_LOOPS),
    mistake(
        "def f(x) { x }",
        |at| at.before.trim_start().starts_with("def "),
        "define a function with `function name($parameter) { … }`",
    ),
    mistake("<% $x %>", |at| at.rest.starts_with("<%"), "put a template into a string: `inline_epp('<%= $x %>')`"),
    mistake(
        "function f($x: Integer) { }",
        |at| at.found == ":" && at.follows_variable(),
        "put the type before the name: `Integer $x`",
    ),
    mistake(
        "if $x { 1 } elseif $y { 2 }",
        |at| at.follows_word(&["elseif ", "elif ", "else if "]),
        "for another condition, write `elsif`",
    )
    .marking(&["elseif", "elif", "else if"], "write `elsif`"),
    mistake(
        "unless $x { } elsif $y { }",
        |at| at.found == "elsif" && at.expects(Expected::Else),
        "`unless` has no `elsif`: write `if !condition { … } elsif …`",
    ),
    mistake("if $x then { }", |at| at.found == "then", "`if` has no `then`: write `if condition { … }`"),
    mistake(
        "if $x = 1 { }",
        |at| at.found == "=" && at.expects(Expected::OpenBrace),
        "to compare, write `==`; put an assignment in a condition in parentheses",
    ),
    mistake(
        "$x++",
        |at| at.found == "+" && at.is_after("+"),
        "variables cannot be reassigned: write `$new = $old + 1`",
    ),
    mistake("+5", |at| at.found == "+" && at.next_is_digit(), "numbers cannot start with `+`"),
    mistake(
        ".5",
        |at| at.found == "." && at.next_is_digit() && !at.is_after("."),
        "write digits on both sides of the decimal point: `0.5`",
    ),
    mistake(
        "Integer[1..2]",
        |at| at.found == "." && at.is_after("."),
        "write two values with a comma: `Integer[1, 10]`, or position and length: `$array[0, 2]`",
    ),
    mistake(
        "1.2.3",
        |at| at.expects(Expected::MethodName) && at.follows_decimal(),
        "a number has one decimal point; quote a version: `'1.2.3'`",
    ),
    mistake(
        "5.",
        |at| {
            at.expects(Expected::MethodName)
                && at.before.trim_end_matches('.').ends_with(|last: char| last.is_ascii_digit())
        },
        "write digits on both sides of the decimal point: `5.0`",
    ),
    mistake(
        "$x = 'a' . 'b'",
        |at| at.expects(Expected::MethodName) && at.found.starts_with(['\'', '"']),
        "to join strings, interpolate them: `\"${a}${b}\"`",
    ),
    mistake(
        "$x.Foo",
        |at| at.expects(Expected::MethodName) && at.found.starts_with(|letter: char| letter.is_ascii_uppercase()),
        "function names start with a lower-case letter",
    ),
    mistake(
        "[1].each { |$x| $x }",
        |at| at.found == "|" && at.is_after("{"),
        "put the parameters of a lambda before its brace: `|$x| { … }`",
    ),
    mistake(
        "[1].each do |$x| { }",
        |at| at.found.starts_with('|') && at.is_after(" do"),
        "write the lambda as `|$x| { … }` right after the call",
    )
    .marking(&["do"], "Puppet has no `do`"),
    mistake(
        "Variant[Integer | String]",
        |at| at.found == "|" && at.expects(Expected::CloseBracket),
        "for any of several types, write `Variant[A, B]`",
    ),
    mistake(
        "case $x { 1 => 2 }",
        |at| at.found == "=>" && at.expects(Expected::Colon),
        "write a `case` option as `value: { … }`, a selector as `$x ? { value => result }`",
    ),
    mistake(
        "case $x { 1: 2 }",
        |at| at.expects(Expected::OpenBrace) && at.is_after(":"),
        "put the statements of a `case` option in braces: `value: { … }`",
    ),
    mistake(
        "$x == 1 ? 2 : 3",
        |at| at.found == ":" && at.expects(Expected::Arrow) && at.is_after_question(),
        "write a conditional value as `condition ? { true => a, default => b }`",
    ),
    mistake(
        "function f() -> Integer { 1 }",
        |at| at.expects(Expected::ReturnArrow) && matches!(at.found, "->" | ":" | "=>"),
        "write the return type as `>> Type`",
    ),
    mistake("define foo inherits bar { }", |at| at.found == "inherits", "only classes can inherit"),
    mistake(
        "type port = Integer",
        |at| at.expects(Expected::TypeName) && at.found_is_word(),
        "type names start with an upper-case letter",
    ),
    mistake(
        "type Foo = 'a' | 'b'",
        |at| at.expects(Expected::TypeName) && at.found.starts_with(['\'', '"', '/']),
        "for one of several strings, write `Enum['a', 'b']`; for matching strings, `Pattern[/a/]`",
    ),
    mistake(
        "function foo(x) { }",
        |at| at.expects(Expected::Parameter) && at.found_is_word(),
        "a parameter is a variable: `$name`",
    ),
    mistake(
        "function foo(Integer) { }",
        |at| at.expects(Expected::VariableName),
        "a type must be followed by the parameter: `Integer $name`",
    ),
    mistake(
        "node foo-bar.com { }",
        |at| at.found == "." && at.expects(Expected::Inherits),
        "quote a host name with hyphens and dots: `'a-b.example.org'`",
    ),
    mistake(
        "[1].map($x) { $x }",
        |at| at.found == "}" && at.expects(Expected::Colon),
        "write a block after a call as a lambda: `map |$x| { … }`",
    )
    .marking(&["{"], "read as the braces of a resource"),
    mistake(
        "file { '/a' ensure => file }",
        |at| at.expects(Expected::Colon) && !at.expects(Expected::Comma),
        "put a colon after the title: `type { 'title': attribute => value }`",
    ),
    mistake(
        "[1].map |$x| $x * 2",
        |at| at.expects(Expected::ReturnArrow) && at.is_after("|"),
        "put the body of a lambda in braces: `|$x| { … }`",
    ),
    mistake(
        "if ($x == 1) 'a'",
        |at| at.expects(Expected::OpenBrace) && at.starts_expression() && at.is_after(")"),
        "put the statements in braces: `if condition { … }`",
    ),
    mistake(
        "Tuple[]",
        |at| at.found == "]" && at.is_after_type_bracket(),
        "leave out the empty brackets, or write parameters in them",
    ),
    mistake("{a: 1}", |at| at.expects(Expected::Arrow), "write an entry as `name => value`"),
    mistake(
        "a => 1",
        |at| at.found == "=>" && at.expects(Expected::Statement),
        "put a hash in braces: `{ name => value }`",
    ),
    mistake(
        "/abc",
        |at| at.found == "/" && at.expects(Expected::Expression),
        "a regular expression ends with a second `/`; write a slash in it as `\\/`",
    ),
    mistake(
        "$h[a]b]",
        |at| matches!(at.found, ")" | "]" | "}") && (at.expects(Expected::Statement) || at.before.is_empty()),
        "unmatched closing bracket",
    ),
    mistake(
        "Optional<Integer>",
        |at| at.found.is_empty() && at.is_after(">") && at.before.contains('<'),
        "put type parameters in brackets: `Optional[Integer]`",
    )
    .marking(&["<"], "read as less than"),
    mistake(
        "$x;",
        |at| at.is_after(";") && matches!(at.found, "" | "}"),
        "`;` separates statements; remove it after the last one",
    ),
    mistake(
        ">> 1 + 1",
        |at| at.found == ">>" && at.before.is_empty(),
        "this is a session at the prompt: `pcore -i` reads it, `pcore test` compares its answers",
    ),
    mistake("$x = else", |at| is_keyword(at.found), "this word is reserved: quote it to use it as a string"),
    mistake(
        "[1,, 2]",
        |at| at.found == "," && (at.is_after(",") || at.is_after("[") || at.is_after("(") || at.is_after("{")),
        "`,` needs a value on both sides; use `undef` for an empty one",
    ),
    mistake(
        "|$x| { $x }",
        |at| at.found == "|" && at.before.is_empty(),
        "a lambda must follow a call: `[1, 2].map |$x| { … }`",
    ),
    mistake(
        "case 1 { 2 'a' }",
        |at| at.expects(Expected::Comma) && at.expects(Expected::Colon),
        "write a `case` option as `value: { … }`",
    ),
    mistake(
        "[1 2]",
        |at| at.expects(Expected::Comma) && at.expects_close() && at.starts_expression(),
        "separate elements, parameters and arguments with `,`",
    ),
    mistake(
        "[1, 2)",
        |at| matches!(at.found, ")" | "]" | "}") && at.expects_close(),
        "close the innermost bracket first",
    ),
    mistake(
        "1 +",
        |at| matches!(at.found, "" | ")" | "]" | "}") && at.expects(Expected::Expression) && at.follows_operator(),
        "the operator needs a value on its right",
    ),
];

/// What to write instead of what stands where reading stopped.
pub(super) struct Advice {
    pub(super) hint: &'static str,
    /// Where something before was read as something else than was meant, and what to say of it.
    pub(super) mark: Option<(Span, &'static str)>,
}

/// The advice for the place where reading stopped.
pub(super) fn advice(failure: &Failure<'_>) -> Option<Advice> {
    let mistake = COMMON_MISTAKES.iter().find(|mistake| (mistake.matches)(failure))?;
    let (words, text) = mistake.mark;
    let last = words.iter().filter_map(|word| Some((failure.before.rfind(word)?, word.len()))).max();
    Some(Advice { hint: mistake.hint, mark: last.map(|(at, length)| (Span::new(at, at + length), text)) })
}

#[cfg(test)]
mod tests {
    use super::COMMON_MISTAKES;
    use crate::syntax::parse;
    use crate::text::Source;

    #[test]
    fn every_slip_gets_its_help() {
        for mistake in COMMON_MISTAKES {
            let error = parse(&Source::new("example", mistake.example)).unwrap_err();
            assert_eq!(error.help(), [mistake.hint], "{}: {error}", mistake.example);
        }
    }
}
