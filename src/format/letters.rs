//! The table of letters: for each kind of value, what its letters write.

mod string;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::directive::Directive;
use super::error::FormatError;
use super::field::Field;
use super::float::write_float;
use super::integer::Whole;
use super::program_text::{Form, write_value};
use super::quote::{quoted, write_ruby_quoted};
use super::sprintf::character;
use super::{try_program_text, try_text};
use crate::error::Result;
use crate::limits::{BoundedString, too_long};
use crate::types::kinds::Kinds;
use crate::value::{Binary, Value, binary::Encoding};
pub(super) use string::capitalized_segments;
pub(crate) use string::{capitalized, is_white_space, lower_case, upper_case};

type Write = fn(&mut BoundedString, &Value, &Directive) -> Result<()>;

/// A row of the table: letters of one kind of value that have the same effect.
pub struct Letter {
    /// The letters, for instance `dxXobB`.
    pub letters: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    /// Whether delimiters in the format are ignored; otherwise they are an error.
    ignores_delimiters: bool,
    write: Write,
}

const fn letter(letters: &'static str, summary: &'static str, write: Write) -> Letter {
    Letter { letters, summary, ignores_delimiters: false, write }
}

const fn lenient(letters: &'static str, summary: &'static str, write: Write) -> Letter {
    Letter { letters, summary, ignores_delimiters: true, write }
}

/// The letters that are valid for one kind of value.
pub struct Letters {
    /// The name of the type, for instance `Integer`.
    pub type_name: &'static str,
    kind: Kinds,
    /// The letter that applies if no format is given.
    pub default: char,
    /// The rows, in the order of the specification.
    pub rows: &'static [Letter],
}

/// The letters of every kind of value that is not a container.
pub static TABLE: &[Letters] = &[
    Letters { type_name: "Undef", kind: Kinds::UNDEF, default: 's', rows: UNDEF },
    Letters { type_name: "Default", kind: Kinds::DEFAULT, default: 's', rows: DEFAULT },
    Letters { type_name: "Boolean", kind: Kinds::BOOLEAN, default: 's', rows: BOOLEAN },
    Letters { type_name: "Integer", kind: Kinds::INTEGER, default: 'd', rows: INTEGER },
    Letters { type_name: "Float", kind: Kinds::FLOAT, default: 'f', rows: FLOAT },
    Letters { type_name: "String", kind: Kinds::STRING, default: 's', rows: string::LETTERS },
    Letters { type_name: "Regexp", kind: Kinds::REGEXP, default: 's', rows: REGEXP },
    Letters { type_name: "Type", kind: Kinds::TYPE, default: 's', rows: TYPE },
    Letters { type_name: "Sensitive", kind: Kinds::SENSITIVE, default: 's', rows: SENSITIVE },
    Letters { type_name: "Binary", kind: Kinds::BINARY, default: 'B', rows: BINARY },
    Letters { type_name: "SemVer", kind: Kinds::SEM_VER, default: 's', rows: NAMED_TEXT },
    Letters { type_name: "SemVerRange", kind: Kinds::SEM_VER_RANGE, default: 's', rows: NAMED_TEXT },
    Letters { type_name: "URI", kind: Kinds::URI, default: 's', rows: URI },
    Letters { type_name: "Timespan", kind: Kinds::TIMESPAN, default: 's', rows: TIME },
    Letters { type_name: "Timestamp", kind: Kinds::TIMESTAMP, default: 's', rows: TIME },
    Letters { type_name: "Object", kind: Kinds::OBJECT, default: 's', rows: OBJECT },
    Letters { type_name: "Callable", kind: Kinds::CALLABLE, default: 's', rows: ANY_LETTER },
];

const UNDEF: &[Letter] = &[
    lenient("s", "nothing; \"\" with #", |out, _, directive| either(out, directive, "", "\"\"")),
    lenient("p", "undef; \"undef\" with #", |out, _, directive| either(out, directive, "undef", "\"undef\"")),
    lenient("n", "nil; null with #", |out, _, directive| either(out, directive, "nil", "null")),
    lenient("dxXobBeEfgGaA", "NaN", |out, _, directive| directive.field.write_text(out, "NaN")),
    lenient("v", "n/a", |out, _, directive| directive.field.write_text(out, "n/a")),
    lenient("V", "N/A", |out, _, directive| directive.field.write_text(out, "N/A")),
    lenient("u", "undef; undefined with #", |out, _, directive| either(out, directive, "undef", "undefined")),
];

const DEFAULT: &[Letter] = &[
    lenient("dsp", "default, in double quotes with #", |out, _, directive| {
        either(out, directive, "default", "\"default\"")
    }),
    lenient("D", "Default, in double quotes with #", |out, _, directive| {
        either(out, directive, "Default", "\"Default\"")
    }),
];

