//! The table of format letters: for each kind of value, its letters and how each of them writes the value.

mod string;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::directive::Directive;
use super::error::FormatError;
use super::field::FieldOptions;
use super::float::write_float;
use super::integer::WholeNumber;
use super::program_text::{TextStyle, write_value};
use super::quote::{quote_string, write_ruby_quoted};
use super::sprintf::character_of_code_point;
use super::{try_interpolated_text, try_program_text};
use crate::error::Result;
use crate::limits::{BoundedString, string_limit_error};
use crate::types::kinds::Kinds;
use crate::value::{Binary, Value, binary::Encoding};
pub(super) use string::capitalize_segments;
pub(crate) use string::{capitalize, is_white_space, to_lower_case, to_upper_case};

type Write = fn(&mut BoundedString, &Value, &Directive) -> Result<()>;

/// A row of the table: letters that format one kind of value in the same way.
pub struct LetterGroup {
    /// The letters of this row, for instance `dxXobB`.
    pub letters: &'static str,
    /// What the letters write, in one line for the documentation; lower case, no full stop.
    pub summary: &'static str,
    /// Whether a delimiter flag, which only containers use (the `[` of `%[d`), is ignored; otherwise it is an error.
    ignores_delimiters: bool,
    write: Write,
}

const fn letter_group(letters: &'static str, summary: &'static str, write: Write) -> LetterGroup {
    LetterGroup { letters, summary, ignores_delimiters: false, write }
}

const fn lenient_letters(letters: &'static str, summary: &'static str, write: Write) -> LetterGroup {
    LetterGroup { letters, summary, ignores_delimiters: true, write }
}

/// The format letters of one type, such as Integer.
pub struct TypeLetters {
    /// The name of the type, for instance `Integer`.
    pub type_name: &'static str,
    value_kind: Kinds,
    /// The letter that is used if no format is given, for instance `d`.
    pub default: char,
    /// The groups of letters, in the order of the language specification.
    pub rows: &'static [LetterGroup],
}

/// The letters of every type whose values are not containers.
pub static LETTER_TABLE: &[TypeLetters] = &[
    TypeLetters { type_name: "Undef", value_kind: Kinds::UNDEF, default: 's', rows: UNDEF_LETTERS },
    TypeLetters { type_name: "Default", value_kind: Kinds::DEFAULT, default: 's', rows: DEFAULT_VALUE_LETTERS },
    TypeLetters { type_name: "Boolean", value_kind: Kinds::BOOLEAN, default: 's', rows: BOOLEAN_LETTERS },
    TypeLetters { type_name: "Integer", value_kind: Kinds::INTEGER, default: 'd', rows: INTEGER_LETTERS },
    TypeLetters { type_name: "Float", value_kind: Kinds::FLOAT, default: 'f', rows: FLOAT_LETTERS },
    TypeLetters { type_name: "String", value_kind: Kinds::STRING, default: 's', rows: string::LETTERS },
    TypeLetters { type_name: "Regexp", value_kind: Kinds::REGEXP, default: 's', rows: REGEXP_LETTERS },
    TypeLetters { type_name: "Type", value_kind: Kinds::TYPE, default: 's', rows: TYPE_LETTERS },
    TypeLetters { type_name: "Sensitive", value_kind: Kinds::SENSITIVE, default: 's', rows: SENSITIVE },
    TypeLetters { type_name: "Binary", value_kind: Kinds::BINARY, default: 'B', rows: BINARY_LETTERS },
    TypeLetters { type_name: "SemVer", value_kind: Kinds::SEM_VER, default: 's', rows: SEM_VER_LETTERS },
    TypeLetters { type_name: "SemVerRange", value_kind: Kinds::SEM_VER_RANGE, default: 's', rows: SEM_VER_LETTERS },
    TypeLetters { type_name: "URI", value_kind: Kinds::URI, default: 's', rows: URI_LETTERS },
    TypeLetters { type_name: "Timespan", value_kind: Kinds::TIMESPAN, default: 's', rows: TIME_LETTERS },
    TypeLetters { type_name: "Timestamp", value_kind: Kinds::TIMESTAMP, default: 's', rows: TIME_LETTERS },
    TypeLetters { type_name: "Object", value_kind: Kinds::OBJECT, default: 's', rows: OBJECT_LETTERS },
    TypeLetters { type_name: "Callable", value_kind: Kinds::CALLABLE, default: 's', rows: CALLABLE_LETTERS },
];

