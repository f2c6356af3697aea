//! What to write instead, for the slips that everybody makes: a table of how each looks where reading stopped.

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

    fn found_is_word(&self) -> bool {
        self.found.starts_with(|letter: char| letter.is_ascii_lowercase())
    }
}

/// A slip: an example, how it looks, and what to write.
struct Slip {
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it, and people"))]
    example: &'static str,
    looks: fn(&Failure<'_>) -> bool,
    write: &'static str,
    /// Words before the place, the last of which is marked, and what is said of it.
    mark: (&'static [&'static str], &'static str),
}

const fn slip(example: &'static str, looks: fn(&Failure<'_>) -> bool, write: &'static str) -> Slip {
    Slip { example, looks, write, mark: (&[], "") }
}

impl Slip {
    /// The same slip, with a mark at what was read as something else than was meant.
    const fn marking(self, words: &'static [&'static str], text: &'static str) -> Slip {
        Slip { mark: (words, text), ..self }
    }
}

/// The more particular stand before the more general.
const SLIPS: &[Slip] = &[
    slip("$a && $b", |at| at.found == "&&", "both conditions: write `and`"),
    slip("$a || $b", |at| at.found == "||", "one of two conditions: write `or`"),
    slip("1 !=~ 2", |at| at.found == "~" && at.is_after("!="), "does not match: write `!~`"),
    slip("$x === 1", |at| at.found.starts_with('=') && at.is_after("=="), "equal: write `==`"),
    slip("1 <=> 2", |at| at.found == ">" && at.is_after("<="), "to order two values, call `compare`"),
    slip("$x := 1", |at| at.rest.starts_with(":="), "an assignment is written `$name = value`"),
    slip("$x = “a”", |at| at.rest.starts_with(['‘', '’', '“', '”']), "strings stand in plain quotes: `'` or `\"`"),
    slip("$a – 1", |at| at.rest.starts_with(['–', '—', '−']), "minus is a plain `-`"),
    slip(
        "é",
        |at| at.found.starts_with(|letter: char| letter.is_alphabetic() && !letter.is_ascii()),
        "names have ASCII letters only; other text is quoted",
    ),
    slip(
        "if $x { 1 } elseif $y { 2 }",
        |at| at.follows_word(&["elseif ", "elif ", "else if "]),
        "a further condition is written `elsif`",
    )
    .marking(&["elseif", "elif", "else if"], "write `elsif`"),
    slip(
        "unless $x { } elsif $y { }",
        |at| at.found == "elsif" && at.expects(Expected::Else),
        "`unless` has no `elsif`: write `if !condition { … } elsif …`",
    ),
    slip("if $x then { }", |at| at.found == "then", "there is no `then`: write `if condition { … }`"),
    slip(
        "if $x = 1 { }",
        |at| at.found == "=" && at.expects(Expected::OpenBrace),
        "to compare, write `==`; an assignment in a condition stands in parentheses",
    ),
    slip("$x++", |at| at.found == "+" && at.is_after("+"), "variables do not change: write `$new = $old + 1`"),
    slip("+5", |at| at.found == "+" && at.next_is_digit(), "numbers have no `+` in front"),
    slip(
        ".5",
        |at| at.found == "." && at.next_is_digit() && !at.is_after("."),
        "a fraction has digits on both sides: `0.5`",
    ),
    slip(
        "Integer[1..2]",
        |at| at.found == "." && at.is_after("."),
        "a range is written as two parameters: `Integer[1, 10]`",
    ),
    slip(
        "5.",
        |at| {
            at.expects(Expected::MethodName)
                && at.before.trim_end_matches('.').ends_with(|last: char| last.is_ascii_digit())
        },
        "a fraction has digits on both sides: `5.0`",
    ),
    slip(
        "$x = 'a' . 'b'",
        |at| at.expects(Expected::MethodName) && at.found.starts_with(['\'', '"']),
        "strings are joined by interpolation: `\"${a}${b}\"`",
    ),
    slip(
        "$x.Foo",
        |at| at.expects(Expected::MethodName) && at.found.starts_with(|letter: char| letter.is_ascii_uppercase()),
        "names of functions start with a lower-case letter",
    ),
    slip(
        "[1].each { |$x| $x }",
        |at| at.found == "|" && at.is_after("{"),
        "the parameters of a lambda stand in front of its brace: `|$x| { … }`",
    ),
    slip(
        "[1].each do |$x| { }",
        |at| at.found.starts_with('|') && at.is_after(" do"),
        "a lambda is written `|$x| { … }` right after the call",
    )
    .marking(&["do"], "there is no `do`"),
    slip(
        "Variant[Integer | String]",
        |at| at.found == "|" && at.expects(Expected::CloseBracket),
        "one of several types is `Variant[A, B]`",
    ),
    slip(
        "case $x { 1 => 2 }",
        |at| at.found == "=>" && at.expects(Expected::Colon),
        "an option of `case` is written `value: { … }`, a choice of values `$x ? { value => result }`",
    ),
    slip(
        "case $x { 1: 2 }",
        |at| at.expects(Expected::OpenBrace) && at.is_after(":"),
        "the statements of a `case` option stand in braces: `value: { … }`",
    ),
    slip(
        "$x == 1 ? 2 : 3",
        |at| at.found == ":" && at.expects(Expected::Arrow) && at.is_after_question(),
        "a choice is written `condition ? { true => a, default => b }`",
    ),
    slip(
        "function f() -> Integer { 1 }",
        |at| at.expects(Expected::ReturnArrow) && matches!(at.found, "->" | ":" | "=>"),
        "the type of the result is written `>> Type`",
    ),
    slip("define foo inherits bar { }", |at| at.found == "inherits", "only classes inherit"),
    slip(
        "type port = Integer",
        |at| at.expects(Expected::TypeName) && at.found_is_word(),
        "names of types start with an upper-case letter",
    ),
    slip(
        "type Foo = 'a' | 'b'",
        |at| at.expects(Expected::TypeName) && at.found.starts_with(['\'', '"', '/']),
        "texts to choose from are `Enum['a', 'b']`, texts that match are `Pattern[/a/]`",
    ),
    slip(
        "function foo(x) { }",
        |at| at.expects(Expected::Parameter) && at.found_is_word(),
        "a parameter is a variable: `$name`",
    ),
    slip(
        "function foo(Integer) { }",
        |at| at.expects(Expected::VariableName),
        "a type is followed by its parameter: `Integer $name`",
    ),
    slip(
        "node foo-bar.com { }",
        |at| at.found == "." && at.expects(Expected::Inherits),
        "a host name with hyphens and dots is quoted: `'a-b.example.org'`",
    ),
    slip(
        "[1].map($x) { $x }",
        |at| at.found == "}" && at.expects(Expected::Colon),
        "a block after a call is a lambda: `map |$x| { … }`",
    )
    .marking(&["{"], "read as the braces of a resource"),
    slip(
        "file { '/a' ensure => file }",
        |at| at.expects(Expected::Colon) && !at.expects(Expected::Comma),
        "a title ends with a colon: `type { 'title': attribute => value }`",
    ),
    slip("{a: 1}", |at| at.expects(Expected::Arrow), "name and value are written `name => value`"),
    slip(
        "a => 1",
        |at| at.found == "=>" && at.expects(Expected::Statement),
        "a hash stands in braces: `{ name => value }`",
    ),
    slip(
        "/abc",
        |at| at.found == "/" && at.expects(Expected::Expression),
        "a regular expression ends with a second `/`; a slash in it is written `\\/`",
    ),
    slip(
        "$h[a]b]",
        |at| matches!(at.found, ")" | "]" | "}") && (at.expects(Expected::Statement) || at.before.is_empty()),
        "nothing is open that this could close",
    ),
    slip(
        "Optional<Integer>",
        |at| at.found.is_empty() && at.is_after(">") && at.before.contains('<'),
        "parameters of types stand in brackets: `Optional[Integer]`",
    )
    .marking(&["<"], "read as less than"),
    slip(
        "$x;",
        |at| at.is_after(";") && matches!(at.found, "" | "}"),
        "`;` stands between statements, not after the last",
    ),
    slip("$x = else", |at| is_keyword(at.found), "this word is reserved: as text it is quoted"),
    slip(
        "[1,, 2]",
        |at| at.found == "," && (at.is_after(",") || at.is_after("[") || at.is_after("(") || at.is_after("{")),
        "a value stands on both sides of `,`: nothing is `undef`",
    ),
    slip(
        "|$x| { $x }",
        |at| at.found == "|" && at.before.is_empty(),
        "a lambda follows a call: `[1, 2].map |$x| { … }`",
    ),
    slip(
        "case 1 { 2 'a' }",
        |at| at.expects(Expected::Comma) && at.expects(Expected::Colon),
        "an option of `case` is written `value: { … }`",
    ),
    slip(
        "[1 2]",
        |at| at.expects(Expected::Comma) && at.expects_close() && at.starts_expression(),
        "elements, parameters and arguments are separated by `,`",
    ),
    slip("[1, 2)", |at| matches!(at.found, ")" | "]" | "}") && at.expects_close(), "close first what was opened last"),
    slip(
        "1 +",
        |at| at.found.is_empty() && at.expects(Expected::Expression) && at.follows_operator(),
        "an operator needs a value on its right",
    ),
];

/// What to write instead of what stands where reading stopped.
pub(super) struct Advice {
    pub(super) write: &'static str,
    /// Where something before was read as something else than was meant, and what to say of it.
    pub(super) mark: Option<(Span, &'static str)>,
}

/// The advice for the place where reading stopped.
pub(super) fn advice(failure: &Failure<'_>) -> Option<Advice> {
    let slip = SLIPS.iter().find(|slip| (slip.looks)(failure))?;
    let (words, text) = slip.mark;
    let last = words.iter().filter_map(|word| Some((failure.before.rfind(word)?, word.len()))).max();
    Some(Advice { write: slip.write, mark: last.map(|(at, length)| (Span::new(at, at + length), text)) })
}

#[cfg(test)]
mod tests {
    use super::SLIPS;
    use crate::syntax::parse;
    use crate::text::Source;

    #[test]
    fn every_slip_gets_its_help() {
        for slip in SLIPS {
            let error = parse(&Source::new("example", slip.example)).unwrap_err();
            assert_eq!(error.help(), [slip.write], "{}: {error}", slip.example);
        }
    }
}
