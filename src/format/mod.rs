//! Values as strings: the `%p` form that reads back, the plain form of interpolation, and `String.new`'s directives.

mod container;
mod directive;
mod error;
mod field;
mod float;
mod integer;
mod layout;
mod letters;
mod map;
mod program_text;
mod quote;
mod sprintf;

use crate::error::Result;
use crate::limits::{BoundedString, check_string_bytes, too_long};
use crate::value::Value;
use crate::wording::cut;
use directive::Directive;
pub(crate) use float::float_text;
pub use layout::lay_out;
pub use letters::{Letter, Letters, TABLE};
pub(crate) use letters::{capitalized, is_white_space, lower_case, upper_case};
use map::Map;
use program_text::Form;
pub(crate) use quote::{quoted, write_quoted};
pub(crate) use sprintf::float_of_text;
pub use sprintf::sprintf;

/// The `%p` string: Puppet code that evaluates to the value.
///
/// A string longer than [`Limit::String`](crate::limits::Limit::String) is cut off, which is good enough for display.
/// Use [`try_program_text`] for strings that programs see.
pub fn program_text(value: &Value) -> String {
    cut_off(value, Form::Program)
}

/// The string that interpolation and `notice` show: strings are unchanged, `undef` is empty.
///
/// Long strings are cut off, as by [`program_text()`]; [`try_text`] returns an error instead.
pub fn text(value: &Value) -> String {
    cut_off(value, Form::Plain)
}

/// The `%p` text.
///
/// # Errors
/// `LIMIT` when it is longer than [`Limit::String`](crate::limits::Limit::String).
pub fn try_program_text(value: &Value) -> Result<String> {
    whole(value, Form::Program)
}

pub(crate) fn try_text(value: &Value) -> Result<String> {
    whole(value, Form::Plain)
}

/// The value as Ruby's `inspect` writes it, for `sprintf`, `join` and Hiera.
pub(crate) fn inspected(value: &Value) -> Result<String> {
    whole(value, Form::Ruby)
}

/// The `%p` string in lines of at most `width` terminal columns where possible: long collections have one element per
/// line, or fill lines if the elements are short. It is valid Puppet code like [`program_text()`].
pub fn layout(value: &Value, width: usize) -> String {
    lay_out(&program_text(value), width)
}

/// Converts a value to a string, as `String.new` does, by a format, `default`, or a hash from types to formats.
///
/// ```
/// use pcore::format::convert;
/// use pcore::value::Value;
/// assert_eq!(convert(&Value::from(255), &Value::from("%#x")).unwrap(), "0xff");
/// ```
///
/// # Errors
/// If the format is invalid, its letter does not apply to the kind of value, or the string is too long.
///
/// Source: language specification, "String.new".
pub fn convert(value: &Value, formats: &Value) -> Result<String> {
    if let (Value::Type(type_), Value::Default) = (value, formats) {
        let text = type_.text();
        check_string_bytes(text.len())?;
        return Ok(text);
    }
    let mut out = BoundedString::default();
    container::write_formatted(&mut out, value, &Map::of(formats, value)?)?;
    Ok(out.into_string())
}

/// The result of formatting a Float with the letter `c`; `None` for other formats, and if there is no such character.
///
/// Source: language specification, "Float to String": `dxXobBc` convert to Integer. Puppet 8.11 rejects `c`.
pub(crate) fn float_character(number: f64, format: &Value) -> Option<String> {
    let Value::String(text) = format else { return None };
    let character = Directive::parse(text).is_ok_and(|directive| directive.letter == 'c');
    #[expect(clippy::cast_possible_truncation, reason = "beyond 64 bits neither side is a character")]
    let number = Value::Integer(number as i64);
    if character { convert(&number, format).ok() } else { None }
}

/// Writes the text that interpolation shows.
pub(crate) fn write_text(out: &mut BoundedString, value: &Value) -> Result<()> {
    program_text::write_value(out, value, Form::Plain).map_err(too_long)
}

/// The `%p` string, shortened to at most `characters` characters and `…`.
#[doc(hidden)] // for the program
pub fn beginning(value: &Value, characters: usize) -> String {
    beginning_in(value, characters, Form::Program)
}

/// As [`beginning`], but shows the content of a Sensitive: for generated sample values only.
pub(crate) fn revealed_beginning(value: &Value, characters: usize) -> String {
    beginning_in(value, characters, Form::Revealed)
}

fn beginning_in(value: &Value, characters: usize, form: Form) -> String {
    let mut out = BoundedString::of_at_most(characters.saturating_add(1).saturating_mul(char::MAX.len_utf8()));
    let _ = program_text::write_value(&mut out, value, form); // What fits is enough.
    cut(&out.into_string(), characters)
}

fn whole(value: &Value, form: Form) -> Result<String> {
    BoundedString::default().written(|out| program_text::write_value(out, value, form))
}

fn cut_off(value: &Value, form: Form) -> String {
    let mut out = BoundedString::default();
    match program_text::write_value(&mut out, value, form) {
        Ok(()) => out.into_string(),
        Err(std::fmt::Error) => out.into_string() + " …",
    }
}