const BOOLEAN: &[Letter] = &[
    lenient("tT", "true or false, capitalized for T; one letter with #", truth),
    lenient("yY", "yes or no, capitalized for Y; one letter with #", truth),
    letter("dxXobB", "1 or 0, formatted as an Integer", integer),
    letter("eEfgGaA", "1.0 or 0.0, formatted as a Float", float),
    lenient("sp", "true or false", program),
];

const INTEGER: &[Letter] = &[
    letter("d", "decimal", integer),
    letter("xX", "hexadecimal, with prefix 0x with #; two's complement (..f) for negative numbers, unless +", integer),
    letter("o", "octal, with prefix 0 with #; two's complement (..7) for negative numbers, unless +", integer),
    letter("bB", "binary, with prefix 0b with #; two's complement (..1) for negative numbers, unless +", integer),
    letter("c", "the character with that code point, in double quotes with #", |out, value, directive| {
        write_between_quotes(out, character(whole_number(value)?)?.into(), directive)
    }),
    letter("s", "decimal, in double quotes with #", quotable),
    letter("p", "decimal", program),
    letter("eEfgGaA", "formatted as a Float", float),
];

const FLOAT: &[Letter] = &[
    letter("f", "digits before and after the decimal point, six after it by default", float),
    letter("eE", "with an exponent", float),
    letter("gG", "with an exponent below 10^-4 and from 10^precision on", float),
    letter("aA", "hexadecimal with a power of two", float),
    letter("s", "the shortest decimal number, in double quotes with #", quotable),
    letter("p", "the shortest decimal number, as Puppet code", program),
    letter("dxXobB", "without its fraction, formatted as an Integer", integer),
];

const REGEXP: &[Letter] = &[
    letter("s", "the regular expression, quoted with #", |out, value, directive| {
        let Value::Regexp(regexp) = value else { unreachable!("the row is Regexp's") };
        write_quoted_by_flag(out, regexp.without_slashes(), directive)
    }),
    letter("p", "between slashes", program),
];

const TYPE: &[Letter] = &[letter("s", "the type, in double quotes with #", quotable), letter("p", "the type", program)];

const SENSITIVE: &[Letter] = &[lenient("sp", "a note that the value is not shown", unaffected)];

const BINARY: &[Letter] = &[
    letter(
        "s",
        "the bytes as a UTF-8 string; with # in double quotes, with non-ASCII as \\xHH",
        |out, value, directive| {
            let bytes = binary_of(value).bytes();
            if directive.field.alternate {
                return directive.field.write_text(out, &escaped(bytes)?);
            }
            directive.field.write_text(out, std::str::from_utf8(bytes).map_err(|_| FormatError::NotUtf8)?)
        },
    ),
    letter("p", "Binary(\"…\"); width and precision apply to the quoted string", |out, value, directive| {
        out.push_str("Binary(\"")?;
        directive.field.write_text(out, &STANDARD.encode(binary_of(value).bytes()))?;
        out.push_str("\")")
    }),
    letter("b", "Base64 in lines of 60 characters, in double quotes with #", |out, value, directive| {
        write_encoded(out, value, Encoding::Relaxed, directive)
    }),
    letter("B", "Base64 in one line, in double quotes with #", |out, value, directive| {
        write_encoded(out, value, Encoding::Strict, directive)
    }),
    letter("u", "Base64 for URLs, in double quotes with #", |out, value, directive| {
        write_encoded(out, value, Encoding::UrlSafe, directive)
    }),
    letter("t", "Binary, in double quotes with #", |out, _, directive| either(out, directive, "Binary", "\"Binary\"")),
    letter("T", "BINARY, in double quotes with #", |out, _, directive| either(out, directive, "BINARY", "\"BINARY\"")),
];

const NAMED_TEXT: &[Letter] =
    &[letter("s", "the plain string", plain), lenient("p", "as Puppet code: the name and the string", unaffected)];

const URI: &[Letter] = &[
    letter("s", "the plain string, quoted with #", |out, value, directive| {
        write_quoted_by_flag(out, try_text(value)?, directive)
    }),
    lenient("p", "as Puppet code: the name and the string", unaffected),
];

const TIME: &[Letter] = &[
    letter("s", "the plain string", plain),
    lenient("p", "as Puppet code: the name and the string", unaffected),
    letter("dxXobBiu", "whole seconds, formatted as an Integer", integer),
    letter("eEfgGaA", "seconds, formatted as a Float", float),
    letter("c", "the character whose code point is the number of seconds", |out, value, directive| {
        let field = Field { precision: None, ..directive.field };
        field.write_text(out, &character(whole_number(value)?)?.to_string())
    }),
];

const OBJECT: &[Letter] = &[lenient("sp", "the name and the attributes", unaffected)];