const UNDEF_LETTERS: &[LetterGroup] = &[
    lenient_letters("s", "nothing; \"\" with #", |out, _, directive| write_word_by_flag(out, directive, "", "\"\"")),
    lenient_letters("p", "undef; \"undef\" with #", |out, _, directive| {
        write_word_by_flag(out, directive, "undef", "\"undef\"")
    }),
    lenient_letters("n", "nil; null with #", |out, _, directive| write_word_by_flag(out, directive, "nil", "null")),
    lenient_letters("dxXobBeEfgGaA", "NaN", |out, _, directive| directive.options.write_text(out, "NaN")),
    lenient_letters("v", "n/a", |out, _, directive| directive.options.write_text(out, "n/a")),
    lenient_letters("V", "N/A", |out, _, directive| directive.options.write_text(out, "N/A")),
    lenient_letters("u", "undef; undefined with #", |out, _, directive| {
        write_word_by_flag(out, directive, "undef", "undefined")
    }),
];

const DEFAULT_VALUE_LETTERS: &[LetterGroup] = &[
    lenient_letters("dsp", "default, in double quotes with #", |out, _, directive| {
        write_word_by_flag(out, directive, "default", "\"default\"")
    }),
    lenient_letters("D", "Default, in double quotes with #", |out, _, directive| {
        write_word_by_flag(out, directive, "Default", "\"Default\"")
    }),
];

const BOOLEAN_LETTERS: &[LetterGroup] = &[
    lenient_letters("tT", "true or false, capitalized for T; one letter with #", write_boolean_word),
    lenient_letters("yY", "yes or no, capitalized for Y; one letter with #", write_boolean_word),
    letter_group("dxXobB", "1 or 0, formatted as an Integer", write_as_integer),
    letter_group("eEfgGaA", "1.0 or 0.0, formatted as a Float", write_as_float),
    lenient_letters("sp", "true or false", write_program_text),
];

const INTEGER_LETTERS: &[LetterGroup] = &[
    letter_group("d", "decimal", write_as_integer),
    letter_group(
        "xX",
        "hexadecimal, with prefix 0x with #; two's complement (..f) for negative numbers, unless +",
        write_as_integer,
    ),
    letter_group(
        "o",
        "octal, with prefix 0 with #; two's complement (..7) for negative numbers, unless +",
        write_as_integer,
    ),
    letter_group(
        "bB",
        "binary, with prefix 0b with #; two's complement (..1) for negative numbers, unless +",
        write_as_integer,
    ),
    letter_group("c", "the character with that code point, in double quotes with #", |out, value, directive| {
        write_double_quoted_by_flag(out, character_of_code_point(integer_of_value(value)?)?.into(), directive)
    }),
    letter_group("s", "decimal, in double quotes with #", write_value_quoted_by_flag),
    letter_group("p", "decimal", write_program_text),
    letter_group("eEfgGaA", "formatted as a Float", write_as_float),
];

const FLOAT_LETTERS: &[LetterGroup] = &[
    letter_group("f", "digits before and after the decimal point, six after it by default", write_as_float),
    letter_group("eE", "with an exponent", write_as_float),
    letter_group("gG", "with an exponent below 10^-4 and from 10^precision on", write_as_float),
    letter_group("aA", "hexadecimal with a power of two", write_as_float),
    letter_group("s", "the shortest decimal number, in double quotes with #", write_value_quoted_by_flag),
    letter_group("p", "the shortest decimal number, as Puppet code", write_program_text),
    letter_group("dxXobB", "without its fraction, formatted as an Integer", write_as_integer),
];

