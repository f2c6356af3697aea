//! The table of letters: for each kind of value, what its letters do.
//!
//! A letter makes a [`Piece`] of a value; how the piece is put into its field (width, precision, signs, zeros) is the
//! same for all values and is written once, in [`write_scalar`].

mod binary;
mod string;

use std::borrow::Cow;
use std::fmt;

use super::directive::Directive;
use super::error::FormatError;
use super::float::write_float;
use super::integer::Whole;
use super::program_text::{Form, write_value};
use super::quote::quoted;
use super::sprintf::character;
use crate::error::{Error, Result};
use crate::limits::BoundedString;
use crate::types::kinds::Kinds;
use crate::value::Value;
pub(super) use string::capitalized_segments;
pub(crate) use string::{capitalized, is_white_space, lower_case, upper_case};

/// A row: letters of one kind of value that do the same.
pub struct Letter {
    /// `dxXobB`
    pub letters: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    piece: fn(&Value, &Directive) -> Piece,
}

const fn letter(letters: &'static str, summary: &'static str, piece: fn(&Value, &Directive) -> Piece) -> Letter {
    Letter { letters, summary, piece }
}

/// The letters of one kind of value.
pub struct Letters {
    /// `Integer`
    pub type_name: &'static str,
    kind: Kinds,
    /// The letter where no format is given.
    pub default: char,
    /// In the order of the specification.
    pub rows: &'static [Letter],
}

