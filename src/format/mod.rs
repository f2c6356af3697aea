//! Converts values to strings: as Puppet code (`%p`), as interpolation shows them, and by the formats of `String.new`.

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
use crate::limits::{BoundedString, check_string_bytes, string_limit_error};
use crate::value::Value;
use crate::wording::shorten;
use directive::Directive;
pub use layout::break_into_lines;
pub use letters::{LETTER_TABLE, LetterGroup, TypeLetters};
pub(crate) use letters::{capitalize, is_white_space, to_lower_case, to_upper_case};
use map::FormatMap;
use program_text::TextStyle;
pub(crate) use quote::{quote_string, write_quoted};
pub(crate) use sprintf::parse_ruby_float;
pub use sprintf::sprintf;

/// Returns the `%p` string of a value: Puppet code that evaluates to the value.
///
/// A string longer than [`Limit::String`](crate::limits::Limit::String) is truncated, which is good enough for display.
/// Use [`try_program_text`] for strings that Puppet code can see.
pub fn program_text(value: &Value) -> String {
    text_truncated_at_limit(value, TextStyle::Program)
}

/// Returns a value as interpolation and `notice` show it: strings are unchanged, `undef` is empty.
///
/// Long strings are truncated as by [`program_text()`]; [`try_interpolated_text`] returns an error instead.
pub fn text(value: &Value) -> String {
    text_truncated_at_limit(value, TextStyle::Plain)
}

/// Returns the `%p` string of a value, as [`program_text()`] does, but fails instead of truncating it.
///
/// # Errors
/// `LIMIT` when it is longer than [`Limit::String`](crate::limits::Limit::String).
pub fn try_program_text(value: &Value) -> Result<String> {
    try_text_in_style(value, TextStyle::Program)
}

pub(crate) fn try_interpolated_text(value: &Value) -> Result<String> {
    try_text_in_style(value, TextStyle::Plain)
}

pub(crate) fn ruby_inspect(value: &Value) -> Result<String> {
    try_text_in_style(value, TextStyle::Ruby)
}

/// Returns the `%p` string of a value in lines of at most `width` terminal columns if possible. Long collections have
/// one element per line, or as many as fit if the elements are short. The result is still valid Puppet code.
pub fn pretty_print(value: &Value, width: usize) -> String {
    break_into_lines(&program_text(value), width)
}

/// Converts a value to a string as `String.new` does. `formats` is a format, `default`, or a hash of formats by type.
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
        let text = type_.to_full_string();
        check_string_bytes(text.len())?;
        return Ok(text);
    }
    let mut out = BoundedString::default();
    container::write_formatted_value(&mut out, value, &FormatMap::from_argument(formats, value)?)?;
    Ok(out.into_string())
}

/// Formats `number` as the character with this code point if `format` has the letter `c`; `None` if not, or if invalid.
///
/// Source: language specification, "Float to String": `dxXobBc` convert to Integer. Puppet 8.11 rejects `c`.
pub(crate) fn format_float_as_character(number: f64, format: &Value) -> Option<String> {
    let Value::String(text) = format else { return None };
    let character = Directive::parse(text).is_ok_and(|directive| directive.letter == 'c');
    #[expect(clippy::cast_possible_truncation, reason = "beyond 64 bits neither side is a character")]
    let number = Value::Integer(number as i64);
    if character { convert(&number, format).ok() } else { None }
}

pub(crate) fn write_interpolated(out: &mut BoundedString, value: &Value) -> Result<()> {
    program_text::write_value(out, value, TextStyle::Plain).map_err(string_limit_error)
}

/// Returns the `%p` string of a value; if it is longer than `characters` characters, truncated and with `…` at the end.
#[doc(hidden)] // for the program
pub fn shortened_program_text(value: &Value, characters: usize) -> String {
    shortened_text(value, characters, TextStyle::Program)
}

/// Like [`shortened_program_text`], but shows the content of a Sensitive: only for generated sample values.
pub(crate) fn shortened_unredacted_text(value: &Value, characters: usize) -> String {
    shortened_text(value, characters, TextStyle::Revealed)
}

fn shortened_text(value: &Value, characters: usize, form: TextStyle) -> String {
    let mut out = BoundedString::with_max_bytes(characters.saturating_add(1).saturating_mul(char::MAX.len_utf8()));
    let _ = program_text::write_value(&mut out, value, form); // What fits is enough.
    shorten(&out.into_string(), characters)
}

fn try_text_in_style(value: &Value, form: TextStyle) -> Result<String> {
    BoundedString::default().write_into_string(|out| program_text::write_value(out, value, form))
}

fn text_truncated_at_limit(value: &Value, form: TextStyle) -> String {
    let mut out = BoundedString::default();
    match program_text::write_value(&mut out, value, form) {
        Ok(()) => out.into_string(),
        Err(std::fmt::Error) => out.into_string() + " …",
    }
}