const REGEXP_LETTERS: &[LetterGroup] = &[
    letter_group("s", "the regular expression, quoted with #", |out, value, directive| {
        let Value::Regexp(regexp) = value else { unreachable!("the row is Regexp's") };
        write_quoted_by_flag(out, regexp.source_without_slashes(), directive)
    }),
    letter_group("p", "between slashes", write_program_text),
];

const TYPE_LETTERS: &[LetterGroup] = &[
    letter_group("s", "the type, in double quotes with #", write_value_quoted_by_flag),
    letter_group("p", "the type", write_program_text),
];

const SENSITIVE: &[LetterGroup] = &[lenient_letters("sp", "a note that the value is not shown", write_unpadded)];

const BINARY_LETTERS: &[LetterGroup] = &[
    letter_group(
        "s",
        "the bytes as a UTF-8 string; with # in double quotes, with non-ASCII as \\xHH",
        |out, value, directive| {
            let bytes = unwrap_binary(value).bytes();
            if directive.options.alternate {
                return directive.options.write_text(out, &quote_bytes(bytes)?);
            }
            directive.options.write_text(out, std::str::from_utf8(bytes).map_err(|_| FormatError::NotUtf8)?)
        },
    ),
    letter_group("p", "Binary(\"…\"); width and precision apply to the quoted string", |out, value, directive| {
        out.push_str("Binary(\"")?;
        directive.options.write_text(out, &STANDARD.encode(unwrap_binary(value).bytes()))?;
        out.push_str("\")")
    }),
    letter_group("b", "Base64 in lines of 60 characters, in double quotes with #", write_base64),
    letter_group("B", "Base64 in one line, in double quotes with #", write_base64),
    letter_group("u", "Base64 for URLs, in double quotes with #", write_base64),
    letter_group("t", "Binary, in double quotes with #", |out, _, directive| {
        write_word_by_flag(out, directive, "Binary", "\"Binary\"")
    }),
    letter_group("T", "BINARY, in double quotes with #", |out, _, directive| {
        write_word_by_flag(out, directive, "BINARY", "\"BINARY\"")
    }),
];

const SEM_VER_LETTERS: &[LetterGroup] = &[
    letter_group("s", "the plain string", write_interpolated_text),
    lenient_letters("p", "as Puppet code: the name and the string", write_unpadded),
];

const URI_LETTERS: &[LetterGroup] = &[
    letter_group("s", "the plain string, quoted with #", |out, value, directive| {
        write_quoted_by_flag(out, try_interpolated_text(value)?, directive)
    }),
    lenient_letters("p", "as Puppet code: the name and the string", write_unpadded),
];

const TIME_LETTERS: &[LetterGroup] = &[
    letter_group("s", "the plain string", write_interpolated_text),
    lenient_letters("p", "as Puppet code: the name and the string", write_unpadded),
    letter_group("dxXobBiu", "whole seconds, formatted as an Integer", write_as_integer),
    letter_group("eEfgGaA", "seconds, formatted as a Float", write_as_float),
    letter_group("c", "the character whose code point is the number of seconds", |out, value, directive| {
        let field = FieldOptions { precision: None, ..directive.options };
        field.write_text(out, &character_of_code_point(integer_of_value(value)?)?.to_string())
    }),
];

const OBJECT_LETTERS: &[LetterGroup] = &[lenient_letters("sp", "the name and the attributes", write_unpadded)];

