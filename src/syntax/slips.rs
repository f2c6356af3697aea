//! What to write instead, for the slips that everybody makes: a table of how each looks where reading stopped.

use super::errors::Expected;
use super::lexical::is_keyword;

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

    fn is_after(&self, text: &str) -> bool {
        self.before.ends_with(text)
    }

    /// Whether one of the words ends the text before, or stands after a closing brace shortly before.
    fn follows_misspelt_elsif(&self) -> bool {
        let mut words = self.before.rsplit('}').take(2).map(str::trim_start);
        words.any(|text| ["elseif ", "elif ", "else if "].iter().any(|word| text.starts_with(word)))
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
}

/// The more particular stand before the more general.
const SLIPS: &[Slip] = &[
    Slip { example: "$a && $b", looks: |at| at.found == "&&", write: "both conditions: write `and`" },
    Slip { example: "$a || $b", looks: |at| at.found == "||", write: "one of two conditions: write `or`" },
    Slip { example: "1 !=~ 2", looks: |at| at.found == "~" && at.is_after("!="), write: "does not match: write `!~`" },
    Slip {
        example: "$x === 1",
        looks: |at| at.found.starts_with('=') && at.is_after("=="),
        write: "equal: write `==`",
    },
    Slip {
        example: "1 <=> 2",
        looks: |at| at.found == ">" && at.is_after("<="),
        write: "to order two values, call `compare`",
    },
    Slip {
        example: "$x := 1",
        looks: |at| at.rest.starts_with(":="),
        write: "an assignment is written `$name = value`",
    },
    Slip {
        example: "$x = “a”",
        looks: |at| at.rest.starts_with(['‘', '’', '“', '”']),
        write: "strings stand in plain quotes: `'` or `\"`",
    },
    Slip { example: "$a – 1", looks: |at| at.rest.starts_with(['–', '—', '−']), write: "minus is a plain `-`" },
    Slip {
        example: "é",
        looks: |at| at.found.starts_with(|letter: char| letter.is_alphabetic() && !letter.is_ascii()),
        write: "names have ASCII letters only; other text is quoted",
    },
    Slip {
        example: "if $x { 1 } elseif $y { 2 }",
        looks: |at| at.follows_misspelt_elsif(),
        write: "a further condition is written `elsif`",
    },
    Slip {
        example: "unless $x { } elsif $y { }",
        looks: |at| at.found == "elsif",
        write: "`unless` has no `elsif`: write `if !condition { … } elsif …`",
    },
    Slip {
        example: "if $x then { }",
        looks: |at| at.found == "then",
        write: "there is no `then`: write `if condition { … }`",
    },
    Slip {
        example: "if $x = 1 { }",
        looks: |at| at.found == "=" && at.expects(Expected::OpenBrace),
        write: "to compare, write `==`; an assignment in a condition stands in parentheses",
    },
    Slip {
        example: "$x++",
        looks: |at| at.found == "+" && at.is_after("+"),
        write: "variables do not change: write `$new = $old + 1`",
    },
    Slip { example: "+5", looks: |at| at.found == "+" && at.next_is_digit(), write: "numbers have no `+` in front" },
    Slip {
        example: ".5",
        looks: |at| at.found == "." && at.next_is_digit() && !at.is_after("."),
        write: "a fraction has digits on both sides: `0.5`",
    },
    Slip {
        example: "Integer[1..2]",
        looks: |at| at.found == "." && at.is_after("."),
        write: "a range is written as two parameters: `Integer[1, 10]`",
    },
    Slip {
        example: "5.",
        looks: |at| {
            at.expects(Expected::MethodName)
                && at.before.trim_end_matches('.').ends_with(|last: char| last.is_ascii_digit())
        },
        write: "a fraction has digits on both sides: `5.0`",
    },
    Slip {
        example: "$x = 'a' . 'b'",
        looks: |at| at.expects(Expected::MethodName) && at.found.starts_with(['\'', '"']),
        write: "strings are joined by interpolation: `\"${a}${b}\"`",
    },
    Slip {
        example: "$x.Foo",
        looks: |at| {
            at.expects(Expected::MethodName) && at.found.starts_with(|letter: char| letter.is_ascii_uppercase())
        },
        write: "names of functions start with a lower-case letter",
    },
    Slip {
        example: "[1].each { |$x| $x }",
        looks: |at| at.found == "|" && at.is_after("{"),
        write: "the parameters of a lambda stand in front of its brace: `|$x| { … }`",
    },
    Slip {
        example: "[1].each do |$x| { }",
        looks: |at| at.found.starts_with('|') && at.is_after(" do"),
        write: "a lambda is written `|$x| { … }` right after the call",
    },
    Slip {
        example: "Variant[Integer | String]",
        looks: |at| at.found == "|" && at.expects(Expected::CloseBracket),
        write: "one of several types is `Variant[A, B]`",
    },
    Slip {
        example: "case $x { 1 => 2 }",
        looks: |at| at.found == "=>" && at.expects(Expected::Colon),
        write: "an option of `case` is written `value: { … }`, a choice of values `$x ? { value => result }`",
    },
    Slip {
        example: "case $x { 1: 2 }",
        looks: |at| at.expects(Expected::OpenBrace) && at.is_after(":"),
        write: "the statements of a `case` option stand in braces: `value: { … }`",
    },
    Slip {
        example: "$x == 1 ? 2 : 3",
        looks: |at| at.found == ":" && at.expects(Expected::Arrow) && at.is_after_question(),
        write: "a choice is written `condition ? { true => a, default => b }`",
    },
    Slip {
        example: "function f() -> Integer { 1 }",
        looks: |at| at.expects(Expected::ReturnArrow) && matches!(at.found, "->" | ":" | "=>"),
        write: "the type of the result is written `>> Type`",
    },
    Slip { example: "define foo inherits bar { }", looks: |at| at.found == "inherits", write: "only classes inherit" },
    Slip {
        example: "type port = Integer",
        looks: |at| at.expects(Expected::TypeName) && at.found_is_word(),
        write: "names of types start with an upper-case letter",
    },
    Slip {
        example: "type Foo = 'a' | 'b'",
        looks: |at| at.expects(Expected::TypeName) && at.found.starts_with(['\'', '"', '/']),
        write: "texts to choose from are `Enum['a', 'b']`, texts that match are `Pattern[/a/]`",
    },
    Slip {
        example: "function foo(x) { }",
        looks: |at| at.expects(Expected::Parameter) && at.found_is_word(),
        write: "a parameter is a variable: `$name`",
    },
    Slip {
        example: "function foo(Integer) { }",
        looks: |at| at.expects(Expected::VariableName),
        write: "a type is followed by its parameter: `Integer $name`",
    },
    Slip {
        example: "node foo-bar.com { }",
        looks: |at| at.found == "." && at.expects(Expected::Inherits),
        write: "a host name with hyphens and dots is quoted: `'a-b.example.org'`",
    },
    Slip {
        example: "[1].map($x) { $x }",
        looks: |at| at.found == "}" && at.expects(Expected::Colon),
        write: "a block after a call is a lambda: `map |$x| { … }`",
    },
    Slip {
        example: "file { '/a' ensure => file }",
        looks: |at| at.expects(Expected::Colon) && !at.expects(Expected::Comma),
        write: "a title ends with a colon: `type { 'title': attribute => value }`",
    },
    Slip {
        example: "{a: 1}",
        looks: |at| at.expects(Expected::Arrow),
        write: "name and value are written `name => value`",
    },
    Slip {
        example: "a => 1",
        looks: |at| at.found == "=>" && at.expects(Expected::Statement),
        write: "a hash stands in braces: `{ name => value }`",
    },
    Slip {
        example: "/abc",
        looks: |at| at.found == "/" && at.expects(Expected::Expression),
        write: "a regular expression ends with a second `/`; a slash in it is written `\\/`",
    },
    Slip {
        example: "$h[a]b]",
        looks: |at| matches!(at.found, ")" | "]" | "}") && (at.expects(Expected::Statement) || at.before.is_empty()),
        write: "nothing is open that this could close",
    },
    Slip {
        example: "Optional<Integer>",
        looks: |at| at.found.is_empty() && at.is_after(">") && at.before.contains('<'),
        write: "parameters of types stand in brackets: `Optional[Integer]`",
    },
    Slip {
        example: "$x;",
        looks: |at| at.is_after(";") && matches!(at.found, "" | "}"),
        write: "`;` stands between statements, not after the last",
    },
    Slip {
        example: "$x = else",
        looks: |at| is_keyword(at.found),
        write: "this word is reserved: as text it is quoted",
    },
];

/// What to write instead of what stands where reading stopped.
pub(super) fn help(failure: &Failure<'_>) -> Option<&'static str> {
    SLIPS.iter().find(|slip| (slip.looks)(failure)).map(|slip| slip.write)
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