/// The result of formatting a value by a letter, before it is padded.
enum Piece {
    /// Text for the field; a pair of delimiters in the format means nothing.
    Text(Cow<'static, str>),
    /// Text for the field; delimiters are an error.
    StrictText(Cow<'static, str>),
    /// Text on which flags, width and precision have no effect.
    Whole(String),
    /// A whole number, by the integer letter.
    Integer(Whole),
    /// A number, by the float letter.
    Float(f64),
    /// A character, of which only the width is taken.
    Character(char),
    /// The letter cannot say this value.
    Refused(Error),
}

/// Every kind of value that is not a container.
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
    Letters { type_name: "Binary", kind: Kinds::BINARY, default: 'B', rows: binary::LETTERS },
    Letters { type_name: "SemVer", kind: Kinds::SEM_VER, default: 's', rows: NAMED_TEXT },
    Letters { type_name: "SemVerRange", kind: Kinds::SEM_VER_RANGE, default: 's', rows: NAMED_TEXT },
    Letters { type_name: "URI", kind: Kinds::URI, default: 's', rows: URI },
    Letters { type_name: "Timespan", kind: Kinds::TIMESPAN, default: 's', rows: TIME },
    Letters { type_name: "Timestamp", kind: Kinds::TIMESTAMP, default: 's', rows: TIME },
    Letters { type_name: "Object", kind: Kinds::OBJECT, default: 's', rows: OBJECT },
    Letters { type_name: "Callable", kind: Kinds::CALLABLE, default: 's', rows: ANY_LETTER },
];

const UNDEF: &[Letter] = &[
    letter("s", "nothing; \"\" with #", |_, directive| text(either(directive, "", "\"\""))),
    letter("p", "undef; \"undef\" with #", |_, directive| text(either(directive, "undef", "\"undef\""))),
    letter("n", "nil; null with #", |_, directive| text(either(directive, "nil", "null"))),
    letter("dxXobBeEfgGaA", "NaN", |_, _| text("NaN")),
    letter("v", "n/a", |_, _| text("n/a")),
    letter("V", "N/A", |_, _| text("N/A")),
    letter("u", "undef; undefined with #", |_, directive| text(either(directive, "undef", "undefined"))),
];

const DEFAULT: &[Letter] = &[
    letter("dsp", "default, in double quotes with #", |_, directive| text(either(directive, "default", "\"default\""))),
    letter("D", "Default, in double quotes with #", |_, directive| text(either(directive, "Default", "\"Default\""))),
];

const BOOLEAN: &[Letter] = &[
    letter("tT", "true or false, capitalized for T; one letter with #", truth),
    letter("yY", "yes or no, capitalized for Y; one letter with #", truth),
    letter("dxXobB", "1 or 0, formatted as an Integer", integer),
    letter("eEfgGaA", "1.0 or 0.0, formatted as a Float", float),
    letter("sp", "true or false", |value, _| made_of(value, Form::Program, text)),
];

const INTEGER: &[Letter] = &[
    letter("d", "decimal", integer),
    letter("xX", "hexadecimal, with prefix 0x with #; two's complement (..f) for negative numbers, unless +", integer),
    letter("o", "octal, with prefix 0 with #; two's complement (..7) for negative numbers, unless +", integer),
    letter("bB", "binary, with prefix 0b with #; two's complement (..1) for negative numbers, unless +", integer),
    letter("c", "the character with that code point, in double quotes with #", |value, directive| {
        match character(whole_seconds(value)) {
            Ok(c) if directive.field.alternate => strict(format!("\"{c}\"")),
            Ok(c) => strict(c.to_string()),
            Err(error) => Piece::Refused(error.into()),
        }
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
    letter("s", "the regular expression, quoted with #", |value, directive| {
        let Value::Regexp(regexp) = value else { unreachable!("the row is Regexp's") };
        let plain = regexp.without_slashes();
        strict(if directive.field.alternate { quoted(&plain) } else { plain })
    }),
    letter("p", "between slashes", program),
];

const TYPE: &[Letter] = &[letter("s", "the type, in double quotes with #", quotable), letter("p", "the type", program)];

const SENSITIVE: &[Letter] = &[letter("sp", "a note that the value is not shown", unaffected)];

const NAMED_TEXT: &[Letter] =
    &[letter("s", "the plain string", plain), letter("p", "as Puppet code: the name and the string", unaffected)];

const URI: &[Letter] = &[
    letter("s", "the plain string, quoted with #", |value, directive| {
        let text = |plain: String| strict(if directive.field.alternate { quoted(&plain) } else { plain });
        made_of(value, Form::Plain, text)
    }),
    letter("p", "as Puppet code: the name and the string", unaffected),
];

const TIME: &[Letter] = &[
    letter("s", "the plain string", plain),
    letter("p", "as Puppet code: the name and the string", unaffected),
    letter("dxXobBiu", "whole seconds, formatted as an Integer", integer),
    letter("eEfgGaA", "seconds, formatted as a Float", float),
    letter("c", "the character whose code point is the number of seconds", |value, _| {
        character(whole_seconds(value)).map_or_else(|error| Piece::Refused(error.into()), Piece::Character)
    }),
];

const OBJECT: &[Letter] = &[letter("sp", "the name and the attributes", unaffected)];

/// Observed: Puppet 7.23 asks an Error and a function for their text whatever the letter.
const ANY_LETTER: &[Letter] =
    &[letter("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "the plain string", unaffected)];

impl Letters {
    /// The letters of the kind that `value` is of; nothing for arrays, hashes and iterators.
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
    let piece = (letters.row(directive.letter)?.piece)(value, directive);
    let lenient = matches!(piece, Piece::Text(_) | Piece::Whole(_));
    if directive.delimiters.is_some() && !lenient {
        return Err(FormatError::Delimiters { letter: directive.letter, type_name: letters.type_name }.into());
    }
    let field = &directive.field;
    match piece {
        Piece::Text(text) | Piece::StrictText(text) => field.write_text(out, &text),
        Piece::Whole(text) => out.push_str(&text),
        Piece::Integer(number) => number.write(out, field, directive.letter),
        Piece::Float(number) => write_float(out, field, number, directive.letter),
        Piece::Refused(error) => Err(error),
        Piece::Character(c) => field.write_padded(out, c.encode_utf8(&mut [0; 4])),
    }
}

fn text(text: impl Into<Cow<'static, str>>) -> Piece {
    Piece::Text(text.into())
}

fn strict(text: impl Into<Cow<'static, str>>) -> Piece {
    Piece::StrictText(text.into())
}

/// One of two, by the flag `#`.
fn either(directive: &Directive, usual: &'static str, alternate: &'static str) -> &'static str {
    if directive.field.alternate { alternate } else { usual }
}

/// The output of `write`, as the piece that `piece` makes of it; or the error if it is too long.
fn written(write: impl FnOnce(&mut BoundedString) -> fmt::Result, piece: impl FnOnce(String) -> Piece) -> Piece {
    BoundedString::default().written(write).map_or_else(Piece::Refused, piece)
}

/// The piece for the text of a value as [`write_value`] writes it.
fn made_of(value: &Value, form: Form, piece: impl FnOnce(String) -> Piece) -> Piece {
    written(|out| write_value(out, value, form), piece)
}

fn plain(value: &Value, _: &Directive) -> Piece {
    made_of(value, Form::Plain, strict)
}

fn program(value: &Value, _: &Directive) -> Piece {
    made_of(value, Form::Program, strict)
}

fn unaffected(value: &Value, _: &Directive) -> Piece {
    made_of(value, Form::Program, Piece::Whole)
}

/// The text, between double quotes with `#`. They are not escaped: it is a string for display.
fn quotable(value: &Value, directive: &Directive) -> Piece {
    let text = |plain: String| strict(if directive.field.alternate { format!("\"{plain}\"") } else { plain });
    made_of(value, Form::Plain, text)
}

fn truth(value: &Value, directive: &Directive) -> Piece {
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
    text(either(directive, word, letter))
}

fn integer(value: &Value, _: &Directive) -> Piece {
    Piece::Integer(match value {
        Value::Float(number) => Whole::truncated(*number),
        other => whole_seconds(other).into(),
    })
}

fn float(value: &Value, _: &Directive) -> Piece {
    Piece::Float(match value {
        Value::Float(number) => *number,
        Value::Timespan(span) => span.float(),
        Value::Timestamp(stamp) => stamp.float(),
        other => whole_seconds(other) as f64,
    })
}

/// The whole number that a number, a truth value or a time means.
fn whole_seconds(value: &Value) -> i64 {
    match value {
        Value::Integer(number) => *number,
        Value::Boolean(truth) => i64::from(*truth),
        Value::Timespan(span) => seconds(span.nanoseconds()),
        Value::Timestamp(stamp) => seconds(stamp.nanoseconds()),
        other => unreachable!("no row gives {other:?} to an integer letter"),
    }
}

/// Whole seconds, towards the past.
fn seconds(nanoseconds: i128) -> i64 {
    let seconds = nanoseconds.div_euclid(1_000_000_000);
    i64::try_from(seconds).unwrap_or(if seconds < 0 { i64::MIN } else { i64::MAX })
}