/// The group of every letter, all of which format a function in the same way. Observed: Puppet 7.23.
const CALLABLE_LETTERS: &[LetterGroup] =
    &[lenient_letters("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "the plain string", write_unpadded)];

impl TypeLetters {
    /// Returns the letters for the type of `value`, or `None` for arrays, hashes and iterators.
    pub(super) fn letters_of_value(value: &Value) -> Option<&'static TypeLetters> {
        let kind = Kinds::of_value(value);
        LETTER_TABLE.iter().find(|letters| letters.value_kind == kind)
    }
}

pub(super) fn write_scalar(
    out: &mut BoundedString,
    value: &Value,
    letters: &TypeLetters,
    directive: &Directive,
) -> Result<()> {
    let (letter, type_name) = (directive.letter, letters.type_name);
    let Some(row) = letters.rows.iter().find(|row| row.letters.contains(letter)) else {
        let letters = letters.rows.iter().map(|row| row.letters).collect();
        return Err(FormatError::UnknownLetter { letter, type_name, letters }.into());
    };
    if directive.delimiters.is_some() && !row.ignores_delimiters {
        return Err(FormatError::Delimiters { letter, type_name }.into());
    }
    (row.write)(out, value, directive)
}

fn write_word_by_flag(out: &mut BoundedString, directive: &Directive, usual: &str, alternate: &str) -> Result<()> {
    directive.options.write_text(out, if directive.options.alternate { alternate } else { usual })
}

fn write_interpolated_text(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    directive.options.write_text(out, &try_interpolated_text(value)?)
}

fn write_program_text(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    directive.options.write_text(out, &try_program_text(value)?)
}

fn write_unpadded(out: &mut BoundedString, value: &Value, _: &Directive) -> Result<()> {
    write_value(out, value, TextStyle::Program).map_err(string_limit_error)
}

fn write_value_quoted_by_flag(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    write_double_quoted_by_flag(out, try_interpolated_text(value)?, directive)
}

/// Writes `text`, in double quotes if the flag `#` is set. It is not escaped, because the result is only for display.
fn write_double_quoted_by_flag(out: &mut BoundedString, text: String, directive: &Directive) -> Result<()> {
    directive.options.write_text(out, &if directive.options.alternate { format!("\"{text}\"") } else { text })
}

fn write_quoted_by_flag(out: &mut BoundedString, text: String, directive: &Directive) -> Result<()> {
    directive.options.write_text(out, &if directive.options.alternate { quote_string(&text) } else { text })
}

fn write_boolean_word(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
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
    write_word_by_flag(out, directive, word, letter)
}

fn write_as_integer(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    let number = match value {
        Value::Float(number) => WholeNumber::from_truncated_float(*number),
        other => integer_of_value(other)?.into(),
    };
    number.write_by_letter(out, &directive.options, directive.letter)
}

fn write_as_float(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    let number = match value {
        Value::Float(number) => *number,
        Value::Timespan(span) => span.to_float(),
        Value::Timestamp(stamp) => stamp.to_float(),
        other => integer_of_value(other)? as f64,
    };
    write_float(out, &directive.options, number, directive.letter)
}

fn integer_of_value(value: &Value) -> Result<i64> {
    match value {
        Value::Integer(number) => Ok(*number),
        Value::Boolean(truth) => Ok(i64::from(*truth)),
        Value::Timespan(span) => span.to_integer(),
        Value::Timestamp(stamp) => stamp.to_integer(),
        other => unreachable!("no row gives {other:?} to an integer letter"),
    }
}

fn unwrap_binary(value: &Value) -> &Binary {
    let Value::Binary(binary) = value else { unreachable!("the row is Binary's") };
    binary
}

fn write_base64(out: &mut BoundedString, value: &Value, directive: &Directive) -> Result<()> {
    let encoding = match directive.letter {
        'b' => Encoding::Relaxed,
        'B' => Encoding::Strict,
        _ => Encoding::UrlSafe,
    };
    let text = unwrap_binary(value).encoded(encoding).unwrap_or_default(); // OK because base64 encodes all bytes.
    directive.options.write_text(out, &if directive.options.alternate { quote_bytes(text.as_bytes())? } else { text })
}

fn quote_bytes(bytes: &[u8]) -> Result<String> {
    let escape = |c: char| (!matches!(c, ' '..='~')).then(|| format!("\\x{:02X}", u32::from(c)));
    BoundedString::default()
        .write_into_string(|out| write_ruby_quoted(out, bytes.iter().copied().map(char::from), escape))
}