/// Observed: Puppet 7.23 asks an Error and a function for their text whatever the letter.
const ANY_LETTER: &[Letter] =
    &[lenient("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "the plain string", unaffected)];

impl Letters {
    /// The letters for the kind of `value`; `None` for arrays, hashes and iterators.
    pub(super) fn of(value: &Value) -> Option<&'static Letters> {
        let kind = Kinds::of_value(value);
        TABLE.iter().find(|letters| letters.kind == kind)
    }

    fn row(&self, letter: char) -> Result<&'static Letter, FormatError> {
        self.rows.iter().find(|row| row.letters.contains(letter)).ok_or_else(|| FormatError::UnknownLetter {
            letter,
            type_name: self.type_name,
            letters: self.rows.iter().map(|row| row.letters).collect(),
        })
    }
}

pub(super) fn write_scalar(
    out: &mut BoundedString,
    value: &Value,
    letters: &Letters,
    directive: &Directive,
) -> Result<()> {
    let row = letters.row(directive.letter)?;
    if directive.delimiters.is_some() && !row.ignores_delimiters {
        return Err(FormatError::Delimiters { letter: directive.letter, type_name: letters.type_name }.into());
    }
    (row.write)(out, value, directive)
}

/// Writes `alternate` with the flag `#`, otherwise `usual`.
fn either(out: &mut BoundedString, directive: &Directive, usual: &str, alternate: &str) -> Result<()> {
    directive.field.write_text(out, if directive.field.alternate { alternate } else { usual })
}

fn plain(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    directive.field.write_text(out, &try_text(value)?)
}

fn program(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    directive.field.write_text(out, &try_program_text(value)?)
}

/// Writes the value as Puppet code; flags, width and precision have no effect.
fn unaffected(out: &mut BoundedString, value: &Value, _: &Directive) -> Result<()> {
    write_value(out, value, Form::Program).map_err(too_long)
}

fn quotable(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    write_between_quotes(out, try_text(value)?, directive)
}

/// Writes the text, between double quotes with the flag `#`. The content is not escaped, because it is for display.
fn write_between_quotes(out: &mut BoundedString, text: String, directive: &Directive) -> Result<()> {
    directive.field.write_text(out, &if directive.field.alternate { format!("\"{text}\"") } else { text })
}

/// Writes the text, with the flag `#` as a quoted Puppet string.
fn write_quoted_by_flag(out: &mut BoundedString, text: String, directive: &Directive) -> Result<()> {
    directive.field.write_text(out, &if directive.field.alternate { quoted(&text) } else { text })
}

fn truth(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    let (word, letter) = match (directive.letter, value.is_true()) {
        ('t', true) => ("true", "t"),
        ('t', false) => ("false", "f"),
        ('T', true) => ("True", "T"),
        ('T', false) => ("False", "F"),
        ('y', true) => ("yes", "y"),
        ('y', false) => ("no", "n"),
        (_, true) => ("Yes", "Y"),
        (_, false) => ("No", "N"),
    };
    either(out, directive, word, letter)
}

fn integer(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    let number = match value {
        Value::Float(number) => Whole::truncated(*number),
        other => whole_number(other)?.into(),
    };
    number.write(out, &directive.field, directive.letter)
}

fn float(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    let number = match value {
        Value::Float(number) => *number,
        Value::Timespan(span) => span.float(),
        Value::Timestamp(stamp) => stamp.float(),
        other => whole_number(other)? as f64,
    };
    write_float(out, &directive.field, number, directive.letter)
}

/// The integer that a number, a Boolean or a time converts to.
fn whole_number(value: &Value) -> Result<i64> {
    match value {
        Value::Integer(number) => Ok(*number),
        Value::Boolean(truth) => Ok(i64::from(*truth)),
        Value::Timespan(span) => span.integer(),
        Value::Timestamp(stamp) => stamp.integer(),
        other => unreachable!("no row gives {other:?} to an integer letter"),
    }
}

fn binary_of(value: &Value) -> &Binary {
    let Value::Binary(binary) = value else { unreachable!("the row is Binary's") };
    binary
}

fn write_encoded(out: &mut BoundedString, value: &Value, encoding: Encoding, directive: &Directive) -> Result<()> {
    let text = binary_of(value).encoded(encoding).unwrap_or_default(); // OK because base64 encodes all bytes.
    directive.field.write_text(out, &if directive.field.alternate { escaped(text.as_bytes())? } else { text })
}

/// Writes the bytes in double quotes; all but printable ASCII characters are escaped.
fn escaped(bytes: &[u8]) -> Result<String> {
    let escape = |c: char| (!matches!(c, ' '..='~')).then(|| format!("\\x{:02X}", u32::from(c)));
    BoundedString::default().written(|out| write_ruby_quoted(out, bytes.iter().copied().map(char::from), escape))
}
